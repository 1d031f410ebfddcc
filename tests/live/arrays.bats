#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# @sum, @count and @any over arrays and lists of the kernel, of programs whose arrays and lists are known.

bats_require_minimum_version 1.5.0
load argdump

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

CHILDREN='&$task->children, struct task_struct, sibling'

@test "an array in user memory, as long as another parameter" {
	wants 1 ' lists +bytes=1234$' s:writev 'bytes=@sum(i < vlen, vec[i].iov_len)' -- lists vectors 1000 200 34
	wants 1 ' lists +n=2 any=1 none=0 last=200$' -c lists s:writev 'n=@count(i < vlen, vec[i].iov_len > 100)' \
		'any=@any(i < vlen, vec[i].iov_len == 34)' 'none=@any(i < vlen, vec[i].iov_len == 35)' \
		'last=@sum(i < vlen, i == 1 ? vec[i].iov_len : 0)' -- lists vectors 1000 200 34
}

@test "more elements than a loop has rounds: the rest is left out and reported" {
	run -0 --separate-stderr argdump s:writev 'n=@sum(i < vlen, vec[i].iov_len)' -- lists vectors $(printf '1 %.0s' {1..128})
	[[ $output == *" n=128"* && $stderr != *cut* ]]
	run -0 --separate-stderr argdump s:writev 'n=@sum(i < vlen, vec[i].iov_len)' -- lists vectors $(printf '1 %.0s' {1..129})
	[[ $output == *" n=128"* && $stderr == *"1 value cut"* ]] || { echo "$output $stderr"; false; }
}

@test "a list: its elements, by every method" {
	for method in $(function_methods); do
		wants 1 ' lists +n=5 own=5 none=0$' --attach "$method" -c lists --if 'count == 1' vfs_write "n=@count(@list($CHILDREN))" \
			"own=@count(@list($CHILDREN)->real_parent == \$task)" "none=@any(@list($CHILDREN)->tgid == 1)" -- lists children 5
	done
	wants 1 ' lists +n=0$' -c lists --if 'count == 1' vfs_write "n=@count(@list($CHILDREN))" -- lists children 0
}

@test "a damaged list: the output names the unreadable link" {
	wants 1 ' lists +n=<fault: \(struct list_head \*\)8>$' -c lists --if 'count == 1' vfs_write "n=@count(@list((struct list_head *)8, struct task_struct, sibling))" -- lists children 1
}

@test "loops as conditions, as measures and as keys" {
	wants 1 ' lists +vlen=3$' --if '@any(i < vlen, vec[i].iov_len == 34)' s:writev vlen -- lists vectors 1000 200 34
	run -0 --separate-stderr argdump --if '@any(i < vlen, vec[i].iov_len == 35)' s:writev vlen -- lists vectors 1000 200 34
	[[ $output != *vlen=* ]]
	run -0 --separate-stderr argdump --sum 'b=@sum(i < vlen, vec[i].iov_len)' --by '$comm,n=@count(i < vlen, vec[i].iov_len)' s:writev -- \
		bash -c 'lists vectors 1000 200; lists vectors 30 4; lists vectors 0 7'
	grep -qE '^lists +2 +1234$' <<<"$output" && grep -qE '^lists +1 +7$' <<<"$output" || { echo "$output"; false; }
}
