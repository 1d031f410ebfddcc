/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * instructions.c - the lengths of x86-64 instructions (Intel SDM, volume 2, chapter 2 and appendix A): prefixes,
 * opcode, ModRM with SIB and displacement, immediate. It does not know what instructions do.
 */
#include "symbols/user/instructions.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "kernel/arch.h"

enum {
	LONGEST = 15,		  /* bytes of the longest instruction */
	FUNCTION_BYTES = 1 << 20, /* bytes of a function to decode up to the offset */
};

/*
 * What follows each opcode, 16 to a line:
 *	.  nothing	m  ModRM	b  1 byte	w  2	z  4, or 2 after 66	v  as z, or 8 by REX.W
 *	B  ModRM, 1	Z  ModRM, z	j  4, always	e  2 and 1	a  an address	x  no opcode or a prefix
 *	3  ModRM; 1 if its reg is 0 or 1		4  ModRM; z if its reg is 0 or 1
 */
static const char one_byte[] = "mmmmbzxxmmmmbzxx"
			       "mmmmbzxxmmmmbzxx"
			       "mmmmbzxxmmmmbzxx"
			       "mmmmbzxxmmmmbzxx"
			       "xxxxxxxxxxxxxxxx"
			       "................"
			       "xxxmxxxxzZbB...."
			       "bbbbbbbbbbbbbbbb"
			       "BZxBmmmmmmmmmmmm"
			       "..........x....."
			       "aaaa....bz......"
			       "bbbbbbbbvvvvvvvv"
			       "BBw.xxBZe.w..bx."
			       "mmmmxxx.mmmmmmmm"
			       "bbbbbbbbjjxb...."
			       "x.xx..34......mm";
static const char after_0f[] = "mmmmx.....x.xm.B"
			       "mmmmmmmmmmmmmmmm"
			       "mmmmxxxxmmmmmmmm"
			       "........x.xxxxxx"
			       "mmmmmmmmmmmmmmmm"
			       "mmmmmmmmmmmmmmmm"
			       "mmmmmmmmmmmmmmmm"
			       "BBBBmmm.mmmmmmmm"
			       "jjjjjjjjjjjjjjjj"
			       "mmmmmmmmmmmmmmmm"
			       "...mBmxx...mBmmm"
			       "mmmmmmmmmmBmmmmm"
			       "mmBmBBBm........"
			       "mmmmmmmmmmmmmmmm"
			       "mmmmmmmmmmmmmmmm"
			       "mmmmmmmmmmmmmmmm";

struct decoder {
	const uint8_t *code;
	size_t at, size; /* `at` may exceed `size` */
	bool operand16, address32, wide, damaged;
};

static uint8_t next(struct decoder *d)
{
	if (d->at < d->size)
		return d->code[d->at++];
	d->damaged = true;
	return 0;
}

static uint8_t prefixes_skip(struct decoder *d)
{
	uint8_t byte;

	while (!d->damaged) {
		byte = next(d);
		if (!byte || !strchr("\x66\x67\xf2\xf3\xf0\x2e\x36\x3e\x26\x64\x65", byte))
			break;
		d->operand16 |= byte == 0x66;
		d->address32 |= byte == 0x67;
	}
	if ((byte & 0xf0) == 0x40) {
		d->wide = byte & 8;
		byte = next(d);
	}
	return byte;
}

/* Skips ModRM, SIB and displacement; returns the middle field of ModRM. */
static unsigned modrm_skip(struct decoder *d)
{
	uint8_t modrm = next(d), mode = modrm >> 6, base = modrm & 7;
	bool is_far = mode == 2 || (mode == 0 && base == 5);

	if (mode != 3 && base == 4)
		is_far |= (next(d) & 7) == 5 && mode == 0;
	d->at += mode == 1 ? 1 : is_far && mode != 3 ? 4 : 0;
	return modrm >> 3 & 7;
}

static void operands_skip(struct decoder *d, char kind)
{
	unsigned z = d->operand16 && !d->wide ? 2 : 4, reg = 0;

	if (strchr("mBZ34", kind))
		reg = modrm_skip(d);
	switch (kind) {
	case 'b':
	case 'B': d->at += 1; break;
	case 'w': d->at += 2; break;
	case 'e': d->at += 3; break;
	case 'j': d->at += 4; break;
	case 'z':
	case 'Z': d->at += z; break;
	case 'v': d->at += d->wide ? 8 : z; break;
	case 'a': d->at += d->address32 ? 4 : 8; break;
	case '3': d->at += reg < 2 ? 1 : 0; break;
	case '4': d->at += reg < 2 ? z : 0; break;
	case 'x': d->damaged = true; break;
	}
}

/* Skips an instruction of a map: 2 follows 0F 38, 3 follows 0F 3A; VEX and EVEX name their map. */
static void mapped_skip(struct decoder *d, unsigned map)
{
	uint8_t opcode = next(d);

	operands_skip(d, map == 1 ? after_0f[opcode] : map == 3 ? 'B' : 'm');
}

size_t instruction_length(const uint8_t *code, size_t size)
{
	struct decoder d = { .code = code, .size = size };
	uint8_t opcode = prefixes_skip(&d), byte;

	switch (opcode) {
	case 0x0f:
		byte = next(&d);
		if (byte == 0x38 || byte == 0x3a)
			mapped_skip(&d, byte == 0x38 ? 2 : 3);
		else
			operands_skip(&d, after_0f[byte]);
		break;
	case 0xc5: /* VEX with two bytes */
		next(&d);
		mapped_skip(&d, 1);
		break;
	case 0xc4: /* VEX with three bytes */
		byte = next(&d) & 31;
		next(&d);
		mapped_skip(&d, byte);
		break;
	case 0x62: /* EVEX */
		byte = next(&d) & 7;
		next(&d), next(&d);
		mapped_skip(&d, byte);
		break;
	default: operands_skip(&d, one_byte[opcode]);
	}
	return d.damaged || d.at > d.size ? 0 : d.at;
}

bool instruction_begins(const char *path, uint64_t start, uint64_t offset)
{
	uint8_t code[4096];
	size_t length = 1, done;
	uint64_t at = 0;
	int fd;

	if (ARCH_NATIVE != ARCH_X86_64 || offset > FUNCTION_BYTES)
		return true;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	do {
		ssize_t size = fd < 0 ? -1 : pread(fd, code, sizeof(code), start + at);

		for (done = 0; length && at + done < offset && size >= (ssize_t)done + LONGEST;
		     done += length)
			length = instruction_length(code + done, size - done);
		at += done;
	} while (length && done && at < offset);
	if (fd >= 0)
		close(fd);
	return at <= offset;
}
