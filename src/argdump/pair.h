/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pair.h - two probes that belong together: PROBE --until PROBE2 --on KEY.
 */
#ifndef CORETAP_ARGDUMP_PAIR_H
#define CORETAP_ARGDUMP_PAIR_H

#include <stdbool.h>
#include <stddef.h>

#include "expr/expr.h"
#include "session/options.h"
#include "session/session.h"

struct aggregate_rows;
struct argdump;
struct argdump_probe;

/* --until, --on, --first. The first `ends` of argdump.probes are those of --until. */
struct argdump_pair {
	const char *until; /* NULL: no pair */
	struct option_list on;
	bool first, open;
	uint64_t older;		      /* ns */
	char *texts[OPTION_LIST_MAX]; /* owned: of --on, cut into keys */
	const char *keys[EXPR_PAIR_KEYS];
	struct expr_pair input;
	size_t ends;
};

/* Rows of an option table. */
#define PAIR_OPTIONS(p_)                                                                                 \
	{ .name = "until",                                                                               \
	  .is_saved = true,                                                                              \
	  .type = OPTION_STRING,                                                                         \
	  .arg = "PROBE",                                                                                \
	  .value = &(p_).until,                                                                          \
	  .help = "print a record when PROBE ends what the other probe began: EXPRs as they were "       \
		  "at the begin, @end(EXPR) at the end, and the time between in $lat" },                 \
		{ .name = "on",                                                                          \
		  .is_saved = true,                                                                      \
		  .type = OPTION_LIST,                                                                   \
		  .arg = "KEY,...",                                                                      \
		  .value = &(p_).on,                                                                     \
		  .help = "with --until: what begin and end have in common: an EXPR of both, or "        \
			  "'EXPR == @end(EXPR)' (default: $tid)" },                                      \
		{ .name = "first",                                                                       \
		  .is_saved = true,                                                                      \
		  .type = OPTION_FLAG,                                                                   \
		  .value = &(p_).first,                                                                  \
		  .help = "with --until: a second begin with the same key does not replace the first" }, \
		{ .name = "open",                                                                        \
		  .is_saved = true,                                                                      \
		  .type = OPTION_FLAG,                                                                   \
		  .value = &(p_).open,                                                                   \
		  .help = "with --until: print at the end what began and has not ended, with the "       \
			  "time since in $lat, and not what ended; or count that" },                     \
	{                                                                                                \
		.name = "older", .is_saved = true, .type = OPTION_SECONDS, .arg = "SEC",                 \
		.value = &(p_).older,                                                                    \
		.help = "with --open: only what began SEC seconds ago or more"                           \
	}

/* Checks the options, and adds the request for the end. Returns 0 or -errno, after printing any
 * error. */
int pair_set(struct argdump *a, const struct options *common);
/* The same for a probe that is compiled: it is one side, this is the other. NULL: no pair. */
struct argdump_probe *pair_other(struct argdump *a, const struct argdump_probe *p);
/* An event that is both ends something first, and then begins. Programs of one tracepoint run in
 * the order in which they were attached (func_add in kernel/tracepoint.c, bpf_prog_array_copy), those
 * of one function in the opposite order (bpf_trampoline_link_prog, add_new_kprobe,
 * register_ftrace_function): are the ends to be attached last? */
bool pair_ends_last(const struct argdump *a);
/* Of an event that is both, the second side to be attached has to take the method of the first:
 * otherwise nothing says whose program runs first. */
void pair_match(const struct argdump *a, struct argdump_probe *p);
/* Begins may be of several probes, and ends, too: do all keep the same? Fills the error. */
int pair_check(const struct argdump *a, const struct argdump_probe *p, struct expr_error *error);
/* pair_open.c: the hook tracer_ops.rest: what began and has not ended. */
void pair_rest(struct session *s);
/* With --open and counting: rows of what has not ended. The caller frees rows->bytes, even after an
 * error. Returns 0 or -errno. */
int pair_open_count(struct session *s, struct aggregate_rows *rows);
void pair_close(struct argdump_pair *pair);

#endif
