/* SPDX-License-Identifier: GPL-2.0 */
/*
 * doctor.c - runs the tables of checks and writes the report: text, or one JSON object a line.
 */
#include "core/doctor.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "applet.h"
#include "core/diag.h"
#include "core/out.h"
#include "core/schema.h"
#include "core/text.h"

#define NAME_COLUMN 20
#define ANSWER_COLUMN 8
#define KERNEL_ENOTSUPP 524 /* include/linux/errno.h: reaches user space, unknown to libc */

static const struct group {
	const char *name; /* in JSON */
	const char *title;
	const struct doctor_check *checks;
} groups[] = {
	{ "kernel", "Kernel", doctor_kernel },
	{ "attach", "Ways to attach", doctor_attach },
	{ "feature", "What programs may do", doctor_features },
};

static const char *answer_name(enum doctor_answer answer)
{
	static const char *const names[] = {
		[DOCTOR_YES] = "yes",	    [DOCTOR_PARTLY] = "partly", [DOCTOR_NO] = "no",
		[DOCTOR_UNKNOWN] = "unknown", [DOCTOR_FACT] = "fact",
	};
	return names[answer];
}

void doctor_say(struct doctor_result *r, enum doctor_answer answer, int error, const char *fmt,
		...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(r->text, sizeof(r->text), fmt, ap);
	va_end(ap);
	r->answer = answer;
	r->error = error;
}

static const char *error_name(int error)
{
	const char *name = errno_name(error);

	return name ? name : error == KERNEL_ENOTSUPP ? "ENOTSUPP" : NULL;
}

/* ---- the two forms of a row ---- */

struct row {
	const char *group, *name, *why, *todo;
	const struct doctor_result *result;
};

static void text_line(struct out *o, const char *label, const char *text)
{
	out_repeat(o, ' ', 2 + NAME_COLUMN + ANSWER_COLUMN);
	out_str(o, label);
	text_put(o, text, strlen(text));
	out_char(o, '\n');
}

static void row_text(struct out *o, const struct row *row, int verbose)
{
	const struct doctor_result *r = row->result;
	const char *answer = r->answer == DOCTOR_FACT ? "" : answer_name(r->answer);
	const char *error = r->error ? error_name(r->error) : NULL;

	out_printf(o, "  %-*s%-*s", NAME_COLUMN, row->name, r->text[0] ? ANSWER_COLUMN : 0, answer);
	text_put(o, r->text, strlen(r->text));
	if (error)
		out_printf(o, " (%s)", error);
	else if (r->error)
		out_printf(o, " (error %d)", r->error);
	out_char(o, '\n');
	if (r->answer == DOCTOR_NO || r->answer == DOCTOR_PARTLY) {
		if (row->why)
			text_line(o, "needed for: ", row->why);
		if (row->todo)
			text_line(o, "to do: ", row->todo);
	}
	if (verbose && r->log[0])
		text_line(o, "kernel: ", r->log);
}

static void row_json(struct out *o, const struct row *row)
{
	const struct doctor_result *r = row->result;
	bool is_lacking = r->answer == DOCTOR_NO || r->answer == DOCTOR_PARTLY;
	char number[16];

	snprintf(number, sizeof(number), "%d", r->error);
	out_str(o, "{\"type\":\"doctor\"");
	text_put_json_pair(o, "group", row->group);
	text_put_json_pair(o, "name", row->name);
	text_put_json_pair(o, "answer", answer_name(r->answer));
	text_put_json_pair(o, "text", r->text);
	text_put_json_pair(o, "errno", r->error ? error_name(r->error) ?: number : NULL);
	text_put_json_pair(o, "why", row->why);
	text_put_json_pair(o, "todo", is_lacking ? row->todo : NULL);
	text_put_json_pair(o, "log", r->log);
	out_str(o, "}\n");
}

static void row_put(struct doctor *d, struct out *o, const struct row *row)
{
	if (d->options->json)
		row_json(o, row);
	else
		row_text(o, row, d->options->verbose);
	out_flush(o); /* a check may take a second */
}

/* ---- the report ---- */

