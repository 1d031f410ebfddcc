#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# execsnoop --exit, --tree and --env against tests/work/ends.c, which says what wait4(2) told it of each
# process. The work is traced once as JSON and once as text.

bats_require_minimum_version 1.5.0

trace() { # NAME OPTION…
	local status=0
	execsnoop -o "$1" --exit --tree "${@:2}" 2>"$1.err" || status=$?
	echo $status >"$1.status"
}

setup_file() {
	export W=$BATS_FILE_TMPDIR
	cd "$W" || return # for the core
	trace json -j --env A,EMPTY --env AB,LATE -- /usr/bin/bash -c \
		'ends all >ways; ends deep 20; ends env; exit 7'
	trace text --env A,LATE -- /usr/bin/bash -c \
		'ends deep 20; ends env; ends kill; ends core; exec ends realtime'
}

# Each end with its exec and with what `ends` said of it: [exec, exit, said].
ends() { # CONDITION
	jq -s -e '(map(select(.event == "exit"))) as $ends | (map(select(.event == "exec"))) as $execs |
		(map(select(.way))) as $said | [$said[] | . as $s |
		[($execs | map(select(.pid == $s.pid))[0]), ($ends[] | select(.pid == $s.pid)), $s]] |
		if length == 10 then . else error("\(length) ends") end |
		map({key: .[2].way, value: {exec: .[0], end: .[1], said: .[2]}}) | from_entries |
		if '"$1"' then true else
		error(map_values([.end.lived_ns, .end.age_ns, .end.cpu_ns, .end.max_rss_kib, .said]) | tojson) end' \
		"$W/json" "$W/ways"
}

@test "each program has one end, each end its exec; statuses are passed on; nothing is lost" {
	[ "$(cat "$W"/{json,text}.status)" = $'7\n168' ] # 128 + 40
	# execs: bash, ends all, the ways, one twice, deep and its last, env and its two; ends: once a process
	jq -s -e 'map(select(.type == "execsnoop")) |
		(map(select(.event == "exec" and .ret == 0)) | length) == 18 and
		(map(select(.event == "exec" and .ret != 0)) | length) == 1 and
		(map(select(.event == "exit")) | length) == 17 and
		(map(select(.event == "exit") | .pid) | unique | length) == 17' "$W/json"
	jq -s -e 'map(select(.type == "lost"))[-1] | .final and .lost == 0' "$W/json"
}

@test "status: code, signal, core, the last thread's" {
	ends 'map_values([.end.code, .end.signal, .end.core]) == {"code": [3, null, false],
		"kill": [null, "SIGKILL", false], "core": [null, "SIGSEGV", true],
		"realtime": [null, 40, false], "thread": [5, null, false], "burn": [0, null, false],
		"memory": [0, null, false], "sleep": [255, null, false], "again": [3, null, false],
		"fork": [0, null, false]}'
}

@test "time: since the exec, since the fork, of the CPU; memory as wait4(2) tells it" {
	# wait4's two times are cut to microseconds
	ends 'all(.[]; .end.lived_ns < .end.age_ns and .end.age_ns < .said.span_ns and
		.end.cpu_ns < .said.cpu_ns + 2000 and .end.max_rss_kib == .said.rss and
		.end.user_ns + .end.system_ns == .end.cpu_ns and .end.cpu_ns > 0)'
	# it asked the kernel for its CPU time until it was 200 ms
	ends '.burn.end.cpu_ns > 199000000 and
		.burn.end.age_ns > 199000000 and .burn.end.lived_ns > 100000000 and .memory.end.max_rss_kib > 32768 and
		.sleep.end.lived_ns >= 300000000 and .thread.end.lived_ns >= 50000000'
	# since the last exec
	ends '.again.end.lived_ns < .again.end.age_ns'
}

@test "an exec has no end's values, an end none of an exec" {
	ends 'all(.[]; .exec | [.code, .signal, .core, .lived_ns, .age_ns, .cpu_ns, .user_ns, .system_ns,
		.max_rss_kib] | all(. == null))'
	ends 'all(.[]; .end | [.ret, .errno, .argv, .argc, .path, .exe, .cwd, .interp, .ancestors, .env] |
		all(. == null))'
	ends 'all(.[]; .end.comm == .exec.comm and .end.uid == 0 and .end.cgroup == .exec.cgroup and
		.end.ppid == .exec.ppid and .end.ts_ns > .exec.ts_ns)'
}

@test "-x: only those that failed, in any way" {
	execsnoop -o "$W/x" -x --exit -- /usr/bin/bash -c \
		'ends code; ends fork; ends kill; execs run /none none; ends again; :'
	# of a process that executed again the name is the last one
	[ "$(awk 'NR > 1 { print $1, $3, $5, $6 }' "$W/x")" = "$(cat <<-'END'
		ends exit - 3
		ends exit - SIGKILL
		execs exec -ENOENT -
		execs exit - 2
		exe exit - 3
	END
	)" ] || { cat "$W/x"; false; }
}

