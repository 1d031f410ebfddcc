#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# argdump's values against an independent reader of the same calls: the kernel's own probe events, whose
# arguments follow -> and . by BTF, too. Random chains by every attach method; see tests/live/exprdiff.c.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	command -v exprdiff >/dev/null || skip "exprdiff is not built"
}

# The number on the line of the report that begins with $1.
total() { sed -n "s/^# $1: //p" <<<"$output"; }

@test "random chains: 200 values are those that the kernel's own probe events print" {
	run taskset 1 exprdiff 200 "${SEED:-1}"
	[ "$status" -ne 77 ] || skip "${lines[0]}"
	[ "$status" -eq 0 ] || { echo "$output"; false; }
	echo "${lines[-1]}" >&3
	skipped=$(($(total 'skipped: not a kernel address') + $(total 'skipped: changed between two readings') + $(total 'skipped: refused by the kernel')))
	[ "$(total equal)" -ge 200 ] && [ "$(total different)" -eq 0 ] && [ $skipped -le 20 ] || {
		echo "$output"; false
	}
}
