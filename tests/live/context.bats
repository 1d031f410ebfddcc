#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# $ctx against the kernel's own latency field: a kprobe event in tracefs and argdump on the same function, of
# the same task's calls the same letters, one by one.

bats_require_minimum_version 1.5.0
load arch
load wait

T=/sys/kernel/tracing

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	printf 'x%.0s' {1..64} >some
}

teardown() {
	echo 0 >$T/events/enable
	echo >$T/kprobe_events
}

# An interrupt between the two handlers of one call may ask for a new task: the second letter, now and then; more often on a
# busy machine, where a tick is longer than what it interrupts.
differs_by_chance() {
	diff <(sed 's/^\(.\)./\1-/' first) <(sed 's/^\(.\)./\1-/' ours) >/dev/null &&
		[ "$(grep -c '^[>+][^+]' differ)" -le $((3 + $(wc -l <ours) / 20)) ]
}

# Where a kprobe is a trap that masks interrupts, the kernel's field says so, whatever the function had; ours
# says what that had.
differs_by_trap() {
	[ "$KPROBE_MASKS" = yes ] && ! grep -qv '^d' first && diff <(sed 's/^./-/' first) <(sed 's/^./-/' ours) >differ
}

# compare PROBE FUNC COMM CMD…: as `kprobe_events` takes it, as argdump takes it; leaves both sides in theirs
# and ours, each a line a call.
compare() {
	local probe=$1 func=$2 comm=$3
	shift 3
	echo "$probe:cmp ${func%\%return}" >$T/kprobe_events
	echo "COMM == \"$comm\"" >$T/events/kprobes/cmp/filter
	echo >$T/trace
	echo 1 >$T/events/kprobes/cmp/enable
	# the shell outlives CMD, whose last interrupts come after its parent hears of its end
	run -0 --separate-stderr argdump -c "$comm" "$func" '$ctx' -- sh -c '"$@"; sleep .5' sh "$@"
	echo 0 >$T/events/kprobes/cmp/enable
	sed -n 's/^[^[]*\[[0-9]*\] *\([^ ]*\) .*: cmp: .*/\1/p' $T/trace >theirs
	sed -n 's/.* ctx=//p' <<<"$output" >ours
	echo >$T/kprobe_events
	[ "$(wc -l <theirs)" -le "$(wc -l <ours)" ] || echo missed >>ours
	head -n "$(wc -l <ours)" theirs >first
	diff first ours >differ || differs_by_chance || differs_by_trap || {
		echo "$func: $(wc -l <theirs) and $(wc -l <ours) calls, > is ours:"
		head -20 differ
		false
	}
}

# 5.10 turns interrupts off in its kretprobes' own handler, arm64's 7.3 preemption, and both print that.
compare_but_own() {
	local own='s/^.\(..\)./-\1-/'
	compare "$@" || diff <(sed "$own" theirs) <(sed "$own" ours)
}

@test "a function that sleeps: nothing is off" {
	compare p vfs_read reads reads 137 some
	[ "$(grep -c "^\.[.NnpLlbB]\.\.\.\?$" ours)" -ge 137 ] || { sort ours | uniq -c; false; }
}

@test "the timer's interrupt" {
	compare p update_process_times reads reads 60000 some
	grep -q '^d.[hH]' ours
	run -1 grep -v '^[dD].[hH]' ours
}

@test "a softirq" {
	compare p ip_rcv ping ping -c 3 127.0.0.1
	[ "$(grep -c '^[.b].s' ours)" -ge 3 ] || { sort ours | uniq -c; false; }
}

@test "a spinlock that turns interrupts off, and one that does not" {
	cp "$(command -v bash)" waker # others are called bash, too
	compare p autoremove_wake_function waker ./waker -c 'mkfifo pipe; cat <pipe >/dev/null & exec 7>pipe
		. "$0"
		for i in {1..5}; do wait_until is_in $! "[a-z_]*pipe_[a-z]*"; echo $i >&7; done' "$BATS_TEST_DIRNAME/wait.bash"
	[ -s ours ]
	run -1 grep -v '^[dD]..' ours
	# under the lock of a page table: pages that a fork left shared are written
	compare p ptep_clear_flush waker ./waker -c 'for i in {1..5}; do (:); done'
	[ "$(wc -l <ours)" -ge 5 ]
	if [ -e /sys/kernel/debug/sched/preempt ]; then # it counts
		run -1 grep -v '^\...[1-9]' ours
	fi
}

