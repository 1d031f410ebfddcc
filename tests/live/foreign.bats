#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# A program whose name and file are hostile, under each tool and in each form: no byte that could drive a
# terminal, or is no UTF-8, comes out, JSON is JSON, and the name is there in its escaped form. What else is
# foreign has a test where its tool has one: arguments and environments (execsnoop, execends), paths (opensnoop,
# openalso, opencounts, paths), data of system calls (syssnoop), names that are looked up and addresses of
# unix sockets (connsnoop), files of requests (biosnoop), lines and their shells (bashreadline), containers,
# symbols and modules (hostile, usdt).

# shellcheck disable=SC2016,SC2030,SC2031  # a test's variables are its own; scripts expand theirs
bats_require_minimum_version 1.5.0
load wait

setup_file() {
	export W=$BATS_FILE_TMPDIR
	# 15 bytes, all that a command name has: newline, escape, quotes, backslash, a byte that is no UTF-8, right-to-left
	export NAME=$'c\n\e[2J"\\\t\xff\xe2\x80\xae\x9b'
	export GLOB=$'c\n*' # it, for -c
	cp /usr/bin/bash "$W/$NAME"
	mkdir "$W/reader"
	cp /tests/work/reads "$W/reader/$NAME"
	ip link set lo up
}

setup() { cd "$BATS_TEST_TMPDIR" || return; }

# Prints what may not be in a text; fails if there is some. A tab is none of it where the form has tabs itself.
clean() { # FILE [ALLOWED]
	local bad
	bad=$(LC_ALL=C tr -d "\\n -~\\200-\\376${2:-}" <"$1" | od -An -c | head -n 3)
	[ -z "$bad" ] || { echo "$1 has: $bad"; head -n 5 "$1" | od -c | head -n 40; return 1; }
	! LC_ALL=C grep -aqF $'\xe2\x80\xae' "$1" || { echo "$1: right-to-left"; return 1; }
	! LC_ALL=C grep -aq $'[a-zJ\"t]\x9b' "$1" || { echo "$1: a raw 0x9b"; return 1; }
}

# Runs TOOL, which ends by itself, with SCRIPT run by the hostile program; its output is text and then JSON.
both() { # SCRIPT TOOL…
	local script=$1
	shift
	"$@" -o text -- "$W/$NAME" -c "exec 2>/dev/null; $script; exit 0" >/dev/null 2>err || [ $? -eq 4 ] || { cat err; false; }
	clean text
	clean err
	grep -aqF 'c\n\x1b[2J' text || { echo "no name in: $(cat text)"; false; }
	json "$script" "$@"
}

json() { # SCRIPT TOOL…
	local script=$1
	shift
	"$@" -j -o json -- "$W/$NAME" -c "exec 2>/dev/null; $script; exit 0" >/dev/null 2>err || [ $? -eq 4 ] || { cat err; false; }
	clean json
	jq -e -s 'any(.[] | .. | strings; startswith("c\n\u001b[2J"))' json >/dev/null || { cat json; false; }
}

@test "execsnoop: name, file, arguments, ancestors, ends" {
	both '/bin/true "$0" "$NAME"' execsnoop -e
	both '/bin/true' execsnoop --exit --tree --env "PATH,NAME"
}

@test "opensnoop: name and paths, all columns, deletes and renames, counts" {
	both ': <"$W/$NAME"; : <"$W/no$NAME"' opensnoop -e -F
	both ': >x; mv x "$NAME"; rm "$NAME"' opensnoop --also unlink,rename
	both ': <"$NAME"' opensnoop --count
	both ': </dev/null' opensnoop --count=comm
}

@test "syssnoop: name, and paths of descriptors" {
	json 'cd /; exec 7<"$W/$NAME"' syssnoop -y
	syssnoop -e chdir -o text 2>err 3>&- & tool=$!
	wait_attached $tool
	"$W/$NAME" -c 'cd /'
	kill -INT $tool
	wait $tool || true
	clean text
	# the call, and the end of the process
	grep -aF 'c\n\33[2J' text | grep -aq chdir || { cat text; false; }
	grep -aF 'c\n\33[2J' text | grep -aq exited || { cat text; false; }
}

@test "connsnoop: name" {
	both ': </dev/tcp/127.0.0.1/9' connsnoop -e
}

@test "biosnoop: name" {
	[ -b /dev/vda ]
	echo 3 >/proc/sys/vm/drop_caches
	both 'exec "$W/reader/$NAME" 1 /dev/vda' biosnoop -c "$GLOB"
}

@test "funcgraph: name" {
	both ': </dev/null' funcgraph -c "$GLOB" -n 1 do_sys_openat2
}

@test "argdump: name and path in each form" {
	script=': <"$W/$NAME"'
	# shellcheck disable=SC2016  # expressions
	{
		both "$script" argdump -c "$GLOB" do_sys_openat2 filename '$comm'
		both "$script" argdump -c "$GLOB" --columns '$comm,filename' do_sys_openat2 filename
		both "$script" argdump -c "$GLOB" --count --by '$comm,filename' do_sys_openat2
		both "$script" argdump -c "$GLOB" -r --hist '$lat' --by '$comm' do_sys_openat2
		for options in "--print={\$comm}:{filename}" --ftrace --folded; do
			argdump -o text -c "$GLOB" "$options" do_sys_openat2 filename '$comm' -- "$W/$NAME" -c "exec 2>/dev/null; $script; exit 0" 2>err ||
				{ [ "$options" = --folded ] && argdump -o text -c "$GLOB" --folded do_sys_openat2 -- "$W/$NAME" -c "exec 2>/dev/null; $script; exit 0" 2>err; } ||
				{ cat err; false; }
			clean text
			grep -aqF 'c\n\x1b[2J"' text || { echo "$options: $(cat text)"; false; }
		done
		argdump --svg picture --folded -c "$GLOB" --by '$comm' do_sys_openat2 -- "$W/$NAME" -c "exec 2>/dev/null; $script; exit 0" >/dev/null 2>err || cat err
		clean picture
		argdump --trace-json spans -c "$GLOB" -r do_sys_openat2 filename -- "$W/$NAME" -c "exec 2>/dev/null; $script; exit 0" 2>err
		clean spans
		jq -e 'any(.. | strings; contains("c\n\u001b[2J"))' spans >/dev/null || { cat spans; false; }
	}
}
