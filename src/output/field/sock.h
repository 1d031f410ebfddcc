/* SPDX-License-Identifier: GPL-2.0-only */
/* sock.h - both addresses of a socket, from the bytes of its struct sock_common. */
#ifndef CORETAP_OUTPUT_FIELD_SOCK_H
#define CORETAP_OUTPUT_FIELD_SOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "output/field/field.h"
#include "output/field/field_kind.h"

enum sock_part {
	SOCK_FAMILY,
	SOCK_SPORT, /* in the machine's byte order */
	SOCK_DPORT, /* in network order */
	SOCK_SADDR,
	SOCK_DADDR,
	SOCK_SADDR6,
	SOCK_DADDR6,
	SOCK_PARTS,
};

enum { SOCK_SIZE_MAX = 128 };

/* The members of struct sock_common that are used. */
extern const struct sock_part_row {
	const char *member;
	uint8_t size;	  /* bytes */
	bool is_optional; /* kernels may be built without it */
} sock_parts[SOCK_PARTS];

/* Where this kernel has them: field.context of a FIELD_SOCK. */
struct sock_layout {
	uint8_t offset[SOCK_PARTS], has; /* offsets in bytes; bit i of `has`: part i exists */
	uint8_t size;			 /* bytes of the struct that contain all parts */
};

/* Writes 127.0.0.1:42188 -> 10.0.0.1:443, [::1]:80; only the first address if not connected. */
field_text_fn text_sock, text_sock_local, text_sock_peer;
/* Writes 127.0.0.1 or ::1. */
field_text_fn text_sock_local_ip, text_sock_peer_ip;
/* Writes 127.0.0.1:42188. */
void sock_put4(struct buf *o, const uint8_t *bytes, uint16_t port);
/* Writes {"family":"AF_INET","saddr":"127.0.0.1","sport":42188,"daddr":"10.0.0.1","dport":443}. */
field_json_fn json_sock;

/* A pattern for an address and port, as bytes and masks to compare with. */

enum sock_family { SOCK_ANY_FAMILY, SOCK_INET, SOCK_INET6 };

struct sock_pattern {
	enum sock_family family; /* of the address; ANY: every address matches */
	uint32_t words[4];	 /* the address as it is in memory: one word, or four */
	uint32_t masks[4];
	bool is_whole; /* matches exactly one address and one port */
	bool any_port;
	uint16_t port; /* the number of the port */
};

/*
 * Parses 127.0.0.1:80, 10.0.0.1:* or 10.0.0.1, *:443, 10.*, 10.0.0.0/8, [::1]:22, ::1, [fe80::/10]:*. An IPv4-mapped
 * IPv6 address counts as IPv4, as it is shown. Returns false for anything else.
 */
bool sock_pattern_read(const char *text, size_t len, struct sock_pattern *p);

#endif
