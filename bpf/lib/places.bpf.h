/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * places.bpf.h - stores values for kernel objects, by address: in an array, in a slot that the address selects. A
 * hash would cost three operations of some hundred instructions each, and a copy of the value.
 *
 *	PLACES(requests, struct request_call, 14)	2^14 slots
 *	c = requests_claim(rq);		the value, to be filled in by the caller; NULL: no room, which is counted (map_full)
 *	c = requests_find(rq);		NULL: there is none
 *	requests_drop(c);
 *
 * A claimed value still contains what was there before, perhaps of the same object, if its end was not seen.
 *
 * If another object has its slot, an object tries others, at most PLACE_WAYS: when half of all are taken, one object
 * of 65,000 finds none. They are in the same map, because the verifier would follow all later code twice with a value
 * of another map.
 *
 * A slot is claimed by adding to `users`: whoever then reads 1 owns it. BPF has no exchange on 5.10. If two tasks add
 * at once, neither may read 1, and both try the next slot.
 */
#ifndef CORETAP_LIB_PLACES_BPF_H
#define CORETAP_LIB_PLACES_BPF_H

#include "lib/calls.bpf.h"
#include "lib/pointer.bpf.h"

#define PLACE_WAYS 16
#define PLACE_STEP 1031 /* distance of an object's slots: far from those of its neighbours */

static __always_inline bool place_try_claim(volatile __u64 *users)
{
	__sync_fetch_and_add(users, 1);
	if (*users == 1)
		return true;
	__sync_fetch_and_add(users, -1);
	return false;
}

#define PLACES(name, struct_, bits)                                                                        \
	struct name##_place {                                                                              \
		struct_ value; /* first, so that a pointer to it needs no arithmetic */                    \
		__u64 users, object;                                                                       \
	};                                                                                                 \
	struct {                                                                                           \
		__uint(type, BPF_MAP_TYPE_ARRAY);                                                          \
		__uint(max_entries, 1 << bits);                                                            \
		__type(key, __u32);                                                                        \
		__type(value, struct name##_place);                                                        \
	} name SEC(".maps");                                                                               \
	bool name##_moved = false; /* true once an object is in another slot than its first */             \
                                                                                                           \
	static __always_inline struct name##_place *name##_at(__u64 object, __u32 way)                     \
	{                                                                                                  \
		__u32 at = object * 0x9e3779b97f4a7c15ull >> (64 - bits);                                  \
                                                                                                           \
		at = (at + way * PLACE_STEP) & ((1 << bits) - 1);                                          \
		return bpf_map_lookup_elem(&name, &at);                                                    \
	}                                                                                                  \
	/* The other slot that an object has or claims; 0: none. Global: the kernel verifies each once. */ \
	__attribute__((noinline)) int name##_way_find(__u64 object)                                        \
	{                                                                                                  \
		for (int way = 1; way < PLACE_WAYS; way++) {                                               \
			struct name##_place *p = name##_at(object, way);                                   \
                                                                                                           \
			if (p && p->object == object)                                                      \
				return way;                                                                \
		}                                                                                          \
		return 0;                                                                                  \
	}                                                                                                  \
	__attribute__((noinline)) int name##_way_claim(__u64 object)                                       \
	{                                                                                                  \
		name##_moved = true;                                                                       \
		for (int way = 1; way < PLACE_WAYS; way++) {                                               \
			struct name##_place *p = name##_at(object, way);                                   \
                                                                                                           \
			if (p && place_try_claim(&p->users))                                               \
				return way;                                                                \
		}                                                                                          \
		loss_count(LOSS_MAP_FULL, 1);                                                              \
		return 0;                                                                                  \
	}                                                                                                  \
	static __always_inline struct name##_place *name##_place_find(__u64 object)                        \
	{                                                                                                  \
		struct name##_place *p = name##_at(object, 0);                                             \
		int way;                                                                                   \
                                                                                                           \
		if (p && p->object == object)                                                              \
			return p;                                                                          \
		if (!name##_moved)                                                                         \
			return NULL;                                                                       \
		way = name##_way_find(object);                                                             \
		return way ? name##_at(object, way) : NULL;                                                \
	}                                                                                                  \
	static __always_inline struct_ *name##_find(const void *pointer)                                   \
	{                                                                                                  \
		return (void *)name##_place_find(pointer_number(pointer));                                 \
	}                                                                                                  \
	static __always_inline struct_ *name##_claim(const void *pointer)                                  \
	{                                                                                                  \
		__u64 object = pointer_number(pointer);                                                    \
		struct name##_place *p = name##_place_find(object);                                        \
		int way;                                                                                   \
                                                                                                           \
		if (p)                                                                                     \
			return (void *)p;                                                                  \
		p = name##_at(object, 0);                                                                  \
		if (p && !place_try_claim(&p->users)) {                                                    \
			way = name##_way_claim(object);                                                    \
			p = way ? name##_at(object, way) : NULL;                                           \
		}                                                                                          \
		if (p)                                                                                     \
			p->object = object;                                                                \
		return (void *)p;                                                                          \
	}                                                                                                  \
	static __always_inline void name##_drop(struct_ *value)                                            \
	{                                                                                                  \
		struct name##_place *p = (void *)value;                                                    \
                                                                                                           \
		p->object = 0;                                                                             \
		__sync_fetch_and_add(&p->users, -1);                                                       \
	}

#endif
