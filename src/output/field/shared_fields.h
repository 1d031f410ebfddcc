/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * shared_fields.h - fields that several applets have: the container and cgroup of a task, histograms with
 * their percentiles.
 */
#ifndef CORETAP_OUTPUT_FIELD_SHARED_FIELDS_H
#define CORETAP_OUTPUT_FIELD_SHARED_FIELDS_H

#include "output/field/field.h"

/* The cgroup of a record's struct event_task, and its container (with --with-container). */
#define TASK_CGROUP_FIELD(struct_, member)                                                         \
	{                                                                                          \
		.name = "cgroup", FIELD_AT(struct_, member.cgroup), .type = FIELD_UINT,            \
		.flags = FIELD_JSON_ONLY, .help = "cgroup v2 id"                                   \
	}
#define TASK_CONTAINER_FIELD(struct_, member)                                                      \
	{                                                                                          \
		.name = "container", FIELD_AT(struct_, member.cgroup), .type = FIELD_CONTAINER,    \
		.width = 12, .flags = FIELD_OPTIONAL,                                              \
		.help = "its container, with --with-container: id or name; null on the host"       \
	}

/* For the field "pid" of a record's event_header, with --inner-pids. */
extern const struct field_kind field_inner_pid; /* run/pidns.c */
#define TASK_INNER_FIELD(struct_, member)                                                              \
	{                                                                                              \
		.name = "inner_pid", FIELD_AT(struct_, member.pid), .type = FIELD_UINT,                \
		.kind = &field_inner_pid, .flags = FIELD_OPTIONAL | FIELD_JSON_ONLY,                   \
		.help = "with --inner-pids: its number in its own pid namespace; null if that is ours" \
	}

/* A histogram that sorts a report's rows; JSON also gets its percentiles. The member is an array of u64 (HIST_BUCKETS
 * of them if axis_ is by powers of two). */
#define FIELD_PERCENTILE_ROW(struct_, member, axis_, percent_)                                     \
	{                                                                                          \
		.name = "p" #percent_, FIELD_AT(struct_, member), .type = FIELD_PERCENTILE,        \
		.axis = axis_, .percent = percent_ * 1000, .flags = FIELD_JSON_ONLY,               \
		.help = "below it lie " #percent_ " of 100 values, as estimated from the buckets"  \
	}
#define FIELD_HIST_ROWS(struct_, member, axis_, title_, help_)                                     \
	{ .name = #member,                                                                         \
	  .title = title_,                                                                         \
	  FIELD_AT(struct_, member),                                                               \
	  .type = FIELD_HIST,                                                                      \
	  .axis = axis_,                                                                           \
	  .flags = FIELD_SORT | FIELD_TOTAL,                                                       \
	  .help = help_ },                                                                         \
		FIELD_PERCENTILE_ROW(struct_, member, axis_, 50),                                  \
		FIELD_PERCENTILE_ROW(struct_, member, axis_, 90),                                  \
		FIELD_PERCENTILE_ROW(struct_, member, axis_, 99)

#endif
