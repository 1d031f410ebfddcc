/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * function_list.c - passes the items of a PROBE to the catalogue as patterns, and separates functions that cannot be
 * traced.
 */
#include "probe/providers/function_list.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attach/ask_functions.h"
#include "util/log.h"

static void type_report(const struct probe_spec_item *item, struct probe_spec_error *error)
{
	*error = (struct probe_spec_error){ .start = item->start, .end = item->end };
	snprintf(error->message, sizeof(error->message), "'%.80s' is not the type of a parameter",
		 item->type);
	snprintf(error->hint, sizeof(error->hint),
		 "'*(struct sk_buff *)' is all that have such a parameter");
}

unsigned function_list_want(const struct options *o)
{
	bool asks = !o->attach.btf && !o->attach.dry_run;

	return FUNCTIONS_FTRACE | FUNCTIONS_BODIES | (asks ? FUNCTIONS_ASKED : 0);
}

int function_list_find(struct function_list *list, const struct probe_spec *spec,
		       const struct btf_view *kernel, struct btf_modules *modules, unsigned want,
		       struct probe_spec_error *error)
{
	struct function_patterns patterns = { .count = spec->count };
	int err;

	*list = (struct function_list){ .patterns = calloc(spec->count, sizeof(*list->patterns)) };
	if (!list->patterns)
		return -ENOMEM;
	for (size_t i = 0; i < spec->count; i++) {
		const struct probe_spec_item *item = &spec->items[i];

		list->patterns[i] = (struct function_pattern){
			.name = item->name,
			.module = item->scope,
			.type = item->type,
			.is_pattern = item->is_pattern,
		};
	}
	patterns.list = list->patterns;
	if (want & FUNCTIONS_ASKED)
		functions_ask(list->patterns, spec->count);
	err = functions_find(&list->found, &patterns, kernel, modules, want);
	if (err == -EINVAL)
		type_report(&spec->items[list->found.patterns.wrong], error);
	return err;
}

enum { BOOT_FEW = 16 }; /* names to ask for, and two symbols */

/* True if all that ftrace does not list ran at boot, as the kernel tells by where they are. */
static bool all_ran_at_boot(struct functions *l)
{
	const char *names[BOOT_FEW + 2] = { "_sinittext", "_einittext" };
	uint64_t at[BOOT_FEW + 2];
	size_t count = 2;

	for (size_t i = 0; i < l->count; i++) {
		if (l->list[i].ftrace)
			continue;
		if (l->list[i].module || count == BOOT_FEW + 2)
			return false;
		names[count++] = l->list[i].name;
	}
	if (kernel_symbols_ask(names, at, count))
		return false;
	for (size_t i = 2; i < count; i++)
		if (at[i] < at[0] || at[i] >= at[1])
			return false;
	for (size_t i = 0; i < l->count; i++)
		l->list[i].at_boot = !l->list[i].ftrace;
	return true;
}

/* Counts those left out by reason. Other reasons need a search of all symbols: skipped if they are not printed. */
static int left_out_count(struct function_list *list, unsigned want)
{
	struct functions *l = &list->found;
	size_t traceable = 0;
	int err = 0;

	for (size_t i = 0; i < l->count; i++)
		traceable += l->list[i].ftrace;
	if (l->ftrace_err || traceable == l->count)
		return 0;
	if ((!traceable || !log_is_quiet()) && !(want & FUNCTIONS_ASKED && all_ran_at_boot(l)))
		err = functions_read(l, FUNCTIONS_SYMBOLS);
	for (size_t i = 0; i < l->count; i++) {
		char why[FUNCTION_WHY];
		struct function_left_out *left =
			&list->left_out[function_why_not(l, &l->list[i], why)];

		if (l->list[i].ftrace || left->count++)
			continue;
		left->first = l->list[i].name;
		memcpy(left->why, why, sizeof(left->why));
	}
	return err;
}

int function_list_traceable(struct function_list *list, const struct probe_spec *spec,
			    const struct btf_view *kernel, struct btf_modules *modules,
			    unsigned want, struct probe_spec_error *error)
{
	int err = function_list_find(list, spec, kernel, modules, want, error);

	if (!err)
		err = left_out_count(list, want);
	functions_drop_untraceable(&list->found);
	return err;
}

void function_list_free(struct function_list *list)
{
	functions_free(&list->found);
	free(list->patterns);
	*list = (struct function_list){ 0 };
}
