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

# Of "WAY N" lines of a run of transfers: its reads and writes that are no splices, also of the pipes, and that of the lines,
# as [N,N].
transferred() {
	transfers hundred out | awk '$1 ~ /^p?readv?2?$|^splice$/ { r += $2 } $1 ~ /^p?writev?2?$|^splice_to$/ { w += $2 }
		END { printf "[%d,%d]", r, w + 1 }'
}

# Of a run of `transfers FROM TO` that is in `output`: 92 reads of FROM and 75 writes of TO, each with its 100 bytes.
each_way() { # FROM TO MEMBER WHAT
	same "select(.args.file == \"$PWD/$1\" and .args.op == \"R\") | $3" "$(printf '100\n%.0s' {1..92})" "$4"
	same "select(.args.file == \"$PWD/$2\" and .args.op == \"W\") | $3" "$(printf '100\n%.0s' {1..75})" "$4"
}

@test "vfsstat, vfscount, funccount: calls by function" {
	shows .reads vfsstat --interval 60 -c reads -- reads 37 some <<<37
	# by the system calls: their function is inlined in them; directories on every kernel, whatever is inlined
	shows '[.fsyncs, .unlinks, .mkdirs, .rmdirs]' vfsstat --interval 60 -- sh -c \
		'dd if=some of=other conv=fsync; mkdir a b; rmdir a; mkdir -p b; rm other; rmdir b; rmdir b; true' <<<'[1,1,2,2]'
	head -c 100 /dev/zero >hundred
	shows '[.reads, .writes]' vfsstat --interval 60 -c transfers -- transfers hundred out <<<"$(transferred)"
	shows 'select(.by.func == "vfs_read") | .count' vfscount -c reads -- reads 38 some <<<38
	shows 'select(.by.func == "vfs_read") | .count' funccount 'vfs_re*' -- reads 39 some <<<39
	titles 'func count' funccount vfs_read,vfs_rmdir -- reads 40 some
	[[ $output == *'vfs_read     40'* ]]
}

@test "fileslower: regular files, above a limit" {
	shows 'select(.args.op == "R") | [.args.op, .args.bytes, .args.file, .args.took > 0]' fileslower -m 0 -- reads 2 some <<-END
		["R",1,"$PWD/some",true]
		["R",1,"$PWD/some",true]
	END
	# what was read, not what was asked for
	shows "select(.args.file == \"$PWD/some\") | [.args.op, .args.bytes]" fileslower -m 0 -- dd if=some of=other bs=1M <<<$'["R",64]\n["R",0]'
	# every way in
	head -c 100 /dev/zero >hundred
	run -0 --separate-stderr fileslower --json -m 0 -c transfers -- transfers hundred out
	each_way hundred out .args.bytes fileslower
	titles 'PID COMM OP BYTES TOOK FILE' fileslower -- reads 3 some
	shows .comm fileslower -m 60000 -- reads 3 some </dev/null
	shows 'select(.args.op == "W" and (.args.file | startswith("pipe:"))) | .args.bytes' fileslower -a -m 0 -c sh -- \
		sh -c 'echo hello | (read -r line; exec true)' <<<6
	shows 'select(.args.file | startswith("pipe:")) | .args.bytes' fileslower -m 0 -c sh -- sh -c 'echo hello | (read -r line; exec true)' </dev/null
}

@test "dcsnoop: names that the directory cache lacks" {
	run --separate-stderr dcsnoop -j -- ls nosuch
	same 'select(.args.name == "nosuch") | [.comm, .args.found]' '["ls",false]' dcsnoop
	[[ $(jq -r 'select(.args.name == "nosuch") | .args.dir' <<<"$output") == *"${PWD##*/}" ]]
	shows 'select(.args.name == "some") | .args.found' dcsnoop -a -- stat some <<<true
	# a component of the path, without the rest of it, and where it would be
	run --separate-stderr dcsnoop -j -c ls -- ls nosuch/below
	[ "$(jq -rs 'map(select(.args.name | index("/"))) | length' <<<"$output")" -eq 0 ] || { echo "$output"; false; }
	[ "$(jq -rs 'map(select(.args.name == "nosuch")) | .[0].args.dir | endswith("'"/${PWD##*/}"'")' <<<"$output")" = true ] ||
		{ echo "$output"; false; }
}

