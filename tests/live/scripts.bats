#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Random programs in bpftrace's language, before this kernel's verifier, and run as BEGIN is: by hand, and thousands of
# them, "script_loader random COUNT SEED" and "script_loader values COUNT SEED" in a guest (tests/load/script_loader.c).

bats_require_minimum_version 1.5.0

setup() {
	command -v script_loader >/dev/null || skip "script_loader is not built"
	seed=$(date +%j)
}

# What went wrong alone, with its program.
troubles() { grep -A 16 -E '^(refused|wrong)' | head -n 60; }

@test "random programs load at probes of all kinds" {
	run script_loader random 25 "$seed"
	[ "$status" -eq 0 ] || { troubles <<<"$output"; false; }
	[[ $output == *" loaded, 0 refused"* ]]
}

@test "random programs compute what C does" {
	run script_loader values 25 "$seed"
	[ "$status" -eq 0 ] || { troubles <<<"$output"; false; }
	[[ $output == *" ran, "*", 0 wrong"* ]]
}
