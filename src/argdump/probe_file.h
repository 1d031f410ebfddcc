/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * probe_file.h - probes in a file: expressions, not offsets, so that a file means the same on every
 * kernel.
 *
 *	# probes of coretap argdump
 *	--string 256
 *	vfs_read 'fs=file->f_inode->i_sb->s_type->name' --if 'count > 1'
 *	do_sys_openat2 filename
 *
 * A line is either one PROBE with its expressions and any conditions of its own, or options for all
 * probes, starting with --.
 */
#ifndef CORETAP_ARGDUMP_PROBE_FILE_H
#define CORETAP_ARGDUMP_PROBE_FILE_H

#include "argdump/argdump.h"

/* Adds the requests of a file and sets its options. Returns 0, or -errno after printing an error.
 * The text stays allocated until the process ends. */
int probe_file_read(struct argdump *a, const char *path, struct session *s);
/* Writes the requests, and the options that are set and have `is_saved`. Returns the exit code. */
int probe_file_write(const struct argdump *a, const char *path, struct session *s);

#endif
