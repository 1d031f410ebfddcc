/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * method_can.c - the conditions of each attach method for a function, and for the kernel's settings.
 */
#include "attach/method_can.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kernel/arch.h"
#include "symbols/kernel/functions.h"
#include "symbols/kernel/ksyms.h"
#include "util/small_file.h"

enum {
	PARAMS_MAX = 12, /* MAX_BPF_FUNC_ARGS, the same in every kernel */
	PARAM_BYTES_MAX = 16,
};

static bool has_member(const struct btf_view *btf, uint32_t id, const char *name)
{
	struct btf_found found;

	return id && btf_view_member(btf, id, name, strlen(name), &found);
}

void attach_kernel_read(const struct btf_view *kernel, struct attach_kernel *k)
{
	const struct arch *arch = &arches[ARCH_NATIVE];
	struct btf_query q[] = {
		{ BTF_KIND_FUNC, "register_fprobe_ips", 0 }, /* exists with CONFIG_FPROBE */
		{ BTF_KIND_STRUCT, "btf_func_model", 0 },
		{ BTF_KIND_FUNC, arch->trampoline_stack ?: "", 0 },
	};

	*k = (struct attach_kernel){ 0 };
	if (btf_view_find_all(kernel, q, sizeof(q) / sizeof(q[0])))
		return;
	k->fprobes = q[0].id;
	/* since 6.0, flags tell which arguments are structs */
	k->struct_args = has_member(kernel, q[1].id, "arg_flags");
	/* assumed to work if no function tells */
	k->stack_args = q[2].id || !arch->trampoline_stack;
}

static bool is_by_value(const struct btf_view *btf, uint32_t type)
{
	const struct btf_type *t = btf_view_type(btf, btf_view_strip(btf, type));

	return t && btf_is_composite(t);
}

/* Returns NULL if the parameter is supported. */
static const char *param_refused(const struct attach_kernel *k, const struct btf_view *btf,
				 uint32_t type)
{
	uint64_t most = k->struct_args ? PARAM_BYTES_MAX : 0;

	if (!type)
		return "it is variadic";
	if (is_by_value(btf, type) && btf_view_size(btf, type) > most)
		return "it has a struct by value among its parameters";
	return NULL;
}

static const char *proto_refused(const struct attach_kernel *k, const struct btf_view *btf,
				 uint32_t func_id)
{
	const struct btf_type *func = btf_view_type(btf, func_id);
	const struct btf_type *proto = func ? btf_view_type(btf, func->type) : NULL;
	const char *refused = NULL;

	if (!proto || btf_kind(proto) != BTF_KIND_FUNC_PROTO)
		return "it has no prototype";
	if (btf_vlen(proto) > PARAMS_MAX)
		return "it has more than 12 parameters";
	if (btf_vlen(proto) > arches[ARCH_NATIVE].argument_count && !k->stack_args)
		return "it has parameters on the stack, which this kernel's trampolines do not "
		       "support";
	if (is_by_value(btf, proto->type))
		return "it returns a struct";
	for (unsigned i = 0; i < btf_vlen(proto) && !refused; i++)
		refused = param_refused(k, btf, btf_params(proto)[i].type);
	return refused;
}

bool attach_can_type(const struct attach_kernel *k, const struct btf_view *btf, uint32_t func_id,
		     char why[FUNCTION_WHY])
{
	const char *refused = proto_refused(k, btf, func_id);

	if (refused)
		snprintf(why, FUNCTION_WHY, "%s", refused);
	return !refused;
}

bool attach_can_fentry(const struct attach_kernel *k, const struct function *f,
		       char why[FUNCTION_WHY])
{
	return !function_why_untyped(f, why) && attach_can_type(k, f->btf, f->id, why);
}

bool attach_can_kprobe_multi(const struct attach_kernel *k, const struct function *f,
			     char why[FUNCTION_WHY])
{
	(void)f, (void)why;
	return k->fprobes;
}

bool attach_can_kprobe(const struct attach_kernel *k, const struct function *f,
		       char why[FUNCTION_WHY])
{
	(void)k;
	if (f->blacklisted)
		snprintf(why, FUNCTION_WHY, "%s", function_blacklisted);
	return !f->blacklisted;
}

/* ---- settings of the kernel ---- */

/* Settings may change at any time, so only the traits that this process's links need are stored. */

/* A kprobe at this offset or beyond is not at an instruction that ftrace patches. On x86 that instruction may follow
 * an endbr64. */
enum { BEYOND_PATCHED = 5 };

/* a function that only kernels with ftrace-based kprobes have */
#define KPROBES_BY_FTRACE "kprobe_ftrace_handler"

/* True if ftrace can patch the function, or if its list cannot be read. */
static bool ftrace_patches(const char *function)
{
	const struct function_pattern pattern = { .name = function };
	const struct function_patterns patterns = { .list = &pattern, .count = 1 };
	struct functions l;
	bool patches = functions_find(&l, &patterns, NULL, NULL, FUNCTIONS_FTRACE) || l.count ||
		       l.ftrace_err;

	functions_free(&l);
	return patches;
}

/* True if the kprobe is at the instruction that ftrace patches: it then uses ftrace; others are breakpoints. */
static bool kprobe_needs_ftrace(const struct attach_target *t)
{
	const char *function = t->function;
	uint64_t offset = t->offset;

	if (t->address)
		function = ksyms_name(t->address, &offset, NULL) ?: function;
	if (offset >= BEYOND_PATCHED || !ksyms_functions(KPROBES_BY_FTRACE, NULL, 0))
		return false;
	return !function || ftrace_patches(function);
}

static const struct attach_switch switches[] = {
#define SWITCH(id, ...) { __VA_ARGS__ },
#include "attach/switches.def"
};

enum { SWITCHES = sizeof(switches) / sizeof(switches[0]) };

static unsigned used; /* traits of all methods for which this process has links */
static const struct attach_switch *refused;

static bool is_off(const struct attach_switch *w)
{
	char value[2];

	return small_file_read(w->file, value, sizeof(value)) > 0 && strchr(w->bad, *value);
}

static bool is_needed(const struct attach_switch *w, unsigned traits, const struct attach_target *t)
{
	return traits & w->needed_by || (traits & w->may_need && w->concerns(t));
}

const struct attach_switch *attach_switched_off(unsigned traits, const struct attach_target *t)
{
	if (t->program_fd) /* the trampoline of a BPF program uses neither ftrace nor kprobes */
		return NULL;
	/* the last operand is slow: keep the order */
	for (const struct attach_switch *w = switches; w < switches + SWITCHES; w++)
		if (traits & (w->needed_by | w->may_need) && is_off(w) && is_needed(w, traits, t))
			return refused = w;
	return NULL;
}

const struct attach_switch *attach_switch_refused(void)
{
	return refused;
}

/* Does not check whether ftrace patches the function, which is too slow for each link. */
void attach_switches_note(unsigned traits, const struct attach_target *t)
{
	if (t->program_fd)
		return;
	if (t->offset >= BEYOND_PATCHED)
		traits &= ~ATTACH_MAY_NEED_FTRACE;
	used |= traits;
}

const struct attach_switch *attach_switches_check(void)
{
	static const struct attach_target unknown;

	for (const struct attach_switch *w = switches; w < switches + SWITCHES; w++)
		if (used & (w->needed_by | w->may_need) && is_off(w) &&
		    (used & w->needed_by || w->concerns(&unknown)))
			return w;
	return NULL;
}
