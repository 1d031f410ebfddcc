/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * complete.c - names of probes for completion: functions and tracepoints from the kernel's types, which anybody may
 * read in milliseconds, and from tracefs where it is readable.
 */
#include "front/complete.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "btf/btf_modules.h"
#include "probe/providers/tracefs.h"
#include "probe/providers/user_file.h"
#include "probe/name_parts.h"
#include "probe/sample_spec.h"
#include "kernel/bpf_programs.h"
#include "output/field/flag_names.h"
#include "symbols/user/demangle.h"
#include "symbols/user/usyms_match.h"

static bool is_begun(const char *begin, const char *prefix)
{
	return !strncmp(begin, prefix, strlen(prefix));
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
	complete_types_each(c, kind, begin, name_write, (void *)prefix);
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

/* Offers a symbol, or the name of C++ or Rust that it stands for, unless shells would need quotes. */
static void user_function_write(struct completion *c, const char *symbol, const char *begin)
{
	const char *name = is_begun(symbol, begin) ? symbol :
						     demangle_shown(symbol, DEMANGLE_SHORT);

	if (!strpbrk(name, " <>()[]{}*&|;'\"$~!#"))
		completion_word(c, name, NULL);
}

static void user_functions_write(struct completion *c, const struct user_file *file,
				 const char *name)
{
	struct usym_functions found;
	char pattern[256];

	snprintf(pattern, sizeof(pattern), "%s*", name);
	if (!usyms_match(file->self, pattern, 0, &found))
		for (size_t i = 0; i < found.count; i++)
			user_function_write(c, found.list[i].name, name);
	usym_functions_free(&found);
}

/* Offers the functions of FILE:, or files. */
static void user_write(struct completion *c, const char *text)
{
	static struct session none; /* not const: it would be in the binary */
	const char *colon = name_colon(text, strlen(text));
	struct user_file file = { 0 };
	char name[4096];

	completion_begin(c, text);
	if (!colon) {
		buf_str(c->o, ":files\n");
		return;
	}
	snprintf(name, sizeof(name), "%.*s", (int)(colon - text), text);
	completion_begin(c, colon + 1);
	if (user_file_try(&none, name, &file))
		return;
	user_functions_write(c, &file, colon + 1);
	close(file.fd);
}

static int program_write(void *ctx, const struct bpf_program_info *info, int fd)
{
	char word[32];

	(void)fd;
	snprintf(word, sizeof(word), "b:%s", info->name);
	completion_word(ctx, word, info->tag);
	return 0;
}

void argdump_complete(struct completion *c, const char *begin)
{
	static const char *const kinds[] = { "t:",     "s:",  "u:",  "b:",     "hz:",
					     "every:", "hw:", "sw:", "watch:", NULL };

	if (c->first) {
		complete_expr(c);
		return;
	}
	completion_list(c);
	begin = c->begin;
	completion_choices(c, *begin ? NULL : kinds);
	if (is_begun(begin, "t:"))
		tracepoints_write(c);
	else if (is_begun(begin, "s:"))
		syscalls_write(c);
	else if (is_begun(begin, "b:"))
		bpf_programs_each(program_write, c); /* only root sees which there are */
	else if (is_begun(begin, "u:"))
		user_write(c, begin + strlen("u:"));
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
