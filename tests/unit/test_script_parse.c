/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_script_parse.c - programs in bpftrace's language as trees.
 *
 * Trees are compared as script_dump prints them, each line in parentheses with what is indented below it.
 */
#include "script_parse.h"

/* ---- expressions ---- */

static void values_test(void **state)
{
	static const struct pair pairs[] = {
		{ "0", "(int 0)" },
		{ "18446744073709551615", "(int 18446744073709551615)" },
		{ "0x1F", "(int 31)" },
		{ "0XffUL", "(int 255)" },
		{ "0777", "(int 511)" },
		{ "1_000_0", "(int 10000)" },
		{ "1e6", "(int 1000000)" },
		{ "5e1_0", "(int 50000000000)" },
		{ "0e99999", "(int 0)" },
		{ "7ULL", "(int 7)" },
		{ "3us", "(int 3000)" },
		{ "2ms", "(int 2000000)" },
		{ "1s", "(int 1000000000)" },
		{ "1m", "(int 60000000000)" },
		{ "2h", "(int 7200000000000)" },
		{ "1d", "(int 86400000000000)" },
		{ "9ns", "(int 9)" },
		{ "true", "(bool 1)" },
		{ "false", "(bool 0)" },
		{ "\"a b\"", "(string \"a b\")" },
		{ "\"\"", "(string \"\")" },
		{ "\"q\\\"\\\\ \\n\\t\\r\"", "(string \"q\\\"\\\\ \\n\\t\\r\")" },
		{ "\"\\101\\x42\\x4z\\7\"", "(string \"AB\\x04z\\x07\")" },
		{ "pid", "(word pid)" },
		{ "__builtin_cpu", "(word cpu)" },
		{ "$1", "(param 1)" },
		{ "$#", "(param 0)" },
		{ "$x", "(var $x)" },
		{ "@", "(map @)" },
		{ "@a", "(map @a)" },
		{ "@a[1]", "(map @a (int 1))" },
		{ "@[1, \"b\"]", "(map @ (int 1) (string \"b\"))" },
		{ "@a[(1, 2)]", "(map @a (tuple (int 1) (int 2)))" },
		{ "f()", "(call f)" },
		{ "f(1, g(2))", "(call f (int 1) (call g (int 2)))" },
		{ "(1)", "(int 1)" },
		{ "()", "(tuple)" },
		{ "(1,)", "(tuple (int 1))" },
		{ "(1, 2,)", "(tuple (int 1) (int 2))" },
		{ "(a=1, b=(c=2))", "(tuple (a= (int 1)) (b= (tuple (c= (int 2)))))" },
	};

	(void)state;
	check_all(pairs, COUNT(pairs), check_expr);
}

static void operators_test(void **state)
{
	static const struct pair pairs[] = {
		{ "a + b * c", "(binary + (word a) (binary * (word b) (word c)))" },
		{ "a - b - c", "(binary - (binary - (word a) (word b)) (word c))" },
		{ "a * b % c / d",
		  "(binary / (binary % (binary * (word a) (word b)) (word c)) (word d))" },
		{ "a << b + c", "(binary << (word a) (binary + (word b) (word c)))" },
		{ "a >> b < c", "(binary < (binary >> (word a) (word b)) (word c))" },
		{ "a <= b == c", "(binary == (binary <= (word a) (word b)) (word c))" },
		{ "a != b & c", "(binary & (binary != (word a) (word b)) (word c))" },
		{ "a & b ^ c | d",
		  "(binary | (binary ^ (binary & (word a) (word b)) (word c)) (word d))" },
		{ "a | b && c", "(and (binary | (word a) (word b)) (word c))" },
		{ "a || b && c", "(or (word a) (and (word b) (word c)))" },
		{ "a >= b > c", "(binary > (binary >= (word a) (word b)) (word c))" },
		{ "a ? b : c ? d : e",
		  "(choice (word a) (word b) (choice (word c) (word d) (word e)))" },
		{ "a || b ? c ? d : e : g",
		  "(choice (or (word a) (word b)) (choice (word c) (word d) (word e)) (word g))" },
		{ "a ?: b", "(fallback (word a) (word b))" },
		{ "-a * !b", "(binary * (unary - (word a)) (unary ! (word b)))" },
		{ "~-1", "(unary ~ (unary - (int 1)))" },
		{ "a - -b", "(binary - (word a) (unary - (word b)))" },
		{ "*a * *b", "(binary * (deref (word a)) (deref (word b)))" },
		{ "&$x == &@m", "(binary == (address (var $x)) (address (map @m)))" },
		{ "$x++ + --@m[1]",
		  "(binary + (step ++ (var $x)) (step -- before (map @m (int 1))))" },
		{ "*$x.a", "(deref (field .a (var $x)))" },
		{ "-a.b", "(unary - (field .b (word a)))" },
		{ "a->b.c[1].d", "(field .d (index (field .c (field ->b (word a))) (int 1)))" },
		{ "$t.0.12", "(part 12 (part 0 (var $t)))" },
		{ "(1, 2).1", "(part 1 (tuple (int 1) (int 2)))" },
		{ "a.if + a->for.let",
		  "(binary + (field .if (word a)) (field .let (field ->for (word a))))" },
		{ "f(1)[2]", "(index (call f (int 1)) (int 2))" },
	};

	(void)state;
	check_all(pairs, COUNT(pairs), check_expr);
}

