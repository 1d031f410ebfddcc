/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * data.c - prints the captured memory that an argument points to.
 *
 * The record comes from a ring: every length in it is checked before it is used.
 */
#include <errno.h>
#include <string.h>

#include "syscalls/text.h"

/* Without -v, an environment is printed as a count. */
static void words_count_write(struct out *out, uint64_t address, uint32_t total, bool is_open)
{
	if (out->json)
		buf_uint(out->o, total);
	else
		buf_printf(out->o, "%#llx /* %u var%s%s */", (unsigned long long)address, total,
			   total == 1 ? "" : "s", is_open ? ", unterminated" : "");
}

static void words_write(struct out *out, uint64_t address, const struct syssnoop_chunk *c,
			bool is_env)
{
	const struct syssnoop_words *w = (const void *)(c + 1);
	const char *p = (const char *)(w + 1), *end = (const char *)(c + 1) + c->len;
	uint32_t total = c->len < sizeof(*w) ? 0 : w->total & ~SYSSNOOP_WORDS_OPEN;
	bool is_open = c->len < sizeof(*w) || w->total & SYSSNOOP_WORDS_OPEN;

	if (is_open && !total) {
		out_hex(out, address);
		return;
	}
	if (is_env && !out->options->verbose) {
		words_count_write(out, address, total, is_open);
		return;
	}
	buf_char(out->o, '[');
	for (uint32_t i = 0; i < w->kept && (size_t)(end - p) >= sizeof(struct syssnoop_word);
	     i++) {
		const struct syssnoop_word *word = (const void *)p;

		p += sizeof(*word);
		if (word->len > (size_t)(end - p))
			break;
		if (i)
			buf_str(out->o, out->json ? "," : ", ");
		if (word->status == EVENT_FAULT && word->len == sizeof(uint64_t))
			out_hex(out, memory_number(p, sizeof(uint64_t)));
		else
			out_string(out, p, word->len, word->status == EVENT_CUT, false);
		p += ((size_t)word->len + 3) / 4 * 4;
		if (p > end)
			break;
	}
	if (w->kept < total && !out->json)
		buf_str(out->o, ", ...");
	else if (is_open)
		out_unread(out, address + (uint64_t)total * (out->event->abi ? 4 : 8));
	buf_char(out->o, ']');
}

/* A set of descriptors: [3 5]. */
void out_fdset(struct out *out, const struct syssnoop_chunk *c, unsigned limit)
{
	const unsigned char *p = (const void *)(c + 1);
	bool first = true;

	buf_char(out->o, '[');
	for (unsigned fd = 0; fd < limit && fd / 8 < c->len; fd++) {
		if (!(p[fd / 8] >> fd % 8 & 1))
			continue;
		if (!first)
			buf_char(out->o, out->json ? ',' : ' ');
		first = false;
		buf_uint(out->o, fd);
	}
	buf_char(out->o, ']');
}

/* A number that the call has changed: [2 => 7]. */
static void changed_write(struct out *out, const struct type *t,
			  const struct syssnoop_chunk *before, uint32_t size)
{
	const struct syssnoop_chunk *after = chunk_find(out->event, before->arg, TAKE_AT_RETURN, 0);

	if (out->json || !chunk_is_good(after) || after->len < size || before->len < size ||
	    !memcmp(before + 1, after + 1, size))
		return;
	buf_str(out->o, " => ");
	out_memory(out, t, (const char *)(after + 1), size);
}

/* Writes the address in the program where an array continues that could not be read further. */
static void unread_write(struct out *out, const struct syssnoop_chunk *c, uint64_t at)
{
	if (c->unread)
		out_unread(out, out->event->args[c->arg] + at);
}

/* How many elements there are if the type has one for each so many of its count. */
static uint64_t scaled_count(const struct out *out, const struct type *t)
{
	uint64_t n = out->event->args[t->count_arg],
		 each = (uint64_t)(t->each < 0 ? -t->each : t->each);

	n -= t->each < 0 && n;
	return n / each + (n % each != 0);
}

/* Of numbered elements, which a call reads and changes: => [...], or the address if it failed. */
RARE static void indexed_change_write(struct out *out, const struct type *t,
				      const struct syssnoop_chunk *before, uint32_t size)
{
	const struct syssnoop_chunk *after = chunk_find(out->event, before->arg, TAKE_AT_RETURN, 0);

	if (out->json || before->unread || (out->event->ret >= 0 && !chunk_is_good(after)))
		return;
	buf_str(out->o, " => ");
	if (out->event->ret < 0)
		out_address(out, out->event->args[before->arg]);
	else
		out_elements(out, t, (const char *)(after + 1), after->len / size);
}

