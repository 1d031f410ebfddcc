#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Functions of C++, Rust and Go by name: what a name means, lists, mistakes. Nothing is attached.

bats_require_minimum_version 1.5.0
load plan

work=${BUILD:-build}/tests/work

@test "names of a large library are those of c++filt" {
	library=$(g++ -print-file-name=libstdc++.so.6 2>/dev/null) || skip "there is no g++"
	[ -e "$library" ] || skip "there is no libstdc++.so.6"
	"$argdump" -l "u:$library:*" 2>/dev/null | grep ' /\* _[ZR]' >"$BATS_TEST_TMPDIR/list"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/list")" -gt 3000 ]
	sed -E 's|.* /\* ([^ ,]*).*|\1|' "$BATS_TEST_TMPDIR/list" | c++filt --no-verbose |
		diff - <(sed -E "s|^u:[^:]*:(.*)  /\* .*|\1|" "$BATS_TEST_TMPDIR/list")
}

@test "a list has names, with their symbols; JSON both" {
	run -0 "$argdump" --btf "$btf" -l "u:$work/mangled:*::*"
	[ "$output" = "u:$work/mangled:shop::cart::total  /* _RNvNtCs1234_4shop4cart5total */
u:$work/mangled:shop::cart::add  /* _ZN4shop4cart3add17h0123456789abcdefE */
u:$work/mangled:shop::pack(int)  /* _ZN4shop4packEi */
u:$work/mangled:<shop::cart::Cart as core::fmt::Display>::fmt  /* _ZN55_\$LT\$shop..cart..Cart\$u20\$as\$u20\$core..fmt..Display\$GT\$3fmt17h0123456789abcdefE */" ] ||
		{ echo "$output"; false; }
	run -0 "$argdump" --btf "$btf" --json -l "u:$work/mangled:shop::pack"
	jq -e '.name == "shop::pack(int)" and .symbol == "_ZN4shop4packEi"' <<<"$output" || { echo "$output"; false; }
	run -0 "$argdump" --btf "$btf" --json -l "u:$work/mangled:main"
	jq -e '.name == "main" and .symbol == null' <<<"$output" || { echo "$output"; false; }
}

@test "a misspelt name gets the nearest, with parameters if it has some" {
	wrong 'did you mean shop::cart::total?' "u:$work/mangled:shop::cart::totl"
	wrong 'did you mean shop::pack(int)?' "u:$work/mangled:shop::pak(int)"
	wrong 'has no function like shop::x*' "u:$work/mangled:shop::x*"
}

@test "members: of base classes, but not of virtual ones; static ones are none" {
	[ -x "$work/objects" ] || skip "there is no C++ compiler for this processor"
	run -0 "$argdump" --dry-run --btf "$btf" "u:$work/objects:shop::Book::reads(int, shop::Book::Page const&)" 'this->weight' 'this->box'
	wrong 'struct Lent has no member tag' "u:$work/objects:shop::Lent::lends" 'this->tag'
	wrong 'did you mean this->weight?' "u:$work/objects:shop::Book::price" weight
	wrong 'struct Book has no member made' "u:$work/objects:shop::Book::price" 'this->made'
}

@test "lines of functions of C++, counted from where they are declared" {
	[ -x "$work/objects-plain" ] || skip "there is no C++ compiler for this processor"
	first=$(awk '/KIND int takes/ { print FNR }' tests/work/objects.cc)
	run -0 "$argdump" --dry-run --btf "$btf" "u:$work/objects-plain:shop::takes:4" s v
	[ "${lines[0]}" = "uprobe $work/objects-plain:objects.cc:$((first + 4))" ] || { echo "$output"; false; }
	run -0 "$argdump" --dry-run --btf "$btf" "u:$work/objects-plain:shop::Book::price:2" 'this->title'
}

@test "a parameter of a function that the linker made static, without a place, is not where the convention says" {
	run -0 "$argdump" --dry-run --btf "$btf" "u:$work/variants:shape" 's->variant'
	wrong 'receives it where it cannot be read: the compiler optimised it out' "u:$work/variants:linked" gone
}

@test "enums of Rust: the layout, and members of variants" {
	run -0 "$argdump" --btf "$btf" --type "u:$work/variants:struct Tiny"
	[ "$output" = "struct Tiny {
	/*    0   */ enum {
	             	A = 1,
	             	B = 200,
	             } variant;  /* 1 byte */
	/*    0   */ union {
	/*    0   */ 	struct A A;  /* 2 bytes */
	/*    0   */ 	struct B B;  /* 2 bytes */
	             };  /* 2 bytes */
};  /* 2 bytes, 2 members */" ] || { echo "$output"; false; }
	wrong 'has no member Cube' "u:$work/variants:shape" 's->Cube'
}

@test "shells complete names" {
	run -0 "${argdump%argdump}coretap" --complete argdump "u:$work/mangled:shop::c"
	[ "$(cut -f 1 <<<"$output" | sort | tr '\n' ' ')" = "u:$work/mangled:shop::cart::add u:$work/mangled:shop::cart::total " ] || { echo "$output"; false; }
}

@test "of bt: languages, quotes, patterns" {
	bt=${argdump%argdump}bt
	for name in 'cpp:"shop::pack(int)"' cpp:shop::pack rust:shop::cart::add rust:shop::cart::total '"main.(*Cart).Add"' 'cpp:"shop::p*"'; do
		run -0 "$bt" --btf "$btf" -l "uprobe:$work/mangled:$name"
		[ "${#lines[@]}" -eq 1 ] || { echo "$name: $output"; false; }
	done
	run -0 "$bt" --btf "$btf" -l "uprobe:$work/mangled:cpp:shop::pack"
	[ "$output" = "uprobe:$work/mangled:cpp:shop::pack" ] || { echo "$output"; false; }
}
