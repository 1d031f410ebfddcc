/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * table.c - parses the packed tables to calls and their numbers; types.c parses sets and structs.
 */
#include "syscalls/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/arch.h"
#include "kernel/interface.h"
#include "util/hash.h"
#include "util/unpack.h"

extern const size_t syscall_tables_size, syscall_tables_packed_size;
extern const unsigned char syscall_tables_packed[];

/* sorted as they come; the names are in `texts`, which stays */
static struct call calls[1500];
static size_t call_count;
static const char *names[SYSCALL_ABIS][SYSCALL_NUMBERS];
static const struct call *rows[SYSCALL_ABIS][SYSCALL_NUMBERS];

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* ---- rows by name ---- */

/* Hash table: the last row, plus 1, by the hash of its name, and the one before it for each. */
enum { BUCKETS = 512 };
static uint16_t lasts[BUCKETS], befores[COUNT(calls)];

static unsigned bucket_of(const char *name, size_t len)
{
	return hash_add(HASH_BEGIN, name, len) % BUCKETS;
}

static void row_index(const struct call *c)
{
	unsigned bucket = bucket_of(c->name, strlen(c->name));

	befores[c - calls] = lasts[bucket];
	lasts[bucket] = (uint16_t)(c - calls + 1);
}

/* Returns the first row of a name, for a machine ("": any). */
static const struct call *row_named(const char *name, size_t len, bool is_variant,
				    const char *machine)
{
	const struct call *found = NULL;

	for (size_t i = lasts[bucket_of(name, len)]; i; i = befores[i - 1]) {
		const struct call *c = &calls[i - 1];

		if (!c->variants == !is_variant && !strncmp(c->name, name, len) && !c->name[len] &&
		    is_of_machine(c->machines, machine))
			found = c;
	}
	return found;
}

/* Returns the first row of a name, or of that without its ending. */
static const struct call *row_first(const char *name, const char *ending, bool is_variant,
				    const char *machine)
{
	size_t len = strlen(name), cut = strlen(ending);
	const struct call *whole = row_named(name, len, is_variant, machine), *stem = NULL;

	if (len > cut && !strcmp(name + len - cut, ending))
		stem = row_named(name, len - cut, is_variant, machine);
	return !whole || (stem && stem < whole) ? stem : whole;
}

/* ---- lines ---- */

static uint8_t special_of(const char *name)
{
	static const struct {
		char name[15];
		uint8_t special;
	} specials[] = {
		{ "clone", SPECIAL_CLONE },
		{ "clone3", SPECIAL_CLONE3 },
		{ "fcntl", SPECIAL_FCNTL },
		{ "poll", SPECIAL_POLL },
		{ "ppoll", SPECIAL_PPOLL },
		{ "select", SPECIAL_SELECT },
		{ "pselect6", SPECIAL_SELECT },
		{ "recvmmsg", SPECIAL_RECVMMSG },
		{ "rt_sigreturn", SPECIAL_SIGRETURN },
		{ "recvmmsg_time64", SPECIAL_RECVMMSG },
	};

	for (size_t i = 0; i < COUNT(specials); i++)
		if (!strncmp(specials[i].name, name, sizeof(specials[i].name)))
			return specials[i].special;
	return SPECIAL_NONE;
}

/* The variants of a call follow each other. */
static void variant_link(struct call *c)
{
	if (c > calls && c->variants && c[-1].variants && !strcmp(c->name, c[-1].name))
		c[-1].next = c;
}

static void call_read(char *line)
{
	struct call *c = &calls[call_count++];
	char *types[SYSCALL_ARGS], *w, *variants, *name = word_next(&line);

	c->name = name;
	c->machines = machines_cut(name);
	variants = strchr(name, '/');
	if (variants)
		*variants++ = 0;
	c->variants = variants;
	row_index(c);
	c->special = special_of(c->name);
	c->classes = word_next(&line);
	type_read(&c->result, (char[]){ "il" }, NULL, 0);
	while (*(w = word_next(&line))) {
		char *type = strchr(w, ':');

		if (*w == '=') {
			if (type) {
				*type = 0;
				c->result_word = w + 1;
			}
			type_read(&c->result, type ? type + 1 : w + 1, NULL, 0);
		} else if (type && c->nargs < SYSCALL_ARGS) {
			*type++ = 0;
			c->args[c->nargs].name = w;
			types[c->nargs++] = type;
		}
	}
	for (uint8_t i = 0; i < c->nargs; i++)
		type_read(&c->args[i].type, types[i], c->args, c->nargs);
	variant_link(c);
}

