/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cfi.h - the call frame information of a file: where the function at an address saved the registers of its caller.
 *
 * The section .eh_frame, as the System V ABI and DWARF 5, section 6.4, describe it. It may come from any user:
 * whatever it claims, memory stays in proportion to its bytes, and the work of a lookup is bounded. This file knows
 * nothing about processes and files.
 */
#ifndef CORETAP_SYMBOLS_USER_CFI_H
#define CORETAP_SYMBOLS_USER_CFI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/user/dwarf_bytes.h"

struct cfi;

/* By their numbers in DWARF; others are not kept: no return address depends on them. */
enum { CFI_REGISTERS = 32 };

enum cfi_how {
	CFI_SAME, /* the register has the caller's value, also where nothing is said about it */
	CFI_UNDEFINED,	/* the value is lost; of the return address: there is no caller */
	CFI_AT,		/* in memory at the frame's address + offset … */
	CFI_VALUE,	/* … or it is that address */
	CFI_REGISTER,	/* in another register; of the frame's address: that + offset */
	CFI_AT_EXPR,	/* in memory at the address that an expression computes … */
	CFI_VALUE_EXPR, /* … or it is what that computes */
};

struct cfi_rule {
	enum cfi_how how;
	unsigned reg;
	int64_t offset;
	const uint8_t *expr; /* inside of what was read … */
	size_t expr_size;    /* … bytes */
};

struct cfi_row {
	struct cfi_rule frame; /* the frame's address: CFI_REGISTER or CFI_VALUE_EXPR */
	struct cfi_rule registers[CFI_REGISTERS];
	unsigned return_register; /* the column of the return address */
	bool is_signal;		  /* a signal's: its caller was interrupted, and did not call */
	bool is_signed;		  /* arm64: the return address has a signature in its upper bits */
};

/* Reads a section whose first byte is at `address` in the file's own headers. Owns `bytes` (from malloc), also on
 * failure. Returns 0 or -ENOMEM. Skips damaged entries. */
int cfi_read(uint8_t *bytes, size_t size, uint64_t address, struct cfi **out);
void cfi_free(struct cfi *c);
/* The memory in use; 0 for NULL. */
size_t cfi_size(const struct cfi *c);
/* The row for an address: 0; -ENOENT: no entry is for it; -EBADMSG: that entry is damaged. */
int cfi_find(const struct cfi *c, uint64_t address, struct cfi_row *row);

/* For tests: the range of addresses of entry i, in their order; false: there are no more. */
bool cfi_range(const struct cfi *c, size_t i, uint64_t *start, uint64_t *size);

/* ---- only for cfi.c, which finds programs, and cfi_row.c, which runs them ---- */

/* A Common Information Entry: what several functions share. */
struct cfi_common {
	uint64_t code_step;
	int64_t data_step;
	unsigned return_register;
	uint8_t encoding; /* of addresses */
	bool has_size;	  /* augmentation data comes with its size */
	bool is_signal;
	struct dwarf_bytes program;
};

/* How to get from the start of a function to the row of an address. */
struct cfi_program {
	const struct cfi_common *common;
	struct dwarf_bytes own;
	uint64_t start, address;
};

/* Runs both programs: 0 or -EBADMSG. */
int cfi_run(const struct cfi_program *p, struct cfi_row *row);

#endif
