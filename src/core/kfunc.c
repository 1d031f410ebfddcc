/* SPDX-License-Identifier: GPL-2.0 */
/*
 * kfunc.c - one pass over each of the kernel's lists of functions, for one name.
 */
#include "core/kfunc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/diag.h"

/* A line of /proc/kallsyms, taken apart in place: "ffffffff81000000 T name\t[module]". */
struct symbol {
	bool zero; /* the address is hidden */
	char type; /* as nm(1): T, t, W, w are functions, more or less */
	char *name;
	char *module; /* "" the kernel proper */
};

/* A whole file of unknown size (procfs says 0), NUL at its end; NULL: cannot be read. */
static char *file_read(const char *path)
{
	size_t size = 16 << 20, len = 0, n; /* kallsyms has 8 to 14 MB */
	char *text = malloc(size), *larger;
	FILE *f = fopen(path, "re");

	while (text && f && (n = fread(text + len, 1, size - len - 1, f)) > 0) {
		len += n;
		if (len < size - 1)
			continue;
		larger = realloc(text, size *= 2);
		if (!larger)
			free(text);
		text = larger;
	}
	if (f)
		fclose(f);
	if (!f || !text || !len) {
		free(text);
		return NULL;
	}
	text[len] = 0;
	return text;
}

/* Cuts the line off at *next. False: there is none, or it is no symbol. */
static bool symbol_next(char **next, struct symbol *s)
{
	char *line = *next, *end = strchr(line, '\n');
	char *type = strchr(line, ' ');

	if (!end || !type || type + 3 > end)
		return false;
	*end = 0;
	*next = end + 1;
	s->zero = strspn(line, "0") == (size_t)(type - line);
	s->type = type[1];
	s->name = type + 3;
	s->module = strchr(s->name, '\t');
	if (!s->module) {
		s->module = end;
		return true;
	}
	*s->module = 0;
	s->module += 2; /* past "\t[" */
	s->module[strcspn(s->module, "]")] = 0;
	return true;
}

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

/* Symbols that nobody traces: padding before functions, programs of others, thunks. */
static bool artificial(const struct symbol *s)
{
	return strchr(s->name, '.') || !strncmp(s->name, "__pfx_", 6) ||
	       !strncmp(s->name, "__cfi_", 6) || !strcmp(s->module, "bpf") ||
	       !strncmp(s->module, "__builtin__", 11);
}

/*
 * The type alone does not tell: kernels of 7.3 call variables T. The list is sorted by address, so
 * what stands between the marks of the data section is data.
 */
static bool is_function(const struct symbol *s, bool *in_data)
{
	if (!strcmp(s->name, "_sdata"))
		*in_data = true;
	else if (!strcmp(s->name, "_edata"))
		*in_data = false;
	return strchr("TtWw", s->type) && !*in_data;
}

static void symbol_look(struct kfunc *k, const char *wanted, const struct symbol *s,
			bool function, struct nearest *near)
{
	size_t len = strlen(wanted);

	if (!strncmp(s->name, wanted, len)) {
		if (!s->name[len] && function && !k->bodies++)
			copy(k->module, s->module);
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
	char *text = file_read("/proc/kallsyms"), *next = text;
	struct nearest near;
	bool in_data = false;
	struct symbol s;

	if (!text)
		return;
	nearest_init(&near, wanted);
	k->symbols_read = true;
	while (symbol_next(&next, &s)) {
		k->hidden |= s.zero && s.type == 'T' && !strcmp(s.name, "_stext");
		symbol_look(k, wanted, &s, is_function(&s, &in_data), &near);
	}
	if (nearest_get(&near))
		copy(k->nearest, nearest_get(&near));
	free(text);
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