static void types_test(void **state)
{
	static const struct pair pairs[] = {
		{ "(uint8)a", "(cast uint8 (word a))" },
		{ "(uint8)a + 1", "(binary + (cast uint8 (word a)) (int 1))" },
		{ "(int32)-1", "(cast int32 (unary - (int 1)))" },
		{ "(struct file *)arg0", "(cast struct file * (word arg0))" },
		{ "(struct file)*arg0", "(cast struct file (deref (word arg0)))" },
		{ "((struct a **)b)->c", "(field ->c (cast struct a ** (word b)))" },
		{ "(struct a *)b->c", "(cast struct a * (field ->c (word b)))" },
		{ "(int8[4])a", "(cast int8[4] (word a))" },
		{ "(uint8[])a", "(cast uint8[] (word a))" },
		{ "(string[64])a", "(cast string[64] (word a))" },
		{ "(size_t)a", "(cast size_t (word a))" },
		{ "(u32 *)a", "(cast u32 * (word a))" },
		{ "(mytype)*arg0", "(cast mytype (deref (word arg0)))" },
		{ "(unsigned long)a", "(cast long unsigned int (word a))" },
		{ "(const char *)a", "(cast char * (word a))" },
		{ "(short)a", "(cast short int (word a))" },
		{ "(enum color)1", "(cast enum color (int 1))" },
		{ "(void *)&@m", "(cast void * (address (map @m)))" },
		{ "(typeof($x) *)a", "(cast typeof() * (var $x) (word a))" },
		{ "(typeof(uint8))a", "(cast uint8 (word a))" },
		/* no casts */
		{ "(arg1) * arg0", "(binary * (word arg1) (word arg0))" },
		{ "(pid) - 1", "(binary - (word pid) (int 1))" },
		{ "(AF_INET) & 3", "(binary & (word AF_INET) (int 3))" },
		{ "(a) / 2", "(binary / (word a) (int 2))" },
		{ "(a)", "(word a)" },
		{ "(a, b)", "(tuple (word a) (word b))" },
		{ "(a * b)", "(binary * (word a) (word b))" },
		{ "sizeof(struct a)", "(sizeof struct a)" },
		{ "sizeof(uint64)", "(sizeof uint64)" },
		{ "sizeof($x.a)", "(sizeof (field .a (var $x)))" },
		{ "sizeof(*curtask)", "(sizeof (deref (word curtask)))" },
		{ "offsetof(struct a, b.if.c)", "(offsetof b.if.c struct a)" },
		{ "offsetof(*$x, b)", "(offsetof b (deref (var $x)))" },
	};

	(void)state;
	check_all(pairs, COUNT(pairs), check_expr);
}

