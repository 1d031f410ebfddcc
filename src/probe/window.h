/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * window.h - when the recording begins and ends: --begin-if, --stop-if, --before.
 */
#ifndef CORETAP_PROBE_WINDOW_H
#define CORETAP_PROBE_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "expr/expr.h"
#include "cli/options.h"
#include "run/recorder.h"

struct argdump;
struct argdump_probe;
struct session;

struct argdump_window {
	struct recorder before; /* records before the recording begins */
	bool bounds;		/* --begin-if or --stop-if hides some calls */
	bool begun;		/* records are shown from now on */
};

/* clang-format off */
#define WINDOW_OPTIONS(add_, w_)                                                                          \
	{ .name = "begin-if", .is_saved = true, .setting = MODEL_BEGIN_IF, .type = OPTION_LIST, .arg = "EXPR",  \
	  .add = add_,                                                  \
	  .section = SECTION_CALLS, .rank = RANK_NEVER, .help = "record nothing until EXPR is true for a call that --if lets pass; from that one on "   \
		  "record all" },                                                                         \
	{ .name = "stop-if", .is_saved = true, .setting = MODEL_STOP_IF, .type = OPTION_LIST, .arg = "EXPR",   \
	  .add = add_,                                                   \
	  .rank = RANK_ROOM, .section = SECTION_CALLS, .brief = "end with the first record for which EXPR is true", .help = "end with the first record for which EXPR is true" },                                   \
	{ .name = "before", .is_saved = true, .type = OPTION_UINT, .arg = "N", .value = &(w_).before.most, \
	  .section = SECTION_CALLS, .rank = RANK_NEVER, .help = "with --begin-if, or else --stop-if: print nothing until that is true, then the last "  \
		  "N records before it, and it" }
/* clang-format on */

/* Checks the options, after all are parsed. Returns 0 or -errno after printing any error. */
int window_set(struct argdump *a, const struct options *o);
/* Sets what a probe's program does with the window. */
void window_input(const struct argdump *a, const struct argdump_probe *p, struct expr_input *in);
/* True if the reader decides which records are shown; window_show then passes these to `show`. */
bool window_reads(const struct argdump *a);
int window_show(struct session *s, const void *record, size_t size,
		int (*show)(struct session *s, const void *record, size_t size));
/* True if counts depend on the window, and its end was reached. */
bool window_counts(const struct argdump *a);
bool window_has_ended(const struct argdump *a);
/* Reports what was not shown, and why. */
void window_report(const struct argdump *a, const struct session *s);

#endif
