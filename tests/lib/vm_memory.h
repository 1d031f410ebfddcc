/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * vm_memory.h - registers and memory of the simulated machine: what is the program's own (stack, record,
 * values of maps), and what of the world is there.
 */
#ifndef CORETAP_VM_MEMORY_H
#define CORETAP_VM_MEMORY_H

#include "bpf_vm.h"

static inline bool vm_within(uint64_t at, uint64_t size, uint64_t base, uint64_t room)
{
	return size <= room && at - base <= room - size;
}

/* A register's value. */
uint64_t vm_use(struct vm *m, size_t pc, int reg);
void vm_set(struct vm *m, int reg, uint64_t value);

/* Kernel or user memory; false when any byte is not there. */
bool vm_read(const struct vm *m, uint64_t at, void *to, uint64_t size);
/* Bytes that the program may write, and for each, where that matters, whether it was written; NULL when
 * they are none of its own. */
uint8_t *vm_own(struct vm *m, uint64_t at, uint64_t size, bool **marks);
void vm_store(struct vm *m, size_t pc, uint64_t at, uint64_t value, uint64_t size);
/* `base` is the register that the address was made of. */
uint64_t vm_load(struct vm *m, size_t pc, int base, uint64_t at, uint64_t size);

#endif
