/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * user_other.c - watches for other copies of the file that is traced.
 *
 * A name is searched in our own root. A command that changes its root or mount namespace maps another file of that
 * name, so the traced one has no calls. perf's records tell what each process maps, even if it ends at once; their
 * paths begin at the root of the process.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include "probe/argdump.h"
#include "probe/providers/user_file.h"
#include "run/session.h"
#include "symbols/user/usyms.h"
#include "util/log.h"

enum { FAMILY_MAX = 256, OVERLAY_MAGIC = 0x794c7630 };

static struct {
	const struct session *s; /* NULL: nothing is watched */
	char name[64], path[4096];
	uint64_t inode;
	bool is_overlay; /* a mapping may have another inode than its path */
	uint32_t family[FAMILY_MAX], count;
} watched;

static struct {
	uint32_t pid; /* 0: no other copy so far */
	bool rooted;  /* the path begins at our root */
	char path[4096 + 256];
} other;

static bool is_family(uint32_t pid)
{
	if ((pid_t)pid == watched.s->traced.command.pid)
		return true;
	for (uint32_t i = 0; i < watched.count; i++)
		if (watched.family[i] == pid)
			return true;
	return false;
}

static void family_forked(uint32_t parent, uint32_t child)
{
	if (is_family(parent) && watched.count < FAMILY_MAX)
		watched.family[watched.count++] = child;
}

static bool same_mounts(uint32_t pid)
{
	struct stat ours, its;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%u/ns/mnt", pid);
	return !stat("/proc/self/ns/mnt", &ours) && !stat(path, &its) && ours.st_ino == its.st_ino;
}

/* Prepends the root of the process, if the process still exists. */
static void other_note(uint32_t pid, const char *path)
{
	char link[64], root[256];
	ssize_t len;

	snprintf(link, sizeof(link), "/proc/%u/root", pid);
	len = readlink(link, root, sizeof(root) - 1);
	other.rooted = len > 0 && same_mounts(pid);
	root[other.rooted && len > 1 ? len : 0] = 0;
	snprintf(other.path, sizeof(other.path), "%s%s", root, path);
	other.pid = pid;
}

static void library_mapped(uint32_t pid, uint64_t inode, const char *path)
{
	if (other.pid || inode == watched.inode || *path != '/' ||
	    !user_file_is_library(path, watched.name) ||
	    (watched.is_overlay && !strcmp(path, watched.path)) || !is_family(pid))
		return;
	other_note(pid, path);
}

void user_other_watch(struct session *s)
{
	struct statfs fs;
	struct stat st;
	const char *path, *name;
	int fd;

	name = user_file_named(&path, &fd);
	if (!name || watched.s || !s->options.child.command || s->options.tasks.pids.count ||
	    s->traced.proc_is_other || s->options.attach.btf ||
	    strlen(name) >= sizeof(watched.name) || strlen(path) >= sizeof(watched.path) ||
	    fstat(fd, &st) || fstatfs(fd, &fs))
		return;
	strcpy(watched.name, name);
	strcpy(watched.path, path);
	watched.inode = st.st_ino;
	watched.is_overlay = fs.f_type == OVERLAY_MAGIC;
	watched.s = s;
	usyms_mapped_notify(library_mapped, family_forked);
	session_name_users(s);
}

bool user_other_report(void)
{
	if (!watched.s)
		return false;
	usyms_poll();
	if (!other.pid)
		return false;
	log_warn(
		"'%s' is %s of this mount namespace, but process %u ran %s%s: its calls are missing",
		watched.name, watched.path, other.pid, other.path,
		other.rooted ? "" : " in its own root or mount namespace");
	if (!argdump_is_run(watched.s) || !other.rooted)
		log_hint("-p PID traces the file that a running process has");
	else
		log_hint("u:%s:FUNC traces that one", other.path);
	return true;
}
