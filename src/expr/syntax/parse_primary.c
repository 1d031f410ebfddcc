/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * parse_primary.c - primary expressions: names, numbers, string literals, parentheses, and words
 * that look like calls. The grammar rule is above each function.
 */
#include <string.h>

#include "expr/hints.h"
#include "expr/syntax/parser.h"

/* A node for the next token, which is consumed. */
static struct node *node_token(struct parser *p, enum node_kind kind)
{
	struct node *n = node_new(p, kind, p->t->span.start, NULL);

	if (!n)
		return NULL;
	n->name = p->t->span;
	n->number = p->t->number;
	n->number_unsigned = p->t->is_unsigned;
	n->number_long = p->t->is_long;
	n->bytes = p->t->bytes;
	p->t++;
	return n;
}

/* builtin = "$" name ["(" name ")"] | "$arg(" type ")" */
static struct node *builtin(struct parser *p)
{
	struct span name = p->t->span;
	bool by_type = name.end - name.start == 4 && !memcmp(p->slot->text + name.start, "$arg", 4);
	struct node *n = node_token(p, NODE_BUILTIN);

	if (!n || !parse_accept(p, "("))
		return n;
	n->argument = by_type ? parse_type(p).span : parse_expect_name(p, "a name");
	return node_close(p, n);
}

/* symbol = "@" name */
static struct node *symbol(struct parser *p)
{
	struct node *n = node_new(p, NODE_SYMBOL, p->t->span.start, NULL);

	if (!n)
		return NULL;
	p->t++;
	n->name = parse_expect_name(p, "a variable's name");
	n->span.end = parse_previous_end(p);
	return n;
}

/* end = "@" ("end" | "ret") "(" expression ")": evaluated at the end of a pair */
static struct node *of_end(struct parser *p)
{
	struct node *n = node_new(p, NODE_END, p->t->span.start, NULL);

	if (!n)
		return NULL;
	n->name = p->t[1].span;
	if (!p->c->in->pair) {
		compile_fail(p->c, n->name, "@end() needs a pair of probes: PROBE --until PROBE2");
		compile_hint(p->c, "add --until PROBE; at the return of a call, -r and @ret(EXPR)");
		return NULL;
	}
	p->t += 3;
	compile_side(p->c, true);
	n->child = parse_nested(p);
	compile_side(p->c, p->slot->at_end);
	return node_close(p, n);
}

static bool is_of_end(const struct parser *p)
{
	const struct token *name = p->t + 1;

	return token_is(p, p->t, "@") && token_is(p, name + 1, "(") &&
	       (token_is_word(p, name, "end") || (token_is_word(p, name, "ret") && p->c->in->pair));
}

/* inside = "@in" "(" expression ")": parsed once for each function of the set */
static struct node *inside(struct parser *p)
{
	struct node *first = node_new(p, NODE_INSIDE, p->t->span.start, NULL), *n = first;
	const struct token *open = p->t + 3;
	const struct expr_input *of = p->c->in->inside.of;

	if (n && !of) {
		compile_fail(p->c, p->t[1].span,
			     p->c->in->inside.many ?
				     "ambiguous: there are several --in" :
				     "missing --in FUNC: the call whose value this is");
		compile_hint(p->c, p->c->in->inside.many ?
					   "@in( ) is about one --in: --in FUNC,FUNC means either" :
					   "add --in FUNC: @in(EXPR) is EXPR as that call began");
	}
	for (; of && !p->c->err; of = of->inside.next) {
		struct outside was = compile_inside(p->c, of);

		p->t = open;
		n->child = parse_nested(p);
		compile_outside(p->c, &was);
		if (of->inside.next && !p->c->err)
			n = n->other = node_new(p, NODE_INSIDE, first->span.start, NULL);
	}
	if (p->c->err)
		return NULL;
	if (token_is(p, p->t, ":")) {
		compile_fail(p->c, p->t->span,
			     "@in( ) keeps a number or a pointer, without a format");
		compile_hint(p->c, "put the format after it: @in(EXPR):str");
	}
	first->name = (struct span){ open->span.start, parse_previous_end(p) };
	parse_expect(p, ")", "')'");
	first->span.end = parse_previous_end(p);
	return first;
}

static bool is_inside(const struct parser *p)
{
	return token_is(p, p->t, "@") && token_is_word(p, p->t + 1, "in") &&
	       token_is(p, p->t + 2, "(");
}

/* ---- words that look like calls ---- */

/* sizeof = "sizeof" (unary | "(" type ")") */
static struct node *size_of(struct parser *p)
{
	struct node *n = node_new(p, NODE_SIZEOF, p->t->span.start, NULL);
	const struct token *open;

	if (!n)
		return NULL;
	open = ++p->t;
	if (parse_accept(p, "(") && parse_type_begins(p)) {
		n->type_name = parse_type(p);
		parse_expect(p, ")", "')'");
	} else {
		p->t = open;
		n->child = parse_unary(p);
	}
	n->span.end = parse_previous_end(p);
	return n;
}

/* container = "container_of" "(" expression "," type "," name ")" */
static struct node *container(struct parser *p)
{
	struct node *n = node_new(p, NODE_CONTAINER, p->t->span.start, NULL);

