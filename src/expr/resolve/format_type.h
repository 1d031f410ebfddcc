/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * format_type.h - formats chosen by the type alone.
 */
#ifndef CORETAP_EXPR_RESOLVE_FORMAT_TYPE_H
#define CORETAP_EXPR_RESOLVE_FORMAT_TYPE_H

#include "expr/compile.h"

void take_type(struct compile *c, struct slot *s);
void take_scalar(struct slot *s, enum field_type type, uint64_t size);
void take_string(struct compile *c, struct slot *s, enum string_space space);
/* `size` bytes from the address in the value; for an array or a struct, from its own address. */
/* As many bytes as s->format.bytes says, at most a string's. */
void take_counted(struct compile *c, struct slot *s, enum field_type type, enum string_space space);
void take_bytes(struct compile *c, struct slot *s, enum field_type type, uint64_t size);
/* A number by the names of the enum that has the constant s->format.constant. */
void take_enum_of(struct compile *c, struct slot *s);
/* The element type of an array, below all dimensions; any other type unchanged. */
struct ctype innermost(const struct compile *c, struct ctype t);
/* Fails with "TYPE `why`", about the whole expression. */
void fail_type(struct compile *c, struct slot *s, const char *why);

#endif
