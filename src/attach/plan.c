/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * plan.c - builds a plan, the attach order of each hook, from BTF alone. plan_load.c applies it.
 */
#include "attach/plan.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "btf/btf.h"
#include "symbols/kernel/ksyms.h"

/* ---- names to find in the kernel's types ---- */

/* A tracepoint is a typedef of its callback. */
#define TRACEPOINT   "btf_trace_"
#define TARGET_LEN   96
#define ATTACH_TYPES "bpf_attach_type"
#define FPROBES	     "register_fprobe_ips"

/* Copies the next of a hook's alternatives; returns NULL at the end. */
static const char *alternative_next(const char *from, char *name, size_t size)
{
	size_t len = strcspn(from, " ");

	if (!len)
		return NULL;
	snprintf(name, size, "%.*s", (int)len, from);
	return from + len + (from[len] == ' ');
}

/* Writes the name of a function or tracepoint as the kernel's types have it. Returns its kind. */
static unsigned target_name(const struct hook *h, const char *function, char *name)
{
	bool is_tracepoint = h->program[ATTACH_TRACEPOINT];

	snprintf(name, TARGET_LEN, "%s%s", is_tracepoint ? TRACEPOINT : "", function);
	return is_tracepoint ? BTF_KIND_TYPEDEF : BTF_KIND_FUNC;
}

static void hook_want(const struct hook *h, struct btf_lookup *w)
{
	char function[64], name[TARGET_LEN];
	const char *next = h->functions;

	while ((next = alternative_next(next, function, sizeof(function)))) {
		unsigned kind = target_name(h, function, name);

		btf_lookup_add(w, kind, name, strlen(name));
	}
	if (h->unless_field)
		btf_lookup_add(w, BTF_KIND_STRUCT, h->unless_field, strcspn(h->unless_field, "."));
	if (h->feature)
		btf_lookup_add(w, BTF_KIND_FUNC, h->feature, strlen(h->feature));
}

void attach_plan_want(const struct hook *hooks, struct btf_lookup *w)
{
	for (const struct hook *h = hooks; h->name; h++)
		hook_want(h, w);
	btf_lookup_add(w, BTF_KIND_STRUCT, "fprobe", strlen("fprobe"));
	btf_lookup_add(w, BTF_KIND_FUNC, FPROBES, strlen(FPROBES));
	btf_lookup_add(w, BTF_KIND_ENUM, ATTACH_TYPES, strlen(ATTACH_TYPES));
}

/* True if the kernel has that "struct.member". */
static bool field_exists(const char *field, const struct btf_view *btf, const struct btf_lookup *w)
{
	size_t len = strcspn(field, ".");
	const char *member = field + len + 1;
	uint32_t id = btf_lookup_id(w, BTF_KIND_STRUCT, field, len);
	struct btf_found found;

	return id && btf_view_member(btf, id, member, strlen(member), &found);
}

/* Returns the number of parameters of a function or tracepoint, without the first one of a tracepoint's callback. */
static unsigned target_params(const struct btf_view *btf, uint32_t id)
{
	const struct btf_type *t = btf_view_type(btf, id);
	unsigned own = btf_view_kind(btf, id) == BTF_KIND_TYPEDEF;

	while (t && BTF_INFO_KIND(t->info) != BTF_KIND_FUNC_PROTO)
		t = btf_view_type(btf, t->type);
	return t && BTF_INFO_VLEN(t->info) > own ? BTF_INFO_VLEN(t->info) - own : 0;
}

/* ---- deciding ---- */

/* Looks for the function among symbols: BTF may lack static functions (arm64's 5.10), and a kprobe needs only a
 * symbol. Reading symbols is slow, so for an optional hook they are read only if another hook was found there. */
static bool symbol_choose(struct hook_plan *hp, struct attach_plan *p, const struct btf_view *btf)
{
	const struct hook *h = hp->hook;
	const char *next = h->functions;
	bool asks = h->program[ATTACH_KPROBE] && btf_view_is_running(btf) &&
		    (!h->optional || h->without || p->by_symbol);

	while (asks && (next = alternative_next(next, hp->function, sizeof(hp->function))))
		if (ksyms_functions(hp->function, NULL, 0))
			return p->by_symbol = true;
	hp->function[0] = 0;
	return false;
}

