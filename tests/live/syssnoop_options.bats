#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# syssnoop's command line, which is strace's: what its options do to the lines. tests/cli/syssnoop.bats parses them.

bats_require_minimum_version 1.5.0
load wait

lines() { grep -cE -- "$1" "$W/out"; }

setup() {
	W=$BATS_TEST_TMPDIR
	ln -s "$(type -P coretap)" "$W/strace"
	strace=$W/strace
	printf 'hello, file\n' >"$W/file"
	cd "$W" || return
}

@test "a command without --: its first thread, with lines on stderr" {
	run -0 --separate-stderr "$strace" -e execve bash -c 'busybox echo said; exit 0'
	[ "$output" = said ]
	# shellcheck disable=SC2154 # bats sets it
	[[ $stderr == 'execve("'*'/bash", ["bash", "-c", "busybox echo said; exit 0"], '*'+++ exited with 0 +++' ]]
	[ "$(grep -c execve <<<"$stderr")" -eq 1 ]
	run -7 syssnoop -o out bash -c 'exit 7'
	run -0 --separate-stderr syssnoop -j -e execve bash -c 'echo said'
	[ "$(jq -s 'length' <<<"$output")" -ge 2 ]
}

@test "-f: children; in a file each line has its thread; without one, as soon as there are several" {
	run -0 "$strace" -f -o out -e execve,wait4 bash -c 'busybox true; exit 0'
	[ "$(lines '^[0-9]+ +(execve|wait4|<\.\.\. |---|\+\+\+)')" -eq "$(lines '')" ]
	[ "$(lines '^[0-9]+ +execve\(')" -eq 2 ]
	run -0 --separate-stderr "$strace" -f -e execve,wait4 bash -c 'busybox true; exit 0'
	[[ $stderr == execve* ]]
	[ "$(grep -cE '^\[pid +[0-9]+\] execve\(' <<<"$stderr")" -eq 1 ]
	# after --, children are traced as in all tools
	run -0 syssnoop -o out -e execve -- bash -c 'busybox true; exit 0'
	[ "$(lines 'execve\(')" -eq 2 ]
}

