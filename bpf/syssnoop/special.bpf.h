/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * special.bpf.h - the chunk of a device, a socket, a pidfd …: its number, its addresses, its process.
 */
#ifndef CORETAP_SYSSNOOP_SPECIAL_BPF_H
#define CORETAP_SYSSNOOP_SPECIAL_BPF_H

#include "syssnoop/file.bpf.h"

#define S_IFMT	 0170000
#define S_IFCHR	 0020000
#define S_IFBLK	 0060000
#define S_IFSOCK 0140000

enum socket_family { UNIX = 1, INET = 2, INET6 = 10, NETLINK = 16 }; /* linux/socket.h */

const volatile bool want_special = false; /* -yy */

static __always_inline void inet_fill(struct syssnoop_special *s, struct sock *sk)
{
	s->sport = BPF_CORE_READ(sk, __sk_common.skc_num);
	s->dport = BPF_CORE_READ(sk, __sk_common.skc_dport);
	if (s->family == INET) {
		bpf_core_read(s->saddr, 4, &sk->__sk_common.skc_rcv_saddr);
		bpf_core_read(s->daddr, 4, &sk->__sk_common.skc_daddr);
	} else {
		bpf_core_read(s->saddr, 16, &sk->__sk_common.skc_v6_rcv_saddr);
		bpf_core_read(s->daddr, 16, &sk->__sk_common.skc_v6_daddr);
	}
}

/* Writes the name after it. Returns the bytes of the name. */
static __always_inline __u32 unix_fill(struct syssnoop_special *s, struct sock *sk)
{
	struct unix_sock *u = (void *)sk;
	struct unix_address *a = BPF_CORE_READ(u, addr);
	struct socket *peer = BPF_CORE_READ(u, peer, sk_socket);
	__u32 len = a ? BPF_CORE_READ(a, len) - 2 : 0;

	if (peer)
		s->peer = BPF_CORE_READ(peer, file, f_inode, i_ino);
	OPAQUE(len);
	if (len > SYSSNOOP_SUN_PATH || bpf_core_read(s + 1, len, &a->name[0].sun_path))
		return 0;
	return len;
}

static __always_inline __u32 socket_fill(struct syssnoop_special *s, struct sock *sk)
{
	s->family = BPF_CORE_READ(sk, __sk_common.skc_family);
	if (s->family == UNIX)
		return unix_fill(s, sk);
	if (s->family == INET || s->family == INET6)
		inet_fill(s, sk);
	s->protocol = BPF_CORE_READ(sk, sk_protocol);
	if (s->family == NETLINK)
		s->port_id = BPF_CORE_READ((struct netlink_sock *)sk, portid);
	return 0;
}

/* linux/magic.h */
#define PIDFS_MAGIC 0x50494446
#define ANON_MAGIC  0x09041934
/* names of anonymous files, as a number */
#define PIDFD_NAME    0x005d64666469705bull /* "[pidfd]" */
#define EVENTFD_NAME  0x6466746e6576655bull /* "[eventfd" */
#define SIGNALFD_NAME 0x666c616e6769735bull /* "[signalf" */

/* Returns the first 8 bytes of the name of an anonymous file; 0: it is none. */
static __always_inline __u64 anonymous_name(struct file *file, __u64 magic)
{
	const unsigned char *name;
	__u64 text = 0;

	if (magic != ANON_MAGIC)
		return 0;
	name = BPF_CORE_READ(file, f_path.dentry, d_name.name);
	bpf_probe_read_kernel(&text, sizeof(text), name);
	return text;
}

/* Returns the struct pid of a pidfd: its inode has it since 6.9, before its file. 0: it is none. */
static __always_inline __u64 pidfd_pid(struct file *file, __u64 magic, __u64 name)
{
	if (magic == PIDFS_MAGIC)
		return (__u64)BPF_CORE_READ(file, f_inode, i_private);
	return name == PIDFD_NAME ? (__u64)BPF_CORE_READ(file, private_data) : 0;
}

static __always_inline __u32 pid_number(__u64 pid)
{
	return filter.numbers.ns ? number_of(pid) :
				   (__u32)BPF_CORE_READ((struct pid___numbers *)pid, numbers[0].nr);
}

static __always_inline void eventfd_fill(struct syssnoop_special *s, struct eventfd_ctx *ctx)
{
	s->family = SYSSNOOP_EVENTFD;
	s->peer = BPF_CORE_READ(ctx, count);
	s->protocol = BPF_CORE_READ(ctx, id);
	s->port_id = BPF_CORE_READ(ctx, flags);
}

static __always_inline void signalfd_fill(struct syssnoop_special *s, struct signalfd_ctx *ctx)
{
	s->family = SYSSNOOP_SIGNALFD;
	s->peer = ~BPF_CORE_READ(ctx, sigmask.sig[0]);
}

__attribute__((noinline)) int put_special(__s32 fd, __u32 tag)
{
	struct work *w = scratch_work_get();
	struct file *file = path_current_file(fd);
	struct syssnoop_special *s;
	struct syssnoop_chunk *c;
	struct socket *socket;
	__u32 mode, len = 0;
	__u64 magic, name, pid;

	if (!w || !file)
		return 0;
	mode = BPF_CORE_READ(file, f_inode, i_mode) & S_IFMT;
	magic = BPF_CORE_READ(file, f_inode, i_sb, s_magic);
	name = anonymous_name(file, magic);
	pid = pidfd_pid(file, magic, name);
	if (mode != S_IFSOCK && mode != S_IFCHR && mode != S_IFBLK && !pid &&
	    name != EVENTFD_NAME && name != SIGNALFD_NAME)
		return 0;
	c = chunk_begin(w, tag);
	if (!c)
		return 0;
	s = (void *)(c + 1);
	__builtin_memset(s, 0, sizeof(*s));
	s->mode = mode;
	s->rdev = BPF_CORE_READ(file, f_inode, i_rdev);
	s->pid = pid ? pid_number(pid) : 0;
	socket = BPF_CORE_READ(file, private_data);
	if (mode == S_IFSOCK)
		len = socket_fill(s, BPF_CORE_READ(socket, sk));
	else if (name == EVENTFD_NAME)
		eventfd_fill(s, (void *)socket);
	else if (name == SIGNALFD_NAME)
		signalfd_fill(s, (void *)socket);
	chunk_end(w, c, sizeof(*s) + len);
	return 0;
}

/* The protocol, if it is a socket of netlink: its messages are shown whole. */
__attribute__((noinline)) int put_netlink(__s32 fd, __u32 tag)
{
	struct work *w = scratch_work_get();
	struct file *file = path_current_file(fd);
	struct syssnoop_chunk *c;
	struct socket *socket;
	struct sock *sk;

	if (!w || !file || (BPF_CORE_READ(file, f_inode, i_mode) & S_IFMT) != S_IFSOCK)
		return 0;
	socket = BPF_CORE_READ(file, private_data);
	sk = BPF_CORE_READ(socket, sk);
	if (BPF_CORE_READ(sk, __sk_common.skc_family) != NETLINK)
		return 0;
	c = chunk_begin(w, tag);
	if (!c)
		return 0;
	*(__u32 *)(c + 1) = BPF_CORE_READ(sk, sk_protocol);
	chunk_end(w, c, sizeof(__u32));
	w->netlink = 1;
	return 0;
}

#endif
