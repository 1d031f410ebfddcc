// SPDX-License-Identifier: GPL-2.0
/*
 * sink.c - chooses between table and JSON, and when lines leave the process.
 *
 * What is the same for every record (which fields are shown, in which order, the escaped key before
 * each) is worked out once, into cells. To a terminal each line goes at once; else lines gather
 * until the caller flushes at the end of a batch, or until there is enough for one write. It must
 * not know how a line looks.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <linux/types.h>

#include "core/folded.h"
#include "core/schema.h"
#include "core/text.h"
#include "event.h"

#define SINK_FLUSH_BYTES (64 * 1024) /* a pipe's default capacity: more would block anyway */

static bool is_shown(const struct sink *s, size_t i)
{
	unsigned flags = s->schema->fields[i].flags;

	if (!schema_has(s->schema, i))
		return false;
	if (s->json)
		return !(flags & FIELD_TEXT_ONLY);
	return !(flags & FIELD_JSON_ONLY) && (!(flags & FIELD_EXTENDED) || s->schema->extended);
}

bool field_is_right_aligned(const struct field *f)
{
	static const unsigned types = 1U << FIELD_UINT | 1U << FIELD_INT | 1U << FIELD_HEX |
				      1U << FIELD_OCT | 1U << FIELD_PTR | 1U << FIELD_FD |
				      1U << FIELD_RET | 1U << FIELD_NS | 1U << FIELD_TIME;

	return types >> f->type & 1 && !(f->flags & (FIELD_LEFT | FIELD_PAIR | FIELD_REMARK));
}

/* Most columns are pids and the like: these need no field_load. */
static bool is_plain(const struct sink *s, const struct field *f)
{
	return f->type == FIELD_UINT && f->size == sizeof(uint32_t) && !f->bit_size && !f->status &&
	       !(f->flags & FIELD_MAYBE) && (size_t)f->offset + f->size <= s->schema->record_min &&
	       (s->json || field_is_right_aligned(f));
}

/* Nor do strings, unless something is wrong with one. */
static bool is_text(const struct sink *s, const struct field *f)
{
	return f->type == FIELD_CSTR && !f->count && !s->json &&
	       !(f->flags & (FIELD_MAYBE | FIELD_REMARK | FIELD_BELOW)) &&
	       (size_t)f->offset + f->size <= s->schema->record_min &&
	       f->status <= s->schema->record_min;
}

static void cell_add(struct sink *s, const struct field *f)
{
	struct sink_cell *c = &s->cells[s->cell_count++];

	*c = (struct sink_cell){ .field = f, .lead = (unsigned)s->leads.len };
	if (s->json) {
		text_put_json_key(&s->leads, f->name);
	} else if (f->flags & FIELD_PAIR) {
		text_put(&s->leads, f->name, strlen(f->name));
		out_char(&s->leads, '=');
	} else if (f->flags & FIELD_REMARK) {
		out_char(&s->leads, '#');
	} else if (f->flags & FIELD_BELOW) {
		out_str(&s->leads, "    ");
	}
	c->lead_len = (unsigned)s->leads.len - c->lead;
	c->right = field_is_right_aligned(f);
	c->plain = is_plain(s, f);
	c->text = is_text(s, f);
}

/* In a table the pairs stand behind the columns, remarks behind both, stacks below; in JSON everything stands in
 * the schema's order. */
static void cells_add(struct sink *s, unsigned flags, unsigned wanted)
{
	for (size_t i = 0; i < s->schema->count; i++)
		if ((s->schema->fields[i].flags & flags) == wanted && is_shown(s, i))
			cell_add(s, &s->schema->fields[i]);
}

/* How many of the first cells show nothing but what s->task holds. */
static size_t task_cells_count(const struct sink *s)
{
	size_t i = 0;

	for (; i < s->cell_count; i++) {
		const struct sink_cell *c = &s->cells[i];

		if ((!c->plain && !c->text) || c->lead_len || c->field->status ||
		    c->field->offset < offsetof(struct event_header, pid) ||
		    c->field->offset + c->field->size > sizeof(struct event_header))
			break;
	}
	return i;
}

static int sink_prepare(struct sink *s)
{
	s->cells = calloc(s->schema->count + 1, sizeof(*s->cells));
	if (!s->cells)
		return -ENOMEM;
	out_init(&s->leads, -1);
	s->task_cells = s->task_len = 0;
	if (s->json) {
		out_str(&s->leads, "{\"type\":");
		text_put_json(&s->leads, s->applet, strlen(s->applet));
		s->head_len = s->leads.len;
		cells_add(s, 0, 0);
	} else {
		cells_add(s, FIELD_PAIR | FIELD_REMARK | FIELD_BELOW, 0);
		cells_add(s, FIELD_PAIR | FIELD_REMARK, FIELD_PAIR);
		cells_add(s, FIELD_REMARK, FIELD_REMARK);
		cells_add(s, FIELD_BELOW, FIELD_BELOW);
		s->task_cells = task_cells_count(s);
	}
	out_reserve(&s->leads, 16); /* for out_short */
	if (!s->leads.error)
		return 0;
	sink_free(s);
	return -ENOMEM;
}

void sink_free(struct sink *s)
{
	free(s->cells);
	s->cells = NULL;
	s->cell_count = 0;
	out_free(&s->leads);
}

static void line_end(struct out *o)
{
	if (o->per_line || o->len >= SINK_FLUSH_BYTES)
		out_flush(o);
}

void sink_header(struct sink *s)
{
	if (s->json || s->folded || (!s->cells && sink_prepare(s)))
		return;
	table_put_header(s);
	line_end(s->out);
}

int sink_record(struct sink *s, const void *record, size_t size)
{
	int err = s->cells ? 0 : sink_prepare(s);

	if (!err && s->folded) {
		err = folded_add(s->folded, s->schema, record, size);
		s->rows += !err;
		return err;
	}
	if (err)
		return err;
	err = s->json ? json_put_record(s, record, size) : table_put_record(s, record, size);
	if (err)
		return err;
	s->rows++;
	out_unit_end(s->out);
	line_end(s->out);
	return 0;
}
