/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ksym_kind.c - judges symbols by type, name, module, and where they are in the list.
 */
#include "symbols/kernel/ksym_kind.h"

#include <string.h>

/*
 * The type alone does not suffice: 7.3 kernels list variables as T. The list is sorted by address,
 * so symbols between the marks of the data section are data.
 */
bool ksym_is_code(const struct ksym *s, enum ksym_part *part)
{
	static const struct {
		const char *name;
		enum ksym_part part; /* from this mark on */
	} marks[] = {
		{ "_sdata", KSYM_DATA },
		{ "_edata", KSYM_TEXT },
		{ "_sinittext", KSYM_INIT },
		{ "_einittext", KSYM_TEXT },
	};

	for (size_t i = 0; s->name[0] == '_' && i < sizeof(marks) / sizeof(marks[0]); i++)
		if (!strcmp(s->name, marks[i].name))
			*part = marks[i].part;
	return ksym_type_is_code(s->type) && *part != KSYM_DATA;
}

bool ksym_is_foreign(const struct ksym *s)
{
	return !strncmp(s->name, "__SCT__", 7) ||
	       (s->module && (!strcmp(s->module, "bpf") || !strncmp(s->module, "__builtin__", 11)));
}

bool ksym_is_cold(const struct ksym *s)
{
	const char *dot = strchr(s->name, '.');

	return dot && strstr(dot, ".cold");
}
