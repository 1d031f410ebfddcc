/* SPDX-License-Identifier: GPL-2.0-only */
/* list_program.c - argdump --list of BPF programs and their functions: b:PROGRAM, b:PROGRAM:FUNCTION. */
#include <errno.h>
#include <string.h>

#include "util/log.h"
#include "inspect/list.h"
#include "probe/argdump.h"
#include "probe/providers/bpf_search.h"
#include "probe/providers/bpf_types.h"
#include "util/escape.h"

struct program_row {
	uint32_t id, uid;
	const char *program_type, *name, *tag, *function; /* function NULL: the program itself */
	struct list_params params;
	uint64_t runs, run_ns; /* while kernel.bpf_stats_enabled is 1 */
	const char *why;       /* why it cannot be traced; NULL: it can */
};

#define ROW(member, type) FIELD(struct program_row, member, type, 0, NULL)
static const struct field fields[] = {
	ROW(id, FIELD_UINT),
	ROW(program_type, FIELD_TEXT),
	ROW(name, FIELD_TEXT),
	ROW(function, FIELD_TEXT),
	ROW(tag, FIELD_TEXT),
	ROW(uid, FIELD_UINT),
	{ .name = "params", FIELD_AT(struct program_row, params), .kind = &list_params_kind },
	ROW(runs, FIELD_UINT),
	ROW(run_ns, FIELD_UINT),
	ROW(why, FIELD_TEXT),
	{ 0 },
};

static void text_write(struct buf *o, const char *text)
{
	escape_write(o, text, strlen(text));
}

static void row_text(struct buf *o, const void *record)
{
	const struct program_row *row = record;

	buf_str(o, "b:");
	text_write(o, row->name);
	if (row->function) {
		buf_char(o, ':');
		text_write(o, row->function);
	}
	if (list_params_known(&row->params))
		list_params_write(o, &row->params);
	buf_printf(o, "  /* %s, id %u, tag %s", row->program_type, row->id, row->tag);
	if (row->runs && !row->function)
		buf_printf(o, ", %llu runs, %llu ns each", (unsigned long long)row->runs,
			   (unsigned long long)(row->run_ns / row->runs));
	if (row->why)
		buf_printf(o, "; %s", row->why);
	buf_str(o, " */\n");
}

struct listing {
	const struct btf_view *kernel;
	struct list_rows rows;
};

static const char *why_not(const struct bpf_program_info *info)
{
	if (!info->function_count)
		return "cannot be traced: loaded without types";
	return info->is_jited ? NULL : "cannot be traced: interpreted";
}

static int row_write(void *ctx, const struct bpf_program_info *info, int fd, size_t function)
{
	struct listing *l = ctx;
	struct program_row row = {
		.id = info->id,
		.uid = info->uid,
		.program_type = bpf_program_type(l->kernel, info->type) ?: "unknown type",
		.name = bpf_function_name(l->kernel, info, 0),
		.tag = info->tag,
		.function = function ? bpf_function_name(l->kernel, info, function) : NULL,
		.runs = info->runs,
		.run_ns = info->run_ns,
		.why = why_not(info),
	};
	struct btf_view *view;
	uint32_t id;

	(void)fd;
	if (info->function_count && !bpf_function_types(l->kernel, info, function, 0, &view, &id)) {
		row.params.btf = view;
		row.params.proto = btf_view_type(view, btf_view_type(view, id)->type);
	}
	list_write(&l->rows, &row);
	return 0;
}

int list_programs(struct session *s, const struct argdump_request *request)
{
	struct listing l = { .kernel = s->btf };
	struct bpf_search search = {
		.kernel = s->btf, .all = true, .found_one = row_write, .ctx = &l
	};
	int err = 0;

	if (bpf_search_refused(s, request))
		return EXIT_USAGE;
	list_begin(&l.rows, s, "bpf_program", fields, row_text, sizeof(struct program_row));
	for (size_t i = 0; i < request->spec.count && !err; i++) {
		search.item = &request->spec.items[i];
		err = bpf_search_run(&search);
	}
	list_end(&l.rows);
	return err ? bpf_search_report(&search, err) : EXIT_FINE;
}
