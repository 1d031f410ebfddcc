/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * reporting.h - applets that report instead of printing records: when they report, and from which maps.
 *
 * OPTION_GROUP_AGGREGATE gives an applet --top, --interval and --clear. Its `report` is called for rows every
 * --interval and at the end.
 */
#ifndef CORETAP_RUN_REPORTING_H
#define CORETAP_RUN_REPORTING_H

#include <stdint.h>

#include "cli/options.h"
#include "output/rows/report.h"
#include "run/session.h"

struct session;

/* Checks that the options are compatible. Returns 0, or -EINVAL after printing the error. */
int reporting_check(const struct options *o);
/*
 * For an applet that reports only with one of its own options, and prints records otherwise: checks the common
 * options against the mode. `options` names its own ("--count or --hist"), `noun` what it prints otherwise
 * ("request"). Returns 0, or -EINVAL after printing the error.
 */
int reporting_check_mode(const struct options *o, bool reports, const char *options,
			 const char *noun);
/* Writes a report if one is due at *next, at multiples of the interval since the start (CLOCK_MONOTONIC ns). Returns
 * 0 or -errno. */
int reporting_poll(struct session *s, uint64_t *next);
/* Writes the last report, of what was counted until `now`. Returns 0 or -errno. */
int reporting_end(struct session *s, uint64_t now);
/* For reports beside the session's own: sets a sink that has its rows, in another form, and keeps its shapes. */
void reporting_sink_copy(const struct session *s, struct sink *to, const struct sink_form *form);
/* Makes such a report, with sink and form set, of what was counted until `now`: at most `top` rows (0: all) unless
 * --top says how many. Returns 0 or -errno. */
int reporting_copy(struct session *s, struct report *r, uint32_t top, uint64_t now);
/* Reports how many reports were skipped because the output's reader was slow. */
void reporting_late_report(const struct session *s);
void reporting_close(struct session *s);

/*
 * For `report`: adds a row for each entry of a map (hash or array, per-CPU or not) of the applet's objects: its key,
 * padded to 8 bytes, and its value, u64 numbers summed over all CPUs. With --clear, a row has only what was added
 * since the last report: the difference to the last values, so that nothing is lost or counted twice. Omits entries
 * that are all 0. Returns 0 or -errno.
 */
int report_map(struct session *s, struct report *out, const char *name);

/* ---- notes for a person at a terminal ---- */

/* Tell the user when tracing begins, how to end it, and what the result was. Nothing is printed to a file or a pipe,
 * which programs read, nor with -q. */

/* Attaching begins: if it is slow, log_busy shows the progress, and Ctrl-C reports what it interrupted.
 * progress_attach_end restores the signal; call it before the command is started, which would inherit it. */
void progress_attach_begin(const struct session *s);
void progress_attach_end(void);
/* Everything is attached, and signals are handled. Prints nothing if a command runs, because its output begins now. */
void progress_begin(const struct session *s);
/* The terminal has printed ^C: begin a new line. */
void progress_interrupted(void);
/* Prints how many records came in how long, after the ledger. `began` is CLOCK_MONOTONIC ns. */
void progress_end(const struct session *s, uint64_t began);

#endif
