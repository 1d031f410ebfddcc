/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * format.c - how a value is shown, and therefore how it is stored in the record: by its :FORMAT,
 * else by its type (format_default.c, format_type.c).
 *
 * The second half of resolve. Nothing here knows how memory is read.
 */
#include "expr/resolve/format.h"

#include <stdio.h>
#include <string.h>

#include "expr/ctype.h"
#include "output/field/flag_names.h"

/* ---- by a :FORMAT ---- */

static bool is_address(const struct compile *c, const struct slot *s)
{
	struct ctype type = s->root->type;
	uint64_t size = ctype_size(c->in->btf, type);

	return ctype_is_array(c->in->btf, type) ||
	       (!ctype_is_composite(c->in->btf, type) && !s->root->bit_size &&
		(size == 8 || (size == 4 && c->in->site.compat)));
}

/* str[EXPR], hex[EXPR] */
static void rule_counted(struct compile *c, struct slot *s, const struct format_rule *rule)
{
	const struct btf_view *b = c->in->btf;
	bool is_hex = rule->type == FIELD_BYTES;

	if (rule->wants != WANTS_STRING && !is_hex) {
		compile_fail(c, s->format.span, "only str, ustr and hex take a computed length");
		compile_hint(c, "a constant is a number of elements: %.*s:%s[8]",
			     SPAN_ARG(s->text, s->root->span), rule->name);
	} else if (!ctype_is_integer(b, s->format.bytes->type)) {
		compile_fail(c, s->format.bytes->span, "a length is a number");
	} else if (!is_address(c, s)) {
		format_fail(c, s, "is not an address");
	} else {
		format_counted(c, s, is_hex ? FIELD_COUNTED_BYTES : FIELD_COUNTED,
			       is_hex && ctype_is_user(b, s->root->type) ? STRING_USER :
									   rule->space);
	}
}

static void rule_string(struct compile *c, struct slot *s, const struct format_rule *rule)
{
	const struct btf_view *b = c->in->btf;
	bool is_array = ctype_is_array(b, s->root->type);

	if (s->format.count) {
		compile_fail(c, s->format.span, "arrays of strings are not supported");
		compile_hint(c, "name an element: %.*s[0]", SPAN_ARG(s->text, s->root->span));
	} else if (is_array && rule->space == STRING_USER) {
		format_fail(c, s, "lies in kernel memory");
	} else if (is_array && ctype_is_char(b, ctype_target(b, s->root->type))) {
		format_by_type(c, s);
	} else if (is_address(c, s)) {
		format_string(c, s, rule->space);
	} else {
		format_fail(c, s, "is not the address of a string");
	}
}

/* Elements of the format's size, or of the array's own. */
static void rule_elements(struct compile *c, struct slot *s, const struct format_rule *rule)
{
	const struct btf_view *b = c->in->btf;
	struct ctype type = s->root->type, element = format_innermost(c, type);
	uint64_t all = ctype_is_array(b, type) ? ctype_size(b, type) : 0, size, count;

	if (symbol_is_untyped(c, s->root)) {
		s->root = symbol_words(c, s->root);
		type = s->root->type;
	}
	if (ctype_is_pointer(b, type))
		element = format_innermost(c, ctype_target(b, type));
	size = rule->size ?: ctype_size(b, element);
	if (!is_address(c, s)) {
		format_fail(c, s, "is not an address");
		return;
	}
	if (!is_load_size(size)) {
		format_fail(c, s, "has no elements that are numbers");
		compile_hint(c, "give their size: u8 s8 x8 to u64 s64 x64");
		return;
	}
	count = s->format.count ?: all / size;
	if (!count) {
		format_fail(c, s, "has no length");
		compile_hint(c, "give the number: %.*s:%s[8]", SPAN_ARG(s->text, s->root->span),
			     rule->name);
	} else if (count * size > BYTES_LIMIT) {
		compile_fail(c, s->format.span, "an array of %llu bytes: the maximum is %d",
			     (unsigned long long)(count * size), BYTES_LIMIT);
	} else {
		format_bytes(c, s, rule->type, count * size);
		s->store.count = count;
	}
}

