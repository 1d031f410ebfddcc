/* SPDX-License-Identifier: GPL-2.0 */
/*
 * usyms_elf.h - the functions of one ELF file by their place in it. For usyms.c.
 */
#ifndef CORETAP_USYMS_ELF_H
#define CORETAP_USYMS_ELF_H

#include "core/usyms.h"

struct usyms_elf;

/* Reads a file, or an image in memory where fd is -1 (the vdso). Neither is needed afterwards.
 * Returns 0, -ENOEXEC or another -errno. */
int usyms_elf_read(int fd, const void *image, size_t size, struct usyms_elf **e);
void usyms_elf_free(struct usyms_elf *e);
/* The function at a place in the file, and how far in; NULL: none is known. */
const char *usyms_elf_name(const struct usyms_elf *e, uint64_t file_offset, uint64_t *offset);
/* The place as an address of the file's own headers. */
uint64_t usyms_elf_address(const struct usyms_elf *e, uint64_t file_offset);

#endif
