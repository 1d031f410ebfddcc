/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * record.bpf.h - the known connections, and building a record of an event.
 */
#ifndef CORETAP_CONNSNOOP_RECORD_BPF_H
#define CORETAP_CONNSNOOP_RECORD_BPF_H

#include "lib/places.bpf.h"
#include "lib/record.bpf.h"
#include "connsnoop.h"

enum { INET = 2, INET6 = 10, UNIX = 1 }; /* AF_…, linux/socket.h */
enum { PROTO_TCP = 6, PROTO_UDP = 17 };	 /* linux/in.h */

/* bits 1 << enum connsnoop_kind */
const volatile __u32 want_kinds = 0;
const volatile bool want_tcp = true, want_udp = true, want_unix = true;
const volatile bool want_dns = false;

/* True if the programs that may be preempted have copies (see tcp.bpf.h). */
const volatile bool has_copies = false;

struct conn {
	struct event_header owner;
	__u64 since;	      /* ns: when it was begun, opened or accepted; 0: unknown */
	__u64 sent, received; /* bytes, for UDP */
	__u8 direction;
	__u8 owned; /* false: not accepted yet */
	/* reported as failed; this socket's connect(2) may return the same error later */
	__u8 failed;
	__u8 closed; /* closed before it was accepted */
	__u8 unborn; /* accepted before its state became ESTABLISHED */
	__u8 ended;  /* not accepted yet when its end was reported */
	__u8 state;  /* the last one of which it is known which copies saw it; 0: none */
	__u8 copies; /* these, bits */
	__u64 inode; /* of the socket, set once it has failed */
	__u32 ports; /* in that state */
	__u32 pad;
};

PLACES(conns, struct conn, 17)

/* Returns the key of an incoming connection that is not accepted yet. It differs from its owner's: the state may
 * become ESTABLISHED on one processor while, or after, the connection is accepted on another. Addresses of sockets
 * are even, so this one is odd. */
static __always_inline const void *born(const void *sk)
{
	return (const void *)(pointer_number(sk) | 1);
}

/* Stores a connection. An older entry is of a freed socket whose memory was reused. */
static __always_inline void conn_store(const void *sk, const struct conn *c)
{
	struct conn *kept = conns_claim(sk);

	if (kept)
		*kept = *c;
}

static __always_inline bool wants(const enum connsnoop_kind kind)
{
	return want_kinds & 1u << kind;
}

static __always_inline bool is_wanted(const enum connsnoop_kind kind, int ret)
{
	return wants(kind) && !(filter.failed_only && !ret);
}

/* ---- a record ---- */

#define READ(p, member)                                                                            \
	({                                                                                         \
		typeof((p)->member) v_;                                                            \
		if (typed)                                                                         \
			v_ = (p)->member;                                                          \
		else                                                                               \
			v_ = BPF_CORE_READ(p, member);                                             \
		v_;                                                                                \
	})

static __always_inline void six_fill(__u8 *to, const struct in6_addr *from, const bool typed)
{
	__u32 *words = (__u32 *)to;

	if (!typed) {
		bpf_core_read(to, 16, from);
		return;
	}
	for (int i = 0; i < 4; i++)
		words[i] = from->in6_u.u6_addr32[i];
}

/* `typed`: the verifier knows the type of `sk`, and lockdown permits the loads. */
static __always_inline void addresses_fill(struct connsnoop_addresses *a, struct sock *sk,
					   const bool typed)
{
	a->family = READ(sk, __sk_common.skc_family);
	a->sport = READ(sk, __sk_common.skc_num);
	a->dport = READ(sk, __sk_common.skc_dport);
	a->pad = 0;
	if (a->family == INET6) {
		six_fill(a->saddr, &sk->__sk_common.skc_v6_rcv_saddr, typed);
		six_fill(a->daddr, &sk->__sk_common.skc_v6_daddr, typed);
		return;
	}
	__builtin_memset(a->saddr, 0, sizeof(a->saddr) + sizeof(a->daddr));
	*(__u32 *)a->saddr = READ(sk, __sk_common.skc_rcv_saddr);
	*(__u32 *)a->daddr = READ(sk, __sk_common.skc_daddr);
}

static __always_inline void event_fill(struct connsnoop_event *e, const struct conn *c,
				       const enum connsnoop_kind kind,
				       const enum connsnoop_proto proto, int ret, __u64 now)
{
	e->header = c->owner;
	e->header.ts = now;
	e->took = c->since ? now - c->since : CONNSNOOP_NONE;
	e->sent = e->received = CONNSNOOP_NONE;
	e->retransmits = 0;
	e->ret = ret;
	e->kind = kind;
	e->proto = proto;
	e->direction = c->direction;
	__builtin_memset(e->pad, 0, sizeof(e->pad));
}

static __always_inline bool conn_begin(struct conn *c, enum connsnoop_direction direction)
{
	__builtin_memset(c, 0, sizeof(*c));
	if (!filter_pass())
		return false;
	header_fill(&c->owner);
	c->direction = direction;
	c->owned = true;
	return true;
}

#endif
