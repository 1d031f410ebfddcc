#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# --ring: which records are kept and written, in which order, and that the numbers add up.

bats_require_minimum_version 1.5.0
load wait

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	called="u:$(command -v ucalls):called"
}

numbers() { grep -o 'n=[0-9]*' "$1" | tr -d 'n=' | paste -sd' ' -; } # FILE

@test "of 2000 opens the last 100 are written at the end, in order" {
	opensnoop --ring 100 -j -c bash -o out -- bash -c 'for ((i = 0; i < 2000; i++)); do : <"/no/$i"; done' 2>err || true
	[ "$(jq -r 'select(.type == "opensnoop").path' out)" = "$(seq 1900 1999 | sed 's|^|/no/|')" ]
	# what bash opens when it starts is counted, too
	[[ $(<err) =~ kept\ the\ last\ 100\ of\ (2[0-9]{3})\ records ]]
	[ "${BASH_REMATCH[1]}" -ge 2000 ]
}

@test "SIGUSR1 writes what is kept; the next one what came since" {
	argdump --ring 4 "$called" 'n=$arg2' -o out 2>err &
	local tool=$!
	wait_attached $tool
	kill -USR1 $tool
	wait_until grep -q 'the last 0 of 0 records' err
	ucalls nest 9
	[ "$(grep -c n= out)" -eq 0 ]
	kill -USR1 $tool
	wait_until grep -q n=1 out
	[ "$(numbers out)" = '4 3 2 1' ]
	ucalls nest 3
	kill -USR1 $tool
	wait_until has_lines 8 out # and the header
	ucalls nest 5
	kill -INT $tool
	wait $tool
	[ "$(numbers out)" = '4 3 2 1 3 2 1 4 3 2 1' ]
	[ "$(sed -n 's/.*kept the last //p' err)" = "0 of 0 records
4 of 9 records since then
3 of 3 records since then
4 of 5 records since then" ]
}

@test "--stop-if: the record for which it is true is the last one" {
	argdump --ring 3 "$called" 'n=$arg2' --stop-if '$arg2 == 5' -o out -- ucalls nest 9 2>err
	[ "$(numbers out)" = '7 6 5' ]
	grep -q 'kept the last 3 of 5 records' err
}

@test "--until: the first record for which it holds is the last one; what it takes" {
	local opens='for ((i = 0; i < 10; i++)); do : <"/no/$i"; done' wrong
	opensnoop --ring 3 -j -c bash --until 'path == "/no/7"&&errno == ENOENT && pid > 0' -o out -- bash -c "$opens" 2>err || true
	[ "$(jq -r 'select(.type == "opensnoop").path' out | paste -sd' ')" = '/no/5 /no/6 /no/7' ] || { cat out err; false; }
	opensnoop -c bash --until 'path ~ "/no/[23]" && latency_ns < 100s && latency > 0.5ns' --columns fd,path -o all \
		-- bash -c "$opens" || true
	[ "$(sed -n 's|.* /no/||p' all | paste -sd' ')" = '0 1 2' ] || { cat all; false; }
	for wrong in 'pth == x:unknown value' 'pid 5:expected a name and a comparison' 'path < 5:expected a number' \
		'pid ==:expected a value' 'pid == 1 or 2:expected && or the end'; do
		run -1 opensnoop --until "${wrong%:*}" -- true
		[[ $output == *"${wrong##*:}"* ]] || { echo "$wrong: $output"; false; }
	done
}

@test "100 000 calls at full speed: kept, passed over and lost are what was performed" {
	local status=0 all lost missed
	argdump --ring 1000 -j -c reads vfs_read count -o out -- reads -j 2 50000 /proc/version 2>err || status=$?
	[ "$(grep -c '"type":"argdump"' out)" -eq 1000 ]
	all=$(sed -n 's/.*kept the last 1000 of \([0-9]*\) records.*/\1/p' err)
	lost=$(jq -s 'map(select(.type == "lost" and .final).ring_full // 0) | add // 0' out)
	missed=$(jq -s 'map(select(.type == "lost" and .final).recursion // 0) | add // 0' out)
	# the loader of `reads` reads, too: at most 8 times in all processes
	echo "all $all lost $lost missed $missed status $status"
	[ $((all + lost)) -ge $((100000 - missed)) ] && [ $((all + lost)) -le 100008 ] || false
	[ "$status" -eq 0 ] # that of the command
}

opens() { # FIRST LAST OPTION…: opens /no/FIRST … /no/LAST
	opensnoop -c bash "${@:3}" -- bash -c "for ((i = $1; i <= $2; i++)); do : <\"/no/\$i\"; done 2>/dev/null"
}

opened() { # FILE…: the numbers of those in JSON
	cat "$@" | jq -r 'select(.type == "opensnoop").path | select(startswith("/no/"))[4:]'
}

@test "--rotate: every record is in one of the files, whole, in order" {
	local file
	touch out.2
	opens 0 1999 -j -o out --rotate 100K,50 2>err || true
	mapfile -t files < <(ls -v out.* | tac)
	[ "${#files[@]}" -ge 3 ]
	[ "$(opened "${files[@]}" out)" = "$(seq 0 1999)" ]
	for file in "${files[@]}"; do
		[ "$(stat -c %s "$file")" -ge 102400 ] && [ "$(stat -c %s "$file")" -lt 104000 ] || false
		[ "$(tail -c 2 "$file" | od -An -c | tr -d ' ')" = '}\n' ] && [ "$(head -c 1 "$file")" = '{' ] || false
	done
	! grep -q 'older files' err || false
}

@test "--rotate: the oldest are replaced, which is said; each file has the header" {
	opens 0 1999 -o out --rotate 10K,2 2>err || true
	[ "$(ls -v out* | paste -sd' ')" = 'out out.1 out.2' ]
	[ "$(grep -c '^ *PID' out out.1 out.2 | paste -sd' ')" = 'out:1 out.1:1 out.2:1' ]
	cat out.2 out.1 out | sed -n 's|.* /no/||p' >shown
	[ "$(<shown)" = "$(seq $((2000 - $(wc -l <shown))) 1999)" ]
	grep -q "the last $(wc -l <shown) of 2[0-9]* records are in 'out' and 'out.1' to '.2'" err
	# with --ring
	opens 0 99 -o out --ring 50 --rotate 1K,9 2>err || true
	[ "$(cat $(ls -v out.* | tac) out | sed -n 's|.* /no/||p')" = "$(seq 50 99)" ]
}

@test "--rotate: a disk that is full, and a name that is taken: said, and what is missing is counted" {
	local status=0 lost
	mkdir full other
	mount -t tmpfs -o size=64k none full
	opens 0 999 -j -o full/out --rotate 16K 2>err || status=$?
	mv err full.err
	opened $(ls -v full/out.* | tac) full/out 2>/dev/null >shown || true
	umount full
	[ "$status" -eq 3 ] && grep -q "cannot write to 'full/out': No space left" full.err || false
	[ "$(<shown)" = "$(seq 0 $(($(wc -l <shown) - 1)))" ]
	lost=$(sed -n 's|[^0-9]*\([0-9]*\) records* lost: not written before the end.*|\1|p' full.err)
	echo "shown $(wc -l <shown) lost $lost"
	[ "$lost" -gt 0 ] && [ $(($(wc -l <shown) + lost)) -le 1010 ] || false
	mkdir -p other/out.1
	run -1 opensnoop -o other/out --rotate 16K -- true
	[[ $output == *"cannot replace 'other/out.1': Is a directory"* ]]
	rmdir other/out.1
	status=0
	opensnoop -j -c bash -o other/out --rotate 16K,1 -- bash -c 'mkdir other/out.1
		for ((i = 0; i < 500; i++)); do : <"/no/$i"; done 2>/dev/null' 2>err || status=$?
	[ "$status" -eq 3 ] && grep -q "cannot rename 'other/out' to 'other/out.1': Is a directory" err || false
	opened other/out >shown
	[ "$(<shown)" = "$(seq 0 $(($(wc -l <shown) - 1)))" ]
}
