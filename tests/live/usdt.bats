#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# u:FILE:PROVIDER:NAME: exact counts, each argument where its note says, several places as one probe, and
# semaphores that are set exactly while somebody traces.

bats_require_minimum_version 1.5.0
load argdump
load wait

setup() { cd "$BATS_TEST_TMPDIR" || return; }

WORK=u:/tests/work/usdt:work

@test "arguments in registers, memory and the note itself, with their size and sign" {
	wants 20 ' arg1=[0-9]+ arg2=-[0-9]+ arg3=[0-9]+ arg4=5 arg5=200 arg6=-3$' $WORK:call -- usdt calls 20
	wants 1 ' i=7 minus=-7 text="a text" five=5 byte=200 short=-3$' $WORK:call i='$arg1' minus='$arg2' 'text=$arg3:ustr' five='$arg4' byte='$arg5' short='$arg6' --if '$arg1 == 7 && $arg2 < 0 && $arg6 == -3' -- usdt calls 20
	wants 1 '"args":{"text":"a text","sum":1202}' -j $WORK:call 'text=$arg3:ustr' 'sum=$arg1 + $arg4 + $arg5 - $arg6 - 6' --if '$arg1 == 1000' -- usdt calls 1500
}

@test "counting: exactly, by arguments" {
	wants 1 '^ *3000$' --count $WORK:call -- usdt calls 3000
	wants 1 '^a text +300 +45150 +300 +-3$' --count --sum '$arg1' --max '$arg1' --min '$arg6' --by 'text=$arg3:ustr' $WORK:call -- usdt calls 300
}

@test "several places are one probe: each has its argument elsewhere" {
	run -0 --separate-stderr argdump $WORK:place -- usdt places 50
	[ "$(sed -n 's/.* arg1=//p' <<<"$output")" = "$(seq 50; seq 1001 1050)" ] || { echo "$output$stderr"; false; }
	[ "$(count FUNC <<<"$output")" -eq 0 ]
	wants 1 '^ *100 +52550 +1050$' --count --sum '$arg1' --max '$arg1' $WORK:place -- usdt places 50
	# a condition, a stack, a pair with another probe
	run -0 --separate-stderr argdump -U -n 1 --if '$arg1 > 1000' $WORK:place -- usdt places 2
	[[ $output == *arg1=1001*"place_other"* ]] || { echo "$output$stderr"; false; }
	wants 1 ' from=1 lat=' $WORK:place from='$arg1' '$lat' --first --until $WORK:place --if '$arg1 == 1 && @end($arg1) == 1003' -- usdt places 5
}

@test "an argument that cannot be read, beside one that can" {
	wants 1 ' arg2=7$' u:/tests/work/usdt:other:float -- usdt calls 1
}

@test "patterns and lists of probes" {
	run -0 --separate-stderr argdump --count --by '$func' "$WORK:*" -- usdt calls 7
	[ "$(grep -cE 'work:call +7$' <<<"$output")" -eq 1 ] || { echo "$output$stderr"; false; }
	run -0 --separate-stderr argdump --count $WORK:call,place -- usdt places 7
	grep -qE 'work:place +14$' <<<"$output" || { echo "$output$stderr"; false; }
	run -0 argdump -l 'u:/tests/work/usdt:*:*'
	[ "$output" = 'u:/tests/work/usdt:other:float  2 arguments, 1 place
u:/tests/work/usdt:work:call  6 arguments, 1 place
u:/tests/work/usdt:work:guarded  1 argument, 1 place, semaphore
u:/tests/work/usdt:work:place  1 argument, 2 places' ] || { echo "$output"; false; }
}

@test "a semaphore: the program sees that it is traced, and that it no longer is" {
	[ "$(usdt guarded 20)" = 0 ]
	wants 20 ' arg1=[0-9]+$' $WORK:guarded -- usdt guarded 20
	grep -qx 20 <<<"$output"
	[ "$(usdt guarded 20)" = 0 ]
	# in a process that was there before, and stays
	usdt watch >>seen & watched=$!
	wait_until grep -qx 0 seen
	for how in INT KILL; do
		argdump -q $WORK:guarded >out 2>err & tool=$!
		wait_attached $tool
		wait_until grep -qx 1 seen
		kill -$how $tool
		wait $tool || true
		wait_until test "$(wc -l <seen)" -ge 3
		wait_until bash -c '[ "$(tail -n 1 seen)" = 0 ]'
		[ "$(tr '\n' ' ' <seen)" = '0 1 0 ' ] || { cat seen; false; }
		echo 0 >seen
	done
	kill $watched
	wait $watched || true
}

@test "as a process sees the file; the C library's own probes" {
	usdt watch >/dev/null & watched=$!
	run -0 --separate-stderr argdump -d 0.2 --dry-run -p $watched u:usdt:work:call
	kill $watched
	[[ $output == *"/proc/$watched/root/tests/work/usdt:work:call"* ]] || { echo "$output$stderr"; false; }
}
