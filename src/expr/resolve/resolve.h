/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * resolve.h - the meaning of nodes in this kernel.
 */
#ifndef CORETAP_EXPR_RESOLVE_RESOLVE_H
#define CORETAP_EXPR_RESOLVE_RESOLVE_H

#include "btf/btf.h"
#include "expr/compile.h"

void expr_resolve(struct compile *c, struct slot *s);
/* Resolves a node and everything below it; an error is in c->err. */
void resolve_node(struct compile *c, struct node *n);
/* Finds the member named by n->name in the text, or sets an error with the nearest name. */
bool resolve_member_find(struct compile *c, struct node *n, struct ctype outer,
			 struct btf_found *found);

/* ---- names.c: for NODE_NAME and NODE_BUILTIN ---- */

void resolve_name(struct compile *c, struct node *n);
void resolve_builtin(struct compile *c, struct node *n);

/* ---- types.c: types and constants by name ---- */

bool type_is_name(struct compile *c, struct span name); /* is there a typedef of that name? */
struct ctype resolve_type_name(struct compile *c, const struct type_name *t);
/* The BTF id of an enum with that constant; 0: there is none. */
uint32_t enum_with_constant(struct compile *c, struct span name);
bool enum_constant_find(struct compile *c, struct span name, struct node *n);
void resolve_sizeof(struct compile *c, struct node *n);
void resolve_container(struct compile *c, struct node *n);
void resolve_arrow(struct compile *c, struct node *n);
void resolve_member(struct compile *c, struct node *n);
/* Fails with "`what` is a number or a pointer" if the node is neither: it cannot be kept. */
void resolve_kept_check(struct compile *c, const struct node *n, const char *what);

/* ---- operators.c: for NODE_UNARY … NODE_CAST ---- */

void resolve_unary(struct compile *c, struct node *n);
void resolve_binary(struct compile *c, struct node *n);
void resolve_logical(struct compile *c, struct node *n);
void resolve_choice(struct compile *c, struct node *n);
void resolve_cast(struct compile *c, struct node *n);

/* ---- params.c: the parameters that may be named, and $argN ---- */

unsigned param_count(const struct compile *c);
const char *param_name(const struct compile *c, unsigned i);
bool param_is_showable(struct compile *c, unsigned i); /* without a format */
/* Is it that of a function without a prototype: the word in an argument register? */
bool param_is_register(struct compile *c, unsigned i);
bool is_param(const struct node *n);
int param_find(struct compile *c, struct span span); /* -1: none */
void resolve_param(struct compile *c, struct node *n, unsigned i);
/* An array in an event's record, whose value is its address: the number of bytes; 0: n is none. */
unsigned param_array_size(const struct compile *c, const struct node *n);
bool name_is_param(struct compile *c, struct span name);

/* ---- names that kernel developers know and BTF does not, because they are macros ---- */

/* ---- symbols.c: for NODE_SYMBOL ---- */

/* The BTF id of a per-CPU variable that a program can have; 0: there is none. */
uint32_t symbol_variable(const struct compile *c, const char *name);

/* Is its type unknown? It is taken for a word then … */
bool symbol_is_untyped(const struct compile *c, const struct node *n);
/* … or for an array of words: their address. */
struct node *symbol_words(struct compile *c, struct node *n);
/* Adds to an error how it gets a type. */
void symbol_hint(struct compile *c, const struct node *n);
void resolve_symbol(struct compile *c, struct node *n);

/* ---- percpu(EXPR): this CPU's copy of what a per-CPU pointer points to ---- */

void resolve_percpu(struct compile *c, struct node *n);

/* ---- builtin_ctx.c: $ctx ---- */

/* Bits of the preempt count (include/linux/preempt.h). */
struct preempt_bits {
	uint32_t softirq; /* a soft interrupt is served */
	uint32_t hardirq, nmi;
};

struct preempt_bits preempt_bits(const struct expr_target *t);
void resolve_context(struct compile *c, struct node *n);
void resolve_interrupt(struct compile *c, struct node *n); /* $irq */

/* ---- builtin.c: $ret, $lat and $depth ---- */

bool function_returns(struct compile *c); /* does it return a value? */
void format_ret(struct slot *s);
/* no expression names $ret, $lat or @ret */
bool slots_at_return_wanted(const struct expr_input *in);

/* ---- func_name.c: $func compared with a text: $func == "vfs_read", $func ~ "vfs_*" ---- */

/* If `n` compares $func with a text, makes it what that is for the numbers of the traced functions,
 * and returns true. */
bool resolve_func_name(struct compile *c, struct node *n);

/* ---- sock_text.c: part of resolve: addresses of a socket that are compared with a text ---- */

/* EXPR:sock, :local, :peer before a comparison. */
void resolve_sock(struct compile *c, struct node *n);
/* Is the comparison of such a thing with a text? Then it becomes comparisons of numbers. */
bool resolve_sock_text(struct compile *c, struct node *n);

/* ---- loops.c: part of resolve: @sum, @count, @any over a range or a list ---- */

/* Fails unless the range of the loop, which is resolved, is a number. */
void loop_check_range(struct compile *c, const struct node *n);
/* Resolves a loop whose range and body are resolved. */
void loop_resolve(struct compile *c, struct node *n);
/* False, with an error, unless a list may be here. */
bool list_is_allowed(struct compile *c, const struct node *n);
/* Resolves a list whose head is resolved. */
void list_resolve(struct compile *c, struct node *n);

/* ---- pair.c: pairs of probes: which expressions belong to the begin, and which to the end ---- */

/* Hidden slots: two for each key, and the numbers that the end needs of the begin. */
enum { PAIR_KEPT_MAX = 32, PAIR_HIDDEN_MAX = 2 * EXPR_PAIR_KEYS + PAIR_KEPT_MAX };

/* The slots that the conditions may need. */
size_t pair_terms_most(const struct compile *c);
/* Adds the slots of condition `i`; of a pair, one for each operand of its outermost &&. */
void pair_add_condition(struct compile *c, size_t i);
/* Adds the slots of the keys, for both sides. */
void pair_add_keys(struct compile *c);
/* After the parser: gives each slot its side, and takes the begin's part out of those at the
 * end. */
void pair_split(struct compile *c);
/* A hidden slot: a number or a pointer, kept as 8 bytes. */
void pair_format(struct compile *c, struct slot *s);

/* ---- trigger.c: conditions that begin and end the recording ---- */

/* How many slots they take. */
size_t triggers_most(const struct compile *c);
/* Adds slots for those that the program decides, or for those that are in the record. */
void triggers_add_slots(struct compile *c, bool in_record);
void trigger_format(struct compile *c, struct slot *s);

/* ---- expand.c: --depth: slots for followed pointers ---- */

void expr_follow(struct compile *c, struct slot *s); /* adds slots after the last one */

/* ---- expand.c: --diff: its slots ---- */

void diffs_add_slots(struct compile *c);
/* adds the slots that are attached to this one */
void expr_diff(struct compile *c, struct slot *s);

#endif
