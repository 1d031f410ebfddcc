#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Recipes about waiting: locks, sleep, queues. Waits of a known length by a thread with a hostile name; what
# was measured in the workload is the upper bound.

bats_require_minimum_version 1.5.0
load argdump
load recipes
load wait

setup() { cd "$BATS_TEST_TMPDIR" || return; }

sum_of() { jq -s "map(select(.by.comm == \"a;b\\nc\") | .$1) | add" futexctn.out; } # KEY

@test "futexctn: which lock, how often, how long" {
	together 'futexctn -j' -- waits futex 30 3
	read -r most lock tid <together.work
	[ "$(sum_of count)" -eq 3 ]
	within 90000000 "${most}000000" "$(sum_of waited)"
	jq -e -s "map(select(.by.comm == \"a;b\\nc\")) | all(.by.lock == $lock and .by.tid == $tid and .longest >= 30000000)" futexctn.out
}

@test "futexctn -l, -s: one lock, and without stacks" {
	local lock
	together 'futexctn -j -s' -- waits futex 30 3
	read -r _ lock _ <together.work
	jq -e -s "map(select(.by.comm == \"a;b\nc\")) | length == 1 and .[0].count == 3 and .[0].by.lock == $lock and (.[0].by | has(\"ustack\") | not)" futexctn.out ||
		{ cat futexctn.out; false; }
	run -0 --separate-stderr futexctn -j -l 0x10 -- waits futex 30 3
	[ "$(jq -s 'map(select(.by)) | length' < <(grep '^{' <<<"$output"))" -eq 0 ] || { echo "$output"; false; }
}

@test "klockwait: the mutex of a terminal that another reads" {
	local here='.by.func == "__mutex_lock_interruptible_slowpath" and any(.by.kstack[]?; startswith("n_tty_read"))'
	together 'klockwait -j --comm a* --top 100' -- waits read 50
	read -r most _ <together.work
	# 5.10, which says so
	! grep -q 'cannot unwind past the trampoline' klockwait.err || here='.by.func == "__mutex_lock_interruptible_slowpath"'
	showed "select($here) | [.count, .waited == .longest]" klockwait <<<'[1,true]'
	within 50000000 "${most}000000" "$(jq "select($here) | .waited" klockwait.out)"
	together 'klockwait -j --per-thread --comm a* --top 100' -- waits read 50
	jq -e -s 'map(select(.by.tid > 0 and (.by.comm | startswith("a")) and .waited >= 50000000)) | length >= 1' klockwait.out || {
		cat klockwait.out klockwait.err; false
	}
}

# The one who reads holds it until there is something to read, the other waits for that long and gets it then.
@test "klockstat: the mutex of a terminal that is read: acquired twice, waited for once, held as long as it is read" {
	together 'klockstat -j --comm a*,waker,waits --top 1000' -- waits read 50
	local here='.by.func == "mutex_lock_interruptible" and any(.by.kstack[]?; startswith("n_tty_read"))' most
	read -r most _ <together.work
	showed "select($here) | [.count, .waits, .releases, .waited == .longest, .longest >= 50000000, .longest_held >= 50000000, .held <= .elapsed_ns]" \
		klockstat <<<'[2,1,2,true,true,true,true]'
	within 50000000 "${most}000000" "$(jq "select($here) | .waited" klockstat.out)"
	together 'klockstat -j -P --comm a*,waker,waits --top 1000' -- waits read 50
	here+=' and .by.tid > 0'
	showed "select($here) | [.by.comm, .count, .waits]" klockstat <<<$'["a;b\\nc",1,1]\n["waker",1,0]'
	titles 'func waited waits longest count held releases longest_held' klockstat --top 1 -- waits read 1
}

@test "klockstat: a lock that is not got is not acquired: by a trylock, or because of a signal" {
	together 'klockstat -j --comm a*,waker,waits --top 1000' -- waits refused 30
	local here='any(.by.kstack[]?; startswith("n_tty_read")) and (.by.func | startswith("mutex_"))'
	# only the one that reads all the time
	showed "select($here) | [.by.func, .count, .waits, .longest_held >= 30000000]" klockstat <<<'["mutex_lock_interruptible",1,0,true]'
}

