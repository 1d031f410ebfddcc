/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_layout.c - prints the layout of types, to find an offset or a name.
 *
 * Each member follows a comment with its offset in bytes (:BIT for a bitfield) and precedes one
 * with its size.
 */
#include "btf/btf_layout.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "util/escape.h"

static const char *kind_word(unsigned kind)
{
	switch (kind) {
	case BTF_KIND_STRUCT: return "struct";
	case BTF_KIND_UNION: return "union";
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64: return "enum";
	case BTF_KIND_TYPEDEF: return "typedef";
	case BTF_KIND_FWD: return "forward";
	case BTF_KIND_INT: return "int";
	case BTF_KIND_FLOAT: return "float";
	default: return "other";
	}
}

uint32_t btf_layout_pointee(const struct btf_view *b, uint32_t id)
{
	return layout_innermost(b, id, &id) ? id : 0;
}

/* ---- a whole type ---- */

static void append_sum(struct layout_print *p, const struct btf_type *t)
{
	buf_str(p->o, ";  /* ");
	if (!t || btf_kind(t) == BTF_KIND_FWD) {
		buf_str(p->o, "its members are not in this BTF */\n");
		return;
	}
	layout_append_plural(p->o, t->size, "byte");
	if (layout_is_enum(t)) {
		buf_str(p->o, ", ");
		layout_append_plural(p->o, btf_vlen(t), "value");
	} else if (btf_is_composite(t)) {
		buf_str(p->o, ", ");
		layout_append_plural(p->o, btf_vlen(t), "member");
	} else if (btf_kind(t) == BTF_KIND_INT) {
		buf_str(p->o, BTF_INT_ENCODING(btf_int_info(t)) & BTF_INT_SIGNED ? ", signed" :
										   ", unsigned");
	}
	if (p->holes) {
		buf_str(p->o, ", ");
		layout_append_plural(p->o, p->holes, "hole");
		buf_str(p->o, " of ");
		layout_append_size(p->o, p->hole_bits);
	}
	buf_str(p->o, " */\n");
}

static void text_layout(struct layout_print *p, uint32_t id, const struct btf_type *t)
{
	char text[LAYOUT_DECLARED_MAX];

	btf_view_declare(p->b, id, "", text, sizeof(text));
	escape_write(p->o, text, strlen(text));
	if (btf_is_composite(t) || layout_is_enum(t)) {
		buf_str(p->o, " {\n");
		layout_append_body(p, t, 0);
		buf_char(p->o, '}');
	}
	append_sum(p, t);
}

static void json_layout(struct layout_print *p, const struct btf_type *t, const char *module)
{
	char text[LAYOUT_DECLARED_MAX];

	buf_str(p->o, "{\"type\":\"type\"");
	escape_write_json_pair(p->o, "kind", kind_word(btf_kind(t)));
	escape_write_json_pair(p->o, "name", btf_view_string(p->b, t->name_off));
	escape_write_json_pair(p->o, "module", module);
	if (btf_kind(t) == BTF_KIND_TYPEDEF) {
		btf_view_declare(p->b, t->type, "", text, sizeof(text));
		escape_write_json_pair(p->o, "ctype", text);
		buf_printf(p->o, ",\"size\":%" PRIu64, btf_view_size(p->b, t->type));
		if (layout_anonymous(p, t->type))
			layout_append_body(p, layout_anonymous(p, t->type), 0);
	} else {
		buf_printf(p->o, ",\"size\":%" PRIu64, (uint64_t)t->size);
		if (btf_is_composite(t) || layout_is_enum(t))
			layout_append_body(p, t, 0);
	}
	buf_str(p->o, "}\n");
}

static void text_typedef(struct layout_print *p, const struct btf_type *t)
{
	buf_str(p->o, "typedef ");
	p->depth = -1;
	layout_append_declared(p, t->type, btf_view_string(p->b, t->name_off), 0);
	p->depth = 0;
	buf_str(p->o, ";  /* ");
	layout_append_plural(p->o, btf_view_size(p->b, t->type), "byte");
	buf_str(p->o, " */\n");
}

void btf_layout_layout(const struct btf_view *b, uint32_t id, const char *module, bool json,
		       struct buf *o)
{
	struct layout_print p = { .b = b, .o = o, .json = json };
	const struct btf_type *t = btf_view_type(b, id);

	for (int steps = 0; t && btf_kind(t) == BTF_KIND_TYPEDEF && steps < LAYOUT_STEPS_MAX;
	     steps++) {
		if (json)
			json_layout(&p, t, module);
		else
			text_typedef(&p, t);
		if (layout_anonymous(&p, t->type))
			return;
		id = t->type;
		t = layout_innermost(b, id, &id);
	}
	if (t && json)
		json_layout(&p, t, module);
	else if (t)
		text_layout(&p, id, t);
}

void btf_layout_member(const struct btf_view *b, const char *name, const struct btf_found *found,
		       bool json, struct buf *o)
{
	struct layout_print p = { .b = b, .o = o, .json = json };

	if (json)
		buf_str(o, "{\"type\":\"member\",\"member\":");
	layout_append_member(&p, name, found);
	if (json)
		buf_str(o, "}\n");
}
