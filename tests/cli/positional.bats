#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Positional arguments, as users of bcc, libbpf-tools and perf-tools type them: planned, or refused with words about
# what was typed. Nothing is traced.
# shellcheck disable=SC2154 # bats sets stderr

bats_require_minimum_version 1.5.0

setup_file() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	export btf
	btf=$(tools/fetch-kernel --btf 6.12)
}

setup() { coretap=${BUILD:-build}/coretap; }

# The plan of a line, and argdump's command line.
plan() { # LINE
	local words
	read -r -a words <<<"$1"
	run --separate-stderr "$coretap" "${words[0]}" --dry-run -v --btf "$btf" "${words[@]:1}"
}

@test "arguments as the originals have them" {
	while read -r line; do
		plan "$line"
		[ "$status" -eq 0 ] || { echo "$line: $stderr"; false; }
	done <<-'END'
		biolatency 1 5
		biolatency -D 1
		runqlat 1 5
		cpudist 1 5
		ext4dist 1 5
		vfsstat 1
		cachestat 1 5
		hardirqs 1 5
		funccount vfs_read 1 5
		funclatency vfs_read 1 5
		stackcount vfs_read 1 5
		memleak -p 1 3 1
		tcpsubnet 1 3
	END
}

# What a number stands for: in argdump's command line.
@test "a number is what it is in the original: a threshold in its unit, a duration" {
	while IFS='|' read -r line wanted; do
		plan "$line"
		# the other file systems are modules, whose types are not in the file
		[[ ($status -eq 0 || $stderr == *"no types of modules"*) && $stderr == *"$wanted"* ]] || { echo "$line: $stderr; wants $wanted"; false; }
	done <<-'END'
		ext4slower 10|$lat > 10 * 1000000
		btrfsslower 10|$lat > 10 * 1000000
		xfsslower 10|$lat > 10 * 1000000
		nfsslower 10|$lat > 10 * 1000000
		fsslower 10|$lat > 10 * 1000000
		fileslower 1|$lat > 1 * 1000000
		runqslower 1000|$lat > 1000 * 1000
		softirqslower 100|$lat > 100 * 1000
		tcppktlat 1000|$lat > 1000 * 1000
		tcpconnlat 10|#define least (10 * 1000000)
		profile 5|--duration 5
		offcputime 5|--duration 5
		offcputime -p 1 5|--duration 5
		wakeuptime 5|--duration 5
		offwaketime 5|--duration 5
		llcstat 5|--duration 5
		vfscount 3|--duration 3
		biostacks 5|--duration 5
		iosnoop 5|--duration 5
		ttysnoop pts0|tty->name == "pts0"
		ttysnoop /dev/pts/0|tty->name == "pts0"
		ttysnoop pts/3|tty->name == "pts3"
		ttysnoop 2|tty->name == "pts2"
		ttysnoop /dev/ttyS0|tty->name == "ttyS0"
		ttysnoop --tty /dev/pts/7|tty->name == "pts7"
		killsnoop -s KILL|: $arg2)) == 9
		killsnoop -s sigterm|: $arg2)) == 15
		sigsnoop -s 9|sig == 9
	END
}

@test "what is refused names what was typed" {
	while IFS='|' read -r line wanted; do
		plan "$line"
		[[ $status -eq 1 && $stderr == *"$wanted"* ]] || { echo "$line: $status: $stderr; wants $wanted"; false; }
		[[ $stderr != *--folded* && $stderr != *--open* && $stderr != *--clear* ]] || { echo "$line: $stderr"; false; }
	done <<-'END'
		profile 5 3|'3' is an argument too many
		profile five|SEC takes a number, not 'five'
		profile -d 3 5|SEC is given twice, by --duration and as '5'
		ext4slower -m 5 10|MS is given twice, by --min and as '10'
		ttysnoop --tty pts1 pts0|TTY is given twice, by --tty and as 'pts0'
		biolatency x|INTERVAL 'x': expected a time
		biolatency 1 x|COUNT 'x'
		biolatency 1 2 3|'3' is an argument too many
		biolatency --interval 2 1|INTERVAL is given twice, by --interval and as '1'
		runqlat -d 5 1 5|COUNT is given twice, by --duration and as '5'
		funccount -i 1 vfs_read 2|INTERVAL is given twice, by --every and as '2'
		stackcount -D 1 vfs_read 2 1|COUNT is given twice, by --seconds and as '1'
		runqslower 1 2|'2' is an argument too many
		killsnoop -s NOSUCH|takes a signal, as KILL, SIGKILL or 9, not 'NOSUCH'
		killsnoop -s 9,15|takes a signal, as KILL, SIGKILL or 9, not '9,15'
	END
}

@test "the usage line has what is taken" {
	while IFS='|' read -r tool usage; do
		run -0 "$coretap" "$tool" --help
		[[ ${lines[0]} == "Usage: "*"$tool [OPTION...] $usage"* ]] || { echo "$tool: ${lines[0]}"; false; }
	done <<-'END'
		biolatency|[INTERVAL [COUNT]]
		profile|[SEC]
		runqslower|[US]
		ext4slower|[MS]
		funccount|FUNC [INTERVAL [COUNT]]
		memleak|[INTERVAL [COUNT]]
	END
	[[ $("$coretap" profile --help=all) != *INTERVAL* ]]
}
