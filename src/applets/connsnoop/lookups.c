/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lookups.c - pairs DNS questions with their answers: by socket, id, name and type. A repeated question is a separate
 * one, and an answer belongs to the latest.
 */
#include "applets/connsnoop/lookups.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <arpa/inet.h>
#include <bpf/bpf.h>
#include <sys/socket.h>

#include "attach/file_probes.h"
#include "kernel/arch.h"
#include "output/field/field_kind.h"
#include "output/field/timestamp.h"
#include "output/field/value.h"
#include "output/field/value_text.h"
#include "util/escape.h"

/* ---- C libraries, found by their file names (lookups.h, attach/file_probes.h) ---- */

/* Names of glibc and musl. */
static const char *const libraries[] = { "libc.so*", "libc-[0-9]*", "libc.musl-*", "ld-musl-*",
					 NULL };
static const char *const installed[] = { "/lib/" ARCH_LIBRARIES "/libc.so.6", "/lib64/libc.so.6",
					 "/usr/lib/libc.so.6",
					 "/lib/ld-musl-" ARCH_MACHINE ".so.1" };

enum { FUNCTIONS = 3 };
static struct file_probe probes[2 * FUNCTIONS + 1] = {
	{ .function = "getaddrinfo" },
	{ .function = "gethostbyname" },
	{ .function = "gethostbyname2" },
	{ .function = "getaddrinfo", .is_return = true },
	{ .function = "gethostbyname", .is_return = true },
	{ .function = "gethostbyname2", .is_return = true },
};
static struct file_probes files = {
	.probes = probes, .libraries = libraries, .unseen = "names looked up there", .only_64 = true
};
static int mapped_fd;

static void process_probe(uint32_t pid)
{
	file_probes_libraries(&files, pid);
}

int libc_begin(const struct libc_programs *p)
{
	for (int i = 0; i < FUNCTIONS; i++) {
		probes[i].prog_fd = p->asked;
		probes[FUNCTIONS + i].prog_fd = i ? p->hostent_found : p->addrinfo_found;
	}
	mapped_fd = p->libraries;
	for (size_t i = 0; i < sizeof(installed) / sizeof(installed[0]); i++)
		file_probes_poll(&files, installed[i], installed[i]);
	file_probes_processes(process_probe);
	return files.refused;
}

/* Removes a library that cannot be reached: the next process reports it again. */
void libc_mapped(const struct connsnoop_library *l)
{
	if (!file_probes_libraries(&files, l->e.header.pid))
		bpf_map_delete_elem(mapped_fd, &l->file);
}

static bool is_address(const char *name)
{
	struct in6_addr a;

	return inet_pton(AF_INET, name, &a) == 1 || inet_pton(AF_INET6, name, &a) == 1;
}

void libc_found(const struct connsnoop_found *f)
{
	if (!f->len || f->len >= sizeof(f->name) || is_address(f->name))
		return;
	for (unsigned i = 0; i < f->count && i < CONNSNOOP_FOUND_MAX; i++) {
		struct dns_address a = { .is_six = f->addresses[i].family == AF_INET6 };

		memcpy(a.bytes, f->addresses[i].words, sizeof(a.bytes));
		host_learn(f->e.header.pid, &a, f->name, f->len);
	}
}

void libc_end(void)
{
	file_probes_end(&files);
}

/* ---- questions and answers ---- */

enum { WAITING_MAX = 1024 };

/* Questions, which have no texts; the oldest first. */
static struct waiting {
	_Alignas(struct lookup) char bytes[offsetof(struct lookup, m) +
					   offsetof(struct dns_message, texts)];
} waiting[WAITING_MAX];
static size_t waiting_count;
static struct lookup current;

static void current_read(size_t i)
{
	memcpy(&current, &waiting[i], sizeof(waiting[i]));
	current.m.texts_len = 0;
	waiting_count--;
	memmove(&waiting[i], &waiting[i + 1], (waiting_count - i) * sizeof(waiting[i]));
}

static bool packet_read(struct dns_message *m, const struct connsnoop_packet *p)
{
	size_t size = p->captured < sizeof(p->data) ? p->captured : sizeof(p->data);

	return dns_read(m, p->data, size);
}

bool lookups_asked(const struct connsnoop_packet *p)
{
	static struct lookup l;
	bool fits = waiting_count < WAITING_MAX;

	if (!packet_read(&l.m, p) || l.m.is_answer)
		return true;
	if (!fits)
		current_read(0);
	l.e = p->e;
	l.e.took = CONNSNOOP_NONE;
	l.sock = p->sock;
	l.asked_at = p->at;
	memcpy(&waiting[waiting_count++], &l, sizeof(waiting[0]));
	return fits;
}

bool lookups_unreadable(const struct connsnoop_packet *p)
{
	static struct dns_message m;

	return p->captured < p->len && !packet_read(&m, p);
}

static const struct lookup *waiting_at(size_t i)
{
	return (const struct lookup *)&waiting[i];
}

static void current_answer(size_t i, const struct connsnoop_packet *p)
{
	current_read(i);
	current.e.took = p->at - current.asked_at;
	current.e.header.ts = p->at;
	current.answered = true;
}