static const struct call *variant_first(const struct call *c)
{
	return row_first(c->name, "64", true, "");
}

/* i386 has some calls twice, the second time with ids of 32 bits: setuid32. */
static const struct call *row_of(const char *name, unsigned abi)
{
	const struct call *c = row_first(name, "32", false,
					 abi == SYSCALL_ABI_32 ? "i386" : ARCH_MACHINE);

	if (c)
		calls[c - calls].first = variant_first(c);
	return c;
}

static void number_read(char *line)
{
	/* of its columns: whose calls this kernel has, -1: not these */
	static const int8_t abis[ARCH_COUNT][4] = {
		[ARCH_X86_64] = { SYSCALL_ABI_64, SYSCALL_ABI_32, -1, -1 },
		[ARCH_ARM64] = { -1, -1, SYSCALL_ABI_64, -1 },
		/* the same numbers, but for a few of its own */
		[ARCH_RISCV64] = { -1, -1, SYSCALL_ABI_64, -1 },
		[ARCH_PPC64LE] = { -1, -1, -1, SYSCALL_ABI_64 },
	};
	const char *name = word_next(&line);

	for (unsigned column = 0; column < COUNT(abis[0]); column++) {
		const char *w = word_next(&line);
		int abi = abis[ARCH_NATIVE][column];
		unsigned nr = (unsigned)atoi(w);

		if (abi < 0 || *w == '-' || nr >= SYSCALL_NUMBERS)
			continue;
		names[abi][nr] = name;
		if (!rows[abi][nr])
			rows[abi][nr] = row_of(name, abi);
	}
}

/* In this order the build packs them. */
static void (*const readers[])(char *) = { set_read, layout_read, call_read, number_read };

static bool is_loaded;

static void tables_load(void)
{
	char *texts, *end, *line, *next;
	size_t table = 0;

	is_loaded = true;
	interfaces_read();
	texts = unpack_embedded(syscall_tables_packed, syscall_tables_packed_size,
				syscall_tables_size);
	if (!texts)
		return;
	end = texts + syscall_tables_size;
	for (line = texts; line < end && table < COUNT(readers); line = next) {
		if (!*line) { /* the end of a table */
			table++;
			next = line + 1;
			continue;
		}
		next = strchr(line, '\n') + 1;
		next[-1] = 0;
		readers[table](line);
	}
}

/* ---- what others ask ---- */

const char *syscall_name(unsigned abi, uint32_t nr)
{
	if (!is_loaded)
		tables_load();
	return abi < SYSCALL_ABIS && nr < SYSCALL_NUMBERS ? names[abi][nr] : NULL;
}

const char *syscall_label(unsigned abi, uint32_t nr)
{
	static char number[24];
	const char *name = syscall_name(abi, nr);

	if (name)
		return name;
	snprintf(number, sizeof(number), "syscall_0x%x", nr);
	return number;
}

const struct call *call_row(unsigned abi, uint32_t nr)
{
	return syscall_name(abi, nr) ? rows[abi][nr] : NULL;
}

const struct call *call_part(const char *name)
{
	const struct call *c = *name == '+' ? row_named(name, strlen(name), false, "") : NULL;

	if (c)
		calls[c - calls].first = variant_first(c);
	return c;
}

const char *syscall_classes(unsigned abi, uint32_t nr)
{
	const struct call *c = call_row(abi, nr);

	return c ? c->classes : "";
}

