#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Recipes about the network, over the loopback device: addresses, ports, bytes and results that the
# workload knows.

bats_require_minimum_version 1.5.0
load argdump
load recipes
load wait

setup_file() { ip link set lo up; }

setup() { cd "$BATS_TEST_TMPDIR" || return; }

# The ports that the workload had, as it prints them, in the form of FORMAT.
ports() { # FORMAT
	local port
	# shellcheck disable=SC2154,SC2059 # bats sets stderr
	grep -E '^[0-9]+$' <<<"$stderr" | while read -r port; do printf "$1\n" "$port"; done
}

@test "tcpconnect -d: the name that the process looked up; none for what it did not" {
	echo '127.0.0.1 here.test' >>/etc/hosts
	printf 'here.test 81\n127.0.0.2 83\n' >peers
	shows '[.args.to, .args.host]' tcpconnect -d -- sh -c 'dynamic peers getaddrinfo <peers' <<-'END'
		["127.0.0.1:81","here.test"]
		["127.0.0.2:83","127.0.0.2"]
	END
	# another function, and another process: what it had looked up is not known of this one
	shows '[.args.to, .args.host]' tcpconnect -d -- sh -c 'dynamic host here.test 1; echo here.test 81 | dynamic peers gethostbyname' <<<'["127.0.0.1:81",""]'
	titles 'PID COMM UID TO LPORT RET HOST' tcpconnect -d -U -- deeds refused 5001
	run -1 tcpconnect -d -c
	[[ $output == *'exclude each other'* ]] || { echo "$output"; false; }
}

@test "tcpconnect: IPv4, IPv6, and refused" {
	run -0 --separate-stderr tcpconnect -j -- deeds tcp 5000 2 100
	same '[.args.to, .args.lport, .args.ret]' "$(ports '["127.0.0.1:5000",%d,0]')" tcpconnect
	run -0 --separate-stderr tcpconnect -j -- deeds tcp6 5000 2 100
	same '[.args.to, .args.lport, .args.ret]' "$(ports '["[::1]:5000",%d,0]')" tcpconnect
	shows '[.args.to, .args.lport > 0, .errno]' tcpconnect -x -- deeds refused 5001 <<<'["127.0.0.1:5001",true,"ECONNREFUSED"]'
	shows .args.to tcpconnect -P 5001 -- deeds refused 5001 <<<'"127.0.0.1:5001"'
	shows .args.to tcpconnect -P 5002 -- deeds refused 5001 </dev/null
	titles 'PID COMM TO LPORT RET' tcpconnect -- deeds refused 5001
	shows '[.comm, .args.to, .args.count]' tcpconnect --count -- deeds tcp 5000 2 100 <<<'["deeds","127.0.0.1:5000",2]'
	# a connect that does not block has not failed
	shows '[.args.to, .errno]' tcpconnect -- streams nonblock 5013 <<<'["127.0.0.1:5013",null]'
	shows .args.to tcpconnect -x -- streams nonblock 5013 </dev/null
}

dummy_begin() {
	modprobe dummy && ip link add dummy9 type dummy || skip "no dummy devices"
	ip addr add 10.9.9.1/24 dev dummy9 && ip link set dummy9 up
}

dummy_end() { ip link del dummy9; }

# By the process that began it, whoever runs when a packet or a timer ends it; once, however often it asks.
@test "tcpconnect: results of non-blocking connects, and of a send that connects" {
	dummy_begin
	shows '[.comm, .args.to, .args.lport > 0, .errno]' tcpconnect -- streams later 5030 <<-'END'
		["streams","127.0.0.1:5030",true,null]
		["streams","127.0.0.1:5031",true,"ECONNREFUSED"]
		["streams","127.0.0.1:5030",true,null]
		["streams","127.0.0.1:5030",true,null]
		["streams","10.9.9.2:5030",true,"ETIMEDOUT"]
		["streams","10.9.9.2:5030",true,"EINPROGRESS"]
		["streams","127.0.0.1:5030",true,null]
	END
	shows '[.args.to, .errno]' tcpconnect -x -- streams later 5030 <<<$'["127.0.0.1:5031","ECONNREFUSED"]\n["10.9.9.2:5030","ETIMEDOUT"]'
	jq -e -s 'map(select(.args)) | all(.pid == $pid)' --argjson pid "$(jq -s 'map(select(.args))[0].pid' <<<"$output")" <<<"$output"
	# sockets at the same addresses, one after the other
	shows '[.args.to, .errno]' tcpconnect -- streams noroute 5 < <(
		for _ in 1 2 3 4 5; do printf '["198.51.100.1:80","ENETUNREACH"]\n["127.0.0.1:5999",null]\n'; done)
	dummy_end
}

