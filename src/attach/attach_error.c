/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * attach_error.c - why a function cannot be traced, and what to do about it.
 *
 * Each reason is a small function that either recognises the case and words it, or does nothing.
 * The order matters: privileges first (without them nothing else can be found out), then the
 * function itself, then what the kernel forbids. Slow, so only after a failure.
 */
#include "attach/attach_error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "util/log.h"
#include "util/suggest.h"
#include "symbols/functions.h"
#include "kernel/privileges.h"

struct why {
	const char *function; /* NULL: the failure came before any function */
	char name[192];	      /* its name, without %return, which no list of the kernel has */
	struct btf_view *btf; /* may be NULL */
	int error;	      /* positive */
	bool is_uprobe;
	struct privileges rights;
	struct function_info kfunc;
	/* the answer */
	enum attach_fault fault;
	char reason[256]; /* after "cannot trace X: " */
	char hint[256];
};

static bool answer(struct why *w, enum attach_fault fault, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static bool answer(struct why *w, enum attach_fault fault, const char *fmt, ...)
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

/* ---- names to suggest ---- */

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

/* Adds "did you mean a, b or c?"; nothing if no name is similar. */
static void propose_names(struct why *w, const char *otherwise)
{
	struct proposal p = { .count = 0 };
	const struct function_info *k = &w->kfunc;

	/* a name with a few letters more or fewer is likelier meant than one with other letters */
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

/* If /proc/kallsyms cannot be read, BTF has the names, too. */
static void nearest_of_btf(struct why *w)
{
	struct suggestion near;

	if (w->kfunc.symbols_read || !w->btf)
		return;
	suggest_init(&near, w->function);
	btf_view_func_names(w->btf, &near);
	if (suggest_get(&near))
		snprintf(w->kfunc.nearest, sizeof(w->kfunc.nearest), "%s", suggest_get(&near));
}

/* ---- the reasons, in order ---- */

static bool why_capability(struct why *w)
{
	if (!refused(w) || privileges_trace(&w->rights))
		return false;
	hint(w, "%s", privileges_hint(&w->rights));
	return answer(w, ATTACH_FAULT_CAPABILITY, "not permitted, for lack of %s",
		      privileges_missing(&w->rights));
}

static bool why_not_found(struct why *w)
{
	const struct function_info *k = &w->kfunc;

	if (k->bodies || k->suffixed[0] || (w->btf && btf_view_func(w->btf, w->function)))
		return false;
	propose_names(w, k->symbols_read ? "functions are listed in /proc/kallsyms" :
					   "mount procfs on /proc to see near names");
	if (k->data)
		return answer(w, ATTACH_FAULT_NOT_FOUND, "it is a variable, no function");
	return answer(w, ATTACH_FAULT_NOT_FOUND, "this kernel has no such function");
}

static bool why_inlined(struct why *w)
{
	const struct function_info *k = &w->kfunc;

	if (k->bodies || !k->symbols_read)
		return false;
	hint(w, "trace a function that calls it");
	if (k->suffixed[0])
		return answer(w, ATTACH_FAULT_INLINED,
			      "the compiler changed it: only %s is left of it", k->suffixed);
	return answer(w, ATTACH_FAULT_INLINED,
		      "the compiler inlined it: this kernel has its type, but no code of its own");
}

static bool why_blacklisted(struct why *w)
{
	const struct function_info *k = &w->kfunc;

	if (k->blacklisted == FUNCTION_YES) {
		hint(w, "trace a function that calls it; see /sys/kernel/debug/kprobes/blacklist");
		return answer(w, ATTACH_FAULT_BLACKLISTED,
			      "the kernel's blacklist protects it: tracing it could crash");
	}
	if (k->ftrace != FUNCTION_NO)
		return false;
	if (k->alias[0]) {
		hint(w, "trace %s", k->alias);
		return answer(w, ATTACH_FAULT_NOT_IN_BTF, "the kernel traces it as %s", k->alias);
	}
	hint(w, "trace a function that calls it; "
		"see /sys/kernel/tracing/available_filter_functions");
	return answer(w, ATTACH_FAULT_BLACKLISTED,
		      "the kernel forbids to trace it (notrace, as all functions marked "
		      "inline are)");
}

static bool why_not_in_btf(struct why *w)
{
	const struct function_info *k = &w->kfunc;

	if (!w->btf || btf_view_func(w->btf, w->function))
		return false;
	if (k->module[0]) {
		hint(w, "only functions of the kernel proper can be traced");
		return answer(w, ATTACH_FAULT_NOT_IN_BTF,
			      "it belongs to module %s, whose types the kernel's BTF has not",
			      k->module);
	}
	propose_names(w, "trace a function that calls it");
	if (k->bodies > 1)
		return answer(w, ATTACH_FAULT_NOT_IN_BTF,
			      "%u functions have this name: BTF leaves it out", k->bodies);
	return answer(w, ATTACH_FAULT_NOT_IN_BTF,
		      "the kernel's BTF does not describe it (assembler, or changed by the "
		      "compiler)");
}

static bool why_lockdown(struct why *w)
{
	if (w->rights.lockdown != PRIVILEGES_LOCKDOWN_CONFIDENTIALITY)
		return false;
	/* the verifier does not know a forbidden helper: EINVAL */
	if (!refused(w) && w->error != EINVAL)
		return false;
	hint(w, "coretap doctor says what lockdown leaves; booting without "
		"lockdown=confidentiality allows all");
	return answer(w, ATTACH_FAULT_LOCKDOWN,
		      "kernel lockdown (confidentiality) forbids kprobes, tracefs and with it the "
		      "fields of events, and reading kernel memory other than by typed pointers");
}

static bool why_memlock(struct why *w)
{
	unsigned long limit = w->error == EPERM ? privileges_memlock_limit() : 0;

	if (!limit)
		return false;
	hint(w,
	     "ulimit -l unlimited before it, LimitMEMLOCK=infinity in a unit, or CAP_SYS_RESOURCE; a "
	     "smaller --buffer needs less");
	return answer(
		w, ATTACH_FAULT_CAPABILITY,
		"not permitted: locked memory is limited to %lu KiB (ulimit -l), and this kernel "
		"counts BPF's maps and programs as such",
		limit);
}

static bool why_perf(struct why *w)
{
	int level = w->error == EACCES ? privileges_perf_paranoid(&w->rights) : 0;

	if (w->error == EACCES && w->is_uprobe && !level && !w->rights.admin) {
		hint(w,
		     "newer kernels give uprobes to nobody else, whatever kernel.perf_event_paranoid is");
		return answer(w, ATTACH_FAULT_CAPABILITY,
			      "not permitted, for lack of CAP_SYS_ADMIN");
	}

	if (!level)
		return false;
	hint(w,
	     "sysctl kernel.perf_event_paranoid=2, or CAP_SYS_ADMIN; fentry, fexit, kprobe.multi and "
	     "tp_btf do without perf events");
	return answer(
		w, ATTACH_FAULT_CAPABILITY,
		"not permitted: kernel.perf_event_paranoid is %d, and kprobes, uprobes and fields "
		"of events are perf events",
		level);
}

static bool why_refused(struct why *w)
{
	if (w->error != EPERM)
		return false;
	hint(w, "%s", privileges_hint(&w->rights));
	return answer(w, ATTACH_FAULT_CAPABILITY, "not permitted");
}

static bool why_other(struct why *w)
{
	hint(w, "-vv shows what the kernel says; coretap doctor, what works here");
	switch (w->error) {
	case 524: /* the kernel's ENOTSUPP, unknown to libc */
	case EOPNOTSUPP: return answer(w, ATTACH_FAULT_OTHER, "this kernel cannot attach there");
	case EADDRNOTAVAIL:
		return answer(w, ATTACH_FAULT_OTHER, "several functions have this name");
	case EBUSY:
		return answer(w, ATTACH_FAULT_OTHER,
			      "something else has patched it (livepatch, "
			      "another tracer)");
	case E2BIG: return answer(w, ATTACH_FAULT_OTHER, "too many programs are attached to it");
	default: return answer(w, ATTACH_FAULT_OTHER, "%s", strerror(w->error));
	}
}

static void why_find(struct why *w, const char *function, const struct btf_view *btf, int error)
{
	static bool (*const of_function[])(struct why *) = {
		why_not_found,
		why_inlined,
		why_blacklisted,
		why_not_in_btf,
	};

	*w = (struct why){
		.btf = (struct btf_view *)btf, /* looking up a name fills its index */
		.error = error < 0 ? -error : error,
		.is_uprobe = w->is_uprobe,
	};
	snprintf(w->name, sizeof(w->name), "%.*s", function ? (int)strcspn(function, "%") : 0,
		 function);
	w->function = w->name[0] ? w->name : NULL;
	privileges_read(&w->rights);
	if (why_capability(w))
		return;
	if (w->function) {
		function_look_up(&w->kfunc, w->function);
		nearest_of_btf(w);
		for (size_t i = 0; i < sizeof(of_function) / sizeof(of_function[0]); i++)
			if (of_function[i](w))
				return;
	}
	if (!why_lockdown(w) && !why_memlock(w) && !why_perf(w) && !why_refused(w))
		why_other(w);
}

enum attach_fault attach_diagnose(const char *function, const struct btf_view *btf, int error)
{
	struct why w = { 0 };

	if (!error)
		return ATTACH_FAULT_NONE;
	why_find(&w, function, btf, error);
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
	if (w.kfunc.hidden && w.fault == ATTACH_FAULT_OTHER)
		log_hint("kernel.kptr_restrict hides symbol addresses from this process");
	return w.fault == ATTACH_FAULT_NOT_FOUND ? EXIT_USAGE : EXIT_CANNOT;
}

int probe_explain_user(const char *name, int error)
{
	struct why w = { .is_uprobe = true };

	why_find(&w, NULL, NULL, error);
	log_error("cannot trace %s: %s", name, w.reason);
	log_hint("%s", w.hint);
	return EXIT_CANNOT;
}

void probe_reason_hint(int error)
{
	struct why w = { 0 };

	why_find(&w, NULL, NULL, error);
	log_hint("%s", w.reason);
	log_hint("%s", w.hint);
}
