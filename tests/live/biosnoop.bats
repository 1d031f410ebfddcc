#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# biosnoop on the guest's disk, against what dd did and what the kernel counts (/proc/diskstats). The
# same work is traced once as JSON and once as text; most tests look at what came out.

bats_require_minimum_version 1.5.0
load disk
load wait

hostile=$'new\nline\e[31m'

# dd, by its process id in $W/$NAME.JOB; the shell that becomes it has done no I/O of its own.
job() { # JOB DD-ARGUMENT…
	bash -c 'echo $$ >"$1"; shift; exec dd "$@"' job "$W/$NAME.$1" "${@:2}" 2>"$W/$NAME.$1.err"
}

work() {
	job read if=$DISK of=/dev/null bs=4k count=5 skip=3 iflag=direct
	job write if=/dev/zero of=$DISK bs=64k count=3 seek=2 oflag=direct
	job split if=/dev/zero of=$DISK bs=4M count=2 oflag=direct
	job synced if=/dev/zero of=$DISK bs=64k count=16 seek=64 conv=fsync
	blkdiscard -o 1048576 -l 2097152 $DISK
	("$W/$hostile" if=$DISK of=/dev/null bs=8k count=1 skip=9 iflag=direct) 2>/dev/null
}

trace() { # NAME OPTION…
	local status=0
	disk_counts >"$W/$1.before"
	NAME=$1 biosnoop -o "$W/$1" "${@:2}" -- bash -c \
		"$(declare -p hostile) ; $(declare -f job work) ; work" 2>"$W/$1.stderr" || status=$?
	disk_counts >"$W/$1.after"
	echo "$status" >"$W/$1.status"
}

setup_file() {
	disk_find
	echo 512 >"/sys/block/${DISK#/dev/}/queue/max_sectors_kb" # kernels differ
	export W=$BATS_FILE_TMPDIR
	cp "$(type -P dd)" "$W/$hostile"
	trace json -j || return
	trace text -e -T || return
}

# The records of a job's process, by what $2 says of each.
records() { # JOB FILTER
	jq -c --argjson pid "$(<"$W/json.$1")" \
		"select(.type == \"biosnoop\" and .pid == \$pid) | $2" "$W/json"
}

@test "biosnoop: the command ends well, nothing is lost" {
	for name in json text; do
		[ "$(<"$W/$name.status")" = 0 ] || { cat "$W/$name.stderr"; false; }
		! grep lost "$W/$name" "$W/$name.stderr" || false
	done
}

@test "biosnoop: keys of a JSON record, and their types" {
	keys='["bytes","comm","device","disk","errno","flags","latency_ns","op","pid","queued_ns","requeues","ret","rwbs","sector","tid","time","ts_ns","type","via"]'
	[ "$(records read keys | sort -u)" = "$keys" ]
	[ "$(records read '[.disk, .comm, .errno, .requeues, .tid == .pid, (.latency_ns > 0)]' | sort -u)" \
		= "[\"${DISK#/dev/}\",\"dd\",null,0,true,true]" ]
}

@test "biosnoop: a direct read and write: every request, its place and size" {
	diff <(records read '[.op, .sector, .bytes]') - <<-'END'
		["read",24,4096]
		["read",32,4096]
		["read",40,4096]
		["read",48,4096]
		["read",56,4096]
	END
	diff <(records write '[.op, .sector, .bytes]') - <<-'END'
		["write",256,65536]
		["write",384,65536]
		["write",512,65536]
	END
}

