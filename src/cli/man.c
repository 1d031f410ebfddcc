/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * man.c - writes man pages from descriptors, and README's table.
 *
 * The pages are ASCII, so that every roff can format them. The sample of a page is in docs/samples, and also in
 * README.
 */
#include "cli/man.h"

#include <argp.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/applet.h"
#include "cli/habits.h"
#include "cli/help.h"
#include "cli/option_read.h"
#include "version.h"
#include "output/field/field_kind.h"
#include "util/unpack.h"

/* built by tools/pack-recipes from docs/samples: texts, each ended by a NUL */
extern const unsigned char samples_packed[];
extern const size_t samples_packed_size, samples_size;

/* ---- roff ---- */

/* Writes a character of several bytes under its groff name. Returns the number of bytes. */
static int roff_wide(struct buf *o, const unsigned char *c)
{
	int len = *c >= 0xf0 ? 4 : *c >= 0xe0 ? 3 : 2, i = 1;
	unsigned code = *c & (0xff >> (len + 1));

	for (; i < len && (c[i] & 0xc0) == 0x80; i++)
		code = code << 6 | (c[i] & 0x3f);
	if (i == len)
		buf_printf(o, "\\[u%04X]", code);
	else
		buf_char(o, '?'); /* invalid UTF-8 */
	return i;
}

/* Escapes a leading . or ', which roff takes for a request, and characters that roff would print as ones that shells
 * do not accept. */
static void roff_bytes(struct buf *o, const char *s, size_t size)
{
	static const char *const escapes[128] = {
		['\\'] = "\\e",	 ['-'] = "\\-",	  ['\''] = "\\(aq",
		['^'] = "\\(ha", ['~'] = "\\(ti", ['`'] = "\\(ga",
	};

	for (size_t i = 0; i < size; i++) {
		const unsigned char *c = (const unsigned char *)s + i;

		if (*c & 0x80) {
			i += roff_wide(o, c) - 1;
			continue;
		}
		if (*c == '.' && !i)
			buf_str(o, "\\&");
		if (*c == '[' && i &&
		    strchr(":])", c[-1])) /* SPEC[:MORE]: the line may break there */
			buf_str(o, "\\:");
		if (escapes[*c])
			buf_str(o, escapes[*c]);
		else
			buf_char(o, *c);
	}
}

static void roff_text(struct buf *o, const char *s)
{
	roff_bytes(o, s, strlen(s));
}

/* "  words  meaning" is a list item; a line with more leading blanks continues it; an empty line starts a paragraph. */
static void roff_line(struct buf *o, const char *line, size_t size)
{
	const char *gap = size > 2 && !strncmp(line, "  ", 2) && line[2] != ' ' ?
				  memmem(line + 2, size - 2, "  ", 2) :
				  NULL;
	size_t blanks = strspn(line, " ");

	if (gap) {
		buf_str(o, ".TP\n\\fB");
		roff_bytes(o, line + 2, gap - line - 2);
		buf_str(o, "\\fR\n");
		size -= gap + 2 - line;
		line = gap + 2;
	} else {
		size -= blanks < size ? blanks : 0;
		line += blanks;
	}
	if (size)
		roff_bytes(o, line, size);
	else
		buf_str(o, ".PP");
	buf_char(o, '\n');
}

/* Writes paragraphs that follow another paragraph and not a heading. */
static void roff_lines(struct buf *o, const char *text)
{
	text += strspn(text, "\n");
	while (*text) {
		const char *end = strchrnul(text, '\n');

		if (end > text || end[1]) /* no .PP at the end */
			roff_line(o, text, end - text);
		text = end + (*end != 0);
	}
}

static void roff_section(struct buf *o, const char *title, const char *text)
{
	if (!text)
		return;
	buf_str(o, ".SH ");
	for (; *title; title++)
		buf_char(o, toupper((unsigned char)*title));
	buf_char(o, '\n');
	roff_lines(o, text);
}

/* Writes the page up to SYNOPSIS. */
static void roff_head(struct buf *o, const char *name, const char *summary)
{
	buf_str(o, ".TH ");
	for (const char *c = name; *c; c++)
		buf_char(o, toupper((unsigned char)*c));
	buf_printf(o, " 8 \"%s\" \"%s\" \"System Administration\"\n.nh\n.ad l\n.SH NAME\n",
		   CORETAP_DATE, argp_program_version ?: "coretap");
	roff_text(o, name);
	if (strchr(name, '-')) /* links are also found by this name */
		buf_printf(o, ", %s", strchr(name, '-') + 1);
	buf_str(o, " \\- ");
	roff_text(o, summary);
	buf_str(o, "\n.SH SYNOPSIS\n");
}

