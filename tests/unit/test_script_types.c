/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_script_types.c - types of programs in bpftrace's language: of variables and maps, of the program's own structs.
 */
#include "script_program.h"

/* "@m[key] value $v value": all maps, then the variables of the first point in the order of their places. */
static void types_write(struct program *p, struct buf *o)
{
	struct script_state c;

	last_run(p, 0, &c);
	for (size_t i = 0; i < p->s->map_count; i++) {
		const struct script_map *m = p->s->maps[i];

		buf_printf(o, "%s@%s", o->len ? " " : "", m->name);
		if (m->has_key) {
			buf_char(o, '[');
			script_type_write(NULL, &m->key, o);
			buf_char(o, ']');
		}
		buf_char(o, ' ');
		script_type_write(NULL, &m->value, o);
	}
	for (uint32_t at = 0; at < strlen(p->s->text); at++) {
		for (const struct script_var *v = c.vars; v; v = v->next) {
			if (v->span.start != at)
				continue;
			buf_printf(o, "%s$%s ", o->len ? " " : "", v->name);
			script_type_write(NULL, &v->type, o);
		}
	}
}

static void check_types(const char *text, const char *want)
{
	struct program p;
	struct buf o;
	int err = program_open(&p, text);

	if (err)
		print_error("%s\n%s\n", text, p.error.message);
	assert_int_equal(err, 0);
	buf_init(&o, -1);
	types_write(&p, &o);
	if (strcmp(taken(&o), want))
		print_error("%s\n", text);
	assert_string_equal(o.data, want);
	buf_free(&o);
	script_free(p.s);
}

/* Statements of BEGIN. */
static void check_begin(const char *stmts, const char *want)
{
	char text[1024];

	snprintf(text, sizeof(text), "BEGIN { %s }", stmts);
	check_types(text, want);
}

