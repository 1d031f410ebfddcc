/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * syscall_names.c - numbers of system calls → names, for the architecture that this is built for: the
 * Makefile makes syscalls.h of src/syscalls/numbers.tbl.
 */
#include "output/field/flag_names.h"

const struct field_name flags_syscall[] = {
#include "syscalls.h"
	{ 0 },
};
