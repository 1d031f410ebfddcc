/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_unpack.c - the decoder of lz4, as kernels use it: what the format says, and damaged blocks.
 */
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "unit.h"
#include "util/unpack.h"

#define BYTES(...) (const uint8_t[]){ __VA_ARGS__ }, sizeof((const uint8_t[]){ __VA_ARGS__ })

/* Decodes one block. Returns the number of bytes, or -errno. */
static ssize_t block_decode(const uint8_t *block, size_t size, char *to, size_t room)
{
	uint8_t packed[512] = { 0x02, 0x21, 0x4c, 0x18, size, size >> 8 };
	int fd = memfd_create("unpacked", 0), err;
	ssize_t n;

	assert_true(fd >= 0 && size + 8 <= sizeof(packed));
	memcpy(packed + 8, block, size);
	err = unpack_to(fd, packed, size + 8);
	n = pread(fd, to, room, 0);
	close(fd);
	return err ? err : n;
}

static void assert_decoded(const uint8_t *block, size_t size, const char *text)
{
	char got[1024] = "";

	assert_int_equal(block_decode(block, size, got, sizeof(got) - 1), strlen(text));
	assert_string_equal(got, text);
}

static void test_lz4(void **state)
{
	uint8_t longer[300] = { 0xf0, 255, 5 };
	char text[276] = "";

	(void)state;
	assert_decoded(BYTES(0x50, 'h', 'e', 'l', 'l', 'o'), "hello");
	/* 3 literals, 4 bytes from 3 before, 1 literal */
	assert_decoded(BYTES(0x30, 'a', 'b', 'c', 3, 0, 0x10, '!'), "abcabca!");
	/* the repetition overlaps itself, and its length continues: 4 + 15 + 1 */
	assert_decoded(BYTES(0x1f, 'x', 1, 0, 1, 0x10, 'y'), "xxxxxxxxxxxxxxxxxxxxxy");
	/* 15 + 255 + 5 literals */
	memset(longer + 3, 'z', 275);
	memset(text, 'z', 275);
	assert_decoded(longer, 278, text);
}

static void test_lz4_damaged(void **state)
{
	static const uint8_t cut_length[] = { 0xf0, 255 }, cut_literals[] = { 0x50, 'a' },
			     cut_distance[] = { 0x10, 'a', 1 },
			     no_distance[] = { 0x10, 'a', 0, 0, 0x10, 'b' },
			     too_far[] = { 0x10, 'a', 2, 0, 0x10, 'b' },
			     cut_repeat[] = { 0x1f, 'a', 1, 0, 255 },
			     no_literals_at_end[] = { 0x10, 'a', 1, 0 };
	static const struct {
		const uint8_t *bytes;
		size_t size;
	} cases[] = {
		{ cut_length, sizeof(cut_length) },
		{ cut_literals, sizeof(cut_literals) },
		{ cut_distance, sizeof(cut_distance) },
		{ no_distance, sizeof(no_distance) },
		{ too_far, sizeof(too_far) },
		{ cut_repeat, sizeof(cut_repeat) },
		{ no_literals_at_end, sizeof(no_literals_at_end) },
	};
	char got[64];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(block_decode(cases[i].bytes, cases[i].size, got, sizeof(got)),
				 -EBADMSG);
}

/* A block has room for 8 MiB, and no byte more. */
static void test_lz4_too_long(void **state)
{
	enum { LENGTH = 40000 };
	static uint8_t packed[8 + 5 + LENGTH] = { 0x02, 0x21, 0x4c, 0x18 };
	uint32_t size = sizeof(packed) - 8;
	int fd = memfd_create("unpacked", 0);

	(void)state;
	memcpy(packed + 4, &size, sizeof(size));
	memcpy(packed + 8, (const uint8_t[]){ 0x1f, 'a', 1, 0 }, 4);
	memset(packed + 12, 255, LENGTH);
	assert_int_equal(unpack_to(fd, packed, sizeof(packed)), -EBADMSG);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lz4),
		cmocka_unit_test(test_lz4_damaged),
		cmocka_unit_test(test_lz4_too_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
