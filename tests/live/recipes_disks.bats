#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Recipes about disks, on the guest's: requests of a known size, as /proc/diskstats counts them.

bats_require_minimum_version 1.5.0
load argdump
load disk
load recipes
load wait

setup() {
	disk_find || return
	sync # what other files have written
	cd "$BATS_TEST_TMPDIR" || return
	printf 'x%.0s' {1..64} >some
	read_five=(dd "if=$DISK" of=/dev/null bs=4k count=5 iflag=direct)
}

reads_of() { disk_counts | cut -d ' ' -f 1; }

@test "bitesize, iolatency, biotop: as many requests as the kernel counts" {
	local before
	before=$(reads_of)
	titles 'bytes comm=dd 5 calls' bitesize -- "${read_five[@]}"
	[ $(($(reads_of) - before)) -eq 5 ]
	[[ $output == *"[4K, 8K) "*" 5 |"* ]]
	titles 'total: 5 calls' iolatency -- "${read_five[@]}"
	shows '[.by.comm, .by.disk, .by.op, .bytes, .count, .took > 0]' biotop --interval 60 -- "${read_five[@]}" <<-END
		["dd","${DISK#/dev/}","R",20480,5,true]
	END
	run -1 biotop -D other -- "${read_five[@]}"
	[[ $output == *"--disk: unknown disk 'other'"*"${DISK#/dev/}"* ]] || { echo "$output"; false; }
}

# The disk's requests wait in a queue, and are handed on by a thread of the kernel.
@test "biotop, iosnoop, bitesize: requests belong to the submitter, also with a scheduler" {
	local scheduler="/sys/block/${DISK#/dev/}/queue/scheduler" name
	modprobe mq-deadline 2>/dev/null || true
	grep -q mq-deadline "$scheduler" || skip "this kernel has no mq-deadline: $(<"$scheduler")"
	echo mq-deadline >"$scheduler"
	together 'biotop -j --interval 60' 'iosnoop -j' 'bitesize -j' -- dd if=/dev/zero "of=$DISK" bs=4k count=64 oflag=direct
	echo none >"$scheduler"
	showed 'select(.by.op == "W" and .by.comm == "dd") | [.by.disk, .bytes, .count]' biotop <<<"[\"${DISK#/dev/}\",262144,64]"
	[ "$(jq -s 'map(select(.args.op == "WS" and .comm == "dd") | .args.bytes) | add' iosnoop.out)" -eq 262144 ] || { cat iosnoop.out; false; }
	showed 'select(.by.comm == "dd") | .count' bitesize <<<64
}

# What is sent later, but lies before, becomes the request's first part.
@test "biotop, iosnoop, bitesize, biostacks: a request that has grown at its front" {
	local before after
	before=$(reads_of)
	together 'biotop -j --interval 60' 'iosnoop -j' 'bitesize -j' 'biostacks -j' -- devices merged "$DISK"
	after=$(reads_of)
	showed 'select(.by.comm == "devices") | [.bytes, .count]' biotop <<<"[12288,$((after - before))]"
	[ "$(jq -s 'map(select(.comm == "devices") | .args.bytes) | add' iosnoop.out)" -eq 12288 ] || { cat iosnoop.out; false; }
	[ "$(jq -s 'map(select(.by.comm == "devices") | .count) | add' bitesize.out)" -eq $((after - before)) ] || { cat bitesize.out; false; }
	[ "$(jq -s 'map(select(.by.comm == "devices") | .count) | add' biostacks.out)" -eq $((after - before)) ] || { cat biostacks.out; false; }
	echo "requests: $((after - before)) of 3"
	[ $((after - before)) -lt 3 ] || skip "this kernel merges none of them"
}

merged_and_others() {
	local i
	for i in {1..20}; do
		devices merged "$DISK"
		./others merged "$DISK" 1
	done
}

