/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * compile.h - one compilation: its input, its program, its error. Used by all stages.
 */
#ifndef CORETAP_EXPR_COMPILE_H
#define CORETAP_EXPR_COMPILE_H

#include <errno.h>

#include "expr/program.h"
#include "util/buf.h"

/* The state of one compilation. */
struct compile {
	const struct expr_input *in;
	struct expr_program *p;
	struct expr_error *error;
	struct slot *slot; /* the current slot */
	/* of a pair: `in` is the input of its end, p->func and p->proto are its function's */
	bool at_end;
	struct {
		const char *func;
		uint32_t proto;
	} sides[2];
	/* As in C, the parser must ask what a word is: a parameter? a typedef? */
	bool (*is_param)(struct compile *c, struct span name);
	bool (*is_typedef)(struct compile *c, struct span name);
	/* the loop that is being resolved or planned; NULL: none */
	struct loop_scope {
		struct node *node;
		int value; /* PHI: the number of the round, or the place of the element in its list */
	} * loop;
	const struct expr_input *outside; /* in @in( ): the program's own; else NULL */
	const struct path_offsets *paths; /* of this kernel; NULL: unknown, or not yet sought */
	bool paths_sought;
	bool is_elsewhere; /* the error is a name that another variant may know */
	int err;	   /* the first error; not overwritten */
};

/* Sets the error, unless there is one already; a stage that sees c->err stops. */
void compile_fail(struct compile *c, struct span where, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* The same for errors of this variant only, which another one may not have: -EOPNOTSUPP. */
void compile_refuse(struct compile *c, struct span where, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Adds to the last error what the user can do. */
void compile_hint(struct compile *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* arena_alloc that sets c->err. */
void *compile_alloc(struct compile *c, size_t size);
/* Returns `array`, of `count` elements, or a larger copy with room for another one; NULL on error. */
void *compile_grown(struct compile *c, void *array, size_t count, size_t *room, size_t size);
/* A new node in place of `from`, with its text; NULL on error. */
struct node *compile_node(struct compile *c, const struct node *from, enum node_kind kind,
			  struct ctype type, struct node *child, struct node *other);

/* Of a pair: from here on, names and methods are those of the end, or of the begin. */
void compile_side(struct compile *c, bool at_end);
/* @in(EXPR): from here on, names are those of a program that marks calls, and loops are its own;
 * compile_outside: as before. */
struct outside {
	const struct expr_input *in;
	const char *func;
	uint32_t proto;
	struct loop_scope *loop;
};
struct outside compile_inside(struct compile *c, const struct expr_input *marks);
void compile_outside(struct compile *c, const struct outside *was);
/* Calls `stage` for each of these slots, or for all, as the current one and on its side. */
void slots_visit(struct compile *c, size_t from, size_t count,
		 void (*stage)(struct compile *c, struct slot *s));
void for_each_slot(struct compile *c, void (*stage)(struct compile *c, struct slot *s));

/* Copies that span of the slot's text, truncated to the buffer. */
void compile_text(struct compile *c, struct span span, char *buf, size_t size);
/* Adds a slot for an expression after the last one. */
void slot_add(struct compile *c, const char *text);

enum { DECLARATION_MAX = 160 };
/* The type as declared in C, for messages. */
const char *compile_declared(struct compile *c, struct ctype t, char buf[DECLARATION_MAX]);

/* A span of the slot's text, as arguments for printf's %.*s. */
#define SPAN_ARG(text_, span_) (int)((span_).end - (span_).start), (text_) + (span_).start

/* ---- maps.c: the maps that a program uses, collected during compilation ---- */

/* The index of the program's map of this kind; there is at most one, except for tables. */
uint32_t map_index(struct compile *c, const struct expr_map *map);
/* The same for a map that the run shares. */
uint32_t map_index_shared(struct compile *c, enum expr_map_kind kind);
/* An EXPR_MAP_TABLE with these bytes, which the program must own. */
uint32_t map_add_table(struct compile *c, const void *bytes, uint32_t size);
/* "table"; for the second and later ones "table2" and so on. */
void map_print_name(const struct expr_program *p, uint32_t map, struct buf *o);

#endif
