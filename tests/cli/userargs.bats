#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Parameters of user functions by name: what is said if there are none. Nothing is attached.

bats_require_minimum_version 1.5.0
load plan

kinds=${BUILD:-build}/tests/work

refused() { # TEXT ARGUMENTS...
	local text=$1
	shift
	run --separate-stderr "$argdump" --dry-run --btf "$btf" "$@"
	[[ $status -eq 1 && $stderr == *"$text"* ]] || { echo "$status $stderr"; false; }
}

@test "an unknown name: the function's parameters, and the nearest" {
	refused 'did you mean other? Its parameters: n, other, list, depth' "u:$kinds/kinds:walk" 'othre->level'
	refused 'did you mean level?' "u:$kinds/kinds:walk" 'n->levl'
	refused 'this part of the program has no struct nod' "u:$kinds/kinds:walk" '((struct nod *)n)->level'
}

@test "what cannot be read is refused by name" {
	refused 'in a register of floating-point numbers, which BPF cannot read' "u:$kinds/kinds:with_floats" first
	refused 'm is passed in registers: this part of it cannot be read' "u:$kinds/kinds-pie:with_floats" m.weight
	refused 'name a member: low, high, color' "u:$kinds/kinds-pie:by_value" w
	refused 'parameter g is not known at the return' -r "u:$kinds/kinds:many" '@ret(g)'
}

@test "without debug information only registers are known" {
	refused 'the file has no debug information: install that of its package, or compile it with -g; $arg1' \
		"u:$kinds/kinds-bare:walk" 'n->level'
	run -0 "$argdump" --dry-run --btf "$btf" "u:$kinds/kinds-bare:walk" '$arg1'
}
