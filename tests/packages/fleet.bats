#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# What a guest's tools printed and counted, in Debian's ClickHouse and Prometheus, which run here from temporary
# folders: as many as were done arrive.

# shellcheck disable=SC2017,SC2030,SC2031  # a test has variables of its own; ROWS is a multiple of 1000
bats_require_minimum_version 1.5.0

readonly ROWS=1000000
# What the guest does; `again` is a reader that is killed, and one later.
# shellcheck disable=SC2016  # of the guest's shell
readonly GUEST='
	load() { :; }
	. /root/wait.bash
	cd /root
	echo x >some
	opensnoop -j --meta -o lines.json -c many -- opens many 2 1001 >/dev/null
	opensnoop --count --openmetrics opens.prom -c many -- opens many 2 1001 >/dev/null
	execsnoop --openmetrics execs.prom -c true -- sh -c "for i in 1 2 3 4 5; do busybox true; done" >/dev/null
	argdump --hist count --sum count --by "\$comm" --openmetrics reads.prom -c reads vfs_read -- reads 7 some >/dev/null
	mkfifo pipe
	exec 7<>pipe
	cat <pipe >first.json 7>&- & reader=$!
	opensnoop -j --meta --buffer 64K -o pipe -c many 2>err 7>&- & tool=$!
	wait_attached $tool
	opens many 1 137 >/dev/null
	wait_until has_lines 137 first.json
	kill -KILL $reader
	opens many 1 20000 >/dev/null
	wait_until grep -q "records lost" err
	cat <pipe >second.json 7>&- & reader=$!
	exec 7>&-
	wait_until has_lines 300 second.json
	kill -INT $tool
	wait $tool $reader
	tar -cf out.tar *.json *.prom err
'

setup_file() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	make -s build/coretap work
	printf '%s\n' "$GUEST" >"$BATS_FILE_TMPDIR/guest.bash"
	tools/run-in-vm --copy build/tests/work:/tests/work --copy tests/live/wait.bash --copy "$BATS_FILE_TMPDIR/guest.bash" \
		--fetch "/root/out.tar:$BATS_FILE_TMPDIR/out.tar" 6.12 -- \
		env PATH=/tests/work:/usr/bin bash /root/guest.bash >"$BATS_FILE_TMPDIR/log" 2>&1 || { cat "$BATS_FILE_TMPDIR/log"; return 1; }
	tar -C "$BATS_FILE_TMPDIR" -xf "$BATS_FILE_TMPDIR/out.tar"
}

setup() { cd "$BATS_FILE_TMPDIR" || return; }

teardown() {
	[[ ! ${servers[*]:-} ]] || kill "${servers[@]}" 2>/dev/null || true
	wait
}

needs() { # PROGRAM PACKAGE
	command -v "$1" >/dev/null || skip "there is no $1 (apt install $2)"
}

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

# Waits until COMMAND succeeds, for half a minute at most.
wait_for() { # COMMAND…
	local end=$((SECONDS + 30))
	until "$@" >/dev/null 2>&1; do
		((SECONDS < end)) || { echo "not within 30 s: $*"; return 1; }
		sleep 0.2
	done
}

# ---- Prometheus --------------------------------------------------------------------------------------

@test "promtool finds nothing wrong with any metrics" {
	needs promtool prometheus
	for file in *.prom; do
		run -0 promtool check metrics <"$file"
		[ -z "$output" ] || { echo "$file: $output"; false; }
	done
}

# A server of files, as what they are to be taken for.
readonly SERVER='
import http.server, sys
class Handler(http.server.SimpleHTTPRequestHandler):
    extensions_map = {"": sys.argv[2]}
    def log_message(self, *rest): pass
http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
'

query() { # QUERY: its value
	curl -sfG "http://127.0.0.1:$port/api/v1/query" --data-urlencode "query=$1" |
		jq -r '.data.result | if length == 1 then .[0].value[1] else "\(length) results" end'
}

value_is() { [[ $(query "$1") == "$2" ]]; } # QUERY VALUE