# A thread that is not the first one executes a program: it locks as one thread, and gets the number of the first before it unlocks.
# Only of that program: with --per-thread the many processes that wait for a tool to attach would fill the tables.
@test "klockstat: a mutex that is released by a thread of another number" {
	run -0 --separate-stderr klockstat -j --per-thread --top 100000 -- execs thread /bin/busybox true
	local tid
	tid=$(sed -n 's/^[0-9]* \([0-9]*\)$/\1/p' <<<"$output"$'\n'"$stderr")
	[ -n "$tid" ]
	same "select(.by.tid == $tid and .by.func == \"mutex_lock_interruptible\" and any(.by.kstack[]?; startswith(\"bprm_execve\"))) |
		[.count, .releases, .longest_held > 0]" '[1,1,true]' klockstat
}

@test "klockstat --interval --clear: what is held across intervals is in the one in which it is released; --sort held" {
	run -0 --separate-stderr klockstat -j --top 3 -S acq_count,hld_total --comm waits 0.5 2 -- sh -c 'waits read 50 >/dev/null; sleep 5'
	[[ $stderr == *'one table has all columns: it is sorted by the first of these'* ]] || { echo "$stderr"; false; }
	jq -e -s 'map(select(.by)) | group_by(.time) | all(length <= 3 and ([.[].count] | . == (sort | reverse)))' <<<"$output" || { echo "$output"; false; }
	run -0 --separate-stderr klockstat -j -S hld_total 0.5 4 -- waits read 800
	local here='select(.by) | select(.by.func == "mutex_lock_interruptible" and any(.by.kstack[]?; startswith("n_tty_read")))'
	jq -e -s "map($here) | (map(.count) | add == 2) and (map(.releases) | add == 2) and any(.count == 0 and .longest_held >= 700000000)" <<<"$output" ||
		{ jq -c "$here" <<<"$output"; false; }
}

# How many microseconds folded lines like PATTERN have.
folded_sum() { sed -nE "/$1/s/.* ([0-9]+)\$/\1/p" "$2.out" | awk '{ n += $1 } END { print n + 0 }'; } # PATTERN RECIPE

@test "wakeuptime, offwaketime: a thread that another wakes, by both stacks" {
	together "wakeuptime -c a*" "offwaketime -c a*" -- waits pipe 30 3
	read -r most _ <together.work
	# a name that would end a frame, or the line
	within 90000 "${most}000" "$(folded_sum '^a:b\\nc;.*;ksys_write.*pipe_write.*;waker ' wakeuptime)"
	within 90000 "${most}000" "$(folded_sum '^a:b\\nc;.*pipe_read.*;ksys_write.*;waker ' offwaketime)"
}

busy_waits() {
	taskset 1 samples burn 1 5 &
	taskset 1 waits pipe 30 3
	kill $!
	ways dead 8
}

@test "offwaketime: until the thread runs again, and nothing of the dead" {
	together "wakeuptime -c a*" "offwaketime -c a*" "offcputime -c ways" -- busy_waits
	read -r most _ <together.work
	within 90000 "${most}000" "$(folded_sum '^a:b\\nc;.*pipe_read.*;ksys_write.*;waker ' offwaketime)"
	# the one that wakes it has the processor, and another that burns it
	within "$(folded_sum '^a:b\\nc;.*;ksys_write.*pipe_write.*;waker ' wakeuptime)" "${most}000" "$(folded_sum '^a:b\\nc;.*pipe_read.*;waker ' offwaketime)"
	run -0 --separate-stderr offwaketime -- ways dead 8
	! grep -E '^ways;.*;do_(task_dead|exit)_\[k\];.*;__schedule_\[k\]' <<<"$output" || { echo "$output"; false; }
	grep -q '^ways;.*nanosleep' <<<"$output"
	run -0 --separate-stderr offwaketime -m 1000000000 -- ways dead 2
	[ -z "$output" ] || { echo "$output"; false; }
}