/* Limits to the number of elements that strace(1) prints. */
static void array_write(struct out *out, const struct type *t, const struct syssnoop_chunk *c,
			uint64_t len)
{
	uint32_t align, size = type_size(t, out->event->abi, &align);
	bool is_all, is_short = true, is_more = false;

	if (t->count_arg == COUNT_NONE && t->count && len > size * t->count)
		len = size * t->count;
	if (t->each && len / size >= scaled_count(out, t)) {
		len = size * scaled_count(out, t);
		is_short = false;
	}
	if (t->is_short && size && len / size > t->most) {
		len = size * t->most;
		is_more = !out->json;
	}
	buf_char(out->o, '[');
	is_all = out_items(out, t, (const char *)(c + 1), size ? (uint32_t)(len / size) : 0);
	if (is_more && is_all) {
		buf_str(out->o, ", ...");
		is_all = false;
	}
	if (t->ptr == '&' && size && t->kind != TYPE_INDEXED)
		changed_write(out, t, c, size);
	if (is_all && is_short && t->count_arg != COUNT_NONE)
		unread_write(out, c, len / size * size);
	else if (is_all && size && len / size < t->count)
		unread_write(out, c, len / size * size);
	buf_char(out->o, ']');
	if (t->ptr == '&' && t->kind == TYPE_INDEXED && size)
		indexed_change_write(out, t, c, size);
}

static bool is_last_shown(const struct out *out, uint32_t shown)
{
	return shown >= out->options->strings && !out->options->verbose && !out->json;
}

/* revents are printed separately from events; an invalid descriptor has none. */
void out_pollfds(struct out *out, const struct syssnoop_chunk *c, bool is_return)
{
	const char *p = (const char *)(c + 1);
	bool is_all = true;
	uint32_t shown = 0;

	buf_char(out->o, '[');
	for (uint32_t at = 0; at + 8 <= c->len; at += 8) {
		uint64_t bits = memory_number(p + at + (is_return ? 6 : 4), 2);
		int fd = (int)memory_number(p + at, 4);

		if (is_return && !bits)
			continue;
		buf_str(out->o, !shown ? "" : out->json ? "," : ", ");
		if (is_last_shown(out, shown++)) {
			buf_str(out->o, "...");
			is_all = false;
			break;
		}
		buf_printf(out->o, out->json ? "{\"fd\":%d" : "{fd=%d", fd);
		if (fd >= 0 || is_return) {
			buf_printf(out->o, out->json ? ",\"%s\":" : ", %s=",
				   is_return ? "revents" : "events");
			out_set(out, set_find("poll"), bits, 2);
		}
		buf_char(out->o, '}');
	}
	if (is_all && !is_return)
		unread_write(out, c, c->len / 8 * 8);
	buf_char(out->o, ']');
}

/* Writes a time, if there are enough bytes for one. */
RARE static bool opttime_write(struct out *out, const struct type *t, const char *p, uint64_t len,
			       uint64_t room)
{
	const struct type time = { .kind = TYPE_STRUCT,
				   .of = layout_find(t->bit == 2 ? "timeval64" : "timeval") };
	uint32_t align, size = type_size(&time, out->event->abi, &align);

	if (!t->bit || room < size || len < size)
		return false;
	out_memory(out, &time, p, size);
	return true;
}

/* Writes a number, or bytes of another type. */
static void optval_write(struct out *out, const char *p, uint64_t len, uint64_t room)
{
	uint64_t n = room < len ? room : len;
	uint32_t most = out->options->strings;

	if (room == 4) {
		buf_printf(out->o, "[%d]", (int)memory_number(p, 4));
		return;
	}
	out_string(out, p, n < most ? n : most, room > n || n > most, false);
}

/* Writes a struct as passed and as changed by the call, and the bytes that a later kernel adds. */
static void struct_write(struct out *out, const struct type *t, const struct syssnoop_chunk *c,
			 uint64_t len, uint64_t room)
{
	const struct syssnoop_chunk *after = NULL;

	if ((t->ptr == '&' && out->event->ret >= 0) || t->ptr == '^' ||
	    (t->limit_arg == LIMIT_SIZE && out->event->ret == -E2BIG))
		after = chunk_find(out->event, c->arg, TAKE_AT_RETURN, 0);
	if (!chunk_is_good(after) || !(c->when & TAKE_AT_ENTRY))
		after = NULL;
	out_struct_changed(out, t, (const char *)(c + 1), len,
			   after ? (const char *)(after + 1) : NULL, after ? after->len : 0, room);
	if (out->event->ret == -E2BIG && after && type_has_size_first(t) && !out->json)
		buf_printf(out->o, " => {size=%u}",
			   (unsigned)memory_number((const char *)(after + 1), 4));
}

