/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cfi_row.c - runs the programs of call frame information up to an address: DWARF 5, section 6.4.2.
 */
#include <errno.h>

#include "symbols/user/cfi.h"

enum {
	REMEMBERED_MAX = 16, /* saved rows; compilers nest one or two */
	/* operations to run at most; the longest programs have some thousands */
	STEPS_MAX = 1 << 15,
	ROW_STEPS = 16, /* copying a row costs as much as this many operations */
};

/* Operations that use the two upper bits have their operand in the lower six. */
enum {
	OP_ADVANCE = 0x40,
	OP_OFFSET = 0x80,
	OP_RESTORE = 0xc0,
	OP_NOP = 0x00,
	OP_SET_LOC = 0x01,
	OP_ADVANCE1 = 0x02,
	OP_ADVANCE2 = 0x03,
	OP_ADVANCE4 = 0x04,
	OP_OFFSET_EXTENDED = 0x05,
	OP_RESTORE_EXTENDED = 0x06,
	OP_UNDEFINED = 0x07,
	OP_SAME_VALUE = 0x08,
	OP_REGISTER = 0x09,
	OP_REMEMBER = 0x0a,
	OP_RESTORE_STATE = 0x0b,
	OP_FRAME = 0x0c,
	OP_FRAME_REGISTER = 0x0d,
	OP_FRAME_OFFSET = 0x0e,
	OP_FRAME_EXPR = 0x0f,
	OP_EXPR = 0x10,
	OP_OFFSET_SIGNED = 0x11,
	OP_FRAME_SIGNED = 0x12,
	OP_FRAME_OFFSET_SIGNED = 0x13,
	OP_VALUE_OFFSET = 0x14,
	OP_VALUE_OFFSET_SIGNED = 0x15,
	OP_VALUE_EXPR = 0x16,
	/* arm64: toggles the signing of return addresses; on SPARC, which defined it, the register windows */
	OP_SIGNED_RETURN = 0x2d,
	OP_ARGS_SIZE = 0x2e,
	OP_OFFSET_NEGATIVE = 0x2f,
};

struct machine {
	const struct cfi_common *common;
	struct dwarf_bytes b;
	struct cfi_row *row;
	struct cfi_row first; /* the row after the common program, for OP_RESTORE */
	struct cfi_row remembered[REMEMBERED_MAX];
	unsigned depth;
	uint64_t at, address;
	unsigned steps;
};

/* Returns a dummy for registers that are ignored. */
static struct cfi_rule *rule_of(struct machine *m, uint64_t reg)
{
	static struct cfi_rule unkept;

	return reg < CFI_REGISTERS ? &m->row->registers[reg] : &unkept;
}

static void restore(struct machine *m, uint64_t reg)
{
	if (reg < CFI_REGISTERS)
		m->row->registers[reg] = m->first.registers[reg];
}

static struct cfi_rule expr_read(struct machine *m, enum cfi_how how)
{
	uint64_t size = dwarf_uleb(&m->b);
	const uint8_t *at = dwarf_skip(&m->b, size);

	return (struct cfi_rule){ .how = how, .expr = at, .expr_size = at ? size : 0 };
}

static int64_t scaled(const struct machine *m, uint64_t factor)
{
	return (int64_t)(factor * (uint64_t)m->common->data_step);
}

/* Sets the rule of the frame's address. An offset without a register, or a register that is ignored, is an error. */
static bool frame_step(struct machine *m, unsigned op)
{
	struct cfi_rule *f = &m->row->frame;

	switch (op) {
	case OP_FRAME:
	case OP_FRAME_SIGNED:
		*f = (struct cfi_rule){ .how = CFI_REGISTER, .reg = dwarf_uleb(&m->b) };
		f->offset = op == OP_FRAME ? (int64_t)dwarf_uleb(&m->b) :
					     scaled(m, dwarf_sleb(&m->b));
		return f->reg < CFI_REGISTERS;
	case OP_FRAME_REGISTER:
		f->reg = dwarf_uleb(&m->b);
		return f->how == CFI_REGISTER && f->reg < CFI_REGISTERS;
	case OP_FRAME_OFFSET: f->offset = dwarf_uleb(&m->b); return f->how == CFI_REGISTER;
	case OP_FRAME_OFFSET_SIGNED:
		f->offset = scaled(m, dwarf_sleb(&m->b));
		return f->how == CFI_REGISTER;
	default: *f = expr_read(m, CFI_VALUE_EXPR); return true;
	}
}

