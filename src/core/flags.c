// SPDX-License-Identifier: GPL-2.0
/*
 * flags.c - names of the bits that system calls take.
 *
 * The values are those of the machine this is built for: O_DIRECTORY, O_DIRECT and their kin differ
 * between x86 and arm64 (asm/fcntl.h).
 */
#include "core/flags.h"

#include <fcntl.h>
#include <linux/openat2.h>

#define BITS(name) { name, #name }

/* Some names hold others: they come first, and a bit that is explained is not explained again. */
const struct field_name flags_open[] = {
	{ O_RDONLY, "O_RDONLY", O_ACCMODE },
	{ O_WRONLY, "O_WRONLY", O_ACCMODE },
	{ O_RDWR, "O_RDWR", O_ACCMODE },
	{ O_ACCMODE, "O_ACCMODE", O_ACCMODE }, /* 3: permissions of both, neither read nor write */
	BITS(O_CREAT),
	BITS(O_EXCL),
	BITS(O_NOCTTY),
	BITS(O_TRUNC),
	BITS(O_APPEND),
	BITS(O_NONBLOCK),
	BITS(O_SYNC), /* with the bit of O_DSYNC */
	BITS(O_DSYNC),
	BITS(O_ASYNC),
	BITS(O_DIRECT),
	BITS(O_TMPFILE), /* with the bit of O_DIRECTORY */
	BITS(O_DIRECTORY),
	BITS(O_NOFOLLOW),
	BITS(O_NOATIME),
	BITS(O_CLOEXEC),
	BITS(O_PATH),
	{ 0x20, "FMODE_EXEC" }, /* the kernel's own, for exec: linux/fs.h */
	{ 0 },
};

const struct field_name flags_resolve[] = {
	BITS(RESOLVE_NO_XDEV),
	BITS(RESOLVE_NO_MAGICLINKS),
	BITS(RESOLVE_NO_SYMLINKS),
	BITS(RESOLVE_BENEATH),
	BITS(RESOLVE_IN_ROOT),
	BITS(RESOLVE_CACHED),
	{ 0 },
};

const struct field_name flags_dirfd[] = {
	{ (uint32_t)AT_FDCWD, "AT_FDCWD" },
	{ 0 },
};
