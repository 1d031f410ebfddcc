#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# argdump's calls counted in the kernel: every number is that of a known workload.

bats_require_minimum_version 1.5.0
load wait

setup() {
	cd "$BATS_TEST_TMPDIR"
	printf 'x%.0s' {1..64} >some
}

FS='fs=file->f_inode->i_sb->s_type->name'

# The lines that are about keys, as one array.
rows() { grep '^{"type":"count"' <<<"$output" | jq -s "$@"; }

# 3 reads of 1 byte, 7 of 100, 5 of 4096.
sizes='dd if=/dev/zero of=/dev/null bs=1 count=3
	dd if=/dev/zero of=/dev/null bs=100 count=7
	dd if=/dev/zero of=/dev/null bs=4096 count=5'

@test "count, sum, average, least, largest, both histograms: exact" {
	run -0 --separate-stderr argdump -j -c dd --count --sum count --avg count --min count \
		--max count --hist count --lhist count,50,4000,100 vfs_read -- bash -c "$sizes"
	rows -e 'length == 1 and (.[0] | .type == "count" and .count == 15 and .sum == 21183 and
		.avg == 1412.2 and .min == 1 and .max == 4096 and
		.hist == [[1,2,3],[64,128,7],[4096,8192,5]] and
		.lhist == [[null,50,3],[50,150,7],[4000,null,5]])'
	run -0 argdump -j -c dd --hist count vfs_read -- bash -c "$sizes"
	# the 8th of 15 lies among 64 to 128; the last bucket has 4096 and nothing larger
	rows -e '.[0] | .p50 >= 64 and .p50 < 128 and .p90 == 4096 and .p99 == 4096'
}

@test "signed numbers: below 0 has a bucket" {
	run -0 argdump -j -c dd --hist '*pos-5' --min '*pos-5' --max '*pos-5' --sum '*pos-5' \
		--avg '*pos-5' --lhist '*pos-5,-4,4,3' vfs_read -- dd if=some of=/dev/null bs=1 count=10
	rows -e '.[0] | .count == 10 and .min == -5 and .max == 4 and .sum == -5 and .avg == -0.5 and
		.hist == [[null,0,5],[0,1,1],[1,2,1],[2,4,2],[4,8,1]] and
		.lhist == [[null,-4,1],[-4,-1,3],[-1,2,3],[2,4,2],[4,null,1]]'
}

@test "by a string, by several expressions, sorted" {
	run -0 argdump -j --count --by "$FS" vfs_read -- reads 137 some some /proc/version
	rows -e 'map(select(.by.fs == "proc").count) == [137] and (.[0].count == 274)'
	run -0 argdump -j --count --by "\$comm,$FS" --by 'file->f_path.dentry->d_name.name:str' vfs_read -- \
		reads 11 some /proc/version
	rows -e 'map([.by.comm, .by.name, .count]) | sort == [["reads","some",11],["reads","version",11]]'
}

@test "--sort: by a number, a text, up and down; what there is to sort by" {
	local sort
	for sort in size:asc -size size:desc n:asc; do
		run -0 --separate-stderr argdump -j -c dd --count=n --by 'size=count' --sort=$sort vfs_read -- bash -c "$sizes"
		echo "$sort $(rows -c 'map([.by.size, .n])')"
	done >sorted
	run -0 argdump --count=n --by 'name=$comm' --sort name:desc --if '$comm ~ "[ab]x"' vfs_read -- \
		bash -c "cp \$(type -P reads) ax; cp ax bx; ./ax 2 some; ./bx 1 some; ./ax 1 some"
	awk '{ print $1 }' <<<"$output" | sed -n '/x$/p' >names
	diff sorted - <<-'END'
		size:asc [[1,3],[100,7],[4096,5]]
		-size [[4096,5],[100,7],[1,3]]
		size:desc [[4096,5],[100,7],[1,3]]
		n:asc [[1,3],[4096,5],[100,7]]
	END
	[ "$(paste -sd' ' names)" = 'bx ax' ]
	run -1 argdump --count --by 'size=count' --sort nothing vfs_read -- true
	[[ $output == *"--sort: unknown value 'nothing'"*'columns: size, count'* ]]
	run -1 argdump --count --by 'size=count' --sort size:no vfs_read -- true
	[[ $output == *'COLUMN:asc'* ]]
}