@test "filelife: files that are created and opened in one step, as on FUSE and NFS" {
	modprobe fuse 2>/dev/null || true
	mkdir -p at
	fuses "$PWD/at" true || skip "this kernel has no FUSE"
	shows '[.comm, .args.remover, .args.name, .args.age > 0]' filelife -- fuses "$PWD/at" sh -c 'echo >at/f; rm at/f' <<<'["sh","rm","f",true]'
}

@test "filelife, filegone: created, renamed, removed" {
	work='echo >f1; mv f1 f2; mkdir q; rmdir q; rm f2'
	shows '[.comm, .args.remover, .args.name, .args.age > 0]' filelife -- sh -c 'echo >f1; rm f1' <<<'["sh","rm","f1",true]'
	# by a rename over it, and not as long as there is another link
	shows '[.comm, .args.remover, .args.name]' filelife -- sh -c 'echo >a; echo >b; mv a b; ln b c; rm b; rm c' <<-'END'
		["sh","mv","b"]
		["sh","rm","c"]
	END
	shows .args.name filelife -m 0 -- sh -c 'echo >f1; rm f1' </dev/null
	# of a file system of its own, whose root is known
	mkdir at
	mount -t tmpfs none at
	mkdir -p at/d/e
	shows .args.name filelife -F -- sh -c 'cd at/d; echo >e/f; echo >g; mv g e/f; rm e/f' <<<$'"/d/e/f"\n"/d/e/f"'
	umount at
	# by the name that it has by then
	shows '[.comm, .args.remover, .args.name, .args.age > 0]' filelife -- sh -c 'echo >f1; mv f1 f2; rm f2' <<<'["sh","rm","f2",true]'
	shows '[.comm, .args.op, .args.ret, .args.name, .args.to, (.args.dir | endswith("/'"${PWD##*/}"'"))]' filegone -c mv,rm -- sh -c "$work" <<-'END'
		["mv","vfs_rename",0,"f1","f2",true]
		["rm","vfs_unlink",0,"f2","",true]
	END
	shows '.args.fs' filegone -c rm -- sh -c 'echo >f1; rm f1' <<<"\"$(stat -f -c %T . | sed 's/^ext2.*/ext4/')\""
	# vfs_rmdir may be inlined
	mkdir q q/r
	shows '[.args.op, .errno, .args.name, .args.to]' filegone -- sh -c 'rmdir q; rmdir q/r q nosuch; true' <<-'END'
		["vfs_rmdir","ENOTEMPTY","q",""]
		["vfs_rmdir",null,"r",""]
		["vfs_rmdir",null,"q",""]
	END
	mkdir n
	shows 'select(.args.op == "exchange") | [.args.ret, .args.name, .args.to]' filegone -- renames plain "$PWD/n" <<<'[0,"b","c"]'
}

# An overlay, in the folder over.
over_begin() {
	mkdir -p here && mount -t tmpfs here here && cd here && mkdir low up work over low/dir && touch low/{a,b} || return
	modprobe overlay || skip "no module overlay for this kernel"
	mount -t overlay over -o lowerdir=low,upperdir=up,workdir=work over
}

over_end() { cd "$BATS_TEST_TMPDIR" && umount here/over && umount here; }

@test "fsslower, fileslower, filetop, fsdist: an operation on an overlay is one row, with its own path, not the lower file's" {
	over_begin
	echo text >low/dir/e
	shows 'select(.comm == "busybox") | .args | [.op, .fs, .ret, (.file | ltrimstr("'"$PWD"'"))]' fsslower --all -m 0 -- \
		bash -c 'busybox cp over/dir/e over/n; true' <<-'END'
		["O","overlay",0,"/over/dir/e"]
		["O","overlay",0,"/over/n"]
		["R","overlay",5,"/over/dir/e"]
		["W","overlay",5,"/over/n"]
		["R","overlay",0,"/over/dir/e"]
		["R","overlay",0,"/over/dir/e"]
	END
	shows 'select(.comm == "busybox" and .args.bytes > 0) | .args | [.op, .bytes, (.file | ltrimstr("'"$PWD"'"))]' fileslower -m 0 -- \
		bash -c 'busybox cp over/dir/e over/n2; true' <<-'END'
		["R",5,"/over/dir/e"]
		["W",5,"/over/n2"]
	END
	shows 'select(.by.comm == "busybox") | [.rbytes, .wbytes, (.by.file | ltrimstr("'"$PWD"'"))]' filetop --interval 60 --sort file -- \
		bash -c 'busybox cp over/dir/e over/n3; true' <<-'END'
		[5,0,"/over/dir/e"]
		[0,5,"/over/n3"]
	END
	shows 'select(.by.fs == "overlay" or .by.fs == "tmpfs") | [.by.fs, .by.op, .count]' fsdist --sort op -- busybox cp over/dir/e over/n4 <<-'END'
		["overlay","O",2]
		["overlay","R",3]
		["overlay","W",1]
	END
	over_end
}

