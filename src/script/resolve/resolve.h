/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * resolve.h - shared by the files of resolve/: one run over a probe at one point.
 *
 * A run visits statements and expressions in the order of the text, children first. Types of variables and maps only
 * grow, so runs repeat until nothing changes. A type that is unknown then is an error, reported only in the last run
 * (is_final). A function that fails has set c->err. A type of kind NONE means "not known in this run".
 */
#ifndef CORETAP_SCRIPT_RESOLVE_RESOLVE_H
#define CORETAP_SCRIPT_RESOLVE_RESOLVE_H

#include "expr/ctype.h"
#include "script/inside.h"

/* A block with its variables. */
struct scope {
	struct scope *outer;
	struct scope_var {
		struct script_var *var;
		struct scope_var *next;
	} * vars;
};

struct resolve;
/* Files of one grammar call each other through this table. */
struct resolve_walk {
	void (*expr)(struct resolve *r, struct script_expr *e);
	void (*items)(struct resolve *r, struct script_expr *e);
	void (*place)(struct resolve *r, struct script_expr *e);
	void (*index)(struct resolve *r, struct script_expr *e);
	void (*stmts)(struct resolve *r, struct script_stmt *first);
	void (*condition)(struct resolve *r, struct script_expr *e);
	void (*func)(struct resolve *r, struct script_expr *e);
};

struct resolve {
	struct script_state *c;
	const struct resolve_walk *walk;
	const struct expr_input *in;
	const struct script_probe *probe;
	struct scope *scope;
	unsigned loops; /* loops around the statement */
	bool is_open;	/* a variable's type is open: visit excluded branches as well */
	bool grew;	/* the type of a variable of this probe, or of a map, grew */
	const struct script_map
		*assigned; /* assigned by the statement: its own value may still be unknown */
	const struct script_expr *discarded; /* the expression that is the whole statement */
	const struct script_expr *assigns_aggregate; /* right side of @x = …: count() is allowed */
};

/* True after an error: the run is over. */
static inline bool failed(const struct resolve *r)
{
	return r->c->err != 0;
}

/* ---- values.c ---- */

/* Appends `item` to an array of the script, which only grows; returns its index. */
size_t script_append(struct resolve *r, void ***all, size_t *count, size_t *room, void *item);
/* Allocates zeroed memory from the script's arena, which outlives the run. */
void *alloc_lasting(struct resolve *r, size_t size);
/* Returns the type as text, for messages. */
const char *type_text(struct resolve *r, const struct script_type *t);
/* True if the type is known. If not, the last run reports the error: "`what` …". */
bool type_is_known(struct resolve *r, const struct script_expr *e);
/* Checks for a constant, as an argument must be. On failure reports what the function expects and returns false. */
bool expr_is_text(const struct script_expr *e);
bool expr_is_number(const struct script_expr *e);
/* True for a number without a type of its own, such as a cast or an enum gives: only its value counts. */
bool expr_is_literal(const struct script_expr *e);
void expr_set_number(struct script_expr *e, int64_t value, bool is_big);
void expr_set_text(struct script_expr *e, const char *bytes, uint32_t length);
void expr_set_bool(struct script_expr *e, bool value);

/* ---- scope.c ---- */

struct scope scope_enter(struct resolve *r);
void scope_leave(struct resolve *r, const struct scope *scope);
struct script_var *var_find(const struct resolve *r, const char *name);
const char *var_name(struct resolve *r, const char *name);
/* Adds the variable that first appears at `e`, in the innermost block. is_let: declared by let, or by a loop. */
struct script_var *var_declare(struct resolve *r, const struct script_expr *e, bool is_let);
/* Assigns a value of the type of `value`, or of `type` if that is set. */
void var_assign(struct resolve *r, struct script_expr *target, const struct script_expr *value);
/* Sets the type of a loop's new variable. */
void var_set(struct resolve *r, struct script_var *v, const struct script_type *type);
void infer_var(struct resolve *r, struct script_expr *e);
/* let $name: type */
void var_let(struct resolve *r, struct script_stmt *s);

/* ---- grow.c: types that widen to hold another value ---- */

enum grown { GROWN_NOT, GROWN, GROWN_NEVER };
/* Widens *t to hold the value. GROWN_NEVER: no type holds both. `e` may be NULL. */
enum grown type_grow(struct resolve *r, struct script_type *t, const struct script_type *with,
		     const struct script_expr *e);
/* Returns the type of a choice between two values, or false if no type holds both. */
bool type_join(struct resolve *r, struct script_expr *a, struct script_expr *b,
	       struct script_type *joined);
/* Converts a constant to the type that an operation with the other operand needs. */
void constants_adapt(struct script_expr *a, struct script_expr *b);
/* Returns the type as stored: pointers are no longer trusted. */
struct script_type type_stored(const struct script_type *t);

/* ---- maps.c ---- */

