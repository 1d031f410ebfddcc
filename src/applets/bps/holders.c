/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * holders.c - the rows of bps --by-process, which are those of bcc's bpflist.
 *
 * A kprobe or uprobe belongs to a process that holds its perf event or its link. One of tracefs belongs to nobody;
 * bcc's old way is to write the number of its process into the name.
 */
#include "applets/bps/holders.h"

#include <endian.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/bpf_holders.h"
#include "kernel/bpf_links.h"
#include "kernel/tracefs.h"
#include "util/array.h"

enum kind { KIND_PROGRAM, KIND_KPROBE, KIND_UPROBE, KIND_MAP, KIND_LINK, KINDS };
static const char *const kind_names[KINDS] = { "prog", "kprobe", "uprobe", "map", "link" };

struct process {
	uint32_t pid;
	char comm[17];
	uint64_t counts[KINDS];
};

/* A link of kprobes or uprobes. */
struct link {
	uint32_t id, count; /* count: of kprobe.multi and uprobe.multi; 0: of one perf event */
	enum kind kind;
	char place[128];
};

static struct {
	struct process *processes;
	size_t process_count, process_room;
	struct link *links;
	size_t link_count, link_room;
	struct bpf_holder *held; /* descriptors of links, and of perf events with their program */
	size_t held_count, held_room;
	struct bps_holder_row *rows;
	size_t row_count, row_room;
	bool probes;
	struct buf definitions[KINDS]; /* owned; one a line */
} holders;

/* ---- the processes ---- */

static void comm_read(struct process *p)
{
	char path[32];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%u/comm", p->pid);
	f = fopen(path, "re");
	if (!f || !fgets(p->comm, sizeof(p->comm), f))
		snprintf(p->comm, sizeof(p->comm), "[unknown]");
	p->comm[strcspn(p->comm, "\n")] = '\0';
	if (f)
		fclose(f);
}

static void count_add(uint32_t pid, enum kind kind, uint64_t count)
{
	struct process *p = holders.processes, *end = p + holders.process_count;

	while (p < end && p->pid != pid)
		p++;
	if (p == end) {
		if (!ARRAY_RESERVE(holders.processes, holders.process_count, holders.process_room,
				   64))
			return;
		p = &holders.processes[holders.process_count++];
		*p = (struct process){ .pid = pid };
		comm_read(p);
	}
	p->counts[kind] += count;
}

/* ---- kprobes and uprobes ---- */

/* KINDS: it is neither. */
static enum kind kind_of(const char *place)
{
	bool user = place[0] == 'u';

	place += *place == 'k' || *place == 'u';
	if (strncmp(place, "probe", 5) && strncmp(place, "retprobe", 8))
		return KINDS;
	return user ? KIND_UPROBE : KIND_KPROBE;
}

/* Writes KIND:WHERE of a process as tracefs does: p:PID WHERE, or r:PID WHERE of a return. */
static void definition_add(uint32_t pid, enum kind kind, const char *place)
{
	const char *where = strchr(place, ':');

	buf_printf(&holders.definitions[kind], "%c:%u %s\n", place[1], pid,
		   where ? where + 1 : "[unknown]");
}

static void held_add(const struct bpf_holder *holder)
{
	if (ARRAY_RESERVE(holders.held, holders.held_count, holders.held_room, 64))
		holders.held[holders.held_count++] = *holder;
}

static void event_add(void *ctx, const struct bpf_place *place)
{
	struct bpf_holder event = *(const struct bpf_holder *)ctx;
	enum kind kind = kind_of(place->place);

	if (kind == KINDS)
		return;
	event.program = place->program;
	held_add(&event);
	count_add(event.pid, kind, 1);
	definition_add(event.pid, kind, place->place);
}

static void link_add(void *ctx, const struct bpf_place *place)
{
	enum kind kind = kind_of(place->place);
	struct link *l;

	(void)ctx;
	if (!place->link || kind == KINDS ||
	    !ARRAY_RESERVE(holders.links, holders.link_count, holders.link_room, 64))
		return;
	l = &holders.links[holders.link_count++];
	*l = (struct link){ place->link, place->count, kind, "" };
	snprintf(l->place, sizeof(l->place), "%s", place->place);
}