/* Like a cast, uses the low bytes. A wider format extends the value by its type. */
static void rule_number(struct compile *c, struct slot *s, const struct format_rule *rule)
{
	if (s->format.count || ctype_is_array(c->in->btf, s->root->type)) {
		rule_elements(c, s, rule);
		return;
	}
	/* the number of a string is its address */
	if (ctype_is_pointer(c->in->btf, s->root->type))
		format_scalar(s, FIELD_PTR, 8);
	else
		format_by_type(c, s);
	if (c->err)
		return;
	if (s->store.kind != STORE_SCALAR) {
		compile_fail(c, s->format.name, "format %s is for numbers", rule->name);
		return;
	}
	/* 200 in a u8 is not -56; a pointer is an error or hexadecimal */
	if (rule->type == FIELD_INT && rule->size > s->store.size && s->store.type != FIELD_INT)
		s->store.type = FIELD_UINT;
	else if (rule->type != FIELD_ERROR || s->store.type != FIELD_PTR)
		s->store.type = rule->type;
	if (rule->size && rule->size < s->store.size)
		s->store.size = rule->size;
}

static void rule_memory(struct compile *c, struct slot *s, const struct format_rule *rule)
{
	const struct btf_view *b = c->in->btf;
	struct ctype type = s->root->type;
	bool lies = ctype_is_composite(b, type) || ctype_is_array(b, type);
	uint64_t have = lies ? ctype_size(b, type) : 0, size = rule->size;
	uint32_t count = rule->size ? s->format.count : 0;

	if (!rule->size)
		size = s->format.count ?: have;
	if (lies && rule->type == FIELD_SOCKADDR && have < size)
		size = have;
	if (!lies && !is_address(c, s)) {
		format_fail(c, s, "is not an address");
	} else if (!size) {
		format_fail(c, s, "has no known length");
		compile_hint(c, "give it: %.*s:hex[16]", SPAN_ARG(s->text, s->root->span));
	} else if (rule->size && have && have < size * (count ?: 1)) {
		format_fail(c, s, "has fewer bytes than that format");
	} else if (size * (count ?: 1) > BYTES_LIMIT) {
		compile_fail(c, s->format.span, "the maximum is %d bytes", BYTES_LIMIT);
	} else {
		format_bytes(c, s, rule->type, size * (count ?: 1));
		s->store.count = count;
	}
}

/* True for guid_t. uuid_t has the same 16 bytes in another order. */
static bool is_guid(const struct compile *c, const struct slot *s)
{
	const struct btf_view *b = c->in->btf;
	struct ctype type = s->root->type;

	if (ctype_is_pointer(b, type))
		type = ctype_target(b, type);
	return !type.stars && !type.int_size && !strcmp(btf_view_name(b, type.id), "guid_t");
}

/* The record tells whose address it is. */
static void rule_user_symbol(struct compile *c, struct slot *s)
{
	if (slot_is_key(c->p, s)) {
		compile_fail(c, s->format.name, "calls cannot be counted by user symbols");
		compile_hint(c, "they differ by process: count by the address, %.*s:x",
			     SPAN_ARG(s->text, s->root->span));
	} else if (s->store.count) {
		compile_fail(c, s->format.span, "user symbols are shown one by one");
	}
	s->store.size = sizeof(uint64_t);
}

/* A number if it has the format's size, else its bytes in memory. */
static void rule_either(struct compile *c, struct slot *s, const struct format_rule *rule)
{
	const struct btf_view *b = c->in->btf;
	struct ctype type = s->root->type;
	bool number = !s->format.count && !ctype_is_address(b, type) &&
		      !ctype_is_composite(b, type) && ctype_size(b, type) == rule->size;

	(number ? rule_number : rule_memory)(c, s, rule);
}

