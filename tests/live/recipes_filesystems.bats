#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Recipes about file systems that are modules: each operation, on file systems that mkfs made for these tests.

bats_require_minimum_version 1.5.0
load argdump
load disk
load recipes
load wait

setup() {
	disk_find || return
	cd "$BATS_TEST_TMPDIR" || return
	mkdir d
	work='dd if=/dev/zero of=d/x bs=4k count=3 conv=fsync 2>/dev/null; reads 2 d/x'
}

teardown() { ! grep -q "^$DISK " /proc/mounts || umount "$DISK"; }

# Where the guest has the module, and the tests were built where mkfs is.
made() { # TYPE
	local image
	image=$(dirname "$(command -v deeds)")/$1.gz
	[ -e "$image" ] || skip "no file system of $1: mkfs.$1 was not there when the tests were built"
	modprobe "$1" 2>/dev/null || skip "this kernel has no module $1"
	"$1slower" --dry-run -q >/dev/null 2>&1 || skip "$("$1slower" --dry-run 2>&1 | head -n 1)"
	gunzip -c "$image" | dd of="$DISK" bs=1M 2>/dev/null
	mount -t "$1" "$DISK" d
}

each_operation() { # TYPE
	together "$1slower --json -m 0" "$1dist -j" -- sh -c "$work"
	umount d
	showed 'select(.comm == "dd" or .comm == "reads") | [.comm, .args.op, .args.ret, .args.offset, .args.file]' "$1slower" <<-END
		["dd","O",0,0,"$PWD/d/x"]
		["dd","W",4096,0,"$PWD/d/x"]
		["dd","W",4096,4096,"$PWD/d/x"]
		["dd","W",4096,8192,"$PWD/d/x"]
		["dd","S",0,0,"$PWD/d/x"]
		["reads","O",0,0,"$PWD/d/x"]
		["reads","R",1,0,"$PWD/d/x"]
		["reads","R",1,0,"$PWD/d/x"]
	END
	[ "$(jq -r '.by.op + " \(.count)"' "$1dist.out" | sort)" = "$(printf '%s\n' "O 2" "R 2" "S 1" "W 3")" ] || { cat "$1dist.out"; false; }
}

@test "xfsslower, xfsdist: each operation" {
	made xfs
	each_operation xfs
}

@test "btrfsslower, btrfsdist: each operation" {
	made btrfs
	each_operation btrfs
}

@test "f2fsslower, zfsslower: a module that is not loaded is named" {
	local name
	for name in f2fsslower f2fsdist zfsslower zfsdist; do
		run --separate-stderr $name -d 0.1
		[ "$status" -eq 0 ] || [[ $stderr == *"module ${name%fs*}fs is not loaded"* ]] || { echo "$name: $status $stderr"; false; }
	done
}
