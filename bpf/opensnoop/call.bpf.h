/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * call.bpf.h - an open in flight: how it is stored, where its name is, and how it becomes a record. This file does
 * not know which function was hooked.
 *
 * `full` of the functions here is a constant: whether to walk the directory's path, to compare names and flags, to
 * count, to capture the caller. Programs without it load in half the time, and only what is loaded costs time.
 */
#ifndef CORETAP_OPENSNOOP_CALL_BPF_H
#define CORETAP_OPENSNOOP_CALL_BPF_H

/* One for each program that sends records: they may preempt each other. */
enum { SLOT_OPEN, SLOT_IO, SLOT_REFUSED, SLOT_UNOPENED, SLOT_KERNEL, SLOT_MAX };
#define PATH_SLOTS SLOT_MAX

#include "lib/calls.bpf.h"
#include "lib/path.bpf.h"
#include "opensnoop/caller.bpf.h"
#include <asm/fcntl.h>
#include "opensnoop.h"

#define CALL_NAME     256    /* longer names are stored in their own map */
#define CALL_NAME_MAX 4096   /* PATH_MAX, with the NUL */
#define CALL_FAULT    14     /* EFAULT */
#define CALL_AT_FDCWD (-100) /* from linux/fcntl.h, which would define another struct open_how */
#define CALL_IN_ROOT  0x10   /* RESOLVE_IN_ROOT, linux/openat2.h */

/* What is shown; nothing else is captured. */
const volatile bool want_details = false; /* more than PID COMM FD ERR PATH */
const volatile bool want_base = false;	  /* full_path */

/* True if fexit sees the returns. */
const volatile bool returns_counted = false;

/* struct open_how of linux/openat2.h. Its layout never changes, and each type that libbpf need not look up saves 3 ms
 * at start. */
struct how {
	__u64 flags, mode, resolve;
};

struct call {
	__u64 users;	  /* of a slot: how many calls want it, see place_claim */
	__u64 owner;	  /* of a slot: the thread whose call it is; 0: nobody's */
	__u64 start;	  /* ns */
	__u64 uname;	  /* the caller's address of the name */
	__u64 filename;	  /* the kernel's struct filename; 0: not seen */
	struct path base; /* the directory in which the name starts, when the call was seen */
	struct io_kiocb *req;
	__s32 result; /* the result in req, if `completed` */
	__u8 completed;
	__u8 fixed; /* req uses a fixed slot of its ring, not a descriptor */
	__u16 pad;
	__u32 name_len; /* with its NUL; CALL_NAME: the name is in `long_names` */
	__u32 name_status;
	struct opensnoop_event e;
	char name[CALL_NAME]; /* directly after e, as in the record */
};
_Static_assert(offsetof(struct call, name) ==
		       offsetof(struct call, e) + sizeof(struct opensnoop_event),
	       "record");

/* Where a call is built that has no slot in `places`, because it is too large for the stack. By slot. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, SLOT_MAX);
	__type(key, __u32);
	__type(value, struct call);
} fresh SEC(".maps");

#include "opensnoop/places.bpf.h"

/* Names of CALL_NAME bytes or more, by the address of their struct filename. */
struct long_name {
	char bytes[CALL_NAME_MAX];
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 512);
	__type(key, __u64);
	__type(value, struct long_name);
} long_names SEC(".maps");

/* Never written: the initial value of a long name. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct long_name);
} long_blank SEC(".maps");

/* Where a record with a long name, a directory or a caller is built. By slot. */
struct big {
	struct opensnoop_event e;
	char data[sizeof(struct opensnoop_caller) + CALL_NAME_MAX + PATH_ROOM];
};
/* Bytes before the names in data. */
#define BIG_NAMES (want_caller ? sizeof(struct opensnoop_caller) : 0)

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, SLOT_MAX);
	__type(key, __u32);
	__type(value, struct big);
} bigs SEC(".maps");

/* ---- the start, and the end ---- */

static __always_inline void call_how(struct call *c, int dfd, const struct how *how)
{
	c->e.dirfd = dfd;
	/* the kernel adds O_LARGEFILE for 64-bit callers */
	c->e.flags = how->flags & ~(__u64)O_LARGEFILE;
	c->e.resolve = how->resolve;
	c->e.mode = how->flags & (O_CREAT | __O_TMPFILE) ? how->mode : OPENSNOOP_NO_MODE;
}

