/* SPDX-License-Identifier: GPL-2.0 */
/*
 * kfunc.c - one pass over each of the kernel's lists of functions, for one name.
 */
#include "core/kfunc.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/diag.h"
#include "core/ksyms.h"

static const char *underscores_skip(const char *name)
{
	return name + strspn(name, "_");
}

unsigned kfunc_rank(const char *wanted, const char *name)
{
	const char *w = underscores_skip(wanted), *n = underscores_skip(name);
	size_t wl = strlen(w), nl = strlen(n);

	if (!wl)
		return ~0u;
	if (strstr(n, w))
		return nl - wl;
	/* the wanted one is the longer: only when most of it is there */
	if (nl * 3 >= wl * 2 && strstr(w, n))
		return wl - nl + 1;
	return ~0u;
}

static void copy(char *to, const char *from)
{
	snprintf(to, KFUNC_NAME, "%s", from);
}

/* Keeps the most alike, in order; of equals the first. */
static void similar_offer(struct kfunc *k, const char *wanted, const char *name)
{
	unsigned rank = kfunc_rank(wanted, name);
	size_t at = k->similar_count;

	if (rank == ~0u || strlen(name) >= KFUNC_NAME)
		return;
	for (size_t i = 0; i < k->similar_count; i++)
		if (!strcmp(k->similar[i].name, name))
			return;
	while (at && k->similar[at - 1].rank > rank)
		at--;
	if (at == KFUNC_SIMILAR)
		return;
	if (k->similar_count < KFUNC_SIMILAR)
		k->similar_count++;
	memmove(&k->similar[at + 1], &k->similar[at],
		(k->similar_count - 1 - at) * sizeof(k->similar[0]));
	copy(k->similar[at].name, name);
	k->similar[at].rank = rank;
}

/* Symbols that nobody traces: copies, programs of others, thunks. */
static bool artificial(const struct ksym *s)
{
	return strchr(s->name, '.') ||
	       (s->module &&
		(!strcmp(s->module, "bpf") || !strncmp(s->module, "__builtin__", 11)));
}

/*
 * The type alone does not tell: kernels of 7.3 call variables T. The list is sorted by address, so
 * what stands between the marks of the data section is data.
 */
bool kfunc_is_function(const struct ksym *s, enum kfunc_part *part)
{
	static const struct {
		const char *name;
		enum kfunc_part part; /* from there on */
	} marks[] = {
		{ "_sdata", KFUNC_PART_DATA },
		{ "_edata", KFUNC_PART_TEXT },
		{ "_sinittext", KFUNC_PART_INIT },
		{ "_einittext", KFUNC_PART_TEXT },
	};

	for (size_t i = 0; s->name[0] == '_' && i < sizeof(marks) / sizeof(marks[0]); i++)
		if (!strcmp(s->name, marks[i].name))
			*part = marks[i].part;
	return strchr("TtWw", s->type) && *part != KFUNC_PART_DATA;
}

static void symbol_look(struct kfunc *k, const char *wanted, const struct ksym *s,
			bool function, struct nearest *near)
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
	nearest_offer(near, s->name);
}

static void symbols_look(struct kfunc *k, const char *wanted)
{
	struct nearest near;
	enum kfunc_part part = KFUNC_PART_TEXT;
	int err = ksyms_load();
	struct ksym s;

	nearest_init(&near, wanted);
	k->symbols_read = !err || err == -EPERM;
	k->hidden = err == -EPERM;
	for (size_t i = 0; ksyms_get(i, &s); i++)
		symbol_look(k, wanted, &s, kfunc_is_function(&s, &part), &near);
	if (nearest_get(&near))
		copy(k->nearest, nearest_get(&near));
}

/* "name", "name [module]", or in the blacklist "0x…-0x…\tname". Cuts the line. */
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

int kfunc_list_each(enum kfunc_list list,
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
	enum kfunc_answer answer;
};

static void list_compare(const char *name, const char *module, void *context)
{
	struct list_search *s = context;

	(void)module;
	if (s->answer != KFUNC_YES)
		s->answer = strcmp(name, s->name) ? KFUNC_NO : KFUNC_YES;
}

static enum kfunc_answer list_look(enum kfunc_list list, const char *name)
{
	struct list_search s = { .name = name };

	return kfunc_list_each(list, list_compare, &s) ? KFUNC_UNKNOWN : s.answer;
}

void kfunc_look(struct kfunc *k, const char *name)
{
	const char *colon = strchr(name, ':');

	*k = (struct kfunc){ 0 };
	name = colon ? colon + 1 : name;
	symbols_look(k, name);
	if (!k->bodies)
		return;
	k->blacklisted = list_look(KFUNC_LIST_BLACKLIST, name);
	k->ftrace = list_look(KFUNC_LIST_FTRACE, name);
}
