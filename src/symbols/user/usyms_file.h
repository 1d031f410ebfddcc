/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * usyms_file.h - the files that processes map, with their symbols. For usyms.c and usyms_maps.c.
 *
 * Their number, and the memory of all their symbols, are bounded: the least recently used go first.
 */
#ifndef CORETAP_SYMBOLS_USER_USYMS_FILE_H
#define CORETAP_SYMBOLS_USER_USYMS_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

struct mapping;

/* One for each device, inode and name. It is kept when nobody maps it any more, because it may be
 * mapped again. */
struct mapped_file {
	struct mapped_file *before, *next; /* used more recently, and less recently */
	struct mapped_file *alike;	   /* the next one in the same bucket */
	unsigned major, minor;
	uint64_t inode;
	char *path;	  /* as seen by the first process that mapped it */
	const char *name; /* its last part */
	bool forgotten;	  /* about to be freed: its mappings must be freed first */

	struct usyms_elf *elf; /* NULL: not available */
	struct stat stat;      /* when elf was read */
	bool tried;	       /* reading elf has been attempted */
	bool changed;	       /* its symbols differ from those read first */
	uint64_t look_ns;      /* not to be checked again before this time */
};

/* Finds the file with that name, or adds it; NULL: out of memory. */
struct mapped_file *file_get(unsigned major, unsigned minor, uint64_t inode, const char *path);
/* Returns true if there are too many, and marks the least recently used as forgotten. files_free_forgotten frees
 * these when nothing points at them. */
bool files_forget(void);
void files_free_forgotten(void);

/* The current symbols of a mapped file, read through process `pid`, which has the mapping; NULL:
 * not available. `now` is from now_ns (clock.h), and may be a little old. */
const struct usyms_elf *file_symbols(uint32_t pid, const struct mapping *m, uint64_t now);
/* From now on files are read with their call frame information, or with their source lines. */
void files_want_cfi(void);
void files_want_lines(void);

#endif
