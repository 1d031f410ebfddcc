/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * attrs.c - prints attributes of netlink, by sets of them (%SET in structs.tbl).
 *
 * The memory comes from a record: every length in it is checked before it is used.
 */
#include <stdio.h>
#include <string.h>
#include <linux/netlink.h>
#include <sys/socket.h>

#include "syscalls/netlink.h"

bool reader_has(const struct reader *r, const char *p, size_t len)
{
	return p <= r->end && (size_t)(r->end - p) >= len;
}

uint64_t reader_address(const struct reader *r, const char *p)
{
	return r->address + (uint64_t)(p - r->start);
}

void reader_hex(struct reader *r, const char *p, size_t len)
{
	uint32_t most = r->out->options->strings;

	if (reader_has(r, p, len))
		out_string(r->out, p, len < most ? len : most, len > most,
			   r->protocol != NETLINK_CRYPTO);
	else
		out_hex(r->out, reader_address(r, p));
}

bool reader_head(struct reader *r, const char *p, size_t len, size_t head, uint32_t shown)
{
	struct out *out = r->out;

	if (len < head) {
		reader_hex(r, p, len);
		return false;
	}
	if (shown >= out->options->strings && !out->options->verbose) {
		buf_str(out->o, "...");
		return false;
	}
	if (reader_has(r, p, head))
		return true;
	buf_printf(out->o, shown ? "... /* %#llx */" : "%#llx",
		   (unsigned long long)reader_address(r, p));
	return false;
}

size_t reader_next(size_t at, size_t len, size_t own, size_t least)
{
	size_t next = at + NLMSG_ALIGN(own);

	return own >= least && own < len && next < len ? next : 0;
}

/* ---- attributes ---- */

static const struct member *attr_find(const struct layout *set, unsigned type)
{
	for (uint8_t i = 0; set && i < set->count; i++)
		if (set->members[i].type.with == type || *set->members[i].name == '*')
			return &set->members[i];
	return NULL;
}

/* The last string before attribute `m` of its set defines its contents. */
static bool word_is_of(const struct reader *r, const struct layout *set, const struct member *m)
{
	while (set && m > set->members)
		if ((--m)->type.kind == TYPE_STR)
			return *r->word && m == r->word_of;
	return false;
}

/* The set that attribute `m` means: NAME* is one for each kind of link, NAME# for each family of the message. NULL: there
 * is none for this one. */
static const struct layout *set_choose(const struct reader *r, const struct layout *set,
				       const struct member *m)
{
	const struct layout *base = m->type.of, *own = NULL;
	char end = base->name[strlen(base->name) - 1], name[64];

	if (end != '*' && end != '#')
		return base;
	if (end == '#')
		snprintf(name, sizeof(name), "%s%u", base->name, r->family);
	else if (word_is_of(r, set, m))
		snprintf(name, sizeof(name), "%s%s", base->name, r->word);
	else
		return NULL;
	own = layout_find(name) ?: layout_find(name + 1);
	return own ?: (base->count ? base : NULL);
}

/* A string, without the NUL that ends it. */
static void string_write(struct reader *r, const struct member *m, const char *p, size_t len)
{
	uint32_t most = r->out->options->strings;
	struct out *out = r->out;
	bool has_end = len && !p[len - 1];

	len -= has_end;
	memset(r->word, 0, sizeof(r->word));
	r->word_of = m;
	if (len < sizeof(r->word))
		memcpy(r->word, p, len);
	out_string(out, p, len < most ? len : most, len > most || !has_end, false);
}

/* An address of the family of the message. */
static bool address_write(struct reader *r, const char *p, size_t len)
{
	static const struct type inet = { .kind = TYPE_INET, .size = 4 };

	if (r->family == AF_INET && len >= 4)
		out_form(r->out, &inet, p);
	else if (r->family == AF_INET6 && len >= 16)
		out_inet6(r->out, p, NULL);
	else
		return false;
	return true;
}

/* Returns the bytes of a struct without the padding at its end that has a member of its own (_). Statistics of links
 * have grown by two members. */
static uint32_t least_size(const struct out *out, const struct layout *l, uint32_t size, size_t len)
{
	bool may_be_cut = l->members[l->count - 1].type.kind == TYPE_NONE, has_padding = may_be_cut;
	uint32_t at[MEMBERS_MAX], end, least = 0, align;

	members_place(l, out->event->abi, at);
	for (uint8_t i = 0; i < l->count && i < MEMBERS_MAX; i++) {
		if (may_be_cut && l->members[i].type.condition)
			continue;
		end = at[i] + member_size(&l->members[i].type, out->event->abi, &align);
		if (*l->members[i].name != '_')
			least = end > least ? end : least;
		else if (l->members[i].type.kind != TYPE_ATTRS)
			has_padding = true;
		if (i >= 22 && end == len && !strncmp(l->name, "rtnl_link_stats", 15))
			return end;
	}
	return has_padding && least < size ? least : size;
}

/* xl: a number of as many bytes as there are. */
static bool is_any_number(const struct type *t)
{
	return t->kind == TYPE_HEX && t->size == SIZE_WORD;
}

