/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * multi.c - probes on many functions at once: a list, or patterns.
 *
 * A few functions, or all where the kernel cannot do better, get a probe each. Otherwise functions
 * that the same program can serve form one probe, and all probes are attached together
 * (multi_attach.c). A function that does not fit the expressions is left out with a message, unless
 * it was named.
 */
#include "probe/providers/providers.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/type.h"
#include "probe/name_choice.h"
#include "attach/stack_trial.h"
#include "attach/attach_error.h"
#include "probe/providers/multi_groups.h"
#include "util/log.h"
#include "symbols/kernel/ksyms.h"
#include "expr/expr.h"

/* ---- from functions to probes ---- */

struct sort {
	struct session *s;
	struct argdump *a;
	struct argdump_request *request;
	struct expr_target target;
	struct multi_mode how;
	size_t first;		     /* the first probe of the request */
	struct multi_groups *groups; /* owned */
	/* how many functions do not fit the expressions, or have no types */
	size_t left_out, untyped;
	char one[64]; /* the first of those that do not fit, and its error */
	struct expr_error error;
};

static uint32_t proto_of(const struct function *f)
{
	const struct btf_type *t = f->btf ? btf_view_type(f->btf, f->id) : NULL;

	return t ? t->type : 0;
}

static int function_join(struct argdump_probe *p, const struct function *f)
{
	const struct function **functions;
	size_t count = p->functions.count;

	/* grows the array each time its size reaches a power of two */
	if (!(count & (count - 1))) {
		functions = realloc(p->functions.items,
				    (count ? count * 2 : 1) * sizeof(*functions));
		if (!functions)
			return -ENOMEM;
		p->functions.items = functions;
	}
	p->functions.items[p->functions.count++] = f;
	return 0;
}

/* True if the request names the function; false if only a pattern matches it. */
static bool is_named(const struct argdump_request *r, const struct function *f)
{
	for (size_t i = 0; i < r->spec.count && !r->is_found; i++)
		if (!r->spec.items[i].is_pattern && !strcmp(r->spec.items[i].name, f->name))
			return true;
	return false;
}

/* Adds a probe compiled for `f`. Returns -EINVAL if the function does not fit the expressions. */
static int probe_begin(struct sort *sort, const struct function *f)
{
	struct argdump_probe *p;
	struct expr_error error;
	int err;

	p = argdump_probe_add(sort->a, sort->request, f->name);
	if (!p)
		return -ENOMEM;
	p->kind = sort->how.kind;
	p->btf = f->btf;
	p->target = sort->target;
	p->input.site.func_id = f->id;
	argdump_probe_untyped(p);
	p->functions.attach_type = sort->how.attach_type;
	p->symbol.name = f->name;
	p->symbol.module = f->module;
	p->symbol.address = f->duplicate_symbol ? f->address : 0;
	p->symbol.kprobe_addr = f->address;
	p->limits.by_kprobe = sort->how.by_kprobe;
	if (sort->request->pair)
		return function_join(p, f);
	err = argdump_probe_compile_any(sort->s, sort->a, p, &error);
	if (err == -EOPNOTSUPP && p->limits.by_kprobe) {
		p->limits.by_kprobe = false;
		err = argdump_probe_compile_any(sort->s, sort->a, p, &error);
	}
	if (err == -EOPNOTSUPP)
		err = -EINVAL;
	if (err == -EINVAL && is_named(sort->request, f))
		argdump_probe_error_report(sort->a, p, &error);
	if (!err)
		return function_join(p, f);
	if (!sort->one[0]) {
		snprintf(sort->one, sizeof(sort->one), "%.63s", p->name);
		sort->error = error;
	}
	argdump_probe_drop(sort->a);
	return is_named(sort->request, f) ? -ECANCELED : err;
}

/* --dry-run: stores the text that is printed about the program. */
static int plan_store(const struct argdump *a, struct argdump_probe *p)
{
	struct buf text;

	buf_init(&text, -1);
	expr_describe(p->expr, p->request->is_end, &text);
	p->plan.text = text.error ? NULL : strndup(text.data ?: "", text.len);
	buf_free(&text);
	p->plan.method = argdump_method_name(p, p->variant);
	p->plan.has_struct = a->run.depth && argdump_has_struct(p);
	return p->plan.text ? 0 : -ENOMEM;
}

/* Frees the program, to save memory with thousands of functions: once all probes have their numbers, each is compiled
 * again and loaded at once. */
