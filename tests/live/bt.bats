#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# bt: programs in bpftrace's language on known workloads: what they print, to the byte but for empty lines. The language
# itself is judged by bpftrace (tests/judges/language); here is what needs a kernel and exact counts.

# shellcheck disable=SC2016,SC2154 # programs of another language; bats sets stderr
bats_require_minimum_version 1.5.0
load wait
load arch

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	printf 'x%.0s' {1..64} >some
}

# What PROGRAM prints is EXPECTED (with escapes), but for empty lines.
prints() { # EXPECTED BT-ARGUMENT…
	local expected=$1 status=0
	shift
	timeout 60 coretap bt -q "$@" >printed 2>said </dev/null || status=$?
	grep -v '^$' printed >lines || true
	[ $status -eq 0 ] && printf '%b' "$expected" | cmp - lines || { echo "status $status, not $expected:"; cat printed said; false; }
}

@test "counts, sums and histograms of calls, by command" {
	prints '@[reads]: 37\n' -c 'sh -c "reads 37 some >/dev/null"' -e 'kprobe:vfs_read /arg2 == 1/ { @[comm] = count(); }'
	prints '@large: 1\n@small: 9\n' -c 'sh -c "reads 9 some >/dev/null"' \
		-e 'BEGIN { @large = 1; } kprobe:vfs_read /comm == "reads"/ { if (arg2 == 1) { @small++; } }'
	prints '@bytes: 21\n' -c 'sh -c "reads 21 some >/dev/null"' -e 'kretprobe:vfs_read /comm == "reads" && retval == 1/ { @bytes = sum(retval); }'
	prints '@bytes: 22\n' -c 'sh -c "reads 22 some >/dev/null"' \
		-e 'tracepoint:syscalls:sys_exit_read /args.ret == 1 && comm == "reads"/ { @bytes = sum(args.ret); }'
	run -0 coretap bt -q -c 'sh -c "reads 23 some >/dev/null"' -e 'kretprobe:vfs_read /comm == "reads" && retval == 1/ { @ = hist(retval); }'
	[[ $output == *'[1]                   23 |@@@@'* ]] || { echo "$output"; false; }
	run -0 coretap bt -q -c 'sh -c "reads 24 some >/dev/null"' -e 'fexit:vfs_read /comm == "reads" && retval == 1/ { @ = lhist(retval, 0, 100, 10); }'
	[[ $output == *'[0, 10)               24 |@@@@'* ]] || { echo "$output"; false; }
}

@test "one probe reads values that another stored" {
	run -0 coretap bt -q -c 'sh -c "reads 25 some >/dev/null"' -e 'kprobe:vfs_read { @start[tid] = nsecs; }
		kretprobe:vfs_read /@start[tid] && retval == 1/ { @calls[comm] = count(); @ns = hist(nsecs - @start[tid]); } kretprobe:vfs_read { delete(@start, tid); }
		END { clear(@start); }'
	[[ $output == *'@calls[reads]: 25'* ]] || { echo "$output"; false; }
	prints 'n=1 ret=1 got=x\nn=1 ret=1 got=x\n' -c 'sh -c "reads 2 some >/dev/null"' \
		-e 'kprobe:vfs_read /comm == "reads" && arg2 == 1/ { @n[tid] = arg2; @b[tid] = arg1; }
		kretprobe:vfs_read /@n[tid]/ { printf("n=%d ret=%d got=%r\n", @n[tid], retval, buf(uptr(@b[tid]), 1)); delete(@n, tid); delete(@b, tid); }'
}

@test "the arguments at the end of a call, by name and by number" {
	prints '1 1\n1 1\n' -c 'sh -c "reads 2 some >/dev/null"' -e 'fexit:vfs_read /comm == "reads" && retval == 1/ { printf("%d %d\n", args.count, arg2); }'
	prints '@[vfs_read]: 28\n' -c 'sh -c "reads 28 some >/dev/null"' -e 'fexit:vfs_r* /comm == "reads" && arg2 == 1 && retval == 1/ { @[func] = count(); }'
}

@test "functions of a pattern read what another probe stored" {
	prints '@security_file_permission: 26\n' -c 'sh -c "reads 26 some >/dev/null"' -e 'kprobe:security_file_p* /@in[tid]/ { @security_file_permission++; }
		kprobe:vfs_read /comm == "reads" && arg2 == 1/ { @in[tid] = 1; } kretprobe:vfs_read /@in[tid]/ { delete(@in, tid); }'
}

