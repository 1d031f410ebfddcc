/* SPDX-License-Identifier: GPL-2.0-only */
/* ax25.c - prints addresses of AX.25, amateur radio: call signs, each character shifted by a bit, with a number. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "syscalls/text.h"

enum {
	LETTERS = 6,	    /* of a call sign */
	SIGN = LETTERS + 1, /* bytes of one */
	SIGNS_MAX = 8,
	HEAD = 16, /* struct sockaddr_ax25 */
	CALL = 2,  /* offsets in it */
	COUNT = 12,
};

/* The characters of a call sign without the blanks at its end. Returns false if some are not to be shown. */
RARE static bool letters_read(const unsigned char *p, char text[LETTERS + 1])
{
	size_t len = LETTERS;

	for (size_t i = 0; i < LETTERS; i++)
		text[i] = (char)(p[i] >> 1);
	while (len && text[len - 1] == ' ')
		len--;
	text[len] = 0;
	for (size_t i = 0; i < len; i++)
		if (text[i] < ' ' || text[i] > '~')
			return false;
	return !strstr(text, "*/"); /* it would end the comment */
}

/* True if it has the form that the standard asks for. */
RARE static bool is_plain(const unsigned char *p, const char *text)
{
	unsigned low = p[LETTERS] & ~0x1eu;

	for (size_t i = 0; i < LETTERS; i++)
		low |= p[i] & 1;
	for (const char *c = text; *c; c++)
		if (!isupper((unsigned char)*c) && !isdigit((unsigned char)*c))
			return false;
	return !low && *text;
}

RARE static void sign_write(struct out *out, const char *p)
{
	static const char any[SIGN] = "@@@@@@"; /* six blanks */
	const unsigned char *bytes = (const void *)p;
	char text[LETTERS + 1];
	bool is_text = letters_read(bytes, text);
	unsigned number = bytes[LETTERS] >> 1 & 15;

	if (!memcmp(p, any, SIGN)) {
		buf_char(out->o, '*');
	} else if (is_text && is_plain(bytes, text)) {
		buf_printf(out->o, "%s-%u", text, number);
	} else {
		buf_str(out->o, "{ax25_call=");
		out_string(out, p, SIGN, false, true);
		buf_char(out->o, '}');
		if (is_text)
			buf_printf(out->o, " /* %s-%u */", text, number);
	}
}

/* The stations that pass it on; `count`: as many as the address says. */
RARE static void signs_write(struct out *out, const char *p, size_t len, uint32_t count)
{
	size_t there = len / SIGN, shown = count < SIGNS_MAX ? count : SIGNS_MAX;
	bool is_short = there < shown;

	shown = is_short ? there : shown;
	buf_str(out->o, ", fsa_digipeater=[");
	for (size_t i = 0; i < shown; i++) {
		buf_str(out->o, i ? ", " : "");
		sign_write(out, p + i * SIGN);
	}
	if (is_short)
		buf_str(out->o, shown ? ", ..." : "...");
	buf_char(out->o, ']');
	if (len > SIGNS_MAX * SIGN || (is_short && len % SIGN))
		buf_str(out->o, ", ...");
}

RARE bool out_ax25(struct out *out, const char *p, size_t len)
{
	uint32_t count;
	bool is_full;

	if (len < HEAD || out->json)
		return false;
	count = (uint32_t)memory_number(p + COUNT, 4);
	is_full = count || len > HEAD;
	buf_str(out->o, is_full ? ", fsa_ax25={sax25_call=" : ", sax25_call=");
	sign_write(out, p + CALL);
	buf_printf(out->o, is_full ? ", sax25_ndigis=%d}" : ", sax25_ndigis=%d", (int)count);
	if (is_full)
		signs_write(out, p + HEAD, len - HEAD, count);
	return true;
}
