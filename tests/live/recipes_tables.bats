#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Recipes that count: tables of several probes, samples, stacks. Exact sums of known workloads.

bats_require_minimum_version 1.5.0
load argdump
load disk
load wait
load recipes

setup() {
	disk_find || return
	cd "$BATS_TEST_TMPDIR" || return
	mkdir folder
	printf 'x%.0s' {1..64} >folder/some
	ip link set lo up
}

teardown() { ! grep -q "^$DISK " /proc/mounts || umount "$DISK"; }

@test "filetop, dirtop: bytes that were read and written, of files and folders" {
	shows "select(.by.file == \"$PWD/folder/some\") | [.by.comm, .reads, .rbytes, .writes, .wbytes]" \
		filetop --interval 60 -- reads 31 folder/some <<<'["reads",31,31,0,0]'
	# by every way in: 92 reads of 100 bytes (17 of them to send OUT's), 75 writes
	printf 'x%.0s' {1..100} >folder/hundred
	run -0 --separate-stderr filetop -j --interval 60 -- transfers folder/hundred folder/out
	same 'select(.by.file | endswith("/hundred", "/out")) | [(.by.file | sub(".*/"; "")), .reads, .rbytes, .writes, .wbytes]' \
		$'["hundred",92,9200,0,0]\n["out",0,0,75,7500]' filetop
	shows 'select(.by.directory | endswith("/folder")) | [.reads, .rbytes, .writes, .wbytes]' dirtop --interval 60 -- \
		transfers folder/hundred folder/out <<<'[92,9200,75,7500]'
	# the most bytes first, however many calls
	dd if=/dev/zero of=folder/big bs=64K count=4 2>/dev/null
	run -0 --separate-stderr filetop -j --interval 60 -- sh -c 'i=0; while [ $i -lt 9 ]; do read -r x <folder/hundred; i=$((i+1)); done; dd if=folder/big of=folder/out bs=64K'
	[ "$(jq -r 'select(.by.file | endswith("/hundred", "/big")) | .by.file | sub(".*/"; "")' <<<"$output" | head -n 1)" = big ] || { echo "$output"; false; }
	# a directory is shown from its file system's root
	shows 'select(.by.directory | endswith("/folder")) | [.reads, .rbytes]' dirtop --interval 60 -- reads 12 folder/some <<<'[12,12]'
}

# Their own form is folded stacks, which have no such options.
@test "profile, offcputime, wakeuptime: as a table with -j, --top, --sort, --interval and --openmetrics" {
	local all
	run -0 --separate-stderr profile -j -F 200 -- bash -c 'i=0; while ((i < 40000)); do i=$((i+1)); done'
	all=$(jq -s 'map(select(.type == "count").count) | add' <<<"$output")
	jq -e -s --argjson all "$all" 'map(select(.type == "count")) | all(.total == $all) and $all >= 5 and
		any(.by.comm == "bash" and (.by.ustack | type) == "array" and (.by.kstack | type) == "array")' <<<"$output" || { echo "$output"; false; }
	run -0 --separate-stderr profile -K -j --top 1 -F 200 -- bash -c 'i=0; while ((i < 40000)); do i=$((i+1)); done'
	jq -e -s 'map(select(.type == "count")) | length == 1 and .[0].by.ustack == null and .[0].by.comm == "bash"' <<<"$output" || { echo "$output"; false; }
	run -0 --separate-stderr profile --interval 0.3 -d 1 -F 200 -- bash -c 'while :; do :; done'
	[[ $(grep -c '^comm  *count' <<<"$output") -ge 2 && $(grep -c '^total: ' <<<"$output") -ge 2 ]] || { echo "$output"; false; }
	run -0 --separate-stderr offcputime -j -- sleep 0.3
	jq -e -s 'map(select(.by.comm == "sleep").us) | add >= 250000' <<<"$output" || { echo "$output"; false; }
	run -0 --separate-stderr offcputime --openmetrics metrics -- sleep 0.3
	grep -q '^coretap_offcputime_us_total{.*comm="sleep"' metrics || { cat metrics; false; }
	run -0 --separate-stderr wakeuptime -j --sort us -- sleep 0.3
	jq -e -s 'map(select(.type == "count")) | length >= 1 and all(has("us") and .by.waker != null)' <<<"$output" || { echo "$output"; false; }
	run -1 profile --folded -j
	[[ $output == *'--folded and --json exclude each other'* ]] || { echo "$output"; false; }
}

@test "tcptop, tcptracer: bytes by connection; opened, accepted and closed" {
	run -0 --separate-stderr tcptop -j --interval 60 -- deeds tcp 5000 1 1000
	same 'select(.by.connection.dport == 5000) | [.sent, .received]' '[1000,10]' tcptop
	run -0 --separate-stderr tcptracer -j -- deeds tcp 5000 2 10
	[ "$(jq -s 'map(select(.args.op == "connect" and .args.socket.dport == 5000)) | length' <<<"$output")" -eq 2 ] || { echo "$output"; false; }
	[ "$(jq -s 'map(select(.args.op == "accept" and .args.socket.sport == 5000)) | length' <<<"$output")" -eq 2 ] || { echo "$output"; false; }
}

