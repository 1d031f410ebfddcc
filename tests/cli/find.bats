#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# coretap find: the words that people use lead to a tool; what a name that is no tool may mean; command lines of other
# tools; examples.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	coretap=$PWD/${BUILD:-build}/coretap
	export CORETAP_CACHE=${CORETAP_CACHE:-$HOME/.cache/coretap} HOME=/nonexistent
	unset XDG_CONFIG_HOME
}

# The first three tools.
# shellcheck disable=SC2086 # words
found() { # WORDS
	"$coretap" find -- $1 2>/dev/null
}

# Sets names to the tools that are found, and commands to the number of lines to paste.
answer_read() { # WORDS
	local lines line
	mapfile -t lines < <(found "$1")
	names=() commands=0
	for line in "${lines[@]}"; do
		case $line in
		'  coretap '*) commands=$((commands + 1)) ;;
		' '*) ;;
		*) names+=("${line%% *}") ;;
		esac
	done
}

@test "words and sentences: the tool is among the first three, each with a line to paste and a description" {
	local words tool names commands count=0
	while IFS='|' read -r words tool; do
		[[ $words != '#'* ]] || continue
		answer_read "$words"
		[[ " ${names[*]:0:3} " == *" $tool "* ]] || { echo "$words: no $tool in ${names[*]:0:3}"; false; }
		[ "${#names[@]}" -eq "$commands" ]
		count=$((count + 1))
	done <tests/cli/find.words
	[ "$count" -ge 200 ]
}

@test "each tool of other collections is found by its own name" {
	local theirs ours names commands count=0
	while read -r theirs ours; do
		answer_read "$theirs"
		[[ " ${names[*]:0:3} " == *" $ours "* ]] || { echo "$theirs: no $ours"; false; }
		count=$((count + 1))
	done < <(sed -nE 's/^\| ([a-z][a-z0-9_-]*) \|[^|]*\| \[?`([a-z0-9_]*).*/\1 \2/p' docs/tools.md)
	[ "$count" -ge 130 ]
}

@test "endings, case, empty words, separators: one query" {
	local same
	[[ $(found delete | head -n 1) == filegone* && $(found off-cpu | head -n 1) == offcputime* ]]
	for same in deleted "who deletes" DELETE "deleting 123" "delete /tmp/x"; do
		[ "$(found "$same" | head -n 6)" = "$(found delete | head -n 6)" ] || { echo "$same"; found "$same"; false; }
	done
	for same in "off cpu" offcpu OFF-CPU off_cpu; do
		[ "$(found "$same" | head -n 1)" = "$(found off-cpu | head -n 1)" ] || { echo "$same"; found "$same"; false; }
	done
	[ "$("$coretap" search slow disk)" = "$("$coretap" find slow disk)" ]
	[ "$("$coretap" apropos 'slow disk')" = "$("$coretap" find slow disk)" ]
}

@test "several words are an AND; tools that match only some are a reported second choice" {
	run -0 --separate-stderr "$coretap" find tcp retransmit
	[[ $output == tcpretrans* && $output != *tcplife* ]]
	run -0 --separate-stderr "$coretap" find disk bluetooth
	[[ $output == bio* && $stderr == *"no tool matches all of these words: these match 1 of 2"* ]]
	run -0 --separate-stderr "$coretap" find tcp
	[[ $stderr == *" more match this word: print them with -a"* ]]
	[ "$("$coretap" find -a tcp | grep -c '^tcp')" -ge 12 ]
	[ "$("$coretap" find tcp | grep -c '^[a-z]')" -eq 8 ]
}

@test "find -j: an object for each tool, best first" {
	run -0 --separate-stderr "$coretap" find -j dns
	jq -es 'map(.type == "tool" and (.command | startswith("coretap ")) and (.shows | length > 0) and (.summary | length > 0)) | all' <<<"$output"
	[ "$(jq -r .name <<<"${lines[0]}")" = connsnoop ]
	[ "$(jq -r .command <<<"${lines[0]}")" = "coretap connsnoop --dns" ]
}

@test "find: nothing, a misspelt word, no word, a wrong option" {
	run -1 "$coretap" find retrasmit
	[[ $output == *"no tool matches this word"*"did you mean retransmit?"*"argdump -l '*retrasmit*'"* ]]
	run -1 "$coretap" find
	[[ $output == *"missing words"*"usage: coretap find"* ]]
	run -1 "$coretap" find -z x
	[[ $output == *"the only options of find are -a and -j"* ]]
	run -0 "$coretap" find --help
	[[ $output == "Usage: coretap find"* ]]
	run -1 "$coretap" find $'\e[31m'
	[[ $output != *$'\e'* ]]
	run -3 bash -c "'$coretap' find disk >/dev/full"
}