static void blocks_test(void **state)
{
	static const struct pair pairs[] = {
		{ "{ 1 }", "(block (int 1))" },
		{ "{ let $a = 1; $a++; $a }",
		  "(block (let (var $a) (int 1)) (do (step ++ (var $a))) (var $a))" },
		{ "if a { 1 } else { 2 }", "(choice (word a) (block (int 1)) (block (int 2)))" },
		{ "if (a) { 1 } else if !b { 2 } else { 3 }",
		  "(choice (word a) (block (int 1)) (choice (unary ! (word b)) (block (int 2)) (block (int 3))))" },
		{ "{ if (a) { f(); } 2 }", "(block (if (word a) (then (do (call f)))) (int 2))" },
		{ "{ if a { 1 } else { 2 } } + 1",
		  "(binary + (block (choice (word a) (block (int 1)) (block (int 2)))) (int 1))" },
		{ "comptime (1 + 2)", "(binary + (int 1) (int 2))" },
	};

	(void)state;
	check_all(pairs, COUNT(pairs), check_expr);
}

/* ---- statements ---- */

static void statements_test(void **state)
{
	static const struct pair pairs[] = {
		{ ";; f();", "(do (call f))" },
		{ "$x = 1; @y[2] = 3",
		  "(assign (var $x) (int 1)) (assign (map @y (int 2)) (int 3))" },
		{ "$x += 1; $x -= 1; $x *= 1; $x /= 1; $x %= 1",
		  "(assign + (var $x) (int 1)) (assign - (var $x) (int 1)) (assign * (var $x) (int 1)) "
		  "(assign / (var $x) (int 1)) (assign % (var $x) (int 1))" },
		{ "@x &= 1; @x |= 1; @x ^= 1; @x <<= 1; @x >>= 1",
		  "(assign & (map @x) (int 1)) (assign | (map @x) (int 1)) (assign ^ (map @x) (int 1)) "
		  "(assign << (map @x) (int 1)) (assign >> (map @x) (int 1))" },
		{ "@x++; --$y;", "(do (step ++ (map @x))) (do (step -- before (var $y)))" },
		{ "$x == 1 ? f() : g();",
		  "(do (choice (binary == (var $x) (int 1)) (call f) (call g)))" },
		{ "let $a; let $b: uint8; let $c = 1; let $d: struct x * = 2",
		  "(let (var $a)) (let uint8 (var $b)) (let (var $c) (int 1)) (let struct x * (var $d) (int 2))" },
		{ "let $a: typeof(@m) = 1", "(let typeof() (var $a) (int 1))" },
		{ "_ = f(1);", "(discard (call f (int 1)))" },
		{ "if (a) { f() }", "(if (word a) (then (do (call f))))" },
		{ "if a { } else { g(); }", "(if (word a) (else (do (call g))))" },
		{ "if (a) { 1 } else if (b) { 2 } else { 3 } f()",
		  "(if (word a) (then (do (int 1))) (else (if (word b) (then (do (int 2))) (else (do (int 3)))))) "
		  "(do (call f))" },
		{ "while ($i < 5) { $i++; continue; break }",
		  "(while (binary < (var $i) (int 5)) (then (do (step ++ (var $i))) (continue) (break)))" },
		{ "while !$i { }", "(while (unary ! (var $i)))" },
		{ "unroll(3) { f(); } unroll ($1) { f() }",
		  "(unroll (int 3) (then (do (call f)))) (unroll (param 1) (then (do (call f))))" },
		{ "for ($i : 0..10) { f($i); }",
		  "(for (var $i) (int 0) (int 10) (then (do (call f (var $i)))))" },
		{ "for $i : (1+1)..$n { }", "(for (var $i) (binary + (int 1) (int 1)) (var $n))" },
		{ "for ($kv : @m) { f($kv.0); } g()",
		  "(for map (var $kv) (map @m) (then (do (call f (part 0 (var $kv)))))) (do (call g))" },
		{ "return", "(return)" },
		{ "return 1 + 2; f()", "(return (binary + (int 1) (int 2))) (do (call f))" },
		{ "{ $a = 1; { f() } }",
		  "(block (assign (var $a) (int 1)) (block (do (call f))))" },
		{ "import \"stdlib/base\"; f()", "(do (call f))" },
		{ "f() /* a */; // b\n g(/**/)", "(do (call f)) (do (call g))" },
	};

	(void)state;
	check_dump("begin { }", "(probe begin)");
	check_all(pairs, COUNT(pairs), check_body);
}

/* ---- probes ---- */

