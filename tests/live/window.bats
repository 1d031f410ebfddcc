#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# argdump --begin-if, --stop-if and --before: which records are shown, which calls are counted; calls with known numbers.

bats_require_minimum_version 1.5.0
load argdump
load wait

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	called="u:$(command -v ucalls):called"
}

# The values of n= in the records, in order.
shows() { # 'N N …' ARGDUMP…
	local expected=$1
	shift
	run --separate-stderr argdump "$@"
	[ "$status" -eq 0 ] && [ "$(grep -o 'n=[0-9]*' <<<"$output" | tr -d 'n=' | paste -sd' ' -)" = "$expected" ] ||
		{ echo "wanted $expected: argdump $*"; echo "$output"; echo "$stderr"; false; }
}

counts() { # N ARGDUMP…
	local n=$1
	shift
	run --separate-stderr argdump --count=n -j "$@"
	[ "$status" -eq 0 ] && [ "$(jq -s 'map(select(.type == "count").n) | add // 0' <<<"$output")" -eq "$n" ] ||
		{ echo "wanted $n: argdump $*"; echo "$output"; echo "$stderr"; false; }
}

@test "--begin-if: nothing until it is true once, then all" {
	shows '5 4 3 2 1' "$called" 'n=$arg2' --begin-if '$arg2 == 5' -- ucalls nest 9
	shows '5 4 3 2 1' "$called" 'n=$arg2' --begin-if '$arg2 == 5 && $comm == "ucalls"' -- ucalls nest 9
	shows '4 3 1' "$called" 'n=$arg2' --if '$arg2 != 2' --begin-if '$arg2 < 5' -- ucalls nest 9
	shows '' "$called" 'n=$arg2' --begin-if '$arg2 == 50' -- ucalls nest 9
	[[ $stderr == *"--begin-if was never true: nothing was recorded"* ]]
	# of calls: by what the return knows
	shows '4 5 6' -r "$called" 'n=$ret' --begin-if '$ret == 4' -- ucalls nest 6
}

@test "--stop-if: that record is the last, and coretap ends" {
	shows '9 8 7 6 5' "$called" 'n=$arg2' --stop-if '$arg2 == 5' -- ucalls nest 9
	shows '1 2 3' -r "$called" 'n=$ret' --stop-if '$ret == 3' -- ucalls nest 9
	shows '7 6 5 4' "$called" 'n=$arg2' --begin-if '$arg2 == 7' --stop-if '$arg2 == 4' -- ucalls nest 9
	# a stop before the begin is none
	shows '7 6 5 4 3 2 1' "$called" 'n=$arg2' --begin-if '$arg2 == 7' --stop-if '$arg2 == 8' -- ucalls nest 9
	shows '9 8 7' "$called" 'n=$arg2' '$lat' --until "$called" --stop-if '@end($arg2) == 6' -- ucalls nest 9
	# without a command
	argdump vfs_read count --if '$comm == "reads"' --stop-if 'count == 1' >out &
	local tool=$!
	wait_until grep -q COMM out
	printf x >some
	until ! kill -0 $tool 2>/dev/null; do reads 3 some >/dev/null; done
	wait $tool
	[ "$(grep -c reads out)" -eq 1 ]
}

@test "--before: the last records before it, and what was left out is said" {
	shows '6 5 4' "$called" 'n=$arg2' --stop-if '$arg2 == 4' --before 2 -- ucalls nest 9
	[[ $stderr == *"3 records not shown: they came before the last ones that --before stores"* ]]
	shows '6 5 4 3 2 1' "$called" 'n=$arg2' --begin-if '$arg2 == 4' --before 2 -- ucalls nest 9
	shows '9 8 7' "$called" 'n=$arg2' --begin-if '$arg2 == 8' --before 5 --stop-if '$arg2 == 7' -- ucalls nest 9
	[[ $stderr != *"not shown"* ]]
	shows '' "$called" 'n=$arg2' --stop-if '$arg2 == 50' --before 3 -- ucalls nest 9
	[[ $stderr == *"9 records not shown: --stop-if was never true"* ]]
	shows '7 6' "$called" 'n=$arg2' --begin-if '$arg2 == 5' --before 2 -n 2 -- ucalls nest 9
}

@test "what is counted is bounded, too" {
	counts 5 "$called" --begin-if '$arg2 == 5' -- ucalls nest 9
	counts 5 "$called" --stop-if '$arg2 == 5' -- ucalls nest 9
	counts 3 "$called" --begin-if '$arg2 == 7' --stop-if '$arg2 == 5' -- ucalls nest 9
	counts 4 -r "$called" --sum '$ret' --stop-if '$ret == 4' -- ucalls nest 9
	# it ends by itself
	printf x >some
	argdump --count vfs_read --if '$comm == "reads"' --stop-if 'count == 1' >out 2>err &
	local tool=$!
	wait_attached $tool
	reads 3 some
	wait $tool
	grep -q 'total: 1 call' out || { cat out err; false; }
}

@test "behind a PROBE of several it is that probe's, and begins and ends all" {
	printf x >some
	run -0 --separate-stderr argdump vfs_read count --if '$comm == "reads"' --stop-if 'count == 1' --and "$called" 'n=$arg2' -- reads 9 some
	[ "$(count ' reads ' <<<"$output")" -eq 1 ]
}
