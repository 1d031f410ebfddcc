#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# opensnoop against known opens (tests/work/opens.c says what must be seen). The same work is traced
# as JSON, by kprobes, and as text; most tests look at what came out.

bats_require_minimum_version 1.5.0
load wait
load arch
load tracefs

# Names with the nastiest bytes, and the last one as long as a name can be.
hostile=($'new\nline' $'\e[31mred\e[0m' "quo'te\"s" 'back\slash' $'\xff\xc3(' $'\xe2\x80\xae' $'\x7f'
	$'tab\t' ' ' '<fault>' '…' '(unreachable)' 'x (deleted)' "$(printf '%255s' '' | tr ' ' n)")
# … as JSON: bytes that are no UTF-8 are U+EF80 to U+EFFF
hostile_json='["new\nline","\u001b[31mred\u001b[0m","quo'\''te\"s","back\\slash","\uefff\uefc3(",
	"\u202e","\u007f","tab\t"," ","<fault>","…","(unreachable)","x (deleted)",'"\"${hostile[-1]}\"]"

# The work: each job of `opens` under a command name of its own, what it says in a file of that name.
work() {
	local job
	cd /opens || return
	for job in calls fails unopened unopened32 early uring refused compat thread; do
		opens $job >"$W/$NAME.$job"
	done
	opens names "${hostile[@]}"
	opens toolong
	opens longest "$long"
	opens deep 300
	opens many 7 137
	opens dirs >"$W/$NAME.dirs"
	return 7
}

trace() { # NAME OPTION…
	local status=0
	umount -l /opens 2>/dev/null
	mount -t tmpfs none /opens || return
	NAME=$1 opensnoop -o "$W/$1" "${@:2}" -- /usr/bin/bash -c \
		"$(declare -p hostile) ; $(declare -f work) ; work" 2>"$W/$1.err" || status=$?
	echo "$status" >"$W/$1.status"
}

setup_file() {
	export W=$BATS_FILE_TMPDIR long
	mkdir -p /opens
	long=/$(printf '%4087s' '' | sed 's, ,./,g; s,\(.*\)./$,\1,')
	long=${long:0:4088}/s-long
	trace json -j || return
	trace kprobe -j --attach kprobe || return
	trace every -j --all || return
	trace everykp -j --all --attach kprobe || return
	trace text || return
	trace extended --extended -F -T || return
}

teardown_file() {
	umount -l /opens
}

records() { # COMM [FILE]: the records of the process that has that command name
	jq -c --arg comm "$1" -s '(map(select(.comm == $comm))[0].pid // -1) as $pid |
		.[] | select(.type == "opensnoop" and .pid == $pid and .comm != "bash")' "${2:-$W/json}"
}

# A job's records must be what it said.
agrees() { # JOB FILTER [NAME]
	local name=${3:-json}
	[ -s "$W/$name.$1" ]
	diff "$W/$name.$1" <(records "$1" "$W/$name" | jq -c "$2")
}

calls='[.kind, .path, .fd, .errno, .flags, .mode, .dirfd]'

start() { # OPTION…: a tracer that writes its text to $T/out; as ${within[@]} runs it
	T=$BATS_TEST_TMPDIR
	rm -f "$T/out"
	"${within[@]}" opensnoop -o "$T/out" "$@" 2>"$T/err" 3>&- &
	tracer=$!
	wait_attached $tracer "$T/err"
}

stop() { # how many rows; its status in $status
	status=0
	kill -INT $tracer || true
	wait $tracer || status=$?
}

rows() { # PATTERN: rows of the text whose path is that
	awk -v p="^$1\$" 'NR > 1 && $NF ~ p' "$T/out" | wc -l
}

@test "each system call, with path, flags, mode and directory as given" {
	[ "$(wc -l <"$W/json.calls")" -ge 7 ] # some processors have no open and creat
	agrees calls "$calls"
}

@test "32-bit callers" {
	[ -s "$W/json.compat" ] || skip "this kernel or machine runs no 32-bit system calls"
	agrees compat "$calls"
}

