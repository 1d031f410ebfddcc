/* SPDX-License-Identifier: GPL-2.0 */
/*
 * machine.h - runs what the argdump compiler makes, without a kernel: the instructions that emit.c
 * emits, the helpers they call, and memory that is there only where a test puts it.
 *
 * It is strict where the verifier is: a register or a stack byte is read only after it was written,
 * a call loses r1 to r5; record, stack and context are touched only inside. `trouble` tells the
 * first offence. A typed load of memory that is not there gives 0, as in the kernel.
 */
#ifndef CORETAP_MACHINE_H
#define CORETAP_MACHINE_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <linux/bpf.h>

#include "event.h"

enum {
	/* fds */
	MACHINE_RING = 1, MACHINE_LOSSES, MACHINE_FOLLOWED, MACHINE_CGROUPS,
	MACHINE_TEXT, /* a string, for patterns */
	MACHINE_COUNTS, MACHINE_SWITCH, MACHINE_BLANK, MACHINE_SCRATCH, /* of calls that are counted */
	MACHINE_CALLS, MACHINE_PLACES, /* calls under way: a hash, an array */
	MACHINE_KEPT = 4,		/* calls under way at most */
	MACHINE_KEPT_SIZE = 4096,
	/* kfuncs, beside cast_id */
	MACHINE_IS_RETURN = 9001, MACHINE_COOKIE,
	MACHINE_TABLE = 32, /* + number: a pattern's table */
	MACHINE_REGIONS = 16,
	MACHINE_RECORD = 32768,
	MACHINE_ENTRIES = 8, MACHINE_WORDS = 512,
};

#define MACHINE_STACK 0xffffc90000010000ull /* its lowest byte; r10 is 512 above */
#define MACHINE_CTX 0xffffc90000020000ull
#define MACHINE_RING_AT 0xffffc90000030008ull
#define MACHINE_VALUE_AT 0xffff888000050000ull
#define MACHINE_TEXT_AT 0xffff888000058000ull
#define MACHINE_TABLE_AT 0xffff888020000000ull /* + 64 KiB each */
#define MACHINE_SCRATCH_AT 0xffff88800005a000ull
#define MACHINE_COUNTS_AT 0xffff888030000000ull /* + 4 KiB for each entry */
#define MACHINE_BLANK_AT 0xffff888040000000ull
#define MACHINE_CALLS_AT 0xffff888000070000ull /* MACHINE_KEPT_SIZE bytes each */
#define MACHINE_PLACES_AT 0xffff888050000000ull
#define MACHINE_COOKIE_AT 0xffffc90000040000ull
#define MACHINE_TASK 0xffff888000060000ull
#define MACHINE_MAP 0xffff888100000000ull /* + fd: a map as a register holds it */

struct machine_region {
	uint64_t at;
	size_t size;
	void *bytes;
};

struct machine {
	struct machine_region regions[MACHINE_REGIONS]; /* kernel and user memory */
	unsigned region_count;
	uint8_t ctx[512];
	uint64_t pid_tgid, uid_gid, now, returned;
	bool followed, in_cgroup, ring_full, probe_read_forbidden;
	uint64_t queued;
	int cast_id;

	_Alignas(8) uint8_t record[MACHINE_RECORD];
	bool written[MACHINE_RECORD];
	uint64_t record_size; /* of the reservation; 0: none */
	bool submitted;
	uint64_t submit_flags;
	uint64_t losses[LOSS_MAX];
	unsigned steps, calls;
	char trouble[160];

	uint64_t reg[11];
	bool known[11];
	uint8_t stack[512];
	bool stack_known[512];
	uint8_t text[1024];
	uint8_t scratch[1024];
	struct machine_entry {
		uint8_t key[512];
		uint64_t words[MACHINE_WORDS];
	} entries[MACHINE_ENTRIES];
	unsigned entry_count, entry_room, key_size; /* key_size 0: an array of entry_count */
	uint8_t kept[MACHINE_KEPT][MACHINE_KEPT_SIZE];
	uint64_t kept_keys[MACHINE_KEPT]; /* 0: free */
	uint32_t kept_size, places_size;
	uint8_t *places;
	uint64_t cookie;
	bool is_return;
	uint64_t value; /* what map_lookup_elem found */
	int value_of;
};

