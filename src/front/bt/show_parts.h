/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * show_parts.h - shared by the files of show.h.
 */
#ifndef CORETAP_FRONT_BT_SHOW_PARTS_H
#define CORETAP_FRONT_BT_SHOW_PARTS_H

#include <string.h>

#include "front/bt/show.h"

/* How values are formatted. */
struct bt_form {
	const struct bt_show *s;
	const struct btf_view *btf;
	bool json;
	/* text: write control characters unchanged: the program's own, or not to a terminal */
	bool raw;
	uint64_t div; /* divisor of integers; 0, 1: none */
};

static inline struct bt_form bt_form_of(const struct bt_show *s, bool json)
{
	return (struct bt_form){
		.s = s, .btf = s->btf, .json = json, .raw = !s->out_is_terminal || s->json
	};
}

/* Returns the form for a C value: with its type's own view, or the point's. */
static inline struct bt_form bt_form_for(const struct bt_form *f, const struct script_type *t)
{
	struct bt_form own = *f;

	own.btf = t->btf ?: f->btf;
	return own;
}

/* Reads integers of 1, 2, 4 and 8 bytes; returns 0 for other sizes. */
uint64_t bt_number_read(const void *image, uint32_t size, bool is_signed);

/* ---- show_value.c ---- */

void bt_show_value(const struct bt_form *f, struct buf *o, const struct script_type *t,
		   const void *image);
/* Prints text of a traced program or of ours; JSON: a string. */
void bt_show_text(const struct bt_form *f, struct buf *o, const char *text, size_t len);
/* JSON has no integers: those that a double cannot represent are printed as strings. */
void bt_show_number(const struct bt_form *f, struct buf *o, uint64_t number, bool is_signed);
void bt_show_string(const struct bt_form *f, struct buf *o, const char *bytes, size_t size);
/* Prints the text of a number, or the number in JSON. */
void bt_show_symbolic(const struct bt_form *f, struct buf *o, const char *name, uint64_t number);
void bt_show_pointer(const struct bt_form *f, struct buf *o, uint64_t address);
/* Prints bytes of buf(): printable characters if `ascii`; others as \x00, or "00 01" if not `marked`. */
void bt_show_bytes(struct buf *o, const unsigned char *bytes, size_t len, bool ascii, bool marked);
/* Returns the bytes of a BUFFER's image. */
const unsigned char *bt_buffer_bytes(const struct script_type *t, const void *image, size_t *len);

/* Parts of a struct or record, between begin and end: { .name = …, }. */
struct bt_parts {
	const struct bt_form *f;
	struct buf *o;
	size_t count;
};
void bt_part_begin(struct bt_parts *p, const char *name);
void bt_parts_end(struct bt_parts *p);

/* ---- show_ctype.c ---- */

void bt_show_record(const struct bt_form *f, struct buf *o, const struct script_type *t,
		    const void *image);
void bt_show_array(const struct bt_form *f, struct buf *o, const struct script_type *t,
		   const void *image);
/* Returns NULL if the enum has no such value. */
const char *bt_enum_name(const struct btf_view *btf, uint32_t id, uint64_t number, uint32_t size);

/* ---- show_names.c ---- */

/* Prints kinds KSTACK to POINT, as text. */
void bt_show_name(const struct bt_form *f, struct buf *o, const struct script_type *t,
		  const void *image);
/* Writes a real time in ns by strftime() with %f, %k and %l. */
void bt_time_write(struct buf *o, const char *format, int64_t ns);

/* ---- show_wall.c ---- */

/* Converts a time that the program has read from that clock (enum script_clock) to real time. */
uint64_t bt_wall(const struct bt_show *s, uint32_t clock, uint64_t ns);
/* The same for a start of an interval of tseries(). */
uint64_t bt_series_wall(const struct bt_show *s, uint64_t ns);

/* ---- show_cgroup.c ---- */

void bt_cgroup_write(struct buf *o, uint64_t id, const char *filter);

/* ---- show_printf.c ---- */

/* Finds the image of argument i; `room` holds that of a literal number. NULL: the record is too short. */
struct bt_argument {
	const void *image;
	struct script_type type;
	bool is_literal;
	unsigned char room[8];
};
bool bt_argument_get(const struct script_action *a, size_t i, const void *record, size_t size,
		     struct bt_argument *argument);

/* ---- show_gfp.c ---- */

void bt_show_gfp(struct buf *o, uint64_t value);

/* ---- merged values ---- */

/* Returns the value to sort by and print: of COUNT, SUM, MIN, MAX, AVG, STATS (the average). Signed if the type is. */
uint64_t bt_merged_number(const struct script_type *t, const void *merged);
void bt_show_merged(const struct bt_form *f, struct buf *o, const struct script_type *t,
		    const void *merged);

/* ---- show_hist.c ---- */

uint32_t bt_hist_buckets(const struct script_type *t);
void bt_show_hist(const struct bt_form *f, struct buf *o, const struct script_type *t,
		  const uint64_t *counts);

/* ---- show_series.c ---- */

void bt_series_merge(const struct script_type *t, struct script_interval *to, const void *values,
		     uint32_t images, uint32_t stride);
/* Returns the number of the newest interval; 0: none. */
uint64_t bt_series_last(const struct script_type *t, const struct script_interval *merged);
/* `last` is the newest interval of the whole map. */
void bt_show_series(const struct bt_form *f, struct buf *o, const struct script_type *t,
		    const struct script_interval *merged, uint64_t last);

/* ---- show_message.c ---- */

/* {"type": "TYPE", "data":  */
void bt_json_begin(struct buf *o, const char *type);
/* … and after the data }\n */
void bt_json_end(struct buf *o);
/* Writes a whole line. */
void bt_json_text(struct buf *o, const char *type, const char *text, size_t len);
/* Prints errorf() and warnf(): `type` is the type in JSON. */
void bt_message_show(struct bt_show *s, struct span where, const char *type, const char *text,
		     size_t len);
/* Prints the calls of macros that contain the message's call, the innermost first. */
void bt_expansions_show(struct bt_show *s, const struct script_expr *call, bool is_error);
/* Prints that a kernel helper failed for the program: `text` explains it to the user. */
void bt_helper_show(struct bt_show *s, struct span where, const char *text, const char *helper,
		    int error);

#endif
