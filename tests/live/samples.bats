#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# hz:, every:, hw: and sw: of known workloads. A guest's processors take turns on one thread, and a late
# timer skips ticks: so of a rate the upper bound is exact, the lower one is not.

bats_require_minimum_version 1.5.0
load argdump
load wait

setup() { cd "$BATS_TEST_TMPDIR" || return; }

# A number in $output, which is one of two bounds or between them.
between() { # LOW HIGH NUMBER
	[[ $3 && $3 -ge $1 && $3 -le $2 ]] || { echo "$3 is not in $1 … $2"; echo "$output$stderr"; false; }
}

@test "hz: finds a task that computes, as often as it should" {
	run -0 --separate-stderr argdump --count --by '$comm,$cpu' hz:20 -- samples burn 1 3
	between 40 64 "$(awk '$1 == "samples" && $2 == 1 {print $3}' <<<"$output")"
	# of that process alone, and by the address that was interrupted: all in its own program
	run -0 --separate-stderr argdump -c samples --count --by 'here=(u64)$ip > 0 && (u64)$ip < 1UL << 47' hz:50 -- samples burn 1 2
	between 60 110 "$(awk '$1 == 1 {print $2}' <<<"$output")"
}

@test "idle processors: swapper with PID 0, which a condition leaves out" {
	run -0 --separate-stderr argdump -d 2 --count --by '$pid,$comm' hz:20
	between 10 42 "$(awk '$1 == 0 && $2 == "swapper/1" {print $3}' <<<"$output")"
	run -0 --separate-stderr argdump -d 1 --count --by '$pid' --if '$pid' hz:20
	[ "$(count '^ *0 ' <<<"$output")" -eq 0 ]
}

@test "stacks of samples: what was interrupted, and nothing of the interrupt" {
	run -0 --separate-stderr argdump --folded -c samples hz:50 -- samples calls 1 2
	# a guest that stands still takes none meanwhile
	between 5 110 "$(grep -oE '[0-9]+$' <<<"$output" | awk '{n += $1} END {print n}')"
	# what takes the sample; the task itself may be in perf_event_mmap and such
	[ "$(count -E ';(hrtimer_interrupt|__hrtimer_run_queues|perf_swevent_hrtimer|__perf_event_overflow|bpf_overflow_handler|bpf_prog_[0-9a-f]{16}_)' <<<"$output")" -eq 0 ] ||
		{ echo "$output"; false; }
	grep -q '^samples;.*;syscall;.*_\[k\] ' <<<"$output" && grep -q '^samples;.*;syscall [0-9]' <<<"$output" ||
		{ echo "$output"; false; }
	run -0 --separate-stderr argdump -d 30 -n 1 -k --if '!$pid' hz:20 '$ip'
	[[ $output == *'swapper/'*"do_idle+"* ]] || { echo "$output"; false; }
	# the first frame is the place itself
	[ "$(sed -n '2s/.*ip=//p' <<<"$output")" = "$(sed -n '3s/^ *//p' <<<"$output")" ] || { echo "$output"; false; }
}

@test "stacks: none is said, whether they are counted by lines or by a program" {
	sleep 60 3>&- &
	for tool in profile offwaketime 'argdump --folded vfs_mkdir'; do
		# shellcheck disable=SC2086 # words
		run -0 --separate-stderr $tool -d 0.5 -p $!
		[[ ! $output && $stderr == *"there are no stacks"* ]] || { echo "$tool: $output$stderr"; false; }
	done
	kill $!
}

@test "every: once in that time, on one processor, whatever runs there" {
	run -0 --separate-stderr argdump -d 2 every:100ms '$cpu' 'j=@jiffies' 'n=@runqueues.nr_running ?? 0'
	between 17 21 "$(count ' cpu=0 j=[1-9]' <<<"$output")"
	[ "$(count ' cpu=[1-9]' <<<"$output")" -eq 0 ]
	# the variable grows
	[ "$(sed -n 's/.* j=\([0-9]*\).*/\1/p' <<<"$output" | sort -nuc 2>&1)" = '' ] || { echo "$output"; false; }
	# filters by process are of the other probes
	printf "every:100ms '\$cpu'\nvfs_read count\n" >both
	began=$(cut -d. -f1 /proc/uptime)
	run -0 --separate-stderr argdump --load both -c reads -- bash -c 'echo x >some; sleep 1; reads 3 some; sleep 1'
	[ "$(count ' reads .*vfs_read' <<<"$output")" -ge 3 ]
	between 12 $((10 * ($(cut -d. -f1 /proc/uptime) - began + 1) + 1)) "$(count 'every:100ms' <<<"$output")"
}

