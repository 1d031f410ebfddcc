/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * counted.bpf.h - --count: counts opens here, by path or by process name, instead of sending them. A part of
 * call.bpf.h, which includes it after struct call.
 */
#ifndef CORETAP_OPENSNOOP_COUNTED_BPF_H
#define CORETAP_OPENSNOOP_COUNTED_BPF_H

const volatile __u32 counting = OPENSNOOP_COUNT_NONE;

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, OPENSNOOP_KEYS);
	__type(key, struct opensnoop_key);
	__type(value, __u64);
} counts SEC(".maps");

/* Where a key is built, because it is too large for the stack. By slot. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, SLOT_MAX);
	__type(key, __u32);
	__type(value, struct opensnoop_key);
} count_keys SEC(".maps");

/* True if a name of at least CALL_NAME bytes is longer than that. */
static __always_inline bool name_is_longer(const struct call *c)
{
	__u64 key = c->filename;
	struct long_name *l = bpf_map_lookup_elem(&long_names, &key);
	char last = 1;

	if (l)
		return l->bytes[CALL_NAME - 1];
	if (!key)
		bpf_probe_read_user(&last, 1, (const void *)(c->uname + CALL_NAME - 1));
	return last;
}

/* A path that is longer than a key is cut, and marked as cut: paths with the same beginning are one row. */
static __always_inline void key_path(struct opensnoop_key *key, struct call *c)
{
	key->what.status = c->name_status;
	if (c->name_status == EVENT_FAULT)
		return;
	if (c->name_len == CALL_NAME && name_is_longer(c))
		c->name_status = key->what.status = EVENT_CUT;
	key->what.len = c->name_len ? c->name_len - 1 : 0;
	bpf_probe_read_kernel_str(key->bytes, sizeof(key->bytes), c->name);
}

static __always_inline void key_comm(struct opensnoop_key *key)
{
	bpf_get_current_comm(key->bytes, EVENT_COMM_LEN);
	for (int i = 0; i < EVENT_COMM_LEN && key->bytes[i]; i++)
		key->what.len = i + 1;
}

static __always_inline void count_one(const struct opensnoop_key *key)
{
	__u64 zero = 0, *opens = bpf_map_lookup_elem(&counts, key);

	if (!opens) {
		bpf_map_update_elem(&counts, key, &zero, BPF_NOEXIST);
		opens = bpf_map_lookup_elem(&counts, key);
	}
	if (opens)
		__sync_fetch_and_add(opens, 1);
	else
		loss_count(LOSS_KEYS_FULL, 1);
}

static __always_inline void count_add(struct call *c, __s64 ret, __u32 slot)
{
	struct opensnoop_key *key = bpf_map_lookup_elem(&count_keys, &slot);

	if (!key)
		return;
	__builtin_memset(key, 0, sizeof(*key));
	key->error = ret < 0 && ret != OPENSNOOP_NO_FD ? ret : 0;
	key->what.off = offsetof(struct opensnoop_key, bytes);
	if (counting == OPENSNOOP_COUNT_PATH)
		key_path(key, c);
	else
		key_comm(key);
	count_one(key);
}

#endif
