#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# argdump on many functions by one probe: lists, patterns, types of parameters; each way to attach,
# exact counts of a known workload (tests/work/reads), what is left out and told, how long it takes.
#
# Everything runs on one processor: emulated ones may fall over functions that are patched while
# another one runs them.

bats_require_minimum_version 1.5.0
load arch
load argdump
load wait

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	printf 'x%.0s' {1..64} >some
}

argdump_here() { taskset 1 argdump "$@"; }

uptime_ms() { sed 's/\.\([0-9]*\) .*/\10/' /proc/uptime; }
has_multi() { grep -q ' register_fprobe_ips$' /proc/kallsyms; }
has_fentry_multi() { grep -q ' bpf_tracing_multi_attach$' /proc/kallsyms; }

# Rows of reads of one byte by the workload, and of its one write of its pid.
reads_shown() { count -E ' reads +vfs_read +.*count=1( |$)' <<<"$output"; }

@test "a list: each function, its own parameters, exact counts" {
	run -0 --separate-stderr argdump_here -c reads vfs_read,vfs_write count -- reads 37 some
	[ "$(reads_shown)" -eq 37 ]
	[ "$(count -E ' reads +vfs_write +count=' <<<"$output")" -eq 1 ]
	[[ $output == *FUNC* ]]
	# a read by another program may come while the probe runs
	[[ -z $stderr || $stderr == *"missed: the probe was already running on that CPU" ]] || {
		echo "$stderr"; false
	}
}

@test "a pattern: all of its functions, by each way to attach" {
	for method in any fentry kprobe.multi kprobe fentry.multi; do
		case $method in
		kprobe.multi) has_multi || continue ;;
		fentry.multi) has_fentry_multi || continue ;;
		esac
		run -0 --separate-stderr argdump_here -v --attach $method -c reads 'vfs_re*' '$arg3' -- reads 23 some
		[ "$(count -E ' reads +vfs_read +arg3=1$' <<<"$output")" -eq 23 ] || {
			echo "$method: $output $stderr"; false
		}
		[ "$method" = any ] || [[ $stderr == *"$method"*vfs_read* || $stderr == *"$method: "*functions* ]]
	done
}

@test "$func: in records, and to count by" {
	run -0 argdump_here -c reads 'vfs_re*' 'f=$func' -- reads 13 some
	[ "$(count -E ' reads +vfs_read +f=vfs_read$' <<<"$output")" -ge 13 ]
	run -0 argdump_here -c reads vfs_read 'f=$func' -- reads 5 some
	[ "$(count -E ' reads +f=vfs_read$' <<<"$output")" -ge 5 ]
	run -0 argdump_here -j -c reads 'vfs_[rw]*' --count --by '$func' -- reads 29 some
	jq -e -s 'map(select(.func == "vfs_write" and .count == 1)) | length == 1' <<<"$(grep '^{' <<<"$output")"
	jq -e -s 'map(select(.func == "vfs_read" and .count >= 29)) | length == 1' <<<"$(grep '^{' <<<"$output")"
}

