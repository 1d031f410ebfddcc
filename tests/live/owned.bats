#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# bt: maps whose entries end with the object that is their key, on workloads that use numbers and addresses again. Each
# program runs twice: with an owner no object finds the entry of another, without one some do.

# shellcheck disable=SC2016,SC2154,SC2030,SC2031 # programs of another language; bats sets stderr
bats_require_minimum_version 1.5.0
load wait

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	printf x >some
	before=$(</proc/sys/kernel/pid_max)
}

teardown() {
	echo "$before" >/proc/sys/kernel/pid_max
}

# A script NAME with its own name as that of its process.
program() { # NAME TEXT
	printf '#!/bin/bash\n%s\ntrue\n' "$2" >"$1"
	chmod +x "$1"
}

# PROBE { } with the key of an object, once for each: how many there were, and how many found an entry.
found() { # OWNER KEY PROBE COMMAND
	local owner=${1:+let @of = owned_by($1);}
	run -0 --separate-stderr timeout 120 coretap bt -q -c "$4" -e "$owner BEGIN { @found = (uint64)0; @objects = (uint64)0; }
		$3 { if (has_key(@of, $2)) { @found++; } @of[$2] = nsecs; @objects++; }"
	entries=$(grep -c '^@of' <<<"$output" || true)
	found=$(sed -n 's/@found: //p' <<<"$output") objects=$(sed -n 's/@objects: //p' <<<"$output")
	[[ -z $stderr ]] || { echo "$stderr"; false; }
}

# With the owner all COUNT objects are new, and few entries are left; without it some are not.
ends() { # OWNER KEY PROBE COUNT COMMAND
	found "$1" "${@:2:2}" "$5"
	[[ $objects == "$4" && $found == 0 ]] && ((entries <= $4 / 2)) || { echo "owned_by($1): $entries of $objects, $found found"; false; }
	found "" "${@:2:2}" "$5"
	[[ $objects == "$4" ]] && ((found > 0)) || { echo "not owned: $entries of $objects, $found found"; false; }
}

@test "a thread's number that is used again" {
	echo 440 >/proc/sys/kernel/pid_max
	ends tid tid 'kprobe:vfs_read /comm == "threads" && arg2 == 1/' 700 'threads 700 some'
}

@test "a process' number that is used again" {
	mkdir forks
	echo 440 >/proc/sys/kernel/pid_max
	ends pid pid 'tracepoint:syscalls:sys_enter_openat /comm == "forks" && strncmp(str(args.filename), "forks/", 6) == 0/' \
		400 'forks child 1 400'
}

@test "the address of a task that is used again" {
	ends task curtask 'kprobe:vfs_read /comm == "threads" && arg2 == 1/' 700 'threads 700 some'
}

@test "the address of a socket that is used again" {
	program sockets 'for ((i = 0; i < 60; i++)); do : 3<>/dev/tcp/127.0.0.1/9; done 2>/dev/null'
	ends sk '(struct sock *)arg0' 'kprobe:tcp_connect /comm == "sockets"/' 60 ./sockets
}

@test "the address of an inode that is used again" {
	program inodes 'for ((i = 0; i < 100; i++)); do echo 1234 >f; rm f; done'
	ends inode '((struct file *)arg0)->f_inode' 'kprobe:vfs_write /comm == "inodes" && arg2 == 5/' 100 ./inodes
}

# How many entries there are when all THREADS have ended, whatever the program says.
left() { # PROGRAM THREADS
	local freed='rawtracepoint:sched_process_free { if (((struct task_struct *)arg0)->comm == "threads") { @freed++; } }'
	run -0 --separate-stderr timeout 120 coretap bt -q -c "sh -c 'threads $2 some; sleep 60'" \
		-e "$1 $freed interval:ms:200 /@freed == $2 + 1/ { exit(); } END { clear(@freed); }"
	[[ -z $stderr ]] || { echo "$stderr"; false; }
	left=$(grep -c '^@of' <<<"$output" || true)
}

@test "entries that threads create at their last switch are also removed" {
	local program='tracepoint:sched:sched_switch /args.prev_comm == "threads"/ { @of[args.prev_pid] = nsecs; }'
	left "let @of = owned_by(tid); $program" 300
	((left == 0)) || { echo "owned: $output"; false; }
	left "$program" 300
	((left == 301)) || { echo "not owned: $output"; false; }
}

@test "the program's own probe of the end finds the entry, and then it is gone" {
	left 'let @of = owned_by(task); kprobe:vfs_read /comm == "threads" && arg2 == 1/ { @of[curtask] = 7; @set++; }
		rawtracepoint:sched_process_free { if (@of[(struct task_struct *)arg0] == 7) { @seen++; } }' 30
	[[ $left == 0 && $output == *'@seen: 30'*'@set: 30'* ]] || { echo "$output"; false; }
}

@test "with -p PID the ends of its threads are seen, though others run them" {
	mkfifo begin
	# the kernel frees a thread some time after its end: the process stays until most are free
	bash -c 'read -r word <begin; exec threads 200 some 3' 3>&- &
	coretap bt -q -p $! -e 'let @of = owned_by(task); kprobe:vfs_read /comm == "threads" && arg2 == 1/ { @of[curtask] = 7; @set++; }' \
		>printed 2>said 3>&- &
	wait_attached $! said
	echo go >begin
	wait $!
	grep -q '@set: 200' printed && [[ ! -s said ]] && (($(grep -c '^@of' printed) < 100)) || { cat printed said; false; }
}

@test "exec in a thread that is not the first ends the number of that thread" {
	local program='tracepoint:syscalls:sys_enter_execve /pid != tid/ { @of[tid] = 1; @n++; }' owner
	for owner in "" 'let @of = owned_by(tid);'; do
		run -0 --separate-stderr timeout 60 coretap bt -q -c 'execs thread /bin/true true' -e "$owner $program"
		[[ $output == *'@n: 1'* ]] || { echo "$output $stderr"; false; }
		left=$(grep -c '^@of' <<<"$output" || true)
		[[ $left == $((1 - (${#owner} > 0))) ]] || { echo "$owner $output"; false; }
	done
}
