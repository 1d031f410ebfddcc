#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# skbtrace where packets are changed on their way: bridge, VLAN, address translation, a firewall's rule, a wrong checksum.
# The kernel's counters are the judge.

bats_require_minimum_version 1.5.0
load wait
load namespaces

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	namespaces_make a r b
}

teardown() { namespaces_end a r b; }

# A module that this kernel's folder in the cache has only if fetch-kernel kept it.
needs() { # MODULE…
	local module
	for module in "$@"; do
		modprobe "$module" 2>/dev/null || grep -q "/$module.ko" /lib/modules/*/modules.builtin 2>/dev/null ||
			skip "no module $module: this kernel was fetched before tools/fetch-kernel kept it"
	done
}

# Where this kernel has reasons of drops, that of each row.
reasons_are() { # REASON
	[ -z "$(argdump --type 'enum skb_drop_reason' 2>/dev/null)" ] || rows -e "all(.args.reason == \"$1\")"
}

sent_by() { inside "$1" awk -v d="$2:" '$1 == d { print $11 }' /proc/net/dev; } # NAMESPACE DEVICE

@test "a bridge: each frame once in, once out, by the counters of its ports" {
	local a_port b_port echos
	needs bridge
	joined a 10.1.0.1 r -
	joined b 10.1.0.3 r -
	inside r ip link add br0 type bridge
	inside r ip link set vra master br0
	inside r ip link set vrb master br0
	inside r ip link set br0 up
	wait_until inside a ping -c 1 -W 1 10.1.0.3
	a_port=$(sent_by r vra) b_port=$(sent_by r vrb) echos=$(counter b Icmp InEchos)
	while_runs inside a ping -c 3 10.1.0.3 -- --stages --follow icmp
	[ $(($(counter b Icmp InEchos) - echos)) -eq 3 ]
	# neighbours may be asked for, too: so at least
	[ $(($(sent_by r vrb) - b_port)) -ge 3 ]
	[ $(($(sent_by r vra) - a_port)) -ge 3 ]
	rows -e 'map(.args | select(.netns == $r)) |
		(map(select(.func == "dev_hard_start_xmit")) | map(.dev) | sort == ["vra", "vra", "vra", "vrb", "vrb", "vrb"]) and
		all(.func | test("^ip_(rcv|forward)") | not)'
	if [ ! -e /sys/kernel/btf/bridge ]; then # before 5.11 functions of modules are not seen
		rows -e 'all(.args.func | startswith("br_") | not)'
		return
	fi
	rows -e 'map(.args | select(.netns == $r)) |
		(map(select(.func == "br_handle_frame_finish")) | map(.dev) | sort == ["vra", "vra", "vra", "vrb", "vrb", "vrb"])'
	# of the first request: the stations in order
	rows -r '[.[].args | select(.what.text | test("request.* seq 0"))] | .[0].packet as $p | .[] | select(.packet == $p) |
		select(.func | test("^(veth_xmit|br_handle_frame_finish|br_forward|icmp_rcv)$")) | "\(.func) \(.dev)"'
	diff answer - <<-'END'
		veth_xmit var
		br_handle_frame_finish vra
		br_forward vra
		veth_xmit vrb
		icmp_rcv vbr
	END
}

@test "a bridge with VLANs: a filter that names none matches frames with the tag that the bridge keeps beside them" {
	local sent
	needs bridge
	joined a 10.1.0.1 r -
	joined b 10.1.0.3 r -
	inside r ip link add br0 type bridge
	mkdir sys
	inside r bash -c 'mount -t sysfs of_r sys && echo 1 >sys/class/net/br0/bridge/vlan_filtering && umount sys'
	inside r ip link set vra master br0
	inside r ip link set vrb master br0
	inside r ip link set br0 up
	wait_until inside a ping -c 1 -W 1 10.1.0.3
	inside r ip link set vrb down
	sent=$(sent_by a var)
	while_runs inside a ping -c 2 -W 1 10.1.0.3 -- --drops icmp
	[ $(($(sent_by a var) - sent)) -ge 2 ]
	rows -e 'map(.args) | length == 2 and all(.netns == $r and .dev == "vra" and (.what.text | startswith("vlan 1, p 0, IP 10.1.0.1 > 10.1.0.3:")))'
	while_runs inside a ping -c 2 -W 1 10.1.0.3 -- --drops 'vlan 1 and icmp'
	rows -e 'length == 2'
	while_runs inside a ping -c 2 -W 1 10.1.0.3 -- --drops 'not vlan'
	rows -e 'all(.[].args; .dev != "vra")'
}

@test "a VLAN: the frame passes its device and the one below, on both sides" {
	local echos
	needs 8021q
	joined a - r -
	for end in 'a var 10.9.0.1' 'r vra 10.9.0.2'; do
		read -r ns dev address <<<"$end"
		inside $ns ip link add link $dev name tagged type vlan id 10
		inside $ns ip addr add $address/24 dev tagged
		inside $ns ip link set tagged up
	done
	wait_until inside a ping -c 1 -W 1 10.9.0.2
	echos=$(counter r Icmp InEchos)
	while_runs inside a ping -c 2 10.9.0.2 -- --stages --follow icmp
	[ $(($(counter r Icmp InEchos) - echos)) -eq 2 ]
	rows -e 'map(.args | select(.what.text | test("echo request"))) |
		(map(select(.netns == $a and .func == "dev_hard_start_xmit").dev) == ["tagged", "var", "tagged", "var"]) and
		(map(select(.netns == $r and .func == "ip_rcv").dev) == ["tagged", "tagged"]) and
		(map(select(.netns == $r and .func == "icmp_rcv")) | length == 2)'
}

@test "masquerading: one packet, with the address of the sender and then of the router" {
	local forwarded echos
	needs nf_tables nft_chain_nat nft_masq
	routed
	inside r rules masquerade
	forwarded=$(counter r Ip ForwDatagrams) echos=$(counter b Icmp InEchos)
	while_runs inside a ping -c 2 10.2.0.1 -- --stages --follow icmp
	[ $(($(counter b Icmp InEchos) - echos)) -eq 2 ]
	[ $(($(counter r Ip ForwDatagrams) - forwarded)) -eq 4 ]
	rows -e 'map(.args | select(.what.text | test("echo request"))) |
		(map(select(.func == "ip_forward")) | length == 2 and all(.what.text | startswith("IP 10.1.0.1 > 10.2.0.1:"))) and
		(map(select(.func == "icmp_rcv" and .netns == $b)) | length == 2 and all(.what.text | startswith("IP 10.2.0.2 > 10.2.0.1:"))) and
		(map(.packet) | unique | length <= 2)'
	# the answer goes to the router, and on to the sender
	rows -e 'map(.args | select(.what.text | test("echo reply"))) |
		(map(select(.func == "ip_rcv" and .netns == $r)) | all(.what.text | startswith("IP 10.2.0.1 > 10.2.0.2:"))) and
		(map(select(.func == "icmp_rcv" and .netns == $a)) | length == 2 and all(.what.text | startswith("IP 10.2.0.1 > 10.1.0.1:")))'
}

@test "a redirected address: the packet goes to another namespace than it was sent to" {
	local echos
	needs nf_tables nft_chain_nat nft_nat
	routed
	inside r rules redirect 10.7.7.7 10.2.0.1
	echos=$(counter b Icmp InEchos)
	while_runs inside a ping -c 2 10.7.7.7 -- --stages --follow 'icmp and host 10.7.7.7'
	[ $(($(counter b Icmp InEchos) - echos)) -eq 2 ]
	rows -e 'map(.args) | (map(select(.func == "icmp_rcv" and .netns == $b)) | length == 2 and all(.what.text | startswith("IP 10.1.0.1 > 10.2.0.1:"))) and
		(.[0].what.text | startswith("IP 10.1.0.1 > 10.7.7.7:"))'
}

@test "a rule that drops: as many as IP received and did not deliver, by netfilter" {
	local received delivered
	needs nf_tables
	routed
	inside b rules drop 7777
	received=$(counter b Ip InReceives) delivered=$(counter b Ip InDelivers)
	while_runs inside a bash -c 'for i in 1 2 3; do echo x >/dev/udp/10.2.0.1/7777; done' -- --drops 'udp port 7777'
	[ $(($(counter b Ip InReceives) - received)) -eq 3 ]
	[ $(($(counter b Ip InDelivers) - delivered)) -eq 0 ]
	rows -e 'map(.args) | length == 3 and all(.netns == $b and (.where | test("^nf_hook_slow|^nft_do_chain")))'
	reasons_are SKB_DROP_REASON_NETFILTER_DROP
}

@test "a wrong checksum: as often as UDP counts it" {
	local errors
	routed
	errors=$(counter b Udp InCsumErrors)
	while_runs inside a rules corrupt 10.2.0.1 9 4 -- --drops 'udp port 9'
	[ $(($(counter b Udp InCsumErrors) - errors)) -eq 4 ]
	rows -e 'map(.args) | length == 4 and all(.netns == $b and (.where | test("udp")))'
	reasons_are SKB_DROP_REASON_UDP_CSUM
}

@test "--summary: each station as often as the kernel counts, and no time before a packet's first function" {
	local forwarded
	routed
	forwarded=$(counter r Ip ForwDatagrams)
	while_runs inside a ping -c 5 -i 0.1 10.2.0.1 -- --summary --stages --follow icmp
	[ $(($(counter r Ip ForwDatagrams) - forwarded)) -eq 10 ]
	jq -es 'map({key: .by.func, value: .}) | from_entries |
		.ip_forward.count == 10 and .icmp_rcv.count == 10 and .ip_forward.took > 0 and
		.ip_forward.longest >= .ip_forward.average and .ip_forward.took >= .ip_forward.longest and
		.__ip_local_out.count == 10 and .__ip_local_out.took == 0' <rows || { cat rows; false; }
	while_runs inside a bash -c 'for i in 1 2 3; do echo x >/dev/udp/10.2.0.1/9999; done' -- --summary --drops 'udp port 9999'
	jq -es 'length == 1 and .[0].count == 3 and (.[0].by.where | test("udp"))' <rows || { cat rows; false; }
}

@test "--summary while packets come and go: no packet inherits the time of another at its address" {
	routed
	inside a bash -c 'echo $$ >pings; while :; do ping -c 1 -q 10.2.0.1; sleep 0.1; done >/dev/null' 3>&- &
	skbtrace -j -o rows --summary --stages --follow -d 2 icmp
	kill "$(<pings)"
	jq -es 'map(select(.by.func == "__ip_local_out")) | length == 1 and .[0].count > 3 and .[0].took == 0' <rows || { cat rows; false; }
}

@test "--mark with a mask, --netns by file and number, --steps" {
	routed
	while_runs inside a ping -c 1 10.2.0.1 -- --stages --netns "/proc/$(<"$BATS_FILE_TMPDIR/b")/ns/net" icmp
	rows -e 'length > 3 and all(.[].args; .netns == $b)'
	while_runs inside a ping -c 1 10.2.0.1 -- --stages --netns "net:[$(inode b)]" --steps --follow icmp
	rows -e 'map(.args) | length > 3 and all(.netns == $b) and ([.[].after] | add) > 0 and (.[0].packet as $p | map(select(.packet == $p).after) | .[0] == 0 and . != sort)'
	run -1 skbtrace --netns nosuch --stages
	[[ $output == *"no network namespace 'nosuch'"* ]] || { echo "$output"; false; }
	while_runs inside a rules marked 10.2.0.1 0x123 2 -- --stages --mark 0x20/0xf0 'udp'
	rows -e 'map(.args) | length > 3 and all(.mark == "0x123" or .mark == 291)'
	while_runs inside a rules marked 10.2.0.1 0x123 2 -- --stages --mark 0x10/0xf0 'udp'
	[ ! -s rows ] || { cat rows; false; }
}
