/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * types.c - types of values: names, equality, layout of tuples, sizes of integers.
 *
 * types_c.c has types of C.
 */
#include "script/type.h"

#include <string.h>

#include "expr/ctype.h"
#include "util/buf.h"

/* ---- integers ---- */

bool script_int_has(const struct script_type *t, int64_t value, bool is_big)
{
	unsigned bits = t->size * 8;

	if (is_big)
		return !t->is_signed && bits == 64;
	if (t->is_signed)
		return bits == 64 || (value >= -(1LL << (bits - 1)) && value < 1LL << (bits - 1));
	return value >= 0 && (bits == 64 || value < 1LL << bits);
}

struct script_type script_int_of(int64_t value, bool is_big)
{
	struct script_type t = script_int(1, !is_big);

	t.is_literal = !is_big && value >= 0;
	while (!script_int_has(&t, value, is_big))
		t.size *= 2;
	return t;
}

bool script_sign_join(const struct script_type *a, const struct script_type *b)
{
	if (a->is_literal != b->is_literal)
		return a->is_literal ? b->is_signed : a->is_signed;
	return a->is_signed || b->is_signed;
}

bool script_int_join(const struct script_type *a, const struct script_type *b,
		     struct script_type *joined)
{
	const struct script_type *larger = a->size >= b->size ? a : b;
	const struct script_type *with_sign = a->is_signed ? a : b;
	bool same_enum = a->c.id == b->c.id && a->btf == b->btf;

	if (a->is_literal != b->is_literal) {
		*joined = a->is_literal ? *b : *a;
		if (larger->size > joined->size)
			*joined = script_int(larger->size, joined->is_signed);
		return true;
	}
	if (a->is_signed == b->is_signed) {
		*joined = same_enum ? *larger : script_int(larger->size, larger->is_signed);
		return true;
	}
	if (with_sign == larger && a->size != b->size) {
		*joined = script_int(larger->size, true);
		return true;
	}
	*joined = script_int(larger->size * 2, true);
	return joined->size <= 8;
}

/* ---- tuples ---- */

uint32_t script_type_align(const struct script_type *t)
{
	uint32_t align = 8;

	if (t->kind == SCRIPT_ARRAY && (t->c.int_size || t->of_bools))
		return t->c.int_size ? t->c.int_size : 1;
	if ((t->kind == SCRIPT_RECORD || t->kind == SCRIPT_ARRAY) && t->btf) {
		align = script_c_align(t->btf, t->c.id);
		return align < 8 ? align : 8;
	}
	while (align > 1 && align > t->size)
		align /= 2;
	return align;
}

void script_tuple_layout(struct script_type *t, struct script_part *parts, uint32_t count)
{
	uint32_t at = 0, most = 1;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t align = script_type_align(&parts[i].type);

		at = (at + align - 1) / align * align;
		parts[i].offset = at;
		at += parts[i].type.size;
		most = align > most ? align : most;
	}
	t->kind = SCRIPT_TUPLE;
	t->parts = parts;
	t->count = count;
	t->size = (at + most - 1) / most * most;
}

const struct script_part *script_part_of(const struct script_type *t, uint32_t number,
					 const char *name)
{
	if (!name)
		return number < t->count ? &t->parts[number] : NULL;
	for (uint32_t i = 0; i < t->count; i++) {
		if (t->parts[i].name && !strcmp(t->parts[i].name, name))
			return &t->parts[i];
	}
	return NULL;
}

/* ---- equality ---- */

static bool parts_equal(const struct script_type *a, const struct script_type *b)
{
	for (uint32_t i = 0; i < a->count; i++) {
		const struct script_part *p = &a->parts[i], *q = &b->parts[i];

		if (!p->name != !q->name || (p->name && strcmp(p->name, q->name)) ||
		    p->offset != q->offset || !script_type_equal(&p->type, &q->type))
			return false;
	}
	return true;
}

