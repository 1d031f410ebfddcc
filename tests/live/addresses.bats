#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Conditions on the addresses of sockets. The workload: talks, between 127.0.0.1:7002 and :7001, [::1]:7004 and
# :7003, and 127.0.0.1:7006 and :7005 by sockets for IPv6; each client sends, each server answers.

bats_require_minimum_version 1.5.0
load argdump

# COUNT of the 12 sends of `talks 2` fulfil CONDITION.
sends() { # COUNT CONDITION…
	local n=$1 condition
	shift
	for condition; do
		run -0 --separate-stderr argdump -c talks --if "$condition" tcp_sendmsg size -- talks 2
		[ "$(count ' size=' <<<"$output")" -eq "$n" ] || { echo "$condition: not $n:"; echo "$output $stderr"; false; }
	done
}

@test "flow: of a packet, by its own headers" {
	wants 3 ' skb=127.0.0.1:7011 -> 127.0.0.1:7012$' ip_rcv skb:flow -- deeds udp 7011 3
	[ "$(count ' skb=127.0.0.1 -> 127.0.0.1 IPPROTO_ICMP$' <<<"$output")" -eq 3 ] || { echo "$output"; false; } # nobody listens
	wants 3 ' skb=\[::1\]:7011 -> \[::1\]:7012$' ipv6_rcv skb:flow -- deeds udp 7011 3
	wants 2 ' skb=no headers yet$' skb_copy_datagram_iter skb:flow -- deeds unix 5 2
	run -0 --separate-stderr argdump -j --count --sum 'skb->len' --by skb:flow ip_rcv -- deeds udp 7011 4
	[ "$(jq -c 'select(.by.skb.sport == 7011) | [.by.skb.daddr, .by.skb.dport, .by.skb.proto, .count, .sum]' <<<"$output")" = '["127.0.0.1",7012,"IPPROTO_UDP",4,132]' ] || { echo "$output"; false; }
}

@test "either end: an address and port, a port, an address" {
	sends 4 'sk:sock == "127.0.0.1:7001"' 'sk:sock ~ "*:7003"' 'sk->sk_socket:sock ~ "*:7006"' 'sk:sock ~ "[::1]:*"' '"[::1]:7004" == sk:sock'
	sends 8 'sk:sock ~ "127.0.0.1:*"' 'sk:sock ~ "127.*"' 'sk:sock ~ "127.0.0.0/8"' 'sk:sock != "127.0.0.1:7001"' 'sk:sock ~ "::ffff:127.0.0.1"'
	sends 12 'sk:sock ~ "*"' 'sk:sock ~ "*:*"'
	sends 0 'sk:sock ~ "10.*"' 'sk:sock == "127.0.0.1:7003"' 'sk:sock ~ "[::2]:*"'
}

@test "one end: local and peer, both ends, a part of an address" {
	sends 2 'sk:local == "127.0.0.1:7002"' 'sk:peer == "127.0.0.1:7006"' 'sk:peer ~ "[::1]:7003"' 'sk:peer ~ "[::/64]:7003"' 'sk:local ~ "*:7005"' \
		'sk:sock == "127.0.0.1:7002 -> 127.0.0.1:7001"' 'sk:sock ~ "127.* -> *:7002"'
	sends 10 'sk:peer != "[::1]:7003"'
	sends 0 'sk:sock ~ "127.* -> *:7003"' 'sk:peer ~ "127.0.1.0/24"' 'sk:peer ~ "*:65535"'
	sends 8 'sk:peer ~ "127.0.0.0/16"' 'sk:peer ~ "0.0.0.0/0"'
	sends 4 'sk:peer ~ "*:7001" || sk:local ~ "*:7001"'
}

@test "by every method; as a value, a measure and a key; of sockets without addresses" {
	for method in $(function_methods); do
		wants 4 ' talks +local=[01] size=[35]$' --attach "$method" -c talks --if 'sk:sock ~ "*:7001"' tcp_sendmsg 'local=sk:local ~ "*:7001"' size -- talks 2
	done
	run -0 --separate-stderr argdump -c talks --sum 'n=sk:peer ~ "127.*"' --by 'six=sk:sock ~ "[::1]:*"' tcp_sendmsg -- talks 2
	grep -qE '^ *0 +8$' <<<"$output" && grep -qE '^ *1 +0$' <<<"$output" || { echo "$output"; false; }
	wants 4 ' v=0 w=1$' -c talks unix_stream_sendmsg 'v=sock:sock ~ "*"' 'w=sock:peer != "1.1.1.1:1"' -- talks 2
}
