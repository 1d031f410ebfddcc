/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * gen.h - the state of emit, and what its files offer each other.
 *
 *	program.c	the beginning and the end; callbacks; passes
 *	frame.c		the stack, scratch memory and places in them
 *	value.c		scalars: each expression leaves its value in r0
 *	arith.c		operators, conditions
 *	memory.c	memory of the kernel and of programs
 *	param.c		parameters, the result, registers; inner.c: those of USDT probes
 *	image.c		values with bytes: strings, tuples, structs
 *	text.c		strings: reads, comparisons, functions
 *	map.c		keys, lookups, assignments
 *	count.c		aggregates
 *	stmt.c, loop.c	statements
 *	action.c	records for user space
 *	stack.c		kstack, ustack
 *	search.c, net.c	functions for strings, for networks
 *	func*.c		builtins and functions
 *
 * Registers, from the first statement to the exit:
 *
 *	r0 … r5		values; every call clobbers r1 … r5
 *	r6		the context
 *	r7		scratch memory of this program, if it needs any
 *	r8		the record that is being filled
 *	r9		in callbacks: the end of the program's stack, so that both find the same bytes
 */
#ifndef CORETAP_SCRIPT_EMIT_GEN_H
#define CORETAP_SCRIPT_EMIT_GEN_H

#include "expr/emit/emit_common.h"
#include "script/inside.h"

enum {
	REG_WORK = BPF_REG_7,
	REG_OUT = BPF_REG_8,
	REG_FRAME = BPF_REG_9,
};

enum {
	/* Offsets from the end of the stack. Above: what the code of expressions uses (emit_common.h). */
	FRAME_NUMBERS = -32,  /* ids in a pid namespace */
	FRAME_CONTEXT = -40,  /* for callbacks … */
	FRAME_WORK = -48,     /* … */
	FRAME_LEAVE = -56,    /* … which set it to leave the program */
	FRAME_USED = 56,      /* bytes; from here down: variables and temporaries */
	CALLBACK_STACK = 32,  /* bytes of a callback's own stack */
	SMALL = 64,	      /* larger images are in scratch memory */
	STACK_MOST = 512,
	WORK_MOST = 30000,    /* a per-CPU value has at most 32 KiB */
	CALLBACKS_MAX = 16,
	VARS_MAX = 256,
	TABLES_MAX = 16, /* of patterns */
};

/* Bytes that the verifier knows. */
struct place {
	enum { AT_STACK, AT_WORK, AT_RECORD } where;
	int32_t off;
};
static inline struct place place_plus(struct place at, int32_t off)
{
	at.off += off;
	return at;
}

/* What the first pass finds, and the next one knows from its start. */
struct needs_of_program {
	bool work, callbacks, numbers;
	unsigned paths; /* path() */
	uint32_t work_size;
};

struct sgen;

