/* SPDX-License-Identifier: GPL-2.0 */
/*
 * man.c - texts made from a descriptor. Each says what the descriptor says, nothing more.
 */
#include "core/man.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "applet.h"

/* ---- --help ---- */

static void help_field(struct out *o, const struct field *f)
{
	out_printf(o, "  %-12s %s%s\n", f->name, f->help,
		   f->flags & FIELD_JSON_ONLY ? " (JSON)" :
		   f->flags & FIELD_EXTENDED ? " (JSON, --extended)" : "");
}

char *man_help(const struct applet *a)
{
	struct out o;

	out_init(&o, -1);
	out_printf(&o, "%s: %s.\v", a->name, a->summary);
	if (a->description)
		out_printf(&o, "%s\n\n", a->description);
	if (a->field_count) {
		out_str(&o, "Fields:\n");
		for (size_t i = 0; i < a->field_count; i++)
			help_field(&o, &a->fields[i]);
		out_char(&o, '\n');
	}
	out_str(&o, "Examples:\n");
	for (const struct example *e = a->examples; e && e->command; e++)
		out_printf(&o, "  %s\n      %s\n", e->command, e->what);
	if (a->common & OPTION_GROUP_TRACE)
		out_printf(&o, "\nThe ring buffer is of %zuM unless --buffer is given.\n",
			   applet_buffer(a) >> 20);
	if (a->common & OPTION_GROUP_TRACE)
		out_str(&o, "\nExit status: 0 fine, 1 usage, 2 cannot trace here, 3 failed while "
			    "tracing, 4 records were lost; with -- COMMAND, its own.\n");
	out_char(&o, 0);
	return o.error ? NULL : o.data;
}

/* ---- man page ---- */

/* roff reads a leading . or ' as a request, and prints these as others, which no shell takes. */
static void roff_text(struct out *o, const char *s)
{
	static const char *const escapes[128] = {
		['\\'] = "\\e",	['-'] = "\\-",	['\''] = "\\(aq",
		['^'] = "\\(ha", ['~'] = "\\(ti", ['`'] = "\\(ga",
	};

	for (const char *c = s; *c; c++) {
		const char *escape = *c & 0x80 ? NULL : escapes[(unsigned char)*c];

		if (*c == '.' && c == s)
			out_str(o, "\\&");
		if (escape)
			out_str(o, escape);
		else
			out_char(o, *c);
	}
}

/* "  words  what they mean" is of a list; an empty line begins a paragraph. */
static void roff_line(struct out *o, char *line)
{
	char *gap = strncmp(line, "  ", 2) ? NULL : strstr(line + 2, "  ");

	if (gap) {
		*gap = 0;
		out_str(o, ".TP\n\\fB");
		roff_text(o, line + 2);
		out_str(o, "\\fR\n");
		line = gap + 2;
	}
	if (*line)
		roff_text(o, line);
	else
		out_str(o, ".PP");
	out_char(o, '\n');
}

static void roff_section(struct out *o, const char *title, const char *text)
{
	if (!text)
		return;
	out_printf(o, ".SH %s\n", title);
	for (const char *end; *text; text = end + (*end != 0)) {
		end = strchrnul(text, '\n');
		char line[end - text + 1];

		memcpy(line, text, end - text);
		line[end - text] = 0;
		roff_line(o, line);
	}
}

static void roff_option(struct out *o, const struct option_spec *s)
{
	out_str(o, ".TP\n");
	if (s->letter)
		out_printf(o, "\\fB\\-%c\\fR, ", s->letter);
	out_str(o, "\\fB\\-\\-");
	roff_text(o, s->name);
	out_str(o, "\\fR");
	if (s->arg)
		out_printf(o, s->type == OPTION_TIME ? "[=\\fI%s\\fR]" : "=\\fI%s\\fR", s->arg);
	out_char(o, '\n');
	roff_text(o, s->help);
	out_char(o, '\n');
}

