#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# @sum, @count, @any and @list: planned with a kernel's BTF, and what is wrong with them.

bats_require_minimum_version 1.5.0
load plan

@test "loops are planned as values, conditions, keys and measures" {
	run -0 $argdump --dry-run --btf "$btf" vfs_read --count --sum 'b=@sum(i < count, buf[i])' --by '$comm,n=@count(i < 8, buf[i] > 0)' \
		--if '@any(i < 4, buf[i] == 10)'
	run -0 $argdump --dry-run --btf "$btf" vfs_read '@count(@list(&$task->children, struct task_struct, sibling)->pid > 1)'
}

# The caret stands under WORD, for the reason TEXT.
caret() { # WORD TEXT EXPR
	local at
	wrong "$2" vfs_read "$3"
	at=$(grep -E '^ *\^~*$' <<<"$stderr")
	at=${at%%^*}
	[[ $stderr == *$'\n'"    $3"* && ${3:$((${#at} - 4))} == "$1"* ]] || { echo "$stderr"; false; }
}

@test "wrong loops have a caret" {
	caret '@sum(1)' 'needs a range or a list' '@sum(1)'
	caret 1000 'at most 128 rounds' '@sum(i < 1000, i)'
	caret '@sum(j' 'a loop cannot contain a loop' '@sum(i < 3, @sum(j < 3, j))'
	caret file 'not the head of a list' '@count(@list(file, struct inode, i_lru))'
	caret i_ino 'linked by a struct list_head' '@count(@list(&file->f_inode->i_lru, struct inode, i_ino))'
	caret '@list(&' '@count(@list(&file->f_inode->i_lru, struct inode, i_lru)) is the number' '@list(&file->f_inode->i_lru, struct inode, i_lru)->i_ino'
}

@test "addresses of sockets compare with texts; wrong ones have a caret" {
	run -0 $argdump --dry-run --btf "$btf" --if 'sk:sock ~ "*:443"' tcp_sendmsg 'v=sk:peer ~ "10.0.0.0/8"' --and tcp_recvmsg --if 'sk:local == "[::1]:80"'
	said 1 'no address has this form' --if 'sk:peer ~ "*443"' tcp_sendmsg
	said 1 '              ^~~~~~' --if 'sk:peer ~ "*443"' tcp_sendmsg
	said 1 '*:443, 10.*' --if 'sk:peer == "10.*"' tcp_sendmsg
	said 1 'is not a socket' --if 'size:peer ~ "*:1"' tcp_sendmsg
}
