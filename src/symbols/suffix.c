/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * suffix.c - names of functions that compilers split, copy or rename.
 *
 * Passes append one after the other: NAME.constprop.0.isra.0, NAME.part.0.cold. The first row that fits counts.
 */
#include "symbols/suffix.h"

#include <string.h>

/* clang-format off */
static const struct {
	const char *text;
	enum symbol_suffix suffix;
} suffixes[] = {
	{ ".cold", SUFFIX_COLD },
	{ ".part.", SUFFIX_PART },
	{ ".isra.", SUFFIX_COPY },
	{ ".constprop.", SUFFIX_COPY },
	{ ".lto_priv.", SUFFIX_RENAMED },
	{ ".llvm.", SUFFIX_RENAMED },
	{ ".", SUFFIX_OTHER },
};
/* clang-format on */

enum symbol_suffix symbol_suffix(const char *symbol, size_t len)
{
	if (symbol[len] == '.')
		for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++)
			if (strstr(symbol + len, suffixes[i].text))
				return suffixes[i].suffix;
	return SUFFIX_NONE;
}

enum symbol_suffix symbol_suffix_of(const char *symbol, const char *name)
{
	size_t len = strlen(name);

	return strncmp(symbol, name, len) ? SUFFIX_NONE : symbol_suffix(symbol, len);
}
