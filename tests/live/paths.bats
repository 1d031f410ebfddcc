#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# :path, in any probe: absolute through directories and mounts.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	printf 'x%.0s' {1..64} >some
	mkdir -p a/b/c
	cp some a/b/c/deep
}

teardown() {
	umount "$BATS_TEST_TMPDIR/a/inner" "$BATS_TEST_TMPDIR/a" 2>/dev/null || true
}

rows() { grep -c "$@" <<<"$output" || true; }

@test "files, struct paths and dentries; /proc and /sys" {
	run -0 --separate-stderr argdump vfs_read file:path 'p=file->f_path:path' 'd=file->f_path.dentry:path' -- \
		reads 7 some a/b/c/deep /proc/version /sys/kernel/mm/transparent_hugepage/enabled
	[ "$(rows -F "file=\"$PWD/some\" p=\"$PWD/some\" d=\"")" -eq 7 ] || { echo "$output$stderr"; false; }
	[ "$(rows -F "file=\"$PWD/a/b/c/deep\"")" -eq 7 ]
	[ "$(rows -F 'file="/proc/version" p="/proc/version" d="…/version"')" -eq 7 ]
	run -0 --separate-stderr argdump -j vfs_read 'd=file->f_path.dentry' -- reads 2 /proc/version
	[ "$(rows -F '"d":"version"')" -eq 2 ] || { echo "$output$stderr"; false; }
	run -0 --separate-stderr argdump vfs_read file:path -- reads 7 /sys/kernel/mm/transparent_hugepage/enabled
	[ "$(rows -F 'file="/sys/kernel/mm/transparent_hugepage/enabled"')" -eq 7 ]
}

@test "mounts in mounts, one over another" {
	mount -t tmpfs one a
	mkdir a/inner
	mount -t tmpfs two a/inner
	mount -t tmpfs three a/inner
	cp some a/inner/file
	run -0 --separate-stderr argdump -j vfs_read file:path -- reads 5 a/inner/file
	jq -e -s --arg p "$PWD/a/inner/file" 'map(select(.args.file == $p)) | length == 5' <<<"$(grep '^{' <<<"$output")" ||
		{ echo "$output$stderr"; false; }
	umount a/inner
}

@test "by kprobes too; names that users gave" {
	name=$'n\nl\e[1m"\xff'
	mkdir "$name"
	cp some "$name/x"
	run -0 --separate-stderr argdump --attach kprobe vfs_read file:path -- reads 3 "$name/x"
	[ "$(rows -F '/n\nl\x1b[1m\"\xff/x"')" -eq 3 ] || { echo "$output$stderr"; false; }
}

@test "a path that is too long is cut, and says so" {
	local deep=$PWD name
	name=$(printf 'd%.0s' {1..200})
	for _ in 1 2 3 4; do deep+=/$name; done
	mkdir -p "$deep"
	cp some "$deep/last"
	run -0 --separate-stderr argdump vfs_read file:path -- reads 3 "$deep/last"
	[ "$(rows -F "file=\"…/$name")" -eq 3 ] || { echo "$output$stderr"; false; }
	[ "$(rows -F '/last"')" -eq 3 ]
	run -0 --separate-stderr argdump vfs_read file:path:2000 -- reads 3 "$deep/last"
	[ "$(rows -F "file=\"$deep/last\"")" -eq 3 ] || { echo "$output$stderr"; false; }
}

@test "what has no path is told" {
	run -1 argdump vfs_read count:path
	[[ $output == *"size_t has no path"* ]]
	run -1 argdump --count --by file:path vfs_read
	[[ $output == *"no key"* ]]
}
