/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_usdt.c - where an argument of a USDT probe is → an expression; the notes of a file.
 */
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "unit.h"
#include "usdt_sample.h"
#include "probe/usdt_arg.h"
#include "symbols/user/usdt.h"

static struct usdt_arg args[USDT_ARGS_MAX];

/* One argument: its size (negative: signed) and its expression. */
static void one(enum arch_id arch, const char *note, int size, const char *text)
{
	assert_int_equal(usdt_args_parse(arch, note, args), 1);
	if (strcmp(args[0].text, text))
		fail_msg("%s: '%s', not '%s'", note, args[0].text, text);
	if (*text)
		assert_int_equal(args[0].is_signed ? -args[0].size : args[0].size, size);
	assert_string_equal(args[0].note, note);
}

static void test_x86(void **state)
{
	(void)state;
	one(ARCH_X86_64, "8@%rdi", 8, "$reg(di)");
	one(ARCH_X86_64, "-4@%eax", -4, "$reg(ax)");
	one(ARCH_X86_64, "2@%r8w", 2, "$reg(r8)");
	one(ARCH_X86_64, "1@%r15b", 1, "$reg(r15)");
	one(ARCH_X86_64, "-1@%dil", -1, "$reg(di)");
	one(ARCH_X86_64, "1@%spl", 1, "$reg(sp)");
	one(ARCH_X86_64, "1@%cl", 1, "$reg(cx)");
	one(ARCH_X86_64, "1@%dh", 1, "$reg(dx) >> 8");
	one(ARCH_X86_64, "2@%bp", 2, "$reg(bp)");
	one(ARCH_X86_64, "%rsi", 8, "$reg(si)");
	one(ARCH_X86_64, "4@$5", 4, "(long)0x5UL");
	one(ARCH_X86_64, "-4@$-5", -4, "(long)0xfffffffffffffffbUL");
	one(ARCH_X86_64, "8@$18446744073709551615", 8, "(long)0xffffffffffffffffUL");
	one(ARCH_X86_64, "8@$0", 8, "(long)0UL");
	one(ARCH_X86_64, "-4@-20(%rbp)", -4, "*(int __user *)(-20 + $reg(bp))");
	one(ARCH_X86_64, "8@(%rax)", 8, "*(unsigned long __user *)(0 + $reg(ax))");
	one(ARCH_X86_64, "8@8(%rax,%rdx,4)", 8,
	    "*(unsigned long __user *)(8 + $reg(ax) + $reg(dx) * 4)");
	one(ARCH_X86_64, "1@(,%rcx,8)", 1, "*(unsigned char __user *)(0 + $reg(cx) * 8)");
	one(ARCH_X86_64, "2@0x10(%r12,%r13)", 2,
	    "*(unsigned short __user *)(16 + $reg(r12) + $reg(r13) * 1)");
}

static void test_arm64(void **state)
{
	(void)state;
	one(ARCH_ARM64, "8@x0", 8, "$reg(x0)");
	one(ARCH_ARM64, "-4@w19", -4, "$reg(x19)");
	one(ARCH_ARM64, "8@sp", 8, "$reg(sp)");
	one(ARCH_ARM64, "4@5", 4, "(long)0x5UL");
	one(ARCH_ARM64, "-4@-1", -4, "(long)0xffffffffffffffffUL");
	one(ARCH_ARM64, "8@[x0]", 8, "*(unsigned long __user *)(0 + $reg(x0))");
	one(ARCH_ARM64, "-8@[sp, 16]", -8, "*(long __user *)(16 + $reg(sp))");
	one(ARCH_ARM64, "-8@[sp, #-16]", -8, "*(long __user *)(-16 + $reg(sp))");
	one(ARCH_ARM64, "4@[x1, x2]", 4,
	    "*(unsigned int __user *)(0 + $reg(x1) + ($reg(x2) << 0))");
	one(ARCH_ARM64, "8@[x1, x2, lsl 3]", 8,
	    "*(unsigned long __user *)(0 + $reg(x1) + ($reg(x2) << 3))");
}

