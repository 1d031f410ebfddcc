/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sample_spec.c - parses texts of samples to perf events (sample_spec.h). Does not ask the kernel.
 *
 * A hardware event occurs so often that only one of some thousands can be sampled. A software event is sampled each
 * time, so that counts are exact; only its clocks tick, in ns.
 */
#include "probe/sample_spec.h"

#include <ctype.h>
#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/clock.h"
#include "util/suggest.h"
#include "util/time_unit.h"

enum {
	MANY = 1000000,
	SOME = 10000,
	TICK = 1000000, /* ns */
	SHORTEST =
		/* ns: the kernel raises shorter periods to this (perf_swevent_init_hrtimer) */
	10000
};

#define HW(name_, config_, period_)                                                                \
	{                                                                                          \
		.name = name_, .type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_##config_,      \
		.period = period_                                                                  \
	}
#define SW(name_, config_, period_, has_address_)                                                  \
	{                                                                                          \
		.name = name_, .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_##config_,      \
		.period = period_, .has_address = has_address_                                     \
	}
const struct sample_event sample_events[] = {
	HW("cycles", CPU_CYCLES, MANY),
	HW("instructions", INSTRUCTIONS, MANY),
	HW("cache-references", CACHE_REFERENCES, MANY),
	HW("cache-misses", CACHE_MISSES, SOME),
	HW("branches", BRANCH_INSTRUCTIONS, MANY),
	HW("branch-misses", BRANCH_MISSES, SOME),
	HW("bus-cycles", BUS_CYCLES, MANY),
	HW("stalled-cycles-frontend", STALLED_CYCLES_FRONTEND, MANY),
	HW("stalled-cycles-backend", STALLED_CYCLES_BACKEND, MANY),
	HW("ref-cycles", REF_CPU_CYCLES, MANY),
	SW("cpu-clock", CPU_CLOCK, TICK, false),
	SW("task-clock", TASK_CLOCK, TICK, false),
	SW("page-faults", PAGE_FAULTS, 1, true),
	SW("minor-faults", PAGE_FAULTS_MIN, 1, true),
	SW("major-faults", PAGE_FAULTS_MAJ, 1, true),
	SW("context-switches", CONTEXT_SWITCHES, 1, false),
	SW("cpu-migrations", CPU_MIGRATIONS, 1, false),
	SW("alignment-faults", ALIGNMENT_FAULTS, 1, true),
	SW("emulation-faults", EMULATION_FAULTS, 1, true),
	SW("dummy", DUMMY, 1, false),
	SW("bpf-output", BPF_OUTPUT, 1, false),
	{ 0 },
};

bool sample_event_is(const struct sample_event *event, enum probe_spec_kind kind)
{
	return event->name && (event->type == PERF_TYPE_HARDWARE) == (kind == PROBE_SPEC_HARDWARE);
}

