/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kernel.c - doctor's first table: the kernel itself, its types, and the settings that decide whether programs run.
 */
#include "doctor/check.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "attach/events.h"
#include "attach/prog.h"
#include "btf/btf.h"
#include "btf/core_fields.h"
#include "kernel/tracefs.h"
#include "surface.skel.h"

static void release_check(struct doctor *d, const struct doctor_check *c, struct doctor_result *r)
{
	struct utsname name;

	(void)d, (void)c;
	uname(&name);
	doctor_report(r, DOCTOR_FACT, 0, "%s, %s", name.release, name.machine);
}

/* ---- types ---- */

/* True if BTF can be mapped, as from 6.16 on; before, reading it takes one read(2) per page. */
static bool maps(const char *path, off_t *size)
{
	int fd = btf_image_open(path);
	void *p = MAP_FAILED;
	struct stat st;

	if (fd < 0)
		return false;
	if (!fstat(fd, &st)) {
		*size = st.st_size;
		p = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (p != MAP_FAILED)
			munmap(p, st.st_size);
	}
	close(fd);
	return p != MAP_FAILED;
}

unsigned doctor_functions(struct btf_view *btf)
{
	uint32_t count = btf_view_count(btf);
	unsigned n = 0;

	for (uint32_t id = 1; id < count; id++)
		n += btf_view_kind(btf, id) == BTF_KIND_FUNC;
	return n;
}

static void btf_check(struct doctor *d, const struct doctor_check *c, struct doctor_result *r)
{
	const char *path = d->options->attach.btf ?: btf_kernel_file();
	off_t size = 0;
	bool mapped = maps(path, &size);

	(void)c;
	if (!d->btf)
		doctor_report(r, DOCTOR_NO, d->btf_error, "cannot read %s", path);
	else
		doctor_report(r, DOCTOR_YES, 0, "%lld KiB, %u functions, %s",
			      (long long)size / 1024, doctor_functions(d->btf),
			      mapped ? "can be mapped" : "read by pages");
}

/* True if these types have the field "struct.member" or "struct.member.inner". */
static bool has_field(const struct btf_view *types, const char *path)
{
	const char *member = strchr(path, '.') + 1;
	char name[64];
	struct btf_found found;
	uint32_t id;

	snprintf(name, sizeof(name), "%.*s", (int)(member - 1 - path), path);
	id = btf_view_find(types, BTF_KIND_STRUCT, name) ?:
							   btf_view_find(types, BTF_KIND_UNION, name);
	return id && btf_view_member(types, id, member, strcspn(member, "."), &found);
}

static void field_seen(void *ctx, const char *path, enum core_fields_fault fault)
{
	struct doctor_lacking *l = ctx;
	size_t len = strlen(l->names);
	bool optional = core_fields_optional(path);

	l->fields++;
	l->optional += fault != CORE_FIELDS_FINE && optional;
	if (fault == CORE_FIELDS_FINE || optional || (l->of && !has_field(l->of, path)))
		return;
	l->count++;
	snprintf(l->names + len, sizeof(l->names) - len, "%s%s", len ? ", " : "", path);
}

int doctor_fields_compare(struct btf_view *kernel, struct doctor_lacking *l)
{
	struct btf_view *ours;
	size_t size;
	void *elf = (void *)surface_bpf__elf_bytes(&size); /* owned here */
	int err = elf ? core_fields_types(elf, size, &ours) : -ENOMEM;

	if (!err) {
		err = core_fields_compare(ours, kernel, field_seen, l);
		btf_view_close(ours);
	}
	free(elf);
	return err;
}

/* Compares the types that the applets' programs are built with to the kernel's. */
static void fields_check(struct doctor *d, const struct doctor_check *c, struct doctor_result *r)
{
	struct doctor_lacking l = { 0 };
	int err = d->btf ? doctor_fields_compare(d->btf, &l) : 0;

	(void)c;
	if (!d->btf)
		doctor_report(r, DOCTOR_SKIP, 0, "no types to compare");
	else if (err)
		doctor_report(r, DOCTOR_NO, -err, "cannot compare the types");
	else if (l.count)
		doctor_report(r, DOCTOR_PARTLY, 0, "%u of %u are missing or differ: %s", l.count,
			      l.fields, l.names);
	else
		doctor_report(r, DOCTOR_YES, 0, "all %u that are used", l.fields - l.optional);
}

/* ---- privileges ---- */

static void privileges_check(struct doctor *d, const struct doctor_check *c,
			     struct doctor_result *r)
{
	const struct privileges *g = &d->rights;
	const char *sandbox = g->seccomp ? "; a seccomp filter is active" : "";

	(void)c;
	if (privileges_trace(g))
		doctor_report(r, DOCTOR_YES, 0, "%s%s",
			      capabilities_text(g->effective & CAPS_HELPFUL), sandbox);
	else
		doctor_report(r, DOCTOR_NO, 0, "missing: %s%s; %s", privileges_missing(g), sandbox,
			      privileges_hint(g));
}

