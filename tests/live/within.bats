#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# argdump --in and $depth: only inside of calls of other functions; exact counts, on every attach method.

bats_require_minimum_version 1.5.0
load argdump
load disk
load wait

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	printf 'x%.0s' {1..64} >some
	ucalls=$(command -v ucalls)
}

# The number of calls that --count counts.
counts() { # N ARGDUMP…
	local n=$1
	shift
	run --separate-stderr argdump --count=n -j "$@"
	[ "$status" -eq 0 ] && [ "$(jq -s 'map(select(.type == "count").n) | add // 0' <<<"$output")" -eq "$n" ] ||
		{ echo "wanted $n: argdump $*"; echo "$output"; echo "$stderr"; false; }
}

@test "--in: only what is done inside, on every attach method" {
	for method in $(call_methods); do
		echo "$method"
		wants 7 ' reads .*count=1 ret=1' --attach "$method" -r vfs_read count --in ksys_read -- reads 7 some
		wants 0 ' reads ' --attach "$method" -r vfs_read count --in ksys_write -- reads 7 some
	done
	for method in $(function_methods); do
		[[ $method != kprobe.multi ]] || continue # has no returns without sessions
		echo "$method"
		wants 7 ' reads .*count=1' --attach "$method" vfs_read count --in ksys_read -- reads 7 some
		wants 0 ' reads ' --attach "$method" vfs_read count --in ksys_write -- reads 7 some
	done
}

@test "--in: a system call, a list, a pattern, a function of a program; names that may be missing" {
	wants 7 ' reads .*count=1' vfs_read count --in s:read -- reads 7 some
	wants 7 ' reads .*count=1' vfs_read count --in ksys_write,ksys_read -- reads 7 some
	wants 7 ' reads .*count=1' vfs_read count --in 'ksys_*' -- reads 7 some
	wants 7 ' reads .*count=1' vfs_read count --in 'nosuchfunction|ksys_read' -- reads 7 some
	wants 9 ' ucalls .*n=' "u:$ucalls:called" 'n=$arg2' --in "u:$ucalls:main" -- ucalls nest 9
	wants 3 ' ucalls ' s:exit_group,s:clone,s:clone3,s:fork,s:vfork --in "u:$ucalls:called" -- ucalls exit 3
}

@test "--in: records, returns, stacks, counts, histograms, pairs, tracepoints" {
	wants 7 ' reads .*ret=1' vfs_read%return --in ksys_read -- reads 7 some
	wants 7 '^    vfs_read$' -k vfs_read --in ksys_read -- reads 7 some
	counts 7 vfs_read --in ksys_read -- reads 7 some
	counts 0 vfs_read --in ksys_write -- reads 7 some
	counts 7 vfs_read --by '$comm' --in ksys_read -- reads 7 some
	counts 7 -r vfs_read --sum '$ret' --hist '$lat' --in ksys_read -- reads 7 some
	wants 7 ' reads .*lat=' vfs_read '$lat' --until vfs_read%return --in ksys_read -- reads 7 some
	wants 0 ' reads ' vfs_read '$lat' --until vfs_read%return --in ksys_write -- reads 7 some
	wants 1 ' reads ' t:sched:sched_process_exit --in do_exit -- reads 7 some
	wants 0 ' reads ' t:sched:sched_process_exit --in ksys_read -- reads 7 some
}

@test "@in: what the call around had at its entry" {
	for method in $(function_methods); do
		echo "$method"
		wants 7 ' reads +got=1 one=1$' --attach "$method" vfs_read 'got=@in(count)' 'one=@in(buf) == buf' --in ksys_read -- reads 7 some
	done
	wants 2 ' deeds .*len=5 room=5$' skb_copy_datagram_iter len 'room=@in(size)' --in unix_stream_recvmsg,unix_dgram_recvmsg -- deeds unix 5 2
	wants 1 ' cat +name="some"' 'do_filp_open|do_file_open' 'name=@in(filename):str' --in do_sys_openat2 --if '@in(filename) && contains(@in(filename), "some")' -- cat some
	counts 7 vfs_read --by '@in(count)' --if '@in(fd) > 2' --in ksys_read -- reads 7 some
	# calls in calls: the innermost around, of which four are kept
	wants 4 ' ucalls .*one=1$' "u:$ucalls:called" 'n=$arg2' 'one=@in($arg2) - $arg2' --in "u:$ucalls:called" -- ucalls nest 9
	for i in {5..8}; do [[ $output == *"n=$i one=1"* ]] || { echo "$output"; false; }; done
	for i in {1..4}; do [[ $output == *"n=$i one=-"* ]] || { echo "$output"; false; }; done
	[[ $stderr == *"5 calls of --in nested too deep"* ]] || { echo "$stderr"; false; }
}

