#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# --listen: the events of the live view. The page itself is tested on the host (tests/view).

# shellcheck disable=SC2016  # words of other shells
bats_require_minimum_version 1.5.0
load wait

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

teardown() {
	[[ ! ${tool:-} ]] || { kill "$tool" && wait "$tool"; } 2>/dev/null || true
}

# Starts a tool that listens.
listening() { # TOOL OPTION…
	"$@" 2>err & tool=$!
	wait_attached "$tool"
}

# Asks for the events; the answer goes to FILE until the end.
read_events() { # FILE [HEADER…]
	local file=$1 header
	shift
	exec 5<>/dev/tcp/127.0.0.1/9435
	printf 'GET /events HTTP/1.1\r\nHost: localhost:9435\r\n' >&5
	for header; do
		printf '%s\r\n' "$header" >&5
	done
	printf '\r\n' >&5
	cat <&5 >"$file" & reader=$!
	exec 5>&-
	wait_until grep -q '^event: state' "$file"
}

asked() { # PATH [HEADER]
	exec 5<>/dev/tcp/127.0.0.1/9435
	printf 'GET %s HTTP/1.1\r\n%s\r\n\r\n' "$1" "${2-Host: localhost}" >&5
	head -n 1 <&5 | cut -d' ' -f2
	exec 5>&-
}

rows() { # FILE
	grep -A1 '^id: ' "$1" | sed -n 's/^data: //p'
}

# The data of the last event of a type.
last() { # TYPE FILE
	awk -v type="event: $1" '$0 == type { text = ""; on = 1; next }
		on && sub(/^data: /, "") { text = text $0 "\n"; next }
		{ on = 0 }
		END { printf "%s", text }' "$2"
}

stop() {
	kill -INT "$tool"
	wait "$tool" || true
}

@test "the rows are those of -j, whatever names are in them" {
	cp "$(type -P bash)" hostile
	listening opensnoop -j -o table --listen 9435 -c hostile
	read_events events
	./hostile -c 'for name; do : <"./$name"; done' hostile '<img src=x onerror=alert(1)>' '</script><script>alert(1)</script>' \
		$'a\n\nevent: end\ndata: {}\n\n' $'\e[2J\xff\xfe' '&lt;b&gt;"'\' last 2>/dev/null || true
	wait_until grep -q '"path":"./last"' table
	stop
	wait "$reader"
	rows events >got
	cmp got table
	[ "$(grep -c '^event: end$' events)" = 1 ]
	[[ $(last end events) == '{"type":"end","records":'"$(wc -l <table),"*'"lost":0,"kinds":{}}' ]] || { cat events; false; }
	grep -qF '<img src=x onerror=alert(1)>' got
}

# Without what differs between two runs at the same time, and the blanks of a line of strace, whose prefix they align.
same_row() { jq -c 'del(.latency_ns, .ts_ns, .time) | if .text then .text |= gsub(" +"; " ") else . end' "$1" | sort; } # FILE

@test "rows of tables have all that -j prints at the same time" {
	local names beside
	cp "$(type -P bash)" outer
	for names in 'opensnoop -c outer' 'execsnoop -c outer' 'syssnoop -c outer -e openat,dup2'; do
		# shellcheck disable=SC2086  # words
		listening ${names/syssnoop -c/syssnoop --comm} -o table --listen 9435
		read_events events
		# shellcheck disable=SC2086  # words
		${names/syssnoop -c/syssnoop --comm} -j -o wanted 2>err.beside & beside=$!
		wait_attached "$beside" err.beside
		./outer -c ': <none; : </dev/null; /bin/true; exec /bin/none' 2>/dev/null || true
		kill -INT "$beside"
		wait "$beside"
		stop
		wait "$reader"
		rows events >got
		[ -s wanted ]
		diff <(same_row got) <(same_row wanted)
		[[ $(jq -r .time got) != *null* ]]
	done
}

@test "calls of trees are rows" {
	listening funcgraph -o table --listen 9435 -c many do_sys_openat2
	read_events events
	opens many 2 3 >opened
	wait_until grep -q '^id: 2$' events
	stop
	wait "$reader"
	[ "$(rows events | jq -r .func | grep -c '^do_sys_openat2$')" -ge 3 ] || { cat events; false; }
}

