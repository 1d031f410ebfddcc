#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Recipes about memory: a control group that has too little of it, shared memory, slab caches.

bats_require_minimum_version 1.5.0
load argdump
load recipes
load wait
load disk

setup() { cd "$BATS_TEST_TMPDIR" || return; }

# A control group of 20 MB that a shell is put in.
limited() {
	group=/sys/fs/cgroup/limited
	echo +memory >/sys/fs/cgroup/cgroup.subtree_control || skip "no memory controller"
	mkdir -p $group && echo 20M >$group/memory.max
}

@test "oomkill, drsnoop: a control group that is full" {
	limited
	run --separate-stderr oomkill -j -- sh -c "echo \$\$ >$group/cgroup.procs; deeds memory 40"
	same '[.comm, .args.victim, .args.victim_pid == .pid, .args.pages, .args.message]' \
		'["deeds","deeds",true,5120,"Memory cgroup out of memory"]' oomkill
	grep -qx 'oom_kill 1' $group/memory.events
	run --separate-stderr drsnoop -j -c dd -- sh -c "echo \$\$ >$group/cgroup.procs; dd if=/dev/zero of=big bs=1M count=30"
	[ "$(jq -s 'map(select(.args.took > 0 and .args.gfp[0] == "GFP_KERNEL")) | length' <<<"$output")" -ge 1 ] || { echo "$output"; false; }
	rm -f big && rmdir $group
}

@test "compactsnoop: the zones that there are" {
	run -0 --separate-stderr compactsnoop -j -- sh -c 'echo 1 >/proc/sys/vm/compact_memory'
	jq -r .args.zone <<<"$output" | sort -u >zones
	awk '/zone/ { print $4 }' /proc/zoneinfo | sort -u >all
	[ -s zones ] && [ -z "$(comm -23 zones all)" ] || { cat zones all; false; }
	same 'select(.args.order != -1 or .args.took == 0)' '' compactsnoop
}

@test "shmsnoop: the calls of a segment" {
	run -0 --separate-stderr shmsnoop -j -- deeds shm 10000
	id=$(grep -E '^[0-9]+$' <<<"$stderr")
	same '[.args.call, .args.id, .args.size, .errno]' "[\"shmget\",0,10000,null]
[\"shmat\",$id,0,null]
[\"shmat\",-1,0,\"EINVAL\"]
[\"shmdt\",0,0,null]
[\"shmctl\",$id,0,null]" shmsnoop
	same 'select(.args.call == "shmget") | .args.ret' "$id" shmsnoop
	at=$(jq -r 'select(.args.call == "shmdt") | .args.address' <<<"$output")
	same 'select(.args.call == "shmat") | .args.ret' "$((at))"$'\n-22' shmsnoop
	run -0 --separate-stderr shmsnoop -- deeds shm 10000 # an address in hexadecimal, as in the row of shmdt
	[[ $output =~ shmat\ +(0x7f[0-9a-f]+).*shmdt.*\ ${BASH_REMATCH[1]:-0x7f} ]] || { echo "$output"; false; }
}

@test "shmsnoop: the calls of a 32-bit program, which are one system call" {
	command -v calls32 >/dev/null || skip "there are no 32-bit programs on this architecture"
	calls32 memory some || skip "this kernel runs no 32-bit programs"
	run -0 --separate-stderr shmsnoop -j -- calls32 memory some
	id=$(jq 'select(.args.call == "shmget") | .args.ret' <<<"$output")
	at=$(jq 'select(.args.call == "shmat" and .args.ret > 0) | .args.ret' <<<"$output")
	[ "$at" -gt 65536 ] || { echo "$output$stderr"; false; }
	same '[.args.call, .args.id, .args.size, .args.address, .args.cmd, .args.flags]' "[\"shmget\",0,10000,0,-1,384]
[\"shmat\",$id,0,0,-1,0]
[\"shmat\",-1,0,0,-1,4096]
[\"shmdt\",0,0,$at,-1,0]
[\"shmctl\",$id,0,0,0,0]" shmsnoop
}

@test "slabratetop: a head for each message" {
	# a kernel may get many at once, and keep those that are over, and use up to 64 that it has kept
	run -0 --separate-stderr slabratetop -j --interval 60 -- deeds unix 10 200
	within 136 264 "$(jq -s 'map(select(.by.cache == "skbuff_head_cache" or .by.cache == "skbuff_cache") | .objects) | add' <<<"$output")"
}

# by the function that most caches are used with, whatever its parameters are
@test "slabratetop: an mm_struct for each program" {
	run -0 --separate-stderr slabratetop -j --interval 60 -- sh -c 'for i in 1 2 3 4 5 6 7 8 9 10; do /bin/busybox true; done; true'
	[[ $stderr != *'left out'* ]] || { echo "$stderr"; false; }
	[ "$(jq -s 'map(select(.by.cache == "mm_struct") | .objects) | add // 0' <<<"$output")" -ge 10 ] || { echo "$output"; false; }
}

@test "swapin: attaches, and nothing is swapped" {
	shows .count swapin -- true </dev/null
}

came_back() { awk '$1 == "pswpin" { print $2 }' /proc/vmstat; }

@test "swapin: as many pages as the kernel counts" {
	local before
	limited
	disk_find
	mkswap $DISK >/dev/null && swapon $DISK || skip "this kernel does not swap"
	before=$(came_back)
	beside swapin --interval 60 -- sh -c "echo \$\$ >$group/cgroup.procs; deeds memory 40"
	[ $(($(came_back) - before)) -gt 100 ] || { cat beside.work; false; }
	[ "$(jq -s 'map(.pages // 0) | add' <<<"$output")" -eq $(($(came_back) - before)) ] || { echo "$output$stderr"; false; }
	swapoff $DISK
	rmdir $group
}
