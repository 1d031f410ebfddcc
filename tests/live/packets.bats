#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Packets on a live kernel: filters in tcpdump's language, packets in a line and in a file. What tcpdump itself says of
# the frames that `frames` sends was written down here once.

bats_require_minimum_version 1.5.0
load argdump

setup() { cd "$BATS_TEST_TMPDIR" || return; }

# tcpdump -nSt 4.99, but for the tag of a VLAN, the server of TLS and the name of LLDP.
lines() {
	cat <<'END'
ARP, Request who-has 10.0.0.2 tell 10.0.0.1, length 28
ARP, Reply 10.0.0.2 is-at 02:00:00:00:00:02, length 28
IP 10.0.0.1.40000 > 10.0.0.2.443: Flags [S], seq 1000, win 65495, options [mss 65495,sackOK,TS val 1 ecr 0,nop,wscale 7], length 0
IP 10.0.0.1.40000 > 10.0.0.2.443: Flags [S.], seq 1000, ack 2000, win 65495, options [mss 1460], length 0
IP 10.0.0.1.40000 > 10.0.0.2.443: Flags [.], ack 2000, win 65495, options [nop,nop,sack 1 {3000:4000}], length 0
IP 10.0.0.1.40000 > 10.0.0.2.443: Flags [P.], seq 1000:1005, ack 2000, win 65495, length 5
IP 10.0.0.1.40000 > 10.0.0.2.443: Flags [F.], seq 1000, ack 2000, win 65495, length 0
IP 10.0.0.1.40000 > 10.0.0.2.443: Flags [R], seq 1000, win 65495, length 0
IP 10.0.0.1.40000 > 10.0.0.2.443: Flags [UEW], win 65495, urg 0, length 0
IP 10.0.0.1.40000 > 10.0.0.2.443: Flags [none], win 65495, length 0
IP 10.0.0.1.12345 > 10.0.0.2.9999: UDP, length 5
IP 10.0.0.1 > 10.0.0.2: ip-proto-17
IP 10.0.0.1 > 10.0.0.2: ICMP echo request, id 7, seq 1, length 16
IP 10.0.0.1 > 10.0.0.2: ICMP echo reply, id 7, seq 1, length 16
IP 10.0.0.1 > 10.0.0.2: ICMP 10.0.0.2 udp port 53 unreachable, length 36
IP 10.0.0.1 > 10.0.0.2: ICMP host 10.0.0.2 unreachable, length 36
IP 10.0.0.1 > 10.0.0.2: ICMP time exceeded in-transit, length 36
IP 10.0.0.1.12345 > 10.0.0.2.9999: UDP, length 0
IP 10.0.0.1 > 10.0.0.2: ip-proto-253 4
IP 10.0.0.1.12345 > 10.0.0.2.53: 1234+ A? example.com. (29)
IP 10.0.0.1.53 > 10.0.0.2.12345: 1234 2/0/0 A 10.1.2.3, A 10.1.2.4 (61)
IP 10.0.0.1.53 > 10.0.0.2.12345: 1234 NXDomain 0/0/0 (29)
vlan 10, p 3, IP 10.0.0.1.12345 > 10.0.0.2.9999: UDP, length 5
IP6 fe80::1.40000 > fe80::2.443: Flags [S], seq 1000, win 65495, length 0
IP6 fe80::1.12345 > fe80::2.9999: UDP, length 5
IP6 fe80::1 > ff02::2: ICMP6, neighbor solicitation, who has fe80::2, length 24
IP6 fe80::2 > fe80::1: ICMP6, neighbor advertisement, tgt is fe80::2, length 24
IP6 fe80::1 > fe80::2: ICMP6, echo request, id 7, seq 1, length 16
IP6 fe80::1 > ff02::16: HBH ICMP6, multicast listener report v2, 1 group record(s), length 28
IP 10.0.0.1.40000 > 10.0.0.2.80: Flags [P.], seq 1000:1018, ack 2000, win 65495, length 18: HTTP: GET / HTTP/1.1
IP 10.0.0.1.40000 > 10.0.0.2.443: Flags [P.], seq 1000:1073, ack 2000, win 65495, length 73: TLS client hello, SNI www.test.org
ethertype 0x88cc, length 19
END
}

