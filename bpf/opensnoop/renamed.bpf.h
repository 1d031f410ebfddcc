/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * renamed.bpf.h - the record of a delete, or of a rename: a call with a second name.
 */
#ifndef CORETAP_OPENSNOOP_RENAMED_BPF_H
#define CORETAP_OPENSNOOP_RENAMED_BPF_H

#include "opensnoop/call.bpf.h"

/* One for each function, and for the new names. */
enum {
	SLOT_UNLINK = SLOT_OPEN,
	SLOT_RMDIR = SLOT_IO,
	SLOT_RENAME = SLOT_REFUSED,
	SLOT_NEW = SLOT_KERNEL
};

#define NAME_ROOM (CALL_NAME_MAX + PATH_ROOM) /* with its directory */

/* By thread, in addition to the calls. */
CALLS(new_names, __u32, struct call, 1024);

struct rename_record {
	struct opensnoop_rename r;
	char data[2 * NAME_ROOM];
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct rename_record);
} rename_records SEC(".maps");

/* Copies a name to byte `at` of the record. Returns its length with the NUL. */
static __always_inline __u64 rename_copy(struct rename_record *to, __u64 at, struct call *c,
					 __u32 slot)
{
	struct big *b = bpf_map_lookup_elem(&bigs, &slot);
	__u64 len;

	if (!b)
		return 0;
	if (c->name_len == CALL_NAME)
		len = long_name_copy(c, b->data);
	else
		len = bpf_probe_read_kernel_str(b->data, CALL_NAME, c->name);
	asm volatile("" : "+r"(at), "+r"(len)); /* hides bounds, as in path_append */
	if (len > CALL_NAME_MAX || at > sizeof(*to) - NAME_ROOM)
		return 0;
	bpf_probe_read_kernel((char *)to + at, len, b->data);
	return len;
}

/* Appends a name and its directory to the record. Returns its new length. `slot` tells which: a global function, of
 * which there is one copy, takes only numbers. */
__attribute__((noinline)) int rename_add(__u32 slot, __u32 from)
{
	__u32 zero = 0;
	struct rename_record *to = bpf_map_lookup_elem(&rename_records, &zero);
	struct call *c = slot == SLOT_NEW ? beside_find(&new_names) : call_find();
	struct event_str *path, *full, dir;
	struct path_walk *w;
	__u64 at = from, len, slash;

	if (!to || !c)
		return from;
	path = slot == SLOT_NEW ? &to->r.new_path : &to->r.event.path;
	full = slot == SLOT_NEW ? &to->r.new_full_path : &to->r.event.full_path;
	w = want_base ? base_walk(c, slot) : NULL;
	len = rename_copy(to, at, c, slot);
	slash = c->name[0] == '/';
	*path = (struct event_str){ .off = at, .len = len ? len - 1 : 0, .status = c->name_status };
	*full = (struct event_str){ .off = at + slash,
				    .len = len > slash ? len - slash : 0,
				    .status = want_base ? c->e.full_path.status : EVENT_NONE };
	at += len;
	if (!w)
		return at;
	at = path_append(to, at, sizeof(*to), w, &dir);
	full->len += dir.len;
	full->left_out = dir.left_out;
	return at;
}

static __always_inline void also_send(struct call *c, struct call *new, __u32 slot, __s64 ret)
{
	__u32 zero = 0;
	struct rename_record *to = bpf_map_lookup_elem(&rename_records, &zero);
	struct opensnoop_event *e;
	__u64 at = sizeof(to->r);

	if (!to)
		return;
	e = &to->r.event;
	*e = c->e;
	header_fill(&e->header);
	task_fill(&e->task);
	e->ret = ret;
	if (want_details) {
		e->latency = bpf_ktime_get_ns() - c->start;
		e->uid = bpf_get_current_uid_gid();
	}
	at = rename_add(slot, at);
	if (new)
		at = rename_add(SLOT_NEW, at);
	asm volatile("" : "+r"(at));
	if (at <= sizeof(*to))
		record_output(to, at);
}

/* A rename is wanted if either name is. */
static __always_inline void also_end(struct call *c, struct call *new, __u32 slot, __s64 ret)
{
	if (filter.failed_only && ret == OPENSNOOP_NO_FD)
		return;
	if (!want_paths || path_passes(c, slot) || (new &&path_passes(new, SLOT_NEW)))
		also_send(c, new, slot, ret);
	flaws_count(c, ret);
	if (new)
		flaws_count(new, ret);
}

#endif
