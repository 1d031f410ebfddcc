#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# argdump -r where many calls are inside at once: a call's place in the array of those under way is
# another's then, and it is kept in a hash. 400 calls in 4096 places share some (about 20 do), and
# where a record is so long that there are only 128 places, most of them.

bats_require_minimum_version 1.5.0
load argdump

# What keeps the calls of this kernel's trampolines. A kretprobe has not room for so many.
methods() {
	echo fentry
	! grep -qw BPF_TRACE_FSESSION <<<"$(argdump --type 'enum bpf_attach_type')" || echo fsession
}

# crowd WAY EXPR JQ: JQ must be true of all records. Where a program may be preempted, all calls on that
# processor are missed until it goes on: nearly all where the 400 return at once. They are counted.
crowd() {
	local least=400
	[ -z "$(preempts)" ] || least=1
	run -0 --separate-stderr argdump -j -c calls --buffer 16M --attach "$1" -r \
		--if 'count >= 1000 && count < 1400' vfs_read count '$ret' "$2" -- calls block 400
	jq -e -s '(map(select(.type == "lost" and .final)) | first // {}) as $lost |
		map(select(.type == "argdump").args) | length <= 400 and length + ($lost.recursion // 0) >= 400 and
		length >= '"$least"' and ($lost | has("map_full") | not) and
		all(.[]; .count - 1000 == .ret - 1 and ('"$3"')) and
		(map(.ret) | unique | length) == length' <<<"$(grep '^{' <<<"$output")" || {
		echo "$1 $2: $stderr $(head -n 5 <<<"$output") $(grep '"lost"' <<<"$output")"; false
	}
}

@test "-r: 400 calls inside at once, the time kept" {
	for method in $(methods); do crowd "$method" '$lat' '.lat_ns > 0'; done
}

@test "-r: 400 calls inside at once, a short record kept" {
	for method in $(methods); do crowd "$method" 'ino=file->f_inode->i_ino' '.ino > 0'; done
}

@test "-r: 400 calls inside at once, a long record kept: more than there are places" {
	for method in $(methods); do crowd "$method" 'name=file->f_path.dentry->d_sb->s_type->name:str:4096' '.name == "pipefs"'; done
}

# Those before left nothing behind that would be taken for these.
@test "-r: the same again while the same tracer runs" {
	for method in $(methods); do
		run -0 --separate-stderr argdump -j -c calls --attach "$method" -r \
			--if 'count >= 1000 && count < 1400' vfs_read count '$ret' 'ino=file->f_inode->i_ino' -- \
			sh -c 'calls block 151; calls block 149'
		jq -e -s '(map(select(.type == "lost" and .final).recursion // 0) | add // 0) as $missed |
			map(select(.type == "argdump").args) | length <= 300 and length + $missed >= 300 and
			all(.[]; .count - 1000 == .ret - 1) and (map(.ino) | unique | length) == length' <<<"$(grep '^{' <<<"$output")" || {
			echo "$method: $(head -n 5 <<<"$output") $(grep '"lost"' <<<"$output")"; false
		}
	done
}
