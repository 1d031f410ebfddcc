#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# syssnoop's command line: what users of strace type, and what is wrong with it.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	syssnoop=$PWD/${BUILD:-build}/syssnoop
}

btf() { tools/fetch-kernel --btf 6.12; }

planned() { # OPTION…
	run "$syssnoop" --btf "$(btf)" --dry-run "$@"
	[ "$status" -eq 0 ] || { echo "syssnoop $*: $output"; return 1; }
}

refused() { # TEXT OPTION…
	run -1 "$syssnoop" --dry-run "${@:2}"
	[[ $output == *"$1"* ]] || {
		echo "syssnoop ${*:2}: $output"
		return 1
	}
}

@test "options of strace that need ptrace, or have no effect" {
	refused 'no -b, --detach-on' -b execve true
	refused 'TracerPid' -D true
	refused 'watched, not changed' --inject=openat:error=ENOENT true
	refused 'watched, not changed' -e inject=openat:error=ENOENT true
	refused 'watched, not changed' -e fault=openat true
	refused 'it is -f' -F true
	planned -I 3 true
	[[ $output == *'-I, --interruptible has no effect'* ]]
	planned --seccomp-bpf -f true
	[[ $output == *'--seccomp-bpf has no effect'* ]]
}

@test "a command needs no --, and strace's bundles of letters" {
	planned true -e nosuch
	planned -fqqvttT -s0 -o"$BATS_TEST_TMPDIR/o" -a 0 true --nosuch -Z
	planned -fo "$BATS_TEST_TMPDIR/o" true
	planned -fe openat -eread,write true
	planned --trace openat --string-limit 9 true
	refused 'there is no such system call' -fe nosuch true
	refused "option requires an argument -- 'e'" -fe
	refused 'unrecognized option' --nosuch true
	# -d and -n have a value if it is a number, else they are strace's
	planned -d 5 -n 3
	planned -d5 -n3
	planned -dn true
	planned -d true
}

@test "the name strace" {
	ln -s "$PWD/${BUILD:-build}/coretap" "$BATS_TEST_TMPDIR/strace"
	run -0 "$BATS_TEST_TMPDIR/strace" --btf "$(btf)" --dry-run -f true
	run -1 "$BATS_TEST_TMPDIR/strace" --btf "$(btf)" --dry-run
	[[ $output == *'expected a command, or -p PID'* ]]
	run -0 "${BUILD:-build}/coretap" strace --btf "$(btf)" --dry-run -p $$
}

@test "letters and names with the meaning of strace" {
	local options
	while read -r options; do
		eval "planned $options true" || { echo "$options: $output"; return 1; }
	done <<-'END'
		-x -xx
		--strings-in-hex
		--strings-in-hex=non-ascii-chars
		-n -i -k -kk
		--syscall-number --instruction-pointer --stack-trace=source --stack-traces --stack-trace-frame-limit=9
		-X raw
		--const-print-style verbose
		-q -qq -qqq
		--quiet --silent=exit --silence=all -e q=attach,exits
		-r -T --relative-timestamps=ns --syscall-times=ms
		-ttt --absolute-timestamps=unix,us --timestamps=format:time,precision:ns --timestamps=none
		-y -yy --decode-fds=socket,dev --decode-fds -e decode-fd=!path
		-Y --decode-pids=comm,pidns --pidns-translation
		-N --arg-names --always-show-pid
		-z --successful-only
		-Z --failing-only
		-e status=successful,failed,unfinished,unavailable,detached --status=!failed
		-e signal=!io,9,SIGRT_3,SIGRTMIN -e signal=none
		-e s=chld --signal=SIGUSR1 --signals=all
		-e trace=file,%%stat,%%statfs,%net,/^get,?nosuch,openat@64,read@32,all@x32,59
		-e t=!%desc --trace=!openat
		-e raw=all -e x=openat --raw=read
		-e abbrev=none -e a=stat --abbrev=all
		-e verbose=none -e v=stat --verbose=!stat
		-e read=3,4 -e r=all -e writes=1 --read=5 --write=!0
		-e fd=3 --trace-fds=4
		-c -w -S name -U time,calls,errors -O 1
		-C --summary-wall-clock --summary-sort-by=max_time --summary-columns=name,longest,wall-total,p99
		-E A=b -E B --env=C=d -u root --argv0=x
		-f --output-separately -o /tmp/o
		-ff -A -o /tmp/o
		-o '|cat'
		-o '!cat'
		--syscall-limit=9
		-s 100000
	END
	planned -p "$$"
	planned -p "1 $$" -p "1,$$"
	planned --attach=$$ -f
	planned --attach=kprobe.multi -e openat
}

@test "errors, with their location" {
	refused $'trace=openat,nosch\n                 ^~~~~' -e trace=openat,nosch true
	refused $'did you mean openat' -e openta true
	refused $'did you mean file' -e fille true
	refused $'signal=hup,foo\n               ^~~' -e signal=hup,foo true
	refused $'status=bad\n           ^~~' -e status=bad true
	refused $'--status' --status=bad true
	refused $'read=5,x\n           ^' -e read=5,x true
	refused $'foo=3\n    ^~~' -e foo=3 true
	refused 'no system call matches this pattern' -e /zzz true
	refused 'expected names of system calls' -e trace= true
	refused 'expected numbers of processes' -p '1;2'
	refused 'it is empty' -p ''
	refused 'expected a PID, or one of' --attach=nosuch
	refused 'from 0 to 2147483647' -s -1 true
	refused 'the choices are s, ms, us, ns' --syscall-times=m true
	refused 'expected none, time or unix' --timestamps=x true
	refused 'the choices are abbrev, raw, verbose' -X x true
	refused 'the choices are time,' -c -S size true
	refused 'time-percent' -c -U size true
	refused 'there twice' -c -U calls,count true
	refused 'expected a time' -c -O x true
	refused 'exclude each other' -c -C true
	refused 'exclude each other' -z -Z true
	refused 'exclude -ff' -c -ff -o o true
	refused '-ff needs a file' -ff -o '|cat' true
	refused '-w needs' -w true
	refused 'need -c' -S name true
	refused '-A needs' -A true
	refused 'needs -p PID or COMMAND' -f
}

@test "invalid paths, descriptors and orders" {
	refused 'a path has at most' -P "$(printf '%0300d' 0)"
	refused 'it is empty' -P ''
	refused "'x' is no list of descriptors" -e fd=3,x
	refused "'4096' is no list of descriptors" -e fd=4096
	refused "'' is no list of descriptors" -e 'fd=!'
	refused 'avg-time' -c -S size
	refused 'need -c' --top 3
	refused 'cannot be combined with -c' -c -n 3
}

@test "-f beside a command, which is followed anyway" {
	local btf
	btf=$(tools/fetch-kernel --btf 6.12)
	run -0 "$syssnoop" --btf "$btf" --dry-run -ff -- ls
}
