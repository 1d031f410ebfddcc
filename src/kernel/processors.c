/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * processors.c - reads the kernel's list of online processors.
 */
#include "kernel/processors.h"
#include "util/small_file.h"

#include <errno.h>
#include <linux/netlink.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define ONLINE "/sys/devices/system/cpu/online"

int processors_read(const char *text, int *cpus, size_t room)
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

int processors_online(int *cpus, size_t room)
{
	char text[4096];
	ssize_t len = small_file_read(ONLINE, text, sizeof(text));

	return len < 0 ? len : processors_read(text, cpus, room);
}

/* Opens a socket for the kernel's messages about devices: uevents (Documentation/driver-api/driver-model), multicast
 * group 1. A container's network namespace receives none. */
static int events_open(void)
{
	struct sockaddr_nl kernel = { .nl_family = AF_NETLINK, .nl_groups = 1 };
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK,
			NETLINK_KOBJECT_UEVENT);

	if (fd >= 0 && bind(fd, (struct sockaddr *)&kernel, sizeof(kernel))) {
		close(fd);
		fd = -1;
	}
	return fd < 0 ? -errno : fd;
}

/* Marks each processor that went offline since the last call as offline, even if it is online again by now. */
static void events_read(struct processors *p)
{
	static const char offline[] = "offline@/devices/system/cpu/cpu";
	struct sockaddr_nl from;
	socklen_t size = sizeof(from);
	char text[4096];
	ssize_t len;

	while ((len = recvfrom(p->events, text, sizeof(text) - 1, 0, (struct sockaddr *)&from,
			       &size)) > 0) {
		unsigned long cpu;

		text[len] = 0;
		if (from.nl_pid || strncmp(text, offline, sizeof(offline) - 1) != 0)
			continue;
		cpu = strtoul(text + sizeof(offline) - 1, NULL, 10);
		if (cpu < PROCESSORS_MAX)
			p->online[cpu] = false;
	}
}

void processors_poll(struct processors *p, int (*came)(void *ctx, int cpu), void *ctx)
{
	static unsigned char now[PROCESSORS_MAX];
	static int cpus[PROCESSORS_MAX];
	int count;

	if (!p->events)
		p->events = events_open();
	else if (p->events > 0)
		events_read(p);
	count = processors_online(cpus, PROCESSORS_MAX);
	if (count < 0)
		return;
	memset(now, 0, sizeof(now));
	for (int i = 0; i < count; i++) {
		if (cpus[i] >= PROCESSORS_MAX)
			continue;
		now[cpus[i]] = !p->known || p->online[cpus[i]] || came(ctx, cpus[i]) != -ENODEV;
	}
	memcpy(p->online, now, sizeof(now));
	p->known = true;
}