/* Chooses the first of the hook's alternatives that the kernel has. */
static bool function_choose(struct hook_plan *hp, struct attach_plan *p, const struct btf_view *btf,
			    const struct btf_lookup *w)
{
	const char *next = hp->hook->functions;
	char name[TARGET_LEN];

	while ((next = alternative_next(next, hp->function, sizeof(hp->function)))) {
		unsigned kind = target_name(hp->hook, hp->function, name);

		hp->btf_id = btf_lookup_id(w, kind, name, strlen(name));
		if (hp->btf_id)
			return true;
	}
	return symbol_choose(hp, p, btf);
}

static bool hook_wanted(const struct hook *h)
{
	return !(h->unless && *h->unless) && !(h->only_if && !*h->only_if);
}

static bool method_needs(const struct hook *h, enum attach_method_id method)
{
	if (method == ATTACH_ANY)
		method = ATTACH_FENTRY;
	return !h->methods || h->methods & 1u << method;
}

static bool by_fentry(enum attach_method_id method)
{
	return method == ATTACH_ANY || method == ATTACH_FENTRY;
}

/* Returns the method for a hook. One without a program for fentry or kprobe.multi uses a kprobe, while other hooks
 * use the method. One with a program for kprobe.session uses that if the others use kprobe.multi and the kernel has
 * it. */
static enum attach_method_id hook_method(const struct hook *h, const struct attach_plan *p)
{
	enum attach_method_id method = p->method;

	if (method == ATTACH_EVENT && h->program[ATTACH_EVENT])
		return ATTACH_EVENT;
	if (method > ATTACH_KPROBE &&
	    method != ATTACH_EVENT) /* the other methods are only for argdump */
		return ATTACH_ANY;
	if (h->program[ATTACH_TRACEPOINT])
		return ATTACH_TRACEPOINT;
	if (method == ATTACH_ANY)
		method = ATTACH_FENTRY;
	if (method == ATTACH_KPROBE_MULTI && p->has_session && h->program[ATTACH_KPROBE_SESSION])
		return ATTACH_KPROBE_SESSION;
	if (h->program[method])
		return method;
	return h->program[ATTACH_KPROBE] ? ATTACH_KPROBE : ATTACH_ANY;
}

static bool multi_is_unlimited(const struct btf_view *btf, const struct btf_lookup *w)
{
	return field_exists("fprobe.hlist_array", btf, w);
}

/* True since 6.10, if the kernel has fprobes. */
static bool has_session(const struct btf_view *btf, const struct btf_lookup *w)
{
	uint32_t id = btf_lookup_id(w, BTF_KIND_ENUM, ATTACH_TYPES, strlen(ATTACH_TYPES));
	const struct attach_method *session = &attach_methods[ATTACH_KPROBE_SESSION];

	return id && btf_lookup_id(w, BTF_KIND_FUNC, FPROBES, strlen(FPROBES)) &&
	       btf_view_enumerator(btf, id, session->types[true].enumerator, 0);
}

static bool hook_needed(const struct hook *h, const struct attach_plan *p,
			const struct btf_view *btf, const struct btf_lookup *w)
{
	bool by_multi = p->method == ATTACH_KPROBE_MULTI;

	if (!hook_wanted(h) || !method_needs(h, p->method))
		return false;
	if (h->feature && !btf_lookup_id(w, BTF_KIND_FUNC, h->feature, strlen(h->feature)))
		return false;
	if (by_multi &&
	    ((h->if_missed && p->multi_unlimited) || (h->unless_session && p->has_session)))
		return false;
	return !(h->unless_field && by_fentry(p->method) && field_exists(h->unless_field, btf, w));
}

/* Unknown parameters count as matching if the next alternative, for other parameters, has the same kprobe. */
static bool params_fit(const struct hook_plan *hp, const struct btf_view *btf)
{
	const struct hook *h = hp->hook;
	const char *program = h->program[ATTACH_KPROBE];

	if (!h->params || hp->btf_id)
		return !h->params || target_params(btf, hp->btf_id) == h->params;
	return h->or_next && program && h[1].program[ATTACH_KPROBE] &&
	       !strcmp(program, h[1].program[ATTACH_KPROBE]);
}

