/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dns.bpf.h - DNS messages sent to or from port 53, passed to user space unparsed. Messages between a server on this
 * machine and others on other ports are not seen.
 */
#ifndef CORETAP_CONNSNOOP_DNS_BPF_H
#define CORETAP_CONNSNOOP_DNS_BPF_H

#include "connsnoop/record.bpf.h"
#include "lib/pointer.bpf.h"

/* Returns where the payload begins, in bytes from skb->data: after a header of 8 bytes. */
static __always_inline __u64 payload_at(struct sk_buff *skb, const bool typed)
{
	return pointer_number(READ(skb, head)) + READ(skb, transport_header) + 8 -
	       pointer_number(READ(skb, data));
}

#define DNS_PORT (want_dns ? __builtin_bswap16(53) : -1)

/* Sockets on which a traced task has sent a query: any task may read the answer. */
CALLS(asked, __u64, __u64, 8192);

static __always_inline void packet_fill(struct connsnoop_packet *p, struct sk_buff *skb,
					const bool typed)
{
	__u64 skip = payload_at(skb, typed), at = pointer_number(READ(skb, data)) + skip;
	__u32 len = READ(skb, len), linear = len - READ(skb, data_len) - skip;

	p->at = bpf_ktime_get_ns();
	p->len = len - skip;
	asm volatile("" : "+r"(linear));
	if (linear > CONNSNOOP_MESSAGE_MAX)
		linear = CONNSNOOP_MESSAGE_MAX;
	p->captured = bpf_probe_read_kernel(p->data, linear, (void *)at) ? 0 : linear;
}

static __always_inline struct connsnoop_packet *packet_begin(const enum connsnoop_kind kind,
							     const struct sock *sk,
							     struct sk_buff *skb, const bool typed)
{
	struct connsnoop_packet *p = record_reserve(struct connsnoop_packet);

	if (!p)
		return NULL;
	__builtin_memset(&p->e, 0, sizeof(p->e));
	p->e.kind = kind;
	p->sock = (__u64)sk;
	packet_fill(p, skb, typed);
	return p;
}

static __always_inline void packet_submit(struct connsnoop_packet *p)
{
	p->e.header.ts = p->at;
	record_submit(p);
}

/* Addresses have one word, or four. */
static __always_inline void asks(struct sk_buff *skb, __u16 sport, const __u16 family,
				 const __u32 *saddr, const __u32 *daddr, const bool typed)
{
	struct sock *sk = READ(skb, sk);
	__u64 key = (__u64)sk, one = 1;
	struct connsnoop_packet *p;

	if (!filter_pass())
		return;
	if (bpf_map_update_elem(&asked, &key, &one, BPF_ANY))
		loss_count(LOSS_MAP_FULL, 1);
	p = packet_begin(CONNSNOOP_ASKED, sk, skb, typed);
	if (!p)
		return;
	header_fill(&p->e.header);
	p->e.addresses.family = family;
	p->e.addresses.sport = __builtin_bswap16(sport);
	p->e.addresses.dport = DNS_PORT;
	for (int i = 0; i < (family == INET6 ? 4 : 1); i++) {
		__u32 *from = (__u32 *)p->e.addresses.saddr + i;
		__u32 *to = (__u32 *)p->e.addresses.daddr + i;

		if (typed) {
			*from = saddr[i];
			*to = daddr[i];
		} else {
			bpf_probe_read_kernel(from, 4, saddr + i);
			bpf_probe_read_kernel(to, 4, daddr + i);
		}
	}
	packet_submit(p);
}

static __always_inline void answered(struct sock *sk, struct sk_buff *skb, const bool typed)
{
	struct connsnoop_packet *p;
	__u16 from = 0;

	if (!calls_find(&asked, sk))
		return;
	bpf_probe_read_kernel(
		&from, sizeof(from),
		(void *)(pointer_number(READ(skb, head)) + READ(skb, transport_header)));
	if (from != DNS_PORT)
		return;
	p = packet_begin(CONNSNOOP_ANSWERED, sk, skb, typed);
	if (p)
		packet_submit(p);
}

#endif
