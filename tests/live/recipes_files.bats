#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Recipes about files and functions: exact counts and values of known workloads.

bats_require_minimum_version 1.5.0
load argdump
load recipes
load wait

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	printf 'x%.0s' {1..64} >some
}

@test "vfsstat, vfscount, funccount: calls by function" {
	shows 'select(.by.func == "vfs_read") | .count' vfsstat -c reads -- reads 37 some <<<37
	shows 'select(.by.func == "vfs_read") | .count' vfscount -c reads -- reads 38 some <<<38
	shows 'select(.by.func == "vfs_read") | .count' funccount 'vfs_re*' -- reads 39 some <<<39
	titles 'func count' funccount vfs_read,vfs_rmdir -- reads 40 some
	[[ $output == *'vfs_read     40'* ]]
}

@test "fileslower: regular files, above a limit" {
	shows 'select(.args.op == "vfs_read") | [.args.op, .args.bytes, .args.file, .args.took > 0]' fileslower -m 0 -- reads 2 some <<-END
		["vfs_read",1,"$PWD/some",true]
		["vfs_read",1,"$PWD/some",true]
	END
	titles 'PID COMM OP BYTES TOOK FILE' fileslower -- reads 3 some
	shows .comm fileslower -- reads 3 some </dev/null
}

@test "dcsnoop: what the directory cache has not" {
	run --separate-stderr dcsnoop -j -- ls nosuch
	same 'select(.args.name == "nosuch") | [.comm, .args.found]' '["ls",false]' dcsnoop
	[[ $(jq -r 'select(.args.name == "nosuch") | .args.dir' <<<"$output") == *"${PWD##*/}" ]]
	shows 'select(.args.name == "some") | .args.found' dcsnoop -a -- stat some <<<true
}

@test "filelife, filegone: created, renamed, removed" {
	work='echo >f1; mv f1 f2; mkdir q; rmdir q; rm f2'
	shows '[.comm, .args.remover, .args.name, .args.age > 0]' filelife -- sh -c 'echo >f1; rm f1' <<<'["sh","rm","f1",true]'
	shows '[.comm, .args.op, .args.ret, .args.name, .args.to]' filegone -c mv,rm -- sh -c "$work" <<-'END'
		["mv","vfs_rename",0,"f1","f2"]
		["rm","vfs_unlink",0,"f2",""]
	END
	mkdir q
	run -0 --separate-stderr filegone -j -- rmdir q
	[ -n "$output" ] || skip "this kernel does not call vfs_rmdir, it is inlined"
	same '[.args.op, .args.ret, .args.name, .args.to]' '["vfs_rmdir",0,"q",""]' filegone
}

@test "statsnoop: results" {
	shows 'select(.args.path == "some" or .args.path == "nosuch") | [.args.path, .args.ret, .errno]' \
		statsnoop -- sh -c 'stat some; stat nosuch; true' <<-'END'
		["some",0,null]
		["nosuch",-2,"ENOENT"]
	END
	shows 'select(.args) | [.comm, .args.path]' statsnoop -x -c stat -- sh -c 'stat some; stat nosuch; true' <<<'["stat","nosuch"]'
}

@test "mountsnoop: as /proc/mounts says, and failures" {
	mkdir d
	shows '[.args.op, .args.ret, .args.source, .args.type, .args.flags, .args.where]' \
		mountsnoop -c mount,umount -- sh -c 'mount -t tmpfs -o ro,nosuid none d; grep /d /proc/mounts >seen; umount d' <<-END
		["path_mount",0,"none","tmpfs",["MS_RDONLY","MS_NOSUID","MS_SILENT"],"$PWD/d"]
		["path_umount",0,"","",[],"$PWD/d"]
	END
	grep -q "^none $PWD/d tmpfs ro,nosuid" seen
}

@test "funclatency, funcinterval: a histogram of each call" {
	titles 'total: 37 calls' funclatency vfs_read -- reads 37 some
	# each line, and their end
	seq 11 >lines
	titles 'latency 12 calls' funclatency "u:$(command -v deeds):readline" -- sh -c 'exec deeds readline 0 <lines'
	titles ' calls p50' funcinterval vfs_read -c reads -- reads 12 some
	# anybody's next call ends the last interval
	[[ $output == *'total: 1'[12]' calls'* ]] || { echo "$output"; false; }
}

@test "funcslower, ksnoop: calls with their arguments" {
	shows '[.args.file, .args.count, .args.ret]' funcslower -m 0 vfs_read -- reads 1 some <<<"[\"$PWD/some\",1,1]"
	shows .comm funcslower -m 60000000 vfs_read -- reads 3 some </dev/null
	shows '[.args.file, .args.count, .args.ret, .args.lat_ns > 0]' ksnoop vfs_read -- reads 1 some <<<"[\"$PWD/some\",1,1,true]"
}

# ext2's tools are all that busybox has; ext4 mounts it
@test "ext4slower, ext4dist, fsslower, fsdist: each operation on a real file system" {
	mkdir d
	mke2fs /dev/vda >/dev/null 2>&1 && mount -t ext4 /dev/vda d
	work='dd if=/dev/zero of=d/x bs=4k count=3 conv=fsync; reads 2 d/x'
	shows '[.comm, .args.op, .args.ret, .args.offset, .args.file]' ext4slower -m 0 -- sh -c "$work" <<-END
		["dd","ext4_file_open",0,0,"$PWD/d/x"]
		["dd","ext4_file_write_iter",4096,0,"$PWD/d/x"]
		["dd","ext4_file_write_iter",4096,4096,"$PWD/d/x"]
		["dd","ext4_file_write_iter",4096,8192,"$PWD/d/x"]
		["dd","ext4_sync_file",0,0,"$PWD/d/x"]
		["reads","ext4_file_open",0,0,"$PWD/d/x"]
		["reads","ext4_file_read_iter",1,0,"$PWD/d/x"]
		["reads","ext4_file_read_iter",1,0,"$PWD/d/x"]
	END
	shows 'select(.args.op != "vfs_fsync_range") | [.comm, .args.op, .args.ret, .args.file]' fsslower --type ext4 -m 0 -- sh -c "$work" <<-END
		["dd","vfs_open",0,"$PWD/d/x"]
		["dd","vfs_write",4096,"$PWD/d/x"]
		["dd","vfs_write",4096,"$PWD/d/x"]
		["dd","vfs_write",4096,"$PWD/d/x"]
		["reads","vfs_open",0,"$PWD/d/x"]
		["reads","vfs_read",1,"$PWD/d/x"]
		["reads","vfs_read",1,"$PWD/d/x"]
	END
	titles 'total: 8 calls' ext4dist -- sh -c "$work"
	titles 'total: ' fsdist --type ext4 -- sh -c "$work"
	[[ $output == *'total: '[78]' calls'* ]] || { echo "$output"; false; } # vfs_fsync_range may be inlined
	umount d
}
