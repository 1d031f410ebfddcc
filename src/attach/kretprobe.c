/* SPDX-License-Identifier: GPL-2.0-only */
/* kretprobe.c - events of tracefs at the returns of functions (kretprobe.h). */
#include "attach/kretprobe.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernel/tracefs.h"
#include "util/clock.h"

#define EVENTS "kprobe_events"
#define GROUP  "coretap"

/* The kernel makes all of the room at once, 64 bytes a call, and refuses more than MOST (KRETPROBE_MAXACTIVE_MAX). */
enum { LEAST = 256, MOST = 4096 };

static int events = -1; /* the file: at the end the process may have no right to open it any more */
/* Of this process. Its PID may be another's, too, in another namespace; the kernel would make one event of both. */
static char prefix[48];
static unsigned defined; /* so many, by their numbers behind the prefix */

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

/* What runs that were killed have left. A PID of another namespace may look dead: an event in use stays. */
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

/* Every thread may be in the function, and some that are yet to come. */
static unsigned room(void)
{
	unsigned threads = 0;
	FILE *f = fopen("/proc/loadavg", "re");

	if (f && fscanf(f, "%*s %*s %*s %*u/%u", &threads) != 1)
		threads = MOST;
	if (f)
		fclose(f);
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
