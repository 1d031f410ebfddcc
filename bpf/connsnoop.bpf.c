/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * connsnoop.bpf.c - connections: opened, accepted, closed.
 *
 * TCP is seen where a socket's state changes, which may be in an interrupt. So the task that a
 * connection belongs to is remembered by socket: the one that connects, in whose context the state
 * becomes SYN_SENT, or the one that accepts. A connection that comes in is remembered from
 * ESTABLISHED on, as nobody knows then who will accept it.
 *
 * __sys_connect_file serves connect(2) and io_uring, for every family. It reports UDP and unix, and
 * the errors of TCP that come before any packet is sent.
 *
 * DNS messages go to user space as they are, if they are sent to port 53 or come from there. A server on
 * the same machine does both with other ports, and is not seen.
 */
#include "lib/calls.bpf.h"
#include "lib/pointer.bpf.h"
#include "lib/record.bpf.h"
#include "connsnoop.h"

enum { INET = 2, INET6 = 10, UNIX = 1 }; /* AF_…, linux/socket.h */
enum { PROTO_TCP = 6, PROTO_UDP = 17 };	 /* linux/in.h */
enum { DONE_BIT = 1 };			 /* SOCK_DONE, net/sock.h: a FIN has come */
enum { SHUTDOWN_BOTH = 3 };		 /* SHUTDOWN_MASK, net/sock.h */
enum { ESTABLISHED = 1, SYN_SENT, SYN_RECV, CLOSED = 7, LISTENS = 10 }; /* net/tcp_states.h */
enum { INTERRUPTED = -4, CANCELED = -125 };				/* EINTR, ECANCELED */

/* bit 1 << enum connsnoop_kind */
const volatile __u32 want_kinds = 0;
const volatile bool want_tcp = true, want_udp = true, want_unix = true;
const volatile bool want_dns = false;

struct conn {
	struct event_header owner;
	__u64 since;	      /* ns: of what `state` says */
	__u64 sent, received; /* UDP */
	__u8 direction;
	__u8 owned;  /* false: not accepted yet */
	__u8 failed; /* reported, but connect(2) has not returned */
	__u8 closed; /* before it was accepted */
	__u32 pad;
};

CALLS(conns, __u64, struct conn, 65536);

/* An older entry is that of a socket which is gone: its memory is used again. */
static __always_inline void conn_keep(const void *sk, struct conn *c)
{
	__u64 key = (__u64)sk;

	if (bpf_map_update_elem(&conns, &key, c, BPF_ANY))
		loss_count(LOSS_MAP_FULL, 1);
}

