#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# What a terminal shows: rows that are not longer than its lines, colors, and what a pipe gets instead.

bats_require_minimum_version 1.5.0
load recipes
load disk

LONG=directory-of-a-file/that-has-a-long-name/and-whose-parents/have-long-names/as-well
ESC=$'\e['

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	mkdir -p $LONG
	echo x >$LONG/file.txt
	echo x >other
	ip link set lo up
}

on() { run --separate-stderr env TERM="${TERM:-dumb}" COLUMNS="$1" onterm 'no ^C' "${@:2}"; } # COLUMNS COMMAND…
without_colors() { sed $'s/\e\\[[0-9;]*m//g'; }

# No line of the terminal is longer than COLUMNS, and the titles are TITLES.
fits() { # COLUMNS TITLES TOOL ARGUMENT…
	local line title=''
	on "$1" "${@:3}"
	[ "$status" -eq 0 ] || { echo "status $status: $output"; false; }
	while IFS= read -r line; do
		line=${line%$'\r'} line=${line##*$'\r'}
		[[ $line != "$3: "* && $line != "${4-}: "* ]] || continue # messages
		line=${line//…/.} # one character
		[ ${#line} -le "$1" ] || { echo "${#line} columns: $line"; echo "$output"; false; }
		[[ $line != *[[:upper:]]*PID* && $line != *PID*[[:upper:]]* ]] || title=${title:-$line}
	done <<<"$output"
	[[ -z $2 || $(xargs <<<"$title") == "$2" ]] || { echo "titles: $title"; echo "$output"; false; }
}

@test "a path loses its middle on a narrow terminal, and nothing with --wide or in a pipe" {
	on 60 opensnoop -c cat -- cat $LONG/file.txt
	[[ $output == *' 0       directory-'*'…'*'file.txt'*'1 text was shortened to fit 60 columns: --wide prints it whole'* ]] ||
		{ echo "$output"; false; }
	for wide in -w --wide; do
		on 60 opensnoop $wide -c cat -- cat $LONG/file.txt
		[[ $output == *" $LONG/file.txt"* && $output != *shortened* ]] || { echo "$output"; false; }
	done
	on 200 opensnoop -c cat -- cat $LONG/file.txt
	[[ $output == *" $LONG/file.txt"* && $output != *shortened* ]] || { echo "$output"; false; }
	COLUMNS=60 opensnoop -o piped -c cat -- cat $LONG/file.txt
	grep -q " $LONG/file.txt$" piped
	COLUMNS=60 opensnoop -c cat -- cat $LONG/file.txt | grep -q " $LONG/file.txt$"
}

@test "a terminal that changes its size gets a new header, and rows as long as its lines" {
	run --separate-stderr env -u COLUMNS TERM=dumb onterm 'no ^C' sh -c "stty cols 200
		opensnoop -c cat -- sh -c 'cat $LONG/file.txt; sleep 1; stty cols 60; sleep 1; cat $LONG/file.txt; sleep 1'"
	[[ $output == *COMM*" $LONG/file.txt"*COMM*' 0       directory-'*'…'*file.txt* ]] || { echo "$output"; false; }
}

@test "several words lose their end, values that were asked for nothing" {
	on 60 execsnoop -- true one two three four five six seven eight nine ten eleven
	[[ $output == *' true one two thre'*'…'* && $output != *eleven* ]] || { echo "$output"; false; }
	on 60 argdump -c cat do_sys_openat2 "f=filename" --if "filename ~ \"*file.txt\"" -- cat $LONG/file.txt
	[[ $output == *"f=\"$LONG/file.txt\""* && $output != *shortened* ]] || { echo "$output"; false; }
}

@test "80 columns: tools with many columns" {
	fits 80 'COMM PID EVENT DIR PEER ERR TOOK TX RX' connsnoop -- deeds tcp 5000 1 100
	[[ $output == *'no room for PROTO, LOCAL in 80 columns: --wide prints all'* ]] || { echo "$output"; false; }
	fits 80 'PID COMM LPORT TO STATE NEXT TOOK' coretap tcpstates -- deeds tcp 5000 1 100
	fits 80 'PID COMM OP RET SOURCE TYPE FLAGS WHERE' coretap mountsnoop -- mounts .
	fits 80 '' coretap filegone -- mv other $LONG/old.txt
	fits 80 '' coretap setuids -- deeds ids
	fits 80 '' coretap bindsnoop -- deeds bind 5003
	fits 80 '' coretap tcplife -- deeds tcp 5000 1 100
	fits 80 '' coretap capable -- chown 1 $LONG
	fits 80 '' coretap sigsnoop -- bash -c 'kill -CONT $$'
	# a time beside them: numbers have less room
	fits 80 'TIME PID COMM LPORT TO TX RX TOOK' coretap tcplife -T -- deeds tcp 5000 1 100
	fits 80 'TIME PID COMM LPORT TO STATE NEXT TOOK' coretap tcpstates -T -- deeds tcp 5000 1 100
	fits 80 '' coretap setuids -T -- deeds ids
	fits 80 '' coretap sigsnoop -T -- bash -c 'kill -CONT $$'
	fits 80 '' coretap shmsnoop -T -- deeds shm 4096
	# more columns than fit: those that do, and a note
	fits 80 '' opensnoop -e -T -c cat -- cat $LONG/file.txt
	[[ $output == *'no room for '*' in 80 columns: --wide prints all'* ]] || { echo "$output"; false; }
	fits 80 '' connsnoop -e -T -- deeds tcp 5000 1 100
	disk_find
	fits 80 '' biosnoop -e -T -- dd "if=$DISK" of=/dev/null bs=4k count=1 iflag=direct
	fits 80 '' coretap iosnoop -- dd "if=$DISK" of=/dev/null bs=4k count=1 iflag=direct
	fits 80 '' biosnoop -- dd "if=$DISK" of=/dev/null bs=4k count=1 iflag=direct
	fits 80 '' coretap biolatpcts -d 0.5 -- dd "if=$DISK" of=/dev/null bs=4k count=9 iflag=direct
	fits 80 '' argdump -c dd --count --by '$comm,p=file:path' vfs_read -- dd if=$LONG/file.txt of=out
	[[ $output == *…* ]] || { echo "$output"; false; }
	fits 80 '' argdump -c dd --hist count vfs_read -- dd if=$LONG/file.txt of=out
	[[ $output == *'|@'* ]] || { echo "$output"; false; }
	fits 60 '' argdump -c dd --hist count vfs_read -- dd if=$LONG/file.txt of=out
}

@test "colors: titles, names of processes, errors; none for NO_COLOR, --color=never and pipes" {
	TERM=xterm on 0 opensnoop -c cat -- sh -c "cat $LONG/file.txt nosuch; true"
	[[ $output == *"${ESC}1mPID${ESC}0m"*"${ESC}36mcat${ESC}0m"*"${ESC}31mENOENT${ESC}0m"* ]] || { cat -v <<<"$output"; false; }
	[[ $(without_colors <<<"$output") == *" cat                "?" 0       $LONG/file.txt"* ]] || { cat -v <<<"$output"; false; }
	TERM=xterm on 0 argdump -c dd --count --by '$comm' vfs_read -- dd if=$LONG/file.txt of=out
	[[ $output == *"${ESC}1mcomm${ESC}0m"*"${ESC}36mdd${ESC}0m"* ]] ||
		{ cat -v <<<"$output"; false; }
	TERM=xterm on 0 argdump nosuchfunction
	[[ $output == *"${ESC}31margdump: ${ESC}0m"* ]] || { cat -v <<<"$output"; false; }
	for plain in 'TERM=dumb' 'TERM=xterm NO_COLOR=1'; do
		run env $plain COLUMNS=0 onterm 'no ^C' opensnoop -c cat -- sh -c "cat $LONG/file.txt nosuch; true"
		[[ $output == *ENOENT* && $output != *"$ESC"* ]] || { cat -v <<<"$output"; false; }
	done
	TERM=xterm on 0 opensnoop --color=never -c cat -- cat $LONG/file.txt
	[[ $output == *file.txt* && $output != *"$ESC"* ]] || { cat -v <<<"$output"; false; }
	run -0 env TERM=xterm opensnoop -c cat -- cat $LONG/file.txt
	[[ $output == *file.txt* && $output != *"$ESC"* ]] || { cat -v <<<"$output"; false; }
	run -0 --separate-stderr env NO_COLOR=1 opensnoop --color -c cat -- cat $LONG/file.txt
	[[ $output == *"${ESC}36mcat${ESC}0m"* ]] || { cat -v <<<"$output"; false; }
	TERM=xterm on 0 syssnoop -e openat -- cat nosuch
	[[ $output == *"= ${ESC}31m-1 ENOENT (No such file or directory)${ESC}0m"* ]] || { cat -v <<<"$output"; false; }
	run -1 opensnoop --color=red -- true
	[[ $output == *"the choices are auto, always, never"* ]] || { echo "$output"; false; }
}

@test "stacks are blocks, the largest last; folded with --folded and in a pipe" {
	on 80 coretap offcputime -K -- waits pipe 30 3
	sed $'s/\r//' <<<"$output" >blocks
	grep -A30 -E '^    schedule_\[k\]$' blocks | grep -qx '    waker' || { cat blocks; false; }
	grep -oE '^        [0-9]+ us  [0-9.]+%$' blocks | awk '{ if ($1 < last) exit 1; last = $1; sum += $3; n++ } END { exit !(n > 1 && sum > 99 && sum < 101) }' ||
		{ cat blocks; false; }
	on 80 coretap offwaketime --folded -- waits pipe 30 3
	[[ $output == *'waker;'*'schedule_[k];'*'try_to_wake_up_[k];'*' '[0-9]* ]] || { echo "$output"; false; }
	run -0 --separate-stderr coretap offcputime -K -- waits pipe 30 3
	[[ $output == *'waker;'*'schedule_[k] '[0-9]* ]] || { echo "$output"; false; }
}
