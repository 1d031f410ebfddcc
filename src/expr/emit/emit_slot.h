/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_slot.h - a slot, in the fast and the exact way (codegen.c).
 */
#ifndef CORETAP_EXPR_EMIT_EMIT_SLOT_H
#define CORETAP_EXPR_EMIT_EMIT_SLOT_H

#include "expr/emit/emit_common.h"

void gen_new_labels(struct gen *g, size_t slot);
void gen_slot_fast(struct gen *g, const struct slot *s);
void gen_slot_exact(struct gen *g, const struct slot *s);

/* ---- emit_ir.c: the steps of a slot ---- */

/* Both compute the result into REG_VALUE … */
/* … and for STORE_COUNTED the length into REG_LENGTH. */
enum { REG_LENGTH = BPF_REG_2 };
void gen_steps_fast(struct gen *g, const struct slot *s);
void gen_steps_exact(struct gen *g, const struct slot *s);

/* ---- emit_load.c: sources and hops ---- */

/* gen_source loads a value that has no base; gen_hop_* follow REG_VALUE. `last`: no later step
 * notices a failed typed load. `kept`: another slot computed the base. */
void gen_source(struct gen *g, const struct vreg *v);
int gen_context_offset(const struct gen *g, const struct vreg *v); /* of an argument */
void gen_hop_fast(struct gen *g, const struct slot *s, const struct vreg *v, bool last, bool kept);
void gen_hop_exact(struct gen *g, const struct slot *s, const struct vreg *v, int link);
/* r0 = REG_VALUE + add, cast to a BTF type with bpf_rdonly_cast. */
void gen_cast(struct gen *g, int32_t add, int btf_id);
/* Calls a probe_read helper for kernel or user memory, depending on the address. Sets r1 … r3; r3
 * is from REG_VALUE. */
void gen_read_by_address(struct gen *g, enum string_space space, int kernel_helper, int user_helper,
			 const struct slot *s);

/* ---- emit_arith.c: operators ---- */

/* BITS, SCALAR and UNARY of REG_VALUE. BINARY of REG_VALUE and r1, or a constant that fits the
 * instruction. */
void gen_bits(struct gen *g, const struct vreg *v);
void gen_scalar(struct gen *g);
void gen_unary(struct gen *g, const struct vreg *v);
bool gen_accepts_constant(const struct vreg *v, const struct vreg *number);
void gen_binary(struct gen *g, const struct vreg *v, const int32_t *constant);
/* Jumps to `label` if the comparison of REG_VALUE with r1, or the constant, equals `if_true`. */
void gen_branch(struct gen *g, const struct vreg *v, const int32_t *constant, bool if_true,
		int label);

/* ---- emit_string.c: strings stored in slots ---- */

/* Copies the string at REG_VALUE to the slot. */
void gen_string_fast(struct gen *g, const struct slot *s);
void gen_string_exact(struct gen *g, const struct slot *s);
/* STORE_COUNTED in the exact way. labels->string enters it with the address in REG_VALUE and the
 * length in REG_LENGTH. */
void gen_counted(struct gen *g, const struct slot *s);
/* Copies the name of the current task to `to` in the record, with zeros after its NUL. */
void gen_key_comm(struct gen *g, int to);

/* ---- emit_strcmp.c: comparisons of strings ---- */

/* REG_VALUE = 1 if the string at REG_VALUE matches, else 0. */
void gen_match(struct gen *g, const struct slot *s, const struct vreg *v, int link, bool exact);

/* Matches the string at r1, `size` bytes with its NUL, with a table of util/glob.h. Jumps to `no`
 * if it does not match. */
void gen_glob(struct code *k, uint32_t table, uint32_t size, int no);

/* ---- emit_path_text.c: a path as a string, to compare or count by ---- */

/* REG_VALUE = the address, as a number, of the text of the path at REG_VALUE. */
void gen_path_text(struct gen *g, const struct slot *s, const struct vreg *v, int link, bool exact);

struct path_want {
	bool is_dentry;		/* REG_VALUE points to a dentry; false: to a struct path */
	int32_t room;		/* length of the text in bytes; 0: unlimited */
	unsigned number, count; /* index of this path, and number of paths of the program */
	int32_t raised;		/* bytes at the end of the stack that must not be used */
};
/* The same for a path that is not NULL. Jumps to `fail` if it cannot be read. Uses the stack below STACK_WORK +
 * raised. */
void gen_path_at(struct gen *g, const struct path_want *want, int fail);

/* ---- emit_path_walk.c: the walk from a dentry to the root ---- */

