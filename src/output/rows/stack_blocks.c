/* SPDX-License-Identifier: GPL-2.0-only */
/* stack_blocks.c - implements stack_blocks.h. */
#include "output/rows/stack_blocks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "output/field/value_number.h"
#include "util/terminal.h"

enum { INDENT = 4 };

/* Writes the parts of a line from the last to the first, which names the task. */
static void parts_write(struct buf *o, const char *text)
{
	const char *end = text + strlen(text), *start;

	do {
		for (start = end; start > text && start[-1] != ';';)
			start--;
		buf_repeat(o, ' ', INDENT);
		style_begin(o, start == text ? STYLE_TASK : STYLE_NONE);
		buf_bytes(o, start, end - start);
		style_end(o, start == text ? STYLE_TASK : STYLE_NONE);
		buf_char(o, '\n');
		end = start - 1;
	} while (start > text);
}

static void amount_write(struct buf *o, uint64_t weight, const struct report_stacks *about)
{
	if (about->is_time)
		duration_write(o, weight);
	else if (about->is_signed)
		buf_int(o, (int64_t)weight);
	else
		buf_uint(o, weight);
	if (about->unit && !about->is_time)
		buf_printf(o, " %s", about->unit);
}

/* `sum` is that of all weights, if they are unsigned. */
static void weight_write(struct buf *o, uint64_t weight, double sum,
			 const struct report_stacks *about)
{
	style_begin(o, STYLE_TITLE);
	amount_write(o, weight, about);
	style_end(o, STYLE_TITLE);
	if (!about->is_signed && sum > 0)
		buf_printf(o, "  %.1f%%", 100 * (double)weight / sum);
	buf_char(o, '\n');
}

static void block_write(struct buf *o, const struct folded_line *l, double sum,
			const struct report_stacks *about)
{
	parts_write(o, l->text);
	buf_repeat(o, ' ', 2 * INDENT);
	weight_write(o, l->weight, sum, about);
	buf_char(o, '\n');
	buf_unit_end(o);
}

/* What does not fit on a screen is at the end: of a stack, the frames far from where it is. */
static void block_write_down(struct buf *o, const struct folded_line *l, double sum,
			     const struct report_stacks *about)
{
	weight_write(o, l->weight, sum, about);
	parts_write(o, l->text);
}

int stack_blocks_write(struct folded *f, struct buf *o, const struct report_stacks *about,
		       bool down)
{
	size_t count;
	struct folded_line *lines = folded_by_weight(f, about->is_signed, &count);
	double sum = 0;

	if (!lines)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		sum += (double)lines[i].weight;
	for (size_t i = 0; i < count; i++)
		if (down)
			block_write_down(o, &lines[count - 1 - i], sum, about);
		else
			block_write(o, &lines[i], sum, about);
	free(lines);
	return (int)count;
}
