/* SPDX-License-Identifier: GPL-2.0-only */
/* stack_tracing.c - tells the frames of the tracing itself from those of the traced code. */
#include "output/field/stack_tracing.h"

#include <string.h>

#include "symbols/kernel/ksyms.h"

enum {
	TRACING_FRAMES = 16, /* the most frames that tracing is known to leave, with a margin */
	PROGRAM_FRAMES = 4,  /* of these, the most of a program and the functions that it calls */
};

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

bool stack_is_trampoline(uint64_t address)
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
		const char *name = ksyms_name(stack_address(w, end), NULL, NULL);

		if (name && BEGINS_AS_ONE_OF(name, runners))
			return end;
	}
	return i;
}

size_t stack_tracing_skip(const struct stack_walk *w)
{
	size_t most = w->count < TRACING_FRAMES ? w->count : TRACING_FRAMES;
	size_t i = 0, from;

	for (size_t j = 0; w->of && j < most; j++)
		if (stack_address(w, j) - w->of < STACK_ENTRY_BYTES)
			return j + 1;
	do {
		from = i;
		i = program_skip(w, i, most);
		while (i < most && is_tracing(stack_address(w, i)))
			i++;
	} while (i > from);
	/* if no frame has a name, show too many frames rather than none */
	return i < most ? i : 0;
}
