#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Hundreds of thousands of events as fast as two processors make them: what is printed and what is said to be
# lost is what was done; and of what is counted in the kernel nothing is lost.

# shellcheck disable=SC2030,SC2031  # a test's variables are its own
bats_require_minimum_version 1.5.0

# Events of one flood: on one kernel half a million, which takes it a minute; on the others enough to fill
# every ring.
declare -A EVENTS=([6.12]=500000)

setup_file() {
	local release
	release=$(uname -r | cut -d. -f1-2)
	export FLOOD=${EVENTS[$release]:-60000}
	echo "# $release: $FLOOD events a flood${EVENTS[$release]:+, the one kernel that has so many}" >&3
}

setup() { cd "$BATS_TEST_TMPDIR" || return; }

# The sum of what is said in the end, or once, of so many WHAT.
said() {
	sed -n "s/^[a-z]*: warning: \(in total, \)\?\([0-9]*\) \($1\).*/\2/p" err | awk '{ sum += $1 } END { print sum + 0 }'
}

figures() {
	echo "# $(uname -r): $*: done $done, printed $printed, lost $lost, missed $missed, ${SECONDS}s" >&3
	cat err
	[ "$status" -eq 0 ] # the command's
}

# COUNT times KIND by two processes, each of which is a line of text like PATTERN.
printed_or_lost() { # COUNT KIND PATTERN TOOL…
	local done=$1 kind=$2 pattern=$3 status=0 printed lost missed
	SECONDS=0
	shift 3
	{ "$@" -- soak perform "$kind" 2 $((done / 2)) 2>err || echo $? >status; } | grep -c "$pattern" >count || true
	[ ! -e status ] || status=$(<status)
	printed=$(<count)
	lost=$(said 'records\? lost')
	missed=$(said 'events\? missed')
	figures "$@"
	# the ends of its three processes may be lost, too
	[ $((printed + lost)) -le $((done + 3)) ] && [ $((printed + lost + missed)) -ge "$done" ] || false
	[ "$printed" -gt $((done / 100)) ]
}

@test "opens: printed + lost = performed" {
	printed_or_lost "$FLOOD" open ' /proc/version$' opensnoop -c flooding
}

@test "execs that fail: printed + lost = performed" {
	printed_or_lost $((FLOOD / 4)) exec '/no/such/program' execsnoop -c flooding
}

@test "system calls: printed + lost = performed" {
	printed_or_lost "$FLOOD" read 'pread64(' syssnoop -o /dev/stdout -e pread64 -e signal=none
}

@test "calls of a function, at their return: printed + lost = performed" {
	printed_or_lost "$FLOOD" read 'count=1' argdump -c flooding -r vfs_read count
}

@test "requests to a disk: printed + lost = performed" {
	[ -b /dev/vda ]
	printed_or_lost $((FLOOD / 20)) disk '^flooding ' biosnoop -c flooding
}

# All are counted, by two processes with a row for both.
counted() { # KIND KEY TOOL…
	local done=$FLOOD kind=$1 key=$2 status=0 printed lost missed
	SECONDS=0
	shift 2
	"$@" -j -o out -- soak perform "$kind" 2 $((done / 2)) 2>err || status=$?
	printed=$(jq -s "map($key // 0) | add" out)
	lost=$(said 'records\? lost')
	missed=$(said 'events\? missed')
	figures "$@"
	[ "$status" -eq 0 ] && [ "$printed" -eq "$done" ]
}

@test "opens: all are counted" {
	counted open .opens opensnoop --count -c flooding
}

@test "system calls: all are counted" {
	counted read .calls syssnoop -c -e pread64
}

@test "calls of a function: all are counted" {
	counted read .count argdump --count -c flooding vfs_read
}

# bt with a program, for reads of two processes: its output, what it lost, its exit status.
bt_flood() { # PROGRAM
	local pid
	done=$FLOOD lost=0 missed=0 status=0 SECONDS=0
	coretap bt -e "$1" >out 2>err &
	pid=$!
	until grep -q '^Attached ' err || ! kill -0 $pid; do sleep 0.05; done
	soak perform read 2 $((done / 2))
	kill -INT $pid
	wait $pid || status=$?
	lost=$(said 'records\? lost')
	missed=$(said 'events\? missed')
}

@test "bt, printf: printed + lost = performed, and the exit status shows losses" {
	bt_flood 'kprobe:vfs_read /comm == "flooding"/ { printf("%d %s read %d\n", pid, comm, arg2); }'
	printed=$(grep -c '^[0-9]* flooding read [0-9]*$' out)
	echo "# $(uname -r): done $done, printed $printed, lost $lost, missed $missed, status $status, ${SECONDS}s" >&3
	cat err
	[ $((printed + lost + missed)) -eq "$done" ]
	[ "$printed" -gt $((done / 100)) ]
	[ $status -eq $((lost + missed > 0 ? 4 : 0)) ]
}

@test "bt, count(), by key and without, and ++: all are counted" {
	bt_flood 'kprobe:vfs_read /comm == "flooding"/ { @all = count(); @each++; @by[pid] = count(); @sum = sum(1); }'
	echo "# $(uname -r): $(grep -v '^$' out | tr '\n' ' ')${SECONDS}s" >&3
	cat err
	[ $status -eq 0 ]
	[ "$(grep -cxE "@(all|each|sum): $done" out)" -eq 3 ]
	[ "$(sed -n 's/^@by.*: //p' out | awk '{ sum += $1 } END { print NR, sum }')" = "2 $done" ]
}
