#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# How argdump would attach sets of functions, for the BTF of real kernels. Needs no root and none of
# those kernels running.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	argdump=$PWD/${BUILD:-build}/argdump
	[ ! -r /sys/kernel/tracing/available_filter_functions ] || skip "this machine's own list of functions would be asked"
}

# The ways of KERNEL's plan for the functions of ARG..., each once.
ways() { # KERNEL ARG...
	"$argdump" --btf "$(tools/fetch-kernel --btf "$1")" --dry-run "${@:2}" 2>/dev/null | sed -n 's/^\([a-z.+][a-z.+]*\) .*/\1/p' |
		sort -u | paste -sd' '
}

@test "entries, returns and calls of many functions: by one link where the kernel has one" {
	for row in '5.10 kprobe kretprobe kprobe+kretprobe' '6.1 kprobe kretprobe kprobe+kretprobe' \
		'6.12 kprobe.multi kretprobe.multi kprobe.session' \
		'7 fentry.multi fexit.multi fsession.multi'; do
		read -r kernel entry return call <<<"$row"
		echo "$kernel: $(ways "$kernel" 'vfs_*' '$pid'), $(ways "$kernel" 'vfs_*%return' '$pid'), $(ways "$kernel" -r 'vfs_*' '$pid')"
		[ "$(ways "$kernel" 'vfs_*' '$pid')" = "$entry" ]
		[ "$(ways "$kernel" 'vfs_*%return' '$pid')" = "$return" ]
		[ "$(ways "$kernel" -r 'vfs_*' '$pid')" = "$call" ]
	done
}

@test "a few functions: each by its trampoline" {
	[ "$(ways 6.12 vfs_read,vfs_write '$pid')" = fentry ]
	[ "$(ways 6.12 vfs_read,vfs_write%return '$pid')" = fexit ]
	[ "$(ways 6.12 -r vfs_read,vfs_write '$pid')" = fentry+fexit ]
	[ "$(ways 7 -r vfs_read,vfs_write '$pid')" = fsession ]
	local eight=vfs_read,vfs_write,vfs_open,vfs_unlink,vfs_rename,vfs_mkdir,vfs_rmdir,vfs_link
	[ "$(ways 6.12 -r "$eight" '$pid')" = fentry+fexit ]
	[ "$(ways 6.12 -r "$eight,vfs_symlink" '$pid')" = kprobe.session ]
}

@test "trampolines replace kretprobes where these cannot work" {
	[ "$(ways 6.1 'vfs_*%return' '$arg1')" = fexit ]
}

@test "system calls without parameters have a name; lists may say the kind again" {
	run -0 "${BUILD:-build}/argdump" --dry-run --btf "$(tools/fetch-kernel --btf 6.12)" s:getpid,s:sync '$pid'
	[[ $output == *"__do_sys_getpid"*"__do_sys_sync"* ]]
	run -1 "${BUILD:-build}/argdump" --dry-run --btf "$(tools/fetch-kernel --btf 6.12)" s:getpid,nosuch
	[[ $output == *"no system call nosuch"* ]]
	run -0 "${BUILD:-build}/argdump" --dry-run --btf "$(tools/fetch-kernel --btf 6.12)" t:sched:sched_switch,t:sched:sched_wakeup
	[[ $output == *"tp_btf sched:sched_switch"*"tp_btf sched:sched_wakeup"* && $output != *t:* ]]
}

@test "--attach that cannot be: the ways that this kernel has are listed" {
	local how what way
	while IFS='|' read -r how what way; do
		run -1 --separate-stderr "${BUILD:-build}/argdump" --dry-run --btf "$(tools/fetch-kernel --btf 6.12)" --attach "$how" "${what/sched:/t:sched:}"
		[[ $stderr == *"cannot attach $what by $how here"$'\n'"  such a probe $way" ]] || { echo "$stderr"; false; }
	done <<-'END'
		fentry.multi|vfs_read|can be attached by fentry, kprobe.multi, kprobe
		fentry|vfs_read+4|can be attached by kprobe
		kprobe|sched:sched_switch|is attached without --attach
	END
}

