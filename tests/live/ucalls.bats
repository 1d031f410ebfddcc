#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# argdump -r of user functions: each return with its own entry, exact counts of what returned and what
# did not.

bats_require_minimum_version 1.5.0
load argdump
load wait

setup() { cd "$BATS_TEST_TMPDIR" || return; }

CALLED=u:/tests/work/ucalls:called

@test "-r of a user function: arguments, result and time in one row" {
	wants 1 ' ucalls +text="nest" n=3 ret=3 lat=[0-9.]+[mnu]?s$' -r "$CALLED" 'text=$arg1:ustr' 'n=$arg2:d' -- ucalls nest 3
	[ "$(tail -n +2 <<<"$output" | count ' ucalls ')" -eq 3 ]
	wants 1 ' text="nest" ret=2$' -r "$CALLED" 'text=@ret($arg1):ustr' '$ret' --if '$ret == 2' -- ucalls nest 3
	wants 2 ' n=[23] ' -r "$CALLED" 'n=$arg2:d' --if '(int)$arg2 >= 2' -- ucalls nest 3
	wants 1 '"n":3,"ret":3,"lat_ns":[1-9]' -j -r "$CALLED" 'n=$arg2:d' -- ucalls nest 3
}

@test "a definition in the kernel's notation: a condition on a value that it names" {
	wants 1 ' n=0x2$' "r $CALLED n=\$retval" --if 'n == 2' -- ucalls nest 3
	[ "$(tail -n +2 <<<"$output" | count ' ucalls ')" -eq 1 ] || { echo "$output"; false; }
	run -0 --separate-stderr argdump "r $CALLED n=\$retval" --if 'n > 3' -- ucalls nest 3
	[ "$(count ' ucalls ' <<<"$output")" -eq 0 ] || { echo "$output"; false; }
	# a name before the parameter of the same name, and a string
	echo text >some
	run -0 --separate-stderr argdump -j 'p:x do_sys_openat2 dfd=+u0($arg2):ustring' --if 'dfd ~ "*some"' -- cat some
	[ "$(jq -r 'select(.args) | .args.dfd' <<<"$output")" = some ] || { echo "$output$stderr"; false; }
}

@test "calls within calls, in many threads at once: each return has its own entry" {
	run -0 --separate-stderr argdump -r "$CALLED" 'n=$arg2:d' '$ret:d' -- ucalls threads 20 50
	[ -z "$stderr" ] || { echo "$stderr"; false; }
	for n in 1 25 50; do
		[ "$(count " n=$n ret=$n\$" <<<"$output")" -eq 20 ] || { echo "$output" | tail; false; }
	done
	[ "$(sed -n 's/.* n=\([0-9]*\) ret=\([0-9]*\)$/\1 \2/p' <<<"$output" | awk '$1 == $2' | wc -l)" -eq 1000 ]
}

@test "calls that are counted: by a result, by time" {
	wants 1 '^ *1000 +50 +1000' -r --count --max '$ret' --sum 'one=$ret > 0' "$CALLED" -- ucalls threads 20 50
	wants 1 'ucalls +50$' -r --count --by '$comm' "$CALLED" -- ucalls nest 50
	run -0 --separate-stderr argdump -r --hist '$lat' "$CALLED" -- ucalls threads 20 50
	# a kernel that preempts programs may lose one return among many threads, which is said
	unreturned=$(sed -n 's/^argdump: \([0-9]\) calls\? that never returned$/\1/p' <<<"$stderr")
	counted=$(sed -n 's/^ *\[.*) *\([0-9]*\) |.*/\1/p' <<<"$output" | awk '{n += $1} END {print n}')
	[ $((counted + unreturned)) -eq 1000 ] || { echo "$output$stderr"; false; }
}

@test "calls that a longjmp or the end of the process leaves are counted, not shown" {
	run --separate-stderr argdump -r "$CALLED" 'text=$arg1:ustr' '$lat' -- ucalls jump 30
	[ "$status" -eq 0 ] && [ "$(count 'text="jump"' <<<"$output")" -eq 30 ] || { echo "$status $output"; false; }
	[[ $stderr == *" 30 calls that never returned"* ]] || { echo "$stderr"; false; }
	run --separate-stderr argdump -r "$CALLED" 'text=$arg1:ustr' -- ucalls exit 40
	[ "$status" -eq 0 ] && [ "$(count 'text="exit"' <<<"$output")" -eq 0 ] || { echo "$status $output"; false; }
	[[ $stderr == *" 40 calls that never returned"* ]] || { echo "$stderr"; false; }
}

@test "a fork within a call: the child's return is not the parent's call" {
	argdump -r "$CALLED" 'text=$arg1:ustr' >out 2>err & tool=$!
	wait_attached $tool
	ucalls fork
	ucalls fork
	kill -INT $tool
	wait $tool
	[ "$(count 'text="fork"' <out)" -eq 2 ] || { cat out; false; }
	grep -q ' 2 returns of calls that began before' err && grep -q 'a forked child that returns' err || { cat err; false; }
}

@test "more nested calls than the kernel follows: those that it follows are right" {
	run --separate-stderr argdump -r "$CALLED" 'n=$arg2:d' '$ret:d' -- ucalls nest 100
	[ "$(sed -n 's/.* n=\([0-9]*\) ret=\([0-9]*\)$/\1 \2/p' <<<"$output" | awk '$1 == $2' | wc -l)" -eq 64 ] ||
		{ echo "$output"; false; }
	[[ $stderr == *"36 calls that never returned"* ]] || { echo "$stderr"; false; }
}

@test "a 32-bit program's function; not within a function" {
	[ -x "$(type -P calls32)" ] || skip "no compiler for 32-bit programs"
	echo some text >some
	run -0 --separate-stderr argdump -r u:/tests/work/calls32:calls '$lat' -- calls32 11 some
	[ "$(count 'lat=' <<<"$output")" -eq 11 ] || { echo "$output$stderr"; false; }
	[ -z "$stderr" ] || { echo "$stderr"; false; }
	run -1 argdump -r u:/tests/work/calls32:calls+1
	[[ $output == *"a return belongs to a whole function"* ]] || { echo "$output"; false; }
}

@test "a buffer that a user function fills, as long as it says" {
	run -0 --separate-stderr argdump -r u:/tests/work/ucalls:fill 'buf=$arg1:str[$ret]' 'bytes=$arg1:hex[(int)$ret]:3' '$ret:d' -- ucalls fill
	[ "$(sed -n 's/.* \(buf=\)/\1/p' <<<"$output")" = 'buf="text\n" bytes=746578…(+2 bytes) ret=5
buf="" bytes= ret=0
buf="" bytes= ret=-1
buf="\x01\xffabcdefghijklmnopqr" bytes=01ff61…(+17 bytes) ret=20
buf=NULL bytes=NULL ret=5' ] || { echo "$output"; false; }
}
