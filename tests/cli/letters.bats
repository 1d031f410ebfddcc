#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Every letter of the tools of the same name in bcc, libbpf-tools and perf-tools (letters.tbl) means the same here, or
# is refused with words about it. Nothing is traced.
# shellcheck disable=SC2154 # bats sets stderr

bats_require_minimum_version 1.5.0

setup() { build=$BATS_TEST_DIRNAME/../../${BUILD:-build}; }

# Sets answer to what becomes of a line: same, noted, refused, or "as" and the words that it is taken as. One fork a line.
answer_of() { # TOOL WORD…
	local said as tool=$1
	shift
	said=$("$build/$tool" --verbose "$@" --help 2>&1 >/dev/null) && answer=same || answer=bad
	as=$'\n'"$tool: with coretap's own options: $tool --verbose ([^"$'\n'"]*)--help *([^"$'\n'"]*)"
	if [[ $answer = same && $'\n'$said =~ $as ]]; then
		answer="as ${BASH_REMATCH[1]}${BASH_REMATCH[2]}"
		answer=${answer% }
		return
	fi
	case $answer:$said in
	same:) ;;
	same:*) answer=noted ;;
	*'in other tools of this name it means'*$'\n  '*) answer=refused ;;
	esac
}

@test "every letter of the originals means the same, is translated, or is refused with a replacement" {
	local count=0 bad=0 words answer
	while read -r tool option value verdict; do
		[[ $tool != '#'* ]] || continue
		words=("$option")
		[ "$value" = - ] || words+=("$value")
		answer_of "$tool" "${words[@]}"
		[ "$answer" = "$verdict" ] || { echo "$tool ${words[*]}: $answer, not $verdict"; bad=1; }
		count=$((count + 1))
	done <"$BATS_TEST_DIRNAME/letters.tbl"
	[[ $bad = 0 && $count -ge 600 ]] || { echo "$count"; false; }
}