static inline void machine_trouble(struct machine *m, size_t pc, const char *what)
{
	if (!*m->trouble)
		snprintf(m->trouble, sizeof(m->trouble), "instruction %zu: %s", pc, what);
}

static inline void machine_map(struct machine *m, uint64_t at, void *bytes, size_t size)
{
	m->regions[m->region_count++] = (struct machine_region){ at, size, bytes };
}

/* Kernel or user memory; false when any byte is not there. Regions may touch. */
static inline bool machine_read(const struct machine *m, uint64_t at, void *to, uint64_t size)
{
	uint8_t *bytes = to;

	for (uint64_t i = 0; i < size; i++) {
		bool there = false;

		for (unsigned r = 0; r < m->region_count && !there; r++) {
			const struct machine_region *region = &m->regions[r];

			there = at + i >= region->at && at + i - region->at < region->size;
			if (there)
				bytes[i] = ((uint8_t *)region->bytes)[at + i - region->at];
		}
		if (!there)
			return false;
	}
	return true;
}

static inline uint64_t machine_use(struct machine *m, size_t pc, int reg)
{
	if (!m->known[reg])
		machine_trouble(m, pc, "register read before it was written");
	return m->reg[reg];
}

static inline void machine_set(struct machine *m, int reg, uint64_t value)
{
	m->reg[reg] = value;
	m->known[reg] = true;
}

/* ---- memory that belongs to the program ---- */

static inline bool machine_within(uint64_t at, uint64_t size, uint64_t base, uint64_t room)
{
	return size <= room && at - base <= room - size;
}

/* Bytes the program may write; NULL when they are none of its own. */
static inline uint8_t *machine_own(struct machine *m, uint64_t at, uint64_t size, bool **marks)
{
	*marks = NULL;
	if (machine_within(at, size, MACHINE_STACK, sizeof(m->stack))) {
		*marks = m->stack_known + (at - MACHINE_STACK);
		return m->stack + (at - MACHINE_STACK);
	}
	if (m->record_size && !m->submitted &&
	    machine_within(at, size, MACHINE_RING_AT, m->record_size)) {
		*marks = m->written + (at - MACHINE_RING_AT);
		return m->record + (at - MACHINE_RING_AT);
	}
	if (at == MACHINE_VALUE_AT && size <= 8)
		return (uint8_t *)&m->value;
	if (machine_within(at, size, MACHINE_CALLS_AT, sizeof(m->kept)))
		return m->kept[0] + (at - MACHINE_CALLS_AT);
	if (machine_within(at, size, MACHINE_PLACES_AT, m->places_size))
		return m->places + (at - MACHINE_PLACES_AT);
	if (at == MACHINE_COOKIE_AT && size == 8)
		return (uint8_t *)&m->cookie;
	if (machine_within(at, size, MACHINE_TEXT_AT, sizeof(m->text)))
		return m->text + (at - MACHINE_TEXT_AT);
	if (machine_within(at, size, MACHINE_SCRATCH_AT, sizeof(m->scratch)))
		return m->scratch + (at - MACHINE_SCRATCH_AT);
	if (machine_within(at, size, MACHINE_COUNTS_AT, 4096ull * m->entry_count))
		return (uint8_t *)m->entries[(at - MACHINE_COUNTS_AT) / 4096].words +
		       (at - MACHINE_COUNTS_AT) % 4096;
	return NULL;
}

static inline void machine_store(struct machine *m, size_t pc, uint64_t at, uint64_t value,
				 uint64_t size)
{
	bool *marks;
	uint8_t *to = machine_own(m, at, size, &marks);

	if (!to) {
		machine_trouble(m, pc, "store outside of stack and record");
		return;
	}
	if (at % size)
		machine_trouble(m, pc, "store that is not aligned");
	memcpy(to, &value, size);
	if (marks)
		memset(marks, true, size);
	if (at == MACHINE_VALUE_AT)
		m->losses[m->value_of] = m->value;
}

