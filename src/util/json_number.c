/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * json_number.c - numbers in JSON, and those that are strings instead.
 */
#include "util/json_number.h"

#define EXACT_MAX (1ull << 53) /* a double has every integer up to here */

bool json_strings;

const char *json_quote(uint64_t magnitude)
{
	return json_strings && magnitude > EXACT_MAX ? "\"" : "";
}

void json_put_uint(struct buf *o, uint64_t u)
{
	bool quoted = *json_quote(u);

	if (quoted)
		buf_char(o, '"');
	buf_uint(o, u);
	if (quoted)
		buf_char(o, '"');
}

void json_put_int(struct buf *o, int64_t i)
{
	bool quoted = *json_quote(i < 0 ? -(uint64_t)i : (uint64_t)i);

	if (quoted)
		buf_char(o, '"');
	buf_int(o, i);
	if (quoted)
		buf_char(o, '"');
}