/* ---- parts of an applet's page ---- */

static void roff_option(struct buf *o, const struct applet *a, const struct option_spec *s)
{
	char letter = option_letter(a, s);

	buf_str(o, ".TP\n");
	if (letter)
		buf_printf(o, "\\fB\\-%c\\fR, ", letter);
	buf_str(o, "\\fB\\-\\-");
	roff_text(o, s->name);
	buf_str(o, "\\fR");
	if (s->arg) {
		buf_str(o, option_may_be_bare(s) ? "[=\\fI" : "=\\fI");
		roff_text(o, s->arg);
		buf_str(o, option_may_be_bare(s) ? "\\fR]" : "\\fR");
	}
	buf_char(o, '\n');
	roff_text(o, s->help);
	if (option_adds(s))
		buf_str(o, OPTION_ADDS);
	buf_char(o, '\n');
}

static void roff_options(struct buf *o, const struct applet *a)
{
	buf_str(o, ".SH OPTIONS\n");
	for (unsigned i = SECTION_OWN; help_section(i); i++) {
		size_t begin = o->len, titled;

		buf_printf(o, ".SS %s\n", help_section(i));
		titled = o->len;
		for (const struct option_spec *s = NULL; (s = option_next(a, s));)
			if (help_section_of(s) == i)
				roff_option(o, a, s);
		if (o->len == titled)
			o->len = begin;
	}
	buf_str(o, ".SS Help\n.TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR[=\\fITOPIC\\fR]\n"
		   "print a page, or everything about TOPIC:");
	for (size_t i = 0; help_topic(a, i); i++)
		buf_printf(o, " %s", help_topic(a, i));
	buf_str(o, "\n.TP\n\\fB\\-V\\fR, \\fB\\-\\-version\\fR\nprint the version\n");
}

