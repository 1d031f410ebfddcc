/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lookups.h - DNS questions and their answers: pairs them, shows them as rows, and remembers which
 * names a process has asked for. It knows nothing about sessions.
 */
#ifndef CORETAP_APPLETS_CONNSNOOP_LOOKUPS_H
#define CORETAP_APPLETS_CONNSNOOP_LOOKUPS_H

#include <linux/types.h>

#include "applets/connsnoop/dns.h"
#include "output/field/field.h"
#include "connsnoop.h"
#include "output/field/field_kind.h"

/* The fds of bpf/connsnoop/names.bpf.h. */
struct libc_programs {
	int asked, addrinfo_found, hostent_found;
	int libraries; /* the map */
};

/* Probes what is mapped now, and our own library. Returns the last error with which the kernel refused a
 * probe, or 0. */
int libc_begin(const struct libc_programs *p);
void libc_mapped(const struct connsnoop_library *l);
/* The process may connect to these addresses now (dns.h). */
void libc_found(const struct connsnoop_found *f);
void libc_end(void);

/* A row of --dns. */
struct lookup {
	struct connsnoop_event e; /* the question's; took: CONNSNOOP_NONE without an answer */
	uint64_t sock, asked_at;
	bool answered;
	bool unread;	      /* it was answered, by bytes that the programs did not get */
	struct dns_message m; /* the answer, or else the question: without texts then */
};

/* True if the programs captured less of the message than its question. */
bool lookups_unreadable(const struct connsnoop_packet *p);
/* Keeps a question. False if an older one had to be dropped for it. */
bool lookups_asked(const struct connsnoop_packet *p);
/* Returns the lookup that this answer ends, valid until the next call, or NULL without a
 * question. An unreadable answer belongs to the only question of its socket. */
const struct lookup *lookups_answered(const struct connsnoop_packet *p);
/* Takes out the oldest question if it was asked before that time (CLOCK_MONOTONIC ns), or NULL. */
const struct lookup *lookups_expired(uint64_t before);
/* True if the lookup failed: no answer, an error, or no data. */
bool lookup_failed(const struct lookup *l);

/* Of struct lookup. */
field_value_fn lookup_name, lookup_type, lookup_status;
extern const struct field_kind lookup_answer;
/* For struct connsnoop_event: the name that its process had looked up before it got the peer's
 * address. */
field_value_fn lookup_host;

#endif
