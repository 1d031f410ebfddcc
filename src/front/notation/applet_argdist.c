/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * applet_argdist.c - argdist: the command line of bcc's argdist, specifiers and options.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/argdump.h"
#include "front/notation/notation.h"
#include "run/session.h"
#include "util/log.h"

static struct {
	struct option_list specs;
	const char *bytes, *header;
	uint32_t number;
	bool cumulative;
} given;

enum { BY_COUNT, BY_HISTOGRAM };

/* clang-format off */
static const struct option_spec argdist_options[] = {
	[BY_COUNT] = { .name = "count", .letter = 'C', .type = OPTION_LIST, .arg = "SPEC",
	  .value = &given.specs, .help = "count the calls for each value" },
	[BY_HISTOGRAM] = { .name = "histogram", .letter = 'H', .type = OPTION_LIST, .arg = "SPEC",
	  .value = &given.specs, .help = "a histogram of the value" },
	{ .name = "string-size", .letter = 'z', .type = OPTION_STRING, .arg = "BYTES", .value = &given.bytes,
	  .help = "maximum string size in bytes (argdump -s)" },
	{ .name = "interval", .letter = 'i', .type = OPTION_SECONDS, .arg = "SEC",
	  .offset = offsetof(struct options, interval_ns), .help = "print every SEC seconds (default: 1)" },
	{ .name = "number", .letter = 'n', .type = OPTION_UINT, .arg = "N", .value = &given.number,
	  .help = "end after N intervals (argdump -d)" },
	{ .name = "cumulative", .letter = 'c', .type = OPTION_FLAG, .value = &given.cumulative,
	  .help = "do not reset the counts after each interval" },
	{ .name = "top", .letter = 'T', .type = OPTION_UINT, .arg = "N",
	  .offset = offsetof(struct options, top), .help = "print only the N largest" },
	{ .name = "include", .letter = 'I', .type = OPTION_STRING, .arg = "HEADER", .value = &given.header,
	  .help = "left out: types come from the kernel's BTF" },
	{ 0 },
};
/* clang-format on */

struct argdist {
	struct notation_run run;
	struct notation *specs; /* the run's */
	unsigned count, most;
};

static int spec_add(struct argdist *a, const char *text, bool histogram)
{
	struct notation *n = &a->specs[a->count];

	notation_init(n, text);
	notation_argdist(n, histogram, a->count++, a->most == 1);
	return notation_run_add(&a->run, n);
}

/* bcc's -C and -H take all words that follow. */
static int specs_add(struct argdist *a, int argc, char **argv)
{
	const struct option_list *list = &given.specs;
	int err = 0;

	for (size_t i = 0; i < list->count && !err; i++) {
		const struct option_item *item = &list->items[i];
		unsigned end = i + 1 < list->count ? item[1].args : (unsigned)argc;
		bool histogram = item->spec == &argdist_options[BY_HISTOGRAM];

		err = spec_add(a, item->text, histogram);
		for (unsigned j = item->args; j < end && !err; j++)
			err = spec_add(a, argv[j], histogram);
	}
	return err;
}

static void interval_set(struct options *o)
{
	if (!o->interval_ns)
		o->interval_ns = 1000000000;
	o->clear = !given.cumulative && !options_want_metrics(o);
	if (given.number && !o->duration_ns && given.number <= UINT64_MAX / o->interval_ns)
		o->duration_ns = o->interval_ns * given.number;
}

static int specs_check(int argc)
{
	if (!given.specs.count || (argc && given.specs.items[0].args)) {
		log_error("which probe? usage: argdist -C SPEC or -H SPEC");
		log_hint("for example: argdist -H 'p::vfs_read(void *file, void *buf, size_t "
			 "count):size_t:count'");
		return -EINVAL;
	}
	return 0;
}

static int argdist_args(struct session *s, int argc, char **argv)
{
	const struct notation_absent list[] = {
		{ given.header, "-I", "types come from the kernel's BTF", true }, { 0 }
	};
	static struct argdist a;
	int err = specs_check(argc) ?: notation_absent_tell(list);

	a.most = given.specs.count + argc;
	a.specs = calloc(a.most + 1, sizeof(*a.specs));
	if (!a.specs)
		return -ENOMEM;
	if (!err && given.bytes) {
		notation_run_word(&a.run, "-s");
		notation_run_word(&a.run, given.bytes);
	}
	interval_set(&s->options);
	if (!err)
		err = specs_add(&a, argc, argv);
	return err ?: notation_run(s, &a.run);
}

static const struct example argdist_examples[] = {
	{ "argdist -H 'p::vfs_read(void *file, void *buf, size_t count):size_t:count'",
	  "how many bytes are asked for" },
	{ "argdist -C 'r::vfs_read():u32:$PID:$latency > 100000'", "slow reads by process" },
	{ "argdist -i 5 -n 2 -C 'p:c:malloc(size_t size):size_t:size:size > 4096#large'",
	  "large allocations by size, twice in ten seconds" },
	{ 0 },
};

const struct applet argdist_applet = {
	.name = "argdist",
	.summary = "run specifiers of bcc's argdist, translated to argdump",
	.description =
		"SPEC is {p|r|t|u}:[LIBRARY|CATEGORY]:FUNCTION(SIGNATURE)[:TYPES:VALUES[:CONDITION]]"
		"[#LABEL], as bcc's argdist has it, with $retval, $entry(x), $latency and $PID. Each "
		"is translated to argdump, whose command line is printed (not with -q) and run. "
		"TYPES are the kernel's own, whatever SPEC says; of user functions those of the "
		"SIGNATURE count. Several SPECs are columns of one table.",
	.buffer = 2 << 20,
	.args = "[SPEC...]",
	.common = OPTION_GROUPS_TRACER | OPTION_GROUP_AGGREGATE,
	.options = argdist_options,
	.examples = argdist_examples,
	.blind_spots = notation_blind_spots,
	.args_set = argdist_args,
	.tracer = &argdump_tracer,
};
