/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * show_sample.h - what the tests of front/bt/show.h share: a program without probes, its output, and types by hand.
 */
#ifndef CORETAP_SHOW_SAMPLE_H
#define CORETAP_SHOW_SAMPLE_H

#include <time.h>

#include "front/bt/show_parts.h"
#include "unit.h"

static struct buf out, err;
static const char *texts[] = { "", "%H:%M:%S.%f", "unified*", "1%f %k %l %d%%" };
static const char text_of_program[] = "BEGIN { errorf(\"x\"); }\n\tEND { delete(@a, 1); }\n";
static struct script script = { .text = text_of_program,
				.config = { .str_trunc_trailer = "..", .max_cat_bytes = 10 },
				.texts = texts,
				.text_count = 4 };
static struct bt_show show = { .out = &out, .err = &err, .file = "stdin", .script = &script };

/* Of output; good until the next put. */
#define assert_out(text) assert_string_equal(taken(&out), text)
#define assert_err(text) assert_string_equal(taken(&err), text)

static inline const char *text_of(const struct script_type *t, const void *image)
{
	struct bt_form f = bt_form_of(&show, false);

	out.len = 0;
	bt_show_value(&f, &out, t, image);
	return taken(&out);
}

static inline const char *json_of(const struct script_type *t, const void *image)
{
	struct bt_form f = bt_form_of(&show, true);

	out.len = 0;
	bt_show_value(&f, &out, t, image);
	return taken(&out);
}

static inline struct script_type type_of(enum script_kind kind, uint32_t size)
{
	return (struct script_type){ .kind = kind, .size = size };
}

/* A key (uint32, string[8]). */
static const struct script_part pair_parts[] = {
	{ .offset = 0, .type = { .kind = SCRIPT_INT, .size = 4 } },
	{ .offset = 4, .type = { .kind = SCRIPT_STRING, .size = 8 } },
};
static const struct script_type pair_type = {
	.kind = SCRIPT_TUPLE, .size = 12, .count = 2, .parts = pair_parts
};
struct pair {
	uint32_t number;
	char text[8];
};

static inline int show_setup(void **state)
{
	(void)state;
	setenv("TZ", "UTC0", 1);
	tzset();
	buf_init(&out, -1);
	buf_init(&err, -1);
	return 0;
}

static inline int show_teardown(void **state)
{
	(void)state;
	buf_free(&out);
	buf_free(&err);
	return 0;
}

#endif
