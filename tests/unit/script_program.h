/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * script_program.h - a program in bpftrace's language at its points, in the types of a made-up kernel (tests/lib/things.h),
 * for tests of what resolve says.
 */
#ifndef CORETAP_SCRIPT_PROGRAM_H
#define CORETAP_SCRIPT_PROGRAM_H

#include <string.h>

#include "run.h"
#include "script/inside.h"

enum { POINTS_MAX = 8 };

/* A program at its points. */
struct program {
	struct script *s;
	struct script_error error;
	struct script_world world;
	struct script_point points[POINTS_MAX];
	struct expr_input in[POINTS_MAX];
	struct script_name names[POINTS_MAX];
	struct script_names all;
	size_t count;
};

static inline uint64_t symbol_of(void *ctx, const char *name)
{
	(void)ctx;
	return strcmp(name, "jiffies") ? 0 : 0xffffffff81000000ull;
}

static const char *const program_words[] = { "42", "text", "-7" };
static struct script_option program_options[] = { { "on", NULL, false }, { "n", "5", false } };

/* A tracepoint's record. */
static const struct expr_param program_fields[] = {
	{ .name = "id", .type = "long", .offset = 8, .size = 8, .is_signed = true },
	{ .name = "filename", .type = "const char *", .offset = 16, .size = 8 },
	{ .name = "comm", .type = "char", .offset = 24, .size = 16, .is_array = true },
	{ .name = "name", .type = "char", .offset = 40, .size = 4, .where = EXPR_PARAM_DATA_LOC },
	{ .name = "flags", .type = "unsigned int", .offset = 44, .size = 4 },
};

static inline void point_fill(struct program *p, const struct script_attach *attach, size_t i)
{
	struct expr_input *in = &p->in[i];
	const char *func = attach->part_count > 1 ? attach->parts[attach->part_count - 1] : "";

	in->btf = things_btf;
	in->target = target_of(things_btf, target_name(0));
	in->point.first = i;
	in->point.count = 1;
	in->site.func_id = btf_view_func(things_btf, func);
	if (attach->kind == PROBE_TRACEPOINT) {
		in->site.func_id = 0;
		in->site.params = program_fields;
		in->site.param_count = COUNT(program_fields);
	}
	p->names[i] = (struct script_name){ attach->text, func };
	p->points[i].attach = attach;
	p->points[i].in = in;
	p->points[i].names = &p->all;
}

static inline void points_fill(struct program *p)
{
	p->all = (struct script_names){ p->names, POINTS_MAX };
	for (size_t i = 0; i < p->s->probe_count; i++) {
		const struct script_probe *probe = &p->s->probes[i];

		for (size_t j = 0; j < probe->attach_count; j++) {
			assert_true(p->count < POINTS_MAX);
			point_fill(p, &probe->attaches[j], p->count);
			p->points[p->count++].probe = probe;
		}
	}
}

static inline int program_open(struct program *p, const char *text)
{
	struct script_args args = {
		.words = program_words,
		.count = COUNT(program_words),
		.options = program_options,
		.option_count = COUNT(program_options),
	};
	int err;

	memset(p, 0, sizeof(*p));
	p->world = (struct script_world){ .kernel_symbol = symbol_of,
					  .cpus = 4,
					  .has_tai_clock = true };
	err = script_parse(text, &args, &p->s, &p->error);
	if (err)
		return err;
	points_fill(p);
	return script_infer(p->s, &p->world, p->points, p->count, &p->error);
}

/* Like script_compile, before instructions. Leaves the variables in c->vars. */
static inline void last_run(struct program *p, size_t i, struct script_state *c)
{
	*c = (struct script_state){
		.s = p->s,
		.arena = &p->s->arena,
		.error = &p->error,
		.world = &p->world,
		.point = &p->points[i],
		.btf = things_btf,
		.is_final = true,
	};
	script_resolve(c, p->points[i].probe);
	assert_int_equal(c->err, 0);
	assert_false(c->has_changed);
}

#endif
