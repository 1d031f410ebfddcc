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
	local function expressions wanted got functions
	for program in objects objects-plain; do
		$program values >values
		mapfile -t functions < <(cut -f1 values | sort -u)
		[ "${#functions[@]}" -gt 8 ]
		for function in "${functions[@]}"; do
			mapfile -t expressions < <(awk -F'\t' -v f="$function" '$1 == f { print "v" ++n "=" $2 }' values)
			wanted=$(awk -F'\t' -v f="$function" '$1 == f { printf " v%d=%s", ++n, $3 }' values)
			run -0 --separate-stderr argdump "u:/tests/work/$program:$function" "${expressions[@]}" -- "$program"
			got=$(sed -n '2s/^ *[0-9]* *[0-9]* [^ ]* *//p' <<<"$output")
			[ " $got" = "$wanted" ] || { echo "$program: $function: wanted$wanted"; echo "got $output $stderr"; false; }
		done
	done
}
