// SPDX-License-Identifier: GPL-2.0
/*
 * schema.c - takes values out of records.
 *
 * A record may come from a broken program or a fuzzer: no offset or length that it carries is
 * believed before it is compared with the record's size. How a value looks is the sinks' business
 * and must not be known here.
 */
#include "core/schema.h"

#include <errno.h>
#include <string.h>
#include <linux/types.h>

#include "event.h"

#define ERRNO_MAX 4095 /* MAX_ERRNO of the kernel, err.h */

/* Keeps field_load's common path, a plain number, free of saved registers. */
#define NOINLINE __attribute__((noinline))

/* ---- loading ---- */

static bool is_signed(enum field_type type)
{
	static const unsigned types = 1U << FIELD_INT | 1U << FIELD_FD | 1U << FIELD_ERRNO |
				      1U << FIELD_RET | 1U << FIELD_ERROR;

	return types >> type & 1;
}

static unsigned field_bits(const struct field *f)
{
	return f->bit_size ? f->bit_size : f->size * 8;
}

static uint64_t low_bits(uint64_t u, unsigned bits)
{
	return bits < 64 ? u & ((1ULL << bits) - 1) : u;
}

static uint64_t sign_extend(uint64_t u, unsigned bits)
{
	return (uint64_t)((int64_t)(u << (64 - bits)) >> (64 - bits));
}

/* 1 to 64 bits that begin at any bit, and so lie in up to 9 bytes. */
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
	v->u = is_signed(f->type) ? sign_extend(v->u, f->bit_size) : low_bits(v->u, f->bit_size);
	return 0;
}

/* Records are written by the machine that reads them, and those are little endian. */
static NOINLINE int load_bytes(const struct field *f, const char *at, struct value *v)
{
	if (!f->size || f->size > sizeof(v->u))
		return -EBADMSG;
	memcpy(&v->u, at, f->size);
	if (is_signed(f->type))
		v->u = sign_extend(v->u, f->size * 8);
	return 0;
}

/* The sizes that C has: a move each. */
static int load_number(const struct field *f, const char *at, struct value *v)
{
	bool is_int = is_signed(f->type);
	int32_t s32;

	if (f->bit_size)
		return load_bits(f, at, v);
	switch (f->size) {
	case 4:
		memcpy(&s32, at, 4);
		v->u = is_int ? (uint64_t)s32 : (uint32_t)s32;
		return 0;
	case 8: memcpy(&v->u, at, 8); return 0;
	default: return load_bytes(f, at, v);
	}
}

/* Every word of a list carries its NUL; only a cut may have taken the last one's. */
static bool is_ended(const struct field *f, const struct event_str *str, const char *bytes)
{
	if (f->type == FIELD_STR || !str->len)
		return true;
	if (f->type == FIELD_ARGV && str->status == EVENT_CUT)
		return true;
	return bytes[str->len - 1] == '\0';
}

static NOINLINE int load_str(const struct field *f, const void *record, size_t size, struct value *v)
{
	struct event_words words = { 0 };
	struct event_str str;

	if (f->size != sizeof(str) && (f->type != FIELD_ARGV || f->size != sizeof(words)))
		return -EBADMSG;
	memcpy(&words, (const char *)record + f->offset, f->size);
	str = words.str;
	if (str.off > size || str.len > size - str.off || str.status > EVENT_OUTSIDE)
		return -EBADMSG;
	if (str.status)
		v->status = str.status;
	if (str.status == EVENT_FAULT || str.status == EVENT_NULL || str.status == EVENT_NONE)
		return 0;
	v->bytes = (const char *)record + str.off;
	v->len = str.len;
	v->left_out = str.left_out;
	v->unreadable = words.unreadable;
	return is_ended(f, &str, v->bytes) ? 0 : -EBADMSG;
}