static void probes_test(void **state)
{
	static const struct pair pairs[] = {
		{ "BEGIN { } END { }", "(probe begin) (probe end)" },
		{ "begin { $a = b.c ?? d || e ?? f ? 1 : 2; }",
		  "(probe begin (assign (var $a) (else (field .c (word b)) (else (or (word d) (word e)) (choice (word f) (int 1) (int 2))))))" },
		{ "k:f{} kr:f{} f:f{} fr:f{} kfunc:m:f{} kretfunc:f{}",
		  "(probe kprobe:f) (probe kretprobe:f) (probe fentry:f) (probe fexit:f) (probe fentry:m:f) (probe fexit:f)" },
		{ "t:a:b{} rt:a{} u:a:b{} ur:a:b{} U:a:b{} i:s:1{} p:hz:9{} s:cs:1{} h:cycles:1{} it:task{} w:0:8:w{} aw:0:8:w{}",
		  "(probe tracepoint:a:b) (probe rawtracepoint:a) (probe uprobe:a:b) (probe uretprobe:a:b) (probe usdt:a:b) "
		  "(probe interval:s:1) (probe profile:hz:9) (probe software:cs:1) (probe hardware:cycles:1) (probe iter:task) "
		  "(probe watchpoint:0:8:w) (probe asyncwatchpoint:0:8:w)" },
		{ "begin { emit(pid, a = $b ? 1 : 2, b = (c ? d : e):x, f.g:hex[6], 5); }",
		  "(probe begin (do (call emit (pid= (word pid)) (a= (choice (var $b) (int 1) (int 2))) "
		  "(b=:x (choice (word c) (word d) (word e))) (g=:hex (field .g (word f))) (= (int 5)))))" },
		{ "test:two words { } bench:in\t3 parts /1/ { } test:last , test:x\n{ }",
		  "(probe test:two words) (probe bench:in\t3 parts (if (int 1))) (probe test:last test:x)" },
		{ "self:signal:SIGUSR1 { } test:a { } bench:b { } interval:1s { }",
		  "(probe self:signal:SIGUSR1) (probe test:a) (probe bench:b) (probe interval:1s)" },
		{ "k:a, kprobe:b*[cd]?,\nbegin , end,\n{ }",
		  "(probe kprobe:a kprobe:b*[cd]? begin end)" },
		{ "name=k:f { }", "(probe kprobe:f)" },
		{ "u:/a-b/c.so.1:f+0x10 { }", "(probe uprobe:/a-b/c.so.1:f+0x10)" },
		{ "u:/a,u:/b/c:d/e{ }", "(probe uprobe:/a uprobe:/b/c:d/e)" },
		{ "u:\"/a b{\":cpp:\"n::f(int, x)\" { }", "(probe uprobe:/a b{:cpp:n::f(int, x))" },
		{ "U:/a:\"\\\"q\\\"\" { }", "(probe usdt:/a:\"q\")" },
		{ "u:$1:x$3y { } u:\"$1\":$4\"z\" { }",
		  "(probe uprobe:one:x7y) (probe uprobe:$1:z)" },
		{ "$2 { }", "(probe interval:ms:1)" },
		{ "k:f /pid == 1/ { }", "(probe kprobe:f (if (binary == (word pid) (int 1))))" },
		{ "k:f/a/{ }", "(probe kprobe:f (if (word a)))" },
		{ "k:f / @x / 2 > 1 / { }",
		  "(probe kprobe:f (if (binary > (binary / (map @x) (int 2)) (int 1))))" },
		{ "k:f /a/ // b\n/* c */ { }", "(probe kprobe:f (if (word a)))" },
		{ "u:/a:f /a/ { }", "(probe uprobe:/a:f (if (word a)))" },
		{ "begin /(1)/ { f() }", "(probe begin (if (int 1)) (do (call f)))" },
		{ "#!/usr/bin/x\n// a\nbegin { }", "(probe begin)" },
		{ "begin { };; end { }", "(probe begin) (probe end)" },
	};

	(void)state;
	check_all(pairs, COUNT(pairs), check_dump);
}

