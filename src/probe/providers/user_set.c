/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * user_set.c - probes on the user functions that match a pattern: u:libc:'m*alloc'.
 *
 * If the kernel has uprobe.multi they are one probe with one link (for whole calls two: entries and returns), and the
 * cookie identifies the function. Otherwise, and in pairs, each gets its own probe.
 */
#include "probe/providers/providers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probe/providers/user_file.h"
#include "attach/attach_error.h"
#include "symbols/kernel/functions.h"
#include "symbols/user/usyms.h"
#include "symbols/user/usyms_match.h"
#include "util/errname.h"
#include "util/log.h"

/* ---- reporting what was found ---- */

static bool at_return(const struct argdump_request *r)
{
	return r->both || r->spec.is_return;
}

static void left_out_report(const struct usym_functions *found)
{
	for (int fault = USYM_FINE + 1; fault < USYM_FAULTS; fault++) {
		size_t count = found->left_out[fault].count;

		if (count && fault == USYM_RETURN)
			log_note("%zu function%s left out, e.g. %s: %s", count,
				 count == 1 ? "" : "s", found->left_out[fault].first,
				 usym_faults[fault]);
		else if (count)
			log_debug(1, "%zu left out, e.g. %s: %s", count,
				  found->left_out[fault].first, usym_faults[fault]);
	}
}

/* Reports functions with several names: each is traced once. */
static void aliases_report(const struct usym_functions *found)
{
	const struct usym_function *first = NULL;

	for (const struct usym_function *f = found->list; f < found->list + found->count; f++) {
		if (!f->also)
			continue;
		first = first ?: f;
		log_debug(1, "%s is also %s", demangle_shown(f->name, DEMANGLE_SHORT), f->also);
	}
	if (first)
		log_note("%zu function%s more than one name: %s is also %s%s", found->aliases,
			 found->aliases == 1 ? " has" : "s have",
			 demangle_shown(first->name, DEMANGLE_SHORT), first->also,
			 found->aliases == 1 ? "" : "; -v lists them");
}

static int none_report(const struct user_source *u, const struct probe_spec_item *item,
		       const struct usym_functions *found)
{
	for (int fault = USYM_FINE + 1; fault < USYM_FAULTS; fault++) {
		if (!found->left_out[fault].count)
			continue;
		log_error("cannot trace %s: %s", found->left_out[fault].first, usym_faults[fault]);
		return EXIT_CANNOT;
	}
	log_error("%s has no function like %s", u->file.path, item->name);
	log_hint("a stripped file has only the functions that it exports: argdump -l 'u:%s:*'",
		 item->scope);
	return EXIT_USAGE;
}

/* ---- one probe for all ---- */

/* The functions that are not attached yet, or cannot be. */
struct targets {
	struct attach_target t;
	int program;
	uint64_t *offsets, *cookies;
	bool *refused;
	size_t count, left_out;
	size_t first; /* the first of those left out */
	int err;
};

/* True if other functions would be refused as well. */
static bool is_final(int err)
{
	return err == -EPERM || err == -EACCES || err == -ENOMEM || err == -EMFILE ||
	       err == -ENFILE || err == -EOPNOTSUPP;
}

/* Attaches a range by halving: the kernel attaches all or none, and does not tell which one it refuses. */
static int range_attach(struct argdump_probe *p, const struct argdump_variant *variant,
			struct targets *targets, size_t from, size_t count)
{
	const struct attach_multi part = { .count = count,
					   .addresses = targets->offsets + from,
					   .cookies = targets->cookies + from };
	int link;

	targets->t.multi = &part;
	link = attach_link(variant->method, &targets->t, targets->program);
	if (link >= 0 || is_final(link))
		return fdset_add(&p->fds.links, link);
	if (count > 1)
		return range_attach(p, variant, targets, from, count / 2) ?:
			       range_attach(p, variant, targets, from + count / 2,
					    count - count / 2);
	targets->refused[from] = true;
	targets->first = targets->left_out++ ? targets->first : targets->cookies[from];
	targets->err = link;
	return 0;
}

/* Drops functions that were refused on one side of the calls: the other side must not be attached. */
static void refused_drop(struct targets *targets)
{
	size_t kept = 0;

	for (size_t i = 0; i < targets->count; i++) {
		if (targets->refused[i])
			continue;
		targets->offsets[kept] = targets->offsets[i];
		targets->cookies[kept++] = targets->cookies[i];
	}
	memset(targets->refused, 0, targets->count * sizeof(*targets->refused));
	targets->count = kept;
}

