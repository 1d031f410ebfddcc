/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fuzz_script.c - programs in bpftrace's language, right, nearly right and wrong, through the whole compiler. None may
 * crash, leak or take long. What is parsed has all its places in the text, and prints the same twice; what is refused has
 * an error with a place; what is compiled runs on the simulated machine, which is as strict as the verifier.
 *
 *	fuzz_script BTF CORPUS [COUNT [SEED]]	prints how many of them were compiled
 *
 * CORPUS has a program in each line, with a byte 1 for its line ends; tests/fuzz/run makes it of the programs of other
 * tests. Inputs are pieces in any order, random programs (script_random.h), and those of the corpus, most of them with
 * tokens left out, doubled, or put in from another one. With -fsanitize=fuzzer (and -DLIBFUZZER) the input is the text,
 * which is only parsed.
 */
#include <ctype.h>
#include <string.h>

#include "fuzz.h"
#include "../lib/script_points.h"
#include "../lib/script_random.h"
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

static const char *text_import(void *ctx, struct script_import *in)
{
	(void)ctx;
	if (!strcmp(in->path, "a"))
		return "import \"b\"; macro twice(x) { x + x } struct s { int a; }; end { exit(); }";
	return strcmp(in->path, "b") ? NULL : "#define N 5\nimport \"a\";";
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

static void error_check(const struct script_error *e)
{
	FUZZ_CHECK(e->message[0]);
	FUZZ_CHECK(e->span.start <= e->span.end);
	FUZZ_CHECK(e->span.end <= text_length);
}

/* Returns the script, or NULL: an error with a place. */
static struct script *text_parse(const char *text, struct script_args *args)
{
	struct script_error error;
	struct script *s = NULL;
	int err;

	if (getenv("FUZZ_VERBOSE"))
		fprintf(stderr, "%s\n", text);
	text_length = strlen(text);
	err = script_parse(text, args, &s, &error);
	if (!err) {
		tree_check(s);
		return s;
	}
	FUZZ_CHECK(err == -EINVAL);
	error_check(&error);
	return NULL;
}

#ifdef LIBFUZZER

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = calloc(1, size + 1);
	struct script_args args = { .import = text_import };

	if (!text)
		abort();
	memcpy(text, data, size);
	script_free(text_parse(text, &args));
	free(text);
	return 0;
}

#else

/* ---- compilation ---- */

static struct btf_view *btf;
static struct expr_target any;
static const char *current; /* the text */

static uint64_t symbol_of(void *ctx, const char *name)
{
	(void)ctx;
	return *name == 'q' ? 0 : 0xffffffff81000000ull;
}

static void function_fill(struct expr_input *in, const struct script_attach *attach)
{
	bool is_return = attach->kind == PROBE_FEXIT || attach->kind == PROBE_KRETPROBE;

	in->site.func_id = btf_view_func(btf, attach_name(attach));
	in->site.on_function = in->site.func_id;
	if (is_return)
		in->scope = EXPR_SCOPE_RETURN;
	if (attach->kind == PROBE_KPROBE || attach->kind == PROBE_KRETPROBE)
		in->target.method = EXPR_CTX_KPROBE;
}

static void point_fill(struct expr_input *in, const struct script_attach *attach,
		       const struct expr_target *target)
{
	in->btf = btf;
	in->target = *target;
	in->run.filter.self = 1;
	switch (attach->kind) {
	case PROBE_KPROBE:
	case PROBE_KRETPROBE:
	case PROBE_FENTRY:
	case PROBE_FEXIT: function_fill(in, attach); break;
	case PROBE_TRACEPOINT:
		tracepoint_fill(in);
		in->target.method = EXPR_CTX_EVENT;
		break;
	case PROBE_RAW_TRACEPOINT:
		in->site.func_id = btf_view_func(btf, "__traceiter_sched_process_fork");
		in->site.params_skipped = 1;
		in->target.method = EXPR_CTX_FENTRY;
		break;
	case PROBE_UPROBE:
	case PROBE_URETPROBE:
		in->site.in_user = true;
		in->target.method = EXPR_CTX_KPROBE;
		break;
	case PROBE_PROFILE:
	case PROBE_SOFTWARE:
	case PROBE_INTERVAL:
		in->site.is_sample = true;
		in->target.method = EXPR_CTX_KPROBE;
		break;
	default: in->target.method = EXPR_CTX_NONE; break;
	}
}