@test "offwaketime -K, -U, --state: kernel stacks, user stacks, one state" {
	run -0 --separate-stderr offwaketime -- sh -c 'waits pipe 30 3 >/dev/null'
	grep -Eq '^a:b\\nc;(.*;)?[^;]*read;.*pipe_read_\[k\];.*ksys_write_\[k\].*;waker [0-9]+$' <<<"$output" || { echo "$output"; false; }
	run -0 --separate-stderr offwaketime -K --state S -- sh -c 'waits pipe 30 3 >/dev/null'
	grep -Eq '^a:b\\nc;([^;]*_\[k\];)*[^;]*pipe_read_\[k\];([^;]*_\[k\];)*waker [0-9]+$' <<<"$output" || { echo "$output"; false; }
	run -0 --separate-stderr offwaketime -U -- sh -c 'waits pipe 30 3 >/dev/null'
	grep -Eq '^a:b\\nc;([^;]+;)+waker [0-9]+$' <<<"$output" || { echo "$output"; false; }
	! grep -F '_[k]' <<<"$output" || { echo "$output"; false; }
	# who is woken by an interrupt has no user stack of another one
	run -0 --separate-stderr offwaketime -U -- deeds nap 20 3
	grep -Eq '^deeds;.*;swapper/0 [0-9]+$|^deeds;swapper/0 [0-9]+$' <<<"$output" || { echo "$output"; false; }
	run -0 --separate-stderr offwaketime --state D -- sh -c 'waits pipe 30 3 >/dev/null'
	! grep -F 'pipe_read' <<<"$output" || { echo "$output"; false; }
}

@test "klockstat -c: only locks that are taken in functions of that name" {
	local of='map(select(.by and (.by.func | test("mutex_lock_interruptible")))) | length'
	together 'klockstat -j -c n_tty_re --top 1000' -- waits read 50
	[ "$(jq -s "$of" klockstat.out)" -ge 1 ] || { cat klockstat.out klockstat.err; false; }
	together 'klockstat -j -L cgroup_mutex --top 100' -- waits read 50
	[ "$(jq -s "$of" klockstat.out)" -eq 0 ] || { cat klockstat.out klockstat.err; false; }
	together 'klockstat -j --caller *pipe_read --top 1000' -- waits read 50
	[ "$(jq -s "$of" klockstat.out)" -eq 0 ] || { cat klockstat.out klockstat.err; false; }
}

@test "runqlen, loads: three that want the same processor" {
	together 'runqlen -j -C' -- sh -c 'samples burn 1 0.5 & samples burn 1 0.5 & samples burn 1 0.5; wait'
	# one of them runs, so two wait, in the samples of a busy half second; a third is the guest's own, now and then
	within 15 200 "$(jq 'select(.by.cpu == 1) | .waiting[] | select(.[0] >= 2) | .[2]' runqlen.out | jq -s add)"
	within 0 15 "$(jq 'select(.by.cpu == 1) | .waiting[] | select(.[0] >= 3) | .[2]' runqlen.out | jq -s 'add // 0')"
	together 'runqlen -j -C -H' -- sh -c 'samples burn 1 0.5 & samples burn 1 0.5 & samples burn 1 0.5; wait'
	within 15 200 "$(jq 'select(.by.cpu == 1) | .waiting[] | select(.[0] >= 2) | .[2]' runqlen.out | jq -s add)"
	# who runs alone waits for nobody
	together 'runqlen -j -C' -- samples burn 1 0.5
	within 15 200 "$(jq 'select(.by.cpu == 1) | .waiting[] | select(.[0] == 0) | .[2]' runqlen.out | jq -s add)"
	run -0 --separate-stderr loads -j -n 1
	read -r one five fifteen _ </proc/loadavg
	same "[[.args.one - $one, .args.five - $five, .args.fifteen - $fifteen][] | fabs <= 0.25]" '[true,true,true]' loads
	run -0 --separate-stderr loads -n 1
	[[ ${lines[1]} =~ ^\ *[0-9]+\.[0-9]{2}\ +[0-9]+\.[0-9]{2}\ +[0-9]+\.[0-9]{2}$ ]] || { echo "$output"; false; }
}

@test "cpuunclaimed: three that want the same processor, and one on each" {
	together 'cpuunclaimed -j --interval 60' -- sh -c 'samples burn 1 1 & samples burn 1 1 & samples burn 1 1; wait'
	showed '[.cpus == 2 * .samples, .unclaimed >= 4 and .unclaimed <= 50, .cpu >= 35 and .cpu <= 95]' cpuunclaimed <<<'[true,true,true]'
	unclaimed=$(jq .unclaimed cpuunclaimed.out) # less than a quarter where the guest's own work takes the other processor
	# two of the three, in a busy second
	within 60 600 "$(jq .waiting cpuunclaimed.out)"
	together 'cpuunclaimed -j --interval 60' -- sh -c 'samples burn 0 1 & samples burn 1 1; wait'
	[ "$(jq .unclaimed cpuunclaimed.out)" -lt "$unclaimed" ] || { cat cpuunclaimed.out; false; }
	showed '.cpu >= 60' cpuunclaimed <<<true
}

