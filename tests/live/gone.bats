#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# What probes are in goes while they trace: a module is unloaded and loaded again, a program's file is
# replaced. That is said, counted, and the end is status 4.

bats_require_minimum_version 1.5.0
load argdump
load wait

setup() { cd "$BATS_TEST_TMPDIR" || return; }

# overlay's first function when something is mounted, which then fails
mounts() {
	for ((i = 0; i < $1; i++)); do
		mount -t overlay none "$PWD" 2>/dev/null || :
	done
}

traced_begin() {
	argdump "$@" >out 2>err & tool=$!
	wait_attached $tool
}

traced_end() {
	kill -INT $tool
	wait_until is_gone $tool
	status=0
	wait $tool || status=$?
}

@test "kprobes in a module that is unloaded and loaded again" {
	modprobe overlay || skip "no module overlay for this kernel"
	for f in ovl_init_fs_context ovl_mount; do
		! grep -q " $f	\[overlay\]" /proc/kallsyms || begins=$f
	done
	traced_begin --attach kprobe --count "overlay:$begins"
	mounts 20
	rmmod overlay
	modprobe overlay
	mounts 20
	traced_end
	[ "$status" -eq 4 ] || { echo "$status"; cat out err; false; }
	grep -q 'module overlay was unloaded, and its probes with it' err || { cat err; false; }
	grep -q '1 module or file gone with the probes in it' err || { cat err; false; }
	grep -qE '^total: 20 calls|^overlay[^ ]* +20$| 20$' out || { cat out; false; }
}

@test "a module that is not touched goes unmentioned, and trampolines keep theirs" {
	modprobe overlay || skip "no module overlay for this kernel"
	for f in ovl_init_fs_context ovl_mount; do
		! grep -q " $f	\[overlay\]" /proc/kallsyms || begins=$f
	done
	traced_begin --count "overlay:$begins"
	mounts 20
	rmmod overlay 2>/dev/null && { modprobe overlay; reloaded=yes; }
	mounts 20
	traced_end
	if [ "${reloaded:-no}" = yes ]; then
		[ "$status" -eq 4 ] && grep -q 'module overlay was unloaded' err || { echo "$status"; cat out err; false; }
	else
		[ "$status" -eq 0 ] && [ ! -s err ] || { echo "$status"; cat out err; false; }
		grep -q ' 40' out || { cat out; false; }
	fi
}

@test "a program's file that is replaced" {
	cp /tests/work/ucalls prog
	cp /tests/work/ucalls new
	traced_begin --count "u:$PWD/prog:called"
	./prog nest 10
	mv new prog
	./prog nest 10
	traced_end
	[ "$status" -eq 4 ] || { echo "$status"; cat out err; false; }
	grep -q "/prog was replaced: processes that start now are not traced" err || { cat err; false; }
	grep -q ' 10' out || { cat out; false; }
}

@test "a file that is as it was goes unmentioned, and so does one that was removed" {
	cp /tests/work/ucalls prog
	traced_begin --count "u:$PWD/prog:called"
	./prog nest 10
	rm prog
	traced_end
	[ "$status" -eq 0 ] && [ ! -s err ] || { echo "$status"; cat out err; false; }
}

@test "of a process, the file that it runs, though another has its path by now" {
	cp /tests/work/chain prog
	cp /tests/work/ucalls new
	echo x >some
	./prog 100000000 some 3>&- & program=$!
	wait_until grep -q "$PWD/prog" "/proc/$program/maps"
	mv new prog
	run argdump -n 1 -p $program "u:$PWD/prog:outer"
	kill $program
	[ "$status" -eq 0 ] && [[ $output == *"has an older file $PWD/prog, which is traced"*" $program prog"* ]] || { echo "$status $output"; false; }
}