static bool is_long_enough(const struct out *out, const struct type *t, size_t len, uint32_t size)
{
	if (t->kind == TYPE_STR || t->kind == TYPE_BUF || t->kind == TYPE_MAC)
		return true;
	if (t->kind == TYPE_CLOCKT || is_any_number(t))
		return len && len <= 8;
	if (t->kind == TYPE_SOCKADDR)
		return len >= sizeof(struct sockaddr_storage);
	if (t->kind == TYPE_STRUCT && !t->array)
		return len >= least_size(out, t->of, size, len);
	return len >= size;
}

/* Writes what follows a struct, as its last member defines: attributes, or bytes of a later kernel. */
static void behind_write(struct reader *r, const struct layout *l, const char *p, size_t len,
			 uint32_t size)
{
	const struct type *last = &l->members[l->count - 1].type;
	uint32_t at = last->kind == TYPE_ATTRS ? NLMSG_ALIGN(size) : size;

	if (last->count || len <= at)
		return;
	if (last->kind == TYPE_BUF && !memory_any(p + at, len - at))
		return;
	buf_str(r->out->o, ", ");
	if (last->kind == TYPE_BUF)
		buf_printf(r->out->o, "/* bytes %u..%zu */ ", at, len - 1);
	if (last->kind == TYPE_ATTRS && last->whole)
		attrs_or_bytes_write(r, last->of, attr_find(last->of, (unsigned char)*p), p + at,
				     len - at);
	else if (last->kind == TYPE_ATTRS)
		attrs_write(r, last->of, p + at, len - at);
	else
		reader_hex(r, p + at, len - at);
}

/* A member with = is printed without its name. */
static void struct_write(struct reader *r, const struct layout *l, const char *p, size_t len,
			 uint32_t size)
{
	if (*l->members[0].name == '=')
		out_value(r->out, &l->members[0].type, p, len);
	else
		out_struct(r->out, l, p, len);
	behind_write(r, l, p, len, size);
}

/* Structs that begin with their length, with attributes of the same set in it: the next hops of a route. */
static bool says_length(const struct type *t)
{
	const struct layout *l = t->kind == TYPE_STRUCT && t->array ? t->of : NULL;

	return l && strstr(l->members[0].name, "_len");
}

/* Returns false if not even one is there. */
static bool lengths_write(struct reader *r, const struct layout *set, const struct type *t,
			  const char *p, size_t len)
{
	uint32_t align, size = type_size(t, r->out->event->abi, &align);
	bool is_list = len >= size && memory_number(p, 2) < len;

	if (len < size)
		return false;
	buf_str(r->out->o, is_list ? "[" : "");
	for (size_t at = 0, own; at + size <= len; at += NLMSG_ALIGN(own)) {
		own = memory_number(p + at, 2);
		own = own < len - at ? own : len - at;
		buf_str(r->out->o, at ? ", " : "");
		buf_str(r->out->o, own > size ? "[" : "");
		out_struct(r->out, t->of, p + at, size);
		if (own > size) {
			buf_str(r->out->o, ", ");
			attrs_write(r, set, p + at + size, own - size);
			buf_char(r->out->o, ']');
		}
		if (own < size) /* no kernel makes it */
			break;
	}
	buf_str(r->out->o, is_list ? "]" : "");
	return true;
}

/* A list of struct sockaddr_storage. */
RARE static void addresses_write(struct reader *r, const char *p, size_t len)
{
	size_t each = sizeof(struct sockaddr_storage);

	size_t at = 0;

	buf_char(r->out->o, '[');
	for (; at + each <= len && reader_has(r, p + at, each); at += each) {
		buf_str(r->out->o, at ? ", " : "");
		out_sockaddr(r->out, p + at, each);
	}
	if (at + each <= len)
		out_unread(r->out, reader_address(r, p + at));
	buf_char(r->out->o, ']');
}

/* Returns false if there are not as many bytes as the type has. */
static bool data_write(struct reader *r, const struct member *m, const struct type *t,
		       const char *p, size_t len)
{
	uint32_t align, size = type_size(t, r->out->event->abi, &align);

	if (!is_long_enough(r->out, t, len, size))
		return false;
	if (is_any_number(t)) {
		if (len & (len - 1)) /* bytes, as no number has so many */
			return false;
		out_hex(r->out, memory_number(p, (uint32_t)len));
		return true;
	}
	switch (t->kind) {
	case TYPE_STR: string_write(r, m, p, len); return true;
	case TYPE_BUF: out_string(r->out, p, len, false, false); return true;
	case TYPE_ADDRESS: return address_write(r, p, len);
	case TYPE_BYTES: return false;
	case TYPE_MAC:
		if (len > 32)
			return false;
		out_mac(r->out, p, (unsigned)len);
		return true;
	case TYPE_CLOCKT: out_clock(r->out, memory_number(p, (uint32_t)len)); return true;
	case TYPE_SOCKADDR: addresses_write(r, p, len); return true;
	case TYPE_INET6: out_inet6(r->out, p, NULL); return true;
	case TYPE_INDEXED: out_elements(r->out, t, p, (uint32_t)len / size); return true;
	case TYPE_STRUCT:
		if (!t->array) {
			struct_write(r, t->of, p, len, size);
			return true;
		} /* fallthrough */
	default: out_value(r->out, t, p, len); return true;
	}
}

