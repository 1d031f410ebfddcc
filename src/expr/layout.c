// SPDX-License-Identifier: GPL-2.0
/*
 * layout.c - slots → places in the record, and the schema that tells the sinks about them.
 *
 *	struct event_header | record_source | a status byte a slot, in all a multiple of 8 |
 *	slots, each one too | stacks
 *
 * A status byte that is the only one lies in the header.
 *
 * record_source is there where several probes share the ring.
 *
 * Where calls are counted there is no record: the key, which may begin with a record_source, too, and
 * has status bytes of its own, and behind it what is measured.
 *
 * It must not know how a slot is filled.
 */
#include <stdio.h>
#include <string.h>

#include "expr/compiler.h"

enum {
	COLUMNS = 3,        /* pid, tid, comm come before the slots, and perhaps func */
	COLUMN_COMM = 2,
	RECORD_MAX = 32000, /* an instruction reaches 32 KiB */
	NAME_SIZE = EVENT_COMM_LEN - 1, /* the last byte is none of the name's */
	STATUS_IN_NAME = offsetof(struct event_header, comm) + NAME_SIZE,
};

static uint32_t round_up(uint32_t n)
{
	return (n + 7) & ~7u;
}

/* ---- places ---- */

/* One byte for each slot; the bytes of those that cannot fail stay 0. */
static uint32_t place_status(struct expr_program *p, size_t from, size_t to, uint32_t at)
{
	for (size_t i = from; i < to; i++) {
		if (p->slots[i].link_count)
			p->slots[i].status = at + i - from;
	}
	return round_up(to - from);
}

/* Those that a call's return fills, or the others. */
static uint32_t place_side(struct expr_program *p, size_t from, size_t to, uint32_t at, bool at_return)
{
	for (size_t i = from; i < to; i++) {
		struct slot *s = &p->slots[i];

		if ((s->sink == SINK_HEADER && !slot_is_key(p, s)) || s->at_return != at_return)
			continue;
		s->offset = at;
		s->room = s->sink == SINK_SCALAR ? 8 : round_up(s->size);
		if (s->sink == SINK_PATH) /* the last name may begin where the room ends */
			s->room += round_up(s->names_room) + 256;
		at += s->room;
	}
	return at;
}

static uint32_t place_values(struct expr_program *p, size_t from, size_t to, uint32_t at)
{
	p->entry_end = place_side(p, from, to, at, false);
	return place_side(p, from, to, p->entry_end, true);
}

/* A name ends in a NUL, in its last byte at the latest. A single status byte lies there: it is 0 already.
 * Of a call, the entry's program fills the status bytes, and the return's the name. */
static bool place_status_in_name(struct compile *c)
{
	struct expr_program *p = c->p;
	struct slot *only = NULL;

	for (struct slot *s = p->slots + p->filter_count; s < p->slots + p->slot_count; s++) {
		if (s->link_count && only)
			return false;
		if (s->link_count)
			only = s;
	}
	if (c->in->scope == EXPR_SCOPE_CALL)
		return false;
	if (only)
		only->status = STATUS_IN_NAME;
	return true;
}

static void place_record(struct compile *c)
{
	struct expr_program *p = c->p;
	uint32_t at = sizeof(struct event_header);

	if (c->in->many)
		at += sizeof(struct record_source);
	p->status_at = at;
	if (!place_status_in_name(c))
		p->status_size = place_status(p, p->filter_count, p->slot_count, at);
	at = place_values(p, p->filter_count, p->slot_count, at + p->status_size);
	call_layout(p);
	p->record_size = stacks_place(c, at);
	if (p->record_size > RECORD_MAX)
		compile_fail(c, (struct span){}, "a record of %u bytes is too large",
		             p->record_size);
}

static void place_key(struct compile *c)
{
	struct expr_program *p = c->p;
	size_t keys = p->filter_count, measured = keys + p->key_count;
	uint32_t size = c->in->many ? sizeof(struct record_source) : 0;

	size = place_values(p, keys, measured, size);
	/* status bytes last: that at 0 would mean none */
	size += place_status(p, keys, measured, size);
	p->table.key_size = size;
	p->table.has_source = c->in->many;
	p->status_at = place_values(p, measured, p->slot_count, size);
	p->status_size = place_status(p, measured, p->slot_count, p->status_at);
	p->record_size = p->status_at + p->status_size;
	call_layout(p);
	if (size <= KEY_LIMIT)
		return;
	compile_fail(c, (struct span){}, "a key of %u bytes is too large: the most is %d", size,
	             KEY_LIMIT);
	compile_hint(c, "shorter strings may do: EXPR:32");
}

/* ---- names in the output ---- */

/* Keys that every record has: an expression's must be another. */
static const char *const reserved[] = { "type", "time", "pid", "tid", "comm" };

static bool is_reserved(const struct expr_program *p, const char *key)
{
	if ((p->has_points && !strcmp(key, "func")) || (p->is_compat && !strcmp(key, "abi")))
		return true;
	for (size_t i = 0; i < sizeof(reserved) / sizeof(reserved[0]); i++) {
		if (!strcmp(reserved[i], key))
			return true;
	}
	return false;
}

