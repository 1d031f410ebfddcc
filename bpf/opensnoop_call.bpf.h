/* SPDX-License-Identifier: GPL-2.0 */
/*
 * opensnoop_call.bpf.h - an open on its way: how it is remembered, where its name is kept, and how
 * it becomes a record. It must not know which function was hooked.
 *
 * `full` of the functions here is a constant: whether the directory is walked. Programs without it
 * are loaded in half the time, for libbpf relocates only what a program refers to.
 */
#ifndef CORETAP_OPENSNOOP_CALL_BPF_H
#define CORETAP_OPENSNOOP_CALL_BPF_H

/* One for each program that sends: they may preempt each other. */
enum { SLOT_OPEN, SLOT_IO, SLOT_REFUSED, SLOT_KERNEL, SLOT_MAX };
#define PATH_SLOTS SLOT_MAX
/* At the return, where there is no program at the entry; then there are no calls of the kernel's. */
#define SLOT_EARLY SLOT_KERNEL

#include "path.bpf.h"
#include <asm/fcntl.h>
#include "opensnoop.h"

#define CALL_NAME 256	     /* longer names have a place of their own */
#define CALL_NAME_MAX 4096   /* PATH_MAX, with the NUL */
#define CALL_FAULT 14	     /* EFAULT */
#define CALL_EXIST 17	     /* EEXIST */
#define CALL_AT_FDCWD (-100) /* linux/fcntl.h, which would bring another struct open_how */
#define CALL_IN_ROOT 0x10    /* RESOLVE_IN_ROOT, linux/openat2.h */

/* What is shown; the rest is not looked for. */
const volatile bool want_details = false; /* more than PID COMM FD ERR PATH */
const volatile bool want_base = false;	  /* full_path */

/* Returns are seen by fexit. */
const volatile bool returns_counted = false;

/* Nothing can be missing before the first entry was seen; and once `calls` was full, its returns
 * without an entry are counted already. */
bool begun = false, overflowed = false;
/* Set by user space before it takes the programs away one after the other. */
volatile bool ended = false;

/* struct open_how of linux/openat2.h: its layout is the same for ever, and each type that libbpf
 * need not look up makes the start 3 ms shorter. */
struct how {
	__u64 flags, mode, resolve;
};

struct call {
	__u64 start;	  /* ns */
	__u64 uname;	  /* where the caller has the name */
	__u64 filename;	  /* the kernel's struct filename; 0: not seen */
	struct path base; /* directory that the name begins at, when it was seen */
	struct io_kiocb *req;
	__s32 result;	  /* of req, when `completed` */
	__u8 completed;
	__u8 fixed;	  /* req fills a slot of its ring, no descriptor */
	__u16 pad;
	__u32 name_len;	  /* with its NUL; CALL_NAME: it is elsewhere */
	__u32 name_status;
	struct opensnoop_event e;
	char name[CALL_NAME]; /* directly behind e, as in the record */
};
_Static_assert(offsetof(struct call, name) ==
		       offsetof(struct call, e) + sizeof(struct opensnoop_event), "record");

/* By thread. An open always returns, also in a task that is being killed; what is left of a thread
 * that ends is a return that was not shown to us. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 8192);
	__type(key, __u32);
	__type(value, struct call);
} calls SEC(".maps");

/* Where an entry is put together: too large for the stack. By slot. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, SLOT_MAX);
	__type(key, __u32);
	__type(value, struct call);
} fresh SEC(".maps");

/* Names of CALL_NAME bytes and more, by address of their struct filename. */
struct long_name {
	char bytes[CALL_NAME_MAX];
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 512);
	__type(key, __u64);
	__type(value, struct long_name);
} long_names SEC(".maps");

/* Never written: what a long name is made of before it is read. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct long_name);
} long_blank SEC(".maps");

/* Where a record with a long name or with a directory is put together. By slot. */
struct big {
	struct opensnoop_event e;
	char data[CALL_NAME_MAX + PATH_ROOM];
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, SLOT_MAX);
	__type(key, __u32);
	__type(value, struct big);
} bigs SEC(".maps");

/* ---- beginning ---- */

/* An empty call to fill; NULL: nobody asked for this task. */
static __always_inline struct call *call_new(__u32 slot)
{
	if (!begun)
		begun = true;
	return filter_pass() ? bpf_map_lookup_elem(&fresh, &slot) : NULL;
}

