/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * doctor.c - runs the tables of checks and writes the report: text, or one JSON object per line.
 */
#include "doctor/doctor.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "btf/btf.h"
#include "doctor/check.h"
#include "run/session.h"
#include "front/recipe/recipe.h"
#include "cli/applet.h"
#include "symbols/kernel/functions.h"
#include "symbols/kernel/ksyms.h"
#include "util/suggest.h"
#include "util/log.h"
#include "util/terminal.h"

struct group {
	const char *name; /* name in JSON */
	const char *title;
	const struct doctor_check *checks;
};

/* ---- the report ---- */

static void check_run(struct doctor *d, const struct doctor_check *c, struct doctor_result *r)
{
	if ((c->needs & DOCTOR_NEED_KERNEL) && d->options->attach.btf)
		doctor_report(r, DOCTOR_SKIP, 0, "of the running kernel");
	else if ((c->needs & DOCTOR_NEED_RIGHTS) && !d->tries)
		doctor_report(r, DOCTOR_UNKNOWN, EPERM, "not tried: missing %s",
			      privileges_missing(&d->rights));
	else
		c->run(d, c, r);
	if (c->ability >= 0)
		d->works[c->ability] = r->answer == DOCTOR_YES;
}

static void title_write(struct doctor *d, struct sink *s, const char *title)
{
	if (!d->options->rows.json)
		style_title(s->out, title, "\n");
}

static void row_write(struct doctor *d, struct sink *s, struct doctor_row row)
{
	row.with_log = d->options->verbose;
	row.kernel = d->kernel;
	doctor_row_write(s, &row);
}

/* True, after printing one line, if all rows of a table need privileges that this process lacks. */
static bool untried(struct doctor *d, struct sink *s, const struct group *g)
{
	struct doctor_result r = { .answer = DOCTOR_UNKNOWN };
	size_t len = 0;

	if (d->tries || d->options->rows.json || d->options->attach.btf ||
	    !(g->checks->needs & DOCTOR_NEED_RIGHTS))
		return false;
	for (const struct doctor_check *c = g->checks; c->name && len < sizeof(r.text); c++)
		len += snprintf(r.text + len, sizeof(r.text) - len, "%s%s", len ? ", " : "",
				c->name);
	title_write(d, s, g->title);
	row_write(d, s, (struct doctor_row){ g->name, "not tried", .result = &r });
	return true;
}

static void group_run(struct doctor *d, struct sink *s, const struct group *g)
{
	bool titled = false;

	if (untried(d, s, g))
		return;
	for (const struct doctor_check *c = g->checks; c->name; c++) {
		struct doctor_result r = { .answer = DOCTOR_FACT };

		check_run(d, c, &r);
		if (r.answer == DOCTOR_SKIP)
			continue;
		if (!titled)
			title_write(d, s, g->title);
		titled = true;
		row_write(d, s, (struct doctor_row){ g->name, c->name, c->why, c->todo, &r });
	}
}

static bool is_asked(const struct doctor_request *q, const char *name)
{
	bool asked = !q->tool_count;

	for (int i = 0; i < q->tool_count; i++)
		asked |= !strcmp(q->tools[i], name);
	return asked;
}

static int applets_judge(struct doctor *d, const struct doctor_request *q, doctor_tool_fn *judged,
			 void *ctx)
{
	int working = 0;

	for (const struct applet *const *a = applets; *a; a++) {
		struct doctor_result r = { .answer = DOCTOR_FACT };

		/* doctor itself has `run`: it traces nothing */
		if ((*a)->run || !is_asked(q, (*a)->name))
			continue;
		doctor_judge(d, *a, &r);
		judged(ctx, "applet", (*a)->name, &r);
		working += doctor_works(&r);
	}
	return working;
}

/* Lists recipes by name, then files. Returns their number. */
static size_t recipes_list(const struct doctor_request *q, const char **names)
{
	size_t count = 0;

	for (const char *const *name = recipe_names(); *name; name++)
		if (is_asked(q, *name))
			names[count++] = *name;
	for (int i = 0; i < q->tool_count; i++)
		if (strchr(q->tools[i], '/'))
			names[count++] = q->tools[i];
	return count;
}

static size_t recipes_number(void)
{
	size_t count = 0;

	while (recipe_names()[count])
		count++;
	return count;
}

enum { TRIALS_MAX = 16 }; /* recipes that are tried at a time */

static size_t trials_number(void)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);

	return processors < 1 ? 1 : processors > TRIALS_MAX ? TRIALS_MAX : (size_t)processors;
}

/* Tries as many at a time as there are processors; reports them in order. */
static int recipes_judge(struct doctor *d, const struct doctor_request *q, doctor_tool_fn *judged,
			 void *ctx)
{
	const char *names[recipes_number() + q->tool_count + 1];
	size_t count = recipes_list(q, names), number = trials_number(), started = 0;
	struct doctor_recipe trials[TRIALS_MAX];
	int working = 0;

	if (!q->recipes && !q->tool_count)
		return 0;
	if (q->recipes && !d->options->attach.btf)
		ksyms_load(); /* once, instead of in each child */
	for (size_t i = 0; i < count; i++) {
		struct doctor_result r = { .answer = DOCTOR_FACT };

		for (; started < count && started < i + number; started++)
			doctor_recipe_start(d, names[started], &trials[started % number]);
		doctor_recipe_judge(&trials[i % number], &r);
		judged(ctx, "recipe", names[i], &r);
		working += doctor_works(&r);
	}
	return working;
}

int doctor_tools_judge(struct doctor *d, const struct doctor_request *q, doctor_tool_fn *judged,
		       void *ctx)
{
	return applets_judge(d, q, judged, ctx) + recipes_judge(d, q, judged, ctx);
}

