/* SPDX-License-Identifier: GPL-2.0-only */
/* openmetrics_text.c - the words of OpenMetrics, escaped: the head of a family, labels. */
#include <ctype.h>
#include <string.h>

#include "output/rows/openmetrics.h"

void openmetrics_write_escaped(struct buf *o, const char *s, size_t len, bool quoted)
{
	bool begins = memchr(s, '\n', len) != NULL;

	for (const char *end = s + len; s < end; s++) {
		if (begins && isblank((unsigned char)*s))
			continue;
		begins = *s == '\n';
		if (*s == '\\' || (quoted && *s == '"'))
			buf_char(o, '\\');
		if (!begins)
			buf_char(o, *s);
		else if (s + 1 < end)
			buf_char(o, ';');
	}
}

void openmetrics_write_family(struct buf *o, const char *name, const char *type, const char *help)
{
	buf_str(o, "# HELP ");
	buf_str(o, name);
	buf_char(o, ' ');
	openmetrics_write_escaped(o, help, strlen(help), false);
	buf_str(o, "\n# TYPE ");
	buf_str(o, name);
	buf_char(o, ' ');
	buf_str(o, type);
	buf_char(o, '\n');
}

void openmetrics_write_label(struct buf *o, const char *name, const char *value)
{
	buf_str(o, name);
	buf_str(o, "=\"");
	openmetrics_write_escaped(o, value, strlen(value), true);
	buf_char(o, '"');
}
