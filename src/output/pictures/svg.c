/* SPDX-License-Identifier: GPL-2.0-only */
/* svg.c - writes parts of a picture as SVG text, and its script. It does not know what is drawn. */
#include "output/pictures/svg.h"

#include <stdio.h>
#include <string.h>

#include "util/escape.h"
#include "util/hash.h"

/*
 * The script of a flame graph in a browser: a click on a frame makes it as wide as the picture, Ctrl-F colors the
 * frames whose names match and shows their share of the whole.
 *
 * picture.svg?search=PATTERN&zoom=NAME begins with these. The script reads everything from the picture: the title of
 * each frame is "NAME (…)", its box tells the rest.
 */

static const char svg_script[] =
	"'use strict';\n"
	"addEventListener('DOMContentLoaded', () => {\n"
	"const left = 10, full = 1180, charWidth = 7.3, near = 0.02;\n"
	"const id = name => document.getElementById(name);\n"
	"const frames = [...document.querySelectorAll('#frames > g')].map(g => {\n"
	"  const rect = g.querySelector('rect'), title = g.querySelector('title').textContent;\n"
	"  return { g, rect, title, name: title.slice(0, title.lastIndexOf(' (')),\n"
	"    x: +rect.getAttribute('x'), w: +rect.getAttribute('width'), y: +rect.getAttribute('y') };\n"
	"});\n"
	"const root = frames.reduce((a, b) => b.y > a.y ? b : a);\n"
	"\n"
	"function label(f, x, w) {\n"
	"  let text = f.g.querySelector('text');\n"
	"  const room = Math.floor((w - 6) / charWidth), chars = [...f.name];\n"
	"  if (!text) {\n"
	"    text = document.createElementNS('http://www.w3.org/2000/svg', 'text');\n"
	"    text.setAttribute('y', f.y + 12);\n"
	"    f.g.append(text);\n"
	"  }\n"
	"  text.setAttribute('x', x + 3);\n"
	"  text.textContent = room < 3 ? '' : chars.length <= room ? f.name :\n"
	"    chars.slice(0, room - 2).join('') + '..';\n"
	"}\n"
	"\n"
	"function place(f, x, w) {\n"
	"  f.rect.setAttribute('x', x);\n"
	"  f.rect.setAttribute('width', w);\n"
	"  f.g.style.display = '';\n"
	"  label(f, x, w);\n"
	"}\n"
	"\n"
	"function zoom(to) {\n"
	"  const scale = full / to.w;\n"
	"  for (const f of frames) {\n"
	"    const below = f.y > to.y && f.x <= to.x + near && f.x + f.w >= to.x + to.w - near;\n"
	"    const inside = f.y <= to.y && f.x >= to.x - near && f.x + f.w <= to.x + to.w + near;\n"
	"    f.g.classList.toggle('above', below);\n"
	"    if (below)\n"
	"      place(f, left, full);\n"
	"    else if (inside)\n"
	"      place(f, left + (f.x - to.x) * scale, f.w * scale);\n"
	"    else\n"
	"      f.g.style.display = 'none';\n"
	"  }\n"
	"  id('reset').style.visibility = to === root ? 'hidden' : 'visible';\n"
	"}\n"
	"\n"
	"function pattern(text) {\n"
	"  try {\n"
	"    return new RegExp(text);\n"
	"  } catch (e) {\n"
	"    return { test: name => name.includes(text) };\n"
	"  }\n"
	"}\n"
	"\n"
	"// A match inside of a match counts once.\n"
	"function search(text) {\n"
	"  const like = text && pattern(text);\n"
	"  const found = frames.filter(f => like && like.test(f.name));\n"
	"  let sum = 0, end = -1;\n"
	"  for (const f of frames)\n"
	"    f.g.classList.toggle('found', found.includes(f));\n"
	"  for (const f of found.sort((a, b) => a.x - b.x || b.w - a.w)) {\n"
	"    sum += Math.max(0, f.x + f.w - Math.max(end, f.x));\n"
	"    end = Math.max(end, f.x + f.w);\n"
	"  }\n"
	"  id('matched').textContent = like ? 'matched ' + (100 * sum / root.w).toFixed(2) + '%' : '';\n"
	"}\n"
	"\n"
	"const ask = () => {\n"
	"  const text = prompt('Names to search for (a regular expression; empty: none)', '');\n"
	"  if (text !== null)\n"
	"    search(text);\n"
	"};\n"
	"for (const f of frames) {\n"
	"  f.g.addEventListener('click', () => zoom(f));\n"
	"  f.g.addEventListener('mouseover', () => { id('details').textContent = f.title; });\n"
	"  f.g.addEventListener('mouseout', () => { id('details').textContent = ''; });\n"
	"}\n"
	"id('search').style.visibility = 'visible';\n"
	"id('search').addEventListener('click', ask);\n"
	"id('reset').addEventListener('click', () => zoom(root));\n"
	"addEventListener('keydown', e => {\n"
	"  if ((e.ctrlKey || e.metaKey) && e.key === 'f') {\n"
	"    e.preventDefault();\n"
	"    ask();\n"
	"  } else if (e.key === 'Escape') {\n"
	"    zoom(root);\n"
	"    search('');\n"
	"  }\n"
	"});\n"
	"const asked = new URLSearchParams(location.search);\n"
	"const at = frames.find(f => f.name === asked.get('zoom'));\n"
	"if (at)\n"
	"  zoom(at);\n"
	"if (asked.get('search'))\n"
	"  search(asked.get('search'));\n"
	"});\n";

