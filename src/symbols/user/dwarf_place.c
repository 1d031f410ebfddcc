/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dwarf_place.c - location expressions, evaluated at the first instruction of a function, where the frame is
 * not built yet, or inside it.
 *
 * Only what compilers write for variables is understood: a register, an address relative to one, a constant, and pieces
 * of these.
 */
#include "symbols/user/dwarf_place.h"

#include <string.h>

#include "symbols/user/dwarf_form.h"
#include "symbols/user/dwarf_operations.h"

enum { ENCODING_SIGNED = 5, ENCODING_UNSIGNED_CHAR = 8 }; /* … and the integers between them */
enum { FRAME_RECORD = 16 }; /* x86-64: the return address and the saved frame pointer */

/* ---- the frame ---- */

/* Returns the offset of the frame base from the call frame (CFA); false: unknown here. */
static bool frame_offset(const struct dwarf_reader *r, int64_t *offset)
{
	struct dwarf_bytes b = r->frame;
	unsigned op = b.at ? (unsigned)dwarf_unsigned(&b, 1) : 0;

	*offset = op == OP_CALL_FRAME ? 0 : -FRAME_RECORD;
	return op == OP_CALL_FRAME ||
	       (r->arch->return_size && op == (unsigned)OP_REGISTER + r->arch->frames.fp);
}

/* Inside a function the frame base is a register, or relative to the frame's address. */
static struct dwarf_place frame_inside(const struct dwarf_reader *r, int64_t offset)
{
	struct dwarf_place p = { .kind = PLACE_MEMORY, .offset = offset };
	struct dwarf_bytes b = r->frame;
	unsigned op = b.at ? (unsigned)dwarf_unsigned(&b, 1) : 0;

	if (op == OP_CALL_FRAME && r->inside->is_known) {
		p.reg = r->inside->reg;
		p.offset += r->inside->offset;
	} else if (op >= OP_REGISTER && op < OP_REGISTER + OP_NUMBERED) {
		p.reg = op - OP_REGISTER;
	} else {
		p.kind = PLACE_ODD;
	}
	return p;
}

/* Below the call frame is what the function itself stores. */
static struct dwarf_place frame_place(const struct dwarf_reader *r, int64_t offset)
{
	struct dwarf_place p = { .kind = PLACE_FRAME };
	int64_t base;

	if (r->inside)
		return frame_inside(r, offset);

	if (!frame_offset(r, &base) || offset + base < 0)
		return p;
	p.kind = PLACE_MEMORY;
	p.reg = r->arch->frames.sp;
	p.offset = offset + base + r->arch->return_size;
	return p;
}

static bool passes_arguments(const struct arch *arch, uint64_t reg)
{
	for (unsigned i = 0; i < arch->argument_count; i++)
		if (reg < ARCH_DWARF_MAX && arch->dwarf[reg] == arch->arguments[i])
			return true;
	return false;
}

/* A body's address relative to a register is none at the entry, where registers hold other values; unless the register
 * passes the address, as clang passes objects of C++. */
static struct dwarf_place register_at(const struct dwarf_reader *r, uint64_t reg, int64_t offset)
{
	struct dwarf_place p = { .kind = PLACE_MEMORY, .reg = (unsigned)reg, .offset = offset };

	if (reg > UINT8_MAX)
		return (struct dwarf_place){ .kind = r->inside ? PLACE_ODD : PLACE_FRAME };
	if (!r->is_list && !r->inside)
		p = (struct dwarf_place){ .kind = PLACE_FRAME,
					  .is_pointed = !offset && passes_arguments(r->arch, reg) };
	return p;
}

/* ---- expressions ---- */

/* At the entry, a register's value at the entry is its value; later it is gone. */
static struct dwarf_place entry_value(const struct dwarf_reader *r, struct dwarf_bytes *b)
{
	uint64_t size = dwarf_uleb(b);
	const uint8_t *at = dwarf_skip(b, size);
	struct dwarf_bytes inner = dwarf_bytes(at, at ? size : 0);
	unsigned op = (unsigned)dwarf_unsigned(&inner, 1);
	struct dwarf_place p = { .kind = PLACE_ODD };

