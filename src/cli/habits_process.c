/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * habits_process.c - finds the files of running programs, for tools whose originals expect a process or a kind of
 * server.
 */
#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/habits.h"
#include "util/log.h"

/* Interpreters that are libraries. Any other one is part of the program itself. */
static const char *const interpreters[] = { "/libjvm.", "/libpython", "/libruby",  "/libperl.",
					    "/libphp",	"/libtcl",    "/libnode.", NULL };

static const char *interpreter_in(const char *line)
{
	const char *path = strchr(line, '/'), *name = path ? strrchr(path, '/') : NULL;

	for (const char *const *i = interpreters; name && *i; i++)
		if (!strncmp(name, *i, strlen(*i)))
			return path;
	return NULL;
}

/* Paths are relative to the process's own root: -p PID. */
static char *program_of(const char *pid)
{
	char link[64], path[PATH_MAX];
	ssize_t len;

	snprintf(link, sizeof(link), "/proc/%.20s/exe", pid);
	len = readlink(link, path, sizeof(path));
	return len > 0 && len < PATH_MAX ? strndup(path, len) : strdup(link);
}

char *habit_interpreter(const char *pid, bool *is_java)
{
	char maps[64], line[PATH_MAX + 128], *file = NULL;
	const char *path;
	FILE *f;

	*is_java = false;
	snprintf(maps, sizeof(maps), "/proc/%.20s/maps", pid);
	f = fopen(maps, "re");
	while (f && !file && fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = 0;
		path = interpreter_in(line);
		file = path ? strdup(path) : NULL;
		*is_java = path && strstr(path, "/libjvm.");
	}
	if (f)
		fclose(f);
	return file ?: program_of(pid);
}

char *habit_netns(const char *pid)
{
	struct stat file;
	char link[64], *number;

	snprintf(link, sizeof(link), "/proc/%.20s/ns/net", pid);
	if (!isdigit((unsigned char)*pid) || stat(link, &file)) {
		log_error("'%s' is no process whose network namespace can be read", pid);
		exit(EXIT_USAGE);
	}
	return asprintf(&number, "%ju", (uintmax_t)file.st_ino) < 0 ? NULL : number;
}

/* True if the name is one of `names`, each followed by a comma. */
static bool is_process(const char *pid, const char *names)
{
	char path[64], comm[32];
	bool is_one = false;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%.20s/comm", pid);
	f = isdigit((unsigned char)*pid) ? fopen(path, "re") : NULL;
	if (f && fgets(comm, sizeof(comm) - 1, f)) {
		const char *at;

		strcpy(comm + strcspn(comm, "\n"), ",");
		at = strstr(names, comm);
		is_one = at && (at == names || at[-1] == ',');
	}
	if (f)
		fclose(f);
	return is_one;
}

static bool begins_with(const char *pid, const char *name)
{
	char path[64], comm[32];
	bool is_one;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%.20s/comm", pid);
	f = isdigit((unsigned char)*pid) ? fopen(path, "re") : NULL;
	is_one = f && fgets(comm, sizeof(comm), f) && !strncmp(comm, name, strlen(name));
	if (f)
		fclose(f);
	return is_one;
}

char *habit_language(const char *language)
{
	DIR *proc = opendir("/proc");
	bool is_java;
	char *file = NULL;

	for (struct dirent *e; proc && !file && (e = readdir(proc));)
		if (begins_with(e->d_name, language))
			file = habit_interpreter(e->d_name, &is_java);
	if (proc)
		closedir(proc);
	if (file)
		return file;
	log_error("no running process is named %s…, so its interpreter is unknown", language);
	log_hint("give its file instead: --file FILE");
	exit(EXIT_FAILED);
}

char *habit_program(const char *names)
{
	DIR *proc = opendir("/proc");
	char *file = NULL;

	for (struct dirent *e; proc && !file && (e = readdir(proc));)
		if (is_process(e->d_name, names) && asprintf(&file, "/proc/%s/exe", e->d_name) < 0)
			file = NULL;
	if (proc)
		closedir(proc);
	if (file)
		return file;
	log_error("no running process is named %.*s", (int)strlen(names) - 1, names);
	log_hint("give its path instead: /usr/sbin/mysqld, /usr/lib/postgresql/15/bin/postgres");
	exit(EXIT_FAILED);
}
