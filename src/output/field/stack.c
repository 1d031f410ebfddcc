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
#include "output/field/timestamp.h"
#include "output/field/value.h"
#include "symbols/kernel/ksyms.h"
#include "symbols/user/usyms.h"
#include "event.h"

enum {
	UNMAPPED_END = 4096,
	TRACING_FRAMES = 16, /* the most frames that tracing is known to leave, with a margin */
	PROGRAM_FRAMES = 4,  /* of these, the most of a program and the functions that it calls */
	/* bytes of a function's first instructions, which call the tracing code */
	ENTRY_BYTES = 16,
};

static uint64_t frame_at(const struct stack_walk *w, size_t i)
{
	uint64_t address;

	if (w->copied.frames)
		return w->copied.frames[i].address;
	memcpy(&address, w->frames + i * sizeof(address), sizeof(address));
	return address;
}

/*
 * Names of functions between the traced code and the helper that captured the stack: BPF, perf, ftrace with fprobe
 * and rethook, kprobes. Which of them a stack contains depends on the kernel and the attach method; compiled
 * functions have suffixes like .isra.0. Only the first frames are compared with them: a caller that somebody else
 * traces stays.
 *
 * First the functions that run a program, then the others.
 */
static const char *const runners[] = {
	"bpf_trace_run",  "__bpf_trace_",	  "__traceiter_",	"bpf_trampoline_",
	"trace_call_bpf", "bpf_overflow_handler", "kprobe_multi_link_",
};

static const char *const tracing[] = {
	"bpf_get_stack",
	"__bpf_get_stack",
	"____bpf_get_stack",
	"__bpf_tramp",
	"get_perf_callchain",
	"perf_callchain",
	"perf_trace_",
	"perf_call_bpf_",
	"perf_tp_event",
	"ftrace_trampoline",
	"ftrace_caller",
	"ftrace_regs_call",
	"ftrace_call",
	"ftrace_ops_",
	"ftrace_trampoline",
	"__ftrace_ops_",
	"arch_ftrace_ops_",
	"ftrace_graph_caller",
	"prepare_ftrace_return",
	"function_graph_enter",
	"__ftrace_return_to_handler",
	"ftrace_return_to_handler",
	"return_to_handler",
	"fprobe_",
	"__fprobe_",
	"rethook_",
	"arch_rethook_",
	"kprobe_ftrace_handler",
	"kprobe_dispatcher",
	"kprobe_perf_func",
	"kprobe_int3_handler",
	"kprobe_breakpoint_",
	"kprobe_insn",
	"kprobe_optinsn",
	"optimized_callback",
	"opt_pre_handler",
	"aggr_pre_handler",
	"kretprobe_",
	"__kretprobe_",
	"pre_handler_kretprobe",
	"trampoline_handler",
	"trampoline_probe_handler",
	"do_int3",
	"exc_int3",
	"asm_exc_int3",
};

static bool begins_as_one_of(const char *name, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!strncmp(name, list[i], strlen(list[i])))
			return true;
	return false;
}
#define BEGINS_AS_ONE_OF(name, list) begins_as_one_of(name, list, sizeof(list) / sizeof((list)[0]))

/* True if the address belongs to tracing. Code that the kernel creates at attach (our program, trampolines) has no
 * symbol. */
static bool is_tracing(uint64_t address)
{
	const char *module = NULL, *name = ksyms_name(address, NULL, &module);

	return !name || (module && !strcmp(module, "bpf")) || BEGINS_AS_ONE_OF(name, runners) ||
	       BEGINS_AS_ONE_OF(name, tracing);
}

/* True if a function of tracing begins at the address. */
static bool is_trampoline(uint64_t address)
{
	uint64_t offset = 1;

	return ksyms_name(address, &offset, NULL) && !offset && is_tracing(address);
}

/*
 * Skips the frames of a program from frame i on, up to the function that ran it, if there is one. They may have
 * names: if a module was loaded during the tracing, the kernel lists the module's init functions even after it has
 * freed their memory (ftrace_mod_get_kallsym, kernel/trace/ftrace.c), and a program may have been placed there.
 */
static size_t program_skip(const struct stack_walk *w, size_t i, size_t most)
{
	for (size_t end = i; end < most && end < i + PROGRAM_FRAMES; end++) {
		const char *name = ksyms_name(frame_at(w, end), NULL, NULL);

		if (name && BEGINS_AS_ONE_OF(name, runners))
			return end;
	}
	return i;
}

/* Skips the frames of tracing and of the probed function itself, which is shown by its known address, whether the
 * stack contains it or not. */
static size_t frames_skip(const struct stack_walk *w)
{
	size_t most = w->count < TRACING_FRAMES ? w->count : TRACING_FRAMES;
	size_t i = 0, from;

	for (size_t j = 0; w->of && j < most; j++)
		if (frame_at(w, j) - w->of < ENTRY_BYTES)
			return j + 1;
	do {
		from = i;
		i = program_skip(w, i, most);
		while (i < most && is_tracing(frame_at(w, i)))
			i++;
	} while (i > from);
	/* if no frame has a name, show too many frames rather than none */
	return i < most ? i : 0;
}

/* Where a caller keeps something else than its frame pointer, a chain ends with what is no address: page 0 is not mapped. */
static void user_end_trim(struct stack_walk *w)
{
	while (w->count > 1 && frame_at(w, w->count - 1) < UNMAPPED_END)
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
		w->next = frames_skip(w);
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

	f->offset = 0;
	f->module = NULL;
	f->path = NULL;
	f->source = NULL;
	f->changed = false;
	if (w->user) {
		f->name = usyms_name(w->of, f->address - back, &place);
		f->offset = place.offset;
		f->module = place.module;
		f->path = place.path;
		f->changed = place.changed;
		f->source = place.source;
		f->line = place.line;
	} else {
		/* a kretprobe replaces the return address with its trampoline's first byte, which no call precedes */
		back = back && !is_trampoline(f->address);
		f->name = ksyms_name(f->address - back, &f->offset, &f->module);
	}
	f->offset += back;
}

/* Sets the frame to the function's entry, whatever offset the attach method produces. */
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
	if (w->named) {
		*frame = w->named[w->next++];
		return true;
	}
	frame->address = known ? w->of : frame_at(w, w->next++);
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