@test "tcplife, tcpstates: connections that are not accepted belong to the listener" {
	run -0 --separate-stderr tcplife -j -- streams queued 5040
	same 'select(.args.lport == 5040) | [.comm, .args.to, .args.rx]' "$(ports '["streams","127.0.0.1:%d",7]')" tcplife
	same 'select(.args.to == "127.0.0.1:5040") | [.comm, .args.lport, .args.tx]' "$(ports '["streams",%d,7]')" tcplife
}

two_and_one_refused() { deeds tcp 5000 2 100 && deeds refused 5001; }

@test "tcpaccept, tcpconnlat: the other side, and until it is open" {
	together 'tcpaccept -j' 'tcpconnlat -j' -- two_and_one_refused
	showed '.args.connection | [.daddr, .dport, .sport]' tcpaccept < <(stderr=$(<together.work) && ports '["127.0.0.1",%d,5000]')
	showed '[.args.to, .args.error, .args.took > 0]' tcpconnlat <<-'END'
		["127.0.0.1:5000",0,true]
		["127.0.0.1:5000",0,true]
		["127.0.0.1:5001","ECONNREFUSED",true]
	END
}

# What a connect that found no way has left must not end with the next connection of that socket.
@test "tcpconnlat: connects without a route, and connections that are accepted after them" {
	shows 'select(.args) | [.args.error, .args.to]' tcpconnlat -- streams noroute 5 < <(
		for _ in 1 2 3 4 5; do printf '["ENETUNREACH","198.51.100.1:80"]\n[0,"127.0.0.1:5999"]\n'; done)
	jq -e -s 'map(select(.args)) | all(.args.took < 1e9)' <<<"$output"
}

@test "tcpconnlat, tcplife: both sides connect at once" {
	together 'tcpconnlat -j' 'tcplife -j' -- streams itself 5021
	showed '[.comm, .args.error, .args.to, .args.took > 0]' tcpconnlat <<<'["streams",0,"127.0.0.1:5021",true]'
	showed '[.comm, .args.lport, .args.to, .args.tx, .args.rx]' tcplife <<<'["streams",5021,"127.0.0.1:5021",1,1]'
}

@test "tcplife -T: one header, and a time in each row" {
	run -0 --separate-stderr tcplife -T -- deeds tcp 5000 1 1000
	[ "$(grep -c TIME <<<"$output")" -eq 1 ] && [ "$(grep -Ec '^[0-9:]{8}\.[0-9]{6} .* deeds ' <<<"$output")" -eq 2 ] || { echo "$output"; false; }
}

@test "tcplife: both ends of a session" {
	run -0 --separate-stderr tcplife -j -- deeds tcp 5000 1 1000
	same '[.args.lport, .args.to, .args.took > 0]' \
		"$(ports '[%d,"127.0.0.1:5000",true]' && ports '[5000,"127.0.0.1:%d",true]')" tcplife
	same '[.comm, .args.tx, .args.rx]' $'["deeds",1000,10]\n["deeds",10,1000]' tcplife
	# who accepts is the passive side's, whoever runs when the handshake is over; who is refused has had a session of no bytes
	beside tcplife -- deeds tcp 5000 3 1000
	same 'select(.args.lport == 5000) | [.comm, .args.tx, .args.rx]' $'["deeds",10,1000]\n["deeds",10,1000]\n["deeds",10,1000]' tcplife
	same 'select(.args.to == "127.0.0.1:5000") | [.comm, .args.tx, .args.rx]' $'["deeds",1000,10]\n["deeds",1000,10]\n["deeds",1000,10]' tcplife
}

# A device in a network namespace of its own, with the address 10.7.0.NUMBER; its other end is called to_NUMBER.
apart_begin() { # NUMBER
	unshare -n sleep 1000 3>&- &
	echo $! >"apart$1"
	wait_until is_apart $!
	ip link add "to_$1" type veth
	ip link set veth0 netns $!
	inside "$1" ip addr add "10.7.0.$1/24" dev veth0
	inside "$1" ip link set veth0 up
	ip link set "to_$1" up
}

is_apart() { [ "$(readlink "/proc/$1/ns/net")" != "$(readlink /proc/self/ns/net)" ]; } # PID

inside() { nsenter -t "$(<"apart$1")" -n "${@:2}"; } # NUMBER COMMAND…

asked_and_served() {
	local server
	inside 2 streams serves 5050 3 >served 3>&- &
	server=$!
	wait_until grep -q serves served
	inside 1 streams asks 10.7.0.2 5050 3
	wait $server
	wait_until is_closed 1
	wait_until is_closed 2
	cat served
}

# The last packets have come: no socket, or what is left of one (TIME_WAIT).
is_closed() { inside "$1" cat /proc/net/tcp | awk 'NR > 1 && $4 != "06" { open = 1 } END { exit open }'; } # NUMBER