	if (r->inside) {
		p.kind = PLACE_GONE;
	} else if (!inner.bad && op >= OP_REGISTER && op < OP_REGISTER + OP_NUMBERED) {
		p.kind = PLACE_SUM;
		p.reg = op - OP_REGISTER;
	}
	return p;
}

static struct dwarf_place implicit(struct dwarf_bytes *b)
{
	uint64_t size = dwarf_uleb(b);
	const uint8_t *at = dwarf_skip(b, size);
	struct dwarf_bytes inner = dwarf_bytes(at, at ? size : 0);

	if (!at || size > 8)
		return (struct dwarf_place){ .kind = PLACE_ODD };
	return (struct dwarf_place){ .kind = PLACE_CONSTANT,
				     .offset = (int64_t)dwarf_unsigned(&inner, size) };
}

/* A static variable. In the kernel such an address is not that of a running kernel. */
static struct dwarf_place static_place(const struct dwarf_reader *r, uint64_t address)
{
	return (struct dwarf_place){ .kind = r->u->info->in_kernel ? PLACE_ODD : PLACE_STATIC,
				     .offset = (int64_t)address };
}

static struct dwarf_place static_numbered(const struct dwarf_reader *r, struct dwarf_bytes *b)
{
	uint64_t address;

	if (!dwarf_address_by_number(r->u, dwarf_uleb(b), &address))
		return (struct dwarf_place){ .kind = PLACE_ODD };
	return static_place(r, address);
}

static struct dwarf_place constant(int64_t value)
{
	return (struct dwarf_place){ .kind = PLACE_CONSTANT, .offset = value };
}

/* A register for the whole body is filled by it, unless the register passes arguments. */
static struct dwarf_place in_register(const struct dwarf_reader *r, uint64_t reg)
{
	if (reg > UINT8_MAX)
		return (struct dwarf_place){ .kind = PLACE_ODD };
	if (!r->inside && !r->is_list && reg < ARCH_DWARF_MAX &&
	    r->arch->dwarf[reg] != ARCH_NO_REGISTER && !passes_arguments(r->arch, reg))
		return (struct dwarf_place){ .kind = PLACE_FRAME };
	return (struct dwarf_place){ .kind = PLACE_REGISTER, .reg = (unsigned)reg };
}

/* Reads the first operation. */
static struct dwarf_place operation_read(const struct dwarf_reader *r, struct dwarf_bytes *b)
{
	unsigned op = (unsigned)dwarf_unsigned(b, 1);
	uint64_t reg;

	if (op >= OP_REGISTER && op < OP_REGISTER + OP_NUMBERED)
		return in_register(r, op - OP_REGISTER);
	if (op >= OP_REGISTER_AT && op < OP_REGISTER_AT + OP_NUMBERED)
		return register_at(r, op - OP_REGISTER_AT, dwarf_sleb(b));
	if (op >= OP_LITERAL && op < OP_LITERAL + OP_NUMBERED)
		return constant(op - OP_LITERAL);
	if (op >= OP_CONST1U && op <= OP_CONST8S) {
		size_t size = (size_t)1 << (op - OP_CONST1U) / 2;

		return constant(op & 1 ? dwarf_signed(b, size) : (int64_t)dwarf_unsigned(b, size));
	}
	switch (op) {
	case OP_ADDRESS: return static_place(r, dwarf_unsigned(b, r->u->address_size));
	case OP_ADDRESS_NUMBERED: return static_numbered(r, b);
	case OP_CONSTU: return constant((int64_t)dwarf_uleb(b));
	case OP_CONSTS: return constant(dwarf_sleb(b));
	case OP_REGISTER_ANY: return in_register(r, dwarf_uleb(b));
	case OP_FRAME_AT: return frame_place(r, dwarf_sleb(b));
	case OP_REGISTER_AT_ANY: reg = dwarf_uleb(b); return register_at(r, reg, dwarf_sleb(b));
	case OP_ENTRY_VALUE:
	case OP_OLD_ENTRY_VALUE: return entry_value(r, b);
	case OP_IMPLICIT: return implicit(b);
	case OP_PARAMETER:
		dwarf_skip(b, r->u->offset_size);
		return (struct dwarf_place){ .kind = PLACE_GONE };
	default: b->bad = true; return (struct dwarf_place){ .kind = PLACE_ODD };
	}
}

