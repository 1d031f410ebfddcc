/* SPDX-License-Identifier: GPL-2.0 */
/*
 * compiler.h - what the stages of the argdump compiler hand to each other. Not for others.
 *
 * Each stage reads what the stages before it made and adds its own: tokens, nodes, types on the
 * nodes, the plan's values and steps, places in the record, instructions. All of it lives in the
 * program's arena, so nothing is freed on its own.
 */
#ifndef CORETAP_EXPR_COMPILER_H
#define CORETAP_EXPR_COMPILER_H

#include <errno.h>

#include "expr/expr.h"
#include "expr/node.h"
#include "expr/step.h"

enum {
	SLOTS_MAX = 64,       /* expressions of one probe */
	TEXT_MAX = 4096,      /* bytes of one expression */
	NESTING_MAX = 100,    /* parentheses and operators in each other */
	TEMPS_LOCAL_MAX = 40, /* values of one expression that wait on the stack */
	LINKS_MAX = 63,       /* pointers one expression follows: FIELD_STATUS_LINK */
	STRING_DEFAULT = 128, /* bytes of a string's slot with its NUL */
	STRING_LIMIT = 4096,
	SOCKADDR_SIZE = 128,  /* struct sockaddr_storage */
	BYTES_LIMIT = 4096,   /* bytes, or elements, of a format with [N] */
	CAST_BYTES = 128,      /* of a struct pt_regs, on every architecture */
	TYPED_BYTES_MAX = 192, /* copied by typed loads; beyond that (measured) a helper is cheaper, where it may be called */
	STRUCT_LIMIT = 31000, /* bytes of one that is shown whole */
	FOLLOW_MAX = 48,      /* pointers that --depth follows */
	ELEMENTS_MAX = 64,    /* of an array that is shown as it is */
	STACK_DEFAULT = 127, /* frames: kernel.perf_event_max_stack, unless somebody raised it */
	KEY_STRING = 64,      /* as STRING_DEFAULT, in a key: each of its bytes is hashed */
	KEY_LIMIT = 512,      /* bytes of a hash's key that every kernel takes */
	ENTRY_LIMIT = 32752,  /* bytes of a per-CPU value: PCPU_MIN_UNIT_SIZE, less some */
};

/* ---- memory ---- */

struct arena {
	struct arena_block *blocks;
};

/* Zeroed bytes; NULL when there is no memory. */
void *arena_alloc(struct arena *a, size_t size);
char *arena_text(struct arena *a, const char *text, size_t len);
void arena_free(struct arena *a);

/* ---- resolve ---- */

enum builtin_id {
	BUILTIN_PID,
	BUILTIN_TID,
	BUILTIN_UID,
	BUILTIN_GID,
	BUILTIN_COMM,
	BUILTIN_CPU,
	BUILTIN_FUNC,
	BUILTIN_TS,
	BUILTIN_CGROUP,
	BUILTIN_TASK,
	BUILTIN_CALLER,
	BUILTIN_REG,
	BUILTIN_STACK,
	BUILTIN_RET,
	BUILTIN_LAT,
	BUILTIN_CTX,
};

struct builtin {
	const char *name; /* without the $ */
	enum builtin_id id;
	uint8_t int_size; /* 0: a string, $comm; or a pointer, $task */
	int header;       /* offset in struct event_header of a copy that is there anyway; or -1 */
};

/* How the value of an expression gets into the record. */
enum sink_kind {
	SINK_HEADER, /* it is in the record's header already */
	SINK_SCALAR, /* 8 bytes, of which the field takes the low ones */
	SINK_STRING, /* the bytes at an address, up to their NUL */
	SINK_BYTES,  /* so many bytes as they are: an array, a MAC address */
	SINK_TEXT,   /* the bytes of a "text" */
	SINK_PATH,   /* the names of a path, from its end on, behind a struct event_str */
	SINK_FILTER, /* nothing is kept: a 0 ends the program */
};

enum string_space {
	STRING_BY_ADDRESS, /* the pointer's half of the address space tells */
	STRING_USER,
};

/* --diff: the slots of one (diff.c). */
enum diff_part { DIFF_NONE, DIFF_PLACE, DIFF_BEFORE, DIFF_AFTER };

