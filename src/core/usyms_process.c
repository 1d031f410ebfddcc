/* SPDX-License-Identifier: GPL-2.0 */
/*
 * usyms_process.c - executable mappings of processes: from /proc, and from what is watched.
 *
 * Maps change (dlopen, exec, a process id used again), so /proc is read again when an address is in
 * none of them or they are a second old. When the process is gone, the last ones known stay. A
 * stack that was captured before an exec and is read after it is named by the new program's.
 */
#include "core/usyms_process.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/usyms.h"
#include "core/usyms_watch.h"

enum {
	PROCESSES_MAX = 512,	    /* that are kept; the one longest unused goes first */
	MAPS_FRESH_NS = 1000000000, /* age from which they are read again */
	MAPS_MISS_NS = 10000000,    /* the same when an address is in none of them */
};

struct process {
	struct process *next;
	uint32_t pid;
	uint64_t read_ns;
	struct mapping *mappings;
	size_t count, room;
};

static struct mapped_file *files;
static struct process *processes; /* the one last used first */

/* ---- files and mappings ---- */

static struct mapped_file *file_add(unsigned major, unsigned minor, uint64_t inode,
				    const char *path)
{
	struct mapped_file *f = calloc(1, sizeof(*f));
	const char *slash;

	if (!f)
		return NULL;
	*f = (struct mapped_file){ .next = files, .major = major, .minor = minor, .inode = inode,
				   .path = strdup(path) };
	if (!f->path) {
		free(f);
		return NULL;
	}
	slash = strrchr(f->path, '/');
	f->name = slash ? slash + 1 : f->path;
	return files = f;
}

static struct mapped_file *file_get(unsigned major, unsigned minor, uint64_t inode,
				    const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	struct mapped_file *f;

	for (f = files; f; f = f->next)
		if (f->inode == inode && f->major == major && f->minor == minor &&
		    !strcmp(f->name, name))
			return f;
	return file_add(major, minor, inode, path);
}

/* What is mapped where something was replaces it: an address is searched from the end. */
static void mapping_add(struct process *p, const struct mapping *m)
{
	struct mapping *larger = p->mappings;

	if (!m->file)
		return;
	if (p->count == p->room) {
		larger = realloc(larger, (p->room + 16) * sizeof(*larger));
		if (!larger)
			return;
		p->mappings = larger;
		p->room += 16;
	}
	p->mappings[p->count++] = *m;
}

/* Processes have tens of executable mappings. */
static const struct mapping *mapping_search(const struct process *p, uint64_t address)
{
	for (size_t i = p->count; i--;)
		if (address >= p->mappings[i].start && address < p->mappings[i].end)
			return &p->mappings[i];
	return NULL;
}

/* ---- processes ---- */

/* Takes it out of the list; of as many as may be kept, the last one in place of a new one. */
static struct process *process_take(uint32_t pid)
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
	free(p->mappings);
	*p = (struct process){ 0 };
	return p;
}

static struct process *process_get(uint32_t pid)
{
	struct process *p = processes;

	if (p && p->pid == pid)
		return p;
	p = process_take(pid);
	if (!p)
		return NULL;
	p->pid = pid;
	p->next = processes;
	return processes = p;
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

/* "55d0c000-55d0d000 r-xp 00001000 08:01 123   /usr/bin/x"; false: not one to keep. */
static bool mapping_parse(char *line, struct mapping *m)
{
	static const char deleted[] = " (deleted)";
	unsigned major, minor;
	uint64_t inode;
	size_t len;
	char execute;
	int at = 0;

	line[strcspn(line, "\n")] = '\0';
	if (sscanf(line, "%lx-%lx %*c%*c%c%*c %lx %x:%x %lu %n", &m->start, &m->end, &execute,
		   &m->offset, &major, &minor, &inode, &at) < 7 || execute != 'x' || !line[at])
		return false;
	len = strlen(line + at);
	if (len > strlen(deleted) && !strcmp(line + at + len - strlen(deleted), deleted))
		line[at + len - strlen(deleted)] = '\0';
	m->file = file_get(major, minor, inode, line + at);
	return true;
}

/* A process that has ended, even when its parent has not yet looked, has no mappings: what was
 * known stays. */
static void maps_read(struct process *p)
{
	struct process now = { .next = p->next, .pid = p->pid, .read_ns = now_ns() };
	char path[32], *line = NULL;
	size_t size = 0;
	struct mapping m;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%u/maps", p->pid);
	f = fopen(path, "re");
	while (f && getline(&line, &size, f) > 0)
		if (mapping_parse(line, &m))
			mapping_add(&now, &m);
	free(line);
	if (f)
		fclose(f);
	p->read_ns = now.read_ns;
	if (!now.count)
		return;
	free(p->mappings);
	*p = now;
}

/* ---- what is watched ---- */

static void process_mapped(uint32_t pid, uint64_t start, uint64_t end, uint64_t offset,
			   unsigned major, unsigned minor, uint64_t inode, const char *path)
{
	struct process *p = process_get(pid);
	struct mapping m = { .start = start, .end = end, .offset = offset };

	if (!p || !strcmp(path, "//anon"))
		return;
	m.file = file_get(major, minor, inode, path);
	mapping_add(p, &m);
}

static void process_executed(uint32_t pid)
{
	struct process *p = process_get(pid);

	if (p)
		p->count = 0;
}

/* A parent from before the watch is asked once. */
static void process_forked(uint32_t parent, uint32_t child)
{
	struct process *c = process_get(child), *p = process_get(parent);

	if (!c || !p)
		return;
	if (!p->count && !p->read_ns)
		maps_read(p);
	c->count = 0;
	c->read_ns = 0;
	for (size_t i = 0; i < p->count; i++)
		mapping_add(c, &p->mappings[i]);
}

void usyms_poll(void)
{
	static const struct watch_calls calls = { process_mapped, process_executed,
						  process_forked };

	usyms_watch_take(&calls);
}

/* ---- asking ---- */

const struct mapping *process_mapping(uint32_t pid, uint64_t address, bool *gone)
{
	struct process *p = process_get(pid);
	const struct mapping *m;

	*gone = true;
	if (!p)
		return NULL;
	if (now_ns() - p->read_ns >= MAPS_FRESH_NS)
		maps_read(p);
	*gone = !p->count;
	m = mapping_search(p, address);
	if (m || now_ns() - p->read_ns < MAPS_MISS_NS)
		return m;
	maps_read(p);
	return mapping_search(p, address);
}
