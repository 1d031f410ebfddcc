/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * carried.c - prints payloads of UDP and TCP: DNS, the server name of a TLS client, the first line of HTTP.
 */
#include <string.h>

#include "packet/packet.h"
#include "util/escape.h"

/* ---- DNS ---- */

struct message {
	const uint8_t *start, *end;
	const uint8_t *at; /* NULL: the rest is missing or damaged */
};

enum { NAME_JUMPS = 16 };

/* Appends the name, followed by a dot; `o` NULL: skips it. */
static void dns_name(struct buf *o, struct message *m)
{
	const uint8_t *p = m->at, *behind = NULL;
	int jumps = 0;

	if (o && p < m->end && !*p)
		buf_char(o, '.');
	while (p < m->end && *p) {
		if (*p >= 0xc0) { /* a pointer: continues elsewhere */
			if (p + 1 >= m->end || ++jumps > NAME_JUMPS)
				break;
			behind = behind ?: p + 2;
			p = m->start + (packet_u16(p) & 0x3fff);
		} else {
			if (m->end - p <= *p)
				break;
			if (o) {
				escape_write(o, (const char *)p + 1, *p);
				buf_char(o, '.');
			}
			p += 1 + *p;
		}
	}
	m->at = p >= m->end || *p ? NULL : behind ?: p + 1;
}

static void dns_type(struct buf *o, unsigned type)
{
	static const struct {
		uint16_t type;
		char name[7];
	} types[] = { { 1, "A" },      { 2, "NS" },	 { 5, "CNAME" },  { 6, "SOA" },
		      { 12, "PTR" },   { 15, "MX" },	 { 16, "TXT" },	  { 28, "AAAA" },
		      { 33, "SRV" },   { 35, "NAPTR" },	 { 41, "OPT" },	  { 43, "DS" },
		      { 46, "RRSIG" }, { 48, "DNSKEY" }, { 65, "HTTPS" }, { 251, "IXFR" },
		      { 252, "AXFR" }, { 255, "ANY" } };

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if (types[i].type != type)
			continue;
		buf_str(o, types[i].name);
		return;
	}
	buf_printf(o, "Type%u", type);
}

/* " A? example.com." */
static void dns_question(struct buf *o, struct message *m)
{
	struct message type = *m;

	dns_name(NULL, &type);
	if (!type.at || type.end - type.at < 4) {
		m->at = NULL;
		return;
	}
	buf_char(o, ' ');
	dns_type(o, packet_u16(type.at));
	buf_str(o, "? ");
	dns_name(o, m);
	m->at += 4;
}

/* " A 10.0.0.1" */
static void dns_answer(struct buf *o, struct message *m)
{
	const uint8_t *p;
	unsigned type, size;

	dns_name(NULL, m);
	if (!m->at || m->end - m->at < 10) {
		m->at = NULL;
		return;
	}
	p = m->at + 10;
	type = packet_u16(m->at);
	size = packet_u16(m->at + 8);
	buf_char(o, ' ');
	dns_type(o, type);
	if (m->end - p < (long)size) {
		m->at = NULL;
		return;
	}
	if ((type == 1 && size == 4) || (type == 28 && size == 16)) {
		buf_char(o, ' ');
		(size == 4 ? packet_ip4 : packet_ip6)(o, p);
	} else if (type == 2 || type == 5 || type == 12 || (type == 15 && size > 2) ||
		   (type == 33 && size > 6)) {
		m->at = p + (type == 15 ? 2 : type == 33 ? 6 : 0);
		buf_char(o, ' ');
		dns_name(o, m);
		if (type == 15)
			buf_printf(o, " %u", packet_u16(p));
		if (type == 33)
			buf_printf(o, ":%u %u %u", packet_u16(p + 4), packet_u16(p),
				   packet_u16(p + 2));
		m->at = m->at ? p + size : NULL;
		return;
	}
	m->at = p + size;
}

static void dns_query(struct buf *o, struct message *m)
{
	const uint8_t *p = m->start;
	unsigned operation = p[2] >> 3 & 15;

	buf_printf(o, "%u%s%s%s", packet_u16(p),
		   operation == 4 ? " notify" :
		   operation == 5 ? " update" :
				    "",
		   p[2] & 1 ? "+" : "", p[3] & 0x10 ? "%" : "");
	if (packet_u16(p + 4) != 1)
		buf_printf(o, " [%uq]", packet_u16(p + 4));
	for (int i = 0; i < 3; i++)
		if (packet_u16(p + 6 + 2 * i))
			buf_printf(o, " [%u%s]", packet_u16(p + 6 + 2 * i),
				   i == 0 ? "a" :
				   i == 1 ? "n" :
					    "au");
	if (packet_u16(p + 4))
		dns_question(o, m);
}

