/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * value_number.h - writes numbers, and what they stand for (names, flags, errors, times), as text.
 */
#ifndef CORETAP_OUTPUT_FIELD_VALUE_NUMBER_H
#define CORETAP_OUTPUT_FIELD_VALUE_NUMBER_H

#include <endian.h>

#include "output/field/field.h"
#include "output/field/field_kind.h"
#include "output/field/timestamp.h"
#include "output/field/value.h"

/* Reads a number of 1 to 8 bytes in network order. */
static inline uint64_t big_endian(const struct field *f, const struct value *v)
{
	return be64toh(v->u) >> (64 - 8 * (f->size < 8 ? f->size : 8));
}

/* Writes three significant digits: 999ns, 1.23us, 12.3us, … 123s; 12345s. */
void duration_write(struct buf *o, uint64_t ns);
/* Writes 176 as 1.76. */
void hundredths_write(struct buf *o, int64_t hundredths);
/* Writes a CLOCK_MONOTONIC time, or - for 0. */
size_t time_write(struct buf *o, uint64_t ns, enum timestamp_form form);

/* For the table of kinds. */
field_text_fn text_uint, text_int, text_hex, text_octal, text_bool, text_char, text_pointer,
	text_enum, text_flags, text_fd, text_errno, text_result, text_error, text_duration,
	text_span_ns, text_span_us, text_span_ms, text_hundredths, text_rwbs, text_device,
	text_user, text_time, text_port, text_trace_ctx;

#endif
