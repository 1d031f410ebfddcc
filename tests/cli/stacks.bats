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
