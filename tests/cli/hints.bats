#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Words of other tracers and languages: argdump reports what to write instead, with the caret under the
# word in the text as it was typed.

bats_require_minimum_version 1.5.0
load plan

# The text above the caret of the last message.
marked() {
	awk '/^    *\^~*$/ { at = match($0, /\^/); print substr(before, at, length($0) - at + 1); exit }
		{ before = $0 }' <<<"$stderr"
}

# Refused, with the caret under WORD and a message that has TEXT.
refused() { # WORD TEXT ARGUMENT...
	local word=$1 text=$2
	shift 2
	run --separate-stderr "$argdump" --dry-run --btf "$btf" "$@"
	if [ "$status" -eq 0 ] || [ "$(marked)" != "$word" ] || [[ $stderr != *"$text"* ]]; then
		printf 'argdump%s: %s\nwants "%s" at "%s", marked "%s"\n' "$(printf " '%s'" "$@")" "$stderr" \
			"$text" "$word" "$(marked)"
		return 1
	fi
}

@test "names of other tracers, as expressions" {
	refused comm '$comm is' vfs_read,vfs_write comm
	refused pid '$pid is' vfs_read,vfs_write pid
	refused arg0 '$arg1 is the first' vfs_read arg0
	refused args 'have their own names' vfs_read 'args->x'
	refused kstack '$kstack is the kernel' vfs_read kstack
	refused nsecs '$ts is' vfs_read nsecs
	refused common_pid '$tid is' --if 'common_pid == 17' vfs_read
	refused '$nsecs' '$ts is' vfs_read '$nsecs'
	refused ppid '$ppid is' vfs_read,vfs_write ppid
}

@test "a function's own parameter of such a name is meant first" {
	run -0 "$argdump" --dry-run --btf "$btf" find_vpid nr
	run -0 "$argdump" --dry-run --btf "$btf" kill_pid pid
	[[ $output == *'pid = pid'* ]]
}

@test "functions cannot be called" {
	refused str 'EXPR:str' vfs_read 'str(buf)'
	refused printf 'NAME=EXPR' vfs_read 'printf("%s", buf)'
	refused f 'cannot be called' vfs_read 'f(x)'
	refused strlen 'cannot be called' vfs_read 'n=strlen(buf) + 1'
	refused file_inode 'file->f_inode' vfs_read 'file_inode(file)->i_ino'
	refused inet_sk 'struct inet_sock *)sk' tcp_sendmsg 'inet_sk(sk)->inet_dport'
}

@test "text that the shell cuts off at > must be quoted" {
	refused '' "quote it: 'file->MEMBER'" vfs_read file-
	refused '' "quote it: 'file->f_inode->MEMBER'" vfs_read 'file->f_inode-'
	refused '' "quote it: 'file->MEMBER'" --if file- vfs_read
	refused '' "quote it: 'file->MEMBER'" --count --by file- vfs_read
	refused '' "quote it: '\$ret->MEMBER'" -r vfs_read '$ret-'
	run -1 --separate-stderr "$argdump" --dry-run --btf "$btf" vfs_read 'count -'
	[[ $stderr != *quote* ]]
}

@test "casts, macros, lists, empty expressions, other functions" {
	refused inet_sock '(struct inet_sock *)' tcp_sendmsg '(inet_sock *)sk'
	refused FMODE_NONOTIFY 'write the number' vfs_read 'file->f_mode & FMODE_NONOTIFY'
	refused , 'an argument of its own' vfs_read file,count
	refused '' 'the expression is empty' vfs_read ''
	refused vfs_write "'vfs_read,vfs_write'" vfs_read vfs_write
	refused '{' 'only expressions follow' vfs_read '{ count }'
	refused ';' 'only expressions follow' vfs_read '{ printf("x"); }'
}

