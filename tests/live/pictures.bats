#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Records and counts for other programs to draw: Chrome's trace events, ftrace's lines, SVG. Known
# workloads; the judges know the formats, not coretap.

bats_require_minimum_version 1.5.0
load wait

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	echo x >some
}

RULES=$(dirname "$BATS_TEST_DIRNAME")/lib

# FILTER is true of the events, which break no rule of the format.
events() { # FILTER FILE
	run -0 jq -c -L "$RULES" 'include "trace_rules"; trace_errors' "$2"
	[ "$output" = '[]' ] || { echo "$output" | head -c 2000; false; }
	run jq -e "$1" "$2"
	[ "$status" -eq 0 ] || { echo "not so: $1"; head -c 3000 "$2"; false; }
}

@test "trace events: calls are spans of their thread, one inside the other, with their values" {
	run -0 --separate-stderr argdump --trace-json t.json -r -c reads s:read fd count \
		--and vfs_read count 'name=file->f_path.dentry->d_name.name:str' -- reads 25 some
	[[ $output != *vfs_read* ]]
	events 'map(select(.ph == "X" and .name == "vfs_read" and .args.name == "some")) | length == 25 and
		all(.cat == "argdump" and .args.count == 1 and .dur > 0 and .args.comm == "reads")' t.json
	# each in a system call of the same thread, whose span has it
	events '[.[] | select(.ph == "X" and .args.count == 1)] | map(select(.name == "vfs_read")) as $in |
		map(select(.name != "vfs_read")) as $out | ($in | length) == 25 and ($out | length) == 25 and
		([$in, $out] | transpose | all(.[0].tid == .[1].tid and .[0].ts >= .[1].ts - 0.0005 and
			.[0].ts + .[0].dur <= .[1].ts + .[1].dur + 0.0005))' t.json
	events '[.[] | select(.ph == "M" and .name == "thread_name") | .args.name] | contains(["reads"])' t.json
	# the span is what $lat says, but for the time that the probes themselves take
	run -0 argdump --trace-json t.json -c reads -r vfs_read '$lat' -- reads 9 some
	events 'map(select(.ph == "X")) | length >= 9 and
		all(.args.lat_ns > 0 and .dur * 1000 >= .args.lat_ns * 0.5 and .dur * 1000 < .args.lat_ns + 5000000)' t.json
}

@test "trace events: a pair of one thread is a span, of anything else two ends" {
	run -0 argdump --trace-json t.json -c reads s:read fd count --until vfs_read -- reads 12 some
	events '[.[] | select(.ph == "X" and .args.count == 1)] | length == 12 and
		all(.name == "read" or (.name | test("sys_read")))' t.json
	run -0 argdump --trace-json t.json -c reads vfs_open 'name=path->dentry->d_name.name:str' \
		--until vfs_read --on 'path->dentry == @end(file->f_path.dentry)' -- reads 1 some some some
	events '[.[] | select(.ph == "b" and .args.name == "some")] | length == 3 and
		all(.name == "vfs_open")' t.json
}

@test "trace events: rows of emit(), in tools and in programs" {
	run -0 filelife --trace-json t.json -- sh -c 'echo >f1; rm f1'
	events 'map(select(.ph == "i" and .name == "filelife" and .args.comm == "sh" and .args.remover == "rm" and .args.name == "f1"
		and .args.age > 0 and .pid > 1 and .tid == .pid and .ts > 0)) | length == 1' t.json
	events 'map(select(.name == "process_name" and .args.name == "sh")) | length == 1' t.json
	run -0 bt -q --trace-json t.json -c 'reads 2 some' \
		-e 'kprobe:vfs_read /comm == "reads"/ { @calls = count(); emit(tid, comm, pid, bytes = arg2, c = "\"x") }'
	events 'map(select(.ph == "i" and .name == "emit" and .args == {comm: "reads", bytes: 1, c: "\"x"} and .tid == .pid)) | length == 2' t.json
	run -127 filelife --trace-json t.json -- /nonexistent
	events 'length == 1' t.json
	run -0 bt -q --trace-json t.json -c 'reads 1 some' -e 'kprobe:vfs_read /comm == "reads"/ { emit(pid, comm, stack = kstack(2), n = count) }'
	events 'map(select(.ph == "i" and .args.n == 1 and (.args.stack | length) == 2)) | length == 1' t.json
	run -0 bt -q --trace-json t.json -d 0.5 -e 'begin { emit(n = 1); emit(comm = 2); }'
	events 'map(select(.pid == 0 and .ph == "i") | .args | .n // .comm) == [1, 2]' t.json
}

