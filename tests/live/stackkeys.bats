#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Stacks as keys and values ($kstack, $ustack): exact counts by known paths (tests/work/chain), in each
# kind of program; folded and weighed; of processes that are gone; what has no room is counted.

bats_require_minimum_version 1.5.0
load argdump
load wait

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	echo x >some
}

# JSON rows, as [comm, names of the frames…, count].
rows() { # KEY
	grep '^{"type":"count"' | jq -c --arg key "$1" \
		"$PLAIN"' [.by.comm // "", (.by[$key] // ["?"] | plain[]), .count]'
}
read_frames='"vfs_read","ksys_read","SYSCALL"'

@test "calls by kernel stack: exact, on every attach method" {
	for method in fentry kprobe.multi kprobe; do
		[ $method != fentry ] || has_fentry || continue
		if [ $method = kprobe.multi ] && ! grep -q ' register_fprobe_ips$' /proc/kallsyms; then
			echo "# $method: this kernel has no fprobe" >&3
			continue
		fi
		run -0 --separate-stderr argdump --attach $method -j --count --by '$kstack,$comm' -c chain vfs_read -- \
			sh -c 'chain 137 some; chain 31 some'
		rows kstack <<<"$output" >got
		grep -qx "\[\"chain\",$read_frames,168\]" got || { cat got; echo "$stderr"; false; }
	done
}

@test "counts: the kernel's symbols are read after the probe is attached, when a stack is printed" {
	argdump --type 'enum bpf_func_id' | grep -q get_func_arg || skip "programs of this kernel do not know the address of their function"
	run -0 strace -f -y -e trace=read,bpf,perf_event_open,ioctl -o trace argdump --count --by '$kstack' -c chain vfs_read -- \
		chain 3 some
	read_at=$(grep -n -m 1 'read(.*/proc/kallsyms>' trace | cut -d : -f 1)
	attached_at=$(grep -n -E 'PERF_EVENT_IOC_ENABLE|BPF_LINK_CREATE|RAW_TRACEPOINT_OPEN' trace | tail -n 1 | cut -d : -f 1)
	((read_at > attached_at)) || { grep -n -E 'kallsyms|ENABLE|LINK_CREATE|TRACEPOINT_OPEN' trace | head -30; false; }
}

@test "text: the stack is below its row" {
	run -0 --separate-stderr argdump --count --by '$kstack,$comm' -c chain vfs_read -- chain 57 some
	frames_plain <<<"$output" | sed 's/+0x[0-9a-f]*/+N/' | grep -A 3 '^chain .* 57$' >got # not a PID
	diff - got <<-'END'
		chain     57
		    vfs_read
		    ksys_read+N
		    SYSCALL
	END
}

@test "two paths to a function: each has its own count, user and kernel stacks" {
	run -0 --separate-stderr argdump -j --count --sum 'b=count' --by '$ustack' -c chain,chain-so vfs_read -- \
		sh -c 'chain 41 some; chain-so 23 some; chain 9 some'
	rows ustack <<<"$output" >got
	[ "$(grep -c '"chain_read \[chain\]","inner \[chain\]","middle \[chain\]","outer \[chain\]","main \[chain\]".*,50\]$' got)" -eq 1 ] || { cat got; false; }
	[ "$(grep -c '"inner \[libchain.so\]","middle \[libchain.so\]","outer \[chain-so\]".*,23\]$' got)" -eq 1 ] || { cat got; false; }
	[ "$(tail -1 <<<"$output" | jq .total)" -ge 73 ]
	# a stack that has names is no flaw
	jq -e -s 'map(select(.by.ustack | type == "array")) | length > 0 and all(has("errors") | not)' <<<"$output" || { echo "$output"; false; }
}

@test "user stacks of processes that are gone long before the end" {
	cat >many <<-'END'
		for i in 1 2 3 4 5 6 7 8 9; do chain-pie 10 some >/dev/null; done
		sleep 1
	END
	run -0 --separate-stderr argdump -j --count --by '$ustack' -c chain-pie vfs_read -- sh many
	rows ustack <<<"$output" | grep '"inner \[chain-pie\]"' >got
	[ "$(wc -l <got)" -eq 1 ] # a stack is what is shown of it: nine processes are one row
	[[ $(cat got) == *',90]' ]] || { cat got; false; }
}

# Some exit just while their mappings are read.
@test "user stacks of 150 processes that are gone at once" {
	run -0 --separate-stderr argdump -j --count --by '$ustack' -c chain-so vfs_read -- \
		sh -c 'for i in $(seq 150); do chain-so 1 some; done'
	rows ustack <<<"$output" | grep '"inner \[libchain.so\]","middle \[libchain.so\]","outer \[chain-so\]"' >got
	[[ $(wc -l <got) == 1 && $(cat got) == *',150]' ]] || { cat got; false; }
}

