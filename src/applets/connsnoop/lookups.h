/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lookups.h - DNS questions and their answers: pairs them, prints them as rows, and records which names a process has
 * looked up. It knows nothing about sessions.
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

/* Probes the libraries that are mapped now, and our own. Returns the last error for a probe that the kernel rejected,
 * or 0. */
int libc_begin(const struct libc_programs *p);
void libc_mapped(const struct connsnoop_library *l);
/* Records that the process may now connect to these addresses (dns.h). */
void libc_found(const struct connsnoop_found *f);
void libc_end(void);

/* A row of --dns. */
struct lookup {
	struct connsnoop_event e; /* the question's; took: CONNSNOOP_NONE if it was not answered */
	uint64_t sock, asked_at;
	bool answered;
	bool unread;	      /* the answer's bytes were not captured */
	struct dns_message m; /* the answer; or the question, which has no texts */
};

/* True if the programs captured less of the message than its question. */
bool lookups_unreadable(const struct connsnoop_packet *p);
/* Adds a question. Returns false if an older one was dropped to make room. */
bool lookups_asked(const struct connsnoop_packet *p);
/* Returns the lookup that this answer completes, valid until the next call; NULL if it has no question. An unreadable
 * answer belongs to the only question of its socket. */
const struct lookup *lookups_answered(const struct connsnoop_packet *p);
/* Removes and returns the oldest question if it was asked before that time (CLOCK_MONOTONIC, ns), or NULL. */
const struct lookup *lookups_expired(uint64_t before);
/* True if the lookup failed: no answer, an error, or an answer without data. */
bool lookup_failed(const struct lookup *l);

/* Values of struct lookup. */
field_value_fn lookup_name, lookup_type, lookup_status;
extern const struct field_kind lookup_answer;
/* For struct connsnoop_event: the name that its process looked up before it got the peer's address. */
field_value_fn lookup_host;

#endif
