/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * match.bpf.h - whether a call is about a path or a descriptor that is wanted (-P, -e fd=), and whether recording has
 * begun.
 *
 * A path in an argument is compared as it is written. The path of a descriptor is the walk's, so both forms of each
 * wanted path are in one hash. The entry checks all arguments; the return checks strings again, whose memory may not
 * have been mapped, and the descriptor that the call returns.
 */
#ifndef CORETAP_SYSSNOOP_MATCH_BPF_H
#define CORETAP_SYSSNOOP_MATCH_BPF_H

#include "syssnoop/take.bpf.h"

const volatile bool chooses = false; /* True if any of these options is given. */
const volatile bool by_paths = false, by_fds = false;
const volatile __u64 wanted_fds[SYSSNOOP_FDS / 64] = {};
const volatile bool higher_fds = false; /* descriptors from SYSSNOOP_FDS on are wanted */

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1); /* user space sets it, if there are any */
	__type(key, struct syssnoop_path);
	__type(value, __u8);
} wanted_paths SEC(".maps");

static __always_inline __u32 row_of(__u8 abi, __u32 nr)
{
	return nr < SYSCALL_NUMBERS ? abi * SYSCALL_NUMBERS + nr : SYSCALL_ROWS;
}

__attribute__((noinline)) int file_is_wanted(__s32 fd)
{
	struct work *w = scratch_work_get();
	struct path_walk *walk;
	struct path path = {};
	__u32 len;

	path_current_fd(fd, &path);
	if (!w || !path.dentry)
		return 0;
	walk = path_walk(0, &path, NULL);
	if (!walk || walk->status != EVENT_OK)
		return 0;
	len = walk->len;
	OPAQUE(len);
	if (len >= SYSSNOOP_PATH)
		return 0;
	__builtin_memset(&w->path, 0, sizeof(w->path));
	bpf_probe_read_kernel(w->path.bytes, len, walk->data);
	return bpf_map_lookup_elem(&wanted_paths, &w->path) != NULL;
}

__attribute__((noinline)) int path_is_wanted(__u64 from)
{
	struct work *w = scratch_work_get();

	if (!w)
		return 0;
	__builtin_memset(&w->path, 0, sizeof(w->path));
	if (bpf_probe_read_user_str(w->path.bytes, SYSSNOOP_PATH, (void *)from) <= 1)
		return 0;
	return bpf_map_lookup_elem(&wanted_paths, &w->path) != NULL;
}

static __always_inline bool fd_is_wanted(__s32 fd)
{
	if (fd < 0)
		return false;
	return fd < SYSSNOOP_FDS ? BIT_OF(wanted_fds, fd, SYSSNOOP_FDS) : higher_fds;
}

/* The descriptors of poll(2): as many as are looked at. */
#define POLLFDS 256

__attribute__((noinline)) int pollfds_are_wanted(__u64 from, __u32 count)
{
	for (__u32 i = 0; i < POLLFDS && i < count; i++) {
		__s32 fd = -1;

		if (bpf_probe_read_user(&fd, sizeof(fd), (void *)(from + i * 8)))
			break;
		if ((by_fds && fd_is_wanted(fd)) || (by_paths && fd >= 0 && file_is_wanted(fd)))
			return 1;
	}
	return 0;
}

#define FD_SETSIZE 1024

__attribute__((noinline)) int fdset_is_wanted(__u64 from, __u32 count)
{
	__u64 word = 0;

	if (count > FD_SETSIZE)
		count = (__s32)count < 0 ? 0 : FD_SETSIZE;
	if (!from || !count || /* as a whole, or not */
	    bpf_probe_read_user(&word, sizeof(word), (void *)(from + (count - 1) / 64 * 8)))
		return 0;
	for (__u32 fd = 0; fd < FD_SETSIZE && fd < count; fd++) {
		if (!(fd & 63) && bpf_probe_read_user(&word, sizeof(word), (void *)(from + fd / 8)))
			break;
		if (!(word >> (fd & 63) & 1))
			continue;
		if ((by_fds && fd_is_wanted(fd)) || (by_paths && file_is_wanted(fd)))
			return 1;
	}
	return 0;
}

static __always_inline bool sets_are_wanted(const struct syssnoop_call *c, __u8 flags)
{
	if (flags & SYSCALL_POLLS)
		return pollfds_are_wanted(c->args[0], c->args[1]);
	if (!(flags & SYSCALL_SELECTS))
		return false;
	for (int i = 1; i < 4; i++)
		if (fdset_is_wanted(c->args[i], c->args[0]))
			return true;
	return false;
}

static __always_inline bool choose_claimed(const struct syssnoop_call *c, __u8 fds, __u8 paths)
{
	for (int i = 0; i < SYSCALL_ARGS; i++) {
		if (by_fds && fds >> i & 1 && fd_is_wanted(c->args[i]))
			return true;
		if (by_paths && fds >> i & 1 && file_is_wanted(c->args[i]))
			return true;
		if (by_paths && paths >> i & 1 && path_is_wanted(c->args[i]))
			return true;
	}
	return false;
}

/* Checks these arguments of the call. */
static __always_inline bool choose(const struct syssnoop_call *c, __u8 fds, __u8 paths, __u8 sets)
{
	struct work *w = scratch_work_get();
	bool is_wanted;

	if (!(fds | paths | sets) || !w || !scratch_claim(&w->users))
		return false;
	is_wanted = choose_claimed(c, fds, paths) || sets_are_wanted(c, sets);
	scratch_release(&w->users);
	return is_wanted;
}

static __always_inline bool choose_by_args(const struct syssnoop_call *c,
					   const struct syscall_capture *cap)
{
	struct syssnoop_variant *v = NULL;
	__u8 fds = cap->fds, paths = cap->paths;

	if (cap->key < SYSCALL_ARGS)
		v = variant_of(c->args, row_of(c->abi, c->nr));
	if (v) {
		fds |= v->fds;
		paths |= v->paths;
	}
	return choose(c, fds, paths, cap->flags & (SYSCALL_POLLS | SYSCALL_SELECTS));
}

/* Used at the entry: the return may find more. */
static __always_inline bool may_be_chosen(const struct syssnoop_call *c,
					  const struct syscall_capture *cap)
{
	return !chooses || c->is_chosen ||
	       (by_paths && (cap->paths || cap->fds >> SYSCALL_RESULT & 1));
}

static __always_inline bool choose_by_result(const struct syssnoop_call *c, __s64 ret)
{
	__u32 row = row_of(c->abi, c->nr);
	struct syscall_capture *cap = bpf_map_lookup_elem(&rows, &row);
	struct work *w = scratch_work_get();
	bool is_wanted;

	if (!cap || !w || !scratch_claim(&w->users))
		return false;
	is_wanted = choose_claimed(c, 0, cap->paths) ||
		    (cap->fds >> SYSCALL_RESULT & 1 && ret >= 0 && file_is_wanted(ret));
	scratch_release(&w->users);
	return is_wanted;
}

static __always_inline bool is_chosen(const struct syssnoop_call *c, __s64 ret)
{
	return !chooses || c->is_chosen || (by_paths && choose_by_result(c, ret));
}

/* ---- when recording has begun ---- */

/* -- COMMAND: nothing before its exec is shown */
const volatile bool after_exec = false;
bool exec_seen = false;

static __always_inline bool has_begun(void)
{
	return !after_exec || exec_seen;
}

#endif
