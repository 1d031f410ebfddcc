#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Several probes on a command line, and tables of their results: what is planned, and what is said of
# mistakes. Nothing is traced.

bats_require_minimum_version 1.5.0
load plan

planned() { run "$argdump" --dry-run --btf "$btf" "$@"; }

@test "--and: expressions, conditions and measures belong to the preceding probe" {
	planned --if '$pid > 3' vfs_read file --if 'count > 5' --and vfs_write pos count
	[ "$status" -eq 0 ]
	[[ $output == *vfs_read*'if $pid > 3'*'if count > 5'*'file = '*vfs_write*'if $pid > 3'*'pos = '*'count = '* ]]
	[[ $output != *vfs_write*'if count'* && $output != *'file = '*'file = '* ]]
	planned tcp_sendmsg --sum tx=size --and tcp_cleanup_rbuf --sum rx=copied --by '$pid,$comm' --interval 1 --clear --top 20
	[[ $status -eq 0 && $output == *tcp_sendmsg*"pid = "*"size"*tcp_cleanup_rbuf*"comm = "*"copied"* ]]
}

@test "--and: entries are the same in all programs, whatever each can measure" {
	run -0 "$argdump" --dump=layout --btf "$btf" vfs_read --sum 'file->f_inode->i_size' --count n --and vfs_write --hist count --by '$comm'
	[ "$(grep -c "^key of 32 bytes, entry of 7[0-9] words" <<<"$output")" -eq 2 ]
	[ "$(grep '^key' <<<"$output" | sort -u | wc -l)" -eq 1 ]
}

@test "--and: conflicts" {
	wrong "which probe comes first" --and vfs_read
	wrong "vfs_write counts nothing" vfs_read --count n --and vfs_write
	wrong "have other names" vfs_read --count r --by a=count --and vfs_write --count w --by b=count
	wrong "their values have other types" vfs_read --count r --by a=count --and vfs_write --count w --by 'a=$comm'
	wrong "two values named 'n'" vfs_read --count n --and vfs_write --count n
	wrong "--by EXPR groups" vfs_read --count --and vfs_write count
	wrong "a name consists of letters" vfs_read --count 'a-b'
	wrong "a name consists of letters" vfs_read --count=1st
	wrong "two values named 'count'" vfs_read --count=count
}

@test "--count: with a name after = or after PROBE" {
	for line in 'vfs_read --count n' '--count=n vfs_read' 'vfs_read --count=n' '--top 3 vfs_read --count n --sum count'; do
		planned $line --save "$BATS_TEST_TMPDIR/saved"
		[ "$status" -eq 0 ] || { echo "$line: $output"; false; }
		grep -qxF -- '--count n' "$BATS_TEST_TMPDIR/saved"
	done
	planned --count vfs_read
	[ "$status" -eq 0 ]
	planned --count n vfs_read
	[[ $status -eq 1 && $output == *"--count=NAME"* ]]
}

@test "--save writes probes with options of their own, --load reads them" {
	argdump=$PWD/$argdump
	cd "$BATS_TEST_TMPDIR"
	planned --if '$pid' --top 3 vfs_read --count n --if 'count > 3' --and vfs_write --sum m=count --by '$comm' --save one
	[ "$status" -eq 0 ]
	grep -qxF "vfs_read --if 'count > 3' --count n" one
	grep -qxF "vfs_write --sum m=count --by '\$comm'" one
	grep -qxF -- "--if '\$pid'" one
	planned --load one --save two
	[ "$status" -eq 0 ]
	cmp one two
	for line in 'vfs_read --output x:this option is not allowed in a file' 'vfs_read --if:a value is missing' \
		'vfs_read --nosuch:unknown option of argdump'; do
		echo "${line%:*}" >bad
		planned --load bad
		[[ $status -eq 1 && $output == *"bad:1: ${line#*:}"* ]] || { echo "$line: $output"; false; }
	done
	planned --load one --and vfs_open --count o
	[[ $status -eq 0 && $output == *vfs_open* ]]
}

@test "--show: computed columns, checked before anything is traced" {
	planned vfs_read --count n --sum 'big=count > 4096' --by '$comm' --show 'n,pct=100*big/n,comm' --show 'x=n:x'
	[ "$status" -eq 0 ]
	planned vfs_read --count n --hist h=count --avg a=count --show 'h_p50+0' --show h
	[[ $status -eq 1 && $output == *"needs a name"*"ratio=100*a/b"* ]]
	planned -r vfs_read --hist h='$lat' --avg '$lat' --show 'p=h_p50:ns,h,avg,count'
	[ "$status" -eq 0 ]
	wrong "unknown result or key bga" vfs_read --count n --sum big=count --by '$comm' --show 'n,pct=100*bga/n'
	[[ $stderr == *"    pct=100*bga/n"*"^~~"*"there are comm, count, n, big"* ]]
	wrong "comm is not a number" vfs_read --count n --by '$comm' --show 'x=comm+1'
	wrong "two values named 'x'" vfs_read --count n --show 'x=n,x=n+1'
	wrong "two values named 'type'" vfs_read --count n --show 'type=n'
	wrong "expected names of columns" vfs_read --count n --show 'x=$func(n)'
	wrong "at the end" vfs_read --count n --show 'x=n+'
	wrong "--show needs a counting option" vfs_read --show n
	wrong "the formats of a column are" vfs_read --count n --show 'x=n:mac'
	planned vfs_read --count n --sum bytes=count --show "n,x=bytes/n:sort"
	planned vfs_read --count n --show 'x=n+1' --save "$BATS_TEST_TMPDIR/saved"
	grep -qxF -- "--show x=n+1" "$BATS_TEST_TMPDIR/saved"
}

@test "--pct: up to twelve percentiles of a number" {
	planned -r vfs_read --pct '50,90,99=l=$lat' --pct 1,2,3,4,5,6,7,8,9,10,11,12=count --pct 5=n=count --by '$comm' --show 'l_p50,n_p5,p99=l_p99:ns'
	[ "$status" -eq 0 ] || { echo "$output"; false; }
	for bad in count 50 '50,=count' '0=count' '101=count' '100.1=count' '5,x=count' 1,2,3,4,5,6,7,8,9,10,11,12,13=count '=count' '99.9999=count'; do
		wrong "--pct '$bad'" vfs_read --pct "$bad"
		[[ $stderr == *"percentiles such as 50 or 99.9"* ]] || { echo "$bad: $stderr"; false; }
	done
	planned vfs_read --pct '99.9,99.99,100,01,90.0=count' --by '$comm' --show 'p99_9,p99_99,p100,p1,p90'
	[ "$status" -eq 0 ] || { echo "$output"; false; }
	wrong "two values named 'p50'" vfs_read --pct '50,50.0=count'
	wrong "is not a number" vfs_read --pct 50=file
}

@test "--screen needs --interval" {
	wrong "--screen needs --interval" vfs_read --count --screen
	wrong "--screen needs a counting option" vfs_read --screen
	planned vfs_read --count --by '$comm' --interval 1 --clear --screen --top 20
	[ "$status" -eq 0 ]
}
