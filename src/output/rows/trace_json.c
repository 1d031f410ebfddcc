/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trace_json.c - writes records as Chrome's trace events, a JSON array that Perfetto and chrome://tracing read.
 *
 * A record with a duration is a complete event (X); or, if such records of a thread may overlap, the two ends of an
 * asynchronous one (b, e). Any other is an instant (i). Each task is named when it is first seen, and again when its
 * name has changed.
 *
 * An event is a line, with the comma before it: a file whose writer was killed lacks only the last bracket, which
 * readers of the format do not require.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <linux/types.h>

#include "output/field/value.h"
#include "output/rows/sink_priv.h"
#include "util/clock.h"
#include "event.h"
#include "version.h"

#define NS_PER_USEC 1000

/* ---- names of tasks ---- */

struct task {
	bool used;
	uint32_t pid, tid;
	char comm[EVENT_COMM_LEN];
};

struct trace {
	struct task *tasks; /* owned: an open hash table, at most half full */
	size_t room, count;
	uint64_t last_id; /* of asynchronous events */
};

static void trace_free(struct sink *s)
{
	struct trace *t = s->state;

	free(t->tasks);
	free(t);
}

static struct trace *trace_of(struct sink *s)
{
	if (!s->state)
		s->state = calloc(1, sizeof(struct trace));
	return s->state;
}

/* Returns the task's slot, or the empty one where it belongs. */
static struct task *task_find(const struct trace *t, uint32_t pid, uint32_t tid)
{
	size_t i = (pid * 0x9e3779b1u ^ tid * 0x85ebca6bu) & (t->room - 1);

	while (t->tasks[i].used && (t->tasks[i].pid != pid || t->tasks[i].tid != tid))
		i = (i + 1) & (t->room - 1);
	return &t->tasks[i];
}

static int tasks_grow(struct trace *t)
{
	struct trace larger = *t;

	larger.room = t->room ? t->room * 2 : 64;
	larger.tasks = calloc(larger.room, sizeof(*larger.tasks));
	if (!larger.tasks)
		return -ENOMEM;
	for (size_t i = 0; i < t->room; i++)
		if (t->tasks[i].used)
			*task_find(&larger, t->tasks[i].pid, t->tasks[i].tid) = t->tasks[i];
	free(t->tasks);
	*t = larger;
	return 0;
}

/* ---- parts of an event ---- */

static void write_us(struct buf *o, uint64_t ns)
{
	buf_uint(o, ns / NS_PER_USEC);
	buf_char(o, '.');
	buf_uint_pad(o, ns % NS_PER_USEC, 3);
}

static void write_task_ids(struct buf *o, uint32_t pid, uint32_t tid)
{
	buf_str(o, ",\"pid\":");
	buf_uint(o, pid);
	buf_str(o, ",\"tid\":");
	buf_uint(o, tid);
}

static void write_comm(struct buf *o, const struct event_header *head)
{
	escape_write_json(o, head->comm, strnlen(head->comm, sizeof(head->comm)));
}

static void write_name(struct buf *o, const struct event_header *head, const char *what)
{
	buf_str(o, ",\n{\"name\":\"");
	buf_str(o, what);
	buf_str(o, "\",\"ph\":\"M\",\"ts\":0");
	write_task_ids(o, head->pid, head->tid);
	buf_str(o, ",\"args\":{\"name\":");
	write_comm(o, head);
	buf_str(o, "}}");
}

/* A process is named after its first thread or, until that is seen, after any other. */
static int names_write(struct sink *s, const struct event_header *head)
{
	struct trace *t = trace_of(s);
	struct task *task, *leader;
	int err = t ? 0 : -ENOMEM;

	if (!err && t->count * 2 + 4 > t->room)
		err = tasks_grow(t);
	if (err)
		return err;
	leader = task_find(t, head->pid, 0);
	if (head->tid == head->pid || !leader->used) {
		if (!leader->used || memcmp(leader->comm, head->comm, sizeof(head->comm)))
			write_name(s->out, head, "process_name");
		t->count += !leader->used;
		*leader = (struct task){ .used = true, .pid = head->pid };
		memcpy(leader->comm, head->comm, sizeof(head->comm));
	}
	task = task_find(t, head->pid, head->tid ?: ~0u);
	if (task->used && !memcmp(task->comm, head->comm, sizeof(head->comm)))
		return 0;
	t->count += !task->used;
	*task = (struct task){ .used = true, .pid = head->pid, .tid = head->tid ?: ~0u };
	memcpy(task->comm, head->comm, sizeof(head->comm));
	write_name(s->out, head, "thread_name");
	return 0;
}

