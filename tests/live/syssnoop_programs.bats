#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC2016,SC2030,SC2031  # the commands expand it; each test has a KNOWN of its own
# syssnoop judged by strace (judge.bash): Debian's own programs at small jobs, in a chroot of the disk that
# tests/lib/programs-image makes.

bats_require_minimum_version 1.5.0
load judge
load programs
load wait

readonly RANDOMIZE=/proc/sys/kernel/randomize_va_space

# Beside what judge.bash knows.
KNOWN+='
# names of temporary files are random: of gcc, of git; a name that is taken, or a number too large, is asked for again
s/\/(cc)[A-Za-z0-9]{6}([".])/\/\1NAME\2/g
s/(\.git\/t|tmp_obj_)[A-Za-z0-9]{6}"/\1NAME"/g
/^getrandom\(BYTES, 8, GRND_NONBLOCK/d'

setup_file() {
	programs_mount
	cat $RANDOMIZE >"$BATS_FILE_TMPDIR/randomize"
	echo 0 >$RANDOMIZE # when a heap is too small depends on where it is
	# the first random bytes take the kernel a while, and until then programs ask in other ways
	dd if=/dev/random of=/dev/null bs=1 count=1 2>/dev/null
}

teardown_file() {
	[ -b /dev/vdb ] || return 0
	cat "$BATS_FILE_TMPDIR/randomize" >$RANDOMIZE
	programs_umount
}

teardown() {
	[[ ! ${server-} ]] || kill "$server"
}

# Each run begins with the same files.
fresh() {
	rm -rf $P/tmp/w
	mkdir -p $P/tmp/w/tree/sub
	printf '%s\n' {1..300} >$P/tmp/w/tree/numbers
	ln -s numbers $P/tmp/w/tree/link
	# archives have times in them (without one of its own a date has that of today), and git looks again at what is as old as its index
	touch -hd "2024-01-01 00:00:00" $P/tmp/w/tree/* $P/tmp/w/tree
	echo 'int main(void) { return 0; }' >$P/tmp/w/x.c
	printf '%s\n' 'x.o: x.c' $'\tgcc -c $<' >$P/tmp/w/Makefile
}

judge() { # SHELL-COMMANDS
	compare chroot $P /usr/bin/bash -c "cd /tmp/w; $1; exit 0"
}

@test "ls, cp, tar, rm: the lines of strace" {
	judge 'ls -l / tree; cp -rp tree copy; tar cf t.tar tree; tar tf t.tar; rm -r copy'
}

@test "tar with gzip, which fork: the lines of strace" {
	# not tar czf: what gzip writes depends on how much a pipe has in it when it reads
	judge 'tar cf t.tar tree; gzip -n <t.tar >t.tgz; tar xzf t.tgz'
}

@test "gcc with cc1, as and ld: the lines of strace" {
	judge 'gcc -o x x.c'
}

@test "make: the lines of strace" {
	judge 'make 2>/dev/null' # what it writes to, it sets to O_APPEND
}

@test "git: the lines of strace" {
	# random bytes, and what has the files' times in it
	KNOWN+='
s/^read\(([0-9]+), .*, 8\) = 8$/read(\1, BYTES, 8) = 8/
s/^write\(([0-9]+), ".*"(\.\.\.)?, (20|164|226)\)/write(\1, INDEX, \3)/'
	judge 'export HOME=/tmp GIT_AUTHOR_DATE=2024-01-01T00:00:00Z GIT_COMMITTER_DATE=2024-01-01T00:00:00Z
		git init -q; git add tree; git -c user.name=a -c user.email=b commit -qm x; git log --oneline'
}

@test "python3 with a thread and a child: the lines of strace" {
	# who of two threads waits for the other depends on which is faster; where a thread's arena is, on all others
	KNOWN+='
/^futex\(/d
s/^munmap\(ADDRESS, [0-9]{7,}\)/munmap(ADDRESS, ARENA)/'
	judge "export PYTHONHASHSEED=0; python3 -c 'import threading, subprocess; t = threading.Thread(target=print); t.start(); t.join(); subprocess.run([\"ls\"])'"
}

@test "sqlite3: the lines of strace" {
	# a journal has a random number, and sums that begin with it
	KNOWN+='
s/^read\(([0-9]+), .*, 44\) = 44$/read(\1, BYTES, 44) = 44/
s/^pwrite64\(([0-9]+), ".*"(\.\.\.)?, (4|512), /pwrite64(\1, JOURNAL, \3, /'
	judge 'sqlite3 d.db "create table t(a); insert into t values(1); select * from t"'
}

@test "curl on the loopback: the lines of strace" {
	# a poll that is in time, or not yet
	KNOWN+='
/^poll\(/d'
	cat >"$BATS_TEST_TMPDIR/answer" <<-'END'
		while read -r line && [[ $line != $'\r' ]]; do :; done
		printf 'HTTP/1.0 200 OK\r\nContent-Length: 3\r\n\r\nabc'
	END
	nc -ll -p 8080 -e bash "$BATS_TEST_TMPDIR/answer" 3>&- &
	server=$!
	wait_until grep -q ':1F90 .* 0A ' /proc/net/tcp6
	judge 'curl -s http://127.0.0.1:8080/x'
}

@test "a script in bash: the lines of strace" {
	judge 'for f in tree/*; do read -r line <"$f"; echo "$f: $line"; done; x=$(ls tree | cat); wait; [[ -d tree ]] && echo "$x" >>out 2>&1'
}
