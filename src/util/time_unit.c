/* SPDX-License-Identifier: GPL-2.0-only */
#include "util/time_unit.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

uint64_t time_unit_ns(const char *unit, size_t len)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = { { "ns", 1 },
		      { "us", 1000 },
		      { "ms", 1000000 },
		      { "s", 1000000000 },
		      { "m", 60000000000 },
		      { "h", 3600000000000 },
		      { "d", 86400000000000 } };

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strlen(units[i].name) == len && !strncmp(units[i].name, unit, len))
			return units[i].ns;
	return 0;
}

bool time_text_ns(const char *text, const char *unit, uint64_t *ns)
{
	char *end;
	double n = isdigit((unsigned char)*text) ? strtod(text, &end) : -1;
	uint64_t scale = n < 0 ? 0 : time_unit_ns(*end ? end : unit, strlen(*end ? end : unit));

	if (!scale || n * scale > 1e18)
		return false;
	*ns = (uint64_t)(n * scale + 0.5);
	return true;
}
