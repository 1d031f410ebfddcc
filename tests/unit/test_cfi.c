/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_cfi.c - call frame information: each row of real libraries as readelf has it, expressions,
 * and sections that contradict themselves.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "kernel/arch.h"
#include "symbols/user/cfi.h"
#include "symbols/user/dwarf_expr.h"
#include "symbols/user/elf_file.h"
#include "symbols/user/usyms_elf.h"
#include "cfi_sample.h"
#include "unit.h"

/* ---- what readelf prints ---- */

static const char *const names[] = { "rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp", "r8",
				     "r9",  "r10", "r11", "r12", "r13", "r14", "r15", "ra" };

static int register_named(const char *name)
{
	for (size_t i = 0; i < COUNT(names); i++)
		if (!strcmp(names[i], name))
			return i;
	return -1;
}

/* readelf has the same u for what is lost and for what nothing is said about. */
static void rule_text(const struct cfi_rule *r, const char *theirs, char *to, size_t size)
{
	switch (r->how) {
	case CFI_SAME: snprintf(to, size, "%s", *theirs == 's' ? "s" : "u"); break;
	case CFI_UNDEFINED: snprintf(to, size, "u"); break;
	case CFI_AT: snprintf(to, size, "c%+lld", (long long)r->offset); break;
	case CFI_VALUE: snprintf(to, size, "v%+lld", (long long)r->offset); break;
	case CFI_REGISTER: snprintf(to, size, "%s", names[r->reg]); break;
	case CFI_AT_EXPR: snprintf(to, size, "exp"); break;
	case CFI_VALUE_EXPR: snprintf(to, size, "vexp"); break;
	}
}

static void frame_text(const struct cfi_rule *r, char *to, size_t size)
{
	if (r->how == CFI_REGISTER)
		snprintf(to, size, "%s%+lld", names[r->reg], (long long)r->offset);
	else
		snprintf(to, size, "exp");
}

struct table {
	int columns[32]; /* the registers; after the frame's address */
	size_t count;
	size_t rows;
	char row[24][32];
	uint64_t at;
};

static void header_read(struct table *t, char *line)
{
	char *word = strtok(line, " \n");

	t->count = 0;
	for (word = strtok(NULL, " \n"); (word = strtok(NULL, " \n"));) {
		assert_in_range(register_named(word), 0, COUNT(names) - 1);
		t->columns[t->count++] = register_named(word);
	}
}

static void row_compare(const struct table *t, const struct cfi *cfi, uint64_t address)
{
	struct cfi_row row;
	char text[64];
	int err = cfi_find(cfi, address, &row);

	if (err)
		fail_msg("%#llx: %s", (unsigned long long)address, strerror(-err));
	frame_text(&row.frame, text, sizeof(text));
	if (strcmp(text, t->row[0]))
		fail_msg("%#llx: frame %s, not %s", (unsigned long long)address, text, t->row[0]);
	for (size_t i = 0; i < t->count; i++) {
		rule_text(&row.registers[t->columns[i]], t->row[1 + i], text, sizeof(text));
		if (strcmp(text, t->row[1 + i]))
			fail_msg("%#llx: %s is %s, not %s", (unsigned long long)address,
				 names[t->columns[i]], text, t->row[1 + i]);
	}
}

/* A row is for all addresses up to the next one's. */
static void row_end(struct table *t, const struct cfi *cfi, uint64_t end)
{
	if (t->at == UINT64_MAX || end <= t->at)
		return;
	row_compare(t, cfi, t->at);
	row_compare(t, cfi, end - 1);
	t->rows++;
	t->at = UINT64_MAX;
}

