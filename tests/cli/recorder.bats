#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# --ring and --rotate on the command line: who has them, and what they exclude.

bats_require_minimum_version 1.5.0
load refused

@test "--ring: its conflicts and limits" {
	wrong '--ring and --events exclude each other' opensnoop --ring 5 -n 3
	wrong '--ring keeps at most 1000000 records' execsnoop --ring 1000001
	wrong 'expected a number from 1' biosnoop --ring 0
	wrong '--ring keeps records, but counting prints none' argdump --count vfs_read --ring 5
	wrong '--before and --ring exclude each other' argdump vfs_read --stop-if 'count == 1' --before 3 --ring 5
	wrong 'unknown option --ring' funcgraph vfs_read --ring 5
	wrong 'unknown option --ring' biolatency --ring 5
}

@test "--rotate: its requirements and arguments" {
	wrong '--rotate needs --output FILE' opensnoop --rotate 1M
	wrong '--rotate takes SIZE[,N]' opensnoop -o "$BATS_TEST_TMPDIR/out" --rotate 1M,
	wrong '--rotate takes SIZE[,N]' opensnoop -o "$BATS_TEST_TMPDIR/out" --rotate big
	wrong '--rotate takes SIZE[,N]' opensnoop -o "$BATS_TEST_TMPDIR/out" --rotate 1M,1001
	wrong '--rotate is for records' argdump --count vfs_read -o "$BATS_TEST_TMPDIR/out" --rotate 1M
	wrong '--ring, --rotate and --until are for single requests' biosnoop --count --ring 5
}