@test "the return" {
	compare_but_own r rw_verify_area%return reads reads 59 some
	run -1 grep -v '^\.' ours
	[ "$(wc -l <ours)" -ge 59 ]
	run -0 --separate-stderr argdump -c reads -r rw_verify_area '$ctx' 'end=@ret($ctx)' '$ret' -- reads 31 some
	[ "$(grep -c "ctx=\.[.NnpLlbB]\.\.\.\? end=\.[.NnpLlbB]\.\.\.\? ret=0" <<<"$output")" -ge 31 ] ||
		{ echo "$output $stderr"; false; }
}

@test "in JSON an object; a key; a condition; with a stack; the output of -v" {
	run -0 --separate-stderr argdump -vv -j -c reads vfs_read '$ctx' -- reads 5 some
	[[ $stderr == *"argdump: not by "*"need-resched is bit "* && $stderr != *"bit -1"* ]] ||
		{ echo "$stderr"; false; }
	[ "$(grep '^{' <<<"$output" | jq -s 'map(select(.args.ctx | .irqs_off == false and .hardirq == false and
		.softirq == false and .nmi == false and .preempt_depth == 0 and .migrate_depth == 0 and
		(.text | length >= 4))) | length')" -ge 5 ] || { echo "$output"; false; }
	run -0 --separate-stderr argdump --count --by '$ctx' -c reads vfs_read -- reads 41 some
	[[ $output == *"...."* ]] || { echo "$output"; false; }
	run -0 --separate-stderr argdump --if '($ctx & 0xff) == 0' -k -c reads vfs_read '$ctx' -- reads 3 some
	[ "$(grep -c 'ctx=\.' <<<"$output")" -ge 3 ]
	[[ $output == *"    vfs_read"* ]] || { echo "$output"; false; }
}

# Pinned to a processor that it shares with nobody, it is what the timer there interrupts.
@test "interrupts of coretap are not excluded; its own calls are" {
	taskset 2 argdump -q -o records update_process_times '$cpu' --and ksys_write '$cpu' --and vfs_read '$cpu' 2>err 3>&- &
	pid=$!
	wait_attached $pid
	taskset 1 reads 8000 "$(command -v reads)"
	kill -INT $pid
	wait $pid || [ $? = 4 ]
	has_lines 8000 records
	[ "$(awk -v pid=$pid '$1 == pid && /update_process_times/' records | wc -l)" -ge 1 ] || { head records; cat err; false; }
	[ "$(awk -v pid=$pid '$1 == pid && !/update_process_times/' records | wc -l)" -eq 0 ] || { awk -v pid=$pid '$1 == pid' records | head; false; }
}

# A process reads; timers run out in soft interrupts, which hard ones interrupt.
@test "\$irq" {
	run -0 --separate-stderr argdump -j -c reads vfs_read '$irq' -- reads 20 some
	[ "$(jq -cn '[inputs | .args.irq] | unique' <<<"$output")" = '[0]' ]
	run --separate-stderr argdump -j -n 20 -d 20 run_timer_softirq '$irq' -- bash -c 'while :; do :; done'
	[ "$(jq -cn '[inputs | select(.args) | .args.irq] | unique' <<<"$output")" = '[1]' ] || { head -3 <<<"$output"; echo "$stderr"; false; }
	run --separate-stderr argdump -j -n 20 -d 20 'hrtimer_interrupt|tick_periodic' '$irq' -- bash -c 'while :; do :; done'
	jq -en '[inputs | select(.args) | .args.irq] | length > 0 and all(. == 2 or . == 3)' <<<"$output" || { head -3 <<<"$output"; echo "$stderr"; false; }
}