static inline uint64_t machine_load(struct machine *m, size_t pc, int base, uint64_t at,
				    uint64_t size)
{
	bool *marks;
	uint8_t *own = machine_own(m, at, size, &marks);
	uint64_t value = 0;

	if (own) {
		for (uint64_t i = 0; marks && i < size; i++)
			if (!marks[i])
				machine_trouble(m, pc, "own memory read before it was written");
		memcpy(&value, own, size);
	} else if (base == BPF_REG_10 || machine_within(at, 1, MACHINE_RING_AT, MACHINE_RECORD)) {
		machine_trouble(m, pc, "load outside of stack or record");
	} else if (machine_within(at, size, MACHINE_CTX, sizeof(m->ctx))) {
		memcpy(&value, m->ctx + (at - MACHINE_CTX), size);
	} else if (machine_within(at, 1, MACHINE_CTX, 4096)) {
		machine_trouble(m, pc, "load outside of the context");
	} else if ((int64_t)at >= 0 || !machine_read(m, at, &value, size)) {
		value = 0;
	}
	return value;
}

/* ---- helpers ---- */

static inline uint8_t *machine_arg_memory(struct machine *m, size_t pc, int reg, uint64_t size)
{
	bool *marks;
	uint8_t *to = machine_own(m, machine_use(m, pc, reg), size, &marks);

	if (!to)
		machine_trouble(m, pc, "a helper would write outside of stack and record");
	else if (marks)
		memset(marks, true, size);
	return to;
}

static inline uint64_t machine_probe_read(struct machine *m, size_t pc, bool user)
{
	uint64_t size = machine_use(m, pc, 2), from = machine_use(m, pc, 3);
	uint8_t *to = machine_arg_memory(m, pc, 1, size);
	bool *marks;

	if (!user && m->probe_read_forbidden)
		machine_trouble(m, pc, "probe_read_kernel under lockdown");
	if (!to)
		return -EFAULT;
	if (machine_within(from, size, MACHINE_CTX, sizeof(m->ctx))) {
		memcpy(to, m->ctx + (from - MACHINE_CTX), size);
		return 0;
	}
	if (machine_within(from, size, MACHINE_CALLS_AT, sizeof(m->kept)) ||
	    machine_within(from, size, MACHINE_PLACES_AT, m->places_size)) {
		memcpy(to, machine_own(m, from, size, &marks), size);
		return 0;
	}
	if (user == ((int64_t)from >= 0) && machine_read(m, from, to, size))
		return 0;
	memset(to, 0, size);
	return -EFAULT;
}

static inline uint64_t machine_probe_read_str(struct machine *m, size_t pc, bool user)
{
	uint64_t size = machine_use(m, pc, 2), from = machine_use(m, pc, 3);
	uint8_t *to = machine_arg_memory(m, pc, 1, size);

	if (!user && m->probe_read_forbidden)
		machine_trouble(m, pc, "probe_read_kernel_str under lockdown");
	if (!to || user != ((int64_t)from >= 0))
		return -EFAULT;
	for (uint64_t i = 0; i < size; i++) {
		if (i == size - 1)
			to[i] = 0;
		else if (!machine_read(m, from + i, to + i, 1))
			return -EFAULT;
		if (!to[i])
			return i + 1;
	}
	return size;
}

/* ---- calls that are counted ---- */

/* The key that r2 points at: all of it was written. */
static inline void machine_key(struct machine *m, size_t pc, uint8_t *key)
{
	bool *marks;
	uint8_t *from = machine_own(m, machine_use(m, pc, 2), m->key_size, &marks);

	if (!from) {
		machine_trouble(m, pc, "a key that is none of its own");
		return;
	}
	for (unsigned i = 0; marks && i < m->key_size; i++)
		if (!marks[i])
			machine_trouble(m, pc, "a key's byte was not written");
	memcpy(key, from, m->key_size);
}

static inline uint64_t machine_entry(struct machine *m, size_t pc)
{
	uint8_t key[512];

	if (!m->key_size) {
		uint64_t i = machine_load(m, pc, BPF_REG_10, machine_use(m, pc, 2), 4);

		return i < m->entry_count ? MACHINE_COUNTS_AT + 4096 * i : 0;
	}
	machine_key(m, pc, key);
	for (unsigned i = 0; i < m->entry_count; i++)
		if (!memcmp(m->entries[i].key, key, m->key_size))
			return MACHINE_COUNTS_AT + 4096ull * i;
	return 0;
}

