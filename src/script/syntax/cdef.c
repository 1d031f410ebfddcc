/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cdef.c - parses C definitions: struct, union, enum and typedef of the program itself.
 *
 * A named definition inside another one is separate, as in C.
 */
#include "script/syntax/parser.h"
#include "util/array.h"

enum { MEMBERS_MAX = 4096, COUNT_MAX = 1 << 20 };

/* Members of one definition, malloc'ed while they are parsed. */
struct member_list {
	struct script_cmember *items;
	size_t count, room;
	int64_t *values; /* of an enum */
	size_t value_room;
};

static struct script_cdef *tagged_parse(struct parser *p, const char **name);

/* ---- attributes ---- */

/* Parses what follows aligned: (8), or nothing. Of several the largest counts. */
static void aligned_parse(struct parser *p, struct script_cattributes *a)
{
	uint64_t align = 16;

	if (syn_accept(p, "(")) {
		align = p->in.t.number;
		if (p->in.t.kind != LEX_NUMBER || !align || align > 4096 || align & (align - 1))
			syn_expected(p, "a power of two up to 4096");
		syn_advance(p);
		syn_expect(p, ")", "after the alignment");
	}
	a->align = align > a->align ? align : a->align;
}

static void attribute_parse(struct parser *p, struct script_cattributes *a)
{
	const char *name = p->in.t.bytes;

	if (p->in.t.kind != LEX_NAME) {
		syn_expected(p, "an attribute");
		return;
	}
	if (strstr(name, "packed"))
		a->is_packed = true;
	else if (strstr(name, "mode") || strstr(name, "vector_size"))
		script_unsupported(p->c, p->in.t.span, "attribute %s", name);
	syn_advance(p);
	if (strstr(name, "aligned"))
		aligned_parse(p, a);
	else if (syn_is(p, "("))
		syn_skip_parentheses(p);
}

static void attributes_parse(struct parser *p, struct script_cattributes *a)
{
	while (!p->c->err) {
		while (syn_accept_word(p, "__packed"))
			a->is_packed = true;
		if (!syn_accept_word(p, "__attribute__"))
			return;
		if (!syn_expect(p, "(", "after __attribute__") ||
		    !syn_expect(p, "(", "after __attribute__("))
			return;
		while (!syn_is(p, ")") && !p->c->err) {
			attribute_parse(p, a);
			if (!syn_accept(p, ","))
				break;
		}
		if (!syn_expect(p, ")", "after the attribute") ||
		    !syn_expect(p, ")", "after the attribute"))
			return;
	}
}

/* ---- lists ---- */

static struct script_cmember *member_add(struct parser *p, struct member_list *l)
{
	struct script_cmember *m;

	if (l->count == MEMBERS_MAX) {
		syn_fail(p, p->in.t.span, "a type has at most %d members", MEMBERS_MAX);
		return NULL;
	}
	if (!array_reserve(&l->items, l->count, &l->room, 8, sizeof(*l->items)) ||
	    !array_reserve(&l->values, l->count, &l->value_room, 8, sizeof(*l->values))) {
		p->c->err = -ENOMEM;
		return NULL;
	}
	m = &l->items[l->count];
	*m = (struct script_cmember){ .name = "" };
	l->values[l->count++] = 0;
	return m;
}

/* Moves the members to the definition. */
static void members_move(struct parser *p, struct script_cdef *def, struct member_list *l)
{
	struct script_cmember *items = script_alloc(p->c, l->count * sizeof(*items) + 1);
	int64_t *values = script_alloc(p->c, l->count * sizeof(*values) + 1);

	if (items && values && l->count) {
		memcpy(items, l->items, l->count * sizeof(*items));
		memcpy(values, l->values, l->count * sizeof(*values));
	}
	def->members = items;
	def->values = values;
	def->count = items && values ? l->count : 0;
	free(l->items);
	free(l->values);
}

/* ---- declarators ---- */

/* Parses [2][3]; [] and [0] set is_flexible. */
static void counts_parse(struct parser *p, struct script_cmember *m)
{
	int64_t count = 0;

	for (size_t i = 0; syn_accept(p, "[") && !p->c->err; i++) {
		struct span where = p->in.t.span;

		if (i == sizeof(m->counts) / sizeof(m->counts[0])) {
			script_unsupported(p->c, where, "arrays of more than 4 dimensions");
			return;
		}
		count = 0;
		if (!syn_is(p, "]") && !syn_constant(p, &count))
			return;
		if (count < 0 || count > COUNT_MAX || (!count && i))
			syn_fail(p, where, "an array must have 1 to %d elements", COUNT_MAX);
		m->counts[i] = count;
		m->is_flexible |= !count;
		if (!syn_expect(p, "]", "after the size of the array"))
			return;
	}
}

