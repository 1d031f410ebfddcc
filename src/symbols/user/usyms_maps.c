/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * usyms_maps.c - executable mappings of processes, from /proc and from perf's records.
 *
 * A process may create any number of mappings, so those stored per process and in total are bounded; the oldest are
 * dropped first. Maps change (dlopen, exec, a reused pid), so /proc is read again when an address is in no mapping,
 * or when the maps are a second old. After a process has exited, its last known maps stay. Stacks that are counted are
 * looked up at the end, so the mappings from before an exec, or of the process that had the pid before, also stay; where
 * both programs have code at an address (they are not PIE), the last one's name is shown, and a note says so.
 */
#include "symbols/user/usyms_maps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "symbols/user/usyms.h"
#include "util/array.h"
#include "util/clock.h"
#include "util/log.h"

enum {
	PROCESSES_MAX = 512, /* the least recently used are dropped */
	/* of all processes; those of the least recently used are dropped */
	MAPPINGS_MAX = 64 << 10,
	PROCESS_MAPPINGS_MAX = 4096, /* of one process; the oldest are dropped */
	MAPS_FRESH_NS = 1000000000,  /* maps are read again after this time */
	MAPS_MISS_NS = 10000000,     /* the same if an address is in no mapping */
	/* the next read waits this many times as long as the last one took */
	READ_FACTOR = 8,
};

struct process {
	struct process *next;
	uint32_t pid;
	uint64_t read_ns, took_ns; /* when maps were read, and how long that took */
	struct mapping *mappings;  /* the oldest first */
	size_t former;		   /* how many of them are of programs that it no longer executes */
	size_t count, room;
};

static struct process *processes; /* the most recently used first */
static size_t mapping_count;	  /* of all processes */

/* ---- mappings ---- */

/* Drops the mappings, from `first` on, for which `keep` returns false. */
static void mappings_filter(struct process *p, size_t first,
			    bool (*keep)(const struct mapping *m, const void *ctx), const void *ctx)
{
	size_t kept = first, former = p->former;

	for (size_t i = first; i < p->count; i++)
		if (keep(&p->mappings[i], ctx))
			p->mappings[kept++] = p->mappings[i];
		else
			p->former -= i < former;
	mapping_count -= p->count - kept;
	p->count = kept;
}

static bool is_not_inside(const struct mapping *m, const void *ctx)
{
	const struct mapping *other = ctx;

	return m->start < other->start || m->end > other->end;
}

static bool is_remembered(const struct mapping *m, const void *ctx)
{
	(void)ctx;
	return !m->file->forgotten;
}

static void too_many_report(uint32_t pid)
{
	static bool told;

	if (!told)
		log_note(
			"process %u has more than %d executable mappings: functions in some of them are "
			"shown as addresses",
			pid, PROCESS_MAPPINGS_MAX);
	told = true;
}

/* munmap is not reported, so the oldest mappings are the most likely to be gone. */
static void oldest_forget(struct process *p)
{
	size_t half = PROCESS_MAPPINGS_MAX / 2;

	if (p->former < half)
		too_many_report(p->pid);
	memmove(p->mappings, p->mappings + half, (p->count - half) * sizeof(*p->mappings));
	p->former -= p->former < half ? p->former : half;
	p->count -= half;
	mapping_count -= half;
}

/* Adds a mapping and drops those that it covers. Those that it covers in part stay: the search starts from the end,
 * so it finds the newest first. */
static void mapping_add(struct process *p, const struct mapping *m)
{
	if (!m->file)
		return;
	if (p->count == PROCESS_MAPPINGS_MAX)
		oldest_forget(p);
	if (!ARRAY_RESERVE(p->mappings, p->count, p->room, 16))
		return;
	p->mappings[p->count++] = *m;
	mapping_count++;
}

