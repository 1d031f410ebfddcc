/* SPDX-License-Identifier: GPL-2.0-only */
/* test_callees.c - calls in instructions; levels of calls, and callers, in a simulated kernel: a core file and symbols. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "symbols/kernel/callees.h"
#include "symbols/kernel/callers.h"
#include "symbols/kernel/kcore.h"
#include "symbols/kernel/ksyms.h"
#include "unit.h"

#define TEXT 0xffffffff81000000ull
enum { FUNCTION = 0x40, FUNCTIONS = 6, OFFSET = 0x200 };

static uint64_t targets[8];
static size_t target_count;

static int target_keep(uint64_t target, void *ctx)
{
	(void)ctx;
	targets[target_count++] = target;
	return 0;
}

/* Takes the targets of a text at TEXT, of which there are `count`. */
static void scan(enum arch_id arch, const void *text, size_t size, size_t count)
{
	target_count = 0;
	assert_int_equal(calls_scan(arch, text, size, TEXT, target_keep, NULL), 0);
	assert_int_equal(target_count, count);
}

static void test_x86_64(void **state)
{
	static const uint8_t text[] = {
		0x90, 0xe8, 0x10, 0, 0, 0, 0xe9, 0xf0, 0xff, 0xff, 0xff, 0xc3, 0xe8, 0, 0, 0
	}; /* the last one is cut off */

	(void)state;
	scan(ARCH_X86_64, text, sizeof(text), 2);
	assert_int_equal(targets[0], TEXT + 6 + 0x10);
	assert_int_equal(targets[1], TEXT + 11 - 0x10);
}

static void test_arm64(void **state)
{
	static const uint32_t text[] = { 0xd503201f /* nop */, 0x94000004 /* bl +16 */,
					 0x17ffffff /* b -4 */, 0xd65f03c0 /* ret */ };

	(void)state;
	scan(ARCH_ARM64, text, sizeof(text), 2);
	assert_int_equal(targets[0], TEXT + 4 + 16);
	assert_int_equal(targets[1], TEXT + 8 - 4);
}

static void test_riscv64(void **state)
{
	static const uint8_t text[] = {
		0x01, 0,		      /* nop, of two bytes */
		0xef, 0,    0,	  0x01,	      /* jal ra, +16 */
		0x6f, 0xf0, 0xdf, 0xff,	      /* j -4 */
		0x97, 0x10, 0,	  0,	      /* auipc ra, 1 */
		0xe7, 0x80, 0x80, 0,	      /* jalr ra, 8(ra) */
		0x67, 0x80, 0,	  0,	0x6f, /* ret; cut off */
	};

	(void)state;
	scan(ARCH_RISCV64, text, sizeof(text), 3);
	assert_int_equal(targets[0], TEXT + 2 + 16);
	assert_int_equal(targets[1], TEXT + 6 - 4);
	assert_int_equal(targets[2], TEXT + 10 + 0x1000 + 8);
}

/* A call counts twice: it may be to a function's local entry. */
static void test_ppc64le(void **state)
{
	static const uint8_t text[] = {
		0x01, 0,    0,	  0x48,	      /* bl +0x0 */
		0xf9, 0xff, 0xff, 0x4b,	      /* bl -8 */
		0x10, 0,    0,	  0x48,	      /* b +16 */
		0x20, 0,    0x80, 0x4e,	      /* blr */
		0x12, 0,    0,	  0x48, 0x01, /* ba; cut off */
	};

	(void)state;
	scan(ARCH_PPC64LE, text, sizeof(text), 6);
	assert_int_equal(targets[0], TEXT);
	assert_int_equal(targets[1], TEXT - 8);
	assert_int_equal(targets[2], TEXT + 4 - 8);
	assert_int_equal(targets[4], TEXT + 8 + 16);
}

/* ---- by pointer ---- */

#define POINTERS(arch, count, ...)                                                                 \
	do {                                                                                       \
		static const uint8_t text[] = { __VA_ARGS__ };                                     \
		assert_int_equal(calls_by_pointer(arch, text, sizeof(text)), count);               \
	} while (0)

