/* SPDX-License-Identifier: GPL-2.0-only */
/* table_cell.c - writes cells of a table: numbers in few steps, and the caller of a row (FIELD_CALLER). */

#include "output/rows/table_cell.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "output/field/field_kind.h"
#include "output/field/value.h"
#include "output/field/value_number.h"
#include "util/escape.h"

/*
 * Columns whose value is a number that lies completely in the record: faster than table_write_column, with the same
 * result.
 *
 * For kinds with few values (names, errors) a cell caches the texts that it wrote last.
 */

enum { WAYS = 8, TEXT = 16 };

struct sink_cache {
	unsigned at,
		/* where to load 8 bytes, and how many of their low bits precede the value */
		shift;
	uint64_t mask;
	struct cached_text {
		uint64_t value;
		char text[TEXT];
		unsigned len, owed; /* len 0: empty */
	} texts[WAYS];
};

int table_write_column(struct row *r, const struct sink_cell *c, const void *record, size_t size)
{
	struct value v;

	if (c->load(c->field, record, size, &v))
		return -EBADMSG;
	column_write(r, c, &v);
	return 0;
}

/* Writes the padding before the number, because its width is known. (Other cells are shifted to align them.) */
static inline void number_write(struct row *r, uint64_t u, int width)
{
	buf_blanks(r->out, r->owed);
	buf_uint_right(r->out, u, width);
	r->owed = 1;
	r->end = r->out->len;
}

static int write_plain(struct row *r, const struct sink_cell *c, const void *record, size_t size)
{
	uint32_t u;

	if (__builtin_expect(r->ahead, 0))
		return table_write_column(r, c, record, size);
	memcpy(&u, (const char *)record + c->field->offset, sizeof(u));
	number_write(r, u, c->field->width);
	return 0;
}

static inline void none_write(struct row *r, int width)
{
	buf_blanks(r->out, r->owed + (width > 1 ? width - 1 : 0));
	buf_char(r->out, '-');
	r->owed = 1;
	r->end = r->out->len;
}

/* Not inlined, so that the other paths save no registers; the same holds for cached_write. */
static __attribute__((noinline)) int ns_write(struct row *r, const struct sink_cell *c, uint64_t u)
{
	size_t start = cell_begin(r);

	duration_write(r->out, u);
	cell_end(r, start, r->out->len - start, c->field->width, true);
	return 0;
}

static int write_u64(struct row *r, const struct sink_cell *c, const void *record, size_t size)
{
	uint64_t u;

	if (__builtin_expect(r->ahead, 0))
		return table_write_column(r, c, record, size);
	memcpy(&u, (const char *)record + c->field->offset, sizeof(u));
	if (c->field->flags & FIELD_MAYBE && u == UINT64_MAX)
		none_write(r, c->field->width);
	else if (c->field->type == FIELD_UINT)
		number_write(r, u, c->field->width);
	else
		return ns_write(r, c, u);
	return 0;
}

static int text_write_and_cache(struct row *r, const struct sink_cell *c, const void *record,
				size_t size, struct cached_text *k)
{
	size_t start, len;
	int err;

	buf_blanks(r->out, r->owed);
	r->owed = 0;
	start = r->out->len;
	k->len = 0;
	err = table_write_column(r, c, record, size);
	len = r->out->len - start;
	if (err || r->out->error || len > TEXT || r->ahead)
		return err;
	memcpy(k->text, r->out->data + start, len);
	k->owed = r->owed;
	k->len = len;
	return 0;
}

static __attribute__((noinline)) int cached_write(struct row *r, const struct sink_cell *c,
						  const void *record, size_t size,
						  struct cached_text *k, uint64_t u)
{
	if (__builtin_expect(r->ahead, 0))
		return table_write_column(r, c, record, size);
	if (k->value != u || !k->len) {
		k->value = u;
		return text_write_and_cache(r, c, record, size, k);
	}
	buf_blanks(r->out, r->owed);
	buf_bytes(r->out, k->text, k->len);
	r->owed = k->owed;
	r->end = r->out->len;
	return 0;
}

