/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dns.c - reads DNS messages (RFC 1035, 3596, 2782).
 *
 * A pointer in a name must refer to bytes before all those that the name was read from so far. So each pointer leads
 * further back, and every name ends.
 */
#include "applets/connsnoop/dns.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <arpa/inet.h>

#include "util/hash.h"

enum { HEADER = 12, LABEL_MAX = 63, WIRE_MAX = 255, POINTER = 0xc0 };
enum { A = 1, NS = 2, CNAME = 5, PTR = 12, MX = 15, TXT = 16, AAAA = 28, SRV = 33, DNAME = 39 };

struct reader {
	const uint8_t *bytes;
	size_t size, at;
};

static unsigned u16_at(const struct reader *r, size_t at)
{
	return r->bytes[at] << 8 | r->bytes[at + 1];
}

/* ---- names ---- */

struct name {
	char text[DNS_NAME_MAX];
	size_t len, wire; /* bytes; as text, and in the message */
};

static bool label_write(struct name *n, const uint8_t *label, size_t len)
{
	n->wire += 1 + len;
	if (n->wire >= WIRE_MAX)
		return false;
	if (n->len)
		n->text[n->len++] = '.';
	for (size_t i = 0; i < len; i++) {
		if (label[i] == '.' || label[i] == '\\')
			n->text[n->len++] = '\\';
		n->text[n->len++] = label[i];
	}
	return true;
}

/* Reads a name at r->at, and advances r->at. */
static bool name_read(struct reader *r, struct name *n)
{
	size_t at = r->at, begin = at, behind = 0;
	uint8_t len;

	n->len = n->wire = 0;
	while (at < r->size) {
		len = r->bytes[at];
		if (len >= POINTER) {
			if (at + 2 > r->size)
				return false;
			behind = behind ?: at + 2;
			at = u16_at(r, at) & 0x3fff;
			if (at >= begin)
				return false;
			begin = at;
			continue;
		}
		if (!len) {
			r->at = behind ?: at + 1;
			if (!n->len)
				n->text[n->len++] = '.';
			return true;
		}
		if (len > LABEL_MAX || at + 1 + len > r->size ||
		    !label_write(n, r->bytes + at + 1, len))
			return false;
		at += 1 + len;
	}
	return false;
}

/* ---- answers ---- */

static void text_write(struct dns_message *m, const char *text, size_t len)
{
	if (len + 1 > sizeof(m->texts) - m->texts_len) {
		m->is_cut = true;
		return;
	}
	memcpy(m->texts + m->texts_len, text, len);
	m->texts_len += len;
	m->texts[m->texts_len++] = 0;
}

static void address_write(struct dns_message *m, const uint8_t *bytes, bool is_six)
{
	struct dns_address *a = &m->addresses[m->address_count];
	char text[INET6_ADDRSTRLEN];

	inet_ntop(is_six ? AF_INET6 : AF_INET, bytes, text, sizeof(text));
	text_write(m, text, strlen(text));
	if (m->address_count == DNS_ADDRESSES_MAX)
		return;
	a->is_six = is_six;
	memcpy(a->bytes, bytes, is_six ? 16 : 4);
	m->address_count++;
}

/* Writes a name after `skip` bytes: numbers in MX and SRV records, which are printed before it. */
static bool name_write(struct dns_message *m, struct reader r, size_t skip)
{
	char text[3 * 6 + DNS_NAME_MAX];
	struct name n;
	size_t len = 0;

	for (size_t i = 0; i < skip; i += 2)
		len += sprintf(text + len, "%u ", u16_at(&r, r.at + i));
	r.at += skip;
	if (!name_read(&r, &n))
		return false;
	memcpy(text + len, n.text, n.len);
	text_write(m, text, len + n.len);
	return true;
}

/* TXT: strings, each preceded by its length. */
static void strings_write(struct dns_message *m, const uint8_t *bytes, size_t size)
{
	char text[512];
	size_t len = 0, part;

	for (size_t at = 0; at < size; at += 1 + part) {
		part = bytes[at] < size - at ? bytes[at] : size - at - 1;
		if (part > sizeof(text) - len) {
			m->is_cut = true;
			break;
		}
		memcpy(text + len, bytes + at + 1, part);
		len += part;
	}
	text_write(m, text, len);
}

static void other_write(struct dns_message *m, unsigned type, size_t size)
{
	const char *name = dns_type_name(type);
	char text[48];

	if (name)
		snprintf(text, sizeof(text), "%s, %zu bytes", name, size);
	else
		snprintf(text, sizeof(text), "TYPE%u, %zu bytes", type, size);
	text_write(m, text, strlen(text));
}

static bool data_write(struct dns_message *m, const struct reader *r, unsigned type, size_t size)
{
	const uint8_t *data = r->bytes + r->at;

	if ((type == A && size == 4) || (type == AAAA && size == 16))
		address_write(m, data, type == AAAA);
	else if (type == CNAME || type == NS || type == PTR || type == DNAME)
		return name_write(m, *r, 0);
	else if ((type == MX && size > 2) || (type == SRV && size > 6))
		return name_write(m, *r, type == MX ? 2 : 6);
	else if (type == TXT)
		strings_write(m, data, size);
	else
		other_write(m, type, size);
	return true;
}

