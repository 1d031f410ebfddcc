// SPDX-License-Identifier: GPL-2.0
/*
 * btf_print.c - layouts, for people who look for an offset or a name.
 *
 * Each member stands behind a comment with its offset in bytes, :BIT for a bitfield, and before one
 * with its size. One walk for text and JSON. Damaged types may hold themselves: its depth is bounded.
 */
#include "core/btf_print.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"

enum {
	DEPTH_MAX = 16,  /* anonymous types in anonymous types */
	MEMBERS_MAX = 1 << 16, /* shown in all; no type of a kernel has a tenth of it */
	STEPS_MAX = 32,  /* typedefs of typedefs, pointers to arrays … */
	DECLARED_MAX = 640,
};

struct print {
	const struct btf_view *b;
	struct out *o;
	bool json;
	int depth; /* -1: the braces are a typedef's own */
	/* of the outermost type, for its last line */
	unsigned holes;
	uint64_t hole_bits;
	unsigned shown;
};

static const char *kind_word(unsigned kind)
{
	switch (kind) {
	case BTF_KIND_STRUCT:
		return "struct";
	case BTF_KIND_UNION:
		return "union";
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		return "enum";
	case BTF_KIND_TYPEDEF:
		return "typedef";
	case BTF_KIND_FWD:
		return "forward";
	case BTF_KIND_INT:
		return "int";
	case BTF_KIND_FLOAT:
		return "float";
	default:
		return "other";
	}
}

static bool is_enum(const struct btf_type *t)
{
	return btf_kind(t) == BTF_KIND_ENUM || btf_kind(t) == BTF_KIND_ENUM64;
}

static uint32_t step(const struct btf_type *t)
{
	switch (btf_kind(t)) {
	case BTF_KIND_ARRAY:
		return btf_array(t)->type;
	case BTF_KIND_PTR:
	case BTF_KIND_CONST:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_TYPE_TAG:
		return t->type;
	default:
		return 0;
	}
}

/* The type whose name, or braces, a declaration begins with. */
static const struct btf_type *innermost(const struct btf_view *b, uint32_t id, uint32_t *found)
{
	const struct btf_type *t = btf_view_type(b, id);

	for (int steps = 0; t && step(t) && steps < STEPS_MAX; steps++) {
		id = step(t);
		t = btf_view_type(b, id);
	}
	*found = id;
	return t;
}

uint32_t btf_print_behind(const struct btf_view *b, uint32_t id)
{
	return innermost(b, id, &id) ? id : 0;
}

/* What a member's braces hold; NULL: it has a name, or no members. */
static const struct btf_type *anonymous(const struct print *p, uint32_t id)
{
	const struct btf_type *t = innermost(p->b, id, &id);

	if (!t || t->name_off || p->depth >= DEPTH_MAX || !(btf_is_composite(t) || is_enum(t)))
		return NULL;
	return t;
}

/* ---- text ---- */

static void put_plural(struct out *o, uint64_t n, const char *what)
{
	out_printf(o, "%" PRIu64 " %s%s", n, what, n == 1 ? "" : "s");
}

static void put_size(struct out *o, uint64_t bits)
{
	if (bits / 8 || !bits)
		put_plural(o, bits / 8, "byte");
	if (bits / 8 && bits % 8)
		out_str(o, " and ");
	if (bits % 8)
		put_plural(o, bits % 8, "bit");
}

/* The margin: a member's offset, or blanks as wide. */
static void put_offset(struct print *p, uint64_t bits, bool is_bits)
{
	out_printf(p->o, "\t/* %4" PRIu64, bits / 8);
	if (is_bits)
		out_printf(p->o, ":%-2u*/ ", (unsigned)(bits % 8));
	else
		out_str(p->o, "   */ ");
	out_repeat(p->o, '\t', p->depth);
}

static void put_no_offset(struct print *p)
{
	if (p->depth < 0) /* a typedef's last line */
		return;
	out_char(p->o, '\t');
	out_repeat(p->o, ' ', sizeof("/* 1234   */ ") - 1);
	out_repeat(p->o, '\t', p->depth);
}

static void put_body(struct print *p, const struct btf_type *t, uint64_t base);

/* "struct {…} name[4]": the braces are filled in. `base` in bits. */
static void put_declared(struct print *p, uint32_t type, const char *name, uint64_t base)
{
	const struct btf_type *inner = anonymous(p, type);
	char text[DECLARED_MAX], *gap;

	btf_view_declare(p->b, type, name, text, sizeof(text));
	gap = inner ? strstr(text, "{…}") : NULL;
	if (!gap) {
		text_put(p->o, text, strlen(text));
		return;
	}
	text_put(p->o, text, gap - text);
	out_str(p->o, "{\n");
	p->depth++;
	put_body(p, inner, base);
	p->depth--;
	put_no_offset(p);
	out_char(p->o, '}');
	gap += strlen("{…}");
	text_put(p->o, gap, strlen(gap));
}

