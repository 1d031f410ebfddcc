/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * attach_all.c - attaches all probes of a run, and reports what could not be attached, and why.
 *
 * This file does not know how one probe is attached (load_order.c, providers/).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "probe/argdump.h"
#include "output/rows/columns.h"
#include "util/errname.h"
#include "util/log.h"
#include "output/rows/line.h"

/* ---- --print ---- */

/* Lists the names of columns, for log_hint. */
static const char argdump_column_hint[] =
	"a column is a value's name, as in NAME=EXPR, or $pid, $tid, $comm, $func";

/* Returns the --print of the probe's request, or else the common one. */
static const char *print_of(const struct argdump *a, const struct argdump_probe *p)
{
	const char *text = NULL;

	model_each(o, &a->model, p->request->given, MODEL_PRINT) text = o->text.text;
	return text;
}

static int line_apply(struct argdump *a, struct argdump_probe *p, const char *text)
{
	struct line_error error;
	struct schema *schema = &p->schema;
	struct line **line = &a->rows.lines[p - a->probes];

	*line = line_build(text, schema, &error);
	schema->line = *line;
	if (*line)
		return EXIT_FINE;
	if (error.start == error.end) {
		log_error("out of memory");
		return EXIT_FAILED;
	}
	if (error.is_name) {
		columns_unknown_report("--print", text + error.start, error.end - error.start,
				       &schema, 1, argdump_column_hint);
	} else if (error.is_number) {
		log_error("--print: this value is not a number");
		log_caret(text, error.start, error.end);
		log_hint("EXPR:p is an address, EXPR:d a number; {NAME} is written by its type");
	} else {
		log_error("--print: expected {NAME}, {NAME:WIDTH} or {NAME:%%05d}");
		log_caret(text, error.start, error.end);
		log_hint("{{ is a brace");
	}
	return EXIT_USAGE;
}