static int program_drop(struct sort *sort, struct argdump_probe *p)
{
	const struct argdump *a = sort->a;
	int err = 0;

	if (p->request->pair)
		return 0;
	if (sort->s->options.attach.dry_run && !a->look.dump_stage &&
	    !aggregate_wanted(&a->aggregate))
		err = plan_store(a, p);
	expr_free(p->expr);
	p->expr = NULL;
	return err;
}

/* Adds a function with a new prototype, to a new probe or an existing one. */
static int group_add(struct sort *sort, const struct function *f, uint32_t proto)
{
	struct argdump *a = sort->a;
	size_t probe = SIZE_MAX;
	int err = probe_begin(sort, f);

	if (err && err != -EINVAL)
		return err;
	if (!err) {
		size_t last = a->probe_count - 1;

		probe = multi_groups_same(sort->groups, a->probes[last].expr, last);
		if (probe < last) {
			argdump_probe_drop(a);
			err = function_join(&a->probes[probe], f);
		} else {
			err = program_drop(sort, &a->probes[last]);
		}
	}
	multi_groups_add(sort->groups, f->btf, proto, probe);
	return err;
}

static int function_sort(struct sort *sort, const struct function *f)
{
	uint32_t proto = proto_of(f);
	size_t probe;
	int err;

	if (!sort->how.kind->attach_all)
		err = probe_begin(sort, f) ?:
			      program_drop(sort, &sort->a->probes[sort->a->probe_count - 1]);
	else if (!multi_groups_find(sort->groups, f->btf, proto, &probe))
		err = group_add(sort, f, proto);
	else if (probe == SIZE_MAX)
		err = -EINVAL;
	else
		err = function_join(&sort->a->probes[probe], f);
	if (err != -EINVAL)
		return err;
	sort->left_out++;
	sort->untyped += !proto;
	return 0;
}

static void untraceable_report(const struct function_list *list)
{
	for (size_t i = 0; i < FUNCTION_FAULTS; i++) {
		const struct function_left_out *left = &list->left_out[i];

		if (left->first)
			log_note("%zu function%s left out, %s%s: %s", left->count,
				 left->count == 1 ? "" : "s", left->count == 1 ? "" : "e.g. ",
				 left->first, left->why);
	}
}

static void left_out_report(const struct sort *sort)
{
	const struct functions *found = &sort->request->functions.found;
	const struct probe_spec *spec = &sort->request->spec;

	if (sort->request->is_again)
		return;
	if (found->count > 1 && spec->count == 1 && !spec->items->is_pattern && !found->unreachable)
		log_note("%zu functions are called %s: all of them are traced", found->count,
			 spec->items->name);
	untraceable_report(&sort->request->functions);
	if (found->unreachable)
		log_note("%zu functions are not seen: they share their names with others, and %s",
			 found->unreachable, ksyms_hint(-EPERM));
	if (sort->left_out)
		log_note("%zu function%s left out, %s%s: %s%s", sort->left_out,
			 sort->left_out == 1 ? "" : "s", sort->left_out == 1 ? "" : "e.g. ",
			 sort->one, sort->error.message,
			 sort->untyped == sort->left_out ? " (BTF does not describe it)" : "");
}

/* True if a BTF id identifies the function: not if others share its name, nor in a module. */
static bool has_id(const struct function *f)
{
	return f->id && !f->module && !f->duplicate_symbol;
}

enum some { ALL, WITH_ID, WITHOUT_ID };

/* Sorts functions that may share a link. */
static int some_sort(struct sort *sort, enum some some)
{
	const struct functions *found = &sort->request->functions.found;
	int err = 0;

	sort->groups = multi_groups_new(found->count);
	if (!sort->groups)
		return -ENOMEM;
	for (size_t i = 0; i < found->count && !err; i++) {
		log_busy("preparing", i + 1, found->count);
		if (some == ALL || has_id(&found->list[i]) == (some == WITH_ID))
			err = function_sort(sort, &found->list[i]);
	}
	multi_groups_free(sort->groups);
	return err;
}

/* Puts functions that fentry.multi cannot attach to into a link of their own. */
static int functions_sort(struct sort *sort)
{
	bool split = sort->how.rest != NULL;
	int err = some_sort(sort, split ? WITH_ID : ALL);

	if (!err && split) {
		sort->how = (struct multi_mode){ .kind = sort->how.rest, .attach_type = -1 };
		err = some_sort(sort, WITHOUT_ID);
	}
	return err;
}

/* ---- which functions ---- */

