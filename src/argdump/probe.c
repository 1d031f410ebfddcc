// SPDX-License-Identifier: GPL-2.0
/*
 * probe.c - one probe: its program compiled for a way, and all that it owns.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "argdump/argdump.h"
#include "argdump/context.h"
#include "core/diag.h"
#include "core/ksyms.h"

int fd_list_add(struct fd_list *l, int fd)
{
	int *fds;

	if (fd < 0)
		return fd;
	fds = realloc(l->fds, (l->count + 1) * sizeof(*fds));
	if (!fds) {
		close(fd);
		return -ENOMEM;
	}
	fds[l->count++] = fd;
	l->fds = fds;
	return 0;
}

void fd_list_close(struct fd_list *l)
{
	for (size_t i = 0; i < l->count; i++)
		close(l->fds[i]);
	free(l->fds);
	*l = (struct fd_list){ 0 };
}

struct argdump_probe *argdump_probe_add(struct argdump *a, const struct argdump_request *request,
					const char *name)
{
	struct argdump_probe *probes, *p;

	probes = realloc(a->probes, (a->probe_count + 1) * sizeof(*probes));
	if (!probes)
		return NULL;
	a->probes = probes;
	p = &probes[a->probe_count];
	*p = (struct argdump_probe){
		.request = request,
		.kind = probe_kinds[request->spec.kind],
		.name = strdup(name),
	};
	a->probe_count += p->name != NULL;
	return p->name ? p : NULL;
}

int argdump_points_make(struct argdump *a)
{
	size_t count = 0, n = 0;

	for (size_t i = 0; i < a->probe_count; i++)
		count += a->probes[i].function_count ?: 1;
	a->points = calloc(count + 1, sizeof(*a->points));
	if (!a->points)
		return -ENOMEM;
	for (struct argdump_probe *p = a->probes; p < a->probes + a->probe_count; p++) {
		p->first_point = n;
		for (size_t i = 0; i < (p->function_count ?: 1); i++, n++)
			a->points[n] = (struct field_name){
				n, p->function_count ? p->functions[i]->types.name : p->name, 0
			};
	}
	a->point_count = n;
	return 0;
}

static void maps_set(struct expr_input *in, const struct program_maps *maps)
{
	in->ring_fd = maps->ring;
	in->losses_fd = maps->losses;
	in->followed_fd = maps->followed;
	in->cgroups_fd = maps->cgroups;
	in->text_fd = maps->text;
}

static void conditions_set(const struct argdump *a, struct argdump_probe *p)
{
	struct expr_input *in = &p->input;

	in->conditions = p->conditions;
	in->condition_count = 0;
	if (a->condition)
		p->conditions[in->condition_count++] = a->condition;
	if (p->request->condition)
		p->conditions[in->condition_count++] = p->request->condition;
}

static int table_map(void *ctx, const void *table, size_t size)
{
	struct argdump_probe *p = ctx;
	int fd = program_table_map(table, size), err = 0;

	if (fd >= 0 && p->maps->text < 0)
		err = program_text_open(p->maps, EXPR_TEXT_SIZE);
	p->input.text_fd = p->maps->text;
	return fd_list_add(&p->tables, fd) ?: err ?: fd;
}

static int calls_map(void *ctx, uint32_t size)
{
	struct argdump_probe *p = ctx;
	int fd = program_calls_map(size, p->input.siblings);

	return fd_list_add(&p->tables, fd) ?: fd;
}

static int places_map(void *ctx, uint32_t size)
{
	struct argdump_probe *p = ctx;
	int fd = program_places_map(size);

	return fd_list_add(&p->tables, fd) ?: fd;
}

static int context_known(void *ctx, bool at_return, struct expr_context *known)
{
	return context_measure(ctx, at_return, known);
}

static uint64_t symbol_address(void *ctx, const char *name)
{
	(void)ctx;
	return ksyms_address(name, NULL);
}

/* A system call may be one, or a tracepoint. */
static bool on_function(const struct argdump_probe *p, const struct argdump_way *way)
{
	enum probe_spec_kind kind = p->request->spec.kind;

	return (kind == PROBE_SPEC_FUNCTION || kind == PROBE_SPEC_SYSCALL) &&
	       way->rung != PROBE_RUNG_TRACEPOINT;
}

