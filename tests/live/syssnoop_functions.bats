#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# syssnoop --attach kprobe.multi: only the functions of the calls that are wanted are probed. Judged by what the
# tracepoints of all calls show.

bats_require_minimum_version 1.5.0
load wait

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	if ! argdump --type 'enum bpf_attach_type' | grep -qw BPF_TRACE_KPROBE_SESSION ||
		! grep -q ' register_fprobe_ips$' /proc/kallsyms; then
		run -2 --separate-stderr syssnoop --attach kprobe.multi -e read,write -- reads 1 /etc/hosts
		[[ $stderr == *": this kernel has no kprobe.session (6.10, with fprobes)"* ]] || { echo "$stderr"; false; }
		skip "this kernel has no kprobe.session"
	fi
}

# Names and results of the calls in FILE; the kernel has no function for what it does not know.
calls_of() {
	sed -nE 's/^([0-9]+ +)?(<\.\.\. )?([a-z0-9_]+)(\(| resumed>).*= (-1 [A-Z0-9]+|\?|).*/\3 \5/p' "$1" | grep -v ENOSYS | sort
}

@test "every call of either kind of programs has its functions" {
	everycall # what it leaves behind is there in both runs
	syssnoop -f -o all -- everycall
	syssnoop -f --attach kprobe.multi -o ours -- everycall
	calls_of all >all.calls
	calls_of ours >our.calls
	[ "$(cut -d ' ' -f 1 all.calls | sort -u | wc -l)" -gt 280 ]
	diff all.calls our.calls
}

@test "the lines are the same" {
	local how
	for how in any kprobe.multi; do
		syssnoop --attach "$how" -e openat,read,close -o "$how" -- reads 500 /proc/sys/kernel/ostype
	done
	[ "$(grep -c '^read([0-9]*, "L", 1) *= 1$' kprobe.multi)" -eq 500 ] || { tail kprobe.multi; false; }
	diff any kprobe.multi
}

@test "counted; another process costs no record; what does not return" {
	run -0 --separate-stderr syssnoop --attach kprobe.multi -c -e read -- reads 1000 /proc/sys/kernel/ostype
	grep -qE ' 100[0-9] +read$' <<<"$stderr" || { echo "$stderr"; false; }
	syssnoop --attach kprobe.multi -e pread64,read -p 1 -o other 2>err 3>&- &
	wait_attached $!
	reads 100 /proc/sys/kernel/ostype
	kill -INT $!
	wait $!
	! grep -q '"L", 1)' other || { cat other; false; }
	syssnoop --attach kprobe.multi -e exit_group,execve -o ends -- reads 1 /proc/sys/kernel/ostype
	[ "$(sed 's/(.*= /() = /' ends)" = $'execve() = 0\nexit_group() = ?\n+++ exited with 0 +++' ] || { cat ends; false; }
}

@test "calls under way at once: printed and missed are what was done" {
	local shown missed
	syssnoop -f --attach kprobe.multi -e msgrcv -o some -- calls queue 200 2>err
	shown=$(grep -cE '^[0-9]+ +(msgrcv\(|<\.\.\. msgrcv resumed>).* = [0-9]+$' some || true)
	missed=$(sed -nE "s/.* at most ([0-9]+) events? missed by the kernel's own probes$/\1/p" err)
	[ $((shown + ${missed:-0})) -eq 200 ] || { cat err; tail -3 some; false; }
}

@test "a call without a function is said; none is an error" {
	run -1 --separate-stderr syssnoop --attach kprobe.multi -e nfsservctl,?gtty -- reads 1 /etc/hosts
	[[ $stderr == *"this kernel has functions for none of these calls"* ]] || { echo "$stderr"; false; }
	run -0 --separate-stderr syssnoop --attach kprobe.multi -e nfsservctl,close -- reads 1 /etc/hosts
	[[ $stderr == *"not seen: nfsservctl (the kernel's types have no function for it)"* ]] || { echo "$stderr"; false; }
}
