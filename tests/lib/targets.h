/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * targets.h - the kernels, and the ways to attach, that tests compile expressions for: one list, in words
 * as golden commands have them ("6.12,kprobe,arm64").
 */
#ifndef CORETAP_TARGETS_H
#define CORETAP_TARGETS_H

#include <stdbool.h>
#include <stdint.h>

#include "expr/expr.h"

enum {
	TARGET_KERNELS = 4,
	TARGET_WAYS = 6,
	TARGETS = TARGET_KERNELS * TARGET_WAYS,
	/* BTF ids of the kfuncs of these kernels */
	TARGET_CAST_ID = 9999,
	TARGET_IS_RETURN_ID,
	TARGET_COOKIE_ID,
	TARGET_PREEMPT_OFF_ID,
	TARGET_PREEMPT_ON_ID,
};

/* From the oldest on. */
extern const char *const target_kernels[TARGET_KERNELS];
/* The ways that one side of a call is seen. */
extern const char *const target_ways[TARGET_WAYS];

/* "6.12,kprobe" onto what `t` is already. False: a word is not known, *bad is it. */
bool target_words(struct expr_target *t, const char *words, const char **bad);
/* The same, from fentry with typed loads and probe_read on x86-64 on; the words are right. */
struct expr_target target_of(const struct btf_view *btf, const char *words);
/* Number `i` of all TARGETS, as words. */
const char *target_name(unsigned i);

#endif
