/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * task.c - a process or thread given by its id, watched so that the id cannot come to mean another
 * one.
 */
#include "run/task.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "util/log.h"
#include "run/pidns.h"

/* kill accepts a thread id, too; a negative id would be a group. */
static bool is_there(uint32_t id)
{
	return id <= INT_MAX && (!kill(id, 0) || errno != ESRCH);
}

/* Kernels before 6.9 have no pidfd for a thread. A pidfd of the process, used for its leader, would
 * only report the end of all threads. */
static int pidfd_get(const struct task *t)
{
	if (t->is_thread)
		return -1;
	return syscall(SYS_pidfd_open, t->id, 0);
}

int task_open(struct task *t, uint32_t id, bool is_thread)
{
	*t = (struct task){ .id = id, .is_thread = is_thread, .fd = -1 };
	if (!is_there(id)) {
		log_error("cannot trace %s %u: it does not exist", is_thread ? "thread" : "process",
			  id);
		if (!pidns_is_first())
			log_hint(
				"numbers are those of this pid namespace; --host-pids takes the host's");
		return EXIT_USAGE;
	}
	t->fd = pidfd_get(t);
	/* which error it is depends on the kernel */
	if (t->fd >= 0 || is_thread || (errno != EINVAL && errno != ENOENT))
		return EXIT_FINE;
	log_error("cannot trace process %u: it is a thread of another process", id);
	log_hint("-t %u traces the thread; its process is the Tgid in /proc/%u/status", id, id);
	return EXIT_USAGE;
}

bool task_ended(const struct task *t)
{
	struct pollfd poll_fd = { .fd = t->fd, .events = POLLIN };

	if (t->fd < 0)
		return !is_there(t->id);
	return poll(&poll_fd, 1, 0) > 0;
}

void task_close(struct task *t)
{
	if (t->id && t->fd >= 0)
		close(t->fd);
	t->id = 0;
}
