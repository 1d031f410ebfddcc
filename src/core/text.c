// SPDX-License-Identifier: GPL-2.0
/*
 * text.c - the escaper: hostile bytes in, text that is safe on a terminal and in a line out.
 *
 * One loop serves all notations: a run of plain printable ASCII is copied in one go, what stops
 * the run is decoded as strict UTF-8 and then copied or escaped. It must not know where the bytes
 * come from.
 */
#include "core/text.h"

#include <stdbool.h>
#include <string.h>

/* One bit for each enum text_form, then two of the shell's. */
#define IN(form) (1U << (form))
#define SINGLE (1U << 4) /* stands for itself between single quotes */
#define BARE (1U << 5)	 /* needs no quotes at all in a shell word */
#define ALL (IN(TEXT_PLAIN) | IN(TEXT_QUOTED) | IN(TEXT_JSON) | IN(TEXT_SHELL) | SINGLE)

/* In which notations a byte stands for itself. Controls and bytes from 0x7f on: in none. */
static const uint8_t plain_in[256] = {
	[' ' ... '!'] = ALL,
	['"'] = ALL & ~(IN(TEXT_QUOTED) | IN(TEXT_JSON)),
	['#' ... '$'] = ALL,
	['%'] = ALL | BARE,
	['&'] = ALL,
	['\''] = ALL & ~(IN(TEXT_SHELL) | SINGLE),
	['(' ... '*'] = ALL,
	['+' ... ':'] = ALL | BARE, /* + , - . / digits : */
	[';' ... '<'] = ALL,
	['='] = ALL | BARE,
	['>' ... '?'] = ALL,
	['@' ... 'Z'] = ALL | BARE,
	['['] = ALL,
	['\\'] = SINGLE,
	[']' ... '^'] = ALL,
	['_'] = ALL | BARE,
	['`'] = ALL,
	['a' ... 'z'] = ALL | BARE,
	['{' ... '~'] = ALL,
};

#define BYTES(c) ((c) * 0x0101010101010101ULL) /* eight times c */

/* Eight bytes at once: none is a control, DEL, above ASCII, a backslash or the quote that `quotes`
 * has eight times. A top bit shows each of these; a carry begins only in a byte that is one. */
static __always_inline bool is_plain_word(uint64_t w, uint64_t quotes)
{
	uint64_t odd = w | (w - BYTES(' ')) | (w + BYTES(1));

	odd |= (w ^ BYTES('\\')) - BYTES(1);
	odd |= (w ^ quotes) - BYTES(1);
	return !(odd & BYTES(0x80));
}

/* 4 to 7 bytes as two halves that overlap: all or nothing. */
static __always_inline bool copy_short(char *to, const unsigned char *s, size_t n, uint64_t quotes)
{
	uint32_t first, last;

	memcpy(&first, s, 4);
	memcpy(&last, s + n - 4, 4);
	if (!is_plain_word((uint64_t)last << 32 | first, quotes))
		return false;
	memcpy(to, &first, 4);
	memcpy(to + n - 4, &last, 4);
	return true;
}

/* Copies what stands for itself up to the first byte that does not, and tells how much that was.
 * `to` has room for n bytes. A long text's last word overlaps the one before it. */
static __always_inline size_t copy_plain(char *to, const unsigned char *s, size_t n, enum text_form form)
{
	static const uint64_t quotes[] = {
		[TEXT_PLAIN] = BYTES('\\'), [TEXT_QUOTED] = BYTES('"'),
		[TEXT_JSON] = BYTES('"'), [TEXT_SHELL] = BYTES('\''),
	};
	size_t i = 0;
	uint64_t w;

	if (n >= 4 && n < 8 && copy_short(to, s, n, quotes[form]))
		return n;
	while (n - i >= 8) {
		memcpy(&w, s + i, 8);
		if (!is_plain_word(w, quotes[form]))
			break;
		memcpy(to + i, &w, 8);
		i += 8;
		if (n - i < 8)
			i = n - i ? n - 8 : n;
	}
	for (; i < n && plain_in[s[i]] & IN(form); i++)
		to[i] = (char)s[i];
	return i;
}

/* A character outside of ASCII and its length in bytes; 0 when the bytes are not UTF-8. */
static size_t utf8_decode(const unsigned char *s, size_t n, uint32_t *code)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t len = s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : s[0] < 0xf5 ? 4 : 0;

	if (!len || len > n)
		return 0;
	*code = s[0] & (0x7f >> len);
	for (size_t i = 1; i < len; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		*code = *code << 6 | (s[i] & 0x3f);
	}
	if (*code < least[len] || *code > 0x10ffff || (*code >= 0xd800 && *code <= 0xdfff))
		return 0;
	return len;
}