static int write_cached(struct row *r, const struct sink_cell *c, const void *record, size_t size)
{
	struct sink_cache *kept = c->kept;
	struct buf *o = r->out;
	struct cached_text *k;
	uint64_t u;
	char *to;

	memcpy(&u, (const char *)record + kept->at, sizeof(u));
	u = u >> kept->shift & kept->mask;
	k = &kept->texts[u % WAYS];
	if (__builtin_expect(k->value != u || !k->len || r->owed > TEXT || r->ahead ||
				     o->capacity - o->len <= 2 * TEXT,
			     0))
		return cached_write(r, c, record, size, k, u);
	to = o->data + o->len;
	memset(to, ' ', TEXT);
	memcpy(to + r->owed, k->text, TEXT);
	o->len += r->owed + k->len;
	r->owed = k->owed;
	r->end = o->len;
	return 0;
}

/* True if every record contains all bytes of the field, and the field needs no other check. */
static bool is_inside(const struct sink_shape *shape, const struct field *f)
{
	return !f->value && !f->kind && !f->status && !f->count && !f->bit_size &&
	       (size_t)f->offset + f->size <= shape->size_min;
}

static bool cache_allocate(const struct sink_shape *shape, struct sink_cell *c)
{
	const struct field *f = c->field;
	unsigned last = shape->size_min - sizeof(uint64_t);
	struct sink_cache *kept;

	if (!(field_kind(f)->flags & KIND_FEW || f->flags & FIELD_FEW) || !f->size || f->size > 8 ||
	    shape->size_min < sizeof(uint64_t))
		return false;
	kept = c->kept = calloc(1, sizeof(*kept));
	if (!kept)
		return false;
	kept->at = f->offset < last ? f->offset : last;
	kept->shift = (f->offset - kept->at) * 8;
	kept->mask = f->size == 8 ? UINT64_MAX : (1ull << f->size * 8) - 1;
	return true;
}

sink_write_fn *table_number_choose(const struct sink_shape *shape, struct sink_cell *c)
{
	const struct field *f = c->field;

	if (c->right && sink_cell_is_plain(shape, f))
		return write_plain;
	if (!is_inside(shape, f))
		return NULL;
	if (f->size == 8 && c->right && (f->type == FIELD_UINT || f->type == FIELD_NS))
		return write_u64;
	return cache_allocate(shape, c) ? write_cached : NULL;
}

bool table_is_plain(const struct sink_cell *c)
{
	return c->write == write_plain;
}

/*
 * The caller and the function at the beginning of a row, and the parentheses around its arguments.
 */

static const char *callee_name(const struct field *f, const void *record)
{
	uint32_t i = 0;

	if (f->follow_at)
		memcpy(&i, (const char *)record + f->follow_at, sizeof(i));
	return i < f->name_count && f->names[i].name ? f->names[i].name : "?";
}

/* Writes the name without "%return". */
static void write_callee(struct buf *o, const char *name)
{
	static const char suffix[] = "%return";
	size_t len = strlen(name), cut = sizeof(suffix) - 1;

	if (len > cut && !strcmp(name + len - cut, suffix))
		len -= cut;
	escape_write(o, name, len);
}

/* Writes them as the kernel's own traces do: caller->func(a=1, b=2), (caller+0x5/0x40 <- func) a=1. */
void table_write_caller(struct row *r, const struct field *f, const struct value *v,
			const void *record)
{
	bool is_return = f->flags & FIELD_RESULT;

	buf_blanks(r->out, r->owed);
	buf_str(r->out, is_return ? "(" : "");
	value_text_write_caller(r->out, f, v, is_return);
	buf_str(r->out, is_return ? " <- " : "->");
	write_callee(r->out, callee_name(f, record));
	buf_char(r->out, is_return ? ')' : '(');
	r->between = is_return ? NULL : "";
	r->owed = is_return;
	r->end = r->out->len;
}

void table_end_call(struct row *r)
{
	buf_char(r->out, ')');
	r->between = NULL;
	r->owed = 1;
	r->end = r->out->len;
}

void table_begin_argument(struct row *r, const struct field *f)
{
	if (!(f->flags & FIELD_RESULT)) {
		buf_str(r->out, r->between);
		r->between = ", ";
		return;
	}
	table_end_call(r);
	buf_blanks(r->out, r->owed);
}
