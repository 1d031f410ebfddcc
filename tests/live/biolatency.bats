#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# biolatency on the guest's disk: as many requests in its histograms as dd made and the kernel counts
# (/proc/diskstats), in the right ones.

bats_require_minimum_version 1.5.0
load disk
load wait

setup_file() {
	disk_find
}

reads() { dd if=$DISK of=/dev/null bs=4k count="$1" iflag=direct 2>/dev/null; }
writes() { dd if=/dev/zero of=$DISK bs=4k count="$1" oflag=direct 2>/dev/null; }
# How many requests the rows of JSON $output have: those that $1 selects.
requests() { jq -s "map(select(.type == \"biolatency\" and ($1)) | .latency_us // .latency_ms | map(.[2]) | add) | add" <<<"$output"; }
export -f reads writes

@test "biolatency: one histogram of all requests of a command, with percentiles" {
	run -0 --separate-stderr biolatency -j -- bash -c 'reads 30; writes 20'
	[ "$(requests true)" = 50 ]
	jq -es 'length == 1 and (.[0] | has("disk") or has("op") | not)' <<<"$output"
	jq -es '.[0] | .p50_us > 0 and .p50_us <= .p90_us and .p90_us <= .p99_us' <<<"$output"
}

@test "biolatency: text: bars, with the same number of requests" {
	run -0 --separate-stderr biolatency -- bash -c 'reads 30'
	echo "$output"
	[ "$(sed -nE 's/^ *\[[0-9KM]+(, [0-9KM]+\)|\]) +([0-9]+) \|@* *\|$/\2/p' <<<"$output" | awk '{n += $1} END {print n}')" = 30 ]
	grep -qE '^usecs  30 requests  p50 ~?[0-9]' <<<"$output"
	grep -qE '^total: 30 requests in ' <<<"$output"
	run -0 --separate-stderr biolatency -D -F -- bash -c 'writes 20'
	grep -qE "^usecs  disk=${DISK#/dev/}  type=write  flags=SYNC  20 requests  p50 " <<<"$output"
	run -0 --separate-stderr biolatency -m -- true
	[[ $output == '(no requests in '*')' ]]
}

@test "biolatency: --disk and --flags: a histogram each" {
	run -0 --separate-stderr biolatency -j -D -F -- bash -c 'reads 30; writes 20'
	[ "$(requests '.op == "read" and .disk == "'"${DISK#/dev/}"'"')" = 30 ] # SYNC or not, by kernel
	[ "$(requests '.op == "write" and .disk == "'"${DISK#/dev/}"'" and .flags == ["SYNC"]')" = 20 ]
	[ "$(requests true)" = 50 ]
}

@test "biolatency: --only-disk, -d of the original: no request of another disk" {
	run -0 --separate-stderr biolatency -j -D --only-disk "$DISK" -- bash -c 'reads 30'
	[ "$(requests '.disk == "'"${DISK#/dev/}"'"')" = 30 ] || { echo "$output$stderr"; false; }
	run -0 --separate-stderr biolatency -d "$(ls /sys/block | grep -vx "${DISK#/dev/}" | head -n 1)" -- bash -c 'reads 30'
	[[ $output == '(no requests in '*')' ]] || { echo "$output$stderr"; false; }
}

@test "biolatency: every request of the disk is counted, as the kernel counts" {
	T=$BATS_TEST_TMPDIR
	biolatency -v -j -D -F -o "$T/out" 2>"$T/err" 3>&- &
	tracer=$!
	wait_attached $tracer "$T/err"
	disk_counts >"$T/before"
	reads 50
	writes 40
	dd if=$DISK of=/dev/null bs=64k count=9 skip=100 2>/dev/null
	blkdiscard -o 0 -l 4194304 $DISK
	disk_counts >"$T/after"
	kill -INT $tracer
	wait $tracer || { cat "$T/err"; false; }
	judge=$(paste "$T/after" "$T/before" | awk '{print $1 - $8, $3 - $10, $5 - $12}')
	output=$(<"$T/out")
	disk=".disk == \"${DISK#/dev/}\""
	ours="$(requests "$disk and .op == \"read\"") $(requests "$disk and .op == \"write\"")"
	ours+=" $(requests "$disk and .op == \"discard\"")"
	echo "$judge, $ours"
	[ "$judge" = "$ours" ]
	[[ $judge =~ ^[0-9]{2,}\ 40\ [1-9] ]]
}

@test "biolatency: --interval --clear: each request once" {
	cd "$BATS_TEST_TMPDIR"
	run -0 biolatency -j -o out --interval 0.2 --clear -- bash -c '
		. "$0"
		for i in 1 2 3; do
			reads 20
			wait_until has_lines $i out
		done' "$BATS_TEST_DIRNAME/wait.bash"
	output=$(<out)
	[ "$(requests true)" = 60 ]
	[ "$(jq -s 'map(select(.type == "biolatency")) | length' <<<"$output")" -ge 3 ]
}

@test "biolatency: --milliseconds, and --queued adds the wait in the queue" {
	run -0 --separate-stderr biolatency -j -m -- bash -c 'reads 30'
	[ "$(requests 'has("latency_ms") and (has("latency_us") | not)')" = 30 ]
	scheduler=/sys/block/${DISK#/dev/}/queue/scheduler
	grep -q mq-deadline "$scheduler" || skip "this kernel has no I/O scheduler built in"
	before=$(sed 's/.*\[\(.*\)\].*/\1/' "$scheduler")
	echo mq-deadline >"$scheduler"
	run -0 --separate-stderr biolatency -j -Q -- bash -c 'reads 30'
	echo "$before" >"$scheduler"
	[ "$(requests true)" = 30 ]
}

@test "biolatency: only the task that is asked for" {
	bash -c 'while :; do reads 5; done' 3>&- &
	busy=$!
	run -0 --separate-stderr biolatency -j -- bash -c 'reads 30'
	kill $busy
	wait $busy || true
	[ "$(requests true)" = 30 ]
}