@test "functions of strings get the text of probe, also in a program with several probes" {
	prints '@[true, 15, 0, 11, begin]: 31\n@p: begin\n' -c 'sh -c "reads 31 some >/dev/null"' -e 'begin { @p = probe; }
		kprobe:vfs_read, kprobe:vfs_truncate, kprobe:vfs_readv /comm == "reads" && arg2 == 1/ {
			@[strcontains(probe, ":vfs_rea"), strlen(probe), strncmp(probe, "kprobe:vfs_read", 16), strstr(probe, "read"), @p == "begin" && @p != probe ? "begin" : "other"] = count();
		}'
}

@test "strings of the kernel and of users, members by name" {
	prints 'reads some\n' -c 'sh -c "reads 1 some >/dev/null"' \
		-e 'tracepoint:syscalls:sys_enter_openat /comm == "reads" && str(args.filename) == "some"/ { printf("%s %s\n", comm, str(args.filename)); }'
	prints 'reads got some\nreads got some\n' -c 'sh -c "reads 2 some >/dev/null"' \
		-e 'kprobe:vfs_read /arg2 == 1/ { $f = (struct file *)arg0; printf("%s got %s\n", comm, str($f->f_path.dentry->d_name.name)); }'
	prints 'true a b c d\n' -c 'true a b "c d"' -e 'tracepoint:syscalls:sys_enter_execve { join(args.argv); exit(); }'
}

@test "formats and their ends are those of C" {
	local n=/dev/null
	prints '-90 -10 0xa 00010 A 0000000a 12|10    |    10|-10\n' -c "dd if=/dev/zero of=$n bs=10 count=1" \
		-e 'kprobe:vfs_write /comm == "dd" && arg2 == 10/ { $n = (int64)arg2; printf("%d %d 0x%x %05d %X %08x %o|%-6d|%6d|%hhd\n", $n - 100, -$n, $n, $n, $n, $n, $n, $n, $n, -$n); }'
	prints 'kprobe:vfs_read vfs_read [     reads]\n' -c 'sh -c "reads 1 some >/dev/null"' \
		-e 'kprobe:vfs_read /comm == "reads" && arg2 == 1/ { printf("%s %s [%10s]\n", probe, func, comm); }'
	prints 'read 1,read 1,read 1,\n' -c 'sh -c "reads 3 some >/dev/null"' -e 'kretprobe:vfs_read /comm == "reads" && retval == 1/ { printf("read %d,", retval); }'
	prints "$(date +%Y)|2560\n" -c "dd if=/dev/zero of=$n bs=10 count=1" \
		-e 'kprobe:vfs_write /comm == "dd" && arg2 == 10/ { time("%Y|"); printf("%d\n", bswap((uint16)arg2)); }'
	prints '127.0.0.1\n' -e 'BEGIN { printf("%s\n", ntop(pton("127.0.0.1"))); }'
}

@test "join prints the words up to the NULL, and nothing of the environment" {
	prints 'true,1,2\n' -c 'true 1 2' -e 'tracepoint:syscalls:sys_enter_execve { join(args.argv, ","); exit(); }'
}

@test "-c traces everybody, -- COMMAND its own; the task's struct" {
	while :; do reads 1 some; sleep 0.2; done >/dev/null 3>&- & # beside the command
	prints 'reads\n' -c 'sleep 60' -e 'kprobe:vfs_read /comm == "reads"/ { printf("%s\n", comm); exit(); }'
	kill $!
	prints 'dd 1\n' -c 'dd if=/dev/zero of=/dev/null bs=7 count=1' \
		-e 'tracepoint:syscalls:sys_enter_write /comm == "dd" && args.count == 7/ { printf("%s %d\n", ((struct task_struct *)curtask)->comm, curtask->pid == tid); }'
	prints '3\n2\n' -c 'sh -c "for n in 3 2 1; do dd if=/dev/zero of=/dev/null bs=\$n count=1; done"' \
		-e 'kprobe:vfs_write /comm == "dd" && arg2 < 4/ { printf("%d\n", arg2); if (arg2 == 2) { exit(); } }'
}

