#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# argdump with definitions in the kernel's own notations, without root: what they become, what is
# said of it, and where wrong ones are wrong.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	argdump=$PWD/${BUILD:-build}/argdump
	btf=$(tools/fetch-kernel --btf 6.12)
}

plan() { run --separate-stderr "$argdump" --btf "$btf" --dry-run "$@"; }

# The note that says the definition in coretap's words.
words() { # WANT, of the last plan
	[[ $stderr == *"the same in coretap's words: argdump $1"* ]] || { echo "$stderr"; false; }
}

@test "a kprobe_events definition, as one word and as several" {
	plan 'p:my vfs_read name=+0(+0(+40(+40(+32($arg1))))):string n=$arg3'
	[ "$status" -eq 0 ]
	words 'vfs_read name=*(u64 *)*(u64 *)(*(u64 *)(*(u64 *)((u64)$arg1 + 32) + 40) + 40):str n=$arg3:x64'
	[[ $output == *"vfs_read"*"name"*"n"* ]]
	plan p:my vfs_read 'n=$arg3'
	[ "$status" -eq 0 ]
	words 'vfs_read n=$arg3:x64'
	plan p vfs_read 'n=$arg3'
	[ "$status" -eq 0 ]
}

@test "t:NAME with expressions is a tracepoint; an old line with t: is one word" {
	plan t:sched_switch next_pid
	[[ $stderr != *"t:next_pid"* && $stderr != *"coretap's words"* ]] || { echo "$stderr"; false; }
	for words in 't:sched_switch next->pid' 't:sched:sched_switch -n 1' 't:sched_switch,sched_waking'; do
		# shellcheck disable=SC2086
		plan $words
		[ "$status" -eq 0 ] || { echo "$words: $stderr"; false; }
		[[ $stderr != *"coretap's words"* ]]
	done
	plan 't:ev sched_switch next->pid'
	[ "$status" -eq 0 ]
	words 't:sched_switch pid=next->pid'
	plan t:grp/ev sched_switch 'next->pid'
	[ "$status" -eq 0 ]
	words 't:sched_switch pid=next->pid'
}

@test "coretap's own expressions after a complete definition" {
	plan 'p:my vfs_read n=$arg3' 'ino=file->f_inode->i_ino'
	[ "$status" -eq 0 ]
	words 'vfs_read n=$arg3:x64 ino=file->f_inode->i_ino'
}

@test "functions that are gone, or never called, are reported" {
	plan 'p do_sys_open $arg3'
	[ "$status" -eq 0 ]
	[[ $stderr == *"do_sys_open is no longer called"*"do_sys_openat2 is traced"* ]]
	words 'do_sys_openat2 arg1=$arg3->flags:x64'
	plan 'p __vfs_read $arg3'
	[[ $stderr == *"__vfs_read is gone: vfs_read is traced"* ]]
}

@test "a function_events prototype, with its caller" {
	plan 'do_sys_open(NULL, string file)'
	[ "$status" -eq 0 ]
	words 'do_sys_openat2 file=$arg2:str'
	[[ $output == *"caller"*"file"* ]]
}

@test "--caller comes before all parameters" {
	plan --caller vfs_read
	[ "$status" -eq 0 ]
	[[ $output == *"caller = "*"file = "*"buf = "*"count = "*"pos = "* ]]
}

@test "\$arg* is every parameter, at any position" {
	plan vfs_read 'a=count' '$arg*'
	[ "$status" -eq 0 ]
	[[ $output == *"a = "*"file = "*"buf = "*"count = "*"pos = "* ]]
	plan vfs_read 'a=count' '$arg*' 'file->x'
	[ "$status" -eq 1 ]
	[[ $stderr == *"no member x"*"file->x"* ]]
}

@test "\$arg* of a function without a prototype is its registers; where there are none, it is refused" {
	for probe in u:/bin/bash:readline -r; do
		plan ${probe/-r/-r u:/bin/bash:readline} '$arg*'
		[ "$status" -eq 0 ] || { echo "$stderr"; false; }
		for i in 1 2 3 4 5 6; do [[ $output == *"arg$i = "* ]] || { echo "$output"; false; }; done
	done
	for probe in hz:99 every:1 vfs_read+4 u:/bin/bash:readline%return; do
		plan "$probe" '$arg*'
		[ "$status" -eq 1 ] || { echo "$probe: $output"; false; }
	done
	plan vfs_read+4 '$arg1'
	[[ $status -eq 1 && $stderr == *"the registers of parameters are not known"* ]]
	# a function that has none has none
	plan schedule '$arg*'
	[ "$status" -eq 0 ]
}

