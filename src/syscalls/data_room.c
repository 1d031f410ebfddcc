/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * data_room.c - how many bytes and elements the target of an argument has, and whether enough of it was captured.
 *
 * The record comes from a ring: every length in it is checked before it is used.
 */
#include <string.h>

#include "syscalls/text.h"

static uint64_t behind(const struct syssnoop_chunk *c, uint64_t otherwise)
{
	return chunk_is_good(c) && c->len >= 4 ? memory_number((const char *)(c + 1), 4) :
						 otherwise;
}

/* Returns the value of the member `size` of a struct. */
static uint64_t own_size(struct out *out, const struct type *t, const struct syssnoop_chunk *c)
{
	const struct layout *l = t->of;
	uint64_t size = 0;
	uint32_t at[MEMBERS_MAX];

	members_place(l, out->event->abi, at);
	for (uint8_t i = 0; i < l->count; i++)
		if (!strcmp(l->members[i].name, "size") && at[i] + 4 <= c->len)
			size = memory_number((const char *)(c + 1) + at[i], 4);
	return size ?: t->least;
}

uint64_t out_room(struct out *out, const struct call *call, const struct type *t,
		  const struct syssnoop_chunk *c)
{
	unsigned arg = t->limit_arg != COUNT_NONE ? t->limit_arg : t->count_arg;
	const struct syssnoop_event *e = out->event;
	uint64_t before, after;

	if (arg == LIMIT_SIZE)
		return own_size(out, t, c);
	if (arg >= SYSCALL_ARGS)
		return ~0ull;
	if (call->args[arg].type.kind != TYPE_SOCKLEN)
		return scalar_size(&call->args[arg].type, e->abi) == 8 ? e->args[arg] :
		       (int32_t)e->args[arg] > 0		       ? (uint32_t)e->args[arg] :
									 0;
	before = behind(chunk_find(e, arg, TAKE_AT_ENTRY, 0), 0);
	after = behind(chunk_find(e, arg, TAKE_AT_RETURN, 0), before);
	return before < after ? before : after;
}

/* Returns the number in what another argument leads to; ~0: it was not captured. */
static uint64_t count_behind(const struct syssnoop_event *e, const struct type *t)
{
	const struct syssnoop_chunk *c = chunk_find(e, t->count_arg, TAKE_AT_ENTRY, 0);

	return chunk_is_good(c) && !c->unread && c->len >= t->count_at + 4u ?
		       memory_number((const char *)(c + 1) + t->count_at, 4) :
		       ~0ull;
}

uint64_t out_buffer_size(struct out *out, const struct call *call, const struct type *t,
			 const struct syssnoop_chunk *c)
{
	const struct type *count = &call->args[t->count_arg].type;
	uint64_t n = out->event->args[t->count_arg];

	if (count->kind == TYPE_SOCKLEN)
		return out_room(out, call, t, c);
	if (t->count_at)
		return count_behind(out->event, t);
	return scalar_size(count, out->event->abi) == 4 ? (uint32_t)n : n;
}

/* True if the descriptors that select(2) has room for, in words, were captured. */
static bool fdset_is_whole(int limit, uint32_t len)
{
	uint32_t most = limit < 1024 ? (uint32_t)limit : 1024;

	return limit >= 0 && len >= (most + 63) / 64 * 8;
}

bool out_array_is_empty(struct out *out, const struct call *call, const struct type *t)
{
	bool is_ok = out->event->ret >= 0;
	uint32_t align;

	if (t->each || (t->most && !t->is_short))
		return false;
	if (t->limit_arg < SYSCALL_ARGS) /* of a single element the bytes that there are */
		return is_ok && t->count != 1 &&
		       call->args[t->limit_arg].type.kind == TYPE_SOCKLEN &&
		       out_room(out, call, t, NULL) < type_size(t, out->event->abi, &align);
	return t->count_arg < SYSCALL_ARGS && t->ptr && strchr(">*&", t->ptr) &&
	       call->args[t->count_arg].type.kind != TYPE_SOCKLEN &&
	       !out_buffer_size(out, call, t, NULL);
}

/* The only struct whose first member is a set of capabilities. */
static bool is_capdata(const struct type *t)
{
	return t->kind == TYPE_STRUCT &&
	       ((const struct layout *)t->of)->members[0].type.kind == TYPE_CAPS;
}

