#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# connsnoop, against what tests/work/sessions.c has done: connections of every kind, whose ports it prints.

bats_require_minimum_version 1.5.0

setup_file() {
	ip link set lo up
	export W=$BATS_FILE_TMPDIR
	cd "$W" || return
	connsnoop -j -o json -- sessions tcp4 tcp6 mapped refused4 refused6 later unreachable canceled \
		reset udp4 udp6 uring stream packets dgram >ports 2>err
	echo $? >status
}

setup() { cd "$W" || return; }

# What FILTER makes of the rows about PORT, of either side, as lines.
rows() { # PORT FILTER
	jq -c "select(.type == \"connsnoop\" and ([.local, .peer] | any(. != null and endswith(\":$1\")))) | $2" json
}

# The client's and the server's rows of a connection that both sides close, for each port of JOB.
both_sides() { # JOB PORT ADDRESS
	local job port
	while read -r job port; do
		[[ $job == "$1" ]] || continue
		echo "[\"connect\",\"out\",\"$3:$port\",\"$3:$2\",null,null,null]"
		echo "[\"accept\",\"in\",\"$3:$2\",\"$3:$port\",null,null,null]"
		echo "[\"close\",\"out\",\"$3:$port\",\"$3:$2\",null,1000,300]"
		echo "[\"close\",\"in\",\"$3:$2\",\"$3:$port\",null,300,1000]"
	done <ports
}

says='[.event, .direction, .local, .peer, .errno, .sent, .received]'

@test "connsnoop: the command ends well, nothing is lost" {
	[ "$(<status)" = 0 ] || { cat err; false; }
	! grep lost json err || false
	jq -es 'map(select(.type == "connsnoop")) | all(.comm == "sessions" and .pid == .tid) and
		(map(.pid) | unique | length == 1)' json
}

@test "connsnoop: keys of a JSON record" {
	keys='["comm","direction","errno","event","host","local","peer","pid","proto","received","ret","retransmits","sent","tid","time","took_ns","ts_ns","type"]'
	[ "$(rows 5001 keys | sort -u)" = "$keys" ]
}

@test "connsnoop: TCP over IPv4, IPv6, both at once and io_uring: every connection, every byte" {
	diff <(rows 5001 "$says") <(both_sides tcp4 5001 127.0.0.1)
	[ "$(rows 5001 .proto | sort -u)" = '"tcp"' ]
	diff <(rows 5002 "$says") <(both_sides tcp6 5002 '[::1]')
	diff <(rows 5003 "$says") <(both_sides mapped 5003 127.0.0.1)
	diff <(rows 5012 "$says") <(both_sides uring 5012 127.0.0.1)
	[ "$(rows 5001 '.took_ns > 0' | sort | uniq -c)" = '     12 true' ]
}

@test "connsnoop: connects that fail are shown once, with their error" {
	says='[.event, .peer, .errno, .ret < 0]'
	diff <(rows 5004 "$says") - <<<'["connect","127.0.0.1:5004","ECONNREFUSED",true]'
	diff <(rows 5005 "$says") - <<<'["connect","[::1]:5005","ECONNREFUSED",true]'
	diff <(rows 5006 "$says") - <<<'["connect","127.0.0.1:5006","ECONNREFUSED",true]'
	diff <(rows 5050 "$says") - <<<'["connect","192.0.2.1:5050","ENETUNREACH",true]'
	diff <(rows 5007 "$says" | head -n 2) - <<-'END'
		["connect","127.0.0.1:5007",null,false]
		["connect","127.0.0.1:5007","ECANCELED",true]
	END
}

@test "connsnoop: a reset is the error of the side that it reaches" {
	diff <(rows 5009 '[.event, .direction, .errno]') - <<-'END'
		["connect","out",null]
		["accept","in",null]
		["close","out",null]
		["close","in","ECONNRESET"]
	END
}