@test "JSON has the function of each record" {
	run -0 --separate-stderr argdump_here -j 'vfs_[rw]*' 'x=$tid' -- reads 11 some
	jq -e -s 'map(select(.comm == "reads" and .type == "argdump")) |
		(map(select(.func == "vfs_write")) | length == 1) and
		(map(select(.func == "vfs_read")) | length >= 11) and
		all(.[]; .args.x == .tid)' <<<"$(grep '^{' <<<"$output")"
}

@test "every parameter of every function, each with its own names" {
	run -0 argdump_here -c reads 'vfs_[rw]*' -- reads 3 some
	[ "$(count -E ' reads +vfs_read +file="/.*some" buf=0x.* count=1 pos=0' <<<"$output")" -eq 3 ]
	[ "$(count -E ' reads +vfs_write +file="[^"]*" buf="[0-9]+\\n" count=[0-9]+ pos=' <<<"$output")" -eq 1 ]
}

@test "a parameter that some functions have: the others are left out and reported" {
	run -0 --separate-stderr argdump_here -c reads 'vfs_[rw]*' 'file->f_inode->i_size' -- reads 7 some
	[ "$(count -E ' reads +vfs_read +i_size=64$' <<<"$output")" -eq 7 ]
	[[ $stderr == *"functions left out, e.g. "*"has no parameter file"* ]]
	run -1 argdump_here -d 1 'vfs_[rw]*' 'nosuch->f_inode'
	[[ $output == *"the expressions fit none"* ]]
}

@test "a parameter that a named function lacks is an error" {
	run -1 argdump_here -d 1 vfs_read,vfs_rename 'file->f_inode'
	[[ $output == *"vfs_rename has no parameter file"*"^"* ]]
	run -1 argdump_here -d 1 vfs_read,vfs_raed
	[[ $output == *vfs_raed*"did you mean vfs_read"* ]]
}

@test "functions with a parameter of a type" {
	run -0 argdump_here --dry-run 'vfs_*(struct file *)' '$pid'
	grep -qw vfs_read <<<"$output"
	! grep -qw vfs_rename <<<"$output" || false
	run -0 argdump_here -c reads 'vfs_*(struct file *)' '$tid' -- reads 5 some
	[ "$(count -E ' reads +vfs_read ' <<<"$output")" -ge 5 ]
	run -1 argdump_here -d 1 'vfs_*(struct no_such_thing *)'
	run -1 argdump_here -d 1 'no_such_function_*'
	[[ $output == *"no function matches"* ]]
}

@test "functions that cannot be traced are counted and reported" {
	run_nested argdump_here -d 0.1 -p 1 'vfs_*' '$pid'
	[[ $output == *"left out, e.g. vfs_"*": it runs at boot and is gone"* ]]
	run -2 argdump_here -d 0.1 vfs_caches_ini[t] '$pid'
	[[ $output == *"cannot trace vfs_caches_ini"*": vfs_caches_init: it runs at boot and is gone"* ]]
}

@test "more functions than --max-probes allows are refused" {
	run -2 argdump_here -d 0.1 -p 1 --max-probes 3 'vfs_*' '$pid'
	[[ $output == *" functions match, and --max-probes allows 3"*"narrow the pattern; --max-probes "* ]]
	run -0 argdump_here -d 0.1 -p 1 --max-probes 2 vfs_read,vfs_write '$pid'
}

@test "all functions that share a name" {
	read -r name many < <(shared_name)
	[ -n "$name" ]
	for probe in "$name" "$name,vfs_read"; do
		run_nested argdump_here -v -d 0.1 -p 1 "$probe" '$pid'
		echo "$probe: $many: $output"
		[ "$(count -E "^argdump: (kprobe|kprobe.multi|fentry) $name, " <<<"$output")" -eq "$many" ]
	done
}

@test "functions of a module" {
	modprobe dummy || skip "this kernel has no module dummy"
	# before 5.11 modules have no types: a word
	given='$arg1:x'
	for probe in dummy:dummy_setup dummy_setup 'dummy:*' 'dummy:dummy_setup,vfs_read'; do
		run_nested argdump_here -v -d 0.1 -p 1 "$probe" "$given"
		if grep "left out.*dummy_setup" <<<"$output"; then false; fi
	done
	taskset 1 argdump -n 1 dummy:dummy_dev_init,vfs_rename "n=$given" >out 2>err & tool=$!
	wait_attached $tool
	ip link add dummy7 type dummy
	wait $tool
	[ "$(count "dummy_dev_init  *n=0xffff" <out)" -eq 1 ]
}

@test "an instruction inside of a function: registers, no parameters" {
	run -1 argdump_here -d 0.1 vfs_read+0x0 file
	[[ $output == *"no parameter file"*"only registers"* ]]
	run -0 argdump_here -c reads vfs_read+0 "\$reg(${ARGUMENTS[2]})" -- reads 9 some
	[ "$(count -E ' reads .*=0x1$|=1$' <<<"$output")" -eq 9 ]
	run -1 argdump_here -d 0.1 vfs_read+1 '$pid'
	[[ $output == *"no instruction begins there"* ]]
	run -1 argdump_here -d 0.1 vfs_read+0xffffff '$pid'
	[[ $output == *"cannot trace vfs_read+0xffffff: the function ends before that"*"vfs_read has at most "* ]]
}

@test "a hundred functions are attached and detached in little time" {
	start=$(uptime_ms)
	run_nested argdump_here -v -d 0.1 -p 1 'tcp_[a-m]*' '$pid'
	ms=$(($(uptime_ms) - start))
	echo "# $(uname -r): $(grep -c . <<<"$output") lines, $ms ms" >&3
	[ $ms -le 60000 ] # an emulated processor, shared with others
}
