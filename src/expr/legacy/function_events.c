/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * function_events.c - function_events prototypes:
 *
 *	event	= function "(" [arg { "," arg }] ")"
 *	arg	= "NULL" | field { "|" field }
 *	field	= type name { index | "+" number } | type [name "="] ("$" symbol | number)
 *	type	= ["unsigned"] atom ["[" number "]"] ["*"]
 *	index	= "[" number "]"
 *
 * A + adds that many bytes; an index advances by that many elements and reads there. Each value
 * read on the way is a pointer; the last one has the type. A string or an array is at the last
 * address, so for these each index reads a pointer.
 */
#include <string.h>

#include "expr/legacy/legacy_parse.h"

static const struct atom {
	const char *name;
	const char *load, *format;
	const char *unsigned_load; /* NULL: same as `load` */
	uint8_t size;		   /* 0: a string, no fixed size */
} atoms[] = {
	{ "u8", "u8", "u8", NULL, 1 },	     { "u16", "u16", "u16", NULL, 2 },
	{ "u32", "u32", "u32", NULL, 4 },    { "u64", "u64", "u64", NULL, 8 },
	{ "s8", "s8", "s8", "u8", 1 },	     { "s16", "s16", "s16", "u16", 2 },
	{ "s32", "s32", "s32", "u32", 4 },   { "s64", "s64", "s64", "u64", 8 },
	{ "x8", "u8", "x8", NULL, 1 },	     { "x16", "u16", "x16", NULL, 2 },
	{ "x32", "u32", "x32", NULL, 4 },    { "x64", "u64", "x64", NULL, 8 },
	{ "x86", "u64", "x64", NULL, 8 }, /* as in the document's first example */
	{ "char", "s8", "s8", "u8", 1 },     { "short", "s16", "s16", "u16", 2 },
	{ "int", "s32", "s32", "u32", 4 },   { "long", "s64", "s64", "u64", 8 },
	{ "size_t", "u64", "u64", NULL, 8 }, { "symbol", "u64", "sym", NULL, 8 },
	{ "string", NULL, "str", NULL, 0 },
};
enum { ATOM_COUNT = sizeof(atoms) / sizeof(atoms[0]) };

struct old_field {
	const struct atom *atom;
	const char *load, *format, *name;
	uint64_t elements; /* of an array; 0: no array */
	bool pointer;	   /* the parameter is a pointer, and is shown as one */
};

/* ---- type ---- */

static void atom(struct old *o, struct old_field *f)
{
	const char *word = legacy_name(o, "a type");
	uint32_t start = o->at - strlen(word);
	bool is_unsigned = !strcmp(word, "unsigned");

	if (is_unsigned)
		word = legacy_name(o, "a type");
	for (size_t i = 0; i < ATOM_COUNT && !f->atom; i++) {
		if (!strcmp(atoms[i].name, word))
			f->atom = &atoms[i];
	}
	if (!f->atom) {
		legacy_fail(o, start, o->at, "unknown type %s", word);
		if (!strcmp(word, "struct") || !strcmp(word, "const"))
			legacy_hint(o, "one function needs no types; a pattern may have one: "
				       "'*(struct file *)'");
		legacy_hint(o, "types: u8 ... u64 s8 ... s64 x8 ... x64 char short int long size_t "
			       "symbol string, with unsigned before and [N] after");
		f->atom = atoms;
	}
	f->load = is_unsigned && f->atom->unsigned_load ? f->atom->unsigned_load : f->atom->load;
	f->format = f->load && f->load[0] != 'u' ? f->load : f->atom->format;
	if (is_unsigned && f->atom->unsigned_load)
		f->format = f->load;
}

static void type(struct old *o, struct old_field *f)
{
	uint32_t start;

	atom(o, f);
	start = o->at;
	if (legacy_accept(o, '[')) {
		f->elements = legacy_number(o, "length");
		legacy_expect(o, ']');
		if (!f->atom->size)
			legacy_fail(o, start, o->at, "arrays of strings are not supported");
		else if (!f->elements || f->elements > 4096)
			legacy_fail(o, start, o->at, "an array must have 1 to 4096 elements");
	} else if (legacy_accept(o, '*')) {
		f->pointer = true;
	}
}

/* ---- from the parameter to the value ---- */

static const char *plus(struct old *o, const char *base, uint64_t bytes)
{
	return bytes ? legacy_print(o, "%s + %llu", base, (unsigned long long)bytes) : base;
}

static const char *load(struct old *o, const char *type, const char *base, uint64_t bytes)
{
	const char *user = o->is_syscall ? "__user " : "";

	return legacy_print(o, bytes ? "*(%s %s*)(%s)" : "*(%s %s*)%s", type, user,
			    plus(o, base, bytes));
}

/* True if the value is at an address: an array or a string. */
static bool is_container(const struct old_field *f)
{
	return f->elements || !f->atom->size;
}