@test "filegone, filelife: a call on an overlay is one row, a move shows the new folder" {
	over_begin
	shows '[.args.op, .args.ret, .args.fs, .args.name, .args.to, .args.dir, .args.todir]' filegone -- \
		sh -c "mkdir up/x; echo >f1; mv f1 up/x/f2; cd over; rm a; mv b c; mv c dir/d; echo >n; mv n dir/d; rm dir/d; rmdir dir; rmdir ../over; true" <<-'END'
		["vfs_rename",0,"tmpfs","f1","f2","/","/up/x"]
		["vfs_unlink",0,"overlay","a","","/",""]
		["vfs_rename",0,"overlay","b","c","/",""]
		["vfs_rename",0,"overlay","c","d","/","/dir"]
		["vfs_rename",0,"overlay","n","d","/","/dir"]
		["vfs_unlink",0,"overlay","d","","/dir",""]
		["vfs_rmdir",0,"overlay","dir","","/",""]
		["vfs_rmdir",-16,"tmpfs","over","","/",""]
	END
	shows '[.comm, .args.remover, .args.name]' filelife -- sh -c 'cd over; mkdir dir; echo >e; rm e; echo >e; echo >dir/f; mv e dir/f; rm dir/f; deeds node n; deeds node ../n' <<-'END'
		["sh","rm","e"]
		["sh","mv","f"]
		["sh","rm","f"]
		["deeds","deeds","n"]
		["deeds","deeds","n"]
	END
	# what one task began and nobody ended is not the next one's
	shows '[.args.fs, .args.name]' filegone -- sh -c 'for i in 1 2 3 4 5 6 7 8 9; do echo >f$i; (rm f$i); done' < <(printf '["tmpfs","f%d"]\n' {1..9})
	over_end
}

@test "filetop --read-only, --write-only" {
	head -c 3000 /dev/zero >some
	for is in read write; do
		run -0 --separate-stderr filetop -j --$is-only --interval 60 --comm dd -- dd if=some of=other bs=1000
		jq -e -s "map(select(.by.file | test(\"/some|/other\"))) | length == 1 and (.[0] | .${is}s == 3 and .rbytes + .wbytes == 3000)" <<<"$output" ||
			{ echo "$output$stderr"; false; }
	done
}

@test "dirtop --root: a folder with and without a slash behind it, or all" {
	head -c 3000 /dev/zero >some
	for root in "$PWD" "$PWD/" / "/nosuch/,$PWD//"; do
		run -0 --separate-stderr dirtop -j --root "$root" --interval 60 --comm dd -- dd if=some of=other bs=1000
		jq -e -s 'map(.rbytes // 0) | add == 3000' <<<"$output" || { echo "$root: $output$stderr"; false; }
	done
	shows .rbytes dirtop --root /nosuch/ --interval 60 --comm dd -- dd if=some of=other bs=1000 </dev/null
}

@test "statsnoop: results, titles in capitals" {
	titles 'PID COMM OP FD RET PATH' statsnoop -- stat some
	shows 'select(.args.path == "some" or .args.path == "nosuch") | [.args.path, .args.ret, .errno]' \
		statsnoop -- sh -c 'stat some; stat nosuch; true' <<-'END'
		["some",0,null]
		["nosuch",-2,"ENOENT"]
	END
	shows 'select(.args.op | test("statfs")) | [.args.path, .args.ret, .errno]' statsnoop -- sh -c 'stat -f some; stat -f nosuch; true' <<-'END'
		["some",0,null]
		["nosuch",-2,"ENOENT"]
	END
	shows 'select(.args) | [.comm, .args.path]' statsnoop -x -c stat -- sh -c 'stat some; stat nosuch; true' <<<'["stat","nosuch"]'
}