static __always_inline bool wants(const enum connsnoop_kind kind)
{
	return want_kinds & 1u << kind;
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

/* `typed`: the verifier knows what `sk` is, and lockdown permits the loads. */
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

/* ---- TCP ---- */

static __always_inline bool is_wanted(const enum connsnoop_kind kind, int ret)
{
	return wants(kind) && !(filter.failed_only && !ret);
}

static __always_inline void tcp_report(struct sock *sk, const struct conn *c,
				       const enum connsnoop_kind kind, int ret, __u64 now)
{
	struct connsnoop_event *e;
	struct tcp_sock *tp;

	if (!is_wanted(kind, ret))
		return;
	tp = bpf_skc_to_tcp_sock(sk);
	e = tp ? record_reserve(struct connsnoop_event) : NULL;
	if (!e)
		return;
	event_fill(e, c, kind, CONNSNOOP_TCP, ret, now);
	addresses_fill(&e->addresses, sk, true);
	e->addresses.sport = __builtin_bswap16(tp->inet_conn.icsk_inet.inet_sport);
	if (kind == CONNSNOOP_CLOSE) {
		e->sent = tp->bytes_sent - tp->bytes_retrans;
		e->received = tp->bytes_received - (sk->__sk_common.skc_flags >> DONE_BIT & 1);
	}
	if (kind != CONNSNOOP_LISTEN)
		e->retransmits = tp->total_retrans;
	record_submit(e);
}

static __always_inline void tcp_syn_sent(struct sock *sk)
{
	struct conn c;

	if (!conn_begin(&c, CONNSNOOP_OUT))
		return;
	c.since = bpf_ktime_get_ns();
	conn_keep(sk, &c);
}

/* A socket that was not accepted belongs to no file. */
static __always_inline void tcp_established(struct sock *sk)
{
	__u64 now = bpf_ktime_get_ns();
	struct conn fresh = { .since = now, .direction = CONNSNOOP_IN }, *c;

	if (!sk->sk_socket) {
		conn_keep(sk, &fresh);
		return;
	}
	c = calls_find(&conns, sk);
	if (!c || c->direction == CONNSNOOP_IN)
		return;
	tcp_report(sk, c, CONNSNOOP_CONNECT, 0, now);
	c->since = now;
}

/*
 * A connect that did not come to its end. If it fails in connect(2) before that has sent anything,
 * the return reports it. If nobody has said why, the program has closed the socket.
 */
static __always_inline void tcp_connect_failed(struct sock *sk, struct conn *c, __u64 now)
{
	struct socket *socket = sk->sk_socket;
	int err = sk->sk_err;

	if (!err && socket && socket->state == SS_UNCONNECTED && sk->sk_shutdown != SHUTDOWN_BOTH) {
		calls_drop(&conns, sk);
		return;
	}
	tcp_report(sk, c, CONNSNOOP_CONNECT, err ? -err : CANCELED, now);
	if (err)
		c->failed = true;
	else
		calls_drop(&conns, sk);
}

static __always_inline void tcp_closed(struct sock *sk, int before)
{
	struct conn *c = calls_find(&conns, sk);
	__u64 now;

	if (!c)
		return;
	now = bpf_ktime_get_ns();
	if (before == SYN_SENT || (before == SYN_RECV && c->direction == CONNSNOOP_OUT)) {
		tcp_connect_failed(sk, c, now);
	} else if (!c->owned) {
		c->closed = true;
	} else {
		tcp_report(sk, c, CONNSNOOP_CLOSE, -sk->sk_err, now);
		calls_drop(&conns, sk);
	}
}

static __always_inline void tcp_listens(struct sock *sk)
{
	struct conn c;

	if (wants(CONNSNOOP_LISTEN) && conn_begin(&c, CONNSNOOP_IN))
		tcp_report(sk, &c, CONNSNOOP_LISTEN, 0, bpf_ktime_get_ns());
}

SEC("tp_btf")
int BPF_PROG(tcp_state, struct sock *sk, int before, int state)
{
	if (sk->sk_protocol != PROTO_TCP)
		return 0;
	if (state == SYN_SENT)
		tcp_syn_sent(sk);
	else if (state == ESTABLISHED)
		tcp_established(sk);
	else if (state == CLOSED)
		tcp_closed(sk, before);
	else if (state == LISTENS)
		tcp_listens(sk);
	return 0;
}

/* It may have been closed before: then both are known now. */
static __always_inline int tcp_accepted(struct sock *sk)
{
	struct conn c, *old;
	__u64 now;
	bool closed;

	if (!sk || sk->sk_protocol != PROTO_TCP)
		return 0;
	old = calls_find(&conns, sk);
	closed = old && old->closed;
	if (!conn_begin(&c, CONNSNOOP_IN)) {
		calls_drop(&conns, sk);
		return 0;
	}
	now = bpf_ktime_get_ns();
	c.since = old ? old->since : 0;
	tcp_report(sk, &c, CONNSNOOP_ACCEPT, 0, now);
	if (closed) {
		tcp_report(sk, &c, CONNSNOOP_CLOSE, -sk->sk_err, now);
		calls_drop(&conns, sk);
		return 0;
	}
	c.since = now;
	conn_keep(sk, &c);
	return 0;
}

SEC("fexit")
int BPF_PROG(tcp_accept, struct sock *listener, void *arg, struct sock *sk)
{
	return tcp_accepted(sk);
}

SEC("fexit")
int BPF_PROG(tcp_accept_old, struct sock *listener, int flags, int *err, bool kern, struct sock *sk)
{
	return tcp_accepted(sk);
}

SEC("tp_btf")
int BPF_PROG(tcp_again, struct sock *sk)
{
	struct conn *c = calls_find(&conns, sk), copy;

	if (!c || !c->owned)
		return 0;
	copy = *c;
	copy.since = 0;
	tcp_report(sk, &copy, CONNSNOOP_RETRANS, 0, bpf_ktime_get_ns());
	return 0;
}

/* ---- unix ---- */

static __always_inline __u32 name_fill(char *to, struct sock *sk)
{
	struct unix_address *a = sk ? BPF_CORE_READ((struct unix_sock *)sk, addr) : NULL;
	__u32 len = a ? BPF_CORE_READ(a, len) - 2 : 0;

	if (len > CONNSNOOP_PATH_MAX)
		len = a ? CONNSNOOP_PATH_MAX : 0;
	if (len && bpf_core_read(to, CONNSNOOP_PATH_MAX, &a->name[0].sun_path))
		return 0;
	return len;
}

/* `given`: what connect(2) was given, if it failed. */
static __always_inline void unix_report(struct sock *sk, const struct conn *c,
					const enum connsnoop_kind kind, int ret, __u64 now,
					const struct __kernel_sockaddr_storage *given,
					int given_len)
{
	struct connsnoop_unix *u;

	if (!is_wanted(kind, ret))
		return;
	u = record_reserve(struct connsnoop_unix);
	if (!u)
		return;
	event_fill(&u->e, c, kind, CONNSNOOP_UNIX, ret, now);
	__builtin_memset(&u->e.addresses, 0, sizeof(u->e.addresses));
	u->e.addresses.family = UNIX;
	u->local_len = name_fill(u->local, sk);
	if (!given) {
		u->peer_len = name_fill(u->peer, BPF_CORE_READ((struct unix_sock *)sk, peer));
	} else {
		u->peer_len = given_len <= 2 ? 0 : given_len - 2;
		if (u->peer_len > CONNSNOOP_PATH_MAX)
			u->peer_len = CONNSNOOP_PATH_MAX;
		bpf_probe_read_kernel(u->peer, CONNSNOOP_PATH_MAX, given->__data);
	}
	record_submit(u);
}

static __always_inline int unix_accepted(struct socket *accepted, int ret)
{
	struct sock *sk = ret ? NULL : accepted->sk;
	__u64 now = bpf_ktime_get_ns();
	struct conn c;

	if (!sk || !conn_begin(&c, CONNSNOOP_IN))
		return 0;
	unix_report(sk, &c, CONNSNOOP_ACCEPT, 0, now, NULL, 0);
	c.since = now;
	conn_keep(sk, &c);
	return 0;
}

SEC("fexit")
int BPF_PROG(unix_accept, struct socket *listener, struct socket *accepted, void *arg, int ret)
{
	return unix_accepted(accepted, ret);
}

SEC("fexit")
int BPF_PROG(unix_accept_old, struct socket *listener, struct socket *accepted, int flags,
	     bool kern, int ret)
{
	return unix_accepted(accepted, ret);
}

SEC("fentry")
int BPF_PROG(unix_close, struct socket *socket)
{
	struct sock *sk = socket->sk;
	struct conn *c = sk ? calls_find(&conns, sk) : NULL;

	if (!c)
		return 0;
	unix_report(sk, c, CONNSNOOP_CLOSE, 0, bpf_ktime_get_ns(), NULL, 0);
	calls_drop(&conns, sk);
	return 0;
}

/* ---- DNS ---- */

/* Where its payload begins, in bytes from skb->data: behind a header of 8 bytes. */
static __always_inline __u64 payload_at(struct sk_buff *skb)
{
	return pointer_number(skb->head) + skb->transport_header + 8 - pointer_number(skb->data);
}

#define DNS_PORT (want_dns ? __builtin_bswap16(53) : -1)

/* Sockets on which a traced task has asked: who reads the answer does not matter. */
CALLS(asked, __u64, __u64, 8192);

static __always_inline void packet_fill(struct connsnoop_packet *p, struct sk_buff *skb)
{
	__u64 skip = payload_at(skb), at = pointer_number(skb->data) + skip;
	__u32 linear = skb->len - skb->data_len - skip;

	p->at = bpf_ktime_get_ns();
	p->len = skb->len - skip;
	asm volatile("" : "+r"(linear));
	if (linear > CONNSNOOP_MESSAGE_MAX)
		linear = CONNSNOOP_MESSAGE_MAX;
	p->captured = bpf_probe_read_kernel(p->data, linear, (void *)at) ? 0 : linear;
}

static __always_inline struct connsnoop_packet *
packet_begin(const enum connsnoop_kind kind, const struct sock *sk, struct sk_buff *skb)
{
	struct connsnoop_packet *p = record_reserve(struct connsnoop_packet);

	if (!p)
		return NULL;
	__builtin_memset(&p->e, 0, sizeof(p->e));
	p->e.kind = kind;
	p->sock = (__u64)sk;
	packet_fill(p, skb);
	return p;
}

static __always_inline void packet_submit(struct connsnoop_packet *p)
{
	p->e.header.ts = p->at;
	record_submit(p);
}

/* Addresses of one word, or four. */
static __always_inline void asks(struct sk_buff *skb, __u16 sport, const __u16 family,
				 const __u32 *saddr, const __u32 *daddr)
{
	__u64 key = (__u64)skb->sk, one = 1;
	struct connsnoop_packet *p;

	if (!filter_pass())
		return;
	if (bpf_map_update_elem(&asked, &key, &one, BPF_ANY))
		loss_count(LOSS_MAP_FULL, 1);
	p = packet_begin(CONNSNOOP_ASKED, skb->sk, skb);
	if (!p)
		return;
	header_fill(&p->e.header);
	p->e.addresses.family = family;
	p->e.addresses.sport = __builtin_bswap16(sport);
	p->e.addresses.dport = DNS_PORT;
	for (int i = 0; i < (family == INET6 ? 4 : 1); i++) {
		((__u32 *)p->e.addresses.saddr)[i] = saddr[i];
		((__u32 *)p->e.addresses.daddr)[i] = daddr[i];
	}
	packet_submit(p);
}

static __always_inline void answered(struct sock *sk, struct sk_buff *skb)
{
	struct connsnoop_packet *p;
	__u16 from = 0;

	if (!calls_find(&asked, sk))
		return;
	bpf_probe_read_kernel(&from, sizeof(from),
			      (void *)(pointer_number(skb->head) + skb->transport_header));
	if (from != DNS_PORT)
		return;
	p = packet_begin(CONNSNOOP_ANSWERED, sk, skb);
	if (p)
		packet_submit(p);
}

/* ---- UDP ---- */

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
	struct conn *c = calls_find(&conns, sk);

	if (want_dns)
		calls_drop(&asked, sk);
	if (!c)
		return 0;
	udp_report(sk, c, CONNSNOOP_CLOSE, 0, bpf_ktime_get_ns(), true);
	calls_drop(&conns, sk);
	return 0;
}

