/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * compare.c - judges the tools on one kernel after another, then shows all answers in a table.
 */
#include "doctor/doctor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "doctor/check.h"
#include "run/session.h"
#include "util/escape.h"
#include "util/terminal.h"
#include "util/log.h"

enum { TOOLS_MAX = 512, NAME_COLUMN = 20, SHORT_MAX = 28 };

struct tool {
	const char *group, *name;
	struct doctor_result *on; /* owned; one for each kernel */
};

struct comparison {
	const struct options *options;
	const struct doctor_kernels *kernels;
	struct sink *sink;
	struct tool tools[TOOLS_MAX];
	size_t count;
	size_t kernel, at; /* the kernel being judged, and the index of the next tool */
	bool failed;	   /* out of memory, or too many tools */
	int without;	   /* number of kernels on which nothing works */
};

/* ---- judging ---- */

static void json_write(struct comparison *c, const struct tool *t)
{
	struct doctor_row row = { t->group, t->name, .kernel = c->kernels->all[c->kernel].name,
				  .result = &t->on[c->kernel] };

	doctor_row_write(c->sink, &row);
}

static void result_add(void *ctx, const char *group, const char *name,
		       const struct doctor_result *r)
{
	struct comparison *c = ctx;
	struct tool *t = &c->tools[c->at];

	if (c->at == c->count && c->count < TOOLS_MAX) {
		*t = (struct tool){ group, name, calloc(c->kernels->count, sizeof(*t->on)) };
		c->count += t->on != NULL;
	}
	c->failed |= c->at >= c->count;
	if (c->failed)
		return;
	t->on[c->kernel] = *r;
	c->at++;
	if (c->options->rows.json)
		json_write(c, t);
}

static int kernel_judge(struct comparison *c, const struct doctor_request *q)
{
	struct options options = *c->options;
	struct doctor d = { .options = &options, .kernel = c->kernels->all[c->kernel].name };
	int code;

	options.attach.btf = c->kernels->all[c->kernel].path;
	code = doctor_warm(&d);
	if (code)
		return code;
	c->at = 0;
	c->without += !doctor_tools_judge(&d, q, result_add, c);
	session_types_lend(NULL);
	btf_view_close(d.btf);
	return EXIT_FINE;
}

/* ---- the table ---- */

/* Shortens "6.12.117+deb13-cloud-amd64" to "6.12.117", for the head of a column. */
static void name_short(const char *name, char text[SHORT_MAX])
{
	size_t len = strcspn(name, "+-_");

	snprintf(text, SHORT_MAX, "%.*s",
		 (int)(len && strchr("0123456789", *name) ? len : SHORT_MAX), name);
}

/* True if another kernel's short name is the same. */
static bool is_shared(const struct comparison *c, size_t kernel, const char *text)
{
	char other[SHORT_MAX];

	for (size_t k = 0; k < c->kernels->count; k++) {
		name_short(c->kernels->all[k].name, other);
		if (k != kernel && !strcmp(other, text))
			return true;
	}
	return false;
}

/* The head of a column: "6.12.117", of flavours of one version "6.12.117-rt-amd64". */
static void head_of(const struct comparison *c, size_t kernel, char text[SHORT_MAX])
{
	const char *name = c->kernels->all[kernel].name, *flavour = strchr(name, '-');
	size_t len;

	name_short(name, text);
	len = strlen(text);
	if (flavour && is_shared(c, kernel, text))
		snprintf(text + len, SHORT_MAX - len, "%s", flavour);
}

static int column(const struct comparison *c, size_t kernel)
{
	char text[SHORT_MAX];
	int len;

	head_of(c, kernel, text);
	len = strlen(text);
	return (len > 6 ? len : 6) + 2;
}

static void kernels_write(const struct comparison *c)
{
	struct buf *o = c->sink->out;
	char text[SHORT_MAX];

	style_title(o, "Kernels", "\n");
	for (size_t k = 0; k < c->kernels->count; k++) {
		head_of(c, k, text);
		buf_printf(o, "  %-*s ", NAME_COLUMN - 1, text);
		escape_write(o, c->kernels->all[k].path, strlen(c->kernels->all[k].path));
		buf_char(o, '\n');
	}
}

static void title_write(const struct comparison *c, const char *title)
{
	struct buf *o = c->sink->out;
	char text[SHORT_MAX];

	style_text(o, STYLE_TITLE, title);
	buf_repeat(o, ' ', NAME_COLUMN + 2 - strlen(title));
	for (size_t k = 0; k < c->kernels->count; k++) {
		head_of(c, k, text);
		buf_printf(o, "%-*s", k + 1 < c->kernels->count ? column(c, k) : 0, text);
	}
	buf_char(o, '\n');
}

static bool is_alike(const struct doctor_result *a, const struct doctor_result *b)
{
	return a->answer == b->answer && !strcmp(a->text, b->text);
}

