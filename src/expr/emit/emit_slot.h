/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_slot.h - a slot, in the fast and the exact way.
 */
#ifndef CORETAP_EXPR_EMIT_EMIT_SLOT_H
#define CORETAP_EXPR_EMIT_EMIT_SLOT_H

#include "expr/emit/emit_common.h"

void gen_new_labels(struct gen *g, size_t slot);
void gen_slot_fast(struct gen *g, const struct slot *s);
void gen_slot_exact(struct gen *g, const struct slot *s);

/* ---- emit_ir.c: the steps of a slot ---- */

/* Both leave the result in REG_VALUE. */
/* STORE_COUNTED: after its steps the length is here. */
enum { REG_LENGTH = BPF_REG_2 };
void gen_steps_fast(struct gen *g, const struct slot *s);
void gen_steps_exact(struct gen *g, const struct slot *s);

/* ---- emit_load.c: sources and hops ---- */

/* A value that is not made from another; a hop from REG_VALUE. `last`: no later step would notice
 * that a typed load failed. `kept`: another slot made its base. */
void gen_source(struct gen *g, const struct vreg *v);
int gen_context_offset(const struct gen *g, const struct vreg *v); /* of an argument */
void gen_hop_fast(struct gen *g, const struct slot *s, const struct vreg *v, bool last, bool kept);
void gen_hop_exact(struct gen *g, const struct slot *s, const struct vreg *v, int link);
/* r0 = REG_VALUE + add, cast to a BTF type with bpf_rdonly_cast. */
void gen_cast(struct gen *g, int32_t add, int btf_id);
/* A probe_read for kernel or user memory, depending on the address: r1 … r3 are set, r3 is from
 * REG_VALUE. */
void gen_read_by_address(struct gen *g, enum string_space space, int kernel_helper, int user_helper,
			 const struct slot *s);

/* ---- emit_arith.c: operators ---- */

/* BITS, SCALAR and UNARY of REG_VALUE; BINARY of REG_VALUE and r1, or a constant that fits the
 * instruction. */
void gen_bits(struct gen *g, const struct vreg *v);
void gen_scalar(struct gen *g);
void gen_unary(struct gen *g, const struct vreg *v);
bool gen_accepts_constant(const struct vreg *v, const struct vreg *number);
void gen_binary(struct gen *g, const struct vreg *v, const int32_t *constant);
static inline bool is_comparison(const struct vreg *v)
{
	return v->op == VREG_BINARY && v->oper >= OPER_LT && v->oper <= OPER_NE;
}
/* Jumps to `label` if the comparison of REG_VALUE with r1 (or the constant) is true, or if it is
 * false. */
void gen_branch(struct gen *g, const struct vreg *v, const int32_t *constant, bool if_true,
		int label);

/* ---- emit_string.c: strings stored in slots ---- */

/* Copies the string at REG_VALUE to the slot. */
void gen_string_fast(struct gen *g, const struct slot *s);
void gen_string_exact(struct gen *g, const struct slot *s);
/* STORE_COUNTED, as gen_string_exact; labels->string: with the address in REG_VALUE, the length in
 * REG_LENGTH. */
void gen_counted(struct gen *g, const struct slot *s);
/* r2 = the high bits of the zero bytes of r1 (at least of the first one); r4 and r5 hold the
 * constants, r3 is clobbered. If r2 is not 0, gen_end_word clears r1 from its first zero byte
 * on. */
#define STRING_LOW_BITS	 0x0101010101010101ull
#define STRING_HIGH_BITS 0x8080808080808080ull
/* Copies the name of the running task to `to` in the record, with zeros after its NUL. */
void gen_key_comm(struct gen *g, int to);

/* ---- emit_strcmp.c: comparisons of strings ---- */

/* REG_VALUE = does the string at REG_VALUE match? */
void gen_match(struct gen *g, const struct slot *s, const struct vreg *v, int link, bool exact);

/* Matches the string at r1, `size` bytes including its NUL, with a table of util/glob.h; jumps to
 * `no` if it does not match. */
void gen_glob(struct code *k, uint32_t table, uint32_t size, int no);

/* ---- emit_path_text.c: the path as a string, to be compared or counted by ---- */

/* REG_VALUE = the address, as a number, of the text of the path that is at REG_VALUE. */
void gen_path_text(struct gen *g, const struct slot *s, const struct vreg *v, int link, bool exact);

/* ---- emit_path_walk.c: the walk from a dentry to the root, whatever becomes of the names ---- */

enum {
	NAME_ROOM = 256,  /* NAME_MAX and its NUL */
	WALK_ROUNDS = 64, /* names and mounts to pass: the verifier walks all of them */

	/* the lowest part of the stack */
	AT_PATH = -512,	  /* struct path: two pointers; then the number of an inode */
	AT_ROUND = -496,  /* number of the iteration */
	AT_ONE = -488,	  /* the parent of the dentry, or of the mount */
	AT_TWO = -480,	  /* the hash of the name, and its length, which is */
	AT_LENGTH = -476, /* here: 4 bytes; or the mount point */
	AT_NAME = -472,	  /* the name's address */
	AT_MOUNT = -464,  /* the mount of the dentry; 0: unknown */
	AT_ROOT = -456,	  /* its root */
	AT_OWN = -448,	  /* from here on: of the caller */
};

struct path_code {
	struct gen *g;
	struct code *k;
	const struct path_offsets *at;
	bool is_dentry; /* REG_VALUE points to a dentry, else to a struct path */
	/* Takes the name at AT_NAME; jumps to `cut` if it has no room, to `doubt` if it cannot be read. */
	void (*put)(struct path_code *w);
	const struct slot *s;
	int32_t limit;
	/* where the walk ends: `outside`, at a dentry that is not the root of its mount, but has no
	 * parent */
	int doubt, end, cut, outside;
	int next, up;
};

/* From REG_VALUE; falls through to where w->cut is to be placed. */
void gen_walk(struct path_code *w);
/* `size` bytes at register `base` + off, to the stack; jumps to `doubt` if they cannot be read. */
void gen_walk_read(struct path_code *w, int to, uint32_t size, int base, int off);
/* Of the dentry at REG_VALUE: its inode's number to AT_PATH, the name of its file system's type to r3. */
void gen_walk_anonymous(struct path_code *w);

/* ---- emit_flow.c: :flow, a packet's addresses and ports from its headers ---- */

/* The struct sk_buff at REG_VALUE → struct flow (output/field/flow.h) in the slot. */
void gen_flow(struct gen *g, const struct slot *s, bool exact);

/* ---- emit_stack.c: the requested stacks ---- */

enum { USER_STACK_FLAG = 1 << 8 }; /* BPF_F_USER_STACK */

void gen_stacks(struct gen *g);
/* STORE_STACK. Clobbers r0 … r5 and REG_VALUE. */
void gen_stack_id(struct gen *g, const struct slot *s);

#endif
