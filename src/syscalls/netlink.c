/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * netlink.c - messages of netlink, by rows: what a message begins with (+nl in calls.tbl), and its attributes
 * (%SET in structs.tbl).
 *
 * The memory comes from a record: every length in it is checked before it is used.
 */
#include <string.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>

#include "util/errname.h"
#include "syscalls/text.h"

static void attrs_write(struct out *out, const struct layout *set, const char *p, size_t len);

static void hex_write(struct out *out, const char *p, size_t len)
{
	uint32_t most = out->options->strings;

	out_string(out, p, len < most ? len : most, len > most, true);
}

static bool is_last(const struct out *out, uint32_t shown)
{
	return shown >= out->options->strings && !out->options->verbose;
}

/* Where what follows `at` begins, of which there are `len` bytes; 0: nothing does. */
static size_t next_of(size_t at, size_t len, size_t own, size_t least)
{
	size_t next = at + NLMSG_ALIGN(own);

	return own >= least && own < len && next < len ? next : 0;
}

/* ---- attributes ---- */

static const struct member *attr_find(const struct layout *set, unsigned type)
{
	for (uint8_t i = 0; set && i < set->count; i++)
		if (set->members[i].type.with == type)
			return &set->members[i];
	return NULL;
}

/* A string, without the NUL that ends it. */
static void string_write(struct out *out, const char *p, size_t len)
{
	uint32_t most = out->options->strings;
	bool has_end = len && !p[len - 1];

	len -= has_end;
	out_string(out, p, len < most ? len : most, len > most || !has_end, false);
}

/* An address of the family that has so many bytes. */
static bool address_write(struct out *out, const char *p, size_t len)
{
	static const struct type inet = { .kind = TYPE_INET, .size = 4 };

	if (len == 4)
		out_form(out, &inet, p);
	else if (len == 16)
		out_inet6(out, p, NULL);
	return len == 4 || len == 16;
}

/* Returns false if there are not as many bytes as the type has. */
static bool data_write(struct out *out, const struct type *t, const char *p, size_t len)
{
	uint32_t align, size = type_size(t, out->event->abi, &align);

	switch (t->kind) {
	case TYPE_ATTRS: attrs_write(out, t->of, p, len); return true;
	case TYPE_STR: string_write(out, p, len); return true;
	case TYPE_BUF: out_string(out, p, len, false, false); return true;
	case TYPE_MAC: out_mac(out, p, (unsigned)len); return len <= 32;
	case TYPE_ADDRESS: return address_write(out, p, len);
	case TYPE_BYTES: return false;
	case TYPE_STRUCT:
		if (len < size / 2)
			return false;
		break;
	case TYPE_INT:
	case TYPE_UINT:
	case TYPE_HEX:
		if (!t->array && len > size)
			return false;
		if (!t->array && len < size) {
			out_scalar(out, t, memory_number(p, (uint32_t)len));
			return true;
		} /* fallthrough */
	default:
		if (len < size)
			return false;
	}
	out_value(out, t, p, len);
	return true;
}

static void attr_write(struct out *out, const struct layout *set, const char *p, size_t rest)
{
	unsigned len = (unsigned)memory_number(p, 2), type = (unsigned)memory_number(p + 2, 2);
	const struct member *m = attr_find(set, type & NLA_TYPE_MASK);
	size_t n = len < rest ? len : rest;

	buf_str(out->o, n > NLA_HDRLEN ? "[" : "");
	buf_printf(out->o, "{nla_len=%u, nla_type=%s%s", len,
		   type & NLA_F_NESTED ? "NLA_F_NESTED|" : "",
		   type & NLA_F_NET_BYTEORDER ? "NLA_F_NET_BYTEORDER|" : "");
	if (m)
		buf_printf(out->o, "%s%s", *m->name == '.' ? "" : set->prefix,
			   m->name + (*m->name == '.'));
	else
		out_hex(out, type & NLA_TYPE_MASK);
	if (!m && set)
		buf_printf(out->o, " /* %s??? */", set->prefix);
	buf_char(out->o, '}');
	if (n <= NLA_HDRLEN)
		return;
	buf_str(out->o, ", ");
	if (!m || !data_write(out, &m->type, p + NLA_HDRLEN, n - NLA_HDRLEN))
		hex_write(out, p + NLA_HDRLEN, n - NLA_HDRLEN);
	buf_char(out->o, ']');
}

