/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dump.c - runs the argdump compiler on a BTF file for a chosen kernel, and prints its stages.
 * No kernel is asked anything, so the output is the same everywhere.
 *
 *	dump --btf=FILE [--target=KERNEL[,kprobe[,few]][,untyped][,lockdown][,arm64]] [--stage=STAGE,…]
 *	     [--filter=WHAT,…] [--ts] [--string=N] [--number=N [--cookie]] [--depth=N]
 *	     [--sample] [--user] [--scope=return|call|session] [--diff=EXPR] [--context=unknown|no-bit]
 *	     FUNC [EXPR…]
 *	     [--marks=SET] [--in=SET] [--inside=FUNC [--keep=EXPR]…] [--begin=EXPR] [--stop=EXPR] [--in-record]
 *	     [--filter=WHAT,…] [--ts] [--string=N] [--number=N] [--measure=KIND[:EXPR]]…
 *	     [--switched] FUNC [EXPR…]
 *
 * STAGE is tokens, ast, types, plan, layout, insns or describe; or code: the instructions as a number and a hash.
 * Six cases have their listing, one of each shape; the others change in one line.
 *
 * KIND is count sum avg min max hist, or lhist/LOW/HIGH/STEP; the expressions then are the key.
 *
 * KERNEL is 5.10, 6.1, 6.12 or 6.18: what those offer. Without it, what the BTF file tells.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../lib/silent.h"
#include "../lib/targets.h"
#include "btf/btf.h"
#include "expr/expr.h"
#include "util/hash.h"

static const char *const stages[] = { "tokens", "ast", "types", "plan", "layout", "insns", NULL };

static void fail(const char *what, const char *which)
{
	fprintf(stderr, "dump: %s: %s\n", what, which);
	exit(2);
}

static void target_set(const char *words, struct expr_target *t)
{
	const char *bad;

	if (!target_words(t, words, &bad))
		fail("unknown target", bad);
}

/* The more often, the more of them. */
static void ids_add(struct event_ids *ids, uint32_t first)
{
	ids->ids[ids->count] = first + ids->count;
	ids->count++;
}

static void filter_set(char *words, struct event_filter *f)
{
	for (char *word = strtok(words, ","); word; word = strtok(NULL, ",")) {
		if (!strcmp(word, "pid"))
			ids_add(&f->pids, 1234);
		else if (!strcmp(word, "tid"))
			ids_add(&f->tids, 5678);
		else if (!strcmp(word, "uid"))
			ids_add(&f->uids, 0);
		else if (!strcmp(word, "names"))
			f->by_names = 1;
		else if (!strcmp(word, "namespace"))
			f->numbers = (struct event_numbers){
				0xffff888012345678, 1, 1000, 2000, 100, 4, 96
			};
		else if (!strcmp(word, "cgroup"))
			f->by_cgroup = 1;
		else if (!strcmp(word, "follow"))
			f->follow = 1;
		else if (!strcmp(word, "interrupts"))
			f->interrupts = 1;
		else if (!strncmp(word, "comm=", 5)) {
			f->by_comm = 1;
			strncpy(f->comm, word + 5, sizeof(f->comm) - 1);
		} else
			fail("unknown filter", word);
	}
}

static bool has_no_variable(const struct btf_view *btf, uint32_t var)
{
	(void)btf, (void)var;
	return false;
}

static void scope_set(const char *name, struct expr_input *in)
{
	if (!strcmp(name, "return"))
		in->scope = EXPR_SCOPE_RETURN;
	else if (!strcmp(name, "call") || !strcmp(name, "session"))
		in->scope = EXPR_SCOPE_CALL;
	else
		fail("unknown scope", name);
	in->session = !strcmp(name, "session");
}

static struct expr_measure measures[8];
static struct expr_aggregate aggregate = { .measures = measures };