# Packets that come 20 ms later: when they do, neither of the two processes runs, but a third one.
@test "tools of TCP with delayed packets: each row names its own process" {
	local asks serves tool relay
	modprobe veth 2>/dev/null || true
	apart_begin 1
	apart_begin 2
	streams relay to_1 to_2 20 3>&- &
	relay=$!
	wait_until inside 1 ping -c 1 -W 1 10.7.0.2
	together 'tcplife -j' 'tcpstates -j' 'tcptop -j --interval 60' 'tcpconnlat -j' 'tcpaccept -j' 'tcpconnect -j' 'tcptracer -j' -- asked_and_served
	kill $relay "$(<apart1)" "$(<apart2)"
	asks=$(sed -n 's/^asks //p' together.work) serves=$(sed -n 's/^serves //p' together.work)
	[ "$asks" -gt 0 ] && [ "$serves" -gt 0 ] || { cat together.work; false; }
	showed 'select(.args.lport == 5050) | [.pid, .comm, .args.tx, .args.rx, .args.took > 40000000]' tcplife < <(printf "[$serves,\"serves\",10,100,%s]\n" true true true)
	showed 'select(.args.to == "10.7.0.2:5050") | [.pid, .comm, .args.tx, .args.rx, .args.took > 80000000]' tcplife < <(printf "[$asks,\"asks\",100,10,%s]\n" true true true)
	showed '[.pid, .comm, .args.took > 40000000]' tcpconnlat < <(printf "[$asks,\"asks\",%s]\n" true true true)
	showed '[.pid, .comm]' tcpconnect < <(printf "[$asks,\"asks\"%s]\n" '' '' '')
	showed '[.pid, .comm]' tcpaccept < <(printf "[$serves,\"serves\"%s]\n" '' '' '')
	# the bytes of each side, in three connections
	for tool in "$asks:300:30" "$serves:30:300"; do
		[ "$(jq -s "map(select(.by.pid == ${tool%%:*})) | [(map(.sent) | add), (map(.received) | add)] | map(tostring) | join(\":\")" -r tcptop.out)" = "${tool#*:}" ] ||
			{ echo "$tool"; cat tcptop.out; false; }
	done
	# the client's states, and those of what the server has; before it is accepted a connection is the listener's
	jq -e -s --argjson asks "$asks" --argjson serves "$serves" 'map(select(.args)) | (map(select(.args.to == "10.7.0.2:5050")) | length >= 15 and all(.pid == $asks)) and
		(map(select(.args.lport == 5050)) | length >= 15 and all(.pid == $serves))' tcpstates.out || { cat tcpstates.out; false; }
	jq -e -s --argjson asks "$asks" --argjson serves "$serves" 'map(select(.args)) | length >= 9 and all(.pid == (if .args.op == "accept" then $serves elif .args.op == "connect" then $asks
		elif .args.socket.sport == 5050 then $serves else $asks end))' tcptracer.out || { cat tcptracer.out; false; }
}

both_families() { deeds tcp 5000 1 10 && deeds tcp6 5001 1 10; }

@test "tcplife, tcpstates, tcpconnlat: -4, -6, -L and -D, as the originals have them" {
	together 'tcplife -j -4' 'tcpstates -j -L 5001' 'tcpconnlat -j -6' -- both_families
	showed '.args | [.tx, (.lport == 5000 or .to == "127.0.0.1:5000")]' tcplife <<<$'[10,true]\n[10,true]'
	showed '.args.to' tcpconnlat <<<'"[::1]:5001"'
	[ "$(jq -s 'map(select(.args.lport)) | length >= 6 and all(.args.lport == 5001)' tcpstates.out)" = true ] || { cat tcpstates.out; false; }
	together 'tcplife -j -6' 'tcpstates -j -D 5000' 'tcpconnlat -j -4' -- both_families
	showed '.args | [.tx, (.lport == 5001 or .to == "[::1]:5001")]' tcplife <<<$'[10,true]\n[10,true]'
	showed '.args.to' tcpconnlat <<<'"127.0.0.1:5000"'
	[ "$(jq -s 'map(select(.args.to)) | length >= 4 and all(.args.to == "127.0.0.1:5000")' tcpstates.out)" = true ] || { cat tcpstates.out; false; }
	together 'tcplife -j -L 5000' 'tcpretrans -j -6' -- both_families
	showed '.args.lport' tcplife <<<5000
}