# ARGUMENTS|THE WORDS that they are taken as; nothing behind |: refused with words about it.
@test "lines of the originals, and their translation" {
	while IFS='|' read -r typed line; do
		run --separate-stderr bash -c "cd '$build' && ./$typed --verbose --help"
		if [[ $line ]]; then
			[[ $status -eq 0 && $stderr == *": with coretap's own options: $line --verbose --help"* ]]
		else
			[[ $status -eq 1 && $stderr == *'other tools of this name'*$'\n  '* ]]
		fi || { echo "$typed: $stderr; wants $line"; false; }
	done <<-'END'
		biopattern -d sda 1 10|biopattern -D sda 1 10
		biosnoop -dsda|biosnoop -D sda
		hardirqs -d 1 10|hardirqs -D 1 10
		hardirqs -c 1|hardirqs --cpu 1
		funccount -c 1 vfs_read|funccount --cpu 1 vfs_read
		stackcount -c 1 vfs_read|stackcount --cpu 1 vfs_read
		profile -c 1000000|profile --period 1000000
		profile -adf -p 7 10|profile --folded -p 7 10
		llcstat -c 100 5|llcstat --sample-period 100 5
		klockstat -c X|klockstat --caller '*X*'
		klockstat -S acq_count|klockstat --sort count
		klockstat -S acq_max,hld_max|klockstat --sort longest
		memleak -o 5000 -p 1|memleak --older 5000 -p 1
		memleak -p 1 -T 5|memleak -p 1 --top 5
		offcputime -k|offcputime --kernel-threads
		offcputime -uf 5|offcputime --user-threads --folded 5
		syscount -T 20|syscount --top 20
		syscount -cp 7979|syscount -p 7979
		tcprtt -p 80|tcprtt --lport 80
		capable -x|capable --extra
		exitsnoop -T|exitsnoop --threads
		tcpconnect -U|tcpconnect --print-uid
		tcpconnect -tP 80|tcpconnect --timestamp=rel -P 80
		tcplife -stT|tcplife --csv --timestamp=rel -T
		solisten -n 1|solisten --netns 1
		funcslower -u 10 vfs_read|funcslower --min-us 10 vfs_read
		funcslower vfs_read 1000|funcslower vfs_read --min-us 1000
		runqlat -mT 1|runqlat -T 1
		biotop -C -r 5|biotop --top 5
		drsnoop -n cat|drsnoop -c '*cat*'
		drsnoop -Tp 17|drsnoop -T -p 17
		ext4slower -j 1|ext4slower --csv 1
		funcgraph -m 3 vfs_read|funcgraph --depth 3 vfs_read
		funcgraph -Htp 5 vfs_read|funcgraph --timestamp=rel -p 5 vfs_read
		funcgraph -H vfs_read|funcgraph vfs_read
		opensnoop -f O_WRONLY|opensnoop --flags O_WRONLY
		opensnoop /etc/passwd|opensnoop --path '*/etc/passwd*'
		opensnoop conf|opensnoop --path '*conf*'
		opensnoop 'log$'|opensnoop --path '*log'
		opensnoop '^/etc/.*[^a]\.conf$'|opensnoop --path '/etc/*[!a].conf'
		opensnoop 'ab*'|
		opensnoop '[ab'|
		killsnoop -n bash|killsnoop -c '*bash*'
		opensnoop -n '^a.c$'|opensnoop -c 'a?c'
		opensnoop -n 'c(at'|
		execsnoop -n '^ssh'|execsnoop '--where=comm~"ssh*"'
		execsnoop -l 'a+'|
		biosnoop 10|biosnoop -d 10
		syscount -c 7 -i 1|syscount --ppid 7 --interval 1 --clear
		offcputime --state=0 5|offcputime --state R 5
		execsnoop -n mount|execsnoop '--where=comm~"*mount*"'
		execsnoop -l 'a b'|execsnoop '--where=argv~"*a b*"'
		mysqld_qslower 999999999 10|mysqld_qslower -p 999999999 /proc/999999999/exe --min 10
		ucalls -l java 999999999 -mT 5|ucalls -p 999999999 /proc/999999999/exe --top 5
		dirtop -d '/hdfs/*/yarn' -Cr 5|dirtop --root '/hdfs/*/yarn' --top 5
		biolatency -c /sys/fs/cgroup/x|biolatency --cgroup /sys/fs/cgroup/x
		killsnoop -T 9|killsnoop --to 9
		uobjnew c 999999999|uobjnew --malloc -p 999999999 /proc/999999999/exe
		uobjnew -l c 999999999 -S 10|uobjnew --malloc -p 999999999 /proc/999999999/exe --top 10 --sort size
		stackcount -P -df vfs_read|stackcount -P --folded vfs_read
		offwaketime -U --state 2 5|offwaketime --user --state D 5
	END
}

# The words of the command follow all others, wherever it was typed.
@test "memleak -c 'CMD ARG…' is a command of several words" {
	run --separate-stderr "$build/memleak" -c 'ls -l "a b"' -v --top 5 --help
	[ "$status" -eq 0 ] && [[ $stderr == *": with coretap's own options: memleak -v --top 5 --help -- ls -l 'a b'" ]] || { echo "$stderr"; false; }
	for typed in '-c ls -- ls' "-c '\"ls'" "-c ''"; do
		run --separate-stderr bash -c "'$build/memleak' $typed --help"
		[[ $status -eq 1 && $stderr == *'is no command, or there are two' ]] || { echo "$typed: $stderr"; false; }
	done
}

@test "tcpdrop --pid-netns: the number of the process's namespace" {
	run --separate-stderr "$build/tcpdrop" --pid-netns $$ -v --help
	[ "$status" -eq 0 ] && [[ $stderr == *": with coretap's own options: tcpdrop --netns $(stat -Lc %i /proc/$$/ns/net) -v --help"* ]] || { echo "$stderr"; false; }
	run -1 --separate-stderr "$build/tcpdrop" --pid-netns 999999999 --help
	[[ $stderr == *"'999999999' is no process whose network namespace can be read" ]] || { echo "$stderr"; false; }
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

@test "a value of an original's letter that has no translation is refused with those that have one" {
	for typed in '-fx' '-f x' '--format x'; do
		run --separate-stderr bash -c "cd '$build' && ./tcpsubnet $typed"
		[[ $status -eq 1 && $stderr == *' x: it must be the unit, one of b k m B K M' ]] || { echo "$typed: $stderr"; false; }
	done
}