/* Owner, type, class, time to live, length, data. */
static bool answer_read(struct dns_message *m, struct reader *r)
{
	struct name owner;
	unsigned type;
	size_t size;

	if (!name_read(r, &owner) || r->size - r->at < 10)
		return false;
	type = u16_at(r, r->at);
	size = u16_at(r, r->at + 8);
	r->at += 10;
	if (size > r->size - r->at || !data_write(m, r, type, size))
		return false;
	r->at += size;
	return true;
}

bool dns_read(struct dns_message *m, const uint8_t *bytes, size_t size)
{
	struct reader r = { bytes, size, HEADER };
	unsigned questions, answers;
	struct name n;

	memset(m, 0, offsetof(struct dns_message, name));
	m->name_len = m->texts_len = m->address_count = m->is_cut = 0;
	if (size < HEADER)
		return false;
	m->id = u16_at(&r, 0);
	m->is_answer = bytes[2] >> 7;
	m->is_truncated = bytes[2] >> 1 & 1;
	m->status = bytes[3] & 15;
	questions = u16_at(&r, 4);
	answers = u16_at(&r, 6);
	if (questions != 1 || !name_read(&r, &n) || r.size - r.at < 4)
		return false;
	memcpy(m->name, n.text, n.len);
	m->name_len = n.len;
	m->type = u16_at(&r, r.at);
	r.at += 4;
	for (; answers && !m->is_cut; answers--)
		m->is_cut = !answer_read(m, &r);
	return true;
}

/* ---- names of numbers ---- */

const char *dns_type_name(unsigned type)
{
	static const char names[][8] = {
		[A] = "A",	[NS] = "NS",	[CNAME] = "CNAME", [6] = "SOA",	    [PTR] = "PTR",
		[13] = "HINFO", [MX] = "MX",	[TXT] = "TXT",	   [AAAA] = "AAAA", [29] = "LOC",
		[SRV] = "SRV",	[35] = "NAPTR", [DNAME] = "DNAME", [43] = "DS",	    [44] = "SSHFP",
		[46] = "RRSIG", [47] = "NSEC",	[48] = "DNSKEY",   [52] = "TLSA",   [64] = "SVCB",
		[65] = "HTTPS",
	};

	if (type == 255)
		return "ANY";
	return type < sizeof(names) / sizeof(names[0]) && names[type][0] ? names[type] : NULL;
}

const char *dns_status_name(unsigned status)
{
	static const char *const names[] = { "NOERROR", "FORMERR", "SERVFAIL", "NXDOMAIN",
					     "NOTIMP",	"REFUSED", "YXDOMAIN", "YXRRSET",
					     "NXRRSET", "NOTAUTH", "NOTZONE" };

	return status < sizeof(names) / sizeof(names[0]) ? names[status] : NULL;
}

bool dns_same(const struct dns_message *a, const struct dns_message *b)
{
	if (a->id != b->id || a->type != b->type || a->name_len != b->name_len)
		return false;
	for (size_t i = 0; i < a->name_len; i++)
		if (strncasecmp(&a->name[i], &b->name[i], 1))
			return false;
	return true;
}

/*
 * A cache of sets with four entries: a new name replaces the oldest one of its set. A dropped name is unknown. An
 * entry of a process whose pid is reused stays until the new process itself looks up that address.
 */

enum { SETS = 256, WAYS = 4 };

static struct host {
	uint32_t pid, age; /* age 0: empty */
	struct dns_address address;
	char name[DNS_NAME_MAX];
	uint16_t len;
} hosts[SETS][WAYS];

/* Converts an IPv4 address in an IPv6 socket to plain IPv4. */
static struct dns_address plain(const struct dns_address *a)
{
	static const uint8_t mapped[12] = { [10] = 0xff, 0xff };
	struct dns_address four = { 0 };

	if (!a->is_six || memcmp(a->bytes, mapped, sizeof(mapped)) != 0)
		return *a;
	memcpy(four.bytes, a->bytes + sizeof(mapped), 4);
	return four;
}

static struct host *set_of(uint32_t pid, const struct dns_address *a)
{
	uint32_t hash = hash_add(pid * 2654435761u, a->bytes, a->is_six ? 16 : 4);

	return hosts[hash >> 16 & (SETS - 1)];
}

static bool is_of(const struct host *h, uint32_t pid, const struct dns_address *a)
{
	return h->age && h->pid == pid && h->address.is_six == a->is_six &&
	       !memcmp(h->address.bytes, a->bytes, a->is_six ? 16 : 4);
}

void host_learn(uint32_t pid, const struct dns_address *address, const char *name, size_t len)
{
	const struct dns_address a = plain(address);
	struct host *set = set_of(pid, &a), *to = set;
	static uint32_t clock;

	for (unsigned i = 0; i < WAYS; i++) {
		if (is_of(&set[i], pid, &a)) {
			to = &set[i];
			break;
		}
		if (set[i].age < to->age)
			to = &set[i];
	}
	*to = (struct host){ .pid = pid, .age = ++clock ?: ++clock, .address = a, .len = len };
	memcpy(to->name, name, len);
}

const char *host_find(uint32_t pid, const struct dns_address *address, size_t *len)
{
	const struct dns_address a = plain(address);
	const struct host *set = set_of(pid, &a);

	for (unsigned i = 0; i < WAYS; i++)
		if (is_of(&set[i], pid, &a)) {
			*len = set[i].len;
			return set[i].name;
		}
	return NULL;
}
