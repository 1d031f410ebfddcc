/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fetcharg_type.c - the type of a fetched value; and a whole FETCHARG:
 *
 *	fetcharg = [name "="] arg [":" type ["[" number "]"]]
 *	type	= "u8" … "x64" | "b" number "@" number "/" number | "string" | …
 *
 * The type decides how many bytes of memory are read; without a type, one word.
 */
#include <string.h>

#include "expr/legacy/legacy_parse.h"

/* ---- type ---- */

struct shape {
	const char *name; /* as written in the definition */
	const char *load; /* how it is read from an address; NULL: a string */
	const char *format;
};

static const struct shape shapes[] = {
	{ "u8", "u8", "u8" },	   { "u16", "u16", "u16" },	{ "u32", "u32", "u32" },
	{ "u64", "u64", "u64" },   { "s8", "s8", "s8" },	{ "s16", "s16", "s16" },
	{ "s32", "s32", "s32" },   { "s64", "s64", "s64" },	{ "x8", "u8", "x8" },
	{ "x16", "u16", "x16" },   { "x32", "u32", "x32" },	{ "x64", "u64", "x64" },
	{ "char", "u8", "c" },	   { "symbol", "u64", "sym" },	{ "symstr", "u64", "sym" },
	{ "string", NULL, "str" }, { "ustring", NULL, "ustr" },
};
enum { SHAPE_COUNT = sizeof(shapes) / sizeof(shapes[0]) };

static const struct shape *shape_find(const char *name)
{
	for (size_t i = 0; i < SHAPE_COUNT; i++) {
		if (!strcmp(shapes[i].name, name))
			return &shapes[i];
	}
	return NULL;
}

static void fail_type(struct old *o, uint32_t start)
{
	legacy_fail(o, start, o->end, "unknown type %.*s", (int)(o->end - start), o->text + start);
	legacy_hint(o, "types: u8 ... u64 s8 ... s64 x8 ... x64 char string ustring symbol "
		       "bWIDTH@OFFSET/CONTAINER, and arrays as x8[6]");
}

/* b4@2/32, after the b */
static void bits(struct old *o, struct shape *shape)
{
	uint32_t start = o->at - 1;
	uint64_t width = legacy_number(o, "width"), shift, container;

	legacy_expect(o, '@');
	shift = legacy_number(o, "offset");
	legacy_expect(o, '/');
	container = legacy_number(o, "container");
	if (container != 8 && container != 16 && container != 32 && container != 64)
		legacy_fail(o, start, o->at, "a container has 8, 16, 32 or 64 bits");
	else if (!width || width > container || shift > container - width)
		legacy_fail(o, start, o->at, "these bits are not in their container");
	shape->load = legacy_print(o, "u%u", (unsigned)container);
	shape->format = legacy_print(o, "%.*s", (int)(o->at - start), o->text + start);
}

static uint64_t array_length(struct old *o)
{
	uint32_t start = o->at;
	uint64_t count = legacy_number(o, "length");

	if (!count || count > 64)
		legacy_fail(o, start, o->at, "an array must have 1 to 64 elements");
	legacy_expect(o, ']');
	return count;
}

/* [":" type ["[" number "]"]]. `shape->name` NULL: no type */
static uint64_t type(struct old *o, struct shape *shape)
{
	const struct shape *found;
	uint32_t start = o->at + 1;

	*shape = (struct shape){ NULL };
	if (!legacy_accept(o, ':'))
		return 0;
	shape->name = "";
	if (legacy_accept_text(o, "%pd") || legacy_accept_text(o, "%pD")) {
		shape->name = o->text[o->at - 1] == 'd' ? "%pd" : "%pD";
		if (o->kind == LEGACY_UPROBE)
			legacy_fail(o, start, o->at, "%s reads kernel memory", shape->name);
		return 0;
	}
	if (legacy_peek(o) == 'b' && o->at + 1 < o->end && o->text[o->at + 1] <= '9') {
		o->at++;
		bits(o, shape);
		return 0;
	}
	found = shape_find(legacy_name(o, "a type"));
	if (o->kind == LEGACY_UPROBE && found && !strncmp(found->name, "sym", 3)) {
		legacy_fail(o, start, o->at, "only symbols of the kernel are shown");
		legacy_hint(o, "u:PATH:SYMBOL EXPR:usym shows a symbol of the program");
	}
	if (found) {
		*shape = *found;
		shape->format = legacy_mark(o, found->format, start, o->at);
	} else {
		fail_type(o, start);
	}
	if (found && !strcmp(found->name, "symstr") && legacy_peek(o) == '[') {
		legacy_fail(o, o->at, o->end, "arrays of symstr are not supported");
		legacy_hint(o, "symbol[N]");
	}
	return legacy_accept(o, '[') ? array_length(o) : 0;
}

