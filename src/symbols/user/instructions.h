/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * instructions.h - where instructions begin. A breakpoint inside of one changes what the program computes, and the kernel
 * does not check that for user probes.
 */
#ifndef CORETAP_SYMBOLS_USER_INSTRUCTIONS_H
#define CORETAP_SYMBOLS_USER_INSTRUCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The length of the x86-64 instruction at `code`, of which `size` bytes are there; 0: none is known of these bytes. */
size_t instruction_length(const uint8_t *code, size_t size);

/* Does an instruction begin `offset` bytes behind the file offset `start`, where one begins? True as well where that is not
 * known: of other processors, of bytes that cannot be read or decoded. */
bool instruction_begins(const char *path, uint64_t start, uint64_t offset);

#endif