static void rule_apply(struct compile *c, struct slot *s, const struct format_rule *rule)
{
	static void (*const rules[])(struct compile * c, struct slot * s,
				     const struct format_rule *rule) = {
		[WANTS_NUMBER] = rule_number,	[WANTS_STRING] = rule_string,
		[WANTS_BYTES] = rule_memory,	[WANTS_PATH] = format_path,
		[WANTS_EITHER] = rule_either,	[WANTS_SOCK] = format_sock,
		[WANTS_FLOW] = format_flow,	[WANTS_PACKET] = format_packet,
		[WANTS_HEADER] = format_header, [WANTS_ENUM] = rule_number,
	};

	if (rule->type == FIELD_USER && ctype_is_composite(c->in->btf, s->root->type))
		format_replace_root(c, s, ".val"); /* kuid_t */
	(s->format.bytes ? rule_counted : rules[rule->wants])(c, s, rule);
	if (rule->type == FIELD_UUID && is_guid(c, s))
		s->store.type = FIELD_GUID;
	if (rule->type == FIELD_USYM)
		rule_user_symbol(c, s);
	s->store.names = rule->names == flags_gfp ? format_gfp_names(c) : rule->names;
	if (rule->wants == WANTS_ENUM && !c->err)
		format_enum_of(c, s);
}

/* b4@2/32: 4 bits from bit 2 on, of a 32-bit integer, as in kprobe_events. */
static void rule_bits(struct compile *c, struct slot *s)
{
	static const struct format_rule unsigned_rule = { "b", WANTS_NUMBER, FIELD_UINT };
	const char *name = s->text + s->format.name.start;
	unsigned width = 0, container = s->format.bit_container;
	int used = 0;

	if (sscanf(name, "b%2u%n", &width, &used) != 1 ||
	    used != (int)(s->format.name.end - s->format.name.start) || !width ||
	    !is_load_size(container / 8) || container % 8 ||
	    width + s->format.bit_offset > container) {
		compile_fail(c, s->format.span, "no such bits");
		compile_hint(c, "b4@2/32 is 4 bits from bit 2 on, of an integer of 32");
		return;
	}
	if (s->format.count || s->format.bytes || ctype_is_array(c->in->btf, s->root->type)) {
		format_fail(c, s, "is not a number");
		return;
	}
	rule_number(c, s, &unsigned_rule);
	if (!c->err && width + s->format.bit_offset > s->store.size * 8)
		format_fail(c, s, "has fewer bits");
	s->store.bit_offset = s->format.bit_offset;
	s->store.bit_size = width;
}

/* ---- special cases ---- */

/* Uses a value of the record's header, which need not be read. */
static void format_from_header(struct compile *c, struct slot *s)
{
	const struct builtin *builtin = s->root->builtin;

	if (!builtin || builtin->header < 0)
		return;
	if (s->at_end && builtin->int_size) /* the header of a pair is the begin's */
		return;
	s->place.offset = builtin->header;
	s->store.kind = STORE_HEADER;
	if (builtin->int_size)
		return;
	s->store.type = FIELD_CSTR;
	s->store.size = EVENT_COMM_LEN;
	if (s->format.name.end)
		compile_fail(c, s->format.span, "it has a format of its own");
}

/* "text" is the same in each record. */
static void format_literal(struct compile *c, struct slot *s)
{
	s->store.kind = STORE_TEXT;
	s->store.type = FIELD_CSTR;
	s->store.size = s->root->number + 1;
	if (s->format.span.end)
		compile_fail(c, s->format.span, "it has a format of its own");
}

/* A bitfield that spans nine bytes does not fit a register: its bytes are copied, and the reader
 * extracts the bits. */
static void format_long_bits(struct slot *s)
{
	uint32_t shift = s->root->bit_offset % 8;

	if (s->store.kind != STORE_SCALAR || shift + s->root->bit_size <= 64)
		return;
	s->store.kind = STORE_BYTES;
	s->store.size = (shift + s->root->bit_size + 7) / 8;
	s->store.bit_offset = shift;
	s->store.bit_size = s->root->bit_size;
}

