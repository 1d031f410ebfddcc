/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * biosnoop.c - every request to a disk: who asked for it, what, and how long it took.
 */
#include <errno.h>

#include "output/flag_names.h"
#include "session/applet.h"
#include "applets/request_hooks.h"
#include "biosnoop.h"
#include "biosnoop.skel.h"

#define AT(member) FIELD_AT(struct biosnoop_event, member)
#define EVENT(member, type, width, help, ...)                                                      \
	FIELD(struct biosnoop_event, member, type, width, help, ##__VA_ARGS__)

/* clang-format off */
static const struct field fields[] = {
	{ .name = "comm", AT(header.comm), .type = FIELD_CSTR, .width = 15,
	  .help = "command name of the thread that issued it" },
	{ .name = "pid", AT(header.pid), .type = FIELD_UINT, .width = 7, .help = "its process" },
	{ .name = "tid", AT(header.tid), .type = FIELD_UINT, .width = 7, .flags = FIELD_EXTENDED,
	  .help = "the thread" },
	TASK_CONTAINER_FIELD(struct biosnoop_event, task),
	EVENT(disk, FIELD_CSTR, 8, "the disk, also for its partitions"),
	{ .name = "op", .title = "TYPE", AT(flags), .bit_size = 8, .type = FIELD_ENUM, .width = 8,
	  .names = flags_block_op,
	  .help = "read, write, flush, discard …; a number where kernels differ" },
	EVENT(sector, FIELD_UINT, 10, "first sector on the disk, in units of 512 bytes; none for a flush",
	      .flags = FIELD_MAYBE),
	EVENT(bytes, FIELD_UINT, 8, "its size, including what the kernel merged into it"),
	EVENT(queued, FIELD_NS, 8, "time in the kernel's queue; none if it did not wait",
	      .flags = FIELD_MAYBE),
	EVENT(latency, FIELD_NS, 8, "time from the start by the driver to the completion",
	      .flags = FIELD_MAYBE, .role = FIELD_ROLE_LASTED_BESIDE),
	{ .name = "errno", .title = "ERR", AT(ret), .type = FIELD_ERRNO, .width = 7,
	  .help = "name of the error, null for none (in text 0)" },
	EVENT(ret, FIELD_RET, 0, "0, or a negative errno", .flags = FIELD_JSON_ONLY),
	EVENT(requeues, FIELD_UINT, 8, "how often the driver gave it back",
	      .flags = FIELD_EXTENDED),
	{ .name = "flags", AT(flags), .bit_offset = 8, .bit_size = 24, .type = FIELD_FLAGS,
	  .names = flags_block, .flags = FIELD_EXTENDED,
	  .help = "SYNC (somebody waits), META (of a file system), RAHEAD (read ahead) …" },
};
/* clang-format on */

static const struct example examples[] = {
	{ "biosnoop", "every completed request until Ctrl-C" },
	{ "biosnoop -x", "only failed requests" },
	{ "biosnoop -c 'jbd2/*' -T", "writes by the file systems' journals, with the time" },
	{ "biosnoop -e -- dd if=/dev/zero of=big bs=1M count=10 oflag=direct",
	  "the requests of a command, with flags" },
	{ "biosnoop -j -d 10 | jq 'select(.latency_ns > 10000000)'",
	  "requests within ten seconds that took more than 10 ms" },
	{ 0 },
};

static int biosnoop_open(struct skeleton *sk, const void *param)
{
	(void)param;
	return SKELETON_OPEN(sk, biosnoop) ? 0 : -errno;
}

static const struct skeleton_source objects[] = {
	{ .hooks = request_hooks, .open = biosnoop_open },
	{ 0 },
};

const struct applet biosnoop_applet = {
	.name = "biosnoop",
	.summary = "trace block I/O: each request to a disk, who issued it and how long it took",
	.description =
		"Shows each request to a disk when it is complete. A request is what the driver gets: the "
		"kernel may split what a program asks for, or merge it with its neighbours.\n\n"
		"PID and COMM are those of the task that put the request into the kernel's queue, or gave "
		"it to the driver if it did not wait; filters apply to that task. What a program writes "
		"through the page cache is issued later by a kworker, unless the program waits for it "
		"(O_DIRECT, O_SYNC, fsync).\n\n"
		"LATENCY is the time that the device took, from the start by the driver to the completion; "
		"QUEUED is the time that the request waited in the kernel before.",
	.common = OPTION_GROUP_BASIC | OPTION_GROUP_TRACE | OPTION_GROUP_RECORDS |
		  OPTION_GROUP_TASK | OPTION_GROUP_FAILED | OPTION_GROUP_JSON | OPTION_GROUP_BTF |
		  OPTION_GROUP_EXTENDED,
	.fields = fields,
	.field_count = sizeof(fields) / sizeof(fields[0]),
	.record_min = sizeof(struct biosnoop_event),
	.objects = objects,
	.examples = examples,
	.overhead =
		"On 6.12 a request costs 1850 instructions more: 1000 in the task that issues it and 850 at "
		"its completion; a request that the filters reject costs 400.",
	.blind_spots =
		"Disks without a request queue: device mapper and md (the requests to the disks below "
		"them are shown), zram, pmem.\n\n"
		"Requests that were in a queue or at the device when the tracing began, and those that are "
		"not complete when it ends.\n\n"
		"The PID of a flush is that of the task that runs the queue, often a kworker, not that of "
		"the program whose fsync waits for it.\n\n"
		"Errors that occur only with zoned disks and duration limits are shown as EIO.",
};
