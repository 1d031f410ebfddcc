/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * notation.h - one-liners as other tracers write them → words of argdump's command line.
 *
 *	notation.c	what is made: words, notes, the first mistake
 *	notation_lex.c	tokens, as in C
 *	notation_parse.c	expressions → nodes
 *	notation_node.c	nodes, $x; notation_const.c what is known of them beforehand
 *	notation_expr.c	nodes → expressions of argdump; notation_call.c their functions
 *	notation_value.c  values with a format; notation_printf.c the format of a printf
 *	bcc*.c		the probes of bcc's trace and argdist
 *	notation_run.c	a run of argdump with these words
 *	applet_bcc.c	descriptors
 *
 * Text in, words out: but for the last two lines nothing here does I/O or asks the kernel. Names
 * and types are argdump's own affair, by BTF.
 */
#ifndef CORETAP_FRONT_NOTATION_NOTATION_H
#define CORETAP_FRONT_NOTATION_NOTATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "expr/arena.h"

enum {
	NOTATION_WORDS_MAX = 256,
	NOTATION_NOTES_MAX = 8,
	NOTATION_VARS_MAX = 32,
	NOTATION_KEPT_MAX = 16,
	NOTATION_MARKS_MAX = 256
};

enum notation_token {
	NOTATION_END,
	NOTATION_NAME,	 /* also of a type */
	NOTATION_NUMBER, /* with its unit */
	NOTATION_STRING, /* with its quotes; 'x' too */
	NOTATION_VAR,	 /* $x */
	NOTATION_MAP,	 /* @x, or @ */
	NOTATION_SIGN,
};

enum notation_kind {
	NOTATION_LITERAL, /* a number, a string, sizeof: as it is written */
	NOTATION_WORD,	  /* a name */
	NOTATION_SCRATCH, /* $x */
	NOTATION_STORE,	  /* @x[keys] */
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
	struct notation_node *kid;  /* the first of the operands, arguments or keys */
	struct notation_node *next; /* the next of a list */
	size_t start, end;	    /* in the user's text */
};

/* A value that is known before anything is traced. */
struct notation_const {
	const char *text; /* NULL: a number */
	int64_t number;
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
	/* $x that were given a value */
	struct {
		const char *name;
		struct notation_node *value;
	} vars[NOTATION_VARS_MAX];
	size_t var_count;
	/* @x that keep one value from the beginning on */
	struct {
		const struct notation_node *store;
		struct notation_const value;
	} kept[NOTATION_KEPT_MAX];
	size_t kept_count;
	/* Whose BEGIN is: coretap's own. */
	struct {
		uint32_t pid, uid, gid;
		const char *comm;
		bool is_here; /* names are read there */
	} self;
	uint64_t now;	     /* when it is translated, CLOCK_MONOTONIC ns; 0: unknown */
	char *const *params; /* $1 …; NULL: none can be given */
	size_t param_count;
	/* the result */
	/* expressions, and their places in the text */
	struct notation_mark {
		const char *text;
		size_t start, end;
	} marks[NOTATION_MARKS_MAX];
	size_t mark_count;
	const char *words[NOTATION_WORDS_MAX + 1];
	size_t count;
	const char *notes[NOTATION_NOTES_MAX];
	size_t note_count;
	const char *banner; /* what BEGIN prints; NULL: nothing */
	/* options that follow from values; NULL: none */
	const char *stack_depth;
	bool failed;
	struct {
		size_t start, end;
		char message[200], hint[256];
	} error;
};

/* ---- notation.c ---- */

void notation_init(struct notation *n, const char *text);
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
void notation_word(struct notation *n, const char *word);
/* A kernel function under all the names that it has had: "A|B". */
const char *notation_function(struct notation *n, const char *name);
/* sys_read, SyS_read: read; NULL: it is no system call's. */
const char *notation_syscall(const char *function);
void notation_words(struct notation *n, const char *option, const char *value);

/* ---- notation_lex.c ---- */

/* Reads [start, end) of the text from now on; the first token is taken. */
void notation_read(struct notation *n, size_t start, size_t end);
void notation_next(struct notation *n);
bool notation_is(const struct notation *n, const char *sign); /* a sign or a name */
bool notation_accept(struct notation *n, const char *sign);
void notation_expect(struct notation *n, const char *sign);
const char *notation_token_text(struct notation *n); /* a copy of the token */
/* The first byte from `at` on that is no blank, no comment and no line of the preprocessor. */
size_t notation_blank(const struct notation *n, size_t at);
/* Returns the offset after the closing quote of the string at `at`, at most `limit`. */
size_t notation_quote_end(const char *text, size_t at, size_t limit);
/* A literal without its quotes and escapes. */
const char *notation_unquote(struct notation *n, const char *literal);

/* ---- notation_parse.c ---- */

/* An expression; NULL: failed. */
struct notation_node *notation_expr(struct notation *n);
/* A list of them up to `close`, which is taken. NULL: it is empty, or failed. */
struct notation_node *notation_list(struct notation *n, const char *close);

/* ---- notation_node.c ---- */

struct notation_node *notation_node(struct notation *n, enum notation_kind kind, const char *text,
				    struct notation_node *kid);
bool notation_same(const struct notation_node *a, const struct notation_node *b);
/* Compares all nodes of two lists. */
bool notation_same_list(const struct notation_node *a, const struct notation_node *b);
/* The node without parentheses. */
const struct notation_node *notation_bare(const struct notation_node *node);
bool notation_is_word(const struct notation_node *node, const char *word);
/* A number without _ and with its zeros instead of an exponent. */
const char *notation_number(struct notation *n, const char *text);
/* Calls `each` for the node and all below it. */
void notation_walk(const struct notation_node *node,
		   void (*each)(void *ctx, const struct notation_node *node), void *ctx);

