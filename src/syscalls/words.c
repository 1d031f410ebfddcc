/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * words.c - prints strings, words and numbers in hexadecimal like strace(1), or as JSON.
 */
#include <string.h>

#include "syscalls/text.h"
#include "util/escape.h"

static void octal_write(struct buf *o, unsigned char c, bool is_next_digit)
{
	buf_char(o, '\\');
	if (is_next_digit || c > 077)
		buf_char(o, (char)('0' + (c >> 6)));
	if (is_next_digit || c > 07)
		buf_char(o, (char)('0' + (c >> 3 & 7)));
	buf_char(o, (char)('0' + (c & 7)));
}

/* Returns the number of bytes from s[i] on that are printed unchanged: most strings entirely. */
static size_t plain_count(const char *s, size_t i, size_t n, const char *also)
{
	static const uint8_t is_plain[256] = {
		[' '] = 1, ['!'] = 1, ['#' ... '['] = 1, [']' ... '~'] = 1
	};
	size_t start = i;

	if (*also)
		while (i < n && is_plain[(uint8_t)s[i]] && !strchr(also, s[i]))
			i++;
	else
		while (i < n && is_plain[(uint8_t)s[i]])
			i++;
	return i - start;
}

/* True if any byte is neither printable ASCII nor white space. */
static bool is_odd(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if ((s[i] < ' ' || s[i] > '~') && (s[i] < '\t' || s[i] > '\r'))
			return true;
	return false;
}

static void byte_write(struct buf *o, unsigned char c)
{
	buf_str(o, "\\x");
	buf_hex_pad(o, c, 2);
}

/* `also`: further characters that are printed as numbers. */
static void bytes_write(struct out *out, const char *s, size_t n, bool hex, const char *also)
{
	uint8_t how = out->options->hex;
	struct buf *o = out->o;

	hex |= how == SYSCALL_HEX_ALL || (how == SYSCALL_HEX_ODD && is_odd(s, n));
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)s[i];
		size_t plain = hex ? 0 : plain_count(s, i, n, also);

		if (plain) {
			buf_bytes(o, s + i, plain);
			i += plain - 1;
		} else if (hex) {
			byte_write(o, c);
		} else if (c >= '\t' && c <= '\r') {
			buf_char(o, '\\');
			buf_char(o, "tnvfr"[c - '\t']);
		} else if (c == '"' || c == '\\') {
			buf_char(o, '\\');
			buf_char(o, (char)c);
		} else if (how == SYSCALL_HEX_CHARS) {
			byte_write(o, c);
		} else {
			octal_write(o, c, i + 1 < n && s[i + 1] >= '0' && s[i + 1] <= '7');
		}
	}
}

void out_string(struct out *out, const char *s, size_t n, bool more, bool hex)
{
	struct buf *o = out->o;

	if (out->json) {
		escape_write_json(o, s, n);
		return;
	}
	buf_char(o, '"');
	bytes_write(out, s, n, hex, "");
	buf_char(o, '"');
	if (more)
		buf_str(o, "...");
}

void out_bracketed(struct out *out, const char *s, size_t n)
{
	buf_char(out->o, '<');
	bytes_write(out, s, n, false, "<>");
	buf_char(out->o, '>');
}

void out_word(struct out *out, const char *s)
{
	if (out->json)
		escape_write_json(out->o, s, strlen(s));
	else
		buf_str(out->o, s);
}

void out_hex(struct out *out, uint64_t v)
{
	const char *quote = out->json ? "\"" : "";

	buf_str(out->o, quote);
	buf_str(out->o, v ? "0x" : "");
	buf_hex(out->o, v);
	buf_str(out->o, quote);
}

bool memory_any(const char *p, size_t len)
{
	while (len && !*p) {
		p++;
		len--;
	}
	return len != 0;
}

uint64_t memory_number(const char *p, uint32_t size)
{
	uint64_t v = 0;

	memcpy(&v, p, size < 8 ? size : 8);
	return v;
}

void out_text(struct out *out, const struct type *t, const struct syssnoop_chunk *c, size_t len)
{
	const char *p = (const char *)(c + 1);
	bool is_short = t->kind == TYPE_STR && t->count_arg != SYSCALL_RESULT;
	size_t n = strnlen(p, len), most = is_short ? out->options->strings : n;
	bool more = c->status == EVENT_CUT && (!is_short || n == c->len);

	if (t->count > 1 && most >= t->count)
		most = t->count - 1;
	more |= n == c->len && c->left_out;
	out_string(out, p, n < most ? n : most, more || n > most, false);
}

void out_unread(struct out *out, uint64_t address)
{
	if (!out->json)
		buf_printf(out->o, ", ... /* %#llx */", (unsigned long long)address);
}
