/* SPDX-License-Identifier: GPL-2.0 */
/*
 * object.h - the BPF objects inside the program: packed, and what their sections hold.
 *
 * An object is an ELF file for BPF; the build compresses it to a fifth (tools/pack-skel).
 */
#ifndef CORETAP_OBJECT_H
#define CORETAP_OBJECT_H

#include <stddef.h>

/* Unpacks an object of `size` bytes; to be freed by the caller. NULL for damaged bytes or want of
 * memory. */
void *object_unpack(const void *packed, size_t packed_size, size_t size);

/* A section's bytes, which lie in `elf`. NULL: no such section, or no 64-bit ELF file. */
const void *object_section(const void *elf, size_t size, const char *name, size_t *section_size);

#endif