/* Chooses the attach method for one hook. If none works, sets hp->why. */
static void method_choose(struct hook_plan *hp, struct attach_plan *p, const struct btf_view *btf,
			  const struct btf_lookup *w)
{
	const struct hook *h = hp->hook;

	hp->method = ATTACH_ANY;
	hp->needed = hook_needed(h, p, btf, w);
	if (!hp->needed)
		hp->why = hook_wanted(h) ? "not needed" : "not asked for";
	else if (!function_choose(hp, p, btf, w))
		hp->why = "this kernel has no such function";
	else if (hook_method(h, p) != ATTACH_ANY && !params_fit(hp, btf))
		hp->why = "this kernel's has other parameters";
	else
		hp->method = hook_method(h, p);
	if (!hp->why && !hp->btf_id && hp->method != ATTACH_KPROBE) {
		hp->method = ATTACH_ANY;
		hp->why = "this kernel's types lack it";
	}
	if (!hp->why && hp->method == ATTACH_ANY)
		hp->why = h->program[ATTACH_KPROBE_SESSION] ?
				  "this kernel has no kprobe.session (6.10, with fprobes)" :
				  "no program for that attach method";
}

/* The same for alternative hooks: `done` means that an earlier one has a method. Returns true if the next one is then
 * not needed. */
static bool hook_decide(struct hook_plan *hp, struct attach_plan *p, const struct btf_view *btf,
			const struct btf_lookup *w, bool done)
{
	if (done)
		hp->why = "not needed";
	else
		method_choose(hp, p, btf, w);
	if (hp->hook->or_next && hp->method == ATTACH_ANY)
		hp->needed = false;
	return hp->hook->or_next && (done || hp->method != ATTACH_ANY);
}

int attach_plan_decide(struct attach_plan *p, const struct hook *hooks, const struct btf_view *btf,
		       const struct btf_lookup *w, enum attach_method_id method)
{
	bool done = false;
	size_t count = 0;
	int err = 0;

	attach_plan_free(p);
	while (hooks[count].name)
		count++;
	p->method = method;
	p->multi_unlimited = multi_is_unlimited(btf, w);
	p->has_session = has_session(btf, w);
	p->hooks = calloc(count, sizeof(*p->hooks));
	if (!p->hooks)
		return -ENOMEM;
	p->count = count;
	for (size_t i = 0; i < count; i++) {
		struct hook_plan *hp = &p->hooks[i];

		*hp = (struct hook_plan){ .hook = &hooks[i], .link_fd = -1 };
		done = hook_decide(hp, p, btf, w, done);
		if (hp->needed && hp->method == ATTACH_ANY && !hp->hook->optional && err != -ENOENT)
			err = hp->function[0] && !hp->btf_id ? -EOPNOTSUPP : -ENOENT;
	}
	return err;
}

int attach_plan_build(struct attach_plan *p, const struct hook *hooks, const struct btf_view *btf,
		      enum attach_method_id method)
{
	struct btf_lookup w = { 0 };
	int err;

	attach_plan_want(hooks, &w);
	err = btf_lookup_find(&w, btf);
	if (!err)
		err = attach_plan_decide(p, hooks, btf, &w, method);
	btf_lookup_free(&w);
	return err;
}

bool attach_plan_misses(const struct attach_plan *p)
{
	return p->method == ATTACH_KPROBE_MULTI && !p->multi_unlimited;
}

void attach_plan_print(const struct attach_plan *p, struct buf *o)
{
	int width = strlen(attach_method_name(
		p->method == ATTACH_KPROBE_MULTI ? ATTACH_KPROBE_MULTI : ATTACH_KPROBE, true));

	for (size_t i = 0; i < p->count; i++) {
		const struct hook_plan *hp = &p->hooks[i];
		const struct hook *h = hp->hook;

		if (h->copy_of || (!hp->needed && hook_wanted(h)))
			continue;
		if (hp->method != ATTACH_ANY)
			buf_printf(o, "%-*s %-32s %s\n", width,
				   attach_method_name(hp->method, h->is_return), hp->function,
				   h->name);
		else
			buf_printf(o, "%-*s %-32s %s: %s%s%s\n", width,
				   hp->needed && !h->optional ? "MISSING" : "-", h->functions,
				   h->name, hp->why,
				   h->without && hook_wanted(h) ? "; not seen: " : "",
				   h->without && hook_wanted(h) ? h->without : "");
	}
}

void attach_plan_free(struct attach_plan *p)
{
	attach_plan_detach(p);
	free(p->hooks);
	*p = (struct attach_plan){ 0 };
}
