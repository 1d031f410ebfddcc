/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lost.c - the ledger: sums up the losses that BPF programs counted, and reports those that grew.
 */
#include "run/lost.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "output/rows/sink.h"
#include "util/log.h"

#define BUSY "lost: the place of the key was in use"
#define BUSY_HINT                                                                                  \
	"two CPUs were at one key, or an interrupt came in between; --on a key that one thread "   \
	"alone uses avoids it"

/* The names of each kind of loss, and whether a whole record is lost with it. */
static const struct loss_kind {
	const char *key;		/* the name in JSON */
	const char *one, *many, *state; /* "1 record" or "2 records", then what happened to them */
	bool gone;
	const char *hint; /* the remedy, or what it means for the records */
	bool by_kernel;	  /* counted by the kernel, not by the program */
} kinds[LOSS_MAX] = {
	[LOSS_RING_FULL] = { "ring_full", "record", "records", "lost: the ring buffer was full",
			     true, "use a larger --buffer or a narrower filter" },
	[LOSS_MAP_FULL] = { "map_full", "record", "records", "lost: too many calls in flight", true,
			    "use a narrower filter; with --until also a larger --keys" },
	[LOSS_NO_ENTRY] = { "no_entry", "return of a call", "returns of calls",
			    "that began before the tracing", false,
			    "these calls are not shown; a forked child that returns from its "
			    "parent's call also counts here" },
	[LOSS_NO_RETURN] = { "no_return", "call", "calls", "that never returned", false,
			     "these calls are not shown: a longjmp or the end of the thread left "
			     "them, or more than 64 were nested" },
	[LOSS_FAULT] = { "fault", "value", "values", "that could not be read", false,
			 "the records show <fault> instead (JSON: null); the memory was not loaded yet, "
			 "or the address was wrong" },
	[LOSS_CUT] = { "cut", "value", "values", "cut to fit", false,
		       "… marks the part that was left out" },
	[LOSS_RECURSION] = { "recursion", "event", "events",
			     "missed: the probe was already running on that CPU", true, NULL,
			     true },
	[LOSS_MISSED] = { "missed", "event", "events", "missed by the kernel's own probes", true,
			  "kprobe.multi, and kretprobes without tracefs, have room for few calls "
			  "of a function at a time; fentry and tracepoints, where they work, have "
			  "room for all",
			  true },
	[LOSS_KEYS_FULL] = { "keys_full", "call", "calls", "not counted: no room for more keys",
			     true,
			     "use a narrower filter; with --by also a larger --keys or fewer "
			     "expressions" },
	[LOSS_REPLACED] = { "replaced", "start", "starts",
			    "replaced by a later one with the same key", false,
			    "they have no end, and are not shown; --first keeps the first of each "
			    "key" },
	[LOSS_PROCESS] = { "processes", "process", "processes",
			   "not followed at the fork: events there are missing", true, NULL },
	[LOSS_STACKS_FULL] = { "stacks_full", "stack", "stacks", "not kept: no room for more",
			       false,
			       "these calls show <not kept> instead; use a larger --keys; a smaller "
			       "--stack-depth may help" },
	[LOSS_NOT_LEFT] = { "not_left", "call", "calls",
			    "of --in or $depth whose return was not seen", false,
			    "until its next such call, the thread counted as inside; the cause is "
			    "a longjmp, or a return that the kernel missed" },
	[LOSS_TOO_DEEP] = { "too_deep", "call", "calls",
			    "of --in nested too deeply to store the values of @in( )", false,
			    "@in( ) has no value there: only the outer four of nested calls are "
			    "stored" },
	[LOSS_TORN] = { "torn", "tree", "trees", "torn by lost events, and not shown", true,
			"use fewer --funcs, or a narrower filter" },
	[LOSS_GONE] = { "gone", "module or file", "modules and files",
			"gone with the probes in it: events of its successor are missing", true,
			NULL },
	[LOSS_ROUNDS] = { "rounds", "loop", "loops",
			  "cut short: the kernel does not allow so many rounds", false,
			  "what the program computes in them is incomplete" },
	[LOSS_LOOKUP] = { "lookup", "event", "events", "lost: the kernel did not find their memory",
			  true, "that should not happen: please report it" },
	[LOSS_OUTPUT] = { "output", "record", "records", "lost: not written before the end", true,
			  NULL },
	[LOSS_BEGIN_BUSY] = { "begin_busy", "start", "starts", BUSY, true, BUSY_HINT },
	[LOSS_END_BUSY] = { "end_busy", "end", "ends", BUSY, true, BUSY_HINT },
	[LOSS_SWITCHED_OFF] = { "switched_off", "time", "times",
				"tracing was switched off in the kernel: events of that time are "
				"missing",
				true, NULL },
	[LOSS_CPU] = { "cpus", "processor", "processors",
		       "came online and cannot be sampled: samples there are missing", true,
		       "start again, now that they are online" },
};

