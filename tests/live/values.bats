#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# What argdump shows without a :FORMAT: values by what their types and names mean. The first
# commands of a new user.

bats_require_minimum_version 1.5.0
load argdump

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	printf 'x%.0s' {1..64} >some
}

@test "vfs_read: the file's path, an address for the buffer and then what is in it, the position" {
	wants 3 " reads +file=\"$PWD/some\" buf=0x[0-9a-f]+ count=1 pos=0\$" vfs_read -- reads 3 some
	wants 3 " reads +file=\"$PWD/some\" buf=\"x\" count=1 pos=0 ret=1 lat=[0-9.]+[mu]s\$" -r vfs_read -- reads 3 some
	wants 3 ' reads +file=0xffff[0-9a-f]{12} pos=0x[0-9a-f]{16}$' vfs_read file:p pos:p -- reads 3 some
}

@test "a file that is none, a position that is none: NULL, and nothing is missed" {
	run -0 --separate-stderr argdump --if '$comm == "bash"' vfs_read pos count:x -- bash -c 'echo one | read -r one'
	[[ $output == *' pos=NULL'* && $stderr != *"could not be read"* ]] || { echo "$output $stderr"; false; }
}

@test "pipes, sockets and what else is in no directory: as /proc/PID/fd has them" {
	run -0 --separate-stderr argdump -o rows --if '$comm == "bash"' vfs_read,vfs_write file -- bash -c \
		'echo one | { readlink /proc/self/fd/0; read -r x; }; exec 5<>/dev/udp/127.0.0.1/9; readlink /proc/self/fd/5; echo x >&5'
	[ "${#lines[@]}" -ge 2 ]
	for name in "${lines[@]}"; do
		[[ $name == pipe:* || $name == socket:* ]]
		grep -qF " file=\"$name\"" rows || { echo "no $name"; cat rows; false; }
	done
}

@test "system calls: descriptors, flags, addresses by name" {
	wants 1 ' reads +dfd=AT_FDCWD filename="some" flags=O_RDONLY mode=0$' --if 'filename == "some"' s:openat -- reads 1 some
	wants 1 ' connects +fd=[0-9]+ uservaddr=127.0.1.2:8080 addrlen=16$' --if 'addrlen == 16' s:connect -- connects 127.0.0.1 9
	wants 1 ' bash +pid=1 sig=SIGWINCH$' s:kill -- bash -c 'kill -WINCH 1'
	wants 1 ' pathname="new" mode=0777$' 's:mkdir*' -- busybox mkdir new
}

