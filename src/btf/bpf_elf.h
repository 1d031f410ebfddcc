/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bpf_elf.h - the sections of a BPF object, which is an ELF file.
 */
#ifndef CORETAP_BTF_BPF_ELF_H
#define CORETAP_BTF_BPF_ELF_H

#include <stddef.h>

/* Returns a section's bytes, which point into `elf`; NULL: no such section, or not a 64-bit ELF file. */
const void *bpf_elf_section(const void *elf, size_t size, const char *name, size_t *section_size);

#endif
