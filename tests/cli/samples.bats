#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# hz:, every:, hw: and sw:, planned; mistakes; what can be listed.

bats_require_minimum_version 1.5.0
load plan

@test "samples are planned, with the values of a sample" {
	run -0 --separate-stderr "$argdump" --dry-run --btf "$btf" hz:99 '$ip' '$cpu' period '$task->pid'
	[[ $output == "perf_event hz:99"*"ip = "*"cpu = "*"period = "*"pid = "* ]]
	run -0 --separate-stderr "$argdump" --dry-run --btf "$btf" hz:99,49
	[ "$output" = "perf_event hz:99
perf_event hz:49" ]
	# the address of a fault is shown by itself
	run -0 --separate-stderr "$argdump" --dry-run --btf "$btf" sw:page-faults
	[[ $output == *"addr = addr"* ]]
	run -0 --separate-stderr "$argdump" --dry-run --btf "$btf" hw:cycles --count --by '$ip'
	[[ $output == *"ip = \$ip"* && $output != *addr* ]]
	run -0 --separate-stderr "$argdump" --dry-run --btf "$btf" --folded hz:99
	[[ $output == *"ustack"*"kstack"* ]]
}

@test "values that a sample lacks" {
	wrong 'hz:99 is not a call and has no $arg1' hz:99 '$arg1'
	wrong 'is not a call and has no $ret' hz:99 '$ret'
	wrong 'is not a call and has no $caller' sw:page-faults '$caller'
	wrong 'is not a call and has no $ctx' every:1 '$ctx'
	wrong 'hz:99 has no parameter file' hz:99 file
	wrong '-r is for functions and system calls' -r hz:99
	[[ $stderr == *"a sample has no return"* ]]
	wrong 'a sample has no return' hz:99%return
	wrong 'cannot attach hz:99 by fentry here' --attach fentry hz:99
	[[ $stderr == *"is attached without --attach"* ]]
}

@test "errors in sampled events, with the caret" {
	wrong 'hz: needs a whole number from 1 to 100000' hz:0.5
	wrong 'every: needs a time of at least 10us' every:soon
	wrong 'unknown event hw:cycels' hw:cycels
	[[ $stderr == *"    hw:cycels
       ^~~~~~
  did you mean hw:cycles? argdump -l 'hw:*' lists all"* ]]
	wrong 'the period is a whole number' hw:cycles:many
	[[ $stderr == *"hw:cache-misses:10000"* ]]
	wrong 'unknown event sw:cycles' sw:page-faults,cycles
}

@test "the events that there are" {
	run -0 "$argdump" --btf "$btf" -l 'sw:*faults'
	[ "$output" = "sw:page-faults:1
sw:minor-faults:1
sw:major-faults:1
sw:alignment-faults:1
sw:emulation-faults:1" ]
	run -0 "$argdump" --btf "$btf" -j -l hw:cache-misses
	[ "$output" = '{"type":"sample","kind":"hw","name":"cache-misses","period":10000}' ]
	# each one that is listed is one that can be asked for
	for event in $("$argdump" --btf "$btf" -l 'hw:*') $("$argdump" --btf "$btf" -l 'sw:*'); do
		run -0 "$argdump" --dry-run --btf "$btf" "$event"
	done
	wrong "no event matches 'hw:none*'" -l 'hw:none*'
	wrong 'cannot list hz:99' -l hz:99
}

@test "USDT: planned from a file's notes" {
	local file=$PWD/build/tests/work/usdt
	run -0 --separate-stderr "$argdump" --dry-run --btf "$btf" "u:$file:work:call"
	[[ $output == "uprobe $file:work:call"*"arg1 = "*"(u64): no load"*"arg2 = "*"(s32)"*"arg5 = "*"(u8)"*"arg6 = "*"(s16): 1 probe_read_user load" ]]
	# several places: one probe, with a type that all of them fit
	run -0 --separate-stderr "$argdump" --dry-run --btf "$btf" "u:$file:work:place"
	[ "$output" = "uprobe $file:work:place
  arg1 = \$arg1  (s64): no load" ]
	run -0 --separate-stderr "$argdump" --dry-run --btf "$btf" "u:$file:work:place,call" '$arg1'
	[ "$(grep -c ^uprobe <<<"$output")" -eq 2 ]
	run -0 --separate-stderr "$argdump" --dry-run --btf "$btf" "u:$file:*:*"
	[ "$(grep -c ^uprobe <<<"$output")" -eq 4 ]
}

@test "USDT: missing or meaningless parts" {
	local file=$PWD/build/tests/work/usdt
	wrong "has no USDT probe work:cal" "u:$file:work:cal"
	[[ $stderr == *"did you mean work:call?"* ]]
	wrong "has no USDT probe wrk:call" "u:$file:wrk:call"
	wrong "has no USDT probes" "u:/bin/true:work:call"
	wrong "cannot find '/no/such/file'" u:/no/such/file:work:call
	wrong "a USDT probe has no return" -r "u:$file:work:call"
	wrong "a USDT probe has no return" "u:$file:work:call%return"
	wrong "has 6 known parameters" "u:$file:work:call" '$arg7'
	wrong "receives it where it cannot be read: 8f@%xmm0" "u:$file:other:float" '$arg1'
	# a file whose path has a colon is a file
	cp "$file" "$BATS_TEST_TMPDIR/a:b"
	run -0 --separate-stderr "$argdump" --dry-run --btf "$btf" "u:$BATS_TEST_TMPDIR/a:b:main" '$arg1'
	run -0 --separate-stderr "$argdump" --dry-run --btf "$btf" "u:$BATS_TEST_TMPDIR/a:b:work:call" '$arg1'
}

@test "USDT: probes of a file" {
	local file=build/tests/work/usdt
	run -0 "$argdump" --btf "$btf" -l "u:./$file:work:*"
	[ "$output" = "u:./$file:work:call  6 arguments, 1 place
u:./$file:work:guarded  1 argument, 1 place, semaphore
u:./$file:work:place  1 argument, 2 places" ]
	run -0 "$argdump" --btf "$btf" -j -l "u:./$file:work:place"
	[[ $output == '{"type":"usdt","file":"./'*'","provider":"work","name":"place","arguments":1,"places":2,"semaphore":false,"args":"'*'"}' ]]
}
