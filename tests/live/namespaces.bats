#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC2016,SC2030,SC2031,SC2086
# pid namespaces, as every container is one: whose numbers are given and shown. Mount and user namespaces,
# a chroot, cgroups of version 1.

bats_require_minimum_version 1.5.0
load wait

# All on one processor: emulated ones fall over a function that is patched while another runs it.
setup() {
	taskset -p 1 $BASHPID >/dev/null
	cd "$BATS_TEST_TMPDIR" || return
	printf 'x%.0s' {1..64} >some
}

teardown() {
	[ ! -v worker ] || kill "$worker" 2>/dev/null || true
}

count() { grep -c "$@" || true; }

# A SCRIPT as process 1 of a pid namespace, in which it is not told what the host calls it.
inside() {
	run --separate-stderr unshare -p -f --mount-proc bash -euc ". '$BATS_TEST_DIRNAME/wait.bash'; $1"
	# shellcheck disable=SC2154 # bats sets it
	[ "$status" -eq 0 ] || { echo "$output"; echo "$stderr"; false; }
}

# A process of the host that reads all the time: $worker.
worker_start() {
	reads -s 1000000 some >worker 3>&- &
	worker=$!
	wait_until test -s worker
}

@test "inside: -- COMMAND is seen, by the numbers that it knows itself" {
	inside 'execsnoop -j -o execs -- bash -c "echo \$\$ >shell; /bin/true child; exec /bin/true self"
		opensnoop -j -o opens -- bash -c "echo \$\$ >opener; : <some"
		argdump -j -o reads vfs_read count -- reads 7 some >reader'
	jq -e -s --argjson shell "$(<shell)" 'map(select(.type == "execsnoop")) |
		map(select(.argv[1] == "self")) == map(select(.pid == $shell and .argv[1] == "self")) and
		(map(select(.argv[1] == "child" and .ppid == $shell and .pid > $shell and .tid == .pid)) | length == 1)' \
		execs || { cat execs; false; }
	jq -e -s --argjson opener "$(<opener)" 'map(select(.path == "some")) |
		length == 1 and .[0].pid == $opener and .[0].tid == $opener' opens || { cat opens; false; }
	jq -e -s --argjson reader "$(<reader)" 'map(select(.comm == "reads" and .pid == $reader and .tid == $reader)) |
		length >= 7' reads || { cat reads; false; }
	[ "$(count 'PIDs are those of this pid namespace' <<<"$stderr")" -eq 3 ]
}

@test "inside: -p, -t, -f, and \$pid in --if, --by and values" {
	inside 'reads -s 1000000 some >w & worker=$!
		wait_until test -s w
		for options in "-p $worker" "-t $worker" "-p $worker,1 -c reads" "--if \$pid==$worker" \
			"-r --if \$tid==$worker" "--attach kprobe --if \$pid==$worker"; do
			argdump -q -n 3 $options vfs_read n=\$pid*2+\$tid
		done
		echo counted
		argdump -q --count --by "\$pid,\$tid" -p $worker vfs_read & tool=$!
		wait_attached $tool
		wait_reads $worker 3
		kill -INT $tool
		wait $tool
		echo family
		argdump -q -o family -n 5 -p 1 -f -c reads vfs_read & tool=$!
		wait_attached $tool
		reads 5 some
		wait $tool
		cat family
		kill $worker'
	worker=$(sed -n 's/.* n=//p' <<<"$output" | head -n 1) # three times its number
	[ $((worker % 3)) -eq 0 ]
	worker=$((worker / 3))
	[ "$worker" -lt 40 ] # the host's are larger here
	[ "$(sed /counted/q <<<"$output" | count -E "^ +$worker +$worker reads .*n=$((worker * 3))")" -eq 18 ] || { echo "$output"; false; }
	[ "$(sed -n '/counted/,/family/p' <<<"$output" | count -E "\b$worker +$worker\b")" -eq 1 ] || { echo "$output"; false; }
	family=$(sed '1,/family/d' <<<"$output")
	[ "$(count -E "^ +$(head -n 1 <<<"$family") +[0-9]+ reads " <<<"$family")" -eq 5 ] || { echo "$output"; false; }
	unset worker
}

