/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * svg_flame.c - draws a flame graph of folded stacks.
 *
 * The stacks are sorted, so that those with the same outer frames are neighbours. One walk over them tracks the open
 * frames, and draws each when it ends. Frames narrower than a tenth of a pixel are not drawn; their number is written
 * into the picture.
 */
#include "output/pictures/svg.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "output/field/value_number.h"

enum { FRAME = 16, DEPTH_MAX = 2200 /* frames of two stacks of 1025, and keys */, ALL = 1 };
#define NARROWEST 0.1
#define ROOM	  (SVG_WIDTH - 2.0 * SVG_MARGIN)

static const char kernel_suffix[] = "_[k]";

struct open_frame {
	const char *name;
	size_t len;
	uint64_t start; /* the total weight drawn to its left */
};

struct flame {
	struct buf *o;
	const struct flame_text *text;
	struct folded_line *lines; /* owned */
	size_t count;
	uint64_t total, at;
	size_t deepest, hidden, left_out;
	struct open_frame open[DEPTH_MAX];
	size_t depth; /* of open frames */
};

/* ---- the stacks ---- */

/* Sorts the end of a frame before any character, so that stacks with a common frame are adjacent. */
static int frames_compare(const void *one, const void *other)
{
	const char *a = ((const struct folded_line *)one)->text;
	const char *b = ((const struct folded_line *)other)->text;

	while (*a && *a == *b)
		a++, b++;
	return (!*a	  ? 0 :
		*a == ';' ? 1 :
			    (unsigned char)*a + 1) -
	       (!*b	  ? 0 :
		*b == ';' ? 1 :
			    (unsigned char)*b + 1);
}

static size_t depth_of(const char *text)
{
	size_t depth = ALL + 1;

	for (; *text; text++)
		depth += *text == ';';
	return depth < DEPTH_MAX ? depth : DEPTH_MAX;
}

/* Drops lines whose sum is 0 or less: they have no width. */
static int lines_parse(struct flame *f, struct folded *folded, bool is_signed)
{
	size_t count = folded_sort(folded);

	f->lines = malloc((count + 1) * sizeof(*f->lines));
	if (!f->lines)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		struct folded_line *l = &f->lines[f->count];

		*l = folded_line(folded, i);
		if (!l->weight || (is_signed && (int64_t)l->weight < 0)) {
			f->left_out++;
			continue;
		}
		f->count++;
		f->total += l->weight;
		if (depth_of(l->text) > f->deepest)
			f->deepest = depth_of(l->text);
	}
	if (f->count)
		qsort(f->lines, f->count, sizeof(*f->lines), frames_compare);
	return 0;
}

/* ---- a frame ---- */

static bool is_kernel(const struct open_frame *frame)
{
	size_t len = sizeof(kernel_suffix) - 1;

	return frame->len > len && !memcmp(frame->name + frame->len - len, kernel_suffix, len);
}

/* Sums of times are those of waiting tasks. */
static bool is_wait(const struct flame_text *text)
{
	static const char *const units[] = { "ns", "us", "ms", "s" };
	bool is = text->is_time;

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		is |= text->unit && !strcmp(text->unit, units[i]);
	return is;
}

/* Warm colors are running tasks, cold ones waiting tasks; kernel frames differ from those of programs. */
static uint32_t color_of(const struct flame *f, const char *name, size_t len, bool kernel)
{
	static const struct {
		unsigned first, last;
	} hues[2][2] = { { { 8, 48 }, { 75, 125 } }, { { 175, 205 }, { 220, 260 } } };

	bool wait = is_wait(f->text);

	return svg_color_of_name(name, len, hues[wait][kernel].first, hues[wait][kernel].last);
}

static void write_amount(const struct flame *f, struct buf *o, uint64_t weight)
{
	if (f->text->is_time) {
		duration_write(o, weight);
		return;
	}
	svg_write_count(o, weight);
	buf_char(o, ' ');
	if (f->text->unit) {
		svg_write_foreign(o, f->text->unit);
		return;
	}
	buf_str(o, f->text->noun);
	buf_str(o, weight == 1 ? "" : "s");
}

/* Writes as many characters as fit, each complete. */
static void write_label(struct buf *o, const char *name, size_t len, double width)
{
	size_t room = width > 6 ? (width - 6) / SVG_CHAR : 0, chars = 0, bytes = 0;

	for (size_t i = 0; i < len; i++)
		chars += (name[i] & 0xc0) != 0x80;
	if (room < 3)
		return;
	if (chars <= room) {
		svg_write_text(o, name, len);
		return;
	}
	for (room -= 2; bytes < len && (room || (name[bytes] & 0xc0) == 0x80); bytes++)
		room -= (name[bytes] & 0xc0) != 0x80;
	svg_write_text(o, name, bytes);
	buf_str(o, "..");
}