@test "tcpstates: every state of a connection, in its order" {
	run -0 --separate-stderr tcpstates -j -- deeds tcp 5000 1 10
	same 'select(.args.to == "127.0.0.1:5000") | [.args.state, .args.next]' '["TCP_CLOSE","TCP_SYN_SENT"]
["TCP_SYN_SENT","TCP_ESTABLISHED"]
["TCP_ESTABLISHED","TCP_FIN_WAIT1"]
["TCP_FIN_WAIT1","TCP_FIN_WAIT2"]
["TCP_FIN_WAIT2","TCP_CLOSE"]' tcpstates
	same 'select(.args.to == "127.0.0.1:5000" and .args.took) | .args.lport' "$(for _ in 1 2 3 4; do ports %d; done)" tcpstates
	# a socket's address is the next one's: no state is older than the workload
	jq -e -s 'map(select(.args)) | all((.args.took // 0) < 60e9) and (map(select(.args.state == "TCP_CLOSE")) | all(.args.took == null))' <<<"$output"
	same 'select(.args.lport == 5000 and ([.args.state] | inside(["TCP_CLOSE", "TCP_LISTEN"]) | not)) | [.args.state, .args.next]' '["TCP_SYN_RECV","TCP_ESTABLISHED"]
["TCP_ESTABLISHED","TCP_CLOSE_WAIT"]
["TCP_CLOSE_WAIT","TCP_LAST_ACK"]
["TCP_LAST_ACK","TCP_CLOSE"]' tcpstates
	# whoever a packet interrupts: the socket's owner
	beside tcpstates -- deeds tcp 5000 3 10
	jq -e -s 'map(select(.args)) | length > 0 and all(.comm == "deeds" and .pid == $pid)' --argjson pid "$(jq -s '.[0].pid' <<<"$output")" <<<"$output" ||
		{ echo "$output"; false; }
}

@test "tcpstates: close after shutdown, which sets the state that it is" {
	run -0 --separate-stderr tcpstates -j -- streams halves 5002 2
	same 'select(.args.to == "127.0.0.1:5002" and (.args.state | startswith("TCP_FIN"))) | [.args.state, .args.next]' \
		"$(printf '["TCP_FIN_WAIT1","TCP_FIN_WAIT2"]\n["TCP_FIN_WAIT2","TCP_CLOSE"]\n%.0s' 1 2)" tcpstates
}
@test "tcpstates: a program has --columns, -k, --ring and --rotate, as lines have" {
	run -0 --separate-stderr tcpstates -k --columns next,comm -- deeds tcp 5000 1 10
	[[ $(head -n 1 <<<"$output") =~ ^NEXT\ +COMM$ ]] || { echo "$output"; false; }
	[ "$(grep -c '^TCP_CLOSE  *deeds' <<<"$output")" -eq 3 ] || { echo "$output"; false; }
	[ "$(grep -c '^    .*tcp_v4_connect+' <<<"$output")" -eq 1 ] || { echo "$output"; false; }
	run -0 --separate-stderr tcpstates -j -k -U --stack-depth 6 -- deeds tcp 5000 1 10
	# a stack of 5.10 begins with a frame of the tracing, which is left out
	same 'select(.args.next == "TCP_SYN_SENT") | [any(.kernel_stack[]; startswith("tcp_v4_connect+")), (.kernel_stack | length | . == 5 or . == 6), any(.user_stack[]; contains("connect+"))]' \
		'[true,true,true]' 'tcpstates -k -U'
	run -0 --separate-stderr tcpstates -j --ring 4 -- deeds tcp 5000 3 10
	[ "$(jq -s 'map(select(.args)) | length' <<<"$output")" -eq 4 ] || { echo "$output"; false; }
	[[ $(jq -s 'map(select(.args)) | last | .args.state' <<<"$output") == '"TCP_LISTEN"' && $stderr == *"kept the last 4 of "* ]] || { echo "$output$stderr"; false; }
	# each file begins with the header, and no row is in two
	run -0 --separate-stderr tcpstates -o rows --rotate 1000,99 -- deeds tcp 5000 4 10
	[ "$(ls rows rows.* | wc -l)" -ge 3 ] && [ "$(cat rows rows.* | grep -c COMM)" -eq "$(ls rows rows.* | wc -l)" ] || { head rows*; false; }
	[ "$(cat rows rows.* | grep -c 'TCP_CLOSE  *TCP_SYN_SENT')" -eq 4 ] || { head -n 99 rows*; false; }
}

