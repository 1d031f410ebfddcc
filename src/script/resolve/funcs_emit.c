/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * funcs_emit.c - resolves emit(): a row with columns in argdump's formats.
 *
 * A format sets how a number is printed, or what is read: E:str is str(E), E:path is path(E), E:mac the 6 bytes at E.
 * A read becomes a call in the tree.
 */
#include <string.h>

#include "expr/resolve/format.h"
#include "output/field/flag_names.h"
#include "output/field/sock.h"
#include "script/resolve/borrow.h"
#include "util/suggest.h"

/* ---- nodes ---- */

static struct script_expr *node_new(struct resolve *r, enum script_expr_kind kind,
				    const struct script_expr *of)
{
	struct script_expr *e = alloc_lasting(r, sizeof(*e));

	if (e) {
		e->kind = kind;
		e->span = e->name_span = of->span;
		e->is_formatted = true;
	}
	return e;
}

/* name(of), name(of, count) */
static struct script_expr *call_new(struct resolve *r, const char *name, struct script_expr *of,
				    uint32_t count)
{
	struct script_expr *call = node_new(r, X_CALL, of);

	if (!call || !(call->items = alloc_lasting(r, 2 * sizeof(*call->items))))
		return of;
	call->name = name;
	call->has_call = true;
	call->items[call->count++] = of;
	if (!count)
		return call;
	call->items[call->count] = node_new(r, X_INT, of);
	if (call->items[call->count])
		call->items[call->count++]->number = count;
	return call;
}

static struct script_expr *member_new(struct resolve *r, struct script_expr *of, const char *name)
{
	struct script_expr *e = node_new(r, X_FIELD, of);

	if (!e)
		return of;
	e->a = of;
	e->name = name;
	return e;
}

/* ---- formats ---- */

static void fail_format(struct resolve *r, const struct script_expr *e,
			const struct script_format *f, const char *wanted)
{
	script_fail(r->c, f->span, "format %s is for %s, but this is %s", f->name, wanted,
		    type_text(r, &e->type));
}

static const struct format_rule *rule_find(struct resolve *r, const struct script_format *f)
{
	static const struct suggest_words words = {
		.otherwise = "argdump --help=formats lists them",
	};
	const struct format_rule *rule = format_rule_named(f->name);
	struct suggestion nearest;

	if (rule && (f->constant != NULL) != (rule->wants == WANTS_ENUM)) {
		script_fail(r->c, f->span, "only the format enum(CONSTANT) takes a constant");
	} else if (!rule) {
		script_fail(r->c, f->span, "unknown format %s", f->name);
		suggest_init(&nearest, f->name);
		format_rules_offer(&nearest);
		script_suggest(r->c, &nearest, &words);
	}
	return failed(r) ? NULL : rule;
}

/* Returns the element of an array, or the target of a pointer; kind NONE if the value is neither. */
static struct script_type element_of(const struct script_expr *e)
{
	struct script_type none = { .kind = SCRIPT_NONE };

	if (e->type.kind == SCRIPT_ARRAY || e->type.kind == SCRIPT_POINTER)
		return script_type_target(&e->type);
	return none;
}

/* E:x[4]: that many numbers of an array, or from an address. */
static struct script_expr *numbers_apply(struct resolve *r, struct script_expr *e,
					 const struct script_format *f,
					 const struct format_rule *rule)
{
	struct script_type element = element_of(e);

	if (element.kind != SCRIPT_INT || !element.size || rule->wants == WANTS_ENUM ||
	    rule->type == FIELD_USYM || (rule->size && rule->size != element.size)) {
		script_fail(r->c, f->span, "format %s[%u] is for an array of such numbers", f->name,
			    f->count);
		script_hint(r->c, "for an address, cast it: (uint32 *)ADDRESS:%s[%u]", f->name,
			    f->count);
	} else if (e->type.kind == SCRIPT_ARRAY && e->type.size < f->count * element.size) {
		script_fail(r->c, f->span, "this has %u numbers", e->type.size / element.size);
	}
	return call_new(r, "buf", e, f->count * element.size);
}