static void text_member(struct print *p, const char *name, const struct btf_found *found)
{
	put_offset(p, found->bit_offset, found->bit_size);
	put_declared(p, found->type, name, found->bit_offset);
	if (found->bit_size) {
		out_printf(p->o, ":%u;\n", found->bit_size);
		return;
	}
	out_str(p->o, ";  /* ");
	put_plural(p->o, btf_view_size(p->b, found->type), "byte");
	out_str(p->o, " */\n");
}

static void text_hole(struct print *p, uint64_t bits, const char *what)
{
	put_no_offset(p);
	out_printf(p->o, "/* %s: ", what);
	put_size(p->o, bits);
	out_str(p->o, " */\n");
}

/* ---- JSON ---- */

static void json_offset(struct print *p, uint64_t offset, uint64_t bits, bool is_bits)
{
	out_printf(p->o, "\"offset\":%" PRIu64, offset / 8);
	if (is_bits)
		out_printf(p->o, ",\"bit\":%u,\"bits\":%" PRIu64, (unsigned)(offset % 8), bits);
	else
		out_printf(p->o, ",\"size\":%" PRIu64, bits / 8);
}

static uint64_t found_bits(const struct print *p, const struct btf_found *found)
{
	return found->bit_size ?: btf_view_size(p->b, found->type) * 8;
}

static void json_member(struct print *p, const char *name, const struct btf_found *found)
{
	const struct btf_type *inner = anonymous(p, found->type);
	char text[DECLARED_MAX];

	out_char(p->o, '{');
	json_offset(p, found->bit_offset, found_bits(p, found), found->bit_size);
	btf_view_declare(p->b, found->type, "", text, sizeof(text));
	text_put_json_pair(p->o, "name", name);
	text_put_json_pair(p->o, "ctype", text);
	if (inner) {
		p->depth++;
		put_body(p, inner, found->bit_offset);
		p->depth--;
	}
	out_char(p->o, '}');
}

/* ---- the walk ---- */

static void put_gap(struct print *p, uint64_t offset, uint64_t bits, bool at_end)
{
	bool is_bits = bits % 8 || offset % 8;

	if (p->json) {
		out_str(p->o, "{");
		json_offset(p, offset, bits, is_bits);
		out_str(p->o, at_end ? ",\"padding\":true}" : ",\"hole\":true}");
	} else {
		text_hole(p, bits, at_end ? "padding" : "hole");
	}
	if (!p->depth && !at_end) {
		p->holes++;
		p->hole_bits += bits;
	}
}

static void put_comma(struct print *p, bool *more)
{
	if (p->json && *more)
		out_char(p->o, ',');
	*more = true;
}

static void put_members(struct print *p, const struct btf_type *t, uint64_t base)
{
	bool is_struct = btf_kind(t) == BTF_KIND_STRUCT, more = false;
	uint64_t end = 0;

	for (unsigned i = 0; i < btf_vlen(t) && p->shown++ < MEMBERS_MAX; i++) {
		const char *name = btf_view_string(p->b, btf_members(t)[i].name_off);
		struct btf_found found;
		uint64_t after;

		btf_view_member_at(p->b, t, i, &found);
		after = found.bit_offset + found_bits(p, &found);
		if (is_struct && found.bit_offset > end) {
			put_comma(p, &more);
			put_gap(p, base + end, found.bit_offset - end, false);
		}
		put_comma(p, &more);
		found.bit_offset += base;
		if (p->json)
			json_member(p, name, &found);
		else
			text_member(p, name, &found);
		end = after > end ? after : end;
	}
	if (is_struct && t->size * 8ull > end) {
		put_comma(p, &more);
		put_gap(p, base + end, t->size * 8ull - end, true);
	}
}

static void put_value_begin(struct print *p, const char *name, bool more)
{
	if (p->json) {
		out_str(p->o, more ? ",{\"name\":" : "{\"name\":");
		text_put_json(p->o, name, strlen(name));
		out_str(p->o, ",\"value\":");
		return;
	}
	if (p->depth)
		put_no_offset(p);
	else
		out_char(p->o, '\t');
	out_printf(p->o, "%s = ", name);
}

static void put_values(struct print *p, const struct btf_type *t)
{
	bool is_signed = BTF_INFO_KFLAG(t->info), is_wide = btf_kind(t) == BTF_KIND_ENUM64;

	for (unsigned i = 0; i < btf_vlen(t); i++) {
		const char *name;
		int64_t value = btf_view_enum_value(p->b, t, i, &name);

		put_value_begin(p, name, i);
		if (is_signed)
			out_int(p->o, value);
		else
			out_uint(p->o, is_wide ? (uint64_t)value : (uint32_t)value);
		out_str(p->o, p->json ? "}" : ",\n");
	}
}