/* ---- calls under way ---- */

/* The place of a call under way, or of a free one for key 0; MACHINE_KEPT: none. */
static inline unsigned machine_kept(const struct machine *m, uint64_t key)
{
	unsigned i = 0;

	while (i < MACHINE_KEPT && m->kept_keys[i] != key)
		i++;
	return i;
}

static inline uint64_t machine_call_key(struct machine *m, size_t pc)
{
	if (machine_use(m, pc, 1) != MACHINE_MAP + MACHINE_CALLS)
		machine_trouble(m, pc, "update or delete in a wrong map");
	return machine_load(m, pc, BPF_REG_10, machine_use(m, pc, 2), 8);
}

/* A call's value: what it is copied from is any call's, so it may be any bytes. */
static inline uint64_t machine_keep(struct machine *m, size_t pc)
{
	uint64_t key = machine_call_key(m, pc), from = machine_use(m, pc, 3);
	unsigned i = machine_kept(m, key);

	if (i == MACHINE_KEPT)
		i = machine_kept(m, 0);
	if (i == MACHINE_KEPT)
		return -E2BIG;
	m->kept_keys[i] = key;
	if (from != MACHINE_PLACES_AT || m->kept_size > m->places_size)
		machine_trouble(m, pc, "an entry made of a wrong place");
	memset(m->kept[i], 0xee, m->kept_size);
	return 0;
}

static inline uint64_t machine_delete(struct machine *m, size_t pc)
{
	unsigned i = machine_kept(m, machine_call_key(m, pc));

	if (i < MACHINE_KEPT)
		m->kept_keys[i] = 0;
	return i < MACHINE_KEPT ? 0 : -ENOENT;
}

static inline uint64_t machine_update(struct machine *m, size_t pc)
{
	if (machine_use(m, pc, 1) == MACHINE_MAP + MACHINE_CALLS)
		return machine_keep(m, pc);
	if (machine_use(m, pc, 1) != MACHINE_MAP + MACHINE_COUNTS || !m->key_size ||
	    machine_use(m, pc, 3) != MACHINE_BLANK_AT || machine_use(m, pc, 4) != BPF_NOEXIST)
		machine_trouble(m, pc, "an update that cannot be");
	if (machine_entry(m, pc))
		return -EEXIST;
	if (m->entry_count == m->entry_room)
		return -E2BIG;
	machine_key(m, pc, m->entries[m->entry_count].key);
	memset(m->entries[m->entry_count++].words, 0, sizeof(m->entries[0].words));
	return 0;
}

static inline uint64_t machine_lookup(struct machine *m, size_t pc)
{
	uint64_t map = machine_use(m, pc, 1) - MACHINE_MAP, key;

	if (map == MACHINE_CALLS) {
		unsigned i = machine_kept(m, machine_call_key(m, pc));

		return i < MACHINE_KEPT ? MACHINE_CALLS_AT + i * MACHINE_KEPT_SIZE : 0;
	}
	if (map == MACHINE_COUNTS)
		return machine_entry(m, pc);
	key = machine_load(m, pc, BPF_REG_10, machine_use(m, pc, 2), 4);
	if (map == MACHINE_SWITCH)
		return key ? 0 : MACHINE_MAP + MACHINE_COUNTS;
	if (map == MACHINE_SCRATCH)
		return key ? 0 : MACHINE_SCRATCH_AT;
	if (map == MACHINE_TEXT)
		return MACHINE_TEXT_AT;
	if (map == MACHINE_FOLLOWED)
		return m->followed && key == m->pid_tgid >> 32 ? MACHINE_VALUE_AT : 0;
	if (map != MACHINE_LOSSES || key >= LOSS_MAX) {
		machine_trouble(m, pc, "lookup in a wrong map or of a wrong key");
		return 0;
	}
	m->value_of = key;
	m->value = m->losses[key];
	return MACHINE_VALUE_AT;
}

