#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Functions of C++ by name, their parameters, and strings as text. tests/work/objects tells what each function was given.

bats_require_minimum_version 1.5.0
load argdump

setup() {
	[ -x /tests/work/objects ] || skip 'tests/work/objects was not built: there is no C++ compiler for this processor'
	cd "$BATS_TEST_TMPDIR" || return
}

FILE=u:/tests/work/objects

@test "parameters, members, base classes and strings are what the program says" {
	all_values objects objects
	all_values objects-plain objects-plain
	all_values objects-clang objects-clang
}

CLASSES=(classes classes-plain classes-clang classes-clang-plain)

@test "objects that are passed in registers and at an address are told apart" {
	for program in "${CLASSES[@]}"; do
		all_values "$program" "$program"
	done
}

@test "what the debug information leaves out is refused, not guessed" {
	local program
	for program in classes classes-plain; do
		wants 1 ' a=81 b=82$' "u:/tests/work/$program:ignores" a b -- "$program"
		wants 1 ' h.a=83 h.b=84 h.c=85 last=86$' "u:/tests/work/$program:partly" h.a h.b h.c last -- "$program"
	done
	# newer ones of clang leave it out
	run argdump u:/tests/work/classes-clang-plain:ignores b -- classes-clang-plain
	[[ $status = 0 && $output == *' b=82' || $status = 1 && $output == *"leaves out a parameter"* ]] || { echo "$output"; false; }
	wants 1 ' v=83' u:/tests/work/classes-clang:partly v=h.a -- classes-clang
	run -1 argdump u:/tests/work/classes-clang:partly h.c -- classes-clang
	[[ $output == *"this part of it cannot be read"* ]] || { echo "$output"; false; }
}

@test "results: what an object of a class is returned at, none of a struct in registers" {
	for program in "${CLASSES[@]}"; do
		wants 1 ' r=-47$' -r "u:/tests/work/$program:holds" 'r=$ret.a[1].a' -- "$program"
		wants 1 ' first=15 v=-17 last=19$' "u:/tests/work/$program:words" first v=given.b last -- "$program"
		run -1 argdump -r "u:/tests/work/$program:words" '$ret' -- "$program"
		[[ $output == *"returns a struct by value"* ]] || { echo "$output"; false; }
	done
}

@test "variables that a closure captures" {
	local line
	line=$(argdump --dry-run u:/tests/work/classes-plain:captures:4 2>&1 | sed -n 's/.*classes.cc:\([0-9]*\).*/\1/p;q')
	wants 1 ' v=-93 first=92 last=94$' "u:/tests/work/classes-plain:classes.cc:$line" v=pair.b first last -- classes-plain
}

@test "a name means all its overloads, one with parameters a single function" {
	run -0 --separate-stderr argdump -r --count --by '$func' "$FILE:totals" -- objects
	[ "$(grep '^totals' <<<"$output" | sed 's/  */ /g' | sort)" = 'totals(int) 1
totals(int, int) 1' ] || { echo "$output$stderr"; false; }
	wants 1 ' a=21$' "$FILE:totals(int)" -- objects
	wants 1 ' a=22 b=23$' "$FILE:totals(int,int)" -- objects
	wants 1 ' word="word"$' "$FILE:shop::Book::reads(const char *)" word -- objects
	run -0 --separate-stderr argdump -r --count --by '$func' "$FILE:shop::*" -- objects
	[ "$(grep -c '  1$' <<<"$output")" -eq 15 ] || { echo "$output$stderr"; false; }
	grep -q '^shop::(anonymous namespace)::hidden  *1$' <<<"$output" || { echo "$output$stderr"; false; }
	grep -q '^shop::biggest<long>  *1$' <<<"$output" || { echo "$output$stderr"; false; }
}

@test "strings of every length, in lists, structs, conditions, keys and JSON" {
	wants 1 ' s="short" v="view" p="a\\x00b" w=0x[0-9a-f]*$' "$FILE:shop::takes" -- objects
	wants 1 ' s="a str"' "$FILE:shop::by_value" s:5 -- objects
	wants 1 ' s="short"$' --if 's == "short" && v == "view" && p != "a"' "$FILE:shop::takes" s -- objects
	wants 0 ' s="short"$' --if 's == "shor"' "$FILE:shop::takes" s -- objects
	wants 0 ' s="short"$' --if 'v == "viewed"' "$FILE:shop::takes" s -- objects
	wants 1 ' s="short"$' --if 's ~ "sh?rt" && v ~ "vi*"' "$FILE:shop::takes" s -- objects
	run -0 --separate-stderr argdump --count --by s,v "$FILE:shop::takes" -- objects
	grep -qE '^short +view +1$' <<<"$output" || { echo "$output$stderr"; false; }
	run -0 --separate-stderr argdump --json "$FILE:shop::Book::reads(int, shop::Book::Page const&)" 'book=*this' -- objects
	jq -e '.args.book | .title == "a long text that no string keeps within itself" and .shelf == "upper shelf" and .weight == 71 and .page.number == 73' \
		<<<"$output" || { echo "$output$stderr"; false; }
	run -1 argdump --if 'v ~ "*ew"' "$FILE:shop::takes" s -- objects
	grep -q 'no NUL ends this string' <<<"$output" || { echo "$output$stderr"; false; }
}

@test "a variable that is a struct with strings" {
	wants 1 ' kept=(struct pair' "$FILE-plain:shop::shelved:5" kept -- objects-plain
	[[ $output == *'second = "second"'* ]] || { echo "$output$stderr"; false; }
}

@test "stacks, and programs of bt, have names of C++" {
	run -0 --separate-stderr argdump -U "$FILE-plain:shop::by_value" after -- objects-plain
	grep -q '^    shop::by_value \[objects-plain\]$' <<<"$output" || { echo "$output$stderr"; false; }
	run -0 --separate-stderr argdump --count --by '$ustack' --folded "$FILE-plain:shop::by_value" -- objects-plain
	grep -q 'shop::by_value 1$' <<<"$output" || { echo "$output$stderr"; false; }
	# as bpftrace prints them: with parameters
	run -0 --separate-stderr bt -e 'uprobe:/tests/work/objects-plain:cpp:"totals(int, int)" { printf("%s %s %s %d\n", func, probe, usym(reg("ip")), args.b); print(ustack(2)); }' -c objects-plain
	grep -qF 'totals(int, int) uprobe:/tests/work/objects-plain:cpp:totals(int, int) totals(int, int) 23' <<<"$output" || { echo "$output$stderr"; false; }
	grep -q '^        totals(int, int)+0$' <<<"$output" || { echo "$output$stderr"; false; }
	run -0 --separate-stderr bt -e 'uprobe:/tests/work/objects-plain:cpp:totals { @[probe] = count(); }' -c objects-plain
	grep -qF '@[uprobe:/tests/work/objects-plain:cpp:totals(int, int)]: 1' <<<"$output" || { echo "$output$stderr"; false; }
	run -0 --separate-stderr bt -e 'config = { cpp_demangle = false } uprobe:/tests/work/objects-plain:cpp:totals { @[func] = count(); }' -c objects-plain
	grep -q '^@\[_Z6totalsi\]: 1$' <<<"$output" && grep -q '^@\[_Z6totalsii\]: 1$' <<<"$output" || { echo "$output$stderr"; false; }
}
