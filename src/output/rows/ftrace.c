/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ftrace.c - writes records as lines of the kernel's trace file, which its users and scripts know.
 *
 * The format is that of trace_print_context and trace_print_lat_fmt in kernel/trace/trace_output.c:
 *
 *	            reads-156     [001] .....    13.147220: vfs_read: count=1 name="some"
 *
 * The CPU is a value of the record; the flags are those of $ctx, if the record has it.
 */
#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <linux/types.h>

#include "output/field/value.h"
#include "output/rows/sink_priv.h"
#include "output/field/stack.h"
#include "output/field/trace_ctx.h"
#include "event.h"

enum { FLAGS = 5, NS_PER_SEC = 1000000000, NS_PER_USEC = 1000 };

static const char header[] = "# tracer: nop\n"
			     "#\n"
			     "#                                _-----=> irqs-off/BH-disabled\n"
			     "#                               / _----=> need-resched\n"
			     "#                              | / _---=> hardirq/softirq\n"
			     "#                              || / _--=> preempt-depth\n"
			     "#                              ||| / _-=> migrate-disable\n"
			     "#                              |||| /     delay\n"
			     "#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION\n"
			     "#              | |         |   |||||     |         |\n";

static void write_header(struct sink *s, const struct sink_shape *shape)
{
	(void)shape;
	buf_str(s->out, header);
}

/* ---- the start of a line ---- */

static uint64_t cpu_of(const struct sink_shape *shape, const void *record, size_t size)
{
	const struct field *f = shape->roles[FIELD_ROLE_CPU];
	struct value v;

	return f && !field_load(f, record, size, &v) ? v.u : 0;
}

/* Writes the flags of the first $ctx. Kernels without migrate-disable show one character less. */
static void write_flags(struct buf *o, const struct sink_shape *shape, const void *record,
			size_t size)
{
	size_t start = o->len;
	struct value v;

	for (size_t i = 0; i < shape->schema->count && o->len == start; i++)
		if (shape->schema->fields[i].type == FIELD_TRACE_CTX &&
		    !field_load(&shape->schema->fields[i], record, size, &v))
			trace_ctx_write(o, v.u);
	buf_repeat(o, '.', FLAGS - (o->len - start));
}

static void write_blanks_before(struct buf *o, size_t used, size_t width)
{
	buf_repeat(o, ' ', used < width ? width - used : 0);
}

/* Writes %16s-%-7d [%03d] FLAGS %5lu.%06lu: */
static void write_start(struct buf *o, const struct sink_shape *shape, const void *record,
			size_t size)
{
	struct event_header head;
	size_t comm, start, width;

	memcpy(&head, record, sizeof(head));
	comm = strnlen(head.comm, sizeof(head.comm));
	start = o->len;
	width = escape_write(o, head.comm, comm);
	o->len = start;
	write_blanks_before(o, width, 16);
	escape_write(o, head.comm, comm);
	buf_char(o, '-');
	start = o->len;
	buf_uint(o, head.tid);
	write_blanks_before(o, o->len - start, 7);
	buf_str(o, " [");
	buf_uint_pad(o, cpu_of(shape, record, size), 3);
	buf_str(o, "] ");
	write_flags(o, shape, record, size);
	buf_char(o, ' ');
	buf_uint_right(o, head.ts / NS_PER_SEC, 5);
	buf_char(o, '.');
	buf_uint_pad(o, head.ts % NS_PER_SEC / NS_PER_USEC, 6);
	buf_str(o, ": ");
}

/* ---- values ---- */

static void cells_add(const struct sink *s, struct sink_shape *shape)
{
	sink_roles_find(shape);
	sink_cells_arrange(s, shape);
}

/* True for fields of a table that have no column and no special place. */
static bool is_value(const struct sink_cell *c)
{
	const struct field *f = c->field;

	return f->type != FIELD_TRACE_CTX &&
	       (f->role == FIELD_ROLE_NONE || f->role >= FIELD_ROLE_LASTED) &&
	       (f->flags & (FIELD_PAIR | FIELD_REMARK));
}

static int write_values(struct buf *o, const struct sink_shape *shape, const void *record,
			size_t size)
{
	struct row r = { .out = o, .leads = shape->leads.data, .owed = 1, .end = o->len };

	for (const struct sink_cell *c = shape->cells; c < shape->cells + shape->below; c++)
		if (is_value(c) && c->write(&r, c, record, size))
			return -EBADMSG;
	if (r.between)
		buf_char(o, ')');
	return 0;
}

/* A stack is an event of its own in the kernel's file. */
static void write_stacks(struct buf *o, const struct sink_shape *shape, const void *record,
			 size_t size)
{
	struct value v;

	for (size_t i = shape->below; i < shape->cell_count; i++) {
		const struct field *f = shape->cells[i].field;

		if (field_load(f, record, size, &v) || v.status != EVENT_OK)
			continue;
		write_start(o, shape, record, size);
		buf_str(o,
			f->type == FIELD_USER_STACK ? "<user stack trace>\n" : "<stack trace>\n");
		stack_write_frames(o, f, &v, " => ");
	}
}

static void name_end(struct buf *o, size_t start)
{
	size_t from = start;

	for (size_t i = start; i + 1 < o->len; i++)
		if (o->data[i] == ':' &&
		    (isalpha((unsigned char)o->data[i + 1]) || o->data[i + 1] == '_'))
			from = i + 1;
	memmove(o->data + start, o->data + from, o->len - from);
	o->len -= from - start;
	for (size_t i = start; i < o->len; i++)
		if (o->data[i] == ':' || o->data[i] == ' ')
			o->data[i] = '_';
}

/* Writes the name up to the ':' at its end: of sched:sched_switch only the second part, as in the kernel's file;
 * hz:99 has no second part. */
static void write_name(struct sink *s, const struct sink_shape *shape, const void *record,
		       size_t size)
{
	size_t start = s->out->len;

	sink_write_event(s, shape, record, size, ESCAPE_PLAIN);
	name_end(s->out, start);
	buf_char(s->out, ':');
}

static int write_record(struct sink *s, struct sink_shape *shape, const void *record, size_t size)
{
	size_t start = s->out->len;

	if (size < shape->size_min)
		return -EBADMSG;
	write_start(s->out, shape, record, size);
	write_name(s, shape, record, size);
	if (write_values(s->out, shape, record, size)) {
		buf_rewind(s->out, start);
		return -EBADMSG;
	}
	buf_char(s->out, '\n');
	write_stacks(s->out, shape, record, size);
	return 0;
}

const struct sink_form sink_form_ftrace = {
	.cells = cells_add,
	.cell = table_cell_prepare,
	.record = write_record,
	.header = write_header,
};
