/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * behind.c - prints memory that members of a struct point to, and messages of msgsnd(2).
 *
 * The record comes from a ring: every length in it is checked before it is used.
 */
#include <string.h>

#include "syscalls/text.h"

/* Returns the entry's data or, if they are incomplete, the return's; of what the call fills only these. */
static const struct syssnoop_chunk *part_find(const struct out *out, const struct type *t,
					      unsigned part)
{
	bool is_filled = t->is_filled || (out->list && out->list_filled);
	const struct syssnoop_chunk *c = NULL, *after;

	if (!is_filled)
		c = chunk_find(out->event, out->arg, TAKE_AT_ENTRY, part);
	if (chunk_is_good(c) && !c->unread)
		return c;
	after = chunk_find(out->event, out->arg, TAKE_AT_RETURN, part);
	if (is_filled)
		return after;
	return chunk_is_good(after) ? after : c;
}

/* A string is in another part than bytes that other variants have at its place. */
static const struct syssnoop_chunk *behind_find(const struct out *out, const struct type *t,
						unsigned part)
{
	const struct syssnoop_chunk *c = NULL;

	if (t->kind == TYPE_STR || t->kind == TYPE_PATH)
		c = part_find(out, t, part | SYSSNOOP_SPECIAL);
	return c ?: part_find(out, t, part);
}

unsigned out_part(const struct out *out, const char *p)
{
	if (!out->list)
		return 1 + (unsigned)((size_t)(p - out->base) / 4);
	return out->index < SYSSNOOP_LIST ?
		       SYSSNOOP_IN_LIST | out->list * SYSSNOOP_LIST | out->index :
		       SYSSNOOP_SPECIAL; /* not captured */
}

/* A list of structs whose members may lead further. */
static void behind_array_write(struct out *out, const struct type *t, unsigned part,
			       const struct syssnoop_chunk *c, uint64_t address, uint64_t count)
{
	uint32_t align, size = type_size(t, out->event->abi, &align);
	uint64_t n = c->len / size;
	bool is_all;

	out->list = (uint16_t)part;
	out->list_filled = t->is_filled;
	out->is_cut |= n < count && c->unread;
	buf_char(out->o, '[');
	is_all = out_items(out, t, (const char *)(c + 1), (uint32_t)(n < count ? n : count));
	out->list = 0;
	if (is_all && n < count && c->unread)
		out_unread(out, address + n * size);
	else if (is_all && n < count && !out->json)
		buf_str(out->o, ", ...");
	buf_char(out->o, ']');
}

/* Without the NUL at its end if the type says so. */
static void behind_bytes_write(struct out *out, const struct type *t,
			       const struct syssnoop_chunk *c, uint64_t count)
{
	const char *p = (const char *)(c + 1);
	uint32_t most = out->options->strings;
	uint64_t n;

	count *= t->size;
	n = c->len < count ? c->len : count;
	if (t->bit && n && n == count && !p[n - 1])
		count = --n;
	out_string(out, p, n < most ? n : most, count > most, t->hex);
}

/* A string of at most so many bytes: that of a buffer, which may have no end in it. */
static void behind_text_write(struct out *out, const struct syssnoop_chunk *c, uint64_t count)
{
	const char *p = (const char *)(c + 1);
	size_t room = c->len < count ? c->len : (size_t)count, n = strnlen(p, room),
	       most = out->options->strings;
	bool is_open = n == count ? n : n == c->len && c->status == EVENT_CUT;

	out_string(out, p, n < most ? n : most, is_open || n > most, false);
}

/* A string in so many bytes: without an end in them it has not the last one either. */
static void behind_name_write(struct out *out, const struct syssnoop_chunk *c, uint32_t most)
{
	const char *p = (const char *)(c + 1);
	size_t room = c->len < most ? c->len : most, n = strnlen(p, room);

	out_string(out, p, n - (n == most), n == most || c->status == EVENT_CUT, false);
}

