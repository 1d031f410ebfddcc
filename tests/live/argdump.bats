#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# argdump on a live kernel: exact counts and values of a known workload (tests/work/reads), every
# way to attach, filters, limits, what is lost, and what is said when it cannot work.

bats_require_minimum_version 1.5.0
load wait
load argdump

FS='file->f_inode->i_sb->s_type->name'

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	printf 'x%.0s' {1..64} >some
}

# A process that goes on reading, and a tracer, on one processor: emulated ones may fall over a
# function that is patched while another runs it (int3 on SMP under TCG, no matter who patches).
worker_start() {
	rm -f pid
	taskset 1 reads -s 100000000 some >pid & worker=$!
	wait_until test -s pid
}
argdump_here() { taskset 1 argdump "$@"; }

nothing_attached() {
	! grep . /sys/kernel/tracing/kprobe_events && ! grep vfs_read /sys/kernel/tracing/enabled_functions &&
		! ls -l /proc/[0-9]*/fd | grep bpf-prog
}

# Of a table, the lines behind the header.
rows() { tail -n +2 <<<"${1-$output}"; }


@test "the filesystem of every read: exact counts" {
	run -0 --separate-stderr argdump vfs_read "$FS" -- reads 137 some /proc/version /sys/kernel/mm/transparent_hugepage/enabled
	[ "$(count 'reads .*name="proc"' <<<"$output")" -eq 137 ]
	[ "$(count 'reads .*name="sysfs"' <<<"$output")" -eq 137 ]
	[ "$(count ' reads .*name=' <<<"$output")" -eq 411 ]
	[ -z "$stderr" ] || { echo "$stderr"; false; }
}

@test "JSON: each field, exactly" {
	run -0 --separate-stderr argdump -j vfs_read "fs=$FS" count n=count:x \
		'len=file->f_path.dentry->d_name.len' 'name=file->f_path.dentry->d_name.name:str' \
		'ino=file->f_inode->i_ino' 'mode=file->f_inode->i_mode:o' -- \
		reads 11 some
	jq -e -s --arg ino "$(stat -c %i some)" '
		map(select(.type == "argdump" and .comm == "reads" and .args.name == "some")) |
		length == 11 and all(.[];
			.args.count == 1 and .args.n == 1 and .args.len == 4 and .pid == .tid and .pid > 1 and
			(.args.ino | tostring) == $ino and (.ts_ns | type) == "number" and
			(.time | test("^20..-..-..T")))' <<<"$output"
}

@test "all parameters by default" {
	run -0 argdump -n 3 -c reads vfs_read -- reads 3 some
	[ "$(count -E " reads +file=\"$PWD/some\" buf=0x[0-9a-f]+ count=1 pos=0\$" <<<"$output")" -eq 3 ]
}

@test "every attach method, every way to load: the same rows" {
	for method in fentry kprobe.multi kprobe; do
		if [ $method = kprobe.multi ] && ! grep -q ' register_fprobe_ips$' /proc/kallsyms; then
			echo "# $method: this kernel has no fprobe" >&3
			continue
		fi
		run -0 --separate-stderr argdump --attach $method vfs_read "$FS" count 'n=file->f_path.dentry->d_name.name:str' -- \
			reads 23 /proc/version
		[ "$(count ' reads .*name="proc" count=1 n="version"' <<<"$output")" -eq 23 ] || {
			echo "$method: $output"; false
		}
	done
}

