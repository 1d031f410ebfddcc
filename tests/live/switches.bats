#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Settings of the kernel under which programs attach and never run (src/attach/switches.def): tools refuse and say
# what to do, or take a way that works, and the kernel's own tracing survives it. The judges are its function
# tracer, its kprobe events and its log. From 7.3 on the kernel does not let ftrace be switched off.

bats_require_minimum_version 1.5.0
load arch
load wait

T=/sys/kernel/tracing
SWITCH=/proc/sys/kernel/ftrace_enabled
KPROBES=/sys/kernel/debug/kprobes/enabled
REMEDY='sysctl kernel.ftrace_enabled=1'

setup_file() {
	dmesg -c >/dev/null
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

teardown() {
	echo 1 >"$SWITCH"
	[ ! -e "$KPROBES" ] || echo 1 >"$KPROBES"
}

off() {
	(echo 0 >"$SWITCH") 2>/dev/null || skip "this kernel does not let ftrace be switched off here"
	[ "$(cat "$SWITCH")" = 0 ]
}

refuses() { # TOOL…
	run -2 --separate-stderr coretap "$@" --duration 1
	[[ $stderr == *"kernel.ftrace_enabled is 0: "*"$REMEDY"* ]] || {
		echo "$*: $output $stderr"
		return 1
	}
}

kernel_is_alive() {
	echo do_nanosleep >$T/set_ftrace_filter
	echo function >$T/current_tracer
	sleep 0.01
	grep -q 'do_nanosleep <-' $T/trace
	echo nop >$T/current_tracer
	echo >$T/set_ftrace_filter
	echo 'p:alive do_nanosleep' >$T/kprobe_events
	echo 1 >$T/events/kprobes/alive/enable
	sleep 0.01
	grep -q ' alive: ' $T/trace
	echo 0 >$T/events/kprobes/alive/enable
	echo >$T/kprobe_events
	run ! grep -E 'WARNING|BUG|RIP:|ftrace failed' <(dmesg)
}

# An instruction of the function that ftrace does not patch: the kernel knows where one begins.
inside() { # FUNCTION
	local at
	for at in 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		coretap argdump -d 0.01 "$1+$at" >/dev/null 2>&1 && echo "$1+$at" && return
	done
	return 1
}

@test "ftrace is off: what needs it refuses, and the kernel's own tracing survives" {
	off
	for tool in execsnoop opensnoop connsnoop 'funcgraph do_nanosleep' 'argdump do_nanosleep' \
		'argdump -r do_nanosleep' 'argdump do_nano*' 'argdump s:nanosleep' \
		'argdump --attach kprobe do_nanosleep' 'opensnoop --attach kprobe' tcpconnect; do
		# shellcheck disable=SC2086 # the words of a command line
		refuses $tool
	done
	echo 1 >"$SWITCH"
	kernel_is_alive
	coretap execsnoop -n 1 -- true >out
	grep -q true out
	kernel_is_alive
}

@test "ftrace is off: a family of processes cannot be followed, and why" {
	off
	run -2 --separate-stderr coretap syssnoop -- true
	[[ $stderr == *"cannot follow forks"*"kernel.ftrace_enabled is 0"*"$REMEDY"* ]]
}

@test "ftrace is off: what does without it works" {
	off
	coretap syssnoop -e trace=nanosleep,clock_nanosleep >out & pid=$!
	wait_attached $pid
	sleep 0.01
	wait_until grep -q nanosleep out
	kill -INT $pid
	wait $pid
	coretap argdump -n 1 t:sched:sched_switch >out 2>err
	coretap argdump -d 1 hz:99 >out 2>err
	(($(wc -l <out) > 10))
	coretap biolatency -d 1 >out
	place=$(inside do_nanosleep)
	# without -n: wait_attached sleeps itself
	coretap argdump "$place" >out 2>err & pid=$!
	wait_attached $pid err
	sleep 0.01
	wait_until grep -q sleep out
	kill -INT $pid
	wait $pid
	echo 1 >"$SWITCH"
	kernel_is_alive
}

@test "ftrace is off: biosnoop says what it does not see" {
	off
	run -0 --separate-stderr coretap biosnoop -d 1
	[[ $stderr == *"not seen here: who asked for a flush"*"$REMEDY"* ]]
}

@test "ftrace is off: doctor attaches nothing that needs it, and says so" {
	off
	coretap doctor -j >out
	for method in fentry fexit kprobe.multi; do
		jq -c --arg m $method 'select(.name == $m)' out >row
		jq -e '.answer == "no" and (.text | test("ftrace_enabled is 0|does not know"))' row || {
			cat row
			return 1
		}
	done
	jq -e -s 'any(.[]; .name == "tp_btf" and .answer == "yes")' out
	jq -e -s 'any(.[]; .name == "ftrace" and .answer == "no" and .todo == "'"$REMEDY"'")' out
	jq -e -s 'any(.[]; .name == "execsnoop" and .answer == "no" and (.text | test("ftrace_enabled is 0")))' out
	# recipes, too: one of functions does not work, one of samples does
	coretap doctor -j cachestat cpuwalk >out
	jq -c 'select(.group == "recipe")' out >rows
	cat rows
	jq -e -s 'any(.[]; .name == "cachestat" and .answer == "no" and (.text | test("ftrace_enabled is 0")))' rows
	jq -e -s 'any(.[]; .name == "cpuwalk" and .answer == "yes")' rows
	echo 1 >"$SWITCH"
	kernel_is_alive
}

@test "ftrace is switched off during a run: named, counted, exit status 4" {
	coretap execsnoop -j >out 2>err & pid=$!
	wait_attached $pid
	(echo 0 >"$SWITCH") 2>/dev/null || {
		kill -INT $pid
		wait $pid
		skip "this kernel does not switch ftrace off while it is in use"
	}
	wait_until grep -q "$REMEDY" err
	echo 1 >"$SWITCH"
	kill -INT $pid
	code=0
	wait $pid || code=$?
	[ $code = 4 ]
	jq -e -s 'map(select(.type == "lost")) | .[-1].switched_off == 1' out
	kernel_is_alive
}

# The kernel's own kprobe events are not hit either, until it is 1 again.
@test "while kprobes are switched off, what needs them is refused, and the rest works" {
	[ -e "$KPROBES" ] || skip "this kernel has no $KPROBES"
	echo 0 >"$KPROBES"
	for words in 'argdump --attach kprobe --count vfs_read' 'argdump --attach kprobe -r --count vfs_read' 'argdump vfs_read+0x0 --attach kprobe' \
		'execsnoop --attach kprobe'; do
		# shellcheck disable=SC2086  # words
		run -2 --separate-stderr coretap $words -d 1
		[[ $stderr == *"$KPROBES is 0: kprobes and kretprobes are never hit"*"echo 1 >$KPROBES"* ]] || { echo "$words: $output $stderr"; false; }
	done
	run -0 --separate-stderr coretap argdump --count --attach fentry vfs_read -- dd if=/dev/zero of=/dev/null bs=1 count=20
	grep -qxE ' *20' <<<"$output" || { echo "$output$stderr"; false; }
	echo 1 >"$KPROBES"
	run -0 --separate-stderr coretap argdump --count --attach kprobe vfs_read -- dd if=/dev/zero of=/dev/null bs=1 count=20
	grep -qxE ' *20' <<<"$output" || { echo "$output$stderr"; false; }
}

@test "kprobes that are switched off during a run: that is said and counted" {
	[ -e "$KPROBES" ] || skip "this kernel has no $KPROBES"
	coretap argdump --attach kprobe --count vfs_read >out 2>err & tool=$!
	wait_attached $tool
	echo 0 >"$KPROBES"
	kill -INT $tool
	status=0
	wait $tool || status=$?
	[ "$status" -eq 4 ] && grep -q "$KPROBES is 0" err || { echo "$status"; cat out err; false; }
}
