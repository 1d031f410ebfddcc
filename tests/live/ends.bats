#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# How a run ends while calls come in faster than records are written, and while nobody reads: in time,
# with whole lines, and what was not written is counted. The command, which goes on, is ended by the test.

# shellcheck disable=SC2030,SC2031,SC2053  # a test's variables are its own; a status may be a pattern
bats_require_minimum_version 1.5.0

setup() { cd "$BATS_TEST_TMPDIR" || return; }

teardown() {
	local victim
	for victim in $(pidof soak); do kill "$victim" || true; done
}

now_ms() { REPLY=$((${EPOCHREALTIME/[.,]/} / 1000)); }

# flooded READER TOOL OPTIONS… [-- EXPR…]: $tool is traced under a flood of reads, since 1.5 s or more.
flooded() {
	local reader=$1
	shift
	mkfifo pipe
	soak drink "$reader" 0 <pipe >out & reader_pid=$!
	"$@" -- soak flood read 2 60000 finished >pipe 2>"${errors:-err}" & tool=$!
	until [ -s out ]; do sleep 0.1; kill -0 "$tool"; done
	sleep 1.5
}

# Ended with STATUS, not later than MS after the mark.
ended() { # STATUS MS
	status=0
	wait "$tool" || status=$?
	now_ms
	took=$((REPLY - mark))
	echo "status $status after $took ms: $(cat err)"
	echo "# $(uname -r): $took ms" >&3
	[[ $status == $1 && $took -le $2 ]]
	wait "$reader_pid"
	[ -z "$(tail -c 1 out)" ] # no half a line
	[ "$(soak left)" -eq 0 ] || sleep 2
	[ "$(soak left)" -eq 0 ]
}

# Those that were printed, and what was lost, are not more than was done.
accounted() {
	for victim in $(pidof soak); do kill "$victim"; done
	until [ -e finished ]; do sleep 0.1; done
	read -r performed _ <finished
	printed=$(grep -c '"type":"argdump"' out)
	lost=$(sed -n 's/^argdump: warning: \([0-9]*\) records lost.*/\1/p' err | awk '{ sum += $1 } END { print sum + 0 }')
	echo "performed $performed printed $printed lost $lost"
	[ $((printed + lost)) -le "$performed" ] && [ "$printed" -gt 0 ]
	[ "$status" -eq $((lost ? 4 : 0)) ]
	! grep -qv '^{.*}$' out
}

@test "a flood: -d holds" {
	mkfifo pipe
	now_ms
	mark=$REPLY
	soak drink fast 0 <pipe >out & reader_pid=$!
	argdump -j -c flooding -d 2 vfs_read 'file->f_inode->i_sb->s_type->name' -- \
		soak flood read 2 60000 finished >pipe 2>err & tool=$!
	ended '@(0|4)' 9000
	accounted
}

@test "a flood: a signal" {
	flooded fast argdump -j -c flooding vfs_read 'file->f_inode->i_sb->s_type->name'
	now_ms
	mark=$REPLY
	kill -INT "$tool"
	ended '@(0|4)' 4000
	accounted
}

@test "nobody reads: the first signal ends it, what was not written is counted" {
	flooded stop argdump -j -c flooding vfs_read count
	now_ms
	mark=$REPLY
	kill -TERM "$tool"
	ended 4 4000
	accounted
	grep -q 'records lost: not written before the end' err
	grep -q "'stdout' took no more output" err
}

@test "nobody reads: -d holds" {
	now_ms
	mark=$REPLY
	flooded stop argdump -j -c flooding -d 3 vfs_read count
	ended 4 10000
	accounted
}

@test "nobody reads: the second signal kills at once" {
	flooded stop argdump -j -c flooding vfs_read count
	kill -INT "$tool"
	sleep 0.15
	now_ms
	mark=$REPLY
	kill -HUP "$tool"
	ended 129 4000
}

@test "one signal that comes twice, as timeout sends it, is one" {
	flooded fast argdump -j -c flooding vfs_read count
	now_ms
	mark=$REPLY
	kill -TERM "$tool" "$tool"
	ended '@(0|4)' 4000
	grep '"final":true' out || [ "$status" -eq 4 ]
}

@test "nor reads anybody stderr" {
	mkfifo full
	exec 7<>full
	head -c 65536 /dev/zero >&7
	touch err
	errors=full flooded stop argdump -j --buffer 64K -c flooding vfs_read count
	now_ms
	mark=$REPLY
	kill -INT "$tool"
	ended 4 4000
	exec 7<&-
}
