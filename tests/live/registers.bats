#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# $reg(): what a method says is in a register is what the others say. A process that reads the same file
# in the same way comes to vfs_read with the same registers each time, and goes with the same.

bats_require_minimum_version 1.5.0
load arch

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	reads -s 100000 /dev/zero >/dev/null & victim=$!
}
teardown() { kill "$victim"; }

# The expression that shows a register. Of the flags, those that the last sum left behind are not the same at
# each call.
named() {
	[ "$1" = "$REGISTER_FLAGS" ] || { printf '_%s=$reg(%s):u64\n' "$1" "$1"; return; }
	printf '_%s=($reg(%s) & ~%s):u64\n' "$1" "$1" "$FLAGS_LAST"
}

# same PROBE: the registers that kprobe.multi gives are those of a kprobe, where that says the same of
# three calls; and those that it does not give are had by a kprobe. At an entry ip is none of the
# function's: each method has patched the function, and tells where.
same() {
	local probe=$1 exprs=() given=() reg multi
	for reg in "${REGISTERS[@]}"; do exprs+=("$(named "$reg")"); done
	for round in 1 2 3; do
		argdump -q -n 1 -p "$victim" --attach kprobe "$probe" "${exprs[@]}" | tail -n 1 |
			grep -oE '_[a-z0-9_]+=[0-9]+' >"kprobe.$round"
	done
	sort kprobe.* | uniq -c | awk '$1 == 3 {print $2}' >steady
	[ "$probe" != vfs_read ] || sed -i "/^_$REGISTER_IP=/d" steady
	# most of them are steady, or nothing is compared
	[ "$(wc -l <steady)" -ge 12 ] || { paste kprobe.*; false; }
	for reg in "${REGISTERS[@]}"; do
		if argdump --attach kprobe.multi --dry-run "$probe" "$(named "$reg")" >/dev/null 2>err; then
			given+=("$(named "$reg")")
			continue
		fi
		grep -q "kprobe.multi does not know that register" err || { cat err; false; }
		run -0 --separate-stderr argdump --dry-run "$probe" "$(named "$reg")"
		[[ $output =~ ^k(ret)?probe\ vfs_read ]] || { echo "$reg: $output"; false; }
	done
	multi=$(argdump -q -n 1 -p "$victim" --attach kprobe.multi "$probe" "${given[@]}" | tail -n 1)
	for reg in "${given[@]%%=*}"; do
		grep -q "^$reg=" steady || continue
		grep -qF " $(grep "^$reg=" steady) " <<<"$multi " || {
			echo "$probe $reg: by kprobe $(grep "^$reg=" steady), by kprobe.multi $multi"; false
		}
	done
	echo "compared: ${given[*]%%=*}"
}

multi_or_skip() {
	grep -qw register_fprobe_ips /proc/kallsyms || skip "this kernel has no kprobe.multi"
}

@test "\$reg at a function's entry is the same by kprobe.multi and by kprobe" {
	multi_or_skip
	same vfs_read
}

@test "\$reg at a function's return is the same by kretprobe.multi and by kretprobe" {
	multi_or_skip
	same vfs_read%return
}

@test "\$reg by default is what a kprobe says, on every kernel" {
	for reg in "$REGISTER_FLAGS" "${KEPT[@]}"; do
		for method in any kprobe; do
			args=()
			[ $method = any ] || args=(--attach "$method")
			argdump -q -n 1 -p "$victim" "${args[@]}" vfs_read "$(named "$reg")" | tail -n 1 |
				grep -oE '_[a-z0-9_]+=[0-9]+' >"$method"
		done
		diff any kprobe || { echo "$reg"; false; }
	done
}
