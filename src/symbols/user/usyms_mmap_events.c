/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * usyms_mmap_events.c - reads perf's side-band records of all CPUs, in order of time.
 *
 * A process may exit before its first stack is read, and its /proc entry with it: its mappings must be recorded when
 * it creates them. A dummy event counts nothing and adds cost only to such calls. Each CPU has a ring, and a process
 * may move between CPUs, so records are sorted by time.
 */
#include "symbols/user/usyms_maps.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "kernel/processors.h"
#include "symbols/user/usyms.h"
#include "util/array.h"
#include "util/clock.h"
#include "util/log.h"

enum {
	RING_BYTES = 64 << 10,	   /* per CPU: about 500 mappings between two reads */
	RECORD_BYTES = 4096 + 256, /* bytes of the largest record, with its path */
	LOOK_NS = 100000000,	   /* time between checks for new processors */
};

struct watch_ring {
	int fd, cpu;
	struct perf_event_mmap_page *page; /* the ring follows this page */
};

/* A copy of one record. Its last 8 bytes are the time. */
struct watch_record {
	uint64_t time;
	struct perf_event_header *head;
};

struct mmap2_record {
	struct perf_event_header head;
	uint32_t pid, tid;
	uint64_t start, size, offset;
	uint32_t major, minor;
	uint64_t inode, generation;
	uint32_t prot, flags;
	char path[];
};

struct comm_record {
	struct perf_event_header head;
	uint32_t pid, tid;
};

struct fork_record {
	struct perf_event_header head;
	uint32_t pid, parent, tid, parent_tid;
};

struct lost_record {
	struct perf_event_header head;
	uint64_t id, count;
};

static struct watch_ring *rings;
static size_t ring_count;
static struct processors known; /* processors for which rings are open, or were */

/* ---- opening ---- */

static int ring_open(struct watch_ring *r, int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.sample_type = PERF_SAMPLE_TIME,
		.sample_id_all = 1,
		.mmap = 1,
		.mmap2 = 1,
		.comm = 1,
		.comm_exec = 1,
		.task = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC, /* makes times comparable between CPUs */
	};
	void *page;

	r->cpu = cpu;
	r->fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	if (r->fd < 0)
		return -errno;
	page = mmap(NULL, getpagesize() + RING_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, r->fd, 0);
	if (page != MAP_FAILED) {
		r->page = page;
		return 0;
	}
	close(r->fd);
	return -ENOMEM;
}

static void ring_close(struct watch_ring *r)
{
	munmap(r->page, getpagesize() + RING_BYTES);
	close(r->fd);
}

static void rings_close(void)
{
	for (size_t i = 0; i < ring_count; i++)
		ring_close(&rings[i]);
	free(rings);
	rings = NULL;
	ring_count = 0;
}

/* Reopens the event of a processor: the kernel removed it when the processor went offline. Reads the old ring first. */
static int ring_reopen(int cpu)
{
	struct watch_ring fresh, *larger;
	int err = ring_open(&fresh, cpu);

	if (err)
		return err;
	for (size_t i = 0; i < ring_count; i++) {
		if (rings[i].cpu != cpu)
			continue;
		ring_close(&rings[i]);
		rings[i] = fresh;
		return 0;
	}
	larger = realloc(rings, (ring_count + 1) * sizeof(*rings));
	if (!larger) {
		ring_close(&fresh);
		return -ENOMEM;
	}
	rings = larger;
	rings[ring_count++] = fresh;
	return 0;
}

static int processor_note(void *ctx, int cpu)
{
	(void)ctx, (void)cpu;
	return 0;
}

/* A processor that is offline, or on its way, has no events: processors_watch opens them when it has come. */
int usyms_watch(void)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	int err = 0;

	rings = calloc(cpus, sizeof(*rings));
	if (!rings)
		return -ENOMEM;
	processors_poll(&known, processor_note, NULL);
	for (long cpu = 0; cpu < cpus && (!err || err == -ENODEV); cpu++) {
		err = ring_open(&rings[ring_count], cpu);
		ring_count += !err;
		if (err == -ENODEV && cpu < PROCESSORS_MAX)
			known.online[cpu] = false;
	}
	if (err == -ENODEV && ring_count)
		err = 0;
	if (err)
		rings_close();
	return err;
}

