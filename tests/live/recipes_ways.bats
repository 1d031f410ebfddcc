#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Recipes and all ways in that the kernel has: the same deed by each call; deeds that fail or have no effect; threads
# that are dead; events that an interrupt makes. The workload counts what it did.

bats_require_minimum_version 1.5.0
load argdump
load recipes
load wait

setup() { cd "$BATS_TEST_TMPDIR" || return; }

@test "killsnoop: by every call that sends a signal; --signal takes names" {
	run -0 --separate-stderr killsnoop -j -s usr1 -- ways signals
	# 1: the kernel has no pidfd_send_signal that works
	same '[(.args.call | sub("^.*_sys_"; "")), .args.sig, .args.to == .pid, .args.thread == .tid, .errno]' "$(cat <<-'END'
		["kill","SIGUSR1",true,false,null]
		["tkill","SIGUSR1",true,false,null]
		["tgkill","SIGUSR1",true,true,null]
		["rt_sigqueueinfo","SIGUSR1",true,false,null]
		["rt_tgsigqueueinfo","SIGUSR1",true,true,null]
		["pidfd_send_signal","SIGUSR1",true,false,null]
	END
	)" killsnoop
	[ "$(grep -cx 6 <<<"$stderr")" -eq 1 ] || { echo "$stderr"; false; }
	shows .args.sig killsnoop -s KILL -- sh -c 'sleep 9 & kill -CONT $!; kill -9 $!' <<<'"SIGKILL"'
	run -1 --separate-stderr killsnoop -s KILLL -- true
	[[ $stderr == *"--signal takes a signal such as KILL, SIGKILL or 9, not 'KILLL'"*"did you mean KILL?"* ]]
}

# busy processors: a timer interrupts whoever runs there
alarm_beside() {
	local burning=()
	samples burn 0 1 & burning=($!)
	samples burn 1 1 & burning+=($!)
	ways alarm 10
	wait "${burning[@]}"
}

@test "killsnoop: whom a descriptor refers to: nobody, a process by its folder in /proc, by a pidfd" {
	beside killsnoop -s usr1 -- ways pidfds
	[ "$(jq -c 'select(.args) | [.args.to, .args.to == .pid, .args.to == -.pid, .args.ret, .args.call]' <<<"$output" | sed -E 's/^\[-?[0-9]{2,},/[PID,/')" = '[-1,false,false,-9,"pidfd_send_signal"]
[PID,true,false,0,"pidfd_send_signal"]
[PID,true,false,0,"pidfd_send_signal"]
[PID,false,true,'"$(<beside.work)"',"pidfd_send_signal"]' ] || { echo "$output$stderr"; false; }
}

@test "killsnoop -k, sigsnoop -k: only signals of kill(2)" {
	run -0 --separate-stderr killsnoop -j -k -s usr1 -- ways signals
	jq -e -s 'map(select(.args)) | length >= 1 and all(.args.call | endswith("kill") and (test("tkill|tgkill") | not))' <<<"$output" || { echo "$output"; false; }
	run -0 --separate-stderr sigsnoop -j -k -- sh -c 'kill -CONT $$; sleep 0.1 & wait'
	jq -e -s 'map(select(.args)) | length >= 1 and all(.args.code == 0 and .args.sig != "SIGCHLD")' <<<"$output" || { echo "$output"; false; }
}

@test "sigsnoop: a timer's signals come from nobody who ran" {
	local came
	together 'sigsnoop -j -s ALRM' -- alarm_beside
	# it counts them: more than ten may come until the timer is off
	came=$(sed -n 's/^came //p' together.work)
	[ "$came" -ge 10 ] || { cat together.work; false; }
	showed '[.args.from, .args.sender, .args.sig, .args.name, .args.code]' sigsnoop < <(
		for ((; came; came--)); do echo '[0,"swapper/0","SIGALRM","ways",128]'; done)
}

@test "naptime: as long as it was asked for, however it was said" {
	run -0 --separate-stderr naptime -j -c ways -- ways naps 100
	# what is left when the kernel begins, of 100 ms that a busy guest has begun to use up
	same '[.args.absolute, .args.asked <= 100000000, .args.asked >= 20000000, .args.slept >= .args.asked]' "$(cat <<-'END'
		[false,true,true,true]
		[true,true,true,true]
		[true,true,true,true]
		[true,true,true,true]
		[true,true,false,true]
	END
	)" naptime
	[ "$(tail -n 1 <<<"$output" | jq .args.asked)" -eq 0 ] || { echo "$output"; false; }
}

