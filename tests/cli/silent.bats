#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# No program of a recipe is silent about what it loses: each is compiled as for these kernels, and its instructions are
# followed from each failure to the exit (tests/lib/silent.h). tests/golden and test_script_run check theirs, too.

bats_require_minimum_version 1.5.0

setup() { cd "$BATS_TEST_DIRNAME/../.." || return; }

@test "each program of each recipe counts what it loses" {
	local silent=$PWD/${BUILD:-build}/tests/golden/silent kernel btf name
	for kernel in 5.10 7; do
		btf=$(tools/fetch-kernel --btf $kernel)
		for name in recipes/*.probe; do
			name=${name##*/}
			# some need arguments, or a module of another kernel
			"$silent" "${name%.probe}" --dry-run --btf "$btf" 9>>"$BATS_TEST_TMPDIR/said" >/dev/null 2>&1 </dev/null || true
			! grep silent: "$BATS_TEST_TMPDIR/said" || { echo "$kernel: $name"; false; }
		done
	done
	sort "$BATS_TEST_TMPDIR/said" | uniq -c
	# programs in both languages were there to check
	[ "$(grep -c 'checked: argdump' "$BATS_TEST_TMPDIR/said")" -gt 500 ]
	[ "$(grep -c 'checked: bt' "$BATS_TEST_TMPDIR/said")" -gt 500 ]
}