@test "inside: outer tasks have number 0; inner namespaces have numbers; --host-pids shows the host's" {
	worker_start
	export worker
	inside 'echo self $$
		argdump -j -n 3 -c reads vfs_read >outside
		argdump -j -n 3 --host-pids -p $worker vfs_read >host 2>hosterr
		argdump -j -n 3 --host-pids --if "\$pid==$worker" vfs_read >>host
		argdump -j -o nested -c reads vfs_read count -- unshare -p -f --mount-proc reads 3 some >itself
		opensnoop -j -o opens -c reads -- unshare -p -f --mount-proc reads 3 some
		! opensnoop -p 4000000 2>none'
	jq -e -s 'length == 3 and all(.[]; .pid == 0 and .tid == 0)' outside
	jq -e -s --argjson worker "$worker" 'length == 6 and all(.[]; .pid == $worker and .tid == $worker)' host
	[ ! -s hosterr ]
	[ "$(<itself)" -eq 1 ]
	jq -e -s 'map(select(.type == "argdump")) | length >= 3 and
		all(.[]; .pid > 2 and .pid < 60 and .pid == .tid)' nested || { cat nested; false; }
	jq -e -s 'map(select(.path == "some")) | length == 1 and .[0].pid > 2 and .[0].pid < 60' opens || { cat opens; false; }
	grep 'process 4000000: it does not exist' none && grep -- '--host-pids takes' none
}

@test "inside: processors that are busy with outer tasks; tasks other than the running one by the host's numbers" {
	yes >/dev/null 3>&- &
	worker=$!
	inside 'cpuwalk -j -d 1 >walk
		profile -d 1 >folded
		yes >/dev/null & own=$!
		runqslower -m 0 -n 20 -j --comm yes >slow
		for tool in runqlat cpudist runqslower; do ! $tool --pid $own -d 1 2>>refused >>shown; done
		kill $own'
	[ "$(jq -s 'map(.count) | add' walk)" -ge 50 ] || { cat walk; false; } # 99 a second
	grep '^yes;' folded
	[ "$(count 'knows only the host.s numbers' <refused)" -eq 3 ]
	[ ! -s shown ]
	jq -e -s --argjson worker "$worker" 'map(.args.task) | unique | length == 2 and .[0] == $worker' slow || { cat slow; false; }
	[[ $stderr == *"PIDs are the host's"* ]]
}

@test "inside: bt's begin and end, which it runs itself, have its own numbers" {
	inside 'bt -q -e "begin { print((pid, tid, pid(init) != pid)); } end { print((pid, tid, tid(init) != tid)); }" &
		wait $!
		echo $!'
	[[ ${lines[0]} == "(${lines[2]}, ${lines[2]}, true)" && ${lines[1]} == "${lines[0]}" ]] || { echo "$output"; false; }
}

@test "inside, with the host's /proc: names in stacks are not looked up by wrong numbers" {
	run -0 --separate-stderr unshare -p -f bash -c 'argdump -U -n 1 -c reads vfs_read -- reads 3 some'
	[[ $stderr == *'/proc shows the PIDs of another namespace'* ]]
	[[ $output == *' reads '* ]]
}

@test "the host's numbers are unchanged, and --host-pids has no effect" {
	worker_start
	for options in '' --host-pids; do
		run -0 --separate-stderr argdump -n 3 $options -p "$worker" --if "\$pid==$worker" vfs_read
		[ "$(count -E "^ +$worker +$worker reads" <<<"$output")" -eq 3 ]
		[[ $stderr != *namespace* ]]
	done
}

