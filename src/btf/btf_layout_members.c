/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_layout_members.c - walks over members and values, for text and for JSON.
 *
 * Damaged types may contain themselves, so the depth is bounded.
 */
#include "btf/btf_layout.h"

#include <inttypes.h>
#include <string.h>

#include "util/buf.h"
#include "util/escape.h"

enum {
	DEPTH_MAX = 16,	       /* nesting of anonymous types */
	MEMBERS_MAX = 1 << 16, /* members to show in total; no kernel type has a tenth of this */
};

bool layout_is_enum(const struct btf_type *t)
{
	return btf_kind(t) == BTF_KIND_ENUM || btf_kind(t) == BTF_KIND_ENUM64;
}

static uint32_t step(const struct btf_type *t)
{
	switch (btf_kind(t)) {
	case BTF_KIND_ARRAY: return btf_array(t)->type;
	case BTF_KIND_PTR:
	case BTF_KIND_CONST:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_TYPE_TAG: return t->type;
	default: return 0;
	}
}

const struct btf_type *layout_innermost(const struct btf_view *b, uint32_t id, uint32_t *found)
{
	const struct btf_type *t = btf_view_type(b, id);

	for (int steps = 0; t && step(t) && steps < LAYOUT_STEPS_MAX; steps++) {
		id = step(t);
		t = btf_view_type(b, id);
	}
	*found = id;
	return t;
}

const struct btf_type *layout_anonymous(const struct layout_print *p, uint32_t id)
{
	const struct btf_type *t = layout_innermost(p->b, id, &id);

	if (!t || (t->name_off && !btf_view_is_variants(p->b, id)) || p->depth >= DEPTH_MAX ||
	    !(btf_is_composite(t) || layout_is_enum(t)))
		return NULL;
	return t;
}

/* ---- text ---- */

void layout_append_plural(struct buf *o, uint64_t n, const char *what)
{
	buf_printf(o, "%" PRIu64 " %s%s", n, what, n == 1 ? "" : "s");
}

void layout_append_size(struct buf *o, uint64_t bits)
{
	if (bits / 8 || !bits)
		layout_append_plural(o, bits / 8, "byte");
	if (bits / 8 && bits % 8)
		buf_str(o, " and ");
	if (bits % 8)
		layout_append_plural(o, bits % 8, "bit");
}

/* Appends the margin: a member's offset, or blanks of the same width. */
static void append_offset(struct layout_print *p, uint64_t bits, bool is_bits)
{
	buf_printf(p->o, "\t/* %4" PRIu64, bits / 8);
	if (is_bits)
		buf_printf(p->o, ":%-2u*/ ", (unsigned)(bits % 8));
	else
		buf_str(p->o, "   */ ");
	buf_repeat(p->o, '\t', p->depth);
}

static void append_no_offset(struct layout_print *p)
{
	if (p->depth < 0) /* the last line of a typedef */
		return;
	buf_char(p->o, '\t');
	buf_repeat(p->o, ' ', sizeof("/* 1234   */ ") - 1);
	buf_repeat(p->o, '\t', p->depth);
}

void layout_append_declared(struct layout_print *p, uint32_t type, const char *name, uint64_t base)
{
	const struct btf_type *inner = layout_anonymous(p, type);
	char text[LAYOUT_DECLARED_MAX], *gap;

	btf_view_declare(p->b, type, name, text, sizeof(text));
	gap = inner ? strstr(text, "{…}") : NULL;
	if (!gap) {
		escape_write(p->o, text, strlen(text));
		return;
	}
	escape_write(p->o, text, gap - text);
	buf_str(p->o, "{\n");
	p->depth++;
	layout_append_body(p, inner, base);
	p->depth--;
	append_no_offset(p);
	buf_char(p->o, '}');
	gap += strlen("{…}");
	escape_write(p->o, gap, strlen(gap));
}

static void text_member(struct layout_print *p, const char *name, const struct btf_found *found)
{
	append_offset(p, found->bit_offset, found->bit_size);
	layout_append_declared(p, found->type, name, found->bit_offset);
	if (found->bit_size) {
		buf_printf(p->o, ":%u;\n", found->bit_size);
		return;
	}
	buf_str(p->o, ";  /* ");
	layout_append_plural(p->o, btf_view_size(p->b, found->type), "byte");
	buf_str(p->o, " */\n");
}

