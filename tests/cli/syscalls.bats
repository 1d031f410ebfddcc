#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC2016  # awk expands it
# The tables of system calls against each other, and against the kernels in the cache.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_DIRNAME/../../src/syscalls" || return
}

@test "each call of calls.tbl has a number" {
	run -0 awk 'NR == FNR { has[$1] = 1; next }
		/^[a-z]/ { sub("/.*", "", $1); calls++; if (!($1 in has)) print $1 }
		END { if (calls < 200) print "only", calls }' numbers.tbl calls.tbl
	[ -z "$output" ]
}

# __do_sys_X has X's arguments; where X has none, one that is not used.
@test "calls have as many arguments as the kernels' functions" {
	local btf cache=${CORETAP_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/coretap}
	shopt -s nullglob
	local btfs=("$cache"/kernels/*/btf)
	((${#btfs[@]})) || skip "no kernel in the cache: tools/fetch-kernel 6.12 gets one"
	for btf in "${btfs[@]}"; do
		bpftool btf dump file "$btf" format raw >"$BATS_TEST_TMPDIR/raw"
		run -0 awk 'NR == FNR {
				if (/^[a-z]/ && $1 !~ /\//)
					for (want[$1] = 0; NF > 2; NF--)
						want[$1] += $NF ~ /:/
				next
			}
			/ FUNC_PROTO / { id = $1; sub(/.*vlen=/, ""); args[id] = $0 + 0 }
			/ FUNC .__do_sys_/ {
				name = substr($3, 11, length($3) - 11)
				sub("type_id=", "", $4)
				n = args["[" $4 "]"]
				checked += name in want
				if (name in want && want[name] != n && (want[name] || n != 1))
					print name, want[name], "not", n
			}
			END { if (checked < 10) print "only", checked + 0 }' calls.tbl "$BATS_TEST_TMPDIR/raw"
		[ -z "$output" ]
	done
}