static bool is_taken(const struct expr_program *p, const struct slot *s, const char *key)
{
	if ((is_reserved(p, key) || stacks_have(p, key)) && !p->table.count)
		return true;
	for (const struct slot *other = p->slots + p->filter_count; other < s; other++) {
		if (!strcmp(other->key, key))
			return true;
	}
	return false;
}

/* In a literal blanks mean something: *quote is the mark that it began with. */
static bool is_blank(const char *at, char *quote, bool escaped)
{
	if (!*quote && (*at == '"' || *at == '\''))
		*quote = *at;
	else if (*at == *quote && !escaped)
		*quote = 0;
	return !*quote && strchr(" \t\n", *at);
}

/* The expression as written, without its format and its blanks. */
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

/* file->f_inode->i_ino is shown as i_ino; what does not end in a name, as it is written. */
static const char *key_short(struct compile *c, const struct slot *s)
{
	struct span name = s->root->name;

	if (s->name.end)
		name = s->name;
	else if (s->ret.end)
		return key_text(c, s, s->ret);
	else if (s->root->kind == NODE_BUILTIN)
		name.start++;
	else if (s->root->kind != NODE_NAME && s->root->kind != NODE_MEMBER &&
	         s->root->kind != NODE_ARROW)
		return key_text(c, s, s->root->span);
	return arena_text(&c->p->arena, s->text + name.start, name.end - name.start);
}

static const char *key_numbered(struct compile *c, const struct slot *s, const char *key)
{
	char numbered[TEXT_MAX + 16];

	for (int number = 2;; number++) {
		snprintf(numbered, sizeof(numbered), "%s_%d", key, number);
		if (!is_taken(c->p, s, numbered))
			return arena_text(&c->p->arena, numbered, strlen(numbered));
	}
}

/* Keys are unique; the user's own names are taken as they are, if they can be. */
static void name_slot(struct compile *c, struct slot *s)
{
	const char *key = key_short(c, s);

	if (key && is_taken(c->p, s, key) && !s->name.end)
		key = key_text(c, s, s->ret.end ? s->ret : s->root->span);
	if (key && is_taken(c->p, s, key))
		key = key_numbered(c, s, key);
	s->key = key;
	if (!key)
		c->err = -ENOMEM;
}

/* ---- schema ---- */

static struct field slot_field(const struct compile *c, const struct slot *s)
{
	return (struct field){
		.name = s->key,
		.title = s->key,
		.type = s->field_type,
		.flags = FIELD_PAIR | (c->in->zeros ? FIELD_ZEROS : 0) |
			 (s->at_return ? FIELD_RESULT : 0),
		.offset = s->offset,
		.size = s->sink == SINK_HEADER && s->field_type == FIELD_CSTR ? NAME_SIZE : s->size,
		.bit_offset = s->bit_offset,
		.bit_size = s->bit_size,
		.names = s->names,
		.name_count = s->name_count,
		.count = s->count,
		.left_out = s->left_out,
		.btf = c->in->btf,
		.btf_id = s->root->type.id,
		.follow_at = s->follow_at,
		.status = s->status ? s->status + 1 : 0,
		.links = s->links,
		.help = s->text,
	};
}

static const struct field columns[COLUMNS] = {
	FIELD(struct event_header, pid, FIELD_UINT, 7, "process"),
	FIELD(struct event_header, tid, FIELD_UINT, 7, "thread"),
	FIELD(struct event_header, comm, FIELD_CSTR, 16, "name of the thread"),
};

static unsigned columns_count(const struct expr_program *p)
{
	return COLUMNS + p->has_points + p->is_compat;
}

/* Stacks stand behind what is shown, and in front of what it points at. */
static struct field *slot_place(const struct expr_program *p, const struct slot *s)
{
	size_t i = columns_count(p) + (s - p->slots) - p->filter_count;

	return &p->fields[s->parent ? i + stacks_count(p) : i];
}

/* The fields of pointers that were followed stand behind the others, each struct's together: slots are
 * made in that order. */
static void hang_up(struct expr_program *p)
{
	for (size_t i = p->filter_count; i < p->slot_count; i++) {
		struct field *f = slot_place(p, &p->slots[i]), *parent;

		if (!p->slots[i].parent)
			continue;
		parent = slot_place(p, p->slots[i].parent);
		if (!parent->follow_count++)
			parent->follows = f;
	}
}

/* A key has no columns before its slots, and what is measured is not in it. */
static void make_key_schema(struct compile *c)
{
	struct expr_program *p = c->p;

	p->fields = compile_alloc(c, (p->key_count + 1) * sizeof(*p->fields));
	for (size_t i = 0; i < p->key_count && !c->err; i++) {
		p->fields[i] = slot_field(c, &p->slots[p->filter_count + i]);
		p->fields[i].flags = 0;
	}
	p->schema = (struct schema){
		.fields = p->fields,
		.count = p->key_count,
		.record_min = p->table.key_size,
	};
}

