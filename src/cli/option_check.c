/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * option_check.c - checks which common options exclude or require one another.
 */
#include "cli/option_check.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/applet.h"
#include "cli/option_read.h"
#include "event.h"
#include "util/buf.h"
#include "util/log.h"

/* ---- output forms: one form, to one file ---- */

static const char *records_check(const struct options *o)
{
	const struct {
		const char *name;
		bool given;
	} forms[] = {
		{ "folded", o->stacks.folded },
		{ "json", o->rows.json },
		{ "trace-json", o->files.trace_json },
		{ "ftrace", o->rows.ftrace },
		{ "csv", o->rows.csv },
	};
	const char *first = NULL;
	static char wrong[128];

	if (o->files.trace_json && o->files.output)
		return "--trace-json and --output exclude each other: both name the file to write to";
	if (o->rows.timestamp && (o->files.trace_json || o->rows.ftrace))
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

const struct sink_form *option_record_form(const struct options *o)
{
	return o->files.pcap	   ? &sink_form_pcap :
	       o->files.trace_json ? &sink_form_trace_json :
	       o->rows.ftrace	   ? &sink_form_ftrace :
	       o->rows.csv	   ? &sink_form_csv :
				     NULL;
}

enum { HEATMAP_NS = 1000000000 };

/* A heat map shows only new values in each interval. */
static const char *reports_check(struct options *o)
{
	bool drawn = o->report.svg || o->report.heatmap;

	if (o->report.heatmap && !o->report.interval_ns)
		o->report.interval_ns = HEATMAP_NS;
	o->report.clear |= drawn && o->report.interval_ns;
	if (o->report.svg && o->report.heatmap)
		return "--svg and --heatmap exclude each other";
	if (o->report.heatmap && o->stacks.folded)
		return "--heatmap is for histograms, not for --folded";
	if (drawn && o->rows.json)
		return o->report.svg ? "--svg and --json exclude each other" :
				       "--heatmap and --json exclude each other";
	if (drawn && o->report.screen)
		return o->report.svg ? "--svg and --screen exclude each other" :
				       "--heatmap and --screen exclude each other";
	if (o->report.svg && o->files.output)
		return "--svg and --output exclude each other: both name the file to write to";
	return NULL;
}

/* Derives settings from the options. Returns NULL or the text of a conflict. */
static const char *option_forms_check(struct options *o)
{
	return records_check(o) ?: reports_check(o);
}

const struct report_form *option_report_form(const struct options *o)
{
	return o->report.svg ? &report_form_svg : o->report.heatmap ? &report_form_heatmap : NULL;
}

enum { TITLE_MOST = 120 };

/* Cuts at a character boundary. */
static void title_cut(struct buf *o)
{
	if (o->len <= TITLE_MOST)
		return;
	o->len = TITLE_MOST;
	while (o->len && (o->data[o->len] & 0xc0) == 0x80)
		o->len--;
	buf_str(o, "…");
}

char *option_title(const struct applet *applet, int argc, char **argv)
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

/* ---- exclusions and requirements ---- */

#define STACK_DEPTH_MAX 1024

enum { FILES = 5, FILES_MAX = 1000 };

/* Parses SIZE[,N]; returns the text of an error, or NULL. */
static const char *rotate_parse(const char *text, struct rotate_size *r)
{
	static const struct option_spec size = { .type = OPTION_BYTES },
					number = { .type = OPTION_UINT };
	const char *comma = strchrnul(text, ','), *wrong;
	char first[comma - text + 1];
	uint32_t files = FILES;

	memcpy(first, text, comma - text);
	first[comma - text] = 0;
	wrong = option_read(&size, first, &r->size);
	if (!wrong && *comma)
		wrong = option_read(&number, comma + 1, &files);
	r->files = files;
	return wrong || files > FILES_MAX ?
		       "--rotate takes SIZE[,N]: 512K, or 10M,3; N is at most 1000" :
		       NULL;
}

const char *listen_parse(const char *text, union listen_address *a)
{
	static const char wrong[] = "--listen takes PORT, ADDRESS:PORT or [ADDRESS]:PORT: 9435, "
				    "127.0.0.1:9435, [::1]:9435";
	const char *colon = strrchr(text, ':'), *port = colon ? colon + 1 : text;
	char host[INET6_ADDRSTRLEN] = "127.0.0.1", *end;
	bool six = *text == '[' && colon && colon > text && colon[-1] == ']';
	unsigned long number = strtoul(port, &end, 10);

	*a = (union listen_address){ .any.sa_family = six ? AF_INET6 : AF_INET };
	if (*port < '0' || *port > '9' || *end || !number || number > UINT16_MAX)
		return wrong;
	if (colon && snprintf(host, sizeof(host), "%.*s", (int)(colon - text) - 2 * six,
			      text + six) >= (int)sizeof(host))
		return wrong;
	a->v4.sin_port = htons(number); /* the member has the same offset in both */
	if (inet_pton(a->any.sa_family, host, six ? (void *)&a->v6.sin6_addr : &a->v4.sin_addr) !=
	    1)
		return wrong;
	return NULL;
}

/* Returns the text of the error, or NULL. */
static const char *wrong_find(const struct options *o)
{
	const struct {
		bool is_wrong;
		const char *why;
	} rules[] = {
		{ o->child.command && !o->child.command[0], "missing command after --" },
		{ o->child.command && (o->tasks.pids.count || o->tasks.tids.count),
		  "-- COMMAND traces that command and its children: it excludes -p and -t" },
		{ o->tasks.follow && !o->tasks.pids.count && !o->child.command,
		  "-f needs a process to follow: -p PID or -- COMMAND" },
		{ o->rights.as_user && !o->child.command, "--as needs a command after --" },
		{ o->rights.keep && !o->child.command, "--keep needs a command after --" },
		{ o->rows.meta && !o->rows.json, "--meta has no effect without -j" },
		{ buf_json_strings && !o->rows.json, "--json-strings has no effect without -j" },
		{ o->rows.json && o->rows.timestamp,
		  "--timestamp and --json exclude each other: each record has \"time\" and "
		  "\"ts_ns\" in JSON" },
		{ options_want_metrics(o) &&
			  (o->report.clear || o->report.svg || o->report.heatmap),
		  "--openmetrics and --listen need counts that only grow: they exclude --clear, --svg "
		  "and --heatmap" },
		{ o->files.openmetrics && o->stacks.folded,
		  "--openmetrics excludes --folded: stacks are no metrics" },
		{ o->attach.btf_force && !o->attach.btf, "--btf-force needs --btf FILE" },
		{ o->files.rotate && (!o->files.output || o->files.trace_json),
		  "--rotate needs --output FILE" },
		{ o->limits.ring && o->limits.events,
		  "--ring and --events exclude each other: one keeps the last records, the other the "
		  "first" },
		{ o->limits.ring > RECORDER_MAX, "--ring keeps at most 1000000 records" },
		{ o->stacks.depth > STACK_DEPTH_MAX, "--stack-depth takes at most 1024" },
	};

	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (rules[i].is_wrong)
			return rules[i].why;
	return NULL;
}

const char *options_check(struct options *o)
{
	union listen_address address;
	const char *wrong = o->files.rotate ? rotate_parse(o->files.rotate, &o->files.rotated) :
					      NULL;

	if (o->files.listen)
		wrong = wrong ?: listen_parse(o->files.listen, &address);
	wrong = wrong			      ?:
			option_forms_check(o) ?:
			wrong_find(o)	      ?:
						option_names_compile(&o->tasks.names);

	o->tasks.follow &= !o->child.command;	     /* implied by a command */
	o->rows.extended |= o->rows.columns != NULL; /* --columns may name any of them */
	if (o->stacks.folded && !o->stacks.kernel && !o->stacks.user)
		o->stacks.kernel = o->stacks.user = true;
	return wrong;
}

void options_check_or_exit(struct options *o)
{
	const char *wrong = options_check(o);

	if (!wrong)
		return;
	log_error("%s", wrong);
	log_hint_help();
	exit(EXIT_USAGE);
}