# The call by which the kernel does it, a path or a descriptor, and the result.
stat_rows() { # COMM
	jq -c 'select(.comm == "'"$1"'") | [(.args.op | if test("statfs") then "statfs" else "stat" end), (.args.path // .args.fd), .args.ret]' statsnoop.out
}

@test "statsnoop: by every call, also of a 32-bit program" {
	local fd rows
	echo x >some
	together 'statsnoop -j' -- ways stats
	fd=$(head -n 1 together.work)
	rows=$(stat_rows ways)
	[ "$(head -n 10 <<<"$rows")" = "$(printf '["%s",%s,%d]\n' stat '"some"' 0 stat '"some"' 0 stat "$fd" 0 statfs '"some"' 0 statfs "$fd" 0 \
		stat '"nosuch"' -2 stat '"nosuch"' -2 stat -1 -9 statfs '"nosuch"' -2 statfs -1 -9)" ] || { echo "$rows"; false; }
	# of a descriptor and no path: the empty path beside it, or fstat's function
	[ "$(tail -n +11 <<<"$rows" | sed "s/,$fd,/,\"\",/")" = "$(printf '["stat","",%d]\n' 0 0 0 -2)" ] || { echo "$rows"; false; }
	[ "$(jq -s 'map(select(.comm == "ways" and .args.fd == '"$fd"')) | length' statsnoop.out)" -eq 4 ] || { cat statsnoop.out; false; }
	command -v calls32 >/dev/null && calls32 1 some || skip "64-bit calls are right; there are no 32-bit programs here"
	together 'statsnoop -j' -- calls32 stats some
	rows=$(stat_rows calls32)
	[ "$(sed 's/,[0-9]*,0]/,FD,0]/' <<<"$rows")" = "$(printf '["%s",%s,0]\n' stat '"some"' stat '"some"' stat FD stat '"some"' stat '"some"' statfs '"some"' statfs FD)" ] ||
		{ echo "$rows"; false; }
}

@test "mountsnoop: like /proc/mounts, and failures" {
	mkdir d
	shows '[.args.op, .args.ret, .args.source, .args.type, .args.flags, .args.where]' \
		mountsnoop -c mount,umount -- sh -c 'mount -t tmpfs -o ro,nosuid none d; grep /d /proc/mounts >seen; umount d' <<-END
		["mount",0,"none","tmpfs",["MS_RDONLY","MS_NOSUID","MS_SILENT"],"$PWD/d"]
		["umount",0,null,null,null,"$PWD/d"]
	END
	grep -q "^none $PWD/d tmpfs ro,nosuid" seen
}

@test "mountsnoop: in steps, as mount(8) does" {
	mkdir d
	shows '[.args.op, .args.ret >= 0, .args.type, .args.key, .args.source, .args.where]' mountsnoop -- mounts "$PWD/d" <<-END
		["fsopen",true,"tmpfs",null,null,null]
		["fsconfig",true,null,"source","none",null]
		["fsconfig",true,null,null,null,null]
		["fsmount",true,null,null,null,null]
		["move_mount",false,null,null,"","/nowhere"]
		["move_mount",true,null,null,"","$PWD/d"]
		["umount",true,null,null,null,"$PWD/d"]
	END
}

@test "mountsnoop: every step that the kernel has, once, with its result" {
	mkdir d
	together 'mountsnoop -j' -- mounts all "$PWD/d"
	[ "$(wc -l <together.work)" -ge 24 ] && grep -qx 'pivot_root 0' together.work || { cat together.work; false; }
	showed '.args.op + " " + ([.args.ret, 0] | min | tostring)' mountsnoop < <(sed 's/.*/"&"/' together.work)
	showed 'select(.args.key) | [.args.step, .args.key, .args.source]' mountsnoop <<-END
		["FSCONFIG_SET_STRING","source","none"]
		["FSCONFIG_SET_FLAG","ro",null]
		["FSCONFIG_SET_FLAG","nosuch",null]
		["FSCONFIG_SET_BINARY","blob",null]
		["FSCONFIG_SET_PATH","way","/"]
		["FSCONFIG_SET_PATH_EMPTY","way",""]
		["FSCONFIG_SET_FD","file",null]
	END
	showed 'select(.args.op | test("fspick|open_tree$")) | .args.where' mountsnoop <<-END
		"$PWD/d"
		"/nowhere"
		"$PWD/d"
		"/nowhere"
	END
	showed 'select(.args.op == "pivot_root") | [.args.source, .args.where]' mountsnoop <<<$'["/new","/nowhere"]\n["/new","/new/old"]'
}

