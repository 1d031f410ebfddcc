#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# argdump --save and --load: probes in files, several of them at once.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	printf 'x%.0s' {1..64} >some
}

rows() { grep -c "$@" <<<"$output" || true; }

@test "what is saved runs, with its condition" {
	argdump --save one --if 'count == 1' vfs_read 'n=file->f_path.dentry->d_name.name:str' "quoted=count ?? 'a'"
	run -0 --separate-stderr argdump --load one -- reads 19 some /proc/version
	[ "$(rows ' reads .*n="some" quoted=1')" -eq 19 ] || { echo "$output$stderr"; false; }
	[ "$(rows ' reads .*n="version" quoted=1')" -eq 19 ]
	[ "$(rows ' reads ')" -eq 38 ]
}

@test "several probes of a file run together" {
	cat >two <<-'END'
		# two probes, one of them with a condition of its own
		--string 64
		vfs_read 'n=file->f_path.dentry->d_name.name:str' --if 'count == 1 && $comm == "reads"'
		do_sys_openat2 'opened=filename'   # every open
	END
	run -0 --separate-stderr argdump -j --load two -- reads 13 some
	jq -e -s '(map(select(.args.n == "some")) | length == 13) and
		(map(select(.args.opened == "some")) | length == 1)' <<<"$(grep '^{' <<<"$output")" || { echo "$output$stderr"; false; }
}

@test "a file from another kernel: the alternative that is here" {
	echo "vfs_read 'n=file->no_such_member ?? count'" >other
	run -0 --separate-stderr argdump --load other -- reads 5 some
	[ "$(rows ' reads .*n=1')" -eq 5 ]
}

@test "what is counted, too" {
	argdump --save counted --count --sum count --by 'n=file->f_path.dentry->d_name.name:str' --if 'count == 1' vfs_read
	run -0 --separate-stderr argdump -j --load counted -- reads 23 some
	jq -e -s 'map(select(.by.n == "some")) | length == 1 and .[0].count == 23' \
		<<<"$(grep '^{' <<<"$output")" || { echo "$output$stderr"; cat counted; false; }
}

@test "mistakes are told with file and line" {
	printf 'vfs_read count\nvfs_read "x\n' >bad
	run -1 argdump --load bad
	[[ $output == *"bad:2: missing closing quote"* ]]
	echo "--output x" >bad
	run -1 argdump --load bad
	[[ $output == *"bad:1: this option is not allowed in a file: --output"* ]]
	echo "# nothing" >bad
	run -1 argdump --load bad
	[[ $output == *"bad:1: the file has no probe"* ]]
	run -1 argdump --load /no/such/file
	[[ $output == *"cannot read '/no/such/file'"* ]]
	run -1 argdump --save /no/such/folder/file vfs_read count
	[[ $output == *"cannot write"* ]]
}
