// SPDX-License-Identifier: GPL-2.0
/*
 * format.c - how an expression's value is shown, and so how it goes into the record: from its
 * type, or from the :FORMAT behind it.
 *
 * This is resolve's second half. It must not know how memory is read.
 */
#include <stdio.h>
#include <string.h>

#include "expr/compiler.h"

enum format_wants {
	WANTS_NUMBER,  /* any integer, bool, enum or pointer */
	WANTS_ADDRESS, /* a pointer, an array, or an integer as wide as a pointer */
};

static const struct format_rule {
	const char *name;
	enum format_wants wants;
	enum field_type type;
	enum string_space space;
	const char *help;
} rules[] = {
	{ "d", WANTS_NUMBER, FIELD_INT, 0, "decimal, signed" },
	{ "u", WANTS_NUMBER, FIELD_UINT, 0, "decimal, unsigned" },
	{ "x", WANTS_NUMBER, FIELD_HEX, 0, "hexadecimal" },
	{ "o", WANTS_NUMBER, FIELD_OCT, 0, "octal" },
	{ "c", WANTS_NUMBER, FIELD_CHAR, 0, "a character" },
	{ "b", WANTS_NUMBER, FIELD_BOOL, 0, "true or false" },
	{ "p", WANTS_NUMBER, FIELD_PTR, 0, "a pointer" },
	{ "ptr", WANTS_NUMBER, FIELD_PTR, 0, "a pointer" },
	{ "str", WANTS_ADDRESS, FIELD_CSTR, STRING_BY_ADDRESS, "the string at an address" },
	{ "ustr", WANTS_ADDRESS, FIELD_CSTR, STRING_USER, "a string in user memory" },
};
enum { RULE_COUNT = sizeof(rules) / sizeof(rules[0]) };

/* ---- the type's own form ---- */

static void take_scalar(struct slot *s, enum field_type type, uint64_t size)
{
	s->sink = SINK_SCALAR;
	s->field_type = type;
	s->size = size;
}

static void take_string(struct compile *c, struct slot *s, enum string_space space)
{
	uint32_t max = c->in->string_max ?: STRING_DEFAULT;

	if (max > STRING_LIMIT)
		max = STRING_LIMIT;
	s->sink = SINK_STRING;
	s->field_type = FIELD_CSTR;
	s->space = space;
	s->size = s->format.length ? s->format.length + 1 : max;
	s->array = ctype_is_array(c->in->btf, s->root->type);
}

/* Short arrays whole; long ones, and those without a length, as the strings they begin with. */
static void take_char_array(struct compile *c, struct slot *s, uint64_t size)
{
	take_string(c, s, STRING_BY_ADDRESS);
	if (size && size <= s->size) {
		s->sink = SINK_BYTES;
		s->size = size;
	}
}

static uint64_t enum_value(const struct btf_type *t, unsigned i, uint64_t mask)
{
	const struct btf_enum64 *wide = &btf_enums64(t)[i];

	if (btf_kind(t) == BTF_KIND_ENUM)
		return (int64_t)btf_enums(t)[i].val & mask;
	return ((uint64_t)wide->val_hi32 << 32 | wide->val_lo32) & mask;
}

static uint32_t enum_name(const struct btf_type *t, unsigned i)
{
	return btf_kind(t) == BTF_KIND_ENUM ? btf_enums(t)[i].name_off : btf_enums64(t)[i].name_off;
}

/* Values as the record holds them: only the bits that are there. */
static void take_enum(struct compile *c, struct slot *s, const struct btf_type *t)
{
	unsigned bits = s->root->bit_size ?: t->size * 8;
	uint64_t mask = bits < 64 ? (1ull << bits) - 1 : ~0ull;
	struct field_name *names = compile_alloc(c, (btf_vlen(t) + 1) * sizeof(*names));

	take_scalar(s, FIELD_ENUM, t->size);
	for (unsigned i = 0; names && i < btf_vlen(t); i++) {
		const char *name = btf_view_string(c->in->btf, enum_name(t, i));

		names[i].value = enum_value(t, i, mask);
		names[i].name = arena_text(&c->p->arena, name, strlen(name));
		if (!names[i].name)
			c->err = -ENOMEM;
	}
	s->names = names;
}

