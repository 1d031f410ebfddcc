/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * show.c - records in the order of their lines: what is joined, what is left out, which line is cut.
 *
 * A call's entry may have sent data of its own: they wait for its return here, by thread. So do
 * signals that are ignored and came while their thread was in a call: a tracer would see them after it.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "applets/syssnoop/parts.h"
#include "applets/syssnoop/show.h"
#include "kernel/place.h"
#include "run/session.h"
#include "util/small_file.h"

enum { BUCKETS = 1024 };

struct thread {
	struct thread *next;
	uint32_t tid;
	struct syssnoop_event *entry; /* owned; NULL: none */
	uint32_t becomes;	      /* its number after its exec returns; 0: unchanged */
	bool is_cut;		      /* the line of its call has been ended before its return */
	struct buf own;		      /* with -ff: its file */
	struct syssnoop_event
		*end; /* owned; of the first thread, while others of its process live; NULL: none */
	struct syssnoop_event *later; /* owned: signals, `count` of them */
	size_t count;
};

static struct thread *threads[BUCKETS];
static struct buf merged;
static bool command_known;	 /* it exists before its first record */
static bool has_entries;	 /* each call has a record of its entry */
static struct thread *open_line; /* thread whose call may have begun in the last line; NULL: none */

bool show_wants_entries(void)
{
	const struct selection *c = &settings.chosen;

	return has_entries && how.follows && !how.split && !settings.longer &&
	       c->statuses == STATUS_ALL && !c->has.paths.count;
}

void show_begin(struct session *s)
{
	has_entries = !options_want_all(&s->options);
	buf_init(&merged, -1);
}

/* ---- threads ---- */

static struct thread **thread_slot(uint32_t tid)
{
	struct thread **at = &threads[tid % BUCKETS];

	while (*at && (*at)->tid != tid)
		at = &(*at)->next;
	return at;
}

static int thread_open(struct thread *t)
{
	char *path = NULL;
	int fd;

	buf_init(&t->own, -1);
	if (!how.split)
		return 0;
	if (asprintf(&path, "%s.%u", how.split, t->tid) < 0)
		return -ENOMEM;
	fd = how.appends ? place_append_at(path, 0666) : place_create_at(path, 0666);
	if (fd < 0)
		file_failed(path, fd);
	free(path);
	t->own.fd = fd;
	return fd < 0 ? fd : 0;
}

static void thread_close(struct thread *t)
{
	if (t->own.fd < 0)
		return;
	buf_flush(&t->own);
	close(t->own.fd);
	buf_free(&t->own);
}

static struct thread *thread_get(uint32_t tid)
{
	struct thread **at = thread_slot(tid), *t = *at;

	if (t)
		return t;
	t = calloc(1, sizeof(*t));
	if (!t)
		return NULL;
	t->tid = tid;
	if (thread_open(t)) {
		free(t);
		return NULL;
	}
	*at = t;
	line_state.threads++;
	return t;
}

static void thread_drop(uint32_t tid)
{
	struct thread **at = thread_slot(tid), *t = *at;

	if (!t)
		return;
	*at = t->next;
	if (open_line == t)
		open_line = NULL;
	thread_close(t);
	free(t->entry);
	free(t->later);
	free(t->end);
	free(t);
	line_state.threads--;
	line_forget();
}

void show_end(void)
{
	for (size_t i = 0; i < BUCKETS; i++)
		while (threads[i])
			thread_drop(threads[i]->tid);
	buf_free(&merged);
}

/* ---- records ---- */

static struct syssnoop_event *event_copy(const struct syssnoop_event *e)
{
	struct syssnoop_event *copy = malloc(e->size);

	return copy ? memcpy(copy, e, e->size) : NULL;
}

/* The data of the entry precede those of the return. */
static const struct syssnoop_event *event_merge(const struct syssnoop_event *entry,
						const struct syssnoop_event *e)
{
	struct syssnoop_event *both;
	size_t head = sizeof(*e);

	merged.len = 0;
	buf_bytes(&merged, e, head);
	buf_bytes(&merged, (const char *)entry + head, entry->size - head);
	buf_bytes(&merged, (const char *)e + head, e->size - head);
	if (merged.error)
		return NULL;
	both = (void *)merged.data;
	both->size = (uint32_t)merged.len;
	return both;
}

