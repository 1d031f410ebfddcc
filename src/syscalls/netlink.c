/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * netlink.c - messages of netlink, by rows: what a message begins with (+nl in calls.tbl); attrs.c has its attributes.
 *
 * The memory comes from a record: every length in it is checked before it is used.
 */
#include <string.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>

#include "util/errname.h"
#include "syscalls/netlink.h"

/* ---- messages ---- */

struct message {
	const struct nlmsghdr *h;
	const struct call *row; /* of its protocol and type */
};

static void message_write(struct reader *r, const char *p, size_t rest);

/* Returns the set of flags by the name of the message, for protocols without a row for them. */
static const char *flags_by_name(const struct message *m)
{
	static const char *const sets[][2] = { { "_NEW", "nlnew" },
					       { "_GET", "nlget" },
					       { "_DEL", "nldel" } };
	const struct type *t = m->row ? &m->row->args[1].type : NULL;
	const char *name = !t			 ? NULL :
			   t->kind == TYPE_NFMSG ? nfmsg_name(m->h->nlmsg_type) :
						   set_name(t->of, m->h->nlmsg_type);

	for (unsigned i = 0; name && i < 3; i++)
		if (strstr(name, sets[i][0]))
			return sets[i][1];
	return "nlflags";
}

static const char *flags_set(const struct reader *r, const struct message *m)
{
	static const char *const route[] = { "nlnew", "nldel", "nlget", "nlflags" };

	if (m->h->nlmsg_type < NLMSG_MIN_TYPE)
		return m->h->nlmsg_type == NLMSG_ERROR ? "nlack" : "nlflags";
	if (r->protocol == NETLINK_GENERIC && m->h->nlmsg_type == NLMSG_MIN_TYPE) /* nlctrl */
		return "nlget";
	if (r->protocol == NETLINK_SOCK_DIAG || m->h->nlmsg_type == RTM_DELACTION)
		return "nlget";
	return r->protocol == NETLINK_ROUTE ? route[m->h->nlmsg_type & 3] : flags_by_name(m);
}

static void head_write(struct reader *r, const struct message *m)
{
	struct out *out = r->out;

	buf_printf(out->o, "{nlmsg_len=%u, nlmsg_type=", m->h->nlmsg_len);
	if (m->h->nlmsg_type < NLMSG_MIN_TYPE || !m->row)
		out_set(out, set_find("nlctl"), m->h->nlmsg_type, 2);
	else
		out_memory(out, &m->row->args[1].type, (const char *)&m->h->nlmsg_type, 2);
	buf_str(out->o, ", nlmsg_flags=");
	out_set(out, set_find(flags_set(r, m)), m->h->nlmsg_flags, 2);
	buf_printf(out->o, ", nlmsg_seq=%u, nlmsg_pid=%d", m->h->nlmsg_seq, (int)m->h->nlmsg_pid);
	out_pid_here(out, "pid", &(struct type){ .kind = TYPE_UINT }, m->h->nlmsg_pid);
	buf_char(out->o, '}');
}

/* Writes the answer to a message. */
static void error_write(struct reader *r, const struct message *m, const char *p, size_t len)
{
	bool is_whole = len >= sizeof(struct nlmsgerr) && reader_has(r, p, sizeof(struct nlmsgerr));
	int err = is_whole ? (int)memory_number(p, 4) : 0;
	struct buf *o = r->out->o;
	size_t payload;

	if (!is_whole) {
		reader_hex(r, p, len);
		return;
	}
	p += 4;
	len -= 4;
	payload = m->h->nlmsg_flags & NLM_F_CAPPED ? 0 : memory_number(p, 4);
	payload = payload > NLMSG_HDRLEN ? payload : NLMSG_HDRLEN;
	payload = payload < len ? payload : len;
	buf_str(o, len > payload ? "[{error=" : "{error=");
	if (err < 0 && errname(-err))
		buf_printf(o, "-%s", errname(-err));
	else
		buf_int(o, err);
	buf_str(o, ", msg=");
	message_write(r, p, payload);
	buf_char(o, '}');
	if (len <= payload)
		return;
	buf_str(o, ", ");
	attrs_write(r, layout_find("%nlmsgerr"), p + payload, len - payload);
	buf_char(o, ']');
}

/* Writes the family of a struct that is cut or unknown; `size`: of a known one. */
static void family_write(struct reader *r, const char *name, const char *p, size_t len, size_t size)
{
	if (!reader_has(r, p, 1)) {
		out_hex(r->out, reader_address(r, p));
		return;
	}
	buf_printf(r->out->o, "{%s=", name);
	out_set(r->out, set_find("family"), (unsigned char)*p, 1);
	if (size && len < size) {
		buf_str(r->out->o, ", ...");
	} else if (size) {
		buf_str(r->out->o, ", ");
		out_hex(r->out, reader_address(r, p + 1));
	} else if (len > 1) {
		buf_str(r->out->o, ", data=");
		reader_hex(r, p + 1, len - 1);
	}
	buf_char(r->out->o, '}');
}

/* A struct, then attributes. */
static void body_write(struct reader *r, const struct call *row, const char *p, size_t len,
		       unsigned type)
{
	bool is_batch = r->protocol == NETLINK_NETFILTER && type >> 8 == NFNL_SUBSYS_NONE;
	const struct type *head = &row->args[2].type;
	const struct layout *l = head->of;
	uint32_t align, size = type_size(head, r->out->event->abi, &align), off = NLMSG_ALIGN(size);

	if ((len < size || !reader_has(r, p, size)) && r->protocol != NETLINK_ROUTE &&
	    r->protocol != NETLINK_SOCK_DIAG) {
		reader_hex(r, p, len);
		return;
	}
	if (len < size || !reader_has(r, p, size)) {
		family_write(r, l->members[0].name, p, len, size);
		return;
	}
	r->family = (unsigned char)*p;
	out_struct(r->out, l, p, size);
	if (len <= off || row->nargs < 4)
		return;
	buf_str(r->out->o, ", ");
	if (is_batch)
		reader_hex(r, p + off, len - off);
	else
		attrs_or_bytes_write(r, NULL, &row->args[3], p + off, len - off);
}

