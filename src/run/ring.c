/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ring.c - reader of a BPF ring buffer map.
 *
 * Layout (kernel/bpf/ringbuf.c, Documentation/bpf/ringbuf.rst): page 0 has the consumer's position, page 1 the
 * producer's; the data follow, mapped twice in a row so that a record that wraps is contiguous. We map the data once
 * and copy a wrapped record to our own buffer: every mapped page counts as ours (RSS) and takes time at start. A
 * record is an 8-byte header (length, flags in its top bits; page offset) and its bytes, rounded up to 8.
 *
 * The kernel wakes the reader at a record that starts at the consumer's position. That never happens while records
 * arrive, because we store a position a few bytes before the one that we have reached.
 *
 * Order: records are scanned as soon as they are committed, and stay in the ring until they are old enough. A record
 * that is earlier than the latest time before it is late: it is copied (late.h) and delivered in its turn; the others
 * are already in order. Delivering recognizes late records by the same comparison, so nothing needs to be marked.
 */
#include "run/ring.h"

#include <errno.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "run/late.h"

enum { LAG = 8 };

struct ring {
	unsigned long at;	 /* the position that we have delivered up to */
	unsigned long peak_from; /* the kernel's view of `at` at the last ring_peak */
	unsigned long *consumer; /* the writable page with the consumer's position */
	/* the read-only page with the producer's position, followed by the data */
	const unsigned long *producer;
	const char *data;
	size_t size; /* bytes; a power of two */
	size_t page;
	char *wrapped; /* a copy of a record that wraps; as large as the largest so far */
	size_t wrapped_size;

	bool is_ordered;
	ring_time_fn time;  /* NULL: the time is in a record's first 8 bytes */
	unsigned long seen; /* the position scanned up to */
	uint64_t seen_time; /* the latest time up to `seen` */
	uint64_t at_time;   /* the latest time up to `at` */
	uint64_t late_time; /* the latest time of late records that were delivered in order */
	struct late late;
	uint64_t disordered;
};

static size_t ring_mapped(const struct ring *r)
{
	return r->page + r->size;
}

int ring_open(struct ring **out, int map_fd, size_t size)
{
	struct ring *r = calloc(1, sizeof(*r));
	void *p;

	if (!r)
		return -ENOMEM;
	r->page = sysconf(_SC_PAGESIZE);
	r->size = size;
	p = mmap(NULL, r->page, PROT_READ | PROT_WRITE, MAP_SHARED, map_fd, 0);
	if (p == MAP_FAILED)
		goto err;
	r->consumer = p;
	p = mmap(NULL, ring_mapped(r), PROT_READ, MAP_SHARED, map_fd, r->page);
	if (p == MAP_FAILED)
		goto err;
	r->producer = p;
	r->data = (const char *)p + r->page;
	*out = r;
	return 0;
err:
	p = (void *)(long)-errno;
	ring_close(r);
	return (int)(long)p;
}

void ring_close(struct ring *r)
{
	if (r->producer)
		munmap((void *)r->producer, ring_mapped(r));
	if (r->consumer)
		munmap(r->consumer, r->page);
	late_free(&r->late);
	free(r->wrapped);
	free(r);
}

void ring_order(struct ring *r, ring_time_fn time)
{
	r->is_ordered = true;
	r->time = time;
}

/* The kernel writes the producer's position, then reads the consumer's. We do it in the opposite order, so at least
 * one side sees the other. */
bool ring_arm_wakeup(struct ring *r)
{
	__atomic_store_n(r->consumer, r->at, __ATOMIC_RELEASE);
	__sync_synchronize();
	return r->at == __atomic_load_n(r->producer, __ATOMIC_ACQUIRE);
}

/* Returns the bytes of the record at offset `at`; NULL if out of memory. */
static const char *record_bytes(struct ring *r, size_t at, size_t len)
{
	size_t first = r->size - at;

	if (len <= first)
		return r->data + at;
	if (len > r->wrapped_size) {
		char *bigger = realloc(r->wrapped, len);

		if (!bigger)
			return NULL;
		r->wrapped = bigger;
		r->wrapped_size = len;
	}
	memcpy(r->wrapped, r->data + at, first);
	memcpy(r->wrapped + first, r->data, len - first);
	return r->wrapped;
}

