/* SPDX-License-Identifier: GPL-2.0 */
/*
 * usyms.h - symbols of user programs: addresses of a process → names, and names in an ELF file →
 * where a probe goes.
 *
 * Maps of processes and symbols of files are read at their first use and kept, each file once, by
 * device and inode, whoever maps it. A process must still live when its first address is asked
 * for, unless it is watched from its beginning.
 */
#ifndef CORETAP_USYMS_H
#define CORETAP_USYMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The function that an address of process `pid` lies in: its name, NULL when none is known, and how
 * far in. *module is the last part of the mapped file's path, or [vdso]; NULL: no file is mapped
 * there, or the process is gone. Without a name *offset is the address as the file's own headers
 * count (what addr2line takes), without a module 0. Texts are good until the next call. */
const char *usyms_name(uint32_t pid, uint64_t address, uint64_t *offset, const char **module);

/* From now on remembers what processes map as they do it, so that they may be gone when asked for:
 * 0, or -errno where that is not to be had. */
int usyms_watch(void);
/* Takes note of what was watched: before each stack, and often enough that it does not overflow.
 * Costs a look at each processor's ring. */
void usyms_poll(void);

/* A function of an ELF file. */
struct usym {
	const char *name; /* as in the table: a version may follow behind an @ */
	uint64_t offset;  /* in the file, as uprobes count */
	uint64_t size;	  /* bytes; 0: the file does not say */
	bool indirect;	  /* an IFUNC: what stands there chooses the function to run */
	unsigned rank;	  /* of several names of one address the least is best known */
};

/* Calls `visit` for each function of .symtab, then of .dynsym, until it returns true. Returns 0,
 * -ENOEXEC for what is no ELF file, or another -errno. The name is gone after the call. */
int usyms_each(const char *path, bool (*visit)(void *ctx, const struct usym *s), void *ctx);
/* Finds a function by name, without its version: 0, -ENOENT, or what usyms_each returns. */
int usyms_find(const char *path, const char *name, uint64_t *file_offset);

#endif
