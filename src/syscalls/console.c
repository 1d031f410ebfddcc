/* SPDX-License-Identifier: GPL-2.0-only */
/* console.c - prints what only requests of consoles are passed: tones, ports, keys, characters. */
#include <stdio.h>

#include "syscalls/text.h"

#define TICK_RATE 1193182 /* Hz of the timer that counts down to a tone */

/* -X=raw shows no comments. */
RARE static bool has_comments(const struct out *out)
{
	return !out->json && out->options->style != SYSCALL_NUMBERS_ONLY;
}

/* KIOCSOUND: what the timer counts down from. */
RARE static void sound_write(struct out *out, uint64_t v)
{
	buf_uint(out->o, v);
	if (has_comments(out) && v && v <= TICK_RATE)
		buf_printf(out->o, " /* %u Hz */", TICK_RATE / (unsigned)v);
	else if (has_comments(out))
		buf_str(out->o, " /* off */");
}

/* KDMKTONE: milliseconds, and what the timer counts down from. */
RARE static void tone_write(struct out *out, uint32_t v)
{
	unsigned ms = v >> 16, count = v & 0xffff;

	if (out->json) {
		buf_uint(out->o, v);
		return;
	}
	if (ms)
		buf_printf(out->o, "%u<<16|", ms);
	buf_uint(out->o, count);
	if (has_comments(out) && ms && count)
		buf_printf(out->o, " /* %u Hz, %u ms */", TICK_RATE / count, ms);
	else if (has_comments(out))
		buf_str(out->o, " /* off */");
}

/* KDADDIO: a port of the graphics card. */
RARE static void port_write(struct out *out, uint64_t v)
{
	enum { FIRST = 0x3b4, LAST = 0x3df };

	out_hex(out, v);
	if (has_comments(out) && v >= FIRST && v <= LAST)
		buf_printf(out->o, " /* GPFIRST + %u */", (unsigned)v - FIRST);
}

/* A function key by its number, which has a name of its own behind the first 20. */
RARE static void function_key_name(char name[32], unsigned nr)
{
	static const char *const names[] = { "FIND", "INSERT", "REMOVE", "SELECT", "PGUP",
					     "PGDN", "MACRO",  "HELP",	 "DO",	   "PAUSE" };

	if (nr >= 20 && nr < 30)
		snprintf(name, 32, "K_%s", names[nr - 20]);
	else if (nr == 255)
		snprintf(name, 32, "K_UNDO");
	else
		snprintf(name, 32, "K_F%u", nr < 20 ? nr + 1 : nr - 9);
}

RARE void out_character(struct out *out, unsigned char c)
{
	static const char letters[] = "abtnvfr";

	if (c >= '\a' && c <= '\r')
		buf_printf(out->o, "'\\%c'", letters[c - '\a']);
	else if (c < ' ' || c > '~')
		buf_printf(out->o, "'\\x%02x'", c);
	else
		buf_printf(out->o, c == '\'' || c == '\\' ? "'\\%c'" : "'%c'", c);
}

/* K(KT_LATIN, 'a'): a symbol of a key without a name. */
RARE static void symbol_parts_write(struct out *out, unsigned type, unsigned char value)
{
	const char *name = set_name(set_find("kdtype"), type);

	buf_printf(out->o, name ? "K(%s, " : "K(%.0s%#x, ", name ?: "", type);
	if (name && set_name(set_find("kdchar"), type))
		out_character(out, value);
	else
		out_hex(out, value);
	buf_char(out->o, ')');
}

RARE static void symbol_write(struct out *out, uint16_t v)
{
	const char *name = set_name(set_find("kdsym"), v);
	char key[32];

	out_hex(out, v);
	if (!has_comments(out))
		return;
	buf_str(out->o, " /* ");
	if (v >> 8 == 1) {
		function_key_name(key, v & 0xff);
		name = key;
	}
	if (name)
		buf_str(out->o, name);
	else
		symbol_parts_write(out, v >> 8, v & 0xff);
	buf_str(out->o, " */");
}

/* KVAL(K_F1): a function key. */
RARE static void function_write(struct out *out, unsigned v)
{
	char name[32], text[48], number[16];
	size_t begin = out->o->len;

	function_key_name(name, v);
	snprintf(text, sizeof(text), "KVAL(%s)", name);
	snprintf(number, sizeof(number), "%#x", v);
	out_word(out, text);
	out_style(out, begin, number);
}

/* A character in the font itself has a range of its own. */
RARE static void unicode_write(struct out *out, unsigned v)
{
	enum { DIRECT = 0xf000, DIRECT_LAST = 0xf1ff };
	size_t begin = out->o->len;
	char text[40], number[16];

	snprintf(text, sizeof(text), "UNI_DIRECT_BASE+%#x", v - DIRECT);
	snprintf(number, sizeof(number), "%#x", v);
	if (v < DIRECT || v > DIRECT_LAST) {
		out_hex(out, v);
		return;
	}
	out_word(out, text);
	out_style(out, begin, number);
}

RARE void out_console(struct out *out, unsigned form, uint64_t v)
{
	switch (form) {
	case CONSOLE_SOUND: sound_write(out, v); break;
	case CONSOLE_TONE: tone_write(out, (uint32_t)v); break;
	case CONSOLE_PORT: port_write(out, v); break;
	case CONSOLE_SYMBOL: symbol_write(out, (uint16_t)v); break;
	case CONSOLE_FUNCTION: function_write(out, v & 0xff); break;
	case CONSOLE_UNICODE: unicode_write(out, v & 0xffff); break;
	default:
		if (out->json)
			buf_uint(out->o, v & 0xff);
		else
			out_character(out, (unsigned char)v);
	}
}
