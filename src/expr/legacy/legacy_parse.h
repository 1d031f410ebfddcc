/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * legacy_parse.h - shared by the readers of old notations. Private to legacy/.
 *
 * All of them read the definition in place, so a position in it is a position in the user's text.
 * The first failure is recorded. After it every function is harmless, and its result unused.
 */
#ifndef CORETAP_EXPR_LEGACY_LEGACY_PARSE_H
#define CORETAP_EXPR_LEGACY_LEGACY_PARSE_H

#include "expr/compile.h"
#include "expr/legacy/legacy.h"

enum legacy_kind {
	LEGACY_KPROBE,	  /* p, r: a kernel function */
	LEGACY_UPROBE,	  /* p, r with PATH:OFFSET */
	LEGACY_FPROBE,	  /* f */
	LEGACY_TPROBE,	  /* t: a tracepoint's own arguments */
	LEGACY_EPROBE,	  /* e: the fields of a trace event */
	LEGACY_PROTOTYPE, /* function_events */
};

#define LEGACY_CALLER "caller=$caller:sym"
/* At the return of a user function, the instruction pointer is its return address, on every
 * kernel. */
#define LEGACY_USER_CALLER "caller=$reg(" ARCH_IP "):x64"

/* A function that no longer exists, and the one that takes its arguments now. */
struct legacy_rename {
	const char *gone, *now;
	const char *args[5]; /* the new expressions for $arg1 …; all NULL: unchanged */
	bool dead;	     /* it may still exist, but nothing calls it */
};

/* A result and its memory. */
struct old_result {
	struct legacy_probe probe; /* first: the caller has a pointer to it */
	struct arena arena;
	struct legacy_text texts[SLOTS_MAX];
	const char *notes[SLOTS_MAX];
};

struct old {
	const char *text; /* the whole definition */
	uint32_t at;	  /* the next byte */
	uint32_t end;	  /* end of the word being read */
	char separator;	  /* between words: ' ', or ',' as on the kernel's command line */
	enum legacy_kind kind;
	uint32_t limit, limit_end; /* position of the limit of open calls; 0: none */
	uint64_t calls;		   /* … its value */
	bool is_return, is_syscall;
	bool has_all;	 /* $arg* was read */
	bool has_params; /* a recorded value is a parameter, or begins with one */
	const struct legacy_rename *rename; /* of the function; NULL: not renamed */
	legacy_exists *exists;
	const void *context;
	struct legacy_probe *probe; /* the result so far */
	struct old_result *result;  /* contains *probe */
	struct expr_error *error;
	int err;
};

void legacy_fail(struct old *o, uint32_t start, uint32_t end, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
void legacy_hint(struct old *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void legacy_note(struct old *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Formats a text that lives as long as the result; "" without memory. */
const char *legacy_print(struct old *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Marks `text`, part of a translation, as coming from bytes [start, end) of the definition. */
const char *legacy_mark(struct old *o, const char *text, uint32_t start, uint32_t end);
/* Adds an expression for bytes [start, end) of the definition; `name` may be NULL. */
void legacy_text_add(struct old *o, const char *name, const char *expr, uint32_t start,
		     uint32_t end);

/* Readers; none reads beyond o->end. */
static inline char legacy_peek(const struct old *o)
{
	return o->at < o->end ? o->text[o->at] : '\0';
}
void legacy_blanks(struct old *o); /* skips blanks, as all below do in a prototype */
bool legacy_accept(struct old *o, char c);
bool legacy_accept_text(struct old *o, const char *text);
void legacy_expect(struct old *o, char c);
/* The length of the identifier at `at`; 0: none. */
uint32_t legacy_name_length(const struct old *o, uint32_t at);
const char *legacy_name(struct old *o, const char *what); /* reads an identifier */
/* Reads a number in the syntax of the kernel's kstrtoul(…, 0). */
uint64_t legacy_number(struct old *o, const char *what);
bool legacy_is_name(char c, bool first);

/* renamed.c: the probe for a kernel function, under its current name. */
const char *legacy_function(struct old *o, const char *name);
/* The expression for argument `n` (from 1). */
const char *legacy_argument(struct old *o, uint64_t n, uint32_t start);

enum legacy_fetch_kind {
	LEGACY_FETCH_VALUE,
	LEGACY_FETCH_MEMORY,
	LEGACY_FETCH_TEXT, /* a string itself: $comm, \"text" */
	LEGACY_FETCH_ALL,  /* $arg* */
};

struct legacy_fetch {
	enum legacy_fetch_kind kind;
	const char *text; /* the value; MEMORY: the address, without the offset */
	const char *name; /* its default name; NULL: argN */
	bool integer;	  /* the text is an integer, which can be added to */
	bool typed;	  /* the value's own type decides how to show it */
	bool user;	  /* MEMORY */
	bool symbol;	  /* MEMORY: the text is &@NAME */
	bool negative;
	bool is_entry; /* a stack word: a value, although it is memory */
	bool is_register;
	bool is_member; /* a member that a pointer leads to */
	bool is_cast;	/* (STRUCT)…: needs a member */
	uint64_t offset;
};

/* Reads an arg (fetcharg.c). */
struct legacy_fetch legacy_argument_read(struct old *o);
/* Memory: its address as an integer, and as a pointer to `type`. */
const char *legacy_address(struct old *o, const struct legacy_fetch *f);
const char *legacy_pointer(struct old *o, const struct legacy_fetch *f, const char *type);
/* The value itself; of memory, the value of `type` there. */
const char *legacy_value(struct old *o, const struct legacy_fetch *f, const char *type);
/* Reads one FETCHARG: [o->at, o->end). */
void legacy_fetcharg(struct old *o);

void legacy_kprobe(struct old *o);    /* kprobe_events.c */
void legacy_prototype(struct old *o); /* function_events.c */

#endif