static const struct {
	const char *stmts, *want;
} begins[] = {
	/* literals have the smallest type; types only grow */
	{ "$a = 1;", "$a int8" },
	{ "$a = -1;", "$a int8" },
	{ "$a = 255; $b = 256; $c = 65536;", "$a int16 $b int16 $c int32" },
	{ "$a = 0xffffffffffffffff;", "$a uint64" },
	{ "$a = -129;", "$a int16" },
	{ "$a = 1; $a = -1000;", "$a int16" },
	{ "$a = (int64)1; $a = 5;", "$a int64" },
	{ "$a = 200; $a = -1;", "$a int16" },
	{ "$a = (uint64)1; $a = (int64)-1; $b = -1; $b = nsecs;", "$a int64 $b int64" },
	{ "let $a; if (0) { $a = \"abc\"; } $b = $a;", "$a string[4] $b string[4]" },
	{ "@m = (uint16[2])(uint32)1; $a = @m[1]; @t = (1, \"x\"); $b = @t[1];",
	  "@m uint16[2] @t (int8,string[2]) $a uint16 $b string[2]" },
	{ "$a = 1 + 1; $b = 300 - 299; $c = 2 - 3;", "$a int8 $b int8 $c int8" },
	{ "$a = 1 << 16;", "$a int32" },
	{ "$a = \"b\" > \"ab\"; $b = \"ab\" + \"cd\"; $c = macaddr((uint8[6])0);",
	  "$a bool $b string[5] $c mac_address" },
	{ "$a = ~0; $b = -(-5);", "$a uint64 $b int8" },
	{ "$a = (uint8)300;", "$a uint8" },
	{ "$a = (uint64)1 + 1;", "$a uint64" },
	{ "$a = 1; $a++;", "$a int64" },
	{ "$a = -1; $b = $a++;", "$a int64 $b int64" },
	{ "$a = true; $b = 1 == 2; $c = !5;", "$a bool $b bool $c bool" },
	{ "$a = nsecs == 5; $b = !pid;", "$a bool $b bool" },
	{ "$a = pid && tid; $b = pid || 1;", "$a bool $b bool" },
	{ "$a = pid + 1; $b = pid - (int8)1;", "$a uint64 $b int64" },
	{ "$a = pid >> 1; $b = (int8)pid << 1;", "$a uint64 $b int64" },
	{ "$a = pid ? 1 : 1000;", "$a int16" },
	{ "$a = pid ?: -1;", "$a int64" },
	{ "$a = 0 ? \"text\" : 5;", "$a int8" },
	{ "$a = pid ? \"a\" : \"long\";", "$a string[5]" },
	{ "$a = (uint64)-1000 << (int32)10; $b = (uint64)1 << 3; $c = (int8)-7 + 1;",
	  "$a int64 $b uint64 $c int64" },
	{ "$a = \"abc\"; $b = &$a; $c = *$b;", "$a string[4] $b string[4] * $c string[4]" },
	{ "$a = \"a\"; $b = &$a; $a = \"abc\";", "$a string[4] $b string[4] *" },
	{ "$a = true; $b = &$a; $c = *$b;", "$a bool $b bool * $c bool" },
	{ "let $a; $a = 1;", "$a int8" },
	{ "let $a: uint32; $a = 1;", "$a uint32" },
	{ "let $a: uint32 = 1;", "$a uint32" },
	{ "let $a: string[8] = \"abc\";", "$a string[8]" },
	{ "let $a: string; $a = \"abc\";", "$a string[4]" },
	{ "$a = \"x\"; $a = \"longer\";", "$a string[7]" },
	{ "$a = { let $b = 5; $b + 1 };", "$a int64 $b int8" },
	{ "if pid { $a = 1; } $a = \"text\";", "$a int8 $a string[5]" },
	{ "let $a; if pid { $a = 1; } else { $a = 300; } $b = $a;", "$a int16 $b int16" },
	{ "$a = EPERM; $b = __NR_read; $c = config().max_strlen; $d = config().stack_mode;",
	  "$a int8 $b int8 $c uint64 $d string[9]" },
	{ "$i = 0; while ($i < 5) { $x = $i; $i = $i + 1; }", "$i int64 $x int64" },
	/* parameters of the command line */
	{ "$a = $1; $b = $2; $c = $3; $d = $4; $e = $#;",
	  "$a int8 $b string[5] $c int8 $d int8 $e int8" },
	{ "$a = str($1); $b = str($2); $c = str($2 + 1); $d = str($4);",
	  "$a string[3] $b string[5] $c string[4] $d string[1]" },
	{ "$a = getopt(\"on\"); $b = getopt(\"n\", 1); $c = getopt(\"x\", \"text\");",
	  "$a bool $b uint64 $c string[5]" },
	/* builtins */
	{ "$a = pid; $b = uid; $c = comm; $d = nsecs; $e = cpu; $f = rand;",
	  "$a uint32 $b uint64 $c string[16] $d uint64 $e uint64 $f uint64" },
	{ "$a = pid(init); $b = tid(curr_ns);", "$a uint32 $b uint32" },
	{ "$a = ncpus; $b = cpid; $c = has_cpid;", "$a uint64 $b uint64 $c bool" },
	{ "$a = probe; $b = probetype;", "$a probe $b string[8]" },
	{ "$a = curtask; $b = curtask.pid; $c = curtask->comm;",
	  "$a struct task_struct * $b int32 $c string[16]" },
	{ "$a = kstack; $b = kstack(3); $c = ustack(perf, 5);",
	  "$a kstack_t $b kstack_t $c ustack_t" },
	/* functions */
	{ "$a = str((uint8 *)1); $b = str((uint8 *)1, 10); $c = str((uint8 *)1, pid);",
	  "$a string[1025] $b string[11] $c string[1025]" },
	{ "$a = buf(1, 8); $b = buf(1, pid);", "$a buffer[8] $b buffer[1024]" },
	{ "$a = ksym(1); $b = usym(1); $c = kaddr(\"jiffies\"); $d = *kaddr(\"jiffies\");",
	  "$a ksym_t $b usym_t $c uint64 $d uint64" },
	{ "$a = ntop(1); $b = ntop(2, 1); $c = pton(\"::1\"); $d = pton(\"10.0.0.1\");",
	  "$a inet $b inet $c uint8[16] $d uint8[4]" },
	{ "$a = (uint32)pton(\"127.0.0.1\"); $b = ntop(pton(\"::1\"));", "$a uint32 $b inet" },
	{ "$a = strftime(\"%H\", nsecs); $b = strerror(5); $c = syscall_name(1);",
	  "$a timestamp $b strerror_t $c syscall_name_t" },
	{ "$a = bswap((uint16)1); $b = strncmp(\"a\", comm, 3); $c = strlen(comm);",
	  "$a uint16 $b uint64 $c uint64" },
	{ "$a = strcontains(comm, \"x\"); $b = strstr(comm, \"x\"); $c = strcap(comm);",
	  "$a bool $b int64 $c int64" },
	{ "$a = cgroup_path(1); $b = username; $c = len(kstack);",
	  "$a cgroup_path_t $b username $c int64" },
	{ "$a = is_str(comm); $b = is_ptr(pid); $c = is_integer(pid); $d = is_literal(1);",
	  "$a bool $b bool $c bool $d bool" },
	{ "if (is_str(pid)) { fail(\"never\"); } $a = 1;", "$a int8" },
	{ "$a = AF_INET; $b = MINUS; $c = O_CLOEXEC;", "$a int8 $b enum kind $c int32" },
	/* tuples */
	{ "$a = (1, \"hi\", -5);", "$a (int8,string[3],int8)" },
	{ "$a = (1, 2); $a = (300, -1);", "$a (int16,int8)" },
	{ "$a = (x=1, y=\"a\"); $b = $a.y; $a = (y=\"abc\", x=3);",
	  "$a record { .x = int8, .y = string[4] } $b string[4]" },
	{ "$a = (1, (2, pid)); $b = $a.1.1; $c = $a[0];",
	  "$a (int8,(int8,uint32)) $b uint32 $c int8" },
	{ "$a = (1,); $b = ();", "$a (int8) $b ()" },
	/* casts */
	{ "$a = (struct thing *)1; $b = $a->big; $c = $a.next.number; $d = *$a;",
	  "$a struct thing * $b uint64 $c int32 $d struct thing" },
	{ "$a = ((struct thing *)1)->array; $b = ((struct thing *)1)->low;",
	  "$a string[20] $b uint32" },
	{ "$a = (uint8[8])12345; $b = $a[1]; $c = (int16[])nsecs; $d = (uint64)$a;",
	  "$a uint8[8] $b uint8 $c int16[4] $d uint64" },
	{ "$a = (bool)5; $b = (bool[2])(uint16)1;", "$a bool $b bool[2]" },
	{ "$a = (enum kind)0;", "$a enum kind" },
	{ "$a = *(uint32 *)5; $b = ((uint16 *)5)[2]; $c = (uint16 *)5 + 1;",
	  "$a uint32 $b uint16 $c uint16 *" },
	{ "$p = (struct thing **)1; $a = *$p; $b = $p[1].big;",
	  "$p struct thing ** $a struct thing * $b uint64" },
	{ "$a = sizeof(uint32); $b = sizeof(struct thing); $c = sizeof(nsecs); $d = "
	  "offsetof(struct thing, number);",
	  "$a int8 $b int16 $c int8 $d int8" },
	{ "$a = (typeof(pid))1;", "$a uint32" },
	/* maps */
	{ "@ = 1; @x = nsecs;", "@ int8 @x uint64" },
	{ "@x[pid] = 1; @x[tid] = -1;", "@x[uint32] int8" },
	{ "@x[1] = 1; @x[1000] = 2; @x[pid] = 3;", "@x[uint32] int8" },
	{ "@x[pid, comm] = 1;", "@x[(uint32,string[16])] int8" },
	{ "@x[(1, \"a\")] = 1; @x[1000, \"abc\"] = 1;", "@x[(int16,string[4])] int8" },
	{ "@x[\"a\"] = 1; @x[\"long\"] = 1;", "@x[string[5]] int8" },
	{ "@x++; @y--; @z[1]++;", "@x int64 @y int64 @z[int8] int64" },
	{ "@x += 5; @y[1] -= nsecs;", "@x int64 @y[int8] int64" },
	{ "@x = @x + 1;", "@x int64" },
	{ "$a = @x; @x = 5;", "@x int8 $a int8" },
	{ "@x = count(); @y[1] = sum(-5); @z = avg(pid); @w = hist(5); @v = lhist(5, 0, 10, 1);",
	  "@x count_t @y[int8] sum_t @z avg_t @w hist_t @v lhist_t" },
	{ "@x = count(); $a = @x; if (@x > 5) { $b = (int64)@x; } @y = 0; @y = @x;",
	  "@x count_t @y int64 $a int64 $b int64" },
	{ "@x[1] = min(5); @y = stats(5); @z = tseries(1, 1s, 5, \"max\");",
	  "@x[int8] min_t @y stats_t @z tseries_t" },
	{ "@x[1] = \"a\"; for ($kv : @x) { $a = $kv.0; $b = $kv.1; }",
	  "@x[int8] string[2] $kv (int8,string[2]) $a int8 $b string[2]" },
	{ "for ($kv : @x) { $a = $kv.1; } @x[1, 2] = count();",
	  "@x[(int8,int8)] count_t $kv ((int8,int8),int64) $a int64" },
	{ "for ($i : 0..10) { $a = $i; } for ($i : 0..ncpus) { }", "$i int8 $a int8 $i uint64" },
	{ "@x[1] = 5; $a = has_key(@x, 1000); $b = delete(@x, 1); if (find(@x, 1, $c)) { }",
	  "@x[int16] int8 $a bool $b bool $c int8" },
	{ "@x = 1; $a = len(@x); clear(@x); zero(@x); print(@x); delete(@x);", "@x int8 $a int64" },
	{ "@x[probe] = 1; @y[kstack, ksym(1)] = 1;", "@x[probe] int8 @y[(kstack_t,ksym_t)] int8" },
};

