/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * names.bpf.h - names that programs look up with their C library, and the addresses found: including those from
 * /etc/hosts, or from a resolver that is not asked on port 53. Also reports C libraries that are mapped, so that user
 * space can probe them (applets/connsnoop/lookups.c).
 */
#ifndef CORETAP_CONNSNOOP_NAMES_BPF_H
#define CORETAP_CONNSNOOP_NAMES_BPF_H

#include "connsnoop/record.bpf.h"

#define STEPS_MAX (3 * CONNSNOOP_FOUND_MAX) /* the list has an address for each type of socket */

/* A call in progress, by thread. Entries of killed threads are evicted eventually. */
struct naming {
	__u64 name;   /* address in user memory, valid until the call returns */
	__u64 result; /* for getaddrinfo: where it will store its list */
	__u64 more;
};
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 16384);
	__type(key, __u64);
	__type(value, struct naming);
} namings SEC(".maps");

/* struct addrinfo and struct hostent of 64-bit programs, the same in glibc and musl. */
struct user_addrinfo {
	__s32 flags, family, type, protocol;
	__u32 size;
	__u64 address, name, next;
};
struct user_hostent {
	__u64 name, aliases;
	__s32 family, size;
	__u64 addresses;
};

/* ---- records ---- */

static __always_inline struct connsnoop_found *found_begin(const struct naming *n)
{
	struct connsnoop_found *f = record_reserve(struct connsnoop_found);
	long len;

	if (!f)
		return NULL;
	__builtin_memset(&f->e, 0, sizeof(f->e));
	f->count = 0;
	len = bpf_probe_read_user_str(f->name, sizeof(f->name), (void *)n->name);
	f->len = len > 0 ? len - 1 : 0;
	if (len <= 0)
		loss_count(LOSS_FAULT, 1);
	f->e.kind = CONNSNOOP_FOUND;
	header_fill(&f->e.header);
	return f;
}

/* Returns false if there is no room, or the memory cannot be read. Skips an address equal to the last one. */
static __always_inline bool found_add(struct connsnoop_found *f, __s32 family, __u64 at)
{
	struct connsnoop_address *a = &f->addresses[f->count & (CONNSNOOP_FOUND_MAX - 1)];
	const struct connsnoop_address *last =
		&f->addresses[(f->count - 1) & (CONNSNOOP_FOUND_MAX - 1)];
	__u32 size = family == INET ? 4 : 16, words[5] = { family };

	if (bpf_probe_read_user(words + 1, size, (void *)at))
		return false;
	if (f->count && words[0] == last->family && words[1] == last->words[0] &&
	    words[2] == last->words[1] && words[3] == last->words[2] && words[4] == last->words[3])
		return true;
	if (f->count >= CONNSNOOP_FOUND_MAX)
		return false;
	__builtin_memcpy(a, words, sizeof(words));
	f->count++;
	return true;
}

static __always_inline bool is_inet(__s32 family)
{
	return family == INET || family == INET6;
}

/* `more`: the record lacks some addresses. */
static __always_inline void found_submit(struct connsnoop_found *f, bool more)
{
	if (more)
		loss_count(LOSS_CUT, 1);
	record_submit(f);
}

/* ---- calls ---- */

SEC("uprobe")
int BPF_KPROBE(name_asked, __u64 name, __u64 service, __u64 hints, __u64 result)
{
	struct naming n = { name, result, 0 };
	__u64 id = bpf_get_current_pid_tgid();

	STACK_OF_THREAD();
	if (name && filter_pass() && bpf_map_update_elem(&namings, &id, &n, BPF_ANY))
		loss_count(LOSS_MAP_FULL, 1);
	return 0;
}

/* Fetches the call that returns. Returns false if it is not wanted, or began before the tracing. */
static __always_inline bool call_fetch(struct naming *n, __u64 id)
{
	const struct naming *kept = bpf_map_lookup_elem(&namings, &id);

	if (!kept)
		return false;
	*n = *kept;
	bpf_map_delete_elem(&namings, &id);
	return true;
}

