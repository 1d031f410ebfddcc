#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Patterns of user functions: exact counts by entry, return and call, with one link and one by one.

bats_require_minimum_version 1.5.0
load argdump

setup() { cd "$BATS_TEST_TMPDIR" || return; }

KIN=u:/tests/work/names:'kin_*'

# The ways that this kernel attaches sets of user functions by, as options.
ways() {
	echo '--attach kprobe'
	grep -qw BPF_TRACE_UPROBE_MULTI <<<"$(argdump --type 'enum bpf_attach_type')" && echo '--attach kprobe.multi'
	return 0
}

by_func() { awk '$1 ~ /^kin_/ {print $1, $2}' <<<"$output" | sort; }

@test "calls of each, counted by name; two names of one function are one" {
	while read -ra way; do
		run -0 --separate-stderr argdump "${way[@]}" --count --by '$func' "$KIN" -- names 7
		[ "$(by_func)" = 'kin_one 14
kin_three 7
kin_two 7' ] || { echo "${way[*]}: $output$stderr"; false; }
		[[ $stderr == *"1 function has more than one name: kin_one is also kin_uno"* ]] || { echo "$stderr"; false; }
	done < <(ways)
}

@test "whole calls: every return with the entry of its own function" {
	while read -ra way; do
		run -0 --separate-stderr argdump "${way[@]}" -r "$KIN" 'n=$arg1:d' '$ret:d' '$lat' -- names 3
		for row in 'kin_one .*n=0 ret=1' 'kin_one .*n=2 ret=3' 'kin_two .*n=0 ret=2' 'kin_three .*n=2 ret=5'; do
			[ "$(count -E "$row " <<<"$output")" -eq $((1 + ($(count 'kin_one' <<<"$row")))) ] || { echo "${way[*]}: $row: $output$stderr"; false; }
		done
		[ "$(count ' names ' <<<"$output")" -eq 12 ]
		run -0 --separate-stderr argdump "${way[@]}" -r --count --max '$ret' --by '$func' "$KIN" -- names 3
		[ "$(awk '$1 ~ /^kin_/ {print $1, $2, $3}' <<<"$output" | sort)" = 'kin_one 6 3
kin_three 3 5
kin_two 3 4' ] || { echo "${way[*]}: $output$stderr"; false; }
	done < <(ways)
}

@test "returns alone; a list of a pattern and a name" {
	while read -ra way; do
		wants 6 'kin_(two|three) +ret=[2-5]$' "${way[@]}" "u:/tests/work/names:kin_t*%return" '$ret:d' -- names 3
		# each once, however often it is named
		wants 8 ' kin_' "${way[@]}" "u:/tests/work/names:kin_*,kin_u*,kin_one" '$arg1' -- names 2
	done < <(ways)
	wants 15 ' names ' "u:/tests/work/names:kin_*,picked" '$arg1' -- names 3
	[ "$(count 'names:picked' <<<"$output")" -eq 3 ]
}

@test "what cannot be traced is left out: IFUNCs, parts, and where a return would crash the program" {
	run -0 --separate-stderr argdump -v "$KIN" -- names 2
	[[ $stderr == *"kin_chosen: the function that runs is chosen"* && $stderr == *"kin_one.cold: it is a part"* ]] || { echo "$stderr"; false; }
	[ "$(count 'kin_chosen\|cold' <<<"$output")" -eq 0 ]
	run -0 --separate-stderr argdump -r --count --by '$func' "u:/tests/work/names:*" -- names 5
	[[ $stderr == *"tracing its return would crash the program"* ]] || { echo "$stderr"; false; }
	[ "$(by_func)" = 'kin_one 10
kin_three 5
kin_two 5' ] || { echo "$output$stderr"; false; }
	run -2 argdump -r u:/tests/work/names:_setjmp
	[[ $output == *"tracing its return would crash the program"* ]] || { echo "$output"; false; }
}

@test "nested calls in many threads, by a pattern" {
	run -0 --separate-stderr argdump -r 'u:/tests/work/ucalls:[cf]*l[le]*' 'n=$arg2:d' '$ret:d' -- ucalls threads 20 50
	[ "$(sed -n 's/.* called .* n=\([0-9]*\) ret=\([0-9]*\)$/\1 \2/p' <<<"$output" | awk '$1 == $2' | wc -l)" -eq 1000 ] || { echo "$output" | tail; echo "$stderr"; false; }
}

@test "--max-probes bounds them, --list shows them" {
	run -2 argdump --max-probes 2 "$KIN" -- names 1
	[[ $output == *"3 functions match, and --max-probes allows 2"* ]] || { echo "$output"; false; }
	run -0 --separate-stderr argdump -l "$KIN"
	[ "$output" = 'u:/tests/work/names:kin_one  /* also kin_uno */
u:/tests/work/names:kin_three
u:/tests/work/names:kin_two' ] || { echo "$output"; false; }
	run -0 --separate-stderr argdump -j -l "$KIN"
	jq -e -s 'length == 3 and .[0].also == ["kin_uno"] and .[1].also == [] and all(.offset > 0 and .file == "/tests/work/names")' <<<"$output"
}
