/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * show_value.c - prints a value as text or JSON, by its type and its image.
 *
 * Numbers, strings, buffers and tuples are written here, the rest elsewhere. In JSON, values that text shows by name
 * are strings; pointers and enums are numbers.
 */
#include <stdlib.h>

#include "front/bt/show_parts.h"
#include "util/escape.h"

uint64_t bt_number_read(const void *image, uint32_t size, bool is_signed)
{
	union {
		uint8_t u8;
		uint16_t u16;
		uint32_t u32;
		uint64_t u64;
	} v = { 0 };

	if (size != 1 && size != 2 && size != 4 && size != 8)
		return 0;
	memcpy(&v, image, size);
	switch (size) {
	case 1: return is_signed ? (uint64_t)(int8_t)v.u8 : v.u8;
	case 2: return is_signed ? (uint64_t)(int16_t)v.u16 : v.u16;
	case 4: return is_signed ? (uint64_t)(int32_t)v.u32 : v.u32;
	default: return v.u64;
	}
}

/* ---- numbers ---- */

/* True if a double can represent it: 53 bits followed by zeros. */
static bool fits_double(uint64_t magnitude)
{
	return !magnitude || 64 - __builtin_clzll(magnitude) - __builtin_ctzll(magnitude) <= 53;
}

void bt_show_number(const struct bt_form *f, struct buf *o, uint64_t number, bool is_signed)
{
	bool negative = is_signed && (int64_t)number < 0;
	bool quoted = f->json && !fits_double(negative ? -number : number);

	if (quoted)
		buf_char(o, '"');
	if (is_signed)
		buf_int(o, (int64_t)number);
	else
		buf_uint(o, number);
	if (quoted)
		buf_char(o, '"');
}

void bt_show_symbolic(const struct bt_form *f, struct buf *o, const char *name, uint64_t number)
{
	if (f->json)
		bt_show_number(f, o, number, false);
	else
		buf_str(o, name);
}

void bt_show_pointer(const struct bt_form *f, struct buf *o, uint64_t address)
{
	if (f->json) {
		bt_show_number(f, o, address, false);
		return;
	}
	buf_str(o, "0x");
	buf_hex(o, address);
}

static void integer_show(const struct bt_form *f, struct buf *o, const struct script_type *t,
			 const void *image)
{
	uint64_t v = bt_number_read(image, t->size, t->c.id ? false : t->is_signed);
	const char *name = t->c.id ? bt_enum_name(t->btf ?: f->btf, t->c.id, v, t->size) : NULL;

	if (t->c.id && t->size == 8 && v == (uint64_t)INT64_MIN) /* `nothing` */
		buf_str(o, f->json ? "null" : "-");
	else if (name)
		bt_show_symbolic(f, o, name, v);
	else if (t->is_signed && !t->c.id)
		bt_show_number(f, o, f->div > 1 ? (uint64_t)((int64_t)v / (int64_t)f->div) : v,
			       true);
	else
		bt_show_number(f, o, f->div > 1 && !t->c.id ? v / f->div : v, false);
}

/* ---- text ---- */

void bt_show_text(const struct bt_form *f, struct buf *o, const char *text, size_t len)
{
	if (f->json)
		escape_write_json(o, text, len);
	else if (f->raw)
		buf_bytes(o, text, len);
	else
		escape_write_lines(o, text, len);
}

/* True for an array without a NUL, or a string of the maximum length: it may have been cut. */
static bool is_cut(const struct script_config *c, size_t len, size_t size)
{
	return len == size || (size == c->max_strlen + 1 && len == c->max_strlen);
}

void bt_show_string(const struct bt_form *f, struct buf *o, const char *bytes, size_t size)
{
	const struct script_config *config = f->s->script ? &f->s->script->config : NULL;
	const char *trailer = config ? config->str_trunc_trailer : NULL;
	size_t len = strnlen(bytes, size);
	struct buf text;

	if (!trailer || !*trailer || !size || !is_cut(config, len, size)) {
		bt_show_text(f, o, bytes, len);
		return;
	}
	buf_init(&text, -1);
	buf_bytes(&text, bytes, len);
	buf_str(&text, trailer);
	if (!text.error)
		bt_show_text(f, o, text.data, text.len);
	else
		buf_fail(o, text.error);
	buf_free(&text);
}

