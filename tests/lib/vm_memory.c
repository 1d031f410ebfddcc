/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * vm_memory.c - registers and memory of the simulated machine (vm_memory.h).
 */
#include "vm_memory.h"

#include <string.h>

#include "vm_maps.h"

uint64_t vm_use(struct vm *m, size_t pc, int reg)
{
	if (!m->known[reg])
		vm_trouble(m, pc, "register read before it was written");
	return m->reg[reg];
}

void vm_set(struct vm *m, int reg, uint64_t value)
{
	m->reg[reg] = value;
	m->known[reg] = true;
}

void vm_region_add(struct vm *m, uint64_t at, void *bytes, size_t size)
{
	m->regions[m->region_count++] = (struct vm_region){ at, size, bytes };
}

/* NULL: it is not there. */
static const uint8_t *world_byte(const struct vm *m, uint64_t at)
{
	bool *marks;
	const uint8_t *own = vm_own((struct vm *)m, at, 1, &marks);

	if (own)
		return !marks || *marks ? own : NULL;
	for (unsigned r = 0; r < m->region_count; r++) {
		const struct vm_region *region = &m->regions[r];

		if (at >= region->at && at - region->at < region->size)
			return (const uint8_t *)region->bytes + (at - region->at);
	}
	if (vm_within(at, 1, VM_CTX_AT, sizeof(m->ctx)))
		return m->ctx + (at - VM_CTX_AT);
	return vm_key_bytes(m, at, 1) ?: vm_map_bytes(m, at, 1, false);
}

bool vm_read(const struct vm *m, uint64_t at, void *to, uint64_t size)
{
	uint8_t *bytes = to;

	for (uint64_t i = 0; i < size; i++) {
		const uint8_t *byte = world_byte(m, at + i);

		if (!byte)
			return false;
		bytes[i] = *byte;
	}
	return true;
}

uint8_t *vm_own(struct vm *m, uint64_t at, uint64_t size, bool **marks)
{
	*marks = NULL;
	for (unsigned i = 0; i <= m->depth; i++) {
		uint64_t stack = VM_STACK_AT + i * VM_STACK_STEP;

		if (vm_within(at, size, stack, sizeof(m->stack[i]))) {
			*marks = m->stack_known[i] + (at - stack);
			return m->stack[i] + (at - stack);
		}
	}
	if (m->record_size && !m->submitted && vm_within(at, size, VM_RING_AT, m->record_size)) {
		*marks = m->written + (at - VM_RING_AT);
		return m->record + (at - VM_RING_AT);
	}
	if (at == VM_COOKIE_AT && size == 8)
		return (uint8_t *)&m->cookie;
	return vm_map_bytes(m, at, size, true);
}

void vm_store(struct vm *m, size_t pc, uint64_t at, uint64_t value, uint64_t size)
{
	bool *marks;
	uint8_t *to = vm_own(m, at, size, &marks);

	if (!to) {
		vm_trouble(m, pc, "store outside of stack, record and maps");
		return;
	}
	if (at % size)
		vm_trouble(m, pc, "store that is not aligned");
	memcpy(to, &value, size);
	if (marks)
		memset(marks, true, size);
}

uint64_t vm_load(struct vm *m, size_t pc, int base, uint64_t at, uint64_t size)
{
	bool *marks;
	uint8_t *own = vm_own(m, at, size, &marks);
	uint64_t value = 0;

	if (own) {
		for (uint64_t i = 0; marks && i < size; i++)
			if (!marks[i])
				vm_trouble(m, pc, "own memory read before it was written");
		memcpy(&value, own, size);
	} else if (base == BPF_REG_10 || vm_within(at, 1, VM_RING_AT, VM_RECORD)) {
		vm_trouble(m, pc, "load outside of stack or record");
	} else if (vm_within(at, size, VM_CTX_AT, sizeof(m->ctx))) {
		memcpy(&value, m->ctx + (at - VM_CTX_AT), size);
	} else if (vm_within(at, 1, VM_CTX_AT, 4096)) {
		vm_trouble(m, pc, "load outside of the context");
	} else if (vm_key_bytes(m, at, size)) {
		memcpy(&value, vm_key_bytes(m, at, size), size);
	} else if ((int64_t)at >= 0 || !vm_read(m, at, &value, size)) {
		value = 0;
	}
	return value;
}