static void measure_add(char *text)
{
	static const char *const kinds[] = { "count", "sum",   "avg", "min", "max",
					     "hist",  "lhist", "pct", NULL };
	struct expr_measure *m = &measures[aggregate.count++];
	char *expr = strchr(text, ':');
	long long low, high, step;

	if (expr)
		*expr++ = '\0';
	if (sscanf(text, "lhist/%lld/%lld/%lld", &low, &high, &step) == 3) {
		text[5] = '\0';
		m->low = low;
		m->high = high;
		m->step = step;
	}
	while (kinds[m->kind] && strcmp(kinds[m->kind], text))
		m->kind++;
	if (!kinds[m->kind])
		fail("unknown measure", text);
	m->text = expr;
}

static const char *diffs[8];

/* Marks facts about $ctx as unknown. */
static void context_set(const char *text, struct expr_input *in)
{
	if (!strcmp(text, "unknown"))
		in->context_unknown[0] = in->context_unknown[1] = true;
	else if (!strcmp(text, "no-bit"))
		in->resched_unknown = true;
	else
		fail("unknown context", text);
}

/* As providers/sample.c has them on x86-64. */
static const struct expr_param sample_values[] = {
	{ .name = "period", .size = 8, .offset = 168, .is_hidden = true },
	{ .name = "addr", .type = "void *", .size = 8, .offset = 176, .is_user = true },
};

static const char *inside[EXPR_INSIDE_MAX];
static struct expr_input marks_input;

/* FUNC: the calls that the set of --in marks; EXPRs: what they keep. */
static void inside_set(const struct btf_view *btf, const char *func, struct expr_input *in)
{
	struct expr_target none;

	if (!func)
		return;
	marks_input = (struct expr_input){ .btf = btf, .within.marks = in->within.depth_of };
	if (expr_target_detect(btf, func, &none, &marks_input.site.func_id))
		fail("damaged BTF", "");
	in->inside.texts = inside;
	in->inside.most = in->inside.count;
	in->inside.of = &marks_input;
}

static const char *keys[EXPR_PAIR_KEYS], *conditions[4];
static struct expr_pair pair = { .keys = keys };
static struct expr_input end_input;

/* FUNC or FUNC%return. */
static void pair_set(const struct btf_view *btf, char *func, struct expr_input *in)
{
	char *is_return = strchr(func, '%');
	struct expr_target none;

	if (is_return)
		*is_return = '\0';
	end_input = *in;
	end_input.scope = is_return ? EXPR_SCOPE_RETURN : EXPR_SCOPE_ENTRY;
	if (expr_target_detect(btf, func, &none, &end_input.site.func_id))
		fail("damaged BTF", "");
	pair.begin = in;
	pair.end = &end_input;
	in->pair = end_input.pair = &pair;
}

static uint64_t symbol(void *ctx, const char *name)
{
	(void)ctx;
	return !strcmp(name, "words")	  ? 0xffffffff82345678 :
	       !strcmp(name, "cpu_words") ? 0x2d000 :
					    0;
}

static void print_error(const struct expr_input *in, const struct expr_error *e)
{
	const char *text = e->text < in->count ? in->texts[e->text] : NULL;
	size_t key = e->text - in->count - in->condition_count;

	if (e->text >= in->count && e->text - in->count < in->run.diff_count)
		text = in->run.diffs[e->text - in->count];
	if (in->run.aggregate && e->text >= in->count &&
	    e->text - in->count < in->run.aggregate->count)
		text = in->run.aggregate->measures[e->text - in->count].text;
	if (in->pair && e->text >= in->count && e->text - in->count < in->condition_count)
		text = conditions[e->text - in->count];
	else if (in->pair && e->text >= in->count && key < in->pair->key_count)
		text = keys[key];
	printf("error: %s\n", e->message);
	if (text) {
		printf("    %s\n    %*s", text, (int)e->start, "");
		putchar('^');
		for (size_t i = e->start + 1; i < e->end; i++)
			putchar('~');
		putchar('\n');
	}
	if (e->hint[0])
		printf("hint: %s\n", e->hint);
}

