/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lex.c - text → tokens. All of C's operators are tokens, even if the parser does not accept
 * them, so that `a==b` is never read as `a=`. Nothing here knows what a name means.
 */
#include "expr/syntax/syntax.h"

#include <string.h>

#include "expr/hints.h"

/* Longer ones first. */
static const char *const puncts[] = {
	"<<=", ">>=", "...", "->", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||",
	"??",  "++",  "--",  "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "*",
	"&",   ".",   "(",   ")",  "[",	 "]",  "=",  ":",  "-",	 "~",  "!",  "+",
	"/",   "%",   "|",   "^",  "<",	 ">",  "?",  ",",  "@",	 "{",  "}",
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_digit(c);
}

static int digit_value(char c)
{
	if (is_digit(c))
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

static uint32_t name_end(const char *text, uint32_t at)
{
	while (is_name(text[at]))
		at++;
	return at;
}

/* The first of int, unsigned, long and unsigned long that can hold it; decimal numbers are unsigned
 * only with a suffix (C11 6.4.4.1). */
static void number_type(struct token *t, int base)
{
	bool may_be_unsigned = base != 10 || t->is_unsigned;

	t->is_long |= t->number > (may_be_unsigned ? UINT32_MAX : INT32_MAX);
	t->is_unsigned |= t->number > INT64_MAX ||
			  (may_be_unsigned && !t->is_long && t->number > INT32_MAX);
}

/* Sizes and times, as people write them: 10K, 64KiB, 5ms. The kernel counts bytes and ns. */
static const struct {
	const char *name;
	uint64_t factor;
} units[] = {
	{ "K", 1ull << 10 },  { "KB", 1ull << 10 },  { "KiB", 1ull << 10 }, { "k", 1ull << 10 },
	{ "M", 1ull << 20 },  { "MB", 1ull << 20 },  { "MiB", 1ull << 20 }, { "G", 1ull << 30 },
	{ "GB", 1ull << 30 }, { "GiB", 1ull << 30 }, { "ns", 1 },	    { "us", 1000 },
	{ "ms", 1000000 },    { "s", 1000000000 },
};

/* Returns the end of the unit; `at` if there is none. */
static uint32_t lex_unit(struct token *t, const char *text, uint32_t at, bool *overflow)
{
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strlen(units[i].name) != t->span.end - at ||
		    memcmp(units[i].name, text + at, t->span.end - at))
			continue;
		*overflow |= __builtin_mul_overflow(t->number, units[i].factor, &t->number);
		return t->span.end;
	}
	return at;
}

/* number = ("0x" hex+ | "0" octal* | decimal+ unit?) [uUlL]* */
static void lex_number(struct compile *c, struct token *t, const char *text)
{
	uint32_t at = t->span.start;
	int base = text[at] != '0' ? 10 : (text[at + 1] | 0x20) == 'x' ? 16 : 8;
	bool overflow = false;

	t->kind = TOKEN_NUMBER;
	t->span.end = name_end(text, at);
	at += base == 16 ? 2 : 0;
	if (base == 16 && at == t->span.end)
		compile_fail(c, t->span, "a number with no digits");
	for (; at < t->span.end && digit_value(text[at]) < base; at++) {
		overflow |= __builtin_mul_overflow(t->number, (uint64_t)base, &t->number);
		overflow |= __builtin_add_overflow(t->number, (uint64_t)digit_value(text[at]),
						   &t->number);
	}
	if (base == 10)
		at = lex_unit(t, text, at, &overflow);
	for (; at < t->span.end && strchr("uUlL", text[at]); at++) {
		t->is_unsigned |= (text[at] | 0x20) == 'u';
		t->is_long |= (text[at] | 0x20) == 'l';
	}
	if (at < t->span.end)
		compile_fail(c, t->span, "'%.*s' is not a number", SPAN_ARG(text, t->span));
	else if (overflow)
		compile_fail(c, t->span, "the number does not fit 64 bits");
	else
		number_type(t, base);
}

static void lex_punct(struct compile *c, struct token *t, const char *text)
{
	const char *at = text + t->span.start;

	t->kind = TOKEN_PUNCT;
	for (size_t i = 0; i < sizeof(puncts) / sizeof(puncts[0]); i++) {
		size_t len = strlen(puncts[i]);

		if (!strncmp(at, puncts[i], len)) {
			t->span.end = t->span.start + len;
			return;
		}
	}
	t->span.end = t->span.start + 1;
	if (*at > ' ' && *at < 0x7f)
		compile_fail(c, t->span, "unexpected '%c'", *at);
	else
		compile_fail(c, t->span, "unexpected byte 0x%02x", (unsigned char)*at);
	if (*at == ';')
		compile_hint(c, "%s", hint_find(HINT_SIGN, at, 1));
}