@test "operators of other languages in conditions" {
	refused '=' '== compares' --if 'file = 0' vfs_read
	refused '=' '== compares' --if '$comm = "cat"' vfs_read
	refused '=' '~ compares with a pattern' --if '$comm =~ "c*"' vfs_read
	refused and '&& is' --if '$pid == 1 and count > 1' vfs_read
	refused or '|| is' --if '($pid == 1 or count > 1)' vfs_read
	refused '$pid' '! is' --if 'not $pid' vfs_read
	refused in 'X == 1 || X == 2' --if '$pid in (1, 2)' vfs_read
	refused '~' 'has no format except :path' --if 'file:x ~ "/etc/*"' vfs_read
	refused file 'file:path ~' --if 'file ~ "/etc/*"' vfs_read
}

@test "text and numbers in conditions" {
	refused cat 'in quotes: "cat"' --if '$comm == cat' vfs_read
	refused '"abc"' 'text alone is not a condition' --if '"abc"' vfs_read
	refused '$comm' 'text cannot be a condition' --if '$comm' vfs_read
	refused count 'size_t, not a string' --if 'count == "abc"' vfs_read
	refused 1x 'not a number' --if 'count > 1x' vfs_read
}

@test "measured values are numbers; all formats are listed" {
	refused file 'struct file * is not a number' --hist file vfs_read
	refused '$comm' 'text is not a number' --avg '$comm' vfs_read
	refused path 'can have no other format than :ns' --avg file:path vfs_read
	refused zz 'path str' vfs_read count:zz
	refused zz 'dirfd' vfs_read count:zz
}

# Accepted, with a note that has the PROBE in coretap's words.
becomes() { # PROBE ARGUMENT...
	local probe=$1
	shift
	run --separate-stderr "$argdump" --dry-run --btf "$btf" "$@"
	[ "$status" -eq 0 ] && [[ $stderr == *"is $probe in coretap's words"* ]] ||
		{ printf '%s: %s\n' "$*" "$stderr"; false; }
}

@test "probes as other tracers name them are accepted" {
	becomes vfs_read kprobe:vfs_read count
	becomes vfs_read%return kretprobe:vfs_read '$ret'
	becomes vfs_read fentry:vfs_read
	becomes vfs_read,vfs_write 'kprobe:vfs_read,kprobe:vfs_write' count
	becomes t:sched:sched_switch tracepoint:sched:sched_switch 'next->pid'
	becomes s:openat tracepoint:syscalls:sys_enter_openat
	becomes s:openat%return syscalls:sys_exit_openat
	becomes u:libc:malloc c:malloc '$arg1'
	becomes u:/bin/bash:main uprobe:/bin/bash:main
	refused execname '$comm is' kprobe:vfs_read execname
	refused / '--if EXPR' kprobe:vfs_read '/pid == 1/'
	refused '{ printf("x"); }' 'not a script' 'kprobe:vfs_read { printf("x"); }'
	becomes "u:$PWD/build/tests/work/usdt:work:call" "usdt:$PWD/build/tests/work/usdt:work:call"
	becomes hz:99 profile:hz:99
	becomes every:5 interval:s:5
	becomes hw:cache-misses:100 hardware:cache-misses:100
	refused interval: 'every:1' interval:1s
	refused kprobe: 'name is missing' kprobe:
}

@test "tracepoints and system calls without their prefix" {
	refused sched:sched_switch 't:sched:sched_switch' sched:sched_switch
	refused sched_switch 't:sched_switch' sched_switch
	refused openat 's:openat' openat
	refused openat 's:openat%return' openat%return
	refused sys_openat 's:openat' sys_openat
	becomes s:openat syscall:openat
	run --separate-stderr -0 "$argdump" --dry-run --btf "$btf" __x64_sys_openat
	[[ $stderr == *"s:openat shows the parameters"* ]]
}

