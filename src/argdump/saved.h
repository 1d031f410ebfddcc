/* SPDX-License-Identifier: GPL-2.0 */
/*
 * saved.h - probes in a file: expressions, not offsets, so that it means the same on every kernel.
 *
 *	# probes of coretap argdump
 *	--string 256
 *	vfs_read 'fs=file->f_inode->i_sb->s_type->name' --if 'count > 1'
 *	do_sys_openat2 filename
 *
 * A line is one PROBE with its expressions, and perhaps a condition of its own; or, beginning with --,
 * options for all.
 */
#ifndef CORETAP_ARGDUMP_SAVED_H
#define CORETAP_ARGDUMP_SAVED_H

#include "argdump/argdump.h"

/* Adds the requests of a file, and sets the options that it has (of `specs`, ended by name == NULL).
 * 0, or -errno, said. What it read stays until the end of the process. */
int saved_read(struct argdump *a, const char *path, const struct option_spec *specs);
/* Writes the requests, and those of `specs` that are set and `is_saved`. Returns the exit code. */
int saved_write(const struct argdump *a, const char *path, const struct option_spec *specs);

#endif
