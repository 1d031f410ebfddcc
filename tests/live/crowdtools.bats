#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# User probes of bt and of applets while many threads share few processors (crowd.bats: those of argdump): all is
# counted, for whom it was, or the ledger says how much was lost.

bats_require_minimum_version 1.5.0
load wait

THREADS=20 EACH=1000
ALL=$((THREADS * EACH))
CROWD=/tests/work/crowd

setup() { cd "$BATS_TEST_TMPDIR" || return; }

# The sum of all losses that `err` tells of at the end.
lost() { sed -nE '/ so far/d; s/^[a-z]+: (warning: )?(at most )?([0-9]+) .*(lost|missed|not counted|not kept|not shown).*/\3/p' err | awk '{n += $1} END {print n + 0}'; }

# bt_crowded WHAT PROGRAM: what crowd says in `done`, what bt prints in `out`
bt_crowded() {
	coretap bt -q -f json -o out --buffer 32M -e "$2" -c "crowd $1 $THREADS $EACH" >done 2>err || { echo "$2 ends with $?"; cat err; return 1; }
	[ "$(awk '{n += $2} END {print n}' done)" = $ALL ] || { cat done; false; }
}

# Value of the map @NAME, or of one of its keys
value() { jq -r "select(.data | objects | has(\"@$1\")) | .data[\"@$1\"]${2:-}" out; }

# right_or_lost NUMBER WHAT: it is ALL, or what is missing is said to be lost
right_or_lost() { (($1 <= ALL && $1 + $(lost) >= ALL)) || { echo "$2: $1 of $ALL, $(lost) lost"; cat err; head -c 3000 out; false; }; }

# threads_right NAME: @NAME[tid] has the calls of each thread, and of no other
threads_right() {
	value "$1" '| to_entries[] | "\(.key) \(.value)"' | sort >got
	sort done | cmp -s - got && return
	[ "$(lost)" -gt 0 ] && [ "$(awk '{print $1}' got | sort)" = "$(awk '{print $1}' done | sort)" ] &&
		awk 'NR == FNR {done[$1] = $2; next} $2 > done[$1] {exit 1}' done got &&
		right_or_lost "$(awk '{n += $2} END {print n}' got)" "$1" || { diff done got; cat err; false; }
}

@test "bt: uprobes are counted for the thread that made the call" {
	for ((i = 0; i < 2; i++)); do
		bt_crowded '' "uprobe:$CROWD:hurry { @by[tid] = count(); @all = count(); @sum = sum(arg0); @adds[tid] += 1; }"
		threads_right by
		threads_right adds
		right_or_lost "$(value all)" @all
		(($(lost))) || [ "$(value sum)" = $((THREADS * EACH * (EACH + 1) / 2)) ] || { value sum; false; }
	done
}

@test "bt: uretprobes, a value that the entry kept for the thread, a histogram" {
	bt_crowded '' "uprobe:$CROWD:hurry { @n[tid] = arg0; }
		uretprobe:$CROWD:hurry { @by[tid] = count(); @max = max(retval); @all = hist(1);
			if (@n[tid] == retval) { @same[tid] = count(); } else { printf(\"wrong %d %d\\n\", @n[tid], retval); }
			delete(@n, tid); }"
	threads_right by
	threads_right same
	[ "$(value max)" = $EACH ] || { cat out; false; }
	right_or_lost "$(value all '| map(.count) | add')" @all
	(($(lost))) || ! grep wrong out
}

@test "bt: probes of the program's own (USDT)" {
	bt_crowded '' "usdt:$CROWD:crowd:hurry { @by[tid] = count(); @sum = sum(arg0); }"
	threads_right by
	(($(lost))) || [ "$(value sum)" = $((THREADS * EACH * (EACH + 1) / 2)) ] || { value sum; false; }
}

@test "bt: keys and texts that need memory of the program" {
	bt_crowded names "uprobe:$CROWD:named { @by[tid, comm, str(arg0, 200)] = count(); @text[tid] = strlen(str(arg0, 200)); }"
	value by '| to_entries[] | "\(.key | split(",")[0]) \(.value)"' | sort >got
	right_or_lost "$(awk '{n += $2} END {print n}' got)" @by
	[ "$(wc -l <got)" = $THREADS ] || { cat got err; false; }
	(($(lost))) || sort done | diff - got
}

@test "bt: each call is printed, with what belongs to it" {
	bt_crowded '' "uprobe:$CROWD:hurry { @n[tid] = arg0; } uretprobe:$CROWD:hurry { printf(\"%d %d %d\\n\", tid, @n[tid], retval); }"
	jq -r 'select(.type == "printf").data' out | sed '/^$/d' >rows
	right_or_lost "$(wc -l <rows)" printf
	(($(lost))) || ! awk '$2 != $3' rows | grep .
}

@test "bashreadline: the lines of many threads" {
	mkdir now
	cp "$(type -P throng)" now/bash
	now/bash lines 1 0
	bashreadline -v -j -s bash -o out --buffer 32M -- now/bash lines $THREADS 200 >done 2>err || { cat err; false; }
	grep -q 'uretprobe readline: ' err || { cat err; false; }
	jq -r 'select(.type == "bashreadline").line' out | sort >got
	local all=$((THREADS * 200)) seen; seen=$(wc -l <got)
	((seen + $(lost) >= all)) || { echo "$seen of $all, $(lost) lost"; cat err; false; }
	# no line that nobody entered, and none twice
	awk 'NR == FNR {there[$0] = 1; next} !there[$0]-- {print}' done got >foreign
	[ ! -s foreign ] || { head foreign; false; }
}

@test "connsnoop: names that many threads look up, each with its own address" {
	ip addr replace 10.9.0.1/16 dev lo
	cp /etc/hosts kept
	for ((i = 0; i < THREADS; i++)); do
		for ((j = 0; j < 40; j++)); do echo "10.9.$((i + 1)).$((j + 1)) h$i-$j.test"; done
	done >>/etc/hosts
	connsnoop -j --only tcp --buffer 32M -o out -- throng names $THREADS 40 >done 2>err || { cat err; false; }
	cp kept /etc/hosts
	[ "$(wc -l <done)" = $((THREADS * 40)) ] || { wc -l done; false; }
	jq -r 'select(.type == "connsnoop" and .event == "connect") | "\(.peer | split(":")[0]) \(.host)"' out | sort >got
	local nameless; nameless=$(grep -c ' null$' got || true)
	(($(wc -l <got) + $(lost) >= THREADS * 40 && nameless <= $(lost))) || { wc -l got; echo "$nameless without a name, $(lost) lost"; cat err; false; }
	awk 'NR == FNR {there[$0] = 1; next} !/ null$/ && !there[$0] {print}' done got >wrong
	[ ! -s wrong ] || { head wrong; false; }
}