@test "trace events: instants, and other applets" {
	run -0 argdump --trace-json t.json -c reads vfs_read count -- reads 5 some
	events 'map(select(.ph == "i" and .name == "vfs_read" and .s == "t" and .args.count == 1)) | length == 5' t.json
	run -0 opensnoop --trace-json t.json -c reads -- reads 1 some some some some
	events 'map(select(.ph == "X" and .name == "opensnoop" and .args.path == "some" and .dur > 0)) | length == 4' t.json
	run -0 execsnoop --trace-json t.json -- bash -c '/bin/true a; /bin/true "b\"c"'
	events 'map(select(.ph == "i" and .name == "execsnoop" and .args.argv == ["/bin/true", "a"])) | length == 1' t.json
	events 'map(select(.args.argv? == ["/bin/true", "b\"c"] and .args.errno == null)) | length == 1' t.json
}

@test "trace events: the file is whole after a signal, and a task of a hostile name has it" {
	hostile=$'a"\n<b>&\xff'
	argdump --trace-json t.json vfs_read count 2>err & tracer=$!
	wait_attached $tracer
	cp "$(type -P reads)" "./$hostile"
	"./$hostile" 3 some
	kill -INT $tracer
	wait $tracer || true
	events 'map(select(.ph == "i" and .args.count == 1)) | length >= 3' t.json
	events '[.[] | select(.ph == "M" and .name == "thread_name") | .args.name] |
		map(select(startswith("a\"\n<b>&"))) | length == 1' t.json
	# what was lost is an event, too
	events 'map(select(.ph == "i" and .name == "lost")) | length <= 9' t.json
}

# What the kernel's documentation (trace/ftrace.rst) says of a line: task-pid [cpu] flags time: event: rest
FTRACE='^ *(.{1,16})-([0-9]+) +\[([0-9]{3})\] ([dDbX.][NnplLbB.][HhsZz.][0-9a-f.][0-9a-f.]?) +([0-9]+\.[0-9]{6}): ([A-Za-z_0-9]+):'

# TASK TID CPU TIME EVENT REST of each line that is no comment; fails over any that is not as it should be.
ftrace_lines() { # FILE
	if grep -vE "^#|$FTRACE|: <(user )?stack trace>$|^ => " "$1"; then
		echo "no line of a trace file"; return 1
	fi
	sed -nE "s/$FTRACE/\1 \2 \3 \5 \6/p" "$1"
}

@test "ftrace: lines as the kernel writes of the same calls" {
	cd /sys/kernel/tracing
	echo mono >trace_clock
	echo 'p:live/count vfs_read count=$arg3:u64' >>kprobe_events
	echo 'count == 1' >events/live/count/filter
	echo 1 >events/live/count/enable
	cd "$BATS_TEST_TMPDIR"
	run argdump --ftrace -o ours -c reads vfs_read '$ctx' count --if 'count == 1' -- reads 20 some
	echo 0 >/sys/kernel/tracing/events/live/count/enable
	cat /sys/kernel/tracing/trace >kernel
	echo -:live/count >>/sys/kernel/tracing/kprobe_events
	[ "$status" -eq 0 ]
	[ "$(head -n 1 ours)" = '# tracer: nop' ] && grep -q '^# *TASK-PID *CPU#' ours || false
	[ "$(grep TASK-PID ours)" = "$(grep TASK-PID kernel)" ] || grep TASK-PID kernel >&3
	ftrace_lines ours | grep '^reads .* vfs_read count=1$' >mine
	[ "$(wc -l <mine)" -eq 20 ] || { cat ours; false; }
	# the kernel does not know all names of tasks (<...>)
	tid=$(awk '{print $2; exit}' mine)
	# … and it sees the read with which the command waits to be started, too
	ftrace_lines kernel | awk -v tid="$tid" '$2 == tid' | tail -n 20 >theirs
	[ "$(wc -l <theirs)" -eq 20 ] || { echo "$tid"; head -n 30 kernel; false; }
	# the same threads on the same processors, at the same time by the same clock
	paste -d ' ' mine theirs | awk '{
		d = $4 - $10; if (d < 0) d = -d
		if ($2 != $8 || $3 != $9 || d > 0.05) {print "differs: " $0; bad = 1}
	} END {exit bad}' || { head -n 3 mine theirs; false; }
	grep -qE '\] [d.][.Nnp][.][.0-9]' ours
}