@test "stackcount, stacksnoop, functrace: who calls" {
	shows 'select(.by.kstack | map(test("ksys_read")) | any) | .count >= 9' stackcount -c reads vfs_read -- reads 9 folder/some <<<true
	run -0 --separate-stderr functrace -j -c reads vfs_read -- reads 5 folder/some
	[ "$(jq -s 'map(select(.args.func == "vfs_read" and (.args.caller // "" | startswith("ksys_read")))) | length' <<<"$output")" -ge 5 ] || { echo "$output"; false; }
	run -0 --separate-stderr stacksnoop -j -c reads vfs_read -- reads 5 folder/some
	[ "$(jq -s 'map(select(.args.kstack | map(test("ksys_read")) | any)) | length' <<<"$output")" -ge 5 ] || { echo "$output"; false; }
}

@test "stackcount -f: lines for flame graphs, the program's frames before the kernel's" {
	run -0 --separate-stderr stackcount -f -c reads vfs_read -- reads 9 folder/some
	[ "$(sed -nE 's/^([^;]+;)*ksys_read_\[k\];vfs_read_\[k\] ([0-9]+)$/\2/p' <<<"$output" | awk '{ n += $1 } END { print n + 0 }')" -ge 9 ] || { echo "$output"; false; }
	awk '{ sub(/ [0-9]+$/, ""); k = 0; n = split($0, f, ";"); for (i = 1; i <= n; i++) if (f[i] ~ /_\[k\]$/) k = 1; else if (k) exit 1 }' <<<"$output" ||
		{ echo "$output"; false; }
	run -0 --separate-stderr stackcount -P -f --kernel-only -c reads vfs_read -- reads 9 folder/some
	grep -Eq '^[0-9]+;reads;([^;]+_\[k\];)*vfs_read_\[k\] [0-9]+$' <<<"$output" || { echo "$output"; false; }
}

@test "funcslower -f: the stacks of slow calls, for flame graphs" {
	run -0 --separate-stderr funcslower -f -k -m 0 vfs_read -c reads -- reads 5 folder/some
	[ "$(sed -nE 's/^reads;.*ksys_read_\[k\].* ([0-9]+)$/\1/p' <<<"$output" | awk '{ n += $1 } END { print n + 0 }')" -ge 5 ] || { echo "$output"; false; }
}

@test "pagefaults: no fewer than were made; cpuwalk, profile: who burns a processor" {
	run -0 --separate-stderr pagefaults -j -c samples -- samples faults 321
	[ "$(jq -s 'map(.count) | add' <<<"$output")" -ge 321 ] || { echo "$output"; false; }
	run -0 --separate-stderr cpuwalk -j -c samples -- samples burn 1 1
	# its share: how many samples there are depends on the time that the guest gets
	jq -e -s '(map(select(.by.cpu == 1)) | .[0].count) as $there | $there >= 5 and $there >= 0.9 * (map(.count) | add)' <<<"$output" ||
		{ echo "$output"; false; }
	run -0 --separate-stderr profile -F 50 -c samples -- samples burn 1 1
	grep -qE '^samples;.*burning.* [0-9]+$' <<<"$output" || { echo "$output"; false; }
}

# From when DISK's pages are not known on.
pages_read() {
	local before
	before=$(reads_count "$reader")
	echo >&5
	wait_until has_read "$reader" $((before + 1 + 12 * 3))
}

@test "cachestat, cachetop: pages that were read once, and twice more; dcstat" {
	mkdir -p d && mke2fs -b 4096 "$DISK" >/dev/null 2>&1 && mount -t ext4 "$DISK" d
	dd if=/dev/zero of=d/twelve bs=4k count=12 2>/dev/null
	umount d && mount -t ext4 -o ro "$DISK" d
	mkfifo fifo
	deeds pages d/twelve 12 3 <fifo 3>&- &
	reader=$!
	exec 5>fifo
	wait_until is_in $reader '(anon_)?pipe_read'
	together 'cachetop -j --interval 60 -c deeds' 'cachestat -j --interval 60 -c deeds' \
		'dcstat -j --interval 60' -- pages_read
	exec 5>&-
	wait $reader
	umount d
	showed '[.by.pid, .by.uid, .hits, .misses, .dirtied, .read_hit, .write_hit]' cachetop <<<"[$reader,0,24,12,0,66,null]"
	showed '[.hits, .misses, .ratio]' cachestat <<<'[24,12,66]'
	# who waits for that looks into /proc
	showed '[.lookups > 0, .misses <= .lookups]' dcstat <<<'[true,true]'
}

# Pages that are dirty already do not become dirty again.
twice_written() { dd if=/dev/zero of=d/new bs=64k count=16 && sync d/new && dd if=/dev/zero of=d/new bs=64k count=16 conv=notrunc; } 2>/dev/null

