/* SPDX-License-Identifier: GPL-2.0 */
/*
 * step.h - what plan makes of the nodes: values, and the steps that compute them. compiler.h's second
 * part.
 */
#ifndef CORETAP_EXPR_STEP_H
#define CORETAP_EXPR_STEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "expr/node.h"

enum plan_op {
	PLAN_ARG,     /* parameter `imm` */
	PLAN_BUILTIN, /* `imm`: enum builtin_id */
	PLAN_RET,     /* what the function returned; `imm`: where in the arguments fexit has it */
	PLAN_REG,     /* the register at `imm` in struct pt_regs */
	PLAN_PERCPU,  /* address of this CPU's copy of variable `imm` (BTF id) */
	PLAN_FIELD,   /* `size` bytes of the event's record at `imm`: the context */
	PLAN_CONTEXT, /* its address */
	PLAN_NUMBER,  /* `imm` itself */
	PLAN_KEPT,    /* what the entry put into slot `imm` */
	PLAN_LOAD,    /* `size` bytes at base + imm: 1, 2, 4 or 8 */
	PLAN_BYTES,   /* any number of them, right into the record */
	PLAN_ADD,     /* base + imm; NULL stays NULL */
	PLAN_BITS,    /* `width` bits of base from bit `imm` */
	PLAN_SCALAR,  /* base, which the verifier must not take for a pointer any more */
	PLAN_UNARY,   /* oper base */
	PLAN_BINARY,  /* base oper other, of `width` bits, `sign` */
	PLAN_MATCH,   /* is the string at base `text`? */
	PLAN_PHI,     /* what the last STEP_SET of it set; `imm` tells it from others */
};

/* How memory behind a pointer, or an argument, is read. */
enum plan_way {
	WAY_DIRECT, /* a typed load; an argument: from ctx */
	WAY_CAST,   /* bpf_rdonly_cast, then a typed load */
	WAY_PROBE,  /* bpf_probe_read_kernel */
	WAY_USER,   /* bpf_probe_read_user */
	WAY_SAVED,  /* an argument: the entry saved it for the return */
	WAY_HELPER, /* an argument: bpf_get_func_arg; what was returned: bpf_get_func_ret */
};

/* What a string is compared with. */
struct plan_text {
	const char *bytes; /* `len` of them, then NULs up to 8 */
	uint32_t len;
	bool open_end; /* it only begins with that */
	bool is_glob;  /* a table instead */
	int table_fd;
};

/* A value that BPF code computes. Equal values are made once, so a common prefix of two
 * expressions is one chain of values. */
struct plan_value {
	enum plan_op op;
	enum plan_way way;
	int base;  /* index of the value it is made from; -1: none */
	int other; /* BINARY: the second one; else -1 */
	enum oper oper;
	const struct plan_text *text; /* MATCH */
	int64_t imm;
	uint32_t size;
	uint8_t width;
	bool sign;
	bool at_return; /* another program computes it */
	uint32_t
		within; /* LOAD, BYTES: struct that the base points at, by the expression's types */
	int cast_id;    /* WAY_CAST: to this type … */
	bool cast_in_pieces; /* … CAST_BYTES at a time */
	int64_t cast_add; /* … after this was added to the base; the load is at imm - cast_add */
	uint32_t pointee; /* the struct it points at as the verifier knows it; 0: a scalar to it */
	unsigned users;   /* values and sinks made from it */
	bool is_base;     /* of a value */
	int temp;         /* kept at this place of the stack for later slots; -1: not kept */
	size_t made_by;   /* number of the slot that computes it first, whatever happens in it; NEVER:
	                   * only where a branch is taken */
};
#define NEVER ((size_t)-1)
#define LABEL_REJECT (-1) /* of a filter: the end of the program */

enum step_kind {
	STEP_VALUE,   /* computes `value` */
	STEP_SET,     /* PLAN_PHI `value` = value `from` */
	STEP_IF_ZERO, /* `value` is 0: go to `label` */
	STEP_IF_NOT,  /* … is not 0 */
	STEP_GOTO,
	STEP_LABEL,
};

/* What a slot does, one after the other. */
struct plan_step {
	enum step_kind kind;
	int value;
	int link;  /* index in the slot's links of the pointer it reads behind; -1: reads nothing */
	int label, from;
	int temp;  /* the value waits in this place of the slot's own; -1: it need not */
	bool hidden; /* in a branch that is over: later steps cannot count on it */
};

struct plan {
	struct plan_value *values;
	size_t value_count, value_room;
	int temps; /* places on the stack */
};

#endif
