/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * columns.c - implements --columns. It affects only text: JSON stays as it is without.
 */
#include "output/rows/columns.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "event.h"
#include "output/field/field.h"
#include "output/field/field_kind.h"
#include "output/field/field_load.h"
#include "output/field/timestamp.h"
#include "output/field/value.h"
#include "output/field/value_json.h"
#include "output/field/value_number.h"
#include "util/buf.h"
#include "util/log.h"
#include "util/suggest.h"

enum { NAME_WIDTH_MAX = 24 };

struct name {
	const char *text; /* not NUL-terminated */
	size_t len;
	bool is_header; /* written with a $: a column that every record has */
};

/* Splits off the next name from the list. */
static bool name_next(const char **list, struct name *n)
{
	const char *from = *list + strspn(*list, " ,");
	size_t len = strcspn(from, ",");

	*list = from + len;
	while (len && from[len - 1] == ' ')
		len--;
	*n = (struct name){ from, len, *from == '$' };
	n->text += n->is_header;
	n->len -= n->is_header;
	return len != 0;
}

/* Returns the width of the longest name, up to a limit. */
static int names_width(const struct field *f)
{
	int width = 0;

	for (size_t i = 0; i < f->name_count; i++) {
		int len = strlen(f->names[i].name);

		width = len > width && len <= NAME_WIDTH_MAX ? len : width;
	}
	return width;
}

/* Returns a width that fits most of the values. */
static int width_of(const struct field *f)
{
	static const unsigned char digits[] = { [1] = 4, [2] = 6, [4] = 7, [8] = 10 };
	int title = strlen(f->title ?: f->name), width = field_kind(f)->width;

	if (f->width)
		width = f->width;
	else if (f->type == FIELD_ENUM && f->name_count)
		width = names_width(f);
	else if (f->type == FIELD_UINT || f->type == FIELD_INT)
		width = digits[f->size <= 8 ? f->size : 8];
	return width > title ? width : title;
}

static void value_none(const struct field *f, const void *record, struct value *v)
{
	(void)f;
	(void)record;
	v->status = EVENT_NONE;
}

/* Omits the quotes of a character, which a column does not need. */
static size_t letter_text(struct buf *o, const struct field *f, const struct value *v,
			  enum timestamp_form form)
{
	if (v->u <= ' ' || v->u >= 0x7f)
		return text_char(o, f, v, form);
	buf_char(o, (char)v->u);
	return 1;
}

static const struct field_kind letter_kind = {
	.name = "char", .width = 2, .load = load_unsigned, .text = letter_text, .json = json_char
};

static struct field column_build(const struct field *f)
{
	struct field column = *f;

	column.flags &= ~(FIELD_PAIR | FIELD_CALLER | FIELD_JSON_ONLY | FIELD_EXTENDED |
			  FIELD_OPTIONAL | FIELD_MINOR);
	column.object = NULL;
	if (f->flags & FIELD_PAIR)
		column.title = NULL; /* the default: the name in capitals */
	if (f->type == FIELD_CHAR && !f->kind && !f->count)
		column.kind = &letter_kind;
	column.width = width_of(&column);
	return column;
}

/* Sets the same column in all schemas, as wide as the widest of them. */
static int column_set(const struct name *n, struct schema **schemas, size_t count,
		      struct field *columns, size_t step, bool is_last)
{
	const struct field *model = NULL;
	int width = 0;

	for (size_t i = 0; i < count; i++) {
		const struct field *f = schema_find(schemas[i], n->text, n->len, n->is_header);

		if (f && !schema_has(schemas[i], f - schemas[i]->fields))
			f = NULL;
		model = model ?: f;
		if (f)
			columns[i * step] = column_build(f);
		if (f && columns[i * step].width > width)
			width = columns[i * step].width;
	}
	if (!model)
		return -EINVAL;
	for (size_t i = 0; i < count; i++) {
		struct field *c = &columns[i * step];

		if (!c->name)
			*c = (struct field){ .name = model->name,
					     .title = column_build(model).title,
					     .type = FIELD_TEXT,
					     .value = value_none };
		c->width = is_last && !field_is_right_aligned(c) ? 0 : width;
	}
	return 0;
}

static bool is_named_before(const struct schema *s, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (schema_has(s, k) && !strcmp(s->fields[k].name, s->fields[i].name))
			return true;
	return false;
}

static void names_hint(const struct schema *s)
{
	struct buf names;

	buf_init(&names, -1);
	for (size_t i = 0; i < s->count; i++)
		if (schema_has(s, i) && !(field_kind(&s->fields[i])->flags & KIND_BELOW) &&
		    !is_named_before(s, i))
			buf_printf(&names, "%s%s", names.len ? ", " : "", s->fields[i].name);
	log_hint("columns: %.*s", (int)names.len, names.data);
	buf_free(&names);
}

void columns_unknown_report(const char *option, const char *text, size_t len,
			    struct schema *const *schemas, size_t count, const char *hint)
{
	char name[len + 1];
	struct suggestion near;

	memcpy(name, text, len);
	name[len] = 0;
	suggest_init(&near, name);
	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < schemas[i]->count; j++)
			if (schema_has(schemas[i], j))
				suggest_offer(&near, schemas[i]->fields[j].name);
	log_error("%s: unknown value '%s'", option, name);
	if (suggest_get(&near) || hint)
		suggest_hint(&near, &(struct suggest_words){ .otherwise = hint });
	else
		names_hint(schemas[0]);
}

/* Adds stacks and remarks, which are no columns, at the end. */
static size_t others_add(const struct schema *s, struct field *to)
{
	size_t count = 0;

	for (size_t i = 0; i < s->count; i++) {
		const struct field *f = &s->fields[i];

		if (!(f->flags & FIELD_REMARK) && !(field_kind(f)->flags & KIND_BELOW))
			continue;
		if (!schema_has(s, i))
			continue;
		to[count] = *f;
		to[count++].flags &= ~FIELD_OPTIONAL;
	}
	return count;
}

static size_t fields_most(struct schema **schemas, size_t count)
{
	size_t most = 0;

	for (size_t i = 0; i < count; i++)
		if (schemas[i]->count > most)
			most = schemas[i]->count;
	return most;
}

bool columns_have(const char *list, const char *name)
{
	struct name n;

	while (name_next(&list, &n))
		if (!strncmp(n.text, name, n.len) && !name[n.len])
			return true;
	return false;
}

int columns_set(const char *list, struct schema **schemas, size_t count, const char *hint,
		struct field **owned)
{
	size_t step = strlen(list) + fields_most(schemas, count), columns = 0;
	const char *rest = list;
	struct name n;

	*owned = calloc(count * step + 1, sizeof(**owned));
	if (!*owned)
		return -ENOMEM;
	while (name_next(&rest, &n)) {
		if (column_set(&n, schemas, count, *owned + columns++, step, !*rest)) {
			columns_unknown_report("--columns", n.text, n.len, schemas, count, hint);
			return -EINVAL;
		}
	}
	for (size_t i = 0; i < count; i++) {
		struct field *fields = *owned + i * step;
		size_t more = others_add(schemas[i], fields + columns);

		schemas[i]->fields = fields;
		schemas[i]->count = columns + more;
	}
	return 0;
}
