// SPDX-License-Identifier: GPL-2.0
/*
 * dump.c - runs the argdump compiler on a BTF file for a chosen kernel, and prints its stages.
 * No kernel is asked anything, so the output is the same everywhere.
 *
 *	dump --btf=FILE [--target=KERNEL[,kprobe][,untyped][,lockdown][,arm64]] [--stage=STAGE,…]
 *	     [--filter=WHAT,…] [--ts] [--string=N] [--number=N [--cookie]] [--depth=N]
 *	     [--scope=return|call|session] [--diff=EXPR] [--context=PREEMPT,MIGRATE,BIT]
 *	     FUNC [EXPR…]
 *	     [--filter=WHAT,…] [--ts] [--string=N] [--number=N] [--measure=KIND[:EXPR]]…
 *	     [--switched] FUNC [EXPR…]
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

#include "core/btf.h"
#include "expr/expr.h"

enum { CAST_ID = 9999, IS_RETURN_ID, COOKIE_ID }; /* kfuncs of the made-up kernels */

static const char *const stages[] = { "tokens", "ast", "types", "plan", "layout", "insns", NULL };

static void fail(const char *what, const char *which)
{
	fprintf(stderr, "dump: %s: %s\n", what, which);
	exit(2);
}

static void target_word(const struct btf_view *btf, const char *word, struct expr_target *t)
{
	static const char *const kernels[] = { "5.10", "6.1", "6.12", "6.18", NULL };
	int kernel = 0;

	if (!strcmp(word, "kprobe"))
		t->rung = EXPR_RUNG_KPROBE;
	else if (!strcmp(word, "multi"))
		t->rung = EXPR_RUNG_FENTRY_MULTI;
	else if (!strcmp(word, "untyped"))
		t->typed_loads = false;
	else if (!strcmp(word, "lockdown"))
		t->probe_read = false;
	else if (!strcmp(word, "arm64"))
		t->arch = EXPR_ARCH_ARM64;
	else {
		while (kernels[kernel] && strcmp(kernels[kernel], word))
			kernel++;
		if (!kernels[kernel])
			fail("unknown target", word);
		t->current_task_btf = t->func_arg = kernel >= 1;
		t->rdonly_cast_id = kernel >= 2 ? CAST_ID : 0;
		t->rdonly_cast_void = kernel >= 3;
		t->session_is_return_id = IS_RETURN_ID;
		t->session_cookie_id = COOKIE_ID;
		t->attach_kprobe_session = kernel >= 2 ? 56 : 0;
		t->attach_fsession = kernel >= 3 ? 58 : 0;
		t->pt_regs_id = btf_view_find(btf, BTF_KIND_STRUCT, "pt_regs");
		t->task_struct_id = btf_view_find(btf, BTF_KIND_STRUCT, "task_struct");
	}
}

static void target_set(const struct btf_view *btf, char *words, struct expr_target *t)
{
	for (char *word = strtok(words, ","); word; word = strtok(NULL, ","))
		target_word(btf, word, t);
}

