# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# plan.bash - argdump's plans of vfs_read by a real kernel's types, without tracing: `load plan`.

setup_file() {
	cd "$(dirname "$BATS_TEST_FILENAME")/../.." || return
	export btf
	btf=$(tools/fetch-kernel --btf 6.12)
}

# shellcheck disable=SC2034 # for the tests
setup() { argdump=${BUILD:-build}/argdump; }

plan() { run "$@" --dry-run --btf "$btf" vfs_read; }

# Ends with STATUS, and says TEXT on stderr.
said() { # STATUS TEXT ARGUMENT...
	local expected=$1 text=$2
	shift 2
	# shellcheck disable=SC2154 # bats sets stderr
	run --separate-stderr "$argdump" --dry-run --btf "$btf" "$@"
	[ "$status" -eq "$expected" ] && [[ $stderr == *"$text"* ]] ||
		{ printf '%s: status %s: %s\nwants %s: %s\n' "$*" "$status" "$stderr" "$expected" "$text"; false; }
}

# Refused with exit status 1, for the reason TEXT.
wrong() { said 1 "$@"; } # TEXT ARGUMENT...

# Goes on, with a warning that has TEXT.
warned() { said 0 "warning: $1" "${@:2}"; } # TEXT ARGUMENT...
