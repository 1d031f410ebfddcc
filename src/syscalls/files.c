/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * files.c - prints the files of descriptors (-y): their paths, as in /proc/PID/fd.
 *
 * The record comes from a ring: every length in it is checked before it is used.
 */
#include <arpa/inet.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>

#include "output/field/value.h"
#include "output/field/value_text.h"
#include "syscalls/text.h"

/* ---- sockets and devices of descriptors (-yy) ---- */

/* Finds the kind of file, if the record has it. The name of a socket's file is its protocol. */
static bool special_find(struct out *out, unsigned arg, struct syssnoop_special *s,
			 struct value *sun_path)
{
	const struct syssnoop_chunk *c = chunk_find(out->event, arg, ~0u,
						    out->part ? SYSSNOOP_SPECIAL | out->part : 1);

	if (!chunk_is_good(c) || c->len < sizeof(*s))
		return false;
	memcpy(s, c + 1, sizeof(*s));
	*sun_path = (struct value){ .bytes = (const char *)(c + 1) + sizeof(*s),
				    .len = c->len - sizeof(*s) };
	return true;
}

/* ADDRESS:PORT->ADDRESS:PORT */
static void inet_write(struct buf *o, const struct syssnoop_special *s)
{
	static const uint8_t none[sizeof(s->daddr)];
	bool is_6 = s->family == AF_INET6;
	char text[INET6_ADDRSTRLEN];

	inet_ntop(s->family, s->saddr, text, sizeof(text));
	buf_printf(o, is_6 ? "[%s]:%u" : "%s:%u", text, s->sport);
	if (!s->dport && !memcmp(s->daddr, none, sizeof(none)))
		return;
	inet_ntop(s->family, s->daddr, text, sizeof(text));
	buf_printf(o, is_6 ? "->[%s]:%u" : "->%s:%u", text, ntohs(s->dport));
}

static void unix_write(struct out *out, uint64_t ino, const struct syssnoop_special *s,
		       const struct value *path)
{
	struct out text = { out->o, out->event, out->options, false };
	bool is_abstract = path->len && !path->bytes[0];

	buf_uint(out->o, ino);
	if (s->peer)
		buf_printf(out->o, "->%llu", (unsigned long long)s->peer);
	if (!path->len)
		return;
	buf_str(out->o, is_abstract ? ",@" : ",");
	if (is_abstract)
		out_string(&text, path->bytes + 1, path->len - 1, false, false);
	else
		out_string(&text, path->bytes, strnlen(path->bytes, path->len), false, false);
}

/* NETLINK:[ROUTE:17] while it has a port; else, like others, NETLINK:[INODE]. */
static void netlink_write(struct buf *o, uint64_t ino, const struct syssnoop_special *s)
{
	const char *name = set_name(set_find("netlink"), s->protocol);
	size_t skip = sizeof("NETLINK_") - 1;

	if (!s->port_id)
		buf_uint(o, ino);
	else if (name)
		buf_printf(o, "%s:%u", name + skip, s->port_id);
	else
		buf_printf(o, "%u:%u", s->protocol, s->port_id);
}

static bool special_write_socket(struct out *out, unsigned arg, const struct value *file)
{
	struct value v = *file, sun_path;
	struct syssnoop_special special, *s = &special;
	const char *name;
	size_t len;

	if (!special_find(out, arg, s, &sun_path))
		return false;
	if (s->family != AF_UNIX && s->family != AF_INET && s->family != AF_INET6 &&
	    s->family != AF_NETLINK)
		return false;
	if (!value_pop_last(&v, &name, &len) || !value_pop_last(&v, &name, &len))
		return false;
	buf_bytes(out->o, name, len);
	buf_str(out->o, ":[");
	if (s->family == AF_UNIX)
		unix_write(out, file->left_out, s, &sun_path);
	else if (s->family == AF_NETLINK)
		netlink_write(out->o, file->left_out, s);
	else if (s->sport)
		inet_write(out->o, s);
	else
		buf_uint(out->o, file->left_out);
	buf_char(out->o, ']');
	return true;
}

static bool has_part(const struct out *out, unsigned part)
{
	return !out->options->fd_parts || out->options->fd_parts & part;
}

/* Writes the state of an anonymous file: a pidfd's process, an eventfd's counter, a signalfd's mask. */
static bool special_write_anonymous(struct out *out, unsigned arg)
{
	struct syssnoop_special s;
	struct value unused;

	if (!special_find(out, arg, &s, &unused))
		return false;
	if (s.pid && has_part(out, SYSCALL_FD_PIDFD)) {
		buf_printf(out->o, "pid:%u", s.pid);
	} else if (s.family == SYSSNOOP_EVENTFD && has_part(out, SYSCALL_FD_EVENTFD)) {
		buf_printf(out->o, "{eventfd-count=%#llx, eventfd-id=%u, eventfd-semaphore=%u}",
			   (unsigned long long)s.peer, s.protocol, s.port_id & EFD_SEMAPHORE);
	} else if (s.family == SYSSNOOP_SIGNALFD && has_part(out, SYSCALL_FD_SIGNALFD)) {
		struct out text = { out->o, out->event, out->options, false };

		buf_str(out->o, "signalfd:");
		out_sigset(&text, s.peer);
	} else {
		return false;
	}
	return true;
}

static bool device_find(struct out *out, unsigned arg, struct syssnoop_special *s)
{
	struct value unused;

	return has_part(out, SYSCALL_FD_DEV) && special_find(out, arg, s, &unused) && !s->family &&
	       !s->pid;
}

