/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * schema.c - the schema, which describes a record or key to the sinks; and the names of its
 * values.
 */
#include <string.h>

#include "expr/layout/layout.h"
#include "output/rows/stack_id.h"

enum {
	COLUMNS = 3, /* pid, tid, comm; after them optionally func, abi, errno */
	COLUMN_COMM = 2,
	NAME_SIZE = EVENT_COMM_LEN - 1, /* the last byte is not part of the name */
};

/* The link whose text is the whole expression: the shown pointer itself. */
static unsigned own_link(const struct slot *s)
{
	struct span text = s->root->span;

	for (size_t i = 0; i < s->plan.link_count; i++) {
		if (strlen(s->plan.links[i]) == text.end - text.start &&
		    !memcmp(s->plan.links[i], s->text + text.start, text.end - text.start))
			return i + 1;
	}
	return 0;
}

/* Another place of the probe may follow more pointers than this one: a failure there gets the name
 * of the whole expression. */
static const char *const *slot_links(struct compile *c, const struct slot *s)
{
	const char **links = c->in->site.many_places ?
				     compile_alloc(c, (LINKS_MAX + 1) * sizeof(*links)) :
				     NULL;

	for (size_t i = 0; links && i < LINKS_MAX; i++)
		links[i] = i < s->plan.link_count ? s->plan.links[i] : s->place.key;
	return links ?: s->plan.links;
}

static struct field slot_field(struct compile *c, const struct slot *s)
{
	return (struct field){
		.name = s->place.key,
		.title = s->place.key,
		.type = s->store.type,
		.flags = FIELD_PAIR | (s->trigger ? FIELD_OPTIONAL : 0) |
			 (c->in->run.zeros ? FIELD_ZEROS : 0) |
			 (s->at_return || s->at_end ? FIELD_RESULT : 0) |
			 (s->store.kind == STORE_PATH && s->store.path.is_dentry ? FIELD_INNER : 0),
		.offset = s->place.offset,
		.size = s->store.kind == STORE_HEADER && s->store.type == FIELD_CSTR ?
				NAME_SIZE :
				s->store.size,
		.bit_offset = s->store.bit_offset,
		.bit_size = s->store.bit_size,
		.kind = slot_is_stack(s) ? &stack_id_kinds[s->store.type == FIELD_USER_STACK] :
					   NULL,
		.width = slot_is_stack(s) ? (int)c->p->stacks.depth : 0,
		.unit = slot_unit(s),
		.role = s->place.role,
		.names = s->store.names,
		.name_count = s->store.name_count,
		.count = s->store.count,
		.left_out = s->store.left_out,
		.btf = c->in->btf,
		.btf_id = s->followed.text ?: s->root->type.id,
		.follow_at = s->followed.at,
		.address = s->place.address,
		.status = s->place.status ? s->place.status + 1 : 0,
		.links = slot_links(c, s),
		.own_link = own_link(s),
		.help = s->text,
		.context = s->store.sock,
	};
}

static const struct field columns[COLUMNS] = {
	FIELD(struct event_header, pid, FIELD_UINT, 7, "process"),
	FIELD(struct event_header, tid, FIELD_UINT, 7, "thread"),
	FIELD(struct event_header, comm, FIELD_CSTR, 16, "name of the thread"),
};

/* The slot of a $ret that may be an error: signed, or a pointer. NULL: none is shown. */
static const struct slot *ret_slot(const struct expr_program *p)
{
	for (const struct slot *s = p->slots + p->filter_count; s < p->slots + p->slot_count; s++) {
		const struct builtin *b = s->followed.parent ? NULL : s->root->builtin;

		if (b && b->id == BUILTIN_RET &&
		    (s->store.type == FIELD_RET || s->store.type == FIELD_PTR))
			return s;
	}
	return NULL;
}

static unsigned columns_count(const struct expr_program *p)
{
	return COLUMNS + p->record.has_points + p->record.is_compat + (ret_slot(p) != NULL);
}

/* The field of a slot. Stacks are after the values, and before the structs that values point to. */
static struct field *slot_column(const struct expr_program *p, const struct slot *s)
{
	size_t i = columns_count(p) + (s - p->slots) - p->filter_count;

	return &p->record.fields[s->followed.parent ? i + stacks_count(p) : i];
}

