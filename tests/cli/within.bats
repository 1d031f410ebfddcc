#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# --in, $depth, --begin-if, --stop-if and --before, planned; and mistakes.

bats_require_minimum_version 1.5.0
load plan

planned() { run -0 --separate-stderr "$argdump" --dry-run --btf "$btf" "$@"; }

@test "--in: the plan names the marking functions and methods, on every kernel" {
	planned vfs_read count --in ksys_read
	[[ $output == "in fentry+fexit ksys_read"$'\n'"fentry vfs_read"* ]] || { echo "$output"; false; }
	planned skb_copy_datagram_iter 'skb->data:str:60' --in 'unix_*_recvmsg'
	[ "$(grep -c '^in fentry+fexit unix_' <<<"$output")" -eq 4 ]
	planned vfs_read --in 'vfs_*'
	[[ $output == "in kprobe.session vfs_"*" and "*" more"* ]] || { echo "$output"; false; }
	planned -r vfs_read,ksys_read '$depth'
	[[ $output == "depth fentry+fexit ksys_read"* ]] || { echo "$output"; false; }
	planned vfs_read '$depth' --in 'nosuch|ksys_read'
	[[ $output == "in fentry+fexit ksys_read"* ]] || { echo "$output"; false; }
	for kernel in 5.10 6.1 7; do
		run -0 --separate-stderr "$argdump" --dry-run --btf "$(tools/fetch-kernel --btf $kernel)" -r vfs_read '$depth' --in s:read --in ksys_read
	done
}

