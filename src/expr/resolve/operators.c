/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * operators.c - types of operator results: C's promotions and conversions, pointer arithmetic;
 * and constant folding.
 */
#include "expr/ctype.h"
#include "expr/resolve/format.h"

static bool is_pointer(struct compile *c, const struct node *n)
{
	return ctype_is_address(c->in->btf, n->type);
}

/* d_name.name and others point to unsigned chars. */
static bool is_string(struct compile *c, const struct node *n)
{
	struct ctype target = ctype_target(c->in->btf, n->type);

	return n->kind == NODE_STRING || (n->builtin && n->builtin->id == BUILTIN_COMM) ||
	       (is_pointer(c, n) && ctype_is_integer(c->in->btf, target) &&
		ctype_size(c->in->btf, target) == 1);
}

static bool is_scalar(struct compile *c, const struct node *n)
{
	if (n->kind == NODE_STRING || (n->builtin && n->builtin->id == BUILTIN_COMM))
		return false;
	return is_pointer(c, n) || ctype_is_integer(c->in->btf, n->type);
}

/* __int128 is shown, but no register has it. */
static bool need_register(struct compile *c, const struct node *n)
{
	char text[DECLARATION_MAX];

	if (!c->err && !is_pointer(c, n) && ctype_size(c->in->btf, n->type) > sizeof(uint64_t))
		compile_fail(c, n->span, "%s is too large to compute with",
			     compile_declared(c, n->type, text));
	return !c->err;
}

static bool need_integer(struct compile *c, const struct node *n, const struct node *whole)
{
	char text[DECLARATION_MAX];

	if (c->err)
		return false;
	if (n->kind == NODE_STRING)
		compile_fail(c, n->span, "%s is for numbers, but this is a text",
			     oper_text(whole->oper));
	else if (!ctype_is_integer(c->in->btf, n->type) ||
		 (n->builtin && n->builtin->id == BUILTIN_COMM))
		compile_fail(c, n->span, "%s needs an integer, but this is %s",
			     oper_text(whole->oper), compile_declared(c, n->type, text));
	return need_register(c, n);
}

static bool need_scalar(struct compile *c, const struct node *n)
{
	char text[DECLARATION_MAX];

	if (!c->err && !is_scalar(c, n))
		compile_fail(c, n->span, "a number or a pointer is needed, but this is %s",
			     n->kind == NODE_STRING ? "a text" :
						      compile_declared(c, n->type, text));
	return need_register(c, n);
}

/* ---- types ---- */

/* Types smaller than int become int; so does a bitfield that fits into int (C11 6.3.1.1). */
static struct ctype promoted(struct compile *c, const struct node *n)
{
	uint64_t size = ctype_size(c->in->btf, n->type);
	bool is_signed = ctype_is_signed(c->in->btf, n->type);

	if (n->bit_size && n->bit_size < 32)
		return ctype_int(4, true);
	if (n->bit_size)
		size = n->bit_size > 32 ? 8 : 4;
	return size < 4 ? ctype_int(4, true) : ctype_int(size > 4 ? 8 : 4, is_signed);
}

/* The usual arithmetic conversions (C11 6.3.1.8). */
static struct ctype common(struct compile *c, const struct node *a, const struct node *b)
{
	struct ctype x = promoted(c, a), y = promoted(c, b);

	if (x.int_size != y.int_size)
		return x.int_size > y.int_size ? x : y;
	return ctype_int(x.int_size, x.int_signed && y.int_signed);
}

/* ---- constants ---- */

static int64_t truncated(int64_t number, struct ctype t)
{
	if (t.int_size >= 8)
		return number;
	number = (uint64_t)number << (64 - 8 * t.int_size);
	return t.int_signed ? number >> (64 - 8 * t.int_size) :
			      (int64_t)((uint64_t)number >> (64 - 8 * t.int_size));
}

static int64_t compared(enum oper oper, int64_t a, int64_t b, bool is_signed)
{
	bool less = is_signed ? a < b : (uint64_t)a < (uint64_t)b;

	switch (oper) {
	case OPER_LT: return less;
	case OPER_GT: return !less && a != b;
	case OPER_LE: return less || a == b;
	case OPER_GE: return !less;
	case OPER_EQ: return a == b;
	default: return a != b;
	}
}

