/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * notation_value.c - values with a format, and what they are called.
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

bool notation_is_reserved(const char *name)
{
	return !*name || !strcmp(name, "count") || !strcmp(name, "total");
}
