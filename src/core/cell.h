/* SPDX-License-Identifier: GPL-2.0 */
/*
 * cell.h - a value as text: what stands in a table cell or behind NAME=.
 *
 * It must not know of rows, and JSON has a form of its own.
 */
#ifndef CORETAP_CELL_H
#define CORETAP_CELL_H

#include "core/out.h"
#include "core/schema.h"

/* Strings of a FIELD_PAIR are quoted, others are not. `form` is for FIELD_TIME. Returns the width
 * in columns. */
size_t cell_put(struct out *o, const struct field *f, const struct value *v,
		enum timestamp_form form);

/* Who called: a symbol's name alone, or as name+0xc/0xe, the offset in so many bytes; where none is
 * known, as cell_put. */
void cell_put_caller(struct out *o, const struct field *f, const struct value *v, bool with_place);

/* A CLOCK_MONOTONIC time, or - for 0. */
size_t cell_put_time(struct out *o, uint64_t ns, enum timestamp_form form);

#endif
