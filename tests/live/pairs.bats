#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# argdump --until: two probes that belong together, on every attach method; counts and values that are known.

bats_require_minimum_version 1.5.0
load argdump
load wait

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	printf 'x%.0s' {1..64} >some
}

has() { [ "$(count "$2" <<<"$output")" -eq "$1" ] || { echo "$1 times '$2':"; echo "$output"; false; }; }

@test "--until: the begin's values, the end's and the time between, on every attach method" {
	for method in $(function_methods); do
		run -0 --separate-stderr argdump --attach "$method" vfs_read file:path count 'r=@end($ret)' \
			'sum=@end($ret) + count + $pid - $pid' '$lat' --until vfs_read%return -- reads 37 some
		echo "$method"
		has 37 " reads .*file=\"$PWD/some\" count=1 r=1 sum=2 lat=[0-9.]*[num]s"
		[[ $stderr != *lost* ]]
	done
}

@test "--until: output without an expression" {
	run -0 --separate-stderr argdump vfs_read --until vfs_read%return -- reads 3 some
	has 3 "file=\"$PWD/some\" buf=0x[0-9a-f]* count=1 pos=[0-9]* lat=[0-9.]*[num]s"
	run -0 --separate-stderr argdump ksys_read%return --until do_exit -- reads 1 some
	has 1 ' reads .*ret=1 lat=[0-9.]*[num]s'
}

@test "--until: an exec by another thread than the first, which gets that thread's number" {
	for key in '' '--on $task'; do # the judge: the task
		run -0 --separate-stderr argdump -j t:raw_syscalls:sys_enter '$lat' --until t:raw_syscalls:sys_exit --if 'id == 59' \
			$key -- execs thread /bin/true true
		[ "$(jq -c 'select(.comm == "execs") | .args.lat_ns > 0' <<<"$output")" = true ] || { echo "$key"; echo "$output"; false; }
	done
	run -0 --separate-stderr argdump s:execve --until t:sched:sched_process_exec -- execs thread /bin/true true
	has 1 ' execs .*lat='
	[[ $stderr != *"still in progress"* ]]
}

@test "--until: an event that is both ends first and then begins: the time since the last one" {
	for method in $(function_methods); do
		run -0 --separate-stderr argdump --attach "$method" vfs_read '$lat' --until vfs_read -- reads 12 some
		echo "$method"
		has 11 ' reads .*lat='
		[[ $stderr != *"still in progress"* ]] || { echo "$stderr"; false; } # the last one is an event, not a call that goes on
		run -0 --separate-stderr argdump --attach "$method" vfs_read '$lat' --until vfs_read --open -- reads 12 some
		has 1 ' reads .*lat='
	done
	run -0 --separate-stderr argdump t:raw_syscalls:sys_enter 'sys=id' --until t:raw_syscalls:sys_exit --if 'id == 231' -- reads 1 some
	[[ $stderr == *"1 still in progress when tracing stopped: not included"*"--open shows them"* ]] || { echo "$stderr"; false; }
	run -0 --separate-stderr argdump vfs_read%return '$lat' --until vfs_read%return --if 'count == 1' -- reads 12 some
	has 11 ' reads .*lat='
	run -0 --separate-stderr argdump t:syscalls:sys_enter_lseek '$lat' --until t:syscalls:sys_enter_lseek -- reads 12 some
	has 11 ' reads .*lat='
}

@test "--until: a begin that is taken by one end is not there for the next" {
	run -0 --separate-stderr argdump s:openat filename 'fd=@end($ret)' --until s:openat%return -- reads 5 some
	has 1 ' reads .*filename="some" fd=[0-9]'
	run -0 --separate-stderr argdump s:lseek --until vfs_read -- reads 9 some
	has 9 ' reads '
	run -0 --separate-stderr argdump s:openat filename --until vfs_read -- reads 9 some
	has 1 'filename="some"'
}

@test "--on: keys of one name, of two names, several, and none that fit" {
	run -0 --separate-stderr argdump vfs_read --until vfs_read%return --on file,count -- reads 9 some
	has 9 ' reads '
	run -0 --separate-stderr argdump vfs_read --until ksys_read%return --on '$tid, count == @end($ret)' -- reads 9 some
	has 9 ' reads '
	run -0 --separate-stderr argdump vfs_read --until ksys_read%return --on '@end($ret) == count' --if '$pid == $tid' -- reads 9 some
	has 9 ' reads '
	run -0 --separate-stderr argdump vfs_read --until vfs_read%return --on 'count + 1 == @end($ret)' -- reads 9 some
	has 0 ' reads '
}

