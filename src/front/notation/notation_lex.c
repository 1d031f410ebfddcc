/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * notation_lex.c - splits the text into tokens, as in C, with $x.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "front/notation/notation.h"

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

size_t notation_blank(const struct notation *n, size_t at)
{
	while (at < n->limit && isspace((unsigned char)n->text[at]))
		at++;
	return at;
}

size_t notation_quote_end(const char *text, size_t at, size_t limit)
{
	char quote = text[at++];

	while (at < limit && text[at] != quote)
		at += text[at] == '\\' ? 2 : 1;
	return at < limit ? at + 1 : limit + 1;
}

static size_t sign_length(const struct notation *n, size_t at)
{
	static const char *const signs[] = { "->", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||" };

	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
		size_t len = strlen(signs[i]);

		if (at + len <= n->limit && !strncmp(n->text + at, signs[i], len))
			return len;
	}
	return 1;
}

static size_t name_end(const struct notation *n, size_t at)
{
	while (at < n->limit && is_name(n->text[at]))
		at++;
	return at;
}

/* Returns the length of the escape whose backslash is at `at`; 0: unknown escape. */
static size_t escape_length(const char *text)
{
	size_t digits = strspn(text + 1, "01234567");

	if (digits)
		return 1 + (digits < 3 ? digits : 3);
	digits = text[1] == 'x' ? strspn(text + 2, "0123456789abcdefABCDEF") : 0;
	if (digits)
		return 2 + (digits < 2 ? digits : 2);
	return text[1] && strchr("ntr\\\"'", text[1]) ? 2 : 0;
}

/* Returns the byte that an escape stands for. */
static char escape_byte(const char *text)
{
	char digits[4];

	switch (text[1]) {
	case 'n': return '\n';
	case 't': return '\t';
	case 'r': return '\r';
	case 'x':
		snprintf(digits, sizeof(digits), "%.*s", (int)escape_length(text) - 2, text + 2);
		return (char)strtoul(digits, NULL, 16);
	default: break;
	}
	if (text[1] < '0' || text[1] > '7')
		return text[1];
	snprintf(digits, sizeof(digits), "%.*s", (int)escape_length(text) - 1, text + 1);
	return (char)strtoul(digits, NULL, 8);
}

static void escapes_check(struct notation *n, size_t at, size_t end)
{
	for (; at < end; at++) {
		size_t len = n->text[at] == '\\' ? escape_length(n->text + at) : 1;

		if (!len || (len > 1 && !escape_byte(n->text + at)))
			notation_fail(n, at, at + 2 < end ? at + 2 : end,
				      "\\n \\t \\r \\\" \\\\ \\101 \\x41",
				      len ? "a string cannot contain a NUL" : "unknown escape");
		at += len ? len - 1 : 1;
	}
}

static size_t string_end(struct notation *n, size_t at)
{
	size_t end = notation_quote_end(n->text, at, n->limit);

	if (end > n->limit) {
		notation_fail(n, at, n->limit, NULL, "missing closing quote");
		end = n->limit;
	}
	escapes_check(n, at, end);
	return end;
}

void notation_next(struct notation *n)
{
	size_t at;
	char c;

	n->last_start = n->start;
	n->last_end = n->end;
	at = n->start = notation_blank(n, n->at);
	if (n->failed || at >= n->limit) {
		n->start = n->end = n->at = n->limit;
		n->token = NOTATION_END;
		return;
	}
	c = n->text[at];
	n->token = isdigit((unsigned char)c) ? NOTATION_NUMBER :
		   is_name(c)		     ? NOTATION_NAME :
		   c == '"' || c == '\''     ? NOTATION_STRING :
		   c == '$'		     ? NOTATION_VAR :
					       NOTATION_SIGN;
	n->end = n->token == NOTATION_STRING ? string_end(n, at) :
		 n->token == NOTATION_SIGN   ? at + sign_length(n, at) :
					       name_end(n, at + 1);
	n->at = n->end;
	if (n->failed)
		n->token = NOTATION_END;
}

void notation_read(struct notation *n, size_t start, size_t end)
{
	n->at = n->end = start;
	n->limit = end;
	notation_next(n);
}

bool notation_is(const struct notation *n, const char *sign)
{
	return (n->token == NOTATION_SIGN || n->token == NOTATION_NAME) &&
	       n->end - n->start == strlen(sign) &&
	       !strncmp(n->text + n->start, sign, n->end - n->start);
}

bool notation_accept(struct notation *n, const char *sign)
{
	if (!notation_is(n, sign))
		return false;
	notation_next(n);
	return true;
}

void notation_expect(struct notation *n, const char *sign)
{
	if (!notation_accept(n, sign))
		notation_fail(n, n->start, n->end, NULL, "expected '%s'", sign);
}

const char *notation_token_text(struct notation *n)
{
	return notation_copy(n, n->start, n->end);
}

const char *notation_unquote(struct notation *n, const char *literal)
{
	size_t len = strlen(literal), to = 0;
	char *text = notation_alloc(n, len + 1);

	if (!text)
		return "";
	for (size_t i = 1; i + 1 < len; i++) {
		size_t escape = literal[i] == '\\' ? escape_length(literal + i) : 0;

		text[to++] = escape ? escape_byte(literal + i) : literal[i];
		i += escape ? escape - 1 : 0;
	}
	return text;
}

void notation_init(struct notation *n, const char *text, struct model *model)
{
	memset(n, 0, sizeof(*n));
	n->text = text;
	n->model = model;
	notation_read(n, 0, strlen(text));
}
