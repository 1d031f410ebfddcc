#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# --until, planned: what each side evaluates, and mistakes.

bats_require_minimum_version 1.5.0
load plan

planned() { run -0 --separate-stderr "$argdump" --dry-run --btf "$btf" "$@"; }

@test "each side is planned with its expressions" {
	planned vfs_read file:path 'x=@end($ret) - count' --until vfs_read%return --if 'count > 1 && @end($ret) > 0 && $lat > 5us'
	[[ $output == "until fexit vfs_read%return"*"if @end(\$ret) > 0"*"if \$lat > 5us"*"x = "*"fentry vfs_read"*"if count > 1"*"file = "* ]]
	[ "$(grep -c 'x = ' <<<"$output")" -eq 1 ]
	planned t:block:block_rq_issue --until t:block:block_rq_complete --on rq --hist '$lat/1000' --by 'rq->__data_len'
	[[ $output == "until tp_btf block:block_rq_complete"* ]]
}

@test "a begin may be a whole call: values of its entry, keyed by its result" {
	planned -r vfs_read file:path count '$ret' --until vfs_write --on '$tid' --if 'count > 1 && $ret > 0'
	[[ $output == "until fentry vfs_write"*"fentry+fexit vfs_read"*"file = "*"ret = "* ]] || { echo "$output"; false; }
	[ "$(grep -c 'file = ' <<<"$output")" -eq 1 ]
	planned -r vfs_read '$ret' --until vfs_write --on '$tid'
	[[ $output == *$'\n'"fexit vfs_read"$'\n'* ]] || { echo "$output"; false; }
	planned -r vfs_read --until vfs_write --on '$tid' --count --sum count --by '$comm,@ret(*pos)'
	wrong '-r is for functions' -r t:sched:sched_switch --until vfs_write
	for kernel in 5.10 6.1 7; do
		run -0 --separate-stderr "$argdump" --dry-run --btf "$(tools/fetch-kernel --btf $kernel)" -r vfs_read count --until vfs_write
	done
}

@test "--keys is the room for begins" {
	wrong '--keys needs a counting option' vfs_read --keys 100
	planned vfs_read --until vfs_write --keys 100
}

@test "words without their option" {
	wrong '--on needs --until' vfs_read --on file
	wrong '--first needs --until' vfs_read --first
	wrong '--open needs --until' vfs_read --open
	wrong '--older needs --open' vfs_read --until vfs_write --older 1
	wrong '@end() needs a pair of probes: PROBE --until PROBE2' vfs_read '@end(count)'
	wrong 'add --until PROBE' vfs_read '@end(count)'
	wrong 'is known only if its return is traced' vfs_read '$lat'
	[[ $stderr == *"--until PROBE"* ]]
}

@test "several pairs: each probe after --and has its own --until, --on, --first, --open" {
	local out='until fexit vfs_read%return
  got = got=@end($ret)  (ssize_t): no load
until fexit vfs_write%return
fentry vfs_read
fentry vfs_write
  if count > 3: no load
  put = put=count  (size_t): no load
fentry vfs_open'
	local words=(vfs_read --until vfs_read%return --on file --count=reads --sum 'got=@end($ret)'
		--and vfs_write --sum 'put=count' --until vfs_write%return --first --if 'count > 3' --and vfs_open --count=opens)
	planned "${words[@]}"
	[ "$output" = "$out" ] || { echo "$output"; false; }
	"$argdump" --btf "$btf" --save "$BATS_TEST_TMPDIR/saved" "${words[@]}"
	grep -qxF "vfs_read --until vfs_read%return --on file --count reads --sum 'got=@end(\$ret)'" "$BATS_TEST_TMPDIR/saved" || { cat "$BATS_TEST_TMPDIR/saved"; false; }
	planned --load "$BATS_TEST_TMPDIR/saved"
	[ "$output" = "$out" ] || { echo "$output"; false; }
	# before the first PROBE they are everybody's
	planned --until do_exit --on '$pid' vfs_read count --and vfs_write count --first
	[ "$(grep -c '^until fentry do_exit$' <<<"$output")" -eq 2 ] || { echo "$output"; false; }
	wrong '--until is given twice for the same probe' vfs_read --until vfs_write --until vfs_open
	wrong '--until is given twice for the same probe' vfs_read --and vfs_write --until vfs_write%return --until do_exit
	wrong '--on needs --until' vfs_read --until vfs_write --and vfs_open --on count
	wrong '--open counts a single pair' vfs_read --until vfs_write --open --count=a --and vfs_open --count=b
}

@test "options that cannot be combined" {
	wrong '--until and --diff cannot be combined' --diff '*file' vfs_read --until vfs_write
	wrong '--depth cannot be combined' --depth 1 vfs_read '*file' --until vfs_write
	wrong '--clear cannot reset' --count vfs_read --until vfs_write --open --interval 1 --clear
	wrong 'they have no values of the end' vfs_read --until vfs_write --open --if '$lat > 5s'
}

@test "errors in keys and expressions, with the caret in the typed text" {
	wrong 'a key is EXPR, or EXPR == @end(EXPR)' vfs_read --until vfs_write --on '@end(count)'
	wrong 'a key is a number or a pointer, but this is text' vfs_read --until vfs_write --on '$comm'
	wrong 'a key has no name and no format' vfs_read --until vfs_write --on 'file:path'
	wrong 'has no parameter nope' vfs_read --until vfs_write --on 'count == @end(nope)'
	[[ $stderr == *"    count == @end(nope)
                  ^~~~"* ]]
	wrong 'inside @end( ) everything is evaluated at the end' vfs_read --until vfs_write '@end(count + @end(count))'
	wrong 'what the end computes with is a number or a pointer' vfs_read --until vfs_write '@end(count) + file->f_path'
	wrong "--on ',count': an expression is empty" vfs_read --until vfs_write --on ',count'
	wrong 'no such function' vfs_read --until vfs_wrte
}

@test "counting by values of the entry: pairs can, and -r can" {
	for kernel in 5.10 6.1 6.12 7; do
		run -0 --separate-stderr "$argdump" --dry-run --btf "$(tools/fetch-kernel --btf $kernel)" -r --sum '$lat' --by 'desc->action->name' handle_irq_event
		[[ $output == *"name = "*"lat = "* ]] || { echo "$output"; false; }
		run -0 --separate-stderr "$argdump" --dry-run --btf "$(tools/fetch-kernel --btf $kernel)" -r --sum '$lat' --by '$caller,$kstack,file:path' vfs_read
	done
	planned --count --by 'file->f_inode->i_ino' vfs_read --until vfs_read%return
	[[ $output == *"i_ino = "* ]]
}