@test "each way to fail" {
	[ "$(wc -l <"$W/json.fails")" = 15 ]
	agrees fails "$calls"
	# the name that nobody could read is told as such, and is no loss
	records fails | jq -e -s 'map(select(.errno == "EFAULT")) |
		length == 1 and .[0].errors == {"path": "fault"} and .[0].full_path == null'
	run ! grep -q could "$W/json.err"
}

@test "openat2 that is refused because of its struct open_how, and then not opened: with --all" {
	[ "$(wc -l <"$W/every.unopened")" = 6 ]
	agrees unopened "$calls" every
	agrees unopened "$calls" everykp
	[ ! -s "$W/every.unopened32" ] || agrees unopened32 "$calls" every
	[ ! -s "$W/every.unopened32" ] || agrees unopened32 "$calls" everykp
	# without it, those that were opened
	[ "$(records unopened | jq -s length)" = 2 ]
}

@test "an open without a name does not get the name of the kernel's previous open" {
	[ "$(wc -l <"$W/json.early")" = 4 ]
	agrees early "$calls"
	agrees early "$calls" kprobe
}

# By fentry the table alone needs no program at the entry of do_sys_openat2: the name begins the call.
@test "the table has the same opens as JSON" {
	local job
	for job in calls fails early uring compat many; do
		jq -r --arg comm $job 'select(.comm == $comm) | "\(.errno // 0) \(.path // "<fault>")"' \
			"$W/json" | sort >"$BATS_TEST_TMPDIR/$job.json"
		awk -v comm=$job '$2 == comm { print $4, $5 }' "$W/text" | sort |
			diff "$BATS_TEST_TMPDIR/$job.json" -
		[ -s "$BATS_TEST_TMPDIR/$job.json" ] || [ $job = compat ]
	done
}

@test "io_uring, at once and by a worker, into a descriptor or the ring's own table" {
	[ "$(wc -l <"$W/json.uring")" = 9 ]
	# a worker may tell the caller the end of one, and the caller begin the next, before the kernel's
	# function has returned and is seen
	diff <(sort "$W/json.uring") <(records uring | jq -c "$calls" | sort)
}

@test "io_uring requests that are refused for their name" {
	[ -d /sys/kernel/tracing/events/io_uring/io_uring_req_failed ] ||
		skip "this kernel does not tell them"
	agrees refused "$calls"
}

@test "a thread is distinguished from its process" {
	agrees thread '[.pid, .tid]'
	run ! jq -e '.[0] == .[1]' "$W/json.thread"
}

@test "full_path through directory descriptors, working directory, mounts and chroot" {
	[ "$(wc -l <"$W/json.dirs")" -ge 20 ]
	agrees dirs '[.path, .full_path]'
}

@test "a path of 300 directories is complete, one of 2500 shows how much is missing" {
	records deep | jq -e --arg full "/opens$(printf '/deep%.0s' {1..300})/d-deep" \
		'.path == "d-deep" and .full_path == $full and (has("cut") | not)'
	mkdir -p /opens/ram
	mount -t tmpfs none /opens/ram
	opensnoop -j -o "$BATS_TEST_TMPDIR/out" -- bash -c 'cd /opens/ram && exec opens deep 2500'
	umount -l /opens/ram
	# 4096 bytes hold 820 components of 5 bytes; /opens/ram/deep… has 2502
	records deep "$BATS_TEST_TMPDIR/out" | jq -e '.cut == {"full_path": 1682} and
		(.full_path | endswith("deep/deep/d-deep") and (startswith("/") | not)
			and (split("/") | length) == 821)'
	jq -e 'select(.type == "lost") | .cut == 1 and .lost == 0' "$BATS_TEST_TMPDIR/out"
}

@test "hostile names come back byte for byte in JSON" {
	records names | jq -s -e --argjson want "$hostile_json" 'map(.path) == $want and
		map(.full_path) == ($want | map("/opens/" + .))'
}