/* Returns false, after printing an error, if the request names a type that does not exist. */
static bool types_known(struct session *s, const struct argdump_request *r)
{
	bool known = true;

	for (size_t i = 0; i < r->spec.count && known; i++)
		known = !r->spec.items[i].type || type_exists(s, r->spec.items[i].type);
	return known;
}

static int none_report(struct session *s, const struct argdump_request *r)
{
	const struct function_left_out *left = r->functions.left_out;

	while (left < r->functions.left_out + FUNCTION_FAULTS - 1 && !left->first)
		left++;
	if (!left->first) {
		log_error("cannot trace %s: no function matches", r->text);
		if (types_known(s, r))
			log_hint("functions are listed in "
				 "/sys/kernel/tracing/available_filter_functions");
		return EXIT_USAGE;
	}
	log_error("cannot trace %s: %s%s: %s", r->text, left->first,
		  left->count > 1 ? " and others" : "", left->why);
	log_hint("argdump --list shows each function, and why it cannot be traced");
	return EXIT_CANNOT;
}

/* Checks that each plain name exists. Returns an exit code. */
static int names_check(struct session *s, const struct argdump_request *r)
{
	for (size_t i = 0; i < r->spec.count; i++) {
		const struct probe_spec_item *item = &r->spec.items[i];
		int code;

		if (item->is_pattern || functions_get(&r->functions.found, item->name))
			continue;
		code = attach_explain(r->spec.count > 1 ? item->name : r->text, s->btf, -ENOENT);
		names_missing_hint(r, item->name);
		return code;
	}
	return r->functions.found.count ? EXIT_FINE : none_report(s, r);
}

static int find_report(const struct argdump_request *r, const struct probe_spec_error *error,
		       int err)
{
	if (err == -EINVAL) {
		log_error("%s", error->message);
		argdump_request_caret(r, error->start, error->end);
		log_hint("%s", error->hint);
		return EXIT_USAGE;
	}
	log_error("cannot look up %s: %s", r->text, strerror(-err));
	return EXIT_CANNOT;
}

static int functions_find_all(struct session *s, struct argdump *a, struct argdump_request *r)
{
	struct probe_spec_error error = { 0 };
	int err = 0;

	if (!a->modules && !s->options.attach.btf)
		/* if that fails, modules are not searched */
		btf_modules_open(s->btf, NULL, &a->modules);
	err = function_list_traceable(&r->functions, &r->spec, s->btf, a->modules,
				      function_list_want(&s->options), &error);
	return err ? find_report(r, &error, err) : names_check(s, r);
}

static bool captures_stacks(const struct session *s, const struct argdump *a,
			    const struct argdump_request *request)
{
	const struct options_stacks *o = &s->options.stacks;

	if (a->language && a->language->walks(s, request))
		return true;
	return o->kernel || o->user || o->folded || model_mentions(&a->model, "stack");
}

/* On arm64 kprobe.multi has only the first frame of a stack: functions whose stacks are wanted get a kprobe each. The
 * trial takes 0.2 s. */
static bool multi_has_stacks(const struct session *s, const struct argdump *a,
			     const struct argdump_request *request)
{
	return s->options.attach.method != ATTACH_ANY ||
	       multi_is_few(s, a, request->functions.found.count) ||
	       !captures_stacks(s, a, request) || stack_of_multi_is_whole();
}

int multi_resolve(struct session *s, struct argdump *a, struct argdump_request *request,
		  const struct probe_ops *single)
{
	struct sort sort = { .s = s, .a = a, .request = request, .first = a->probe_count };
	uint32_t none;
	int code = functions_find_all(s, a, request), err;

	if (code)
		return code;
	a->run.many |= request->functions.found.count > 1;
	err = expr_target_detect(s->btf, "", &sort.target, &none);
	if (request->both)
		expr_target_sessions(s->btf, &sort.target);
	sort.target.kprobe_multi = sort.target.kprobe_multi && multi_has_stacks(s, a, request);
	if (!err) {
		sort.how = multi_mode_choose(s, a, request, &sort.target, single);
		err = functions_sort(&sort);
	}
	if (err == -ECANCELED) /* already printed */
		return EXIT_USAGE;
	if (err)
		return find_report(request, NULL, err);
	left_out_report(&sort);
	if (a->probe_count > sort.first)
		return EXIT_FINE;
	log_error("cannot trace %s: the expressions fit none of its functions", request->text);
	if (sort.error.hint[0])
		log_hint("%s", sort.error.hint);
	return EXIT_USAGE;
}
