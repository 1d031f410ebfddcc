/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dump.c - prints the tree as text, one node a line, children indented. For tests.
 */
#include "expr/ast.h"
#include "script/script.h"
#include "util/escape.h"

struct dump {
	struct buf *o;
	bool with_types;
	int depth;
};

static void value_dump(struct dump *d, const struct script_expr *e);
static void stmts_dump(struct dump *d, const struct script_stmt *s);

static void line_begin(struct dump *d)
{
	buf_repeat(d->o, ' ', d->depth);
}

/* ---- types as written ---- */

static void type_name_write(struct dump *d, const struct script_type_name *t)
{
	if (t->of)
		buf_str(d->o, "typeof()");
	else if (t->name)
		buf_str(d->o, t->name);
	for (size_t i = 0; i < t->part_count; i++) {
		buf_str(d->o, i ? ", " : "(");
		type_name_write(d, &t->parts[i]);
	}
	if (t->part_count)
		buf_char(d->o, ')');
	if (t->stars)
		buf_char(d->o, ' ');
	buf_repeat(d->o, '*', t->stars);
	if (t->is_array && t->count)
		buf_printf(d->o, "[%u]", t->count);
	else if (t->is_array)
		buf_str(d->o, "[]");
}

/* ---- expressions ---- */

static const char *const kind_names[] = {
	[X_INT] = "int",	   [X_BOOL] = "bool",	      [X_STRING] = "string",
	[X_WORD] = "word",	   [X_PARAM] = "param",	      [X_VAR] = "var",
	[X_MAP] = "map",	   [X_CALL] = "call",	      [X_FIELD] = "field",
	[X_PART] = "part",	   [X_INDEX] = "index",	      [X_UNARY] = "unary",
	[X_DEREF] = "deref",	   [X_ADDRESS] = "address",   [X_STEP] = "step",
	[X_BINARY] = "binary",	   [X_AND] = "and",	      [X_OR] = "or",
	[X_CHOICE] = "choice",	   [X_FALLBACK] = "fallback", [X_ELSE] = "else",
	[X_CAST] = "cast",	   [X_SIZEOF] = "sizeof",     [X_OFFSETOF] = "offsetof",
	[X_TUPLE] = "tuple",	   [X_BLOCK] = "block",	      [X_TYPE] = "type",
	[X_TYPEINFO] = "typeinfo",
};

/* Writes the details after the kind. */
static void expr_detail(struct dump *d, const struct script_expr *e)
{
	switch (e->kind) {
	case X_INT:
	case X_BOOL:
	case X_PART:
	case X_TYPEINFO:
	case X_PARAM: buf_printf(d->o, " %llu", (unsigned long long)e->number); break;
	case X_STRING:
		buf_char(d->o, ' ');
		escape_write_quoted(d->o, e->bytes, e->length);
		break;
	case X_VAR: buf_printf(d->o, " $%s", e->name); break;
	case X_MAP: buf_printf(d->o, " @%s", e->name); break;
	case X_WORD:
	case X_CALL:
	case X_OFFSETOF: buf_printf(d->o, " %s", e->name); break;
	case X_FIELD: buf_printf(d->o, " %s%s", e->is_arrow ? "->" : ".", e->name); break;
	case X_STEP:
		buf_printf(d->o, " %s%s", e->oper == OPER_ADD ? "++" : "--",
			   e->is_prefix ? " before" : "");
		break;
	case X_UNARY:
	case X_BINARY: buf_printf(d->o, " %s", oper_text(e->oper)); break;
	default: break;
	}
}

static void items_dump(struct dump *d, const struct script_expr *e)
{
	for (size_t i = 0; i < e->count; i++) {
		if (e->names) {
			line_begin(d);
			buf_printf(d->o, "%s=", e->names[i] ?: "");
			if (e->formats && e->formats[i].name)
				buf_printf(d->o, ":%s", e->formats[i].name);
			buf_char(d->o, '\n');
			d->depth++;
			value_dump(d, e->items[i]);
			d->depth--;
		} else {
			value_dump(d, e->items[i]);
		}
	}
}

static void type_of_expr(struct dump *d, const struct script_expr *e)
{
	if (!d->with_types || e->type.kind == SCRIPT_NONE)
		return;
	buf_str(d->o, " :: ");
	script_type_write(NULL, &e->type, d->o);
	if (e->is_constant && script_is_scalar(&e->type))
		buf_printf(d->o, " = %lld", (long long)e->value);
}

static void value_dump(struct dump *d, const struct script_expr *e)
{
	if (!e)
		return;
	line_begin(d);
	buf_str(d->o, kind_names[e->kind]);
	expr_detail(d, e);
	if (e->type_name) {
		buf_char(d->o, ' ');
		type_name_write(d, e->type_name);
	}
	type_of_expr(d, e);
	buf_char(d->o, '\n');
	d->depth++;
	if (e->type_name && e->type_name->of)
		value_dump(d, e->type_name->of);
	stmts_dump(d, e->body);
	value_dump(d, e->a);
	value_dump(d, e->b);
	value_dump(d, e->c);
	items_dump(d, e);
	d->depth--;
}

