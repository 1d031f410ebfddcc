/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * intervals.c - [INTERVAL [COUNT]] → the options --interval, --clear and --duration.
 */
#include "cli/intervals.h"

#include <errno.h>

#include "cli/option_read.h"
#include "util/log.h"

/* The argument as what it is for, and what is wrong with it. */
static int wrong(const char *name, const char *arg, const char *mistake)
{
	log_error("%s '%s': %s", name, arg, mistake);
	log_hint_help();
	return -EINVAL;
}

/* Both say the same: neither is more right. */
static int twice(const char *name, const char *arg, const char *option)
{
	log_error("%s is given twice, by --%s and as '%s'", name, option, arg);
	log_hint("leave one of them out");
	return -EINVAL;
}

int intervals_take(struct options *o, int argc, char **argv, bool anew)
{
	static const struct option_spec seconds = { .type = OPTION_SECONDS },
					number = { .type = OPTION_UINT };
	uint32_t count = 0;
	const char *mistake;

	if (argc > 0 && o->interval_ns)
		return twice("INTERVAL", argv[0], "interval");
	mistake = argc > 0 ? option_read(&seconds, argv[0], &o->interval_ns) : NULL;
	if (mistake)
		return wrong("INTERVAL", argv[0], mistake);
	mistake = argc > 1 ? option_read(&number, argv[1], &count) : NULL;
	if (!mistake && count && count > UINT64_MAX / o->interval_ns)
		mistake = "that is too long";
	if (mistake)
		return wrong("COUNT", argv[1], mistake);
	if (count && o->duration_ns)
		return twice("COUNT", argv[1], "duration");
	if (argc > 0)
		o->clear |= anew && !options_want_metrics(o);
	if (count)
		o->duration_ns = o->interval_ns * count;
	return 0;
}