/* True if the process holds a perf event of the link's program: that is the link's, and is counted. */
static bool holds_event(const struct bpf_holder *link)
{
	for (size_t i = 0; i < holders.held_count; i++)
		if (holders.held[i].what == BPF_HOLDS_EVENT && holders.held[i].pid == link->pid &&
		    holders.held[i].program == link->program)
			return true;
	return false;
}

static void link_count(const struct bpf_holder *holder)
{
	for (size_t i = 0; i < holders.link_count; i++) {
		const struct link *l = &holders.links[i];

		if (l->id != holder->link || (!l->count && holds_event(holder)))
			continue;
		count_add(holder->pid, l->kind, l->count ?: 1);
		definition_add(holder->pid, l->kind, l->place);
	}
}

static void links_count(void)
{
	for (size_t i = 0; i < holders.held_count; i++)
		if (holders.held[i].what == BPF_HOLDS_LINK)
			link_count(&holders.held[i]);
}

/* The number behind _bcc_ at the end of the name, as in p:kprobes/p_vfs_read_bcc_123 vfs_read; 0: there is none. */
static uint32_t owner_of(const char *line)
{
	static const char mark[] = "_bcc_";
	const char *at = strstr(line, mark);

	return at && at < line + strcspn(line, " ") ?
		       (uint32_t)strtoul(at + strlen(mark), NULL, 10) :
		       0;
}

static void tracefs_add(enum kind kind, const char *file)
{
	char *text = tracefs_read(file), *rest = text, *line;

	while ((line = strsep(&rest, "\n"))) {
		uint32_t pid = owner_of(line);

		if (pid)
			count_add(pid, kind, 1);
		if (*line)
			buf_printf(&holders.definitions[kind], "%s\n", line);
	}
	free(text);
}

static void probes_read(void)
{
	tracefs_add(KIND_KPROBE, "kprobe_events");
	tracefs_add(KIND_UPROBE, "uprobe_events");
	bpf_links_each(link_add, NULL);
}

/* ---- all ---- */

static void holder_add(void *ctx, const struct bpf_holder *holder)
{
	static const enum kind kinds[BPF_HOLDINGS] = { [BPF_HOLDS_PROGRAM] = KIND_PROGRAM,
						       [BPF_HOLDS_MAP] = KIND_MAP,
						       [BPF_HOLDS_LINK] = KIND_LINK };
	struct bpf_holder copy = *holder;

	(void)ctx;
	if (holder->what != BPF_HOLDS_EVENT)
		count_add(holder->pid, kinds[holder->what], 1);
	else if (holders.probes)
		bpf_event_place(holder->pid, holder->fd, event_add, &copy);
	if (holder->what == BPF_HOLDS_LINK && holders.probes)
		held_add(holder);
}

static void rows_make(void)
{
	for (size_t i = 0; i < holders.process_count * KINDS; i++) {
		const struct process *p = &holders.processes[i / KINDS];
		enum kind kind = i % KINDS;

		if (p->counts[kind] &&
		    ARRAY_RESERVE(holders.rows, holders.row_count, holders.row_room, 64))
			holders.rows[holders.row_count++] = (struct bps_holder_row){
				{ htobe32(p->pid), htobe32(kind) },
				p->pid,
				p->comm,
				kind_names[kind],
				p->counts[kind]
			};
	}
}

static void definitions_show(struct buf *o, enum kind kind)
{
	struct buf *lines = &holders.definitions[kind];

	buf_printf(o, "open %ss:\n%.*s\n", kind_names[kind], (int)lines->len,
		   lines->len ? lines->data : "");
}

void bps_holders_read(bool probes, struct buf *definitions)
{
	holders.process_count = holders.link_count = holders.held_count = holders.row_count = 0;
	holders.probes = probes;
	for (enum kind k = KIND_KPROBE; k <= KIND_UPROBE; k++)
		buf_init(&holders.definitions[k], -1);
	if (probes)
		probes_read();
	bpf_holders_each(holder_add, NULL);
	links_count();
	rows_make();
	for (enum kind k = KIND_KPROBE; k <= KIND_UPROBE; k++) {
		if (definitions)
			definitions_show(definitions, k);
		buf_free(&holders.definitions[k]);
	}
}

const struct bps_holder_row *bps_holders_row(size_t i)
{
	return i < holders.row_count ? &holders.rows[i] : NULL;
}

void bps_holders_free(void)
{
	free(holders.processes);
	free(holders.links);
	free(holders.held);
	free(holders.rows);
}