# the parent stops it in its sleep and lets it go on
stopped_sleep() {
	sleep 0.5 &
	until grep -q '(sleep) S' "/proc/$!/stat"; do :; done
	kill -STOP $!
	until grep -q '(sleep) T' "/proc/$!/stat"; do :; done
	kill -CONT $!
	wait
}

@test "naptime: what goes on after a stop is a row, until the same end" {
	export -f stopped_sleep
	run -0 --separate-stderr naptime -j -c sleep -- bash -c stopped_sleep
	same '[.args.absolute, .args.asked <= 500000000]' $'[false,true]\n[true,true]' naptime
}

# how many futex_waitv(2) were woken is what it prints
@test "futexctn: waits that were woken, not those that were needless or timed out" {
	local woken
	together 'futexctn -j -c ways' -- ways futex
	woken=$(<together.work)
	# but for pthread_join, which waits for a thread that is about to end
	[ "$(jq -s 'map(select(any(.by.ustack[]?; startswith("syscall"))) | .count) | add // 0' futexctn.out)" -eq "$woken" ] || { cat together.work futexctn.out futexctn.err; false; }
	together 'futexctn -j -a -c ways' -- ways futex
	woken=$(<together.work)
	within $((1003 + woken)) $((1003 + woken + 2)) "$(jq -s 'map(.count) | add // 0' futexctn.out)"
}

@test "offcputime, cpudist -O, wakeuptime: nothing is begun for the dead" {
	together 'offcputime -K' 'cpudist -O -j -P' 'wakeuptime -c ways' -- ways dead 12
	# one that ends may be preempted before it is dead
	! grep -E 'do_task_dead|do_exit_\[k\];[^;]*schedule_.* [0-9]{5,}$' offcputime.out || { cat offcputime.out; false; }
	# twelve naps of 20 ms of the parent
	within 240000 3000000 "$(sed -n 's/^ways;.*nanosleep.* \([0-9]*\)$/\1/p' offcputime.out | awk '{ n += $1 } END { print n + 0 }')"
	# no stretch of a child is longer than it was off: as long as a dead one's address was unused
	jq -e -s 'map(select(.by.name == "ways")) | length >= 1' cpudist.out
}

@test "exitsnoop: the process's age and code, not the last thread's" {
	shows '[.args.code, .args.age >= 80000000, .tid != .pid]' exitsnoop -c ways -- sh -c 'ways last || true' <<<'[3,true,true]'
	shows '[.args.code, .tid == .pid]' exitsnoop --threads -c ways -- sh -c 'ways last || true' <<-'END'
		[0,true]
		[3,false]
	END
	# the second thread's age is its own: it began at least 40 ms after the first
	jq -e -s 'map(select(.args) | .ts_ns - .args.age) | .[1] - .[0] >= 40000000' <<<"$output" || { echo "$output"; false; }
}

@test "setuids: who it is after the call" {
	shows '[(.args.call | sub("^.*_sys_"; "")), .args.old, .args.asked, .args.ret, .args.uid, .args.euid, .args.suid]' setuids -- ways euid <<-'END'
		["setresuid",0,1000,0,0,1000,0]
		["setreuid",1000,0,0,0,0,0]
	END
}

@test "ttysnoop: what a terminal took, once" {
	run -0 --separate-stderr ttysnoop -j -c ways -- ways full
	[ "$(jq -s 'map(.args.text | length) | add' <<<"$output")" -eq "$(grep -xE '[0-9]+' <<<"$stderr")" ] || { tail -n 3 <<<"$output"; echo "$stderr"; false; }
}

