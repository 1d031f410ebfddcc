/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tracepoint.c - probes on tracepoints: t:GROUP:NAME.
 *
 * A tracepoint has arguments, whose types are in BTF (tp_btf: the cheapest method). An event of tracefs has fields
 * computed from them, which its format file describes. Expressions may name either. Without expressions the fields
 * are shown, because they are better known.
 */
#include "probe/providers/providers.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/name_choice.h"
#include "btf/btf_modules.h"
#include "probe/providers/tracefs.h"
#include "attach/attach_error.h"
#include "util/log.h"
#include "util/glob.h"
#include "util/suggest.h"

static const struct probe_ops probe_ops_event;

/* Prefix of a function that has the tracepoint's parameters after one of its own. */
#define ITERATOR "__traceiter_"
#define TYPEDEF	 "btf_trace_"

struct event_source {
	struct tracefs_event format; /* params NULL: none */
	uint32_t iterator, hook;     /* BTF ids; hook 0: tp_btf cannot attach */
};

static const struct argdump_variant arguments_first[] = {
	ARGDUMP_VARIANT(TRACEPOINT, FENTRY, true, true),
	ARGDUMP_VARIANT(TRACEPOINT, FENTRY, true, false),
	ARGDUMP_VARIANT(TRACEPOINT, FENTRY, false, true),
	ARGDUMP_VARIANT(EVENT, EVENT, true, true),
};
static const struct argdump_variant fields_first[] = {
	ARGDUMP_VARIANT(EVENT, EVENT, true, true),
	ARGDUMP_VARIANT(TRACEPOINT, FENTRY, true, true),
	ARGDUMP_VARIANT(TRACEPOINT, FENTRY, true, false),
};

/* ---- which events ---- */

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

	tracefs_event_free(&e->format);
	free(e);
}

/* Without expressions, all fields are shown; but counting shows none, and arguments are cheaper. */
static bool fields_are_shown(const struct argdump *a, const struct argdump_request *request,
			     const struct event_source *e)
{
	return !request->expr_count && !request->is_end && !aggregate_wanted(&a->aggregate) &&
	       e->format.params;
}

/* Adds the event if it exists. Returns 0, -ENOENT or another -errno. */
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
	err = group ? tracefs_event_read(group, name, &e->format) : -ENOENT;
	if (err == -ENOENT && (!group || s->options.attach.btf || tracefs_check()))
		err = 0; /* only tracefs knows the groups */
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
	p->kind = fields_are_shown(a, request, e) ? &probe_ops_event : &probe_ops_tracepoint;
	return expr_target_detect(s->btf, "", &p->target, &none);
}

enum { EVENTS_FEW = 8 };

static bool item_accepts(const struct probe_spec_item *item, const char *group, const char *name)
{
	if (item->scope && !wildcard_matches(item->scope, group))
		return false;
	return item->is_pattern ? wildcard_matches(item->name, name) : !strcmp(item->name, name);
}

/* Adds all events of tracefs that the item matches. Returns their number, or -errno. */
static int item_events(struct session *s, struct argdump *a, const struct argdump_request *request,
		       const struct probe_spec_item *item)
{
	char *all = tracefs_read("available_events"), *text = all, *group, *name;
	int found = 0, err = 0;

	while (!err && event_line_next(&text, &group, &name)) {
		if (!item_accepts(item, group, name))
			continue;
		log_busy("finding", found, 0);
		err = event_add(s, a, request, group, name);
		found += !err;
		if (found ==
		    /* fewer events are looked up one by one, by two names each; also if out of memory */
		    EVENTS_FEW)
			btf_view_names_build(s->btf);
		if (err == -ENOENT) /* a fixed definition of the kernel, such as those of ftrace */
			err = 0;
	}
	free(all);
	return err ? err : found;
}

static int event_find(struct session *s, struct argdump *a, struct argdump_request *request,
		      const struct probe_spec_item *item)
{
	int found = 0;

	if (item->is_pattern || !item->scope || strpbrk(item->scope, "*?["))
		found = item_events(s, a, request, item);
	if (found)
		return found < 0 ? found : 0;
	/* a single name: its event or, without tracefs, only its arguments */
	return item->is_pattern ? -ENOENT : event_add(s, a, request, item->scope, item->name);
}

/* The nearest tracepoint by name; `group` is its group, NULL: unknown. */
struct near_event {
	struct suggestion name;
	const char *group;
};

static void event_offer(struct near_event *n, const char *group, const char *name)
{
	const char *before = suggest_get(&n->name);

	suggest_offer(&n->name, name);
	if (suggest_get(&n->name) != before)
		n->group = group;
}

