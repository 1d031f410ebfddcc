/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * schema.c - the schema that tells the sinks about a record, or a key.
 */
#include "expr/layout/layout.h"

#include <string.h>

#include "output/rows/stack_id.h"

enum {
	COLUMNS = 3, /* pid, tid, comm come before the slots, and sometimes func, abi, errno */
	COLUMN_COMM = 2,
	NAME_SIZE = EVENT_COMM_LEN - 1, /* the last byte is not part of the name */
};

/* The link whose text is the whole expression: the pointer that is shown. */
static unsigned own_link(const struct slot *s)
{
	struct span text = s->root->span;

	for (size_t i = 0; i < s->link_count; i++) {
		if (strlen(s->links[i]) == text.end - text.start &&
		    !memcmp(s->links[i], s->text + text.start, text.end - text.start))
			return i + 1;
	}
	return 0;
}

/* Another place of the probe may follow more pointers than this one does: what fails there has the name
 * of the whole. */
static const char *const *slot_links(struct compile *c, const struct slot *s)
{
	const char **links = c->in->many_places ?
				     compile_alloc(c, (LINKS_MAX + 1) * sizeof(*links)) :
				     NULL;

	for (size_t i = 0; links && i < LINKS_MAX; i++)
		links[i] = i < s->link_count ? s->links[i] : s->key;
	return links ?: s->links;
}

static struct field slot_field(struct compile *c, const struct slot *s)
{
	return (struct field){
		.name = s->key,
		.title = s->key,
		.type = s->field_type,
		.flags = FIELD_PAIR | (s->trigger ? FIELD_OPTIONAL : 0) |
			 (c->in->run.zeros ? FIELD_ZEROS : 0) |
			 (s->at_return || s->at_end ? FIELD_RESULT : 0) |
			 (s->sink == STORE_PATH && s->is_dentry ? FIELD_INNER : 0),
		.offset = s->offset,
		.size = s->sink == STORE_HEADER && s->field_type == FIELD_CSTR ? NAME_SIZE :
										 s->size,
		.bit_offset = s->bit_offset,
		.bit_size = s->bit_size,
		.kind = slot_is_stack(s) ? &stack_id_kinds[s->field_type == FIELD_USER_STACK] :
					   NULL,
		.width = slot_is_stack(s) ? (int)c->p->stack_depth : 0,
		.unit = slot_unit(s),
		.role = s->field_role,
		.names = s->names,
		.name_count = s->name_count,
		.count = s->count,
		.left_out = s->left_out,
		.btf = c->in->btf,
		.btf_id = s->root->type.id,
		.follow_at = s->follow_at,
		.address = s->address,
		.status = s->status ? s->status + 1 : 0,
		.links = slot_links(c, s),
		.own_link = own_link(s),
		.help = s->text,
		.context = s->sock,
	};
}

static const struct field columns[COLUMNS] = {
	FIELD(struct event_header, pid, FIELD_UINT, 7, "process"),
	FIELD(struct event_header, tid, FIELD_UINT, 7, "thread"),
	FIELD(struct event_header, comm, FIELD_CSTR, 16, "name of the thread"),
};

/* $ret where it may be an error: signed, or a pointer. NULL: it is not shown. */
static const struct slot *ret_slot(const struct expr_program *p)
{
	for (const struct slot *s = p->slots + p->filter_count; s < p->slots + p->slot_count; s++) {
		const struct builtin *b = s->parent ? NULL : s->root->builtin;

		if (b && b->id == BUILTIN_RET &&
		    (s->field_type == FIELD_RET || s->field_type == FIELD_PTR))
			return s;
	}
	return NULL;
}

static unsigned columns_count(const struct expr_program *p)
{
	return COLUMNS + p->has_points + p->is_compat + (ret_slot(p) != NULL);
}

/* Stacks come after the values, and before the structs that those point to. */
static struct field *slot_place(const struct expr_program *p, const struct slot *s)
{
	size_t i = columns_count(p) + (s - p->slots) - p->filter_count;

	return &p->fields[s->parent ? i + stacks_count(p) : i];
}

/* The fields of followed pointers come after all others. Those of one struct are adjacent, because
 * slots are made in that order. */
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

/* A key has no columns before its slots, and does not contain measured values. */
void schema_make_key(struct compile *c)
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

/* If several probes or functions share a table: which one it was. */
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

/* The name of the error, under the same key as in other applets. */
static struct field errno_field(const struct slot *ret)
{
	return (struct field){
		.name = "errno",
		.type = FIELD_ERRNO,
		.flags = FIELD_JSON_ONLY,
		.offset = ret->offset,
		.size = ret->size,
		.help = "name of the error in $ret",
	};
}

/* The caller comes first, and is shown before the function that it called. */
static void show_caller(struct compile *c, struct field *f)
{
	const struct expr_input *in = c->in;

	f->flags |= FIELD_CALLER | (in->scope == EXPR_SCOPE_RETURN ? FIELD_RESULT : 0);
	f->names = in->run.many || in->point < 0 ? in->run.points : in->run.points + in->point;
	f->name_count = in->run.many ? in->run.point_count : 1;
	if (in->run.many)
		f->follow_at = sizeof(struct event_header) + offsetof(struct record_source, point);
}

void schema_make(struct compile *c)
{
	struct expr_program *p = c->p;
	size_t fields = p->slot_count - p->filter_count, shown = fields;

	while (shown && p->slots[p->filter_count + shown - 1].parent)
		shown--;
	p->fields = compile_alloc(c, (COLUMNS + 3 + fields + STACKS) * sizeof(*p->fields));
	if (c->err)
		return;
	memcpy(p->fields, columns, sizeof(columns));
	p->fields[COLUMN_COMM].size = NAME_SIZE;
	if (p->has_points)
		p->fields[COLUMNS] = point_field(c->in);
	if (p->is_compat)
		p->fields[COLUMNS + p->has_points] = compat_field(c);
	if (ret_slot(p))
		p->fields[columns_count(p) - 1] = errno_field(ret_slot(p));
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
