/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * progress.c - notes for a person at a terminal.
 */
#include "run/progress.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "util/log.h"

static char interrupted[80]; /* made before it is needed: a handler cannot format */

static void interrupted_tell(int number)
{
	if (write(STDERR_FILENO, interrupted, strlen(interrupted)) < 0)
		interrupted[0] = '\0'; /* the terminal is gone */
	signal(number, SIG_DFL);
	raise(number);
}

void progress_attach_begin(const struct session *s)
{
	if (!log_is_watched())
		return;
	log_busy_begin();
	snprintf(interrupted, sizeof(interrupted), "\n%s: interrupted before tracing began\n",
		 s->applet->name);
	if (signal(SIGINT, interrupted_tell) == SIG_IGN)
		signal(SIGINT, SIG_IGN);
}

void progress_attach_end(void)
{
	log_busy_end();
	if (interrupted[0] && signal(SIGINT, SIG_DFL) == SIG_IGN)
		signal(SIGINT, SIG_IGN);
}

void progress_begin(const struct session *s)
{
	if (log_is_watched() && !s->options.command)
		log_note("tracing: Ctrl-C ends it");
}

void progress_interrupted(void)
{
	if (log_is_watched() && write(STDERR_FILENO, "\n", 1) < 0)
		return; /* the terminal is gone */
}

void progress_end(const struct session *s, uint64_t began)
{
	double seconds = (s->ended_at - began) / 1e9;
	unsigned long long rows = s->sink.rows;

	if (!log_is_watched())
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