/* C1, every character of Unicode's Bidi_Control, line and paragraph separator. */
static bool is_harmful(uint32_t code)
{
	return code < 0xa0 || code == 0x61c || code == 0x200e || code == 0x200f ||
	       (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

/* Where JSON shows bytes that are not UTF-8; a real character there must not look like one. */
static bool is_byte_range(uint32_t code)
{
	return code >= 0xef80 && code <= 0xefff;
}

/* The letter after the backslash, or 0 for a byte that has none. */
static char short_escape(unsigned char c)
{
	switch (c) {
	case '\b': return 'b';
	case '\f': return 'f';
	case '\n': return 'n';
	case '\r': return 'r';
	case '\t': return 't';
	case '"':
	case '\'':
	case '\\': return (char)c;
	default: return 0;
	}
}

/* \uXXXX, of which JSON, C and Python know what it means. */
static void escape_code(struct out *o, uint32_t code)
{
	out_bytes(o, "\\u", 2);
	out_hex_pad(o, code, 4);
}

static void escape_byte(struct out *o, unsigned char c, enum text_form form)
{
	char letter = short_escape(c);

	if (letter) {
		out_char(o, '\\');
		out_char(o, letter);
	} else if (form == TEXT_JSON) {
		escape_code(o, c < 0x80 ? c : 0xef00U + c);
	} else {
		out_bytes(o, "\\x", 2);
		out_hex_pad(o, c, 2);
	}
}

static void escape_bytes(struct out *o, const unsigned char *s, size_t n, enum text_form form)
{
	while (n--)
		escape_byte(o, *s++, form);
}

/* What is not plain: one character, or one byte of none. Returns its bytes, adds its columns. */
static size_t put_special(struct out *o, const unsigned char *s, size_t n, enum text_form form,
			  size_t *columns)
{
	size_t start = o->len, len;
	uint32_t code;

	len = utf8_decode(s, n, &code);
	if (len && !is_harmful(code) && !(form == TEXT_JSON && is_byte_range(code))) {
		out_bytes(o, s, len);
		*columns += 1;
		return len;
	}
	if (!len)
		escape_byte(o, *s, form);
	else if (form == TEXT_SHELL || (form == TEXT_JSON && is_byte_range(code)))
		escape_bytes(o, s, len, form); /* bash's \u depends on its locale */
	else
		escape_code(o, code);
	*columns += o->len - start;
	return len ? len : 1;
}

/* Runs of plain bytes, and between them what is not plain. Adds to `columns`. */
static size_t put_runs(struct out *o, const unsigned char *s, size_t n, enum text_form form,
		       size_t columns)
{
	const unsigned char *end = s + n;
	size_t run;
	char *to;

	while (s < end) {
		to = out_reserve(o, end - s);
		if (!to)
			break;
		run = copy_plain(to, s, end - s, form);
		o->len += run;
		columns += run;
		s += run;
		if (s < end)
			s += put_special(o, s, end - s, form, &columns);
	}
	return columns;
}

static size_t put_between_slow(struct out *o, const char *before, const char *s, size_t n,
			       const char *after, enum text_form form);

/* Text between two literals, which the compiler turns into moves: plain text needs one reservation
 * and no further call, and no saved registers. */
static __always_inline size_t put_between(struct out *o, const char *before, const char *s, size_t n,
				 const char *after, enum text_form form)
{
	size_t frame = strlen(before) + strlen(after);
	char *to, *text;

	if (__builtin_expect(o->capacity - o->len <= n + frame, 0))
		return put_between_slow(o, before, s, n, after, form);
	to = o->data + o->len;
	text = to + strlen(before);
	if (copy_plain(text, (const unsigned char *)s, n, form) != n)
		return put_between_slow(o, before, s, n, after, form);
	memcpy(to, before, strlen(before));
	memcpy(text + n, after, strlen(after));
	o->len += n + frame;
	return n + frame;
}

static __attribute__((noinline)) size_t put_between_slow(struct out *o, const char *before,
							 const char *s, size_t n,
							 const char *after, enum text_form form)
{
	size_t columns = strlen(before) + strlen(after);

	out_str(o, before);
	columns = put_runs(o, (const unsigned char *)s, n, form, columns);
	out_str(o, after);
	return columns;
}

size_t text_put_part(struct out *o, const char *s, size_t n, enum text_form form)
{
	return put_between(o, "", s, n, "", form);
}

size_t text_put(struct out *o, const char *s, size_t n)
{
	return text_put_part(o, s, n, TEXT_PLAIN);
}

size_t text_put_quoted(struct out *o, const char *s, size_t n)
{
	return put_between(o, "\"", s, n, "\"", TEXT_QUOTED);
}

void text_put_json(struct out *o, const char *s, size_t n)
{
	put_between(o, "\"", s, n, "\"", TEXT_JSON);
}

void text_put_json_key(struct out *o, const char *name)
{
	put_between(o, ",\"", name, strlen(name), "\":", TEXT_JSON);
}

void text_put_json_pair(struct out *o, const char *name, const char *value)
{
	text_put_json_key(o, name);
	if (value && *value)
		text_put_json(o, value, strlen(value));
	else
		out_str(o, "null");
}

static bool is_bare(const unsigned char *s, size_t n)
{
	size_t i = 0;

	while (i < n && plain_in[s[i]] & BARE)
		i++;
	return i == n;
}

/* Nothing in it needs an escape, so single quotes do; adds its width to *columns. */
static bool fits_single_quotes(const unsigned char *s, size_t n, size_t *columns)
{
	uint32_t code;

	for (size_t i = 0, len; i < n; i += len, ++*columns) {
		len = plain_in[s[i]] & SINGLE ? 1 : utf8_decode(s + i, n - i, &code);
		if (!len || (len > 1 && is_harmful(code)))
			return false;
	}
	return true;
}

size_t text_put_shell(struct out *o, const char *s, size_t n)
{
	const unsigned char *bytes = (const unsigned char *)s;
	size_t columns = 2;

	if (!n) {
		out_str(o, "''");
		return columns;
	}
	if (is_bare(bytes, n)) {
		out_bytes(o, s, n);
		return n;
	}
	if (fits_single_quotes(bytes, n, &columns)) {
		out_char(o, '\'');
		out_bytes(o, s, n);
		out_char(o, '\'');
		return columns;
	}
	out_bytes(o, "$'", 2);
	columns = text_put_part(o, s, n, TEXT_SHELL);
	out_char(o, '\'');
	return columns + 3;
}
