#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# One-liners of bpftrace, and probes of bcc's trace and argdist: exact counts and values of known
# workloads; and that those which need this kernel's event fields can be planned.

# shellcheck disable=SC2016,SC2154 # programs of other languages; bats sets stderr
bats_require_minimum_version 1.5.0
load argdump
load recipes
load wait

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	printf 'x%.0s' {1..64} >some
}

@test "bt: calls by command, in all and of two probes" {
	shows '[.by.comm, .count]' bt -e 'kprobe:vfs_read /arg2 == 1/ { @[comm] = count(); }' -- reads 37 some <<<'["reads",37]'
	shows '[.r, .w]' bt -e 'kprobe:vfs_read /comm == "reads"/ { @r = count(); } kprobe:vfs_rmdir { @w = count(); }' \
		-- reads 12 some <<<'[12,0]'
	shows '[.large // 0, .small]' bt -e 'kprobe:vfs_read /comm == "reads"/ { if (arg2 > 1) { @large = count(); } else { @small = count(); } }' \
		-- reads 9 some <<<'[0,9]'
}

@test "bt: results, summed and as histograms" {
	shows .bytes bt -e 'kretprobe:vfs_read /comm == "reads"/ { @bytes = sum(retval); }' -- reads 21 some <<<21
	shows .bytes bt -e 'tracepoint:syscalls:sys_exit_read /args.ret == 1 && comm == "reads"/ { @bytes = sum(args.ret); }' -- reads 22 some <<<22
	titles '[1] 23 |' bt -e 'kretprobe:vfs_read /comm == "reads"/ { @ = hist(retval); }' -- reads 23 some
	titles '[0, 10) 24 |' bt -e 'fexit:vfs_read /comm == "reads"/ { @ = lhist(retval, 0, 100, 10); }' -- reads 24 some
}

@test "bt: the time between two probes" {
	titles 'ns comm=reads 25 calls' bt -e 'kprobe:vfs_read { @start[tid] = nsecs; }
		kretprobe:vfs_read /@start[tid] && retval == 1/ { @ns[comm] = hist(nsecs - @start[tid]); delete(@start[tid]); }' -- reads 25 some
	titles ' 26 calls' bt -e 'kprobe:vfs_read /arg2 == 1/ { @a[arg0] = nsecs; }
		kprobe:rw_verify_area /@a[arg1]/ { @ = hist(nsecs - @a[arg1]); delete(@a[arg1]); }' -- reads 26 some
	shows '[.args.n, .args.ret, .args.got]' bt -e 'kprobe:vfs_read /comm == "reads"/ { @n[tid] = arg2; @b[tid] = arg1; }
		kretprobe:vfs_read /@n[tid]/ { printf("n=%d ret=%d got=%r\n", @n[tid], retval, buf(@b[tid], 1)); delete(@n[tid]); delete(@b[tid]); }' -- reads 2 some <<-'END'
		[1,1,"78"]
		[1,1,"78"]
	END
}

@test "bt: what printf shows, by name or in columns, up to exit()" {
	shows 'select(.args.filename == "some") | [.comm, .args.filename]' \
		bt -e 'tracepoint:syscalls:sys_enter_openat { printf("%s %s\n", comm, str(args.filename)); }' -- reads 1 some <<<'["reads","some"]'
	titles 'PRINTED reads got some' bt -e 'kprobe:vfs_read /arg2 == 1/ { $f = (struct file *)arg0; $file = str($f->f_path.dentry->d_name.name); printf("PRINTED %s got %s\n", comm, $file); }' \
		-- reads 3 some
	[ "$(grep -c '^PRINTED reads got some$' <<<"$output")" = 3 ]
	run -0 --separate-stderr argdump -T vfs_read n=count 'f=$func' --if 'count == 1' --print '{{{n:3}|{$comm:-6}|\t{f}}' -- reads 2 some
	[ "$(grep -c $'^[0-9:.]* {  1|reads |\tvfs_read}$' <<<"$output")" = 2 ] || { echo "$output$stderr"; false; }
	run -0 --separate-stderr argdump vfs_read n=count --if 'count == 1' --print 'read {n}' --and vfs_write m=count --if 'count == 999' --print 'wrote {m}' -- reads 2 some
	[ "$(grep -v '^[0-9]*$' <<<"$output")" = $'read 1\nread 1' ] || { echo "$output$stderr"; false; }
	run -1 argdump vfs_read n=count --print 'read {m}'
	[[ $output == *"--print: there is no value 'm'"* ]]
	run -1 argdump vfs_read n=count --print 'read {n:x}'
	[[ $output == *"no {NAME}, {NAME:WIDTH} or {NAME:%05d}"* ]]
	shows '.args' bt -e 'kprobe:vfs_read /arg2 == 1/ { printf("asked for bytes=%d\n", arg2); exit(); }' -- reads 5 some <<<'{"bytes":1}'
}

