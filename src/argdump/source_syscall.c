// SPDX-License-Identifier: GPL-2.0
/*
 * source_syscall.c - probes on system calls: s:openat.
 *
 * The kernel enters each by a function that gets the caller's registers, __x64_sys_openat: a probe on
 * that costs nothing to other calls. What the registers mean is in tracefs; without it they are
 * $arg1 … $arg6. Programs of 32 bits enter by another function, with arguments in other registers: it
 * has a probe of its own, whose records say so. arm64 enters those calls alike that need no
 * translation, and they are not told apart.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "argdump/argdump.h"
#include "argdump/event_format.h"
#include "argdump/list.h"
#include "core/diag.h"

enum { ENTRY_NAME_MAX = 160 };

/* The first is for programs of the kernel's own kind, for 32-bit ones the first other that exists. */
static const char *const entries[] = {
#ifdef __aarch64__
	"__arm64_sys_", "__arm64_compat_sys_",
#else
	"__x64_sys_", "__ia32_compat_sys_", "__ia32_sys_",
#endif
};
#define OFFSET(offset) offset
static const uint16_t registers[2][ARGDUMP_REGISTERS] = {
	{ REGISTERS_SYSCALL(OFFSET) }, { REGISTERS_SYSCALL32(OFFSET) },
};
enum { ENTRIES = sizeof(entries) / sizeof(entries[0]) };

struct syscall_source {
	struct event_format format; /* params NULL: none */
	struct expr_param params[ARGDUMP_REGISTERS];
	size_t count;
	char *name; /* owned */
	char *types[ARGDUMP_REGISTERS]; /* owned: where a 32-bit program's are others */
};

static void source_free(void *source)
{
	struct syscall_source *c = source;

	event_format_free(&c->format);
	for (size_t i = 0; i < ARGDUMP_REGISTERS; i++)
		free(c->types[i]);
	free(c->name);
	free(c);
}

/* In the format of sys_enter_X each argument is one word, and what begins with __ is none of them. */
static void params_take(struct syscall_source *c, bool is_compat)
{
	for (size_t i = 0; i < c->format.count && c->count < ARGDUMP_REGISTERS; i++)
		if (c->format.params[i].where == EXPR_PARAM_FIELD)
			c->params[c->count++] = c->format.params[i];
	if (!c->format.params)
		for (; c->count < ARGDUMP_REGISTERS; c->count++)
			c->params[c->count].name = "";
	for (size_t i = 0; i < c->count; i++) {
		c->params[i].where = EXPR_PARAM_CALL;
		c->params[i].offset = registers[is_compat][i];
		c->params[i].size = is_compat ? 4 : 8;
		c->params[i].is_user = true;
	}
}

/* struct iovec * → struct compat_iovec *, struct timespec * → struct old_timespec32 * */
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

static struct syscall_source *source_new(const struct btf_view *btf, const char *name,
					 bool is_compat)
{
	struct syscall_source *c = calloc(1, sizeof(*c));
	char event[ENTRY_NAME_MAX];

	if (!c)
		return NULL;
	c->name = strdup(name);
	snprintf(event, sizeof(event), "sys_enter_%s", name);
	if (!c->name || event_format_read("syscalls", event, &c->format) == -ENOMEM) {
		source_free(c);
		return NULL;
	}
	params_take(c, is_compat);
	for (size_t i = 0; is_compat && i < c->count; i++)
		struct_translate(btf, c, i);
	return c;
}

static int entry_add(struct session *s, struct argdump *a, const struct argdump_request *request,
		     const char *name, size_t entry, const struct btf_query *function,
		     const struct expr_target *target)
{
	struct syscall_source *c = source_new(s->btf, name, entry > 0);
	struct argdump_probe *p = c ? argdump_probe_add(a, request, function->name) : NULL;

	if (!p) {
		if (c)
			source_free(c);
		return -ENOMEM;
	}
	p->source = c;
	p->source_free = source_free;
	p->is_compat = entry > 0;
	p->target = *target;
	p->input.func_id = function->id;
	return 0;
}

