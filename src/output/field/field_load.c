/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * field_load.c - loads values from records.
 *
 * A record may come from a broken program or a fuzzer: every offset or length in it is checked
 * against the record's size before use. This file does not know how a value is shown.
 */
#include "output/field/field_load.h"

#include <errno.h>
#include <string.h>
#include <linux/types.h>

#include "event.h"
#include "output/field/field_kind.h"
#include "output/field/value.h"

/* Keeps the common path of field_load, for a plain number, free of saved registers. */
#define NOINLINE __attribute__((noinline))

/* ---- numbers ---- */

const struct field_kind *field_kinds;

static bool is_signed(const struct field *f)
{
	return field_kind(f)->flags & KIND_SIGNED;
}

static uint64_t sign_extend(uint64_t u, unsigned bits)
{
	return (uint64_t)((int64_t)(u << (64 - bits)) >> (64 - bits));
}

/* Loads 1 to 64 bits that begin at any bit, so they span up to 9 bytes. */
static NOINLINE int load_bits(const struct field *f, const char *at, struct value *v)
{
	unsigned first = f->bit_offset / 8, shift = f->bit_offset % 8;
	unsigned bytes = (shift + f->bit_size + 7) / 8;
	uint64_t words[2] = { 0 };

	if (f->bit_size > 64 || first + bytes > f->size)
		return -EBADMSG;
	memcpy(words, at + first, bytes);
	v->u = words[0] >> shift;
	if (shift)
		v->u |= words[1] << (64 - shift);
	v->u = is_signed(f) ? sign_extend(v->u, f->bit_size) : low_bits(v->u, f->bit_size);
	return 0;
}

/* Loads sizes that C has no type for. The machine that wrote the record reads it, and is little-endian. */
static NOINLINE int load_odd(const struct field *f, const char *at, struct value *v)
{
	if (f->bit_size)
		return load_bits(f, at, v);
	if (!f->size || f->size > sizeof(v->u))
		return -EBADMSG;
	memcpy(&v->u, at, f->size);
	if (is_signed(f))
		v->u = sign_extend(v->u, f->size * 8);
	return 0;
}

/* Loads the sizes that C has types for, by one move each. */
int load_unsigned(const struct field *f, const void *record, size_t size, struct value *v)
{
	const char *at = (const char *)record + f->offset;
	uint32_t u32;

	(void)size;
	*v = (struct value){ 0 };
	if (f->size == 4 && !f->bit_size) {
		memcpy(&u32, at, 4);
		v->u = u32;
		return 0;
	}
	if (f->size != 8 || f->bit_size)
		return load_odd(f, at, v);
	memcpy(&v->u, at, 8);
	return 0;
}

int load_signed(const struct field *f, const void *record, size_t size, struct value *v)
{
	const char *at = (const char *)record + f->offset;
	int32_t s32;

	(void)size;
	*v = (struct value){ 0 };
	if (f->size == 4 && !f->bit_size) {
		memcpy(&s32, at, 4);
		v->u = (uint64_t)s32;
		return 0;
	}
	if (f->size != 8 || f->bit_size)
		return load_odd(f, at, v);
	memcpy(&v->u, at, 8);
	return 0;
}

/* ---- strings ---- */

int load_cstr(const struct field *f, const void *record, size_t size, struct value *v)
{
	const char *bytes = (const char *)record + f->offset;

	(void)size;
	*v = (struct value){ .bytes = bytes, .len = text_length(bytes, f->size) };
	return 0;
}

int load_text(const struct field *f, const void *record, size_t size, struct value *v)
{
	const char *text;

	(void)size;
	*v = (struct value){ .status = EVENT_NONE };
	if (f->size != sizeof(text))
		return -EBADMSG;
	memcpy(&text, (const char *)record + f->offset, sizeof(text));
	if (text)
		*v = (struct value){ .bytes = text, .len = strlen(text) };
	return 0;
}

