# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# judge.bash - syssnoop judged by strace: the same command under both, line by line: `load judge`.
#
# Processes are compared in the order in which they began. Of each, at least 98 of 100 lines of strace must be
# syssnoop's, too; all that differ are shown. A test may add to KNOWN, each with its reason.

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
s/^wait4\([1-9][0-9]*, /wait4(PID, /
s/parent_tid=\[[0-9]+\]/PID/
s/^(futex\(ADDRESS, FUTEX_WAIT_BITSET\|FUTEX_CLOCK_REALTIME, )[0-9]+/\1PID/
s/^(clone3\(.*\) = )[0-9]+$/\1PID/
s/\/proc\/self\/task\/[0-9]+/\/proc\/self\/task\/PID/
s/^(write\(1, ")[0-9]+ [0-9]+ [0-9]+(\\n", )[0-9]+\) = [0-9]+$/\1NUMBERS\2/
s/sin_port=htons\((3[2-9]|[4-6][0-9])[0-9]{3}\)/PORT/g
s/^((kill|tkill|tgkill|getpgid|setpgid)\()[0-9]+(, [0-9]+)?/\1PID/'

# What is known to differ, and why.
KNOWN='
# what bash does about the signals around a child depends on whether that has ended already
/^rt_sigprocmask\(SIG_(SETMASK|BLOCK), \[(CHLD)?\], /d
/^rt_sigaction\(SIGINT, /d
s/^(wait4\(-1, \[.*\], )WNOHANG, /\10, /
/^ioctl\(2(<[^>]*>)?, TIOCGWINSZ, .* ENOTTY/d
# the struct, and its size in decimal, as of 7.2
s/^rseq\(.*, (0x20|32), 0, /rseq(/
# one number, as of 7.2, where it was shown as two
s/data=(\{u32=[0-9]+, u64=[0-9]+\}|ADDRESS|0x[0-9a-f]+|0)/DATA/
# what strace says of itself
/^strace: \[ Process PID=[0-9]+ runs in /d
# entries beyond the 4096 bytes that are taken are not counted
s/\/\* [0-9]+( or more)? entries \*\//ENTRIES/'

# Lines of a process, masked. Which call a child's end comes beside is another in each run: those are at the end.
masked() { # FILE
	sed -E "$MASKS$KNOWN" "$1" | awk '/^--- SIGCHLD / { ends = ends $0 "\n"; next } 1; END { printf "%s", ends }'
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

# Before each run; a test that leaves files behind makes its own.
fresh() { :; }

syssnoop_all() { # COMMAND…
	fresh
	syssnoop "${options[@]}" -o ../out/all -- "$@" >/dev/null 2>../out/errors || { cat ../out/errors && return 1; }
	if grep 'events missed' ../out/errors; then return 1; fi
}

# Runs COMMAND under both and compares.
options=()
compare() { # COMMAND…
	local files ours i lines missing failed=0
	mkdir "$BATS_TEST_TMPDIR"/{d,out}
	cd "$BATS_TEST_TMPDIR/d" || return
	fresh
	strace "${options[@]}" -ff -o ../out/st "$@" >/dev/null 2>../out/errors
	# of what is not there nobody reads the pipe: whether its writer gets SIGPIPE depends on which is faster
	if grep 'command not found' ../out/errors; then return 1; fi
	syssnoop_all "$@"
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
		[ "$lines" -gt 1 ]
	done
	[ "$failed" -eq 0 ]
}
