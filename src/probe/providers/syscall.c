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
#include "probe/providers/tracefs.h"
#include "btf/btf_modules.h"
#include "attach/attach_error.h"
#include "util/log.h"
#include "util/glob.h"
#include "util/suggest.h"

enum { ENTRY_NAME_MAX = 160 };

static const char *const entries[] = ARCH_SYSCALL_ENTRIES;
enum { ENTRIES = sizeof(entries) / sizeof(entries[0]), BODY = ENTRIES - 1 };

static bool entry_is_compat(size_t entry)
{
	return entry && entry != BODY;
}

struct syscall_source {
	struct tracefs_event format; /* params NULL: no format file */
	struct expr_param params[ARCH_SYSCALL_ARGUMENTS];
	size_t count;
	char *name; /* owned */
	/* owned: the types of a 32-bit program, where they differ */
	char *types[ARCH_SYSCALL_ARGUMENTS];
};

static void source_free(void *source)
{
	struct syscall_source *c = source;

	tracefs_event_free(&c->format);
	for (size_t i = 0; i < ARCH_SYSCALL_ARGUMENTS; i++)
		free(c->types[i]);
	free(c->name);
	free(c);
}

/* True for the entry of 32-bit programs with its own parameters: "__ia32_sys_ia32_". */
static bool entry_is_own(size_t entry)
{
	size_t len = strlen(entries[entry]);

	return !strcmp(entries[entry] + len - strlen("32_"), "32_");
}

/* True if 32-bit programs pass the parameters in another order, or as one struct. */
static bool params_differ(const struct syscall_source *c, size_t entry)
{
	static const char *const names[] = { "mmap", "clone", "fadvise64_64" };
	bool differ = false;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		differ |= !strcmp(c->name, names[i]);
	return differ && entry_is_own(entry);
}

/* True if a 32-bit program passes the parameter in two registers. */
static bool is_wide(const struct expr_param *param)
{
	static const char *const types[] = { "loff_t", "u64", "__u64" };
	bool wide = false;

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		wide |= param->type && !strcmp(param->type, types[i]);
	return wide;
}

/* Assigns the next register, or two. Returns false if none is left. */
static bool register_parse(struct expr_param *param, bool is_compat, size_t *next)
{
	const struct arch *arch = &arches[ARCH_NATIVE];
	const uint8_t *registers = is_compat ? arch->syscall32 : arch->syscall;
	bool wide = is_compat && is_wide(param);

	if (wide && arch->even_pairs32)
		*next += *next % 2;
	if (*next + wide >= ARCH_SYSCALL_ARGUMENTS)
		return false;
	param->where = EXPR_PARAM_CALL;
	param->size = is_compat && !wide ? 4 : 8;
	param->is_user = true;
	param->offset = arch_offset(registers[(*next)++]);
	param->high = wide ? arch_offset(registers[(*next)++]) : 0;
	return true;
}

/* In the format file of sys_enter_X each argument is one word; fields that begin with __ are not arguments. */
static void params_parse(struct syscall_source *c, size_t entry)
{
	bool named = c->format.params && !params_differ(c, entry);
	size_t given = 0, next = 0;

	for (size_t i = 0; named && i < c->format.count && given < ARCH_SYSCALL_ARGUMENTS; i++)
		if (c->format.params[i].where == EXPR_PARAM_FIELD)
			c->params[given++] = c->format.params[i];
	if (!named && entry != BODY)
		for (; given < ARCH_SYSCALL_ARGUMENTS; given++)
			c->params[given].name = "";
	while (c->count < given &&
	       register_parse(&c->params[c->count], entry_is_compat(entry), &next))
		c->count++;
}

/* Translates struct iovec * to struct compat_iovec *, struct timespec * to struct old_timespec32 *. */
static void struct_translate(const struct btf_view *btf, struct syscall_source *c, size_t i)
{
	const char *type = c->params[i].type, *at = type ? strstr(type, "struct ") : NULL;
	int len;

	if (!at)
		return;
	at += strlen("struct ");
	len = strcspn(at, " *");
	for (int old = 0; old < 2 && !c->types[i]; old++) {
		char name[ENTRY_NAME_MAX];

		snprintf(name, sizeof(name), old ? "old_%.*s32" : "compat_%.*s", len, at);
		if (!btf_view_find(btf, BTF_KIND_STRUCT, name))
			continue;
		if (asprintf(&c->types[i], "struct %s *", name) < 0)
			c->types[i] = NULL;
		c->params[i].type = c->types[i] ?: type;
	}
}

static struct syscall_source *source_new(const struct btf_view *btf, const char *name, size_t entry)
{
	struct syscall_source *c = calloc(1, sizeof(*c));
	char event[ENTRY_NAME_MAX];

	if (!c)
		return NULL;
	c->name = strdup(name);
	snprintf(event, sizeof(event), "sys_enter_%s", name);
	if (!c->name || tracefs_event_read("syscalls", event, &c->format) == -ENOMEM) {
		source_free(c);
		return NULL;
	}
	params_parse(c, entry);
	for (size_t i = 0; entry_is_compat(entry) && i < c->count; i++)
		struct_translate(btf, c, i);
	return c;
}

static const struct probe_ops probe_ops_syscall_call;

static int entry_add(struct session *s, struct argdump *a, const struct argdump_request *request,
		     const char *name, size_t entry, const struct btf_query *function,
		     const struct expr_target *target)
{
	struct syscall_source *c = source_new(s->btf, name, entry);
	struct argdump_probe *p = c ? argdump_probe_add(a, request, function->name) : NULL;

	if (!p) {
		if (c)
			source_free(c);
		return -ENOMEM;
	}
	p->source = c;
	p->point = c->name;
	p->source_free = source_free;
	p->is_compat = entry_is_compat(entry);
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
	char functions[ENTRIES][ENTRY_NAME_MAX];
	struct btf_query q[ENTRIES];
	struct expr_target target;
	bool found = false;
	uint32_t none;
	int err;

	for (size_t i = 0; i < ENTRIES; i++) {
		snprintf(functions[i], sizeof(functions[i]), "%s%s", entries[i], name);
		q[i] = (struct btf_query){ BTF_KIND_FUNC, functions[i], 0 };
	}
	err = btf_view_find_all(s->btf, q, ENTRIES);
	if (!err)
		err = expr_target_detect(s->btf, "", &target, &none);
	for (size_t i = 0; i < ENTRIES && !err; i++) {
		if (!q[i].id || (i == BODY && (found || !is_entered(s->btf, q[i].id))))
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

	for (size_t i = 0; i < ENTRIES && !found; i++)
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
	err = c->names.count ? 0 : prefixed_names_find(&c->names, s->btf, NULL, entries, ENTRIES);
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
	char function[ENTRY_NAME_MAX];

	for (size_t i = 0; i < ENTRIES; i++) {
		snprintf(function, sizeof(function), "%s%s", entries[i], item->name);
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