@test "PROBEs that cannot be read" {
	refused %retrun 'did you mean %return?' vfs_read%retrun
	refused %ret 'did you mean %return?' vfs_read%ret
	refused struct "'*(struct file *)'" 'vfs_read(struct file *)'
	refused '' 'the PROBE is empty' ''
	refused - 'cannot contain this character' vfs-read
	run -0 "$argdump" --dry-run --btf "$btf" 'vfs_read, vfs_write' count
	run -0 "$argdump" --dry-run --btf "$btf" s:openat,s:read
	run -0 "$argdump" --dry-run --btf "$btf" -r s:openat
	[[ $output == 'fentry+fexit __x64_sys_openat'* && $output == *'lat = $lat'* ]]
}

# Old definitions are translated; a mistake in one is shown in what was typed.
@test "carets stand in the definition, not in its translation" {
	refused '$arg9' 'vfs_read has 4 parameters' 'p:my vfs_read a=$arg1 b=$arg9'
	refused '$arg9' 'vfs_read has 4 parameters' p:my vfs_read 'b=$arg9'
	refused %zz 'unknown register zz' 'p vfs_read x=+8(+0(%zz)):u32'
	refused nosuch 'no member nosuch' 'f vfs_read n=file->nosuch->x'
	refused nosuch 'no member nosuch' 'f vfs_read n=(task_struct,nosuch)$arg1->x'
	refused nosuch 'no parameter nosuch' --caller 'f vfs_read count nosuch'
	refused '$retval' 'ssize_t' 'r vfs_read $retval->x'
	refused nosuch 'no parameter nosuch' 'f vfs_read count' nosuch
}

@test "old definitions without a meaning are refused, where the kernel does" {
	refused '$arg*' 'cannot have a name' 'f vfs_read args=$arg*'
	refused '$arg*' 'given twice' 'f vfs_read $arg* $arg*'
	refused ' ' 'event' 'f: vfs_read'
	refused 100 'only a return has a number' 'f100 vfs_read'
	refused ':string' 'a string must be in memory' 'p vfs_read a=%si:string'
	refused ':ustring' 'a string must be in memory' 'p vfs_read a=$stack0:ustring'
	refused '$stack10000' 'no more than 2048 words' 'p vfs_read $stack10000'
	for definition in 'p:foo/ vfs_read' 'f10 vfs_read%return' 'p vfs_read file=+0(%si):string' \
		'p vfs_read $stack2047' 'f vfs_read n=file->f_inode->i_sb->s_type->name'; do
		run -0 "$argdump" --dry-run --btf "$btf" "$definition"
	done
}

@test "options without their argument, and those that have no effect" {
	wrong 'tokens, ast, types' --dump foo vfs_read
	wrong 'fentry, kprobe.multi, kprobe' --attach foo vfs_read
	wrong 'exclude each other' -l --type file
	wrong 'can be attached by kprobe' --attach fentry vfs_read+4
	wrong 'without -k, -U' --stack-depth 5 vfs_read
	wrong 'EXPR that is a struct' --depth 3 vfs_read
	wrong 'at most 4096 bytes' -s 1000000 vfs_read
	echo vfs_read >"$BATS_TEST_TMPDIR/x"
	wrong 'would overwrite' --save "$BATS_TEST_TMPDIR/x" --load "$BATS_TEST_TMPDIR/x"
	run -1 "$argdump" --type --btf
	[[ $output == *"needs a TYPE"* ]]
}

@test "options that have no effect on these expressions" {
	warned '--depth has no effect: no EXPR is a struct' --depth 3 vfs_read count
	run -0 --separate-stderr "$argdump" --dry-run --btf "$btf" --depth 1 vfs_read '*file'
	[ -z "$stderr" ]
	wrong "'rel' is read as the PROBE, not as the format of -T" -T rel vfs_read
	refused rel '-Trel, without a blank' vfs_read rel
}

