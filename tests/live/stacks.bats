#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Stacks: kernel and user frames by name and in order, for a known chain of calls (tests/work/chain) in
# each kind of program; JSON, folded counts; what cannot be named is said.

bats_require_minimum_version 1.5.0
load argdump
load wait

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	echo x >some
}

teardown() {
	[ -z "${worker-}" ] || kill "$worker" 2>/dev/null || true
	echo 0 >/proc/sys/kernel/kptr_restrict
}

# A program that goes on reading, and a tracer, on one processor (see argdump.bats).
worker_start() { # PROGRAM
	taskset 1 "$@" -s 100000000 some >pid & worker=$!
	wait_until test -s pid
}

# Of JSON records on stdin: those of reads of `some`, one array.
reads_of() { # COMM
	grep '^{' | jq -s --arg comm "$1" 'map(select(.type == "argdump" and .comm == $comm and .args.n == "some"))'
}
NAME='n=file->f_path.dentry->d_name.name:str'

@test "kernel stack: frame 0 is the probed function, on every attach method, and by the one that is chosen" {
	for method in any fentry kprobe.multi kprobe; do
		[ $method != fentry ] || has_fentry || continue
		if [ $method = kprobe.multi ] && ! grep -q ' register_fprobe_ips$' /proc/kallsyms; then
			echo "# $method: this kernel has no fprobe" >&3
			continue
		fi
		run --separate-stderr argdump --attach $method -k -c chain vfs_read count -- chain 7 some
		missed_forget
		if [[ $method = kprobe.multi && $status != 0 && $stderr == *"stacks captured by kprobe.multi end at their first frame"* ]]; then
			echo "# $method: refused, as this kernel tears its stacks" >&3
			continue
		fi
		[ "$status" = 0 ]
		frames_plain <<<"$output" | grep -A 3 ' chain  *count=1$' | grep -v '^--' |
			sed 's/+0x[0-9a-f]*[1-9a-f][0-9a-f]*$/+N/' |
			sed 's/^ *[0-9]* .*count=1$/row/' | sort | uniq -c | sed 's/^ *//' >got
		diff - got <<-'END'
			7     SYSCALL
			7     ksys_read+N
			7     vfs_read
			7 row
		END
		[ -z "$stderr" ] || { echo "$stderr"; false; }
	done
}

# What is left to check in records on stdin, one array: those of a program, with the stacks' names alone.
stacks_of() { # COMM
	grep '^{' | jq -s --arg comm "$1" "$PLAIN"' map(select(.type == "argdump" and .comm == $comm) |
		(.kernel_stack, .user_stack) |= ((. // []) | plain))'
}

# Before 5.15 the unwinder does not know a kretprobe's trampoline, and the stack ends there.
unwinds() { # PROBE METHOD
	[[ $1 != *%return || $2 != kprobe ]] || grep -qE ' (__kretprobe|arch_rethook)_trampoline$' /proc/kallsyms || {
		echo "# $1 by kretprobe: this kernel does not unwind them" >&3
		return 1
	}
}

@test "the return of a function: who called it, on every attach method" {
	for method in fentry kprobe; do
		[ $method != fentry ] || has_fentry || continue
		unwinds rw_verify_area%return $method || continue
		run -0 --separate-stderr argdump -jkU --attach $method rw_verify_area%return '$ret' -- chain 11 some
		stacks_of chain <<<"$output" >got
		# what is first is the function, or what calls for it
		jq -e 'map(select(.args.ret == 0 and (.user_stack | index("chain_read [chain]")))) | length == 11 and
			all(.[]; (.kernel_stack | index(["vfs_read", "ksys_read", "SYSCALL"]) // index(["ksys_read"])) and
				.user_stack[0:3] == ["chain_read [chain]", "inner [chain]", "middle [chain]"])' got || {
			echo "$method: $(head -c 2000 got) $stderr"; false
		}
	done
}

@test "a system call, by every attach method, and its return" {
	for probe in s:read s:read%return; do
		for method in fentry kprobe; do
			[ $method != fentry ] || has_fentry || continue
			unwinds $probe $method || continue
			run -0 --separate-stderr argdump -jkU --attach $method $probe -- chain 11 some
			stacks_of chain <<<"$output" >got
			jq -e 'map(select(.user_stack | index("chain_read [chain]"))) | length == 11 and
				all(.[]; .kernel_stack[-1] == "SYSCALL" and
					.user_stack[0:3] == ["chain_read [chain]", "inner [chain]", "middle [chain]"])' got || {
				echo "$probe $method: $(head -c 2000 got) $stderr"; false
			}
		done
	done
}

@test "a tracepoint, by its arguments and by its event" {
	for expr in 'p->comm' filename; do
		run -0 --separate-stderr argdump -jk t:sched:sched_process_exec "$expr" -- busybox true
		stacks_of busybox <<<"$output" >got
		jq -e 'length == 1 and (.[0].kernel_stack | any(.[]; test("^(do_execve|bprm_execve)"))) and
			.[0].kernel_stack[-1] == "SYSCALL"' got || {
			echo "$expr: $(cat got) $stderr"; false
		}
	done
}