static void attrs_write(struct out *out, const struct layout *set, const char *p, size_t len)
{
	bool is_list = false;
	uint32_t shown = 0;

	for (size_t at = 0, next; at < len; at = next) {
		if (len - at < NLA_HDRLEN) {
			hex_write(out, p + at, len - at);
			break;
		}
		if (is_last(out, shown++)) {
			buf_str(out->o, "...");
			break;
		}
		next = next_of(at, len, memory_number(p + at, 2), NLA_HDRLEN);
		if (!is_list && next)
			buf_char(out->o, '[');
		is_list |= next != 0;
		attr_write(out, set, p + at, len - at);
		if (!next)
			break;
		buf_str(out->o, ", ");
	}
	buf_str(out->o, is_list ? "]" : "");
}

/* ---- messages ---- */

struct message {
	uint32_t protocol;
	const struct nlmsghdr *h;
	const struct call *row; /* of its protocol and type */
};

static void message_write(struct out *out, uint32_t protocol, const char *p, size_t rest);

static const char *flags_set(const struct message *m)
{
	static const char *const route[] = { "nlnew", "nldel", "nlget", "nlflags" };

	if (m->h->nlmsg_type < NLMSG_MIN_TYPE)
		return m->h->nlmsg_type == NLMSG_ERROR ? "nlack" : "nlflags";
	if (m->protocol == NETLINK_SOCK_DIAG || m->h->nlmsg_type == RTM_DELACTION)
		return "nlget";
	return m->protocol == NETLINK_ROUTE ? route[m->h->nlmsg_type & 3] : "nlflags";
}

static void head_write(struct out *out, const struct message *m)
{
	static const struct set *control;
	bool is_control = m->h->nlmsg_type < NLMSG_MIN_TYPE || !m->row;

	control = set_find("nlctl");
	buf_printf(out->o, "{nlmsg_len=%u, nlmsg_type=", m->h->nlmsg_len);
	if (is_control)
		out_set(out, control, m->h->nlmsg_type, 2);
	else
		out_scalar(out, &m->row->args[1].type, m->h->nlmsg_type);
	buf_str(out->o, ", nlmsg_flags=");
	out_set(out, set_find(flags_set(m)), m->h->nlmsg_flags, 2);
	buf_printf(out->o, ", nlmsg_seq=%u, nlmsg_pid=%d}", m->h->nlmsg_seq, (int)m->h->nlmsg_pid);
}

/* What a message was answered with. */
static void error_write(struct out *out, const struct message *m, const char *p, size_t len)
{
	int err = len >= 4 ? (int)memory_number(p, 4) : 0;
	size_t own, payload;

	if (len < sizeof(struct nlmsgerr)) {
		hex_write(out, p, len);
		return;
	}
	p += 4;
	len -= 4;
	own = memory_number(p, 4);
	own = own > NLMSG_HDRLEN ? own : NLMSG_HDRLEN;
	payload = m->h->nlmsg_flags & NLM_F_CAPPED ? NLMSG_HDRLEN : own;
	payload = payload < len ? payload : len;
	buf_str(out->o, len > payload ? "[{error=" : "{error=");
	if (err < 0 && errname(-err))
		buf_printf(out->o, "-%s", errname(-err));
	else
		buf_int(out->o, err);
	buf_str(out->o, ", msg=");
	message_write(out, m->protocol, p, payload);
	buf_char(out->o, '}');
	if (len <= payload)
		return;
	buf_str(out->o, ", ");
	attrs_write(out, layout_find("%nlmsgerr"), p + payload, len - payload);
	buf_char(out->o, ']');
}

