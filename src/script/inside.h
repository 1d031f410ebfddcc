/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * inside.h - what the stages of script/ share: the state of one compilation, errors, memory.
 */
#ifndef CORETAP_SCRIPT_INSIDE_H
#define CORETAP_SCRIPT_INSIDE_H

#include <errno.h>

#include "script/script.h"
#include "util/buf.h"

/* The state of a stage. Functions that find an error set it and go on; callers look at `err` where they could loop. */
struct script_state {
	struct script *s;
	struct arena *
		arena; /* of the script or, in script_infer, of one point: what lives longer is in s->arena */
	struct script_error *error;
	int err; /* the first error; later ones are ignored */
	/* ---- resolve, emit ---- */
	const struct script_world *world;
	const struct script_point *point;
	const struct btf_view *btf; /* of the point, with the script's own types on top */
	struct script_var *vars;    /* of this probe at this point */
	bool is_final;		    /* resolve: what is still unknown is an error now */
	bool has_changed;	    /* resolve: a type was found or grew */
	bool is_missing;	    /* resolve: the error is that this kernel has no such member */
};

/* Sets the error, unless one is set. */
void script_fail(struct script_state *c, struct span where, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* The same, of what the language has and this compiler lacks. */
void script_later(struct script_state *c, struct span where, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* -EOPNOTSUPP: another variant may do it. */
void script_refuse(struct script_state *c, struct span where, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Adds a remedy to the error that was just set. */
void script_hint(struct script_state *c, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* The same: the nearest name (util/suggest.h). */
void script_suggest(struct script_state *c, const struct suggestion *n,
		    const struct suggest_words *words);
/* From the arena, zeros; sets c->err on failure. */
void *script_alloc(struct script_state *c, size_t size);
const char *script_print(struct script_state *c, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* Calls fn for the expression and all below it, the children first. */
void script_walk(struct script_expr *e, void (*fn)(struct script_expr *e, void *ctx), void *ctx);
/* … and for all expressions of a list of statements. */
void script_walk_stmts(struct script_stmt *first, void (*fn)(struct script_expr *e, void *ctx),
		       void *ctx);

/* ---- the stages ---- */

/* resolve/: sets what ast.h says, for one probe at one point. */
void script_resolve(struct script_state *c, const struct script_probe *probe);
/* Frees what resolve/ made besides the arena. */
void script_views_free(struct script *s);
/* emit/: after script_resolve with is_final. */
struct expr_program *script_emit(struct script_state *c, const struct script_probe *probe);

#endif