@test "--return: sums by kernel stack, with the function itself" {
	for method in default fentry kprobe; do
		[ $method != fentry ] || has_fentry || continue
		[ $method != kprobe ] || grep -qE ' (__kretprobe|arch_rethook)_trampoline$' /proc/kallsyms || continue
		run -0 --separate-stderr argdump $([ $method = default ] || echo --attach $method) -rj --count --sum 'n=(long)$ret' --by '$kstack' -c chain vfs_read -- chain 33 some
		grep '"count":33,' <<<"$output" | jq -e '.n == 33 and (.by.kstack[0] | startswith("vfs_read+0x0")) and
			(.by.kstack[1] | startswith("ksys_read"))' || { echo "$method $output $stderr"; false; }
	done
}

@test "a stack as a value of a record" {
	run -0 --separate-stderr argdump -j -c chain vfs_read '$kstack' count '$ustack' -- chain 7 some
	grep '^{"type":"argdump"' <<<"$output" | jq -s -e 'map(select(.args.ustack | any(startswith("inner+")))) | length == 7 and
		all(.[]; .args.count == 1 and .args.kstack[0] == "vfs_read+0x0" and (.args.kstack[1] | startswith("ksys_read")))' || {
		echo "$output"; false
	}
}

@test "no room for stacks: calls count all the same, and the ledger has them" {
	run -0 --separate-stderr argdump -j --count --keys 1 --by '$kstack' -c chain vfs_read,vfs_write -- chain 50 some
	grep '^{"type":"lost"' <<<"$output" | tail -1 >lost
	jq -e '(.stacks_full // 0) > 0 or (.keys_full // 0) > 0' lost || { echo "$output"; false; }
}

@test "pairs: the stack of the begin and that of the end" {
	run -0 --separate-stderr argdump -j --count --by '$kstack,end=@end($kstack),$ustack' -c chain vfs_read \
		--until rw_verify_area -- chain 44 some
	grep '^{"type":"count"' <<<"$output" | jq -s -e 'map(select(.by.ustack | any(startswith("inner+")))) | length == 1 and
		(.[0] | .count == 44 and .by.kstack[0] == "vfs_read+0x0" and .by.end[0] == "rw_verify_area+0x0" and
		(.by.end[1] | startswith("vfs_read+")))' || { echo "$output" "$stderr"; false; }
	run -0 --separate-stderr argdump -j -c chain vfs_read '$kstack' '@end($kstack)' --until rw_verify_area -- chain 9 some
	grep '^{"type":"argdump"' <<<"$output" | jq -s -e 'map(select(.args.kstack[0] == "vfs_read+0x0" and
		.args["@end($kstack)"][0] == "rw_verify_area+0x0")) | length >= 9' || { echo "$output" "$stderr"; false; }
}

@test "folded, weighed by a sum: what was read by each path, in bytes" {
	run -0 --separate-stderr argdump --folded -k --sum 'b=(long)$ret' vfs_read%return -c chain -- chain 64 some
	folded_plain <<<"$output" | grep -qx 'chain;SYSCALL_\[k\];ksys_read_\[k\];vfs_read_\[k\] 64' || {
		echo "$output" "$stderr"; false
	}
	# the weights add up to what is counted without stacks
	cat >work <<-'END'
		chain 41 some; chain-so 23 some; chain-pie 12 some
	END
	argdump --folded --by '$comm,$ustack,$kstack' -c chain,chain-so,chain-pie rw_verify_area -- sh work | sed 1,3d >folded
	[ "$(sed -n '/;inner;/s/.* //p' folded | paste -sd+ | bc)" -eq 76 ] || { cat folded; false; }
	[ "$(count '^chain-so;.*;main;outer;middle;inner;.* 23$' <folded)" -eq 1 ]
	argdump --folded --sum 'us=$lat/1000' -rk -c chain vfs_read -- chain 20 some | sed 1d >folded
	grep -q '^chain;.*ksys_read_\[k\];vfs_read_\[k\] [0-9]*$' folded
}

@test "folded: the other keys are the frames at the root" {
	run -0 --separate-stderr argdump --folded --by 'n=count,$kstack' -c chain vfs_read -- chain 15 some
	folded_plain <<<"$output" | grep -qx '1;SYSCALL_\[k\];ksys_read_\[k\];vfs_read_\[k\] 15' || {
		echo "$output"; false
	}
}