struct script_map *map_find(struct resolve *r, const struct script_expr *e);
/* Resolves the keys of a MAP node, and checks them against those of the map. */
void map_resolve_key(struct resolve *r, struct script_expr *e);
/* The same for a key in an expression of its own: delete(@m, key). */
void map_check_key(struct resolve *r, struct script_map *m, struct script_expr *key);
void map_assign(struct resolve *r, struct script_expr *target, const struct script_expr *value);
/* Widens the value of the map to this type; `span` is the location for errors. */
void map_grow(struct resolve *r, struct script_map *m, const struct script_type *type,
	      const struct script_expr *value, struct span span);
/* Resolves a read. */
void infer_map(struct resolve *r, struct script_expr *e);
/* Resolves an argument that is a map itself, without keys; sets e->map. Returns NULL after an error. */
struct script_map *map_itself(struct resolve *r, struct script_expr *e, const char *func);
/* Returns the type of a read of such a value. */
/* Returns the name of the struct that a pointer points to; "" for any other type. */
const char *pointed_struct(const struct script_type *t);
void map_note_read(struct resolve *r, struct script_map *m);
struct script_type map_value_read(const struct script_type *value);

/* ---- stmts.c ---- */

static inline void infer_stmts(struct resolve *r, struct script_stmt *first)
{
	r->walk->stmts(r, first);
}
/* A condition: fails unless it is a number, a pointer or a bool. */
static inline void infer_condition(struct resolve *r, struct script_expr *e)
{
	r->walk->condition(r, e);
}

/* ---- exprs.c, operators.c, fold.c, fields.c, casts.c ---- */

static inline void infer_expr(struct resolve *r, struct script_expr *e)
{
	r->walk->expr(r, e);
}
/* The same where args may be the word itself instead of the tuple of all arguments: before a member. */
static inline void infer_place(struct resolve *r, struct script_expr *e)
{
	r->walk->place(r, e);
}
static inline void infer_items(struct resolve *r, struct script_expr *e)
{
	r->walk->items(r, e);
}
void infer_unary(struct resolve *r, struct script_expr *e);
void infer_binary(struct resolve *r, struct script_expr *e);
/* The same for a node whose operands are resolved. */
void infer_operands(struct resolve *r, struct script_expr *e);
void infer_logical(struct resolve *r, struct script_expr *e);
void infer_step(struct resolve *r, struct script_expr *e);
/* Sets the text of probe or func, if the program is at one point. */
void point_text_set(const struct resolve *r, struct script_expr *e);
/* Folds constants; returns false if the value cannot be known yet. */
bool fold_unary(struct resolve *r, struct script_expr *e);
bool fold_binary(struct resolve *r, struct script_expr *e);
void infer_field(struct resolve *r, struct script_expr *e);
void infer_part(struct resolve *r, struct script_expr *e);
static inline void infer_index(struct resolve *r, struct script_expr *e)
{
	r->walk->index(r, e);
}
void infer_deref(struct resolve *r, struct script_expr *e);
void infer_address(struct resolve *r, struct script_expr *e);
void infer_cast(struct resolve *r, struct script_expr *e);
void infer_sizeof(struct resolve *r, struct script_expr *e);
/* Returns the bytes that a program knows of. A result of str() has room for one more, its NUL. */
uint32_t string_capacity(const struct resolve *r, const struct script_type *t);
void infer_typeinfo(struct resolve *r, struct script_expr *e);
/* Copies the type of `from` to e, and its value if that is constant. */
void value_copy(struct script_expr *e, const struct script_expr *from);
/* Copies the type of `from` to e, and its value if that is constant. */
void value_copy(struct script_expr *e, const struct script_expr *from);
void infer_offsetof(struct resolve *r, struct script_expr *e);
/* True if the operand may be used as a 64-bit number. */
bool type_is_number(const struct script_type *t);

/* ---- names.c: types by name ---- */

/* Returns kind NONE after an error. */
struct script_type type_named(struct resolve *r, const struct script_type_name *name);
/* Parses a C type in the kernel's words: "const char *", "unsigned long". Returns false if it is unknown. */
bool ctype_parse(struct resolve *r, const char *text, struct ctype *type);
/* Looks up a type in the point's view, cached. Returns 0 if there is none. */
uint32_t btf_lookup_kind(struct resolve *r, unsigned kind, const char *name);
uint32_t btf_lookup_enum_with(struct resolve *r, const char *name);

/* ---- cdefs.c ---- */

/* Returns the point's types with the program's own on top; NULL after an error. */
const struct btf_view *script_view(struct script_state *c, const struct btf_view *base);
/* Returns the id of one of the program's own types, whose ids start at `first`. Kind 0: the enum that defines the
 * constant. */
uint32_t cdef_find(const struct script *s, uint32_t first, unsigned kind, const char *name);
/* cdefs_build.c: builds the program's own types as split BTF on top of `base`, malloc'ed. Returns NULL after an
 * error. */
void *cdefs_build(struct script_state *c, const struct btf_view *base, uint32_t first,
		  size_t *size);

/* ---- words.c ---- */

void infer_word(struct resolve *r, struct script_expr *e);
/* Resolves constants: enums of the program and the kernel, macros of the kernel. Returns false if the word is not
 * one. */
