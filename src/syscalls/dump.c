/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dump.c - prints all data that a call moved, as hexadecimal numbers and characters (-e read=, -e write=).
 */
#include <string.h>

#include "syscalls/text.h"

enum { LINE_BYTES = 16, GROUP_BYTES = 8 };

bool call_moves(const struct call *c, unsigned i, bool writes)
{
	const struct type *t = &c->args[i].type;
	bool is_written = t->ptr == '*' || t->ptr == '!' ||
			  (t->kind == TYPE_MMSGHDR && t->ptr != '&');

	if (!i || c->args[0].type.kind != TYPE_FD || c->args[0].type.ptr ||
	    strstr(c->name, "xattr"))
		return false;
	return (t->kind == TYPE_BUF || t->kind == TYPE_IOVEC || t->kind == TYPE_MSGHDR ||
		t->kind == TYPE_MMSGHDR) &&
	       is_written == writes;
}

static void line_write(struct buf *o, const unsigned char *p, size_t at, size_t len, int width)
{
	size_t n = len - at < LINE_BYTES ? len - at : LINE_BYTES;

	buf_printf(o, " | %0*zx  ", width, at);
	for (size_t i = 0; i < LINE_BYTES; i++) {
		if (i < n)
			buf_hex_pad(o, p[at + i], 2);
		else
			buf_str(o, "  ");
		buf_str(o, i % GROUP_BYTES == GROUP_BYTES - 1 ? "  " : " ");
	}
	for (size_t i = 0; i < LINE_BYTES; i++)
		buf_char(o, i >= n				 ? ' ' :
			    p[at + i] >= ' ' && p[at + i] <= '~' ? (char)p[at + i] :
								   '.');
	buf_str(o, " |\n");
}

/* Dumps the captured part of `len` bytes. */
static void bytes_dump(struct buf *o, const struct syssnoop_chunk *c, uint64_t len)
{
	const unsigned char *p = (const void *)(c + 1);
	size_t n;
	int width = 5;

	if (!chunk_is_good(c))
		return;
	n = c->len < len ? c->len : len;
	for (uint64_t rest = (len ? len - 1 : 0) >> 20; rest; rest >>= 4)
		width++;
	for (size_t at = 0; at < n; at += LINE_BYTES)
		line_write(o, p, at, n, width);
	if (n < len)
		buf_printf(o, " | <%llu more bytes were not taken>\n",
			   (unsigned long long)(len - n));
}

/* The memory of entry i is part + 1 + i. */
static void vector_dump(struct out *out, unsigned arg, unsigned part, uint64_t left)
{
	unsigned word = out->event->abi ? 4 : 8;
	const struct syssnoop_chunk *c = chunk_find(out->event, arg, ~0u, part);

	if (chunk_is_good(c) && c->unread) /* strace(1) shows a vector as a whole, or not */
		return;
	for (uint32_t i = 0; chunk_is_good(c) && (i + 1) * 2 * word <= c->len && left; i++) {
		uint64_t len = memory_number((const char *)(c + 1) + i * 2 * word + word, word);

		len = len < left ? len : left;
		left -= len;
		if (!len)
			break;
		buf_printf(out->o, " * %llu bytes in buffer %u\n", (unsigned long long)len, i);
		bytes_dump(out->o, chunk_find(out->event, arg, ~0u, part + 1 + i), len);
	}
}

static void messages_dump(struct out *out, unsigned arg, bool writes)
{
	const struct syssnoop_chunk *c = chunk_find(out->event, arg, TAKE_AT_RETURN, 0);
	unsigned word = out->event->abi ? 4 : 8, size = 8 * word;

	for (uint32_t i = 0; chunk_is_good(c) && (i + 1) * size <= c->len && i < out->event->ret;
	     i++) {
		uint64_t len = memory_number((const char *)(c + 1) + i * size + 7 * word, 4);

		buf_printf(out->o, " = %llu buffers in vector %u\n",
			   (unsigned long long)memory_number(
				   (const char *)(c + 1) + i * size + 3 * word, word),
			   i);
		vector_dump(out, arg, (i + 1) * MSGHDR_PARTS + MSGHDR_IOVEC, writes ? ~0ull : len);
	}
}

static void arg_dump(struct out *out, const struct call *c, unsigned i, bool writes)
{
	const struct type *t = &c->args[i].type;
	int64_t ret = out->event->ret;
	uint64_t came = writes ? ~0ull : (uint64_t)ret;

	switch (t->kind) {
	case TYPE_BUF:
		bytes_dump(out->o, chunk_of(out->event, i, t),
			   writes && t->count_arg < SYSCALL_ARGS ? out->event->args[t->count_arg] :
								   (uint64_t)ret);
		break;
	case TYPE_IOVEC: vector_dump(out, i, 0, came); break;
	case TYPE_MSGHDR: vector_dump(out, i, MSGHDR_IOVEC, came); break;
	default: messages_dump(out, i, writes);
	}
}

void syscall_write_dump(struct buf *o, const struct syssnoop_event *e,
			const struct syscall_options *options)
{
	struct out out = { o, e, options, false };
	const struct call *c = e->kind == SYSSNOOP_CALL ? call_row(e->abi, e->nr) : NULL;
	bool failed = e->ret < 0 && e->ret >= -4095;

	for (unsigned i = 0; c && i < c->nargs; i++) {
		if (syscall_fds_have(options->writes, (uint32_t)e->args[0]) &&
		    call_moves(c, i, true))
			arg_dump(&out, c, i, true);
		else if (!failed && syscall_fds_have(options->reads, (uint32_t)e->args[0]) &&
			 call_moves(c, i, false))
			arg_dump(&out, c, i, false);
	}
}

const struct syssnoop_chunk *syscall_caller(const struct syssnoop_event *e, unsigned part)
{
	return chunk_find(e, SYSSNOOP_CALLER, ~0u, part);
}