static struct script_expr *number_apply(struct resolve *r, struct script_expr *e,
					const struct script_format *f,
					const struct format_rule *rule)
{
	if (f->count)
		return numbers_apply(r, e, f, rule);
	if (!script_is_scalar(&e->type))
		fail_format(r, e, f, "numbers");
	else if (rule->wants == WANTS_ENUM && !btf_lookup_enum_with(r, f->constant))
		script_fail(r->c, f->span, "no enum of this kernel has %s", f->constant);
	return rule->type == FIELD_USYM ? call_new(r, "usym", e, 0) : e;
}

static struct script_expr *string_apply(struct resolve *r, struct script_expr *e,
					const struct script_format *f,
					const struct format_rule *rule)
{
	enum script_kind kind = e->type.kind;

	if (kind != SCRIPT_STRING && kind != SCRIPT_POINTER && kind != SCRIPT_INT &&
	    kind != SCRIPT_ARRAY)
		fail_format(r, e, f, "addresses of strings");
	if (rule->space == STRING_USER)
		e = call_new(r, "uptr", e, 0);
	return call_new(r, "str", e, f->count);
}

static struct script_expr *path_apply(struct resolve *r, struct script_expr *e,
				      const struct script_format *f)
{
	const char *name = script_type_struct(&e->type);

	if (!strcmp(name, "file"))
		return call_new(r, "path", member_new(r, e, "f_path"), 0);
	if (!strcmp(name, "path") || !strcmp(name, "dentry"))
		return call_new(r, "path", e, 0);
	fail_format(r, e, f, "a struct file, path or dentry");
	return e;
}

/* Reads `size` bytes at an address, or those of the value itself. */
static struct script_expr *bytes_apply(struct resolve *r, struct script_expr *e,
				       const struct script_format *f,
				       const struct format_rule *rule)
{
	bool is_sized = e->type.kind == SCRIPT_ARRAY || e->type.kind == SCRIPT_STRING ||
			e->type.kind == SCRIPT_RECORD;
	uint32_t size = rule->size ?: f->count ?: is_sized ? script_c_bytes(&e->type) : 0;

	if (e->type.kind == SCRIPT_BUFFER &&
	    (!rule->size || e->type.size - sizeof(uint32_t) >= rule->size ||
	     rule->type == FIELD_SOCKADDR))
		return e; /* it was read in an earlier run */
	if (rule->wants == WANTS_EITHER && e->type.kind == SCRIPT_INT)
		return e;
	if (rule->size && f->count)
		script_unsupported(r->c, f->span, "arrays of values with this format");
	else if (!is_sized && e->type.kind != SCRIPT_INT && e->type.kind != SCRIPT_POINTER)
		fail_format(r, e, f, "bytes at an address");
	else if (!size) {
		script_fail(r->c, f->span, "the number of bytes is unknown");
		script_hint(r->c, "write %s[16]", f->name);
	} else if (is_sized && e->type.size < size && rule->type != FIELD_SOCKADDR)
		script_fail(r->c, f->span, "format %s needs %u bytes, but this has %u", f->name,
			    size, e->type.size);
	return call_new(r, "buf", e, size);
}

/* ---- facts about this kernel from argdump's compiler ---- */

void borrow(struct resolve *r, struct borrowed *b)
{
	*b = (struct borrowed){ .p.arena = r->c->s->arena };
	b->c = (struct compile){ .in = r->in, .p = &b->p };
}

void borrowed_return(struct resolve *r, struct borrowed *b)
{
	r->c->s->arena = b->p.arena;
	if (b->c.err && !failed(r))
		r->c->err = b->c.err;
}

/* Returns the names of bits whose numbers differ by kernel. */
static const struct field_name *gfp_names(struct resolve *r)
{
	const struct field_name *names;
	struct borrowed b;

	borrow(r, &b);
	names = format_gfp_names(&b.c);
	borrowed_return(r, &b);
	return names;
}