/* `wanted`: the number of bytes, if the type defines it. */
static void buffer_write(struct out *out, const struct call *call, const struct type *t,
			 const struct syssnoop_chunk *c, uint64_t wanted)
{
	const char *p = (const char *)(c + 1);
	uint32_t protocol;
	uint64_t len, most = out->options->strings;

	if (t->count_arg == COUNT_NONE)
		wanted = t->count;
	else if (t->limit_arg == COUNT_NONE || (uint64_t)out->event->ret < wanted)
		wanted = t->count_arg < SYSCALL_ARGS ? out_buffer_size(out, call, t, c) :
						       (uint64_t)out->event->ret;
	len = wanted < c->len ? wanted : c->len;
	if (call->args[0].type.bit && out_is_netlink(out, &protocol)) {
		out_netlink(out, protocol, c, out->event->args[c->arg], wanted);
		return;
	}
	if (call->args[0].type.bit && out_udev(out, c, wanted))
		return;
	if (t->bit && len && len == wanted && !p[len - 1])
		wanted = --len;
	out_string(out, p, len < most ? len : most, (len < most ? len : most) < wanted, t->hex);
}

void out_data(struct out *out, const struct call *call, unsigned i, const struct syssnoop_chunk *c)
{
	const struct type *t = &call->args[i].type;
	bool is_limited = t->limit_arg != COUNT_NONE || t->kind == TYPE_SOCKADDR;
	uint64_t address = out->event->args[i], len = c->len,
		 wanted = is_limited ? out_room(out, call, t, c) : ~0ull;
	uint32_t align;
	const char *p = (const char *)(c + 1);

	out->arg = i;
	out->base = p;
	out->is_cut = false;
	len = wanted < len ? wanted : len;
	switch (t->kind) {
	case TYPE_SOCKADDR:
		if (len < sizeof(uint16_t))
			out_scalar(out, &(struct type){ .kind = TYPE_PTR, .size = SIZE_WORD },
				   address);
		else
			out_sockaddr(out, p, len);
		break;
	case TYPE_OPTVAL:
		if (!opttime_write(out, t, p, c->len, wanted))
			optval_write(out, p, c->len, wanted);
		break;
	case TYPE_PATH:
	case TYPE_STR: out_text(out, t, c, len); break;
	case TYPE_BUF: buffer_write(out, call, t, c, wanted); break;
	case TYPE_CHARS: out_value(out, t, p, len); break;
	case TYPE_MSGBUF: out_msgbuf(out, t, c); break;
	case TYPE_WORDS:
	case TYPE_ENVP: words_write(out, address, c, t->kind == TYPE_ENVP); break;
	case TYPE_DIRENT: out_dirents(out, t, address, c); break;
	case TYPE_IOVEC:
		out_iovec(out, i, 0, c, address,
			  t->ptr != '>'	      ? ~0ull :
			  out->event->ret < 0 ? IOVEC_ADDRESSES :
						(uint64_t)out->event->ret);
		break;
	case TYPE_REQUESTS: out_requests(out, c, out->event->args[t->count_arg]); break;
	case TYPE_MSGHDR:
		if (t->ptr == '>')
			wanted = out->event->ret > 0 ? (uint64_t)out->event->ret : 0;
		out_message(out, i, 0, p, c->len, t->ptr == '>' ? wanted : ~0ull);
		break;
	case TYPE_MMSGHDR: out_messages(out, i, t->ptr == '&'); break;
	case TYPE_FDSET: out_fdset(out, c, (unsigned)out->event->args[0]); break;
	case TYPE_CPUSET: out_fdset(out, c, ~0u); break;
	case TYPE_STRUCT:
		if (!strcmp(((const struct layout *)t->of)->name, "pollfd")) {
			out_pollfds(out, c, false);
			break;
		}
		if (!t->array) {
			struct_write(out, t, c, len, wanted);
			break;
		} /* fallthrough */
	default:
		if (t->array && len >= type_size(t, out->event->abi, &align))
			array_write(out, t, c, len);
		else if (t->array && !len)
			buf_str(out->o, "[]");
		else if (t->array)
			out_string(out, p, len, false, true);
		else
			out_memory(out, t, p, len);
	}
}