static int64_t divided(enum oper oper, int64_t a, int64_t b, bool is_signed)
{
	if (!is_signed)
		return oper == OPER_DIV ? (uint64_t)a / (uint64_t)b : (uint64_t)a % (uint64_t)b;
	if (b == -1) /* the only quotient that overflows */
		return oper == OPER_DIV ? (int64_t) - (uint64_t)a : 0;
	return oper == OPER_DIV ? a / b : a % b;
}

static int64_t computed(enum oper oper, int64_t a, int64_t b, struct ctype t)
{
	unsigned shift = b & (t.int_size * 8 - 1);

	switch (oper) {
	case OPER_MUL: return (uint64_t)a * b;
	case OPER_ADD: return (uint64_t)a + b;
	case OPER_SUB: return (uint64_t)a - b;
	case OPER_AND: return a & b;
	case OPER_OR: return a | b;
	case OPER_XOR: return a ^ b;
	case OPER_SHL: return (uint64_t)a << shift;
	case OPER_SHR: return t.int_signed ? a >> shift : (int64_t)((uint64_t)a >> shift);
	default: return divided(oper, a, b, t.int_signed);
	}
}

static void number_set(struct node *n, int64_t number)
{
	n->number = truncated(number, n->type);
	n->kind = NODE_NUMBER;
	n->child = n->other = NULL;
	n->number_long = n->type.int_size == 8;
	n->number_unsigned = !n->type.int_signed;
}

/* Folds constants. `t` is the type of the computation. */
static void fold(struct node *n, struct ctype t, bool comparison)
{
	int64_t a, b;

	if (n->child->kind != NODE_NUMBER || n->other->kind != NODE_NUMBER)
		return;
	a = truncated(n->child->number, t);
	b = n->oper == OPER_SHL || n->oper == OPER_SHR ? n->other->number :
							 truncated(n->other->number, t);
	number_set(n,
		   comparison ? compared(n->oper, a, b, t.int_signed) : computed(n->oper, a, b, t));
}

/* ---- one operand ---- */

void resolve_unary(struct compile *c, struct node *n)
{
	n->category = CATEGORY_RVALUE;
	if (n->oper == OPER_NOT) {
		n->type = ctype_int(4, true);
		if (need_scalar(c, n->child) && n->child->kind == NODE_NUMBER)
			number_set(n, !n->child->number);
		return;
	}
	if (!need_integer(c, n->child, n))
		return;
	n->type = promoted(c, n->child);
	if (n->child->kind != NODE_NUMBER)
		return;
	number_set(n, n->oper == OPER_NEGATE ? (int64_t) - (uint64_t)n->child->number :
					       ~n->child->number);
}

/* ---- two operands ---- */

bool node_is_user(const struct compile *c, const struct node *n)
{
	while (n->kind == NODE_MEMBER)
		n = n->child;
	if (n->kind != NODE_ARROW && n->kind != NODE_DEREF && n->kind != NODE_INDEX)
		return false;
	n = n->child;
	return ctype_is_array(c->in->btf, n->type) ? node_is_user(c, n) :
						     ctype_is_user(c->in->btf, n->type);
}

/* The pointer that an array becomes. */
static struct ctype element_pointer(const struct compile *c, const struct node *array)
{
	struct ctype type = ctype_pointer_to(ctype_target(c->in->btf, array->type));

	type.user = node_is_user(c, array);
	return type;
}

/* pointer ± integer, integer + pointer, pointer - pointer. Returns false for other operands. */
static bool resolve_pointers(struct compile *c, struct node *n)
{
	bool left = is_pointer(c, n->child), right = is_pointer(c, n->other);
	struct node *pointer = left ? n->child : n->other;
	struct ctype target;
	char text[DECLARATION_MAX];

	if ((!left && !right) || (n->oper != OPER_ADD && n->oper != OPER_SUB) ||
	    (left && right && n->oper == OPER_ADD) || (!left && n->oper == OPER_SUB))
		return false;
	if (!(left && right) && !need_integer(c, left ? n->other : n->child, n))
		return true;
	target = ctype_target(c->in->btf, pointer->type);
	n->type = left && right				    ? ctype_int(8, true) :
		  ctype_is_array(c->in->btf, pointer->type) ? element_pointer(c, pointer) :
							      pointer->type;
	/* void * counts in bytes, as in GNU C */
	if (!ctype_size(c->in->btf, target) && (target.id || target.stars))
		compile_fail(c, pointer->span, "%s points at nothing of a known size",
			     compile_declared(c, pointer->type, text));
	return true;
}

