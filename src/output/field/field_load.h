/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * field_load.h - the functions that load values, per kind of field: for the table in field.c, and
 * for kinds that an applet defines.
 */
#ifndef CORETAP_OUTPUT_FIELD_FIELD_LOAD_H
#define CORETAP_OUTPUT_FIELD_FIELD_LOAD_H

#include "output/field/field.h"
#include "output/field/field_kind.h"

field_load_fn load_unsigned, load_signed; /* 1 to 8 bytes, or bits of them */
field_load_fn load_cstr, load_text, load_str, load_path, load_argv;
field_load_fn load_kernel_stack, load_user_stack, load_user_symbol;
field_load_fn load_raw, load_counted; /* bytes: at least the kind's size_min */
field_load_fn load_record;

/* Returns the function that loads this field from records of at least `certain` bytes: field_load, or a faster one if
 * nothing has to be checked. */
field_load_fn *field_load_choose(const struct field *f, size_t certain);

/* Returns the width of a number in bits. */
static inline unsigned field_bits(const struct field *f)
{
	return f->bit_size ? f->bit_size : f->size * 8;
}

static inline uint64_t low_bits(uint64_t u, unsigned bits)
{
	return bits < 64 ? u & ((1ULL << bits) - 1) : u;
}

#endif
