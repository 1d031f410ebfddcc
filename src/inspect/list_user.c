/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * list_user.c - --list: functions of programs and libraries, which have no types.
 */
#include <string.h>
#include <unistd.h>

#include "probe/argdump.h"
#include "inspect/list.h"
#include "inspect/list_row.h"
#include "probe/providers/usdt.h"
#include "symbols/user/usyms_match.h"
#include "util/escape.h"
#include "util/log.h"

static void user_text(struct buf *o, const void *record)
{
	const struct list_row *row = record;

	buf_str(o, "u:");
	escape_put(o, row->file, strlen(row->file));
	buf_printf(o, ":%s", row->name);
	if (row->also)
		buf_printf(o, "  /* also %s */", row->also);
	buf_char(o, '\n');
}

static void left_out_tell(const struct usym_functions *found)
{
	for (int fault = USYM_FINE + 1; fault < USYM_FAULTS; fault++)
		if (found->left_out[fault].count)
			log_note("%zu cannot be traced, e.g. %s: %s", found->left_out[fault].count,
				 found->left_out[fault].first, usym_faults[fault]);
}

static int rows_put(struct session *s, const struct user_file *u,
		    const struct probe_spec_item *item, const struct usym_functions *found)
{
	struct list_rows rows;

	list_begin(&rows, s, "user_function", list_user_fields, user_text, sizeof(struct list_row));
	for (size_t i = 0; i < found->count; i++) {
		const struct list_row row = { .file = u->path,
					      .name = found->list[i].name,
					      .also = found->list[i].also,
					      .offset = found->list[i].offset };

		list_put(&rows, &row);
	}
	list_end(&rows);
	left_out_tell(found);
	if (found->count)
		return EXIT_FINE;
	log_error("%s has no function %s that can be traced", u->path, item->name);
	return EXIT_USAGE;
}

static int item_list(struct session *s, const struct argdump_request *request,
		     const struct probe_spec_item *item)
{
	struct user_file u = { 0 };
	struct usym_functions found;
	int code, err;

	if (!*item->name) {
		log_error("cannot list %s: an offset has no name", request->text);
		return EXIT_USAGE;
	}
	code = user_file_open(s, item->scope, &u);
	if (code)
		return code;
	err = usyms_match(u.self, item->name, false, &found);
	code = err ? user_file_unread_tell(&u, err) : rows_put(s, &u, item, &found);
	usym_functions_free(&found);
	close(u.fd);
	return code;
}

int list_user(struct session *s, const struct argdump_request *request)
{
	int code = EXIT_FINE;

	for (size_t i = 0; i < request->spec.count && !code; i++)
		code = usdt_is_meant(s, &request->spec.items[i]) ?
			       list_usdt(s, &request->spec.items[i]) :
			       item_list(s, request, &request->spec.items[i]);
	return code;
}
