#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# argdump's formats on a live kernel: every value compared with what somebody else says about it.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	printf 'x%.0s' {1..64} >some
}

# Runs argdump with JSON; its records are in the file out.
dumped() {
	run -0 --separate-stderr argdump -q -j "$@"
	grep '"type":"argdump"' <<<"$output" >out || { echo "$output $stderr"; false; }
}

# The values of all records, as an array, satisfy the jq filter $1 (and there is one).
all() { jq -e -s "map(.args + {comm, errors}) | length > 0 and ($1)" out >/dev/null || { head -n 5 out; false; }; }

@test "mac, hex[N], x8[N] and a plain array: the same six bytes" {
	busybox ip link set lo address 02:1b:0a:ff:00:7f
	dumped ip_rcv "mac=dev->dev_addr:mac" "hex=dev->dev_addr:hex[6]" "x=dev->dev_addr:x8[6]" \
		"perm=dev->perm_addr:mac" "perm_x=dev->perm_addr:x8[6]" "perm_all=dev->perm_addr" \
		"name=dev->name" -- bash -c 'for i in {1..7}; do echo x >/dev/udp/127.0.0.1/9; done'
	all 'length >= 7 and all(.[]; .name == "lo" and .mac == "02:1b:0a:ff:00:7f" and
		.hex == "021b0aff007f" and .x == [2, 27, 10, 255, 0, 127] and
		.perm == "00:00:00:00:00:00" and .perm_x == [0, 0, 0, 0, 0, 0] and
		(.perm_all | length == 32 and add == 0))'
}

@test "the IP header: ip4 by address and by value, ports, bytes of a packet" {
	dumped ip_rcv 'head=skb->data:hex[20]' 'protocol=skb->protocol:port' "len=skb->len" \
		-- bash -c 'for i in {1..5}; do echo hello >/dev/udp/127.0.0.1/9; done'
	# version 4, protocol UDP, from and to 127.0.0.1; 20 + 8 + 6 bytes
	all '[.[] | select(.len == 34)] | length >= 5 and all(.[]; .protocol == 2048 and
		.head[0:2] == "45" and .head[18:20] == "11" and .head[24:] == "7f0000017f000001")'
	dumped ip_send_skb 'from=skb->sk->__sk_common.skc_rcv_saddr:ip4' \
		'to=skb->sk->__sk_common.skc_daddr:ip4' 'port=skb->sk->__sk_common.skc_dport:port' \
		'family=skb->sk->__sk_common.skc_family:family' \
		-- bash -c 'for i in {1..5}; do echo hello >/dev/udp/127.0.0.1/909; done'
	# the answers that nobody listens there go through it, too, where it is not inlined: from the kernel's own socket
	all 'map(select(.port != 0)) | length >= 5 and all(.[]; .to == "127.0.0.1" and .from == "127.0.0.1" and
		.port == 909 and .family == "AF_INET")'
}

@test "sockaddr: every family, hostile paths, at the end of a page" {
	dumped __sys_connect uservaddr:sockaddr raw=uservaddr:hex[4] -- connects
	all 'map(.uservaddr) == ["127.0.1.2:8080", "[::1]:443", "/tmp/a\n\u001b[2Jb\" v=\uefff",
		"@hid\nden", "netlink:42:0x5", "vsock:2:12345", "127.0.1.2:9", "[::1]:443", null] and
		.[0].raw == "02001f90" and .[8].errors.uservaddr == null'
	run -0 --separate-stderr argdump -q __sys_connect uservaddr:sockaddr -- connects
	[[ $output == *'uservaddr="/tmp/a\n\x1b[2Jb\" v=\xff"'* ]]
	[[ $output == *'uservaddr="@hid\nden"'* ]]
	[[ $output != *$'\x1b'* ]]
	[ "$(grep -c ' connects ' <<<"$output")" -eq 9 ]
}

@test "files: mode, open flags, UUID, symbols, gfp, array elements" {
	chmod 4751 some
	dumped vfs_read 'mode=file->f_inode->i_mode:filemode' 'm=file->f_inode->i_mode:o' \
		'flags=file->f_flags:openflags' 'gfp=file->f_mapping->gfp_mask:gfp' \
		'op=file->f_op:p' 'sym=file->f_op:sym' 'uuid=file->f_inode->i_sb->s_uuid:uuid' \
		'raw=file->f_inode->i_sb->s_uuid:hex' 'bytes=file->f_inode->i_sb->s_uuid.b' \
		'name=file->f_path.dentry->d_name.name:str' -- reads 9 some
	jq -s 'map(select(.args.name == "some"))' out >some.json
	jq '.[]' some.json >out
	all 'length == 9 and all(.[]; .mode == "-rwsr-x--x" and .m == "0104751" and
		(.flags | index("O_RDONLY") != null) and (.gfp | index("GFP_KERNEL") != null) and
		(.uuid | gsub("-"; "")) == .raw and (.bytes | length) == 16)'
	address=$(jq -r -s '.[0].args.op | ltrimstr("0x")' out)
	name=$(awk -v a="$address" '$1 == a { print $3 }' /proc/kallsyms | head -n 1)
	[ -n "$name" ]
	[ "$(jq -r -s '.[0].args.sym' out)" = "$name" ]
}

@test "kprobe_events' types: widths, signs, bits" {
	dumped vfs_read count 'c=count:u8' 's=count:s16' 'x=count:x64' 'bits=count:b5@3/64' \
		'pos=pos:s64[1]' 'at=*pos' 'first=buf:x8[3]' -- reads 5 some
	all '[.[] | select(.comm == "reads")] | length >= 5 and all(.[];
		.c == .count % 256 and .x == .count and .bits == (.count / 8 | floor) % 32 and
		(.s - .count) % 65536 == 0 and (.pos == [.at] or .pos == null))'
}

@test "gfp: the names that this kernel's own bits have" {
	dumped __alloc_skb gfp_mask:gfp raw=gfp_mask:x -- bash -c 'for i in {1..3}; do echo x >/dev/udp/127.0.0.1/9; done'
	all 'any(.[]; .gfp_mask | index("GFP_KERNEL") != null)'
}

@test "an unknown format names the nearest" {
	run -1 argdump vfs_read 'file->f_flags:openflag'
	[[ $output == *"unknown format openflag"*"did you mean openflags?"* ]]
	run -1 argdump vfs_read 'buf:hex'
	[[ $output == *"buf:hex[16]"* ]]
}
