/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * usdt.h - finds the probes that a program's author defined in it (USDT, sys/sdt.h): notes of an ELF file that any
 * user may have made.
 */
#ifndef CORETAP_SYMBOLS_USER_USDT_H
#define CORETAP_SYMBOLS_USER_USDT_H

#include <stddef.h>
#include <stdint.h>

/* One place of a probe. */
struct usdt {
	const char *provider, *name;
	const char *args;   /* describes each argument: "8@%rdi -4@-20(%rbp)" */
	uint64_t offset;    /* file offset of the instruction */
	uint64_t semaphore; /* file offset of the counter of tracers, or 0 */
};

struct usdt_notes {
	struct usdt *list; /* owned; sorted by provider, name and offset, each place once */
	size_t count;
	char **sections; /* owned: the texts point into these */
	size_t section_count;
};

/* Skips notes that contradict themselves. Returns 0 or an error of elf_file.h. The caller frees *notes in any case. */
int usdt_read(const char *path, struct usdt_notes *notes);
void usdt_free(struct usdt_notes *notes);
/* Returns how many places the probe has that begins at list[i]. */
size_t usdt_places(const struct usdt_notes *notes, size_t i);

#endif
