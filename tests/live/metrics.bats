#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# --openmetrics and --listen: metrics of known workloads, in the file and by HTTP; whoever asks for
# something else, or too slowly.

# shellcheck disable=SC2016  # $NAME of argdump
bats_require_minimum_version 1.5.0
load wait

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	echo x >some
}

teardown() {
	[[ ! ${tool:-} ]] || { kill "$tool" && wait "$tool"; } 2>/dev/null || true
}

# Prints the lines of FILE with that name and those labels.
samples() { grep -F "$2" "$1" | grep -E "^$3[{ ]"; } # FILE PART NAME

is() { # FILE LINE
	grep -qxF -- "$2" "$1" || { echo "no line $2"; cat "$1"; false; }
}

# No name twice, each with HELP and TYPE in front of its samples, and the end.
well_formed() { # FILE
	[ "$(tail -n 1 "$1")" = '# EOF' ]
	awk '/^# HELP/ { help = $3; if (seen[$3]++) exit 1 } /^# TYPE/ { if ($3 != help) exit 1 }
		!/^#/ { name = $1; sub(/\{.*/, "", name); if (index(name, help) != 1) exit 1
			line = $0; sub(/ [^ ]*$/, "", line); if (lines[line]++) exit 1 }' "$1" || { cat "$1"; false; }
}

@test "counts: the values of the table, with keys as labels" {
	run -0 opensnoop --count --openmetrics out.prom -c many,names -- bash -c 'opens many 2 1001; opens names $'"'"'a"b\nc'"'"
	well_formed out.prom
	is out.prom 'coretap_opensnoop_opens_total{errno="ENOENT",path="m-none"} 667'
	is out.prom 'coretap_opensnoop_opens_total{errno="0",path="/dev/null"} 334'
	is out.prom 'coretap_opensnoop_opens_total{errno="ENOENT",path="a\"b\\nc"} 1' ||
		is out.prom 'coretap_opensnoop_opens_total{errno="0",path="a\"b\\nc"} 1'
	is out.prom 'coretap_lost_total{applet="opensnoop",kind="keys_full"} 0'
	[ "$(samples out.prom "kernel_release=\"$(uname -r)\"" coretap_info | grep -c "host_name=\"$(uname -n)\".*applet=\"opensnoop\"} 1$")" = 1 ]
	run -0 opensnoop --count --top 1 --openmetrics out.prom -c many -- opens many 2 1001
	[ "$(grep -c '^coretap_opensnoop_opens_total{' out.prom)" = 1 ]
	[ "$(stat -c %a out.prom)" = 644 ]
	[ "$(compgen -G 'out.prom*')" = out.prom ]
}

