/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stack_copy.c - finds the frames of a copied stack.
 */
#include "output/field/stack_copy.h"

#include <errno.h>
#include <string.h>
#include <linux/types.h>

#include "output/field/value.h"
#include "output/field/value_json.h"
#include "output/field/value_text.h"
#include "symbols/user/usyms.h"
#include "event.h"

enum { FRAMES_MAX = 1024 }; /* of --stack-depth */

static size_t registers_size(void)
{
	return arch_offset(arches[ARCH_NATIVE].sample_registers);
}

int stack_copy_load(const struct field *f, const void *record, size_t size, struct value *v)
{
	size_t fixed = sizeof(struct event_user_copy) + registers_size();
	struct event_user_copy copy;
	struct event_header head;

	if (size < sizeof(head) || f->size < fixed)
		return -EBADMSG;
	memcpy(&copy, (const char *)record + f->offset, sizeof(copy));
	memcpy(&head, record, sizeof(head));
	*v = (struct value){ .u = head.pid,
			     .bytes = (const char *)record + f->offset + sizeof(copy),
			     .len = registers_size() + copy.size };
	return copy.size > f->size - fixed ? -EBADMSG : 0;
}

static const struct cfi *cfi_find_in(void *ctx, uint64_t address, uint64_t *in_file)
{
	return usyms_cfi(*(const uint32_t *)ctx, address, in_file);
}

static const char *end_text(enum unwind_end end, bool is_full)
{
	switch (end) {
	case UNWIND_COPY:
		return is_full ? "<cut: the frame is beyond the copy; use a larger --dwarf>" :
				 "<cut: the rest of the stack could not be read>";
	case UNWIND_AWAY: return "<cut: the caller is on another stack, which is not copied>";
	case UNWIND_UNKNOWN: return "<cut: no unwind table for this code, nor a frame pointer>";
	case UNWIND_DAMAGED: return "<cut: the unwind table does not fit>";
	default: return NULL;
	}
}

struct stack_frames stack_copy_frames(const struct field *f, const struct value *v)
{
	static struct unwind_frame frames[FRAMES_MAX];
	size_t most = f->width && f->width < FRAMES_MAX ? (size_t)f->width : FRAMES_MAX;
	size_t room = f->size - sizeof(struct event_user_copy);
	uint32_t pid = v->u;
	const struct unwind_input in = { .arch = &arches[ARCH_NATIVE],
					 .registers = v->bytes,
					 .stack = v->bytes + registers_size(),
					 .stack_size = v->len - registers_size(),
					 .find = cfi_find_in,
					 .ctx = &pid };
	enum unwind_end end;
	size_t count = unwind(&in, frames, most, &end);

	return (struct stack_frames){ frames, count, end_text(end, v->len == room) };
}
