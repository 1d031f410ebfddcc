/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * capabilities.c - reads and sets capabilities by libcap.
 */
#include "kernel/capabilities.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/capability.h>
#include <sys/syscall.h>
#include <unistd.h>

static capabilities set_of(cap_t caps, cap_flag_t which)
{
	cap_flag_value_t value;
	capabilities set = 0;

	for (cap_value_t c = 0; caps && c < 64; c++)
		if (!cap_get_flag(caps, c, which, &value) && value == CAP_SET)
			set |= CAPABILITY(c);
	return set;
}

void capabilities_get(capabilities *permitted, capabilities *effective)
{
	cap_t caps = cap_get_proc();

	if (permitted)
		*permitted = set_of(caps, CAP_PERMITTED);
	if (effective)
		*effective = set_of(caps, CAP_EFFECTIVE);
	cap_free(caps);
}

static int set_add(cap_t caps, cap_flag_t which, capabilities set)
{
	int err = 0;

	for (cap_value_t c = 0; c < 64; c++)
		if (set & CAPABILITY(c))
			err |= cap_set_flag(caps, which, 1, &c, CAP_SET);
	return err;
}

int capabilities_set(capabilities permitted, capabilities effective)
{
	cap_t caps = cap_init();
	int err = 0;

	if (!caps || set_add(caps, CAP_PERMITTED, permitted) ||
	    set_add(caps, CAP_EFFECTIVE, effective) || cap_set_proc(caps))
		err = -errno;
	cap_free(caps);
	return err;
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

/* The capabilities that coretap uses. Root has 41; the others are not worth printing. */
static const uint8_t useful[] = {
	CAP_BPF,	CAP_PERFMON,
	CAP_SYS_ADMIN,	CAP_DAC_READ_SEARCH,
	CAP_SYS_PTRACE, CAP_CHECKPOINT_RESTORE,
	CAP_SYSLOG,	CAP_SYS_RESOURCE,
	CAP_KILL,	CAP_DAC_OVERRIDE,
	CAP_FOWNER,
};

const char *capabilities_text(capabilities set)
{
	static char text[192];
	int len = 0;

	text[0] = '\0';
	for (size_t i = 0; i < sizeof(useful); i++) {
		char *name = set & CAPABILITY(useful[i]) ? cap_to_name(useful[i]) : NULL;

		if (name)
			len += snprintf(text + len, sizeof(text) - len, "%s%s", len ? "," : "",
					name);
		cap_free(name);
	}
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

/* ---- files that the user names ---- */

/* Removes capabilities over files from the effective set for a while. Calls capset(2) itself, because that changes
 * only this thread and keeps the inheritable, and so the ambient, set. */

#define BIT(capability) (1ull << (capability))
#define OVER_FILES                                                                                 \
	(BIT(CAP_CHOWN) | BIT(CAP_DAC_OVERRIDE) | BIT(CAP_DAC_READ_SEARCH) | BIT(CAP_FOWNER) |     \
	 BIT(CAP_FSETID) | BIT(CAP_MKNOD) | BIT(CAP_LINUX_IMMUTABLE) | BIT(CAP_MAC_OVERRIDE))

static struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };

static uint64_t effective_of(const struct __user_cap_data_struct data[2])
{
	return (uint64_t)data[1].effective << 32 | data[0].effective;
}

/* Changes the effective set. Returns the old one, or 0 if nothing changed. */
static uint64_t effective_change(uint64_t without, uint64_t with)
{
	struct __user_cap_data_struct data[2] = { 0 };
	struct __user_cap_header_struct h = header;
	uint64_t before, after;

	if (syscall(SYS_capget, &h, data))
		return 0;
	before = effective_of(data);
	after = (before & ~without) | with;
	if (after == before)
		return 0;
	data[0].effective = (uint32_t)after;
	data[1].effective = after >> 32;
	h = header;
	return syscall(SYS_capset, &h, data) ? 0 : before;
}

struct own_rights own_rights_begin(void)
{
	return (struct own_rights){ getuid() ? effective_change(OVER_FILES, 0) : 0 };
}

void own_rights_end(struct own_rights r)
{
	int err = errno;

	if (r.before)
		effective_change(0, r.before);
	errno = err;
}

int own_open(const char *path, int flags)
{
	struct own_rights r = own_rights_begin();
	int fd = open(path, flags | O_CLOEXEC);

	own_rights_end(r);
	return fd < 0 ? -errno : fd;
}

FILE *own_fopen(const char *path)
{
	struct own_rights r = own_rights_begin();
	FILE *f = fopen(path, "re");

	own_rights_end(r);
	return f;
}

bool own_realpath(const char *path, char *to)
{
	struct own_rights r = own_rights_begin();
	bool is = realpath(path, to);

	own_rights_end(r);
	return is;
}

int own_can_read(const char *path)
{
	struct own_rights r = own_rights_begin();
	int err = faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) ? -errno : 0;

	own_rights_end(r);
	return err;
}
