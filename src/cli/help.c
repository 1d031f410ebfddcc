/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * help.c - prints the page of --help and its topics, from the descriptor alone.
 */
#include "cli/habits.h"
#include "cli/help.h"

#include <stdio.h>
#include <string.h>

#include "cli/applet.h"
#include "cli/option_read.h"
#include "output/field/field_kind.h"
#include "util/log.h"
#include "util/terminal.h"

enum {
	FIELD_INDENT = 14, /* "  name        " */
	WHAT_INDENT = 6,   /* indentation of the purpose of an example */
	TEXT_COLUMN = 28,  /* column of an option's text */
	BRIEF_LEAST = 16,  /* minimum length of the first clause of an option's help */
};

const char help_exit_status[] =
	"0 success, 1 wrong usage, 2 cannot trace here, 3 failed while tracing, 4 records were "
	"lost. With -- COMMAND, it is the command's own if that exited by itself, 127 if there is "
	"no such command, 126 if it cannot be executed. If tracing ends first (-n, -d, a signal), "
	"the command gets SIGTERM or, with --keep, continues; then the status is as without a "
	"command.";

/* ---- options ---- */

const char *help_section(unsigned section)
{
	static const char *const titles[] = {
		[SECTION_OWN] = "Options",	  [SECTION_CALLS] = "Which calls",
		[SECTION_SHOW] = "What to print", [SECTION_COUNT] = "Counting",
		[SECTION_STACKS] = "Stacks",	  [SECTION_FILTERS] = "Filters",
		[SECTION_OUTPUT] = "Output",	  [SECTION_LIMITS] = "Limits",
		[SECTION_ATTACH] = "Attaching",	  [SECTION_LOOK] = "Look, save and load",
	};

	return section < sizeof(titles) / sizeof(titles[0]) ? titles[section] : NULL;
}

unsigned help_section_of(const struct option_spec *spec)
{
	static const struct {
		unsigned groups, section;
	} sections[] = {
		{ OPTION_GROUP_TASK | OPTION_GROUP_FAILED | OPTION_GROUP_MOUNTS, SECTION_FILTERS },
		{ OPTION_GROUP_JSON | OPTION_GROUP_EXTENDED | OPTION_GROUP_BASIC, SECTION_OUTPUT },
		{ OPTION_GROUP_STACK, SECTION_STACKS },
		{ OPTION_GROUP_AGGREGATE, SECTION_COUNT },
		{ OPTION_GROUP_RECORDS | OPTION_GROUP_RING, SECTION_LIMITS },
		{ OPTION_GROUP_TRACE | OPTION_GROUP_PROBES | OPTION_GROUP_BTF, SECTION_ATTACH },
	};

	for (size_t i = 0; !spec->section && i < sizeof(sections) / sizeof(sections[0]); i++)
		if (spec->group & sections[i].groups)
			return sections[i].section;
	return spec->section ?: SECTION_OWN;
}

/* Returns the length of the longest prefix of a help that consists of whole sentences, or else of clauses, or of
 * words. */
static size_t clauses_length(const char *help, size_t most)
{
	size_t sentence = 0, clause = 0, word = 0;

	for (size_t i = 1; help[i] && i <= most; i++) {
		if ((strchr(";.", help[i]) && help[i + 1] == ' ') || !strncmp(help + i, " (", 2))
			sentence = i;
		if (strchr(":,", help[i]) && help[i + 1] == ' ')
			clause = i;
		if (help[i] == ' ')
			word = i;
	}
	return sentence >= BRIEF_LEAST ? sentence : clause >= BRIEF_LEAST ? clause : word;
}

const char *help_brief(const struct option_spec *spec, int width)
{
	static char text[HELP_WIDTH + 8];
	const char *help = spec->brief ?: spec->help;
	size_t len = strlen(help);

	if ((int)len > width)
		len = clauses_length(help, width > BRIEF_LEAST ? width - 1 : BRIEF_LEAST);
	snprintf(text, sizeof(text), "%.*s%s", (int)len, help,
		 help[len] == ' ' && help[len + 1] != '(' ? "…" : "");
	return text;
}

static void option_line(struct buf *o, const struct applet *a, const struct option_spec *s)
{
	size_t begin = o->len;
	char letter = option_letter(a, s);
	int column;

	buf_printf(o, letter ? "  -%c, " : "      ", letter);
	buf_printf(o, "--%s", s->name);
	if (s->arg)
		buf_printf(o, option_may_be_bare(s) ? "[=%s]" : "=%s", s->arg);
	column = paragraph_column(o, begin, TEXT_COLUMN);
	buf_printf(o, "%s\n", help_brief(s, HELP_WIDTH - column));
}

