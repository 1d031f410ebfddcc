/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * run.h - expressions of the simulated kernel (tests/lib/things.h), run as a test wants it: what goes wrong
 * fails the test.
 */
#ifndef CORETAP_RUN_H
#define CORETAP_RUN_H

#include "unit.h"
#include "../lib/targets.h"
#include "../lib/things.h"
#include "output/field/value.h"

static inline int setup(void **state)
{
	(void)state;
	return things_build();
}

static inline void run_texts(struct harness *r, const char *const *texts, size_t count)
{
	assert_true(compile_and_run(r, texts, count));
}

static inline void run_one(struct harness *r, const char *text)
{
	run_texts(r, &text, 1);
}

/* Expression `i`'s value, through the reader's own eyes. */
static inline struct value value_of(struct harness *r, size_t i)
{
	struct value v;

	assert_true(harness_value(r, i, &v));
	return v;
}

/* Who is to blame, and whether that is counted. */
static inline void check_blame(struct harness *r, size_t i, unsigned status, const char *link)
{
	assert_int_equal(value_of(r, i).status, status);
	assert_string_equal(harness_link(r, i), link);
	assert_int_equal(vm_loss(&r->vm, LOSS_FAULT) > 0, status == EVENT_FAULT);
}

#endif
