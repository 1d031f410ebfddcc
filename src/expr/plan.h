/* SPDX-License-Identifier: GPL-2.0 */
/*
 * plan.h - what the files of the planning stage share.
 */
#ifndef CORETAP_EXPR_PLAN_H
#define CORETAP_EXPR_PLAN_H

#include "expr/compiler.h"

/* ---- value.c ---- */

/* The index of a value like `v`, which is made when there is none; -1 on error. */
int value_make(struct compile *c, struct plan_value v);
/* Has the slot compute `value`, unless it has; returns it, or -1 on error. */
int step_add(struct compile *c, int value, int link);
/* STEP_IF_ZERO … STEP_LABEL; STEP_SET. */
void step_control(struct compile *c, enum step_kind kind, int value, int label);
void step_set(struct compile *c, int phi, int from);
int step_label(struct compile *c);
/* What is computed from here on is so in a branch, until branch_end gets what branch_begin gave. */
size_t branch_begin(struct compile *c);
void branch_end(struct compile *c, size_t begin);
/* The number of a new link that is called what the text has there; -1 on error. */
int link_add(struct compile *c, struct span span);

/* ---- way.c ---- */

/* Fills way, cast_* and pointee of a LOAD or BYTES whose base exists. `user`: the pointer is tagged
 * __user; `as_number`: the value will be computed with, so the verifier must not see a pointer. */
void choose_way(struct compile *c, struct plan_value *v, bool user, bool as_number);

/* ---- argument.c: where parameters are passed ---- */

struct argument_home {
	bool is_stack;
	unsigned at; /* number of the register, or bytes from the stack pointer */
};

/* To a kprobe at the function's first instruction. */
struct argument_home argument_home(struct compile *c, unsigned param);
int argument_stack_pointer(const struct compile *c); /* offset in struct pt_regs */
/* To fentry: the first u64 of the context that is its; behind the last one is the result. */
unsigned argument_slot(struct compile *c, unsigned param);

/* plan.c: way and pointee of what a trampoline's context holds, an argument or the return value. */
void choose_argument_way(struct compile *c, struct plan_value *v, uint32_t type);

/* ---- place.c: where things lie ---- */

/* Memory at the value `base` plus `off` bytes: what a pointer with additions points at. */
struct place {
	int base;
	int64_t off;
	uint32_t within;  /* struct at `base`, by the types; 0: none */
	bool user;        /* the pointer is tagged __user */
	struct span link; /* the pointer's text */
};

struct place place_of(struct compile *c, const struct node *n);
struct place place_behind(struct compile *c, const struct node *n); /* where a pointer points */
/* Its address as a value; NULL plus anything is refused. */
int place_address(struct compile *c, const struct place *at);
int place_read(struct compile *c, enum plan_op op, const struct place *at, uint32_t size,
               bool as_number);

/* ---- plan.c, operate.c: values of nodes; each returns the value, or -1 on error ---- */

/* As the memory or the register has it: of a small integer only its own bytes count. */
int plan_value_of(struct compile *c, const struct node *n);
/* As a number of 64 bits to compute with. */
int plan_number_of(struct compile *c, const struct node *n);
int plan_constant(struct compile *c, int64_t number);
int plan_operation(struct compile *c, enum oper oper, int a, int b, struct ctype t);
int plan_scaled(struct compile *c, int index, uint64_t size);
/* `value` as a plain number to the verifier. */
int plan_scalar(struct compile *c, int value);
int plan_unary(struct compile *c, const struct node *n);
int plan_binary(struct compile *c, const struct node *n);
int plan_logical(struct compile *c, const struct node *n);
int plan_choice(struct compile *c, const struct node *n);
int plan_text(struct compile *c, const struct node *n);
/* param.c: a parameter that the input lists. */
int plan_param(struct compile *c, const struct node *n);
/* path.c */
void path_plan(struct compile *c, struct slot *s);
/* diff.c */
int diff_plan_place(struct compile *c, struct slot *s);
struct place diff_place(struct compile *c, const struct slot *s);
/* condition.c */
void plan_condition(struct compile *c, const struct node *n);
/* match.c */
bool match_needs_helper(const struct btf_view *b, const struct expr_target *t,
                        const struct plan_text *text);
int plan_cast(struct compile *c, const struct node *n);

#endif
