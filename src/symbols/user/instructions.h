/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * instructions.h - finds where instructions begin. A breakpoint inside an instruction would change what the program
 * computes, and the kernel does not check that for user probes.
 */
#ifndef CORETAP_SYMBOLS_USER_INSTRUCTIONS_H
#define CORETAP_SYMBOLS_USER_INSTRUCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the length of the x86-64 instruction at `code`, of which `size` bytes are available; 0 if the bytes are no
 * known instruction. */
size_t instruction_length(const uint8_t *code, size_t size);

/* True if an instruction begins `offset` bytes after the file offset `start`, where one begins. Also true if that
 * cannot be known: for other architectures, and for bytes that cannot be read or decoded. */
bool instruction_begins(const char *path, uint64_t start, uint64_t offset);

#endif
