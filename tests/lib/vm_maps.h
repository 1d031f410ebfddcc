/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * vm_maps.h - the maps of a program on the simulated machine: arrays and hashes made as the program asks,
 * and what a program may do with each kind.
 */
#ifndef CORETAP_VM_MAPS_H
#define CORETAP_VM_MAPS_H

#include "bpf_vm.h"

bool vm_maps_make(struct vm *m, const struct expr_program *p);
void vm_maps_free(struct vm *m);
/* Several machines run one program at a time: of this kind they have one map. */
void vm_map_share(struct vm *m, struct vm *owner, enum expr_map_kind kind);
/* Every byte of its values. */
void vm_map_fill(struct vm *m, enum expr_map_kind kind, uint8_t byte);

/* The map that a register holds; NULL: it holds none. */
struct vm_map *vm_map_held(struct vm *m, size_t pc, int reg);
/* Where the only value of map number `map` lies. */
uint64_t vm_map_address(struct vm *m, size_t pc, uint32_t map);
/* `size` bytes inside of one value that is in use; NULL: they are not. */
const uint8_t *vm_key_bytes(const struct vm *m, uint64_t at, uint64_t size);
uint8_t *vm_map_bytes(const struct vm *m, uint64_t at, uint64_t size, bool to_write);

/* Helpers: r1 is the map, r2 the key. */
uint64_t vm_map_lookup(struct vm *m, size_t pc);
uint64_t vm_map_update(struct vm *m, size_t pc);
uint64_t vm_map_delete(struct vm *m, size_t pc);
/* r2: a function, r3: its last argument. */
uint64_t vm_map_for_each(struct vm *m, size_t pc);
/* r3: a processor; only VM_CPU has values. */
uint64_t vm_map_lookup_per_cpu(struct vm *m, size_t pc);
/* Value of the key in a script's map number `number`; NULL: none. */
void *vm_script_value(struct vm *m, unsigned number, const void *key);

#endif