@test "by a number, a mode, a pointer, bits" {
	run -0 argdump -j -c dd --count --by count vfs_read -- bash -c "$sizes"
	rows -e 'map([.by.count, .count]) == [[100,7],[4096,5],[1,3]]'
	run -0 argdump -j -c dd --count --by 'count:b4@5/16' vfs_read -- bash -c "$sizes"
	rows -e 'map([.by.count, .count]) == [[0,8],[3,7]]'
	run -0 argdump -j --count --by 'file->f_inode->i_mode:filemode,$cpu,file:p' vfs_read -- taskset 1 reads 9 some
	rows -e 'map(select(.by.cpu == 0 and .by.i_mode == "-rw-r--r--" and (.by.file | test("^0xffff"))).count) == [9]'
}

@test "the same name is one key, whatever was behind its NUL before" {
	run -0 argdump -j --count --by '$comm' vfs_read -- bash -c 'reads 10 some; sh -c "reads 10 some; true"; exec -a x reads 10 some'
	rows -e 'map(select(.by.comm == "reads").count) == [30]'
	printf a >n; printf b >a-name-of-some-length
	run -0 argdump -j --count --by 'n=file->f_path.dentry->d_name.name:str' vfs_read -- \
		bash -c 'for i in 1 2 3; do reads 5 n; mv a-name-of-some-length x; mv x a-name-of-some-length; reads 5 a-name-of-some-length; done'
	rows -e 'map(select(.by.n == "n").count) == [15] and map(select(.by.n == "a-name-of-some-length").count) == [15]'
}

@test "every attach method: the same counts" {
	for method in fentry kprobe.multi kprobe; do
		if [ $method = kprobe.multi ] && ! grep -q ' register_fprobe_ips$' /proc/kallsyms; then
			echo "# $method: this kernel has no fprobe" >&3
			continue
		fi
		run -0 argdump -j --attach $method --count --avg count --by "$FS,\$pid" vfs_read -- reads 23 some /proc/version
		rows -e 'length == 2 and all(.[]; .count == 23 and .avg == 1 and .by.pid > 1)' || { echo "$method: $output"; false; }
	done
}

@test "--top prints the largest" {
	run -0 argdump -j -c dd --count --by count --top 2 vfs_read -- bash -c "$sizes"
	rows -e 'map(.by.count) == [100,4096]'
	run -0 argdump -j -c dd --max count --by count --top 1 vfs_read -- bash -c "$sizes"
	rows -e 'map(.by.count) == [4096]'
}

# What the kernel did not run the program for, because it ran on that CPU already, is in the ledger.
missed() { jq -s 'map(select(.type == "lost" and .final).recursion // 0) | add // 0' <<<"$output"; }

@test "two CPUs at once: exact totals, without and with a key" {
	run -0 argdump -q -j --count vfs_read -- reads -j 2 50000 some
	output=$(grep '^{' <<<"$output")
	rows -e --argjson missed "$(missed)" '.[0].count | . <= 100000 and . + $missed >= 100000'
	run -0 argdump -q -j --count --sum count --by "$FS,\$comm" vfs_read -- reads -j 2 50000 /proc/version
	output=$(grep '^{' <<<"$output")
	rows -e --argjson missed "$(missed)" 'map(select(.by.fs == "proc" and .by.comm == "reads")) |
		length == 1 and (.[0] | .count == .sum and .count <= 100000 and .count + $missed >= 100000)'
}

# counted_twice PATTERN ARGDUMP-ARGUMENTS…: counts the same work twice, each time until another row like PATTERN
# has come.
counted_twice() {
	rm -f out
	export PATTERN=$1
	shift
	run -0 argdump -q -j -o out --count --interval 0.3 "$@" vfs_read -- bash -c '
		. "$0"
		has_rows() { [ "$(grep -c "$PATTERN" out)" -ge "$1" ]; }
		for half in 1 2; do
			before=$(grep -c "$PATTERN" out)
			reads -j 2 20000 /proc/version
			wait_until has_rows $((before + 1))
		done' "$BATS_TEST_DIRNAME/wait.bash"
	output=$(<out)
}

@test "--interval: prints grow; with --clear their sum is the total" {
	counted_twice '"fs":"proc"' --by "$FS"
	rows -e --argjson missed "$(missed)" 'map(select(.by.fs == "proc")) | length >= 2 and
		(map(.count) == (map(.count) | sort)) and (.[-1].count + $missed >= 80000) and .[-1].count <= 80000 and
		all(.[]; .time | test("^20..-..-..T"))'
	counted_twice '"fs":"proc"' --by "$FS" --clear
	rows -e --argjson missed "$(missed)" 'map(select(.by.fs == "proc").count) | length >= 2 and
		(add <= 80000) and (add + $missed >= 80000) and .[0] < 80000'
	counted_twice '"count":[1-9]' --if 'count == 1' --clear
	output=$(grep '^{' <<<"$output")
	rows -e --argjson missed "$(missed)" 'map(.count) | length >= 2 and (add <= 80000) and (add + $missed >= 80000)'
}

