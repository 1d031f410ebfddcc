/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * mounts.c - file systems that are mounted in steps, as mount(8) of today does, for the tests of recipes. It must not know of
 * coretap.
 *
 *   mounts FOLDER      a tmpfs with the source "none" by fsopen, fsconfig, fsmount and move_mount; a move to nowhere, which
 *                      fails; and its unmount
 */
#include <stdio.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SET_STRING = 1, CMD_CREATE = 6, EMPTY_FROM = 4 };

int main(int argc, char **argv)
{
	int fs, mount;

	if (argc != 2)
		return 1;
	fs = syscall(SYS_fsopen, "tmpfs", 0);
	if (fs < 0 || syscall(SYS_fsconfig, fs, SET_STRING, "source", "none", 0) ||
	    syscall(SYS_fsconfig, fs, CMD_CREATE, NULL, NULL, 0))
		return 2;
	mount = syscall(SYS_fsmount, fs, 0, 0);
	if (mount < 0 || !syscall(SYS_move_mount, mount, "", -100, "/nowhere", EMPTY_FROM) ||
	    syscall(SYS_move_mount, mount, "", -100, argv[1], EMPTY_FROM))
		return 3;
	close(mount); /* it is a user of the mount */
	close(fs);
	return umount2(argv[1], 0) ? 4 : 0;
}
