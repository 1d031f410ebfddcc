/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * svg.c - parts of a picture as SVG text. It does not know what is drawn.
 */
#include "output/pictures/svg.h"

#include <stdio.h>
#include <string.h>

#include "util/escape.h"
#include "util/hash.h"

/* ---- texts ---- */

/* U+FFFE and U+FFFF are characters of UTF-8, and none of XML. */
static bool is_none_of_xml(const char *s, size_t n)
{
	return n >= 3 && !memcmp(s, "\xef\xbf", 2) && (unsigned char)s[2] >= 0xbe;
}

void svg_put_text(struct buf *o, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		switch (s[i]) {
		case '<': buf_str(o, "&lt;"); break;
		case '>': buf_str(o, "&gt;"); break;
		case '&': buf_str(o, "&amp;"); break;
		case '"': buf_str(o, "&quot;"); break;
		case '\xef':
			if (is_none_of_xml(s + i, n - i)) {
				buf_str(o, (unsigned char)s[i + 2] == 0xbe ? "\\ufffe" : "\\uffff");
				i += 2;
				break;
			} /* fall through */
		default: buf_char(o, s[i]);
		}
	}
}

void svg_put_foreign(struct buf *o, const char *s)
{
	struct buf plain;

	buf_init(&plain, -1);
	escape_put(&plain, s, strlen(s));
	svg_put_text(o, plain.data, plain.len);
	buf_free(&plain);
}

void svg_put_count(struct buf *o, uint64_t n)
{
	char digits[24];
	int len = snprintf(digits, sizeof(digits), "%llu", (unsigned long long)n);

	for (int i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			buf_char(o, ',');
		buf_char(o, digits[i]);
	}
}

void svg_put_share(struct buf *o, double part, double whole)
{
	buf_printf(o, "%.2f%%", whole > 0 ? 100 * part / whole : 0.0);
}

/* ---- colors ---- */

static double hue_part(double low, double high, double at)
{
	at -= at < 0 ? -6 : at >= 6 ? 6 : 0;
	return at < 1 ? low + (high - low) * at :
	       at < 3 ? high :
	       at < 4 ? low + (high - low) * (4 - at) :
			low;
}

uint32_t svg_hsl(unsigned hue, unsigned saturation, unsigned light)
{
	double l = light / 100.0, s = saturation / 100.0, h = hue / 60.0;
	double high = l < 0.5 ? l * (1 + s) : l + s - l * s, low = 2 * l - high;
	uint32_t r = 255 * hue_part(low, high, h + 2) + 0.5;
	uint32_t g = 255 * hue_part(low, high, h) + 0.5;
	uint32_t b = 255 * hue_part(low, high, h - 2) + 0.5;

	return r << 16 | g << 8 | b;
}

uint32_t svg_color_of_name(const char *name, size_t n, unsigned first, unsigned last)
{
	uint32_t hash = hash_add(HASH_BEGIN, name, n);

	hash ^= hash >> 15;
	return svg_hsl(first + hash % (last - first + 1), 60 + hash / 97 % 20,
		       60 + hash / 389 % 12);
}

/* ---- shapes ---- */

void svg_box_begin(struct buf *o)
{
	buf_str(o, "<g><title>");
}

void svg_box(struct buf *o, double x, double y, double width, double height, uint32_t rgb)
{
	buf_printf(
		o,
		"</title><rect x=\"%.2f\" y=\"%.0f\" width=\"%.2f\" height=\"%.0f\" fill=\"#%06x\"/>",
		x, y, width, height, rgb);
}

void svg_box_end(struct buf *o)
{
	buf_str(o, "</g>\n");
}

void svg_text_begin(struct buf *o, double x, double y, const char *anchor)
{
	buf_printf(o, "<text x=\"%.2f\" y=\"%.0f\"", x, y);
	if (*anchor != 's')
		buf_printf(o, " text-anchor=\"%s\"", anchor);
	buf_char(o, '>');
}

/* ---- the document ---- */

static const char style[] =
	"<style>text{font:12px monospace;fill:#111;white-space:pre}.title{font-size:16px;font-weight:bold}"
	".quiet,.button{fill:#555}.button{cursor:pointer;visibility:hidden}#frames{cursor:pointer}"
	"#frames text{pointer-events:none}#frames rect:hover{stroke:#000;stroke-width:1}"
	".above{opacity:.55}.found rect{fill:#e040e0}</style>\n";

/* Without a script, its words are not shown. */
static void buttons_put(struct buf *o, unsigned height)
{
	buf_printf(o,
		   "<text id=\"reset\" class=\"button\" x=\"10\" y=\"24\">Reset (Esc)</text>\n"
		   "<text id=\"search\" class=\"button\" x=\"1190\" y=\"24\" text-anchor=\"end\">"
		   "Search (Ctrl-F)</text>\n"
		   "<text id=\"matched\" x=\"1190\" y=\"46\" text-anchor=\"end\"></text>\n"
		   "<text id=\"details\" x=\"10\" y=\"%u\"></text>\n",
		   height - 8);
}

/* As much as there is room for between the buttons; <title> has the whole. */
static void title_put(struct buf *o, const char *title)
{
	enum { TITLE_CHARS = 96 };
	struct buf plain;
	size_t end = 0;

	buf_init(&plain, -1);
	escape_put(&plain, title, strlen(title));
	for (int chars = 0; end < plain.len; end++)
		if (((unsigned char)plain.data[end] & 0xc0) != 0x80 && chars++ == TITLE_CHARS)
			break;
	svg_put_text(o, plain.data, end);
	if (end < plain.len)
		buf_str(o, "…");
	buf_free(&plain);
}

void svg_begin(struct buf *o, unsigned height, const char *title, const char *subtitle, bool script)
{
	buf_printf(o,
		   "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		   "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%u\" "
		   "viewBox=\"0 0 %d %u\">\n<title>",
		   SVG_WIDTH, height, SVG_WIDTH, height);
	svg_put_foreign(o, title);
	buf_str(o, "</title>\n");
	buf_str(o, style);
	buf_printf(o, "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n"
		      "<text class=\"title\" x=\"600\" y=\"24\" text-anchor=\"middle\">");
	title_put(o, title);
	buf_str(o, SVG_TEXT_END "<text class=\"quiet\" x=\"600\" y=\"46\" text-anchor=\"middle\">");
	svg_put_foreign(o, subtitle);
	buf_str(o, SVG_TEXT_END);
	if (!script)
		return;
	buttons_put(o, height);
	buf_str(o, "<script><![CDATA[\n");
	buf_str(o, svg_script);
	buf_str(o, "]]></script>\n");
}

void svg_end(struct buf *o)
{
	buf_str(o, "</svg>\n");
}