@test "a program's function, and its return" {
	for probe in chain_read chain_read%return; do
		run -0 --separate-stderr argdump -jkU "u:/tests/work/chain:$probe" -- chain 11 some
		stacks_of chain <<<"$output" >got
		# chain_read has no frame yet, or no more: with a link register, and by some kernels, inner is shown all the same
		jq -e 'length == 11 and all(.[]; .kernel_stack == [] and
			(.user_stack | index(["middle [chain]", "outer [chain]", "main [chain]"])))' got || {
			echo "$probe: $(head -c 2000 got) $stderr"; false
		}
		[ $probe != chain_read ] || jq -e 'all(.[]; .user_stack[0] == "chain_read [chain]")' got
		[ $probe$HAS_LINK != chain_readyes ] || jq -e 'all(.[]; .user_stack[1] == "inner [chain]")' got
	done
}

@test "JSON: both stacks as arrays, in order" {
	run -0 --separate-stderr argdump -jkU vfs_read "$NAME" -- chain 11 some
	[[ $stderr =~ ^[0-9]+$ ]] || { echo "$stderr"; false; } # chain's own line
	reads_of chain <<<"$output" | jq -e "$PLAIN"'
		def names: map(sub("\\+0x[0-9a-f]+"; ""));
		length == 11 and all(.[];
			(.kernel_stack | plain) == ["vfs_read", "ksys_read", "SYSCALL"] and
			.kernel_stack[0] == "vfs_read+0x0" and
			(.user_stack[0:5] | names) == (["chain_read", "inner", "middle", "outer", "main"] |
				map(. + " [chain]")))'
}

@test "user stack: position independent, and across a shared library" {
	run -0 --separate-stderr argdump -jU vfs_read "$NAME" -- chain-pie 11 some
	reads_of chain-pie <<<"$output" | jq -e 'length == 11 and all(.[];
		(.user_stack[0:5] | map(sub("\\+0x[0-9a-f]+"; ""))) ==
			["chain_read [chain-pie]", "inner [chain-pie]", "middle [chain-pie]",
			 "outer [chain-pie]", "main [chain-pie]"])'
	run -0 --separate-stderr argdump -jU vfs_read "$NAME" -- chain-so 11 some
	reads_of chain-so <<<"$output" | jq -e 'length == 11 and all(.[];
		(.user_stack[0:5] | map(sub("\\+0x[0-9a-f]+"; ""))) ==
			["chain_read [libchain.so]", "inner [libchain.so]", "middle [libchain.so]",
			 "outer [chain-so]", "main [chain-so]"])'
}

