/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * message.c - prints memory that points to more memory: iovec, and struct msghdr with its address, vector and control
 * messages.
 *
 * The record comes from a ring: every length in it is checked before it is used.
 */
#include <string.h>
#include <sys/socket.h>

#include "syscalls/text.h"

static const char *separator(const struct out *out)
{
	return out->json ? "," : ", ";
}

static void key_write(struct out *out, const char *name)
{
	buf_printf(out->o, out->json ? ",\"%s\":" : ", %s=", name);
}

/* Writes its type and data; without a row for it, no data, as strace(1). */
static void control_data_write(struct out *out, uint64_t level, uint64_t type, const char *p,
			       uint32_t len)
{
	__u64 args[SYSCALL_ARGS] = { level, type };
	const struct call *c = call_part("+cmsg");
	const struct type *t;
	uint32_t align, size;
	bool is_time;

	c = c ? call_variant(c, args) : NULL;
	if (!c)
		return;
	key_write(out, "cmsg_level");
	out_scalar(out, &c->args[0].type, level);
	key_write(out, "cmsg_type");
	out_scalar(out, &c->args[1].type, type);
	if (c->nargs < 3 || !len)
		return;
	t = &c->args[2].type;
	size = type_size(t, out->event->abi, &align) * (t->count ?: 1);
	is_time = t->kind == TYPE_STRUCT &&
		  !strncmp(((const struct layout *)t->of)->name, "time", 4);
	if (len < size && !is_time && t->kind != TYPE_FD)
		return;
	key_write(out, "cmsg_data");
	if (len < size && t->kind == TYPE_FD) { /* a part of one */
		out_string(out, p, len, false, true);
		return;
	}
	if (len < size) {
		out_word(out, "???");
		return;
	}
	out_value(out, &c->args[2].type, p, len);
}

static void control_entry_write(struct out *out, const char *p, uint64_t len, uint64_t room)
{
	unsigned word = out->event->abi ? 4 : 8, head = word + 8;

	buf_printf(out->o, out->json ? "{\"cmsg_len\":%llu" : "{cmsg_len=%llu",
		   (unsigned long long)len);
	room = len < room ? len : room;
	control_data_write(out, memory_number(p + word, 4), memory_number(p + word + 4, 4),
			   p + head, room > head ? (uint32_t)room - head : 0);
	buf_char(out->o, '}');
}

/* Skips the part that a wrong length makes unknown. */
static void control_write(struct out *out, const struct syssnoop_chunk *c, uint64_t address)
{
	unsigned word = out->event->abi ? 4 : 8, head = word + 8;
	const char *p = (const char *)(c + 1);
	uint64_t at = 0;

	if (c->len < head) {
		out_hex(out, address);
		return;
	}
	out->arg = c->arg;
	out->list = 0;
	buf_char(out->o, '[');
	while (c->len - at >= head) {
		uint64_t len = memory_number(p + at, word), rest = c->len - at;

		buf_str(out->o, at ? separator(out) : "");
		if (out->list < 3) /* of two messages the paths of descriptors are known */
			out->list++;
		control_entry_write(out, p + at, len, rest);
		at += len < head ? head : len >= rest ? rest : (len + word - 1) / word * word;
		at = at < c->len ? at : c->len;
		if (len < head)
			break;
	}
	out->list = 0;
	if (at < c->len)
		out_unread(out, address + at);
	else if (c->left_out && !out->json)
		buf_str(out->o, ", ...");
	buf_char(out->o, ']');
}

/* Writes those of `n` bytes that were captured and that -s allows. */
static void shown_write(struct out *out, const struct syssnoop_chunk *data, uint64_t n)
{
	uint64_t shown = n < data->len ? n : data->len;

	if (shown > out->options->strings)
		shown = out->options->strings;
	out_string(out, (const char *)(data + 1), shown, shown < n, false);
}

static void iovec_data_write(struct out *out, const struct syssnoop_chunk *data, uint64_t base,
			     uint64_t n)
{
	uint64_t most = out->options->strings + 1ull;
	uint32_t protocol;

	if (chunk_is_good(data) && n && out_is_netlink(out, &protocol))
		out_netlink(out, protocol, data, base, n);
	else if (chunk_is_good(data) && n && !(data->unread && data->len < (n < most ? n : most)))
		shown_write(out, data, n);
	else if (!n && base)
		out_string(out, "", 0, false, false);
	else
		out_address(out, base);
}

