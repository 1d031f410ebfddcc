/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * udp.bpf.h - UDP: what a connected socket sends and receives, and its end; also DNS messages.
 */
#ifndef CORETAP_CONNSNOOP_UDP_BPF_H
#define CORETAP_CONNSNOOP_UDP_BPF_H

#include "connsnoop/dns.bpf.h"

static __always_inline void udp_report(struct sock *sk, const struct conn *c,
				       const enum connsnoop_kind kind, int ret, __u64 now,
				       const bool typed)
{
	struct connsnoop_event *e;

	if (!is_wanted(kind, ret))
		return;
	e = record_reserve(struct connsnoop_event);
	if (!e)
		return;
	event_fill(e, c, kind, CONNSNOOP_UDP, ret, now);
	addresses_fill(&e->addresses, sk, typed);
	if (kind == CONNSNOOP_CLOSE) {
		e->sent = c->sent;
		e->received = c->received;
	}
	record_submit(e);
}

static __always_inline int udp_closed(struct sock *sk, const bool typed)
{
	struct conn *c = conns_find(sk);

	if (want_dns)
		calls_drop(&asked, sk);
	if (!c)
		return 0;
	udp_report(sk, c, CONNSNOOP_CLOSE, 0, bpf_ktime_get_ns(), typed);
	conns_drop(c);
	return 0;
}

static __always_inline void udp_sent(struct sk_buff *skb, const bool typed)
{
	struct conn *c = want_udp ? conns_find(READ(skb, sk)) : NULL;

	if (c)
		c->sent += READ(skb, len) - payload_at(skb, typed);
}

/* Separate programs, because a program has one target. */
SEC("fentry")
int BPF_PROG(udp_close, struct sock *sk)
{
	return udp_closed(sk, true);
}

SEC("fentry")
int BPF_PROG(udp_close6, struct sock *sk)
{
	return udp_closed(sk, true);
}

#define UDP_SEND(section, BPF, name, flow, family, word, is_typed)                                 \
	SEC(section)                                                                               \
	int BPF(name, struct sk_buff *skb, struct flow *to)                                        \
	{                                                                                          \
		const bool typed = is_typed;                                                       \
                                                                                                   \
		udp_sent(skb, typed);                                                              \
		if (READ(to, uli.ports.dport) == DNS_PORT)                                         \
			asks(skb, READ(to, uli.ports.sport), family, &to->saddr word,              \
			     &to->daddr word, typed);                                              \
		return 0;                                                                          \
	}

UDP_SEND("fentry", BPF_PROG, udp_send, flowi4, INET, , true)
UDP_SEND("fentry", BPF_PROG, udp_send6, flowi6, INET6, .in6_u.u6_addr32[0], true)

/* The length is negative if the data was only peeked at (MSG_PEEK). */
static __always_inline int udp_came(struct sock *sk, struct sk_buff *skb, int len, const bool typed)
{
	struct conn *c = want_udp && len > 0 ? conns_find(sk) : NULL;

	if (c)
		c->received += len;
	if (want_dns && len >= 0)
		answered(sk, skb, typed);
	return 0;
}

SEC("fentry")
int BPF_PROG(udp_received, struct sock *sk, struct sk_buff *skb, int len)
{
	return udp_came(sk, skb, len, true);
}

#endif