/* True for a struct, and for one that is only declared: behind a pointer both are the same. */
static bool is_declared(const struct script_type *t)
{
	return t->c.stars && btf_view_kind(t->btf, t->c.id) == BTF_KIND_FWD;
}

/* One type may have different ids in the views of two points, and in one view, if a module has a copy of its own. */
static bool same_c(const struct script_type *a, const struct script_type *b)
{
	const char *name;

	if (a->c.stars != b->c.stars || a->c.int_size != b->c.int_size ||
	    a->c.int_signed != b->c.int_signed)
		return false;
	if (a->c.int_size || (a->c.id == b->c.id && (a->btf == b->btf || !a->c.id)))
		return true;
	if (!a->btf || !b->btf || !a->c.id || !b->c.id)
		return false;
	if (a->btf == b->btf && btf_view_strip(a->btf, a->c.id) == btf_view_strip(b->btf, b->c.id))
		return true;
	name = btf_view_name(a->btf, a->c.id);
	if (!*name || strcmp(name, btf_view_name(b->btf, b->c.id)))
		return false;
	if (is_declared(a) || is_declared(b))
		return true;
	return btf_view_kind(a->btf, a->c.id) == btf_view_kind(b->btf, b->c.id) &&
	       btf_view_size(a->btf, a->c.id) == btf_view_size(b->btf, b->c.id);
}

static bool has_c(enum script_kind kind)
{
	return kind == SCRIPT_INT || kind == SCRIPT_POINTER || kind == SCRIPT_RECORD ||
	       kind == SCRIPT_ARRAY;
}

/* Arrays of the program, of casts and of the kernel are equal if their elements are. Behind pointers, one may be of a
 * struct that is only declared. */
static bool elements_equal(const struct script_type *a, const struct script_type *b)
{
	struct script_type x = script_type_target(a), y = script_type_target(b);
	bool is_behind = x.kind == SCRIPT_POINTER;

	while (x.kind == SCRIPT_POINTER && y.kind == SCRIPT_POINTER) {
		x = script_type_target(&x);
		y = script_type_target(&y);
	}
	if (is_behind && x.kind == SCRIPT_RECORD && y.kind == SCRIPT_RECORD)
		return !strcmp(script_type_struct(&x), script_type_struct(&y)) &&
		       (x.size == y.size || !x.size || !y.size);
	return x.kind != SCRIPT_VOID && script_type_equal(&x, &y);
}

bool script_type_equal(const struct script_type *a, const struct script_type *b)
{
	if (a->kind != b->kind || a->size != b->size || a->count != b->count)
		return false;
	if (a->kind == SCRIPT_ARRAY)
		return same_c(a, b) || elements_equal(a, b);
	if (has_c(a->kind) && !same_c(a, b))
		return false;
	if (a->kind == SCRIPT_TUPLE || (a->kind == SCRIPT_POINTER && a->count))
		return parts_equal(a, b);
	return a->is_signed == b->is_signed && a->of_bools == b->of_bools && a->mode == b->mode &&
	       a->depth == b->depth && a->low == b->low && a->high == b->high &&
	       a->step == b->step && a->bits == b->bits && a->is_func == b->is_func;
}

/* ---- names ---- */

