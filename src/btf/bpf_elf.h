/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bpf_elf.h - the BPF objects inside the program: unpacking them, and reading their sections.
 *
 * An object is an ELF file for BPF; the build compresses it to a fifth of its size
 * (tools/pack-skel).
 */
#ifndef CORETAP_BTF_BPF_ELF_H
#define CORETAP_BTF_BPF_ELF_H

#include <stddef.h>

/* Unpacks an object of `size` bytes; the caller frees it. NULL if the bytes are damaged or memory
 * is short. */
void *bpf_elf_unpack(const void *packed, size_t packed_size, size_t size);

/* A section's bytes, inside `elf`. NULL: no such section, or not a 64-bit ELF file. */
const void *bpf_elf_section(const void *elf, size_t size, const char *name, size_t *section_size);

#endif