@test "--cgroup: only tasks in that cgroup, and its id" {
	local C=/sys/fs/cgroup/of-bt
	mkdir -p $C
	prints '@: 5\n' --cgroup $C -c "sh -c 'reads 3 some >/dev/null; echo 0 >$C/cgroup.procs; reads 5 some >/dev/null'" -e 'kprobe:vfs_read /comm == "reads" && arg2 == 1/ { @ = count(); }'
	prints "$(stat -c %i $C)\n" -e "BEGIN { print(cgroupid(\"$C\")); }"
	run -1 coretap bt -e 'BEGIN { print(cgroupid("/proc")); }'
	[[ $output == *'/proc is not a cgroup: it is in another file system'*'^~~~~~~'* ]] || { echo "$output"; false; }
}

@test "a program that is silent only because nothing happened reports that" {
	run -0 coretap bt -d 0.2 -e 'kprobe:vfs_fallocate { @[comm] = count(); }'
	[[ $output == *'vfs_fallocate was not seen: '* ]] || { echo "$output"; false; }
	run -0 coretap bt -d 0.2 -e 'kprobe:vfs_fallocate /pid == 1/ { @[comm] = count(); }'
	[[ $output != *'not seen'* ]] || { echo "$output"; false; }
	run -0 coretap bt -c 'sh -c "reads 1 some"' -e 'kprobe:vfs_read { @[comm] = count(); }'
	[[ $output != *'not seen'* ]] || { echo "$output"; false; }
}

@test "watchpoints: of a command, in all its threads; of the kernel; not of everybody" {
	local at; at=$(shapes where)
	run -0 coretap bt -q -c 'shapes watched 7' -e "watchpoint:0x$at:8:w { @[comm] = count(); }"
	[[ $output =~ '@[shapes]: '[78] ]] || { echo "$output"; false; }
	run -1 coretap bt -e "watchpoint:0x$at:8:w { @ = count(); }"
	[[ $output == *'the process that has this address is not given'*'-p PID'* ]] || { echo "$output"; false; }
	run -0 coretap bt -q -e "w:0x$(awk '$3 == "jiffies" { print $1; exit }' /proc/kallsyms):8:w { print(ksym(reg(\"ip\"))); exit(); }"
	[[ $output == *do_timer* || $output == *tick_do_update_jiffies64* ]] || { echo "$output"; false; }
	run -0 argdump "watch:0x$at:8:w" '$ip' -n 1 -- shapes watched 1
	[[ $output == *'ip='* ]] || { echo "$output"; false; }
}

@test "uaddr() where a program is loaded at a different address each time" {
	local pie; pie=$(command -v chain-pie)
	prints '1 1\n' -c "sh -c '$pie -c 1 >/dev/null'" -e "uprobe:$pie:main { printf(\"%d %d\n\", uaddr(\"main\") == reg(\"ip\"), (uint64)*uaddr(\"__dso_handle\") == (uint64)uaddr(\"__dso_handle\")); exit(); }"
	run -1 coretap bt -e "uretprobe:$pie:main { print(uaddr(\"main\")); }"
	[[ $output == *'is loaded at a different address each time'* ]] || { echo "$output"; false; }
}

@test "numbers of 16 bytes and floats in a struct" {
	local kinds; kinds=$(command -v kinds)
	run -0 --separate-stderr coretap bt -q -c "$kinds" -e "uprobe:$kinds:fractions { print(*args.f); exit(); }"
	[[ $output == '{ .single = 1.25, .most = '*', .negative = [-0,-inf], .twice = -2.5, .tenth = 0.1, '*', .huge = -1180591620717411303429, .top = 340282366920938463463374607431768211455 }' ]] ||
		{ echo "$output$stderr"; false; }
	prints '-1180591620717411303429\n(1, -1180591620717411303429)\n@k[-1180591620717411303429]: 2\n@m: 340282366920938463463374607431768211455\n' \
		-c "$kinds" -e "uprobe:$kinds:fractions { print(args.f.huge); \$h = args.f.huge; print((1, \$h)); @m = args.f.top; @k[\$h] = 2; exit(); }"
	run -1 coretap bt -c "$kinds" -e "uprobe:$kinds:fractions { print(args.f.huge + 1); }"
	[[ ${lines[0]} == 'bt: + cannot be used with __int128 and int8' ]] || { echo "$output"; false; }
	run -0 --separate-stderr coretap bt -q -f json -c "$kinds" -e "uprobe:$kinds:fractions { print(*args.f); exit(); }"
	[[ $output == *'"twice": -2.5, '*'"huge": "-1180591620717411303429", "top": "340282366920938463463374607431768211455"}}' ]] ||
		{ echo "$output$stderr"; false; }
}