@test "ancestors: the oldest first, the last is the parent; of more than 16 the nearest" {
	jq -s -e 'map(select(.event == "exec" and .ret == 0)) | length == 18 and
		all(.[]; .ancestors[-1].pid == .ppid)' "$W/json"
	jq -s -e '(map(select(.argv[-1] == "deep")) | if length == 1 then .[0] else error end) |
		(.ancestors | length) == 16 and .cut == {"ancestors": null} and
		(.ancestors | map(.comm)) == [range(17; 1; -1) | "e\n\u001b\(.)"]' "$W/json"
	jq -s -e '(map(select(.argv[1] == "deep"))[0]) | .ancestors[0].pid == 1 and
		(.ancestors[-2:] | map(.comm)) == ["execsnoop", "bash"] and (has("cut") | not)' "$W/json"
	grep -qE '…─e\\n\\x1b17\([0-9]+\)─e\\n\\x1b16\([0-9]+\)─.*─e\\n\\x1b2\([0-9]+\) ' "$W/text"
	grep -qE ' init\(1\)─.*execsnoop\([0-9]+\)─bash\([0-9]+\) .* ends deep 20$' "$W/text"
}

env_is() { # WORD CONDITION
	jq -s -e "map(select(.argv[-1] == \"$1\")) | if length == 1 then .[0] else error(\"\(length)\") end |
		if $2 then true else error(tojson[:2000]) end" "$W/json"
}

@test "environment: of the new program, control bytes, the first of a name, cut values" {
	env_is nasty '.env == {"A": "x\n\u001b[31m \uefff'\''\"\\", "EMPTY": "", "AB": null, "LATE": "1"}'
	env_is large '.env == {"A": "1", "EMPTY": null, "AB": null, "LATE": null} and .cut == {"env": 4486}'
	env_is failed '.env == {"A": "x\n\u001b[31m \uefff'\''\"\\", "EMPTY": "", "AB": null, "LATE": "1"} and .ret == -2'
	grep -qF " \$'A=x\\n\\x1b[31m \\xff\\'\"\\\\' LATE=1 ends code nasty" "$W/text"
	grep -q ' A=1 …(+4486 bytes)  *ends code large$' "$W/text"
	grep -qE '\) +-  *ends deep 20$' "$W/text"
	# cut where nothing is missing of what was asked for
	execsnoop -o "$W/found" -j --env A -- /usr/bin/bash -c 'ends env; :'
	jq -s -e 'map(select(.argv[-1] == "large"))[0] | .env == {"A": "1"} and (has("cut") | not) and
		(has("event") or has("ancestors") | not)' "$W/found"
}

@test "environment: of failed execs by every system call; unreadable values" {
	local calls='"one","two"'
	[ "$HOSTTYPE" != x86_64 ] || calls+=',"three","four"'
	execsnoop -x -o "$W/calls" -j --env EXECS,A -- /usr/bin/bash -c 'execs run /none one; execs at / none two
		execs compat /none three; execs compat-at / none four; :'
	jq -c '[.argv, .ret, .env]' "$W/calls" >&2
	jq -s -e "map([.argv[0], .ret, .env.EXECS, .env.A]) == ([$calls] | map([., -2, \"1\", null]))" "$W/calls"
	execsnoop -x -o "$W/bad" -j --env A,LATE,NO -- ends bad-env
	jq -c '[.path, .env, .cut, .errors]' "$W/bad" >&2
	jq -s -e 'map(select(.argv[1] == "code") | [.path, .env.A, .env.LATE, .env.NO, (.cut // {} | has("env")), .cut.env]) == [
		["/bad", "1", "1", null, true, null], ["/large", "1", null, null, true, 4480],
		["/nowhere", null, null, null, true, null], ["/null", null, null, null, false, null]]' "$W/bad"
}

@test "text: STATUS of ends; no byte that could drive a terminal" {
	grep -qE '^ends +[0-9]+ exit +[0-9]+ +- SIGKILL +[0-9.]+[mu]?s +[0-9.]+[mu]?s +[0-9]+ -  *-  *-$' "$W/text"
	[ "$(awk '$3 == "exit" { print $6 }' "$W/text" | sort | uniq -c | xargs)" = \
		"$(printf '%s\n' '2 0' '3 3' '1 SIG40' '1 SIGKILL' '1 SIGSEGV,core' | xargs)" ] || { cat "$W/text"; false; }
	[ -z "$(LC_ALL=C tr -d '\12\40-\176\342\200\246\224' <"$W/text")" ] # … ─
}
