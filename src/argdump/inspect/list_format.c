/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * list_format.c - what tracefs says of events: its files, and the fields of their format files.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "argdump/providers/tracefs.h"
#include "argdump/inspect/list.h"
#include "util/log.h"
#include "util/escape.h"

static int tracefs_open(const char *path)
{
	static const char *const roots[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };
	char full[256];
	int fd = -1;

	for (size_t i = 0; i < 2 && fd < 0 && (!i || errno == ENOENT); i++) {
		snprintf(full, sizeof(full), "%s/%s", roots[i], path);
		fd = open(full, O_RDONLY | O_CLOEXEC);
	}
	return fd;
}

char *list_tracefs_read(const char *path)
{
	int fd = tracefs_open(path);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "r");
	char *text = NULL;
	size_t size = 0;

	if (!f)
		return NULL;
	/* there is no NUL in it, so this reads the whole file */
	if (getdelim(&text, &size, 0, f) < 0) {
		free(text);
		text = NULL;
	}
	fclose(f);
	return text;
}

void list_tracefs_tell(const char *lack)
{
	int fd = tracefs_open("available_events");

	if (fd >= 0) {
		close(fd);
	} else if (errno == EACCES) {
		log_note("%s: tracefs cannot be read", lack);
		log_hint("that needs CAP_DAC_READ_SEARCH, or tracefs mounted with mode=755");
	}
}

static void put_field(const struct event_field *f, bool json, struct buf *o)
{
	const char *behind = f->name + f->name_len; /* [16] */

	if (!json) {
		escape_put(o, f->type, f->type_len);
		if (f->type_len && f->type[f->type_len - 1] != '*')
			buf_char(o, ' ');
		escape_put(o, f->name, f->end - f->name);
		return;
	}
	buf_str(o, "{\"name\":");
	escape_put_json(o, f->name, f->name_len);
	buf_str(o, ",\"ctype\":\"");
	escape_put_part(o, f->type, f->type_len, ESCAPE_JSON);
	escape_put_part(o, behind, f->end - behind, ESCAPE_JSON);
	buf_str(o, "\"}");
}

void list_fields(const char *format, bool json, struct buf *o)
{
	struct event_field f;
	bool more = false;

	while (event_field_next(&format, &f)) {
		if (more)
			buf_str(o, json ? "," : ", ");
		put_field(&f, json, o);
		more = true;
	}
	if (!more && !json)
		buf_str(o, "void");
}
