/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lower.h - nodes → values. Each function returns the number of a value, or -1 on error.
 */
#ifndef CORETAP_EXPR_LOWER_LOWER_H
#define CORETAP_EXPR_LOWER_LOWER_H

#include "expr/compile.h"

void expr_plan(struct compile *c, struct slot *s);
/* The same for all slots of a pair, in the order in which its programs evaluate them. */
void expr_plan_pair(struct compile *c);
/* The value as in memory or a register: the upper bytes of a small integer are undefined. */
int plan_value_of(struct compile *c, const struct node *n);

/* ---- lvalue.c: places in memory ---- */

/* Memory at value `base` plus `off` bytes. */
struct lvalue {
	int base;
	int64_t off;
	uint32_t within;  /* the struct at `base`, by the types of the expression; 0: none */
	bool user;	  /* the pointer is tagged __user */
	struct span link; /* the text of the pointer */
};

struct lvalue lvalue_of(struct compile *c, const struct node *n);
/* The memory that a pointer points to. */
struct lvalue lvalue_target(struct compile *c, const struct node *n);
/* The address as a value; NULL plus an offset fails. */
int lvalue_address(struct compile *c, const struct lvalue *at);
int lvalue_load(struct compile *c, enum vreg_op op, const struct lvalue *at, uint32_t size,
		bool as_number);
/* --diff: the address of the compared memory, and the memory itself at the return. */
int plan_diff_address(struct compile *c, struct slot *s);
struct lvalue diff_lvalue(struct compile *c, const struct slot *s);

/* ---- lower_arith.c: operators → values ---- */

/* As a 64-bit number, for arithmetic. */
int plan_number_of(struct compile *c, const struct node *n);
int plan_constant(struct compile *c, int64_t number);
int plan_fact(struct compile *c, enum expr_fact fact);
int plan_operation(struct compile *c, enum oper oper, int a, int b, struct ctype t);
int plan_scaled(struct compile *c, int index, uint64_t size);
/* `value` as a number: not a pointer to the verifier. */
int plan_scalar(struct compile *c, int value);
int plan_unary(struct compile *c, const struct node *n);
int plan_binary(struct compile *c, const struct node *n);
int plan_logical(struct compile *c, const struct node *n);
int plan_choice(struct compile *c, const struct node *n);
/* 0 or 1. */
int plan_truth(struct compile *c, const struct node *n);
/* A new value, set by IR_SET. */
int plan_phi(struct compile *c);
int plan_cast(struct compile *c, const struct node *n);

/* ---- lower_param.c: parameters, by calling convention; $ret ---- */

struct argument_location {
	bool is_stack;
	bool is_split;	 /* … but half of it is in the last register; `at` is unset */
	unsigned at;	 /* number of the register, or bytes above the stack pointer */
	bool is_unknown; /* of a program: a struct with floats is before it, or it is a float */
};

/* For a kprobe at the function's first instruction. */
struct argument_location argument_location(struct compile *c, unsigned param);
/* For fentry: index of the parameter's first u64 in the context. The result follows the last
 * parameter. */
unsigned argument_slot(struct compile *c, unsigned param);
/* The same for the result. */
unsigned result_slot(struct compile *c);

/* A parameter: NODE_NAME, $argN. */
int plan_argument(struct compile *c, const struct node *n);
int plan_ret(struct compile *c, const struct node *n);

/* ---- lower_strcmp.c: comparisons of strings → values ---- */

int plan_text(struct compile *c, const struct node *n);

/* ---- lower_packet.c: pcap( ) ---- */

/* Plans the match of the packet that value `base` points to. */
int plan_packet(struct compile *c, const struct node *n, int base);
/* True if casts and typed loads read any byte of a packet. */
bool packet_is_typed(const struct expr_target *t, const struct btf_view *b);

/* ---- lower_loop.c: loops → steps that go back ---- */

int plan_loop(struct compile *c, const struct node *n);
/* The current element of the list. */
int plan_element(struct compile *c, const struct node *n);

/* ---- ir_build.c: the values of the plan, and the steps of a slot ---- */

/* Returns the number of a value equal to `v`, which is added if it is missing; -1 on error. */
int ir_value(struct compile *c, struct vreg v);
/* Adds a step that computes `value`, unless the slot has one; returns it, or -1 on error. */
int ir_add(struct compile *c, int value, int link);
/* Adds a step for a value that has no base and cannot fail. */
int ir_source(struct compile *c, enum vreg_op op, int64_t imm);
/* Add steps: IR_IF_ZERO … IR_LABEL; IR_SET. */
void ir_control(struct compile *c, enum ir_kind kind, int value, int label);
void ir_set(struct compile *c, int phi, int from);
int ir_label(struct compile *c);
/* Values computed between branch_begin and branch_end belong to a branch. branch_end takes the
 * result of branch_begin. */
size_t branch_begin(struct compile *c);
void branch_end(struct compile *c, size_t begin);
/* Adds a link named by that span of the text. Returns its number, or -1 on error. */
int link_add(struct compile *c, struct span span);

/* After all slots are planned: assign temps to shared values, and to values of a slot. */
void expr_plan_share(struct compile *c);
void expr_plan_places(struct compile *c, struct slot *s);

/* ---- verifier.c: predicts what the verifier says ---- */

enum typed_result { TYPED_NO, TYPED_SCALAR, TYPED_POINTER };

/* Predicts a load of `size` bytes (1, 2, 4, 8) at `off` through a typed pointer to struct `id`.
 * The pointee of a loaded pointer is 0 if the verifier does not allow reading through it (__user,
 * __percpu). */
enum typed_result typed_load(const struct btf_view *b, uint32_t id, int64_t off, uint32_t size,
			     uint32_t *pointee);
/* True if any number of bytes can be loaded, in pieces of typed_piece. */
bool typed_bytes(const struct btf_view *b, uint32_t id, int64_t off, uint32_t size);
static inline uint32_t typed_piece(uint32_t rest)
{
	return rest >= 8 ? 8 : rest >= 4 ? 4 : rest >= 2 ? 2 : 1;
}
/* True if a parameter of type `id` can be loaded from the context of fentry. */
bool typed_argument(const struct btf_view *b, const struct expr_target *t, uint32_t id,
		    uint32_t *pointee);

#endif