/* ---- statements ---- */

static const char *const stmt_names[] = {
	[S_EXPR] = "do",
	[S_ASSIGN] = "assign",
	[S_LET] = "let",
	[S_DISCARD] = "discard",
	[S_IF] = "if",
	[S_WHILE] = "while",
	[S_FOR_RANGE] = "for",
	[S_FOR_MAP] = "for map",
	[S_UNROLL] = "unroll",
	[S_BREAK] = "break",
	[S_CONTINUE] = "continue",
	[S_RETURN] = "return",
	[S_BLOCK] = "block",
};

static void part_dump(struct dump *d, const char *title, const struct script_stmt *s)
{
	if (!s)
		return;
	line_begin(d);
	buf_printf(d->o, "%s\n", title);
	d->depth++;
	stmts_dump(d, s);
	d->depth--;
}

static void stmt_dump(struct dump *d, const struct script_stmt *s)
{
	line_begin(d);
	buf_str(d->o, stmt_names[s->kind]);
	if (s->kind == S_ASSIGN && s->oper != OPER_NONE)
		buf_printf(d->o, " %s", oper_text(s->oper));
	if (s->type_name) {
		buf_char(d->o, ' ');
		type_name_write(d, s->type_name);
	}
	buf_char(d->o, '\n');
	d->depth++;
	value_dump(d, s->target);
	value_dump(d, s->a);
	value_dump(d, s->b);
	if (s->kind == S_BLOCK)
		stmts_dump(d, s->body);
	else
		part_dump(d, "then", s->body);
	part_dump(d, "else", s->otherwise);
	d->depth--;
}

static void stmts_dump(struct dump *d, const struct script_stmt *s)
{
	for (; s; s = s->next)
		stmt_dump(d, s);
}

/* ---- C types ---- */

static void cdef_dump(struct dump *d, const struct script_cdef *def);

static void cmember_dump(struct dump *d, const struct script_cmember *m)
{
	line_begin(d);
	buf_printf(d->o, "member %s", m->name);
	for (size_t i = 0; i < 4 && m->counts[i]; i++)
		buf_printf(d->o, "[%u]", m->counts[i]);
	if (m->is_flexible)
		buf_str(d->o, "[]");
	if (m->is_bitfield)
		buf_printf(d->o, " : %u", m->bits);
	if (m->is_function)
		buf_str(d->o, " function");
	if (!m->inside) {
		buf_char(d->o, ' ');
		type_name_write(d, &m->type);
		buf_char(d->o, '\n');
		return;
	}
	buf_repeat(d->o, '*', m->type.stars);
	buf_char(d->o, '\n');
	d->depth++;
	cdef_dump(d, m->inside);
	d->depth--;
}

static void cdef_dump(struct dump *d, const struct script_cdef *def)
{
	static const char *const names[] = { "struct", "union", "enum", "typedef" };

	line_begin(d);
	buf_printf(d->o, "%s %s%s\n", names[def->kind], def->name,
		   def->attributes.is_packed ? " packed" : "");
	d->depth++;
	for (size_t i = 0; i < def->count; i++)
		if (def->kind == CDEF_ENUM) {
			line_begin(d);
			buf_printf(d->o, "%s = %lld\n", def->members[i].name,
				   (long long)def->values[i]);
		} else {
			cmember_dump(d, &def->members[i]);
		}
	d->depth--;
}

/* ---- programs ---- */

static void probe_dump(struct dump *d, const struct script_probe *probe)
{
	buf_str(d->o, "probe");
	for (size_t i = 0; i < probe->attach_count; i++)
		buf_printf(d->o, " %s", probe->attaches[i].text);
	buf_char(d->o, '\n');
	d->depth = 1;
	if (probe->condition) {
		buf_str(d->o, " if\n");
		d->depth = 2;
		value_dump(d, probe->condition);
		d->depth = 1;
	}
	stmts_dump(d, probe->body);
	d->depth = 0;
}

static void map_dump(struct dump *d, const struct script_map *m)
{
	static const char *const storages[] = { "hash", "lruhash", "percpuhash", "percpulruhash" };

	buf_printf(d->o, "map @%s %s", m->name, storages[m->storage]);
	if (m->is_declared)
		buf_printf(d->o, " %u", m->entries);
	if (m->owner)
		buf_printf(d->o, " owned_by(%s)", script_owner_name(m->owner));
	if (d->with_types && m->is_known) {
		buf_str(d->o, " ");
		if (m->has_key)
			script_type_write(NULL, &m->key, d->o);
		buf_str(d->o, " → ");
		script_type_write(NULL, &m->value, d->o);
	}
	buf_char(d->o, '\n');
}

void script_dump(const struct script *s, bool with_types, struct buf *o)
{
	struct dump d = { .o = o, .with_types = with_types };

	for (const struct script_cdef *def = s->types; def; def = def->next)
		cdef_dump(&d, def);
	for (size_t i = 0; i < s->map_count; i++)
		map_dump(&d, s->maps[i]);
	for (size_t i = 0; i < s->probe_count; i++)
		probe_dump(&d, &s->probes[i]);
}
