/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * files_special.c - what a record has of sockets and devices behind descriptors (-yy): protocols and
 * addresses, numbers.
 */
#include <arpa/inet.h>
#include <string.h>
#include <sys/stat.h>

#include "syscalls/files_special.h"

/* What it is, if the record says so. The name of a socket's file is its protocol's. */
static bool special_find(struct out *out, unsigned arg, struct syssnoop_special *s,
			 struct value *sun_path)
{
	const struct syssnoop_chunk *c = chunk_find(out->event, arg, ~0u, 1);

	if (!chunk_is_good(c) || c->len < sizeof(*s))
		return false;
	memcpy(s, c + 1, sizeof(*s));
	*sun_path = (struct value){ .bytes = (const char *)(c + 1) + sizeof(*s),
				    .len = c->len - sizeof(*s) };
	return true;
}

/* ADDRESS:PORT->ADDRESS:PORT */
static void inet_put(struct buf *o, const struct syssnoop_special *s)
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

static void unix_put(struct out *out, uint64_t ino, const struct syssnoop_special *s,
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

/* NETLINK:[ROUTE:17], as long as it has a port; else, as of others, NETLINK:[INODE]. */
static void netlink_put(struct buf *o, uint64_t ino, const struct syssnoop_special *s)
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

bool special_put_socket(struct out *out, unsigned arg, const struct value *file)
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
	if (!value_take_last(&v, &name, &len) || !value_take_last(&v, &name, &len))
		return false;
	buf_bytes(out->o, name, len);
	buf_str(out->o, ":[");
	if (s->family == AF_UNIX)
		unix_put(out, file->left_out, s, &sun_path);
	else if (s->family == AF_NETLINK)
		netlink_put(out->o, file->left_out, s);
	else if (s->sport)
		inet_put(out->o, s);
	else
		buf_uint(out->o, file->left_out);
	buf_char(out->o, ']');
	return true;
}

void special_put_device(struct out *out, unsigned arg)
{
	struct syssnoop_special s;
	struct value unused;

	if (special_find(out, arg, &s, &unused) && !s.family)
		buf_printf(out->o, "<%s %u:%u>", s.mode == S_IFCHR ? "char" : "block", s.rdev >> 20,
			   s.rdev & 0xfffff);
}
