#!/usr/bin/env bats
# The suite under lockdown=confidentiality. The mode can be raised while the kernel runs, and never
# be lowered again: this file must be the last that a guest runs, hence its name.

bats_require_minimum_version 1.5.0

setup_file() {
	echo confidentiality >/sys/kernel/security/lockdown || return
	coretap doctor -j >"$BATS_FILE_TMPDIR/doctor.json"
}

setup() {
	json=$BATS_FILE_TMPDIR/doctor.json
}

answer() { # NAME
	jq -r --arg n "$1" 'select(.name == $n) | .answer' "$json"
}

@test "doctor tells the mode, and what it forbids" {
	[ "$(answer lockdown)" = partly ]
	for way in kprobe kretprobe probe_read_kernel; do
		[ "$(answer $way)" = no ]
		jq -r --arg n "$way" 'select(.name == $n) | .text' "$json" | grep -q 'lockdown forbids it'
	done
	[ "$(jq -r 'select(.name == "kprobe") | .errno' "$json")" = EPERM ]
}

@test "doctor finds that typed programs still work" {
	for way in fentry fexit tp_btf 'ring buffer' 'typed loads'; do
		[ "$(answer "$way")" = yes ]
	done
	[[ $(answer argdump) =~ ^(yes|partly)$ ]]
}

@test "an applet runs exactly when doctor says so" {
	for a in $(coretap --list | awk '$1 != "doctor" {print $1}'); do
		args=(-d 0.2)
		[ "$a" != argdump ] || args+=(vfs_fallocate offset)
		code=0
		[[ $(answer "$a") != no ]] || code=2
		run "-$code" "$a" "${args[@]}"
	done
}

@test "what lockdown forbids is told as that" {
	run -2 argdump --rung kprobe -d 0.2 vfs_read
	[[ $output == *"lockdown (confidentiality)"* ]]
	[[ $output == *"coretap doctor"* ]]
}

@test "argdump: whole structs and users' addresses without probe_read" {
	grep -q ' bpf_rdonly_cast$' /proc/kallsyms || skip "this kernel has no bpf_rdonly_cast"
	cd "$BATS_TEST_TMPDIR"
	printf 'x%.0s' {1..77} >some
	run -0 argdump -q -j -c reads --depth 1 vfs_read 'f=*file' 'n=file->f_path.dentry->d_name.len' -- reads 3 some
	grep '"comm":"reads"' <<<"$output" | jq -e -s --arg ino "$(stat -c %i some)" 'map(select(.n == 4)) |
		length == 3 and all(.[]; .f.f_inode.i_size == 77 and (.f.f_inode.i_ino | tostring) == $ino)'
	run -0 argdump -q -j __sys_connect a=uservaddr:sockaddr -- connects
	grep '"comm":"connects"' <<<"$output" | jq -e -s 'map(.a) == ["127.0.1.2:8080", "[::1]:443",
		"/tmp/a\n\u001b[2Jb\" v=\uefff", "@hid\nden", "netlink:42:0x5", "vsock:2:12345",
		"127.0.1.2:9", "[::1]:443", null]'
}
