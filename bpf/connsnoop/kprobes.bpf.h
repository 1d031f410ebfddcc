/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kprobes.bpf.h - the same hooks for kernels without fentry: a kprobe and, where the return is needed, a kretprobe
 * that uses the arguments stored at the entry.
 */
#ifndef CORETAP_CONNSNOOP_KPROBES_BPF_H
#define CORETAP_CONNSNOOP_KPROBES_BPF_H

#include "connsnoop/names.bpf.h"
#include "connsnoop/tcp.bpf.h"
#include "connsnoop/udp.bpf.h"
#include "connsnoop/unix.bpf.h"

/* Stores the arguments, as name_asked does. A C library calls these functions while it looks up a name. */
static __always_inline int entry_store(__u64 name, __u64 result, __u64 more)
{
	struct naming n = { name, result, more };
	__u64 id = ~bpf_get_current_pid_tgid();

	bpf_map_update_elem(&namings, &id, &n, BPF_ANY);
	return 0;
}

static __always_inline bool entry_fetch(struct naming *n)
{
	return call_fetch(n, ~bpf_get_current_pid_tgid());
}

SEC("kprobe")
int BPF_KPROBE(library_enter, struct file *file, unsigned long addr, unsigned long len,
	       unsigned long prot)
{
	return is_library(file, prot) ? entry_store((__u64)file, 0, 0) : 0;
}

SEC("kretprobe")
int BPF_KRETPROBE(library_leave)
{
	struct naming n;

	return entry_fetch(&n) ? library_report((struct file *)n.name) : 0;
}

SEC("kretprobe")
int BPF_KRETPROBE(tcp_accept_leave, struct sock *sk)
{
	return tcp_accepted(sk, false);
}

SEC("kprobe")
int BPF_KPROBE(udp_close_kprobe, struct sock *sk)
{
	return udp_closed(sk, false);
}

SEC("kprobe")
int BPF_KPROBE(udp_received_kprobe, struct sock *sk, struct sk_buff *skb, int len)
{
	return udp_came(sk, skb, len, false);
}

SEC("kprobe")
int BPF_KPROBE(unix_accept_enter, struct socket *listener, struct socket *accepted)
{
	return entry_store((__u64)accepted, 0, 0);
}

SEC("kretprobe")
int BPF_KRETPROBE(unix_accept_leave, int ret)
{
	struct naming n;

	return entry_fetch(&n) ? unix_accepted((struct socket *)n.name, ret, false) : 0;
}

SEC("kprobe")
int BPF_KPROBE(unix_close_kprobe, struct socket *socket)
{
	return unix_closed(socket, false);
}

SEC("kprobe")
int BPF_KPROBE(connect_enter, struct file *file, struct __kernel_sockaddr_storage *given, int len)
{
	return entry_store((__u64)file, (__u64)given, len);
}

SEC("kretprobe")
int BPF_KRETPROBE(connect_leave, int ret)
{
	struct naming n;

	return entry_fetch(&n) ? connect_done((struct file *)n.name,
					      (struct __kernel_sockaddr_storage *)n.result, n.more,
					      ret, false) :
				 0;
}

UDP_SEND("kprobe", BPF_KPROBE, udp_send_kprobe, flowi4, INET, , false)
UDP_SEND("kprobe", BPF_KPROBE, udp_send6_kprobe, flowi6, INET6, .in6_u.u6_addr32[0], false)

#endif