int syscall_number(unsigned abi, const char *name, size_t len)
{
	if (!is_loaded)
		tables_load();
	for (int nr = 0; abi < SYSCALL_ABIS && nr < SYSCALL_NUMBERS; nr++)
		if (names[abi][nr] && strlen(names[abi][nr]) == len &&
		    !memcmp(names[abi][nr], name, len))
			return nr;
	return -1;
}

void syscall_names(void (*offer)(void *ctx, const char *name), void *ctx)
{
	if (!is_loaded)
		tables_load();
	for (int abi = 0; abi < SYSCALL_ABIS; abi++)
		for (int nr = 0; nr < SYSCALL_NUMBERS; nr++) {
			const char *name = names[abi][nr];

			if (name && (!abi || syscall_number(0, name, strlen(name)) < 0))
				offer(ctx, name);
		}
}

/* True if the word is one of A,B,C. */
static bool list_has(const char *list, const char *word)
{
	size_t len = strlen(word);

	for (const char *p = list; len && (p = strstr(p, word)); p += len)
		if ((p == list || p[-1] == ',') && (!p[len] || p[len] == ','))
			return true;
	return false;
}

const struct call *call_variant_next(const struct call *c, const struct call *v)
{
	return v ? v->next : c->first;
}

/* Of requests that drivers share (A or B), the one that has a row follows the others. */
static const char *shared_name(const struct set *set, uint32_t value, const char *name)
{
	if (!name || !strstr(name, " or "))
		return name;
	for (const struct field_name *f = set->items; f->name; f++)
		if ((uint32_t)f->value == value)
			name = f->name;
	return name;
}

/* The same is asked of each variant. */
static const char *name_find(const struct set *set, uint32_t value)
{
	static const struct set *last[2];
	static uint32_t values[2];
	static const char *found[2];
	static unsigned next;

	for (unsigned i = 0; i < COUNT(last); i++)
		if (last[i] == set && values[i] == value)
			return found[i];
	next ^= 1;
	last[next] = set;
	values[next] = value;
	return found[next] = shared_name(set, value, set_name(set, value)) ?:
				     request_group(set, value)		   ?:
									     "";
}

/* The name of argument `i` by the row's own types, NULL: it is no enum. */
static const char *arg_name(const struct call *c, unsigned i, const __u64 *args)
{
	const struct type *t = &c->args[i].type;

	if (t->kind == TYPE_FUTEXOP)
		return name_find(set_find("futex"), args[i] & 127);
	if (t->kind == TYPE_QCMD)
		return name_find(set_find("quotacmd"), (uint32_t)args[i] >> 8);
	return t->kind == TYPE_ENUM ? name_find(t->of, (uint32_t)args[i]) : NULL;
}

/* One of the names in the list is a flag in `v`. */
static bool list_has_flag(const char *list, const struct set *s, uint64_t v)
{
	for (const struct field_name *f = s ? s->items : NULL; f && f->name; f++) {
		if (!f->value || (v & (f->mask ?: f->value)) != f->value)
			continue;
		if (list_has(list, f->name))
			return true;
		v &= ~(f->mask ?: f->value); /* its bits are no flags */
	}
	return false;
}

/* FIRST,… are names of the first enum or flags; FIRST:SECOND,… is one of those, and names of the second. */
static bool variant_fits(const struct call *v, const __u64 *args)
{
	const char *colon = strchr(v->variants, ':'), *at = v->variants, *name;

	for (unsigned i = 0; i < v->nargs; i++) {
		if (v->args[i].type.kind == TYPE_FLAGS && !strchr(v->variants, ':'))
			return list_has_flag(v->variants, v->args[i].type.of, args[i]);
		name = arg_name(v, i, args);
		if (!name)
			continue;
		if (!colon)
			return list_has(at, name);
		if (*at != '*' &&
		    (strlen(name) != (size_t)(colon - at) || strncmp(name, at, strlen(name)) != 0))
			return false;
		at = colon + 1;
		colon = strchr(at, ':');
	}
	return false;
}

const struct call *call_variant(const struct call *c, const __u64 *args)
{
	for (const struct call *v = NULL; (v = call_variant_next(c, v));)
		if (variant_fits(v, args))
			return v;
	return c;
}
