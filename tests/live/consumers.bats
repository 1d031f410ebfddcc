#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Whoever reads what a tool prints may be slow, end, or be killed and started again: the tool goes on, keeps
# little, and what was printed and what was lost are what was done.

bats_require_minimum_version 1.5.0
load wait

readonly OPENS=20000 # of some 200 bytes: more than the pipe, the output and the ring hold together

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	mkfifo pipe
}

teardown() {
	[[ ! ${tool:-} ]] || { kill "$tool" && wait "$tool"; } 2>/dev/null || true
	touch go
}

# A reader that takes one line, and does COMMAND when there is a file `go`.
lazy() { # COMMAND…
	local line
	IFS= read -r line
	printf '%s\n' "$line"
	until [[ -e go ]]; do sleep 0.1; done
	"$@"
}

started() { # TOOL OPTION…
	"$@" >pipe 2>err & tool=$!
	wait_attached "$tool"
}

ended() { # SIGNAL…
	status=0
	[[ ! ${1:-} ]] || kill "$1" "$tool"
	wait "$tool" || status=$?
	wait "$reader"
	cat err
}

# The sum of what is said of KIND of losses in all.
lost() {
	sed -nE 's/^[a-z]*: warning: (in total, )?([0-9]+) records? lost.*/\2/p' err | tail -n 1 | grep . || echo 0
}

written_by() { sed -n 's/^wchar: //p' "/proc/$1/io"; } # PID

is_stuck() {
	local written
	written=$(written_by "$tool")
	sleep 1
	[ "$(written_by "$tool")" -eq "$written" ]
}

printed() { cat "$@" | grep -c '"type":"opensnoop"'; } # FILE…

@test "a slow reader: records without room in the ring are counted, and nothing else waits for it" {
	lazy cat <pipe >out & reader=$!
	started opensnoop -j --buffer 64K --listen 9435 -c many
	opens many 1 1 >/dev/null
	wait_until has_lines 1 out
	before=$(status_of "$tool" VmRSS)
	opens many 1 "$OPENS" >/dev/null
	wait_until is_stuck
	# it answers meanwhile, and knows its losses
	wait_until losses_scraped
	grown=$(($(status_of "$tool" VmHWM) - before))
	echo "grown by $grown KiB, $(cat scraped)"
	[ "$grown" -lt 4096 ]
	wait_until grep -q 'so far, [0-9]* records lost: the ring buffer was full' err
	touch go
	wait_until is_stuck
	ended -INT
	echo "printed $(printed out), lost $(lost)"
	[ $(($(printed out) + $(lost))) -eq $((OPENS + 1)) ] && [ "$(lost)" -gt 0 ] && [ "$status" -eq 4 ] || false
	[ "$(printed out)" -gt 300 ] # the pipe's, the output's and the ring's
	jq -e -s --argjson lost "$(lost)" 'map(select(.final)) | length == 1 and .[0].ring_full == $lost' out
}

losses_scraped() {
	busybox wget -qO scraped http://127.0.0.1:9435/metrics &&
		grep -q '^coretap_lost_total{applet="opensnoop",kind="ring_full"} [1-9]' scraped
}

@test "a reader that ends: the run also ends, and reports what was not written" {
	lazy true <pipe >out & reader=$!
	started opensnoop -j --buffer 64K -c many
	opens many 1 "$OPENS" >/dev/null
	wait_until is_stuck
	touch go
	ended
	read -r written unwritten < <(sed -nE "s/.*the reader of 'stdout' is gone: ([0-9]+) records were written, ([0-9]+) were not/\\1 \\2/p" err)
	echo "written $written, not $unwritten, lost $(lost)"
	[ $((written + unwritten + $(lost))) -eq "$OPENS" ]
	[[ $written -gt 100 && $unwritten -gt 100 && $(lost) -gt 0 && $status -eq 4 ]]

	opensnoop -c many -- opens many 1 100 2>err | head -n 2 >out
	[[ ${PIPESTATUS[0]} == [0] ]]
	[ "$(wc -l <out)" -eq 2 ]
}

