/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ir.h - result of the plan stage: values, and the steps that compute them. Part two of program.h.
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
	/* the function's return value; `imm`: its position in the arguments of fexit */
	VREG_RET,
	VREG_REG,     /* the register at `imm` in struct pt_regs */
	VREG_PERCPU,  /* address of this CPU's copy of variable `imm` (BTF id) */
	VREG_FIELD,   /* `size` bytes at `imm` in the event's record, which is the context */
	VREG_CONTEXT, /* the address of the context */
	VREG_NUMBER,  /* `imm` itself, or `fact` */
	VREG_KEPT,    /* what the entry stored in slot `imm` */
	VREG_INSIDE,  /* value `imm` of the call around (emit_within.c) */
	VREG_LOAD,    /* `size` bytes at base + imm: 1, 2, 4 or 8 */
	VREG_BYTES,   /* any number of bytes, copied directly into the record */
	VREG_ADD,     /* base + imm; NULL stays NULL */
	VREG_BITS,    /* `width` bits of base from bit `imm` */
	VREG_SCALAR,  /* base as a number: the verifier must no longer see a pointer */
	VREG_UNARY,   /* oper base */
	VREG_BINARY,  /* base oper other, of `width` bits, `sign` */
	VREG_MATCH,   /* does the string at base match `text`? */
	VREG_PATH,    /* address of the text of the path at base; `imm`, `sign`: room, is_dentry */
	VREG_PHI,     /* the value that its last IR_SET set; `imm` makes it unique */
};

/* How memory behind a pointer, or an argument, is read. */
enum load_mode {
	LOAD_DIRECT, /* a typed load; an argument: from ctx */
	LOAD_CAST,   /* bpf_rdonly_cast, then a typed load */
	LOAD_PROBE,  /* bpf_probe_read_kernel */
	LOAD_USER,   /* bpf_probe_read_user */
	LOAD_SAVED,  /* an argument: saved by the entry for the return */
	LOAD_HELPER, /* an argument: bpf_get_func_arg; the return value: bpf_get_func_ret */
};

/* The text or pattern that a string is compared with. */
struct plan_text {
	const char *bytes; /* `len` bytes, then NULs up to a multiple of 8 */
	uint32_t len;
	bool open_end;	/* the string only has to begin with it */
	bool is_glob;	/* a pattern, with a table */
	uint32_t table; /* the program's map with the table */
};

/* A value that BPF code computes. Equal values are made once, so two expressions share the chain of
 * values of their common prefix. */
struct vreg {
	enum vreg_op op;
	enum load_mode way;
	int base;  /* index of the value that it is made from; -1: none */
	int other; /* BINARY: the second operand; else -1 */
	enum oper oper;
	const struct plan_text *text; /* MATCH */
	int64_t imm;
	enum expr_fact fact;
	uint32_t size;
	uint8_t width;
	bool sign;
	uint8_t program; /* that computes it: 0 of the entry or begin, 1 the return, 2 the end */
	/* LOAD, BYTES: the struct that the base points to, according to the expression's types */
	uint32_t within;
	int cast_id;	     /* LOAD_CAST: to this type … */
	bool cast_in_pieces; /* … CAST_BYTES at a time */
	/* … after this was added to the base; the load is then at imm - cast_add */
	int64_t cast_add;
	/* the struct that it points to, as the verifier sees it; 0: the verifier sees a scalar */
	uint32_t pointee;
	unsigned users; /* number of values and stores made from it */
	bool is_base;	/* a value is made from it */
	/* the place on the stack where it is kept for later slots; -1: not kept */
	int temp;
	/* index of the first slot that always computes it; NEVER: only branches compute it */
	size_t made_by;
};
#define NEVER	     ((size_t)-1)
#define LABEL_REJECT (-1) /* in a filter: the end of the program */

enum ir_kind {
	IR_VALUE,   /* computes `value` */
	IR_SET,	    /* VREG_PHI `value` = value `from` */
	IR_IF_ZERO, /* `value` is 0: go to `label` */
	IR_IF_NOT,  /* … is not 0 */
	IR_GOTO,
	IR_LABEL,
	IR_CUT, /* a loop ends before its time: a loss */
};

/* The steps of a slot, in order. */
struct ir_insn {
	enum ir_kind kind;
	int value;
	/* index in the slot's links of the pointer that it reads through; -1: reads nothing */
	int link;
	int label, from;
	int temp;    /* the value is kept in this place of the slot's own; -1: not kept */
	bool hidden; /* in a branch that has ended: later steps cannot rely on it */
};

struct plan {
	struct vreg *values;
	size_t value_count, value_room;
	int temps;	 /* places on the stack */
	int number_temp; /* … the one used by emit_pid.c, if a namespace's numbers are shown */
};

#endif
