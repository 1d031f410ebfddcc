# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154  # bats sets output
# refused.bash - for tests of what the applets' options exclude: `load refused`.

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	build=$PWD/${BUILD:-build}
}

wrong() { # MESSAGE APPLET OPTION…
	run -1 "$build/$2" "${@:3}" --dry-run
	[[ $output == *"$1"* ]] || { echo "not '$1': $output"; false; }
}
