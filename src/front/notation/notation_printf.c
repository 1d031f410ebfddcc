/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * notation_printf.c - the format of a printf: which values it has, what they are called, and the text
 * around them, as --print takes it.
 */
#include <ctype.h>
#include <string.h>

#include "front/notation/notation.h"

/* ---- names ---- */

enum { NAMES_MAX = 32, NAME_BYTES = 32, TEXT_MAX = 2000 };

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

/* The word before "=%d" or ": %d". */
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
	if (start > format && strchr("%-+#.", start[-1])) /* of the conversion before */
		return NULL;
	if (start == end || isdigit((unsigned char)*start) || end - start > NAME_BYTES)
		return NULL;
	return notation_print(n, "%.*s", (int)(end - start), start);
}

/* Names of members may be numbers (of tuples), and two may be alike. */
static const char *name_choose(struct names *names, const char *wish)
{
	const char *name = wish;

	if (!*name || isdigit((unsigned char)*name))
		name = wish = "value";
	for (unsigned i = 2; is_taken(names, name) && i < NAMES_MAX; i++)
		name = notation_print(names->n, "%s%u", wish, i);
	if (names->count < NAMES_MAX)
		names->list[names->count++] = name;
	return name;
}

/* ---- the text ---- */

static void text_join(struct notation *n, struct notation_line *line, const char *more)
{
	if (!line->text || strlen(line->text) + strlen(more) < TEXT_MAX)
		line->text = notation_print(n, "%s%s", line->text ?: "", more);
	else
		notation_fail(n, 0, strlen(n->text), NULL, "what is printed is too long");
}

/* Bytes that are printed as they are, in the notation of --print. */
static void bytes_add(struct notation *n, struct notation_line *line, const char *bytes, size_t len)
{
	char *text = notation_alloc(n, 2 * len + 1), *to = text;

	if (!text)
		return;
	for (; len--; bytes++) {
		if (strchr("{\\\n\t", *bytes))
			*to++ = *bytes == '{' ? '{' : '\\';
		*to++ = *bytes == '\n' ? 'n' : *bytes == '\t' ? 't' : *bytes;
	}
	text_join(n, line, text);
}

/* ---- values ---- */

struct printing {
	struct notation_view *v;
	struct names names;
	struct notation_line *line;
	const char *format; /* what is between the quotes */
};

/* A conversion of a format. */
struct conversion {
	const char *percent, *end;
	char letter; /* %ld is 'D': as wide as it is */
};

static struct conversion conversion_read(const char *percent)
{
	const char *at = percent + 1 + strspn(percent + 1, "-+ #0123456789.*");
	bool is_long = *at == 'l' || *at == 'z';
	struct conversion c = { .percent = percent };

	at += strspn(at, "lhzjt");
	c.letter = is_long && (*at == 'd' || *at == 'i') ? 'D' : *at;
	c.end = *at ? at + 1 : at;
	if (*at == 'r' && *c.end && strchr("hx", *c.end)) /* %rx */
		c.end++;
	if (at[0] == 'g' && at[1] == 'r') /* %gr */
		c.end++;
	return c;
}

/* Every record has these, in columns of their own. */
static bool is_column(const char *value)
{
	return !strcmp(value, "$pid") || !strcmp(value, "$tid") || !strcmp(value, "$comm");
}

/* ":-16" of %-16s, ":%05d" of %05d; "" of %s and %d alone. */
static const char *form_text(struct notation *n, const struct conversion *c)
{
	const char *flags = c->percent + 1, *digits = flags + strspn(flags, "-+ #0");
	size_t count = strspn(digits, "0123456789"), len = c->end - c->percent;
	bool is_left = memchr(flags, '-', digits - flags);
	bool is_number = strchr("diuxXoDc", c->letter);
	bool is_width = digits[count] != '.' && count <= 2 && (size_t)(digits - flags) == is_left &&
			!memchr(c->percent, 'h', len);

	if (is_width && (!is_number || strchr("diuD", c->letter)))
		return !count ?
			       "" :
			       notation_print(n, ":%s%.*s", is_left ? "-" : "", (int)count, digits);
	return is_number ? notation_print(n, ":%.*s", (int)len,
					  c->percent) : /* else a text, or bytes */
			   notation_print(n, ":%.*ss", (int)(len - 1), c->percent);
}

/* The text after the name, as in line.h. */
static const char *value_form(struct printing *p, const struct notation_node *node,
			      const struct conversion *c)
{
	const char *time = notation_time_form(p->v, node);
	if (time)
		return notation_print(p->v->n, ":@%s", time);
	return c ? form_text(p->v->n, c) : "";
}