static inline uint64_t machine_reserve(struct machine *m, size_t pc)
{
	uint64_t size = machine_use(m, pc, 2);

	if (machine_use(m, pc, 1) != MACHINE_MAP + MACHINE_RING || size > MACHINE_RECORD || size % 8)
		machine_trouble(m, pc, "a reservation that cannot be");
	if (m->ring_full)
		return 0;
	m->record_size = size;
	return MACHINE_RING_AT;
}

static inline uint64_t machine_submit(struct machine *m, size_t pc)
{
	if (!m->record_size || m->submitted || machine_use(m, pc, 1) != MACHINE_RING_AT)
		machine_trouble(m, pc, "submit of no record");
	m->submitted = true;
	m->submit_flags = machine_use(m, pc, 2);
	return 0;
}

static inline uint64_t machine_comm(struct machine *m, size_t pc)
{
	uint8_t *to = machine_arg_memory(m, pc, 1, machine_use(m, pc, 2));

	if (to)
		machine_read(m, MACHINE_TASK + 16, to, 16);
	return 0;
}

static inline uint64_t machine_func_arg(struct machine *m, size_t pc)
{
	uint8_t *to = machine_arg_memory(m, pc, 3, 8);

	if (machine_use(m, pc, 1) != MACHINE_CTX)
		machine_trouble(m, pc, "get_func_arg without the context");
	if (to)
		memcpy(to, m->ctx + 8 * machine_use(m, pc, 2), 8);
	return 0;
}

static inline uint64_t machine_func_ret(struct machine *m, size_t pc)
{
	uint8_t *to = machine_arg_memory(m, pc, 2, 8);

	if (machine_use(m, pc, 1) != MACHINE_CTX)
		machine_trouble(m, pc, "get_func_ret without the context");
	if (to)
		memcpy(to, &m->returned, 8);
	return 0;
}

static inline uint64_t machine_helper(struct machine *m, size_t pc, int helper)
{
	switch (helper) {
	case 1: return machine_lookup(m, pc);
	case 2: return machine_update(m, pc);
	case 3: return machine_delete(m, pc);
	case 5: return m->now;
	case 8: return 3;
	case 14: return m->pid_tgid;
	case 15: return m->uid_gid;
	case 16: return machine_comm(m, pc);
	case 35: case 158: return MACHINE_TASK;
	case 37: return m->in_cgroup;
	case 80: return 4711;
	case 112: return machine_probe_read(m, pc, true);
	case 113: return machine_probe_read(m, pc, false);
	case 114: return machine_probe_read_str(m, pc, true);
	case 115: return machine_probe_read_str(m, pc, false);
	case 131: return machine_reserve(m, pc);
	case 132: return machine_submit(m, pc);
	case 134: return m->queued;
	case 183: return machine_func_arg(m, pc);
	case 184: return machine_func_ret(m, pc);
	}
	machine_trouble(m, pc, "unknown helper");
	return 0;
}

static inline void machine_call(struct machine *m, size_t pc, const struct bpf_insn *i)
{
	uint64_t result;

	if (i->src_reg == BPF_PSEUDO_KFUNC_CALL &&
	    (i->imm == MACHINE_IS_RETURN || i->imm == MACHINE_COOKIE)) {
		if (machine_use(m, pc, 1) != MACHINE_CTX)
			machine_trouble(m, pc, "a session without its context");
		result = i->imm == MACHINE_COOKIE ? MACHINE_COOKIE_AT : m->is_return;
	} else if (i->src_reg == BPF_PSEUDO_KFUNC_CALL) {
		if (i->imm != m->cast_id)
			machine_trouble(m, pc, "unknown kfunc");
		machine_use(m, pc, 2);
		result = machine_use(m, pc, 1);
	} else {
		result = machine_helper(m, pc, i->imm);
	}
	m->calls++;
	memset(m->known + 1, 0, 5);
	machine_set(m, 0, result);
}

/* ---- instructions ---- */