static __always_inline void call_how(struct call *c, int dfd, const struct how *how)
{
	c->e.dirfd = dfd;
	/* O_LARGEFILE is the kernel's own addition for 64-bit callers */
	c->e.flags = how->flags & ~(__u64)O_LARGEFILE;
	c->e.resolve = how->resolve;
	c->e.mode = how->flags & (O_CREAT | __O_TMPFILE) ? how->mode : OPENSNOOP_NO_MODE;
}

/* A call that is still there never showed its return. Of an fexit the kernel counts that itself
 * (LOSS_RECURSION), of a kretprobe we do. */
static __always_inline void call_missed(const struct call *c)
{
	if (!returns_counted || c->e.kind != OPENSNOOP_OPEN)
		loss_count(LOSS_MISSED, 1);
}

static __always_inline void call_keep(void *map, const struct call *c)
{
	__u32 tid = bpf_get_current_pid_tgid();
	/* int, as the map's own function returns it on 5.10, where it is called without the helper */
	int err = bpf_map_update_elem(map, &tid, c, BPF_NOEXIST);

	if (err == -CALL_EXIST) {
		call_missed(c);
		err = bpf_map_update_elem(map, &tid, c, BPF_ANY);
	}
	if (!err)
		return;
	overflowed = true;
	loss_count(LOSS_MAP_FULL, 1);
}

static __always_inline struct call *call_find(void *map)
{
	__u64 pid_tgid = bpf_get_current_pid_tgid();
	__u32 tid = pid_tgid;

	/* the commonest filters spare the tasks that nobody asked for a look into the map */
	if (filter.pid && !filter.follow && pid_tgid >> 32 != filter.pid)
		return NULL;
	if (filter.tid && tid != filter.tid)
		return NULL;
	return bpf_map_lookup_elem(map, &tid);
}

static __always_inline void call_drop(void *map, struct call *c)
{
	__u32 tid = bpf_get_current_pid_tgid();
	__u64 key = c->filename;

	if (c->name_len == CALL_NAME && key)
		bpf_map_delete_elem(&long_names, &key);
	bpf_map_delete_elem(map, &tid);
}

/* A return without its entry: the call began before the tracing, if it was to be seen at all. */
static __always_inline void call_missing(void)
{
	if (begun && !overflowed && !ended && filter_pass())
		loss_count(LOSS_NO_ENTRY, 1);
}

/* ---- the name, and the directory it begins at ---- */

static __always_inline void base_read(const struct call *c, struct path *base)
{
	if (c->name[0] == '/' && !(c->e.resolve & CALL_IN_ROOT))
		path_current_root(base);
	else if (c->e.dirfd == CALL_AT_FDCWD)
		path_current_pwd(base);
	else
		path_current_fd(c->e.dirfd, base);
}

static __always_inline void long_name_keep(struct call *c, const char *name)
{
	__u32 zero = 0;
	__u64 key = c->filename;
	struct long_name *l = bpf_map_lookup_elem(&long_blank, &zero);

	c->name_status = EVENT_CUT;
	if (!l || bpf_map_update_elem(&long_names, &key, l, BPF_ANY))
		return;
	l = bpf_map_lookup_elem(&long_names, &key);
	if (l && bpf_probe_read_kernel_str(l->bytes, sizeof(l->bytes), name) > 0)
		c->name_status = EVENT_OK;
}

/* The kernel's copy: `name` of `filename`. */
static __always_inline void name_take(struct call *c, const struct filename *filename,
				      const char *name, const bool full)
{
	long n = bpf_probe_read_kernel_str(c->name, sizeof(c->name), name);

	c->filename = (__u64)filename;
	c->name_len = n > 0 ? n : 0;
	c->name_status = n > 0 ? EVENT_OK : EVENT_FAULT;
	if (n == sizeof(c->name))
		long_name_keep(c, name);
	if (full && want_base)
		base_read(c, &c->base);
}

/* The caller's, where the kernel gave up before it made a copy, or before do_filp_open. */
static __always_inline void name_take_user(struct call *c, const bool full)
{
	long n = bpf_probe_read_user_str(c->name, sizeof(c->name), (const void *)c->uname);

	if (!n) /* strncpy_from_user_nofault's length of "" */
		n = 1;
	c->name_len = n > 0 ? n : 0;
	c->name_status = n > 0 ? EVENT_OK : EVENT_FAULT;
	if (full && want_base)
		base_read(c, &c->base);
}

