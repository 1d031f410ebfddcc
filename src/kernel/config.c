/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * config.c - opens the running kernel's configuration: a file of its package, or of the kernel itself (CONFIG_IKCONFIG_PROC).
 */
#include "kernel/config.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "util/unpack.h"

enum { PACKED_MAX = 1 << 20 }; /* of Debian's, with 10,000 options, a tenth */

/* Returns the size of what was read, 0 if nothing was. */
static size_t file_read(const char *path, char *bytes, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t len = 0;
	ssize_t n = fd < 0 ? 0 : 1;

	while (n > 0 && len < size) {
		n = read(fd, bytes + len, size - len);
		len += n > 0 ? n : 0;
	}
	if (fd >= 0)
		close(fd);
	return len;
}

static FILE *packed_open(void)
{
	char *packed = malloc(PACKED_MAX);
	size_t size = packed ? file_read("/proc/config.gz", packed, PACKED_MAX) : 0;
	int fd = size ? memfd_create("config", MFD_CLOEXEC) : -1;
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