@test "arguments of several registers: structs, and numbers of 16 bytes" {
	local kinds; kinds=$(command -v kinds)
	prints '{ .x = -101, .y = 102 }\n{ .a = -103, .b = -104, .c = 17, .d = 5 }\n102 -104\n@[{ .x = -101, .y = 102 }]: 1\n' \
		-c "$kinds" -e "uprobe:$kinds:by_value { print(args.p); print(args.s); \$p = args.p; printf(\"%d %d\n\", \$p.y, args.s.b); @[\$p] = 1; }"
	prints '{ .huge = -1180591620717411303429, .p = { .x = -601, .y = 602 }, .top = 340282366920938463463374607431768211455, .stacked = -603 }\n@: -603\n' \
		-c "$kinds" -e "uprobe:$kinds:sixteen { print(args); @ = args.stacked; }"
}

@test "arguments of a user function by name, from the debug information" {
	local shapes; shapes=$(command -v shapes)
	prints '3 400\n' -c "$shapes" -e "uprobe:$shapes:corner { printf(\"%d %d\n\", args.c.x, args.d->y); exit(); }"
	prints '-1 -300 -70000 -5000000000 250 1\n' -c "$shapes" -e "uprobe:$shapes:mixed { printf(\"%d %d %d %lld %d %d\n\", args.a, args.b, args.c, args.d, args.e, args.f); exit(); }"
	prints '7 8\n' -c "$shapes" -e "uprobe:$shapes:many { printf(\"%d %d\n\", args.g, args.h); exit(); }"
	run -1 coretap bt -e "uprobe:$(command -v usdt):main { print(args.argc); }"
	[[ $output == *'no debug information'*'arg0, arg1'* ]] || { echo "$output"; false; }
}

@test "iterators, and the names of other processes" {
	prints '2\n1 init\n' -e 'iter:task { if (ctx.task.pid == 1) { printf("%d %s\n", ctx.task.pid, ctx.task.comm); } } begin { print(2); }'
	prints 'init N/A\n' -e 'begin { printf("%s %s\n", comm(1), comm(0x7fffffff)); }'
}

@test "two functions of a call, by a pointer that both have" {
	run -0 coretap bt -q -c 'sh -c "reads 26 some >/dev/null"' -e 'kprobe:vfs_read /arg2 == 1/ { @a[arg0] = nsecs; }
		kprobe:rw_verify_area /@a[arg1]/ { @n = count(); @ns = hist(nsecs - @a[arg1]); delete(@a, arg1); }'
	[[ $output == *'@n: 26'* && $output != *@a* ]] || { echo "$output"; false; }
}

@test "programs about fields of events are attached" {
	local program
	while IFS= read -r program; do
		run -0 coretap bt -q -d 0.1 -e "$program"
	done <<-'END'
		tracepoint:sched:sched_process_* { @[probe] = count(); }
		tracepoint:block:block_rq_issue { @ = hist(args.bytes); printf("%d %s %d\n", pid, comm, args.bytes); }
		tracepoint:sched:sched_wakeup, tracepoint:sched:sched_wakeup_new { @q[args.pid] = nsecs; } tracepoint:sched:sched_switch /@q[args.next_pid]/ { @us = hist((nsecs - @q[args.next_pid]) / 1000); delete(@q, args.next_pid); }
		tracepoint:syscalls:sys_enter_connect { printf("%d\n", ((struct sockaddr *)args.uservaddr)->sa_family); }
		rawtracepoint:sched_switch { @[cpu] = count(); }
	END
}

@test "in JSON each line is an object" {
	run -0 --separate-stderr coretap bt -q -f json -c 'sh -c "reads 7 some >/dev/null"' \
		-e 'kprobe:vfs_read /comm == "reads" && arg2 == 1/ { @[comm] = count(); @h = hist(arg2); } END { printf("done %d\n", 1); }'
	[ "$(jq -sc 'map(select(.type == "map"))[0].data["@"]' <<<"$output")" = '{"reads":7}' ] || { echo "$output$stderr"; false; }
	[ "$(jq -sc 'map(select(.type == "printf"))[0].data' <<<"$output")" = '"done 1\n"' ] || { echo "$output$stderr"; false; }
	[ "$(jq -sc 'map(select(.type == "hist"))[0].data["@h"][0].count' <<<"$output")" = 7 ] || { echo "$output$stderr"; false; }
}

