// SPDX-License-Identifier: GPL-2.0
/*
 * list_format.c - what tracefs says of events: its files, and the fields of their format files.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "argdump/event_format.h"
#include "argdump/list.h"
#include "core/text.h"

char *list_tracefs_read(const char *path)
{
	static const char *const roots[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };
	char full[256], *text = NULL;
	size_t size = 0;
	FILE *f = NULL;

	for (size_t i = 0; i < 2 && !f; i++) {
		snprintf(full, sizeof(full), "%s/%s", roots[i], path);
		f = fopen(full, "re");
	}
	if (!f)
		return NULL;
	if (getdelim(&text, &size, 0, f) < 0) { /* no NUL in it: all of the file */
		free(text);
		text = NULL;
	}
	fclose(f);
	return text;
}

static void put_field(const struct event_field *f, bool json, struct out *o)
{
	const char *behind = f->name + f->name_len; /* [16] */

	if (!json) {
		text_put(o, f->type, f->type_len);
		if (f->type_len && f->type[f->type_len - 1] != '*')
			out_char(o, ' ');
		text_put(o, f->name, f->end - f->name);
		return;
	}
	out_str(o, "{\"name\":");
	text_put_json(o, f->name, f->name_len);
	out_str(o, ",\"ctype\":\"");
	text_put_part(o, f->type, f->type_len, TEXT_JSON);
	text_put_part(o, behind, f->end - behind, TEXT_JSON);
	out_str(o, "\"}");
}

void list_fields(const char *format, bool json, struct out *o)
{
	struct event_field f;
	bool more = false;

	while (event_field_next(&format, &f)) {
		if (more)
			out_str(o, json ? "," : ", ");
		put_field(&f, json, o);
		more = true;
	}
	if (!more && !json)
		out_str(o, "void");
}
