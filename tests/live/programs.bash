# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# programs.bash - the disk with this machine's own programs (tests/lib/programs-image), for chroot: `load programs`.

readonly P=/run/programs

# Skips the test, or in setup_file all of them, where there is no disk.
programs_mount() {
	[ -b /dev/vdb ] || skip "no disk of programs: mke2fs or one of the programs was missing when the tests were built"
	modprobe ext4 2>/dev/null || true # where it is a module
	mkdir -p $P
	mount -t ext4 -o ro /dev/vdb $P
	mount -t proc proc $P/proc
	if ! chroot $P bash -c : 2>/dev/null; then
		umount $P/proc $P
		skip "the programs on the disk are of another processor"
	fi
	mount --bind /dev $P/dev
	mount -t tmpfs tmp $P/tmp
}

programs_umount() {
	! grep -q " $P " /proc/mounts || umount -l $P/tmp $P/dev $P/proc $P
}
