# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# newest_use.bash - in a guest with the disk of newest.bash as /dev/vda: bpftrace can be run, its tools are in /mnt/usr/sbin.
bpftrace_use() {
	mkdir -p /mnt
	mount -t ext2 -o ro /dev/vda /mnt || return
	mount --bind /mnt/usr/lib/x86_64-linux-gnu /usr/lib/x86_64-linux-gnu
	mount --bind "$(readlink -f /mnt/usr/lib64/ld-linux-x86-64.so.2)" /usr/lib64/ld-linux-x86-64.so.2
	cp /mnt/usr/bin/bpftrace /usr/bin/
}