/* Finds the bytes that a struct event_str refers to. */
static int load_tail(const struct event_str *str, const void *record, size_t size, struct value *v)
{
	*v = (struct value){ .status = str->status };
	if (str->off > size || str->len > size - str->off || str->status > EVENT_ANONYMOUS)
		return -EBADMSG;
	if (str->status == EVENT_FAULT || str->status == EVENT_NULL || str->status == EVENT_NONE)
		return 0;
	v->bytes = (const char *)record + str->off;
	v->len = str->len;
	v->left_out = str->left_out;
	return 0;
}

int load_str(const struct field *f, const void *record, size_t size, struct value *v)
{
	struct event_str str;

	if (f->size != sizeof(str))
		return -EBADMSG;
	memcpy(&str, (const char *)record + f->offset, sizeof(str));
	return load_tail(&str, record, size, v);
}

static bool is_ended(const struct value *v)
{
	return !v->len || v->bytes[v->len - 1] == '\0';
}

int load_path(const struct field *f, const void *record, size_t size, struct value *v)
{
	int err = load_str(f, record, size, v);

	return err ?: is_ended(v) ? 0 : -EBADMSG;
}

/* Each word ends with a NUL; the last one may lack it if the value was cut. */
int load_argv(const struct field *f, const void *record, size_t size, struct value *v)
{
	const char *from = (const char *)record + f->offset;
	struct event_words words = { 0 };
	int err;

	if (f->size == sizeof(words)) /* constant sizes, so that memcpy becomes a move */
		memcpy(&words, from, sizeof(words));
	else if (f->size == sizeof(words.str))
		memcpy(&words.str, from, sizeof(words.str));
	else
		return -EBADMSG;
	err = load_tail(&words.str, record, size, v);
	if (!err && v->bytes)
		v->unreadable = words.unreadable;
	return err ?: v->status == EVENT_CUT || is_ended(v) ? 0 : -EBADMSG;
}

/* ---- stacks, bytes, whole records ---- */

/* Frames are u64s; a partial one is an error. */
static int load_stack(const struct field *f, const void *record, size_t size, bool kernel,
		      struct value *v)
{
	struct event_stack stack;
	struct event_header head;

	if (f->size < sizeof(stack) || size < sizeof(head))
		return -EBADMSG;
	memcpy(&stack, (const char *)record + f->offset, sizeof(stack));
	memcpy(&head, record, sizeof(head));
	*v = (struct value){ .u = kernel ? stack.function : head.pid,
			     .status = stack.size < 0 ? EVENT_FAULT : EVENT_OK };
	if (stack.size < 0)
		return 0;
	v->bytes = (const char *)record + f->offset + sizeof(stack);
	v->len = (unsigned)stack.size;
	return v->len % 8 || v->len > f->size - sizeof(stack) ? -EBADMSG : 0;
}

/* Sets u to the probed function's address, or to the process. */
int load_kernel_stack(const struct field *f, const void *record, size_t size, struct value *v)
{
	return load_stack(f, record, size, true, v);
}

int load_user_stack(const struct field *f, const void *record, size_t size, struct value *v)
{
	return load_stack(f, record, size, false, v);
}

/* Sets u to the process, and bytes to the address. */
int load_user_symbol(const struct field *f, const void *record, size_t size, struct value *v)
{
	struct event_header head;

	if (f->size != sizeof(uint64_t) || size < sizeof(head))
		return -EBADMSG;
	memcpy(&head, record, sizeof(head));
	*v = (struct value){ .u = head.pid,
			     .bytes = (const char *)record + f->offset,
			     .len = sizeof(uint64_t) };
	return 0;
}

/* For kinds that are not numbers: their bytes are interpreted when shown. */
int load_raw(const struct field *f, const void *record, size_t size, struct value *v)
{
	(void)size;
	*v = (struct value){ .bytes = (const char *)record + f->offset,
			     .len = f->size,
			     .left_out = f->left_out,
			     .status = f->left_out ? EVENT_CUT : EVENT_OK };
	return !f->count && f->size < field_kind(f)->size_min ? -EBADMSG : 0;
}

