#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# doctor with --btf: what types alone can tell. Nothing is loaded and no rights are needed, so this
# runs anywhere; doctor on a running kernel is tested in guests (tests/live/doctor.bats).

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	doctor=$PWD/${BUILD:-build}/doctor
}

# A BTF with no types: header (magic, version 1, its length, no types, one byte of strings), "".
btf_empty() {
	printf '\x9f\xeb\x01\x00\x18\x00\x00\x00\0\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\0'
}

@test "every kernel at hand: each applet has an answer, and only types are looked at" {
	applets=$("${BUILD:-build}/coretap" --list | awk '!NF {exit} $1 != "doctor" {print $1}')
	for kernel in 5.10 6.1 6.12 6.18 7; do
		run -0 --separate-stderr "$doctor" -j --btf "$(tools/fetch-kernel --btf "$kernel")"
		[ -z "$stderr" ]
		[ "$(jq -r 'select(.group == "applet") | .name' <<<"$output")" = "$applets" ]
		jq -e -s 'all(.[] | select(.group == "applet"); .answer | IN("yes", "partly"))' <<<"$output"
		[ "$(jq -r 'select(.group == "kernel") | .name' <<<"$output")" = $'types (BTF)\nfields' ]
		jq -e -s 'all(.[] | select(.group == "kernel"); .answer == "yes")' <<<"$output"
		jq -e -s 'all(.[]; .group != "attach" and .group != "feature")' <<<"$output"
	done
}

@test "types without any function: nothing can be traced, exit code 2" {
	btf_empty >"$BATS_TEST_TMPDIR/btf"
	run -2 --separate-stderr "$doctor" --btf "$BATS_TEST_TMPDIR/btf"
	[[ $output == *"argdump             no"* ]]
	[[ $output == *"opensnoop           no"* ]]
	[[ $output == *"execsnoop           no"* ]]
	run -2 --separate-stderr "$doctor" -j --btf "$BATS_TEST_TMPDIR/btf"
	jq -e -s 'all(.[] | select(.group == "applet"); .answer == "no" and (.text | length) > 0)' \
		<<<"$output"
}

@test "a file that is no BTF is a usage error" {
	for file in /dev/null /etc/passwd /no/such/file; do
		run -1 "$doctor" --btf "$file"
		[[ $output == *"$file"* ]]
	done
}

@test "output that cannot be written is an error" {
	run -3 bash -c "'$doctor' --btf '$(tools/fetch-kernel --btf 6.12)' >/dev/full"
}

@test "a tool that does not exist" {
	run -1 "$doctor" --btf "$(tools/fetch-kernel --btf 6.12)" extra
}

@test "recipes: all, or those that are named; what is missing is said" {
	export XDG_CONFIG_HOME=$BATS_TEST_TMPDIR
	mkdir "$BATS_TEST_TMPDIR/coretap"
	printf 'recipe broken: x\nnosuch_function\nexample : x\n' >"$BATS_TEST_TMPDIR/coretap/broken.probe"
	btf=$(tools/fetch-kernel --btf 6.12)
	run -0 --separate-stderr "$doctor" --recipes --btf "$btf"
	[[ $output == *"vfsstat             yes     "*" vfs_read "* ]]
	[[ $output == *"broken              no      "*"nosuch_function"* ]]
	run -0 --separate-stderr "$doctor" tcpconnect opensnoop --btf "$btf"
	[[ $output == *"opensnoop  "*"tcpconnect  "* && $output != *argdump* && $output != *vfsstat* ]]
	run -2 --separate-stderr "$doctor" broken --btf "$btf"
	run -1 "$doctor" tcpconect --btf "$btf"
	[[ $output == *"no tool 'tcpconect'"* ]]
}
