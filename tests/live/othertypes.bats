#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Types of another kernel (--btf): refused, for by them every value would be wrong.

bats_require_minimum_version 1.5.0

setup_file() {
	cp /sys/kernel/btf/vmlinux "$BATS_FILE_TMPDIR/own"
	othertypes "$BATS_FILE_TMPDIR/own" >"$BATS_FILE_TMPDIR/other"
	mkdir "$BATS_FILE_TMPDIR/empty"
}

setup() {
	cd "$BATS_FILE_TMPDIR" || return
	printf 'x%.0s' {1..64} >some
}

teardown() { [ -e /sys/kernel/btf/vmlinux ] || umount /sys/kernel/btf; }

no_types() { mount --bind empty /sys/kernel/btf; }

refused() { # TEXT COMMAND...
	local text=$1
	shift
	run -1 --separate-stderr "$@"
	[[ -z $output && $stderr == *"are not those of the running kernel"*"$text"*"--btf-force"* ]] || {
		echo "$*: $output$stderr"; false
	}
}

refused_all() { # TEXT
	refused "$1" execsnoop --btf other -d 1
	refused "$1" opensnoop --btf other -d 1
	refused "$1" argdump --btf other -d 1 vfs_read '$task->tgid'
	refused "$1" argdump --btf other -d 1 --count vfs_read
}

# The values are right: of reads, and of an exec.
own_shown() {
	run -0 argdump --btf own vfs_read 'own=$task->tgid == $pid' count -- reads 3 some
	[ "$(grep -c ' reads .*own=1 count=1$' <<<"$output")" -eq 3 ] || { echo "$output"; false; }
	run -0 execsnoop --btf own -- busybox true
	grep -qE '^busybox +[0-9]+ +[1-9][0-9]* +0 busybox true$' <<<"$output" || { echo "$output"; false; }
}

# What they say is wrong, or the verifier knows better; nobody else refuses them.
forced() {
	run argdump --btf other --btf-force vfs_read 'own=$task->tgid == $pid' count -- reads 3 some
	[[ $output != *"not those of the running kernel"* ]]
	[ "$status" -ne 2 ] || return 0
	[ "$(grep -c 'own=0 count=1$' <<<"$output")" -eq 3 ] || { echo "$output"; false; }
}

@test "the kernel has types of its own: any others are refused" {
	refused_all "omit --btf"
	own_shown
	run -0 opensnoop --btf own -- reads 1 some
	grep -qE ' reads .* 0 +some$' <<<"$output" || { echo "$output"; false; }
}

@test "--btf-force trusts them, and others may always be looked at" {
	forced
	run -0 argdump --btf other --dry-run vfs_read '$task->tgid'
	run -0 argdump --btf other --list vfs_read
	run -0 argdump --btf other --type task_struct.tgid
	run -0 coretap doctor --btf other
	run -1 argdump --btf-force --dry-run vfs_read
	[[ $output == *"--btf FILE"* ]]
}

@test "the kernel has none: reads of coretap itself must be right" {
	no_types
	run -2 argdump -d 1 vfs_read
	refused_all "coretap's own process ID would be"
	own_shown
	forced
	# numbers are others in there
	run -0 unshare -pf argdump --btf own -d 0.1 vfs_read '$task->tgid'
	run -1 unshare -pf argdump --btf other -d 0.1 vfs_read '$task->tgid'
}

@test "the kernel has none, but a file with them is in the search path: it must also match" {
	added=/var/lib/coretap/btf/$(uname -r).btf
	mkdir -p "${added%/*}"
	no_types
	cp own "$added"
	run -0 argdump vfs_read 'own=$task->tgid == $pid' count -- reads 3 some
	[ "$(grep -c ' reads .*own=1 count=1$' <<<"$output")" -eq 3 ] || { echo "$output"; false; }
	run -0 opensnoop -- reads 1 some
	grep -qE ' reads .* 0 +some$' <<<"$output" || { echo "$output"; false; }
	[ "$(coretap doctor -j | jq -r 'select(.name == "types (BTF)") | .answer')" = yes ]
	cp other "$added"
	refused "coretap's own process ID would be" argdump -d 1 vfs_read
	rm "$added"
}