/* Attaches the fields of followed pointers, which are last, to their pointers. Those of one struct
 * are adjacent, because slots are added in that order. */
static void attach_followed(struct expr_program *p)
{
	for (size_t i = p->filter_count; i < p->slot_count; i++) {
		struct field *f = slot_column(p, &p->slots[i]), *parent;

		if (!p->slots[i].followed.parent)
			continue;
		parent = slot_column(p, p->slots[i].followed.parent);
		if (!parent->follow_count++)
			parent->follows = f;
	}
}

/* A key has no columns before its slots, and no measured values. */
void schema_build_key(struct compile *c)
{
	struct expr_program *p = c->p;

	p->record.fields = compile_alloc(c, (p->key_count + 1) * sizeof(*p->record.fields));
	for (size_t i = 0; i < p->key_count && !c->err; i++) {
		p->record.fields[i] = slot_field(c, &p->slots[p->filter_count + i]);
		p->record.fields[i].flags = 0;
	}
	p->record.schema = (struct schema){
		.fields = p->record.fields,
		.count = p->key_count,
		.record_min = p->table.key_size,
	};
}

/* Several probes or functions share a table: the column for the one that was hit. */
static struct field point_field(const struct expr_input *in)
{
	return (struct field){
		.name = "func",
		.type = FIELD_ENUM,
		.role = FIELD_ROLE_EVENT,
		.offset = sizeof(struct event_header) + offsetof(struct record_source, point),
		.size = sizeof(uint32_t),
		.flags = in->run.points_hidden ? FIELD_JSON_ONLY : 0,
		.width = in->run.point_width,
		.names = in->run.points,
		.name_count = in->run.point_count,
		.help = "what was hit",
	};
}

/* A probe on the 32-bit entry sees only 32-bit programs: its probe number is shown as "32-bit". */
static struct field compat_field(struct compile *c)
{
	struct field_name *names = compile_alloc(c, 2 * sizeof(*names));

	if (names)
		names[0] = (struct field_name){ c->in->probe_number, "32-bit", 0 };
	return (struct field){
		.name = "abi",
		.type = FIELD_ENUM,
		.flags = FIELD_REMARK,
		.offset = sizeof(struct event_header) + offsetof(struct record_source, probe),
		.size = sizeof(uint32_t),
		.names = names,
		.help = "the program that called, where it is another kind than the kernel",
	};
}

/* The name of the error, under the key that other applets use. */
static struct field errno_field(const struct slot *ret)
{
	return (struct field){
		.name = "errno",
		.type = FIELD_ERRNO,
		.flags = FIELD_JSON_ONLY,
		.offset = ret->place.offset,
		.size = ret->store.size,
		.help = "name of the error in $ret",
	};
}

/* The caller is the first value, and shown before the function that it called. */
static void set_caller(struct compile *c, struct field *f)
{
	const struct expr_input *in = c->in;

	f->flags |= FIELD_CALLER | (in->scope == EXPR_SCOPE_RETURN ? FIELD_RESULT : 0);
	f->names = in->run.many || in->point.index < 0 ? in->run.points :
							 in->run.points + in->point.index;
	f->name_count = in->run.many ? in->run.point_count : 1;
	if (in->run.many)
		f->follow_at = sizeof(struct event_header) + offsetof(struct record_source, point);
}

void schema_build(struct compile *c)
{
	struct expr_program *p = c->p;
	size_t fields = p->slot_count - p->filter_count, shown = fields;

	while (shown && p->slots[p->filter_count + shown - 1].followed.parent)
		shown--;
	p->record.fields = compile_alloc(c, (COLUMNS + 3 + fields + STACKS) *
						    sizeof(*p->record.fields));
	if (c->err)
		return;
	memcpy(p->record.fields, columns, sizeof(columns));
	p->record.fields[COLUMN_COMM].size = NAME_SIZE;
	if (p->record.has_points)
		p->record.fields[COLUMNS] = point_field(c->in);
	if (p->record.is_compat)
		p->record.fields[COLUMNS + p->record.has_points] = compat_field(c);
	if (ret_slot(p))
		p->record.fields[columns_count(p) - 1] = errno_field(ret_slot(p));
	for (size_t i = p->filter_count; i < p->slot_count; i++)
		*slot_column(p, &p->slots[i]) = slot_field(c, &p->slots[i]);
	attach_followed(p);
	if (c->in->caller_first && shown)
		set_caller(c, slot_column(p, &p->slots[p->filter_count]));
	p->record.schema = (struct schema){
		.fields = p->record.fields,
		.count = columns_count(p) + shown,
		.record_min = p->record.size,
	};
	stacks_schema(p);
}