static void bits_parse(struct parser *p, struct script_cmember *m)
{
	struct span where = p->in.t.span;
	int64_t bits;

	if (!syn_constant(p, &bits))
		return;
	if (bits < 0 || bits > 64)
		syn_fail(p, where, "a bit-field has at most 64 bits");
	m->bits = bits;
	m->is_bitfield = true;
}

/* Parses (*name)(parameters) or (*name)[count]: a pointer. */
static void pointer_parse(struct parser *p, struct script_cmember *m)
{
	if (!syn_expect(p, "*", "in the parentheses"))
		return;
	m->type = (struct script_type_name){ .span = m->type.span, .name = "void", .stars = 1 };
	m->inside = NULL;
	while (syn_accept(p, "*"))
		;
	if (p->in.t.kind == LEX_NAME)
		m->name = syn_name(p, "a name");
	counts_parse(p, m);
	if (!syn_expect(p, ")", "after the name"))
		return;
	m->is_function = syn_is(p, "(");
	if (m->is_function)
		syn_skip_parentheses(p);
	while (syn_is(p, "[") && !syn_ended(p)) {
		while (!syn_is(p, "]") && !syn_ended(p))
			syn_advance(p);
		syn_accept(p, "]");
	}
}

/* Parses what follows a type: stars, a name, sizes, bits. */
static void declarator_parse(struct parser *p, struct script_cmember *m)
{
	m->span = p->in.t.span;
	while (syn_accept(p, "*") || (m->type.stars && type_qualifier_accept(p)))
		m->type.stars += *p->in.last_text == '*' && m->type.stars < UINT8_MAX;
	if (syn_accept(p, "(")) {
		pointer_parse(p, m);
	} else {
		if (p->in.t.kind == LEX_NAME) {
			m->span = p->in.t.span;
			m->name = syn_name(p, "the name of a member");
		}
		counts_parse(p, m);
		if (syn_accept(p, ":"))
			bits_parse(p, m);
	}
	attributes_parse(p, &m->attributes);
}

/* ---- members ---- */

/* Parses the type at the start of a declaration: its name, or a definition of its own in *inside. */
static bool base_parse(struct parser *p, struct script_type_name *type,
		       const struct script_cdef **inside)
{
	const char *name = NULL;

	*type = (struct script_type_name){ .span = p->in.t.span };
	*inside = NULL;
	if (syn_is_cdef(p) && !syn_is_word(p, "typedef")) {
		*inside = tagged_parse(p, &name);
		type->name = name;
		if (name)
			*inside = NULL;
	} else {
		type->name = syn_type_words(p);
	}
	type->span.end = p->in.last.end;
	return !p->c->err;
}

static void member_parse(struct parser *p, struct member_list *l)
{
	struct script_type_name type;
	const struct script_cdef *inside;

	if (!base_parse(p, &type, &inside))
		return;
	do {
		struct script_cmember *m = member_add(p, l);

		if (!m)
			return;
		m->type = type;
		m->inside = inside;
		declarator_parse(p, m);
		if (!*m->name && !inside && !m->is_bitfield)
			syn_expected(p, "the name of a member");
		if (m->attributes.is_packed)
			script_unsupported(p->c, type.span,
					   "packed members in a type that is not packed");
	} while (syn_accept(p, ",") && !p->c->err);
	/* the last one may lack the semicolon */
	if (!syn_accept(p, ";") && !syn_is(p, "}"))
		syn_expected(p, "';' after the member");
}

static void enumerator_parse(struct parser *p, struct member_list *l, int64_t *next)
{
	struct script_cmember *m = member_add(p, l);

	if (!m)
		return;
	m->span = p->in.t.span;
	m->name = syn_name(p, "the name of a constant") ?: "";
	if (syn_accept(p, "=") && !syn_constant(p, next))
		return;
	l->values[l->count - 1] = *next;
	*next = (int64_t)((uint64_t)*next + 1);
}

/* ---- definitions ---- */