/* Splits the returns without entry: as many as there were missed entries are lost calls; the other calls began before
 * tracing did. */
static void entries_account(struct lost *l)
{
	uint64_t *returns = &l->now[LOSS_NO_ENTRY];
	uint64_t lost = *returns < l->entries_missed ? *returns : l->entries_missed;

	*returns -= lost;
	l->now[LOSS_RECURSION] += lost;
}

/* Adds what the programs have counted on all CPUs. */
static int counts_add(const struct lost *l, uint64_t sums[LOSS_MAX])
{
	int cpus = libbpf_num_possible_cpus();
	uint64_t *values;
	int err = 0;

	if (l->map_fd < 0)
		return 0;
	if (cpus < 0)
		return cpus;
	values = calloc(cpus, sizeof(*values));
	if (!values)
		return -ENOMEM;
	for (uint32_t i = 0; i < LOSS_MAX && !err; i++) {
		err = bpf_map_lookup_elem(l->map_fd, &i, values);
		for (int cpu = 0; cpu < cpus && !err; cpu++)
			sums[i] += values[cpu];
	}
	free(values);
	return err;
}

int lost_read(struct lost *l)
{
	int err = 0;

	memcpy(l->now, l->local, sizeof(l->now));
	if (!l->is_over)
		err = counts_add(l, l->now);
	for (size_t i = 0; i < LOSS_MAX && l->is_over; i++)
		l->now[i] += l->kept[i];
	entries_account(l);
	return err;
}

void lost_over(struct lost *l, bool fits)
{
	if (l->is_over || counts_add(l, l->kept))
		return;
	l->is_over = true;
	if (fits)
		l->kept[LOSS_RING_FULL] = 0;
}

uint64_t lost_of_program(int prog_fd)
{
	struct bpf_prog_info info = {};
	__u32 len = sizeof(info);

	if (prog_fd < 0 || bpf_obj_get_info_by_fd(prog_fd, &info, &len))
		return 0;
	return info.recursion_misses;
}

void lost_add_program(struct lost *l, int prog_fd)
{
	l->local[LOSS_RECURSION] += lost_of_program(prog_fd);
}

/* The members of struct bpf_link_info that are needed; the build's headers may lack them. */
struct link_info {
	__u32 type, id, prog_id, pad;
	union {
		struct {
			__u64 addrs;
			__u32 count, flags;
			__u64 missed;
		} multi;
		struct {
			__u32 type, pad;
			__u64 name;
			__u32 name_len, offset;
			__u64 address, missed;
		} event;
	};
	__u8 rest[72];
};
/* Values of the kernel's ABI (linux/bpf.h, linux/perf_event.h). */
enum {
	LINK_TYPE_PERF_EVENT = 7,
	LINK_TYPE_KPROBE_MULTI = 8,
	EVENT_KPROBE = 3,
	EVENT_KRETPROBE = 4
};

/* Returns the counter of hits that the probe of a link missed, or NULL if this kernel has no such counter. */
static const __u64 *missed_find(int link_fd, struct link_info *info)
{
	__u32 len = sizeof(*info);

	if (bpf_obj_get_info_by_fd(link_fd, info, &len))
		return NULL;
	if (info->type == LINK_TYPE_KPROBE_MULTI)
		return &info->multi.missed;
	if (info->type == LINK_TYPE_PERF_EVENT &&
	    (info->event.type == EVENT_KPROBE || info->event.type == EVENT_KRETPROBE))
		return &info->event.missed;
	return NULL;
}

uint64_t lost_of_link(int link_fd)
{
	struct link_info info = { 0 };
	const __u64 *missed = missed_find(link_fd, &info);

	return missed ? *missed : 0;
}

void lost_add_link(struct lost *l, int link_fd, bool is_kprobe)
{
	struct link_info info = { 0 };
	const __u64 *told = missed_find(link_fd, &info);
	int64_t missed = told ? (int64_t)*told : 0;

	if (!told && is_kprobe && l->reader.open)
		missed = missed_read(l->reader.program, link_fd);
	if (missed > 0)
		l->local[LOSS_MISSED] += missed;
}

/* Since 5.15 the fd is that of a link, for which the kernel reports information. */
bool lost_link_counts(struct lost *l, int link_fd, const struct btf_view *btf)
{
	struct link_info info = { 0 };

	if (missed_find(link_fd, &info))
		return true;
	if (!l->reader.open) {
		l->reader.program = missed_open(btf, info.type == LINK_TYPE_PERF_EVENT);
		l->reader.open = l->reader.program >= 0;
	}
	return l->reader.open && missed_read(l->reader.program, link_fd) >= 0;
}