static void test_by_pointer(void **state)
{
	(void)state;
	/* call *%rax: prefixed (7.1), with a nop behind it (5.10), behind an lfence; call *%r11, both ways */
	POINTERS(ARCH_X86_64, 1, 0x90, 0x90, 0x2e, 0x2e, 0x2e, 0xff, 0xd0, 0x90, 0x90, 0x90);
	POINTERS(ARCH_X86_64, 1, 0x90, 0x90, 0x90, 0x90, 0xff, 0xd0, 0x0f, 0x1f, 0x00);
	POINTERS(ARCH_X86_64, 1, 0x00, 0x00, 0x00, 0x00, 0xff, 0xd0, 0x66, 0x66, 0x90);
	POINTERS(ARCH_X86_64, 1, 0x90, 0x0f, 0xae, 0xe8, 0xff, 0xd0, 0x90, 0x90, 0x90);
	POINTERS(ARCH_X86_64, 1, 0x90, 0x90, 0x90, 0x41, 0xff, 0xd3, 0x66, 0x90, 0x90);
	POINTERS(ARCH_X86_64, 1, 0x90, 0x90, 0x2e, 0x2e, 0x41, 0xff, 0xd3, 0x90, 0x90, 0x90);
	/* jmp *%rax as the last call; with notrack it is a switch; bytes of something else */
	POINTERS(ARCH_X86_64, 1, 0x90, 0x90, 0x90, 0x5b, 0xff, 0xe0, 0xcc, 0xcc, 0xcc);
	POINTERS(ARCH_X86_64, 0, 0x90, 0x90, 0x90, 0x3e, 0xff, 0xe0, 0xcc, 0xcc, 0xcc);
	POINTERS(ARCH_X86_64, 0, 0x90, 0xe8, 0x10, 0xff, 0xff, 0xff, 0xd1, 0xe8, 0xc3, 0xcc);
	/* blr x8, blraa x8, x9; ret */
	POINTERS(ARCH_ARM64, 2, 0x00, 0x01, 0x3f, 0xd6, 0x09, 0x09, 0x3f, 0xd7, 0xc0, 0x03, 0x5f,
		 0xd6);
	/* c.jalr a5; jalr 0(a5); auipc ra with its jalr; c.ebreak */
	POINTERS(ARCH_RISCV64, 2, 0x82, 0x97, 0xe7, 0x80, 0x07, 0x00, 0x97, 0x10, 0x00, 0x00, 0xe7,
		 0x80, 0x80, 0x00, 0x02, 0x90, 0x01, 0x00);
	/* bctrl; bctr; blr */
	POINTERS(ARCH_PPC64LE, 1, 0x21, 0x04, 0x80, 0x4e, 0x20, 0x04, 0x80, 0x4e, 0x20, 0x00, 0x80,
		 0x4e);
}

/* ---- a kernel: f0 … f5 ---- */

static uint8_t core[OFFSET + FUNCTIONS * FUNCTION];
static char core_path[] = "/tmp/test_callees.XXXXXX", symbols_path[] = "/tmp/test_callees.XXXXXX";

/* An instruction of function `from`, the n-th: to byte `into` of `to`. */
static void call_put(int from, int n, int to, int into)
{
	uint8_t *at = core + OFFSET + from * FUNCTION + 5 * n;
	int32_t distance = (to - from) * FUNCTION + into - 5 * n - 5;

	if (ARCH_NATIVE == ARCH_X86_64) {
		*at = 0xe8;
		memcpy(at + 1, &distance, 4);
		return;
	}
	at = core + OFFSET + from * FUNCTION + 4 * n;
	distance = (to - from) * FUNCTION + into - 4 * n;
	if (ARCH_NATIVE == ARCH_RISCV64) {
		uint32_t jal = (distance & 1 << 20) << 11 | (distance & 0x7fe) << 20 |
			       (distance & 0x800) << 9 | (distance & 0xff000) | 0xef;

		memcpy(at, &jal, 4);
		return;
	}
	if (ARCH_NATIVE == ARCH_PPC64LE) {
		memcpy(at, &(uint32_t){ 0x48000001 | (distance & 0x3fffffc) }, 4);
		return;
	}
	distance /= 4;
	memcpy(at, &(uint32_t){ 0x94000000 | (distance & 0x3ffffff) }, 4);
}