static int later_add(struct thread *t, const struct syssnoop_event *e)
{
	struct syssnoop_event *more = realloc(t->later, (t->count + 1) * sizeof(*more));

	if (!more)
		return -ENOMEM;
	t->later = more;
	t->later[t->count++] = *e;
	return 0;
}

/* Ends a line that was begun, unless it belongs to `t`. */
static void line_cut(struct session *s, const struct thread *t)
{
	if (!open_line || open_line == t)
		return;
	line_begin(s->sink.out, open_line->entry, open_line->becomes);
	open_line->is_cut = true;
	open_line = NULL;
}

static int line_show(struct session *s, struct thread *t, const struct syssnoop_event *e)
{
	int err;

	line_cut(s, NULL);
	if (!how.split)
		return sink_record(&s->sink, e, e->size);
	s->sink.out = &t->own;
	err = sink_record(&s->sink, e, e->size);
	buf_flush(&t->own);
	s->sink.out = &s->out;
	return err;
}

static int later_show(struct session *s, struct thread *t)
{
	int err = 0;

	for (size_t i = 0; i < t->count && !err; i++)
		err = line_show(s, t, &t->later[i]);
	t->count = 0;
	return err;
}

static int call_show(struct session *s, struct thread *t, const struct syssnoop_event *e)
{
	const struct syssnoop_event *all = e;
	bool is_same = t->entry && t->entry->header.ts == e->header.ts;
	int err;

	if (is_same)
		all = event_merge(t->entry, e);
	if (all == (void *)merged.data && t->becomes)
		((struct syssnoop_event *)(void *)merged.data)->header.tid = t->becomes;
	if (open_line == t)
		open_line = NULL;
	line_state.is_resumed = is_same && t->is_cut;
	err = all ? line_show(s, t, all) : -ENOMEM;
	line_state.is_resumed = t->is_cut = false;
	free(t->entry);
	t->entry = NULL;
	return err ?: later_show(s, t);
}

static int entry_show(struct session *s, struct thread *t, const struct syssnoop_event *e)
{
	if (open_line == t)
		open_line = NULL;
	free(t->entry);
	t->is_cut = false;
	t->entry = event_copy(e);
	if (!t->entry)
		return -ENOMEM;
	if (show_wants_entries()) {
		line_cut(s, t);
		open_line = t;
	}
	return 0;
}

static bool is_left_out(const struct session *s, const struct syssnoop_event *e)
{
	return how.alone && e->header.tid != (uint32_t)s->traced.command.pid;
}

/* Returns the word of -q for an end. */
static unsigned quiet_of(const struct syssnoop_event *e)
{
	return e->flags & SYSSNOOP_SUPERSEDED ? QUIET_EXECVE : QUIET_EXIT;
}

/* The thread that executes a program gets the number of the process; a line that its call has begun says so. */
static void successor_note(struct session *s, const struct syssnoop_event *e)
{
	struct thread *successor = *thread_slot(e->nr);

	if (!successor || !successor->entry)
		return;
	successor->becomes = e->header.tid;
	if (open_line == successor)
		line_cut(s, NULL);
}

static int end_show(struct session *s, struct thread *t, const struct syssnoop_event *e)
{
	return how.quiet & quiet_of(e) ? 0 : line_show(s, t, e);
}

/* The first thread of a process is there until all of them have ended: a tracer would see its end last. Returns true if
 * it has to wait for others. */
static bool end_keep(struct thread *t, const struct syssnoop_event *e)
{
	if (!(e->flags & SYSSNOOP_NOT_LAST) || !how.follows)
		return false;
	free(t->end);
	t->end = event_copy(e);
	return t->end != NULL;
}

/* Shows the end of a process's first thread, that has waited for this one. */
static int kept_show(struct session *s, const struct syssnoop_event *e)
{
	struct thread *first = *thread_slot(e->header.pid);
	int err;

	if (e->flags & (SYSSNOOP_NOT_LAST | SYSSNOOP_SUPERSEDED) || !first || !first->end)
		return 0;
	err = end_show(s, first, first->end);
	thread_drop(first->tid);
	return err;
}

