/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * window.c - when the recording begins and ends: --begin-if, --stop-if, --before.
 *
 * What precedes the begin is cheapest to drop in the program (expr/emit/emit_common.c), so it is dropped there,
 * unless --before wants it. Which record is the last is the reader's decision, because records arrive in order. For
 * counts the program decides, and the reader checks whether it has.
 *
 * With several probes, a condition after one belongs to that probe; calls of the others neither begin nor end the
 * recording.
 */
#include "probe/window.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"
#include "probe/argdump.h"
#include "util/log.h"

static enum model_setting setting_of(enum expr_trigger trigger)
{
	return trigger == EXPR_TRIGGER_BEGIN ? MODEL_BEGIN_IF : MODEL_STOP_IF;
}

static bool has(const struct argdump *a, enum expr_trigger trigger)
{
	return model_has(&a->model, setting_of(trigger));
}

/* ---- options ---- */

/* Allows one common condition, or one for a probe. */
static int repeats_check(const struct argdump *a)
{
	if (!model_is_twice(&a->model, MODEL_BEGIN_IF) && !model_is_twice(&a->model, MODEL_STOP_IF))
		return 0;
	log_hint("A || B is true if one is, A && B if both are");
	return -EINVAL;
}

/* Returns the condition of a request: if another probe's condition begins or ends the recording, one that is never
 * true. */
static const char *condition_of(const struct argdump *a, const struct argdump_request *r,
				enum expr_trigger trigger)
{
	const struct model_option *o = model_next(&a->model, r->given, setting_of(trigger), NULL);

	return o ? o->text.text : has(a, trigger) ? "0" : NULL;
}

static void triggers_set(struct argdump *a)
{
	for (size_t i = 0; i < a->request_count; i++)
		for (int t = EXPR_TRIGGER_BEGIN; t < EXPR_TRIGGERS; t++)
			a->requests[i].triggers[t] = condition_of(a, &a->requests[i], t);
}

int window_set(struct argdump *a, const struct options *o)
{
	struct argdump_window *w = &a->window;
	bool begins = has(a, EXPR_TRIGGER_BEGIN), stops = has(a, EXPR_TRIGGER_STOP);
	int err = repeats_check(a);

	if (err)
		return err;
	if (w->before.most && !begins && !stops) {
		log_error("--before needs --begin-if or --stop-if");
		log_hint(
			"PROBE --stop-if EXPR --before N prints the last N records before it, and it");
	} else if (w->before.most && o->limits.ring) {
		log_error("--before and --ring exclude each other: both keep the last records");
	} else if (w->before.most && aggregate_wanted(&a->aggregate)) {
		log_error("--before stores records, and counting produces none");
		log_hint("--begin-if and --stop-if limit what is counted");
	} else if (w->before.most > RECORDER_MAX) {
		log_error("--before is at most %d records", RECORDER_MAX);
	} else if ((begins || stops) && model_has(&a->model, MODEL_OPEN)) {
		log_error("--open shows pairs at the end: it cannot be combined with --begin-if or "
			  "--stop-if");
	} else {
		w->bounds = begins || stops;
		w->begun = !w->before.most && !begins;
		triggers_set(a);
		return 0;
	}
	return -EINVAL;
}

/* ---- programs ---- */

void window_input(const struct argdump *a, const struct argdump_probe *p, struct expr_input *in)
{
	memcpy(in->triggers, p->request->triggers, sizeof(in->triggers));
	in->in_record[EXPR_TRIGGER_BEGIN] = a->window.before.most != 0;
	in->in_record[EXPR_TRIGGER_STOP] = !in->run.aggregate;
}

bool window_counts(const struct argdump *a)
{
	return has(a, EXPR_TRIGGER_STOP) && aggregate_wanted(&a->aggregate);
}

bool window_has_ended(const struct argdump *a)
{
	uint64_t words[EXPR_TRIGGERS] = { 0 };
	int fd = a->maps.fds[EXPR_MAP_TRIGGER];
	uint32_t key = 0;

	return fd >= 0 && !bpf_map_lookup_elem(fd, &key, words) && words[EXPR_TRIGGER_STOP];
}

/* ---- records ---- */

bool window_reads(const struct argdump *a)
{
	return !aggregate_wanted(&a->aggregate) &&
	       (a->window.before.most || has(a, EXPR_TRIGGER_STOP));
}

int window_show(struct session *s, const void *record, size_t size,
		int (*show)(struct session *s, const void *record, size_t size))
{
	struct argdump *a = s->private;
	struct argdump_window *w = &a->window;
	uint32_t number = a->probe_count > 1 ? expr_record_probe(record, size) : 0;
	bool begins = has(a, EXPR_TRIGGER_BEGIN), stops;
	const struct expr_program *p;
	int err = 0;

	if (number >= a->probe_count || !a->probes[number].expr ||
	    size < expr_record_size(a->probes[number].expr))
		return show(s, record, size); /* reports that it is damaged */
	p = a->probes[number].expr;
	stops = expr_triggers(p, EXPR_TRIGGER_STOP, record);
	if (!w->begun && w->before.most) {
		w->begun = begins ? expr_triggers(p, EXPR_TRIGGER_BEGIN, record) : stops;
		if (!w->begun)
			return recorder_add(&w->before, record, size);
		err = recorder_show(&w->before, s, show);
	}
	w->begun = true;
	if (!err && !session_limit_reached(s))
		err = show(s, record, size);
	if (stops)
		s->end.is_over = true;
	return err;
}

/* ---- the end ---- */

static void not_shown_report(uint64_t count, const char *why)
{
	log_note("%llu record%s not shown: %s", (unsigned long long)count, count == 1 ? "" : "s",
		 why);
}

void window_report(const struct argdump *a, const struct session *s)
{
	const struct argdump_window *w = &a->window;
	uint64_t rest = w->before.left_out;
	bool begins = has(a, EXPR_TRIGGER_BEGIN);

	if (!s->end.at || (!w->before.most && !begins))
		return;
	if (!w->before.most && !s->sink.rows && !aggregate_wanted(&a->aggregate))
		log_note("--begin-if was never true: nothing was recorded");
	else if (w->begun && rest)
		not_shown_report(rest, "they came before the last ones that --before stores");
	else if (!w->begun && w->before.next)
		not_shown_report(w->before.next,
				 begins ? "--begin-if was never true" : "--stop-if was never true");
}
