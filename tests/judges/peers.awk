# SPDX-License-Identifier: GPL-2.0-only
# peers.awk: the command lines in texts that show how tools are used, as TOOL, tab, arguments. A line has a prompt, or
# begins with a tool's name below "examples:". Files whose names end with .man are manual pages, of which only the
# examples count.
#
#	-v names="a b c"	the tools; "perf probe" is one if perf is

BEGIN {
	count = split(names, list, " ")
	for (i = 1; i <= count; i++)
		known[list[i]] = 1
}

# Reads quotes. Returns where the text stops being one command's: at a comment, pipe, redirection or the next command;
# 0: nowhere. open_quote is set if a quote does not end.
function stop_find(s,   i, c, before) {
	open_quote = ""
	for (i = 1; i <= length(s); i++) {
		c = substr(s, i, 1)
		before = i == 1 ? " " : substr(s, i - 1, 1)
		if (c == "\\" && open_quote != "'")
			i++
		else if (open_quote)
			open_quote = c == open_quote ? "" : open_quote
		else if (c == "'" || c == "\"")
			open_quote = c
		else if (c ~ /[|;>&]/ || (c == "#" && before ~ /[ \t]/))
			return i
	}
	return 0
}

function print_line(s,   stop, name) {
	stop = stop_find(s)
	if (stop)
		s = substr(s, 1, stop - 1)
	gsub(/[ \t]+/, " ", s)
	sub(/( [12])? $/, "", s)
	name = s
	sub(/ .*/, "", name)
	print name "\t" substr(s, length(name) + 2)
}

# The command from its tool's name on; "": there is none.
function command_of(s,   name, has_prompt) {
	has_prompt = sub(/^[ \t]*[a-z@:~\/-]*[#$%][ \t]*/, "", s)
	sub(/^[ \t]*(sudo[ \t]+)?/, "", s)
	name = s
	sub(/[ \t].*/, "", name)
	s = substr(s, length(name) + 1)
	sub(/^.*\//, "", name)
	sub(/(\.py)?(-bpfcc|-perf)?$/, "", name)
	if (!(name in known) || (!has_prompt && !(in_examples && (is_indented || name == own))))
		return ""
	return name s
}

function line_read(s) {
	if (pending != "") {
		sub(/^[ \t]+/, " ", s)
		pending = pending s
	} else {
		is_indented = s ~ /^[ \t]/
		if (s ~ /^[ \t]*(usage|USAGE)/)
			in_examples = 0
		if (s ~ /^[ \t]*([Ee]xamples?|EXAMPLES?):/)
			in_examples = 1
		pending = command_of(s)
		if (pending == "")
			return
	}
	if (sub(/\\$/, " ", pending))
		return
	if (!stop_find(pending) && open_quote && length(pending) < 600) {
		pending = pending " "
		return
	}
	print_line(pending)
	pending = ""
}

FNR == 1 {
	pending = section = ""
	in_examples = 0
	is_manual = FILENAME ~ /\.man$/
	own = FILENAME
	sub(/^.*\//, "", own)
	sub(/(_example\.txt|\.man)$/, "", own)
}

!is_manual {
	sub(/\r$/, "")
	line_read($0)
	next
}

/^\.SH/ {
	section = $2
	pending = ""
	next
}

# .B COMMAND, # COMMAND, or \&./perf COMMAND
section ~ /EXAMPLE/ && (/^(\.B |[#$] |\\&\.\/)/ || pending != "") {
	sub(/^\.B +/, "# ")
	sub(/^\\&/, "# ")
	gsub(/\\-/, "-")
	gsub(/\\\(aq|\\\*\(Aq/, "'")
	gsub(/\\\(dq/, "\"")
	gsub(/\\f[BIRP]|\\&/, "")
	gsub(/\\e|\\\\|\\\(rs/, "\\")
	gsub(/<[a-z]+ pid>/, "1")
	gsub(/"""?/, "\"")
	gsub(/ or (\.\/|perf )/, "\n# &")
	count = split($0, parts, "\n")
	for (part = 1; part <= count; part++) {
		sub(/^#  or /, "# ", parts[part])
		line_read(parts[part])
	}
}
