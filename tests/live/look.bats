#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# argdump --list and --type on a live kernel: what they say against the kernel's own lists, and
# against what can really be attached.

bats_require_minimum_version 1.5.0
# shellcheck disable=SC2016,SC2154  # jq's and argdump's own $; stderr is bats'

T=/sys/kernel/tracing

setup_file() {
	modprobe btrfs
	modprobe dummy
	cd "$BATS_FILE_TMPDIR" || return
	argdump -qlj 'vmlinux:*' >kernel.json
	table_make <kernel.json >kernel.tsv
}

# NAME, ways to attach, why not, number of parameters ("none" where it is not in BTF): jq is slow
# on so many, once has to do.
table_make() {
	jq -r '[.name, (.attach | join(",")), .why // "", .params // "none" | if type == "array" then length else . end] | @tsv'
}

setup() {
	cd "$BATS_FILE_TMPDIR" || return
}

# Functions of the kernel proper (no argument) or a module that ftrace can patch.
patchable() {
	if [ $# -eq 0 ]; then
		grep -v '\[' $T/available_filter_functions
	else
		sed -n "s/[ \t]*\[$1\].*//p" $T/available_filter_functions
	fi | grep -v __ftrace_invalid_address__ | sort -u # of functions that were left out at linking
}

attachable() { # TSV-FILE
	awk -F '\t' '$2 != "" { print $1 }' "$1" | sort -u
}

because() { # WHY: the first function that BTF has and of which that is said
	awk -F '\t' -v why="$1" '$4 != "none" && $3 ~ why { print $1; exit }' kernel.tsv
}

has_module_btf() {
	[ -e /sys/kernel/btf/btrfs ]
}

# What ftrace can patch, but each method has its reason against: on the blacklist of kprobes, and with
# more parameters than the trampolines of old kernels take.
refused_by_all() {
	awk -F '\t' '$2 == "" && $3 ~ /^no fentry: .*; no kprobe: / { print $1 }' kernel.tsv
}

@test "functions that can be attached are those that ftrace can patch, all of them" {
	refused_by_all >refused
	[ "$(wc -l <refused)" -le 5 ]
	attachable kernel.tsv | sort -u - refused >ours
	patchable >theirs
	[ "$(wc -l <ours)" -gt 25000 ]
	diff theirs ours
	while read -r name; do
		run ! attaches fentry "$name"
		run ! attaches kprobe "$name"
	done <refused
}

@test "a module's functions, by its own types where it has any" {
	argdump -qlj 'btrfs:*' >btrfs.json
	table_make <btrfs.json >btrfs.tsv
	attachable btrfs.tsv >ours
	patchable btrfs >theirs
	[ "$(wc -l <ours)" -gt 1000 ]
	diff theirs ours
	[ "$(jq -r .module btrfs.json | sort -u)" = btrfs ]
	run -0 --separate-stderr argdump -l btrfs:btrfs_sync_file
	if has_module_btf; then
		[ "$output" = 'fentry        int btrfs:btrfs_sync_file(struct file *file, loff_t start, loff_t end, int datasync)' ]
	else
		[[ $output == 'kprobe        btrfs:btrfs_sync_file  /* no fentry: not in BTF of module btrfs */' ]]
	fi
	# a mere name is found in whatever module has it
	run -0 --separate-stderr argdump -l btrfs_sync_file
	[[ $output == *btrfs:btrfs_sync_file* ]]
}

@test "a pattern of names: as many as the kernel's list has" {
	for pattern in 'vfs_*' 'tcp_v[46]_*' '*_open'; do
		want=$(patchable | grep -cE "^${pattern//\*/.*}\$")
		argdump -qlj "vmlinux:$pattern" | table_make >some.tsv
		got=$(attachable some.tsv | wc -l)
		[ "$got" -eq "$want" ]
	done
}

# One attempt to attach; the probed function need not be called.
attaches() { # METHOD FUNCTION
	argdump --attach "$1" -p 1 -d 0.1 "$2" '$cpu' >/dev/null 2>err
}

@test "fentry: functions listed as traceable attach, others do not" {
	for name in vfs_fsync tcp_v4_connect; do
		grep -q "^$name	fentry," kernel.tsv
		attaches fentry $name || { cat err; false; }
	done
	# one for each reason
	for why in 'variadic' 'returns a struct' 'at boot' 'notrace' 'inlined|compiler changed it'; do
		name=$(because "$why")
		# BTF of 5.10 has only what has a body
		[ -n "$name" ] || [[ $why == inlined* ]]
		[ -z "$name" ] || run ! attaches fentry "$name"
	done
}

@test "of a function that the compiler changed, the copy that can be traced is named, and attaches" {
	# one that ftrace has only with a suffix
	copy=$(patchable | awk -F . '!/\./ { plain[$1] = 1 } $2 == "isra" && NF == 3 { copies[$1] = $0 }
		END { for (name in copies) if (!(name in plain)) print copies[name] }' | sort | head -n 1)
	[ -n "$copy" ]
	run ! --separate-stderr argdump -d 0.1 "${copy%%.*}"
	[[ $stderr == *"only ${copy%%.*}."*" is left"*"  trace ${copy%%.*}."*', whose parameters have no names'* ]] ||
		{ echo "$copy: $stderr"; false; }
	attaches kprobe "$(sed -n 's/^  trace \([^,]*\),.*/\1/p' <<<"$stderr")" || { cat err; false; }
}

@test "kprobe: the blacklist, to the last function that can be patched" {
	cut -f 2 /sys/kernel/debug/kprobes/blacklist | sort -u >black
	awk -F '\t' '$3 ~ /no kprobe: / { print $1 }' kernel.tsv | sort -u >ours
	patchable | grep -xFf black >theirs || true
	[ "$(wc -l <ours)" -gt 5 ]
	diff theirs ours
	name=$(head -n 1 ours)
	run ! attaches kprobe "$name"
}

@test "kprobe.multi: only where this kernel has it" {
	run -0 argdump -l -j vfs_read
	if attaches kprobe.multi vfs_read; then
		[[ $output == *'"kprobe.multi"'* ]]
	else
		[[ $output != *'"kprobe.multi"'* ]]
	fi
}

@test "several functions of one name, and copies by the compiler, are reported" {
	name=$(because 'functions have this name')
	[ -n "$name" ]
	bodies=$(awk -v name="$name" '$3 == name && NF == 3 && $2 ~ /[TtWw]/' /proc/kallsyms | wc -l)
	[ "$bodies" -ge 2 ]
	run -0 argdump -l "vmlinux:$name"
	[[ $output == *"$bodies functions have this name"* ]]
	name=$(awk -F '\t' '$3 ~ "a copy that the compiler changed" { print $1; exit }' kernel.tsv)
	grep -q " $name\$" /proc/kallsyms
	run -0 argdump -l "vmlinux:${name%%.*}*"
	[[ $output == *"$name  /* no fentry: not in BTF: a copy that the compiler changed"* ]]
}

@test "functions by the type of a parameter" {
	argdump -qlj '*(struct nameidata *)' >typed.json
	[ "$(wc -l <typed.json)" -ge 10 ]
	jq -e -s 'all(.[]; any(.params[]; .ctype | test("^(const )?struct nameidata \\*$")))' typed.json
	grep -E '"ctype":"(const )?struct nameidata \*"[,}]' kernel.json |
		jq -r 'select(any(.params[]; .ctype | test("^(const )?struct nameidata \\*$"))).name' |
		sort >want
	jq -r .name typed.json | sort | diff want -
}

@test "tracepoints: all events of a group, with their fields" {
	for group in sched irq syscalls; do
		[ "$(argdump -ql "t:$group:*" | wc -l)" -eq "$(grep -c "^$group:" $T/available_events)" ]
	done
	run -0 argdump -l t:sched:sched_process_exec
	[ "$output" = 'tp_btf        t:sched:sched_process_exec(struct task_struct *p, pid_t old_pid, struct linux_binprm *bprm)' ]
	run -0 argdump -l t:syscalls:sys_enter_openat
	[ "$output" = 'tracepoint    t:syscalls:sys_enter_openat(int dfd, const char *filename, int flags, umode_t mode)' ]
	# each event once, and what has a typedef but no event behind them
	argdump -qlj 't:*:*' | jq -r 'select(.group).group + ":" + .name' | sort >ours
	sort -u $T/available_events | diff - ours
}

@test "system calls: all of them, each parameter's name" {
	argdump -qlj 's:*' | jq -r '.name + " " + ([.params[].name] | join(" "))' | sort >ours
	cat "$T"/events/syscalls/sys_enter_*/format | awk '
		function out() { if (call != "") print call " " names }
		/^name:/ { out(); call = substr($2, 11); names = "" }
		/^\tfield:.*[ *][a-zA-Z0-9_]*;\toff/ {
			sub(/;\toff.*/, "")
			sub(/.*[ *]/, "")
			if (!/^(common_|__)/) names = names (names == "" ? "" : " ") $0
		}
		END { out() }' | sort >theirs
	[ "$(wc -l <ours)" -gt 300 ]
	diff theirs ours
	run -0 argdump -l s:openat
	[ "$output" = 's:openat(int dfd, const char *filename, int flags, umode_t mode)' ]
}

@test "--type: a module's type, or the missing file" {
	if has_module_btf; then
		for text in btrfs:btrfs_inode btrfs_inode 'btrfs:struct btrfs_inode'; do
			run -0 argdump --type "$text"
			[ "${lines[0]}" = 'struct btrfs_inode {' ]
			[[ $output == *' struct inode vfs_inode;'* ]] # of the kernel proper
		done
		run -0 argdump -j --type btrfs:btrfs_inode
		jq -e '.module == "btrfs" and .size > 500' <<<"$output"
		run -1 argdump --type btrfs:btrfs_inod
		[[ $output == *'did you mean btrfs_inode?'* ]]
	else
		run -1 argdump --type btrfs:btrfs_inode
		[[ $output == *'it has no BTF'* ]]
	fi
}

# f_flags of a real file, read at the offset that --type says.
@test "--type: the offset is where the kernel has it" {
	offset=$(argdump -j --type file.f_flags | jq -e 'select(.type == "member").member.offset')
	run -0 --separate-stderr argdump -j -c reads vfs_read 'a=file->f_flags:u' \
		"b=*(unsigned int *)((char *)file + $offset)" -- reads 3 /proc/version
	grep '"type":"argdump"' <<<"$output" | jq -e -s 'length == 3 and all(.[].args; .a != null and .a == .b)' ||
		{ echo "offset $offset: $output $stderr"; false; }
}

@test "without root: names and prototypes, and that the rest is unknown" {
	run -0 --separate-stderr su nobody -s /bin/sh -c 'argdump -l vfs_read'
	[ "$output" = '?             ssize_t vfs_read(struct file *file, char *buf, size_t count, loff_t *pos)' ]
	[[ $stderr == *'unknown'*'Permission denied'*'root'* ]]
	run -0 --separate-stderr su nobody -s /bin/sh -c 'argdump -qlj vfs_read'
	jq -e '.attach == null and (.params | length) == 4' <<<"$output"
	run -0 su nobody -s /bin/sh -c 'argdump --type file.f_path'
	run -2 su nobody -s /bin/sh -c 'argdump -l t:sched:sched_switch'
	[[ $output == *'t:*:sched_switch'* ]]
	run -0 su nobody -s /bin/sh -c 'argdump -ql "t:*:sched_switch"'
	[[ $output == *'t:?:sched_switch(bool preempt'* ]]
}

@test "nothing is attached by looking" {
	before=$(sort $T/enabled_functions)
	argdump -ql 'vfs_*,*(struct nameidata *)' >some
	argdump -ql 't:*:*' >some
	[ "$(sort $T/enabled_functions)" = "$before" ]
	[ -z "$(cat $T/kprobe_events)" ]
}