static void test_begin(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(begins); i++)
		check_begin(begins[i].stmts, begins[i].want);
}

/* In probes of functions and events. */
static const struct {
	const char *text, *want;
} probes[] = {
	{ "fentry:probe { $a = args.thing; $b = args->number; $c = args.string; $d = args.count; }",
	  "$a struct thing * $b int32 $c char * $d uint64" },
	{ "fexit:thing_probe { $a = retval; $b = retval.big; $c = args.number; }",
	  "$a struct thing * $b uint64 $c int32" },
	{ "fexit:number_probe { $a = retval; }", "$a int32" },
	{ "kprobe:probe { $a = arg0; $b = ((struct thing *)arg0)->number; $c = reg(\"ip\"); $d = func; }",
	  "$a uint64 $b int32 $c uint64 $d probe" },
	{ "kretprobe:probe { $a = retval; }", "$a uint64" },
	{ "tracepoint:a:b { $a = args.id; $b = str(args.filename); $c = args.comm; $d = "
	  "str(args.name); $e = args.flags; }",
	  "$a int64 $b string[1025] $c string[16] $d string[1025] $e uint32" },
	{ "fentry:number_probe { $a = args; @x[args] = (1, args); $b = $a.thing; }",
	  "@x[record { .thing = struct thing * }] (int8,record { .thing = struct thing * }) $a record { .thing = struct thing * } $b struct "
	  "thing *" },
	{ "let @x = percpulruhash(5); let @y = lruhash(7); BEGIN { @x[1] = count(); @y[1] = 5; }",
	  "@x[int8] count_t @y[int8] int8" },
	{ "tracepoint:a:b { $a = args->id; @x[args.comm] = count(); }",
	  "@x[string[16]] count_t $a int64" },
	{ "kprobe:probe { @start[tid] = nsecs; } kretprobe:probe /@start[tid]/ { @ns = hist(nsecs - "
	  "@start[tid]); delete(@start, tid); }",
	  "@start[uint32] uint64 @ns hist_t" },
	{ "kprobe:probe { @x[0] = ksym(0); @x[1] = func; @y = func; @y = ksym(1); }",
	  "@x[int8] ksym_t @y ksym_t" },
	{ "kprobe:probe { @x = @y; } BEGIN { @y = 5; }", "@x int8 @y int8" },
	{ "kprobe:probe,kprobe:number_probe { @[func] = count(); @b[probe] = count(); }",
	  "@[probe] count_t @b[probe] count_t" },
	{ "kprobe:probe { if (func == \"probe\") { $a = 1; } else { $a = \"text\"; } }",
	  "$a int8" },
};