@test "a map that is full: what is not counted is counted as lost" {
	dd if=/dev/zero of=hundred bs=1 count=100
	run -0 --separate-stderr argdump -j -c dd --keys 10 --count --by 'p=*pos' vfs_read -- \
		dd if=hundred of=/dev/null bs=1 count=100
	rows -e 'length == 10 and (map(.count) | add == 10)'
	jq -e 'select(.type == "lost") | .final and .keys_full == 90 and .lost == 90' <<<"$(grep '"lost"' <<<"$output")"
	[[ $stderr == *"90 calls not counted: no room for more keys"*"--keys"* ]]
}

@test "--keys: room for exactly as many as are asked for" {
	dd if=/dev/zero of=hundred bs=1 count=100
	for room in 99 100; do
		run --separate-stderr argdump -j -c dd --keys $room --count --by 'p=*pos' vfs_read -- \
			dd if=hundred of=/dev/null bs=1 count=100
		rows -e --argjson room $room 'length == $room and (map(.count) | add == $room)'
		[ "$(grep -c '"final":true.*"keys_full":1\b' <<<"$output")" -eq $((100 - room)) ] || { echo "$room: $output"; false; }
	done
}

@test "a link that is NULL is a key, and no number" {
	run -0 argdump -j --count --by 'f=file->f_inode->i_pipe->files' vfs_read -- reads 3 some
	rows -e '.[0] | .by.f == null and .errors.f == "NULL: file->f_inode->i_pipe" and .count == 3'
	run -0 argdump -j --avg 'file->f_inode->i_pipe->files' --sum count vfs_read -- reads 3 some
	rows -e '.[0] | .count == 3 and .avg == null and .sum == 3 and .unreadable == 3'
	run -0 argdump --count --by 'f=file->f_inode->i_pipe->files' vfs_read -- reads 3 some
	[[ $output == *'<NULL: file->f_inode->i_pipe>      3'* ]]
}

@test "a string longer than its key is cut, and says so" {
	name=$(printf 'n%.0s' {1..100})
	cp some "$name"
	run -0 argdump -j --count --by 'n=file->f_path.dentry->d_name.name:str' vfs_read -- reads 3 "$name"
	rows -e '.[0] | (.by.n | test("^n{63}$")) and .cut == {"n":null} and .count == 3'
	run -0 argdump -j --count --by 'n=file->f_path.dentry->d_name.name:str:16' vfs_read -- reads 3 "$name"
	rows -e '.[0] | .by.n == "nnnnnnnnnnnnnnnn"'
}

@test "a hostile name stays in its cell" {
	name=$'a\nb\e[31m"q'
	cp some "$name"
	run -0 argdump --count --by 'n=file->f_path.dentry->d_name.name:str' vfs_read -- reads 3 "$name"
	grep -F 'a\nb\x1b[31m' <<<"$output" | grep -q ' 3$'
}

@test "text: a table, and bars" {
	run -0 argdump -c dd --count --max count --by count vfs_read -- bash -c "$sizes"
	grep -A 3 '^count' <<<"$output" >table
	printf '%s\n' 'count  count  max(count)' '  100      7         100' ' 4096      5        4096' \
		'    1      3           1' | diff - table
	grep -qE '^total: 15 calls in [0-9.]+m?s$' <<<"$output"
	run -0 argdump -c dd --hist count vfs_read -- bash -c "$sizes"
	grep -qE '^ +\[64, 128\) +7 \|@{40}\|$' <<<"$output"
	grep -qE '^ +\[4K, 8K\) +5 \|@{28} {12}\|$' <<<"$output"
	grep -qE '^ +\[2, 4\) +0 \| {40}\|$' <<<"$output"
	grep -qE '^hist\(count\)  15 calls  p50 ~[0-9]+  p90 4K  p99 4K$' <<<"$output"
	grep -qE '^      \[1\]  +3 \|' <<<"$output"
}

@test "a histogram of one number has that number, by key and at both ends of the range" {
	run -0 argdump -c dd --hist count --by '$comm,count' vfs_read -- bash -c "$sizes"
	grep -qE '^hist\(count\)  comm=dd  count=100  7 calls  p50 100  p90 100  p99 100$' <<<"$output"
	grep -qE '^hist\(count\)  comm=dd  count=4096  5 calls  p50 4K  p90 4K  p99 4K$' <<<"$output"
	run -0 argdump -j -c dd --hist 'n=0-count' --hist 'low=-5' --lhist 'count,0,1,1' --by count vfs_read -- bash -c "$sizes"
	rows -e 'map(select(.by.count == 100)) | .[0] | [.n_p50, .n_p99, .low_p50] == [18446744073709551516, 18446744073709551516, -5]' || {
		echo "$output"; false
	}
}

