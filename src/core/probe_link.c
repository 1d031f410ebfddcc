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

#define KPROBE_PMU "/sys/bus/event_source/devices/kprobe/"

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

int probe_link_kprobe_multi(int prog_fd, const char *const *functions, size_t count,
			    bool is_return)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.link_create.prog_fd = prog_fd;
	attr.link_create.attach_type = ATTACH_KPROBE_MULTI;
	attr.link_create.kprobe_multi.flags = is_return ? KPROBE_MULTI_RETURN : 0;
	attr.link_create.kprobe_multi.cnt = count;
	attr.link_create.kprobe_multi.syms = (uintptr_t)functions;
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

static int kprobe_event(const char *function, uint64_t offset, bool is_return)
{
	struct perf_event_attr attr = { .size = sizeof(attr) };
	int type = pmu_number(KPROBE_PMU "type"), bit = 0, fd;

	if (type < 0)
		return type;
	if (is_return)
		bit = pmu_number(KPROBE_PMU "format/retprobe");
	if (bit < 0)
		return bit;
	attr.type = type;
	attr.config = is_return ? 1ull << bit : 0;
	attr.config1 = (uintptr_t)function; /* kprobe_func */
	attr.config2 = offset;		    /* probe_offset */
	/* CPU 0 says which CPU counts; the probe itself fires on all of them */
	fd = syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

int probe_link_kprobe(int prog_fd, const char *function, uint64_t offset, bool is_return)
{
	int fd = kprobe_event(function, offset, is_return), err;

	if (fd < 0)
		return fd;
	if (!ioctl(fd, PERF_EVENT_IOC_SET_BPF, prog_fd) && !ioctl(fd, PERF_EVENT_IOC_ENABLE, 0))
		return fd;
	err = -errno;
	close(fd);
	return err;
}
