#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# A function that was not seen: what is said of it is in the kernel's code. The judge of what was called is the kernel's
# own tracer.

# shellcheck disable=SC2154 # bats sets stderr
bats_require_minimum_version 1.5.0

teardown() {
	[[ -z ${worker:-} ]] || kill "$worker"
	[ ! -e "$tracing/events/kprobes/enable" ] || echo 0 >"$tracing/events/kprobes/enable"
	echo >"$tracing/kprobe_events"
}

setup() { tracing=/sys/kernel/tracing; }

# Syncs a file again and again.
syncing() {
	while :; do
		echo x >"$BATS_TEST_TMPDIR/file"
		fsync "$BATS_TEST_TMPDIR/file"
		sleep 0.02
	done 3>&- &
	worker=$!
}

fsync() { dd if=/dev/zero of="$1" bs=1 count=1 conv=fsync 2>/dev/null; }

# Which of FUNC… the kernel's own kprobes see within a second.
called() { # FUNC…
	local func
	for func in "$@"; do
		! grep -q " $func\$" /proc/kallsyms || echo "p:own_$func $func" >>"$tracing/kprobe_events"
	done
	echo 1 >"$tracing/events/kprobes/enable"
	sleep 1
	echo 0 >"$tracing/events/kprobes/enable"
	for func in "$@"; do
		! grep -q " own_$func: " "$tracing/trace" || echo "$func"
	done
	echo >"$tracing/kprobe_events"
	echo >"$tracing/trace"
}

@test "a function that its callers have inlined: they are named, and the kernel's own tracer agrees" {
	local seen
	syncing
	seen=$(called vfs_fsync_range do_fsync)
	[ "$seen" ]
	run -0 --separate-stderr argdump -d 0.5 -n 1 vfs_fsync_range
	echo "$seen: $output$stderr"
	if [[ $seen == *vfs_fsync_range* ]]; then
		[[ $output == *' dd '* && $stderr != *'not seen'* ]]
		return
	fi
	[[ $stderr == 'argdump: vfs_fsync_range was not seen: '*' which call it, did not do so'* ]]
	[[ $seen != *do_fsync* || $stderr == *do_fsync*', like it, call'*' and may have it inlined; '* ]]
	run -0 argdump -d 2 -n 1 do_fsync
	[[ $output == *' dd '* ]]
}

@test "a function that is not called: by its callers, or by a pointer" {
	run -0 --separate-stderr argdump -d 0.1 vfs_mknod
	[[ $stderr == 'argdump: vfs_mknod was not seen: '*' which call it, did not do so'* ]] || { echo "$stderr"; false; }
	run -0 --separate-stderr argdump -d 0.1 devkmsg_llseek
	[[ $stderr == 'argdump: devkmsg_llseek was not seen: no code of this kernel calls it by name: either it is called through a pointer, and was not, '* ]] ||
		{ echo "$stderr"; false; }
	run -0 --separate-stderr argdump -q -d 0.1 vfs_mknod
	[ -z "$stderr" ]
	run -0 --separate-stderr coretap funccount -d 0.1 vfs_mknod
	[[ $stderr == 'funccount: vfs_mknod was not seen: '*' which call it, did not do so'* ]] || { echo "$stderr"; false; }
}

@test "without /proc/kcore the reasons are said that there can be" {
	run -0 --separate-stderr unshare -m sh -c 'mount --bind /dev/null /proc/kcore; exec argdump -d 0.1 vfs_mknod'
	[[ $stderr == 'argdump: vfs_mknod was not seen: either nothing called it, or its callers have it inlined'* ]] || { echo "$stderr"; false; }
}

@test "funcgraph says where FUNC calls by pointers, and nothing else is taken for FUNC" {
	run -0 --separate-stderr timeout 100 funcgraph -d 0.5 --depth 2 vfs_read -n 1 -- reads 3 /proc/version
	[[ $output == *'vfs_read('* ]]
	[[ $stderr == *'funcgraph: vfs_read calls through a pointer in '*': the functions called there are not among them; --funcs PATTERN,... adds it'* ]] ||
		{ echo "$stderr"; false; }
	run -0 --separate-stderr timeout 100 funcgraph -d 0.1 --depth 2 vfs_mknod
	[[ $stderr == *'funcgraph: vfs_mknod was not seen'*': '* ]] || { echo "$stderr"; false; }
}
