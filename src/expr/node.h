/* SPDX-License-Identifier: GPL-2.0 */
/*
 * node.h - what lex and parse make of a text: tokens, nodes, a format; and what resolve adds to the
 * nodes. compiler.h's first part.
 */
#ifndef CORETAP_EXPR_NODE_H
#define CORETAP_EXPR_NODE_H

#include <stdbool.h>
#include <stdint.h>

/* ---- lex ---- */

struct span {
	uint32_t start, end; /* bytes of the text: [start, end) */
};

enum token_kind {
	TOKEN_END,
	TOKEN_NAME,
	TOKEN_BUILTIN, /* $pid; its span has the $ */
	TOKEN_NUMBER,
	TOKEN_CHAR, /* 'a': a number */
	TOKEN_STRING,
	TOKEN_PUNCT,
};

struct token {
	enum token_kind kind;
	struct span span;
	uint64_t number;
	bool is_unsigned, is_long; /* NUMBER: its suffix, or how it is written, says so */
	const char *bytes;         /* STRING: without quotes and escapes, `number` of them, then NUL */
};

/* ---- parse ---- */

enum node_kind {
	NODE_NAME,    /* file */
	NODE_BUILTIN, /* $pid */
	NODE_NUMBER,  /* 42, 'a', an enum constant, sizeof(…) */
	NODE_STRING,  /* "text" */
	NODE_SYMBOL,  /* @jiffies: a variable of the kernel */
	NODE_MEMBER,  /* child.name */
	NODE_ARROW,   /* child->name */
	NODE_INDEX,   /* child[other] */
	NODE_DEREF,   /* *child */
	NODE_ADDRESS, /* &child */
	NODE_UNARY,   /* -child, ~child, !child: oper */
	NODE_BINARY,  /* child + other: oper */
	NODE_AND,     /* child && other */
	NODE_OR,      /* child || other */
	NODE_CHOICE,  /* child ? other : third */
	NODE_CAST,    /* (type_name)child */
	NODE_SIZEOF,  /* sizeof child, sizeof(type_name): becomes a NUMBER */
	NODE_CONTAINER, /* container_of(child, type_name, name) */
	NODE_FALLBACK,  /* child ?? other: becomes the one that this kernel has */
};

enum oper {
	OPER_NONE,
	OPER_NEGATE,
	OPER_COMPLEMENT,
	OPER_NOT,
	OPER_MUL,
	OPER_DIV,
	OPER_MOD,
	OPER_ADD,
	OPER_SUB,
	OPER_SHL,
	OPER_SHR,
	OPER_LT,
	OPER_GT,
	OPER_LE,
	OPER_GE,
	OPER_EQ,
	OPER_NE,
	OPER_MATCH, /* text ~ "glob" */
	OPER_AND,
	OPER_XOR,
	OPER_OR,
};
const char *oper_text(enum oper oper);

/* A type as it is written in a cast; resolve finds it. */
enum type_tag { TYPE_NAMED, TYPE_STRUCT, TYPE_UNION, TYPE_ENUM, TYPE_INT, TYPE_CHAR, TYPE_VOID };
struct type_name {
	struct span span, name; /* of all; of the tag or typedef */
	enum type_tag tag;
	uint8_t int_size; /* TYPE_INT, TYPE_CHAR */
	bool int_signed;
	bool user; /* __user */
	uint8_t stars;
};

/*
 * A C type: `stars` pointers to BTF type `id`. Expressions make pointer types that BTF has no id
 * for (&file->f_path); integers that come from no BTF (a built-in, a number) have int_size.
 */
struct ctype {
	uint32_t id;
	uint8_t stars;
	uint8_t int_size; /* 1, 2, 4, 8: a plain integer under the stars, id means nothing */
	bool int_signed;
	bool user; /* the outermost star points at user memory: a cast says so */
};

enum node_place {
	PLACE_VALUE,  /* computed: has no address */
	PLACE_MEMORY, /* lies at an address */
};

struct node {
	enum node_kind kind;
	struct span span; /* all of it */
	struct span name; /* the identifier of NAME, BUILTIN (with its $), MEMBER, ARROW */
	struct span op;   /* MEMBER, ARROW, BINARY: the operator */
	struct span argument; /* BUILTIN: in its parentheses, $reg(di); empty: none */
	struct node *child, *other, *third; /* BUILTIN $ctx: child is what it stands for */
	enum oper oper;
	struct type_name type_name; /* CAST, SIZEOF without a child, CONTAINER */
	int64_t number; /* NUMBER; STRING: length */
	bool number_unsigned, number_long;
	const char *bytes; /* STRING */

	/* resolve's */
	struct ctype type;
	enum node_place place;
	const struct builtin *builtin; /* BUILTIN, but for $argN */
	unsigned param;                /* NAME, $argN: number of the parameter, from 0 */
	uint32_t bit_offset, bit_size; /* MEMBER, ARROW: in the struct; bit_size of a bitfield.
	                                * CONTAINER: of the member */
	uint64_t address;              /* SYMBOL */
	uint32_t percpu;               /* SYMBOL: BTF id of a per-CPU variable; 0: it is none */
	int reg;                       /* BUILTIN $reg, $stack: offset in struct pt_regs */
};

struct format {
	struct span span; /* of all behind the ':'; empty: none given */
	struct span name;
	uint64_t length; /* 0: none given */
	uint32_t count;  /* of [N]; 0: none given */
	bool has_bits;   /* b4@2/32: the name has the width */
	uint8_t bit_offset, bit_container;
};

#endif