@test "functions of programs, samples, intervals, the program's own signals" {
	seq 11 >lines11
	prints '@: 12\n' -c 'sh -c "exec deeds readline 0 <lines11 >/dev/null"' -e "uprobe:$(command -v deeds):readline { @ = count(); }"
	run -0 coretap bt -q -e 'interval:ms:100 { @ticks++; } interval:s:1 { exit(); }'
	[[ $output =~ '@ticks: '([0-9]+) ]] && ((BASH_REMATCH[1] >= 3)) || { echo "$output"; false; }
	run -0 coretap bt -q -e 'profile:hz:99 { @ = count(); } interval:s:1 { exit(); }'
	[[ $output =~ '@: '([0-9]+) ]] && ((BASH_REMATCH[1] >= 20)) || { echo "$output"; false; }
	prints 'first\nlast\n' -e 'BEGIN { print("first"); } END { print("last"); }'
	coretap bt -e 'self:signal:SIGUSR2 { print("got it"); exit(3); }' >out 2>err &
	wait_attached $!
	kill -USR2 $!
	local status=0
	wait $! || status=$?
	[ $status -eq 3 ] || { echo "status $status"; false; }
	grep -qx 'got it' out || { cat out err; false; }
}

@test "loops, maps with tuples, control flow in the kernel" {
	prints '0 1 2 3 4 5\n@a[1, x]: 7\n@b[2]: 4\n' \
		-e 'BEGIN { for ($x : 0..5) { printf("%d ", $x); } $i = 0; while ($i < 10) { $i++; if ($i == 5) { break; } } printf("%d\n", $i); @a[1, "x"] = 7; @b[2] = 3; @b[2]++; }'
	prints '@n: 10\n' -e 'BEGIN { unroll(10) { @n++; } }'
}

@test "loops over maps, also on kernels where no program can walk one" {
	prints '3 60 abc\n(4, 2)\n1:x 1:y 2:x \n@m[1]: 10\n@m[2]: 20\n@m[3]: 30\n' -e 'BEGIN { @m[1] = 10; @m[2] = 20; @m[3] = 30; $s = 0; $t = "none";
		for ($kv : @m) { $s += $kv.1; $t = "abc"; } printf("%d %d %s\n", len(@m), $s, $t);
		@c[4] = count(); @c[4] = count(); for ($kv : @c) { print($kv); } clear(@c); }
		END { @a[1] = 1; @b["x"] = 1; for ($i : 1..3) { for ($kv : @b) { printf("%d:%s ", $i, $kv.0); if ($i == 2) { break; } @n++; }
			@b["y"] = 2; if ($i == 1) { for ($kv : @b) { if ($kv.0 == "x") { continue; } printf("%d:%s ", $i, $kv.0); } delete(@b, "y"); } } printf("\n"); clear(@a); clear(@b); clear(@n); }'
	prints '6\n' -e 'kprobe:vfs_read { @n[tid] = 1; } interval:ms:200 { for ($i : 0..3) { @s[$i] = $i + 1; } $n = 0; for ($kv : @s) { $n += $kv.1; } print($n); clear(@s); clear(@n); exit(); }'
	run -0 coretap bt -q -c 'sh -c "reads 9 some >/dev/null"' -e 'kprobe:vfs_read /comm == "reads" && arg2 == 1/ { @[tid, arg2] = count(); } END { for ($kv : @) { printf("%d of %d\n", $kv.1, $kv.0.1); } clear(@); }'
	[ "$(grep -v '^$' <<<"$output")" = '9 of 1' ] || { echo "$output"; false; }
}

@test "-k reports failed reads and missing keys" {
	run -0 --separate-stderr coretap bt -q -k -c 'sh -c "reads 2 some >/dev/null"' -e 'kprobe:vfs_read /comm == "reads" && arg2 == 1/ {
		$no = (struct file *)0xffffffffffffe000; @ino[$no->f_mode] = @none[3]; @path[str(uptr(8))] = 1; } END { @none[1] = 1; clear(@none); clear(@ino); clear(@path); }'
	local place='^stdin:2:[0-9]+-[0-9]+: WARNING: ' info='^Additional Info - helper: '
	[ "$(grep -cE "${place}Bad address\$" <<<"$stderr")" = 4 ] && [ "$(grep -cE "${place}Can't lookup map element because it does not exist" <<<"$stderr")" = 2 ] &&
		[ "$(grep -cE "${info}probe_read_kernel, retcode: -14\$" <<<"$stderr")" = 2 ] && [ "$(grep -cE "${info}probe_read_user_str, retcode: -14\$" <<<"$stderr")" = 2 ] &&
		[ "$(grep -cE '^ +~~~~~~~~~~~~$' <<<"$stderr")" = 2 ] || { echo "$output$stderr"; false; }
	run -0 --separate-stderr coretap bt -q -j -k -e 'BEGIN { print(@a[1]); @a[2] = 1; }'
	jq -es 'map(select(.type == "helper_error")) == [{"type":"helper_error","msg":"Success","helper":"map_lookup_elem","retcode":0,"filename":"stdin","line":1,"col":15}]' <<<"$output" || { echo "$output"; false; }
	prints '0\n' -e 'BEGIN { print(@a[1]); @a[2] = 1; clear(@a); }'
	[ ! -s said ] || { cat said; false; }
}

