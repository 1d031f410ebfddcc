/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * builtin_call.c - values of a call: $ret, $lat, $depth.
 *
 * A register has 64 bits. The upper half is undefined for an int, as for any value smaller than
 * the register.
 */
#include "expr/resolve/resolve.h"

#include <string.h>

#include "expr/ctype.h"

/* Without a prototype, the result is a word. */
bool function_returns(struct compile *c)
{
	return !compile_prototype(c) || btf_view_strip(c->in->btf, compile_prototype(c)->type) != 0;
}

/* At the return, the marks of the calls around are those of other calls. */
static void depth_refuse(struct compile *c, const struct node *n)
{
	compile_fail(c, n->span, "the depth of a call is known when it begins");
	compile_hint(
		c, c->slot->ret.end ?
			   "use $depth without @ret( ): the number of enclosing calls" :
			   "give it a condition of its own: --if '$depth == 0' --if '$lat > 1ms'");
}

/* A value of the return, in a slot. */
static void return_used(struct compile *c, const struct node *n)
{
	c->slot->at_return = true;
	if (c->slot->has_depth && c->in->within.depth_own)
		depth_refuse(c, n);
}

/* A large result is at the address that is returned. */
static void result_follow(struct compile *c, struct node *n)
{
	struct ctype pointer = ctype_pointer_to(n->type);
	struct node *address = compile_alloc(c, sizeof(*address));

	if (!address)
		return;
	*address = *n;
	address->type = ctype_int(8, false);
	pointer.user = true;
	n->child = compile_node(c, n, NODE_CAST, pointer, address, NULL);
	n->kind = NODE_DEREF;
	n->builtin = NULL;
	n->category = CATEGORY_LVALUE;
}

bool ret_is_readable(struct compile *c)
{
	struct ctype type = ctype_of(compile_prototype(c) ? compile_prototype(c)->type : 0);

	return !compile_prototype(c) || c->in->site.result_pointed ||
	       ctype_is_pointer(c->in->btf, type) || ctype_is_integer(c->in->btf, type);
}

void resolve_ret(struct compile *c, struct node *n)
{
	/* of a program's function the register is a word, as it is without debug information */
	bool is_word = !compile_prototype(c) || (c->in->site.own_types && !function_returns(c));

	n->type = is_word ? ctype_int(8, true) : ctype_of(compile_prototype(c)->type);
	return_used(c, n);
	if (c->in->scope == EXPR_SCOPE_ENTRY) {
		compile_fail(c, n->span, "nothing is returned yet when the function begins");
		compile_hint(c, "trace its return: %s%%return; or both: -r", c->p->func);
	} else if (!is_word && !function_returns(c)) {
		compile_fail(c, n->span, "%s returns nothing", c->p->func);
	} else if (c->in->site.result_pointed) {
		result_follow(c, n);
	} else if (!is_word && !ret_is_readable(c)) {
		compile_fail(c, n->span, "%s returns %s", c->p->func,
			     ctype_is_composite(c->in->btf, n->type) ?
				     "a struct by value" :
				     "a floating-point number, in a register that BPF cannot read");
	}
}

void resolve_lat(struct compile *c, struct node *n)
{
	c->p->calls.lat_wanted = true;
	return_used(c, n);
	if (c->in->scope == EXPR_SCOPE_CALL || c->in->pair)
		return;
	compile_fail(c, n->span, "the duration of a call is known only if its return is traced");
	compile_hint(c, "add -r; between two probes, --until PROBE");
}

void resolve_depth(struct compile *c, struct node *n)
{
	c->slot->has_depth = true;
	if (c->in->within.depth_own && (c->slot->ret.end || c->slot->at_return)) {
		depth_refuse(c, n);
		return;
	}
	if (c->in->within.depth_of)
		return;
	compile_fail(c, n->span, "$depth counts enclosing calls of this thread: missing --in FUNC");
	compile_hint(
		c,
		"with -r it counts those of all functions that are traced, else those of --in FUNC");
}

/* True if $ret and $lat are to be added, because no expression names a value of the return. */
bool slots_at_return_wanted(const struct expr_input *in)
{
	for (size_t i = 0; i < in->count; i++) {
		if (strstr(in->texts[i], "$ret") || strstr(in->texts[i], "$lat") ||
		    strstr(in->texts[i], "@ret(") || strstr(in->texts[i], "@end(") ||
		    !strcmp(in->texts[i], "retval"))
			return false;
	}
	return true;
}

void inside_add_slots(struct compile *c)
{
	for (size_t i = 0; i < c->in->count && !c->err; i++) {
		struct slot *s = &c->p->slots[c->p->slot_count];

		slot_add(c, c->in->texts[i]);
		s->role = SLOT_INSIDE;
		s->input = i;
	}
}

void resolve_kept_check(struct compile *c, const struct node *n, const char *what)
{
	char type[DECLARATION_MAX];
	bool path = n->kind == NODE_PATH;

	if (c->err || (!path && (ctype_is_integer(c->in->btf, n->type) ||
				 ctype_is_pointer(c->in->btf, n->type))))
		return;
	compile_fail(c, n->span, "%s is a number or a pointer, but this is %s", what,
		     path || (n->builtin && n->builtin->id == BUILTIN_COMM) ?
			     "text" :
			     compile_declared(c, n->type, type));
}