@test "a reader that is killed, and another one later: the pipe stays" {
	exec 7<>pipe # as a service manager keeps it
	cat <pipe >first 7>&- & reader=$!
	opensnoop -j --buffer 64K -o pipe -c many 2>err 7>&- & tool=$!
	wait_attached "$tool"
	opens many 1 137 >/dev/null
	wait_until has_lines 137 first
	kill -KILL "$reader"
	wait "$reader" || true
	opens many 1 "$OPENS" >/dev/null
	wait_until is_stuck
	cat <pipe >second 7>&- & reader=$!
	wait_until has_lines 300 second
	wait_until is_stuck
	opens many 1 137 >/dev/null
	exec 7>&-
	ended -INT
	echo "printed $(printed first) and $(printed second), lost $(lost)"
	[ "$(printed first)" -eq 137 ]
	[ $(($(printed first second) + $(lost))) -eq $((OPENS + 2 * 137)) ] && [ "$(lost)" -gt 0 ] || false
	run ! grep -qv '^{.*}$' second
}

@test "a slow reader at a socket" {
	busybox nc -l -p 9437 2>/dev/null | lazy cat >out & reader=$!
	wait_until is_listening
	opensnoop -j --buffer 64K -c many >/dev/tcp/127.0.0.1/9437 2>err & tool=$!
	wait_attached "$tool"
	opens many 1 "$OPENS" >/dev/null
	opens many 1 "$OPENS" >/dev/null
	touch go
	wait_until is_stuck
	ended -INT
	echo "printed $(printed out), lost $(lost)"
	[ $(($(printed out) + $(lost))) -eq $((2 * OPENS)) ]
}

is_listening() { grep -q ':24DD ' /proc/net/tcp /proc/net/tcp6; }

@test "reports that are due while the reader is blocked: the next one has all counts" {
	lazy cat <pipe >out & reader=$!
	started opensnoop --count -j --interval 0.1 -c names
	opens names n-{1..500}
	wait_until has_lines 1 out
	wait_until is_stuck
	opens names n-{1..500}
	touch go
	sleep 1
	ended -INT
	[ "$status" -eq 0 ]
	grep -qE 'the output was blocked: [0-9]+ reports were skipped' err
	jq -e -s 'map(select(.type == "opens")) | .[-1].time as $last | map(select(.time == $last)) |
		length == 500 and (map(.opens) | add == 1000) and .[0].total == 1000' out >/dev/null || { tail -n 2 out; false; }
}

# What is in the pipe is read later; the rest is counted by what it was lost to.
@test "a reader that never reads: the run ends within its time all the same, and each record is counted" {
	for way in -INT deadline; do
		rm -f go
		lazy cat <pipe >out & reader=$!
		if [ $way = deadline ]; then
			started opensnoop -j --buffer 64K -d 15 -c many
		else
			started opensnoop -j --buffer 64K -c many
		fi
		opens many 1 "$OPENS" >/dev/null
		wait_until is_stuck
		status=0
		[ $way = deadline ] || kill $way "$tool"
		began=${EPOCHREALTIME/./}
		wait "$tool" || status=$?
		took=$(((${EPOCHREALTIME/./} - began) / 1000))
		touch go
		wait "$reader"
		cat err
		full=$(sed -nE 's/.*warning: (in total, )?([0-9]+) records? lost: the ring buffer.*/\2/p' err)
		rest=$(sed -nE 's/.*warning: ([0-9]+) records? lost: not written before the end/\1/p' err)
		echo "$way: $took ms, printed $(printed out), ring full $full, not written $rest"
		[ $(($(printed out) + full + rest)) -eq "$OPENS" ] && [ "$status" -eq 4 ] || false
		[ $way = deadline ] || [ "$took" -lt 3000 ] # 0.7 s, and the detaching on emulated processors
		grep -q "'stdout' accepted no more output when tracing ended" err
		run ! grep -qv '^{.*}$' out
	done
}
