#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# argdump at the return of kernel functions: values that are known, exact counts, every attach method.

bats_require_minimum_version 1.5.0
load arch
load argdump
load tracefs
load wait

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	printf 'x%.0s' {1..64} >some
}

# What opens a path: its name has changed.
opener() { grep -qw do_filp_open /proc/kallsyms && echo do_filp_open || echo do_file_open; }

# rw_verify_area is called for each read, and for the one write.
@test "%return: what a function returned, on every attach method" {
	run -0 --separate-stderr argdump vfs_read%return -- reads 137 some
	[ "$(count ' reads .*ret=1$' <<<"$output")" -eq 137 ] || { echo "$output"; false; }
	for method in $(function_methods); do
		run -0 --separate-stderr argdump --attach "$method" rw_verify_area%return -- reads 137 some
		[ "$(count ' reads .*ret=0$' <<<"$output")" -eq 138 ] || { echo "$method: $output"; false; }
	done
}

@test "%return: an int is cut to its 32 bits, an error has its name" {
	for method in $(function_methods); do
		run -1 --separate-stderr argdump --attach "$method" -c cat do_sys_openat2%return '$ret' neg='$ret < 0' -- cat /nobody/has/this
		[ "$(count 'ret=-ENOENT neg=1' <<<"$output")" -eq 1 ] || { echo "$method: $output"; false; }
		run -1 --separate-stderr argdump --attach "$method" -j -c cat do_sys_openat2%return '$ret' -- cat /nobody/has/this
		[ "$(jq -s 'map(select(.args.ret == -2)) | length' <<<"$(grep '^{' <<<"$output")")" -eq 1 ]
	done
}

@test "%return: a pointer is followed, an error pointer is not" {
	for method in $(function_methods); do
		run -0 --separate-stderr argdump --attach "$method" -c cat "$(opener)%return" 'ino=$ret->f_inode->i_ino' \
			'name=$ret->f_path.dentry->d_name.name:str' '$ret' -- cat some
		[ "$(count "ino=$(stat -c %i some) name=\"some\" ret=0xffff" <<<"$output")" -eq 1 ] || { echo "$method: $output"; false; }
		run -1 --separate-stderr argdump --attach "$method" -c cat "$(opener)%return" 'ino=$ret->f_inode->i_ino' \
			'flags=$ret->f_flags' '$ret' -- cat /nobody/has/this
		[ "$(count -E 'ino=<[^>]*\$ret> flags=<[^>]*\$ret> ret=-ENOENT' <<<"$output")" -eq 1 ] || { echo "$method: $output"; false; }
	done
}

@test "%return: fexit still has the parameters; elsewhere they are gone" {
	if has_fentry; then
		run -0 --separate-stderr argdump vfs_read%return '$ret' count 'pos=*pos' \
			'fs=file->f_inode->i_sb->s_type->name' -- reads 23 /proc/version
		[ "$(count ' reads .*ret=1 count=1 pos=1 fs="proc"' <<<"$output")" -eq 23 ] || { echo "$output"; false; }
	fi
	run -1 argdump --attach kprobe vfs_read%return count
	[[ $output == *"no parameters"*"^"* ]]
}

@test "%return of a function that returns nothing" {
	run -1 argdump mutex_unlock%return '$ret'
	[[ $output == *"mutex_unlock returns nothing"* ]]
	run -0 --separate-stderr argdump -n 1 mutex_unlock%return -- true
	run -1 argdump vfs_read '$ret'
	[[ $output == *'vfs_read%return'* ]]
}

# ---- entry and return in one record ----

@test "-r: parameters, what was returned, and the time, on every attach method" {
	for method in $(call_methods); do
		run -0 --separate-stderr argdump -v --attach "$method" -r rw_verify_area -- reads 137 some
		[ "$(count -E ' reads .*read_write=0 file="/.*" ppos=0 count=1 ret=0 lat=[0-9.]+[num]s$' <<<"$output")" -eq 137 ] || {
			echo "$method: $stderr $output"; false
		}
		run -0 --separate-stderr argdump -v --attach "$method" -r rw_verify_area count '$ret' -- reads 137 some
		[ "$(count ' reads .*count=1 ret=0$' <<<"$output")" -eq 137 ] || { echo "$method: $stderr $output"; false; }
	done
}