static void roff_letters(struct buf *o, const struct applet *a)
{
	struct buf lines;

	buf_init(&lines, -1);
	if (habit_letters_write(&lines, a)) {
		buf_char(&lines, 0);
		roff_section(o, "letters of others",
			     "These letters have the same meaning as in other tools of this name.");
		buf_str(o, ".PP\n.nf\n");
		for (char *line = lines.data, *end; *line; line = end + 1) {
			end = strchrnul(line, '\n');
			roff_bytes(o, line + 2, end - line - 2);
			buf_str(o, "\n");
		}
		buf_str(o, ".fi\n");
	}
	buf_free(&lines);
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

/* True if the text is a run of that applet: its first line is $ sudo [coretap] NAME … */
static bool is_sample(const char *text, const char *name)
{
	static const char sudo[] = "$ sudo ", suite[] = "coretap ";
	size_t len = strlen(name);

	text += strncmp(text, sudo, sizeof(sudo) - 1) ? 0 : sizeof(sudo) - 1;
	text += strncmp(text, suite, sizeof(suite) - 1) ? 0 : sizeof(suite) - 1;
	return !strncmp(text, name, len) && strchr(" \n", text[len]);
}

static void roff_sample(struct buf *o, const char *name)
{
	char *texts = unpack_embedded(samples_packed, samples_packed_size, samples_size);

	for (const char *text = texts; text && *text; text += strlen(text) + 1) {
		if (!is_sample(text, name))
			continue;
		buf_str(o, ".PP\nWhat it prints:\n.PP\n.EX\n");
		for (const char *end; *text; text = end + 1) {
			end = strchrnul(text, '\n');
			roff_bytes(o, text, end - text);
			buf_char(o, '\n');
		}
		buf_str(o, ".EE\n");
		break;
	}
	free(texts);
}

static void roff_examples(struct buf *o, const struct applet *a)
{
	buf_str(o, ".SH EXAMPLES\n");
	for (const struct example *e = a->examples; e && e->command; e++) {
		buf_str(o, ".TP\n\\fBcoretap ");
		roff_text(o, e->command);
		buf_str(o, "\\fR\n");
		roff_text(o, e->what);
		buf_char(o, '\n');
	}
	roff_sample(o, a->name);
}

static void roff_foot(struct buf *o, const char *also)
{
	buf_printf(o,
		   ".SH SEE ALSO\n%s\\fBbpftrace\\fR(8), \\fBstrace\\fR(1), \\fBperf\\fR(1), "
		   "\\fBcapabilities\\fR(7), \\fBkernel_lockdown\\fR(7)\n",
		   also);
	roff_section(
		o, "bugs",
		"Missed events are counted and reported; they are not bugs. In a report of anything "
		"else, include the command line, and the output of coretap --version and of "
		"coretap doctor -j on that kernel.");
}

static void roff_sight(struct buf *o, const struct applet *a)
{
	if (!a->sees || !a->unseen)
		return;
	buf_str(o, ".SH WHAT IT SEES\nSees: ");
	roff_text(o, a->sees);
	buf_str(o, ".\n.PP\nDoes not see: ");
	roff_text(o, a->unseen);
	buf_str(o, ".\n");
}

void man_page(const struct applet *a, const char *name, struct buf *o)
{
	roff_head(o, name, a->summary);
	buf_printf(o, "\\fBcoretap %s\\fR [\\fIOPTION\\fR...] ", a->name);
	roff_text(o, a->args ?: "");
	if (a->words)
		roff_text(o, applet_words_usage(a));
	else if (a->common & OPTION_GROUP_TASK)
		buf_str(o, " [\\-\\- \\fICOMMAND\\fR [\\fIARG\\fR...]]");
	buf_char(o, '\n');
	roff_section(o, "description", a->description);
	roff_sight(o, a);
	for (const struct help_topic *t = a->topics; t && t->name; t++)
		roff_section(o, t->name, t->text);
	roff_options(o, a);
	roff_letters(o, a);
	roff_fields(o, a);
	roff_examples(o, a);
	roff_section(o, "overhead", a->overhead);
	roff_section(o, "limitations", a->blind_spots);
	if (a->common & OPTION_GROUP_TRACE)
		roff_section(o, "exit status", help_exit_status);
	roff_foot(o, "\\fBcoretap\\fR(8), \\fBcoretap\\-doctor\\fR(8), \\fBargdump\\fR(8), ");
}

/* ---- the suite ---- */

/* Writes the lines of coretap --list: NAME SUMMARY, with THEME: above those of recipes. */
static void roff_list(struct buf *o, const char *list)
{
	for (const char *end; *list; list = end + (*end != 0)) {
		const char *line = list + strspn(list, " "), *gap = line + strcspn(line, " \n");

		end = strchrnul(list, '\n');
		if (end == list)
			continue;
		if (end[-1] == ':' && gap == end) {
			buf_printf(o, ".SS Recipes: %.*s\n", (int)(end - line - 1), line);
			continue;
		}
		buf_printf(o, ".TP\n\\fB%.*s\\fR\n", (int)(gap - line), line);
		gap += strspn(gap, " ");
		roff_bytes(o, gap, end - gap);
		buf_char(o, '\n');
	}
}

void man_suite(struct buf *o, const char *description, const char *list)
{
	roff_head(o, "coretap", "see inside a running Linux kernel");
	buf_str(o, "\\fBcoretap\\fR \\fIAPPLET\\fR [\\fIOPTION\\fR...] [\\fIARG\\fR...]\n.br\n"
		   "\\fIAPPLET\\fR [\\fIOPTION\\fR...] [\\fIARG\\fR...]\n");
	roff_section(o, "description", description);
	buf_str(o, ".SH TOOLS\n.SS Applets\n");
	roff_list(o, list);
	roff_section(o, "exit status", help_exit_status);
	roff_foot(o, "\\fBcoretap\\-doctor\\fR(8), \\fBargdump\\fR(8), ");
}

/* ---- README ---- */

void man_table(struct buf *o, const char *const *more, man_find_fn *find)
{
	buf_str(o, "| applet | what it shows |\n|---|---|\n");
	for (const struct applet *const *a = applets; *a; a++)
		buf_printf(o, "| `%s` | %s |\n", (*a)->name, (*a)->summary);
	for (; *more; more++)
		buf_printf(o, "| `%s` | %s |\n", *more, find(*more)->summary);
}

/* ---- docs/sees.md ---- */

/* Escapes a table cell: a
 * would end it. */
static void cell_print(struct buf *o, const char *text)
{
	for (; *text; text++)
		buf_printf(o, *text == '|' ? "\\%c" : "%c", *text);
	buf_str(o, " |");
}

static void sees_print(struct buf *o, const struct applet *a)
{
	if (!a->sees || !a->unseen)
		return;
	buf_printf(o, "| `%s` | ", a->name);
	cell_print(o, a->sees);
	buf_char(o, ' ');
	cell_print(o, a->unseen);
	buf_char(o, '\n');
}

void man_sees(struct buf *o, const char *const *names, man_find_fn *find)
{
	buf_str(o, "| tool | sees | does not see |\n|---|---|---|\n");
	for (const struct applet *const *a = applets; *a; a++)
		sees_print(o, *a);
	for (; *names; names++)
		sees_print(o, find(*names));
}