static void insns_show(const struct expr_program *p)
{
	struct buf o;

	buf_init(&o, 2);
	if (getenv("FUZZ_VERBOSE"))
		expr_dump(p, EXPR_STAGE_INSNS, &o);
	buf_flush(&o);
	buf_free(&o);
}

/* True unless the program loops without end, or reads memory after the context, which this machine does not have: no
 * kernel loads such loops. */
static bool is_fine(const struct vm *m)
{
	return strstr(m->trouble, "no exit") ||
	       (strstr(m->trouble, "load outside of") && strstr(current, "ctx"));
}

static void program_run(struct chance *c, const struct expr_program *p)
{
	static struct vm m;
	static uint64_t memory[FUZZ_MEMORY / 8];
	uint64_t task[1024] = {};

	memset(&m, 0, sizeof(m));
	FUZZ_CHECK(vm_take(&m, p));
	memory_random(c, memory);
	memcpy(m.ctx, memory, sizeof(m.ctx));
	vm_region_add(&m, VM_TASK_AT, task, sizeof(task));
	vm_region_add(&m, VM_TASK_AT + 0x10000, memory, sizeof(memory));
	vm_region_add(&m, 0x7f0000000000, memory, sizeof(memory));
	if (!vm_run(&m, &m.code) && !is_fine(&m)) {
		insns_show(p);
		fprintf(stderr, "fuzz: %s in\n%s\n", m.trouble, current);
		abort();
	}
	vm_drop(&m);
}

static bool points_compile(struct chance *c, struct script *s, const struct script_world *w,
			   const struct script_points *p)
{
	struct script_error error = { 0 };
	int err = script_infer(s, w, p->points, p->count, &error);

	for (size_t i = 0; i < p->count && !err; i++) {
		struct expr_program *program = NULL;

		err = script_compile(s, w, &p->points[i], &program, &error);
		if (!err)
			program_run(c, program);
		expr_free(program);
	}
	FUZZ_CHECK(!err || err == -EINVAL || err == -EOPNOTSUPP);
	if (err)
		error_check(&error);
	return !err;
}

static bool text_compile(struct chance *c, const char *text)
{
	static const char *const words[] = { "one", "i:s:1" };
	static struct script_points points;
	struct script_args args = { .words = words,
				    .count = COUNT_OF(words),
				    .import = text_import };
	struct expr_target target = target_random(c, &any);
	struct script_world w = { .kernel_symbol = symbol_of, .cpus = 4, .has_unsafe = true };
	struct script *s = text_parse(text, &args);
	bool compiled;

	current = text;
	if (!s)
		return false;
	w.has_for_each = w.has_loop = w.has_lookup_per_cpu = target.func_arg;
	w.has_boot_clock = target.func_arg;
	script_points_fill(&points, s, point_fill, &target);
	compiled = points_compile(c, s, &w, &points);
	script_free(s);
	return compiled;
}

/* ---- programs ---- */

enum { LINES_MAX = 4096 };
static char *corpus; /* owned */
static const char *lines[LINES_MAX];
static size_t line_count;

static bool corpus_read(const char *path)
{
	FILE *f = fopen(path, "re");
	size_t room = 0;
	ssize_t len = f ? getdelim(&corpus, &room, '\0', f) : -1;
	char *save;

	if (f)
		fclose(f);
	for (char *l = len > 0 ? strtok_r(corpus, "\n", &save) : NULL; l && line_count < LINES_MAX;
	     l = strtok_r(NULL, "\n", &save)) {
		for (char *c = l; *c; c++)
			*c = *c == 1 ? '\n' : *c;
		lines[line_count++] = l;
	}
	return line_count;
}

#define LIST(...) ((const char *const[]){ __VA_ARGS__, NULL })

