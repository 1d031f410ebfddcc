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

# The years of what happened before, between and after, in the lines of standard input
years_are_right() {
	local year; year=$(date +%Y)
	sed -nE 's/^.*\b([0-9]{4}) (before|between|after)\b.*$/\1 \2/p' >years
	printf '%s\n' "$year before" '2040 between' "$year after" | diff - years
}

EXECS='tracepoint:syscalls:sys_enter_execve /comm == "env"/ { '

@test "bt: strftime() of each clock, at once and in a map, as text and as JSON" {
	local clocks='nsecs nsecs(sw_tai)' clock
	[[ $(uname -r) == 5.* ]] || clocks+=' nsecs(tai)'
	for clock in $clocks; do
		for form in text json; do
			coretap bt -f $form -B line -e "$EXECS"'
				printf("%s %s\n", strftime("%Y", '"$clock"'), str(args.argv[1]));
				@at[str(args.argv[1])] = strftime("%Y", '"$clock"'); }' >out 2>err & pid=$!
			wait_attached $pid
			clock_move
			kill -INT $pid
			wait $pid
			grep -vE '@at|"map"' out | years_are_right || { echo "$clock $form"; cat out err; false; }
			# of the map: each once, whatever the order
			for when in "before\\W+$(date +%Y)" 'between\W+2040' "after\\W+$(date +%Y)"; do
				grep -E '@at|"map"' out | grep -qE "$when" || { echo "$clock $form $when"; cat out; false; }
			done
		done
	done
}

@test "bt: tseries(), printed at the end, when the clock is right again" {
	local year; year=$(date +%Y)
	coretap bt -f json -e "$EXECS"'@ = tseries(1, 200ms, 300, "sum"); printf("%s\n", str(args.argv[1])); }' >out 2>err & pid=$!
	wait_attached $pid
	clock_move
	kill -INT $pid
	wait $pid
	jq -r 'select(.type == "tseries") | .data["@"][].interval_start[:4]' out | uniq >years
	printf '%s\n' "$year" 2040 "$year" | diff - years || { cat out err; false; }
}

# packet_seconds FILE: of each packet of a file of libpcap
packet_seconds() {
	local at=24 size
	size=$(stat -c %s "$1")
	while ((at < size)); do
		read -r second _ captured _ < <(od -An -tu4 -j $at -N 16 "$1")
		echo "$second"
		((at += 16 + captured))
	done
}

@test "bt: packets of skboutput()" {
	packet() { echo "$1" >/dev/udp/127.0.0.1/9 || true; }
	two_packets() { [ "$(packet_seconds packets | wc -l)" -ge 2 ]; }
	ip link set lo up
	coretap bt -B line -e 'fentry:ip_rcv { print(skboutput("packets", args.skb, args.skb->len, 0)); }' >out 2>err & pid=$!
	wait_attached $pid
	packet before
	wait_until grep -q . out
	now=$(date +%s)
	date -s @2222222222
	sleep .3
	packet between
	wait_until two_packets
	date -s "@$now"
	sleep .3
	packet after
	sleep .3
	kill -INT $pid
	wait $pid
	packet_seconds packets | while read -r second; do date -d "@$second" +%Y; done | uniq >years
	year=$(date +%Y)
	printf '%s\n' "$year" 2040 "$year" | diff - years || { cat out err; false; }
}
