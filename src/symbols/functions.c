/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * functions.c - looks up one name, in one pass over each of the kernel's lists of functions.
 */
#include "symbols/functions.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/suggest.h"
#include "symbols/ksyms.h"

static const char *underscores_skip(const char *name)
{
	return name + strspn(name, "_");
}

unsigned function_rank(const char *wanted, const char *name)
{
	const char *w = underscores_skip(wanted), *n = underscores_skip(name);
	size_t wl = strlen(w), nl = strlen(n);

	if (!wl)
		return ~0u;
	if (strstr(n, w))
		return nl - wl;
	/* the wanted name is the longer one: similar only if most of it matches */
	if (nl * 3 >= wl * 2 && strstr(w, n))
		return wl - nl + 1;
	return ~0u;
}

static void copy(char *to, const char *from)
{
	snprintf(to, FUNCTION_NAME, "%s", from);
}

/* Keeps the most similar names, in order; of equally similar ones the first. */
static void similar_offer(struct function_info *k, const char *wanted, const char *name)
{
	unsigned rank = function_rank(wanted, name);
	size_t at = k->similar_count;

	if (rank == ~0u || strlen(name) >= FUNCTION_NAME)
		return;
	for (size_t i = 0; i < k->similar_count; i++)
		if (!strcmp(k->similar[i].name, name))
			return;
	while (at && k->similar[at - 1].rank > rank)
		at--;
	if (at == FUNCTION_SIMILAR)
		return;
	if (k->similar_count < FUNCTION_SIMILAR)
		k->similar_count++;
	memmove(&k->similar[at + 1], &k->similar[at],
		(k->similar_count - 1 - at) * sizeof(k->similar[0]));
	copy(k->similar[at].name, name);
	k->similar[at].rank = rank;
}

/* Symbols that nobody wants to trace: copies made by the compiler, BPF programs, thunks. */
static bool artificial(const struct ksym *s)
{
	return strchr(s->name, '.') ||
	       (s->module && (!strcmp(s->module, "bpf") || !strncmp(s->module, "__builtin__", 11)));
}

/*
 * The type alone does not suffice: 7.3 kernels list variables as T. The list is sorted by address,
 * so symbols between the marks of the data section are data.
 */
bool function_is_code(const struct ksym *s, enum function_part *part)
{
	static const struct {
		const char *name;
		enum function_part part; /* from this mark on */
	} marks[] = {
		{ "_sdata", FUNCTION_PART_DATA },
		{ "_edata", FUNCTION_PART_TEXT },
		{ "_sinittext", FUNCTION_PART_INIT },
		{ "_einittext", FUNCTION_PART_TEXT },
	};

	for (size_t i = 0; s->name[0] == '_' && i < sizeof(marks) / sizeof(marks[0]); i++)
		if (!strcmp(s->name, marks[i].name))
			*part = marks[i].part;
	return strchr("TtWw", s->type) && *part != FUNCTION_PART_DATA;
}

static void symbol_look(struct function_info *k, const char *wanted, const struct ksym *s,
			bool function, struct suggestion *near)
{
	size_t len = strlen(wanted);

	if (!strncmp(s->name, wanted, len)) {
		if (!s->name[len] && function && !k->bodies++)
			copy(k->module, s->module ? s->module : "");
		else if (!s->name[len] && !function)
			k->data = true;
		else if (s->name[len] == '.' && function && !k->suffixed[0])
			copy(k->suffixed, s->name);
	}
	if (!function || artificial(s))
		return;
	similar_offer(k, wanted, s->name);
	suggest_offer(near, s->name);
}

static void symbols_look(struct function_info *k, const char *wanted)
{
	struct suggestion near;
	enum function_part part = FUNCTION_PART_TEXT;
	int err = ksyms_load();
	struct ksym s;

	suggest_init(&near, wanted);
	k->symbols_read = !err || err == -EPERM;
	k->hidden = err == -EPERM;
	for (size_t i = 0; ksyms_get(i, &s); i++)
		symbol_look(k, wanted, &s, function_is_code(&s, &part), &near);
	if (suggest_get(&near))
		copy(k->nearest, suggest_get(&near));
}

/* "name", "name [module]", or in the blacklist "0x…-0x…\tname". Modifies the line. */
static void list_line(char *line, void (*take)(const char *name, const char *module, void *context),
		      void *context)
{
	char *word = strrchr(line, '\t'), *module = strchr(line, '[');

	word = word && word[1] != '[' ? word + 1 : line;
	if (module)
		module[strcspn(module, "]")] = 0;
	word[strcspn(word, " \t\n")] = 0;
	take(word, module ? module + 1 : NULL, context);
}

int function_list_each(enum function_list_kind list,
		       void (*take)(const char *name, const char *module, void *context),
		       void *context)
{
	static const char *const paths[][2] = {
		{ "/sys/kernel/tracing/available_filter_functions",
		  "/sys/kernel/debug/tracing/available_filter_functions" },
		{ "/sys/kernel/debug/kprobes/blacklist" },
	};
	FILE *f = fopen(paths[list][0], "re");
	char *line = NULL;
	size_t size = 0;
	int err;

	if (!f && paths[list][1])
		f = fopen(paths[list][1], "re");
	if (!f)
		return -errno;
	while (getline(&line, &size, f) > 0)
		list_line(line, take, context);
	err = ferror(f) ? -EIO : 0;
	free(line);
	fclose(f);
	return err;
}

struct list_search {
	const char *name;
	enum function_answer answer;
};

static void list_compare(const char *name, const char *module, void *context)
{
	struct list_search *s = context;

	(void)module;
	if (s->answer != FUNCTION_YES)
		s->answer = strcmp(name, s->name) ? FUNCTION_NO : FUNCTION_YES;
}

static enum function_answer list_look(enum function_list_kind list, const char *name)
{
	struct list_search s = { .name = name };

	return function_list_each(list, list_compare, &s) ? FUNCTION_UNKNOWN : s.answer;
}

/* A function may have several names, of which ftrace lists only one. */
static void alias_look(struct function_info *k, const char *name)
{
	uint64_t address = ksyms_address(name, NULL);
	struct ksym s;

	for (size_t i = 0; address && !k->alias[0] && ksyms_get(i, &s); i++)
		if (s.address == address && strcmp(s.name, name) &&
		    list_look(FUNCTION_LIST_FTRACE, s.name) == FUNCTION_YES)
			copy(k->alias, s.name);
}

void function_look_up(struct function_info *k, const char *name)
{
	const char *colon = strchr(name, ':');

	*k = (struct function_info){ 0 };
	name = colon ? colon + 1 : name;
	symbols_look(k, name);
	if (!k->bodies)
		return;
	k->blacklisted = list_look(FUNCTION_LIST_BLACKLIST, name);
	k->ftrace = list_look(FUNCTION_LIST_FTRACE, name);
	if (k->ftrace == FUNCTION_NO)
		alias_look(k, name);
}