/* Searches those before `count`. A linear search suffices: processes have tens of executable mappings. */
static const struct mapping *mapping_search(const struct process *p, size_t count, uint64_t address)
{
	for (size_t i = count; i--;)
		if (address >= p->mappings[i].start && address < p->mappings[i].end)
			return &p->mappings[i];
	return NULL;
}

/* ---- processes ---- */

static void mappings_free(struct process *p)
{
	mapping_count -= p->count;
	free(p->mappings);
	p->mappings = NULL;
	p->former = p->count = p->room = 0;
}

/* Removes the process from the list and returns it. If it is unknown, returns a new one or, at the limit, the least
 * recently used. */
static struct process *process_find(uint32_t pid)
{
	struct process **link = &processes, *p;
	size_t seen = 1;

	while (*link && (*link)->pid != pid && ((*link)->next || seen < PROCESSES_MAX)) {
		link = &(*link)->next;
		seen++;
	}
	p = *link;
	if (p)
		*link = p->next;
	else
		p = calloc(1, sizeof(*p));
	if (!p || p->pid == pid)
		return p;
	mappings_free(p);
	*p = (struct process){ 0 };
	return p;
}

static struct process *process_get(uint32_t pid)
{
	struct process *p = processes;

	if (p && p->pid == pid)
		return p;
	p = process_find(pid);
	if (!p)
		return NULL;
	p->pid = pid;
	p->next = processes;
	return processes = p;
}

/* Above the limits, drops the mappings of the least recently used processes, or those of forgotten files. Must not be
 * called while a mapping is in use. */
static void bounds_enforce(void)
{
	size_t kept = 0;

	if (mapping_count > MAPPINGS_MAX)
		for (struct process *p = processes; p; p = p->next) {
			kept += p->count;
			if (kept > MAPPINGS_MAX / 2 && p != processes)
				mappings_free(p);
		}
	if (!files_forget())
		return;
	for (struct process *p = processes; p; p = p->next)
		mappings_filter(p, 0, is_remembered, NULL);
	files_free_forgotten();
}

/* ---- /proc/PID/maps ---- */

/* Returns false if out of memory. */
static bool line_add(struct process *p, char *line)
{
	struct mapping_line l;
	struct mapping m;

	if (!mapping_line_parse(line, &l) || !l.executable || !*l.path)
		return true;
	if (p->count == PROCESS_MAPPINGS_MAX) {
		too_many_report(p->pid);
		return false;
	}
	m = (struct mapping){ l.start, l.end, l.offset,
			      file_get(l.major, l.minor, l.inode, l.path) };
	mapping_add(p, &m);
	return true;
}

/* Reads the lines. If the process exits meanwhile, the file ends early: it was complete only if it can still be
 * read. */
static bool lines_read(struct process *p)
{
	char path[32], *line = NULL;
	size_t size = 0;
	bool is_whole;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%u/maps", p->pid);
	f = fopen(path, "re");
	if (!f)
		return false;
	while (getline(&line, &size, f) > 0 && line_add(p, line))
		;
	is_whole = !fseek(f, 0, SEEK_SET) && fgetc(f) != EOF;
	free(line);
	fclose(f);
	return is_whole;
}

/* Reads /proc/PID/maps. A process that has exited has no mappings, even if its parent has not waited for it yet: then
 * the known ones stay, and false is returned. */
static bool maps_read(struct process *p, uint64_t when)
{
	struct process now = { .next = p->next, .pid = p->pid, .read_ns = when };
	uint64_t began = now_ns();
	bool is_whole;

	for (size_t i = 0; i < p->former; i++)
		mapping_add(&now, &p->mappings[i]);
	now.former = now.count;
	is_whole = lines_read(&now);
	p->read_ns = when;
	p->took_ns = now.took_ns = now_ns() - began;
	if (now.count == now.former || (!is_whole && p->count > p->former)) {
		mappings_free(&now);
		return false;
	}
	mappings_free(p);
	*p = now;
	return true;
}

/* ---- events of watched processes ---- */

