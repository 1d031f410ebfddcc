/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * gen.h - functions that the files of emit offer each other.
 *
 *  *	program.c	prologue and exit; passes
 *  *	callback.c	callbacks after the program; leaving it
 *  *	frame.c, vars.c	the stack, scratch memory and places in them; variables
 *  *	number.c	numbers in registers
 *  *	read.c		the context, addresses, reads by helpers
 *  *	value.c		scalars: each expression leaves its value in r0
 *  *	arith.c		operators, conditions
 *  *	memory.c	memory of the kernel and of programs
 *  *	param.c		parameters, the result, registers; inner.c: those of USDT probes; point.c: the point
 *  *	image.c		values with bytes: strings, tuples, structs; convert.c: copies of them
 *  *	text.c		strings: reads, comparisons, functions
 *  *	map.c		keys, lookups; map_value.c: values; map_func.c: functions for keys
 *  *	count.c		aggregates
 *  *	stmt.c, loop.c	statements; walk.c: loops over maps that the process walks
 *  *	action.c	records for user space
 *  *	stack.c		kstack, ustack
 *  *	search.c, net.c	functions for strings, for networks
 *  *	failure.c	divisors of 0; failed reads and missing keys, for -k
 *  *	func*.c		builtins and functions
 */
#ifndef CORETAP_SCRIPT_EMIT_GEN_H
#define CORETAP_SCRIPT_EMIT_GEN_H

#include "script/emit/state.h"

/* Returns the table that was made for this expression, or NULL. */
static inline const void *table_find(const struct sgen *g, const struct script_expr *of)
{
	for (unsigned i = 0; i < g->table_count; i++)
		if (g->tables[i].of == of)
			return g->tables[i].table;
	return NULL;
}

/* ---- the walk of the tree ---- */

/* r0 = the value, with 64 bits. Clobbers r1 … r5. */
static inline void value_gen(struct sgen *g, struct script_expr *e)
{
	g->walk->value(g, e);
}
/* The same as a plain number: the verifier does not treat it as a pointer. */
static inline void number_gen(struct sgen *g, struct script_expr *e)
{
	g->walk->number(g, e);
}
/* r0 = a, r1 = b, as numbers */
static inline void operands_gen(struct sgen *g, struct script_expr *a, struct script_expr *b)
{
	g->walk->operands(g, a, b);
}
/* Emits the side effects only. */
static inline void discard_gen(struct sgen *g, struct script_expr *e)
{
	g->walk->discard(g, e);
}
/* Jumps to the label if the condition is (not) true. */
static inline void branch_gen(struct sgen *g, struct script_expr *e, bool if_true, int label)
{
	g->walk->branch(g, e, if_true, label);
}
/* Writes the image of e, converted to `want`. If `is_key`, all bytes after the NUL of a string are 0. */
static inline void image_gen(struct sgen *g, struct script_expr *e, const struct script_type *want,
			     struct place to, bool is_key)
{
	g->walk->image(g, e, want, to, is_key);
}
/* Returns the place of the image of e: its own, or a temporary one that is filled. */
static inline struct place image_place(struct sgen *g, struct script_expr *e)
{
	return g->walk->locate(g, e);
}
static inline void stmts_gen(struct sgen *g, struct script_stmt *first)
{
	g->walk->stmts(g, first);
}
static inline void action_gen(struct sgen *g, struct script_action *a)
{
	g->walk->action(g, a);
}

/* ---- callback.c ---- */

void callbacks_gen(struct sgen *g);
/* Adds a function that is emitted later; returns its label. */
int callback_add(struct sgen *g, void (*body)(struct sgen *g, void *arg), void *arg);
/* Leaves the program, also from a callback. */
void leave_gen(struct sgen *g);
/* Sets r0 to the address of a callback's code, for r2 of helpers. */
void callback_address(struct sgen *g, int dst, int label);
void loss_gen(struct sgen *g, enum loss loss);

/* ---- vars.c ---- */

/* True if the verifier should not track the variable's value. */
bool var_is_unknown(const struct sgen *g, const struct script_var *v);
/* True if the kernel runs the rounds of the range (bpf_loop). */
bool by_kernel(const struct sgen *g, const struct script_stmt *s);

/* ---- frame.c ---- */