int load_counted(const struct field *f, const void *record, size_t size, struct value *v)
{
	const char *at = (const char *)record + f->offset;
	unsigned room = f->size - sizeof(int64_t);
	int64_t count;

	(void)size;
	*v = (struct value){ .status = EVENT_OK };
	if (f->size < sizeof(count))
		return -EBADMSG;
	memcpy(&count, at, sizeof(count));
	v->bytes = at + sizeof(count);
	v->len = count < 0 ? 0 : count < room ? count : room;
	if (count <= room)
		return 0;
	v->status = EVENT_CUT;
	v->left_out = count - room < UINT32_MAX ? count - room : UINT32_MAX;
	return 0;
}

/* Refers to the whole record: parts are loaded when they are needed. */
int load_record(const struct field *f, const void *record, size_t size, struct value *v)
{
	(void)f;
	*v = (struct value){ .bytes = record, .len = size };
	return 0;
}

/* ---- any kind ---- */

static bool has_link(const struct field *f, unsigned link)
{
	for (unsigned i = 0; f->links && i <= link; i++)
		if (!f->links[i])
			return false;
	return true;
}

static inline int load_value(const struct field *f, const void *record, size_t size,
			     struct value *v)
{
	return f->count ? load_raw(f, record, size, v) : field_kind(f)->load(f, record, size, v);
}

/* Loads a slot whose status byte (enum field_status) is not 0: sets the enum event_status and the link that caused
 * it. */
static NOINLINE int load_flawed(const struct field *f, const void *record, size_t size,
				struct value *v)
{
	static const uint8_t reasons[] = { EVENT_OK, EVENT_NULL, EVENT_FAULT, EVENT_CUT };
	unsigned byte = ((const unsigned char *)record)[f->status - 1];
	unsigned status = reasons[byte >> 6], link = byte & FIELD_STATUS_LINK;
	int err = 0;

	*v = (struct value){ 0 };
	if (byte == FIELD_STATUS_NONE) {
		v->status = EVENT_NONE;
		return 0;
	}
	if (status == EVENT_OK || (status != EVENT_CUT && !has_link(f, link)))
		return -EBADMSG;
	if (status == EVENT_CUT)
		err = load_value(f, record, size, v);
	if (status == EVENT_NULL && link + 1 == f->own_link)
		status = EVENT_NIL;
	v->status = v->status ?: status;
	v->link = link;
	return err;
}

static NOINLINE int load_maybe(const struct field *f, const void *record, size_t size,
			       struct value *v)
{
	int err = load_value(f, record, size, v);
	unsigned bits = field_bits(f);
	uint64_t none;

	if (err)
		/* bit sizes are checked only by load_bits, so the width is valid only from here on */
		return err;
	none = is_signed(f) ? sign_extend(1ULL << (bits - 1), bits) : low_bits(~0ULL, bits);
	if (v->u == none)
		v->status = EVENT_NONE;
	return 0;
}

static NOINLINE int load_computed(const struct field *f, const void *record, struct value *v)
{
	*v = (struct value){ 0 };
	f->value(f, record, v);
	return 0;
}

int field_load(const struct field *f, const void *record, size_t size, struct value *v)
{
	if (__builtin_expect(f->value != NULL, 0))
		return load_computed(f, record, v);
	if ((size_t)f->offset + f->size > size || f->status > size)
		return -EBADMSG;
	if (f->status && ((const unsigned char *)record)[f->status - 1])
		return load_flawed(f, record, size, v);
	if (f->flags & FIELD_MAYBE)
		return load_maybe(f, record, size, v);
	return load_value(f, record, size, v);
}

field_load_fn *field_load_choose(const struct field *f, size_t certain)
{
	bool inside = (size_t)f->offset + f->size <= certain;

	if (f->value || f->status || f->count || f->flags & FIELD_MAYBE || !inside)
		return field_load;
	return field_kind(f)->load;
}