/* A value in network byte order is shown, and compared, as the number that it means: the constant
 * is converted to that order. */
static void resolve_big_endian(struct compile *c, struct node *n)
{
	unsigned left = ctype_big_endian(c->in->btf, n->child->type);
	unsigned right = ctype_big_endian(c->in->btf, n->other->type);
	struct node *number = left ? n->other : n->child, *value = left ? n->child : n->other;
	unsigned shift = 64 - 8 * (left ?: right);

	if (!left == !right || number->kind != NODE_NUMBER || !number->number || value->bit_size)
		return;
	if (n->oper != OPER_EQ && n->oper != OPER_NE) {
		compile_fail(c, n->op, "a value in network byte order compares by == and !=");
		compile_hint(c, "its bytes are not in the order of this machine's numbers");
	} else if ((uint64_t)number->number << shift >> shift == (uint64_t)number->number) {
		number->type = ctype_int(8, false);
		number_set(number, (int64_t)(__builtin_bswap64((uint64_t)number->number) >> shift));
	}
}

/* Pointers compare without a sign, so none is below 0. But functions return errors in them, and
 * such a comparison looks for these: POINTER < 0 is POINTER >= -4095 (IS_ERR of linux/err.h). */
static void resolve_error_pointer(struct compile *c, struct node *n)
{
	bool left = ctype_is_pointer(c->in->btf, n->child->type);
	struct node *number = left ? n->other : n->child;
	enum oper below = left ? OPER_LT : OPER_GT, not_below = left ? OPER_GE : OPER_LE;

	if (left == ctype_is_pointer(c->in->btf, n->other->type) || number->kind != NODE_NUMBER ||
	    number->number || (n->oper != below && n->oper != not_below))
		return;
	n->oper = n->oper == below ? not_below : below;
	number->type = ctype_int(8, true);
	number_set(number, -4095);
}

static void resolve_comparison(struct compile *c, struct node *n)
{
	bool pointers = is_pointer(c, n->child) || is_pointer(c, n->other);

	n->type = ctype_int(4, true);
	if (!c->err)
		resolve_error_pointer(c, n);
	if (!c->err)
		resolve_big_endian(c, n);
	if (need_scalar(c, n->child) && need_scalar(c, n->other))
		fold(n, pointers ? ctype_int(8, false) : common(c, n->child, n->other), true);
}

static void resolve_arithmetic(struct compile *c, struct node *n)
{
	bool shift = n->oper == OPER_SHL || n->oper == OPER_SHR;

	if (!need_integer(c, n->child, n) || !need_integer(c, n->other, n))
		return;
	n->type = shift ? promoted(c, n->child) : common(c, n->child, n->other);
	if (shift && n->other->kind == NODE_NUMBER && n->other->number >= n->type.int_size * 8) {
		compile_fail(c, n->other->span, "a shift must be by 0 to %u bits",
			     n->type.int_size * 8 - 1);
		if (n->type.int_size < 8)
			compile_hint(c, "a cast makes it wider: (u64)%.*s",
				     SPAN_ARG(c->slot->text, n->child->span));
		return;
	}
	if ((n->oper == OPER_DIV || n->oper == OPER_MOD) && n->other->kind == NODE_NUMBER &&
	    !truncated(n->other->number, n->type))
		compile_fail(c, n->other->span, "division by zero");
	else
		fold(n, n->type, false);
}

