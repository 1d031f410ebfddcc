#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# argdump -r that counts by what the entry knows: each call under the values of its own entry, on every
# attach method; counts that are known.

bats_require_minimum_version 1.5.0
load argdump

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	printf 'x%.0s' {1..64} >some
	cp some other
}

CALLED=u:/tests/work/ucalls:called

# Rows of JSON, as jq's FILTER has them, one a line and in order: rows FILTER
rows() { grep '"by"' <<<"$output" | jq -c "$1" | sort | paste -sd' '; }
is() { [ "$1" = "$2" ] || { echo "$1, not $2"; echo "$output"; echo "$stderr"; false; }; }

# A kretprobe has room for a few calls at a time, and those who wait in vfs_read have it: by each method
# what returns at once is traced. rw_verify_area is called for each read.
@test "by parameters and memory at the entry, measured on both sides, on every attach method" {
	for method in $(call_methods); do
		run -0 --separate-stderr argdump -j --attach "$method" -c reads -r --count --sum 'asked=count' --sum 'got=$ret' \
			--sum 'after=@ret(count + 1)' --min 'least=$lat' \
			--by 'name=file->f_path.dentry->d_name.name,count,$comm,r=$ret' --if 'count == 1 && $ret == 0' rw_verify_area -- reads 41 some other
		echo "$method"
		is "$(rows '[.by.name, .by.count, .by.comm, .by.r, .count, .asked, .got, .after, .least > 0]')" \
			'["other",1,"reads",0,41,41,0,82,true] ["some",1,"reads",0,41,41,0,82,true]'
	done
	run -0 --separate-stderr argdump -j -c reads -r --count --sum 'was=*pos' --by 'before=*pos,after=@ret(*pos)' --if 'count == 1' vfs_read -- reads 41 some
	is "$(rows '[.by.before, .by.after, .count, .was]')" '[0,1,41,0]'
}

@test "by the caller, a path and the stack of the entry" {
	run -0 --separate-stderr argdump -j -c reads -r --sum 'ret=$ret' --by 'file:path,$func' --if 'count == 1' vfs_read -- reads 41 some other
	is "$(rows '[.by.file, .by.func, .ret]')" "[\"$PWD/other\",\"vfs_read\",41] [\"$PWD/some\",\"vfs_read\",41]"
	run -0 --separate-stderr argdump -j -c reads -r --count --by 'who=$caller:sym,$kstack' --if 'count == 1' vfs_read -- reads 41 some
	is "$(rows '[(.by.who | tostring | test("read")), .count]')" '[true,41]'
}

@test "a function that calls itself: each call has its own entry" {
	run -0 --separate-stderr argdump -j -r --count --sum 'ret=$ret' --by 'n=(int)$arg2,text=$arg1:ustr' "$CALLED" -- ucalls threads 20 50
	[ -z "$stderr" ] || { echo "$stderr"; false; }
	is "$(rows 'select(.count == 20 and .ret == 20 * .by.n and .by.text == "thread") | 1' | wc -w)" 50
}

@test "a system call, and all in one table" {
	run -0 --separate-stderr argdump -j -c reads -r --count --sum 'ret=$ret' --by count s:read -- reads 41 some
	is "$(rows 'select(.by.count == 1) | [.count, .ret]')" '[41,41]'
	run -0 --separate-stderr argdump -j -c reads -r --count --by '$func,count' --if 'count == 1' 'vfs_read,rw_verify_area' -- reads 41 some
	is "$(rows '[.by.func, .by.count, .count]')" '["rw_verify_area",1,41] ["vfs_read",1,41]'
}

@test "10 000 calls of 4 processes: counted + missed = performed" {
	for method in $(call_methods); do
		run --separate-stderr argdump -q -j --attach "$method" -c reads -r --count --sum 'sum=count' --min '$lat' \
			--by 'file->f_path.dentry->d_name.name' --if 'count == 1' rw_verify_area -- reads -j 4 2500 some
		counted=$(rows 'select(.by.name == "some") | [.count, .sum]')
		missed=$(jq -s 'map(select(.type == "lost" and .final)) | map((.recursion // 0) + (.missed // 0)) | add // 0' <<<"$output")
		n=${counted%,*} n=${n#[}
		is "$counted" "[$n,$n]"
		[ "$n" -le 10000 ] && [ $((n + missed)) -ge 10000 ] || { echo "$method: $counted, $missed missed"; false; }
	done
}