@test "funclatency, funcinterval: a histogram of each call" {
	titles 'total: 37 calls' funclatency vfs_read -- reads 37 some
	# each line, and their end
	seq 11 >lines
	titles 'latency 12 calls' funclatency "$(command -v deeds):readline" -- sh -c 'exec deeds readline 0 <lines'
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
		["dd","O",0,0,"$PWD/d/x"]
		["dd","W",4096,0,"$PWD/d/x"]
		["dd","W",4096,4096,"$PWD/d/x"]
		["dd","W",4096,8192,"$PWD/d/x"]
		["dd","S",0,0,"$PWD/d/x"]
		["reads","O",0,0,"$PWD/d/x"]
		["reads","R",1,0,"$PWD/d/x"]
		["reads","R",1,0,"$PWD/d/x"]
	END
	# where what is appended went to
	shows 'select(.args.op == "W") | [.args.ret, .args.offset]' ext4slower -m 0 -- sh -c 'echo abc >>d/x' <<<'[4,12288]'
	titles 'PID COMM OP RET OFFSET TOOK FILE' ext4slower -m 0 -- sh -c 'echo abc >>d/x'
	[[ $output == *" W "* ]] || { echo "$output"; false; }
	# every way in
	run -0 --separate-stderr ext4slower --json -m 0 -- transfers d/x d/out
	each_way d/x d/out .args.ret ext4slower
	run -0 --separate-stderr fsslower --json --type ext4 -m 0 -- transfers d/x d/out
	each_way d/x d/out .args.ret fsslower
	run -0 --separate-stderr ext4dist --json -- transfers d/x d/out
	same 'select(.by.op == "R" or .by.op == "W") | [.by.op, .count]' $'["R",92]\n["W",75]' ext4dist
	shows '[.comm, .args.op, .args.ret, .args.file]' fsslower --type ext4 -m 0 -- sh -c "$work" <<-END
		["dd","O",0,"$PWD/d/x"]
		["dd","W",4096,"$PWD/d/x"]
		["dd","W",4096,"$PWD/d/x"]
		["dd","W",4096,"$PWD/d/x"]
		["dd","S",0,"$PWD/d/x"]
		["reads","O",0,"$PWD/d/x"]
		["reads","R",1,"$PWD/d/x"]
		["reads","R",1,"$PWD/d/x"]
	END
	titles 'total: 8 calls' ext4dist -- sh -c "$work"
	shows 'select(.by.op == "R" or .by.op == "W") | [.by.fs, .by.op, .count]' fsdist --type ext4 -- transfers d/x d/out <<<$'["ext4","R",92]\n["ext4","W",75]'
	# fsync(2) once, whether vfs_fsync_range is inlined in it or not
	titles 'total: 8 calls' fsdist --type ext4 -- sh -c "$work"
	# fdatasync(2), in which the compiler may have inlined all that fsync(2) calls
	shows 'select(.args.op == "S") | .args.file' fsslower --type ext4 -m 0 -- sh -c 'sync -d d/x; sync d/out; sync -d d/out' <<-END
		"$PWD/d/x"
		"$PWD/d/out"
		"$PWD/d/out"
	END
	shows 'select(.by.op == "S") | .count' fsdist --type ext4 -- sh -c 'sync -d d/x; sync d/out' <<<2
	if command -v calls32 >/dev/null && calls32 flush d/x; then
		shows 'select(.args.op == "S") | .args.file' fsslower --type ext4 -m 0 -- calls32 flush d/x <<<"\"$PWD/d/x\""$'\n'"\"$PWD/d/x\""
	fi
	# pieces that sendfile(2) reads follow each other
	dd if=/dev/zero of=d/long bs=200000 count=1
	run -0 --separate-stderr ext4slower --json -m 0 -- cat d/long
	same 'select(.args.op == "R") | [.args.offset, .args.ret]' "$(jq -c 'select(.args.op == "R" and .args.file == $long).args.ret' --arg long "$PWD/d/long" <<<"$output" |
		awk '{ print "[" at + 0 "," $0 "]"; at += $0 }')" ext4slower
	[[ $(jq -s 'map(select(.args.op == "R").args.ret) | add, (length > 2)' <<<"$output") == $'200000\ntrue' ]] || { echo "$output"; false; }
	umount d
}
