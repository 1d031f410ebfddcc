/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * notation.h - the probes of bcc's trace and argdist → probes of the model.
 *
 *	notation.c	what is made: texts with their places, notes, the first mistake
 *	notation_lex.c	tokens, as in C
 *	notation_parse.c	expressions → nodes
 *	notation_expr.c	nodes → expressions of argdump
 *	notation_value.c  values with a format; notation_printf.c the format of a printf
 *	bcc.c, bcc_argdist.c	the probes of trace and argdist
 *	applet_bcc.c	descriptors
 *
 * Text in, texts out: but for the last line nothing here does I/O or asks the kernel. Names and types are argdump's
 * own affair, by BTF. Every expression knows which bytes of the user's text its own bytes stand for.
 */
#ifndef CORETAP_FRONT_NOTATION_NOTATION_H
#define CORETAP_FRONT_NOTATION_NOTATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "expr/arena.h"
#include "model/model.h"

enum { NOTATION_NOTES_MAX = 8 };

enum notation_token {
	NOTATION_END,
	NOTATION_NAME,	 /* also of a type */
	NOTATION_NUMBER, /* with its unit */
	NOTATION_STRING, /* with its quotes; 'x' too */
	NOTATION_VAR,	 /* $x */
	NOTATION_SIGN,
};

enum notation_kind {
	NOTATION_LITERAL, /* a number, a string, sizeof: as it is written */
	NOTATION_WORD,	  /* a name, $x */
	NOTATION_CALL,	  /* name(arguments) */
	NOTATION_PREFIX,  /* - ! ~ * & */
	NOTATION_BINARY,
	NOTATION_CHOICE, /* a ? b : c */
	NOTATION_MEMBER, /* text is ".x" or "->x" */
	NOTATION_INDEX,
	NOTATION_CAST, /* text is the type */
	NOTATION_PAREN,
};

struct notation_node {
	enum notation_kind kind;
	const char *text;	    /* name, operator, literal … */
	struct notation_node *kid;  /* the first of the operands or arguments */
	struct notation_node *next; /* the next of a list */
	size_t start, end;	    /* in the user's text */
};

struct notation {
	const char *text; /* the user's, from which all positions count */
	struct arena arena;
	/* the reader */
	size_t at, limit; /* the byte after the token, and where reading ends */
	enum notation_token token;
	size_t start, end;	     /* of the token … */
	size_t last_start, last_end; /* … and of the one before */
	unsigned depth;		     /* of parentheses */
	/* the result */
	struct model *model;
	const char *notes[NOTATION_NOTES_MAX];
	size_t note_count;
	bool failed;
	struct {
		size_t start, end;
		char message[200], hint[256];
	} error;
};

/* ---- notation.c ---- */

void notation_free(struct notation *n);
/* The first mistake, in bytes [start, end) of the text; after it the reader is at its end, and
 * nothing that is made is used. `hint` NULL: none. */
void notation_fail(struct notation *n, size_t start, size_t end, const char *hint, const char *fmt,
		   ...) __attribute__((format(printf, 5, 6)));
void notation_fail_node(struct notation *n, const struct notation_node *node, const char *hint,
			const char *fmt, ...) __attribute__((format(printf, 4, 5)));
