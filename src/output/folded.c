/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * folded.c - counts equal stacks by their line of text. Names are looked up at once, while the
 * process is still alive.
 *
 * The table is an open hash table over one block of texts. This file does not know who prints it.
 */
#include "output/folded.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <linux/types.h>

#include "output/stack.h"
#include "event.h"

enum { FRAMES_MAX = 128 };

struct line {
	size_t text; /* in texts, with its NUL */
	uint32_t hash;
	uint64_t count; /* 0: an empty slot */
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

/* The separator must not occur inside a frame, and blanks only separate the count. */
static void put_part(struct buf *o, const char *text)
{
	size_t start = o->len;

	escape_put_part(o, text, strlen(text), ESCAPE_PLAIN);
	for (size_t i = start; i < o->len; i++)
		if (o->data[i] == ';' || o->data[i] == ' ')
			o->data[i] = o->data[i] == ';' ? ':' : '_';
}

/* Shows only the function: with offsets, no two stacks would be equal. */
static void put_frame(struct buf *o, const struct frame *f, bool kernel)
{
	buf_char(o, ';');
	if (f->name) {
		put_part(o, f->name);
	} else if (f->module) {
		buf_str(o, *f->module == '[' ? "" : "[");
		put_part(o, f->module);
		buf_str(o, *f->module == '[' ? "" : "]");
	} else {
		buf_str(o, "[unknown]");
	}
	if (f->changed)
		buf_char(o, '?');
	if (kernel)
		buf_str(o, "_[k]");
}

/* A name is valid only until the next one: each frame is written when it is read, and their order
 * is reversed afterwards. */
static void put_stack(struct buf *o, const struct field *f, const struct value *v)
{
	size_t ends[FRAMES_MAX + 1] = { o->len }, count = 0, start = o->len, len;
	struct stack_walk w;
	struct frame frame;
	char *copy;

	for (stack_begin(&w, f, v); count < FRAMES_MAX && stack_next(&w, &frame);) {
		put_frame(o, &frame, f->type == FIELD_KERNEL_STACK);
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

static int put_stacks(struct folded *f, const struct schema *schema, enum field_type type,
		      const void *record, size_t size)
{
	struct value v;

	for (size_t i = 0; i < schema->count; i++) {
		if (schema->fields[i].type != type)
			continue;
		if (field_load(&schema->fields[i], record, size, &v))
			return -EBADMSG;
		if (v.status == EVENT_OK)
			put_stack(&f->line, &schema->fields[i], &v);
		else
			buf_str(&f->line, ";[fault]");
	}
	return 0;
}

static int line_make(struct folded *f, const struct schema *schema, const void *record, size_t size)
{
	struct event_header head;
	int err;

	if (!schema_accepts(schema, size))
		return -EBADMSG;
	memcpy(&head, record, sizeof(head));
	head.comm[EVENT_COMM_LEN - 1] = '\0';
	f->line.len = 0;
	put_part(&f->line, head.comm);
	err = put_stacks(f, schema, FIELD_USER_STACK, record, size);
	if (!err)
		err = put_stacks(f, schema, FIELD_KERNEL_STACK, record, size);
	buf_char(&f->line, '\0');
	return err ? err : f->line.error;
}

/* ---- the table ---- */

/* FNV-1a */
static uint32_t text_hash(const char *text)
{
	uint32_t hash = 2166136261u;

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 16777619u;
	return hash;
}

/* The line's slot, or the empty slot where it belongs. */
static struct line *slot_find(struct folded *f, const char *text, uint32_t hash)
{
	size_t i = hash & (f->room - 1);

	for (;; i = (i + 1) & (f->room - 1)) {
		struct line *l = &f->lines[i];

		if (!l->count || (l->hash == hash && !strcmp(f->texts.data + l->text, text)))
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
		if (old[i].count)
			*slot_find(f, f->texts.data + old[i].text, old[i].hash) = old[i];
	free(old);
	return 0;
}

int folded_add(struct folded *f, const struct schema *schema, const void *record, size_t size)
{
	int err = line_make(f, schema, record, size);
	struct line *l;
	uint32_t hash;

	if (!err && f->count * 2 >= f->room)
		err = table_grow(f);
	if (err)
		return err;
	hash = text_hash(f->line.data);
	l = slot_find(f, f->line.data, hash);
	if (!l->count) {
		*l = (struct line){ .text = f->texts.len, .hash = hash };
		buf_bytes(&f->texts, f->line.data, f->line.len);
		if (f->texts.error)
			return -ENOMEM;
		f->count++;
	}
	l->count++;
	return 0;
}

static int line_compare(const void *one, const void *other, void *texts)
{
	const struct line *a = one, *b = other;

	if (!a->count || !b->count) /* empty slots last */
		return !a->count - !b->count;
	return strcmp((char *)texts + a->text, (char *)texts + b->text);
}

void folded_put(struct folded *f, struct buf *o)
{
	qsort_r(f->lines, f->room, sizeof(*f->lines), line_compare, f->texts.data);
	for (size_t i = 0; i < f->count; i++) {
		buf_str(o, f->texts.data + f->lines[i].text);
		buf_char(o, ' ');
		buf_uint(o, f->lines[i].count);
		buf_char(o, '\n');
	}
}
