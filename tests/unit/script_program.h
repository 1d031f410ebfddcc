/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * script_program.h - a program in bpftrace's language at its points, in the types of a simulated kernel (tests/lib/things.h),
 * for tests of what resolve says.
 */
#ifndef CORETAP_SCRIPT_PROGRAM_H
#define CORETAP_SCRIPT_PROGRAM_H

#include <string.h>

#include "run.h"
#include "../lib/script_points.h"
#include "script/inside.h"

/* A program at its points. */
struct program {
	struct script *s;
	struct script_error error;
	struct script_world world;
	struct script_points at;
};

static inline uint64_t symbol_of(void *ctx, const char *name)
{
	(void)ctx;
	return strcmp(name, "jiffies") ? 0 : 0xffffffff81000000ull;
}

static const char *const program_words[] = { "42", "text", "-7" };
static struct script_option program_options[] = { { "on", NULL, false }, { "n", "5", false } };

static inline void point_fill(struct expr_input *in, const struct script_attach *attach,
			      const struct expr_target *target)
{
	in->btf = things_btf;
	in->target = *target;
	in->site.func_id = btf_view_func(things_btf, attach_name(attach));
	if (attach->kind == PROBE_TRACEPOINT)
		tracepoint_fill(in);
}

static inline int program_open(struct program *p, const char *text)
{
	struct script_args args = {
		.words = program_words,
		.count = COUNT(program_words),
		.options = program_options,
		.option_count = COUNT(program_options),
	};
	const struct expr_target target = target_of(things_btf, target_name(0));
	int err;

	memset(p, 0, sizeof(*p));
	p->world = (struct script_world){ .kernel_symbol = symbol_of,
					  .cpus = 4,
					  .has_tai_clock = true };
	err = script_parse(text, &args, &p->s, &p->error);
	if (err)
		return err;
	script_points_fill(&p->at, p->s, point_fill, &target);
	return script_infer(p->s, &p->world, p->at.points, p->at.count, &p->error);
}

/* Like script_compile, before instructions. Leaves the variables in c->vars. */
static inline void last_run(struct program *p, size_t i, struct script_state *c)
{
	*c = (struct script_state){
		.s = p->s,
		.arena = &p->s->arena,
		.error = &p->error,
		.world = &p->world,
		.point = &p->at.points[i],
		.btf = things_btf,
		.is_final = true,
	};
	script_resolve(c, p->at.points[i].probe);
	assert_int_equal(c->err, 0);
	assert_false(c->has_changed);
}

#endif
