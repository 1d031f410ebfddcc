#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# -r of one probe among several, planned.

bats_require_minimum_version 1.5.0
load plan

planned() { run -0 --separate-stderr "$argdump" --dry-run --btf "$btf" "$@"; }

probes() { printf '%s\n' "$@" >"$BATS_TEST_TMPDIR/probes"; }

@test "in a file, -r after a probe applies to that probe" {
	probes 'vfs_read -r count $ret' 't:sched:sched_switch prev_state' \
		'vfs_write --if "count > 1" count --return' vfs_open
	planned --load "$BATS_TEST_TMPDIR/probes"
	[ "$(grep -v '^ ' <<<"$output")" = 'fexit vfs_read
tp_btf sched:sched_switch
fentry+fexit vfs_write
fentry vfs_open' ] || { echo "$output"; false; }
	[ "$(grep -c ' = \$ret ' <<<"$output")" -eq 2 ] && [ "$(grep -c ' = \$lat ' <<<"$output")" -eq 1 ] || { echo "$output"; false; }
}

@test "on a line of its own it applies to all, also by its letter" {
	probes -r vfs_read vfs_write
	planned --load "$BATS_TEST_TMPDIR/probes"
	[ "$(grep -c 'lat = ' <<<"$output")" -eq 2 ] || { echo "$output"; false; }
	probes '--return' vfs_read t:sched:sched_switch
	wrong '-r after a probe applies only to that probe' --load "$BATS_TEST_TMPDIR/probes"
	probes vfs_read 't:sched:sched_switch -r'
	wrong 'a tracepoint has no return: leave out -r' --load "$BATS_TEST_TMPDIR/probes"
}

@test "saved probes have it at the same position" {
	probes "vfs_read -r a=count --if 'count > 1'" vfs_write
	run -0 "$argdump" --btf "$btf" --load "$BATS_TEST_TMPDIR/probes" --save "$BATS_TEST_TMPDIR/saved"
	[ "$(tail -n 2 "$BATS_TEST_TMPDIR/saved")" = "vfs_read a=count --if 'count > 1' --return
vfs_write" ] || { cat "$BATS_TEST_TMPDIR/saved"; false; }
}

@test "patterns of user functions: planned, listed; invalid ones" {
	libc=$(ldd /bin/sh | sed -n 's/.*libc.* => \([^ ]*\) .*/\1/p')
	planned "u:$libc:*alloc"
	[[ $output == 'uprobe.multi '*' calloc '*' malloc '* ]] || { echo "$output"; false; }
	planned --attach kprobe -r "u:$libc:mall[o]c,free" '$ret'
	[ "$(grep -v '^ ' <<<"$output")" = "uretprobe malloc
uretprobe $libc:free" ] || { echo "$output"; false; }
	run -0 --separate-stderr "$argdump" -l "u:$libc:mallo[c],free"
	# with parameters if the debug information of the C library is installed
	[ "$(sed 's/(.*)$//' <<<"$output")" = "u:$libc:malloc
u:$libc:free" ] || { echo "$output"; false; }
	wrong "has no function like qwert*" "u:$libc:qwert*"
	said 2 'tracing its return would crash the program' -r "u:$libc:_setjmp"
	said 2 'tracing its return would crash the program' "u:$libc:*sigsetjmp%return"
	planned "u:$libc:_setjmp"
}

@test "\$func is compared with a text: by numbers, or not at all" {
	run -0 "$argdump" --btf "$btf" --dump=plan --attach kprobe.multi 'vfs_re*,vfs_w*' count --if '$func ~ "vfs_re*"'
	[[ $output == *"function"*" >= "*" <= "* || $output == *"function"*" <= "* || $output == *"function"*" == "* ]] || { echo "$output"; false; }
	run -0 "$argdump" --btf "$btf" --dump=plan vfs_read,vfs_write count --if '$func == "vfs_read"'
	[[ $output != *function* ]] || { echo "$output"; false; }
	wrong 'no traced function has this name' vfs_read,vfs_write --if '$func == "vfs_raed"'
	wrong 'no traced function has this name' vfs_read --if '$func ~ "vfs_w*"'
	wrong 'texts compare by ==, != and ~' vfs_read --if '$func < "vfs_w"'
	libc=$(ldd /bin/sh | sed -n 's/.*libc.* => \([^ ]*\) .*/\1/p')
	planned "u:$libc:malloc" --if '$func == "malloc"'
	planned vfs_read%return --if '$func != "vfs_read"'
	planned t:sched:sched_switch --if '$func == "sched_switch" || $func == "sched:sched_switch"'
}

@test "lengths by expression: of a parameter, of a call's result, of both sides of a pair" {
	libc=$(ldd /bin/sh | sed -n 's/.*libc.* => \([^ ]*\) .*/\1/p')
	planned n_tty_write 'buf:str[nr]' 'buf:hex[nr > 4 ? 4 : nr]:16'
	planned -r "u:$libc:read" 'text=@ret($arg2):ustr[$ret]' 'bytes=@ret($arg2):hex[(int)$ret]'
	planned n_tty_write 'buf:str[nr]' 'end=@end(kbuf):hex[@end(nr)]' --until n_tty_read --on tty
	planned -r vfs_write 'buf:ustr[count]' '$ret' --until vfs_read --on file
}

@test "errors after a probe, with their line" {
	probes vfs_write 'vfs_read --if'
	wrong 'probes:2: a value is missing after: --if' --load "$BATS_TEST_TMPDIR/probes"
	probes vfs_write "vfs_read $(printf -- '--if count %.0s' {1..33})"
	wrong 'probes:2: --if: too many: count' --load "$BATS_TEST_TMPDIR/probes"
	probes '-x' vfs_read
	wrong 'probes:1: unknown option of argdump: -x' --load "$BATS_TEST_TMPDIR/probes"
}

@test "inside of a function no register has a parameter, and a place must be the start of an instruction" {
	local file=$BATS_TEST_TMPDIR/file.so
	[ "$(uname -m)" = x86_64 ] || skip "the instructions are of x86-64"
	printf '%s\n' '.globl add' '.type add, @function' 'add: leal 0x11223344(%rdi), %eax' ret '.size add, . - add' |
		gcc -x assembler -shared -nostdlib -o "$file" -
	wrong 'is not the first instruction' vfs_read+8 '$arg1'
	wrong 'is not the first instruction' "u:$file:add+6" '$arg1'
	wrong 'is not the first instruction' "u:$file:add+6" '$arg*'
	wrong 'is not the first instruction' "u:$file:nosuch|add+6" '$arg1'
	wrong 'no instruction begins there' "u:$file:add+4"
	wrong 'no instruction begins there' "u:$file:0x$(nm "$file" | sed -n 's/^0*\(.*\)0 T add$/\1/p')4"
	wrong 'the function ends before that' "u:$file:add+7"
	planned "u:$file:add+6" '$reg(ax)'
	planned "u:$file:add+0" '$arg1'
}
