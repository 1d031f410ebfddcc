#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# How a run ends while calls come in faster than records are written, and while nobody reads: in time,
# with whole lines, and what was not written is counted. The command, which goes on, is ended by the test.

# shellcheck disable=SC2030,SC2031,SC2053  # a test's variables are its own; a status may be a pattern
bats_require_minimum_version 1.5.0
load wait

setup() { cd "$BATS_TEST_TMPDIR" || return; }

teardown() { all_end soak; }

now_ms() { REPLY=$((${EPOCHREALTIME/[.,]/} / 1000)); }

# What took in time took less, however loaded the machine: without an end of its own it would go on for as
# long as the flood, or for ever.
FLOOD_MS=200000 IN_TIME_MS=50000

# Not lines: they come faster than wc reads them.
has_bytes() { [ "$(stat -c %s out)" -ge "$1" ]; } # COUNT

# It has written all that the pipe takes.
is_stuck() { # PID
	local written
	written=$(written_by "$1")
	sleep 1
	[ "$(written_by "$1")" -eq "$written" ]
}

written_by() { sed -n 's/^wchar: //p' "/proc/$1/io"; } # PID

# flooded READER TOOL OPTIONS… [-- EXPR…]: $tool traces a flood of reads, and its first records have been read.
flooded() {
	local reader=$1
	shift
	mkfifo pipe
	soak drink "$reader" 0 <pipe >out & reader_pid=$!
	"$@" -- soak flood read 2 $FLOOD_MS finished >pipe 2>"${errors:-err}" & tool=$!
	wait_attached "$tool"
	wait_until test -s out
}

# Ended with STATUS, and in time.
ended() { # STATUS
	status=0
	wait "$tool" || status=$?
	now_ms
	took=$((REPLY - mark))
	echo "status $status after $took ms: $(cat err)"
	echo "# $(uname -r): $took ms" >&3
	[[ $status == $1 && $took -le $IN_TIME_MS ]]
	wait "$reader_pid"
	[ -z "$(tail -c 1 out)" ] # no half a line
	wait_until nothing_left
}

nothing_left() { [ "$(soak left)" -eq 0 ]; }

# Those that were printed, and what was lost, are not more than was done.
accounted() {
	for victim in $(pidof soak); do kill "$victim"; done
	wait_until test -e finished
	read -r performed _ <finished
	printed=$(grep -c '"type":"argdump"' out)
	lost=$(sed -n 's/^argdump: warning: \(in total, \)\?\([0-9]*\) records\? lost.*/\2/p' err | awk '{ sum += $1 } END { print sum + 0 }')
	echo "performed $performed printed $printed lost $lost"
	[ $((printed + lost)) -le "$performed" ] && [ "$printed" -gt 0 ] || false
	[ "$status" -eq $((lost ? 4 : 0)) ]
	! grep -qv '^{.*}$' out
}

@test "a flood: -d holds" {
	mkfifo pipe
	now_ms
	mark=$REPLY
	soak drink fast 0 <pipe >out & reader_pid=$!
	argdump -j -c flooding -d 2 vfs_read 'file->f_inode->i_sb->s_type->name' -- \
		soak flood read 2 $FLOOD_MS finished >pipe 2>err & tool=$!
	ended '@(0|4)'
	accounted
}

@test "a flood: a signal" {
	flooded fast argdump -j -c flooding vfs_read 'file->f_inode->i_sb->s_type->name'
	wait_until has_bytes 1000000
	now_ms
	mark=$REPLY
	kill -INT "$tool"
	ended '@(0|4)'
	accounted
}

@test "a blocked reader: the first signal ends it, unwritten records are counted" {
	flooded stop argdump -j -c flooding vfs_read count
	wait_until is_stuck "$tool"
	now_ms
	mark=$REPLY
	kill -TERM "$tool"
	ended 4
	accounted
	grep -q 'records\? lost: not written before the end' err
	grep -q "'stdout' accepted no more output" err
}

@test "a blocked reader: -d still ends the run" {
	flooded stop argdump -j -c flooding -d 10 vfs_read count
	now_ms
	mark=$REPLY
	ended 4
	accounted
}

@test "a blocked reader: the second signal kills at once" {
	flooded stop argdump -j -c flooding vfs_read count
	wait_until is_stuck "$tool"
	now_ms
	mark=$REPLY
	# it finds both when it goes on: whichever it takes for the second kills
	kill -STOP "$tool"
	kill -INT "$tool"
	kill -HUP "$tool"
	kill -CONT "$tool"
	ended '@(129|130)'
}

@test "one signal that comes twice, as timeout sends it, is one" {
	flooded fast argdump -j -c flooding vfs_read count
	now_ms
	mark=$REPLY
	soak twice "$tool" 0 >apart
	ended '@(0|4)'
	accounted
}

@test "nor are they two if timeout needs longer in between" {
	flooded stop argdump -j -c flooding vfs_read count
	wait_until is_stuck "$tool"
	now_ms
	mark=$REPLY
	apart=$(soak twice "$tool" 150) # ms; where the guest stood still meanwhile they may be two
	if ((apart < 300)); then ended 4; else ended '@(4|143)'; fi
}

@test "nor reads anybody stderr" {
	mkfifo full
	exec 7<>full
	head -c 65536 /dev/zero >&7
	touch err
	errors=full flooded stop argdump -j --buffer 64K -c flooding vfs_read count
	wait_until is_stuck "$tool"
	now_ms
	mark=$REPLY
	kill -INT "$tool"
	ended 4
	exec 7<&-
}

@test "on a terminal: that it has begun, how it ended; in a pipe nothing of it" {
	run -0 onterm 'Ctrl-C ends it' argdump vfs_fallocate
	# The kernel sends the signal before it prints ^C, so that the new line may come first.
	[[ $output == *'argdump: tracing: Ctrl-C ends it'*@($'^C\r\n'|$'\r\n^C')*'argdump: nothing was seen in '*' s'* ]] || { echo "$output"; false; }
	run -0 onterm 'Ctrl-C ends it' argdump --count vfs_read
	[[ $output == *@($'^C\r\n'|$'\r\n^C')*$'total: '*' call'*' in '* ]] || { echo "$output"; false; }
	run -0 onterm 'no ^C' argdump -c reads vfs_read count -- reads 3 /proc/version
	[[ $output == *'argdump: 3 records in '* && $output != *Ctrl-C* ]] || { echo "$output"; false; }
	run -0 onterm 'no ^C' argdump -q -c reads vfs_read count -- reads 3 /proc/version
	[[ $output != *'records in'* ]]
	run -0 --separate-stderr argdump -c reads vfs_read count -- reads 3 /proc/version
	[ -z "$stderr" ]
	# only what its silence may mean
	run -0 --separate-stderr argdump -d 0.1 vfs_fallocate
	[[ $stderr == 'argdump: vfs_fallocate was not seen: '* && $stderr != *$'\n'* ]]
	run -0 --separate-stderr argdump -d 0.1 --if 'len == 1' vfs_fallocate
	[ -z "$stderr" ]
}
