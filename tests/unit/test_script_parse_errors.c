/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_script_parse_errors.c - what is said of programs in bpftrace's language that are wrong, and where; and programs
 * that are too deep, too long, or make too much of themselves.
 */
#include "script_parse.h"

static void wrong_lexemes_test(void **state)
{
	static const struct wrong wrongs[] = {
		{ "begin { f('a') }", "'", "unexpected character '''" },
		{ "begin { \x01 }", "\x01", "unexpected character '?'" },
		{ "begin { /* x", "/*", "the comment has no end" },
		{ "begin { f(\"a\n\") }", "\"",
		  "the string has no end: its '\"' is missing in this line" },
		{ "begin { f(\"a", "\"",
		  "the string has no end: its '\"' is missing in this line" },
		{ "begin { f(\"\\q\") }", "\\q", "unknown escape" },
		{ "begin { f(\"\\x\") }", "\\x", "unknown escape" },
		{ "begin { f(\"\\400\") }", "\\400",
		  "the escape is larger than a byte: the largest is \\377" },
		{ "begin { f(18446744073709551616) }", "18446744073709551616",
		  "the number is too large: the maximum in 64 bits is 18446744073709551615" },
		{ "begin { f(1e20) }", "1e20",
		  "the number is too large: the maximum in 64 bits is 18446744073709551615" },
		{ "begin { f(1000000d) }", "1000000d",
		  "the number is too large: the maximum in 64 bits is 18446744073709551615" },
		{ "begin { f(1e-3) }", "1e",
		  "the 'e' of a number must be followed by the number of zeros: 1e6" },
		{ "begin { f(1_) }", "1_", "the number must end with a digit" },
		{ "begin { f(0x) }", "0x", "the number must end with a digit" },
		{ "begin { f(089) }", "089",
		  "a number that begins with 0 is octal: it cannot contain 8 or 9" },
		{ "begin { f(12abc) }", "12abc", "a number cannot end with 'abc'" },
		{ "begin { f(1ulll) }", "1ulll", "a number cannot end with 'ulll'" },
		{ "begin { $0 }", "$0", "the first parameter is $1, and the last $2147483647" },
		{ "begin { $99999999999 }", "$99999999999",
		  "the first parameter is $1, and the last $2147483647" },
		{ "begin { $ = 1 }", "$", "after '$' comes a name or the number of a parameter" },
	};

	(void)state;
	check_wrongs(wrongs, COUNT(wrongs));
}

static void wrong_expressions_test(void **state)
{
	static const struct wrong wrongs[] = {
		{ "begin { < }", "<", "expected a value, not '<'" },
		{ "begin { f(1 }", "}", "expected ',' or ')' after the argument, not '}'" },
		{ "begin { @x[1 = 2 }", "=", "expected ',' or ']' after the key, not '='" },
		{ "begin { (1 }", "}", "expected ')' to end the parentheses, not '}'" },
		{ "begin { (,) }", ",", "expected a value, not ','" },
		{ "begin { (a=1, b) }", ")", "expected '=' after the name in the record, not ')'" },
		{ "begin { (a=1, a=2) }", "a", "the record has 'a' twice" },
		{ "begin { a ? b }", "}", "expected ':' and the other value of '?', not '}'" },
		{ "begin { $x. }", "}", "expected the name of a member, not '}'" },
		{ "begin { $x->0 }", "0", "expected the name of a member, not '0'" },
		{ "begin { $x[1 }", "}", "expected ']' after the index, not '}'" },
		{ "begin { 5++ }", "++", "++ and -- need a variable or a map" },
		{ "begin { --pid }", "pid", "++ and -- need a variable or a map" },
		{ "begin { &pid }", "pid", "only variables and maps have an address" },
		{ "begin { f(while) }", "while", "expected a value, not 'while'" },
		{ "begin { sizeof 1 }", "1", "expected '(' after sizeof, not '1'" },
		{ "begin { offsetof(struct a) }", ")",
		  "expected ',' and a member: offsetof(TYPE, MEMBER), not ')'" },
		{ "begin { offsetof(struct a, b->c) }", "->",
		  "expected ')' after the member, not '->'" },
		{ "begin { $x = { $a = 1; } }", "{ $a = 1; }",
		  "this block has no value: end it with an expression without a ';'" },
		{ "begin { $x = if (a) { 1 } }", "if (a) { 1 }",
		  "this 'if' has no value: it needs an else, and a value in both blocks" },
		{ "begin { f(if (a) { 1 } else { $b = 1; }) }", "if (a) { 1 } else { $b = 1; }",
		  "this 'if' has no value: it needs an else, and a value in both blocks" },
		{ "begin { (int8[][4])a }", "int8[]", "not supported yet: arrays of such a type" },
		{ "begin { (int8[0])a }", "0", "an array must have 1 to 1048576 elements" },
	};

	(void)state;
	check_wrongs(wrongs, COUNT(wrongs));
}