/* Frame 0 of stacks, where the program itself cannot tell: one function, of which there is one. */
static uint64_t function_address(const struct session *s, const struct argdump_probe *p)
{
	const struct probe_spec *spec = &p->request->spec;
	const struct btf_type *func = btf_view_type(s->btf, p->input.func_id);
	size_t count = 0;
	uint64_t address = 0;

	if (s->options.kernel_stack && func && spec->kind == PROBE_SPEC_FUNCTION &&
	    spec->count == 1 && !spec->items->is_pattern && !spec->items->has_offset)
		address = ksyms_address(btf_view_string(s->btf, func->name_off), &count);
	return count == 1 ? address : 0;
}

int argdump_probe_compile(struct session *s, struct argdump *a, struct argdump_probe *p,
			  const struct argdump_way *way, struct expr_error *error)
{
	static const struct field_name unnamed;
	struct expr_input *in = &p->input;

	*error = (struct expr_error){ .text = (size_t)-1 };
	in->btf = p->btf ?: s->btf;
	in->texts = p->request->exprs;
	in->count = p->request->expr_count;
	in->scope = p->kind->scope;
	in->string_max = a->string_max;
	in->diffs = a->diffs;
	in->diff_count = a->diff.count;
	if (aggregate_wanted(&a->aggregate)) {
		in->texts = a->aggregate.keys;
		in->count = a->aggregate.key_count;
		in->aggregate = &a->aggregate.input;
		a->aggregate.input.number = p->number;
	}
	conditions_set(a, p);
	in->caller_first = p->request->with_caller && !in->aggregate;
	in->caller_alone = in->caller_first && p->request->caller_alone;
	in->depth = a->depth;
	in->zeros = a->zeros;
	in->symbol = symbol_address;
	p->rung = way->rung;
	in->context = context_known;
	in->table = a->maps.losses < 0 ? NULL : table_map;
	in->session = p->kind->scope == EXPR_SCOPE_CALL && way->session;
	in->calls_map = a->maps.losses < 0 ? NULL : calls_map;
	in->places_map = a->maps.losses < 0 ? NULL : places_map;
	p->maps = &a->maps;
	in->siblings = a->probe_count;
	in->ctx = p;
	fd_list_close(&p->tables);
	in->want_ts = s->options.json || s->options.timestamp != TIMESTAMP_NONE;
	in->kernel_stack = s->options.kernel_stack;
	in->user_stack = s->options.user_stack;
	in->stack_depth = s->options.stack_depth;
	in->on_function = on_function(p, way);
	in->function = function_address(s, p);
	in->many = a->many;
	in->probe_number = p->number;
	in->points = a->points ?: &unnamed; /* at first, when functions are still being sorted */
	in->point_count = a->point_count;
	in->points_hidden = a->one_call;
	in->point_width = a->point_width;
	in->point = p->function_count > 1 ? -1 : (int)p->first_point;
	session_filter_fill(s, &in->filter);
	in->target = p->target;
	in->target.rung = way->context;
	in->target.typed_loads = way->typed_loads;
	in->target.probe_read = way->probe_read;
	maps_set(in, &a->maps);
	if (p->kind->prepare)
		p->kind->prepare(p, way);
	expr_free(p->expr);
	p->expr = NULL;
	return expr_compile(in, &p->expr, error);
}

/* NULL: the error is about none. */
static const char *text_of(const struct expr_input *in, size_t i)
{
	size_t conditions = in->count, measures = conditions + in->condition_count;

	if (i < conditions)
		return in->texts[i];
	if (i < measures)
		return in->conditions[i - conditions];
	if (in->aggregate && i - measures < in->aggregate->count)
		return in->aggregate->measures[i - measures].text;
	if (i - measures < in->diff_count)
		return in->diffs[i - measures];
	return NULL;
}

