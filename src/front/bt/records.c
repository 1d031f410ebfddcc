/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * records.c - what happens to each record of a program: it prints, ends the run, or fails a test.
 */
#include "front/bt/bt.h"

#include <errno.h>

#include "run/recorder.h"
#include "run/stop.h"

enum { EXIT_FAILED_ASSERT = 1 }; /* as in bpftrace */

/* A test ends only itself. */
static void run_end(struct bt *b)
{
	b->is_exiting = true;
	if (!b->asked.tested)
		stop_note();
}

static int exit_record(struct session *s, struct bt *b, const struct script_action *action,
		       const void *record, size_t size)
{
	s->end.status = bt_action_number(action, 0, record, size, 0);
	run_end(b);
	return 0;
}

static int assert_record(struct session *s, struct bt *b, const struct script_action *action,
			 const void *record, size_t size)
{
	int err = bt_assert_show(&b->show, action, record, size);

	buf_flush(&b->err);
	s->end.status = EXIT_FAILED_ASSERT;
	run_end(b);
	return err;
}

/* True for what prints after exit(): END, and iterators, which are read to their end. */
static bool runs_on(const struct session *s, const struct bt *b, size_t point)
{
	enum script_probe_kind kind;

	if (point < b->a.run.point_count)
		return false;
	kind = b->specials[point - b->a.run.point_count].attach->kind;
	return kind == PROBE_END ||
	       (kind == PROBE_ITER && !(b->asked.limit && s->sink.rows >= b->asked.limit));
}

/* True for actions that -n counts. */
static bool is_output(const struct script_action *action)
{
	switch (action->kind) {
	case ACTION_EXIT:
	case ACTION_CLEAR:
	case ACTION_ZERO:
	case ACTION_FAILURE:
	case ACTION_WARNING:
	case ACTION_DELETE_MISSED: return false;
	default: return true;
	}
}

/* -n: ends the run like exit(). */
static void limit_reach(struct session *s, struct bt *b)
{
	b->is_exiting = true;
	lost_over(&s->losses, ring_fits(s->ring));
	stop_note();
}

static int record_write(struct session *s, const void *record, size_t size)
{
	const struct script_record *head = record;
	struct bt *b = bt_of(s);

	s->sink.rows++;
	bt_live_action(b, b->script->actions[head->action], record, size);
	return bt_print_action(b, b->script->actions[head->action], record, size);
}

static void header_write(struct session *s)
{
	bt_rows_header(&bt_of(s)->show);
}

static int record_read(struct session *s, const void *record, size_t size)
{
	struct bt *b = bt_of(s);
	const struct script_record *head = record;
	const struct script_action *action;
	int err;

	if (size < sizeof(*head) || head->action >= b->script->action_count)
		return -EBADMSG;
	action = b->script->actions[head->action];
	if (size < action->size)
		return -EBADMSG;
	if (b->is_exiting && !runs_on(s, b, head->point))
		return 0;
	err = bt_report_read(b, record, size);
	if (err)
		return err < 0 ? err : 0;
	b->a.saw_calls |= head->point < b->a.run.point_count;
	switch (action->kind) {
	case ACTION_EXIT: return exit_record(s, b, action, record, size);
	case ACTION_ASSERT: return assert_record(s, b, action, record, size);
	default:
		err = is_output(action) ? recorder_output(s, record, size) :
					  bt_print_action(b, action, record, size);
	}
	if (b->asked.limit && s->sink.rows >= b->asked.limit && !b->is_exiting)
		limit_reach(s, b);
	return err;
}

void bt_records_begin(struct session *s)
{
	s->record = record_read;
	s->rows.write = record_write;
	s->rows.header = header_write;
}
