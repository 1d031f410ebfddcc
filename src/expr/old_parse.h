/* SPDX-License-Identifier: GPL-2.0 */
/*
 * old_parse.h - what the readers of the old notations share. Not for others.
 *
 * All of them read the definition where it stands, so that a place in it is a place in what the
 * user typed. A failure is noted once; after it every function is harmless and its result unused.
 */
#ifndef CORETAP_EXPR_OLD_PARSE_H
#define CORETAP_EXPR_OLD_PARSE_H

#include "expr/compiler.h"
#include "expr/old.h"

enum old_kind {
	OLD_KPROBE,    /* p, r: a kernel function */
	OLD_UPROBE,    /* p, r with PATH:OFFSET */
	OLD_FPROBE,    /* f */
	OLD_TPROBE,    /* t: a tracepoint's own arguments */
	OLD_EPROBE,    /* e: the fields of a trace event */
	OLD_PROTOTYPE, /* function_events */
};

#define OLD_CALLER "caller=$caller:sym"
/* A program's function has returned to where it says; every kernel knows that. */
#ifdef __aarch64__
#define OLD_USER_CALLER "caller=$reg(pc):x64"
#else
#define OLD_USER_CALLER "caller=$reg(ip):x64"
#endif

/* A function that is no more, and the one that has its arguments. */
struct old_rename {
	const char *gone, *now;
	const char *args[5]; /* what its $arg1 … are now; all NULL: the same */
	bool dead; /* may still exist, but nothing calls it */
};

struct old {
	const char *text; /* the whole definition */
	uint32_t at;      /* the next byte */
	uint32_t end;     /* of the word being read */
	char separator;   /* between words: ' ', or ',' as on the kernel's command line */
	enum old_kind kind;
	bool is_return, is_syscall;
	bool has_params; /* something that is recorded is one, or begins with one */
	const struct old_rename *rename; /* of the function; NULL: it is called as it was */
	old_exists *exists;
	const void *context;
	struct old_probe *probe; /* what is being made */
	struct old_result *result; /* and what it is in */
	struct expr_error *error;
	int err;
};

void old_fail(struct old *o, uint32_t start, uint32_t end, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
void old_hint(struct old *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void old_note(struct old *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* A text that lives as long as the result; "" when there is no memory. */
const char *old_print(struct old *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Adds an expression, for bytes [start, end) of the definition; `name` may be NULL. */
void old_text_add(struct old *o, const char *name, const char *expr, uint32_t start, uint32_t end);

/* Reading: none goes beyond o->end. */
static inline char old_peek(const struct old *o)
{
	return o->at < o->end ? o->text[o->at] : '\0';
}
bool old_accept(struct old *o, char c);
bool old_accept_text(struct old *o, const char *text);
void old_expect(struct old *o, char c);
/* An identifier's length at `at`, 0: there is none. */
uint32_t old_name_length(const struct old *o, uint32_t at);
const char *old_name(struct old *o, const char *what); /* takes an identifier */
/* Takes a number as the kernel's kstrtoul(…, 0) reads it. */
uint64_t old_number(struct old *o, const char *what);
bool old_is_name(char c, bool first);

/* old_name.c: the probe of a kernel function, under the name it has today. */
const char *old_function(struct old *o, const char *name);
/* What the `n`th argument is, from 1; what register NAME is, if it holds an argument. */
const char *old_argument(struct old *o, uint64_t n, uint32_t start);
unsigned old_register_argument(const char *name);

enum old_fetch_kind {
	OLD_FETCH_VALUE,
	OLD_FETCH_MEMORY,
	OLD_FETCH_TEXT, /* a string in itself: $comm, \"text" */
	OLD_FETCH_ALL,  /* $arg* */
};

struct old_fetch {
	enum old_fetch_kind kind;
	const char *text; /* the value; MEMORY: the address, without the offset */
	const char *name; /* what it is called if nobody says; NULL: argN */
	bool integer;     /* the text is one already: it can be added to */
	bool typed;       /* the types tell how to show it */
	bool user;        /* MEMORY */
	bool negative;
	bool is_entry;    /* of the stack: a value, though it is memory */
	uint64_t offset;
};

/* old_fetch.c: takes an arg. */
struct old_fetch old_argument_read(struct old *o);
/* old_show.c: the value itself; if it is memory, one of `type` there. */
const char *old_value(struct old *o, const struct old_fetch *f, const char *type);
/* One FETCHARG: [o->at, o->end). */
void old_fetcharg(struct old *o);

void old_kprobe(struct old *o);	  /* old_kprobe.c */
void old_prototype(struct old *o); /* old_function.c */

#endif
