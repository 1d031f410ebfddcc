/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * events.c - opens perf events: probes of the PMUs "kprobe" and "uprobe", events of tracefs, samples. Defines events
 * of tracefs for kretprobes.
 */
#include "attach/events.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kernel/tracefs.h"
#include "util/clock.h"
#include "util/small_file.h"

/* ---- probes ---- */

/* The uprobe PMU takes ref_ctr_offset in bits 32 to 63 of config (since 4.20). */
enum { SEMAPHORE_BIT = 32 };

#define PMU "/sys/bus/event_source/devices/"

/* Returns the first number in a file of a PMU ("6", "config:0"), or -errno. */
static int pmu_number(const char *path)
{
	char text[32];
	const char *digits;
	ssize_t n = small_file_read(path, text, sizeof(text));

	if (n < 0)
		return n == -ENOENT ? -EOPNOTSUPP : n;
	digits = strpbrk(text, "0123456789");
	return digits ? atoi(digits) : -EIO;
}

int pmu_event_open(const char *pmu, const char *target, uint64_t offset, uint64_t semaphore,
		   bool is_return)
{
	struct perf_event_attr attr = { .size = sizeof(attr) };
	char path[64];
	int type, bit = 0, fd;

	snprintf(path, sizeof(path), PMU "%s/type", pmu);
	type = pmu_number(path);
	if (type < 0)
		return type;
	snprintf(path, sizeof(path), PMU "%s/format/retprobe", pmu);
	if (is_return)
		bit = pmu_number(path);
	if (bit < 0 || semaphore > UINT32_MAX)
		return bit < 0 ? bit : -E2BIG;
	attr.type = type;
	attr.config = semaphore << SEMAPHORE_BIT | (is_return ? 1ull << bit : 0);
	attr.config1 = (uintptr_t)target; /* perf's kprobe_func or uprobe_path */
	attr.config2 = offset;		  /* perf's probe_offset, or kprobe_addr */
	/* the event counts on CPU 0, but the probe fires on all CPUs */
	fd = syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* ---- events of tracefs ---- */

int tracefs_event_open(int number)
{
	struct perf_event_attr attr = { .size = sizeof(attr), .type = PERF_TYPE_TRACEPOINT };
	int fd;

	if (number < 0)
		return number;
	attr.config = number;
	fd = syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

#define EVENTS "kprobe_events"
#define GROUP  "coretap"

/* Calls in flight. The kernel allocates 64 bytes for each at once, and refuses more than MOST
 * (KRETPROBE_MAXACTIVE_MAX). */
enum { LEAST = 256, MOST = 4096 };

static int events =
	-1; /* kept open, because the process may later lack the right to open it; -1: not open */
/* The start of the names of this process's events. A PID alone is not unique: a process in another pid namespace may
 * have the same, and the kernel merges events of one name. */
static char prefix[48];
static unsigned defined; /* how many events are defined; their names end with 0 … defined - 1 */

static int command(const char *text)
{
	return write(events, text, strlen(text)) < 0 ? -errno : 0;
}

static int event_remove(const char *name)
{
	char text[80];

	snprintf(text, sizeof(text), "-:%s\n", name);
	return command(text);
}

/* Removes events that killed runs have left. A PID of another namespace may seem dead, but the kernel refuses to
 * remove an event in use. */
static void killed_remove(void)
{
	char *list = tracefs_read(EVENTS), *rest = list, *line, name[64];
	int pid;

	while (rest && (line = strsep(&rest, "\n")))
		if (sscanf(line, "r%*u:%63[^ ]", name) == 1 &&
		    sscanf(name, GROUP "/r%d_", &pid) == 1 && kill(pid, 0) && errno == ESRCH)
			event_remove(name);
	free(list);
}

static int events_open(void)
{
	if (events >= 0)
		return 0;
	events = tracefs_open(EVENTS, O_WRONLY | O_APPEND);
	if (events < 0)
		return -errno;
	killed_remove();
	snprintf(prefix, sizeof(prefix), GROUP "/r%d_%" PRIx64, getpid(), now_ns());
	return 0;
}

/* Returns room for a call of each thread, and of as many new threads. */
static unsigned room(void)
{
	unsigned threads = 0;
	char text[128];

	if (small_file_read("/proc/loadavg", text, sizeof(text)) > 0 &&
	    sscanf(text, "%*s %*s %*s %*u/%u", &threads) != 1)
		threads = MOST;
	threads *= 2;
	return threads < LEAST ? LEAST : threads > MOST ? MOST : threads;
}

int kretprobe_define(const char *function)
{
	char text[256], name[64];
	int err = events_open();

	if (err)
		return err;
	snprintf(name, sizeof(name), "%s_%u", prefix, defined);
	snprintf(text, sizeof(text), "r%u:%s %s\n", room(), name, function);
	err = command(text);
	if (err)
		return err;
	defined++;
	return tracefs_event(name);
}

void kretprobe_remove_all(void)
{
	char name[64];

	while (defined) {
		snprintf(name, sizeof(name), "%s_%u", prefix, --defined);
		event_remove(name);
	}
	if (events >= 0)
		close(events);
	events = -1;
}

/* ---- samples ---- */

/* perf's own ring is not used, because the overflow only runs the program. So sample_type stays 0, and bpf_get_stack
 * unwinds from the interrupted registers. */
static struct perf_event_attr sample_attr(const struct attach_sample *sample)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = sample->type,
		.config = sample->config,
		.sample_period = sample->period, /* or sample_freq, which shares a union with it */
		.freq = sample->per_second,
		.disabled = 1,
	};

	if (sample->type != PERF_TYPE_BREAKPOINT)
		return attr;
	attr.bp_addr = sample->address;
	attr.bp_len = sample->length;
	attr.bp_type = sample->access;
	return attr;
}

int sample_open(const struct attach_sample *sample, int cpu)
{
	struct perf_event_attr attr = sample_attr(sample);
	int fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

int sample_open_thread(const struct attach_sample *sample, int thread)
{
	struct perf_event_attr attr = sample_attr(sample);
	int fd;

	attr.inherit = attr.inherit_thread = 1; /* before 5.13, new processes inherit it as well */
	fd = syscall(SYS_perf_event_open, &attr, thread, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0 && errno == EINVAL) {
		attr.inherit_thread = 0;
		fd = syscall(SYS_perf_event_open, &attr, thread, -1, -1, PERF_FLAG_FD_CLOEXEC);
	}
	return fd < 0 ? -errno : fd;
}

/* The kernel checks the name first. The offset is beyond the end of any function, so no probe is created. */
int function_name_is_shared(const char *function)
{
	int fd = pmu_event_open("kprobe", function, INT32_MAX, 0, false);

	if (fd >= 0)
		close(fd);
	return fd == -EPERM || fd == -EACCES ? fd : fd == -EADDRNOTAVAIL;
}
