// SPDX-License-Identifier: GPL-2.0
/*
 * expr.c - the argdump compiler's table of contents: expr_compile.
 *
 *	lex.c parse.c parse_expr.c parse_type.c	text → tokens → nodes
 *	resolve.c name.c symbol.c operator.c typename.c ctype.c	what nodes are in this kernel
 *	format*.c follow.c	how values are shown
 *	argument.c	where parameters are passed
 *	plan.c place.c operate.c value.c way.c verifier.c	values, steps, the way to read each hop
 *	layout.c stack.c	places in the record, schema
 *	measure.c		what is counted instead of records
 *	codegen.c filter.c read.c string.c aggregate.c emit.c	instructions
 *	target.c		what a kernel offers
 *	dump.c disasm.c		every stage in text
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expr/compiler.h"

/* ---- errors and memory of a compilation ---- */

/* Which text the slot at work comes from; a parameter that nobody wrote comes from none. */
static size_t error_text(const struct compile *c)
{
	size_t slot = c->slot ? (size_t)(c->slot - c->p->slots) : 0;

	if (c->slot && c->slot->diff)
		return c->slot->input;
	if (c->slot && c->slot->parent) /* nobody wrote it */
		return (size_t)-1;
	if (c->slot && slot < c->p->filter_count)
		return c->in->count + slot;
	return c->slot && (c->in->count || c->in->aggregate) ? c->slot->input : (size_t)-1;
}

void compile_fail(struct compile *c, struct span where, const char *fmt, ...)
{
	va_list args;

	if (c->err)
		return;
	c->err = -EINVAL;
	c->error->text = error_text(c);
	c->error->start = where.start;
	c->error->end = where.end;
	va_start(args, fmt);
	vsnprintf(c->error->message, sizeof(c->error->message), fmt, args);
	va_end(args);
}

void compile_refuse(struct compile *c, struct span where, const char *fmt, ...)
{
	va_list args;
	char text[200];

	if (c->err)
		return;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	compile_fail(c, where, "%s", text);
	c->err = -EOPNOTSUPP;
}

void compile_hint(struct compile *c, const char *fmt, ...)
{
	va_list args;

	if ((c->err != -EINVAL && c->err != -EOPNOTSUPP) || c->error->hint[0])
		return;
	va_start(args, fmt);
	vsnprintf(c->error->hint, sizeof(c->error->hint), fmt, args);
	va_end(args);
}

void compile_text(struct compile *c, struct span span, char *buf, size_t size)
{
	snprintf(buf, size, "%.*s", SPAN_ARG(c->slot->text, span));
}

void *compile_alloc(struct compile *c, size_t size)
{
	void *bytes = arena_alloc(&c->p->arena, size);

	if (!bytes)
		c->err = -ENOMEM;
	return bytes;
}

/* ---- what is asked for ---- */

static void take_function(struct compile *c)
{
	const struct btf_type *func = btf_view_type(c->in->btf, c->in->func_id);
	const char *name = c->in->name;

	if (c->in->params && !func) { /* its parameters are known, that is all */
		c->p->func = arena_text(&c->p->arena, name, strlen(name));
		c->err = c->p->func ? 0 : -ENOMEM;
		return;
	}
	if (!func || btf_kind(func) != BTF_KIND_FUNC ||
	    btf_view_kind(c->in->btf, func->type) != BTF_KIND_FUNC_PROTO) {
		compile_fail(c, (struct span){}, "the function has no prototype in BTF");
		return;
	}
	if (!name)
		name = btf_view_string(c->in->btf, func->name_off);
	c->p->func = arena_text(&c->p->arena, name, strlen(name));
	if (!c->p->func)
		c->err = -ENOMEM;
	c->p->proto = func->type;
}

void slot_add(struct compile *c, const char *text)
{
	struct slot *s = &c->p->slots[c->p->slot_count];

	s->text = arena_text(&c->p->arena, text, strlen(text));
	if (s->text)
		c->p->slot_count++;
	else
		c->err = -ENOMEM;
}

static void slots_alloc(struct compile *c, size_t count)
{
	if (count > SLOTS_MAX) {
		compile_fail(c, (struct span){}, "more than %d expressions", SLOTS_MAX);
		return;
	}
	c->p->slots = compile_alloc(c, (c->in->condition_count + count + FOLLOW_MAX + 1) * sizeof(*c->p->slots));
	for (size_t i = 0; i < c->in->condition_count && !c->err; i++) {
		slot_add(c, c->in->conditions[i]);
		c->p->filter_count++;
	}
}

static void slot_from_param(struct compile *c, unsigned i)
{
	const char *name = param_name(c, i);
	char numbered[16];

	snprintf(numbered, sizeof(numbered), "$arg%u", i + 1);
	slot_add(c, *name ? name : numbered);
}

/* Every parameter that can be shown. */
static void slots_from_params(struct compile *c)
{
	for (unsigned i = 0; i < param_count(c) && !c->err; i++) {
		if (param_is_showable(c, i))
			slot_from_param(c, i);
	}
}

static void slots_of_return(struct compile *c)
{
	if (function_returns(c))
		slot_add(c, "$ret");
	if (c->in->scope == EXPR_SCOPE_CALL)
		slot_add(c, "$lat");
}

