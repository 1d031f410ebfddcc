#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# opensnoop --also against tests/work/renames.c, which says what it deleted and renamed, and what of it failed.
# The work is traced as JSON, by kprobes, and as text.

bats_require_minimum_version 1.5.0

hostile=($'new\nline' $'\e[31mred\e[0m' "quo'te\"s" 'back\slash' $'\xff\xc3(' $'\xe2\x80\xae' 'a # b'
	"$(printf '%255s' '' | tr ' ' n)")
hostile_json='["new\nline","\u001b[31mred\u001b[0m","quo'\''te\"s","back\\slash","\uefff\uefc3(","\u202e",
	"a # b",'"\"${hostile[-1]}\"]"

work() {
	local job
	for job in plain uring; do
		renames $job "$D" >"$W/$NAME.$job"
	done
	renames strange "$D"
	renames longest "$D"
	renames hostile "$D" "${hostile[@]}"
	return 7
}

trace() { # NAME OPTION…
	local status=0
	umount -l "$D" 2>/dev/null
	mount -t tmpfs none "$D" || return
	NAME=$1 opensnoop -o "$W/$1" --also unlink,rename "${@:2}" -- /usr/bin/bash -c \
		"$(declare -p hostile); $(declare -f work); work" 2>"$W/$1.err" || status=$?
	echo "$status" >"$W/$1.status"
}

setup_file() {
	export W=$BATS_FILE_TMPDIR D=/also
	mkdir -p "$D"
	trace json -j || return
	trace kprobe -j --attach kprobe || return
	trace text || return
}

teardown_file() { umount -l "$D"; }

# The records of deletes and renames of the Nth `renames`. io_uring does its work by threads of other names.
changes() { # N [FILE]
	jq -c -s --argjson n "$1" 'map(select(.type == "opensnoop")) |
		(map(select(.comm == "renames").pid) | unique[$n]) as $pid | map(select(.pid == $pid)) |
		.[] | select(.kind | test("^(unlink|rmdir|rename)$"))' "${2:-$W/json}"
}

agrees() { # JOB N NAME
	diff "$W/$3.$1" <(changes "$2" "$W/$3" | jq -c '[.kind, .path, .full_path, .new_path, .new_full_path, .errno]')
}

@test "each delete and rename is seen once: names, full paths, error" {
	[ "$(cat "$W"/{json,kprobe,text}.status)" = $'7\n7\n7' ]
	[ "$(wc -l <"$W/json.plain")" -eq 11 ]
	agrees plain 0 json
	agrees plain 0 kprobe
	jq -s -e 'map(select(.type == "lost"))[-1] | .final and .lost == 0' "$W/json"
}

@test "also by io_uring" {
	[ -s "$W/json.uring" ] || skip "io_uring cannot rename on this kernel"
	[ "$(wc -l <"$W/json.uring")" -eq 3 ]
	agrees uring 1 json
	agrees uring 1 kprobe
}

@test "no descriptor, flags or mode; opens are as ever" {
	changes 0 | jq -s -e 'all(.[]; (.fd == null) == (.errno == null) and .flags == null and .mode == null and
		.resolve == [] and .latency_ns > 0 and .uid == 0)'
	jq -s -e 'map(select(.comm == "renames" and .kind == "open" and (.path | startswith("/") | not))) |
		length == 15 and all(.[]; .flags != null and .new_path == null and .new_full_path == null)' "$W/json"
	jq -s -e 'map(select(.kind == "open" and .path == "sub/c")) | length == 1 and
		(.[0] | .fd > 2 and .flags == ["O_WRONLY", "O_CREAT"] and .full_path == "/also/sub/c")' "$W/json"
}

@test "names that the kernel could not read" {
	changes 2 | jq -s -e 'map([.kind, .path, .errno, .new_path]) == [
		["unlink", null, "EFAULT", null], ["unlink", "", "ENOENT", null],
		["unlink", "", "ENAMETOOLONG", null], ["rename", "e", "EFAULT", null]] and
		(map(.cut) == [null, null, {"path": null}, null]) and
		(map(.errors) == [{"path": "fault"}, null, null, {"new_path": "fault"}])'
}

@test "paths of 4095 bytes" {
	changes 3 | jq -s -e 'map([.kind, (.path | length), .path[-5:], (.new_path // "" | length), .errno]) == [
		["rename", 4095, "long1", 4095, null], ["unlink", 4095, "long2", 0, null]] and
		.[0].new_path == .[1].path and all(.[]; has("cut") | not)'
}

@test "hostile names, as JSON and as text" {
	changes 4 | jq -s -e --argjson names "$hostile_json" 'map([.kind, .path, .new_path]) ==
		[$names[] | ["rename", ., "plain"], ["rename", "plain", .], ["unlink", ., null]]'
	[ -z "$(LC_ALL=C tr -d '\12\40-\176\342\200\246' <"$W/text")" ] # …
	grep -qE ' - 0 +rename +a # e$' "$W/text"
	grep -qE ' -1 EEXIST +rename +b # c$' "$W/text"
	grep -qE ' - 0 +rename +new\\nline # plain$' "$W/text"
	grep -qE ' -1 ENOTDIR +rmdir +c$' "$W/text"
}

rows() { # OPTION…: kind, error and paths of what `renames plain` did
	rm -rf "${D:?}"/*
	opensnoop -o "$W/rows" "$@" -- renames plain "$D" >/dev/null
	awk '/^ *PID/ { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["KIND"] ~ /unlink|rmdir|rename/ { $1 = $2 = $3 = ""; $0 = $0; $1 = $1; print }' "$W/rows"
}

@test "--also selects kinds, -x and --path select by either name of a rename; -F" {
	[ "$(rows --also unlink | cut -d ' ' -f 2 | uniq -c | xargs)" = '4 unlink 2 rmdir' ]
	[ "$(rows --also rename | wc -l)" -eq 5 ]
	[ "$(rows --also unlink,rename --path c)" = $'0 rename c # c\n0 rename b # c\nEEXIST rename b # c\nENOTDIR rmdir c' ]
	[ "$(rows --also unlink,rename --path e)" = '0 rename a # e' ]
	[ "$(rows --also rename --also unlink -x -F)" = "$(cat <<-'END'
		EEXIST rename /also/b # /also/c
		ENOENT rename /also/none # /also/other
		ENOENT unlink /also/none
		EISDIR unlink /also/sub
		ENOTDIR rmdir /also/c
	END
	)" ]
}

@test "without --also they are not traced" {
	opensnoop -o "$W/rows" --all -- renames uring "$D"
	grep -q ' open  *u$' "$W/rows"
	[ "$(grep -cE ' (unlink|rmdir|rename) ' "$W/rows")" -eq 0 ]
}