static const char *const names[SCRIPT_KINDS] = {
	[SCRIPT_NONE] = "none",
	[SCRIPT_VOID] = "void",
	[SCRIPT_BOOL] = "bool",
	[SCRIPT_KSTACK] = "kstack_t",
	[SCRIPT_USTACK] = "ustack_t",
	[SCRIPT_KSYM] = "ksym_t",
	[SCRIPT_USYM] = "usym_t",
	[SCRIPT_INET] = "inet",
	[SCRIPT_MAC] = "mac_address",
	[SCRIPT_TIME] = "timestamp",
	[SCRIPT_CGROUP] = "cgroup_path_t",
	[SCRIPT_USER] = "username",
	[SCRIPT_ERROR] = "strerror_t",
	[SCRIPT_SYSCALL] = "syscall_name_t",
	[SCRIPT_SIGNAL] = "signal_name_t",
	[SCRIPT_POINT] = "probe",
	[SCRIPT_COUNT] = "count_t",
	[SCRIPT_SUM] = "sum_t",
	[SCRIPT_MIN] = "min_t",
	[SCRIPT_MAX] = "max_t",
	[SCRIPT_AVG] = "avg_t",
	[SCRIPT_STATS] = "stats_t",
	[SCRIPT_HIST] = "hist_t",
	[SCRIPT_LHIST] = "lhist_t",
	[SCRIPT_TSERIES] = "tseries_t",
	[SCRIPT_MODE] = "mode",
};

static void write_int(uint32_t size, bool is_signed, struct buf *o)
{
	buf_printf(o, "%sint%u", is_signed ? "" : "u", size * 8);
}

static void write_c(const struct btf_view *btf, struct ctype c, struct buf *o)
{
	char text[160];
	uint8_t stars = c.stars;

	if (c.int_size) {
		write_int(c.int_size, c.int_signed, o);
		buf_str(o, stars ? " " : "");
		buf_repeat(o, '*', stars);
	} else if (btf) {
		ctype_declare(btf, c, "", text, sizeof(text));
		buf_str(o, text);
	} else {
		buf_str(o, "void ");
		buf_repeat(o, '*', stars ? stars : 1);
	}
}

static void write_array(const struct btf_view *btf, const struct script_type *t, struct buf *o)
{
	struct script_type element = script_type_target(t);

	script_type_write(btf, &element, o);
	buf_printf(o, "[%u]", t->count);
}

/* record { .a = int8, .b = string[2] } */
static void write_record(const struct btf_view *btf, const struct script_type *t, struct buf *o)
{
	buf_str(o, "record {");
	for (uint32_t i = 0; i < t->count; i++) {
		buf_printf(o, "%s .%s = ", i ? "," : "", t->parts[i].name);
		script_type_write(btf, &t->parts[i].type, o);
	}
	buf_str(o, " }");
}

static void write_pointer(const struct btf_view *btf, const struct script_type *t, struct buf *o)
{
	if (!t->count) {
		write_c(btf, t->c, o);
		return;
	}
	script_type_write(btf, &t->parts[0].type, o);
	buf_str(o, " *");
}

static void write_tuple(const struct btf_view *btf, const struct script_type *t, struct buf *o)
{
	if (t->count && t->parts[0].name) {
		write_record(btf, t, o);
		return;
	}
	buf_char(o, '(');
	for (uint32_t i = 0; i < t->count; i++) {
		if (i)
			buf_char(o, ',');
		script_type_write(btf, &t->parts[i].type, o);
	}
	buf_char(o, ')');
}

void script_type_write(const struct btf_view *btf, const struct script_type *t, struct buf *o)
{
	if (t->btf)
		btf = t->btf;
	switch (t->kind) {
	case SCRIPT_INT:
		if (t->c.id && btf)
			write_c(btf, t->c, o);
		else
			write_int(t->size, t->is_signed, o);
		return;
	case SCRIPT_POINTER: write_pointer(btf, t, o); return;
	case SCRIPT_RECORD:
		if (t->by_arg)
			buf_str(o, "args");
		else
			write_c(btf, t->c, o);
		return;
	case SCRIPT_ARRAY: write_array(btf, t, o); return;
	case SCRIPT_STRING: buf_printf(o, t->size ? "string[%u]" : "string", t->size); return;
	case SCRIPT_BUFFER: buf_printf(o, "buffer[%u]", t->size - 4); return;
	case SCRIPT_TUPLE: write_tuple(btf, t, o); return;
	default: buf_str(o, names[t->kind]); return;
	}
}