@test "cachetop: pages that are written for the first time, and again" {
	mkdir -p d && mke2fs -b 4096 "$DISK" >/dev/null 2>&1 && mount -t ext4 "$DISK" d
	run -0 --separate-stderr cachetop -j --interval 60 -c dd -- bash -c "$(declare -f twice_written); twice_written"
	umount d
	# 512 pages are written, of which 256 are new
	jq -s -e 'map(.dirtied) | add | . >= 512 and . < 540' <<<"$output" || { echo "$output"; false; }
	jq -s -e 'map(.write_hit) | sort | .[0] < 5 and .[-1] > 95' <<<"$output" || { echo "$output"; false; }
}

meminfo() { awk -v name="$1:" '$1 == name { print int($2 / 1024) }' /proc/meminfo; }

@test "cachestat: the sizes of the cache, as they are when the row is printed" {
	dd if=/dev/zero of=some bs=1M count=20 2>/dev/null # in the file system of memory
	run -0 --separate-stderr cachestat -j --interval 60 -- dd if=some of=/dev/null bs=1M
	within $(($(meminfo Cached) - 2)) $(($(meminfo Cached) + 2)) "$(jq .cached_mb <<<"$output")"
	within $(($(meminfo Buffers) - 1)) $(($(meminfo Buffers) + 1)) "$(jq .buffers_mb <<<"$output")"
	before=$(jq .cached_mb <<<"$output")
	rm some
	run -0 --separate-stderr cachestat -j --interval 60 -- dd if=/proc/self/exe of=/dev/null bs=1M
	within $((before - 22)) $((before - 18)) "$(jq .cached_mb <<<"$output")"
}

@test "cachestat -D: the counts from which the others are computed" {
	run -0 --separate-stderr cachestat -j -D --interval 60 -- dd if=/proc/self/exe of=/dev/null bs=1M
	jq -e '.accessed > 0 and .hits == ([.accessed - (.buffer_bytes / 4096 | floor) - .misses, 0] | max) and .misses == ([.added - .dirtied, 0] | max)' <<<"$output" ||
		{ echo "$output"; false; }
}

@test "--show: a number of /proc/meminfo, and a name that it has not" {
	run -0 --separate-stderr argdump -j --count vfs_read --show 'all=$meminfo(MemTotal),count' -- cat /proc/self/stat
	[ "$(jq .all <<<"$output")" -eq $(($(awk '/MemTotal/ { print $2 }' /proc/meminfo) * 1024)) ]
	run -1 argdump --count vfs_read --show 'x=$meminfo(Nosuch)' -- true
	[[ $output == *'/proc/meminfo has no Nosuch'* ]]
}

@test "cachestat: a cold read of many folios misses every page, a warm one none" {
	mkdir -p d && mke2fs -b 4096 "$DISK" >/dev/null 2>&1 && mount -t ext4 "$DISK" d
	dd if=/dev/zero of=d/many bs=1M count=8 2>/dev/null
	umount d && mount -t ext4 -o ro "$DISK" d
	run -0 --separate-stderr cachestat -j --interval 60 -- dd if=d/many of=/dev/null bs=64k
	# the program itself and directories are read, too
	jq -e '.misses >= 2048 and .misses < 2400 and .hits < 1000' <<<"$output" || { echo "$output"; umount d; false; }
	run -0 --separate-stderr cachestat -j --interval 60 -- dd if=d/many of=/dev/null bs=64k
	umount d
	jq -e '.hits >= 2048 and .misses < 100' <<<"$output" || { echo "$output"; false; }
}

look_for() { # NAME TIMES
	local i
	for ((i = 0; i < $2; i++)); do [ -e "$1" ] || true; done
}

@test "dcstat: names that the cache has, and names that it has not" {
	beside dcstat --interval 60 -- look_for nosuch 500 # tmpfs keeps no names that do not exist
	jq -e '.misses >= 500 and .misses < 600' <<<"$output" || { echo "$output"; false; }
	beside dcstat --interval 60 -- look_for folder 500
	jq -e '.lookups >= 500 and .misses < 100' <<<"$output" || { echo "$output"; false; }
}

@test "a field of a tracepoint as a histogram, as perf-stat-hist" {
	shows '.got[] | select(.[0] == 1) | .[2]' argdump -c reads --hist got=ret t:syscalls:sys_exit_read -- reads 22 folder/some <<<22
}

@test "offcputime: how long a thread slept, by its stack" {
	run -0 --separate-stderr offcputime -K -- deeds nap 50 4
	[[ $stderr != *--open* ]] || { echo "a hint with an option that offcputime does not have: $stderr"; false; }
	sum=$(awk '/^deeds;.*nanosleep/ {n += $NF} END {print n + 0}' <<<"$output")
	# a nap's timer runs before the processor is left
	[ "$sum" -ge 150000 ] && [ "$sum" -le 2000000 ] || { echo "$output"; false; }
}
