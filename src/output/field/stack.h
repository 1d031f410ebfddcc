/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stack.h - the frames of a FIELD_KERNEL_STACK or FIELD_USER_STACK value, with names.
 *
 * Frame 0 of a kernel stack is the probed function, on every kernel and with every attach method: frames of tracing
 * are dropped. In such a value, bytes and len are the captured frames, and u is the probed function's address or the
 * process.
 */
#ifndef CORETAP_OUTPUT_FIELD_STACK_H
#define CORETAP_OUTPUT_FIELD_STACK_H

#include "output/field/field.h"
#include "output/field/field_kind.h"
#include "output/field/stack_copy.h"
#include "output/field/value.h"
#include "util/escape.h"

/* One frame. The names are valid until the next frame is read. */
struct frame {
	uint64_t address;
	const char *name; /* NULL: unknown */
	uint64_t offset;  /* from the start of the name; without a name, of the module */
	/* the address as in the file's program headers; 0: kernel code, or unknown */
	uint64_t in_file;
	/* the kernel module, or the last component of a file's path; NULL: the kernel proper, or unknown */
	const char *module;
	const char *path;   /* path of that file; NULL: kernel code, or unknown */
	const char *source; /* the source file without its folder; NULL: unknown */
	unsigned line;
	bool changed; /* the file was written in the meantime: the name may be wrong */
};

struct stack_walk {
	const char *frames;
	size_t next, count;
	size_t left; /* frames still to be shown */
	uint64_t of; /* value.u */
	bool user, first;
	const struct frame *named;  /* value.named */
	struct stack_frames copied; /* of a stack_copy_kind */
};

/* Reads the next frame, from the innermost outwards. Returns false at the end. *w must not outlive the next
 * stack_begin. */
void stack_begin(struct stack_walk *w, const struct field *f, const struct value *v);
bool stack_next(struct stack_walk *w, struct frame *frame);

/* Writes a frame as it is in those lines, and in JSON. */
void stack_write_frame(struct buf *o, const struct frame *f, enum escape_form form);
/* Writes a line for each frame, which begins with `lead`. */
void stack_write_frames(struct buf *o, const struct field *f, const struct value *v,
			const char *lead);
/* The same below a row of a table; writes <fault> if nothing could be captured. */
void stack_write_lines(struct buf *o, const struct field *f, const struct value *v);
/* For a FIELD_USYM. */
field_text_fn text_user_symbol;
field_json_fn json_user_symbol;
/* Writes the heading of a stack, if a row has several. */
void stack_write_name(struct buf *o, const struct field *f);
void stack_write_json(struct buf *o, const struct field *f, const struct value *v);

#endif
