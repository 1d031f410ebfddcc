#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# argdump's whole structs on a live kernel, field by field against what is known otherwise.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	printf 'x%.0s' {1..77} >some
}

# Runs argdump with JSON; its records of the worker `reads` are in the file out.
dumped() {
	run -0 --separate-stderr argdump -q -j -c reads "$@"
	grep '"comm":"reads"' <<<"$output" >out || { echo "$output $stderr"; false; }
}

# The values of all records, as an array, satisfy the jq filter $1 (and there is one).
all() { jq -e -s "map(.args + {errors}) | length > 0 and ($1)" "${@:2}" out >/dev/null || { head -c 3000 out; false; }; }

@test "*file: every field as the expressions say that name it" {
	dumped vfs_read 'f=*file' 'inode=file->f_inode' 'flags=file->f_flags' 'op=file->f_op' \
		'mode=file->f_mode' 'dentry=file->f_path.dentry:p' 'cred=file->f_cred' 'pos=file->f_pos' \
		'mapping=file->f_mapping' -- reads 5 some
	all 'length >= 5 and all(.[]; .f.f_inode == .inode and .f.f_flags == .flags and
		.f.f_op == .op and .f.f_mode == .mode and .f.f_path.dentry == .dentry and
		.f.f_cred == .cred and .f.f_mapping == .mapping and (.f.f_pos // 0) == .pos)'
}

@test "--depth: the inode, its number, size and mode; the superblock; the names" {
	dumped --depth 1 vfs_read 'f=*file' 'name=file->f_path.dentry->d_name.name:str' -- reads 3 some
	all '[.[] | select(.name == "some")] | length == 3 and all(.[];
		(.f.f_inode.i_ino | tostring) == $ino and .f.f_inode.i_size == 77 and
		.f.f_inode.i_mode == $mode and
		(.f.f_inode["@"] | startswith("0xffff")) and
		.f.f_path.dentry.d_inode == .f.f_inode["@"] and
		.f.f_mapping.host == .f.f_inode["@"] and
		.f.f_inode.i_nlink == 1 and .f.f_inode.__i_nlink == 1)' \
		--arg ino "$(stat -c %i some)" --arg mode "0$(printf %o "0x$(stat -c %f some)")"
	dumped --depth 2 vfs_read 'f=file->f_path' 'fs=file->f_inode->i_sb->s_type->name' -- reads 3 /proc/version
	all 'any(.[]; .fs == "proc" and .f.dentry.d_sb.s_id == "proc" and
		.f.dentry.d_name.len == 7 and (.f.mnt.mnt_sb | type) == "object")'
}

@test "a task: names, numbers, bitfields, nested structs, arrays; more than 8 KiB" {
	run -0 --separate-stderr argdump -q -j -n 3 wake_up_new_task 't=*p' 'number=p->pid' 'tgid=p->tgid' \
		'comm_=p->comm' 'prio=p->prio' 'policy=p->policy' 'nr=p->nr_cpus_allowed' \
		'weight=p->se.load.weight' 'restart=p->sched_reset_on_fork' 'mm=p->mm' \
		'start=p->start_time' -- bash -c 'for i in {1..5}; do (exit 0); done'
	grep '"type":"argdump"' <<<"$output" >out
	all 'length == 3 and all(.[]; .t.pid == .number and .t.tgid == .tgid and .t.comm == .comm_ and
		.t.prio == .prio and (.t.policy // 0) == .policy and .t.nr_cpus_allowed == .nr and
		.t.se.load.weight == .weight and (.t.sched_reset_on_fork // 0) == .restart and
		.t.mm == .mm and .t.start_time == .start)'
}

@test "zeros: left out of text, but for -z; always in JSON; text and JSON name the same members" {
	run -0 --separate-stderr argdump -q -n 1 -c reads vfs_read 'f=*file' -- reads 2 some
	[[ $output != *f_pos\ =* && $output == *f_flags\ =* ]]
	dumped vfs_read 'f=*file' -- reads 2 some
	all 'all(.[]; .f | has("f_pos") and has("f_flags") and has("f_owner"))'
	run -0 --separate-stderr argdump -q -z -n 1 -c reads vfs_read 'f=*file' count -- reads 2 some
	[[ $output == *'f=(struct file){'*$'\n\tf_mode = 0x'*$'\n} count='* ]]
	for member in $(jq -r -s '.[0].args.f | keys[]' out); do
		grep -q "^	$member = " <<<"$output" || { echo "no $member: $output"; false; }
	done
	[ "$(grep -c '^	[a-zA-Z_]* = ' <<<"$output")" -eq "$(jq -s '.[0].args.f | length' out)" ]
}

@test "arrays of structs, of arrays; a struct inside; an array's element" {
	dumped vfs_read 'u=file->f_inode->i_sb->s_uuid' 'b=file->f_inode->i_sb->s_uuid:hex' \
		'p=file->f_path' 'dentry=file->f_path.dentry:p' \
		'w=file->f_inode->i_sb->s_writers' -- reads 2 some
	all 'all(.[]; .p.dentry == .dentry and (.w.rw_sem | type) == "array")'
	run -0 --separate-stderr argdump -q -j -n 1 wake_up_new_task 'l=p->signal->rlim' \
		'cur=p->signal->rlim[7].rlim_cur' 'max=p->signal->rlim[7].rlim_max' -- bash -c '(exit 0)'
	grep '"type":"argdump"' <<<"$output" >out
	all 'all(.[]; (.l | length) == 16 and .l[7].rlim_cur == .cur and .l[7].rlim_max == .max)'
}

@test "what cannot be read is named; the others are there" {
	dumped vfs_read 'p=*file->f_inode->i_pipe' 'n=count' -- reads 3 some
	all 'all(.[]; .p == null and (.errors.p | contains("i_pipe")) and .n > 0)'
	# user memory is read as such
	dumped do_sys_openat2 'n=*(struct list_head *)filename' 'f=filename' -- reads 1 /proc/version
	# /proc/ve, as a number that is taken for a pointer
	all 'any(.[]; .f == "/proc/version" and .n.next == "0x65762f636f72702f")'
}

@test "too much to follow: as much as fits, and a word about the rest" {
	run -0 argdump --depth 3 -n 1 wake_up_new_task '*p' -- bash -c '(exit 0)'
	[[ $output == *"more pointers are not followed"* ]]
	[[ $output == *'*p=(struct task_struct){'* ]]
}

@test "an empty list is {}, at the entry and at the return; what is in a list has its links" {
	for probe in vfs_read '-r vfs_read'; do
		# shellcheck disable=SC2086 # an option and a name
		run -0 --separate-stderr argdump -q -n 1 -c reads --if 'count == 1' $probe '*file->f_inode' 'lru=file->f_inode->i_lru' -- reads 1 some
		[[ $output == *$'\ti_lru = {},'* && $output == *'lru=(struct list_head){}'* ]] || { echo "$probe: $output"; false; }
		[[ $output =~ 'i_sb_list = {next = 0x'[0-9a-f]+', prev = 0x' ]] || { echo "$probe: $output"; false; }
	done
	run -0 --separate-stderr argdump -q -j -n 1 -c reads --if 'count == 1' vfs_read 'lru=file->f_inode->i_lru' at='&file->f_inode->i_lru' -- reads 1 some
	jq -e '.args | .lru.next == .at and .lru.prev == .at' <<<"$output"
	run -0 --separate-stderr argdump -q -n 1 -c reads --depth 1 --if 'count == 1' vfs_read '*file' -- reads 1 some
	[[ $output == *'i_lru = {}'* ]] || { echo "$output"; false; }
}
