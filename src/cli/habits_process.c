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

/* Reads the command name of a process, whose number an entry of /proc may be. */
static bool comm_read(const char *pid, char comm[32])
{
	char path[64];
	bool is_read;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%.20s/comm", pid);
	f = isdigit((unsigned char)*pid) ? fopen(path, "re") : NULL;
	is_read = f && fgets(comm, 31, f);
	if (is_read)
		comm[strcspn(comm, "\n")] = '\0';
	if (f)
		fclose(f);
	return is_read;
}

/* True if the name is one of `names`, each followed by a comma. */
static bool is_among(const char *comm, const char *names)
{
	char one[34];
	const char *at;

	snprintf(one, sizeof(one), "%s,", comm);
	at = strstr(names, one);
	return at && (at == names || at[-1] == ',');
}

static bool begins_with(const char *comm, const char *name)
{
	return !strncmp(comm, name, strlen(name));
}

static char *interpreter_of(const char *pid)
{
	bool is_java;

	return habit_interpreter(pid, &is_java);
}

static char *exe_of(const char *pid)
{
	char *file;

	return asprintf(&file, "/proc/%s/exe", pid) < 0 ? NULL : file;
}

/* Returns what `file_of` finds of the first process whose name fits; NULL: there is none. */
static char *process_find(bool (*fits)(const char *comm, const char *name), const char *name,
			  char *(*file_of)(const char *pid))
{
	DIR *proc = opendir("/proc");
	char *file = NULL, comm[32];

	for (struct dirent *e; proc && !file && (e = readdir(proc));)
		if (comm_read(e->d_name, comm) && fits(comm, name))
			file = file_of(e->d_name);
	if (proc)
		closedir(proc);
	return file;
}

char *habit_language(const char *language)
{
	char *file = process_find(begins_with, language, interpreter_of);

	if (file)
		return file;
	log_error("no running process is named %s…, so its interpreter is unknown", language);
	log_hint("give its file instead: --file FILE");
	exit(EXIT_FAILED);
}

char *habit_program(const char *names)
{
	char *file = process_find(is_among, names, exe_of);

	if (file)
		return file;
	log_error("no running process is named %.*s", (int)strlen(names) - 1, names);
	log_hint("give its path instead: /usr/sbin/mysqld, /usr/lib/postgresql/15/bin/postgres");
	exit(EXIT_FAILED);
}
