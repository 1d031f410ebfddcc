/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * prints.c - --print: the texts that records are printed as.
 */
#include "probe/prints.h"

#include <stdlib.h>

#include "probe/argdump.h"
#include "output/rows/columns.h"
#include "output/rows/line.h"
#include "util/log.h"

const char argdump_column_hint[] =
	"a column is a value's name, as in NAME=EXPR, or $pid, $tid, $comm, $func";

/* That of the probe's request, or of all. */
static const char *print_of(const struct argdump *a, const struct argdump_probe *p)
{
	unsigned owner = p->request->owner;
	const char *text = NULL;

	for (size_t i = 0; i < a->prints.count; i++) {
		const struct option_item *item = &a->prints.items[i];

		if (!item->owner || item->owner == owner)
			text = item->text;
	}
	return text;
}

static int line_apply(struct argdump *a, struct argdump_probe *p, const char *text)
{
	struct line_error error;
	struct schema *schema = &p->schema;
	struct line **line = &a->lines[p - a->probes];

	*line = line_make(text, schema, &error);
	schema->line = *line;
	if (*line)
		return EXIT_FINE;
	if (error.start == error.end) {
		log_error("out of memory");
		return EXIT_FAILED;
	}
	if (error.is_name) {
		columns_unknown_tell("--print", text + error.start, error.end - error.start,
				     &schema, 1, argdump_column_hint);
	} else if (error.is_number) {
		log_error("--print: this value is no number");
		log_caret(text, error.start, error.end);
		log_hint("EXPR:p is an address, EXPR:d a number; {NAME} is written by its type");
	} else {
		log_error("--print: this is no {NAME}, {NAME:WIDTH} or {NAME:%%05d}");
		log_caret(text, error.start, error.end);
		log_hint("{{ is a brace");
	}
	return EXIT_USAGE;
}

int prints_apply(const struct session *s, struct argdump *a)
{
	int code = EXIT_FINE;

	if (!a->prints.count || s->options.json || options_want_all(&s->options))
		return EXIT_FINE;
	a->lines = calloc(a->probe_count + 1, sizeof(struct line *));
	if (!a->lines) {
		log_error("out of memory");
		return EXIT_FAILED;
	}
	for (size_t i = 0; i < a->probe_count && !code; i++) {
		const char *text = print_of(a, &a->probes[i]);

		if (text && a->probes[i].schema.count)
			code = line_apply(a, &a->probes[i], text);
	}
	return code;
}