static bool row_read(struct table *t, const struct cfi *cfi, char *line)
{
	char *end, *word;
	uint64_t at = strtoull(line, &end, 16);

	if (end != line + 16 || *end != ' ')
		return false;
	row_end(t, cfi, at);
	t->at = at;
	word = strtok(end, " \n");
	for (size_t i = 0; word && i < COUNT(t->row); word = strtok(NULL, " \n")) {
		if (*word == '(') /* r1 (rdx) */
			sscanf(word, "(%31[^)]", t->row[i - 1]);
		else
			snprintf(t->row[i++], sizeof(t->row[0]), "%s", word);
	}
	return true;
}

/* Returns the number of rows. */
static size_t rows_compare(FILE *f, const struct cfi *cfi)
{
	unsigned long long start, end = 0;
	struct table t = { .at = UINT64_MAX };
	bool is_entry = false;
	char line[1024], *pc;

	while (fgets(line, sizeof(line), f)) {
		pc = strstr(line, " pc=");
		if (pc || strstr(line, " CIE ")) {
			row_end(&t, cfi, end);
			is_entry = pc && sscanf(pc, " pc=%llx..%llx", &start, &end) == 2;
		} else if (is_entry && strstr(line, "   LOC ")) {
			header_read(&t, line);
		} else if (is_entry) {
			row_read(&t, cfi, line);
		}
	}
	row_end(&t, cfi, end);
	return t.rows;
}

static struct usyms_elf *file_read(const char *path)
{
	struct usyms_elf *e = NULL;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return NULL;
	usyms_elf_read(fd, NULL, 0, &e);
	assert_int_equal(usyms_elf_read_cfi(e, fd, NULL, 0), 0);
	close(fd);
	return e;
}

static void test_libraries(void **state)
{
	static const struct {
		const char *path;
		size_t rows; /* at least */
	} files[] = {
		{ "/lib/x86_64-linux-gnu/libc.so.6", 20000 },
		{ "/lib64/ld-linux-x86-64.so.2", 1000 },
		{ "/lib/x86_64-linux-gnu/libstdc++.so.6", 1000 },
		{ "/lib/x86_64-linux-gnu/libcrypto.so.3", 1000 }, /* in part by hand */
		{ "/bin/sh", 100 },
	};
	char command[256];

	(void)state;
	for (size_t i = 0; i < COUNT(files); i++) {
		struct usyms_elf *e = file_read(files[i].path);
		size_t rows;
		FILE *f;

		if (!e || ARCH_NATIVE != ARCH_X86_64)
			continue;
		snprintf(command, sizeof(command),
			 "readelf --debug-dump=no-follow-links,frames-interp %s 2>/dev/null",
			 files[i].path);
		f = popen(command, "r");
		rows = rows_compare(f, usyms_elf_cfi(e));
		printf("# %s: %zu rows\n", files[i].path, rows);
		if (!pclose(f))
			assert_true(rows >= files[i].rows);
		usyms_elf_free(e);
	}
}

/* ---- expressions ---- */

static bool expr_register(void *ctx, unsigned reg, uint64_t *value)
{
	(void)ctx;
	*value = reg == 16 ? 0x40100b : 0x7000 + reg;
	return reg < 17;
}

static bool expr_memory(void *ctx, uint64_t address, size_t size, uint64_t *value)
{
	(void)ctx;
	*value = address * 2;
	return size == 8 && address < 0x10000;
}

static const struct dwarf_machine machine = { expr_register, expr_memory, NULL };

#define EXPR(first, ...)                                                                           \
	dwarf_expr((const uint8_t[]){ __VA_ARGS__ }, sizeof((uint8_t[]){ __VA_ARGS__ }), &machine, \
		   first, &value)

