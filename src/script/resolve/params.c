/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * params.c - resolves the input of a probe: args.name, arg0, retval; and whether its pointers are to user or
 * kernel memory.
 *
 * Parameters come from the input (fields of a tracepoint's record, arguments of a USDT probe, registers) or from the
 * prototype of the function, as in expr/resolve/params.c.
 */
#include <stdio.h>
#include <string.h>

#include "btf/param_type.h"
#include "expr/lower/lower.h"
#include "script/resolve/resolve.h"
#include "util/suggest.h"

static enum script_probe_kind kind_of(const struct resolve *r)
{
	return r->c->point->attach->kind;
}

/* ---- user or kernel memory ---- */

bool is_user_probe(const struct resolve *r)
{
	enum script_probe_kind kind = kind_of(r);

	return kind == PROBE_UPROBE || kind == PROBE_URETPROBE || kind == PROBE_USDT ||
	       r->in->site.in_user;
}

struct script_type address_space(const struct resolve *r, struct script_type t)
{
	t.is_user |= is_user_probe(r);
	return t;
}

/* True also for pointers that a program passes to the kernel. */
static bool has_user_params(const struct resolve *r)
{
	return is_user_probe(r) || (kind_of(r) == PROBE_TRACEPOINT &&
				    !strncmp(r->c->point->attach->rest, "syscalls:", 9));
}

/* ---- the prototype ---- */

static const struct btf_type *prototype(const struct resolve *r)
{
	const struct btf_type *func = btf_view_type(r->in->btf, r->in->site.func_id);
	const struct btf_type *proto = func ? btf_view_type(r->in->btf, func->type) : NULL;

	return proto && btf_kind(proto) == BTF_KIND_FUNC_PROTO ? proto : NULL;
}

static unsigned param_count(const struct resolve *r)
{
	const struct btf_type *proto = prototype(r);
	unsigned count;

	if (r->in->site.params)
		return r->in->site.param_count;
	count = proto ? btf_vlen(proto) : 0;
	if (count && !btf_params(proto)[count - 1].type) /* … */
		count--;
	return count > r->in->site.params_skipped ? count - r->in->site.params_skipped : 0;
}

static const char *param_name(const struct resolve *r, unsigned i)
{
	if (r->in->site.params)
		return r->in->site.params[i].name;
	return btf_view_string(r->in->btf,
			       btf_params(prototype(r))[i + r->in->site.params_skipped].name_off);
}

/* True in a trampoline's context: the verifier knows the targets of pointers. */
static bool is_typed(const struct resolve *r, uint32_t type)
{
	const struct expr_target *t = &r->in->target;
	uint32_t pointee = 0;

	return t->method == EXPR_CTX_FENTRY && t->typed_loads &&
	       typed_argument(r->in->btf, t, type, &pointee) && pointee;
}

static struct script_type type_of_id(const struct resolve *r, uint32_t id)
{
	struct script_type t = address_space(r, script_type_of(r->c->btf, ctype_of(id)));

	if (t.kind == SCRIPT_POINTER)
		t.is_typed = !t.is_user && is_typed(r, id);
	return t;
}

/* ---- parameters of the input ---- */

static struct script_type int_param(const struct expr_param *p)
{
	return script_int(is_load_size(p->size) ? p->size : 8, p->is_signed);
}

/* Resolves an array in a record, whose size is known. */
static struct script_type array_param(const struct expr_param *p, struct ctype element,
				      const struct btf_view *btf)
{
	struct script_type of = script_type_of(btf, element);
	struct script_type t = { .kind = SCRIPT_ARRAY, .size = p->size };

	if (of.kind == SCRIPT_INT && of.size == 1) {
		t.kind = SCRIPT_STRING;
		return t;
	}
	if (of.kind != SCRIPT_INT || !of.size)
		return script_pointer_to(btf, element);
	t.c = ctype_int(of.size, of.is_signed);
	t.count = p->size / of.size;
	return t;
}

static struct script_type input_param(struct resolve *r, const struct expr_param *p)
{
	struct script_type t = int_param(p);
	struct ctype c;

	if (!p->type || !ctype_parse(r, p->type, &c))
		return t;
	if (p->where == EXPR_PARAM_DATA_LOC && !strcmp(p->type, "char"))
		return script_string(r->c->s->config.max_strlen + 1);
	if (p->where == EXPR_PARAM_DATA_LOC)
		return script_pointer_to(r->c->btf, c);
	if (p->is_array)
		return array_param(p, c, r->c->btf);
	t = script_type_of(r->c->btf, c);
	if (t.kind == SCRIPT_POINTER)
		t.is_user |= p->is_user || has_user_params(r);
	else if (t.kind != SCRIPT_INT && t.kind != SCRIPT_BOOL && t.kind != SCRIPT_RECORD)
		t = int_param(p);
	else if (t.size != p->size && p->where == EXPR_PARAM_FIELD)
		t = int_param(p);
	return t;
}

static struct script_type param_type(struct resolve *r, unsigned i)
{
	if (r->in->site.params)
		return input_param(r, &r->in->site.params[i]);
	return type_of_id(r, btf_params(prototype(r))[i + r->in->site.params_skipped].type);
}

/* ---- args ---- */

static void fail_no_args(struct resolve *r, struct span span)
{
	enum script_probe_kind kind = kind_of(r);

	script_fail(r->c, span, "the arguments of %s have no known names",
		    r->c->point->attach->text);
	if (kind == PROBE_UPROBE && r->in->point.count > 1)
		script_hint(
			r->c,
			"many functions have many types: arg0, arg1 … are the arguments by number");
	else if (kind == PROBE_UPROBE)
		script_hint(r->c, "its file has no debug information about it, nor has one of "
				  "/usr/lib/debug: arg0, arg1 … are its arguments by number");
	else if (kind == PROBE_KRETPROBE || kind == PROBE_URETPROBE)
		script_hint(r->c, "at a return only retval is known; fexit has both");
	else if (kind == PROBE_KPROBE || kind == PROBE_USDT)
		script_hint(r->c, "arg0, arg1 … are its arguments by number");
	else
		script_hint(r->c, "tracepoints, fentry and fexit have them");
}

void func_args(struct resolve *r, struct script_expr *e)
{
	e->type = (struct script_type){ .kind = SCRIPT_RECORD, .by_arg = true };
	if (!prototype(r) && (!r->in->site.params || kind_of(r) == PROBE_UPROBE))
		fail_no_args(r, e->span);
}

static bool is_part(const struct script_type *t)
{
	return script_is_scalar(t) || t->kind == SCRIPT_STRING || t->kind == SCRIPT_ARRAY ||
	       t->kind == SCRIPT_RECORD;
}

static bool is_shown(const struct resolve *r, unsigned i)
{
	return *param_name(r, i) && !(r->in->site.params && r->in->site.params[i].is_hidden);
}

/* Builds args.name for parameter `i`; `args` is the word. */
static struct script_expr *args_item(struct resolve *r, struct script_expr *args, unsigned i,
				     const struct script_type *type)
{
	struct script_expr *item = alloc_lasting(r, sizeof(*item));

	if (!item)
		return NULL;
	item->kind = X_FIELD;
	item->span = item->name_span = args->span;
	item->a = args;
	item->name = param_name(r, i);
	item->func = FUNC_ARGS;
	item->param = i;
	item->type = *type;
	return item;
}

/* Adds the expression and the part of the tuple that holds it. */
static void args_add(struct resolve *r, struct script_expr *e, struct script_part *parts,
		     struct script_expr *item)
{
	if (failed(r))
		return;
	e->items[e->count] = item;
	e->names[e->count] = item->name;
	parts[e->count].name = item->name;
	parts[e->count++].type = type_stored(&item->type);
}

void args_value(struct resolve *r, struct script_expr *e)
{
	unsigned all = param_count(r);
	struct script_part *parts = alloc_lasting(r, (all + 1) * sizeof(*parts));
	struct script_expr *word = alloc_lasting(r, sizeof(*word));

	e->items = alloc_lasting(r, (all + 1) * sizeof(*e->items));
	e->names = alloc_lasting(r, (all + 1) * sizeof(*e->names));
	if (failed(r))
		return;
	*word = *e;
	word->kind = X_WORD;
	word->a = NULL;
	word->func = e->func = FUNC_ARGS;
	for (unsigned i = 0; i < all && !failed(r); i++) {
		struct script_type t = is_shown(r, i) ? param_type(r, i) : (struct script_type){};

		if (is_part(&t))
			args_add(r, e, parts, args_item(r, word, i, &t));
	}
	e->type = (struct script_type){};
	script_tuple_layout(&e->type, parts, e->count);
}

static void fail_no_arg(struct resolve *r, const struct script_expr *e)
{
	struct suggestion nearest;
	char list[200] = "";
	size_t len = 0;

	r->c->is_missing |= !failed(r);
	script_fail(r->c, e->type_name ? e->span : e->name_span, "%s has no argument %s%s",
		    r->c->point->attach->text, e->type_name ? "of the type " : "",
		    e->type_name ? e->type_name->name : e->name);
	suggest_init(&nearest, e->name);
	for (unsigned i = 0; i < param_count(r); i++) {
		suggest_offer(&nearest, param_name(r, i));
		if (is_shown(r, i) && len < sizeof(list))
			len += snprintf(list + len, sizeof(list) - len, " %s", param_name(r, i));
	}
	if (suggest_get(&nearest))
		script_suggest(r->c, &nearest, NULL);
	else if (*list)
		script_hint(r->c, "its arguments:%s", list);
	else
		script_hint(r->c, "arg0, arg1 … are its arguments by number");
}

bool params_have(const struct resolve *r, const char *name)
{
	for (unsigned i = 0; i < param_count(r); i++)
		if (is_shown(r, i) && !strcmp(param_name(r, i), name))
			return true;
	return false;
}

void params_offer(const struct resolve *r, struct suggestion *nearest)
{
	for (unsigned i = 0; i < param_count(r); i++)
		if (is_shown(r, i))
			suggest_offer(nearest, param_name(r, i));
}

/* arg(TYPE) */
static bool param_has_type(const struct resolve *r, unsigned i, const struct script_type_name *name)
{
	const char *text = script_print(r->c, "%s %.*s", name->name ?: "", name->stars, "****");
	struct param_type type;

	return !failed(r) && !r->in->site.params && !param_type_parse(text, &type) &&
	       param_type_is(r->in->btf,
			     btf_params(prototype(r))[i + r->in->site.params_skipped].type, &type);
}

static bool param_is(const struct resolve *r, unsigned i, const struct script_expr *e)
{
	return e->type_name ? param_has_type(r, i, e->type_name) :
			      !strcmp(param_name(r, i), e->name);
}

void infer_args_field(struct resolve *r, struct script_expr *e)
{
	unsigned count = param_count(r), i = 0;

	while (i < count && !param_is(r, i, e))
		i++;
	if (i == count) {
		fail_no_arg(r, e);
		return;
	}
	e->func = FUNC_ARGS;
	e->param = i;
	e->type = param_type(r, i);
	if (e->type.kind == SCRIPT_NONE || e->type.kind == SCRIPT_VOID)
		script_unsupported(r->c, e->name_span,
				   "an argument that is not a number, pointer or struct");
}

/* ---- arg0, sarg0 ---- */

/* Returns how many arguments can be named by number; 0: none. */
static unsigned numbered(const struct resolve *r)
{
	switch (kind_of(r)) {
	case PROBE_KPROBE:
	case PROBE_UPROBE: return target_arch(&r->in->target)->argument_count;
	case PROBE_USDT:
	case PROBE_FENTRY:
	case PROBE_FEXIT:
	case PROBE_RAW_TRACEPOINT: return param_count(r);
	default: return 0;
	}
}

void func_arg(struct resolve *r, struct script_expr *e)
{
	unsigned count = numbered(r);

	e->type = address_space(r, script_int(8, kind_of(r) == PROBE_USDT));
	if (e->param < count)
		return;
	if (count) {
		script_fail(r->c, e->span, "the last of %u arguments is arg%u", count, count - 1);
		if (kind_of(r) == PROBE_KPROBE || kind_of(r) == PROBE_UPROBE)
			script_hint(r->c, "the others are on the stack: sarg0 …");
		return;
	}
	script_fail(r->c, e->span, "%s has no arguments by number", r->c->point->attach->text);
	if (kind_of(r) == PROBE_TRACEPOINT)
		script_hint(r->c, "they have names: args.%s",
			    param_count(r) ? param_name(r, 0) : "name");
	else
		script_hint(r->c, "kprobe, uprobe, usdt and rawtracepoint have them");
}

void func_sarg(struct resolve *r, struct script_expr *e)
{
	e->type = address_space(r, script_int(8, true));
	if (kind_of(r) != PROBE_KPROBE && kind_of(r) != PROBE_UPROBE)
		script_fail(r->c, e->span, "sarg%u needs a kprobe or uprobe", e->param);
}

/* ---- retval ---- */

static void retval_of_prototype(struct resolve *r, struct script_expr *e)
{
	const struct btf_type *proto = prototype(r);

	if (proto)
		e->type = type_of_id(r, proto->type);
	if (proto && e->type.kind == SCRIPT_VOID)
		script_fail(r->c, e->span, "%s returns nothing", r->c->point->attach->rest);
}

void func_retval(struct resolve *r, struct script_expr *e)
{
	enum script_probe_kind kind = kind_of(r);

	e->type = address_space(r, script_int(8, false));
	if (kind == PROBE_FEXIT) {
		retval_of_prototype(r, e);
		return;
	}
	if (kind == PROBE_KRETPROBE || kind == PROBE_URETPROBE)
		return;
	script_fail(r->c, e->span, "%s does not run at a return", r->c->point->attach->text);
	script_hint(r->c, "retval is for kretprobe, uretprobe and fexit");
}
