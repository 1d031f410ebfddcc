/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stack.c - writes captured return addresses with names, as lines and as a JSON array.
 *
 * This file knows nothing about records or how the addresses were captured.
 */
#include "output/field/stack.h"

#include <string.h>
#include <linux/types.h>

#include "output/field/field_kind.h"
#include "output/field/stack_tracing.h"
#include "output/field/timestamp.h"
#include "output/field/value.h"
#include "symbols/kernel/ksyms.h"
#include "symbols/user/usyms.h"
#include "event.h"

enum { UNMAPPED_END = 4096 };

/* Where a caller keeps something else than its frame pointer, a chain ends with what is no address: page 0 is not mapped. */
static void user_end_trim(struct stack_walk *w)
{
	while (w->count > 1 && stack_address(w, w->count - 1) < UNMAPPED_END)
		w->count--;
}

void stack_begin(struct stack_walk *w, const struct field *f, const struct value *v)
{
	*w = (struct stack_walk){
		.frames = v->bytes,
		.count = v->len / sizeof(uint64_t),
		.of = v->u,
		.left = f->width ? (size_t)f->width : SIZE_MAX,
		.user = f->type == FIELD_USER_STACK,
		.first = true,
		.named = v->named,
	};
	if (w->user && !w->named)
		usyms_poll();
	else if (!w->user)
		w->next = stack_tracing_skip(w);
	if (f->kind == &stack_copy_kind) {
		w->copied = stack_copy_frames(f, v);
		w->count = w->copied.count;
	} else if (w->user) {
		user_end_trim(w);
	}
}

/* True if the address is a return address. If a function never returns, it may be the first byte after the function's
 * end. */
static bool is_return(const struct stack_walk *w)
{
	return w->copied.frames ? !w->copied.frames[w->next - 1].is_exact : !w->first;
}

static void frame_name(const struct stack_walk *w, struct frame *f)
{
	uint64_t back = is_return(w);
	struct usyms_place place;

	f->offset = f->in_file = 0;
	f->module = NULL;
	f->path = NULL;
	f->source = NULL;
	f->changed = false;
	if (w->user) {
		f->name = usyms_name(w->of, f->address - back, &place);
		f->offset = place.offset;
		f->in_file = place.module ? place.in_file + back : 0;
		f->module = place.module;
		f->path = place.path;
		f->changed = place.changed;
		f->source = place.source;
		f->line = place.line;
	} else {
		/* a kretprobe replaces the return address with its trampoline's first byte, which no call precedes */
		back = back && !stack_is_trampoline(f->address);
		f->name = ksyms_name(f->address - back, &f->offset, &f->module);
	}
	f->offset += back;
}

/* Sets the frame to the function's entry, whatever offset the attach method produces. */
static void frame_entry(struct frame *f)
{
	if (f->name && f->offset < STACK_ENTRY_BYTES)
		f->offset = 0;
}

bool stack_next(struct stack_walk *w, struct frame *frame)
{
	bool known = w->first && w->of && !w->user;

	if (!w->left-- || (!known && w->next >= w->count))
		return false;
	if (w->named) {
		*frame = w->named[w->next++];
		return true;
	}
	frame->address = known ? w->of : stack_address(w, w->next++);
	frame_name(w, frame);
	if (known)
		frame_entry(frame);
	w->first = false;
	return true;
}

/* [vdso] already has brackets. */
static void module_write(struct buf *o, const struct frame *f, enum escape_form form)
{
	bool bare = *f->module != '[';

	if (bare)
		buf_char(o, '[');
	escape_write_part(o, f->module, strlen(f->module), form);
	if (f->changed)
		buf_char(o, '?');
	if (bare)
		buf_char(o, ']');
}

/* Writes vfs_read+0x12, nf_conntrack_in+0x12 [nf_conntrack], [libc.so.6]+0x1234 or 0x7f0012345678; for a file that
 * changed, [libc.so.6?]; with a line, main+0x12 [prog] prog.c:34. In text, a function at its entry (the probed one)
 * is only its name; in JSON all have the same form. */
