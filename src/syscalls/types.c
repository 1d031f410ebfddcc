/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * types.c - the sets of names and the layouts of structs, as sets.tbl and structs.tbl have them; and the
 * types of arguments and members: [*!&><]BASE.COUNT.
 */
#include <stdlib.h>
#include <string.h>

#include "kernel/arch.h"
#include "output/field/flag_names.h"
#include "syscalls/table.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static struct set sets[256];
static struct layout layouts[128];
static size_t set_count, layout_count;

/* ---- sets and layouts ---- */

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

const struct set *set_find(const char *name)
{
	for (size_t i = 0; i < set_count; i++)
		if (!strcmp(sets[i].name, name))
			return &sets[i];
	return NULL;
}

const struct layout *layout_find(const char *name)
{
	for (size_t i = 0; i < layout_count; i++)
		if (!strcmp(layouts[i].name, name))
			return &layouts[i];
	return NULL;
}

const char *set_name(const struct set *s, uint64_t value)
{
	for (const struct field_name *f = s ? s->items : NULL; f && f->name; f++)
		if (f->value == value)
			return f->name;
	return NULL;
}

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

/* ---- types ---- */

static const struct {
	char name[10];
	uint8_t kind, size;
} kinds[] = {
	{ "i", TYPE_INT, 4 },
	{ "u", TYPE_UINT, 4 },
	{ "x", TYPE_HEX, 4 },
	{ "p", TYPE_PTR, SIZE_WORD },
	{ "o", TYPE_OCTAL, 4 },
	{ "m", TYPE_MODE, 4 },
	{ "e", TYPE_ENUM, 4 },
	{ "f", TYPE_FLAGS, 4 },
	{ "fd", TYPE_FD, 4 },
	{ "at", TYPE_AT, 4 },
	{ "id", TYPE_ID, 4 },
	{ "path", TYPE_PATH, 1 },
	{ "str", TYPE_STR, 1 },
	{ "buf", TYPE_BUF, 1 },
	{ "bufx", TYPE_BUF, 1 },
	{ "chars", TYPE_CHARS, 1 },
	{ "argv", TYPE_WORDS, 1 },
	{ "envp", TYPE_ENVP, 1 },
	{ "iovec", TYPE_IOVEC, 1 },
	{ "msghdr", TYPE_MSGHDR, 1 },
	{ "mmsghdr", TYPE_MMSGHDR, 1 },
	{ "sockaddr", TYPE_SOCKADDR, 1 },
	{ "socklen", TYPE_SOCKLEN, 4 },
	{ "optval", TYPE_OPTVAL, 248 },
	{ "sigset", TYPE_SIGSET, 8 },
	{ "wstatus", TYPE_WSTATUS, 4 },
	{ "dirent", TYPE_DIRENT, 1 },
	{ "dev", TYPE_DEV, 8 },
	{ "rlim", TYPE_RLIM, SIZE_WORD },
	{ "rlim64", TYPE_RLIM, 8 },
	{ "handler", TYPE_HANDLER, SIZE_WORD },
	{ "epolldata", TYPE_EPOLLDATA, 8 },
	{ "fdset", TYPE_FDSET, 1 },
	{ "cpuset", TYPE_CPUSET, 1 },
	{ "futexop", TYPE_FUTEXOP, 4 },
	{ "bitset", TYPE_BITSET, 4 },
	{ "clone", TYPE_CLONE, SIZE_WORD },
	{ "proto", TYPE_PROTO, 4 },
	{ "sig", TYPE_SIGNAL, 4 },
	{ "errno", TYPE_ERRNO, 4 },
	{ "perm", TYPE_PERM, 4 },
	{ "siginfo", TYPE_SIGINFO, 128 },
	{ "skip", TYPE_SKIP, 4 },
	{ "none", TYPE_NONE, 4 },
	{ "time", TYPE_INT, SIZE_WORD },
	{ "xs", TYPE_HEX, 4 },
	{ "uls", TYPE_UINT, SIZE_WORD },
};

/* A base: a kind, or a kind and its size (8, 16, 64, l for a word), or a struct. */
static void base_read(struct type *t, char *base)
{
	size_t len = strcspn(base, "0123456789");
	const char *size = base + len;

	t->of = layout_find(base);
	t->kind = t->of ? TYPE_STRUCT : TYPE_HEX;
	t->size = t->of ? 1 : 4;
	t->hex = !strcmp(base, "bufx");
	for (size_t i = 0; i < COUNT(kinds) && !t->of; i++) {
		const char *name = kinds[i].name;
		size_t n = strlen(name);

		if (!strcmp(base, name)) {
			t->kind = kinds[i].kind;
			t->size = kinds[i].size;
			return;
		}
		if (n == 1 && *base == *name && (len == 1 || !strcmp(base + 1, "l"))) {
			t->kind = kinds[i].kind;
			t->size = *size ? (uint8_t)(atoi(size) / 8) : SIZE_WORD;
		}
	}
}

