#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# opensnoop's command line and plan, without rights and without tracing.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	opensnoop=$PWD/${BUILD:-build}/opensnoop
}

plan() { # KERNEL OPTION…
	local btf
	btf=$(tools/fetch-kernel --btf "$1")
	run -0 --separate-stderr "$opensnoop" --btf "$btf" --dry-run "${@:2}"
}

row() { # METHOD FUNCTION NAME: the plan has exactly that
	grep -qE "^$1 +$2 +$3\$" <<<"$output" || {
		echo "no row '$1 $2 $3' in:"
		echo "$output"
		return 1
	}
}

@test "the plan by fentry, and by kprobes" {
	plan 6.12 --attach fentry
	row fentry do_filp_open 'open, name'
	row fexit do_sys_openat2 'open, return'
	row kprobe io_openat2 'io_uring, entry'
	row kretprobe io_openat2 'io_uring, return'
	plan 6.12 --attach kprobe
	row kprobe do_sys_openat2 'open, entry'
	row kprobe do_filp_open 'open, name'
	row kretprobe do_sys_openat2 'open, return'
	row kprobe io_openat2 'io_uring, entry'
	row kretprobe io_openat2 'io_uring, return'
	row kprobe do_exit 'end of a thread'
	plan 6.12 --attach kprobe.multi
	row kprobe.session do_sys_openat2 'open, return'
	row kprobe.session io_openat2 'io_uring, return'
	row kprobe.multi do_exit 'end of a thread'
	[[ $output != *", entry"* ]]
	# there no return is missed
	plan 7 --attach kprobe.multi
	[[ $output != *do_exit* ]]
}

@test "attach methods of argdump alone are unknown here" {
	btf=$(tools/fetch-kernel --btf 7)
	for method in fsession fentry.multi; do
		run -2 --separate-stderr "$opensnoop" --btf "$btf" --dry-run --attach $method
		[[ $output == *"MISSING "*"do_sys_openat2 "*"no program for that attach method"* ]]
	done
}

@test "fentry attaches to the entry only for values that the name and the return lack" {
	plan 6.12 --attach fentry
	[[ $output != *"open, entry"* ]]
	for option in -j -F --extended --all; do
		plan 6.12 --attach fentry $option
		row fentry do_sys_openat2 'open, entry'
	done
	# struct filename has no uptr there
	plan 7 --attach fentry
	row fentry do_sys_openat2 'open, entry'
}

@test "the plan knows each kernel's names" {
	plan 5.10
	row '(fentry|kprobe(.multi)?)' do_filp_open 'open, name'
	row kprobe io_req_complete_post 'io_uring, result before 5.19'
	plan 7
	row '(fentry|kprobe(.multi)?)' do_file_open 'open, name'
	row tp_btf io_uring_req_failed 'io_uring, refused'
	run ! grep -E '^(fentry|kprobe(.multi)?) +do_filp_open' <<<"$output"
}

@test "only --all looks at the return of do_filp_open" {
	plan 6.12
	[[ $output != *"do_filp_open"*"exec's and the kernel's own, return"$'\n'* ]] ||
		row - 'do_file_open do_filp_open' "exec's and the kernel's own, return: not asked for"
	plan 6.12 --all
	row '(fexit|kretprobe(.multi)?)' do_filp_open "exec's and the kernel's own, return"
}

@test "the help names the fields, the options and the exit codes" {
	run -0 "$opensnoop" --help=all
	for word in --full-path --all --failed --extended full_path latency resolve 'Exit status'; do
		[[ $output == *"$word"* ]] || { echo "no $word"; return 1; }
	done
}

@test "it takes no arguments but a command after --" {
	run -1 "$opensnoop" --dry-run --
	[[ $output == *"missing command after --"* ]]
	run -1 "$opensnoop" --dry-run -f
	[[ $output == *"-p PID"* ]]
}

@test "--path and --flags: errors are reported" {
	run -1 "$opensnoop" --path '/etc/*' --path '[a'
	[[ $output == *"--path '[a': a [ in a pattern has no ]"* ]] || { echo "$output"; false; }
	run -1 "$opensnoop" --flags O_RDWR,O_CREATE
	[[ $output == *"unknown flag"*"did you mean O_CREAT?"* ]] || { echo "$output"; false; }
	run -1 "$opensnoop" --flags O_RDWR, --write
	[[ $output == *"unknown flag"* ]] || { echo "$output"; false; }
}

@test "--count: conflicting options are reported" {
	wrong() { # WORDS OPTION…
		run -1 "$opensnoop" "${@:2}"
		[[ $output == *"$1"* ]] || { echo "$output"; false; }
	}
	wrong "--count 'pid': expected path or comm" --count=pid
	wrong "leave out --full-path" --count -F
	wrong "--extended, --columns and --with-container are for single opens" --count --extended
	wrong "--extended, --columns and --with-container are for single opens" --count --columns path
	wrong "-n, --trace-json, --ring, --rotate and --until are for single opens" --count -n 3
	wrong "--top, --sort, --interval, --svg and --heatmap need --count" --top 3
	wrong "--count has none" --count --heatmap
	plan 6.12 --count=comm --interval 1 --clear --top 3
	row fexit do_sys_openat2 'open, return'
	[[ $output != *"open, entry"* ]]
}

@test "--also: its plan on each kernel; errors are reported" {
	local names
	for kernel in 5.10 6.12 7; do
		names='do_unlinkat do_rmdir do_renameat2'
		[ $kernel != 7 ] || names=${names//do_/filename_}
		# shellcheck disable=SC2086  # three names
		set -- $names
		plan $kernel --also unlink,rename --attach fentry
		row fentry "$1" 'delete, entry'
		row fexit "$2" 'delete of a directory, return'
		row fexit "$3" 'rename, return'
		plan $kernel --also unlink --attach kprobe
		row kretprobe "$1" 'delete, return'
		row - '.*renameat2.*' 'rename, entry: not asked for'
	done
	plan 6.12
	[[ $output != *delete* && $output != *rename* ]]
	run -1 "$opensnoop" --also unlink,rmdir
	[[ $output == *"--also 'rmdir': expected unlink or rename"* ]] || { echo "$output"; false; }
	run -1 "$opensnoop" --also unlink,
	[[ $output == *"--also '': expected unlink or rename"* ]] || { echo "$output"; false; }
	run -1 "$opensnoop" --also unlink --count
	[[ $output == *"--count counts only opens: it cannot be combined with --also"* ]] || { echo "$output"; false; }
}

@test "execsnoop: only --exit attaches to ends; -x and --exit attach to successes" {
	opensnoop=${opensnoop%/*}/execsnoop
	plan 6.12
	row - do_notify_parent 'end of a process: not asked for'
	for kernel in 5.10 6.1 6.12 6.18 7; do
		plan $kernel --exit -x
		row 'kprobe(.multi)?' do_notify_parent 'end of a process'
		row '(tp_btf|kprobe.multi)' '(sched_process_exec|finalize_exec)' 'exec, done'
	done
	for names in ',A' 'A,' 'A,,B' A=1; do
		run -1 "$opensnoop" --env "$names"
		[[ $output == *"--env '$names': expected names of variables: PATH,HOME"* ]]
	done
}