static const struct random_place common = {
	.numbers = LIST("pid", "tid", "uid", "cpu", "nsecs", "rand", "jiffies", "cgroup", "ncpus",
			"ppid", "curtask->prio", "curtask->real_parent->tgid", "curtask->in_iowait",
			"len(kstack(3))"),
	.texts = LIST("comm", "pcomm", "curtask->comm", "probetype", "str(curtask->mm->arg_start)"),
	.images = LIST("kstack", "ustack(perf, 4)", "username", "strftime(\"%H\", nsecs)",
		       "ntop(0x0100007f)", "macaddr((uint8[6])0)", "strerror(2)", "probe",
		       "ksym(kaddr(\"schedule\"))", "buf(\"abc\", 3)", "(uint8[8])nsecs",
		       "pton(\"::1\")", "cgroup_path(cgroup)", "*curtask->real_parent->cred"),
	.addresses = LIST("curtask", "curtask->mm", "curtask->mm->arg_start", "kaddr(\"jiffies\")",
			  "(uint8 *)nsecs"),
};
static const struct random_place places[] = {
	{ "begin" },
	{ "fentry:vfs_read",
	  LIST("args.count", "args.file->f_inode->i_ino", "*args.pos", "arg2", "arg0"),
	  LIST("str(args.file->f_path.dentry->d_name.name)", "str(args.buf, 20)",
	       "path(args.file->f_path)"),
	  LIST("args.file->f_path", "buf(args.buf, args.count)", "args", "func"),
	  LIST("args.file", "args.pos") },
	{ "fexit:vfs_read", LIST("retval", "args.count"), LIST("comm"), LIST("func"),
	  LIST("args.file") },
	{ "kprobe:vfs_read", LIST("arg0", "((struct file *)arg0)->f_flags", "reg(\"sp\")", "sarg1"),
	  LIST("str(arg1, arg2)"), LIST("buf(arg1, arg2)", "func"),
	  LIST("arg0", "ctx", "(uint64 *)ctx") },
	{ "kretprobe:vfs_read", LIST("retval"), LIST("comm"), LIST("func"), LIST("retval") },
	{ "tracepoint:a:b", LIST("args.id", "args.flags"),
	  LIST("args.comm", "str(args.filename)", "str(args.name)"),
	  LIST("args", "buf(args.comm, 4)"), LIST("args.filename") },
	{ "rawtracepoint:sched_process_fork", LIST("args.parent->pid", "arg0", "arg1"),
	  LIST("args.parent->comm"), LIST("*args.child->cred"), LIST("args.parent") },
	{ "uprobe:/bin/a:b", LIST("arg0", "reg(\"ip\")", "sarg0"), LIST("str(arg1, arg0)"),
	  LIST("buf(arg1, 12)"), LIST("arg1", "(int32 *)arg1"), LIST("join(arg1);") },
	{ "profile:hz:99", LIST("reg(\"ip\")"), LIST("comm"), LIST("kstack"), LIST("ctx") },
};

static void random_make(struct chance *c, struct buf *o)
{
	struct random_world w = { &common, places, COUNT_OF(places), 2 + chance_below(c, 6) };

	script_random(c, &w, o);
}

/* A right program, as a string. */
static void whole_make(struct chance *c, struct buf *o)
{
	if (chance_below(c, 2))
		random_make(c, o);
	else if (line_count && chance_below(c, 8))
		buf_str(o, lines[chance_below(c, line_count)]);
	else
		buf_str(o, whole[chance_below(c, COUNT_OF(whole))]);
	buf_char(o, '\0');
}

/* ---- tokens ---- */

enum { TOKENS_MAX = 4096 };
struct piece {
	const char *at;
	size_t len;
};

static size_t token_length(const char *at)
{
	size_t n = 1;

	if (isalnum((unsigned char)*at) || *at == '_' || *at == '$' || *at == '@') {
		while (isalnum((unsigned char)at[n]) || at[n] == '_')
			n++;
	} else if (*at == '"') {
		while (at[n] && at[n] != '"')
			n += at[n] == '\\' && at[n + 1] ? 2 : 1;
		n += at[n] == '"';
	} else if (isspace((unsigned char)*at)) {
		n = strspn(at, " \t\n");
	} else if (strchr("<>=&|+-", *at) && at[1] == *at) {
		n = 2;
	}
	return n;
}