static bool is_device(struct out *out, unsigned arg)
{
	struct syssnoop_special s;

	return device_find(out, arg, &s);
}

static void special_write_device(struct out *out, unsigned arg)
{
	struct syssnoop_special s;

	if (device_find(out, arg, &s))
		buf_printf(out->o, "<%s %u:%u>", s.mode == S_IFCHR ? "char" : "block", s.rdev >> 20,
			   s.rdev & 0xfffff);
}

static const char deleted[] = " (deleted)";

static bool is_word(const char *s, size_t n, const char *word)
{
	return n == strlen(word) && !memcmp(s, word, n);
}

/* Memory with a name: memfd_create(2), shared memory. Its file system has no path for it. */
static bool memory_write(struct buf *o, struct value v)
{
	const char *type, *name;
	size_t type_len, len;

	if (!value_pop_last(&v, &type, &type_len) || !value_pop_last(&v, &name, &len) || !len)
		return false;
	if (!is_word(type, type_len, "tmpfs") && !is_word(type, type_len, "hugetlbfs"))
		return false;
	buf_char(o, '/');
	buf_bytes(o, name, len);
	buf_str(o, deleted);
	return true;
}

/* Its file system has a name, which /proc does not show. */
static bool pidfd_write(struct buf *o, struct value v)
{
	const char *type;
	size_t len;

	if (!value_pop_last(&v, &type, &len) || !is_word(type, len, "pidfs"))
		return false;
	buf_str(o, "anon_inode:[pidfd]");
	return true;
}

static void path_write(struct buf *o, struct value v)
{
	size_t len, columns = 0;
	const char *name;

	if (v.status == EVENT_ANONYMOUS) {
		if (!memory_write(o, v) && !pidfd_write(o, v))
			path_write_anonymous(o, &v, ESCAPE_PLAIN, &columns);
		return;
	}
	if (v.status == EVENT_CUT || v.status == EVENT_FAULT)
		buf_str(o, "...");
	else if (v.status == EVENT_OUTSIDE)
		buf_str(o, "(unreachable)");
	if (!v.len)
		buf_char(o, '/');
	while (value_pop_last(&v, &name, &len)) {
		buf_char(o, '/');
		buf_bytes(o, name, len);
	}
}

/* </path>, </path>(deleted); for a working directory everything is between < and > */
static void text_write(struct out *out, unsigned arg, const struct buf *path, bool is_unlinked)
{
	bool is_cwd = !out->part && arg < SYSCALL_ARGS && (int32_t)out->event->args[arg] == AT_CWD;
	size_t tail = sizeof(deleted) - 1;
	bool gone = is_unlinked && !is_cwd && path->len > tail &&
		    !memcmp(path->data + path->len - tail, deleted, tail);

	out_bracketed(out, path->data, gone ? path->len - tail : path->len);
	buf_rewind(out->o, out->o->len - 1);
	special_write_device(out, arg);
	buf_char(out->o, '>');
	if (gone)
		buf_str(out->o, deleted + 1);
}

static void json_write(struct out *out, const char *name, const struct buf *text)
{
	buf_str(out->o, out->o->data[out->o->len - 1] == '{' ? "" : ",");
	buf_printf(out->o, "\"%s_path\":", name);
	escape_write_json(out->o, text->data, text->len);
}

void out_file(struct out *out, unsigned arg, const char *name)
{
	const struct syssnoop_chunk *c;
	struct out inner = *out;
	struct syssnoop_file f;
	struct value file;
	bool is_special;
	struct buf text;

	if (!out->options->fd_paths)
		return;
	c = chunk_find(out->event, arg, ~0u, out->part);
	if (!chunk_is_good(c) || c->len < sizeof(f))
		return;
	memcpy(&f, c + 1, sizeof(f));
	file = (struct value){ .bytes = (const char *)(c + 1) + sizeof(f),
			       .len = c->len - sizeof(f),
			       .left_out = (uint32_t)f.ino,
			       .status = (uint8_t)f.status };
	buf_init(&text, -1);
	inner.o = &text;
	is_special = (has_part(out, SYSCALL_FD_SOCKET) &&
		      special_write_socket(&inner, arg, &file)) ||
		     special_write_anonymous(&inner, arg);
	if (!is_special && (has_part(out, SYSCALL_FD_PATH) || is_device(&inner, arg)))
		path_write(&text, file);
	if (!is_special && out->json)
		special_write_device(&inner, arg);
	if (text.error)
		out->o->error = text.error;
	else if (!text.len)
		; /* not of the requested kind */
	else if (out->json)
		json_write(out, name, &text);
	else if (is_special)
		buf_printf(out->o, "<%.*s>", (int)text.len, text.data);
	else
		text_write(out, arg, &text, f.unlinked || file.status == EVENT_ANONYMOUS);
	buf_free(&text);
}

void out_member_file(struct out *out, const char *p, const char *name)
{
	struct out own = *out;

	if (!out->base || p < out->base)
		return;
	own.part = (uint16_t)(1 + (p - out->base) / 4);
	out_file(&own, out->arg, name);
}

void out_list_file(struct out *out, uint32_t index)
{
	struct out own = *out;

	if (!out->list)
		return;
	own.part = (uint16_t)(SYSSNOOP_IN_LIST | out->list * SYSSNOOP_LIST | index);
	out_file(&own, out->arg, "");
}
