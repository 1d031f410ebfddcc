#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC2016  # awk expands it
# The tables of system calls against each other, and against the kernels in the cache.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_DIRNAME/../../src/syscalls" || return
}

# Misspells a word in a copy of the tables; the check must name the line and the word.
refuses() { # TABLE SED-COMMAND MESSAGE
	local folder=$BATS_TEST_TMPDIR/tables
	mkdir -p "$folder"
	cp ./*.tbl "$folder"
	sed -i "$2" "$folder/$1.tbl"
	run -1 ../../tools/check-syscalls "$folder"
	[[ ${lines[0]} == "$folder/$1.tbl:"[0-9]*": $3" ]] || { echo "$2: $output"; false; }
}

@test "the build accepts the tables, and refuses a misspelt word with its file and line" {
	run -0 ../../tools/check-syscalls
	[ -z "$output" ]
	refuses calls '/^mprotect /s/fl.prot/fl.prott/' "unknown set 'prott' in 'fl.prott'"
	refuses calls '/^statfs /s/statfs$/statfz/' "unknown type 'statfz' in '>statfz'"
	refuses calls '/^read /s/buf.ret/buf.rett/' "unknown count 'rett' in '>buf.rett'"
	refuses calls 's/^read d/read q/' "unknown class 'q' in 'q'"
	refuses calls 's/^mprotect /mprotekt /' "numbers.tbl has no call 'mprotekt'"
	refuses calls 's/F_SETFL /F_SETFLL /' "'fcntl' has no 'F_SETFLL'"
	refuses calls 's/SO_PEERCRED/SO_PEERCRET/' "'so' has no 'SO_PEERCRET'"
	refuses calls 's/@i386,/@i387,/' "unknown machine 'i387'"
	refuses calls 's/^bind .*/bind n fd:fd a:*sockaddr\/b c:i/' "unknown argument in '*sockaddr/b'"
	refuses calls '/^setsockopt\/SOL_SOCKET n/{h;d};/^setsockopt\/SOL_UDP n/G' \
		"the rows of 'setsockopt/SOL_SOCKET' do not follow each other"
	refuses calls 's/^futex\/FUTEX_LOCK_PI,/futex\/FUTEX_WAIT,FUTEX_LOCK_PI,/' "there is a row of 'futex/FUTEX_WAIT' already"
	refuses calls 's/^munmap .*/& len:ul len:ul len:ul len:ul len:ul/' "more than 6 arguments"
	refuses sets 's/^resolve @/resolv @/' "no table of flag_names.c is shared as 'resolv'"
	refuses sets 's/STREAM=1/STREAM=y/' "a value is a number: 'STREAM=y'"
	refuses sets 's/ STREAM=1/ .=1/' "a value without a name: '.=1'"
	refuses structs 's/f.statx@0/f.staty@0/' "unknown set 'staty' in 'f.staty@0'"
	refuses structs '/^itimerval /s/timeval$/timevall/' "unknown type 'timevall' in 'timevall'"
	refuses numbers 's/^read 0/read zero/' "a number or -, not 'zero'"
	# the rule of the Makefile
	sed -i 's/^read d/read q/' "$BATS_TEST_TMPDIR/tables/calls.tbl"
	run -2 make -s -C ../.. B="$BATS_TEST_TMPDIR/build" SYSCALLS="$BATS_TEST_TMPDIR/tables" "$BATS_TEST_TMPDIR/build/syscall_tables.c"
	line=$(grep -n '^read q' "$BATS_TEST_TMPDIR/tables/calls.tbl")
	[[ $output == *"/calls.tbl:${line%%:*}: unknown class 'q' in 'q'"* ]]
	[ ! -e "$BATS_TEST_TMPDIR/build/syscall_tables.c" ]
}

@test "each number has a call of calls.tbl, but those that no kernel of today has" {
	local never='afs_syscall bdflush break create_module epoll_ctl_old epoll_wait_old ftime get_kernel_syms
		getpmsg gtty idle lock mpx multiplexer nfsservctl prof profil putpmsg query_module security stty sys_debug_setcontext tuxcall
		ulimit vserver'
	run -0 awk -v never="$never" 'BEGIN { n = split(never, w); for (i = 1; i <= n; i++) has[w[i]] = 1 }
		NR == FNR { if (/^[a-z_]/) { sub("[/@].*", "", $1); has[$1] = 1; has[$1 "32"] = 1 } next }
		!/^#/ && !($1 in has) { print $1 }' calls.tbl numbers.tbl
	[ -z "$output" ]
}

@test "the formats of a kernel give a row for a new call" {
	run -0 ../../tools/make-syscalls --rows <<-'END'
		name: sys_enter_openat
			field:unsigned short common_type;	offset:0;	size:2;	signed:0;
			field:int dfd;	offset:16;	size:8;	signed:0;
		name: sys_enter_newstat
		name: sys_enter_somecall
			field:int __syscall_nr;	offset:8;	size:4;	signed:1;
			field:int dfd;	offset:16;	size:8;	signed:0;
			field:const char * filename;	offset:24;	size:8;	signed:0;
			field:struct stat * statbuf;	offset:32;	size:8;	signed:0;
			field:size_t len;	offset:40;	size:8;	signed:0;
			field:unsigned int flags;	offset:48;	size:8;	signed:0;
			field:__data_loc char[] __filename_val;	offset:56;	size:4;	signed:1;
	END
	[ "$output" = 'somecall - dfd:at filename:path statbuf:p len:ul flags:x' ]
}

# __do_sys_X has X's arguments; where X has none, one that is not used. All calls of a running kernel are compared in
# tests/live/syssnoop_table.bats.
@test "arguments have the names that the kernels' functions have" {
	local btf cache=${CORETAP_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/coretap}
	shopt -s nullglob
	local btfs=("$cache"/kernels/*/btf)
	((${#btfs[@]})) || skip "no kernel in the cache: tools/fetch-kernel 6.12 gets one"
	for btf in "${btfs[0]}" "${btfs[-1]}"; do # the oldest and the newest
		bpftool btf dump file "$btf" format raw >"$BATS_TEST_TMPDIR/raw"
		run -0 awk 'NR == FNR {
				if (/^[a-z]/ && $1 !~ /\/|@(i386|aarch64)/) {
					sub("@.*", "", $1)
					want[$1] = ""
					for (i = 3; i <= NF; i++)
						if ($i !~ /^=/ && split($i, half, ":") == 2) want[$1] = want[$1] " " half[1]
				}
				next
			}
			/^\[/ { id = "" }
			/ FUNC_PROTO / { id = $1; args[id] = "" }
			/^\t/ && id { name = $1; gsub("\047", "", name); args[id] = args[id] " " name }
			/ FUNC .__do_sys_/ {
				name = substr($3, 11, length($3) - 11)
				name = name ~ /^new(stat|fstat|lstat|uname)$/ ? substr(name, 4) : name
				sub("type_id=", "", $4)
				is = args["[" $4 "]"]
				sub(/^ __unused$/, "", is)
				if (name == "reboot") sub(/ arg$/, "", is) # of one command
				if (name in want && ++checked && want[name] != is)
					print name want[name], "not" is
			}
			END { if (checked < 10) print "only", checked + 0 }' calls.tbl "$BATS_TEST_TMPDIR/raw"
		[ -z "$output" ]
	done
}