@test "bt: functions of programs, samples, intervals" {
	# each line, and their end
	seq 11 >lines
	shows .count bt -e "uprobe:$(command -v deeds):readline { @ = count(); }" -- sh -c 'exec deeds readline 0 <lines' <<<12
	run -0 --separate-stderr bt -j -e 'profile:hz:99 { @[comm] = count(); } interval:s:1 { exit(); }'
	run -0 --separate-stderr bt -j -e 'interval:ms:100 { @ticks = count(); } interval:s:2 { exit(); }'
	[ "$(jq -s 'last.ticks > 2' <<<"$output")" = true ] || { echo "$output$stderr"; false; }
	run -0 --separate-stderr bt -e 'BEGIN { printf("hello\n"); }'
	[ "$output" = hello ]
}

# What PROGRAM prints is EXPECTED, to the byte.
prints() { # EXPECTED BT-ARGUMENT…
	local expected=$1
	shift
	coretap bt -q "$@" >printed 2>said </dev/null || { cat said; false; }
	printf '%b' "$expected" | cmp - printed || { echo "not $expected:"; cat printed said; false; }
}

@test "bt: numbers, texts and their ends are those of C" {
	local n=/dev/null
	prints '-90 -10 0xa 00010 A 0000000a 12|10    |    10|+10|-10\n' -c "dd if=/dev/zero of=$n bs=10 count=1" \
		-e 'kprobe:vfs_write /comm == "dd" && arg2 == 10/ { printf("%d %d 0x%x %05d %X %08x %o|%-6d|%6d|%+d|%hhd\n", arg2 - 100, -arg2, arg2, arg2, arg2, arg2, arg2, arg2, arg2, arg2, -arg2); }'
	prints 'read 1,read 1,read 1,' -c 'sh -c "reads 3 some >/dev/null"' -e 'kretprobe:vfs_read /comm == "reads" && retval == 1/ { printf("read %d,", retval); }'
	prints 'kprobe:vfs_read vfs_read [rea] [     reads]\n' -c 'sh -c "reads 1 some >/dev/null"' \
		-e 'kprobe:vfs_read /comm == "reads" && arg2 == 1/ { printf("%s %s [%.3s] [%10s]\n", probe, func, comm, comm); }'
	prints "$(date +%Y)|2560\n" -c "dd if=/dev/zero of=$n bs=10 count=1" \
		-e 'kprobe:vfs_write /comm == "dd" && arg2 == 10/ { time("%Y|"); printf("%d\n", bswap((uint16)arg2)); }'
}

@test "bt: join prints the words up to the NULL, and nothing of the environment" {
	prints 'true a b c d\n' -c 'true a b "c d"' -e 'tracepoint:syscalls:sys_enter_execve /comm != "nobody"/ { join(args.argv); exit(); }'
	prints 'true,1,2\n' -c 'true 1 2' -e 'tracepoint:syscalls:sys_enter_execve { join(args.argv, ","); exit(); }'
}