/* ---- reading ---- */

struct batch {
	struct watch_record *records;
	size_t count, room;
};

static int batch_add(struct batch *b, const char *ring, uint64_t at, size_t size)
{
	size_t begin = at & (RING_BYTES - 1), first = RING_BYTES - begin;
	struct watch_record *r;

	if (!ARRAY_RESERVE(b->records, b->count, b->room, 256))
		return -ENOMEM;
	r = &b->records[b->count];
	r->head = malloc(size);
	if (!r->head)
		return -ENOMEM;
	first = first < size ? first : size;
	memcpy(r->head, ring + begin, first);
	memcpy((char *)r->head + first, ring, size - first);
	memcpy(&r->time, (char *)r->head + size - sizeof(r->time), sizeof(r->time));
	b->count++;
	return 0;
}

/* Reads a ring. A header never wraps: record sizes are multiples of its 8 bytes. Returns true if the ring was nearly
 * full, so that records may be lost: the kernel reports losses only before the next record. */
static bool ring_read(struct watch_ring *r, struct batch *b)
{
	const char *ring = (const char *)r->page + getpagesize();
	uint64_t head = __atomic_load_n(&r->page->data_head, __ATOMIC_ACQUIRE);
	uint64_t at = r->page->data_tail;
	bool was_full = head - at > RING_BYTES - RECORD_BYTES;
	struct perf_event_header h;

	while (at < head) {
		memcpy(&h, ring + (at & (RING_BYTES - 1)), sizeof(h));
		if (h.size < sizeof(h) + sizeof(uint64_t) || batch_add(b, ring, at, h.size))
			break;
		at += h.size;
	}
	__atomic_store_n(&r->page->data_tail, head, __ATOMIC_RELEASE);
	return was_full || at < head;
}

static int record_compare(const void *one, const void *other)
{
	const struct watch_record *a = one, *b = other;

	return a->time < b->time ? -1 : a->time > b->time;
}

static void record_report(const struct perf_event_header *head, const struct watch_calls *calls)
{
	const struct mmap2_record *m = (const void *)head;
	const struct comm_record *c = (const void *)head;
	const struct fork_record *f = (const void *)head;
	const struct lost_record *l = (const void *)head;

	switch (head->type) {
	case PERF_RECORD_MMAP2:
		calls->mapped(m->pid, m->start, m->start + m->size, m->offset, m->major, m->minor,
			      m->inode, m->path);
		break;
	case PERF_RECORD_COMM:
		if (head->misc & PERF_RECORD_MISC_COMM_EXEC)
			calls->executed(c->pid);
		break;
	case PERF_RECORD_FORK:
		if (f->pid != f->parent) /* a process, not just a thread */
			calls->forked(f->parent, f->pid);
		break;
	case PERF_RECORD_LOST: calls->lost(l->count); break;
	}
}

/* Mappings created there while it had no event were not recorded. */
static int processor_came(void *ctx, int cpu)
{
	const struct watch_calls *calls = ctx;
	int err = ring_reopen(cpu);

	if (err == -ENODEV)
		return err;
	if (err)
		log_note(
			"processor %d came online and cannot be watched (%s): functions of processes that end soon may be shown "
			"as addresses",
			cpu, strerror(-err));
	else
		log_debug(1, "processor %d came online: what processes map there is recorded", cpu);
	calls->lost(0);
	return err;
}

/* Must be called after the rings were read. */
static void processors_watch(const struct watch_calls *calls)
{
	static uint64_t next;
	uint64_t now = now_ns();

	if (!ring_count || now < next)
		return;
	next = now + LOOK_NS;
	processors_poll(&known, processor_came, (void *)calls);
}

static void rings_read(const struct watch_calls *calls)
{
	struct batch b = { 0 };
	bool lost = false;

	for (size_t i = 0; i < ring_count; i++)
		lost |= ring_read(&rings[i], &b);
	if (b.count)
		qsort(b.records, b.count, sizeof(*b.records), record_compare);
	for (size_t i = 0; i < b.count; i++) {
		record_report(b.records[i].head, calls);
		free(b.records[i].head);
	}
	free(b.records);
	if (lost)
		calls->lost(0);
}

void usyms_watch_read(const struct watch_calls *calls)
{
	rings_read(calls);
	processors_watch(calls);
}
