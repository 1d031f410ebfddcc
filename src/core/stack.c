/* SPDX-License-Identifier: GPL-2.0 */
/*
 * stack.c - captured return addresses → frames with names, as lines and as a JSON array.
 *
 * It must not know how they were captured, nor of records.
 */
#include "core/stack.h"

#include <string.h>
#include <linux/types.h>

#include "core/ksyms.h"
#include "core/usyms.h"
#include "event.h"

enum {
	TRACING_FRAMES = 8, /* the most that tracing itself is known to leave, and some */
	ENTRY_BYTES = 16,    /* a function's first instructions: where it calls what traces it */
};

static uint64_t frame_at(const struct stack_walk *w, size_t i)
{
	uint64_t address;

	memcpy(&address, w->frames + i * sizeof(address), sizeof(address));
	return address;
}

/* What the kernel makes when we attach has no name yet: our program, trampolines. What a tracepoint
 * or a return goes through has. */
static bool is_tracing(uint64_t address)
{
	static const char *const names[] = { "bpf_trace_run",	    "__bpf_trace_",
					     "__traceiter_",	    "arch_rethook_trampoline",
					     "__kretprobe_trampoline", "kretprobe_trampoline",
					     "return_to_handler" };
	const char *module = NULL, *name = ksyms_name(address, NULL, &module);

	if (!name || (module && !strcmp(module, "bpf")))
		return true;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strncmp(name, names[i], strlen(names[i])))
			return true;
	return false;
}

/* Past the frames of tracing, and past the probed function's own: it is shown from what is known
 * of it, whether or not the stack has it. */
static size_t frames_skip(const struct stack_walk *w)
{
	size_t most = w->count < TRACING_FRAMES ? w->count : TRACING_FRAMES, i = 0;

	for (size_t j = 0; w->of && j < most; j++)
		if (frame_at(w, j) - w->of < ENTRY_BYTES)
			return j + 1;
	while (i < most && is_tracing(frame_at(w, i)))
		i++;
	return i < most ? i : 0; /* nothing has a name: rather too much than nothing */
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
	};
	if (w->user)
		usyms_poll();
	else
		w->next = frames_skip(w);
}

/* A return address may be the first byte behind its function, when that never returns. */
static void frame_name(const struct stack_walk *w, struct frame *f)
{
	uint64_t back = !w->first;

	f->offset = 0;
	f->module = NULL;
	if (w->user)
		f->name = usyms_name(w->of, f->address - back, &f->offset, &f->module);
	else
		f->name = ksyms_name(f->address - back, &f->offset, &f->module);
	f->offset += back;
}

/* Where the function is entered, whatever the way to attach made of it. */
static void frame_entry(struct frame *f)
{
	if (f->name && f->offset < ENTRY_BYTES)
		f->offset = 0;
}

bool stack_next(struct stack_walk *w, struct frame *frame)
{
	bool known = w->first && w->of && !w->user;

	if (!w->left-- || (!known && w->next >= w->count))
		return false;
	frame->address = known ? w->of : frame_at(w, w->next++);
	frame_name(w, frame);
	if (known)
		frame_entry(frame);
	w->first = false;
	return true;
}

/* [vdso] has its brackets. */
static void module_put(struct out *o, const char *module, enum text_form form)
{
	bool bare = *module != '[';

	if (bare)
		out_char(o, '[');
	text_put_part(o, module, strlen(module), form);
	if (bare)
		out_char(o, ']');
}

void frame_put(struct out *o, const struct frame *f, enum text_form form)
{
	if (f->name)
		text_put_part(o, f->name, strlen(f->name), form);
	else if (f->module)
		module_put(o, f->module, form);
	out_str(o, f->name || f->module ? "+0x" : "0x");
	out_hex(o, f->name || f->module ? f->offset : f->address);
	if (f->name && f->module) {
		out_char(o, ' ');
		module_put(o, f->module, form);
	}
}

void stack_put_lines(struct out *o, const struct field *f, const struct value *v, const char *lead,
		     size_t lead_len)
{
	struct stack_walk w;
	struct frame frame;

	if (v->status != EVENT_OK) {
		out_bytes(o, lead, lead_len);
		out_str(o, f->type == FIELD_USER_STACK ? "<user stack: fault>\n"
						       : "<kernel stack: fault>\n");
		return;
	}
	for (stack_begin(&w, f, v); stack_next(&w, &frame);) {
		out_bytes(o, lead, lead_len);
		frame_put(o, &frame, TEXT_PLAIN);
		out_char(o, '\n');
	}
}

void stack_put_json(struct out *o, const struct field *f, const struct value *v)
{
	const char *before = "[\"";
	struct stack_walk w;
	struct frame frame;

	for (stack_begin(&w, f, v); stack_next(&w, &frame); before = ",\"") {
		out_str(o, before);
		frame_put(o, &frame, TEXT_JSON);
		out_char(o, '"');
	}
	out_str(o, *before == '[' ? "[]" : "]");
}