/* Bytes of the stack that remain for callbacks. */
uint32_t callbacks_room(const struct sgen *g);
int place_reg(const struct sgen *g, struct place at);
/* The register that holds the context. In callbacks it is loaded into dst. */
int context_reg(struct sgen *g, int dst);
/* dst = its address */
void place_address(struct sgen *g, int dst, struct place at);
struct mark frame_mark(const struct sgen *g);
void frame_drop(struct sgen *g, struct mark m);
struct place place_alloc(struct sgen *g, uint32_t size);
struct place place_alloc_small(struct sgen *g, uint32_t size); /* on the stack */
struct place place_alloc_work(struct sgen *g, uint32_t size);  /* in scratch memory */
void place_store(struct sgen *g, uint32_t size, struct place at, int src);
void place_load(struct sgen *g, uint32_t size, int dst, struct place at);
void place_store_imm(struct sgen *g, uint32_t size, struct place at, int32_t imm);
void place_zero(struct sgen *g, struct place at, uint32_t size);
/* Copies between two places. */
void place_copy(struct sgen *g, struct place to, struct place from, uint32_t size);
/* Copies from memory that the verifier knows, at register `from`. */
void place_fill(struct sgen *g, struct place to, int from, int32_t off, uint32_t size);
/* Saves the register's value; returns its place. */
struct place spill(struct sgen *g, int reg);
struct place var_place(struct sgen *g, struct script_var *v);

/* ---- number.c ---- */

void extend_gen(struct sgen *g, int reg, uint32_t size, bool is_signed);
/* -a and ~a have as many bits as `a` … */
uint32_t unary_size(const struct script_expr *e);
/* … with a sign where the program computes with them. Where they are printed or assigned, bpftrace has no bits above:
 * $a = 5; print(-$a) is 251. r0 = the number as it is stored. */
void number_to_store(struct sgen *g, struct script_expr *e);
/* Hides the number in r0 from the verifier. Otherwise each known value would be a separate path through the rest of
 * the program wherever a jump or an index depends on it. Clobbers r1. */
void number_hide(struct sgen *g);
void scalar_load(struct sgen *g, int dst, int base, int off, const struct script_type *t);
bool is_simple(const struct script_expr *e);
bool fits_imm(const struct script_expr *e);
/* r0 = r0 oper r1, of that type */
void oper_gen(struct sgen *g, enum oper oper, const struct script_type *t);
bool constant_truth(const struct script_expr *e);
uint32_t pointee_size(struct sgen *g, const struct script_type *t);
/* The same with a constant for which is_plain_constant is true. */
void oper_constant(struct sgen *g, enum oper oper, int32_t by, const struct script_type *t);
bool is_plain_constant(const struct script_expr *e, enum oper oper);
int alu_op(enum oper oper);

/* ---- arith.c ---- */

void unary_gen(struct sgen *g, struct script_expr *e);
void binary_gen(struct sgen *g, struct script_expr *e);
/* r0 = the condition as 0 or 1 */
void truth_gen(struct sgen *g, struct script_expr *e);

/* ---- read.c ---- */

/* r0 = the address as a number */
void address_gen(struct sgen *g, struct source *at);
/* reg = the value of a pointer, or the address of a value that is not a number. Returns true if the address is in
 * user space. */
bool pointer_value_gen(struct sgen *g, struct script_expr *e, int reg);
struct unread unread_begin(struct sgen *g);
void unread_end(struct sgen *g, const struct unread *before, int end);
/* Jumps to the right side if r0 is a helper's error. */
void unread_gen(struct sgen *g);
/* Reads `size` bytes from the address in r3; if `size` is 0, r2 holds the size. Clobbers r0 … r5. r0 = 0 or an error. */
void read_gen(struct sgen *g, struct place to, uint32_t size, bool is_user);
/* Calls the helper that reads a string, with its arguments in r1 … r3. */
void text_read_gen(struct sgen *g, bool is_user);
/* Reads the string at the address in r3 */
void text_read(struct sgen *g, struct place to, uint32_t size, bool is_user, bool is_key);

/* ---- failure.c ---- */

/* Without -k, nothing: reports the error in r0, if there is one. Preserves r0. */
void read_check(struct sgen *g, const char *helper);
/* Without -k, nothing: reports that the map has no value for the key. */
void missing_gen(struct sgen *g);
/* Reports what is known only as the program runs; `text` is a constant. Changes r0 to r5. */
void warning_gen(struct sgen *g, const char *text);

/* ---- point.c ---- */

/* dst = the index of the point that was hit */
void point_gen(struct sgen *g, int dst);

/* ---- point_text.c ---- */

/* Returns the location of the text of `probe` or `func`, and its room. */
struct place point_text_place(struct sgen *g, struct script_expr *e, uint32_t *size);
/* Copies that text into a string. */
void point_text_image(struct sgen *g, struct script_expr *e, const struct script_type *want,
		      struct place to, bool is_key);
/* Compares `probe` or `func` with a literal; jumps to `other` unless they are equal. */
void point_compare(struct sgen *g, struct script_expr *a, struct script_expr *b, int other);

/* ---- convert.c ---- */

