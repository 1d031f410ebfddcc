/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * parse_loop.c - loops over an array or a list. The grammar rule is above each function.
 *
 *	@sum(i < nents, sg[i].length)
 *	@count(@list(&dir->d_children, struct dentry, d_sib)->d_inode)
 */
#include "expr/syntax/parser.h"

static const struct {
	const char *word;
	enum loop_kind kind;
} words[] = { { "sum", LOOP_SUM }, { "count", LOOP_COUNT }, { "any", LOOP_ANY } };
enum { WORDS = sizeof(words) / sizeof(words[0]) };

static unsigned word_find(const struct parser *p)
{
	unsigned i = 0;

	while (i < WORDS && !token_is_word(p, p->t + 1, words[i].word))
		i++;
	return i;
}

static bool is_list(const struct parser *p)
{
	return token_is_word(p, p->t + 1, "list");
}

bool parse_is_loop(const struct parser *p)
{
	return token_is(p, p->t, "@") && p->t[1].kind == TOKEN_NAME && token_is(p, p->t + 2, "(") &&
	       (word_find(p) < WORDS || is_list(p));
}

/* True for i < N and a comma. Without the comma it is a comparison. */
static bool is_range(const struct parser *p)
{
	const struct token *t = p->t;
	int depth = 0;

	if (t->kind != TOKEN_NAME || !token_is(p, t + 1, "<"))
		return false;
	for (; t->kind != TOKEN_END && depth >= 0; t++) {
		if (!depth && token_is(p, t, ","))
			return true;
		depth += token_is(p, t, "(") || token_is(p, t, "[");
		depth -= token_is(p, t, ")") || token_is(p, t, "]");
	}
	return false;
}

/* loop = "@" word "(" [name "<" expression ","] expression ")" */
static struct node *loop(struct parser *p)
{
	struct node *n = node_new(p, NODE_LOOP, p->t->span.start, NULL);

	if (!n)
		return NULL;
	n->loop = words[word_find(p)].kind;
	n->name = p->t[1].span;
	p->t += 3;
	if (is_range(p)) {
		n->argument = p->t->span;
		p->t += 2;
		n->child = parse_nested(p);
		parse_expect(p, ",", "',' and what is done with each");
	}
	if (!p->c->err)
		n->other = parse_nested(p);
	return node_close(p, n);
}

/* list = "@list" "(" expression "," type "," name ")" */
static struct node *list(struct parser *p)
{
	struct node *n = node_new(p, NODE_LIST, p->t->span.start, NULL);

	if (!n)
		return NULL;
	p->t += 3;
	n->child = parse_expression(p);
	parse_expect(p, ",", "',' and the struct of its elements");
	if (!p->c->err)
		n->type_name = parse_type(p);
	parse_expect(p, ",", "',' and the member that links them");
	n->name = parse_expect_name(p, "a member's name");
	return node_close(p, n);
}

struct node *parse_loop(struct parser *p)
{
	return is_list(p) ? list(p) : loop(p);
}
