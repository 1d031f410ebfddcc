/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * line.c - prints a record as a line of strace: task, time, the call and its duration.
 */
#include <stdio.h>
#include <string.h>

#include "applets/syssnoop/parts.h"
#include "applets/syssnoop/show.h"
#include "output/field/stack.h"
#include "output/field/timestamp.h"
#include "run/pidns.h"
#include "util/clock.h"
#include "util/escape.h"

struct line_state line_state;
static uint64_t last; /* time of the previous line */
/* The task of the previous line, as text: the next line usually has the same one. */
static struct {
	uint32_t tid, inner;
	char comm[EVENT_COMM_LEN], text[128];
	size_t len; /* 0: none */
} whose;

void line_forget(void)
{
	whose.len = 0;
}

/* ---- times ---- */

static void fraction_write(struct buf *o, uint64_t ns, unsigned digits)
{
	uint64_t part = ns % NS_PER_SEC;

	for (unsigned i = digits; i < 9; i++)
		part /= 10;
	if (!digits)
		return;
	buf_char(o, '.');
	buf_uint_pad(o, part, digits);
}

static void seconds_write(struct buf *o, uint64_t ns, int width, unsigned digits)
{
	buf_uint_right(o, ns / NS_PER_SEC, width);
	fraction_write(o, ns, digits);
}

static void clock_write(struct buf *o, uint64_t ts)
{
	if (how.times == TIMES_UNIX) {
		seconds_write(o, timestamp_wall(ts), 0, how.times_digits);
		return;
	}
	timestamp_write(o, ts, TIMESTAMP_CLOCK);
	buf_rewind(o, o->len - strlen(".123456"));
	fraction_write(o, timestamp_wall(ts), how.times_digits);
}

/* 12:34:56 (+     0.000123) */
static void write_time(struct buf *o, uint64_t ts)
{
	if (how.times) {
		clock_write(o, ts);
		buf_char(o, ' ');
	}
	if (!how.relative)
		return;
	buf_str(o, how.times ? "(+" : "");
	seconds_write(o, last && ts > last ? ts - last : 0, 6, how.relative_digits);
	buf_str(o, how.times ? ") " : " ");
	last = ts;
}

/* ---- tasks ---- */

static void comm_write(struct buf *o, const char *comm)
{
	if (!comm[0]) /* of a call that has not returned it may be unknown */
		return;
	syscall_write_name(o, comm, strnlen(comm, EVENT_COMM_LEN), &how.text);
}

/* --inner-pids: the number in the task's own namespace; 0: it is not shown. */
static uint32_t inner_shown(uint32_t tid)
{
	return how.has_inner ? inner_of(tid) : 0;
}

/* Writes [pid 17<bash>], or 17 in a file. */
static void pid_write(struct buf *o, const struct event_header *h, uint32_t inner, bool has_comm)
{
	size_t begin;

	buf_str(o, how.is_bare ? "" : "[pid ");
	begin = o->len;
	buf_uint_right(o, h->tid, how.is_bare || how.has_comm ? 0 : 5);
	if (inner) {
		buf_char(o, '/');
		buf_uint(o, inner);
	}
	if (has_comm)
		comm_write(o, h->comm);
	while (how.is_bare && !o->error && o->len < begin + 5)
		buf_char(o, ' ');
	buf_str(o, how.is_bare ? " " : "] ");
}

