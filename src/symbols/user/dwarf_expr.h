/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dwarf_expr.h - evaluates DWARF expressions, as far as call frames need them.
 */
#ifndef CORETAP_SYMBOLS_USER_DWARF_EXPR_H
#define CORETAP_SYMBOLS_USER_DWARF_EXPR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How an expression reads registers and memory. */
struct dwarf_machine {
	/* reads a register by its DWARF number; false: its value is unknown */
	bool (*reg)(void *ctx, unsigned reg, uint64_t *value);
	/* reads 1 to 8 bytes of memory; false: they are not available */
	bool (*memory)(void *ctx, uint64_t address, size_t size, uint64_t *value);
	void *ctx;
};

/* `first`, unless NULL, is on the stack before the expression runs. Returns false if the expression is damaged, runs
 * too long, uses an operation that frames do not need, or a value that is not available. */
bool dwarf_expr(const uint8_t *expr, size_t size, const struct dwarf_machine *m,
		const uint64_t *first, uint64_t *result);

#endif