static void take_int(struct compile *c, struct slot *s, const struct btf_type *t)
{
	unsigned encoding = BTF_INT_ENCODING(btf_int_info(t));

	if (encoding & BTF_INT_BOOL)
		take_scalar(s, FIELD_BOOL, t->size);
	else if (ctype_is_char(c->in->btf, s->root->type))
		take_scalar(s, FIELD_CHAR, 1);
	else
		take_scalar(s, encoding & BTF_INT_SIGNED ? FIELD_INT : FIELD_UINT, t->size);
}

static void fail_type(struct compile *c, struct slot *s, const char *why)
{
	char text[160];

	ctype_declare(c->in->btf, s->root->type, "", text, sizeof(text));
	compile_fail(c, s->root->span, "%s %s", text, why);
}

/* A few members to go on with. */
static void hint_members(struct compile *c, struct slot *s)
{
	const struct btf_type *t =
		btf_view_type(c->in->btf, btf_view_strip(c->in->btf, s->root->type.id));
	char list[120] = "";
	size_t len = 0;
	int named = 0;

	for (unsigned i = 0; i < btf_vlen(t) && named < 4 && len < sizeof(list); i++) {
		const char *name = btf_view_string(c->in->btf, btf_members(t)[i].name_off);

		if (*name)
			len += snprintf(list + len, sizeof(list) - len, "%s%s", named++ ? ", " : "",
			                name);
	}
	if (named)
		compile_hint(c, "name a member: %s …", list);
}

static void take_array(struct compile *c, struct slot *s)
{
	const struct btf_view *b = c->in->btf;
	struct ctype element = ctype_target(b, s->root->type);
	const char *more = ctype_size(b, element) == 1 ? ", or add :str" : "";

	if (ctype_is_char(b, element)) {
		take_char_array(c, s, ctype_size(b, s->root->type));
		return;
	}
	fail_type(c, s, "is an array");
	compile_hint(c, "name an element: %.*s[0]%s", SPAN_ARG(s->text, s->root->span), more);
}