/* What is shown where nothing is asked for: what is known at the return, or every parameter. */
static void slots_by_default(struct compile *c)
{
	if (c->in->scope != EXPR_SCOPE_RETURN)
		slots_from_params(c);
	else
		slots_of_return(c);
}

static bool is_all(const char *text)
{
	return !strcmp(text, "$arg*");
}

/* No expression stands for all parameters, as $arg* does; for no key where calls are counted. */
static size_t slots_wanted(struct compile *c)
{
	size_t params = param_count(c);
	bool given = c->in->aggregate || (c->in->count && !c->in->caller_alone);
	size_t count = given ? 2 : params + 2; /* 2: of the return */

	count += 3 * c->in->diff_count;
	for (size_t i = 0; i < c->in->count; i++)
		count += is_all(c->in->texts[i]) ? params : 1;
	return count;
}

static void slots_from_text(struct compile *c, size_t i)
{
	size_t first = c->p->slot_count;

	if (is_all(c->in->texts[i]))
		slots_from_params(c);
	else
		slot_add(c, c->in->texts[i]);
	for (size_t s = first; s < c->p->slot_count; s++)
		c->p->slots[s].input = i;
}

static void take_slots(struct compile *c)
{
	const struct expr_aggregate *a = c->in->aggregate;

	slots_alloc(c, slots_wanted(c) + (a ? a->count : 0));
	if (!c->in->count && !c->in->diff_count && !a && !c->err)
		slots_by_default(c);
	for (size_t i = 0; i < c->in->count && !c->err; i++)
		slots_from_text(c, i);
	if (c->in->caller_alone && !c->in->diff_count && !c->err)
		slots_by_default(c);
	diffs_take(c);
	if (!a && !c->err && slots_at_return_wanted(c->in))
		slots_of_return(c);
	c->p->key_count = c->p->slot_count - c->p->filter_count;
	if (a && !c->err)
		measures_take(c);
}

/* ---- the stages ---- */

static void for_each_slot(struct compile *c, void (*stage)(struct compile *c, struct slot *s))
{
	for (size_t i = 0; i < c->p->slot_count && !c->err; i++) {
		c->slot = &c->p->slots[i];
		stage(c, c->slot);
	}
	c->slot = NULL;
}

/* Adds those that stand at its place in the output. */
static void slots_hang(struct compile *c, struct slot *s)
{
	if (s->diff)
		expr_diff(c, s);
	else
		expr_follow(c, s);
}

static void reached(struct compile *c, enum expr_stage stage)
{
	if (!c->err)
		c->p->reached = stage;
}

static void compile(struct compile *c)
{
	take_function(c);
	if (!c->err)
		take_slots(c);

	for_each_slot(c, expr_lex);
	reached(c, EXPR_STAGE_TOKENS);
	for_each_slot(c, expr_parse);
	reached(c, EXPR_STAGE_AST);
	for_each_slot(c, expr_resolve);
	for_each_slot(c, expr_format);
	for (size_t i = 0; i < c->p->slot_count && !c->err; i++)
		slots_hang(c, &c->p->slots[i]);
	reached(c, EXPR_STAGE_TYPES);
	for_each_slot(c, expr_plan);
	call_keep(c);
	expr_plan_share(c);
	for_each_slot(c, expr_plan_places);
	reached(c, EXPR_STAGE_PLAN);
	if (!c->err)
		expr_layout(c);
	reached(c, EXPR_STAGE_LAYOUT);
	if (!c->err)
		expr_codegen(c);
	reached(c, EXPR_STAGE_INSNS);
}

int expr_compile(const struct expr_input *in, struct expr_program **out, struct expr_error *error)
{
	struct expr_program *p = calloc(1, sizeof(*p));
	struct compile c = { .in = in, .p = p, .error = error };

	*error = (struct expr_error){ .text = (size_t)-1 };
	if (!p)
		return -ENOMEM;
	p->reached = -1;
	p->btf = in->btf;
	p->target = in->target;
	compile(&c);
	if (c.err == -ENOMEM) {
		expr_free(p);
		p = NULL;
	}
	*out = p;
	return c.err;
}

void expr_free(struct expr_program *p)
{
	if (!p)
		return;
	arena_free(&p->arena);
	free(p->code.insns);
	free(p->code.labels);
	free(p->code.fixups);
	free(p->return_code.insns);
	free(p->return_code.labels);
	free(p->return_code.fixups);
	free(p);
}

/* ---- results ---- */

const struct bpf_insn *expr_insns(const struct expr_program *p, size_t *count)
{
	*count = p->code.count;
	return p->code.insns;
}

const struct bpf_insn *expr_insns_return(const struct expr_program *p, size_t *count)
{
	*count = p->return_code.count;
	return p->return_code.insns;
}

const struct schema *expr_schema(const struct expr_program *p)
{
	return &p->schema;
}

const struct expr_table *expr_table(const struct expr_program *p)
{
	return p->table.count ? &p->table : NULL;
}

size_t expr_record_size(const struct expr_program *p)
{
	return p->record_size;
}

unsigned expr_not_followed(const struct expr_program *p)
{
	return p->not_followed;
}
