#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# bashreadline's command line and plan, without rights and without tracing.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	bashreadline=$PWD/${BUILD:-build}/bashreadline
}

@test "the plan on every kernel" {
	for kernel in 5.10 6.12 7.3; do
		run -0 --separate-stderr "$bashreadline" --btf "$(tools/fetch-kernel --btf $kernel)" --dry-run
		[[ $output == *"sched_process_exec"*"a shell starts"* ]]
	done
}

@test "--shell takes names of programs" {
	for name in /bin/bash "$(printf '%031d' 0)"; do
		run -1 --separate-stderr "$bashreadline" --dry-run --shell "$name"
		# shellcheck disable=SC2154 # bats sets stderr
		[[ $stderr == *"--shell '$name': not the name of a program"*"--shell bash"* ]]
	done
	# shellcheck disable=SC2046 # words
	run -1 --separate-stderr "$bashreadline" --dry-run $(printf -- '-s a%d ' {1..9})
	[[ $stderr == *"--shell: at most 8 names"* ]]
}
