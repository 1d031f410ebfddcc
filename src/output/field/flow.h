/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * flow.h - the source and destination of a packet, as its headers tell.
 */
#ifndef CORETAP_OUTPUT_FIELD_FLOW_H
#define CORETAP_OUTPUT_FIELD_FLOW_H

#include <stdint.h>

#include "output/field/field.h"
#include "output/field/field_kind.h"

enum flow_state {
	FLOW_UNSET, /* the place of the headers is unknown so far */
	FLOW_OTHER, /* no IP packet: `ports` begins with its EtherType */
	FLOW_ADDRESSES,
	FLOW_PORTS,
};

/* What programs extract from a packet (expr/emit/emit_flow.c), shown as a FIELD_FLOW. Unknown members are 0. */
struct flow {
	uint16_t family;  /* AF_INET, AF_INET6 */
	uint8_t state;	  /* enum flow_state */
	uint8_t proto;	  /* IPPROTO_… */
	uint8_t ports[4]; /* source and destination, in network order */
	uint8_t source[16], destination[16];
};

/* Writes 127.0.0.1:42188 -> 10.0.0.1:443; without ports fe80::1 -> ff02::16 IPPROTO_ICMPV6; for other packets
 * EtherType 0x0806, or "no headers yet". */
field_text_fn text_flow;
/* Writes the same members as for a socket, and "proto":"IPPROTO_UDP"; for other packets {"ethertype":2054}, or null. */
field_json_fn json_flow;

#endif
