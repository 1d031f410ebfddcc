/* SPDX-License-Identifier: GPL-2.0-only */
/* list_user.c - argdump --list of functions of programs and libraries, with their parameters if debug information tells,
 * and of USDT probes. */
#include <string.h>
#include <unistd.h>

#include "inspect/list.h"
#include "probe/argdump.h"
#include "probe/providers/providers.h"
#include "probe/providers/user_statement.h"
#include "probe/usdt_arg.h"
#include "symbols/user/demangle.h"
#include "symbols/user/usyms_match.h"
#include "util/escape.h"
#include "util/log.h"

/* ---- argdump --list of the USDT probes of a file: u:FILE:PROVIDER:NAME ---- */

struct usdt_row {
	const char *file, *provider, *name;
	const char *args; /* the arguments at the first of its places */
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
	escape_write(o, row->file, strlen(row->file));
	buf_char(o, ':');
	escape_write(o, row->provider, strlen(row->provider));
	buf_char(o, ':');
	escape_write(o, row->name, strlen(row->name));
	buf_printf(o, "  %u argument%s, %u place%s%s\n", row->arguments,
		   row->arguments == 1 ? "" : "s", row->places, row->places == 1 ? "" : "s",
		   row->semaphore ? ", semaphore" : "");
}

static void row_write(struct list_rows *rows, const struct user_file *file, const struct usdt *u,
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

	list_write(rows, &row);
}

static int usdt_item_list(struct session *s, struct list_rows *rows,
			  const struct probe_spec_item *item)
{
	struct usdt_notes notes;
	struct user_file file;
	size_t found = 0;
	int code = usdt_open(s, item, &file, &notes);

	if (code)
		return code;
	for (size_t i = 0, places; i < notes.count; i += places) {
		places = usdt_places(&notes, i);
		if (!usdt_matches(item, &notes.list[i]))
			continue;
		row_write(rows, &file, &notes.list[i], places);
		found++;
	}
	if (!found)
		code = usdt_unknown_report(item, &file, &notes);
	usdt_free(&notes);
	close(file.fd);
	return code;
}

static int list_usdt(struct session *s, const struct probe_spec_item *item)
{
	struct list_rows rows;
	int code;

	list_begin(&rows, s, "usdt", fields, row_text, sizeof(struct usdt_row));
	code = usdt_item_list(s, &rows, item);
	list_end(&rows);
	return code;
}

/* ---- functions ---- */

static void user_text(struct buf *o, const void *record)
{
	const struct list_row *row = record;

	buf_str(o, "u:");
	escape_write(o, row->file, strlen(row->file));
	buf_printf(o, ":%s", row->name);
	/* names of C++ have their parameters' types; those of Rust have none */
	if (list_params_known(&row->params) && !(row->symbol && strchr(row->name, '(')))
		list_params_write(o, &row->params);
	if (row->symbol || row->also)
		buf_printf(o, "  /* %s%s%s%s */", row->symbol ?: "",
			   row->symbol && row->also ? ", " : "", row->also ? "also " : "",
			   row->also ?: "");
	buf_char(o, '\n');
}

static void left_out_report(const struct usym_functions *found)
{
	for (int fault = USYM_FINE + 1; fault < USYM_FAULTS; fault++)
		if (found->left_out[fault].count)
			log_note("%zu cannot be traced, e.g. %s: %s", found->left_out[fault].count,
				 found->left_out[fault].first, usym_faults[fault]);
}

/* Each unit of the debug information is read whole. */
enum { SIGNATURES_MAX = 100 };

static int rows_write(struct session *s, const struct user_file *u,
		      const struct probe_spec_item *item, const struct usym_functions *found)
{
	struct list_rows rows;

	list_begin(&rows, s, "user_function", list_user_fields, user_text, sizeof(struct list_row));
	for (size_t i = 0; i < found->count; i++) {
		const char *symbol = found->list[i].name;
		struct list_row row = { .file = u->path,
					.also = found->list[i].also,
					.offset = found->list[i].offset };

		if (found->count <= SIGNATURES_MAX && !u->is_32)
			row.params.proto = user_prototype(s->btf, u->fd, row.offset, symbol,
							  &row.params.btf);
		row.name = demangle_shown(symbol, DEMANGLE_FULL);
		row.symbol = row.name == symbol ? NULL : symbol;
		list_write(&rows, &row);
	}
	list_end(&rows);
	left_out_report(found);
	if (found->count)
		return EXIT_FINE;
	log_error("%s has no function %s that can be traced", u->path, item->name);
	return EXIT_USAGE;
}

/* Finds the functions of a name or, if there are none, what the compiler made of it: NAME.constprop.0, NAME.part.0. */
static int name_match(const char *path, const char *name, struct usym_functions *found)
{
	char pattern[512];
	int err = usyms_match(path, name, 0, found);

	if (err || found->count ||
	    snprintf(pattern, sizeof(pattern), "%s.*", name) >= (int)sizeof(pattern))
		return err;
	usym_functions_free(found);
	return usyms_match(path, pattern, 0, found);
}

static int item_list(struct session *s, const struct argdump_request *request,
		     const struct probe_spec_item *item)
{
	struct user_file u = { 0 };
	struct usym_functions found;
	struct user_statement statement;
	int code, err;

	if (user_statement_parse(s, item, &statement)) {
		log_error("cannot list %s: a line has no name", request->text);
		log_hint("argdump --dry-run shows the variables in scope there");
		return EXIT_USAGE;
	}
	if (!*item->name) {
		log_error("cannot list %s: an offset has no name", request->text);
		return EXIT_USAGE;
	}
	code = user_file_open(s, item->scope, &u);
	if (code)
		return code;
	err = name_match(u.self, item->name, &found);
	code = err ? user_file_unread_report(&u, err) : rows_write(s, &u, item, &found);
	usym_functions_free(&found);
	close(u.fd);
	return code;
}

int list_user(struct session *s, const struct argdump_request *request)
{
	int code = EXIT_FINE;

	for (size_t i = 0; i < request->spec.count && !code; i++)
		code = *request->spec.items[i].name && usdt_is_meant(s, &request->spec.items[i]) ?
			       list_usdt(s, &request->spec.items[i]) :
			       item_list(s, request, &request->spec.items[i]);
	return code;
}