static const char *format_container(struct old *o, const struct old_field *f, const char *at)
{
	if (!f->atom->size)
		return legacy_print(o, "%s:%s", at, o->is_syscall ? "ustr" : "str");
	/* an array of char: text up to its NUL */
	if (!strcmp(f->atom->name, "char"))
		return legacy_print(o, "%s:%s:%u", at, o->is_syscall ? "ustr" : "str",
				    (unsigned)f->elements);
	return legacy_print(o, "(%s %s*)(%s):%s[%u]", f->load, o->is_syscall ? "__user " : "", at,
			    f->format, (unsigned)f->elements);
}

static uint64_t element(struct old *o, const struct old_field *f)
{
	uint32_t start = o->at - 1;
	uint64_t index = legacy_number(o, "index");

	legacy_expect(o, ']');
	if (index && !f->atom->size) {
		legacy_fail(o, start, o->at, "a string has no size to count by");
		legacy_hint(o, "give the offset: %s+BYTES[0]", f->name);
	}
	return index * f->atom->size;
}

/* { index | "+" number }, then the value as shown */
static const char *way(struct old *o, const struct old_field *f, const char *arg)
{
	const char *base = arg;
	bool indexed = false, pending = false; /* an index with nothing after it yet */
	uint64_t bytes = 0;

	while (!o->err) {
		bool is_index = legacy_accept(o, '[');

		if (!is_index && !legacy_accept(o, '+'))
			break;
		if (base == arg && !strncmp(arg, "$", 1))
			base = legacy_print(o, "(u64)%s", arg);
		if (pending) {
			base = load(o, "u64", base, bytes);
			bytes = 0;
		}
		bytes += is_index ? element(o, f) : legacy_number(o, "offset");
		pending = is_index;
		indexed |= is_index;
	}
	if (is_container(f) && pending)
		return format_container(o, f, load(o, "u64", base, bytes));
	if (is_container(f))
		return format_container(o, f, plus(o, bytes ? base : indexed ? base : arg, bytes));
	/* read+40[0]+16: the kernel patch would show the address, its document shows the value
	 * there */
	if (indexed)
		return legacy_print(o, "%s:%s", load(o, f->load, base, bytes), f->format);
	return legacy_print(o, "%s:%s", plus(o, bytes ? base : arg, bytes), f->format);
}

/* "$" symbol | number; `f->name` may be NULL */
static const char *at_address(struct old *o, struct old_field *f)
{
	const char *at, *label;

	if (legacy_accept(o, '$')) {
		label = legacy_name(o, "a variable's name");
		at = legacy_print(o, "&@%s", legacy_mark(o, label, o->at - strlen(label), o->at));
	} else {
		at = legacy_print(o, "0x%llx", (unsigned long long)legacy_number(o, "address"));
		label = legacy_print(o, "at_%s", at + 2);
	}
	if (!f->name)
		f->name = label;
	if (is_container(f))
		return format_container(o, f, at);
	return legacy_print(o, "%s:%s", load(o, f->load, at, 0), f->format);
}

/* ---- fields and arguments ---- */

/* A pointer as declared in C: char * is shown as text, any other as an address. */
static const char *format_pointer(struct old *o, const struct old_field *f, const char *arg)
{
	return legacy_print(o, strcmp(f->atom->name, "char") ? "%s:x64" : "%s:str", arg);
}

/* Returns false for an address, which uses no argument. */
static bool field(struct old *o, unsigned n)
{
	struct old_field f = { NULL };
	const char *expr, *arg;
	bool takes = true;
	uint32_t start;

	legacy_blanks(o);
	start = o->at;
	type(o, &f);
	legacy_blanks(o);
	if (legacy_name_length(o, o->at))
		f.name = legacy_name(o, "a name");
	if (!f.name || legacy_accept(o, '=')) {
		expr = at_address(o, &f);
		takes = false;
	} else {
		arg = legacy_argument(o, n, start);
		expr = f.pointer ? format_pointer(o, &f, arg) : way(o, &f, arg);
	}
	legacy_text_add(o, f.name, expr, start, o->at);
	return takes;
}

/* Returns the number of parameters that it uses: 1 or 0. */
static unsigned arg(struct old *o, unsigned n)
{
	bool takes = false;

	legacy_blanks(o);
	if (legacy_name_length(o, o->at) == 4 && legacy_accept_text(o, "NULL"))
		return 1;
	do {
		takes |= field(o, n);
	} while (legacy_accept(o, '|'));
	return takes;
}

void legacy_prototype(struct old *o)
{
	const char *function;
	unsigned n = 1;

	o->kind = LEGACY_PROTOTYPE;
	function = legacy_name(o, "a function's name");
	if (!o->err)
		o->probe->probe = legacy_function(o, function);
	o->probe->caller = LEGACY_CALLER;
	legacy_expect(o, '(');
	if (legacy_accept(o, ')'))
		n = 0;
	while (n && !o->err) {
		n += arg(o, n);
		if (!legacy_accept(o, ',')) {
			legacy_expect(o, ')');
			break;
		}
	}
	legacy_blanks(o);
	if (o->at < o->end)
		legacy_fail(o, o->at, o->end, "unexpected text after the prototype");
}