/* Shows options up to this rank on lines of their own, and the others by name only. */
struct page {
	const struct applet *a;
	enum option_rank rank;
	struct buf *o;
};

/* Prints the lines of a section, the applet's own options first. */
static void page_section(struct page *p, unsigned section, const char *title)
{
	size_t begin = p->o->len, titled;

	style_title(p->o, title, ":\n");
	titled = p->o->len;
	for (const struct option_spec *s = NULL; (s = option_next(p->a, s));)
		if (help_section_of(s) == section && s->rank <= p->rank)
			option_line(p->o, p->a, s);
	if (p->o->len == titled)
		p->o->len = begin;
}

enum { NAMES_MAX = 128 };

/* Prints the names of the other options: what does not fit into a line is preceded by later ones that do. */
static void names_print(struct page *p)
{
	struct paragraph names = { p->o, 2, 2, false };
	const char *left[NAMES_MAX];
	size_t count = 0, i;

	for (const struct option_spec *s = NULL; (s = option_next(p->a, s));)
		if (s->rank > p->rank && count < NAMES_MAX)
			left[count++] = s->name;
	if (!count)
		return;
	style_title(p->o, "Others", ":\n  ");
	while (count) {
		for (i = 0;
		     i < count && !paragraph_has_room(&names, strlen("--") + strlen(left[i]));)
			i++;
		i %= count;
		paragraph_format(&names, "--%s", left[i]);
		memmove(&left[i], &left[i + 1], (--count - i) * sizeof(left[0]));
	}
	buf_char(p->o, '\n');
}

static void sections_print(struct page *p)
{
	for (unsigned i = SECTION_OWN; help_section(i); i++)
		page_section(p, i, help_section(i));
	names_print(p);
}

/* ---- topics ---- */

/* With NULL: only tests whether there are any. */
static bool letters_print(struct buf *o, const struct applet *a)
{
	struct buf lines;
	bool any;

	buf_init(&lines, -1);
	any = habit_letters_write(&lines, a);
	if (o && any) {
		style_title(o, "Letters with the same meaning as in other tools of this name",
			    ":\n");
		buf_bytes(o, lines.data, lines.len);
		buf_str(o, "-v prints the line in coretap's own options.\n");
	}
	buf_free(&lines);
	return any;
}

const char *help_topic(const struct applet *a, size_t i)
{
	const struct {
		const char *name;
		bool is_there;
	} topics[] = {
		{ "options", true },
		{ "description", a->description },
		{ "fields", a->field_count },
		{ "examples", a->examples },
		{ "letters", letters_print(NULL, a) },
	};

	for (size_t n = 0; n < sizeof(topics) / sizeof(topics[0]); n++)
		if (topics[n].is_there && !i--)
			return topics[n].name;
	for (const struct help_topic *t = a->topics; t && t->name; t++)
		if (!i--)
			return t->name;
	return i ? NULL : "all";
}

bool help_has_topic(const struct applet *a, const char *topic)
{
	const char *name;

	for (size_t i = 0; (name = help_topic(a, i)); i++)
		if (!strcmp(name, topic))
			return true;
	return false;
}

static void field_print(struct buf *o, const struct field *f)
{
	size_t begin = o->len;
	struct paragraph p = { .o = o, .indent = FIELD_INDENT };

	buf_printf(o, "  %s%s", f->name, field_unit_suffix(f));
	p.column = paragraph_column(o, begin, FIELD_INDENT);
	paragraph_words(&p, f->help, strlen(f->help));
	if (f->flags & FIELD_JSON_ONLY)
		paragraph_words(&p, "(JSON)", 6);
	else if (f->flags & FIELD_EXTENDED)
		paragraph_words(&p, "(JSON, --extended)", 18);
	buf_char(o, '\n');
}

static void fields_print(struct buf *o, const struct applet *a)
{
	style_title(o, "Fields", ":\n");
	for (size_t i = 0; i < a->field_count; i++)
		if (a->fields[i].help)
			field_print(o, &a->fields[i]);
}

static void examples_print(struct buf *o, const struct applet *a, size_t most)
{
	if (!a->examples)
		return;
	style_title(o, "Examples", ":\n");
	for (const struct example *e = a->examples; e && e->command && most--; e++) {
		struct paragraph p = { o, WHAT_INDENT, WHAT_INDENT, false };

		/* the command as users can type it: only some names are commands of their own */
		buf_printf(o, "  %s%s\n%*s", log_name_before(), e->command, WHAT_INDENT, "");
		paragraph_words(&p, e->what, strlen(e->what));
		buf_char(o, '\n');
	}
}

