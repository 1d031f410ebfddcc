/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * parse_expr.c - tokens of an expression → nodes, by recursive descent with C's precedence. The
 * grammar rule is above each function. parse_primary.c parses primary expressions.
 *
 * Nothing here knows what a name means: resolve decides whether `.` fits a pointer.
 */
#include "expr/syntax/parser.h"

/* ---- operators after and before a primary ---- */

/* index = "[" expression "]" */
static struct node *index_of(struct parser *p, struct node *child, uint32_t start)
{
	struct node *n = node_new(p, NODE_INDEX, start, child);

	if (!n)
		return NULL;
	p->t++;
	n->other = parse_expression(p);
	parse_expect(p, "]", "']'");
	n->span.end = parse_previous_end(p);
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
	n->name = parse_expect_name(p, "a member's name");
	n->span.end = parse_previous_end(p);
	return n;
}

/* postfix = primary { member | index } */
static struct node *postfix(struct parser *p)
{
	uint32_t start = p->t->span.start;
	struct node *n = parse_primary(p);

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

static struct node *prefixed(struct parser *p, enum node_kind kind, enum oper oper)
{
	struct node *n = node_new(p, kind, p->t->span.start, NULL);

	if (!n)
		return NULL;
	n->oper = oper;
	n->op = p->t->span;
	p->t++;
	n->child = parse_unary(p);
	n->span.end = parse_previous_end(p);
	return n;
}

static bool is_cast(struct parser *p)
{
	bool begins;

	if (!token_is(p, p->t, "("))
		return false;
	p->t++;
	begins = parse_type_begins(p);
	p->t--;
	return begins;
}

/* cast = "(" type ")" unary */
static struct node *cast(struct parser *p)
{
	struct node *n = node_new(p, NODE_CAST, p->t->span.start, NULL);

	if (!n)
		return NULL;
	p->t++;
	n->type_name = parse_type(p);
	parse_expect(p, ")", "')'");
	if (p->c->err)
		return n;
	n->child = parse_unary(p);
	n->span.end = parse_previous_end(p);
	return n;
}

/* unary = ("*" | "&" | "-" | "~" | "!") unary | cast | postfix */
struct node *parse_unary(struct parser *p)
{
	static const struct {
		const char *punct;
		enum node_kind kind;
		enum oper oper;
	} prefixes[] = {
		{ "*", NODE_DEREF, OPER_NONE },	  { "&", NODE_ADDRESS, OPER_NONE },
		{ "-", NODE_UNARY, OPER_NEGATE }, { "~", NODE_UNARY, OPER_COMPLEMENT },
		{ "!", NODE_UNARY, OPER_NOT },
	};
	struct node *n = NULL;

	if (++p->nesting > NESTING_MAX)
		compile_fail(p->c, p->t->span, "nested too deep: at most %d levels", NESTING_MAX);
	for (size_t i = 0; !p->c->err && !n && i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		if (token_is(p, p->t, prefixes[i].punct))
			n = prefixed(p, prefixes[i].kind, prefixes[i].oper);
	}
	if (!p->c->err && !n)
		n = is_cast(p) ? cast(p) : postfix(p);
	p->nesting--;
	return n;
}

/* ---- operators with two sides ---- */

static const struct {
	const char *punct;
	uint8_t level; /* higher binds tighter */
	enum node_kind kind;
	enum oper oper;
} operators[] = {
	{ "||", 1, NODE_OR, OPER_NONE },    { "&&", 2, NODE_AND, OPER_NONE },
	{ "|", 3, NODE_BINARY, OPER_OR },   { "^", 4, NODE_BINARY, OPER_XOR },
	{ "&", 5, NODE_BINARY, OPER_AND },  { "==", 6, NODE_BINARY, OPER_EQ },
	{ "!=", 6, NODE_BINARY, OPER_NE },  { "~", 6, NODE_BINARY, OPER_MATCH },
	{ "<=", 7, NODE_BINARY, OPER_LE },  { ">=", 7, NODE_BINARY, OPER_GE },
	{ "<", 7, NODE_BINARY, OPER_LT },   { ">", 7, NODE_BINARY, OPER_GT },
	{ "<<", 8, NODE_BINARY, OPER_SHL }, { ">>", 8, NODE_BINARY, OPER_SHR },
	{ "+", 9, NODE_BINARY, OPER_ADD },  { "-", 9, NODE_BINARY, OPER_SUB },
	{ "*", 10, NODE_BINARY, OPER_MUL }, { "/", 10, NODE_BINARY, OPER_DIV },
	{ "%", 10, NODE_BINARY, OPER_MOD },
};
enum { OPERATOR_COUNT = sizeof(operators) / sizeof(operators[0]) };

const char *oper_text(enum oper oper)
{
	static const char *const prefixes[] = { "", "-", "~", "!" };

	for (size_t i = 0; i < OPERATOR_COUNT; i++) {
		if (oper > OPER_NOT && operators[i].oper == oper)
			return operators[i].punct;
	}
	return prefixes[oper <= OPER_NOT ? oper : 0];
}

static size_t operator_find(const struct parser *p)
{
	size_t i = 0;

	while (i < OPERATOR_COUNT && !token_is(p, p->t, operators[i].punct))
		i++;
	return i;
}

static bool compares(const struct parser *p, const struct token *t)
{
	return token_is(p, t, "==") || token_is(p, t, "!=") || token_is(p, t, "~");
}

/*
 * compared = operand [":" ("path" | "str" | "sock" | "local" | "peer")], before or after == != ~
 *
 * Between a ? and its : this is the second half of the choice. A string needs no :str to be
 * compared.
 */
static struct node *compared(struct parser *p, struct node *n, bool after)
{
	static const struct {
		const char *word;
		int kind; /* -1: the operand itself */
		enum sock_end end;
	} words[] = { { "path", NODE_PATH, 0 },
		      { "str", -1, 0 },
		      { "sock", NODE_SOCK, NODE_SOCK_BOTH },
		      { "local", NODE_SOCK, NODE_SOCK_LOCAL },
		      { "peer", NODE_SOCK, NODE_SOCK_PEER } };
	enum { WORDS = sizeof(words) / sizeof(words[0]) };
	unsigned i = 0;