@test "clearing a probe: nothing to clear" {
	plan -:myprobe
	[ "$status" -eq 0 ]
	[[ $stderr == *"nothing to clear"* ]]
	run -0 "$argdump" --btf "$btf" -:grp/myprobe
}

@test "errors are shown at their location" {
	plan 'p:my vfs_read a=$arg1 b=%di:u9'
	[ "$status" -eq 1 ]
	[[ $stderr == *"unknown type u9"*"p:my vfs_read a=\$arg1 b=%di:u9"*"                               ^~"* ]] ||
		{ echo "$stderr"; false; }
	plan 'vfs_read(x9 a)'
	[ "$status" -eq 1 ]
	[[ $stderr == *"unknown type x9"*"^~"*"types:"* ]]
	plan 'p:my vfs_read a=$arg9'
	[ "$status" -eq 1 ]
	[[ $stderr == *"4 parameters"*"a=\$arg9"* ]]
	plan 'p:my no_such_function_at_all'
	[ "$status" -ne 0 ]
	[[ $stderr == *"no_such_function_at_all"* ]]
}

@test "memory of this CPU: this_cpu_read, this_cpu_ptr, percpu" {
	plan 'f vfs_read n=this_cpu_read(+8($arg1)):s32 c=(rq)this_cpu_ptr(@runqueues)->cpu'
	[ "$status" -eq 0 ]
	words 'vfs_read n=*(s32 *)percpu(*(u64 *)((u64)$arg1 + 8)):s32 c=((struct rq *)percpu(&@runqueues))->cpu'
	run -0 "$argdump" --btf "$btf" --dump=plan vfs_read '*percpu(file->f_inode->i_sb->s_writers.rw_sem[0].read_count)'
	[[ $output == *"%4 this CPU's this_cpu_off"*"%5 load 8 bytes at %4"*"%6 %3 + %5"*"load 4 bytes at %6"* ]] ||
		{ echo "$output"; false; }
	# BTF says that this variable is per-CPU: @ reads this CPU's already
	run -0 "$argdump" --btf "$btf" --dump=plan vfs_read 'percpu(&@runqueues)->cpu'
	[[ $output == *"this CPU's runqueues"* && $output != *this_cpu_off* ]] || { echo "$output"; false; }
	plan vfs_read 'percpu(*file)'
	[ "$status" -eq 1 ]
	[[ $stderr == *"percpu needs a pointer, but this is struct file"* ]] || { echo "$stderr"; false; }
}

@test "a line that clears leaves nothing to trace, whatever else is asked; beside others it is left out" {
	for with in --count --folded '--hist 1' '--until vfs_read' '--in vfs_read' '--sum 1' '--top 3 --count' -r '--diff 1'; do
		# shellcheck disable=SC2086
		run --separate-stderr "$argdump" --btf "$btf" $with -:x
		[ "$status" -eq 0 ] || { echo "$with: $status $stderr"; false; }
		[[ $stderr == *"nothing to clear"* ]]
		[ -z "$output" ]
	done
	run --separate-stderr "$argdump" --btf "$btf" --dry-run -:x --and vfs_read count
	[ "$status" -eq 0 ]
	[[ $output == *" vfs_read"* ]]
}

@test "types in a damaged file: names that fill every line" {
	local strings
	cp -L "$btf" "$BATS_TEST_TMPDIR/damaged.btf"
	strings=$(($(od -An -tu4 -j 16 -N 4 "$btf") + $(od -An -tu4 -j 4 -N 4 "$btf")))
	for at in 0 3000 8000 20000; do
		head -c 2000 /dev/zero | tr '\0' A |
			dd of="$BATS_TEST_TMPDIR/damaged.btf" bs=1 seek=$((strings + at + 1)) conv=notrunc status=none
		status=0 # not by run, which splits 60,000 lines
		"$argdump" --btf "$BATS_TEST_TMPDIR/damaged.btf" --list '*' >/dev/null 2>"$BATS_TEST_TMPDIR/err" || status=$?
		[ "$status" -le 3 ] || { echo "$status"; cat "$BATS_TEST_TMPDIR/err"; false; }
	done
}

@test "a file of options alone has no probe, whatever they count" {
	for lines in '--count' '--folded --sum count' '-r'; do
		printf '%s\n' "$lines" >"$BATS_TEST_TMPDIR/x.probe"
		run "$argdump" --btf "$btf" --dry-run --load "$BATS_TEST_TMPDIR/x.probe"
		[ "$status" -eq 1 ] || { echo "$lines: $status $output"; false; }
		[[ $output == *"no PROBE"* ]]
	done
}
