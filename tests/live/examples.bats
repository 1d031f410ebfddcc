#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Each example of each --help runs as it stands there, for a short time while programs work, and refuses
# nothing: on two kernels of a run of everything, on each kernel otherwise. (What the commands print is the subject of the other files; that examples plan on every kernel's
# types, of tests/cli.)

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	mkdir bin
	# what the examples run is not ours to test
	printf '#!/bin/sh\ncat /etc/passwd >/dev/null; exec true\n' >bin/make
	# nor has every kernel's tmpfs direct writes
	printf '#!/bin/sh\ncat /etc/passwd >big\n' >bin/dd
	chmod +x bin/make bin/dd
	PATH=$PWD/bin:$PATH
	# files of kernels, where the examples have them
	[ -e /tmp/btf ] || {
		cp /sys/kernel/btf/vmlinux /tmp/btf
		mkdir -p /boot /var/lib/coretap/btf
		ln -sf /tmp/btf /boot/this.btf
		ln -sf /tmp/btf /var/lib/coretap/btf/6.12.90-amd64.btf
	}
	while :; do
		cat /etc/passwd /nobody >/dev/null 2>&1
		cp /etc/passwd x.conf
		sh -c 'exec /nobody' 2>/dev/null
		sleep 0.1
	done 3>&- &
	worker=$!
}

teardown() {
	kill "$worker" 2>/dev/null || true
	wait "$worker" 2>/dev/null || true
}

# The example, but of a process that exists, and for 0.2 s if it would go on.
bounded() { # EXAMPLE
	local example=${1/-p 1234/-p $$} applet=${1%% *}
	case $example in
	"doctor "* | *" -- "* | *" -l "* | *" --type "* | *" --save "* | *" --dump="*) ;;
	*" -d "*) example=${example/-d +([0-9])/-d 0.2} ;;
	*) example="$applet -d 0.2 ${example#* }" ;;
	esac
	echo "$example"
}

# The guest's bash may be one that does not: a static one, for scripts.
bash_reads_lines() { argdump --dry-run u:/bin/bash:readline >/dev/null 2>&1; }

# EXAMPLES is "I N" (tests/run-live): this is kernel I of N, on each of which a part of the examples runs.
is_ours() { # NUMBER
	local i count
	read -r i count <<<"${EXAMPLES:-0 1}"
	((($1 + i) % count < 2))
}

# Its exit status may be 4 where a probe was already running on that CPU: 'vfs_*' call each other.
examples_run() { # APPLET
	local example n=0
	shopt -s extglob
	while read -r example; do
		n=$((n + 1))
		is_ours $n || continue
		[[ $example != *bash:readline* ]] || bash_reads_lines || continue
		run --separate-stderr timeout 120 bash -o pipefail -c "$(bounded "$example")"
		# shellcheck disable=SC2154 # bats sets stderr
		if [[ ($status -ne 0 && $status -ne 4) || $stderr == *"$1: "*cannot* ]]; then
			echo "$(bounded "$example"): status $status"; echo "$output" | head -n 5; echo "$stderr"; false
		fi
	done < <("$1" --help=examples | sed -n "s/^  \($1 .*\)/\1/p")
	[ "$n" -ge 3 ]
}

@test "the examples of execsnoop, opensnoop, connsnoop and bashreadline" {
	examples_run execsnoop
	examples_run opensnoop
	examples_run connsnoop
	examples_run bashreadline
}

@test "the examples of biosnoop, biolatency and doctor" {
	examples_run biosnoop
	examples_run biolatency
	examples_run doctor
}

@test "the examples of funcgraph, and of what reads other notations" {
	examples_run funcgraph
	examples_run bt
	examples_run trace
	examples_run argdist
}

@test "the examples of argdump" {
	examples_run argdump
}
