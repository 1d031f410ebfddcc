/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dns.h - a DNS message (RFC 1035): its first question, and the answers. No I/O, no state. Its bytes are untrusted:
 * nothing beyond them is read, and a text may contain any byte.
 */
#ifndef CORETAP_APPLETS_CONNSNOOP_DNS_H
#define CORETAP_APPLETS_CONNSNOOP_DNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DNS_NAME_MAX	  508 /* 254 bytes of labels and dots, each after a backslash */
#define DNS_TEXTS_MAX	  1536
#define DNS_ADDRESSES_MAX 16

struct dns_address {
	uint8_t is_six;
	uint8_t bytes[16]; /* IPv4: the first 4 */
};

struct dns_message {
	uint16_t id;
	bool is_answer, is_truncated; /* TC: the server left something out */
	uint8_t status;		      /* RCODE */
	uint16_t type;		      /* of the question */
	/* Labels with dots between them; a dot or backslash inside a label gets a backslash. */
	char name[DNS_NAME_MAX];
	size_t name_len;
	/* The answers as texts, each ended by a NUL: addresses, names, others. */
	char texts[DNS_TEXTS_MAX];
	size_t texts_len;
	struct dns_address addresses[DNS_ADDRESSES_MAX];
	unsigned address_count;
	bool is_cut; /* the bytes or the room for texts ended before the last answer */
};

/* Returns false if it is not a message with a question. */
bool dns_read(struct dns_message *m, const uint8_t *bytes, size_t size);
/* Returns "A", or NULL. */
const char *dns_type_name(unsigned type);
/* Returns "NXDOMAIN", or NULL. */
const char *dns_status_name(unsigned status);
/* True if both ask the same question. Names are compared like servers do, ignoring the case of ASCII letters. */
bool dns_same(const struct dns_message *a, const struct dns_message *b);

/* Records the name that a process looked up before it got an address. Only the last ones are kept. */

void host_learn(uint32_t pid, const struct dns_address *a, const char *name, size_t len);
/* Returns the name, *len bytes valid until the next host_learn, or NULL. */
const char *host_find(uint32_t pid, const struct dns_address *a, size_t *len);

#endif