/* A condition is a number or a pointer, and is not shown. */
static void format_condition(struct compile *c, struct slot *s)
{
	const struct btf_view *b = c->in->btf;
	struct ctype t = s->root->type;

	s->store.kind = STORE_FILTER;
	format_refuse(c, s, "a condition");
	if (!c->err && !ctype_is_integer(b, t) && !ctype_is_address(b, t))
		format_fail(c, s, "cannot be a condition");
}

/* took:ns, the only format: what is measured is a time, as $lat is. */
static bool is_nanoseconds(const struct slot *s)
{
	struct span name = s->format.name;

	return name.end - name.start == 2 && !s->format.has_bits && !s->format.length &&
	       !memcmp(s->text + name.start, "ns", 2);
}

static void format_measured(struct compile *c, struct slot *s)
{
	const struct btf_view *b = c->in->btf;
	struct ctype t = s->root->type;

	format_scalar(s, ctype_is_signed(b, t) ? FIELD_INT : FIELD_UINT, 8);
	if (s->format.span.end && !is_nanoseconds(s))
		compile_fail(c, s->format.span,
			     "a measured expression can have no other format than :ns");
	else if (!ctype_is_integer(b, t))
		format_fail(c, s, "is not a number: it cannot be measured");
	format_ret(s); /* $lat is a time */
	if (s->format.span.end)
		s->store.type = FIELD_NS;
}

/* By the format, if there is one, else by the type. */
static void format_requested(struct compile *c, struct slot *s)
{
	const struct format_rule *rule = NULL;
	bool is_comm = s->root->builtin && s->root->builtin->id == BUILTIN_COMM;

	if (s->format.name.end && !s->format.has_bits)
		rule = format_rule_find(c, s);
	else
		rule = format_default(c, s);
	if (c->err)
		return;
	if (!is_comm && s->format.has_bits)
		rule_bits(c, s);
	else if (!is_comm && rule)
		rule_apply(c, s, rule);
	else if (!is_comm)
		format_by_type(c, s);
	if (!c->err && !s->format.name.end)
		if (s->root->builtin)
			format_builtin(c, s);
}

static void format_value(struct compile *c, struct slot *s)
{
	format_requested(c, s);
	if (!c->err)
		format_from_header(c, s);
	if (!c->err && s->root->bit_size)
		format_long_bits(s);
	if (!c->err && s->format.length && s->store.type != FIELD_CSTR &&
	    s->store.kind != STORE_PATH && s->store.kind != STORE_COUNTED &&
	    s->store.kind != STORE_PACKET)
		compile_fail(c, s->format.span, "a length is for strings");
}

/* $kstack, $ustack: a key in the record, frames in the output. */
static bool is_stack(const struct slot *s)
{
	const struct builtin *b = s->root->builtin;

	return b && (b->id == BUILTIN_KSTACK || b->id == BUILTIN_USTACK);
}

static void format_stack(struct compile *c, struct slot *s)
{
	bool user = s->root->builtin->id == BUILTIN_USTACK;

	s->store.kind = STORE_STACK;
	s->store.type = user ? FIELD_USER_STACK : FIELD_KERNEL_STACK;
	s->store.size = user ? sizeof(struct stack_id) : sizeof(uint64_t);
	if (s->format.span.end)
		compile_fail(c, s->format.span, "it has a format of its own");
}

void expr_format(struct compile *c, struct slot *s)
{
	if (s < c->p->slots + c->p->filter_count) {
		format_condition(c, s);
		return;
	}
	if (s->role) {
		pair_format(c, s);
		return;
	}
	if (slot_is_measured(c->p, s)) {
		format_measured(c, s);
		return;
	}
	if (s->trigger) {
		trigger_format(c, s);
		return;
	}
	if (s->diff.part)
		format_diff(c, s);
	if (s->diff.part == DIFF_PLACE)
		format_scalar(s, FIELD_DIFF, 8);
	else if (s->root->kind == NODE_STRING)
		format_literal(c, s);
	else if (is_stack(s))
		format_stack(c, s);
	else
		format_value(c, s);
}