@test "-f: a call that others interrupt, and its rest" {
	local whole
	run -0 "$strace" -f -o out -e wait4,getpid,exit_group bash -c 'busybox sleep 0.2; exit 0'
	[ "$(lines '^[0-9]+ +wait4\(-1 <unfinished \.\.\.>$')" -eq 1 ]
	[ "$(lines '^[0-9]+ +<\.\.\. wait4 resumed>, \[\{WIFEXITED\(s\) && WEXITSTATUS\(s\) == 0\}\], 0, NULL\) = [0-9]+$')" -eq 1 ]
	whole=$(grep -nE 'unfinished|resumed' out | cut -d: -f1 | paste -sd' ')
	[[ ${whole% *} -lt ${whole#* } ]]
	# children that outlive the command are waited for
	run -0 "$strace" -f -o out -e exit_group bash -c 'busybox sleep 0.5 & exit 0'
	[ "$(lines '^[0-9]+ +exit_group\(0\)')" -eq 2 ]
}

@test "-Y: a new process has its parent's name; --always-show-pid: without brackets" {
	run -0 "$strace" -Y -o out -e trace=clone,clone3,fork,vfork bash -c 'busybox true; exit 0'
	[ "$(lines '= [0-9]+<bash>$')" -ge 1 ]
	run -0 --separate-stderr "$strace" --always-show-pid -e exit_group true
	[[ $stderr =~ ^[0-9]+\ +exit_group\(0\) ]]
}

@test "-ff: a file for each; -A appends" {
	run -0 "$strace" -ff -o log -e execve bash -c 'busybox true; exit 0'
	[ "$(cat log.* | grep -c '^execve(')" -eq 2 ]
	[ "$(printf '%s\n' log.* | wc -l)" -eq 2 ]
	[ ! -e log ]
	echo first >out
	run -0 "$strace" -A -o out -e none true
	[ "$(<out)" = $'first\n+++ exited with 0 +++' ]
}

@test "-o '|COMMAND' and '!COMMAND': another program reads the lines" {
	run -0 "$strace" -o '|grep -c "^execve" >counted' -e execve true
	[ "$(<counted)" -eq 1 ]
	run -0 "$strace" -o '!busybox tr a-z A-Z >out' -e execve true
	[ "$(lines '^EXECVE\(')" -eq 1 ]
}

@test "-x, -xx, -X, -N, raw=: other forms of strings, constants and arguments" {
	printf x >$'od\x01d'
	run -0 "$strace" -x -o out -e openat,open bash -c 'x=$(<file); : <$1' - $'od\x01d'
	[ "$(lines '"\\x6f\\x64\\x01\\x64"')" -eq 1 ]
	[ "$(lines '"file"')" -eq 1 ]
	run -0 "$strace" -xx -o out -e openat,open bash -c ': <file'
	[ "$(lines '"\\x66\\x69\\x6c\\x65", O_RDONLY')" -eq 1 ]
	run -0 "$strace" --strings-in-hex=non-ascii-chars -o out -e openat,open bash -c ': <$1' - $'od\x01d'
	[ "$(lines '"od\\x01d"')" -eq 1 ]
	run -0 "$strace" -X verbose -o out -e openat bash -c ': >>new'
	[ "$(lines 'openat\(-100 /\* AT_FDCWD \*/, "new", 0x[0-9a-f]+ /\* O_WRONLY\|O_CREAT\|O_APPEND \*/, 0666\)')" -eq 1 ]
	run -0 "$strace" -X raw -o out -e openat bash -c ': <file'
	[ "$(lines 'openat\(-100, "file", 0\)')" -eq 1 ]
	run -0 "$strace" -N -o out -e openat bash -c ': <file'
	[ "$(lines 'openat\(dfd=AT_FDCWD, filename="file", flags=O_RDONLY\)')" -eq 1 ]
	run -0 "$strace" -e raw=openat -o out -e openat bash -c ': <file'
	[ "$(lines '^openat\(0xf*ffffff9c, 0x[0-9a-f]+, 0, (0|0x[0-9a-f]+)\) += 0x[0-9a-f]+$')" -ge 1 ]
	run -0 "$strace" -e verbose=none -o out -e newfstatat,fstat,stat bash -c '[ -e file ]'
	[ "$(lines 'st_mode')" -eq 0 ]
}

@test "what is before a call and behind it: -n, -i, -t, -r, -T" {
	run -0 "$strace" -n -i -ttt -r -T -o out -e openat cat file
	[ "$(lines '^[0-9]{10}\.[0-9]{6} \(\+ +[0-9]+\.[0-9]{6}\) \[ *[0-9]+\] \[[0-9a-f]{16}\] openat\(.*"file", O_RDONLY.* = [0-9]+ <[0-9]+\.[0-9]{6}>$')" -eq 1 ]
	run -0 "$strace" --absolute-timestamps=format:unix --absolute-timestamps=precision:ms --syscall-times=ns -o out -e openat cat file
	[ "$(lines '^[0-9]{10}\.[0-9]{3} openat\(.*"file".* <[0-9]+\.[0-9]{9}>$')" -eq 1 ]
	run -0 "$strace" -tt -o out -e openat cat file
	[ "$(lines '^[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6} openat\(.*"file"')" -eq 1 ]
}

@test "-k: the caller's functions" {
	run -0 "$strace" -k -o out -e lseek reads 2 file
	[ "$(lines '^lseek\(')" -eq 2 ]
	[ "$(grep -A2 '^lseek(' out | grep -cE '^ > [^ (]*/reads\([^)]*\) .*\[0x[0-9a-f]+\]$')" -ge 2 ]
	run -0 "$strace" -k -o out -e getppid bash -c 'trap : USR1; kill -USR1 $$; kill -URG $$; sleep 0.5; exit 0'
	cat out
	for name in USR1 URG; do
		[ "$(grep -A1 "^--- SIG$name " out | grep -cE '^ > [^ (]*\([^)]*\) .*\[0x[0-9a-f]+\]$')" = 1 ]
	done
	[ "$(lines '^ > .*\[0x(7f|5[56])[0-9a-f]{10}\]$')" -eq 0 ] # they are addresses in the file
}

@test "-e signal and ipc are classes, although 32-bit programs have calls of these names" {
	run -0 "$strace" -e signal -o out bash -c 'kill -0 $$'
	[ "$(lines '^kill\([0-9]+, 0\)')" -eq 1 ]
}

@test "-e read=, write=: all data; -s: any length" {
	run -0 "$strace" -e read=0 -e trace=read -s 4 -o out bash -c 'read x <file'
	[ "$(lines '^read\(0, "hell"\.\.\., ')" -eq 1 ]
	[ "$(lines '^ \| 00000  68 65 6c 6c 6f 2c 20 66  69 6c 65 0a +hello, file\. +\|$')" -eq 1 ]
	head -c 9000 /dev/zero | tr '\0' y >large
	run -0 "$strace" -s 20000 -e read -o out busybox dd if=large bs=9000 of=/dev/null
	[ "$(awk '{ print length() }' out | sort -n | tail -n 1)" -gt 9000 ]
	run -0 "$strace" -s 0 -e execve -o out true
	[ "$(lines '^execve\("[^"]*true", \[""\.\.\.\], ')" -eq 1 ]
}

@test "-c: strace's table; -w, -S, -U" {
	run -0 --separate-stderr "$strace" -c -e nanosleep,clock_nanosleep,lseek reads 5 file
	[[ ${stderr%%$'\n'*} == '% time     seconds  usecs/call     calls    errors syscall' ]]
	grep -qE '^ *[0-9.]+ +[0-9.]+ +[0-9]+ +5 +lseek$' <<<"$stderr"
	grep -qE '^100\.00 +[0-9.]+ +[0-9]+ +5 +total$' <<<"$stderr"
	# a sleep takes no time on the processor
	run -0 "$strace" -c -o out -e nanosleep,clock_nanosleep busybox sleep 0.5
	[ "$(lines '^ *100\.00 +0\.[0-3][0-9]* .* (clock_)?nanosleep$')" -eq 1 ]
	run -0 "$strace" -c -w -o out -e nanosleep,clock_nanosleep busybox sleep 0.5
	[ "$(lines '^100\.00 +0\.[5-9][0-9]* .* (clock_)?nanosleep$')" -eq 1 ]
	run -0 "$strace" -c -U calls,longest,shortest -S name -o out reads 5 file
	[ "$(head -n 1 out)" = '    calls  longest shortest syscall' ]
	sed -n '3,/^---/p' out | awk '!/^---/ { print $NF }' >names
	LC_ALL=C sort -c names
	run -0 "$strace" -C -o out -e lseek reads 2 file
	[ "$(lines '^lseek\(')" -eq 2 ]
	[ "$(lines ' lseek$')" -eq 1 ]
}

@test "-e status=, quiet=, signal=; -E, -u, --argv0" {
	run -0 "$strace" -e status=failed -qq -o out -e chdir,exit_group bash -c 'cd /no/such; cd /; exit 0'
	[ "$(lines '')" -eq "$(lines '^chdir\("/no/such"\) += -1 ENOENT')" ]
	run -0 "$strace" -z -o out -e chdir bash -c 'cd /no/such; cd /; exit 0'
	[ "$(lines 'chdir')" -eq "$(lines '^chdir\("/"\) += 0$')" ]
	run -0 "$strace" -e signal=!chld -o out -e none bash -c '(exit 3); kill -USR1 $$ || exit 0; exit 0'  || true
	[ "$(lines 'SIGCHLD')" -eq 0 ]
	run -0 --separate-stderr "$strace" -qqq -e none -E A=b -E PATH bash -c 'echo "$A $PATH"'
	[[ $output == 'b '* ]]
	run -0 --separate-stderr "$strace" -qq -e none --argv0=other bash -c 'echo $0'
	[ "$output" = other ] || [ "$output" = bash ]
}

@test "-p: threads by number, several in one word; -p beside a command" {
	bash -c 'while [ ! -e go ]; do busybox sleep 0.1; done; cd /; exit 0' & local first=$!
	bash -c 'while [ ! -e go ]; do busybox sleep 0.1; done; cd /tmp; exit 0' & local second=$!
	"$strace" -p "$first $second" -e chdir -o out 2>err & local tool=$!
	wait_attached $tool
	touch go
	wait $tool
	[ "$(lines "^$first +chdir\\(\"/\"\\) += 0$")" -eq 1 ]
	[ "$(lines "^$second +chdir\\(\"/tmp\"\\) += 0$")" -eq 1 ]
	rm go
	bash -c 'while [ ! -e go ]; do busybox sleep 0.1; done; cd /; exit 0' & first=$!
	run -0 "$strace" -p $first -e chdir -o out bash -c 'cd /tmp; : >"$1"; exit 0' - "$W/go"
	[ "$(lines "^$first +chdir\\(\"/\"\\) += 0$")" -eq 1 ]
	[ "$(lines '^[0-9]+ +chdir\("/tmp"\) += 0$')" -eq 1 ]
}