/* True if an old entry, whose return was never seen, is to be counted here. If fexit sees the returns, the kernel
 * counts it (LOSS_RECURSION); for a kretprobe we do. */
static __always_inline bool call_is_counted(const struct call *c)
{
	return !returns_counted || c->e.kind != OPENSNOOP_OPEN;
}

static __always_inline void call_missed(const struct call *c)
{
	if (call_is_counted(c))
		loss_count(LOSS_MISSED, 1);
}

static __always_inline void call_forget(struct call *c)
{
	__u64 key = c->filename;

	if (c->name_len == CALL_NAME && key)
		bpf_map_delete_elem(&long_names, &key);
	c->filename = 0;
	c->name_len = 0;
}

/* Tests the most common filters, to save other tasks the search. */
static __always_inline bool may_be_stored(__u64 pid_tgid)
{
	return (filter.follow || id_pass(&filter.pids, pid_tgid >> 32)) &&
	       id_pass(&filter.tids, pid_tgid);
}

/* Returns the current thread's call; NULL: none. */
static __always_inline struct call *call_find(void)
{
	__u64 pid_tgid = bpf_get_current_pid_tgid();

	return may_be_stored(pid_tgid) ? place_find(pid_tgid) : NULL;
}

/* Returns a new call of the current thread to fill in, replacing `old`, whose return was not seen, unless that is
 * NULL. Returns NULL if the filter rejects the task, or if there is no room (counted). */
static __always_inline struct call *call_begin(struct call *old, __u8 kind)
{
	__u64 pid_tgid = bpf_get_current_pid_tgid();
	struct call *c = old;

	calls_begin();
	if (!filter_pass_as(pid_tgid))
		return NULL;
	if (c) {
		call_missed(c);
		call_forget(c);
	} else {
		c = place_claim(pid_tgid);
	}
	if (!c)
		return NULL;
	c->completed = false;
	c->e.kind = kind;
	return c;
}

static __always_inline void call_drop(struct call *c)
{
	call_forget(c);
	place_release(c);
}

/* Returns a call without a slot to fill in; NULL: the filter rejects the task. */
static __always_inline struct call *call_fresh(__u32 slot)
{
	calls_begin();
	return filter_pass() ? bpf_map_lookup_elem(&fresh, &slot) : NULL;
}

/* Calls that a thread has in addition to its main one, in a hash by thread: filled in as a call without a slot, then
 * stored. */

static __always_inline void beside_store(void *map, const struct call *c)
{
	__u32 tid = bpf_get_current_pid_tgid();

	calls_store(map, &tid, c, call_is_counted(c));
}

static __always_inline struct call *beside_find(void *map)
{
	__u64 pid_tgid = bpf_get_current_pid_tgid();
	__u32 tid = pid_tgid;

	return may_be_stored(pid_tgid) ? bpf_map_lookup_elem(map, &tid) : NULL;
}

static __always_inline void beside_drop(void *map, struct call *c)
{
	__u32 tid = bpf_get_current_pid_tgid();

	call_forget(c);
	bpf_map_delete_elem(map, &tid);
}

#include "opensnoop/name.bpf.h"
#include "opensnoop/wanted.bpf.h"
#include "opensnoop/counted.bpf.h"

/* ---- the record ---- */

/* Walks the directory's path. Returns NULL if it is uncertain. Sets full_path.status. */
static __always_inline struct path_walk *base_walk(struct call *c, __u32 slot)
{
	struct path now = {};
	struct path_walk *w;

	c->e.full_path.status = EVENT_NONE;
	if (c->name_status != EVENT_OK)
		return NULL;
	base_read(c, &now);
	c->e.full_path.status = EVENT_FAULT;
	/* another thread changed the directory in the meantime, and the old one may be freed */
	if (now.dentry != c->base.dentry || now.mnt != c->base.mnt)
		return NULL;
	w = path_walk(slot, &now, NULL);
	if (w)
		c->e.full_path.status = w->status;
	return w;
}