@test "hostile names neither drive a terminal nor forge a row" {
	[ "$(awk '$2 == "names"' "$W/text" | wc -l)" = ${#hostile[@]} ]
	run ! grep -qaP '[\x00-\x09\x0b-\x1f\x7f]' "$W/text"
	run ! grep -qP '\xe2\x80\xae' "$W/text"
	awk '$2 == "names" && $NF == "new\\nline"' "$W/text" | grep -q .
	awk '$2 == "names" && $NF == "\\xff\\xc3("' "$W/text" | grep -q .
}

@test "a name of 255 bytes and a path of 4095 are complete, a longer one is cut and reported" {
	[ ${#hostile[-1]} = 255 ]
	[ ${#long} = 4095 ]
	records longest | jq -e --arg long "$long" '.path == $long and .full_path == $long and
		.errno == "ENOENT"'
	[ "$(awk '$2 == "longest" {print length($NF)}' "$W/text")" = 4095 ]
	records toolong | jq -e '.errno == "ENAMETOOLONG" and (.path | length) == 4095 and
		.cut == {"path": null} and .full_path == null'
}

@test "137 opens by 7 processes are 137 records" {
	jq -s -e 'map(select(.comm == "many")) | length == 137 and (map(.pid) | unique | length) == 7
		and (map(select(.path == "/dev/null" and .fd >= 0)) | length) == 46
		and (map(select(.path == "m-none" and .errno == "ENOENT")) | length) == 91' "$W/json"
	[ "$(awk '$2 == "many" && $NF == "m-none"' "$W/text" | wc -l)" = 91 ]
	[ "$(awk '$2 == "many" && $NF == "/dev/null"' "$W/text" | wc -l)" = 46 ]
}

@test "kprobes see the same as fentry" {
	local job
	for job in calls fails early uring thread dirs; do
		case $job in
		thread) agrees $job '[.pid, .tid]' kprobe ;;
		dirs) agrees $job '[.path, .full_path]' kprobe ;;
		*) agrees $job "$calls" kprobe ;;
		esac
	done
	for job in json kprobe; do
		jq -c 'select(.type == "opensnoop" and .kind != "io_uring") | [.comm, .errno, .path,
			.full_path, .flags, .mode, .resolve, .uid, .cgroup]' "$W/$job" |
			grep -v "$W" | sort >"$BATS_TEST_TMPDIR/$job"
	done
	[ "$(wc -l <"$BATS_TEST_TMPDIR/json")" -gt 200 ]
	# before 5.15 kretprobes miss returns under load; what is not there must have been counted
	diff "$BATS_TEST_TMPDIR/json" "$BATS_TEST_TMPDIR/kprobe" | grep '^[<>]' | cut -c1-200 |
		tee "$BATS_TEST_TMPDIR/differ" | head -n 20
	run ! grep '^>' "$BATS_TEST_TMPDIR/differ"
	missed=$(jq -s 'map(select(.type == "lost" and .final))[0].missed // 0' "$W/kprobe")
	[ "$(wc -l <"$BATS_TEST_TMPDIR/differ")" -le "$missed" ]
}

@test "nothing was lost, and the status is the command's" {
	local name
	for name in json kprobe text extended; do
		[ "$(<"$W/$name.status")" = 7 ]
		[ $name = kprobe ] || run ! grep -qE 'missed|lost' "$W/$name.err"
	done
	jq -e 'select(.type == "lost") | .lost == 0' "$W/json"
}

@test "the fields of JSON" {
	records calls | jq -e -s --argjson cgroup "$(stat -c %i /sys/fs/cgroup)" 'all(.[];
		keys == ["cgroup", "comm", "dirfd", "errno", "fd", "flags", "full_path", "kind", "latency_ns",
			"mode", "path", "pid", "resolve", "ret", "tid", "time", "ts_ns", "type", "uid"]
		and .type == "opensnoop" and .uid == 0 and .cgroup == $cgroup and .pid == .tid
		and .latency_ns > 0 and (.time | test("^2[0-9]{3}-.*Z$")))'
	records calls | jq -e -s 'length >= 7 and (.[:-2] | all(.resolve == [])) and (.[-2:] | map(.resolve) ==
		[["RESOLVE_NO_SYMLINKS","RESOLVE_IN_ROOT"],["RESOLVE_BENEATH"]])'
	# times rise within a thread, by at least what the call took
	records calls | jq -e -s '[.[1:], .[:-1]] | transpose |
		all(.[]; .[0].ts_ns - .[1].ts_ns >= .[0].latency_ns)'
	records fails | jq -e -s '(.[:-1] | all(.uid == 0)) and .[-1].uid == 65534'
}

