/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * user_debug.h - debug information of the file that was asked for last, and the types of its units as BTF on top of the
 * kernel's, built once for each, so that functions of a unit share types.
 */
#ifndef CORETAP_PROBE_PROVIDERS_USER_DEBUG_H
#define CORETAP_PROBE_PROVIDERS_USER_DEBUG_H

#include <sys/stat.h>

#include "symbols/user/dwarf_place.h"

struct elf_file;

struct user_unit {
	dev_t device;
	ino_t inode;
	uint32_t unit; /* its offset in .debug_info */
	struct dwarf_types types;
	struct btf_view *view;
	bool has_texts;
	struct user_unit *next;
};

/* Returns the types of a unit, if they have been read. `unit`: its offset. */
struct user_unit *user_unit_find(const struct stat *st, uint32_t unit);
/* Reads the types of a unit; they are kept until exit. Returns 0 or -errno. */
int user_unit_read(const struct btf_view *kernel, const struct stat *st,
		   const struct dwarf_unit *unit, struct user_unit **out);

/* Opens the debug information of a file, which is kept until another file is asked for. Returns 0, -ENODATA if there is
 * none, or another error. */
int user_debug_open(int fd, const struct elf_file *file, struct dwarf_info **info);
/* Returns how the frame's address is computed at an address, as the call frame information of that file tells. */
struct dwarf_frame user_debug_frame(int fd, uint64_t address);
/* Says what an error of these functions means, as a clause. */
const char *user_debug_reason(int err);

#endif
