/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ast.h - the syntax tree of a program in bpftrace's language, and what resolve adds to it.
 *
 * Every node has its span in the text as typed, so that an error can point to it. Nodes live in the program's arena.
 * resolve may run many times over one tree, once for each place where a probe is attached. It sets the members below
 * "set by resolve" anew each time and changes nothing else.
 */
#ifndef CORETAP_SCRIPT_AST_H
#define CORETAP_SCRIPT_AST_H

#include "script/action.h"
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
	X_PART,	    /* a.0: number is the index */
	X_INDEX,    /* a[b] */
	X_UNARY,    /* -a ~a !a: oper */
	X_DEREF,    /* *a */
	X_ADDRESS,  /* &a */
	X_STEP,	    /* a++ --a: oper is OPER_ADD or OPER_SUB; is_prefix */
	X_BINARY,   /* a + b: oper */
	X_AND,	    /* a && b */
	X_OR,	    /* a || b */
	X_CHOICE,   /* a ? b : c */
	X_FALLBACK, /* a ?: b: a if it is true, else b; a is evaluated once */
	/* a ?? b: b if this kernel has no a, or if memory on the way to a cannot be read */
	X_ELSE,
	X_CAST,	    /* (type_name)a */
	X_SIZEOF,   /* sizeof(a), sizeof(type_name) */
	X_OFFSETOF, /* offsetof(type_name or a, name): name may be a.b.c */
	/* a member of typeinfo(a) or typeinfo(type_name): number 0 is the id, 1 the kind, 2 the name */
	X_TYPEINFO,
	X_TUPLE, /* (items), (name=item, …): names */
	X_BLOCK, /* { body; a } */
	X_TYPE,	 /* typeof(type), an argument of a macro: type_name */
};

/* Returns the size in the kernel of the value of a map without a key: the image, then a word that is 1 if a value is
 * set. */
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

/* A format in an argument of emit(): E:name, E:name[count] or E:name(constant). */
struct script_format {
	struct span span;
	const char *name; /* NULL: no format */
	const char *constant;
	uint32_t count;
	bool has_title; /* NAME = E */
};

/* The call of a macro of the program, from which calls in the macro's body were expanded. */
struct script_expansion {
	const struct script_expr *of; /* the call in the body */
	struct span call;
	const struct script_expansion *outer, *next; /* next: in script.expansions */
};

struct script_expr {
	enum script_expr_kind kind;
	struct span span;
	struct span name_span; /* the span of `name`; in BINARY, of the operator */
	struct script_expr *a, *b, *c;
	struct script_expr **items;
	size_t count;
	const char *name;   /* without $ and @; "" for the map @ */
	const char **names; /* TUPLE, emit(): one for each item; NULL: no item is named */
	const struct script_format *formats; /* emit(): one for each item */
	uint64_t number;
	const char *bytes; /* STRING: followed by a NUL */
	uint32_t length;
	enum oper oper;
	bool is_prefix, is_arrow;
	/* CHOICE: written as if a { } else { }; b and c are BLOCK, or CHOICE again */
	bool is_if;
	bool has_call;	   /* CALL of a WORD, written with (): pid() */
	bool is_formatted; /* built from a format of emit() */
	/* CAST, TYPE; in SIZEOF, OFFSETOF and TYPEINFO NULL if `a` is used */
	const struct script_type_name *type_name;
	struct script_stmt *body; /* BLOCK: the first statement; NULL: none */
	uint16_t depth;		  /* height of the subtree, this node included */