@test "user stack: a stripped program is shown by the addresses of its file" {
	run -0 --separate-stderr argdump -jU vfs_read "$NAME" -- chain-stripped 11 some
	reads_of chain-stripped <<<"$output" | jq -e 'length == 11 and all(.[];
		(.user_stack[0:5] | all(test("^\\[chain-stripped\\]\\+0x[0-9a-f]+$"))))'
	# the same code, not stripped: its functions begin a little before these addresses
	reads_of chain-stripped <<<"$output" | jq -r '.[0].user_stack[0:5][] | sub(".*\\+"; "")' >stripped
	run -0 --separate-stderr argdump -jU vfs_read "$NAME" -- chain-pie 1 some
	reads_of chain-pie <<<"$output" | jq -r '.[0].user_stack[0:5][] | sub(".*\\+"; "") | sub(" .*"; "")' >offsets
	paste stripped offsets | while read -r address offset; do
		printf '%016x\n' $((address - offset))
	done >starts
	diff starts "$(dirname "$(command -v chain-pie)")/chain-pie.starts"
}

@test "user stack: out of the vdso" {
	run -0 --separate-stderr argdump -jU -c chain ${SYSCALL}clock_gettime -- chain -c 5
	# the C library asks for some clocks itself when it starts
	grep '"comm":"chain"' <<<"$output" | jq -e -s 'map(select(.user_stack | length > 3)) | length == 5 and
		all(.[]; .user_stack[0] | test("^'$VDSO_CLOCK'\\+0x[0-9a-f]+ \\[vdso\\]$"))'
}

@test "user stack: a program that was deleted, and one that only another mount namespace has" {
	cp "$(command -v chain-pie)" ./gone
	worker_start ./gone
	rm gone
	taskset 1 argdump -jU -n 3 -p "$worker" vfs_read "$NAME" | reads_of gone | jq -e 'length == 3 and
		all(.[]; .user_stack[1] | startswith("inner+0x") and endswith("[gone]"))'
	kill "$worker"
	rm pid
	mkdir hidden
	cat >enter <<-END
		mount -t tmpfs none hidden && cp $(command -v chain-pie) hidden/inside &&
		exec hidden/inside -s 100000000 some
	END
	taskset 1 unshare -m sh enter >pid & worker=$!
	wait_until test -s pid
	[ ! -e hidden/inside ]
	taskset 1 argdump -jU -n 3 -p "$(cat pid)" vfs_read "$NAME" | reads_of inside | jq -e 'length == 3 and
		all(.[]; .user_stack[1] | startswith("inner+0x") and endswith("[inside]"))'
}

@test "folded: exact counts, outermost first, sorted" {
	argdump --folded -c chain vfs_read -- chain 137 some | sed 1d | folded_plain >out
	[ "$(count '^chain;.*main;outer;middle;inner;chain_read;SYSCALL_\[k\];ksys_read_\[k\];vfs_read_\[k\] 137$' <out)" -eq 1 ]
	sort -c <(sed 's/ [0-9]*$//' out)
	argdump -k --folded -c chain vfs_read -- chain 31 some | sed 1d | folded_plain >out
	[ "$(cat out)" = "chain;SYSCALL_[k];ksys_read_[k];vfs_read_[k] 31" ]
	# one after the other: where the kernel preempts programs, those at once miss events
	argdump -U --folded vfs_read -- sh -c 'reads 100 some; reads 100 some; reads 100 some' >out
	[ "$(sed -n 's/^reads;.* \([0-9]*\)$/\1/p' out | paste -sd+ | bc)" -eq 300 ]
}

@test "processes that are gone at once are named all the same" {
	for i in 1 2 3 4 5 6 7 8 9; do echo 'chain-pie 1 some >/dev/null'; done >many
	run -0 --separate-stderr argdump -jU vfs_read "$NAME" -- sh many
	reads_of chain-pie <<<"$output" | jq -e 'length == 9 and
		all(.[]; .user_stack[1] | startswith("inner+0x"))'
}

