/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lvalue.h - places in memory.
 */
#ifndef CORETAP_EXPR_LOWER_LVALUE_H
#define CORETAP_EXPR_LOWER_LVALUE_H

#include "expr/compile.h"

/* Memory at the value `base` plus `off` bytes: where a pointer, with any additions, points. */
struct place {
	int base;
	int64_t off;
	uint32_t within;  /* struct at `base`, by the types of the expression; 0: none */
	bool user;	  /* the pointer is tagged __user */
	struct span link; /* the text of the pointer */
};

struct place place_of(struct compile *c, const struct node *n);
/* the place that a pointer points to */
struct place place_behind(struct compile *c, const struct node *n);
/* The address of a place as a value; NULL plus an offset is refused. */
int place_address(struct compile *c, const struct place *at);
int place_read(struct compile *c, enum vreg_op op, const struct place *at, uint32_t size,
	       bool as_number);

#endif
