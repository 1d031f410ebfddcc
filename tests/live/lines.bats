#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# --lines: each call in a known chain (tests/work/chain) with the line of the source that is marked there, by
# debug information in the program, in a file for its build id, and in one that the program names.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	work=$(dirname "$(command -v chain-lines)")
	echo x >some
}

# The calls of the chain on the way to its read, without offsets: into got.
calls() { # PROGRAM
	run -0 --separate-stderr argdump -j -U --lines -c "${1##*/}" --if 'count == 1' vfs_read count -- "$1" 1 some
	jq -r 'select(.type == "argdump") | .user_stack[]' <<<"$output" | sed 's/+0x[0-9a-f]*//' |
		grep -E '^(inner|middle|outer|main) ' >got
}

# By the marks in the source.
lined() { # PROGRAM
	calls "$1"
	sed -E "s|(.*) (.*)|\2 [${1##*/}] chain.c:\1|" "$work/chain.marks" | diff -u - got || { echo "$output$stderr"; false; }
}

unlined() { # PROGRAM
	calls "$1"
	sed -E "s|(.*) (.*)|\2 [${1##*/}]|" "$work/chain.marks" | diff -u - got || { echo "$output$stderr"; false; }
}

@test "lines by the program's own debug information, and by that for its build id" {
	[ "$(wc -l <"$work/chain.marks")" -eq 4 ]
	lined "$work/chain-lines"
	unlined "$work/chain-id"
	id=$(<"$work/chain-id.name")
	mkdir -p "/usr/lib/debug/.build-id/${id:0:2}"
	cp "$work/chain-id.debug" "/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug"
	lined "$work/chain-id"
	rm "/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug"
}

@test "lines by the file that a program names: beside it, in .debug, in /usr/lib/debug; not by another file" {
	cp "$work/chain-link" .
	unlined "$PWD/chain-link"
	for folder in . .debug "/usr/lib/debug$PWD"; do
		mkdir -p "$folder"
		cp "$work/chain-link.debug" "$folder"
		lined "$PWD/chain-link"
		rm "$folder/chain-link.debug"
	done
	# the same debug information with one more byte
	{ cat "$work/chain-link.debug"; echo; } >chain-link.debug
	unlined "$PWD/chain-link"
}