static void test_expressions(void **state)
{
	uint64_t value = 0, first = 0x500;

	(void)state;
	/* what linkers write for the PLT: rsp + 8 + ((rip & 15) >= 11) << 3 */
	assert_true(EXPR(NULL, 0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22));
	assert_int_equal(value, 0x7007 + 8 + 8);
	/* what libc has for a signal: *(rsp + 160) */
	assert_true(EXPR(NULL, 0x77, 0xa0, 1, 0x06));
	assert_int_equal(value, (0x7007 + 160) * 2);
	assert_true(EXPR(&first, 0x23, 0x10)); /* + 16 */
	assert_int_equal(value, 0x510);
	assert_true(EXPR(NULL, 0x31, 0x32, 0x33, 0x17, 0x1c, 0x1e)); /* 1 2 3 rot → 3 1 2 */
	assert_int_equal(value, (uint64_t)(3 * (1 - 2)));
	assert_true(EXPR(NULL, 0x31, 0x32, 0x16, 0x1c)); /* swap: 2 - 1 */
	assert_int_equal(value, 1);
	assert_true(EXPR(NULL, 0x09, 0xff, 0x0b, 0xfe, 0xff, 0x22)); /* -1 + -2 */
	assert_int_equal(value, (uint64_t)-3);
	assert_true(EXPR(NULL, 0x31, 0x28, 1, 0, 0x96, 0x35)); /* a jump over one */
	assert_int_equal(value, 5);
	assert_true(EXPR(NULL, 0x08, 64, 0x08, 200, 0x24)); /* a shift by more than 63 */
	assert_int_equal(value, 0);
}

static void test_bad_expressions(void **state)
{
	uint64_t value;

	(void)state;
	assert_false(EXPR(NULL, 0x22)); /* nothing is there to be added */
	assert_false(EXPR(NULL, 0x31, 0x22));
	assert_false(EXPR(NULL, 0x31, 0x16));
	assert_false(EXPR(NULL, 0x31, 0x32, 0x17));
	assert_false(EXPR(NULL, 0x31, 0x15, 1));
	assert_false(EXPR(NULL, 0x2f, 0xfd, 0xff)); /* without end */
	assert_false(EXPR(NULL, 0x2f, 0xfc, 0xff)); /* to before it */
	assert_false(EXPR(NULL, 0x2f, 1, 0));	    /* beyond it */
	assert_false(EXPR(NULL, 0x08));
	assert_false(EXPR(NULL, 0x31, 0x94, 9));	  /* so many bytes are none */
	assert_false(EXPR(NULL, 0x0c, 0, 0, 1, 0, 0x06)); /* not there */
	assert_false(EXPR(NULL, 0x8f, 0xff));		  /* LEB128 that goes on */
	assert_false(EXPR(NULL, 0x92, 17, 0));
	assert_false(EXPR(NULL, 0x01));
	assert_false(dwarf_expr((const uint8_t *)"", 0, &machine, NULL, &value));
}

/* ---- sections made here ---- */

/* A function at 0x1000 with this program. */
static void section_make(struct cfi_sample *s, const uint8_t *program, size_t size)
{
	static const uint8_t common[] = { CFI_SAMPLE_X86, 0, 0 };

	s->size = 0;
	s->address = 0x2000;
	sample_function(s, sample_common(s, "zR", common, sizeof(common)), 0x1000, program, size);
}

static struct cfi *section_read(const struct cfi_sample *s)
{
	struct cfi *cfi;

	assert_int_equal(cfi_read(sample_copy(s), s->size, s->address, false, &cfi), 0);
	return cfi;
}

static int row_at(uint64_t address, const uint8_t *program, size_t size, struct cfi_row *row)
{
	struct cfi_sample s;
	struct cfi *cfi;
	int err;

	section_make(&s, program, size);
	cfi = section_read(&s);
	err = cfi_find(cfi, address, row);
	cfi_free(cfi);
	return err;
}

#define ROW(address, ...)                                                                          \
	row_at(address, (const uint8_t[]){ __VA_ARGS__ }, sizeof((uint8_t[]){ __VA_ARGS__ }), &row)