/* ---- arguments ---- */

static bool is_named(const struct field *f, const char *name)
{
	return !strcmp(f->name, name);
}

static bool has_pair(const struct schema *s, const char *name)
{
	for (size_t i = 0; i < s->count; i++)
		if (s->fields[i].flags & FIELD_PAIR && is_named(&s->fields[i], name))
			return true;
	return false;
}

/* True for fields that are arguments: not the task, time and name, which an event has anyway; and where a value of
 * the user has the name of another field, the user's is chosen. */
static bool is_argument(const struct schema *schema, const struct field *f)
{
	bool head = !schema->bare && f->offset + f->size <= sizeof(struct event_header) &&
		    !f->value && f->size;

	if (f->role != FIELD_ROLE_NONE && f->role < FIELD_ROLE_LASTED)
		return false;
	return f->flags & FIELD_PAIR || (!head && !has_pair(schema, f->name));
}

static void cells_add(const struct sink *s, struct sink_shape *shape)
{
	const struct schema *schema = shape->schema;

	sink_roles_find(shape);
	buf_str(&shape->leads, has_pair(schema, "comm") ? "{\"#comm\":" : "{\"comm\":");
	shape->head_len = shape->leads.len;
	for (size_t i = 0; i < schema->count; i++)
		if (sink_field_is_shown(s, schema, i) && is_argument(schema, &schema->fields[i]))
			sink_cell_add(s, shape, &schema->fields[i]);
}

static void cell_prepare(struct sink_shape *shape, struct sink_cell *c)
{
	buf_char(&shape->leads, ',');
	json_write_key(&shape->leads, c->field);
	json_cell_prepare(shape, c);
}

/* The # prevents a clash: no name of a value begins with it. */
static int args_write(struct buf *o, const struct sink_shape *shape, const void *record,
		      size_t size)
{
	static const char *const flaws[] = { "#errors", "#cut" };
	struct row r = { .out = o, .leads = shape->leads.data };

	buf_str(o, ",\"args\":");
	buf_bytes(o, shape->leads.data, shape->head_len);
	write_comm(o, record);
	for (const struct sink_cell *c = shape->cells; c < shape->cells + shape->cell_count; c++)
		if (c->write(&r, c, record, size))
			return -EBADMSG;
	json_write_flaws(&r, shape, record, size, flaws);
	buf_str(o, "}}");
	return 0;
}

/* ---- events ---- */

struct span {
	bool known, beside;
	uint64_t begin, end; /* ns */
};

static bool role_load(const struct sink_shape *shape, enum field_role role, const void *record,
		      size_t size, uint64_t *u)
{
	struct value v;

	if (!shape->roles[role] || field_load(shape->roles[role], record, size, &v) ||
	    v.status != EVENT_OK)
		return false;
	*u = v.u;
	return true;
}

static struct span span_of(const struct sink_shape *shape, const struct event_header *head,
			   const void *record, size_t size)
{
	struct span s = { .begin = head->ts, .end = head->ts };
	uint64_t lasted;

	s.beside = shape->roles[FIELD_ROLE_BEGIN_BESIDE] || shape->roles[FIELD_ROLE_LASTED_BESIDE];
	s.known = role_load(shape, FIELD_ROLE_BEGIN + s.beside, record, size, &s.begin);
	if (!s.known && role_load(shape, FIELD_ROLE_LASTED + s.beside, record, size, &lasted)) {
		s.begin = head->ts - lasted;
		s.known = true;
	}
	if (!head->ts) /* it has not ended yet */
		s.end = s.begin;
	s.known &= head->ts && s.begin <= s.end;
	return s;
}

