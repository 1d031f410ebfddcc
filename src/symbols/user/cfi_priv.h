/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cfi_priv.h - what cfi.c finds, and cfi_row.c runs.
 */
#ifndef CORETAP_SYMBOLS_USER_CFI_PRIV_H
#define CORETAP_SYMBOLS_USER_CFI_PRIV_H

#include "symbols/user/cfi.h"
#include "symbols/user/dwarf_bytes.h"

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