@test "counts: the last report is that of -j" {
	listening opensnoop --count -j -o table --listen 9435 -c many
	read_events events
	opens many 2 100 >opened
	stop
	wait "$reader"
	[ "$(last report events | head -n 1)" = "{\"type\":\"report\",\"rows\":$(wc -l <table),\"omitted\":0}" ]
	last report events | sed 1d | jq -c 'del(.elapsed_ns)' >got
	jq -c 'del(.elapsed_ns)' table >wanted
	[ -s wanted ]
	diff got wanted
}

@test "programs of bt: rows as -f json has them, and maps" {
	listening bt -f json -o table --listen 9435 -e 'tracepoint:syscalls:sys_enter_openat /comm == "many"/ {
		@n = count(); @by[str(args.filename)] = count(); @h = hist(args.flags); printf("%s %d\n", comm, 1); }'
	read_events events
	opens many 2 10 >opened
	wait_until grep -q '^id: 10$' events
	stop
	wait "$reader"
	diff <(rows events) <(grep '"printf"' table)
	diff <(last report events | sed 1d | sort) <(grep -E '"type": "(map|hist)"' table | sort)
	[ "$(last report events | wc -l)" = 4 ]
}

@test "stacks: the last are those of --folded" {
	listening profile -o table --listen 9435 -c spin
	read_events events
	cp "$(type -P bash)" spin
	timeout 0.5 ./spin -c 'while :; do :; done' || true
	stop
	wait "$reader"
	last stacks events | sed 1d | sort >got
	[ -s table ]
	diff got <(sort table)
}

@test "a reader that takes nothing is told what it misses, and the tracing goes on" {
	listening opensnoop -j -o table --buffer 32M --listen 9435 -c many
	exec 6<>/dev/tcp/127.0.0.1/9435
	printf 'GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n' >&6
	wait_until eval "asked /metrics | grep -q 200"
	opens many 2 60000 >opened
	wait_until has_lines 60000 table
	cat <&6 >events
	exec 6>&-
	stop
	got=$(rows events | wc -l) missed=$(last missed events | jq .rows)
	echo "got $got, missed $missed"
	[ "$got" -gt 0 ]
	[ "$missed" -gt 0 ]
	[ "$(rows events | jq -s length)" = "$got" ] # all whole
	[ "$((got + missed))" -le 60000 ]
	[[ $(<err) == *"--listen: $missed rows were not sent to readers that were too slow"* ]] || { cat err; false; }
	[ "$(wc -l <table)" = 60000 ]
}

@test "a reader that comes back is told what it missed meanwhile" {
	listening opensnoop -j -o table --listen 9435 -c many
	opens many 2 50 >opened
	wait_until has_lines 50 table
	read_events events 'Last-Event-ID: 20'
	stop
	wait "$reader"
	[ "$(last missed events)" = '{"rows":30}' ]
}

@test "another address than this machine's own needs the token; /metrics does not" {
	listening opensnoop -j -o table --listen 0.0.0.0:9435 -c many
	token=$(grep -o 'token=[0-9a-f]\{32\}' err)
	[ "$(asked /)" = 403 ]
	[ "$(asked /events)" = 403 ]
	[ "$(asked "/events?token=${token#*=}0")" = 403 ]
	[ "$(asked "/?$token")" = 200 ]
	[ "$(asked "/events?$token")" = 200 ]
	[ "$(asked /metrics)" = 200 ]
	[[ $(<err) == *'whoever can reach this address can read the metrics, and, with the token, the rows'* ]]
	stop
}

@test "this machine's own address needs its own name as the host" {
	listening opensnoop -j -o table --listen 9435 -c many
	[ "$(asked / 'Host: localhost:9435')" = 200 ]
	[ "$(asked / 'Host: rebound.example:9435')" = 403 ]
	[ "$(asked /events 'Host: rebound.example')" = 403 ]
	[ "$(asked /metrics 'Host: rebound.example')" = 200 ]
	stop
}
