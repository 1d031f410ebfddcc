/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bcc_argdist.c - converts a specifier of bcc's argdist to a probe of the model.
 *
 *  *	PROBE '(' signature ')' [':' types ':' values [':' condition]] ['#' label]
 *
 * The types are ignored: argdump knows them from the kernel. Those of a user function's arguments come from the
 * signature.
 */
#include <ctype.h>
#include <string.h>

#include "front/notation/bcc.h"

enum { VALUES_MAX = 8 };

struct argdist {
	struct bcc_probe probe;
	struct notation_node *values, *condition;
	const char *label;
	bool is_text;		       /* the first type is char * */
	const char *types[VALUES_MAX]; /* of the values, as written */
};

/* Returns the end of the part that begins at `at`: a : or # outside of parentheses and quotes that does not belong to
 * a ? */
static size_t part_end(const struct notation *n, size_t at, size_t limit)
{
	int depth = 0, choices = 0;

	for (; at < limit; at++) {
		char c = n->text[at];

		if (c == '"' || c == '\'') {
			at = notation_quote_end(n->text, at, limit) - 1;
			continue;
		}
		depth += (c == '(') - (c == ')');
		choices += c == '?';
		if (depth <= 0 && c == ':' && !choices--)
			return at;
		choices += choices < 0;
	}
	return limit;
}

/* Parses "#label", or ";label" as in older versions. */
static size_t label_parse(struct notation *n, struct argdist *a, size_t limit)
{
	for (size_t at = a->probe.end; at < limit; at++) {
		if (n->text[at] == '"')
			at = notation_quote_end(n->text, at, limit) - 1;
		else if (n->text[at] == '#' || n->text[at] == ';') {
			char *label = (char *)notation_copy(n, at + 1, limit);

			for (char *c = label; *c; c++)
				*c = isalnum((unsigned char)*c) ? *c : '_';
			a->label = isdigit((unsigned char)*label) ?
					   notation_print(n, "_%s", label) :
					   label;
			return at;
		}
	}
	return limit;
}

static struct notation_node *part_read(struct notation *n, size_t start, size_t end)
{
	struct notation_node *first = NULL, **last = &first;

	notation_read(n, start, end);
	do {
		*last = notation_expr(n);
		if (*last)
			last = &(*last)->next;
	} while (!n->failed && notation_accept(n, ","));
	if (!n->failed && n->token != NOTATION_END)
		notation_fail(n, n->start, n->end, NULL, "expected an operator or the end");
	return n->failed ? NULL : first;
}

/* Parses "int,u64". */
static void types_read(struct notation *n, struct argdist *a, size_t at, size_t end)
{
	size_t count = 0;

	while (at < end && count < VALUES_MAX) {
		const char *comma = memchr(n->text + at, ',', end - at);
		size_t stop = comma ? (size_t)(comma - n->text) : end, last = stop;

		while (at < last && isspace((unsigned char)n->text[at]))
			at++;
		while (last > at && isspace((unsigned char)n->text[last - 1]))
			last--;
		a->types[count++] = notation_copy(n, at, last);
		at = stop + 1;
	}
}

static void parts_read(struct notation *n, struct argdist *a, size_t at)
{
	size_t limit = label_parse(n, a, strlen(n->text)), types, values;

	at = notation_blank(n, at);
	if (at >= limit)
		return;
	if (n->text[at] != ':') {
		notation_fail(n, at, limit, "FUNCTION(signature):type:value:condition#label",
			      "expected ':'");
		return;
	}
	types = part_end(n, at + 1, limit);
	types_read(n, a, at + 1, types);
	a->is_text = memmem(n->text + at, types - at, "char", 4) &&
		     memchr(n->text + at, '*', types - at);
	if (types == limit) {
		notation_fail(n, at, limit, "FUNCTION(signature):type:value:condition#label",
			      "the value is missing");
		return;
	}
	values = part_end(n, types + 1, limit);
	a->values = part_read(n, types + 1, values);
	if (!n->failed && values < limit)
		a->condition = part_read(n, values + 1, limit);
}

/* ---- the probe ---- */

/* Adds NAME= to the value, unless it already has a name. */
static const struct model_text *named(struct notation *n, const struct notation_node *node,
				      const struct model_text *value)
{
	const char *name = notation_name(node);

	if (value->text[0] == '$' && strncmp(value->text, "$arg", 4))
		return value;
	name += name[0] == '$';
	if (!strcmp(name, value->text))
		return value;
	return notation_placed(n, notation_join(n, "%s=%t", name, value), node->start, node->end);
}