void argdump_probe_error_tell(const struct argdump_probe *p, const struct expr_error *e)
{
	const char *text = text_of(&p->input, e->text);

	diag_error("%s", e->message);
	if (text)
		diag_caret(text, e->start, e->end);
	if (e->hint[0])
		diag_hint("%s", e->hint);
}

#define REGISTER(offset_)                                                                         \
	{ .name = "", .size = 8, .is_hidden = true, .where = EXPR_PARAM_REGISTER, .offset = offset_ }
const struct expr_param argdump_registers[ARGDUMP_REGISTERS] = { REGISTERS_FUNCTION(REGISTER) };

void argdump_probe_untyped(struct argdump_probe *p)
{
	p->input.name = p->name;
	if (p->input.func_id)
		return;
	p->input.params = argdump_registers;
	p->input.param_count = p->kind == &probe_kind_instruction ? 0 : ARGDUMP_REGISTERS;
}

bool argdump_rung_asked(const struct session *s, enum probe_rung rung)
{
	return s->options.rung == PROBE_RUNG_ANY || s->options.rung == (int)rung;
}

bool argdump_way_possible(const struct session *s, const struct argdump_probe *p,
			  const struct argdump_way *way)
{
	if (way->rung == PROBE_RUNG_FENTRY_MULTI && p->attach_type < 0)
		return false;
	if (p->by_kprobe && way->rung != PROBE_RUNG_KPROBE)
		return false;
	return argdump_rung_asked(s, way->rung);
}

int argdump_probe_compile_any(struct session *s, struct argdump *a, struct argdump_probe *p,
			      struct expr_error *error)
{
	const struct argdump_way *way = p->kind->ways, *end = way + p->kind->way_count;
	int err = -EOPNOTSUPP;

	*error = (struct expr_error){ .text = (size_t)-1, .message = "it has no such --rung" };
	for (; way < end && err == -EOPNOTSUPP; way++) {
		if (!argdump_way_possible(s, p, way))
			continue;
		err = argdump_probe_compile(s, a, p, way, error);
		p->way = way;
	}
	return err;
}

int argdump_probe_compile_or_tell(struct session *s, struct argdump *a, struct argdump_probe *p)
{
	struct expr_error error;
	int err = argdump_probe_compile_any(s, a, p, &error);

	if (err == -ENOMEM)
		diag_error("out of memory");
	else if (err)
		argdump_probe_error_tell(p, &error);
	return err;
}

void argdump_probe_drop(struct argdump *a)
{
	argdump_probe_close(&a->probes[--a->probe_count]);
}

/* Of a call, where the entry has nothing to tell. */
static bool is_return_alone(const struct argdump_probe *p)
{
	size_t entry = 0, at_return = 0;

	if (p->expr) {
		expr_insns(p->expr, &entry);
		expr_insns_return(p->expr, &at_return);
	}
	return at_return && !entry;
}

const char *argdump_rung_name(const struct argdump_probe *p, const struct argdump_way *way)
{
	if (p->input.scope == EXPR_SCOPE_CALL && !is_return_alone(p))
		return way->name;
	if (p->input.scope == EXPR_SCOPE_CALL)
		return way->context == EXPR_RUNG_KPROBE ? "kretprobe" : "fexit";
	return probe_rung_name(way->rung, p->input.scope == EXPR_SCOPE_RETURN);
}

void argdump_probe_close(struct argdump_probe *p)
{
	fd_list_close(&p->links);
	fd_list_close(&p->programs);
	fd_list_close(&p->tables);
	fd_list_close(&p->switches);
	free(p->functions);
	sink_free(&p->sink);
	expr_free(p->expr);
	if (p->source)
		p->source_free(p->source);
	free(p->name);
}