/* True for a struct that could be read as far as its members before "|". */
RARE static bool has_head(const struct out *out, const struct type *t,
			  const struct syssnoop_chunk *c)
{
	const struct layout *l = t->kind == TYPE_STRUCT && !t->array ? t->of : NULL;
	uint32_t at[MEMBERS_MAX], align;

	if (!l || !l->head)
		return false;
	members_place(l, out->event->abi, at);
	return c->len >= at[l->head - 1] + member_size(&l->members[l->head - 1].type,
						       out->event->abi, &align);
}

/* True if a growing struct, whose end could not be read, is there as far as it is shown without -v. */
RARE static bool has_shown(const struct out *out, const struct type *t,
			   const struct syssnoop_chunk *c, uint64_t room)
{
	const struct layout *l = t->of;
	uint32_t at[MEMBERS_MAX], align, end = 0;

	if (!c->unread || room < t->least || out->options->verbose || out->json)
		return false;
	members_place(l, out->event->abi, at);
	for (uint8_t i = 0; i < l->count; i++)
		if (!l->members[i].type.hidden && *l->members[i].name != '_' && at[i] >= end)
			end = at[i] + member_size(&l->members[i].type, out->event->abi, &align);
	return c->len >= end;
}

#define BPF_ATTR_MAX 4096 /* of more bytes bpf(2) reads none */

bool out_data_is_whole(struct out *out, const struct call *call, const struct type *t,
		       const struct syssnoop_chunk *c)
{
	bool is_limited = t->limit_arg != COUNT_NONE;
	uint32_t align, size, protocol;
	uint64_t room;

	if (t->kind == TYPE_STRUCT && out->event->abi && ((const struct layout *)t->of)->is_64)
		return false;
	if (t->kind == TYPE_FDSET && (int)out->event->args[0] < 0)
		return false;
	if (c->unread && has_head(out, t, c))
		return true;
	if (t->kind == TYPE_MSGBUF)
		return out_msgbuf_is_whole(out, t, c);
	if (t->most && !t->is_short && t->count_arg < SYSCALL_ARGS &&
	    out_buffer_size(out, call, t, c) > t->most)
		return false;
	if (t->count_at) {
		room = count_behind(out->event, t);
		return room != ~0ull &&
		       c->len >= (room < out->options->strings ? room : out->options->strings);
	}
	if (!c->unread && !is_limited && t->kind != TYPE_STRUCT)
		return true;
	size = type_size(t, out->event->abi, &align);
	if (is_capdata(t)) {
		if (!out_caps_halves(out))
			return false;
		size = size / 2 * out_caps_halves(out);
	}
	room = out_room(out, call, t, c);
	if (t->is_exact && room != size)
		return false;
	if (t->least == 1 && (room > BPF_ATTR_MAX || c->unread)) /* all of it, or nothing */
		return false;
	if (t->limit_arg == LIMIT_SIZE && has_shown(out, t, c, room))
		return true;
	if (t->limit_arg == LIMIT_SIZE && type_has_size_first(t))
		return c->len >= (room < t->least ? 4 : room < size ? room : size);
	if (is_limited && (!room || (t->ptr == '*' && t->kind != TYPE_OPTVAL &&
				     t->kind != TYPE_STR && room < (t->least ?: size))))
		return false;
	if (!c->unread)
		return true;
	if (is_limited && (c->len >= room || (t->least && c->len >= size)))
		return true;
	switch (t->kind) {
	case TYPE_BUF:
		if (call->args[0].type.bit && c->len && out_is_netlink(out, &protocol))
			return true;
		return c->len >= (room < out->options->strings ? room : out->options->strings + 1);
	case TYPE_PATH:
	case TYPE_STR: return c->status == EVENT_CUT || memchr(c + 1, 0, c->len) != NULL;
	case TYPE_CHARS: return c->len >= t->count || memchr(c + 1, 0, c->len) != NULL;
	case TYPE_OPTVAL: return c->len >= room || c->len >= size;
	case TYPE_SOCKADDR: return c->len >= room;
	case TYPE_MSGHDR:
	case TYPE_MMSGHDR:
	case TYPE_IOVEC:
	case TYPE_DIRENT:
	case TYPE_WORDS:
	case TYPE_ENVP: return true;
	case TYPE_FDSET: return fdset_is_whole((int)out->event->args[0], c->len);
	case TYPE_CPUSET: return false;		  /* not even a part of it is shown */
	case TYPE_CONSOLE: return c->len >= size; /* of a list any part */
	default: return t->count_arg == COUNT_NONE ? c->len >= size * t->count : c->len >= size;
	}
}
