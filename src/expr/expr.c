/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * expr.c - expr_compile, the table of contents of argdump's compiler.
 *
 *	syntax/		text → tokens → nodes
 *	resolve/	meaning of nodes in this kernel; how values are shown
 *	lower/		values, steps, a load mode for each hop
 *	layout/		places in the record or counted entry; the schema
 *	emit/		instructions and relocations
 *	dump/		every stage in text
 *	maps.c		maps of a program
 *	features.c	what a kernel offers
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expr/emit/codegen.h"
#include "expr/layout/layout.h"
#include "expr/lower/lower.h"
#include "expr/resolve/format.h"
#include "expr/syntax/syntax.h"

/* ---- the expressions: one slot each ---- */

static void set_function(struct compile *c)
{
	const struct btf_type *func = btf_view_type(c->in->btf, c->in->site.func_id);
	const char *name = c->in->site.name;

	/* without a type, only its parameters are known */
	if ((func || !c->in->site.params) &&
	    (!func || btf_kind(func) != BTF_KIND_FUNC ||
	     btf_view_kind(c->in->btf, func->type) != BTF_KIND_FUNC_PROTO)) {
		compile_fail(c, (struct span){}, "the function has no prototype in BTF");
		return;
	}
	if (!name)
		name = btf_view_string(c->in->btf, func->name_off);
	c->p->proto = func ? func->type : 0;
	c->p->func = arena_text(&c->p->arena, name, strlen(name));
	c->err = c->p->func ? 0 : -ENOMEM;
}

/* Each side of a pair has a function. */
static void set_functions(struct compile *c)
{
	for (int end = c->in->pair != NULL; end >= 0 && !c->err; end--) {
		compile_side(c, end);
		set_function(c);
		c->sides[end].func = c->p->func;
		c->sides[end].proto = c->p->proto;
		c->p->proto = end ? 0 : c->p->proto;
	}
	compile_side(c, false);
}

/* True if slots may be added later. Slots are large, and thousands of programs may exist; pairs
 * are few. */
static bool may_follow(const struct expr_input *in)
{
	return in->run.depth || in->run.diff_count || in->pair || in->site.has_texts;
}

/* True if a record is about a begin and an end. */
static bool has_return(const struct expr_input *in)
{
	return in->scope == EXPR_SCOPE_CALL || in->pair;
}

static bool has_triggers(const struct expr_input *in)
{
	return in->triggers[EXPR_TRIGGER_BEGIN] || in->triggers[EXPR_TRIGGER_STOP];
}

static void slots_alloc(struct compile *c, size_t count)
{
	if (count > SLOTS_MAX) {
		compile_fail(c, (struct span){}, "more than %d expressions", SLOTS_MAX);
		return;
	}
	c->p->hidden_first = (c->in->pair ? pair_terms_most(c) : c->in->condition_count) + count +
			     1 + (has_triggers(c->in) ? EXPR_TRIGGERS : 0) +
			     (may_follow(c->in) ? FOLLOW_MAX : 0);
	c->p->slot_room = c->p->hidden_first + (c->in->pair ? PAIR_HIDDEN_MAX : 0);
	c->p->slots = compile_alloc(c, c->p->slot_room * sizeof(*c->p->slots));
	for (size_t i = 0; i < c->in->condition_count && !c->err; i++)
		pair_add_condition(c, i);
	if (has_triggers(c->in))
		triggers_add_slots(c, false);
	c->p->filter_count = c->p->slot_count;
}

static void slot_from_param(struct compile *c, unsigned i)
{
	const char *name = param_name(c, i);
	char numbered[16];

	snprintf(numbered, sizeof(numbered), "$arg%u", i + 1);
	slot_add(c, *name ? name : numbered);
}

/* Adds a slot for each member of a struct in registers that can be read. */
static void slots_from_words(struct compile *c, unsigned i)
{
	char text[256], member[128];

	for (unsigned m = 0; !c->err && param_member(c, i, m, member, sizeof(member)); m++) {
		if (!*member)
			continue;
		snprintf(text, sizeof(text), "%s.%s", param_name(c, i), member);
		slot_add(c, text);
	}
}

/* Adds a slot for each parameter that can be shown. */
static void slots_from_params(struct compile *c)
{
	for (unsigned i = 0; i < param_count(c) && !c->err; i++) {
		if (param_is_showable(c, i))
			slot_from_param(c, i);
		else
			slots_from_words(c, i);
	}
}

/* $arg*: also adds the registers of a function without a prototype, which are not shown by
 * default. Without parameters, adds $arg1, whose error tells why there are none. */
static void slots_from_all(struct compile *c)
{
	size_t before = c->p->slot_count;

	for (unsigned i = 0; i < param_count(c) && !c->err; i++) {
		slots_from_words(c, i);
		if (param_is_showable(c, i) ||
		    (param_is_register(c, i) && !c->in->site.first_register))
			slot_from_param(c, i);
	}
	if (c->p->slot_count == before && (c->in->site.is_sample || c->in->site.params_unknown))
		slot_add(c, "$arg1");
}

static void slots_of_return(struct compile *c)
{
	if (c->in->scope != EXPR_SCOPE_ENTRY && function_returns(c) &&
	    (ret_is_readable(c) || !c->in->site.own_types))
		slot_add(c, "$ret");
	if (has_return(c->in))
		slot_add(c, "$lat");
}

/* Adds what is shown without expressions: every parameter, or what is known at the return. */
static void slots_by_default(struct compile *c)
{
	if (c->in->scope != EXPR_SCOPE_RETURN)
		slots_from_params(c);
	else if (!has_return(c->in) || !slots_at_return_wanted(c->in))
		slots_of_return(c);
}

