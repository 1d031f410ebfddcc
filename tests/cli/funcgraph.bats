#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# funcgraph: what is planned, and what is said to what cannot be. Nothing is traced.
# shellcheck disable=SC2154 # bats sets stderr

bats_require_minimum_version 1.5.0

setup_file() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	export btf
	btf=$(tools/fetch-kernel --btf 6.12)
}

setup() { funcgraph=${BUILD:-build}/funcgraph; }

plan() { run --separate-stderr "$funcgraph" --dry-run --btf "$btf" "$@"; }

wrong() { # TEXT ARGUMENT...
	plan "${@:2}"
	[ "$status" -eq 1 ] && [[ $stderr == *"$1"* ]] || { echo "${*:2}: $status: $stderr; wants $1"; false; }
}

@test "both sides of FUNC and of --funcs are planned" {
	plan vfs_read --funcs 'rw_verify_area' --funcs 'security_file_p*,no_such_*'
	[ "$status" -eq 0 ] || { echo "$stderr"; false; }
	for func in vfs_read rw_verify_area security_file_permission security_file_post_open; do
		[ "$(grep -cE "^(fentry|fexit) $func\$" <<<"$output")" -eq 2 ] || { echo "$func: $output"; false; }
	done
	[ "$(grep -c '^f' <<<"$output")" -eq 8 ]
	[[ $output == *'file = file  (struct file *): a path'* && $output == *'ret = $ret'* ]]
}

@test "many functions are attached by one link for each side" {
	plan vfs_read --funcs 'vfs_*,security_file_*'
	[ "$status" -eq 0 ]
	[[ $output == *'kretprobe.multi '*vfs_write* && $output == *'kprobe.multi '*vfs_write* && $output != *fentry* ]]
	plan vfs_read --funcs 'vfs_*' --max-probes 20
	[[ $status -eq 0 && $stderr == *"--max-probes allows 20"* ]]
}

@test "without --funcs a plan for another kernel has FUNC alone" {
	plan vfs_read
	[ "$(grep '^f' <<<"$output")" = $'fexit vfs_read%return\nfentry vfs_read' ] || { echo "$output$stderr"; false; }
}

@test "several functions are refused with a line that works" {
	local text
	for text in 'vfs_*' 'vfs_read,vfs_write' 'vfs_read|vfs_write' t:sched:sched_switch 'vfs_read%return'; do
		wrong "FUNC is the name of one function, not '$text'" "$text"
		line=$(sed -n 's/^  each call, without those inside of it: \(coretap \)*argdump //p' <<<"$stderr")
		[ "$line" ]
		run -0 --separate-stderr bash -c "'${funcgraph%funcgraph}argdump' --dry-run --btf '$btf' $line"
	done
	wrong "funcgraph FUNC --funcs 'vfs_*'" 'vfs_*'
}

@test "errors are reported" {
	wrong 'which function?'
	wrong "too many arguments: 'vfs_write'" vfs_read vfs_write
	wrong "FUNC is the name of one function, not 'vfs_*'" 'vfs_*'
	wrong "FUNC is the name of one function, not 'a,b'" a,b
	wrong "FUNC is the name of one function" t:sched:sched_switch
	wrong 'did you mean vfs_read?' vfs_raed
	wrong '--longer 5 parsecs: takes a time' vfs_read --longer '5 parsecs'
	wrong '--longer -1: takes a time' vfs_read --longer=-1
	for time in 100us 5ms 0.5s 2 10ns; do
		plan vfs_read --longer $time
		[ "$status" -eq 0 ] || { echo "$time: $stderr"; false; }
	done
}

@test "--trace-json is planned; refusals name funcgraph as typed" {
	plan vfs_read --trace-json x
	[[ $status -eq 0 && ! -e x ]] || { echo "$stderr"; false; }
	wrong "--timestamp is for tables" vfs_read --trace-json x -T
	[[ $stderr == *"see funcgraph --help"* ]] || { echo "$stderr"; false; }
	wrong "--json and --trace-json exclude each other" vfs_read --trace-json x -j
	run -1 "${funcgraph%funcgraph}coretap" funcgraph --dry-run --btf "$btf" vfs_read --trace-json x -T
	[[ $output == *"see coretap funcgraph --help"* ]] || { echo "$output"; false; }
}

# On kernels that take the functions of a file in one link, and so many more match a pattern.
@test "the lines of docs/migrating.md trace as many functions as may be" {
	wanted=$(sed -nE 's/^\|[^|]*\| `(funcgraph [^`]*)`.*/\1/p' docs/migrating.md)
	[ "$(wc -l <<<"$wanted")" -ge 2 ]
	for kernel in 6.12 7.1 7; do
		btf=$(tools/fetch-kernel --btf "$kernel")
		while read -r line; do
			eval "words=($line)"
			plan "${words[@]:1}"
			[[ $status -eq 0 && $stderr != *max-probes* ]] || { echo "$kernel, $line: $stderr"; false; }
		done <<<"$wanted"
	done
}

# 6.16 leaves any number there: a return by kprobe.multi must not compare it.
@test "at a return kprobe.multi knows no frame; expressions that need one are refused or attached in another way" {
	btf=$(tools/fetch-kernel --btf 6.16)
	argdump=${BUILD:-build}/argdump
	run -1 --separate-stderr "$argdump" --dry-run --btf "$btf" --attach kprobe.multi 'vfs_read%return' '$frame'
	[[ $stderr == *"does not know where the stack was"*"--attach kprobe does"* ]]
	run -1 --separate-stderr "$argdump" --dry-run --btf "$btf" --attach kprobe.multi 'vfs_read%return' '$reg(sp)'
	[[ $stderr == *"does not know that register"* ]]
	run -1 --separate-stderr "$argdump" --dry-run --btf "$btf" --attach kprobe.multi --in vfs_read 'vfs_read%return'
	run -0 --separate-stderr "$argdump" --dry-run --btf "$btf" --attach kprobe.multi --in vfs_read 'rw_verify_area%return'
	run -0 --separate-stderr "$argdump" --dry-run --btf "$btf" --attach kprobe --in vfs_read 'vfs_read%return' '$frame'
	plan vfs_read --funcs 'vfs_*,security_file_*'
	[[ $status -eq 0 && $output == *'kretprobe.multi '* ]]
}
