#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# bps: the BPF programs that are loaded. The work program `verdicts` has three; what processes hold is judged by
# /proc/PID/fdinfo, how often a program ran by the work.

bats_require_minimum_version 1.5.0
load verdicts
load wait

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	started=() # what is still running if a test fails
	verdicts_begin
}

teardown() {
	((!${#started[@]})) || kill -INT "${started[@]}" 2>/dev/null || true
	verdicts_end
}

# The programs that a process has, by its descriptors.
held() { cat "/proc/$1/fdinfo/"* | sed -n 's/^prog_id:[[:blank:]]*//p' | sort -nu; } # PID

@test "ids, types, names, owners and places, without loading a program" {
	local id
	bps -j >one
	bps -j >two
	diff <(jq .id one) <(jq .id two)
	diff <(held $work) <(jq -r "select(.pids == \"$work\").id" one | sort -n)
	[ "$(jq -r "select(.pids == \"$work\") | [.name, .program_type, .uid, .maps, .attached // \"-\"] | @tsv" one | sort)" = \
		$'on_sys_enter\tRAW_TRACEPOINT\t0\t0\traw_tracepoint:sys_enter\ntc_shot_every\tSCHED_CLS\t0\t0\t-\nverdict_of_each_packet\tXDP\t0\t0\txdp:lo' ] ||
		{ cat one; false; }
	# what the kernel says of the same descriptor
	id=$(jq 'select(.name == "tc_shot_every").id' one)
	grep -l "^prog_id:[[:blank:]]*$id$" /proc/$work/fdinfo/* | head -n 1 >file
	[ "$(jq -r "select(.id == $id) | \"\(.tag) \(.memory)\"" one)" = \
		"$(awk '/^prog_tag/ { t = $2 } /^memlock/ { m = $2 } END { print t, m }' "$(<file)")" ]
	# of the last minutes
	jq -es 'map(.loaded | sub("\\.[0-9]+Z"; "Z") | fromdate | now - . | . > -5 and . < 600) | all' one
}

@test "PROGRAM: an id, a name, a tag, a pattern, with its maps; an unknown one" {
	local id tag
	bps -j tc_shot_every >one
	id=$(jq .id one) tag=$(jq -r .tag one)
	for name in "$id" "$tag" tc_shot_every 'tc_*'; do
		[ "$(bps -j "$name" | jq .id)" = "$id" ] || { echo "$name"; false; }
	done
	run -0 --separate-stderr bps
	[[ ${lines[0]} =~ ^\ *ID\ +TYPE && ${lines[0]} == *UID*MAPS*LOADED*MEMORY*NAME*PIDS*ATTACHED ]] || { echo "$output"; false; }
	[[ $output != *MAP_NAMES* ]]
	run -1 bps nosuch
	[[ $output == *'this kernel has no BPF program nosuch'*'bps lists all of them'* ]] || { echo "$output"; false; }
	argdump -q --count vfs_open >counts 2>err 3>&- &
	wait_attached $!
	run -0 --separate-stderr bps -j 'argdump*'
	[ "$(jq -r .pids <<<"$output")" = $! ]
	jq -e '(.map_names | split(" ") | length) == .maps and .maps > 0' <<<"$output"
	kill -INT $!
	wait $!
}

@test "runs: as many as the work does while statistics are on, and none are counted after it" {
	local before function
	for function in __do_sys_getppid __x64_sys_getppid __arm64_sys_getppid; do # the one that this kernel has not inlined
		! argdump --dry-run $function || break
	done
	argdump --count --attach kprobe $function >counts 2>err 3>&- &
	local tracer=$!
	wait_attached $tracer
	bps -j -d 60 'argdump*' >rows 2>err 3>&- &
	wait_attached $! err
	deeds calls 300
	kill -INT $!
	wait $!
	jq -es 'length == 1 and (.[0] | .runs == 600 and .time_ns > 0 and .each_ns == (.time_ns / 600 | floor) and .cpu >= 0 and
		(.attached | startswith("kprobe:") and contains("getppid")))' rows || { cat rows; false; }
	before=$(bps -j 'argdump*' | jq .runs)
	deeds calls 100
	[ "$(bps -j 'argdump*' | jq .runs)" = "$before" ]
	kill -INT $tracer
	wait $tracer
	grep -qE '(^|[^0-9])800([^0-9]|$)' counts || { cat counts; false; }
}

@test "--interval --clear: each report has its own runs" {
	bps -j --interval 1 --clear -d 2.5 verdict_of_each_packet >rows 2>err 3>&- &
	wait_attached $! err
	local tool=$!
	wait_until has_lines 1 rows
	printf '%s\n' 100 100 100 >&7
	wait $tool || { cat err; false; }
	# each packet arrives; even ones are answered, because nobody listens
	jq -es 'length == 3 and (map(.runs // 0) | add == 6 and .[0] == 0)' rows || { cat rows; false; }
}

@test "without rights: what is missing; with a kprobe of perf: its place" {
	run -2 su nobody -s /bin/sh -c bps
	[[ $output == *'needs CAP_SYS_ADMIN'* ]] || { echo "$output"; false; }
	argdump -q --count --attach kprobe vfs_open >counts 2>err 3>&- &
	wait_attached $!
	run -0 --separate-stderr bps -j 'argdump*'
	[ "$(jq -r '.attached' <<<"$output")" = kprobe:vfs_open ] || { echo "$output"; false; }
	kill -INT $!
	wait $!
}

# What the columns TYPE and COUNT of bpflist are, by the descriptors of a process.
descriptors() { # PID
	local fd
	for fd in "/proc/$1/fd/"*; do readlink "$fd"; done | sed -nE 's/^anon_inode:\[?bpf[-_](prog|map|link).*/\1/p' | sort | uniq -c |
		awk '{ print $2, $1 }'
}

@test "bpflist, as bcc's: what each process holds; -v kprobes, -vv their definitions; rows by number" {
	local tracer
	argdump -q --count --attach kprobe vfs_open >counts 2>err 3>&- &
	tracer=$!
	started+=($tracer)
	wait_attached $tracer
	run -0 --separate-stderr coretap bpflist
	[[ ${lines[0]} =~ ^PID\ +COMM\ +TYPE\ +COUNT$ ]] || { echo "$output"; false; }
	diff <(descriptors $work) <(awk -v pid=$work '$1 == pid { print $3, $4 }' <<<"$output" | sort)
	diff <(descriptors $tracer) <(awk -v pid=$tracer '$1 == pid && $2 == "argdump" { print $3, $4 }' <<<"$output" | sort)
	# bcc's kprobes of tracefs have the number of the process in their name; ours are a perf event
	echo "p:p_vfs_read_bcc_$work vfs_read" >/sys/kernel/tracing/kprobe_events
	run -0 --separate-stderr coretap bpflist -v
	echo >>/sys/kernel/tracing/kprobe_events '-:p_vfs_read_bcc_'$work
	[ "$(awk '$3 == "kprobe" { print $1, $4 }' <<<"$output")" = "$(printf '%s 1\n' $work $tracer)" ] || { echo "$output"; false; }
	[ "$(awk 'NR > 1 { print $1 }' <<<"$output")" = "$(awk 'NR > 1 { print $1 }' <<<"$output" | sort -n)" ] || { echo "$output"; false; }
	run -0 --separate-stderr coretap bpflist -vv
	[[ $output == "open kprobes:"*"p:$tracer vfs_open"*"open uprobes:"*PID*COMM* ]] || { echo "$output"; false; }
	# bps, too, sorts programs of equal cost by number
	bps -j | jq -es 'map(.id) | . == sort'
	kill -INT $tracer
	wait $tracer
}
