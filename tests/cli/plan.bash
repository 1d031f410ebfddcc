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
