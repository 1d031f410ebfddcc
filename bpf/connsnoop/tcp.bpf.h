/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tcp.bpf.h - TCP: changes of state, accept, retransmitted packets.
 *
 * A state may change in an interrupt. So the task that owns a connection is stored by socket: the one that connects,
 * in whose context the state becomes SYN_SENT, or the one that accepts. An incoming connection is stored from
 * ESTABLISHED on, when it is unknown who will accept it. The accept may come before that, because the kernel has
 * already queued the connection.
 *
 * Where programs are preempted, the kernel leaves one out on a processor where the same one is preempted. So there each
 * has copies, of which a preempted task holds only one: the first that runs sees the event, and the others see that it
 * was seen. A copy that finds itself among those has another event before it: no copy runs twice for one.
 */
#ifndef CORETAP_CONNSNOOP_TCP_BPF_H
#define CORETAP_CONNSNOOP_TCP_BPF_H

#include "connsnoop/record.bpf.h"

/* SOCK_DEAD, SOCK_DONE of net/sock.h: no program has the socket any more; a FIN was received */
enum { DEAD_BIT = 0, DONE_BIT = 1 };
enum { SHUTDOWN_BOTH = 3 }; /* SHUTDOWN_MASK, net/sock.h */
enum { ESTABLISHED = 1, SYN_SENT, SYN_RECV, CLOSED = 7, LISTENS = 10 }; /* net/tcp_states.h */
enum { CANCELED = -125 };						/* ECANCELED */

static __always_inline void tcp_report(struct sock *sk, const struct conn *c,
				       const enum connsnoop_kind kind, int ret, __u64 now,
				       const bool typed)
{
	struct connsnoop_event *e;
	struct tcp_sock *tp;

	if (!is_wanted(kind, ret))
		return;
	tp = typed ? bpf_skc_to_tcp_sock(sk) : (struct tcp_sock *)sk;
	e = tp ? record_reserve(struct connsnoop_event) : NULL;
	if (!e)
		return;
	event_fill(e, c, kind, CONNSNOOP_TCP, ret, now);
	addresses_fill(&e->addresses, sk, typed);
	e->addresses.sport = __builtin_bswap16(READ(tp, inet_conn.icsk_inet.inet_sport));
	if (kind == CONNSNOOP_CLOSE) {
		e->sent = READ(tp, bytes_sent) - READ(tp, bytes_retrans);
		e->received = READ(tp, bytes_received) -
			      (READ(sk, __sk_common.skc_flags) >> DONE_BIT & 1);
	}
	if (kind != CONNSNOOP_LISTEN)
		e->retransmits = READ(tp, total_retrans);
	record_submit(e);
}

/* ---- copies ---- */

static __always_inline __u32 ports_of(struct sock *sk, const bool typed)
{
	return READ(sk, __sk_common.skc_num) | (__u32)READ(sk, __sk_common.skc_dport) << 16;
}

/* True if another copy has seen that the socket entered this state. */
static __always_inline bool state_again(struct conn *c, struct sock *sk, __u8 state, int copy)
{
	if (!has_copies || !c || c->state != state || c->copies & 1 << copy ||
	    c->ports != ports_of(sk, true))
		return false;
	c->copies |= 1 << copy;
	return true;
}

/* `copies`: those that saw it, bits. */
static __always_inline void state_seen(struct conn *c, struct sock *sk, __u8 state, __u8 copies,
				       const bool typed)
{
	if (!has_copies)
		return;
	c->state = state;
	c->copies = copies;
	c->ports = ports_of(sk, typed);
}

/* ---- states ---- */

static __always_inline void tcp_syn_sent(struct sock *sk)
{
	struct conn c;

	if (!conn_begin(&c, CONNSNOOP_OUT))
		return;
	c.since = bpf_ktime_get_ns();
	conn_store(sk, &c);
}

/* A socket that was not accepted belongs to no file. */
static __always_inline void tcp_established(struct sock *sk, int copy)
{
	__u64 now = bpf_ktime_get_ns();
	struct conn fresh = { .since = now, .direction = CONNSNOOP_IN }, *c;

	c = conns_find(sk);
	if (state_again(c, sk, ESTABLISHED, copy))
		return;
	if (!sk->sk_socket) {
		if (c && c->unborn) {
			c->unborn = false;
			state_seen(c, sk, ESTABLISHED, 1 << copy, true);
			return;
		}
		if (c) /* the entry of a freed socket */
			conns_drop(c);
		state_seen(&fresh, sk, ESTABLISHED, 1 << copy, true);
		conn_store(born(sk), &fresh);
		return;
	}
	if (!c || c->direction == CONNSNOOP_IN)
		return;
	state_seen(c, sk, ESTABLISHED, 1 << copy, true);
	tcp_report(sk, c, CONNSNOOP_CONNECT, 0, now, true);
	c->since = now;
}

/*
 * Reports a connect that failed. If connect(2) fails before a packet is sent, its return reports that. If no error is
 * set, the program has closed the socket.
 */
