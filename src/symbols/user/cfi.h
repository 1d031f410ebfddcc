/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cfi.h - the call frame information of a file: where a function saved its caller's registers, for each address.
 *
 * Reads the section .eh_frame as described in the System V ABI and DWARF 5, section 6.4. It may come from any user:
 * memory stays in proportion to the section's size, whatever it contains, and the work of a lookup is bounded. This
 * file knows nothing about processes and files.
 */
#ifndef CORETAP_SYMBOLS_USER_CFI_H
#define CORETAP_SYMBOLS_USER_CFI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/user/dwarf_bytes.h"

struct cfi;

/* Registers by their DWARF numbers. Higher ones are ignored: no return address depends on them. */
enum { CFI_REGISTERS = 32 };

enum cfi_how {
	/* unchanged: the register still has the caller's value; also used if nothing is said about it */
	CFI_SAME,
	CFI_UNDEFINED,	/* the value is lost; for the return address: there is no caller */
	CFI_AT,		/* in memory at the frame's address + offset */
	CFI_VALUE,	/* the value is that address */
	CFI_REGISTER,	/* in another register; for the frame's address: that register + offset */
	CFI_AT_EXPR,	/* in memory at the address that an expression computes */
	CFI_VALUE_EXPR, /* the value is what the expression computes */
};

struct cfi_rule {
	enum cfi_how how;
	unsigned reg;
	int64_t offset;
	const uint8_t *expr; /* points into the section */
	size_t expr_size;    /* bytes */
};

struct cfi_row {
	/* how to compute the frame's address: CFI_REGISTER or CFI_VALUE_EXPR */
	struct cfi_rule frame;
	struct cfi_rule registers[CFI_REGISTERS];
	unsigned return_register; /* the number of the return address's column */
	/* the frame of a signal: its caller was interrupted and did not call */
	bool is_signal;
	/* arm64: the upper bits of the return address contain a signature */
	bool is_signed;
};

/* Reads .eh_frame, whose first byte is at `address` in terms of the file's program headers, or .debug_frame (is_debug), which
 * files without the former have with their debug information. Owns `bytes` (from malloc), even on failure. Returns 0 or
 * -ENOMEM. Skips damaged entries. */
int cfi_read(uint8_t *bytes, size_t size, uint64_t address, bool is_debug, struct cfi **out);
void cfi_free(struct cfi *c);
/* Returns the memory in use, in bytes; 0 for NULL. */
size_t cfi_size(const struct cfi *c);
/* Finds the row for an address. Returns 0; -ENOENT if no entry covers it; -EBADMSG if the entry is damaged. */
int cfi_find(const struct cfi *c, uint64_t address, struct cfi_row *row);

/* For tests: returns the range of addresses of entry i, sorted; false beyond the last one. */
bool cfi_range(const struct cfi *c, size_t i, uint64_t *start, uint64_t *size);

/* ---- only for cfi.c, which finds programs, and cfi_row.c, which runs them ---- */

/* A Common Information Entry: what several functions share. */
struct cfi_common {
	uint64_t code_step;
	int64_t data_step;
	unsigned return_register;
	uint8_t encoding; /* of addresses (enum in cfi.c) */
	bool has_size;	  /* augmentation data is preceded by its size */
	bool is_signal;
	struct dwarf_bytes program;
};

/* What is needed to compute the row for an address: the two programs and where to stop. */
struct cfi_program {
	const struct cfi_common *common;
	struct dwarf_bytes own;
	uint64_t start, address;
};

/* Runs both programs. Returns 0 or -EBADMSG. */
int cfi_run(const struct cfi_program *p, struct cfi_row *row);

#endif
