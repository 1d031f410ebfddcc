/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sock_match.h - what an address and port are compared with: a text → bytes and masks.
 */
#ifndef CORETAP_OUTPUT_FIELD_SOCK_MATCH_H
#define CORETAP_OUTPUT_FIELD_SOCK_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