static void fail_texts(struct compile *c, struct node *n)
{
	char text[DECLARATION_MAX];
	int offset;
	bool is_dentry;
	const struct node *odd = is_string(c, n->child) ? n->other : n->child;

	if (n->oper == OPER_MATCH && n->other->kind != NODE_STRING)
		compile_fail(c, n->other->span, "~ needs a pattern: \"/tmp/*\"");
	else if (odd->kind == NODE_STRING)
		compile_fail(c, odd->span, "both sides are constant texts");
	else {
		compile_fail(c, odd->span,
			     "text cannot be compared with this: it is %s, not a string",
			     compile_declared(c, odd->type, text));
		if (format_path_find(c, odd, &offset, &is_dentry))
			compile_hint(c, "its path can: %.*s:path %s \"/etc/*\"",
				     SPAN_ARG(c->slot->text, odd->span), oper_text(n->oper));
	}
}

/* string == "text", string != "text", string ~ "glob" */
static void resolve_texts(struct compile *c, struct node *n)
{
	if (n->child->kind == NODE_STRING && n->oper != OPER_MATCH) {
		struct node *text = n->child;

		n->child = n->other;
		n->other = text;
	}
	n->type = ctype_int(4, true);
	if (n->oper != OPER_EQ && n->oper != OPER_NE && n->oper != OPER_MATCH)
		compile_fail(c, n->op, "texts compare by ==, != and ~");
	else if (resolve_sock_text(c, n) || resolve_func_name(c, n) || resolve_text_type(c, n))
		return;
	else if (n->other->kind != NODE_STRING || n->child->kind == NODE_STRING ||
		 !is_string(c, n->child))
		fail_texts(c, n);
}

void resolve_binary(struct compile *c, struct node *n)
{
	n->category = CATEGORY_RVALUE;
	if (n->oper == OPER_MATCH || n->child->kind == NODE_STRING ||
	    n->other->kind == NODE_STRING || n->child->kind == NODE_SOCK)
		resolve_texts(c, n);
	else if (oper_compares(n->oper))
		resolve_comparison(c, n);
	else if (!resolve_pointers(c, n))
		resolve_arithmetic(c, n);
}

void resolve_logical(struct compile *c, struct node *n)
{
	n->category = CATEGORY_RVALUE;
	n->type = ctype_int(4, true);
	need_scalar(c, n->child);
	need_scalar(c, n->other);
}

/* Both pointers, or both numbers; a number together with a pointer is NULL. */
void resolve_choice(struct compile *c, struct node *n)
{
	bool left = is_pointer(c, n->other), right = is_pointer(c, n->third);

	n->category = CATEGORY_RVALUE;
	if (!need_scalar(c, n->child) || !need_scalar(c, n->other) || !need_scalar(c, n->third))
		return;
	if (!left && !right)
		n->type = common(c, n->other, n->third);
	else
		n->type = left ? n->other->type : n->third->type;
	if (ctype_is_array(c->in->btf, n->type))
		n->type = element_pointer(c, left ? n->other : n->third);
}

/* ---- casts ---- */

/* True if a pointer that is made of the node points to a program's memory. */
static bool is_in_program(const struct compile *c, const struct node *n)
{
	const struct btf_view *b = c->in->btf;

	if (!c->in->site.own_types || !c->in->site.in_user)
		return false;
	if (ctype_is_array(b, n->type))
		return node_is_user(c, n);
	return ctype_is_pointer(b, n->type) ? ctype_is_user(b, n->type) : !n->builtin || n->reg;
}

void resolve_cast(struct compile *c, struct node *n)
{
	struct ctype t = resolve_type_name(c, &n->type_name);
	char text[DECLARATION_MAX];

	if (c->err || !need_scalar(c, n->child))
		return;
	n->category = CATEGORY_RVALUE;
	n->type = t;
	n->type.user |= t.stars && is_in_program(c, n->child);
	if (!ctype_is_integer(c->in->btf, t) && !ctype_is_pointer(c->in->btf, t)) {
		compile_fail(c, n->type_name.span, "a value cannot be converted to %s",
			     compile_declared(c, t, text));
		if (ctype_is_composite(c->in->btf, t))
			compile_hint(c, "a pointer can: (%s *)", text);
	} else if (n->child->kind == NODE_NUMBER && t.int_size && !t.stars) {
		number_set(n, n->child->number);
	}
}
