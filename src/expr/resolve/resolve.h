/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * resolve.h - the meaning of nodes in this kernel.
 */
#ifndef CORETAP_EXPR_RESOLVE_RESOLVE_H
#define CORETAP_EXPR_RESOLVE_RESOLVE_H

#include "btf/btf.h"
#include "expr/compile.h"

void expr_resolve(struct compile *c, struct slot *s);
/* Resolves a node and everything below it; errors are in c->err. */
void resolve_node(struct compile *c, struct node *n);
/* Finds the member named n->name, or fails with the nearest name. */
bool resolve_member_find(struct compile *c, struct node *n, struct ctype outer,
			 struct btf_found *found);

/* ---- names.c, builtin.c: NODE_NAME, NODE_BUILTIN ---- */

void resolve_name(struct compile *c, struct node *n);
void resolve_builtin(struct compile *c, struct node *n);
/* Replaces a name without a $ by the built-in value of that name. Returns false if there is none, or if the name may
 * mean something else. */
bool resolve_bare(struct compile *c, struct node *n);
/* Set the type of a field by the builtin: that of $lat, $ctx and $ret; format_builtin also that of $caller, $ip, $func. */
void format_ret(struct slot *s);
void format_builtin(struct compile *c, struct slot *s);

/* ---- types.c: types, constants and members by name ---- */

bool type_is_name(struct compile *c, struct span name); /* true for a typedef */
struct ctype resolve_type_name(struct compile *c, const struct type_name *t);
/* Returns the BTF id of an enum with that constant; 0: none. */
uint32_t enum_with_constant(struct compile *c, struct span name);
bool enum_constant_find(struct compile *c, struct span name, struct node *n);
void resolve_sizeof(struct compile *c, struct node *n);
void resolve_container(struct compile *c, struct node *n);
void resolve_arrow(struct compile *c, struct node *n);
void resolve_member(struct compile *c, struct node *n);
/* Fails with "`what` is a number or a pointer" if the node is neither: it cannot be kept. */
void resolve_kept_check(struct compile *c, const struct node *n, const char *what);

/* ---- operators.c ---- */

/* True if an lvalue is in the memory of a program. */
bool node_is_user(const struct compile *c, const struct node *n);
void resolve_unary(struct compile *c, struct node *n);
void resolve_binary(struct compile *c, struct node *n);
void resolve_logical(struct compile *c, struct node *n);
void resolve_choice(struct compile *c, struct node *n);
void resolve_cast(struct compile *c, struct node *n);

/* ---- params.c: parameters by name, and $argN ---- */

unsigned param_count(const struct compile *c);
const char *param_name(const struct compile *c, unsigned i);
bool param_is_showable(struct compile *c, unsigned i); /* without a format */
/* True for the word in an argument register of a function without a prototype. */
bool param_is_register(struct compile *c, unsigned i);
int param_find(struct compile *c, struct span span); /* -1: none */
/* The first parameter of a type (btf/param_type.h). -1: none, or the input lists parameters without types of BTF. */
int param_of_type(struct compile *c, const char *text);
void resolve_param(struct compile *c, struct node *n, unsigned i);
/* The size in bytes of an array in an event's record, whose value is its address; 0: not an
 * array. */
unsigned param_array_size(const struct compile *c, const struct node *n);
bool is_param(const struct node *n);
bool name_is_param(struct compile *c, struct span name);

/* ---- user_param.c ---- */

/* Called for a parameter that is a value, memory, or words. */
void resolve_user_param(struct compile *c, struct node *n, const struct expr_param *param);
/* Writes the name of a member of a parameter that is a struct in registers; "" if that cannot be read. Returns false if
 * there is none. */
bool param_member(struct compile *c, unsigned i, unsigned member, char *name, size_t size);
/* Called for a member: if it is of a struct in registers, replaces it by the value there. */
void resolve_param_member(struct compile *c, struct node *n);

/* ---- symbols.c: @name, percpu(EXPR) ---- */

/* Returns the BTF id of a per-CPU variable that a program can use; 0: none. */
uint32_t symbol_variable(const struct compile *c, const char *name);

/* True if the variable has no known type. It is a word then … */
bool symbol_is_untyped(const struct compile *c, const struct node *n);
/* … or an array of words: its address. */
struct node *symbol_words(struct compile *c, struct node *n);
/* Adds a hint to an error: how to give the variable a type. */
void symbol_hint(struct compile *c, const struct node *n);
void resolve_symbol(struct compile *c, struct node *n);