/* ---- "text", 'c' ---- */

static int escape_value(char c)
{
	static const char names[] = "abefnrtv0\\\"'?", values[] = "\a\b\033\f\n\r\t\v\0\\\"'?";
	const char *name = c ? strchr(names, c) : NULL;

	return name ? (unsigned char)values[name - names] : -1;
}

/*
 * Reads one character at *at, or an escape such as \x1b, and moves *at past it.
 */
static int lex_char(struct compile *c, const char *text, uint32_t *at)
{
	uint32_t start = *at;
	int value = (unsigned char)text[(*at)++];

	if (value != '\\')
		return value;
	if (text[*at] == 'x' && digit_value(text[*at + 1]) < 16 &&
	    digit_value(text[*at + 2]) < 16) {
		value = digit_value(text[*at + 1]) << 4 | digit_value(text[*at + 2]);
		*at += 3;
		return value;
	}
	value = escape_value(text[*at]);
	if (value < 0)
		compile_fail(c, (struct span){ start, *at + !!text[*at] },
			     "an unknown escape: \\n \\t \\\\ \\\" \\xHH … are known");
	*at += !!text[*at];
	return value;
}

/* string = '"' {character} '"'; char = "'" character "'" */
static void lex_quoted(struct compile *c, struct token *t, const char *text)
{
	uint32_t at = t->span.start + 1, len = 0;
	char quote = text[t->span.start];
	char *bytes = compile_alloc(c, strlen(text + at) + 1);

	while (!c->err && text[at] && text[at] != quote)
		bytes[len++] = lex_char(c, text, &at);
	if (c->err)
		return;
	t->span.end = at + !!text[at];
	t->kind = quote == '"' ? TOKEN_STRING : TOKEN_CHAR;
	t->bytes = bytes;
	t->number = quote == '"' ? len : (unsigned char)bytes[0];
	if (!text[at])
		compile_fail(c, t->span, "the closing %c is missing", quote);
	else if (quote != '"' && len != 1)
		compile_fail(c, t->span, "a character is one byte: \"…\" is for text");
}

/* Keeps the last part of ns::Colour::Red: debug information has types and constants by their own names. */
static void lex_name(struct token *t, const char *text)
{
	t->kind = TOKEN_NAME;
	t->span.end = name_end(text, t->span.start);
	while (!strncmp(text + t->span.end, "::", 2) && is_name(text[t->span.end + 2]) &&
	       !is_digit(text[t->span.end + 2])) {
		t->span.start = t->span.end + 2;
		t->span.end = name_end(text, t->span.start);
	}
}

/* token = name | "$" name | number | string | char | punct */
static struct token token_next(struct compile *c, const char *text, uint32_t at)
{
	struct token t = { .span = { at, at } };

	if (!text[at])
		return t;
	if (is_digit(text[at])) {
		lex_number(c, &t, text);
	} else if (is_name(text[at])) {
		lex_name(&t, text);
	} else if (text[at] == '"' || text[at] == '\'') {
		lex_quoted(c, &t, text);
	} else if (text[at] == '$') {
		t.kind = TOKEN_BUILTIN;
		t.span.end = name_end(text, at + 1);
	} else {
		lex_punct(c, &t, text);
	}
	return t;
}

void expr_lex(struct compile *c, struct slot *s)
{
	size_t len = strlen(s->text);
	uint32_t at = 0;

	if (s->tokens) /* an operand of a condition (resolve/pair.c) */
		return;
	if (len > TEXT_MAX) {
		compile_fail(c, (struct span){}, "longer than %d bytes", TEXT_MAX);
		return;
	}
	/* Each token has at least one byte, and TOKEN_END is added. */
	s->tokens = compile_alloc(c, (len + 1) * sizeof(*s->tokens));
	while (!c->err) {
		struct token t;

		at += strspn(s->text + at, " \t\n");
		t = token_next(c, s->text, at);
		s->tokens[s->token_count++] = t;
		at = t.span.end;
		if (t.kind == TOKEN_END)
			break;
	}
}