/* Shows the end of the first thread, if this one has executed a program after it, and so gets its number. */
static int first_supersede(struct session *s, struct thread *t, const struct syssnoop_event *e)
{
	struct thread *first;
	const char *name;
	int err;

	if (e->ret) /* this is asked for each call: the cheapest first */
		return 0;
	first = *thread_slot(e->header.pid);
	if (!first || first == t || !first->end)
		return 0;
	name = syscall_name(e->abi, e->nr);
	if (!name || strncmp(name, "execve", 6) != 0)
		return 0;
	first->end->flags = SYSSNOOP_SUPERSEDED;
	first->end->nr = t->tid;
	successor_note(s, first->end);
	err = end_show(s, first, first->end);
	free(first->end);
	first->end = NULL;
	return err;
}

int show_record(struct session *s, const void *record, size_t size)
{
	const struct syssnoop_event *e = record;
	struct thread *t;
	int err;

	if (size < sizeof(*e) || e->size > size || e->size < sizeof(*e))
		return -EBADMSG;
	if (!command_known && s->traced.command.pid && !thread_get(s->traced.command.pid))
		return -ENOMEM;
	command_known = true;
	if (is_left_out(s, e))
		return 0;
	t = thread_get(e->header.tid);
	if (!t)
		return -ENOMEM;
	if (e->kind == SYSSNOOP_ENTRY)
		return entry_show(s, t, e);
	if (e->kind == SYSSNOOP_SIGNAL && e->flags & SYSSNOOP_IN_CALL)
		return later_add(t, e);
	if (e->kind == SYSSNOOP_CALL) {
		err = first_supersede(s, t, e);
		err = err ?: call_show(s, t, e);
		if (t->becomes)
			thread_drop(t->tid);
		return err;
	}
	if (e->kind != SYSSNOOP_EXIT)
		return line_show(s, t, e);
	if (e->flags & SYSSNOOP_SUPERSEDED)
		successor_note(s, e);
	err = later_show(s, t);
	if (err || end_keep(t, e))
		return err;
	err = end_show(s, t, e);
	thread_drop(e->header.tid);
	return err ?: kept_show(s, e);
}

/* ---- the end ---- */

static int call_compare(const void *x, const void *y)
{
	const struct syssnoop_call *const *a = x, *const *b = y;

	return (*a)->start < (*b)->start ? -1 : (*a)->start > (*b)->start;
}

/* The map of calls has no names: a thread in a call still has one in /proc, unless /proc shows other numbers. */
static void name_find(const struct session *s, struct event_header *h)
{
	char path[32], name[sizeof(h->comm) + 1] = "";

	if (s->traced.proc_is_other)
		return;
	snprintf(path, sizeof(path), "/proc/%u/comm", h->tid);
	if (small_file_line(path, name, sizeof(name)) > 0)
		memcpy(h->comm, name, sizeof(h->comm));
}

static void unfinished_show(struct session *s, const struct syssnoop_call *c)
{
	struct syssnoop_event e = {
		.header = { .ts = c->start, .pid = c->ids >> 32, .tid = (uint32_t)c->ids },
		.latency = SYSSNOOP_NO_LATENCY,
		.ret = -1, /* the tracing ended, not the thread */
		.nr = c->nr,
		.abi = c->abi,
		.kind = SYSSNOOP_CALL,
		.flags = SYSSNOOP_UNFINISHED,
		.size = sizeof(e),
	};

	memcpy(e.args, c->args, sizeof(e.args));
	name_find(s, &e.header);
	show_record(s, &e, sizeof(e));
}

void show_unfinished(struct session *s, const struct syssnoop_call *calls)
{
	const struct syssnoop_call **open = calloc(SYSSNOOP_CALLS, sizeof(*open));
	size_t count = 0;

	for (size_t i = 0; open && i < SYSSNOOP_CALLS; i++)
		if (calls[i].task && calls[i].is_chosen)
			open[count++] = &calls[i];
	if (open)
		qsort(open, count, sizeof(*open), call_compare);
	for (size_t i = 0; i < count; i++)
		unfinished_show(s, open[i]);
	free(open);
	for (size_t i = 0; i < BUCKETS; i++)
		for (struct thread *t = threads[i]; t; t = t->next)
			if (t->end)
				end_show(s, t, t->end);
}
