#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Positional arguments at work: how many reports there are, and how long a run takes.

bats_require_minimum_version 1.5.0
load wait

# Runs COMMAND; it must end by itself, in SECONDS at least and not for ever. What it printed is in `output`.
lasts() { # SECONDS COMMAND…
	local began=$EPOCHREALTIME ms
	run -0 --separate-stderr timeout 120 "${@:2}"
	ms=$(((${EPOCHREALTIME/./} - ${began/./}) / 1000))
	[ $ms -ge $(($1 * 1000)) ] || { echo "${*:2}: $ms ms"; false; }
}

@test "INTERVAL COUNT: so many reports, of which each begins anew" {
	cd "$BATS_TEST_TMPDIR"
	echo x >some
	reads -s 100000 some >/dev/null & reader=$!
	lasts 3 coretap funccount -j -c reads vfs_read 1 3
	kill $reader
	# it sleeps for a millisecond after each: a sum over all three would be more than can be in the last second
	jq -e -s 'map(select(.count)) | length == 3 and all(.count <= .elapsed_ns / 1000000 + 20)' <<<"$output" || { echo "$output"; false; }
	lasts 2 biolatency 1 2
	lasts 2 coretap runqlat 1 2
}

@test "memleak -p P INTERVAL COUNT: memory not freed so far, each time" {
	(sleep 4; exec true) & victim=$!
	lasts 2 coretap memleak -p $victim 1 2
	[[ $stderr != *cannot* ]]
}

@test "a duration ends profile, offcputime, wakeuptime and vfscount; a threshold leaves the fast out" {
	lasts 1 coretap profile 1
	lasts 1 coretap offcputime 1
	[ -n "$output" ]
	lasts 1 coretap wakeuptime 1
	lasts 1 coretap vfscount 1
	cd "$BATS_TEST_TMPDIR"
	echo x >some
	lasts 0 coretap fileslower -j 60000 -- reads 3 some
	[[ $output != *'"op"'* ]]
	lasts 0 coretap fileslower -j 0 -- reads 3 some
	[ "$(grep -c '"file":"[^"]*/some"' <<<"$output")" -eq 3 ] || { echo "$output"; false; }
}
