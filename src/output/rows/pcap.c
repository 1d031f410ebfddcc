/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pcap.c - records as packets of a pcapng file, which Wireshark and tcpdump read.
 *
 * A record is an Enhanced Packet Block with the bytes of its :packet; the name of the event, the task, the other values
 * and the stacks are its comment. An interface is described when the first packet with its name appears: the name is a
 * value called dev, or one that ends with dev->name.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <linux/types.h>

#include "output/field/stack.h"
#include "output/field/timestamp.h"
#include "output/field/value.h"
#include "output/rows/sink_priv.h"
#include "packet/packet.h"
#include "event.h"

enum {
	SECTION_HEADER = 0x0a0d0d0a,
	BYTE_ORDER_MAGIC = 0x1a2b3c4d,
	INTERFACE = 1,
	ENHANCED_PACKET = 6,
	LINK_ETHERNET = 1,
	OPTION_COMMENT = 1,
	OPTION_NAME = 2,
	OPTION_RESOLUTION = 9,
	NANOSECONDS = 9,
	NAME_SIZE = 64,
	COMMENT_MAX = 65532, /* what the length of an option can say, in whole words */
};

struct interfaces {
	char (*names)[NAME_SIZE]; /* owned */
	size_t count;
};

/* ---- blocks ---- */

static void put16(struct buf *o, uint16_t v)
{
	buf_bytes(o, &v, sizeof(v));
}

static void put32(struct buf *o, uint32_t v)
{
	buf_bytes(o, &v, sizeof(v));
}

static void pad(struct buf *o, size_t size)
{
	buf_bytes(o, "\0\0\0", -size & 3);
}

static size_t block_begin(struct buf *o, uint32_t type)
{
	size_t start = o->len;

	put32(o, type);
	put32(o, 0);
	return start;
}

static void block_end(struct buf *o, size_t start)
{
	uint32_t size = o->len - start + 4;

	put32(o, size);
	if (!o->error)
		memcpy(o->data + start + 4, &size, sizeof(size));
}

static void option(struct buf *o, unsigned code, const void *bytes, size_t size)
{
	put16(o, code);
	put16(o, size);
	buf_bytes(o, bytes, size);
	pad(o, size);
}

/* ---- interfaces ---- */

static void interface_write(struct buf *o, const char *name)
{
	size_t start = block_begin(o, INTERFACE);

	put16(o, LINK_ETHERNET);
	put16(o, 0);
	put32(o, 0); /* no limit for all packets */
	if (*name)
		option(o, OPTION_NAME, name, strlen(name));
	option(o, OPTION_RESOLUTION, &(char){ NANOSECONDS }, 1);
	put32(o, 0);
	block_end(o, start);
}

static bool is_interface(const struct field *f)
{
	static const char end[] = "dev->name";
	size_t len = strlen(f->name);

	return f->type == FIELD_STR || f->type == FIELD_CSTR || f->type == FIELD_CHARS ?
		       !strcmp(f->name, "dev") ||
			       (len >= sizeof(end) - 1 &&
				!strcmp(f->name + len - (sizeof(end) - 1), end)) :
		       false;
}

static void interface_name(const struct sink_shape *shape, const void *record, size_t size,
			   char name[NAME_SIZE])
{
	struct value v;

	*name = '\0';
	for (size_t i = 0; i < shape->schema->count; i++) {
		const struct field *f = &shape->schema->fields[i];

		if (!is_interface(f) || field_load(f, record, size, &v) || v.status != EVENT_OK ||
		    !v.bytes)
			continue;
		v.len = strnlen(v.bytes, v.len < NAME_SIZE - 1 ? v.len : NAME_SIZE - 1);
		memcpy(name, v.bytes, v.len);
		name[v.len] = '\0';
		return;
	}
}

/* The number of the interface, which is described if it is new; negative: no memory. */
static int interface_find(struct sink *s, const char *name)
{
	struct interfaces *all = s->state = s->state ?: calloc(1, sizeof(*all));
	char(*names)[NAME_SIZE];

	for (size_t i = 0; all && i < all->count; i++)
		if (!strcmp(all->names[i], name))
			return i;
	names = all ? realloc(all->names, (all->count + 1) * sizeof(*names)) : NULL;
	if (!names)
		return -ENOMEM;
	all->names = names;
	strcpy(names[all->count], name);
	interface_write(s->out, name);
	return all->count++;
}