@test "tcprtt, tcpsynbl, tcpsubnet, tcpcong: counts and bytes" {
	titles 'calls' tcprtt --lport 5000 -- deeds tcp 5000 2 100
	# the last packet of each handshake comes in a soft interrupt, whoever runs then
	together 'tcpsynbl -j' -- deeds tcp 5000 2 100
	showed '[.by.limit, .count]' tcpsynbl <<<'[8,2]'
	together 'tcpsynbl -j' -- streams mapped 5001 3 # one function calls the other
	showed '[.by.limit, .count]' tcpsynbl <<<'[8,3]'
	shows '[.by.net, .bytes]' tcpsubnet --interval 60 -- deeds tcp 5000 2 1000 <<<'["127.0.0.1/32",2020]'
	shows '[.by.net, .bits]' tcpsubnet 10.0.0.0/8,127.0.0.0/8,127.0.0.1/32 -f b --interval 60 -- deeds tcp 5000 2 1000 <<<'["127.0.0.0/8",16160]'
	run -0 --separate-stderr tcpsubnet -j --interval 60 -- families mapped 5040 # 100 bytes by each client
	[ "$(jq -c '[.by.net, .bytes]' <<<"$output" | sort | tr '\n' ' ')" = '["127.0.0.1/32",200] ["::/0",100] ' ] || { echo "$output"; false; }
	shows '.bytes' tcpsubnet --net 127.0.0.0/8 --interval 60 -- deeds tcp 5000 2 1000 <<<2020
	shows '.bytes' tcpsubnet --net 10.0.0.0/8 --interval 60 -- deeds tcp 5000 2 1000 </dev/null
	shows '[.by.to, .count > 0]' tcprtt -B -- deeds tcp6 5000 2 100 <<<'["::1",true]'
	shows '[.by.to, .count > 0]' tcprtt -B -- streams mapped 5001 2 <<<'["127.0.0.1",true]'
	tcpcong --dry-run -q >/dev/null 2>&1 || skip "$(tcpcong --dry-run 2>&1 | head -n 1)"
	run -0 --separate-stderr tcpcong -j -- deeds tcp 5000 1 100
}

# The kernel sets the state of a connection that it accepts. It ends with the connection, not with the next of that socket.
@test "tcpcong: until a connection is closed, each by itself" {
	tcpcong --dry-run -q >/dev/null 2>&1 || skip "$(tcpcong --dry-run 2>&1 | head -n 1)"
	shows 'select(.by.lport == 5002) | [.by.state, .count, .took > 200e6 and .took <= .elapsed_ns]' tcpcong -- streams waitall 5002 <<<'["TCP_CA_Open",1,true]'
	shows 'select(.by.lport == 5003) | [.by.state, .count]' tcpcong -- streams unread 5003 5 < <(printf '["TCP_CA_Open",1]\n%.0s' {1..10})
	# one after the other, and 5 times 20 ms without any
	jq -e -s 'map(select(.by.lport == 5003)) | (map(.took) | add) <= .[0].elapsed_ns - 100e6' <<<"$output" || { echo "$output"; false; }
	[[ $stderr != *"still in progress"* ]] || { echo "$stderr"; false; }
	# the same ports and sockets again: 5 of 5 ms and 5 shorter ones
	shows 'select(.by.lport == 5002) | [.by.to, .count, .took > 25e6 and .took <= .elapsed_ns - 100e6]' tcpcong -- streams reused 5002 5 <<<'["127.0.0.1:5003",10,true]'
}

@test "tcppktlat: data from its arrival to the read, at both ends" {
	run -0 --separate-stderr tcppktlat -j -- deeds tcp 5000 1 1000
	same '[.comm, .args.lport, .args.from, .args.took > 0]' \
		"$(ports '["deeds",5000,"127.0.0.1:%d",true]' && ports '["deeds",%d,"127.0.0.1:5000",true]')" tcppktlat
}

# Data that was not read before the close must not be read by the next connection of that socket.
@test "tcpconnect -c -s: by local port, too" {
	run -0 --separate-stderr tcpconnect -j -c -s -- deeds tcp 5000 3 10
	jq -e -s 'map(select(.args.count)) | length == 3 and (map(.args.lport) | unique | length == 3 and all(. > 1023)) and all(.args.count == 1 and .args.to == "127.0.0.1:5000")' <<<"$output" ||
		{ echo "$output"; false; }
	run -0 --separate-stderr tcpconnect -j -c -- deeds tcp 5000 3 10
	jq -e -s 'map(select(.args.count)) | length == 1 and .[0].args.count == 3 and (.[0].args | has("lport") | not)' <<<"$output" || { echo "$output"; false; }
}

@test "tcppktlat -r: one remote port" {
	run -0 --separate-stderr tcppktlat -j -r 5000 -- deeds tcp 5000 1 1000
	jq -e -s 'map(select(.args)) | length == 1 and .[0].args.from == "127.0.0.1:5000"' <<<"$output" || { echo "$output"; false; }
}

@test "tcppktlat: data that comes when the other direction is closed" {
	run -0 --separate-stderr tcppktlat -j -- streams halves 5002 3
	same 'select(.args) | [.args.lport == 5002, .args.took > 10e6]' "$(printf '[true,true]\n[false,true]\n%.0s' 1 2 3)" tcppktlat
}
@test "tcppktlat: data that is never read" {
	run -0 --separate-stderr tcppktlat -j -- streams unread 5002 5
	same 'select(.args) | [.comm, .args.lport]' "$(printf '["streams",5002]\n%.0s' {1..5})" tcppktlat
	# the next connection comes 20 ms after the data
	[ "$(jq -s 'map(select(.args.took and .args.took < 20e6)) | length' <<<"$output")" -ge 4 ] || { echo "$output"; false; }
}

