/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * vm_helpers.h - the kernel functions that programs call on the simulated machine: a table of helpers, and
 * the kfuncs.
 */
#ifndef CORETAP_VM_HELPERS_H
#define CORETAP_VM_HELPERS_H

#include "bpf_vm.h"

/* The call instruction `i`; the result goes into r0. */
void vm_call(struct vm *m, size_t pc, const struct bpf_insn *i);

#endif