/* Copies a name of CALL_NAME bytes or more; returns its length with its NUL. */
static __always_inline __u64 long_name_copy(struct call *c, struct big *b)
{
	__u64 key = c->filename;
	struct long_name *l;
	long n = 0;

	if (!key) {
		n = bpf_probe_read_user_str(b->data, CALL_NAME_MAX, (const void *)c->uname);
		if (n == CALL_NAME_MAX) {
			c->name_status = EVENT_CUT;
			c->e.full_path.status = EVENT_NONE;
		}
		return n > 0 ? n : 0;
	}
	l = bpf_map_lookup_elem(&long_names, &key);
	if (!l) /* there was no room for it: what there is */
		return bpf_probe_read_kernel_str(b->data, CALL_NAME, c->name);
	return bpf_probe_read_kernel_str(b->data, CALL_NAME_MAX, l->bytes);
}

/* ---- the record ---- */

/* The directory's path; NULL where it is not certain. Sets full_path.status. */
static __always_inline struct path_walk *base_walk(struct call *c, __u32 slot)
{
	struct path now = {};
	struct path_walk *w;

	c->e.full_path.status = EVENT_NONE;
	if (c->name_status != EVENT_OK)
		return NULL;
	base_read(c, &now);
	c->e.full_path.status = EVENT_FAULT;
	/* another thread went elsewhere meanwhile, and the old one may be freed */
	if (now.dentry != c->base.dentry || now.mnt != c->base.mnt)
		return NULL;
	w = path_walk(slot, &now, NULL);
	if (w)
		c->e.full_path.status = w->status;
	return w;
}

/* full_path begins with the name, but for one leading slash. */
static __always_inline void paths_describe(const struct call *c, struct opensnoop_event *e,
					   __u32 len)
{
	__u32 slash = c->name[0] == '/';

	e->path.off = sizeof(*e);
	e->path.len = len ? len - 1 : 0;
	e->path.status = c->name_status;
	e->full_path.off = sizeof(*e) + slash;
	e->full_path.len = len > slash ? len - slash : 0;
}

/* `w` NULL: without a directory. */
static __always_inline void call_send_big(struct call *c, __u32 slot, struct path_walk *w)
{
	struct big *b = bpf_map_lookup_elem(&bigs, &slot);
	struct event_str dir;
	__u64 len, at;

	if (!b)
		return;
	if (!w || c->name_len == CALL_NAME)
		len = long_name_copy(c, b);
	else
		len = bpf_probe_read_kernel_str(b->data, CALL_NAME, c->name);
	b->e = c->e;
	paths_describe(c, &b->e, len);
	at = sizeof(b->e) + len;
	if (w) {
		at = path_put(b, at, sizeof(*b), w, &dir);
		b->e.full_path.len += dir.len;
		b->e.full_path.left_out = dir.left_out;
	}
	asm volatile("" : "+r"(at)); /* as in path_put */
	if (at <= sizeof(*b))
		record_output(b, at);
}

static __always_inline void call_send(struct call *c, __u32 slot, const bool full)
{
	struct path_walk *w = full && want_base ? base_walk(c, slot) : NULL;
	__u64 len = c->name_len;

	if (len >= CALL_NAME || (w && w->len)) {
		call_send_big(c, slot, w);
		return;
	}
	paths_describe(c, &c->e, len);
	record_output(&c->e, sizeof(c->e) + len);
}

static __always_inline void flaws_count(const struct call *c, __s64 ret)
{
	/* EFAULT: the kernel could not read it either, which is what the record says */
	if (c->name_status == EVENT_FAULT && ret != -CALL_FAULT)
		loss_count(LOSS_FAULT, 1);
	if (c->e.full_path.status == EVENT_FAULT)
		loss_count(LOSS_FAULT, 1);
	if (c->name_status == EVENT_CUT || c->e.full_path.status == EVENT_CUT)
		loss_count(LOSS_CUT, 1);
}

/* Sends a call whose result, as the record has it, is `ret`. */
static __always_inline void call_end(struct call *c, __s64 ret, __u32 slot, const bool full)
{
	if (filter.failed_only && (ret >= 0 || ret == OPENSNOOP_NO_FD))
		return;
	header_fill(&c->e.header);
	c->e.ret = ret;
	if (want_details) {
		c->e.latency = bpf_ktime_get_ns() - c->start;
		c->e.uid = bpf_get_current_uid_gid();
		c->e.cgroup = bpf_get_current_cgroup_id();
	}
	if (!full)
		c->e.full_path.status = EVENT_NONE;
	call_send(c, slot, full);
	flaws_count(c, ret);
}

#endif