static void (*mapped_notify)(uint32_t pid, uint64_t inode, const char *path);
static void (*forked_notify)(uint32_t parent, uint32_t child);

void usyms_mapped_notify(void (*mapped)(uint32_t pid, uint64_t inode, const char *path),
			 void (*forked)(uint32_t parent, uint32_t child))
{
	mapped_notify = mapped;
	forked_notify = forked;
}

static void process_mapped(uint32_t pid, uint64_t start, uint64_t end, uint64_t offset,
			   unsigned major, unsigned minor, uint64_t inode, const char *path)
{
	struct process *p = process_get(pid);
	struct mapping m = { .start = start, .end = end, .offset = offset };

	if (mapped_notify)
		mapped_notify(pid, inode, path);
	if (!p)
		return;
	mappings_filter(p, p->former, is_not_inside, &m);
	if (!strcmp(path, "//anon"))
		return;
	m.file = file_get(major, minor, inode, path);
	mapping_add(p, &m);
	bounds_enforce();
}

static void process_executed(uint32_t pid)
{
	struct process *p = process_get(pid);

	if (p)
		p->former = p->count;
}

/* A parent that was running before the watch began is read from /proc once. */
static void process_forked(uint32_t parent, uint32_t child)
{
	struct process *c = process_get(child), *p = process_get(parent);

	if (forked_notify)
		forked_notify(parent, child);
	if (!c || !p)
		return;
	if (p->count == p->former && !p->read_ns)
		maps_read(p, now_ns());
	c->former = c->count;
	c->read_ns = 0;
	if (parent == (uint32_t)getpid()) /* it executes a command before it is traced */
		return;
	for (size_t i = p->former; i < p->count; i++)
		mapping_add(c, &p->mappings[i]);
	bounds_enforce();
}

/* Records were lost, so no map is certain: each process is read again before its maps are trusted. */
static void records_lost(uint64_t count)
{
	static bool told;

	if (count && !told)
		log_note("%llu records of mappings were lost: functions of processes that have "
			 "exited may be shown as addresses, or with names of another program",
			 (unsigned long long)count);
	told |= count;
	for (struct process *p = processes; p; p = p->next)
		p->read_ns = 0;
}

void processes_watched(void)
{
	static const struct watch_calls calls = { process_mapped, process_executed, process_forked,
						  records_lost };

	usyms_watch_read(&calls);
}

/* ---- lookups ---- */

static uint64_t most(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static bool looks_late;

void usyms_late(void)
{
	looks_late = true;
}

/* Finds the mapping of the program that the process executes, or of one that it executed before. */
static const struct mapping *mapping_find(const struct process *p, uint64_t address)
{
	const struct mapping *m = mapping_search(p, p->count, address);
	bool is_former = !m || m < p->mappings + p->former;
	const struct mapping *former = is_former ? NULL : mapping_search(p, p->former, address);
	static bool told;

	if (looks_late && !told && former && former->file != m->file) {
		log_note(
			"process %u executed several programs with code at the same addresses, or its number was used again: functions "
			"may be shown by the last program's names",
			p->pid);
		told = true;
	}
	return m;
}

const struct mapping *process_mapping(uint32_t pid, uint64_t address, uint64_t now, bool *gone)
{
	struct process *p = process_get(pid);
	const struct mapping *m;

	*gone = true;
	if (!p)
		return NULL;
	bounds_enforce();
	if (now >= p->read_ns + MAPS_FRESH_NS)
		maps_read(p, now);
	m = mapping_find(p, address);
	if (!m && now >= p->read_ns + most(MAPS_MISS_NS, p->took_ns * READ_FACTOR)) {
		maps_read(p, now); /* perf reports mapped files, but not the vdso */
		m = mapping_find(p, address);
	}
	/* the last frame of a stack may be no address of code, whether the process is gone or not */
	*gone = !p->count;
	return m;
}