@test "the table" {
	[ "$(head -n1 "$W/text" | tr -s ' ')" = " PID COMM FD ERR PATH" ]
	pid=$(records calls | jq -r .pid | head -n1)
	grep -qE '^ *[0-9]+ calls +[0-9]+ 0 +/$' "$W/text"
	grep -qE '^ *[0-9]+ calls +-1 ENOTDIR +/dev/null$' "$W/text"
	grep -qE '^ *[0-9]+ uring +- 0 +/dev/zero$' "$W/text"
	grep -qE '^ *[0-9]+ fails +-1 EFAULT +<fault>$' "$W/text"
	[ "$(head -n1 "$W/extended" | tr -s ' ')" = \
		"TIME PID TID COMM FD ERR KIND UID LATENCY MODE FLAGS PATH" ]
	grep -qE '^[0-9:]{8}\.[0-9]{6} +([0-9]+) +\1 calls +[0-9]+ 0 +open +0 +[0-9.]+[mu]?s +0755 '"\
"'O_WRONLY\|O_CREAT +/opens/c-openat2$' "$W/extended"
	grep -qE ' calls .* - O_RDONLY\|O_DIRECTORY +/dev/null$' "$W/extended"
	grep -qE ' dirs .* \(unreachable\)/in/d-detached$' "$W/extended"
}

@test "-x prints only failures" {
	opensnoop -x -o "$BATS_TEST_TMPDIR/out" -- bash -c 'cd /opens && exec opens many 3 31'
	[ "$(awk '$2 == "many"' "$BATS_TEST_TMPDIR/out" | wc -l)" = 20 ]
	run ! awk 'NR > 1 && $4 == "0" {bad = 1} END {exit !bad}' "$BATS_TEST_TMPDIR/out"
}

@test "-c, -u, -n and -d" {
	start -c many -u 0
	(cd /opens && opens many 2 9 && opens names x-other)
	stop
	[ "$status" = 0 ]
	[ "$(rows m-none)" = 6 ]
	[ "$(rows x-other)" = 0 ]
	start -u 65534
	(cd /opens && rm -rf f-* && opens fails >/dev/null)
	stop
	[ "$(rows f-file)" = 1 ]
	grep -q EACCES "$T/out"
	run -0 opensnoop -n 3 -c many -o "$T/n" -- bash -c 'cd /opens; opens many 1 50'
	[ "$(wc -l <"$T/n")" = 4 ]
	run -0 timeout 100 opensnoop -d 0.5 -c nobody-has-this
	[ "${#lines[@]}" = 1 ]
}

# A shell that opens $1 once the file $1.go is there, and $1-child from a child of its.
late() {
	wait_until test -e "$1.go"
	: <"$1"
	(: <"$1-child")
	: <"$1"
} 2>/dev/null

@test "-p, -t, -f and --cgroup" {
	local group=/sys/fs/cgroup/opensnoop pid
	cd "$BATS_TEST_TMPDIR"
	touch l l-child
	for options in "-p" "-t" "-f -p"; do
		rm -f l.go
		late l 3>&- &
		pid=$!
		late l 3>&- & # another that does the same
		other=$!
		start $options $pid
		touch l.go
		wait $pid || true
		wait $other || true
		stop
		[ "$(rows l)" = 2 ]
		[ "$(awk -v p=$pid 'NR > 1 && $NF == "l" && $1 != p' out | wc -l)" = 0 ]
		case $options in
		-f*) [ "$(rows l-child)" = 1 ] ;;
		*) [ "$(rows l-child)" = 0 ] ;;
		esac
	done
	mkdir -p $group/below
	start --cgroup $group
	bash -c "echo \$\$ >$group/below/cgroup.procs; exec opens names g-in"
	opens names g-out
	stop
	rmdir $group/below $group
	[ "$(rows g-in)" = 1 ]
	[ "$(rows g-out)" = 0 ]
}