@test "-n: N rows, then END and the maps; later losses do not count" {
	prints '1\n2\n3\nend\n@: 64\n' -n 3 -e 'BEGIN { @ = 64; } interval:ms:50 { @n++; printf("%d\n", @n); } END { clear(@n); print("end"); }'
	prints '1\n1\n@: 1\n' -n 2 --buffer=64K -c 'sh -c "reads 20000 some >/dev/null"' -e 'kprobe:vfs_read /comm == "reads" && arg2 == 1/ { printf("%d\n", arg2); } END { @ = 1; }'
	run -4 coretap bt -q -c 'sh -c "reads 3 some >/dev/null"' -e 'config = { max_map_keys = 1 } kprobe:vfs_read /comm == "reads" && arg2 == 1/ { @[nsecs] = 1; }'
	run -0 coretap bt -q -c 'sh -c "exit 3"' -e 'BEGIN { @ = 1; }'
	run -0 coretap bt -q -c 'sh -c "kill -9 \$\$"' -e 'BEGIN { @ = 1; }'
	run -5 coretap bt -q -c 'sleep 60' -e 'interval:ms:50 { exit(5); }'
}

@test "exit() ends with its own record and status; later records are not printed" {
	run -7 coretap bt -q -e 'interval:ms:50 { print("one"); exit(7); } interval:ms:200 { print("late"); }'
	[ "$(grep -v '^$' <<<"$output")" = one ] || { echo "$output"; false; }
}

@test "losses are counted: a full map, and its exit status" {
	run -4 --separate-stderr coretap bt -q -e 'config = { max_map_keys = 2 } BEGIN { @[1] = 1; @[2] = 1; @[3] = 1; }'
	[ "$(grep -c '^@' <<<"$output")" = 2 ] && [[ $stderr == *"no room for more keys"* ]] || { echo "$output$stderr"; false; }
}

@test "threads and forks at once: every call is counted" {
	prints '@: 4000\n' -c 'sh -c "for i in 1 2 3 4; do reads 1000 some >/dev/null & done; wait"' \
		-e 'kprobe:vfs_read /comm == "reads" && arg2 == 1/ { @++; }'
	prints '@: 4000\n' -c 'sh -c "for i in 1 2 3 4; do reads 1000 some >/dev/null & done; wait"' \
		-e 'kprobe:vfs_read /comm == "reads" && arg2 == 1/ { @ = count(); }'
}

@test "a flood of printf: printed + lost = performed" {
	coretap bt -q -c 'sh -c "reads 20000 some >/dev/null"' -e 'kprobe:vfs_read /comm == "reads" && arg2 == 1/ { printf("%d\n", pid); }' >out 2>err || [ $? -eq 4 ]
	local printed lost
	printed=$(grep -c . out) lost=$(grep -oE '[0-9]+ (event|call|record)s? (lost|not)' err | grep -oE '^[0-9]+' || echo 0)
	[ $((printed + lost)) -eq 20000 ] || { echo "$printed printed, $lost lost"; cat err; false; }
}

@test "?? replaces unreadable values; parameters are words" {
	local way
	for way in "" --attach=kprobe; do
		prints 'some 4 none 77 78 5 x\n/some nopath nouser 80\n' $way -c 'sh -c "reads 1 some >/dev/null"' -e 'kprobe:vfs_read /comm == "reads" && count == 1/ {
			$no = (struct file *)0; $bad = (struct file *)0xdead000000000000;
			printf("%s %d %s %d %d %d %s\n", str(file->f_path.dentry->d_name.name) ?? "none", file->f_path.dentry->d_name.len ?? 76,
				str($no->f_path.dentry->d_name.name) ?? "none", $no->f_inode->i_ino ?? 77, $bad->f_inode->i_ino ?? 78, file->nosuch ?? 5, $no->nosuch->b ?? "x");
			$path = path(file->f_path) ?? "nopath";
			printf("%s %s %s %d\n", strcontains($path, "/some") ? "/some" : $path, path(*(struct path *)(uint64)16) ?? "nopath", str(uptr(8)) ?? "nouser",
				($no->f_inode->i_ino ?? $no->f_mode) ?? 80); }'
	done
}