static const struct field_name *enum_names(struct resolve *r, const char *constant, unsigned bits)
{
	const struct btf_view *btf = r->c->btf;
	const struct field_name *names;
	struct borrowed b;

	borrow(r, &b);
	names = format_enum_names(&b.c, btf, btf_view_type(btf, btf_lookup_enum_with(r, constant)),
				  bits);
	borrowed_return(r, &b);
	return names;
}

/* Returns the layout of addresses in a socket, a pointer to one, or bytes read from one before. NULL: not a socket. */
static const struct sock_layout *sock_layout(struct resolve *r, const struct script_type *t)
{
	struct script_type of = t->kind == SCRIPT_POINTER ? script_type_target(t) : *t;
	bool is_bytes = of.kind == SCRIPT_BUFFER;
	const struct sock_layout *layout = NULL;
	uint32_t id = is_bytes ? btf_lookup_kind(r, BTF_KIND_STRUCT, "sock_common") : of.c.id;
	struct borrowed b;

	if (!is_bytes && (of.kind != SCRIPT_RECORD || !of.btf))
		return NULL;
	borrow(r, &b);
	id = is_bytes ? id : format_sock_common(&b.c, btf_view_strip(of.btf, id));
	layout = format_sock_layout(&b.c, id);
	borrowed_return(r, &b);
	return layout && is_bytes && of.size - sizeof(uint32_t) < layout->size ? NULL : layout;
}

/* Reads the struct sock_common at its start. */
static struct script_expr *sock_apply(struct resolve *r, struct script_expr *e,
				      const struct script_format *f)
{
	const struct sock_layout *layout;

	if (!strcmp(script_type_struct(&e->type), "socket")) {
		e = member_new(r, e, "sk");
		infer_expr(r, e);
	}
	layout = failed(r) ? NULL : sock_layout(r, &e->type);
	if (layout && e->type.kind == SCRIPT_BUFFER)
		return e; /* it was read in an earlier run */
	if (layout)
		return call_new(r, "buf", e, layout->size);
	fail_format(r, e, f, "a struct sock, a struct socket or what begins with one");
	return e;
}

static struct script_expr *format_apply(struct resolve *r, struct script_expr *e,
					const struct script_format *f)
{
	const struct format_rule *rule = rule_find(r, f);

	if (!rule)
		return e;
	switch (rule->wants) {
	case WANTS_NUMBER:
	case WANTS_ENUM: return number_apply(r, e, f, rule);
	case WANTS_STRING: return string_apply(r, e, f, rule);
	case WANTS_PATH: return path_apply(r, e, f);
	case WANTS_BYTES:
	case WANTS_EITHER: return bytes_apply(r, e, f, rule);
	case WANTS_SOCK: return sock_apply(r, e, f);
	case WANTS_PACKET: return call_new(r, "packet", e, f->count);
	case WANTS_FLOW:
	case WANTS_HEADER: break;
	}
	script_unsupported(r->c, f->span, "format %s", f->name);
	script_hint(r->c, "argdump FUNC 'skb:%s' shows it", f->name);
	return e;
}

/* ---- columns ---- */

static bool check_name(struct resolve *r, const struct script_expr *call, size_t i)
{
	const char *name = call->names[i];

	for (size_t j = 0; name && j < i; j++) {
		if (strcmp(call->names[j], name))
			continue;
		script_fail(r->c, call->items[i]->span, "the row already has a column '%s'", name);
		script_hint(r->c, "name it with emit(NAME = …)");
		return false;
	}
	if (name)
		return true;
	script_fail(r->c, call->items[i]->span, "this column needs a name");
	script_hint(r->c, "emit(NAME = …)");
	return false;
}

