/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * filter.h - filters of pcap-filter(7), compiled by libpcap to a classic BPF program.
 */
#ifndef CORETAP_PACKET_FILTER_H
#define CORETAP_PACKET_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FILTER_ERROR = 256 };

/* struct sock_filter; libpcap's and Linux' structs of BPF have the same names, so only filter.c knows both. */
struct filter_insn {
	uint16_t code;
	uint8_t jump_true, jump_false;
	uint32_t k;
};

/* For Ethernet frames. */
struct packet_filter {
	const struct filter_insn *insns;
	size_t count;
	bool has_vlan; /* it asks for the tag of a VLAN */
};

/* Returns the program, which is cached until the end: thousands of functions may share one filter. NULL: see `error`,
 * which is empty if out of memory. */
const struct packet_filter *packet_filter(const char *text, char error[FILTER_ERROR]);
/* Returns a remedy for the error. */
const char *packet_filter_hint(const char *error);
/* Finds the part of `text`, which contains the filter, that the error is about: all of it, or the word that libpcap
 * quotes. */
void packet_filter_place(const char *error, const char *text, size_t len, size_t *start,
			 size_t *end);
/* Returns libpcap's own result: 0 if the frame does not match. For tests. */
unsigned packet_filter_judge(const struct packet_filter *f, const uint8_t *frame, unsigned length,
			     unsigned captured);

#endif