@test "also in JSON and with times, output is in the program's order" {
	local form
	for form in -j -T; do
		run -0 --separate-stderr coretap bt -q $form -c 'sh -c "reads 4 some >/dev/null"' \
			-e 'kprobe:vfs_read /comm == "reads" && arg2 == 1/ { @n++; printf("a%d ", @n); printf("b%d ", @n); } END { clear(@n); }'
		[[ $(grep -o '[ab][1-4] ' <<<"$output" | tr -d '\n') == 'a1 b1 a2 b2 a3 b3 a4 b4 ' ]] || { echo "$form: $output"; false; }
	done
}

@test "rows of emit(): a table, JSON, and lost rows" {
	local program='kprobe:vfs_read /comm == "reads" && count == 1/ {
		emit(comm, n = count, file:path, mode = file->f_inode->i_mode:filemode, x = 255:x, err = (int32)-2:errno, user = uid:user, ip = (uint32)0x0100007f:ip4,
			sig = 9:signal, hex = file->f_path.dentry->d_name.name:hex[4], tuple = (1, "a b"), none = ((struct file *)0)->f_mode ?? 77, name = "a\tb");
		emit(second = kaddr("vfs_read"):sym, ksym(kaddr("vfs_read"))); }' some=$PWD/some
	run -0 coretap bt -q -c 'sh -c "reads 2 some >/dev/null"' -e "$program"
	[[ ${lines[0]} == 'COMM '*' N FILE '*' MODE '*' X ERR '*' USER '*' IP '*' SIG '*' HEX TUPLE '*' NONE NAME' ]] || { echo "$output"; false; }
	read -r -a row <<<"${lines[1]}"
	[[ ${row[*]} == "reads 1 $some -rw-r--r-- 0xff -ENOENT root 127.0.0.1 SIGKILL 736f6d65 (1, a b) 77 a\\tb" ]] || { echo "$output"; false; }
	[[ ${lines[2]} == 'SECOND '*' KSYM' && ${lines[3]} =~ ^vfs_read\ +vfs_read$ && ${lines[4]} == "${lines[0]}" && ${lines[5]} == "${lines[1]}" ]] || { echo "$output"; false; }
	run -0 --separate-stderr coretap bt -q -j -c 'sh -c "reads 1 some >/dev/null"' -e "$program"
	cmp <(echo "${lines[0]}") <(echo '{"type":"emit","data":{"comm":"reads","n":1,"file":"'"$some"'","mode":"-rw-r--r--","x":255,"err":"-ENOENT","user":"root","ip":"127.0.0.1","sig":"SIGKILL","hex":"736f6d65","tuple":[1,"a b"],"none":77,"name":"a\tb"}}')
	[[ ${lines[1]} == '{"type":"emit","data":{"second":"vfs_read","ksym":"vfs_read"}}' ]] || { echo "$output"; false; }
	# one header for all rows with its columns
	run -0 coretap bt -q -e 'BEGIN { emit(op = "a", n = 1); emit(op = "longer", n = 2); emit(op = "b", n = 3); exit(); }'
	[[ ${#lines[@]} -eq 4 && ${lines[0]} =~ ^OP\ +N$ && ${lines[3]} =~ ^b\ +3$ ]] || { echo "$output"; false; }
	# nobody reads while BEGIN runs
	run -4 --separate-stderr coretap bt -q --buffer=64K -e 'BEGIN { for $i : 0..2000 { emit(number = $i, text = "0123456789012345678901234567890123456789"); } }'
	((${#lines[@]} > 500 && ${#lines[@]} < 1200)) || { echo "${#lines[@]} lines"; false; }
	[[ $stderr == *'lost'* ]] || { echo "$stderr"; false; }
}

@test "stacks and arrays in columns" {
	local program='kprobe:vfs_read /comm == "reads" && count == 1/ { emit(comm, k = kstack(2), first = (uint8 *)file->f_path.dentry->d_name.name:d[4], by = (int16[2])(uint32)0xfffe0001:d[2]); }'
	run -0 coretap bt -q -c 'sh -c "reads 2 some >/dev/null"' -e "$program"
	[[ ${lines[0]} == 'COMM '*' FIRST '*BY && ${lines[1]} =~ ^reads\ +\{115,\ 111,\ 109,\ 101\}\ \{1,\ -2\}$ && ${lines[2]} == *vfs_read* && ${lines[4]} == "${lines[1]}" ]] || { echo "$output"; false; }
	run -0 --separate-stderr coretap bt -q -j -c 'sh -c "reads 1 some >/dev/null"' -e "$program"
	[[ $(jq -c '.data | [.comm, (.k | length), .first, .by]' <<<"${lines[0]}") == '["reads",2,[115,111,109,101],[1,-2]]' && $(jq -r '.data.k[0]' <<<"${lines[0]}") == vfs_read* ]] || { echo "$output$stderr"; false; }
}

@test "func is the function, also at its return" {
	run -0 --separate-stderr coretap bt -q -c 'reads 2 /proc/version' -e 'kretprobe:vfs_read /comm == "reads"/ { @[func, probe] = count(); } kretprobe:vfs_rea[d] /comm == "reads"/ { @p[func, probe] = count(); }'
	[[ $output == *'@[vfs_read, kretprobe:vfs_read]: 2'*'@p[vfs_read, kretprobe:vfs_read]: 2'* ]] || { echo "$output"; false; }
}

@test "addresses of sockets in columns" {
	run -0 --separate-stderr coretap bt -q -j -c 'talks 1' -e 'kprobe:tcp_sendmsg /comm == "talks" && size == 5/ {
		emit(sk:sock, peer = sk:peer, local = ((struct inet_sock *)sk):local, ip = sk->sk_socket:peerip, it = (*sk):sock, six = sk->__sk_common.skc_v6_daddr:ip6, was = buf(sk, 128):peer); }'
	[[ $(jq -c '.data | [.peer, .local, .ip, .sk.dport, .it.saddr, .six, .was]' <<<"$output") == \
		'["127.0.0.1:7001","127.0.0.1:7002","127.0.0.1",7001,"127.0.0.1","::ffff:127.0.0.1","127.0.0.1:7001"]
["[::1]:7003","[::1]:7004","::1",7003,"::1","::1","[::1]:7003"]
["127.0.0.1:7005","127.0.0.1:7006","127.0.0.1",7005,"127.0.0.1","::ffff:127.0.0.1","127.0.0.1:7005"]' ]] || { echo "$output $stderr"; false; }
}

@test "programs on one function run in the order of the text, at its return as at its entry, by each method" {
	local how
	for how in any kprobe $(! has_fentry || echo fentry); do
		run -0 --separate-stderr bt --attach "$how" -e 'kprobe:vfs_read /comm == "reads"/ { @a[tid] = 1; }
			kprobe:vfs_read /@a[tid] == 1/ { @a[tid] = 2; }
			kretprobe:vfs_read /@a[tid] == 2/ { @a[tid] = 3; }
			kretprobe:vfs_read /@a[tid] == 3/ { @a[tid] = 4; }
			kretprobe:vfs_read /@a[tid] == 4/ { @n++; } END { clear(@a); }' -c "$(type -P reads) 5 /etc/hosts"
		[[ $output == *'@n: 5'* ]] || { echo "$how"; echo "$output$stderr"; false; }
	done
}

# whole_log FILE: the verifier's log of a refused program, in the lines of -v -v: from its first instruction to its
# last line, nothing cut
whole_log() {
	sed 's/^[a-z]*: //' "$1" >log
	grep -qE '^0: \([0-9a-f]+\)' log || { echo 'no begin'; cat "$1"; return 1; }
	grep -qE '^processed [0-9]+ insns .*limit 1000000' log || { echo 'no end'; cat "$1"; return 1; }
	! grep -n '…' log || return 1
	awk -F: '/^[0-9]+: \([0-9a-f][0-9a-f]\)/ {n++; last = $1} END {exit !(n > 20 && last > 10)}' log || { echo 'no instructions'; cat "$1"; return 1; }
}

@test "-v -v: the verifier's log of a program that it refuses, whole" {
	# an endless loop: each kernel says so at its end
	for probe in begin kprobe:vfs_read; do
		run coretap bt -v -v -e "$probe { @[comm, str(0, 64)] = count(); while (tid) { } }"
		[ "$status" -ne 0 ]
		printf '%s\n' "$output" >err
		whole_log err
		grep -qE 'infinite loop|too large|back-edge' log || { cat log; false; }
	done
}
