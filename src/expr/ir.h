/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ir.h - the result of the plan stage: values, and the steps that compute them. Part two of
 * program.h.
 */
#ifndef CORETAP_EXPR_IR_H
#define CORETAP_EXPR_IR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "expr/ast.h"

enum vreg_op {
	VREG_ARG,     /* parameter `imm` */
	VREG_BUILTIN, /* `imm`: enum builtin_id */
	/* the return value; `imm`: its position in the arguments of fexit */
	VREG_RET,
	VREG_REG,     /* the register at `imm` in struct pt_regs */
	VREG_PERCPU,  /* the address of this CPU's copy of variable `imm` (BTF id) */
	VREG_FIELD,   /* `size` bytes at `imm` in the event's record (the context) */
	VREG_CONTEXT, /* the address of the context */
	VREG_NUMBER,  /* `imm` itself, or `fact` */
	VREG_KEPT,    /* what the entry stored in slot `imm` */
	VREG_INSIDE,  /* value `imm` of the enclosing call (emit_within.c) */
	VREG_LOAD,    /* `size` bytes at base + imm: 1, 2, 4 or 8 */
	VREG_BYTES,   /* any number of bytes, copied directly to the record */
	VREG_ADD,     /* base + imm; NULL stays NULL */
	VREG_BITS,    /* `width` bits of base from bit `imm` */
	VREG_SCALAR,  /* base as a number: not a pointer to the verifier */
	VREG_UNARY,   /* oper base */
	VREG_BINARY,  /* base oper other, of `width` bits, `sign` */
	VREG_MATCH,   /* 1 if the string at base matches `text`, else 0 */
	VREG_PACKET,  /* 1 if the packet at base matches `packet`, else 0 */
	VREG_PATH,    /* address of the path at base as text; `imm`: room, `sign`: is_dentry */
	VREG_PHI,     /* the value that its last IR_SET set; `imm` makes it unique */
};

/* How memory, or an argument, is read. */
enum load_mode {
	LOAD_DIRECT, /* a typed load; an argument: from ctx */
	LOAD_CAST,   /* bpf_rdonly_cast, then a typed load */
	LOAD_PROBE,  /* bpf_probe_read_kernel */
	LOAD_USER,   /* bpf_probe_read_user */
	LOAD_SAVED,  /* an argument that the entry saved for the return */
	LOAD_HELPER, /* an argument: bpf_get_func_arg; the return value: bpf_get_func_ret */
};

/* The text or pattern that a string is compared with. */
struct plan_text {
	const char *bytes; /* `len` bytes, then NULs up to a multiple of 8 */
	uint32_t len;
	bool open_end;	/* the string must only begin with it */
	bool is_glob;	/* a pattern, with a table */
	uint32_t table; /* the number of the map with the table */
};

/* The filter that a packet has to match. */
struct plan_packet {
	const struct packet_filter *filter;
	const struct packet_offsets *at;
};

/* A value that BPF code computes. Equal values exist once, so two expressions share the values of
 * their common prefix. */
struct vreg {
	enum vreg_op op;
	enum load_mode way;
	int base;  /* index of its base; -1: none */
	int other; /* BINARY: the second operand; else -1 */
	enum oper oper;
	const struct plan_text *text; /* MATCH */
	const struct plan_packet *packet;
	int64_t imm;
	enum expr_fact fact;
	uint32_t size;
	uint8_t width;
	bool sign;
	uint8_t program; /* that computes it: 0 for the entry or begin, 1 the return, 2 the end */
	/* LOAD, BYTES: the struct that the base points to, by the types of the expression */
	uint32_t within;
	int cast_id;	     /* LOAD_CAST: to this type … */
	bool cast_in_pieces; /* … CAST_BYTES at a time */
	/* … after adding this to the base; the load is then at imm - cast_add */
	int64_t cast_add;
	/* The struct that it points to, for the verifier; 0: a scalar. */
	uint32_t pointee;
	unsigned users; /* number of values and stores that use it */
	bool is_base;	/* it is the base of another value */
	/* index of its stack temp, for later slots; -1: not kept */
	int temp;
	/* index of the first slot that always computes it; NEVER: only branches do */
	size_t made_by;
};

static inline bool vreg_compares(const struct vreg *v)
{
	return v->op == VREG_BINARY && oper_compares(v->oper);
}
#define NEVER	     ((size_t)-1)
#define LABEL_REJECT (-1) /* in a filter: ends the program */

enum ir_kind {
	IR_VALUE,   /* computes `value` */
	IR_SET,	    /* VREG_PHI `value` = value `from` */
	IR_IF_ZERO, /* `value` is 0: go to `label` */
	IR_IF_NOT,  /* … is not 0 */
	IR_GOTO,
	IR_LABEL,
	IR_CUT, /* a loop reached its limit: a loss */
};

/* A step of a slot. */
struct ir_insn {
	enum ir_kind kind;
	int value;
	/* index of the link that it reads through; -1: reads nothing */
	int link;
	int label, from;
	int temp;	   /* index of its temp among the slot's own; -1: not kept */
	size_t used_until; /* the last step that reads it from there */
	bool hidden;	   /* in a branch that has ended: later steps cannot use it */
};

/* Set by lower: how a slot computes its value. */
struct slot_plan {
	struct ir_insn *steps; /* in order of execution */
	size_t step_count, step_room;
	int branches;	    /* nesting of branches, while the steps are added */
	const char **links; /* link_count texts, then NULL */
	size_t link_count;
	int sink_link;	 /* STORE_STRING, STORE_COUNTED: the link of the address */
	int length;	 /* STORE_COUNTED: the value that is the length; -1: none */
	int label_count; /* of IR_LABEL */
	int temps;	 /* number of its own stack temps, above the shared ones */
	int result;	 /* the value that is stored; -1: none */
};

struct plan {
	struct vreg *values;
	size_t value_count, value_room;
	int temps;	 /* number of shared stack temps */
	int number_temp; /* … the one of emit_task.c, if ids of a namespace are shown */
};

#endif