static inline uint64_t machine_alu_op(struct machine *m, size_t pc, int op, uint64_t a, uint64_t b)
{
	switch (op) {
	case BPF_ADD: return a + b;
	case BPF_SUB: return a - b;
	case BPF_AND: return a & b;
	case BPF_XOR: return a ^ b;
	case BPF_OR: return a | b;
	case BPF_MUL: return a * b;
	case BPF_DIV: return b ? a / b : 0;
	case BPF_MOD: return b ? a % b : a;
	case BPF_MOV: return b;
	case BPF_NEG: return -a;
	case BPF_LSH: case BPF_RSH: case BPF_ARSH:
		if (b > 63)
			machine_trouble(m, pc, "a shift that is too far");
		b &= 63;
		return op == BPF_LSH ? a << b : op == BPF_RSH ? a >> b : (uint64_t)((int64_t)a >> b);
	}
	machine_trouble(m, pc, "unknown operation");
	return 0;
}

static inline void machine_alu(struct machine *m, size_t pc, const struct bpf_insn *i)
{
	int op = BPF_OP(i->code);
	uint64_t a = op == BPF_MOV ? 0 : machine_use(m, pc, i->dst_reg), b, result;

	b = op == BPF_NEG	     ? 0 :
	    BPF_SRC(i->code) == BPF_X ? machine_use(m, pc, i->src_reg) :
					(uint64_t)(int64_t)i->imm;
	if (i->dst_reg == BPF_REG_10)
		machine_trouble(m, pc, "r10 is written");
	result = machine_alu_op(m, pc, op, a, b);
	machine_set(m, i->dst_reg, BPF_CLASS(i->code) == BPF_ALU ? (uint32_t)result : result);
}

static inline bool machine_jumps(struct machine *m, size_t pc, const struct bpf_insn *i)
{
	uint64_t a = machine_use(m, pc, i->dst_reg), b = (uint64_t)(int64_t)i->imm;

	if (BPF_SRC(i->code) == BPF_X)
		b = machine_use(m, pc, i->src_reg);
	if (BPF_CLASS(i->code) == BPF_JMP32) {
		a = (uint32_t)a;
		b = (uint32_t)b;
	}
	switch (BPF_OP(i->code)) {
	case BPF_JEQ: return a == b;
	case BPF_JNE: return a != b;
	case BPF_JLT: return a < b;
	case BPF_JGE: return a >= b;
	case BPF_JLE: return a <= b;
	case BPF_JGT: return a > b;
	case BPF_JSLE: return (int64_t)a <= (int64_t)b;
	case BPF_JSET: return a & b;
	case BPF_JSGT: return (int64_t)a > (int64_t)b;
	case BPF_JSGE: return (int64_t)a >= (int64_t)b;
	case BPF_JSLT: return (int64_t)a < (int64_t)b;
	}
	machine_trouble(m, pc, "unknown jump");
	return false;
}

static inline uint64_t machine_wide(const struct bpf_insn *i)
{
	if (i->src_reg == BPF_PSEUDO_MAP_FD)
		return MACHINE_MAP + i->imm;
	if (i->src_reg == BPF_PSEUDO_MAP_VALUE && i->imm >= MACHINE_TABLE)
		return MACHINE_TABLE_AT + 65536ull * (i->imm - MACHINE_TABLE);
	if (i->src_reg == BPF_PSEUDO_MAP_VALUE && i->imm == MACHINE_BLANK)
		return MACHINE_BLANK_AT;
	if (i->src_reg == BPF_PSEUDO_MAP_VALUE && i->imm == MACHINE_PLACES)
		return MACHINE_PLACES_AT;
	return (uint64_t)(uint32_t)i[1].imm << 32 | (uint32_t)i->imm;
}

static inline uint64_t machine_size(const struct bpf_insn *i)
{
	static const uint8_t sizes[] = { 4, 2, 1, 8 };

	return sizes[BPF_SIZE(i->code) >> 3];
}

/* An addition, to a map's memory; where it fetches what was there, that takes the source's place. */
static inline void machine_atomic(struct machine *m, size_t pc, const struct bpf_insn *i)
{
	uint64_t at = machine_use(m, pc, i->dst_reg) + i->off, add = machine_use(m, pc, i->src_reg);
	uint64_t before = machine_load(m, pc, i->dst_reg, at, 8);

	if ((i->imm & ~BPF_FETCH) != BPF_ADD || BPF_SIZE(i->code) != BPF_DW ||
	    !machine_within(at, 8, MACHINE_PLACES_AT, m->places_size))
		machine_trouble(m, pc, "an atomic operation that cannot be");
	machine_store(m, pc, at, before + add, 8);
	if (i->imm & BPF_FETCH)
		machine_set(m, i->src_reg, before);
}