void stack_write_frame(struct buf *o, const struct frame *f, enum escape_form form)
{
	if (f->name)
		escape_write_part(o, f->name, strlen(f->name), form);
	else if (f->module)
		module_write(o, f, form);
	if (!f->name || f->offset || (form == ESCAPE_JSON && f->address)) {
		buf_str(o, f->name || f->module ? "+0x" : "0x");
		buf_hex(o, f->name || f->module ? f->offset : f->address);
	}
	if (f->name && f->module) {
		buf_char(o, ' ');
		module_write(o, f, form);
	}
	if (f->source) {
		buf_char(o, ' ');
		escape_write_part(o, f->source, strlen(f->source), form);
		buf_char(o, ':');
		buf_uint(o, f->line);
	}
}

void stack_write_frames(struct buf *o, const struct field *f, const struct value *v,
			const char *lead)
{
	struct stack_walk w;
	struct frame frame;

	for (stack_begin(&w, f, v); stack_next(&w, &frame);) {
		buf_str(o, lead);
		stack_write_frame(o, &frame, ESCAPE_PLAIN);
		buf_char(o, '\n');
	}
	if (w.copied.end) {
		buf_str(o, lead);
		buf_str(o, w.copied.end);
		buf_char(o, '\n');
	}
}

void stack_write_lines(struct buf *o, const struct field *f, const struct value *v)
{
	static const char lead[] = "    ";

	if (v->status != EVENT_OK) {
		buf_str(o, lead);
		buf_str(o, f->type == FIELD_USER_STACK ? "<user" : "<kernel");
		buf_str(o, v->status == EVENT_FAULT ? " stack: fault>\n" : " stack: not kept>\n");
		return;
	}
	stack_write_frames(o, f, v, lead);
}

void stack_write_name(struct buf *o, const struct field *f)
{
	buf_str(o, "  ");
	escape_write(o, f->name, strlen(f->name));
	buf_str(o, ":\n");
}

void stack_write_json(struct buf *o, const struct field *f, const struct value *v)
{
	const char *before = "[\"";
	struct stack_walk w;
	struct frame frame;

	for (stack_begin(&w, f, v); stack_next(&w, &frame); before = ",\"") {
		buf_str(o, before);
		stack_write_frame(o, &frame, ESCAPE_JSON);
		buf_char(o, '"');
	}
	if (w.copied.end) {
		buf_str(o, before);
		buf_str(o, w.copied.end);
		buf_str(o, "\"");
		before = "";
	}
	buf_str(o, *before == '[' ? "[]" : "]");
}

/* Writes start_thread+0x10[libc.so.6], as a kernel symbol is written; without a name the number, which may be
 * anything. */
static size_t user_symbol_write(struct buf *o, const struct value *v, enum escape_form form)
{
	struct usyms_place place = { 0 };
	size_t start = o->len;
	uint64_t address;
	const char *name;

	memcpy(&address, v->bytes, sizeof(address));
	usyms_poll();
	name = usyms_name(v->u, address, &place);
	if (name)
		escape_write_part(o, name, strlen(name), form);
	if (name && place.offset) {
		buf_str(o, "+0x");
		buf_hex(o, place.offset);
	}
	if (place.module)
		module_write(o, &(struct frame){ .module = place.module, .changed = place.changed },
			     form);
	if (!name) {
		buf_str(o, place.module ? "+0x" : "0x");
		buf_hex(o, place.module ? place.offset : address);
	}
	return o->len - start;
}

size_t text_user_symbol(struct buf *o, const struct field *f, const struct value *v,
			enum timestamp_form form)
{
	(void)f, (void)form;
	return user_symbol_write(o, v, ESCAPE_PLAIN);
}

void json_user_symbol(struct buf *o, const struct field *f, const struct value *v)
{
	(void)f;
	buf_char(o, '"');
	user_symbol_write(o, v, ESCAPE_JSON);
	buf_char(o, '"');
}

size_t text_stack(struct buf *o, const struct field *f, const struct value *v,
		  enum timestamp_form form)
{
	(void)form;
	stack_write_lines(o, f, v);
	return 0;
}

void json_stack(struct buf *o, const struct field *f, const struct value *v)
{
	stack_write_json(o, f, v);
}

const struct field_kind stack_copy_kind = { .name = "stack copy",
					    .flags = KIND_BELOW,
					    .load = stack_copy_load,
					    .text = text_stack,
					    .json = json_stack };