static int prints_apply(const struct session *s, struct argdump *a)
{
	int code = EXIT_FINE;

	if (!model_has(&a->model, MODEL_PRINT) || s->options.rows.json ||
	    options_want_all(&s->options))
		return EXIT_FINE;
	a->rows.lines = calloc(a->probe_count + 1, sizeof(struct line *));
	if (!a->rows.lines) {
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

enum { CONTAINER_WIDTH = 12 };

/* Names a variant that the kernel might accept but that cannot do these expressions. Sessions are
 * skipped: they offer nothing beyond the variants tried in their place. */
static void variant_unfit_report(struct session *s, struct argdump *a, struct argdump_probe *p)
{
	const struct argdump_variant *variant;
	struct expr_error error;

	for (size_t n = 0; (variant = argdump_variant_at(&s->options, s->btf, p, n)); n++) {
		if (attach_has(variant->method, ATTACH_SESSION) ||
		    argdump_probe_compile(s, a, p, variant, &error) != -EOPNOTSUPP)
			continue;
		log_hint("not by %s either: %s", argdump_method_name(p, variant), error.message);
		return;
	}
}

/* True for what is missing for the whole run: without the function that met it, the run would be a partial one. */
static bool is_of_run(int err)
{
	return err == -EPERM || err == -EMFILE || err == -ENFILE || err == -ENOMEM;
}

/* An error in an expression is reported before missing privileges. */
int argdump_failure_report(struct session *s, struct argdump *a, struct argdump_probe *p, int err)
{
	bool spares;
	int code;

	if (argdump_probe_compile_or_report(s, a, p))
		return EXIT_USAGE;
	spares = a->language && !is_of_run(err) && a->language->spares(s, p->request);
	code = p->kind->explain(s, p, err);
	variant_unfit_report(s, a, p);
	if (!spares)
		return code;
	a->language->spares(s, NULL);
	for (struct argdump_probe *q = p; q < a->probes + a->probe_count; q++)
		q->is_spared |= q->request == p->request && !q->fds.links.count;
	return EXIT_FINE;
}

enum { REPORT_EACH = 4 }; /* -v prints a line for each function, up to this many */

/* -v: prints a line for each method that attached some of them; -vv prints one for each function. */
static void methods_report(const struct argdump_probe *first, size_t count)
{
	const struct argdump_variant *v = first->kind->variants;

	for (; count > REPORT_EACH && v < first->kind->variants + first->kind->variant_count; v++) {
		const struct argdump_probe *one = NULL;
		size_t attached = 0;

		for (const struct argdump_probe *p = first; p < first + count; p++) {
			if (p->variant != v || !p->fds.links.count)
				continue;
			one = p;
			attached++;
		}
		if (one)
			log_debug(1, "%s: %zu function%s, %s loads", argdump_method_name(one, v),
				  attached, attached == 1 ? "" : "s",
				  v->typed_loads ? "typed" : "probe_read");
	}
}

/* The functions of a pair are compiled only when they are attached, so EXPRs may not fit some of them. */
static void left_out_report(const struct argdump_probe *first, size_t count, int err)
{
	log_note("%zu function%s left out, e.g. %s: %s%s", count, count == 1 ? "" : "s",
		 first->name, first->attempt.variant ? "the kernel refused: " : "",
		 first->attempt.variant ? errtext(-err) : "the expressions do not fit");
}

/* If several functions are attached one by one, those that refuse are left out with a message,
 * unless all refuse. */
static int each_attach(struct session *s, struct argdump *a, struct argdump_probe *first)
{
	size_t count = argdump_request_probes(a, first);
	struct argdump_probe *failed = NULL;
	size_t failures = 0;
	int first_err = 0;

	for (struct argdump_probe *p = first; p < first + count; p++) {
		int err;

		if (p->limits.joint) /* it is attached */
			continue;
		p->one_of_many = count > REPORT_EACH;
		log_busy("attaching", p - first, count);
		pair_match(a, p);
		err = argdump_variants_try(s, a, p, NULL);
		if (!err)
			continue;
		first_err = failures++ ? first_err : err;
		failed = failed ?: p;
		if (is_of_run(err))
			return argdump_failure_report(s, a, p, err);
	}
	if (failures == count)
		return argdump_failure_report(s, a, failed, first_err);
	methods_report(first, count);
	if (failures)
		left_out_report(failed, failures, first_err);
	return EXIT_FINE;
}

/* Returns the PROBE of the event; for a pair, of its begin. */
static const char *event_name(struct argdump *a, const struct argdump_probe *p)
{
	const struct argdump_probe *of = p->request->is_end ? pair_other(a, p) : p;

	return of->point ?: of->name;
}

/* Adds a column for --with-container, as in other applets. */
static void container_show(const struct session *s, struct schema *schema)
{
	for (size_t i = 0; i < schema->count && s->options.rows.with_container; i++) {
		struct field *f = (struct field *)&schema->fields[i];

		if (f->type != FIELD_CONTAINER || strcmp(f->name, "container"))
			continue;
		f->flags &= ~FIELD_PAIR;
		f->width = CONTAINER_WIDTH;
		return;
	}
}

static void schema_copy(struct session *s, struct argdump *a, size_t i)
{
	struct schema *schema = &a->probes[i].schema;

	if (a->probes[i].expr) /* NULL: it was left out, and writes no record */
		*schema = *expr_schema(a->probes[i].expr);
	schema->event = event_name(a, &a->probes[i]);
	container_show(s, schema);
	schema->extended = s->options.rows.extended;
	schema->timestamp = s->options.rows.timestamp;
	for (size_t j = 0; j < schema->count; j++)
		if (schema->fields[j].type == FIELD_USYM)
			session_name_users(s);
	a->rows.schemas[i] = schema;
}

/* Inserts columns that options ask for before those of the recipe or the user. Returns NULL if out of memory. */
static char *columns_text(const struct session *s, const struct argdump *a)
{
	bool inner = s->options.rows.inner_pids && !columns_have(a->rows.columns, "inner_pid"),
	     container = s->options.rows.with_container &&
			 !columns_have(a->rows.columns, "container");
	char *text;

	if (asprintf(&text, "%s%s%s", container ? "container," : "", inner ? "inner_pid," : "",
		     a->rows.columns) < 0)
		return NULL;
	return text;
}

/* Applies --columns to the probes that write records: of a pair, the ends. */
static int columns_apply(const struct session *s, struct argdump *a)
{
	char *text;
	struct schema *schemas[a->probe_count];
	size_t count = 0;
	int err;

	if (!a->rows.columns || options_want_all(&s->options))
		return EXIT_FINE;
	for (size_t i = 0; i < a->probe_count; i++)
		if (a->probes[i].schema.count)
			schemas[count++] = &a->probes[i].schema;
	text = columns_text(s, a);
	err = text ? columns_set(text, schemas, count, argdump_column_hint, &a->rows.fields) :
		     -ENOMEM;
	free(text);
	if (err == -ENOMEM)
		log_error("out of memory");
	return !err ? EXIT_FINE : err == -EINVAL ? EXIT_USAGE : EXIT_FAILED;
}

/* True where the kernel runs the program attached last first: trampolines, kprobes and uprobes insert new programs at
 * the front. */
static bool runs_last_first(const struct argdump_probe *p)
{
	enum probe_spec_kind kind = p->request->spec.kind;

	return kind == PROBE_SPEC_FUNCTION || kind == PROBE_SPEC_USER;
}

static bool is_function_return(const struct argdump_probe *p)
{
	return p->request->spec.kind == PROBE_SPEC_FUNCTION && p->request->spec.is_return;
}

static void request_detach(struct argdump *a, struct argdump_probe *first)
{
	size_t count = argdump_request_probes(a, first);

	for (struct argdump_probe *p = first; p < first + count; p++)
		argdump_probe_detach(p);
}

static int attach_with_place(struct session *s, struct argdump *a, struct argdump_probe *first)
{
	int code;

	argdump_error_place_set(s, a, first->request);
	code = (first->kind->attach_all ?: each_attach)(s, a, first);
	argdump_error_place_set(s, a, NULL);
	return code;
}

/*
 * Attaches the programs of functions from the last of the text to the first. A kretprobe at the return runs in the
 * reverse order of its entries (the kernel keeps a stack of calls in progress), so the first attached first: once one
 * return is attached so, that one and those before it are left for after, marked in `later`.
 */
static int last_first_attach(struct session *s, struct argdump *a, struct argdump_probe **starts,
			     size_t count, bool *later)
{
	size_t returns = 0;
	bool by_kretprobe = false;
	int code = EXIT_FINE;

	for (size_t i = 0; i < count; i++)
		returns += is_function_return(starts[i]);
	for (size_t i = count; i-- > 0 && !code;) {
		later[i] = !runs_last_first(starts[i]) ||
			   (by_kretprobe && is_function_return(starts[i]));
		if (later[i])
			continue;
		code = attach_with_place(s, a, starts[i]);
		if (!code && returns > 1 && is_function_return(starts[i]) &&
		    argdump_is_kretprobe(starts[i])) {
			request_detach(a, starts[i]);
			by_kretprobe = later[i] = true;
		}
	}
	return code;
}

/* Attaches programs on the same function so that they run in the order of the text. */
static int in_order_attach(struct session *s, struct argdump *a)
{
	struct argdump_probe *starts[a->probe_count + 1], *p = a->probes;
	bool later[a->probe_count + 1];
	size_t count = 0;
	int code;

	for (; p < a->probes + a->probe_count; p += argdump_request_probes(a, p))
		starts[count++] = p;
	code = last_first_attach(s, a, starts, count, later);
	for (size_t i = 0; i < count && !code; i++)
		if (later[i])
			code = attach_with_place(s, a, starts[i]);
	return code;
}

static int rank_attach(struct session *s, struct argdump *a, unsigned rank)
{
	struct argdump_probe *p = a->probes;
	int code = EXIT_FINE;

	for (; p < a->probes + a->probe_count && !code; p += argdump_request_probes(a, p))
		if (pair_rank(a, p) == rank)
			code = (p->kind->attach_all ?: each_attach)(s, a, p);
	return code;
}

int argdump_rows_prepare(struct session *s, struct argdump *a)
{
	a->rows.schemas = calloc(a->probe_count + 1, sizeof(*a->rows.schemas));
	if (!a->rows.schemas) {
		log_error("out of memory");
		return EXIT_FAILED;
	}
	for (size_t i = 0; i < a->probe_count; i++)
		schema_copy(s, a, i);
	return columns_apply(s, a) ?: prints_apply(s, a);
}

int argdump_probes_attach(struct session *s, struct argdump *a)
{
	int code = EXIT_FINE;

	if (a->language)
		code = in_order_attach(s, a);
	else
		joint_attach(s, a);
	for (unsigned rank = 0; rank < PAIR_RANKS && !code && !a->language; rank++)
		code = rank_attach(s, a, rank);
	return code ?: argdump_rows_prepare(s, a);
}
