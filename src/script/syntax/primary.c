/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * primary.c - parses values: literals, names, calls, maps, parentheses, sizeof and offsetof.
 */
#include "script/syntax/parser.h"

/* ---- one lexeme ---- */

static struct script_expr *literal_parse(struct parser *p, enum script_expr_kind kind)
{
	const struct lexeme *t = &p->in.t;
	struct script_expr *e = expr_new(p, kind, t->span.start);

	if (!e)
		return NULL;
	e->name_span = t->span;
	e->number = t->number;
	if (kind == X_STRING)
		e->length = t->byte_count;
	e->bytes = kind == X_STRING ? t->bytes : NULL;
	e->name = kind == X_VAR ? t->bytes : NULL;
	syn_advance(p);
	return expr_close(p, e);
}

static struct script_expr *map_parse(struct parser *p)
{
	struct script_expr *e = expr_new(p, X_MAP, p->in.t.span.start);
	struct expr_list keys = {};

	if (!e)
		return NULL;
	e->name = p->in.t.bytes;
	e->name_span = p->in.t.span;
	syn_advance(p);
	if (syn_accept(p, "[")) {
		if (!expr_list_parse(p, &keys, "]"))
			return NULL;
		e->items = keys.items;
		e->count = keys.count;
	}
	return expr_close(p, e);
}

/* ---- names ---- */

/* Returns `a` of (type *)&a; else NULL. */
static struct script_expr *addressed(struct script_expr *e)
{
	while (e->kind == X_CAST)
		e = e->a;
	return e->kind == X_ADDRESS ? e->a : NULL;
}

/*
 * bpftrace's library wraps functions that take addresses: has_key(@m, $k) calls __has_key((void *)&@m, (void *)&$k).
 * A program may call them, too: what is addressed is the argument.
 */
static void unwrap(struct script_expr *e)
{
	static const char *const names[] = { "memcmp", "has_key", "len" };
	static const char *const wrapped[] = { "__memcmp", "__has_key", "__elem_count" };
	size_t addresses = e->count < 2 ? e->count : 2;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(e->name, wrapped[i]))
			continue;
		for (size_t k = 0; k < addresses; k++)
			if (!addressed(e->items[k]))
				return;
		for (size_t k = 0; k < addresses; k++)
			e->items[k] = addressed(e->items[k]);
		e->name = names[i];
	}
}

static struct script_expr *call_parse(struct parser *p, struct script_expr *e)
{
	struct expr_list args = {};

	e->kind = X_CALL;
	e->has_call = true;
	syn_advance(p);
	if (!strcmp(e->name, "emit") && !syn_is(p, ")"))
		return syn_columns(p, e) ? expr_close(p, e) : NULL;
	if (!syn_accept(p, ")") && !expr_list_parse(p, &args, ")"))
		return NULL;
	e->items = args.items;
	e->count = args.count;
	unwrap(e);
	return expr_close(p, e);
}

/* Parses what follows the parenthesis: a type or a value. */
static bool type_or_value(struct parser *p, struct script_expr *e, const char *behind)
{
	if (!syn_expect(p, "(", behind))
		return false;
	if (type_is_next(p))
		e->type_name = syn_type(p);
	else
		e->a = syn_expression(p);
	return e->a || e->type_name;
}

/* sizeof(type or value) */
static struct script_expr *sizeof_parse(struct parser *p, struct script_expr *e)
{
	e->kind = X_SIZEOF;
	if (!type_or_value(p, e, "after sizeof") ||
	    !syn_expect(p, ")", "after what sizeof measures"))
		return NULL;
	return expr_close(p, e);
}

/* typeinfo(type or value): a record of facts about the type. */
static struct script_expr *typeinfo_parse(struct parser *p, struct script_expr *e)
{
	static const char *const names[] = { "btf_id", "base_type", "full_type" };
	struct script_expr *tuple = expr_new(p, X_TUPLE, e->span.start);
	struct expr_list l = {};

	if (!tuple || !type_or_value(p, e, "after typeinfo") ||
	    !syn_expect(p, ")", "after the type"))
		return NULL;
	e->kind = X_TYPEINFO;
	if (!expr_close(p, e))
		return NULL;
	for (unsigned i = 0; i < 3; i++) {
		struct script_expr *part = script_alloc(p->c, sizeof(*part));

		if (!part)
			return NULL;
		*part = *e;
		part->number = i;
		if (!expr_list_add(p, &l, part, names[i]))
			return NULL;
	}
	tuple->items = l.items;
	tuple->names = l.names;
	tuple->count = l.count;
	return expr_close(p, tuple);
}

/* a.b.c as one name. */
static const char *member_path(struct parser *p)
{
	const char *path = syn_name(p, "the name of a member"), *name;

	while (path && syn_is(p, ".")) {
		syn_advance_plain(p);
		name = syn_name(p, "the name of a member");
		path = name ? script_print(p->c, "%s.%s", path, name) : NULL;
	}
	return path;
}

/* offsetof(type or value, member) */
static struct script_expr *offsetof_parse(struct parser *p, struct script_expr *e)
{
	e->kind = X_OFFSETOF;
	if (!type_or_value(p, e, "after offsetof"))
		return NULL;
	if (!syn_is(p, ",")) {
		syn_expected(p, "',' and a member: offsetof(TYPE, MEMBER)");
		return NULL;
	}
	syn_advance_plain(p);
	e->name_span.start = p->in.t.span.start;
	e->name = member_path(p);
	e->name_span.end = p->in.last.end;
	if (!e->name || !syn_expect(p, ")", "after the member"))
		return NULL;
	return expr_close(p, e);
}

