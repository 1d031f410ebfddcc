# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# waiting.bash: for what judges run in a guest; to be sourced there.

# A sleep without a process.
exec {never}<> <(:)
pause() { read -r -t "$1" -u "$never"; } # SECONDS
ended() { ! kill -0 "$1" 2>/dev/null; } # PID
wait_until() { # SECONDS COMMAND…
	local end=$((${EPOCHREALTIME/./} + $1 * 1000000))
	shift
	until "$@"; do
		((${EPOCHREALTIME/./} < end)) || return 1
		pause 0.05
	done
	return 0
}
