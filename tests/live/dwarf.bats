#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# User stacks by unwind tables: whole stacks of a known chain of calls without frame pointers
# (tests/work/unwound) through the C library, in each kind of program; what cuts them is said.

bats_require_minimum_version 1.5.0
load arch

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	echo x >some
}

# The stack of the read of one byte, without offsets: a line each frame.
frames() { # PROGRAM MODE [OPTION...]: without one, --dwarf
	local options=("${@:3}")
	[ $# -gt 2 ] || options=(--dwarf)
	run -0 --separate-stderr argdump -j "${options[@]}" -c "$1" s:read count -- "$1" "$2" some
	grep '^{' <<<"$output" | jq -r 'select(.type == "argdump" and .args.count == 1) | .user_stack[]' |
		sed 's/+0x[0-9a-f]* \[/ [/; s/\.part\.[0-9]*//; s/\.constprop\.[0-9]*//; s/^\[vdso\]+.*/- [vdso]/' >got
	[[ $stderr =~ ^[0-9]*$ ]] || { echo "$stderr"; false; } # the program's own output
}

same() { diff -u - got; }

# The names that a stripped C library has no symbols for.
unnamed() { sed -i -E 's/^\[libc\.so\.6\]\+0x[0-9a-f]*$/- [libc]/; s/\[libc\.so\.6\]/[libc]/' got; }

@test "a static program: through qsort to the program's start" {
	frames unwound sort
	same <<-'END'
		read [unwound]
		reading [unwound]
		deeper [unwound]
		by_size [unwound]
		msort_with_tmp [unwound]
		msort_with_tmp [unwound]
		qsort_r [unwound]
		sorting [unwound]
		main [unwound]
		__libc_start_call_main [unwound]
		__libc_start_main [unwound]
		_start [unwound]
	END
}

@test "a static program: a signal handler, and the interrupted function" {
	frames unwound signal
	same <<-END
		read [unwound]
		reading [unwound]
		deeper [unwound]
		${SIGNAL_FRAMES[0]}
		__pthread_kill_implementation [unwound]
		raise [unwound]
		signalled [unwound]
		main [unwound]
		__libc_start_call_main [unwound]
		__libc_start_main [unwound]
		_start [unwound]
	END
}

@test "a position independent program with a shared C library" {
	frames unwound-pie sort
	unnamed
	same <<-'END'
		read [libc]
		reading [unwound-pie]
		deeper [unwound-pie]
		by_size [unwound-pie]
		- [libc]
		- [libc]
		qsort_r [libc]
		sorting [unwound-pie]
		main [unwound-pie]
		- [libc]
		__libc_start_main [libc]
		_start [unwound-pie]
	END
}

@test "a library of the program's own, and a signal" {
	frames unwound-so signal
	unnamed
	same <<-END
		read [libc]
		reading [libunwound.so]
		deeper [libunwound.so]
		${SIGNAL_FRAMES[1]}
		- [libc]
		raise [libc]
		signalled [libunwound.so]
		main [unwound-so]
		- [libc]
		__libc_start_main [libc]
		_start [unwound-so]
	END
}

@test "cut stacks are marked, with the reason" {
	frames unwound stack
	tail -n 2 got | diff -u - <(printf '%s\n' '__pthread_kill_implementation [unwound]' \
		'<cut: the caller is on another stack, which is not copied>')
	frames unwound large
	tail -n 2 got | diff -u - <(printf '%s\n' "$LARGE_LAST [unwound]" \
		'<cut: the frame is beyond the copy; use a larger --dwarf>')
	frames unwound hole
	tail -n 2 got | diff -u - <(printf '%s\n' "$LARGE_LAST [unwound]" \
		'<cut: the rest of the stack could not be read>')
}

@test "the size of the copy, and at most so many frames" {
	for size in 4096 28K; do
		frames unwound sort --dwarf=$size
		[ "$(wc -l <got)" = 12 ] || { echo "$size: $(cat got)"; false; }
	done
	frames unwound sort --dwarf --stack-depth 3
	same <<-'END'
		read [unwound]
		reading [unwound]
		deeper [unwound]
	END
}

@test "every attach method, a return, and a function of the kernel" {
	for method in fentry kprobe; do
		for probe in s:read s:read%return; do
			run -0 --separate-stderr argdump -j --dwarf -c unwound --attach $method $probe '$pid' -- unwound sort some
			grep '^{' <<<"$output" | jq -r 'select(.type == "argdump") | .user_stack | join(" ")' >got
			grep -q 'reading.* by_size.* qsort_r.* main.* _start+0x[0-9a-f]* \[unwound\]$' got || {
				echo "$method $probe: $output $stderr"; false
			}
		done
	done
	run -0 --separate-stderr argdump --dwarf -c unwound vfs_read count -- unwound sort some
	grep -A 12 'count=1$' <<<"$output" >got
	sed -n '2p;$p' got | sed 's/+0x[0-9a-f]*//' | diff - <(printf '    %s\n' 'read [unwound]' '_start [unwound]')
}

@test "a program's function, from its first instruction" {
	run -0 --separate-stderr argdump --dwarf u:/tests/work/unwound:by_size -n 1 -- unwound sort some
	grep '^ .*\]$' <<<"$output" | sed 's/+0x[0-9a-f]*//; s/\.part\.[0-9]*//; s/^ *//' >got
	same <<-'END'
		by_size [unwound]
		msort_with_tmp [unwound]
		msort_with_tmp [unwound]
		qsort_r [unwound]
		sorting [unwound]
		main [unwound]
		__libc_start_call_main [unwound]
		__libc_start_main [unwound]
		_start [unwound]
	END
}

@test "in the vdso, and with the kernel's stack" {
	run -0 --separate-stderr argdump -k --dwarf --buffer 32M -c chain-pie -n 1 s:clock_gettime -- chain-pie -c 1000 # it lives until its maps are read
	grep '^ .*\]$' <<<"$output" | grep -v '\[libc' | sed 's/+0x[0-9a-f]*//; s/^ *//' >got
	same <<-END
		$VDSO_CLOCK [vdso]
		cpu_clock [chain-pie]
		outer [chain-pie]
		main [chain-pie]
		_start [chain-pie]
	END
	grep -qE "^    ($SYSCALL_OUTER)\+" <<<"$output"
}

@test "programs of 32 bits, and threads of the kernel" {
	run -0 --separate-stderr argdump -j --dwarf -n 1 -d 20 -c 'kworker*' schedule
	grep '^{' <<<"$output" | jq -se '.[0].user_stack == []'
	calls32 1 some || skip "no program of 32 bits runs here"
	run -0 --separate-stderr argdump -j --dwarf -n 1 -c calls32 vfs_open -- calls32 1 some
	grep '^{' <<<"$output" | jq -se '.[0].user_stack | length == 2 and
		.[1] == "<cut: no unwind table for this code, nor a frame pointer>"' || {
		echo "$output $stderr"; false
	}
}

