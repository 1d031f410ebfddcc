/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * folded.c - adds up rows whose keys give the same line of text.
 *
 * The table is an open hash table over one block of texts. This file does not know who prints it.
 */
#include "output/rows/folded.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <linux/types.h>

#include "output/field/stack.h"
#include "output/field/timestamp.h"
#include "output/field/value.h"
#include "output/field/value_text.h"
#include "util/escape.h"
#include "event.h"
#include "util/hash.h"

enum { FRAMES_MAX = 1025 }; /* the maximum of --stack-depth, and the probed function */

struct line {
	size_t text; /* offset in texts, with its NUL */
	uint32_t hash;
	bool used;
	uint64_t weight;
};

struct folded {
	struct line *lines; /* a power of two, at most half full */
	size_t room, count;
	struct buf texts, line;
};

struct folded *folded_new(void)
{
	struct folded *f = calloc(1, sizeof(*f));

	if (!f)
		return NULL;
	f->room = 1024;
	f->lines = calloc(f->room, sizeof(*f->lines));
	buf_init(&f->texts, -1);
	buf_init(&f->line, -1);
	if (f->lines)
		return f;
	free(f);
	return NULL;
}

void folded_free(struct folded *f)
{
	if (!f)
		return;
	buf_free(&f->texts);
	buf_free(&f->line);
	free(f->lines);
	free(f);
}

/* ---- a line ---- */

/* Replaces characters that would be separators: ';' between parts, blanks before the number. */
static void part_end(struct buf *o, size_t start)
{
	for (size_t i = start; i < o->len; i++)
		if (o->data[i] == ';' || o->data[i] == ' ')
			o->data[i] = o->data[i] == ';' ? ':' : '_';
}

static void write_part(struct buf *o, const char *text)
{
	size_t start = o->len;

	escape_write_part(o, text, strlen(text), ESCAPE_PLAIN);
	part_end(o, start);
}

/* Writes only the function's name: with offsets, no two stacks would be equal. */
static void write_frame(struct buf *o, const struct frame *f, bool kernel)
{
	buf_char(o, ';');
	if (f->name) {
		write_part(o, f->name);
	} else if (f->module) {
		buf_str(o, *f->module == '[' ? "" : "[");
		write_part(o, f->module);
		buf_str(o, *f->module == '[' ? "" : "]");
	} else {
		buf_str(o, "[unknown]");
	}
	if (f->changed)
		buf_char(o, '?');
	if (kernel)
		buf_str(o, "_[k]");
}

/* A frame's name is valid only until the next one is read: writes each as it is read, then reverses their order. */
static void write_stack(struct buf *o, const struct field *f, const struct value *v)
{
	size_t ends[FRAMES_MAX + 1] = { o->len }, count = 0, start = o->len, len;
	struct stack_walk w;
	struct frame frame;
	char *copy;

	for (stack_begin(&w, f, v); count < FRAMES_MAX && stack_next(&w, &frame);) {
		write_frame(o, &frame, f->type == FIELD_KERNEL_STACK);
		ends[++count] = o->len;
	}
	len = o->len - start;
	copy = buf_reserve(o, len);
	if (!copy)
		return;
	memcpy(copy, o->data + start, len);
	o->len = start;
	for (size_t i = count; i--; o->len += ends[i + 1] - ends[i])
		memcpy(o->data + o->len, copy + ends[i] - start, ends[i + 1] - ends[i]);
}

static bool is_stack(const struct field *f)
{
	return f->type == FIELD_KERNEL_STACK || f->type == FIELD_USER_STACK;
}

/* Writes a separator and the part; the first separator is dropped later. */
static void write_key(struct folded *f, const struct field *field, const struct value *v)
{
	size_t start;

	if (is_stack(field) && v->status == EVENT_OK) {
		write_stack(&f->line, field, v);
		return;
	}
	if (is_stack(field) && v->status == EVENT_NIL)
		return; /* as a stack without frames */
	buf_char(&f->line, ';');
	if (is_stack(field)) {
		buf_str(&f->line, v->status == EVENT_FAULT ? "[fault]" : "[not_kept]");
		return;
	}
	start = f->line.len;
	value_text_write(&f->line, field, v, TIMESTAMP_NONE);
	part_end(&f->line, start);
}