/* One expression, through all stages. */
struct slot {
	bool at_return; /* EXPR_SCOPE_CALL: computed there */
	struct span ret; /* of @ret( ): all of it; empty: none */
	const char *text;
	size_t input; /* index of the text that it comes from: $arg* makes several slots */
	struct token *tokens; /* ended by TOKEN_END */
	size_t token_count;
	struct span name; /* of NAME=; empty: none given */
	struct node *root;
	struct format format;

	enum sink_kind sink;
	enum string_space space;
	enum field_type field_type;
	uint32_t size;                /* bytes of the value; of a string with its NUL */
	uint8_t bit_offset, bit_size; /* of a bitfield in them; bit_size 0: none */
	bool array;                   /* SINK_STRING: at the address of the array itself */
	bool behind;                  /* SINK_BYTES: where the value points, not where it lies */
	uint32_t count, left_out;     /* as in struct field */
	const struct field_name *names;
	unsigned name_count; /* $func: names[i] is the name of i */
	int path_offset;              /* SINK_PATH: of the struct path in what the value points at */
	uint32_t names_room;          /* … bytes of names before the last */
	bool is_dentry;               /* … it points at a dentry alone */

	struct slot *parent; /* whose struct has the pointer that this one follows; NULL: not followed */
	uint32_t follow_at;  /* bytes: where in that struct */
	unsigned depth;      /* levels of pointers that were followed to it */

	enum diff_part diff;
	struct slot *part; /* of DIFF_PLACE the DIFF_BEFORE, of DIFF_AFTER the DIFF_PLACE */
	bool user;         /* DIFF_PLACE: in user memory */

	struct plan_step *steps; /* in the order they run */
	size_t step_count, step_room;
	int branches; /* that planning is in */
	const char **links; /* link_count of them, then NULL */
	size_t link_count;
	int sink_link; /* SINK_STRING: the link that is the string's address */
	int label_count; /* of STEP_LABEL */
	int temps;       /* its own places on the stack, above those that slots share */
	int result;      /* the value that the sink takes; -1: none */

	const char *key; /* the name in the output */
	uint32_t offset; /* in the record */
	uint32_t room;   /* bytes of the slot, a multiple of 8 */
	uint32_t status; /* offset of the status byte; 0: none, it cannot fail */
};

/* ---- layout ---- */

/* Behind the header of a record, where several probes share the ring. */
struct record_source {
	uint32_t probe; /* expr_input.probe_number */
	uint32_t point; /* index in expr_input.points */
};

/* The stacks of a record, which are in all or in none. */
enum { STACK_KERNEL, STACK_USER, STACKS };

/* ---- codegen ---- */

struct code {
	struct bpf_insn *insns; /* malloc'ed: grows */
	size_t count, room;
	size_t barrier; /* a label stands before this instruction */
	int *labels; /* instruction index; -1: not yet placed */
	size_t label_count, label_room;
	struct code_fixup *fixups;
	size_t fixup_count, fixup_room;
	int err;
};

/* ---- all of it ---- */

/* What the entry of a call keeps for its return. */
enum call_keep { KEEP_NOTHING, KEEP_TIME, KEEP_RECORD };
enum { CALL_TEMPS = 3 }; /* words of the stack that call.c needs */

struct expr_program {
	struct arena arena;
	struct code return_code; /* EXPR_SCOPE_CALL, but for a session */
	enum call_keep keep;
	bool lat_wanted;
	uint32_t saved_args; /* bits: places of parameters that the return asks the entry for */
	uint32_t entry_end, saved_at, kept_size; /* of what is kept: a record's beginning, arguments */
	struct code code;
	struct slot *slots; /* filters first */
	size_t slot_count, filter_count;
	size_t key_count; /* aggregate: slots behind the filters; the rest are what is measured */
	struct plan plan;
	struct field *fields;
	struct schema schema;
	uint32_t status_at, status_size, record_size;
	unsigned not_followed; /* pointers that --depth had no room for */
	uint32_t stacks[STACKS]; /* offset, 0: not asked for */
	uint32_t stack_size, stack_depth; /* of each: bytes, frames to be shown */
	struct expr_table table; /* aggregate: count is 0 where there are records */
	struct expr_result *results;
	int *result_slots; /* index of what each one measures; -1: calls */
	bool has_points; /* a column of its own */
	bool is_compat;  /* records say that they are of 32-bit programs */
	int reached; /* the last enum expr_stage that went well; -1: none */

