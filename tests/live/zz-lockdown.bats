#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# The suite under lockdown=confidentiality. The mode can be raised while the kernel runs, and never
# be lowered again: this file must be the last that a guest runs, hence its name.

bats_require_minimum_version 1.5.0
load arch
load disk
load engine

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
	for a in $(coretap --list | awk '!NF {exit} $1 != "doctor" {print $1}'); do
		read -r -a args <<<"${engine[$a]-}"
		# it shows all parameters, which need strings and more
		[[ $a != funcgraph || $(answer funcgraph) != partly ]] || continue
		code=0
		[[ $(answer "$a") != no ]] || code=2
		run "-$code" "$a" -d 0.2 "${args[@]}"
	done
}

@test "what lockdown forbids is told as that" {
	run -2 argdump --attach kprobe -d 0.2 vfs_read
	[[ $output == *"lockdown (confidentiality)"* ]]
	[[ $output == *"coretap doctor"* ]]
}

@test "argdump: whole structs and users' addresses without probe_read" {
	grep -q ' bpf_rdonly_cast$' /proc/kallsyms || skip "this kernel has no bpf_rdonly_cast"
	cd "$BATS_TEST_TMPDIR"
	printf 'x%.0s' {1..77} >some
	run -0 argdump -q -j -c reads --depth 1 vfs_read 'f=*file' 'n=file->f_path.dentry->d_name.len' -- reads 3 some
	grep '"comm":"reads"' <<<"$output" | jq -e -s --arg ino "$(stat -c %i some)" 'map(.args | select(.n == 4)) |
		length == 3 and all(.[]; .f.f_inode.i_size == 77 and (.f.f_inode.i_ino | tostring) == $ino)'
	run -0 argdump -q -j __sys_connect a=uservaddr:sockaddr -- connects
	grep '"comm":"connects"' <<<"$output" | jq -e -s 'map(.args.a) == ["127.0.1.2:8080", "[::1]:443",
		"/tmp/a\n\u001b[2Jb\" v=\uefff", "@hid\nden", "netlink:42:0x5", "vsock:2:12345",
		"127.0.1.2:9", "[::1]:443", null]'
}

# ---- argdump without probe_read, kprobes and tracefs ----

setup_some() {
	cd "$BATS_TEST_TMPDIR" || return
	printf 'x%.0s' {1..77} >some
}

# argdump of three reads: so many rows of the workload end with TEXT.
reads_end() { # ROWS TEXT ARG...
	local rows=$1 text=$2
	shift 2
	run -0 argdump -c reads "$@" -- reads 3 some
	[ "$(grep -cE " reads +(vfs_read +)?$text\$" <<<"$output")" -eq "$rows" ] || {
		echo "$*: $output"; false
	}
}

# What needs bpf_rdonly_cast: text, and what no typed pointer leads to.
has_cast() { grep -q ' bpf_rdonly_cast$' /proc/kallsyms; }

@test "argdump: chains, operators, casts, sizes, conditions" {
	setup_some
	reads_end 3 'count=1 len=4 i=77' vfs_read count 'file->f_path.dentry->d_name.len' 'i=file->f_inode->i_size'
	reads_end 3 'a=7 b=77 c=1' vfs_read 'a=(count + 3) * 2 - 1' 'b=((struct file *)file)->f_inode->i_size' \
		'c=sizeof(struct file) > 8 && file->f_inode == file->f_mapping->host ? 1 : 2'
	reads_end 3 'count=1' --if 'count == 1 && file->f_inode->i_size == 77' vfs_read count
	reads_end 0 'count=1' --if 'count == 1 && file->f_inode->i_size == 78' vfs_read count
	reads_end 3 'f=O_RDONLY.*' vfs_read 'f=file->f_flags:openflags'
	has_cast || return 0 # the running task and its name have no typed way before
	reads_end 3 'count=1' --if '$comm == "reads"' vfs_read count
	reads_end 3 'uid=0 own=1' vfs_read '$uid' 'own=$task->pid == $tid'
}