static int line_build(struct folded *f, const struct schema *schema, const void *key, size_t size)
{
	struct value v;

	f->line.len = 0;
	for (size_t i = 0; i < schema->count; i++) {
		if (field_load(&schema->fields[i], key, size, &v))
			return -EBADMSG;
		write_key(f, &schema->fields[i], &v);
	}
	buf_char(&f->line, '\0');
	return f->line.error;
}

/* ---- the table ---- */

static uint32_t text_hash(const char *text)
{
	return hash_add(HASH_BEGIN, text, strlen(text));
}

/* Returns the line's slot, or the empty slot where it belongs. */
static struct line *slot_find(struct folded *f, const char *text, uint32_t hash)
{
	size_t i = hash & (f->room - 1);

	for (;; i = (i + 1) & (f->room - 1)) {
		struct line *l = &f->lines[i];

		if (!l->used || (l->hash == hash && !strcmp(f->texts.data + l->text, text)))
			return l;
	}
}

static int table_grow(struct folded *f)
{
	struct line *old = f->lines, *larger = calloc(f->room * 2, sizeof(*larger));
	size_t count = f->room;

	if (!larger)
		return -ENOMEM;
	f->lines = larger;
	f->room *= 2;
	for (size_t i = 0; i < count; i++)
		if (old[i].used)
			*slot_find(f, f->texts.data + old[i].text, old[i].hash) = old[i];
	free(old);
	return 0;
}

int folded_add(struct folded *f, const struct schema *schema, const void *key, size_t size,
	       uint64_t weight)
{
	int err = line_build(f, schema, key, size);
	const char *text = f->line.data;
	struct line *l;
	uint32_t hash;

	if (!err && f->count * 2 >= f->room)
		err = table_grow(f);
	if (err)
		return err;
	text += *text == ';';
	hash = text_hash(text);
	l = slot_find(f, text, hash);
	if (!l->used) {
		*l = (struct line){ .text = f->texts.len, .hash = hash, .used = true };
		buf_bytes(&f->texts, text, strlen(text) + 1);
		if (f->texts.error)
			return -ENOMEM;
		f->count++;
	}
	l->weight += weight;
	return 0;
}

static int line_compare(const void *one, const void *other, void *texts)
{
	const struct line *a = one, *b = other;

	if (!a->used || !b->used) /* sorts empty slots last */
		return !a->used - !b->used;
	return strcmp((char *)texts + a->text, (char *)texts + b->text);
}

size_t folded_sort(struct folded *f)
{
	qsort_r(f->lines, f->room, sizeof(*f->lines), line_compare, f->texts.data);
	return f->count;
}

struct folded_line folded_line(const struct folded *f, size_t i)
{
	return (struct folded_line){ f->texts.data + f->lines[i].text, f->lines[i].weight };
}

static int weight_compare(const void *one, const void *other, void *is_signed)
{
	const struct folded_line *a = one, *b = other;

	if (a->weight == b->weight)
		return strcmp(a->text, b->text);
	if (*(bool *)is_signed)
		return (int64_t)a->weight < (int64_t)b->weight ? -1 : 1;
	return a->weight < b->weight ? -1 : 1;
}

struct folded_line *folded_by_weight(struct folded *f, bool is_signed, size_t *count)
{
	struct folded_line *lines;

	*count = folded_sort(f);
	lines = calloc(*count + 1, sizeof(*lines));
	if (!lines)
		return NULL;
	for (size_t i = 0; i < *count; i++)
		lines[i] = folded_line(f, i);
	qsort_r(lines, *count, sizeof(*lines), weight_compare, &is_signed);
	return lines;
}

size_t folded_write(struct folded *f, struct buf *o, bool is_signed)
{
	folded_sort(f);
	for (const struct line *l = f->lines; l < f->lines + f->count; l++) {
		buf_str(o, f->texts.data + l->text);
		buf_char(o, ' ');
		if (is_signed)
			buf_int(o, (int64_t)l->weight);
		else
			buf_uint(o, l->weight);
		buf_char(o, '\n');
		buf_unit_end(o);
	}
	return f->count;
}