@test "variables of the kernel without a type: words, or what a cast makes of them" {
	run -0 --separate-stderr argdump -n 1 every:100ms 'one=@avenrun[0]' 'cast=((unsigned long *)&@avenrun)[0]' 'all=@avenrun:u64[3]' 'last=@avenrun[2]'
	[[ $output =~ one=([0-9]+)\ cast=([0-9]+)\ all=.([0-9]+)[^0-9]+[0-9]+[^0-9]+([0-9]+).\ last=([0-9]+) ]] || { echo "$output$stderr"; false; }
	[ "${BASH_REMATCH[1]} ${BASH_REMATCH[1]} ${BASH_REMATCH[4]}" = "${BASH_REMATCH[2]} ${BASH_REMATCH[3]} ${BASH_REMATCH[5]}" ] || { echo "$output"; false; }
	run -1 argdump every:1 '@avenrun.x'
	[[ $output == *"((struct T *)&@avenrun)->member"* ]] || { echo "$output"; false; }
	# of each CPU; older kernels do not say so
	run -0 --separate-stderr argdump -n 1 every:100ms 'n=percpu((struct rq *)&@runqueues)->cpu'
	[[ $output == *' n=0'* ]] || { echo "$output$stderr"; false; }
}

@test "sw:page-faults: each one, with its address" {
	local here='(u64)addr >= 0x100000000000 && (u64)addr < 0x110000000000'
	run -0 --separate-stderr argdump --count --by '$comm' --if "$here" sw:page-faults -- samples faults 321
	[[ $output == "321"*"samples "*321* ]] || { echo "$output$stderr"; false; }
	run -0 --separate-stderr argdump -c samples --if "$here" sw:page-faults -- samples faults 3
	[ "$(count -E 'addr=0x10000000[0-2]000$' <<<"$output")" -eq 3 ] || { echo "$output$stderr"; false; }
	# with a period: of 321 each tenth
	run -0 --separate-stderr argdump -c samples --count sw:minor-faults:10 -- samples faults 1000
	between 99 130 "$(awk '/^ *[0-9]+$/ {n = $1} END {print n}' <<<"$output")"
}

@test "sw:context-switches of a task that sleeps; a family of processes" {
	run -0 --separate-stderr argdump --count --by '$comm' sw:context-switches -- bash -c 'for i in 1 2 3; do sleep 0.1; done'
	between 3 60 "$(awk '$1 == "sleep" {print $2}' <<<"$output")"
}

@test "hw: counts, or says what the machine lacks; doctor agrees" {
	run --separate-stderr argdump -d 1 --count hw:cycles
	if [ "$status" -eq 0 ]; then
		coretap doctor | grep -q '^  counters *yes'
	else
		[ "$status" -eq 2 ] && [[ $stderr == *"this machine cannot count that event"*"hz:99 samples without counters"* ]] ||
			{ echo "$status $stderr"; false; }
		run -0 coretap doctor
		grep -q '^  counters *no .*does not count' <<<"$output" || { echo "$output"; false; }
	fi
	coretap doctor | grep -q '^  perf_event *yes'
}

@test "a rate that the kernel does not allow" {
	local most
	most=$(</proc/sys/kernel/perf_event_max_sample_rate)
	echo 50 >/proc/sys/kernel/perf_event_max_sample_rate
	run --separate-stderr argdump -d 1 --count hz:60
	echo "$most" >/proc/sys/kernel/perf_event_max_sample_rate
	[ "$status" -eq 2 ] && [[ $stderr == *"the kernel allows 50 samples a second"*"sysctl kernel.perf_event_max_sample_rate=60"* ]] ||
		{ echo "$status $stderr"; false; }
}

@test "a processor that is offline is left out" {
	[ -w /sys/devices/system/cpu/cpu1/online ] || skip "this processor cannot be taken away"
	echo 0 >/sys/devices/system/cpu/cpu1/online
	run --separate-stderr argdump -d 1 --count --by '$cpu' hz:20
	echo 1 >/sys/devices/system/cpu/cpu1/online
	[ "$status" -eq 0 ] && [ "$(count '^ *1 ' <<<"$output")" -eq 0 ] || { echo "$status $output$stderr"; false; }
	between 8 22 "$(awk '$1 == 0 && NF == 2 {print $2}' <<<"$output")"
}

@test "pairs of samples and calls, and samples beside calls" {
	# from a fault to the next one of the same thread
	wants 4 ' step=4096 ' -c samples --if '(u64)addr >= 0x100000000000 && (u64)addr < 0x110000000000' \
		sw:page-faults 'step=@end((u64)addr) - (u64)addr' '$lat' --until sw:page-faults -- samples faults 5
}
