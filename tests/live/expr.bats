#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# What the argdump compiler makes, before this kernel's verifier: in every way (fentry and kprobe, typed
# loads, helpers, lockdown) of tests/live/exprload.c. argdump itself takes one way and falls back; here
# each one must hold.

bats_require_minimum_version 1.5.0

setup() {
	command -v exprload >/dev/null || skip "exprload is not built"
}

# Refusals alone, with the verifier's last lines.
refusals() { grep -A 14 -E '^(not ok|refused)' | head -n 100; }

@test "chosen expressions load in every way" {
	run exprload
	[ "$status" -eq 0 ] || { refusals <<<"$output"; false; }
	[[ $output == *"# 0 failed"* ]]
}

@test "random expressions load in every way" {
	run exprload random 30 1
	[ "$status" -eq 0 ] || { refusals <<<"$output"; false; }
	[[ $output == *"30 loaded, 0 refused"* ]]
}
