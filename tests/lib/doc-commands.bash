# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# doc-commands.bash - the commands of documents, by awk, as a loop of bash is slow in a test: `load ../lib/doc-commands` or source it.
#
# A file that is no .md is one console block. A command is a line of a ```sh block, or one behind "$ " in a ```console block; it goes on to the next line while
# a quote is open; comments are left out. Those of coretap are begun by sudo, coretap or a tool's name; sudo is left out here.

doc_texts=()  # commands
doc_places=() # FILE:LINE of each

doc_commands() { # FILE…
	local commands
	mapfile -d $'\2' -t commands < <(awk '
		FNR == 1 { kind = FILENAME ~ /[.]md$/ ? "" : "console"; text = "" }
		text != "" { text = text "\n" $0; whole(); next }
		/^```/ { kind = substr($0, 4); next }
		kind == "sh" && $0 != "" { begin($0); sub(/ # .*/, "", text); whole() }
		kind == "console" && /^[$] / { begin(substr($0, 3)); whole() }
		function begin(line) { text = line; place = FILENAME ":" FNR }
		function whole(   quoted) {
			quoted = text
			if (gsub(/\047/, "", quoted) % 2)
				return
			sub(/ +$/, "", text)
			sub(/^sudo /, "", text)
			printf "%s\001%s\002", place, text
			text = ""
		}' "$@")
	doc_places+=("${commands[@]%%$'\1'*}")
	doc_texts+=("${commands[@]#*$'\1'}")
}
