/* SPDX-License-Identifier: GPL-2.0-only */
/* capture.h - private to syscalls/: what the programs capture of arguments. */
#ifndef CORETAP_SYSCALLS_CAPTURE_H
#define CORETAP_SYSCALLS_CAPTURE_H

#include "syscalls/table.h"

/* Returns how argument `i` of a call or a variant is captured. */
struct syscall_take capture_of(const struct call *c, unsigned i, unsigned abi,
			       const struct syscall_options *o);
/* Adds the pointers in the struct that argument `i` points to. */
void behind_collect(struct syssnoop_variant *out, const struct call *c, unsigned i, unsigned abi,
		    const struct syscall_options *o);
#endif
