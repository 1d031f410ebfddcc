/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * slot_names.c - names of values in the output.
 */
#include "expr/layout/layout.h"

#include <string.h>


enum field_unit slot_unit(const struct slot *s)
{
	const struct builtin *b = s->root->builtin;

	if (s->name.end)
		return FIELD_UNIT_NONE;
	if (s->field_type == FIELD_SPAN_US || s->field_type == FIELD_SPAN_MS)
		return s->field_type == FIELD_SPAN_US ? FIELD_UNIT_US : FIELD_UNIT_MS;
	if (s->field_type == FIELD_SPAN_NS || (b && (b->id == BUILTIN_LAT || b->id == BUILTIN_TS)))
		return FIELD_UNIT_NS;
	return FIELD_UNIT_NONE;
}

/* "lat" and "lat_ns" are one key in JSON if only the first one's unit is named. */
static bool is_same_key(const char *key, bool unit, const char *other, bool other_unit)
{
	size_t len = strlen(key);

	if (unit == other_unit)
		return !strcmp(key, other);
	if (!unit)
		return is_same_key(other, true, key, false);
	return !strncmp(key, other, len) && !strcmp(other + len, "_ns");
}

/* In JSON, values are in an object of their own ("args"). Only "errors" contains both values and
 * stacks. */
static bool is_taken(const struct expr_program *p, const struct slot *s, const char *key)
{
	if (stacks_have(p, key) && !p->table.count)
		return true;
	for (const struct slot *other = p->slots + p->filter_count; other < s; other++) {
		if (!strcmp(other->key, key) ||
		    is_same_key(other->key, slot_unit(other) == FIELD_UNIT_NS, key,
				slot_unit(s) == FIELD_UNIT_NS))
			return true;
	}
	return false;
}

/* Blanks inside a literal matter: *quote is its opening quote. */
static bool is_blank(const char *at, char *quote, bool escaped)
{
	if (!*quote && (*at == '"' || *at == '\''))
		*quote = *at;
	else if (*at == *quote && !escaped)
		*quote = 0;
	return !*quote && strchr(" \t\n", *at);
}

/* The expression as written, without format and blanks. */
static const char *key_text(struct compile *c, const struct slot *s, struct span span)
{
	uint32_t start = span.start, end = span.end;
	char *key = arena_text(&c->p->arena, s->text + start, end - start);
	bool escaped = false;
	size_t len = 0;
	char quote = 0;

	for (const char *from = key; from && *from; from++) {
		if (!is_blank(from, &quote, escaped))
			key[len++] = *from;
		escaped = *from == '\\' && !escaped;
	}
	if (key)
		key[len] = '\0';
	return key;
}

/* file->f_inode->i_ino is shown as i_ino; an expression that does not end in a name, as written. */
static const char *key_short(struct compile *c, const struct slot *s)
{
	const struct node *n = s->root->kind == NODE_PATH ? s->root->child : s->root;
	struct span name = n->name;

	if (s->name.end)
		name = s->name;
	else if (s->ret.end)
		return key_text(c, s, s->ret);
	else if (n->kind == NODE_BUILTIN)
		name.start++;
	else if (n->kind != NODE_NAME && n->kind != NODE_MEMBER && n->kind != NODE_ARROW)
		return key_text(c, s, s->root->span);
	return arena_text(&c->p->arena, s->text + name.start, name.end - name.start);
}

/* Is it shown under its name? Values inside other values and measures are not. */
static bool is_shown(const struct expr_program *p, const struct slot *s)
{
	return !s->parent && (!p->table.count || slot_is_key(p, s));
}

static void fail_twice(struct compile *c, struct slot *s)
{
	c->slot = s;
	compile_fail(c, s->name.end ? s->name : s->root->span,
		     "another value is already called '%s'", s->key);
	compile_hint(c, "give one of the two a name of its own: NAME=EXPR");
	c->slot = NULL;
}

/* If the same value is shown twice, the format is added to the name. */
static const char *key_formatted(struct compile *c, const struct slot *s, struct span span)
{
	if (s->format.span.end > span.end)
		span.end = s->format.span.end;
	return key_text(c, s, span);
}

/* Keys are unique. Names given by the user are not changed: for the same name twice, the user has
 * to rename one. */
void slot_name(struct compile *c, struct slot *s)
{
	struct span whole = s->ret.end ? s->ret : s->root->span;
	const char *key = key_short(c, s);

	if (key && is_taken(c->p, s, key) && !s->name.end)
		key = key_text(c, s, whole);
	if (key && is_taken(c->p, s, key) && !s->name.end)
		key = key_formatted(c, s, whole);
	s->key = key;
	if (!key)
		c->err = -ENOMEM;
	else if (is_shown(c->p, s) && is_taken(c->p, s, key))
		fail_twice(c, s);
}
