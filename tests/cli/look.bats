#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# argdump --list and --type on real kernels' BTF, against bpftool's reading of the same file. Needs
# no root and no running kernel of that version.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	argdump=$PWD/${BUILD:-build}/argdump
	PATH=$PATH:/usr/sbin
	btf=$(tools/fetch-kernel --btf 6.12)
}

raw() { # KERNEL: bpftool's dump of its BTF, once for all tests
	local file=$BATS_RUN_TMPDIR/raw-$1
	[ -s "$file" ] || bpftool btf dump file "$(tools/fetch-kernel --btf "$1")" >"$file"
	echo "$file"
}

# NAME and offset in bits of each member of struct $2, as bpftool has them.
members_raw() { # KERNEL STRUCT
	awk -v head="STRUCT '$2' size" '
		/^\[/ { inside = index($0, head) > 0; next }
		inside && match($0, /bits_offset=[0-9]+/) {
			print substr($1, 2, length($1) - 2), substr($0, RSTART + 12, RLENGTH - 12)
		}' "$(raw "$1")"
}

members_ours() { # KERNEL STRUCT
	"$argdump" --btf "$(tools/fetch-kernel --btf "$1")" -j --type "struct $2" |
		jq -r '.members[] | select(.hole or .padding | not) |
			"\(.name // "(anon)") \(.offset * 8 + (.bit // 0))"'
}

@test "--type: each member's offset is bpftool's, on an old and a new kernel" {
	for kernel in 5.10 7; do
		for struct in file task_struct inode sk_buff net_device page mm_struct iphdr tcphdr; do
			members_raw $kernel $struct >"$BATS_TEST_TMPDIR/raw"
			members_ours $kernel $struct >"$BATS_TEST_TMPDIR/ours"
			[ "$(wc -l <"$BATS_TEST_TMPDIR/raw")" -ge 2 ] # mm_struct has two, the first anonymous
			diff "$BATS_TEST_TMPDIR/raw" "$BATS_TEST_TMPDIR/ours" ||
				{ echo "struct $struct of $kernel"; return 1; }
		done
	done
}

@test "--type: members, holes and padding fill a struct without a gap" {
	for struct in task_struct sk_buff net_device inode; do
		run -0 "$argdump" --btf "$btf" -j --type "struct $struct"
		jq -e '(.size * 8) as $size | reduce .members[] as $m (0;
			($m.offset * 8 + ($m.bit // 0)) as $at |
			if $at == . then $at + ($m.bits // $m.size * 8) else error("gap at \($m)") end) |
			. == $size' <<<"$output"
	done
}

@test "--type: an enum's values, a typedef's way, a member's type" {
	run -0 "$argdump" --btf "$btf" --type pid_type
	[ "${lines[0]}" = 'enum pid_type {' ]
	[ "${lines[2]}" = $'\tPIDTYPE_TGID = 1,' ]
	run -0 "$argdump" --btf "$btf" --type loff_t
	[ "${lines[0]}" = 'typedef __kernel_loff_t loff_t;  /* 8 bytes */' ]
	[ "${lines[2]}" = 'long long int;  /* 8 bytes, signed */' ]
	run -0 "$argdump" --btf "$btf" --type 'file.f_path.dentry->d_name.name'
	[[ $output == *'const unsigned char *name;  /* 8 bytes */' ]]
	run -0 "$argdump" --btf "$btf" --type 'unsigned long'
	[ "$output" = 'long unsigned int;  /* 8 bytes, unsigned */' ]
}

@test "--type: errors have a caret and the nearest name" {
	run -1 "$argdump" --btf "$btf" --type 'struct fil'
	[[ $output == *'unknown type struct fil in this BTF'*'^~~~~~~~~~'*'did you mean file?'* ]]
	run -1 "$argdump" --btf "$btf" --type file.f_pat
	[[ $output == *'struct file has no member f_pat'*'^~~~~'*'did you mean f_path?'* ]]
	run -1 "$argdump" --btf "$btf" --type file.
	[[ $output == *'member is missing'* ]]
	run -1 "$argdump" --btf "$btf" --type file.f_pos.x
	[[ $output == *'has no members'* ]]
	run -1 "$argdump" --btf "$btf" --type vfs_read
	[[ $output == *'argdump --list vfs_read'* ]]
	run -1 "$argdump" --btf "$btf" --type 'struct sk_buff *'
	[[ $output == *'not the name of a type'* ]]
	run -1 "$argdump" --btf "$btf" --type nomod:file
	[[ $output == *'no module nomod'* ]]
	run -1 "$argdump" --btf "$btf" --type 'struct nomod:file.f_path'
	[[ $output == *'the name of a module comes first'*"--type 'nomod:struct file.f_path'"* ]] || { echo "$output"; false; }
	run -1 "$argdump" --type file vfs_read
	[[ $output == *"leave out 'vfs_read'"* ]]
}

@test "--list: as many functions as bpftool sees, and their parameters" {
	for kernel in 5.10 6.12 7; do
		file=$(tools/fetch-kernel --btf $kernel)
		want=$(grep -c "FUNC '" "$(raw $kernel)")
		"$argdump" --btf "$file" -qlj 'vmlinux:*' >"$BATS_TEST_TMPDIR/list"
		[ "$(wc -l <"$BATS_TEST_TMPDIR/list")" -eq "$want" ]
		# names in order, with and without parameters
		jq -r .name "$BATS_TEST_TMPDIR/list" >"$BATS_TEST_TMPDIR/names"
		sed -n "s/.*FUNC '\([^']*\)'.*/\1/p" "$(raw $kernel)" | LC_ALL=C sort |
			diff - "$BATS_TEST_TMPDIR/names"
		want=$(grep -c "FUNC 'tcp_v4_" "$(raw $kernel)")
		[ "$("$argdump" --btf "$file" -ql 'tcp_v4_*' | wc -l)" -eq "$want" ]
	done
}

@test "--list: prototypes as the kernel's source has them" {
	run -0 --separate-stderr "$argdump" --btf "$btf" -l vfs_read,do_sys_openat2
	[ "${lines[0]}" = '?             long int do_sys_openat2(int dfd, const char *filename, struct open_how *how)' ]
	[ "${lines[1]}" = '?             ssize_t vfs_read(struct file *file, char *buf, size_t count, loff_t *pos)' ]
	# shellcheck disable=SC2154  # bats sets it
	[[ $stderr == *'--btf FILE'* ]]
	run -0 --separate-stderr "$argdump" --btf "$btf" -l _printk
	[[ $output == *'int _printk(const char *fmt, ...)' ]]
}

# By bpftool: functions whose prototype has a parameter of the type, const or not.
by_type() { # POINTER-TYPE-IDS
	awk -v ids="$1" '
		BEGIN { n = split(ids, list); for (i = 1; i <= n; i++) want[list[i]] = 1 }
		/FUNC_PROTO/ { proto = substr($1, 2, length($1) - 2); next }
		/^\t/ { split($2, id, "="); if (id[2] in want) has[proto] = 1; next }
		{ proto = "" }
		/ FUNC \x27/ { func_of[substr($3, 2, length($3) - 2)] = $4 }
		END { for (f in func_of) { split(func_of[f], id, "="); if (id[2] in has) print f } }' \
		"$(raw 6.12)" | LC_ALL=C sort
}

@test "--list: by the type of a parameter, compared with bpftool's types" {
	file=$(raw 6.12)
	struct=$(sed -n "s/^\[\([0-9]*\)\] STRUCT 'nameidata'.*/\1/p" "$file")
	const=$(sed -n "s/^\[\([0-9]*\)\] CONST '(anon)' type_id=$struct\$/\1/p" "$file")
	pointers=$(for id in $struct $const; do
		sed -n "s/^\[\([0-9]*\)\] PTR '(anon)' type_id=$id\$/\1/p" "$file"
	done)
	by_type "${pointers//$'\n'/ }" >"$BATS_TEST_TMPDIR/want"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/want")" -ge 10 ]
	"$argdump" --btf "$btf" -qlj '*(struct nameidata *)' | jq -r .name |
		diff "$BATS_TEST_TMPDIR/want" -
}

@test "--list: tracepoints and system calls without a running kernel" {
	run -0 --separate-stderr "$argdump" --btf "$btf" -l 't:*:sched_switch'
	[ "$output" = 'tp_btf        t:?:sched_switch(bool preempt, struct task_struct *prev, struct task_struct *next, unsigned int prev_state)' ]
	want=$(grep -c "TYPEDEF 'btf_trace_" "$(raw 6.12)")
	[ "$("$argdump" --btf "$btf" -ql 't:*:*' | wc -l)" -eq "$want" ]
	run -1 "$argdump" --btf "$btf" -l 't:sched:*'
	[[ $output == *"ask for any group: 't:*:*'"* ]]
	run -0 --separate-stderr "$argdump" --btf "$btf" -l s:openat2
	[[ $output == 's:openat2('* ]]
}

@test "--list: patterns without a match, and unknown types, are reported" {
	run -1 "$argdump" --btf "$btf" -l no_such_function
	[[ $output == *"no function matches"* ]]
	run -1 "$argdump" --btf "$btf" -l '*(struct sk_bufff *)'
	[[ $output == *'did you mean sk_buff?'* ]]
	run -1 "$argdump" --btf "$btf" -l '*(struct sk_buff * x)'
	[[ $output == *'is not the type'*'^'* ]]
	run -1 "$argdump" --btf "$btf" -l 't:*:no_such'
	run -1 "$argdump" --btf "$btf" -l s:no_such
	run -1 "$argdump" --btf "$btf" -l u:/bin/sh:main
	run -1 "$argdump" --btf "$btf" -l 'tcp_[a'
	run -1 "$argdump" --btf "$btf" -l vfs_read -- true
	[[ $output == *'trace nothing'* ]]
}

