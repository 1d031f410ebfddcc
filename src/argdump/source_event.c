// SPDX-License-Identifier: GPL-2.0
/*
 * source_event.c - probes on tracepoints: t:GROUP:NAME.
 *
 * A tracepoint has arguments, which BTF types (tp_btf: the cheapest way), and an event of tracefs has
 * fields made from them, which its format file describes. Expressions may name either; with none, the
 * fields are shown, for they are what people know.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "argdump/argdump.h"
#include "argdump/event_format.h"
#include "argdump/list.h"
#include "core/diag.h"

#define ITERATOR "__traceiter_" /* a function whose parameters are the tracepoint's, behind one of its own */
#define TYPEDEF	 "btf_trace_"

struct event_source {
	struct event_format format; /* params NULL: none */
	uint32_t iterator, hook;    /* BTF ids; hook 0: it cannot be typed */
};

#define ARGUMENTS(typed, probe_read) { PROBE_RUNG_TRACEPOINT, EXPR_RUNG_FENTRY, typed, probe_read }
#define FIELDS	  { PROBE_RUNG_TRACEPOINT, EXPR_RUNG_EVENT, true, true }
static const struct argdump_way arguments_first[] = {
	ARGUMENTS(true, true), ARGUMENTS(true, false), ARGUMENTS(false, true), FIELDS,
};
static const struct argdump_way fields_first[] = {
	FIELDS, ARGUMENTS(true, true), ARGUMENTS(true, false),
};

/* ---- which ---- */

static int source_types(const struct btf_view *btf, const char *name, struct event_source *e)
{
	char iterator[160], hook[160];
	struct btf_query q[] = { { BTF_KIND_FUNC, iterator, 0 }, { BTF_KIND_TYPEDEF, hook, 0 } };
	int err;

	snprintf(iterator, sizeof(iterator), ITERATOR "%s", name);
	snprintf(hook, sizeof(hook), TYPEDEF "%s", name);
	err = btf_view_find_all(btf, q, 2);
	e->iterator = q[0].id;
	e->hook = q[0].id ? q[1].id : 0;
	return err;
}

static void event_free(void *source)
{
	struct event_source *e = source;

	event_format_free(&e->format);
	free(e);
}

/* Adds the event if there is such a one: 0, -ENOENT or another -errno. */
static int event_add(struct session *s, struct argdump *a, const struct argdump_request *request,
		     const char *group, const char *name)
{
	struct event_source *e = calloc(1, sizeof(*e));
	struct argdump_probe *p;
	char text[192];
	uint32_t none;
	int err;

	if (!e)
		return -ENOMEM;
	err = group ? event_format_read(group, name, &e->format) : -ENOENT;
	if (err == -ENOENT)
		err = 0;
	if (!err)
		err = source_types(s->btf, name, e);
	if (!err && !e->hook && !e->format.params)
		err = -ENOENT;
	snprintf(text, sizeof(text), "%s:%s", group ? group : "", name);
	p = err ? NULL : argdump_probe_add(a, request, group ? text : name);
	if (!p) {
		event_free(e);
		return err ? err : -ENOMEM;
	}
	p->source = e;
	p->source_free = event_free;
	p->kind = request->expr_count || !e->format.params ? &probe_kind_tracepoint : &probe_kind_event;
	return expr_target_detect(s->btf, "", &p->target, &none);
}

static bool item_takes(const struct probe_spec_item *item, const char *group, const char *name)
{
	if (item->place && !probe_spec_matches(item->place, group))
		return false;
	return item->is_pattern ? probe_spec_matches(item->name, name) : !strcmp(item->name, name);
}

/* All events of tracefs that the item names. Returns how many, or -errno. */
static int item_events(struct session *s, struct argdump *a, const struct argdump_request *request,
		       const struct probe_spec_item *item)
{
	char *all = list_tracefs_read("available_events"), *text = all, *group, *name;
	int found = 0, err = 0;

	while (!err && event_line_next(&text, &group, &name)) {
		if (!item_takes(item, group, name))
			continue;
		err = event_add(s, a, request, group, name);
		found += !err;
		if (err == -ENOENT) /* a definition of the kernel's own, as those of ftrace */
			err = 0;
	}
	free(all);
	return err ? err : found;
}