/* ---- notation_const.c ---- */

/* True if the value is known before tracing. It may be a text. */
bool notation_const(struct notation *n, const struct notation_node *node,
		    struct notation_const *value);
/* As `len` bytes from `percent` on print it: %-8d; len 0: as it is. */
const char *notation_const_print(struct notation *n, const struct notation_const *value,
				 const char *percent, size_t len);
/* The element of a tuple that .1 or [1] is; NULL: it is none of a tuple. */
const struct notation_node *notation_element(struct notation *n, const struct notation_node *node);

/* The node for $x: its value, a number of the command line, or a NOTATION_SCRATCH. */
struct notation_node *notation_var(struct notation *n, const char *name);

/* ---- notation_expr.c ---- */

/* How names are resolved where an expression is. */
struct notation_view {
	struct notation *n;
	/* Translates a name. NULL: names stay as written. May fail. */
	const char *(*name)(struct notation_view *v, const struct notation_node *node);
	/* The same of args.x; `member` is x. */
	const char *(*arg)(struct notation_view *v, const struct notation_node *node,
			   const char *member);
	/* The value of @x[keys] or $x. NULL if it has none that can be read. */
	const struct notation_node *(*store)(struct notation_view *v,
					     const struct notation_node *node);
	bool is_user;	    /* pointers lead to user memory */
	bool is_untyped;    /* arguments are numbers: those of a user program's function … */
	bool has_ints;	    /* … and %d is of an int */
	bool is_c;	    /* %d is of a number of 64 bits, whatever its type says it means */
	const char *probe;  /* the beginning of `probe`, which $func follows; NULL: unknown */
	bool is_thread;	    /* both sides are of one thread: who it is, is the same */
	const char *at_end; /* "@end", "@ret": values of this side are wrapped so; NULL: not */
	bool is_return;	    /* at_end is @ret: only what has changed since the entry needs it */
	const struct notation_view *begin; /* whose values `store` gives; NULL: this one's */
	void *ctx;
};

/* An expression of argdump's. */
const char *notation_text(struct notation_view *v, const struct notation_node *node);
/* The same of a call of a function. */
const char *notation_call(struct notation_view *v, const struct notation_node *node);
/* True if expressions can call a function of this name. */
bool notation_is_call(const char *name);
struct suggestion;
/* Offers all of them. */
void notation_functions_offer(struct suggestion *s);
/* A name, by v->name. */
const char *notation_word_text(struct notation_view *v, const struct notation_node *node);
/* The value that was stored in @x[…], in parentheses or not. NULL if it cannot be read. */
const struct notation_node *notation_stored(struct notation_view *v,
					    const struct notation_node *node);
/* True if a pointer with this value points to user memory. */
bool notation_is_user(const struct notation_view *v, const struct notation_node *node);
/* True for `now - then`, where `then` is the time at the begin. */
bool notation_is_latency(struct notation_view *v, const struct notation_node *node);

/* ---- notation_value.c ---- */

/* A value that is shown or counted by: EXPR[:FORMAT]; `conversion` is that of a printf, or 0. NULL:
 * a value that every record has (its time). */
const char *notation_value(struct notation_view *v, const struct notation_node *node,
			   char conversion);
/* The form of a time that is one: strftime("FORM", …); NULL: it is none. */
const char *notation_time_form(struct notation_view *v, const struct notation_node *node);
/* A name for a value: its last member, or its name. */
const char *notation_name(const struct notation_node *node);
/* A row of counts has a value of this name anyhow. */
bool notation_is_reserved(const char *name);
/* The output of a probe: values as NAME=EXPR[:FORMAT] words, and the text around them. */
enum { NOTATION_VALUES_MAX = 32 };
struct notation_line {
	const char *words[NOTATION_VALUES_MAX];
	size_t count;
	const char *text; /* for --print; NULL: nothing is printed */
};
/* Adds those of a printf. */
void notation_printf(struct notation_view *v, const struct notation_node *format,
		     const struct notation_node *values, struct notation_line *line);
/* All words of the line, and --print. */
void notation_line_words(struct notation *n, const struct notation_line *line);

/* ---- bcc.c, bcc_argdist.c ---- */

/* Each adds words to n->words; n->failed says whether. */
/* With more than one probe, `number` is 0 for the first; `with_cpu`: a column for it. */
void notation_trace(struct notation *n, unsigned number, bool with_cpu);
/* `is_one`: it is the only one of its run. */
void notation_argdist(struct notation *n, bool histogram, unsigned number, bool is_one);

/* ---- notation_run.c ---- */

struct session;
/* A run of argdump with the words of one-liners, in order. */
struct notation_run {
	char *words[NOTATION_WORDS_MAX + 2]; /* the first is argdump */
	size_t count;
};
void notation_run_word(struct notation_run *r, const char *word);
/* Adds the words of one that is right, and prints its notes; else prints its mistake, -EINVAL. It must
 * live on. */
int notation_run_add(struct notation_run *r, const struct notation *n);
/* Prints the words, and runs them; returns what args_set of an applet does. The words must live on. */
int notation_run(struct session *s, struct notation_run *r);
/* An option of another tool's that has no counterpart: which, and what there is. */
struct notation_absent {
	bool is_given;
	const char *option, *hint;
	bool is_harmless; /* it is left out, with a note */
};
/* -EINVAL if one is given that is not harmless, after printing it; ends with option == NULL. */
int notation_absent_report(const struct notation_absent *list);

/* For the man pages of these applets. */
extern const char notation_blind_spots[];

#endif
