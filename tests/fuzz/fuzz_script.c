/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fuzz_script.c - random programs in bpftrace's language, right, nearly right and wrong, through the parser. None may
 * crash, leak or take long. What is parsed has all its places in the text, and prints the same twice; what is not has an
 * error with a place.
 *
 *	fuzz_script [COUNT [SEED]]	prints how many of them were parsed
 *
 * With -fsanitize=fuzzer (and -DLIBFUZZER) the input is the text.
 */
#include <string.h>

#include "fuzz.h"
#include "script/inside.h"
#include "script/script.h"

/* clang-format off */
static const char *const pieces[] = {
	"begin", "end", "k:f", "kr:f", "u:/a/b:f", "i:s:1", "U:\"a b\":c", "$1", "name=k:f", "begin { ", "end { }", "\n", "\n", " ",
	"{", "}", "{", "}", "{", "}", "(", ")", "(", ")", "[", "]", ";", ";", ";", ",", ":", "?", "/", "/", ".", "..", "->",
	"+", "-", "*", "&", "|", "^", "~", "!", "++", "--", "=", "=", "+=", "<<=", "==", "<", ">>", "&&", "||",
	"$x", "$y", "@", "@m", "@m[1]", "$#", "$2", "x", "pid", "args", "1", "0", "1e6", "0x1f", "5ms", "\"a\\n\"", "\"",
	"if (", "if x {", "else {", "else if", "while (", "for ($i : ", "for $kv : @m {", "unroll(3) {", "let $x", "let @a = hash(5);",
	"_ = ", "return", "break;", "continue;", "true", "sizeof(", "offsetof(struct a, ", "typeof(", "comptime ", "import \"a\";",
	"(struct a *)", "(uint8)", "(int8[4])", "(unsigned long)", "(a=1, ", "(1,)", "f(", "m(", "m", "macro m(x) { x }",
	"macro m($x, @y, z) {", "config = {", "stack_mode=perf", "struct a {", "union {", "enum e { A, B = ", "typedef ", "int ", "x[3]",
	"x : 5", "(*f)(int)", "__attribute__((packed))", "struct b *p;", "fn g($a: int8): int8 { return $a }", "fn ", "#define A ", "#define F(x) ", "F(", "A", "#if ", "#ifdef A",
	"#else", "#elif 1", "#endif", "#undef A", "defined(A)", "#include \"a\"", "#include <a>", "#error", "emit(", ":x", "??", "let @o = owned_by(sk);", "\\\n", "//", "/*", "*/", "#!",
};
static const char *const whole[] = {
	"begin { @start[tid] = nsecs; } kr:f /@start[tid] / 2 > 1/ { @ns[comm, 1] = hist((nsecs - @start[tid]) / 1e3); delete(@start, tid); }",
	"#define A 1 + B\n#define B 2\n#define F(x, y) ((x) - (y))\n#define G(x) F(x, A)\nbegin { print(F(A, G(B))); }",
	"#if defined(A) && B > 2\nbegin { }\n#elif 1\n#ifndef C\nend { print(A); }\n#endif\n#else\n)\n#endif",
	"macro inc($a, @m, x) { let $t = x; $a += $t; @m[x]++; $t } macro two() { 2 } begin { $v = 1; $w = inc($v, @c, two + two()); }",
	"macro a(x) { if (x) { x } else { b(x) } } macro b(x) { x + x } begin { print(a(a(a(1)))); }",
	"struct a { int x, y[2][3]; struct { char c; union { u64 d : 3, e : 5; }; } in; struct b { int z; } *p; void (*f)(int); char t[]; } __attribute__((packed)); enum { P = 1 << 4, Q }; typedef unsigned long word; k:f { $p = (struct a *)arg0; print($p->in.d + offsetof(struct a, in.c)); }",
	"config = { max_map_keys=5; stack_mode=perf; str_trunc_trailer=\"..\" } let @a = lruhash(5); let @ = percpuhash(1); begin { @a[1] = count(); }",
	"begin { for ($i : 0..(1+2)) { if ($i == 2) { continue } else if !$i { break; } } for $kv : @m { print(($kv.0, $kv.1.0)); } }",
	"begin { $x = { let $y: uint8 = 1; $y++; $y }; $z = if $x > 1 ? 2 : 3 { 4 } else { 5 }; { { f() } } while (1) { unroll(3) { @x-- } } }",
	"u:\"/a b\":\"n::f\",U:$1:a,k:g* /comm == \"a\\x41\\101\" || !strncmp(str($2), \"b\", 1)/ { printf(\"%s\\n\", $1 ? \"a\" : $3 ?: \"b\"); exit(); }",
	"begin { print((1,)); print((a=1, b=(2, \"c\"))); $p = *(uint8 **)arg0; $q = &$p; $r = (typeof($q) *)5; $s = (string[64])$r; _ = sizeof(*$s); }",
	"fn g($a: int8, $b: struct a *): int64 { if ($a) { return 1; } else if $b { @m++ } let $c = 2; return $c + g2($a); } fn g2($a: int8): void { @m = $a; } begin { print(g(1, g(2, 3))); g2(4) }",
	"let @a = owned_by(tid, 5); let @b = owned_by(inode); k:f { emit(comm, a = b->c ?? d ?? 5, e:path, f = (g ? 1 : 2):hex[4], h:enum(A)); @a[tid] = 1; }",
	"import \"a\"; import \"b\"; begin { print(twice(2) - N); }",
};
/* clang-format on */

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static const char *text_import(void *ctx, const char *path)
{
	(void)ctx;
	if (!strcmp(path, "a"))
		return "import \"b\"; macro twice(x) { x + x } struct s { int a; }; end { exit(); }";
	return strcmp(path, "b") ? NULL : "#define N 5\nimport \"a\";";
}

