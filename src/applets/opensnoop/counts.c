/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * counts.c - the rows of opensnoop --count.
 */
#include "applets/opensnoop/counts.h"

#include <stdlib.h>
#include <string.h>

#include "cli/complete.h"
#include "cli/applet.h"
#include "run/reporting.h"
#include "run/session.h"
#include "util/log.h"

#define ROW(member) FIELD_AT(struct opensnoop_count_row, member)

/* clang-format off */
#define ROW_FIELDS(name_, help_)                                                                   \
	{                                                                                          \
		{ .name = "opens", ROW(opens), .type = FIELD_UINT,                                 \
		  .flags = FIELD_SORT | FIELD_TOTAL, .help = "how often" },                        \
		{ .name = "errno", .title = "ERR", ROW(key.error), .type = FIELD_ERRNO,            \
		  .help = "name of the error, null for none (in text 0)" },                        \
		{ .name = name_, ROW(key.what), .type = FIELD_STR, .help = help_ },                \
	}

static const struct field by_path[] = ROW_FIELDS("path", "path as the callers gave it");
static const struct field by_comm[] = ROW_FIELDS("comm", "command name of the threads");
/* clang-format on */

static const struct {
	const char *name;
	const struct field *fields;
} modes[] = {
	[OPENSNOOP_COUNT_PATH] = { "path", by_path },
	[OPENSNOOP_COUNT_COMM] = { "comm", by_comm },
};

void counts_words(struct completion *c, const char *begin)
{
	(void)begin;
	for (size_t i = 1; i < sizeof(modes) / sizeof(modes[0]); i++)
		completion_word(c, modes[i].name, NULL);
}

static enum opensnoop_count mode_find(const char *what)
{
	for (size_t i = 1; what && i < sizeof(modes) / sizeof(modes[0]); i++)
		if (!strcmp(what, modes[i].name))
			return i;
	return OPENSNOOP_COUNT_NONE;
}

enum opensnoop_count counts_mode(const char *what, const struct options *o, bool full_path)
{
	enum opensnoop_count mode = mode_find(what);

	if (what && !mode)
		log_error("--count '%s': expected path or comm", what);
	else if (mode && full_path)
		log_error(
			"--count counts paths as they were given: --full-path does not go with it");
	else if (mode && (o->extended || o->with_container))
		log_error(
			"--extended, --columns and --with-container are for single opens: they do not go with "
			"--count");
	else if (mode && (o->svg || o->heatmap))
		log_error("--svg and --heatmap draw histograms: --count has none");
	else if (!reporting_check_mode(o, mode, "--count", "open"))
		return mode;
	exit(EXIT_USAGE);
}

static int counts_report(struct session *s, struct report *out)
{
	return report_map(s, out, "counts");
}

void counts_begin(struct session *s, enum opensnoop_count mode)
{
	s->schema = (struct schema){ .fields = modes[mode].fields,
				     .count = sizeof(by_path) / sizeof(by_path[0]),
				     .record_min = sizeof(struct opensnoop_count_row),
				     .bare = true,
				     .noun = "open" };
	s->report = counts_report;
	s->row_name = "opens";
}