static void attr_head_write(struct out *out, const struct layout *set, const struct member *m,
			    unsigned len, unsigned type)
{
	char number[16];
	size_t begin;

	buf_printf(out->o, "{nla_len=%u, nla_type=%s%s", len,
		   type & NLA_F_NESTED ? "NLA_F_NESTED|" : "",
		   type & NLA_F_NET_BYTEORDER ? "NLA_F_NET_BYTEORDER|" : "");
	begin = out->o->len;
	if (m && *m->name != '*')
		buf_printf(out->o, "%s%s", *m->name == '.' ? "" : set->prefix,
			   m->name + (*m->name == '.'));
	else
		out_hex(out, type & NLA_TYPE_MASK);
	if (!m && set && *set->prefix != '-')
		buf_printf(out->o, " /* %s??? */", set->prefix);
	snprintf(number, sizeof(number), "%#x", type & NLA_TYPE_MASK);
	out_style(out, begin, number);
	buf_char(out->o, '}');
}

/* Writes the captured elements of an array, and the address where it continues. */
static bool array_begin_write(struct reader *r, const struct type *t, const char *p, size_t len)
{
	uint32_t align, size = type_size(t, r->out->event->abi, &align);
	size_t there = p < r->end ? (size_t)(r->end - p) / size : 0;

	if (!there || !t->array || len < size)
		return false;
	buf_char(r->out->o, '[');
	if (out_items(r->out, t, p, (uint32_t)there))
		out_unread(r->out, reader_address(r, p + there * size));
	buf_char(r->out->o, ']');
	return true;
}

/* True if an attribute can be shown: all of it is there or, of a struct whose first member defines what follows, that. */
static bool is_there(const struct reader *r, const struct type *t, const char *p, size_t len)
{
	const struct layout *l = t->kind == TYPE_STRUCT && !t->array ? t->of : NULL;
	uint32_t align, size = l ? type_size(t, r->out->event->abi, &align) : 0;
	const struct type *last = l ? &l->members[l->count - 1].type : NULL;

	return reader_has(
		r, p, last && last->kind == TYPE_ATTRS && last->whole && len > size ? size : len);
}

/* Attribute `m` of a set. */
static bool payload_write(struct reader *r, const struct layout *set, const struct member *m,
			  const char *p, size_t len)
{
	struct type own = m->type;

	if (own.kind == TYPE_ATTRS) {
		own.of = set_choose(r, set, m);
		own.kind = own.of && !((const struct layout *)own.of)->prefix ? TYPE_STRUCT :
										own.kind;
	}
	if (own.kind == TYPE_SOCKADDR && reader_has(r, p, sizeof(struct sockaddr_storage)))
		return data_write(r, m, &own, p, len);
	if (says_length(&own) && reader_has(r, p, len))
		return lengths_write(r, set, &own, p, len);
	if (own.kind != TYPE_ATTRS)
		return is_there(r, &own, p, len) ? data_write(r, m, &own, p, len) :
						   array_begin_write(r, &own, p, len);
	if (own.of)
		attrs_write(r, own.of, p, len);
	return own.of != NULL;
}

void attrs_or_bytes_write(struct reader *r, const struct layout *set, const struct member *m,
			  const char *p, size_t len)
{
	if (!m || !payload_write(r, set, m, p, len))
		reader_hex(r, p, len);
}

static void attr_write(struct reader *r, const struct layout *set, const char *p, size_t rest)
{
	unsigned len = (unsigned)memory_number(p, 2), type = (unsigned)memory_number(p + 2, 2);
	const struct member *m = attr_find(set, type & NLA_TYPE_MASK);
	size_t n = len < rest ? len : rest;

	buf_str(r->out->o, n > NLA_HDRLEN ? "[" : "");
	attr_head_write(r->out, set, m, len, type);
	if (n <= NLA_HDRLEN)
		return;
	p += NLA_HDRLEN;
	n -= NLA_HDRLEN;
	buf_str(r->out->o, ", ");
	attrs_or_bytes_write(r, set, m, p, n);
	buf_char(r->out->o, ']');
}

void attrs_write(struct reader *r, const struct layout *set, const char *p, size_t len)
{
	bool is_list = false;
	uint32_t shown = 0;

	for (size_t at = 0, next; at < len; at = next) {
		if (!reader_head(r, p + at, len - at, NLA_HDRLEN, shown++))
			break;
		next = reader_next(at, len, memory_number(p + at, 2), NLA_HDRLEN);
		if (!is_list && next)
			buf_char(r->out->o, '[');
		is_list |= next != 0;
		attr_write(r, set, p + at, len - at);
		if (!next)
			break;
		buf_str(r->out->o, ", ");
	}
	buf_str(r->out->o, is_list ? "]" : "");
}