/* arg(TYPE): a member of args, by its type. */
static struct script_expr *arg_parse(struct parser *p, struct script_expr *e)
{
	e->kind = X_FIELD;
	e->a = expr_new(p, X_WORD, e->span.start);
	if (!e->a || !syn_expect(p, "(", "after arg"))
		return NULL;
	e->a->name = "args";
	e->a->span = e->a->name_span = e->name_span;
	e->type_name = syn_type(p);
	if (!e->type_name || !syn_expect(p, ")", "after the type"))
		return NULL;
	return expr_close(p, e);
}

/* config, config(): a record of all settings; config.NAME is one of them. */
static bool is_config_whole(struct parser *p, const struct script_expr *e)
{
	return !strcmp(e->name, "config") && !syn_is(p, ".") && !syn_is(p, "->");
}

static struct script_expr *config_parse(struct parser *p, struct script_expr *e)
{
	static const char *const names[] = {
		"cpp_demangle",	    "lazy_symbolication", "print_maps_on_exit",
		"use_blazesym",	    "show_debug_info",	  "log_size",
		"max_bpf_progs",    "max_cat_bytes",	  "max_map_keys",
		"max_probes",	    "max_strlen",	  "on_stack_limit",
		"perf_rb_pages",    "str_trunc_trailer",  "unstable_import_statement",
		"unstable_tseries", "unstable_typeinfo",  "unstable_dw_ustack",
		"missing_probes",   "stack_mode",	  "license"
	};
	struct script_expr *tuple = expr_new(p, X_TUPLE, e->span.start);
	struct expr_list l = {};

	for (size_t i = 0; tuple && i < sizeof(names) / sizeof(names[0]); i++) {
		struct script_expr *field = expr_new(p, X_FIELD, e->span.start);

		if (!field)
			return NULL;
		field->a = e;
		field->name = names[i];
		field->name_span = e->span;
		if (!expr_close(p, field) || !expr_list_add(p, &l, field, names[i]))
			return NULL;
	}
	if (!tuple)
		return NULL;
	tuple->items = l.items;
	tuple->names = l.names;
	tuple->count = l.count;
	return expr_close(p, tuple);
}

static struct script_expr *word_parse(struct parser *p)
{
	struct script_expr *e = expr_new(p, X_WORD, p->in.t.span.start);

	if (!e)
		return NULL;
	/* names of functions that bpftrace's own library wraps */
	e->name = p->in.t.bytes + (strncmp(p->in.t.bytes, "__builtin_", 10) ? 0 : 10);
	e->name_span = p->in.t.span;
	library_note(p, e->name);
	syn_advance(p);
	if (!strcmp(e->name, "sizeof"))
		return sizeof_parse(p, e);
	if (!strcmp(e->name, "offsetof"))
		return offsetof_parse(p, e);
	if (!strcmp(e->name, "typeinfo") && syn_is(p, "("))
		return typeinfo_parse(p, e);
	if (!strcmp(e->name, "arg") && syn_is(p, "("))
		return arg_parse(p, e);
	if (syn_is(p, "(")) {
		e = call_parse(p, e);
		return e && is_config_whole(p, e) ? config_parse(p, e) : e;
	}
	if (!strcmp(e->name, "true") || !strcmp(e->name, "false")) {
		e->kind = X_BOOL;
		e->number = *e->name == 't';
	}
	e = expr_close(p, e);
	return e && is_config_whole(p, e) ? config_parse(p, e) : e;
}

/* typeof(type or value), struct NAME: arguments of macros. */
static struct script_expr *type_parse(struct parser *p)
{
	struct script_expr *e = expr_new(p, X_TYPE, p->in.t.span.start);

	if (!e)
		return NULL;
	e->type_name = syn_type(p);
	return e->type_name ? expr_close(p, e) : NULL;
}

static bool type_is_meant(struct parser *p)
{
	return (syn_is_word(p, "typeof") && syn_then(p, "(")) || syn_is_word(p, "struct") ||
	       syn_is_word(p, "union") || syn_is_word(p, "enum");
}

/* comptime: ignored, because constants are computed at compile time anyway. */
static struct script_expr *comptime_parse(struct parser *p)
{
	struct script_expr *e = NULL;

	syn_advance(p);
	if (syn_enter(p))
		e = syn_unary(p);
	syn_leave(p);
	return e;
}

/* Parses keywords that begin other expressions, and rejects those that are not supported. */
static struct script_expr *keyword_parse(struct parser *p)
{
	static const char *const statements[] = { "else",     "for",	"while", "unroll",
						  "let",      "macro",	"fn",	 "break",
						  "continue", "return", "import" };

	if (syn_is_word(p, "if"))
		return syn_if(p);
	if (syn_is_word(p, "comptime"))
		return comptime_parse(p);
	if (type_is_meant(p))
		return type_parse(p);
	for (size_t i = 0; i < sizeof(statements) / sizeof(statements[0]); i++)
		if (syn_is_word(p, statements[i])) {
			syn_expected(p, "a value");
			return NULL;
		}
	return word_parse(p);
}

struct script_expr *syn_primary(struct parser *p)
{
	switch (p->in.t.kind) {
	case LEX_NUMBER: return literal_parse(p, X_INT);
	case LEX_STRING: return literal_parse(p, X_STRING);
	case LEX_VAR: return literal_parse(p, X_VAR);
	case LEX_PARAM: return literal_parse(p, X_PARAM);
	case LEX_MAP: return map_parse(p);
	case LEX_NAME: return keyword_parse(p);
	case LEX_PUNCT:
		if (syn_is(p, "("))
			return syn_paren(p);
		if (syn_is(p, "{"))
			return syn_block(p);
		break;
	case LEX_END: break;
	}
	syn_expected(p, "a value");
	return NULL;
}
