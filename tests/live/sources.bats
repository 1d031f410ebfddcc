#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# argdump on tracepoints, system calls and functions of programs: exact counts of a known workload.

bats_require_minimum_version 1.5.0
load argdump
load tracefs

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	printf 'x%.0s' {1..64} >some
}

rows() { grep -c "$@" <<<"$output" || true; }

@test "a system call with its parameters' names" {
	run -0 --separate-stderr argdump s:openat dfd filename 'flags:openflags' -- reads 3 some /proc/version
	[ "$(rows ' reads .*dfd=AT_FDCWD filename="some" flags=O_RDONLY')" -eq 1 ] || { echo "$output"; false; }
	[ "$(rows ' reads .*dfd=AT_FDCWD filename="/proc/version" flags=O_RDONLY')" -eq 1 ]
}

@test "a system call: every parameter, in JSON, by every attach method" {
	for method in fentry kprobe; do
		[ $method != fentry ] || has_fentry || continue
		run -0 --separate-stderr argdump -j --attach $method --if '$comm == "reads"' s:read -- reads 37 some
		jq -e -s 'map(select(.comm == "reads" and .args.count == 1)) | length == 37 and
			all(.[]; .args.fd > 2 and (.args.buf | type) == "string" and .pid == .tid)' \
			<<<"$(grep '^{' <<<"$output")" || { echo "$method: $output"; false; }
	done
}

@test "several system calls by a pattern" {
	run -0 --separate-stderr argdump 's:open,openat,openat2' '$comm' -- reads 3 some
	[ "$(rows ' reads ')" -ge 1 ]
	run -1 argdump s:opnat
	[[ $output == *"no system call"*"did you mean s:openat?"* ]]
}

@test "the return of a system call, with its parameters" {
	if has_fentry; then # a kretprobe has the registers of the return
		run -1 --separate-stderr argdump s:openat%return '$ret' filename -- reads 3 some /no/such
		[ "$(rows ' reads .*ret=-ENOENT filename="/no/such"')" -eq 1 ] || { echo "$output$stderr"; false; }
		[ "$(rows -E ' reads .*ret=[0-9]+ filename="some"')" -eq 1 ] || { echo "$output$stderr"; false; }
	else
		run -2 --separate-stderr argdump s:openat%return '$ret' filename -- reads 3 some
		[[ $stderr == *"parameters are not known at the return"* ]] || { echo "$stderr"; false; }
	fi
	# a kretprobe has few places, and who waits for input holds one: what returns at once
	run -0 --separate-stderr argdump --attach kprobe s:lseek%return -- reads 33 some
	[ "$(rows ' reads .*ret=0$')" -eq 33 ] || { echo "$output$stderr"; false; }
}

@test "argv of an exec" {
	run -0 --separate-stderr argdump s:execve filename 'argv[0]:ustr' 'argv[1]:ustr' 'argv[2]' -- \
		bash -c 'exec /usr/bin/busybox true "a b" '
	[ "$(rows 'filename="/usr/bin/busybox" .*="/usr/bin/busybox" .*="true" ')" -eq 1 ] || { echo "$output"; false; }
}

@test "a tracepoint's fields" {
	run -0 --separate-stderr argdump t:sched:sched_process_exec -- busybox true
	[ "$(rows 'filename="/usr/bin/busybox" pid=[0-9]* old_pid=[0-9]*')" -eq 1 ] || { echo "$output$stderr"; false; }
	run -0 --separate-stderr argdump t:sched:sched_process_fork parent_comm child_pid -- bash -c 'busybox true; :'
	[ "$(rows 'parent_comm="bash" child_pid=[1-9]')" -ge 1 ] || { echo "$output$stderr"; false; }
}

@test "a tracepoint's arguments, typed" {
	run -0 --separate-stderr argdump t:sched:sched_process_exec 'p->comm' 'bprm->filename' 'old_pid' -- busybox true
	[ "$(rows 'comm="busybox" filename="/usr/bin/busybox" old_pid=')" -eq 1 ] || { echo "$output$stderr"; false; }
	run -0 argdump --dry-run t:sched:sched_switch 'prev->comm' 'next->pid'
	[[ $output == *tp_btf*typed* || $output == *tp_btf*direct* ]] || { echo "$output"; false; }
}

@test "a tracepoint's filter on a field, and on an argument" {
	run -0 --separate-stderr argdump --if 'filename ~ "*busybox"' t:sched:sched_process_exec filename -- bash -c 'busybox true; bash -c :'
	[ "$(rows 'filename=')" -eq 1 ] || { echo "$output$stderr"; false; }
	run -0 --separate-stderr argdump --if 'bprm->filename == "/usr/bin/busybox"' t:sched:sched_process_exec 'pid=p->pid' -- bash -c 'busybox true; bash -c :'
	[ "$(rows ' pid=')" -eq 1 ] || { echo "$output$stderr"; false; }
}

@test "a tracepoint is counted by its arguments and by its fields" {
	local twice='busybox true; exec busybox true'
	for by in p-\>comm bprm-\>filename filename; do
		run -0 --separate-stderr argdump --if '$comm == "busybox"' --count --by "$by" \
			t:sched:sched_process_exec -- bash -c "$twice"
		[ "$(rows -E '^(/usr/bin/)?busybox +2$')" -eq 1 ] || { echo "$by: $output$stderr"; false; }
	done
	run -0 --separate-stderr argdump --sum 'p->pid != 0' --if 'bprm->filename ~ "*busybox"' \
		t:sched:sched_process_exec -- bash -c "$twice"
	[ "$(rows -E '^ *2$')" -eq 1 ] || { echo "$output$stderr"; false; }
	# a condition alone may name an argument, too
	run -0 --separate-stderr argdump --if 'p->pid == $pid && bprm->filename ~ "*busybox"' \
		t:sched:sched_process_exec -- bash -c "$twice"
	[ "$(rows ' busybox .*old_pid=')" -eq 2 ] || { echo "$output$stderr"; false; }
	run -0 argdump --dry-run --count --by 'p->comm' t:sched:sched_process_exec
	[[ $output == tp_btf* ]]
}

@test "of two ways that cannot be gone, the one is told that got further" {
	run -1 argdump t:sched:sched_process_exec 'p->comm' 'bprm->filename' nosuch
	[[ $output == *"has no parameter nosuch"*"bprm"* ]] || { echo "$output"; false; }
	run -1 argdump t:sched:sched_process_exec filename pid nosuch
	[[ $output == *"has no field nosuch"*"filename"* ]] || { echo "$output"; false; }
}

@test "system calls without parameters, by every attach method" {
	for method in fentry kprobe; do
		[ $method != fentry ] || has_fentry || continue
		run -0 --separate-stderr argdump --attach $method s:sync -- bash -c 'busybox sync; busybox sync'
		[ "$(rows -E ' busybox *$')" -eq 2 ] || { echo "$method: $output$stderr"; false; }
	done
	run -0 --separate-stderr argdump s:sync%return -- busybox sync
	[ "$(rows -E ' busybox .*ret=0$')" -eq 1 ] || { echo "$output$stderr"; false; }
	run -0 --separate-stderr argdump -c busybox --count --by '$func' s:fsync,sync,getpid -- busybox sync
	[ "$(rows -E '^sync +1$')" -eq 1 ] || { echo "$output$stderr"; false; }
	run -1 argdump s:sync,nosuch,getpid
	[[ $output == *"no system call nosuch"* ]] || { echo "$output"; false; }
}

@test "every system call without parameters that is listed can be traced" {
	argdump -l 's:*' | sed -n 's/^s:\([a-z0-9_]*\)(void)$/\1/p' | sort -u >listed
	argdump --dry-run 's:*' '$pid' | sed -nE 's/^(fentry|kprobe\.multi) __(x64|arm64|do)_sys_//p' | sort -u >planned
	[ "$(wc -l <listed)" -gt 10 ]
	[ "$(cat listed planned | sort | uniq -d | diff listed -)" = "" ]
}

@test "several tracepoints by a pattern; one that is not there" {
	run -0 --separate-stderr argdump 't:sched:sched_process_*' -- bash -c 'busybox true; :'
	[ "$(rows 'filename="/usr/bin/busybox"')" -eq 1 ] || { echo "$output$stderr"; false; }
	[ "$(rows 'child_comm=')" -ge 1 ]
	run -1 argdump t:sched:sched_switch nothing
	[[ $output == *"has no field nothing"* ]] || { echo "$output"; false; }
}

@test "a function of a program, by symbol and by offset" {
	run -0 --separate-stderr argdump u:/tests/work/target:calls_target '$arg1:ustr' '(int)$arg2' \
		'third=*(long *)$arg3' 'fourth=((long *)$arg3)[1]' -- target 11 $'a\nb\xff'
	[ "$(rows -F 'arg1="a\nb\xff" (int)$arg2=')" -eq 11 ] || { echo "$output$stderr"; false; }
	[ "$(rows '=-1 third=4711 fourth=42')" -eq 1 ]
	[ "$(rows '=9 third=4711 fourth=42')" -eq 1 ]
	offset=$(argdump --dry-run -v u:/tests/work/target:calls_target 2>&1 | sed -n 's/.*offset \(0x[0-9a-f]*\).*/\1/p')
	[ -n "$offset" ]
	run -0 --separate-stderr argdump --if '(int)$arg2 >= 5' u:/tests/work/target:$offset '$arg1:ustr' -- target 11 text
	[ "$(rows 'arg1="text"')" -eq 5 ] || { echo "$output$stderr"; false; }
}

@test "the return of a program's function" {
	run -0 --separate-stderr argdump u:/tests/work/target:calls_target%return -- target 11 text
	[ "$(rows 'ret=4826$')" -eq 1 ] || { echo "$output$stderr"; false; } # 4711 - 1 + 't'
	[ "$(rows 'ret=48[23]')" -eq 11 ] || { echo "$output$stderr"; false; }
	run -1 argdump u:/tests/work/target:calls_target%return '$arg1'
	[[ $output == *"parameters are not known"* ]]
}

@test "no such file, no such function, no rights" {
	run -1 argdump u:/tests/work/target:no_such_function
	[[ $output == *"has no function no_such_function"* ]]
	run -1 argdump u:/no/such/file:main
	[[ $output == *"cannot find '/no/such/file'"* ]]
	run -1 argdump u:/tests/work/target:calls_target text
	[[ $output == *"has no parameter text"* ]]
}

@test "-r of system calls: parameters, result and time in one row, by every attach method; the buffer after it" {
	printf 'text and more' >some
	for method in $(call_methods); do
		wants 1 ' reads +dfd=AT_FDCWD filename="some" flags=O_RDONLY mode=0 ret=[0-9]+ lat=[0-9.]+[mnu]?s$' --attach "$method" -r \
			--if 'filename == "some"' s:openat -- reads 3 some
		wants 3 ' reads +fd=[0-9]+ count=1 text=\{0x74\} ret=1 lat=[0-9.]+[mnu]?s$' --attach "$method" -r --if '$ret == 1 && count == 1' \
			-c reads s:read fd count 'text=@ret(buf):x8[1]' '$ret' '$lat' -- reads 3 some
	done
	wants 1 ' filename="/no/such" ret=-ENOENT$' -r s:open,openat filename '$ret' --if '$ret == -ENOENT' -- bash -c '! cat /no/such 2>/dev/null'
	! command -v calls32 || wants 3 ' calls32 +filename="some" ret=[0-9]+ # 32-bit$' -r s:openat filename '$ret' -- calls32 3 some
	wants 3 ' ret=1 lat=' -r 's:rea[d]' --if '$ret == 1 && $comm == "reads"' -- reads 3 some
	run -0 --separate-stderr argdump --count --by '$ret' -r s:close -- reads 1 some
	run -1 argdump -r t:sched:sched_switch
	[[ $output == *"-r is for functions and system calls"* ]]
}

run_without_tracefs() {
	run --separate-stderr without_tracefs "$@"
	echo "status $status: $stderr"
	[ "$status" -ne 99 ]
}

@test "without tracefs: what is lacking is reported, and the rest works" {
	run_without_tracefs argdump -c reads s:openat '$arg1' -n 1 -- reads 3 some
	[[ $status -eq 0 && $stderr == *"the parameters of system calls have no names: tracefs is not mounted"* ]]
	[[ $stderr == *"mount -t tracefs tracefs /sys/kernel/tracing"* ]]
	run_without_tracefs argdump t:sched:sched_switch -n 1
	[[ $status -eq 0 && $output == *' prev='* && $stderr == *"but no fields: tracefs is not mounted"* ]]
	run_without_tracefs argdump t:sched:sched_switch next_pid -n 1
	[[ $status -eq 1 && $stderr == *"no fields: tracefs is not mounted"*"no parameter next_pid"* ]]
	run_without_tracefs argdump t:sched:sched_swich
	[[ $status -eq 1 && $stderr == *"mount tracefs"*"did you mean t:sched_switch? argdump -l 't:*:sched*'"* ]]
	run_without_tracefs argdump -l 't:*:sched*'
	[[ $status -eq 0 && $output == *'t:?:sched_switch(bool preempt'* ]]
	run_without_tracefs argdump -l t:sched_switch
	[[ $status -eq 0 && $output == *'t:?:sched_switch(bool preempt'* ]]
	run_without_tracefs argdump -c reads 'vfs_r*' '$pid' -- reads 9 some
	[[ $status -eq 0 && $output == *' vfs_read '* ]] || { echo "$output"; false; }
}

@test "a tracepoint that is misspelt, or in another group" {
	run -1 argdump t:sched:sched_swich
	[[ $output == *"did you mean t:sched:sched_switch? argdump -l 't:sched:*'"* ]] || { echo "$output"; false; }
	run -1 argdump -n 1 t:shed:sched_switch
	[[ $output == *"no tracepoint t:shed:sched_switch"*"did you mean t:sched:sched_switch?"* ]] || { echo "$output"; false; }
	run -0 argdump -l 't:sched:*'
	[[ $output == *t:sched:sched_switch* ]]
}