static __always_inline void udp_sent(struct sk_buff *skb)
{
	struct conn *c = want_udp ? calls_find(&conns, skb->sk) : NULL;

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
	struct conn *c = want_udp && len > 0 ? calls_find(&conns, sk) : NULL;

	if (c)
		c->received += len;
	if (want_dns && len >= 0)
		answered(sk, skb);
	return 0;
}

/* ---- connect ---- */

/* An answer that has not come, or is about an earlier connect: not a result. */
static __always_inline bool is_no_result(int ret)
{
	return ret == -115 /* EINPROGRESS */ || ret == -114 /* EALREADY */ ||
	       ret == -106 /* EISCONN */ || ret == INTERRUPTED || ret == -512 /* ERESTARTSYS */;
}

/* The other side's address as the program gave it, for a socket that has none. */
static __always_inline void given_fill(struct connsnoop_addresses *a,
				       struct __kernel_sockaddr_storage *given)
{
	const char *data = given->__data;

	a->family = given->ss_family;
	bpf_probe_read_kernel(&a->dport, 2, data);
	if (a->family == INET6)
		bpf_probe_read_kernel(a->daddr, 16, data + 6);
	else
		bpf_probe_read_kernel(a->daddr, 4, data + 2);
}

static __always_inline void failed_report(struct sock *sk, const struct conn *c,
					  const enum connsnoop_proto proto,
					  struct __kernel_sockaddr_storage *given, int ret,
					  __u64 now)
{
	struct connsnoop_event *e;

	if (!wants(CONNSNOOP_CONNECT))
		return;
	e = record_reserve(struct connsnoop_event);
	if (!e)
		return;
	event_fill(e, c, CONNSNOOP_CONNECT, proto, ret, now);
	addresses_fill(&e->addresses, sk, false);
	given_fill(&e->addresses, given);
	record_submit(e);
}

