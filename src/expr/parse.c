// SPDX-License-Identifier: GPL-2.0
/*
 * parse.c - tokens → nodes, by recursive descent; the grammar rule stands above each function.
 *
 * Binary operators, casts and calls will come between `expression` and `unary`. It must not know
 * types: whether `.` fits a pointer is resolve's business.
 */
#include <string.h>

#include "expr/compiler.h"

struct parser {
	struct compile *c;
	struct slot *slot;
	const struct token *t; /* the next one; it never leaves TOKEN_END */
	int nesting;
};

static struct node *expression(struct parser *p);
static struct node *unary(struct parser *p);

/* ---- tokens ---- */

static bool token_is(const struct parser *p, const struct token *t, const char *punct)
{
	size_t len = t->span.end - t->span.start;

	return t->kind == TOKEN_PUNCT && strlen(punct) == len &&
	       !memcmp(p->slot->text + t->span.start, punct, len);
}

static bool accept(struct parser *p, const char *punct)
{
	if (!token_is(p, p->t, punct))
		return false;
	p->t++;
	return true;
}

static void fail_expected(struct parser *p, const char *what)
{
	if (p->t->kind == TOKEN_END)
		compile_fail(p->c, p->t->span, "%s expected at the end", what);
	else
		compile_fail(p->c, p->t->span, "%s expected, not '%.*s'", what,
		             SPAN_ARG(p->slot->text, p->t->span));
}

static struct span expect_name(struct parser *p, const char *what)
{
	struct span span = p->t->span;

	if (p->t->kind == TOKEN_NAME)
		p->t++;
	else
		fail_expected(p, what);
	return span;
}

static void expect(struct parser *p, const char *punct, const char *what)
{
	if (!accept(p, punct))
		fail_expected(p, what);
}

static uint32_t previous_end(const struct parser *p)
{
	return p->t[-1].span.end;
}

/* ---- nodes ---- */

static struct node *node_new(struct parser *p, enum node_kind kind, uint32_t start,
                             struct node *child)
{
	struct node *n = compile_alloc(p->c, sizeof(*n));

	if (!n)
		return NULL;
	n->kind = kind;
	n->child = child;
	n->span = (struct span){ start, p->t->span.end };
	return n;
}

/* A node that is the next token, which it takes. */
static struct node *node_token(struct parser *p, enum node_kind kind)
{
	struct node *n = node_new(p, kind, p->t->span.start, NULL);

	if (!n)
		return NULL;
	n->name = p->t->span;
	n->number = p->t->number;
	p->t++;
	return n;
}

/* ---- grammar ---- */

/* primary = name | "$" name | number | "(" expression ")" */
static struct node *primary(struct parser *p)
{
	struct node *n;

	if (p->t->kind == TOKEN_NAME)
		return node_token(p, NODE_NAME);
	if (p->t->kind == TOKEN_BUILTIN)
		return node_token(p, NODE_BUILTIN);
	if (p->t->kind == TOKEN_NUMBER)
		return node_token(p, NODE_NUMBER);
	if (!accept(p, "(")) {
		fail_expected(p, "a parameter's name");
		return NULL;
	}
	n = expression(p);
	expect(p, ")", "')'");
	return n;
}

/* index = "[" expression "]" */
static struct node *index_of(struct parser *p, struct node *child, uint32_t start)
{
	struct node *n = node_new(p, NODE_INDEX, start, child);

	if (!n)
		return NULL;
	p->t++;
	n->other = expression(p);
	expect(p, "]", "']'");
	n->span.end = previous_end(p);
	return n;
}

/* member = ("->" | ".") name */
static struct node *member_of(struct parser *p, struct node *child, uint32_t start)
{
	enum node_kind kind = token_is(p, p->t, "->") ? NODE_ARROW : NODE_MEMBER;
	struct node *n = node_new(p, kind, start, child);

	if (!n)
		return NULL;
	n->op = p->t->span;
	p->t++;
	n->name = expect_name(p, "a member's name");
	n->span.end = previous_end(p);
	return n;
}

/* postfix = primary { member | index } */
static struct node *postfix(struct parser *p)
{
	uint32_t start = p->t->span.start;
	struct node *n = primary(p);