/* Frames are u64s, and whole ones. Whose they are: the probed function, or the process. */
static NOINLINE int load_stack(const struct field *f, const void *record, size_t size,
			       struct value *v)
{
	struct event_stack stack;
	struct event_header head;

	if (f->size < sizeof(stack) || size < sizeof(head))
		return -EBADMSG;
	memcpy(&stack, (const char *)record + f->offset, sizeof(stack));
	memcpy(&head, record, sizeof(head));
	v->u = f->type == FIELD_KERNEL_STACK ? stack.function : head.pid;
	v->status = stack.size < 0 ? EVENT_FAULT : EVENT_OK;
	if (stack.size < 0)
		return 0;
	v->bytes = (const char *)record + f->offset + sizeof(stack);
	v->len = (unsigned)stack.size;
	return v->len % 8 || v->len > f->size - sizeof(stack) ? -EBADMSG : 0;
}

static bool has_link(const struct field *f, unsigned link)
{
	for (unsigned i = 0; f->links && i <= link; i++)
		if (!f->links[i])
			return false;
	return true;
}

/* A slot's status byte (enum field_status) → enum event_status and the link to blame. */
static NOINLINE int load_status(const struct field *f, unsigned byte, struct value *v)
{
	static const uint8_t reasons[] = { EVENT_OK, EVENT_NULL, EVENT_FAULT, EVENT_CUT };

	v->status = reasons[byte >> 6];
	v->link = byte & FIELD_STATUS_LINK;
	if (v->status == EVENT_CUT)
		return 0;
	return v->status != EVENT_OK && has_link(f, v->link) ? 0 : -EBADMSG;
}

static NOINLINE int load_cstr(const struct field *f, const void *record, struct value *v)
{
	v->bytes = (const char *)record + f->offset;
	v->len = text_length(v->bytes, f->size);
	return 0;
}

/* What is no number: the sink makes something of the bytes. */
static NOINLINE int load_raw(const struct field *f, const void *record, struct value *v)
{
	static const uint8_t sizes[] = {
		[FIELD_IP4] = 4, [FIELD_IP6] = 16, [FIELD_UUID] = 16, [FIELD_GUID] = 16,
		[FIELD_SOCKADDR] = 2,
	};

	if (!f->count && f->type < sizeof(sizes) && f->size < sizes[f->type])
		return -EBADMSG;
	v->bytes = (const char *)record + f->offset;
	v->len = f->size;
	v->left_out = f->left_out;
	if (f->left_out)
		v->status = EVENT_CUT;
	return 0;
}

/* Its parts are loaded from there when they are asked for. */
static NOINLINE int load_record(const void *record, size_t size, struct value *v)
{
	v->bytes = record;
	v->len = size;
	return 0;
}

static inline int load_value(const struct field *f, const void *record, size_t size,
			     struct value *v)
{
	if (f->count)
		return load_raw(f, record, v);
	switch (f->type) {
	case FIELD_BYTES:
	case FIELD_MAC:
	case FIELD_IP4:
	case FIELD_IP6:
	case FIELD_UUID:
	case FIELD_GUID:
	case FIELD_SOCKADDR:
	case FIELD_STRUCT: return load_raw(f, record, v);
	case FIELD_CSTR: return load_cstr(f, record, v);
	case FIELD_DIFF: return load_record(record, size, v);
	case FIELD_STR:
	case FIELD_PATH:
	case FIELD_ARGV: return load_str(f, record, size, v);
	case FIELD_KERNEL_STACK:
	case FIELD_USER_STACK: return load_stack(f, record, size, v);
	default: return load_number(f, (const char *)record + f->offset, v);
	}
}

/* A slot with something to say about its value. */
static NOINLINE int load_flawed(const struct field *f, const void *record, size_t size,
				struct value *v)
{
	int err = load_status(f, ((const unsigned char *)record)[f->status - 1], v);

	return err || v->status != EVENT_CUT ? err : load_value(f, record, size, v);
}

