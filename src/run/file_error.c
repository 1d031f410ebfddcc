/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * file_error.c - a file that cannot be written: which, and why.
 */
#include "run/file_error.h"

#include <errno.h>

#include "kernel/limits.h"
#include "kernel/place.h"
#include "run/session.h"
#include "util/log.h"

int file_failed(const char *path, int err)
{
	char limit[128];
	const char *todo = limit_explain(-err, limit, sizeof(limit));

	log_error("cannot write to '%s': %s", path, todo ? limit : place_why(err));
	if (todo)
		log_hint("%s", todo);
	if (err == -ELOOP)
		log_hint(
			"give the path that the link leads to; better a folder where nobody else writes");
	return EXIT_FAILED;
}

const char *output_name(const struct session *s)
{
	return s->options.output ?: "stdout";
}

int output_failed(const struct session *s)
{
	return file_failed(output_name(s), s->out.error);
}
