/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * names.c - parses names of types: the language's own, and C types as casts and the kernel write them.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "event.h"
#include "script/resolve/resolve.h"
#include "util/suggest.h"

/* ---- C keywords: int, unsigned long … ---- */

static const struct {
	const char *name;
	uint8_t size;
	bool is_signed;
} ints[] = {
	{ "int8", 1, true },	  { "uint8", 1, false },     { "int16", 2, true },
	{ "uint16", 2, false },	  { "int32", 4, true },	     { "uint32", 4, false },
	{ "int64", 8, true },	  { "uint64", 8, false },    { "int8_t", 1, true },
	{ "uint8_t", 1, false },  { "int16_t", 2, true },    { "uint16_t", 2, false },
	{ "int32_t", 4, true },	  { "uint32_t", 4, false },  { "int64_t", 8, true },
	{ "uint64_t", 8, false }, { "u8", 1, false },	     { "s8", 1, true },
	{ "u16", 2, false },	  { "s16", 2, true },	     { "u32", 4, false },
	{ "s32", 4, true },	  { "u64", 8, false },	     { "s64", 8, true },
	{ "__u8", 1, false },	  { "__s8", 1, true },	     { "__u16", 2, false },
	{ "__s16", 2, true },	  { "__u32", 4, false },     { "__s32", 4, true },
	{ "__u64", 8, false },	  { "__s64", 8, true },	     { "size_t", 8, false },
	{ "ssize_t", 8, true },	  { "uintptr_t", 8, false }, { "intptr_t", 8, true },
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
enum { WORD_MAX = 128 };

/* The meaning of the words before a name or a star. */
struct words {
	bool is_signed, is_unsigned, is_char, is_int, is_short, is_bool, is_void, is_user;
	unsigned longs;
	unsigned kind; /* kind of `name`: BTF_KIND_STRUCT …; BTF_KIND_UNKN: no tag */
	char name[WORD_MAX];
};

static bool is_word(const char *word, size_t length, const char *name)
{
	return strlen(name) == length && !memcmp(word, name, length);
}

static const char *const qualifiers[] = { "const", "volatile", "restrict", "__restrict",
					  "__rcu", "__percpu", "__iomem",  "register" };

static bool is_qualifier(const char *word, size_t length)
{
	for (size_t i = 0; i < COUNT(qualifiers); i++) {
		if (is_word(word, length, qualifiers[i]))
			return true;
	}
	return false;
}

static unsigned tag_kind(const char *word, size_t length)
{
	if (is_word(word, length, "struct"))
		return BTF_KIND_STRUCT;
	if (is_word(word, length, "union"))
		return BTF_KIND_UNION;
	return is_word(word, length, "enum") ? BTF_KIND_ENUM : BTF_KIND_UNKN;
}

/* True if the word is part of integer types. */
static bool int_word(struct words *w, const char *word, size_t length)
{
	bool *const flags[] = { &w->is_signed, &w->is_unsigned, &w->is_char, &w->is_int,
				&w->is_short,  &w->is_bool,	&w->is_void };
	static const char *const names[] = { "signed", "unsigned", "char", "int",
					     "short",  "_Bool",	   "void" };

	for (size_t i = 0; i < COUNT(names); i++) {
		if (is_word(word, length, names[i])) {
			*flags[i] = true;
			return true;
		}
	}
	if (is_word(word, length, "bool"))
		w->is_bool = true;
	else if (is_word(word, length, "long"))
		w->longs++;
	else
		return false;
	return true;
}

static size_t word_length(const char *text)
{
	size_t n = 0;

	while (isalnum((unsigned char)text[n]) || text[n] == '_' || text[n] == '#')
		n++;
	return n;
}

/* Reads words up to a star or the end; returns false if they are not a type. */
static bool words_read(struct words *w, const char **text)
{
	for (;; *text += word_length(*text)) {
		const char *word = *text += strspn(*text, " \t");
		size_t length = word_length(word);

		if (!length)
			return *word == '*' || *word == '\0';
		if (is_qualifier(word, length) || int_word(w, word, length))
			continue;
		if (is_word(word, length, "__user")) {
			w->is_user = true;
		} else if (tag_kind(word, length) && !*w->name && !w->kind) {
			w->kind = tag_kind(word, length);
		} else if (!*w->name && length < sizeof(w->name)) {
			memcpy(w->name, word, length);
			w->name[length] = '\0';
		} else {
			return false;
		}
	}
}

static struct ctype int_of_words(struct resolve *r, const struct words *w)
{
	uint32_t id = w->is_char && !w->is_unsigned && !w->is_signed ?
			      btf_lookup_kind(r, BTF_KIND_INT, "char") :
			      0;

	if (w->is_bool)
		id = btf_lookup_kind(r, BTF_KIND_INT, "_Bool");
	if (id)
		return ctype_of(id);
	if (w->is_bool)
		return ctype_int(1, false);
	return ctype_int(w->is_char ? 1 : w->is_short ? 2 : w->longs ? 8 : 4, !w->is_unsigned);
}

static bool int_named(const char *name, struct ctype *type)
{
	for (size_t i = 0; i < COUNT(ints); i++) {
		if (!strcmp(ints[i].name, name)) {
			*type = ctype_int(ints[i].size, ints[i].is_signed);
			return true;
		}
	}
	return false;
}

static uint32_t tagged(struct resolve *r, unsigned kind, const char *name)
{
	uint32_t id = btf_lookup_kind(r, kind, name);

	if (!id && kind == BTF_KIND_ENUM)
		id = btf_lookup_kind(r, BTF_KIND_ENUM64, name);
	if (!id && kind != BTF_KIND_ENUM)
		id = btf_lookup_kind(r, BTF_KIND_FWD, name);
	return id;
}

static bool ctype_of_words(struct resolve *r, const struct words *w, struct ctype *type)
{
	bool has_int = w->is_signed || w->is_unsigned || w->is_char || w->is_int || w->is_short ||
		       w->is_bool || w->longs;

	if (!*w->name) {
		*type = has_int ? int_of_words(r, w) : ctype_of(0);
		return !w->kind && (has_int || w->is_void);
	}
	if (w->kind) {
		*type = ctype_of(tagged(r, w->kind, w->name));
		return type->id != 0;
	}
	*type = ctype_of(btf_lookup_kind(r, BTF_KIND_TYPEDEF, w->name));
	return type->id || int_named(w->name, type);
}

bool ctype_parse(struct resolve *r, const char *text, struct ctype *type)
{
	struct words w = {};

	if (!words_read(&w, &text) || !ctype_of_words(r, &w, type))
		return false;
	for (; *text; text++) {
		if (*text == '*')
			type->stars++;
		else if (!strncmp(text, "__user", 6))
			w.is_user = true;
		else if (!strchr(" \tabcdefghijklmnopqrstuvwxyz_", *text))
			return false;
	}
	type->user = w.is_user && type->stars;
	return true;
}

/* ---- the language's own ---- */

static const struct {
	const char *name;
	enum script_kind kind;
	uint32_t size;
} own[] = {
	{ "string", SCRIPT_STRING, 0 },
	{ "buffer", SCRIPT_BUFFER, 0 },
	{ "inet", SCRIPT_INET, sizeof(struct script_inet) },
	{ "mac_address", SCRIPT_MAC, 6 },
	{ "macaddr_t", SCRIPT_MAC, 6 },
	{ "ksym_t", SCRIPT_KSYM, 8 },
	{ "usym_t", SCRIPT_USYM, sizeof(struct script_usym) },
	{ "kstack_t", SCRIPT_KSTACK, sizeof(struct stack_id) },
	{ "ustack_t", SCRIPT_USTACK, sizeof(struct stack_id) },
	{ "username", SCRIPT_USER, 4 },
	{ "timestamp", SCRIPT_TIME, sizeof(struct script_time) },
	{ "cgroup_path_t", SCRIPT_CGROUP, sizeof(struct script_cgroup) },
	{ "count_t", SCRIPT_COUNT, 8 },
	{ "sum_t", SCRIPT_SUM, 8 },
	{ "min_t", SCRIPT_MIN, sizeof(struct script_extreme) },
	{ "max_t", SCRIPT_MAX, sizeof(struct script_extreme) },
	{ "avg_t", SCRIPT_AVG, sizeof(struct script_stats) },
	{ "stats_t", SCRIPT_STATS, sizeof(struct script_stats) },
	{ "hist_t", SCRIPT_HIST, 8 },
	{ "lhist_t", SCRIPT_LHIST, 8 },
	{ "tseries_t", SCRIPT_TSERIES, 8 },
};

static bool own_named(const struct script_type_name *name, struct script_type *type)
{
	for (size_t i = 0; i < COUNT(own); i++) {
		if (strcmp(own[i].name, name->name) || name->stars)
			continue;
		*type = (struct script_type){ .kind = own[i].kind, .size = own[i].size };
		if (name->is_array && own[i].kind == SCRIPT_STRING)
			type->size = name->count;
		if (name->is_array && own[i].kind == SCRIPT_BUFFER)
			type->size = name->count + 4;
		return true;
	}
	return false;
}

static struct script_type tuple_named(struct resolve *r, const struct script_type_name *name)
{
	struct script_part *parts = alloc_lasting(r, (name->part_count + 1) * sizeof(*parts));
	struct script_type type = {};

	if (!parts)
		return type;
	for (size_t i = 0; i < name->part_count; i++) {
		parts[i].type = type_named(r, &name->parts[i]);
		if (parts[i].type.kind == SCRIPT_NONE)
			return type;
	}
	script_tuple_layout(&type, parts, name->part_count);
	return type;
}

static struct script_type array_of(struct resolve *r, const struct script_type_name *name,
				   struct ctype c)
{
	struct script_type element = script_type_of(r->c->btf, c);
	struct script_type array = { .kind = SCRIPT_ARRAY, .count = name->count };

	if (element.kind != SCRIPT_INT && element.kind != SCRIPT_BOOL) {
		script_unsupported(r->c, name->span, "an array of %s", type_text(r, &element));
		return (struct script_type){};
	}
	array.c = ctype_int(element.size, element.is_signed);
	array.of_bools = element.kind == SCRIPT_BOOL;
	array.size = array.count * element.size;
	return array;
}

/* ---- unknown names ---- */

static void offer_types(struct resolve *r, unsigned kind, struct suggestion *nearest)
{
	for (size_t i = 0; i < COUNT(ints); i++)
		suggest_offer(nearest, ints[i].name);
	for (uint32_t id = 1; r->c->btf && id < btf_view_count(r->c->btf); id++) {
		if (btf_view_kind(r->c->btf, id) == kind)
			suggest_offer(nearest, btf_view_name(r->c->btf, id));
	}
}

static void fail_unknown(struct resolve *r, const struct script_type_name *name)
{
	const char *space = strchr(name->name, ' ');
	unsigned kind = space ? tag_kind(name->name, space - name->name) : 0;
	const char *word = kind ? space + 1 : name->name;
	struct suggestion nearest;

	script_fail(r->c, name->span, "unknown type %s", name->name);
	suggest_init(&nearest, word);
	offer_types(r, kind ? kind : BTF_KIND_TYPEDEF, &nearest);
	if (suggest_get(&nearest) && strcmp(suggest_get(&nearest), word))
		script_hint(r->c, "did you mean %.*s%s?", kind ? (int)(space + 1 - name->name) : 0,
			    name->name, suggest_get(&nearest));
	else if (!kind && (btf_lookup_kind(r, BTF_KIND_STRUCT, word)))
		script_hint(r->c, "did you mean struct %s?", word);
	else
		script_hint(r->c, "neither this kernel nor the program defines it");
}

static struct script_type type_of_expr(struct resolve *r, const struct script_type_name *name)
{
	/* typeof() may hold the only reference to the expression */
	struct script_expr *e = (struct script_expr *)name->of;

	infer_expr(r, e);
	if (!failed(r))
		type_is_known(r, e);
	return failed(r) ? (struct script_type){} : type_stored(&e->type);
}

struct script_type type_named(struct resolve *r, const struct script_type_name *name)
{
	struct script_type type = {};
	struct ctype c;

	if (name->of)
		return type_of_expr(r, name);
	if (!name->name)
		return tuple_named(r, name);
	if (own_named(name, &type))
		return type;
	if (!strcmp(name->name, "bool") && !name->stars && !name->is_array)
		return (struct script_type){ .kind = SCRIPT_BOOL, .size = 1 };
	if (!ctype_parse(r, name->name, &c)) {
		fail_unknown(r, name);
		return type;
	}
	if (name->is_array && !name->stars) {
		type = array_of(r, name, c);
		type.of_bools |= !strcmp(name->name, "bool");
		return type;
	}
	c.stars += name->stars;
	return script_type_of(r->c->btf, c);
}