static void slot_with_role(struct compile *c, const char *text, enum field_role role)
{
	slot_add(c, text);
	if (!c->err)
		c->p->slots[c->p->slot_count - 1].place.role = role;
}

/* Adds the values that the record itself needs (enum field_role), last. */
static void slots_with_roles(struct compile *c)
{
	const struct expr_input *in = c->in;
	bool call = in->scope == EXPR_SCOPE_CALL;

	if (in->run.want_begin && (call || in->pair))
		slot_with_role(c, "$ts",
			       in->pair && in->pair->key_count ? FIELD_ROLE_BEGIN_BESIDE :
								 FIELD_ROLE_BEGIN);
	if (in->run.want_cpu)
		slot_with_role(c,
			       in->pair ? "@end($cpu)" :
			       call	? "@ret($cpu)" :
					  "$cpu",
			       FIELD_ROLE_CPU);
}

static bool is_all(const char *text)
{
	return !strcmp(text, "$arg*");
}

static size_t slots_of_params(struct compile *c)
{
	size_t count = param_count(c);
	char member[128];

	for (unsigned i = 0; i < param_count(c); i++)
		for (unsigned m = 0; param_member(c, i, m, member, sizeof(member)); m++)
			count++;
	return count;
}

/* An upper bound. Without expressions, as with $arg*, all parameters are shown; counts then have no key. */
static size_t slots_wanted(struct compile *c)
{
	bool given = c->in->run.aggregate || (c->in->count && !c->in->first_alone);
	size_t lists = !given, count = 2; /* 2: $ret and $lat */

	count += 3 * c->in->run.diff_count + c->in->run.want_begin + c->in->run.want_cpu;
	for (size_t i = 0; i < c->in->count; i++) {
		lists += is_all(c->in->texts[i]);
		count += !is_all(c->in->texts[i]);
	}
	/* 1: $arg1 of an empty $arg* */
	return lists ? count + lists * (slots_of_params(c) + 1) : count;
}

static void slots_from_text(struct compile *c, size_t i)
{
	size_t first = c->p->slot_count;

	if (is_all(c->in->texts[i]))
		slots_from_all(c);
	else
		slot_add(c, c->in->texts[i]);
	for (size_t s = first; s < c->p->slot_count; s++)
		c->p->slots[s].input = i;
}

static void add_slots(struct compile *c)
{
	const struct expr_aggregate *a = c->in->run.aggregate;

	slots_alloc(c, slots_wanted(c) + (a ? a->count : 0));
	if (c->in->within.marks) {
		inside_add_slots(c);
		return;
	}
	if (!c->in->count && !c->in->run.diff_count && !a && !c->err)
		slots_by_default(c);
	for (size_t i = 0; i < c->in->count && !c->err; i++)
		slots_from_text(c, i);
	if (c->in->first_alone && !c->in->run.diff_count && !c->err)
		slots_by_default(c);
	if (c->in->run.diff_count)
		diffs_add_slots(c);
	if (!a && !c->err && has_return(c->in) && slots_at_return_wanted(c->in))
		slots_of_return(c);
	if (!a && !c->err)
		slots_with_roles(c);
	if (has_triggers(c->in))
		triggers_add_slots(c, true);
	c->p->key_count = c->p->slot_count - c->p->filter_count;
	if (a && !c->err)
		measures_add_slots(c);
	if (c->in->pair && !c->err)
		pair_add_keys(c);
}

/* ---- the stages ---- */

/* Adds the slots that are shown as part of this one. */
static void slot_expand(struct compile *c, struct slot *s)
{
	if (s->diff.part)
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
	set_functions(c);
	if (!c->err)
		add_slots(c);

	for_each_slot(c, expr_lex);
	reached(c, EXPR_STAGE_TOKENS);
	for_each_slot(c, expr_parse);
	if (c->in->pair && !c->err)
		pair_split(c);
	reached(c, EXPR_STAGE_AST);
	for_each_slot(c, expr_resolve);
	for_each_slot(c, expr_format);
	for (size_t i = 0; i < c->p->slot_count && !c->err; i++)
		slot_expand(c, &c->p->slots[i]);
	reached(c, EXPR_STAGE_TYPES);
	if (c->in->pair)
		expr_plan_pair(c);
	else
		for_each_slot(c, expr_plan);
	if (c->in->scope == EXPR_SCOPE_CALL)
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
	struct compile c = { .in = in,
			     .p = p,
			     .error = error,
			     .is_param = name_is_param,
			     .is_typedef = type_is_name,
			     .resolve = resolve_node };

	*error = (struct expr_error){ .text = (size_t)-1 };
	if (!p)
		return -ENOMEM;
	p->reached = -1;
	p->btf = in->btf;
	p->target = in->target;
	compile(&c);
	error->stage = p->reached;
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
	free(p->code.relocs);
	free(p->return_code.insns);
	free(p->return_code.labels);
	free(p->return_code.fixups);
	free(p->return_code.relocs);
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

const struct expr_reloc *expr_relocs(const struct expr_program *p, size_t *count)
{
	*count = p->code.reloc_count;
	return p->code.relocs;
}

const struct expr_reloc *expr_relocs_return(const struct expr_program *p, size_t *count)
{
	*count = p->return_code.reloc_count;
	return p->return_code.relocs;
}

bool expr_counts_no_entry(const struct expr_program *p)
{
	return p->calls.counts_no_entry;
}

const struct schema *expr_schema(const struct expr_program *p)
{
	return &p->record.schema;
}

const struct expr_table *expr_table(const struct expr_program *p)
{
	return p->table.count ? &p->table : NULL;
}

size_t expr_record_size(const struct expr_program *p)
{
	return p->record.size;
}

unsigned expr_not_followed(const struct expr_program *p)
{
	return p->not_followed;
}