@test "a process that was gone before its stack was looked up: its frames have names, and nothing else is reported" {
	# the last frame of a stack of chain, which is static, is no address of code
	run -0 --separate-stderr argdump -jU --buffer 16M vfs_read "$NAME" -- sh -c \
		'kill -STOP $PPID; chain 1000 some >/dev/null; chain-pie 1000 some >/dev/null; kill -CONT $PPID'
	for program in chain chain-pie; do
		reads_of $program <<<"$output" | jq -e 'length == 1000 and all(.[]; .user_stack[3] | startswith("outer+0x"))'
	done
	[ -z "$stderr" ] || { echo "$stderr"; false; }
}

@test "--stack-depth: so many frames" {
	run -0 --separate-stderr argdump -jkU --stack-depth 2 vfs_read "$NAME" -- chain 5 some
	reads_of chain <<<"$output" | jq -e 'length == 5 and all(.[];
		(.kernel_stack | length) == 2 and (.user_stack | length) == 2 and .kernel_stack[0] == "vfs_read+0x0")'
}

@test "--stack-depth in text, and of folded stacks" {
	run -0 --separate-stderr argdump -k -c chain --stack-depth 1 vfs_read "$NAME" -- chain 5 some
	[ "$(count ' chain .* n="some"$' <<<"$output")" -eq 5 ]
	[ "$(count '^    vfs_read$' <<<"$output")" -eq "$(count ' n="' <<<"$output")" ]
	[ "$(count '^    [a-z]' <<<"$output")" -eq "$(count ' n="' <<<"$output")" ] || { echo "$output"; false; }
	argdump -k --folded -c chain --stack-depth 2 vfs_read -- chain 31 some | sed 1d >out
	[ "$(cat out)" = "chain;ksys_read_[k];vfs_read_[k] 31" ]
}

@test "a kernel thread has no user stack" {
	run -0 --separate-stderr argdump -jkU -n 1 process_one_work
	jq -e '.user_stack == [] and .kernel_stack[0] == "process_one_work+0x0"' <<<"$output"
}

@test "functions of modules: the module is told" {
	modprobe overlay || skip "no module overlay for this kernel"
	mkdir lower upper work merged
	mount -t tmpfs none lower && echo x >lower/some
	mount -t tmpfs none upper && mkdir upper/up upper/work
	mount -t overlay none -o lowerdir=lower,upperdir=upper/up,workdir=upper/work merged
	run -0 --separate-stderr argdump -k -c chain shmem_file_read_iter -- chain 3 merged/some
	umount merged upper lower
	[ "$(count '^    ovl_read_iter+0x[0-9a-f]* \[overlay\]$' <<<"$output")" -eq 3 ]
	[ "$(count '^    shmem_file_read_iter$' <<<"$output")" -eq 3 ]
}

@test "hidden kernel addresses: said, with what to do" {
	echo 2 >/proc/sys/kernel/kptr_restrict
	run -0 --separate-stderr argdump -k -n 2 -c chain vfs_read -- chain 5 some
	[[ $stderr == *"kptr_restrict"* ]]
	[ "$(count '^    0xffff[0-9a-f]*$' <<<"$output")" -ge 4 ]
}

# They are named at the end, when another program has the number. sh, callers-pie and reads.
@test "counted user stacks: a process whose number is used again" {
	cat >twice <<-'END'
		callers-pie >/dev/null &
		first=$!
		wait $first
		echo $((first - 1)) >/proc/sys/kernel/ns_last_pid
		reads 1 /dev/null >/dev/null &
		echo "$first $!" >numbers
		wait
	END
	run -0 --separate-stderr argdump --count --by '$comm,$ustack' s:openat -- sh ./twice
	[[ $(<numbers) =~ ^([0-9]+)\ ([0-9]+)$ && ${BASH_REMATCH[1]} == "${BASH_REMATCH[2]}" ]] || { cat numbers; false; }
	grep -qE '^ +syscall\+0x[0-9a-f]+ \[libc[^]]*\]$' <<<"$output" || { echo "$output"; false; }
	grep -qE '^ +open\+0x[0-9a-f]+ \[reads\]$' <<<"$output" || { echo "$output"; false; }
	[[ $stderr == *"its number was used again"* ]] || { echo "$stderr"; false; }
}