@test "--all shows exec's opens and the kernel's, without it they are not" {
	local T=$BATS_TEST_TMPDIR method
	cd /opens
	printf '#!/usr/bin/busybox sh\n:\n' >script
	chmod +x script
	dd if=/dev/zero of=swap bs=4k count=3 2>/dev/null
	for method in any kprobe; do
		opensnoop --attach $method -a -F -o "$T/all" -- bash -c \
			'./script; swapon swap; opens uring >/dev/null; ./none' 2>"$T/err" || true
		run ! grep -v -e swapon -e none "$T/err"
		for row in "bash - 0 exec /opens/./script" "bash - 0 exec /usr/bin/busybox" \
			"bash -1 ENOENT exec /opens/./none" "swapon - 0 kernel /opens/swap" \
			"uring [0-9]+ 0 io_uring /dev/null"; do
			[ "$(tr -s ' ' <"$T/all" | cut -d' ' -f3- | grep -cxE "$row")" = 1 ] || {
				echo "not once: $row"
				cat "$T/all"
				return 1
			}
		done
		# an open is shown once, and as what it is
		[ "$(awk '$2 == "uring" || $2 ~ /^iou-wrk/' "$T/all" | wc -l)" = 9 ]
		[ "$(awk '$5 == "kernel"' "$T/all" | wc -l)" = 1 ]
	done
	opensnoop -j --all -o "$T/all" -- ./script
	jq -s -e 'map(select(.kind == "exec" and .path == "./script"))[0] | .fd == null and
		.errno == null and .full_path == "/opens/./script" and
		(.flags | contains(["FMODE_EXEC"]))' "$T/all"
	opensnoop -o "$T/few" -- bash -c './script; swapon swap' 2>/dev/null || true
	[ "$(grep -c -e swap -e busybox "$T/few")" = 0 ]
}

@test "an open that waits, and one whose task is killed" {
	cd "$BATS_TEST_TMPDIR"
	start --extended
	opens wait 3>&- &
	waits=$!
	wait_until is_in $waits fifo_open
	[ "$(rows w-fifo)" = 0 ]
	kill -KILL $waits
	wait $waits || true
	stop
	[ "$(rows w-fifo)" = 1 ]
	grep -E ' (EINTR|ERESTARTSYS) .* [0-9.]+m?s .*w-fifo$' out
}

# By kretprobes: 31 opens while 25 others wait, more than the kernel's own kretprobes have places, and 9 when these are killed.
opens_beside_waiting() { # OPENS: how many are shown until then
	local waits=() i
	cd "$BATS_TEST_TMPDIR" || return
	mkfifo w-fifo
	start --attach kprobe -c many
	for i in {1..25}; do
		opens wait 3>&- &
		waits+=($!)
	done
	for i in "${waits[@]}"; do wait_until is_in "$i" fifo_open; done
	opens many 1 31
	kill -KILL "${waits[@]}"
	for i in "${waits[@]}"; do wait "$i" || true; done 2>/dev/null
	opens many 1 9
	stop
}

@test "kretprobes have a place for each of many opens that wait" {
	opens_beside_waiting
	[ "$status" = 0 ]
	[ "$(awk 'NR > 1' out | wc -l)" = 40 ]
	[ -z "$(cat /sys/kernel/tracing/kprobe_events)" ]
}

@test "returns that kretprobes have no place for, where there is no tracefs, are counted one for one" {
	within=(without_tracefs)
	opens_beside_waiting
	[ "$status" = 4 ]
	[ "$(awk 'NR > 1' out | wc -l)" = 9 ]
	# opens of others at that time are among them
	missed=$(sed -n "s/.*warning: at most \([0-9]*\) events missed by the kernel's own probes.*/\1/p" err)
	[[ $missed -ge 31 && $missed -le 60 ]] || { cat err; false; }
}

