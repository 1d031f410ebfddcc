/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * probe.c - one probe: its program, compiled for a variant, and everything that it owns.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/argdump.h"
#include "probe/within_own.h"
#include "probe/ask_kernel.h"
#include "util/log.h"
#include "symbols/kernel/ksyms.h"

const struct probe_ops *const *probe_kinds;

struct argdump_probe *argdump_probe_add(struct argdump *a, const struct argdump_request *request,
					const char *name)
{
	size_t count = a->probe_count;
	struct argdump_probe *p;

	/* grows the array each time its size reaches a power of two */
	if (!(count & (count - 1))) {
		p = realloc(a->probes, (count ? count * 2 : 1) * sizeof(*p));
		if (!p)
			return NULL;
		a->probes = p;
	}
	p = &a->probes[count];
	*p = (struct argdump_probe){
		.request = request,
		.kind = probe_kinds[request->spec.kind],
		.name = strdup(name),
		.limits.kernel = a->kernel.is_known ? &a->kernel.has : NULL,
	};
	a->probe_count += p->name != NULL;
	return p->name ? p : NULL;
}

/* True if the program is on a function: a system call may be a function or a tracepoint. */
static bool on_function(const struct argdump_probe *p, const struct argdump_variant *variant)
{
	enum probe_spec_kind kind = p->request->spec.kind;

	return (kind == PROBE_SPEC_FUNCTION || kind == PROBE_SPEC_SYSCALL) &&
	       variant->method != ATTACH_TRACEPOINT && variant->method != ATTACH_EVENT;
}

/* True if one of the items is not the entry of a function. */
static bool has_offset(const struct probe_spec *spec)
{
	for (size_t i = 0; i < spec->count; i++)
		if (spec->items[i].has_offset || !*spec->items[i].name)
			return true;
	return false;
}

/* Returns the address of frame 0 of stacks if the program itself cannot tell (it has no bpf_get_func_ip): that of the
 * one function of this name. */
static uint64_t function_address(const struct session *s, const struct argdump_probe *p)
{
	const struct probe_spec *spec = &p->request->spec;
	const struct btf_type *func = btf_view_type(s->btf, p->input.site.func_id);
	size_t count = 0;
	uint64_t address = 0;

	if (s->names.kernel && !p->target.func_arg && func && spec->kind == PROBE_SPEC_FUNCTION &&
	    spec->count == 1 && !spec->items->is_pattern && !spec->items->has_offset)
		address = ksyms_address(btf_view_string(s->btf, func->name_off), &count);
	return count == 1 ? address : 0;
}

static void texts_set(struct argdump *a, struct argdump_probe *p)
{
	/* an end has the expressions and conditions of its begin */
	const struct argdump_request *r = p->request->pair ? &a->requests[p->request->pair->begin] :
							     p->request;
	struct expr_input *in = &p->input;

	in->texts = r->exprs;
	in->count = r->expr_count;
	in->plain = r->plain;
	in->caller_first = r->has_caller && !in->run.aggregate;
	in->first_alone = r->first_alone && !in->run.aggregate;
	if (in->run.aggregate) {
		const struct aggregate_keys *keys;

		in->owner = p->request->owner;
		keys = aggregate_keys(&a->aggregate, in->owner);
		in->texts = keys->texts;
		in->count = keys->count;
	}
	in->conditions = r->conditions;
	in->condition_count = r->condition_count;
}

static void variant_set(struct argdump_probe *p, const struct argdump_variant *variant)
{
	struct expr_input *in = &p->input;

	p->attempt.method = variant->method;
	in->scope = p->kind->scope;
	in->session = in->scope == EXPR_SCOPE_CALL && attach_has(variant->method, ATTACH_SESSION);
	in->site.on_function = on_function(p, variant);
	in->site.args_trusted = variant->method == ATTACH_TRACEPOINT;
	in->target = p->target;
	in->target.method = variant->context;
	in->target.typed_loads = variant->typed_loads;
	in->target.probe_read = variant->probe_read;
	in->target.few_registers = attach_has(variant->method, ATTACH_FPROBE) &&
				   p->target.multi_by_fgraph;
	ctx_input_set(in, p);
	in->site.at_entry = in->site.on_function;
	if (p->kind->prepare)
		p->kind->prepare(p, variant);
	in->site.at_entry &= in->scope == EXPR_SCOPE_ENTRY && !has_offset(&p->request->spec);
}

/* Sets what a probe's program does with the sets of --in. */
static void within_input(const struct argdump *a, const struct argdump_probe *p,
			 struct expr_input *in)
{
	const struct argdump_within *w = &a->within;