static uint8_t arg_find(const char *name, const struct member *args, uint8_t nargs)
{
	for (uint8_t i = 0; i < nargs; i++)
		if (args[i].name && !strcmp(args[i].name, name))
			return i;
	return COUNT_NONE;
}

/* NAME.COUNT or e.SET; COUNT is a number, an argument's name, ret. */
static void suffix_read(struct type *t, const char *s, const struct member *args, uint8_t nargs)
{
	if (t->kind == TYPE_ENUM || t->kind == TYPE_FLAGS || t->kind == TYPE_PERM) {
		t->of = set_find(s);
	} else if (*s >= '0' && *s <= '9') {
		t->count = (uint16_t)atoi(s);
		t->array = t->kind != TYPE_CHARS;
	} else if (!strcmp(s, "ret")) {
		t->count_arg = SYSCALL_RESULT;
	} else {
		t->count_arg = arg_find(s, args, nargs);
	}
}

void type_read(struct type *t, char *s, const struct member *args, uint8_t nargs)
{
	char *at = strchr(s, '@'), *dot, *end;

	*t = (struct type){
		.count = 1, .count_arg = COUNT_NONE, .limit_arg = COUNT_NONE, .offset = -1
	};
	end = strchr(s, '/');
	if (end) {
		*end = 0;
		t->limit_arg = arg_find(end + 1, args, nargs);
	}
	if (at) {
		*at = 0;
		t->offset = (int16_t)atoi(at + 1);
	}
	at = strchr(s, '?');
	if (at && at[1]) {
		t->with = (uint32_t)(strtoull(at + 1, NULL, 0) >> 8);
		at[1] = 0;
	}
	if (strchr("*!&><", *s) && *s)
		t->ptr = *s++;
	if (*s == '[') {
		t->array = true;
		s++;
	}
	dot = strchr(s, '.');
	if (dot)
		*dot++ = 0;
	for (end = s + strlen(s); end > s && strchr("]~?", end[-1]); *--end = 0) {
		t->hidden |= end[-1] == '~';
		t->optional |= end[-1] == '?';
	}
	base_read(t, s);
	if (!dot)
		return;
	end = dot + strlen(dot);
	if (end > dot && end[-1] == '~') {
		t->hidden = true;
		end[-1] = 0;
	}
	suffix_read(t, dot, args, nargs);
}

uint32_t type_size(const struct type *t, unsigned abi, uint32_t *align)
{
	uint32_t size = scalar_size(t, abi), at = 0, most = 1, a, n;
	const struct layout *l = t->of;

	*align = abi && size > 4 ? 4 : size;
	if (t->kind != TYPE_STRUCT || !l)
		return size;
	for (uint8_t i = 0; i < l->count; i++) {
		const struct type *m = &l->members[i].type;

		n = type_size(m, abi, &a) * m->count;
		if (m->offset >= 0)
			a = 4;
		at = m->offset >= 0 ? (uint32_t)m->offset : (at + a - 1) / a * a;
		at += n;
		most = a > most ? a : most;
		size = at > size ? at : size;
	}
	*align = most;
	return (size + most - 1) / most * most;
}

/* ---- lines of the tables ---- */

void set_read(char *line)
{
	static struct field_name items[4000];
	static size_t used;
	struct set *s = &sets[set_count++];
	uint64_t last = 0, mask = 0;
	bool first = true;
	char *w;

	s->name = word_next(&line);
	s->is_enum = *(w = word_next(&line)) == 'e';
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
		if (*w != '.') {
			name = malloc(strlen(s->prefix) + strlen(w) + 1);
			if (name)
				strcat(strcpy(name, s->prefix), w);
		}
		items[used++] = (struct field_name){ last, name ?: w + (*w == '.'), mask };
	}
	used++;
}

void layout_read(char *line)
{
	char *name = word_next(&line), *w, *type;
	struct layout *l = &layouts[layout_count];

	if (!is_of_machine(machines_cut(name), ARCH_MACHINE))
		return;
	layout_count++;
	l->name = name;
	while (*(w = word_next(&line)) && l->count < COUNT(l->members) && (type = strchr(w, ':'))) {
		*type++ = 0;
		l->members[l->count].name = w;
		type_read(&l->members[l->count++].type, type, NULL, 0);
	}
}
