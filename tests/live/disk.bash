# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# disk.bash - the disk that live tests may write to: `load disk`.

# run-live gives each guest one; DISK is its device. dd is one that can read it past the page cache (tools/guest-image).
disk_find() {
	export DISK=/dev/vda PATH=/usr/libexec/coreutils:$PATH
	[ -b $DISK ] || { echo "no disk $DISK: tests/run-live gives one" && return 1; }
}

# What the kernel counts of it: reads and their sectors, writes, discards; flushes.
disk_counts() {
	awk -v disk="${DISK#/dev/}" '$3 == disk { print $4, $6, $8, $10, $15, $17, $19 }' /proc/diskstats
}
