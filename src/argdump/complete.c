/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * complete.c - names of what can be probed, for completion: functions and tracepoints of the kernel's types,
 * which anybody may read and which take milliseconds; tracefs where it can be read.
 */
#include "argdump/complete.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "btf/prefixed_names.h"
#include "argdump/providers/tracefs.h"
#include "argdump/sample_spec.h"
#include "output/flag_names.h"

static bool is_begun(const char *begin, const char *prefix)
{
	return !strncmp(begin, prefix, strlen(prefix));
}

/* Offers PREFIX and the names of that kind in BTF that begin with `begin`. */
static void types_put(struct completion *c, unsigned kind, const char *begin, const char *prefix)
{
	struct prefixed_names found = { 0 };
	struct btf_modules *modules = NULL;
	struct btf_view *btf = NULL;
	const char *before = NULL;
	char word[256];

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
			snprintf(word, sizeof(word), "%s%s", prefix, n->name);
			completion_word(c, word, NULL);
			before = n->name;
		}
	free(found.names);
	btf_modules_close(modules);
	btf_view_close(btf);
}

static void functions_put(struct completion *c, const char *begin)
{
	types_put(c, BTF_KIND_FUNC, begin, begin);
}

/* t:GROUP:NAME, of tracefs; else t:NAME. */
static void tracepoints_put(struct completion *c)
{
	char *text = c->btf ? NULL : tracefs_read("available_events"), *next = text, *group, *name;
	char word[256];

	while (event_line_next(&next, &group, &name)) {
		snprintf(word, sizeof(word), "t:%s:%s", group, name);
		completion_word(c, word, NULL);
	}
	if (!text)
		types_put(c, BTF_KIND_TYPEDEF, "btf_trace_", "t:");
	free(text);
}

static void samples_put(struct completion *c, enum probe_spec_kind kind, const char *prefix)
{
	char word[64];

	for (const struct sample_event *e = sample_events; e->name; e++) {
		snprintf(word, sizeof(word), "%s%s", prefix, e->name);
		if (sample_event_is(e, kind))
			completion_word(c, word, NULL);
	}
}

static void syscalls_put(struct completion *c)
{
	char word[64];

	for (const struct field_name *call = flags_syscall; call->name; call++) {
		snprintf(word, sizeof(word), "s:%s", call->name);
		completion_word(c, word, NULL);
	}
}

void argdump_complete(struct completion *c, const char *begin)
{
	static const char *const kinds[] = {
		"t:", "s:", "u:", "hz:", "every:", "hw:", "sw:", NULL
	};

	completion_list(c);
	begin = c->begin;
	completion_choices(c, *begin ? NULL : kinds);
	if (is_begun(begin, "t:"))
		tracepoints_put(c);
	else if (is_begun(begin, "s:"))
		syscalls_put(c);
	else if (is_begun(begin, "hw:"))
		samples_put(c, PROBE_SPEC_HARDWARE, "hw:");
	else if (is_begun(begin, "sw:"))
		samples_put(c, PROBE_SPEC_SOFTWARE, "sw:");
	else if (*begin && !strchr(begin, ':'))
		functions_put(c, begin);
}
