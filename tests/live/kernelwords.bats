#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# The kernel's own notations, judged by the kernel itself: what it takes, argdump takes, and what it refuses,
# argdump refuses; kernelwords.tbl has the definitions, and where the two differ.

bats_require_minimum_version 1.5.0
load arch

setup() {
	table=$BATS_TEST_DIRNAME/kernelwords.tbl
	cd /sys/kernel/tracing || return
	[ "$(uname -m)" = x86_64 ] || skip "the definitions have registers of x86-64"
	grep -qF '<argname>[->field' README || skip "this kernel knows no members of arguments yet: an older notation"
	newest=no
	! grep -qF 'this_cpu_read(' README || newest=yes
}

teardown() { echo >/sys/kernel/tracing/dynamic_events; }

kernel_takes() { # DEFINITION
	echo >dynamic_events
	(printf '%s\n' "$1" >>dynamic_events) 2>/dev/null
}

# What argdump has to answer, after the kernel's yes or no.
wanted() { # MARK KERNEL'S
	case $1$newest in
	=*) echo "$2" ;;
	-*) echo no ;;
	*) echo yes ;;
	esac
}

# What the mark says of the kernel itself; nothing: both are possible.
kernel_wanted() { # MARK
	case $1$newest in
	nyes | ono | -*) echo yes ;;
	nno | oyes | +*) echo no ;;
	esac
}

# Each definition of the table that is like PATTERN, of those every Nth.
judge() { # PATTERN FROM N
	local mark definition kernel ours i=0 bad=0 seen=0
	while IFS=$'\t' read -r mark definition; do
		[[ $mark != \#* && $definition =~ $1 ]] || continue
		((i++ % $3 == $2)) || continue
		kernel=no ours=no
		! kernel_takes "$definition" || kernel=yes
		echo >dynamic_events # argdump would find what was just made
		run argdump --dry-run "$definition"
		[ "$status" -ne 0 ] || ours=yes
		((++seen))
		if [ "$ours" != "$(wanted "$mark" "$kernel")" ] || [ "$status" -gt 3 ] ||
			[[ $(kernel_wanted "$mark") && $(kernel_wanted "$mark") != "$kernel" ]]; then
			echo "$mark $definition: the kernel says $kernel, argdump $ours ($status): ${output:0:300}"
			bad=1
		fi
	done <"$table"
	[ "$seen" -gt 20 ] && [ "$bad" -eq 0 ]
}

@test "kprobes, the first third" {
	judge '^p[^ ]*( [^/ ]*( .*)?)?$' 0 3
}

@test "kprobes, the second third" {
	judge '^p[^ ]*( [^/ ]*( .*)?)?$' 1 3
}

@test "kprobes, the last third" {
	judge '^p[^ ]*( [^/ ]*( .*)?)?$' 2 3
}

@test "returns and f probes" {
	judge '^[rf]' 0 1
}

@test "tracepoints and events" {
	judge '^[te]' 0 1
}

@test "places in programs" {
	judge '^[pr][^ ]* [^ ]*/' 0 1
}