static const struct lookup *unread_parse(const struct connsnoop_packet *p)
{
	size_t found = WAITING_MAX;

	for (size_t i = 0; i < waiting_count; i++) {
		if (waiting_at(i)->sock != p->sock)
			continue;
		if (found != WAITING_MAX)
			return NULL;
		found = i;
	}
	if (found == WAITING_MAX)
		return NULL;
	current_answer(found, p);
	current.unread = true;
	return &current;
}

const struct lookup *lookups_answered(const struct connsnoop_packet *p)
{
	static struct dns_message m;
	size_t i = waiting_count;

	if (!packet_read(&m, p))
		return lookups_unreadable(p) ? unread_parse(p) : NULL;
	while (i--) {
		if (!m.is_answer || waiting_at(i)->sock != p->sock ||
		    !dns_same(&waiting_at(i)->m, &m))
			continue;
		current_answer(i, p);
		memcpy(m.name, current.m.name, m.name_len); /* in the case of the question */
		current.m = m;
		for (unsigned a = 0; a < m.address_count; a++)
			host_learn(current.e.header.pid, &m.addresses[a], m.name, m.name_len);
		return &current;
	}
	return NULL;
}

const struct lookup *lookups_expired(uint64_t before)
{
	if (!waiting_count || waiting_at(0)->asked_at >= before)
		return NULL;
	current_read(0);
	return &current;
}

bool lookup_failed(const struct lookup *l)
{
	return !l->answered || (!l->unread && (l->m.status || !l->m.texts_len));
}

/* ---- fields ---- */

static void text_value(struct value *v, const char *text)
{
	v->status = text ? EVENT_OK : EVENT_NONE;
	v->bytes = text;
	v->len = text ? strlen(text) : 0;
}

void lookup_name(const struct field *f, const void *record, struct value *v)
{
	const struct lookup *l = record;

	(void)f;
	v->bytes = l->m.name;
	v->len = l->m.name_len;
}

/* A number without a name is written as in RFC 3597. */
static const char *number_name(const char *name, const char *prefix, unsigned number)
{
	static char text[16];

	if (name)
		return name;
	snprintf(text, sizeof(text), "%s%u", prefix, number);
	return text;
}

void lookup_type(const struct field *f, const void *record, struct value *v)
{
	const struct lookup *l = record;

	(void)f;
	text_value(v, number_name(dns_type_name(l->m.type), "TYPE", l->m.type));
}

static const char *status_name(const struct lookup *l)
{
	return number_name(dns_status_name(l->m.status), "RCODE", l->m.status);
}

void lookup_status(const struct field *f, const void *record, struct value *v)
{
	const struct lookup *l = record;

	(void)f;
	text_value(v, l->answered && !l->unread ? status_name(l) : NULL);
}

void lookup_host(const struct field *f, const void *record, struct value *v)
{
	const struct connsnoop_event *e = record;
	struct dns_address a = { .is_six = e->addresses.family == AF_INET6 };

	(void)f;
	memcpy(a.bytes, e->addresses.daddr, a.is_six ? 16 : 4);
	v->bytes = e->addresses.family == AF_UNIX ? NULL : host_find(e->header.pid, &a, &v->len);
	v->status = v->bytes ? EVENT_OK : EVENT_NONE;
}

/* ---- the answer ---- */

static const char no_answer[] = "no answer", unread[] = "unreadable";

/* bytes: texts, each ended by a NUL; u: a text to print instead, a const char *. */
static int answer_load(const struct field *f, const void *record, size_t size, struct value *v)
{
	const struct lookup *l = record;
	const char *instead = NULL;

	(void)f;
	if (size < sizeof(*l))
		return -EBADMSG;
	if (!l->answered)
		instead = no_answer;
	else if (l->unread)
		instead = unread;
	else if (l->m.status)
		instead = status_name(l);
	else if (!l->m.texts_len)
		instead = l->m.is_truncated ? "truncated" : "no data";
	*v = (struct value){ .u = (uintptr_t)instead,
			     .bytes = l->m.texts,
			     .len = l->m.texts_len,
			     .status = l->m.is_cut ? EVENT_CUT : EVENT_OK };
	return 0;
}

static size_t answer_text(struct buf *o, const struct field *f, const struct value *v,
			  enum timestamp_form form)
{
	const char *instead = (const char *)(uintptr_t)v->u, *text;
	struct value rest = *v;
	size_t len, width = 0;

	(void)f, (void)form;
	if (instead)
		return escape_write(o, instead, strlen(instead));
	while (value_pop_first(&rest, &text, &len)) {
		if (text != v->bytes) {
			buf_char(o, ',');
			width++;
		}
		width += escape_write(o, text, len);
	}
	return v->status == EVENT_CUT ? width + text_write_cut(o, v) : width;
}

static void answer_json(struct buf *o, const struct field *f, const struct value *v)
{
	const char *instead = (const char *)(uintptr_t)v->u, *text, *between = "";
	struct value rest = *v;
	size_t len;

	(void)f;
	if (instead == no_answer || instead == unread) {
		buf_str(o, "null");
		return;
	}
	buf_char(o, '[');
	while (value_pop_first(&rest, &text, &len)) {
		buf_str(o, between);
		escape_write_json(o, text, len);
		between = ",";
	}
	buf_char(o, ']');
}

const struct field_kind lookup_answer = {
	.name = "DNS answer", .load = answer_load, .text = answer_text, .json = answer_json
};
