#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# One-liners of bpftrace and bcc (notations.case): what they become, and that it can be planned on
# every kernel. Needs no root and traces nothing.

# shellcheck disable=SC2016 # programs of other languages
bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	coretap=$PWD/${BUILD:-build}/coretap
	# the options of --btf FILE --dry-run stand behind the tool's name
	plan=(--dry-run --btf)
}

# Calls CHECK KERNEL EXPECTED TOOL ARGUMENT... for each case; prints those that fail.
each_case() { # CHECK KERNEL
	local line expected failed=0 btf
	btf=$(tools/fetch-kernel --btf "$2")
	while IFS= read -r line; do
		[[ $line == \#* || ! $line ]] && continue
		IFS= read -r expected
		eval "set -- '$1' '$2' $line"
		"$1" "$btf" "${expected#$'\t'}" "${@:3}" || { echo "$2: $line"; failed=1; }
	done <tests/cli/notations.case
	return $failed
}

# What is printed first, but for notes that something is not needed.
translated() { # BTF EXPECTED TOOL ARGUMENT...
	local said text=${2#\~ }
	text=${text#[-!] }
	text=${text% <- *} # tests/unit looks at the place
	said=$("$coretap" "$3" "${plan[@]}" "$1" "${@:4}" 2>&1 >/dev/null) || true
	[[ $'\n'$said$'\n' == *$'\n'"$3: $text"$'\n'* ]] || { printf '%s\nexpected: %s\n' "$said" "$text"; false; }
}

planned() { # BTF EXPECTED TOOL ARGUMENT...
	local status=0
	[[ $2 == \~* ]] && return
	"$coretap" "$3" "${plan[@]}" "$1" "${@:4}" >"$BATS_TEST_TMPDIR/out" 2>&1 || status=$?
	case $2 in
	!*) [ $status -eq 1 ] ;;
	-*) [ $status -eq 0 ] ;;
	*) [ $status -eq 0 ] && [ -s "$BATS_TEST_TMPDIR/out" ] ;;
	esac || { cat "$BATS_TEST_TMPDIR/out"; false; }
}

@test "one-liners become these words, or are refused for these reasons" {
	each_case translated 6.12
}
@test "one-liners are planned on 5.10" {
	each_case planned 5.10
}
@test "one-liners are planned on 6.1" {
	each_case planned 6.1
}
@test "one-liners are planned on 6.12" {
	each_case planned 6.12
}
@test "one-liners are planned on 6.18" {
	each_case planned 6.18
}
@test "one-liners are planned on 7.x" {
	each_case planned 7
}

@test "a program from a file, from stdin, with arguments, and of argdump -e" {
	btf=$(tools/fetch-kernel --btf 6.12)
	printf '#!/usr/bin/env bt\n// reads\nkprobe:vfs_read\n/comm == str($1) && arg2 > $2/\n{\n\t@ = count(); /* all */\n}\n' \
		>"$BATS_TEST_TMPDIR/reads.bt"
	run -0 "$coretap" bt "${plan[@]}" "$btf" "$BATS_TEST_TMPDIR/reads.bt" cat 4096
	[[ ${lines[0]} == "bt: argdump vfs_read --count --if '\$comm == \"cat\" && \$arg3 > 4096'" ]]
	run -0 "$coretap" bt "${plan[@]}" "$btf" - cat 4096 <"$BATS_TEST_TMPDIR/reads.bt"
	[[ ${lines[0]} == *"> 4096'" ]]
	run -0 "$coretap" argdump "${plan[@]}" "$btf" -e 'kprobe:vfs_read { @[comm] = count(); }'
	[[ ${lines[0]} == "argdump: argdump vfs_read --count --by '\$comm'" ]]
	run -1 "$coretap" bt "${plan[@]}" "$btf" /nonexistent
	[[ $output == *"cannot read '/nonexistent'"* ]]
	run -1 "$coretap" bt "${plan[@]}" "$btf"
	[[ $output == *"which program?"* ]]
	run -0 "$coretap" bt -q "${plan[@]}" "$btf" -e 'kprobe:vfs_read { @ = count(); }'
	[[ $output == "fentry vfs_read" ]]
}

@test "probes are listed by their names there" {
	btf=$(tools/fetch-kernel --btf 6.12)
	run -0 --separate-stderr "$coretap" bt --btf "$btf" -l 'kprobe:vfs_re*'
	[[ $output == *vfs_read* && $output == *vfs_rename* ]]
}

@test "a mistake is shown in its line, with what is nearest" {
	btf=$(tools/fetch-kernel --btf 6.12)
	run -1 "$coretap" bt "${plan[@]}" "$btf" -e $'kprobe:vfs_read\n{ while (1) { } }'
	[[ ${lines[1]} == "    { while (1) { } }" ]]
	[[ ${lines[2]} == "      ^~~~~" ]]
	[[ ${lines[0]} == *"too many rounds"* ]]
	run -1 "$coretap" trace "${plan[@]}" "$btf" 'p::vfs_read (arg3 >) "x"'
	[[ ${lines[2]} == "                       ^" ]]
	# what only argdump knows is shown in the same text
	run -1 "$coretap" bt "${plan[@]}" "$btf" -q -e 'fentry:vfs_read { @[args.file->f_nose] = count(); }'
	[[ ${lines[1]} == *"fentry:vfs_read { @[args.file->f_nose] = count(); }" ]]
	[[ ${lines[2]} == "                        ^~~~~~~~~~~~~~~~~" ]]
}

@test "what is known beforehand is printed at once" {
	btf=$(tools/fetch-kernel --btf 6.12)
	run -0 --separate-stderr "$coretap" bt -e 'BEGIN { $x = 1 << 16; $x++; printf("%d %s|%4x|%-4d|%c {%%}\n", (uint16)$x, "a", $x, -7, 65); print((1, ("b", 2)[0])); }'
	[ "$output" = $'1 a|10001|-7  |A {%}\n(1, b)' ]
	run -0 --separate-stderr "$coretap" bt -e 'BEGIN { @a[1, "k"] = 5; if (@a[1, "k"] > 4) { printf("%s %s", ntop(0x0100007f), str($2)); } else { printf("no"); } exit(); }' 7 last
	[ "$output" = $'127.0.0.1 last\n@a[1, k]: 5' ]
	run -0 --separate-stderr "$coretap" bt -e 'BEGIN { printf("%d %d %s\n", pid == tid, uid, comm); @x = -7; exit(); } END { clear(@x); }'
	[ "$output" = "1 $(id -u) coretap" ]
	run -1 "$coretap" bt "${plan[@]}" "$btf" -e 'BEGIN { printf("%s", kstack); }'
	[[ ${lines[0]} == *"BEGIN is no process's here: there is no kstack" ]]
	run -0 --separate-stderr "$coretap" bt -e 'BEGIN { printf("%d args, %s\n", $#, str($1 + 2)); }' hello x
	[ "$output" = "2 args, llo" ]
	run -0 --separate-stderr "$coretap" bt -j -e 'BEGIN { printf("one\ntwo\n"); }'
	[[ -z $output && $stderr == *"bt: one"*"bt: two"* ]]
	run -0 "$coretap" bt "${plan[@]}" "$btf" -e 'BEGIN { @t = nsecs; } kprobe:vfs_read { printf("%d %d\n", (nsecs - @t) / 1000, elapsed); }'
	[[ ${lines[0]} == "bt: @t is not printed at the end" ]]
	[[ ${lines[1]} =~ ^"bt: argdump vfs_read 'value=(\$ts - "[0-9]+") / 1000:s64' 'elapsed=(\$ts - "[0-9]+"):s64' --print '{value} {elapsed}'"$ ]]
	run -1 "$coretap" bt "${plan[@]}" "$btf" -e 'BEGIN { printf("%d", sizeof(struct file)); } kprobe:vfs_read { @ = count(); }'
	[[ $output == *"ends the run"* ]]
}

@test "letters of bpftrace's options: types, probes of a program, a command" {
	btf=$(tools/fetch-kernel --btf 6.12)
	run -0 --separate-stderr "$coretap" bt --btf "$btf" -lv 'struct path'
	[[ $output == *"struct vfsmount"* ]]
	run -0 --separate-stderr "$coretap" bt --btf "$btf" -l -e 'kprobe:vfs_read { @ = count(); }'
	[ "$output" = "fentry vfs_read" ]
	run -0 "$coretap" bt "${plan[@]}" "$btf" -f json -c 'exit 3' -e 'kprobe:vfs_read { @ = count(); }'
	run -1 "$coretap" bt "${plan[@]}" "$btf" -f xml -e 'kprobe:vfs_read { @ = count(); }'
	[[ $output == *"-f is not there"* ]]
	run -1 "$coretap" bt "${plan[@]}" "$btf" --unsafe -e 'kprobe:vfs_read { system("x"); }'
	[[ $output == *"argdump has no system"* ]]
}

@test "letters of bcc's options mean what they mean there" {
	btf=$(tools/fetch-kernel --btf 6.12)
	run -0 "$coretap" trace "${plan[@]}" "$btf" -t -p 1 -L 2 -K 'p::vfs_read "%d", arg3'
	[[ $output == *"argdump -Trel vfs_read 'arg3=\$arg3'"* && $output == *kernel_stack* ]]
	run -0 "$coretap" trace "${plan[@]}" "$btf" --uid 0 --comm cat vfs_read
	run -0 "$coretap" trace "${plan[@]}" "$btf" -j -T vfs_read # JSON has the times anyway
	[[ ${lines[0]} == "trace: argdump vfs_read" ]]
	run -1 "$coretap" trace "${plan[@]}" "$btf" -f x vfs_read
	[[ ${lines[0]} == "trace: -f is not there" && ${lines[1]} == *CONDITION* ]]
	run -0 "$coretap" trace "${plan[@]}" "$btf" -b 64 -I linux/fs.h vfs_read
	[[ ${lines[0]} == *"BTF"* || ${lines[1]} == *"BTF"* ]]
	for tool in trace argdist; do
		[ -z "$("$coretap" "$tool" --help=options | grep -oE '^  -[A-Za-z]' | sort | uniq -d)" ]
		[ -z "$("$coretap" --man "$tool" | grep -oE '^.fB.-[A-Za-z]' | sort | uniq -d)" ]
	done
}