	in->within.marks = argdump_marks(a) ? p->request->owner : 0;
	within_sets(a, p, &in->within);
	in->within.user = w->user;
	in->within.depth_of = w->depth_of;
	in->within.depth_own = w->depth_own && p->request->both;
	inside_input(a, p, in);
}

static void input_set(struct session *s, struct argdump *a, struct argdump_probe *p,
		      const struct argdump_variant *variant)
{
	struct expr_input *in = &p->input;

	in->run = a->run;
	in->btf = p->btf ?: s->btf;
	in->site.function = function_address(s, p);
	in->probe_number = p->number;
	in->point.index = p->functions.count > 1 ? -1 : (int)p->first_point;
	in->point.first = p->first_point;
	in->point.count = p->functions.count ?: 1;
	texts_set(a, p);
	if (a->within.marks || argdump_marks(a))
		within_input(a, p, in);
	if (a->window.bounds)
		window_input(a, p, in);
	variant_set(p, variant);
	variables_input_set(in, s->options.attach.btf && s->options.attach.dry_run,
			    !s->options.attach.dry_run);
	expr_free(p->expr);
	p->expr = NULL;
}

/* Compiles one side of a pair, for the variant of the other side, or the first possible one. */
static int pair_compile(struct session *s, struct argdump *a, struct argdump_probe *p,
			struct expr_error *error)
{
	struct expr_pair *pair = &p->request->pair->input;
	struct argdump_probe *other = pair_other(a, p);
	struct argdump_probe *end = p->request->is_end ? p : other;
	struct argdump_probe *begin = p->request->is_end ? other : p;
	struct expr_program *expr = other->expr;
	const struct argdump_variant *variant;
	int err = -EOPNOTSUPP;

	pair->begin = &begin->input;
	pair->end = &end->input;
	pair->makes_end = end == p;
	other->expr = NULL; /* still owned by the other side */
	for (size_t n = 0; err == -EOPNOTSUPP; n++) {
		variant = other->variant ?: argdump_variant_at(&s->options, s->btf, other, n);
		if (!variant || (n && other->variant))
			break;
		input_set(s, a, other, variant);
		begin->input.pair = end->input.pair = pair;
		expr_free(p->expr);
		err = expr_compile(&begin->input, &p->expr, error);
	}
	other->expr = expr;
	return err ?: pair_check(a, p, error);
}

int argdump_probe_compile(struct session *s, struct argdump *a, struct argdump_probe *p,
			  const struct argdump_variant *variant, struct expr_error *error)
{
	int err;

	input_set(s, a, p, variant);
	if (a->language)
		err = a->language->compile(s, a, p, error);
	else
		err = p->request->pair ? pair_compile(s, a, p, error) :
					 expr_compile(&p->input, &p->expr, error);
	p->attempt.variant = err ? NULL : variant;
	return err;
}

/* Returns NULL if the error is not about a text. */
static const char *text_of(const struct expr_input *in, size_t i)
{
	size_t conditions = in->count, measures = conditions + in->condition_count;
	size_t trigger = (size_t)-1 - i;

	if (trigger && trigger < EXPR_TRIGGERS)
		return in->triggers[trigger];
	if (i < conditions)
		return in->texts[i];
	if (i < measures)
		return in->conditions[i - conditions];
	if (in->run.aggregate && i - measures < in->run.aggregate->count)
		return in->run.aggregate->measures[i - measures].text;
	if (i - measures < in->run.diff_count)
		return in->run.diffs[i - measures];
	if (in->run.aggregate)
		measures += in->run.aggregate->count;
	if (in->pair && i - measures < in->pair->key_count)
		return in->pair->keys[i - measures];
	return NULL;
}

void argdump_probe_error_report(const struct argdump *a, const struct argdump_probe *p,
				const struct expr_error *e)
{
	const char *text = text_of(&p->input, e->text);
	bool own = p->input.texts == p->request->exprs && e->text < p->input.count;

	log_error("%s", e->message);
	if (text && !(own && argdump_legacy_caret(p->request, e->text, e->start, e->end)))
		model_caret(model_text_of(&a->model, text), text, e->start, e->end);
	if (e->hint[0])
		log_hint("%s", e->hint);
}

#define REGISTER(number_)                                                                          \
	{                                                                                          \
		.name = "", .size = 8, .is_hidden = true, .where = EXPR_PARAM_REGISTER,            \
		.offset = number_                                                                  \
	}