/* full_path starts with the name, without one leading slash. */
static __always_inline void paths_describe(const struct call *c, struct opensnoop_event *e,
					   __u32 len)
{
	__u32 slash = c->name[0] == '/', at = sizeof(*e) + BIG_NAMES;

	e->path.off = at;
	e->path.len = len ? len - 1 : 0;
	e->path.status = c->name_status;
	e->full_path.off = at + slash;
	e->full_path.len = len > slash ? len - slash : 0;
}

/* `w` is NULL for a record without a directory. */
static __always_inline void call_send_big(struct call *c, __u32 slot, struct path_walk *w,
					  const bool full)
{
	struct big *b = bpf_map_lookup_elem(&bigs, &slot);
	struct event_str dir;
	__u64 len, at;

	if (!b)
		return;
	if (c->name_len == CALL_NAME)
		len = long_name_copy(c, b->data + BIG_NAMES);
	else
		len = c->name_len ?
			      bpf_probe_read_kernel_str(b->data + BIG_NAMES, CALL_NAME, c->name) :
			      0;
	b->e = c->e;
	if (full && want_caller)
		caller_capture((void *)b->data);
	/* A length that was compared as a signed number may be negative to the verifier: 6.16 then refuses sums with
	 * it. */
	asm volatile("" : "+r"(len));
	if (len > CALL_NAME_MAX)
		len = 0;
	paths_describe(c, &b->e, len);
	at = sizeof(b->e) + BIG_NAMES + len;
	if (w) {
		at = path_append(b, at, sizeof(*b), w, &dir);
		b->e.full_path.len += dir.len;
		b->e.full_path.left_out = dir.left_out;
	}
	asm volatile("" : "+r"(at)); /* hides bounds, as in path_append */
	if (at <= sizeof(*b))
		record_output(b, at);
}

static __always_inline void call_send(struct call *c, __u32 slot, const bool full)
{
	struct path_walk *w = full && want_base ? base_walk(c, slot) : NULL;
	__u64 len = c->name_len;

	if ((full && want_caller) || len >= CALL_NAME || (w && w->len)) {
		call_send_big(c, slot, w, full);
		return;
	}
	paths_describe(c, &c->e, len);
	record_output(&c->e, sizeof(c->e) + len);
}

static __always_inline void flaws_count(const struct call *c, __s64 ret)
{
	/* EFAULT: the kernel could not read it either, and the record says so */
	if (c->name_status == EVENT_FAULT && ret != -CALL_FAULT)
		loss_count(LOSS_FAULT, 1);
	if (c->e.full_path.status == EVENT_FAULT)
		loss_count(LOSS_FAULT, 1);
	if (c->name_status == EVENT_CUT || c->e.full_path.status == EVENT_CUT)
		loss_count(LOSS_CUT, 1);
}

/* Sends a call with the result `ret`. */
static __always_inline void call_end(struct call *c, __s64 ret, __u32 slot, const bool full)
{
	if (filter.failed_only && (ret >= 0 || ret == OPENSNOOP_NO_FD))
		return;
	if (full && want_flags && !flags_pass(c->e.flags))
		return;
	if (full && want_paths && !path_passes(c, slot)) {
		flaws_count(c, ret);
		return;
	}
	if (full && counting) {
		count_add(c, ret, slot);
		flaws_count(c, ret);
		return;
	}
	header_fill(&c->e.header);
	c->e.ret = ret;
	if (want_details) {
		c->e.latency = bpf_ktime_get_ns() - c->start;
		c->e.uid = bpf_get_current_uid_gid();
	}
	task_fill(&c->e.task);
	if (!full)
		c->e.full_path.status = EVENT_NONE;
	call_send(c, slot, full);
	flaws_count(c, ret);
}

/* Sends a fresh call that the kernel refused before it copied the name, which is the caller's `uname`. */
static __always_inline void call_refuse(struct call *c, int dfd, __u64 uname, const struct how *how,
					int ret, __u32 slot, const bool full)
{
	call_how(c, dfd, how);
	c->uname = uname;
	c->start = bpf_ktime_get_ns();
	name_read_user(c, full);
	call_end(c, ret, slot, full);
}

#endif
