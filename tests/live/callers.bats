#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# opensnoop --caller: the function outside of the C library that has opened a file, as tests/work/callers
# calls it; in programs without frame pointers.

bats_require_minimum_version 1.5.0

setup() { cd "$BATS_TEST_TMPDIR" || return; }

# PROGRAM NAMES: each name's file was opened by the function of that name.
called() {
	run -0 --separate-stderr opensnoop -j --caller "${@:3}" -o out -- "$1"
	cat out
	for name in $2; do
		jq -e -s --arg name "$name" --arg file "${1##*/}" 'map(select(.path == $name)) | length >= 1 and
			all(.[]; .caller | test("^" + $name + "[+]0x[0-9a-f]+ \\[" + $file + "\\]$"))' out
	done
}

@test "a program with libraries: by open, openat, syscall, fopen, opendir and a thread" {
	called callers-pie 'by_open by_openat by_syscall by_fopen by_opendir'
	[ "$(grep -c '"path":"by_open"' out)" -eq 2 ]
}

@test "the same by kprobes, with full paths" {
	called callers-pie 'by_open by_openat by_syscall by_fopen by_opendir' --attach kprobe
	[ "$(jq -r 'select(.path == "by_fopen").full_path' out)" = "$PWD/by_fopen" ]
}

@test "a static program: the caller of the function that makes the call" {
	called callers 'by_open by_openat by_syscall'
}

@test "as text, beside the path, long ones too; other columns are as without it" {
	long=$(printf '%0300d' 0)
	opensnoop --caller -c 'callers*,cat' -o out -- sh -c "callers-pie; cat $long $long/$long" 2>err || true
	grep -qE '^ +[0-9]+ callers-pie +-1 ENOENT +by_open\+0x[0-9a-f]+ \[callers-pie\] +by_open$' out || { cat out; false; }
	[ "$(grep -cE "\[busybox\][^ ]* +$long" out)" -eq 2 ] || { cat out; false; }
	opensnoop -F --caller -c 'callers*' -o full -- callers-pie 2>err || true
	grep -qE " by_fopen\+0x[0-9a-f]+ \[callers-pie\] +$PWD/by_fopen\$" full || { cat full; false; }
}

@test "it is for opens: not with --count, not with --also" {
	for other in --count '--also unlink'; do
		# shellcheck disable=SC2086  # options
		run -1 opensnoop --caller $other --dry-run
		[[ $output == *--caller* ]]
	done
}