static void members_parse(struct parser *p, struct script_cdef *def)
{
	struct member_list l = {};
	int64_t next = 0;

	syn_expect(p, "{", "before the members");
	while (!syn_is(p, "}") && !p->c->err) {
		if (def->kind != CDEF_ENUM) {
			member_parse(p, &l);
			continue;
		}
		enumerator_parse(p, &l, &next);
		/* the next enumerator may refer to this one */
		def->members = l.items;
		def->values = l.values;
		def->count = l.count;
		if (!syn_accept(p, ",") && !syn_is(p, "}"))
			syn_expected(p, "',' or '}' after the constant");
	}
	syn_expect(p, "}", "after the members");
	members_move(p, def, &l);
}

/* Parses struct name { … }. A named one, and each enum, is added to the list. *name: "struct name", or NULL. */
static struct script_cdef *tagged_parse(struct parser *p, const char **name)
{
	struct script_cdef *def = script_alloc(p->c, sizeof(*def));
	const char *tag = p->in.t.bytes;

	if (!def || !syn_enter(p)) {
		syn_leave(p);
		return NULL;
	}
	def->span = p->in.t.span;
	def->kind = *tag == 's' ? CDEF_STRUCT : *tag == 'u' ? CDEF_UNION : CDEF_ENUM;
	syn_advance(p);
	attributes_parse(p, &def->attributes);
	def->name = p->in.t.kind == LEX_NAME ? syn_name(p, "a name") : "";
	def->span.end = p->in.last.end;
	if (def->kind == CDEF_ENUM)
		cdef_add(p, def);
	members_parse(p, def);
	attributes_parse(p, &def->attributes);
	syn_leave(p);
	if (p->c->err)
		return NULL;
	*name = *def->name ? script_print(p->c, "%s %s", tag, def->name) : NULL;
	if (*def->name && def->kind != CDEF_ENUM)
		cdef_add(p, def);
	return def;
}

/* Parses typedef … name; each declarator defines a name. */
static void typedef_parse(struct parser *p)
{
	struct script_type_name type;
	const struct script_cdef *inside;

	syn_advance(p);
	if (!base_parse(p, &type, &inside))
		return;
	do {
		struct script_cdef *def = script_alloc(p->c, sizeof(*def));
		struct script_cmember *m = script_alloc(p->c, sizeof(*m));

		if (!def || !m)
			return;
		*m = (struct script_cmember){ .name = "", .type = type, .inside = inside };
		declarator_parse(p, m);
		if (!*m->name)
			syn_expected(p, "the name of the type");
		if (m->attributes.align)
			script_unsupported(p->c, m->span, "attribute aligned of a typedef");
		*def = (struct script_cdef){
			.kind = CDEF_TYPEDEF, .span = m->span, .name = m->name, .members = m
		};
		def->count = 1;
		cdef_add(p, def);
	} while (syn_accept(p, ",") && !p->c->err);
}

bool syn_is_cdef(struct parser *p)
{
	struct parse_place here = syn_mark(p);
	bool is;

	if (syn_is_word(p, "typedef"))
		return true;
	if (!syn_accept_word(p, "struct") && !syn_accept_word(p, "union") &&
	    !syn_accept_word(p, "enum"))
		return false;
	while (syn_is_word(p, "__attribute__")) {
		syn_advance(p);
		if (syn_is(p, "("))
			syn_skip_parentheses(p);
	}
	syn_accept_word(p, "__packed");
	if (p->in.t.kind == LEX_NAME)
		syn_advance(p);
	is = syn_is(p, "{");
	syn_return(p, &here);
	return is;
}

/* Accepts struct name; without effect. */
static bool forward_accept(struct parser *p)
{
	struct parse_place here = syn_mark(p);

	if (syn_accept_word(p, "struct") || syn_accept_word(p, "union") ||
	    syn_accept_word(p, "enum")) {
		if (p->in.t.kind == LEX_NAME)
			syn_advance(p);
		if (syn_accept(p, ";"))
			return true;
	}
	syn_return(p, &here);
	return false;
}

bool syn_cdef(struct parser *p)
{
	const char *name;

	if (forward_accept(p))
		return true;
	if (!syn_is_cdef(p))
		return false;
	if (syn_is_word(p, "typedef")) {
		typedef_parse(p);
		syn_expect(p, ";", "after the typedef");
		return true;
	}
	tagged_parse(p, &name);
	syn_accept(p, ";");
	return true;
}