void out_behind(struct out *out, const struct type *t, unsigned part, uint64_t address,
		uint64_t count)
{
	const struct syssnoop_chunk *c = behind_find(out, t, part);
	uint32_t align, size = type_size(t, out->event->abi, &align), most = out->options->strings;
	bool is_list = type_is_list(t) && t->kind != TYPE_STR;

	if (t->kind == TYPE_BUF && size > most) /* of an element of many bytes */
		size = most;

	if (address && is_list && !count && !t->most && !t->is_filled && t->kind != TYPE_BUF)
		buf_str(out->o, "[]");
	else if (!address || !chunk_is_good(c) ||
		 (c->len < size && t->kind != TYPE_STR && (count || !is_list))) {
		out->is_cut |= is_list;
		out_address(out, address);
	} else if (t->kind == TYPE_STR && t->count_arg != COUNT_NONE)
		behind_text_write(out, c, count);
	else if (t->kind == TYPE_STR && t->count > 1)
		behind_name_write(out, c, t->count);
	else if (t->kind == TYPE_STR || t->kind == TYPE_PATH)
		out_text(out, t, c, c->len);
	else if (t->kind == TYPE_BUF)
		behind_bytes_write(out, t, c, count);
	else if (t->kind == TYPE_IOVEC && out->vector)
		out->vector(out, out->arg, part, c, address, ~0ull);
	else if (is_list)
		behind_array_write(out, t, part, c, address, count);
	else
		out_memory(out, t, (const char *)(c + 1), c->len);
}

/* True if a struct ends with a list. */
static bool ends_with_list(const struct type *t)
{
	const struct layout *l = t->kind == TYPE_STRUCT && !t->array ? t->of : NULL;

	return l && l->members[l->count - 1].type.count_arg < l->count;
}

/* True if such a struct has exactly so many bytes. */
static bool list_fits(const struct out *out, const struct layout *l, const char *p, uint64_t len)
{
	const struct type *last = &l->members[l->count - 1].type;
	uint32_t at[MEMBERS_MAX], align, each = type_size(last, out->event->abi, &align);

	members_place(l, out->event->abi, at);
	return len >= at[l->count - 1] &&
	       len == at[l->count - 1] + each * memory_number(p + at[last->count_arg], 4);
}

void out_behind_bytes(struct out *out, const struct type *t, unsigned part, uint64_t address,
		      uint64_t len)
{
	const struct syssnoop_chunk *c = behind_find(out, t, part);
	uint32_t align, size = type_size(t, out->event->abi, &align);
	struct type own = *t;

	own.limit_arg = LIMIT_SIZE; /* says that there is more */
	if (!address || !len || (t->each && len % (uint32_t)t->each) || !chunk_is_good(c) ||
	    c->len < (len < size ? len : size))
		out_address(out, address);
	else if (ends_with_list(t) &&
		 (c->len < len || !list_fits(out, t->of, (const char *)(c + 1), len)))
		out_address(out, address);
	else if (ends_with_list(t))
		out_struct(out, t->of, (const char *)(c + 1), len);
	else if (t->kind == TYPE_STRUCT && !t->array)
		out_struct_changed(out, &own, (const char *)(c + 1), len < size ? len : size, NULL,
				   0, len);
	else if (t->array)
		behind_array_write(out, t, part, c, address, len / size);
	else
		behind_bytes_write(out, t, c, len);
}

/* Returns the bytes of a message of msgsnd(2) after its type. */
static uint64_t msgbuf_size(struct out *out, const struct type *t)
{
	return t->count_arg < SYSCALL_ARGS ? out->event->args[t->count_arg] :
					     (uint64_t)out->event->ret;
}

bool out_msgbuf_is_whole(struct out *out, const struct type *t, const struct syssnoop_chunk *c)
{
	uint64_t n = msgbuf_size(out, t), most = out->options->strings;

	return c->len >= (out->event->abi ? 4 : 8) + (n < most ? n : most);
}

void out_msgbuf(struct out *out, const struct type *t, const struct syssnoop_chunk *c)
{
	uint32_t word = out->event->abi ? 4 : 8;
	uint64_t n = msgbuf_size(out, t), shown = n;

	if (shown > out->options->strings)
		shown = out->options->strings;
	buf_printf(out->o, out->json ? "{\"mtype\":%lld,\"mtext\":" : "{mtype=%lld, mtext=",
		   word == 4 ? (int)memory_number((const char *)(c + 1), 4) :
			       (long long)memory_number((const char *)(c + 1), 8));
	out_string(out, (const char *)(c + 1) + word, shown, n > shown, false);
	buf_char(out->o, '}');
}
