#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Why a function cannot be traced (src/attach/attach_error.c): argdump is asked for functions that this
# kernel does not have, has changed, protects or does not describe. They are picked from the kernel's
# own lists, so that the same test holds on every kernel.

bats_require_minimum_version 1.5.0
load arch

setup_file() {
	cd "$BATS_FILE_TMPDIR" || return
	# functions: name, and the module it is in
	awk '$2 ~ /^[TtWw]$/ && $4 == "" && $3 !~ /^__(pfx|cfi)_/ {print $3}' /proc/kallsyms |
		sort >functions
	tr '\0' '\n' </sys/kernel/btf/vmlinux | grep -a '^[A-Za-z_][A-Za-z0-9_.]*$' | sort -u >types
	awk 'NF == 1 {print $1}' /sys/kernel/tracing/available_filter_functions | sort >ftrace
	awk '{print $2}' /sys/kernel/debug/kprobes/blacklist | sort -u >blacklist
}

setup() {
	cd "$BATS_FILE_TMPDIR" || return
}

# Lines of stdin that are, or are not, lines of a file; the guest has no comm(1).
among() { awk -v file="$1" 'BEGIN {while ((getline l <file) > 0) seen[l]} $0 in seen'; }
not_among() { awk -v file="$1" 'BEGIN {while ((getline l <file) > 0) seen[l]} !($0 in seen)'; }

explained() { # CODE FUNCTION TEXT...
	local code=$1 function=$2 text # and $method, of the caller
	shift 2
	[ -n "$function" ] || { echo "this kernel has no function for this test"; return 1; }
	run "-$code" argdump -d 1 --attach "${method:-any}" "$function"
	[[ $output == *"cannot trace $function: "* ]] || return
	for text in "$@"; do
		[[ $output == *"$text"* ]] || { echo "not in the message: $text"; return 1; }
	done
}

@test "a function that is gone: the name that took its place" {
	explained 1 __vfs_read 'no such function' 'did you mean vfs_read'
}

@test "a typing error" {
	explained 1 vfs_raed 'no such function' 'did you mean vfs_read?'
	explained 1 tcp_sendmgs 'no such function' 'did you mean tcp_sendmsg?'
}

@test "part of a name" {
	explained 1 sys_openat 'it is a system call' s:openat
	explained 1 do_sys_openat 'no such function' do_sys_openat2
}

@test "a name like no other: where the names are" {
	explained 1 qwertyuiopasdf 'no such function' /proc/kallsyms
}

@test "a variable" {
	explained 1 init_task 'a variable'
}

@test "a function that the compiler changed: what is left of it" {
	name=$(sed -n 's/\.isra\.0$//p' functions | not_among functions | not_among types | head -n 1)
	hint="trace $name.isra.0, whose parameters have no names"
	grep -qxF "$name.isra.0" ftrace || hint='a function that calls it'
	explained 2 "$name" "only $name.isra.0 is left" "$hint"
}

@test "a function that the blacklist protects" {
	method=kprobe # fentry may still work there
	name=$(among functions <blacklist | grep -v '^asm_' | head -n 1)
	explained 2 "$name" blacklist 'a function that calls it'
}

@test "a function that is notrace" {
	grep -qx __schedule functions
	explained 2 __schedule notrace available_filter_functions
}

@test "a function that ran at boot" {
	grep -qx vfs_caches_init functions
	explained 2 vfs_caches_init 'it runs at boot and is gone'
}

@test "one of the names of a function, by which the kernel does not know it" {
	grep -q ' __do_sys_sync$' /proc/kallsyms || skip "a call without parameters has one name here"
	explained 2 ${SYSCALL}sync 'traces it as __do_sys_sync' 'trace __do_sys_sync'
}

@test "a module that is not there" {
	explained 1 no_such_module:vfs_raed 'module no_such_module is not loaded' 'modprobe no_such_module'
	explained 1 'no_such_module:*' 'module no_such_module is not loaded' "u:/PATH/TO/no_such_module:*"
	built_in=$(sed -n 's|.*/\([a-z0-9_]*\)\.ko$|\1|p' "/lib/modules/$(uname -r)/modules.builtin" 2>/dev/null | head -n 1)
	[ -z "$built_in" ] || explained 1 "$built_in:vfs_read" 'is built into this kernel' 'leave out the module: vfs_read'
}

@test "not root" {
	run -2 su nobody -s /bin/sh -c 'argdump -d 1 vfs_read'
	[[ $output == *"cannot trace vfs_read: "*"CAP_BPF and CAP_PERFMON"* ]]
	[[ $output == *"sudo argdump -d 1 vfs_read"* ]]
}

@test "a name with control bytes does not reach the terminal" {
	run -1 argdump $'vfs_read\e[31m\nx'
	[[ $output != *$'\e'* ]]
	[ "$(grep -c 'cannot trace' <<<"$output")" = 1 ]
}
