# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# argdump.bash - what several files of live tests ask argdump in the same way: `load argdump`.

load arch

count() { grep -c "$@" || true; }

# Bytes from the start of the last member's struct: offset FUNC EXPR
offset() {
	argdump --dump=types "$1" "$2" | sed -n 's/.*, in memory at +\([0-9]*\)$/\1/p' | head -n 1
}

# Runs argdump with its workload (behind --), and wants COUNT lines like PATTERN.
wants() { # COUNT PATTERN ARGDUMP-ARGUMENTS...
	local n=$1 pattern=$2
	shift 2
	run --separate-stderr argdump "$@"
	# shellcheck disable=SC2154 # bats sets output and stderr
	if [ "$status" -ne 0 ] || [ "$(count -E -- "$pattern" <<<"$output")" -ne "$n" ]; then
		echo "wanted $n of $pattern; argdump $*"; echo "$output" | tail -n 20; echo "$stderr"; false
	fi
}

# Compares all expressions of all functions of a work program with what SOURCE, itself or a twin of it, says they are.
all_values() { # SOURCE PROGRAM
	local function expressions wanted got functions
	"$1" values >values
	mapfile -t functions < <(cut -f1 values | sort -u)
	[ "${#functions[@]}" -gt 8 ]
	for function in "${functions[@]}"; do
		mapfile -t expressions < <(awk -F'\t' -v f="$function" '$1 == f { print "v" ++n "=" $2 }' values)
		wanted=$(awk -F'\t' -v f="$function" '$1 == f { printf " v%d=%s", ++n, $3 }' values)
		run -0 --separate-stderr argdump "u:/tests/work/$2:$function" "${expressions[@]}" -- "$2"
		got=$(sed -n '2s/^ *[0-9]* *[0-9]* [^ ]* *//p' <<<"$output")
		[ " $got" = "$wanted" ] || { echo "$2: $function: wanted$wanted"; echo "got $output $stderr"; false; }
	done
}

MISSED='missed: the probe was already running on that CPU'
MISSED_BY_KPROBES="warning: [0-9]+ events? missed by the kernel's own probes" # not at most so many

# As `run -0`, of functions that are called while a probe of theirs runs on the same processor: by what the
# probe itself calls, or by an interrupt. The kernel does not run it then; that is reported and makes the
# status 4.
run_nested() { # RUN-OPTION… ARGDUMP…
	local expected=0
	stderr=''
	run "$@"
	# shellcheck disable=SC2154 # bats sets status and output
	[[ $output$stderr != *"$MISSED"* && ! $output$stderr =~ $MISSED_BY_KPROBES ]] || expected=4
	[ "$status" -eq $expected ] || { echo "status $status, not $expected: $output$stderr"; false; }
}

# After `run --separate-stderr`, where the rows are exact: drops what run_nested allows for, another task's call.
missed_forget() {
	[[ $stderr == *"$MISSED"* && $status = 4 ]] || return 0
	status=0
	stderr=$(grep -v -e "$MISSED" -e 'at most: the kernel counts them before any filter' <<<"$stderr" || true)
}

# The attach methods by which this kernel sees the entry of a function, or its return.
function_methods() {
	! has_fentry || echo fentry
	echo kprobe
	grep -q ' register_fprobe_ips$' /proc/kallsyms && echo kprobe.multi
	return 0
}

# The attach methods by which this kernel sees whole calls.
call_methods() {
	! has_fentry || echo fentry
	echo kprobe
	grep -qw BPF_TRACE_FSESSION <<<"$(argdump --type 'enum bpf_attach_type')" && echo fsession
	grep -qw BPF_TRACE_KPROBE_SESSION <<<"$(argdump --type 'enum bpf_attach_type')" &&
		grep -qw register_fprobe_ips /proc/kallsyms && echo kprobe.multi
	return 0
}

# The mode, where this kernel preempts programs; nothing where it does not.
preempts() {
	local version mode
	version=$(uname -v)
	case $version in
	*PREEMPT_DYNAMIC*)
		mode=$(sed 's/.*(\(.*\)).*/\1/' /sys/kernel/debug/sched/preempt)
		[[ $mode != full && $mode != lazy ]] || echo "$mode"
		;;
	*PREEMPT*) echo always ;;
	esac
}

# A name that several functions share, all of which ftrace has, and how many they are.
shared_name() {
	awk '$4 == "" && $2 ~ /^[TtWw]$/ {n[$3]++} END {for (i in n) if (n[i] > 1) print i, n[i]}' \
		/proc/kallsyms >symbols
	awk 'NF == 1 {n[$1]++} END {for (i in n) if (n[i] > 1) print i, n[i]}' \
		/sys/kernel/tracing/available_filter_functions >ftrace
	awk '{print $2}' /sys/kernel/debug/kprobes/blacklist | sort -u >blacklist
	cat symbols ftrace | sort | uniq -d | grep -v '[.]' | grep -vwFf blacklist | sort -k2n
}
