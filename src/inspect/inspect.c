/* SPDX-License-Identifier: GPL-2.0-only */
/* inspect.c - --list and --type: parses their arguments, calls the function for the kind, lists sampling events. */
#include "inspect/inspect.h"

#include <errno.h>

#include "inspect/list.h"
#include "probe/name_choice.h"
#include "probe/sample_spec.h"
#include "probe/type.h"
#include "util/log.h"

/* ---- argdump --list of hw: and sw: events, with the period that each has by default ---- */

struct sample_row {
	const char *kind, *name;
	uint64_t period;
};

static const struct field fields[] = {
	FIELD(struct sample_row, kind, FIELD_TEXT, 0, NULL),
	FIELD(struct sample_row, name, FIELD_TEXT, 0, NULL),
	FIELD(struct sample_row, period, FIELD_UINT, 0, NULL),
	{ 0 },
};

static void row_text(struct buf *o, const void *record)
{
	const struct sample_row *row = record;

	buf_printf(o, "%s:%s:%llu\n", row->kind, row->name, (unsigned long long)row->period);
}

static size_t rows_write(struct list_rows *rows, const struct probe_spec *spec)
{
	size_t count = 0;

	for (const struct sample_event *e = sample_events; e->name; e++) {
		struct sample_row row = { spec->kind == PROBE_SPEC_HARDWARE ? "hw" : "sw", e->name,
					  e->period };

		if (!sample_event_is(e, spec->kind) || !probe_spec_accepts(spec, "", e->name))
			continue;
		list_write(rows, &row);
		count++;
	}
	return count;
}

static int list_samples(struct session *s, const struct argdump_request *request)
{
	struct list_rows rows;
	size_t count;

	list_begin(&rows, s, "sample", fields, row_text, sizeof(struct sample_row));
	count = rows_write(&rows, &request->spec);
	list_end(&rows);
	if (count)
		return EXIT_FINE;
	log_error("no event matches '%s'", request->text);
	return EXIT_USAGE;
}

/* ---- arguments ---- */

/* Adds a request for each word: all are PROBEs. */
static int probes_add(struct argdump *a)
{
	int err = model_end(&a->model);

	for (const struct model_probe *p = a->model.probes;
	     p < a->model.probes + a->model.count && !err; p++) {
		err = argdump_request_add(a, p->attach.text, NULL, 0);
		for (size_t i = 0; i < p->expr_count && !err; i++)
			err = argdump_request_add(a, p->texts[i], NULL, 0);
	}
	if (!err && a->look.list && !a->model.count)
		err = argdump_request_add(a, "*", NULL, 0);
	return err;
}

int inspect_args(struct session *s, struct argdump *a)
{

	s->options.attach.dry_run = true;
	if (a->look.type && a->look.type[0] == '-') {
		log_error("--type needs a TYPE, e.g. 'struct file'; '%s' is an option",
			  a->look.type);
		return -EINVAL;
	}
	if (a->look.type && a->look.list) {
		log_error("--list and --type exclude each other");
		return -EINVAL;
	}
	if (a->look.type && a->model.count) {
		log_error("--type prints one type and nothing else: leave out '%s'",
			  a->model.probes[0].attach.text);
		return -EINVAL;
	}
	if (s->options.child.command) {
		log_error("--list and --type trace nothing: they take no command after --");
		return -EINVAL;
	}
	return probes_add(a);
}

static int list_one(struct session *s, struct argdump_request *request)
{
	if (!request->text) {
		log_error("--list needs a PROBE, e.g. 'tcp_*'");
		return EXIT_USAGE;
	}
	switch (request->spec.kind) {
	case PROBE_SPEC_FUNCTION: return list_functions(s, request);
	case PROBE_SPEC_TRACEPOINT: return list_tracepoints(s, request);
	case PROBE_SPEC_SYSCALL: return list_syscalls(s, request);
	case PROBE_SPEC_HARDWARE:
	case PROBE_SPEC_SOFTWARE: return list_samples(s, request);
	case PROBE_SPEC_PROGRAM: return list_programs(s, request);
	case PROBE_SPEC_USER: return list_user(s, request);
	default:
		log_error("cannot list %s: a rate or an address can be any number", request->text);
		return EXIT_USAGE;
	}
}

int inspect_run(struct session *s, struct argdump *a)
{
	int code = a->look.type ? type_print(s, a->look.type) : EXIT_FINE;

	for (size_t i = 0; i < a->request_count && !code; i++)
		if (a->requests[i].old)
			code = argdump_request_translate(s, &a->requests[i]);
	if (!code)
		code = names_choose(s, a);
	for (size_t i = 0; i < a->request_count && !code; i++)
		code = list_one(s, &a->requests[i]);
	return code;
}
