#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Options of stacks: what goes together and what does not. Needs no root.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	PATH=$PWD/build:$PATH
}

@test "folded stacks are text" {
	run -1 argdump --folded -j vfs_read
	[[ $output == *"--folded and --json exclude each other"* ]]
}

@test "a depth that no record can hold" {
	run -1 argdump -k --stack-depth 0 vfs_read
	run -1 argdump -k --stack-depth 5000 vfs_read
	[[ $output == *"at most 1024"* ]]
}

@test "-k and -U show calls those that have them" {
	run -1 execsnoop --folded
	run -0 argdump --help
	[[ $output == *--kernel-stack* && $output == *--folded* ]]
}

@test "folded: one number per stack, at the end" {
	run -1 argdump --folded --hist count vfs_read
	[[ $output == *"one number per stack"* ]]
	run -1 argdump --folded --count --sum count vfs_read
	[[ $output == *"one number per stack"* ]]
	run -1 argdump --folded --top 3 vfs_read
	[[ $output == *"cannot be combined with --top"* ]]
	run -1 argdump --folded --interval 1 vfs_read
	[[ $output == *"cannot be combined with --interval"* ]]
	run -1 argdump --folded -n 5 vfs_read
	[[ $output == *"-n stops after N records"* ]]
}

@test "stacks of counted calls are keys" {
	run -1 argdump --count -k vfs_read
	[[ $output == *"--by '\$kstack' and '\$ustack'"* ]]
}

@test "--dwarf: stacks of records and counts, of a size that they can hold" {
	load plan
	btf=$(tools/fetch-kernel --btf 6.12) argdump=argdump
	wrong "at most 28K" --dwarf=32K vfs_read count
	wrong "expected a size such as" --dwarf=x vfs_read count
	wrong "out of range" --dwarf=0 vfs_read count
	wrong "nothing is counted by them" --dwarf --count vfs_read
	wrong "nothing is counted by them" --dwarf --folded -k vfs_read
	run -0 argdump --dry-run --btf "$btf" --dwarf=12K --count --by '$ustack' vfs_read
	[[ $output == *"from a copy of 12288 bytes"* ]]
	run -0 argdump --dry-run --btf "$btf" --dwarf --folded vfs_read
	[[ $output == *"from a copy of 8192 bytes"*"kstack = "* ]]
	wrong "\$ustack is found by frame pointers" --dwarf vfs_read '$ustack'
	wrong "cannot be combined with --until" --dwarf vfs_read --until vfs_write
	run -0 argdump --dry-run --btf "$btf" --dwarf=28K --dump=layout vfs_read count
	[[ $output == *"28848 bytes stack user_stack"* ]]
	run -0 argdump --dry-run --btf "$btf" --dwarf=4097 --dump=layout vfs_read count
	[[ $output == *"8368 bytes stack user_stack"* ]]
	run -0 argdump --dry-run --btf "$btf" --dwarf --stack-depth 5 vfs_read count
	for k in 5.10 6.1 7; do
		run -0 argdump --dry-run --btf "$(tools/fetch-kernel --btf $k)" --dwarf -kr vfs_read
	done
}

@test "--lines: of user stacks" {
	load plan
	btf=$(tools/fetch-kernel --btf 6.12) argdump=argdump
	wrong "--lines has no effect without -U" --lines vfs_read count
	wrong "--lines has no effect without -U" --lines -k vfs_read count
	said 0 "" --lines -U vfs_read count
	said 0 "" --lines --dwarf vfs_read count
	said 0 "" --lines vfs_read '$ustack'
}
