/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * filter.c - compiles pcap-filter(7) to classic BPF, by libpcap. libpcap does not capture any packet.
 */
#include "packet/filter.h"

#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SNAPLEN = 262144 };

_Static_assert(sizeof(struct filter_insn) == sizeof(struct bpf_insn),
	       "both are struct sock_filter");

static struct known {
	struct known *next;
	char *text;
	struct bpf_program program;
	struct packet_filter filter;
} * known;

/* Returns the feature that a program in the kernel does not support, or NULL. */
static const char *refused(const struct bpf_program *p)
{
	for (unsigned i = 0; i < p->bf_len; i++) {
		const struct bpf_insn *at = &p->bf_insns[i];

		if (BPF_CLASS(at->code) == BPF_LD && BPF_MODE(at->code) == BPF_ABS &&
		    at->k > INT32_MAX)
			return "the direction and the interface of a packet are not in its bytes";
		if (at->code == (BPF_JMP | BPF_JA) && at->k > INT32_MAX)
			return "protochain loops over headers, which a program in the kernel cannot";
	}
	return NULL;
}

/* True if a tag's EtherType is compared with. */
static bool has_vlan(const struct bpf_program *p)
{
	for (unsigned i = 0; i < p->bf_len; i++)
		if (p->bf_insns[i].code == (BPF_JMP | BPF_JEQ | BPF_K) &&
		    (p->bf_insns[i].k == 0x8100 || p->bf_insns[i].k == 0x88a8 ||
		     p->bf_insns[i].k == 0x9100))
			return true;
	return false;
}

static bool compile(struct known *k, char error[FILTER_ERROR])
{
	pcap_t *p = pcap_open_dead(DLT_EN10MB, SNAPLEN);
	const char *no;
	int err;

	if (!p)
		return false;
	err = pcap_compile(p, &k->program, k->text, 1, PCAP_NETMASK_UNKNOWN);
	if (err)
		snprintf(error, FILTER_ERROR, "%s", pcap_geterr(p));
	pcap_close(p);
	no = err ? NULL : refused(&k->program);
	if (no) {
		pcap_freecode(&k->program);
		snprintf(error, FILTER_ERROR, "%s", no);
		err = PCAP_ERROR;
	}
	if (!err)
		k->filter = (struct packet_filter){ (const struct filter_insn *)k->program.bf_insns,
						    k->program.bf_len, has_vlan(&k->program) };
	return !err;
}

const struct packet_filter *packet_filter(const char *text, char error[FILTER_ERROR])
{
	struct known *k = known;

	*error = '\0';
	while (k && strcmp(k->text, text))
		k = k->next;
	if (k)
		return &k->filter;
	k = calloc(1, sizeof(*k));
	if (k)
		k->text = strdup(text);
	if (!k || !k->text || !compile(k, error)) {
		free(k ? k->text : NULL);
		free(k);
		return NULL;
	}
	k->next = known;
	known = k;
	return &k->filter;
}

/* ---- errors ---- */

const char *packet_filter_hint(const char *error)
{
	static const struct {
		const char *error, *hint;
	} hints[] = {
		{ "unknown host", "names of hosts are those of /etc/hosts: write the address" },
		{ "unknown port", "names of ports are those of /etc/services: write the number" },
		{ "protochain",
		  "proto compares with the first header after that of IP: ip6 proto 17" },
		{ "netmask", "write the address: ip dst 10.255.255.255" },
		{ "direction",
		  "trace a function of that direction: ip_rcv or ip_output, netif_rx or dev_hard_start_xmit" },
	};

	for (size_t i = 0; i < sizeof(hints) / sizeof(hints[0]); i++)
		if (strstr(error, hints[i].error))
			return hints[i].hint;
	return "a filter is what tcpdump takes: tcp port 443 and host 10.0.0.1; man 7 pcap-filter";
}

void packet_filter_place(const char *error, const char *text, size_t len, size_t *start,
			 size_t *end)
{
	const char *word = strchr(error, '\''), *quote = word ? strchr(word + 1, '\'') : NULL, *at;
	size_t size = quote ? quote - word - 1 : 0;

	at = size ? memmem(text, len, word + 1, size) : NULL;
	*start = at ? at - text : 0;
	*end = at ? *start + size : len;
}

unsigned packet_filter_judge(const struct packet_filter *f, const uint8_t *frame, unsigned length,
			     unsigned captured)
{
	return bpf_filter((const struct bpf_insn *)f->insns, frame, length, captured);
}
