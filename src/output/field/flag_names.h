/* SPDX-License-Identifier: GPL-2.0-only */
/* flag_names.h - names of the flags and numbers that system calls take, for FIELD_FLAGS and
 * FIELD_ENUM. */
#ifndef CORETAP_OUTPUT_FIELD_FLAG_NAMES_H
#define CORETAP_OUTPUT_FIELD_FLAG_NAMES_H

#include "output/field/record.h"

extern const struct field_name flags_open[];	/* O_… of open(2) */
extern const struct field_name flags_resolve[]; /* RESOLVE_… of openat2(2) */
extern const struct field_name flags_dirfd[];	/* AT_FDCWD as a 32-bit number */
extern const struct field_name flags_clone[];	/* CLONE_… of clone(2), and its exit signal */
extern const struct field_name flags_prot[];	/* PROT_… of mmap(2) */
extern const struct field_name flags_mmap[];	/* MAP_… of mmap(2) */
extern const struct field_name flags_msg[];	/* MSG_… of send(2) */
extern const struct field_name flags_gfp[];	/* for kernels whose BTF has none (before 6.9) */
extern const struct field_name flags_block[];	/* REQ_… of block requests, from bit 8 on */
extern const struct field_name
	flags_block_op[]; /* REQ_OP_… with the same number in all kernels, an enum */
extern const struct field_name flags_family[]; /* AF_…, an enum */
extern const struct field_name flags_signal[]; /* SIG…, an enum */

extern const struct field_name flags_cap[];	 /* CAP_…, an enum */
extern const struct field_name flags_mount[];	 /* MS_… of mount(2) */
extern const struct field_name flags_socktype[]; /* SOCK_… of socket(2): a kind and flags */
extern const struct field_name flags_proto[];	 /* IPPROTO_…, an enum */
extern const struct field_name flags_syscall[];	 /* native system calls by number, an enum */

/* The tables whose names are C constants; ends with NULL. */
extern const struct field_name *const flags_constants[];

#endif
