/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sample.c - perf events that run a program when they overflow (sample.h).
 *
 * Nothing is written into perf's own ring: the program is all that an overflow leads to, so sample_type
 * stays 0, and bpf_get_stack unwinds from the registers that were interrupted.
 */
#include "attach/sample.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ONLINE "/sys/devices/system/cpu/online"

int sample_open(const struct attach_sample *sample, int cpu)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = sample->type,
		.config = sample->config,
		.sample_period = sample->period, /* or sample_freq: a union */
		.freq = sample->per_second,
		.disabled = 1,
	};
	int fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

int sample_cpus_read(const char *text, int *cpus, size_t room)
{
	size_t count = 0;

	while (*text >= '0' && *text <= '9') {
		char *end;
		long first = strtol(text, &end, 10), last = first;

		if (*end == '-')
			last = strtol(end + 1, &end, 10);
		for (; first <= last && count < room; first++)
			cpus[count++] = first;
		text = end + (*end == ',');
	}
	return count ? (int)count : -EBADMSG;
}

int sample_cpus(int *cpus, size_t room)
{
	int fd = open(ONLINE, O_RDONLY | O_CLOEXEC), err = 0;
	char text[4096];
	ssize_t len;

	if (fd < 0)
		return -errno;
	len = read(fd, text, sizeof(text) - 1);
	if (len < 0)
		err = -errno;
	close(fd);
	if (err)
		return err;
	text[len] = 0;
	return sample_cpus_read(text, cpus, room);
}
