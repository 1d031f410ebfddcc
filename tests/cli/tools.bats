#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# docs/tools.md against the binary and the live tests: what it names exists, what exists is named, a live test
# that it names has the tool in it.

bats_require_minimum_version 1.5.0

setup_file() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	export coretap=$PWD/${BUILD:-build}/coretap table=$BATS_FILE_TMPDIR/table own=$BATS_FILE_TMPDIR/own
	# NAME TAB HERE TAB TEST; of our own NAME TAB LIKE TAB TEST
	rows '^[a-z]' docs/tools.md | cut -f 1,3- >"$table"
	rows '^`' docs/tools.md >"$own"
}

# The cells of the tables' lines whose first one is like PATTERN.
rows() { # PATTERN FILE
	sed -n 's/^| \(.*\) |$/\1/p' "$2" | sed 's/ | /\t/g' | grep -E "$1" | grep -v '^tool	'
}

# What coretap has: applets and recipes.
known() { "$coretap" --list | sed -nE 's/^ *([a-z0-9_]+) +[a-zA-Z].*/\1/p'; }

# The first word of each text in backquotes.
words() { grep -oE '`[a-z0-9_]+[ `]' | tr -d '` '; }

# NAME TEST of each row with a live test.
tests() {
	awk -F'\t' '$3 ~ /^`/ { split($2, here, /[` ]/); split($3, test, "`"); print here[2], test[2] }' "$table"
	awk -F'\t' '{ split($1, name, "`"); split($3, test, "`"); print name[2], test[2] }' "$own"
}

# tools/docs writes the figures; docs.bats checks them.
@test "each tool has one row, with a live test or the reason for none" {
	[ -z "$(cut -f 1 "$table" | sort | uniq -d)" ]
	# the third cell is a live test, one that shows a part, or the reason for none
	run ! grep -vE '^(`[a-z0-9_]*`|no: .)' <(cut -f 3 "$table")
	[ "$(wc -l <"$table")" -ge 140 ]
}

@test "each recipe and applet that it names exists, and each that exists is named" {
	diff -u <(known | sort) <({ cut -f 2 "$table"; cut -f 1 "$own"; } | words | sort -u)
	[ "$(known | wc -l)" -gt 100 ]
}

@test "each live test that it names exists and has the tool in it" {
	while read -r name file; do
		grep -qw -- "$name" "tests/live/$file.bats" || { echo "$name is not in $file"; false; }
	done < <(tests)
	[ "$(tests | wc -l)" -gt 120 ]
}