/* r0 = the number at `from`, without the sign of an error. */
void named_load(struct sgen *g, enum script_kind kind, struct place from);
/* Copies the name of the number at `from`: strerror(), syscall_name(), signal_name() beside strings. */
void named_text(struct sgen *g, enum script_kind kind, struct place from, struct place to,
		uint32_t want, bool is_key);
/* Copies a string from `have` bytes of room to `want`. */
void text_copy(struct sgen *g, struct place to, uint32_t want, struct place from, uint32_t have,
	       bool is_key);
void image_convert(struct sgen *g, const struct script_type *want, struct place to,
		   const struct script_type *have, struct place from, bool is_key);

/* ---- memory.c ---- */

void source_gen(struct sgen *g, struct script_expr *e, struct source *at);
void memory_value_gen(struct sgen *g, struct script_expr *e);
void null_check(struct sgen *g, int null);
void memory_image_gen(struct sgen *g, struct script_expr *e, const struct script_type *want,
		      struct place to, bool is_key);

/* True if the verifier treats the value of e as a pointer. *pointee is the struct, if the verifier allows reads of
 * it. */
bool pointer_known(struct sgen *g, const struct script_expr *e, uint32_t *pointee);

/* ---- param.c ---- */

bool param_is_known(struct sgen *g, const struct script_expr *e, uint32_t *pointee);
/* inner.c: EXPR_PARAM_INNER, an expression of argdump */
void inner_gen(struct sgen *g, struct script_expr *e, const struct expr_param *p);
void param_gen(struct sgen *g, struct script_expr *e);
/* Returns true if the parameter is memory of the context. */
bool param_source_gen(struct sgen *g, struct script_expr *e, struct source *at);
void arg_gen(struct sgen *g, struct script_expr *e);
void sarg_gen(struct sgen *g, struct script_expr *e);
void retval_gen(struct sgen *g, struct script_expr *e);
void reg_gen(struct sgen *g, struct script_expr *e);

/* ---- image.c ---- */

struct script_expr *block_gen(struct sgen *g, struct script_expr *e); /* its value */

/* ---- text.c ---- */

void text_literal(struct sgen *g, const struct script_expr *e, uint32_t size, struct place to,
		  bool is_key);
/* Jumps to `other` unless both strings are equal up to the NUL or to `size` bytes. */
void places_compare(struct sgen *g, struct place a, struct place b, uint32_t size, int other);
void text_branch(struct sgen *g, struct script_expr *a, struct script_expr *b, bool if_equal,
		 int label);
void bytes_branch(struct sgen *g, struct script_expr *a, struct script_expr *b, bool if_equal,
		  int label);
void str_gen(struct sgen *g, struct script_expr *e, const struct script_type *want, struct place to,
	     bool is_key);
void buf_gen(struct sgen *g, struct script_expr *e, const struct script_type *want, struct place to,
	     bool is_key);

/* ---- map.c ---- */

uint32_t map_number(struct sgen *g, const struct script_map *map);
bool map_is_array(const struct script_map *map);
bool map_is_per_cpu(const struct script_map *map);
/* Returns the size of a processor's slot in a value; 0: the map has no slots. */
uint32_t map_slot(const struct sgen *g, const struct script_map *map);
uint32_t map_value_size(const struct script_map *map);
uint32_t
map_entry_size(const struct script_map *map); /* with the word that is 1 if a value is set */
/* Writes the key; for a map without keys, the number 0. */
struct place key_gen(struct sgen *g, const struct script_map *map, struct script_expr **items,
		     size_t count);
/* True if the program holds the address of the only value. */
bool map_has_address(const struct script_map *map);
/* Jumps to `none` if the entry whose address is in r0 has no value. Clobbers r1. */
void map_unset_jump(struct sgen *g, const struct script_map *map, int none);
/* Marks the entry whose address is in `reg` as set. */
void map_set_note(struct sgen *g, const struct script_map *map, int reg);
/* r0 = the address of the map itself */
void map_address_gen(struct sgen *g, const struct script_map *map);
/* Calls a helper whose first two arguments are map and key. */
void map_call_gen(struct sgen *g, const struct script_map *map, struct place key, int helper);
/* Sets the value of the key; counts a loss if the map is full. */
void map_update_gen(struct sgen *g, const struct script_map *map, struct place key,
		    struct place value);
/* r0 = the value of the key, or NULL */
void lookup_gen(struct sgen *g, const struct script_map *map, struct place key);
/* The same; adds a zeroed entry if the key is missing. Jumps to `lost` if that fails. */
void entry_gen(struct sgen *g, const struct script_map *map, struct place key, int lost);
/* Binds `lost` and counts the loss. */
void lost_gen(struct sgen *g, int lost);
void has_key_gen(struct sgen *g, struct script_expr *e);
void delete_gen(struct sgen *g, struct script_expr *e);
void find_gen(struct sgen *g, struct script_expr *e);
void map_len_gen(struct sgen *g, const struct script_map *map);

