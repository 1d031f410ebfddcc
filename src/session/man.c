/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * man.c - texts derived from a descriptor. Each says what the descriptor says, nothing more.
 */
#include "session/option_read.h"
#include "session/man.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "session/applet.h"

/* ---- --help ---- */

enum {
	HELP_WIDTH = 78,   /* argp wraps at 79, and does not indent */
	FIELD_INDENT = 14, /* "  name        " */
	WHAT_INDENT = 5,   /* what an example is for */
};

/* Text whose lines all begin in the same column. */
struct paragraph {
	struct buf *o;
	int indent;
	int column;
};

/* Adds words, each with a blank before it. */
static void add_words(struct paragraph *p, const char *text)
{
	for (int len; *text; text += len + (text[len] == ' ')) {
		len = strcspn(text, " ");
		if (p->column + 1 + len > HELP_WIDTH) {
			buf_printf(p->o, "\n%*s", p->indent, "");
			p->column = p->indent;
		}
		buf_printf(p->o, " %.*s", len, text);
		p->column += 1 + len;
	}
}

static void help_field(struct buf *o, const struct field *f)
{
	struct paragraph p = { o, FIELD_INDENT, FIELD_INDENT };
	char key[32];

	snprintf(key, sizeof(key), "%s%s", f->name, field_unit_suffix(f));
	buf_printf(o, "  %-12s", key);
	add_words(&p, f->help);
	if (f->flags & FIELD_JSON_ONLY)
		add_words(&p, "(JSON)");
	else if (f->flags & FIELD_EXTENDED)
		add_words(&p, "(JSON, --extended)");
	buf_char(o, '\n');
}

static void help_example(struct buf *o, const struct example *e)
{
	struct paragraph p = { o, WHAT_INDENT, WHAT_INDENT };

	buf_printf(o, "  %s\n%*s", e->command, WHAT_INDENT, "");
	add_words(&p, e->what);
	buf_char(o, '\n');
}

char *man_help(const struct applet *a)
{
	struct buf o;

	buf_init(&o, -1);
	buf_printf(&o, "%s: %s.\v", a->name, a->summary);
	if (a->description)
		buf_printf(&o, "%s\n\n", a->description);
	if (a->field_count) {
		buf_str(&o, "Fields:\n");
		for (size_t i = 0; i < a->field_count; i++)
			if (a->fields[i].help)
				help_field(&o, &a->fields[i]);
		buf_char(&o, '\n');
	}
	buf_str(&o, "Examples:\n");
	for (const struct example *e = a->examples; e && e->command; e++)
		help_example(&o, e);
	if (a->common & OPTION_GROUP_RECORDS)
		buf_printf(&o, "\nThe ring buffer holds %zuM unless --buffer is given.\n",
			   applet_buffer(a) >> 20);
	if (a->common & OPTION_GROUP_TRACE)
		buf_str(&o,
			"\nExit status: 0 success, 1 wrong usage, 2 cannot trace here, 3 failed while "
			"tracing, 4 records were lost; with -- COMMAND, the command's own if it ended "
			"by itself.\n");
	buf_char(&o, 0);
	return o.error ? NULL : o.data;
}

/* ---- man page ---- */

/* A leading . or ' would be a request to roff, and it would print these characters as others that
 * no shell accepts. */
static void roff_text(struct buf *o, const char *s)
{
	static const char *const escapes[128] = {
		['\\'] = "\\e",	 ['-'] = "\\-",	  ['\''] = "\\(aq",
		['^'] = "\\(ha", ['~'] = "\\(ti", ['`'] = "\\(ga",
	};

	for (const char *c = s; *c; c++) {
		const char *escape = *c & 0x80 ? NULL : escapes[(unsigned char)*c];

		if (*c == '.' && c == s)
			buf_str(o, "\\&");
		if (escape)
			buf_str(o, escape);
		else
			buf_char(o, *c);
	}
}

/* "  words  what they mean" is an item of a list; an empty line starts a paragraph. */
static void roff_line(struct buf *o, char *line)
{
	char *gap = strncmp(line, "  ", 2) ? NULL : strstr(line + 2, "  ");

	if (gap) {
		*gap = 0;
		buf_str(o, ".TP\n\\fB");
		roff_text(o, line + 2);
		buf_str(o, "\\fR\n");
		line = gap + 2;
	}
	if (*line)
		roff_text(o, line);
	else
		buf_str(o, ".PP");
	buf_char(o, '\n');
}

static void roff_section(struct buf *o, const char *title, const char *text)
{
	if (!text)
		return;
	buf_printf(o, ".SH %s\n", title);
	for (const char *end; *text; text = end + (*end != 0)) {
		end = strchrnul(text, '\n');
		char line[end - text + 1];

		memcpy(line, text, end - text);
		line[end - text] = 0;
		roff_line(o, line);
	}
}

static void roff_option(struct buf *o, const struct applet *a, const struct option_spec *s)
{
	char letter = option_letter(a, s);

	buf_str(o, ".TP\n");
	if (letter)
		buf_printf(o, "\\fB\\-%c\\fR, ", letter);
	buf_str(o, "\\fB\\-\\-");
	roff_text(o, s->name);
	buf_str(o, "\\fR");
	if (s->arg)
		buf_printf(o, option_may_be_bare(s) ? "[=\\fI%s\\fR]" : "=\\fI%s\\fR", s->arg);
	buf_char(o, '\n');
	roff_text(o, s->help);
	if (option_adds(s))
		buf_str(o, OPTION_ADDS);
	buf_char(o, '\n');
}