/* ---- fetcharg ---- */

static const char *format_file(struct old *o, const struct legacy_fetch *f, bool dentry)
{
	return legacy_print(o, "((struct %s *)%s)->%sd_name.name:str", dentry ? "dentry" : "file",
			    legacy_value(o, f, "u64"), dentry ? "" : "f_path.dentry->");
}

/* There is no array of strings: each string becomes a value of its own, name_0, name_1 … */
static void add_strings(struct old *o, struct legacy_fetch *f, const struct shape *s,
			uint64_t count, const char *name, uint32_t start)
{
	for (uint64_t i = 0; i < count && !o->err; i++) {
		legacy_text_add(o, legacy_print(o, "%s_%u", name, (unsigned)i),
				legacy_print(o, "%s:%s", legacy_value(o, f, "u64"),
					     f->user ? "ustr" : s->format),
				start, o->end);
		if (f->negative && f->offset < 8)
			f->negative = false, f->offset = 8 - f->offset;
		else
			f->offset += f->negative ? -8 : 8;
	}
}

static const char *format_array(struct old *o, const struct legacy_fetch *f, const struct shape *s,
				uint64_t count, uint32_t start)
{
	if (f->is_entry || (f->kind == LEGACY_FETCH_VALUE && !f->is_member)) {
		legacy_fail(o, start, o->end, "an array must be in memory");
		legacy_hint(o, "+0(ARG):%s[%u] is what ARG points at", s->name, (unsigned)count);
	}
	return legacy_print(o, "%s:%s[%u]",
			    f->kind == LEGACY_FETCH_MEMORY ? legacy_pointer(o, f, s->load) :
							     f->text,
			    s->format, (unsigned)count);
}

static const char *format_value(struct old *o, const struct legacy_fetch *f, const struct shape *s,
				uint64_t count, uint32_t start)
{
	if (f->kind == LEGACY_FETCH_ALL || f->kind == LEGACY_FETCH_TEXT) {
		if (s->name && (f->kind == LEGACY_FETCH_ALL || strcmp(s->name, "string") || count))
			legacy_fail(o, start, o->end, "this already has a type");
		return f->text;
	}
	if (count)
		return format_array(o, f, s, count, start);
	if (s->name && *s->name == '%')
		return format_file(o, f, s->name[2] == 'd');
	/* the kernel does not follow a pointer in a register, or on the stack */
	if (s->format && !s->load && (f->is_entry || f->is_register)) {
		legacy_fail(o, start, o->end, "a string must be in memory");
		legacy_hint(o, "+0(ARG):string is the string that ARG points at");
	}
	if (s->format && !s->load && f->kind == LEGACY_FETCH_MEMORY)
		return legacy_print(o, "%s%s:%s",
				    f->text[0] == '0' && !f->offset ? "(u64)" : "", /* a number */
				    legacy_address(o, f), f->user ? "ustr" : s->format);
	if (s->format)
		return legacy_print(o, "%s:%s", legacy_value(o, f, s->load), s->format);
	return legacy_print(o, f->typed ? "%s" : "%s:x64", legacy_value(o, f, "u64"));
}

void legacy_fetcharg(struct old *o)
{
	uint32_t start = o->at, len = legacy_name_length(o, start), typed, from;
	const char *name = NULL, *expr;
	struct shape shape;
	struct legacy_fetch f;
	uint64_t count;

	if (len && o->text[start + len] == '=') {
		name = legacy_name(o, "a name");
		o->at++;
	}
	from = o->at;
	f = legacy_argument_read(o);
	typed = o->at;
	if (name && f.kind == LEGACY_FETCH_ALL)
		legacy_fail(o, from, o->at, "$arg* is several values: it cannot have a name");
	count = type(o, &shape);
	if (o->at < o->end)
		legacy_fail(o, o->at, o->end, "'%.*s' is not expected here", (int)(o->end - o->at),
			    o->text + o->at);
	if (!name && f.kind != LEGACY_FETCH_ALL)
		name = f.name ? f.name : legacy_print(o, "arg%zu", o->probe->count + 1);
	if (count && shape.format && !shape.load && f.kind == LEGACY_FETCH_MEMORY) {
		add_strings(o, &f, &shape, count, name, start);
		return;
	}
	expr = format_value(o, &f, &shape, count, typed);
	legacy_text_add(o, f.kind == LEGACY_FETCH_ALL ? NULL : name, expr, start, o->end);
}
