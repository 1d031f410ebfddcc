#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# A|B and A? in PROBE; sockets, users, devices, durations and functions of programs by name, each compared
# with what the workload did.

bats_require_minimum_version 1.5.0
load argdump

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	printf 'x%.0s' {1..64} >some
	busybox ip link set lo up
}

@test "A|B: the first that there is, whatever its kind; \$func is its name" {
	wants 3 ' reads +vfs_read +\$?func=vfs_read$' -c reads 'nosuch|vfs_read|vfs_write,nosuch2?,vfs_statx?' '$func' -- reads 3 some
	wants 3 ' reads +count=1$' -c reads 't:sched:nosuch|vfs_read' count -- reads 3 some
	wants 3 ' reads +ret=1$' -c reads 'nosuch|vfs_read%return' '$ret' -- reads 3 some
	wants 1 ' reads .*filename="some"' --if 'filename == "some"' 's:nosuch|openat,nosuch2?' -- reads 1 some
	wants 1 ' reads .*filename="[^"]*reads"' 'nosuch|t:sched:sched_process_exec' filename -- bash -c 'reads 1 some'
}

@test "of a program: u:FILE:A|B, A?" {
	wants 4 ' talks +n=10$' "u:$(type -P talks):nosuch|on_signal,nosuch2?" 'n=(int)$arg1' -- talks 4
}

@test "a function that cannot be traced counts as missing; -v explains" {
	run -0 --separate-stderr argdump -v -n 1 -c reads '__schedule|vfs_read' '$func' -- reads 1 some
	# shellcheck disable=SC2154 # bats sets it
	[[ $stderr == *"__schedule: "*": left out"* && $output == *vfs_read* ]] || { echo "$stderr $output"; false; }
	run --separate-stderr argdump '__schedule|nosuch' '$func'
	# types of 5.10 have only what can be traced
	if [[ $status -eq 2 ]]; then
		[[ $stderr == *"cannot trace __schedule|nosuch: __schedule: "*notrace* ]] || { echo "$stderr"; false; }
	else
		[[ $status -eq 1 && $stderr == *"this kernel has none of these"* ]] || { echo "$stderr"; false; }
	fi
}

@test "plain names are asked for: ftrace's list, which takes 250 ms, is not read" {
	[[ $(uname -m) == x86_64 ]] || skip "only x86 tells by a function's first instruction"
	run -0 strace -f -e trace=openat -o trace argdump -vv --count -d 0.1 'vfs_read,vfs_write,nosuch|vfs_readv,nosuch2?'
	[[ $output != *"answers no questions"* ]] || skip "this kernel cannot be asked"
	[[ $output == *"found 3 functions"* ]] || { echo "$output"; false; }
	run -1 grep available_filter trace
}

@test "functions that ran at boot are told by where they are: symbols, which take 450 ms, are not read" {
	run -0 strace -f -e trace=openat -o trace argdump -vv --count -d 0.1 'vfs_ca*'
	[[ $output != *"answers no questions"* ]] || skip "this kernel cannot be asked"
	[[ $output == *"e.g. vfs_caches_init: it runs at boot and is gone"* ]] || { echo "$output"; false; }
	# once for the end of the run, by a name only: nothing reads it
	run -0 strace -f -y -e trace=read -o reads argdump -q --count -d 0.1 'vfs_ca*'
	run -1 grep kallsyms reads
}

@test "pairs: either end may have several names" {
	wants 3 ' reads +count=1 lat=' -c reads 'nosuch|vfs_read' count --until 'nosuch|vfs_read%return' -- reads 3 some
}

