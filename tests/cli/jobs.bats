#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Jobs of every day (jobs.tbl): the first line that people type does it, or its answer names the line that does. Each line
# is planned with the types of a kernel; nothing is traced.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	coretap=$PWD/${BUILD:-build}/coretap
	export CORETAP_CACHE=${CORETAP_CACHE:-$HOME/.cache/coretap} HOME=/nonexistent
	unset XDG_CONFIG_HOME
}

planned() { # LINE
	local words
	eval "words=($1)"
	"$coretap" "${words[0]}" --dry-run --btf "$btf" "${words[@]:1}" >/dev/null 2>"$BATS_TEST_TMPDIR/err"
}

@test "the jobs: by the first line, or by the second, which the first one's answer names" {
	local job first second answer right=0 count=0
	btf=$(tools/fetch-kernel --btf 6.12)
	while IFS='|' read -r job first second; do
		[[ $job != '#'* ]] || continue
		count=$((count + 1))
		if planned "$first"; then
			[ -z "$second" ] && right=$((right + 1)) || echo "$job: $first does it"
			continue
		fi
		answer=$(<"$BATS_TEST_TMPDIR/err")
		if [[ ($second == '!'* && $answer == *"${second#!}"*) ||
			($second && $answer == *"${second%% *}"*) ]] && { [[ $second == '!'* ]] || planned "$second"; }; then
			right=$((right + 1))
		else
			echo "$job: $first: $answer"
		fi
	done <tests/cli/jobs.tbl
	[ "$right" -eq "$count" ] && [ "$count" -ge 40 ]
}
