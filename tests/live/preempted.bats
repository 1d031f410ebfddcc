#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# What kernels lose that take the processor away from a program while it runs: a trampoline's program
# is then not run for the others on that processor. Nothing by default; and of what --attach asks for,
# printed and lost are what was done. read_null serves reads of /dev/null, and nobody else here.

bats_require_minimum_version 1.5.0
load argdump
load wait

JOBS=8 EACH=1500 # more than there are processors
DONE=$((JOBS * EACH))
NAME='file->f_inode->i_sb->s_type->name'

# busy ARGDUMP-ARGUMENTS...: nothing filters, so that what the kernel counts is only of the workload.
# Leaves the output in `out`, what was said in `err`, the exit status in $status.
busy() {
	cd "$BATS_TEST_TMPDIR" || return
	rm -f out err
	argdump -o out --buffer 32M "$@" 2>err & tool=$!
	wait_attached $tool
	reads -j $JOBS $EACH /dev/null >/dev/null & work=$!
	wait_until is_gone $work
	kill -INT $tool
	wait_until is_gone $tool
	status=0
	wait $tool || status=$?
	printed=$(count ' reads ' <out)
	lost=$(sed -n 's/^argdump: warning: \(at most \)\?\([0-9]*\) .*/\2/p' err | awk '{n += $1} END {print n + 0}')
}

shown() { echo "$*: done $DONE printed $printed lost $lost status $status"; cat err; false; }

all_printed() {
	busy "$@"
	[ "$printed $lost $status" = "$DONE 0 0" ] || shown "$@"
}

@test "by default no entry is lost" {
	all_printed read_null "$NAME" count
}

@test "by default no call is lost with -r" {
	# before 6.14 no way sees all: kprobes have too little room for calls under way
	[[ $(argdump --type 'struct fprobe') == *hlist_array* ]] || [ -z "$(preempts)" ] ||
		skip "no method sees all returns on this kernel"
	all_printed -r read_null "$NAME" '$ret' '$lat'
}

@test "by default all returns are counted" {
	[[ $(argdump --type 'struct fprobe') == *hlist_array* ]] || [ -z "$(preempts)" ] ||
		skip "no method sees all returns on this kernel"
	busy --count --by '$ret, $comm' 'read_null%return'
	grep -qE "reads +$DONE$" out || { cat out; shown; }
	[ "$lost $status" = "0 0" ] || shown
}

# As many processes as above read from the disk, without its cache: what TOOL has seen of their requests must be what the
# kernel has counted. null_blk is as fast as memory, but not every guest has it.
all_requests() { # FILTER TOOL…
	local filter=$1 name before after seen readers=()
	shift
	modprobe null_blk 2>/dev/null && DISK=/dev/nullb0
	name=${DISK#/dev/}
	cd "$BATS_TEST_TMPDIR" || return
	"$@" -j -o out 2>err 3>&- & tool=$!
	wait_attached $tool
	before=$(disk_counts)
	for ((i = 0; i < JOBS; i++)); do
		dd if="$DISK" of=/dev/null bs=4k count=500 iflag=direct 2>/dev/null 3>&- &
		readers+=($!)
	done
	wait "${readers[@]}"
	after=$(disk_counts)
	kill -INT $tool
	wait $tool || [ $? = 4 ] # at most so many lost
	seen=$(DISK=$name jq -s "map(select((.disk // env.DISK) == env.DISK)) | $filter" out)
	[ "$seen" = $((${after%% *} - ${before%% *})) ] || { echo "$*: $seen of $before to $after"; cat err; false; }
}

@test "biosnoop, biolatency: by default no request is lost" {
	load disk
	disk_find
	all_requests 'map(select(.type == "biosnoop")) | length' biosnoop
	all_requests 'map(select(.type == "biosnoop").requests) | add' biosnoop --count
	all_requests 'map(select(.type == "biolatency").total) | add' biolatency
}

@test "syssnoop: by default all calls are counted" {
	run -0 --separate-stderr syssnoop -j -c -e read -- reads -j $JOBS $EACH /dev/null
	jq -s -e --argjson done $DONE 'map(select(.syscall == "read").calls) == [$done]' <<<"$output" || { echo "$output"; false; }
}

@test "by default all calls of several functions are counted by their texts" {
	busy --count --by "\$func,$NAME" 'read_null,write_null'
	awk -v all=$DONE '$1 == "read_null" {n += $NF} END {exit n != all}' out || { cat out; shown; }
	[ "$lost $status" = "0 0" ] || shown
}

@test "--attach fentry: printed + lost = performed" {
	for which in '' -r; do
		busy --attach fentry $which read_null "$NAME"
		[ $((printed + lost)) = $DONE ] || shown "$which"
		[ $((lost ? 4 : 0)) = "$status" ] || shown "$which"
		run ! grep 'at most' err
	done
}

@test "--attach fsession: printed + lost >= performed" {
	call_methods | grep -qx fsession || skip "this kernel has no fsession"
	busy --attach fsession -r read_null "$NAME"
	((printed <= DONE && printed + lost >= DONE)) || shown
	[ "$lost" = 0 ] || grep -q 'warning: at most [0-9]* events missed' err || shown
}

@test "missed calls are counted although a filter might have refused them" {
	busy --attach fentry -c reads -r read_null "$NAME"
	((printed <= DONE && printed + lost >= DONE)) || shown
	[ "$lost" = 0 ] || grep -q 'warning: at most [0-9]* events missed' err || shown
}