static void filter_set(char *words, struct event_filter *f)
{
	for (char *word = strtok(words, ","); word; word = strtok(NULL, ",")) {
		if (!strcmp(word, "pid"))
			f->pid = 1234;
		else if (!strcmp(word, "tid"))
			f->tid = 5678;
		else if (!strcmp(word, "uid"))
			f->by_uid = 1;
		else if (!strcmp(word, "cgroup"))
			f->by_cgroup = 1;
		else if (!strcmp(word, "follow"))
			f->follow = 1;
		else if (!strncmp(word, "comm=", 5)) {
			f->by_comm = 1;
			strncpy(f->comm, word + 5, sizeof(f->comm) - 1);
		} else
			fail("unknown filter", word);
	}
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
static struct expr_aggregate aggregate = { .measures = measures,
	                                   .table_fd = 6,
	                                   .blank_fd = 7,
	                                   .scratch_fd = 8 };

static void measure_add(char *text)
{
	static const char *const kinds[] = { "count", "sum",  "avg",   "min",
		                             "max",   "hist", "lhist", NULL };
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
static struct expr_context context;

static int context_known(void *ctx, bool at_return, struct expr_context *known)
{
	(void)ctx;
	*known = context;
	known->preempt += at_return;
	return 0;
}

static void context_set(const char *text, struct expr_input *in)
{
	if (sscanf(text, "%u,%u,%d", &context.preempt, &context.migrate, &context.need_resched) != 3)
		fail("unknown context", text);
	in->context = context_known;
}

static void print_error(const struct expr_input *in, const struct expr_error *e)
{
	const char *text = e->text < in->count ? in->texts[e->text] : NULL;

	if (e->text >= in->count && e->text - in->count < in->diff_count)
		text = in->diffs[e->text - in->count];
	if (in->aggregate && e->text >= in->count && e->text - in->count < in->aggregate->count)
		text = in->aggregate->measures[e->text - in->count].text;
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

static void print_stages(const struct expr_program *p, char *words, struct out *o)
{
	for (char *word = strtok(words, ","); word; word = strtok(NULL, ",")) {
		int stage = 0;

		if (!strcmp(word, "describe")) {
			expr_describe(p, o);
			continue;
		}
		while (stages[stage] && strcmp(stages[stage], word))
			stage++;
		if (!stages[stage])
			fail("unknown stage", word);
		out_printf(o, "--- %s\n", word);
		expr_dump(p, stage, o);
	}
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
		{ 0 },
	};
	static const struct field_name points[] = { { 0, "one", 0 }, { 1, "two", 0 } };
	struct expr_input in = {
		.ring_fd = 1,
		.losses_fd = 2,
		.followed_fd = 4,
		.cgroups_fd = 5,
		.filter.self = 99,
	};
	char *target = NULL, *stage = NULL;
	struct expr_program *program;
	struct btf_view *btf = NULL;
	struct expr_error error;
	struct out out;
	int opt, err;

	while ((opt = getopt_long(argc, argv, "+", options, NULL)) >= 0) {
		switch (opt) {
		case 'b':
			if (btf_view_open(optarg, &btf))
				fail("cannot read BTF", optarg);
			break;
		case 't':
			target = optarg;
			break;
		case 's':
			stage = optarg;
			break;
		case 'f':
			filter_set(optarg, &in.filter);
			break;
		case 'T':
			in.want_ts = true;
			break;
		case 'n':
			in.string_max = atoi(optarg);
			break;
		case 'd':
			in.depth = atoi(optarg);
			break;
		case 'S':
			scope_set(optarg, &in);
			break;
		case 'N':
			in.many = true;
			in.probe_number = atoi(optarg);
			in.points = points;
			in.point_count = 2;
			in.point = 1;
			break;
		case 'c':
			in.point = -1;
			break;
		case 'k':
			in.kernel_stack = strchr(optarg, 'k');
			in.user_stack = strchr(optarg, 'u');
			in.stack_depth = atoi(optarg);
			in.on_function = true;
			in.function = 0xffffffff81234560;
			break;
		case 'm':
			measure_add(optarg);
			in.aggregate = &aggregate;
			break;
		case 'D':
			diffs[in.diff_count++] = optarg;
			in.diffs = diffs;
			break;
		case 'x':
			context_set(optarg, &in);
			break;
		case 'w':
			aggregate.switched = true;
			break;
		default:
			return 2;
		}
	}
	if (!btf || optind >= argc)
		fail("usage", "dump --btf=FILE … FUNC [EXPR…]");
	in.btf = btf;
	if (expr_target_detect(btf, argv[optind], &in.target, &in.func_id))
		fail("damaged BTF", "");
	if (target)
		target_set(btf, target, &in.target);
	in.texts = (const char *const *)argv + optind + 1;
	in.count = argc - optind - 1;
	err = expr_compile(&in, &program, &error);
	out_init(&out, STDOUT_FILENO);
	if (stage)
		print_stages(program, stage, &out);
	out_flush(&out);
	if (err)
		print_error(&in, &error);
	out_free(&out);
	expr_free(program);
	btf_view_close(btf);
	return err ? 1 : 0;
}