@test "--if: the begin's conditions, the end's, and those that need both" {
	local until='--until vfs_read%return'
	run -0 --separate-stderr argdump vfs_read $until --if 'count == 1 && @end($ret) == 1 && @end($ret) == count' -- reads 9 some
	has 9 ' reads '
	run -0 --separate-stderr argdump vfs_read $until --if 'count == 2' -- reads 9 some
	has 0 ' reads '
	[[ $stderr != *begin* ]]
	# an end that is none: what began goes on, and the next begin replaces it
	run -0 --separate-stderr argdump vfs_read $until --if '@end($ret) == 2' -- reads 9 some
	has 0 ' reads '
	[[ $stderr == *"8 starts replaced by a later one with the same key"* ]]
	# it ends, and is not shown
	run -0 --separate-stderr argdump vfs_read $until --if '@end($ret) == count + 1' -- reads 9 some
	has 0 ' reads '
	[[ $stderr != *begin* ]]
	run -0 --separate-stderr argdump vfs_read $until --if '$lat > 5s || count == 1' --if '$lat > 1ns' -- reads 9 some
	has 9 ' reads '
}

@test "--first: the first begin stays" {
	run -0 --separate-stderr argdump -c reads vfs_read 'at=*pos' --until do_exit -- sh -c 'exec reads 9 some'
	has 1 'at=0'
	[[ $stderr == *"8 starts replaced"* ]]
	run -0 --separate-stderr argdump -c reads s:lseek 'n=$ts' --until do_exit --first '@end($ts) - $ts' -- reads 9 some
	[[ $stderr != *replaced* ]]
}

@test "--open: open begins, with the time since" {
	run -0 --separate-stderr argdump -j vfs_read 'c=count' 'r=@end(code)' '$lat' --until do_exit --on 'count == @end($tid)' --open -- reads 3 some
	[ "$(grep '"c":1' <<<"$output" | jq -s 'map(select(.args.r == null and (.args.lat_ns // .args.lat) > 0)) | length')" -eq 1 ] || { echo "$output"; false; }
	run -0 --separate-stderr argdump vfs_read --until do_exit --on 'count == @end($tid)' --open --older 60 -- reads 3 some
	has 0 ' reads '
	run -0 --separate-stderr argdump vfs_read --until vfs_read%return --open -- reads 3 some
	has 0 ' reads '
}

@test "counting: by values of the begin and the end, measured on either side" {
	for method in $(function_methods); do
		run -0 --separate-stderr argdump -j --attach "$method" --count --sum 'end=@end($ret)' --sum 'begin=count' --min '$lat' \
			--by 'name=file->f_path.dentry->d_name.name,$comm,r=@end($ret)' vfs_read --until vfs_read%return -- reads 41 some
		[ "$(grep '"name":"some"' <<<"$output" | jq -c '[.by.comm, .by.r, .count, .end, .begin]')" = '["reads",1,41,41,41]' ] || { echo "$method: $output"; false; }
	done
	run -0 --separate-stderr argdump --hist '$lat' vfs_read --until vfs_read%return -- reads 41 some
	[ "$(awk '$1 ~ /^\[/ { n += $3 } END { print n }' <<<"$output")" -eq 41 ] || { echo "$output"; false; }
}

@test "several begins and several ends share one table" {
	run -0 --separate-stderr argdump 'vfs_read,vfs_open' 'f=$func' 'e=@end($func)' --until 'vfs_read,vfs_open%return' -c reads -- reads 9 some
	has 9 ' f=vfs_read e=vfs_read'
	[ "$(count ' f=vfs_open e=vfs_open' <<<"$output")" -ge 1 ] || { echo "$output"; false; }
	run -0 --separate-stderr argdump 'vfs_r*' count 'r=@end($ret)' --until 'vfs_r*%return' -- reads 9 some
	has 9 ' vfs_read  *count=1 r=1'
	[[ $stderr == *"left out, e.g. "*": the expressions do not fit"* ]]
	run -0 --separate-stderr argdump t:sched:sched_process_exec filename 'p=@end(p->pid)' '$pid' \
		--until t:sched:sched_process_exit --on '$pid == @end(p->pid)' -- reads 1 some
	has 1 "filename=\"[^\"]*reads\" p=\([0-9]*\) pid=\1"
}

