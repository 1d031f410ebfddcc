/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dwarf_operations.h - the operations of expressions: DWARF 5, section 7.7.1.
 */
#ifndef CORETAP_SYMBOLS_USER_DWARF_OPERATIONS_H
#define CORETAP_SYMBOLS_USER_DWARF_OPERATIONS_H

enum {
	OP_ADDRESS = 0x03,
	OP_THREAD = 0x9b, /* turns a number into an address in the thread's own memory */
	OP_ADDRESS_NUMBERED = 0xa1,
	OP_OLD_THREAD = 0xe0,
	OP_DEREF = 0x06,
	/* OP_CONST1U to CONST8S: numbers of 1, 2, 4, 8 bytes, each without and with a sign */
	OP_CONST1U = 0x08,
	OP_CONST8S = 0x0f,
	OP_CONSTU = 0x10,
	OP_CONSTS = 0x11,
	OP_DUP = 0x12,
	OP_DROP = 0x13,
	OP_OVER = 0x14,
	OP_PICK = 0x15,
	OP_SWAP = 0x16,
	OP_ROT = 0x17,
	OP_ABS = 0x19,
	OP_AND = 0x1a,
	OP_MINUS = 0x1c,
	OP_MUL = 0x1e,
	OP_NEG = 0x1f,
	OP_NOT = 0x20,
	OP_OR = 0x21,
	OP_PLUS = 0x22,
	OP_PLUS_CONST = 0x23,
	OP_SHL = 0x24,
	OP_SHR = 0x25,
	OP_SHRA = 0x26,
	OP_XOR = 0x27,
	OP_BRANCH = 0x28,
	OP_EQ = 0x29,
	OP_GE = 0x2a,
	OP_GT = 0x2b,
	OP_LE = 0x2c,
	OP_LT = 0x2d,
	OP_NE = 0x2e,
	OP_SKIP = 0x2f,
	OP_LITERAL = 0x30,     /* plus 0 … 31 */
	OP_REGISTER = 0x50,    /* in the register: plus its number, 0 … 31 */
	OP_REGISTER_AT = 0x70, /* at an offset from it: the same */
	OP_REGISTER_ANY = 0x90,
	OP_FRAME_AT = 0x91,
	OP_REGISTER_AT_ANY = 0x92,
	OP_PIECE = 0x93,
	OP_DEREF_SIZE = 0x94,
	OP_NOP = 0x96,
	OP_CALL_FRAME = 0x9c,
	OP_IMPLICIT = 0x9e,
	OP_VALUE = 0x9f,
	OP_ENTRY_VALUE = 0xa3,
	OP_CONVERT = 0xa8, /* to a base type, given by its offset in the unit */
	OP_OLD_CONVERT = 0xf7,
	OP_OLD_ENTRY_VALUE = 0xf3,
	/* the value that the caller knows, of a parameter that is not passed */
	OP_PARAMETER = 0xfa,
	OP_NUMBERED = 32, /* registers and literals that have an operation of their own */
};

#endif
