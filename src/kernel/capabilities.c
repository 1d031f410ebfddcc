/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * capabilities.c - reads and sets capabilities, by capget(2) and capset(2).
 */
#include "kernel/capabilities.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A set has two halves, for capabilities from 0 and from 32 on. */
struct halves {
	struct __user_cap_data_struct at[2];
};

static struct __user_cap_header_struct header_of(void)
{
	return (struct __user_cap_header_struct){ .version = _LINUX_CAPABILITY_VERSION_3 };
}

/* Returns 0 or -errno. */
static int halves_get(struct halves *h)
{
	struct __user_cap_header_struct header = header_of();

	*h = (struct halves){ 0 };
	return syscall(SYS_capget, &header, h->at) ? -errno : 0;
}

/* Of this thread. Returns 0 or -errno. */
static int halves_set(const struct halves *h)
{
	struct __user_cap_header_struct header = header_of();

	return syscall(SYS_capset, &header, h->at) ? -errno : 0;
}

static capabilities effective_of(const struct halves *h)
{
	return (capabilities)h->at[1].effective << 32 | h->at[0].effective;
}

static void effective_set(struct halves *h, capabilities set)
{
	h->at[0].effective = (uint32_t)set;
	h->at[1].effective = set >> 32;
}

void capabilities_get(capabilities *permitted, capabilities *effective)
{
	struct halves h;

	halves_get(&h);
	if (permitted)
		*permitted = (capabilities)h.at[1].permitted << 32 | h.at[0].permitted;
	if (effective)
		*effective = effective_of(&h);
}

int capabilities_set(capabilities permitted, capabilities effective)
{
	struct halves h = { { { .permitted = (uint32_t)permitted },
			      { .permitted = permitted >> 32 } } };

	effective_set(&h, effective);
	return halves_set(&h);
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
static const struct {
	uint8_t number;
	char name[23];
} useful[] = {
	{ CAP_BPF, "cap_bpf" },
	{ CAP_PERFMON, "cap_perfmon" },
	{ CAP_SYS_ADMIN, "cap_sys_admin" },
	{ CAP_DAC_READ_SEARCH, "cap_dac_read_search" },
	{ CAP_SYS_PTRACE, "cap_sys_ptrace" },
	{ CAP_CHECKPOINT_RESTORE, "cap_checkpoint_restore" },
	{ CAP_SYSLOG, "cap_syslog" },
	{ CAP_SYS_RESOURCE, "cap_sys_resource" },
	{ CAP_KILL, "cap_kill" },
	{ CAP_DAC_OVERRIDE, "cap_dac_override" },
	{ CAP_FOWNER, "cap_fowner" },
};

const char *capabilities_text(capabilities set)
{
	static char text[192];
	int len = 0;

	text[0] = '\0';
	for (size_t i = 0; i < sizeof(useful) / sizeof(useful[0]); i++)
		if (set & CAPABILITY(useful[i].number))
			len += snprintf(text + len, sizeof(text) - len, "%s%s", len ? "," : "",
					useful[i].name);
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

#define OVER_FILES                                                                                 \
	(CAPABILITY(CAP_CHOWN) | CAPABILITY(CAP_DAC_OVERRIDE) | CAPABILITY(CAP_DAC_READ_SEARCH) |  \
	 CAPABILITY(CAP_FOWNER) | CAPABILITY(CAP_FSETID) | CAPABILITY(CAP_MKNOD) |                 \
	 CAPABILITY(CAP_LINUX_IMMUTABLE) | CAPABILITY(CAP_MAC_OVERRIDE))

/* Changes only the effective set, and so keeps the inheritable and the ambient one. Returns the old one, or 0 if
 * nothing changed. */
static capabilities effective_change(capabilities without, capabilities with)
{
	capabilities before, after;
	struct halves h;

	if (halves_get(&h))
		return 0;
	before = effective_of(&h);
	after = (before & ~without) | with;
	if (after == before)
		return 0;
	effective_set(&h, after);
	return halves_set(&h) ? 0 : before;
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

char *own_text_read(const char *path, size_t most, size_t *len)
{
	struct own_rights r = own_rights_begin();
	FILE *f = fopen(path, "re");
	char *text = f ? malloc(most + 1) : NULL;
	int err;

	own_rights_end(r);
	*len = text ? fread(text, 1, most + 1, f) : 0;
	err = !f || ferror(f) ? errno : !text ? ENOMEM : *len > most ? EFBIG : 0;
	if (f)
		fclose(f);
	if (err) {
		free(text);
		errno = err;
		return NULL;
	}
	text[*len] = '\0';
	return text;
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