@test "-r: memory as it was at the entry and at the return, on every attach method" {
	run -0 --separate-stderr argdump -r vfs_read 'before=*pos' 'after=@ret(*pos)' '$ret' \
		'fs=file->f_inode->i_sb->s_type->name' -- reads 23 some
	[ "$(count ' reads .*before=0 after=1 ret=1 fs="' <<<"$output")" -eq 23 ] || { echo "$output"; false; }
	for method in $(call_methods); do
		run -0 --separate-stderr argdump -v --attach "$method" -r rw_verify_area \
			'n=file->f_path.dentry->d_name.name:str' 'm=@ret(file->f_path.dentry->d_name.name):str' \
			'@ret(count + 1)' '$lat' -- reads 23 some
		[ "$(count -E ' reads .*n="some" m="some" @ret\(count\+1\)=2 lat=' <<<"$output")" -eq 23 ] || {
			echo "$method: $stderr $output"; false
		}
	done
}

@test "-r --if: conditions of the entry and of the return" {
	for method in $(call_methods); do
		run -0 --separate-stderr argdump --attach "$method" -r --if 'read_write == 0 && $ret == 0 && $lat > 0' rw_verify_area count -- reads 11 some
		[ "$(count ' reads .*count=1 ret=0' <<<"$output")" -eq 11 ] || { echo "$method: $output"; false; }
		run -0 --separate-stderr argdump --attach "$method" -c reads -r --if '$lat > 10000000000' rw_verify_area count -- reads 11 some
		[ "$(count ' reads ' <<<"$output")" -eq 0 ] || { echo "$method: $output"; false; }
		run -0 --separate-stderr argdump --attach "$method" -c reads -r --if 'count == 2' rw_verify_area count -- reads 11 some
		[ "$(count ' reads ' <<<"$output")" -eq 0 ] || { echo "$method: $output"; false; }
	done
}

@test "-r: how long a sleep takes" {
	for method in $(call_methods); do
		begin=${EPOCHREALTIME/./}
		run -0 --separate-stderr argdump -j --attach "$method" -c sleep -r hrtimer_nanosleep '$lat' '$ret' -- sleep 0.05
		most=$((${EPOCHREALTIME/./} - begin))
		jq -e -s --argjson most $most 'map(select(.type == "argdump").args) | length == 1 and
			(.[0].lat_ns >= 50000000 and .[0].lat_ns < $most * 1000 and .[0].ret == 0)' <<<"$(grep '^{' <<<"$output")" || {
			echo "$method: $output"; false
		}
	done
}

# 61 calls that wait at once, and return in another order. Only trampolines have room for them all on
# every kernel; but where a program may be preempted, the next one on that processor is missed.
@test "-r: calls in flight at once are not mixed up" {
	for method in $(call_methods | grep -x 'f.*'); do
		for more in '' 'ino=file->f_inode->i_ino'; do
			run -0 --separate-stderr argdump -j -c calls --attach "$method" -r --if 'count >= 1000 && count < 1100' \
				vfs_read count '$ret' $more -- calls block 61
			jq -e -s '(map(select(.type == "lost" and .final).recursion // 0) | add // 0) as $missed |
				map(select(.type == "argdump").args) | length <= 61 and length + $missed >= 61 and length > 5 and
				all(.[]; .count - 1000 == .ret - 1) and (map(.ret) | unique | length) == length' <<<"$(grep '^{' <<<"$output")" || {
				echo "$method: $output"; false
			}
		done
	done
}

@test "-r: a function that calls itself" {
	# That of 5.10; later ones ask as deep when an epoll is added to another.
	local func=ep_item_poll what='epi->ffd.fd' depths='[4,3,2,1]'
	grep -q ' ep_item_poll$' /proc/kallsyms || func=ep_loop_check_proc what=ep depths='[2,1,0]'
	for method in $(call_methods); do
		if [ "$method" = kprobe ] && ! grep -qE ' (__kretprobe|arch_rethook)_trampoline$' /proc/kallsyms; then
			echo "# kprobe: before 5.15 a kretprobe has too few places for calls in each other" >&3
			continue
		fi
		run -0 --separate-stderr argdump -j -c calls --attach "$method" -r "$func" depth "what=$what" '$lat' -- calls nest
		# The last call is the deepest: the innermost returns first, and each has its own depth, file
		# and time.
		jq -e -s --argjson depths "$depths" 'map(select(.type == "argdump").args) | .[-($depths | length):] |
			map(.depth) == $depths and . == sort_by(.lat_ns) and
			(map(.what) | unique | length) == length' <<<"$(grep '^{' <<<"$output")" || {
			echo "$method: $output"; false
		}
	done
}

@test "-r: who is killed while he waits" {
	mkfifo pipe
	cat pipe >copy & victim=$!
	exec 7>pipe
	wait_until is_in $victim '[a-z_]*pipe_[a-z]*'
	argdump -j -p "$victim" -r vfs_read count '$ret' >out 2>err & tool=$!
	wait_attached $tool
	# of the call inside which it was there is no entry; it is killed in the next one
	echo x >&7
	wait_until test -s copy
	wait_until is_in $victim '[a-z_]*pipe_[a-z]*'
	kill -9 "$victim"
	wait "$tool"
	cat out err
	jq -e -s 'map(select(.type == "argdump").args) | length == 1 and .[0].ret < 0' <<<"$(grep '^{' <out)"
	run -0 --separate-stderr argdump -r vfs_read count '$ret' -- reads 11 some
	[ "$(count ' reads .*count=1 ret=1' <<<"$output")" -eq 11 ]
}

# Nothing is lost silently: what the kernel did not run a program for, it says.
@test "-r: 10 000 calls by 4 processes: printed and missed are what was performed" {
	argdump -q -j -c reads -r vfs_read "name=file->f_path.dentry->d_name.name:str" '$ret' '$lat' -- reads -j 4 2500 some | grep '^{' >out
	printed=$(jq -s 'map(select(.type == "argdump") | .args | select(.name == "some" and .ret == 1 and .lat_ns > 0)) | length' out)
	missed=$(jq -s 'map(select(.type == "lost" and .final)) | map((.recursion // 0) + (.missed // 0)) | add // 0' out)
	full=$(jq -s 'map(select(.type == "lost" and .final).ring_full // 0) | add // 0' out)
	echo "printed $printed missed $missed ring_full $full"
	[ $((printed + full)) -le 10000 ] && [ $((printed + full + missed)) -ge 10000 ]
}

# 200 calls that wait at the same time, by kretprobes: printed, and missed.
at_once() { # COMMAND…
	run --separate-stderr "$@" argdump -j --attach kprobe $what '$ret' -- calls queue 200
	jq -r -s '(map(select(.type == "argdump" and .args.ret == 1)) | length),
		(map(select(.type == "lost" and .final))[0] | (.missed // 0), (.lost // 0))' <<<"$(grep '^{' <<<"$output")" | paste -sd ' '
}

@test "200 calls at once by kretprobe: none is missed" {
	for what in "${SYSCALL}msgrcv%return" "-r ${SYSCALL}msgrcv"; do
		[ "$(at_once)" = '200 0 0' ] || { at_once; false; }
	done
	[ -z "$(cat /sys/kernel/tracing/kprobe_events)" ]
}

# A kretprobe of the kernel's own size has room for a few of them. The other returns it misses, and counts; before 6.7 the
# kernel does not tell how many.
@test "200 calls at once by kretprobe, without tracefs: printed and missed are what was performed" {
	for what in "${SYSCALL}msgrcv%return" "-r ${SYSCALL}msgrcv"; do
		read -r printed missed lost <<<"$(at_once without_tracefs)"
		echo "$what: $printed $missed $lost"
		[[ $printed -gt 0 && $missed -gt 0 && $((printed + missed)) -eq 200 && $missed -eq $lost ]]
	done
}

@test "kretprobes: kill -9 leaves a name, which the next one removes; another's stays" {
	events=/sys/kernel/tracing/kprobe_events
	echo 'r:live/mine vfs_fsync' >>$events
	argdump --attach kprobe vfs_fsync%return -o out 3>&- &
	killed=$!
	wait_attached $killed
	kill -KILL $killed
	wait $killed || true
	[ "$(wc -l <$events)" -eq 2 ]
	argdump --attach kprobe vfs_fsync%return -o out 3>&- &
	wait_attached $!
	grep -q "^r[0-9]*:coretap/r$!_[0-9a-f]*_0 " $events
	[ "$(wc -l <$events)" -eq 2 ]
	kill -INT $!
	wait $!
	[[ $(<$events) =~ ^r[0-9]*:live/mine\ vfs_fsync$ ]] || { cat $events; false; }
	echo '-:live/mine' >>$events
}

@test "-r: mistakes" {
	run -1 argdump vfs_read '$lat'
	[[ $output == *"^"*"add -r"* ]]
	run -1 argdump vfs_read '@ret(*pos)'
	[[ $output == *"add -r"* ]]
	run -1 argdump -r t:sched:sched_switch
	[[ $output == *"-r is for functions"* ]]
	run -1 argdump -r mutex_unlock '$ret'
	[[ $output == *"returns nothing"* ]]
}

@test "-r counted in the kernel: by what was returned, how long it took" {
	run -0 --separate-stderr argdump -q -j -c reads -r --count --by '$ret' rw_verify_area -- reads 137 some
	jq -e -s 'map(select(.by.ret == 0 and .count == 138)) | length == 1' <<<"$(grep '^{' <<<"$output")" || { echo "$output"; false; }
	run -0 --separate-stderr argdump -q -c reads -r --hist '$lat' rw_verify_area -- reads 137 some
	[ "$(count '\*\|█\|@\||' <<<"$output")" -gt 0 ] || { echo "$output"; false; }
}

@test "%return: a name that is wrong is told without %return" {
	run -1 argdump vfs_raed%return
	[[ $output == *"vfs_read"* ]] || { echo "$output"; false; }
}