@test "biosnoop: requests that the kernel splits lie side by side" {
	records split '[.sector, .bytes / 512]' | jq -es 'length >= 16 and
		(sort | . == (reduce .[] as [$at, $n] ([]; . + [[(.[-1] // [0, 0] | add), $n]]))) and
		(map(.[1]) | add) == 16384'
}

@test "biosnoop: writes of fsync belong to the caller, and are merged" {
	records synced 'select(.op == "write") | .bytes' | jq -es 'add == 16 * 65536 and length < 256'
	records synced 'select(.op == "write") | .sector' | jq -es 'min == 8192'
}

@test "biosnoop: all requests of the disk are as many and as large as the kernel counts" {
	T=$BATS_TEST_TMPDIR
	biosnoop -v -j -o "$T/out" 2>"$T/err" 3>&- &
	tracer=$!
	wait_attached $tracer "$T/err"
	disk_counts >"$T/before"
	NAME=all
	job read if=$DISK of=/dev/null bs=16k count=7 iflag=direct
	job write if=/dev/zero of=$DISK bs=8k count=11 oflag=direct
	job split if=$DISK of=/dev/null bs=2M count=3 iflag=direct
	blkdiscard -o 0 -l 4194304 $DISK
	job cached if=$DISK of=/dev/null bs=64k count=9 skip=100
	disk_counts >"$T/after"
	kill -INT $tracer
	wait $tracer || { cat "$T/err"; false; }
	paste "$T/after" "$T/before" | awk '{for (i = 1; i <= 6; i++) printf "%d ", $i - $(i + 7)}' >"$T/judge"
	jq -rs --arg disk "${DISK#/dev/}" 'map(select(.disk == $disk)) as $all |
		["read", "write", "discard"] | map(. as $op | [$all[] | select(.op == $op) | .bytes] |
			"\(length) \((add // 0) / 512) ") | add' "$T/out" >"$T/ours"
	cat "$T/judge" "$T/ours"
	[ "$(<"$T/judge")" = "$(<"$T/ours")" ]
	read -r reads _ writes _ <<<"$(<"$T/judge")"
	((reads >= 11 && writes == 11))
}

@test "biosnoop: a flush has no sector, and there are as many as the kernel counts" {
	T=$BATS_TEST_TMPDIR
	grep -q 'write back' "/sys/block/${DISK#/dev/}/queue/write_cache" || skip "the disk has no cache"
	biosnoop -v -j -o "$T/out" 2>"$T/err" 3>&- &
	tracer=$!
	wait_attached $tracer "$T/err"
	before=$(disk_counts | awk '{print $7}')
	for _ in 1 2 3; do
		dd if=/dev/zero of=$DISK bs=4k count=1 conv=fsync 2>/dev/null
	done
	after=$(disk_counts | awk '{print $7}')
	kill -INT $tracer
	wait $tracer
	((after - before >= 3))
	[ "$(jq -c 'select(.op == "flush") | [.sector, .bytes]' "$T/out" | sort | uniq -c | xargs)" \
		= "$((after - before)) [null,0]" ]
}

@test "biosnoop: text has the same, a row for each" {
	# how the kernel merges and splits large writes is its business, each time anew
	for job in read write; do
		[ "$(grep -cE "[0-9] dd +$(<"$W/text.$job") " "$W/text")" = "$(records "$job" .op | wc -l)" ]
	done
	[ "$(awk -v pid="$(<"$W/text.split")" '$3 == pid { bytes += $9 } END { print bytes }' "$W/text")" = 8388608 ]
	grep -qE '^TIME +COMM +PID +TID +DEVICE +OP +TYPE +SECTOR +BYTES +QUEUED +LATENCY +ERR +REQUEUES +FLAGS +VIA$' \
		"$W/text"
	pid=$(<"$W/text.read")
	[ "$(grep -cE "^[0-9T:.+-]+ dd +$pid +$pid ${DISK#/dev/} +RS? +read +(24|32|40|48|56) +4096 +(-|[0-9.]+[mun]?s) +[0-9.]+[mu]?s +0 +0 " \
		"$W/text")" = 5 ]
}

@test "biosnoop: a command name with control characters makes no row of its own" {
	jq -e --arg comm "$hostile" -s 'map(select(.comm == $comm)) |
		map([.op, .sector, .bytes]) == [["read", 144, 8192]]' "$W/json"
	grep -qF 'new\nline\x1b[31m' "$W/text"
	! grep -q $'\e' "$W/text" || false
}

@test "biosnoop: -c, -p, -t: the task that asked, and no other" {
	T=$BATS_TEST_TMPDIR
	other() { dd if=$DISK of=/dev/null bs=4k count=20 iflag=direct 2>/dev/null; }
	run -0 --separate-stderr biosnoop -j -c dd -- bash -c "dd if=$DISK of=/dev/null bs=4k count=3 iflag=direct"
	[ "$(jq -r .comm <<<"$output" | sort | uniq -c | xargs)" = "3 dd" ]
	for option in -p -t; do
		bash -c '. "$0"; wait_until test -e '"$T/go$option"'
			exec dd if='$DISK' of=/dev/null bs=4k count=7 iflag=direct' "$BATS_TEST_DIRNAME/wait.bash" 2>/dev/null 3>&- &
		wanted=$!
		biosnoop -v -j $option $wanted -o "$T/out" 2>"$T/err" 3>&- &
		tracer=$!
		wait_attached $tracer "$T/err"
		other
		touch "$T/go$option"
		other
		wait $wanted
		wait $tracer || { cat "$T/err"; false; }
		[ "$(jq -r .pid "$T/out" | sort | uniq -c | xargs)" = "7 $wanted" ]
	done
}

@test "biosnoop: a request that waits in a queue is its task's, whoever hands it to the driver" {
	scheduler=/sys/block/${DISK#/dev/}/queue/scheduler
	grep -q mq-deadline "$scheduler" || skip "this kernel has no I/O scheduler built in"
	before=$(sed 's/.*\[\(.*\)\].*/\1/' "$scheduler")
	echo mq-deadline >"$scheduler"
	T=$BATS_TEST_TMPDIR
	other() { dd if=$DISK of=/dev/null bs=4k count=60 skip=1000 iflag=direct 2>/dev/null; }
	other 3>&- &
	other 3>&- &
	run -0 --separate-stderr biosnoop -j -- dd if=$DISK of=/dev/null bs=4k count=40 iflag=direct
	wait
	echo "$before" >"$scheduler"
	jq -es 'map(select(.op == "read")) | length == 40 and (map(.comm) | unique) == ["dd"] and
		(map(.sector) | sort) == [range(40) | . * 8] and all(.queued_ns > 0)' <<<"$output"
}

@test "biosnoop: requests that fail, by the name of the error; -x" {
	T=$BATS_TEST_TMPDIR
	modprobe loop
	mkdir -p "$T/small"
	mount -t tmpfs -o size=256k none "$T/small"
	truncate -s 1M "$T/small/disk"
	loop=$(losetup -f)
	losetup "$loop" "$T/small/disk"
	biosnoop -v -j -o "$T/all" 2>"$T/err" 3>&- &
	tracer=$!
	wait_attached $tracer "$T/err"
	biosnoop -v -x -j -o "$T/failed" 2>"$T/err.failed" 3>&- &
	failed=$!
	wait_attached $failed "$T/err.failed"
	run dd if=/dev/zero of="$loop" bs=64k count=16 oflag=direct
	kill -INT $tracer $failed
	wait $tracer
	wait $failed
	losetup -d "$loop"
	umount "$T/small"
	echo "$output"
	[ "$status" -ne 0 ]
	[[ $output != *'No space'* ]] && error=EIO || error=ENOSPC
	blocks=$(sed -n 's/+0 records out//p' <<<"$output")
	name=${loop#/dev/}
	[ "$(jq -c --arg disk "$name" 'select(.disk == $disk) | [.op, .bytes, .errno]' "$T/all" |
		uniq -c | tr -s ' ')" = " $blocks [\"write\",65536,null]
 1 [\"write\",65536,\"$error\"]" ]
	[ "$(jq -c 'select(.type == "biosnoop") | [.disk, .sector, .errno]' "$T/failed")" \
		= "[\"$name\",$((blocks * 128)),\"$error\"]" ]
}

@test "biosnoop: requests that began before the tracing, or end after it, are not losses" {
	T=$BATS_TEST_TMPDIR
	bash -c "until [ -e $T/enough ]; do
		dd if=$DISK of=/dev/null bs=4k count=200 iflag=direct 2>/dev/null
	done" 3>&- &
	busy=$!
	for _ in 1 2 3; do
		run -0 --separate-stderr biosnoop -j -n 50 -c dd
		[ "$(jq -s length <<<"$output")" = 50 ]
		[ -z "$stderr" ]
	done
	touch "$T/enough"
	wait $busy
}

# ---- partitions, --disk, --count, --hist, files ----

# Two partitions: 16 MiB behind 1 MiB, and 512 KiB behind that.
partition() {
	{
		printf '\0\0\0\0\203\0\0\0\0\010\0\0\0\200\0\0'
		printf '\0\0\0\0\203\0\0\0\0\210\0\0\0\004\0\0'
		head -c 32 /dev/zero
		printf '\125\252'
	} | dd of=$DISK bs=1 seek=446 conv=notrunc,fsync 2>/dev/null
	blockdev --rereadpt $DISK
	[ -b ${DISK}1 ] && [ -b ${DISK}2 ]
}

dd_read() { # DEVICE BLOCKS
	dd if="$1" of=/dev/null bs=4k count="$2" iflag=direct 2>/dev/null
}

@test "biosnoop: partitions by name, and --disk: a disk or a partition" {
	partition
	name=${DISK#/dev/}
	work="$(declare -f dd_read); dd_read $DISK 3; dd_read ${DISK}1 5; dd_read ${DISK}2 7"
	reads() { # OPTION…
		run -0 --separate-stderr biosnoop -j "$@" -- bash -c "$work"
		jq -r 'select(.comm == "dd" and .op == "read") | .device, .disk' <<<"$output" | sort | uniq -c | xargs
	}
	# before 5.12 a partition is found by its sectors
	[ "$(reads)" = "18 $name 5 ${name}1 7 ${name}2" ]
	[ "$(reads --disk "$name")" = "18 $name 5 ${name}1 7 ${name}2" ]
	[ "$(reads -D "${DISK}2")" = "7 $name 7 ${name}2" ]
	[ "$(reads --disk "${name}1" --disk "${name}2")" = "12 $name 5 ${name}1 7 ${name}2" ]
	[ -z "$(reads --disk "$(ls /sys/block | grep -vx "$name" | head -n 1)")" ]
	run -1 biosnoop --disk nosuch
	[[ $output == *"unknown disk 'nosuch'"*"$name"* ]]
}

@test "biosnoop: --count and --hist have as many requests and bytes as the kernel counts" {
	T=$BATS_TEST_TMPDIR
	name=${DISK#/dev/}
	dd_read $DISK 1
	biosnoop -v -j --count --disk "$name" -o "$T/count" 2>"$T/err" 3>&- &
	counter=$!
	wait_attached $counter "$T/err"
	biosnoop -v -j --hist --disk "$name" -o "$T/hist" 2>"$T/err" 3>&- &
	measurer=$!
	wait_attached $measurer "$T/err"
	disk_counts >"$T/before"
	dd_read $DISK 300
	dd if=/dev/zero of=$DISK bs=64k count=40 seek=32 oflag=direct 2>/dev/null
	dd if=/dev/zero of=$DISK bs=64k count=40 seek=32 2>/dev/null
	sync
	disk_counts >"$T/after"
	kill -INT $counter $measurer
	wait $counter && wait $measurer
	paste "$T/after" "$T/before" | awk '{for (i = 1; i <= 4; i++) printf "%d ", $i - $(i + 7)}' >"$T/judge"
	cat "$T/judge" "$T/count"
	[ "$(jq -rs '. as $all | ["read", "write"] | map(. as $op | [$all[] | select(.op == $op)] |
		"\(map(.requests) | add) \((map(.bytes) | add) / 512) ") | add' "$T/count")" = "$(<"$T/judge")" ]
	[ "$(jq -rs '. as $all | ["read", "write"] | map(. as $op | [$all[] | select(.op == $op) | .latency_us[][2]] |
		add | tostring) | join(" ")' "$T/hist")" = "$(awk '{print $1, $3}' "$T/judge")" ]
	# before 5.12 the other test's partitions are found by the sectors
	jq -es 'map(select(.comm == "dd" and .op == "read")) | (map(.requests) | add) == 300 and
		(map(.bytes) | add) == 1228800 and all(.latency_ns > 0)' "$T/count"
}

@test "biosnoop: --longer, in the kernel" {
	run -0 --separate-stderr biosnoop -j --longer 1us -- bash -c "$(declare -f dd_read); dd_read $DISK 4"
	[ "$(jq -s 'map(select(.comm == "dd")) | length' <<<"$output")" = 4 ]
	run -0 --separate-stderr biosnoop -j --longer 1h -- bash -c "$(declare -f dd_read); dd_read $DISK 4"
	[ -z "$output" ]
}

@test "biosnoop: writeback and flushes by kworkers belong to the task that wrote or requested them; --files" {
	T=$BATS_TEST_TMPDIR
	mkdir "$T/m"
	mke2fs $DISK >/dev/null 2>&1 && mount -t ext4 $DISK "$T/m" || skip "the guest cannot make an ext4"
	file=$'a\e[31m\nb'
	mkdir "$T/m/sub"
	run -0 --separate-stderr biosnoop -j --files -o "$T/out" -- bash -c \
		"dd if=/dev/zero of='$T/m/sub/$file' bs=64k count=20; sync; dd if='$T/m/sub/$file' of=/dev/null bs=4k count=1 iflag=direct"
	run -0 --separate-stderr biosnoop -e --files -o "$T/text" -- bash -c \
		"dd if=/dev/zero of='$T/m/sub/$file' bs=64k count=20 conv=notrunc; sync"
	umount "$T/m"
	cat "$T/out"
	# its data, by whoever handed it in: dd's, and nobody else's
	jq -es --arg file "sub/$file" 'map(select(.file == $file)) |
		(map(.bytes) | add) == 20 * 65536 and (map(.comm) | unique) == ["dd"] and
		(map(.pid) | unique | length) == 1 and all(.rwbs | startswith("W"))' "$T/out"
	jq -es 'any(.via | startswith("kworker/")) and all(.comm | startswith("kworker/") | not)' "$T/out"
	jq -es 'map(select(.op == "flush")) | all(.comm == "sync" or .comm == "dd" or (.comm | startswith("jbd2")))' "$T/out"
	# a file in whose pages nothing is
	jq -es 'any(.op == "read" and .comm == "dd" and .bytes == 4096 and .file == null)' "$T/out"
	grep -F '…/sub/a\x1b[31m\nb' "$T/text"
	! grep $'\e' "$T/text" || false
}

@test "biosnoop: options that exclude each other" {
	for options in '--count --hist' '--files --count' '--top 3' '--hist -n 3'; do
		# shellcheck disable=SC2086
		run -1 biosnoop --dry-run $options
	done
}

@test "--pattern: sequential or random, by where the request before it ended" {
	run -0 --separate-stderr biosnoop -P -j -c dd -- sh -c "dd if=$DISK of=/dev/null bs=4k count=3 iflag=direct 2>/dev/null
		dd if=$DISK of=/dev/null bs=4k count=2 skip=100 iflag=direct 2>/dev/null; dd if=$DISK of=/dev/null bs=8k count=1 iflag=direct 2>/dev/null"
	[ "$(jq -r 'select(.type == "biosnoop") | [.sector, .pattern] | join(" ")' <<<"$output")" = \
		$'0 -\n8 sequential\n16 sequential\n800 random\n808 sequential\n0 random' ] || { echo "$output"; false; }
	run -0 --separate-stderr biosnoop -P -c dd -- dd if=$DISK of=/dev/null bs=4k count=2 iflag=direct
	[[ $output == *PATTERN* && $output == *' sequential'* ]] || { echo "$output"; false; }
	run -1 biosnoop -P --count
	[[ $output == *"--pattern is for single requests"* ]]
}
