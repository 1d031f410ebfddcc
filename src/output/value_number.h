/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * value_number.h - numbers, and what they stand for (names, flags, errors, times), as text.
 */
#ifndef CORETAP_OUTPUT_VALUE_NUMBER_H
#define CORETAP_OUTPUT_VALUE_NUMBER_H

#include "output/field.h"

/* Three significant digits: 999ns, 1.23us, 12.3us, … 123s; 12345s. */
void duration_put(struct buf *o, uint64_t ns);
/* A CLOCK_MONOTONIC time, or - for 0. */
size_t time_put(struct buf *o, uint64_t ns, enum timestamp_form form);

/* For the table of kinds. */
field_text_fn text_uint, text_int, text_hex, text_octal, text_bool, text_char, text_pointer,
	text_enum, text_flags, text_fd, text_errno, text_result, text_error, text_duration,
	text_time, text_port, text_trace_ctx;

#endif
