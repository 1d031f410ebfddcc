/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * privileges.h - what this process may do: capabilities, user namespace, seccomp, lockdown.
 *
 * Used only for messages: whether something works is always found out by trying it. This file knows nothing about
 * probes.
 */
#ifndef CORETAP_KERNEL_PRIVILEGES_H
#define CORETAP_KERNEL_PRIVILEGES_H

#include <stdbool.h>

#include "kernel/capabilities.h"

enum privileges_lockdown {
	PRIVILEGES_LOCKDOWN_UNKNOWN, /* securityfs is not mounted, or the kernel has no lockdown */
	PRIVILEGES_LOCKDOWN_NONE,
	PRIVILEGES_LOCKDOWN_INTEGRITY,	     /* forbids nothing that coretap uses */
	PRIVILEGES_LOCKDOWN_CONFIDENTIALITY, /* forbids probe_read_kernel and perf kprobes */
};

struct privileges {
	capabilities effective;
	bool bpf, perfmon, admin; /* effective capabilities; admin implies the other two */
	bool user_namespace; /* the process is in a user namespace, where its capabilities do not count */
	bool seccomp;	     /* a seccomp filter may refuse bpf(2), as in containers */
	bool jit_off; /* net.core.bpf_jit_enable is 0, the default on riscv64; only root can read it */
	enum privileges_lockdown lockdown;
};

void privileges_read(struct privileges *r);
/* True if the capabilities allow loading and attaching tracing programs. */
bool privileges_trace(const struct privileges *r);
/* Names the missing capabilities: "CAP_BPF and CAP_PERFMON", "CAP_BPF", …; "" if none is missing. */
const char *privileges_missing(const struct privileges *r);
/* Returns what the user can do about it. */
const char *privileges_hint(const struct privileges *r);

/*
 * Kernels before 5.11 charge maps and programs to RLIMIT_MEMLOCK. libbpf lifts the limit for processes with
 * CAP_SYS_RESOURCE. raise: sets the limit as high as is allowed without it. restore: sets the original limit, before
 * a command is started.
 */
void privileges_memlock_raise(void);
void privileges_memlock_restore(void);
/* Returns the limit in KiB if this kernel charges maps to it (found by creating one), else 0. */
unsigned long privileges_memlock_limit(void);

/* True if this kernel charges maps to the limit. */
bool privileges_memlock_counted(void);

/* Returns kernel.perf_event_paranoid if it forbids perf events to this process (found by trying), and so kprobes,
 * uprobes and fields of events; else 0. Debian's kernels default to level 3, which requires CAP_SYS_ADMIN; other
 * kernels have no such level. */
int privileges_perf_paranoid(const struct privileges *r);
/* True if perf events are refused to this process with its effective capabilities. */
bool privileges_perf_refused(void);

const char *privileges_lockdown_name(enum privileges_lockdown lockdown);
/* Parses the mode in brackets: "none [integrity] confidentiality". Exported for its test. */
enum privileges_lockdown privileges_lockdown_parse(const char *text);

#endif
