/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bpf_elf.h - unpacks the BPF objects inside the binary, and reads their sections.
 *
 * An object is an ELF file for BPF; the build compresses it to a fifth of its size (tools/pack-skel).
 */
#ifndef CORETAP_BTF_BPF_ELF_H
#define CORETAP_BTF_BPF_ELF_H

#include <stddef.h>

/* Unpacks an object of `size` bytes; the caller frees it. Returns NULL if the bytes are damaged, or out of memory. */
void *bpf_elf_unpack(const void *packed, size_t packed_size, size_t size);

/* Returns a section's bytes, which point into `elf`; NULL: no such section, or not a 64-bit ELF file. */
const void *bpf_elf_section(const void *elf, size_t size, const char *name, size_t *section_size);

#endif
