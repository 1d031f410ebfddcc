/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * usdt_arg.h - converts arguments of a USDT probe from the note's text to expressions of argdump's language.
 */
#ifndef CORETAP_PROBE_USDT_ARG_H
#define CORETAP_PROBE_USDT_ARG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/arch.h"

enum { USDT_ARGS_MAX = 12, USDT_ARG_TEXT = 128 };

struct usdt_arg {
	char note[64]; /* as in the note, cut to fit */
	uint8_t size;  /* 1, 2, 4, 8 bytes */
	bool is_signed;
	/* an expression to be preceded by a cast to its type; empty: the probe cannot read it */
	char text[USDT_ARG_TEXT];
};

/* Parses "8@%rdi -4@-20(%rbp) 4@$5", or for arm64 "8@x0 -8@[sp, 16]". Returns how many there are, at most
 * USDT_ARGS_MAX. */
size_t usdt_args_parse(enum arch_id arch, const char *text, struct usdt_arg args[USDT_ARGS_MAX]);
/* Returns the type of an integer: "unsigned int". */
const char *usdt_type(unsigned size, bool is_signed);

#endif
