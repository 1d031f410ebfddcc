#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# argdump -r and %return on many functions at once: each way to attach, exact counts of a known workload
# (tests/work/reads), which function it was at both ends of a call; a thousand functions in little time.
#
# Everything runs on one processor, the tests themselves as well: emulated ones may fall over functions
# that are patched while another one runs them, and all that reads runs these.
#
# rw_verify_area is called for each read, and for the one write, and calls security_file_permission, on
# some kernels by a jump: both then return to the same place. Neither sleeps, for a kretprobe has room
# for few calls at a time.

bats_require_minimum_version 1.5.0
load arch
load argdump

SET='rw_verify_ar*,security_file_*'

setup() {
	taskset -p 1 $BASHPID >/dev/null
	cd "$BATS_TEST_TMPDIR" || return
	printf 'x%.0s' {1..64} >some
}

uptime_ms() { sed 's/\.\([0-9]*\) .*/\10/' /proc/uptime; }
has_type() { grep -qw "$1" <<<"$(argdump --type 'enum bpf_attach_type')"; }
has_fprobe() { grep -qw register_fprobe_ips /proc/kallsyms; }

# What this kernel has: --attach, and what -v is to call it.
calls() {
	echo any any
	echo kprobe kprobe+kretprobe
	if has_fprobe && has_type BPF_TRACE_KPROBE_SESSION; then echo kprobe.multi kprobe.session; fi
	if has_type BPF_TRACE_FSESSION_MULTI; then echo fentry.multi fsession.multi; fi
}
returns() {
	echo any any
	echo kprobe kretprobe
	if has_fprobe; then echo kprobe.multi kretprobe.multi; fi
	if has_type BPF_TRACE_FEXIT_MULTI; then echo fentry.multi fexit.multi; fi
}