static void test_riscv64(void **state)
{
	static const char *const unreadable[] = { "8@-88(s0", "8@x5(", "8@fa0",
						  "8@",	      "8@()",  "8@8(5)" };

	(void)state;
	one(ARCH_RISCV64, "8@a0", 8, "$reg(a0)");
	one(ARCH_RISCV64, "-4@5", -4, "(long)0x5UL");
	one(ARCH_RISCV64, "-8@-88(s0)", -8, "*(long __user *)(-88 + $reg(s0))");
	one(ARCH_RISCV64, "1@(a5)", 1, "*(unsigned char __user *)(0 + $reg(a5))");
	for (size_t i = 0; i < COUNT(unreadable); i++)
		one(ARCH_RISCV64, unreadable[i], 8, "");
}

static void test_ppc64le(void **state)
{
	static const char *const unreadable[] = { "8@3",      "8@-5", "8@96(",	  "8@96(%f1)",
						  "8@96(99)", "8@%3", "8@96(259)" };

	(void)state;
	one(ARCH_PPC64LE, "8@%r3", 8, "$reg(r3)");
	one(ARCH_PPC64LE, "-4@96(31)", -4, "*(int __user *)(96 + $reg(r31))");
	one(ARCH_PPC64LE, "1@-8(%r1)", 1, "*(unsigned char __user *)(-8 + $reg(r1))");
	for (size_t i = 0; i < COUNT(unreadable); i++)
		one(ARCH_PPC64LE, unreadable[i], 8, "");
}

/* They are arguments all the same, without a value. */
static void test_unreadable(void **state)
{
	static const char *const x86[] = {
		"8f@%xmm0",   "8@%xmm0",  "8@foo(%rip)",
		"8@16(%rip)", "8@foo",	  "3@%rax",
		"16@%rax",    "8@%rax)",  "8@8(%rax",
		"8@8(%rax,)", "8@$",	  "8@",
		"@%rax",      "8@%",	  "8@()",
		"8@(,)",      "8@%r8q",	  "8@8(%rax,%rdx,16)",
		"8@%raxxxxx", "8@8(%ah)", "8@$x",
		"8@8",	      "8@%rax$5", "8@(%rax,%rdx,4,5)",
	};
	static const char *const arm64[] = { "8@[x0", "8@[x0,]", "8@x99", "8@[x1, x2, lsr 3]",
					     "8@d0",  "8@[]",	 "8@",	  "8@[x1, x2, lsl 9]" };

	(void)state;
	for (size_t i = 0; i < COUNT(x86); i++)
		one(ARCH_X86_64, x86[i], 8, "");
	for (size_t i = 0; i < COUNT(arm64); i++)
		one(ARCH_ARM64, arm64[i], 8, "");
}

static void test_lists(void **state)
{
	char text[2000];

	(void)state;
	assert_int_equal(usdt_args_parse(ARCH_X86_64, "", args), 0);
	assert_int_equal(usdt_args_parse(ARCH_X86_64, "  ", args), 0);
	assert_int_equal(usdt_args_parse(ARCH_X86_64, " 8@%rdi  -4@-20(%rbp) ", args), 2);
	assert_string_equal(args[1].text, "*(int __user *)(-20 + $reg(bp))");
	assert_int_equal(usdt_args_parse(ARCH_ARM64, "8@[sp, 16] 4@w1 8@[x0, x1, lsl 3]", args), 3);
	assert_string_equal(args[1].text, "$reg(x1)");
	/* no more than there is room for */
	memset(text, ' ', sizeof(text) - 1);
	text[sizeof(text) - 1] = 0;
	for (size_t i = 0; i + 1 < sizeof(text); i += 2)
		text[i] = '1';
	assert_int_equal(usdt_args_parse(ARCH_X86_64, text, args), USDT_ARGS_MAX);
	memset(text, '[', sizeof(text) - 1);
	assert_int_equal(usdt_args_parse(ARCH_ARM64, text, args), 1);
	assert_string_equal(args[0].text, "");
}

/* ---- notes ---- */

static struct usdt_sample sample;
static struct usdt_notes notes;