/* Attaches the return first, as call_attach does. */
static int sides_attach(struct argdump_probe *p, const struct argdump_variant *variant,
			struct targets *targets)
{
	bool alone = argdump_is_return_alone(p);
	int err = 0;

	for (size_t i = 0; i < p->fds.programs.count && !err && targets->count; i++) {
		targets->program = p->fds.programs.fds[i];
		p->kind->target(p, variant, &targets->t);
		targets->t.is_return |= alone || (p->fds.programs.count == 2 && i == 0);
		err = range_attach(p, variant, targets, 0, targets->count);
		refused_drop(targets);
	}
	return err ?: targets->count ? 0 : targets->err;
}

static int set_attach(struct argdump_probe *p, const struct argdump_variant *variant)
{
	size_t count = p->functions.count;
	struct targets targets = {
		.offsets = calloc(count, sizeof(*targets.offsets)),
		.cookies = calloc(count, sizeof(*targets.cookies)),
		.refused = calloc(count, sizeof(*targets.refused)),
		.count = count,
	};
	int err = targets.offsets && targets.cookies && targets.refused ? 0 : -ENOMEM;

	for (size_t i = 0; i < count && !err; i++) {
		targets.offsets[i] = p->functions.items[i]->address;
		targets.cookies[i] = p->first_point + i;
	}
	log_busy("attaching", 0, count);
	if (!err)
		err = sides_attach(p, variant, &targets);
	if (!err && targets.left_out)
		log_note("%zu function%s left out, e.g. %s: the kernel refused: %s",
			 targets.left_out, targets.left_out == 1 ? "" : "s",
			 p->functions.items[targets.first - p->first_point]->name,
			 errtext(-targets.err));
	free(targets.offsets);
	free(targets.cookies);
	free(targets.refused);
	return err;
}

static int set_explain(struct session *s, struct argdump_probe *p, int err)
{
	(void)s;
	return attach_explain_user(p->name, err);
}

static const struct argdump_variant variants[] = {
	ARGDUMP_VARIANT(UPROBE_MULTI, KPROBE, true, true),
	ARGDUMP_VARIANT(UPROBE_MULTI, KPROBE, false, true),
};

#define SET_KIND                                                                                   \
	.variants = variants, .variant_count = sizeof(variants) / sizeof(variants[0]),             \
	.prepare = user_prepare, .target = user_target, .attach = set_attach,                      \
	.explain = set_explain

static const struct probe_ops probe_ops_user_set = { SET_KIND };
static const struct probe_ops probe_ops_user_call_set = {
	SET_KIND,
	.scope = EXPR_SCOPE_CALL,
	.load = call_load,
};

/* Adds one probe for all; `u` owns the set. */
static int together_add(struct argdump *a, const struct argdump_request *request,
			struct user_source *u, const struct expr_target *target, int type)
{
	const struct probe_ops *kind = request->both ? &probe_ops_user_call_set :
						       &probe_ops_user_set;
	struct argdump_probe *p = user_probe_add(a, request, u, request->text, kind, target);
	struct user_set *set = u->set;

	if (!p)
		return -ENOMEM;
	p->functions.attach_type = type;
	p->functions.items = calloc(set->count, sizeof(*p->functions.items));
	if (!p->functions.items)
		return -ENOMEM;
	for (; p->functions.count < set->count; p->functions.count++)
		p->functions.items[p->functions.count] = &set->list[p->functions.count];
	return 0;
}

/* ---- resolving ---- */

/* Fills u->set. Returns 0 or an error of usyms_match. */
static int set_find(struct user_source *u, const char *pattern, bool returns)
{
	struct user_set *set = calloc(1, sizeof(*set));
	int err;

	u->set = set;
	if (!set)
		return -ENOMEM;
	err = usyms_match(u->file.self, pattern, returns ? USYMS_RETURNS : 0, &set->found);
	set->list = err ? NULL : calloc(set->found.count + 1, sizeof(*set->list));
	set->symbols = err ? NULL : calloc(set->found.count + 1, sizeof(*set->symbols));
	if (!set->list || !set->symbols)
		return err ?: -ENOMEM;
	for (size_t i = 0; i < set->found.count; i++) {
		set->symbols[set->count] = set->found.list[i].name;
		set->list[set->count].name = set->found.list[i].name;
		set->list[set->count].address = set->found.list[i].offset;
		set->count += set->found.list[i].offset < u->file.size;
	}
	return 0;
}

/* ---- names of C++ and Rust ---- */

