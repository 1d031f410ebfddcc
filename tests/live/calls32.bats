#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# System calls of a 32-bit program: they enter the kernel by other functions, with arguments in other
# registers, longs and pointers of 4 bytes. A program of 64 bits beside it is told from it.

bats_require_minimum_version 1.5.0
load argdump

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	printf 'x%.0s' {1..1000} >some
	command -v calls32 >/dev/null || skip "there are no 32-bit programs on this architecture"
	calls32 1 some || skip "this kernel runs no 32-bit programs"
}

@test "arguments: descriptors, names, flags, negative offsets" {
	wants 7 ' calls32 +dfd=AT_FDCWD filename="some" flags=O_RDWR # 32-bit$' s:openat dfd filename flags:openflags -- calls32 7 some
	wants 3 ' calls32 +fd=[0-9]+ offset=-2 whence=2 # 32-bit$' s:lseek -- calls32 3 some
	wants 3 ' calls32 +buf="xyz" count=2 # 32-bit$' s:write buf:ustr count -- calls32 3 some
	wants 3 ' calls32 +count=2 # 32-bit$' --attach kprobe --if 'count == 2 && buf[0] == 120' s:write count -- calls32 3 some
}

@test "structs and lists of pointers as a 32-bit program has them" {
	wants 3 ' calls32 +len=3 base="abc" vlen=1 # 32-bit$' s:writev 'len=vec[0].iov_len' 'base=vec[0].iov_base:ustr' vlen -- \
		calls32 3 some
	wants 1 ' calls32 +filename="/no/such" a="one" b="two" c=(0|0x0) # 32-bit$' \
		s:execve filename 'a=argv[0]:ustr' 'b=argv[1]:ustr' 'c=argv[2]' -- calls32 3 some
}

@test "returns; both kinds of programs are distinguished, also in JSON" {
	wants 3 ' calls32 +filename="some" ret=[0-9]+ # 32-bit$' s:openat%return filename '$ret' -- calls32 3 some
	wants 1 ' calls32 +ret=-ENOENT # 32-bit$' s:execve%return '$ret' -- calls32 3 some
	run -0 --separate-stderr argdump -j s:openat filename -- bash -c 'calls32 3 some; reads 1 some'
	jq -e -s 'map(select(.args.filename == "some")) | map(.comm + " " + (.abi // "") + " " + .func) | sort ==
		["calls32 32-bit openat" | ., ., .] + ["reads  openat"]' \
		<<<"$(grep '^{' <<<"$output")" || { echo "$output"; false; }
}

@test "the old notations, patterns, counts" {
	wants 3 ' calls32 +[a-z0-9_]+->openat\(file="some", flags=0x2\) # 32-bit$' \
		'sys_openat(NULL, string file, x32 flags)' -- calls32 3 some
	wants 3 ' calls32 +file="some" # 32-bit$' 'p:o sys_openat file=+0(%si):string' -- calls32 3 some
	wants 3 ' calls32 +openat +filename="some" # 32-bit$' s:open,openat filename -- calls32 3 some
	run -0 --separate-stderr argdump --count --by 'filename' s:openat -- bash -c 'calls32 3 some; reads 1 some'
	[ "$(grep -cE '^some +4$' <<<"$output")" -eq 1 ] || { echo "$output"; false; }
}

# pread64, fallocate and mmap enter by functions that only 32-bit programs have.
@test "numbers of 64 bits in two registers; calls with parameters of their own" {
	for method in $(function_methods); do
		[ $method != kprobe.multi ] || continue
		wants 1 ' calls32 +fd=[0-9]+ count=1 pos=4294967298 # 32-bit$' --attach $method s:pread64 fd count pos -- calls32 wide some
		wants 1 ' calls32 +mode=1 offset=8589934595 len=12884901892 # 32-bit$' --attach $method s:fallocate mode offset len -- calls32 wide some
		wants 1 ' calls32 +pos=0x100000002 ret=-EFBIG # 32-bit$' --attach $method -r --if 'pos >> 32 == 1' s:pwrite64 pos:x '$ret' -- calls32 wide some
	done
	wants 1 ' calls32 +arg1=[0-9]+ # 32-bit$' -c calls32 s:mmap '$arg1' -- calls32 wide some
	wants 0 ' calls32 ' -c calls32 s:mmap addr -- calls32 wide some # it has a struct with all of them
	[[ $stderr == *"left out"* ]] || { echo "$stderr"; false; }
}
