/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * connsnoop.bpf.c - connections: opened, accepted, closed. Includes a part for each protocol; contains what they
 * share: connect.
 *
 * __sys_connect_file serves connect(2) and io_uring, for every family. It reports UDP and unix, and the errors of TCP
 * that occur before any packet is sent.
 */
#include "connsnoop/names.bpf.h"
#include "connsnoop/record.bpf.h"
#include "connsnoop/tcp.bpf.h"
#include "connsnoop/udp.bpf.h"
#include "connsnoop/unix.bpf.h"

/* True for return values that are no result: no answer so far, or an earlier connect is meant. */
static __always_inline bool is_no_result(int ret)
{
	return ret == -115 /* EINPROGRESS */ || ret == -114 /* EALREADY */ ||
	       ret == -106 /* EISCONN */ || ret == -4 /* EINTR */ || ret == -512 /* ERESTARTSYS */;
}

/* Fills in the peer's address as the program passed it, for a socket that has none. */
static __always_inline void given_fill(struct connsnoop_addresses *a,
				       struct __kernel_sockaddr_storage *given, const bool typed)
{
	const char *data = given->__data;

	a->family = READ(given, ss_family);
	bpf_probe_read_kernel(&a->dport, 2, data);
	if (a->family == INET6)
		bpf_probe_read_kernel(a->daddr, 16, data + 6);
	else
		bpf_probe_read_kernel(a->daddr, 4, data + 2);
}

static __always_inline void failed_report(struct sock *sk, const struct conn *c,
					  const enum connsnoop_proto proto,
					  struct __kernel_sockaddr_storage *given, int ret,
					  __u64 now, const bool typed)
{
	struct connsnoop_event *e;

	if (!wants(CONNSNOOP_CONNECT))
		return;
	e = record_reserve(struct connsnoop_event);
	if (!e)
		return;
	event_fill(e, c, CONNSNOOP_CONNECT, proto, ret, now);
	addresses_fill(&e->addresses, sk, false);
	given_fill(&e->addresses, given, typed);
	record_submit(e);
}

/* A failure is reported when the socket's state changes. connect(2) may have returned long before: then the same
 * socket's next connect(2) returns the error. A socket's address may be reused; its inode is not. */
static __always_inline void tcp_connect_returned(struct file *file, struct sock *sk,
						 struct __kernel_sockaddr_storage *given, int ret,
						 const bool typed)
{
	struct conn c, *old;

	if (!ret || is_no_result(ret))
		return;
	old = conns_find(sk);
	if (old && old->failed) {
		bool same = old->inode == BPF_CORE_READ(file, f_inode, i_ino);

		conns_drop(old);
		if (same)
			return;
		old = NULL;
	}
	if (!old && conn_begin(&c, CONNSNOOP_OUT))
		failed_report(sk, &c, CONNSNOOP_TCP, given, ret, bpf_ktime_get_ns(), typed);
}

static __always_inline void udp_connect_returned(struct sock *sk,
						 struct __kernel_sockaddr_storage *given, int ret,
						 const bool typed)
{
	__u64 now = bpf_ktime_get_ns();
	struct conn c;

	if (!conn_begin(&c, CONNSNOOP_OUT))
		return;
	if (ret) {
		failed_report(sk, &c, CONNSNOOP_UDP, given, ret, now, typed);
		return;
	}
	udp_report(sk, &c, CONNSNOOP_CONNECT, 0, now, false);
	c.since = now;
	conn_store(sk, &c);
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
	conn_store(sk, &c);
}

/* AF_UNSPEC undoes an earlier connect. */
static __always_inline int connect_done(struct file *file, struct __kernel_sockaddr_storage *given,
					int len, int ret, const bool typed)
{
	__u16 family = READ(given, ss_family), protocol;
	struct socket *socket;
	struct sock *sk;

	if (family != INET && family != INET6 && family != UNIX)
		return 0;
	socket = READ(file, private_data);
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
		tcp_connect_returned(file, sk, given, ret, typed);
	else if (want_udp && protocol == PROTO_UDP)
		udp_connect_returned(sk, given, ret, typed);
	return 0;
}

SEC("fexit")
int BPF_PROG(connect_returned, struct file *file, struct __kernel_sockaddr_storage *given, int len,
	     int flags, int ret)
{
	return connect_done(file, given, len, ret, true);
}

#include "connsnoop/kprobes.bpf.h"

char LICENSE[] SEC("license") = "GPL";