@test "argdump: sums, averages, histograms, stacks, columns" {
	run -0 argdump --count --sum count --hist count --avg count --by '$comm,p=file' --openmetrics out.prom -c reads vfs_read -- \
		reads 7 some
	well_formed out.prom
	local labels
	labels="comm=\"reads\",p=\"$PWD/some\""
	sum=$(awk -F'[ ]' '/^coretap_argdump_sum_total/ && /\/some"/ { print $NF }' out.prom)
	is out.prom "coretap_argdump_count_total{$labels} 7"
	[ "$sum" -gt 0 ]
	is out.prom "coretap_argdump_avg{$labels} $((sum / 7))"
	is out.prom "coretap_argdump_hist_count{$labels} 7"
	is out.prom "coretap_argdump_hist_bucket{$labels,le=\"0\"} 0"
	is out.prom "coretap_argdump_hist_bucket{$labels,le=\"1099511627775\"} 7"
	# what --show computes with is there, too
	run -0 argdump --sum b=count --count --by '$comm' --show 'mean=b/count' --openmetrics out.prom -c reads vfs_read -- reads 7 some
	well_formed out.prom
	[ "$(awk '/^coretap_argdump_b_total\{/ { b = $2 } /^coretap_argdump_count_total\{/ { n = $2 } /^coretap_argdump_mean\{/ { m = $2 }
		END { print (b > 0 && m == int(b / n)) }' out.prom)" = 1 ] || { cat out.prom; false; }
	run -0 argdump --count --by '$kstack' --openmetrics out.prom -c reads vfs_read -- reads 7 some
	well_formed out.prom
	grep -qE '^coretap_argdump_count_total\{kstack="vfs_read[^;]*;.*ksys_read[^;]*;[^"]*[^;]"\} ' out.prom || { cat out.prom; false; }
}

@test "a tool that clears its counts has metrics that grow" {
	vfsstat --openmetrics out.prom >table 2>err & tool=$!
	wait_attached "$tool"
	reads 500 some
	wait_until has_counted 500
	reads 500 some
	wait_until has_counted 1000
	kill -INT "$tool"
	wait "$tool" || true
	well_formed out.prom
}

has_counted() { # COUNT: reads, in any of the metrics
	awk -v most="$1" '/^coretap_vfsstat_.*[Rr][Ee][Aa][Dd]/ && $NF >= most { found = 1 } END { exit !found }' out.prom
}

@test "records: how many were printed, and lost" {
	run -0 --separate-stderr opensnoop --openmetrics out.prom -c many -- opens many 2 137
	[ "$(grep -c ' many ' <<<"$output")" = 137 ]
	well_formed out.prom
	is out.prom 'coretap_records_total{applet="opensnoop"} 137'
	is out.prom 'coretap_lost_total{applet="opensnoop",kind="ring_full"} 0'
}

@test "a file that cannot be written: before anything is attached, and later" {
	run -1 opensnoop --openmetrics none/out.prom -d 1
	[[ $output == *"cannot write to 'none/out.prom': No such file or directory"* ]]
	mkdir folder
	mount -t tmpfs -o size=4k none folder
	run -3 argdump --hist count --by '$comm' --openmetrics folder/out.prom vfs_read -- reads 5 some
	umount folder
	[[ $output == *"cannot write to 'folder/out.prom': No space left on device"* ]] || { echo "$output"; false; }
}

# With the rights that deploy/systemd gives.
@test "as a service: no root, six capabilities" {
	read -r paranoid </proc/sys/kernel/perf_event_paranoid
	[[ $paranoid -lt 3 ]] || echo 2 >/proc/sys/kernel/perf_event_paranoid
	mkdir -m 777 folder
	chmod a+rx /tmp "$BATS_RUN_TMPDIR" "$BATS_TEST_TMPDIR" "$(dirname "$BATS_TEST_TMPDIR")"
	ulimit -l unlimited
	withcaps bpf,perfmon,sys_resource,sys_ptrace,dac_read_search,syslog opensnoop --count -c many \
		--openmetrics folder/out.prom --listen 9435 2>err & tool=$!
	wait_attached "$tool"
	opens many 2 1001 >opened
	wait_until has_scraped 'coretap_opensnoop_opens_total{errno="ENOENT",path="m-none"} 667' || { cat err; false; }
	kill -INT "$tool"
	wait "$tool"
	is folder/out.prom 'coretap_opensnoop_opens_total{errno="0",path="/dev/null"} 334'
	[ "$(stat -c '%u %a' folder/out.prom)" = '65534 644' ]
	echo "$paranoid" >/proc/sys/kernel/perf_event_paranoid
}

# ---- --listen --------------------------------------------------------------------------------------

listening() { # TOOL OPTION…
	"$@" >table 2>err & tool=$!
	wait_attached "$tool"
}

# Sends TEXT, and prints what comes.
ask() { # TEXT
	exec 5<>/dev/tcp/127.0.0.1/9435
	printf '%b' "$1" >&5
	cat <&5
	exec 5>&-
}

scraped() { busybox wget -qO scraped "http://127.0.0.1:9435/metrics"; }
has_scraped() { scraped && grep -qxF "$1" scraped; } # LINE

@test "--listen: counts so far" {
	listening opensnoop --count --listen 9435 -c many
	opens many 2 1001 >opened
	wait_until has_scraped 'coretap_opensnoop_opens_total{errno="ENOENT",path="m-none"} 667'
	well_formed scraped
	opens many 2 1001 >opened
	wait_until has_scraped 'coretap_opensnoop_opens_total{errno="ENOENT",path="m-none"} 1334'
	is scraped 'coretap_clients_cut_total{applet="opensnoop"} 0'
	kill -INT "$tool"
	wait "$tool"
	run ! scraped
}

@test "--listen: while records are printed; by IPv6; a port in use" {
	listening opensnoop -j --listen '[::1]:9436' -c many
	run -1 opensnoop --listen '[::1]:9436' -d 1
	[[ $output == *"cannot listen on '[::1]:9436': Address already in use"*"choose another one"* ]] || { echo "$output"; false; }
	opens many 2 137 >opened
	wait_until has_lines 137 table
	sleep 1.1 # a text may be so old
	exec 5<>/dev/tcp/::1/9436
	printf 'GET /metrics?x=y HTTP/1.0\r\n\r\n' >&5
	cat <&5 >scraped
	grep -qxF 'coretap_records_total{applet="opensnoop"} 137' scraped || { cat scraped; false; }
	kill -INT "$tool"
	wait "$tool"
}

@test "--listen: anything else is refused" {
	listening opensnoop --count --listen 127.0.0.1:9435 -c many
	ok=$(ask 'GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n')
	[[ $ok == 'HTTP/1.1 200 OK'*'Content-Type: text/plain; version=0.0.4; charset=utf-8'*'# EOF' ]] || { echo "$ok"; false; }
	length=$(tr -d '\r' <<<"$ok" | sed -n 's/^Content-Length: //p')
	[ "$(sed '1,/^\r$/d' <<<"$ok" | wc -c)" = "$length" ]
	for path in /metric /metricsx /metrics/x '//metrics' /../metrics; do
		[[ $(ask "GET $path HTTP/1.1\r\n\r\n") == 'HTTP/1.1 404 Not Found'* ]] || { echo "$path"; false; }
	done
	[[ $(ask 'POST /metrics HTTP/1.1\r\n\r\n') == 'HTTP/1.1 405 Method Not Allowed'*'Allow: GET'* ]]
	[[ $(ask 'HEAD /metrics HTTP/1.1\r\n\r\n') == 'HTTP/1.1 405'* ]]
	for text in '\r\n\r\n' 'GET\r\n\r\n' 'GET /metrics\r\n\r\n' ' / HTTP/1.1\r\n\r\n' '\x00\x01\xff HTTP/1.1\r\n\r\n' \
		'GET /metrics\r\nX: y HTTP/1.1\r\n\r\n' "GET /$(printf 'x%.0s' {1..9000})" "GET /$(printf 'x%.0s' {1..60000})"; do
		[[ $(ask "$text" 2>&1) == 'HTTP/1.1 400 Bad Request'* ]] || { echo "${text:0:40}"; false; }
	done
	scraped
	kill -INT "$tool"
	wait "$tool"
	[[ $(<err) != *cut* ]] || { cat err; false; }
}

@test "--listen: whoever is too slow, or one too many, is cut and counted, and the tracing goes on" {
	listening opensnoop -j --listen 9435 -c many
	local fds=() fd
	for _ in {1..8}; do
		exec {fd}<>/dev/tcp/127.0.0.1/9435
		fds+=("$fd")
	done
	printf 'GET /metrics' >&"${fds[3]}" # and no more of it
	run ! busybox wget -qO refused http://127.0.0.1:9435/metrics
	opens many 2 137 >opened
	wait_until has_lines 137 table
	for fd in "${fds[@]}"; do
		cat <&"$fd" >got # until the other side ends it
		[ ! -s got ]
		exec {fd}>&-
	done
	scraped
	is scraped 'coretap_clients_cut_total{applet="opensnoop"} 9'
	kill -INT "$tool"
	wait "$tool"
	[[ $(<err) == *'--listen: 9 clients were disconnected: too slow, or more than 8 at a time'* ]] || { cat err; false; }
}
