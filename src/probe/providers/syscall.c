/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * syscall.c - probes on system calls: s:openat; with -r on both ends of the call.
 *
 * The kernel enters each call through a function that gets the caller's registers, __x64_sys_openat; a probe on it
 * does not slow down other calls. tracefs tells what the registers mean; without it they are $arg1 … $arg6. 32-bit
 * programs enter through another function, with the arguments in other registers, some of them in two: it gets its
 * own probe, and its records are marked. Two cases cannot be told apart: on arm64, 32-bit calls that need no
 * translation use the same function; on x86, calls without parameters have one function with all three names, which
 * BTF knows under a fourth name, __do_sys_getpid. A compiler may drop that: then only the kernel's symbols have the call.
 */
#include "probe/providers/providers.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attach/ask_functions.h"
#include "probe/name_choice.h"
#include "probe/providers/syscall_params.h"
#include "btf/btf_modules.h"
#include "attach/attach_error.h"
#include "util/log.h"
#include "util/glob.h"
#include "util/suggest.h"

static const struct probe_ops probe_ops_syscall_call;

static int entry_add(struct session *s, struct argdump *a, const struct argdump_request *request,
		     const char *name, size_t entry, const struct btf_query *function,
		     const struct expr_target *target)
{
	struct syscall_source *c = syscall_source_new(s->btf, name, entry);
	struct argdump_probe *p = c ? argdump_probe_add(a, request, function->name) : NULL;

	if (!p) {
		if (c)
			syscall_source_free(c);
		return -ENOMEM;
	}
	p->source = c;
	p->point = c->name;
	p->source_free = syscall_source_free;
	p->is_compat = syscall_entry_is_compat(entry);
	p->target = *target;
	p->symbol.name = p->name;
	p->input.site.func_id = function->id;
	if (!request->both)
		return 0;
	p->kind = &probe_ops_syscall_call;
	expr_target_sessions(s->btf, &p->target);
	return 0;
}

/* True if the function gets the caller's registers. The body of a call gets its parameters instead. */
static bool is_entered(const struct btf_view *btf, uint32_t func_id)
{
	const struct btf_type *func = btf_view_type(btf, func_id);
	const struct btf_type *proto = func ? btf_view_type(btf, func->type) : NULL;
	const struct btf_type *first;

	if (!proto || btf_kind(proto) != BTF_KIND_FUNC_PROTO || btf_vlen(proto) != 1)
		return false;
	first = btf_view_type(btf, btf_view_strip(btf, btf_params(proto)->type));
	return first && btf_kind(first) == BTF_KIND_PTR &&
	       !strcmp(btf_view_name(btf, btf_view_strip(btf, first->type)), "pt_regs");
}

/* Adds a call without parameters that BTF does not describe. Returns 0, -ENOENT if there is none, or another -errno. */
static int untyped_add(struct session *s, struct argdump *a, const struct argdump_request *request,
		       const char *name, const char *function, const struct expr_target *target)
{
	struct btf_query unknown = { BTF_KIND_FUNC, function, 0 };

	if (s->options.attach.btf || !kernel_symbol_ask(function))
		return -ENOENT;
	return entry_add(s, a, request, name, 0, &unknown, target);
}

/* Adds the probes of a call. Returns 0, -ENOENT if the call does not exist, or another -errno. */
static int call_add(struct session *s, struct argdump *a, const struct argdump_request *request,
		    const char *name)
{
	char functions[SYSCALL_ENTRIES][SYSCALL_NAME_MAX];
	struct btf_query q[SYSCALL_ENTRIES];
	struct expr_target target;
	bool found = false;
	uint32_t none;
	int err;

	for (size_t i = 0; i < SYSCALL_ENTRIES; i++) {
		snprintf(functions[i], sizeof(functions[i]), "%s%s", syscall_entries[i], name);
		q[i] = (struct btf_query){ BTF_KIND_FUNC, functions[i], 0 };
	}
	err = btf_view_find_all(s->btf, q, SYSCALL_ENTRIES);
	if (!err)
		err = expr_target_detect(s->btf, "", &target, &none);
	for (size_t i = 0; i < SYSCALL_ENTRIES && !err; i++) {
		if (!q[i].id || (i == SYSCALL_BODY && (found || !is_entered(s->btf, q[i].id))))
			continue;
		found = true;
		err = entry_add(s, a, request, name, i, &q[i], &target);
		if (i)
			break;
	}
	if (err || found)
		return err;
	return untyped_add(s, a, request, name, functions[0], &target);
}

/* ---- which calls ---- */

struct calls {
	struct prefixed_names names; /* owned */
	struct suggestion near;
};

static bool has_name(const struct calls *c, const char *name)
{
	bool found = false;

	for (size_t i = 0; i < SYSCALL_ENTRIES && !found; i++)
		found = prefixed_names_get(&c->names, name, i);
	return found;
}

/* Adds those that BTF does not describe, of which getpid is one: tracefs lists them. Returns 0 or -errno. */
static int untyped_match(struct session *s, struct argdump *a, struct argdump_request *request,
			 const struct probe_spec_item *item, struct calls *c, int *found)
{
	static const char enter[] = "sys_enter_";
	char *all = s->options.attach.btf || has_name(c, "getpid") ?
			    NULL :
			    tracefs_read("available_events");
	char *text = all, *group, *event;
	int err = 0;

	while (!err && event_line_next(&text, &group, &event)) {
		const char *name = event + sizeof(enter) - 1;

		if (strcmp(group, "syscalls") || strncmp(event, enter, sizeof(enter) - 1) ||
		    !wildcard_matches(item->name, name) || has_name(c, name))
			continue;
		err = call_add(s, a, request, name);
		*found += !err;
		if (err == -ENOENT)
			err = 0;
	}
	free(all);
	return err;
}

