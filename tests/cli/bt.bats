#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# bt: programs in bpftrace's language, compiled with the types of kernels; what is refused, and where. Needs no root
# and traces nothing.

# shellcheck disable=SC2016,SC2030,SC2031 # programs of another language; each test has a shell of its own
bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	coretap=$PWD/${BUILD:-build}/coretap
	btf=$(tools/fetch-kernel --btf 6.12)
}

plan() { run "$coretap" bt --dry-run --btf "$btf" "$@"; }
fine() { plan "$@"; [ "$status" -eq 0 ] || { echo "$* $output"; false; }; }

# PROGRAM is refused: the message has MESSAGE, and the caret is below PLACE, exactly.
refused() { # PROGRAM MESSAGE PLACE
	local column marks
	plan -e "$1"
	[[ $status -eq 1 && ${lines[0]} == *"$2"* ]] || { echo "$1: $output"; false; }
	column=${lines[2]%%[^ ]*}
	printf -v marks '%*s' $((${#3} - 1)) ''
	[[ ${lines[1]:${#column}:${#3}} == "$3" && ${lines[2]} == "$column^${marks// /\~}" ]] || { echo "$1: not below $3: $output"; false; }
}

@test "--trace-json has events, and so rows only" {
	btf=$(tools/fetch-kernel --btf 6.12)
	fine --trace-json x.json -e 'kprobe:vfs_read { @ = count(); emit(pid) }'
	plan --trace-json x.json -e 'kprobe:vfs_read { emit(pid); printf("x") }'
	[[ $status -eq 1 && ${lines[0]} == *"only rows of emit(), but the program prints text" ]] || { echo "$output"; false; }
	plan --trace-json x.json -e 'kprobe:vfs_read { @ = count(); }'
	[[ $status -eq 1 && ${lines[0]} == *"rows of emit(), but the program has none" && ${lines[1]} == *emit\(* ]] || { echo "$output"; false; }
}

@test "columns are those of emit()" {
	btf=$(tools/fetch-kernel --btf 6.12)
	for option in --with-container --inner-pids; do
		plan $option -e 'kprobe:vfs_read { emit(pid) }'
		[[ $status -eq 1 && ${lines[0]} == "bt: $option adds a column, but"* ]] || { echo "$output"; false; }
		run -1 "$coretap" tcplife --dry-run --btf "$btf" $option
	done
}

# PROGRAM is refused without a place in it.
refused_whole() { # PROGRAM MESSAGE
	plan -e "$1"
	[[ $status -eq 1 && ${lines[0]} == *"$2"* ]] || { echo "$1: $output"; false; }
}

@test "programs are compiled with the types of every kernel" {
	for kernel in 5.10 6.1 6.12 6.18 7; do
		btf=$(tools/fetch-kernel --btf $kernel)
		fine -e 'kprobe:vfs_read { @[comm, pid] = count(); @s = sum(arg2); @h[comm] = hist(arg2); }'
		fine -e 'fentry:vfs_read { @[str(args.file.f_path.dentry.d_name.name)] = sum(args.count); }'
		fine -e 'kretprobe:vfs_read /retval > 0/ { @l = lhist(retval, 0, 4000, 400); printf("%s %d\n", comm, retval); }'
		fine -e 'kprobe:vfs_read { @start[tid] = nsecs; } kretprobe:vfs_read /@start[tid]/ { @ns = hist(nsecs - @start[tid]); delete(@start, tid); }'
		for map in '@f[tid]' '@f[arg0]'; do # assigned only by another probe than that of the pattern, before or after it
			fine -e "kprobe:vfs_read { $map = 1; } kprobe:vfs_w* /$map/ { print(func); }"
			fine -e "kprobe:vfs_w* /$map/ { print(func); } kprobe:vfs_read { $map = 1; }"
			[[ $output != *'left out'*assigned* ]] || { echo "$output"; false; }
		done
		fine -e 'BEGIN { $i = 0; while ($i < 5) { $i++; if ($i == 3) { continue; } print($i); } } interval:s:1 { exit(); } END { clear(@x); @x = 1; }'
		fine -e 'profile:hz:99 { @[kstack, ustack(5)] = count(); }'
		fine -e 'struct pair { int a; char b[8]; } uprobe:/bin/bash:readline { $p = (struct pair *)arg0; print(($p->a, str($p->b))); }'
	done
}

# --probe-filter REGEX attaches these probes of the program.
filtered() { # REGEX PROBE…
	local regex=$1
	shift
	run "$coretap" bt --dry-run -v --btf "$btf" --probe-filter "$regex" -e 'begin { print(1) }
		kprobe:vfs_read, kprobe:vfs_r* { @ = count(); } kretprobe:vfs_write { @a[probe] = count(); }
		interval:s:1 { exit(); } iter:task { @i++ } end { print(@a); }'
	[ "$status" -eq 0 ] && [ "$(grep -v '^ ' <<<"$output" | tr '\n' ' ')" = "$* " ] || { echo "$regex: $output"; false; }
}

@test "--probe-filter drops probes whose names do not match, but no map loses its type" {
	filtered '^kprobe:vfs_read$' kprobe:vfs_read begin end
	filtered 'vfs_w|interval' kretprobe:vfs_write interval:s:1 begin end
	filtered 'iter:' begin iter:task end
	fine --probe-filter none -e 'begin { print(1); } kprobe:vfs_read { @ = count(); }'
	[[ $output == *"no probe of the program matches --probe-filter 'none'; only begin"* ]] || { echo "$output"; false; }
	plan --probe-filter none -e 'kprobe:vfs_read { @ = count(); }'
	[[ $status -eq 1 && ${lines[0]} == *"no probe of the program matches --probe-filter 'none'" ]] || { echo "$output"; false; }
	plan --probe-filter '(' -e 'kprobe:vfs_read { @ = count(); }'
	[[ $status -eq 1 && ${lines[0]} == *"'(' is not a regular expression"* ]] || { echo "$output"; false; }
	run "$coretap" bt --dry-run -v --test --probe-filter b -e 'test:a { print(1); } test:b { print(2); }'
	[[ $status -eq 0 && $output == test:b ]] || { echo "$output"; false; }
}

@test "names that there are not, with the nearest one" {
	refused 'kprobe:vfs_read { @[comm] = counts(); }' 'unknown function counts()' counts
	[[ ${lines[3]} == *'did you mean count()?' ]]
	refused 'kprobe:vfs_read { print(commm); }' 'unknown word commm' commm
	refused 'kprobe:vfs_read { print($x); }' '$x has no value here' '$x'
	refused 'kprobe:vfs_read { print(@nothing); }' '@nothing is never assigned' @nothing
	refused 'fentry:vfs_read { print(args.file.f_nose); }' 'struct file has no member f_nose' f_nose
	refused 'fentry:vfs_read { print(args.fil); }' 'fentry:vfs_read has no argument fil' fil
	[[ ${lines[3]} == *'did you mean file?' ]]
	refused 'kprobe:vfs_read { print(((struct fil *)arg0)->f_mode); }' 'unknown type struct fil' 'struct fil *'
	refused 'kprobe:vfs_read { print(sizeof(struct nope)); }' 'unknown type struct nope' 'struct nope'
	refused 'kprobe:vfs_read { print(reg("nope")); }' 'unknown register nope' '"nope"'
	refused 'kprob:vfs_read { @ = count(); }' "unknown kind of probe 'kprob'" kprob:vfs_read
	refused 'self:signal:NOPE { print(1); }' 'unknown signal' self:signal:NOPE
	refused 'config = { no_such = 5 } BEGIN { @[1] = 1; }' 'no_such: unknown setting' no_such
	refused_whole 'kprobe:syscalls:sys_exit_read { @ = count(); }' "--btf FILE has no types of modules"
	refused_whole 'kprobe:not_a_function { @ = count(); }' 'not_a_function: this kernel has no such function'
	refused_whole 'uprobe:/nonexistent:f { @ = count(); }' "cannot find '/nonexistent'"
}

@test "arguments that do not fit" {
	refused 'kprobe:vfs_read { printf("%d %d|", pid); }' 'printf: 1 value for 2 conversions' '"%d %d|"'
	refused 'kprobe:vfs_read { printf("%d|", pid, tid); }' 'printf: 2 values for 1 conversion' tid
	refused 'kprobe:vfs_read { printf("%y|", pid); }' "'%y' is not a conversion" '"%y|"'
	refused 'kprobe:vfs_read { printf(comm); }' 'printf() needs a literal text' comm
	refused 'kprobe:vfs_read { $a = str(); }' 'str() needs at least 1 argument' 'str()'
	refused 'kprobe:vfs_read { $a = str(arg0, 5, 6); }' 'str() takes at most 2 arguments, not 3' 'str(arg0, 5, 6)'
	refused 'kprobe:vfs_read { @ = lhist(pid, 0, 10); }' 'lhist() takes 4 arguments, not 3' 'lhist(pid, 0, 10)'
	refused 'kprobe:vfs_read { @ = lhist(pid, 10, 0, 1); }' 'the maximum, 0, must be above the minimum, 10' 0
	refused 'kprobe:vfs_read { @x = hist(comm); }' 'hist() needs a number' comm
	refused 'kprobe:vfs_read { clear($x); }' 'clear needs a map' '$x'
	refused 'kprobe:vfs_read { exit("a"); }' 'exit() needs a number' '"a"'
	refused 'interval:x:1 { @ = count(); }' 'this probe cannot be parsed' interval:x:1
	refused 'tracepoint:sched { @ = count(); }' 'this probe cannot be parsed' tracepoint:sched
	refused 'uprobe:readline { @ = count(); }' 'this probe cannot be parsed' uprobe:readline
}

@test "types that do not fit" {
	refused 'kprobe:vfs_read { @x[1] = 1; @x["a"] = 2; }' 'the keys of @x are int8, but this is string[2]' '"a"'
	refused 'kprobe:vfs_read { @x = 1; @x[1] = 2; }' '@x is used without a key elsewhere, but has a key here' 1
	refused 'kprobe:vfs_read { @x = 1; @x = "a"; }' 'the values of @x are int8, but this is string[2]' '"a"'
	refused 'kprobe:vfs_read { @x = count(); @x = sum(1); }' 'the values of @x are count_t, but this is sum_t' 'sum(1)'
	refused 'kprobe:vfs_read { print(count()); }' 'count() can only be assigned to a map' 'count()'
	refused 'kprobe:vfs_read { $a = "x"; $a = 1; }' '$a is string[2], but this is int8' 1
	refused 'kprobe:vfs_read { let $a: int8 = "x"; }' '$a is int8, but this is string[2]' '"x"'
	refused 'kprobe:vfs_read { print(arg0->f_mode); }' 'uint64 has no members' arg0
	refused 'kprobe:vfs_read { @ = comm + 1; }' '+ cannot be used with string[16] and int8' +
	refused 'kprobe:vfs_read { @x = (1, 2); print(@x.5); }' '(int8,int8) has no part 5' @x.5
}

@test "what a probe lacks or must not do" {
	refused 'kprobe:vfs_read { print(retval); }' 'kprobe:vfs_read does not run at a return' retval
	refused 'BEGIN { debugf("x %5d", 5); }' "the kernel cannot print '%5d'" '"x %5d"'
	refused 'BEGIN { debugf("%s", nsecs); }' '%s of debugf() prints only strings' nsecs
	refused 'BEGIN { debugf("%d%d%d%d", 1, 2, 3, 4); }' 'debugf() prints at most 3 values' 4
	refused 'BEGIN { print(arg0); }' 'begin has no arguments by number' arg0
	refused 'kprobe:vfs_read { break; }' 'break is outside of a loop' break
	refused 'kprobe:vfs_read { system("x"); }' 'system() changes the traced system' 'system("x")'
	[[ ${lines[3]} == *'allow it with --unsafe' ]]
	fine --unsafe -e 'kprobe:vfs_read { system("x"); }'
	refused 'kprobe:vfs_read { signal("KILL"); }' 'signal() changes the traced system' 'signal("KILL")'
}

@test "grammar: the expected text, and its location" {
	refused 'kprobe:vfs_read { @ = count() @y = 1; }' "expected ';' after the statement, not '@y'" @y
	refused 'kprobe:vfs_read /comm = "x"/ { @ = count(); }' "to end the predicate" =
	refused 'kprobe:vfs_read { if comm == 5 { @ = count(); } }' "expected '{' before the statements" ==
	refused 'kprobe:vfs_read { print("a); }' "the string has no end" '"'
	refused 'kprobe:vfs_read { 1 = 2; }' 'only variables ($name) and maps (@name) can be assigned to' 1
	refused_whole 'kprobe:vfs_read { @ = count(); ' "expected '}' at the end of the block"
	# in the line that has it, of several
	plan -e $'kprobe:vfs_read\n{\n\tprint(nothing_here);\n}'
	[[ $status -eq 1 && ${lines[1]} == *'print(nothing_here);' && ${lines[2]} =~ ^\ +\^\~{11}$ ]] || { echo "$output"; false; }
}

@test "a program from a file, from stdin, or as a word" {
	printf '#!/usr/bin/env bt\n// reads\nkprobe:vfs_read\n/comm == str($1) && arg2 > $2/\n{\n\t@ = count(); /* all */\n}\n' \
		>"$BATS_TEST_TMPDIR/reads.bt"
	fine "$BATS_TEST_TMPDIR/reads.bt" cat 4096
	plan - cat 4096 <"$BATS_TEST_TMPDIR/reads.bt"
	[ "$status" -eq 0 ]
	fine 'kprobe:vfs_read { @ = count(); }'
	plan /nonexistent
	[[ $status -eq 1 && $output == *"cannot read '/nonexistent'"* ]] || { echo "$output"; false; }
	plan
	[[ $status -eq 1 && $output == *"missing program"* ]] || { echo "$output"; false; }
	# a mistake is shown in its line of the file
	sed -i 's/count()/counts()/' "$BATS_TEST_TMPDIR/reads.bt"
	plan "$BATS_TEST_TMPDIR/reads.bt" cat 4096
	[[ $status -eq 1 && ${lines[1]} == *'@ = counts(); /* all */' ]] || { echo "$output"; false; }
	[[ ${lines[0]} == "bt: $BATS_TEST_TMPDIR/reads.bt:"[1-9]*": "* ]] || { echo "$output"; false; }
	# a NUL would end the program
	printf 'kprobe:vfs_read { @ = \0count(); }' >"$BATS_TEST_TMPDIR/nul.bt"
	plan "$BATS_TEST_TMPDIR/nul.bt"
	[ "$status" -eq 1 ] || { echo "$output"; false; }
}

@test "positional parameters: numbers and strings, missing ones, their number" {
	fine -e 'kprobe:vfs_read { @ = $1 + $2; print(str($3)); print($#); print($9); print(str($9)); }' 5 0x10 text
	plan -e 'kprobe:vfs_read /pid == $1/ { @ = count(); }' text
	[[ $status -eq 1 && ${lines[0]} == *"== cannot be used with uint32 and string[5]"* ]] || { echo "$output"; false; }
	fine -v -e 'kprobe:$1 { @ = count(); }' vfs_read
	grep -qx kprobe:vfs_read <<<"$output" || { echo "$output"; false; }
	plan -e 'kprobe:$1 { @ = count(); }' vfs_raed
	[[ $status -eq 1 && $output == *vfs_raed* ]] || { echo "$output"; false; }
}

@test "options of a program: getopt" {
	fine -e 'BEGIN { print((getopt("a", 1), getopt("b"), getopt("c", "x"))); }' -- --a=5 --b
	plan -e 'BEGIN { print(getopt("a", 1)); }' -- --b=5
	[[ $status -eq 1 && $output == *"no option --b"* ]] || { echo "$output"; false; }
	plan -e 'BEGIN { print(getopt("a", 1)); }' -- --a=x
	[[ $status -eq 1 && ${lines[0]} == *"--a=x: expected a number" ]] || { echo "$output"; false; }
	# words behind -- that are no options are positional
	fine -v -e 'kprobe:$1 { @ = getopt("a", 1); }' -- --a=2 vfs_write
	grep -qx kprobe:vfs_write <<<"$output" || { echo "$output"; false; }
}

@test "settings come from the program or the environment" {
	fine -e 'config = { max_map_keys = 5; stack_mode = perf } BEGIN { @[1] = 1; }'
	refused 'config = { max_map_keys = x } BEGIN { @[1] = 1; }' 'max_map_keys: the setting must be a number' x
	BPFTRACE_MAX_STRLEN=100 fine -e 'BEGIN { @[1] = 1; }'
	while read -r setting why; do
		run env "$setting" "$coretap" bt --dry-run --btf "$btf" -e 'BEGIN { @[1] = 1; }'
		[[ $status -eq 2 && $output == "bt: ${setting%%=*} in the environment: "*"$why"* ]] || { echo "$setting: $output"; false; }
	done <<-'END'
		BPFTRACE_MAX_STRLEN=x must be a number
		BPFTRACE_MAX_STRLEN=99999999 too large
		BPFTRACE_STACK_MODE=x must be bpftrace, perf, raw or build_id
	END
	BPFTRACE_MAX_PROBES=2 run "$coretap" bt --dry-run --btf "$btf" -e 'kprobe:vfs_read, kprobe:vfs_write, kprobe:vfs_open { @ = count(); }'
	[[ $output =~ ([0-9]+)' functions match, and max_probes allows 2'.*'max_probes = '([0-9]+) && ${BASH_REMATCH[1]} = "${BASH_REMATCH[2]}" ]] ||
		{ echo "$output"; false; }
}

@test "missing targets of attach points: the caret is below them, on their line" {
	refused 'kprobe:vfs_raed { @ = count(); }' 'no such function' kprobe:vfs_raed
	refused 'kprobe:vfs_read, fentry:nope { @ = count(); }' 'no such function' fentry:nope
	refused $'BEGIN { print(1); }\nkprobe:vfs_nope* { @ = count(); }' 'no function matches' 'kprobe:vfs_nope*'
	refused 'tracepoint:sched:sched_swich { print(1); }' 'no tracepoint' tracepoint:sched:sched_swich
	refused 'kprobe:vfs_read { @ = 1; } uprobe:/nonexistent:f { @ = 2; }' "cannot find '/nonexistent'" uprobe:/nonexistent:f
	refused 'uprobe:/bin/bash:no_such_function { @ = 2; }' 'has no function' uprobe:/bin/bash:no_such_function
	refused 'hardware:cyles:100 { print(1); }' 'unknown event' hardware:cyles:100
	refused 'watchpoint:0x1000:3:w { print(1); }' '1, 2, 4 or 8 bytes' watchpoint:0x1000:3:w
	refused 'watchpoint:main+arg0:8:w { print(1); }' 'cannot be parsed' watchpoint:main+arg0:8:w
	refused 'iter:tasl { print(1); }' 'no iterator tasl' iter:tasl
	refused 'test:a { print(1); }' 'only tests' test:a
	refused 'iter:task:pin { print(1); }' 'can print only with printf()' 'print(1)'
}

@test "missing probes are an error, a warning or nothing" {
	refused_whole 'kprobe:nope, kprobe:vfs_read { @ = count(); }' 'no such function'
	fine -e 'config = { missing_probes = "warn" } kprobe:nope, kprobe:vfs_read { @ = count(); }'
	[ "$output" = 'bt: warning: skipping kprobe:nope: it does not exist here' ] || { echo "$output"; false; }
	fine -e 'config = { missing_probes = "ignore" } kprobe:nope, kprobe:vfs_read { @ = count(); }'
	[ -z "$output" ] || { echo "$output"; false; }
	refused 'config = { missing_probes = "ignore" } kprobe:nope { } t:nope:no { }' "none of the program's probes exists" 'kprobe:nope'
	fine -e 'config = { missing_probes = "ignore" } kprobe:nope { } begin { }'
}

@test "--help after -- lists the options of the program" {
	fine -e 'begin /getopt("a", 1, "a number")/ { if (getopt("b")) { print((getopt("a", 1), getopt("b"))); } }' -- --help
	[ "$output" = $'Options of this program, after --:\n  --a  a number\n  --b' ] || { echo "$output"; false; }
	fine -e 'begin { print(getopt("help")); }' -- --help
	[ -z "$output" ] || { echo "$output"; false; }
}

@test "signals of self: are listed" {
	run "$coretap" bt -l 'self:*'
	[ "$output" = self:signal:SIGUSR1 ] || { echo "$output"; false; }
}

@test "-l of a file that cannot be read" {
	run "$coretap" bt -l "$BATS_TEST_TMPDIR/none.bt"
	[[ $status -eq 1 && ${lines[0]} == "bt: cannot read '$BATS_TEST_TMPDIR/none.bt': No such file or directory" ]] ||
		{ echo "$output"; false; }
	run "$coretap" bt -l none.bt # may be the name of a probe
	[ "${lines[0]}" = "bt: warning: no file none.bt; listing probes that match this name" ] || { echo "$output"; false; }
	echo 'kprobe:vfs_read { @ = count(); }' >"$BATS_TEST_TMPDIR/some.bt"
	run "$coretap" bt -l --btf "$btf" "$BATS_TEST_TMPDIR/some.bt"
	[ "$output" = kprobe:vfs_read ] || { echo "$output"; false; }
}

@test "what a function returns has the type that it declares" {
	refused 'fn f($a: int64): string { return $a; } begin { print(f(1)); }' '$f() is string, but this is int64' '$a'
	refused 'fn f(): bool { if (pid) { return true; } return 5; } begin { print(f()); }' '$f() is bool, but this is int8' '5'
	refused 'fn f($a: int64): int64 { return $a; } begin { print(f("x")); }' '$a is int64, but this is string[2]' '"x"'
	fine -e 'fn f(): string { if (pid) { return "a"; } return "long"; } begin { print(f()); print(f()); }'
	fine -e 'fn f(): struct task_struct * { return curtask; } begin { print(f().pid); }'
}

@test "functions that do not fit their place are refused" {
	refused 'begin { exit; }' 'exit is a function' exit
	refused 'begin { time; exit(); }' 'time is a function' time
	for probe in begin end interval:s:1 self:signal:SIGUSR1 iter:task; do
		plan --unsafe -e "$probe { signal(9); }"
		[[ $status -eq 1 && ${lines[0]} == 'bt: signal() needs a probe that runs in the traced task' ]] ||
			{ echo "$probe: $output"; false; }
	done
	fine --unsafe -e 'profile:hz:9, kprobe:vfs_read, tracepoint:sched:sched_switch { signal_thread("KILL"); }'
	refused 'fentry:vfs_read { print(socket_cookie(args.file)); }' 'needs a struct sock * as its argument, but this is struct file *' args.file
	fine -e 'fentry:tcp_shutdown { print(socket_cookie(args.sk)); }'
}

# PROGRAM is accepted with these warnings, in this order, "COLUMNS: TEXT" each.
warned() { # PROGRAM WARNING…
	local got
	fine -e "$1"
	got=$(sed -n 's/^stdin:1:\([0-9-]*\): WARNING/\1/p' <<<"$output")
	[ "$got" = "$(printf '%s\n' "${@:2}")" ] || { echo "$1: $output"; false; }
}

@test "warnings of variables without a value, parameters that are missing, signed divisions" {
	local signed='can lead to undefined behavior (cast to unsigned to silence warning)'
	warned 'begin { let $a: int16; print($a); }' '30-32: Variable used before it was assigned: $a' '9-22: Variable $a was never assigned to.'
	warned 'begin { let $a; print($a); $a = 1; }' '23-25: Variable used before it was assigned: $a'
	warned 'begin { if (pid) { let $x; } $x = 2; }' '20-26: Variable $x was never assigned to.'
	fine -e 'begin { let $a; if (pid) { $a = 1; } print($a); @m[1] = 2; let $v; if (find(@m, 1, $v)) { print($v); } }'
	[ -z "$output" ] || { echo "$output"; false; }
	warned 'begin { print($2); }' '15-17: Positional parameter $2 is empty or not provided. '
	fine -e 'begin { print($1); print($#); print(str($2)); }' 5
	[ -z "$output" ] || { echo "$output"; false; }
	warned 'begin { @x[1] = stats(1); print(@x, 3); print(@x); }' \
		"27-39: print()'s top and div arguments are ignored when used on stats() maps."
	warned 'kprobe:vfs_read { $a = (int32)arg0; $b = $a / 3; $a %= 3; print(-7 / 3); }' "42-48: signed operands for '/' $signed" \
		"53-57: signed operands for '%' $signed"
	fine -e 'kprobe:vfs_read { $a = -5; $b = $a / 2; print(arg0 / 2); $c = (uint64)5; $c /= 2; $d = (int32)arg0; $e = $d / $d; }'
	[ -z "$output" ] || { echo "$output"; false; }
}

@test "warnings of while, of casts without effect, of pointers to different types, of print() of a map in a loop" {
	local idle='Unnecessary cast: expression is already of type' late="The map will likely be updated before the runtime can 'print' it."
	warned 'begin { $a = 1; while ($a < 5) { $a++; } }' '17-41: While loops are deprecated and may be removed in the future.'
	warned 'begin { $a = (int8)5; $b = (uint64)nsecs; $c = (struct task_struct *)curtask; }' "14-20: $idle int8" \
		"28-36: $idle uint64" "48-70: $idle struct task_struct *"
	fine -e 'begin { @ = count(); $a = (int64)@; $b = (int32)5; $c = (uint8)5; $d = (bool)1; }'
	[ -z "$output" ] || { echo "$output"; false; }
	warned 'begin { $a = (int8 *)1; $b = (int16 *)2; @ = $a == $b; }' '46-54: comparison of distinct pointer types: int8, int16'
	warned 'begin { exit(1); print(1); }' '18-27: Unreachable statement.'
	warned 'begin { if (pid) { exit(); } else { return; } print(1); }' '47-56: Unreachable statement.'
	warned 'begin { for ($i : 0..3) { @x = $i; print(@x); print($i); } }' \
		"36-45: Due to it's asynchronous nature using 'print()' in a loop can lead to unexpected behavior. $late"
	fine -e 'begin { unroll (3) { @x++; print(@x); } @y[1] = 1; for ($k : @y) { print(@y[1]); } }'
	[ -z "$output" ] || { echo "$output"; false; }
}

@test "the preprocessor, imports, types of the program" {
	fine -e $'#include <linux/fs.h>\n#define N 5\nBEGIN { @ = N; }'
	fine -e 'struct pair { int a; int b; } kprobe:vfs_read { $p = (struct pair *)arg1; print($p->b); }'
	refused 'import "x.h"; BEGIN { @ = 1; }' "cannot read 'x.h'" '"x.h"'
	mkdir -p "$BATS_TEST_TMPDIR/lib"
	echo 'import "lib/more.bt"; import "lib/more.bt"; kprobe:vfs_read { @ = more(count); }' >"$BATS_TEST_TMPDIR/main.bt"
	echo 'macro more($x) { $x + 1 }' >"$BATS_TEST_TMPDIR/lib/more.bt"
	fine "$BATS_TEST_TMPDIR/main.bt" # from any folder
	echo 'macro more($x) { $x + nope }' >"$BATS_TEST_TMPDIR/lib/more.bt"
	plan "$BATS_TEST_TMPDIR/main.bt"
	[[ $status -eq 1 && $output == *"main.bt:1: unknown word nope"* ]] || { echo "$output"; false; }
}

@test "files that a program imports or includes" {
	local dir
	dir=$(mktemp -d)
	mkdir -p "$dir/lib" "$dir/inc" "$dir/open"
	echo 'macro two() { 2 }' >"$dir/lib/a.bt"
	echo 'import "b.bt"; macro three() { two_and_one() }' >"$dir/lib/c.bt"
	echo 'macro two_and_one() { 3 }' >"$dir/lib/b.bt"
	printf '#define FOO 42\nstruct pair { int a; int b; };\n' >"$dir/inc/foo.h"
	echo 'macro open() { 1 }' >"$dir/open/o.bt"
	chmod 777 "$dir/open"
	echo 'config = { max_strlen = 5 }' >"$dir/config.bt"
	# beside the program, a folder, and one that an import names beside itself
	echo 'import "lib"; begin { static_assert(two() + three() == 5, "no"); }' >"$dir/p.bt"
	fine "$dir/p.bt"
	echo 'import "inc/foo.h"; begin { static_assert(FOO == 42 && sizeof(struct pair) == 8, "no"); }' >"$dir/p.bt"
	fine "$dir/p.bt"
	printf '#include "foo.h"\nbegin { static_assert(FOO == 42, "no"); }\n' >"$dir/p.bt"
	fine -I "$dir/inc" "$dir/p.bt"
	fine -I "$dir/inc" --include foo.h -e 'begin { static_assert(FOO == 42, "no"); }'
	fine --include "$dir/inc/foo.h" -e 'begin { static_assert(FOO == 42, "no"); }'
	fine -I "$dir/inc" -e $'#include <foo.h>\nbegin { static_assert(FOO == 42, "no"); }'
	plan "$dir/p.bt"
	[[ $status -eq 1 && $output == *"cannot read 'foo.h'"* ]] || { echo "$output"; false; }
	echo 'import "open/o.bt"; begin { print(open()); }' >"$dir/p.bt"
	plan "$dir/p.bt"
	[[ $status -eq 1 && $output == *"everybody can write to its folder"* ]] || { echo "$output"; false; }
	echo 'import "config.bt"; begin { print(1); }' >"$dir/p.bt"
	plan "$dir/p.bt"
	[[ $status -eq 1 && $output == *"an imported file cannot have a config"* ]] || { echo "$output"; false; }
	rm -r "$dir"
}

@test "what bpftrace 0.25 to 0.27 added" {
	fine -e 'begin { print(is_err(5)); print(leader_tid); print(leader_comm(curtask)); assert_str("a"); print(signal_name(9)); }'
	fine -e 'begin { static_assert(default_str_length() == 1024, "no"); static_assert(str_concat("a", "b") == "ab", "no"); }'
	fine -e 'begin { $p = container_of((uint64)curtask, typeof(struct task_struct), se.load); print($p.pid); }'
	fine -e 'macro cast(t, x) { (t*)x } macro size(t) { sizeof(t) } begin { print(cast(typeof(uint8), 1)); static_assert(size(typeof(int8[7])) == 7, "no"); }'
	fine -e 'begin { static_assert(sizeof(uint32*[10]) == 80 && sizeof(int32[4]*) == 8 && sizeof(int32[2][3]) == 24, "no"); }'
	fine -e 'begin { static_assert(typeinfo((int16)1) == typeinfo(int16), "no"); static_assert(typeinfo("a").base_type == "string", "no"); }'
	fine -e 'begin { static_assert(config.max_strlen == 1024 && config.missing_probes == "error", "no"); }'
	fine -e 'begin { $s = "a"; print(&$s); @m[1] = 2; print(&@m); } kprobe:vfs_read { print(reg("pc")); }'
	fine -e 'iter:task:list { printf("%-6d %s\n", ctx.task.pid, ctx.task.comm); }'
	fine -e 'fentry:ip_rcv { print(skboutput("x.pcap", args.skb, args.skb.len, 0)); }'
	fine -e 'hardware:branch-instructions:1e6 { @ = count(); } software:task-clock: { @b = count(); }'
	fine --test -e 'test:a { return 0; }'
	fine --bench -e 'bench:a { @ = count(); }'
	refused 'config = { unstable_tseries = error } begin { @ = tseries(1, 1s, 5); }' 'forbids tseries()' 'tseries(1, 1s, 5)'
	refused 'config = { unstable_typeinfo = error } begin { print(typeinfo(1)); }' 'forbids typeinfo()' 'typeinfo(1)'
	refused 'config = { cpp_demangle = 5 } begin { @ = 1; }' 'cpp_demangle: the setting must be true or false' 5
	refused 'config = { debug_output = 1 } begin { @ = 1; }' 'debug_output: only the environment sets it' debug_output
	refused 'begin { print(typeof(uint8)); }' 'this is a type, but a value is needed' 'typeof(uint8)'
	refused 'begin { print(leader_tid(5)); }' 'int8 has no members' 5
	refused 'kprobe:0xffffffff81000000 { @ = 1; }' 'the meaning of a bare address is unknown' kprobe:0xffffffff81000000
	refused 'iter:task:list { print(1); }' 'a pinned iterator can print only with printf()' 'print(1)'
	refused 'begin { write_user(1, "a", 1); }' 'write_user() changes the traced system' 'write_user(1, "a", 1)'
	fine -e 'profile:hz:99 { print(dw_ustack); printf("%s", dw_ustack(perf, 3)); }'
	refused 'begin { @[dw_ustack] = 1; }' 'not supported yet: dw_ustack() as a key or a value' dw_ustack
	refused 'begin { $s = dw_ustack; }' 'dw_ustack() as a key or a value' dw_ustack
	refused 'begin { emit(dw_ustack); }' 'dw_ustack() in emit()' dw_ustack
	refused 'config = { unstable_dw_ustack = error } begin { print(dw_ustack); }' 'forbids dw_ustack()' dw_ustack
	refused 'begin { print(strftime("%H", -1)); }' 'cannot be negative' -1
	refused 'begin { print(kstack(build_id)); }' 'functions of the kernel have no build id' build_id
	refused 'fentry:vfs_read { print(path(args.file)); }' 'path() needs a struct path' args.file
}

@test "options of bpftrace: those without effect are reported, others are refused" {
	fine -I /nonexistent --include linux/fs.h --usdt-file-activation -B line --no-warnings -f json -e 'BEGIN { @ = 1; }'
	[[ $output == *"--usdt-file-activation is not needed"* ]] || { echo "$output"; false; }
	fine -c 'sh -c "exit 3"' -e 'BEGIN { @ = 1; }'
	for wrong in '-f xml' '-B some'; do
		# shellcheck disable=SC2086 # words
		plan $wrong -e 'BEGIN { @ = 1; }'
		[[ $status -eq 1 && ${lines[0]} == "bt: ${wrong% *} is not supported" ]] || { echo "$wrong: $output"; false; }
	done
	plan -c 'a "b' -e 'BEGIN { @ = 1; }'
	[[ $status -eq 1 && ${lines[0]} == *"is not a command" ]] || { echo "$output"; false; }
	# words behind -- are the program's, with -c too
	fine -c true -e 'BEGIN { printf("%d %s", getopt("size", 1), $1); }' -- --size=5 word
	# what ran programs before
	run -1 "$coretap" argdump -e 'kprobe:vfs_read { @ = count(); }'
	[[ $output == *"run it with coretap bt -e PROGRAM"* ]]
}

@test "probes, types and events are listed as bpftrace does" {
	run -0 --separate-stderr "$coretap" bt --btf "$btf" -l 'kprobe:vfs_re*'
	[[ $output == *kprobe:vfs_read$'\n'* && $output == *kprobe:vfs_rename* ]]
	run -0 --separate-stderr "$coretap" bt --btf "$btf" -l -e 'kprobe:vfs_read { @ = count(); } BEGIN { }'
	[ "$output" = kprobe:vfs_read ] || { echo "$output"; false; }
	run -0 --separate-stderr "$coretap" bt --btf "$btf" -lv 'kprobe:vfs_read'
	[[ $output == $'kprobe:vfs_read\n    struct file * arg0\n    char * arg1\n    size_t arg2\n    loff_t * arg3' ]] || { echo "$output"; false; }
	run -0 --separate-stderr "$coretap" bt --btf "$btf" -lv 'fexit:vfs_read'
	[[ $output == *"    struct file * file"* && $output == *"    size_t count"* && $output == *"    ssize_t retval"* ]]
	run -0 --separate-stderr "$coretap" bt --btf "$btf" -lv 'struct path'
	[[ $output == *"struct vfsmount *mnt;"* ]]
	run -0 --separate-stderr "$coretap" bt --btf "$btf" -l 'software:*'
	[[ $output == *software:page-faults:* ]]
	# without periods, and no device has to count the event
	run -0 --separate-stderr "$coretap" bt --btf "$btf" -l -e 'hardware:cache-misses:10 { } interval:ms:100 { } software:cpu:1 { }'
	[ "$output" = $'hardware:cache-misses:\ninterval:ms:\nsoftware:cpu:' ] || { echo "$output"; false; }
	run -0 --separate-stderr "$coretap" bt --btf "$btf" -l '*task_file*'
	[[ $output == *iter:task_file* ]] || { echo "$output"; false; }
	# what matches nothing, and a name that is meant as a file
	run -0 "$coretap" bt --btf "$btf" -l 'kprobe:nope*'
	run -0 "$coretap" bt --btf "$btf" -l nosuch.bt
	[[ $output == *"no file nosuch.bt"* ]] || { echo "$output"; false; }
}

@test "debug information in a folder of --debuginfo" {
	mkdir -p "$BATS_TEST_TMPDIR/far"
	objcopy --only-keep-debug build/tests/work/shapes "$BATS_TEST_TMPDIR/far/shapes.debug"
	(cd "$BATS_TEST_TMPDIR/far" && objcopy --strip-debug --add-gnu-debuglink=shapes.debug "$OLDPWD/build/tests/work/shapes" ../bare)
	run -0 --separate-stderr "$coretap" bt --btf "$btf" -lv "uprobe:$BATS_TEST_TMPDIR/bare:corner"
	[[ $output != *"struct corner"* ]]
	run -0 --separate-stderr "$coretap" bt --btf "$btf" --debuginfo "/nowhere:$BATS_TEST_TMPDIR/far" -lv "uprobe:$BATS_TEST_TMPDIR/bare:corner"
	[[ $output == *"    struct corner* c"* ]]
}

# Makes a program of two files; the compiler leaves its debug information in files of its own. OPTION…: of the compiler.
split_make() { # COMPILER OPTION…
	cat >one.c <<-'END'
		struct inner { int depth; };
		struct outer { short first; struct inner *in; };
		extern int second(struct inner *of, unsigned char by);
		long first(struct outer *whole, long *n) { return *n + whole->first + second(whole->in, 2); }
		int main(void) { struct inner i = { 3 }; struct outer o = { 4, &i }; long n = 5; return first(&o, &n) == 0; }
	END
	cat >two.c <<-'END'
		struct inner { int depth; };
		static inline __attribute__((always_inline)) int folded(struct inner *of) { return of->depth * 2; }
		int second(struct inner *of, unsigned char by) { return folded(of) + by; }
	END
	"$1" -O1 -g -gdwarf-5 -gsplit-dwarf "${@:2}" -c one.c
	"$1" -O1 -g -gdwarf-5 -gsplit-dwarf "${@:2}" -c two.c
	gcc -no-pie -o program one.o two.o
}

# Both units of FILE are read: what is printed is typed by them.
split_is_read() { # FILE [OPTION…]
	fine "${@:2}" -e "uprobe:$1:first { print(args.whole->in->depth); } uprobe:$1:second { print(args.of->depth); }"
	run -0 --separate-stderr "$coretap" bt --btf "$btf" "${@:2}" -lv "uprobe:$1:second"
	[[ $output == *"    struct inner* of"*"    unsigned char by"* ]] || { echo "$output"; false; }
}

split_is_missing() { # FILE NAME
	plan -lv "uprobe:$1:first"
	[[ $status -eq 0 && $output == *"debug information is in a file that is not found, $2"* ]] || { echo "$output"; false; }
}

@test "debug information in files of its own: beside the program, where it was compiled, in a folder of --debuginfo; stale, damaged and missing ones" {
	cd "$BATS_TEST_TMPDIR" || return
	split_make gcc
	split_is_read "$PWD/program"
	mkdir moved far && cp program moved/
	split_is_read "$PWD/moved/program"
	mv one.dwo two.dwo moved/
	split_is_read "$PWD/moved/program"
	split_is_missing "$PWD/program" one.dwo
	cp moved/*.dwo far/
	split_is_read "$PWD/program" --debuginfo /nowhere:far
	sed -i 's/short first/long first/' one.c # another build
	gcc -O1 -g -gdwarf-5 -gsplit-dwarf -c one.c
	split_is_missing "$PWD/program" one.dwo
	head -c 700 far/one.dwo >one.dwo
	split_is_missing "$PWD/program" one.dwo
	split_make gcc -gdwarf-4
	plan -lv "uprobe:$PWD/program:first"
	[[ $status -eq 0 && $output == *"types are missing: what is split as in DWARF 4 is not read"* ]] || { echo "$output"; false; }
}

@test "debug information of many units packed into one file" {
	command -v clang llvm-dwp >/dev/null || skip "no clang and llvm-dwp here: binutils' dwp cannot pack DWARF 5"
	cd "$BATS_TEST_TMPDIR" || return
	split_make clang
	timeout 20 llvm-dwp -e program -o program.dwp
	rm one.dwo two.dwo
	split_is_read "$PWD/program"
	head -c 900 program.dwp >short
	mv short program.dwp
	split_is_missing "$PWD/program" one.dwo
}

@test "a line of source: what has no code is reported with the next line that has" {
	local shapes=build/tests/work/shapes line
	line=$(grep -n 'const char \*name = argc' tests/work/shapes.c | cut -d: -f1)
	run -0 "$coretap" bt --btf "$btf" --dry-run -e "uprobe:$shapes@shapes.c:$line { @ = count(); }"
	run -1 "$coretap" bt --btf "$btf" --dry-run -e "uprobe:$shapes@shapes.c:1 { @ = count(); }"
	[[ $output == *"$shapes has no code at shapes.c:1"*"the next line with code is "* ]]
}

@test "maps whose entries end with their owner" {
	for kernel in 5.10 6.1 6.12 6.18 7; do
		btf=$(tools/fetch-kernel --btf $kernel)
		fine -e 'let @x = owned_by(sk); fentry:tcp_sendmsg { @x[args.sk]++; }'
		fine -e 'let @x = owned_by(skb); kprobe:"ip_r*(struct sk_buff *)" { @x[arg(struct sk_buff *)] = nsecs; }'
		fine -e 'let @x = owned_by(inode, 100); kprobe:vfs_read { @x[((struct file *)arg0)->f_inode] = hist(arg2); }'
		fine -e 'let @x = owned_by(task); let @y = owned_by(task); BEGIN { @x[curtask] = 1; } kprobe:vfs_read { @y[curtask] = count(); }'
		fine -e 'let @x = owned_by(tid); let @births = owned_by(pid); let @ = owned_by(pid); kprobe:vfs_read { @x[tid] = nsecs; @births[pid] = (1, comm); @[pid] = 1; }'
	done
	refused 'let @x = owned_by(inode); fentry:vfs_read { @x[args.file.f_inode, 1] = count(); }' \
		'@x is owned by inode: its key must be struct inode *, but this is (struct inode *,int8)' 'args.file.f_inode, 1'
	refused 'let @x = owned_by(sk); kprobe:tcp_sendmsg { @x[arg0] = 1; }' 'its key must be struct sock *, but this is uint64' arg0
	[[ ${lines[3]} == *'(struct sock *)arg0' ]]
	refused 'let @x = owned_by(task); kprobe:vfs_read { @x[tid] = 1; }' 'its key must be struct task_struct *, but this is uint32' tid
	[[ ${lines[3]} == *'owned_by(tid)'* ]]
	refused 'let @x = owned_by(tid); kprobe:vfs_read { @x[curtask] = 1; }' 'its key must be a number, as tid is, but this is struct task_struct *' curtask
	refused 'let @x = owned_by(tid); kprobe:vfs_read { @x = 1; }' '@x is owned by tid: its key must be the owner' @x
	refused 'let @x = owned_by(tid); kprobe:vfs_read { print(1); }' '@x is never assigned' 'owned_by(tid)'
	refused 'let @x = owned_by(cpu); kprobe:vfs_read { @x[cpu] = 1; }' "unknown owner 'cpu'" cpu
}

@test "packets: filters, rows, and parameters by their type" {
	for kernel in 5.10 6.12 7; do
		btf=$(tools/fetch-kernel --btf $kernel)
		fine -e 'kprobe:ip_rcv /pcap(arg(struct sk_buff *), "tcp port 80 and not vlan 3")/ { emit(func, p = args.skb:packet, q = packet(args.skb, 20)); }'
		fine -e 'kprobe:"ip_rcv*(struct sk_buff *)" { emit(func, why = arg(enum skb_drop_reason) ?? nothing, n = arg(struct nothing *) ?? 1); }'
	done
	refused 'kprobe:ip_rcv { emit(p = arg(struct file *)); }' 'kprobe:ip_rcv has no argument of the type struct file' 'arg(struct file *)'
	refused 'kprobe:ip_rcv { print(pcap(args.skb, "tcp prt 80")); }' 'syntax error' '"tcp prt 80"'
	refused 'kprobe:ip_rcv { print(pcap(args.dev, "tcp")); }' 'pcap() needs a struct sk_buff *, xdp_buff * or xdp_frame * as argument 1, but this is struct net_device *' args.dev
	refused 'kprobe:ip_rcv { print(packet(args.skb, 5000)); }' '1 to 4096 bytes of a packet are copied' 5000
}

@test "a kernel that does not show the end of an owner" {
	echo 'struct task_struct { int pid, tgid; unsigned long start_time; }; struct task_struct task; long vfs_read(void *file) { return task.pid; }' >"$BATS_TEST_TMPDIR/k.c"
	clang -target bpf -g -O2 -w -c "$BATS_TEST_TMPDIR/k.c" -o "$BATS_TEST_TMPDIR/k.o"
	btf=$BATS_TEST_TMPDIR/k.o
	plan -e 'let @x = owned_by(sk); kprobe:vfs_read { @x[(struct sock *)arg0] = 1; }'
	[[ $status -eq 1 && $output == *'this kernel has none of these'*$'\n             ^~~~~~~~~~~~\n'*'does not report the end of such an object'* ]] || { echo "$output"; false; }
	[ "$(grep -c '\^~' <<<"$output")" = 1 ] || { echo "$output"; false; } # one caret
	plan -e 'let @x = owned_by(tid); kprobe:vfs_read { @x[tid] = 1; }'
	[[ $status -eq 1 && $output == *'no tracepoint t:task_newtask'*$'\n             ^~~~~~~~~~~~~\n'*'does not report the end of such an object'* ]] || { echo "$output"; false; }
	[ "$(grep -c '\^~' <<<"$output")" = 1 ] || { echo "$output"; false; }
}

@test "parameters are words; their names by kind of probe" {
	for kernel in 5.10 6.1 6.12 6.18 7; do
		btf=$(tools/fetch-kernel --btf $kernel)
		for way in fentry kprobe; do
			fine --attach=$way -e 'kprobe:vfs_read /count > 5/ { print(file->f_inode->i_ino); @[count] = count(); @s = sum(count); }'
			fine --attach=$way -e 'kprobe:vfs_getattr { print(str(path->dentry->d_name.name)); }'
		done
	done
	fine -e 'rawtracepoint:sched_switch { print(prev->pid); }
#define file 5
		kprobe:vfs_write { print(file); }'
	refused 'kprobe:vfs_read { print(fiel->f_inode); }' 'unknown word fiel' fiel
	[[ ${lines[3]} == *'did you mean file?' ]]
	refused 'kprobe:vfs_read,kprobe:vfs_fsync { print(count); }' 'kprobe:vfs_fsync has no argument count' count
	refused 'interval:s:1 { print(file->f_inode); }' 'unknown word file' file
	refused 'kprobe:vfs_read { print(file->f_nose); }' 'struct file has no member f_nose' f_nose
}

@test "?? replaces values that cannot be read" {
	for kernel in 5.10 6.1 6.12 6.18 7; do
		btf=$(tools/fetch-kernel --btf $kernel)
		for way in fentry kprobe; do
			fine --attach=$way -e 'kprobe:vfs_read { print(file->f_nose ?? 7); @[str(file->f_path.dentry->d_name.name) ?? "none"] = count(); }
				kprobe:vfs_write /(file->f_inode->i_ino ?? 0) > 5/ { printf("%d %d", file->f_inode->i_ino ?? -1, args.nosuch ?? 2); @p = path(file->f_path) ?? "?"; }'
		done
	done
	refused 'kprobe:vfs_read { print(pid ?? 7); }' '?? needs a parameter or a read of memory' '??'
	refused 'kprobe:vfs_read { print({ $x = 1; $x } ?? 7); }' 'the left side of ?? cannot contain statements' '{ $x = 1; $x }'
	refused 'kprobe:vfs_read { print(curtask->comm ?? 7); }' 'one side of the choice is string[16], the other is int8' 'curtask->comm ?? 7'
	refused 'kprobe:vfs_read { print(file->f_nose ?? no_word); }' 'unknown word no_word' no_word
	refused 'kprobe:vfs_read { print(file ??); }' "expected a value, not ')'" ')'
}

@test "patterns of kinds and files are lists of probes" {
	local work=${BUILD:-build}/tests/work watch pid
	listed() { # WANTED ARG…
		run -0 --separate-stderr "$coretap" bt --btf "$btf" "${@:2}"
		[ "$output" = "$1" ] || { echo "${*:2}: $output"; false; }
	}
	listed $'fentry:vmlinux:vfs_fsync\nkprobe:vfs_fsync' -l vfs_fsync
	listed kprobe:vfs_fsync -l 'k*:vfs_fsync'
	listed "uprobe:$work/shapes:innermost" -l "*:$work/shapes:inner*"
	listed "uprobe:$work/shapes:innermost" -l "uprobe:$work/sh*:inner*"
	listed "usdt:$work/usdt:work:place" -l "usdt:$work/u*::pl*"
	listed "usdt:$work/usdt:work:place" -l -e "usdt:$work/usdt:place { }"
	listed kprobe:vfs_fsync -l -e 'k*probe:vfs_fsync { }'
	listed "" -l "usdt:$work/u*::nope"
	run -0 --separate-stderr "$coretap" bt --btf "$btf" -l '*ware:*s*'
	[[ $output == *software:page-faults:* && $output == *hardware:cycles:* ]]
	# those that a process has mapped
	"$work/usdt" watch >/dev/null 3>&- &
	pid=$! watch=$(realpath "$work/usdt")
	until [[ $(readlink "/proc/$pid/exe") == "$watch" ]]; do sleep 0.05; done
	listed "usdt:$watch:work:place" -l -p $pid 'usdt:*:work:p*'
	listed "usdt:$watch:work:place" -l -p $pid -e 'usdt::work:place { }'
	run -0 --separate-stderr "$coretap" bt --btf "$btf" -l -p $pid
	kill $pid
	[[ $output == *"uprobe:$watch:main"* && $output == *"usdt:$watch:work:call"* && $output == *kprobe:vfs_read* ]]
	# an address is one of the file's headers
	watch=0x$(nm "$work/shapes" | sed -n 's/ T give$//p')
	listed "uprobe:$work/shapes:$watch" -l -e "uprobe:$work/shapes:$watch { }"
	refused "uprobe:$work/shapes:10 { }" "the file has no code at this address" "uprobe:$work/shapes:10"
	refused 'usdt:* { }' "missing file" 'usdt:*'
	refused "usdt:$work/u*::nope { }" "this probe does not exist here" "usdt:$work/u*::nope"
	refused "usdt:$work/x*:place { }" "unknown program or library" "usdt:$work/x*:place"
	refused 'k*probe:nope_nope { }' "this probe does not exist here" 'k*probe:nope_nope'
}

@test "rows: emit(), its columns and formats" {
	for kernel in 5.10 6.1 6.12 6.18 7; do
		btf=$(tools/fetch-kernel --btf $kernel)
		for way in fentry kprobe; do
			fine --attach=$way -e 'kprobe:vfs_read { emit(comm, pid, ino = file->f_inode->i_ino, file:path, mode = file->f_inode->i_mode:filemode,
				count:x, name = file->f_path.dentry->d_name.name:str, dev = file->f_inode->i_sb->s_dev:dev, user = uid:user, gfp = 0xcc0:gfp,
				map = 1:enum(BPF_MAP_TYPE_HASH), kaddr("vfs_read"):sym, a = (pid ? 1 : 2):o, b = pid ? comm : "none", c = (1, comm), k = ksym(0)); }'
		done
	done
	refused 'BEGIN { emit(comm, comm); }' "the row already has a column 'comm'" comm
	refused 'BEGIN { emit(a = 1, 5 + 6); }' 'this column needs a name' '5 + 6'
	refused 'BEGIN { emit(a = pid:pth); }' 'unknown format pth' pth
	refused 'BEGIN { emit(a = comm:x); }' 'format x is for numbers, but this is string[16]' x
	refused 'BEGIN { emit(a = pid:path); }' 'format path is for a struct file, path or dentry, but this is uint32' path
	refused 'BEGIN { emit(a = pid:hex); }' 'the number of bytes is unknown' hex
	refused 'BEGIN { emit(a = curtask:sock); }' 'format sock is for a struct sock, a struct socket or what begins with one, but this is struct task_struct *' sock
	fine -e 'kprobe:tcp_sendmsg { emit(sk:sock, peer = sk:peer, ip = sk->sk_socket:peerip, it = (*sk):local); }'
	refused 'kprobe:ip_rcv { emit(skb:flow); }' 'not supported yet: format flow' flow
	refused 'BEGIN { emit(a = pid:enum(NO_SUCH)); }' 'no enum of this kernel has NO_SUCH' 'enum(NO_SUCH)'
	refused 'BEGIN { emit(a = pid:x(NO_SUCH)); }' 'only the format enum(CONSTANT) takes a constant' 'x(NO_SUCH)'
	refused 'BEGIN { emit(a = pid:x[4]); }' 'format x[4] is for an array of such numbers' 'x[4]'
	refused 'BEGIN { emit(a = (uint8[4])pid:x[5]); }' 'this has 4 numbers' 'x[5]'
	refused 'BEGIN { emit(a = exit()); }' 'this has no value to print' 'exit()'
	refused 'BEGIN { $x = emit(a = 1); }' '$x needs a value, but this has none' 'emit(a = 1)'
	refused 'BEGIN { emit(); }' 'emit() needs at least 1 argument' 'emit()'
	fine -e 'macro emit(a, b) { print((a, b)); } BEGIN { emit(1, 2); }'
}