	/* ---- set by resolve ---- */
	/*
	 * The type of the value as it is computed. A value is converted where it is stored (a variable, a value or
	 * key of a map, an argument of an action, a part of a tuple): integers are extended by their own sign,
	 * strings are cut or filled with 0, tuples part by part. NONE: not known yet. A map of count(), sum(), min(),
	 * max() or avg() that is read is an INT; map->value has its own type. A map passed as such (print(@m), for)
	 * is VOID.
	 */
	struct script_type type;
	/* True if the value is known: `value` for an INT, a BOOL or a POINTER; bytes and length, also set by resolve,
	 * for a STRING or an ARRAY of bytes. Nothing below has to be computed then. If the condition of an `if`, a
	 * choice, && or
	 *
	 * is constant, the branch that it excludes is not resolved and must not be computed. */
	bool is_constant;
	/* Also set for CALL. reg(): the offset in struct pt_regs. uaddr(): the address in the file. percpu_kaddr():
	 * the BTF id of the variable. nsecs(), strftime(): enum script_clock. pid(), tid(): 1 for the initial
	 * namespace. signal(): the signal, if it was named. */
	int64_t value;
	bool discards;	  /* the value is not used */
	bool is_absent;	  /* ELSE: this kernel has no `a`; `a` is not resolved */
	bool is_relative; /* CALL of uaddr(): `value` is the distance from the probe's address */
	struct script_var *var;
	struct script_map
		*map; /* MAP; CALL of delete(), print(), len() …: the map of its first argument */
	/* WORD, CALL. A FIELD of `args` has FUNC_ARGS, and `param`. The WORD args (or DEREF of it) used as a value
	 * has FUNC_ARGS and is a TUPLE with a part for each parameter that is a number, a pointer or bytes; resolve
	 * sets its items (a FIELD for each), names and count. */
	enum script_func func;
	unsigned param; /* arg0, args.name: index of the parameter, from 0 */
	/* FIELD; PART, or INDEX by a constant, of a TUPLE: offset from the start of `a`, or of what `a` points to.
	 * bit_size 0: not a bit-field. */
	uint32_t bit_offset, bit_size;
	/* CALL of a function that user space runs; set after is_final */
	struct script_action *action;
	unsigned text;	/* index in script.texts of the literal that user space needs; 0: none */
	uint32_t place; /* used by emit: where the bytes are */
};

/* A type as written in a cast, let or sizeof. */
struct script_type_name {
	struct span span;
	const char *name; /* "uint64", "struct file", "string" */
	uint8_t stars;
	bool is_array;			      /* [], [count] */
	uint32_t count;			      /* 0: written as [] */
	const struct script_expr *of;	      /* typeof(of): name is NULL then */
	const struct script_type_name *parts; /* (a, b): `part_count` parts; name is NULL then */
	size_t part_count;
};

enum script_stmt_kind {
	S_EXPR,	     /* a; never a BLOCK or an `if`, which are statements */
	S_ASSIGN,    /* target oper= a; oper may be OPER_NONE */
	S_LET,	     /* let target: type_name = a; type_name and a are optional */
	S_DISCARD,   /* _ = a; */
	S_IF,	     /* if a body else otherwise */
	S_WHILE,     /* while a body */
	S_FOR_RANGE, /* for target : a..b body */
	S_FOR_MAP,   /* for target : a body; a is a MAP */
	S_UNROLL,    /* unroll a body */
	S_BREAK,
	S_CONTINUE,
	S_RETURN, /* return a; a is optional */
	S_BLOCK,  /* { body } */
};

struct script_stmt {
	enum script_stmt_kind kind;
	struct span span;
	struct script_expr *target; /* VAR or MAP */
	struct script_expr *a, *b;
	enum oper oper;
	const struct script_type_name *type_name;
	struct script_stmt *body, *otherwise; /* the first statement of each */
	struct script_stmt *next;
	uint16_t depth; /* height of the subtree, this statement included */
};

/* ---- filled by resolve ---- */

struct script_var {
	const char *name;
	struct span span;		 /* of the first assignment */
	const struct script_expr *first; /* the VAR of that assignment */
	struct script_type type;
	bool is_fixed;		 /* has a type from let $a: type */
	bool is_let;		 /* declared by let, or as the variable of a loop */
	bool is_seen;		 /* used by resolve: seen in this run */
	bool is_assigned;	 /* used for warnings: by the statements so far */
	uint32_t place;		 /* used by emit */
	struct script_var *next; /* next variable of this program */
};

/* How the kernel stores a map. */
enum script_storage {
	SCRIPT_HASH,	 /* without a key: an array of one value */
	SCRIPT_LRU_HASH, /* let @a = lruhash(N) */
	SCRIPT_PER_CPU,	 /* aggregates */
	SCRIPT_LRU_PER_CPU,
};

/* The type of the key of a map let @a = owned_by(sk). The kernel removes the entry when the object that is the key
 * ends. */
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
/* Returns the type of the key, for errors. */
const char *script_owner_key(enum script_owner owner);

struct script_map {
	const char *name; /* "" for @ */
	struct span span; /* of the first use */
	unsigned number;  /* index in script.maps */
	bool has_key;
	bool is_used;		/* has_key is known */
	bool is_known;		/* both types are complete */
	struct script_type key; /* a TUPLE if there are several keys */
	struct script_type value;
	enum script_storage storage;
	uint32_t entries; /* the most entries */
	bool is_declared; /* let @a = …; */
	bool is_array;	  /* let @a = percpuarray(1): has no key */
	enum script_owner owner;
	struct span owner_span; /* of the word in owned_by(…) */
	bool is_hidden;		/* not printed at the end */
	bool is_read;		/* a program reads its count as a number */
	bool is_deleted;	/* a program deletes keys, so a key that is set is usually new */
};