static void roff_options(struct out *o, const struct applet *a)
{
	out_str(o, ".SH OPTIONS\n");
	for (const struct option_spec *s = a->options; s && s->name; s++)
		roff_option(o, s);
	for (const struct option_spec *s = options_common; s->name; s++)
		if (s->group & a->common)
			roff_option(o, s);
}

static void roff_fields(struct out *o, const struct applet *a)
{
	if (!a->field_count)
		return;
	out_str(o, ".SH FIELDS\nAs keys of a JSON record; a column's title is in capitals.\n");
	for (size_t i = 0; i < a->field_count; i++) {
		out_str(o, ".TP\n\\fB");
		roff_text(o, a->fields[i].name);
		out_str(o, "\\fR\n");
		roff_text(o, a->fields[i].help);
		out_char(o, '\n');
	}
}

static void roff_examples(struct out *o, const struct applet *a)
{
	out_str(o, ".SH EXAMPLES\n");
	for (const struct example *e = a->examples; e && e->command; e++) {
		out_str(o, ".TP\n");
		roff_text(o, e->what);
		out_str(o, "\n\\fB");
		roff_text(o, e->command);
		out_str(o, "\\fR\n");
	}
}

void man_page(const struct applet *a, struct out *o)
{
	out_str(o, ".TH ");
	for (const char *c = a->name; *c; c++)
		out_char(o, toupper((unsigned char)*c));
	out_printf(o, " 8 \"\" coretap\n.nh\n.ad l\n.SH NAME\n%s \\- ", a->name);
	roff_text(o, a->summary);
	out_printf(o, "\n.SH SYNOPSIS\n\\fB%s\\fR [\\fIOPTION\\fR...] ", a->name);
	roff_text(o, a->args ? a->args : "");
	out_str(o, a->common & OPTION_GROUP_TASK ?
			   " [\\-\\- \\fICOMMAND\\fR [\\fIARG\\fR...]]\n" : "\n");
	roff_section(o, "DESCRIPTION", a->description);
	roff_options(o, a);
	roff_fields(o, a);
	roff_examples(o, a);
	roff_section(o, "OVERHEAD", a->overhead);
	roff_section(o, "WHAT IT DOES NOT SEE", a->blind_spots);
	roff_section(o, "EXIT STATUS",
		     "0 fine, 1 usage, 2 cannot trace here, 3 failed while tracing, 4 finished but "
		     "records were lost. With -- COMMAND, the command's own.");
}

/* ---- completion and README ---- */

static void completion_words(struct out *o, const struct applet *a)
{
	out_printf(o, "\t%s) words=\"", a->name);
	for (const struct option_spec *s = a->options; s && s->name; s++)
		out_printf(o, "--%s ", s->name);
	for (const struct option_spec *s = options_common; s->name; s++)
		if (s->group & a->common)
			out_printf(o, "--%s ", s->name);
	out_str(o, "--help --version\" ;;\n");
}

void man_completion(struct out *o)
{
	out_str(o, "# bash completion for coretap and its applets; made by coretap itself\n"
		   "_coretap()\n{\n"
		   "\tlocal cur=${COMP_WORDS[COMP_CWORD]} applet=${COMP_WORDS[0]##*/} words=\n"
		   "\t[[ $applet == coretap && $COMP_CWORD -gt 1 ]] && applet=${COMP_WORDS[1]}\n"
		   "\tcase $applet in\n\tcoretap) words=\"--list --help --version");
	for (const struct applet *const *a = applets; *a; a++)
		out_printf(o, " %s", (*a)->name);
	out_str(o, "\" ;;\n");
	for (const struct applet *const *a = applets; *a; a++)
		completion_words(o, *a);
	out_str(o, "\tesac\n\tmapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n}\n"
		   "complete -o default -F _coretap coretap");
	for (const struct applet *const *a = applets; *a; a++)
		out_printf(o, " %s", (*a)->name);
	out_char(o, '\n');
}

void man_table(struct out *o)
{
	out_str(o, "| applet | what it shows |\n|---|---|\n");
	for (const struct applet *const *a = applets; *a; a++)
		out_printf(o, "| `%s` | %s |\n", (*a)->name, (*a)->summary);
}
