#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# A|B and A? in PROBE: which names argdump takes, by the types of real kernels.

bats_require_minimum_version 1.5.0
load plan

setup() {
	# shellcheck disable=SC2034 # for plan.bash
	argdump=${BUILD:-build}/argdump
	[ ! -r /sys/kernel/tracing/available_filter_functions ] || skip "this machine's own list of functions would be asked"
}

# What is traced, in order.
taken() { # KERNEL ARGUMENT...
	"$argdump" --btf "$(tools/fetch-kernel --btf "$1")" --dry-run "${@:2}" | sed -n 's/^until //; s/^[a-z_.+]\+ \(.*\)/\1/p' | paste -sd' '
}

# KERNEL takes these of PROBE, and says nothing.
takes() { # KERNEL NAMES PROBE [ARGUMENT...]
	[ "$(taken "$1" "${@:3}" 2>&1)" = "$2" ] || { echo "$1 ${*:3}: $(taken "$1" "${@:3}" 2>&1), wants $2"; false; }
}

@test "A|B is the first that the kernel has" {
	takes 5.10 mark_page_accessed 'folio_mark_accessed|mark_page_accessed' '$func'
	takes 6.12 folio_mark_accessed 'folio_mark_accessed|mark_page_accessed' '$func'
	takes 6.12 vfs_read 'nosuch|vfs_read|vfs_write' '$func'
	takes 6.12 vfs_read%return 'nosuch|vfs_read%return' '$func'
	takes 5.10 swap_readpage 'swap_read_folio*|swap_readpage*' '$func'
	takes 6.12 'swap_read_folio swap_read_folio_bdev_sync' 'swap_read_folio*|swap_readpage*' '$func'
	takes 6.12 'vfs_read vfs_write' 'nosuch|vfs_read,vfs_write' '$func'
}

@test "of any kind: tracepoints, functions, system calls; a bare name is of the kind before it, or a function" {
	for probe in 't:block:block_io_start|blk_account_io_start' 'block_io_start|t:block:block_io_start|blk_account_io_start'; do
		takes 5.10 blk_account_io_start "$probe" '$func'
		takes 6.12 block:block_io_start "$probe" '$func'
	done
	takes 6.12 sched:sched_wakeup 't:sched:nosuch|sched_wakeup|vfs_read' '$func'
	takes 6.12 '__x64_sys_openat __ia32_compat_sys_openat' 's:nosuch|openat|vfs_read' '$pid'
	takes 6.12 vfs_read 's:nosuch|vfs_read' '$pid'
	takes 6.12 'vfs_read vfs_write sched:sched_switch vfs_fsync' 'vfs_read|x,vfs_write,x|t:sched:sched_switch,vfs_fsync' '$func'
}

@test "A? may be missing" {
	takes 6.12 vfs_read 'vfs_read,nosuch?' '$func'
	takes 6.12 'vfs_read vfs_write' 'vfs_read?,vfs_write?,nosuch*?' '$func'
	takes 6.12 vfs_read 'vfs_read,nosuch|nosuch2?' '$func'
	takes 6.12 sched:sched_switch 't:sched:sched_switch,sched:nosuch?' '$func'
	takes 6.12 '__x64_sys_read __ia32_sys_read' 's:read,nosuch?' '$pid'
	said 0 "nosuch?: it is not there, or cannot be traced: left out" -v 'vfs_read,nosuch?' '$func'
	said 0 "nosuch: it is not there, or cannot be traced: left out" -v 'nosuch|vfs_read' '$func'
}

@test "a name that is missing is an error, and how to allow it" {
	wrong 'write nosuch? if it may be missing' vfs_read,nosuch '$func'
	wrong 'write nosuch? if it may be missing' s:read,nosuch '$func'
	wrong 'write nosuch? if it may be missing' t:sched:sched_switch,nosuch '$func'
	wrong 'write no_b? if it may be missing' 'vfs_read,no_a|no_b' '$func'
	wrong "cannot trace no_a|no_b: this kernel has none of these" 'no_a|no_b' '$func'
	wrong "nothing is left to trace" 'no_a?,no_b?' '$func'
	run --separate-stderr "$argdump" --dry-run --btf "$btf" nosuch
	# shellcheck disable=SC2154 # bats sets it
	[[ $stderr != *"may be missing"* ]]
	wrong "-r is for functions" -r 'vfs_read|t:sched:sched_switch'
}

@test "--until, --load and --save, --list" {
	takes 5.10 'block:block_rq_complete blk_account_io_start' 't:block:block_io_start|blk_account_io_start' rq --until 'nosuch|t:block:block_rq_complete,t:block:nosuch?' --on rq
	run -0 "$argdump" --btf "$btf" --save "$BATS_TEST_TMPDIR/saved" 'nosuch|vfs_read,x|t:sched:sched_switch' '$func'
	grep -qxF "'nosuch|vfs_read,x|t:sched:sched_switch' '\$func'" "$BATS_TEST_TMPDIR/saved" || { cat "$BATS_TEST_TMPDIR/saved"; false; }
	[ "$(wc -l <"$BATS_TEST_TMPDIR/saved")" = 2 ]
	takes 6.12 'vfs_read sched:sched_switch' --load "$BATS_TEST_TMPDIR/saved"
	run -0 --separate-stderr "$argdump" --btf "$btf" --list 'nosuch|vfs_read|vfs_write'
	[[ $output == *"vfs_read("* && $output != *vfs_write* ]] || { echo "$output"; false; }
}