/* Adds the call's probes: 0, -ENOENT if there is no such call, or another -errno. */
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
		if (!q[i].id)
			continue;
		found = true;
		err = entry_add(s, a, request, name, i, &q[i], &target);
		if (i)
			break;
	}
	return err ? err : found ? 0 : -ENOENT;
}

/* ---- which ---- */

struct calls {
	struct list_names names; /* owned */
	struct nearest near;
};

/* A mere name needs no list of all of them, but when it is wrong. */
static int item_resolve(struct session *s, struct argdump *a, struct argdump_request *request,
			const struct probe_spec_item *item, struct calls *c)
{
	int found = 0, err = item->is_pattern ? -ENOENT : call_add(s, a, request, item->name);

	if (err != -ENOENT)
		return err;
	err = c->names.count ? 0 : list_names_find(&c->names, s->btf, NULL, entries, ENTRIES);
	for (size_t i = 0; i < c->names.count && !err; i++) {
		const char *name = c->names.names[i].name;

		if (i && !strcmp(name, c->names.names[i - 1].name))
			continue;
		nearest_offer(&c->near, name);
		if (!item->is_pattern || !probe_spec_matches(item->name, name))
			continue;
		err = call_add(s, a, request, name);
		found++;
	}
	return err ? err : found ? 0 : -ENOENT;
}

static int unknown_tell(const struct argdump_request *request, const struct calls *c)
{
	diag_error("this kernel has no system call %s", request->text);
	if (nearest_get(&c->near))
		diag_hint("did you mean s:%s? argdump -l 's:*' lists all", nearest_get(&c->near));
	else
		diag_hint("argdump -l 's:*' lists all");
	return EXIT_USAGE;
}

static int syscall_resolve(struct session *s, struct argdump *a,
			   struct argdump_request *request)
{
	struct calls c = { 0 };
	int code = EXIT_FINE, err = 0;

	nearest_init(&c.near, request->spec.items[0].name);
	for (size_t i = 0; i < request->spec.count && !err; i++)
		err = item_resolve(s, a, request, &request->spec.items[i], &c);
	if (err == -ENOENT)
		code = unknown_tell(request, &c);
	else if (err)
		code = probe_explain(NULL, s->btf, err);
	free(c.names.names);
	return code;
}

static void syscall_prepare(struct argdump_probe *p, const struct argdump_way *way)
{
	struct syscall_source *c = p->source;

	(void)way;
	p->input.scope = p->request->spec.is_return ? EXPR_SCOPE_RETURN : EXPR_SCOPE_ENTRY;
	p->input.name = c->name;
	p->input.params = c->params;
	p->input.param_count = c->count;
	p->input.compat = p->is_compat;
}

static int syscall_load(struct argdump_probe *p, const struct argdump_way *way, char *log,
			size_t log_size)
{
	size_t count;
	const struct bpf_insn *insns = expr_insns(p->expr, &count);

	return fd_list_add(&p->programs,
			   (p->request->spec.is_return ? program_load_return : program_load)(
				   insns, count, way->rung, p->input.func_id, log, log_size));
}

static int syscall_attach(struct argdump_probe *p, const struct argdump_way *way)
{
	return fd_list_add(&p->links,
			   (p->request->spec.is_return ? program_attach_return : program_attach)(
				   p->programs.fds[0], way->rung, p->name));
}

static int syscall_explain(struct session *s, struct argdump_probe *p, int err)
{
	return probe_explain(p->name, s->btf, err);
}

const struct probe_kind probe_kind_syscall = {
	.ways = argdump_ways,
	.way_count = ARGDUMP_WAYS,
	.resolve = syscall_resolve,
	.prepare = syscall_prepare,
	.load = syscall_load,
	.attach = syscall_attach,
	.explain = syscall_explain,
};