@test "connsnoop: UDP: sent and received data, peeked data counted once" {
	local port
	port=$(sed -n 's/udp4 //p' ports)
	diff <(rows 5010 "$says") - <<-END
		["connect","out","127.0.0.1:$port","127.0.0.1:5010",null,null,null]
		["close","out","127.0.0.1:$port","127.0.0.1:5010",null,1000,300]
	END
	port=$(sed -n 's/udp6 //p' ports)
	diff <(rows 5011 "$says") - <<-END
		["connect","out","[::1]:$port","[::1]:5011",null,null,null]
		["close","out","[::1]:$port","[::1]:5011",null,1000,300]
	END
}

@test "connsnoop: unix sockets of all three types, with hostile names" {
	diff <(jq -c 'select(.proto == "unix") | [.event, .direction, .local, .peer, .errno]' json) <(jq -c . <<-'END'
		["connect","out",null,"a\n\u001b[2J\" \uefff",null]
		["accept","in","a\n\u001b[2J\" \uefff",null,null]
		["close","out",null,"a\n\u001b[2J\" \uefff",null]
		["close","in","a\n\u001b[2J\" \uefff",null,null]
		["connect","out",null,"a\n\u001b[2J\" \uefff","ECONNREFUSED"]
		["connect","out",null,"@a\n\u001b[2J\" \uefff",null]
		["accept","in","@a\n\u001b[2J\" \uefff",null,null]
		["close","out",null,"@a\n\u001b[2J\" \uefff",null]
		["close","in","@a\n\u001b[2J\" \uefff",null,null]
		["connect","out",null,"@a\n\u001b[2J\" \uefff","ECONNREFUSED"]
		["connect","out",null,"@dgram",null]
		["close","out",null,"@dgram",null]
		["connect","out",null,"@dgram","ECONNREFUSED"]
	END
	)
}

