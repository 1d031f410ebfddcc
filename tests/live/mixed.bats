#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# argdump -r of some probes among several: rows of all in one stream, with exact counts.

bats_require_minimum_version 1.5.0
load argdump

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	printf 'x%.0s' {1..64} >some
}

@test "whole calls beside tracepoints, system calls and user functions" {
	cat >mixed <<-'END'
		vfs_read -r count $ret --if 'count == 1'
		t:sched:sched_process_exit 'of=p->comm' --if '$comm == "reads"'
		s:openat filename --if 'filename == "some"'
		u:/tests/work/ucalls:called --return 'n=$arg2:d'
	END
	run -0 --separate-stderr argdump -j --load mixed -- sh -c 'reads 7 some; ucalls nest 3'
	jq -e -s '(map(select(.func == "vfs_read" and .comm == "reads")) | length == 7 and all(.args.count == 1 and .args.ret == 1))
		and (map(select(.func == "sched:sched_process_exit")) | length == 1 and .[0].args.of == "reads")
		and (map(select(.args.filename == "some")) | length == 1 and (.[0].args | has("ret") | not))
		and (map(select(.comm == "ucalls")) | length == 3 and all(.args.lat_ns > 0))' <<<"$(grep '^{' <<<"$output")" ||
		{ echo "$output$stderr"; false; }
}

@test "\$func by name: in a list, a pattern, by every method, and as a key" {
	for method in $(function_methods); do
		wants 3 ' vfs_read ' --attach "$method" vfs_read,vfs_open,vfs_write,vfs_getattr,vfs_fsync '$func' --if '$func == "vfs_read" && $comm == "reads"' -c reads -- reads 3 some
	done
	wants 0 ' vfs_(write|open)' 'vfs_*' '$func' --if '$func ~ "vfs_re*"' -- reads 3 some
	[ "$(count ' vfs_read ' <<<"$output")" -ge 3 ]
	wants 1 '^1 +3$' --count --by 'r=$func == "vfs_read"' 'vfs_*' -- reads 3 some
	wants 7 ' kin_two *$' u:/tests/work/names:'kin_*' --if '$func ~ "*two"' -- names 7
}

TAKE=u:/tests/work/ucalls:take
GIVE=u:/tests/work/ucalls:give

@test "a pair begins with a call: values of the entry, keyed by the result" {
	wants 7 ' size=[1-7] text="before" ret=[0-9]+ lat=[0-9.]+[num]?s$' "$TAKE" -r 'size=$arg1' 'text=$arg2:ustr' '$ret' '$lat' \
		--until "$GIVE" --on '$ret == @end($arg1)' -- ucalls keep 10
	[ "$(count ' size=' <<<"$output")" -eq 7 ]
	wants 3 ' size=(8|9|10) +lat=' "$TAKE" -r 'size=$arg1' '$lat' --until "$GIVE" --on '$ret == @end($arg1)' --open -- ucalls keep 10
	[ "$(count ' size=' <<<"$output")" -eq 3 ]
	# conditions of the entry, of the return, of the end
	wants 2 ' size=[67] ret=[0-9]+ lat=' "$TAKE" -r 'size=$arg1' --if '$arg1 > 5 && $ret != NULL && @end($arg1) != 0' --until "$GIVE" --on '$ret == @end($arg1)' -- ucalls keep 10
	# what the end computes with
	wants 7 ' same=1$' "$TAKE" -r 'same=@end($arg1) == $ret' --until "$GIVE" --on '$ret == @end($arg1)' -- ucalls keep 10
	wants 1 ' 7 +28$' -r --count --sum '$arg1' "$TAKE" --until "$GIVE" --on '$ret == @end($arg1)' -- ucalls keep 10
	wants 1 ' 3 +1$' -r --count --by 'size=$arg1' --if '$arg1 == 3' "$TAKE" --until "$GIVE" --on '$ret == @end($arg1)' -- ucalls keep 10
}

@test "a pair begins with a call of the kernel, by every way, and with a system call" {
	for method in fentry kprobe; do
		wants 1 ' reads .* filename="some" ret=[0-9]+ lat=' --attach $method do_sys_openat2 -r filename '$ret' '$lat' \
			--until do_exit --on '$tid' --if '$ret >= 0 && filename == "some"' -c reads -- reads 3 some
	done
	wants 3 ' count=1 ret=1 n="some"$' --attach fentry vfs_read -r count '$ret' 'n=file->f_path.dentry->d_name.name:str' --if 'count == 1' \
		--until vfs_read --on '$tid' -c reads -- reads 4 some
	# not vfs_read: others wait in theirs, and a kretprobe has no room for more calls than processors
	wants 3 ' mask=[0-9A-Za-z|_]+ ret=0 n="some"$' --attach kprobe security_file_permission -r mask '$ret' \
		'n=file->f_path.dentry->d_name.name:str' --if 'file->f_path.dentry->d_name.name == "some"' --until vfs_read --on '$tid' -c reads -- reads 4 some
	wants 1 ' filename="some" fd=[0-9]+$' s:openat -r filename 'fd=$ret' --if 'filename == "some"' --until do_exit --on '$tid' -c reads -- reads 3 some
}
