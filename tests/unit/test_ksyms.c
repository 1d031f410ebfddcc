/* SPDX-License-Identifier: GPL-2.0-only */
/* test_ksyms.c - kernel symbols out of made-up kallsyms files. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "symbols/kernel/ksyms.h"
#include "unit.h"

static char path[] = "/tmp/test_ksyms.XXXXXX";

static int text_read(const char *text)
{
	int fd = open(path, O_WRONLY | O_TRUNC);
	size_t len = strlen(text);

	assert_int_equal(write(fd, text, len), len);
	close(fd);
	return ksyms_read(path);
}

static void expect(uint64_t address, const char *name, uint64_t offset, const char *module)
{
	const char *got, *in = "unset";
	uint64_t at = ~0ull;

	got = ksyms_name(address, &at, &in);
	if (!name) {
		assert_null(got);
		return;
	}
	assert_non_null(got);
	assert_string_equal(got, name);
	assert_int_equal(at, offset);
	if (module)
		assert_string_equal(in, module);
	else
		assert_null(in);
}

/* Per-CPU offsets first, modules out of order, aliases, padding, a program of BPF. */
static const char kernel[] = "0000000000000000 A fixed_percpu_data\n"
			     "0000000000020000 A current_task\n"
			     "ffffffff81000000 T _stext\n"
			     "ffffffff81000000 T _text\n"
			     "ffffffff81000ff0 t __pfx_vfs_read\n"
			     "ffffffff81001000 T vfs_read\n"
			     "ffffffff81001100 T vfs_write\n"
			     "ffffffff81001200 t helper\n"
			     "ffffffff81001300 t helper\n"
			     "ffffffff82000000 D jiffies\n"
			     "ffffffff82100000 B _end\n"
			     "ffffffffc0203000 t nf_late\t[nf_conntrack]\n"
			     "ffffffffc0201000 t nf_conntrack_in\t[nf_conntrack]\n"
			     "ffffffffc0201000 t nf_alias\t[nf_conntrack]\n"
			     "ffffffffc0100000 t ext4_file_read_iter\t[ext4]\n"
			     "ffffffffc0208000 d nf_data\t[nf_conntrack]\n"
			     "ffffffffc0300000 t bpf_prog_0123456789abcdef_x\t[bpf]\n";

static void by_address(void **state)
{
	(void)state;
	assert_int_equal(text_read(kernel), 0);
	expect(0xffffffff81001000, "vfs_read", 0, NULL);
	expect(0xffffffff81001012, "vfs_read", 0x12, NULL);
	expect(0xffffffff810010ff, "vfs_read", 0xff, NULL);
	expect(0xffffffff81001100, "vfs_write", 0, NULL);
	expect(0xffffffff82000008, "jiffies", 8, NULL);
	expect(0xffffffffc0100004, "ext4_file_read_iter", 4, "ext4");
	expect(0xffffffffc0203004, "nf_late", 4, "nf_conntrack");
	expect(0xffffffffc0300010, "bpf_prog_0123456789abcdef_x", 0x10, "bpf");
}

/* Up to the next symbol, but not to the padding that is the next one's. */
static void sizes(void **state)
{
	(void)state;
	assert_int_equal(text_read(kernel), 0);
	assert_int_equal(ksyms_size(0xffffffff81000010), 0xff0);
	assert_int_equal(ksyms_size(0xffffffff81001012), 0x100);
	assert_int_equal(ksyms_size(0xffffffff81001100), 0x100);
	assert_int_equal(ksyms_size(0xffffffffc0201004), 0x2000 - 0x10);
	assert_int_equal(ksyms_size(0x00007fffdeadbeef), 0);
	assert_int_equal(ksyms_size(0xffffffffc0300010), 0); /* the last one */
}

static void of_aliases_the_first(void **state)
{
	(void)state;
	assert_int_equal(text_read(kernel), 0);
	expect(0xffffffff81000010, "_stext", 0x10, NULL);
	expect(0xffffffffc0201004, "nf_conntrack_in", 4, "nf_conntrack");
}

static void addresses_of_nobody(void **state)
{
	(void)state;
	assert_int_equal(text_read(kernel), 0);
	expect(0, NULL, 0, NULL);
	expect(0x20004, NULL, 0, NULL);		   /* per-CPU: an offset, no address */
	expect(0x00007fffdeadbeef, NULL, 0, NULL); /* a user's */
	expect(0xffff888012345678, NULL, 0, NULL); /* below the kernel's image */
	expect(0xffffffff82100000, NULL, 0, NULL); /* behind it */
	expect(0xffffffffc0000000, NULL, 0, NULL);
	expect(0xffffffffc0900000, NULL, 0, NULL); /* far behind the last module */
	expect(0xffffffffc0101fff, "ext4_file_read_iter", 0x1fff, "ext4"); /* its guard page */
	expect(0xffffffffc0102000, NULL, 0, NULL);
	expect(0xffffffffc0202fff, "nf_conntrack_in", 0x1fff, "nf_conntrack");
	expect(0xffffffffc0206000, NULL, 0, NULL); /* from functions to data: a gap */
	expect(~0ull, NULL, 0, NULL);
}

