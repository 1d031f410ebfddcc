/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lex_values.c - reads numbers in all notations, and strings with their escapes.
 */
#include <ctype.h>

#include "script/syntax/parser.h"
#include "util/time_unit.h"

/* ---- numbers ---- */

struct digits {
	uint64_t value;
	bool overflows, ends_badly; /* with an underscore */
	size_t count;
};

static struct digits digits_read(struct parser *p, unsigned base)
{
	struct digits d = {};

	for (; p->in.at < p->in.source->end; p->in.at++) {
		unsigned char c = (unsigned char)*p->in.at;
		unsigned digit = isdigit(c)  ? c - '0' + 0u :
				 isxdigit(c) ? (c | ' ') - 'a' + 10u :
					       16;

		if (c == '_' && d.count) {
			d.ends_badly = true;
			continue;
		}
		if (digit >= (base == 16 ? 16 : 10))
			return d;
		d.ends_badly = false;
		d.count++;
		d.overflows |= digit >= base || __builtin_mul_overflow(d.value, base, &d.value) ||
			       __builtin_add_overflow(d.value, digit, &d.value);
	}
	return d;
}

/* Applies a suffix: one of C's, which has no effect, or a unit of time, which converts to ns. Returns false if it is
 * unknown. */
static bool suffix_apply(struct lexeme *t, const char *suffix, size_t len, bool *overflows)
{
	static const char *const plain[] = { "u", "ul", "ull", "l", "ll", "lu", "llu" };
	uint64_t unit = time_unit_ns(suffix, len);

	for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++)
		if (strlen(plain[i]) == len && !strncasecmp(suffix, plain[i], len))
			return true;
	*overflows |= __builtin_mul_overflow(t->number, unit, &t->number);
	return unit != 0;
}

static void number_exponent(struct parser *p, struct lexeme *t, bool *overflows)
{
	struct digits d;

	p->in.at++;
	d = digits_read(p, 10);
	if (!d.count || d.ends_badly)
		syn_fail(p, lex_span(p, t->text, p->in.at),
			 "the 'e' of a number must be followed by the number of zeros: 1e6");
	for (uint64_t i = 0; i < d.value && !*overflows && t->number; i++)
		*overflows = __builtin_mul_overflow(t->number, 10, &t->number);
}

static void number_end(struct parser *p, struct lexeme *t, bool overflows)
{
	const char *suffix = p->in.at;

	while (p->in.at < p->in.source->end && lex_is_word(*p->in.at))
		p->in.at++;
	if (p->in.at > suffix && !suffix_apply(t, suffix, p->in.at - suffix, &overflows)) {
		syn_fail(p, lex_span(p, t->text, p->in.at), "a number cannot end with '%.*s'",
			 (int)(p->in.at - suffix), suffix);
		script_hint(p->c, "units of time are ns us ms s m h d");
	}
	if (overflows)
		syn_fail(p, lex_span(p, t->text, p->in.at),
			 "the number is too large: the maximum in 64 bits is %llu", ~0ull);
}

void lex_number(struct parser *p, struct lexeme *t)
{
	const char *at = p->in.at, *end = p->in.source->end;
	unsigned base = 10;
	struct digits d;
	bool overflows;

	t->kind = LEX_NUMBER;
	if (end - at > 1 && at[0] == '0' && (at[1] | ' ') == 'x')
		base = 16;
	else if (end - at > 1 && at[0] == '0' && isdigit((unsigned char)at[1]))
		base = 8;
	p->in.at += base == 16 ? 2 : 0;
	d = digits_read(p, base);
	if (!d.count || d.ends_badly)
		syn_fail(p, lex_span(p, at, p->in.at), "the number must end with a digit");
	t->number = d.value;
	overflows = d.overflows;
	if (base == 8 && overflows && p->in.at - at < 20)
		syn_fail(p, lex_span(p, at, p->in.at),
			 "a number that begins with 0 is octal: it cannot contain 8 or 9");
	if (base != 16 && p->in.at < end && (*p->in.at | ' ') == 'e')
		number_exponent(p, t, &overflows);
	number_end(p, t, overflows);
}

/* ---- strings ---- */

/* Reads at most `most` digits of that base from *at. */
static unsigned escape_digits(const char **at, const char *end, unsigned base, int most)
{
	unsigned value = 0;

	for (; most-- && *at < end && isxdigit((unsigned char)**at); ++*at) {
		unsigned char c = (unsigned char)**at;
		unsigned digit = isdigit(c) ? c - '0' + 0u : (c | ' ') - 'a' + 10u;

		if (digit >= base)
			break;
		value = value * base + digit;
	}
	return value;
}

/* Returns the byte of the escape whose backslash is at *at; advances past it. */
static char escape_read(struct parser *p, const char **at, const char *end)
{
	static const char from[] = "ntr\"\\", to[] = "\n\t\r\"\\";
	const char *begin = *at, *known;
	unsigned value;
	char c;

	*at += 1;
	c = *at < end ? **at : '\0';
	known = c ? strchr(from, c) : NULL;
	if (known) {
		*at += 1;
		return to[known - from];
	}
	if (c >= '0' && c <= '7') {
		value = escape_digits(at, end, 8, 3);
		if (value > 255)
			syn_fail(p, lex_span(p, begin, *at),
				 "the escape is larger than a byte: the largest is \\377");
		return (char)value;
	}
	if ((c | ' ') == 'x' && *at + 1 < end && isxdigit((unsigned char)(*at)[1])) {
		*at += 1;
		return (char)escape_digits(at, end, 16, 2);
	}
	*at += *at < end;
	syn_fail(p, lex_span(p, begin, *at), "unknown escape");
	script_hint(p->c, "the escapes are \\n \\t \\r \\\" \\\\ \\123 \\x1f");
	return '?';
}

void lex_string(struct parser *p, struct lexeme *t)
{
	const char *at = p->in.at + 1, *end = p->in.source->end, *close = at;
	char *bytes;

	while (close < end && *close != '"' && *close != '\n')
		close += *close == '\\' && close + 1 < end ? 2 : 1;
	t->kind = LEX_STRING;
	if (close >= end || *close != '"') {
		syn_fail(p, lex_span(p, t->text, at),
			 "the string has no end: its '\"' is missing in this line");
		p->in.at = close;
		return;
	}
	bytes = script_alloc(p->c, close - at + 1);
	while (bytes && at < close && !p->c->err)
		bytes[t->byte_count++] = *at == '\\' ? escape_read(p, &at, close) : *at++;
	t->bytes = bytes;
	p->in.at = close + 1;
}
