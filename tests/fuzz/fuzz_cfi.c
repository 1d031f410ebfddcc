/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fuzz_cfi.c - damaged call frame information, and stacks that are unwound by it. It may be refused or
 * lead anywhere, but nothing may leave the data or never end.
 *
 *	fuzz_cfi [COUNT [SEED]]
 *
 * With -fsanitize=fuzzer (and -DLIBFUZZER) the input is the section.
 */
#include <errno.h>
#include <string.h>

#include "../unit/cfi_sample.h"
#include "symbols/user/cfi.h"
#include "symbols/user/unwind.h"
#include "fuzz.h"

enum { STACK = 0x7ff000, WORDS = 64, MOST = 20 };

static const struct cfi *find(void *ctx, uint64_t address, uint64_t *in_file)
{
	*in_file = address;
	return ctx;
}

/* Values that lead to functions and into the stack. */
static uint64_t word_make(struct chance *c)
{
	switch (chance_below(c, 4)) {
	case 0: return chance_next(c);
	case 1: return STACK + chance_below(c, WORDS * 9);
	default: return 0x1000 + chance_below(c, 0x1000);
	}
}

static void stack_look(struct chance *c, const struct cfi *cfi)
{
	uint64_t registers[ARCH_REGISTERS_MAX], stack[WORDS];
	const struct arch *arch = &arches[chance_below(c, ARCH_COUNT)];
	const struct unwind_input in = { .arch = arch,
					 .registers = registers,
					 .stack = stack,
					 .stack_size = chance_below(c, sizeof(stack) + 1),
					 .find = find,
					 .ctx = (void *)cfi };
	struct unwind_frame frames[MOST];
	enum unwind_end end;

	for (size_t i = 0; i < ARCH_REGISTERS_MAX; i++)
		registers[i] = word_make(c);
	for (size_t i = 0; i < WORDS; i++)
		stack[i] = word_make(c);
	registers[arch->sp] = STACK;
	registers[arch->mode] = arch->user_mode.value;
	FUZZ_CHECK(unwind(&in, frames, MOST, &end) <= MOST);
	FUZZ_CHECK(end <= UNWIND_DAMAGED);
}

static bool look_at(struct chance *c, uint8_t *bytes, size_t size)
{
	uint64_t start, length;
	struct cfi_row row;
	struct cfi *cfi;
	bool good = false;

	FUZZ_CHECK(!cfi_read(bytes, size, 0, size % 2, &cfi));
	FUZZ_CHECK(cfi_size(cfi) <= 3 * size + 256);
	for (size_t i = 0; i < 64 && cfi_range(cfi, i, &start, &length); i++) {
		int err = cfi_find(cfi, start + chance_below(c, 0x101), &row);

		FUZZ_CHECK(!err || err == -ENOENT || err == -EBADMSG);
		FUZZ_CHECK(err || row.return_register < CFI_REGISTERS);
		good |= !err;
	}
	for (int i = 0; i < 8; i++)
		stack_look(c, cfi);
	cfi_free(cfi);
	return good;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct chance chance = { size + 1 };
	uint8_t *copy = malloc(size + 1);

	memcpy(copy, data, size);
	look_at(&chance, copy, size);
	return 0;
}

#ifndef LIBFUZZER
/* Operations with operands that are often right. */
static size_t program_make(struct chance *c, uint8_t *program, size_t most)
{
	static const uint8_t pieces[][6] = {
		{ 1, 0x41 },
		{ 2, 0x0e, 16 },
		{ 2, 0x86, 2 },
		{ 2, 0x83, 3 },
		{ 1, 0x0a },
		{ 1, 0x0b },
		{ 3, 0x0c, 6, 16 },
		{ 2, 0x0d, 6 },
		{ 1, 0xc6 },
		{ 2, 0x07, 16 },
		{ 2, 0x08, 3 },
		{ 3, 0x09, 16, 0 },
		{ 5, 0x0f, 3, 0x77, 8, 0x06 },
		{ 5, 0x10, 16, 2, 0x77, 8 },
		{ 5, 0x16, 3, 2, 0x77, 0 },
		{ 2, 0x02, 3 },
		{ 3, 0x11, 6, 0x7e },
		{ 3, 0x14, 6, 2 },
		{ 1, 0x2d },
		{ 2, 0x2e, 8 },
		{ 5, 0x0f, 3, 0x2f, 0xfd, 0xff },
		{ 3, 0x12, 7, 0x7e },
	};
	size_t size = 0;

	for (uint32_t n = chance_below(c, 12); n; n--) {
		const uint8_t *piece = pieces[chance_below(c, sizeof(pieces) / sizeof(pieces[0]))];

		if (size + 5 > most)
			break;
		memcpy(program + size, piece + 1, piece[0]);
		size += piece[0];
	}
	return size;
}

static bool one_round(struct chance *c)
{
	static const char *const letters[] = { "zR", "zRS", "zPLR", "zRB", "", "eh" };
	static const uint8_t common[] = { CFI_SAMPLE_X86 };
	struct cfi_sample s = { .size = 0 };
	uint8_t program[64];
	size_t at = 0;

	for (uint32_t n = 1 + chance_below(c, 12); n; n--) {
		size_t size = program_make(c, program, sizeof(program));

		if (!s.size || !chance_below(c, 4))
			at = sample_common(&s, letters[chance_below(c, 3) ? 0 : chance_below(c, 6)],
					   common, sizeof(common));
		sample_function(&s, at, 0x1000 + 0x100 * chance_below(c, 16), program, size);
	}
	for (uint32_t changes = chance_below(c, 4); changes; changes--)
		s.bytes[chance_below(c, s.size)] = chance_next(c);
	if (!chance_below(c, 8))
		s.size = chance_below(c, s.size);
	return look_at(c, sample_copy(&s), s.size);
}

int main(int argc, char **argv)
{
	unsigned long count = argc > 1 ? strtoul(argv[1], NULL, 0) : 20000;
	unsigned long seed = argc > 2 ? strtoul(argv[2], NULL, 0) : 1, good = 0;

	for (unsigned long i = 0; i < count; i++) {
		struct chance c = { ((uint64_t)seed << 40 ^ i) * 0x9e3779b97f4a7c15ull | 1 };

		good += one_round(&c);
	}
	printf("%lu read, %lu refused\n", good, count - good);
	return 0;
}
#endif