static void core_write(void)
{
	Elf64_Ehdr h = { .e_phoff = sizeof(h), .e_phnum = 1, .e_phentsize = sizeof(Elf64_Phdr) };
	Elf64_Phdr s = { .p_type = PT_LOAD,
			 .p_offset = OFFSET,
			 .p_vaddr = TEXT,
			 .p_filesz = FUNCTIONS * FUNCTION };
	int fd = mkstemp(core_path);

	memcpy(h.e_ident, ELFMAG, SELFMAG);
	h.e_ident[EI_CLASS] = ELFCLASS64;
	memcpy(core, &h, sizeof(h));
	memcpy(core + sizeof(h), &s, sizeof(s));
	call_put(0, 0, 1, 0);
	call_put(0, 1, 2, 0);
	call_put(0, 2, 1, 0);  /* again */
	call_put(0, 3, 5, 16); /* not to its first byte */
	call_put(1, 0, 3, 0);
	call_put(2, 0, 4, 0); /* what f3 calls, too */
	call_put(2, 1, 0, 0);
	call_put(3, 0, 4, 0);
	call_put(3, 1, 0, 0); /* back */
	assert_int_equal(write(fd, core, sizeof(core)), sizeof(core));
	close(fd);
}

static int kernel_make(void **state)
{
	FILE *f;

	(void)state;
	core_write();
	f = fdopen(mkstemp(symbols_path), "w");
	for (int i = 0; i <= FUNCTIONS; i++)
		fprintf(f, "%016llx t f%d\n", TEXT + i * FUNCTION, i);
	fclose(f);
	return ksyms_read(symbols_path);
}

static int kernel_remove(void **state)
{
	(void)state;
	return unlink(core_path) || unlink(symbols_path);
}

static void expect(const char *func, unsigned depth, size_t max, const char *names)
{
	struct kcore *k;
	struct callees c;
	char got[64] = "";

	assert_int_equal(kcore_open(core_path, &k), 0);
	assert_int_equal(callees_find(&c, k, func, depth, max), 0);
	for (size_t i = 0; i < c.count; i++)
		sprintf(got + strlen(got), " %s:%u", c.list[i].name, c.list[i].depth);
	assert_string_equal(got, names);
	callees_free(&c);
	kcore_close(k);
}

static void test_levels(void **state)
{
	(void)state;
	expect("f0", 1, 10, " f1:1 f2:1");
	expect("f0", 2, 10, " f1:1 f2:1 f3:2 f4:2");
	expect("f1", 9, 10, " f3:1 f4:2 f0:2 f2:3");
	expect("f0", 9, 3, " f1:1 f2:1 f3:2");
	expect("f3", 1, 10, " f4:1 f0:1");
	expect("f5", 3, 10, "");
}

/* Who calls `func`, who has the same calls, whether it may be called by a pointer. */
static void expect_callers(const char *func, const char *names)
{
	struct kcore *k;
	struct callers c;
	char got[64] = "";

	assert_int_equal(kcore_open(core_path, &k), 0);
	assert_int_equal(callers_find(&c, k, func), 0);
	for (size_t i = 0; i < c.calls.count; i++)
		sprintf(got + strlen(got), " %s", c.calls.names[i]);
	strcat(got, ";");
	for (size_t i = 0; i < c.like.count; i++)
		sprintf(got + strlen(got), " %s", c.like.names[i]);
	assert_string_equal(got, names);
	assert_true(c.may_be_pointed); /* there are no symbols of data */
	assert_null(c.copy);
	kcore_close(k);
}

static void test_callers(void **state)
{
	(void)state;
	expect_callers("f4", " f2 f3;");
	expect_callers("f3", " f1; f2");
	expect_callers("f5", ";"); /* a jump into it is no call */
	expect_callers("f1", " f0;");
}

static void test_cannot(void **state)
{
	struct kcore *k = NULL;
	struct callers callers;
	struct callees c;
	char byte;

	(void)state;
	assert_int_equal(kcore_open("/nowhere/kcore", &k), -ENOENT);
	assert_int_equal(kcore_open(symbols_path, &k), -EBADMSG);
	kcore_close(NULL);
	assert_int_equal(kcore_open(core_path, &k), 0);
	assert_int_equal(kcore_read(k, TEXT - 1, &byte, 1), -EFAULT);
	assert_int_equal(kcore_read(k, TEXT + sizeof(core), &byte, 1), -EFAULT);
	assert_int_equal(callees_find(&c, k, "f7", 1, 10), -ESRCH);
	callees_free(&c);
	assert_int_equal(callers_find(&callers, k, "f7"), -ESRCH);
	kcore_close(k);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_x86_64),	   cmocka_unit_test(test_arm64),
		cmocka_unit_test(test_riscv64),	   cmocka_unit_test(test_ppc64le),
		cmocka_unit_test(test_levels),	   cmocka_unit_test(test_cannot),
		cmocka_unit_test(test_by_pointer), cmocka_unit_test(test_callers),
	};

	return cmocka_run_group_tests(tests, kernel_make, kernel_remove);
}
