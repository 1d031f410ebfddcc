/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * list_usdt.c - argdump --list of the USDT probes of a file: u:FILE:PROVIDER:NAME.
 */
#include "inspect/list.h"

#include <string.h>
#include <unistd.h>

#include "probe/argdump.h"
#include "inspect/list_row.h"
#include "probe/providers/usdt.h"
#include "probe/usdt_arg.h"
#include "util/escape.h"
#include "util/log.h"

struct usdt_row {
	const char *file, *provider, *name;
	const char *args; /* of the first place */
	uint32_t arguments, places;
	uint8_t semaphore;
};

#define ROW(member, type) FIELD(struct usdt_row, member, type, 0, NULL)
static const struct field fields[] = {
	ROW(file, FIELD_TEXT),	 ROW(provider, FIELD_TEXT),
	ROW(name, FIELD_TEXT),	 ROW(arguments, FIELD_UINT),
	ROW(places, FIELD_UINT), ROW(semaphore, FIELD_BOOL),
	ROW(args, FIELD_TEXT),	 { 0 },
};

static void row_text(struct buf *o, const void *record)
{
	const struct usdt_row *row = record;

	buf_str(o, "u:");
	escape_put(o, row->file, strlen(row->file));
	buf_char(o, ':');
	escape_put(o, row->provider, strlen(row->provider));
	buf_char(o, ':');
	escape_put(o, row->name, strlen(row->name));
	buf_printf(o, "  %u argument%s, %u place%s%s\n", row->arguments,
		   row->arguments == 1 ? "" : "s", row->places, row->places == 1 ? "" : "s",
		   row->semaphore ? ", semaphore" : "");
}

static void row_put(struct list_rows *rows, const struct user_file *file, const struct usdt *u,
		    size_t places)
{
	struct usdt_arg args[USDT_ARGS_MAX];
	const struct usdt_row row = {
		.file = file->path,
		.provider = u->provider,
		.name = u->name,
		.args = u->args,
		.arguments = usdt_args_parse(ARCH_NATIVE, u->args, args),
		.places = places,
		.semaphore = u->semaphore != 0,
	};

	list_put(rows, &row);
}

static int item_list(struct session *s, struct list_rows *rows, const struct probe_spec_item *item)
{
	struct usdt_notes notes;
	struct user_file file;
	size_t found = 0;
	int code = usdt_open(s, item, &file, &notes);

	if (code)
		return code;
	for (size_t i = 0, places; i < notes.count; i += places) {
		places = usdt_places(&notes, i);
		if (!usdt_takes(item, &notes.list[i]))
			continue;
		row_put(rows, &file, &notes.list[i], places);
		found++;
	}
	if (!found)
		code = usdt_unknown_tell(item, &file, &notes);
	usdt_free(&notes);
	close(file.fd);
	return code;
}

int list_usdt(struct session *s, const struct probe_spec_item *item)
{
	struct list_rows rows;
	int code;

	list_begin(&rows, s, "usdt", fields, row_text, sizeof(struct usdt_row));
	code = item_list(s, &rows, item);
	list_end(&rows);
	return code;
}