uint64_t lost_records(const struct lost *l)
{
	uint64_t sum = 0;

	for (int i = 0; i < LOSS_MAX; i++)
		if (kinds[i].gone)
			sum += l->now[i];
	return sum;
}

const char *lost_key(enum loss kind, bool *gone)
{
	*gone = kinds[kind].gone;
	return kinds[kind].key;
}

static bool is_at_most(const struct lost *l, int kind)
{
	return kinds[kind].by_kernel && (l->filtered || l->twice);
}

uint64_t lost_surely(const struct lost *l)
{
	uint64_t sum = 0;

	for (int i = 0; i < LOSS_MAX; i++)
		if (kinds[i].gone && !is_at_most(l, i))
			sum += l->now[i];
	return sum;
}

/* A row of the ledger in JSON, without losses that are 0. */
struct lost_row {
	uint64_t records, lost, kinds[LOSS_MAX];
	uint8_t final, at_most;
};

static void fields_build(struct field fields[LOSS_MAX + 4])
{
	struct field *f = fields;

	*f++ = (struct field)FIELD(struct lost_row, final, FIELD_BOOL, 0, NULL);
	*f++ = (struct field)FIELD(struct lost_row, records, FIELD_UINT, 0, NULL);
	*f++ = (struct field)FIELD(struct lost_row, lost, FIELD_UINT, 0, NULL);
	for (int i = 0; i < LOSS_MAX; i++)
		*f++ = (struct field){ .name = kinds[i].key,
				       .type = FIELD_UINT,
				       .flags = FIELD_SPARSE,
				       FIELD_AT(struct lost_row, kinds[i]) };
	*f = (struct field)FIELD(struct lost_row, at_most, FIELD_BOOL, 0, NULL,
				 .flags = FIELD_SPARSE);
}

static void report_to_sink(const struct lost *l, struct sink *s, uint64_t rows, bool final)
{
	struct lost_row row = { .records = rows, .lost = lost_records(l), .final = final };
	struct field fields[LOSS_MAX + 4];
	struct schema schema = {
		.fields = fields, .count = LOSS_MAX + 4, .bare = true, .record_min = sizeof(row)
	};

	fields_build(fields);
	for (int i = 0; i < LOSS_MAX; i++) {
		row.kinds[i] = l->now[i];
		row.at_most |= l->now[i] && is_at_most(l, i);
	}
	sink_lost(s, &schema, &row, sizeof(row));
}

static void at_most_note(const struct lost *l)
{
	if (l->filtered)
		log_hint("at most: the kernel counts them before any filter is applied");
	if (l->twice)
		log_hint("at most: a call whose entry and return were both missed counts twice%s",
			 l->session ? "; --attach fentry counts it once" : "");
}

static void kind_report(const struct lost *l, int kind, const char *when)
{
	const struct loss_kind *k = &kinds[kind];
	unsigned long long now = l->now[kind];
	const char *noun = now == 1 ? k->one : k->many;

	if (k->gone)
		log_warn("%s%s%llu %s %s", when, is_at_most(l, kind) ? "at most " : "", now, noun,
			 k->state);
	else
		log_note("%s%llu %s %s", when, now, noun, k->state);
}

/* Reports each kind when it first grows, and all totals at the end. */
static void report_to_stderr(const struct lost *l, bool final)
{
	for (int i = 0; i < LOSS_MAX; i++) {
		bool again = l->reported[i] && i != LOSS_NO_ENTRY;

		if (!l->now[i] || (!final && again))
			continue;
		if (i == LOSS_NO_ENTRY &&
		    !final) /* whether entries were missed is only known at the end */
			continue;
		kind_report(l, i, !final ? "so far, " : again ? "in total, " : "");
		if (kinds[i].hint && (kinds[i].gone || !log_is_quiet()))
			log_hint("%s", kinds[i].hint);
		if (final && is_at_most(l, i))
			at_most_note(l);
	}
}

void lost_report(struct lost *l, struct sink *sink, uint64_t rows, bool final)
{
	bool grew = memcmp(l->now, l->reported, sizeof(l->now)) != 0;
	bool any = false;

	for (int i = 0; i < LOSS_MAX; i++)
		any |= l->now[i] != 0;
	if (sink && (grew || (final && any)))
		report_to_sink(l, sink, rows, final);
	if (grew || final)
		report_to_stderr(l, final);
	memcpy(l->reported, l->now, sizeof(l->reported));
}
