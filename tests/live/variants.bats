#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Enums of Rust with data, and structs as Rust passes them. The values are those that tests/work/variants.c passes.

bats_require_minimum_version 1.5.0
load argdump

FILE=u:/tests/work/variants

setup() { cd "$BATS_TEST_TMPDIR" || return; }

@test "an enum of Rust has its active variant, with its members and texts" {
	run -0 --separate-stderr argdump --json "$FILE:shape" 's=*s' 't=*t' 'o=*o' -- variants
	[ "$(grep -o '"args":.*}' <<<"$output")" = '"args":{"s":{"Empty":{}},"t":{"A":{}},"o":{"One":{"__0":5}}}}
"args":{"s":{"Circle":{"__0":7}},"t":{"B":{"__0":9}},"o":{"One":{"__0":6}}}}
"args":{"s":{"Rect":{"w":3,"h":1099511627776}},"t":{"A":{}},"o":{"One":{"__0":7}}}}
"args":{"s":{"Named":{"__0":"a name"}},"t":{"B":{"__0":9}},"o":{"One":{"__0":8}}}}' ] || { echo "$output$stderr"; false; }
	# what other variants would have there is not missing
	[ -z "$stderr" ] || { echo "$stderr"; false; }
	wants 1 ' s=.struct Shape.' "$FILE:shape" 's=*s' --if 's->variant == Rect' -- variants
	grep -q '^	Rect = {w = 3, h = 1099511627776},$' <<<"$output" || { echo "$output"; false; }
}

@test "a variant's members, and its name, in lists, conditions and keys" {
	wants 2 ' variant=B __0=9$' "$FILE:shape" 't->variant' 't->B.__0' --if 't->variant == B' -- variants
	wants 1 ' __0="a name"$' "$FILE:shape" 's->Named.__0' --if 's->Named.__0 == "a name"' -- variants
	run -0 --separate-stderr argdump --count --by 't->variant' "$FILE:shape" -- variants
	[ "$(sed -n '2,3s/  */ /gp' <<<"$output" | sort)" = 'A 2
B 2' ] || { echo "$output$stderr"; false; }
}

@test "by value: two numbers are in a register each, other structs in one or in memory" {
	wants 1 ' x=17 y=18 n=B d=19 a=31 c=33$' "$FILE:passes" x=p.x y=p.y n=t.variant d=t.B.__0 a=three.a c=three.c -- variants
	run -0 --separate-stderr argdump --json "$FILE:passes" three -- variants
	jq -e 'select(.args) | .args.three == {"a":31,"b":32,"c":33}' <<<"$output" || { echo "$output"; false; }
	run -1 argdump "$FILE:passes" list -- variants
	grep -q 'passes receives it where it cannot be read' <<<"$output" || { echo "$output"; false; }
}
