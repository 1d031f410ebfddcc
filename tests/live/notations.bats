#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Probes of bcc's trace and argdist: exact counts and values of known
# workloads; and that those which need this kernel's event fields can be planned.

# shellcheck disable=SC2016,SC2154 # programs of other languages; bats sets stderr
bats_require_minimum_version 1.5.0
load argdump
load recipes
load wait

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	printf 'x%.0s' {1..64} >some
}

@test "trace: entries, returns, events, with conditions and formats" {
	shows '[.comm, .args.count]' trace 'p::vfs_read (arg3 == 1) "count=%d", arg3' -- reads 3 some <<-'END'
		["reads",1]
		["reads",1]
		["reads",1]
	END
	shows '[.args.retval, .args.n]' trace -M 1 'r::vfs_read(struct file *f, char *b, size_t n) (n == 1) "%d of n=%d", retval, n' \
		-- reads 3 some <<<'[1,1]'
	shows 'select(.args.filename == "some") | .args.filename' trace 't:syscalls:sys_enter_openat "%s", args->filename' -- reads 1 some <<<'"some"'
	shows 'select(.args.arg2 == "some") | .args.arg2' trace 'do_sys_open "%s", arg2' -- reads 1 some <<<'"some"'
	shows .args.arg1 trace 'sys_openat (STRCMP("some", arg2)) "%d", arg1' -- reads 1 some <<<'"AT_FDCWD"'
	shows .args.arg1 trace -B 'sys_openat (STRCMP("{0x73, 0x6f, 0x6d, 0x65, 0}", arg2)) "%d", arg1' -- reads 1 some <<<'"AT_FDCWD"'
}

@test "argdist: counts and histograms" {
	shows '[.by.count, .count]' argdist --comm reads -i 600 -C 'p::vfs_read(struct file *f, char *b, size_t count):size_t:count:count==1' \
		-- reads 37 some <<<'[1,37]'
	titles '[1] 38 |' argdist --comm reads -i 600 -H 'r::vfs_read():long:$retval:$retval == 1' -- reads 38 some
	shows '[.by.n, .count]' argdist --comm reads -i 600 -C 'r::vfs_read(struct file *f, char *b, size_t n):u32:n:$latency > 0 && $retval == 1' \
		-- reads 39 some <<<'[1,39]'
	titles ' 40 calls' argdist --comm reads -i 600 -H 'r::vfs_read(struct file *f, char *b, size_t n):u64:$latency/$entry(n):$entry(n) == 1#ns per byte' \
		-- reads 40 some
}

@test "one-liners about event fields are planned" {
	run -0 trace --dry-run 't:block:block_rq_complete "sectors=%d", args->nr_sector'
	run -0 argdist --dry-run -C 't:net:net_dev_start_xmit():u16:args->protocol'
	run -0 argdist --dry-run -H 't:block:block_rq_complete():u32:args->nr_sector'
}