static void test_rows(void **state)
{
	struct cfi_row row;

	(void)state;
	assert_int_equal(ROW(0xfff, 0), -ENOENT);
	assert_int_equal(ROW(0x1100, 0), -ENOENT);
	assert_int_equal(ROW(0x10ff, 0), 0);
	assert_int_equal(row.frame.offset, 8);
	assert_int_equal(row.registers[16].offset, -8);
	/* push rbp; at 0x1001 the frame is 16 bytes */
	assert_int_equal(ROW(0x1000, 0x41, 0x0e, 16, 0x86, 2), 0);
	assert_int_equal(row.frame.offset, 8);
	assert_int_equal(row.registers[6].how, CFI_SAME);
	assert_int_equal(ROW(0x1001, 0x41, 0x0e, 16, 0x86, 2), 0);
	assert_int_equal(row.frame.offset, 16);
	assert_int_equal(row.registers[6].offset, -16);
	/* remembered, changed, restored */
	assert_int_equal(ROW(0x1001, 0x0a, 0x0e, 64, 0x86, 2, 0x41, 0x0b), 0);
	assert_int_equal(row.frame.offset, 8);
	assert_int_equal(row.registers[6].how, CFI_SAME);
	/* of the registers that the common entry sets, its own rule comes back */
	assert_int_equal(ROW(0x1000, 0x90, 5, 0xd0), 0);
	assert_int_equal(row.registers[16].offset, -8);
	assert_int_equal(ROW(0x1000, 0x07, 16), 0);
	assert_int_equal(row.registers[16].how, CFI_UNDEFINED);
	assert_int_equal(ROW(0x1000, 0x2d), 0); /* arm64 */
	assert_true(row.is_signed);
	/* registers that are not kept */
	assert_int_equal(ROW(0x1000, 0xa8, 1, 0xe8, 0x05, 0xff, 0x7f, 1), 0);
}

static void test_damaged_rows(void **state)
{
	uint8_t many[40];
	struct cfi_row row;

	(void)state;
	assert_int_equal(ROW(0x1000, 0x0b), -EBADMSG); /* nothing is remembered */
	memset(many, 0x0a, sizeof(many));
	assert_int_equal(row_at(0x1000, many, sizeof(many), &row), -EBADMSG);
	assert_int_equal(ROW(0x1000, 0x3f), -EBADMSG); /* no operation */
	assert_int_equal(ROW(0x1000, 0x01, 0), -EBADMSG);
	assert_int_equal(ROW(0x1000, 0x0f, 100, 0), -EBADMSG); /* an expression beyond the end */
	assert_int_equal(ROW(0x1000, 0x0d, 99), -EBADMSG);
	assert_int_equal(ROW(0x1000, 0x0f, 1, 0x30, 0x0e, 8), -EBADMSG);
	assert_int_equal(ROW(0x1000, 0x80), -EBADMSG);
	assert_int_equal(ROW(0x1000, 0x09, 16, 77), -EBADMSG);
}

static void test_damaged_sections(void **state)
{
	static const uint8_t program[] = { 0x41, 0x0e, 16, 0x86, 2 };
	struct cfi_sample s;
	struct cfi_row row;

	(void)state;
	section_make(&s, program, sizeof(program));
	for (size_t size = 0; size < s.size; size++) {
		struct cfi_sample cut = s;
		struct cfi *cfi;

		cut.size = size;
		cfi = section_read(&cut);
		assert_int_equal(cfi_find(cfi, 0x1000, &row), -ENOENT);
		cfi_free(cfi);
	}
	for (size_t i = 0; i < s.size * 256; i++) {
		struct cfi_sample other = s;
		struct cfi *cfi;

		other.bytes[i / 256] = i;
		cfi = section_read(&other);
		for (uint64_t at = 0xff0; at < 0x1110; at += 16)
			cfi_find(cfi, at, &row);
		cfi_free(cfi);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_libraries),	cmocka_unit_test(test_expressions),
		cmocka_unit_test(test_bad_expressions), cmocka_unit_test(test_rows),
		cmocka_unit_test(test_damaged_rows),	cmocka_unit_test(test_damaged_sections),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
