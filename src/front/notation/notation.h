/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * notation.h - converts the probes of bcc's trace and argdist to probes of the model.
 *
 *  *	notation.c	the translation: texts with their places, notes, the first error
 *  *	notation_lex.c	tokens, as in C
 *  *	notation_parse.c	expressions → nodes
 *  *	notation_expr.c	nodes → expressions of argdump
 *  *	notation_value.c  values with a format; notation_printf.c the format of a printf
 *  *	bcc.c, bcc_argdist.c	the probes of trace and argdist
 *  *	applet_bcc.c	descriptors
 *
 * Text in, texts out: except for the last file, nothing here does I/O or queries the kernel. argdump resolves names
 * and types itself, by BTF. Every expression records which bytes of the user's text its own bytes stand for.
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
	NOTATION_STRING, /* with its quotes; also 'x' */
	NOTATION_VAR,	 /* $x */
	NOTATION_SIGN,
};

enum notation_kind {
	NOTATION_LITERAL, /* a number, a string, sizeof: as written */
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
	struct notation_node *kid;  /* the first operand or argument */
	struct notation_node *next; /* the next one in a list */
	size_t start, end;	    /* in the user's text */
};

struct notation {
	const char *text; /* the user's text; all positions refer to it */
	struct arena arena;
	/* the reader */
	size_t at, limit; /* the byte after the token, and the end of what is read */
	enum notation_token token;
	size_t start, end;	     /* of the token … */
	size_t last_start, last_end; /* … and of the one before */
	unsigned depth;		     /* of parentheses */
	/* the result */
	struct model *model;
	const char *notes[NOTATION_NOTES_MAX];
	size_t note_count;
	bool failed;
	bool by_bytes; /* STRCMP("{0x6C, 0}", x) compares bytes */
	struct {
		size_t start, end;
		char message[200], hint[256];
	} error;
};

/* ---- notation.c ---- */

void notation_free(struct notation *n);
/* Stores the first error, at bytes [start, end) of the text. After it the reader is at its end, and the result is not
 * used. `hint` may be NULL. */
void notation_fail(struct notation *n, size_t start, size_t end, const char *hint, const char *fmt,
		   ...) __attribute__((format(printf, 5, 6)));
void notation_fail_node(struct notation *n, const struct notation_node *node, const char *hint,
			const char *fmt, ...) __attribute__((format(printf, 4, 5)));
void notation_note(struct notation *n, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Returns a text that lives as long as n; "" if out of memory. */
const char *notation_print(struct notation *n, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
const char *notation_copy(struct notation *n, size_t start, size_t end);
void *notation_alloc(struct notation *n, size_t size); /* NULL: failed */
/* Returns a text composed of others: %s is a text without a place, %t a struct model_text, whose places are
 * preserved. */
const struct model_text *notation_join(struct notation *n, const char *fmt, ...);
/* Returns the same text, all of which stands for bytes [start, end) of the user's text. */
const struct model_text *notation_placed(struct notation *n, const struct model_text *text,
					 size_t start, size_t end);
void notation_expr_add(struct notation *n, const struct model_text *expr);
/* Adds an option of argdump to the last probe; text NULL: without an argument. */
void notation_option_add(struct notation *n, const char *name, const struct model_text *text);
/* Returns a kernel function under all names that it has had: "A|B". */
const char *notation_function(struct notation *n, const char *name);
/* Returns read for sys_read and SyS_read; NULL: not a system call. */
const char *notation_syscall(const char *function);

/* ---- notation_lex.c ---- */

/* Starts with the text, whose probes go to the model. */
void notation_init(struct notation *n, const char *text, struct model *model);
/* Reads [start, end) of the text from now on, beginning with its first token. */
void notation_read(struct notation *n, size_t start, size_t end);
void notation_next(struct notation *n);
bool notation_is(const struct notation *n, const char *sign); /* a sign or a name */
bool notation_accept(struct notation *n, const char *sign);
void notation_expect(struct notation *n, const char *sign);
const char *notation_token_text(struct notation *n); /* a copy of the token */
/* Returns the first byte from `at` on that is not blank. */
size_t notation_blank(const struct notation *n, size_t at);
/* Returns the offset after the closing quote of the string at `at`, at most `limit`. */
size_t notation_quote_end(const char *text, size_t at, size_t limit);
/* Returns a literal without its quotes and escapes. */
const char *notation_unquote(struct notation *n, const char *literal);

/* ---- notation_parse.c ---- */

/* Parses an expression. NULL: failed. */
struct notation_node *notation_expr(struct notation *n);
struct notation_node *notation_node(struct notation *n, enum notation_kind kind, const char *text,
				    struct notation_node *kid);
/* Returns the node without parentheses. */
const struct notation_node *notation_bare(const struct notation_node *node);

/* ---- notation_expr.c ---- */

/* How names in an expression are resolved. */
struct notation_view {
	struct notation *n;
	/* Translates a name. May fail. */
	const struct model_text *(*name)(struct notation_view *v, const struct notation_node *node);
	/* The same for args.x; `member` is x. */
	const struct model_text *(*arg)(struct notation_view *v, const struct notation_node *node,
					const char *member);
	bool is_user;	 /* pointers refer to user memory */
	bool is_untyped; /* arguments are numbers: those of a user program's function */
	void *ctx;
};

/* Returns an expression of argdump. */
const struct model_text *notation_text(struct notation_view *v, const struct notation_node *node);

/* ---- notation_value.c ---- */

/* Returns a value to print or count by: EXPR[:FORMAT]; `conversion` is that of a printf, or 0. */
const struct model_text *notation_value(struct notation_view *v, const struct notation_node *node,
					char conversion);
/* Returns a name for a value: its last member, or its name. */
const char *notation_name(const struct notation_node *node);
/* True if rows of counts always have a value of this name. */
bool notation_is_reserved(const char *name);

/* ---- notation_printf.c ---- */

/* Values as NAME=EXPR[:FORMAT]. */
enum { NOTATION_VALUES_MAX = 32 };
struct notation_line {
	const struct model_text *words[NOTATION_VALUES_MAX];
	size_t count;
};
/* Adds the values of a printf, named after the text around them. */
void notation_printf(struct notation_view *v, const struct notation_node *format,
		     const struct notation_node *values, struct notation_line *line);

/* ---- bcc.c, bcc_argdist.c ---- */

/* Each adds a probe to the model, or sets n->failed.
 *
 * `with_cpu`: adds a column for it. */
void notation_trace(struct notation *n, bool with_cpu);
/* `number` is 0 for the first probe; `is_one`: the run has no other. */
void notation_argdist(struct notation *n, bool histogram, unsigned number, bool is_one);

/* ---- applet_bcc.c ---- */

/* An option of another tool without an equivalent: its name, and an alternative. */
struct notation_absent {
	bool is_given;
	const char *option, *hint;
	bool is_harmless; /* it is ignored, with a note */
};
/* Returns -EINVAL if one that is not harmless was given, after printing an error; the list ends with option == NULL. */
int notation_absent_report(const struct notation_absent *list);

#endif
