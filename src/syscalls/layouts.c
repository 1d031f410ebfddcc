/* SPDX-License-Identifier: GPL-2.0-only */
/* layouts.c - reads the sets of names and the layouts of structs from sets.tbl and structs.tbl. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/arch.h"
#include "output/field/flag_names.h"
#include "syscalls/ioctl.h"
#include "syscalls/table.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* ---- sets ---- */

/* Sets whose names other parts of coretap also show: `@` in the table. */
static const struct {
	char name[10];
	const struct field_name *items;
	bool is_enum;
	const char *prefix;
} shared[] = {
	{ "open", flags_open, false, "O_" },
	{ "family", flags_family, true, "AF_" },
	{ "signal", flags_signal, true, "SIG" },

	{ "proto", flags_proto, true, "IPPROTO_" },
	{ "msg", flags_msg, false, "MSG_" },
	{ "resolve", flags_resolve, false, "RESOLVE_" },
	{ "cap", flags_cap, true, "CAP_" },
};

char *word_next(char **s)
{
	char *w;

	while (**s == ' ')
		(*s)++;
	w = *s;
	*s += strcspn(w, " ");
	if (**s)
		*(*s)++ = 0;
	return w;
}

/* Cuts "@MACHINE,…" off a name. Returns the machines, or NULL. */
const char *machines_cut(char *name)
{
	char *machines = strchr(name, '@');

	if (machines)
		*machines++ = 0;
	return machines;
}

bool is_of_machine(const char *machines, const char *machine)
{
	return !machines || strstr(machines, machine);
}

static void set_share(struct set *s)
{
	for (size_t i = 0; i < COUNT(shared); i++)
		if (!strcmp(shared[i].name, s->name)) {
			s->items = shared[i].items;
			s->is_enum = shared[i].is_enum;
			s->prefix = shared[i].prefix;
		}
}

/* ---- lines of the tables ---- */

/* Returns PREFIX and NAME as one word, which is never freed; NULL: out of memory. */
static char *name_join(const char *prefix, const char *name)
{
	enum { CHUNK = 65536 };
	static char *room;
	static size_t left;
	size_t before = strlen(prefix), size = before + strlen(name) + 1;
	char *word;

	if (size > left) {
		room = malloc(CHUNK);
		left = room && size <= CHUNK ? CHUNK : 0;
	}
	if (size > left)
		return NULL;
	word = memcpy(room, prefix, before);
	memcpy(word + before, name, size - before);
	room += size;
	left -= size;
	return word;
}

void set_read(char *line)
{
	static struct field_name items[14000];
	static size_t used;
	char *title = word_next(&line), *w;
	uint64_t last = 0, mask = 0;
	bool first = true, is_ioctl;
	struct set *s;

	if (!is_of_machine(machines_cut(title), ARCH_MACHINE))
		return;
	s = set_add(title);
	is_ioctl = !strcmp(title, "ioctl");
	w = word_next(&line);
	s->is_enum = *w == 'e' || *w == 'd' || *w == 'v' || *w == 'w';
	s->is_both = *w == 'v' || *w == 'w' || *w == 'c';
	s->is_decimal = *w == 'd' || *w == 'v';
	s->is_split = *w == 'g';
	if (*w == '@') {
		set_share(s);
		return;
	}
	s->prefix = word_next(&line);
	s->items = items + used;
	while (*(w = word_next(&line)) && used + 1 < COUNT(items)) {
		char *value = strchr(w, '='), *name = NULL;

		if (*w == '/') {
			mask = strtoull(w + 1, NULL, 0);
			first = true;
			continue;
		}
		if (value)
			*value++ = 0;
		last = value		  ? strtoull(value, NULL, 0) :
		       first		  ? 1 :
		       s->is_enum || mask ? last + 1 :
		       last		  ? last << 1 :
					    1;
		first = false;
		if (*w != '.')
			name = name_join(s->prefix, w);
		for (char *blank = w; (blank = strchr(blank, '~'));)
			*blank = ' ';
		items[used++] = (struct field_name){ is_ioctl ? ioctl_native(last) : last,
						     name ?: w + (*w == '.'), mask };
	}
	used++;
}

/* Attributes: NAME[=NUMBER][:TYPE]…, without a number the last one plus 1, from 0. */
static uint64_t attr_number(char *name, uint64_t next)
{
	char *value = strchr(name, '=');

	if (!value)
		return next;
	*value++ = 0;
	return strtoull(value, NULL, 0);
}

static void members_read(struct layout *l, char **types)
{
	uint64_t next = 0;

	for (uint8_t i = 0; i < l->count; i++) {
		struct member *m = &l->members[i];
		uint64_t number = l->prefix ? attr_number((char *)m->name, next) : 0;

		if (types[i])
			type_read(&m->type, types[i], l->members, l->count);
		else
			m->type.kind = TYPE_BYTES;
		if (l->prefix)
			m->type.with = number;
		next = number + 1;
	}
}

static bool has_word_at_offset(const struct layout *l)
{
	bool has_offset = false, has_word = false;

	for (uint8_t i = 0; i < l->count; i++) {
		const struct type *t = &l->members[i].type;
		const struct layout *inner = t->kind == TYPE_STRUCT ? t->of : NULL;

		if (inner && inner->is_64)
			return true;
		has_offset |= t->offset >= 0;
		has_word |= t->size == SIZE_WORD;
	}
	return has_offset && has_word && !strstr(l->name, "32");
}

void layout_read(char *line)
{
	static struct member members[5400];
	static size_t used;
	char *name = word_next(&line), *w, *type, *types[MEMBERS_MAX];
	struct layout *l;

	if (!is_of_machine(machines_cut(name), ARCH_MACHINE))
		return;
	l = layout_add(name);
	l->members = members + used;
	l->prefix = *name == '%' ? word_next(&line) : NULL;
	/* conditions may be about any of them */
	while (*(w = word_next(&line)) && used + l->count < COUNT(members) &&
	       l->count < MEMBERS_MAX) {
		if (!strcmp(w, "0|")) {
			l->zeros = l->count;
			continue;
		}
		if (*w == '|') {
			l->head = l->count;
			l->head_asks = w[1] != 0;
			continue;
		}
		type = strchr(w, ':');
		if (type)
			*type++ = 0;
		types[l->count] = type;
		if (!strncmp(w, "=>?", 3))
			l->received = l->count + 1;
		l->members[l->count++].name = w;
	}
	members_read(l, types);
	l->is_64 = has_word_at_offset(l);
	used += l->count;
}