/* A plain name needs the list of all calls only when it is wrong. */
static int item_resolve(struct session *s, struct argdump *a, struct argdump_request *request,
			const struct probe_spec_item *item, struct calls *c)
{
	int found = 0, err = item->is_pattern ? -ENOENT : call_add(s, a, request, item->name);

	if (err != -ENOENT)
		return err;
	err = c->names.count ? 0 :
			       prefixed_names_find(&c->names, s->btf, NULL, syscall_entries,
						   SYSCALL_ENTRIES);
	for (size_t i = 0; i < c->names.count && !err; i++) {
		const char *name = c->names.names[i].name;

		if (i && !strcmp(name, c->names.names[i - 1].name))
			continue;
		suggest_offer(&c->near, name);
		if (!item->is_pattern || !wildcard_matches(item->name, name))
			continue;
		log_busy("finding", found, 0);
		err = call_add(s, a, request, name);
		found += !err;
		if (err == -ENOENT) /* not an entry function: try the body of the call */
			err = 0;
	}
	if (!err && item->is_pattern)
		err = untyped_match(s, a, request, item, c, &found);
	return err ? err : found ? 0 : -ENOENT;
}

static int call_find(struct session *s, struct argdump *a, struct argdump_request *request,
		     const struct probe_spec_item *item)
{
	struct calls c = { 0 };
	int err;

	if (!item->is_pattern) /* what has a similar name does not matter */
		return call_add(s, a, request, item->name);
	suggest_init(&c.near, item->name);
	err = item_resolve(s, a, request, item, &c);
	free(c.names.names);
	return err;
}

static void call_names(struct btf_lookup *names, const struct probe_spec_item *item)
{
	char function[SYSCALL_NAME_MAX];

	for (size_t i = 0; i < SYSCALL_ENTRIES; i++) {
		snprintf(function, sizeof(function), "%s%s", syscall_entries[i], item->name);
		btf_lookup_add(names, BTF_KIND_FUNC, function, strlen(function));
	}
}

static int unknown_report(const struct argdump_request *request, const struct probe_spec_item *item,
			  const struct calls *c)
{
	static const struct suggest_words words = {
		.before = "s:",
		.also = "argdump -l 's:*' lists all",
	};

	log_error("this kernel has no system call %s%s", item->is_pattern ? "like " : "",
		  item->name);
	suggest_hint(&c->near, &words);
	names_missing_hint(request, item->name);
	return EXIT_USAGE;
}

static int syscall_resolve(struct session *s, struct argdump *a, struct argdump_request *request)
{
	struct calls c = { 0 };
	int code = EXIT_FINE, err = 0;

	const struct probe_spec_item *item = request->spec.items;

	for (; item < request->spec.items + request->spec.count; item++) {
		suggest_init(&c.near, item->name);
		err = item_resolve(s, a, request, item, &c);
		if (err)
			break;
	}
	if (err == -ENOENT)
		code = unknown_report(request, item, &c);
	else if (err)
		code = attach_explain(NULL, s->btf, err);
	else if (!s->options.attach.btf)
		tracefs_report("the parameters of system calls have no names");
	free(c.names.names);
	return code;
}

static void syscall_prepare(struct argdump_probe *p, const struct argdump_variant *variant)
{
	struct syscall_source *c = p->source;

	(void)variant;
	if (p->kind->scope != EXPR_SCOPE_CALL)
		p->input.scope = p->request->spec.is_return ? EXPR_SCOPE_RETURN : EXPR_SCOPE_ENTRY;
	p->input.site.name = c->name;
	p->input.site.params = c->params;
	p->input.site.param_count = c->count;
	p->input.site.compat = p->is_compat;
}

static int syscall_explain(struct session *s, struct argdump_probe *p, int err)
{
	return attach_explain(p->name, s->btf, err);
}

const struct probe_ops probe_ops_syscall = {
	.variants = argdump_variants,
	.variant_count = ARGDUMP_VARIANTS,
	.resolve = syscall_resolve,
	.find = call_find,
	.names = call_names,
	.prepare = syscall_prepare,
	.target = function_target,
	.explain = syscall_explain,
};

/* Calls that seldom wait. Where the room for calls in progress is limited, others do not join. */
static bool is_brief(const char *name)
{
	static const char *const names[] = {
		"kill",	     "tkill",	   "tgkill",	     "rt_sigqueueinfo",
		"setuid",    "setreuid",   "setresuid",	     "rt_tgsigqueueinfo",
		"setfsuid",  "setgid",	   "setregid",	     "pidfd_send_signal",
		"setresgid", "setfsgid",   "setgroups",	     "fsopen",
		"fspick",    "fsconfig",   "fsmount",	     "move_mount",
		"open_tree", "pivot_root", "open_tree_attr", "mount_setattr",
	};
	bool found = false;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		found |= !strcmp(names[i], name);
	return found;
}

static bool syscall_joins(const struct argdump_probe *p)
{
	const struct syscall_source *c = p->source;

	return p->target.multi_by_fgraph || is_brief(c->name);
}

static const struct probe_ops probe_ops_syscall_call = {
	.variants = call_variants,
	.joins = syscall_joins,
	.variant_count = CALL_VARIANTS,
	.scope = EXPR_SCOPE_CALL,
	.prepare = syscall_prepare,
	.target = function_target,
	.load = call_load,
	.attach = call_attach,
	.explain = syscall_explain,
};
