/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * own_rights.c - capabilities over files are taken out of the effective set for a while (own_rights.h).
 *
 * By capset(2) itself: it changes this thread alone, and what is inheritable, and with it ambient, stays.
 */
#include "kernel/own_rights.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define BIT(capability) (1ull << (capability))
#define OVER_FILES                                                                                 \
	(BIT(CAP_CHOWN) | BIT(CAP_DAC_OVERRIDE) | BIT(CAP_DAC_READ_SEARCH) | BIT(CAP_FOWNER) |     \
	 BIT(CAP_FSETID) | BIT(CAP_MKNOD) | BIT(CAP_LINUX_IMMUTABLE) | BIT(CAP_MAC_OVERRIDE))

static struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };

static uint64_t effective_of(const struct __user_cap_data_struct data[2])
{
	return (uint64_t)data[1].effective << 32 | data[0].effective;
}

/* Changes the effective set from what it is. Returns what it was; 0: it stays. */
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
