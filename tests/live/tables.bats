#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# One table of several probes: each number is that of a known workload.

bats_require_minimum_version 1.5.0
load wait

setup() {
	cd "$BATS_TEST_TMPDIR"
	printf 'x%.0s' {1..64} >some
}

# The rows, as one array.
rows() { grep '^{"type":"count"' <<<"$output" | jq -s "$@" || { echo "$output"; false; }; }

# 7 bytes at a time: reads 11 times (9 of 7 bytes, 1, the end), writes 10 times.
work='dd status=none if=some of=out bs=7'

@test "two probes with measures of their own: one row for equal keys" {
	run -0 --separate-stderr argdump -j -c dd vfs_read --sum asked=count --count reads --and vfs_write --sum written=count \
		--count writes --by '$comm' -- bash -c "$work"
	rows -e 'length == 1 and (.[0] | .by.comm == "dd" and .written == 64 and .writes == 10 and
		.count == .reads + .writes and .reads >= 11 and .asked >= 77 and (has("func") | not))'
	run -0 --separate-stderr argdump -c dd vfs_read --sum asked=count --count reads --if 'count == 7' --and vfs_write \
		--sum written=count --count writes --by '$comm' -- bash -c "$work"
	grep -qE '^comm +asked +reads +written +writes$' <<<"$output"
	grep -qE '^dd +77 +11 +64 +10$' <<<"$output" || { echo "$output"; false; }
}

@test "without --by measures of one probe are in one row, others in a row for each function" {
	run -0 --separate-stderr argdump -j -c dd vfs_read --count reads --if 'count == 7' --and vfs_write --count writes -- \
		bash -c "$work"
	rows -e 'length == 1 and .[0].reads == 11 and .[0].writes == 10 and .[0].count == 21 and (.[0] | has("func") | not)'
	run -0 --separate-stderr argdump -j -c dd --count vfs_read --if 'count == 7' --and vfs_write -- bash -c "$work"
	rows -e 'map([.func, .count]) == [["vfs_read",11],["vfs_write",10]]'
	run -0 --separate-stderr argdump -j -c dd --count --by '$comm,$func' vfs_read --if 'count == 7' --and vfs_write -- bash -c "$work"
	rows -e 'map([.by.comm, .by.func, .count]) == [["dd","vfs_read",11],["dd","vfs_write",10]]'
}

@test "averages, extremes and histograms are of their probe's calls alone" {
	run -0 --separate-stderr argdump -j -c dd vfs_read --avg r=count --min least=count --hist count --if 'count == 7' \
		--and vfs_write --avg w=count --max most=count --min last=count --by '$comm' -- bash -c "$work"
	rows -e 'length == 1 and (.[0] | .count == 21 and .r == 7 and .least == 7 and .w == 6.4 and .most == 7 and .last == 1 and
		.hist == [[4,8,11]] and .p50 == 7)'
	# nothing of the other probe
	run -0 --separate-stderr argdump -j -c dd vfs_read --avg r=count --min least=count --if 'count == 7777' \
		--and vfs_write --sum w=count --by '$comm' -- bash -c "$work"
	rows -e 'length == 1 and (.[0] | .w == 64 and .r == null and .least == null)'
}

@test "probes with keys of their own, of different kinds, in a file and back" {
	cat >probes <<-'END'
		vfs_read --if 'count == 7' --sum r=count --by 'file=file->f_path.dentry->d_name.name:str'
		vfs_write --sum w=count --by 'file=file->f_path.dentry->d_name.name:str' --count writes
		do_sys_openat2 --count opens --by 'file=filename:ustr' --if 'filename == "some" || filename == "out"'
		--top 10
	END
	for round in probes again; do
		run -0 --separate-stderr argdump -j -c dd --load $round -- bash -c "$work"
		rows -e 'sort_by(.by.file) | map([.by.file, .r, .w, .writes, .opens]) == [["out",0,64,10,1],["some",77,0,0,1]]' || { cat $round; false; }
		[ $round = again ] || run -0 argdump --save again --load $round
	done
}

@test "--interval --clear: what was counted in between, of both probes" {
	run -0 --separate-stderr argdump -q -j -o out --interval 0.2 --clear -c dd vfs_read --count r --if 'count == 7' --and vfs_write \
		--count w --by '$comm' -- bash -c '
		. "$0"
		for half in 1 2; do
			'"${work/of=out/of=to}"'
			wait_until grep -q "\"comm\":\"dd\"" out
		done' "$BATS_TEST_DIRNAME/wait.bash"
	output=$(<out)
	rows -e '[map(select(.by)) | (map(.r) | add), (map(.w) | add)] == [22, 20]'
}