/* ---- the report of one kernel ---- */

struct tools_report {
	struct doctor *d;
	struct sink *sink;
	const char *group; /* group of the last row */
};

static void tool_write(void *ctx, const char *group, const char *name,
		       const struct doctor_result *r)
{
	struct tools_report *t = ctx;

	if (!t->group || strcmp(t->group, group))
		title_write(t->d, t->sink,
			    !strcmp(group, "recipe")  ? "Recipes, as they are planned" :
			    t->d->options->attach.btf ? "Applets, as far as these types show" :
							"Applets");
	t->group = group;
	row_write(t->d, t->sink, (struct doctor_row){ group, name, .result = r });
}

static void tool_unknown_report(const char *name)
{
	struct suggestion near;
	char also[160];

	suggest_init(&near, name);
	for (const struct applet *const *a = applets; *a; a++)
		suggest_offer(&near, (*a)->name);
	for (const char *const *recipe = recipe_names(); *recipe; recipe++)
		suggest_offer(&near, *recipe);
	snprintf(also, sizeof(also),
		 "coretap --list lists all; for a file give its path, as ./%.60s.probe", name);
	log_error("unknown tool '%s'", name);
	suggest_hint(&near, &(struct suggest_words){ .also = also });
}

static bool tool_exists(const char *name)
{
	bool known = applet_find(name);

	if (strchr(name, '/'))
		return recipe_named(name);
	for (const char *const *recipe = recipe_names(); *recipe && !known; recipe++)
		known = !strcmp(*recipe, name);
	if (!known)
		tool_unknown_report(name);
	return known;
}

int doctor_tools_check(const struct doctor_request *q)
{
	for (int i = 0; i < q->tool_count; i++)
		if (!tool_exists(q->tools[i]))
			return EXIT_USAGE;
	return EXIT_FINE;
}

static void privileges_note(struct doctor *d)
{
	if (d->options->attach.btf || privileges_trace(&d->rights))
		return;
	log_note(
		"no program was loaded (missing %s): attach methods, features and applets were not "
		"tried",
		privileges_missing(&d->rights));
	log_hint("%s", privileges_hint(&d->rights));
}

int doctor_types_open(struct doctor *d)
{
	const char *path = d->options->attach.btf;

	d->btf_error = -btf_view_open(path, &d->btf);
	if (!d->btf_error)
		return EXIT_FINE;
	d->btf = NULL;
	if (!path)
		return EXIT_FINE; /* a separate check reports this */
	log_error("cannot read the types of '%s': %s", path, btf_image_why(-d->btf_error));
	log_hint("expected a vmlinux, a vmlinuz or raw BTF, of a kernel built with "
		 "CONFIG_DEBUG_INFO_BTF=y");
	return EXIT_USAGE;
}

int doctor_warm(struct doctor *d)
{
	int code = d->btf ? EXIT_FINE : doctor_types_open(d);

	if (code || !d->btf)
		return code;
	btf_view_names_build(d->btf);
	session_types_lend(d->btf);
	if (d->tries) {
		ksyms_load();
		kernel_list_preload(KERNEL_LIST_FTRACE);
	}
	return EXIT_FINE;
}

static int report(struct doctor *d, const struct doctor_request *q)
{
	const struct group groups[] = {
		{ "kernel", "Kernel", doctor_kernel },
		{ "attach", "Attach methods", doctor_attach() },
		{ "feature", "BPF features", doctor_features },
	};
	struct buf o;
	struct sink s = { .schema = &doctor_schema,
			  .out = &o,
			  .json = d->options->rows.json,
			  .applet = "doctor" };
	struct tools_report tools = { d, &s, NULL };
	int working, code;

	buf_init(&o, STDOUT_FILENO);
	o.is_colored = terminal_has_colors(STDOUT_FILENO);
	for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++)
		group_run(d, &s, &groups[i]);
	working = doctor_tools_judge(d, q, tool_write, &tools);
	code = doctor_output_end(&s);
	if (code)
		return code;
	privileges_note(d);
	return working ? EXIT_FINE : EXIT_CANNOT;
}

int doctor_output_end(struct sink *s)
{
	int err = buf_flush(s->out) ?: s->out->error;

	sink_free(s);
	buf_free(s->out);
	if (!err || err == -EPIPE)
		return EXIT_FINE;
	log_error("cannot write to stdout: %s", strerror(-err));
	return EXIT_FAILED;
}

/* Finds out by trying, as far as permitted, what the kernel grants only to CAP_SYS_ADMIN. */
static void needs_find(struct doctor *d)
{
	const capabilities admin = CAPABILITY(CAP_SYS_ADMIN), others = ~admin;

	if (!d->tries)
		return;
	if (capabilities_try(others, privileges_perf_refused))
		d->for_perf = admin;
	if (capabilities_try(others, attach_uprobe_refused))
		d->for_uprobes = admin;
	if (privileges_memlock_counted())
		d->for_maps = CAPABILITY(CAP_SYS_RESOURCE);
}

enum { FEW = 4 }; /* with more tools than this, it is faster to read once what they share */

int doctor_one_kernel(const struct options *options, const struct doctor_request *request,
		      const char *name)
{
	struct doctor d = { .options = options, .kernel = name };
	int code = doctor_types_open(&d);

	if (code)
		return code;
	privileges_read(&d.rights);
	d.tries = privileges_trace(&d.rights) && !options->attach.btf;
	needs_find(&d);
	if (request->recipes || request->tool_count > FEW)
		doctor_warm(&d);
	code = report(&d, request);
	if (d.btf)
		btf_view_close(d.btf);
	return code;
}