/* Damaged BTF may have integers of any size. */
static bool is_loadable(uint32_t size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

/* What the type alone asks for. */
static void take_type(struct compile *c, struct slot *s)
{
	const struct btf_view *b = c->in->btf;
	struct ctype type = s->root->type;
	const struct btf_type *t = btf_view_type(b, btf_view_strip(b, type.id));

	if (type.int_size) {
		take_scalar(s, type.int_signed ? FIELD_INT : FIELD_UINT, type.int_size);
	} else if (ctype_is_pointer(b, type)) {
		if (ctype_is_char(b, ctype_target(b, type)))
			take_string(c, s, STRING_BY_ADDRESS);
		else
			take_scalar(s, FIELD_PTR, 8);
	} else if (ctype_is_composite(b, type)) {
		fail_type(c, s, "is no single value");
		hint_members(c, s);
	} else if (ctype_is_array(b, type)) {
		take_array(c, s);
	} else if (t && btf_kind(t) == BTF_KIND_INT && is_loadable(t->size)) {
		take_int(c, s, t);
	} else if (t && (btf_kind(t) == BTF_KIND_ENUM || btf_kind(t) == BTF_KIND_ENUM64) &&
	           is_loadable(t->size)) {
		take_enum(c, s, t);
	} else {
		fail_type(c, s, "cannot be shown");
	}
}

/* ---- :FORMAT ---- */

static void fail_unknown(struct compile *c, struct slot *s)
{
	char list[128];
	size_t len = 0;

	for (size_t i = 0; i < RULE_COUNT; i++)
		len += snprintf(list + len, sizeof(list) - len, " %s", rules[i].name);
	compile_fail(c, s->format.name, "there is no format %.*s",
	             SPAN_ARG(s->text, s->format.name));
	compile_hint(c, "formats:%s, and a number for the length of a string", list);
}

static const struct format_rule *rule_find(struct compile *c, struct slot *s)
{
	size_t len = s->format.name.end - s->format.name.start;

	for (size_t i = 0; i < RULE_COUNT; i++) {
		if (strlen(rules[i].name) == len &&
		    !memcmp(rules[i].name, s->text + s->format.name.start, len))
			return &rules[i];
	}
	fail_unknown(c, s);
	return NULL;
}

static void take_address(struct compile *c, struct slot *s, const struct format_rule *rule)
{
	const struct btf_view *b = c->in->btf;
	struct ctype type = s->root->type;

	bool is_array = ctype_is_array(b, type);
	bool is_address =
		!ctype_is_composite(b, type) && ctype_size(b, type) == 8 && !s->root->bit_size;

	if (is_array && rule->space == STRING_USER)
		fail_type(c, s, "lies in kernel memory");
	else if (is_array && ctype_is_char(b, ctype_target(b, type)))
		take_type(c, s);
	else if (is_array || is_address)
		take_string(c, s, rule->space);
	else
		fail_type(c, s, "is no address of a string");
}

static void take_number(struct compile *c, struct slot *s, const struct format_rule *rule)
{
	/* A string's number is its address. */
	if (ctype_is_pointer(c->in->btf, s->root->type))
		take_scalar(s, FIELD_PTR, 8);
	else
		take_type(c, s);
	if (c->err)
		return;
	if (s->sink != SINK_SCALAR) {
		compile_fail(c, s->format.name, "format %s is for numbers", rule->name);
		return;
	}
	s->field_type = rule->type;
	if (rule->type == FIELD_CHAR)
		s->size = 1;
	if (s->format.length)
		compile_fail(c, s->format.span, "a length is for strings");
}

/* What needs no reading at all: it stands in the record's header. */
static void take_header(struct compile *c, struct slot *s)
{
	const struct builtin *builtin = s->root->builtin;

	if (!builtin || builtin->header < 0)
		return;
	s->offset = builtin->header;
	s->sink = SINK_HEADER;
	if (builtin->int_size)
		return;
	s->field_type = FIELD_CSTR;
	s->size = EVENT_COMM_LEN;
	if (s->format.name.end)
		compile_fail(c, s->format.span, "it has a format of its own");
}

/* A bitfield in nine bytes fits no register: its bytes are copied, the reader finds the bits. */
static void take_long_bits(struct slot *s)
{
	uint32_t shift = s->root->bit_offset % 8;

	if (s->sink != SINK_SCALAR || shift + s->root->bit_size <= 64)
		return;
	s->sink = SINK_BYTES;
	s->size = (shift + s->root->bit_size + 7) / 8;
	s->bit_offset = shift;
	s->bit_size = s->root->bit_size;
}

void expr_format(struct compile *c, struct slot *s)
{
	const struct format_rule *rule = NULL;
	bool is_comm = s->root->builtin && !s->root->builtin->int_size;

	if (s->format.name.end)
		rule = rule_find(c, s);
	if (c->err)
		return;
	if (!is_comm && rule && rule->wants == WANTS_NUMBER)
		take_number(c, s, rule);
	else if (!is_comm && rule)
		take_address(c, s, rule);
	else if (!is_comm)
		take_type(c, s);
	if (!c->err)
		take_header(c, s);
	if (!c->err && s->root->bit_size)
		take_long_bits(s);
	if (!c->err && s->format.length && s->field_type != FIELD_CSTR)
		compile_fail(c, s->format.span, "a length is for strings");
}