/* A struct, then attributes. Of one that is cut only the first member. */
static void body_write(struct out *out, const struct call *row, const char *p, size_t len)
{
	const struct type *head = &row->args[2].type;
	const struct layout *l = head->of;
	uint32_t align, size = type_size(head, out->event->abi, &align), off = NLMSG_ALIGN(size);

	if (len < size) {
		buf_printf(out->o, "{%s=", l->members[0].name);
		out_memory(out, &l->members[0].type, p, len);
		buf_str(out->o, ", ...}");
		return;
	}
	out_struct(out, l, p, size);
	if (len <= off || row->nargs < 4)
		return;
	buf_str(out->o, ", ");
	attrs_write(out, row->args[3].type.of, p + off, len - off);
}

/* What a message of sock_diag begins with depends on the family, and on who asks. */
static const struct call *body_row(const struct message *m, const char *p, size_t len)
{
	bool is_request = m->h->nlmsg_flags & NLM_F_REQUEST;
	__u64 args[SYSCALL_ARGS] = { len ? (unsigned char)*p : 0 };
	const struct call *c;

	if (m->protocol != NETLINK_SOCK_DIAG)
		return m->row;
	c = call_part(is_request ? "+diagreq" : "+diagmsg");
	return c ? call_variant(c, args) : NULL;
}

static void payload_write(struct out *out, const struct message *m, const char *p, size_t len)
{
	unsigned type = m->h->nlmsg_type;
	const struct call *row = body_row(m, p, len);

	if (type == NLMSG_ERROR)
		error_write(out, m, p, len);
	else if (type >= NLMSG_MIN_TYPE && len && row && row->nargs > 2)
		body_write(out, row, p, len);
	else if (type == NLMSG_DONE && len == 4)
		buf_int(out->o, (int)memory_number(p, 4));
	else
		hex_write(out, p, len);
}

static void message_write(struct out *out, uint32_t protocol, const char *p, size_t rest)
{
	struct nlmsghdr h;
	struct message m = { protocol, &h, call_part("+nl") };
	__u64 args[SYSCALL_ARGS];
	size_t n;

	memcpy(&h, p, sizeof(h));
	args[0] = protocol;
	args[1] = h.nlmsg_type;
	m.row = m.row ? call_variant(m.row, args) : NULL;
	if (m.row && !m.row->variants)
		m.row = NULL;
	n = h.nlmsg_len < rest ? h.nlmsg_len : rest;
	buf_str(out->o, n > NLMSG_HDRLEN ? "[" : "");
	head_write(out, &m);
	if (n <= NLMSG_HDRLEN)
		return;
	buf_str(out->o, ", ");
	payload_write(out, &m, p + NLMSG_HDRLEN, n - NLMSG_HDRLEN);
	buf_char(out->o, ']');
}

bool out_is_netlink(const struct out *out, uint32_t *protocol)
{
	const struct syssnoop_chunk *c = chunk_find(out->event, 0, ~0u, 2);

	if (!c || c->len != sizeof(*protocol) || out->json)
		return false;
	memcpy(protocol, c + 1, sizeof(*protocol));
	return *protocol != NETLINK_KOBJECT_UEVENT;
}

void out_netlink(struct out *out, uint32_t protocol, const char *p, size_t len, bool more)
{
	bool is_list = false;
	uint32_t shown = 0;

	for (size_t at = 0, next; at < len; at = next) {
		if (len - at < NLMSG_HDRLEN) {
			hex_write(out, p + at, len - at);
			break;
		}
		if (is_last(out, shown++)) {
			buf_str(out->o, "...");
			break;
		}
		next = next_of(at, len, memory_number(p + at, 4), NLMSG_HDRLEN);
		if (!is_list && next)
			buf_char(out->o, '[');
		is_list |= next != 0;
		message_write(out, protocol, p + at, len - at);
		if (!next)
			break;
		buf_str(out->o, ", ");
	}
	buf_str(out->o, more ? ", ..." : "");
	buf_str(out->o, is_list ? "]" : "");
}
