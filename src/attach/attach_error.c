/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * attach_error.c - finds out why a function cannot be traced, and what to do about it.
 *
 * Each reason is a small function that either recognizes the case and writes its text, or does nothing. The order
 * matters: privileges first (without them nothing else can be found out), then the function itself, then what the
 * kernel forbids. Slow, so only after a failure.
 */
#include "attach/attach_error.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "attach/attach_why.h"
#include "attach/prog.h"
#include "util/errname.h"
#include "util/log.h"
#include "symbols/kernel/functions.h"
#include "symbols/kernel/ksyms.h"
#include "symbols/suffix.h"
#include "kernel/limits.h"
#include "kernel/privileges.h"

/* Hints "did you mean a, b or c?", or `otherwise` if no name is similar. */
static void hint_names(struct why *w, const char *otherwise)
{
	if (!function_suggest(w->symbol, w->btf, w->hint, sizeof(w->hint)))
		why_hint(w, "%s", otherwise);
}

/* ---- the reasons, in order ---- */

static bool has_symbols(const struct why *w)
{
	return !w->list.symbols_err;
}

/* Returns NAME.isra.0 etc., or NULL if the function has no changed copy. */
static const char *changed_copy(const struct why *w)
{
	for (size_t i = 0; i < w->list.count; i++)
		if (symbol_suffix_of(w->list.list[i].name, w->symbol) != SUFFIX_NONE)
			return w->list.list[i].name;
	return NULL;
}

static bool is_variable(const struct why *w)
{
	size_t count = 0;

	ksyms_address(w->symbol, &count);
	return count;
}

static bool why_not_found(struct why *w)
{
	if (w->found || changed_copy(w))
		return false;
	hint_names(w, has_symbols(w) ? "functions are listed in /proc/kallsyms" :
				       "mount procfs on /proc to see near names");
	if (w->module)
		return why_answer(w, ATTACH_FAULT_NOT_FOUND, "this module has no such function");
	if (is_variable(w))
		return why_answer(w, ATTACH_FAULT_NOT_FOUND, "it is a variable, not a function");
	return why_answer(
		w, ATTACH_FAULT_NOT_FOUND,
		"this kernel has no such function (or it is inlined everywhere: see --vmlinux)");
}

static bool why_blacklisted(struct why *w)
{
	if (!w->found || !w->found->blacklisted)
		return false;
	why_hint(w, "trace a function that calls it; see /sys/kernel/debug/kprobes/blacklist");
	return why_answer(w, ATTACH_FAULT_BLACKLISTED, "%s", function_blacklisted);
}

static bool ftrace_has(const char *name)
{
	const struct function_pattern pattern = { .name = name };
	const struct function_patterns patterns = { .list = &pattern, .count = 1 };
	struct functions l;
	bool has = !functions_find(&l, &patterns, NULL, NULL, FUNCTIONS_FTRACE) && l.count;

	functions_free(&l);
	return has;
}

/* A function may have several names, of which ftrace lists only one. */
static bool why_other_name(struct why *w)
{
	const struct function *f = w->found;
	struct ksym s;

	if (!f || f->ftrace || !f->address || w->list.ftrace_err)
		return false;
	for (size_t i = 0; ksyms_get(i, &s); i++) {
		if (s.address != f->address || !strcmp(s.name, f->name) || !ftrace_has(s.name))
			continue;
		why_hint(w, "trace %s", s.name);
		return why_answer(w, ATTACH_FAULT_NOT_IN_BTF, "the kernel traces it as %s", s.name);
	}
	return false;
}

/* The remedy for each result of function_why_not. */
static const struct {
	enum attach_fault fault;
	const char *hint;
} remedies[FUNCTION_FAULTS] = {
	[FUNCTION_CHANGED] = { ATTACH_FAULT_INLINED, "trace a function that calls it" },
	[FUNCTION_INLINED] = { ATTACH_FAULT_INLINED, "trace a function that calls it" },
	[FUNCTION_AT_BOOT] = { ATTACH_FAULT_INLINED, "nothing calls it any more" },
	[FUNCTION_NOTRACE] = { ATTACH_FAULT_BLACKLISTED,
			       "trace a function that calls it; "
			       "see /sys/kernel/tracing/available_filter_functions" },
};

static bool why_function(struct why *w)
{
	const struct function copied = { .suffixed = w->found ? NULL : changed_copy(w) };
	const struct function *f = w->found ?: &copied;
	char reason[FUNCTION_WHY];
	enum function_fault fault = function_why_not(&w->list, f, reason);

	if (fault == FUNCTION_FINE)
		return false;
	if (fault == FUNCTION_CHANGED && ftrace_has(f->suffixed))
		why_hint(w, "trace %s, whose parameters have no names: $arg1, ...", f->suffixed);
	else
		why_hint(w, "%s", remedies[fault].hint);
	return why_answer(w, remedies[fault].fault, "%s", reason);
}