@test "several --in: inside of all of them; behind a PROBE of several it is that probe's" {
	counts 7 rw_verify_area --in ksys_read --in vfs_read -- reads 7 some
	counts 0 rw_verify_area --in ksys_read --in vfs_write -- reads 7 some
	counts 8 rw_verify_area --in ksys_write --and vfs_read --in ksys_read -- reads 7 some
	counts 7 --in ksys_read vfs_write --and vfs_read -- reads 7 some
	cat >both.probe <<-'END'
		vfs_read count --in ksys_read
		vfs_write count --in ksys_read
	END
	wants 7 ' reads ' --load both.probe -- reads 7 some
	run -0 --separate-stderr argdump --save saved.probe vfs_read count --in ksys_read --and vfs_write --in vfs_read
	wants 7 ' reads ' --load saved.probe -- reads 7 some
}

@test "a function's own call does not count, those around it do" {
	wants 0 ' reads ' vfs_read --in vfs_read -- reads 7 some
	wants 0 ' reads ' vfs_read%return --in vfs_read -- reads 7 some
	wants 8 ' ucalls' "u:$ucalls:called" --in "u:$ucalls:called" -- ucalls nest 9
	counts 60 "u:$ucalls:called" --in "u:$ucalls:called" -- ucalls threads 10 7
}

@test "calls that never return: nobody stays inside" {
	# longjmp leaves N calls, which begin at the same place on the stack, then N return
	run --separate-stderr argdump --count s:write --in "u:$ucalls:called" -- ucalls jump 5
	[ "$status" -eq 0 ] || { echo "$output$stderr"; false; }
	[[ $stderr == *"calls of --in or \$depth whose return was not seen"* ]] || { echo "$output$stderr"; false; }
	# a function that is called further up the stack is not inside
	counts 0 "u:$ucalls:give" --in "u:$ucalls:called" -- ucalls leave 5
	# a thread that ends inside leaves nothing to the next one
	counts 0 s:write --in "u:$ucalls:called" -- bash -c "ucalls exit 20; for i in 1 2 3; do /bin/echo; done"
	# another program is not inside of the one before
	counts 1 s:execve --in "u:$ucalls:called" -- ucalls exec reads 3 some
	counts 0 vfs_read --in "u:$ucalls:called" -- ucalls exec reads 3 some
	counts 0 s:openat --in s:execve -- bash -c 'exec reads 3 some'
}

@test "calls that began before the tracing are not known" {
	mkfifo pipe
	exec 5<>pipe
	bash -c 'read -n1 x' <&5 & # waits in its read
	local pid=$!
	wait_until grep -q pipe "/proc/$pid/stack"
	argdump -p $pid vfs_read --in ksys_read >out 2>err &
	wait_attached $!
	local tool=$!
	echo x >&5
	wait $pid
	wait $tool # nobody is left to be traced
	! grep bash out || false
}

@test "a depth: how many calls are around, under -r and with --in" {
	wants 7 ' rw_verify_area +depth=2' -r ksys_read,vfs_read,rw_verify_area '$depth' -- reads 7 some
	wants 7 ' vfs_read +depth=1' -r ksys_read,vfs_read,rw_verify_area '$depth' -- reads 7 some
	wants 7 ' ksys_read +depth=0' -r ksys_read,vfs_read,rw_verify_area '$depth' -- reads 7 some
	for method in $(call_methods); do
		echo "$method"
		wants 7 ' vfs_read +depth=1' --attach "$method" -r ksys_read,vfs_read '$depth' -- reads 7 some
	done
	# what is left out is said once
	wants 7 ' vfs_read +depth=1' -r 'ksys_*,vfs_read' '$depth' -- reads 7 some
	[ -z "$(grep 'left out' <<<"$stderr" | sort | uniq -d)" ] || { echo "$stderr"; false; }
	wants 9 ' ucalls .*depth=' -r "u:$ucalls:called" '$depth' 'n=$arg2' -- ucalls nest 9
	for i in {0..8}; do [[ $output == *"depth=$i n=$((9 - i)) "* ]] || { echo "$output"; false; }; done
	wants 7 ' reads .*depth=1' vfs_read '$depth' --in ksys_read -- reads 7 some
}

@test "readahead: pages that were used, and those that were not" {
	disk_find
	# the first read of a device brings four pages, of which it uses one
	echo 3 >/proc/sys/vm/drop_caches
	run -0 --separate-stderr readahead -j -- dd if="$DISK" of=/dev/null bs=512 count=1
	[ "$(jq -c 'select(.type == "count") | [.by.comm, .pages]' <<<"$output")" = '["dd",1]' ] || { echo "$output"; false; }
	echo 3 >/proc/sys/vm/drop_caches
	run -0 --separate-stderr readahead --unused -j -- dd if="$DISK" of=/dev/null bs=512 count=1
	[ "$(jq -c 'select(.type == "count") | [.by.comm, .pages]' <<<"$output")" = '["dd",3]' ] || { echo "$output"; false; }
}

@test "undump: datagrams, too" {
	run -0 --separate-stderr undump -j -- deeds unix 5 2
	[ "$(jq -c '[.comm, .args.bytes, .args.data]' <<<"$output" | sort -u)" = '["deeds",5,"uuuuu"]' ] || { echo "$output"; false; }
}
