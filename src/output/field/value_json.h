/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * value_json.h - a value as JSON.
 */
#ifndef CORETAP_OUTPUT_FIELD_VALUE_JSON_H
#define CORETAP_OUTPUT_FIELD_VALUE_JSON_H

#include "output/field/field.h"
#include "output/field/field_kind.h"
#include "output/field/value.h"

/* Writes a value that was captured. */
void json_write_value(struct buf *o, const struct field *f, const struct value *v);
/* Writes any value; null if there is none. */
void json_write_value_or_null(struct buf *o, const struct field *f, const struct value *v);
/* Writes why there is no value: "fault: file->f_inode". */
void json_write_error(struct buf *o, const struct field *f, const struct value *v);
/* Writes a CLOCK_MONOTONIC time, in UTC. */
void json_write_time(struct buf *o, uint64_t ns);

/* ---- for the table of kinds ---- */

field_json_fn json_uint, json_int, json_hundredths, json_fd, json_octal, json_bool, json_char,
	json_port, json_pointer, json_enum, json_flags, json_errno, json_error, json_time,
	json_trace_ctx, json_user;
field_json_fn json_chars, json_string, json_path, json_argv, json_sockaddr;
field_json_fn json_quoted; /* the kind's text, in quotes */
field_json_fn json_struct, json_diff, json_stack, json_hist, json_percentile;

#endif
