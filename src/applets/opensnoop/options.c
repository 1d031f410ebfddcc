/* SPDX-License-Identifier: GPL-2.0-only */
/* options.c - further options of opensnoop: --path and --flags, --count, --caller. */
#include "applets/opensnoop/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/bpf.h>

#include "cli/applet.h"
#include "cli/complete.h"
#include "output/field/field_kind.h"
#include "output/field/flag_names.h"
#include "output/field/stack.h"
#include "output/field/timestamp.h"
#include "output/field/value.h"
#include "output/field/value_json.h"
#include "run/reporting.h"
#include "run/session.h"
#include "util/log.h"
#include "util/suggest.h"

/* ---- opensnoop --path and --flags: converts the texts to what the programs compare ---- */

static void fail_option(const char *name, const char *arg, const char *wrong)
{
	log_error("--%s '%s': %s", name, arg, wrong);
	exit(EXIT_USAGE);
}

static void paths_compile(struct opensnoop_wanted *w)
{
	struct glob_pattern patterns[OPTION_LIST_MAX];
	int err;

	for (size_t i = 0; i < w->paths.count; i++)
		patterns[i] = (struct glob_pattern){ w->paths.items[i].text,
						     strlen(w->paths.items[i].text) };
	err = w->paths.count ? glob_compile_any(patterns, w->paths.count, w->path_table) : 0;
	if (err)
		fail_option("path", w->paths.items[w->paths.count - 1].text,
			    err == -EINVAL ? "a [ in a pattern has no ]" :
			    err == -E2BIG  ? "the patterns are too complex together" :
					     "out of memory");
}

static void fail_flag(const char *name)
{
	struct suggestion nearest;
	struct buf all;

	suggest_init(&nearest, name);
	for (const struct field_name *f = flags_open; f->name; f++)
		suggest_offer(&nearest, f->name);
	log_error("--flags '%s': unknown flag of open(2)", name);
	if (suggest_get(&nearest)) {
		suggest_hint(&nearest, NULL);
	} else {
		buf_init(&all, -1);
		for (const struct field_name *f = flags_open; f->name; f++)
			buf_printf(&all, "%s%s", all.len ? ", " : "", f->name);
		buf_char(&all, 0);
		log_hint("the flags are %s", all.error ? "others" : all.data);
		buf_free(&all);
	}
	exit(EXIT_USAGE);
}

/* "O_CREAT,O_EXCL" */
static void flags_parse(struct opensnoop_wanted *w, const char *text)
{
	const struct field_name *f;
	char name[32];
	size_t len;

	for (;; text += len + 1) {
		len = strcspn(text, ",");
		snprintf(name, sizeof(name), "%.*s", (int)len, text);
		f = field_name_find(flags_open, name);
		if (!f)
			fail_flag(name);
		if (w->flag_count == OPENSNOOP_FLAGS_MAX)
			fail_option("flags", text, "too many");
		w->masks[w->flag_count] = f->mask ?: f->value;
		w->values[w->flag_count++] = f->value;
		if (!text[len])
			return;
	}
}

void wanted_read(struct opensnoop_wanted *w)
{
	paths_compile(w);
	for (size_t i = 0; i < w->flags.count; i++)
		flags_parse(w, w->flags.items[i].text);
}

void wanted_size(const struct opensnoop_wanted *w, struct bpf_map *path_rows)
{
	if (w->paths.count)
		bpf_map__set_max_entries(path_rows, glob_rows((void *)w->path_table));
}

int wanted_load(const struct opensnoop_wanted *w, const struct bpf_map *path_rows)
{
	uint32_t rows = w->paths.count ? glob_rows((void *)w->path_table) : 0;

	for (uint32_t i = 0; i < rows; i++)
		if (bpf_map_update_elem(bpf_map__fd(path_rows), &i, w->path_table[i], BPF_ANY))
			return -errno;
	return 0;
}

/* ---- the rows of opensnoop --count ---- */

#define ROW(member) FIELD_AT(struct opensnoop_count_row, member)

/* clang-format off */
#define ROW_FIELDS(name_, help_)                                                                   \
	{                                                                                          \
		{ .name = "opens", ROW(opens), .type = FIELD_UINT,                                 \
		  .flags = FIELD_SORT | FIELD_TOTAL, .help = "number of opens" },                  \
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
		log_error("--count counts paths as they were given: leave out --full-path");
	else if (mode && (o->rows.extended || o->rows.with_container))
		log_error(
			"--extended, --columns and --with-container are for single opens: leave out "
			"--count");
	else if (mode && (o->report.svg || o->report.heatmap))
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
	s->rows.schema = (struct schema){ .fields = modes[mode].fields,
					  .count = sizeof(by_path) / sizeof(by_path[0]),
					  .record_min = sizeof(struct opensnoop_count_row),
					  .bare = true,
					  .noun = "open" };
	s->report = counts_report;
	s->rows.name = "opens";
}

/*
 * ---- --caller ----
 *
 * Uses unwind tables on a copy of the stack: the C library's open has no frame pointer, so a walk by frame pointers
 * would return the caller's caller.
 */

static const struct field copy = { .offset = sizeof(struct opensnoop_event),
				   .size = sizeof(struct opensnoop_caller),
				   .type = FIELD_USER_STACK,
				   .kind = &stack_copy_kind };

static bool is_c_library(const char *module)
{
	static const char *const begins[] = { "libc.so", "libc-", "libpthread", "ld-" };

	for (size_t i = 0; module && i < sizeof(begins) / sizeof(begins[0]); i++)
		if (!strncmp(module, begins[i], strlen(begins[i])))
			return true;
	return false;
}

static bool is_calling(const char *name)
{
	return name && (strstr(name, "open") || strstr(name, "creat") || strstr(name, "yscall"));
}

/* If all frames are in the library, returns the outermost. */
static bool caller_find(const struct value *v, struct frame *f)
{
	struct stack_walk w;
	bool any = false;

	for (stack_begin(&w, &copy, v); stack_next(&w, f); any = true)
		if (!is_c_library(f->module) && (any || !is_calling(f->name)))
			return true;
	return any;
}

static int caller_load(const struct field *f, const void *record, size_t size, struct value *v)
{
	const struct opensnoop_caller *c = (const void *)((const char *)record + copy.offset);

	(void)f;
	*v = (struct value){ .status = EVENT_NONE };
	if (size < copy.offset + sizeof(*c))
		return -EBADMSG;
	return c->regs[OPENSNOOP_SP] ? stack_copy_kind.load(&copy, record, size, v) : 0;
}

static size_t caller_text(struct buf *o, const struct field *f, const struct value *v,
			  enum timestamp_form form)
{
	size_t start = o->len;
	struct frame frame;

	(void)f, (void)form;
	if (v->status == EVENT_OK && caller_find(v, &frame))
		stack_write_frame(o, &frame, ESCAPE_PLAIN);
	else
		buf_char(o, '-');
	return o->len - start;
}

static void caller_json(struct buf *o, const struct field *f, const struct value *v)
{
	struct frame frame;

	(void)f;
	if (!caller_find(v, &frame)) {
		buf_str(o, "null");
		return;
	}
	buf_char(o, '"');
	stack_write_frame(o, &frame, ESCAPE_JSON);
	buf_char(o, '"');
}

const struct field_kind caller_kind = {
	.name = "caller", .load = caller_load, .text = caller_text, .json = caller_json
};
