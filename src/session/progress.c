/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * progress.c - notes for a person at a terminal.
 */
#include "session/progress.h"

#include <unistd.h>

#include "util/clock.h"
#include "util/log.h"

static bool is_watched(void)
{
	return !log_is_quiet() && isatty(STDERR_FILENO);
}

void progress_begin(const struct session *s)
{
	if (is_watched() && !s->options.command)
		log_note("tracing: Ctrl-C ends it");
}

void progress_interrupted(void)
{
	if (is_watched() && write(STDERR_FILENO, "\n", 1) < 0)
		return; /* the terminal is gone */
}

void progress_end(const struct session *s, uint64_t began)
{
	double seconds = (now_ns() - began) / 1e9;
	unsigned long long rows = s->sink.rows;

	if (!is_watched())
		return;
	if (s->report && !s->options.output) /* its last line says so */
		return;
	if (s->report)
		log_note("traced for %.1f s", seconds);
	else if (rows)
		log_note("%llu record%s in %.1f s", rows, rows == 1 ? "" : "s", seconds);
	else
		log_note("nothing was seen in %.1f s", seconds);
}
