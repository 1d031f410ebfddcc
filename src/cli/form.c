/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * form.c - the options that say in which form records are written: one form, to one place.
 */
#include "cli/form.h"

#include <stdio.h>
#include <string.h>

#include "cli/applet.h"

static const char *records_check(const struct options *o)
{
	const struct {
		const char *name;
		bool given;
	} forms[] = {
		{ "folded", o->folded },
		{ "json", o->json },
		{ "trace-json", o->trace_json },
		{ "ftrace", o->ftrace },
	};
	const char *first = NULL;
	static char wrong[128];

	if (o->trace_json && o->output)
		return "--trace-json and --output exclude each other: both name the file to write to";
	if (o->timestamp && (o->trace_json || o->ftrace))
		return "--timestamp is for tables: --trace-json and --ftrace have the time of each record";
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		if (first && forms[i].given) {
			snprintf(wrong, sizeof(wrong), "--%s and --%s exclude each other", first,
				 forms[i].name);
			return wrong;
		}
		first = forms[i].given ? forms[i].name : first;
	}
	return NULL;
}

const struct sink_form *session_form(const struct options *o)
{
	return o->trace_json ? &sink_form_trace_json : o->ftrace ? &sink_form_ftrace : NULL;
}

enum { HEATMAP_NS = 1000000000 };

/* A heat map has what is new in each interval. */
static const char *reports_check(struct options *o)
{
	bool drawn = o->svg || o->heatmap;

	if (o->heatmap && !o->interval_ns)
		o->interval_ns = HEATMAP_NS;
	o->clear |= drawn && o->interval_ns;
	if (o->svg && o->heatmap)
		return "--svg and --heatmap exclude each other";
	if (o->heatmap && o->folded)
		return "--heatmap is for histograms, not for --folded";
	if (drawn && o->json)
		return o->svg ? "--svg and --json exclude each other" :
				"--heatmap and --json exclude each other";
	if (drawn && o->screen)
		return o->svg ? "--svg and --screen exclude each other" :
				"--heatmap and --screen exclude each other";
	if (o->svg && o->output)
		return "--svg and --output exclude each other: both name the file to write to";
	return NULL;
}

const char *session_form_check(struct options *o)
{
	return records_check(o) ?: reports_check(o);
}

const struct report_form *session_report_form(const struct options *o)
{
	return o->svg ? &report_form_svg : o->heatmap ? &report_form_heatmap : NULL;
}

enum { TITLE_MOST = 120 };

/* Cut between two characters. */
static void title_cut(struct buf *o)
{
	if (o->len <= TITLE_MOST)
		return;
	o->len = TITLE_MOST;
	while (o->len && (o->data[o->len] & 0xc0) == 0x80)
		o->len--;
	buf_str(o, "…");
}

char *session_title(const struct applet *applet, int argc, char **argv)
{
	struct buf o;
	char *title;

	buf_init(&o, -1);
	buf_str(&o, applet->name);
	for (int i = 1; i < argc; i++) {
		buf_char(&o, ' ');
		buf_str(&o, argv[i]);
	}
	title_cut(&o);
	buf_char(&o, '\0');
	title = o.error ? NULL : strdup(o.data);
	buf_free(&o);
	return title;
}