/* Prints which events the tool sees and which it does not, so that the page does not promise too much. */
static void sight_print(struct buf *o, const struct applet *a)
{
	struct paragraph sees = { .o = o }, unseen = { .o = o };

	if (!a->sees || !a->unseen)
		return;
	paragraph_format(&sees, "Sees: %s.", a->sees);
	buf_char(o, '\n');
	paragraph_format(&unseen, "Does not see: %s.", a->unseen);
	buf_str(o, "\n\n");
}

static void description_print(struct buf *o, const struct applet *a)
{
	struct paragraph p = { .o = o };

	sight_print(o, a);
	if (a->description)
		paragraph_lines(o, a->description, strlen(a->description));
	if (a->common & OPTION_GROUP_RECORDS)
		buf_printf(o, "\nThe ring buffer holds %zuM unless --buffer is given.\n",
			   applet_buffer(a) >> 20);
	if (!(a->common & OPTION_GROUP_TRACE))
		return;
	buf_char(o, '\n');
	paragraph_words(&p, "Exit status:", strlen("Exit status:"));
	paragraph_words(&p, help_exit_status, strlen(help_exit_status));
	buf_char(o, '\n');
}

static void topic_print(struct buf *o, const struct applet *a, const char *topic)
{
	if (!strcmp(topic, "description"))
		description_print(o, a);
	else if (!strcmp(topic, "fields"))
		fields_print(o, a);
	else if (!strcmp(topic, "examples"))
		examples_print(o, a, -1);
	else if (!strcmp(topic, "letters"))
		letters_print(o, a);
	for (const struct help_topic *t = a->topics; t && t->name; t++)
		if (!strcmp(topic, t->name))
			paragraph_lines(o, t->text, strlen(t->text));
}

static void all_print(struct buf *o, const struct applet *a)
{
	const char *topic;

	for (size_t i = 1; (topic = help_topic(a, i)); i++) {
		if (!strcmp(topic, "all"))
			continue;
		buf_char(o, '\n');
		topic_print(o, a, topic);
	}
}

/* ---- the page ---- */

static void head_print(struct buf *o, const struct applet *a)
{
	struct paragraph usage = { .o = o, .indent = 7 }, summary = { .o = o };

	struct buf name;

	buf_init(&name, -1);
	log_name_typed(&name, a->name);
	buf_char(&name, 0);
	paragraph_format(&usage, "Usage: %s%s [OPTION...]%s%s%s", log_name_before(),
			 name.error ? a->name : name.data, a->args ? " " : "", a->args ?: "",
			 applet_words_usage(a));
	buf_free(&name);
	buf_char(o, '\n');
	paragraph_format(&summary, "%s: %s.", a->name, a->summary);
	buf_str(o, "\n\n");
}

static void more_print(struct buf *o, const struct applet *a)
{
	struct paragraph p = { o, 2, 2, false };
	const char *topic;

	style_title(o, "More", ":\n  ");
	for (size_t i = 0; (topic = help_topic(a, i)); i++)
		paragraph_format(&p, "--help=%s", topic);
	buf_char(o, '\n');
}

/* Prints the paragraphs of the description that fit. */
static void paragraphs_print(struct buf *o, const struct applet *a, int room)
{
	const char *text = a->description;

	while (text && *(text += strspn(text, "\n"))) {
		size_t before = o->len, size = (strstr(text, "\n\n") ?: strchr(text, 0)) - text;

		paragraph_lines(o, text, size);
		if (paragraph_count(o) >= room) {
			o->len = before;
			return;
		}
		buf_char(o, '\n');
		text += size;
	}
}

static int page_body(struct page *p, enum option_rank rank, size_t examples)
{
	p->rank = rank;
	p->o->len = 0;
	sight_print(p->o, p->a);
	sections_print(p);
	examples_print(p->o, p->a, examples);
	more_print(p->o, p->a);
	return paragraph_count(p->o);
}

static void page_print(struct buf *o, const struct applet *a)
{
	struct buf body;
	struct page p = { .a = a, .o = &body };
	int room, lines;

	buf_init(&body, -1);
	body.is_colored = o->is_colored;
	head_print(o, a);
	room = HELP_LINES - paragraph_count(o);
	lines = page_body(&p, RANK_ROOM, 4);
	if (lines > room)
		lines = page_body(&p, RANK_ROOM, 3);
	if (lines > room)
		lines = page_body(&p, RANK_ALWAYS, 3);
	paragraphs_print(o, a, HELP_LINES - lines);
	buf_bytes(o, body.data, body.len);
	buf_free(&body);
}

void help_print(const struct applet *a, const char *topic, struct buf *o)
{
	if (!topic)
		page_print(o, a);
	else if (!strcmp(topic, "all"))
		all_print(o, a);
	else
		topic_print(o, a, topic);
}
