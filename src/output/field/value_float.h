/* SPDX-License-Identifier: GPL-2.0-only */
/* value_float.h - writes floating-point numbers, and integers of 16 bytes, of the processor's own kinds. */
#ifndef CORETAP_OUTPUT_FIELD_VALUE_FLOAT_H
#define CORETAP_OUTPUT_FIELD_VALUE_FLOAT_H

#include "btf/btf.h"
#include "output/field/field_kind.h"

field_text_fn text_float;
field_json_fn json_float;
/* The number, of 2, 4 or 8 bytes. */
double float_weight(const struct field *f, const struct value *v);

/* Writes what no register of BPF has: a long double, a complex number, an __int128. Returns false, with nothing
 * written, for another type. */
bool wide_write(struct buf *o, const struct btf_view *b, uint32_t id, const char *bytes, bool json);

#endif
