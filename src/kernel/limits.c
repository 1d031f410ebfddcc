/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * limits.c - explains an error by the limit that caused it.
 */
#include "kernel/limits.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "util/log.h"
#include "util/small_file.h"

#define CGROUPS "/sys/fs/cgroup"

/* Returns the lowest memory.max of this process's cgroup and its parents, or 0. */
static unsigned long long cgroup_memory(void)
{
	char line[512], path[600], text[32], *end, *name = NULL;
	unsigned long long least = 0, max;
	FILE *f = fopen("/proc/self/cgroup", "re");

	while (f && !name && fgets(line, sizeof(line), f))
		name = !strncmp(line, "0::", 3) ? line + 3 : NULL;
	if (f)
		fclose(f);
	if (!name)
		return 0;
	name[strcspn(name, "\n")] = 0;
	for (end = name + strlen(name); end; end = strrchr(name, '/')) {
		*end = 0;
		snprintf(path, sizeof(path), CGROUPS "%s/memory.max", name);
		small_file_read(path, text, sizeof(text));
		if (sscanf(text, "%llu", &max) == 1 && (!least || max < least))
			least = max;
	}
	return least;
}

static unsigned long long limit_of(int resource)
{
	struct rlimit l;

	return getrlimit(resource, &l) || l.rlim_cur == RLIM_INFINITY ? 0 : l.rlim_cur;
}

static const char *memory_explain(char *text, size_t size)
{
	unsigned long long of_group = cgroup_memory(), of_process = limit_of(RLIMIT_AS);

	if (of_group)
		snprintf(text, size,
			 "out of memory: its cgroup is limited to %llu KiB (memory.max)",
			 of_group / 1024);
	else if (of_process)
		snprintf(text, size, "out of memory: it is limited to %llu KiB (ulimit -v)",
			 of_process / 1024);
	else
		snprintf(text, size, "out of memory (ENOMEM)");
	return of_group ? "set a larger memory.max, or MemoryMax= in the unit; a smaller --buffer "
			  "needs less" :
	       of_process ? "run ulimit -v unlimited first" :
			    "a smaller --buffer needs less";
}

const char *limit_explain(int err, char *text, size_t size)
{
	switch (err) {
	case ENOMEM: return memory_explain(text, size);
	case EMFILE:
		snprintf(text, size, "too many open files: they are limited to %llu (ulimit -n)",
			 limit_of(RLIMIT_NOFILE));
		return "run ulimit -n with a larger number first, or set LimitNOFILE= in the unit";
	case ENFILE:
		snprintf(text, size, "too many open files in the system (fs.file-max)");
		return "sysctl fs.file-max shows the limit";
	case EAGAIN: /* of fork(2) */
		if (!limit_of(RLIMIT_NPROC))
			return NULL;
		snprintf(text, size, "processes of this user are limited to %llu (ulimit -u)",
			 limit_of(RLIMIT_NPROC));
		return "run ulimit -u with a larger number first, or set LimitNPROC= in the unit";
	case EFBIG:
		if (!limit_of(RLIMIT_FSIZE))
			return NULL;
		snprintf(text, size, "files are limited to %llu KiB (ulimit -f)",
			 limit_of(RLIMIT_FSIZE) / 1024);
		return "run ulimit -f unlimited first, or set LimitFSIZE=infinity in the unit";
	default: return NULL;
	}
}

bool limit_error(int err, const char *why, const char *format, ...)
{
	char message[512], limit[128];
	const char *remedy = limit_explain(-err, limit, sizeof(limit));
	va_list args;

	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	log_error("%s: %s", message, remedy ? limit : why);
	if (remedy)
		log_hint("%s", remedy);
	return remedy;
}
