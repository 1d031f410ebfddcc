/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ast.h - the results of lex and parse: tokens, nodes, a format; and what resolve adds to nodes.
 * Part one of program.h.
 */
#ifndef CORETAP_EXPR_AST_H
#define CORETAP_EXPR_AST_H

#include <stdbool.h>
#include <stdint.h>

#include "expr/relocs.h"

/* ---- lex ---- */

struct span {
	uint32_t start, end; /* bytes of the text: [start, end) */
};

enum token_kind {
	TOKEN_END,
	TOKEN_NAME,
	TOKEN_BUILTIN, /* $pid; the span includes the $ */
	TOKEN_NUMBER,
	TOKEN_CHAR, /* 'a': a number */
	TOKEN_STRING,
	TOKEN_PUNCT,
};

struct token {
	enum token_kind kind;
	struct span span;
	uint64_t number;
	bool is_unsigned, is_long; /* NUMBER: by its suffix or its notation */
	const char *bytes;	   /* STRING: `number` bytes without quotes and escapes, then NUL */
};

/* ---- parse ---- */

enum node_kind {
	NODE_NAME,	/* file */
	NODE_BUILTIN,	/* $pid */
	NODE_NUMBER,	/* 42, 'a', an enum constant, sizeof(…) */
	NODE_STRING,	/* "text" */
	NODE_SYMBOL,	/* @jiffies: a variable of the kernel */
	NODE_MEMBER,	/* child.name */
	NODE_ARROW,	/* child->name */
	NODE_INDEX,	/* child[other] */
	NODE_DEREF,	/* *child */
	NODE_ADDRESS,	/* &child */
	NODE_UNARY,	/* -child, ~child, !child: oper */
	NODE_BINARY,	/* child + other: oper */
	NODE_AND,	/* child && other */
	NODE_OR,	/* child || other */
	NODE_CHOICE,	/* child ? other : third */
	NODE_CAST,	/* (type_name)child */
	NODE_SIZEOF,	/* sizeof child, sizeof(type_name): becomes NUMBER */
	NODE_CONTAINER, /* container_of(child, type_name, name) */
	NODE_PERCPU,	/* percpu(child): becomes CAST */
	NODE_FALLBACK,	/* child ?? other: becomes the one that this kernel supports */
	NODE_END,	/* @end(child): becomes the child */
	NODE_KEPT,	/* what the begin kept in slot `number` */
	NODE_INSIDE,	/* @in(child): value `number` of the call that the thread is inside of; */
			/* `other`: the same value in the next function of the set */
	NODE_PATH,	/* child:path, compared or counted by */
	NODE_SOCK,	/* child:sock, :local, :peer, compared; number is a sock_end */
	NODE_LOOP,  /* @sum(argument < child, other), `name` is the word; over a list: no child */
	NODE_LIST,  /* @list(child, type_name, name): the current element */
	NODE_ROUND, /* the number of the current round: `argument` of its LOOP */
	NODE_PACKET, /* pcap(child, bytes): no child: the first parameter that is a packet; `argument` is the text */
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
static inline bool oper_compares(enum oper oper)
{
	return oper >= OPER_LT && oper <= OPER_NE;
}

enum sock_end { NODE_SOCK_BOTH, NODE_SOCK_LOCAL, NODE_SOCK_PEER };

/* How a loop combines its rounds. */
enum loop_kind { LOOP_SUM, LOOP_COUNT, LOOP_ANY };
enum { LOOP_ROUNDS = 128 }; /* the most that every verifier follows */

/* A type as written in a cast; resolve looks it up. */
enum type_tag { TYPE_NAMED, TYPE_STRUCT, TYPE_UNION, TYPE_ENUM, TYPE_INT, TYPE_CHAR, TYPE_VOID };
struct type_name {
	struct span span, name; /* of the whole type; of its tag or typedef */
	enum type_tag tag;
	uint8_t int_size; /* TYPE_INT, TYPE_CHAR */
	bool int_signed;
	bool user; /* __user */
	uint8_t stars;
};

/*
 * A C type: `stars` pointers to BTF type `id`. Expressions create pointer types that have no BTF
 * id (&file->f_path); integers that do not come from BTF (a built-in, a number) have int_size.
 */
struct ctype {
	uint32_t id;
	uint8_t stars;
	uint8_t int_size; /* 1, 2, 4, 8: a plain integer under the stars; id is unused */
	bool int_signed;
	bool user; /* a cast says that the outermost pointer is to user memory */
};

enum value_category {
	CATEGORY_RVALUE, /* computed: no address */
	CATEGORY_LVALUE, /* in memory */
};

struct node {
	enum node_kind kind;
	struct span span; /* the whole node */
	struct span name; /* the identifier of NAME, BUILTIN (with its $), MEMBER, ARROW */
	struct span op;	  /* MEMBER, ARROW, BINARY: the operator */
	/* BUILTIN: the text in parentheses, as in $reg(di). LOOP: the name of the counter. Empty:
	 * none */
	struct span argument;
	/* BUILTIN $ctx: child is the expression that it is short for */
	struct node *child, *other, *third;
	enum oper oper;
	struct type_name type_name; /* CAST, SIZEOF without a child, CONTAINER */
	int64_t number;		    /* NUMBER; STRING: length */
	bool number_unsigned, number_long;
	enum expr_fact fact; /* NUMBER: the loader supplies this fact instead of `number` */
	const char *bytes;   /* STRING */

	/* set by resolve */
	struct ctype type;
	enum value_category category;
	const struct builtin *builtin; /* BUILTIN, except $argN */
	unsigned param;		       /* NAME, $argN: index of the parameter, from 0 */
	/* MEMBER, ARROW: offset in the struct, and bits of a bitfield. CONTAINER: offset of the
	 * member. PATH: offset of the struct path */
	uint32_t bit_offset, bit_size;
	uint64_t address;    /* SYMBOL */
	uint32_t percpu;     /* SYMBOL: BTF id of a per-CPU variable; 0: not per-CPU */
	int reg;	     /* BUILTIN $reg, $stack: offset in struct pt_regs */
	uint32_t room;	     /* PATH: keep only that many last bytes, with the NUL; 0: all */
	bool is_dentry;	     /* PATH: the child is a pointer to a dentry */
	enum loop_kind loop; /* LOOP */
	struct node *list;   /* LOOP: the LIST that it walks; NULL: none */
	/* LIST: offset of the pointer in the head, and in an element; true if the list ends with
	 * NULL */
	int first_at, next_at;
	bool is_hlist;
};

struct format {
	struct span span; /* from the ':' to the end; empty: no format */
	struct span name;
	struct span constant; /* of enum(CONSTANT), or a string "A,B"; empty: none */
	uint64_t length;      /* 0: none */
	uint32_t count;	      /* of [N]; 0: none */
	struct node *bytes;   /* of [EXPR]: the number of bytes; NULL: none */
	bool has_bits;	      /* b4@2/32: the width is in the name */
	uint8_t bit_offset, bit_container;
};

#endif
