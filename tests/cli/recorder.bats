#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# --ring on the command line: who has it, and what it excludes.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	build=$PWD/${BUILD:-build}
}

wrong() { # MESSAGE APPLET OPTION…
	run -2 "$build/$2" "${@:3}" --dry-run
	[[ $output == *"$1"* ]] || { echo "not '$1': $output"; false; }
}

@test "--ring: what it excludes, and its limits" {
	wrong '--ring and --events exclude each other' opensnoop --ring 5 -n 3
	wrong '--ring keeps at most 1000000 records' execsnoop --ring 1000001
	wrong 'expected a number from 1' biosnoop --ring 0
	wrong '--ring keeps records, and counting makes none' argdump --count vfs_read --ring 5
	wrong '--before and --ring exclude each other' argdump vfs_read --stop-if 'count == 1' --before 3 --ring 5
	wrong "unrecognized option '--ring" funcgraph vfs_read --ring 5
	wrong "unrecognized option '--ring" biolatency --ring 5
}
