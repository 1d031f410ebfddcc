// SPDX-License-Identifier: GPL-2.0
/*
 * list_format.c - what tracefs says of events: their format files.
 *
 *	field:const char * filename;	offset:24;	size:8;	signed:0;
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* "const char * filename", "char comm[16]": where the name is, and its end. */
static const char *field_name(const char *text, size_t len, size_t *name_len)
{
	const char *end = memchr(text, '[', len), *name;

	/* "__data_loc char[] name" has its brackets before the name */
	if (!end || memchr(end, ' ', text + len - end))
		end = text + len;
	for (name = end; name > text && (isalnum((unsigned char)name[-1]) || name[-1] == '_');)
		name--;
	*name_len = end - name;
	return name;
}

/* What the tracer adds: the common fields, __syscall_nr, __filename_val of 7.x (the text). */
static bool is_added(const char *name)
{
	return !strncmp(name, "common_", 7) || !strncmp(name, "__", 2);
}

static void put_field(const char *text, size_t len, bool json, struct out *o)
{
	size_t name_len, type_len;
	const char *name = field_name(text, len, &name_len);
	const char *behind = name + name_len; /* [16] */

	type_len = name - text;
	while (type_len && text[type_len - 1] == ' ')
		type_len--;
	if (!json) {
		text_put(o, text, type_len);
		if (type_len && text[type_len - 1] != '*')
			out_char(o, ' ');
		text_put(o, name, text + len - name);
		return;
	}
	out_str(o, "{\"name\":");
	text_put_json(o, name, name_len);
	out_str(o, ",\"ctype\":\"");
	text_put_part(o, text, type_len, TEXT_JSON);
	text_put_part(o, behind, text + len - behind, TEXT_JSON);
	out_str(o, "\"}");
}

void list_fields(const char *format, bool json, struct out *o)
{
	static const char mark[] = "\tfield:";
	bool more = false;

	while ((format = strstr(format, mark))) {
		const char *text = format + strlen(mark);
		size_t len = strcspn(text, ";\n"), name_len;

		format = text + len;
		if (is_added(field_name(text, len, &name_len)))
			continue;
		if (more)
			out_str(o, json ? "," : ", ");
		put_field(text, len, json, o);
		more = true;
	}
	if (!more && !json)
		out_str(o, "void");
}
