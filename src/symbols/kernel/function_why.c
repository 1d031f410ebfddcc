/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * function_why.c - why a kernel function cannot be traced: each reason is worded here, once.
 */
#include <stdio.h>
#include <string.h>

#include "symbols/kernel/functions.h"

const char function_blacklisted[] = "the kernel's blacklist protects it: tracing it could crash";

static enum function_fault why_no_body(const struct function *f, char why[FUNCTION_WHY])
{
	if (f->suffixed) {
		snprintf(why, FUNCTION_WHY, "the compiler changed it: only %s is left of it",
			 f->suffixed);
		return FUNCTION_CHANGED;
	}
	snprintf(
		why, FUNCTION_WHY,
		f->module ?
			"the compiler inlined it, or it ran when the module was loaded and is gone" :
			"the compiler inlined it: it has no code of its own");
	return FUNCTION_INLINED;
}

enum function_fault function_why_not(const struct functions *l, const struct function *f,
				     char why[FUNCTION_WHY])
{
	bool has_symbols = (l->known & FUNCTIONS_SYMBOLS) && !l->symbols_err;

	if (has_symbols && !f->bodies)
		return why_no_body(f, why);
	if (f->ftrace || !(l->known & FUNCTIONS_FTRACE) || l->ftrace_err)
		return FUNCTION_FINE;
	if (!has_symbols) {
		snprintf(why, FUNCTION_WHY,
			 "ftrace does not list it: it is inlined, notrace, or ran at boot");
		return FUNCTION_NOTRACE;
	}
	if (f->at_boot) {
		snprintf(why, FUNCTION_WHY, "it runs at boot and is gone");
		return FUNCTION_AT_BOOT;
	}
	snprintf(why, FUNCTION_WHY,
		 "the kernel forbids tracing it (notrace, as all functions marked inline are)");
	return FUNCTION_NOTRACE;
}

bool function_why_untyped(const struct function *f, char why[FUNCTION_WHY])
{
	if (f->btf)
		return false;
	if (f->bodies > 1)
		snprintf(why, FUNCTION_WHY, "not in BTF: %u functions have this name", f->bodies);
	else if (strchr(f->name, '.'))
		snprintf(why, FUNCTION_WHY, "not in BTF: a copy that the compiler changed");
	else if (f->module)
		snprintf(why, FUNCTION_WHY, "not in BTF of module %s", f->module);
	else
		snprintf(why, FUNCTION_WHY, "not in BTF (assembler, or changed by the compiler)");
	return true;
}
