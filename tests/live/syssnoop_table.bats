#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC2016  # awk expands it
# The table of system calls against what this kernel itself says of them: the formats of its tracepoints.

bats_require_minimum_version 1.5.0

# Prints "NAME ARGUMENT…" of each call that the kernel has, by the names that users call it.
kernels_calls() {
	awk '
	function end() { if (name) print name args; args = "" }
	/^name: sys_enter_/ {
		end()
		name = substr($2, 11)
		sub(/^new(stat|fstat|lstat|uname)$/, "&", name) && sub(/^new/, "", name)
		name = name == "sendfile64" ? "sendfile" : name == "umount" ? "umount2" : name
		sub(/^arm64_/, "", name)
		if (name == "fadvise64_64") name = "fadvise64"
	}
	/field:/ && !/common_|__syscall_nr|__data_loc/ { sub(/;.*/, ""); sub(/.*[ *]/, ""); args = args " " $0 }
	END { end() }' /sys/kernel/tracing/events/syscalls/sys_enter_*/format
}

@test "calls and their arguments are those of this kernel, by name" {
	cd "$BATS_TEST_TMPDIR" || return
	awk -v machine="$(uname -m)" '/^[a-z_]/ && $1 !~ /\// && ($1 !~ /@/ || index($1, machine)) {
		sub("@.*", "", $1)
		args = ""
		for (i = 3; i <= NF; i++)
			if ($i !~ /^=/ && split($i, half, ":") == 2) args = args " " half[1]
		print $1 args
	}' /syscalls/calls.tbl >ours
	kernels_calls >theirs
	[ "$(wc -l <theirs)" -gt 300 ]
	# the last argument of bpf is newer than the others, that of reboot is of one command
	awk '{ sub(/ size_common$/, ""); sub(/^reboot.* cmd arg$/, "reboot magic1 magic2 cmd") } NR == FNR { has[$0] = 1; next } !($0 in has)' ours theirs >differ
	cat differ
	[ ! -s differ ]
}
