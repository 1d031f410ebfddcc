/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * complete.c - names of probes for completion: functions and tracepoints from the kernel's types, which anybody may
 * read in milliseconds, and from tracefs where it is readable.
 */
#include "front/front.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "btf/btf_modules.h"
#include "probe/providers/tracefs.h"
#include "probe/sample_spec.h"
#include "output/field/flag_names.h"

static bool is_begun(const char *begin, const char *prefix)
{
	return !strncmp(begin, prefix, strlen(prefix));
}

/* Calls `offer` for each name of that kind in BTF that begins with `begin`. */
static void types_each(struct completion *c, unsigned kind, const char *begin,
		       void (*put)(struct completion *c, const struct prefixed_name *n, void *ctx),
		       void *ctx)
{
	struct prefixed_names found = { 0 };
	struct btf_modules *modules = NULL;
	struct btf_view *btf = NULL;
	const char *before = NULL;

	if (btf_view_open(c->btf, &btf))
		return;
	if (!c->btf)
		btf_modules_open(btf, NULL, &modules);
	if (!prefixed_names_find(&found, btf, modules, &begin, 1))
		for (size_t i = 0; i < found.count; i++) {
			const struct prefixed_name *n = &found.names[i];

			if (btf_view_kind(n->btf, n->id) != kind ||
			    (before && !strcmp(before, n->name)))
				continue;
			put(c, n, ctx);
			before = n->name;
		}
	free(found.names);
	btf_modules_close(modules);
	btf_view_close(btf);
}

static void name_write(struct completion *c, const struct prefixed_name *n, void *prefix)
{
	char word[256];

	snprintf(word, sizeof(word), "%s%s", (const char *)prefix, n->name);
	completion_word(c, word, NULL);
}

/* Offers PREFIX and the names of that kind in BTF that begin with `begin`. */
static void types_write(struct completion *c, unsigned kind, const char *begin, const char *prefix)
{
	types_each(c, kind, begin, name_write, (void *)prefix);
}

/* ---- options after a PROBE ---- */

static void params_write(struct completion *c, const struct prefixed_name *n, void *unused)
{
	const struct btf_type *func = btf_view_type(n->btf, n->id), *proto;
	char ctype[128];

	(void)unused;
	if (*n->name) /* a longer name */
		return;
	proto = btf_view_type(n->btf, func->type);
	for (unsigned i = 0; proto && i < btf_vlen(proto); i++) {
		const struct btf_param *p = &btf_params(proto)[i];

		btf_view_declare(n->btf, p->type, "", ctype, sizeof(ctype));
		if (p->type)
			completion_word(c, btf_view_string(n->btf, p->name_off), ctype);
	}
}

/* Offers the parameters of the function of the PROBE: an EXPR begins with one of these. */
static void exprs_write(struct completion *c)
{
	static const char *const words[] = { "$pid", "$comm", "$kstack", "$ustack",
					     "$ret", "$lat",  NULL };
	size_t len = strcspn(c->first, "%+,|(?: ");
	char name[128];

	if (len < sizeof(name) && c->first[len] != ':') {
		snprintf(name, sizeof(name), "%.*s", (int)len, c->first);
		types_each(c, BTF_KIND_FUNC, name, params_write, NULL);
	}
	completion_choices(c, words);
}

static void functions_write(struct completion *c, const char *begin)
{
	types_write(c, BTF_KIND_FUNC, begin, begin);
}

/* Offers t:GROUP:NAME from tracefs; else t:NAME. */
static void tracepoints_write(struct completion *c)
{
	char *text = c->btf ? NULL : tracefs_read("available_events"), *next = text, *group, *name;
	char word[256];

	while (event_line_next(&next, &group, &name)) {
		snprintf(word, sizeof(word), "t:%s:%s", group, name);
		completion_word(c, word, NULL);
	}
	if (!text)
		types_write(c, BTF_KIND_TYPEDEF, "btf_trace_", "t:");
	free(text);
}

static void samples_write(struct completion *c, enum probe_spec_kind kind, const char *prefix)
{
	char word[64];

	for (const struct sample_event *e = sample_events; e->name; e++) {
		snprintf(word, sizeof(word), "%s%s", prefix, e->name);
		if (sample_event_is(e, kind))
			completion_word(c, word, NULL);
	}
}

static void syscalls_write(struct completion *c)
{
	char word[64];

	for (const struct field_name *call = flags_syscall; call->name; call++) {
		snprintf(word, sizeof(word), "s:%s", call->name);
		completion_word(c, word, NULL);
	}
}

void argdump_complete(struct completion *c, const char *begin)
{
	static const char *const kinds[] = { "t:",  "s:",  "u:",     "hz:", "every:",
					     "hw:", "sw:", "watch:", NULL };

	if (c->first) {
		exprs_write(c);
		return;
	}
	completion_list(c);
	begin = c->begin;
	completion_choices(c, *begin ? NULL : kinds);
	if (is_begun(begin, "t:"))
		tracepoints_write(c);
	else if (is_begun(begin, "s:"))
		syscalls_write(c);
	else if (is_begun(begin, "hw:"))
		samples_write(c, PROBE_SPEC_HARDWARE, "hw:");
	else if (is_begun(begin, "sw:"))
		samples_write(c, PROBE_SPEC_SOFTWARE, "sw:");
	else if (*begin && !strchr(begin, ':'))
		functions_write(c, begin);
}

/* ---- types ---- */

static void kind_write(struct completion *c, const struct btf_view *btf, const char *word,
		       unsigned kind)
{
	const char *begin = c->begin + strlen(word);
	char text[256];

	for (uint32_t id = 1; id < btf_view_count(btf); id++) {
		const char *name = btf_view_kind(btf, id) == kind ? btf_view_name(btf, id) : "";

		if (!*name || strncmp(name, begin, strlen(begin)) != 0)
			continue;
		snprintf(text, sizeof(text), "%s%s", word, name);
		completion_word(c, text, NULL);
	}
}

void argdump_complete_type(struct completion *c, const char *begin)
{
	static const struct {
		const char *word;
		unsigned kind;
	} kinds[] = {
		{ "struct ", BTF_KIND_STRUCT },
		{ "union ", BTF_KIND_UNION },
		{ "enum ", BTF_KIND_ENUM },
	};
	struct btf_view *btf = NULL;

	if (btf_view_open(c->btf, &btf))
		return;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (is_begun(begin, kinds[i].word))
			kind_write(c, btf, kinds[i].word, kinds[i].kind);
		else
			completion_word(c, kinds[i].word, NULL);
	}
	btf_view_close(btf);
}
