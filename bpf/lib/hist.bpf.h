/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * hist.bpf.h - histograms by powers of two, one per key, in the form that output/field/hist.h shows.
 *
 *	HIST(latencies, struct x_key, 1024);
 *	hist_add(&latencies, &key, ns);
 */
#ifndef CORETAP_LIB_HIST_BPF_H
#define CORETAP_LIB_HIST_BPF_H

#include "lib/lost.bpf.h"

struct hist {
	__u64 buckets[EVENT_HIST_BUCKETS];
};

/* Never written: the initial value of each histogram. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct hist);
} hist_blank SEC(".maps");

#define HIST(name, key_type, entries)                                                              \
	struct {                                                                                   \
		__uint(type, BPF_MAP_TYPE_HASH);                                                   \
		__uint(max_entries, entries);                                                      \
		__type(key, key_type);                                                             \
		__type(value, struct hist);                                                        \
	} name SEC(".maps")

static __always_inline __u32 log2_of(__u64 value)
{
	__u32 n = 0;

	for (__u32 shift = 32; shift; shift /= 2) {
		if (value >> shift) {
			value >>= shift;
			n += shift;
		}
	}
	return n;
}

/* Bucket 0 is for values below 0, 1 is for 0, 2 + n starts at 2^n. */
static __always_inline __u32 hist_bucket(__u64 value)
{
	return value ? 2 + log2_of(value) : 1;
}

static __always_inline struct hist *hist_find(void *map, const void *key)
{
	struct hist *h = bpf_map_lookup_elem(map, key);
	__u32 zero = 0;

	if (h)
		return h;
	h = bpf_map_lookup_elem(&hist_blank, &zero);
	if (h) /* another CPU may have added it first */
		bpf_map_update_elem(map, key, h, BPF_NOEXIST);
	return bpf_map_lookup_elem(map, key);
}

static __always_inline void hist_add(void *map, const void *key, __u64 value)
{
	struct hist *h = hist_find(map, key);
	__u32 i = hist_bucket(value);

	if (!h)
		loss_count(LOSS_KEYS_FULL, 1);
	else if (i < EVENT_HIST_BUCKETS)
		__sync_fetch_and_add(&h->buckets[i], 1);
}

#endif
