#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Tools alone, and all of them beside each other and beside recipes, while more processes than processors keep them
# busy: of what was done, each tool shows or counts all, or says how much it lost.

bats_require_minimum_version 1.5.0
load wait
load disk

JOBS=8 ROUNDS=150
ALL=$((JOBS * ROUNDS))

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	disk_find
	ip link set lo up
	: >mixture-file
}

# name, what is done, the command, what jq makes of its rows
tools() {
	cat <<-END
		execsnoop|$((ALL / 4))|execsnoop -j|map(select(.type == "execsnoop" and (.argv // []) == ["mixture", "done"])) | length
		opensnoop|$ALL|opensnoop -j|map(select(.type == "opensnoop" and .path == "mixture-file")) | length
		connsnoop|$ALL|connsnoop -j --only tcp|map(select(.type == "connsnoop" and .peer == "127.0.0.1:9" and .errno != null)) | length
		biosnoop|$ALL|biosnoop -j|map(select(.type == "biosnoop" and .disk == "${DISK#/dev/}" and .bytes == 4096)) | length
		biolatency|$ALL|biolatency -j|map(select(.type == "biolatency" and (.disk // "${DISK#/dev/}") == "${DISK#/dev/}").total) | add
		syssnoop|$ALL|syssnoop -j -c -e getpgid|map(select(.syscall == "getpgid").calls) | add
	END
}
recipes() {
	cat <<-END
		killsnoop|$ALL|coretap killsnoop -j|map(select(.comm == "mixture" and .args)) | length
		statsnoop|$ALL|coretap statsnoop -j|map(select(.comm == "mixture" and (.args.path // "") == "mixture-file")) | length
		exitsnoop|$((ALL / 4 + JOBS + 1))|coretap exitsnoop -j|map(select((.comm == "mixture" or .comm == "exe") and .args)) | length
	END
}
BESIDE=(runqlat cpudist offcputime vfsstat tcpstates biotop softirqs)

start() { # NAME COMMAND…
	"${@:2}" >"$1.out" 2>"$1.err" 3>&- &
	pids+=($!)
}

stop() {
	kill -INT "${pids[@]}"
	for pid in "${pids[@]}"; do wait "$pid" || [ $? = 4 ] || { echo "a tool ends with $?"; cat ./*.err; return 1; }; done
	pids=()
}

# The sum of what a tool says at the end that it lost
lost() { sed -nE '/ so far/d; s/^[a-z]+: (warning: )?(at most )?([0-9]+) .*(lost|missed|not counted|not shown).*/\3/p' "$1.err" | awk '{n += $1} END {print n + 0}'; }

# A line of the table: NAME|DONE|…|FILTER
judge() { # HOW LINE
	local how=$1 name all seen filter
	IFS='|' read -r name all _ filter <<<"$2"
	seen=$(jq -s "$filter" "$name.out")
	printf '%s\n' "# $(uname -r) $how $name: done $all, seen $seen, lost $(lost "$name")" >&3
	((seen <= all && seen + $(lost "$name") >= all)) || { echo "$how $name: done $all, seen $seen, lost $(lost "$name")"; cat "$name.err"; return 1; }
}

@test "each tool alone: shown + lost = done" {
	local pids=() line name command
	while IFS= read -r line; do
		IFS='|' read -r name _ command _ <<<"$line"
		start "$name" $command
		wait_attached "${pids[0]}" "$name.err"
		mixture $JOBS $ROUNDS "$DISK"
		stop
		judge alone "$line"
	done < <(tools)
}

@test "all beside each other and ten recipes: shown + lost = done" {
	local pids=() line name command failed=0
	while IFS= read -r line; do
		IFS='|' read -r name _ command _ <<<"$line"
		start "$name" $command
	done < <(tools; recipes)
	for name in "${BESIDE[@]}"; do start "$name" coretap "$name"; done
	for pid in "${pids[@]}"; do wait_attached "$pid" /dev/null; done
	mixture $JOBS $ROUNDS "$DISK"
	stop
	while IFS= read -r line; do judge together "$line" || failed=1; done < <(tools; recipes)
	[ $failed = 0 ]
}