static int fail(struct sample_error *e, const char *hint, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static int fail(struct sample_error *e, const char *hint, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(e->message, sizeof(e->message), fmt, args);
	va_end(args);
	snprintf(e->hint, sizeof(e->hint), "%s", hint);
	return -EINVAL;
}

/* Parses a whole number from 1 to `max`; returns 0 for anything else. */
static uint64_t number_read(const char *text, uint64_t max)
{
	uint64_t number;
	char *end;

	errno = 0;
	number = isdigit((unsigned char)*text) ? strtoull(text, &end, 10) : 0;
	return !number || *end || errno || number > max ? 0 : number;
}

static int rate_parse(const char *text, struct attach_sample *s, struct sample_error *error)
{
	s->period = number_read(text, 1000000000 / SHORTEST);
	s->per_second = true;
	if (s->period)
		return 0;
	return fail(error, "hz:99 takes a sample 99 times a second on each CPU",
		    "hz: needs a whole number from 1 to %d", 1000000000 / SHORTEST);
}

static int interval_parse(const char *text, struct attach_sample *s, struct sample_error *error)
{
	s->once = true;
	s->period = 0;
	time_text_ns(text, "s", &s->period);
	if (s->period >= SHORTEST)
		return 0;
	return fail(error, "every:1 every:0.5 every:100ms every:2m",
		    "every: needs a time of at least 10us");
}

static const struct sample_event *event_find(enum probe_spec_kind kind, const char *text,
					     size_t len)
{
	const struct sample_event *e = sample_events;

	for (; e->name; e++)
		if (sample_event_is(e, kind) && strlen(e->name) == len &&
		    !memcmp(e->name, text, len))
			return e;
	return NULL;
}

static int event_unknown(enum probe_spec_kind kind, const char *name, struct sample_error *error)
{
	static const struct suggest_words hardware = { .before = "hw:",
						       .also = "argdump -l 'hw:*' lists all" };
	static const struct suggest_words software = { .before = "sw:",
						       .also = "argdump -l 'sw:*' lists all" };
	bool is_hardware = kind == PROBE_SPEC_HARDWARE;
	struct suggestion near;
	char hint[128];

	suggest_init(&near, name);
	for (const struct sample_event *e = sample_events; e->name; e++)
		if (sample_event_is(e, kind))
			suggest_offer(&near, e->name);
	suggest_write(&near, is_hardware ? &hardware : &software, hint, sizeof(hint));
	return fail(error, hint, "unknown event %s:%.64s", is_hardware ? "hw" : "sw", name);
}

static int event_parse(enum probe_spec_kind kind, const char *text, struct attach_sample *s,
		       const struct sample_event **event, struct sample_error *error)
{
	size_t len = strcspn(text, ":");
	char name[64];

	*event = event_find(kind, text, len);
	snprintf(name, sizeof(name), "%.*s", (int)len, text);
	if (!*event)
		return event_unknown(kind, name, error);
	s->type = (*event)->type;
	s->config = (*event)->config;
	s->period = text[len] ? number_read(text + len + 1, INT64_MAX) : (*event)->period;
	if (s->period)
		return 0;
	return fail(error, "hw:cache-misses:10000 takes a sample of each 10000th",
		    "the period is a whole number from 1 on");
}

/* ---- watch: ---- */

/* Parses "rw" to HW_BREAKPOINT_RW; returns 0 for anything else. */
static uint32_t access_parse(const char *text)
{
	uint32_t access = 0;

	for (; *text; text++) {
		uint32_t bit = *text == 'r' ? HW_BREAKPOINT_R :
			       *text == 'w' ? HW_BREAKPOINT_W :
			       *text == 'x' ? HW_BREAKPOINT_X :
					      0;

		if (!bit || access & bit)
			return 0;
		access |= bit;
	}
	return access & HW_BREAKPOINT_X && access != HW_BREAKPOINT_X ? 0 : access;
}

static int watch_parse(const char *text, struct attach_sample *s, struct sample_error *error)
{
	static const char form[] = "watch:0x601040:8:rw watches 8 bytes from there on";
	char *length, *mode;

	errno = 0;
	s->type = PERF_TYPE_BREAKPOINT;
	s->period = 1;
	s->address = isdigit((unsigned char)*text) ? strtoull(text, &length, 0) : 0;
	if (!s->address || errno || *length != ':')
		return fail(error, form, "watch: needs an address, a length and a mode");
	s->length = (uint32_t)strtoul(length + 1, &mode, 10);
	if (*mode != ':' || !s->length || s->length > 8 || s->length & (s->length - 1))
		return fail(error, form, "a processor watches 1, 2, 4 or 8 bytes");
	if (s->address % s->length)
		return fail(error, form, "the address of %u bytes must be a multiple of %u",
			    s->length, s->length);
	s->access = access_parse(mode + 1);
	if (!s->access)
		return fail(error, "r and w may be together, as rw; x is alone",
			    "unknown mode '%.16s': expected r, w, x or rw", mode + 1);
	if (s->access == HW_BREAKPOINT_X)
		s->length = sizeof(long); /* the length that the kernel requires */
	return 0;
}

int sample_spec_parse(enum probe_spec_kind kind, const char *text, struct attach_sample *sample,
		      const struct sample_event **event, struct sample_error *error)
{
	*sample = (struct attach_sample){ .type = PERF_TYPE_SOFTWARE,
					  .config = PERF_COUNT_SW_CPU_CLOCK };
	*event = NULL;
	switch (kind) {
	case PROBE_SPEC_HZ: return rate_parse(text, sample, error);
	case PROBE_SPEC_EVERY: return interval_parse(text, sample, error);
	case PROBE_SPEC_WATCH: return watch_parse(text, sample, error);
	default: return event_parse(kind, text, sample, event, error);
	}
}
