#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Parameters of user functions by name, from debug information. tests/work/kinds tells what each is.

bats_require_minimum_version 1.5.0
load argdump

setup() { cd "$BATS_TEST_TMPDIR" || return; }

@test "values of all kinds in a static program without optimization" {
	all_values kinds kinds
}

@test "values of all kinds in an optimized program at any address" {
	all_values kinds kinds-pie
}

@test "values of all kinds by DWARF 4" {
	all_values kinds kinds-old
}

@test "values of all kinds by clang, whose debug information computes members in registers" {
	[ -x /tests/work/kinds-clang ] || skip 'tests/work/kinds-clang was not built: it is not for other processors'
	all_values kinds kinds-clang
}


@test "what no register has, and what only the program knows, is refused" {
	refused() { # EXPRESSION MESSAGE…
		run -1 --separate-stderr argdump --dry-run "u:/tests/work/kinds:$1" "$2"
		[[ $stderr == *"$3"* ]] || { echo "$stderr"; false; }
	}
	refused rows 'table[1][0]' 'the size of int [] is known only to the program'
	refused fractions 'f->huge + 1' '__int128 is too large to compute with'
	refused fractions 'f->single * 2' 'needs an integer, but this is float'
	refused with_floats first 'in a register of floating-point numbers'
	run -1 --separate-stderr argdump --dry-run -r "u:/tests/work/kinds:halves" '$ret'
	[[ $stderr == *'returns a floating-point number, in a register that BPF cannot read'* ]] || { echo "$stderr"; false; }
}

@test "structs with fractions" {
	run -0 --separate-stderr argdump -j u:/tests/work/kinds:fractions 'f=*f' -- kinds
	jq -e '.args.f | .single == 1.25 and .never == "nan" and .tenth == 0.1 and .complex == "1.5-2i" and
		.negative[1] == "-inf"' <<<"$output" || { echo "$output$stderr"; false; }
}

@test "without expressions all parameters are shown, structs in registers by their members" {
	for program in kinds kinds-pie; do
		wants 1 ' p.x=-101 p.y=102 s.a=-103 s.b=-104 s.c=17 s.d=5 w.low=-105000000000 w.high=4000000006 w.color=BLUE last=107$' \
			u:/tests/work/$program:by_value -- $program
		wants 1 ' a=-201 m.count=-202 text="after floats"$' u:/tests/work/$program:with_floats -- $program
		wants 1 ' g=-7 h=-8 i="ninth" j=SHALLOW k=11000000000 l=true$' u:/tests/work/$program:many -- $program
	done
}

@test "results have their types, whole calls parameters and result" {
	for program in kinds kinds-pie; do
		wants 1 ' from=0x[0-9a-f]* name="next" text="second" level=-5$' -r u:/tests/work/$program:finds \
			from name '$ret->in.text' '$ret->level' -- $program
		wants 1 ' c=RED ret=GREEN lat=' -r u:/tests/work/$program:paints -- $program
		wants 1 ' a=401 .*numbers\[0\]=401 y=401$' -r u:/tests/work/$program:makes a '$ret.numbers[0]' '$ret.at.y' -- $program
		wants 1 ' c=RED$' -r u:/tests/work/$program:paints 'c=@ret(c)' --if '$ret == GREEN' -- $program
	done
}

