/* SPDX-License-Identifier: GPL-2.0 */
/*
 * rights.h - what this process may do here: capabilities, user namespace, seccomp, lockdown.
 *
 * Read for messages only: whether a thing works is always found by trying it. It must not know
 * of probes.
 */
#ifndef CORETAP_RIGHTS_H
#define CORETAP_RIGHTS_H

#include <stdbool.h>

enum rights_lockdown {
	RIGHTS_LOCKDOWN_UNKNOWN, /* securityfs is not mounted, or the kernel has no lockdown */
	RIGHTS_LOCKDOWN_NONE,
	RIGHTS_LOCKDOWN_INTEGRITY,	 /* forbids nothing that coretap does */
	RIGHTS_LOCKDOWN_CONFIDENTIALITY, /* forbids probe_read_kernel and perf kprobes */
};

struct rights {
	bool bpf, perfmon, admin; /* effective capabilities; admin stands for the other two */
	bool user_namespace;	  /* capabilities of a namespace: the kernel asks for its own */
	bool seccomp;		  /* a filter may refuse bpf(2) (containers) */
	enum rights_lockdown lockdown;
};

void rights_read(struct rights *r);
/* May it load and attach tracing programs, as far as capabilities go? */
bool rights_trace(const struct rights *r);
/* "CAP_BPF and CAP_PERFMON", "CAP_BPF", …: what is missing; "" when nothing is. */
const char *rights_missing(const struct rights *r);
/* What to do about it. */
const char *rights_hint(const struct rights *r);

const char *rights_lockdown_name(enum rights_lockdown lockdown);
/* The mode in brackets: "none [integrity] confidentiality". Exported for its test. */
enum rights_lockdown rights_lockdown_parse(const char *text);

#endif