static void dns_response(struct buf *o, struct message *m)
{
	static const char *const codes[] = { "",	 " FormErr", " ServFail", " NXDomain",
					     " NotImp",	 " Refused", " YXDomain", " YXRRSet",
					     " NXRRSet", " NotAuth", " NotZone" };
	const uint8_t *p = m->start;
	unsigned code = p[3] & 15, answers = packet_u16(p + 6);

	buf_printf(o, "%u%s%s%s%s%s", packet_u16(p),
		   code < sizeof(codes) / sizeof(*codes) ? codes[code] : " Error",
		   p[2] & 4 ? "*" : "", p[3] & 0x80 ? "" : "-", p[2] & 2 ? "|" : "",
		   p[3] & 0x20 ? "$" : "");
	if (packet_u16(p + 4) != 1)
		buf_printf(o, " [%uq]", packet_u16(p + 4));
	for (unsigned i = packet_u16(p + 4); i && m->at; i--) {
		dns_name(NULL, m);
		m->at = m->at && m->end - m->at >= 4 ? m->at + 4 : NULL;
	}
	buf_printf(o, " %u/%u/%u", answers, packet_u16(p + 8), packet_u16(p + 10));
	for (unsigned i = 0; i < answers && m->at; i++) {
		if (i)
			buf_char(o, ',');
		dns_answer(o, m);
	}
}

void packet_dns(struct buf *o, struct packet_rest r)
{
	struct message m = { r.at, r.at + r.captured, r.at + 12 };

	if (r.captured < 12) {
		packet_cut(o, "domain");
		return;
	}
	if (r.at[2] & 0x80)
		dns_response(o, &m);
	else
		dns_query(o, &m);
	if (!m.at)
		packet_cut(o, "domain");
	buf_printf(o, " (%u)", r.length);
}

/* ---- TLS ---- */

/* Skips a length of `size` bytes, and as many bytes as it specifies. */
static bool skip_counted(struct packet_rest *r, unsigned size)
{
	unsigned length = 0;

	if (r->captured < size)
		return false;
	for (unsigned i = 0; i < size; i++)
		length = length << 8 | r->at[i];
	return packet_skip(r, size + length);
}

/* Returns the server name in the extensions, whose length comes first; NULL: none, or not captured. */
static const uint8_t *sni_find(struct packet_rest r, size_t *size, bool *cut)
{
	packet_skip(&r, 2);
	while (r.captured >= 9 && packet_u16(r.at)) {
		packet_skip(&r, 2);
		if (!skip_counted(&r, 2)) {
			*cut = true;
			return NULL;
		}
	}
	*cut = r.captured < 9;
	if (*cut)
		return NULL;
	*size = packet_u16(r.at + 7);
	*cut = *size > r.captured - 9;
	*size = *cut ? r.captured - 9 : *size;
	return r.at + 9;
}

static void tls_hello(struct buf *o, struct packet_rest r)
{
	bool cut = true;
	size_t size = 0;
	const uint8_t *name = NULL;

	buf_str(o, ": TLS client hello");
	if (packet_skip(&r, 9 + 34) && skip_counted(&r, 1) && skip_counted(&r, 2) &&
	    skip_counted(&r, 1))
		name = sni_find(r, &size, &cut);
	if (name) {
		buf_str(o, ", SNI ");
		packet_text(o, name, size);
	}
	if (cut)
		packet_cut(o, "tls");
}

/* ---- streams ---- */

static bool is_http(const struct packet_rest *r)
{
	static const char words[][8] = { "GET /", "POST /", "HEAD /", "PUT /", "HTTP/1." };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (r->captured >= strlen(words[i]) && !memcmp(r->at, words[i], strlen(words[i])))
			return true;
	return false;
}

void packet_stream(struct buf *o, struct packet_rest r, unsigned source, unsigned destination)
{
	if (!r.captured || !r.length)
		return;
	if (r.captured > 5 && r.at[0] == 22 && r.at[1] == 3 && r.at[5] == 1) {
		tls_hello(o, r);
	} else if (is_http(&r)) {
		buf_str(o, ": HTTP: ");
		packet_text(o, r.at, r.captured);
	} else if ((source == 53 || destination == 53) && r.captured >= 14) {
		buf_char(o, ' ');
		packet_skip(&r, 2); /* its length */
		packet_dns(o, r);
	}
}
