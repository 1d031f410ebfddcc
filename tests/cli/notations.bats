#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# One-liners of bcc (notations.case): what they become, and that it can be planned on
# every kernel. Needs no root and traces nothing.

# shellcheck disable=SC2016 # programs of other languages
bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	coretap=$PWD/${BUILD:-build}/coretap
	# the options of --btf FILE --dry-run stand behind the tool's name
	plan=(--dry-run --btf)
}

# Calls CHECK KERNEL EXPECTED TOOL ARGUMENT... for each case; prints those that fail.
each_case() { # CHECK KERNEL
	local line expected failed=0 btf
	btf=$(tools/fetch-kernel --btf "$2")
	while IFS= read -r line; do
		[[ $line == \#* || ! $line ]] && continue
		IFS= read -r expected
		eval "set -- '$1' '$2' $line"
		"$1" "$btf" "${expected#$'\t'}" "${@:3}" || { echo "$2: $line"; failed=1; }
	done <tests/cli/notations.case
	return $failed
}

# What is printed first, but for notes that something is not needed.
translated() { # BTF EXPECTED TOOL ARGUMENT...
	local said text=${2#\~ }
	text=${text#[-!] }
	text=${text% <- *} # tests/unit looks at the place
	said=$("$coretap" "$3" "${plan[@]}" "$1" "${@:4}" 2>&1 >/dev/null) || true
	[[ $'\n'$said$'\n' == *$'\n'"$3: $text"$'\n'* ]] || { printf '%s\nexpected: %s\n' "$said" "$text"; false; }
}

planned() { # BTF EXPECTED TOOL ARGUMENT...
	local status=0
	[[ $2 == \~* ]] && return
	"$coretap" "$3" "${plan[@]}" "$1" "${@:4}" >"$BATS_TEST_TMPDIR/out" 2>&1 || status=$?
	case $2 in
	!*) [ $status -eq 1 ] ;;
	-*) [ $status -eq 0 ] ;;
	*) [ $status -eq 0 ] && [ -s "$BATS_TEST_TMPDIR/out" ] ;;
	esac || { cat "$BATS_TEST_TMPDIR/out"; false; }
}

@test "one-liners become these words, or are refused for these reasons" {
	each_case translated 6.12
}
@test "one-liners are planned on 5.10" {
	each_case planned 5.10
}
@test "one-liners are planned on 6.1" {
	each_case planned 6.1
}
@test "one-liners are planned on 6.12" {
	each_case planned 6.12
}
@test "one-liners are planned on 6.18" {
	each_case planned 6.18
}
@test "one-liners are planned on 7.x" {
	each_case planned 7
}

@test "a mistake is shown in its line" {
	btf=$(tools/fetch-kernel --btf 6.12)
	run -1 "$coretap" trace "${plan[@]}" "$btf" 'p::vfs_read (arg3 >) "x"'
	[[ ${lines[2]} == "                       ^" ]]
}

@test "letters of bcc's options have the same meaning" {
	btf=$(tools/fetch-kernel --btf 6.12)
	run -0 "$coretap" trace "${plan[@]}" "$btf" -t -p 1 -L 2 -K 'p::vfs_read "%d", arg3'
	[[ $output == *"argdump -p 1 -t 2 -k -Trel vfs_read 'arg3=\$arg3'"* && $output == *kernel_stack* ]]
	run -0 "$coretap" trace "${plan[@]}" "$btf" --uid 0 --comm cat vfs_read
	[[ ${lines[0]} == "trace: argdump -u 0 -c cat vfs_read" ]]
	run -0 "$coretap" trace "${plan[@]}" "$btf" -j -T vfs_read # JSON has the times anyway
	[[ ${lines[0]} == "trace: argdump -j vfs_read" ]]
	run -0 "$coretap" trace "${plan[@]}" "$btf" -f x vfs_read
	[[ ${lines[0]} == "trace: argdump --contains x vfs_read" ]] || { echo "$output"; false; }
	run -0 "$coretap" trace "${plan[@]}" "$btf" -b 64 -I linux/fs.h vfs_read
	[[ ${lines[0]} == *"BTF"* || ${lines[1]} == *"BTF"* ]]
	for tool in trace argdist; do
		[ -z "$("$coretap" "$tool" --help=options | grep -oE '^  -[A-Za-z]' | sort | uniq -d)" ]
		[ -z "$("$coretap" --man "$tool" | grep -oE '^.fB.-[A-Za-z]' | sort | uniq -d)" ]
	done
}
