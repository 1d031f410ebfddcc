# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# argdump_x86.bash - argdump for tests that name registers as on x86, as documents do: `load argdump_x86`, behind
# arch and wait.

argdump() {
	local words
	registers_here "$@"
	command argdump "${words[@]}"
}

# In the background, until it has attached: its process is `tool` (of a function it would be a shell's), its output
# in out and err.
argdump_start() {
	local words
	registers_here "$@"
	command argdump "${words[@]}" >out 2>err & tool=$!
	wait_attached "$tool"
}