static int sample_read(size_t size)
{
	int fd = memfd_create("sample", MFD_CLOEXEC), err;
	char path[32];

	assert_int_equal(write(fd, &sample, size), size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	err = usdt_read(path, &notes);
	close(fd);
	return err;
}

static void check_note(size_t i, const char *provider, const char *name, uint64_t offset,
		       uint64_t semaphore)
{
	assert_true(i < notes.count);
	assert_string_equal(notes.list[i].provider, provider);
	assert_string_equal(notes.list[i].name, name);
	assert_int_equal(notes.list[i].offset, offset);
	assert_int_equal(notes.list[i].semaphore, semaphore);
}

static void test_notes(void **state)
{
	(void)state;
	usdt_sample_make(&sample);
	usdt_note(&sample, 0x401020, 0x401f00, 0, NOTE_TEXTS("p", "b", "8@%rdi"));
	usdt_note(&sample, 0x401010, 0x401f00, 0x402004, NOTE_TEXTS("p", "b", "4@%esi"));
	usdt_note(&sample, 0x401010, 0x401f00, 0x402004, NOTE_TEXTS("p", "b", "twice"));
	usdt_note(&sample, 0x401000, 0x401f00, 0, NOTE_TEXTS("p", "a", ""));
	/* made for a base 0x1000 below */
	usdt_note(&sample, 0x400030, 0x400f00, 0x401008, NOTE_TEXTS("o", "z", "x"));
	assert_int_equal(sample_read(sizeof(sample)), 0);
	assert_int_equal(notes.count, 4);
	check_note(0, "o", "z", 0x130, 0x808);
	check_note(1, "p", "a", 0x100, 0);
	check_note(2, "p", "b", 0x110, 0x804);
	check_note(3, "p", "b", 0x120, 0);
	assert_string_equal(notes.list[3].args, "8@%rdi");
	assert_int_equal(usdt_places(&notes, 1), 1);
	assert_int_equal(usdt_places(&notes, 2), 2);
	usdt_free(&notes);
}

/* What contradicts itself is passed over, the rest is read. */
static void test_damaged_notes(void **state)
{
	static char long_name[300];

	(void)state;
	usdt_sample_make(&sample);
	memset(long_name, 'x', sizeof(long_name) - 1);
	usdt_note(&sample, 0x401000, 0x401f00, 0, NOTE_TEXTS("p", "two")); /* no arguments */
	usdt_note(&sample, 0x401000, 0x401f00, 0, NOTE_TEXTS("", "x", "y"));
	usdt_note(&sample, 0x401000, 0x401f00, 0, NOTE_TEXTS("p", "a\033[31m", ""));
	usdt_note(&sample, 0x401000, 0x401f00, 0, NOTE_TEXTS("p\"q", "x", ""));
	usdt_note(&sample, 0x500000, 0x401f00, 0, NOTE_TEXTS("p", "nowhere", ""));
	usdt_note(&sample, 0x401000, 0x401f00, 0x403000, NOTE_TEXTS("p", "semaphore", ""));
	usdt_note(&sample, 0x401000, 0x401f00, 0, NOTE_TEXTS("p", long_name, ""));
	usdt_note(&sample, 0x401000, 0x401f00, 0, NOTE_TEXTS("p", "last", ""));
	assert_int_equal(sample_read(sizeof(sample)), 0);
	assert_int_equal(notes.count, 2);
	check_note(0, "p", "last", 0x100, 0);
	usdt_free(&notes);

	sample.sections[NOTE_NOTES].sh_size -= 8; /* the last one ends too late */
	assert_int_equal(sample_read(sizeof(sample)), 0);
	assert_int_equal(notes.count, 1);
	usdt_free(&notes);

	sample.sections[NOTE_NOTES].sh_size = 1 << 20;
	assert_int_equal(sample_read(sizeof(sample)), -ENOEXEC);
	usdt_free(&notes);
	sample.sections[NOTE_NOTES].sh_size = 1ull << 40;
	assert_int_equal(sample_read(sizeof(sample)), -EFBIG);
	usdt_free(&notes);
	assert_int_equal(sample_read(100), -ENOEXEC);
	usdt_free(&notes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_x86),	   cmocka_unit_test(test_arm64),
		cmocka_unit_test(test_riscv64),	   cmocka_unit_test(test_ppc64le),
		cmocka_unit_test(test_unreadable), cmocka_unit_test(test_lists),
		cmocka_unit_test(test_notes),	   cmocka_unit_test(test_damaged_notes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
