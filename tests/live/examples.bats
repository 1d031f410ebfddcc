#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Each example of each --help and each command of README and docs runs as it stands there, for a short time while
# programs work, and refuses nothing: on two kernels of a run of everything, on each kernel otherwise. (What the
# commands print is the subject of the other files; that examples plan on every kernel's types, of tests/cli.)

# shellcheck disable=SC2154 # bats sets stderr, doc_commands its lists
bats_require_minimum_version 1.5.0
load ../lib/doc-commands
load verdicts
load wait

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	mkdir bin
	# programs with types and names of their own, which the documents call so
	mkdir -p /usr/local/bin
	ln -sf "$(command -v kinds)" /usr/local/bin/prog
	ln -sf /tests/work/objects /usr/local/bin/shop
	# what the examples run is not ours to test
	printf '#!/bin/sh\ncat /etc/passwd >/dev/null; exec true\n' >bin/make
	# nor has every kernel's tmpfs direct writes
	printf '#!/bin/sh\ncat /etc/passwd >big\n' >bin/dd
	chmod +x bin/make bin/dd
	[ -e /etc/hostname ] || echo guest >/etc/hostname
	installed
	PATH=$PWD/bin:$PATH
	# files of kernels, where the examples have them
	[ -e /tmp/btf ] || {
		cp /sys/kernel/btf/vmlinux /tmp/btf
		mkdir -p /boot /var/lib/coretap/btf /var/lib/node_exporter
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

# For commands, only what make install installs (tests/run-live) is coretap: not all its tools are linked, and the
# documents may not say that they are.
installed() {
	local program
	[ -d /installed ] || return 0
	mkdir -p programs
	cp -as /usr/bin/* programs
	for program in /usr/bin/*; do
		[[ ! $program -ef /usr/bin/coretap ]] || rm -f "programs/${program##*/}"
	done
	commands=$PWD/bin:/installed/bin:/tests/work:$PWD/programs
}

teardown() {
	verdicts_end 2>/dev/null
	kill "$worker" 2>/dev/null || true
	wait "$worker" 2>/dev/null || true
}

# The command, but of a process, a disk and a line (walk's in kinds.c) that exist, and for 0.2 s if it would go on; with INTERVAL and COUNT it ends.
bounded() { # COMMAND
	local command=${1/-p 1234/-p $$} name=${1%% *}
	command=${command/\/proc\/1234\//\/proc\/$$\/}
	command=${command/disk sda/disk vda} # --disk, --only-disk
	command=${command/walk.c:42/kinds.c:104}
	command=${command/b:my_filter/b:verdict_of_each_packet}
	command=${command/b:my_classifier/b:tc_shot_every}
	[[ $name != coretap ]] || name=$(cut -d' ' -f1,2 <<<"$command")
	case $command in
	"$name "*" "[0-9]" "[0-9] | "$name "[0-9]" "[0-9]) ;;
	"doctor "* | "coretap doctor"* | "coretap --list" | "coretap find "* | "coretap help "* | "coretap examples"* | "coretap tutorial" | *" -- "* | *" -l "* | *" --type "* | *" --save "* | *" --dump="* | *" --recipe "*) ;;
	*" -d "*) command=${command/-d +([0-9])/-d 0.2} ;;
	*) command="$name -d 0.2 ${command#"$name"}" ;;
	esac
	echo "$command"
}

# The guest's bash may be one that does not: a static one, for scripts.
bash_reads_lines() { argdump --dry-run u:/bin/bash:readline >/dev/null 2>&1; }

# EXAMPLES is "I N" (tests/run-live): this is kernel I of N, on each of which a part of the examples runs.
is_ours() { # NUMBER KERNELS-THAT-RUN-IT
	local i count
	read -r i count <<<"${EXAMPLES:-0 1}"
	((($1 + i) % count < $2))
}

has_sessions() { [[ $(coretap doctor -j | jq -r 'select(.name == "kprobe.session") | .answer') == yes ]]; }

# Its exit status may be 4 where a probe was already running on that CPU: 'vfs_*' call each other. Behind -- it is the
# COMMAND's, and of the tool's own errors only their text tells.
command_run() { # COMMAND [PLACE]
	local command tool=${1#coretap }
	if [[ ${1#coretap } == "syssnoop --attach kprobe.multi "* ]] && ! has_sessions; then
		echo "# this kernel has no kprobe.session: $1" >&3
		return 0
	fi
	tool=${tool%% *}
	shopt -s extglob
	command=$(bounded "${1%% && [ac]*}") # && argdump, && coretap
	[[ $1 != *" && "[ac]* ]] || command+=" && $(bounded "${1#* && }")"
	echo "runs $command" # the last one, if the test is ended because it does not
	run --separate-stderr env PATH="${commands:-$PATH}" bash -o pipefail -c "$command"
	if [[ ($status -ne 0 && $status -ne 4 && ($command != *" -- "* || $stderr == *"$tool: "*)) ||
		$stderr == *"$tool: "*cannot* ]]; then
		echo "${2:+$2: }$command: status $status"; echo "$output" | head -n 5; echo "$stderr"; false
	fi
}

examples_run() { # APPLET [KERNELS-THAT-RUN-IT]
	local example n=0
	while read -r example; do
		n=$((n + 1))
		is_ours $n "${2:-2}" || continue
		[[ $example != *bash:readline* ]] || bash_reads_lines || continue
		command_run "$example"
	done < <(coretap "$1" --help=examples | sed -n "s/^  \(coretap $1 .*\)/\1/p")
	[ "$n" -ge 3 ]
}

@test "the examples of execsnoop, opensnoop, connsnoop and bashreadline" {
	examples_run execsnoop
	examples_run opensnoop
	examples_run connsnoop
	examples_run bashreadline
}

@test "the examples of syssnoop" {
	examples_run syssnoop
}

@test "the examples of biosnoop and biolatency" {
	examples_run biosnoop
	examples_run biolatency
}

# most load all programs
@test "the examples of doctor" {
	examples_run doctor 1
}

@test "the examples of funcgraph, and of tools with other notations" {
	examples_run funcgraph
	examples_run bt
	examples_run trace
	examples_run argdist
}

@test "the examples of argdump" {
	examples_run argdump
}

# The documents show runs on 6.12: another kernel may lack a function that they name, or kprobe.multi, which is said.
is_lacking() {
	local words='this kernel (has no such function|attaches them one by one)'
	[[ $(uname -r) != 6.12.* && $stderr =~ $words ]] && echo "# not on this kernel: $(grep -E -m 1 "$words" <<<"$stderr")" >&3
}

documents_run() { # AT-LEAST FILE…
	local i
	doc_commands "${@:2}"
	[ "${#doc_texts[@]}" -ge "$1" ]
	for i in "${!doc_texts[@]}"; do
		is_ours "$i" 2 || continue
		command_run "${doc_texts[i]}" "${doc_places[i]}" || is_lacking || return
	done
}

@test "the commands of docs/language.md" {
	documents_run 30 /docs/language.md
}

@test "the commands of README" {
	documents_run 11 /README.md
}

@test "the commands of docs/usage.md" {
	documents_run 15 /docs/usage.md
}

# Those of the tutorial are of one story, with a server of its own: tools/tutorial --check.
@test "the commands of the other docs" {
	local pages
	mapfile -t pages < <(printf '%s\n' /docs/[!lu]*.md /docs/limits.md | grep -vE 'tutorial|packets')
	documents_run 15 "${pages[@]}"
}

@test "the commands of docs/packets.md, with programs of XDP and tc" {
	verdicts_begin
	documents_run 10 /docs/packets.md
	verdicts_end
}
