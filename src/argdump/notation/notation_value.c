/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * notation_value.c - values with a format, and the format of a printf: which values it has, and what
 * they are called.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "argdump/notation/notation.h"

/* ---- formats ---- */

/* In a value that is shown when a call returns, memory is read then. */
static const char *read_late(struct notation_view *v, const struct notation_node *node)
{
	const struct notation_node *bare = notation_bare(node);
	const char *text = notation_text(v, node);

	return v->begin && !v->at_end && bare->kind == NOTATION_STORE ?
		       notation_print(v->n, "@ret(%s)", text) :
		       text;
}

static const char *string_value(struct notation_view *v, const struct notation_node *call)
{
	const struct notation_node *length = call->kid->next;
	const char *form = !strcmp(call->text, "kstr")		     ? "str" :
			   v->is_user || !strcmp(call->text, "ustr") ? "ustr" :
								       "str";
	const char *text = read_late(v, call->kid);

	if (notation_bare(call->kid)->kind == NOTATION_LITERAL)
		return text;
	if (!length)
		return notation_print(v->n, "%s:%s", text, form);
	return notation_print(v->n, "%s:%s[%s]", text, form, notation_text(v, length));
}

static const char *address_value(struct notation_view *v, const struct notation_node *call)
{
	const struct notation_node *family = call->kid->next ? call->kid : NULL;
	const char *text = notation_text(v, family ? family->next : call->kid);

	return notation_print(v->n, "%s:%s", text,
			      family && (notation_is_word(family, "AF_INET6") ||
					 !strcmp(notation_bare(family)->text, "10")) ?
				      "ip6" :
				      "ip4");
}

static const char *bytes_value(struct notation_view *v, const struct notation_node *call)
{
	const struct notation_node *length = call->kid->next;

	return notation_print(v->n, "%s:hex[%s]", read_late(v, call->kid),
			      length ? notation_text(v, length) : "16");
}

/* kstack(perf, 5): the frames are said once for all. */
static const char *stack_value(struct notation_view *v, const struct notation_node *call)
{
	for (const struct notation_node *kid = call->kid; kid; kid = kid->next)
		if (notation_bare(kid)->kind == NOTATION_LITERAL &&
		    isdigit((unsigned char)*notation_bare(kid)->text))
			v->n->stack_depth = notation_bare(kid)->text;
	return call->text[0] == 'k' ? "$kstack" : "$ustack";
}

static const char *time_value(struct notation_view *v, const struct notation_node *call)
{
	(void)call;
	v->n->time = "-T";
	return NULL;
}

static const struct {
	const char *name;
	const char *form; /* behind the first argument; or … */
	const char *(*value)(struct notation_view *v, const struct notation_node *call);
} formats[] = {
	{ "str", NULL, string_value },	  { "kstr", NULL, string_value },
	{ "ustr", NULL, string_value },	  { "ksym", "sym", NULL },
	{ "usym", "usym", NULL },	  { "path", "path", NULL },
	{ "macaddr", "mac", NULL },	  { "bswap", "be", NULL },
	{ "ntop", NULL, address_value },  { "buf", NULL, bytes_value },
	{ "kstack", NULL, stack_value },  { "ustack", NULL, stack_value },
	{ "strftime", NULL, time_value },
};

/* Of a user program's arguments nothing says how wide they are. */
static const char *number_value(struct notation_view *v, const char *text, char conversion)
{
	if (conversion == 'x' || conversion == 'X')
		return notation_print(v->n, "%s:x", text);
	if (conversion == 'p')
		return notation_print(v->n, "%s:p", text);
	if (conversion == 's' && (!strncmp(text, "$arg", 4) || !strcmp(text, "$ret")))
		return notation_print(v->n, "%s:%s", text, v->is_user ? "ustr" : "str");
	if ((conversion == 'd' || conversion == 'i') && v->is_untyped && text[0] == '$' &&
	    (!strncmp(text, "$arg", 4) || !strcmp(text, "$ret")))
		return notation_print(v->n, "(int)%s", text);
	return text;
}

const char *notation_value(struct notation_view *v, const struct notation_node *node,
			   char conversion)
{
	const struct notation_node *bare = notation_bare(node);

	if (notation_is_word(bare, "elapsed")) {
		v->n->time = "-Trel";
		return NULL;
	}
	if (notation_is_word(bare, "username"))
		return "$uid:user";
	if (bare->kind != NOTATION_CALL || !bare->kid)
		return number_value(v, notation_text(v, bare), conversion);
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		if (strcmp(formats[i].name, bare->text))
			continue;
		if (formats[i].value)
			return formats[i].value(v, bare);
		return notation_print(v->n, "%s:%s", notation_text(v, bare->kid), formats[i].form);
	}
	return notation_text(v, bare);
}

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