# Of a count in JSON: ended, and what the ledger has of KEY.
ended() { jq -s 'map(select(.count).count) | add // 0' <<<"$output"; }
lost() { jq -s "map(select(.type == \"lost\" and .final).$1 // 0) | add // 0" <<<"$output"; }
open() { sed -n 's/.*: \([0-9]*\) still in progress when.*/\1/p' <<<"$stderr" | grep . || echo 0; }

# Each of COUNT begins has ended, is open, or is in the ledger.
accounted() { # COUNT
	local all=$(($(ended) + $(open) + $(lost replaced) + $(lost begin_busy) + $(lost map_full)))
	local missed
	missed=$(lost recursion)
	[ $all -le "$1" ] && [ $((all + missed)) -ge "$1" ] || { echo "$all and $missed missed, of $1"; echo "$output$stderr"; false; }
}

@test "a million pairs on two processors, each with keys of its own: all end" {
	run --separate-stderr argdump -j --count vfs_read --until vfs_read%return -- reads -j 2 500000 some
	accounted 1000000
	[ "$(($(ended) + $(lost recursion) + $(lost begin_busy) + $(lost end_busy)))" -ge 1000000 ] || { echo "$output$stderr"; false; }
}

# Kept twice: were it of two begins, both would differ now and then, and such an end is not counted.
@test "a million pairs on two processors with one key, and a tenth of them with few: each begin ends once, is open or is counted" {
	local whole='$tid + @end(0) == $tid + @end(0)'
	while read -r each on; do
		run --separate-stderr argdump -j --count --if "$whole" vfs_read --until vfs_read%return --on "$on" -- reads -j 2 "$each" some
		echo "$on: ended $(ended) open $(open) replaced $(lost replaced) busy $(lost begin_busy) $(lost end_busy)"
		accounted $((2 * each))
	done <<-'END'
		500000 count
		50000 $tid & 1, count
		50000 $tid % 3
	END
}

@test "-k: the stack of the begin; a full table is counted" {
	run -0 --separate-stderr argdump -k vfs_read --until ksys_read%return -- reads 2 some
	[ "$(grep -cE '^ *vfs_read(\+0x[0-9a-f]+)?$' <<<"$output")" -eq 2 ] || { echo "$output"; false; }
	run -0 --separate-stderr argdump -j vfs_read '$pid' --until vfs_write --on '$ts' -- reads 30000 some
	[ "$(($(open) + $(lost map_full)))" -eq 30000 ] || { echo "$stderr"; false; }
	[ "$(open)" -ge 16384 ]
	[[ $stderr == *"records lost: too many calls in flight"* ]]
	run -0 --separate-stderr argdump -j vfs_read '$pid' --until vfs_write --on '$ts' --keys 100 -- reads 30000 some
	[ "$(($(open) + $(lost map_full)))" -eq 30000 ] || { echo "$stderr"; false; }
	[ "$(open)" -ge 100 ] && [ "$(open)" -le 4196 ]
}

@test "--until: user functions and system calls" {
	run -0 --separate-stderr argdump "u:$(command -v reads):main" 'argc=(int)$arg1' --until s:exit_group -- reads 1 some
	has 1 ' reads .*argc=3 lat='
}

@test "the end's own name, PID and TID, as values and to count by" {
	run -0 --separate-stderr argdump -c reads,sh vfs_read 'who=@end($comm)' 'pid=@end($pid)' \
		'mine=@end($pid == $tid)' --until vfs_read%return -- reads 5 some
	has 5 ' reads .*who="reads" pid=[0-9]* mine=1'
	run -0 --separate-stderr argdump --count --by '@end($comm)' vfs_read --until vfs_read%return \
		--if 'count == 1' -- reads 5 some
	has 1 'reads *5$'
}

@test "?? chooses by probe, also where a tracepoint has fields and arguments" {
	run -0 --separate-stderr argdump -c reads -n 2 t:sched:sched_process_exit,sched:sched_process_fork \
		'x=(parent ?? p)->pid' 'f=(child->pid ?? 0) > 0' -- sh -c 'reads 1 some; true'
	has 1 ' reads .*x=[1-9][0-9]* f=0'
}