struct loop_gen {
	int again, end;	  /* labels … */
	bool is_callback; /* … or return 0 and 1 */
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

struct sgen {
	struct script_state *c;
	const struct script_probe *probe;
	const struct expr_input *in;
	const struct expr_target *target;
	struct expr_program *p;
	struct code *k;
	struct gen x; /* for what both compilers share … */
	struct compile xc;
	struct expr_error xe;
	struct needs_of_program known, needs;
	int frame; /* the register with the end of the program's stack */
	unsigned depth; /* of callbacks */
	uint32_t used, most, work_used;
	struct place vars[VARS_MAX];
	unsigned var_count;
	struct loop_gen *loop;
	bool has_record; /* REG_OUT holds a record */
	struct callback callbacks[CALLBACKS_MAX];
	unsigned callback_count, path_count;
	struct table_of_pattern {
		const struct script_expr *of;
		const void *table;
	} tables[TABLES_MAX];
	unsigned table_count;
	uint32_t blank, blank_map; /* bytes of the map of zeros; its number */
	bool claims;	/* scratch memory is claimed */
	struct span span; /* of the statement, for errors that have no better place */
};

/* ---- program.c ---- */

/* Adds a function that is emitted later; returns its label. */
int callback_add(struct sgen *g, void (*body)(struct sgen *g, void *arg), void *arg);
/* Leaves the program, also from a callback. */
void leave_gen(struct sgen *g);
/* Sets r0 to the address of a callback's code, for r2 of helpers. */
void callback_address(struct sgen *g, int dst, int label);
void loss_gen(struct sgen *g, enum loss loss);

/* ---- frame.c ---- */

int place_reg(const struct sgen *g, struct place at);
/* dst = its address */
void place_address(struct sgen *g, int dst, struct place at);
/* Memory until frame_drop; rounded up to words. */
struct mark {
	uint32_t used, work_used;
};
struct mark frame_mark(const struct sgen *g);
void frame_drop(struct sgen *g, struct mark m);
struct place place_take(struct sgen *g, uint32_t size);
struct place place_take_small(struct sgen *g, uint32_t size); /* on the stack */
struct place place_take_work(struct sgen *g, uint32_t size);  /* in scratch memory */
void place_store(struct sgen *g, uint32_t size, struct place at, int src);
void place_load(struct sgen *g, uint32_t size, int dst, struct place at);
void place_store_imm(struct sgen *g, uint32_t size, struct place at, int32_t imm);
void place_zero(struct sgen *g, struct place at, uint32_t size);
/* Copies between two places. */
void place_copy(struct sgen *g, struct place to, struct place from, uint32_t size);
/* Copies from memory that the verifier knows, at register `from`. */
void place_fill(struct sgen *g, struct place to, int from, int32_t off, uint32_t size);
/* Keeps the register's value. */
struct place spill(struct sgen *g, int reg);
struct place var_place(struct sgen *g, struct script_var *v);

/* ---- value.c ---- */

/* r0 = the value, with 64 bits. Clobbers r1 … r5. */
void value_gen(struct sgen *g, struct script_expr *e);
/* The same as a number: the verifier does not take it for a pointer. */
void number_gen(struct sgen *g, struct script_expr *e);
void discard_gen(struct sgen *g, struct script_expr *e); /* only what it does */
void extend_gen(struct sgen *g, int reg, uint32_t size, bool is_signed);
void scalar_load(struct sgen *g, int dst, int base, int off, const struct script_type *t);
bool is_simple(const struct script_expr *e);
/* dst = the value of a simple expression; keeps all other registers. */
void simple_gen(struct sgen *g, int dst, struct script_expr *e);
/* r0 = a, r1 = b, as numbers */
void operands_gen(struct sgen *g, struct script_expr *a, struct script_expr *b);
bool fits_imm(const struct script_expr *e);

/* ---- arith.c ---- */

void unary_gen(struct sgen *g, struct script_expr *e);
void binary_gen(struct sgen *g, struct script_expr *e);
/* r0 = r0 oper r1, of that type */
void oper_gen(struct sgen *g, enum oper oper, const struct script_type *t);
/* Jumps to the label if the condition is (not) true. */
void branch_gen(struct sgen *g, struct script_expr *e, bool if_true, int label);
bool constant_truth(const struct script_expr *e);
/* r0 = 0 or 1, of the condition */
void truth_gen(struct sgen *g, struct script_expr *e);
uint32_t pointee_size(struct sgen *g, const struct script_type *t);

/* ---- memory.c ---- */

/* Where a value is: at r0 + off in memory, or in a place, or in the context. */
struct source {
	enum { FROM_MEMORY, FROM_PLACE, FROM_CONTEXT } kind;
	int64_t off;
	struct place place;
	bool is_user;
	bool is_typed; /* r0 is a pointer that the verifier knows, to struct `within` */
	bool is_checked; /* … which is not NULL to the verifier */
	uint32_t within;
};
void source_gen(struct sgen *g, struct script_expr *e, struct source *at);
void memory_value_gen(struct sgen *g, struct script_expr *e);
void null_check(struct sgen *g, int null);
/* r0 = the address as a number */
void address_gen(struct sgen *g, struct source *at);
void memory_image_gen(struct sgen *g, struct script_expr *e, const struct script_type *want,
		      struct place to, bool is_key);
/* Reads from the address in r3, `size` bytes or, if that is 0, r2. Clobbers r0 … r5. r0 = 0, or an error. */
void read_gen(struct sgen *g, struct place to, uint32_t size, bool is_user);

/* True if the verifier takes the value of e for a pointer; *pointee is the struct if it knows that it may be read. */
bool pointer_known(struct sgen *g, const struct script_expr *e, uint32_t *pointee);

/* ---- param.c ---- */

/* The register with the context: in callbacks it is loaded into dst. */
int context_reg(struct sgen *g, int dst);
bool param_is_known(struct sgen *g, const struct script_expr *e, uint32_t *pointee);
/* inner.c: EXPR_PARAM_INNER, an expression of argdump */
void inner_gen(struct sgen *g, struct script_expr *e, const struct expr_param *p);
void param_gen(struct sgen *g, struct script_expr *e);
/* True if the parameter is memory of the context. */
bool param_source_gen(struct sgen *g, struct script_expr *e, struct source *at);
void arg_gen(struct sgen *g, struct script_expr *e);
void sarg_gen(struct sgen *g, struct script_expr *e);
void retval_gen(struct sgen *g, struct script_expr *e);
void reg_gen(struct sgen *g, struct script_expr *e);

/* ---- image.c ---- */

/* Writes the image of e, as `want`. What is behind the NUL of a string is 0 if `is_key`. */
void image_gen(struct sgen *g, struct script_expr *e, const struct script_type *want,
	       struct place to, bool is_key);
/* Where the image of e is: its own place, or a temporary one that is filled. */
struct place image_place(struct sgen *g, struct script_expr *e);
void image_convert(struct sgen *g, const struct script_type *want, struct place to,
		   const struct script_type *have, struct place from, bool is_key);
bool is_part(const struct script_expr *e); /* of a tuple */
struct script_expr *block_gen(struct sgen *g, struct script_expr *e); /* its value */

/* ---- text.c ---- */

void text_literal(struct sgen *g, const struct script_expr *e, uint32_t size, struct place to,
		  bool is_key);
/* Copies a string with room `have` to room `want`. */
void text_copy(struct sgen *g, struct place to, uint32_t want, struct place from, uint32_t have,
	       bool is_key);
/* Reads the string at the address in r3 */
void text_read(struct sgen *g, struct place to, uint32_t size, bool is_user, bool is_key);
/* Jumps to `other` unless both strings are equal, up to the NUL or `size` bytes. */
void places_compare(struct sgen *g, struct place a, struct place b, uint32_t size, int other);
void text_branch(struct sgen *g, struct script_expr *a, struct script_expr *b, bool if_equal,
		 int label);
void bytes_branch(struct sgen *g, struct script_expr *a, struct script_expr *b, bool if_equal,
		  int label);
/* `probe` or `func` against a literal: jumps to `other` unless equal. */
void point_compare(struct sgen *g, struct script_expr *a, struct script_expr *b, int other);
void str_gen(struct sgen *g, struct script_expr *e, const struct script_type *want,
	     struct place to, bool is_key);
void buf_gen(struct sgen *g, struct script_expr *e, const struct script_type *want,
	     struct place to, bool is_key);

/* ---- map.c ---- */

uint32_t map_number(struct sgen *g, const struct script_map *map);
bool map_is_array(const struct script_map *map);
bool map_is_per_cpu(const struct script_map *map);
uint32_t map_value_size(const struct script_map *map);
uint32_t map_entry_size(const struct script_map *map); /* with the word that says whether there is a value */
/* Writes the key; of a map without keys the number 0. */
struct place key_gen(struct sgen *g, const struct script_map *map, struct script_expr **items,
		     size_t count);
/* r0 = the value of the key, or NULL */
void lookup_gen(struct sgen *g, const struct script_map *map, struct place key);
/* The same; adds zeros if the key is not there. Jumps to `lost` if it cannot be added. */
void entry_gen(struct sgen *g, const struct script_map *map, struct place key, int lost);
/* Binds `lost` and counts. */
void lost_gen(struct sgen *g, int lost);
void map_value_gen(struct sgen *g, struct script_expr *e);
void map_image_gen(struct sgen *g, struct script_expr *e, const struct script_type *want,
		   struct place to, bool is_key);
void map_set(struct sgen *g, struct script_expr *target, struct script_expr *value);
void map_change(struct sgen *g, struct script_expr *target, enum oper oper,
		   struct script_expr *value);
void map_step(struct sgen *g, struct script_expr *e);
void has_key_gen(struct sgen *g, struct script_expr *e);
void delete_gen(struct sgen *g, struct script_expr *e);
void find_gen(struct sgen *g, struct script_expr *e);
void map_len_gen(struct sgen *g, const struct script_map *map);

/* ---- count.c ---- */

bool is_counter(const struct script_expr *e); /* a call of count() … tseries() */
void count_assign(struct sgen *g, struct script_expr *target, struct script_expr *call);
/* r0 = the sum over all processors */
void count_number_gen(struct sgen *g, const struct script_map *map, struct place key,
		      struct span where);

/* The values of all processors become 0. */
void count_reset_gen(struct sgen *g, const struct script_map *map, struct place key,
		     struct span where);

/* ---- stmt.c, loop.c ---- */

void stmts_gen(struct sgen *g, struct script_stmt *first);
void stmt_while(struct sgen *g, struct script_stmt *s);
void stmt_for_range(struct sgen *g, struct script_stmt *s);
void stmt_for_map(struct sgen *g, struct script_stmt *s);
void stmt_unroll(struct sgen *g, struct script_stmt *s);
void stmt_break(struct sgen *g, bool is_continue);
/* True if the verifier had better not know the variable's value. */
bool var_is_unknown(const struct sgen *g, const struct script_var *v);
void var_store(struct sgen *g, struct script_var *v, struct script_expr *e);
void var_zero(struct sgen *g, struct script_var *v);

/* ---- action.c ---- */

void action_gen(struct sgen *g, struct script_action *a);


/* ---- stack.c ---- */

void stack_gen(struct sgen *g, struct script_expr *e, const struct script_type *want,
	       struct place to, bool is_key);
void stack_len_gen(struct sgen *g, struct script_expr *e);

/* ---- search.c ---- */

void strncmp_gen(struct sgen *g, struct script_expr *e);
void strlen_gen(struct sgen *g, struct script_expr *e);
void strstr_gen(struct sgen *g, struct script_expr *e);
void strcontains_gen(struct sgen *g, struct script_expr *e);
void memcmp_gen(struct sgen *g, struct script_expr *e);
void globmatch_gen(struct sgen *g, struct script_expr *e);
void path_gen(struct sgen *g, struct script_expr *e, const struct script_type *want,
	      struct place to, bool is_key);

/* ---- net.c ---- */

void ntop_gen(struct sgen *g, struct script_expr *e, const struct script_type *want,
	      struct place to, bool is_key);
void macaddr_gen(struct sgen *g, struct script_expr *e, const struct script_type *want,
		 struct place to, bool is_key);
void socket_cookie_gen(struct sgen *g, struct script_expr *e);
/* Fills the struct script_join of a record. */
void join_gen(struct sgen *g, const struct script_action *a);

/* ---- func.c: builtins and functions ---- */

/* dst = the index of the point that was hit */
void point_gen(struct sgen *g, int dst);

/* r0 = the value */
void func_value_gen(struct sgen *g, struct script_expr *e);
void func_image_gen(struct sgen *g, struct script_expr *e, const struct script_type *want,
		    struct place to, bool is_key);

#endif
