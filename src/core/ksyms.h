/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ksyms.h - the kernel's symbols by address and by name: /proc/kallsyms.
 *
 * The one table of the process, for there is one kernel: it is read at its first use, which costs
 * 200 to 500 ms (FACTS) and about 8 MB, and kept. What is loaded later (modules, BPF programs) is
 * not in it. Names are the table's and stay until the end.
 */
#ifndef CORETAP_KSYMS_H
#define CORETAP_KSYMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ksym {
	uint64_t address;
	const char *name;
	const char *module; /* "bpf" for programs; NULL: the kernel proper */
	char type;	    /* as nm(1): T, t, W, w are functions, more or less */
};

/* Reads the table unless that was done. Returns 0; -EPERM when the kernel hides all addresses from
 * us (names are known nevertheless); another -errno when it cannot be read. */
int ksyms_load(void);
/* What such an error means and what to do, for one line of a message. */
const char *ksyms_hint(int err);

/* The symbol that an address of the kernel lies in: its name, and how far in. *module is NULL for
 * the kernel proper; `offset` and `module` may be NULL. Returns NULL when none is known. */
const char *ksyms_name(uint64_t address, uint64_t *offset, const char **module);
/* Bytes from the beginning of the symbol that an address lies in to the next one; 0: none is known. */
uint64_t ksyms_size(uint64_t address);
/* The lowest address of that name, 0: there is none or it is hidden. *count, which may be NULL,
 * says how many symbols have the name. */
uint64_t ksyms_address(const char *name, size_t *count);
/* Functions of the kernel proper that have that name, in the kernel's order: their addresses (0: hidden),
 * up to `room` of them. Returns how many there are, which may be more. Reads the file without keeping the
 * table. */
size_t ksyms_functions(const char *name, uint64_t *addresses, size_t room);
/* Symbol i, by address: the kernel proper first, then modules. False behind the last one. */
bool ksyms_get(size_t i, struct ksym *s);

/* Reads another file in place of what there is; NULL: /proc/kallsyms again, for what was loaded
 * since. Results as ksyms_load's. All names handed out are gone. */
int ksyms_read(const char *path);

#endif