/* What argdump would call it, nearly: the last member, or the name. */
const char *notation_name(const struct notation_node *node)
{
	if (node->kind == NOTATION_PAREN && node->text[0] == '$')
		return node->text + 1;
	node = notation_bare(node);
	switch (node->kind) {
	case NOTATION_MEMBER: return node->text + (node->text[0] == '-' ? 2 : 1);
	case NOTATION_WORD: return node->text;
	case NOTATION_STORE: return node->text[1] ? node->text + 1 : "value";
	case NOTATION_SCRATCH: return node->text + 1;
	case NOTATION_CALL:
		if (!node->kid)
			return node->text + (node->text[0] == '$');
		return notation_name(node->kid->next && !strcmp(node->text, "ntop") ?
					     node->kid->next :
					     node->kid);
	case NOTATION_CAST:
	case NOTATION_PREFIX:
	case NOTATION_INDEX: return notation_name(node->kid);
	default: return "value";
	}
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

bool notation_is_reserved(const char *name)
{
	return !*name || !strcmp(name, "count") || !strcmp(name, "total");
}

/* ---- printf ---- */

struct printing {
	struct notation_view *v;
	struct names names;
	const char **words;
	size_t *count, most;
	bool as_columns;
	const char *columns;
	const char *format; /* what is between the quotes */
};

/* Every record has these, in columns of their own. */
static bool is_column(const char *value)
{
	return !strcmp(value, "$pid") || !strcmp(value, "$tid") || !strcmp(value, "$comm") ||
	       !strcmp(value, "$func");
}

static void column_add(struct printing *p, const char *name)
{
	p->columns = *p->columns ? notation_print(p->v->n, "%s,%s", p->columns, name) : name;
}

static void value_add(struct printing *p, const struct notation_node *node, const char *label,
		      char conversion)
{
	const char *value = notation_value(p->v, node, conversion), *name;

	if (!value || (is_column(value) && !p->as_columns))
		return;
	if (is_column(value)) {
		column_add(p, value);
		return;
	}
	name = name_choose(&p->names, label ?:
					      notation_is_latency(p->v, node) ?
					      "lat" :
					      notation_name(node));
	column_add(p, name);
	if (*p->count == p->most) {
		notation_fail_node(p->v->n, node, NULL, "there are too many values");
		return;
	}
	if (!strcmp(name, value))
		p->words[(*p->count)++] = value;
	else
		p->words[(*p->count)++] = notation_print(p->v->n, "%s=%s", name, value);
}

/* The letter of a conversion; *end is behind it. %ld is 'D': as wide as it is. */
static char conversion_read(const char *percent, const char **end)
{
	const char *at = percent + 1 + strspn(percent + 1, "-+ #0123456789.*");
	bool is_long = *at == 'l' || *at == 'z' || *at == 'h';

	at += strspn(at, "lhzjt");
	*end = *at ? at + 1 : at;
	return is_long && (*at == 'd' || *at == 'i') ? 'D' : *at;
}

/* Is there no text but blanks, brackets and commas? Then columns say the same. */
static bool is_bare(const char *format)
{
	while (*format) {
		if (format[0] == '%' && format[1] == '%') {
			return false;
		} else if (*format == '%') {
			conversion_read(format, &format);
			continue;
		}
		if (!strchr(" \n\t,;|()[]<>-/", *format))
			return false;
		format++;
	}
	return true;
}

static void values_add(struct printing *p, const struct notation_node *value,
		       const struct notation_node *format)
{
	struct notation *n = p->v->n;
	const char *at = p->format, *end;

	for (; (at = strchr(at, '%')) && !n->failed; at = end) {
		char conversion = conversion_read(at, &end);

		if (conversion == '%')
			continue;
		if (!value) {
			notation_fail_node(n, format, NULL, "a value is missing for a %%%c",
					   conversion ?: ' ');
			return;
		}
		value_add(p, value, label_find(n, p->format, at), conversion);
		value = value->next;
	}
	if (value && !n->failed)
		notation_fail_node(n, value, NULL, "the format has no %% for this value");
}

void notation_printf(struct notation_view *v, const struct notation_node *format,
		     const struct notation_node *values, bool columns, const char **words,
		     size_t *count, size_t most)
{
	struct printing p = {
		.v = v, .names.n = v->n, .words = words, .count = count, .most = most, .columns = ""
	};

	if (format->kind != NOTATION_LITERAL || format->text[0] != '"') {
		notation_fail_node(v->n, format, NULL, "a format between quotes expected");
		return;
	}
	p.format = notation_unquote(v->n, format->text);
	p.as_columns = columns && values && is_bare(p.format);
	for (size_t i = 0; i < *count; i++) /* of a printf before this one */
		name_choose(&p.names,
			    notation_print(v->n, "%.*s", (int)strcspn(words[i], "="), words[i]));
	values_add(&p, values, format);
	if (p.as_columns && *p.columns)
		v->n->columns = p.columns;
}