static void wrong_statements_test(void **state)
{
	static const struct wrong wrongs[] = {
		{ "begin { f() g() }", "g", "expected ';' after the statement, not 'g'" },
		{ "begin { $x = 1 $y = 2 }", "$y", "expected ';' after the statement, not '$y'" },
		{ "begin { f(); ", "",
		  "expected '}' at the end of the block, but the program ends here" },
		{ "begin { $x.1 = 2; }", "$x.1",
		  "members cannot be changed: tuples, records and memory are read-only" },
		{ "begin { $x.y += 2; }", "$x.y",
		  "members cannot be changed: tuples, records and memory are read-only" },
		{ "begin { (1, 0) = 0 }", "(1, 0)",
		  "only variables ($name) and maps (@name) can be assigned to" },
		{ "begin { let @x = 1; }", "@x",
		  "expected a variable ($name) after let, not '@x'" },
		{ "begin { let x = 1; }", "x", "expected a variable ($name) after let, not 'x'" },
		{ "begin { $x: int8 = 1; }", ":", "expected ';' after the statement, not ':'" },
		{ "begin { if (a == 1) f(); }", "f",
		  "expected '{' before the statements, not 'f'" },
		{ "begin { else { } }", "else", "expected a value, not 'else'" },
		{ "begin { for (i : @m) { } }", "i",
		  "expected the variable of the loop: for ($i : …), not 'i'" },
		{ "begin { for ($i @m) { } }", "@m",
		  "expected ':' after the variable of the loop, not '@m'" },
		{ "begin { for ($i : pid) { } }", "pid", "a loop goes over a map or over numbers" },
		{ "begin { for ($i : 0..1+1) { } }", "+",
		  "expected ')' to end the head of the loop, not '+'" },
		{ "begin { for ($i : 0..) { } }", ")", "expected a value, not ')'" },
		{ "begin { for ($kv : @m) f() }", "f",
		  "expected '{' before the statements, not 'f'" },
		{ "begin { import \"x\"; }", "\"x\"", "not supported yet: import in a block" },
		{ "begin { import 1; }", "1",
		  "expected the file in quotes: import \"file\";, not '1'" },
	};

	(void)state;
	check_wrongs(wrongs, COUNT(wrongs));
}

static void wrong_probes_test(void **state)
{
	static const struct wrong wrongs[] = {
		{ "", "", "expected a probe, but the program ends here" },
		{ "// nothing", "", "expected a probe, but the program ends here" },
		{ "{ }", "{", "expected a probe, not '{'" },
		{ "asdf:f { }", "asdf:f", "unknown kind of probe 'asdf'" },
		{ "kprob:f { }", "kprob:f", "unknown kind of probe 'kprob'" },
		{ "x*:f { }", "x*:f", "no kind of probe matches 'x*'" },
		{ "int*:s:1 { }", "int*:s:1", "no kind of probe matches 'int*'" },
		{ "k* { }", "k*", "no kind of probe matches 'k*'" },
		{ "begin:f { }", "begin:f", "'begin' has no further parts: write only begin" },
		{ "k { }", "k", "'k' alone is not a probe: write kprobe:…" },
		{ "k:f", "", "expected '{' after the probe, but the program ends here" },
		{ "k:f,{ } k:g }", "}", "expected '{' after the probe, not '}'" },
		{ "k:f /a { }", "{",
		  "expected '/' to end the predicate, and '{' after it, not '{'" },
		{ "k:$x { }", "k:$x", "'$x' is not a parameter: the first is $1" },
		{ "k:f,,k:g { }", ",", "expected a probe, not ','" },
		{ "k:f { } }", "}", "unknown kind of probe '}'" },
	};

	(void)state;
	check_wrongs(wrongs, COUNT(wrongs));
}