@test "functions of a file: misspelt, by a pattern, beyond its end, in a file that is not a program" {
	libc=$(ldd /bin/sh | sed -n 's/.*libc.* => \([^ ]*\) .*/\1/p')
	wrong 'did you mean malloc?' "u:$libc:mallco"
	wrong 'nm -D lists that' "u:$libc:qwertyuiop"
	wrong "argdump -l 'u:$libc:*'" "u:$libc:qwert*"
	wrong 'ends before offset 0xfffffffff' u:/bin/sh:0xfffffffff
	wrong 'it is not an ELF file' u:/etc/passwd:x
}

@test "functions that may be inlined; members of members; types, modules" {
	wrong '(or it is inlined everywhere: see --vmlinux)' get_current
	refused skc_dport '__sk_common.skc_dport' tcp_sendmsg 'sk->skc_dport'
	wrong 'no function matches' 'no_such_*'
	wrong 'did you mean file?' 'vfs_*(struct fil *)'
	wrong '--btf FILE has no types of modules' btrfs:btrfs_sync_file
	wrong '--btf FILE has no types of modules' 'btrfs:*'
	wrong 'it is a tracepoint, not a function' sched:sched_switch
}

@test "tracepoints that are misspelt, with a list that has the right one" {
	wrong "did you mean t:sched_switch? argdump -l 't:*:sched*'" t:sched:sched_swich
	run -0 "$argdump" --btf "$btf" -l 't:*:sched*'
	[[ $output == *t:?:sched_switch* ]]
	wrong "argdump -l 't:*' lists all" t:qwertyuiop
	run -0 "$argdump" --btf "$btf" -l 't:*'
	[[ $output == *t:?:sched_switch* ]]
	run -1 "$argdump" --btf "$btf" -l t:qwertyuiop
	[[ $output == *'no tracepoint matches'* ]]
}

@test "--list also accepts the words of other tracers" {
	run -0 "$argdump" --btf "$btf" -l kprobe:vfs_read
	[[ $output == *'ssize_t vfs_read(struct file'* ]]
	run -0 "$argdump" --btf "$btf" -l 'kprobe:vfs_re*'
	[[ $output == *'ssize_t vfs_read(struct file'* ]]
	run -0 "$argdump" --btf "$btf" -l rawtracepoint:sched_switch
	[[ $output == *t:?:sched_switch* ]]
	run -0 "$argdump" --btf "$btf" -l syscall:openat
	[[ $output == *s:openat* ]]
	run -0 "$argdump" --btf "$btf" -l 'p:mine vfs_read file=$arg1'
	[[ $output == *'ssize_t vfs_read(struct file'* ]]
	for probe in sched_switch sched:sched_switch; do
		run -1 "$argdump" --btf "$btf" -l $probe
		[[ $output == *"  t:$probe" ]]
	done
	run -1 "$argdump" --btf "$btf" -l openat
	[[ $output == *'  s:openat' ]]
	run -0 "$argdump" --btf "$btf" -l c:malloc
	[[ $output =~ u:/[^\ ]*:malloc(\(.*\))?$ ]]
	run -1 "$argdump" --btf "$btf" -l -:mine
	[[ $output == *'--list needs a PROBE'* ]]
}

@test "files of the wrong kind" {
	printf 'root:x:0:0:root:/root:/bin/bash\n' >"$BATS_TEST_TMPDIR/passwd"
	wrong "$BATS_TEST_TMPDIR/passwd:1: this is not a probe" --load "$BATS_TEST_TMPDIR/passwd"
	run -1 "$argdump" --dry-run --btf "$BATS_TEST_TMPDIR/passwd" vfs_read
	[[ $output == *"it contains no BTF"* ]]
	run -1 "$argdump" --dry-run --btf /bin/ls vfs_read
	[[ $output == *"it contains no BTF"* ]]
}

@test "the function of a system call: a note where it is found, and only there" {
	run -0 "$argdump" --dry-run --btf "$btf" __x64_sys_openat
	[[ $output == *'s:openat shows the parameters'* ]]
	run -0 "$argdump" --dry-run --btf "$btf" '__x64_sys_ope*'
	[[ $output != *'shows the parameters'* ]]
	run ! "$argdump" --dry-run --btf "$btf" __x64_sys_nosuch
	[[ $output != *'shows the parameters'* ]]
}