# What was merged has no end of its own: the next request with its address is another one.
@test "iosnoop -c: a merged request's address that is used again is nobody's who is traced" {
	cp "$(command -v devices)" others
	together 'iosnoop -j -c devices' -- merged_and_others
	jq -e -s 'map(select(.args)) | length >= 20 and (map(.args.bytes) | add) == 20 * 12288' iosnoop.out ||
		{ cat iosnoop.out iosnoop.err; false; }
}

@test "biopattern: sequential and random" {
	beside biopattern --interval 60 -- sh -c "${read_five[*]}; ${read_five[*]} skip=100"
	same "select(.by.disk == \"${DISK#/dev/}\") | [.by.disk, .requests, .sequential, .rnd, .seq, .bytes]" "[\"${DISK#/dev/}\",9,8,12,88,36864]" biopattern
}

@test "iosnoop, biolatpcts, biostacks: each request, percentiles, the requesting stack" {
	local before
	before=$(reads_of)
	together 'iosnoop -j' 'biosnoop -j' 'biolatpcts -j --interval 60' 'biostacks -j' -- "${read_five[@]}"
	[ $(($(reads_of) - before)) -eq 5 ]
	showed 'select(.comm == "dd") | [.args.disk, (.args.op | sub("S$"; "")), .args.block, .args.bytes, .args.took > 0]' iosnoop < <(
		printf "[\"${DISK#/dev/}\",\"R\",%d,4096,true]\n" 0 8 16 24 32)
	# the same letters, also that of a request that somebody waits for, which not all kernels say of reads
	showed 'select(.comm == "dd") | [.args.block, .args.op]' iosnoop < <(jq -c 'select(.comm == "dd") | [.sector, .rwbs]' biosnoop.out)
	showed '[.by.disk, .by.op, .count, .p1_ns <= .p50_ns, .p50_ns <= .p99_ns]' biolatpcts <<-END
		["${DISK#/dev/}","R",5,true,true]
	END
	# Each tool reads the clock by itself, and may be interrupted before it does: the middle one of five is true for both,
	# within the width of a bucket (2) and as much again.
	jq -e --slurpfile each iosnoop.out '($each | map(.args.took) | sort[length / 2 | floor]) as $middle |
		.p50_ns * 4 >= $middle and .p50_ns <= 4 * $middle' biolatpcts.out || { cat iosnoop.out biolatpcts.out; false; }
	[ "$(jq -s 'map(select(any(.by.kstack[]?; startswith("blkdev_"))) | .count) | add' biostacks.out)" -eq 5 ] || { cat biostacks.out; false; }
}

@test "biolatpcts -w: the time since the request exists, or since the driver got it" {
	local which
	for which in on-device after-rq-alloc; do
		beside biolatpcts -w $which --interval 60 -- "${read_five[@]}"
		same "select(.by.disk == \"${DISK#/dev/}\") | [.by.op, .count, .p1_ns > 1000, .p100_ns < 60000000000]" '["R",5,true,true]' biolatpcts
	done
}

@test "iosnoop -i, iolatency -i: requests of one kind" {
	run -0 --separate-stderr iosnoop -j -i '*R*' -- "${read_five[@]}"
	[ "$(jq -s 'map(select(.comm == "dd")) | length' < <(grep '^{' <<<"$output"))" -eq 5 ] || { echo "$output"; false; }
	run -0 --separate-stderr iosnoop -j -i W -- "${read_five[@]}"
	[ "$(jq -s 'map(select(.args and (.args.op | startswith("W") | not))) | length' < <(grep '^{' <<<"$output"))" -eq 0 ] || { echo "$output"; false; }
	titles 'total: 5 calls' iolatency -D "$DISK" -i R -- "${read_five[@]}"
	run -0 --separate-stderr iolatency -D "$DISK" -i W -- "${read_five[@]}"
	! grep -F 'total: 5 calls' <<<"$output" || { echo "$output"; false; }
}