@test "--inner-pids: HOST/INNER of tasks in another pid namespace, also seen from inside of one" {
	opensnoop -j --inner-pids -o opens -c reads -- bash -c 'unshare -p -f reads 1 some; reads 1 some'
	[ "$(jq -c 'select(.path == "some") | [.inner_pid, .pid > 1]' opens)" = $'[1,true]\n[null,true]' ] || { cat opens; false; }
	execsnoop --inner-pids -o execs -- bash -c 'unshare -p -f reads 1 some; reads 1 some'
	grep -qE '^reads +[0-9]+/1 ' execs || { cat execs; false; }
	grep -qE '^reads +[0-9]+ ' execs
	syssnoop -e openat --inner-pids -o calls -- unshare -p -f reads 1 some
	grep -qE '^\[pid +[0-9]+/1\] openat\(AT_FDCWD, "some"' calls || { cat calls; false; }
	argdump -j --inner-pids -c reads vfs_read count -o args -- unshare -p -f reads 1 some
	[ "$(jq -s 'map(select(.type == "argdump").args.inner_pid) | unique' -c args)" = '[1]' ] || { cat args; false; }
	inside 'opensnoop -j --inner-pids -o nested -c reads -- bash -c "unshare -p -f reads 1 some; reads 1 some"'
	[ "$(jq -c 'select(.path == "some") | [.inner_pid, .pid > 1 and .pid < 60]' nested)" = $'[1,true]\n[null,true]' ] || { cat nested; false; }
}

@test "a user namespace's root is refused, and why" {
	for command in 'argdump vfs_read' opensnoop execsnoop; do
		run -2 unshare -U -r -p -f $command -d 1
		[[ $output == *'rights in the initial user namespace'* ]] || { echo "$output"; false; }
	done
	[ -z "$(cat /sys/kernel/tracing/kprobe_events)" ]
}

@test "a mount namespace: paths are as the process has them" {
	mkdir m
	# shellcheck disable=SC2016
	opensnoop -j -- unshare -m bash -c 'mount -t tmpfs none m; echo >m/inner; cd m; : <inner' >opens
	jq -e -s --arg path "$PWD/m/inner" 'map(select(.path == "inner")) | length == 1 and
		.[0].full_path == $path and .[0].errno == null' opens || { cat opens; false; }
	[ ! -e m/inner ]
}

@test "a chroot without /proc or /sys: missing file systems are reported; with sysfs it traces" {
	mkdir -p root/{bin,sys}
	cp "$(command -v coretap)" "$(command -v busybox)" root/bin
	for applet in 'argdump vfs_read' opensnoop execsnoop; do
		run -2 chroot root /bin/coretap $applet -d 1
		[[ $output == *'sysfs mounted on /sys'* ]] || { echo "$output"; false; }
	done
	mount -t sysfs none root/sys
	run --separate-stderr chroot root /bin/coretap opensnoop -j -- /bin/busybox cat /bin/none
	# where programs are preempted, its first choice are events of tracefs
	chroot root /bin/coretap syssnoop -o calls -e trace=chdir /bin/busybox chroot / /bin/busybox true 2>err || { cat err; umount root/sys; false; }
	chroot root /bin/coretap argdump u:/bin/busybox:main 2>probe && probed=yes || probed=no
	umount root/sys
	grep -q '^chdir("/") *= 0' root/calls || { cat root/calls err; false; }
	[[ $probed == no && $(<probe) == *'mount -t proc proc /proc'* ]] || { cat probe; false; }
	# a path is as the machine has it, not as the chroot
	jq -e -s --arg path "$PWD/root/bin/none" 'map(select(.path == "/bin/none")) | length == 1 and .[0].errno == "ENOENT" and .[0].full_path == $path' <<<"$output" ||
		{ echo "$output"; echo "$stderr"; false; }
	[[ $stderr != *namespace* ]]
}

@test "cgroups of version 1 are refused, and other directories" {
	mkdir v1
	run -1 opensnoop -d 1 --cgroup "$PWD"
	[[ $output == *'not a cgroup'*'cgroup2'* ]]
	mount -t cgroup -o cpu none v1 || mount -t cgroup -o pids none v1 || skip 'this kernel mounts no cgroup of version 1'
	for applet in 'argdump vfs_read' opensnoop; do
		run -1 $applet -d 1 --cgroup v1
		[[ $output == *'cgroup of version 1'*'cgroup2 file system'* ]] || { echo "$output"; umount v1; false; }
	done
	umount v1
}