/* For functions that run for each record. */
#define INLINE inline __attribute__((always_inline))

static INLINE uint32_t len_load(const char *head)
{
	return __atomic_load_n((const uint32_t *)head, __ATOMIC_ACQUIRE);
}

/* Returns the distance to the next record. */
static INLINE unsigned long record_room(uint32_t len)
{
	return ((len & ~BPF_RINGBUF_DISCARD_BIT) + BPF_RINGBUF_HDR_SZ + 7) & ~7ul;
}

/* Moves past a record only after it was delivered: before, the kernel must not overwrite it. */
static INLINE void advance(struct ring *r, unsigned long at)
{
	r->at = at;
	__atomic_store_n(r->consumer, at - LAG, __ATOMIC_RELEASE);
}

/* The state of one call of ring_consume. */
struct pass {
	uint64_t until;
	size_t most; /* bytes that may stay in the ring */
	ring_fn fn;
	void *ctx;
	int count, err;
};

static INLINE int record_deliver(struct ring *r, const struct pass *p, unsigned long at,
				 uint32_t len)
{
	const char *record = record_bytes(r, (at + BPF_RINGBUF_HDR_SZ) & (r->size - 1), len);

	return record ? p->fn(p->ctx, record, len) : -ENOMEM;
}

/* Delivers records in the order of the ring. */
static void deliver_all(struct ring *r, struct pass *p, unsigned long end)
{
	const char *const data = r->data;
	const size_t mask = r->size - 1;
	unsigned long at = r->at;
	int count = 0, err = 0;

	for (; !err && at != end; count++) {
		uint32_t len = len_load(data + (at & mask));

		if (len & BPF_RINGBUF_BUSY_BIT)
			break;
		if (!(len & BPF_RINGBUF_DISCARD_BIT))
			err = record_deliver(r, p, at, len);
		advance(r, at += record_room(len));
	}
	p->count += count;
	p->err = err;
}

/* ---- in order of time ---- */

static __attribute__((noinline)) uint64_t time_by_callback(struct ring *r, size_t at, uint32_t len)
{
	const char *record = record_bytes(r, at, len);

	return record ? r->time(record, len) : 0;
}

/* The first 8 bytes of a record never wrap. `at` is the offset of its bytes. */
static INLINE uint64_t time_of(struct ring *r, const char *data, size_t at, uint32_t len)
{
	return r->time ? time_by_callback(r, at, len) : *(const uint64_t *)(data + at);
}

static __attribute__((noinline)) int late_copy(struct ring *r, size_t at, uint32_t len,
					       uint64_t time)
{
	const char *record = record_bytes(r, at, len);

	return record ? late_add(&r->late, time, record, len) : -ENOMEM;
}

/* Scans what was committed since the last call, up to `end`, and copies late records. */
static int scan_ahead(struct ring *r, unsigned long end)
{
	const char *const data = r->data;
	const size_t mask = r->size - 1;
	unsigned long at = r->seen;
	uint64_t latest = r->seen_time;
	int err = 0;

	while (!err && at != end) {
		uint32_t len = len_load(data + (at & mask));
		uint64_t time = 0;

		if (len & BPF_RINGBUF_BUSY_BIT)
			break;
		if (!(len & BPF_RINGBUF_DISCARD_BIT))
			time = time_of(r, data, (at + BPF_RINGBUF_HDR_SZ) & mask, len);
		if (time >= latest)
			latest = time;
		else if (time)
			err = late_copy(r, (at + BPF_RINGBUF_HDR_SZ) & mask, len, time);
		at += record_room(len);
	}
	r->seen = at;
	r->seen_time = latest;
	return err;
}

