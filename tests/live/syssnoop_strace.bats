#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# syssnoop judged by strace: the same commands under both, line by line.
#
# Processes are compared in the order in which they began. Of each, at least 98 of 100 lines of strace must be
# syssnoop's, too.

bats_require_minimum_version 1.5.0

# What differs from run to run: addresses, times, process ids, ports, random bytes.
readonly MASKS='
s/ += / = /
s/^(sysinfo\().*/\1/
s/^(getrandom\().*, ([0-9]+, )/\1BYTES, \2/
s/0x[0-9a-f]{5,}/ADDRESS/g
s/tv_(n|u)?sec=[0-9]+/TIME/g
s/si_(u|s)time=[0-9]+( \/\* [0-9.]+ s \*\/)?/TIME/g
s/si_pid=[0-9]+/PID/
s/<(pipe|socket):\[[0-9]+\]>/<\1>/g
s/ \/\* [0-9]{4}-[0-9-]+T[0-9:.+]+ \*\//DATE/g
s/^((clone|fork|vfork|wait4|getpid|gettid|getppid|set_tid_address)\(.*= )[0-9]+$/\1PID/
s/^((kill|tkill|tgkill|getpgid|setpgid)\()[0-9]+(, [0-9]+)?/\1PID/'

# What is known to differ, and why.
readonly KNOWN='
# what bash does about the signals around a child depends on whether that has ended already
/^rt_sigprocmask\(SIG_(SETMASK|BLOCK), \[(CHLD)?\], /d
/^rt_sigaction\(SIGINT, /d
s/^(wait4\(-1, \[.*\], )WNOHANG, /\10, /
/^ioctl\(2, TIOCGWINSZ, .* ENOTTY/d
# the mask is on the stack of the process, behind no argument
s/^rt_sigreturn\(.*\)/rt_sigreturn()/
# entries beyond the 4096 bytes that are taken are not counted
s/\/\* [0-9]+( or more)? entries \*\//ENTRIES/'

# Lines of a process, masked.
masked() { # FILE
	sed -E "$MASKS$KNOWN" "$1"
}

# A file for each process: sn.PID, of the first one sn.0: its lines name it only where others live, too.
split_syssnoop() { # FILE
	awk '
	FNR == 1 { file++ }
	file == 1 && /(clone3?|fork)\(.*= [0-9]+$/ { is_child[$NF] = 1 }
	file == 2 {
		id = 0
		if (match($0, /^\[pid +[0-9]+\] /)) {
			id = substr($0, 5, RLENGTH - 6) + 0
			$0 = substr($0, RLENGTH + 1)
		}
		print >("sn." (is_child[id] ? id : 0))
	}' "$1" "$1"
}

# Runs COMMAND under both and compares.
options=()
compare() { # COMMAND…
	local files ours i lines missing failed=0
	mkdir "$BATS_TEST_TMPDIR"/{d,out}
	cd "$BATS_TEST_TMPDIR/d" || return
	strace "${options[@]}" -ff -o ../out/st "$@" >/dev/null
	syssnoop "${options[@]}" -o ../out/all -- "$@" >/dev/null
	cd ../out || return
	split_syssnoop all
	mapfile -t files < <(printf '%s\n' st.* | sort -t. -nk2)
	mapfile -t ours < <(printf '%s\n' sn.* | sort -t. -nk2)
	[ "${#files[@]}" -eq "${#ours[@]}" ]
	for ((i = 0; i < ${#files[@]}; i++)); do
		masked "${files[i]}" >want
		masked "${ours[i]}" >got
		lines=$(wc -l <want)
		diff -U 0 want got >differences || true
		missing=$(grep -cE '^-([^-]|--- )' differences) || true
		echo "process $((i + 1)): $lines lines of strace, $missing differ"
		[ "$((missing * 100))" -le "$((lines * 2))" ] || failed=1
		[ "$missing" -eq 0 ] || grep '^[-+]' differences
		[ "$lines" -gt 5 ]
	done
	[ "$failed" -eq 0 ]
}

@test "a shell, its children, files and signals: the lines of strace" {
	compare bash -c 'busybox ls -l /etc; jq -n 1; (exit 3); trap : USR1; kill -USR1 $$
		echo a >x; busybox cp -p x y; busybox rm y x; busybox touch /no/such; ulimit -n; exit 0'
}

@test "sockets and polling: the lines of strace" {
	compare bash -c 'speaks >&2; talks 2; connects; deeds fds /etc/passwd 2; exit 0' 2>/dev/null
}

@test "files behind descriptors: the lines of strace -y" {
	options=(-y)
	compare bash -c 'exec 5>x 6</etc/passwd 7<>"a <b>"; busybox rm x; echo a >&5; busybox cat <&6; busybox cp -p "a <b>" y; busybox rm "a <b>" y
		cd /usr; busybox ls -l; exec 8<&6- 5>&-; mkdir "$OLDPWD/z"; cd "$OLDPWD/z"; busybox rmdir "$PWD"; busybox ls; exit 0'
}
