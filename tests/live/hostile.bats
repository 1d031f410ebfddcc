#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# A traced process that attacks its tracer, through the files that it maps (tests/work/hostile): nothing
# else than these is opened, what is kept of them is bounded, and a name that may be wrong is marked.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

@test "a path that leads to something else than the mapped file is not opened" {
	mkdir swap
	# on one processor: the tracer looks when the file is no longer mapped
	run -0 --separate-stderr taskset 1 argdump -jU -o records -c hostile s:getpgid -- hostile swap swap 10
	[ "$(grep -c '"comm":"hostile"' records)" -eq 10 ] || { cat records; false; }
	[ "$output" = "left alone" ] || { echo "$output"; false; }
}

@test "files mapped and unmapped without end: caches are bounded" {
	mkdir churn
	run -0 --separate-stderr argdump -jU -o records -c hostile s:getpgid -- hostile churn churn 10000
	[ "$output" -lt 1536 ] || { echo "grown by $output KiB"; false; }
	# and they have names
	grep '"comm":"hostile"' records | jq -e -s 'length == 20 and all(.[]; .user_stack[0] |
		test("^helper[+]0x[0-9a-f]+ \\[n{240}[0-9]+\\]$"))' || { cut -c 1-200 records; false; }
}

@test "names that overlap: memory in proportion to the file" {
	mkdir name
	run -0 --separate-stderr argdump -jU -o records -c hostile s:getpgid -- hostile name name
	[ "$output" -lt 4096 ] || { echo "grown by $output KiB"; false; }
	grep '"comm":"hostile"' records | jq -e -s 'length == 2 and
		(.[1].user_stack[0] | test("^a{800,848}[+]0x0 \\[lib\\]$"))' || { cat records; false; }
}

@test "a file rewritten in place: the new names, and a mark" {
	mkdir lib
	run -0 --separate-stderr argdump -jU -o records -c hostile s:getpgid -- hostile rewrite lib
	grep '"comm":"hostile"' records | jq -s 'map(.user_stack[0] | sub("[+]0x[0-9a-f]+"; ""))' >got
	# `same` had only its mode changed
	jq -e '. == ["helper [same]", "helper [lib]", "helper [same]", "hacker [lib?]"]' got || { cat got; false; }
	# shellcheck disable=SC2154 # bats sets it
	[[ $stderr == */lib\ was\ changed\ while\ it\ was\ in\ use* ]]
	mkdir again
	run -0 --separate-stderr argdump --folded -U -c hostile s:getpgid -- hostile rewrite again
	[ "$(grep -c '^hostile;.*hacker? 1$' <<<"$output")" -eq 1 ] || { echo "$output"; false; }
}

@test "u:FILE:NAME of a damaged file, and of other things than files" {
	hostile write good good
	run -0 argdump --dry-run u:./good:helper
	for kind in segments sparse; do
		hostile write $kind $kind
		run -1 timeout 60 argdump u:./$kind:helper
		[[ $output == *"cannot probe ./$kind: its tables of segments or symbols are too large"* ]] || {
			echo "$output"; false
		}
	done
	hostile write beyond beyond
	run -1 timeout 60 argdump u:./beyond:helper
	[[ $output == *"cannot probe ./beyond: it is not an ELF file, or it is damaged"* ]]
	mkfifo fifo
	for file in ./fifo /dev/zero /tmp; do
		run -1 timeout 60 argdump u:$file:helper
		[[ $output == *"cannot probe $file: it is not a regular file"* ]] || { echo "$output"; false; }
	done
}

# Files of an overlay have other numbers in the maps, in perf's records and for stat.
@test "files of an overlay have names, also those of ended processes" {
	modprobe overlay || skip "no module overlay for this kernel"
	mkdir lower upper merged
	cp "$(command -v chain-pie)" lower
	mount -t tmpfs none upper && mkdir upper/up upper/work
	mount -t overlay none -o lowerdir=lower,upperdir=upper/up,workdir=upper/work merged
	printf 'merged/chain-pie 3 some >/dev/null\n%.0s' 1 2 3 4 5 >many
	echo x >some
	run -0 --separate-stderr argdump -jU -o records -c chain-pie vfs_read 'n=file->f_path.dentry->d_name.name:str' -- sh many
	umount merged upper
	jq -e -s 'map(select(.args.n == "some")) | length == 15 and
		all(.[]; .user_stack[1] | startswith("inner+0x") and endswith("[chain-pie]"))' records || { cat records; false; }
}
