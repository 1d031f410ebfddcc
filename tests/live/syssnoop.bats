#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# syssnoop against known calls: exact counts and arguments, as lines, as JSON and counted.

bats_require_minimum_version 1.5.0
load wait

lines() { grep -cE -- "$1" "$W/out"; }

setup() {
	W=$BATS_TEST_TMPDIR
}

@test "each call of a command, with its arguments, result and end" {
	printf x >"$W/file"
	run -0 syssnoop -o "$W/out" -- reads 500 "$W/file"
	[ "$(lines '^lseek\([0-9]+, 0, SEEK_SET\) += 0$')" -eq 500 ]
	[ "$(lines '^read\([0-9]+, "x", 1\) += 1$')" -eq 500 ]
	[ "$(lines "^open(at)?\\((AT_FDCWD, )?\"$W/file\", ")" -eq 1 ]
	[ "$(sed -n 1p "$W/out" | grep -c "^execve(\"[^\"]*reads\", \\[\"reads\", \"500\", \"")" -eq 1 ]
	[[ $(tail -n 2 "$W/out") == 'exit_group(0)'*' = ?'$'\n''+++ exited with 0 +++' ]]
}

@test "JSON has the same, and times in order" {
	printf x >"$W/file"
	run -0 syssnoop -j -o "$W/out" -e read,lseek -- reads 300 "$W/file"
	run -0 jq -s '[.[] | select(.syscall == "lseek" and .args.offset == 0 and .args.whence == "SEEK_SET" and .ret == 0 and .errno == null
		and .latency_ns > 0)] | length' "$W/out"
	[ "$output" -eq 300 ]
	run -0 jq -s '[.[] | select(.syscall == "read" and .args.buf == "x" and .args.count == 1)] | length' "$W/out"
	[ "$output" -eq 300 ]
	run -0 jq -s '[.[] | select(.kind == "call") | .ts_ns] | . == sort' "$W/out"
	[ "$output" = true ]
}

@test "-c --sort: by the name, by what is in JSON with its unit" {
	printf x >"$W/file"
	run -0 syssnoop -c -j --sort syscall -o "$W/out" -- reads 3 "$W/file"
	jq -es 'map(select(.type == "syscalls").syscall) | length > 3 and . == sort' "$W/out"
	run -0 syssnoop -c -j --sort total_ns:asc -o "$W/out" -- reads 3 "$W/file"
	jq -es 'map(select(.type == "syscalls").total_ns) | length > 3 and . == sort' "$W/out"
}

@test "-c counts each call, in the kernel" {
	printf x >"$W/file"
	run -0 syssnoop -c -j -o "$W/out" -- reads -j 2 5000 "$W/file"
	run -0 jq -r 'select(.syscall == "lseek") | "\(.calls) \(.errors)"' "$W/out"
	[ "$output" = "10000 0" ]
	run -0 jq -r 'select(.syscall == "execve") | "\(.calls) \(.errors)"' "$W/out"
	[ "$output" = "1 0" ]
}

@test "printed and lost calls are all that were made" {
	local status=0 lost missed sum
	printf x >"$W/file"
	syssnoop --buffer 64K -e lseek -e signal=none -o "$W/out" -- reads -j 2 10000 "$W/file" 2>"$W/err" || status=$?
	lost=$(sed -n 's/.*warning: \([0-9]*\) records lost: the ring buffer was full/\1/p' "$W/err")
	# since 7.0 a program at a system call may be preempted by another thread's call
	missed=$(sed -n 's/.*warning: at most \([0-9]*\) events missed: the probe was already running.*/\1/p' "$W/err")
	sum=$(($(lines 'lseek\(') + ${lost:-0}))
	echo "status $status lost $lost sum $sum"
	cat "$W/err"
	# the ends of the three processes may be among the lost ones
	[ $((sum + ${missed:-0})) -ge 20000 ]
	[ "$sum" -le 20003 ]
}

@test "only what failed, by name of the error" {
	run -0 syssnoop -Z -e signal=none -e openat,?open,chdir -o "$W/out" -- bash -c \
		"cd /no/such; cd /; : < /no/such; exit 0"
	[ "$(lines '^chdir\("/no/such"\) += -1 ENOENT \(No such file or directory\)$')" -ge 1 ]
	[ "$(lines ' = [0-9]')" -eq 0 ]
	# the command lives, too, before it has made such a call
	run -0 syssnoop -Z -e signal=none -e openat,?open -o "$W/out" -- bash -c 'busybox cat /no/such; exit 0'
	[ "$(lines '^\[pid +[0-9]+\] open.*"/no/such", O_RDONLY.* = -1 ENOENT')" -eq 1 ]
}

