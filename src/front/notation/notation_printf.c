/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * notation_printf.c - parses the format of a printf: its values and their names.
 */
#include <ctype.h>
#include <string.h>

#include "front/notation/notation.h"

/* ---- names ---- */

enum { NAMES_MAX = 32, NAME_BYTES = 32 };

struct names {
	struct notation *n;
	const char *list[NAMES_MAX];
	size_t count;
};

static bool is_taken(const struct names *names, const char *name)
{
	for (size_t i = 0; i < names->count; i++)
		if (!strcmp(names->list[i], name))
			return true;
	return false;
}

/* Returns the word before "=%d" or ": %d". */
static const char *label_find(struct notation *n, const char *format, const char *percent)
{
	const char *end = percent, *start;

	while (end > format && end[-1] == ' ')
		end--;
	if (end == format || !strchr("=:", end[-1]))
		return NULL;
	for (end--; end > format && end[-1] == ' ';)
		end--;
	for (start = end;
	     start > format && (isalnum((unsigned char)start[-1]) || start[-1] == '_');)
		start--;
	if (start > format && strchr("%-+#.", start[-1])) /* part of the previous conversion */
		return NULL;
	if (start == end || isdigit((unsigned char)*start) || end - start > NAME_BYTES)
		return NULL;
	return notation_print(n, "%.*s", (int)(end - start), start);
}

/* Makes the name unique. */
static const char *name_choose(struct names *names, const char *wish)
{
	const char *name = wish;

	for (unsigned i = 2; is_taken(names, name) && i < NAMES_MAX; i++)
		name = notation_print(names->n, "%s%u", wish, i);
	if (names->count < NAMES_MAX)
		names->list[names->count++] = name;
	return name;
}

/* ---- values ---- */

struct printing {
	struct notation_view *v;
	struct names names;
	struct notation_line *line;
	const char *format; /* the text between the quotes */
};

/* A conversion of a format. */
struct conversion {
	const char *percent, *end;
	char letter; /* %ld is 'D': printed in its own width */
};

static struct conversion conversion_read(const char *percent)
{
	const char *at = percent + 1 + strspn(percent + 1, "-+ #0123456789.*");
	bool is_long = *at == 'l' || *at == 'z';
	struct conversion c = { .percent = percent };

	at += strspn(at, "lhzjt");
	c.letter = is_long && (*at == 'd' || *at == 'i') ? 'D' : *at;
	c.end = *at ? at + 1 : at;
	return c;
}

/* True for values that every record has in a column of its own. */
static bool is_column(const char *value)
{
	return !strcmp(value, "$pid") || !strcmp(value, "$tid") || !strcmp(value, "$comm");
}

static void value_add(struct printing *p, const struct notation_node *node,
		      const struct conversion *c)
{
	struct notation *n = p->v->n;
	const struct model_text *value = notation_value(p->v, node, c->letter);
	const char *name;

	if (is_column(value->text))
		return;
	name = name_choose(&p->names, label_find(n, p->format, c->percent) ?: notation_name(node));
	if (p->line->count == NOTATION_VALUES_MAX) {
		notation_fail_node(n, node, NULL, "too many values");
		return;
	}
	if (strcmp(name, value->text))
		value = notation_placed(n, notation_join(n, "%s=%t", name, value), node->start,
					node->end);
	p->line->words[p->line->count++] = value;
}

/* Checks conversions: C's, and bcc's %K and %U. */
static void conversion_check(struct printing *p, const struct notation_node *format,
			     const struct conversion *c)
{
	if (memchr(c->percent, '*', c->end - c->percent))
		notation_fail_node(p->v->n, format, "use a number as width: %-16s",
				   "a width cannot be a value");
	else if (!c->letter || !strchr("diuxXoDcspKU", c->letter) || c->end - c->percent > 12)
		notation_fail_node(
			p->v->n, format, "%d %u %x %X %o %c %s %p %K %U, with flags and a width",
			"argdump cannot print %.*s", (int)(c->end - c->percent), c->percent);
}

static void format_read(struct printing *p, const struct notation_node *format,
			const struct notation_node *value)
{
	struct notation *n = p->v->n;
	const char *at = p->format, *percent;

	for (; (percent = strchr(at, '%')) && !n->failed;) {
		struct conversion c = conversion_read(percent);

		at = c.end;
		if (c.letter == '%')
			continue;
		conversion_check(p, format, &c);
		if (!value)
			notation_fail_node(n, format, NULL, "a value is missing for a %%%c",
					   c.letter ?: ' ');
		if (n->failed)
			return;
		value_add(p, value, &c);
		value = value->next;
	}
	if (value)
		notation_fail_node(n, value, NULL, "the format has no %% for this value");
}

void notation_printf(struct notation_view *v, const struct notation_node *format,
		     const struct notation_node *values, struct notation_line *line)
{
	struct printing p = { .v = v, .names.n = v->n, .line = line };

	if (format->text[0] != '"') {
		notation_fail_node(v->n, format, NULL, "expected a format in double quotes");
		return;
	}
	p.format = notation_unquote(v->n, format->text);
	format_read(&p, format, values);
}
