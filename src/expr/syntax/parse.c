/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * parse.c - parses the tokens of a slot: its name, its expression (parse_expr.c), its format.
 */
#include "expr/syntax/syntax.h"

#include <string.h>

#include "expr/hints.h"
#include "expr/syntax/parser.h"

/* ---- grammar ---- */

/* Parses a number up to `max`, for `what`; 0 after an error. */
static uint32_t format_number(struct parser *p, uint32_t max, const char *what)
{
	uint64_t number = p->t->number;

	if (p->t->kind != TOKEN_NUMBER) {
		parse_fail(p, what);
		return 0;
	}
	if (!number || number > max)
		compile_fail(p->c, p->t->span, "%s is 1 to %u", what, max);
	p->t++;
	return number;
}

/* bits = "@" number "/" number, after a name "b" number */
static void format_bits(struct parser *p, struct format *f)
{
	uint64_t offset = p->t->number;

	f->has_bits = true;
	if (p->t->kind != TOKEN_NUMBER || offset > 63) {
		parse_fail(p, "a bit from 0 to 63");
		return;
	}
	p->t++;
	f->bit_offset = offset;
	parse_expect(p, "/", "'/' and the bits of its integer");
	if (!p->c->err)
		f->bit_container = format_number(p, 64, "bits of an integer");
}

/* "[" (number | expression) "]" */
static void format_elements(struct parser *p, struct format *f)
{
	if (p->t->kind == TOKEN_NUMBER && token_is(p, p->t + 1, "]"))
		f->count = format_number(p, BYTES_LIMIT, "a number of elements");
	else
		f->bytes = parse_expression(p);
	if (!p->c->err)
		parse_expect(p, "]", "']'");
}

/* "(" (name | string) ")" after the format enum */
static void format_constant(struct parser *p, struct format *f)
{
	if (!token_is_word(p, p->t - 2, "enum"))
		compile_fail(p->c, f->name, "only the format enum takes something in parentheses");
	else if (p->t->kind == TOKEN_STRING)
		f->constant = (p->t++)->span;
	else
		f->constant = parse_expect_name(p, "a constant of the enum");
	parse_expect(p, ")", "')'");
}

/* format = ":" (name [bits | "(" (name | string) ")"] ["[" (number | expression) "]"] [":" number] | number) */
static void format(struct parser *p)
{
	struct format *f = &p->slot->format;

	f->span.start = p->t->span.start;
	if (p->t->kind == TOKEN_NAME) {
		f->name = p->t->span;
		p->t++;
		if (parse_accept(p, "@"))
			format_bits(p, f);
		else if (parse_accept(p, "("))
			format_constant(p, f);
		if (!p->c->err && parse_accept(p, "["))
			format_elements(p, f);
		if (!p->c->err && parse_accept(p, ":"))
			f->length = format_number(p, STRING_LIMIT, "a string's length");
	} else if (p->t->kind == TOKEN_NUMBER) {
		f->length = format_number(p, STRING_LIMIT, "a string's length");
	} else {
		parse_fail(p, "a format or a length");
	}
	f->span.end = parse_previous_end(p);
}

/* "@" "ret" before a parenthesis: evaluate at the return of the function */
static void at_return(struct parser *p)
{
	const struct token *name = p->t + 1;

	if (!token_is_word(p, name, "ret") || !token_is(p, name + 1, "("))
		return;
	p->slot->ret = (struct span){ p->t->span.start, name->span.end };
	p->slot->at_return = true;
	if (p->c->in->scope == EXPR_SCOPE_ENTRY) {
		compile_fail(p->c, p->slot->ret, "the return is not seen when the function begins");
		compile_hint(p->c, "add -r");
	}
	p->t += 2;
}

struct node *parse_inner(struct compile *c, const char *text)
{
	/* behind earlier inner texts, whose names may not have been looked up yet */
	size_t own = c->slot->text_end ?: strlen(c->slot->text) + 1, len = strlen(text);
	char *both = compile_alloc(c, own + len + 1);
	struct slot inner = { 0 };
	struct parser p = { .c = c, .slot = c->slot };

	if (c->err)
		return NULL;
	memcpy(both, c->slot->text, own);
	inner.text = strcpy(both + own, text);
	expr_lex(c, &inner);
	for (size_t i = 0; i < inner.token_count; i++) {
		inner.tokens[i].span.start += own;
		inner.tokens[i].span.end += own;
	}
	c->slot->text = both;
	c->slot->text_end = own + len + 1;
	p.t = inner.tokens;
	return c->err ? NULL : parse_expression(&p);
}

/* Fails on tokens after a whole expression. */
static void fail_rest(struct parser *p)
{
	bool compares = token_is(p, p->t, "==") || token_is(p, p->t, "!=") ||
			token_is(p, p->t, "~");

	parse_fail(p, "an operator or the end");
	if (compares)
		compile_hint(p->c, "a compared value has no format except :path and :str");
}

/* A condition has no name: a = in it was meant as a comparison. */
static bool is_condition(const struct parser *p)
{
	return p->slot->trigger ||
	       (p->slot >= p->c->p->slots && p->slot < p->c->p->slots + p->c->p->filter_count);
}

static void check_condition(struct parser *p)
{
	if (p->c->err || p->slot->root->kind != NODE_STRING)
		return;
	compile_fail(p->c, p->slot->root->span, "text alone is not a condition");
	compile_hint(p->c, "compare it: $comm == %.*s",
		     SPAN_ARG(p->slot->text, p->slot->root->span));
}

/* slot = [name "="] ["@ret"] expression [format] */
void expr_parse(struct compile *c, struct slot *s)
{
	struct parser p = { .c = c, .slot = s, .t = s->tokens };

	if (p.t->kind == TOKEN_NAME && token_is(&p, p.t + 1, "=") && !is_condition(&p)) {
		s->name = p.t->span;
		p.t += 2;
	}
	if (p.t->kind == TOKEN_END)
		compile_fail(c, p.t->span, "the expression is empty");
	if (token_is(&p, p.t, "@") && !c->in->pair)
		at_return(&p);
	s->root = c->err ? NULL : parse_expression(&p);
	if (is_condition(&p))
		check_condition(&p);
	if (s->ret.end && !c->err)
		s->ret.end = parse_previous_end(&p);
	if (!c->err && parse_accept(&p, ":"))
		format(&p);
	if (!c->err && p.t->kind != TOKEN_END)
		fail_rest(&p);
}
