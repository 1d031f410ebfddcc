/* SPDX-License-Identifier: GPL-2.0-only */
/* table_cell.h - how a column of a table is written and aligned; numbers; the caller of a row. */
#ifndef CORETAP_OUTPUT_ROWS_TABLE_CELL_H
#define CORETAP_OUTPUT_ROWS_TABLE_CELL_H

#include "output/field/field_kind.h"
#include "output/field/value.h"
#include "output/field/value_text.h"
#include "output/rows/sink_priv.h"
#include "event.h"

void table_write_caller(struct row *r, const struct field *f, const struct value *v,
			const void *record);
/* Called before a pair while the call's parentheses are open. */
void table_begin_argument(struct row *r, const struct field *f);
/* Closes the parentheses. */
void table_end_call(struct row *r);

/* Writes the pending blanks. Returns where the cell starts. */
static inline size_t cell_begin(struct row *r)
{
	buf_blanks(r->out, r->owed);
	return r->out->len;
}

/* A value wider than its column shifts what follows; later blanks that can be spared bring the row back below its
 * titles. Returns the padding that remains. */
static inline size_t cell_catch_up(struct row *r, size_t columns, int width, size_t pad)
{
	size_t spared = pad < r->ahead ? pad : r->ahead;

	r->ahead -= spared;
	if (width > 0 && columns > (size_t)width)
		r->ahead += columns - width;
	return pad - spared;
}

static inline void cell_end(struct row *r, size_t start, size_t columns, int width, bool right)
{
	size_t pad = width > 0 && columns < (size_t)width ? width - columns : 0;

	if (__builtin_expect(r->ahead || (width > 0 && columns > (size_t)width), 0))
		pad = cell_catch_up(r, columns, width, pad);
	if (pad && right) {
		buf_indent(r->out, start, pad, ' ');
		pad = 0;
	}
	r->owed = pad + 1;
	if (r->out->len != start)
		r->end = r->out->len;
}

/* Writes the value, or what is shown for a missing one. */
static inline size_t value_write(struct row *r, const struct sink_cell *c, const struct value *v)
{
	if (__builtin_expect(v->status == EVENT_OK, 1))
		return c->text(r->out, c->field, v, r->form);
	return value_text_write(r->out, c->field, v, r->form);
}

static inline void column_write(struct row *r, const struct sink_cell *c, const struct value *v)
{
	size_t start = cell_begin(r);

	cell_end(r, start, value_write(r, c, v), c->field->width, c->right);
}

/* Writes the lines below the row: stacks. Stacks that are values are preceded by their names. */
void table_write_below(struct buf *o, const struct sink_shape *shape, const void *record,
		       size_t size);
/* Writes a column of any kind. */
sink_write_fn table_write_column;
/* Returns a faster function for a number that needs no more than its bytes; NULL if the field is none. */
sink_write_fn *table_number_choose(const struct sink_shape *shape, struct sink_cell *c);
/* True if table_number_choose returned the function for 4-byte numbers. */
bool table_is_plain(const struct sink_cell *c);

#endif
