#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# docs/json-schema.json against the descriptors, against what is printed without tracing, and
# tests/lib/schema.jq, which looks at records in guests, against python3-jsonschema.

bats_require_minimum_version 1.5.0

setup_file() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	export schema=docs/json-schema.json coretap=$PWD/${BUILD:-build}/coretap
	for kernel in 5.10 6.12 7; do
		look "$(tools/fetch-kernel --btf $kernel)"
	done >"$BATS_FILE_TMPDIR/printed" 2>"$BATS_FILE_TMPDIR/err"
	records >"$BATS_FILE_TMPDIR/records"
}

# All that needs no rights, and prints JSON.
look() { # BTF
	local what
	for what in 'vfs_r*' 't:*:sched_s*' 's:open*' 'u:libc:getaddr*' 'hw:*' 'sw:*'; do
		"$coretap" argdump -j --btf "$1" -l "$what"
	done
	"$coretap" argdump -j --btf "$1" -l "u:$PWD/build/tests/work/usdt:*:*"
	for what in 'struct file' file.f_path sk_buff 'enum pid_type' umode_t 'enum perf_callchain_context'; do
		"$coretap" argdump -j --btf "$1" --type "$what"
		"$coretap" argdump -j --json-strings --btf "$1" --type "$what"
	done
	"$coretap" find -j slow disk
	"$coretap" doctor -j --btf "$1"
	"$coretap" doctor -j --meta --btf "$1" opensnoop
}

