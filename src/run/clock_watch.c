/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * clock_watch.c - a timer that never expires: setting the clock, or resuming the machine, cancels it, which makes it
 * readable.
 */
#include "run/clock_watch.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "output/field/timestamp.h"
#include "util/log.h"

static int clock_arm(int fd)
{
	const struct itimerspec never = { .it_value.tv_sec = INT64_MAX / 2000000000 };
	const int flags = TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET;

	return timerfd_settime(fd, flags, &never, NULL) ? -errno : 0;
}

int clock_watch_open(void)
{
	int fd, err;

	timestamp_clock_read();
	fd = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK);
	err = fd < 0 ? -errno : clock_arm(fd);
	if (!err)
		return fd;
	log_debug(1, "the clock is not watched: %s", strerror(-err));
	if (fd >= 0)
		close(fd);
	return err;
}

bool clock_watch_read(int fd, int ready)
{
	uint64_t times;

	if (ready != fd)
		return false;
	if (read(fd, &times, sizeof(times)) < 0 && errno == ECANCELED)
		timestamp_clock_read();
	clock_arm(fd);
	return true;
}
