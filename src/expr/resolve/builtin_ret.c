/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * builtin_ret.c - $ret: the function's return value, with the type from its prototype; $lat.
 *
 * Part of resolve. A register has 64 bits; for an int the upper half is undefined, as for any value
 * smaller than the register.
 */
#include "expr/resolve/resolve.h"

#include <string.h>

#include "expr/ctype.h"

static const struct btf_type *prototype(struct compile *c)
{
	return btf_view_type(c->in->btf, c->p->proto);
}

/* Without a prototype, the type is a word. */
bool function_returns(struct compile *c)
{
	return !prototype(c) || btf_view_strip(c->in->btf, prototype(c)->type) != 0;
}

void resolve_ret(struct compile *c, struct node *n)
{
	n->type = prototype(c) ? ctype_of(prototype(c)->type) : ctype_int(8, true);
	c->slot->at_return = true;
	if (c->in->scope == EXPR_SCOPE_ENTRY) {
		compile_fail(c, n->span, "nothing is returned yet when the function begins");
		compile_hint(c, "trace its return: %s%%return; or both: -r", c->p->func);
	} else if (!function_returns(c)) {
		compile_fail(c, n->span, "%s returns nothing", c->p->func);
	} else if (!ctype_is_pointer(c->in->btf, n->type) &&
		   !ctype_is_integer(c->in->btf, n->type)) {
		compile_fail(c, n->span, "%s returns a struct by value", c->p->func);
	}
}

void resolve_lat(struct compile *c, struct node *n)
{
	c->slot->at_return = c->p->lat_wanted = true;
	if (c->in->scope == EXPR_SCOPE_CALL || c->in->pair)
		return;
	compile_fail(c, n->span, "how long a call takes is known where both ends are seen");
	compile_hint(c, "add -r; between two probes, --until PROBE");
}

void resolve_depth(struct compile *c, struct node *n)
{
	if (c->in->depth_own && c->slot->ret.end) {
		compile_fail(c, n->span, "how deep a call is, is known when it begins");
		compile_hint(c, "without @ret( ) it is the number of calls around");
		return;
	}
	if (c->in->depth_of)
		return;
	compile_fail(c, n->span,
		     "$depth counts calls that this thread is inside of: of which functions?");
	compile_hint(
		c,
		"with -r it counts those of all functions that are traced, else those of --in FUNC");
}

/* If no expression names a value of the return, $ret and $lat are added. */
bool slots_at_return_wanted(const struct expr_input *in)
{
	for (size_t i = 0; i < in->count; i++) {
		if (strstr(in->texts[i], "$ret") || strstr(in->texts[i], "$lat") ||
		    strstr(in->texts[i], "@ret(") || strstr(in->texts[i], "@end("))
			return false;
	}
	return in->scope == EXPR_SCOPE_CALL || in->pair;
}

/* In the kernel, a negative int is an error. */
void format_ret(struct slot *s)
{
	const struct builtin *b = s->root->builtin;

	if (b && b->id == BUILTIN_LAT)
		s->field_type = FIELD_NS;
	else if (b && b->id == BUILTIN_CTX)
		s->field_type = FIELD_TRACE_CTX;
	else if (b && b->id == BUILTIN_RET && s->field_type == FIELD_INT && s->size >= 4)
		s->field_type = FIELD_RET;
}
