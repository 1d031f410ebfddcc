#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# syssnoop's command line: what users of strace type, and what is wrong with it.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	syssnoop=$PWD/${BUILD:-build}/syssnoop
}

refused() { # TEXT OPTION…
	run -1 "$syssnoop" --dry-run "${@:2}"
	[[ $output == *"$1"* ]] || {
		echo "syssnoop ${*:2}: $output"
		return 1
	}
}

@test "options of strace that are said in another way" {
	refused 'no -k, --stack-traces' -k
	refused 'argdump -U s:openat' --stack-traces
	refused 'env NAME=VALUE COMMAND' -E A=b -- ls
	refused 'watched, not changed' --inject=openat:error=ENOENT
	refused '-e trace=SET' --trace=openat
	refused 'a command comes after --' ls
	refused 'watched, not changed' -e inject=openat:error=ENOENT
	refused '-s 4096 more' -e read=3
}

@test "what is no path, descriptor or order" {
	refused 'a path has at most' -P "$(printf '%0300d' 0)"
	refused 'it is empty' -P ''
	refused "'x' is no list of descriptors" -e fd=3,x
	refused "'1024' is no list of descriptors" -e fd=1024
	refused "'' is no list of descriptors" -e 'fd=!'
	refused 'avg-time' -c -S size
	refused 'need -c' --top 3
	refused 'do not go with -c' -c -n 3
}

@test "-f beside a command, which is followed anyway" {
	local btf
	btf=$(tools/fetch-kernel --btf 6.12)
	run -0 "$syssnoop" --btf "$btf" --dry-run -ff -- ls
}
