/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * privileges.c - reads capabilities, /proc/self and securityfs.
 *
 * What needs which capability (kernel/bpf/syscall.c, bpf_prog_load): every program and map needs CAP_BPF; tracing
 * programs and perf events also need CAP_PERFMON. CAP_SYS_ADMIN replaces both. All of them count only in the initial
 * user namespace.
 */
#include "kernel/privileges.h"

#include <errno.h>
#include <limits.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kernel/capabilities.h"
#include "util/buf.h"
#include "util/escape.h"
#include "util/small_file.h"

/* The initial namespace maps every id to itself: "0 0 4294967295". */
static bool user_namespace(void)
{
	unsigned inside = 0, outside = 0, count = ~0u;
	char text[64];

	small_file_read("/proc/self/uid_map", text, sizeof(text));
	if (sscanf(text, "%u %u %u", &inside, &outside, &count) != 3)
		return false;
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

enum privileges_lockdown privileges_lockdown_parse(const char *text)
{
	if (strstr(text, "[none]"))
		return PRIVILEGES_LOCKDOWN_NONE;
	if (strstr(text, "[integrity]"))
		return PRIVILEGES_LOCKDOWN_INTEGRITY;
	if (strstr(text, "[confidentiality]"))
		return PRIVILEGES_LOCKDOWN_CONFIDENTIALITY;
	return PRIVILEGES_LOCKDOWN_UNKNOWN;
}

static enum privileges_lockdown lockdown_read(void)
{
	char text[64];

	small_file_read("/sys/kernel/security/lockdown", text, sizeof(text));
	return privileges_lockdown_parse(text);
}

static bool jit_is_off(void)
{
	FILE *f = fopen("/proc/sys/net/core/bpf_jit_enable", "re");
	bool off = f && fgetc(f) == '0';

	if (f)
		fclose(f);
	return off;
}

void privileges_read(struct privileges *r)
{
	capabilities caps;

	capabilities_get(NULL, &caps);
	*r = (struct privileges){
		.effective = caps,
		.bpf = caps & CAPABILITY(CAP_BPF),
		.perfmon = caps & CAPABILITY(CAP_PERFMON),
		.admin = caps & CAPABILITY(CAP_SYS_ADMIN),
		.user_namespace = user_namespace(),
		.seccomp = seccomp_filter(),
		.jit_off = jit_is_off(),
		.lockdown = lockdown_read(),
	};
}

bool privileges_trace(const struct privileges *r)
{
	return (r->admin || (r->bpf && r->perfmon)) && !r->user_namespace;
}

const char *privileges_missing(const struct privileges *r)
{
	if (r->user_namespace)
		return "rights in the initial user namespace";
	if (r->admin || (r->bpf && r->perfmon))
		return "";
	if (r->bpf)
		return "CAP_PERFMON";
	return r->perfmon ? "CAP_BPF" : "CAP_BPF and CAP_PERFMON";
}

/* The command line with sudo before it, or a setcap command. The text is valid until the next call. */
static const char *sudo_hint(void)
{
	static char text[512 + PATH_MAX + 256];
	const char *setcap = capabilities_hint(CAPS_TRACE);
	FILE *f = fopen("/proc/self/cmdline", "re");
	char *word = NULL;
	size_t size = 0;
	struct buf o;

	buf_init(&o, -1);
	while (f && getdelim(&word, &size, '\0', f) > 0) {
		buf_char(&o, ' ');
		escape_write_shell(&o, word, strlen(word));
	}
	if (!o.error && o.len && o.len < 400)
		snprintf(text, sizeof(text), "run it as root: sudo%.*s%s", (int)o.len, o.data,
			 setcap);
	else
		snprintf(text, sizeof(text), "run it as root, e.g. with sudo%s", setcap);
	buf_free(&o);
	free(word);
	if (f)
		fclose(f);
	return text;
}

const char *privileges_hint(const struct privileges *r)
{
	if (r->user_namespace)
		return "root in a container or a user namespace is not enough: run it on the host";
	if (!privileges_trace(r))
		return sudo_hint();
	if (r->seccomp)
		return "a seccomp filter may forbid bpf(2): run it outside the container";
	return "kernel.unprivileged_bpf_disabled, LSM policies and seccomp filters can forbid it";
}

/* ---- locked memory, perf events ---- */

static struct rlimit memlock_before;

void privileges_memlock_raise(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_MEMLOCK, &memlock_before))
		return;
	limit = memlock_before;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_MEMLOCK, &limit);
}

void privileges_memlock_restore(void)
{
	setrlimit(RLIMIT_MEMLOCK, &memlock_before);
}

/* Creates a map of four bytes; not through libbpf, which would raise the limit. */
static int map_try(void)
{
	union bpf_attr attr;
	int fd;

	memset(&attr, 0, sizeof(attr));
	attr.map_type = BPF_MAP_TYPE_ARRAY;
	attr.key_size = attr.value_size = 4;
	attr.max_entries = 1;
	fd = syscall(SYS_bpf, BPF_MAP_CREATE, &attr, sizeof(attr));
	if (fd >= 0)
		close(fd);
	return fd < 0 ? -errno : 0;
}

bool privileges_memlock_counted(void)
{
	struct rlimit limit, none;
	int err;

	if (getrlimit(RLIMIT_MEMLOCK, &limit))
		return false;
	none = (struct rlimit){ 0, limit.rlim_max };
	if (setrlimit(RLIMIT_MEMLOCK, &none))
		return false;
	err = map_try();
	setrlimit(RLIMIT_MEMLOCK, &limit);
	return err == -EPERM;
}

unsigned long privileges_memlock_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_MEMLOCK, &limit) || limit.rlim_cur == RLIM_INFINITY ||
	    !privileges_memlock_counted())
		return 0;
	return limit.rlim_cur / 1024 ?: 1;
}

/* Opens a dummy event of this process, which only the sysctl can forbid. */
bool privileges_perf_refused(void)
{
	struct perf_event_attr attr = { .size = sizeof(attr),
					.type = PERF_TYPE_SOFTWARE,
					.config = PERF_COUNT_SW_DUMMY,
					.exclude_kernel = 1 };
	int fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd >= 0)
		close(fd);
	return fd < 0 && errno == EACCES;
}

int privileges_perf_paranoid(const struct privileges *r)
{
	char text[32];
	int level;

	small_file_read("/proc/sys/kernel/perf_event_paranoid", text, sizeof(text));
	level = atoi(text);
	return !r->admin && level > 0 && privileges_perf_refused() ? level : 0;
}

const char *privileges_lockdown_name(enum privileges_lockdown lockdown)
{
	static const char *const names[] = {
		[PRIVILEGES_LOCKDOWN_UNKNOWN] = "unknown",
		[PRIVILEGES_LOCKDOWN_NONE] = "none",
		[PRIVILEGES_LOCKDOWN_INTEGRITY] = "integrity",
		[PRIVILEGES_LOCKDOWN_CONFIDENTIALITY] = "confidentiality",
	};
	return names[lockdown];
}
