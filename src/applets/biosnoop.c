/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * biosnoop.c - every request to a disk: which task sent it, what it was, and how long it took; or, counted in the
 * kernel, how many there were and how long they took.
 */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/field/flag_names.h"
#include "applets/disks.h"
#include "output/field/hist.h"
#include "output/field/shared_fields.h"
#include "output/field/value.h"
#include "run/reporting.h"
#include "run/session.h"
#include "applets/request_hooks.h"
#include "util/log.h"
#include "biosnoop.h"
#include "biosnoop.skel.h"

static bool count, hist, files, pattern;
static uint64_t longer;
static struct option_list names; /* --disk */

static enum biosnoop_mode mode;
static struct disk_wanted disks[DISKS_MAX];

/* clang-format off */
static const struct option_spec options[] = {
	{ .name = "disk", .letter = 'D', .type = OPTION_LIST, .arg = "NAME", .value = &names,
	  .help = "only this disk with its partitions, or this partition: sda, sda1, /dev/disk/by-…" },
	{ .name = "longer", .type = OPTION_SECONDS, .arg = "TIME", .value = &longer,
	  .help = "only requests that took longer, queue and device together: 10ms" },
	{ .name = "files", .type = OPTION_FLAG, .value = &files,
	  .help = "print the file whose pages a request reads or writes, from the root of its file "
		  "system; unknown for direct I/O, encrypted or compressed data, and metadata",
	  .brief = "print the file that a request reads or writes" },
	{ .name = "pattern", .letter = 'P', .type = OPTION_FLAG, .value = &pattern,
	  .help = "print whether a request begins where the one completed before it on the same disk "
		  "ended, of those that are traced: sequential or random",
	  .brief = "print whether a request is sequential or random" },
	{ .name = "count", .type = OPTION_FLAG, .value = &count,
	  .help = "count requests and bytes in the kernel, by process, device and operation" },
	{ .name = "hist", .type = OPTION_FLAG, .value = &hist,
	  .help = "print histograms of latencies, by device and operation" },
	{ 0 },
};
/* clang-format on */

/* ---- columns ---- */

/* Builds the name of a partition like the kernel: sda1, but nvme0n1p1. */
static void device_value(const struct field *f, const void *record, struct value *v)
{
	const struct biosnoop_key *key = record;
	size_t len = text_length(key->disk, sizeof(key->disk));
	static char name[sizeof(key->disk) + 16];
	bool digit = len && isdigit((unsigned char)key->disk[len - 1]);

	(void)f;
	v->bytes = key->disk;
	v->len = len;
	if (!key->part)
		return;
	v->bytes = name;
	v->len = snprintf(name, sizeof(name), "%.*s%s%u", (int)len, key->disk, digit ? "p" : "",
			  key->part);
}