static bool why_not_in_btf(struct why *w)
{
	char reason[FUNCTION_WHY];

	if (!w->btf || !w->found || !function_why_untyped(w->found, reason))
		return false;
	/* only the kernel's own types were searched */
	if (w->found->module && w->error != ENOENT)
		return false;
	hint_names(w, "trace a function that calls it");
	return why_answer(w, ATTACH_FAULT_NOT_IN_BTF, "%s", reason);
}

/* The last resort: the verifier's own reason for refusing the program. */
static bool why_verifier(struct why *w)
{
	const char *words = verifier_reason_last(), *remedy = verifier_remedy(-w->error);

	if (remedy)
		why_hint(w, "%s", remedy);
	return why_answer(w, ATTACH_FAULT_OTHER, "%s%s%s", errtext(w->error),
			  words ? "; the kernel's verifier says: " : "", words ?: "");
}

static bool why_other(struct why *w)
{
	why_hint(w,
		 "--verbose --verbose shows the kernel's messages; coretap doctor shows what works "
		 "here");
	switch (w->error) {
	case KERNEL_ENOTSUPP:
	case EOPNOTSUPP:
		return why_answer(w, ATTACH_FAULT_OTHER, "this kernel cannot attach there");
	case EADDRNOTAVAIL:
		return why_answer(w, ATTACH_FAULT_OTHER, "several functions have this name");
	case EBUSY:
		return why_answer(w, ATTACH_FAULT_OTHER,
				  "something else has patched it (livepatch, "
				  "another tracer)");
	case E2BIG:
		return why_answer(w, ATTACH_FAULT_OTHER, "too many programs are attached to it");
	default: return why_verifier(w);
	}
}

/* Looks up the function in the kernel's lists. Those of ftrace and kprobes matter only if the function exists. */
static void function_find(struct why *w)
{
	char copies[sizeof(w->parts) + 2];
	const struct function_pattern patterns[] = {
		{ .name = w->symbol, .module = w->module },
		{ .name = copies, .module = w->module, .is_pattern = true },
	};
	const struct function_patterns both = { .list = patterns, .count = 2 };

	snprintf(copies, sizeof(copies), "%s.*", w->symbol);
	functions_find(&w->list, &both, w->btf, NULL, FUNCTIONS_SYMBOLS | FUNCTIONS_ADDRESSES);
	if (functions_get(&w->list, w->symbol))
		functions_read(&w->list, FUNCTIONS_FTRACE | FUNCTIONS_BLACKLIST);
	w->found = functions_get(&w->list, w->symbol);
}

static void name_split(struct why *w, const char *function)
{
	char *colon;

	snprintf(w->name, sizeof(w->name), "%.*s", function ? (int)strcspn(function, "%") : 0,
		 function);
	w->function = w->name[0] ? w->name : NULL;
	memcpy(w->parts, w->name, sizeof(w->parts));
	colon = strchr(w->parts, ':');
	w->symbol = colon ? colon + 1 : w->parts;
	w->module = colon ? w->parts : NULL;
	if (colon)
		*colon = 0;
}

static void why_find(struct why *w, const char *function, const struct btf_view *btf, int error)
{
	static bool (*const of_function[])(struct why *) = {
		why_not_found, why_blacklisted, why_other_name, why_function, why_not_in_btf,
	};

	*w = (struct why){
		/* not const, because looking up a name fills its index */
		.btf = (struct btf_view *)btf,
		.error = error < 0 ? -error : error,
		.is_uprobe = w->is_uprobe,
	};
	name_split(w, function);
	privileges_read(&w->rights);
	if (why_process(w))
		return;
	if (w->function) {
		function_find(w);
		for (size_t i = 0; i < sizeof(of_function) / sizeof(of_function[0]); i++)
			if (of_function[i](w))
				return;
	}
	if (!why_kernel(w))
		why_other(w);
}

enum attach_fault attach_diagnose(const char *function, const struct btf_view *btf, int error)
{
	struct why w = { 0 };

	if (!error)
		return ATTACH_FAULT_NONE;
	why_find(&w, function, btf, error);
	functions_free(&w.list);
	return w.fault;
}

int attach_explain(const char *function, const struct btf_view *btf, int error)
{
	struct why w = { 0 };

	why_find(&w, function, btf, error);
	if (w.function)
		log_error("cannot trace %s: %s", w.function, w.reason);
	else
		log_error("cannot trace here: %s", w.reason);
	log_hint("%s", w.hint);
	if (w.list.hidden && w.fault == ATTACH_FAULT_OTHER)
		log_hint("kernel.kptr_restrict hides symbol addresses from this process");
	functions_free(&w.list);
	return w.fault == ATTACH_FAULT_NOT_FOUND ? EXIT_USAGE : EXIT_CANNOT;
}

int attach_explain_user(const char *name, int error)
{
	struct why w = { .is_uprobe = true };

	why_find(&w, NULL, NULL, error);
	log_error("cannot trace %s: %s", name, w.reason);
	log_hint("%s", w.hint);
	return EXIT_CANNOT;
}

void attach_reason_hint(int error)
{
	struct why w = { 0 };

	why_find(&w, NULL, NULL, error);
	log_hint("%s", w.reason);
	log_hint("%s", w.hint);
}