static int item_resolve(struct session *s, struct argdump *a, struct argdump_request *request,
			const struct probe_spec_item *item)
{
	int found = 0;

	if (item->is_pattern || !item->place || strpbrk(item->place, "*?["))
		found = item_events(s, a, request, item);
	if (found)
		return found < 0 ? found : 0;
	/* one by its name: its event, or without tracefs its arguments alone */
	return item->is_pattern ? -ENOENT : event_add(s, a, request, item->place, item->name);
}

static int unknown_tell(struct session *s, const struct argdump_request *request)
{
	char *all = list_tracefs_read("available_events"), *text = all, *group, *name;
	const struct probe_spec_item *item = request->spec.items;
	struct nearest near;

	nearest_init(&near, item->name);
	while (event_line_next(&text, &group, &name))
		nearest_offer(&near, name);
	diag_error("this kernel has no tracepoint %s", request->text);
	if (nearest_get(&near))
		diag_hint("did you mean t:%s? argdump -l 't:*%s*' lists some", nearest_get(&near),
			  item->name);
	else if (!all)
		diag_hint("its events cannot be read: mount tracefs on /sys/kernel/tracing, be root");
	else
		diag_hint("argdump -l 't:*' lists all");
	free(all);
	(void)s;
	return EXIT_USAGE;
}

static int event_resolve(struct session *s, struct argdump *a, struct argdump_request *request)
{
	int err = 0;

	if (request->spec.is_return) {
		diag_error("%s: a tracepoint has no return", request->text);
		return EXIT_USAGE;
	}
	for (size_t i = 0; i < request->spec.count && !err; i++)
		err = item_resolve(s, a, request, &request->spec.items[i]);
	if (err == -ENOENT)
		return unknown_tell(s, request);
	return err ? probe_explain(NULL, s->btf, err) : EXIT_FINE;
}

/* ---- into the kernel ---- */

/* What the expressions of a way may name. */
static void event_prepare(struct argdump_probe *p, const struct argdump_way *way)
{
	struct event_source *e = p->source;
	struct expr_input *in = &p->input;

	in->name = p->name;
	in->func_id = e->iterator;
	in->params = NULL;
	in->params_skipped = 1;
	in->params_elsewhere = way->context == EXPR_RUNG_FENTRY && e->format.params;
	if (way->context != EXPR_RUNG_EVENT && e->hook)
		return;
	in->params_skipped = 0;
	in->params = e->format.params ?: (const struct expr_param[1]){};
	in->param_count = e->format.params ? e->format.count : 0;
}

static int event_load(struct argdump_probe *p, const struct argdump_way *way, char *log,
		      size_t log_size)
{
	const struct event_source *e = p->source;
	bool typed = way->context == EXPR_RUNG_FENTRY;
	struct program_type type = {
		.prog = typed ? BPF_PROG_TYPE_TRACING : BPF_PROG_TYPE_TRACEPOINT,
		.attach = typed ? BPF_TRACE_RAW_TP : 0,
		.btf_id = typed ? e->hook : 0,
	};
	size_t count;
	const struct bpf_insn *insns = expr_insns(p->expr, &count);

	if (typed ? !e->hook : !e->format.params)
		return -EOPNOTSUPP;
	return fd_list_add(&p->programs, program_load_as(insns, count, &type, log, log_size));
}

static int event_attach(struct argdump_probe *p, const struct argdump_way *way)
{
	const struct event_source *e = p->source;
	int fd = way->context == EXPR_RUNG_FENTRY ?
			 probe_link_tracing(p->programs.fds[0]) :
			 probe_link_event(p->programs.fds[0], e->format.id);

	return fd_list_add(&p->links, fd);
}

static int event_explain(struct session *s, struct argdump_probe *p, int err)
{
	(void)p;
	return probe_explain(NULL, s->btf, err);
}

#define KIND(ways_)                                                                                \
	{                                                                                          \
		.ways = ways_, .way_count = sizeof(ways_) / sizeof(ways_[0]),                      \
		.resolve = event_resolve, .prepare = event_prepare, .load = event_load,            \
		.attach = event_attach, .explain = event_explain,                                  \
	}
const struct probe_kind probe_kind_tracepoint = KIND(arguments_first);
const struct probe_kind probe_kind_event = KIND(fields_first);
