/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * script_compile.c - the stages after the parser: infers types at all points, then emits instructions for one.
 */
#include <errno.h>
#include <stdlib.h>

#include "script/inside.h"
#include "script/resolve/resolve.h"

/* Types grow within limits, so inference ends; this bound keeps a bug from hanging. */
enum { PASSES_MAX = 64 };

/* Resolves all points once. `pass` receives the results. Stops at an error. */
static void points_resolve(struct script_state *pass, const struct script_point *points,
			   size_t count)
{
	for (size_t i = 0; i < count && !pass->err; i++) {
		struct script_state c = *pass;
		struct arena arena = {}; /* memory needed for this point only */

		c.arena = &arena;
		c.point = &points[i];
		c.btf = points[i].in->btf;
		c.vars = NULL;
		script_resolve(&c, points[i].probe);
		pass->err = c.err;
		pass->has_changed |= c.has_changed;
		arena_free(&arena);
	}
}

int script_infer(struct script *s, const struct script_world *w, const struct script_point *points,
		 size_t count, struct script_error *error)
{
	struct script_state pass = { .s = s, .arena = &s->arena, .error = error, .world = w };
	unsigned passes = 0;

	*error = (struct script_error){};
	do {
		pass.has_changed = false;
		points_resolve(&pass, points, count);
	} while (!pass.err && pass.has_changed && ++passes < PASSES_MAX);
	if (!pass.err && pass.has_changed)
		script_fail(&pass, (struct span){}, "the types of this program keep changing");
	pass.is_final = true;
	points_resolve(&pass, points, count);
	return pass.err;
}

int script_compile(struct script *s, const struct script_world *w, const struct script_point *point,
		   struct expr_program **out, struct script_error *error)
{
	struct script_state c = {
		.s = s,
		.arena = &s->arena,
		.error = error,
		.world = w,
		.point = point,
		.btf = point->in->btf,
		.is_final = true,
	};

	*error = (struct script_error){};
	script_resolve(&c, point->probe);
	if (!c.err)
		*out = script_emit(&c, point->probe);
	return c.err;
}

/* Gives maps the types that all probes would give them here. */
static void types_guess(struct script *s, const struct script_world *w,
			const struct script_point *here)
{
	for (size_t i = 0; i < s->probe_count; i++) {
		struct script_error ignored;
		struct script_state pass = {
			.s = s, .arena = &s->arena, .error = &ignored, .world = w
		};
		struct script_point point = *here;

		point.probe = &s->probes[i];
		point.attach = s->probes[i].attaches;
		points_resolve(&pass, &point, 1);
	}
}

int script_try(struct script *s, const struct script_world *w, const struct script_point *point,
	       struct expr_program **out, struct script_error *error)
{
	int err = script_compile(s, w, point, out, error);
	size_t count = s->map_count;
	struct script_map *known = err == -EINVAL ? calloc(count + 1, sizeof(*known)) : NULL;

	if (!known)
		return err;
	for (size_t i = 0; i < count; i++)
		known[i] = *s->maps[i];
	types_guess(s, w, point);
	err = script_compile(s, w, point, out, error);
	for (size_t i = 0; i < count; i++)
		*s->maps[i] = known[i];
	s->map_count = count;
	free(known);
	return err;
}

const struct btf_view *script_types(struct script *s, const struct btf_view *base)
{
	struct script_error error;
	struct script_state c = { .s = s, .arena = &s->arena, .error = &error };

	return script_view(&c, base);
}
