/* SPDX-License-Identifier: GPL-2.0-only */
/* caller.h - opensnoop --caller: the function of the program that has called open. */
#ifndef CORETAP_OPENSNOOP_CALLER_H
#define CORETAP_OPENSNOOP_CALLER_H

#include "output/field/field.h"
#include "opensnoop.h"

extern const struct field_kind caller_kind;

/* clang-format off */
#define CALLER_FIELD                                                                               \
	{ .name = "caller", .offset = sizeof(struct opensnoop_event),                              \
	  .size = sizeof(struct opensnoop_caller), .kind = &caller_kind, .width = 32,              \
	  .flags = FIELD_OPTIONAL,                                                                 \
	  .help = "with --caller: the function that called the C library's open, and its file; none for a thread of the kernel" }
/* clang-format on */

#endif
