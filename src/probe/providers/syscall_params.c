/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * syscall_params.c - the parameters of a system call: their names and types by tracefs, their registers by the entry.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/providers/syscall_params.h"

void syscall_source_free(void *source)
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
	size_t len = strlen(syscall_entries[entry]);

	return !strcmp(syscall_entries[entry] + len - strlen("32_"), "32_");
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
	if (!named && entry != SYSCALL_BODY)
		for (; given < ARCH_SYSCALL_ARGUMENTS; given++)
			c->params[given].name = "";
	while (c->count < given &&
	       register_parse(&c->params[c->count], syscall_entry_is_compat(entry), &next))
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
		char name[SYSCALL_NAME_MAX];

		snprintf(name, sizeof(name), old ? "old_%.*s32" : "compat_%.*s", len, at);
		if (!btf_view_find(btf, BTF_KIND_STRUCT, name))
			continue;
		if (asprintf(&c->types[i], "struct %s *", name) < 0)
			c->types[i] = NULL;
		c->params[i].type = c->types[i] ?: type;
	}
}

struct syscall_source *syscall_source_new(const struct btf_view *btf, const char *name,
					  size_t entry)
{
	struct syscall_source *c = calloc(1, sizeof(*c));
	char event[SYSCALL_NAME_MAX];

	if (!c)
		return NULL;
	c->name = strdup(name);
	snprintf(event, sizeof(event), "sys_enter_%s", name);
	if (!c->name || tracefs_event_read("syscalls", event, &c->format) == -ENOMEM) {
		syscall_source_free(c);
		return NULL;
	}
	params_parse(c, entry);
	for (size_t i = 0; syscall_entry_is_compat(entry) && i < c->count; i++)
		struct_translate(btf, c, i);
	return c;
}