const unsigned char *bt_buffer_bytes(const struct script_type *t, const void *image, size_t *len)
{
	uint32_t used = 0;

	if (t->size >= sizeof(used))
		memcpy(&used, image, sizeof(used));
	*len = t->size < sizeof(used)	     ? 0 :
	       used < t->size - sizeof(used) ? used :
					       t->size - sizeof(used);
	return (const unsigned char *)image + sizeof(used);
}

void bt_show_bytes(struct buf *o, const unsigned char *bytes, size_t len, bool ascii, bool marked)
{
	for (size_t i = 0; i < len; i++) {
		if (ascii && bytes[i] >= ' ' && bytes[i] <= '~') {
			buf_char(o, (char)bytes[i]);
			continue;
		}
		if (marked)
			buf_str(o, "\\x");
		else if (i)
			buf_char(o, ' ');
		buf_hex_pad(o, bytes[i], 2);
	}
}

/* JSON: prints a list of signed numbers. */
static void buffer_show(const struct bt_form *f, struct buf *o, const struct script_type *t,
			const void *image)
{
	size_t len;
	const unsigned char *bytes = bt_buffer_bytes(t, image, &len);

	if (!f->json) {
		bt_show_bytes(o, bytes, len, true, true);
		return;
	}
	for (size_t i = 0; i < len; i++) {
		buf_char(o, i ? ',' : '[');
		buf_int(o, (int8_t)bytes[i]);
	}
	buf_str(o, len ? "]" : "[]");
}

/* ---- parts ---- */

void bt_part_begin(struct bt_parts *p, const char *name)
{
	buf_str(p->o, p->count++ ? ", " : p->f->json ? "{" : "{ ");
	if (p->f->json) {
		escape_write_json(p->o, name, strlen(name));
		buf_str(p->o, ": ");
		return;
	}
	buf_char(p->o, '.');
	buf_str(p->o, name);
	buf_str(p->o, " = ");
}

void bt_parts_end(struct bt_parts *p)
{
	if (!p->count)
		buf_char(p->o, '{');
	buf_str(p->o, p->f->json || !p->count ? "}" : " }");
}

static void named_tuple_show(const struct bt_form *f, struct buf *o, const struct script_type *t,
			     const char *image)
{
	struct bt_parts p = { f, o, 0 };

	for (uint32_t i = 0; i < t->count; i++) {
		bt_part_begin(&p, t->parts[i].name ?: "");
		bt_show_value(f, o, &t->parts[i].type, image + t->parts[i].offset);
	}
	bt_parts_end(&p);
}

/* Text has blanks after commas, JSON has none. */
static void tuple_show(const struct bt_form *f, struct buf *o, const struct script_type *t,
		       const char *image)
{
	if (t->count && t->parts[0].name) {
		named_tuple_show(f, o, t, image);
		return;
	}
	buf_char(o, f->json ? '[' : '(');
	for (uint32_t i = 0; i < t->count; i++) {
		if (i)
			buf_str(o, f->json ? "," : ", ");
		bt_show_value(f, o, &t->parts[i].type, image + t->parts[i].offset);
	}
	buf_char(o, f->json ? ']' : ')');
}

/* ---- all ---- */

/* The name may come from a traced program: a symbol or cgroup. */
static void name_show(const struct bt_form *f, struct buf *o, const struct script_type *t,
		      const void *image)
{
	struct buf text;

	buf_init(&text, -1);
	bt_show_name(f, &text, t, image);
	bt_show_text(f, o, text.data ?: "", text.len);
	buf_free(&text);
}

void bt_show_value(const struct bt_form *f, struct buf *o, const struct script_type *t,
		   const void *image)
{
	switch (t->kind) {
	case SCRIPT_BOOL: buf_str(o, *(const char *)image ? "true" : "false"); break;
	case SCRIPT_INT: integer_show(f, o, t, image); break;
	case SCRIPT_POINTER:
		bt_show_pointer(f, o, bt_number_read(image, sizeof(uint64_t), false));
		break;
	case SCRIPT_RECORD: bt_show_record(f, o, t, image); break;
	case SCRIPT_ARRAY: bt_show_array(f, o, t, image); break;
	case SCRIPT_STRING: bt_show_string(f, o, image, script_text_bytes(t)); break;
	case SCRIPT_BUFFER: buffer_show(f, o, t, image); break;
	case SCRIPT_TUPLE: tuple_show(f, o, t, image); break;
	case SCRIPT_KSTACK ... SCRIPT_POINT: name_show(f, o, t, image); break;
	case SCRIPT_COUNT ... SCRIPT_STATS: bt_show_merged(f, o, t, image); break;
	default: buf_str(o, "null"); break; /* values never have these kinds */
	}
}