/* Finds it in tracefs or, without tracefs, in BTF. Returns 0 or -errno. */
static int near_find(struct near_event *n, char *events, const struct btf_view *btf,
		     struct prefixed_names *names)
{
	static const char *const prefix = TYPEDEF;
	char *group, *name;
	int err = events ? 0 : prefixed_names_find(names, btf, NULL, &prefix, 1);

	while (event_line_next(&events, &group, &name))
		event_offer(n, group, name);
	for (size_t i = 0; i < names->count; i++)
		event_offer(n, NULL, names->names[i].name);
	return err;
}

static void near_report(const struct near_event *n)
{
	const char *name = suggest_get(&n->name);

	if (name && n->group)
		log_hint("did you mean t:%s:%s? argdump -l 't:%s:*' lists its group", n->group,
			 name, n->group);
	else if (name)
		log_hint("did you mean t:%s? argdump -l 't:*:%.*s*' lists such names", name,
			 (int)strcspn(name, "_"), name);
	else
		log_hint("argdump -l 't:*' lists all");
}

static int unknown_report(const struct session *s, const struct argdump_request *request,
			  const struct probe_spec_item *item)
{
	char *all = s->options.attach.btf ? NULL : tracefs_read("available_events");
	struct prefixed_names names = { 0 };
	struct near_event near = { 0 };

	suggest_init(&near.name, item->name);
	near_find(&near, all, s->btf, &names);
	log_error("%s no tracepoint %s%s%s%s",
		  s->options.attach.btf ? "the types of that file have" : "this kernel has",
		  item->is_pattern ? "like t:" : "t:", item->scope ?: "", item->scope ? ":" : "",
		  item->name);
	if (!all && !s->options.attach.btf)
		log_hint("its events cannot be read: mount tracefs on /sys/kernel/tracing, or run "
			 "as root");
	if (s->options.attach.btf)
		log_hint("a kernel's own types lack those of its modules: only the running kernel "
			 "knows them");
	near_report(&near);
	names_missing_hint(request, item->name);
	free(names.names);
	free(all);
	return EXIT_USAGE;
}

static int event_resolve(struct session *s, struct argdump *a, struct argdump_request *request)
{
	const struct probe_spec_item *item = request->spec.items;
	int err = 0;

	if (request->spec.is_return) {
		log_error("%s: a tracepoint has no return", request->text);
		return EXIT_USAGE;
	}
	for (; item < request->spec.items + request->spec.count; item++) {
		err = event_find(s, a, request, item);
		if (err)
			break;
	}
	if (err == -ENOENT)
		return unknown_report(s, request, item);
	if (!err && !s->options.attach.btf)
		tracefs_report("tracepoints have arguments, but no fields");
	return err ? attach_explain(NULL, s->btf, err) : EXIT_FINE;
}

/* ---- compiling and attaching ---- */

/* Sets the names that expressions of a variant may use. */
static void event_prepare(struct argdump_probe *p, const struct argdump_variant *variant)
{
	struct event_source *e = p->source;
	struct expr_input *in = &p->input;

	in->site.name = p->name;
	in->site.func_id = e->iterator;
	in->site.params = NULL;
	in->site.params_skipped = 1;
	in->site.params_elsewhere = e->hook && e->format.params;
	if (variant->context != EXPR_CTX_EVENT && e->hook)
		return;
	in->site.params_skipped = 0;
	in->site.params = e->format.params ?: (const struct expr_param[1]){};
	in->site.param_count = e->format.params ? e->format.count : 0;
}

static void event_target(const struct argdump_probe *p, const struct argdump_variant *variant,
			 struct attach_target *t)
{
	const struct event_source *e = p->source;

	(void)variant;
	*t = (struct attach_target){ .btf_id = e->hook, .event = e->format.id };
}

static int event_explain(struct session *s, struct argdump_probe *p, int err)
{
	(void)p;
	return attach_explain(NULL, s->btf, err);
}

#define KIND(variants_)                                                                            \
	{                                                                                          \
		.variants = variants_, .variant_count = sizeof(variants_) / sizeof(variants_[0]),  \
		.resolve = event_resolve, .find = event_find, .prepare = event_prepare,            \
		.target = event_target, .explain = event_explain,                                  \
	}
const struct probe_ops probe_ops_tracepoint = KIND(arguments_first);
/* Arguments first, or the fields of the event first. */
static const struct probe_ops probe_ops_event = KIND(fields_first);