@test "comm, pid, retval without a \$: the built-in value where no parameter has that name" {
	run -0 --separate-stderr "$argdump" --dry-run --btf "$btf" vfs_read comm pid tid uid gid ppid cpu cgroup
	[[ $output == *"comm = comm  (string)"*"pid = pid  (u32)"*"cgroup = cgroup  (u64)"* ]]
	run -0 --separate-stderr "$argdump" --dry-run --btf "$btf" -r vfs_read --if 'retval < 0 && comm == "sh"' retval
	[[ $output == *"retval = retval  (ssize_t)"* ]]
	run -0 --separate-stderr "$argdump" --dry-run --btf "$btf" --count --by comm,pid vfs_read
	# a parameter is the parameter
	run -0 --separate-stderr "$argdump" --dry-run --btf "$btf" kill_pid_info pid
	[[ $output == *"pid = pid  (struct pid *)"* ]]
	# one of several functions may have it
	wrong 'vfs_read has no parameter comm' vfs_read,vfs_write comm
	[[ $stderr == *'$comm is the command name'* ]]
	wrong 'nothing is returned yet' vfs_read retval
	wrong 'has no parameter retval' hz:99 retval
}

@test "of names that are equally near, the one that begins alike; choices are listed where none is near" {
	wrong 'this kernel has no struct fil' vfs_read '(struct fil *)file'
	[[ $stderr == *'did you mean file?'* ]]
	run -1 build/syssnoop --dry-run --btf "$btf" -e %nework
	[[ $output == *'did you mean %network?'* ]]
	run -1 build/opensnoop --dry-run --btf "$btf" --flags O_WRITE
	[[ $output == *'the flags are O_RDONLY, O_WRONLY, '* ]]
	run -1 build/opensnoop --dry-run --btf "$btf" --flags O_CRAT
	[[ $output == *'did you mean O_CREAT?'* ]]
}

@test "a shift by more than its left side has bits" {
	refused 70 '0 to 63 bits' vfs_read 'count << 70'
	refused 33 '(u64)(int)count' vfs_read '(int)count << 33'
	run -0 "$argdump" --dry-run --btf "$btf" vfs_read 'count << 63' '(int)count >> 31'
}

@test "conversions of printf as formats" {
	refused s 'did you mean str?' vfs_read 'buf:s'
	refused llu 'did you mean u?' vfs_read 'count:llu'
	refused hhx 'did you mean x8?' vfs_read 'count:hhx'
}

@test "functions of a pattern, none of which has the parameter: what was meant" {
	run -1 --separate-stderr "$argdump" --dry-run --btf "$btf" 'vfs_*' --count --by func
	[[ $stderr == *$'\n  $func is the name of the function' ]] || { echo "$stderr"; false; }
}

# TOOL OPTION|WHAT the hint has
@test "options that have another name" {
	local build=$BATS_TEST_DIRNAME/../../${BUILD:-build} typed hint
	while IFS='|' read -r typed hint; do
		# shellcheck disable=SC2086 # words
		run -1 --separate-stderr "$build/"${typed/ */} ${typed#* } x
		[[ $stderr == *"unknown option "*$'\n  '*"$hint"* ]] || { echo "$typed: $stderr; wants $hint"; false; }
	done <<-'END'
		argdump --filter|--if CONDITION
		argdump --latency|-r prints the duration
		argdump --failed|--if '$ret < 0'
		argdump --slower|--if '$lat > 10ms'
		argdump --return-value|see
		funcgraph --max-depth|--depth N
		opensnoop --filter|--where CONDITION
		connsnoop --dport|peer ~ *:443
		execsnoop --timeout|--duration TIME
	END
}
