#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Words in tables of the source that another table must have: a misspelt one would be ignored. The build itself
# refuses those of system calls (syscalls.bats).

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	coretap=$PWD/${BUILD:-build}/coretap
}

# The rows of a table of C, each on one line: TABLE FILE…
rows() {
	sed -n "/ $1\[\] = {\$/,/^};/p" "${@:2}" | tr -d '\n' | sed 's/}, *{/},\n{/g; s/},\t*{/},\n{/g'
}

@test "a type's default format is a format" {
	formats=$({ rows rules src/expr/resolve/*.c; echo; } | grep -oE '\{ *"[a-z0-9]+"' | tr -d '{ "')
	formats+=$'\n'$(printf '%s\n' {u,s,x}{8,16,32,64})
	used=$(rows defaults src/expr/resolve/*.c | sed -nE 's/.*"([a-z0-9]+)" *,? *\},?.*/\1/p' | sort -u)
	[ "$(wc -l <<<"$formats")" -gt 50 ]
	[ "$(wc -l <<<"$used")" -gt 15 ]
	unknown=$(grep -vxF -f <(echo "$formats") <<<"$used") || true
	[ -z "$unknown" ] || { echo "no format: $unknown"; false; }
}

@test "a hint about options of a tool names a tool that coretap has" {
	known=$("$coretap" --list | sed -nE 's/^ *([a-z0-9_]+) +[a-zA-Z].*/\1/p')
	used=$(sed -nE 's/^HABIT\("([a-z0-9_ ]+)".*/\1/p' src/cli/habits.def | tr ' ' '\n' | sed '/^$/d' | sort -u)
	[ "$(wc -l <<<"$used")" -gt 50 ]
	unknown=$(grep -vxF -f <(echo "$known") <<<"$used") || true
	[ -z "$unknown" ] || { echo "no tool: $unknown"; false; }
}