@test "memleak: each way to allocate, a realloc that fails, children by themselves" {
	together 'memleak -j --interval 60 --comm dynamic' -- dynamic forked 5
	local name
	for name in aligned:5:500 arrays:5:750 unmoved:5:385 child:10:110; do
		[ "$(jq -c -s "map(select(any(.by.ustack[]?; startswith(\"${name%%:*}+\")))) | [(map(.count) | add), (map(.size) | add)]" memleak.out)" = \
			"[$(cut -d: -f2 <<<"$name"),$(cut -d: -f3 <<<"$name")]" ] || { echo "$name"; cat memleak.out memleak.err; false; }
	done
	# reallocarray and realloc of nothing are one allocation with what they call
	run ! grep '"replaced"' memleak.out
}

# Each allocation of 1001 to 1005 bytes, or 1024, is of one function.
@test "memleak: memalign, valloc, pvalloc, aligned_alloc, reallocarray and strdup" {
	together 'memleak -j --interval 60 --comm allocates' -- allocates ways 5
	[ "$(jq -c 'select(.by) | [.count, .size]' memleak.out | sort)" = \
		$'[5,5005]\n[5,5010]\n[5,5015]\n[5,5025]\n[5,5030]\n[5,5120]' ] || { cat memleak.out memleak.err; false; }
	local name
	for name in memaligned:5005 pages:5010 whole_pages:5015 aligned:5120 arrays:5025; do
		[ "$(jq -c "select(any(.by.ustack[]?; startswith(\"${name%:*}+\"))) | .size" memleak.out)" = "${name#*:}" ] ||
			{ echo "$name"; cat memleak.out; false; }
	done
}

# What a process has not freed when it ends stays in the table. Neither its number nor what it executes inherits it.
@test "memleak: a process number that is used again, a program that is executed" {
	local how
	for how in pids execs; do
		together 'memleak -j --interval 60 --comm allocates' -- allocates $how 5
		[[ $how != pids ]] || grep -qx 'the same number' together.work || { cat together.work; false; }
		[ "$(jq -c 'select(any(.by.ustack[]?; startswith("leaks+"))) | [.count, .size]' memleak.out)" = '[5,220]' ] ||
			{ echo "$how"; cat memleak.out memleak.err; false; }
		run ! grep 'frees+' memleak.out
	done
}

@test "memleak: a program with an allocator of its own is told of; --obj traces it" {
	run -0 --separate-stderr memleak -- owns 10
	[[ $stderr == *"'libc' is "*"nor those of a library that replaces its functions (jemalloc)"* ]] || { echo "$output$stderr"; false; }
	# what is open at the end is no sign of such a program
	run -0 --separate-stderr memleak -- allocates ways 1
	[[ $stderr != *"'libc' is "* ]] || { echo "$output$stderr"; false; }
	shows 'select(any(.by.ustack[]?; startswith("takes+"))) | [.count, .size]' memleak --interval 60 --obj "$(command -v owns)" -- owns 10 <<<'[5,500]'
}

# gethostbyname is made of gethostbyname_r, which is not another lookup
@test "gethostlatency: each lookup once, by its own function" {
	shows '[(.args.call | sub("^.*:"; "")), .args.host]' gethostlatency -- dynamic hosts <<-'END'
		["gethostbyname","127.0.0.1"]
		["gethostbyname2","127.0.0.1"]
		["gethostbyname_r","127.0.0.1"]
	END
}

# names of functions of BPF, perf, ftrace and kprobes
tracers='__traceiter|bpf_trace_run|bpf_prog_[0-9a-f]{16}|bpf_trampoline|ftrace_|fprobe|rethook|get_perf_callchain|bpf_get_stack|kprobe'

@test "stacks have no frames of the tracing, whatever it is attached by" {
	local how
	together 'offcputime -K' wakeuptime 'stackcount -c reads vfs_read' -- sh -c 'deeds nap 5 3; reads 3 /proc/self/status'
	# of the workload: tracers that detach are in such functions themselves
	for how in offcputime wakeuptime; do
		grep -q '^deeds;' $how.out && ! grep -E "^deeds;.*($tracers)" $how.out || { cat $how.out $how.err; false; }
	done
	grep -q vfs_read stackcount.out && ! grep -E "$tracers" stackcount.out || { cat stackcount.out stackcount.err; false; }
	for how in fentry kprobe kprobe.multi; do
		run --separate-stderr argdump --attach $how -r -k -c reads vfs_read -- reads 3 /proc/self/status
		[ "$status" -eq 0 ] || { echo "no $how here: $stderr"; continue; }
		grep -q 'vfs_read' <<<"$output" && ! grep -E "$tracers" <<<"$output" || { echo "$how: $output"; false; }
	done
}

# a workload is called ucalls, too
of_calls() { coretap ucalls "$@"; }

@test "ucalls, uobjnew: the arguments of each language" {
	local file
	file=$(command -v speaks)
	shows '[.by.class, .by.method, .count]' of_calls "$file" -- speaks perl 3 <<<'["Package","sub",3]'
	shows '[.by.class, .by.method, .count]' of_calls "$file" -- speaks php 2 <<<'["Class","method",2]'
	shows '[.by.class, .by.method, .count]' of_calls "$file" -- speaks jvm 2 </dev/null
	shows '[.by.class, .by.method, .count]' of_calls --java "$file" -- speaks jvm 2 <<<'["Some/Class","method",2]'
	shows '[.by.class, .count, .size]' uobjnew --java "$file" -- speaks jvm 2 <<<'["Some/Class",2,48]'
	shows '[.by.class, .count]' uobjnew "$file" -- speaks ruby 2 <<<'["Thing",2]'
}

@test "syscount -P: processes of one name are two rows" {
	run -0 --separate-stderr syscount -j -P --call getppid -- deeds calls 200
	same '[.by.what, .count]' $'["deeds",200]\n["deeds",200]' syscount
	[ "$(jq -s 'map(select(.by) | .by.pid) | unique | length' <<<"$output")" -eq 2 ] || { echo "$output"; false; }
}

@test "lines of the originals: what they choose" {
	local parent
	run -0 --separate-stderr opensnoop -j 'rs$' -- bash -c ': </dev/null; : </proc/filters 2>/dev/null; : </proc/diskstats; : </proc/mounts'
	[ "$(jq -r 'select(.type == "opensnoop") | .path' <<<"$output")" = /proc/filters ] || { echo "$output"; false; }
	run -0 --separate-stderr opensnoop -j 'proc.*kst' -- bash -c ': </proc/diskstats; : </proc/mounts'
	[ "$(jq -r 'select(.type == "opensnoop") | .path' <<<"$output")" = /proc/diskstats ] || { echo "$output"; false; }
	run -0 --separate-stderr execsnoop -j -l 'p 0.*1$' -n '^s' -- bash -c '/bin/true 0.01; sleep 0.01'
	[ "$(jq -c 'select(.type == "execsnoop") | .argv' <<<"$output")" = '["sleep","0.01"]' ] || { echo "$output"; false; }
	run -0 --separate-stderr syscount -j -L -x -e ENOENT --call faccessat -- bash -c ':' # the same end of both options
	bash -c 'for i in {1..40}; do deeds nap 1 50; done' &
	parent=$!
	run -0 --separate-stderr syscount -j -c "$parent" -d 2
	kill "$parent"
	wait "$parent" 2>/dev/null || true
	[ "$(jq -r 'select(.by.what == "execve") | .count > 1' <<<"$output")" = true ] || { echo "$output"; false; }
}

@test "runqlat, cpudist: one histogram, whatever began the wait" {
	local name
	together runqlat cpudist -- deeds turns 5
	for name in runqlat cpudist; do
		! grep func= $name.out && [ "$(grep -c ' calls  p50' $name.out)" -eq 1 ] || { cat $name.out; false; }
	done
}

@test "cpudist -c: a program that was executed has its new name" {
	beside cpudist -c deeds -- sh -c 'exec deeds nap 5 3'
	# what runs from the exec to the first nap, and from nap to nap
	[ "$(jq -s 'map(.took[]? | .[2]) | add // 0' <<<"$output")" -ge 4 ] || { echo "$output"; false; }
}

@test "klockwait: free locks are not waited for" {
	# as many acquisitions as a walk makes, by one thread alone
	together 'klockwait -j --comm find' -- find /sys/kernel -maxdepth 3
	within 0 20 "$(jq -s 'map(.count) | add // 0' klockwait.out)"
}

@test "oomkill: each of a group that is killed, once" {
	echo +memory >/sys/fs/cgroup/cgroup.subtree_control || skip "no memory controller"
	group=/sys/fs/cgroup/together
	mkdir -p $group && echo 20M >$group/memory.max && echo 1 >$group/memory.oom.group
	run --separate-stderr oomkill -j -- sh -c "sh -c 'echo \$\$ >$group/cgroup.procs; sleep 20 & exec deeds memory 40'; true"
	[ "$(jq -r .args.victim <<<"$output" | sort | tr '\n' ' ')" = 'deeds sleep ' ] || { echo "$output"; false; }
	rmdir $group
}
