/* SPDX-License-Identifier: GPL-2.0 */
/*
 * probe_why.c - why a function cannot be traced, and what to do about it.
 *
 * Each reason is a small function that either recognises the case and words it, or passes. The
 * order matters: rights before everything (without them nothing else can be known), then the
 * function itself, then what the kernel forbids. Slow; only after a failure.
 */
#include "core/probe.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/diag.h"
#include "core/kfunc.h"
#include "core/rights.h"

struct why {
	const char *function; /* NULL: the failure was before any function */
	struct btf_view *btf; /* may be NULL */
	int error;	      /* positive */
	struct rights rights;
	struct kfunc kfunc;
	/* the answer */
	enum probe_fault fault;
	char reason[256]; /* after "cannot trace X: " */
	char hint[256];
};

static bool answer(struct why *w, enum probe_fault fault, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static bool answer(struct why *w, enum probe_fault fault, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(w->reason, sizeof(w->reason), fmt, ap);
	va_end(ap);
	w->fault = fault;
	return true;
}

static void hint(struct why *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void hint(struct why *w, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(w->hint, sizeof(w->hint), fmt, ap);
	va_end(ap);
}

static bool refused(const struct why *w)
{
	return w->error == EPERM || w->error == EACCES;
}

/* ---- names to propose ---- */

struct proposal {
	const char *names[3];
	size_t count;
};

static bool traceable(const struct why *w, const char *name)
{
	return name[0] && (!w->btf || btf_view_func(w->btf, name));
}

static void propose(const struct why *w, struct proposal *p, const char *name)
{
	if (p->count == 3 || !strcmp(name, w->function) || !traceable(w, name))
		return;
	for (size_t i = 0; i < p->count; i++)
		if (!strcmp(p->names[i], name))
			return;
	p->names[p->count++] = name;
}

/* "did you mean a, b or c?"; nothing when no name is like it. */
static void propose_names(struct why *w, const char *otherwise)
{
	struct proposal p = { .count = 0 };
	const struct kfunc *k = &w->kfunc;

	/* what only has a few letters more or less is likelier than a typing error */
	for (size_t i = 0; i < k->similar_count && k->similar[i].rank <= 4; i++)
		propose(w, &p, k->similar[i].name);
	propose(w, &p, k->nearest);
	for (size_t i = 0; i < k->similar_count; i++)
		propose(w, &p, k->similar[i].name);
	if (p.count == 0)
		hint(w, "%s", otherwise);
	else if (p.count == 1)
		hint(w, "did you mean %s?", p.names[0]);
	else if (p.count == 2)
		hint(w, "did you mean %s or %s?", p.names[0], p.names[1]);
	else
		hint(w, "did you mean %s, %s or %s?", p.names[0], p.names[1], p.names[2]);
}

/* Where /proc/kallsyms cannot be read, BTF knows the names too. */
static void nearest_of_btf(struct why *w)
{
	struct nearest near;

	if (w->kfunc.symbols_read || !w->btf)
		return;
	nearest_init(&near, w->function);
	btf_view_func_names(w->btf, &near);
	if (nearest_get(&near))
		snprintf(w->kfunc.nearest, sizeof(w->kfunc.nearest), "%s", nearest_get(&near));
}

/* ---- the reasons, in order ---- */

static bool why_capability(struct why *w)
{
	if (!refused(w) || rights_trace(&w->rights))
		return false;
	hint(w, "%s", rights_hint(&w->rights));
	return answer(w, PROBE_FAULT_CAPABILITY, "not permitted, for lack of %s",
		      rights_missing(&w->rights));
}

static bool why_not_found(struct why *w)
{
	const struct kfunc *k = &w->kfunc;

	if (k->bodies || k->suffixed[0] || (w->btf && btf_view_func(w->btf, w->function)))
		return false;
	propose_names(w, k->symbols_read ? "functions are listed in /proc/kallsyms" :
					   "mount procfs on /proc to see near names");
	if (k->data)
		return answer(w, PROBE_FAULT_NOT_FOUND, "it is a variable, no function");
	return answer(w, PROBE_FAULT_NOT_FOUND, "this kernel has no such function");
}

static bool why_inlined(struct why *w)
{
	const struct kfunc *k = &w->kfunc;

	if (k->bodies || !k->symbols_read)
		return false;
	hint(w, "trace a function that calls it");
	if (k->suffixed[0])
		return answer(w, PROBE_FAULT_INLINED,
			      "the compiler changed it: only %s is left of it", k->suffixed);
	return answer(w, PROBE_FAULT_INLINED,
		      "the compiler inlined it: this kernel has its type, but no code of its own");
}

static bool why_blacklisted(struct why *w)
{
	const struct kfunc *k = &w->kfunc;

	if (k->blacklisted == KFUNC_YES) {
		hint(w, "trace a function that calls it; see /sys/kernel/debug/kprobes/blacklist");
		return answer(w, PROBE_FAULT_BLACKLISTED,
			      "the kernel's blacklist protects it: tracing it could crash");
	}
	if (k->ftrace != KFUNC_NO)
		return false;
	hint(w, "trace a function that calls it; "
		"see /sys/kernel/tracing/available_filter_functions");
	return answer(w, PROBE_FAULT_BLACKLISTED,
		      "the kernel forbids to trace it (notrace, as all functions marked "
		      "inline are)");
}

static bool why_not_in_btf(struct why *w)
{
	const struct kfunc *k = &w->kfunc;

	if (!w->btf || btf_view_func(w->btf, w->function))
		return false;
	if (k->module[0]) {
		hint(w, "only functions of the kernel proper can be traced");
		return answer(w, PROBE_FAULT_NOT_IN_BTF,
			      "it belongs to module %s, whose types the kernel's BTF has not",
			      k->module);
	}
	propose_names(w, "trace a function that calls it");
	if (k->bodies > 1)
		return answer(w, PROBE_FAULT_NOT_IN_BTF,
			      "%u functions have this name: BTF leaves it out", k->bodies);
	return answer(w, PROBE_FAULT_NOT_IN_BTF,
		      "the kernel's BTF does not describe it (assembler, or changed by the "
		      "compiler)");
}

static bool why_lockdown(struct why *w)
{
	if (w->rights.lockdown != RIGHTS_LOCKDOWN_CONFIDENTIALITY)
		return false;
	/* a forbidden helper is unknown to the verifier: EINVAL */
	if (!refused(w) && w->error != EINVAL)
		return false;
	hint(w, "coretap doctor says what lockdown leaves; booting without "
		"lockdown=confidentiality allows all");
	return answer(w, PROBE_FAULT_LOCKDOWN,
		      "kernel lockdown (confidentiality) forbids kprobes, tracefs and with it the "
		      "fields of events, and reading kernel memory other than by typed pointers");
}

static bool why_refused(struct why *w)
{
	if (w->error != EPERM)
		return false;
	hint(w, "%s", rights_hint(&w->rights));
	return answer(w, PROBE_FAULT_CAPABILITY, "not permitted");
}

static bool why_other(struct why *w)
{
	hint(w, "-vv shows what the kernel says; coretap doctor, what works here");
	switch (w->error) {
	case 524: /* ENOTSUPP of the kernel, unknown to libc */
	case EOPNOTSUPP:
		return answer(w, PROBE_FAULT_OTHER, "this kernel cannot attach there");
	case EADDRNOTAVAIL:
		return answer(w, PROBE_FAULT_OTHER, "several functions have this name");
	case EBUSY:
		return answer(w, PROBE_FAULT_OTHER, "something else has patched it (livepatch, "
						    "another tracer)");
	case E2BIG:
		return answer(w, PROBE_FAULT_OTHER, "too many programs are attached to it");
	default:
		return answer(w, PROBE_FAULT_OTHER, "%s", strerror(w->error));
	}
}

static void why_find(struct why *w, const char *function, const struct btf_view *btf, int error)
{
	static bool (*const of_function[])(struct why *) = {
		why_not_found, why_inlined, why_blacklisted, why_not_in_btf,
	};

	*w = (struct why){
		.function = function && *function ? function : NULL,
		.btf = (struct btf_view *)btf, /* looking a name up fills its index */
		.error = error < 0 ? -error : error,
	};
	rights_read(&w->rights);
	if (why_capability(w))
		return;
	if (w->function) {
		kfunc_look(&w->kfunc, w->function);
		nearest_of_btf(w);
		for (size_t i = 0; i < sizeof(of_function) / sizeof(of_function[0]); i++)
			if (of_function[i](w))
				return;
	}
	if (!why_lockdown(w) && !why_refused(w))
		why_other(w);
}

enum probe_fault probe_diagnose(const char *function, const struct btf_view *btf, int error)
{
	struct why w;

	if (!error)
		return PROBE_FAULT_NONE;
	why_find(&w, function, btf, error);
	return w.fault;
}

int probe_explain(const char *function, const struct btf_view *btf, int error)
{
	struct why w;

	why_find(&w, function, btf, error);
	if (w.function)
		diag_error("cannot trace %s: %s", w.function, w.reason);
	else
		diag_error("cannot trace here: %s", w.reason);
	diag_hint("%s", w.hint);
	if (w.kfunc.hidden && w.fault == PROBE_FAULT_OTHER)
		diag_hint("kernel.kptr_restrict hides symbol addresses from this process");
	return w.fault == PROBE_FAULT_NOT_FOUND ? EXIT_USAGE : EXIT_CANNOT;
}