@test "tcppktlat: the same ports again, after data that was never read" {
	run -0 --separate-stderr tcppktlat -j -- streams reused 5002 5
	same 'select(.args) | [.comm, .args.lport, .args.from, .args.took < 20e6]' \
		"$(printf '["streams",5002,"127.0.0.1:5003",true]\n%.0s' {1..5})" tcppktlat
	shows .args.took tcppktlat -P 5003 -- streams reused 5002 5 </dev/null
}

# By results: one recv of all, and a look at what stays; sends that fail.
@test "tcptop, tcpsubnet: bytes as returned by the calls" {
	shows 'select(.received > 0) | [.comm // .by.comm, .received]' tcptop --interval 60 -- streams waitall 5000 <<<'["streams",100000]'
	shows 'select(.sent > 0) | .sent' tcptop --interval 60 -- streams waitall 5000 <<<100000
	run -0 --separate-stderr tcptop -j --interval 60 -- streams dontwait 5001
	same .sent "$(grep -E '^[0-9]+$' <<<"$stderr")" tcptop
	run -0 --separate-stderr tcpsubnet -j --interval 60 -- streams dontwait 5002
	same .bytes "$(grep -E '^[0-9]+$' <<<"$stderr")" tcpsubnet
}

# It has no addresses before that.
@test "tcptop, tcpsubnet: a send that opens the connection" {
	run -0 --separate-stderr tcptop -j --interval 60 -- streams opens 5031 3
	[ "$(jq -s -c 'map(select(.sent > 0)) | map([.by.connection.daddr, .by.connection.dport, .sent]) | unique' <<<"$output")" = '[["127.0.0.1",5031,100]]' ] || { echo "$output"; false; }
	shows '[.by.net, .bytes]' tcpsubnet --net 10.0.0.0/8,127.0.0.0/8,0.0.0.0/0 --interval 60 -- streams opens 5032 3 <<<'["127.0.0.0/8",300]'
	shows '[.by.net, .bytes]' tcpsubnet --net 127.0.0.0/8 --interval 60 -- streams opens 5033 3 <<<'["127.0.0.0/8",300]'
	run -0 --separate-stderr tcpsubnet -j --net 10.9.0.0/16 --interval 60 -- streams opens 5034 3
	same 'select(.by.net) | .by.net' '' tcpsubnet
}

@test "tcptracer: processes that open, accept and close" {
	run -0 --separate-stderr tcptracer -j -- deeds tcp 5000 2 100
	same '[.comm, .args.op, .args.socket.sport == 5000, .args.socket.dport == 5000]' '["deeds","connect",false,true]
["deeds","accept",true,false]
["deeds","close",false,true]
["deeds","close",true,false]
["deeds","connect",false,true]
["deeds","accept",true,false]
["deeds","close",false,true]
["deeds","close",true,false]' tcptracer
	shows .args.op tcptracer -- deeds refused 5001 </dev/null
	# the user, as the original's -U; JSON has it always
	titles 'PID COMM UID OP SOCKET' tcptracer -U -- deeds tcp 5000 1 100
	[ "$(grep -cE ' deeds +0 +(connect|accept|close) ' <<<"$output")" -eq 4 ] || { echo "$output"; false; }
	run -0 --separate-stderr tcpconnlat -L -j -- deeds tcp 5000 2 100
	same '[.args.to, .args.lport]' "$(ports '["127.0.0.1:5000",%d]')" tcpconnlat
}

# The side that accepted is reset before it closes; sockets and ports are used again.
@test "tcptracer: connections that are reset, and sockets that were never connected" {
	shows '[.comm, .args.op, .args.socket.sport, .args.socket.dport]' tcptracer -- streams reused 5002 3 < <(
		for _ in 1 2 3 4 5 6; do
			printf '["streams","%s",%d,%d]\n' connect 5003 5002 accept 5002 5003 close 5003 5002 close 5002 5003
		done)
	dummy_begin
	run -0 --separate-stderr tcptracer -j -- streams later 5030
	dummy_end
	[ "$(jq -r 'select(.args) | .args.op + " " + .args.socket.daddr' <<<"$output" | sort | uniq -c | tr -s ' ')" = \
		$' 3 accept 127.0.0.1\n 7 close 127.0.0.1\n 4 connect 127.0.0.1' ] || { echo "$output"; false; }
}

