/* SPDX-License-Identifier: GPL-2.0 */
/*
 * stack.h - the frames of a FIELD_KERNEL_STACK or FIELD_USER_STACK value, with names.
 *
 * Frame 0 of a kernel stack is the probed function, on every kernel and however it is attached:
 * what tracing itself left there is dropped. Of such a value bytes and len are the frames as
 * they were captured, u is the probed function's address or the process.
 */
#ifndef CORETAP_STACK_H
#define CORETAP_STACK_H

#include "core/schema.h"
#include "core/text.h"

/* One frame. Names are good until the next one is taken. */
struct frame {
	uint64_t address;
	const char *name;   /* NULL: none is known */
	uint64_t offset;    /* from the name's beginning; without one, from the module's */
	const char *module; /* kernel module, or last part of a file's path; NULL: the kernel proper,
			     * or not known */
};

struct stack_walk {
	const char *frames;
	size_t next, count;
	size_t left; /* to be shown */
	uint64_t of; /* value.u */
	bool user, first;
};

/* From the innermost frame on; false: there are no more. */
void stack_begin(struct stack_walk *w, const struct field *f, const struct value *v);
bool stack_next(struct stack_walk *w, struct frame *frame);

/* vfs_read+0x12, nf_conntrack_in+0x12 [nf_conntrack], [libc.so.6]+0x1234, 0x7f0012345678 */
void frame_put(struct out *o, const struct frame *frame, enum text_form form);
/* A line for each frame, lead_len bytes first; <fault> where nothing could be captured. */
void stack_put_lines(struct out *o, const struct field *f, const struct value *v, const char *lead,
		     size_t lead_len);
void stack_put_json(struct out *o, const struct field *f, const struct value *v);

#endif
