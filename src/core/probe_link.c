/* SPDX-License-Identifier: GPL-2.0 */
/*
 * probe_link.c - raw links: a loaded program's fd in, an fd out whose closing detaches.
 *
 * Bare system calls, because these are on the way to argdump's first event and must not depend
 * on the version of libbpf. The kernel itself opens every bpf(2) link with O_CLOEXEC
 * (kernel/bpf/syscall.c, bpf_link_prime); nothing here leaves anything behind after kill -9.
 */
#include "core/probe.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* enum bpf_attach_type is ABI; the build's headers may be older than that value (5.18). */
#define ATTACH_KPROBE_MULTI 42
#define KPROBE_MULTI_RETURN 1u /* BPF_F_KPROBE_MULTI_RETURN */

#define PMU "/sys/bus/event_source/devices/"

static int bpf_call(enum bpf_cmd cmd, union bpf_attr *attr)
{
	int fd = syscall(SYS_bpf, cmd, attr, sizeof(*attr));

	return fd < 0 ? -errno : fd;
}

int probe_link_tracing(int prog_fd)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.raw_tracepoint.prog_fd = prog_fd; /* name 0: the target is the program's own */
	return bpf_call(BPF_RAW_TRACEPOINT_OPEN, &attr);
}

int probe_link_kprobe_multi(int prog_fd, const struct probe_multi *m)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.link_create.prog_fd = prog_fd;
	attr.link_create.attach_type = m->session ?: ATTACH_KPROBE_MULTI;
	attr.link_create.kprobe_multi.flags = m->is_return ? KPROBE_MULTI_RETURN : 0;
	attr.link_create.kprobe_multi.cnt = m->count;
	if (m->addresses)
		attr.link_create.kprobe_multi.addrs = (uintptr_t)m->addresses;
	else
		attr.link_create.kprobe_multi.syms = (uintptr_t)m->names;
	attr.link_create.kprobe_multi.cookies = (uintptr_t)m->cookies;
	return bpf_call(BPF_LINK_CREATE, &attr);
}

/* link_create.tracing_multi of 7.2 and later, which the build's headers need not have. */
struct tracing_multi_attr {
	uint32_t prog_fd, target_fd, attach_type, flags;
	uint64_t ids, cookies;
	uint32_t count;
};

int probe_link_fentry_multi(int prog_fd, int type, const struct probe_multi *m)
{
	struct tracing_multi_attr at = {
		.prog_fd = prog_fd,
		.attach_type = type,
		.ids = (uintptr_t)m->ids,
		.cookies = (uintptr_t)m->cookies,
		.count = m->count,
	};
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	memcpy(&attr, &at, sizeof(at));
	return bpf_call(BPF_LINK_CREATE, &attr);
}

/* The first number in a file of the kprobe PMU: "6", "config:0". -errno when there is none. */
static int pmu_number(const char *path)
{
	char text[32];
	const char *digits;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return errno == ENOENT ? -EOPNOTSUPP : -errno;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (n <= 0)
		return -EIO;
	text[n] = 0;
	digits = strpbrk(text, "0123456789");
	return digits ? atoi(digits) : -EIO;
}

/* perf's event of PMU "kprobe" or "uprobe", or -errno. */
static int pmu_event(const char *pmu, const char *target, uint64_t offset, bool is_return, int pid)
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
	if (bit < 0)
		return bit;
	attr.type = type;
	attr.config = is_return ? 1ull << bit : 0;
	attr.config1 = (uintptr_t)target; /* kprobe_func, uprobe_path */
	attr.config2 = offset;		  /* probe_offset, or kprobe_addr */
	/* CPU 0 says which CPU counts; the probe itself fires on all of them */
	fd = syscall(SYS_perf_event_open, &attr, pid ? pid : -1, pid ? -1 : 0, -1,
		     PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* Of 5.15 and later: it knows what its probe missed. */
static int event_link_new(int fd, int prog_fd)
{
	union bpf_attr attr;
	int link;

	memset(&attr, 0, sizeof(attr));
	attr.link_create.prog_fd = prog_fd;
	attr.link_create.target_fd = fd;
	attr.link_create.attach_type = BPF_PERF_EVENT;
	link = bpf_call(BPF_LINK_CREATE, &attr);
	if (link < 0)
		return link;
	if (!ioctl(fd, PERF_EVENT_IOC_ENABLE, 0)) {
		close(fd); /* the link has it, too */
		return link;
	}
	close(link);
	return -errno;
}

/* Takes the event's fd over: it becomes the link. */
static int event_link(int fd, int prog_fd)
{
	int err;

	if (fd < 0)
		return fd;
	err = event_link_new(fd, prog_fd);
	if (err >= 0)
		return err;
	if (!ioctl(fd, PERF_EVENT_IOC_SET_BPF, prog_fd) && !ioctl(fd, PERF_EVENT_IOC_ENABLE, 0))
		return fd;
	err = -errno;
	close(fd);
	return err;
}

int probe_link_kprobe(int prog_fd, const char *function, uint64_t offset, bool is_return)
{
	return event_link(pmu_event("kprobe", function, offset, is_return, 0), prog_fd);
}

/* Far behind every function's end: nothing is ever made, but the name is looked at first. */
int probe_name_is_shared(const char *function)
{
	int fd = pmu_event("kprobe", function, INT32_MAX, false, 0);

	if (fd >= 0)
		close(fd);
	return fd == -EPERM || fd == -EACCES ? fd : fd == -EADDRNOTAVAIL;
}

int probe_link_uprobe(int prog_fd, const char *path, uint64_t offset, bool is_return, int pid)
{
	return event_link(pmu_event("uprobe", path, offset, is_return, pid), prog_fd);
}

int probe_link_event(int prog_fd, int id)
{
	struct perf_event_attr attr = { .size = sizeof(attr), .type = PERF_TYPE_TRACEPOINT };
	int fd;

	attr.config = id;
	fd = syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
	return event_link(fd < 0 ? -errno : fd, prog_fd);
}