@test "functions: paths, modes in octal, protection and flags by name" {
	wants 1 ' mkdir .*dentry="[^"]*/new" mode=0777( |$)' vfs_mkdir -- mkdir new
	run -0 --separate-stderr argdump -c bash do_mmap file addr prot flags -- bash -c :
	[ "$(count -E ' file="/[^"]+" addr=0x[0-9a-f]+ prot=PROT_READ\|PROT_EXEC flags=MAP_PRIVATE\|MAP_[A-Z_|]+$' <<<"$output")" -ge 1 ] || { echo "$output"; false; }
	wants 3 ' reads +f_flags=O_RDONLY\|O_LARGEFILE i_mode=0100644 i_uid=0 f_op=[a-z0-9_]+$' vfs_read \
		'file->f_flags' 'file->f_inode->i_mode' 'file->f_inode->i_uid' 'file->f_op' -- reads 3 some
}

@test "unsigned char: a file's name is text, in records, keys, structs and JSON" {
	local name='file->f_path.dentry->d_name.name' array='file->f_path.dentry->d_iname ?? file->f_path.dentry->d_shortname.string'
	wants 3 ' reads +name="some" short="some"$' vfs_read "$name" "short=$array" -- reads 3 some
	run -0 --separate-stderr argdump --count --by "$name" vfs_read --if '$comm == "reads"' -- reads 3 some
	grep -qE '^some +3$' <<<"$output" || { echo "$output"; false; }
	run -0 --separate-stderr argdump --count --by "d_iname=$array" vfs_read --if '$comm == "reads"' -- reads 3 some
	grep -qE '^some +3$' <<<"$output" || { echo "$output"; false; }
	wants 3 '^	d_(iname|shortname) = (\{string = )?"some"' vfs_read '*file->f_path.dentry' -- reads 3 some
	run -0 --separate-stderr argdump -j vfs_read "$name" '*file->f_path.dentry' -- reads 3 some
	[ "$(jq -rs '[.[] | select(.comm == "reads") | .args.name, (.args["*file->f_path.dentry"] | .d_iname // .d_shortname.string)] | unique[]' <<<"$output")" = some ]
}

@test "structs: functions by name, modes in octal, what is short on one line, in JSON all of it" {
	run -0 --separate-stderr argdump -n 1 --if '$comm == "reads"' vfs_read '*file' '*file->f_inode' -- reads 1 some
	grep -qE '^	f_op = [a-z0-9_]+,$' <<<"$output" || { echo "$output"; false; }
	grep -qE '^	f_flags = O_RDONLY\|O_LARGEFILE,$' <<<"$output"
	grep -qE '^	f_path = \{mnt = 0x[0-9a-f]+, dentry = 0x[0-9a-f]+\},$' <<<"$output"
	grep -qE '^	i_mode = 0100644,$' <<<"$output"
	wants 1 '^	gfp_mask = (__)?GFP_[A-Z_|]+,$' -n 1 --if '$comm == "reads"' vfs_read '*file->f_mapping' -- reads 1 some
	run -0 --separate-stderr argdump -j -n 1 --if '$comm == "reads"' vfs_read '*file->f_inode' -- reads 1 some
	[ "$(jq '.args["*file->f_inode"] | [.i_mode, .i_size, .i_uid.val, .i_pipe] | map(tostring) | join(" ")' <<<"$(grep '"type"' <<<"$output")")" = '"0100644 64 0 0x0"' ] || { echo "$output"; false; }
}

# Before 6.13 the kernel says that a user's empty string has no byte, not even its NUL.
@test "an empty string of a user is equal to \"\", and to no other" {
	wants 3 ' cat +filename=""$' -c cat --if 'filename == ""' do_sys_openat2 filename -- sh -c 'cat "" "" "" /no; true'
	wants 1 ' cat +filename="/no"$' -c cat --if 'filename != ""' do_sys_openat2 filename -- sh -c 'cat "" "" "" /no; true'
	wants 3 ' cat +filename=""$' -c cat --if 'filename ~ ""' do_sys_openat2 filename -- sh -c 'cat "" "" "" /no; true'
}

@test "macros of the kernel, units, \$ppid" {
	wants 3 " reads +file=\"$PWD/some\"\$" --if 'file->f_mode & FMODE_READ && !(file->f_flags & O_NONBLOCK) && count < 1K' \
		--if 'S_ISUID | S_IFREG' vfs_read file -- reads 3 some
	wants 1 ' filename="f-none" ret=-ENOENT$' --if '$ret == -ENOENT && filename == "f-none"' -r do_sys_openat2 filename '$ret' -- opens fails
	run -0 --separate-stderr argdump -o rows -c reads vfs_read '$ppid' -- bash -c 'echo $$; reads 1 some; exit 0'
	grep -qE "^ *[0-9]+ +[0-9]+ reads +\\\$?ppid=${lines[0]}\$" rows || { echo "$output"; cat rows; false; }
	run --separate-stderr argdump -q -j ip_queue_xmit 'sk->sk_dport' 'sk->sk_family' 'sk->sk_daddr' -- bash -c 'exec 3<>/dev/tcp/127.0.0.1/9'
	jq -e -s 'map(select(.args) | .args) | length >= 1 and .[0] == {sk_dport: 9, sk_family: "AF_INET", sk_daddr: "127.0.0.1"}' <<<"$output" || { echo "$output $stderr"; false; }
}

@test "-r: what a call wrote into its buffer, as much as it returned" {
	printf 'a\0b\377line\n%0200d' 0 >bytes
	run -0 --separate-stderr argdump -q -o rows -r s:read -- head -c 1000 bytes
	[ "$(count -E ' head +fd=[0-9]+ buf="a\\x00b\\xffline\\n0{119}"…\(\+81 bytes\) count=[0-9]+ ret=209 lat=' <rows)" -eq 1 ] || { cat rows; false; }
	wants 1 ' dd +buf="a\\x00b" ret=3$' -r --if '$ret == 3' vfs_read buf '$ret' -- dd bs=3 count=1 if=bytes status=none of=/dev/null
	wants 1 ' dd +buf="" ret=0$' -r --if '$ret == 0 && count == 77' vfs_read buf '$ret' -- dd bs=77 if=/dev/null status=none
	wants 1 ' dd +buf=610062 text="a\\x00"…\(\+1 byte\)$' -r --if '$ret == 3' vfs_read 'buf:hex[$ret]' 'text=buf:str[$ret]:2' -- \
		dd bs=3 count=1 if=bytes status=none of=/dev/null
	for method in $(call_methods); do
		wants 1 ' reads +buf="a" count=1 ret=1$' --attach "$method" -r --if '$ret == 1 && count == 1' -c reads vfs_read buf count '$ret' -- reads 1 bytes
	done
	wants 1 ' dd +buf="a\\x00b"$' -c dd --if '$ret == 3' vfs_read%return buf -- dd bs=3 count=1 if=bytes status=none of=/dev/null
	run -0 --separate-stderr argdump -j -r --if '$ret == 3' s:read buf 'h=buf:hex[$ret]:2' -- dd bs=3 count=1 if=bytes status=none of=/dev/null
	jq -e 'select(.comm == "dd") | .args == {buf: "a\u0000b", h: "6100"} and .cut == {h: 1}' <<<"$output" || { echo "$output"; false; }
	wants 2 ' count=[0-9]+ text="ab"$' vfs_write count 'text=buf:str[count - 1]' --if 'count == 3 && $comm == "bash"' -- bash -c 'echo ab; echo ab'
	run -0 --separate-stderr argdump --count --by 'text=buf:str[count - 1]' --if 'count == 3 && $comm == "bash"' vfs_write -- bash -c 'echo ab; echo cd; echo ab'
	grep -qE '^ab +2$' <<<"$output" && grep -qE '^cd +1$' <<<"$output" || { echo "$output"; false; }
}

@test "capabilities, sockets and mounts by name; a number by the enum of a constant" {
	run -0 --separate-stderr argdump s:socket -- connects
	[ "$(grep -c ' family=AF_INET6\? type=SOCK_[A-Z]*\(|SOCK_[A-Z]*\)\? protocol=IPPROTO_[A-Z]*' <<<"$output")" -ge 1 ] || { echo "$output"; false; }
	mkdir here
	run -0 --separate-stderr argdump s:mount -- mount -t tmpfs -o nosuid,ro none here
	umount here
	[[ $output == *' flags=MS_RDONLY|MS_NOSUID'* ]] || { echo "$output"; false; }
	run -0 --separate-stderr argdump -c umount --if 'cap == CAP_SYS_ADMIN' cap_capable cap -- sh -c 'mount -t tmpfs none here; exec umount here'
	[[ $output == *' umount '*' cap=CAP_SYS_ADMIN'* ]] || { echo "$output"; false; }
	run -0 --separate-stderr argdump vfs_read 'x=count:enum(TCP_ESTABLISHED)' -- reads 3 /etc/passwd
	[ "$(grep -c ' x=TCP_ESTABLISHED$' <<<"$output")" -eq 3 ] || { echo "$output"; false; }
	run -0 --separate-stderr argdump --count --by 'x=count:enum(TCP_ESTABLISHED)' vfs_read -- reads 3 /etc/passwd
	[[ $output == *'TCP_ESTABLISHED'*' 3'* ]] || { echo "$output"; false; }
}

@test "comm, pid, retval without a \$: what the built-in values are" {
	wants 3 " reads +comm=\"reads\" retval=1\$" -r vfs_read comm retval -- reads 3 some
	run -0 --separate-stderr argdump --if 'comm == "reads"' --count --by 'comm' vfs_read -- reads 3 some
	[[ $output == *"reads "*3* ]] || { echo "$output"; false; }
}
