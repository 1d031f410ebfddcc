// SPDX-License-Identifier: GPL-2.0
/*
 * source_syscall.c - probes on system calls: s:openat.
 *
 * The kernel enters each by a function that gets the caller's registers, __x64_sys_openat: a probe on
 * that costs nothing to other calls. What the registers mean is in tracefs; without it they are
 * $arg1 … $arg6. Calls of 32-bit programs enter by other functions and are not seen.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "argdump/argdump.h"
#include "argdump/event_format.h"
#include "argdump/list.h"
#include "core/diag.h"

enum { ARGUMENTS_MAX = 6 };

#ifdef __aarch64__
#define ENTRY "__arm64_sys_"
static const uint16_t registers[ARGUMENTS_MAX] = { 0, 8, 16, 24, 32, 40 };
#else
#define ENTRY "__x64_sys_"
/* di si dx r10 r8 r9 in struct pt_regs */
static const uint16_t registers[ARGUMENTS_MAX] = { 112, 104, 96, 56, 72, 64 };
#endif

struct syscall_source {
	struct event_format format; /* params NULL: none */
	struct expr_param params[ARGUMENTS_MAX];
	size_t count;
	char *name; /* owned */
};

static void source_free(void *source)
{
	struct syscall_source *c = source;

	event_format_free(&c->format);
	free(c->name);
	free(c);
}

/* In the format of sys_enter_X each argument is one word, and what begins with __ is none of them. */
static void params_take(struct syscall_source *c)
{
	for (size_t i = 0; i < c->format.count && c->count < ARGUMENTS_MAX; i++)
		if (c->format.params[i].where == EXPR_PARAM_FIELD)
			c->params[c->count++] = c->format.params[i];
	if (!c->format.params)
		for (; c->count < ARGUMENTS_MAX; c->count++)
			c->params[c->count].name = "";
	for (size_t i = 0; i < c->count; i++) {
		c->params[i].where = EXPR_PARAM_CALL;
		c->params[i].offset = registers[i];
		c->params[i].size = 8;
		c->params[i].is_user = true;
	}
}

static struct syscall_source *source_new(const char *name)
{
	struct syscall_source *c = calloc(1, sizeof(*c));
	char event[160];

	if (!c)
		return NULL;
	c->name = strdup(name);
	snprintf(event, sizeof(event), "sys_enter_%s", name);
	if (!c->name || event_format_read("syscalls", event, &c->format) == -ENOMEM) {
		source_free(c);
		return NULL;
	}
	params_take(c);
	return c;
}

static int call_add(struct session *s, struct argdump *a, const struct argdump_request *request,
		    const char *name)
{
	struct syscall_source *c = source_new(name);
	struct argdump_probe *p;
	char function[160];

	snprintf(function, sizeof(function), ENTRY "%s", name);
	p = c ? argdump_probe_add(a, request, function) : NULL;
	if (!p) {
		if (c)
			source_free(c);
		return -ENOMEM;
	}
	p->source = c;
	p->source_free = source_free;
	return expr_target_detect(s->btf, function, &p->target, &p->input.func_id);
}

/* ---- which ---- */

struct calls {
	struct list_names names; /* owned */
	struct nearest near;
};

/* A mere name needs no list of all of them. */
static bool call_exists(const struct session *s, const struct probe_spec_item *item)
{
	char function[160];

	snprintf(function, sizeof(function), ENTRY "%s", item->name);
	return !item->is_pattern && btf_view_func(s->btf, function);
}

static int item_resolve(struct session *s, struct argdump *a, struct argdump_request *request,
			const struct probe_spec_item *item, struct calls *c)
{
	static const char *const prefixes[] = { ENTRY };
	int found = 0, err = 0;

	if (call_exists(s, item))
		return call_add(s, a, request, item->name);
	if (!c->names.count)
		err = list_names_find(&c->names, s->btf, NULL, prefixes, 1);
	for (size_t i = 0; i < c->names.count && !err; i++) {
		const char *name = c->names.names[i].name;

		nearest_offer(&c->near, name);
		if (item->is_pattern ? !probe_spec_matches(item->name, name) :
				       strcmp(item->name, name))
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
