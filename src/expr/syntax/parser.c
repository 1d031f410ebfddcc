/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * parser.c - shared by the files of the parser: steps over tokens, new nodes, names of types.
 */
#include "expr/syntax/parser.h"

#include <string.h>

#include "expr/hints.h"

/* ---- tokens ---- */

static bool span_is(const struct parser *p, const struct token *t, const char *text)
{
	size_t len = t->span.end - t->span.start;

	return strlen(text) == len && !memcmp(p->slot->text + t->span.start, text, len);
}

bool token_is(const struct parser *p, const struct token *t, const char *punct)
{
	return t->kind == TOKEN_PUNCT && span_is(p, t, punct);
}

bool token_is_word(const struct parser *p, const struct token *t, const char *word)
{
	return t->kind == TOKEN_NAME && span_is(p, t, word);
}

bool parse_accept(struct parser *p, const char *punct)
{
	if (!token_is(p, p->t, punct))
		return false;
	p->t++;
	return true;
}

static bool parse_accept_word(struct parser *p, const char *word)
{
	if (!token_is_word(p, p->t, word))
		return false;
	p->t++;
	return true;
}

/* Suggests the word for an operator of another language at the token: =~ is two tokens here. */
static void sign_hint(struct parser *p)
{
	const struct token *t = p->t;
	const char *at = p->slot->text + t->span.start, *say;
	size_t len = t->span.end - t->span.start;
	bool two = t->kind == TOKEN_PUNCT && len == 1 && token_is(p, t + 1, "~") &&
		   t[1].span.start == t->span.end;

	say = hint_find(HINT_SIGN, at, len + two);
	if (!say && t->kind != TOKEN_END && t != p->slot->tokens && t[-1].kind == TOKEN_NAME)
		say = hint_find(HINT_SIGN, p->slot->text + t[-1].span.start,
				t[-1].span.end - t[-1].span.start);
	if (say)
		compile_hint(p->c, "%s", say);
}

/* file->f_inode without quotes: the shell redirects the output at the >. */
static void redirection_hint(struct parser *p)
{
	const struct token *t = p->t;

	if (t->kind == TOKEN_END && t - p->slot->tokens >= 2 && token_is(p, t - 1, "-") &&
	    !p->slot->text[t[-1].span.end] && t[-2].span.end == t[-1].span.start)
		compile_hint(p->c,
			     "quote it: '%s>MEMBER'; without quotes the shell takes > and what "
			     "follows for a file to write to",
			     p->slot->text);
}

void parse_fail(struct parser *p, const char *expected)
{
	bool first = !p->c->err;

	if (p->t->kind == TOKEN_END)
		compile_fail(p->c, p->t->span, "expected %s at the end", expected);
	else
		compile_fail(p->c, p->t->span, "expected %s, not '%.*s'", expected,
			     SPAN_ARG(p->slot->text, p->t->span));
	if (first) {
		sign_hint(p);
		redirection_hint(p);
	}
}

struct span parse_expect_name(struct parser *p, const char *what)
{
	struct span span = p->t->span;

	if (p->t->kind == TOKEN_NAME)
		p->t++;
	else
		parse_fail(p, what);
	return span;
}

void parse_expect(struct parser *p, const char *punct, const char *what)
{
	if (!parse_accept(p, punct))
		parse_fail(p, what);
}

uint32_t parse_previous_end(const struct parser *p)
{
	return p->t[-1].span.end;
}

struct node *node_new(struct parser *p, enum node_kind kind, uint32_t start, struct node *child)
{
	struct node *n = compile_alloc(p->c, sizeof(*n));

	if (!n)
		return NULL;
	n->kind = kind;
	n->child = child;
	n->span = (struct span){ start, p->t->span.end };
	return n;
}

struct node *node_close(struct parser *p, struct node *n)
{
	parse_expect(p, ")", "')'");
	n->span.end = parse_previous_end(p);
	return n;
}

/*
 * ---- names of types, in casts and sizeof ----
 *
 * Whether `(word)` is a cast depends, as in C, on whether the word is a type: keywords and the
 * kernel's short integer types are; other words are looked up in BTF, unless they name a
 * parameter.
 */