@test "--show: chosen columns, computed from both probes, in this order" {
	run -0 --separate-stderr argdump -c dd vfs_read --sum asked=count --count r --if 'count == 7' --and vfs_write --sum w=count \
		--count writes --by '$comm,$uid' --show 'pct=100*w/asked,comm,r,big=w>asked?1:0,mean=asked/r:x,none=w/(r-11)' -- bash -c "$work"
	# the key that is not named comes first
	grep -qE '^uid +pct +comm +r +big +mean +none$' <<<"$output" || { echo "$output"; false; }
	grep -qE '^ *0 +83 +dd +11 +0 +0x7 +-$' <<<"$output"
	grep -qE '^total: 21 calls' <<<"$output"
	run -0 --separate-stderr argdump -j -c dd vfs_read --sum asked=count --count r --if 'count == 7' --and vfs_write --sum w=count \
		--by '$comm,$uid' --show 'pct=100*w/asked,comm,r,none=w/(r-11)' -- bash -c "$work"
	rows -e 'length == 1 and (.[0] | .pct == 83 and .r == 11 and .none == null and .by == {"comm":"dd","uid":0} and .count == 21 and
		(has("w") or has("asked") | not))'
}

@test "--show: rows in the order of its first column, the largest" {
	run -0 --separate-stderr argdump -j -c dd vfs_write --count n --sum bytes=count --avg a=count --hist h=count --by 'size=count' \
		--show 'least=-size,n,each=a,h_p50' --top 2 -- \
		bash -c 'dd status=none if=/dev/zero of=out bs=100 count=3; dd status=none if=/dev/zero of=out bs=5 count=9; dd status=none if=/dev/zero of=out bs=7 count=1'
	rows -e 'map([.least, .n, .each, .h_p50]) == [[-5, 9, 5, 5], [-7, 1, 7, 7]]'
}

@test "--pct: percentiles as columns, exact where a bucket has one value" {
	sizes='for n in 10 20 30 40 50 60 70 80 90 100; do dd status=none if=/dev/zero of=out bs=$n count=10; done'
	run -0 --separate-stderr argdump -j -c dd vfs_write --pct 1,50,90,99=all=count --pct '25,75=half=count/2' --hist count --by '$comm' -- bash -c "$sizes"
	rows -e 'length == 1 and (.[0] | .count == 100 and .all_p1 == 10 and .half_p25 == 15 and .hist_p99 <= 100 and
		(.all_p50 | . >= 48 and . < 52) and (.all_p90 | . >= 88 and . < 96) and .all_p99 <= 100 and (has("pct") or has("all") | not))'
	run -0 --separate-stderr argdump -c dd vfs_write --pct 10,50=count --by '$comm' --show 'x=2*p10,p50,count' -- bash -c "$sizes"
	grep -qE '^comm +x +p50\(count\) +count$' <<<"$output" || { echo "$output"; false; }
	grep -qE '^dd +20 +~(49|50|51) +100$' <<<"$output" || { echo "$output"; false; }
	# the rows in the order of the first percentile; of no value there is none
	run -0 --separate-stderr argdump -j -c dd vfs_write --pct 50=count --by 'big=count > 55' --and vfs_open --sum o=1 --by 'big=2' -- bash -c "$sizes"
	rows -e 'map([.by.big, .p50 != null]) == [[1, true], [0, true], [2, false]]'
}

@test "--screen: stacks, the largest first; without it, only once" {
	cp "$(type -P bash)" spin
	timeout 30 ./spin -c 'while :; do :; done' & spin=$!
	run -0 onterm 'no ^C' profile -F 99 -c spin --interval 0.3 --screen -d 1.4
	[ "$(grep -o $'\e\\[H' <<<"$output" | wc -l)" -ge 3 ]
	[[ $output == *'(q quit)'*%*'    spin'* ]]
	run -0 profile -F 99 -c spin --interval 0.3 --screen -d 0.7
	[ "$(grep -c '^spin' <<<"$output")" -ge 1 ]
	[ "$(grep '^spin' <<<"$output" | sed 's/ [0-9]*$//' | sort | uniq -d)" = '' ] || { echo "$output"; false; }
	kill "$spin"
}

@test "--screen: frames in place, other columns to sort by, q; the terminal as before" {
	export TYPES='load,>,by r ,<,by asked ,q'
	run -0 onterm - argdump -p $$ vfs_read --sum asked=count --count r --and vfs_write --count w --by '$comm' --interval 0.1 --clear --screen
	[[ $output == *$'\e[2J'*$'\e[H'*'load '*' CPU '*'by asked  (< > sort, q quit)'*'by r '*'by asked '* ]] || { echo "$output"; false; }
	[[ $output != *'not restored'* ]]
	for key in $'\003' $'\034'; do
		export TYPES="load,$key"
		run onterm - argdump -p $$ --count vfs_read --interval 0.1 --screen
		[[ $output == *'load '* && $output != *'not restored'* ]] || { echo "$output"; false; }
	done
	# no terminal: as without it
	run -0 --separate-stderr argdump -c dd --count vfs_write --interval 60 --screen -- bash -c "$work"
	grep -qxE ' *10' <<<"$output" || { echo "$output"; false; }
	[[ $output != *$'\e'* ]]
}