@test "more functions than --max-probes allows: their number, and a remedy" {
	btf=$(tools/fetch-kernel --btf 6.12)
	run -0 --separate-stderr "$argdump" --dry-run --btf "$btf" --max-probes 20 'vfs_*' '$pid'
	count=$(wc -w <<<"$(grep '^[a-z]' <<<"$output")")
	count=$((count - 1)) # the method
	[ "$count" -gt 20 ]
	# shellcheck disable=SC2154 # bats sets it
	[[ $stderr == *"warning: $count functions match, and --max-probes allows 20"*"narrow the pattern; --max-probes $count allows that many"* ]]
	run -0 --separate-stderr "$argdump" --dry-run --btf "$btf" --max-probes "$count" 'vfs_*' '$pid'
	[ -z "$stderr" ]
	run -0 --separate-stderr "$argdump" --dry-run --btf "$btf" '[n-z]*' '$pid'
	[[ $stderr == *"--max-probes allows 2000"* ]]
	# a tool without the option says what remains to be done
	run -0 --separate-stderr "${argdump%argdump}coretap" stackcount --dry-run --btf "$btf" '[n-z]*'
	[[ $stderr == *"functions match"*"  narrow the pattern" ]] || { echo "$stderr"; false; }
}

# A list that is searched again for each function, or each program, takes minutes.
@test "all functions of a kernel, planned and listed in little time" {
	for kernel in 5.10 6.12; do
		btf=$(tools/fetch-kernel --btf $kernel)
		for arg in --dry-run --list; do
			TIMEFORMAT='%U %S'
			seconds=$({ time "$argdump" $arg --btf "$btf" '*' >"$BATS_TEST_TMPDIR/out" 2>/dev/null; } 2>&1)
			echo "$kernel $arg: $seconds s of processor time"
			[ "$(wc -l <"$BATS_TEST_TMPDIR/out")" -gt 30000 ]
			[ "$(awk '{ print ($1 + $2 < 20) }' <<<"$seconds")" = 1 ]
		done
	done
}

# Of each program only what is printed is kept, and the types are not searched for each again.
@test "a plan of all functions: in 150 MB and 5 s, equal to separate plans" {
	for kernel in 5.10 6.12 7; do
		btf=$(tools/fetch-kernel --btf $kernel)
		TIMEFORMAT='%U %S'
		seconds=$({ time (ulimit -v 150000 && "$argdump" --dry-run -r --btf "$btf" '*' >"$BATS_TEST_TMPDIR/out" 2>"$BATS_TEST_TMPDIR/err"); } 2>&1)
		echo "$kernel: $seconds s of processor time, $(tail -1 "$BATS_TEST_TMPDIR/err")"
		[ "$(grep -c '^[a-z]' "$BATS_TEST_TMPDIR/out")" -gt 10000 ]
		[ "$(awk '{ print ($1 + $2 < 5) }' <<<"$seconds")" = 1 ]
		for func in vfs_read tcp_sendmsg do_sys_openat2 kfree_skb_reason; do
			grep -wq "$func" "$BATS_TEST_TMPDIR/out" || continue
			# of two, so that records have the probe's name, as there
			"$argdump" --dry-run -r --attach "$(ways "$kernel" -r 'vfs_*' '$pid' | tr + '\n' | sed 's/fsession/fentry/;s/session/multi/' | head -1)" --btf "$btf" "$func,ksys_write" 2>/dev/null |
				awk -v f="$func" '/^[a-z]/ { on = / / && index($0 " ", " " f " ") } !/^[a-z]/ && on' >"$BATS_TEST_TMPDIR/alone"
			awk -v f="$func" '/^[a-z]/ { on = index($0 " ", " " f " ") } !/^[a-z]/ && on' "$BATS_TEST_TMPDIR/out" |
				diff - "$BATS_TEST_TMPDIR/alone"
			[ -s "$BATS_TEST_TMPDIR/alone" ]
		done
	done
}