/* Words that are types by themselves. */
static const struct {
	const char *word;
	enum type_tag tag;
	uint8_t size;
	bool is_signed;
} words[] = {
	{ "void", TYPE_VOID, 0, false }, { "bool", TYPE_INT, 1, false },
	{ "_Bool", TYPE_INT, 1, false }, { "u8", TYPE_INT, 1, false },
	{ "u16", TYPE_INT, 2, false },	 { "u32", TYPE_INT, 4, false },
	{ "u64", TYPE_INT, 8, false },	 { "s8", TYPE_INT, 1, true },
	{ "s16", TYPE_INT, 2, true },	 { "s32", TYPE_INT, 4, true },
	{ "s64", TYPE_INT, 8, true },
};

/* Words that together form an integer type: unsigned long long int. */
enum base_word {
	BASE_UNSIGNED = 1 << 0,
	BASE_SIGNED = 1 << 1,
	BASE_CHAR = 1 << 2,
	BASE_SHORT = 1 << 3,
	BASE_INT = 1 << 4,
	BASE_LONG = 1 << 5,
};
static const char *const base_words[] = { "unsigned", "signed", "char", "short", "int", "long" };
static const char *const qualifiers[] = { "const", "volatile", "restrict", "__rcu" };

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static int base_word(const struct parser *p, const struct token *t)
{
	for (size_t i = 0; i < COUNT(base_words); i++) {
		if (token_is_word(p, t, base_words[i]))
			return 1 << i;
	}
	return 0;
}

static bool is_qualifier(const struct parser *p, const struct token *t)
{
	for (size_t i = 0; i < COUNT(qualifiers); i++) {
		if (token_is_word(p, t, qualifiers[i]))
			return true;
	}
	return false;
}

static int word_find(const struct parser *p, const struct token *t)
{
	for (size_t i = 0; i < COUNT(words); i++) {
		if (token_is_word(p, t, words[i].word))
			return i;
	}
	return -1;
}

static enum type_tag tag_of(const struct parser *p, const struct token *t)
{
	if (token_is_word(p, t, "struct"))
		return TYPE_STRUCT;
	if (token_is_word(p, t, "union"))
		return TYPE_UNION;
	return token_is_word(p, t, "enum") ? TYPE_ENUM : TYPE_NAMED;
}

bool parse_type_begins(struct parser *p)
{
	if (p->t->kind != TOKEN_NAME)
		return false;
	if (is_qualifier(p, p->t) || tag_of(p, p->t) != TYPE_NAMED)
		return true;
	if (p->c->is_param(p->c, p->t->span))
		return false;
	return base_word(p, p->t) || word_find(p, p->t) >= 0 || p->c->is_typedef(p->c, p->t->span);
}

static void parse_qualifiers(struct parser *p, struct type_name *t)
{
	for (;;) {
		if (parse_accept_word(p, "__user"))
			t->user = true;
		else if (is_qualifier(p, p->t))
			p->t++;
		else
			return;
	}
}

static void parse_base(struct parser *p, struct type_name *t)
{
	int base = 0, word;

	for (; (word = base_word(p, p->t)); p->t++)
		base |= word;
	t->tag = base & BASE_CHAR && !(base & (BASE_SIGNED | BASE_UNSIGNED)) ? TYPE_CHAR : TYPE_INT;
	t->int_size = base & BASE_CHAR ? 1 : base & BASE_SHORT ? 2 : base & BASE_LONG ? 8 : 4;
	t->int_signed = !(base & BASE_UNSIGNED);
}

static void parse_name(struct parser *p, struct type_name *t)
{
	int word = word_find(p, p->t);

	if (base_word(p, p->t)) {
		parse_base(p, t);
	} else if (word >= 0) {
		t->tag = words[word].tag;
		t->int_size = words[word].size;
		t->int_signed = words[word].is_signed;
		p->t++;
	} else {
		t->tag = tag_of(p, p->t);
		p->t += t->tag != TYPE_NAMED;
		t->name = parse_expect_name(p, "a type's name");
	}
}

/* type = {qualifier} (word | base {base} | ["struct" | "union" | "enum"] name) {qualifier | "*"} */
struct type_name parse_type(struct parser *p)
{
	struct type_name t = { .span.start = p->t->span.start };

	parse_qualifiers(p, &t);
	parse_name(p, &t);
	for (parse_qualifiers(p, &t); parse_accept(p, "*"); parse_qualifiers(p, &t))
		t.stars++;
	t.span.end = parse_previous_end(p);
	return t;
}
