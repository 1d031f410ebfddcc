#!/usr/bin/env bats
# argdump at the return of kernel functions: values that are known, exact counts, every rung.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	printf 'x%.0s' {1..64} >some
}

count() { grep -c "$@" || true; }

rungs() {
	echo fentry kprobe
	grep -q ' fprobe_handler\| fprobe_entry\| __fprobe_handler' /proc/kallsyms && echo kprobe.multi
	return 0
}

# What opens a path: its name has changed.
opener() { grep -qw do_filp_open /proc/kallsyms && echo do_filp_open || echo do_file_open; }

# A kretprobe has room for a few calls at a time, and those who wait in vfs_read have it: on these
# rungs what returns at once is traced. rw_verify_area is called for each read, and for the one write.
@test "%return: what a function returned, on every rung" {
	run -0 --separate-stderr argdump vfs_read%return -- reads 137 some
	[ "$(count ' reads .*ret=1$' <<<"$output")" -eq 137 ] || { echo "$output"; false; }
	for rung in $(rungs); do
		run -0 --separate-stderr argdump --rung "$rung" rw_verify_area%return -- reads 137 some
		[ "$(count ' reads .*ret=0$' <<<"$output")" -eq 138 ] || { echo "$rung: $output"; false; }
	done
}

@test "%return: an int is cut to its 32 bits, an error has its name" {
	for rung in $(rungs); do
		run -1 --separate-stderr argdump --rung "$rung" -c cat do_sys_openat2%return '$ret' neg='$ret < 0' -- cat /nobody/has/this
		[ "$(count 'ret=-ENOENT neg=1' <<<"$output")" -eq 1 ] || { echo "$rung: $output"; false; }
		run -1 --separate-stderr argdump --rung "$rung" -j -c cat do_sys_openat2%return '$ret' -- cat /nobody/has/this
		[ "$(jq -s 'map(select(.ret == -2)) | length' <<<"$(grep '^{' <<<"$output")")" -eq 1 ]
	done
}

@test "%return: a pointer is followed, an error pointer is not" {
	for rung in $(rungs); do
		run -0 --separate-stderr argdump --rung "$rung" -c cat "$(opener)%return" 'ino=$ret->f_inode->i_ino' \
			'name=$ret->f_path.dentry->d_name.name:str' '$ret' -- cat some
		[ "$(count "ino=$(stat -c %i some) name=\"some\" ret=0xffff" <<<"$output")" -eq 1 ] || { echo "$rung: $output"; false; }
		run -1 --separate-stderr argdump --rung "$rung" -c cat "$(opener)%return" 'ino=$ret->f_inode->i_ino' \
			'flags=$ret->f_flags' '$ret' -- cat /nobody/has/this
		[ "$(count -E 'ino=<[^>]*\$ret> flags=<[^>]*\$ret> ret=-ENOENT' <<<"$output")" -eq 1 ] || { echo "$rung: $output"; false; }
	done
}

@test "%return: fexit still has the parameters; elsewhere they are gone" {
	run -0 --separate-stderr argdump vfs_read%return '$ret' count 'pos=*pos' \
		'fs=file->f_inode->i_sb->s_type->name' -- reads 23 /proc/version
	[ "$(count ' reads .*ret=1 count=1 pos=1 fs="proc"' <<<"$output")" -eq 23 ] || { echo "$output"; false; }
	run -1 argdump --rung kprobe vfs_read%return count
	[[ $output == *"no parameters"*"^"* ]]
}

@test "%return of a function that returns nothing" {
	run -1 argdump mutex_unlock%return '$ret'
	[[ $output == *"mutex_unlock returns nothing"* ]]
	run -0 --separate-stderr argdump -n 1 mutex_unlock%return -- true
	run -1 argdump vfs_read '$ret'
	[[ $output == *'vfs_read%return'* ]]
}