static unsigned peek(const struct dwarf_bytes *b)
{
	return dwarf_left(b) ? *b->at : 0;
}

/* Reads a number and the operation that shifts by it, as clang finds the second half of a register, or keeps the lower bytes. */
static bool cut_out(struct dwarf_place *p, struct dwarf_bytes *b)
{
	struct dwarf_bytes at = *b;
	unsigned op = (unsigned)dwarf_unsigned(&at, 1);
	uint64_t by = op == OP_CONSTU					? dwarf_uleb(&at) :
		      op == OP_CONST1U					? dwarf_unsigned(&at, 1) :
		      op >= OP_LITERAL && op < OP_LITERAL + OP_NUMBERED ? op - OP_LITERAL :
									  0;
	bool is_mask = by == UINT8_MAX || by == UINT16_MAX || by == UINT32_MAX;

	if (p->kind != PLACE_MEMORY || p->narrow)
		return false;
	if (is_mask && peek(&at) == OP_AND)
		p->narrow = by == UINT8_MAX ? 1 : by == UINT16_MAX ? 2 : 4;
	else if (by && by < 64 && peek(&at) == OP_SHR && !p->shift)
		p->shift = (unsigned)by;
	else
		return false;
	dwarf_skip(&at, 1);
	*b = at;
	return true;
}

/* A conversion to a smaller number keeps its lower bytes, one to a larger number tells nothing of its upper ones. */
static void converted(const struct dwarf_unit *u, struct dwarf_place *p, struct dwarf_bytes *b)
{
	struct dwarf_entry type = { 0 };
	uint64_t at = (dwarf_skip(b, 1), dwarf_uleb(b));

	/* 0: to a number of the size of an address */
	if (at && (at > UINT32_MAX || !dwarf_entry_at(u, u->offset + (uint32_t)at, &type) ||
		   type.tag != TAG_BASE || !type.size || type.size > 8 ||
		   type.encoding < ENCODING_SIGNED || type.encoding > ENCODING_UNSIGNED_CHAR))
		b->bad = true;
	else if (at && (!p->narrow || type.size < p->narrow))
		p->narrow = (unsigned)type.size;
}

/* Applies an operation to what was read before. Returns false if it is none of these. */
static bool operation_add(const struct dwarf_unit *u, struct dwarf_place *p, struct dwarf_bytes *b)
{
	bool is_whole = !p->narrow && !p->shift;
	bool is_address = (p->kind == PLACE_MEMORY || p->kind == PLACE_FRAME) && is_whole;

	if (cut_out(p, b))
		return true;
	if (p->kind == PLACE_CONSTANT && (peek(b) == OP_THREAD || peek(b) == OP_OLD_THREAD)) {
		dwarf_skip(b, 1);
		p->kind = PLACE_THREAD;
	} else if (peek(b) == OP_PLUS_CONST && is_whole &&
		   (p->kind == PLACE_SUM || p->kind == PLACE_MEMORY || p->kind == PLACE_STATIC)) {
		dwarf_skip(b, 1);
		p->offset += (int64_t)dwarf_uleb(b);
	} else if (peek(b) == OP_PLUS_CONST && p->kind == PLACE_POINTED) {
		dwarf_skip(b, 1);
		p->behind += (int64_t)dwarf_uleb(b);
	} else if ((peek(b) == OP_CONVERT || peek(b) == OP_OLD_CONVERT) &&
		   p->kind == PLACE_MEMORY) {
		converted(u, p, b);
	} else if (peek(b) == OP_DEREF && is_address && !p->is_pointed) {
		dwarf_skip(b, 1);
		p->is_pointed = p->kind == PLACE_FRAME;
		p->kind = p->kind == PLACE_FRAME ? PLACE_FRAME : PLACE_POINTED;
	} else if (peek(b) == OP_VALUE && p->kind != PLACE_REGISTER && !p->behind) {
		dwarf_skip(b, 1);
		/* the value at an address that was read is the memory there */
		p->kind = p->kind == PLACE_MEMORY  ? PLACE_SUM :
			  p->kind == PLACE_POINTED ? PLACE_MEMORY :
			  p->kind == PLACE_STATIC  ? PLACE_ADDRESS :
						     p->kind;
	} else {
		return false;
	}
	return true;
}