@test "an open that began before the tracing is neither shown nor counted as lost" {
	cd "$BATS_TEST_TMPDIR"
	opens wait 3>&- &
	waits=$!
	wait_until is_in $waits fifo_open
	start
	cat w-fifo
	wait $waits
	stop
	[ "$status" = 0 ]
	[ "$(rows w-fifo)" = 1 ] # cat's
	[ ! -s err ]
}

@test "nothing of its own is shown" {
	cd "$BATS_TEST_TMPDIR"
	start
	opens many 2 137
	stop
	[ "$(awk '$2 == "many"' out | wc -l)" = 137 ]
	[ "$(awk '$2 == "opensnoop"' out | wc -l)" = 0 ]
}

@test "a closed pipe ends it" {
	(until [ -e "$BATS_TEST_TMPDIR/done" ]; do opens many 1 10; sleep 0.1; done) 3>&- &
	busy=$!
	timeout 100 bash -c 'opensnoop | head -n 2' >"$BATS_TEST_TMPDIR/out"
	touch "$BATS_TEST_TMPDIR/done"
	wait $busy
	[ "$(wc -l <"$BATS_TEST_TMPDIR/out")" = 2 ]
}

@test "a full disk is reported, with exit code 3" {
	start -q
	status=0
	opensnoop -c many -j -o /dev/full 2>"$T/full" &
	full=$!
	wait_attached $full "$T/full"
	opens many 1 10
	wait_until is_gone $full
	wait $full || status=$?
	[ "$status" = 3 ]
	grep -q "cannot write to '/dev/full': No space left on device" "$T/full"
	stop
}

@test "on a disk that fills up, written + lost = opened" {
	local written lost format
	mkdir -p "$BATS_TEST_TMPDIR/small"
	for format in --json --buffer=8M; do
		mount -t tmpfs -o size=64k none "$BATS_TEST_TMPDIR/small"
		cd "$BATS_TEST_TMPDIR"
		opensnoop $format -c many -o small/out 2>err 3>&- &
		tracer=$!
		wait_attached $tracer
		kill -STOP $tracer
		opens many 1 5001
		kill -CONT $tracer
		status=0
		wait $tracer || status=$?
		[ "$status" = 3 ]
		cp small/out whole
		[ -z "$(tail -c 1 whole)" ] || sed -i '$d' whole # a line in part
		written=$(grep -cE 'm-none|/dev/null' whole)
		lost=$(sed -n 's/.*warning: \([0-9]*\) records\? lost: not written before the end/\1/p' err)
		[ "$written" -gt 100 ]
		[ $((written + lost)) = 5001 ]
		cd /
		umount "$BATS_TEST_TMPDIR/small"
	done
}

@test "Ctrl-C ends it with all that was seen" {
	cd "$BATS_TEST_TMPDIR"
	start -c many
	opens many 2 1001
	stop
	[ "$status" = 0 ]
	[ "$(rows m-none)" = 667 ]
	[ "$(rows /dev/null)" = 334 ]
}

@test "100 000 opens by 3 processes are all accounted for" {
	local T=$BATS_TEST_TMPDIR printed lost
	opensnoop --buffer 64M -c many -o "$T/out" -- opens many 3 100000 2>"$T/err" # room for all, read or not
	printed=$(($(wc -l <"$T/out") - 1))
	lost=$(awk '/warning: [0-9]+ / {n += $3} END {print n + 0}' "$T/err")
	echo "$printed printed, $lost lost"
	[ "$printed" = 100000 ]
	[ "$lost" = 0 ]
	[ "$(grep -c m-none "$T/out")" = 66666 ]
}