static void check_run(struct doctor *d, const struct doctor_check *c, struct doctor_result *r)
{
	if ((c->needs & DOCTOR_NEED_KERNEL) && d->options->btf)
		doctor_say(r, DOCTOR_SKIP, 0, "of the running kernel");
	else if ((c->needs & DOCTOR_NEED_RIGHTS) && !d->tries)
		doctor_say(r, DOCTOR_UNKNOWN, EPERM, "not tried, for lack of %s",
			   rights_missing(&d->rights));
	else
		c->run(d, c, r);
	if (c->ability >= 0)
		d->works[c->ability] = r->answer == DOCTOR_YES;
}

static void title_put(struct doctor *d, struct out *o, const char *title)
{
	if (!d->options->json)
		out_printf(o, "%s\n", title);
}

/* A table of which every row needs rights that this process has not: one line of text for all. */
static bool untried(struct doctor *d, struct out *o, const struct group *g)
{
	struct doctor_result r = { .answer = DOCTOR_UNKNOWN };
	size_t len = 0;

	if (d->tries || d->options->json || d->options->btf ||
	    !(g->checks->needs & DOCTOR_NEED_RIGHTS))
		return false;
	for (const struct doctor_check *c = g->checks; c->name && len < sizeof(r.text); c++)
		len += snprintf(r.text + len, sizeof(r.text) - len, "%s%s", len ? ", " : "",
				c->name);
	title_put(d, o, g->title);
	row_put(d, o, &(struct row){ g->name, "not tried", NULL, NULL, &r });
	return true;
}

static void group_run(struct doctor *d, struct out *o, const struct group *g)
{
	bool titled = false;

	if (untried(d, o, g))
		return;
	for (const struct doctor_check *c = g->checks; c->name; c++) {
		struct doctor_result r = { .answer = DOCTOR_FACT };

		check_run(d, c, &r);
		if (r.answer == DOCTOR_SKIP)
			continue;
		if (!titled)
			title_put(d, o, g->title);
		titled = true;
		row_put(d, o, &(struct row){ g->name, c->name, c->why, c->todo, &r });
	}
}

/* Returns how many of them work, at least in part. */
static int applets_run(struct doctor *d, struct out *o)
{
	int working = 0;

	title_put(d, o, d->options->btf ? "Applets, as far as these types tell" : "Applets");
	for (const struct applet *const *a = applets; *a; a++) {
		struct doctor_result r = { .answer = DOCTOR_FACT };

		if ((*a)->run) /* it traces nothing */
			continue;
		doctor_judge(d, *a, &r);
		row_put(d, o, &(struct row){ "applet", (*a)->name, NULL, NULL, &r });
		working += r.answer == DOCTOR_YES || r.answer == DOCTOR_PARTLY;
	}
	return working;
}

static void rights_note(struct doctor *d)
{
	if (d->options->btf || rights_trace(&d->rights))
		return;
	diag_note("for lack of %s no program was loaded; with them every way to attach, every "
		  "feature and every applet is tried", rights_missing(&d->rights));
	diag_hint("%s", rights_hint(&d->rights));
}

static int types_open(struct doctor *d)
{
	const char *path = d->options->btf;

	d->btf_error = -btf_view_open(path, &d->btf);
	if (!d->btf_error)
		return EXIT_FINE;
	d->btf = NULL;
	if (!path)
		return EXIT_FINE; /* a check of its own says so */
	diag_error("cannot read the types of '%s': %s", path, strerror(d->btf_error));
	diag_hint("raw BTF is wanted: objcopy --dump-section .BTF=FILE vmlinux");
	return EXIT_USAGE;
}

static int report(struct doctor *d)
{
	int working, err;
	struct out o;

	out_init(&o, STDOUT_FILENO);
	for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++)
		group_run(d, &o, &groups[i]);
	working = applets_run(d, &o);
	err = o.error;
	out_free(&o);
	if (err && err != -EPIPE) {
		diag_error("cannot write to stdout: %s", strerror(-err));
		return EXIT_FAILED;
	}
	rights_note(d);
	return working ? EXIT_FINE : EXIT_CANNOT;
}

int doctor_run(const struct options *options)
{
	struct doctor d = { .options = options };
	int code = types_open(&d);

	if (code)
		return code;
	rights_read(&d.rights);
	d.tries = rights_trace(&d.rights) && !options->btf;
	code = report(&d);
	if (d.btf)
		btf_view_close(d.btf);
	return code;
}