@test "a list has the parameters that debug information tells" {
	run -0 argdump -l u:/tests/work/kinds:paints,picks
	[ "$output" = 'u:/tests/work/kinds:paints(enum color c)
u:/tests/work/kinds:picks(const struct node *n, int unused, int by)' ] || { echo "$output"; false; }
	run -0 argdump -l -j u:/tests/work/kinds:paints
	[ "$(jq -c '[.params[].name, .params[].ctype]' <<<"$output")" = '["c","enum color"]' ] || { echo "$output"; false; }
}

@test "conditions and keys by name; \$arg1 is the register" {
	wants 1 ' by=502$' u:/tests/work/kinds:picks by --if 'n->color == BLUE && n->level < 0' -- kinds
	wants 1 '^GREEN +501 +1$' --count --by 'n->color,by' u:/tests/work/kinds:picks -- kinds
	wants 1 ' arg1=[0-9]* arg4=2$' u:/tests/work/kinds:walk '$arg1' '$arg4' -- kinds
	wants 1 ' c=RED$' u:/tests/work/kinds:paints 'c=(enum color)$arg1' -- kinds
}

@test "a function's calls that are inlined, and its copies, as a debugger sees them" {
	local copies=u:/tests/work/copies places unseen
	# tests/work/copies prints a line for each call
	for function in both copied; do
		run -0 --separate-stderr argdump -j "$copies:$function" -- copies
		[ "$(grep -c '^{' <<<"$output")" -eq "$(copies | grep -c "^$function")" ] || { echo "$output$stderr"; false; }
	done
	run -0 --separate-stderr argdump "$copies:copied" 'x=p->x' -- copies
	[ "$(grep '^ *[0-9]' <<<"$output" | grep -o ' x=.*')" = "$(copies | sed -n 's/^copied//p')" ] || { echo "$output$stderr"; false; }
	# a place where the compiler keeps no value is said
	run -0 --separate-stderr argdump "$copies:both" n -- copies
	places=$(sed -n 's/.*both is also inlined into its callers: traced in \([0-9]*\) place.*/\1/p' <<<"$stderr")
	unseen=$(sed -n 's/.*calls of both are not seen where it is inlined, in \([0-9]*\) place.*/\1/p' <<<"$stderr")
	[ $((places + unseen)) -eq 2 ] && [ "$places" -ge 1 ] || { echo "$stderr"; false; }
	output=$(grep '^ *[0-9]' <<<"$output")
	[ "$(grep -c ' n=' <<<"$output")" -eq $((places + 1)) ] || { echo "$output$stderr"; false; }
	for value in $(grep -o ' n=[0-9]*' <<<"$output"); do copies | grep -qx "both $value" || { echo "$output"; false; }; done
	# the register of a parameter is known at the first instruction, a return only of a call
	run -0 --separate-stderr argdump "$copies:both" '$arg1' -- copies
	[[ $stderr == *'calls of both are not seen where it is inlined, in 2 places: '* ]] || { echo "$stderr"; false; }
	run -0 --separate-stderr argdump -r "$copies:both" n '$ret' -- copies
	[[ $stderr == *'both is also inlined, in 2 places: these calls have no return, and are not seen'* ]] ||
		{ echo "$stderr"; false; }
	grep -qE ' n=5 ret=10( |$)' <<<"$output" || { echo "$output"; false; }
	# a pair begins at each of them
	run -0 --separate-stderr argdump "$copies:both" n --until "$copies:copied" -- copies
	grep -q ' n=5 ' <<<"$output" || { echo "$output$stderr"; false; }
	run -0 argdump -l "$copies:copied"
	[[ $output == "$copies:copied."* ]] || { echo "$output"; false; }
}

@test "a copy that the compiler made: what is left of its parameters" {
	copy=$(argdump -l 'u:/tests/work/kinds-pie:picks*' 2>/dev/null | sed 's/.*://')
	[[ $copy == *.isra.* ]] || skip "this compiler made no copy without a parameter: $copy"
	wants 1 ' by=502$' "u:/tests/work/kinds-pie:$copy" by --if 'by > 501' -- kinds-pie
	run --separate-stderr argdump "u:/tests/work/kinds-pie:$copy" unused -- kinds-pie
	[[ $status -eq 1 && $stderr == *'the compiler optimised it out'* ]] || { echo "$status $stderr"; false; }
}

@test "a pattern: each function with its own types, those without the name left out" {
	wants 5 ' (numbers|many|with_floats|on_stack|makes) +a=(-5|1|-201|301|401)$' 'u:/tests/work/kinds-pie:*' a -- kinds-pie
	[[ $stderr == *' left out, e.g. '*' has no parameter a'* ]] || { echo "$stderr"; false; }
}
