/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * config.c - opens the running kernel's configuration: a file of its package, or of the kernel itself (CONFIG_IKCONFIG_PROC).
 */
#include "kernel/config.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kernel/capabilities.h"
#include "util/unpack.h"

enum { PACKED_MAX = 1 << 20 }; /* of Debian's, with 10,000 options, a tenth */

static FILE *packed_open(void)
{
	size_t size;
	char *packed = own_text_read("/proc/config.gz", PACKED_MAX, &size);
	int fd = packed ? memfd_create("config", MFD_CLOEXEC) : -1;
	FILE *f = NULL;

	if (fd >= 0 && !unpack_to(fd, packed, size) && !lseek(fd, 0, SEEK_SET))
		f = fdopen(fd, "r");
	if (fd >= 0 && !f)
		close(fd);
	free(packed);
	return f;
}

FILE *kernel_config_open(const char *release)
{
	static const char *const places[] = { "/boot/config-%s", "/lib/modules/%s/config" };
	FILE *f = NULL;

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]) && !f; i++) {
		char path[160];

		snprintf(path, sizeof(path), places[i], release);
		f = fopen(path, "re");
	}
	return f ?: packed_open();
}
