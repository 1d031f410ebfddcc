/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * udp.bpf.h - UDP: what a connected socket sends and receives, and its end; DNS by the way.
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

static __always_inline int udp_closed(struct sock *sk)
{
	struct conn *c = conns_find(sk);

	if (want_dns)
		calls_drop(&asked, sk);
	if (!c)
		return 0;
	udp_report(sk, c, CONNSNOOP_CLOSE, 0, bpf_ktime_get_ns(), true);
	conns_drop(c);
	return 0;
}

static __always_inline void udp_sent(struct sk_buff *skb)
{
	struct conn *c = want_udp ? conns_find(skb->sk) : NULL;

	if (c)
		c->sent += skb->len - payload_at(skb);
}

/* A program has one target. */
SEC("fentry")
int BPF_PROG(udp_close, struct sock *sk)
{
	return udp_closed(sk);
}

SEC("fentry")
int BPF_PROG(udp_close6, struct sock *sk)
{
	return udp_closed(sk);
}

#define UDP_SEND(name, flow, family, word)                                                         \
	SEC("fentry")                                                                              \
	int BPF_PROG(name, struct sk_buff *skb, struct flow *to)                                   \
	{                                                                                          \
		udp_sent(skb);                                                                     \
		if (to->uli.ports.dport == DNS_PORT)                                               \
			asks(skb, to->uli.ports.sport, family, &to->saddr word, &to->daddr word);  \
		return 0;                                                                          \
	}

UDP_SEND(udp_send, flowi4, INET, )
UDP_SEND(udp_send6, flowi6, INET6, .in6_u.u6_addr32[0])

/* The length is negative if it was only looked at (MSG_PEEK). */
SEC("fentry")
int BPF_PROG(udp_received, struct sock *sk, struct sk_buff *skb, int len)
{
	struct conn *c = want_udp && len > 0 ? conns_find(sk) : NULL;

	if (c)
		c->received += len;
	if (want_dns && len >= 0)
		answered(sk, skb);
	return 0;
}

#endif
