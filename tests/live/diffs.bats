#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# --diff: what a call changed in a struct, a number, a string, on every attach method; calls that changed nothing.

bats_require_minimum_version 1.5.0
load argdump

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	printf 'x%.0s' {1..64} >some
}

json() { grep '^{' <<<"$output" | jq -s "$1"; }

# A kretprobe has room for a few calls at a time: nobody waits in vfs_write.
@test "a number, one more each time, on every attach method; unchanged calls are counted" {
	for method in $(call_methods); do
		run -0 --separate-stderr argdump --attach "$method" -c dd --diff '*pos' vfs_write -- dd if=/dev/zero of=new bs=1 count=137
		for i in {0..136}; do
			[[ $output == *"*pos=$i → $((i + 1)) ret=1 lat="* ]] || { echo "$method: $stderr $output"; false; }
		done
		[ "$(count 'ret=1 ' <<<"$output")" -eq 137 ]
		run -0 --separate-stderr argdump --attach "$method" -c dd --diff 'file->f_inode->i_ino' vfs_write -- dd if=/dev/zero of=new bs=1 count=23
		[ "$(count ' dd ' <<<"$output")" -eq 0 ]
		[[ $stderr =~ ([0-9]+)" calls changed nothing" && ${BASH_REMATCH[1]} -ge 23 ]] || { echo "$stderr"; false; }
	done
}

@test "a struct: only the members that changed, in text and in JSON" {
	for method in $(call_methods); do
		run -0 --separate-stderr argdump --attach "$method" -c dd --diff 'file->f_inode' -j vfs_write '$ret' -- \
			dd if=/dev/zero of=new bs=100 count=1
		[ "$(json '[.[] | .args["file->f_inode"] | select(.i_size == {"from": 0, "to": 100})] | length')" -eq 1 ] || {
			echo "$method: $stderr $output"; false
		}
		[ "$(json '[.[] | .args["file->f_inode"] | select(has("i_ino") or has("i_sb") or has("i_mode"))] | length')" -eq 0 ]
		rm new
	done
	run -0 --separate-stderr argdump -c dd --diff 'inode=file->f_inode' vfs_write '$ret' -- dd if=/dev/zero of=new bs=100 count=1
	[[ $output == *"ret=100 inode=(struct inode){"*$'\n\ti_size = 0 → 100,\n'*$'\n}\n'* ]] || { echo "$output"; false; }
	[[ $output != *"i_ino"* ]]
}

@test "the object of the entry, although the path to it leads elsewhere by then" {
	mkdir sub
	run -0 --separate-stderr argdump -j -z --diff 'path=fs->pwd' --diff 'ino=fs->pwd.dentry->d_inode->i_ino' \
		set_fs_pwd 'old=fs->pwd.dentry->d_inode->i_ino' 'new=@ret(fs->pwd.dentry->d_inode->i_ino)' -- bash -c "cd sub"
	[ "$(json "map(.args | select(.old == $(stat -c %i .) and .new == $(stat -c %i sub) and .path.dentry.from != .path.dentry.to and
		.path.mnt == null and .ino == {})) | length")" -eq 1 ] || { echo "$output $stderr"; false; }
}

@test "strings, arrays, bytes, bits" {
	run -0 --separate-stderr argdump --diff 'tsk->comm' --diff 'all=tsk->comm:x8[3]' --diff 'tsk' __set_task_comm -- \
		bash -c 'printf basalt >/proc/self/comm'
	[[ $output == *'comm="bash" → "basalt" all={0x62, 0x61, 0x73} tsk=(struct task_struct){'*'comm = "bash" → "basalt"'* ]] || {
		echo "$output $stderr"; false
	}
	run -0 --separate-stderr argdump -c dd --diff 'bytes=buf:hex[4]' --diff 'text=buf' vfs_read -- dd if=some of=/dev/null
	[[ $output =~ 'bytes='[0-9a-f]{8}' → 78787878 text='.*' → "xxxx' ]] || { echo "$output $stderr"; false; }
}

@test "NULL is named, unchanged calls are printed with -z, several at once, -n counts printed rows" {
	run -0 --separate-stderr argdump -c reads -z --diff 'file->f_path' vfs_read '$ret' -- reads 11 some
	[ "$(count 'ret=1 f_path=(.*struct path){}$' <<<"$output")" -eq 11 ] || { echo "$output $stderr"; false; }
	run -0 --separate-stderr argdump -c reads --diff 'file->f_path' --diff '*pos' vfs_read -- reads 11 some
	[ "$(count 'f_path=(.*struct path){} \*pos=0 → 1 ret=1 ' <<<"$output")" -eq 11 ] || { echo "$output $stderr"; false; }
	run -0 --separate-stderr argdump -c reads -n 5 --diff '*pos' vfs_read -- reads 11 some
	[ "$(count '→' <<<"$output")" -eq 5 ]
	run -0 --separate-stderr argdump -c reads --diff '((struct file *)0)->f_path' vfs_read '$ret' -- reads 3 some
	[ "$(count 'f_path=<NULL' <<<"$output")" -ge 3 ] || { echo "$output $stderr"; false; }
}

@test "saved and loaded" {
	argdump --save probe --diff 'p=*pos' vfs_read '$ret'
	run -0 --separate-stderr argdump --load probe -c reads -- reads 7 some
	[ "$(count 'ret=1 p=0 → 1$' <<<"$output")" -eq 7 ] || { cat probe; echo "$output $stderr"; false; }
}