/* Resolves the item and applies its format. */
static void item_resolve(struct resolve *r, struct script_expr *call, size_t i)
{
	const struct script_format *f = &call->formats[i];
	struct script_expr *e = call->items[i];

	infer_expr(r, e);
	if (failed(r) || !type_is_known(r, e))
		return;
	if (e->type.kind == SCRIPT_VOID || e->type.kind == SCRIPT_MODE) {
		script_fail(r->c, e->span, "this has no value to print");
	}
	if (failed(r) || !f->name || e->is_formatted)
		return;
	call->items[i] = format_apply(r, e, f);
	if (call->items[i] != e && !failed(r))
		infer_expr(r, call->items[i]);
}

/* Returns the type in the record. */
static struct script_type column_type(const struct script_expr *e, const struct script_format *f)
{
	const struct format_rule *rule = f->name ? format_rule_named(f->name) : NULL;
	struct script_type t = type_stored(&e->type);

	if (!rule || !script_is_scalar(&t))
		return t;
	if (rule->size && (rule->wants == WANTS_NUMBER || rule->wants == WANTS_EITHER))
		t = script_int(rule->size, t.is_signed);
	return rule->wants == WANTS_ENUM ? script_int(t.size ?: 8, t.is_signed) : t;
}

static const struct field_name *column_names(struct resolve *r, const struct script_format *f,
					     const struct format_rule *rule, unsigned size)
{
	if (rule->wants == WANTS_ENUM)
		return enum_names(r, f->constant, size * 8);
	return rule->names == flags_gfp ? gfp_names(r) : rule->names;
}

/* Returns the type of the socket that a column reads, or has read. */
static const struct script_type *sock_type(const struct script_expr *column)
{
	return column->is_formatted ? &column->items[0]->type : &column->type;
}

static void find_nothing(struct script_expr *e, void *ctx)
{
	*(bool *)ctx |= e->func == FUNC_NOTHING;
}

/* True for $kv.0 and its parts, as $kv.0.1. */
static bool is_of_key(const struct script_expr *e)
{
	while (e->kind == X_PART && e->a->kind == X_PART)
		e = e->a;
	return e->kind == X_PART && e->a->kind == X_VAR && !e->number;
}

static void columns_set(struct resolve *r, struct script_action *a, const struct script_expr *e)
{
	struct script_column *columns = alloc_lasting(r, e->count * sizeof(*columns));

	for (size_t i = 0; i < e->count && columns; i++) {
		const char *format = e->formats[i].name;

		columns[i].name = e->names[i];
		script_walk(e->items[i], find_nothing, &columns[i].has_nothing);
		columns[i].is_key = is_of_key(e->items[i]);
		columns[i].rule = format ? format_rule_named(format) : NULL;
		if (!columns[i].rule)
			continue;
		if (columns[i].rule->wants == WANTS_NUMBER && e->formats[i].count) {
			columns[i].count = e->formats[i].count;
			columns[i].is_signed = element_of(e->items[i]->items[0]).is_signed;
		}
		if (columns[i].rule->wants == WANTS_SOCK)
			columns[i].sock = sock_layout(r, sock_type(e->items[i]));
		columns[i].names = column_names(r, &e->formats[i], columns[i].rule,
						a->args[i].type.size);
	}
	a->columns = columns;
}

void func_emit(struct resolve *r, struct script_expr *e)
{
	struct action_args args = { .all_in_record = true };

	e->type.kind = SCRIPT_VOID;
	for (size_t i = 0; i < e->count; i++) {
		if (check_name(r, e, i))
			item_resolve(r, e, i);
		if (failed(r) || e->items[i]->type.kind == SCRIPT_NONE)
			return;
		if (script_is_copy(&e->items[i]->type)) {
			script_unsupported(r->c, e->items[i]->span, "dw_ustack() in emit()");
			script_hint(r->c, "printf() and print() show it");
			return;
		}
		args.exprs[args.count] = e->items[i];
		args.types[args.count++] = column_type(e->items[i], &e->formats[i]);
	}
	action_set(r, e, ACTION_EMIT, NULL, &args);
	if (e->action && !e->action->columns)
		columns_set(r, e->action, e);
}