bool word_is_constant(struct resolve *r, struct script_expr *e);

/* ---- params.c ---- */

/* args.name: sets FUNC_ARGS, param, type. */
void infer_args_field(struct resolve *r, struct script_expr *e);
/* True if the probe has a parameter of that name. */
bool params_have(const struct resolve *r, const char *name);
struct suggestion;
void params_offer(const struct resolve *r, struct suggestion *nearest);
/* Turns args into the tuple of all arguments, with their names. */
void args_value(struct resolve *r, struct script_expr *e);
struct script_type address_space(const struct resolve *r, struct script_type t);
/* True for probes of programs. */
bool is_user_probe(const struct resolve *r);

/* ---- funcs.c ---- */

/* Returns FUNC_NONE if the name is not a function. `number` is the 7 of arg7. */
enum script_func func_find(const char *name, unsigned *number);
const char *func_name(enum script_func func);
bool func_needs_arguments(enum script_func func);
void infer_call(struct resolve *r, struct script_expr *e);
/* Reports an error and returns false if the number of arguments is wrong. */
bool func_arguments_fit(struct resolve *r, const struct script_expr *e);
/* Resolves a word or call of that function. */
static inline void func_resolve(struct resolve *r, struct script_expr *e)
{
	r->walk->func(r, e);
}
/* config().name */
void config_field(struct resolve *r, struct script_expr *e);
/* Converts argument `i` to what the function needs; returns false after an error. */
bool arg_number(struct resolve *r, struct script_expr *e, size_t i);
bool arg_text(struct resolve *r, struct script_expr *e, size_t i);     /* a literal */
bool arg_constant(struct resolve *r, struct script_expr *e, size_t i); /* a literal number */
bool arg_address(struct resolve *r, struct script_expr *e, size_t i);  /* a number or a pointer */
/* … passes if `is_right`, else reports that `wanted` is expected. */
bool arg_of(struct resolve *r, struct script_expr *e, size_t i, const char *wanted, bool is_right);
/* Returns the mode that a word names; -1 after an error. */
int arg_mode(struct resolve *r, struct script_expr *arg, const char *const *words, size_t count);

typedef void func_resolver(struct resolve *r, struct script_expr *e);
/* funcs_context.c */
func_resolver func_pid, func_u64, func_u32, func_username, func_comm, func_cpid, func_has_cpid,
	func_ncpus, func_curtask, func_nsecs, func_usermode, func_traced, func_traces_all,
	func_nothing, func_probe, func_probetype, func_func, func_arg, func_sarg, func_args,
	func_ctx, func_retval, func_reg, func_kstack, func_ustack, func_dw_ustack, func_ppid;
/* funcs_values.c, funcs_text.c */
func_resolver func_str, func_buf, func_path, func_ksym, func_usym, func_kaddr, func_percpu_kaddr,
	func_uaddr, func_kptr, func_uptr, func_ntop, func_pton, func_macaddr, func_cgroupid,
	func_cgroup_path, func_strftime, func_number_name, func_bswap, func_socket_cookie,
	func_strncmp, func_strlen, func_str_concat, func_str_concat, func_strcap, func_strcontains,
	func_strstr, func_memcmp, func_globmatch;
/* funcs_static.c */
func_resolver func_config, func_getopt, func_is_kind, func_is_literal, func_kfunc_exist,
	func_kfunc_allowed, func_fail, func_static_assert;
/* funcs_maps.c */
func_resolver func_len, func_is_scalar, func_has_key, func_find_key, func_delete, func_clear,
	func_aggregate, func_hist, func_lhist, func_tseries;
/* funcs_actions.c */
func_resolver func_signal, func_override, func_write_user, func_debugf, func_printf, func_print,
	func_exit, func_time, func_join, func_system, func_packet, func_unwatch, func_assert;
/* funcs_emit.c, funcs_packet.c */
func_resolver func_emit, func_pcap, func_packet_bytes;

/* ---- actions.c ---- */

struct action_args {
	const struct script_expr *exprs[64];
	struct script_type types[64];
	size_t count;
	bool all_in_record; /* store literals as well */
};
/* Sets the action of this call, in the last run only. An earlier action with the same arguments is reused. */
void action_set(struct resolve *r, struct script_expr *call, enum script_action_kind kind,
		const char *text, const struct action_args *args);
/* Returns the index of a text that user space needs. */
unsigned text_number(struct resolve *r, const char *text);

/* ---- format.c ---- */

/* Checks a format of printf() against items[1 …]. */
void format_check(struct resolve *r, const struct script_expr *call);

/* ---- entries of the tree walk, for resolve.c ---- */

void walk_expr(struct resolve *r, struct script_expr *e);
void walk_items(struct resolve *r, struct script_expr *e);
void walk_place(struct resolve *r, struct script_expr *e);
void walk_index(struct resolve *r, struct script_expr *e);
void walk_stmts(struct resolve *r, struct script_stmt *first);
void walk_condition(struct resolve *r, struct script_expr *e);
void walk_func(struct resolve *r, struct script_expr *e);

#endif