@test "no calls: that is said, and for how long" {
	for what in --count '--count --by $comm' '--hist len' '--hist len --by $pid' '--max len'; do
		# shellcheck disable=SC2086 # words
		run -0 --separate-stderr argdump -d 0.1 -c none-of-it $what vfs_fallocate
		[[ $output =~ ^'(no calls in '[0-9.]+m?s')'$ ]] || { echo "$what: $output"; false; }
	done
}

@test "the total has what --top omits, and the time; in JSON each row" {
	run -0 argdump -c dd --count --by count --top 1 vfs_read -- bash -c "$sizes"
	[ "$(grep -c '^ *[0-9]*  *[0-9]*$' <<<"$output")" -eq 1 ]
	grep -qE '^total: 15 calls in ' <<<"$output"
	run -0 argdump -j -c dd --count --by count --top 2 vfs_read -- bash -c "$sizes"
	rows -e 'length == 2 and all(.[]; .total == 15 and .elapsed_ns > 0)'
}

@test "--interval prints the time of day" {
	run -0 argdump -d 2 --interval 0.2 --count vfs_read
	[ "$(grep -cE '^[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}$' <<<"$output")" -ge 2 ]
	run -0 argdump -d 0.3 -Tiso --interval 0.2 --count vfs_read
	grep -qE '^20[0-9-]{8}T' <<<"$output"
}

@test "--if comes before counting" {
	run -0 argdump -j -c dd --if 'count >= 100' --count --min count vfs_read -- bash -c "$sizes"
	rows -e '.[0] | .count == 12 and .min == 100'
}

@test "Ctrl-C prints what was counted; -d ends it" {
	for signal in INT TERM; do
		taskset 1 reads -s 100000000 some >pid & worker=$!
		wait_until test -s pid
		taskset 1 argdump -j -p $worker --count vfs_read >out 2>err & tool=$!
		wait_attached $tool
		wait_reads $worker 12
		kill -$signal $tool
		wait $tool
		kill $worker
		rm pid
		jq -e '.type == "count" and .count > 10' out
	done
	run -0 argdump -j -d 0.5 -p 1 --count vfs_read
	rows -e 'length == 1'
}

@test "nothing is woken while it counts" {
	argdump -p 1 --count vfs_read >out 2>err & tool=$!
	wait_attached $tool
	before=$(status_of $tool voluntary_ctxt_switches)
	begin=$SECONDS
	reads 1000 some
	sleep 2
	after=$(status_of $tool voluntary_ctxt_switches)
	seconds=$((SECONDS - begin + 1))
	echo "woken $before $after in $seconds s"
	# it looks at the ledger every 2 s
	[ $((after - before)) -le $((2 + seconds / 2)) ]
	kill -INT $tool
	wait $tool
}

@test "several functions: rows of their own if --by names \$func, or there is no --by" {
	run -0 --separate-stderr argdump -j -c dd --count --sum count --by 'count,$func' vfs_read,vfs_write -- \
		dd if=some of=/dev/null bs=8 count=6
	rows -e 'map(select(.func == "vfs_read" and .by.count == 8)) | length == 1 and .[0].count == 6 and .[0].sum == 48'
	rows -e 'map(select(.func == "vfs_write" and .by.count == 8)) | length == 1 and .[0].count == 6'
	run -0 --separate-stderr argdump -j -c dd --count --sum count --by count vfs_read,vfs_write -- \
		dd if=some of=/dev/null bs=8 count=6
	rows -e 'map(select(.by.count == 8)) | length == 1 and .[0].count == 12 and .[0].sum == 96 and (.[0] | has("func") | not)'
	run -0 argdump -c dd --count vfs_read,vfs_write -- dd if=some of=/dev/null bs=8 count=6
	grep -qE '^vfs_read +6$' <<<"$output"
}

@test "at the return: bytes that were read, not the requested ones" {
	run -0 argdump -j -c dd --sum '$ret' --max '$ret' --by "\$ret" vfs_read%return -- \
		dd if=some of=/dev/null bs=48 count=3
	rows -e 'map([.by.ret, .count, .sum]) | sort == [[0,1,0],[16,1,16],[48,1,48]]'
}
