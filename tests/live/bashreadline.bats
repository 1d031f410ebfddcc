#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# bashreadline: the lines of a program that is called bash and has bash's function, exactly. (The guest's own
# bash may be one without that function.)

bats_require_minimum_version 1.5.0
load programs
load wait

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	mkdir now later
	mkfifo in
	DEEDS=$(type -P deeds)
}

teardown() {
	exec 8>&-
	jobs -p | xargs -r kill 2>/dev/null || true
	programs_umount
}

# Runs COMMAND, which reads what is written to descriptor 8.
feed() { # COMMAND…
	"$@" <in >said 2>&1 &
	shell=$!
	exec 8>in
}

fed() {
	exec 8>&-
	wait "$shell"
}

trace() { # OPTION…
	bashreadline -v -j -o out "$@" 2>err 8>&- &
	tracer=$!
	wait_attached "$tracer"
}

traced() { # LINES: so many are there, and no more
	wait_until has_lines "$1" out
	kill -INT "$tracer"
	wait "$tracer" || [ $? -eq 4 ]
}

probed() { wait_until grep -q "uretprobe readline: .*$1" err; } # FILE

lines() { jq -c "select(.type == \"bashreadline\") | $1" out; } # FILTER

@test "a shell that runs: hostile lines, long ones, its terminal" {
	cp "$DEEDS" now/bash
	feed now/bash readline 1
	wait_until test -s said
	trace
	probed now/bash
	printf '%s\n' '' $'a\e[31m\tb\x9b' "$(printf '%04095d' 0)" "$(printf '%05000d' 0)" >&8
	echo hidden | deeds readline 0
	fed
	traced 4
	diff <(lines '[.comm, .uid, "/dev/" + .tty, (.line | length), .cut.line // 0]') - <<-END
		["bash",0,"$(cat said)",0,0]
		["bash",0,"$(cat said)",9,0]
		["bash",0,"$(cat said)",4095,0]
		["bash",0,"$(cat said)",4095,905]
	END
	[ "$(lines .line | sed -n 2p)" = $'"a\\u001b[31m\\tb\xee\xbe\x9b"' ]
}

@test "shells that start later: in a mount namespace of their own, and with libreadline" {
	cp "$(type -P dynamic)" now/bash
	cp "$(dirname "$DEEDS")/libssl.so.3" libreadline.so.8
	trace
	feed unshare -m sh -c "mount -t tmpfs none later && cp '$DEEDS' later/bash && exec later/bash readline 0"
	probed later/bash
	echo static >&8
	fed
	feed now/bash readline ./libreadline.so.8
	probed libreadline.so.8
	echo shared >&8
	fed
	traced 2
	[ "$(lines '[.comm, .tty == null, .line]')" = $'["bash",true,"static"]\n["bash",true,"shared"]' ]
}

@test "-s NAME, -p, and a shell without the function, which is reported" {
	cp "$DEEDS" now/mine
	cp "$(type -P busybox)" later/yours
	feed now/mine readline 0
	(exec -a sleep later/yours 100) &
	yours=$!
	bashreadline -o text -s mine -s yours -p "$shell" -n 1 2>err 8>&- &
	tracer=$!
	wait_attached "$tracer"
	wait_until grep -q "later/yours (process $yours) has neither readline() nor" err
	echo other | now/mine readline 0
	printf 'ls \033\n' >&8
	wait "$tracer"
	grep -qE "^ *$shell +mine +0 .* ls \\\\" text
}

zsh() { TYPES=$1 onterm '' env TERM=dumb LC_ALL=C.UTF-8 chroot $P zsh -fi; } # TYPES

@test "zsh: bytes that it stores as two, its newline, no lines of other editor functions" {
	programs_mount
	trace -s zsh
	chroot $P zsh -fc true
	wait_until grep -q 'uretprobe zleentry: .*zsh' err
	zsh $'# ,echo \xc3\xa3 \xe4\xbd\xa0\n,# ,print $((6 * 7))\n,# ,exit\n' >said
	grep -q '^42' said || { cat said; false; }
	traced 3
	[ "$(lines '[.comm, .tty == null, .line]')" = $'["zsh",false,"echo ã 你"]\n["zsh",false,"print $((6 * 7))"]\n["zsh",false,"exit"]' ] || { cat out; false; }
	[ "$(lines 'has("cut")' | sort -u)" = false ]
}
