#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# --help: a page, and topics that have the rest.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	coretap=$PWD/${BUILD:-build}/coretap
	export LC_ALL=C.UTF-8
}

tools() { "$coretap" --list | awk 'NF > 1 {print $1}'; }

# Names of all options, as argp has them.
options() { "$coretap" "$1" --help=options | grep -oE '^(  -., |      )--[a-zA-Z0-9_-]+' | grep -oE -- '--.*'; } # TOOL

@test "each page: 60 lines of 80 columns, headings, 3 or 4 examples if there are, every option" {
	local a page
	for a in $(tools); do
		page=$("$coretap" "$a" --help)
		[ "$(wc -l <<<"$page")" -le 60 ] || { echo "$a: $(wc -l <<<"$page") lines"; false; }
		# what cannot be broken may be longer
		run ! grep -E '^.{81}' <(grep ' .* ' <<<"$page")
		[[ $page == "Usage: $a "*$'\n'"$a: "*$'\nOutput:\n'*$'\nExamples:\n  '"$a"*$'\nMore:\n  --help=options'* ]] ||
			{ echo "$page"; false; }
		[ "$a" = doctor ] || [[ $page == *$'\nFilters:\n'*$'\nLimits:\n'* || $page == *$'\nOutput:\n'*$'\nLimits:\n'* ]]
		examples=$("$coretap" "$a" --help=examples | grep -c "^  $a")
		[ "$(sed -n '/^Examples:/,$p' <<<"$page" | grep -c "^  $a")" -ge $((examples < 3 ? examples : 3)) ]
		diff <(options "$a" | grep -vxE -- '--(help|usage|version)' | sort) \
			<(sed '/^Examples:/,$d' <<<"$page" | grep -E '^ +(-., )?--' |
				sed -E '/^ +(-., )?--[^ ]+( --[^ ]+)*$/!s/^( +(-., )?--[^ ]+) .*/\1/' |
				grep -oE -- '--[a-zA-Z0-9_-]+' | sort)
	done
}

@test "no option's line is cut inside of a word or a parenthesis" {
	for a in $(tools); do
		run ! grep -E '^ +(-., )?--[^ ]+ .*(\([^)]*| [-–(])$' <("$coretap" "$a" --help | sed '/^Others:/,$d')
	done
}

@test "topics: those that a page names are there, say something, and are all in --help=all" {
	local a topic
	for a in argdump opensnoop tcplife doctor bt; do
		[ "$("$coretap" "$a" --help | sed '1,/^More:/d' | grep -oE -- '--help=[a-z]+' | wc -l)" -ge 4 ]
		for topic in $("$coretap" "$a" --help | sed '1,/^More:/d' | grep -oE -- '--help=[a-z]+'); do
			run -0 "$coretap" "$a" "$topic"
			[ "${#lines[@]}" -ge 3 ]
			"$coretap" "$a" --help=all | grep -qxF -- "${lines[-1]}" || { echo "$a $topic: ${lines[-1]}"; false; }
		done
	done
	[[ $("$coretap" argdump --help=language) == *$'\n  s:NAME s:NAME%return  '* ]]
	[[ $("$coretap" argdump --help=formats) == *$'\n  path path:N  '* ]]
	run -1 "$coretap" argdump --help=nothing
	[[ $output == *"there is no --help=nothing"* ]]
	run -1 "$coretap" opensnoop --help=formats
}

@test "--help=options has the headings of the page, and each option in full" {
	run -0 "$coretap" argdump --help=options
	for title in 'Which calls' 'What to print' Counting Stacks Filters Output Limits Attaching 'Look, save and load'; do
		grep -qx " $title" <<<"$output"
	done
	[[ $(tr -s ' \n' ' ' <<<"$output") == *"--cgroup=PATH trace only tasks in this cgroup (v2) or below it (may be repeated)"* ]]
}