/* The instructions in a line: a listing is for the eye, and this is enough to see that they have changed. */
static void print_code(const struct expr_program *p, struct buf *o)
{
	size_t count, return_count, begin = o->len;
	uint32_t hash;

	expr_insns(p, &count);
	expr_insns_return(p, &return_count);
	expr_dump(p, EXPR_STAGE_INSNS, o);
	hash = hash_add(HASH_BEGIN, o->data + begin, o->len - begin);
	buf_rewind(o, begin);
	buf_printf(o, "--- code\n%zu instructions", count);
	if (return_count)
		buf_printf(o, ", %zu at the return", return_count);
	buf_printf(o, ", %08x\n", hash);
}

static void print_stages(const struct expr_program *p, char *words, struct buf *o)
{
	for (char *word = strtok(words, ","); word; word = strtok(NULL, ",")) {
		int stage = 0;

		if (!strcmp(word, "describe")) {
			expr_describe(p, pair.makes_end, o);
			continue;
		}
		if (!strcmp(word, "code")) {
			print_code(p, o);
			continue;
		}
		while (stages[stage] && strcmp(stages[stage], word))
			stage++;
		if (!stages[stage])
			fail("unknown stage", word);
		buf_printf(o, "--- %s\n", word);
		expr_dump(p, stage, o);
	}
}

