#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Every letter of the tools of the same name in bcc, libbpf-tools and perf-tools (letters.tbl) means the same here, or
# is refused with words about it. Nothing is traced.
# shellcheck disable=SC2154 # bats sets stderr

bats_require_minimum_version 1.5.0

setup() { build=$BATS_TEST_DIRNAME/../../${BUILD:-build}; }

@test "every letter of the originals means the same, or is refused with what to type" {
	local count=0 bad=0 words said answer
	while read -r tool option value verdict; do
		[[ $tool != '#'* ]] || continue
		words=("$option")
		[ "$value" = - ] || words+=("$value")
		said=$("$build/$tool" "${words[@]}" --help 2>&1 >/dev/null) && answer=same || answer=bad
		case $answer:$said in
		same:) ;;
		same:*) answer=noted ;;
		*'in other tools of this name that means'*$'\n  '*) answer=refused ;;
		esac
		[ "$answer" = "$verdict" ] || { echo "$tool ${words[*]}: $answer, not $verdict: $said"; bad=1; }
		count=$((count + 1))
	done <"$BATS_TEST_DIRNAME/letters.tbl"
	[[ $bad = 0 && $count -ge 600 ]] || { echo "$count"; false; }
}

# The line that a refusal shows is taken in its turn.
@test "the lines that are shown instead are no habits again" {
	local said line
	while read -r tool option value verdict; do
		[ "$verdict" = refused ] || continue
		[ "$value" = - ] && value=
		said=$("$build/$tool" "$option" ${value:+"$value"} 2>&1 >/dev/null) || true
		line=$(sed -n "s/^  instead: //p" <<<"$said")
		[[ $line ]] || continue
		said=$(cd "$build" && eval "./$line --help" 2>&1 >/dev/null) || true
		[[ $said != *'other tools of this name'* && $said != *'there is no'* ]] ||
			{ echo "$tool $option $value: $line: $said"; false; }
	done <"$BATS_TEST_DIRNAME/letters.tbl"
}

# ARGUMENTS|THE LINE; nothing behind |: only words.
@test "lines of the originals, and what is said to them" {
	while IFS='|' read -r typed line; do
		run --separate-stderr -1 bash -c "cd '$build' && ./$typed"
		if [[ $line ]]; then
			[[ $stderr == *"instead: $line"* ]]
		else
			[[ $stderr == *'other tools of this name'*$'\n  '* && $stderr != *'instead: '* ]]
		fi || { echo "$typed: $stderr; wants $line"; false; }
	done <<-'END'
		biopattern -d sda 1 10|biopattern -D sda 1 10
		biosnoop -dsda|biosnoop -D sda
		hardirqs -d 1 10|hardirqs -D 1 10
		hardirqs -c 1|
		funccount -c 1 vfs_read|
		stackcount -c 1 vfs_read|
		profile -c 1000000|
		llcstat -c 100 5|
		klockstat -c X|
		memleak -c 'ls -l'|
		memleak -o 5000 -p 1|
		memleak -p 1 -T 5|memleak -p 1 --top 5
		offcputime -k|
		offcputime -uf 5|
		syscount -T 20|syscount --top 20
		tcprtt -p 80|tcprtt --port 80
		tcprtt -P 80|
		capable -x|capable -j
		exitsnoop -T|exitsnoop --threads
		tcpconnect -U|tcpconnect -j
		tcpconnect -tP 80|tcpconnect -T -P 80
		solisten -n 1|
		funcslower -u 10 vfs_read|funcslower --min-us 10 vfs_read
		runqlat -mT 1|runqlat -T 1
		biotop -C -r 5|biotop --top 5
		drsnoop -n cat|drsnoop -c cat
		tcplife --csv|tcplife -j
		capable --cgroupmap x|
		funcgraph -m 3 vfs_read|funcgraph --depth 3 vfs_read
		funcgraph -H vfs_read|funcgraph vfs_read
		opensnoop -f O_WRONLY|opensnoop --flags O_WRONLY
		opensnoop /etc/passwd|opensnoop --path /etc/passwd
		mysqld_qslower 185 10|mysqld_qslower -p 185 /proc/185/exe 10
		dbslower mysql|
		biolatency -c /sys/fs/cgroup/x|biolatency --cgroup /sys/fs/cgroup/x
	END
}

@test "values that mean something here are taken" {
	for line in 'funccount -c cat vfs_read' 'profile -c cat' 'opensnoop -f -p 1' 'biosnoop -d 5' 'opensnoop -t 1' 'execsnoop -n 5' \
		'biosnoop -c jbd2/*' 'killsnoop -s 9'; do
		run -0 --separate-stderr bash -c "cd '$build' && set -f && ./$line --help"
		[ -z "$stderr" ] || { echo "$line: $stderr"; false; }
	done
}

@test "an option that does not exist is answered by the nearest" {
	for words in 'opensnoop --pth=x|--path' 'opensnoop --colums=pid|--columns' 'profile --frequenc=9x --duraton=5|--duration'; do
		run --separate-stderr -1 bash -c "cd '$build' && ./${words%|*}"
		[[ $stderr == *"did you mean ${words#*|}?"* ]] || { echo "$words: $stderr"; false; }
	done
}
