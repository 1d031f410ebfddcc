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

# One process for each text, and one for all that is asked of them.
@test "each page: 60 lines of 80 columns, headings, examples, a line or the name of every option" {
	for a in $(tools); do
		echo "@page $a"
		"$coretap" "$a" --help
		echo "@options $a"
		"$coretap" "$a" --help=options
		echo "@examples $a"
		"$coretap" "$a" --help=examples
	done >"$BATS_TEST_TMPDIR/texts"
	/usr/bin/python3 - "$BATS_TEST_TMPDIR/texts" <<-'END'
		import re, sys
		parts = re.split(r'(?m)^@(page|options|examples) (\S+)\n', open(sys.argv[1]).read())
		texts = {(parts[i], parts[i + 1]): parts[i + 2] for i in range(1, len(parts), 3)}
		tools = [tool for kind, tool in texts if kind == 'page']
		assert len(tools) > 100
		for tool in tools:
		    def check(fine, what):
		        if not fine:
		            sys.exit(f'{tool}: {what}')
		    page, options = texts['page', tool], texts['options', tool]
		    lines = page.splitlines()
		    check(len(lines) <= 60, f'{len(lines)} lines')
		    # words that cannot be broken may be longer, and examples by what a name that is a command lacks
		    check(not [l for l in lines if len(l.replace('  coretap ', '  ')) > 80 and ' ' in l.strip()], 'a line is too long')
		    check(lines[0].startswith(f'Usage: coretap {tool} ') and f'{tool}: ' in page, 'head')
		    heads = [l for l in lines if re.fullmatch(r'[A-Z][a-z, ]+:', l)]
		    check(heads[-3:] == ['Others:', 'Examples:', 'More:'] and 'Output:' in heads, heads)
		    check(tool == 'doctor' or 'Limits:' in heads and 'Attaching:' in heads, heads)
		    own, rest = page.split('\nExamples:\n')
		    all_of_them = re.findall(rf'(?m)^  coretap {tool}\b', texts['examples', tool])
		    shown = re.findall(rf'(?m)^  coretap {tool}\b', rest)
		    check(min(3, len(all_of_them)) <= len(shown) <= 4, f'{len(shown)} examples')
		    column = re.findall(r'(?m)^(?:  -., |      )--([\w-]+)', own)
		    names = re.findall(r'--([\w-]+)', own.split('\nOthers:\n')[1])
		    known = set(re.findall(r'(?m)^(?:  -., |      )--([\w-]+)', options)) - {'help', 'usage', 'version'}
		    check(sorted(column + names) == sorted(known), known ^ set(column + names))
		    for line in own.split('\nOthers:\n')[0].splitlines():
		        if re.match(r'(  -., |      )--', line):
		            text = line.split('  ')[-1]
		            check(text.count('(') == text.count(')') and re.search(r"[^ (;:,.…-]$", text), line)
	END
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
	[[ $output == *"unknown topic --help=nothing"* ]]
	run -1 "$coretap" opensnoop --help=formats
}

@test "--help=options has the headings of the page, and each option in full" {
	run -0 "$coretap" argdump --help=options
	for title in 'Which calls' 'What to print' Counting Stacks Filters Output Limits Attaching 'Look, save and load'; do
		grep -qx " $title" <<<"$output"
	done
	[[ $(tr -s ' \n' ' ' <<<"$output") == *"--cgroup=PATH trace only tasks in this cgroup (v2) or below it (may be repeated)"* ]]
}

# What a terminal with colors is shown.
terminal() { run -0 env -u NO_COLOR TERM=xterm script -qec "$*" /dev/null; }

@test "on a terminal headings, names and answers have styles; pipes get the text alone" {
	local bold=$'\e[1m' red=$'\e[31m' off=$'\e[0m' btf
	btf=$(tools/fetch-kernel --btf 6.12)
	for row in "--help=Options" "--list=disks" "find who deletes my files=filegone" "opensnoop --help=Filters" \
		"opensnoop --help'=fields'=Fields" "doctor --btf $btf=Kernel"; do
		terminal "$coretap" "${row%=*}"
		[[ $output == *"$bold${row##*=}$off"* ]] || { echo "$row: $output"; false; }
		run -0 sh -c "'$coretap' ${row%=*} | cat"
		[[ $output == *"${row##*=}"* && $output != *$'\e'* ]] || { echo "$row: $output"; false; }
		run -0 env TERM=xterm NO_COLOR=1 script -qec "$coretap ${row%=*}" /dev/null
		[[ $output != *$'\e'* ]] || { echo "$row: $output"; false; }
	done
	terminal "$coretap" doctor --recipes --btf "$btf"
	[[ $output == *"btrfsdist           ${red}no$off"* ]] || { echo "$output"; false; }
	terminal "$coretap" doctor --color=never --btf "$btf"
	[[ $output != *$'\e'* ]] || { echo "$output"; false; }
}
