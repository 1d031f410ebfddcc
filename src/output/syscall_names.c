/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * syscall_names.c - numbers of system calls → names, for the architecture that this is built for.
 *
 * Most are from the build machine's <asm/unistd.h> (the Makefile makes syscalls.h of it). Those that it
 * may be too old for have the same number everywhere: Documentation/process/adding-syscalls.rst and
 * scripts/syscall.tbl of the kernel. Where the header has them, too, its row comes first.
 */
#include "output/flag_names.h"

const struct field_name flags_syscall[] = {
#include "syscalls.h"
	{ 451, "cachestat", 0 },	 { 452, "fchmodat2", 0 },
	{ 453, "map_shadow_stack", 0 },	 { 454, "futex_wake", 0 },
	{ 455, "futex_wait", 0 },	 { 456, "futex_requeue", 0 },
	{ 457, "statmount", 0 },	 { 458, "listmount", 0 },
	{ 459, "lsm_get_self_attr", 0 }, { 460, "lsm_set_self_attr", 0 },
	{ 461, "lsm_list_modules", 0 },	 { 462, "mseal", 0 },
	{ 463, "setxattrat", 0 },	 { 464, "getxattrat", 0 },
	{ 465, "listxattrat", 0 },	 { 466, "removexattrat", 0 },
	{ 467, "open_tree_attr", 0 },	 { 0 },
};
