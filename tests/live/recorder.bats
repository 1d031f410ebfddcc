#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# --ring: which records are kept and written, in which order, and that the numbers add up.

bats_require_minimum_version 1.5.0
load wait

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	called="u:$(command -v ucalls):called"
}

numbers() { grep -o 'n=[0-9]*' "$1" | tr -d 'n=' | paste -sd' ' -; } # FILE

@test "of 2000 opens the last 100 are written at the end, in order" {
	opensnoop --ring 100 -j -c bash -o out -- bash -c 'for ((i = 0; i < 2000; i++)); do : <"/no/$i"; done' 2>err || true
	[ "$(jq -r 'select(.type == "opensnoop").path' out)" = "$(seq 1900 1999 | sed 's|^|/no/|')" ]
	# what bash opens when it starts is counted, too
	[[ $(<err) =~ kept\ the\ last\ 100\ of\ (2[0-9]{3})\ records ]]
	[ "${BASH_REMATCH[1]}" -ge 2000 ]
}

@test "SIGUSR1 writes what is kept; the next one what came since" {
	argdump --ring 4 "$called" 'n=$arg2' -o out 2>err &
	local tool=$!
	wait_attached $tool
	kill -USR1 $tool
	wait_until grep -q 'the last 0 of 0 records' err
	ucalls nest 9
	[ "$(grep -c n= out)" -eq 0 ]
	kill -USR1 $tool
	wait_until grep -q n=1 out
	[ "$(numbers out)" = '4 3 2 1' ]
	ucalls nest 3
	kill -USR1 $tool
	wait_until has_lines 8 out # and the header
	ucalls nest 5
	kill -INT $tool
	wait $tool
	[ "$(numbers out)" = '4 3 2 1 3 2 1 4 3 2 1' ]
	[ "$(sed -n 's/.*kept the last //p' err)" = "0 of 0 records
4 of 9 records since then
3 of 3 records since then
4 of 5 records since then" ]
}

@test "--stop-if: the record for which it is true is the last one" {
	argdump --ring 3 "$called" 'n=$arg2' --stop-if '$arg2 == 5' -o out -- ucalls nest 9 2>err
	[ "$(numbers out)" = '7 6 5' ]
	grep -q 'kept the last 3 of 5 records' err
}

@test "100 000 calls at full speed: kept, passed over and lost are what was performed" {
	local status=0 all lost missed
	argdump --ring 1000 -j -c reads vfs_read count -o out -- reads -j 2 50000 /proc/version 2>err || status=$?
	[ "$(grep -c '"type":"argdump"' out)" -eq 1000 ]
	all=$(sed -n 's/.*kept the last 1000 of \([0-9]*\) records.*/\1/p' err)
	lost=$(jq -s 'map(select(.type == "lost" and .final).ring_full // 0) | add // 0' out)
	missed=$(jq -s 'map(select(.type == "lost" and .final).recursion // 0) | add // 0' out)
	# the loader of `reads` reads, too: at most 8 times in all processes
	echo "all $all lost $lost missed $missed status $status"
	[ $((all + lost)) -ge $((100000 - missed)) ] && [ $((all + lost)) -le 100008 ]
	[ "$status" -eq $((lost + missed ? 4 : 0)) ]
}