static void roff_options(struct buf *o, const struct applet *a)
{
	buf_str(o, ".SH OPTIONS\n");
	for (const struct option_spec *s = a->options; s && s->name; s++)
		roff_option(o, a, s);
	for (const struct option_spec *s = options_common; s->name; s++)
		if (option_is_common(a, s))
			roff_option(o, a, s);
}

static void roff_fields(struct buf *o, const struct applet *a)
{
	if (!a->field_count)
		return;
	buf_str(o,
		".SH FIELDS\nThese are the keys of a JSON record; the column titles are in capitals.\n");
	for (size_t i = 0; i < a->field_count; i++) {
		if (!a->fields[i].help)
			continue;
		buf_str(o, ".TP\n\\fB");
		roff_text(o, a->fields[i].name);
		buf_printf(o, "%s\\fR\n", field_unit_suffix(&a->fields[i]));
		roff_text(o, a->fields[i].help);
		buf_char(o, '\n');
	}
}

static void roff_examples(struct buf *o, const struct applet *a)
{
	buf_str(o, ".SH EXAMPLES\n");
	for (const struct example *e = a->examples; e && e->command; e++) {
		buf_str(o, ".TP\n");
		roff_text(o, e->what);
		buf_str(o, "\n\\fB");
		roff_text(o, e->command);
		buf_str(o, "\\fR\n");
	}
}

void man_page(const struct applet *a, struct buf *o)
{
	buf_str(o, ".TH ");
	for (const char *c = a->name; *c; c++)
		buf_char(o, toupper((unsigned char)*c));
	buf_printf(o, " 8 \"\" coretap\n.nh\n.ad l\n.SH NAME\n%s \\- ", a->name);
	roff_text(o, a->summary);
	buf_printf(o, "\n.SH SYNOPSIS\n\\fB%s\\fR [\\fIOPTION\\fR...] ", a->name);
	roff_text(o, a->args ? a->args : "");
	buf_str(o, a->common & OPTION_GROUP_TASK ? " [\\-\\- \\fICOMMAND\\fR [\\fIARG\\fR...]]\n" :
						   "\n");
	roff_section(o, "DESCRIPTION", a->description);
	roff_options(o, a);
	roff_fields(o, a);
	roff_examples(o, a);
	roff_section(o, "OVERHEAD", a->overhead);
	roff_section(o, "WHAT IT DOES NOT SEE", a->blind_spots);
	roff_section(
		o, "EXIT STATUS",
		"0 success, 1 wrong usage, 2 cannot trace here, 3 failed while tracing, 4 finished but "
		"records were lost. With -- COMMAND, the command's own if it ended by itself, 127 if "
		"there is no such command, 126 if it cannot be executed. If "
		"tracing ends first (-n, -d, a signal), the command is sent SIGTERM or, with --keep, "
		"runs on; then the status is as without a command.");
}

/* ---- completion and README ---- */

static void completion_words(struct buf *o, const struct applet *a)
{
	if (!a)
		return;
	buf_printf(o, "\t%s) words=\"", a->name);
	for (const struct option_spec *s = a->options; s && s->name; s++)
		buf_printf(o, "--%s ", s->name);
	for (const struct option_spec *s = options_common; s->name; s++) {
		if (!option_is_common(a, s))
			continue;
		buf_printf(o, "--%s ", s->name);
		for (int i = 0; s->type == OPTION_TIME && option_letter(a, s) && option_times[i];
		     i++)
			buf_printf(o, "-%c%s ", s->letter, option_times[i]);
	}
	buf_str(o, "--help --version\" ;;\n");
}

static void put_names(struct buf *o, const char *const *more)
{
	for (const struct applet *const *a = applets; *a; a++)
		buf_printf(o, " %s", (*a)->name);
	for (; *more; more++)
		buf_printf(o, " %s", *more);
}

void man_completion(struct buf *o, bool zsh, const char *const *more, man_find_fn *find)
{
	if (zsh)
		buf_str(o, "#compdef coretap\nautoload -U +X bashcompinit && bashcompinit\n");
	buf_str(o, "# completion for coretap and its applets; made by coretap itself\n"
		   "_coretap()\n{\n"
		   "\tlocal cur=${COMP_WORDS[COMP_CWORD]} applet=${COMP_WORDS[0]##*/} words=\n"
		   "\t[[ $applet == coretap && $COMP_CWORD -gt 1 ]] && applet=${COMP_WORDS[1]}\n"
		   "\tcase $applet in\n\tcoretap) words=\"--list --help --version");
	put_names(o, more);
	buf_str(o, "\" ;;\n");
	for (const struct applet *const *a = applets; *a; a++)
		completion_words(o, *a);
	for (const char *const *name = more; *name; name++)
		completion_words(o, find(*name));
	buf_str(o, "\tesac\n\tCOMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n}\n"
		   "complete -o default -F _coretap coretap");
	put_names(o, more);
	buf_char(o, '\n');
}

void man_table(struct buf *o, const char *const *more, man_find_fn *find)
{
	buf_str(o, "| applet | what it shows |\n|---|---|\n");
	for (const struct applet *const *a = applets; *a; a++)
		buf_printf(o, "| `%s` | %s |\n", (*a)->name, (*a)->summary);
	for (; *more; more++)
		buf_printf(o, "| `%s` | %s |\n", *more, find(*more)->summary);
}