@test "signals: delivered, ignored, deadly" {
	run syssnoop -e none -o "$W/out" -- bash -c '(exit 3); trap : USR1; kill -USR1 $$; kill -KILL $$'
	[ "$status" -eq 137 ]
	[ "$(lines '--- SIGCHLD \{.*si_pid=')" -eq 1 ]
	[ "$(lines '--- SIGUSR1 \{')" -eq 1 ]
	[ "$(lines '\+\+\+ exited with 3 \+\+\+')" -eq 1 ]
	[ "$(lines '\+\+\+ killed by SIGKILL \+\+\+')" -eq 1 ]
}

@test "the signal that kills is shown, though nobody is delivered it" {
	run syssnoop -e kill -o "$W/out" -- bash -c 'kill -TERM $$; sleep 1'
	[ "$status" -eq 143 ]
	[ "$(lines '^--- SIGTERM \{si_signo=SIGTERM, si_code=SI_USER, si_pid=[0-9]+, si_uid=0\} ---$')" -eq 1 ]
	[ "$(lines 'SIGTERM')" -eq 3 ]
	[ "$(tail -n 1 "$W/out")" = '+++ killed by SIGTERM +++' ]
}

@test "what a call was passed, not what is there after it" {
	run -0 syssnoop -o "$W/out" -- forges "$W/fifo" "$W/other"
	[ "$(lines "open(at)?\\((AT_FDCWD, )?\"$W/fifo\", O_RDONLY\\) += [0-9]+$")" -eq 1 ]
	[ "$(lines "\"$W/other\"")" -eq 1 ] # of execve
	[ "$(lines 'rt_sigaction\(SIGUSR2, \{sa_handler=SIG_IGN, .*\}, \{sa_handler=SIG_DFL, ')" -eq 1 ]
	[ "$(lines 'prlimit64\(0, RLIMIT_NOFILE, \{rlim_cur=512, rlim_max=512\}, \{rlim_cur=[^5]')" -eq 1 ]
	[ "$(lines 'sendfile\([0-9]+, [0-9]+, \[2 => 7\], 5\) += 5$')" -eq 1 ]
	[ "$(lines 'setsockopt\([0-9]+, SOL_SOCKET, SO_BINDTODEVICE, "lo", 2\) += 0$')" -eq 1 ]
}

@test "an exec is the call that made it" {
	run -0 syssnoop -e execveat -o "$W/out" -- forges "$W/fifo" "$W/other"
	[ "$(lines '^execveat\(AT_FDCWD, "/proc/self/exe", \["forges"\], .*, 0\) += 0$')" -eq 1 ]
	[ "$(lines 'execve')" -eq 1 ]
	rm "$W/fifo"
	run -0 syssnoop -e execve -o "$W/out" -- forges "$W/fifo" "$W/other"
	[ "$(lines 'execve\(".*forges')" -eq 1 ]
	[ "$(lines 'execve')" -eq 1 ]
}

@test "--no-follow: the command's first thread alone; -e quiet=exit" {
	run -0 syssnoop --no-follow -e execve -e quiet=exit -e signal=none -o "$W/out" -- bash -c 'busybox true; exit 0'
	[ "$(lines '')" -eq 1 ]
	[ "$(lines '^execve\("[^"]*bash", ')" -eq 1 ]
}

@test "a call that has not returned at the end" {
	sleep 1000 &
	wait_until grep -q nanosleep /proc/$!/stack
	local pid=$!
	syssnoop -p $pid -o "$W/out" &
	wait_attached $!
	kill -STOP $pid
	kill -CONT $pid
	wait_until grep -q SIGCONT "$W/out" || true
	kill -INT %2
	wait %2 || true
	kill $pid
	[ "$(lines 'SIGCONT|nanosleep')" -ge 1 ]
}

# sleeps_until_end: calls of a sleep that syssnoop -Y saw begin, and not return
sleeps_until_end() {
	syssnoop -Y -e nanosleep,clock_nanosleep -o "$W/out" "$@" 2>"$W/err" &
	local tracer=$!
	wait_attached $tracer "$W/err"
	sleep 1000 &
	sleeper=$!
	wait_until grep -q nanosleep /proc/$sleeper/stack # wchan is 0 on some kernels
	sleep 1000 & # that ends with the tracing
	wait_until grep -q nanosleep /proc/$!/stack
	"${before_end[@]}"
	kill -INT $tracer
	kill -KILL $!
	wait $tracer || [ $? -eq 4 ]
	kill $sleeper
}

@test "a call that has not returned at the end has the name of its thread, or none if it has none any more" {
	before_end=(true)
	sleeps_until_end
	[ "$(lines "$sleeper<sleep>.*nanosleep\(.* <(unfinished|detached) \.\.\.>")" -eq 1 ] || { cat "$W/out"; false; }
	[ "$(lines '<>')" -eq 0 ] || { cat "$W/out"; false; }
	# as if the thread were gone when its name is asked for
	no_name() { mount --bind /dev/null /proc/$sleeper/comm; }
	before_end=(no_name)
	sleeps_until_end
	[ "$(lines "$sleeper\]? .*nanosleep\(.* <(unfinished|detached) \.\.\.>")" -eq 1 ] || { cat "$W/out"; false; }
	[ "$(lines '<>')" -eq 0 ] || { cat "$W/out"; false; }
	sleeps_until_end -j
	jq -es "[.[] | select(.tid == $sleeper and .syscall != null)] | length == 1 and .[0].comm == null" "$W/out" || { cat "$W/out"; false; }
}

@test "a call whose thread is killed in it never returns; one that a signal interrupts does" {
	run syssnoop -f -e nanosleep,clock_nanosleep -o "$W/out" -- \
		bash -c 'sleep 100 & sleep .3; kill -KILL $!; wait; sleep 100 & sleep .3; kill -TERM $!; wait'
	[ "$(lines 'nanosleep.* <unfinished \.\.\.>\) += \?$')" -eq 1 ]
	[ "$(lines 'nanosleep.* = \? ERESTART_RESTARTBLOCK \(Interrupted by signal\)$')" -eq 1 ]
	[ "$(lines '\+\+\+ killed by SIG')" -eq 2 ]
}

@test "32-bit programs have their own numbers and registers" {
	command -v calls32 >/dev/null || skip "there are no 32-bit programs on this architecture"
	calls32 1 some || skip "this kernel runs no 32-bit programs"
	: >"$W/some"
	run syssnoop -j -o "$W/out" -- calls32 7 "$W/some"
	run -0 jq -s '[.[] | select(.kind == "call" and .abi == "32" and .syscall == "lseek"
		and .args.offset == -2 and .args.whence == "SEEK_END")] | length' "$W/out"
	[ "$output" -eq 7 ]
}

@test "hostile names" {
	local name=$'a\n\e[31m"\xff'
	mkdir "$W/$name"
	run -0 syssnoop -e chdir -o "$W/out" -- bash -c 'cd "$1"' - "$W/$name"
	[ "$(lines '^chdir\(".*/a\\n\\33\[31m\\"\\377"\) += 0$')" -eq 1 ]
	run -0 syssnoop -j -e chdir -o "$W/out" -- bash -c 'cd "$1"' - "$W/$name"
	run -0 jq -r 'select(.syscall == "chdir") | .args.filename | endswith("/a\n\u001b[31m\"\uefff")' "$W/out"
	[ "$output" = true ]
}

@test "-yy: addresses of sockets, numbers of devices" {
	local unix='UNIX(-STREAM)?'
	run -0 syssnoop -yy -o "$W/out" -e %network,close,fstat,newfstatat -- bash -c \
		'talks 2; cd "$1"; sessions stream; busybox ip link; busybox cat /dev/null; exit 0' - "$W"
	[ "$(lines 'sendto\([0-9]+<TCP:\[127\.0\.0\.1:7002->127\.0\.0\.1:7001\]>, "hello", 5')" -eq 2 ]
	[ "$(lines 'recvfrom\([0-9]+<TCPv6:\[\[::1\]:7003->\[::1\]:7004\]>, "hello", 5')" -eq 2 ]
	[ "$(lines 'accept\([0-9]+<TCP:\[127\.0\.0\.1:7001\]>, NULL, NULL\) = [0-9]+<TCP:\[127\.0\.0\.1:7001->127\.0\.0\.1:7002\]>$')" -eq 1 ]
	[ "$(lines 'listen\([0-9]+<TCPv6:\[\[::ffff:127\.0\.0\.1\]:7005\]>, ')" -eq 1 ]
	[ "$(lines 'socket\(AF_INET, SOCK_STREAM, IPPROTO_IP\) += [0-9]+<TCP:\[[0-9]+\]>$')" -ge 2 ]
	# each end of a pair names the other
	run -0 sed -nE "s/.*sendto\([0-9]+<$unix:\[([0-9]+->[0-9]+)\]>, \"hello\".*/\2/p" "$W/out"
	[ "${#lines[@]}" -eq 2 ]
	[ "$(lines "sendto\\([0-9]+<$unix:\\[${lines[0]#*>}->${lines[0]%->*}\\]>, \"bye\"")" -eq 2 ]
	[ "$(lines "listen\\([0-9]+<$unix:\\[[0-9]+,\"a\\\\n\\\\33\\[2J\\\\\" \\\\377\"\\]>, ")" -eq 1 ]
	[ "$(lines 'getsockname\([0-9]+<NETLINK:\[ROUTE:[0-9]+\]>, ')" -ge 1 ]
	[ "$(lines '(close|fstat|newfstatat)\([0-9]+</dev/null<char 1:3>>')" -ge 1 ]
	run -0 syssnoop -yy -j -o "$W/out" -e sendto,close -- bash -c 'talks 1; : </dev/null'
	run -0 jq -s '[.[] | select(.syscall == "sendto" and .args.fd_path == "TCP:[127.0.0.1:7002->127.0.0.1:7001]")] | length' "$W/out"
	[ "$output" -eq 1 ]
	run -0 jq -s '[.[] | select(.args.fd_path == "/dev/null<char 1:3>")] | length > 0' "$W/out"
	[ "$output" = true ]
}

@test "-P: calls about a path, by argument and by descriptor" {
	printf x >"$W/file"
	printf y >"$W/other"
	run -0 syssnoop -P "$W/file" -e signal=none -o "$W/out" -- bash -c \
		'reads 50 "$1/file"; reads 50 "$1/other"; cd "$1"; : <file; busybox rm file; exit 0' - "$W"
	[ "$(lines '(\]|^) *read\([0-9]+, "x", 1\) += 1$')" -eq 50 ]
	[ "$(lines 'lseek\(')" -eq 50 ]
	[ "$(lines "(openat\\(AT_FDCWD, |open\\()\"$W/file\"")" -eq 1 ]
	[ "$(lines '(openat\(AT_FDCWD, |open\()"file"')" -eq 1 ] # by the descriptor that it returns
	[ "$(lines 'execve|mmap|other')" -eq 0 ]
	# a file that is made later
	run -0 syssnoop -P "$W/new" -e signal=none -e write -o "$W/out" -- bash -c 'cd "$1"; echo a >new; echo b >newer' - "$W"
	[ "$(lines 'write\(1, "a\\n", 2\) += 2')" -eq 1 ]
	[ "$(lines 'write\(')" -eq 1 ]
	# it is counted, too
	run -0 syssnoop -c -j -P "$W/other" -o "$W/out" -- reads 50 "$W/other"
	run -0 jq -r 'select(.syscall == "read" or .syscall == "lseek" or .syscall == "execve") | "\(.syscall) \(.calls)"' "$W/out"
	[ "$(sort <<<"$output")" = $'lseek 50\nread 50' ]
}

@test "-e fd=: calls with these descriptors" {
	local fd
	printf x >"$W/file"
	run -0 syssnoop -e lseek -o "$W/out" -- reads 1 "$W/file"
	fd=$(sed -nE 's/^lseek\(([0-9]+), .*/\1/p' "$W/out")
	run -0 syssnoop -e "fd=$fd" -e signal=none -o "$W/out" -- reads 50 "$W/file"
	[ "$(lines "^read\\($fd, \"x\"")" -eq 50 ]
	[ "$(lines '^[a-z].*\(')" -eq "$(lines "^[a-z0-9]+\\($fd(, |\\))")" ]
	run -0 syssnoop -e "fd=!$fd" -e lseek,read,write -e signal=none -o "$W/out" -- reads 50 "$W/file"
	[ "$(lines "\\($fd, ")" -eq 0 ]
	[ "$(lines '^write\(1, ')" -eq 1 ]
}

@test "-C prints the calls and counts them, in the order of -S" {
	printf x >"$W/file"
	run -0 syssnoop -C -S name -e read,lseek,openat -o "$W/out" -- reads 50 "$W/file"
	[ "$(lines '^lseek\(')" -eq 50 ]
	run -0 awk '/^% time / { at = NR + 1 } at && NR > at && !/^-| total$/ { print $NF, $4 }' "$W/out"
	[ "${lines[0]}" = "lseek 50" ]
	[ "${lines[1]%% *}" = openat ]
	[ "${lines[2]}" = "read $(lines '^read\(')" ]
	run -0 syssnoop -C -j -o "$W/out" -e lseek -- reads 50 "$W/file"
	run -0 jq -s '[(map(select(.syscall == "lseek" and .kind == "call")) | length), (.[-1] | .type, .calls)]' -c "$W/out"
	[ "$output" = '[50,"syscalls",50]' ]
}