# COMMAND… with an input that ends after a second
lives() {
	sleep 1 >fifo 3>&- &
	run --separate-stderr "$@" <fifo
}

# In ./root, a root with the C library of its own file, and the program dynamic
root_make() {
	local program=$1 file
	for file in "$program" /lib64/ld-*.so* /lib/ld-*.so* /usr/lib/*-linux-gnu/ld-*.so* /usr/lib/*-linux-gnu/lib{c,dl,pthread}.so*; do
		[ -e "$file" ] || continue
		mkdir -p "root$(dirname "$file")"
		cp -L "$file" "root$file"
	done
}

is_program() { [[ $(readlink /proc/"$1"/exe) == */$2 ]]; } # PID NAME

# own_library COMMAND…: the process that COMMAND becomes has another libc than we: -p PID finds it
own_library() {
	local tool pid
	for tool in "argdump --count -p PID u:libc:malloc" "memleak -p PID" "coretap bt -q -p PID -e uprobe:libc:malloc{@=count();}"; do
		rm -f fifo
		mkfifo fifo
		"$@" <fifo >/dev/null 2>&1 &
		pid=$!
		exec 8>fifo
		wait_until is_program $pid dynamic
		wait_until grep -q libc /proc/$pid/maps
		${tool//PID/$pid} >out 2>err 8>&- &
		wait_attached $! err
		echo "127.0.0.1 5099" >&8
		exec 8>&-
		wait $pid || true
		kill -INT $! 2>/dev/null || true
		wait $! || { echo "$tool ends with $?"; cat err; return 1; }
		# gethostbyname keeps its memory
		{ grep -qE '(total: [1-9]|ustack|libc|@: [1-9])' out && ! grep -F '(no calls' out; } || { echo "$tool"; cat out err; return 1; }
		! grep -E "cannot find|calls are missing" err || { echo "$tool"; return 1; }
	done
}

@test "a library by its name with -p PID: of a process with another root, in a mount namespace, its own" {
	local program; program=$(type -P dynamic)
	cd "$BATS_TEST_TMPDIR"
	root_make "$program"
	own_library chroot root "$program" peers gethostbyname
	mkdir box own
	# as a container: its root is in a file system that only it sees
	own_library unshare -m sh -c "mount -t tmpfs none box && cp -r root box && exec chroot box/root $program peers gethostbyname"
	# with our root, but a library that only it sees
	own_library unshare -m sh -c "mount -t tmpfs none own && cp $(find /lib/ /usr/lib/ -name libc.so.6 | head -n 1) own/libc.so.6 &&
		LD_LIBRARY_PATH=$PWD/own exec $program peers gethostbyname"
}

@test "a library by its name: a command with another root runs another copy, which is reported" {
	local program other
	program=$(type -P dynamic)
	cd "$BATS_TEST_TMPDIR"
	root_make "$program"
	mkfifo fifo
	lives argdump --count u:libc:malloc -- chroot root "$program" peers getaddrinfo
	other=$(sed -n "s/^argdump: warning: 'libc' is .* of this mount namespace, but process [0-9]* ran \(.*\): its calls are missing$/\1/p" <<<"$stderr")
	[[ $other == "$PWD/root/"*libc* && -e $other ]] || { echo "$output$stderr"; false; }
	# the line that works
	[[ $stderr == *"u:$other:FUNC traces that one"* ]]
	lives argdump --count "u:$other:malloc" -- chroot root "$program" peers getaddrinfo
	[[ $(tail -n 1 <<<"$output") =~ total:\ [1-9] ]] || { echo "$output$stderr"; false; }
	lives memleak -- chroot root "$program" peers getaddrinfo
	[[ $stderr == *"its calls are missing"*"-p PID traces"* ]] || { echo "$output$stderr"; false; }
	# with our root there is nothing to say
	lives argdump --count u:libc:malloc -- "$program" peers getaddrinfo
	[[ $stderr != *"calls are missing"* && $(tail -n 1 <<<"$output") =~ total:\ [1-9] ]] || { echo "$output$stderr"; false; }
}
