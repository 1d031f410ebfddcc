# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# doc-commands.bash - the commands of documents, without a fork: `load ../lib/doc-commands` or source it.
#
# A file that is no .md is one console block. A command is a line of a ```sh block, or one behind "$ " in a ```console block; it goes on to the next line while
# a quote is open; comments are left out. Those of coretap are begun by sudo, coretap or a tool's name; sudo is left out here.

doc_texts=()  # commands
doc_places=() # FILE:LINE of each

doc_commands() { # FILE…
	local file line kind number quotes text place
	for file in "$@"; do
		kind='' number=0 text=''
		[[ $file == *.md ]] || kind=console
		while IFS= read -r line; do
			((++number))
			if [[ $text ]]; then
				text+=$'\n'$line
			elif [[ $line == '```'* ]]; then
				kind=${line#'```'}
				continue
			elif [[ $kind == sh && $line ]]; then
				text=${line%% # *} place=$file:$number
			elif [[ $kind == console && $line == '$ '* ]]; then
				text=${line#'$ '} place=$file:$number
			else
				continue
			fi
			quotes=${text//[!\']/}
			((${#quotes} % 2)) && continue
			text=${text%"${text##*[! ]}"}
			doc_texts+=("${text#sudo }") doc_places+=("$place")
			text=''
		done <"$file"
	done
}
