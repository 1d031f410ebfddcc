#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# bt: programs in bpftrace's language, compiled with the types of kernels; what is refused, and where. Needs no root
# and traces nothing.

# shellcheck disable=SC2016 # programs of another language
bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	coretap=$PWD/${BUILD:-build}/coretap
	btf=$(tools/fetch-kernel --btf 6.12)
}

plan() { run "$coretap" bt --dry-run --btf "$btf" "$@"; }
fine() { plan "$@"; [ "$status" -eq 0 ] || { echo "$* $output"; false; }; }

# PROGRAM is refused: its message has MESSAGE, and the caret is below PLACE.
refused() { # PROGRAM MESSAGE PLACE
	local column
	plan -e "$1"
	[ "$status" -eq 1 ] && [[ ${lines[0]} == *"$2"* ]] || { echo "$1: $output"; false; }
	column=${lines[2]%%[^ ]*}
	[[ ${lines[1]:${#column}} == "$3"* ]] || { echo "$1: $output"; false; }
}

@test "programs are compiled with the types of every kernel" {
	for kernel in 5.10 6.1 6.12 6.18 7; do
		btf=$(tools/fetch-kernel --btf $kernel)
		fine -e 'kprobe:vfs_read { @[comm, pid] = count(); @s = sum(arg2); @h[comm] = hist(arg2); }'
		fine -e 'fentry:vfs_read { @[str(args.file.f_path.dentry.d_name.name)] = sum(args.count); }'
		fine -e 'kretprobe:vfs_read /retval > 0/ { @l = lhist(retval, 0, 4000, 400); printf("%s %d\n", comm, retval); }'
		fine -e 'kprobe:vfs_read { @start[tid] = nsecs; } kretprobe:vfs_read /@start[tid]/ { @ns = hist(nsecs - @start[tid]); delete(@start, tid); }'
		fine -e 'BEGIN { $i = 0; while ($i < 5) { $i++; if ($i == 3) { continue; } print($i); } } interval:s:1 { exit(); } END { clear(@x); @x = 1; }'
		fine -e 'profile:hz:99 { @[kstack, ustack(5)] = count(); }'
		fine -e 'struct pair { int a; char b[8]; } uprobe:/bin/bash:readline { $p = (struct pair *)arg0; print(($p->a, str($p->b))); }'
	done
}

@test "what is wrong is said with its place" {
	refused 'kprobe:vfs_read { @[comm] = counts(); }' 'there is no function counts()' 'counts'
	refused 'kprobe:vfs_read { printf("%d %d\n", pid); }' 'printf' ''
	refused 'kprobe:vfs_read { print($x); }' '$x' '$x'
	refused 'fentry:vfs_read { print(args.file.f_nose); }' 'f_nose' ''
	refused 'fentry:vfs_read { print(args.fil); }' 'fil' ''
	refused 'kprobe:vfs_read { @x[1] = 1; @x["a"] = 2; }' '@x' ''
	refused 'kprobe:vfs_read { @x = 1; @x[1] = 2; }' '@x' ''
	refused 'kprobe:vfs_read { break; }' 'break' 'break'
	refused 'kprobe:vfs_read { $a = "x"; $a = 1; }' '$a' ''
	refused 'kprobe:vfs_read { system("x"); }' 'system()' 'system'
	plan -e 'kprob:vfs_read { @ = count(); }'
	[ "$status" -eq 1 ] || { echo "$output"; false; }
	[[ $output == *kprob* ]]
	plan -e 'kprobe:vfs_read { @ = count(); '
	[ "$status" -eq 1 ] || { echo "$output"; false; }
	[[ $output == *"}"* ]]
	plan -e 'kprobe:not_a_function { @ = count(); }'
	[ "$status" -eq 1 ] || { echo "$output"; false; }
	[[ $output == *not_a_function* ]]
}

@test "a program from a file, from stdin, with parameters and options" {
	printf '#!/usr/bin/env bt\n// reads\nkprobe:vfs_read\n/comm == str($1) && arg2 > $2/\n{\n\t@ = count(); /* all */\n}\n' \
		>"$BATS_TEST_TMPDIR/reads.bt"
	fine "$BATS_TEST_TMPDIR/reads.bt" cat 4096
	plan - cat 4096 <"$BATS_TEST_TMPDIR/reads.bt"
	[ "$status" -eq 0 ]
	plan /nonexistent
	[ "$status" -eq 1 ] || { echo "$output"; false; }
	[[ $output == *"cannot read '/nonexistent'"* ]]
	plan
	[ "$status" -eq 1 ] || { echo "$output"; false; }
	[[ $output == *"which program?"* ]]
	fine -e 'BEGIN { print((getopt("a", 1), getopt("b"))); }' -- --a=5 --b
	plan -e 'BEGIN { print(getopt("a", 1)); }' -- --b=5
	[ "$status" -eq 1 ] || { echo "$output"; false; }
	[[ $output == *"no option --b"* ]]
}

@test "settings come from the program or the environment" {
	fine -e 'config = { max_map_keys = 5; stack_mode = perf } BEGIN { @[1] = 1; }'
	plan -e 'config = { no_such = 5 } BEGIN { @[1] = 1; }'
	[ "$status" -eq 1 ] || { echo "$output"; false; }
	[[ $output == *no_such* ]]
	BPFTRACE_MAX_STRLEN=100 fine -e 'BEGIN { @[1] = 1; }'
	BPFTRACE_MAX_STRLEN=x run "$coretap" bt --dry-run --btf "$btf" -e 'BEGIN { @[1] = 1; }'
	[ "$status" -eq 1 ] || { echo "$output"; false; }
	[[ $output == *BPFTRACE_MAX_STRLEN* ]]
}

@test "probes, types and events are listed as bpftrace does" {
	run -0 --separate-stderr "$coretap" bt --btf "$btf" -l 'kprobe:vfs_re*'
	[[ $output == *kprobe:vfs_read$'\n'* && $output == *kprobe:vfs_rename* ]]
	run -0 --separate-stderr "$coretap" bt --btf "$btf" -l -e 'kprobe:vfs_read { @ = count(); } BEGIN { }'
	[ "$output" = $'kprobe:vfs_read\nbegin' ] || [ "$output" = $'kprobe:vfs_read\nBEGIN' ]
	run -0 --separate-stderr "$coretap" bt --btf "$btf" -lv 'fexit:vfs_read'
	[[ $output == *"    size_t count"* && $output == *"    ssize_t retval"* ]]
	run -0 --separate-stderr "$coretap" bt --btf "$btf" -lv 'struct path'
	[[ $output == *"struct vfsmount *mnt;"* ]]
	run -0 --separate-stderr "$coretap" bt --btf "$btf" -l 'software:*'
	[[ $output == *software:page-faults:* ]]
	plan -f xml -e 'BEGIN { }'
	[ "$status" -eq 1 ] || { echo "$output"; false; }
	[[ $output == *"-f is not there"* ]]
}