# The packets that COMMAND sent, not those that the guest's own services send meanwhile.
traced() { run -0 --separate-stderr argdump --if '$comm == "frames"' "$@" -- frames send; }

@test "packets in a line, as tcpdump prints them" {
	traced --print '{p}' t:net:netif_receive_skb p=skb:packet
	diff <(lines) - <<<"$output"
	traced -j t:net:netif_receive_skb p=skb:packet
	lines | diff - <(jq -r 'select(.args).args.p.text' <<<"$output")
	jq -es '[.[] | select(.args).args.p | .length == .captured and .length > 30] | length == 32 and all' <<<"$output"
}

@test "what tunnels carry, in a line and in filters, as tcpdump does" {
	run -0 --separate-stderr argdump --if '$comm == "frames"' --print '{p}' t:net:netif_receive_skb p=skb:packet -- frames tunnels
	diff - <(printf '%s\n' "$output") <<'END'
IP 10.0.0.1 > 10.0.0.2: IP 192.168.0.1 > 192.168.0.2: ICMP echo request, id 7, seq 1, length 16
IP 10.0.0.1 > 10.0.0.2: IP6 fd00::1 > fd00::2: ICMP6, echo request, id 7, seq 1, length 16
IP 10.0.0.1 > 10.0.0.2: GREv0, key=0x42, seq 5, length 48: IP 192.168.0.1 > 192.168.0.2: ICMP echo request, id 7, seq 1, length 16
IP 10.0.0.1 > 10.0.0.2: GREv0, key=0x123456, length 50: ARP, Request who-has 192.168.0.2 tell 192.168.0.1, length 28
IP 10.0.0.1.40000 > 10.0.0.2.4789: VXLAN, flags [I] (0x08), vni 42: IP 192.168.0.1 > 192.168.0.2: ICMP echo request, id 7, seq 1, length 16
IP 10.0.0.1.40000 > 10.0.0.2.6081: Geneve, Flags [none], vni 0xa: IP 192.168.0.1 > 192.168.0.2: ICMP echo request, id 7, seq 1, length 16
IP 10.0.0.1.40000 > 10.0.0.2.6081: Geneve, Flags [C], vni 0xa, options [8 bytes]: IP 192.168.0.1.12345 > 192.168.0.2.9999: UDP, length 5
IP 10.0.0.1.40000 > 10.0.0.2.6081: Geneve, Flags [OC], vni 0xa: ARP, Request who-has 192.168.0.2 tell 192.168.0.1, length 28
END
	run -0 --separate-stderr argdump -j --if '$comm == "frames"' --sum 'a=pcap("geneve")' --sum 'b=pcap("geneve and host 192.168.0.1")' \
		--sum 'c=pcap("geneve 10 and icmp")' --sum 'd=pcap("ip proto gre")' t:net:netif_receive_skb -- frames tunnels
	[ "$(jq -c 'select(.type == "count") | [.a, .b, .c, .d]' <<<"$output")" = '[3,3,1,2]' ] || { echo "$output"; false; }
}

@test "a cut packet is marked, and its captured part is printed" {
	traced --print '{p}' t:net:netif_receive_skb p=skb:packet:30
	[ "$(count -F '[|' <<<"$output")" -gt 15 ]
	grep -qxF 'IP 10.0.0.1.40000 > 10.0.0.2.443: [|tcp]' <<<"$output"
	grep -qxF 'IP 10.0.0.1.12345 > 10.0.0.2.9999: UDP, length 5' <<<"$output"
}

