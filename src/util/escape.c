/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * escape.c - turns hostile bytes into text that is safe on a terminal and within one line.
 *
 * One loop serves all notations: a run of plain printable ASCII is copied at once; the bytes that end the run are
 * decoded as strict UTF-8 and then copied or escaped. This file does not know where the bytes come from.
 */
#include "util/escape.h"

#include <string.h>

#include "util/bare.h"
#include "util/utf8.h"

/* One bit for each enum escape_form, then two for the shell. */
#define IN(form) (1U << (form))
#define SINGLE	 (1U << 4) /* plain between single quotes of a shell */
#define BARE	 (1U << 5) /* plain in a shell word without quotes */
#define ALL	 (IN(ESCAPE_PLAIN) | IN(ESCAPE_QUOTED) | IN(ESCAPE_JSON) | IN(ESCAPE_SHELL) | SINGLE)

/* The notations in which a byte is plain. Control bytes and bytes from 0x7f on are plain in none. */
static const uint8_t plain_in[256] = {
	[' ' ... '!'] = ALL, ['"'] = ALL & ~(IN(ESCAPE_QUOTED) | IN(ESCAPE_JSON)),
	['#' ... '$'] = ALL, ['%'] = ALL | BARE,
	['&'] = ALL,	     ['\''] = ALL & ~(IN(ESCAPE_SHELL) | SINGLE),
	['(' ... '*'] = ALL, ['+' ... ':'] = ALL | BARE, /* + , - . / digits : */
	[';' ... '<'] = ALL, ['='] = ALL | BARE,
	['>' ... '?'] = ALL, ['@' ... 'Z'] = ALL | BARE,
	['['] = ALL,	     ['\\'] = SINGLE,
	[']' ... '^'] = ALL, ['_'] = ALL | BARE,
	['`'] = ALL,	     ['a' ... 'z'] = ALL | BARE,
	['{' ... '~'] = ALL,
};

#define BYTES(c) ((c)*0x0101010101010101ULL) /* the byte c repeated eight times */

/* Tests eight bytes at once: true if none is a control byte, DEL, above ASCII, a backslash or the quote that `quotes`
 * repeats. Each of these sets its byte's top bit; a carry starts only in such a byte. */
static __always_inline bool is_plain_word(uint64_t w, uint64_t quotes)
{
	uint64_t odd = w | (w - BYTES(' ')) | (w + BYTES(1));

	odd |= (w ^ BYTES('\\')) - BYTES(1);
	odd |= (w ^ quotes) - BYTES(1);
	return !(odd & BYTES(0x80));
}

/* Copies 4 to 7 bytes as two overlapping halves: all of them or none. */
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