/* No case may show such a line: its program would lose what it does not say. */
static void check_silent(const struct expr_program *p)
{
	size_t count, return_count, relocs, return_relocs;
	const struct bpf_insn *insns = expr_insns(p, &count);
	const struct bpf_insn *at_return = expr_insns_return(p, &return_count);
	const struct expr_reloc *r = expr_relocs(p, &relocs);
	const struct expr_reloc *rr = expr_relocs_return(p, &return_relocs);
	enum expr_map_kind kind;
	int at = silent_exit_find(p, insns, count, r, relocs, &kind);

	if (at < 0)
		at = silent_exit_find(p, at_return, return_count, rr, return_relocs, &kind);
	if (at < 0)
		return;
	printf("silent exit: instruction %d, map %s\n", at, expr_map_name(kind));
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "btf", required_argument, NULL, 'b' },
		{ "target", required_argument, NULL, 't' },
		{ "stage", required_argument, NULL, 's' },
		{ "filter", required_argument, NULL, 'f' },
		{ "ts", no_argument, NULL, 'T' },
		{ "string", required_argument, NULL, 'n' },
		{ "number", required_argument, NULL, 'N' },
		{ "stacks", required_argument, NULL, 'k' },
		{ "depth", required_argument, NULL, 'd' },
		{ "scope", required_argument, NULL, 'S' },
		{ "measure", required_argument, NULL, 'm' },
		{ "diff", required_argument, NULL, 'D' },
		{ "context", required_argument, NULL, 'x' },
		{ "switched", no_argument, NULL, 'w' },
		{ "cookie", no_argument, NULL, 'c' },
		/* a pair: the end's function, keys; --end: dumps what is made for the end */
		{ "until", required_argument, NULL, 'u' },
		{ "on", required_argument, NULL, 'o' },
		{ "if", required_argument, NULL, 'i' },
		{ "end", no_argument, NULL, 'e' },
		{ "first", no_argument, NULL, 'F' },
		{ "open", no_argument, NULL, 'O' },
		{ "sample", no_argument, NULL, 'p' },
		{ "user", no_argument, NULL, 'U' },
		{ "marks", required_argument, NULL, 'M' },
		{ "in", required_argument, NULL, 'I' },
		{ "inside", required_argument, NULL, 'J' },
		{ "keep", required_argument, NULL, 'K' },
		{ "begin", required_argument, NULL, 'B' },
		{ "stop", required_argument, NULL, 'E' },
		{ "in-record", no_argument, NULL, 'R' },
		/* a kernel whose table of symbols has none */
		{ "no-variables", no_argument, NULL, 'V' },
		{ 0 },
	};
	static const struct field_name points[] = { { 0, "one", 0 }, { 1, "two", 0 } };
	struct expr_input in = {
		.run.filter.self = 99,
		.run.symbol = symbol,
	};
	char *target = NULL, *stage = NULL, *until = NULL, *around = NULL;
	struct expr_program *program;
	struct btf_view *btf = NULL;
	struct expr_error error;
	struct buf out;
	int opt, err;

	while ((opt = getopt_long(argc, argv, "+", options, NULL)) >= 0) {
		switch (opt) {
		case 'b':
			if (btf_view_open(optarg, &btf))
				fail("cannot read BTF", optarg);
			break;
		case 't': target = optarg; break;
		case 's': stage = optarg; break;
		case 'f': filter_set(optarg, &in.run.filter); break;
		case 'T': in.run.want_ts = true; break;
		case 'V': in.run.variable = has_no_variable; break;
		case 'n': in.run.string_max = atoi(optarg); break;
		case 'd': in.run.depth = atoi(optarg); break;
		case 'S': scope_set(optarg, &in); break;
		case 'N':
			in.run.many = true;
			in.probe_number = atoi(optarg);
			in.run.points = points;
			in.run.point_count = 2;
			in.point.index = 1;
			break;
		case 'c': in.point.index = -1; break;
		case 'k':
			in.run.kernel_stack = strchr(optarg, 'k');
			in.run.user_stack = strchr(optarg, 'u');
			in.run.stack_copy = strchr(optarg, 'c') ? 2 * EXPR_COPY_STEP : 0;
			in.run.stack_depth = atoi(optarg);
			in.site.on_function = true;
			in.site.function = 0xffffffff81234560;
			break;
		case 'm':
			measure_add(optarg);
			in.run.aggregate = &aggregate;
			break;
		case 'D':
			diffs[in.run.diff_count++] = optarg;
			in.run.diffs = diffs;
			break;
		case 'x': context_set(optarg, &in); break;
		case 'w': aggregate.switched = true; break;
		case 'u': until = optarg; break;
		case 'o': keys[pair.key_count++] = optarg; break;
		case 'i':
			conditions[in.condition_count++] = optarg;
			in.conditions = conditions;
			break;
		case 'e': pair.makes_end = true; break;
		case 'F': pair.keep_first = true; break;
		case 'O': pair.open = true; break;
		case 'p':
			in.site.is_sample = true;
			in.site.name = "hz:99";
			in.site.params = sample_values;
			in.site.param_count = 2;
			break;
		case 'U': in.site.in_user = in.site.at_entry = true; break;
		case 'M': in.within.marks = atoi(optarg); break;
		case 'I':
			in.within.depth_of = atoi(optarg);
			in.within.sets |= 1u << in.within.depth_of;
			break;
		case 'J': around = optarg; break;
		case 'K': inside[in.inside.count++] = optarg; break;
		case 'B': in.triggers[EXPR_TRIGGER_BEGIN] = optarg; break;
		case 'E': in.triggers[EXPR_TRIGGER_STOP] = optarg; break;
		case 'R':
			in.in_record[EXPR_TRIGGER_BEGIN] = in.in_record[EXPR_TRIGGER_STOP] = true;
			break;
		default: return 2;
		}
	}
	if (!btf || optind >= argc)
		fail("usage", "dump --btf=FILE … FUNC [EXPR…]");
	in.btf = btf;
	if (expr_target_detect(btf, argv[optind], &in.target, &in.site.func_id))
		fail("damaged BTF", "");
	in.target.arch = ARCH_X86_64; /* wherever this runs */
	if (target)
		target_set(target, &in.target);
	in.texts = (const char *const *)argv + optind + 1;
	in.count = argc - optind - 1;
	in.inside.most = in.within.marks ? in.count : 0;
	inside_set(btf, around, &in);
	if (until)
		pair_set(btf, until, &in);
	err = expr_compile(&in, &program, &error);
	if (!err)
		check_silent(program);
	buf_init(&out, STDOUT_FILENO);
	if (stage)
		print_stages(program, stage, &out);
	buf_flush(&out);
	if (err)
		print_error(&in, &error);
	buf_free(&out);
	expr_free(program);
	btf_view_close(btf);
	return err ? 1 : 0;
}
