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
static bool is_function(const struct ksym *s, bool *in_data)
{
	if (!strcmp(s->name, "_sdata"))
		*in_data = true;
	else if (!strcmp(s->name, "_edata"))
		*in_data = false;
	return strchr("TtWw", s->type) && !*in_data;
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
	bool in_data = false;
	int err = ksyms_load();
	struct ksym s;

	nearest_init(&near, wanted);
	k->symbols_read = !err || err == -EPERM;
	k->hidden = err == -EPERM;
	for (size_t i = 0; ksyms_get(i, &s); i++)
		symbol_look(k, wanted, &s, is_function(&s, &in_data), &near);
	if (nearest_get(&near))
		copy(k->nearest, nearest_get(&near));
}

/* Is `name` a whole word of a line, with only a "[module]" behind it? */
static enum kfunc_answer list_look(const char *path, const char *name)
{
	char *line = NULL, *end;
	size_t size = 0, len = strlen(name);
	enum kfunc_answer answer = KFUNC_UNKNOWN;
	FILE *f = fopen(path, "re");

	while (f && answer != KFUNC_YES && getline(&line, &size, f) > 0) {
		char *word = strrchr(line, '\t'); /* blacklist: "0x…-0x…\tname" */

		answer = KFUNC_NO;
		word = word && word[1] != '[' ? word + 1 : line;
		end = word + strcspn(word, " \t\n");
		if ((size_t)(end - word) == len && !memcmp(word, name, len))
			answer = KFUNC_YES;
	}
	free(line);
	if (f)
		fclose(f);
	return answer;
}

void kfunc_look(struct kfunc *k, const char *name)
{
	const char *colon = strchr(name, ':');

	*k = (struct kfunc){ 0 };
	name = colon ? colon + 1 : name;
	symbols_look(k, name);
	if (!k->bodies)
		return;
	k->blacklisted = list_look("/sys/kernel/debug/kprobes/blacklist", name);
	k->ftrace = list_look("/sys/kernel/tracing/available_filter_functions", name);
	if (k->ftrace == KFUNC_UNKNOWN)
		k->ftrace = list_look("/sys/kernel/debug/tracing/available_filter_functions",
				      name);
}
