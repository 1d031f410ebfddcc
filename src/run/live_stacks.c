/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * live_stacks.c - chooses the largest stacks (live_stacks.h).
 */
#include "run/live_stacks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "run/stream.h"
#include "util/escape.h"

enum { STACKS_BYTES = 256 * 1024 };

static void number_write(struct buf *o, uint64_t number, bool is_signed)
{
	if (is_signed)
		buf_int(o, (int64_t)number);
	else
		buf_uint(o, number);
}

/* Writes lines from the largest, the last, on. Returns how many are left. */
static size_t lines_write(struct buf *o, const struct folded_line *lines, size_t count,
			  bool is_signed)
{
	while (count && o->len + strlen(lines[count - 1].text) < STACKS_BYTES) {
		const struct folded_line *l = &lines[--count];

		buf_str(o, l->text);
		buf_char(o, ' ');
		number_write(o, l->weight, is_signed);
		buf_char(o, '\n');
	}
	return count;
}

/* Writes what is to be known of the lines: the weight of those that were left out is a frame of its own. */
static void about_write(struct buf *o, const struct report_stacks *about,
			const struct folded_line *left, size_t count)
{
	uint64_t weight = 0;

	for (size_t i = 0; i < count; i++)
		weight += left[i].weight;
	buf_printf(o, "{\"type\":\"stacks\",\"omitted\":%zu,\"omitted_weight\":", count);
	number_write(o, weight, about->is_signed);
	escape_write_json_pair(o, "unit", about->unit ?: "");
	buf_str(o, "}\n");
}

int live_stacks_append(struct folded *stacks, const struct report_stacks *about)
{
	size_t count;
	struct folded_line *lines = folded_by_weight(stacks, about->is_signed, &count);
	struct buf head, rows;

	if (!lines)
		return -ENOMEM;
	buf_init(&head, -1);
	buf_init(&rows, -1);
	about_write(&head, about, lines, lines_write(&rows, lines, count, about->is_signed));
	buf_bytes(&head, rows.data, rows.len);
	if (!head.error)
		stream_append("stacks", 0, head.data, head.len);
	buf_free(&rows);
	buf_free(&head);
	free(lines);
	return 0;
}
