/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lower_arith.h - operators → values.
 */
#ifndef CORETAP_EXPR_LOWER_LOWER_ARITH_H
#define CORETAP_EXPR_LOWER_LOWER_ARITH_H

#include "expr/compile.h"

/* As a 64-bit number for arithmetic. */
int plan_number_of(struct compile *c, const struct node *n);
int plan_constant(struct compile *c, int64_t number);
int plan_fact(struct compile *c, enum expr_fact fact);
int plan_operation(struct compile *c, enum oper oper, int a, int b, struct ctype t);
int plan_scaled(struct compile *c, int index, uint64_t size);
/* `value` as a number that the verifier does not take for a pointer. */
int plan_scalar(struct compile *c, int value);
int plan_unary(struct compile *c, const struct node *n);
int plan_binary(struct compile *c, const struct node *n);
int plan_logical(struct compile *c, const struct node *n);
int plan_choice(struct compile *c, const struct node *n);
/* 0 or 1. */
int plan_truth(struct compile *c, const struct node *n);
/* A new value that is set by IR_SET. */
int plan_phi(struct compile *c);
int plan_cast(struct compile *c, const struct node *n);

#endif
