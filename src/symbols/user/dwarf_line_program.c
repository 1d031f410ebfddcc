/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dwarf_line_program.c - parses the headers of line number programs and runs their operations: DWARF 5, sections
 * 6.2.4 and 6.2.5.
 */
#include "symbols/user/dwarf_lines.h"

enum {
	OP_EXTENDED = 0,
	OP_COPY = 1,
	OP_ADVANCE = 2,
	OP_LINE = 3,
	OP_FILE = 4,
	OP_COLUMN = 5,
	OP_NEGATE = 6,
	OP_ADD_CONST = 8,
	OP_ADVANCE_FIXED = 9,
	EXTENDED_END = 1,
	EXTENDED_ADDRESS = 2,
};

/* ---- units ---- */

static bool head_read(struct lines_unit *u, struct dwarf_bytes *b)
{
	uint64_t size;
	const uint8_t *names;

	if (u->version >= 5) /* sizes of an address and of a segment */
		dwarf_skip(b, 2);
	size = dwarf_unsigned(b, u->offset_size);
	names = b->at;
	u->program = *b;
	dwarf_skip(&u->program, size);
	u->step = dwarf_unsigned(b, 1);
	if (u->version >=
	    /* operations of one instruction: 1 except on VLIW machines, which we do not support */
	    4)
		dwarf_skip(b, 1);
	u->begins_statements = dwarf_unsigned(b, 1);
	u->line_base = dwarf_signed(b, 1);
	u->line_range = dwarf_unsigned(b, 1);
	u->first_special = dwarf_unsigned(b, 1);
	for (unsigned i = 1; i < u->first_special; i++)
		u->lengths[i] = dwarf_unsigned(b, 1);
	if (b->bad || u->program.bad || b->at > u->program.at)
		return false;
	u->names = dwarf_bytes(b->at, size - (b->at - names));
	return u->line_range && u->first_special;
}

bool lines_unit_next(struct dwarf_bytes *all, struct lines_unit *u)
{
	uint64_t size = dwarf_unsigned(all, 4);
	const uint8_t *at;
	struct dwarf_bytes b;

	u->offset_size = size == UINT32_MAX ? 8 : 4;
	if (size == UINT32_MAX)
		size = dwarf_unsigned(all, 8);
	at = dwarf_skip(all, size);
	if (!at)
		return false;
	b = dwarf_bytes(at, size);
	u->version = dwarf_unsigned(&b, 2);
	if (u->version < 2 || u->version > 5 || !head_read(u, &b))
		u->program = dwarf_bytes(at, 0);
	return true;
}

/* ---- programs ---- */

static void extended_step(struct dwarf_bytes *b, struct lines_row *r)
{
	uint64_t size = dwarf_uleb(b);
	const uint8_t *at = dwarf_skip(b, size);
	struct dwarf_bytes in = dwarf_bytes(at, at ? size : 0);
	unsigned op = dwarf_unsigned(&in, 1);

	r->is_end = r->is_new = op == EXTENDED_END;
	if (op == EXTENDED_ADDRESS && size <= 9)
		r->address = dwarf_unsigned(&in, size - 1);
}

static void standard_step(const struct lines_unit *u, struct dwarf_bytes *b, struct lines_row *r,
			  unsigned op)
{
	switch (op) {
	case OP_COPY: r->is_new = true; break;
	case OP_ADVANCE: r->address += dwarf_uleb(b) * u->step; break;
	case OP_LINE: r->line += dwarf_sleb(b); break;
	case OP_FILE: r->file = dwarf_uleb(b); break;
	case OP_COLUMN: r->column = dwarf_uleb(b); break;
	case OP_NEGATE: r->is_statement = !r->is_statement; break;
	case OP_ADD_CONST:
		r->address += (uint64_t)(255 - u->first_special) / u->line_range * u->step;
		break;
	case OP_ADVANCE_FIXED: r->address += dwarf_unsigned(b, 2); break;
	default:
		for (unsigned i = 0; i < u->lengths[op]; i++)
			dwarf_uleb(b);
	}
}

bool lines_row_next(const struct lines_unit *u, struct dwarf_bytes *b, struct lines_row *r)
{
	if (r->is_end)
		*r = (struct lines_row){ .file = 1,
					 .line = 1,
					 .is_statement = u->begins_statements };
	r->is_new = false;
	while (dwarf_left(b) && !b->bad && !r->is_new) {
		unsigned op = dwarf_unsigned(b, 1), special = op - u->first_special;

		if (op == OP_EXTENDED) {
			extended_step(b, r);
		} else if (op < u->first_special) {
			standard_step(u, b, r, op);
		} else {
			r->address += (uint64_t)(special / u->line_range) * u->step;
			r->line += u->line_base + (int)(special % u->line_range);
			r->is_new = true;
		}
	}
	return r->is_new && !b->bad;
}
