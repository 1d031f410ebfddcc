/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stack_copy.h - user stacks that a record contains as registers and a copy of the stack (event.h): their frames are
 * found when they are shown.
 */
#ifndef CORETAP_OUTPUT_FIELD_STACK_COPY_H
#define CORETAP_OUTPUT_FIELD_STACK_COPY_H

#include "output/field/field.h"
#include "output/field/field_kind.h"
#include "output/field/value.h"
#include "symbols/user/unwind.h"

/* For field.kind of a FIELD_USER_STACK. In such a value, u is the process, and bytes and len are the registers and
 * the copy. */
extern const struct field_kind stack_copy_kind; /* stack.c */
field_load_fn stack_copy_load;

struct stack_frames {
	const struct unwind_frame *frames; /* valid until the next call */
	size_t count;
	/* why there are no more frames; NULL: the last one is the outermost, or enough were found */
	const char *end;
};
struct stack_frames stack_copy_frames(const struct field *f, const struct value *v);

#endif