@test "a name given by a user: newline, escape, quotes, bytes that are no UTF-8" {
	name=$'a\nb\e[31m"q\\\xff\xe2\x80\xae'
	cp some "$name"
	run -0 argdump vfs_read 'n=file->f_path.dentry->d_name.name:str' -- reads 3 "$name"
	[ "$(count -F 'n="a\nb\x1b[31m\"q\\\xff\u202e"' <<<"$output")" -eq 3 ]
	run -0 argdump -j vfs_read 'n=file->f_path.dentry->d_name.name:str' -- reads 1 "$name"
	grep '"comm":"reads"' <<<"$output" | jq -e '.args.n == "a\nb\u001b[31m\"q\\\uefff\u202e"'
}

@test "a string longer than its slot is cut, and marked" {
	name=$(printf 'n%.0s' {1..200})
	cp some "$name"
	run -0 --separate-stderr argdump -s 16 vfs_read 'n=file->f_path.dentry->d_name.name:str' -- reads 3 "$name"
	[ "$(count -F 'n="nnnnnnnnnnnnnnn"…' <<<"$output")" -eq 3 ]
	run -0 argdump -s 256 vfs_read 'n=file->f_path.dentry->d_name.name:str' -- reads 3 "$name"
	[ "$(count -F "n=\"$name\"" <<<"$output")" -eq 3 ]
}

@test "a NULL link is named" {
	run -0 argdump vfs_read 'p=file->f_inode->i_pipe->files' -- reads 3 some
	[ "$(count -F '<NULL: file->f_inode->i_pipe>' <<<"$output")" -ge 3 ]
	run -0 argdump -j vfs_read 'p=file->f_inode->i_pipe->files' -- reads 3 some
	grep '"comm":"reads"' <<<"$output" | jq -e -s 'length >= 3 and
		(map(select(.args.p == null and (.errors.p | contains("file->f_inode->i_pipe")))) | length >= 3)'
}

@test "the caller's string, as user memory" {
	run -0 argdump do_sys_openat2 'f=filename' dfd -- reads 1 some /proc/version
	[ "$(count ' reads .*f="some" dfd=AT_FDCWD' <<<"$output")" -eq 1 ]
	[ "$(count ' reads .*f="/proc/version"' <<<"$output")" -eq 1 ]
}

@test "-p, -t, -u, -c, --cgroup and -f" {
	worker_start
	for filter in "-p $worker" "-t $worker" "-p $worker -u root" "-c reads" "--cgroup /sys/fs/cgroup -c reads" "-p $worker -f"; do
		run_nested argdump_here -n 5 $filter vfs_read count
		[ "$(count " $worker .* reads .*count=1" <<<"$output")" -eq 5 ] || { echo "$filter: $output"; false; }
	done
	for filter in "-p 1" "-t 1" "-p $worker -u nobody" "-c read" "-p $worker -c bash"; do
		taskset 1 argdump $filter vfs_read count >out 2>err & tool=$!
		wait_attached $tool
		wait_reads $worker 31
		kill -INT $tool
		wait $tool || grep -qF "$MISSED" err
		[ "$(count " reads " <out)" -eq 0 ] || { echo "$filter: $(<out)"; false; }
	done
	kill "$worker"
}

@test "-n, -d, -T, -o" {
	run -0 argdump -n 7 -T vfs_read count -- reads 100 some
	[ "$(rows | count -E '^[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6} reads ')" -eq 7 ] ||
		[ "$(rows | count -E '^[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6} +[0-9]+ ')" -eq 7 ]
	local begin=$EPOCHREALTIME
	run -0 timeout 100 argdump -d 1 -p 1 vfs_read count
	[ $((${EPOCHREALTIME/./} - ${begin/./})) -ge 1000000 ]
	run -0 argdump -o out -q vfs_read count -- reads 9 some
	[ "$(count ' reads ' <out)" -ge 9 ]
	[[ $output != *count=* ]]
}

@test "the command's status is passed on; failures to run it are reported" {
	run -7 argdump vfs_read -- bash -c 'exit 7'
	run -143 argdump vfs_read -- bash -c 'kill $$'
	run -127 argdump vfs_read -- /no/such/program
	[[ $output == *"/no/such/program"* ]]
	run -126 execsnoop -- /
}

# What was printed and what the ring had no room for are exact. A call that the kernel did not run
# the program for, because one was running on that processor, may have been anybody's: no filter
# saw it. So those are a margin, and 0 on most kernels.
accounted() { # PERFORMED FILE
	local printed full missed
	printed=$(count '"comm":"reads".*"name":"proc"' <"$2")
	full=$(jq -s 'map(select(.type == "lost" and .final).ring_full // 0) | add // 0' "$2")
	missed=$(jq -s 'map(select(.type == "lost" and .final).recursion // 0) | add // 0' "$2")
	echo "performed $1 printed $printed ring_full $full recursion $missed"
	[ $((printed + full)) -le "$1" ] && [ $((printed + full + missed)) -ge "$1" ]
}

@test "100 000 calls at full speed: printed + lost = performed" {
	argdump -q -j -c reads vfs_read "$FS" -- reads -j 2 50000 /proc/version | grep '^{' >out
	accounted 100000 out
}

@test "a small ring loses, reports how many, and the sum is still exact" {
	argdump -q -j -c reads --buffer 64K vfs_read "$FS" count pos file buf -- \
		reads -j 2 30000 /proc/version 2>err | grep '^{' >out
	accounted 60000 out
	[ "$(jq -s 'map(select(.type == "lost" and .final)) | .[0].lost > 0' out)" = true ]
	grep -q 'the ring buffer was full' err
}

@test "a reader that goes away ends it at once" {
	worker_start
	timeout 100 taskset 1 argdump -p $worker vfs_read count | head -n 3 >out
	kill $worker
	[ "$(wc -l <out)" -eq 3 ]
	timeout 100 argdump -p 1 -c nobody-is-that vfs_read | head -n 1 >out
	[ "$(wc -l <out)" -eq 1 ]
}

@test "a full disk is an error" {
	run -3 argdump -o /dev/full vfs_read -- reads 10 some
	[[ $output == *"/dev/full"* ]]
}

@test "SIGINT and SIGTERM end it with status 0 and all that was seen" {
	for signal in INT TERM; do
		worker_start
		: >out # the shell that opens it is another, and may be late
		taskset 1 argdump -p $worker vfs_read count >out 2>err & tool=$!
		wait_until has_lines 3 out
		kill -$signal $tool
		wait $tool
		kill $worker
		[ "$(tail -c 1 out)" = "" ]
	done
}

@test "kill -9 leaves nothing attached" {
	argdump -p 1 vfs_read 2>err & tool=$!
	wait_attached $tool
	kill -9 $tool
	wait $tool || true
	wait_until nothing_attached
}

@test "wrong expressions: a caret, the nearest name, exit code 1" {
	run -1 argdump vfs_read 'file->f_inod->i_sb'
	[[ $output == *"no member f_inod"*"^"*"did you mean f_inode"* ]]
	run -1 argdump vfs_read 'fil->f_inode'
	[[ $output == *"file"* ]]
	run -1 argdump vfs_read 'file->f_pos->x'
	[[ $output == *"^"* ]] || { echo "$output"; false; }
	run -1 argdump vfs_read 'file->'
	run -1 argdump
}

@test "no root: missing rights and the remedy" {
	run -2 su nobody -s /bin/sh -c 'argdump vfs_read count'
	[[ $output == *CAP_BPF* && $output == *sudo* ]]
	run -0 su nobody -s /bin/sh -c 'argdump --dry-run vfs_read count'
	run -0 su nobody -s /bin/sh -c 'argdump --dump=insns vfs_read count'
}

@test "a look before touching: --dry-run and each stage of --dump" {
	run -0 argdump --dry-run vfs_read "$FS"
	[[ $output == *"vfs_read"* ]]
	for stage in tokens ast types plan layout insns; do
		run -0 argdump --dump=$stage vfs_read "$FS"
		[ -n "$output" ]
	done
}
