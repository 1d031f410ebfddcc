#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# User probes while many threads share few processors: a program may be taken off its processor in the
# middle, and another thread run it there. All is counted, for whom it was. crowd says how many
# calls each of its threads made.

bats_require_minimum_version 1.5.0
load argdump

THREADS=20 EACH=1500
ALL=$((THREADS * EACH))
HURRY=u:/tests/work/crowd:hurry
BEGIN=u:/tests/work/crowd:begin_it END=u:/tests/work/crowd:end_it

setup() { cd "$BATS_TEST_TMPDIR" || return; }

# crowded WHAT ARGDUMP-ARGUMENTS...: output in `out`, what crowd says in `done`, what is said in `err`
crowded() {
	local what=$1
	shift
	# shellcheck disable=SC2086  # words
	argdump -o out --buffer 32M "$@" -- crowd $what $THREADS $EACH >done 2>err || { echo "$* ends with $?"; cat err; return 1; }
	[ "$(awk '{n += $2} END {print n}' done)" = "$ALL" ]
	# an end that is lost, which is counted, leaves its begin open
	! grep -vE "in coretap's words|the place of the key was in use|two CPUs were at one key|^argdump: [0-9]+ still in progress when|^  --open shows them$" err || { echo "$*"; return 1; }
}

# threads_counted COLUMN: the rows of `out` have each thread's calls, of which the number is in that column
threads_counted() {
	awk -v c="$1" 'NR == FNR {done[$1] = $2; next} $1 in done && $c == done[$1] {right++} END {exit right != '$THREADS'}' \
		done out || { cat done out; false; }
}

sum_of_buckets() { sed -n 's/^ *\[.*) *\([0-9]*\) |.*/\1/p' out | awk '{n += $1} END {print n}'; }

@test "all returns are counted, with the largest and the smallest result" {
	for ((i = 0; i < 3; i++)); do
		crowded '' -r --count --max '$ret' --min 'least=$ret' "$HURRY"
		grep -qE "^ *$ALL +$EACH +1\$" out || { cat out; false; }
	done
}

@test "calls and returns are counted for the thread that made them" {
	for which in '' -r; do
		crowded '' $which --count --by '$tid' "$HURRY"
		threads_counted 2
		crowded '' $which --count --by '$tid,$comm,$pid' "$HURRY"
		threads_counted 4
	done
}

@test "all calls are in a histogram of their times" {
	crowded '' -r --hist '$lat' "$HURRY"
	[ "$(sum_of_buckets)" = $ALL ] || { cat out; false; }
	crowded '' -r --hist '$lat' --by '$tid' "$HURRY"
	[ "$(sum_of_buckets)" = $ALL ] || { cat out; false; }
}

# all_or_lost N: N is ALL, but for begins and ends that the ledger counts: two CPUs were at one place of the table.
all_or_lost() {
	local lost
	lost=$(sed -nE '/ so far, /!s/^.* ([0-9]+) (begin|end)s? lost: the place of the key was in use$/\1/p' err | awk '{n += $1} END {print n + 0}')
	(($1 <= ALL && $1 + lost >= ALL)) || { echo "$1 of $ALL, $lost lost"; cat out err; false; }
}

@test "all pairs of --until are counted, by the thread and by a number" {
	crowded pairs --count --by '$tid' --on '$tid' "$BEGIN" --until "$END"
	threads_counted 2
	crowded pairs --count --max 'id=$arg1' --on '$arg1' "$BEGIN" --until "$END"
	all_or_lost "$(sed -nE "s/^ *([0-9]+) +$ALL\$/\1/p" out)"
	crowded pairs --hist '$lat' --on '$arg1' "$BEGIN" --until "$END"
	all_or_lost "$(sum_of_buckets)"
}

@test "probes of the program's own (USDT) are counted for the thread" {
	crowded '' --count --by '$tid' usdt:/tests/work/crowd:crowd:hurry
	threads_counted 2
	crowded '' --count --max '$arg1' usdt:/tests/work/crowd:crowd:hurry
	grep -qE "^ *$ALL +$EACH\$" out || { cat out; false; }
}

@test "all that is printed is right: each return with its own entry" {
	crowded '' -j -r "$HURRY" 'n=$arg1:d' 'ret=$ret:d'
	[ "$(jq -c 'select(.n == .ret)' out | wc -l)" = $ALL ] || { tail -3 out; false; }
}

@test "a string that is compared with a pattern is that of the thread that passes it" {
	for ((i = 0; i < THREADS; i += 7)); do
		crowded names --count --by '$tid' --if "(char *)\$arg1 ~ \"*x-$i-\"" u:/tests/work/crowd:named
		[ "$(awk -v each=$EACH '$1 + 0 && $2 == each {n++} END {print n}' out)" = 1 ] && [ "$(grep -c '^ *[0-9]' out)" = 1 ] ||
			{ echo "name $i"; cat out err; false; }
	done
	crowded names --count --by '$tid,mine=(char *)$arg1 ~ "*-[0-9]-",more=(char *)$arg1 ~ "*-1[0-9]-"' u:/tests/work/crowd:named
	threads_counted 4
	[ "$(awk '$2 ~ /1|true/ && $3 ~ /0|false/' out | wc -l)" = 10 ] || { cat out; false; }
}
