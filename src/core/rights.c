/* SPDX-License-Identifier: GPL-2.0 */
/*
 * rights.c - capabilities by libcap, the rest from /proc/self and securityfs.
 *
 * Which capability for what (kernel/bpf/syscall.c, bpf_prog_load): every program and map needs
 * CAP_BPF, tracing programs and perf events CAP_PERFMON too; CAP_SYS_ADMIN stands for both, and
 * all of them count in the initial user namespace only.
 */
#include "core/rights.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/capability.h>

static bool capability_effective(cap_t caps, cap_value_t cap)
{
	cap_flag_value_t value = CAP_CLEAR;

	return caps && !cap_get_flag(caps, cap, CAP_EFFECTIVE, &value) && value == CAP_SET;
}

/* The initial namespace maps every id to itself: "0 0 4294967295". */
static bool user_namespace(void)
{
	unsigned inside = 0, outside = 0, count = ~0u;
	FILE *f = fopen("/proc/self/uid_map", "re");

	if (!f)
		return false;
	if (fscanf(f, "%u %u %u", &inside, &outside, &count) != 3)
		count = ~0u;
	fclose(f);
	return inside || outside || count != ~0u;
}

static bool seccomp_filter(void)
{
	char *line = NULL;
	size_t size = 0;
	int mode = 0;
	FILE *f = fopen("/proc/self/status", "re");

	while (f && getline(&line, &size, f) > 0)
		if (sscanf(line, "Seccomp: %d", &mode) == 1)
			break;
	free(line);
	if (f)
		fclose(f);
	return mode == 2; /* SECCOMP_MODE_FILTER */
}

enum rights_lockdown rights_lockdown_parse(const char *text)
{
	if (strstr(text, "[none]"))
		return RIGHTS_LOCKDOWN_NONE;
	if (strstr(text, "[integrity]"))
		return RIGHTS_LOCKDOWN_INTEGRITY;
	if (strstr(text, "[confidentiality]"))
		return RIGHTS_LOCKDOWN_CONFIDENTIALITY;
	return RIGHTS_LOCKDOWN_UNKNOWN;
}

static enum rights_lockdown lockdown_read(void)
{
	char text[64] = "";
	FILE *f = fopen("/sys/kernel/security/lockdown", "re");

	if (!f)
		return RIGHTS_LOCKDOWN_UNKNOWN;
	if (!fgets(text, sizeof(text), f))
		text[0] = 0;
	fclose(f);
	return rights_lockdown_parse(text);
}

void rights_read(struct rights *r)
{
	cap_t caps = cap_get_proc();

	*r = (struct rights){
		.bpf = capability_effective(caps, CAP_BPF),
		.perfmon = capability_effective(caps, CAP_PERFMON),
		.admin = capability_effective(caps, CAP_SYS_ADMIN),
		.user_namespace = user_namespace(),
		.seccomp = seccomp_filter(),
		.lockdown = lockdown_read(),
	};
	cap_free(caps);
}

bool rights_trace(const struct rights *r)
{
	return (r->admin || (r->bpf && r->perfmon)) && !r->user_namespace;
}

const char *rights_missing(const struct rights *r)
{
	if (r->user_namespace)
		return "rights in the initial user namespace";
	if (r->admin || (r->bpf && r->perfmon))
		return "";
	if (r->bpf)
		return "CAP_PERFMON";
	return r->perfmon ? "CAP_BPF" : "CAP_BPF and CAP_PERFMON";
}

const char *rights_hint(const struct rights *r)
{
	if (r->user_namespace)
		return "root of a container or of unshare is not enough: run it on the host";
	if (!rights_trace(r))
		return "run it as root: sudo coretap …";
	if (r->seccomp)
		return "a seccomp filter may forbid bpf(2): run it outside of the container";
	return "kernel.unprivileged_bpf_disabled, LSM policies and seccomp filters can forbid it";
}

const char *rights_lockdown_name(enum rights_lockdown lockdown)
{
	static const char *const names[] = {
		[RIGHTS_LOCKDOWN_UNKNOWN] = "unknown",
		[RIGHTS_LOCKDOWN_NONE] = "none",
		[RIGHTS_LOCKDOWN_INTEGRITY] = "integrity",
		[RIGHTS_LOCKDOWN_CONFIDENTIALITY] = "confidentiality",
	};
	return names[lockdown];
}
