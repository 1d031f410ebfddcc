/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * places.bpf.h - calls in flight: an array, in which a thread's id selects the slot. A part of call.bpf.h, which
 * includes it after struct call.
 *
 * A hash would cost each open three operations and a copy of the call. A thread whose slot is taken tries others, at
 * most PLACE_WAYS; because ids are assigned in order, that is rare. A call whose thread finds all of its slots taken
 * is lost, and counted (map_full).
 *
 * A slot is claimed by adding to `users`: whoever then reads 1 owns it. BPF has no exchange on 5.10. If two tasks add
 * at once, neither may read 1, and both try the next slot. Only the thread itself ever sets or clears its id as the
 * owner.
 */
#ifndef CORETAP_OPENSNOOP_PLACES_BPF_H
#define CORETAP_OPENSNOOP_PLACES_BPF_H

#define PLACES	   8192 /* a power of two */
#define PLACE_WAYS 8
#define PLACE_STEP 1031 /* distance of a thread's slots: far from those of its neighbours */

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, PLACES);
	__type(key, __u32);
	__type(value, struct call);
} places SEC(".maps");

/* True once some thread's first slot was taken: from then on a call that is not in its first slot may be in another. */
bool places_moved = false;

static __always_inline struct call *place_at(__u32 tid, __u32 way)
{
	__u32 at = (tid + way * PLACE_STEP) & (PLACES - 1);

	return bpf_map_lookup_elem(&places, &at);
}

static __always_inline bool place_try_claim(struct call *c)
{
	volatile __u64 *users = &c->users;

	__sync_fetch_and_add(users, 1);
	if (*users == 1)
		return true;
	__sync_fetch_and_add(users, -1);
	return false;
}

/* Returns which of its other slots a thread owns; 0: none but perhaps the first. Global functions: see path_batch. */
__attribute__((noinline)) int place_way_find(__u32 tid)
{
	for (int way = 1; way < PLACE_WAYS; way++) {
		struct call *c = place_at(tid, way);

		if (c && c->owner == tid)
			return way;
	}
	return 0;
}

__attribute__((noinline)) int place_way_claim(__u32 tid)
{
	places_moved = true;
	for (int way = 1; way < PLACE_WAYS; way++) {
		struct call *c = place_at(tid, way);

		if (c && place_try_claim(c))
			return way;
	}
	return 0;
}

static __always_inline struct call *place_find(__u32 tid)
{
	struct call *c = place_at(tid, 0);
	int way;

	if (c && c->owner == tid)
		return c;
	if (!places_moved)
		return NULL;
	way = place_way_find(tid);
	return way ? place_at(tid, way) : NULL;
}

static __always_inline struct call *place_claim(__u32 tid)
{
	struct call *c = place_at(tid, 0);

	if (c && !place_try_claim(c)) {
		int way = place_way_claim(tid);

		c = way ? place_at(tid, way) : NULL;
	}
	if (c) {
		c->owner = tid;
	} else {
		calls_overflowed = true;
		loss_count(LOSS_MAP_FULL, 1);
	}
	return c;
}

static __always_inline void place_release(struct call *c)
{
	c->owner = 0;
	__sync_fetch_and_add(&c->users, -1);
}

#endif