static void wrong_preamble_test(void **state)
{
	static const struct wrong wrongs[] = {
		{ "config = { nope = 1 } begin { }", "nope", "nope: unknown setting" },
		{ "config = { max_strlen = abc } begin { }", "abc",
		  "max_strlen: the setting must be a number" },
		{ "config = { stack_mode=perf max_strlen=1 } begin { }", "max_strlen",
		  "expected ';' after the setting, not 'max_strlen'" },
		{ "config = { @x = 1 } begin { }", "@x",
		  "expected the name of a setting, not '@x'" },
		{ "config = { } config = { } begin { }", "config",
		  "the program already has a config" },
		{ "let @a = tree(1); begin { }", "tree", "unknown kind of map 'tree'" },
		{ "begin { emit(a = 1:); }", ")", "expected a format like path or x, not ')'" },
		{ "begin { emit(a = 1:hex[0]); }", "0", "expected a number of bytes, not '0'" },
		{ "begin { emit(a = 1:enum(5)); }", "5",
		  "expected a constant of the enum, not '5'" },
		{ "begin { emit(a = 1 2); }", "2",
		  "expected ',' or ')' after the column, not '2'" },
		{ "begin { emit(a = ); }", ")", "expected a value, not ')'" },
		{ "macro emit(a) { a } begin { emit(b = 1); }", "1",
		  "this program redefines emit() as a macro, whose arguments must be plain values" },
		{ "let @a = owned_by(cpu); begin { }", "cpu", "unknown owner 'cpu'" },
		{ "let @a = owned_by(); begin { }", ")", "expected the owner, not ')'" },
		{ "let @a = owned_by(tid, ); begin { }", ")",
		  "expected the largest number of entries, not ')'" },
		{ "let @a = owned_by(tid begin { }", "begin",
		  "expected ')' after the owner, not 'begin'" },
		{ "let @a = hash(); begin { }", ")",
		  "expected the largest number of entries, not ')'" },
		{ "let @a = hash(0); begin { }", "0",
		  "expected the largest number of entries, not '0'" },
		{ "let @a = hash(1); let @a = hash(1); begin { }", "@a", "@a is already declared" },
		{ "let $a = 1; begin { }", "$a",
		  "expected a map: outside of probes, let declares maps, not '$a'" },
		{ "import \"gone\"; begin { }", "\"gone\"", "cannot read 'gone'" },
		{ "import \"x.bpf.c\"; begin { }", "\"x.bpf.c\"",
		  "not supported yet: importing C files and objects" },
		{ "import \"bad.bt\"; end { }", "\"bad.bt\"",
		  "bad.bt:3: expected a value, not ')'" },
		{ "struct a { int; } begin { }", ";", "expected the name of a member, not ';'" },
		{ "struct a { int x; } struct a { int y; } begin { }", "struct a",
		  "'a' is defined twice" },
		{ "struct a { int x[-1]; } begin { }", "-",
		  "an array must have 1 to 1048576 elements" },
		{ "struct a { int x[N]; } begin { }", "N",
		  "'N' is not a constant of this program" },
		{ "struct a { int x : 65; } begin { }", "65", "a bit-field has at most 64 bits" },
		{ "struct a { int x; } __attribute__((aligned(3))); begin { }", "3",
		  "expected a power of two up to 4096, not '3'" },
		{ "enum e { A = 1 / 0 }; begin { }", "1 / 0", "the constant divides by 0" },
		{ "struct a { unsigned signed x; } begin { }", "unsigned", "C has no such type" },
		{ "#if 1\nbegin { }", "#if", "this #if has no #endif" },
		{ "#else\nbegin { }", "#else", "missing #if before this" },
		{ "#if 1\n#else\n#else\n#endif\nbegin { }", "#else", "missing #if before this" },
		{ "#if 1 +\n#endif\nbegin { }", "", "expected a value, but the program ends here" },
		{ "#error stop here\nbegin { }", "error stop here", "#error: stop here" },
		{ "#what\nbegin { }", "#what", "the preprocessor has no #what" },
		{ "#define\nbegin { }", "", "expected a name after #define" },
		{ "#define F(a, b) a\nbegin { F(1) }", "F", "the #define 'F' needs 2 arguments" },
		{ "#define F(a) #a\nbegin { }", "#", "not supported yet: # and ## in a #define" },
		{ "#define A )\nbegin { A }", "A", "expected a value, not ')'" },
		{ "#include \"gone.h\"\nbegin { }", "\"gone.h\"", "cannot read 'gone.h'" },
	};

	(void)state;
	check_wrongs(wrongs, COUNT(wrongs));
}

static void wrong_macros_test(void **state)
{
	static const struct wrong wrongs[] = {
		{ "macro m() { @x++ } begin { m() }", "@x",
		  "macro m() uses @x, which is not one of its parameters" },
		{ "macro m($x) { $x++ } begin { m(1 + 1) }", "1 + 1",
		  "macro m() changes its $x: it needs a variable here" },
		{ "macro m($x) { $x = 1 } begin { m(2) }", "2",
		  "macro m() changes its $x: it needs a variable here" },
		{ "macro m($x) { $x } begin { m(@a) }", "@a",
		  "macro m() expects a variable here, as its $x" },
		{ "macro m(@x) { @x } begin { m($a) }", "$a",
		  "macro m() expects a map without a key here, as its @x" },
		{ "macro m(x) { x } begin { m }", "m", "m() has 1 argument, not 0" },
		{ "macro m(x, y) { x } begin { m(1) }", "m", "m() has 2 arguments, not 1" },
		{ "macro m(x) { m(x) } begin { m(1) }", "m", "m() calls itself" },
		{ "macro a() { b() } macro b() { a } begin { a }", "a", "a() calls itself" },
		{ "macro m(x, x) { x } begin { }", "x", "the macro has this parameter twice" },
		{ "macro m(x) { x } macro m(y) { y } begin { }", "m", "'m' is defined twice" },
		{ "macro m($x) { let $x = 1; } begin { m($a) }", "$x",
		  "$x is a parameter of macro m(): let needs another name" },
		{ "macro m() { $x = 1; } begin { $y = m() }", "m()",
		  "this block has no value: end it with an expression without a ';'" },
		{ "macro m(1) { } begin { }", "1",
		  "expected a parameter: $name, @name, or a name for an expression, not '1'" },
	};

	(void)state;
	check_wrongs(wrongs, COUNT(wrongs));
}

