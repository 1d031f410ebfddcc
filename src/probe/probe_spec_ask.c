/* SPDX-License-Identifier: GPL-2.0-only */
/* probe_spec_ask.c - questions about a PROBE text that was parsed (probe_spec.c). */
#include <string.h>

#include "probe/probe_spec.h"
#include "util/glob.h"

bool probe_spec_is_line(const struct probe_spec_item *item)
{
	return item->kind == PROBE_SPEC_FUNCTION && item->scope && *item->name &&
	       strspn(item->name, "0123456789") == strlen(item->name);
}

bool probe_spec_accepts(const struct probe_spec *spec, const char *scope, const char *name)
{
	for (size_t i = 0; i < spec->count; i++) {
		const struct probe_spec_item *item = &spec->items[i];

		if (wildcard_matches(item->name, name) &&
		    (!item->scope || wildcard_matches(item->scope, scope)))
			return true;
	}
	return false;
}

bool probe_spec_has_choice(const struct probe_spec *spec)
{
	for (size_t i = 0; i < spec->count; i++)
		if (spec->items[i].is_other || spec->items[i].is_optional)
			return true;
	return false;
}