static size_t text_length;

static void span_check(struct script_expr *e, void *ctx)
{
	(void)ctx;
	FUZZ_CHECK(e->span.start <= e->span.end);
	FUZZ_CHECK(e->span.end <= text_length);
	FUZZ_CHECK(e->name_span.start <= e->name_span.end);
	FUZZ_CHECK(e->name_span.end <= text_length);
	FUZZ_CHECK(e->depth);
}

static void tree_check(const struct script *s)
{
	struct buf first, second;

	for (size_t i = 0; i < s->probe_count; i++) {
		FUZZ_CHECK(s->probes[i].attach_count);
		FUZZ_CHECK(s->probes[i].span.end <= text_length);
		script_walk(s->probes[i].condition, span_check, NULL);
		script_walk_stmts(s->probes[i].body, span_check, NULL);
	}
	buf_init(&first, -1);
	buf_init(&second, -1);
	script_dump(s, false, &first);
	script_dump(s, true, &second);
	FUZZ_CHECK(first.len && first.len == second.len &&
		   !memcmp(first.data, second.data, first.len));
	buf_free(&first);
	buf_free(&second);
}

static bool text_parse(const char *text)
{
	static const char *const words[] = { "one", "i:s:1" };
	struct script_args args = { .words = words,
				    .count = COUNT_OF(words),
				    .import = text_import };
	struct script_error error;
	struct script *s = NULL;
	int err;

	if (getenv("FUZZ_VERBOSE"))
		fprintf(stderr, "%s\n", text);
	text_length = strlen(text);
	err = script_parse(text, &args, &s, &error);
	if (!err) {
		tree_check(s);
		script_free(s);
		return true;
	}
	FUZZ_CHECK(err == -EINVAL);
	FUZZ_CHECK(error.message[0]);
	FUZZ_CHECK(error.span.start <= error.span.end);
	FUZZ_CHECK(error.span.end <= text_length);
	return false;
}

#ifdef LIBFUZZER

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = calloc(1, size + 1);

	if (!text)
		abort();
	memcpy(text, data, size);
	text_parse(text);
	free(text);
	return 0;
}

#else

int main(int argc, char **argv)
{
	static const struct fuzz_words all = { .pieces = pieces,
					       .piece_count = COUNT_OF(pieces),
					       .whole = whole,
					       .whole_count = COUNT_OF(whole),
					       .most = 40,
					       .skips = 6,
					       .head = "begin { " };

	texts_run(&all, argc > 1 ? strtoul(argv[1], NULL, 0) : 100000,
		  argc > 2 ? strtoul(argv[2], NULL, 0) : 1, text_parse);
	return 0;
}

#endif