static struct dwarf_place place_read(const struct dwarf_reader *r, struct dwarf_bytes *b)
{
	struct dwarf_place p = operation_read(r, b);

	while (!b->bad && operation_add(r->u, &p, b))
		;
	b->bad |= (p.narrow || p.shift) && p.kind != PLACE_SUM;
	return p;
}

static void pieces_read(const struct dwarf_reader *r, struct dwarf_bytes b, struct dwarf_param *p)
{
	p->place.kind = PLACE_PIECES;
	while (dwarf_left(&b) && !b.bad) {
		struct dwarf_piece *piece = &p->pieces[p->piece_count];

		if (p->piece_count++ == DWARF_PIECES_MAX)
			break;
		piece->place = (struct dwarf_place){ .kind = PLACE_GONE };
		if (peek(&b) != OP_PIECE)
			piece->place = place_read(r, &b);
		b.bad |= dwarf_unsigned(&b, 1) != OP_PIECE;
		piece->size = (unsigned)dwarf_uleb(&b);
		b.bad |= piece->place.narrow && piece->place.narrow < piece->size;
	}
	if (b.bad || p->piece_count > DWARF_PIECES_MAX)
		p->place.kind = PLACE_ODD;
}

static void expression_read(const struct dwarf_reader *r, struct dwarf_bytes b,
			    struct dwarf_param *p)
{
	struct dwarf_bytes at = b;

	p->place.kind = PLACE_GONE;
	if (!dwarf_left(&b))
		return;
	if (peek(&b) != OP_PIECE)
		p->place = place_read(r, &at);
	if (!at.bad && peek(&at) == OP_PIECE)
		pieces_read(r, b, p);
	else if (at.bad || dwarf_left(&at))
		p->place = (struct dwarf_place){ .kind = PLACE_ODD };
}

/* ---- parameters ---- */

/* Copies name and type; what the entry itself lacks, from the one that it is a copy of. */
static void description_read(const struct dwarf_unit *u, const struct dwarf_entry *e,
			     struct dwarf_param *p)
{
	struct dwarf_entry origin;

	p->name = e->name;
	p->type = e->type;
	if (e->origin && dwarf_entry_at(u, e->origin, &origin)) {
		p->name = p->name ?: origin.name;
		p->type = p->type ?: origin.type;
		p->is_artificial |= origin.abi.is_artificial;
	}
	p->name = p->name ?: "";
}

void dwarf_param_read(struct dwarf_reader *r, const struct dwarf_entry *e, uint64_t address,
		      struct dwarf_param *p)
{
	struct dwarf_bytes expr;

	*p = (struct dwarf_param){ .is_artificial = e->abi.is_artificial };
	description_read(r->u, e, p);
	r->is_list = e->where.has_list;
	if (e->where.has_list) {
		p->place.kind = PLACE_LATER;
		if (dwarf_list_find(r->u, e->where.list, address, &expr))
			expression_read(r, expr, p);
	} else if (e->where.expr.at) {
		expression_read(r, e->where.expr, p);
	} else if (e->where.has_value) {
		p->place = constant((int64_t)e->value);
	}
}

size_t dwarf_params_read(const struct dwarf_unit *u, const struct dwarf_entry *function,
			 uint64_t address, const struct arch *arch,
			 struct dwarf_param params[DWARF_PARAMS_MAX])
{
	struct dwarf_reader r = { .u = u, .arch = arch, .frame = function->where.frame };
	struct dwarf_bytes at = dwarf_entry_children(u, function);
	struct dwarf_entry e;
	unsigned depth = 0;
	uint64_t steps = 0;
	size_t count = 0;

	while (count < DWARF_PARAMS_MAX && dwarf_child_next(u, &at, &depth, &e, &steps))
		if (e.tag == TAG_PARAMETER) {
			dwarf_param_read(&r, &e, address, &params[count]);
			params[count].alignment = dwarf_alignment(u, params[count].type);
			params[count].passing = dwarf_passing(u, params[count].type);
			count++;
		}
	return count;
}
