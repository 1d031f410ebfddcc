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
 * A line is either one PROBE with its expressions and any options of its own (conditions, -r, what is
 * counted, by what), or options for all probes. docs/recipes.md has all of it.
 */
#ifndef CORETAP_FRONT_PROBE_FILE_H
#define CORETAP_FRONT_PROBE_FILE_H

#include "probe/argdump.h"

/* Puts the words of a->load before the arguments of the command line, and sets its options, but those
 * that the command line has set. Returns 0, or -errno after printing an error. The text stays
 * allocated until the process ends. */
int probe_file_read(struct argdump *a, struct session *s, int *argc, char ***argv);
/* Writes the requests, and the options that are set and have `is_saved`. Returns the exit code. */
int probe_file_write(const struct argdump *a, const char *path, struct session *s);

#endif
