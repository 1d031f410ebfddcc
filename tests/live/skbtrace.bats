#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# skbtrace: packets between network namespaces, a -- r -- b, over veth. The kernel's counters are the judge of how many
# packets pass and die where.

bats_require_minimum_version 1.5.0
load wait
load namespaces

setup_file() {
	namespaces_make a r b
	routed
}

teardown_file() { namespaces_end a r b; }

setup() { cd "$BATS_TEST_TMPDIR" || return; }

has_multi() { grep -q ' register_fprobe_ips$' /proc/kallsyms; }

@test "a ping through a router: each station in order, and how often, by the kernel's counters" {
	local forwarded received
	forwarded=$(counter r Ip ForwDatagrams) received=$(counter b Ip InReceives)
	while_runs inside a ping -c 2 10.2.0.1 -- --stages --follow icmp
	[ $(($(counter r Ip ForwDatagrams) - forwarded)) -eq 4 ]
	[ $(($(counter b Ip InReceives) - received)) -eq 2 ]
	rows -e 'map(.args) | (map(select(.func == "ip_forward" and .netns == $r)) | length == 4) and
		(map(select(.func == "ip_rcv" and .netns == $b)) | length == 2) and
		(map(select(.func == "ip_rcv" and .netns == $a)) | length == 2)'
	# of the first packet
	rows -r '.[0].args.packet as $p | [.[].args | select(.packet == $p)] | until(.[-1].what.text | test("seq 0"); .[:-1]) |
		map(select(.what.text | test("request.* seq 0"))) |
		(if map(.after) | . == sort then "sorted" else "unsorted" end), (.[] |
		"\(.func) \(if .netns == $a then "a" elif .netns == $r then "r" elif .netns == $b then "b" else .netns end) \(.dev)")'
	grep -v '__netif_receive_skb_one_core\|netif_rx_internal\|enqueue_to_backlog\|ip_rcv_core\|nf_hook_slow\|consume_skb\|kfree_skb\|veth_xmit' answer >stations
	diff stations - <<-'END'
		sorted
		__ip_local_out a -
		ip_output a -
		ip_finish_output a var
		__dev_queue_xmit a var
		dev_hard_start_xmit a var
		__netif_receive_skb r vra
		ip_rcv r vra
		ip_forward r vra
		ip_output r vra
		ip_finish_output r vrb
		__dev_queue_xmit r vrb
		dev_hard_start_xmit r vrb
		__netif_receive_skb b vbr
		ip_rcv b vbr
		ip_local_deliver b vbr
		ip_local_deliver_finish b vbr
		icmp_rcv b vbr
		skb_release_head_state b vbr
	END
}

@test "--follow: a packet that no longer matches, and without it" {
	# the router makes 63 of it
	while_runs inside a ping -c 1 10.2.0.1 -- --stages 'icmp[0] = 8 and ip[8] = 64'
	rows -e 'map(.args) | any(.func == "ip_rcv" and .netns == $r) and all(.netns != $b)'
	while_runs inside a ping -c 1 10.2.0.1 -- --stages --follow 'icmp[0] = 8 and ip[8] = 64'
	rows -e 'map(.args) | any(.func == "icmp_rcv" and .netns == $b) and (map(.packet) | unique | length == 1) and
		.[-1].func == "skb_release_head_state"'
}

@test "--follow: a clone is the same packet, an address that is used again is another" {
	# the reply is for the raw socket, too
	while_runs inside a ping -c 1 10.2.0.1 -- --stages --follow 'icmp[0] = 0'
	rows -e 'map(.args) | (map(select(.func == "skb_release_head_state")) | length == 2) and
		(map(.packet) | unique | length == 1) and (map(select(.after == 0)) | length == 1)'
	while_runs deeds udp 7011 100 -- --stages --follow 'udp and dst port 7012'
	rows -e 'map(.args) | (map(select(.after == 0)) | length == 200) and
		(map(select(.after == 0).packet) | unique | length < 200) and
		(map(select(.func == "skb_release_head_state")) | length == 200)'
	# four questions with three answers each: an answer may be at the address of a question that has been read
	while_runs bash -c 'for i in 1 2 3 4; do sessions udp4; done' -- --stages --follow 'udp and dst port 5010'
	rows -e 'map(.args) | (map(select(.func == "__ip_local_out")) | length == 4) and all(.what.text | test("> 127.0.0.1.5010:"))'
}

@test "--drops: which packets, where and why, as often as the kernel counts" {
	local ports header
	ports=$(counter b Udp NoPorts) header=$(counter r Ip InHdrErrors)
	while_runs inside a bash -c 'for i in 1 2 3; do echo x >/dev/udp/10.2.0.1/9999; done
		ping -c 1 -W 1 -t 1 10.2.0.1' -- --drops ip
	[ $(($(counter b Udp NoPorts) - ports)) -eq 3 ]
	[ $(($(counter r Ip InHdrErrors) - header)) -eq 1 ]
	rows -e 'map(.args) | (map(select(.netns == $b and (.what.text | test("9999: UDP, length 2")))) | length == 3 and all(.where | test("udp"))) and
		(map(select(.netns == $r)) | length == 1 and (.[0].where | test("ip_forward|ip_error")))'
	if [ "$(argdump --type 'enum skb_drop_reason' 2>/dev/null)" ]; then
		rows -e 'map(select(.args.netns == $b).args.reason) | all(. == "SKB_DROP_REASON_NO_SOCKET")'
	else
		rows -e 'all(.args.reason == null)'
	fi
	run -0 --separate-stderr skbtrace --drops -k -n 1 -d 20 'udp port 9999' < <(wait_until has_dropped)
	[[ $output == *'10.2.0.1.9999: UDP'*'_rcv+0x'*'ip_local_deliver'*'udp_sendmsg+0x'* ]] || { echo "$output$stderr"; false; }
}

has_dropped() {
	inside a bash -c 'echo x >/dev/udp/10.2.0.1/9999'
	false
}

@test "a connection that is refused: flags of TCP, namespaces, devices, functions by name" {
	while_runs inside a bash -c ': </dev/tcp/10.2.0.1/81' -- --func 'ip_*' --netns "$(inode b)" 'tcp and port 81'
	rows -e 'map(.args) | length > 4 and all(.netns == $b and (.func | startswith("ip_"))) and
		any(.what.text | test("> 10.2.0.1.81: Flags \\[S\\]")) and any(.what.text | test("10.2.0.1.81 > .* Flags \\[R\\.\\]"))'
	while_runs inside a bash -c ': </dev/tcp/10.2.0.1/81' -- --stages --dev vrb 'tcp and port 81'
	rows -e 'map(.args) | length > 4 and all(.netns == $r and .dev == "vrb")'
	while_runs inside a bash -c ': </dev/tcp/10.2.0.1/81' -- --stages --mark 7 'tcp and port 81'
	[ ! -s rows ]
}

@test "every function with a packet: those of modules, too; or how many are too many" {
	if ! has_multi; then
		run -2 skbtrace -d 1 icmp
		[[ $output == *'functions match, and this kernel attaches them one by one: at most 300'*'--help has options for fewer functions'* ]]
		return
	fi
	while_runs inside a ping -c 1 10.2.0.1 -- --follow icmp
	rows -e '[.[].args.func] | unique | length > 50 and contains(["veth_xmit", "icmp_echo", "ip_rcv_core", "skb_push"])'
	run -1 skbtrace 'tcp prt 80'
	[[ $output == *"syntax error"* ]]
}