/* Delivers the late records of times before `before`. */
static __attribute__((noinline)) void late_deliver(struct ring *r, struct pass *p, uint64_t before)
{
	const struct late_record *l;

	while (!p->err && (l = late_first(&r->late)) && l->time < before) {
		if (l->time < r->at_time || l->time < r->late_time)
			r->disordered++;
		else
			r->late_time = l->time;
		p->err = p->fn(p->ctx, l->bytes, l->size);
		p->count++;
		late_drop(&r->late);
	}
}

/* True if a record at `at` that is not late may be delivered now; delivers the late ones before it. False if it is
 * too young. */
static INLINE bool may_deliver(struct ring *r, struct pass *p, unsigned long at, uint64_t time)
{
	if (time > p->until && r->seen - at <= p->most)
		return false;
	if (late_first(&r->late))
		late_deliver(r, p, time);
	return !p->err;
}

/* Delivers what was scanned and is old enough. */
static void deliver_ordered(struct ring *r, struct pass *p)
{
	const char *const data = r->data;
	const size_t mask = r->size - 1;
	unsigned long at = r->at;

	while (!p->err && at != r->seen) {
		uint32_t len = len_load(data + (at & mask));
		bool is_late = false;

		if (!(len & BPF_RINGBUF_DISCARD_BIT)) {
			uint64_t time = time_of(r, data, (at + BPF_RINGBUF_HDR_SZ) & mask, len);

			is_late = time && time < r->at_time;
			if (time >= r->at_time) {
				if (!may_deliver(r, p, at, time))
					break;
				r->at_time = time;
			}
			if (!is_late)
				p->err = record_deliver(r, p, at, len);
		}
		p->count += !is_late;
		advance(r, at += record_room(len));
	}
	/* also deliver late records that have missed their turn */
	if (late_first(&r->late))
		late_deliver(r, p, 1 + (p->until < r->at_time ? r->at_time : p->until));
}

int ring_consume(struct ring *r, uint64_t until, ring_fn fn, void *ctx)
{
	struct pass p = { .until = until,
			  .most = r->size / 4 < RING_HELD ? r->size / 4 : RING_HELD,
			  .fn = fn,
			  .ctx = ctx };
	unsigned long begin = r->at, from;

	do {
		unsigned long end = __atomic_load_n(r->producer, __ATOMIC_ACQUIRE);

		from = r->at;
		if (!r->is_ordered) {
			deliver_all(r, &p, end);
			continue;
		}
		p.err = scan_ahead(r, end);
		if (!p.err)
			deliver_ordered(r, &p);
	} while (!p.err && r->at != from && r->at - begin < r->size);
	return p.err < 0 ? p.err : p.count;
}

uint64_t ring_unread(const struct ring *r)
{
	unsigned long end = __atomic_load_n(r->producer, __ATOMIC_ACQUIRE);
	uint64_t count = 0;
	uint32_t len;

	for (unsigned long at = r->at; at != end; at += record_room(len & ~BPF_RINGBUF_BUSY_BIT)) {
		len = len_load(r->data + (at & (r->size - 1)));
		count += !(len & BPF_RINGBUF_DISCARD_BIT);
	}
	return count;
}

bool ring_is_holding(const struct ring *r)
{
	return r->is_ordered && r->seen != r->at;
}

uint64_t ring_disordered(const struct ring *r)
{
	return r->disordered;
}

bool ring_is_crowded(const struct ring *r)
{
	return __atomic_load_n(r->producer, __ATOMIC_ACQUIRE) - r->at > r->size / 4;
}

bool ring_fits(const struct ring *r)
{
	return (r->at > r->seen ? r->at : r->seen) <= r->size / 2;
}

bool ring_is_empty(const struct ring *r)
{
	return __atomic_load_n(r->producer, __ATOMIC_ACQUIRE) == r->at;
}

size_t ring_peak(struct ring *r)
{
	unsigned long from = r->peak_from;

	r->peak_from = __atomic_load_n(r->consumer, __ATOMIC_RELAXED);
	return __atomic_load_n(r->producer, __ATOMIC_ACQUIRE) - from;
}
