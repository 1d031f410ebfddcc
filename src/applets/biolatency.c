/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * biolatency.c - latency of requests to disks, as histograms.
 */
#include <errno.h>

#include "applets/request_hooks.h"
#include "output/field/shared_fields.h"
#include "run/session.h"
#include "output/field/flag_names.h"
#include "output/field/hist.h"
#include "cli/applet.h"
#include "cli/option_read.h"
#include "run/reporting.h"
#include "util/log.h"
#include "applets/disks.h"
#include "biolatency.h"
#include "biolatency.skel.h"

_Static_assert(EVENT_HIST_BUCKETS == HIST_BUCKETS,
	       "a histogram of a program is one of output/field/hist.h");

static bool by_disk, by_flags, with_queue, in_ms;
static struct option_list names; /* --only-disk */
static struct disk_wanted disks[DISKS_MAX];

/* clang-format off */
static const struct option_spec options[] = {
	{ .name = "disk", .letter = 'D', .type = OPTION_FLAG, .value = &by_disk,
	  .help = "print a histogram for each disk" },
	{ .name = "only-disk", .type = OPTION_LIST, .arg = "NAME", .value = &names,
	  .help = "only this disk with its partitions, or this partition: sda, sda1, /dev/disk/by-…" },
	{ .name = "flags", .letter = 'F', .type = OPTION_FLAG, .value = &by_flags,
	  .help = "print a histogram for each operation (read, write …) with its flags" },
	{ .name = "queued", .letter = 'Q', .type = OPTION_FLAG, .value = &with_queue,
	  .help = "include the time in the kernel's queue" },
	{ .name = "milliseconds", .letter = 'm', .type = OPTION_FLAG, .value = &in_ms,
	  .help = "use milliseconds instead of microseconds" },
	{ 0 },
};
/* clang-format on */

#define AT(member) FIELD_AT(struct biolatency_row, member)

static struct hist_axis axis = { .unit = FIELD_UNIT_US };

enum { COLUMN_DISK, COLUMN_OP, COLUMN_FLAGS, COLUMN_HIST };

/* Not const: options decide which of them are printed. */
/* clang-format off */
static struct field fields[] = {
	[COLUMN_DISK] = { .name = "disk", AT(key.disk), .type = FIELD_CSTR, .help = "with --disk" },
	[COLUMN_OP] = { .name = "op", .title = "type", AT(key.flags), .bit_size = 8,
			.type = FIELD_ENUM, .names = flags_block_op,
			.help = "with --flags: read, write, flush, discard …" },
	[COLUMN_FLAGS] = { .name = "flags", AT(key.flags), .bit_offset = 8, .bit_size = 24,
			   .type = FIELD_FLAGS, .names = flags_block,
			   .help = "with --flags: SYNC, META, FUA, RAHEAD …" },
	[COLUMN_HIST] = FIELD_HIST_ROWS(struct biolatency_row, latency, &axis, "usecs",
					"histogram of latencies; with --milliseconds keys end in _ms"),
};
/* clang-format on */

static const struct example examples[] = {
	{ "biolatency", "all requests until Ctrl-C" },
	{ "biolatency -D 1 5", "a histogram per disk each second, five times" },
	{ "biolatency -F -Q -m -d 10",
	  "for ten seconds by operation, in milliseconds, including time in the queue" },
	{ "biolatency --only-disk sda 1", "the requests to disk sda, each second" },
	{ "biolatency -D -j -d 10 | jq -c '[.disk, .p99_us]'", "the 99th percentile of each disk" },
	{ "biolatency -- dd if=/dev/zero of=big bs=1M count=10 oflag=direct",
	  "the requests of a command" },
	{ 0 },
};

static void biolatency_prepare(const struct options *o)
{
	request_copies = session_preempts(o);
	disks_read("only-disk", &names, !(o->attach.dry_run && o->attach.btf), disks);
	if (!by_disk)
		fields[COLUMN_DISK].flags |= FIELD_OPTIONAL;
	if (!by_flags)
		fields[COLUMN_OP].flags = fields[COLUMN_FLAGS].flags = FIELD_OPTIONAL;
	if (!in_ms)
		return;
	fields[COLUMN_HIST].title = "msecs";
	axis.unit = FIELD_UNIT_MS;
}

static int biolatency_args(struct session *s, int argc, char **argv)
{
	if (argc <= INTERVALS_ARGS)
		return intervals_parse(&s->options, argc, argv, true);
	log_error("unexpected argument '%s'", argv[INTERVALS_ARGS]);
	log_hint_help();
	return -EINVAL;
}

static int biolatency_open(struct skeleton *sk, const void *param)
{
	struct biolatency_bpf *skel = SKELETON_OPEN(sk, biolatency);

	(void)param;
	if (!skel)
		return -errno;
	skel->rodata->request_copies = request_copies;
	skel->rodata->disk_count = names.count;
	memcpy((void *)skel->rodata->disks, disks, sizeof(disks));
	skel->rodata->by_disk = by_disk;
	skel->rodata->by_flags = by_flags;
	skel->rodata->with_queue = with_queue;
	skel->rodata->unit = in_ms ? 1000000 : 1000;
	return 0;
}

static int biolatency_report(struct session *s, struct report *out)
{
	return report_map(s, out, "latencies");
}

static const struct skeleton_source objects[] = {
	{ .hooks = request_hooks, .open = biolatency_open },
	{ 0 },
};

const struct applet biolatency_applet = {
	.name = "biolatency",
	.summary = "show the latency of block I/O as histograms",
	.description =
		"Counts disk requests in the kernel, by latency: the time from the start by the "
		"driver to the completion, or with --queued from the time when the request entered a "
		"queue of the kernel. The histogram has buckets of powers of two, and estimated "
		"percentiles (~). It is printed at the end and every --interval. With INTERVAL "
		"(seconds), it is printed and reset each interval; the run ends after COUNT "
		"intervals.\n\n"
		"Filters (-p, -c …) apply to the task that added the request to the queue, or passed "
		"it to the driver; see biosnoop.",
	.args = "[INTERVAL [COUNT]]",
	.common = OPTION_GROUPS_TRACER | OPTION_GROUP_MOUNTS | OPTION_GROUP_AGGREGATE,
	.options = options,
	.fields = fields,
	.field_count = sizeof(fields) / sizeof(fields[0]),
	.record_min = sizeof(struct biolatency_row),
	.is_bare = true,
	.noun = "request",
	.objects = objects,
	.examples = examples,
	.overhead =
		"On 6.12 a request costs 1010 instructions more, 411 of them in the task that issues it; one that the "
		"filters reject costs 549.",
	.blind_spots =
		"As with biosnoop: disks without a request queue (device mapper, md, zram, pmem); "
		"requests that began before tracing or are not complete when it ends. Requests that "
		"the kernel ended before the driver got them.",
	.prepare = biolatency_prepare,
	.args_set = biolatency_args,
	.report = biolatency_report,
};