@test "a ring buffer that is too small: printed + lost = opened" {
	local T=$BATS_TEST_TMPDIR printed
	opensnoop -j --buffer 64K -c many -o "$T/out" -- opens many 2 5001 2>"$T/err"
	printed=$(jq -s 'map(select(.type == "opensnoop")) | length' "$T/out")
	jq -s -e --argjson printed "$printed" 'map(select(.type == "lost" and .final))[0] |
		.records == $printed and .lost + $printed == 5001' "$T/out" ||
		[ "$printed" = 5001 ] # it was fast enough
}

@test "--dry-run prints what would be attached, and attaches nothing" {
	if has_fentry; then
		run -0 opensnoop --dry-run --attach fentry
		[[ $output == *"fexit"*"do_sys_openat2"*"open, return"* ]]
		[[ $output =~ fentry\ +do_fil(p|e)?_?open ]] || [[ $output =~ fentry\ +do_file_open ]]
	fi
	run -0 opensnoop --dry-run --attach kprobe
	[[ $output == *"kretprobe"*"do_sys_openat2"*"open, return"* ]]
	run ! grep -q fentry <<<"$output"
}

# Opens by one process, each with another path; the flags that bash gives are known.
some_opens='cd /opens && : <in && : >new && : >>log && : <>both && : </opens/in && cat in none 2>/dev/null; : </opens/x/in'

opened() { # OPTION…: the paths, sorted, of those that `some_opens` opens
	opensnoop -j "$@" -- bash -c "$some_opens" 2>"$BATS_TEST_TMPDIR/err" |
		jq -c -s 'map(select(.type == "opensnoop").path | select(test("^/(etc|lib|usr|proc|sys|dev)|^$") | not)) | sort'
}

@test "--path, --flags and --write choose in the kernel; by every attach method" {
	local method
	mkdir -p /opens/x
	echo x >/opens/in
	echo x >/opens/x/in
	for method in fentry kprobe kprobe.multi; do
		[ $method != fentry ] || has_fentry || continue
		if [ $method = kprobe.multi ] && ! grep -q ' register_fprobe_ips$' /proc/kallsyms; then continue; fi
		[ "$(opened --attach $method)" = '["/opens/in","/opens/x/in","both","in","in","log","new","none"]' ] ||
			{ opened --attach $method; cat "$BATS_TEST_TMPDIR/err"; false; }
		[ "$(opened --attach $method --path '/opens/*')" = '["/opens/in","/opens/x/in"]' ]
		[ "$(opened --attach $method --flags O_CREAT --write --path '[!n]*')" = '["both","log"]' ]
	done
	[ "$(opened --path '*in' --path 'n?[a-w]')" = '["/opens/in","/opens/x/in","in","in","new"]' ]
	[ "$(opened -F --path in -x)" = '[]' ]
	[ "$(opened --path 'n*' -x)" = '["none"]' ]
	[ "$(opened --write)" = '["both","log","new"]' ]
	[ "$(opened --flags O_RDWR,O_APPEND)" = '["both","log"]' ]
	[ "$(opened --flags O_TRUNC --flags O_RDWR)" = '["both","new"]' ]
	rm -r /opens/x
}

@test "--path: names that are long, hostile, no names at all" {
	run -0 --separate-stderr opensnoop -j --path '[!/]*' -- opens names "${hostile[@]}"
	jq -e -s --argjson all "$hostile_json" 'map(select(.type == "opensnoop").path) == $all' <<<"$output" || { echo "$output$stderr"; false; }
	run -0 --separate-stderr opensnoop -j --path '*[n]' -- opens names "${hostile[@]}"
	jq -e -s 'map(select(.type == "opensnoop").path | length) == [255]' <<<"$output" || { echo "$output$stderr"; false; }
	run -0 --separate-stderr opensnoop -j --path '*s-long' -- opens longest "$long"
	jq -e -s --arg long "$long" 'map(select(.type == "opensnoop").path) == [$long]' <<<"$output" || { echo "${output:0:300}$stderr"; false; }
	run -0 --separate-stderr opensnoop -j --path '*s-lonG' -- opens longest "$long"
	[[ $output != *'"opensnoop"'* ]] || { echo "${output:0:300}$stderr"; false; }
}