/* ---- names of values in the output ---- */

enum field_unit slot_unit(const struct slot *s)
{
	const struct builtin *b = s->root->builtin;

	if (s->name.end)
		return FIELD_UNIT_NONE;
	if (s->store.type == FIELD_SPAN_US || s->store.type == FIELD_SPAN_MS)
		return s->store.type == FIELD_SPAN_US ? FIELD_UNIT_US : FIELD_UNIT_MS;
	if (s->store.type == FIELD_SPAN_NS || s->store.type == FIELD_NS ||
	    (b && (b->id == BUILTIN_LAT || b->id == BUILTIN_TS)))
		return FIELD_UNIT_NS;
	return FIELD_UNIT_NONE;
}

/* "lat" and "lat_ns" are the same key in JSON if only the first has a unit. */
static bool is_same_key(const char *key, bool unit, const char *other, bool other_unit)
{
	size_t len = strlen(key);

	if (unit == other_unit)
		return !strcmp(key, other);
	if (!unit)
		return is_same_key(other, true, key, false);
	return !strncmp(key, other, len) && !strcmp(other + len, "_ns");
}

/* True if an earlier value has this key. In JSON, values are in an object of their own ("args");
 * only "errors" contains values and stacks. */
static bool is_used(const struct expr_program *p, const struct slot *s, const char *key)
{
	if (stacks_have_name(p, key) && !p->table.count)
		return true;
	for (const struct slot *other = p->slots + p->filter_count; other < s; other++) {
		if (!strcmp(other->place.key, key) ||
		    is_same_key(other->place.key, slot_unit(other) == FIELD_UNIT_NS, key,
				slot_unit(s) == FIELD_UNIT_NS))
			return true;
	}
	return false;
}

/* Updates *quote, the opening quote of a literal. Blanks inside a literal matter. */
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

/* file->f_inode->i_ino is shown as i_ino. An expression that does not end in a name is shown as
 * written. */
static const char *key_short(struct compile *c, const struct slot *s)
{
	const struct node *n = s->root->kind == NODE_PATH ? s->root->child : s->root;
	struct span name = n->name;

	if (s->name.end)
		name = s->name;
	else if (s->ret.end)
		return key_text(c, s, s->ret);
	else if (n->kind == NODE_BUILTIN)
		name.start += s->text[name.start] == '$';
	else if (n->kind != NODE_NAME && n->kind != NODE_MEMBER && n->kind != NODE_ARROW)
		return key_text(c, s, s->root->span);
	return arena_text(&c->p->arena, s->text + name.start, name.end - name.start);
}

/* True if the value is shown under its name, not inside of another one or as a measure. */
static bool is_shown(const struct expr_program *p, const struct slot *s)
{
	return !s->followed.parent && (!p->table.count || slot_is_key(p, s));
}

static void fail_twice(struct compile *c, struct slot *s)
{
	c->slot = s;
	compile_fail(c, s->name.end ? s->name : s->root->span,
		     "another value is already called '%s'", s->place.key);
	compile_hint(c, "give one of them another name: NAME=EXPR");
	c->slot = NULL;
}

/* Adds the format to the name, if the same value is shown twice. */
static const char *key_formatted(struct compile *c, const struct slot *s, struct span span)
{
	if (s->format.span.end > span.end)
		span.end = s->format.span.end;
	return key_text(c, s, span);
}

/* Keys are unique. Names given by the user are never changed: the user must rename one of two. */
void slot_name(struct compile *c, struct slot *s)
{
	struct span whole = s->ret.end ? s->ret : s->root->span;
	const char *key = key_short(c, s);

	if (key && is_used(c->p, s, key) && !s->name.end)
		key = key_text(c, s, whole);
	if (key && is_used(c->p, s, key) && !s->name.end)
		key = key_formatted(c, s, whole);
	s->place.key = key;
	if (!key)
		c->err = -ENOMEM;
	else if (is_shown(c->p, s) && is_used(c->p, s, key))
		fail_twice(c, s);
}