enum {
	NAME_ROOM = 256,  /* NAME_MAX and its NUL */
	WALK_ROUNDS = 64, /* names and mounts on the way: the verifier walks all of them */

	/* offsets in the lowest part of the stack */
	AT_PATH = -512,	  /* struct path: two pointers; later the number of an inode */
	AT_ROUND = -496,  /* number of the iteration */
	AT_ONE = -488,	  /* the parent of the dentry, or of the mount */
	AT_TWO = -480,	  /* the hash of the name and its length … */
	AT_LENGTH = -476, /* … in 4 bytes here; or the mount point */
	AT_NAME = -472,	  /* the address of the name */
	AT_MOUNT = -464,  /* the mount of the dentry; 0: unknown */
	AT_ROOT = -456,	  /* its root */
	AT_OWN = -448,	  /* the caller's own, from here up */
};

struct path_code {
	struct gen *g;
	struct code *k;
	const struct path_offsets *at;
	bool is_dentry; /* REG_VALUE points to a dentry; false: to a struct path */
	/* Adds the name at AT_NAME. Jumps to `cut` if there is no room, to `doubt` if it cannot be
	 * read. */
	void (*put)(struct path_code *w);
	const struct slot *s;
	int32_t limit;
	int32_t raised; /* its part of the stack starts this many bytes higher */
	/* Where the walk ends. `outside`: at a dentry without a parent that is not the root of its
	 * mount. */
	int doubt, end, cut, outside;
	int next, up;
};

/* Walks from REG_VALUE. Falls through to where the caller binds w->cut. */
void gen_walk(struct path_code *w);
/* Copies `size` bytes at register `base` + off to the stack; jumps to `doubt` if they cannot be
 * read. */
void gen_walk_read(struct path_code *w, int to, uint32_t size, int base, int off);
/* For the dentry at REG_VALUE: AT_PATH = the number of its inode, r3 = the name of its file system
 * type. */
void gen_walk_anonymous(struct path_code *w);

/* ---- emit_filtered.c: pcap( ) ---- */

/* REG_VALUE = 1 if the packet at REG_VALUE matches the filter, else 0. */
void gen_packet(struct gen *g, const struct slot *s, const struct vreg *v, int link, bool exact);

/* ---- emit_packet_copy.c: :packet ---- */

/* Stores the struct packet (packet/packet.h) of the packet at REG_VALUE in the slot. */
void gen_packet_copy(struct gen *g, const struct slot *s, bool exact);

/* ---- emit_flow.c: :flow ---- */

/* Stores the struct flow (output/field/flow.h) of the struct sk_buff at REG_VALUE in the slot. */
void gen_flow(struct gen *g, const struct slot *s, bool exact);

/* ---- emit_stack.c: the requested stacks ---- */

enum { USER_STACK_FLAG = 1 << 8 }; /* BPF_F_USER_STACK */

void gen_stacks(struct gen *g);
/* Stores the address of the probed function at base + at. */
void gen_stack_function(struct gen *g, int which, int base, uint32_t at);
/* Stores at most `size` bytes of frames at base + at. r0 = their bytes, or an error. Clobbers r0 … r5. */
void gen_stack_frames(struct gen *g, int which, int base, uint32_t at, uint32_t size);
/* Stores a struct event_user_copy at REG_RECORD + at. Clobbers r0 … r5 and REG_VALUE. */
void gen_user_copy(struct gen *g, uint32_t at);

/* ---- emit_stack_id.c: $kstack, $ustack ---- */

/* Memory for struct stack_id, struct event_stack and `size` bytes of frames. */
struct stack_room {
	int reg; /* none of r0 … r5 */
	int32_t off;
	uint32_t size;
	/* Bytes of frames that are printed, at most size - 8 * STACK_TRACING; 0: all. Stacks that print alike are one
	 * stack then. */
	uint32_t shown;
	bool user;
	/* a kprobe at a function's entry: the registers have its address, or one a few bytes after it */
	bool by_ip;
	uint32_t
		last; /* 1 + the offset of 8 bytes that only this program writes; 0: none. Not for users' stacks. */
};
enum { STACK_TRACING = 6 }; /* the most frames of a trampoline and its program */
/* Captures the stack to the room and stores it in EXPR_MAP_STACKS, under the key at the start of the room. Clobbers
 * r0 … r5. */
void gen_stack_store(struct gen *g, const struct stack_room *room);
/* Returns the number of that map, whose values have g->p->stacks.size bytes. */
uint32_t gen_stacks_map(struct gen *g);
/* STORE_STACK. Clobbers r0 … r5, REG_VALUE and, for a copy, REG_NAMES. */
void gen_stack_id(struct gen *g, const struct slot *s);

#endif
