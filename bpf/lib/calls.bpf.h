/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * calls.bpf.h - operations in flight: calls by thread, block requests by address. An entry waits in
 * a hash, under a key that both the start and the end know.
 *
 *	CALLS(calls, __u32, struct call, 8192);		declares the hash
 *	calls_store(&calls, &tid, &call, true);		at the start
 *	c = bpf_map_lookup_elem(&calls, &tid);		at the end; then bpf_map_delete_elem
 *	c = calls_find(&requests, rq);			by address; then calls_drop
 *
 * Three things may go wrong, and each is counted once:
 * - there is no room for an entry: map_full;
 * - the entry of a call whose end was not seen is still there when the next one starts: missed,
 *   unless the kernel counts it (as a recursion: an fexit or tp_btf program that it did not run);
 * - an end has no entry: no_entry, if calls_missing is called. It may have started before the
 *   tracing.
 */
#ifndef CORETAP_LIB_CALLS_BPF_H
#define CORETAP_LIB_CALLS_BPF_H

#include "lib/filter.bpf.h"

#define CALLS_EXIST 17 /* EEXIST */

/* No entry can be missing before the first start was seen; and after the map was full, ends without an entry have
 * been counted already. */
bool calls_begun = false, calls_overflowed = false;
/* Set by user space before it detaches the programs one by one. */
volatile bool calls_ended = false;

#define CALLS(name, key_type, value_type, entries)                                                 \
	struct {                                                                                   \
		__uint(type, BPF_MAP_TYPE_HASH);                                                   \
		__uint(max_entries, entries);                                                      \
		__type(key, key_type);                                                             \
		__type(value, value_type);                                                         \
	} name SEC(".maps")

/* Call it at each start, even if the filter rejects the call. */
static __always_inline void calls_begin(void)
{
	if (!calls_begun)
		calls_begun = true;
}

/* Finds the entry of a kernel object by its address; NULL: none. */
static __always_inline void *calls_find(void *map, const void *object)
{
	__u64 key = (__u64)object;

	return bpf_map_lookup_elem(map, &key);
}

static __always_inline void calls_drop(void *map, const void *object)
{
	__u64 key = (__u64)object;

	bpf_map_delete_elem(map, &key);
}

/* `is_counted`: count here an end that was not seen, because the kernel does not. A macro, so that it is evaluated
 * only in that case. */
#define calls_store(map, key, value, is_counted)                                                   \
	({                                                                                         \
		/* int, as the map's own function returns, which 5.10 calls without the helper */  \
		int err_ = bpf_map_update_elem(map, key, value, BPF_NOEXIST);                      \
		if (err_ == -CALLS_EXIST) {                                                        \
			if (is_counted)                                                            \
				loss_count(LOSS_MISSED, 1);                                        \
			err_ = bpf_map_update_elem(map, key, value, BPF_ANY);                      \
		}                                                                                  \
		if (err_) {                                                                        \
			calls_overflowed = true;                                                   \
			loss_count(LOSS_MAP_FULL, 1);                                              \
		}                                                                                  \
	})

/* Call it for an end without an entry: the call started before the tracing, if it was to be seen at all. */
static __always_inline void calls_missing(void)
{
	if (calls_begun && !calls_overflowed && !calls_ended && filter_pass())
		loss_count(LOSS_NO_ENTRY, 1);
}

#endif