static __always_inline bool naming_fetch(struct naming *n)
{
	return call_fetch(n, bpf_get_current_pid_tgid());
}

/* getaddrinfo returns 0, and a list. */
SEC("uretprobe")
int BPF_KRETPROBE(addrinfo_found, int ret)
{
	struct user_addrinfo info = {};
	struct connsnoop_found *f;
	struct naming n;

	STACK_OF_THREAD();
	if (!naming_fetch(&n) || ret)
		return 0;
	f = found_begin(&n);
	if (!f)
		return 0;
	bpf_probe_read_user(&info.next, sizeof(info.next), (void *)n.result);
	for (int i = 0; i < STEPS_MAX && info.next; i++) {
		if (bpf_probe_read_user(&info, sizeof(info), (void *)info.next))
			break;
		/* a struct sockaddr_in or sockaddr_in6 */
		if (is_inet(info.family) &&
		    !found_add(f, info.family, info.address + (info.family == INET ? 4 : 8)))
			break;
	}
	found_submit(f, info.next);
	return 0;
}

/* gethostbyname and gethostbyname2 return NULL, or addresses of one family. */
SEC("uretprobe")
int BPF_KRETPROBE(hostent_found, __u64 ret)
{
	struct user_hostent host = {};
	struct connsnoop_found *f;
	struct naming n;
	__u64 at = 0;

	STACK_OF_THREAD();
	if (!naming_fetch(&n) || !ret)
		return 0;
	f = found_begin(&n);
	if (!f)
		return 0;
	bpf_probe_read_user(&host, sizeof(host), (void *)ret);
	for (int i = 0; i <= CONNSNOOP_FOUND_MAX && is_inet(host.family); i++) {
		at = 0;
		bpf_probe_read_user(&at, sizeof(at), (void *)(host.addresses + 8 * i));
		if (!at || !found_add(f, host.family, at))
			break;
	}
	found_submit(f, at);
	return 0;
}

/* ---- libraries ---- */

/* Libraries that were reported to user space: each once. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 4096);
	__type(key, struct connsnoop_file);
	__type(value, __u8);
} libraries SEC(".maps");

/* True for libc.so.6, libc-2.31.so, libc.musl-x86_64.so.1, ld-musl-x86_64.so.1: user space checks further. */
static __always_inline bool is_libc(struct file *file)
{
	char name[8] = {};

	bpf_probe_read_kernel(name, sizeof(name), BPF_CORE_READ(file, f_path.dentry, d_name.name));
	if (name[0] != 'l')
		return false;
	if (name[1] == 'd')
		return name[2] == '-' && name[3] == 'm';
	return name[1] == 'i' && name[2] == 'b' && name[3] == 'c' &&
	       (name[4] == '.' || name[4] == '-');
}

enum { PROT_EXEC = 4 };

/* Not filtered: another process's library may be the file that a traced process uses. */
static __always_inline int library_report(struct file *file)
{
	struct connsnoop_library *l;
	struct connsnoop_file key;
	__u8 one = 1;

	key.inode = BPF_CORE_READ(file, f_inode, i_ino);
	key.dev = BPF_CORE_READ(file, f_inode, i_sb, s_dev);
	if (bpf_map_lookup_elem(&libraries, &key))
		return 0;
	l = record_reserve(struct connsnoop_library);
	if (!l)
		return 0;
	bpf_map_update_elem(&libraries, &key, &one, BPF_ANY);
	__builtin_memset(l, 0, sizeof(*l));
	l->e.kind = CONNSNOOP_LIBRARY;
	l->file = key;
	header_fill(&l->e.header);
	record_submit(l);
	return 0;
}

static __always_inline bool is_library(struct file *file, unsigned long prot)
{
	return prot & PROT_EXEC && file && is_libc(file);
}

SEC("fexit")
int BPF_PROG(library_mapped, struct file *file, unsigned long addr, unsigned long len,
	     unsigned long prot, unsigned long flags, unsigned long pgoff, unsigned long ret)
{
	return is_library(file, prot) ? library_report(file) : 0;
}

#endif