static __always_inline void tcp_connect_returned(struct sock *sk,
						 struct __kernel_sockaddr_storage *given, int ret)
{
	struct conn c, *old;

	if (!ret || is_no_result(ret))
		return;
	old = calls_find(&conns, sk);
	if (old && old->failed)
		calls_drop(&conns, sk);
	else if (!old && conn_begin(&c, CONNSNOOP_OUT))
		failed_report(sk, &c, CONNSNOOP_TCP, given, ret, bpf_ktime_get_ns());
}

static __always_inline void udp_connect_returned(struct sock *sk,
						 struct __kernel_sockaddr_storage *given, int ret)
{
	__u64 now = bpf_ktime_get_ns();
	struct conn c;

	if (!conn_begin(&c, CONNSNOOP_OUT))
		return;
	if (ret) {
		failed_report(sk, &c, CONNSNOOP_UDP, given, ret, now);
		return;
	}
	udp_report(sk, &c, CONNSNOOP_CONNECT, 0, now, false);
	c.since = now;
	conn_keep(sk, &c);
}

static __always_inline void
unix_connect_returned(struct sock *sk, struct __kernel_sockaddr_storage *given, int len, int ret)
{
	__u64 now = bpf_ktime_get_ns();
	struct conn c;

	if (is_no_result(ret) || !conn_begin(&c, CONNSNOOP_OUT))
		return;
	unix_report(sk, &c, CONNSNOOP_CONNECT, ret, now, given, len);
	if (ret)
		return;
	c.since = now;
	conn_keep(sk, &c);
}

/* AF_UNSPEC undoes an earlier connect. */
SEC("fexit")
int BPF_PROG(connect_returned, struct file *file, struct __kernel_sockaddr_storage *given, int len,
	     int flags, int ret)
{
	__u16 family = given->ss_family, protocol;
	struct socket *socket;
	struct sock *sk;

	if (family != INET && family != INET6 && family != UNIX)
		return 0;
	socket = file->private_data;
	sk = BPF_CORE_READ(socket, sk);
	if (!sk)
		return 0;
	if (family == UNIX) {
		if (want_unix && BPF_CORE_READ(sk, __sk_common.skc_family) == UNIX)
			unix_connect_returned(sk, given, len, ret);
		return 0;
	}
	protocol = BPF_CORE_READ(sk, sk_protocol);
	if (want_tcp && protocol == PROTO_TCP)
		tcp_connect_returned(sk, given, ret);
	else if (want_udp && protocol == PROTO_UDP)
		udp_connect_returned(sk, given, ret);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