static void write_whose(struct buf *o, const struct event_header *h)
{
	uint32_t inner = inner_shown(h->tid);
	size_t start = o->len;

	if (whose.len && whose.tid == h->tid && whose.inner == inner &&
	    !memcmp(whose.comm, h->comm, EVENT_COMM_LEN)) {
		buf_bytes(o, whose.text, whose.len);
		return;
	}
	pid_write(o, h, inner, true);
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

static void address_write(struct buf *o, const struct syssnoop_event *e)
{
	const struct syssnoop_chunk *c = syscall_caller(e, 1);
	uint64_t ip = e->kind == SYSSNOOP_SIGNAL ? (uint64_t)e->ret : 0;

	if (c && c->len >= sizeof(ip))
		memcpy(&ip, c + 1, sizeof(ip));
	if (!ip) {
		buf_str(o, "[????????????????] ");
		return;
	}
	buf_printf(o, "[%016llx] ", (unsigned long long)ip);
}

void line_lead(struct buf *o, const struct syssnoop_event *e)
{
	if (how.has_comm)
		write_whose(o, &e->header);
	else if (!how.split && (how.has_pids || line_state.threads > 1))
		pid_write(o, &e->header, inner_shown(e->header.tid), how.text.pid_names);
	write_time(o, e->header.ts);
	if (how.has_numbers && e->kind == SYSSNOOP_CALL)
		buf_printf(o, "[%4u] ", e->nr);
	else if (how.has_numbers)
		buf_str(o, "[????] ");
	if (how.has_addresses)
		address_write(o, e);
}

/* Writes the part of a call that belongs to this line; for other records everything. */
static void body_write(struct buf *o, const struct syssnoop_event *e, enum syscall_part part,
		       size_t begin)
{
	size_t lead = o->len - begin;

	how.text.column = lead < how.column ? how.column - (unsigned)lead : 1;
	how.text.part = part;
	syscall_write_text(o, e, &how.text);
}

void line_begin(struct buf *o, const struct syssnoop_event *e, uint32_t becomes)
{
	static const char unfinished[] = " <unfinished ...>";
	size_t begin = o->len;

	line_lead(o, e);
	body_write(o, e, SYSCALL_HEAD, begin);
	if (becomes && !o->error) {
		buf_rewind(o, o->len - strlen(unfinished));
		buf_printf(o, " <pid changed to %u ...>", becomes);
	}
	buf_char(o, '\n');
}

/* ---- the stack of the caller (-k) ---- */

/* FILE(FUNCTION+0x1b) [0x12345]: an address in the file, wherever it is mapped. */
static void frame_write(struct buf *o, const struct frame *f)
{
	buf_str(o, " > ");
	if (f->path || f->module)
		escape_write(o, f->path ?: f->module, strlen(f->path ?: f->module));
	buf_char(o, '(');
	if (f->name)
		escape_write(o, f->name, strlen(f->name));
	if (f->name)
		buf_printf(o, "+0x%llx", (unsigned long long)f->offset);
	buf_str(o, ") ");
	if (f->source) {
		escape_write(o, f->source, strlen(f->source));
		buf_printf(o, ":%u ", f->line);
	}
	buf_printf(o, "[0x%llx]\n", (unsigned long long)(f->in_file ?: f->address));
}

static void stack_write(struct buf *o, const struct syssnoop_event *e)
{
	const struct syssnoop_chunk *c = syscall_caller(e, 0);
	struct field copy = { .type = FIELD_USER_STACK, .kind = &stack_copy_kind };
	struct stack_walk walk;
	struct frame frame;
	struct value v;

	if (!c)
		return;
	copy.offset = (unsigned)((const char *)(c + 1) - (const char *)e);
	copy.size = c->len;
	copy.width = (int)how.stack_frames;
	if (stack_copy_load(&copy, e, e->size, &v))
		return;
	stack_begin(&walk, &copy, &v);
	while (stack_next(&walk, &frame))
		frame_write(o, &frame);
}

static void line_write(struct buf *o, const struct syssnoop_event *e, enum syscall_part part)
{
	size_t begin = o->len;

	line_lead(o, e);
	body_write(o, e, part, begin);
	if (how.latency && e->latency != SYSSNOOP_NO_LATENCY) {
		buf_str(o, " <");
		seconds_write(o, e->latency, 0, how.latency_digits);
		buf_char(o, '>');
	}
	buf_char(o, '\n');
	if (how.text.reads || how.text.writes)
		syscall_write_dump(o, e, &how.text);
	if (how.stack)
		stack_write(o, e);
}

void show_text(struct buf *o, const void *record)
{
	const struct syssnoop_event *e = record;

	line_write(o, e, line_state.is_resumed ? SYSCALL_REST : SYSCALL_WHOLE);
}
