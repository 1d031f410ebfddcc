#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Processors that go offline and come online: what runs there is sampled from then on.

bats_require_minimum_version 1.5.0
load wait

CPU=/sys/devices/system/cpu/cpu1/online

setup() {
	[ -e $CPU ] || skip "this guest has no second processor that can go offline"
	cd "$BATS_TEST_TMPDIR" || return
}

teardown() {
	echo 1 >$CPU
}

seen() { # COUNT: of samples on processor 1
	(($(grep -c '"cpu":1[,}]' out) >= $1))
}

@test "a processor that goes offline and comes back is sampled again" {
	coretap argdump -j hz:99 '$cpu' >out 2>err & pid=$!
	wait_attached $pid
	wait_until seen 5
	echo 0 >$CPU
	sleep 0.5
	before=$(grep -c '"cpu":1[,}]' out)
	echo 1 >$CPU
	wait_until seen $((before + 5))
	kill -INT $pid
	wait $pid
	grep -q 'processor 1 came online' err
}

@test "one that is offline for no longer than a look is sampled again" {
	coretap argdump -j hz:99 '$cpu' >out 2>err & pid=$!
	wait_attached $pid
	wait_until seen 5
	for i in 1 2 3; do
		echo 0 >$CPU
		echo 1 >$CPU
		before=$(grep -c '"cpu":1[,}]' out)
		wait_until seen $((before + 20))
	done
	kill -INT $pid
	wait $pid
	# once each time: by no processor are there more samples than it had time for
	[ "$(grep -c 'processor 1 came online' err)" -eq 3 ] || { cat err; false; }
}

@test "a processor that was offline at the start is sampled from when it comes online" {
	echo 0 >$CPU
	coretap argdump -j hz:99 '$cpu' >out 2>err & pid=$!
	wait_attached $pid
	run ! seen 1
	echo 1 >$CPU
	wait_until seen 5
	kill -INT $pid
	wait $pid
}

@test "a table of samples also continues" {
	echo 0 >$CPU
	coretap argdump -j --count --by '$cpu' hz:99 >out 2>err & pid=$!
	wait_attached $pid
	echo 1 >$CPU
	wait_until grep -q 'processor 1 came online' err
	sleep 0.5
	kill -INT $pid
	wait $pid
	seen 1
}

@test "processes on a processor that has come online have names in their stacks after their end, or the loss is reported" {
	echo x >some
	echo 0 >$CPU
	coretap argdump -v -U -j -c chain-pie vfs_read >out 2>err & pid=$!
	wait_attached $pid
	echo 1 >$CPU
	# it is no reason to keep a right for a whole run: where the kernel wants one by then, that is said
	wait_until grep -qE 'processor 1 came online(: what processes map there is recorded| and cannot be watched)' err
	for ((i = 0; i < 5; i++)); do taskset 2 chain-pie 3 some; done
	wait_until has_lines 15 out
	kill -INT $pid
	wait $pid
	grep -q 'cannot be watched' err || [ "$(grep -c "chain_read" out)" -ge 15 ] || { cat out err; false; }
}
