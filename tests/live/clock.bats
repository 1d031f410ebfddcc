#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# The clock is set in the middle of a run: each row has the time of its event, and the order of rows stays.

bats_require_minimum_version 1.5.0
load wait

setup() { cd "$BATS_TEST_TMPDIR" || return; }

# Sets the clock to a day of the year 2040 and back, with an exec before, between and after. The reader learns of it when
# it next runs: what happens before that has the old time.
clock_move() {
	env true before
	wait_until grep -q before out
	now=$(date +%s)
	date -s @2222222222
	sleep .3
	env true between
	wait_until grep -q between out
	date -s "@$now"
	sleep .3
	env true after
	wait_until grep -q after out
}

@test "JSON: time" {
	execsnoop -j >out 2>err & pid=$!
	wait_attached $pid
	clock_move
	kill -INT $pid
	wait $pid
	jq -r 'select(.argv[0] == "true") | "\(.argv[1]) \(.time[:4])"' out >years
	year=$(date +%Y)
	printf '%s\n' "before $year" 'between 2040' "after $year" | diff - years
	jq -e -s '[.[] | select(.ts_ns) | .ts_ns] | . == sort' out
}

@test "text: -T iso" {
	execsnoop -Tiso >out 2>err & pid=$!
	wait_attached $pid
	clock_move
	kill -INT $pid
	wait $pid
	grep -E 'true (before|between|after)' out | cut -c1-4 | uniq >years # env's own exec, too
	year=$(date +%Y)
	printf '%s\n' "$year" 2040 "$year" | diff - years
}