/* What stands between the braces; `base` in bits. */
static void put_body(struct print *p, const struct btf_type *t, uint64_t base)
{
	if (p->json)
		out_str(p->o, is_enum(t) ? ",\"values\":[" : ",\"members\":[");
	if (is_enum(t))
		put_values(p, t);
	else
		put_members(p, t, base);
	if (p->json)
		out_char(p->o, ']');
}

/* ---- a whole type ---- */

static void put_sum(struct print *p, const struct btf_type *t)
{
	out_str(p->o, ";  /* ");
	if (!t || btf_kind(t) == BTF_KIND_FWD) {
		out_str(p->o, "its members are not in this BTF */\n");
		return;
	}
	put_plural(p->o, t->size, "byte");
	if (is_enum(t)) {
		out_str(p->o, ", ");
		put_plural(p->o, btf_vlen(t), "value");
	} else if (btf_is_composite(t)) {
		out_str(p->o, ", ");
		put_plural(p->o, btf_vlen(t), "member");
	} else if (btf_kind(t) == BTF_KIND_INT) {
		out_str(p->o, BTF_INT_ENCODING(btf_int_info(t)) & BTF_INT_SIGNED ? ", signed" :
		                                                                   ", unsigned");
	}
	if (p->holes) {
		out_str(p->o, ", ");
		put_plural(p->o, p->holes, "hole");
		out_str(p->o, " of ");
		put_size(p->o, p->hole_bits);
	}
	out_str(p->o, " */\n");
}

static void text_layout(struct print *p, uint32_t id, const struct btf_type *t)
{
	char text[DECLARED_MAX];

	btf_view_declare(p->b, id, "", text, sizeof(text));
	text_put(p->o, text, strlen(text));
	if (btf_is_composite(t) || is_enum(t)) {
		out_str(p->o, " {\n");
		put_body(p, t, 0);
		out_char(p->o, '}');
	}
	put_sum(p, t);
}

static void json_layout(struct print *p, const struct btf_type *t, const char *module)
{
	char text[DECLARED_MAX];

	out_str(p->o, "{\"type\":\"type\"");
	text_put_json_pair(p->o, "kind", kind_word(btf_kind(t)));
	text_put_json_pair(p->o, "name", btf_view_string(p->b, t->name_off));
	text_put_json_pair(p->o, "module", module);
	if (btf_kind(t) == BTF_KIND_TYPEDEF) {
		btf_view_declare(p->b, t->type, "", text, sizeof(text));
		text_put_json_pair(p->o, "ctype", text);
		out_printf(p->o, ",\"size\":%" PRIu64, btf_view_size(p->b, t->type));
		if (anonymous(p, t->type))
			put_body(p, anonymous(p, t->type), 0);
	} else {
		out_printf(p->o, ",\"size\":%" PRIu64, (uint64_t)t->size);
		if (btf_is_composite(t) || is_enum(t))
			put_body(p, t, 0);
	}
	out_str(p->o, "}\n");
}

static void text_typedef(struct print *p, const struct btf_type *t)
{
	out_str(p->o, "typedef ");
	p->depth = -1;
	put_declared(p, t->type, btf_view_string(p->b, t->name_off), 0);
	p->depth = 0;
	out_str(p->o, ";  /* ");
	put_plural(p->o, btf_view_size(p->b, t->type), "byte");
	out_str(p->o, " */\n");
}

void btf_print_layout(const struct btf_view *b, uint32_t id, const char *module, bool json,
                      struct out *o)
{
	struct print p = { .b = b, .o = o, .json = json };
	const struct btf_type *t = btf_view_type(b, id);

	for (int steps = 0; t && btf_kind(t) == BTF_KIND_TYPEDEF && steps < STEPS_MAX; steps++) {
		if (json)
			json_layout(&p, t, module);
		else
			text_typedef(&p, t);
		if (anonymous(&p, t->type))
			return;
		id = t->type;
		t = innermost(b, id, &id);
	}
	if (t && json)
		json_layout(&p, t, module);
	else if (t)
		text_layout(&p, id, t);
}

void btf_print_member(const struct btf_view *b, const char *name, const struct btf_found *found,
                      bool json, struct out *o)
{
	struct print p = { .b = b, .o = o, .json = json };

	if (!json) {
		text_member(&p, name, found);
		return;
	}
	out_str(o, "{\"type\":\"member\",\"member\":");
	json_member(&p, name, found);
	out_str(o, "}\n");
}
