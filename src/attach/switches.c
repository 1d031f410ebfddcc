/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * switches.c - reads the settings of switches.def. They may change at any time, so nothing is kept
 * but which of them the links of this process need.
 */
#include "attach/switches.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "symbols/kernel/functions.h"
#include "symbols/kernel/ksyms.h"

/* A kprobe at this offset or beyond is not at an instruction that ftrace patches. On x86 that instruction may follow an
 * endbr64. */
enum { BEYOND_PATCHED = 5 };

/* a function that only kernels with ftrace-based kprobes have */
#define KPROBES_BY_FTRACE "kprobe_ftrace_handler"

/* True if ftrace can patch it, or if its list cannot be read. */
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

/* A kprobe at the instruction that ftrace patches uses ftrace; others are breakpoints. */
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

static unsigned used; /* traits of the methods by which this process has made links */
static const struct attach_switch *refused;

static bool is_off(const struct attach_switch *w)
{
	int fd = open(w->file, O_RDONLY | O_CLOEXEC);
	char value = 0;

	if (fd < 0)
		return false;
	if (read(fd, &value, 1) != 1)
		value = 0;
	close(fd);
	return value && strchr(w->bad, value);
}

static bool is_needed(const struct attach_switch *w, unsigned traits, const struct attach_target *t)
{
	return traits & w->needed_by || (traits & w->may_need && w->concerns(t));
}

const struct attach_switch *attach_switched_off(unsigned traits, const struct attach_target *t)
{
	/* is_needed is slow for may_need, so ask it last */
	for (const struct attach_switch *w = switches; w < switches + SWITCHES; w++)
		if (traits & (w->needed_by | w->may_need) && is_off(w) && is_needed(w, traits, t))
			return refused = w;
	return NULL;
}

const struct attach_switch *attach_switch_refused(void)
{
	return refused;
}

/* Does not ask whether ftrace patches the function: too slow for each link. */
void attach_switches_note(unsigned traits, const struct attach_target *t)
{
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