/* Shows all capabilities that any applet or option uses. */
static void setcap_check(struct doctor *d, const struct doctor_check *c, struct doctor_result *r)
{
	(void)c;
	doctor_report(r, DOCTOR_FACT, 0, "%s",
		      capabilities_setcap(CAPS_TRACE | CAPS_FILES | CAPABILITY(CAP_SYSLOG) |
					  d->for_perf | d->for_uprobes | d->for_maps));
}

static void memlock_check(struct doctor *d, const struct doctor_check *c, struct doctor_result *r)
{
	unsigned long limit = privileges_memlock_limit();

	(void)c;
	if (!privileges_trace(&d->rights))
		doctor_report(r, DOCTOR_UNKNOWN, EPERM, "not tried: missing %s",
			      privileges_missing(&d->rights));
	else if (limit)
		doctor_report(r, DOCTOR_PARTLY, 0,
			      "limited to %lu KiB (ulimit -l), and this kernel counts "
			      "BPF maps and programs as locked memory",
			      limit);
	else
		doctor_report(r, DOCTOR_YES, 0, "unlimited, or not counted");
}

static void perf_check(struct doctor *d, const struct doctor_check *c, struct doctor_result *r)
{
	int level = privileges_perf_paranoid(&d->rights);

	(void)c;
	if (level)
		doctor_report(r, DOCTOR_PARTLY, 0,
			      "kernel.perf_event_paranoid is %d: only CAP_SYS_ADMIN may use "
			      "them",
			      level);
	else
		doctor_report(r, DOCTOR_YES, 0, "%s", "");
}

static void tracefs_check(struct doctor *d, const struct doctor_check *c, struct doctor_result *r)
{
	int fd = tracefs_open("available_events", O_RDONLY);

	(void)d, (void)c;
	if (fd < 0) {
		doctor_report(r, DOCTOR_PARTLY, errno, "cannot read /sys/kernel/tracing");
		return;
	}
	close(fd);
	doctor_report(r, DOCTOR_YES, 0, "%s", "");
}

static void tracing_check(struct doctor *d, const struct doctor_check *c, struct doctor_result *r)
{
	(void)d, (void)c;
	if (prog_tracing_exists())
		doctor_report(r, DOCTOR_YES, 0, "%s", "");
	else
		doctor_report(r, DOCTOR_NO, EINVAL, "%s", PROG_NO_TRACING);
}

/* More than one setting decides whether a process sees addresses, so the first function's address is checked. */
static bool addresses_hidden(void)
{
	unsigned long long address = 0;
	FILE *f = fopen("/proc/kallsyms", "re");
	char line[256], type = 0;

	while (f && fgets(line, sizeof(line), f) &&
	       (sscanf(line, "%llx %c", &address, &type) != 2 || (type != 'T' && type != 't')))
		;
	if (f)
		fclose(f);
	return !address;
}

static void lockdown_check(struct doctor *d, const struct doctor_check *c, struct doctor_result *r)
{
	enum privileges_lockdown mode = d->rights.lockdown;

	(void)c;
	switch (mode) {
	case PRIVILEGES_LOCKDOWN_UNKNOWN:
		doctor_report(
			r, DOCTOR_UNKNOWN, 0,
			"no securityfs on /sys/kernel/security, or a kernel without lockdown");
		break;
	case PRIVILEGES_LOCKDOWN_CONFIDENTIALITY:
		doctor_report(r, DOCTOR_PARTLY, 0,
			      "confidentiality: no kprobes, no bpf_probe_read_kernel");
		break;
	default:
		doctor_report(r, DOCTOR_YES, 0, "%s: forbids nothing that is needed",
			      privileges_lockdown_name(mode));
	}
}

/* ---- settings: one character in a file of procfs or debugfs ---- */

struct knob {
	const char *path;
	const char *good;	/* values that are fine */
	enum doctor_answer bad; /* the answer for any other value */
	enum doctor_answer absent;
	bool without_rights; /* matters only without privileges */
};

static void knob_check(struct doctor *d, const struct doctor_check *c, struct doctor_result *r)
{
	const struct knob *k = c->param;
	char value[16] = "";
	FILE *f;

	if (k->without_rights && privileges_trace(&d->rights)) {
		doctor_report(r, DOCTOR_SKIP, 0, "irrelevant for root");
		return;
	}
	errno = 0;
	f = fopen(k->path, "re");
	if (f && fgets(value, sizeof(value), f)) {
		value[strcspn(value, "\n")] = 0;
		doctor_report(r, strchr(k->good, value[0]) ? DOCTOR_YES : k->bad, 0, "%s is %s",
			      k->path, value);
	} else if (errno == ENOENT) {
		doctor_report(r, k->absent, 0, "%s does not exist", k->path);
	} else {
		doctor_report(r, DOCTOR_UNKNOWN, errno, "cannot read %s", k->path);
	}
	if (f)
		fclose(f);
}

static const struct knob kptr_restrict = {
	"/proc/sys/kernel/kptr_restrict", "01", DOCTOR_PARTLY, DOCTOR_UNKNOWN, false,
};