static void attach_parts_test(void **state)
{
	struct script_error error;
	const struct script_attach *a;
	struct script *s;

	(void)state;
	assert_int_equal(parse("k:f,u:./a:cpp:\"n::f\" / 1 / { }", &s, &error), 0);
	assert_int_equal(s->probe_count, 1);
	assert_int_equal(s->probes[0].attach_count, 2);
	a = &s->probes[0].attaches[1];
	assert_int_equal(a->kind, PROBE_UPROBE);
	assert_string_equal(a->text, "uprobe:./a:cpp:n::f");
	assert_string_equal(a->rest, "./a:cpp:n::f");
	assert_int_equal(a->part_count, 4);
	assert_string_equal(a->parts[3], "n::f");
	assert_null(a->parts[4]);
	assert_int_equal(a->span.start, 4);
	assert_int_equal(a->span.end, 20);
	assert_int_equal(s->probes[0].span.end, 20);
	assert_int_equal(s->probes[0].body_span.start, 27);
	script_free(s);
}

/* ---- before the probes ---- */

static void ctypes_test(void **state)
{
	static const struct pair pairs[] = {
		{ "struct a { int x, *y; unsigned char z[2][3]; struct b *p; } begin { }",
		  "(struct a (member x int) (member y int *) (member z[2][3] unsigned char) (member p struct b *)) "
		  "(probe begin)" },
		{ "union u { u64 a : 3, b : 5; u8 : 0; char c[]; }; begin { }",
		  "(union u (member a : 3 u64) (member b : 5 u64) (member  : 0 u8) (member c[] char)) (probe begin)" },
		{ "struct a { struct { int x; union { int y; }; } in[2]; } begin { }",
		  "(struct a (member in[2] (struct  (member x int) (member  (union  (member y int)))))) (probe begin)" },
		{ "struct a { struct b { int x; } b; enum { P, Q } e; } begin { }",
		  "(struct b (member x int)) (enum  (P = 0) (Q = 1)) "
		  "(struct a (member b struct b) (member e (enum  (P = 0) (Q = 1)))) (probe begin)" },
		{ "struct a { void (*f)(int, void (*)(int)); int (*g)[3]; } begin { }",
		  "(struct a (member f function void *) (member g void *)) (probe begin)" },
		{ "struct a { int x } __attribute__((packed)); struct __attribute__((__packed__)) b { int y; }; begin { }",
		  "(struct a packed (member x int)) (struct b packed (member y int)) (probe begin)" },
		{ "enum e { A, B = 1 << 4, C, D = -1, E = C + 1 }; begin { }",
		  "(enum e (A = 0) (B = 16) (C = 17) (D = -1) (E = 18)) (probe begin)" },
		{ "enum { N = 4 }; struct a { int x[N * 2]; int y:N; }; begin { }",
		  "(enum  (N = 4)) (struct a (member x[8] int) (member y : 4 int)) (probe begin)" },
		{ "typedef struct s { int x; } s_t, *s_p; typedef unsigned long word; typedef int (*fn)(void); begin { }",
		  "(struct s (member x int)) (typedef s_t (member s_t struct s)) (typedef s_p (member s_p struct s *)) "
		  "(typedef word (member word long unsigned int)) (typedef fn (member fn function void *)) (probe begin)" },
		{ "struct fwd; struct a { const struct fwd *const p; long long q; volatile short int r; }; begin { }",
		  "(struct a (member p struct fwd *) (member q long long int) (member r short int)) (probe begin)" },
		/* what a struct may look like, and is a probe */
		{ "begin { $x = (struct a *)1; }",
		  "(probe begin (assign (var $x) (cast struct a * (int 1))))" },
	};

	(void)state;
	check_all(pairs, COUNT(pairs), check_dump);
}

