/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ksyms.h - the kernel's symbols by address and by name: /proc/kallsyms.
 *
 * The process has one table, because there is one kernel. It is read at its first use, which takes 200 to 500 ms and
 * about 8 MB, and stays in memory. Modules and BPF programs loaded later are missing. The table owns the names, which
 * stay valid until the end.
 */
#ifndef CORETAP_SYMBOLS_KERNEL_KSYMS_H
#define CORETAP_SYMBOLS_KERNEL_KSYMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ksym {
	uint64_t address;
	const char *name;
	const char *module; /* "bpf" for BPF programs; NULL: the kernel proper */
	char type;	    /* as in nm(1): T, t, W, w are mostly functions */
};

/* True if a symbol of that type may be a function. ksym_is_code is more precise. */
static inline bool ksym_type_is_code(char type)
{
	return type == 'T' || type == 't' || type == 'W' || type == 'w';
}

/* False for per-CPU offsets and absolute symbols, which the list also contains. */
static inline bool ksyms_address_is_kernel(uint64_t address)
{
	return address >> 63;
}

/* Reads the table unless it is in memory. Returns 0; -EPERM if the kernel hides all addresses from us (names are
 * still known); or another -errno if the file cannot be read. */
int ksyms_load(void);
/* Returns the meaning of an error of ksyms_load and what to do about it, for one line of a message. */
const char *ksyms_hint(int err);

/* Finds the symbol that contains a kernel address: returns its name, and sets the offset into it. *module is NULL for
 * the kernel proper; `offset` and `module` may be NULL. Returns NULL if no symbol is known. */
const char *ksyms_name(uint64_t address, uint64_t *offset, const char **module);
/* Returns the number of bytes from the start of the symbol that contains an address to the next symbol, or 0. */
uint64_t ksyms_size(uint64_t address);
/* Returns the lowest address of a symbol with that name; 0 if none is known, or addresses are hidden. Sets *count to
 * the number of symbols with the name; `count` may be NULL. */
uint64_t ksyms_address(const char *name, size_t *count);
/* Writes the addresses (0: hidden) of functions of the kernel proper with that name, in the kernel's order, up to
 * `room` of them. Returns how many exist, which may be more. Does not load the table. */
size_t ksyms_functions(const char *name, uint64_t *addresses, size_t room);
/* Finds the offsets of per-CPU variables at the beginning of the list (x86-64 before 6.15). Reads only that part of
 * the file; path NULL: /proc/kallsyms. Returns false unless all names are found and their addresses shown. */
bool ksyms_offsets(const char *path, const char *const *names, uint64_t *offsets, size_t count);
/* Returns symbol i, by address: the kernel proper first, then modules. False beyond the last one. */
bool ksyms_get(size_t i, struct ksym *s);

/* Opens the file for a later ksyms_load: the rights at that time decide whether the kernel hides the addresses. */
void ksyms_open(void);
/* Replaces the table by reading another file; path NULL: reads /proc/kallsyms again, to include what was loaded
 * since. Returns what ksyms_load does. All names returned before become invalid. */
int ksyms_read(const char *path);

/* ---- kinds of symbols ---- */

enum ksym_part {
	KSYM_TEXT,
	KSYM_DATA,
	KSYM_INIT, /* freed once the kernel has booted */
};
/* True if the symbol is a function. Call it for all symbols in the order of ksyms_get. *part is the state between
 * calls, initially KSYM_TEXT; after a call it is the part that contains the symbol. */
bool ksym_is_code(const struct ksym *s, enum ksym_part *part);
/* True for programs of other tracers, thunks and jumps of static calls, which are no kernel functions. */
bool ksym_is_foreign(const struct ksym *s);
/* True for a rarely executed part of a function that the compiler moved elsewhere. */
bool ksym_is_cold(const struct ksym *s);

#endif