@test "sockets: both addresses, IPv4, IPv6 and IPv4 by IPv6, as value and by default" {
	for sk in sk sk:sock '(struct tcp_sock *)sk:sock' 'sk->sk_socket' 'sk->__sk_common:sock'; do
		run -0 --separate-stderr argdump -c talks tcp_sendmsg "v=$sk" size -- talks 4
		for row in '127.0.0.1:7002 -> 127.0.0.1:7001 size=5' '127.0.0.1:7001 -> 127.0.0.1:7002 size=3' \
			'[::1]:7004 -> [::1]:7003 size=5' '[::1]:7003 -> [::1]:7004 size=3' \
			'127.0.0.1:7006 -> 127.0.0.1:7005 size=5' '127.0.0.1:7005 -> 127.0.0.1:7006 size=3'; do
			[ "$(count -F " v=$row" <<<"$output")" -eq 4 ] || { echo "$sk: $row"; echo "$output $stderr"; false; }
		done
		[ "$(count ' v=' <<<"$output")" -eq 24 ]
	done
	run -0 --separate-stderr argdump -c talks unix_stream_sendmsg 'sock' -- talks 2
	[ "$(count ' sock=AF_UNIX$' <<<"$output")" -eq 4 ] || { echo "$output $stderr"; false; }
	run -0 --separate-stderr argdump -c talks inet_listen 'sock:sock' -- talks 1
	[ "$(count -E ' sock=(127.0.0.1:700[15]|\[::1\]:7003)$' <<<"$output")" -eq 3 ] || { echo "$output $stderr"; false; }
}

@test "sockets in JSON: an object" {
	run -0 --separate-stderr argdump -q -j -c talks tcp_sendmsg sk -- talks 1
	jq -es '[.[] | select(.args).args.sk] | length == 6 and
		.[0] == {family: "AF_INET", saddr: "127.0.0.1", sport: 7002, daddr: "127.0.0.1", dport: 7001} and
		.[3] == {family: "AF_INET6", saddr: "::1", sport: 7003, daddr: "::1", dport: 7004} and
		.[4] == {family: "AF_INET6", saddr: "127.0.0.1", sport: 7006, daddr: "127.0.0.1", dport: 7005}' <<<"$output" >/dev/null ||
		{ echo "$output"; false; }
}

@test "counted by socket: one row a connection and side" {
	for more in '' '--interval 1'; do
		# shellcheck disable=SC2086 # no word or two
		run -0 --separate-stderr argdump $more -c talks --count --sum size --by sk:sock tcp_sendmsg -- bash -c 'talks 4; talks 3'
		for row in '127.0.0.1:7002 -> 127.0.0.1:7001 +7 +35' '127.0.0.1:7001 -> 127.0.0.1:7002 +7 +21' \
			'\[::1\]:7004 -> \[::1\]:7003 +7 +35' '127.0.0.1:7005 -> 127.0.0.1:7006 +7 +21'; do
			grep -qE "^$row\$" <<<"$output" || { echo "$row"; echo "$output $stderr"; false; }
		done
	done
	# the state changes, the row does not
	run -0 --separate-stderr argdump -c talks --count --by sk:sock --if 'sk->sk_dport == 7001 && sk->sk_num == 7002' tcp_set_state -- talks 1
	[ "$(count -E '^127.0.0.1:7002 -> 127.0.0.1:7001 +[23]$' <<<"$output")" -eq 1 ] || { echo "$output $stderr"; false; }
}

@test "sums of several functions: a constant after ?? takes the other's type" {
	run -0 --separate-stderr argdump -c talks --sum 'tx=size ?? 0' --sum 'rx=copied ?? 0' --by sk:sock tcp_sendmsg,tcp_cleanup_rbuf \
		--if 'sk->sk_dport == 7001' -- talks 4
	# 20 bytes of 4 calls went out, 12 came in
	[ "$(sed -n 's/^.*127.0.0.1:7002 -> 127.0.0.1:7001 *//p' <<<"$output" | awk '{ tx += $(NF - 1); rx += $NF } END { print tx, rx }')" = '20 12' ] ||
		{ echo "$output $stderr"; false; }
}

