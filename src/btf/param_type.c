/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * param_type.c - compares types of BTF with one that is written in C.
 */
#include "btf/param_type.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#define TYPE_DEPTH 32 /* modifiers in a row; damaged BTF may contain loops */

static const char *blanks_skip(const char *text)
{
	return text + strspn(text, " \t");
}

/* Returns the end of the next word of letters, or NULL if there is none. */
static const char *word_end(const char *text)
{
	const char *end = text;

	while (isalnum((unsigned char)*end) || *end == '_')
		end++;
	return end > text ? end : NULL;
}

static bool word_is(const char *text, const char *end, const char *word)
{
	return (size_t)(end - text) == strlen(word) && !memcmp(text, word, end - text);
}

/* Returns 0 if the word is not struct, union or enum. */
static unsigned kind_of_word(const char *text, const char *end)
{
	return word_is(text, end, "struct") ? BTF_KIND_STRUCT :
	       word_is(text, end, "union")  ? BTF_KIND_UNION :
	       word_is(text, end, "enum")   ? BTF_KIND_ENUM :
					      BTF_KIND_UNKN;
}

/* C's integer types have several names: unsigned long is long unsigned int in BTF. Returns the same number for the
 * same type, or 0 if the text contains another word. */
static unsigned integer_key(const char *text, size_t len)
{
	static const char *const words[] = { "int", "signed", "unsigned", "short", "char", "long" };
	enum { KEY_SIGNED = 1 << 1, KEY_CHAR = 1 << 4, KEY_LONG = 1 << 5 };
	const char *end = text + len, *stop;
	unsigned key = 0, i;

	for (; text < end; text = blanks_skip(stop)) {
		stop = word_end(text);
		for (i = 0; stop && i < 6 && !word_is(text, stop, words[i]);)
			i++;
		if (!stop || i == 6)
			return 0;
		key = i == 5 ? key + KEY_LONG : key | 1u << i;
	}
	if (key & KEY_CHAR) /* char and signed char are different types */
		return key;
	return (key & ~(unsigned)KEY_SIGNED) | 1;
}

/* Checks the name, which may have several words: unsigned int. */
static const char *name_check(const char *text, struct param_type *type)
{
	const char *end;

	type->name = text;
	while ((end = word_end(text))) {
		type->len = end - type->name;
		text = blanks_skip(end);
	}
	return text;
}

int param_type_parse(const char *text, struct param_type *type)
{
	const char *end;

	*type = (struct param_type){ 0 };
	text = blanks_skip(text);
	while ((end = word_end(text)) &&
	       (word_is(text, end, "const") || word_is(text, end, "volatile")))
		text = blanks_skip(end);
	type->kind = end ? kind_of_word(text, end) : BTF_KIND_UNKN;
	if (type->kind)
		text = blanks_skip(end);
	text = name_check(text, type);
	type->integer = type->kind ? 0 : integer_key(type->name, type->len);
	for (; *text == '*'; text = blanks_skip(text + 1))
		type->pointers++;
	return !type->len || *text ? -EINVAL : 0;
}

static bool kind_fits(unsigned wanted, const struct btf_type *t)
{
	unsigned kind = btf_kind(t);

	switch (wanted) {
	case BTF_KIND_STRUCT:
		return kind == wanted || (kind == BTF_KIND_FWD && !BTF_INFO_KFLAG(t->info));
	case BTF_KIND_UNION:
		return kind == wanted || (kind == BTF_KIND_FWD && BTF_INFO_KFLAG(t->info));
	case BTF_KIND_ENUM: return kind == wanted || kind == BTF_KIND_ENUM64;
	default: return true;
	}
}

bool param_type_names(const struct btf_view *btf, const struct btf_type *t,
		      const struct param_type *type)
{
	const char *name;

	if (!kind_fits(type->kind, t))
		return false;
	name = btf_view_string(btf, t->name_off);
	if (type->integer && btf_kind(t) == BTF_KIND_INT)
		return type->integer == integer_key(name, strlen(name));
	return !strncmp(name, type->name, type->len) && !name[type->len];
}

/* True if following the modifiers of `id` leads to that type. Sets *id to the type after them. */
static bool chain_has(const struct btf_view *btf, uint32_t *id, const struct param_type *type)
{
	for (int depth = 0; depth < TYPE_DEPTH; depth++) {
		const struct btf_type *t = btf_view_type(btf, *id);

		if (!t) /* void */
			return !type->kind && word_is(type->name, type->name + type->len, "void");
		if (param_type_names(btf, t, type))
			return true;
		if (*id == btf_view_strip(btf, *id))
			return false;
		*id = t->type;
	}
	return false;
}

bool param_type_is(const struct btf_view *btf, uint32_t id, const struct param_type *type)
{
	for (unsigned i = 0; i < type->pointers; i++) {
		const struct btf_type *t = btf_view_type(btf, btf_view_strip(btf, id));

		if (!t || btf_kind(t) != BTF_KIND_PTR)
			return false;
		id = t->type;
	}
	return chain_has(btf, &id, type);
}