/* Types of the program itself, as C lays them out. */
static const struct {
	const char *defs, *stmts, *want;
} cdefs[] = {
	{ "struct a { char c; int i; };",
	  "CHECK(sizeof(struct a) == 8) CHECK(offsetof(struct a, i) == 4) $p = (struct a *)1; $c = $p.c; $i = $p->i;",
	  "$p struct a * $c int8 $i int32" },
	/* bool and bytes are numbers there */
	{ "struct a { _Bool b; bool c; unsigned char u[2]; char s[2]; };",
	  "$p = (struct a *)1; $b = $p.b; $c = $p.c; $u = $p.u; $s = $p.s;",
	  "$p struct a * $b uint8 $c uint8 $u uint8[2] $s string[3]" },
	{ "struct a { int x; struct { char b; uint64_t l; } in; struct { short s; }; };",
	  "CHECK(sizeof(struct a) == 32) CHECK(offsetof(struct a, in.l) == 16) CHECK(offsetof(struct a, s) == 24)",
	  "" },
	{ "struct a { uint32_t lo : 3; int mid : 30; uint8_t c; };",
	  "CHECK(sizeof(struct a) == 12) $a = ((struct a *)1)->lo; $b = ((struct a *)1)->mid;",
	  "$a uint32 $b int32" },
	{ "struct a { char c; uint64_t l; } __attribute__((packed));",
	  "CHECK(sizeof(struct a) == 9) CHECK(offsetof(struct a, l) == 1)", "" },
	{ "union u { char c; uint64_t l; int a[3]; };",
	  "CHECK(sizeof(union u) == 16) $a = ((union u *)1).a; $b = $a[1];",
	  "$a int32[3] $b int32" },
	{ "struct a { struct a *next; struct thing *t; struct unknown *u; char name[8]; uint8_t b[4]; };",
	  "$a = (struct a *)1; $n = $a.next.next; $t = $a.t.number; $c = $a.name; $b = $a.b; CHECK(sizeof(struct a) == 40)",
	  "$a struct a * $n struct a * $t int32 $c string[9] $b uint8[4]" },
	{ "enum e { FIRST = 5, SECOND }; typedef struct { enum e e; void (*fn)(int); } t_t; typedef int num;",
	  "$a = SECOND; $b = ((t_t *)1)->e; CHECK(sizeof(t_t) == 16) $c = (num)5; $d = (enum e)5;",
	  "$a enum e $b enum e $c int32 $d enum e" },
	{ "struct thing { char only; };",
	  "$a = ((struct thing *)1).only; CHECK(sizeof(struct thing) == 1)", "$a int8" },
	{ "struct a { int m[2][3]; struct thing t; };",
	  "CHECK(sizeof(struct a) == 304) $a = ((struct a *)1)->m; $b = $a[1][2];",
	  "$a int32[3][2] $b int32" },
};

static void test_cdefs(void **state)
{
	char text[1024];

	(void)state;
	for (size_t i = 0; i < COUNT(cdefs); i++) {
		snprintf(text, sizeof(text),
			 "#define CHECK(is) static_assert(is, \"no\");\n%s BEGIN { %s }",
			 cdefs[i].defs, cdefs[i].stmts);
		check_types(text, cdefs[i].want);
	}
}

static void test_probes(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(probes); i++)
		check_types(probes[i].text, probes[i].want);
}
int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_begin),
		cmocka_unit_test(test_probes),
		cmocka_unit_test(test_cdefs),
	};

	return cmocka_run_group_tests(tests, setup, NULL);
}