static __always_inline void tcp_connect_failed(struct sock *sk, struct conn *c, __u64 now)
{
	struct socket *socket = sk->sk_socket;
	int err = sk->sk_err;

	if (!err && socket && socket->state == SS_UNCONNECTED && sk->sk_shutdown != SHUTDOWN_BOTH) {
		conns_drop(c);
		return;
	}
	tcp_report(sk, c, CONNSNOOP_CONNECT, err ? -err : CANCELED, now, true);
	if (!err || !socket) {
		conns_drop(c);
		return;
	}
	c->failed = true;
	c->inode = socket->file->f_inode->i_ino;
}

/*
 * Handles the end of a connection that may not be accepted yet. Drops its entry if nobody can accept it any more, or
 * if somebody already has: then the state became ESTABLISHED after that. If it is still queued, or being accepted,
 * sets `closed` for tcp_accepted to find, unless its owner's entry told its end (to another copy, too).
 */
static __always_inline void tcp_birth_closed(struct sock *sk, bool is_kept)
{
	struct conn *birth = conns_find(born(sk));

	if (!birth)
		return;
	if (sk->sk_socket || sk->__sk_common.skc_flags & 1 << DEAD_BIT)
		conns_drop(birth);
	else if (is_kept)
		birth->ended = true;
	else if (!birth->ended)
		birth->closed = true;
}

static __always_inline void tcp_closed(struct sock *sk, int before)
{
	struct conn *c = conns_find(sk);
	__u64 now;

	tcp_birth_closed(sk, c);
	if (!c || c->failed)
		return;
	now = bpf_ktime_get_ns();
	if (before == SYN_SENT || (before == SYN_RECV && c->direction == CONNSNOOP_OUT)) {
		tcp_connect_failed(sk, c, now);
	} else {
		tcp_report(sk, c, CONNSNOOP_CLOSE, -sk->sk_err, now, true);
		conns_drop(c);
	}
}

static __always_inline void tcp_listens(struct sock *sk)
{
	struct conn c;

	if (wants(CONNSNOOP_LISTEN) && conn_begin(&c, CONNSNOOP_IN))
		tcp_report(sk, &c, CONNSNOOP_LISTEN, 0, bpf_ktime_get_ns(), true);
}

/* A socket that listens has no entry, and so only the first copy reports it. */
static __always_inline int tcp_state_set(struct sock *sk, int before, int state, int copy)
{
	if (sk->sk_protocol != PROTO_TCP)
		return 0;
	if (state == SYN_SENT)
		tcp_syn_sent(sk);
	else if (state == ESTABLISHED)
		tcp_established(sk, copy);
	else if (state == CLOSED)
		tcp_closed(sk, before);
	else if (state == LISTENS && !copy)
		tcp_listens(sk);
	return 0;
}

#define TCP_STATE(name, copy)                                                                      \
	SEC("tp_btf")                                                                              \
	int BPF_PROG(name, struct sock *sk, int before, int state)                                 \
	{                                                                                          \
		return tcp_state_set(sk, before, state, copy);                                     \
	}

TCP_STATE(tcp_state, 0)
TCP_STATE(tcp_state_2, 1)
TCP_STATE(tcp_state_3, 2)

/*
 * Reports an accept, and the close if that came before. Stores the connection before dropping its first entry: a
 * close at this moment finds one of the two.
 */
static __always_inline int tcp_accepted(struct sock *sk, const bool typed)
{
	struct conn c, *birth, *kept;
	bool closed = false, begun;
	__u64 now, since = 0;

	if (!sk || READ(sk, sk_protocol) != PROTO_TCP)
		return 0;
	birth = conns_find(born(sk));
	begun = conn_begin(&c, CONNSNOOP_IN);
	now = bpf_ktime_get_ns();
	c.unborn = !birth;
	if (birth)
		since = birth->since;
	if (begun) {
		c.since = since;
		tcp_report(sk, &c, CONNSNOOP_ACCEPT, 0, now, typed);
		c.since = now;
		/* one of the copies that see the state saw it; the others may be about to */
		if (birth)
			state_seen(&c, sk, ESTABLISHED, 0, typed);
		conn_store(sk, &c);
	}
	if (birth) {
		closed = birth->closed;
		conns_drop(birth);
	}
	if (!begun || !closed)
		return 0;
	kept = conns_find(sk);
	if (kept)
		conns_drop(kept);
	c.since = since;
	tcp_report(sk, &c, CONNSNOOP_CLOSE, -READ(sk, sk_err), now, typed);
	return 0;
}

SEC("fexit")
int BPF_PROG(tcp_accept, struct sock *listener, void *arg, struct sock *sk)
{
	return tcp_accepted(sk, true);
}

SEC("fexit")
int BPF_PROG(tcp_accept_old, struct sock *listener, int flags, int *err, bool kern, struct sock *sk)
{
	return tcp_accepted(sk, true);
}

SEC("tp_btf")
int BPF_PROG(tcp_again, struct sock *sk)
{
	struct conn *c = conns_find(sk), copy;

	if (!c || !c->owned)
		return 0;
	copy = *c;
	copy.since = 0;
	tcp_report(sk, &copy, CONNSNOOP_RETRANS, 0, bpf_ktime_get_ns(), true);
	return 0;
}

#endif
