/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * unix.bpf.h - unix sockets: names, accept, close.
 */
#ifndef CORETAP_CONNSNOOP_UNIX_BPF_H
#define CORETAP_CONNSNOOP_UNIX_BPF_H

#include "connsnoop/names.bpf.h"

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

/* `given`: the address passed to connect(2), if it failed. */
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

static __always_inline int unix_accepted(struct socket *accepted, int ret, const bool typed)
{
	struct sock *sk = ret ? NULL : READ(accepted, sk);
	__u64 now = bpf_ktime_get_ns();
	struct conn c;

	if (!sk || !conn_begin(&c, CONNSNOOP_IN))
		return 0;
	unix_report(sk, &c, CONNSNOOP_ACCEPT, 0, now, NULL, 0);
	c.since = now;
	conn_store(sk, &c);
	return 0;
}

SEC("fexit")
int BPF_PROG(unix_accept, struct socket *listener, struct socket *accepted, void *arg, int ret)
{
	return unix_accepted(accepted, ret, true);
}

SEC("fexit")
int BPF_PROG(unix_accept_old, struct socket *listener, struct socket *accepted, int flags,
	     bool kern, int ret)
{
	return unix_accepted(accepted, ret, true);
}

static __always_inline int unix_closed(struct socket *socket, const bool typed)
{
	struct sock *sk = READ(socket, sk);
	struct conn *c = sk ? conns_find(sk) : NULL;

	if (!c)
		return 0;
	unix_report(sk, c, CONNSNOOP_CLOSE, 0, bpf_ktime_get_ns(), NULL, 0);
	conns_drop(c);
	return 0;
}

SEC("fentry")
int BPF_PROG(unix_close, struct socket *socket)
{
	return unix_closed(socket, true);
}

#endif