/* Writes the kernels that a reason applies to: "before 6.12", "since 6.18", or else all their names. Returns false if
 * an earlier kernel has the same reason. */
static bool where_write(const struct comparison *c, const struct tool *t, size_t kernel,
			struct buf *o)
{
	size_t count = c->kernels->count, last = kernel, same = 0;
	char text[SHORT_MAX];

	for (size_t k = 0; k < count; k++) {
		if (!is_alike(&t->on[k], &t->on[kernel]))
			continue;
		if (k < kernel)
			return false;
		last = k;
		same++;
	}
	buf_repeat(o, ' ', NAME_COLUMN + 2);
	if (same == count) {
		buf_str(o, "on all: ");
	} else if (!kernel && same == last + 1) {
		name_short(c->kernels->all[last + 1].name, text);
		buf_printf(o, "before %s: ", text);
	} else if (last == count - 1 && same == count - kernel) {
		name_short(c->kernels->all[kernel].name, text);
		buf_printf(o, "since %s: ", text);
	} else {
		for (size_t k = kernel; k < count; k++) {
			name_short(c->kernels->all[k].name, text);
			if (is_alike(&t->on[k], &t->on[kernel]))
				buf_printf(o, "%s%s", k == kernel ? "" : ", ", text);
		}
		buf_str(o, ": ");
	}
	return true;
}

/* Writes the reasons and differences. A tool that works in the same way everywhere gets no text. */
static void reasons_write(const struct comparison *c, const struct tool *t)
{
	struct buf *o = c->sink->out;

	for (size_t k = 0; k < c->kernels->count; k++) {
		const struct doctor_result *r = &t->on[k];
		bool differs = false;

		for (size_t other = 0; other < c->kernels->count; other++)
			differs |= !is_alike(r, &t->on[other]);
		if (r->answer == DOCTOR_YES && !(c->options->verbose && differs))
			continue;
		if (!where_write(c, t, k, o))
			continue;
		escape_write(o, r->text, strlen(r->text));
		buf_char(o, '\n');
	}
}

static void tool_write(const struct comparison *c, const struct tool *t)
{
	struct buf *o = c->sink->out;

	buf_printf(o, "  %-*s%s", NAME_COLUMN, t->name, strlen(t->name) < NAME_COLUMN ? "" : "  ");
	for (size_t k = 0; k < c->kernels->count; k++)
		doctor_answer_write(o, t->on[k].answer,
				    k + 1 < c->kernels->count ? column(c, k) : 0);
	buf_char(o, '\n');
	reasons_write(c, t);
}

static void table_write(const struct comparison *c)
{
	const char *group = "";

	kernels_write(c);
	for (size_t i = 0; i < c->count; i++) {
		const struct tool *t = &c->tools[i];

		if (strcmp(group, t->group))
			title_write(c, strcmp(t->group, "recipe") ? "Applets" : "Recipes");
		group = t->group;
		tool_write(c, t);
	}
}

/* Judges the tools on each kernel. Prints a table, or with --json a line for each tool and kernel. Returns the exit
 * status: EXIT_CANNOT if no tool works on one of the kernels. */
static int doctor_compare(const struct options *options, const struct doctor_request *request,
			  const struct doctor_kernels *kernels)
{
	struct buf o;
	struct sink s = {
		.schema = &doctor_schema, .out = &o, .json = options->rows.json, .applet = "doctor"
	};
	static struct comparison c;
	int code = EXIT_FINE, end;

	c = (struct comparison){ .options = options, .kernels = kernels, .sink = &s };
	buf_init(&o, STDOUT_FILENO);
	o.is_colored = terminal_has_colors(STDOUT_FILENO);
	for (c.kernel = 0; c.kernel < kernels->count && !code; c.kernel++)
		code = kernel_judge(&c, request);
	if (!code && c.failed) {
		log_error("too many tools, or out of memory");
		code = EXIT_FAILED;
	}
	if (!code && !options->rows.json)
		table_write(&c);
	for (size_t i = 0; i < c.count; i++)
		free(c.tools[i].on);
	end = doctor_output_end(&s);
	return code ?: end ?: (c.without ? EXIT_CANNOT : EXIT_FINE);
}

int doctor_run(const struct options *options, const struct doctor_request *request)
{
	struct doctor_kernels kernels = { 0 };
	struct options one = *options;
	int code = doctor_tools_check(request);

	if (!code && options->attach.btf && request->kernels.count) {
		log_error("--btf and --kernel exclude each other");
		code = EXIT_USAGE;
	}
	code = code ?: doctor_kernels_find(&request->kernels, &kernels);
	if (!code && kernels.count == 1)
		one.attach.btf = kernels.all->path;
	if (!code && kernels.count > 1)
		code = doctor_compare(options, request, &kernels);
	else if (!code)
		code = doctor_one_kernel(&one, request, kernels.count ? kernels.all->name : NULL);
	doctor_kernels_free(&kernels);
	return code;
}