/* Copies plain bytes up to the first that is not; returns their number. The last word of a long text overlaps another. */
static __always_inline size_t copy_plain(char *to, const unsigned char *s, size_t n,
					 enum escape_form form)
{
	static const uint64_t quotes[] = {
		[ESCAPE_PLAIN] = BYTES('\\'),
		[ESCAPE_QUOTED] = BYTES('"'),
		[ESCAPE_JSON] = BYTES('"'),
		[ESCAPE_SHELL] = BYTES('\''),
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

/* True in the range that JSON uses for bytes that are not UTF-8: real characters of that range are escaped too. */
static bool is_byte_range(uint32_t code)
{
	return code >= 0xef80 && code <= 0xefff;
}

/* Returns the letter after the backslash, or 0 for a byte that has none. */
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

/* Writes \uXXXX, which JSON, C and Python all understand. */
static void escape_code(struct buf *o, uint32_t code)
{
	buf_bytes(o, "\\u", 2);
	buf_hex_pad(o, code, 4);
}

static void escape_byte(struct buf *o, unsigned char c, enum escape_form form)
{
	char letter = short_escape(c);

	if (letter) {
		buf_char(o, '\\');
		buf_char(o, letter);
	} else if (form == ESCAPE_JSON) {
		escape_code(o, c < 0x80 ? c : 0xef00U + c);
	} else {
		buf_bytes(o, "\\x", 2);
		buf_hex_pad(o, c, 2);
	}
}

static void escape_bytes(struct buf *o, const unsigned char *s, size_t n, enum escape_form form)
{
	while (n--)
		escape_byte(o, *s++, form);
}

/* Writes a character that is not plain, or a byte that is not UTF-8. Returns the bytes read; adds the columns written. */
static size_t special_write(struct buf *o, const unsigned char *s, size_t n, enum escape_form form,
			    size_t *columns)
{
	size_t start = o->len, len;
	uint32_t code;

	len = utf8_decode(s, n, &code);
	if (len && !utf8_is_harmful(code) && !(form == ESCAPE_JSON && is_byte_range(code))) {
		buf_bytes(o, s, len);
		*columns += 1;
		return len;
	}
	if (!len)
		escape_byte(o, *s, form);
	else if (form == ESCAPE_SHELL || (form == ESCAPE_JSON && is_byte_range(code)))
		escape_bytes(o, s, len, form); /* bash's \u depends on its locale */
	else
		escape_code(o, code);
	*columns += o->len - start;
	return len ? len : 1;
}

/* Writes runs of plain bytes, and escapes the bytes between them. Adds the width to `columns`. */
static size_t runs_write(struct buf *o, const unsigned char *s, size_t n, enum escape_form form,
			 size_t columns)
{
	const unsigned char *end = s + n;
	size_t run;
	char *to;

	while (s < end) {
		to = buf_reserve(o, end - s);
		if (!to)
			break;
		run = copy_plain(to, s, end - s, form);
		o->len += run;
		columns += run;
		s += run;
		if (s < end)
			s += special_write(o, s, end - s, form, &columns);
	}
	return columns;
}

static size_t between_write_slow(struct buf *o, const char *before, const char *s, size_t n,
				 const char *after, enum escape_form form);

/* Writes text between two literals. Inlined, so that plain text needs one reservation, and no call or saved register. */
static __always_inline size_t between_write(struct buf *o, const char *before, const char *s,
					    size_t n, const char *after, enum escape_form form)
{
	size_t frame = strlen(before) + strlen(after);
	char *to, *text;

	if (__builtin_expect(o->capacity - o->len <= n + frame, 0))
		return between_write_slow(o, before, s, n, after, form);
	to = o->data + o->len;
	text = to + strlen(before);
	if (copy_plain(text, (const unsigned char *)s, n, form) != n)
		return between_write_slow(o, before, s, n, after, form);
	memcpy(to, before, strlen(before));
	memcpy(text + n, after, strlen(after));
	o->len += n + frame;
	return n + frame;
}

static __attribute__((noinline)) size_t between_write_slow(struct buf *o, const char *before,
							   const char *s, size_t n,
							   const char *after, enum escape_form form)
{
	size_t columns = strlen(before) + strlen(after);

	buf_str(o, before);
	columns = runs_write(o, (const unsigned char *)s, n, form, columns);
	buf_str(o, after);
	return columns;
}

size_t escape_write_part(struct buf *o, const char *s, size_t n, enum escape_form form)
{
	return between_write(o, "", s, n, "", form);
}

size_t escape_write(struct buf *o, const char *s, size_t n)
{
	return escape_write_part(o, s, n, ESCAPE_PLAIN);
}

size_t escape_write_quoted(struct buf *o, const char *s, size_t n)
{
	return between_write(o, "\"", s, n, "\"", ESCAPE_QUOTED);
}

void escape_write_json(struct buf *o, const char *s, size_t n)
{
	between_write(o, "\"", s, n, "\"", ESCAPE_JSON);
}

void escape_write_json_key(struct buf *o, const char *name)
{
	between_write(o, ",\"", name, strlen(name), "\":", ESCAPE_JSON);
}

void escape_write_json_pair(struct buf *o, const char *name, const char *value)
{
	escape_write_json_key(o, name);
	if (value && *value)
		escape_write_json(o, value, strlen(value));
	else
		buf_str(o, "null");
}

/* Returns the classes that all of the bytes are in. */
static uint8_t classes_common(const unsigned char *s, size_t n)
{
	uint8_t common = ALL | BARE;

	for (; n >= 4; s += 4, n -= 4)
		common &= plain_in[s[0]] & plain_in[s[1]] & plain_in[s[2]] & plain_in[s[3]];
	while (n--)
		common &= plain_in[*s++];
	return common;
}

/* True if the text is ASCII of that class and other characters that need no escape. Adds its width to *columns. */
static bool consists_of(uint8_t class, const unsigned char *s, size_t n, size_t *columns)
{
	uint32_t code;

	for (size_t i = 0, len; i < n; i += len, ++*columns) {
		len = plain_in[s[i]] & class ? 1 : utf8_decode(s + i, n - i, &code);
		if (!len || (len > 1 && utf8_is_harmful(code)))
			return false;
	}
	return true;
}

bool escape_is_printable(const char *s, size_t n)
{
	size_t columns = 0;

	return consists_of(ALL, (const unsigned char *)s, n, &columns);
}

size_t escape_first(const char *s, size_t n)
{
	const unsigned char *text = (const unsigned char *)s;
	uint32_t code;
	size_t i = 0;

	while (i < n) {
		size_t len = text[i] < 0x80 ? text[i] >= ' ' && text[i] != 0x7f :
					      utf8_decode(text + i, n - i, &code);

		if (!len || (text[i] >= 0x80 && utf8_is_harmful(code)))
			break;
		i += len;
	}
	return i;
}

void escape_write_lines(struct buf *o, const char *s, size_t n)
{
	const char *end = s + n;

	while (s < end) {
		size_t run = escape_first(s, end - s), bad = 1;

		buf_bytes(o, s, run);
		s += run;
		if (s == end)
			break;
		while (s + bad < end && ((unsigned char)s[bad] & 0xc0) == 0x80)
			bad++;
		if (*s == '\n' || *s == '\t')
			buf_char(o, *s);
		else
			escape_write(o, s, bad);
		s += *s == '\n' || *s == '\t' ? 1 : bad;
	}
}

/* Writes words that need at most quotes. Returns the first word that needs more, or the end. */
static const unsigned char *words_copy(struct buf *o, const unsigned char *at,
				       const unsigned char *end, bool is_first)
{
	char *to = o->data + o->len;

	for (bool spaces; at < end; is_first = false) {
		char *word = to + !is_first;
		size_t len = bare_copy(word, at, end, &spaces);
		uint8_t common = spaces ? ALL : ALL | BARE, class;

		/* a NUL is in no class, so it ends the loop */
		for (; (class = plain_in[at[len]]); len++) {
			common &= class;
			word[len] = (char)at[len];
		}
		if (at[len] || !(common & SINGLE))
			break;
		if (!is_first)
			*to = ' ';
		to = word + len;
		if (!len || !(common & BARE)) {
			memmove(word + 1, word, len);
			word[0] = word[len + 1] = '\'';
			to += 2;
		}
		at += len + 1;
	}
	o->len = to - o->data;
	return at;
}

void escape_write_shell_line(struct buf *o, char *const *words)
{
	for (; *words; words++) {
		buf_char(o, ' ');
		escape_write_shell(o, *words, strlen(*words));
	}
}

size_t escape_write_shell_words(struct buf *o, const char *s, size_t n)
{
	const unsigned char *at = (const unsigned char *)s, *end = at + n;
	size_t start = o->len, more = 0; /* bytes that take no column of their own */

	/* the largest growth is that of an empty word: two quotes and a space for its NUL */
	while (at < end && buf_reserve(o, 3 * (end - at))) {
		size_t before, len;

		at = words_copy(o, at, end, o->len == start);
		if (at >= end)
			break;
		if (o->len != start)
			buf_char(o, ' ');
		before = o->len;
		len = strlen((const char *)at);
		more += escape_write_shell(o, (const char *)at, len) - (o->len - before);
		at += len + 1;
	}
	return o->len - start + more;
}

size_t escape_write_shell(struct buf *o, const char *s, size_t n)
{
	const unsigned char *bytes = (const unsigned char *)s;
	uint8_t common = n ? classes_common(bytes, n) : SINGLE;
	size_t columns = 2;

	if (common & BARE) {
		buf_bytes(o, s, n);
		return n;
	}
	if (common & SINGLE)
		columns += n;
	if (common & SINGLE || consists_of(SINGLE, bytes, n, &columns)) {
		buf_char(o, '\'');
		buf_bytes(o, s, n);
		buf_char(o, '\'');
		return columns;
	}
	buf_bytes(o, "$'", 2);
	columns = escape_write_part(o, s, n, ESCAPE_SHELL);
	buf_char(o, '\'');
	return columns + 3;
}