/* ---- parts ---- */

/* ---- texts ---- */

/* True for U+FFFE and U+FFFF, which UTF-8 can encode but XML excludes. */
static bool is_none_of_xml(const char *s, size_t n)
{
	return n >= 3 && !memcmp(s, "\xef\xbf", 2) && (unsigned char)s[2] >= 0xbe;
}

void svg_write_text(struct buf *o, const char *s, size_t n)
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

void svg_write_foreign(struct buf *o, const char *s)
{
	struct buf plain;

	buf_init(&plain, -1);
	escape_write(&plain, s, strlen(s));
	svg_write_text(o, plain.data, plain.len);
	buf_free(&plain);
}

void svg_write_count(struct buf *o, uint64_t n)
{
	char digits[24];
	int len = snprintf(digits, sizeof(digits), "%llu", (unsigned long long)n);

	for (int i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			buf_char(o, ',');
		buf_char(o, digits[i]);
	}
}

void svg_write_share(struct buf *o, double part, double whole)
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

/* The buttons have no text unless the script runs. */
static void buttons_write(struct buf *o, unsigned height)
{
	buf_printf(o,
		   "<text id=\"reset\" class=\"button\" x=\"10\" y=\"24\">Reset (Esc)</text>\n"
		   "<text id=\"search\" class=\"button\" x=\"1190\" y=\"24\" text-anchor=\"end\">"
		   "Search (Ctrl-F)</text>\n"
		   "<text id=\"matched\" x=\"1190\" y=\"46\" text-anchor=\"end\"></text>\n"
		   "<text id=\"details\" x=\"10\" y=\"%u\"></text>\n",
		   height - 8);
}

/* Writes as much of the title as fits between the buttons; <title> has all of it. */
static void title_write(struct buf *o, const char *title)
{
	enum { TITLE_CHARS = 96 };
	struct buf plain;
	size_t end = 0;

	buf_init(&plain, -1);
	escape_write(&plain, title, strlen(title));
	for (int chars = 0; end < plain.len; end++)
		if (((unsigned char)plain.data[end] & 0xc0) != 0x80 && chars++ == TITLE_CHARS)
			break;
	svg_write_text(o, plain.data, end);
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
	svg_write_foreign(o, title);
	buf_str(o, "</title>\n");
	buf_str(o, style);
	buf_printf(o, "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n"
		      "<text class=\"title\" x=\"600\" y=\"24\" text-anchor=\"middle\">");
	title_write(o, title);
	buf_str(o, SVG_TEXT_END "<text class=\"quiet\" x=\"600\" y=\"46\" text-anchor=\"middle\">");
	svg_write_foreign(o, subtitle);
	buf_str(o, SVG_TEXT_END);
	if (!script)
		return;
	buttons_write(o, height);
	buf_str(o, "<script><![CDATA[\n");
	buf_str(o, svg_script);
	buf_str(o, "]]></script>\n");
}

void svg_end(struct buf *o)
{
	buf_str(o, "</svg>\n");
}
