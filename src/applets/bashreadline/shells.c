/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * shells.c - which processes are shells, and when their files are looked at (shells.h,
 * attach/file_probes.h).
 */
#include "applets/bashreadline/shells.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "attach/file_probes.h"
#include "util/log.h"

enum {
	MAPPED_TRIES = 100, /* ms to wait for a new process to map its libraries */
	PATH_BYTES = 4096 + 64,
};

enum { READLINE, ZLE_ENTERED, ZLE_READ, PROBES };

static struct file_probe probes[PROBES + 1] = {
	[READLINE] = { .function = "readline", .is_return = true },
	[ZLE_ENTERED] = { .function = "zleentry" },
	[ZLE_READ] = { .function = "zleentry", .is_return = true },
};
static const char *const libraries[] = { "libreadline*", NULL };

static struct {
	const struct option_list *names;
	struct file_probes files;
	unsigned running;
} shells = { .files = { .probes = probes, .libraries = libraries, .unseen = "their lines" } };

/* ---- processes ---- */

/* The program's path as the process sees it; false: it has ended, or is no shell. */
static bool process_program(uint32_t pid, char path[PATH_BYTES])
{
	static const char deleted[] = " (deleted)";
	char link[64], *base;
	ssize_t len;

	snprintf(link, sizeof(link), "/proc/%u/exe", pid);
	len = readlink(link, path, PATH_BYTES - 1);
	if (len < 0)
		return false;
	path[len] = 0;
	if (len > (ssize_t)sizeof(deleted) && !strcmp(path + len - (sizeof(deleted) - 1), deleted))
		path[len - (sizeof(deleted) - 1)] = 0;
	base = strrchr(path, '/');
	for (size_t i = 0; base && i < shells.names->count; i++)
		if (!strcmp(base + 1, shells.names->items[i].text))
			return true;
	return false;
}

/* A process that has just begun maps its libraries soon, or never. */
static bool libraries_wait(uint32_t pid, char program[PATH_BYTES])
{
	const struct timespec pause = { .tv_nsec = 1000000 };

	for (int i = 0; i < MAPPED_TRIES && process_program(pid, program); i++) {
		nanosleep(&pause, NULL);
		if (file_probes_libraries(&shells.files, pid))
			return true;
	}
	return false;
}

/* Only the first process of a file is waited for: that is the file's mark. */
static void process_look(uint32_t pid)
{
	char program[PATH_BYTES], exe[64];
	struct probed_file *f;

	if (!process_program(pid, program))
		return;
	snprintf(exe, sizeof(exe), "/proc/%u/exe", pid);
	f = file_probes_look(&shells.files, exe, program);
	if (f && (f->has || file_probes_libraries(&shells.files, pid))) {
		shells.running++;
		return;
	}
	if (!f || f->mark || libraries_wait(pid, program))
		return;
	f->mark = process_program(pid, program); /* else it has ended: the next one is waited for */
	if (!f->mark)
		return;
	log_warn(
		"%s (process %u) has no function readline, nor zsh's zleentry: its lines are not seen",
		program, pid);
	log_hint("a stripped program has only the functions that it exports; nm -D lists them");
}

/* ---- all ---- */

void shells_begin(const struct option_list *names, const struct shell_programs *fds)
{
	shells.names = names;
	probes[READLINE].prog_fd = fds->readline;
	probes[ZLE_ENTERED].prog_fd = fds->zle_entered;
	probes[ZLE_READ].prog_fd = fds->zle_read;
}

static void installed_look(void)
{
	static const char *const folders[] = { "/bin", "/usr/bin", "/usr/local/bin" };
	char path[PATH_BYTES];

	for (size_t i = 0; i < shells.names->count; i++)
		for (size_t j = 0; j < sizeof(folders) / sizeof(folders[0]); j++) {
			snprintf(path, sizeof(path), "%s/%s", folders[j],
				 shells.names->items[i].text);
			file_probes_look(&shells.files, path, path);
		}
}

int shells_scan(void)
{
	shells.running = 0;
	file_probes_processes(process_look);
	installed_look();
	return shells.files.refused;
}

void shells_started(uint32_t pid)
{
	process_look(pid);
}

unsigned shells_probed(void)
{
	return shells.files.probed;
}

unsigned shells_running(void)
{
	return shells.running;
}

void shells_end(void)
{
	file_probes_end(&shells.files);
}