@test "__be16 and __be32 compare with the number that they mean" {
	wants 4 ' sk_dport=7001$' --if 'sk->sk_dport == 7001' tcp_sendmsg 'sk->sk_dport' -- talks 4
	wants 20 ' size=[53]$' -c talks --if 'sk->sk_dport != 7001' tcp_sendmsg size -- talks 4
	wants 8 ' size=[53]$' -c talks --if '0x7f000001 == sk->sk_daddr && sk->sk_family == AF_INET' tcp_sendmsg size -- talks 4
	wants 4 ' port=7001$' --if '((struct sockaddr_in *)&sk->sk_daddr)->sin_port != 0xffff && sk->sk_dport == 7001' tcp_sendmsg 'port=sk->sk_dport:be' -- talks 4
}

@test "signals: constants by name, handlers by the program's symbols" {
	wants 4 ' talks +sig=SIGUSR1$' -c talks --if 'sig == SIGUSR1' do_send_specific sig:signal -- talks 4
	wants 1 ' talks +sig=10 sa_handler=on_signal\[talks\]$' -c talks --if 'sig == SIGUSR1 && act' do_sigaction sig:d 'act->sa.sa_handler:usym' -- talks 1
	run -0 --separate-stderr argdump -q -j -c talks --if 'sig == SIGUSR1 && act' do_sigaction 'h=act->sa.sa_handler:usym' 'n=sig:usym' -- talks 1
	[ "$(jq -r 'select(.args).args | .h + " " + .n' <<<"$output")" = 'on_signal[talks] 0xa' ] || { echo "$output $stderr"; false; }
}

@test "users, devices, durations" {
	local dev
	dev=$(stat -c %d some)
	dev=$(((dev >> 8) & 0xfff)):$(((dev & 0xff) | ((dev >> 12) & 0xfff00)))
	wants 1 " reads +\\\$?uid=\"?root\"? i_uid=root dev=$dev\$" -c reads vfs_read '$uid:user' 'file->f_inode->i_uid:user' 'dev=file->f_inode->i_sb->s_dev:dev' -- reads 1 some
	wants 1 ' reads +age=[0-9.]+[mu]?s late=-[0-9.]+[mu]?s count\*1000=1.00us n=1.00ms$' -c reads vfs_read \
		'age=($ts - $task->start_time):ns' 'late=(long)($task->start_time - $ts):ns' 'count * 1000:ns' 'n=count:ms' -- reads 1 some
	run -0 --separate-stderr argdump -q -j -c reads vfs_read 'age=$ts - $task->start_time:ns' count:ms '$uid:user' 'd=file->f_inode->i_sb->s_dev:dev' -- reads 1 some
	jq -es --arg dev "$dev" '[.[] | select(.args).args] | length == 1 and .[0].count_ms == 1 and .[0].uid == "root" and .[0].d == $dev and
		.[0].age > 0 and .[0].age < 600e9' <<<"$output" >/dev/null || { echo "$output"; false; }
}

@test "arrays in the record of an event: their elements, and formats for them" {
	[ -e /sys/kernel/tracing/events/sock/inet_sock_set_state ] || mount -t tracefs tracefs /sys/kernel/tracing
	wants 1 ' talks +saddr=\{127, 0, 0, 1\} daddr=127.0.0.1 head=7f00 sport=7002 dport=7001$' \
		--if 'sport == 7002 && newstate == TCP_ESTABLISHED' t:sock:inet_sock_set_state saddr daddr:ip4 head=saddr:hex[2] sport dport -- talks 1
	wants 1 ' saddr=\{127, 0, 0, 1\} .* saddr_v6=\{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 127, 0, 0, 1\} ' \
		--if 'sport == 7002 && newstate == TCP_ESTABLISHED' t:sock:inet_sock_set_state -- talks 1
	run -0 --separate-stderr argdump --count --by saddr,sport --if 'sport == 7002 && newstate != TCP_CLOSE' t:sock:inet_sock_set_state -- talks 3
	[ "$(count -E '127, 0, 0, 1\}? +7002 ' <<<"$output")" -eq 1 ] || { echo "$output $stderr"; false; }
}