static void event_begin(struct sink *s, const struct sink_shape *shape, const void *record,
			size_t size, const char *phase, uint64_t ts)
{
	struct event_header head;

	memcpy(&head, record, sizeof(head));
	buf_str(s->out, ",\n{\"name\":\"");
	sink_write_event(s, shape, record, size, ESCAPE_JSON);
	buf_str(s->out, "\",\"cat\":");
	escape_write_json(s->out, s->applet, strlen(s->applet));
	buf_str(s->out, ",\"ph\":\"");
	buf_str(s->out, phase);
	buf_str(s->out, "\",\"ts\":");
	write_us(s->out, ts);
	write_task_ids(s->out, head.pid, head.tid);
}

static void write_id(struct buf *o, uint64_t id)
{
	buf_str(o, ",\"id\":\"0x");
	buf_hex(o, id);
	buf_char(o, '"');
}

static int event_write(struct sink *s, const struct sink_shape *shape, const void *record,
		       size_t size, const struct span *span)
{
	struct trace *t = s->state;
	int err;

	event_begin(s, shape, record, size,
		    !span->known ? "i" :
		    span->beside ? "b" :
				   "X",
		    span->known ? span->begin : span->end);
	if (!span->known) {
		buf_str(s->out, ",\"s\":\"t\"");
	} else if (span->beside) {
		write_id(s->out, ++t->last_id);
	} else {
		buf_str(s->out, ",\"dur\":");
		write_us(s->out, span->end - span->begin);
	}
	err = args_write(s->out, shape, record, size);
	if (err || !span->known || !span->beside)
		return err;
	event_begin(s, shape, record, size, "e", span->end);
	write_id(s->out, t->last_id);
	buf_char(s->out, '}');
	return 0;
}

static int write_record(struct sink *s, struct sink_shape *shape, const void *record, size_t size)
{
	struct event_header head;
	size_t start = s->out->len;
	struct span span;
	int err;

	if (size < shape->size_min)
		return -EBADMSG;
	memcpy(&head, record, sizeof(head));
	span = span_of(shape, &head, record, size);
	err = names_write(s, &head);
	if (!err)
		err = event_write(s, shape, record, size, &span);
	if (err)
		buf_rewind(s->out, start);
	return err;
}

/* ---- the array ---- */

/* Writes a first event that belongs to no record, so that all others have a comma before them. */
static void write_header(struct sink *s, const struct sink_shape *shape)
{
	(void)shape;
	buf_str(s->out, "[\n{\"name\":\"coretap\",\"ph\":\"M\",\"ts\":0,\"pid\":0,\"tid\":0,"
			"\"args\":{\"version\":\"" CORETAP_VERSION "\",\"applet\":");
	escape_write_json(s->out, s->applet, strlen(s->applet));
	buf_str(s->out, ",\"clock\":\"CLOCK_MONOTONIC\"}}");
}

static void write_end(struct sink *s)
{
	buf_str(s->out, "\n]\n");
}

/* Writes the losses, at the time when they were read. */
static void write_lost(struct sink *s, const struct schema *schema, const void *row, size_t size)
{
	struct buf line;
	struct sink own = { .schema = schema, .out = &line, .json = true, .applet = "lost" };

	buf_init(&line, -1);
	if (!sink_record(&own, row, size)) {
		buf_str(s->out,
			",\n{\"name\":\"lost\",\"cat\":\"coretap\",\"ph\":\"i\",\"s\":\"g\","
			"\"ts\":");
		write_us(s->out, now_ns());
		write_task_ids(s->out, 0, 0);
		buf_str(s->out, ",\"args\":");
		buf_bytes(s->out, line.data, line.len - 1); /* without its newline */
		buf_char(s->out, '}');
	}
	sink_free(&own);
	buf_free(&line);
}

const struct sink_form sink_form_trace_json = {
	.all_fields = true,
	.cells = cells_add,
	.cell = cell_prepare,
	.record = write_record,
	.header = write_header,
	.end = write_end,
	.lost = write_lost,
	.free = trace_free,
};