/* Writes the address of the first entry of `size` bytes that could not be read. */
static void entries_rest_write(struct out *out, const struct syssnoop_chunk *c, uint64_t address,
			       uint32_t size)
{
	if (c->unread)
		out_unread(out, address + c->len / size * size);
	else if (c->left_out && !out->json)
		buf_str(out->o, ", ...");
}

void out_iovec(struct out *out, unsigned arg, unsigned part, const struct syssnoop_chunk *c,
	       uint64_t address, uint64_t left)
{
	unsigned word = out->event->abi ? 4 : 8, count = c->len / (2 * word);
	bool is_all = left >= IOVEC_ADDRESSES, is_short = !out->options->verbose && !out->json;
	const char *p = (const char *)(c + 1);

	buf_char(out->o, '[');
	for (unsigned i = 0; i < count; i++, p += 2 * word) {
		uint64_t base = memory_number(p, word), len = memory_number(p + word, word), n;

		buf_str(out->o, i ? separator(out) : "");
		if (is_short && i >= out->options->strings) {
			buf_str(out->o, "...");
			break;
		}
		buf_str(out->o, out->json ? "{\"iov_base\":" : "{iov_base=");
		n = is_all || len < left ? len : left;
		left -= is_all ? 0 : n;
		if (left == IOVEC_ADDRESSES)
			out_address(out, base);
		else
			iovec_data_write(out, chunk_find(out->event, arg, ~0u, part + 1 + i), base,
					 n);
		buf_printf(out->o, out->json ? ",\"iov_len\":%llu}" : ", iov_len=%llu}",
			   (unsigned long long)len);
	}
	if (!is_short || count <= out->options->strings)
		entries_rest_write(out, c, address, 2 * word);
	buf_char(out->o, ']');
}

/* The members of a request have parts as if it began where part 1 does. */
static void request_write(struct out *out, unsigned i, uint64_t address)
{
	const struct syssnoop_chunk *c = chunk_find(out->event, out->arg, ~0u,
						    1 + i * REQUEST_PARTS);
	const struct layout *iocb = layout_find("iocb");
	const char *p = (const char *)(c + 1);

	if (!chunk_is_good(c) || c->unread) {
		out_address(out, address);
		return;
	}
	out->base = p - (size_t)i * REQUEST_PARTS * 4;
	out->vector = out_iovec;
	out_struct(out, iocb, p, c->len);
}

void out_requests(struct out *out, const struct syssnoop_chunk *c, uint64_t count)
{
	uint32_t word = out->event->abi ? 4 : 8, n = c->len / word;
	uint64_t most = out->options->verbose || out->json ? n : out->options->strings;
	const char *p = (const char *)(c + 1);

	if ((int64_t)count < 0) {
		out_address(out, out->event->args[c->arg]);
		return;
	}
	buf_char(out->o, '[');
	for (uint32_t i = 0; i < n && i < most; i++) {
		buf_str(out->o, i ? separator(out) : "");
		request_write(out, i, memory_number(p + i * word, word));
	}
	if (n > most)
		buf_str(out->o, ", ...");
	else
		entries_rest_write(out, c, out->event->args[c->arg], word);
	buf_char(out->o, ']');
}

/* Finds the memory at an address, or prints the address. */
static const struct syssnoop_chunk *part_find(struct out *out, unsigned arg, unsigned part,
					      uint64_t address)
{
	const struct syssnoop_chunk *c = chunk_find(out->event, arg, ~0u, part);

	if (address && chunk_is_good(c))
		return c;
	out_address(out, address);
	return NULL;
}

/* Returns the room for a name, if it was captured before the call. */
static uint64_t namelen_before(struct out *out, unsigned arg, unsigned part, uint64_t now)
{
	const struct syssnoop_chunk *c = chunk_find(out->event, arg, TAKE_AT_ENTRY, 0);
	unsigned word = out->event->abi ? 4 : 8,
		 at = part ? (part / MSGHDR_PARTS - 1) * 8 * word + word : word;

	if (!chunk_is_good(c) || at + 4 > c->len)
		return now;
	return memory_number((const char *)(c + 1) + at, 4);
}