static NOINLINE int load_maybe(const struct field *f, const char *at, struct value *v)
{
	int err = load_number(f, at, v);
	unsigned bits = field_bits(f);
	uint64_t none;

	if (err)
		return err; /* only now are bits known to be 1 to 64 */
	none = is_signed(f->type) ? sign_extend(1ULL << (bits - 1), bits) : low_bits(~0ULL, bits);
	if (v->u == none)
		v->status = EVENT_NONE;
	return 0;
}

int field_load(const struct field *f, const void *record, size_t size, struct value *v)
{
	*v = (struct value){ 0 };
	if ((size_t)f->offset + f->size > size || f->status > size)
		return -EBADMSG;
	if (f->status && ((const unsigned char *)record)[f->status - 1])
		return load_flawed(f, record, size, v);
	if (f->flags & FIELD_MAYBE)
		return load_maybe(f, (const char *)record + f->offset, v);
	return load_value(f, record, size, v);
}

/* ---- what the sinks share ---- */

bool schema_accepts(const struct schema *s, size_t size)
{
	return size >= s->record_min && size >= sizeof(struct event_header);
}

int value_errno(const struct value *v)
{
	int64_t result = (int64_t)v->u;

	return result < 0 && result >= -ERRNO_MAX ? (int)-result : 0;
}

const char *value_error_name(const struct field *f, const struct value *v, bool *negative)
{
	*negative = (int64_t)v->u < 0;
	if (f->type == FIELD_PTR)
		return v->u >= (uint64_t)-ERRNO_MAX ? errno_name(value_errno(v)) : NULL;
	if (f->type != FIELD_ERROR || !v->u)
		return NULL;
	if (*negative)
		return errno_name(value_errno(v));
	return v->u <= ERRNO_MAX ? errno_name((int)v->u) : NULL;
}

int value_element(const struct field *f, const struct value *v, unsigned i, struct field *ef,
		  struct value *ev)
{
	*ef = *f;
	ef->count = ef->left_out = ef->status = 0;
	ef->size = f->size / f->count;
	ef->offset = i * ef->size;
	return field_load(ef, v->bytes, v->len, ev);
}

const char *value_link(const struct field *f, const struct value *v)
{
	return f->status && f->links ? f->links[v->link] : NULL;
}

/* Compared in the field's own width: an enumerator of -1 is 0xff in a byte. */
const char *value_enum_name(const struct field *f, const struct value *v)
{
	if (f->name_count)
		return v->u < f->name_count ? f->names[v->u].name : NULL;
	for (const struct field_name *n = f->names; n && n->name; n++)
		if (!low_bits(n->value ^ v->u, field_bits(f)))
			return n->name;
	return NULL;
}

/* Bits that a name has explained are not explained again, so O_SYNC before O_DSYNC wins. */
const struct field_name *value_flag_next(const struct field *f, const struct value *v,
					 uint64_t *named)
{
	for (const struct field_name *n = f->names; n && n->name; n++) {
		uint64_t mask = n->mask ? n->mask : n->value;

		if (!mask || mask & *named || (v->u & mask) != n->value)
			continue;
		*named |= mask;
		return n;
	}
	return NULL;
}

bool value_take_first(struct value *v, const char **word, size_t *len)
{
	const char *nul = v->len ? memchr(v->bytes, '\0', v->len) : NULL;
	size_t used;

	*word = v->bytes;
	*len = nul ? (size_t)(nul - v->bytes) : v->len;
	used = nul ? *len + 1 : *len;
	v->bytes += used;
	v->len -= used;
	return used > 0;
}

bool value_take_last(struct value *v, const char **word, size_t *len)
{
	const char *nul;

	if (!v->len)
		return false;
	nul = memrchr(v->bytes, '\0', v->len - 1);
	*word = nul ? nul + 1 : v->bytes;
	*len = v->bytes + v->len - 1 - *word;
	v->len = *word - v->bytes;
	return true;
}
