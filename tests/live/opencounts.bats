#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# opensnoop --count against known opens (tests/work/opens.c).

bats_require_minimum_version 1.5.0
load wait

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

counted() { # OPTION… -- COMMAND: [OPENS, ERROR, PATH or COMM] of each row, into $rows
	run --separate-stderr opensnoop -j --count "$@"
	rows=$(jq -c 'select(.type == "opens") | [.opens, .errno, .path // .comm]' <<<"$output")
}

@test "opensnoop --count: by path or name, errors apart, the largest first" {
	for method in any kprobe; do
		counted --attach $method -c many -- opens many 2 1001
		[ "$status $rows" = $'0 [667,"ENOENT","m-none"]\n[334,null,"/dev/null"]' ] ||
			{ echo "$method: $status"; echo "$output"; echo "$stderr"; false; }
	done
	run -0 --separate-stderr opensnoop --count=comm -c many --path '*null' --path m-none --top 1 -- opens many 3 1001
	[ "$(tr -s ' ' <<<"${output% in *}")" = $'OPENS ERR COMM\n 667 ENOENT many\ntotal: 1001 opens' ] ||
		{ echo "$output"; false; }
}

@test "opensnoop --count: hostile names, long ones, and more than there are rows for" {
	local n=$(printf '%255s' '' | tr ' ' n) long
	long=$(printf '%400s' '' | sed 's, ,./,g')
	counted -c names -- opens names $'new\n\e[31m' $'\xff' ' ' "$n" "${long}a" "${long}b"
	jq -e -s --arg n "$n" 'map(select(.path | IN("new\n\u001b[31m", "\uefff", " ", $n)).opens) == [1, 1, 1, 1] and
		(map(select(.cut and .opens)) | length == 1 and .[0].opens == 2 and (.[0].path | length) == 255)' <<<"$output" ||
		{ echo "$output"; echo "$stderr"; false; }
	[[ $stderr == *"2 values cut"* ]] || { echo "$stderr"; false; }
	run --separate-stderr opensnoop -j --count -c names -- opens names n-{1..17000}
	[ "$status" = 0 ] # the command's
	jq -e -s 'map(select(.type == "opens")) as $rows | ($rows | length) == 16384 and
		(map(select(.final))[0] | .keys_full + ($rows | map(.opens) | add) == 17000)' <<<"$output" ||
		{ tail -n 3 <<<"$output"; false; }
	[[ $stderr == *"not counted: no room for more keys"* ]] || { echo "$stderr"; false; }
}