static void interfaces_free(struct sink *s)
{
	struct interfaces *all = s->state;

	free(all->names);
	free(all);
}

/* ---- the comment ---- */

static bool is_told(const struct field *f)
{
	return f->type != FIELD_PACKET && f->role == FIELD_ROLE_NONE &&
	       f->flags & (FIELD_PAIR | FIELD_REMARK);
}

static int comment_write(struct sink *s, struct buf *o, const struct sink_shape *shape,
			 const void *record, size_t size)
{
	struct row r = { .out = o, .leads = shape->leads.data, .owed = 1 };
	struct sink to = *s;
	struct event_header head;
	struct value v;

	memcpy(&head, record, sizeof(head));
	to.out = o;
	sink_write_event(&to, shape, record, size, ESCAPE_PLAIN);
	buf_char(o, ' ');
	escape_write(o, head.comm, strnlen(head.comm, sizeof(head.comm)));
	buf_printf(o, "-%u", head.tid);
	r.end = o->len;
	for (const struct sink_cell *c = shape->cells; c < shape->cells + shape->below; c++)
		if (is_told(c->field) && c->write(&r, c, record, size))
			return -EBADMSG;
	for (size_t i = shape->below; i < shape->cell_count; i++) {
		const struct field *f = shape->cells[i].field;

		if (field_load(f, record, size, &v) || v.status != EVENT_OK)
			continue;
		buf_char(o, '\n');
		stack_write_frames(o, f, &v, "  ");
	}
	if (o->len && o->data[o->len - 1] == '\n')
		o->len--;
	return 0;
}

/* ---- packets ---- */

/* The first :packet of the record. False: the record has none, or it was not readable; it is empty then. */
static bool packet_find(const struct sink_shape *shape, const void *record, size_t size,
			struct packet_frame *p)
{
	struct value v;

	for (size_t i = 0; i < shape->schema->count; i++) {
		if (shape->schema->fields[i].type != FIELD_PACKET)
			continue;
		if (!field_load(&shape->schema->fields[i], record, size, &v) &&
		    v.status == EVENT_OK && packet_read(p, v.bytes, v.len))
			return true;
	}
	p->captured = p->length = 0;
	return false;
}

static void packet_write(struct sink *s, const struct packet_frame *p, int interface, uint64_t ts,
			 const struct buf *comment)
{
	uint64_t unix_ns = timestamp_wall(ts);
	size_t start = block_begin(s->out, ENHANCED_PACKET);

	put32(s->out, interface);
	put32(s->out, unix_ns >> 32);
	put32(s->out, unix_ns);
	put32(s->out, p->captured);
	put32(s->out, p->length);
	buf_bytes(s->out, p->bytes, p->captured);
	pad(s->out, p->captured);
	option(s->out, OPTION_COMMENT, comment->data,
	       comment->len < COMMENT_MAX ? comment->len : COMMENT_MAX);
	put32(s->out, 0);
	block_end(s->out, start);
}

static int write_record(struct sink *s, struct sink_shape *shape, const void *record, size_t size)
{
	struct packet_frame p;
	struct event_header head;
	char name[NAME_SIZE];
	struct buf comment;
	int err, interface;

	if (size < shape->size_min)
		return -EBADMSG;
	memcpy(&head, record, sizeof(head));
	buf_init(&comment, -1);
	err = comment_write(s, &comment, shape, record, size);
	if (!packet_find(shape, record, size, &p))
		buf_str(&comment, " (no headers yet)");
	interface_name(shape, record, size, name);
	interface = err ? err : interface_find(s, name);
	if (interface >= 0)
		packet_write(s, &p, interface, head.ts, &comment);
	buf_free(&comment);
	return interface < 0 ? interface : 0;
}

static void write_header(struct sink *s, const struct sink_shape *shape)
{
	size_t start = block_begin(s->out, SECTION_HEADER);

	(void)shape;
	put32(s->out, BYTE_ORDER_MAGIC);
	put16(s->out, 1);
	put16(s->out, 0);
	put32(s->out, UINT32_MAX); /* its length is not known yet */
	put32(s->out, UINT32_MAX);
	block_end(s->out, start);
}

static void cells_add(const struct sink *s, struct sink_shape *shape)
{
	sink_roles_find(shape);
	sink_cells_arrange(s, shape);
}

const struct sink_form sink_form_pcap = {
	.cells = cells_add,
	.cell = table_cell_prepare,
	.record = write_record,
	.header = write_header,
	.free = interfaces_free,
};