static void preprocessor_test(void **state)
{
	static const struct pair pairs[] = {
		{ "#include <a.h>\n#pragma x\nbegin { }", "(probe begin)" },
		{ "#include \"types.h\"\nbegin { f(NUMBER) }",
		  "(struct header (member a int)) (probe begin (do (call f (int 5))))" },
		{ "#define A 1 + 2 // x\nbegin { f(A * A) }",
		  "(probe begin (do (call f (binary + (binary + (int 1) (binary * (int 2) (int 1))) (int 2)))))" },
		{ "#define A B /* x\n y */ + \\\n 1\n#define B 2\nbegin { f(A) }",
		  "(probe begin (do (call f (binary + (int 2) (int 1)))))" },
		{ "#define A A + B\n#define B A\nbegin { f(A) }",
		  "(probe begin (do (call f (binary + (word A) (word A)))))" },
		{ "#define F(a, b) (a - b)\nbegin { g(F((1, 2), F(3, 4))); F; }",
		  "(probe begin (do (call g (binary - (tuple (int 1) (int 2)) (binary - (int 3) (int 4))))) (do (word F)))" },
		{ "#define P(f, ...) printf(f, __VA_ARGS__)\nbegin { P(\"x\", 1, 2) }",
		  "(probe begin (do (call printf (string \"x\") (int 1) (int 2))))" },
		{ "#define E\n#define F() 1\n#define S(x) sizeof(x)\nbegin { E f(F()) E; g(S(struct a)) }",
		  "(probe begin (do (call f (int 1))) (do (call g (sizeof struct a))))" },
		{ "#define x 9\nbegin { f(args.x, a->x, $x, @x, x) }",
		  "(probe begin (do (call f (field .x (word args)) (field ->x (word a)) (var $x) (map @x) (int 9))))" },
		{ "#define A 1\n#undef A\nbegin { f(A) }", "(probe begin (do (call f (word A))))" },
		{ "#ifndef BPFTRACE_HAVE_BTF\n@ broken {\n#else\nbegin { }\n#endif",
		  "(probe begin)" },
		{ "#define N 3\n#if defined(N) && N > 2 && !defined X\nbegin { }\n#elif 1\n)\n#else\n(\n#endif\nend { }",
		  "(probe begin) (probe end)" },
		{ "#if 0\n#if 1\n)\n#else\n(\n#endif\n#elif UNKNOWN == 0\nbegin { }\n#else\n'\n#endif",
		  "(probe begin)" },
		{ "#ifdef A\n#error no\n#endif\nbegin {\n#if 1\nf();\n#endif\n}",
		  "(probe begin (do (call f)))" },
	};

	(void)state;
	check_all(pairs, COUNT(pairs), check_dump);
}

static void preamble_test(void **state)
{
	static const struct pair pairs[] = {
		{ "let @a = hash(5); let @ = lruhash(1) let @b = percpuhash(2); let @c = percpulruhash(0x10); begin { }",
		  "(map @a hash 5) (map @ lruhash 1) (map @b percpuhash 2) (map @c percpulruhash 16) (probe begin)" },
		{ "let @m0 = owned_by(sk, 7); let @births = owned_by(inode) let @ = owned_by(sk); begin { }",
		  "(map @m0 hash 7 owned_by(sk)) (map @births hash 0 owned_by(inode)) (map @ hash 0 owned_by(sk)) (probe begin) "
		  "(probe kprobe:bpf_sk_storage_free|security_sk_free|sk_destruct "
		  "(if (call delete (map @m0) (cast struct sock * (word arg0)))) "
		  "(if (call delete (map @) (cast struct sock * (word arg0))))) "
		  "(probe kprobe:security_inode_free|__destroy_inode "
		  "(if (call delete (map @births) (cast struct inode * (word arg0)))))" },
		{ "import \"lib.bt\"; begin { f(twice(2)) }",
		  "(struct lib (member a int)) (probe end (do (call exit))) "
		  "(probe begin (do (call f (block (binary + (int 2) (int 2))))))" },
		{ "import \"lib.bt\"; import \"lib.bt\"; import \"stdlib/x\"; begin { }",
		  "(struct lib (member a int)) (probe end (do (call exit))) (probe begin)" },
		{ "import \"loop.bt\"; end { }", "(probe begin) (probe end)" },
		{ "config = { } begin { }", "(probe begin)" },
	};

	(void)state;
	check_all(pairs, COUNT(pairs), check_dump);
}