@test "tcpdrop: a packet for which there is no socket" {
	run -0 --separate-stderr tcpdrop -- deeds refused 5001
	[[ $output =~ \ 0x800\ +40\ +127.0.0.1:[0-9]+\ -\>\ 127.0.0.1:5001\ .*tcp_v4_rcv ]] || { echo "$output"; false; }
	shows .args.len tcpdrop -- deeds udp 5006 1 </dev/null # TCP only
	shows 'select(.args.connection.dport) | .args.connection.dport' tcpdrop -a -- deeds udp 5006 1 <<<$'5007\n5007'
	tcpdrop -j -- deeds refused 5001 >json 2>/dev/null
	jq -e '.args.state == 0' json || { cat json; false; } # no socket, no state
	case $(jq -r .args.reason json) in SKB_DROP_REASON_NO_SOCKET | null | 0x0 | 0) ;; *) cat json; false ;; esac
}

# The kernel tells which socket a packet was for since 6.11.
@test "tcpdrop: the state of the connection that the packet was for" {
	grep -q rx_sk /sys/kernel/tracing/events/skb/kfree_skb/format || skip "this kernel does not tell the socket"
	run -0 --separate-stderr tcpdrop -j -- families aborted 5010
	same 'select(.args.connection.sport == 5010 and .args.len == 33) | .args.state' '"TCP_TIME_WAIT"' tcpdrop
}

retransmits() { awk '$1 == "Tcp:" { n = $13 } END { print n }' /proc/net/snmp; }
sent_again() { [ "$(retransmits)" -gt "$1" ]; } # THAN

# The answer never comes: the first packet is sent again after a second.
nobody_answers() {
	local before
	before=$(retransmits)
	bash -c 'echo >/dev/tcp/10.9.9.2/80' &
	wait_until sent_again "$before"
	kill $!
}

@test "tcpretrans: as often as the kernel counts" {
	dummy_begin
	before=$(retransmits)
	beside tcpretrans -- nobody_answers
	again=$(($(retransmits) - before))
	[ "$(jq -c '[.args.connection.daddr, .args.connection.dport, .args.state]' <<<"$output" | grep -cF '["10.9.9.2",80,"TCP_SYN_SENT"]')" -eq "$again" ] ||
		{ echo "$again: $output"; false; }
	# a timer sends it, whoever runs then
	jq -e -s 'map(select(.args.connection.daddr == "10.9.9.2")) | all(.comm == "bash")' <<<"$output" || { echo "$output"; false; }
	dummy_end
}

loss_probes() { awk '$1 == "TcpExt:" { for (i = 2; i <= NF; i++) if (head[i] == "TCPLossProbes") n = $i; else head[i] = $i } END { print n }' /proc/net/netstat; }

@test "tcpretrans: loss probes, sequence numbers, and counts by connection" {
	local probes
	probes=$(loss_probes)
	beside tcpretrans -l -- streams deaf 5044
	[ "$(loss_probes)" -gt "$probes" ]
	jq -e -s --argjson again "$(<beside.work)" 'map(.args | select(.connection.dport == 5044)) |
		(map(select(.kind == "P")) | length >= 1) and (map(select(.kind == "R")) | length == $again) and
		(map(.seq) | unique | length <= 3 and all(. > 0))' <<<"$output" || { cat beside.work; echo "$output"; false; }
	beside tcpretrans -c -- streams deaf 5045
	jq -e -s --argjson again "$(<beside.work)" 'map(select(.args.rport == 5045)) | length == 1 and (.[0] | .comm == "streams" and
		.args.count == $again and .args.remote == "127.0.0.1")' <<<"$output" || { cat beside.work; echo "$output"; false; }
}

rtts() { tcprtt -j "$1" --interval 60 -- families mapped 5040 2>/dev/null | jq -s 'map(.us[] | .[-1]) | add'; }

bind_and_listen() { deeds bind 5004 && deeds bind 5003 && deeds listen 5005 7 && streams unix "$PWD/listener" && streams unix "@no file"; }

@test "bindsnoop, solisten: addresses, protocols, results" {
	together 'bindsnoop -j -P 5003' 'solisten -j' -- bind_and_listen
	showed '[.args.proto, .args.addr, .args.ret]' bindsnoop <<-'END'
		["IPPROTO_TCP","127.0.0.1:5003",0]
		["IPPROTO_UDP","127.0.0.1:5003",0]
		["IPPROTO_TCP","127.0.0.1:5003",-98]
		["IPPROTO_TCP","[::1]:5003",0]
	END
	run -0 --separate-stderr bindsnoop -j -- streams ephemeral
	same '[.args.addr, .args.port, .args.ret]' "$(ports '["127.0.0.1:0",%d,0]')" bindsnoop
	showed '[.args.family, .args.addr, .args.backlog, .args.ret]' solisten <<-END
		["AF_INET","127.0.0.1:5005",7,0]
		["AF_UNIX","$PWD/listener",6,0]
		["AF_UNIX","\\u0000no file",6,0]
	END
	shows '[.args.addr, .errno]' bindsnoop -x -P 5003 -- deeds bind 5003 <<<'["127.0.0.1:5003","EADDRINUSE"]'
}