void notation_note(struct notation *n, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* A text that lives as long as n; "" without memory. */
const char *notation_print(struct notation *n, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
const char *notation_copy(struct notation *n, size_t start, size_t end);
void *notation_alloc(struct notation *n, size_t size); /* NULL: failed */
/* A text made of others: %s is one of nobody's, %t a struct model_text, whose places stay what they are. */
const struct model_text *notation_join(struct notation *n, const char *fmt, ...);
/* The same text, all of which stands for bytes [start, end) of the user's. */
const struct model_text *notation_placed(struct notation *n, const struct model_text *text,
					 size_t start, size_t end);
void notation_expr_add(struct notation *n, const struct model_text *expr);
/* An option of argdump's, of the last probe; text NULL: it has no argument. */
void notation_option_add(struct notation *n, const char *name, const struct model_text *text);
/* A kernel function under all the names that it has had: "A|B". */
const char *notation_function(struct notation *n, const char *name);
/* sys_read, SyS_read: read; NULL: it is no system call's. */
const char *notation_syscall(const char *function);

/* ---- notation_lex.c ---- */

/* Begins with the text, whose probes go to the model. */
void notation_init(struct notation *n, const char *text, struct model *model);
/* Reads [start, end) of the text from now on; the first token is taken. */
void notation_read(struct notation *n, size_t start, size_t end);
void notation_next(struct notation *n);
bool notation_is(const struct notation *n, const char *sign); /* a sign or a name */
bool notation_accept(struct notation *n, const char *sign);
void notation_expect(struct notation *n, const char *sign);
const char *notation_token_text(struct notation *n); /* a copy of the token */
/* The first byte from `at` on that is no blank. */
size_t notation_blank(const struct notation *n, size_t at);
/* Returns the offset after the closing quote of the string at `at`, at most `limit`. */
size_t notation_quote_end(const char *text, size_t at, size_t limit);
/* A literal without its quotes and escapes. */
const char *notation_unquote(struct notation *n, const char *literal);

/* ---- notation_parse.c ---- */

/* An expression; NULL: failed. */
struct notation_node *notation_expr(struct notation *n);
struct notation_node *notation_node(struct notation *n, enum notation_kind kind, const char *text,
				    struct notation_node *kid);
/* The node without parentheses. */
const struct notation_node *notation_bare(const struct notation_node *node);

/* ---- notation_expr.c ---- */

/* How names are resolved where an expression is. */
struct notation_view {
	struct notation *n;
	/* Translates a name. May fail. */
	const struct model_text *(*name)(struct notation_view *v, const struct notation_node *node);
	/* The same of args.x; `member` is x. */
	const struct model_text *(*arg)(struct notation_view *v, const struct notation_node *node,
					const char *member);
	bool is_user;	 /* pointers lead to user memory */
	bool is_untyped; /* arguments are numbers: those of a user program's function */
	void *ctx;
};

/* An expression of argdump's. */
const struct model_text *notation_text(struct notation_view *v, const struct notation_node *node);

/* ---- notation_value.c ---- */

/* A value that is shown or counted by: EXPR[:FORMAT]; `conversion` is that of a printf, or 0. */
const struct model_text *notation_value(struct notation_view *v, const struct notation_node *node,
					char conversion);
/* A name for a value: its last member, or its name. */
const char *notation_name(const struct notation_node *node);
/* A row of counts has a value of this name anyhow. */
bool notation_is_reserved(const char *name);

/* ---- notation_printf.c ---- */

/* Values as NAME=EXPR[:FORMAT]. */
enum { NOTATION_VALUES_MAX = 32 };
struct notation_line {
	const struct model_text *words[NOTATION_VALUES_MAX];
	size_t count;
};
/* Adds the values of a printf, named by the text around them. */
void notation_printf(struct notation_view *v, const struct notation_node *format,
		     const struct notation_node *values, struct notation_line *line);

/* ---- bcc.c, bcc_argdist.c ---- */

/* Each adds a probe to the model, unless n->failed says why not.

 * `with_cpu`: a column for it. */
void notation_trace(struct notation *n, bool with_cpu);
/* `number` is 0 for the first probe; `is_one`: it is the only one of its run. */
void notation_argdist(struct notation *n, bool histogram, unsigned number, bool is_one);

/* ---- applet_bcc.c ---- */

/* An option of another tool's that has no counterpart: which, and what there is. */
struct notation_absent {
	bool is_given;
	const char *option, *hint;
	bool is_harmless; /* it is left out, with a note */
};
/* -EINVAL if one is given that is not harmless, after printing it; ends with option == NULL. */
int notation_absent_report(const struct notation_absent *list);

#endif
