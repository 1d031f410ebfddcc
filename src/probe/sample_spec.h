/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sample_spec.h - parses what hz:N, every:SEC, hw:EVENT[:PERIOD] and sw:EVENT[:PERIOD] sample, and what
 * watch:ADDRESS:LENGTH:MODE watches.
 */
#ifndef CORETAP_PROBE_SAMPLE_SPEC_H
#define CORETAP_PROBE_SAMPLE_SPEC_H

#include "attach/events.h"
#include "probe/probe_spec.h"

/* A software or hardware event, by its name in perf. */
struct sample_event {
	const char *name;
	uint8_t type, config; /* PERF_TYPE_…, PERF_COUNT_… */
	uint32_t period;      /* the period without one in the text */
	bool has_address;     /* its samples contain the address of the memory that was accessed */
};
/* All events, those of hw: first; ends with a name of NULL. */
extern const struct sample_event sample_events[];
/* True for an event of that kind. */
bool sample_event_is(const struct sample_event *event, enum probe_spec_kind kind);

/* An error in a text; the hint may be empty. */
struct sample_error {
	char message[128], hint[192];
};

/* Parses the text after "hz:" etc. *event is NULL for timers. Returns 0, or -EINVAL with *error filled. */
int sample_spec_parse(enum probe_spec_kind kind, const char *text, struct attach_sample *sample,
		      const struct sample_event **event, struct sample_error *error);

#endif
