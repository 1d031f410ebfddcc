/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ast.h - a program in bpftrace's language, parsed; and what resolve adds.
 *
 * Every node has its span in the text as typed, so that an error can point to it. Nodes live in the program's arena.
 * resolve may run many times over one tree, once for each place where a probe is attached: what it sets (below "set by
 * resolve") it sets anew each time, and it changes nothing else.
 */
#ifndef CORETAP_SCRIPT_AST_H
#define CORETAP_SCRIPT_AST_H

#include "script/type.h"

enum script_expr_kind {
	X_INT,	    /* 42, 1e6, 100ms: number */
	X_BOOL,	    /* true: number */
	X_STRING,   /* "text": bytes, length */
	X_WORD,	    /* name: a builtin, a constant, a mode */
	X_PARAM,    /* $1: number; $#: number 0 */
	X_VAR,	    /* $name */
	X_MAP,	    /* @name, @name[items] */
	X_CALL,	    /* name(items) */
	X_FIELD,    /* a.name, a->name */
	X_PART,	    /* a.0: number */
	X_INDEX,    /* a[b] */
	X_UNARY,    /* -a ~a !a: oper */
	X_DEREF,    /* *a */
	X_ADDRESS,  /* &a */
	X_STEP,	    /* a++ --a: oper is OPER_ADD or OPER_SUB; is_prefix */
	X_BINARY,   /* a + b: oper */
	X_AND,	    /* a && b */
	X_OR,	    /* a || b */
	X_CHOICE,   /* a ? b : c */
	X_FALLBACK, /* a ?: b: a if it is true, evaluated once; else b */
	X_ELSE,	  /* a ?? b: b if this kernel has no a, or memory on the way to it cannot be read */
	X_CAST,	  /* (type_name)a */
	X_SIZEOF, /* sizeof(a), sizeof(type_name) */
	X_OFFSETOF, /* offsetof(type_name or a, name): name may be a.b.c */
	X_TYPEINFO, /* of typeinfo(a), typeinfo(type_name): number 0 its id, 1 its kind, 2 its name */
	X_TUPLE,    /* (items), (name=item, …): names */
	X_BLOCK,    /* { body; a } */
	X_TYPE,	    /* typeof(type): an argument of a macro; type_name */
};

/* Bytes of the value of a map without key in the kernel: behind the image is a word, 1 if there is a value. */
static inline uint32_t script_value_room(uint32_t size)
{
	return ((size + 7) & ~7u) + 8;
}

enum script_func {
	FUNC_NONE,
#define SCRIPT_FUNC(id_, ...) FUNC_##id_,
#include "script/funcs.def"
#undef SCRIPT_FUNC
	FUNCS,
};

/* E:name, E:name[count], E:name(constant): an argument of emit(). */
struct script_format {
	struct span span;
	const char *name; /* NULL: none */
	const char *constant;
	uint32_t count;
	bool has_title; /* NAME = E */
};

struct script_expr {
	enum script_expr_kind kind;
	struct span span;
	struct span name_span; /* of `name` and, in BINARY, of the operator */
	struct script_expr *a, *b, *c;
	struct script_expr **items;
	size_t count;
	const char *name;   /* without $ and @; of the map @: "" */
	const char **names; /* TUPLE, emit(): one for each item; NULL: none has one */
	const struct script_format *formats; /* emit(): one for each item */
	uint64_t number;
	const char *bytes; /* STRING: ends with a NUL besides */
	uint32_t length;
	enum oper oper;
	bool is_prefix, is_arrow;
	bool is_if;    /* CHOICE: if a { } else { }, whose b and c are of BLOCK or another such */
	bool has_call; /* CALL of a WORD with (): pid() */
	bool is_formatted; /* a format of emit() made it */
	const struct script_type_name
		*type_name;	  /* CAST, TYPE; SIZEOF, OFFSETOF, TYPEINFO: or NULL: `a` */
	struct script_stmt *body; /* BLOCK: the first; NULL: none */
	uint16_t depth;		  /* of the tree below, with itself */

	/* ---- set by resolve ---- */
	/*
	 * The type of the value as it is computed. A value is converted where it is stored (a variable, a value or key of
	 * a map, an argument of an action, a part of a tuple): integers are extended by their own sign, strings are cut or
	 * filled with 0, tuples part by part. NONE: nothing has said it yet. A map of count(), sum(), min(), max() or
	 * avg() that is read is an INT; map->value says which. A map that is meant itself (print(@m), for) is VOID.
	 */
	struct script_type type;
	/* The value is `value` (an INT, a BOOL, a POINTER) or, of a STRING or an ARRAY of bytes, bytes and length, which
	 * resolve sets as well. Nothing below has to be computed then. Of an `if`, a choice, && or || whose condition is
	 * constant, what it excludes is not resolved, and not to be computed. */
	bool is_constant;
	/* Besides: CALL of reg(): the offset in struct pt_regs; uaddr(): the address in the file; percpu_kaddr(): BTF id of
	 * the variable; nsecs(), strftime(): enum script_clock; pid(), tid(): 1 for the initial namespace; signal(): the
	 * signal, if it was named. */
	int64_t value;
	bool discards;	  /* nobody uses the value */
	bool is_absent;	  /* ELSE: this kernel has no `a`, which is not resolved */
	bool is_relative; /* CALL of uaddr(): `value` is the distance from where the probe is */
	struct script_var *var;
	struct script_map *
		map; /* MAP; CALL of delete(), print(), len() …: the map that its first argument is of */
	/* WORD, CALL. FIELD of `args`: FUNC_ARGS, and `param`. WORD (or DEREF) args by itself, as a value: FUNC_ARGS, and a
	 * TUPLE with a part for each parameter that is a number, a pointer or bytes; resolve sets items (a FIELD for each),
	 * names and count as those of a TUPLE. */
	enum script_func func;
	unsigned param; /* of arg0, args.name: index of the parameter, from 0 */
	/* FIELD; and PART, or INDEX by a constant, of a TUPLE. From the start of the bytes of `a`, or of what `a` points to.
	 * bit_size 0: no bitfield. */
	uint32_t bit_offset, bit_size;
	struct script_action *action; /* CALL of what user space does; after is_final */
	unsigned text;	/* number in script.texts of the literal that user space needs; 0: none */
	uint32_t place; /* for emit: where its bytes are */
};

/* As written in a cast, let, sizeof. */
struct script_type_name {
	struct span span;
	const char *name; /* "uint64", "struct file", "string" */
	uint8_t stars;
	bool is_array;			      /* [], [count] */
	uint32_t count;			      /* 0: [] */
	const struct script_expr *of;	      /* typeof(of): name is NULL */
	const struct script_type_name *parts; /* (a, b): `part_count` of them; name is NULL */
	size_t part_count;
};

enum script_stmt_kind {
	S_EXPR,	     /* a; never a BLOCK and no `if`: these are statements */
	S_ASSIGN,    /* target oper= a; oper may be OPER_NONE */
	S_LET,	     /* let target: type_name = a; both may be missing */
	S_DISCARD,   /* _ = a; */
	S_IF,	     /* if a body else otherwise */
	S_WHILE,     /* while a body */
	S_FOR_RANGE, /* for target : a..b body */
	S_FOR_MAP,   /* for target : a body; a is a MAP */
	S_UNROLL,    /* unroll a body */
	S_BREAK,
	S_CONTINUE,
	S_RETURN, /* return a; a may be NULL */
	S_BLOCK,  /* { body } */
};

struct script_stmt {
	enum script_stmt_kind kind;
	struct span span;
	struct script_expr *target; /* VAR or MAP */
	struct script_expr *a, *b;
	enum oper oper;
	const struct script_type_name *type_name;
	struct script_stmt *body, *otherwise; /* the first of each */
	struct script_stmt *next;
	uint16_t depth; /* of the tree below, with itself */
};

/* ---- what resolve finds ---- */

struct script_var {
	const char *name;
	struct span span;		 /* where it is first assigned */
	const struct script_expr *first; /* the VAR there */
	struct script_type type;
	bool is_fixed;		 /* let $a: type */
	bool is_let;		 /* by let, or as the variable of a loop */
	bool is_seen;		 /* for resolve: in this run */
	uint32_t place;		 /* for emit */
	struct script_var *next; /* of this program */
};

/* How the kernel keeps a map. */
enum script_storage {
	SCRIPT_HASH,	 /* or, without a key, an array of one */
	SCRIPT_LRU_HASH, /* let @a = lruhash(N) */
	SCRIPT_PER_CPU,	 /* aggregates */
	SCRIPT_LRU_PER_CPU,
};

/* What the key of a map is, and whose end removes the entry: let @a = owned_by(sk). */
enum script_owner {
	OWNER_NONE,
	OWNER_TASK, /* struct task_struct * */
	OWNER_TID,
	OWNER_PID,
	OWNER_SK,    /* struct sock * */
	OWNER_SKB,   /* struct sk_buff * */
	OWNER_INODE, /* struct inode * */
};
const char *script_owner_name(enum script_owner owner);
const char *script_owner_key(enum script_owner owner); /* the type of the key, for errors */

struct script_map {
	const char *name; /* "" for @ */
	struct span span; /* where it is first used */
	unsigned number;  /* in script.maps, from 0 */
	bool has_key;
	bool is_used;		/* has_key is known */
	bool is_known;		/* both types are complete */
	struct script_type key; /* of several keys a TUPLE */
	struct script_type value;
	enum script_storage storage;
	uint32_t entries; /* at most */
	bool is_declared; /* let @a = …; */
	enum script_owner owner;
	struct span owner_span; /* of owned_by(…) */
	bool is_hidden;		/* not printed at the end */
	bool is_read;		/* a program uses what it counts as a number */
	bool is_deleted;	/* a program deletes keys: one that is set is mostly new */
};

/*
 * The kernel gets memory per CPU a few bytes at a time: a map of 4096 counters takes 30 ms, one of histograms 70. So the
 * value of a hash for aggregates has a slot for each processor, unless that would be large.
 */
enum {
	SCRIPT_SLOT = 64,	     /* a cache line: no two processors write to one */
	SCRIPT_SLOTS_MOST = 1 << 20, /* bytes of a value … */
	SCRIPT_SLOTS_ALL = 32 << 20, /* … and of all */
};

/* Bytes of a slot; 0: the map has none. `entries`: the most keys. */
static inline uint32_t script_map_slot(const struct script_map *m, uint32_t cpus, uint32_t entries)
{
	uint32_t slot = ((m->value.size ?: 8) + SCRIPT_SLOT - 1) / SCRIPT_SLOT * SCRIPT_SLOT;
	uint64_t size = (uint64_t)slot * cpus;

	if (m->storage != SCRIPT_PER_CPU || !m->has_key || !cpus)
		return 0;
	return size <= SCRIPT_SLOTS_MOST && size * entries <= SCRIPT_SLOTS_ALL ? slot : 0;
}

/* ---- actions: what user space does when their record arrives ---- */

enum script_action_kind {
	ACTION_PRINTF,
	ACTION_ERRORF,
	ACTION_WARNF,
	ACTION_PRINT,	    /* print(value): one argument */
	ACTION_PRINT_MAP,   /* arguments: top, div, of which each may be missing */
	ACTION_PRINT_ENTRY, /* print(@m[k]): key, value. Not used: print(@m[k]) prints the value */
	ACTION_CLEAR,
	ACTION_ZERO,
	ACTION_EXIT, /* argument: the code, or none */
	ACTION_TIME,
	ACTION_JOIN, /* argument: struct script_join, as a BUFFER of that size */
	ACTION_CAT,
	ACTION_SYSTEM,
	ACTION_DELETE_MISSED, /* delete() whose value nobody uses, of a key that is not there */
	ACTION_PACKET,	      /* skboutput(): text is the path; arguments: bytes, length, time */
	ACTION_UNWATCH,
	ACTION_ASSERT,	/* assert(): the message; then the program exits with 1 */
	ACTION_EMIT,	/* a row: `columns` */
	ACTION_FAILURE, /* -k: a struct script_failure; text is the helper */
};

enum { SCRIPT_JOIN_MAX = 16, SCRIPT_JOIN_ROOM = 1024 };
struct script_join {
	uint32_t count, pad;
	char words[SCRIPT_JOIN_MAX][SCRIPT_JOIN_ROOM];
};

struct script_arg {
	struct script_type type;
	uint32_t offset;		/* in the record; a multiple of 8 */
	bool is_literal;		/* of the program's text: not in the record … */
	const struct script_expr *expr; /* … and this is it: is_constant */
};

/* A column of emit(); the argument of its number is its value. */
struct format_rule;
struct field_name;
struct sock_layout;
struct script_column {
	const char *name;
	const struct format_rule *rule; /* expr/resolve/format.h; NULL: by its type */
	const struct field_name *names; /* of flags, in this kernel */
	const struct sock_layout *sock; /* of the bytes of a socket */
	uint32_t count;			/* of an array of numbers, as bytes; 0: it is none … */
	bool is_signed;			/* … whose sign its type gives */
	bool has_nothing;		/* the value may be `nothing` */
};

struct script_action {
	enum script_action_kind kind;
	unsigned number; /* in script.actions, from 0 */
	struct span span;
	const struct script_expr *call;
	const char *text; /* the format, or of JOIN the separator; escapes are resolved */
	const struct script_map *map;
	struct script_arg *args;
	size_t arg_count;
	const struct script_column *columns; /* EMIT: one for each argument */
	uint32_t size;			     /* bytes of the record */
};

/* The beginning of each record. */
struct script_record {
	uint32_t action; /* number */
	uint32_t point;	 /* index of the point, in script_names */
};

/* A helper failed: what could not be read, or was not in a map, is 0. */
struct script_failure {
	struct script_record head;
	int64_t result; /* -errno; of a map 0 */
};

/* What a program asks of the process that runs it where it cannot walk a map itself; then it is run again. */
enum { SCRIPT_WALKS_MAX = 16 };
struct script_walk {
	uint32_t
		resume; /* where it goes on: from 1, at most SCRIPT_WALKS_MAX; 0: at its beginning */
	enum script_walk_request {
		SCRIPT_WALK_NONE,  /* it has ended */
		SCRIPT_WALK_FIRST, /* the map's first key … */
		SCRIPT_WALK_NEXT,  /* … and the next one, of the walk that goes on there */
		SCRIPT_WALK_COUNT, /* how many keys it has */
	} request;
	uint32_t map, pad; /* number of the map */
	uint64_t answer;   /* the count; or 1: `key` is one; 0: there are no more */
	char key[];
};
static inline uint32_t script_walk_size(uint32_t key)
{
	return (sizeof(struct script_walk) + key + 7) & ~7u;
}

/* ---- a program ---- */

enum script_probe_kind {
	PROBE_BEGIN,
	PROBE_END,
	PROBE_REPORT, /* rows of a table, at the end and every --interval; in tools */
	PROBE_SELF,   /* self:signal:SIGUSR1 */
	PROBE_INTERVAL,
	PROBE_PROFILE,
	PROBE_KPROBE,
	PROBE_KRETPROBE,
	PROBE_FENTRY,
	PROBE_FEXIT,
	PROBE_TRACEPOINT,
	PROBE_RAW_TRACEPOINT,
	PROBE_UPROBE,
	PROBE_URETPROBE,
	PROBE_USDT,
	PROBE_SOFTWARE,
	PROBE_HARDWARE,
	PROBE_WATCHPOINT,
	PROBE_ITER,
	PROBE_TEST,  /* runs with --test only */
	PROBE_BENCH, /* … with --bench */
};

struct script_attach {
	enum script_probe_kind kind;
	struct span span;
	const char **
		parts; /* of text, at colons outside of quotes: "uprobe", "./a", "cpp", "n::f"; then NULL */
	size_t part_count;
	const char *
		text; /* the whole, short names and positional parameters replaced: "kprobe:vfs_read" */
	const char *rest;   /* behind the first colon: "vfs_read"; "" if there is none */
	bool is_of_pattern; /* one of several kinds: "k*probe:vfs_read"; all have the same span */
};

/* iter:NAME:PIN: whoever reads the file of that name gets what its printf() writes. */
static inline bool script_is_pinned(const struct script_attach *at)
{
	return at->kind == PROBE_ITER && at->part_count > 2;
}

struct script_probe {
	struct span span; /* of all its attach points */
	struct script_attach *attaches;
	size_t attach_count;
	struct script_expr *condition; /* NULL: none */
	struct script_stmt *body;      /* the first; NULL: empty */
	struct span body_span;
	unsigned number; /* in script.probes, from 0 */
	bool ends_owner; /* sees the end of all owners of a kind: no filter is for it */
};

/* struct, union, enum or typedef of the program itself. */
struct script_cmember {
	struct span span;
	const char *name;	      /* "" : anonymous */
	struct script_type_name type; /* of a name */
	const struct script_cdef
		*inside;    /* struct { … } without a tag: its definition; else NULL */
	uint32_t counts[4]; /* name[2][3]; 0 ends them */
	bool is_flexible;   /* name[] or name[0]: no element */
	uint32_t bits;	    /* name : bits … */
	bool is_bitfield;   /* … which may be 0, to end a unit */
	bool is_function;   /* a pointer to a function: `type` is void * */
};
enum script_cdef_kind { CDEF_STRUCT, CDEF_UNION, CDEF_ENUM, CDEF_TYPEDEF };
/*
 * All that have a tag, and all enums, are in script.types, those inside of others before them. A TYPEDEF has one member:
 * its type. Integers of C are named as the kernel's BTF names them: "long unsigned int".
 */
struct script_cdef {
	enum script_cdef_kind kind;
	struct span span;
	const char *name;		/* "": anonymous */
	struct script_cmember *members; /* of an enum: name, and `values` */
	int64_t *values;
	size_t count;
	bool is_packed;
	struct script_cdef *next;
};

#endif