static void namelen_write(struct out *out, unsigned arg, unsigned part, uint64_t now)
{
	uint64_t before = namelen_before(out, arg, part, now);

	if (before != now && !out->json)
		buf_printf(out->o, "%u => ", (unsigned)before);
	buf_uint(out->o, now);
}

void out_message(struct out *out, unsigned arg, unsigned part, const char *p, size_t len,
		 uint64_t left)
{
	unsigned word = out->event->abi ? 4 : 8;
	uint64_t v[6], flags, name;
	const struct syssnoop_chunk *at;

	if (len < 7 * word) {
		out_hex(out, out->event->args[arg]);
		return;
	}
	for (unsigned i = 0; i < 6; i++)
		v[i] = memory_number(p + i * word, i == 1 ? 4 : word);
	flags = memory_number(p + 6 * word, 4);
	if (out->event->ret < 0 && !left) { /* nothing came */
		buf_printf(out->o, out->json ? "{\"msg_namelen\":%u}" : "{msg_namelen=%u}",
			   (unsigned)v[1]);
		return;
	}
	buf_str(out->o, out->json ? "{\"msg_name\":" : "{msg_name=");
	name = namelen_before(out, arg, part, v[1]);
	name = name < v[1] ? name : v[1];
	if (name < 2)
		out_address(out, v[0]);
	else if ((at = part_find(out, arg, part + MSGHDR_NAME, v[0])))
		out_sockaddr(out, (const char *)(at + 1), name < at->len ? name : at->len);
	key_write(out, "msg_namelen");
	namelen_write(out, arg, part, v[1]);
	key_write(out, "msg_iov");
	if ((at = part_find(out, arg, part + MSGHDR_IOVEC, v[2])))
		out_iovec(out, arg, part + MSGHDR_IOVEC, at, v[2], left);
	key_write(out, "msg_iovlen");
	buf_uint(out->o, v[3]);
	if (v[5]) {
		key_write(out, "msg_control");
		if ((at = part_find(out, arg, part + MSGHDR_CONTROL, v[4])))
			control_write(out, at, v[4]);
	}
	key_write(out, "msg_controllen");
	buf_uint(out->o, v[5]);
	key_write(out, "msg_flags");
	out_set(out, set_find("msg"), flags, 4);
	buf_char(out->o, '}');
}

/* That there are more, and where they could not be read. */
static void messages_rest_write(struct out *out, unsigned arg, const struct syssnoop_chunk *c)
{
	if (!chunk_is_good(c) || out->json)
		return;
	entries_rest_write(out, c, out->event->args[arg], out->event->abi ? 32 : 64);
}

void out_messages(struct out *out, unsigned arg, bool came)
{
	const struct syssnoop_chunk *after = chunk_find(out->event, arg, TAKE_AT_RETURN, 0);
	const struct syssnoop_chunk *c = came ? NULL :
						chunk_find(out->event, arg, TAKE_AT_ENTRY, 0);
	unsigned word = out->event->abi ? 4 : 8, size = 8 * word;
	int64_t ret = out->event->ret;

	if (!chunk_is_good(c) || (c->unread && chunk_is_good(after)))
		c = after;
	buf_char(out->o, '[');
	for (uint32_t i = 0; chunk_is_good(c) && (i + 1) * size <= c->len; i++) {
		const char *p = (const char *)(c + 1) + i * size;
		uint32_t at = i * size + 7 * word, length = 0;

		if (chunk_is_good(after) && at + 4 <= after->len)
			length = (uint32_t)memory_number((const char *)(after + 1) + at, 4);
		buf_str(out->o, i ? separator(out) : "");
		buf_str(out->o, out->json ? "{\"msg_hdr\":" : "{msg_hdr=");
		out_message(out, arg, (i + 1) * MSGHDR_PARTS, p, size, came ? length : ~0ull);
		if (i < ret) {
			key_write(out, "msg_len");
			buf_uint(out->o, length);
		}
		buf_char(out->o, '}');
	}
	messages_rest_write(out, arg, c);
	buf_char(out->o, ']');
}