@test "probes that cannot enclose others" {
	wrong 'a tracepoint is not a call' vfs_read --in t:sched:sched_switch
	[[ $stderr == *"    t:sched:sched_switch
    ^~~~~~~~~~~~~~~~~~~~"* ]]
	wrong 'a sample is not a call' vfs_read --in hz:99
	wrong 'a return alone has no duration' vfs_read --in ksys_read%return
	wrong 'an instruction is not a call' vfs_read --in ksys_read+4
	wrong 'no such function' vfs_read --in ksys_raed
	wrong 'argdump'"'"'s own language' vfs_read --in 'p:x vfs_read'
}

@test "a depth of nothing" {
	planned vfs_read,ksys_read '$frame'
	wrong 'hz:99 is not a call and has no $frame' hz:99 '$frame'
	wrong '$depth counts enclosing calls of this thread: missing --in FUNC' vfs_read 'count + $depth'
	[[ $stderr == *"    count + \$depth
            ^~~~~~"* ]]
	planned --hist '$depth' vfs_read --in ksys_read
	wrong 'the depth of a call is known when it begins' -r vfs_read '@ret($depth)'
	# a condition that is decided at the return would count other calls
	wrong 'the depth of a call is known when it begins' -r vfs_read --if '$lat > 1ms && $depth == 0'
	wrong 'the depth of a call is known when it begins' -r vfs_read --if '$depth == 0 && $ret < 0'
	planned -r vfs_read --if '$depth == 0' --if '$lat > 1ms'
}

@test "@in: stored values, on every kernel, and errors" {
	for kernel in 5.10 6.1 6.12 7; do
		run -0 --separate-stderr "$argdump" --dry-run --btf "$(tools/fetch-kernel --btf $kernel)" skb_copy_datagram_iter 'sk=@in(sock->sk)' --in unix_stream_recvmsg --if '@in(size) > 3'
		[[ $output == *"(struct sock *): "* ]] || { echo "$output"; false; }
	done
	planned --count --by '@in(fd)' vfs_read --in ksys_read
	planned --sum '@in(count) - count' vfs_read --in ksys_read,ksys_pread64
	planned vfs_read 'name=@in(fd)' --in ksys_read --and vfs_write '@in(fd)' --in ksys_write
	planned vfs_read '@in(fd)' '$lat' --until vfs_read%return --if '@end($ret) < @in(count)' --in ksys_read
	wrong 'missing --in FUNC' vfs_read 'count + @in(count)'
	[[ $stderr == *"    count + @in(count)
             ^~"* ]] || { echo "$stderr"; false; }
	wrong 'there are several --in' vfs_read '@in(count)' --in ksys_read --in vfs_readv
	wrong 'vfs_fsync_range has no parameter fd' vfs_read '@in(fd)' --in ksys_read,vfs_fsync_range
	wrong 'in one function of --in, but ' vfs_read '@in(fd)' --in 'ksys_read,kernel_read_file_from_fd'
	wrong 'is a number or a pointer, but this is struct open_how' do_filp_open '@in(*how)' --in do_sys_openat2
	wrong 'has no name and no format' do_filp_open '@in(filename:str)' --in do_sys_openat2
	wrong 'at most 4 values of a call are kept' vfs_read '@in(1+fd)' '@in(2+fd)' '@in(3+fd)' '@in(4+fd)' '@in(5+fd)' --in ksys_read
}

@test "--in after one PROBE of several, and the output of --save" {
	run -0 --separate-stderr "$argdump" --btf "$btf" --save "$BATS_TEST_TMPDIR/f" vfs_read count --in ksys_read --and vfs_write --in ksys_write
	grep -qx 'vfs_read count --in ksys_read' "$BATS_TEST_TMPDIR/f" || { cat "$BATS_TEST_TMPDIR/f"; false; }
	planned --load "$BATS_TEST_TMPDIR/f"
	[ "$(grep -c '^in ' <<<"$output")" -eq 2 ]
}

@test "--begin-if, --stop-if: where they are evaluated, and their plan" {
	planned vfs_read count --begin-if 'count > 7' --stop-if 'file:path ~ "/tmp/*"' --if 'count > 2'
	[[ $output == *"if count > 2: "*"begin if count > 7: "*"count = count"*"stop if file:path ~ \"/tmp/*\": "* ]] || { echo "$output"; false; }
	planned --count vfs_read --stop-if 'count > 7'
	[[ $output == *"stop if count > 7: "* ]]
	planned vfs_read count --begin-if 'count > 7' --before 10
	planned -r vfs_read count --stop-if '$lat > 10ms' --before 1000
	# values that are not shown change nothing that is
	run -0 "$argdump" --btf "$btf" --dump=layout -r vfs_read --stop-if '$lat > 10ms'
	[[ $output == *" file, status"*" ret"*" lat"* ]]
	for kernel in 5.10 6.1 7; do
		run -0 --separate-stderr "$argdump" --dry-run --btf "$(tools/fetch-kernel --btf $kernel)" -r vfs_read --begin-if 'count > 3' --stop-if '$ret < 0'
	done
}

@test "--begin-if, --stop-if, --before: mistakes" {
	wrong '--before needs --begin-if or --stop-if' vfs_read --before 5
	wrong '--before stores records, and counting produces none' --count vfs_read --stop-if 'count == 1' --before 5
	wrong '--before is at most 1000000 records' vfs_read --stop-if 'count == 1' --before 2000000
	wrong '--stop-if is given twice for the same probe' vfs_read --stop-if 'count == 1' --stop-if 'count == 2'
	wrong 'it cannot be combined with --begin-if or --stop-if' vfs_read --until vfs_write --open --begin-if 'count == 1'
	wrong 'vfs_read has no parameter cont' vfs_read --stop-if 'cont > 1'
	[[ $stderr == *"    cont > 1
    ^~~~"* ]]
	wrong 'has no parameter cont' vfs_read --begin-if 'cont > 1'
	wrong 'a condition is a number or a pointer' vfs_read --stop-if '$comm'
	wrong 'cannot be a condition' vfs_read --begin-if '*file'
	wrong '' vfs_read --stop-if 'count = 1'
	[[ $stderr == *"=="* ]] || { echo "$stderr"; false; }
	wrong 'nothing is returned yet' vfs_read --stop-if '$ret < 0'
}
