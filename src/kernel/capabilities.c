/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * capabilities.c - by the system calls themselves (capabilities.h).
 */
#include "kernel/capabilities.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef struct __user_cap_data_struct halves[_LINUX_CAPABILITY_U32S_3];

static int caps_call(long number, halves data)
{
	struct __user_cap_header_struct header = { _LINUX_CAPABILITY_VERSION_3, 0 };

	return syscall(number, &header, data) ? -errno : 0;
}

void capabilities_get(capabilities *permitted, capabilities *effective)
{
	halves data = { { 0 } };

	caps_call(SYS_capget, data);
	if (permitted)
		*permitted = data[0].permitted | (capabilities)data[1].permitted << 32;
	if (effective)
		*effective = data[0].effective | (capabilities)data[1].effective << 32;
}

int capabilities_set(capabilities permitted, capabilities effective)
{
	halves data = { { .effective = effective, .permitted = permitted },
			{ .effective = effective >> 32, .permitted = permitted >> 32 } };

	return caps_call(SYS_capset, data);
}

bool capabilities_try(capabilities effective, bool (*refused)(void))
{
	capabilities permitted, before;
	bool is_refused;

	capabilities_get(&permitted, &before);
	capabilities_set(permitted, permitted & effective);
	is_refused = refused();
	capabilities_set(permitted, before);
	return is_refused;
}

static const struct {
	uint8_t number;
	char name[19];
} names[] = {
	{ CAP_BPF, "bpf" },
	{ CAP_PERFMON, "perfmon" },
	{ CAP_SYS_ADMIN, "sys_admin" },
	{ CAP_DAC_READ_SEARCH, "dac_read_search" },
	{ CAP_SYS_PTRACE, "sys_ptrace" },
	{ CAP_CHECKPOINT_RESTORE, "checkpoint_restore" },
	{ CAP_SYSLOG, "syslog" },
	{ CAP_SYS_RESOURCE, "sys_resource" },
	{ CAP_KILL, "kill" },
	{ CAP_DAC_OVERRIDE, "dac_override" },
	{ CAP_FOWNER, "fowner" },
};

const char *capabilities_text(capabilities set)
{
	static char text[192];
	int len = 0;

	text[0] = '\0';
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (set & CAPABILITY(names[i].number))
			len += snprintf(text + len, sizeof(text) - len, "%scap_%s", len ? "," : "",
					names[i].name);
	return text;
}

const char *capabilities_setcap(capabilities set)
{
	static char text[PATH_MAX + 256];
	char path[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path));

	snprintf(text, sizeof(text), "setcap %s=ep %.*s", capabilities_text(set),
		 len > 0 ? (int)len : 7, len > 0 ? path : "coretap");
	return text;
}

const char *capabilities_hint(capabilities more)
{
	static char text[PATH_MAX + 256];
	capabilities has;

	capabilities_get(&has, NULL);
	if (!geteuid())
		return "";
	snprintf(text, sizeof(text), "; as root: %s", capabilities_setcap(has | more));
	return text;
}
