/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * state.h - the state of emit for one program: places of values, results of earlier passes, loops, callbacks.
 *
 * Registers, from the first statement to the exit:
 *
 *  *	r0 … r5		values; every call clobbers r1 … r5
 *  *	r6		the context
 *  *	r7		scratch memory of this program, if it needs any
 *  *	r8		the record that is being filled
 *  *	r9		in callbacks: the end of the program's stack, so that callbacks and program share its bytes
 */
#ifndef CORETAP_SCRIPT_EMIT_STATE_H
#define CORETAP_SCRIPT_EMIT_STATE_H

#include "expr/emit/emit_common.h"
#include "script/inside.h"

enum {
	REG_WORK = BPF_REG_7,
	REG_OUT = BPF_REG_8,
	REG_FRAME = BPF_REG_9,
};

enum {
	ROUNDS_PLAIN = 64, /* the most rounds of a plain loop where bpf_loop exists */
	/* Offsets from the end of the stack. The code of expressions uses the bytes above (emit_common.h). */
	FRAME_NUMBERS = -32,   /* ids in a pid namespace */
	FRAME_CONTEXT = -40,   /* for callbacks: the context … */
	FRAME_WORK = -48,      /* … scratch memory … */
	FRAME_LEAVE = -56,     /* … and a flag, which they set to leave the program */
	FRAME_TRACED = -64,    /* 1: the task passes the filters */
	FRAME_USED = 64,       /* bytes in use; variables and temporaries are below */
	CALLBACK_STACK = 32,   /* bytes of a callback's own stack … */
	CALLBACK_ROUNDS = -32, /* … of which these hold the counts of rounds (loop.c) */
	/* most bytes of an image on the stack; larger ones are in scratch memory */
	SMALL = 64,
	STACK_MOST = 512,
	WORK_MOST = 30000, /* a per-CPU value has at most 32 KiB */
	CALLBACKS_MAX = 16,
	VARS_MAX = 256,
	TABLES_MAX = 16, /* most tables of patterns */
	WALKS_MAX = SCRIPT_WALKS_MAX,
};

/* Bytes of memory that the verifier knows. */
struct place {
	enum { AT_STACK, AT_WORK, AT_RECORD } where;
	int32_t off;
};
/* True for a part of a tuple. */
static inline bool is_part(const struct script_expr *e)
{
	return e->kind == X_PART ||
	       ((e->kind == X_FIELD || e->kind == X_INDEX) && e->a->type.kind == SCRIPT_TUPLE);
}
static inline struct place place_plus(struct place at, int32_t off)
{
	at.off += off;
	return at;
}

/* Facts that a pass finds, known to the next pass from its start. */
struct needs_of_program {
	bool work, callbacks, numbers, traced;
	bool early;	/* the condition needs neither memory nor variables: it comes before them */
	unsigned walks; /* walk.c: places where it goes on … */
	uint32_t walk_key; /* … and bytes of the largest key */
	unsigned paths;	   /* path() */
	bool packets; /* pcap(), packet(): the lowest part of the stack is theirs, as it is of path() */
	unsigned stacks; /* kstack */
	uint32_t work_size;
};

struct sgen;

struct loop_gen {
	int again, end;	  /* labels of the next round and the end … */
	bool is_callback; /* … or, in a callback, return 0 and 1 */
	bool is_unroll;
	struct loop_gen *outer;
};

/* A function that is emitted after the program. */
struct callback {
	int label;
	void (*body)(struct sgen *g, void *arg);
	void *arg;
	unsigned depth;
	uint32_t used, work_used;
};

/*
 * Emitters of one tree call each other across files, as the grammar does. They do so through this table, so that
 * otherwise each file depends only on simpler ones.
 */
struct walk {
	void (*value)(struct sgen *g, struct script_expr *e);
	void (*number)(struct sgen *g, struct script_expr *e);
	void (*operands)(struct sgen *g, struct script_expr *a, struct script_expr *b);
	void (*discard)(struct sgen *g, struct script_expr *e);
	void (*branch)(struct sgen *g, struct script_expr *e, bool if_true, int label);
	void (*image)(struct sgen *g, struct script_expr *e, const struct script_type *want,
		      struct place to, bool is_key);
	struct place (*locate)(struct sgen *g, struct script_expr *e);
	void (*stmts)(struct sgen *g, struct script_stmt *first);
	void (*action)(struct sgen *g, struct script_action *a);
};

struct sgen {
	const struct walk *walk;
	struct script_state *c;
	const struct script_probe *probe;
	const struct expr_input *in;
	const struct expr_target *target;
	struct expr_program *p;
	struct code *k;
	struct gen x; /* for code that both compilers share … */
	struct compile xc;
	struct expr_error xe;
	struct needs_of_program known, needs;
	int frame;	/* register that holds the end of the program's stack */
	unsigned depth; /* nesting of callbacks */
	uint32_t used, most, work_used;
	struct place vars[VARS_MAX];
	unsigned var_count;
	struct loop_gen *loop;
	struct { /* a map's number that is already loaded (map_hold_gen) */
		const struct script_expr *of;
		struct place at;
	} held;
	struct place result; /* of a test: its return value */
	bool counts_rounds;  /* in a callback, inside a loop */
	bool has_record;     /* REG_OUT holds a record */
	bool is_reading;     /* on the left side of ??: a failed read jumps to `unread` */
	int unread;
	struct callback callbacks[CALLBACKS_MAX];
	unsigned callback_count, path_count, stack_count;
	int walk_labels[WALKS_MAX + 1]; /* index from 1 */
	struct table_of_pattern {
		const struct script_expr *of;
		const void *table;
	} tables[TABLES_MAX];
	unsigned table_count;
	uint32_t blank, blank_map; /* bytes of the map of zeros; its number */
	bool claims;		   /* scratch memory is claimed */
	struct span span;	   /* of the statement, for errors without a more exact location */
	struct span at;		   /* of the innermost expression, for failed reads */
	bool reports_missing;	   /* entry_gen reports a key that it adds */
};

/* Location of a value: in memory at r0 + off, in a place, or in the context. */
struct source {
	enum { FROM_MEMORY, FROM_PLACE, FROM_CONTEXT } kind;
	int64_t off;
	struct place place;
	bool is_user;
	bool is_typed;	 /* r0 is a pointer to struct `within` that the verifier knows */
	bool is_checked; /* … and knows not to be NULL */
	uint32_t within;
};

/* State of the left side of ??, which the right side follows. A typed load gives 0 if the address is invalid, so
 * reads use helpers. */
struct unread {
	bool was;
	int unread;
};

/* Memory allocated until frame_drop; rounded up to words. */
struct mark {
	uint32_t used, work_used;
};

#endif