static void symbols_check(struct doctor *d, const struct doctor_check *c, struct doctor_result *r)
{
	knob_check(d, c, r);
	if (r->answer == DOCTOR_YES && addresses_hidden())
		doctor_report(r, DOCTOR_PARTLY, 0,
			      "hidden from this process: it has no CAP_SYSLOG");
}

static const struct knob bpf_jit = {
	"/proc/sys/net/core/bpf_jit_enable", "12", DOCTOR_NO, DOCTOR_UNKNOWN, false,
};
static const struct knob ftrace = {
	"/proc/sys/kernel/ftrace_enabled", "1", DOCTOR_NO, DOCTOR_NO, false,
};
static const struct knob kprobes = {
	"/sys/kernel/debug/kprobes/enabled", "1", DOCTOR_NO, DOCTOR_UNKNOWN, false,
};
static const struct knob unprivileged_bpf = {
	"/proc/sys/kernel/unprivileged_bpf_disabled", "0", DOCTOR_NO, DOCTOR_UNKNOWN, true,
};
static const struct knob perf_paranoid = {
	"/proc/sys/kernel/perf_event_paranoid", "-", DOCTOR_NO, DOCTOR_UNKNOWN, true,
};

/* Opens the counter as hw: does, but never starts it. */
static void counters_check(struct doctor *d, const struct doctor_check *c, struct doctor_result *r)
{
	static const struct attach_sample cycles = { .type = PERF_TYPE_HARDWARE,
						     .config = PERF_COUNT_HW_CPU_CYCLES,
						     .period = 1000000000 };
	int fd = sample_open(&cycles, 0);

	(void)d, (void)c;
	if (fd < 0) {
		doctor_report(r, DOCTOR_NO, -fd, "this machine does not count cycles");
		return;
	}
	close(fd);
	doctor_report(r, DOCTOR_YES, 0, "%s", "");
}

#define KERNEL DOCTOR_NEED_KERNEL

const struct doctor_check doctor_kernel[] = {
	{ "release", release_check, NULL, -1, KERNEL, NULL, NULL },
	{ "types (BTF)", btf_check, NULL, -1, 0, "everything except raw kprobes",
	  "a kernel with CONFIG_DEBUG_INFO_BTF=y and sysfs on /sys, or its types as " BTF_ADDED_FOLDER
	  "/$(uname -r).btf" },
	{ "fields", fields_check, NULL, -1, 0, "the applets that read them", NULL },
	{ "rights", privileges_check, NULL, -1, KERNEL, "loading and attaching programs", NULL },
	{ "all by setcap", setcap_check, NULL, -1, KERNEL, NULL, NULL },
	{ "lockdown", lockdown_check, NULL, -1, KERNEL, "what typed pointers do not reach",
	  "boot without lockdown=confidentiality" },
	{ "symbol addresses", symbols_check, &kptr_restrict, -1, KERNEL,
	  "names in kernel stacks, :sym, variables (@jiffies), $ctx",
	  "CAP_SYSLOG, and sysctl kernel.kptr_restrict=1 if it is 2" },
	{ "tracing programs", tracing_check, NULL, -1, KERNEL | DOCTOR_NEED_RIGHTS,
	  "all applets but bps", PROG_NO_TRACING_TODO },
	{ "locked memory", memlock_check, NULL, -1, KERNEL, "maps and programs, before Linux 5.11",
	  "ulimit -l unlimited, LimitMEMLOCK=infinity in a unit, or CAP_SYS_RESOURCE" },
	{ "perf events", perf_check, NULL, -1, KERNEL,
	  "kprobes, fields of tracepoints, opens by io_uring; u:",
	  "CAP_SYS_ADMIN, or sysctl kernel.perf_event_paranoid=2" },
	{ "counters", counters_check, NULL, -1, KERNEL | DOCTOR_NEED_RIGHTS, "hw:",
	  "in a virtual machine the host must provide them: QEMU with KVM, -cpu host,pmu=on" },
	{ "tracefs", tracefs_check, NULL, -1, KERNEL,
	  "parameter names of system calls (s:), fields and patterns of tracepoints",
	  "CAP_DAC_READ_SEARCH, or " TRACEFS_ALLOW },
	{ "BPF JIT", knob_check, &bpf_jit, -1, KERNEL, "most applets; fentry, fexit",
	  "sysctl net.core.bpf_jit_enable=1" },
	{ "ftrace", knob_check, &ftrace, -1, KERNEL, "fentry, fexit, kprobe.multi",
	  "sysctl kernel.ftrace_enabled=1" },
	{ "kprobes", knob_check, &kprobes, -1, KERNEL, "kprobe, kretprobe, if fentry fails",
	  "echo 1 > /sys/kernel/debug/kprobes/enabled" },
	{ "BPF for all users", knob_check, &unprivileged_bpf, -1, KERNEL, NULL, NULL },
	{ "perf for all users", knob_check, &perf_paranoid, -1, KERNEL, NULL, NULL },
	{ 0 },
};