#define AT(member) FIELD_AT(struct biosnoop_event, member)
#define EVENT(member, type, width, help, ...)                                                      \
	FIELD(struct biosnoop_event, member, type, width, help, ##__VA_ARGS__)

enum {
	COLUMN_COMM,
	COLUMN_PID,
	COLUMN_TID,
	COLUMN_CONTAINER,
	COLUMN_INNER,
	COLUMN_DISK,
	COLUMN_DEVICE,
	COLUMN_RWBS,
	COLUMN_OP,
	COLUMN_SECTOR,
	COLUMN_REQUESTS,
	COLUMN_BYTES,
	COLUMN_FAILED,
	COLUMN_QUEUED,
	COLUMN_LATENCY,
	COLUMN_ERRNO,
	COLUMN_RET,
	COLUMN_REQUEUES,
	COLUMN_FLAGS,
	COLUMN_VIA,
	COLUMN_PATTERN,
	COLUMN_FILE,
	COLUMN_HIST, /* and its percentiles */
	COLUMN_END = COLUMN_HIST + 4,
};

static const struct field_name patterns[] = { { BIOSNOOP_UNKNOWN, "-", 0 },
					      { BIOSNOOP_RANDOM, "random", 0 },
					      { BIOSNOOP_SEQUENTIAL, "sequential", 0 },
					      { 0 } };

static const struct hist_axis axis = { .unit = FIELD_UNIT_US };

/* Not const: columns_choose adapts them to the rows. */
/* clang-format off */
static struct field fields[COLUMN_END] = {
	[COLUMN_COMM] = { .name = "comm", AT(key.header.comm), .type = FIELD_CSTR, .width = 15,
	  .help = "command name of the thread that issued it" },
	[COLUMN_PID] = { .name = "pid", AT(key.header.pid), .type = FIELD_UINT, .width = 7,
	  .help = "its process" },
	[COLUMN_TID] = { .name = "tid", AT(key.header.tid), .type = FIELD_UINT, .width = 7,
	  .flags = FIELD_EXTENDED, .help = "the thread" },
	[COLUMN_CONTAINER] = TASK_CONTAINER_FIELD(struct biosnoop_event, key.task),
	[COLUMN_INNER] = TASK_INNER_FIELD(struct biosnoop_event, key.header),
	[COLUMN_DISK] = { .name = "disk", AT(key.disk), .type = FIELD_CSTR, .flags = FIELD_JSON_ONLY,
	  .help = "the disk, even if the request is for a partition" },
	[COLUMN_DEVICE] = { .name = "device", AT(key.disk), .type = FIELD_CSTR, .width = 8,
	  .value = device_value, .help = "the partition, or the whole disk" },
	[COLUMN_RWBS] = { .name = "rwbs", .title = "OP", AT(key.flags), .type = FIELD_RWBS, .width = 4,
	  .help = "R(ead), W(rite), D(iscard), F(lush), N(one of these); then F(UA), A(head of need), "
		  "S(ync), M(etadata); F before it: the cache is flushed first" },
	[COLUMN_OP] = { .name = "op", .title = "TYPE", AT(key.flags), .bit_size = 8,
	  .type = FIELD_ENUM, .width = 8, .names = flags_block_op, .flags = FIELD_EXTENDED,
	  .help = "read, write, flush, discard …; a number where kernels differ" },
	[COLUMN_SECTOR] = EVENT(sector, FIELD_UINT, 10,
	  "first sector on the disk, in units of 512 bytes; empty for a flush", .flags = FIELD_MAYBE),
	[COLUMN_REQUESTS] = { .name = "requests",
	  FIELD_AT(struct biosnoop_count_row, count.requests), .type = FIELD_UINT,
	  .flags = FIELD_SORT | FIELD_TOTAL, .help = "with --count: the number of requests" },
	[COLUMN_BYTES] = EVENT(bytes, FIELD_UINT, 8,
	  "its size, including what the kernel merged into it; with --count the sum"),
	[COLUMN_FAILED] = { .name = "failed", FIELD_AT(struct biosnoop_count_row, count.failed),
	  .type = FIELD_UINT, .flags = FIELD_SPARSE | FIELD_COUNTER,
	  .help = "with --count: the number of failed requests" },
	[COLUMN_QUEUED] = EVENT(queued, FIELD_NS, 8,
	  "time in the kernel until the driver got it; empty if unknown",
	  .flags = FIELD_MAYBE),
	[COLUMN_LATENCY] = EVENT(latency, FIELD_NS, 8,
	  "time from the start by the driver to the completion; with --count the sum",
	  .flags = FIELD_MAYBE, .role = FIELD_ROLE_LASTED_BESIDE),
	[COLUMN_ERRNO] = { .name = "errno", .title = "ERR", AT(ret), .type = FIELD_ERRNO, .width = 7,
	  .help = "name of the error, null for none (in text 0)" },
	[COLUMN_RET] = EVENT(ret, FIELD_RET, 0, "0, or a negative errno", .flags = FIELD_JSON_ONLY),
	[COLUMN_REQUEUES] = EVENT(requeues, FIELD_UINT, 8, "how often the driver returned it to the queue",
	  .flags = FIELD_EXTENDED),
	[COLUMN_FLAGS] = { .name = "flags", AT(key.flags), .bit_offset = 8, .bit_size = 24,
	  .type = FIELD_FLAGS, .names = flags_block, .flags = FIELD_EXTENDED,
	  .help = "SYNC (a task waits), META (file system metadata), RAHEAD (read ahead) …" },
	[COLUMN_VIA] = EVENT(via, FIELD_CSTR, 15,
	  "the thread that made the request, if comm is another task's; else empty",
	  .flags = FIELD_EXTENDED),
	[COLUMN_PATTERN] = EVENT(pattern, FIELD_ENUM, 10,
	  "with --pattern: sequential or random; - for the first request of a disk and for a flush", .names = patterns),
	[COLUMN_FILE] = EVENT(file, FIELD_PATH, 0,
	  "with --files: path from the root of the file system of the file in whose pages the data is",
	  .flags = FIELD_INNER),
	[COLUMN_HIST] = FIELD_HIST_ROWS(struct biosnoop_hist_row, latency, &axis, "usecs",
					"with --hist: histogram of latencies at the device"),
};
/* clang-format on */

#define BIT(column) (1u << (column))

/* The columns of each mode. */
static const unsigned shown[] = {
	[BIOSNOOP_RECORDS] = ~(BIT(COLUMN_REQUESTS) | BIT(COLUMN_FAILED) | BIT(COLUMN_FILE) |
			       BIT(COLUMN_PATTERN) | -BIT(COLUMN_HIST)),
	[BIOSNOOP_COUNT] = BIT(COLUMN_COMM) | BIT(COLUMN_PID) | BIT(COLUMN_DISK) |
			   BIT(COLUMN_DEVICE) | BIT(COLUMN_RWBS) | BIT(COLUMN_OP) |
			   BIT(COLUMN_REQUESTS) | BIT(COLUMN_BYTES) | BIT(COLUMN_FAILED) |
			   BIT(COLUMN_LATENCY),
	[BIOSNOOP_HIST] = BIT(COLUMN_DISK) | BIT(COLUMN_DEVICE) | BIT(COLUMN_RWBS) |
			  BIT(COLUMN_OP) | -BIT(COLUMN_HIST),
};

static void columns_choose(void)
{
	unsigned wanted = shown[mode] | (files ? BIT(COLUMN_FILE) : 0) |
			  (pattern ? BIT(COLUMN_PATTERN) : 0);

	for (int i = 0; i < COLUMN_END; i++)
		if (!(wanted & BIT(i)))
			fields[i].flags = FIELD_OPTIONAL;
	if (mode != BIOSNOOP_COUNT)
		return;
	fields[COLUMN_BYTES].flags |= FIELD_COUNTER;
	fields[COLUMN_LATENCY].flags |= FIELD_COUNTER;
	fields[COLUMN_BYTES].offset = offsetof(struct biosnoop_count_row, count.bytes);
	fields[COLUMN_BYTES].size = sizeof(uint64_t);
	fields[COLUMN_LATENCY].offset = offsetof(struct biosnoop_count_row, count.latency);
}

/* ---- the options ---- */

static const struct example examples[] = {
	{ "biosnoop", "every completed request until Ctrl-C" },
	{ "biosnoop -x", "only failed requests" },
	{ "biosnoop --disk sda --longer 10ms", "requests to disk sda that took more than 10 ms" },
	{ "biosnoop -c 'jbd2/*' -T", "writes by the file systems' journals, with the time" },
	{ "biosnoop --files -d 10", "for ten seconds, with the files read and written" },
	{ "biosnoop --count --interval 1 --clear --top 10",
	  "each second, the processes with most requests" },
	{ "biosnoop --hist -d 10", "for ten seconds, latencies by device and operation" },
	{ "biosnoop -e -- dd if=/dev/zero of=big bs=1M count=10 oflag=direct",
	  "the requests of a command, with flags" },
	{ "biosnoop -j -d 10 | jq 'select(.rwbs == \"RM\")'",
	  "reads of metadata, within ten seconds" },
	{ 0 },
};

/* With --files the program at the end walks paths in a per-CPU buffer, which two programs at a time would share. */
static bool done_copies;

static void biosnoop_prepare(const struct options *o)
{
	bool fits = false;

	request_copies = session_preempts(o);
	done_copies = request_copies && !files;
	if (count && hist)
		log_error("--count and --hist exclude each other");
	else if ((files || pattern) && (count || hist))
		log_error(
			"--%s is for single requests: it cannot be combined with --count or --hist",
			files ? "files" : "pattern");
	else if (o->rows.with_container && hist)
		log_error("--with-container is about tasks: it cannot be combined with --hist");
	else if (!reporting_check_mode(o, count || hist, "--count or --hist", "request"))
		fits = true;
	if (!fits)
		exit(EXIT_USAGE);
	disks_read("disk", &names, !(o->attach.dry_run && o->attach.btf), disks);
	mode = count ? BIOSNOOP_COUNT : hist ? BIOSNOOP_HIST : BIOSNOOP_RECORDS;
	columns_choose();
}

/* ---- the run ---- */

static int biosnoop_report(struct session *s, struct report *out)
{
	return report_map(s, out, mode == BIOSNOOP_COUNT ? "counts" : "latencies");
}

static int biosnoop_args(struct session *s, int argc, char **argv)
{
	static const size_t sizes[] = {
		[BIOSNOOP_RECORDS] = sizeof(struct biosnoop_event),
		[BIOSNOOP_COUNT] = sizeof(struct biosnoop_count_row),
		[BIOSNOOP_HIST] = sizeof(struct biosnoop_hist_row),
	};

	(void)argc, (void)argv;
	s->rows.schema = (struct schema){ .fields = fields,
					  .count = COLUMN_END,
					  .record_min = sizes[mode],
					  .bare = mode != BIOSNOOP_RECORDS,
					  .noun = "request" };
	if (mode != BIOSNOOP_RECORDS)
		s->report = biosnoop_report;
	return 0;
}

static int biosnoop_open(struct skeleton *sk, const void *param)
{
	struct biosnoop_bpf *skel = SKELETON_OPEN(sk, biosnoop);

	(void)param;
	if (!skel)
		return -errno;
	skel->rodata->mode = mode;
	skel->rodata->request_copies = request_copies;
	skel->rodata->longer = longer;
	skel->rodata->pattern = pattern;
	skel->rodata->disk_count = names.count;
	memcpy((void *)skel->rodata->disks, disks, sizeof(disks));
	if (mode != BIOSNOOP_COUNT)
		bpf_map__set_max_entries(skel->maps.counts, 1);
	if (!pattern)
		bpf_map__set_max_entries(skel->maps.ends, 1);
	if (mode != BIOSNOOP_HIST)
		bpf_map__set_max_entries(skel->maps.latencies, 1);
	return 0;
}

/* clang-format off */
static const struct hook hooks[] = {
	{ .name = "request, done", .functions = "block_rq_complete",
	  BY(TRACEPOINT) = "request_complete_file", .params = 3, .only_if = &files,
	  .or_next = true },
	REQUEST_HOOKS("request_complete"),
	REQUEST_ALL_COPIES(&done_copies),
	{ .name = "page, written to", .functions = "writeback_dirty_folio writeback_dirty_page",
	  BY(TRACEPOINT) = "page_written", .params = 2, .optional = true,
	  .without = "who wrote to the files that kworkers write back" },
	{ .name = "flush, asked for", .functions = "blk_insert_flush", BY(FENTRY) = "flush_asked",
	  BY(KPROBE) = "flush_asked_kprobe", .params = 1, .optional = true,
	  .without = "who asked for a flush" },
	{ 0 },
};
/* clang-format on */

static const struct skeleton_source objects[] = {
	{ .hooks = hooks, .open = biosnoop_open },
	{ 0 },
};

static const char *const parts[] = { "--files", "--count", NULL };

const struct applet biosnoop_applet = {
	.name = "biosnoop",
	.summary = "trace block I/O: each request to a disk, who issued it and how long it took",
	.description =
		"Shows each disk request when it completes. A request is what the driver gets: the "
		"kernel may split a program's I/O into several requests, or merge it with adjacent "
		"I/O.\n\n"
		"PID and COMM are those of the task that caused the request; filters apply to that "
		"task. It is the task that made the request, with two exceptions. If a kworker writes "
		"back the page cache, it is the task that last wrote to the file. If the request "
		"flushes the disk's cache, it is the task that last asked for a flush (an fsync). In "
		"both cases, column VIA (-e) shows the thread that made the request.\n\n"
		"LATENCY is the time that the device took, from the start by the driver to the "
		"completion; QUEUED is the time that the request waited in the kernel before. "
		"--longer compares the sum of both.\n\n"
		"Partitions have the names that the kernel gives them. A request to a device mapper "
		"or md device is shown as the requests to the disks below it.",
	.common = OPTION_GROUPS_TRACER | OPTION_GROUP_MOUNTS | OPTION_GROUP_RECORDS |
		  OPTION_GROUP_RING | OPTION_GROUP_UNTIL | OPTION_GROUP_FAILED |
		  OPTION_GROUP_EXTENDED | OPTION_GROUP_AGGREGATE,
	.options = options,
	.fields = fields,
	.field_count = sizeof(fields) / sizeof(fields[0]),
	.record_min = sizeof(struct biosnoop_event),
	.noun = "request",
	.prepare = biosnoop_prepare,
	.args_set = biosnoop_args,
	.objects = objects,
	.parts = parts,
	.examples = examples,
	.overhead =
		"On 6.12 a request costs 600 instructions more in the task that issues it, 2,710 with its "
		"completion and its row.",
	.blind_spots =
		"Disks without a request queue: device mapper and md (the requests to the disks below "
		"them are shown), zram, pmem.\n\n"
		"Requests that were in a queue or at the device when tracing began, and those that "
		"are not complete when it ends.\n\n"
		"A request is shown as the kworker's if its origin is unknown: for files "
		"that were written to before tracing, metadata, encryption and RAID (dm-crypt, md), "
		"and bios that a cgroup's limit delayed. If several tasks write to a file, the last "
		"one is shown for all. Data written back after -- COMMAND has exited is not seen.\n\n"
		"Before 6.5, a request that waits for the driver without a queue is shown as its "
		"kworker's (except on 5.10).\n\n"
		"Errors that occur only with zoned disks and duration limits are shown as EIO.",
};
