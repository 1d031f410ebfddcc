/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * several.c - the command line with --and → requests, each with its own options.
 */
#include "argdump/several.h"

#include <errno.h>

#include "util/log.h"

/* The number of the PROBE that an option or an argument stands behind: 1 is the first. `args` is the
 * number of arguments up to it. */
static unsigned probe_before(const struct argdump *a, unsigned args)
{
	unsigned number = args != 0;

	for (size_t i = 0; i < a->and.count; i++)
		number += a->and.items[i].args < args && a->and.items[i].args;
	return number;
}

static void owners_set(const struct argdump *a, struct option_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		list->items[i].owner = probe_before(a, list->items[i].args);
}

/* Conditions are kept with their request; those that are left are everybody's. */
static int conditions_share_out(struct argdump *a)
{
	struct option_list *list = &a->conditions;
	size_t kept = 0;

	owners_set(a, list);
	for (size_t i = 0; i < list->count; i++) {
		const struct option_item *item = &list->items[i];
		struct argdump_request *r;

		if (!item->owner) {
			list->items[kept++] = *item;
			continue;
		}
		r = &a->requests[item->owner - 1];
		if (r->condition_count == ARGDUMP_CONDITIONS_MAX) {
			log_error("%s has more than %d conditions", r->text,
				  ARGDUMP_CONDITIONS_MAX);
			return -EINVAL;
		}
		r->conditions[r->condition_count++] = item->text;
	}
	list->count = kept;
	return 0;
}

/* A -r behind a PROBE is its own, if there are several. */
static void returns_share_out(struct argdump *a)
{
	owners_set(a, &a->returns);
	for (size_t i = 0; i < a->returns.count; i++) {
		unsigned owner = a->and.count ? a->returns.items[i].owner : 0;

		a->returns.items[i].owner = owner;
		a->both |= !owner;
		if (owner)
			a->requests[owner - 1].own_both = true;
	}
}

/* ---- words of a file ---- */

/* Those whose items know where they stood; end with NULL. */
static struct option_list *const *lists_of(const struct argdump *a)
{
	static struct option_list *lists[ARGDUMP_LISTS_MAX];
	struct argdump *w = (struct argdump *)a;
	size_t n = 0;

	lists[n++] = &w->and;
	lists[n++] = &w->conditions;
	lists[n++] = &w->returns;
	lists[n++] = &w->prints;
	lists[n++] = &w->aggregate_options.measures;
	lists[n++] = &w->aggregate_options.by;
	lists[n++] = &w->within.in;
	lists[n++] = &w->window.conditions[EXPR_TRIGGER_BEGIN];
	lists[n++] = &w->window.conditions[EXPR_TRIGGER_STOP];
	lists[n] = NULL;
	return lists;
}

void several_lists_mark(const struct argdump *a, size_t counts[ARGDUMP_LISTS_MAX])
{
	struct option_list *const *lists = lists_of(a);

	for (size_t i = 0; lists[i]; i++)
		counts[i] = lists[i]->count;
}

void several_lists_shift(struct argdump *a, const size_t counts[ARGDUMP_LISTS_MAX], unsigned before,
			 unsigned args)
{
	struct option_list *const *lists = lists_of(a);
	bool is_begun = !args; /* a PROBE without --and before it */

	for (size_t i = 0; lists[i]; i++)
		for (size_t j = 0; j < counts[i]; j++) {
			struct option_item *item = &lists[i]->items[j];

			is_begun |= lists[i] == &a->and &&!item->args;
			if (item->args || lists[i] == &a->and)
				item->args += before;
		}
	if (!is_begun && a->and.count < OPTION_LIST_MAX)
		a->and.items[a->and.count++] = (struct option_item){ .args = before };
}

/* ---- the command line ---- */

static int mistake_tell(const struct argdump *a)
{
	const char *probe = a->and.count ? a->and.items[0].text : "";

	if (a->and.count && a->pair.until)
		log_error("--until is for one probe: it cannot be combined with --and");
	else if (a->and.count && !a->and.items[0].args)
		log_error("--and %s: which probe comes first? PROBE --and %s", probe, probe);
	else
		return 0;
	return -EINVAL;
}

int several_add(struct argdump *a, int argc, char **argv)
{
	int err = mistake_tell(a);

	for (int at = 0, end; at < argc && !err; at = end) {
		end = at + 1;
		while (end < argc && probe_before(a, end + 1) == probe_before(a, at + 1))
			end++;
		err = argdump_request_add(a, argv[at], (const char *const *)argv + at + 1,
					  end - at - 1);
		if (!err)
			a->requests[a->request_count - 1].in_file = at < a->file_args;
	}
	if (!err)
		returns_share_out(a);
	owners_set(a, &a->prints);
	if (err || !a->and.count)
		return err;
	owners_set(a, &a->aggregate_options.measures);
	owners_set(a, &a->aggregate_options.by);
	owners_set(a, &a->within.in);
	owners_set(a, &a->window.conditions[EXPR_TRIGGER_BEGIN]);
	owners_set(a, &a->window.conditions[EXPR_TRIGGER_STOP]);
	return conditions_share_out(a);
}