@test "ftrace: returns, events, user functions, samples; stacks below; a hostile task" {
	run -0 argdump --ftrace -o ours -r -c reads vfs_read count -- reads 5 some
	[ "$(ftrace_lines ours | grep -cE '^reads .* vfs_read count=1 ret=1 lat=')" -eq 5 ]
	run -0 argdump --ftrace -o ours -n 5 t:sched:sched_switch next_pid -- reads -s 50 some
	[ "$(ftrace_lines ours | grep -c ' sched_switch next_pid=[0-9]')" -eq 5 ]
	run -0 argdump --ftrace -o ours -k -c reads vfs_read count --if 'count == 1' -- reads 2 some
	ftrace_lines ours >/dev/null
	[ "$(grep -c ': <stack trace>$' ours)" -eq 2 ]
	[ "$(grep -c '^ => vfs_read$' ours)" -eq 2 ]
	run -0 argdump --ftrace -o ours -n 3 every:10ms -- reads -s 200 some
	[ "$(ftrace_lines ours | wc -l)" -eq 3 ] || { cat ours; false; }
	hostile=$'x [9] ..: e\n1'
	cp "$(type -P reads)" "./$hostile"
	run -0 argdump --ftrace -o ours vfs_read count --if 'count == 1' -- "./$hostile" 2 some
	[ "$(grep -c 'count=1$' ours)" -eq 2 ] && ftrace_lines ours >/dev/null
}

@test "ftrace: of one processor, its number" {
	run -0 taskset 2 argdump --ftrace -o ours -c reads vfs_read count -- taskset 2 reads 5 some
	[ "$(ftrace_lines ours | awk '$1 == "reads" && $NF == "count=1" && $3 == "001"' | wc -l)" -eq 5 ] ||
		{ nproc; cat ours; false; }
}

# NAME: the calls that the boxes of that name have, added up.
calls_of() { # NAME FILE
	sed -nE "s/^<g><title>$1 \(([0-9,]+) calls?, .*/\1/p" "$2" | tr -d , | paste -sd+ | bc
}

# What can be said without an XML parser, which the guest has not (tests/unit/test_svg asks one): the file is
# whole, groups are closed, and texts have no markup.
xml_is_fine() { # FILE
	[ "$(head -c 19 "$1")" = '<?xml version="1.0"' ] && [ "$(tail -n 1 "$1")" = '</svg>' ] || false
	[ "$(grep -c '<g[> ]' "$1")" -eq "$(grep -c '</g>' "$1")" ]
	! sed -n 's/^<g><title>\(.*\)<\/title><rect.*/\1/p' "$1" | grep -E '[<>]|&[^aglq]'
}

@test "flame graph: a box for each function, as many calls as there were" {
	run -0 --separate-stderr argdump --folded --svg f.svg -c chain vfs_read -- chain 137 some
	[[ $output != *chain\;* ]]
	xml_is_fine f.svg
	for name in chain main outer middle inner chain_read vfs_read ksys_read; do
		[ "$(calls_of $name f.svg)" -eq 137 ] || { echo "$name"; cut -c1-200 f.svg; false; }
	done
	grep -q '<title>vfs_read (137 calls, 100.00%, kernel)</title>' f.svg
	grep -q '<title>chain_read (137 calls, 100.00%)</title>' f.svg
	grep -q '^<title>argdump --folded --svg f.svg -c chain vfs_read -- chain 137 some</title>' f.svg
	grep -q '>137 calls in [0-9.]*m\?s<' f.svg
	# inside of one another: vfs_read is above its callers
	y() { sed -nE "s/^<g><title>$1 .*<rect x=\"[0-9.]*\" y=\"([0-9]+)\".*/\1/p" f.svg; }
	[ "$(y vfs_read)" -lt "$(y ksys_read)" ] && [ "$(y ksys_read)" -lt "$(y chain_read)" ] &&
		[ "$(y chain_read)" -lt "$(y inner)" ] && [ "$(y inner)" -lt "$(y main)" ]
}

@test "flame graph: of time; of a process whose name is markup" {
	hostile=$'<g>&"]]>\x01\xff'
	cp "$(type -P chain)" "./$hostile"
	run -0 argdump --folded --svg f.svg vfs_read -- "./$hostile" 5 some
	xml_is_fine f.svg
	grep -qF '<title>&lt;g&gt;&amp;&quot;]]&gt;\x01\xff (5 calls, ' f.svg
	run -0 argdump --folded -k --svg f.svg --sum '$lat' -r -c chain vfs_read -- chain 9 some
	xml_is_fine f.svg
	grep -qE '<title>vfs_read \([0-9.]+[mun]?s, 100.00%, kernel\)</title>' f.svg
}