# Twice the same bio: its first use has ended, although it was not shown.
@test "iosnoop, biotop, bitesize, biostacks, biolatpcts: requests that are not chosen have ended, too" {
	local tool other
	other=$(cd /sys/block && printf '%s\n' * | grep -m 1 -v "^${DISK#/dev/}$") || skip "this guest has only one disk"
	for tool in 'iosnoop -D OTHER' 'iosnoop -i W' 'biotop -D OTHER' 'bitesize -D OTHER' 'biostacks -D OTHER' 'biolatpcts -w from-rq-alloc'; do
		# shellcheck disable=SC2086 # words
		run -0 --separate-stderr ${tool/OTHER/$other} -- "${read_five[@]}"
		[[ $stderr != *"starts replaced"* && $stderr != *"still in progress"* ]] || { echo "$tool: $stderr"; false; }
	done
}

# scsi_debug fails at this sector, and completes no bytes before it reports the error
@test "biopattern: a request that fails is one request" {
	local sector=$((0x1234)) scsi=/sys/bus/pseudo/drivers/scsi_debug/opts
	{ modprobe sd_mod && modprobe scsi_debug dev_size_mb=16; } 2>/dev/null ||
		skip "no module scsi_debug: this kernel was fetched before tools/fetch-kernel kept it"
	wait_until test -b /dev/sda
	sync
	together 'biopattern -j -D sda --interval 60' -- sh -c "echo 2 >$scsi; dd if=/dev/sda of=/dev/null bs=4k count=5 iflag=direct;
		dd if=/dev/sda of=/dev/null bs=64k skip=$((sector / 128)) count=1 iflag=direct; echo 0 >$scsi"
	showed '[.requests, .sequential, .bytes]' biopattern <<<"[5,4,$((4 * 4096 + 65536))]" # the first has none before it
}

@test "mdflush: a flush of a RAID" {
	modprobe raid1 2>/dev/null || skip "no module raid1"
	mdflush --dry-run -q >/dev/null 2>&1 || skip "$(mdflush --dry-run 2>&1 | head -n 1)"
	devices raid /dev/md0 "$DISK"
	together 'mdflush -j' -- dd if=/dev/zero of=/dev/md0 bs=4k count=2 conv=fsync
	devices stop /dev/md0
	showed '[.comm, .args.disk]' mdflush <<<'["dd","md0"]'
}

@test "virtiostat: requests of the disk's queues" {
	virtiostat --dry-run -q >/dev/null 2>&1 || skip "$(virtiostat --dry-run 2>&1 | head -n 1)"
	run -0 --separate-stderr virtiostat -j --interval 60 -c dd -- "${read_five[@]}"
	# each has a head of 16 bytes for the device to read, the data, and a byte of status
	[ "$(jq -s 'map(select(.by.driver == "virtio_blk")) | [(map(.count) | add), (map(.in_bytes) | add), (map(.out_bytes) | add), (map(.in_sgs) | add),
		(map(.out_sgs) | add)]' -c <<<"$output")" = "[5,$((5 * 4097)),80,10,5]" ] || { echo "$output"; false; }
	run -0 --separate-stderr virtiostat -j --interval 60 --driver virtio_net -- "${read_five[@]}"
	[[ $output != *virtio_blk* ]] || { echo "$output"; false; }
}

@test "syncsnoop: calls, and their results" {
	shows 'select(.args.call != "msync") | [.comm, .args.call, .args.ret, .args.took > 0]' syncsnoop -- \
		sh -c "sync; dd if=some of=other conv=fsync; true" <<-'END'
		["sync","sync",0,true]
		["dd","fsync",0,true]
	END
}

@test "writeback: its reason, and the number of pages" {
	mkdir d && mke2fs "$DISK" >/dev/null 2>&1 && mount -t ext4 "$DISK" d
	beside writeback -- sh -c "dd if=/dev/zero of=d/x bs=64k count=16; sync"
	umount d
	[ "$(jq -s 'map(select(.args.reason == "WB_REASON_SYNC" and .args.written >= 256)) | length' <<<"$output")" -ge 1 ] || { echo "$output"; false; }
}