/* One instruction; returns the next one's index. */
static inline size_t machine_step(struct machine *m, size_t pc, const struct bpf_insn *i)
{
	switch (BPF_CLASS(i->code)) {
	case BPF_ALU: case BPF_ALU64:
		machine_alu(m, pc, i);
		return pc + 1;
	case BPF_LD:
		machine_set(m, i->dst_reg, machine_wide(i));
		return pc + 2;
	case BPF_LDX:
		machine_set(m, i->dst_reg,
			    machine_load(m, pc, i->src_reg, machine_use(m, pc, i->src_reg) + i->off,
					 machine_size(i)));
		return pc + 1;
	case BPF_STX:
		if (BPF_MODE(i->code) == BPF_ATOMIC) {
			machine_atomic(m, pc, i);
			return pc + 1;
		}
		machine_store(m, pc, machine_use(m, pc, i->dst_reg) + i->off,
			      machine_use(m, pc, i->src_reg), machine_size(i));
		return pc + 1;
	case BPF_ST:
		machine_store(m, pc, machine_use(m, pc, i->dst_reg) + i->off, (int64_t)i->imm,
			      machine_size(i));
		return pc + 1;
	}
	if (BPF_OP(i->code) == BPF_CALL) {
		machine_call(m, pc, i);
		return pc + 1;
	}
	return pc + 1 + (BPF_OP(i->code) == BPF_JA || machine_jumps(m, pc, i) ? i->off : 0);
}

/* What other runs left in registers and on the stack is gone. */
static inline void machine_begin(struct machine *m)
{
	memset(m->known, 0, sizeof(m->known));
	memset(m->stack_known, 0, sizeof(m->stack_known));
	machine_set(m, 1, MACHINE_CTX);
	machine_set(m, 10, MACHINE_STACK + sizeof(m->stack));
}

/* The instruction at *pc. False: that was the exit, or there is trouble. */
static inline bool machine_next(struct machine *m, const struct bpf_insn *insns, size_t count,
				size_t *pc)
{
	const struct bpf_insn *i = &insns[*pc];

	if (*pc >= count || ++m->steps > 100000) {
		machine_trouble(m, *pc, "no exit");
		return false;
	}
	if (i->code == (BPF_JMP | BPF_EXIT)) {
		machine_use(m, *pc, 0);
		if (m->record_size && !m->submitted)
			machine_trouble(m, *pc, "exit with a record that was not submitted");
		return false;
	}
	*pc = machine_step(m, *pc, i);
	return !*m->trouble;
}

/* Runs to the exit. False: see trouble. */
static inline bool machine_run(struct machine *m, const struct bpf_insn *insns, size_t count)
{
	size_t pc = 0;

	machine_begin(m);
	while (machine_next(m, insns, count, &pc))
		;
	return !*m->trouble;
}

/* Every instruction can be reached and every jump lands in the program. */
static inline bool machine_reachable(const struct bpf_insn *insns, size_t count)
{
	bool *seen = calloc(count + 1, sizeof(*seen));
	size_t *todo = calloc(2 * count + 2, sizeof(*todo)), left = 1, found = 0;
	bool fine = true;

	while (left && fine) {
		size_t pc = todo[--left];
		const struct bpf_insn *i = &insns[pc];
		int class;

		if (pc >= count) {
			fine = false;
			break;
		}
		if (seen[pc])
			continue;
		seen[pc] = true;
		found++;
		class = BPF_CLASS(i->code);
		if (class == BPF_LD) {
			seen[pc + 1] = true;
			found++;
			todo[left++] = pc + 2;
		} else if (class != BPF_JMP && class != BPF_JMP32) {
			todo[left++] = pc + 1;
		} else if (BPF_OP(i->code) == BPF_CALL) {
			todo[left++] = pc + 1;
		} else if (BPF_OP(i->code) != BPF_EXIT) {
			if (BPF_OP(i->code) != BPF_JA)
				todo[left++] = pc + 1;
			todo[left++] = pc + 1 + i->off;
		}
	}
	free(seen);
	free(todo);
	return fine && found == count;
}

#endif