/* Sets the rule of a register: saved at an offset from the frame's address. */
static void offset_step(struct machine *m, unsigned op, uint64_t reg)
{
	bool by_value = op == OP_VALUE_OFFSET || op == OP_VALUE_OFFSET_SIGNED;
	bool is_signed = op == OP_OFFSET_SIGNED || op == OP_VALUE_OFFSET_SIGNED;
	uint64_t factor = is_signed ? (uint64_t)dwarf_sleb(&m->b) : dwarf_uleb(&m->b);

	if (op == OP_OFFSET_NEGATIVE)
		factor = -factor;
	*rule_of(m, reg) = (struct cfi_rule){ .how = by_value ? CFI_VALUE : CFI_AT,
					      .offset = scaled(m, factor) };
}

static bool register_step(struct machine *m, unsigned op)
{
	uint64_t reg = dwarf_uleb(&m->b), other;

	switch (op) {
	case OP_UNDEFINED: *rule_of(m, reg) = (struct cfi_rule){ .how = CFI_UNDEFINED }; break;
	case OP_SAME_VALUE: *rule_of(m, reg) = (struct cfi_rule){ .how = CFI_SAME }; break;
	case OP_RESTORE_EXTENDED: restore(m, reg); break;
	case OP_REGISTER:
		other = dwarf_uleb(&m->b);
		*rule_of(m, reg) = (struct cfi_rule){ .how = CFI_REGISTER, .reg = other };
		return other < CFI_REGISTERS;
	case OP_EXPR: *rule_of(m, reg) = expr_read(m, CFI_AT_EXPR); break;
	case OP_VALUE_EXPR: *rule_of(m, reg) = expr_read(m, CFI_VALUE_EXPR); break;
	default: offset_step(m, op, reg);
	}
	return true;
}

static bool state_step(struct machine *m, unsigned op)
{
	m->steps += ROW_STEPS;
	if (op == OP_REMEMBER) {
		if (m->depth == REMEMBERED_MAX)
			return false;
		m->remembered[m->depth++] = *m->row;
		return true;
	}
	if (!m->depth)
		return false;
	*m->row = m->remembered[--m->depth];
	return true;
}

static bool other_step(struct machine *m, unsigned op)
{
	switch (op) {
	case OP_NOP: return true;
	case OP_REMEMBER:
	case OP_RESTORE_STATE: return state_step(m, op);
	case OP_ARGS_SIZE: dwarf_uleb(&m->b); return true;
	case OP_SIGNED_RETURN: m->row->is_signed = !m->row->is_signed; return true;
	case OP_FRAME:
	case OP_FRAME_REGISTER:
	case OP_FRAME_OFFSET:
	case OP_FRAME_EXPR:
	case OP_FRAME_SIGNED:
	case OP_FRAME_OFFSET_SIGNED: return frame_step(m, op);
	default: /* also OP_SET_LOC, which no compiler emits */
		return op != OP_SET_LOC && (op <= OP_VALUE_EXPR || op == OP_OFFSET_NEGATIVE) &&
		       register_step(m, op);
	}
}

/* Returns the number of bytes of the operand; 0 if the operation does not advance. */
static size_t advance_size(unsigned op)
{
	return op == OP_ADVANCE1 ? 1 : op == OP_ADVANCE2 ? 2 : op == OP_ADVANCE4 ? 4 : 0;
}

/* Runs one operation. Returns false at the end of the row, or after an error. */
static bool step(struct machine *m)
{
	unsigned op = dwarf_unsigned(&m->b, 1), low = op & 0x3f;
	uint64_t by = low;

	switch (op & 0xc0) {
	case OP_OFFSET: offset_step(m, OP_OFFSET_EXTENDED, low); return true;
	case OP_RESTORE: restore(m, low); return true;
	case OP_ADVANCE: break;
	default:
		if (!advance_size(op)) {
			m->b.bad |= !other_step(m, op);
			return !m->b.bad;
		}
		by = dwarf_unsigned(&m->b, advance_size(op));
	}
	m->at += by * m->common->code_step;
	return m->at <= m->address;
}

static bool program_run(struct machine *m, struct dwarf_bytes program)
{
	m->b = program;
	m->depth = 0;
	while (dwarf_left(&m->b) && m->steps++ < STEPS_MAX && step(m))
		;
	return !m->b.bad && m->steps <= STEPS_MAX;
}

int cfi_run(const struct cfi_program *p, struct cfi_row *row)
{
	static struct machine m; /* static, because it is large */

	*row = (struct cfi_row){ .return_register = p->common->return_register,
				 .is_signal = p->common->is_signal };
	m.common = p->common;
	m.row = row;
	m.steps = 0;
	m.at = p->start;
	m.address = p->address;
	if (!program_run(&m, p->common->program))
		return -EBADMSG;
	m.first = *row;
	m.at = p->start;
	if (!program_run(&m, p->own) || row->frame.how == CFI_SAME)
		return -EBADMSG;
	return 0;
}
