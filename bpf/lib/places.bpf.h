/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * places.bpf.h - what is kept for objects of the kernel, by their addresses: in an array, at a place that the address
 * tells, or in a hash beside it while another object has that place. An array costs no calls; a hash costs three
 * operations, of some hundred instructions each, and a copy of the value.
 *
 *	PLACES(requests, struct request_call, 12, 16384);	2^12 places, and 16384 entries beside
 *	c = requests_keep(rq);		the value, to be filled in by the caller; NULL: no room, which is counted (map_full)
 *	c = requests_find(rq);		NULL: there is none
 *	requests_drop(c, rq);
 *
 * A value holds what was there before, perhaps of the same object, whose end was not seen.
 *
 * A place is claimed by adding to `users`: who then reads 1 has it. BPF has no exchange on 5.10. If two add at
 * once, neither may read 1, and both go beside.
 */
#ifndef CORETAP_LIB_PLACES_BPF_H
#define CORETAP_LIB_PLACES_BPF_H

#include "lib/calls.bpf.h"
#include "lib/pointer.bpf.h"

#define PLACES(name, struct_, bits, beside)                                                        \
	struct name##_place {                                                                      \
		struct_ value; /* first, so that a pointer to it needs no arithmetic */            \
		__u64 users, object;                                                               \
	};                                                                                         \
	static const struct name##_place name##_empty = {};                                        \
	struct {                                                                                   \
		__uint(type, BPF_MAP_TYPE_ARRAY);                                                  \
		__uint(max_entries, 1 << bits);                                                    \
		__type(key, __u32);                                                                \
		__type(value, struct name##_place);                                                \
	} name SEC(".maps");                                                                       \
	CALLS(name##_beside, __u64, struct name##_place, beside);                                  \
	bool name##_are_beside = false; /* any was: else nothing is looked for there */            \
                                                                                                   \
	static __always_inline struct name##_place *name##_at(__u64 object)                        \
	{                                                                                          \
		__u32 at = object * 0x9e3779b97f4a7c15ull >> (64 - bits);                          \
		return bpf_map_lookup_elem(&name, &at);                                            \
	}                                                                                          \
	static __always_inline struct_ *name##_find(const void *pointer)                           \
	{                                                                                          \
		__u64 object = pointer_number(pointer);                                            \
		struct name##_place *p = name##_at(object);                                        \
		if (p && p->object == object)                                                      \
			return (void *)p;                                                          \
		return name##_are_beside ? bpf_map_lookup_elem(&name##_beside, &object) : NULL;    \
	}                                                                                          \
	/* Not inlined: two objects seldom have the same place. */                                 \
	static __noinline struct name##_place *name##_keep_slow(__u64 object)                      \
	{                                                                                          \
		struct name##_place *p = name##_at(object);                                        \
		if (p && place_take(&p->users)) {                                                  \
			/* of a life whose end was not seen */                                     \
			bpf_map_delete_elem(&name##_beside, &object);                              \
			p->object = object;                                                        \
			return p;                                                                  \
		}                                                                                  \
		name##_are_beside = true;                                                          \
		if (bpf_map_update_elem(&name##_beside, &object, &name##_empty, BPF_ANY))          \
			loss_count(LOSS_MAP_FULL, 1);                                              \
		return bpf_map_lookup_elem(&name##_beside, &object);                               \
	}                                                                                          \
	static __always_inline struct_ *name##_keep(const void *pointer)                           \
	{                                                                                          \
		__u64 object = pointer_number(pointer);                                            \
		struct name##_place *p = name##_at(object);                                        \
		if (p && p->object == object)                                                      \
			return (void *)p;                                                          \
		if (!p || name##_are_beside || !place_take(&p->users))                             \
			return (void *)name##_keep_slow(object);                                   \
		p->object = object;                                                                \
		return (void *)p;                                                                  \
	}                                                                                          \
	static __always_inline void name##_drop(struct_ *value, const void *pointer)               \
	{                                                                                          \
		struct name##_place *p = (void *)value;                                            \
		__u64 object = pointer_number(pointer);                                            \
		if (!p->users) {                                                                   \
			bpf_map_delete_elem(&name##_beside, &object);                              \
			return;                                                                    \
		}                                                                                  \
		p->object = 0;                                                                     \
		__sync_fetch_and_add(&p->users, -1);                                               \
	}

static __always_inline bool place_take(volatile __u64 *users)
{
	__sync_fetch_and_add(users, 1);
	if (*users == 1)
		return true;
	__sync_fetch_and_add(users, -1);
	return false;
}

#endif