# A line of each other type, with everything that may be in it.
records() {
	cat <<-'END'
		{"type":"execsnoop","ts_ns":"9007199254740993","time":"2026-11-22T01:18:06.259186Z","comm":"a","container":"web","pid":2,"tid":2,"ppid":1,"uid":0,"gid":0,"cgroup":1,"ret":-2,"errno":"ENOENT","dirfd":"AT_FDCWD","interp":null,"exe":null,"cwd":"/","argc":1,"argv":["a",null],"path":"/a","errors":{"argv":"fault"},"cut":{"argv":5,"cwd":null}}
		{"type":"execsnoop","ts_ns":1,"time":"2026-11-22T01:18:06.259186Z","comm":"a","pid":2,"event":"exit","tid":2,"ppid":1,"uid":0,"gid":0,"cgroup":1,"ret":null,"errno":null,"dirfd":"AT_FDCWD","interp":null,"exe":null,"cwd":null,"code":null,"signal":"SIGKILL","core":false,"lived_ns":1,"age_ns":2,"cpu_ns":3,"user_ns":1,"system_ns":2,"max_rss_kib":4,"ancestors":[{"pid":1,"comm":"init"}],"env":{"A":null,"B":"b"},"argc":null,"argv":null,"path":null,"cut":{"env":3,"ancestors":null}}
		{"type":"opensnoop","ts_ns":1,"time":"2026-11-22T01:18:06.259186Z","pid":2,"tid":2,"comm":"a","fd":null,"errno":null,"ret":null,"kind":"rename","uid":0,"cgroup":1,"latency_ns":5,"dirfd":3,"mode":null,"flags":null,"resolve":[],"path":"a","full_path":"/a","new_path":"b","new_full_path":"/b"}
		{"type":"opensnoop","ts_ns":1,"time":"2026-11-22T01:18:06.259186Z","pid":2,"tid":2,"comm":"a","container":"web","fd":-1,"errno":"600","ret":-600,"kind":"open","uid":0,"cgroup":1,"latency_ns":5,"dirfd":3,"mode":"0644","flags":["O_RDONLY"],"resolve":[],"path":null,"full_path":null,"errors":{"path":"fault"}}
		{"type":"opens","time":"2026-11-22T01:18:06.259186Z","total":3,"elapsed_ns":7,"opens":3,"errno":"ENOENT","path":null,"errors":{"path":"fault"}}
		{"type":"opens","total":3,"elapsed_ns":7,"opens":3,"errno":null,"comm":"a"}
		{"type":"syssnoop","ts_ns":1,"time":"2026-11-22T01:18:06.259186Z","pid":2,"tid":2,"comm":"a","kind":"call","syscall":"read","nr":0,"abi":"64","args":{"fd":3},"ret":-2,"errno":"ENOENT","latency_ns":7,"text":"read(3, 0x1, 2) = -1 ENOENT"}
		{"type":"syscalls","time":"2026-11-22T01:18:06.259186Z","total":3,"elapsed_ns":7,"total_ns":9,"average_ns":3,"p50_ns":3,"p99_ns":null,"calls":3,"errors":1,"syscall":"read"}
		{"type":"connsnoop","ts_ns":1,"time":"2026-11-22T01:18:06.259186Z","comm":"a","pid":2,"tid":2,"event":"close","proto":"tcp","direction":"out","local":"127.0.0.1:1","peer":null,"host":"a","errno":"ECONNRESET","ret":-104,"took_ns":7,"sent":1,"received":null,"retransmits":0}
		{"type":"connsnoop","ts_ns":1,"time":"2026-11-22T01:18:06.259186Z","comm":"a","pid":2,"tid":2,"name":"a.test","qtype":"A","answer":["192.0.2.1"],"rcode":"NOERROR","server":"127.0.0.1:53","took_ns":7,"cut":{"answer":null}}
		{"type":"bashreadline","ts_ns":1,"time":"2026-11-22T01:18:06.259186Z","pid":2,"tid":2,"comm":"bash","container":"web","uid":0,"tty":null,"cgroup":1,"line":"ls","errors":{"line":"fault"},"cut":{"line":5}}
		{"type":"biosnoop","ts_ns":1,"time":"2026-11-22T01:18:06.259186Z","comm":"a","container":"web","pid":2,"tid":2,"disk":"vda","device":"vda1","rwbs":"R","op":"read","sector":null,"bytes":0,"queued_ns":null,"latency_ns":7,"errno":null,"ret":0,"requeues":0,"flags":["SYNC"],"via":"","file":null,"cut":{"file":null}}
		{"type":"biosnoop","time":"2026-11-22T01:18:06.259186Z","total":3,"elapsed_ns":7,"comm":"a","container":"web","pid":2,"disk":"vda","device":"vda","rwbs":"F","op":99,"requests":3,"bytes":0,"failed":1,"latency_ns":7}
		{"type":"biosnoop","total":3,"elapsed_ns":7,"disk":"vda","device":"vda","rwbs":"R","op":"read","latency_us":[[0,1,2]],"p50_us":0,"p90_us":6,"p99_us":null}
		{"type":"biolatency","time":"2026-11-22T01:18:06.259186Z","total":3,"elapsed_ns":7,"disk":"vda","op":99,"flags":[],"latency_us":[[0,1,2],[4,8,1]],"p50_us":0,"p90_us":6,"p99_us":null}
		{"type":"argdump","ts_ns":1,"time":"2026-11-22T01:18:06.259186Z","pid":2,"tid":2,"comm":"a","container":"web","func":"vfs_read","abi":"32-bit","errno":null,"args":{"ret":1,"x":null},"kernel_stack":["vfs_read+0x0"],"user_stack":null,"errors":{"x":"NULL: file"},"cut":{"s":null}}
		{"type":"funcgraph","ts_ns":1,"time":"2026-11-22T01:18:06.259186Z","pid":2,"tid":2,"comm":"a","func":"vfs_read","tree":1,"call":1,"parent":0,"depth":1,"duration_ns":null,"cpu":0,"torn":false,"errno":"ENOENT","args":{"count":1,"ret":-2},"errors":{"x":"fault"}}
		{"type":"count","time":"2026-11-22T01:18:06.259186Z","total":5,"elapsed_ns":7,"func":"vfs_read","by":{"comm":"a"},"count":3,"sum":-1,"avg_ns":2.5,"max(count)":null,"hist_ns":[[null,-1,3]],"hist_p50_ns(a)":4,"mine":5,"unreadable":1,"errors":{"x":"fault"},"cut":{"s":null}}
		{"type":"bpf_program","id":7,"program_type":"XDP","name":"filter","function":"parse","tag":"0011223344556677","uid":0,"params":[{"name":"ctx","ctype":"struct xdp_buff *"}],"runs":2,"run_ns":900,"why":null}
		{"type":"bpf_program","id":8,"program_type":"CGROUP_DEVICE","name":"","function":null,"tag":"0011223344556677","uid":0,"params":null,"runs":0,"run_ns":0,"why":"cannot be traced: loaded without types"}
		{"type":"bps","time":"2026-11-22T01:18:06.259186Z","id":7,"program_type":"XDP","uid":0,"maps":1,"loaded":"2026-11-22T01:18:06.259186Z","memory":4096,"name":"filter","tag":"0011223344556677","runs":2,"time_ns":900,"each_ns":450,"cpu":0.01,"pids":"1,2","map_names":"3:seen","attached":"xdp:eth0"}
		{"type":"bps","id":8,"program_type":"CGROUP_DEVICE","uid":0,"maps":0,"loaded":"2026-11-22T01:18:06.259186Z","memory":4096,"name":"","tag":"0011223344556677","pids":null,"attached":null}
		{"type":"bpf_holders","time":"2026-11-22T01:18:06.259186Z","pid":7,"comm":"a","kind":"kprobe","count":3}
		{"type":"lost","final":true,"records":3,"lost":2,"ring_full":2,"cut":1,"at_most":true}
	END
}

@test "the schema is one" {
	/usr/bin/python3 -c 'if True:
		import json, sys, jsonschema
		jsonschema.Draft202012Validator.check_schema(json.load(open(sys.argv[1])))' "$schema"
	# every $ref leads somewhere, every definition is used, and only objects without known keys take any
	[ "$(jq -r '[.. | objects | ."$ref" // empty | ltrimstr("#/$defs/")] | unique[]' "$schema")" = \
		"$(jq -r '."$defs" | keys[]' "$schema")" ]
	[ "$(jq -c '[."$defs" | to_entries[] | select(.value.properties and .value.additionalProperties != false) | .key]' "$schema")" = '["count"]' ]
}