static void value_add(struct printing *p, const struct notation_node *node, const char *label,
		      const struct conversion *c)
{
	struct notation *n = p->v->n;
	struct notation_line *line = p->line;
	const char *value = notation_value(p->v, node, c ? c->letter : 0), *name = value;

	if (!value)
		return;
	if (!is_column(value)) {
		bool is_lat = notation_is_latency(p->v, node);

		name = name_choose(&p->names, label ?: is_lat ? "lat" : notation_name(node));
		if (line->count == NOTATION_VALUES_MAX) {
			notation_fail_node(n, node, NULL, "there are too many values");
			return;
		}
		line->words[line->count++] = !strcmp(name, value) ?
						     value :
						     notation_print(n, "%s=%s", name, value);
	}
	text_join(n, line, notation_print(n, "{%s%s}", name, value_form(p, node, c)));
}

/* The conversions: those of C, and bpftrace's %r. */
static void conversion_check(struct printing *p, const struct notation_node *format,
			     const struct conversion *c)
{
	if (memchr(c->percent, '*', c->end - c->percent))
		notation_fail_node(p->v->n, format, "a width as a number: %-16s",
				   "a width cannot be a value");
	else if (!c->letter || !strchr("diuxXoDcsprKU", c->letter) || c->end - c->percent > 12)
		notation_fail_node(
			p->v->n, format, "%d %u %x %X %o %c %s %p %r, with flags and a width",
			"argdump does not print %.*s", (int)(c->end - c->percent), c->percent);
}

static void one_add(struct printing *p, const struct notation_node *node,
		    const struct conversion *c)
{
	struct notation *n = p->v->n;
	struct notation_const known;
	const char *text;
	bool is_known;

	if (notation_is_word(node, "probe") && p->v->name) {
		text = p->v->name(p->v, notation_bare(node));
		if (text[0] == '"')
			known = (struct notation_const){ .text = notation_unquote(n, text) };
		else
			bytes_add(n, p->line, p->v->probe ?: "", strlen(p->v->probe ?: ""));
		if (text[0] != '"' && (!p->v->probe || c->end - c->percent > 2))
			notation_fail_node(n, node, "func is its function",
					   "argdump does not know what all of these are called");
		is_known = text[0] == '"';
	} else {
		is_known = notation_const(n, node, &known);
	}
	if (!is_known) {
		value_add(p, node, label_find(n, p->format, c->percent), c);
		return;
	}
	text = notation_const_print(n, &known, c->percent, c->end - c->percent);
	bytes_add(n, p->line, text, strlen(text));
}

static void format_read(struct printing *p, const struct notation_node *format,
			const struct notation_node *value)
{
	struct notation *n = p->v->n;
	const char *at = p->format, *percent;

	for (; (percent = strchr(at, '%')) && !n->failed;) {
		struct conversion c = conversion_read(percent);

		bytes_add(n, p->line, at, percent - at);
		at = c.end;
		if (c.letter == '%') {
			bytes_add(n, p->line, "%", 1);
			continue;
		}
		conversion_check(p, format, &c);
		if (!value && !n->failed) {
			notation_fail_node(n, format, NULL, "a value is missing for a %%%c",
					   c.letter ?: ' ');
			return;
		}
		one_add(p, value, &c);
		value = value->next;
	}
	bytes_add(n, p->line, at, strlen(at));
	if (value && !n->failed)
		notation_fail_node(n, value, NULL, "the format has no %% for this value");
}

static void printing_init(struct printing *p, struct notation_view *v, struct notation_line *line)
{
	*p = (struct printing){ .v = v, .names.n = v->n, .line = line, .format = "" };
	for (size_t i = 0; i < line->count; i++) /* of a printf before this one */
		name_choose(&p->names,
			    notation_print(v->n, "%.*s", (int)strcspn(line->words[i], "="),
					   line->words[i]));
}

void notation_printf(struct notation_view *v, const struct notation_node *format,
		     const struct notation_node *values, struct notation_line *line)
{
	struct printing p;

	if (format->kind != NOTATION_LITERAL || format->text[0] != '"') {
		notation_fail_node(v->n, format, NULL, "a format between quotes expected");
		return;
	}
	printing_init(&p, v, line);
	p.format = notation_unquote(v->n, format->text);
	format_read(&p, format, values);
}

void notation_line_words(struct notation *n, const struct notation_line *line)
{
	size_t len = line->text ? strlen(line->text) : 0;
	bool ends = len > 1 && !strcmp(line->text + len - 2, "\\n"); /* as each line does */

	for (size_t i = 0; i < line->count; i++)
		notation_word(n, line->words[i]);
	if (line->text)
		notation_words(n, "--print",
			       notation_print(n, "%.*s%s", (int)(ends ? len - 2 : len), line->text,
					      ends ? "" : "\\c"));
}
