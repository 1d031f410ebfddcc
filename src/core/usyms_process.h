/* SPDX-License-Identifier: GPL-2.0 */
/*
 * usyms_process.h - which file is mapped where, in which process. For usyms.c.
 */
#ifndef CORETAP_USYMS_PROCESS_H
#define CORETAP_USYMS_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One for each device, inode and name: kept to the end, for others may map it later. */
struct mapped_file {
	struct mapped_file *next;
	unsigned major, minor;
	uint64_t inode;
	char *path;		/* as who mapped it first saw it */
	const char *name;	/* its last part */
	struct usyms_elf *elf;	/* usyms.c's */
	bool tried;		/* what cannot be read is not tried again */
};

/* An executable one. */
struct mapping {
	uint64_t start, end;
	uint64_t offset; /* in the file, of start */
	struct mapped_file *file;
};

/* The mapping of an address, NULL: none; good until the next call. *gone: nothing at all is known
 * of the process. */
const struct mapping *process_mapping(uint32_t pid, uint64_t address, bool *gone);

#endif
