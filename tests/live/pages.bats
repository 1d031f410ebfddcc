#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# The commands of the pages of docs/tools print today what the pages show: the same columns, or the same measure with the same
# keys. Some tools a day; PAGES="TOOL…" chooses others.

bats_require_minimum_version 1.5.0
load ../lib/pages

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	pages_programs
}

teardown() {
	pages_work_end
	scene_unmake >/dev/null 2>&1
}

day=$((10#$(date +%j)))

# The tools of today: each PARTS-th of those that have runs.
tools_today() { # PARTS
	local number=$day
	if [[ ${PAGES:-} ]]; then
		printf '%s\n' "${PAGES// /$'\n'}"
		return
	fi
	# shellcheck disable=SC2154 # of pages.bash
	sed -n 's/^tool //p' "$pages_data"/*.pages | while IFS= read -r tool; do
		((++number % $1)) || [ "$(pages_runs "$tool")" -eq 0 ] || echo "$tool"
	done
}

# What the page shows below the command.
page_block() { # TOOL COMMAND
	# by the environment: awk reads \ in the values of its options
	command="\$ sudo coretap $2" awk '$0 == ENVIRON["command"] { is = 1; next } /^```/ { is = 0 } is' "/docs/tools/$1.md"
}

# Of a table the titles, which have no numbers, of a histogram what is measured and its keys, of anything else that there is
# something.
frame() {
	awk '/^[0-9:.]+$/ || /^$/ { next }
		{ gsub(/=[^ ]*/, "="); gsub(/[~<]?-?[0-9][0-9.]*[a-zA-Z]*/, "#"); $1 = $1; first = $0; exit }
		END { print first !~ /^[A-Za-z_][A-Za-z_()$]*( [A-Za-z_][A-Za-z_()$]*)*$|(^| )# calls p#/ && first !~ /no calls|^$/ ? "text" : first }'
}

same_frame() { # TOOL NUMBER COMMAND
	local shown now
	shown=$(page_block "$1" "$3")
	now=$(pages_tool "$1" "$2" | tail -n +2)
	if [[ ! $shown || $(frame <<<"$now") != "$(frame <<<"$shown")" ]]; then
		echo "$3 prints"; head -n 5 <<<"$now"; echo "the page shows"; head -n 5 <<<"$shown"
		echo "tools/pages --run $1 takes the new output"
		return 1
	fi
}

# Four commands of a page, others every day.
same_frames() { # TOOL
	local number=0 command count
	count=$(pages_runs "$1")
	while IFS= read -r -u 7 command; do
		((++number))
		(((number + day) % count < 4)) || continue
		same_frame "$1" $number "$command" || return
	done 7< <(pages_lines "$1" | sed -n 's/^run	//p')
	[ $number -eq "$count" ]
}

@test "the commands of some pages print the columns that the pages show" {
	local tools
	[[ $(uname -r) == 6.12.* ]] || skip "the pages are made on 6.12"
	mapfile -t tools < <(tools_today 50)
	[ "${#tools[@]}" -ge 1 ]
	for tool in "${tools[@]}"; do
		echo "# $tool" >&3
		same_frames "$tool" || return
	done
}