static void text_hole(struct layout_print *p, uint64_t bits, const char *what)
{
	append_no_offset(p);
	buf_printf(p->o, "/* %s: ", what);
	layout_append_size(p->o, bits);
	buf_str(p->o, " */\n");
}

/* ---- JSON ---- */

static void json_offset(struct layout_print *p, uint64_t offset, uint64_t bits, bool is_bits)
{
	buf_printf(p->o, "\"offset\":%" PRIu64, offset / 8);
	if (is_bits)
		buf_printf(p->o, ",\"bit\":%u,\"bits\":%" PRIu64, (unsigned)(offset % 8), bits);
	else
		buf_printf(p->o, ",\"size\":%" PRIu64, bits / 8);
}

static uint64_t found_bits(const struct layout_print *p, const struct btf_found *found)
{
	return found->bit_size ?: btf_view_size(p->b, found->type) * 8;
}

static void json_member(struct layout_print *p, const char *name, const struct btf_found *found)
{
	const struct btf_type *inner = layout_anonymous(p, found->type);
	char text[LAYOUT_DECLARED_MAX];

	buf_char(p->o, '{');
	json_offset(p, found->bit_offset, found_bits(p, found), found->bit_size);
	btf_view_declare(p->b, found->type, "", text, sizeof(text));
	escape_write_json_pair(p->o, "name", name);
	escape_write_json_pair(p->o, "ctype", text);
	if (inner) {
		p->depth++;
		layout_append_body(p, inner, found->bit_offset);
		p->depth--;
	}
	buf_char(p->o, '}');
}

/* ---- the walk ---- */

static void append_gap(struct layout_print *p, uint64_t offset, uint64_t bits, bool at_end)
{
	bool is_bits = bits % 8 || offset % 8;

	if (p->json) {
		buf_str(p->o, "{");
		json_offset(p, offset, bits, is_bits);
		buf_str(p->o, at_end ? ",\"padding\":true}" : ",\"hole\":true}");
	} else {
		text_hole(p, bits, at_end ? "padding" : "hole");
	}
	if (!p->depth && !at_end) {
		p->holes++;
		p->hole_bits += bits;
	}
}

static void append_comma(struct layout_print *p, bool *more)
{
	if (p->json && *more)
		buf_char(p->o, ',');
	*more = true;
}

static void append_members(struct layout_print *p, const struct btf_type *t, uint64_t base)
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
			append_comma(p, &more);
			append_gap(p, base + end, found.bit_offset - end, false);
		}
		append_comma(p, &more);
		found.bit_offset += base;
		layout_append_member(p, name, &found);
		end = after > end ? after : end;
	}
	if (is_struct && t->size * 8ull > end) {
		append_comma(p, &more);
		append_gap(p, base + end, t->size * 8ull - end, true);
	}
}

static void append_value_begin(struct layout_print *p, const char *name, bool more)
{
	if (p->json) {
		buf_str(p->o, more ? ",{\"name\":" : "{\"name\":");
		escape_write_json(p->o, name, strlen(name));
		buf_str(p->o, ",\"value\":");
		return;
	}
	if (p->depth)
		append_no_offset(p);
	else
		buf_char(p->o, '\t');
	buf_printf(p->o, "%s = ", name);
}

static void append_values(struct layout_print *p, const struct btf_type *t)
{
	bool is_signed = BTF_INFO_KFLAG(t->info), is_wide = btf_kind(t) == BTF_KIND_ENUM64;

	for (unsigned i = 0; i < btf_vlen(t); i++) {
		const char *name;
		int64_t value = btf_view_enum_value(p->b, t, i, &name);

		append_value_begin(p, name, i);
		if (is_signed)
			(p->json ? buf_json_int : buf_int)(p->o, value);
		else
			(p->json ? buf_json_uint : buf_uint)(p->o, is_wide ? (uint64_t)value :
									     (uint32_t)value);
		buf_str(p->o, p->json ? "}" : ",\n");
	}
}

void layout_append_body(struct layout_print *p, const struct btf_type *t, uint64_t base)
{
	if (p->json)
		buf_str(p->o, layout_is_enum(t) ? ",\"values\":[" : ",\"members\":[");
	if (layout_is_enum(t))
		append_values(p, t);
	else
		append_members(p, t, base);
	if (p->json)
		buf_char(p->o, ']');
}

void layout_append_member(struct layout_print *p, const char *name, const struct btf_found *found)
{
	if (p->json)
		json_member(p, name, found);
	else
		text_member(p, name, found);
}
