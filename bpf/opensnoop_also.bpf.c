/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * opensnoop_also.bpf.c - opensnoop --also: names that are deleted and renamed.
 *
 * All system calls that do so, and io_uring, reach one of three functions, which get the kernel's own copy of the
 * names. They have freed it when they return, so the entry reads it. A call is stored, and its name compared, as for
 * an open (opensnoop/call.bpf.h); a rename is two of them.
 *
 * An object of its own, loaded only with --also, so opens cost the same without it.
 */
#include "opensnoop/call.bpf.h"
#include "lib/pointer.bpf.h"
#include "opensnoop/renamed.bpf.h"

/* Sets an error instead of a name: the kernel could not read the caller's. */
static __always_inline void name_error(struct call *c, long error)
{
	c->filename = 0;
	c->name[0] = 0;
	c->name_len = 0;
	c->name_status = EVENT_FAULT;
	if (error == -2) { /* ENOENT: no name */
		c->name_len = 1;
		c->name_status = EVENT_OK;
	} else if (error == -36) { /* ENAMETOOLONG */
		c->name_status = EVENT_CUT;
	}
	if (want_base)
		base_read(c, &c->base);
}

/* `name` is a struct filename or, before rename was part of io_uring, the caller's address. */
static __always_inline void name_any(struct call *c, int dfd, __u64 name)
{
	const struct filename *filename = (const void *)name;

	c->e.dirfd = dfd;
	c->e.flags = OPENSNOOP_NO_FLAGS;
	c->e.resolve = 0;
	c->e.mode = OPENSNOOP_NO_MODE;
	c->uname = name;
	if (name >= -4095ull) {
		name_error(c, name);
	} else if ((__s64)name >= 0) {
		c->filename = 0;
		name_read_user(c, true);
	} else {
		name_read(c, filename, BPF_CORE_READ(filename, name), true);
	}
}

/* Not inlined: all programs share one copy. */
__attribute__((noinline)) int also_enter(__u32 slot, __u32 kind, int dfd, __u64 name)
{
	struct call *c = slot == SLOT_NEW ? call_fresh(SLOT_NEW) : call_begin(call_find(), kind);

	if (!c)
		return 0;
	name_any(c, dfd, name);
	c->e.kind = kind;
	c->start = bpf_ktime_get_ns();
	if (slot == SLOT_NEW)
		beside_store(&new_names, c);
	return 0;
}

static __always_inline int rename_enter(int dfd, __u64 name, int new_dfd, __u64 new_name)
{
	also_enter(SLOT_NEW, OPENSNOOP_RENAME, new_dfd, new_name);
	return also_enter(SLOT_RENAME, OPENSNOOP_RENAME, dfd, name);
}

/* Converts the result as an open returns it that has no descriptor. */
static __always_inline __s64 also_result(int ret)
{
	return ret < 0 ? ret : OPENSNOOP_NO_FD;
}

__attribute__((noinline)) int also_leave(__u32 slot, int ret)
{
	struct call *c = call_find(), *new = slot == SLOT_RENAME ? beside_find(&new_names) : NULL;

	if (!c || (slot == SLOT_RENAME && !new))
		calls_missing();
	else
		also_end(c, new, slot, also_result(ret));
	if (c)
		call_drop(c);
	if (new)
		beside_drop(&new_names, new);
	return 0;
}

#define NAME(number) pointer_number((const void *)ctx[number])

#define ENTER(name, slot, kind)                                                                    \
	SEC("fentry")                                                                              \
	int name##_enter_fentry(__u64 *ctx)                                                        \
	{                                                                                          \
		return also_enter(slot, kind, ctx[0], NAME(1));                                    \
	}                                                                                          \
	SEC("kprobe")                                                                              \
	int BPF_KPROBE(name##_enter_kprobe, int dfd, __u64 name_)                                  \
	{                                                                                          \
		return also_enter(slot, kind, dfd, name_);                                         \
	}

ENTER(unlink, SLOT_UNLINK, OPENSNOOP_UNLINK)
ENTER(rmdir, SLOT_RMDIR, OPENSNOOP_RMDIR)

SEC("fentry")
int rename_enter_fentry(__u64 *ctx)
{
	return rename_enter(ctx[0], NAME(1), ctx[2], NAME(3));
}

SEC("kprobe")
int BPF_KPROBE(rename_enter_kprobe, int dfd, __u64 name, int new_dfd, __u64 new_name)
{
	return rename_enter(dfd, name, new_dfd, new_name);
}

/* `params`: the number of parameters, after which fexit has the result. */
#define LEAVE(name, params, slot)                                                                  \
	SEC("fexit")                                                                               \
	int name##_leave_fexit(__u64 *ctx)                                                         \
	{                                                                                          \
		return also_leave(slot, ctx[params]);                                              \
	}                                                                                          \
	SEC("kretprobe")                                                                           \
	int BPF_KRETPROBE(name##_leave_kprobe, int ret)                                            \
	{                                                                                          \
		return also_leave(slot, ret);                                                      \
	}

LEAVE(unlink, 2, SLOT_UNLINK)
LEAVE(rmdir, 2, SLOT_RMDIR)
LEAVE(rename, 5, SLOT_RENAME)

char LICENSE[] SEC("license") = "GPL";