static void by_name(void **state)
{
	size_t count;

	(void)state;
	assert_int_equal(text_read(kernel), 0);
	assert_int_equal(ksyms_address("vfs_write", NULL), 0xffffffff81001100);
	assert_int_equal(ksyms_address("nf_late", &count), 0xffffffffc0203000);
	assert_int_equal(count, 1);
	assert_int_equal(ksyms_address("helper", &count), 0xffffffff81001200);
	assert_int_equal(count, 2);
	assert_int_equal(ksyms_address("fixed_percpu_data", &count), 0);
	assert_int_equal(count, 1);
	assert_int_equal(ksyms_address("vfs_rea", &count), 0);
	assert_int_equal(count, 0);
	assert_int_equal(ksyms_address("__pfx_vfs_read", NULL), 0);
}

/* Only those that the list begins with, if it shows them. */
static void offsets_of_variables(void **state)
{
	static const char *const names[] = { "runqueues", "count" }, *const late[] = { "count",
										       "jiffies" };
	static const char *const texts[] = {
		"0000000000000000 A fixed\n000000000001fb80 A count\n0000000000033440 A runqueues\nffffffff81000000 T _stext\n",
		"0000000000000000 A fixed\n0000000000000000 A count\n0000000000000000 A runqueues\n0000000000000000 D jiffies\n",
		"ffffffff81000000 T _stext\nffffffff82000000 D count\nffffffff82000000 D runqueues\n",
		"",
	};
	uint64_t offsets[2];

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		text_read(texts[i]);
		assert_int_equal(ksyms_offsets(path, names, offsets, 2), i == 0);
		if (!i) {
			assert_int_equal(offsets[0], 0x33440);
			assert_int_equal(offsets[1], 0x1fb80);
		}
		assert_false(ksyms_offsets(path, late, offsets, 2));
	}
	assert_false(ksyms_offsets("/no/such/file", names, offsets, 2));
}

static void one_by_one(void **state)
{
	struct ksym s;
	size_t i = 0;

	(void)state;
	assert_int_equal(text_read(kernel), 0);
	assert_true(ksyms_get(4, &s));
	assert_string_equal(s.name, "vfs_read");
	assert_int_equal(s.type, 'T');
	assert_null(s.module);
	assert_true(ksyms_get(10, &s));
	assert_string_equal(s.name, "ext4_file_read_iter");
	assert_string_equal(s.module, "ext4");
	assert_int_equal(s.type, 't');
	for (i = 0; ksyms_get(i, &s);)
		i++;
	assert_int_equal(i, 16); /* all but the padding */
}

static void hidden_addresses(void **state)
{
	size_t count;

	(void)state;
	assert_int_equal(text_read("0000000000000000 T _stext\n"
				   "0000000000000000 T vfs_read\n"
				   "0000000000000000 t x\t[ext4]\n"),
			 -EPERM);
	assert_non_null(strstr(ksyms_hint(-EPERM), "kptr_restrict"));
	expect(0xffffffff81001000, NULL, 0, NULL);
	assert_int_equal(ksyms_address("vfs_read", &count), 0);
	assert_int_equal(count, 1);
}

static void files_that_are_none(void **state)
{
	(void)state;
	assert_int_equal(ksyms_read("/no/such/file"), -ENOENT);
	expect(0xffffffff81001000, NULL, 0, NULL);
	assert_int_equal(text_read(""), -ENODATA);
	assert_int_equal(text_read("\n\nffff\n81 \n"), -ENODATA);
	assert_true(*ksyms_hint(-ENODATA));
	assert_false(*ksyms_hint(0));
}

/* Chunks end anywhere in a line; a line that is too long is nobody's. */
static void many_lines(void **state)
{
	const size_t lines = 300000;
	char *text = malloc(lines * 40 + 5000), *to = text;

	(void)state;
	for (size_t i = 0; i < lines; i++) {
		if (i == 1000)
			to += sprintf(to, "%016lx t %02000d\n", 0xffffffff80000000ul + i * 16, 0);
		to += sprintf(to, "%016lx t symbol_%zu\n", 0xffffffff80000000ul + i * 16, i);
	}
	assert_int_equal(text_read(text), 0);
	free(text);
	for (size_t i = 0; i < lines; i += 997) {
		char name[32];

		sprintf(name, "symbol_%zu", i);
		expect(0xffffffff80000000ul + i * 16 + i % 16, name, i % 16, NULL);
	}
	assert_int_equal(ksyms_address("symbol_299999", NULL), 0xffffffff80000000ul + 299999 * 16);
	expect(0xffffffff80000000ul + 1000 * 16, "symbol_1000", 0, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_address),
		cmocka_unit_test(sizes),
		cmocka_unit_test(of_aliases_the_first),
		cmocka_unit_test(addresses_of_nobody),
		cmocka_unit_test(by_name),
		cmocka_unit_test(offsets_of_variables),
		cmocka_unit_test(one_by_one),
		cmocka_unit_test(hidden_addresses),
		cmocka_unit_test(files_that_are_none),
		cmocka_unit_test(many_lines),
	};
	int failed;

	close(mkstemp(path));
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	unlink(path);
	return failed;
}
