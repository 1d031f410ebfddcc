/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sample.c - perf events that run a program when they overflow (sample.h).
 *
 * Nothing is written into perf's own ring: the program is all that an overflow leads to, so sample_type
 * stays 0, and bpf_get_stack unwinds from the registers that were interrupted.
 */
#include "attach/sample.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

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