static void frame_write(struct flame *f, const struct open_frame *frame, size_t depth)
{
	uint64_t weight = f->at - frame->start;
	double x = SVG_MARGIN + ROOM * frame->start / f->total, width = ROOM * weight / f->total;
	double y = SVG_TOP + (double)(f->deepest - 1 - depth) * FRAME;
	bool kernel = is_kernel(frame);
	size_t len = frame->len - (kernel ? sizeof(kernel_suffix) - 1 : 0);

	if (width < NARROWEST) {
		f->hidden++;
		return;
	}
	svg_box_begin(f->o);
	svg_write_text(f->o, frame->name, len);
	buf_str(f->o, " (");
	write_amount(f, f->o, weight);
	buf_str(f->o, ", ");
	svg_write_share(f->o, weight, f->total);
	buf_str(f->o, kernel ? ", kernel)" : ")");
	svg_box(f->o, x, y, width, FRAME - 1, color_of(f, frame->name, len, kernel));
	if (width > 6 + 3 * SVG_CHAR) {
		svg_text_begin(f->o, x + 3, y + 12, "start");
		write_label(f->o, frame->name, len, width);
		buf_str(f->o, "</text>");
	}
	svg_box_end(f->o);
}

/* ---- the walk ---- */

static void close_to(struct flame *f, size_t depth)
{
	while (f->depth > depth) {
		f->depth--;
		frame_write(f, &f->open[f->depth], f->depth);
	}
}

static void frame_open(struct flame *f, const char *name, size_t len)
{
	if (f->depth < DEPTH_MAX)
		f->open[f->depth++] = (struct open_frame){ name, len, f->at };
}

/* Returns how many open frames the text shares, and moves *text to the rest. */
static size_t same_frames(const struct flame *f, const char **text)
{
	size_t depth = ALL;

	for (; **text && depth < f->depth; depth++) {
		size_t len = strcspn(*text, ";");

		if (f->open[depth].len != len || memcmp(f->open[depth].name, *text, len))
			break;
		*text += len + ((*text)[len] == ';');
	}
	return depth;
}

static void stack_walk(struct flame *f, const struct folded_line *l)
{
	const char *text = l->text;

	close_to(f, same_frames(f, &text));
	while (*text) {
		size_t len = strcspn(text, ";");

		frame_open(f, text, len);
		text += len + (text[len] == ';');
	}
	f->at += l->weight;
}

/* ---- the picture ---- */

static void write_subtitle(struct flame *f, struct buf *o)
{
	write_amount(f, o, f->total);
	if (f->text->elapsed) {
		buf_str(o, " in ");
		duration_write(o, f->text->elapsed);
	}
	if (f->left_out)
		buf_printf(o, "; not drawn: %zu stacks whose sum is not above 0", f->left_out);
	buf_char(o, '\0');
}

static void write_hidden(const struct flame *f, unsigned height)
{
	if (!f->hidden)
		return;
	svg_text_begin(f->o, SVG_WIDTH - SVG_MARGIN, height - 8, "end");
	buf_printf(f->o, "%zu frames are too narrow to be drawn" SVG_TEXT_END, f->hidden);
}

static void picture_write(struct flame *f)
{
	unsigned height = SVG_TOP + f->deepest * FRAME + 2 * SVG_LINE;
	struct buf subtitle;

	buf_init(&subtitle, -1);
	write_subtitle(f, &subtitle);
	svg_begin(f->o, height, f->text->title, subtitle.error ? "" : subtitle.data, f->count != 0);
	buf_str(f->o, "<g id=\"frames\">\n");
	if (f->count)
		frame_open(f, "all", 3);
	for (size_t i = 0; i < f->count; i++)
		stack_walk(f, &f->lines[i]);
	close_to(f, 0);
	buf_str(f->o, "</g>\n");
	write_hidden(f, height);
	svg_end(f->o);
	buf_free(&subtitle);
}

int svg_flame_write(struct buf *o, struct folded *folded, bool is_signed,
		    const struct flame_text *text)
{
	struct flame *f = calloc(1, sizeof(*f));
	int err;

	if (!f)
		return -ENOMEM;
	f->o = o;
	f->text = text;
	err = lines_parse(f, folded, is_signed);
	if (!err)
		picture_write(f);
	err = err ?: o->error;
	free(f->lines);
	free(f);
	return err;
}
