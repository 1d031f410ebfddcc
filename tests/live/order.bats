#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Records with times are in their order, whichever processor they come from, and none is lost by that. What
# a processor that stands still delays for too long is out of order, and counted in a note.

# shellcheck disable=SC2016,SC2030,SC2031  # expressions; a test's variables are its own
bats_require_minimum_version 1.5.0
load wait

setup() { cd "$BATS_TEST_TMPDIR" || return; }

teardown() { all_end soak; }

# The sum of what is said of so many: said WHAT…, a pattern that follows the number.
said() {
	sed -n "s/^[a-z]*: \(warning: \)\?\(in total, \)\?\([0-9]*\) \($1\).*/\3/p" err | awk '{ sum += $1 } END { print sum + 0 }'
}

# Records of `out` that are below one before them: `below`, `records` and `ends`. WHEN: ts, or end, a latency later.
measure() { # WHEN
	read -r below records ends < <(awk -v when="$1" '
		function number(key) { return match($0, "\"" key "\":[0-9]+") ? substr($0, RSTART + length(key) + 3, RLENGTH) + 0 : 0 }
		/"type":"lost"/ { next }
		/"kind":"exit"/ { ends++ } # of a process, to syssnoop
		{ at = number("ts_ns") + (when == "end" ? number("latency_ns") : 0); n++ }
		at < max { below++ }
		at > max { max = at }
		END { print below + 0, n + 0, ends + 0 }' out)
}

# Traces four processes that do KIND for MS: sets `status` and `performed`. The tracing ends after the flood, which
# on a slow machine may begin seconds later.
flood() { # KIND MS TOOL…
	local kind=$1 ms=$2 pid
	shift 2
	status=0
	rm -f finished
	"$@" -j --comm flooding -o out -- soak flood "$kind" 4 "$ms" finished 2>err 3>&- &
	pid=$!
	wait_until test -e finished
	kill -INT $pid
	wait $pid || status=$?
	read -r performed _ <finished
}

# A flood on at least two processors; each of it makes EACH records.
in_order() { # KIND WHEN EACH TOOL…
	local kind=$1 when=$2 each=$3 status performed lost missed late ends
	shift 3
	flood "$kind" 150 "$@" --buffer 64M
	lost=$(said 'records\? lost')
	missed=$(said 'events\? missed')
	late=$(said 'records\? \(is\|are\) out of order')
	measure "$when"
	echo "# $(uname -r): $*: $performed performed, $records records, $lost lost, $missed missed, $below below, $late said" >&3
	cat err
	[ "$status" -eq $((lost + missed ? 4 : 0)) ]
	[ "$below" -eq "$late" ] && [ $((late * 500)) -le "$records" ] || false
	[ "$when" = ts ] || records=$((records - ends))
	# ends of its five processes may be among the lost ones, too
	[ "$records" -gt 10 ] && [ $((records + lost)) -le $((performed * each + (lost ? 5 : 0))) ] || false
	[ $((records + lost + missed)) -ge $((performed * each)) ]
}

@test "opens of all processors" {
	in_order open ts 1 opensnoop
}

@test "execs of all processors, failed and of new processes" {
	in_order exec ts 1 execsnoop
	in_order fork ts 1 execsnoop
}

@test "calls, at the entry, at the return" {
	in_order read ts 1 argdump vfs_read count
	in_order read ts 1 argdump -r vfs_read count
}

@test "the records of several probes among each other" {
	in_order read ts 2 argdump vfs_read count --and 'vfs_read%return' '$ret'
	[ "$(grep -c '"count":1' out)" -gt 100 ] && [ "$(grep -c '"ret":1' out)" -gt 100 ]
}

# TIME is when a call began; they come as they end.
@test "system calls, by their ends" {
	in_order read end 1 syssnoop -e pread64 -e signal=none
}

# The first so many in the order of times, not in that of the ring.
@test "with -n, --until and --ring: exactly so many, in order" {
	for options in '-n 1000' '--ring 1000' '-n 5000'; do
		rm -f finished
		ms=2000
		[[ $options != -n* ]] || ms=120000 # they end it: a slow guest opens few files a second
		# shellcheck disable=SC2086  # options
		opensnoop -j --buffer 64M $options -c flooding -o out -d $((ms / 1000 + 28)) -- soak flood open 4 $ms finished 2>err || true
		measure ts
		echo "$options: $records, $below below; $(cat err)"
		[ "$below" -eq "$(said 'records\? \(is\|are\) out of order')" ]
		[ "$records" -eq "${options#* }" ]
	done
	opensnoop -j --until 'path == "/no/such/end"' -o out -- sh -c 'cat /etc/passwd /no/such/end /etc/group >/dev/null 2>&1' 2>err || true
	[ "$(tail -n 1 out | jq -r .path)" = /no/such/end ]
}

# A single record comes without another behind it, and soon: what waits is not the reader.
@test "a single one is shown while nothing else happens" {
	mkfifo go
	sh -c 'read -r _ <go; exec cat /no/such/file' 2>/dev/null 3>&- & work=$!
	opensnoop -T -c cat -x -o out 2>err 3>&- & tool=$!
	wait_attached $tool
	echo >go
	wait $work || true
	wait_until grep -q /no/such/file out
	kill -INT $tool
	wait $tool
}

@test "a ring that is nearly full: nothing is held back, and printed + lost = performed" {
	flood open 1000 opensnoop --buffer 64K
	measure ts
	lost=$(said 'records\? lost')
	missed=$(said 'events\? missed')
	late=$(said 'records\? \(is\|are\) out of order')
	echo "# $(uname -r): $performed performed, $records printed, $lost lost, $missed missed, $below below, $late said" >&3
	[ "$below" -eq "$late" ]
	[ $((records + lost)) -le "$performed" ] && [ $((records + lost + missed)) -ge "$performed" ]
}