static int name_set(struct user_set *set, size_t i, enum demangle_form form)
{
	const char *shown = demangle_shown(set->symbols[i], form);

	if (shown == set->symbols[i])
		return 0;
	set->names[set->name_count] = strdup(shown);
	if (!set->names[set->name_count])
		return -ENOMEM;
	set->list[i].name = set->names[set->name_count++];
	return 0;
}

static int by_name(const void *x, const void *y, void *ctx)
{
	const struct user_set *set = ctx;
	const size_t *a = x, *b = y;

	return strcmp(set->list[*a].name, set->list[*b].name);
}

/* Functions of one name are told apart by their parameters. */
static int overloads_name(struct user_set *set)
{
	size_t *order = calloc(set->count + 1, sizeof(*order)), same = 0;
	int err = order ? 0 : -ENOMEM;

	for (size_t i = 0; i < set->count && !err; i++)
		order[i] = i;
	if (!err)
		qsort_r(order, set->count, sizeof(*order), by_name, set);
	for (size_t i = 0; i < set->count && !err; i = same) {
		for (same = i + 1; same < set->count && !by_name(&order[i], &order[same], set);)
			same++;
		for (size_t j = i; same - i > 1 && j < same && !err; j++)
			err = name_set(set, order[j], DEMANGLE_FULL);
	}
	free(order);
	return err;
}

/* Names those that are traced as their source does. Returns 0 or -ENOMEM. */
static int names_show(struct user_set *set)
{
	int err = 0;

	if (usyms_form() == DEMANGLE_NOT)
		return 0;
	set->names = calloc(2 * set->count + 1, sizeof(*set->names));
	if (!set->names)
		return -ENOMEM;
	for (size_t i = 0; i < set->count && !err; i++)
		err = name_set(set, i, usyms_form());
	return err ?: set->name_count ? overloads_name(set) : 0;
}

/* Removes functions that a list names twice. */
static void known_drop(const struct argdump *a, const struct argdump_request *request,
		       const struct user_source *u)
{
	struct user_set *set = u->set;
	size_t count = set->count;

	set->count = 0;
	for (size_t i = 0; i < count; i++) {
		if (user_offset_is_known(a, request, u, set->list[i].address))
			continue;
		set->symbols[set->count] = set->symbols[i];
		set->list[set->count++] = set->list[i];
	}
}

static int set_add(struct session *s, struct argdump *a, const struct argdump_request *request,
		   struct user_source *u, const struct probe_ops *single)
{
	size_t count = u->set->count;
	int type = attach_type_find(ATTACH_UPROBE_MULTI, false, s->btf), err;
	/* a program for each function: its parameters differ */
	bool lists, typed;
	bool together = type >= 0 && !request->pair &&
			(count > 1 || s->options.attach.method != ATTACH_ANY) &&
			argdump_method_asked(&s->options, ATTACH_UPROBE_MULTI);
	struct expr_target target;
	uint32_t none;

	a->run.many |= count > 1;
	err = expr_target_detect(s->btf, "", &target, &none);
	if (err)
		return err;
	lists = a->max_probes == UINT32_MAX && s->options.verbose; /* bt -lv, with arguments */
	typed = !request->pair &&
		(lists || user_each_needs_types(s, a, request, u, single, &target));
	together &= !typed;
	return together ? together_add(a, request, u, &target, type) :
			  user_each_add(s, a, request, u, single, &target, typed);
}

int user_set_resolve(struct session *s, struct argdump *a, struct argdump_request *request,
		     const struct probe_spec_item *item, const struct probe_ops *single)
{
	struct user_source u = { 0 };
	int code = user_file_open(s, item->scope, &u.file), err;

	if (code)
		return code;
	err = set_find(&u, item->name, at_return(request));
	if (err)
		code = user_file_unread_report(&u.file, err);
	else if (!u.set->count)
		code = none_report(&u, item, &u.set->found);
	else if (u.set->count > a->max_probes && !s->options.attach.dry_run)
		code = argdump_points_allow(s, a, u.set->count);
	if (code) {
		close(u.file.fd);
		user_set_free(u.set);
		return code;
	}
	left_out_report(&u.set->found);
	aliases_report(&u.set->found);
	known_drop(a, request, &u);
	if (!u.set->count) {
		close(u.file.fd);
		user_set_free(u.set);
		return EXIT_FINE;
	}
	err = names_show(u.set);
	if (err) {
		close(u.file.fd);
		user_set_free(u.set);
	}
	err = err ?: set_add(s, a, request, &u, single);
	if (err == -EINVAL) /* reported: no function fits */
		return EXIT_USAGE;
	return err ? attach_explain(NULL, s->btf, err) : EXIT_FINE;
}
