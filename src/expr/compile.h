/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * compile.h - the state of one compilation: input, program, error. Used by all stages.
 */
#ifndef CORETAP_EXPR_COMPILE_H
#define CORETAP_EXPR_COMPILE_H

#include <errno.h>

#include "expr/program.h"
#include "util/buf.h"

struct suggest_words;
struct suggestion;

/* The state of one compilation. */
struct compile {
	const struct expr_input *in;
	struct expr_program *p;
	struct expr_error *error;
	struct slot *slot; /* the current slot */
	/* Pairs: true while `in` is the end's input, and p->func and p->proto are the end's
	 * function. */
	bool at_end;
	struct {
		const char *func;
		uint32_t proto;
	} sides[2];
	/* The parser asks, as in C, whether a word is a parameter or a typedef. */
	bool (*is_param)(struct compile *c, struct span name);
	bool (*is_typedef)(struct compile *c, struct span name);
	/* Resolves expressions of the compiler, for what it is made of itself (resolve_node). */
	void (*resolve)(struct compile *c, struct node *n);
	/* The loop that is being resolved or planned; NULL: none. */
	struct loop_scope {
		struct node *node;
		int value; /* PHI: the counter of rounds, or the link of the current list element */
	} * loop;
	const struct expr_input *outside; /* inside @in( ): the program's own input; else NULL */
	const struct path_offsets *paths; /* of this kernel; NULL: unknown, or not looked up yet */
	bool paths_sought;
	bool is_elsewhere; /* the error is a name that another variant may have */
	int err;	   /* the first error; later ones are ignored */
};

/* Sets the error, unless one is set. A stage that sees c->err stops. */
void compile_fail(struct compile *c, struct span where, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Sets an error that another variant may not have: -EOPNOTSUPP. */
void compile_refuse(struct compile *c, struct span where, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Adds a remedy to the error that was just set. */
void compile_hint(struct compile *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The same: the nearest name (util/suggest.h). */
void compile_suggest(struct compile *c, const struct suggestion *n,
		     const struct suggest_words *words);
/* Allocates from the arena; sets c->err on failure. */
void *compile_alloc(struct compile *c, size_t size);
/* Returns `array`, of `count` elements, or a larger copy with room for another one; NULL on error. */
void *compile_grown(struct compile *c, void *array, size_t count, size_t *room, size_t size);
/* Moves all spans of a tree to the word that an expression of the compiler replaces, for errors. */
void compile_spans(struct node *n, struct span span);
/* Returns a new node with the text of `from`, which it replaces; NULL on error. */
struct node *compile_node(struct compile *c, const struct node *from, enum node_kind kind,
			  struct ctype type, struct node *child, struct node *other);

/* Pairs: switches names and methods to those of the end, or of the begin. */
void compile_side(struct compile *c, bool at_end);
/* Switches names and loops to those of a program that marks calls, for @in(EXPR). compile_outside
 * switches back. */
struct outside {
	const struct expr_input *in;
	const char *func;
	uint32_t proto;
	struct loop_scope *loop;
};
struct outside compile_inside(struct compile *c, const struct expr_input *marks);
void compile_outside(struct compile *c, const struct outside *was);
/* Calls `stage` for each of these slots, with c->slot and c->side set. */
void slots_visit(struct compile *c, size_t from, size_t count,
		 void (*stage)(struct compile *c, struct slot *s));
void for_each_slot(struct compile *c, void (*stage)(struct compile *c, struct slot *s));

/* Copies a span of the slot's text, truncated to the buffer. */
void compile_text(struct compile *c, struct span span, char *buf, size_t size);
/* Appends a slot for an expression. */
void slot_add(struct compile *c, const char *text);

enum { DECLARATION_MAX = 160 };
/* The prototype of the current function; NULL: it has none. */
const struct btf_type *compile_prototype(const struct compile *c);
/* Writes the type as a C declaration, for messages. */
const char *compile_declared(struct compile *c, struct ctype t, char buf[DECLARATION_MAX]);

/* A span of the slot's text, as arguments for printf's %.*s. */
#define SPAN_ARG(text_, span_) (int)((span_).end - (span_).start), (text_) + (span_).start

/* ---- maps.c: the maps of the program ---- */

/* Returns the number of the program's map of this kind, which is added if it is missing. Tables
 * are never shared. */
uint32_t map_index(struct compile *c, const struct expr_map *map);
/* The same for a map of the run. */
uint32_t map_index_shared(struct compile *c, enum expr_map_kind kind);
/* Adds an EXPR_MAP_TABLE with these bytes, which the program must own. */
uint32_t map_add_table(struct compile *c, const void *bytes, uint32_t size);
/* Prints "table", or "table2" and so on for later ones. */
void map_print_name(const struct expr_program *p, uint32_t map, struct buf *o);

#endif
