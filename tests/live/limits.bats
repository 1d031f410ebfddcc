#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Where a limit ends a run, the limit is named, the exit status is none of success, and nothing stays attached.
# (RLIMIT_MEMLOCK: rights.bats)

# shellcheck disable=SC2154 # bats sets stderr
bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	tools=(execsnoop opensnoop connsnoop biolatency syssnoop 'argdump vfs_read' tcplife)
}

teardown() {
	! grep -q " $BATS_TEST_TMPDIR/full " /proc/mounts || umount full
}

# The last run failed, and said TEXT; nothing is left of it.
named() { # TEXT
	[[ $status -ge 1 && $status -le 4 && $stderr == *"$1"* ]] || { echo "$status: $output$stderr"; false; }
	[ ! -s /sys/kernel/tracing/kprobe_events ]
	[ ! -s /sys/kernel/tracing/uprobe_events ]
}

@test "too many open files" {
	local tool seen=0
	ulimit -l unlimited
	for tool in "${tools[@]}"; do
		# without the right to raise it
		# shellcheck disable=SC2086 # words
		run --separate-stderr withcaps sys_admin,dac_read_search,syslog,sys_ptrace bash -c "ulimit -n 6; exec $tool -d 0.2"
		echo "$tool"
		named 'ulimit -n'
		seen=$((seen + 1))
	done
	[ $seen -eq ${#tools[@]} ]
}

@test "too many open files, at whatever point of a program the limit is reached" {
	local most failed=0
	ulimit -l unlimited
	export CORETAP_CONFIG=
	for ((most = 4; most < 40; most++)); do
		run --separate-stderr withcaps sys_admin,dac_read_search,syslog,sys_ptrace bash -c "
			ulimit -n $most; exec bt -q -e 'kprobe:vfs_read { @[comm] = count() } interval:ms:100 { exit() }'"
		((status)) || break
		echo "$most"
		named "too many open files: they are limited to $most (ulimit -n)"
		[[ $stderr != *'was not seen'* ]] || { echo "$stderr"; false; }
		((++failed))
	done
	((failed >= 3 && most < 40))
}

@test "too many open files for one of several functions: not left out, but an error" {
	local tool most failed
	for tool in statsnoop runqlat profile; do
		failed=0
		for ((most = 8; most < 40; most++)); do
			run --separate-stderr bash -c "ulimit -n $most; exec $tool -d 0.1"
			[[ $stderr != *'left out'* ]] || { echo "$tool $most: $stderr"; false; }
			((status)) || break
			echo "$tool $most"
			named "too many open files: they are limited to $most (ulimit -n)"
			((++failed))
		done
		((failed >= 3 && most < 40)) || { echo "$tool: $failed failed"; false; }
	done
}

@test "a closed standard output: nothing else is opened in its place, and written to" {
	local tool
	for tool in "${tools[@]}"; do
		run -3 --separate-stderr bash -c "exec $tool -d 0.5 >&-"
		echo "$tool"
		named "cannot write to 'stdout': Bad file descriptor"
		[[ $stderr != *'was not seen'* ]] || { echo "$stderr"; false; }
	done
}

@test "the memory of a cgroup" {
	local tool group=/sys/fs/cgroup/limits
	echo +memory >/sys/fs/cgroup/cgroup.subtree_control
	mkdir -p $group
	echo 20M >$group/memory.max
	for tool in "${tools[@]}"; do
		[ "$tool" != biolatency ] || continue # which has no ring
		run --separate-stderr bash -c "echo \$\$ >$group/cgroup.procs; exec $tool --buffer 256M -d 0.2"
		[[ $tool != execsnoop || $status -ne 0 ]] || skip "this kernel does not count BPF maps as memory of a cgroup"
		echo "$tool"
		named '20480 KiB (memory.max)'
	done
	rmdir $group
}

@test "the size of files, a full disk: of the output, of a trace, of a picture, of metrics" {
	mkdir -p full
	mount -t tmpfs -o size=16k none full
	run --separate-stderr bash -c 'ulimit -f 1; exec argdump vfs_read count -d 3 -o out -- dd if=/dev/zero of=/dev/null bs=1 count=3000'
	named 'ulimit -f'
	for words in '-o out' '--trace-json out.json'; do
		run --separate-stderr argdump vfs_read count ${words/out/full/out} -d 3 -- dd if=/dev/zero of=/dev/null bs=1 count=3000
		echo "$words"
		named 'No space left on device'
		rm -f full/*
	done
	dd if=/dev/zero of=full/rest bs=4k 2>/dev/null || true
	for words in '--folded --svg full/out.svg' '--count --openmetrics full/out.prom'; do
		run --separate-stderr argdump ${words} vfs_read -d 1 -- cat /etc/passwd
		echo "$words"
		named 'No space left on device'
	done
}

@test "the number of processes: a command cannot be started" {
	ulimit -l unlimited
	run --separate-stderr withcaps bpf,perfmon \
		bash -c 'ulimit -u 1; exec argdump vfs_read count -- cat /etc/passwd'
	named 'ulimit -u'
}
