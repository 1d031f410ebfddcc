/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * unwind.c - walks a thread's stack, frame by frame.
 */
#include "symbols/user/unwind.h"

#include <errno.h>
#include <string.h>

#include "symbols/user/cfi.h"
#include "symbols/user/dwarf_expr.h"

enum {
	/* bytes: an address this far from the copy is on another stack, because no frame is that large */
	AWAY_MIN = 1 << 20,
	CODE_MIN = 4096, /* no program has code below this address */
};

struct thread {
	const struct unwind_input *in;
	uint64_t registers[CFI_REGISTERS]; /* by DWARF number */
	uint32_t known;			   /* a bit for each register */
	uint64_t pc;
	uint64_t stack;		/* the address of the copy */
	enum unwind_end missed; /* why the last read of memory failed */
};

/* ---- registers and memory ---- */

static uint64_t saved(const struct unwind_input *in, unsigned number)
{
	uint64_t value;

	memcpy(&value, (const char *)in->registers + arch_offset(number), sizeof(value));
	return value;
}

static bool register_get(void *ctx, unsigned reg, uint64_t *value)
{
	const struct thread *t = ctx;

	if (reg >= CFI_REGISTERS || !(t->known >> reg & 1))
		return false;
	*value = t->registers[reg];
	return true;
}

static void register_set(struct thread *t, unsigned reg, uint64_t value)
{
	t->registers[reg] = value;
	t->known |= 1u << reg;
}

static bool memory_get(void *ctx, uint64_t address, size_t size, uint64_t *value)
{
	struct thread *t = ctx;
	uint64_t at = address - t->stack;

	*value = 0;
	if (at < t->in->stack_size && size <= t->in->stack_size - at) {
		memcpy(value, (const char *)t->in->stack + at, size);
		return true;
	}
	t->missed = at < t->in->stack_size + AWAY_MIN ? UNWIND_COPY : UNWIND_AWAY;
	return false;
}

static bool evaluate(struct thread *t, const struct cfi_rule *rule, const uint64_t *frame,
		     uint64_t *value)
{
	const struct dwarf_machine m = { register_get, memory_get, t };

	return dwarf_expr(rule->expr, rule->expr_size, &m, frame, value);
}

/* ---- by call frame information ---- */

static bool frame_address(struct thread *t, const struct cfi_row *row, uint64_t *frame)
{
	if (row->frame.how == CFI_VALUE_EXPR)
		return evaluate(t, &row->frame, NULL, frame);
	if (!register_get(t, row->frame.reg, frame))
		return false;
	*frame += row->frame.offset;
	return true;
}

/* Computes the value that the caller has in a register. Returns false if unknown. An unchanged instruction pointer is
 * refused: no function leaves it unchanged. */
static bool rule_follow(struct thread *t, const struct cfi_rule *rule, unsigned reg, uint64_t frame,
			uint64_t *value)
{
	uint64_t at;

	switch (rule->how) {
	case CFI_SAME:
		return t->in->arch->dwarf[reg] != t->in->arch->ip && register_get(t, reg, value);
	case CFI_AT: return memory_get(t, frame + rule->offset, 8, value);
	case CFI_VALUE: *value = frame + rule->offset; return true;
	case CFI_REGISTER: return register_get(t, rule->reg, value);
	case CFI_VALUE_EXPR: return evaluate(t, rule, &frame, value);
	case CFI_AT_EXPR: return evaluate(t, rule, &frame, &at) && memory_get(t, at, 8, value);
	default: return false;
	}
}

/* Sets *t to the caller. Returns false at the end; t->missed is the reason. */
static bool step_by_row(struct thread *t, const struct cfi_row *row)
{
	const struct arch *arch = t->in->arch;
	struct thread caller = { .in = t->in, .stack = t->stack };
	const struct cfi_rule *back = &row->registers[row->return_register];
	uint64_t frame, value;

	t->missed = back->how == CFI_UNDEFINED ? UNWIND_END : UNWIND_DAMAGED;
	if (!frame_address(t, row, &frame) ||
	    !rule_follow(t, back, row->return_register, frame, &caller.pc))
		return false;
	if (row->is_signed)
		caller.pc &= arch->address_mask;
	register_set(&caller, arch->frames.sp, frame);
	for (unsigned i = 0; i < CFI_REGISTERS; i++) {
		const struct cfi_rule *rule = &row->registers[i];

		if ((i != arch->frames.sp || rule->how != CFI_SAME) &&
		    rule_follow(t, rule, i, frame, &value))
			register_set(&caller, i, value);
	}
	*t = caller;
	return true;
}

/* ---- by the frame pointer ---- */

