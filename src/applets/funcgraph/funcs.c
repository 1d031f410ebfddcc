/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * funcs.c - builds the forms of calls from functions whose entry and return argdump's engine traces.
 *
 * Two probes trace a function, and each writes a record. The return's fields are appended to the entry's, so that a
 * call becomes one record, which all printing code accepts.
 */
#include "applets/funcgraph/funcs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "output/field/value.h"
#include "util/errname.h"
#include "event.h"

/* Follows the header of a record if there are several probes. */
struct source {
	struct event_header head;
	uint32_t probe, point;
};

/* ---- schemas ---- */

/* The value of graph_first, which only graph_event_read reads. */
static const struct field *first_field(const struct schema *schema)
{
	const struct field *f = schema->fields;

	while (f < schema->fields + schema->count && !(f->flags & FIELD_PAIR))
		f++;
	return f;
}

static bool is_pair(const struct schema *schema, size_t i)
{
	return schema->fields[i].flags & FIELD_PAIR && &schema->fields[i] != first_field(schema);
}

/* Returns the field as it is in the joined record. */
static struct field result_field(const struct field *f, size_t joint)
{
	struct field r = *f;

	r.offset += joint;
	r.status += r.status ? joint : 0;
	return r;
}

static void fields_join(struct graph_form *form, struct field *fields, const struct schema *entry,
			const struct schema *result, const struct field *extra, size_t extra_count)
{
	size_t n = 0;

	for (size_t i = 0; i < entry->count; i++)
		if (!(entry->fields[i].flags & FIELD_PAIR))
			fields[n++] = entry->fields[i];
	for (size_t i = 0; i < extra_count; i++)
		fields[n++] = extra[i];
	for (size_t i = 0; i < result->count; i++)
		if (result->fields[i].type == FIELD_ERRNO)
			fields[n++] = result_field(&result->fields[i], form->joint);
	for (size_t i = 0; i < entry->count; i++)
		if (is_pair(entry, i))
			fields[n++] = entry->fields[i];
	for (size_t i = 0; i < result->count; i++)
		if (is_pair(result, i)) {
			form->ret = &fields[n];
			fields[n++] = result_field(&result->fields[i], form->joint);
		}
	form->schema.fields = fields;
	form->schema.count = n;
}

static struct graph_form *form_build(const struct argdump *a, uint32_t entry, uint32_t result,
				     const struct field *extra, size_t extra_count)
{
	const struct schema *e = &a->probes[entry].schema, *r = &a->probes[result].schema;
	struct graph_form *form = calloc(1, sizeof(*form));
	struct field *fields = calloc(e->count + r->count + extra_count, sizeof(*fields));

	if (!form || !fields) {
		free(form);
		free(fields);
		return NULL;
	}
	form->entry = entry;
	form->result = result;
	form->untyped = !a->probes[result].input.site.func_id;
	form->joint = (e->record_min + 7) & ~7ul;
	form->schema = *e;
	form->schema.record_min = form->joint + r->record_min;
	fields_join(form, fields, e, r, extra, extra_count);
	return form;
}

static struct graph_form *form_of(struct graph_funcs *f, const struct argdump *a, uint32_t entry,
				  uint32_t result, const struct field *extra, size_t extra_count)
{
	struct graph_form **forms, *form;

	for (size_t i = 0; i < f->form_count; i++)
		if (f->forms[i]->entry == entry && f->forms[i]->result == result)
			return f->forms[i];
	forms = realloc(f->forms, (f->form_count + 1) * sizeof(*forms));
	if (!forms)
		return NULL;
	f->forms = forms;
	form = form_build(a, entry, result, extra, extra_count);
	if (!form)
		return NULL;
	form->number = f->form_count;
	forms[f->form_count++] = form;
	return form;
}

/* ---- functions ---- */

static bool same_function(const char *a, const char *b)
{
	size_t len = strcspn(a, "%");

	return len == strcspn(b, "%") && !strncmp(a, b, len);
}

uint32_t graph_func_find(const struct graph_funcs *f, const char *name)
{
	for (size_t i = 0; i < f->count; i++)
		if (same_function(f->list[i].name, name))
			return i;
	return GRAPH_NONE;
}

/* Maps each point to its probe; NULL: the probe was not attached. */
static const struct argdump_probe **probes_by_point(const struct argdump *a)
{
	const struct argdump_probe **probes = calloc(a->run.point_count + 1, sizeof(*probes));

	for (size_t i = 0; probes && i < a->probe_count; i++) {
		const struct argdump_probe *p = &a->probes[i];

		for (size_t j = 0; j < (p->functions.count ?: 1) && p->fds.programs.count; j++)
			probes[p->first_point + j] = p;
	}
	return probes;
}

/* Returns the point of that function's return; GRAPH_NONE: none. */
static uint32_t result_find(const struct argdump *a, const struct argdump_probe **probes,
			    const char *name)
{
	for (size_t i = 0; i < a->run.point_count; i++)
		if (probes[i] && probes[i]->request->spec.is_return &&
		    same_function(name, a->points[i].name))
			return i;
	return GRAPH_NONE;
}

