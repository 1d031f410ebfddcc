/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * usdt.h - probes that the author of a program defined in it (USDT, sys/sdt.h): notes of an ELF file that may come
 * from any user.
 */
#ifndef CORETAP_SYMBOLS_USER_USDT_H
#define CORETAP_SYMBOLS_USER_USDT_H

#include <stddef.h>
#include <stdint.h>

/* One place of a probe. */
struct usdt {
	const char *provider, *name;
	const char *args;   /* where each argument is: "8@%rdi -4@-20(%rbp)" */
	uint64_t offset;    /* of the instruction, in the file */
	uint64_t semaphore; /* of the counter of tracers, in the file, or 0 */
};

struct usdt_notes {
	struct usdt *list; /* owned; by provider, name and offset, each place once */
	size_t count;
	char **sections; /* owned: the texts point into them */
	size_t section_count;
};

/* A note that contradicts itself is passed over. Returns 0 or an error of elf_file.h; the caller frees
 * *notes in any case. */
int usdt_read(const char *path, struct usdt_notes *notes);
void usdt_free(struct usdt_notes *notes);
/* How many places the probe has that begins at list[i]. */
size_t usdt_places(const struct usdt_notes *notes, size_t i);

#endif