@test "--interval --clear: each has the stacks of its own time" {
	chain -s 100000 some >pid & worker=$!
	wait_until test -s pid
	run -0 --separate-stderr argdump -j --count --by '$ustack,$kstack' --interval 1 --clear -d 4 -p "$worker" vfs_read
	kill "$worker"
	grep '^{"type":"count"' <<<"$output" | jq -s -e 'length >= 3 and all(.[]; .by.kstack[0] == "vfs_read+0x0" and
		(.by.ustack[1] | startswith("inner+")))' || { echo "$output"; false; }
}

@test "what has not ended, counted by the user stack of its begin" {
	# shellcheck disable=SC2054  # the comma is of --on
	leaks=(u:/tests/work/leaks:took --until u:/tests/work/leaks:gave --on '$arg1')
	run -0 --separate-stderr argdump -j --open --count --sum 'size=$arg2' --max 'most=$arg2' --by '$ustack' "${leaks[@]}" -- leaks 30 5 10
	rows ustack <<<"$output" >got
	grep -qE '"took \[leaks\]",("hold \[leaks\]",)?"one \[leaks\]","main \[leaks\]".*,20\]$' got || { cat got; echo "$stderr"; false; }
	grep -qE '"took \[leaks\]",("hold \[leaks\]",)?"two \[leaks\]","main \[leaks\]".*,5\]$' got
	grep '"count":20,' <<<"$output" | jq -e '.size == 2000 and .most == 100 and .total == 25'
	run -0 --separate-stderr argdump --open --folded -U --sum '$arg2' "${leaks[@]}" -- leaks 30 5 10
	grep -qE '^leaks;.*main;one;(hold;)?took 2000$' <<<"$output"
	grep -qE '^leaks;.*main;two;(hold;)?took 35$' <<<"$output"
	run -0 --separate-stderr argdump -j --open --older 60 --count --by '$ustack' "${leaks[@]}" -- leaks 3 0 0
	! grep -q '"count":' <<<"$output" || false
}

@test "in a pid namespace" {
	run -0 --separate-stderr unshare -pf --mount-proc argdump -j --count --by '$ustack,$pid' -c chain vfs_read -- chain 12 some
	grep '"count":12}' <<<"$output" | jq -e '.by.ustack[1] | startswith("inner+")' || { echo "$output" "$stderr"; false; }
}

@test "what is open while much begins and ends: each once" {
	reads 100000000 some >/dev/null & worker=$!
	run_nested --separate-stderr argdump -j --open --count --by '$tid' --interval 1 -d 4 -p "$worker" vfs_read --until vfs_read%return
	kill "$worker"
	grep '^{"type":"count"' <<<"$output" | jq -s -e 'all(.[]; .count == 1)' || { echo "$output"; false; }
	# The end was attached first: no start was replaced, or stayed without its end.
	[[ $output$stderr != *replaced* && $stderr != *'was not seen'* ]] || { echo "$output$stderr"; false; }
}

@test "several stacks in a record: each under its name" {
	run -0 --separate-stderr argdump -c chain vfs_read '$kstack' '$ustack' -- chain 3 some
	[ "$(count '^  kstack:$' <<<"$output")" -eq 3 ] && [ "$(count '^  ustack:$' <<<"$output")" -eq 3 ] || { echo "$output"; false; }
}

@test "off the processor: microseconds by stack, and who woke it up" {
	run -0 --separate-stderr argdump --folded -k --sum 'us=$lat/1000' -c chain t:sched:sched_switch \
		--until t:sched:sched_switch --on 'prev == @end(next)' -- chain -s 50 some
	sum=$(sed -n 's/^chain;.*nanosleep.*schedule.* \([0-9]*\)$/\1/p' <<<"$output" | paste -sd+ | bc)
	[ "${sum:-0}" -ge 50000 ] || { echo "$output" "$stderr"; false; }
	run -0 --separate-stderr argdump -j --count --sum '$lat' --by 'sleeper=$kstack,waker=@end($kstack)' -c chain \
		t:sched:sched_switch --until t:sched:sched_wakeup --on 'prev == @end(p)' -- chain -s 20 some
	# The timer's interrupt wakes it up, or asks the processor on which it slept to do so. On a busy machine some timers
	# expire before the thread has left its processor.
	grep '^{"type":"count"' <<<"$output" | jq -s -e 'map(select((.by.sleeper | any(test("nanosleep"))) and
		(.by.waker | any(test("hrtimer|ttwu_pending"))))) | map(.count) | add >= 15' || { echo "$output" "$stderr"; false; }
}