	if (!n)
		return NULL;
	p->t++;
	parse_expect(p, "(", "'('");
	n->child = parse_expression(p);
	parse_expect(p, ",", "',' and the outer struct");
	if (!p->c->err)
		n->type_name = parse_type(p);
	parse_expect(p, ",", "',' and the member");
	n->name = parse_expect_name(p, "a member's name");
	return node_close(p, n);
}

/* percpu = "percpu" "(" expression ")" */
static struct node *percpu(struct parser *p)
{
	struct node *n = node_new(p, NODE_PERCPU, p->t->span.start, NULL);

	if (!n)
		return NULL;
	p->t += 2;
	n->child = parse_expression(p);
	return node_close(p, n);
}

/* Turns a text into the pattern *text*, with wildcards escaped. */
static void pattern_around(struct parser *p, struct node *text)
{
	char *pattern = compile_alloc(p->c, 2 * text->number + 3);
	size_t len = 0;

	if (!pattern)
		return;
	pattern[len++] = '*';
	for (int64_t i = 0; i < text->number; i++) {
		if (memchr("*?[\\", text->bytes[i], 4))
			pattern[len++] = '\\';
		pattern[len++] = text->bytes[i];
	}
	pattern[len++] = '*';
	text->bytes = pattern;
	text->number = len;
}

/* contains = "contains" "(" expression "," string ")" */
static struct node *contains(struct parser *p)
{
	struct node *n = node_new(p, NODE_BINARY, p->t->span.start, NULL);

	if (!n)
		return NULL;
	n->oper = OPER_MATCH;
	n->op = p->t->span;
	p->t += 2;
	n->child = parse_compared(p);
	parse_expect(p, ",", "',' and a text");
	if (!p->c->err && p->t->kind != TOKEN_STRING)
		parse_fail(p, "a text in quotes");
	if (!p->c->err)
		n->other = node_token(p, NODE_STRING);
	if (!p->c->err)
		pattern_around(p, n->other);
	return node_close(p, n);
}

/* packet = "pcap" "(" [expression ","] string ")" */
static struct node *packet(struct parser *p)
{
	struct node *n = node_new(p, NODE_PACKET, p->t->span.start, NULL);

	if (!n)
		return NULL;
	p->t += 2;
	if (p->t->kind != TOKEN_STRING) {
		n->child = parse_expression(p);
		parse_expect(p, ",", "',' and a filter as of tcpdump, in quotes");
	}
	if (!p->c->err && p->t->kind != TOKEN_STRING)
		parse_fail(p, "a filter as of tcpdump, in quotes");
	if (p->c->err)
		return NULL;
	n->argument = p->t->span;
	n->bytes = p->t->bytes;
	p->t++;
	return node_close(p, n);
}

/* name "(": there are no other functions */
static struct node *call(struct parser *p)
{
	const char *name = p->slot->text + p->t->span.start, *say;

	say = hint_find(HINT_CALL, name, p->t->span.end - p->t->span.start);
	compile_fail(p->c, p->t->span, "functions cannot be called in an expression");
	if (say)
		compile_hint(p->c, "%s", say);
	return NULL;
}

/* (inet_sock *): only a cast ends like that */
static void fail_no_type(struct parser *p)
{
	const struct token *t = p->t + 1;

	while (token_is(p, t, "*"))
		t++;
	if (p->t->kind != TOKEN_NAME || t == p->t + 1 || !token_is(p, t, ")"))
		return;
	compile_fail(p->c, p->t->span, "unknown type %.*s", SPAN_ARG(p->slot->text, p->t->span));
	compile_hint(p->c, "a struct's type has the word before its name: (struct %.*s)",
		     (int)(t->span.start - p->t->span.start), p->slot->text + p->t->span.start);
}

/* "(" expression ")" */
static struct node *enclosed(struct parser *p)
{
	struct node *n;

	fail_no_type(p);
	n = p->c->err ? NULL : parse_nested(p);
	parse_expect(p, ")", "')'");
	return n;
}

/* primary = name | builtin | number | char | string | end | inside | loop | list | symbol | sizeof | container | contains
 *         | percpu | packet | "(" expression ")" */
struct node *parse_primary(struct parser *p)
{
	if (token_is_word(p, p->t, "sizeof"))
		return size_of(p);
	if (token_is_word(p, p->t, "container_of"))
		return container(p);
	if (token_is_word(p, p->t, "contains") && token_is(p, p->t + 1, "("))
		return contains(p);
	if (token_is_word(p, p->t, "percpu") && token_is(p, p->t + 1, "("))
		return percpu(p);
	if (token_is_word(p, p->t, "pcap") && token_is(p, p->t + 1, "("))
		return packet(p);
	if (p->t->kind == TOKEN_NAME)
		return token_is(p, p->t + 1, "(") ? call(p) : node_token(p, NODE_NAME);
	if (p->t->kind == TOKEN_BUILTIN)
		return builtin(p);
	if (p->t->kind == TOKEN_NUMBER || p->t->kind == TOKEN_CHAR)
		return node_token(p, NODE_NUMBER);
	if (p->t->kind == TOKEN_STRING)
		return node_token(p, NODE_STRING);
	if (is_of_end(p))
		return of_end(p);
	if (is_inside(p))
		return inside(p);
	if (parse_is_loop(p))
		return parse_loop(p);
	if (token_is(p, p->t, "@"))
		return symbol(p);
	if (parse_accept(p, "("))
		return enclosed(p);
	parse_fail(p, "a parameter, $NAME or a number");
	return NULL;
}
