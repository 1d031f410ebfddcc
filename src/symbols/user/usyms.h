/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * usyms.h - symbols of user programs: from addresses in a process to names, and from names in an ELF file to places
 * for probes.
 *
 * The maps of processes and the symbols of files are read at their first use and cached. Each file is cached once, by
 * device and inode, whoever maps it, and read again if it was written since. A process must be alive when its first
 * address is looked up, unless it is watched from its start. Processes and files may belong to any user: only the
 * mapped regular file itself is opened, and memory is bounded.
 */
#ifndef CORETAP_SYMBOLS_USER_USYMS_H
#define CORETAP_SYMBOLS_USER_USYMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/user/demangle.h"

struct usyms_place {
	/* the last component of the mapped file's path, or [vdso]; NULL: no file is mapped at the address, or the
	 * process has exited */
	const char *module;
	const char *
		/* the whole path, as seen by the first process that mapped the file; NULL in the same cases */
		path;
	/* offset in the function; without a name, the address in terms of the file's program headers (for addr2line);
	 * without a module, 0 */
	uint64_t offset;
	uint64_t in_file; /* the address in terms of those headers; 0: without a module */
	/* the last component of the source file's path, and the line; NULL: unknown or not wanted */
	const char *source;
	unsigned line;
	/* the file was written since it was first read: the name may be older or newer than the event */
	bool changed;
};

/* Finds the function at an address of process `pid`. Returns its name, or NULL if unknown. The texts are valid until
 * the next call. */
const char *usyms_name(uint32_t pid, uint64_t address, struct usyms_place *place);
/* Chooses how it names functions of C++ and Rust; DEMANGLE_SHORT unless called. */
void usyms_demangle(enum demangle_form form);
enum demangle_form usyms_form(void);

struct cfi;
/* From now on, call frame information is also read. Call it before the first lookup. */
void usyms_want_cfi(void);
/* The same for lines of source files. */
void usyms_want_lines(void);
/* The same for build ids. */
void usyms_want_ids(void);
/* Returns the build id of the file at an address of a process, in hexadecimal, and the offset in that file; or NULL.
 * Valid until the next call of these functions. */
const char *usyms_build_id(uint32_t pid, uint64_t address, uint64_t *offset);
/* Returns the call frame information of the file at an address of a process, and the address in terms of the file's
 * program headers; or NULL. Valid until the next call of these functions. */
const struct cfi *usyms_cfi(uint32_t pid, uint64_t address, uint64_t *in_file);

/* From now on, records mappings when processes create them, so that a process may have exited when it is looked up.
 * Returns 0, or -errno if not possible. */
int usyms_watch(void);
/* Sets two callbacks: for each file that is mapped for execution, with its path as the process sees it, and for each
 * new process. */
void usyms_mapped_notify(void (*mapped)(uint32_t pid, uint64_t inode, const char *path),
			 void (*forked)(uint32_t parent, uint32_t child));
/* Processes what was recorded, and reads the time. Call it before each stack, and often enough that nothing
 * overflows. Costs a check of each CPU's ring and a read of the clock. */
void usyms_poll(void);

/* Lookups may be long after the event, as of stacks that are counted. */
void usyms_late(void);

/* Disables lookups of processes: usyms_name finds nothing. */
void usyms_disable(void);

enum { USYM_LOCAL = 1 << 30 }; /* of the rank: no other file can call it */

/* A function of an ELF file. */
struct usym {
	const char *name; /* as in the table: '@' and a version may follow */
	uint64_t offset;  /* in the file, as uprobes expect it */
	uint64_t size;	  /* bytes, or 0 if unknown */
	bool indirect;	  /* an IFUNC: its code chooses the function to run */
	unsigned
		/* if several names share an address, the one with the lowest rank is the best known */
		rank;
};

/* Calls `visit` for each function of .symtab, then of .dynsym, until it returns true. The name is valid only during
 * the call. Returns 0 or an error of elf_file.h. */
int usyms_each(const char *path, bool (*visit)(void *ctx, const struct usym *s), void *ctx);
/* Finds a function by name, without its version. Returns 0, -ENOENT, or an error of usyms_each. Sets *size in bytes,
 * 0 if unknown; `size` may be NULL. */
int usyms_find(const char *path, const char *name, uint64_t *file_offset, uint64_t *size);
/* Reads the call frame information of a file; NULL: it has none, or is one of 32 bits. The caller frees it, even after
 * an error, by cfi_free. Returns 0 or an error of elf_file.h. With fd -1, the file is an image in memory. */
int usyms_cfi_read(int fd, const void *image, size_t size, struct cfi **out);
/* Finds any symbol, including data: its address wherever the file is run. Returns 0, -ENOENT, -EADDRNOTAVAIL if the
 * kernel chooses where to load the file (PIE), or an error of usyms_each. */
int usyms_object(const char *path, const char *name, uint64_t *address, uint64_t *size);

#endif