/* The frame pointer points to the caller's frame pointer; the return address follows it. */
static bool step_by_pointer(struct thread *t)
{
	const struct arch *arch = t->in->arch;
	uint64_t at, sp, next, pc;

	t->missed = UNWIND_UNKNOWN;
	if (!register_get(t, arch->frames.fp, &at) || !register_get(t, arch->frames.sp, &sp) ||
	    (at += arch->frames.record) < sp || at % 8 || !memory_get(t, at, 8, &next) ||
	    !memory_get(t, at + 8, 8, &pc) || (pc && pc < CODE_MIN)) {
		t->missed = UNWIND_UNKNOWN;
		return false;
	}
	t->known = 0;
	register_set(t, arch->frames.fp, next);
	register_set(t, arch->frames.sp, at + 16);
	t->pc = pc & arch->address_mask;
	return true;
}

/* ---- by the registers that the kernel saved for a signal handler ---- */

/* Steps over a signal frame without a row: if the kernel provides no vdso entry, the code that a handler returns to
 * has none. Such a frame is recognized by its frame record: the kernel stores the frame pointer and the link register
 * at the stack pointer, and the link register differs from where the signal arrived. */
static bool step_by_signal(struct thread *t)
{
	const struct arch *arch = t->in->arch;
	struct thread caller = { .in = t->in, .stack = t->stack };
	uint64_t saved, record, value, link;

	if (!arch->frames.signal_registers || !register_get(t, arch->frames.sp, &saved) ||
	    !register_get(t, arch->frames.fp, &record))
		return false;
	saved += arch->frames.signal_registers;
	for (unsigned i = 0; i < CFI_REGISTERS && arch->dwarf[i] != ARCH_NO_REGISTER; i++) {
		if (!memory_get(t, saved + arch_offset(arch->dwarf[i]), 8, &value))
			return false;
		register_set(&caller, i, value);
	}
	if (!memory_get(t, saved + arch_offset(arch->ip), 8, &caller.pc) ||
	    !memory_get(t, record, 8, &value) || !memory_get(t, record + 8, 8, &link) ||
	    value != caller.registers[arch->frames.fp] ||
	    link != caller.registers[arch->frames.link])
		return false;
	*t = caller;
	return true;
}

/* ---- frame by frame ---- */

static bool step(struct thread *t, struct unwind_frame *f)
{
	const struct cfi *cfi;
	struct cfi_row row;
	uint64_t address;
	int err = -ENOENT;

	cfi = t->in->find(t->in->ctx, t->pc - !f->is_exact, &address);
	if (cfi)
		err = cfi_find(cfi, address, &row);
	if (err == -ENOENT) {
		f[1].is_exact = step_by_signal(t);
		/* the code that the handler returns to was not called, either */
		f->is_exact |= f[1].is_exact;
		return f[1].is_exact || step_by_pointer(t);
	}
	t->missed = UNWIND_DAMAGED;
	if (err)
		return false;
	f->is_exact |= row.is_signal;
	f[1].is_exact = row.is_signal;
	return step_by_row(t, &row);
}

static bool has_mode(const struct unwind_input *in, const struct arch_mode *mode)
{
	return (saved(in, in->arch->mode) & mode->mask) == mode->value;
}

static void thread_begin(struct thread *t, const struct unwind_input *in)
{
	const struct arch *arch = in->arch;

	*t = (struct thread){ .in = in, .pc = saved(in, arch->ip), .stack = saved(in, arch->sp) };
	for (unsigned i = 0; i < CFI_REGISTERS && arch->dwarf[i] != ARCH_NO_REGISTER; i++)
		register_set(t, i, saved(in, arch->dwarf[i]));
}

size_t unwind(const struct unwind_input *in, struct unwind_frame *frames, size_t most,
	      enum unwind_end *end)
{
	struct unwind_frame f[2] = { { .is_exact = true } };
	struct thread t;
	size_t count = 0;

	*end = UNWIND_END;
	if (!has_mode(in, &in->arch->user_mode))
		return 0;
	thread_begin(&t, in);
	while (t.pc) {
		uint64_t pc = t.pc, sp = t.registers[in->arch->frames.sp];

		if (count == most) {
			*end = UNWIND_MOST;
			return count;
		}
		f[0].address = pc;
		*end = has_mode(in, &in->arch->mode32) ? UNWIND_UNKNOWN : UNWIND_END;
		if (*end || !step(&t, f)) {
			*end = *end ?: t.missed;
			frames[count++] = f[0];
			return count;
		}
		frames[count++] = f[0];
		f[0] = f[1];
		if (t.pc == pc && t.registers[in->arch->frames.sp] == sp) {
			*end = UNWIND_DAMAGED;
			return count;
		}
	}
	return count;
}