/* Returns the row of a sock_diag message, which depends on the family and on the direction. */
static const struct call *body_row(const struct reader *r, const struct message *m, const char *p)
{
	bool is_request = m->h->nlmsg_flags & NLM_F_REQUEST;
	__u64 args[SYSCALL_ARGS] = { reader_has(r, p, 1) ? (unsigned char)*p : 0 };
	const struct call *c;

	if (r->protocol != NETLINK_SOCK_DIAG)
		return m->row;
	if (is_request && m->h->nlmsg_type < 20) /* before SOCK_DIAG_BY_FAMILY */
		return call_part("+diagold");
	c = call_part(is_request ? "+diagreq" : "+diagmsg");
	return c ? call_variant(c, args) : NULL;
}

/* In hexadecimal, whatever the protocol does with its own messages. */
static void unknown_write(struct reader *r, const char *p, size_t len)
{
	uint32_t protocol = r->protocol;

	r->protocol = NETLINK_GENERIC;
	reader_hex(r, p, len);
	r->protocol = protocol;
}

static void payload_write(struct reader *r, const struct message *m, const char *p, size_t len)
{
	unsigned type = m->h->nlmsg_type;
	const struct call *row = body_row(r, m, p);

	if (type == NLMSG_ERROR)
		error_write(r, m, p, len);
	else if (type >= NLMSG_MIN_TYPE && row && row->nargs > 2 &&
		 (len > 1 || r->protocol != NETLINK_SOCK_DIAG))
		body_write(r, row, p, len, type);
	else if (type >= NLMSG_MIN_TYPE &&
		 (r->protocol == NETLINK_ROUTE || r->protocol == NETLINK_SOCK_DIAG))
		family_write(r, "family", p, len, 0);
	else if (type == NLMSG_DONE && len == 4 && reader_has(r, p, 4))
		buf_int(r->out->o, (int)memory_number(p, 4));
	else
		unknown_write(r, p, len);
}

static void message_write(struct reader *r, const char *p, size_t rest)
{
	struct nlmsghdr h;
	struct message m = { &h, call_part("+nl") };
	__u64 args[SYSCALL_ARGS] = { r->protocol };
	size_t n;

	memcpy(&h, p, sizeof(h));
	args[1] = h.nlmsg_type;
	m.row = m.row ? call_variant(m.row, args) : NULL;
	if (m.row && !m.row->variants)
		m.row = NULL;
	n = h.nlmsg_len < rest ? h.nlmsg_len : rest;
	buf_str(r->out->o, n > NLMSG_HDRLEN ? "[" : "");
	head_write(r, &m);
	if (n <= NLMSG_HDRLEN)
		return;
	buf_str(r->out->o, ", ");
	payload_write(r, &m, p + NLMSG_HDRLEN, n - NLMSG_HDRLEN);
	buf_char(r->out->o, ']');
}

static bool protocol_read(const struct out *out, uint32_t *protocol)
{
	const struct syssnoop_chunk *c = chunk_find(out->event, 0, ~0u, 2);

	if (!c || c->len != sizeof(*protocol) || out->json)
		return false;
	memcpy(protocol, c + 1, sizeof(*protocol));
	return true;
}

bool out_is_netlink(const struct out *out, uint32_t *protocol)
{
	return protocol_read(out, protocol) && *protocol != NETLINK_KOBJECT_UEVENT;
}

/* A header of udev's, and the event as the kernel has sent it. */
bool out_udev(struct out *out, const struct syssnoop_chunk *c, uint64_t len)
{
	static const char prefix[] = "libudev";
	const struct layout *l = layout_find("udev_head");
	uint32_t protocol, align, most = out->options->strings,
				  size = type_size(&(struct type){ .kind = TYPE_STRUCT, .of = l },
						   out->event->abi, &align);
	const char *p = (const char *)(c + 1);

	if (!protocol_read(out, &protocol) || protocol != NETLINK_KOBJECT_UEVENT || c->len < size ||
	    memcmp(p, prefix, sizeof(prefix)))
		return false;
	buf_str(out->o, len > size ? "[" : "");
	out_struct(out, l, p, size);
	if (len <= size)
		return true;
	buf_str(out->o, ", ");
	len -= size;
	most = most < c->len - size ? most : c->len - size;
	out_string(out, p + size, len < most ? len : most, len > most, false);
	buf_char(out->o, ']');
	return true;
}

void out_netlink(struct out *out, uint32_t protocol, const struct syssnoop_chunk *c,
		 uint64_t address, uint64_t len)
{
	const char *p = (const char *)(c + 1);
	struct reader r = { out, p, p + c->len, address, protocol, AF_UNSPEC, "", NULL };
	bool is_list = false;
	uint32_t shown = 0;

	if (!len)
		reader_hex(&r, p, 0);
	for (size_t at = 0, next; at < len; at = next) {
		if (!reader_head(&r, p + at, len - at, NLMSG_HDRLEN, shown++))
			break;
		next = reader_next(at, len, memory_number(p + at, 4), NLMSG_HDRLEN);
		if (!is_list && next)
			buf_char(out->o, '[');
		is_list |= next != 0;
		message_write(&r, p + at, len - at);
		if (!next)
			break;
		buf_str(out->o, ", ");
	}
	buf_str(out->o, is_list ? "]" : "");
}