	if (p->c->err || p->choices || !token_is(p, p->t, ":"))
		return n;
	while (i < WORDS && !token_is_word(p, p->t + 1, words[i].word))
		i++;
	if (i == WORDS || !(after || compares(p, p->t + 2)))
		return n;
	p->t++;
	if (words[i].kind >= 0)
		n = node_new(p, words[i].kind, n->span.start, n);
	if (n && words[i].kind == NODE_SOCK) {
		n->number = words[i].end;
		n->name = p->t->span;
	}
	p->t++;
	return n;
}

struct node *parse_compared(struct parser *p)
{
	return compared(p, parse_expression(p), true);
}

static struct node *binary(struct parser *p, int level);

static struct node *operation(struct parser *p, struct node *left, uint32_t start, size_t i)
{
	struct node *n = node_new(p, operators[i].kind, start, left);

	if (!n)
		return NULL;
	n->oper = operators[i].oper;
	n->op = p->t->span;
	p->t++;
	n->other = binary(p, operators[i].level + 1);
	if (left->kind == NODE_STRING)
		n->other = compared(p, n->other, true);
	n->span.end = parse_previous_end(p);
	return n;
}

/* binary = unary { operator binary }, with operators of `level` and above */
static struct node *binary(struct parser *p, int level)
{
	uint32_t start = p->t->span.start;
	struct node *n = compared(p, parse_unary(p), false);

	while (!p->c->err) {
		size_t i = operator_find(p);

		if (i == OPERATOR_COUNT || operators[i].level < level)
			break;
		n = operation(p, n, start, i);
	}
	return n;
}

/* choice = binary ["?" expression ":" choice] */
static struct node *choice(struct parser *p)
{
	uint32_t start = p->t->span.start;
	struct node *n = binary(p, 0);

	if (p->c->err || !parse_accept(p, "?"))
		return n;
	n = node_new(p, NODE_CHOICE, start, n);
	if (!n)
		return NULL;
	p->choices++;
	n->other = parse_expression(p);
	p->choices--;
	parse_expect(p, ":", "':' of the choice");
	if (!p->c->err)
		n->third = choice(p);
	n->span.end = parse_previous_end(p);
	return n;
}

/* expression = choice {"??" choice} */
struct node *parse_expression(struct parser *p)
{
	uint32_t start = p->t->span.start;
	struct node *n = choice(p);

	while (!p->c->err && parse_accept(p, "??")) {
		n = node_new(p, NODE_FALLBACK, start, n);
		if (!n)
			break;
		n->other = choice(p);
		n->span.end = parse_previous_end(p);
	}
	return n;
}

struct node *parse_nested(struct parser *p)
{
	int choices = p->choices;
	struct node *n;

	p->choices = 0;
	n = parse_expression(p);
	p->choices = choices;
	return n;
}