static const struct expr_param registers[ARCH_SYSCALL_ARGUMENTS] = {
	REGISTER(0), REGISTER(1), REGISTER(2), REGISTER(3), REGISTER(4), REGISTER(5),
};

void argdump_registers_set(struct expr_site *site, bool inside)
{
	site->params = registers;
	site->params_unknown = inside;
	site->param_count = inside ? 0 : ARCH_SYSCALL_ARGUMENTS;
}

void argdump_probe_untyped(struct argdump_probe *p)
{
	p->input.site.name = p->name;
	if (!p->input.site.func_id)
		argdump_registers_set(&p->input.site, p->kind->is_instruction);
}

/* Of the errors of several variants, reports the one that occurred furthest in the text: the others stop at something
 * that this variant supports. */
static bool is_further(const struct expr_error *e, const struct expr_error *kept)
{
	if (e->stage != kept->stage)
		return e->stage > kept->stage;
	return e->text != kept->text ? e->text > kept->text : e->start >= kept->start;
}

/* True if --attach names it: choices come first among the methods. */
static bool is_choice(enum attach_method_id method)
{
	size_t count = 0;

	while (attach_method_choices[count])
		count++;
	return method < count;
}

/* Lists the arguments of --attach by which this kernel may attach the probe. */
static void ways_list(const struct session *s, const struct argdump_probe *p,
		      struct expr_error *error)
{
	struct options any = s->options;
	const struct argdump_variant *variant;
	size_t len = 0, size = sizeof(error->hint);
	unsigned listed = 0;

	any.attach.method = ATTACH_ANY;
	snprintf(error->hint, size, "such a probe is attached without --attach");
	for (size_t n = 0; len < size && (variant = argdump_variant_at(&any, s->btf, p, n)); n++) {
		if (is_choice(variant->method) && !(listed & 1u << variant->method))
			len += snprintf(error->hint + len, size - len, "%s%s",
					len ? ", " : "such a probe can be attached by ",
					attach_methods[variant->method].name);
		listed |= 1u << variant->method;
	}
}

int argdump_probe_compile_any(struct session *s, struct argdump *a, struct argdump_probe *p,
			      struct expr_error *error)
{
	const struct argdump_variant *variant;
	struct expr_error one;
	int err = -EOPNOTSUPP;
	size_t n;

	*error = (struct expr_error){
		.text = (size_t)-1,
		.stage = -2,
	};
	for (n = 0; err == -EOPNOTSUPP && (variant = argdump_variant_at(&s->options, s->btf, p, n));
	     n++) {
		err = argdump_probe_compile(s, a, p, variant, &one);
		p->variant = variant;
		if (err && is_further(&one, error))
			*error = one;
	}
	if (n)
		return err;
	snprintf(error->message, sizeof(error->message), "cannot attach %s by %s here", p->name,
		 attach_method_choices[s->options.attach.method]);
	ways_list(s, p, error);
	return err;
}

int argdump_probe_compile_or_report(struct session *s, struct argdump *a, struct argdump_probe *p)
{
	struct expr_error error;
	int err = argdump_probe_compile_any(s, a, p, &error);

	if (err == -ENOMEM)
		log_error("out of memory");
	else if (err && a->language)
		a->language->report(s, &error);
	else if (err)
		argdump_probe_error_report(a, p, &error);
	return err;
}

void argdump_probe_drop(struct argdump *a)
{
	argdump_probe_close(&a->probes[--a->probe_count]);
}

void argdump_probe_detach(struct argdump_probe *p)
{
	fdset_close(&p->fds.links);
	fdset_close(&p->fds.programs);
	fdset_close(&p->calls.map);
	fdset_close(&p->fds.switches);
	p->variant = NULL;
}

void argdump_probe_close(struct argdump_probe *p)
{
	argdump_probe_detach(p);
	free(p->functions.items);
	expr_free(p->expr);
	free(p->plan.text);
	if (p->source)
		p->source_free(p->source);
	free(p->name);
}

bool argdump_has_struct(const struct argdump_probe *p)
{
	const struct schema *schema = p->expr ? expr_schema(p->expr) : NULL;

	if (!schema)
		return p->plan.has_struct;
	for (size_t i = 0; i < schema->count; i++)
		if (schema->fields[i].type == FIELD_STRUCT)
			return true;
	return false;
}

void argdump_depth_check(const struct argdump *a)
{
	bool none = a->run.depth;

	for (size_t i = 0; i < a->probe_count && none; i++)
		none = !argdump_has_struct(&a->probes[i]);
	if (none)
		log_warn("--depth has no effect: no EXPR is a struct, e.g. '*file'");
}
