/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * show.c - records as lines: who, when, the call, how long.
 *
 * A call's entry may have sent data of its own: they wait for its return here, by thread. So do
 * signals that are ignored and came while their thread was in a call: a tracer would see them after it.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "applets/syssnoop/parts.h"
#include "output/field/timestamp.h"
#include "run/pidns.h"
#include "run/session.h"
#include "util/escape.h"

enum { BUCKETS = 1024 };

struct thread {
	struct thread *next;
	uint32_t tid;
	struct syssnoop_event *entry; /* owned; NULL: none */
	struct syssnoop_event *later; /* owned: signals, `count` of them */
	size_t count;
};

static struct thread *threads[BUCKETS];
static size_t live; /* threads now */
static struct show_options how;
static struct buf merged;
static bool command_known; /* it lives before its first record */
static uint64_t last;	   /* time of the line before */
/* The task of the previous line, as text: mostly the next line has the same. */
static struct {
	uint32_t tid, inner;
	char comm[EVENT_COMM_LEN], text[128];
	size_t len; /* 0: there is none */
} whose;

void show_begin(const struct show_options *o)
{
	how = *o;
	buf_init(&merged, -1);
}

const struct syscall_options *show_text_options(void)
{
	return &how.text;
}

/* ---- threads ---- */

static struct thread **thread_slot(uint32_t tid)
{
	struct thread **at = &threads[tid % BUCKETS];

	while (*at && (*at)->tid != tid)
		at = &(*at)->next;
	return at;
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
	*at = t;
	live++;
	return t;
}

static void thread_drop(uint32_t tid)
{
	struct thread **at = thread_slot(tid), *t = *at;

	if (!t)
		return;
	*at = t->next;
	free(t->entry);
	free(t->later);
	free(t);
	live--;
	whose.len = 0;
}

void show_end(void)
{
	for (size_t i = 0; i < BUCKETS; i++)
		while (threads[i])
			thread_drop(threads[i]->tid);
	buf_free(&merged);
}

/* ---- text ---- */

static void seconds_write(struct buf *o, uint64_t us, int width)
{
	buf_uint_right(o, us / 1000000, width);
	buf_char(o, '.');
	buf_uint_pad(o, us % 1000000, 6);
}

static void write_pid(struct buf *o, uint32_t tid, uint32_t inner, int width)
{
	buf_str(o, "[pid ");
	buf_uint_right(o, tid, width);
	if (!inner)
		return;
	buf_char(o, '/');
	buf_uint(o, inner);
}

static void write_time(struct buf *o, const struct syssnoop_event *e)
{
	uint64_t ts = e->header.ts, since = last ? ts - last : 0;

	if (how.relative) {
		since = last && ts > last ? since : 0;
		seconds_write(o, since / 1000, 6);
		buf_char(o, ' ');
		last = ts;
	}
	if (!how.times)
		return;
	timestamp_write(o, ts, how.times > 2 ? TIMESTAMP_UNIX : TIMESTAMP_CLOCK);
	if (how.times == 1 && o->len > 7) /* without .123456 */
		buf_rewind(o, o->len - 7);
	buf_char(o, ' ');
}

static void write_whose(struct buf *o, const struct event_header *h)
{
	uint32_t inner = inner_of(h->tid);
	size_t start = o->len;

	if (whose.len && whose.tid == h->tid && whose.inner == inner &&
	    !memcmp(whose.comm, h->comm, EVENT_COMM_LEN)) {
		buf_bytes(o, whose.text, whose.len);
		return;
	}
	write_pid(o, h->tid, inner, 0);
	if (h->comm[0]) { /* of a call that has not returned it may be unknown */
		buf_char(o, '<');
		escape_write(o, h->comm, strnlen(h->comm, EVENT_COMM_LEN));
		buf_char(o, '>');
	}
	buf_str(o, "] ");
	whose.len = o->len - start;
	if (o->error || whose.len > sizeof(whose.text)) {
		whose.len = 0;
		return;
	}
	whose.tid = h->tid;
	whose.inner = inner;
	memcpy(whose.comm, h->comm, EVENT_COMM_LEN);
	memcpy(whose.text, o->data + start, whose.len);
}

void show_text(struct buf *o, const void *record)
{
	const struct syssnoop_event *e = record;

	if (how.has_comm) {
		write_whose(o, &e->header);
	} else if (how.has_pids || live > 1) {
		write_pid(o, e->header.tid, inner_of(e->header.tid), 5);
		buf_str(o, "] ");
	}
	write_time(o, e);
	syscall_write_text(o, e, &how.text);
	if (how.latency && e->latency != SYSSNOOP_NO_LATENCY) {
		buf_str(o, " <");
		seconds_write(o, e->latency / 1000, 0);
		buf_char(o, '>');
	}
	buf_char(o, '\n');
}

/* ---- records ---- */

static struct syssnoop_event *event_copy(const struct syssnoop_event *e)
{
	struct syssnoop_event *copy = malloc(e->size);

	return copy ? memcpy(copy, e, e->size) : NULL;
}

/* The data of the entry come before those of the return. */
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

static int later_show(struct session *s, struct thread *t)
{
	int err = 0;

	for (size_t i = 0; i < t->count && !err; i++)
		err = sink_record(&s->sink, &t->later[i], sizeof(t->later[i]));
	t->count = 0;
	return err;
}

static int call_show(struct session *s, struct thread *t, const struct syssnoop_event *e)
{
	const struct syssnoop_event *all = e;
	int err;

	if (t->entry && t->entry->header.ts == e->header.ts)
		all = event_merge(t->entry, e);
	err = all ? sink_record(&s->sink, all, all->size) : -ENOMEM;
	free(t->entry);
	t->entry = NULL;
	return err ?: later_show(s, t);
}

static bool is_left_out(const struct session *s, const struct syssnoop_event *e)
{
	return how.alone && e->header.tid != (uint32_t)s->traced.command.pid;
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
	if (e->kind == SYSSNOOP_ENTRY) {
		free(t->entry);
		t->entry = event_copy(e);
		return t->entry ? 0 : -ENOMEM;
	}
	if (e->kind == SYSSNOOP_SIGNAL && e->flags & SYSSNOOP_IN_CALL)
		return later_add(t, e);
	if (e->kind == SYSSNOOP_CALL)
		return call_show(s, t, e);
	err = e->kind == SYSSNOOP_EXIT ? later_show(s, t) : 0;
	if (!(how.no_exits && e->kind == SYSSNOOP_EXIT))
		err = err ?: sink_record(&s->sink, e, e->size);
	if (e->kind == SYSSNOOP_EXIT)
		thread_drop(e->header.tid);
	return err;
}

/* ---- the end ---- */

static int call_compare(const void *x, const void *y)
{
	const struct syssnoop_call *const *a = x, *const *b = y;

	return (*a)->start < (*b)->start ? -1 : (*a)->start > (*b)->start;
}

/* The map of calls has no names: a thread that is in a call still has one in /proc, unless that shows other numbers. */
static void name_find(const struct session *s, struct event_header *h)
{
	char path[32];
	FILE *f;

	if (s->traced.proc_is_other)
		return;
	snprintf(path, sizeof(path), "/proc/%u/comm", h->tid);
	f = fopen(path, "re");
	if (f && fgets(h->comm, sizeof(h->comm), f))
		h->comm[strcspn(h->comm, "\n")] = '\0';
	if (f)
		fclose(f);
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
}