void resolve_percpu(struct compile *c, struct node *n);

/* ---- builtin_ctx.c: $ctx ---- */

/* Bits of the preempt count (include/linux/preempt.h). */
struct preempt_bits {
	uint32_t softirq; /* in a soft interrupt */
	uint32_t hardirq, nmi;
};

struct preempt_bits preempt_bits(const struct expr_target *t);
void resolve_context(struct compile *c, struct node *n);
void resolve_interrupt(struct compile *c, struct node *n); /* $irq */

/* ---- builtin_call.c: $ret, $lat and $depth ---- */

void resolve_ret(struct compile *c, struct node *n);
void resolve_lat(struct compile *c, struct node *n);
void resolve_depth(struct compile *c, struct node *n);
bool function_returns(struct compile *c); /* false: void */
bool ret_is_readable(
	struct compile *c); /* false: the result is a struct or a floating-point number */
/* For a program that marks calls: adds a slot for each value that they keep. */
void inside_add_slots(struct compile *c);
/* True if $ret and $lat are added by default to what has both a begin and an end. */
bool slots_at_return_wanted(const struct expr_input *in);

/* ---- func_name.c: $func == "vfs_read", $func ~ "vfs_*" ---- */

/* Replaces a comparison of $func with a text by one of numbers. Returns false for other nodes. */
bool resolve_func_name(struct compile *c, struct node *n);

/* ---- sock_text.c: sk:peer ~ "10.*" ---- */

/* EXPR:sock, :local, :peer before a comparison. */
void resolve_sock(struct compile *c, struct node *n);
/* Replaces a comparison of a socket's addresses with a text by comparisons of numbers. Returns
 * false for other nodes. */
bool resolve_sock_text(struct compile *c, struct node *n);

/* ---- text_value.c: strings of C++, Rust and Go (text_type.h) ---- */

/* Replaces a comparison of such a string with a text. Returns false for other nodes. */
bool resolve_text_type(struct compile *c, struct node *n);

/* ---- packet.c: pcap(EXPR, "FILTER") ---- */

void resolve_packet(struct compile *c, struct node *n);
/* Returns where the packet's bytes are; NULL: the type is no pointer to a packet, or there is no memory. */
/* True if the type is a pointer to a struct that holds a packet. */
bool packet_is(const struct compile *c, struct ctype t);
const struct packet_offsets *packet_offsets(struct compile *c, struct ctype t);

/* ---- loops.c: @sum, @count, @any over a range or a list ---- */

/* Fails unless the range of a loop, resolved before, is a number. */
void loop_check_range(struct compile *c, const struct node *n);
/* Resolves a loop, after its range and body. */
void loop_resolve(struct compile *c, struct node *n);
/* Fails and returns false if a list is not allowed here. */
bool list_is_allowed(struct compile *c, const struct node *n);
/* Resolves a list, after its head. */
void list_resolve(struct compile *c, struct node *n);

/* ---- pair.c: the sides of a pair ---- */

/* Hidden slots: two per key, and numbers that the end needs of the begin. */
enum { PAIR_KEPT_MAX = 32, PAIR_HIDDEN_MAX = 2 * EXPR_PAIR_KEYS + PAIR_KEPT_MAX };

/* An upper bound for the slots of the conditions. */
size_t pair_terms_most(const struct compile *c);
/* Adds the slots of condition `i`; of a pair, one for each operand of its outermost &&. */
void pair_add_condition(struct compile *c, size_t i);
/* Adds the slots of the keys, for both sides. */
void pair_add_keys(struct compile *c);
/* After the parser: assigns each slot to a side, and moves the begin's part of the end's slots to
 * hidden slots. */
void pair_split(struct compile *c);
/* A hidden slot: a number or a pointer, kept as 8 bytes. */
void pair_format(struct compile *c, struct slot *s);

/* ---- trigger.c: --begin-if, --stop-if ---- */

/* Adds the slots that the program decides, or those in the record. */
void triggers_add_slots(struct compile *c, bool in_record);
void trigger_format(struct compile *c, struct slot *s);

/* ---- expand.c: --depth, --diff ---- */

void expr_follow(struct compile *c, struct slot *s); /* adds slots for pointers */

void diffs_add_slots(struct compile *c);
/* adds the slots of both ends */
void expr_diff(struct compile *c, struct slot *s);

#endif