/*
 * The value of a hash of aggregates has a slot for each processor, unless that would be too large. The kernel
 * allocates per-CPU memory a few bytes at a time: a map of 4096 counters takes 30 ms, one of histograms 70 ms.
 */
enum {
	SCRIPT_SLOT = 64,	     /* a cache line: no two processors write to the same one */
	SCRIPT_SLOTS_MOST = 1 << 20, /* largest value, in bytes … */
	SCRIPT_SLOTS_ALL = 32 << 20, /* … and largest total of all values */
};

/* Returns the bytes of a slot, or 0 if the map has no slots. `entries`: the most keys. */
static inline uint32_t script_map_slot(const struct script_map *m, uint32_t cpus, uint32_t entries)
{
	uint32_t slot = ((m->value.size ?: 8) + SCRIPT_SLOT - 1) / SCRIPT_SLOT * SCRIPT_SLOT;
	uint64_t size = (uint64_t)slot * cpus;

	if (m->storage != SCRIPT_PER_CPU || !m->has_key || !cpus)
		return 0;
	return size <= SCRIPT_SLOTS_MOST && size * entries <= SCRIPT_SLOTS_ALL ? slot : 0;
}

/* ---- a program ---- */

enum script_probe_kind {
	PROBE_BEGIN,
	PROBE_END,
	/* rows of a table, printed at the end and at every --interval; only in tools */
	PROBE_REPORT,
	PROBE_SELF, /* self:signal:SIGUSR1 */
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
	PROBE_BENCH, /* runs with --bench only */
};

struct script_attach {
	enum script_probe_kind kind;
	struct span span;
	const char **
		/* the text split at colons outside of quotes: "uprobe", "./a", "cpp", "n::f"; then NULL */
		parts;
	size_t part_count;
	const char *
		/* the whole attach point, with short names and positional parameters replaced: "kprobe:vfs_read" */
		text;
	const char *rest; /* after the first colon: "vfs_read"; "" if there is no colon */
	/* one of several kinds that match a pattern, "k*probe:vfs_read"; all share its span */
	bool is_of_pattern;
};

/* True for iter:NAME:PIN, an iterator pinned to a file: the reader of the file gets what printf() writes. */
static inline bool script_is_pinned(const struct script_attach *at)
{
	return at->kind == PROBE_ITER && at->part_count > 2;
}

struct script_probe {
	struct span span; /* of all its attach points */
	struct script_attach *attaches;
	size_t attach_count;
	struct script_expr *condition; /* NULL: no condition */
	struct script_stmt *body;      /* the first statement; NULL: empty */
	struct span body_span;
	unsigned number; /* index in script.probes */
	bool ends_owner; /* runs at the end of every owner of a kind; no filter applies */
};

struct script_cattributes {
	bool is_packed;
	uint32_t align; /* aligned(…); 0: none */
};

/* A member of a struct, union, enum or typedef that the program defines. */
struct script_cmember {
	struct span span;
	const char *name;	      /* "": anonymous */
	struct script_type_name type; /* of a name */
	const struct script_cdef
		*inside;    /* a struct { … } without a tag: its definition; else NULL */
	uint32_t counts[4]; /* name[2][3]; a 0 ends the list */
	bool is_flexible;   /* name[] or name[0]: a flexible array */
	uint32_t bits;	    /* name : bits … */
	bool is_bitfield;   /* … 0 bits end a unit */
	struct script_cattributes attributes;
	bool is_function; /* a pointer to a function: `type` is void * */
};
enum script_cdef_kind { CDEF_STRUCT, CDEF_UNION, CDEF_ENUM, CDEF_TYPEDEF };
/*
 * script.types holds all types with a tag, and all enums; an inner type precedes its outer one. A TYPEDEF has one
 * member: its type. C's integers are named as in the kernel's BTF: "long unsigned int".
 */
struct script_cdef {
	enum script_cdef_kind kind;
	struct span span;
	const char *name;		/* "": anonymous */
	struct script_cmember *members; /* of an enum: names and their `values` */
	int64_t *values;
	size_t count;
	struct script_cattributes attributes;
	struct script_cdef *next;
};

#endif
