/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * caller.c - finds the caller of an open in a copy of its stack: the first frame outside of the C
 * library. A program that has that library inside does not tell where it ends: there it is whoever
 * calls the function that makes the system call.
 */
#include "applets/opensnoop/caller.h"

#include <errno.h>
#include <string.h>

#include "output/field/stack.h"
#include "output/field/value_json.h"

static const struct field copy = { .offset = sizeof(struct opensnoop_event),
				   .size = sizeof(struct opensnoop_caller),
				   .type = FIELD_USER_STACK,
				   .kind = &stack_copy_kind };

static bool is_c_library(const char *module)
{
	static const char *const begins[] = { "libc.so", "libc-", "libpthread", "ld-" };

	for (size_t i = 0; module && i < sizeof(begins) / sizeof(begins[0]); i++)
		if (!strncmp(module, begins[i], strlen(begins[i])))
			return true;
	return false;
}

static bool makes_the_call(const char *name)
{
	return name && (strstr(name, "open") || strstr(name, "creat") || strstr(name, "yscall"));
}

/* If all are of the library, the outermost. */
static bool caller_find(const struct value *v, struct frame *f)
{
	struct stack_walk w;
	bool any = false;

	for (stack_begin(&w, &copy, v); stack_next(&w, f); any = true)
		if (!is_c_library(f->module) && (any || !makes_the_call(f->name)))
			return true;
	return any;
}

static int caller_load(const struct field *f, const void *record, size_t size, struct value *v)
{
	const struct opensnoop_caller *c = (const void *)((const char *)record + copy.offset);

	(void)f;
	*v = (struct value){ .status = EVENT_NONE };
	if (size < copy.offset + sizeof(*c))
		return -EBADMSG;
	return c->regs[OPENSNOOP_SP] ? stack_copy_kind.load(&copy, record, size, v) : 0;
}

static size_t caller_text(struct buf *o, const struct field *f, const struct value *v,
			  enum timestamp_form form)
{
	size_t start = o->len;
	struct frame frame;

	(void)f, (void)form;
	if (v->status == EVENT_OK && caller_find(v, &frame))
		stack_put_frame(o, &frame, ESCAPE_PLAIN);
	else
		buf_char(o, '-');
	return o->len - start;
}

static void caller_json(struct buf *o, const struct field *f, const struct value *v)
{
	struct frame frame;

	(void)f;
	if (!caller_find(v, &frame)) {
		buf_str(o, "null");
		return;
	}
	buf_char(o, '"');
	stack_put_frame(o, &frame, ESCAPE_JSON);
	buf_char(o, '"');
}

const struct field_kind caller_kind = {
	.name = "caller", .load = caller_load, .text = caller_text, .json = caller_json
};
