/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ring.c - reader of a BPF ring buffer map.
 *
 * Layout (kernel/bpf/ringbuf.c, Documentation/bpf/ringbuf.rst): page 0 has the consumer's position,
 * page 1 the producer's, then come the data, twice in a row so that a record that wraps is
 * contiguous. We map the data once and copy a wrapped record to a buffer of our own: every mapped
 * page counts as ours (RSS), and takes time at start. A record is an 8-byte header (length, flags
 * in its top bits; page offset) and its bytes, rounded up to 8.
 *
 * The kernel wakes the reader at a record that starts at the consumer's position. That never
 * happens while records arrive, because we store a position a few bytes behind the one that we have
 * reached.
 */
#include "session/ring.h"

#include <errno.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { LAG = 8 };

struct ring {
	unsigned long at;	       /* the position that we have read up to */
	unsigned long peak_from;       /* what the kernel knew of that at the last ring_peak */
	unsigned long *consumer;       /* writable page */
	const unsigned long *producer; /* read-only page, followed by the data */
	const char *data;
	size_t size; /* a power of two */
	size_t page;
	char *wrapped; /* copy of a record that wraps; as large as the largest so far */
	size_t wrapped_size;
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
	if (!r)
		return;
	if (r->producer)
		munmap((void *)r->producer, ring_mapped(r));
	if (r->consumer)
		munmap(r->consumer, r->page);
	free(r->wrapped);
	free(r);
}

/* The kernel writes the producer's position, then reads the consumer's; we do it in the opposite
 * order, so at least one side sees the other. */
bool ring_arm_wakeup(struct ring *r)
{
	__atomic_store_n(r->consumer, r->at, __ATOMIC_RELEASE);
	__sync_synchronize();
	return r->at == __atomic_load_n(r->producer, __ATOMIC_ACQUIRE);
}

/* The bytes of the record at offset `at`; NULL if out of memory. */
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

static int record_pass(struct ring *r, size_t at, size_t len, ring_fn fn, void *ctx)
{
	const char *record = record_bytes(r, at, len);

	return record ? fn(ctx, record, len) : -ENOMEM;
}

int ring_consume(struct ring *r, ring_fn fn, void *ctx)
{
	unsigned long begin = r->at, end;
	int count = 0, err = 0;

	while (!err && r->at - begin < r->size &&
	       r->at != (end = __atomic_load_n(r->producer, __ATOMIC_ACQUIRE))) {
		for (; !err && r->at != end; count++) {
			size_t head = r->at & (r->size - 1);
			uint32_t len = __atomic_load_n((const uint32_t *)(r->data + head),
						       __ATOMIC_ACQUIRE);

			if (len & BPF_RINGBUF_BUSY_BIT)
				return count;
			if (!(len & BPF_RINGBUF_DISCARD_BIT))
				err = record_pass(r, (head + BPF_RINGBUF_HDR_SZ) & (r->size - 1),
						  len, fn, ctx);
			len &= ~(uint32_t)BPF_RINGBUF_DISCARD_BIT;
			r->at += (len + BPF_RINGBUF_HDR_SZ + 7) & ~7ul;
			/* released only now: before, the kernel must not overwrite it */
			__atomic_store_n(r->consumer, r->at - LAG, __ATOMIC_RELEASE);
		}
	}
	return err < 0 ? err : count;
}

bool ring_is_crowded(const struct ring *r)
{
	return __atomic_load_n(r->producer, __ATOMIC_ACQUIRE) - r->at > r->size / 4;
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
