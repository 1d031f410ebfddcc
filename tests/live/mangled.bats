#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Functions whose symbols are those of Rust and Go, by the names of their sources: tests/work/mangled.

bats_require_minimum_version 1.5.0
load argdump

setup() { cd "$BATS_TEST_TMPDIR" || return; }

FILE=u:/tests/work/mangled

@test "both of Rust's manglings, methods of Go, overloads of C++: by name, pattern and symbol" {
	while IFS='|' read -r name func; do
		wants 3 ' a=[0-2]$' "$FILE:$name" 'a=$arg1:d' -- mangled 3
		run -0 --separate-stderr argdump --count --by '$func' "$FILE:$name" -- mangled 3
		grep -qF "$func  " <<<"$output" || { echo "$name: $output$stderr"; false; }
	done <<'END'
shop::cart::add|shop::cart::add
shop::cart::total|shop::cart::total
<shop::cart::Cart as core::fmt::Display>::fmt|<shop::cart::Cart as core::fmt::Display>::fmt
main.(*Cart).Add|main.(*Cart).Add
shop::pack(int)|shop::pack(int)
_ZN4shop4packEi|shop::pack
_RNvNtCs1234_4shop4cart5total|shop::cart::total
END
	run -0 --separate-stderr argdump --count --by '$func' "$FILE:shop::*" -- mangled 3
	[ "$(awk '/^shop/ { print $1, $2 }' <<<"$output" | sort)" = 'shop::cart::add 3
shop::cart::total 3
shop::pack 3' ] || { echo "$output$stderr"; false; }
	run -0 --separate-stderr bt -e 'uprobe:/tests/work/mangled:rust:shop::cart::total { @[func] = count(); }' -c 'mangled 3'
	grep -q '^@\[shop::cart::total\]: 3$' <<<"$output" || { echo "$output$stderr"; false; }
}