static void wrong_functions_test(void **state)
{
	static const struct wrong wrongs[] = {
		{ "fn f(a) : void { } begin { }", "a",
		  "expected a parameter: $name: type, not 'a'" },
		{ "fn f($a) : void { } begin { }", ")",
		  "expected ':' and a type after the parameter, not ')'" },
		{ "fn f($a: int8, $a: int8): void { } begin { }", "$a",
		  "the function has this parameter twice" },
		{ "fn f() { } begin { }", "{",
		  "expected ':' and the type of its value after the function, not '{'" },
		{ "fn f(): int64 { g(); } begin { }", "f",
		  "function f() may end without a return" },
		{ "fn f(): int64 { if (a) { return 1; } } begin { }", "f",
		  "function f() may end without a return" },
		{ "fn f(): int64 { return; } begin { }", "return", "function f() returns a value" },
		{ "fn f(): void { return 1; } begin { }", "return 1",
		  "function f() has no value to return" },
		{ "fn f(): int64 { return f(); } begin { f() }", "f", "f() calls itself" },
		{ "fn f(): int64 { while (1) { return 1; } return 2; } begin { }",
		  "while (1) { return 1; }",
		  "not supported yet: return in a loop or block, or in part of an 'if', in a function (fn)" },
		{ "fn f($a: int8): void { } begin { f(); }", "f", "f() has 1 argument, not 0" },
	};

	(void)state;
	check_wrongs(wrongs, COUNT(wrongs));
}

/* ---- bounds ---- */

static void check_bound(const char *before, const char *piece, size_t count, const char *after)
{
	struct script_error error;
	struct script *s = NULL;
	struct buf text;
	int err;

	buf_init(&text, -1);
	buf_str(&text, before);
	for (size_t i = 0; i < count; i++)
		buf_str(&text, piece);
	buf_str(&text, after);
	err = parse(taken(&text), &s, &error);
	if (!err)
		script_free(s);
	buf_free(&text);
	assert_int_equal(err, -EINVAL);
	assert_true(strstr(error.message, "at most") || strstr(error.message, "more than") ||
		    strstr(error.message, "too much"));
}

static void bounds_test(void **state)
{
	(void)state;
	check_bound("begin { f(", "(", 100000, "");
	check_bound("begin { f(", "-", 100000, "1) }");
	check_bound("begin { f(1", " + 1", 30000, ") }");
	check_bound("begin { f(a", ".b", 30000, ") }");
	check_bound("begin { ", "{", 100000, "");
	check_bound("begin { if (a) {} ", "else if (a) {} ", 10000, "}");
	check_bound("begin { f(1 ", "? 1 : 1 ", 10000, ") }");
	check_bound("begin { f(", "(int8)", 10000, "1) }");
	check_bound("", "struct { ", 10000, "");
	check_bound("begin { f(1) } ", "          ", 30000, "");
	/* what doubles, and doubles again */
	check_bound(
		"#define A 1\n",
		"#define B A,A,A,A\n#define C B,B,B,B\n#define D C,C,C,C\n#define E D,D,D,D\n#define F E,E,E,E\n"
		"#define G F,F,F,F\n#define H G,G,G,G\n#define I H,H,H,H\n",
		1, "begin { f(I,I) }");
	check_bound(
		"macro a(x) { x + x } macro b(x) { a(a(a(a(a(x))))) } macro c(x) { b(b(b(b(x)))) }",
		"", 0, "begin { f(c(1)) }");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(wrong_lexemes_test, mistakes_reset),
		cmocka_unit_test_setup(wrong_expressions_test, mistakes_reset),
		cmocka_unit_test_setup(wrong_statements_test, mistakes_reset),
		cmocka_unit_test_setup(wrong_probes_test, mistakes_reset),
		cmocka_unit_test_setup(wrong_preamble_test, mistakes_reset),
		cmocka_unit_test_setup(wrong_macros_test, mistakes_reset),
		cmocka_unit_test_setup(wrong_functions_test, mistakes_reset),
		cmocka_unit_test_setup(bounds_test, mistakes_reset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
