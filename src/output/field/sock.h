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
	SOCK_SPORT, /* the machine's byte order */
	SOCK_DPORT, /* network order */
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
	bool is_optional; /* a kernel may have been built without it */
} sock_parts[SOCK_PARTS];

/* Where a kernel has them: field.context of a FIELD_SOCK. */
struct sock_layout {
	uint8_t offset[SOCK_PARTS], has; /* bytes; bit i: it has part i */
	uint8_t size;			 /* bytes from the beginning that have all of them */
};

/* 127.0.0.1:42188 -> 10.0.0.1:443, [::1]:80; not connected: the first alone. */
field_text_fn text_sock, text_sock_local, text_sock_peer;
/* 127.0.0.1, ::1 */
field_text_fn text_sock_local_ip, text_sock_peer_ip;
/* 127.0.0.1:42188 */
void sock_put4(struct buf *o, const uint8_t *bytes, uint16_t port);
/* {"family":"AF_INET","saddr":"127.0.0.1","sport":42188,"daddr":"10.0.0.1","dport":443} */
field_json_fn json_sock;

/* A text to compare an address and port with → bytes and masks. */

enum sock_family { SOCK_ANY_FAMILY, SOCK_INET, SOCK_INET6 };

struct sock_pattern {
	enum sock_family family; /* of the address; ANY: each address matches */
	uint32_t words[4];	 /* the address as it is in memory: one word, or four */
	uint32_t masks[4];
	bool is_whole; /* one address and one port */
	bool any_port;
	uint16_t port; /* the number that it means */
};

/*
 * 127.0.0.1:80, 10.0.0.1:* or 10.0.0.1, *:443, 10.*, 10.0.0.0/8, [::1]:22, ::1, [fe80::/10]:*. An IPv4 address
 * written as an IPv6 one is an IPv4 one, as in what is shown. False: none of these.
 */
bool sock_pattern_read(const char *text, size_t len, struct sock_pattern *p);

#endif
