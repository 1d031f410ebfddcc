#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# argdump --until with --and: several pairs, each with keys and a store of its own; counts that are known.

bats_require_minimum_version 1.5.0
load argdump

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	printf 'x%.0s' {1..64} >some
}

has() { [ "$(count "$2" <<<"$output")" -eq "$1" ] || { echo "$1 times '$2':"; echo "$output"; false; }; }

# One event begins two pairs; an lseek is none of theirs; the last one is no pair.
PAIRS=(vfs_read --until vfs_read%return --on '$tid,$pid' --if 'count == 1'
	--count=reads --sum 'got=@end($ret)' --min 'least=$lat'
	--and vfs_read --until ksys_read%return --if 'count == 1' --count=whole --sum 'asked=count'
	--and s:lseek --until s:lseek%return --first --count=seeks --sum 'at=@end($ret)'
	--and rw_verify_area --if 'count == 1' --count=checks)
WANTED='["reads",41,41,true,41,41,41,0,41]'

table() {
	grep '"by":{"comm":"reads"}' <<<"$output" |
		jq -c '[.by.comm, .reads, .got, .least > 0, .whole, .asked, .seeks, .at, .checks]'
}
is() { [ "$(table)" = "$WANTED" ] || { echo "$1: $output$stderr"; false; }; }

@test "several pairs and a probe in one table, by their durations and by kprobes" {
	for method in '' kprobe; do
		run -0 --separate-stderr argdump -j ${method:+--attach "$method"} -c reads --by '$comm' "${PAIRS[@]}" -- reads 41 some
		is "$method"
	done
}

@test "saved and loaded: the same table" {
	argdump -c reads --by '$comm' --save pairs "${PAIRS[@]}"
	run -0 --separate-stderr argdump -j --load pairs -- reads 41 some
	is "$(cat pairs)"
}

@test "records of several pairs, each with its own values; open begins of one of them" {
	run -0 --separate-stderr argdump -c reads vfs_read --until vfs_read%return --if 'count == 1' 'n=count' 'r=@end($ret)' \
		--and s:lseek --until s:lseek%return 'w=whence' 'at=@end($ret)' '$lat' \
		--and vfs_read --until do_exit --on 'count == @end($tid)' --open 'never=count' '$lat' --if 'count == 1' -- reads 41 some
	has 41 ' n=1 r=1$'
	has 41 ' w=[0-9A-Z_]* at=0 lat=[0-9.]*[num]s$'
	has 1 ' never=1 lat=[0-9.]*[num]*s$'
	[[ $stderr == *"40 starts replaced"* ]] || { echo "$stderr"; false; }
}
