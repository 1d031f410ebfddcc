#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Defaults of options in the user's file.

bats_require_minimum_version 1.5.0

setup() {
	coretap=$PWD/${BUILD:-build}/coretap
	btf=$(tools/fetch-kernel --btf 6.12)
	config=$BATS_TEST_TMPDIR/home/.config/coretap/config
	export HOME=$BATS_TEST_TMPDIR/home
	unset XDG_CONFIG_HOME CORETAP_CONFIG
	mkdir -p "${config%/*}"
}

# Runs TOOL with the lines of stdin as defaults.
with() { # TOOL [OPTION...]
	cat >"$config"
	run -"${rc:-0}" "$coretap" "$@" --dry-run --btf "$btf"
}

@test "a default counts for each tool that has the option, those below [TOOL] for that tool" {
	with opensnoop -v <<<$'# mine\n\ncolor = never\n--failed\n[execsnoop]\nfollow'
	[[ $output == *"defaults from $config"* ]] || { echo "$output"; false; }
	with opensnoop <<<$'[execsnoop, opensnoop]\n  attach = kprobe  \n'
	[[ $output == *kprobe* && $output != *fentry* ]] || { echo "$output"; false; }
	with opensnoop <<<$'[execsnoop]\nattach = kprobe'
	[[ $output == *fentry* ]] || { echo "$output"; false; }
	with bt -v -e 'begin { exit() }' <<<$'failed' # which bt lacks
	[[ $output != *"defaults from"* ]] || { echo "$output"; false; }
	with tcplife -v <<<$'[tcplife]\nlocal = 80'
	[[ $output == *"defaults from"* ]] || { echo "$output"; false; }
}

@test "the example of docs/usage.md is valid" {
	for tool in opensnoop statsnoop tcplife runqlat; do
		with "$tool" -v < <(awk '/^```ini/ { on = 1; next } /^```/ { on = 0 } on' docs/usage.md)
		[[ $output == *"defaults from"* ]] || { echo "$output"; false; }
	done
	[[ $(cat "$config") == *"[tcplife]"* ]]
}

@test "the command line wins over a default" {
	with opensnoop --attach fentry <<<$'attach = kprobe'
	[[ $output == *"fentry    do_filp_open"* ]] || { echo "$output"; false; }
	rc=1 with opensnoop --csv <<<$'json'
	[[ $output == *"--json and --csv exclude each other"*"$config has a default"* ]] || { echo "$output"; false; }
}

@test "a wrong line is an error with its place" {
	rc=1 with opensnoop <<<$'quiet\ncolors = never'
	[[ $output == *"config:2: "*"did you mean color?" ]] || { echo "$output"; false; }
	rc=1 with opensnoop <<<$'[opensnoop]\ncolums = pid'
	[[ $output == *"config:2: opensnoop has no option"*"did you mean columns?" ]] || { echo "$output"; false; }
	rc=1 with opensnoop <<<'caller' # of opensnoop alone
	[[ $output == *"below [TOOL]"* ]] || { echo "$output"; false; }
	rc=1 with opensnoop <<<'timestamp = weeks'
	[[ $output == *"expected clock"*'timestamp = weeks'*'            ^~~~~' ]] || { echo "$output"; false; }
	rc=1 with opensnoop <<<'quiet = yes'
	[[ $output == *"has no argument"* ]] || { echo "$output"; false; }
	rc=1 with opensnoop <<<'columns'
	[[ $output == *"needs an argument"* ]] || { echo "$output"; false; }
	rc=1 with opensnoop <<<'[opnsnoop]'
	[[ $output == *"no tool has this name"* ]] || { echo "$output"; false; }
	rc=1 with opensnoop <<<'[opensnoop'
	[[ $output == *"] after the names"* ]] || { echo "$output"; false; }
	rc=1 with argdump vfs_read <<<$'[argdump]\nif = x'
	[[ $output == *"has no default"* ]] || { echo "$output"; false; }
}

@test "CORETAP_CONFIG names another file, or none" {
	echo nonsense >"$config"
	export CORETAP_CONFIG=
	run -0 "$coretap" opensnoop --dry-run --btf "$btf"
	export CORETAP_CONFIG=$BATS_TEST_TMPDIR/other
	run -1 "$coretap" opensnoop --dry-run --btf "$btf"
	[[ $output == *"cannot read defaults"* ]] || { echo "$output"; false; }
	printf 'quiet\0' >"$CORETAP_CONFIG"
	run -1 "$coretap" opensnoop --dry-run --btf "$btf"
	[[ $output == *"it has a NUL byte"* ]] || { echo "$output"; false; }
	printf 'attach = kprobe' >"$CORETAP_CONFIG"
	run -0 "$coretap" opensnoop --dry-run --btf "$btf"
	[[ $output == *kprobe* ]] || { echo "$output"; false; }
}

@test "a home of another user has no defaults" {
	[ "$(id -u)" = 0 ] || skip "only root can become another user"
	echo nonsense >"$config"
	chmod 700 "$HOME"
	cp "$coretap" "$BATS_TEST_TMPDIR/copy"
	cp "$btf" "$BATS_TEST_TMPDIR/btf"
	chmod 755 "$BATS_TEST_TMPDIR" "$BATS_TEST_TMPDIR/copy"
	chmod 644 "$BATS_TEST_TMPDIR/btf"
	chmod 755 "$BATS_RUN_TMPDIR" "${BATS_TEST_TMPDIR%/*}"
	run -0 setpriv --reuid=65534 --regid=65534 --clear-groups \
		"$BATS_TEST_TMPDIR/copy" opensnoop --dry-run --btf "$BATS_TEST_TMPDIR/btf"
	[[ $output != *"$config"* ]] || { echo "$output"; false; }
}