@test "filters choose the packets that tcpdump chooses, at each way to attach" {
	local filter n sums=() want=() method
	while read -r n filter; do # as `tcpdump -r FILE FILTER` counts the frames
		sums+=(--sum "f${#want[@]}=pcap(\"$filter\")")
		want+=("$n")
		[ ${#want[@]} -eq 4 ] || continue # more are too much work for the verifier of 5.10
		traced -j "${sums[@]}" t:net:netif_receive_skb
		[ "$(jq -c 'select(.type == "count") | [.f0, .f1, .f2, .f3]' <<<"$output")" = \
			"[$(IFS=, && echo "${want[*]}")]" ] || { echo "$output; not ${want[*]}"; false; }
		sums=() want=()
	done <<'END'
11 tcp
2 arp
3 udp port 53
5 icmp
6 ip6
1 vlan 10
2 tcp[tcpflags] & tcp-syn != 0
14 greater 70
10 not ip
7 ether src 02:00:00:00:00:01 and udp
1 ip[6:2] & 0x1fff != 0
1 dst port 443 and tcp[13] = 0
END
	for method in $(function_methods); do
		wants 3 ' skb=IP 127.0.0.1.7011 > 127.0.0.1.7012: UDP, length [0-9]+$' --attach "$method" \
			--packet 'udp and host 127.0.0.1 and dst port 7012' ip_rcv skb:packet -- deeds udp 7011 3
		# no link header yet, and no port of TCP
		wants 3 'skb=IP 127' --attach "$method" --packet 'ip and udp[2:2] = 7012' ip_output skb:packet -- deeds udp 7011 3
		wants 0 'skb=' --attach "$method" --packet 'ether[0] = 0 or tcp port 7012' ip_output skb:packet -- deeds udp 7011 3
	done
}

@test "headers as structs, whose members are as in memory: 0xd7ff, 0x0d00" {
	traced -j --packet 'tcp[tcpflags] = tcp-syn and ip' t:net:netif_receive_skb t=skb:tcp i=skb:ip e=skb:eth
	[ "$(jq -c 'select(.args).args | [.t.window, .t.doff, .t.syn, .i.ttl, .i.protocol]' <<<"$output")" = '[55295,10,1,64,6]' ] ||
		{ echo "$output"; false; }
	traced -j --packet 'udp and ip6' t:net:netif_receive_skb u=skb:udp s=skb:ipv6
	[ "$(jq -c 'select(.args).args | [.u.len, .s.hop_limit, .s.nexthdr]' <<<"$output")" = '[3328,64,17]' ] || { echo "$output"; false; }
}

@test "--pcap: the frames as they were sent, their interface, function, task and stack" {
	traced --pcap file -k --packet 'not tcp' t:net:netif_receive_skb p=skb:packet:60 'dev=skb->dev->name' 'n=skb->len'
	[ ! "$output" ]
	frames read file >read
	[ "$(grep -cE '^[0-9]+ [0-9]+ [0-9]+ lo net:netif_receive_skb frames-[0-9]+ dev="lo" n=[0-9]+$' read)" -eq 21 ]
	[ "$(awk '/^[0-9]/ { printf "%s ", $1 }' read)" = '0 1 10 11 12 13 14 15 16 17 18 19 20 21 22 24 25 26 27 28 31 ' ]
	grep -qE '^20 74 103 ' read # 14 and 60 bytes of it
	grep -q '^  packet_sendmsg+0x' read
}

@test "invalid filters, packets and files of packets are refused" {
	run -1 --separate-stderr argdump --packet 'tcp prt 80' ip_rcv
	[[ $stderr == *"cannot filter packets: can't parse filter expression: syntax error"* ]]
	run -1 --separate-stderr argdump --packet tcp vfs_read
	[[ $stderr == *"vfs_read has no parameter that is a packet"* ]]
	run -1 --separate-stderr argdump --pcap file ip_rcv
	[[ $stderr == *"--pcap writes packets, but no value is a packet"* ]]
}