/* ---- map_value.c ---- */

void map_value_gen(struct sgen *g, struct script_expr *e);
/* Jumps to `none` if a number in a map is 0. Keeps the number for later reads until a write to the map. Returns
 * false, and emits nothing, for any other condition. */
bool map_hold_gen(struct sgen *g, const struct script_expr *e, int none);
/* Drops the kept number before a write. */
void map_release(struct sgen *g, const struct script_map *map);
void map_image_gen(struct sgen *g, struct script_expr *e, const struct script_type *want,
		   struct place to, bool is_key);
void map_set(struct sgen *g, struct script_expr *target, struct script_expr *value);
void map_step(struct sgen *g, struct script_expr *e);
void map_change(struct sgen *g, struct script_expr *target, enum oper oper,
		struct script_expr *value);

/* ---- count.c ---- */

bool is_counter(const struct script_expr *e); /* a call of count() … tseries() */
void count_assign(struct sgen *g, struct script_expr *target, struct script_expr *call);
/* r0 = the sum over all processors */
void count_number_gen(struct sgen *g, const struct script_map *map, struct place key,
		      struct span where);

/* Resets the values of all processors to 0. */
void count_reset_gen(struct sgen *g, const struct script_map *map, struct place key,
		     struct span where);

/* ---- stmt.c, loop.c ---- */

void stmt_while(struct sgen *g, struct script_stmt *s);
void stmt_for_range(struct sgen *g, struct script_stmt *s);
void stmt_for_map(struct sgen *g, struct script_stmt *s);
void stmt_unroll(struct sgen *g, struct script_stmt *s);
void stmt_break(struct sgen *g, bool is_continue);
void var_store(struct sgen *g, struct script_var *v, struct script_expr *e);
void var_zero(struct sgen *g, struct script_var *v);

/* Emits statements in a loop that the verifier follows. */
void loop_body_gen(struct sgen *g, struct script_stmt *body, int again, int end);
/* Sets the loop's variable to the tuple of key and value; for an aggregate the value is its sum. */
void loop_entry_store(struct sgen *g, const struct script_map *map, struct script_var *v,
		      struct place key, struct place value);

/* ---- walk.c: maps that the process walks ---- */

bool walks_here(const struct sgen *g);
/* True in a test: its return value is stored in g->result. */
static inline bool returns_result(const struct sgen *g)
{
	return g->c->point->attach->kind == PROBE_TEST;
}
/* Emits the jump to the point where the program was left. */
void walk_begin_gen(struct sgen *g);
void walk_for_gen(struct sgen *g, struct script_stmt *s);
/* r0 = the number of keys */
void walk_len_gen(struct sgen *g, const struct script_map *map);

/* ---- entries of the tree walk, for program.c ---- */

void value_emit(struct sgen *g, struct script_expr *e);
void number_emit(struct sgen *g, struct script_expr *e);
void operands_emit(struct sgen *g, struct script_expr *a, struct script_expr *b);
void discard_emit(struct sgen *g, struct script_expr *e);
void branch_emit(struct sgen *g, struct script_expr *e, bool if_true, int label);
void image_emit(struct sgen *g, struct script_expr *e, const struct script_type *want,
		struct place to, bool is_key);
struct place image_locate(struct sgen *g, struct script_expr *e);
void stmts_emit(struct sgen *g, struct script_stmt *first);
void action_emit(struct sgen *g, struct script_action *a);

/* ---- stack.c ---- */

void stack_gen(struct sgen *g, struct script_expr *e, const struct script_type *want,
	       struct place to, bool is_key);
void stack_len_gen(struct sgen *g, struct script_expr *e);

/* ---- search.c ---- */

void strncmp_gen(struct sgen *g, struct script_expr *e);
void strlen_gen(struct sgen *g, struct script_expr *e);
void concat_gen(struct sgen *g, struct script_expr *e, const struct script_type *want,
		struct place to, bool is_key);
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

/* ---- func_task.c ---- */

/* Jumps to `other` unless `a` is the literal. Returns false, and emits nothing, if `a` is not the current task's
 * name. */
bool comm_compare(struct sgen *g, const struct script_expr *a, const struct script_expr *literal,
		  int other);

/* ---- func.c: builtins and functions ---- */

/* r0 = the value */
void func_value_gen(struct sgen *g, struct script_expr *e);
void func_image_gen(struct sgen *g, struct script_expr *e, const struct script_type *want,
		    struct place to, bool is_key);

#endif
