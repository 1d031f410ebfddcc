/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * several.c - the command line with --and → requests, each with its own options.
 */
#include "front/front.h"

#include <errno.h>

#include "util/log.h"

/* The number of the PROBE before an option or an argument: 1 is the first. `args` is the number
 * of arguments up to it. */
static unsigned probe_before(const struct argdump *a, unsigned args)
{
	unsigned number = args != 0;

	for (size_t i = 0; i < a->and.count; i++)
		number += a->and.items[i].args < args && a->and.items[i].args;
	return number;
}

struct option_list *several_own_list(const struct argdump *a, size_t i)
{
	static const size_t lists[] = {
		offsetof(struct argdump, returns),
		offsetof(struct argdump, pair.until),
		offsetof(struct argdump, pair.on),
		offsetof(struct argdump, pair.first),
		offsetof(struct argdump, pair.open),
		offsetof(struct argdump, within.in),
		offsetof(struct argdump, window.conditions[EXPR_TRIGGER_BEGIN]),
		offsetof(struct argdump, window.conditions[EXPR_TRIGGER_STOP]),
		offsetof(struct argdump, aggregate_options.measures),
		offsetof(struct argdump, aggregate_options.by),
		offsetof(struct argdump, prints),
	};

	_Static_assert(sizeof(lists) / sizeof(*lists) + 3 <= ARGDUMP_LISTS_MAX, "room for all");
	if (i >= sizeof(lists) / sizeof(*lists))
		return NULL;
	return (struct option_list *)((char *)a + lists[i]);
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

/* A -r after a PROBE belongs to it, if there are several. */
static void returns_share_out(struct argdump *a)
{
	for (size_t i = 0; i < a->returns.count; i++) {
		unsigned owner = a->returns.items[i].owner;

		a->both |= !owner;
		if (owner)
			a->requests[owner - 1].own_both = true;
	}
}

/* ---- words of a file ---- */

/* The lists whose items belong to the PROBE before them; ends with NULL. */
static struct option_list *const *lists_of(const struct argdump *a)
{
	static struct option_list *lists[ARGDUMP_LISTS_MAX];
	struct argdump *w = (struct argdump *)a;
	size_t n = 0;

	lists[n++] = &w->and;
	lists[n++] = &w->conditions;
	for (size_t i = 0; (lists[n] = several_own_list(a, i)); i++)
		n++;
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

static int mistake_report(const struct argdump *a)
{
	const char *probe = a->and.count ? a->and.items[0].text : "";

	if (!a->and.count || a->and.items[0].args)
		return 0;
	log_error("--and %s: which probe comes first? PROBE --and %s", probe, probe);
	return -EINVAL;
}

int several_add(struct argdump *a, int argc, char **argv)
{
	int err = mistake_report(a);

	for (int at = 0, end; at < argc && !err; at = end) {
		end = at + 1;
		while (end < argc && probe_before(a, end + 1) == probe_before(a, at + 1))
			end++;
		err = argdump_request_add(a, argv[at], (const char *const *)argv + at + 1,
					  end - at - 1);
		if (!err)
			a->requests[a->request_count - 1].in_file = at < a->file_args;
	}
	for (size_t i = 0; a->and.count && several_own_list(a, i); i++)
		owners_set(a, several_own_list(a, i));
	if (!err)
		returns_share_out(a);
	return err || !a->and.count ? err : conditions_share_out(a);
}