/* Functions that share a name are joined to one. */
static int func_join(struct graph_funcs *f, const struct argdump *a,
		     const struct argdump_probe **probes, size_t point, const struct field *extra,
		     size_t extra_count)
{
	const char *name = a->points[point].name;
	uint32_t known = graph_func_find(f, name), result = result_find(a, probes, name);
	const struct graph_form *form;

	if (known != GRAPH_NONE || result == GRAPH_NONE) {
		f->by_point[point] = known;
		return 0;
	}
	form = form_of(f, a, probes[point] - a->probes, probes[result] - a->probes, extra,
		       extra_count);
	if (!form)
		return -ENOMEM;
	f->list[f->count] = (struct graph_func){ name, form };
	f->by_point[point] = f->count++;
	return 0;
}

static void results_join(struct graph_funcs *f, const struct argdump *a,
			 const struct argdump_probe **probes)
{
	for (size_t i = 0; i < f->point_count; i++)
		if (probes[i] && probes[i]->request->spec.is_return)
			f->by_point[i] = graph_func_find(f, a->points[i].name);
}

int graph_funcs_build(struct graph_funcs *f, const struct argdump *a, const struct field *extra,
		      size_t extra_count)
{
	const struct argdump_probe **probes = probes_by_point(a);
	int err = 0;

	f->point_count = a->run.point_count;
	f->by_point = malloc((f->point_count + 1) * sizeof(*f->by_point));
	f->list = calloc(f->point_count + 1, sizeof(*f->list));
	if (!f->by_point || !f->list || !probes)
		err = -ENOMEM;
	else
		memset(f->by_point, 0xff, f->point_count * sizeof(*f->by_point));
	for (size_t i = 0; !err && i < f->point_count; i++)
		if (probes[i] && !probes[i]->request->spec.is_return)
			err = func_join(f, a, probes, i, extra, extra_count);
	if (!err)
		results_join(f, a, probes);
	free(probes);
	f->schemas = calloc(f->form_count + 1, sizeof(*f->schemas));
	for (size_t i = 0; i < f->form_count && f->schemas; i++)
		f->schemas[i] = &f->forms[i]->schema;
	return f->schemas ? err : -ENOMEM;
}

void graph_funcs_free(struct graph_funcs *f)
{
	for (size_t i = 0; i < f->form_count; i++) {
		free((void *)f->forms[i]->schema.fields);
		free(f->forms[i]);
	}
	free(f->forms);
	free(f->schemas);
	free(f->list);
	free(f->by_point);
	*f = (struct graph_funcs){ 0 };
}

/* ---- records ---- */

/* Stacks are aligned to their size, so the lower bits of frames on the same stack compare like all of them. */
enum { FRAME_BITS = 24, CPU_BITS = 24 };
const char graph_first[] = "(u64)$irq << 48 | (u64)$cpu << 24 | $frame & 0xffffff";
const char graph_first_return[] =
	"(u64)$irq << 48 | (u64)$cpu << 24"; /* some kernels do not know the frame then */

/* An interrupt and an idle CPU, all of thread 0, have separate calls. */
static uint64_t thread_of(const struct event_header *head, uint64_t irq, uint32_t cpu)
{
	if (irq || !head->tid)
		return (irq | 4) << 56 | (uint64_t)cpu << 32 | head->tid;
	return head->tid;
}

int graph_event_read(const struct graph_funcs *f, const struct argdump *a, const void *record,
		     size_t size, struct graph_event *e)
{
	const struct schema *schema;
	struct source s;
	struct value first;
	uint32_t cpu;

	if (size < sizeof(s))
		return -EBADMSG;
	memcpy(&s, record, sizeof(s));
	if (s.probe >= a->probe_count || s.point >= f->point_count ||
	    size < a->probes[s.probe].schema.record_min)
		return -EBADMSG;
	schema = &a->probes[s.probe].schema;
	if (field_load(first_field(schema), record, size, &first))
		return -EBADMSG;
	cpu = first.u >> FRAME_BITS & ((1U << CPU_BITS) - 1);
	*e = (struct graph_event){ .thread = thread_of(&s.head, first.u >> (FRAME_BITS + CPU_BITS),
						       cpu),
				   .func = f->by_point[s.point],
				   .is_return = a->probes[s.probe].request->spec.is_return,
				   .cpu = cpu,
				   .at = s.head.ts,
				   .frame = first.u & ((1U << FRAME_BITS) - 1),
				   .record = record,
				   .size = size };
	return 0;
}

int64_t graph_form_error(const struct graph_form *form, const void *joint, size_t size)
{
	struct value v;
	int64_t ret;

	if (!form->ret || (form->ret->type != FIELD_RET && form->ret->type != FIELD_PTR) ||
	    field_load(form->ret, joint, size, &v) || v.status != EVENT_OK)
		return 0;
	ret = (int64_t)v.u;
	if (form->untyped && !(v.u >> 32)) /* the upper half after an int is usually 0 */
		ret = (int32_t)v.u;
	if (ret >= 0 || ret < -4095 || (form->untyped && !errname(-ret)))
		return 0;
	return ret;
}