/* A user function's values have 64 bits; the type defines how many count, and the sign. */
static const struct model_text *as_typed(struct notation_view *v, const struct argdist *a,
					 const struct notation_node *node, size_t i,
					 const struct model_text *text)
{
	static const char *const narrow[] = { "int",
					      "unsigned int",
					      "unsigned",
					      "u32",
					      "s32",
					      "u16",
					      "s16",
					      "u8",
					      "s8",
					      "short",
					      "unsigned short",
					      "char",
					      "unsigned char",
					      "bool",
					      "uint32_t",
					      "int32_t",
					      "uint16_t",
					      "int16_t",
					      "uint8_t",
					      "int8_t",
					      "s64",
					      "int64_t",
					      "long",
					      "ssize_t",
					      "long long" };
	const char *type = i < VALUES_MAX && a->types[i] ? a->types[i] : "";

	if (!a->values)
		type = "int"; /* for $retval alone */
	if (!v->is_untyped || (node && notation_bare(node)->kind == NOTATION_CAST) ||
	    (strncmp(text->text, "$arg", 4) && strcmp(text->text, "$ret")))
		return text;
	for (size_t n = 0; n < sizeof(narrow) / sizeof(narrow[0]); n++)
		if (!strcmp(narrow[n], type))
			return notation_join(v->n, "(%s)%t",
					     strcmp(type, "unsigned") ? type : "u32", text);
	return text;
}

/* Returns the keys; several probes share their columns. */
static const struct model_text *keys_text(struct notation_view *v, struct argdist *a, bool is_one)
{
	const struct model_text *text = NULL, *value;
	size_t count = 0;

	for (const struct notation_node *key = a->values; key; key = key->next, count++) {
		value = notation_value(v, key, a->is_text && !count ? 's' : 0);
		value = as_typed(v, a, key, count, value);
		if (is_one)
			value = named(v->n, key, value);
		else
			value = notation_join(v->n, "%s=%t",
					      count ? notation_print(v->n, "value%zu", count + 1) :
						      "value",
					      value);
		text = text ? notation_join(v->n, "%t,%t", text, value) : value;
	}
	return text;
}

/* Without values, returns are counted by result, and other probes in total. */
static const struct model_text *results_text(struct notation_view *v, const struct argdist *a)
{
	const struct model_text *result = notation_join(v->n, "$ret");

	if (a->probe.kind != 'r')
		return NULL;
	return v->is_untyped ? notation_join(v->n, "retval=%t", as_typed(v, a, NULL, 0, result)) :
			       result;
}

static void count_add(struct notation *n, struct notation_view *v, struct argdist *a,
		      unsigned number, bool is_one)
{
	const struct model_text *by = a->values ? keys_text(v, a, is_one) : results_text(v, a);
	const char *name = a->label ?: is_one ? NULL : notation_print(n, "count%u", number + 1);

	bcc_probe_add(n, &a->probe);
	notation_option_add(n, "count",
			    name && !notation_is_reserved(name) ? notation_join(n, "%s", name) :
								  NULL);
	if (by)
		notation_option_add(n, "by", by);
}

static const char *histogram_name(struct notation *n, const struct argdist *a, unsigned number)
{
	const char *name = a->values ? notation_name(a->values) : "retval";

	if (a->label)
		return a->label;
	name += name[0] == '$';
	return number ? notation_print(n, "%s_%u", name, number + 1) : name;
}

static void histogram_add(struct notation *n, struct notation_view *v, struct argdist *a,
			  unsigned number)
{
	const struct model_text *value;
	const char *name;

	if (a->values && a->values->next)
		notation_fail_node(n, a->values->next, "use -C to count by several values",
				   "a histogram has one value");
	if (!a->values && a->probe.kind != 'r')
		notation_fail(n, a->probe.start, a->probe.end, "FUNCTION(signature):type:value",
			      "missing value for the histogram");
	value = a->values ? notation_text(v, a->values) : notation_join(n, "$ret");
	value = as_typed(v, a, a->values, 0, value);
	bcc_probe_add(n, &a->probe);
	name = histogram_name(n, a, number);
	notation_option_add(n, "hist",
			    !notation_is_reserved(name) ? notation_join(n, "%s=%t", name, value) :
							  value);
}

/* Notes whether a count needs values that only the entry has. */
static void pair_visit(struct notation_view *v, struct argdist *a)
{
	for (const struct notation_node *value = a->values; value; value = value->next)
		notation_text(v, value);
	a->probe.is_pair = a->probe.has_arguments;
}

void notation_argdist(struct notation *n, bool histogram, unsigned number, bool is_one)
{
	struct argdist a = { 0 };
	struct notation_view v;
	const struct model_text *condition;

	bcc_probe_read(n, &a.probe);
	if (!n->failed)
		parts_read(n, &a, n->at);
	if (n->failed)
		return;
	bcc_view(n, &a.probe, &v);
	pair_visit(&v, &a);
	condition = a.condition ? notation_text(&v, a.condition) : NULL;
	if (histogram)
		histogram_add(n, &v, &a, number);
	else
		count_add(n, &v, &a, number, is_one);
	if (condition)
		notation_option_add(n, "if", condition);
}