/* Where several probes or functions share a table: which one it was. */
static struct field point_field(const struct expr_input *in)
{
	return (struct field){
		.name = "func",
		.type = FIELD_ENUM,
		.offset = sizeof(struct event_header) + offsetof(struct record_source, point),
		.size = sizeof(uint32_t),
		.flags = in->points_hidden ? FIELD_JSON_ONLY : 0,
		.width = in->point_width,
		.names = in->points,
		.name_count = in->point_count,
		.help = "what was hit",
	};
}

/* Of 32-bit programs all that one probe sees are: the probe's number has this name. */
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

/* Who called comes first, and is shown before what it called. */
static void show_caller(struct compile *c, struct field *f)
{
	const struct expr_input *in = c->in;

	f->flags |= FIELD_CALLER | (in->scope == EXPR_SCOPE_RETURN ? FIELD_RESULT : 0);
	f->names = in->many || in->point < 0 ? in->points : in->points + in->point;
	f->name_count = in->many ? in->point_count : 1;
	if (in->many)
		f->follow_at = sizeof(struct event_header) + offsetof(struct record_source, point);
}

static void make_schema(struct compile *c)
{
	struct expr_program *p = c->p;
	size_t fields = p->slot_count - p->filter_count, shown = fields;

	while (shown && p->slots[p->filter_count + shown - 1].parent)
		shown--;
	p->fields = compile_alloc(c, (COLUMNS + 2 + fields + STACKS) * sizeof(*p->fields));
	if (c->err)
		return;
	memcpy(p->fields, columns, sizeof(columns));
	p->fields[COLUMN_COMM].size = NAME_SIZE;
	if (p->has_points)
		p->fields[COLUMNS] = point_field(c->in);
	if (p->is_compat)
		p->fields[COLUMNS + p->has_points] = compat_field(c);
	for (size_t i = p->filter_count; i < p->slot_count; i++)
		*slot_place(p, &p->slots[i]) = slot_field(c, &p->slots[i]);
	hang_up(p);
	if (c->in->caller_first && shown)
		show_caller(c, slot_place(p, &p->slots[p->filter_count]));
	p->schema = (struct schema){
		.fields = p->fields,
		.count = columns_count(p) + shown,
		.record_min = p->record_size,
	};
	stacks_schema(p);
}

void expr_layout(struct compile *c)
{
	c->p->has_points = c->in->many && c->in->points && !c->p->table.count;
	c->p->is_compat = c->in->many && c->in->compat && !c->p->table.count;
	if (c->p->table.count)
		place_key(c);
	else
		place_record(c);
	for (size_t i = c->p->filter_count; i < c->p->slot_count && !c->err; i++)
		name_slot(c, &c->p->slots[i]);
	if (!c->p->table.count) {
		make_schema(c);
		return;
	}
	make_key_schema(c);
	if (!c->err)
		measures_place(c);
}

uint32_t expr_record_probe(const void *record, size_t size)
{
	const struct event_header *header = record;
	const struct record_source *source = (const void *)(header + 1);

	return size < sizeof(*header) + sizeof(*source) ? UINT32_MAX : source->probe;
}

/* ---- the same layout ---- */

static bool names_same(const struct field_name *a, const struct field_name *b)
{
	if (!a || !b || a == b)
		return a == b;
	for (; a->name && b->name; a++, b++)
		if (a->value != b->value || strcmp(a->name, b->name))
			return false;
	return !a->name && !b->name;
}

static bool links_same(const char *const *a, const char *const *b)
{
	if (!a || !b)
		return a == b;
	for (; *a && *b; a++, b++)
		if (strcmp(*a, *b))
			return false;
	return !*a && !*b;
}

static bool fields_same(const struct field *a, const struct field *b)
{
	return !strcmp(a->name, b->name) && a->type == b->type && a->flags == b->flags &&
	       a->offset == b->offset && a->size == b->size && a->bit_offset == b->bit_offset &&
	       a->bit_size == b->bit_size && a->status == b->status && a->count == b->count &&
	       a->btf == b->btf && a->btf_id == b->btf_id && !a->follow_count &&
	       !b->follow_count &&
	       links_same(a->links, b->links) &&
	       (a->name_count || names_same(a->names, b->names)); /* points are the caller's */
}

bool expr_alike(const struct expr_program *a, const struct expr_program *b)
{
	if (a->schema.count != b->schema.count || a->record_size != b->record_size)
		return false;
	for (size_t i = 0; i < a->schema.count; i++)
		if (!fields_same(&a->schema.fields[i], &b->schema.fields[i]))
			return false;
	return true;
}

bool expr_same(const struct expr_program *a, const struct expr_program *b)
{
	if (a->code.count != b->code.count || !expr_alike(a, b) ||
	    memcmp(a->code.insns, b->code.insns, a->code.count * sizeof(*a->code.insns)))
		return false;
	for (size_t i = 0; i < a->table.count; i++)
		if (a->results[i].is_signed != b->results[i].is_signed)
			return false;
	return true;
}