static void config_test(void **state)
{
	struct script_config c;
	struct script_error error;
	struct script *s;

	(void)state;
	script_config_default(&c);
	assert_int_equal(c.max_map_keys, 4096);
	assert_int_equal(c.max_strlen, 1024);
	assert_string_equal(c.str_trunc_trailer, "..");
	assert_true(c.print_maps_on_exit);
	assert_null(script_config_set(&c, "BPFTRACE_MAX_STRLEN", "64"));
	assert_int_equal(c.max_strlen, 64);
	assert_null(script_config_set(&c, "MISSING_PROBES", "warn"));
	assert_int_equal(c.missing_probes, SCRIPT_MISSING_WARN);
	assert_null(script_config_set(&c, "perf_rb_pages", "128"));
	assert_non_null(script_config_set(&c, "perf_rb_pages", "anything"));
	assert_non_null(script_config_set(&c, "cpp_demangle", "perhaps"));
	assert_false(script_is_forbidden(&c, SCRIPT_UNSTABLE_TSERIES));
	assert_null(script_config_set(&c, "unstable_tseries", "error"));
	assert_true(script_is_forbidden(&c, SCRIPT_UNSTABLE_TSERIES));
	assert_non_null(script_config_set(&c, "unstable_tseries", "perhaps"));
	assert_ptr_equal(script_config_set(&c, "nonsense", "1"), script_config_unknown);
	assert_non_null(script_config_set(&c, "max_map_keys", "many"));
	assert_non_null(script_config_set(&c, "max_map_keys", "5000000000"));
	assert_non_null(script_config_set(&c, "stack_mode", "sideways"));
	assert_int_equal(c.max_map_keys, 4096);

	assert_int_equal(
		parse("config = { stack_mode=perf; BPFTRACE_MAX_MAP_KEYS = 1e3;\nstr_trunc_trailer=\"\"; "
		      "license = \"Dual BSD/GPL\"; print_maps_on_exit = false } begin { }",
		      &s, &error),
		0);
	assert_int_equal(s->config.stack_mode, SCRIPT_STACK_PERF);
	assert_int_equal(s->config.max_map_keys, 1000);
	assert_string_equal(s->config.str_trunc_trailer, "");
	assert_string_equal(s->config.license, "Dual BSD/GPL");
	assert_false(s->config.print_maps_on_exit);
	script_free(s);
}

/* ---- macros ---- */

static void macros_test(void **state)
{
	static const struct pair pairs[] = {
		{ "macro one() { 1 } begin { f(one, one()) }",
		  "(probe begin (do (call f (block (int 1)) (block (int 1)))))" },
		{ "begin { $x = add($y + 1) } macro add(a) { a * 2 }",
		  "(probe begin (assign (var $x) (block (binary * (binary + (var $y) (int 1)) (int 2)))))" },
		{ "macro inc($a, @m) { $a += 1; @m[$a]++; } begin { inc($x, @y) }",
		  "(probe begin (block (assign + (var $x) (int 1)) (do (step ++ (map @y (var $x))))))" },
		{ "macro m(x) { let $x = x; $y = 2; $x + $y } begin { $y = 1; f(m($y)) }",
		  "(probe begin (assign (var $y) (int 1)) (do (call f (block (let (var $x#1) (var $y)) "
		  "(assign (var $y#1) (int 2)) (binary + (var $x#1) (var $y#1))))))" },
		{ "macro twice(x) { x; x } begin { twice({ f(); }); }",
		  "(probe begin (block (block (do (call f))) (block (do (call f)))))" },
		{ "macro two(x) { one(x) + one(1) } macro one(x) { x } begin { f(two(3)) }",
		  "(probe begin (do (call f (block (binary + (block (int 3)) (block (int 1)))))))" },
		{ "macro a(x) { x + 1 } begin { f(a(a(1))) }",
		  "(probe begin (do (call f (block (binary + (block (binary + (int 1) (int 1))) (int 1))))))" },
		/* a map is passed as its value, a variable by an expression that is not assigned to */
		{ "macro v(x) { x } begin { f(v(@m), v(@m[1])) }",
		  "(probe begin (do (call f (block (block (map @m))) (block (map @m (int 1))))))" },
		{ "macro v($x) { $x + 1 } begin { f(v(5)) }",
		  "(probe begin (do (call f (block (binary + (int 5) (int 1))))))" },
		/* the kinds of arguments choose */
		{ "macro o($x) { \"var\" } macro o(x) { \"expr\" } macro o(@x) { \"map\" } macro o() { \"none\" } "
		  "begin { f(o($a), o(1), o(@m), o) }",
		  "(probe begin (do (call f (block (string \"var\")) (block (string \"expr\")) (block (string \"map\")) "
		  "(block (string \"none\")))))" },
		{ "macro o(x) { let $v = x; o($v) } macro o($x) { $x } begin { f(o(1)) }",
		  "(probe begin (do (call f (block (let (var $v#1) (int 1)) (block (var $v#1))))))" },
		{ "macro m(x) { (x) - 1 } begin { f(m(2)) }",
		  "(probe begin (do (call f (block (binary - (int 2) (int 1))))))" },
		{ "macro c(x) { if (x) { 1 } else { 2 } } begin { c(1); $a = c(0) }",
		  "(probe begin (block (if (int 1) (then (do (int 1))) (else (do (int 2))))) "
		  "(assign (var $a) (block (choice (int 0) (block (int 1)) (block (int 2))))))" },
		{ "macro p(x) { x } begin /p(1)/ { }", "(probe begin (if (block (int 1))))" },
	};

	(void)state;
	check_all(pairs, COUNT(pairs), check_dump);
}

