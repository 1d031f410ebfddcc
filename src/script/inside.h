/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * inside.h - shared by the stages of script/: the state of one compilation, errors, memory.
 */
#ifndef CORETAP_SCRIPT_INSIDE_H
#define CORETAP_SCRIPT_INSIDE_H

#include <errno.h>

#include "script/script.h"
#include "util/buf.h"

/* The state of a stage. A function that finds an error stores it and continues; callers check `err` where they could
 * loop. */
struct script_state {
	struct script *s;
	struct arena *
		/* of the script or, in script_infer, of one point; longer-lived data is in s->arena */
		arena;
	struct script_error *error;
	int err; /* the first error; later ones are dropped */
	/* ---- resolve, emit ---- */
	const struct script_world *world;
	const struct script_point *point;
	const struct btf_view *btf; /* types of the point, with the script's own types on top */
	struct script_var *vars;    /* of this probe at this point */
	bool is_final;		    /* resolve: last run; an unknown type is an error now */
	bool has_changed;	    /* resolve: a type was found or grew */
	bool is_missing;	    /* resolve: the error is a member that this kernel lacks */
};

/* Sets the error, unless one is set. */
void script_fail(struct script_state *c, struct span where, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* The same for a part of the language that this compiler lacks. */
void script_unsupported(struct script_state *c, struct span where, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Fails with -EOPNOTSUPP: another variant may work. */
void script_refuse(struct script_state *c, struct span where, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Adds a remedy to the error that was set last. */
void script_hint(struct script_state *c, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* Adds the nearest name as a remedy (util/suggest.h). */
void script_suggest(struct script_state *c, const struct suggestion *n,
		    const struct suggest_words *words);
/* Allocates zeroed memory from the arena; sets c->err on failure. */
void *script_alloc(struct script_state *c, size_t size);
const char *script_print(struct script_state *c, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* Calls fn for the expression and all below it, the children first. */
void script_walk(struct script_expr *e, void (*fn)(struct script_expr *e, void *ctx), void *ctx);
/* … and for all expressions of a list of statements. */
void script_walk_stmts(struct script_stmt *first, void (*fn)(struct script_expr *e, void *ctx),
		       void *ctx);

/* ---- the stages ---- */

/* resolve/: sets the members listed in ast.h, for one probe at one point. */
void script_resolve(struct script_state *c, const struct script_probe *probe);
/* Frees what resolve/ allocated outside of the arena. */
void script_views_free(struct script *s);
/* emit/: runs after script_resolve with is_final. */
struct expr_program *script_emit(struct script_state *c, const struct script_probe *probe);

#endif