moved() { awk '$1 == "numa_pages_migrated" || $1 == "pgmigrate_numa" { print $2 }' /proc/vmstat; }

@test "numamove, cpufreq: as many pages as /proc/vmstat counts; no processor that changes its frequency" {
	local before
	before=$(moved)
	cpufreq --dry-run -q >/dev/null 2>&1 || skip "$(cpufreq --dry-run 2>&1 | head -n 1)"
	together 'numamove -j --interval 60' 'cpufreq -j' -- true
	[ "$(jq -s 'map(.pages) | add // 0' numamove.out)" -eq "$(($(moved) - before))" ]
	[ -e /sys/devices/system/cpu/cpu0/cpufreq ] || [ ! -s cpufreq.out ]
}

@test "hwstat, llcstat, kvmexit, criticalstat: what this machine or kernel has not is named" {
	local name
	for name in hwstat llcstat; do
		run --separate-stderr $name -d 0.1
		[ "$status" -eq 0 ] || [[ $status == 2 && $stderr == *"this machine cannot count that event"* ]] || { echo "$name: $status $stderr"; false; }
	done
	for name in kvmexit criticalstat; do
		run --separate-stderr $name --duration 0.1
		[ "$status" -eq 0 ] || [[ $stderr == *"this kernel has no tracepoint"* ]] || { echo "$name: $status $stderr"; false; }
	done
}

# The mutexes are numbered as the program prints them.
cycle() { # RECIPE ARGUMENT… -- mutexes WHAT: FIRST NEXT THREAD of each row
	run -0 --separate-stderr "$@"
	jq -r '"\(.by.first) \(.by.next) \(.comm)"' <<<"$output" | while read -r first next comm; do
		echo "$(at $first) $(at $next) $comm"
	done | sort >cycle
}

at() { printf '0x%x\n' "$1" | grep -n -x -F -f - <(grep '^0x' <<<"$stderr") | cut -d : -f 1; }

@test "deadlock: pairs of mutexes that are in a cycle, and only those" {
	cycle deadlock -j -- mutexes agree
	[ ! -s cycle ] || { cat cycle; false; }
	cycle deadlock -j -- mutexes two
	[ "$(<cycle)" = $'1 2 one\n2 1 other' ] || { cat cycle; echo "$output$stderr"; false; }
	jq -e -s 'all(.count == 1 and (.held[0] | startswith("both_lock")) and (.stack[0] | startswith("second_lock")))' <<<"$output" || { echo "$output"; false; }
	cycle deadlock -j -- mutexes four
	[ "$(<cycle)" = $'1 2 one\n2 3 two\n3 4 three\n4 1 back' ] || { cat cycle; echo "$output$stderr"; false; }
	cycle deadlock -j --all -- mutexes two
	[ "$(<cycle)" = $'1 2 one\n2 1 other\n2 3 two\n3 4 three\n4 6 out\n5 1 in' ] || { cat cycle; echo "$output$stderr"; false; }
}

@test "deadlock: a program that executes itself locks other mutexes, at the same addresses" {
	cycle deadlock -j -- mutexes again
	[ ! -s cycle ] || { cat cycle; echo "$output$stderr"; false; }
	run -0 --separate-stderr deadlock -j --all -- mutexes again
	[ "$(jq -r '"\(.by.first) \(.by.next) \(.comm) \(.count)"' <<<"$output" | while read -r first next rest; do echo "$(at $first) $(at $next) $rest"; done | sort)" = \
		$'1 2 again1 1\n2 1 again2 1' ] || { echo "$output$stderr"; false; }
}

@test "deadlock: a program's own functions that lock; another process" {
	own=$(command -v mutexes)
	run -0 --separate-stderr deadlock -j --binary "$own" --lock-symbols mine_lock,other_lock --unlock-symbols mine_unlock -- mutexes own
	[ "$(jq -s 'length' <<<"$output")" -eq 2 ] || { echo "$output$stderr"; false; }
	run -0 --separate-stderr deadlock -j 1 -- mutexes two # only process 1
	[ -z "$output" ] || { echo "$output"; false; }
}
