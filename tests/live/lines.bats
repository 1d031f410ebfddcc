#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Lines of source as probes, u:FILE:SOURCE:LINE, and the variables in scope there. The comments in
# tests/work/scopes.c tell what each is (scopes.marks has them, a line each).

bats_require_minimum_version 1.5.0
load argdump

setup() { cd "$BATS_TEST_TMPDIR" || return; }

@test "variables at lines: parameters, blocks, the same name in two, inlined functions, structs and arrays" {
	local line text words wanted
	[ -s /tests/work/scopes.marks ]
	while IFS=$'\t' read -r line text <&3; do
		read -ra words <<<"$text"
		expressions=() wanted='' n=0
		for word in "${words[@]}"; do
			n=$((n + 1))
			expressions+=("v$n=${word%%=*}")
			wanted+=" v$n=${word#*=}"
		done
		run -0 --separate-stderr argdump "u:/tests/work/scopes:scopes.c:$line" "${expressions[@]}" -- scopes
		[[ $(sed -n 2p <<<"$output") == *"$wanted" ]] || { echo "line $line: wanted$wanted, got $output $stderr"; false; }
	done 3</tests/work/scopes.marks
}

# What is shown at all marks of an optimized program must be right. Others the compiler dropped.
shown_is_right() { # PROGRAM LEAST
	local line text words word row shown=0
	while IFS=$'\t' read -r line text <&3; do
		read -ra words <<<"$text"
		run -0 --separate-stderr argdump "u:/tests/work/$1:scopes.c:$line" -- "$1"
		row=$(sed -n 2p <<<"$output")
		for word in "${words[@]}"; do
			[[ "$row " == *" ${word%%=*}="* ]] || continue
			[[ "$row " == *" $word "* ]] || { echo "$1, line $line: wanted $word, got $output"; false; }
			shown=$((shown + 1))
		done
	done 3</tests/work/scopes.marks
	[ $shown -ge "$2" ] || { echo "$1: $shown values"; false; }
}

@test "variables at lines of optimized programs, by DWARF 5 and 4: what is shown is right" {
	shown_is_right scopes-pie 11
	shown_is_right scopes-old 14
}

@test "a pointer whose value the debug information tells as an address" {
	local line program
	line=$(awk '/by=3/ { print $1 }' /tests/work/scopes.marks)
	for program in scopes scopes-pie scopes-old; do
		wants 1 ' count\[0\]=61' "u:/tests/work/$program:scopes.c:$line" 'count[0]' -- $program
	done
}

@test "a line in a condition, counted, with a stack, by bt and the same" {
	line=$(awk '/number=21/ { print $1 }' /tests/work/scopes.marks)
	wants 0 ' number=' "u:/tests/work/scopes:scopes.c:$line" --if 'number == 20' -- scopes
	wants 1 ' number=21 ' "u:/tests/work/scopes:scopes.c:$line" --if 'number == 21' -- scopes
	run -0 --separate-stderr argdump --count --by number "u:/tests/work/scopes:scopes.c:$line" -- scopes
	[[ $output == *"21"* ]] || { echo "$output"; false; }
	run -0 --separate-stderr argdump -U "u:/tests/work/scopes:scopes.c:$line" number -- scopes
	[[ $output == *changes*main* ]] || { echo "$output"; false; }
}

@test "a function that is inlined is traced in each place, with its parameters" {
	local text='text' one=' text="one"' two=' text="two"'
	for program in scopes scopes-pie scopes-old; do
		# shellcheck disable=SC2086 # no word where the compiler replaced the pointer by an address
		run -0 --separate-stderr argdump "u:/tests/work/$program:adds" number $text -- "$program"
		[[ $stderr == *'adds is inlined into its callers: traced in 2 places'* ]] || { echo "$stderr"; false; }
		[[ $(count " number=1$one\$" <<<"$output") -eq 1 && $(count " number=31$two\$" <<<"$output") -eq 1 &&
			$(wc -l <<<"$output") -eq 3 ]] || { echo "$program: $output"; false; }
		text='' one='' two=''
	done
}

@test "members of a struct that are in registers of their own" {
	line=$(awk '/of.y=-93/ { print $1 }' /tests/work/scopes.marks)
	for program in scopes scopes-pie scopes-old; do
		wants 1 ' x=21 y=-93$' "u:/tests/work/$program:scopes.c:$line" x=of.x y=of.y -- $program
	done
}