/* ---- functions ---- */

static void functions_test(void **state)
{
	static const struct pair pairs[] = {
		{ "fn add($a: int64, $b: int32): int64 { return $a + $b; } begin { f(add(1, $x)) }",
		  "(probe begin (do (call f (block (let int64 (var $a#1) (int 1)) (let int32 (var $b#1) (var $x)) "
		  "(cast int64 (binary + (var $a#1) (var $b#1)))))))" },
		{ "fn say($s: string): void { @m = $s; return; } begin { say(\"a\") }",
		  "(probe begin (block (let string (var $s#1) (string \"a\")) (assign (map @m) (var $s#1))))" },
		{ "fn p(): struct a * { return q(); } fn q(): struct a * { return curtask } begin { f(p()) }",
		  "(probe begin (do (call f (block (block (let struct a * (var $p()#1) (block "
		  "(block (let struct a * (var $q()#2) (word curtask)) (var $q()#2)))) "
		  "(var $p()#1))))))" },
		/* an early return */
		{ "fn m($a: int8): int8 { if ($a) { return 1; } g(); return 2; h(); } begin { f(m(3)) }",
		  "(probe begin (do (call f (block (let int8 (var $a#1) (int 3)) (choice (var $a#1) "
		  "(block (cast int8 (int 1))) (block (do (call g)) (cast int8 (int 2))))))))" },
		{ "fn m($a: int8): void { if ($a) { return } g() } begin { m(3) }",
		  "(probe begin (block (let int8 (var $a#1) (int 3)) (if (var $a#1) (else (do (call g))))))" },
		{ "fn m($a: int8): int8 { if ($a) { if (b) { return 1 } else { return 2 } } else { g() } h(); return 3 } "
		  "begin { f(m(3)) }",
		  "(probe begin (do (call f (block (let int8 (var $a#1) (int 3)) (choice (var $a#1) "
		  "(block (choice (word b) (block (cast int8 (int 1))) (block (cast int8 (int 2))))) "
		  "(block (do (call g)) (do (call h)) (cast int8 (int 3))))))))" },
	};

	(void)state;
	check_all(pairs, COUNT(pairs), check_dump);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(values_test, mistakes_reset),
		cmocka_unit_test_setup(operators_test, mistakes_reset),
		cmocka_unit_test_setup(types_test, mistakes_reset),
		cmocka_unit_test_setup(blocks_test, mistakes_reset),
		cmocka_unit_test_setup(statements_test, mistakes_reset),
		cmocka_unit_test_setup(probes_test, mistakes_reset),
		cmocka_unit_test_setup(attach_parts_test, mistakes_reset),
		cmocka_unit_test_setup(ctypes_test, mistakes_reset),
		cmocka_unit_test_setup(preprocessor_test, mistakes_reset),
		cmocka_unit_test_setup(preamble_test, mistakes_reset),
		cmocka_unit_test_setup(config_test, mistakes_reset),
		cmocka_unit_test_setup(macros_test, mistakes_reset),
		cmocka_unit_test_setup(functions_test, mistakes_reset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
