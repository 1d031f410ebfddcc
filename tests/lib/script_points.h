/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * script_points.h - the points of a program in bpftrace's language, and the record of a simulated tracepoint.
 */
#ifndef CORETAP_SCRIPT_POINTS_H
#define CORETAP_SCRIPT_POINTS_H

#include "script/inside.h"

enum { POINTS_MAX = 8 };

struct script_points {
	struct script_point points[POINTS_MAX];
	struct expr_input in[POINTS_MAX];
	struct script_name names[POINTS_MAX];
	struct script_names all;
	size_t count;
};

static const struct expr_param tracepoint_fields[] = {
	{ .name = "id", .type = "long", .offset = 8, .size = 8, .is_signed = true },
	{ .name = "filename", .type = "const char *", .offset = 16, .size = 8, .is_user = true },
	{ .name = "comm", .type = "char", .offset = 24, .size = 16, .is_array = true },
	{ .name = "name", .type = "char", .offset = 40, .size = 4, .where = EXPR_PARAM_DATA_LOC },
	{ .name = "flags", .type = "unsigned int", .offset = 44, .size = 4 },
	{ .name = "label", .type = "const char *", .offset = 48, .size = 8 },
};

static inline void tracepoint_fill(struct expr_input *in)
{
	in->site.func_id = 0;
	in->site.params = tracepoint_fields;
	in->site.param_count = sizeof(tracepoint_fields) / sizeof(tracepoint_fields[0]);
}

/* Its function or event. */
static inline const char *attach_name(const struct script_attach *attach)
{
	return attach->part_count > 1 ? attach->parts[attach->part_count - 1] : "";
}

/* All points of the program, or as many as there is room for. `fill` sets the input of each, but for its number. */
static inline void script_points_fill(struct script_points *p, const struct script *s,
				      void (*fill)(struct expr_input *in,
						   const struct script_attach *attach,
						   const struct expr_target *target),
				      const struct expr_target *target)
{
	p->count = 0;
	p->all = (struct script_names){ p->names, POINTS_MAX };
	for (size_t i = 0; i < s->probe_count; i++) {
		for (size_t j = 0; j < s->probes[i].attach_count && p->count < POINTS_MAX; j++) {
			const struct script_attach *attach = &s->probes[i].attaches[j];
			struct expr_input *in = &p->in[p->count];

			*in = (struct expr_input){ .point.first = p->count, .point.count = 1 };
			fill(in, attach, target);
			p->names[p->count] = (struct script_name){ attach->text,
								   attach_name(attach) };
			p->points[p->count++] = (struct script_point){
				.probe = &s->probes[i], .attach = attach, .in = in, .names = &p->all
			};
		}
	}
}

#endif
