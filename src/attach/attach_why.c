/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * attach_why.c - reasons for a failed attach that lie in the process (rights, limits) or in the kernel's settings, not
 * in the function.
 */
#include "attach/attach_why.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "attach/method_can.h"
#include "kernel/limits.h"
#include "util/errname.h"

bool why_answer(struct why *w, enum attach_fault fault, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(w->reason, sizeof(w->reason), fmt, ap);
	va_end(ap);
	w->fault = fault;
	return true;
}

void why_hint(struct why *w, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(w->hint, sizeof(w->hint), fmt, ap);
	va_end(ap);
}

bool why_refused(const struct why *w)
{
	return w->error == EPERM || w->error == EACCES;
}

/* ---- the process ---- */

static bool why_capability(struct why *w)
{
	if (!why_refused(w) || privileges_trace(&w->rights))
		return false;
	why_hint(w, "%s", privileges_hint(&w->rights));
	return why_answer(w, ATTACH_FAULT_CAPABILITY, "not permitted: missing %s",
			  privileges_missing(&w->rights));
}

static bool why_switched_off(struct why *w)
{
	const struct attach_switch *off = attach_switch_refused();

	if (w->error != ERR_SWITCHED_OFF || !off)
		return false;
	why_hint(w, "%s", off->remedy);
	return why_answer(w, ATTACH_FAULT_OTHER, "%s: %s", off->is, off->means);
}

static bool why_limit(struct why *w)
{
	const char *todo = limit_explain(w->error, w->reason, sizeof(w->reason));

	if (!todo)
		return false;
	why_hint(w, "%s", todo);
	w->fault = ATTACH_FAULT_OTHER;
	return true;
}

bool why_process(struct why *w)
{
	return why_switched_off(w) || why_limit(w) || why_capability(w);
}

/* ---- the kernel ---- */

/* Reports that the JIT is off: the interpreter refuses some programs. */
static bool why_interpreted(struct why *w)
{
	if (!w->rights.jit_off ||
	    (w->error != EINVAL && w->error != KERNEL_ENOTSUPP && w->error != EOPNOTSUPP))
		return false;
	why_hint(w, "sysctl net.core.bpf_jit_enable=1");
	return why_answer(w, ATTACH_FAULT_OTHER,
			  "the kernel's BPF JIT is off, and its interpreter refuses this program");
}

static bool why_lockdown(struct why *w)
{
	if (w->rights.lockdown != PRIVILEGES_LOCKDOWN_CONFIDENTIALITY)
		return false;
	/* EINVAL: the verifier does not know a helper that is forbidden */
	if (!why_refused(w) && w->error != EINVAL)
		return false;
	why_hint(w, "coretap doctor shows what still works under lockdown; booting without "
		    "lockdown=confidentiality allows everything");
	return why_answer(
		w, ATTACH_FAULT_LOCKDOWN,
		"kernel lockdown (confidentiality) forbids kprobes, tracefs (and so the "
		"fields of events), and reading kernel memory except through typed pointers");
}

static bool why_memlock(struct why *w)
{
	unsigned long limit = w->error == EPERM ? privileges_memlock_limit() : 0;

	if (!limit)
		return false;
	why_hint(w,
		 "run ulimit -l unlimited first, set LimitMEMLOCK=infinity in the unit, or add "
		 "CAP_SYS_RESOURCE; a smaller --buffer needs less%s",
		 capabilities_hint(CAPABILITY(CAP_SYS_RESOURCE)));
	return why_answer(
		w, ATTACH_FAULT_CAPABILITY,
		"not permitted: locked memory is limited to %lu KiB (ulimit -l), and this kernel "
		"counts BPF maps and programs as locked memory",
		limit);
}

static bool why_perf(struct why *w)
{
	int level = w->error == EACCES ? privileges_perf_paranoid(&w->rights) : 0;

	if (w->error == EACCES && w->is_uprobe && !level && !w->rights.admin) {
		why_hint(
			w,
			"newer kernels require it for uprobes, whatever kernel.perf_event_paranoid "
			"is%s",
			capabilities_hint(CAPABILITY(CAP_SYS_ADMIN)));
		return why_answer(w, ATTACH_FAULT_CAPABILITY,
				  "not permitted: missing CAP_SYS_ADMIN");
	}

	if (!level)
		return false;
	why_hint(
		w,
		"sysctl kernel.perf_event_paranoid=2, or CAP_SYS_ADMIN; fentry, fexit, kprobe.multi "
		"and tp_btf need no perf events%s",
		capabilities_hint(CAPABILITY(CAP_SYS_ADMIN)));
	return why_answer(
		w, ATTACH_FAULT_CAPABILITY,
		"not permitted: kernel.perf_event_paranoid is %d, and kprobes, uprobes and fields "
		"of events are perf events",
		level);
}

static bool why_refused_otherwise(struct why *w)
{
	if (w->error != EPERM)
		return false;
	why_hint(w, "%s", privileges_hint(&w->rights));
	return why_answer(w, ATTACH_FAULT_CAPABILITY, "not permitted");
}

bool why_kernel(struct why *w)
{
	return why_interpreted(w) || why_lockdown(w) || why_memlock(w) || why_perf(w) ||
	       why_refused_otherwise(w);
}
