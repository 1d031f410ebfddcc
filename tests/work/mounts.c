/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * mounts.c - file systems that are mounted in steps, as mount(8) of today does, for the tests of recipes. It must not know of
 * coretap.
 *
 *   mounts FOLDER      a tmpfs with the source "none" by fsopen, fsconfig, fsmount and move_mount; a move to nowhere, which
 *                      fails; and its unmount
 *   mounts all FOLDER  every step that the kernel has, in a mount namespace of its own, most of them once with success and
 *                      once with an error. Prints "CALL RESULT" for each: what the call returned, or the error as -ERRNO; a
 *                      descriptor as 0
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
	SET_FLAG,
	SET_STRING,
	SET_BINARY,
	SET_PATH,
	SET_PATH_EMPTY,
	SET_FD,
	CMD_CREATE,
	CMD_RECONFIGURE
};
enum { HERE = -100, EMPTY_FROM = 4, EMPTY_PATH = 0x1000, CLONE_IT = 1, READ_ONLY = 1 };
enum {
	CALL_OPEN_TREE = 428,
	CALL_MOVE_MOUNT,
	CALL_FSOPEN,
	CALL_FSCONFIG,
	CALL_FSMOUNT,
	CALL_FSPICK
};
enum { CALL_MOUNT_SETATTR = 442, CALL_OPEN_TREE_ATTR = 467 };

static int one_file_system(const char *folder)
{
	int fs, mount;

	fs = syscall(CALL_FSOPEN, "tmpfs", 0);
	if (fs < 0 || syscall(CALL_FSCONFIG, fs, SET_STRING, "source", "none", 0) ||
	    syscall(CALL_FSCONFIG, fs, CMD_CREATE, NULL, NULL, 0))
		return 2;
	mount = syscall(CALL_FSMOUNT, fs, 0, 0);
	if (mount < 0 || !syscall(CALL_MOVE_MOUNT, mount, "", HERE, "/nowhere", EMPTY_FROM) ||
	    syscall(CALL_MOVE_MOUNT, mount, "", HERE, folder, EMPTY_FROM))
		return 3;
	close(mount); /* it is a user of the mount */
	close(fs);
	return umount2(folder, 0) ? 4 : 0;
}

/* Prints what a call returned, if the kernel has it. */
static int said(const char *call, long returned)
{
	if (returned >= 0)
		printf("%s 0\n", call);
	else if (errno != ENOSYS)
		printf("%s %d\n", call, -errno);
	return (int)returned;
}

static int parameters(void)
{
	int fs = said("fsopen", syscall(CALL_FSOPEN, "tmpfs", 0)),
	    null = open("/dev/null", O_RDONLY);

	said("fsopen", syscall(CALL_FSOPEN, "nosuchfs", 0));
	said("fsconfig", syscall(CALL_FSCONFIG, fs, SET_STRING, "source", "none", 0));
	said("fsconfig", syscall(CALL_FSCONFIG, fs, SET_FLAG, "ro", NULL, 0));
	said("fsconfig", syscall(CALL_FSCONFIG, fs, SET_FLAG, "nosuch", NULL, 0));
	said("fsconfig", syscall(CALL_FSCONFIG, fs, SET_BINARY, "blob", "123", 3));
	said("fsconfig", syscall(CALL_FSCONFIG, fs, SET_PATH, "way", "/", HERE));
	said("fsconfig", syscall(CALL_FSCONFIG, fs, SET_PATH_EMPTY, "way", "", null));
	said("fsconfig", syscall(CALL_FSCONFIG, fs, SET_FD, "file", NULL, null));
	said("fsconfig", syscall(CALL_FSCONFIG, fs, CMD_CREATE, NULL, NULL, 0));
	return fs;
}

static void trees(const char *folder)
{
	struct {
		uint64_t set, clear, propagation, namespace;
	} attr = { READ_ONLY, 0, 0, 0 };
	int fs, tree;

	fs = said("fspick", syscall(CALL_FSPICK, HERE, folder, 0));
	said("fspick", syscall(CALL_FSPICK, HERE, "/nowhere", 0));
	said("fsconfig", syscall(CALL_FSCONFIG, fs, CMD_RECONFIGURE, NULL, NULL, 0));
	tree = said("open_tree", syscall(CALL_OPEN_TREE, HERE, folder, CLONE_IT));
	said("open_tree", syscall(CALL_OPEN_TREE, HERE, "/nowhere", CLONE_IT));
	said("mount_setattr",
	     syscall(CALL_MOUNT_SETATTR, tree, "", EMPTY_PATH, &attr, sizeof(attr)));
	said("mount_setattr",
	     syscall(CALL_MOUNT_SETATTR, HERE, "/nowhere", 0, &attr, sizeof(attr)));
	said("open_tree_attr",
	     syscall(CALL_OPEN_TREE_ATTR, HERE, folder, CLONE_IT, &attr, sizeof(attr)));
	said("open_tree_attr",
	     syscall(CALL_OPEN_TREE_ATTR, HERE, "/nowhere", CLONE_IT, &attr, sizeof(attr)));
}

/* A root that is no mount point cannot be left, so it is the file system first. */
static int roots(const char *folder)
{
	if (said("mount", mount("none", folder, "tmpfs", 0, NULL)) || chroot(folder) ||
	    chdir("/") || mkdir("/new", 0755) ||
	    said("mount", mount("none", "/new", "tmpfs", 0, NULL)) || mkdir("/new/old", 0755))
		return 5;
	said("pivot_root", syscall(SYS_pivot_root, "/new", "/nowhere"));
	said("pivot_root", syscall(SYS_pivot_root, "/new", "/new/old"));
	return 0;
}

static int all_steps(const char *folder)
{
	int fs, tree;

	if (unshare(CLONE_NEWNS) ||
	    said("mount", mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL)))
		return 2;
	fs = parameters();
	tree = said("fsmount", syscall(CALL_FSMOUNT, fs, 0, 0));
	said("fsmount", syscall(CALL_FSMOUNT, -1, 0, 0));
	said("move_mount", syscall(CALL_MOVE_MOUNT, tree, "", HERE, "/nowhere", EMPTY_FROM));
	said("move_mount", syscall(CALL_MOVE_MOUNT, tree, "", HERE, folder, EMPTY_FROM));
	trees(folder);
	return roots(folder);
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "all"))
		return all_steps(argv[2]);
	return argc == 2 ? one_file_system(argv[1]) : 1;
}