# A line has options behind the tool's name; those with a word in capitals have to be filled in. Only a running kernel has
# modules and BPF programs.
@test "each line of the table of words plans" {
	local line tool btf count=0
	btf=$(tools/fetch-kernel --btf 6.12)
	cd "$BATS_TEST_TMPDIR"
	while IFS= read -r line; do
		tool=${line%% *}
		"$coretap" --man "$tool" >man || { echo "no tool $tool"; false; }
		[[ $line == *' '* && ! $line =~ (^|[:\ ])(FILE|NAME|ADDRESS)([:\ ]|$) && $line != *"-l 'virtio_blk:"* && $line != *"'b:"* ]] || continue
		PATH=${coretap%/*}:$PATH run bash -c "$tool --dry-run --btf '$btf' ${line#"$tool"}"
		[[ $status == 0 ]] || { echo "$line: $output"; false; }
		count=$((count + 1))
	done < <(sed -n 's/^\t//p' "$OLDPWD/src/front/find/words.tbl" | sed 's/  # .*//' | sort -u)
	[ "$count" -ge 50 ]
}

@test "an unknown tool: a word of the table, also in the style of tools; a prefix; a misspelling" {
	local typed wanted
	while IFS='|' read -r typed wanted; do
		run -1 "$coretap" "$typed"
		[[ ${lines[0]} == "coretap: unknown tool '$typed'" && ${lines[1]} == "  $wanted"* ]] || { echo "$output; wants $wanted"; false; }
	done <<-'END'
		truss|coretap syssnoop -p 1234 -f  # 
		offcpu|coretap offcputime -d 5  # 
		dns|coretap connsnoop --dns  # 
		dnssnoop|coretap connsnoop --dns  # 
		deletesnoop|coretap filegone  # 
		unlinksnoop|coretap filegone  # 
		fsyncsnoop|coretap syncsnoop  # 
		forktrace|coretap execsnoop  # 
		page-fault|coretap pagefaults  # 
		iotop|coretap biotop  # 
		funclat|did you mean funclatency?
		tcpre|did you mean tcpretrans?
		opensn|did you mean opensnoop?
		opensnop|did you mean opensnoop?
		tcpdmup|coretap argdump ip_rcv
		kernel|
		xyzzy|coretap find WORDS searches the tools
	END
	run -1 "$coretap" kernel
	[[ $output =~ [0-9]+\ tools\ have\ this\ word:\ coretap\ find\ kernel ]]
}

@test "several words that are no tool: memory leak, perf top" {
	run -1 "$coretap" memory leak
	[[ ${lines[1]} == "  coretap memleak -d 5 -p 1  # "* ]]
	run -1 "$coretap" perf top -p 1
	[[ ${lines[0]} == "coretap: unknown tool 'perf'" && ${lines[1]} == "  coretap profile -d 10  # "* ]]
	run -1 "$coretap" perf stat ls
	[[ ${lines[1]} == "  coretap profile -d 10  # "* || ${lines[1]} == "  coretap hwstat  # "* ]]
}

@test "examples: of one tool, by three ways; of all tools, a line each" {
	[ "$("$coretap" opensnoop --examples)" = "$("$coretap" opensnoop --help=examples)" ]
	[ "$("$coretap" examples opensnoop)" = "$("$coretap" opensnoop --help=examples)" ]
	[ "$("$coretap" tcplife --examples)" = "$("$coretap" tcplife --help=examples)" ]
	[ "$("$coretap" help tcplife)" = "$("$coretap" tcplife --help)" ]
	run -0 --separate-stderr "$coretap" examples
	[ "$(grep -c '^  coretap ' <<<"$output")" -eq "$("$coretap" --list | awk 'NF > 1' | wc -l)" ]
	[[ $stderr == *"coretap examples TOOL"* ]]
	run -1 "$coretap" examples nosuch
	[[ $output == *"unknown tool 'nosuch'"* ]]
}

# Jobs of every day (jobs.tbl), planned with the types of a kernel; nothing is traced.
planned() { # LINE
	local typed=()
	eval "typed=($1)"
	"$coretap" "${typed[0]}" --dry-run --btf "$btf" "${typed[@]:1}" >/dev/null 2>"$BATS_TEST_TMPDIR/err"
}

@test "the jobs: by the first line, or by the second, which the first one's answer names" {
	local job first second answer btf right=0 count=0
	btf=$(tools/fetch-kernel --btf 6.12)
	while IFS='|' read -r job first second; do
		[[ $job != '#'* ]] || continue
		count=$((count + 1))
		if planned "$first"; then
			[ -z "$second" ] && right=$((right + 1)) || echo "$job: $first does it"
			continue
		fi
		answer=$(<"$BATS_TEST_TMPDIR/err")
		if [[ ($second == '!'* && $answer == *"${second#!}"*) ||
			($second && $answer == *"${second%% *}"*) ]] && { [[ $second == '!'* ]] || planned "$second"; }; then
			right=$((right + 1))
		else
			echo "$job: $first: $answer"
		fi
	done <tests/cli/jobs.tbl
	[ "$right" -eq "$count" ] && [ "$count" -ge 40 ]
}