# What a man page says of each key: KEY TAB HELP.
man_fields() { # APPLET
	"$coretap" --man "$1" | sed -n '/^\.SH FIELDS/,/^\.SH EXAMPLES/p' | sed -nE '
		s/\\-/-/g; s/\\\(aq/'\''/g; s/^\\fB(.*)\\fR$/\1/; T; N; s/\n/\t/; s/\\-/-/g; s/\\\(aq/'\''/g; s/\\&//g; s/\\\[u2026\]/…/g; s/\\://g; p'
}

@test "its keys and descriptions are those of the descriptors" {
	for applet in execsnoop opensnoop connsnoop bashreadline biosnoop biolatency bps doctor; do
		diff -u <(man_fields $applet) <(jq -r --arg applet $applet '."$defs"[$applet].properties |
			to_entries[] | select(.key | test("^(type|ts_ns|time|host_name|boot_id|kernel_release|applet|total|elapsed_ns|errors|cut)$|_ms$") | not) |
			[.key, .value.description] | @tsv' "$schema")
	done
	# of funcgraph, those that its calls have besides argdump's
	fields=$BATS_TEST_TMPDIR/fields
	man_fields funcgraph >"$fields"
	[ "$(wc -l <"$fields")" -eq 7 ]
	diff -u "$fields" <(jq -r '."$defs".funcgraph.properties | to_entries[] |
		[.key, .value.description] | @tsv' "$schema" | grep -xF -f "$fields")
	# with --milliseconds, all that is _us
	jq -e '."$defs".biolatency.properties | keys | map(select(endswith("_us"))[:-3]) ==
		map(select(endswith("_ms"))[:-3])' "$schema"
}

# docs.bats has the losses and attach methods.
@test "it has keys that only a table in the source has: those of counts" {
	[ "$(jq -r '."$defs".count.properties | del(.host_name, .boot_id, .kernel_release, .applet) | keys[]' "$schema")" = \
		"$(sed -n '/row_names\[\] = {/,/};/p' src/count/aggregate_names.c | grep -oE '"[a-z_]+"' | tr -d '"' | LC_ALL=C sort)" ]
}

faults() { jq -rn --slurpfile schema "$schema" -f tests/lib/schema.jq "$@"; }

@test "lists, types, doctor: by the schema, each type of line" {
	run -0 faults "$BATS_FILE_TMPDIR/printed" "$BATS_FILE_TMPDIR/records"
	[ -z "$output" ] || { echo "$output"; false; }
	[ "$(cat "$BATS_FILE_TMPDIR"/{printed,records} | jq -r .type | sort -u)" = \
		"$(jq -r '.anyOf[]."$ref" | ltrimstr("#/$defs/")' "$schema" | sort)" ]
}

# Each line as it is, without each of its keys, with a key more, and with each value replaced by two of five others.
mutants() {
	jq -c '., (keys_unsorted[] as $key | del(.[$key])), .unknown = {},
		([paths | select(length < 3)] as $paths | range($paths | length) as $i |
			setpath($paths[$i]; [{}, ["x"], "x", -1.5, null][$i % 5, ($i + 2) % 5]))' \
		"$BATS_FILE_TMPDIR/records" <(jq -sc 'unique_by([.type, keys])[]' "$BATS_FILE_TMPDIR/printed" | awk 'length < 300')
}

@test "schema.jq agrees with python3-jsonschema" {
	mutants >"$BATS_TEST_TMPDIR/mutants"
	/usr/bin/python3 -c 'if True:
		import json, sys, jsonschema
		schema = jsonschema.Draft202012Validator(json.load(open(sys.argv[1])))
		for line in open(sys.argv[2]):
			print(schema.is_valid(json.loads(line)))' "$schema" "$BATS_TEST_TMPDIR/mutants" >"$BATS_TEST_TMPDIR/theirs"
	jq -rn --slurpfile schema "$schema" "$(sed '/^inputs/d' tests/lib/schema.jq)"'
		inputs | if any(line_faults($schema[0]); true) then "False" else "True" end' \
		"$BATS_TEST_TMPDIR/mutants" >"$BATS_TEST_TMPDIR/ours"
	[ "$(grep -c False "$BATS_TEST_TMPDIR/theirs")" -gt 500 ]
	paste "$BATS_TEST_TMPDIR"/{theirs,ours,mutants} | awk '$1 != $2 { print; bad = 1 } END { exit bad }'
}

@test "--meta: each line identifies its machine" {
	run -0 --separate-stderr "$coretap" doctor -j --meta --btf "$(tools/fetch-kernel --btf 6.12)" opensnoop tcplife
	[ "$(jq -rc '[.host_name, .boot_id, .kernel_release, .applet]' <<<"$output" | sort -u)" = \
		"$(jq -nc '$ARGS.positional' --args "$(uname -n)" "$(cat /proc/sys/kernel/random/boot_id)" "$(uname -r)" doctor)" ]
	run -1 "$coretap" doctor --meta
	[[ $output == *"--meta has no effect without -j"* ]]
}
