/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lex.c - splits the text into lexemes: names, variables, maps, operators. Numbers and strings have files of their
 * own.
 */
#include <ctype.h>

#include "script/syntax/parser.h"

static char byte_at(const struct parser *p, const char *at)
{
	return at < p->in.source->end ? *at : '\0';
}

/* Skips a comment that begins at the slash; returns true if it is one. */
static bool comment_skip(struct parser *p)
{
	const char *at = p->in.at, *end = p->in.source->end;

	if (byte_at(p, at + 1) == '/') {
		const char *line = memchr(at, '\n', end - at);

		p->in.at = line ?: end;
		return true;
	}
	if (byte_at(p, at + 1) != '*')
		return false;
	for (const char *to = at + 2; to + 1 < end; to++)
		if (to[0] == '*' && to[1] == '/') {
			p->in.at = to + 2;
			return true;
		}
	syn_fail(p, lex_span(p, at, at + 2), "the comment has no end");
	p->in.at = end;
	return true;
}

static bool is_line_start(const struct parser *p)
{
	const char *at = p->in.at;

	while (at > p->in.source->text && (at[-1] == ' ' || at[-1] == '\t'))
		at--;
	return at == p->in.source->text || at[-1] == '\n';
}

void lex_skip(struct parser *p)
{
	while (p->in.at < p->in.source->end) {
		char c = *p->in.at;

		if (isspace((unsigned char)c))
			p->in.at++;
		else if (c == '\\' && byte_at(p, p->in.at + 1) == '\n')
			p->in.at += 2;
		else if (c == '#' && !p->is_line && is_line_start(p))
			p->directive(p);
		else if (c != '/' || !comment_skip(p))
			return;
	}
}

static const char *word_end(const struct parser *p, const char *at)
{
	while (lex_is_word(byte_at(p, at)))
		at++;
	return at;
}

/* Reads a name; `skip` is the length of the sign before it. */
static void lex_word(struct parser *p, struct lexeme *t, enum lex_kind kind, size_t skip)
{
	const char *from = p->in.at + skip, *end = from;

	if (!isdigit((unsigned char)byte_at(p, from)))
		end = word_end(p, from);
	t->kind = kind;
	t->bytes = syn_copy(p, from, end - from);
	t->byte_count = end - from;
	p->in.at = end;
}

/* Reads $1, $# or $name. */
static void lex_dollar(struct parser *p, struct lexeme *t)
{
	const char *at = p->in.at + 1;

	if (byte_at(p, at) == '#') {
		t->kind = LEX_PARAM;
		p->in.at = at + 1;
		return;
	}
	if (!isdigit((unsigned char)byte_at(p, at))) {
		lex_word(p, t, LEX_VAR, 1);
		if (!t->byte_count)
			syn_fail(p, lex_span(p, at - 1, at),
				 "after '$' comes a name or the number of a parameter");
		return;
	}
	t->kind = LEX_PARAM;
	while (isdigit((unsigned char)byte_at(p, at)) && t->number < UINT32_MAX)
		t->number = t->number * 10 + (uint64_t)(*at++ - '0');
	p->in.at = at;
	if (!t->number || t->number > INT32_MAX || lex_is_word(byte_at(p, at)))
		syn_fail(p, lex_span(p, t->text, word_end(p, at)),
			 "the first parameter is $1, and the last $%d", INT32_MAX);
}

static void lex_punct(struct parser *p, struct lexeme *t)
{
	static const char *const longer[] = { "<<=", ">>=", "...", "..", "??", "->", "++", "--",
					      "&&",  "||",  "==",  "!=", "<=", ">=", "<<", ">>",
					      "+=",  "-=",  "*=",  "/=", "%=", "&=", "|=", "^=" };
	size_t left = p->in.source->end - p->in.at;

	t->kind = LEX_PUNCT;
	t->length = 1;
	for (size_t i = 0; i < sizeof(longer) / sizeof(longer[0]) && t->length == 1; i++) {
		size_t len = strlen(longer[i]);

		if (len <= left && !memcmp(p->in.at, longer[i], len))
			t->length = len;
	}
	if (t->length == 1 && !strchr("+-*/%&|^~!<>=?:;,.()[]{}#\\", *t->text)) {
		syn_fail(p, lex_span(p, t->text, t->text + 1), "unexpected character '%c'",
			 isprint((unsigned char)*t->text) ? *t->text : '?');
		if (*t->text == '\'')
			script_hint(p->c, "write strings in double quotes: \"text\"");
	}
	p->in.at += t->length;
}

void lex_text(struct parser *p, struct lexeme *t)
{
	char c;

	*t = (struct lexeme){ .text = p->in.at };
	c = byte_at(p, p->in.at);
	if (p->in.at >= p->in.source->end)
		t->kind = LEX_END;
	else if (isdigit((unsigned char)c))
		lex_number(p, t);
	else if (lex_is_word(c))
		lex_word(p, t, LEX_NAME, 0);
	else if (c == '"')
		lex_string(p, t);
	else if (c == '$')
		lex_dollar(p, t);
	else if (c == '@')
		lex_word(p, t, LEX_MAP, 1);
	else
		lex_punct(p, t);
	t->length = p->in.at - t->text;
	t->span = lex_span(p, t->text, p->in.at);
}

void lex_plain(struct parser *p, struct lexeme *t)
{
	if (p->in.pending) {
		*t = p->in.pending->lexeme;
		p->in.pending = p->in.pending->next;
		return;
	}
	lex_skip(p);
	while (p->in.at >= p->in.source->end && p->in.source->outer && !p->is_line) {
		p->in.at = p->in.source->resume;
		p->in.source = p->in.source->outer;
		lex_skip(p);
	}
	p->in.from = p->in.at;
	lex_text(p, t);
}

bool lexeme_is(const struct lexeme *t, const char *punct)
{
	return t->kind == LEX_PUNCT && t->length == strlen(punct) &&
	       !memcmp(t->text, punct, t->length);
}

const struct lex_pending *lex_pend(struct parser *p, const struct lexeme *t,
				   const struct lex_pending *next)
{
	struct lex_pending *pending = script_alloc(p->c, sizeof(*pending));

	if (!pending)
		return NULL;
	pending->lexeme = *t;
	pending->next = next;
	return pending;
}