static size_t tokens_split(const char *text, struct piece *tokens)
{
	size_t count = 0;

	for (; *text && count < TOKENS_MAX; text += tokens[count++].len)
		tokens[count] = (struct piece){ text, token_length(text) };
	return count;
}

/* A few tokens of another program, or a piece. */
static void strange_add(struct chance *c, const struct piece *others, size_t count, struct buf *o)
{
	size_t n = 1 + chance_below(c, chance_below(c, 3) ? 3 : 30), at;

	if (!count || !chance_below(c, 4)) {
		buf_str(o, pieces[chance_below(c, COUNT_OF(pieces))]);
		return;
	}
	at = chance_below(c, count);
	for (; n-- && at < count; at++)
		buf_bytes(o, others[at].at, others[at].len);
}

/* The program with some tokens left out, doubled, exchanged or put in. */
static void mutate(struct chance *c, const char *text, struct buf *o)
{
	static struct piece tokens[TOKENS_MAX], others[TOKENS_MAX];
	size_t count = tokens_split(text, tokens), other_count;
	unsigned rate = count / (1 + chance_below(c, 4)) + 1;
	struct buf other;

	buf_init(&other, -1);
	whole_make(c, &other);
	other_count = tokens_split(other.data, others);
	for (size_t i = 0; i < count; i++) {
		unsigned what = chance_below(c, rate) ? 9 : chance_below(c, 5);

		if (what == 1 || what == 2)
			strange_add(c, others, other_count, o);
		if (what == 3)
			buf_bytes(o, tokens[chance_below(c, count)].at, 1);
		if (what == 4)
			buf_bytes(o, tokens[i].at, tokens[i].len);
		if (what != 0 && what != 2)
			buf_bytes(o, tokens[i].at, tokens[i].len);
	}
	buf_free(&other);
}

static void input_make(struct chance *c, struct buf *o)
{
	static const struct fuzz_words all = { .pieces = pieces,
					       .piece_count = COUNT_OF(pieces),
					       .whole = whole,
					       .whole_count = COUNT_OF(whole),
					       .most = 40,
					       .skips = 6,
					       .head = "begin { " };
	struct fuzz_text text;
	struct buf right;

	if (!chance_below(c, 4)) {
		text_random(c, &text, &all);
		buf_str(o, text.text);
		return;
	}
	buf_init(&right, -1);
	whole_make(c, &right);
	if (chance_below(c, 3))
		mutate(c, right.data, o);
	else
		buf_str(o, right.data);
	buf_free(&right);
}

static void inputs_run(unsigned long count, unsigned long seed)
{
	unsigned long first = getenv("FUZZ_FIRST") ? strtoul(getenv("FUZZ_FIRST"), NULL, 0) : 0;
	unsigned long good = 0;

	for (unsigned long i = first; i < count; i++) {
		struct chance c = chance_of(seed, i);
		struct buf text;

		buf_init(&text, -1);
		input_make(&c, &text);
		buf_char(&text, '\0');
		good += text_compile(&c, text.data);
		buf_free(&text);
	}
	printf("%lu compiled, %lu refused\n", good, count - first - good);
}

int main(int argc, char **argv)
{
	uint32_t none;

	if (argc < 3 || btf_view_open(argv[1], &btf) || !corpus_read(argv[2]) ||
	    expr_target_detect(btf, "", &any, &none)) {
		fprintf(stderr, "usage: fuzz_script BTF CORPUS [COUNT [SEED]]\n");
		return 2;
	}
	btf_view_names_build(btf);
	inputs_run(argc > 3 ? strtoul(argv[3], NULL, 0) : 10000,
		   argc > 4 ? strtoul(argv[4], NULL, 0) : 1);
	free(corpus);
	btf_view_close(btf);
	return 0;
}

#endif