	const struct btf_view *btf; /* the input's, for dumps */
	struct expr_target target;
	const char *func;
	uint32_t proto; /* BTF id of the function's prototype */
};

/* A compilation under way. */
struct compile {
	const struct expr_input *in;
	struct expr_program *p;
	struct expr_error *error;
	struct slot *slot; /* being worked on */
	int err;           /* the first error; it stays */
};

/* Sets the error; a stage that sees c->err stops. The first one counts. */
void compile_fail(struct compile *c, struct span where, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* The same, but only for this way to attach or to read: -EOPNOTSUPP. */
void compile_refuse(struct compile *c, struct span where, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Adds what to do to the error just set. */
void compile_hint(struct compile *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* arena_alloc that sets c->err. */
void *compile_alloc(struct compile *c, size_t size);

/* A copy of what the slot's text has there, cut to the buffer. */
void compile_text(struct compile *c, struct span span, char *buf, size_t size);

/* The stages, each for one slot or for all; errors are in c->err. */
void expr_lex(struct compile *c, struct slot *s);
void expr_parse(struct compile *c, struct slot *s);
void expr_resolve(struct compile *c, struct slot *s);
void expr_format(struct compile *c, struct slot *s); /* resolve's second half: what to show */
void expr_follow(struct compile *c, struct slot *s); /* adds slots behind the last */
void expr_plan(struct compile *c, struct slot *s);
void expr_plan_share(struct compile *c); /* plan's second half: what later slots take over */
void expr_plan_places(struct compile *c, struct slot *s); /* … and what waits within a slot */
void expr_layout(struct compile *c);
/* measure.c: the slots of what is measured; may it be; where the numbers lie in an entry. */
void slot_add(struct compile *c, const char *text);
void measures_take(struct compile *c);
size_t measure_first(const struct expr_program *p, const struct slot *s); /* of that slot */
void measure_format(struct compile *c, struct slot *s);
void measures_place(struct compile *c);
void expr_codegen(struct compile *c);

/* stack.c: layout's part for stacks: places from `at` on, returns the end; adds their fields. */
uint32_t stacks_place(struct compile *c, uint32_t at);
size_t stacks_count(const struct expr_program *p);
void stacks_schema(struct expr_program *p);
bool stacks_have(const struct expr_program *p, const char *key);
void stacks_describe(const struct expr_program *p, struct out *o);

/* diff.c: the slots of --diff; before a format is chosen; those that hang at another. */
void diffs_take(struct compile *c);
void diff_format(struct compile *c, struct slot *s);
void expr_diff(struct compile *c, struct slot *s);

void resolve_node(struct compile *c, struct node *n);
/* param.c: what may be named, and $argN. */
unsigned param_count(const struct compile *c);
const char *param_name(const struct compile *c, unsigned i);
bool param_is_showable(struct compile *c, unsigned i); /* with nothing said about it */
int param_find(struct compile *c, struct span span);   /* -1: none */
void param_take(struct compile *c, struct node *n, unsigned i);
/* name.c: resolve for NODE_NAME and NODE_BUILTIN; symbol.c: for NODE_SYMBOL. */
void resolve_name(struct compile *c, struct node *n);
void resolve_builtin(struct compile *c, struct node *n);
void resolve_symbol(struct compile *c, struct node *n);
bool name_is_param(struct compile *c, struct span name);
/* return.c: $ret */
void resolve_ret(struct compile *c, struct node *n);
int plan_ret(struct compile *c, const struct node *n);
bool function_returns(struct compile *c); /* a value */
void resolve_lat(struct compile *c, struct node *n);
void format_ret(struct slot *s);
bool slots_at_return_wanted(const struct expr_input *in); /* nobody has asked for $ret or so */
/* context.c: $ctx. parse.c: an expression that the user did not write; in the slot's text it stands behind
 * the end of his. */
void resolve_context(struct compile *c, struct node *n);
struct node *parse_inner(struct compile *c, const char *text);
/* call.c: when all is planned: which side each slot is computed at, and what is kept. */
void call_keep(struct compile *c);
void call_layout(struct expr_program *p);
/* operator.c: for NODE_UNARY … NODE_CAST. */
void resolve_unary(struct compile *c, struct node *n);
void resolve_binary(struct compile *c, struct node *n);
void resolve_logical(struct compile *c, struct node *n);
void resolve_choice(struct compile *c, struct node *n);
void resolve_cast(struct compile *c, struct node *n);
/* typename.c */
bool type_is_name(struct compile *c, struct span name); /* is there such a typedef? */
struct ctype resolve_type_name(struct compile *c, const struct type_name *t);
bool enum_constant_find(struct compile *c, struct span name, struct node *n);
void resolve_sizeof(struct compile *c, struct node *n);
void resolve_container(struct compile *c, struct node *n);
enum { DECLARATION_MAX = 160 };
/* The node's type, for messages. */
const char *resolve_declared(struct compile *c, struct ctype t, char buf[DECLARATION_MAX]);
/* The member called what the text has at n->name, or an error with the nearest name. */
bool resolve_member_find(struct compile *c, struct node *n, struct ctype outer,
                         struct btf_found *found);

/* parse_type.c: tokens → struct type_name. */
struct parser;
bool parse_type_begins(struct parser *p);
struct type_name parse_type(struct parser *p);

/* ---- types (ctype.c) ---- */

struct ctype ctype_of(uint32_t id);
struct ctype ctype_int(uint8_t size, bool is_signed);
struct ctype ctype_pointer_to(struct ctype t);
bool ctype_is_pointer(const struct btf_view *b, struct ctype t);
bool ctype_is_array(const struct btf_view *b, struct ctype t);
bool ctype_is_composite(const struct btf_view *b, struct ctype t); /* struct or union */
/* What a pointer points at, or an array's element. */
struct ctype ctype_target(const struct btf_view *b, struct ctype t);
bool ctype_is_char(const struct btf_view *b, struct ctype t);
bool ctype_is_user(const struct btf_view *b, struct ctype t); /* a pointer tagged __user */
bool ctype_is_integer(const struct btf_view *b, struct ctype t); /* bool and enums, too */
/* An integer's or a pointer's sign. */
bool ctype_is_signed(const struct btf_view *b, struct ctype t);
uint64_t ctype_size(const struct btf_view *b, struct ctype t);
uint64_t ctype_elements(const struct btf_view *b, struct ctype t); /* of an array */
void ctype_declare(const struct btf_view *b, struct ctype t, const char *name, char *buf,
                   size_t size);

/* ---- what the verifier will say (verifier.c) ---- */

enum typed_result { TYPED_NO, TYPED_SCALAR, TYPED_POINTER };

/* A load of `size` bytes (1, 2, 4, 8) at `off` through a typed pointer to struct `id`; a pointer's
 * pointee is 0 when the verifier does not let it be read through (__user, __percpu). */
enum typed_result typed_load(const struct btf_view *b, uint32_t id, int64_t off, uint32_t size,
                             uint32_t *pointee);
/* Any number of bytes, by the loads that typed_piece cuts them into. */
bool typed_bytes(const struct btf_view *b, uint32_t id, int64_t off, uint32_t size);
static inline uint32_t typed_piece(uint32_t rest)
{
	return rest >= 8 ? 8 : rest >= 4 ? 4 : rest >= 2 ? 2 : 1;
}
/* May parameter type `id` be loaded from the context of fentry? */
bool typed_argument(const struct btf_view *b, const struct expr_target *t, uint32_t id,
                    uint32_t *pointee);

/* What a slot is for, where calls are counted. */
static inline bool slot_is_key(const struct expr_program *p, const struct slot *s)
{
	size_t i = s - p->slots;

	return p->table.count && i >= p->filter_count && i < p->filter_count + p->key_count;
}
static inline bool slot_is_measured(const struct expr_program *p, const struct slot *s)
{
	return p->table.count && (size_t)(s - p->slots) >= p->filter_count + p->key_count;
}

/* A span of the slot's text, as printf's %.*s takes it. */
#define SPAN_ARG(text_, span_) (int)((span_).end - (span_).start), (text_) + (span_).start

#endif
