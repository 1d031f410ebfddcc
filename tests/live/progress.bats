#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# What a person at a terminal is shown while something takes long, and that nobody else is.

bats_require_minimum_version 1.5.0
load wait

setup() { cd "$BATS_TEST_TMPDIR" || return; }

# The output has these texts, in this order. CR, with which a line in place begins and ends, is "<".
has() { # TEXT...
	local rest=${output//$'\r'/<} text
	for text; do
		[[ $rest == *"$text"* ]] || { printf 'no "%s" in: %s\n' "$text" "$output"; return 1; }
		rest=${rest#*"$text"}
	done
}

nothing_left() { [ "$(soak left)" -eq 0 ]; }

@test "attaching and detaching functions one by one: how far it is, on a line that goes" {
	run -0 onterm 'Ctrl-C ends it' argdump --attach kprobe -c nobody 'tcp_[a-e]*' '$pid'
	has '<argdump: attaching ' ' functions... ' '   <' 'argdump: tracing: Ctrl-C' \
		'<argdump: detaching ' ' functions... ' '   <' 'argdump: nothing was seen'
}

@test "attaching many functions at once" {
	run -0 onterm 'no ^C' argdump -c nobody -d 0.1 'tcp_*' '$pid'
	has '<argdump: attaching ' ' functions...' '   <' 'argdump: tracing: Ctrl-C'
}

@test "Ctrl-C while it attaches: a message, and nothing stays attached" {
	run -130 onterm 'attaching' argdump --attach kprobe 'tcp_*' '$pid'
	# the terminal may show the ^C a little later
	has ' functions...' 'argdump: interrupted before tracing began'
	[[ $output == *^C* ]]
	wait_until nothing_left
}

# Each program of a set is loaded by itself, which is what takes long.
@test "a set of calls: how many are done while it attaches, and Ctrl-C in the middle leaves nothing" {
	run -0 onterm 'no ^C' argdump -c nobody -d 0.1 -r 'tcp_*'
	has '<argdump: attaching ' ' functions... ' '   <' 'argdump: tracing: Ctrl-C'
	grep -qE 'attaching [0-9]+ functions\.\.\. [1-9][0-9]*' <<<"$output"
	run -130 onterm 'attaching' argdump -r 'tcp_*'
	has ' functions...' '^C<' 'argdump: interrupted before tracing began<'
	wait_until nothing_left
}

@test "in a pipe there is nothing of it" {
	run -0 --separate-stderr argdump -c nobody -d 0.1 'tcp_*' '$pid'
	[[ $stderr != *taching* ]] || { echo "$stderr"; false; }
}

@test "-v has a line for each method, -vv one for each function" {
	run -0 --separate-stderr argdump -v --attach kprobe -c nobody -d 0.1 'vfs_r*' '$pid'
	grep -qE '^argdump: kprobe: [0-9]+ functions, (typed|probe_read) loads$' <<<"$stderr" || { echo "$stderr"; false; }
	[[ $stderr != *'kprobe vfs_read,'* ]]
	run -0 --separate-stderr argdump -vv --attach kprobe -c nobody -d 0.1 'vfs_r*' '$pid'
	grep -qE '^argdump: kprobe vfs_read, (typed|probe_read) loads$' <<<"$stderr" || { echo "$stderr"; false; }
}