# Rows of both functions, of reads and its write: PATTERN is what stands behind FUNC.
both_shown() { # CALLS PATTERN
	for func in rw_verify_area security_file_permission; do
		[ "$(count -E " reads +$func +${2//FUNC/$func}\$" <<<"$output")" -eq "$1" ] || {
			echo "$method $func: $(count -E " reads +$func " <<<"$output")"
			echo "$stderr"
			head -50 <<<"$output"
			return 1
		}
	done
	[ "$method" = any ] || [[ $stderr == *"$name: "*functions* || $stderr == *"$name rw_verify_area"* ]] || {
		echo "not by $name: $stderr"
		return 1
	}
}

@test "-r: each call of each function, by each way to attach" {
	calls >ways
	while read -r method name; do
		run -0 --separate-stderr argdump -v --attach "$method" -c reads -r "$SET" '$ret' 'f=$func' '$lat' -- reads 37 some
		both_shown 38 'ret=0 f=FUNC lat=[0-9.]+[num]s'
	done <ways
}

@test "-r: parameters as they were at the entry, and at the return" {
	calls >ways
	while read -r method name; do
		run -0 --separate-stderr argdump -v --attach "$method" -c reads -r "$SET" \
			'name=file->f_path.dentry->d_name.name:str' 'f=@ret($func)' '$lat' -- reads 23 some
		[ "$(count -E ' reads +rw_verify_area +name="some" f=rw_verify_area lat=' <<<"$output")" -eq 23 ] &&
			[ "$(count -E ' reads +security_file_permission +name="some" f=security_file_permission lat=' <<<"$output")" -eq 23 ] || {
			echo "$method: $stderr"
			head -50 <<<"$output"
			false
		}
		# a trampoline keeps room in the stack for what the entry says
		[ "$method" = any ] || [[ $stderr == *"$name"* ]]
	done <ways
}

@test "-r --if: calls refused at the entry or at the return" {
	calls >ways
	while read -r method name; do
		run -0 --separate-stderr argdump -v --attach "$method" -c reads -r --if '$ret == 0 && $lat > 0' "$SET" '$ret' -- reads 11 some
		both_shown 12 'ret=0'
		run -0 --separate-stderr argdump -v --attach "$method" -c reads -r --if '$ret != 0' "$SET" '$ret' -- reads 11 some
		[ "$(count ' reads ' <<<"$output")" -eq 0 ]
	done <ways
}

@test "%return: the result of each function, by each attach method" {
	returns >ways
	while read -r method name; do
		run -0 --separate-stderr argdump -v --attach "$method" -c reads "$SET%return" '$ret' 'f=$func' -- reads 37 some
		both_shown 38 'ret=0 f=FUNC'
	done <ways
}

@test "-r counted in the kernel, by function, with a column for it" {
	run -0 --separate-stderr argdump -q -j -c reads -r --count --avg '$lat' --by '$func' "$SET" -- reads 37 some
	jq -e -s '[.[] | select(.func == "rw_verify_area" or .func == "security_file_permission")] |
		length == 2 and all(.[]; .count == 38 and .by.func == .func and .avg_ns > 0)' <<<"$(grep '^{' <<<"$output")" || {
		echo "$output $stderr"; false
	}
	run -0 --separate-stderr argdump -q -c reads -r --avg '$lat' --count --by '$func' "$SET" -- reads 37 some
	grep -E '^func +avg.* +count$' <<<"$output" || { echo "$output"; false; }
	[ "$(count -E '^rw_verify_area +[0-9.a-z]+ +[0-9.a-z]+$' <<<"$output")" -eq 1 ] || { echo "$output"; false; }
	# by something else, the functions are added up
	run -0 --separate-stderr argdump -q -c reads --count --by '$pid' "$SET" -- reads 3 some
	grep -E '^ *pid +count$' <<<"$output" || { echo "$output"; false; }
}

@test "-r on a list: one by one" {
	run -0 --separate-stderr argdump -v -c reads -r rw_verify_area,security_file_permission -- reads 5 some
	[ "$(count -E ' reads +rw_verify_area +read_write=0 file="/.*some" .* ret=0 lat=' <<<"$output")" -eq 5 ] || { echo "$output $stderr"; false; }
	[ "$(count -E ' reads +security_file_permission +file="/.*some" mask=4 ret=0 lat=' <<<"$output")" -eq 5 ]
	run -1 argdump -r vfs_read+5
	[[ $output == *"-r is for whole functions"* ]]
	run -1 argdump -r vfs_read,vfs_raed
	[[ $output == *vfs_raed*"did you mean vfs_read"* ]]
}

@test "-r and %return of all functions that share a name" {
	read -r shared many < <(shared_name)
	[ -n "$shared" ]
	for probe in "$shared" "-r $shared" "$shared%return"; do
		run_nested argdump -v -d 0.1 -p 1 ${probe} '$pid'
		echo "$probe, $many of them: $output"
		[ "$(count -E "^argdump: [a-z.+]+ $shared(%return)?, " <<<"$output")" -eq "$many" ]
		[[ $output == *"$many functions are called $shared: all of them are traced"* ]]
	done
}

# What the compiler made of a function has another name, and no prototype.
@test "a function that BTF does not describe: arguments by number, the result" {
	for func in do_execveat_common.isra.0 getname_flags.part.0 link_path_walk.part.0 dput.part.0 __page_cache_release.part.0 finish_task_switch.isra.0 ''; do
		[ -n "$func" ] || skip "this kernel has none of the functions without types that the workload calls"
		grep -qx "$func" /sys/kernel/tracing/available_filter_functions || continue
		run argdump -j -v -r "$func" 'a=$arg1' 'b=@ret($arg1)' "di=\$reg(${ARGUMENTS[0]})" '$ret' '$lat' -- reads 3 some
		echo "$output"
		jq -e -s 'map(select(.type == "argdump")) | length > 0 and
			all(.[].args; .a == .b and .a == .di and .lat_ns > 0 and has("ret"))' <<<"$(grep '^{' <<<"$output")" || continue
		break
	done
	echo "# $(uname -r): $func" >&3
	run -0 argdump -j "$func%return" '$ret' -- reads 3 some
	jq -e -s 'map(select(.type == "argdump")) | length > 0 and all(.[]; .args | has("ret"))' <<<"$(grep '^{' <<<"$output")"
	run -1 argdump "$func" '$arg7'
	[[ $output == *"$func has 6 known parameters"* ]]
	run -1 argdump "$func" dentry
	[[ $output == *"$func has no parameter dentry"* ]]
}

# A thousand by one link. One by one each takes the kernel many ms, and more in an emulated one: fewer.
@test "a thousand functions are attached and detached in little time" {
	for how in '' -r; do
		set='tcp_*,sock_*,ip_*,skb_*,udp_*,inet_*,net_*,dev_*' least=1000 most=40000
		if ! has_fprobe || { [ -n "$how" ] && ! has_type BPF_TRACE_KPROBE_SESSION; }; then
			set='tcp_[a-m]*' least=100 most=150000
		fi
		ulimit -Sn 100 # as many files as are needed are asked for
		start=$(uptime_ms)
		run_nested argdump -v -d 0.1 -p 1 $how "$set" '$pid'
		ms=$(($(uptime_ms) - start))
		read -r _ _ many _ < <(grep ' attached [0-9]* functions in ' <<<"$output")
		echo "# $(uname -r) ${how:-entry}: $(grep -oE '(found|attached|detached) [0-9]+ functions in [0-9.]+ ms' <<<"$output" | paste -sd,), $ms ms in all" >&3
		[ "$many" -ge "$least" ] || { echo "$output"; false; }
		[[ $output != *"Too many open files"* ]]
		[ "$ms" -le "$most" ]
	done
}

# By one link where the kernel can, else by kprobes, whose traps take an emulated processor long: fewer calls.
@test "funccount: a million calls on two processors, each counted once" {
	calls=500000
	has_fprobe || calls=20000
	start=$(uptime_ms)
	run -0 --separate-stderr funccount -v -j '__*_sys_get[pu]*' -- deeds calls $calls
	echo "# $(uname -r): $((2 * calls)) calls, $(($(uptime_ms) - start)) ms in all" >&3
	[[ $stderr =~ attached\ ([0-9]+)\ functions && ${BASH_REMATCH[1]} -gt 4 ]] || { echo "$stderr"; false; }
	jq -es --argjson n $((2 * calls)) 'map(select(.by.func? // "" | endswith("_sys_getppid")) | .count) | add == $n' <<<"$output" ||
		{ echo "$output $stderr"; false; }
}

@test "a command may open as many files as without us, whatever we allow ourselves" {
	ulimit -Sn 60
	run -0 --separate-stderr argdump -v --attach kprobe -c nobody 'vfs_[r-w]*' '$pid' -- bash -c 'ulimit -Sn >files'
	[[ $stderr =~ attached\ ([0-9]+)\ functions && ${BASH_REMATCH[1]} -ge 10 ]] || { echo "$stderr"; false; }
	[ "$(cat files)" -eq 60 ]
}

attached_ms() { sed -nE 's/^argdump: attached [0-9]+ functions? in ([0-9]+)\.[0-9] ms$/\1/p' <<<"$output"; }

# Without expressions each function has a program of its own, with its own parameters: what one costs alone is the
# measure, because the machine may be busy.
@test "-r of thousands of functions: -d counts from when all are attached, and each costs less than alone" {
	local set='bpf_*' least=1000 alone many ms expr start
	# one by one a function costs in a set what it costs alone
	if ! has_fprobe || ! has_type BPF_TRACE_KPROBE_SESSION; then set='bpf_m*' least=20; fi
	ulimit -Sn 1024 # each program is a file
	run_nested argdump -v -d 0.1 -p 1 -r bpf_map_lookup_elem
	alone=$(attached_ms)
	for expr in '$pid' ''; do
		start=$(uptime_ms)
		run_nested argdump -v -d 2 -p 1 -r --max-probes 9000 "$set" $expr
		ms=$(($(uptime_ms) - start))
		read -r _ _ many _ < <(grep ' attached [0-9]* functions in ' <<<"$output")
		echo "# $(uname -r) -r '$set' ${expr:-without expressions}: one attached in $alone ms, $many in $(attached_ms) ms, $ms ms in all" >&3
		[ "$many" -ge "$least" ] || { echo "$output"; false; }
		[ "$ms" -ge $(($(attached_ms) + 2000)) ] || { echo "$ms ms"; echo "$output"; false; }
		[ "$(attached_ms)" -le $((alone * many + 1000)) ] || { echo "one: $alone ms"; echo "$output"; false; }
	done
}