@test "argdump: text, formats and numbers behind pointers" {
	has_cast || skip "this kernel has no bpf_rdonly_cast"
	setup_some
	reads_end 3 'n="some"' vfs_read 'n=file->f_path.dentry->d_name.name:str'
	reads_end 3 'h=736f6d65' vfs_read 'h=file->f_path.dentry->d_name.name:hex[4]'
	reads_end 3 'count=1' --if 'file->f_path.dentry->d_name.name == "some"' vfs_read count
	reads_end 0 'count=1' --if 'file->f_path.dentry->d_name.name == "somE"' vfs_read count
	reads_end 3 'count=1' --if 'file->f_path.dentry->d_name.name ~ "so*"' vfs_read count
	reads_end 0 'count=1' --if 'file->f_path.dentry->d_name.name ~ "sa*"' vfs_read count
	reads_end 3 'c="reads"' vfs_read 'c=$task->mm->owner->comm'
	reads_end 3 'c="swapper/0"' vfs_read 'c=@init_task.comm'
	reads_end 3 'before=0 ret=1' -r vfs_read 'before=*pos' '$ret'
}

@test "argdump: returns, and both in one record" {
	setup_some
	reads_end 3 'ret=1' vfs_read%return
	reads_end 3 'i_size=77 ret=1' -r vfs_read 'file->f_inode->i_size' '$ret'
	reads_end 3 'count=1 ret=0 lat=[0-9.]+[num]s' -r rw_verify_area count
}

@test "argdump: counts in the kernel" {
	setup_some
	run -0 argdump -c reads --count --by '$comm' vfs_read -- reads 3 some
	grep -qE '^reads +3$' <<<"$output"
	run -0 argdump -c reads --sum count --by 'file->f_inode->i_size' vfs_read -- reads 3 some
	grep -qE '^ +77 +3$' <<<"$output"
	run -0 argdump -c reads --hist count vfs_read -- reads 3 some
	grep -qE '\[1\] +3 ' <<<"$output"
}

@test "biosnoop and biolatency need no probe_read" {
	disk_find
	run -0 --separate-stderr biosnoop -j -- dd if="$DISK" of=/dev/null bs=4k count=3 iflag=direct
	[ "$(jq -c '[.comm, .disk, .bytes]' <<<"$output" | sort | uniq -c | xargs)" = "3 [dd,${DISK#/dev/},4096]" ]
	run -0 --separate-stderr biolatency -j -D -- dd if="$DISK" of=/dev/null bs=4k count=3 iflag=direct
	jq -e '[.disk, (.latency_us | map(.[2]) | add)] == ["'"${DISK#/dev/}"'", 3]' <<<"$output"
}

@test "argdump: stacks" {
	setup_some
	run -0 argdump -k -c reads vfs_read count -- reads 3 some
	[ "$(grep -c '^    vfs_read$' <<<"$output")" -eq 3 ]
	[ "$(grep -cE "^    ($SYSCALL_OUTER)\+" <<<"$output")" -eq 3 ]
}

@test "argdump: sets of functions" {
	setup_some
	reads_end 3 'count=1' vfs_read,vfs_write count
	grep -qw register_fprobe_ips /proc/kallsyms || skip "this kernel has no kprobe.multi"
	reads_end 3 'i_size=77' 'vfs_[rw]*' 'file->f_inode->i_size'
	reads_end 3 'a=1' 'vfs_[rw]*' 'a=$pid == $tid'
}

@test "argdump: arguments of tracepoints and of system calls" {
	setup_some
	run -0 argdump -j -c reads t:sched:sched_process_exec 'id=p->pid' old_pid -- reads 3 some
	jq -e -s 'map(select(.type == "argdump")) | length == 1 and .[0].args.id == .[0].pid' <<<"$(grep '^{' <<<"$output")"
	has_cast || skip "this kernel has no bpf_rdonly_cast"
	reads_end 3 'fd=[0-9]+ count=1' s:read fd count
}

@test "argdump: what lockdown forbids is told as that, and ends with 2" {
	setup_some
	forbidden=("vfs_read file:path" "vfs_read file->f_path:path" "vfs_read+0 \$reg(${ARGUMENTS[2]})"
		"--attach kprobe vfs_read count" "t:sched:sched_process_exec filename")
	for args in "${forbidden[@]}"; do
		# shellcheck disable=SC2086  # words
		run -2 argdump -d 0.2 $args
		[[ $output == *"kernel lockdown (confidentiality) forbids"*"coretap doctor"* ]] || {
			echo "$args: $output"; false
		}
	done
}