@test "bindsnoop --count: how often each address was bound, and with which result" {
	run -0 --separate-stderr bindsnoop -j --count -P 5003 -- sh -c 'deeds bind 5004; deeds bind 5003'
	[ "$(jq -c 'select(.by) | [.by.addr, .count]' <<<"$output" | sort)" = $'["127.0.0.1:5003",1]\n["127.0.0.1:5003",2]\n["[::1]:5003",1]' ] || { echo "$output"; false; }
	titles 'addr port ret count' bindsnoop --count -- deeds bind 5003
}

@test "bindsnoop: the options of a socket that matter for bind" {
	shows '[.args.port, .args.freebind, .args.transparent, .args.no_port, .args.reuse, .args.ret]' bindsnoop -- families bind 5920 <<-'END'
		[5920,1,0,0,0,0]
		[5921,0,1,0,0,0]
		[5922,0,0,1,0,0]
	END
}

# A listener for both, and three clients: IPv4, IPv4 by a socket of IPv6, IPv6.
@test "options -4 and -6 of TCP tools: IPv4 over sockets of IPv6 is IPv4" {
	local tool four six
	# rows of each: both ends, or one of them
	for tool in tcplife:4:2 tcpconnect:2:1 tcpaccept:2:1 tcpconnlat:2:1 tcptracer:8:4 tcptop:4:2; do
		IFS=: read -r tool four six <<<"$tool"
		run -0 --separate-stderr $tool -j -4 -- families mapped 5040
		[ "$(grep -c '127\.0\.0\.1' <<<"$output") $(grep -c ::1 <<<"$output")" = "$four 0" ] || { echo "$tool -4: $output"; false; }
		run -0 --separate-stderr $tool -j -6 -- families mapped 5040
		[ "$(grep -c '127\.0\.0\.1' <<<"$output") $(grep -c ::1 <<<"$output")" = "0 $six" ] || { echo "$tool -6: $output"; false; }
	done
	titles 'total: 2 calls' tcpsynbl -4 -- families mapped 5040
	titles 'total: 1 call' tcpsynbl -6 -- families mapped 5040
	shows 'select(.args.state == "TCP_SYN_SENT") | .args.to' tcpstates -4 -- families mapped 5040 <<<$'"127.0.0.1:5040"\n"127.0.0.1:5040"'
	shows 'select(.args.state == "TCP_SYN_SENT") | .args.to' tcpstates -6 -- families mapped 5040 <<<'"[::1]:5040"'
	# each side's packets while the connection is open
	[ "$(rtts -4)" -eq $(($(rtts -6) * 2)) ]
}

# Of a large message the rest lies in pages, and is not shown: what is shown was sent.
@test "undump: no byte that was not sent" {
	run -0 --separate-stderr undump -j -- deeds unix 50000 1
	jq -e -s 'map(select(.args)) | all(.args | (.data | gsub("u"; "")) == "" and .shown <= .bytes and (.data | length) == ([.shown, 128] | min))' <<<"$output" ||
		{ echo "$output"; false; }
	[ "$(jq -s 'map(.args.bytes // 0) | add' <<<"$output")" -eq 50000 ]
}

@test "undump: what is peeked at is not received yet" {
	for type in 1 2 5; do shows '[.args.bytes, .args.data]' undump -- deeds peek $type <<<'[5,"ppppp"]'; done
}

@test "undump: data received over UNIX sockets" {
	shows '[.comm, .args.bytes, .args.data]' undump -- deeds unix 5 2 <<-'END'
		["deeds",5,"uuuuu"]
		["deeds",5,"uuuuu"]
	END
}

# A line of the descriptors that the workload prints, in a record each.
descriptors() { # LINE ACTION
	sed -n "$1p" <<<"$stderr" | tr ' ' '\n' | sed "s|.*|[\"deeds\",\"$2\",&,\"$PWD/some\"]|"
}

@test "sofdsnoop: descriptors in a message, by both who sends and who takes them" {
	echo x >some
	run -0 --separate-stderr sofdsnoop -j -- deeds fds some 4
	same '[.comm, .args.action, .args.fd, .args.file]' "$(descriptors 1 SEND; descriptors 2 RECV)" sofdsnoop
	[ "$(wc -l <<<"$output")" -eq 8 ] || { echo "$output"; false; }
}

# The device counts while the tool does: what other programs send before and after is in neither.
@test "netqtop: as many packets as the device counts" {
	local sent=/sys/class/net/lo/statistics/tx_packets
	run -0 --separate-stderr netqtop -j --dev lo -- bash -c "cat $sent >before; deeds tcp 5000 3 100; cat $sent >after"
	same 'select(.by.func | contains("start_xmit")) | [.by.dev, .by.queue, .count]' "[\"lo\",0,$(($(<after) - $(<before)))]" netqtop
}