# "COUNT NAME…" of each counted user stack, names without offsets and modules.
counted() {
	grep '^{"type":"count"' | jq -r '"\(.count) " + (.by.ustack | map(sub("\\+0x.*"; "") | sub("\\..*"; "")) | join(" "))'
}

@test "counted: each path once, of programs that are gone" {
	# shellcheck disable=SC2016 # of the inner shell
	run -0 --separate-stderr argdump -j --dwarf --count --by '$ustack' -c unwound --if 'count == 1' vfs_read -- \
		sh -c 'for i in $(seq 40); do unwound sort some; done >&2; for i in $(seq 30); do unwound signal some; done >&2'
	counted <<<"$output" >got
	[ "$(wc -l <got)" = 2 ] || { cat got; echo "$stderr"; false; }
	grep -q '^40 read reading deeper by_size msort_with_tmp msort_with_tmp qsort_r sorting main .* _start$' got || { cat got; false; }
	grep -q '^30 read reading deeper .* signalled main .* _start$' got || { cat got; false; }
}

@test "counted: more calls than the kernel's map has keys; kernel stacks beside them" {
	run -0 --separate-stderr argdump -j --dwarf=4096 --count --by '$ustack,$kstack' --keys 4096 -c chain vfs_read -- chain 20000 some
	grep '^{' <<<"$output" | jq -se '(map(select(.type == "lost" and .final)) | first // {}) as $lost |
		map(select(.type == "count")) as $rows | ($rows | map(.count) | add) as $all | $all <= 20001 and $all > 4096 and
		$all + ($lost.recursion // 0) + ($lost.keys_full // 0) >= 20000 and
		($rows | map(select(.by.ustack | tostring | test("outer.*main"))) | length >= 1) and
		all($rows[]; .by.kstack[0] == "vfs_read+0x0")' || { cut -c1-900 <<<"$output" | tail -n 4; echo "$stderr"; false; }
}

@test "counted: --keys is the number of stacks, not of calls" {
	run -0 --separate-stderr argdump -j --dwarf=4096 --count --by '$ustack' --keys 16 -c chain vfs_read -- chain 300 some
	grep '^{' <<<"$output" | jq -se '(map(select(.type == "lost" and .final)) | first // {}) as $lost |
		(map(select(.type == "count").count) | add) + ($lost.recursion // 0) >= 300 and ($lost | has("keys_full") | not)' || {
		cut -c1-900 <<<"$output" | tail -n 4; echo "$stderr"; false; }
}

@test "counted: each interval has its own" {
	run -0 --separate-stderr argdump -j --dwarf --count --by '$ustack' --interval 1 --clear -c unwound --if 'count == 1' vfs_read -- \
		sh -c 'unwound sort some; sleep 1.5; unwound sort some; unwound sort some' >&2
	counted <<<"$output" | grep -o '^[0-9]* read reading deeper by_size' >got
	[ "$(awk '{ n += $1 } END { print n, NR }' got)" = '3 2' ] || { cat got; echo "$output $stderr"; false; }
}

@test "sampled: a program without frame pointers, to its start" {
	for program in unwound unwound-pie; do
		run -0 --separate-stderr profile --dwarf -F 99 --user -c "$program" -- "$program" spin some
		grep ';reading' <<<"$output" >got
		[ "$(awk '{ n += $NF } END { print n + 0 }' got)" -ge 10 ] || { echo "$output $stderr"; false; }
		run ! grep -v ';main;sorting;.*;by_size;deeper;reading' got
	done
	run -0 --separate-stderr profile -F 99 --user -c unwound -- unwound spin some
	run ! grep ';main;sorting' <<<"$output"
}

@test "counted by no user stack, or by begins: refused" {
	run -1 --separate-stderr argdump --dwarf --count vfs_read
	[[ $stderr == *"nothing is counted by them"*"--by '\$ustack'"* ]]
	run -1 --separate-stderr argdump --dwarf --count --by '$ustack' vfs_read --until vfs_write
	[[ $stderr == *"cannot be combined with --until"* ]]
}

@test "counted: a stack that is cut says why" {
	run -0 --separate-stderr argdump -j --dwarf --count --by '$ustack' -c unwound --if 'count == 1' vfs_read -- unwound large some
	jq -e 'select(.type == "count") | .by.ustack[-1] == "<cut: the frame is beyond the copy; use a larger --dwarf>"' <<<"$(grep '^{' <<<"$output")"
	run -0 --separate-stderr argdump --dwarf --count --by '$ustack' -c unwound --if 'count == 1' vfs_read -- unwound large some
	grep -q '^    <cut: the frame is beyond the copy; use a larger --dwarf>$' <<<"$output" || { echo "$output"; false; }
	run -0 --separate-stderr argdump --dwarf --folded -c unwound --if 'count == 1' vfs_read -- unwound large some
	grep -q '^unwound;<cut.*;reading;read;' <<<"$output" || { echo "$output"; false; }
}