@test "bt: exit() ends with its own record; -c traces everybody; casts of curtask" {
	prints '3\n2\n' -c 'sh -c "for n in 3 2 1; do dd if=/dev/zero of=/dev/null bs=\$n count=1; done"' \
		-e 'kprobe:vfs_write /comm == "dd" && arg2 < 4/ { printf("%d\n", arg2); if (arg2 == 2) { exit(); } }'
	while :; do reads 1 some; sleep 0.2; done >/dev/null 3>&- & # beside the command
	prints 'reads\n' -c 'sleep 60' -e 'kprobe:vfs_read /comm == "reads"/ { printf("%s\n", comm); exit(); }'
	kill $!
	prints 'dd 1\n' -c 'dd if=/dev/zero of=/dev/null bs=7 count=1' \
		-e 'tracepoint:syscalls:sys_enter_write /comm == "dd" && args.count == 7/ { printf("%s %d\n", ((struct task_struct *)curtask)->comm, ((struct task_struct *)curtask)->pid == tid); }'
	shows .lhist bt -e 'begin { @ = lhist(2,0,10,2); exit() }' <<<'[[2,4,1]]'
}

@test "trace: entries, returns, events, with conditions and formats" {
	shows '[.comm, .args.count]' trace 'p::vfs_read (arg3 == 1) "count=%d", arg3' -- reads 3 some <<-'END'
		["reads",1]
		["reads",1]
		["reads",1]
	END
	shows '[.args.retval, .args.n]' trace -M 1 'r::vfs_read(struct file *f, char *b, size_t n) (n == 1) "%d of n=%d", retval, n' \
		-- reads 3 some <<<'[1,1]'
	shows 'select(.args.filename == "some") | .args.filename' trace 't:syscalls:sys_enter_openat "%s", args->filename' -- reads 1 some <<<'"some"'
	shows 'select(.args.arg2 == "some") | .args.arg2' trace 'do_sys_open "%s", arg2' -- reads 1 some <<<'"some"'
	shows .args.arg1 trace 'sys_openat (STRCMP("some", arg2)) "%d", arg1' -- reads 1 some <<<'"AT_FDCWD"'
}

@test "argdist: counts and histograms" {
	shows '[.by.count, .count]' argdist --comm reads -i 600 -C 'p::vfs_read(struct file *f, char *b, size_t count):size_t:count:count==1' \
		-- reads 37 some <<<'[1,37]'
	titles '[1] 38 |' argdist --comm reads -i 600 -H 'r::vfs_read():long:$retval:$retval == 1' -- reads 38 some
	shows '[.by.n, .count]' argdist --comm reads -i 600 -C 'r::vfs_read(struct file *f, char *b, size_t n):u32:n:$latency > 0 && $retval == 1' \
		-- reads 39 some <<<'[1,39]'
	titles ' 40 calls' argdist --comm reads -i 600 -H 'r::vfs_read(struct file *f, char *b, size_t n):u64:$latency/$entry(n):$entry(n) == 1#ns per byte' \
		-- reads 40 some
}

@test "one-liners about event fields are planned" {
	local program
	while IFS= read -r program; do
		run -0 bt --dry-run -e "$program"
	done <<-'END'
		tracepoint:syscalls:sys_enter_openat { printf("%-16s %s\n", comm, str(args->filename)); }
		tracepoint:syscalls:sys_enter_execve { join(args.argv); }
		tracepoint:sched:sched_* { @[probe] = count(); } interval:s:5 { exit(); }
		tracepoint:block:block_rq_issue { @ = hist(args.bytes); }
		tracepoint:block:block_rq_issue { printf("%d %s %d\n", pid, comm, args.bytes); }
		tracepoint:sched:sched_wakeup, tracepoint:sched:sched_wakeup_new { @q[args.pid] = nsecs; } tracepoint:sched:sched_switch /@q[args.next_pid]/ { @us = hist((nsecs - @q[args.next_pid]) / 1000); delete(@q[args.next_pid]); }
		tracepoint:syscalls:sys_enter_connect { printf("%d\n", ((struct sockaddr *)args.uservaddr)->sa_family); }
	END
	run -0 trace --dry-run 't:block:block_rq_complete "sectors=%d", args->nr_sector'
	run -0 argdist --dry-run -C 't:net:net_dev_start_xmit():u16:args->protocol'
	run -0 argdist --dry-run -H 't:block:block_rq_complete():u32:args->nr_sector'
}