@test "flame graph: of a count and of a sum by a stack" {
	run -0 argdump --svg f.svg -c chain --count --by '$kstack' vfs_read -- chain 31 some
	xml_is_fine f.svg
	[ "$(calls_of vfs_read f.svg)" -eq 31 ] && [ "$(calls_of ksys_read f.svg)" -eq 31 ] || { cut -c1-200 f.svg; false; }
	! grep -q '<title>chain ' f.svg || false # the key is the stack alone
	run -0 argdump --svg f.svg -c chain --sum count --by '$comm,$ustack' vfs_read -- chain 31 some
	xml_is_fine f.svg
	grep -qF '<title>chain (31 sum(count), 100.00%)</title>' f.svg || { cut -c1-200 f.svg; false; }
}

@test "bars: each bucket with its calls" {
	run -0 --separate-stderr argdump --svg h.svg -c dd --hist count --lhist count,0,200,100 vfs_read -- bash -c \
		'dd if=/dev/zero of=/dev/null bs=1 count=3; dd if=/dev/zero of=/dev/null bs=100 count=7'
	[[ $output != *@@* ]]
	xml_is_fine h.svg
	grep -q '<title>\[1\]: 3 calls, 30.00%</title>' h.svg
	grep -q '<title>\[64, 128): 7 calls, 70.00%</title>' h.svg
	grep -q '<title>\[100, 200): 7 calls, 70.00%</title>' h.svg
	grep -q '>hist(count)  10 calls  p50 ' h.svg
	run -0 argdump --svg h.svg --hist count --by 'name=file->f_path.dentry->d_name.name:str' -c reads \
		vfs_read -- reads 8 some some
	grep -q '>hist(count)  name=some  16 calls' h.svg
}

@test "heat map: a column an interval, and in all as many calls as there were" {
	argdump --svg h.svg --interval 0.5 -c reads --hist count --if 'count == 1' vfs_read 2>err & tracer=$!
	wait_attached $tracer
	for _ in 1 2 3; do
		reads 10 some
		sleep 0.7
		xml_is_fine h.svg
	done
	kill -INT $tracer
	wait $tracer
	xml_is_fine h.svg
	[ "$(sed -nE 's/^<g><title>[0-9:.]+  \[1\]: ([0-9]+) calls.*/\1/p' h.svg | paste -sd+ | bc)" -eq 30 ]
	[ "$(grep -c '^<g><title>' h.svg)" -ge 2 ]
	[ -z "$(find . -name 'h.svg.*')" ]
}

@test "a picture that cannot be written is a failure, at once or at the end" {
	run -3 argdump --svg /nowhere/x.svg --hist count vfs_read -- reads 3 some
	[[ $output == *"cannot write to '/nowhere/x.svg': No such file or directory"* ]]
	run -3 argdump --svg /dev/full --hist count vfs_read -- reads 3 some
	[[ $output == *"cannot write to '/dev/full': No space left on device"* && -c /dev/full ]]
	mkdir small && mount -t tmpfs -o size=4k none small
	run -3 argdump --svg small/x.svg --folded vfs_read -- reads 3 some
	ls -l small
	find small -type f -name 'x.svg*' | grep . && false
	umount small
	[[ $output == *"cannot write to 'small/x.svg': No space left on device"* ]]
}

@test "heat map in text: a line an interval, shades by count" {
	run -0 --separate-stderr argdump --heatmap -c reads --hist count --if 'count == 1' vfs_read -- \
		bash -c 'reads 30 some'
	[[ $output == *' and more'* ]]
	grep -qE '^[0-9:.]+ \| *== *\| hist\(count\)  30 calls' <<<"$output" || { echo "$output"; false; }
	run -0 --separate-stderr argdump --heatmap --interval 0.3 --hist count -c reads vfs_read -- \
		bash -c 'reads 5 some; sleep 1; reads 4 some'
	[ "$(grep -c ' no calls' <<<"$output")" -ge 1 ] || { echo "$output"; false; }
	[ "$(sed -nE 's/.*  ([0-9]+) calls?( .*)?$/\1/p' <<<"$output" | paste -sd+ | bc)" -ge 9 ]
}