	while (!p->c->err) {
		if (token_is(p, p->t, "->") || token_is(p, p->t, "."))
			n = member_of(p, n, start);
		else if (token_is(p, p->t, "["))
			n = index_of(p, n, start);
		else
			break;
	}
	return n;
}

static struct node *prefixed(struct parser *p, enum node_kind kind)
{
	struct node *n = node_new(p, kind, p->t->span.start, NULL);

	if (!n)
		return NULL;
	p->t++;
	n->child = unary(p);
	n->span.end = previous_end(p);
	return n;
}

/* negative = "-" number */
static struct node *negative(struct parser *p)
{
	uint32_t start = p->t->span.start;
	struct node *n;

	p->t++;
	if (p->t->kind != TOKEN_NUMBER) {
		fail_expected(p, "a number");
		return NULL;
	}
	n = node_token(p, NODE_NUMBER);
	if (n) {
		n->number = -(uint64_t)n->number;
		n->span.start = start;
	}
	return n;
}

/* unary = "*" unary | "&" unary | negative | postfix */
static struct node *unary(struct parser *p)
{
	struct node *n = NULL;

	if (++p->nesting > NESTING_MAX)
		compile_fail(p->c, p->t->span, "more than %d levels in each other", NESTING_MAX);
	else if (token_is(p, p->t, "*"))
		n = prefixed(p, NODE_DEREF);
	else if (token_is(p, p->t, "&"))
		n = prefixed(p, NODE_ADDRESS);
	else if (token_is(p, p->t, "-"))
		n = negative(p);
	else
		n = postfix(p);
	p->nesting--;
	return n;
}

/* expression = unary */
static struct node *expression(struct parser *p)
{
	return unary(p);
}


/* A number of at most `max`, for `what`; 0 after an error. */
static uint32_t format_number(struct parser *p, uint32_t max, const char *what)
{
	uint64_t number = p->t->number;

	if (p->t->kind != TOKEN_NUMBER) {
		fail_expected(p, what);
		return 0;
	}
	if (!number || number > max)
		compile_fail(p->c, p->t->span, "%s is 1 to %u", what, max);
	p->t++;
	return number;
}

/* bits = "@" number "/" number, behind a name "b" number */
static void format_bits(struct parser *p, struct format *f)
{
	uint64_t offset = p->t->number;

	f->has_bits = true;
	if (p->t->kind != TOKEN_NUMBER || offset > 63) {
		fail_expected(p, "a bit from 0 to 63");
		return;
	}
	p->t++;
	f->bit_offset = offset;
	expect(p, "/", "'/' and the bits of its integer");
	if (!p->c->err)
		f->bit_container = format_number(p, 64, "bits of an integer");
}

/* format = ":" (name [bits] ["[" number "]"] [":" number] | number) */
static void format(struct parser *p)
{
	struct format *f = &p->slot->format;

	f->span.start = p->t->span.start;
	if (p->t->kind == TOKEN_NAME) {
		f->name = p->t->span;
		p->t++;
		if (accept(p, "@"))
			format_bits(p, f);
		if (!p->c->err && accept(p, "[")) {
			f->count = format_number(p, BYTES_LIMIT, "a number of elements");
			if (!p->c->err)
				expect(p, "]", "']'");
		}
		if (!p->c->err && accept(p, ":"))
			f->length = format_number(p, STRING_LIMIT, "a string's length");
	} else if (p->t->kind == TOKEN_NUMBER) {
		f->length = format_number(p, STRING_LIMIT, "a string's length");
	} else {
		fail_expected(p, "a format or a length");
	}
	f->span.end = previous_end(p);
}

/* slot = [name "="] expression [format] */
void expr_parse(struct compile *c, struct slot *s)
{
	struct parser p = { .c = c, .slot = s, .t = s->tokens };

	if (p.t->kind == TOKEN_NAME && token_is(&p, p.t + 1, "=")) {
		s->name = p.t->span;
		p.t += 2;
	}
	s->root = expression(&p);
	if (!c->err && accept(&p, ":"))
		format(&p);
	if (!c->err && p.t->kind != TOKEN_END)
		fail_expected(&p, "the end, or one of -> . [ :");
}
