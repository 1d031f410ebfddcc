# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# verdicts.bash - the work program `verdicts`, which has three BPF programs loaded while it runs: `load verdicts`.

# Its process is in $work, its input is descriptor 7, what it writes is in the file `sent`.
verdicts_begin() {
	ip link set lo up
	mkfifo in
	verdicts /tests/work/verdicts.o <in >sent 2>&1 3>&- &
	work=$!
	exec 7>in
	wait_until grep -qx ready sent || { cat sent; false; }
}

verdicts_end() {
	exec 7>&-
	wait "$work" 2>/dev/null || true
}
