/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * notation_value.c - values with a format, and their names.
 */
#include <string.h>

#include "front/notation/notation.h"

const struct model_text *notation_value(struct notation_view *v, const struct notation_node *node,
					char conversion)
{
	const struct model_text *text = notation_text(v, notation_bare(node));
	/* the width of a user program's arguments is unknown */
	bool is_wide = !strncmp(text->text, "$arg", 4) || !strcmp(text->text, "$ret");

	switch (conversion) {
	case 'x':
	case 'X': return notation_join(v->n, "%t:x", text);
	case 'p': return notation_join(v->n, "%t:p", text);
	case 'o': return notation_join(v->n, "%t:o", text);
	case 'K': return notation_join(v->n, "%t:sym", text);
	case 'U': return notation_join(v->n, "%t:usym", text);
	case 's':
		return is_wide ? notation_join(v->n, "%t:%s", text, v->is_user ? "ustr" : "str") :
				 text;
	case 'd':
	case 'i': return is_wide && v->is_untyped ? notation_join(v->n, "(int)%t", text) : text;
	default: return text;
	}
}

/* Returns nearly the name that argdump would choose: the last member, or the name. */
const char *notation_name(const struct notation_node *node)
{
	node = notation_bare(node);
	switch (node->kind) {
	case NOTATION_MEMBER: return node->text + (node->text[0] == '-' ? 2 : 1);
	case NOTATION_WORD: return node->text + (node->text[0] == '$');
	case NOTATION_CALL: return node->kid ? notation_name(node->kid) : node->text;
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
