/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dwarf_expr.h - computes an expression of DWARF, as far as call frames need them.
 */
#ifndef CORETAP_SYMBOLS_USER_DWARF_EXPR_H
#define CORETAP_SYMBOLS_USER_DWARF_EXPR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What an expression may refer to. */
struct dwarf_machine {
	/* a register by its number in DWARF; false: its value is not known */
	bool (*reg)(void *ctx, unsigned reg, uint64_t *value);
	/* 1 to 8 bytes of memory; false: they are not there */
	bool (*memory)(void *ctx, uint64_t address, size_t size, uint64_t *value);
	void *ctx;
};

/* `first` is on the stack before the expression; NULL: nothing is. False: the expression is damaged
 * or does not end, has an operation that frames do not use, or a value is not there. */
bool dwarf_expr(const uint8_t *expr, size_t size, const struct dwarf_machine *m,
		const uint64_t *first, uint64_t *result);

#endif