@test "connsnoop: as text, with --only" {
	run -0 --separate-stderr connsnoop --only connect,accept,unix -- sessions stream tcp4
	diff <(sed 's/ *[0-9]\+ \(connect\|accept\)/ \1/' <<<"$output" | grep -v '^tcp4') - <<-'END'
		COMM                PID EVENT   PROTO DIR LOCAL                 PEER                  ERR              TOOK       TX       RX
		sessions connect unix  out -                     a\n\x1b[2J" \xff      0                   -        -        -
		sessions accept  unix  in  a\n\x1b[2J" \xff      -                     0                   -        -        -
		sessions connect unix  out -                     a\n\x1b[2J" \xff      ECONNREFUSED        -        -        -
	END
	run -0 --separate-stderr connsnoop --only tcp -x -- sessions stream tcp4 refused4
	[ "$(grep -c 'connect tcp .*ECONNREFUSED' <<<"$output")" = 1 ]
	[ "$(grep -c '^sessions ' <<<"$output")" = 1 ]
}

@test "connsnoop: listen and retrans: a connect without an answer" {
	connsnoop -j --only tcp,listen,retrans,connect -o more -- sessions timeout
	# how often the kernel tries differs
	jq -c 'select(.type == "connsnoop") | [.event, .peer, .errno, .retransmits]' more >rows
	diff <(sed '/retrans/d; s/,[1-9]]/,N]/' rows) - <<-'END'
		["listen","0.0.0.0:0",null,0]
		["connect","127.0.0.1:5008",null,0]
		["connect","127.0.0.1:5008","ETIMEDOUT",N]
	END
	jq -es 'map(select(.[0] == "retrans")) as $again | ($again | length) > 0 and
		($again | map(.[3])) == [range(1; .[-1][3] + 1)]' rows
}

@test "connsnoop: by kprobes, as where there is no fentry: the same rows" {
	local jobs="tcp4 tcp6 refused4 refused6 udp4 udp6 uring stream dgram"
	local what='select(.type == "connsnoop") | [.event, .proto, .direction, .errno, .sent, .received]'
	# shellcheck disable=SC2086 # words
	connsnoop -j -o any -- sessions $jobs 2>err
	jq -c "$what" any | sort >any.rows
	[ "$(wc -l <any.rows)" -gt 30 ]
	for method in kprobe kprobe.multi; do
		# shellcheck disable=SC2086
		connsnoop --attach $method -j -o by -- sessions $jobs 2>err || { cat err; false; }
		diff any.rows <(jq -c "$what" by | sort) || { echo "$method"; cat err; false; }
	done
}

@test "connsnoop: 500 connections, four rows of each; another process's are left out" {
	connsnoop -j --only tcp -o many -- sessions many 2>err
	! grep lost err || false
	diff <(jq -r 'select(.type == "connsnoop") | .event' many | sort | uniq -c) - <<-'END'
		    500 accept
		   1000 close
		    500 connect
	END
	connsnoop -p 1 -j -o other -d 60 2>err &
	local pid=$!
	load wait
	wait_attached $pid err
	sessions tcp4 udp4 stream >/dev/null
	kill -INT $pid
	wait $pid
	! grep '"connsnoop"' other || false
}

@test "connsnoop --dns: every question once, with its answer, hostile bytes too" {
	run -0 --separate-stderr connsnoop --dns -j -o dns -- lookups
	[ -z "$(grep lost dns | jq 'select(.lost > 0 or .cut != 1)')" ]
	diff <(jq -c 'select(.type == "connsnoop") | [.name, .qtype, .rcode, .answer, .server, .took_ns > 0]' dns |
		sed 's/"192.0.2.1","192.0.2.2",.*"192.0.2.29"/"…"/') <(jq -c . <<-'END'
		["local.test","A","NOERROR",["127.0.0.1"],"127.0.0.1:53",true]
		["gone.test","AAAA","NXDOMAIN",[],"127.0.0.1:53",true]
		["a\\.\\\\\n\u001b[2J\"\uefffb","A","NOERROR",["127.0.0.2"],"127.0.0.1:53",true]
		["text.test","TXT","NOERROR",["\n\"\u001b[\uefff"],"127.0.0.1:53",true]
		["empty.test","A","NOERROR",[],"127.0.0.1:53",true]
		["two.test","A","NOERROR",["alias.two.test","192.0.2.1"],"127.0.0.1:53",true]
		["two.test","AAAA","NOERROR",["2001:db8::1"],"127.0.0.1:53",true]
		["long.test","A","NOERROR",["192.0.2.0","…"],"127.0.0.1:53",true]
		["six.test","PTR","NOERROR",["ptr.six.test"],"[::1]:53",true]
		["nobody.test","A",null,null,"127.0.0.1:53",false]
	END
	)
	[ "$(jq -r 'select(.cut and .name).name' dns)" = long.test ]
	[ "$(jq -r 'select(.name).comm' dns | sort -u)" = lookups ]
}

@test "connsnoop --dns: as text, 500 lookups, and failures" {
	connsnoop --dns -o many -- lookups many 2>err
	! grep lost err || false
	[ "$(grep -c '^lookups .* many.test *A *127.0.0.1 *127.0.0.1:53 *[0-9.]*[mu]\?s$' many)" = 500 ]
	[ "$(wc -l <many)" = 501 ]
	run -0 --separate-stderr connsnoop --dns -x -- lookups
	diff <(sed 's/ *[0-9]\+ \([a-z]\+\.test\)/ \1/; s/ *[^ ]*$//' <<<"$output") - <<-'END'
		COMM                PID NAME                           TYPE  ANSWER                         SERVER
		lookups gone.test                      AAAA  NXDOMAIN                       127.0.0.1:53
		lookups empty.test                     A     no data                        127.0.0.1:53
		lookups nobody.test                    A     no answer                      127.0.0.1:53
	END
}

@test "connsnoop --dns: a question without an answer is shown after 5 s; another process's are left out" {
	connsnoop --dns -n 1 -d 60 -c lookups -x -o late 2>err &
	local pid=$!
	connsnoop --dns -p 1 -j -d 60 -o other 2>err2 &
	local other=$!
	load wait
	wait_attached $pid err
	wait_attached $other err2
	lookups nobody
	wait $pid
	grep 'nobody.test .*no answer .*-$' late
	kill -INT $other
	wait $other
	! grep '"connsnoop"' other || false
}

@test "connsnoop: the host's name, once the process has asked for it" {
	connsnoop -j --only tcp -o hosts -- lookups
	diff <(jq -c 'select(.type == "connsnoop") | [.peer, .host]' hosts) - <<-'END'
		["127.0.0.1:5060",null]
		["127.0.0.1:5061","local.test"]
	END
	diff <(connsnoop --only tcp -e -- lookups | awk '$4 == "connect" { print $8, $9 }') - <<-'END'
		127.0.0.1:5060 -
		127.0.0.1:5061 local.test
	END
}

@test "connsnoop: the host's name by the C library: of /etc/hosts, of a library that is mapped later" {
	load wait
	ip addr replace 10.9.8.1/24 dev lo
	echo '10.9.8.7 far.test
10.9.8.7 near.test' >>/etc/hosts
	peers='far.test 5071\n10.9.8.7 5072\n127.0.0.1 5073\nnear.test 5074\n'
	connsnoop -j --only tcp -o libc -- bash -c "printf '$peers' | dynamic peers getaddrinfo
		printf '$peers' | dynamic peers gethostbyname" 2>err
	diff <(jq -c 'select(.type == "connsnoop") | [.peer, .host]' libc) - <<-'END' || { cat err; false; }
		["10.9.8.7:5071","far.test"]
		["10.9.8.7:5072","far.test"]
		["127.0.0.1:5073",null]
		["10.9.8.7:5074","near.test"]
		["10.9.8.7:5071","far.test"]
		["10.9.8.7:5072","far.test"]
		["127.0.0.1:5073",null]
		["10.9.8.7:5074","near.test"]
	END
	mkdir own
	mkfifo names
	connsnoop -v --only tcp --columns host,peer -n 1 -o later 2>err &
	local pid=$!
	wait_attached $pid err
	unshare -m bash -c "mount -t tmpfs none own
		cp $(find /lib/ /usr/lib/ -name libc.so.6 | head -n 1) own/libc.so.6
		LD_LIBRARY_PATH=\$PWD/own exec dynamic peers getaddrinfo" <names &
	exec 8>names
	wait_until grep -q 'uretprobe getaddrinfo: .*own/libc.so.6' err
	echo far.test 5075 >&8
	exec 8>&-
	wait $pid
	[ "$(awk 'NR > 1 { print $1, $2 }' later)" = 'far.test 10.9.8.7:5075' ]
}

@test "immediate failures are seen, also at the address of a socket that was refused after its connect" {
	connsnoop -j --only tcp -- sessions alternate >json 2>err
	[ "$(rows 5015 .errno | sort | uniq -c | tr -d '"' | xargs)" = '20 ECONNREFUSED' ] || { cat json err; false; }
	[ "$(rows 5050 .errno | sort | uniq -c | tr -d '"' | xargs)" = '20 ENETUNREACH' ] || { cat json err; false; }
}

# The kernel's own tracepoint says how many were established; each is accepted and closed.
@test "connections that are accepted before they are established: each close, or a loss that is counted" {
	connsnoop -j --only tcp --buffer 32M -- sessions crowd >json 2>err
	for kind in accept close; do
		seen=$(rows 5014 "select(.event == \"$kind\" and .direction == \"in\") | 1" | wc -l)
		lost=$(jq -s 'map(select(.type == "lost")) | .[-1].lost // 0' json)
		echo "$kind: $seen, lost $lost"
		((seen <= 1500 && seen + lost >= 1500))
	done
}

# 8 processes: each connects to itself 100 times by TCP, by a unix socket, and by UDP.
@test "more processes than processors: each event of each protocol, all but 0.1 %, and what is missing is counted" {
	local all=0
	connsnoop -j --buffer 32M -- sessions busy >json 2>err
	lost=$(jq -s 'map(select(.type == "lost")) | .[-1].lost // 0' json)
	jq -r 'select(.type == "connsnoop") | "\(.proto) \(.event) \(.direction)"' json | sort | uniq -c >kinds
	echo "# $(uname -r): lost $lost of$(awk '{n += $1} END {print " " n}' kinds)" >&3
	[ "$(wc -l <kinds)" = 10 ] || { cat kinds; false; }
	while read -r seen _; do
		((seen <= 800 && seen + lost >= 800)) || { cat kinds err; false; }
		all=$((all + seen))
	done <kinds
	((all >= 8000 - 8)) || { cat kinds err; false; }
}
