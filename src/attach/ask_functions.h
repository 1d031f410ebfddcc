/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ask_functions.h - asks the kernel about functions by name, without its lists, which take 160 to 500 ms to read.
 */
#ifndef CORETAP_ATTACH_ASK_FUNCTIONS_H
#define CORETAP_ATTACH_ASK_FUNCTIONS_H

#include "symbols/kernel/functions.h"

/* Sets the `answer` of each plain name. It stays FUNCTION_UNKNOWN where the kernel does not tell: its list does then. */
void functions_ask(struct function_pattern *patterns, size_t count);

/* Returns the address of a symbol; 0 if no symbol has the name, or addresses are hidden. Reads /proc/kallsyms only if the
 * kernel does not answer. Runs a program. */
uint64_t kernel_symbol_ask(const char *name);

/* The same for several, by one program for each 16, and without /proc/kallsyms. Names of 64 bytes or more have address 0.
 * Returns 0, or -errno if the kernel does not answer. */
int kernel_symbols_ask(const char *const *names, uint64_t *addresses, size_t count);

#endif