is() { # QUERY VALUE
	value_is "$@" || { echo "$1: $(query "$1"), not $2"; false; }
}

@test "Prometheus reads them, in either format, and knows how much was done" {
	needs prometheus prometheus
	mkdir -p prometheus
	port=$(free_port) plain=$(free_port) open=$(free_port)
	python3 -c "$SERVER" "$plain" 'text/plain; version=0.0.4' & servers=($!)
	python3 -c "$SERVER" "$open" 'application/openmetrics-text; version=1.0.0' & servers+=($!)
	{
		printf 'global: {scrape_interval: 1s}\nscrape_configs:\n'
		for file in opens execs reads; do
			printf -- '- {job_name: %s, metrics_path: /%s.prom, static_configs: [{targets: ["127.0.0.1:%s"]}]}\n' \
				"$file" "$file" "$plain" "$file-open" "$file" "$open"
		done
	} >prometheus/config.yml
	prometheus --config.file=prometheus/config.yml --storage.tsdb.path=prometheus/data --web.listen-address="127.0.0.1:$port" \
		>prometheus/log 2>&1 & servers+=($!)
	wait_for value_is 'sum(up)' 6 || { curl -s "http://127.0.0.1:$port/api/v1/targets" | jq -c '.data.activeTargets[].lastError'; tail prometheus/log; false; }
	for job in '' -open; do
		is "sum(coretap_opensnoop_opens_total{job=\"opens$job\"})" 1001
		is "coretap_opensnoop_opens_total{job=\"opens$job\",path=\"m-none\",errno=\"ENOENT\"}" 667
		is "coretap_records_total{job=\"execs$job\"}" "$(grep -o '^coretap_records_total.*' execs.prom | cut -d' ' -f2)"
		is "coretap_argdump_hist_count{job=\"reads$job\",comm=\"reads\"}" 7
		is "sum(coretap_lost_total{job=\"opens$job\"})" 0
		is "count(coretap_info{job=\"opens$job\",host_name!=\"\",boot_id!=\"\"})" 1
		is "histogram_quantile(1, coretap_argdump_hist_bucket{job=\"reads$job\"}) >= bool 1" 1
	done
	is 'count by (type) (count({__name__=~"coretap.+"}) > 0)' 1
	[ "$(curl -sf "http://127.0.0.1:$port/api/v1/metadata?metric=coretap_argdump_hist" | jq -r '.data[][0].type')" = histogram ]
}

# ---- ClickHouse --------------------------------------------------------------------------------------

sql() { clickhouse-client --port "$port" --input_format_skip_unknown_fields 1 -n --query "$1"; } # QUERY

clickhouse_start() {
	needs clickhouse-server clickhouse-server
	needs clickhouse-client clickhouse-client
	local folder=$PWD/clickhouse
	port=$(free_port)
	mkdir -p "$folder"/{data,tmp}
	cat >"$folder/config.xml" <<-END
		<yandex>
		<logger><level>warning</level><console>1</console></logger>
		<tcp_port>$port</tcp_port><listen_host>127.0.0.1</listen_host>
		<path>$folder/data/</path><tmp_path>$folder/tmp/</tmp_path>
		<mark_cache_size>67108864</mark_cache_size>
		<users_config>$folder/users.xml</users_config>
		<default_profile>default</default_profile><default_database>default</default_database>
		</yandex>
	END
	cat >"$folder/users.xml" <<-END
		<yandex><profiles><default/></profiles><quotas><default/></quotas>
		<users><default><password/><networks><ip>127.0.0.1</ip></networks>
		<profile>default</profile><quota>default</quota></default></users></yandex>
	END
	clickhouse-server --config-file="$folder/config.xml" >"$folder/log" 2>&1 & servers=($!)
	wait_for sql 'SELECT 1' || { tail "$folder/log"; false; }
	"$BATS_TEST_DIRNAME/../../deploy/clickhouse-tables" opensnoop >"$folder/table.sql"
	sql "DROP TABLE IF EXISTS coretap_opensnoop; $(<"$folder/table.sql")"
}

insert() { sql 'INSERT INTO coretap_opensnoop FORMAT JSONEachRow'; }

# So many lines of FILE, again and again, with the counter ts_ns from 1 on.
repeated() { # COUNT FILE
	awk -v count="$1" '{ at = match($0, /"ts_ns":[0-9]+/); head[NR] = substr($0, 1, at + 7); tail[NR] = substr($0, at + RLENGTH) }
		END { for (i = 1; i <= count; i++) print head[i % NR + 1] i tail[i % NR + 1] }' "$2"
}

@test "ClickHouse takes a million lines, and has each of them" {
	clickhouse_start
	local failed=$(( ROWS / 1000 * 667 ))
	grep '"type":"opensnoop"' lines.json >records.json
	[ "$(wc -l <records.json)" -eq 1001 ]
	# of 1000 of them 667 failed
	{ grep ENOENT records.json | head -n 667; grep -v ENOENT records.json | head -n 333; } >thousand.json
	repeated "$ROWS" thousand.json | insert
	[ "$(sql "SELECT count(), uniqExact(ts_ns), sum(ts_ns), countIf(errno = 'ENOENT'), countIf(path = 'm-none'),
		countIf(comm = 'many'), uniqExact(host_name), uniqExact(boot_id), max(applet) FROM coretap_opensnoop")" = \
		"$(printf '%s\t' $ROWS $ROWS $((ROWS / 2 * (ROWS + 1))) $failed $failed $ROWS 1 1)opensnoop" ]
	[ "$(sql 'SELECT count() FROM coretap_opensnoop WHERE at < now() - 86400 OR at > now() + 86400')" = 0 ]
}

@test "a consumer that was killed, and another one: what it has and what was lost is what was done" {
	clickhouse_start
	cat first.json second.json | insert
	[ "$(sql "SELECT countIf(type = 'opensnoop') + sumIf(lost, final = 1), sumIf(lost, final = 1) > 0,
		maxIf(records, final = 1) = countIf(type = 'opensnoop') FROM coretap_opensnoop")" = $'20137\t1\t1' ] ||
		{ sql 'SELECT type, final, lost, records, count() FROM coretap_opensnoop GROUP BY type, final, lost, records'; cat err; false; }
}

@test "clickhouse-tables: a table of every kind of line that tools print" {
	clickhouse_start
	local tables=$BATS_TEST_DIRNAME/../../deploy/clickhouse-tables
	[ "$("$tables" | grep -cxE 'execsnoop|opensnoop|biosnoop|connsnoop|syssnoop|argdump|count|opens')" = 8 ]
	for type in $("$tables"); do
		sql "$("$tables" "$type")" || { echo "$type"; "$tables" "$type"; false; }
		sql "$("$tables" --objects "$type" | sed "s/coretap_$type/objects_$type/")"
	done
	run -1 "$tables" none
	[[ $output == 'no lines of type none with a time in the schema' ]]
}

# ---- systemd -----------------------------------------------------------------------------------------

@test "systemd finds nothing wrong with the unit, and little exposed" {
	needs systemd-analyze systemd
	local unit=$BATS_TEST_DIRNAME/../../deploy/systemd/coretap@.service build
	build=$(readlink -f "$BATS_TEST_DIRNAME/../../build")
	mkdir -p units
	sed "s,/usr/bin/coretap,$build/coretap," "$unit" >units/coretap@execsnoop.service
	run -0 systemd-analyze verify --man=no units/coretap@execsnoop.service
	[ -z "$output" ]
	run -0 systemd-analyze security --offline=yes --threshold=45 units/coretap@execsnoop.service
	# what tests/live/metrics.bats runs with
	[ "$(sed -n 's/^AmbientCapabilities=//p' "$unit")" = "$(sed -n 's/^CapabilityBoundingSet=//p' "$unit")" ]
	local caps
	caps=$(sed -n 's/^AmbientCapabilities=//p' "$unit" | tr 'A-Z ' 'a-z,' | sed 's/cap_//g')
	run -0 grep -F "withcaps $caps " "$BATS_TEST_DIRNAME/../live/metrics.bats"
}
