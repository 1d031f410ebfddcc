/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pair.h - pairs of probes: PROBE --until PROBE2 --on KEY. With --and, each PROBE may have its own --until, and is a
 * separate pair.
 */
#ifndef CORETAP_PROBE_PAIR_H
#define CORETAP_PROBE_PAIR_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/options.h"
#include "expr/expr.h"
#include "program/program_load.h"
#include "run/session.h"

struct aggregate_rows;
struct argdump;
struct argdump_probe;

/* One pair: the requests of its sides, what its programs need, and the maps of open pairs. */
struct argdump_pair {
	size_t begin; /* index of the begin's request; the end's has the same owner */
	const char *keys[EXPR_PAIR_KEYS];
	struct expr_pair input;
	struct program_maps maps; /* owned: the maps EXPR_MAP_PAIRS to EXPR_MAP_PAIR */
};

/* Rows of an option table. */
#define PAIR_OPTIONS(add_, older_)                                                                       \
	{ .name = "until",                                                                               \
	  .is_saved = true,                                                                              \
	  .setting = MODEL_UNTIL,                                                                        \
	  .type = OPTION_LIST,                                                                           \
	  .arg = "PROBE",                                                                                \
	  .add = add_,                                                                                   \
	  .section = SECTION_CALLS,                                                                      \
	  .brief = "from PROBE to PROBE: $lat is the time between",                                      \
	  .help = "print a record when PROBE ends what the other probe began: EXPRs as they were "       \
		  "at the begin, @end(EXPR) at the end, and the time between in $lat" },                 \
		{ .name = "on",                                                                          \
		  .is_saved = true,                                                                      \
		  .setting = MODEL_ON,                                                                   \
		  .type = OPTION_LIST,                                                                   \
		  .arg = "KEY,...",                                                                      \
		  .add = add_,                                                                           \
		  .rank = RANK_ROOM,                                                                     \
		  .section = SECTION_CALLS,                                                              \
		  .brief = "with --until: what belongs together (the thread)",                           \
		  .help = "with --until: what begin and end have in common: an EXPR of both, or "        \
			  "'EXPR == @end(EXPR)' (default: the thread)" },                                \
		{ .name = "first",                                                                       \
		  .is_saved = true,                                                                      \
		  .setting = MODEL_FIRST,                                                                \
		  .type = OPTION_LIST,                                                                   \
		  .add = add_,                                                                           \
		  .section = SECTION_CALLS,                                                              \
		  .rank = RANK_NEVER,                                                                    \
		  .help = "with --until: a second begin with the same key does not replace the first" }, \
		{ .name = "open",                                                                        \
		  .is_saved = true,                                                                      \
		  .setting = MODEL_OPEN,                                                                 \
		  .type = OPTION_LIST,                                                                   \
		  .add = add_,                                                                           \
		  .section = SECTION_CALLS,                                                              \
		  .rank = RANK_NEVER,                                                                    \
		  .help = "with --until: print at the end what began and has not ended, with the "       \
			  "time since in $lat, and not what ended; or count that" },                     \
	{                                                                                                \
		.name = "older", .is_saved = true, .type = OPTION_SECONDS, .arg = "SEC",                 \
		.value = &(older_), .section = SECTION_CALLS, .rank = RANK_NEVER,                        \
		.help = "with --open: only what began SEC seconds ago or more"                           \
	}

/* Checks the options, and adds requests for the ends. Returns 0 or -errno after printing any error. */
int pair_set(struct argdump *a, const struct options *common);
/* Returns the other side of a probe's pair, or NULL. */
struct argdump_probe *pair_other(struct argdump *a, const struct argdump_probe *p);
/* Returns the maps in which the probe's pair stores open pairs; NULL if it has no pair. */
struct program_maps *pair_maps(const struct argdump_probe *p);
/* True if the probe writes records or counts. A begin only stores values. */
bool pair_writes(const struct argdump_probe *p);
/* The attach order of a pair. Ends come first: a begin whose end is not attached yet would stay open, or be replaced by
 * the next. Where an event ends one pair and begins the next, its end must run first. Programs of one tracepoint run in
 * the order in which they were attached (func_add in kernel/tracepoint.c, bpf_prog_array_copy), those of one function in
 * the opposite order (bpf_trampoline_link_prog, add_new_kprobe, register_ftrace_function), so such an end comes last. */
enum { PAIR_RANKS = 3 };
/* `first` is the first probe of its request. */
unsigned pair_rank(const struct argdump *a, const struct argdump_probe *first);
/* If an event is both sides, the side attached second must use the method of the first: otherwise the order of their
 * programs is undefined. */
void pair_match(const struct argdump *a, struct argdump_probe *p);
/* Checks that all begins, which may be of several probes, store the same values; likewise all ends. Fills the error. */
int pair_check(const struct argdump *a, const struct argdump_probe *p, struct expr_error *error);
/* The hook tracer_ops.rest: shows the pairs that are still open. */
void pair_rest(struct session *s);
/* With --open and counting: builds rows of open pairs. The caller frees rows->bytes, even after an error. Returns 0
 * or -errno. */
int pair_open_count(struct session *s, struct aggregate_rows *rows);
void pairs_close(struct argdump *a);

#endif
