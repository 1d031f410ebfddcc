/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_table.c - rows as people see them: each type's text, alignment, what is cut or unreadable,
 * and that a broken record leaves no trace on the screen.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "sample.h"
#include "output/field/timestamp.h"
#include "output/field/value.h"

#define F(member, type_, width_, ...) FIELD(struct sample, member, type_, width_, "", ##__VA_ARGS__)

static struct buf o;

/* The row of these fields, without its newline. */
static const char *row(const struct field *fields, const struct sample *r)
{
	struct schema s = sample_schema(fields);

	assert_int_equal(sample_line(&o, &s, false, r, sizeof(*r)), 0);
	assert_int_equal(o.data[o.len - 1], '\n');
	o.len--;
	return taken(&o);
}

#define ROW(r, ...) row((const struct field[]){ __VA_ARGS__, { .name = NULL } }, r)

static void expect_number(enum field_type type, uint64_t u, const char *want)
{
	struct sample r = { .u64 = u };

	assert_string_equal(ROW(&r, F(u64, type, 0)), want);
}

static void test_numbers(void **state)
{
	(void)state;
	expect_number(FIELD_UINT, UINT64_MAX, "18446744073709551615");
	expect_number(FIELD_INT, (uint64_t)INT64_MIN, "-9223372036854775808");
	expect_number(FIELD_HEX, 0xdeadbeefULL, "0xdeadbeef");
	expect_number(FIELD_HEX, 0, "0x0");
	expect_number(FIELD_PTR, 0xffff9727f1dcc2c0ULL, "0xffff9727f1dcc2c0");
	expect_number(FIELD_OCT, 0644, "0644");
	expect_number(FIELD_OCT, 0, "0");
	expect_number(FIELD_OCT, UINT64_MAX, "01777777777777777777777");
	expect_number(FIELD_BOOL, 0, "false");
	expect_number(FIELD_BOOL, 2, "true");
	expect_number(FIELD_FD, 3, "3");
	expect_number(FIELD_FD, (uint64_t)-2, "-1");
	expect_number(FIELD_ERRNO, 3, "0");
	expect_number(FIELD_ERRNO, (uint64_t)-2, "ENOENT");
	expect_number(FIELD_ERRNO, (uint64_t)-600, "600");
	expect_number(FIELD_ERRNO, (uint64_t)-5000, "0");
	expect_number(FIELD_RET, 42, "42");
	expect_number(FIELD_RET, (uint64_t)-13, "-EACCES");
	expect_number(FIELD_RET, (uint64_t)-512, "-ERESTARTSYS");
	expect_number(FIELD_RET, (uint64_t)-600, "-600");
	expect_number(FIELD_RET, (uint64_t)INT64_MIN, "-9223372036854775808");
}

static void test_chars(void **state)
{
	static const char bytes[] = "a\n'\\\"\x00\xff";
	static const char *const wants[] = {
		"'a'", "'\\n'", "'\\''", "'\\\\'", "'\"'", "'\\x00'", "'\\xff'",
	};

	(void)state;
	for (size_t i = 0; i < COUNT(wants); i++) {
		struct sample r = { .u8 = (uint8_t)bytes[i] };

		assert_string_equal(ROW(&r, F(u8, FIELD_CHAR, 0)), wants[i]);
	}
}

static void test_durations(void **state)
{
	(void)state;
	expect_number(FIELD_NS, 0, "0ns");
	expect_number(FIELD_NS, 7, "7ns");
	expect_number(FIELD_NS, 999, "999ns");
	expect_number(FIELD_NS, 1000, "1.00us");
	expect_number(FIELD_NS, 1234, "1.23us");
	expect_number(FIELD_NS, 1235, "1.24us");
	expect_number(FIELD_NS, 9994, "9.99us");
	expect_number(FIELD_NS, 9995, "10.0us");
	expect_number(FIELD_NS, 12345, "12.3us");
	expect_number(FIELD_NS, 123456, "123us");
	expect_number(FIELD_NS, 999499, "999us");
	expect_number(FIELD_NS, 999500, "1.00ms");
	expect_number(FIELD_NS, 1204000, "1.20ms");
	expect_number(FIELD_NS, 56700000, "56.7ms");
	expect_number(FIELD_NS, 999500000, "1.00s");
	expect_number(FIELD_NS, 1020304050, "1.02s");
	expect_number(FIELD_NS, 59990000000, "60.0s");
	expect_number(FIELD_NS, 100499000000, "100s");
	expect_number(FIELD_NS, 86400000000000, "86400s");
	expect_number(FIELD_NS, UINT64_MAX, "18446744074s");
	expect_number(FIELD_SPAN_NS, INT64_MAX, "9223372037s");
	expect_number(FIELD_SPAN_NS, (uint64_t)-1500, "-1.50us");
	expect_number(FIELD_HUNDREDTHS, 176, "1.76");
	expect_number(FIELD_HUNDREDTHS, (uint64_t)-5, "-0.05");
	expect_number(FIELD_HUNDREDTHS, (uint64_t)INT64_MIN, "-92233720368547758.08");
	expect_number(FIELD_SPAN_NS, (uint64_t)INT64_MIN, "-9223372037s");
	expect_number(FIELD_SPAN_US, 1500, "1.50ms");
	expect_number(FIELD_SPAN_MS, 86400000, "86400s");
	expect_number(FIELD_SPAN_MS, INT64_MAX, "18446744074s");
	expect_number(FIELD_DEV, 8 << 20 | 5, "8:5");
	expect_number(FIELD_DEV, 0xffffffff, "4095:1048575");
	expect_number(FIELD_USER, 0, "root");
	expect_number(FIELD_USER, 4000000000, "4000000000");
	expect_number(FIELD_PORT, 0x3930000000000000, "12345");
}

static const struct field_name open_flags[] = {
	{ 0, "O_RDONLY", 3 },	{ 1, "O_WRONLY", 3 },	   { 2, "O_RDWR", 3 },
	{ 0100, "O_CREAT", 0 }, { 04010000, "O_SYNC", 0 }, { 010000, "O_DSYNC", 0 },
	{ 0, NULL, 0 },
};

static const struct field_name none_flags[] = {
	{ 0, "NONE", UINT64_MAX },
	{ 4, "FOUR", 0 },
	{ 0, NULL, 0 },
};

static const char *flags_text(uint64_t u, const struct field_name *names)
{
	struct sample r = { .u64 = u };

	return ROW(&r, F(u64, FIELD_FLAGS, 0, .names = names));
}

static void test_flags(void **state)
{
	(void)state;
	assert_string_equal(flags_text(0, open_flags), "O_RDONLY");
	assert_string_equal(flags_text(0101, open_flags), "O_WRONLY|O_CREAT");
	assert_string_equal(flags_text(04010002, open_flags), "O_RDWR|O_SYNC");
	assert_string_equal(flags_text(010000, open_flags), "O_RDONLY|O_DSYNC");
	assert_string_equal(flags_text(0x80000100, open_flags), "O_RDONLY|0x80000100");
	assert_string_equal(flags_text(3, open_flags), "0x3");
	assert_string_equal(flags_text(0, none_flags), "NONE");
	assert_string_equal(flags_text(4, none_flags), "FOUR");
	assert_string_equal(flags_text(6, none_flags), "FOUR|0x2");
	assert_string_equal(flags_text(0, NULL), "0");
	assert_string_equal(flags_text(UINT64_MAX, NULL), "0xffffffffffffffff");
}

static void test_enums(void **state)
{
	const struct field_name names[] = { { 2, "READ", 0 }, { 0, NULL, 0 } };
	struct sample r = { .u8 = 2 };

	(void)state;
	assert_string_equal(ROW(&r, F(u8, FIELD_ENUM, 0, .names = names)), "READ");
	r.u8 = 200;
	assert_string_equal(ROW(&r, F(u8, FIELD_ENUM, 0, .names = names)), "200");
}

static void test_alignment(void **state)
{
	struct sample r = { .u32 = 42, .s64 = -7, .name = "bash" };

	(void)state;
	assert_string_equal(
		ROW(&r, F(u32, FIELD_UINT, 7), F(name, FIELD_CSTR, 8), F(s64, FIELD_INT, 5)),
		"     42 bash        -7");
	assert_string_equal(ROW(&r, F(name, FIELD_CSTR, 8), F(u32, FIELD_UINT, 0)), "bash     42");
	/* never padded at the end, never cut */
	assert_string_equal(ROW(&r, F(name, FIELD_CSTR, 80)), "bash");
	assert_string_equal(
		ROW(&r, F(name, FIELD_CSTR, 2), F(u32, FIELD_UINT, 1), F(s64, FIELD_INT, 1)),
		"bash 42 -7");
	/* what is wider than its column shifts the next cells only as far as they have no blanks to spare */
	assert_string_equal(
		ROW(&r, F(name, FIELD_CSTR, 2), F(s64, FIELD_INT, 4), F(u32, FIELD_UINT, 2)),
		"bash -7 42");
	assert_string_equal(
		ROW(&r, F(name, FIELD_CSTR, 2), F(s64, FIELD_INT, 5), F(u32, FIELD_UINT, 4)),
		"bash  -7   42");
	/* more blanks than one store gives */
	assert_string_equal(ROW(&r, F(name, FIELD_CSTR, 40), F(u32, FIELD_UINT, 50)),
			    "bash                                    "
			    "                                                 42");
}

static void test_wide_characters(void **state)
{
	struct sample r = { .name = "\xc3\xa9\xc3\xa9\x1b", .u32 = 1 };

	(void)state;
	assert_string_equal(ROW(&r, F(name, FIELD_CSTR, 8), F(u32, FIELD_UINT, 1)),
			    "\xc3\xa9\xc3\xa9\\x1b   1");
}

static void test_no_trailing_blanks(void **state)
{
	struct sample r = { .u32 = 5 };

	(void)state;
	assert_string_equal(ROW(&r, F(u32, FIELD_UINT, 3), F(name, FIELD_CSTR, 8)), "  5");
	assert_string_equal(ROW(&r, F(name, FIELD_CSTR, 8), F(name, FIELD_CSTR, 8)), "");
	assert_string_equal(ROW(&r, F(name, FIELD_CSTR, 3), F(u32, FIELD_UINT, 3)), "      5");
}

static void test_pairs(void **state)
{
	struct sample r = { .u32 = 5, .u8 = 'x', .name = "a \"b\"", .ret = -2 };

	(void)state;
	assert_string_equal(ROW(&r, F(ret, FIELD_RET, 9, .flags = FIELD_PAIR),
				F(u32, FIELD_UINT, 4), F(name, FIELD_CSTR, 20, .flags = FIELD_PAIR),
				F(u8, FIELD_CHAR, 3, .flags = FIELD_PAIR)),
			    "   5 ret=-ENOENT name=\"a \\\"b\\\"\" u8='x'");
	assert_string_equal(ROW(&r, F(u32, FIELD_UINT, 9, .flags = FIELD_PAIR)), "u32=5");
	assert_string_equal(ROW(&r, { .name = "a\n=b",
				      .type = FIELD_UINT,
				      .size = 4,
				      .offset = offsetof(struct sample, u32),
				      .flags = FIELD_PAIR }),
			    "a\\n=b=5");
}

static void test_callers(void **state)
{
	static const struct field_name names[] = { { 0, "vfs_read", 0 }, { 1, "f%return", 0 } };
	struct sample r = { .u64 = 0x1234, .u32 = 5, .ret = 3, .mode = 1, .name = "x" };
	const struct field text = F(name, FIELD_CSTR, 0, .flags = FIELD_PAIR);
	struct field caller = F(u64, FIELD_SYM, 0, .flags = FIELD_PAIR | FIELD_CALLER,
				.names = names, .name_count = 2);
	const struct field pair = F(u32, FIELD_UINT, 0, .flags = FIELD_PAIR);
	const struct field ret = F(ret, FIELD_RET, 0, .flags = FIELD_PAIR | FIELD_RESULT);
	const struct field remark = F(mode, FIELD_UINT, 2, .flags = FIELD_REMARK);

	(void)state;
	assert_string_equal(ROW(&r, caller), "0x1234->vfs_read()");
	assert_string_equal(ROW(&r, caller, pair, pair), "0x1234->vfs_read(u32=5, u32=5)");
	assert_string_equal(ROW(&r, caller, text, pair, text),
			    "0x1234->vfs_read(name=\"x\", u32=5, name=\"x\")");
	assert_string_equal(ROW(&r, caller, pair, ret), "0x1234->vfs_read(u32=5) ret=3");
	assert_string_equal(ROW(&r, caller, ret), "0x1234->vfs_read() ret=3");
	assert_string_equal(ROW(&r, caller, pair, remark), "0x1234->vfs_read(u32=5) # 1");
	caller.flags |= FIELD_RESULT;
	assert_string_equal(ROW(&r, caller, pair, remark), "(0x1234 <- vfs_read) u32=5 # 1");
	caller.follow_at = offsetof(struct sample, head.pid);
	r.head.pid = 1;
	assert_string_equal(ROW(&r, caller, ret), "(0x1234 <- f) ret=3");
	r.head.pid = 2;
	assert_string_equal(ROW(&r, caller, ret), "(0x1234 <- ?) ret=3");
}

static void test_remarks(void **state)
{
	const struct field str = F(str, FIELD_STR, 30, .flags = FIELD_REMARK);
	const struct field u32 = F(u32, FIELD_UINT, 4, .flags = FIELD_REMARK);
	const struct field column = F(u8, FIELD_UINT, 3);
	const struct field pair = F(mode, FIELD_OCT, 0, .flags = FIELD_PAIR);
	struct sample r = { .u8 = 5, .mode = 0644, .u32 = 9 };

	(void)state;
	SAMPLE_PUT(&r, &r.str, "/bin/a\nb", EVENT_OK, 0);
	assert_string_equal(ROW(&r, str, column, pair), "  5 mode=0644 # /bin/a\\nb");
	assert_string_equal(ROW(&r, u32, column), "  5 # 9");
	r.str.status = EVENT_FAULT;
	assert_string_equal(ROW(&r, str, column), "  5 # <fault>");
	r.str.status = EVENT_NONE;
	assert_string_equal(ROW(&r, str, column), "  5");
	r.str = (struct event_str){ 0 };
	assert_string_equal(ROW(&r, str, column), "  5 #"); /* there, but empty */
}

/* "There is none" inside of a number: the most negative, or all bits. */
static void test_maybe(void **state)
{
	const struct field ret = F(ret, FIELD_RET, 3, .flags = FIELD_MAYBE);
	const struct field mode = F(mode, FIELD_OCT, 0, .flags = FIELD_MAYBE);
	struct sample r = { .ret = INT32_MIN, .mode = UINT16_MAX };
	const struct field broken = { .name = "x", .type = FIELD_INT, .flags = FIELD_MAYBE };
	struct value v;

	(void)state;
	assert_string_equal(ROW(&r, ret, mode), "  - -");
	r.ret = INT32_MIN + 1;
	r.mode = UINT16_MAX - 1;
	assert_string_equal(ROW(&r, ret, mode), "-2147483647 0177776");
	assert_int_equal(field_load(&broken, &r, sizeof(r), &v), -EBADMSG);
}

static void test_which_fields(void **state)
{
	const struct field fields[] = {
		F(u8, FIELD_UINT, 1),
		F(u32, FIELD_UINT, 1, .flags = FIELD_JSON_ONLY),
		F(ret, FIELD_INT, 1, .flags = FIELD_EXTENDED),
		F(u64, FIELD_UINT, 1, .flags = FIELD_OPTIONAL),
		F(s64, FIELD_INT, 1, .flags = FIELD_TEXT_ONLY),
		{ .name = NULL },
	};
	struct sample r = { .u8 = 1, .u32 = 2, .ret = 3, .u64 = 4, .s64 = 5 };
	struct schema s = sample_schema(fields);

	(void)state;
	assert_int_equal(sample_line(&o, &s, false, &r, sizeof(r)), 0);
	assert_string_equal(taken(&o), "1 5\n");
	s.extended = true;
	s.optional = 1 << 3;
	assert_int_equal(sample_line(&o, &s, false, &r, sizeof(r)), 0);
	assert_string_equal(taken(&o), "1 3 4 5\n");
}

/* ---- what could not be read ---- */

static const char *const links[] = { "file", "file->f_inode", NULL };

static void test_unreadable(void **state)
{
	struct sample r = { .name = "ext4", .status = FIELD_STATUS_NULL | 1 };
	const struct field name = F(name, FIELD_CSTR, 0, .flags = FIELD_PAIR, .links = links,
				    .status = offsetof(struct sample, status) + 1);
	const struct field number = F(u32, FIELD_UINT, 9,
				      .status = offsetof(struct sample, status) + 1);

	(void)state;
	assert_string_equal(ROW(&r, name), "name=<NULL: file->f_inode>");
	r.status = FIELD_STATUS_FAULT;
	assert_string_equal(ROW(&r, name), "name=<fault: file>");
	assert_string_equal(ROW(&r, number), "  <fault>");
	r.status = FIELD_STATUS_CUT;
	assert_string_equal(ROW(&r, name), "name=\"ext4\"…");
	r.status = 0;
	assert_string_equal(ROW(&r, name), "name=\"ext4\"");
}

static void test_strings(void **state)
{
	struct sample r = { .u32 = 7 };
	const struct field str = F(str, FIELD_STR, 18), u32 = F(u32, FIELD_UINT, 1);

	(void)state;
	SAMPLE_PUT(&r, &r.str, "/etc/pass", EVENT_CUT, 12);
	assert_string_equal(ROW(&r, str, u32), "/etc/pass…(+12 bytes) 7");
	r.str.left_out = 1;
	assert_string_equal(ROW(&r, str, u32), "/etc/pass…(+1 byte) 7");
	r.str.left_out = 0;
	assert_string_equal(ROW(&r, str, u32), "/etc/pass…         7");
	r.str.status = EVENT_OK;
	assert_string_equal(ROW(&r, str, u32), "/etc/pass          7");
	r.str.status = EVENT_FAULT;
	assert_string_equal(ROW(&r, str, u32), "<fault>            7");
	r.str.status = EVENT_NULL;
	assert_string_equal(ROW(&r, str, u32), "<NULL>             7");
	r.str.status = EVENT_NONE;
	assert_string_equal(ROW(&r, str, u32), "-                  7");
	SAMPLE_PUT(&r, &r.str, "a\0b\nc", EVENT_OK, 0);
	assert_string_equal(ROW(&r, str), "a\\x00b\\nc");
}

static void test_paths(void **state)
{
	const struct field path = F(str, FIELD_PATH, 10), u32 = F(u32, FIELD_UINT, 1);
	const struct field pair = F(str, FIELD_PATH, 0, .flags = FIELD_PAIR);
	struct sample r = { .u32 = 7 };

	(void)state;
	SAMPLE_PUT(&r, &r.str, "c\0b \"\n\0a\0", EVENT_OK, 0);
	assert_string_equal(ROW(&r, path), "/a/b \"\\n/c");
	assert_string_equal(ROW(&r, pair), "str=\"/a/b \\\"\\n/c\"");
	r.str.status = EVENT_OUTSIDE;
	assert_string_equal(ROW(&r, path), "(unreachable)/a/b \"\\n/c");
	r.str.status = EVENT_CUT;
	assert_string_equal(ROW(&r, path), "…/a/b \"\\n/c");
	r.str.len = 2;
	assert_string_equal(ROW(&r, path, u32), "…/c        7");
	r.str.status = EVENT_NONE;
	assert_string_equal(ROW(&r, path, u32), "-          7");
	r.str.status = EVENT_OK;
	r.str.len = 0;
	assert_string_equal(ROW(&r, path, u32), "/          7");
}

/* Files that are in no directory: their own name, then their file system's, and the inode. */
static void test_anonymous(void **state)
{
	const struct field path = F(str, FIELD_PATH, 10);
	const struct field pair = F(str, FIELD_PATH, 0, .flags = FIELD_PAIR);
	struct sample r = { .u32 = 7 };

	(void)state;
	SAMPLE_PUT(&r, &r.str, "\0pipefs\0", EVENT_ANONYMOUS, 185);
	assert_string_equal(ROW(&r, path), "pipe:[185]");
	SAMPLE_PUT(&r, &r.str, "UDP\0sockfs\0", EVENT_ANONYMOUS, 9);
	assert_string_equal(ROW(&r, pair), "str=\"socket:[9]\"");
	SAMPLE_PUT(&r, &r.str, "[eventfd]\0anon_inodefs\0", EVENT_ANONYMOUS, 9);
	assert_string_equal(ROW(&r, path), "anon_inode:[eventfd]");
	SAMPLE_PUT(&r, &r.str, "a\"\nb\0other\0", EVENT_ANONYMOUS, 9);
	assert_string_equal(ROW(&r, pair), "str=\"other:a\\\"\\nb\"");
	SAMPLE_PUT(&r, &r.str, "/\0ext4\0", EVENT_ANONYMOUS, 2);
	assert_string_equal(ROW(&r, path), "(unreachable)/");
}

static void test_argv(void **state)
{
	const struct field argv = F(words, FIELD_ARGV, 20), u32 = F(u32, FIELD_UINT, 1);
	const struct field pair = F(words, FIELD_ARGV, 0, .flags = FIELD_PAIR);
	struct sample r = { .u32 = 7 };

	(void)state;
	SAMPLE_PUT(&r, &r.words.str, "ls\0a b\0\0x=1)\0", EVENT_OK, 0);
	assert_string_equal(ROW(&r, argv), "ls 'a b' '' 'x=1)'");
	assert_string_equal(ROW(&r, argv, u32), "ls 'a b' '' 'x=1)'   7");
	assert_string_equal(ROW(&r, pair, F(u32, FIELD_UINT, 0, .flags = FIELD_PAIR)),
			    "words=(ls 'a b' '' 'x=1)') u32=7");
	r.words.unreadable = 4;
	assert_string_equal(ROW(&r, argv), "ls 'a b' <fault> 'x=1)'");
	r.words.unreadable = 0;
	r.words.str.status = EVENT_CUT;
	r.words.str.left_out = 30;
	r.words.str.len = 4; /* in the middle of the second word */
	assert_string_equal(ROW(&r, argv), "ls a …(+30 bytes)");
	r.words.str.len = 0;
	assert_string_equal(ROW(&r, argv), "…(+30 bytes)");
	r.words.str.status = EVENT_OK;
	assert_string_equal(ROW(&r, argv), "");
}

/* ---- time, headers, broken records ---- */

static void test_time_column(void **state)
{
	const struct field fields[] = { F(u32, FIELD_UINT, 3),
					F(u64, FIELD_TIME, 9),
					{ .name = NULL } };
	struct sample r = { .head.ts = 1234567891234, .u32 = 5, .u64 = 2000000000 };
	struct schema s = sample_schema(fields);

	(void)state;
	s.timestamp = TIMESTAMP_MONO;
	assert_int_equal(sample_line(&o, &s, false, &r, sizeof(r)), 0);
	assert_string_equal(taken(&o), "   1234.567891   5  2.000000\n");
	r.head.ts = r.u64 = 0;
	assert_int_equal(sample_line(&o, &s, false, &r, sizeof(r)), 0);
	assert_string_equal(taken(&o), "             -   5         -\n");
	r.head.ts = 5;
	s.timestamp = TIMESTAMP_ISO;
	assert_int_equal(sample_line(&o, &s, false, &r, sizeof(r)), 0);
	assert_int_equal(strlen(taken(&o)), 32 + 4 + 10 + 1);
	s.timestamp = TIMESTAMP_CLOCK;
	assert_int_equal(sample_line(&o, &s, false, &r, sizeof(r)), 0);
	assert_int_equal(strlen(taken(&o)), 15 + 4 + 10 + 1);
}

static const char *header(const struct field *fields, enum timestamp_form form, bool json)
{
	struct schema s = sample_schema(fields);
	struct sink sink = { .schema = &s, .out = &o, .applet = "x", .json = json };

	s.timestamp = form;
	sink_header(&sink);
	sink_free(&sink);
	return taken(&o);
}

static void test_header(void **state)
{
	const struct field fields[] = {
		F(u32, FIELD_UINT, 7),
		F(name, FIELD_CSTR, 8, .title = "Comm"),
		F(ret, FIELD_RET, 6, .flags = FIELD_PAIR),
		F(u8, FIELD_BOOL, 4),
		F(str, FIELD_PATH, 20),
		{ .name = NULL },
	};
	const struct field pairs[] = { F(u32, FIELD_UINT, 7, .flags = FIELD_PAIR),
				       F(u8, FIELD_UINT, 7, .flags = FIELD_REMARK),
				       { .name = NULL } };

	(void)state;
	assert_string_equal(header(fields, TIMESTAMP_NONE, false), "    U32 Comm     U8   STR\n");
	assert_string_equal(header(fields, TIMESTAMP_MONO, false),
			    "          TIME     U32 Comm     U8   STR\n");
	assert_string_equal(header(fields, TIMESTAMP_ISO, false),
			    "TIME                                 U32 Comm     U8   STR\n");
	assert_string_equal(header(fields, TIMESTAMP_CLOCK, false),
			    "TIME                U32 Comm     U8   STR\n");
	assert_string_equal(header(pairs, TIMESTAMP_NONE, false), "");
	assert_string_equal(header(fields, TIMESTAMP_NONE, true), "");
}

static void test_broken_records(void **state)
{
	const struct field fields[] = { F(u32, FIELD_UINT, 7),
					F(str, FIELD_STR, 0),
					{ .name = NULL } };
	struct sample r = { .u32 = 1 };
	struct schema s = sample_schema(fields);

	(void)state;
	buf_str(&o, "before");
	for (size_t size = 0; size < SAMPLE_MIN; size++)
		assert_int_equal(sample_line(&o, &s, false, &r, size), -EBADMSG);
	s.record_min = 0; /* the header of all records is wanted all the same */
	for (size_t size = 0; size < sizeof(struct event_header); size++)
		assert_int_equal(sample_line(&o, &s, false, &r, size), -EBADMSG);
	s.count = 0; /* even when no field would notice */
	assert_int_equal(sample_line(&o, &s, false, &r, sizeof(struct event_header) - 1), -EBADMSG);
	s = sample_schema(fields);
	r.str = (struct event_str){ .off = sizeof(r), .len = 1 };
	assert_int_equal(sample_line(&o, &s, false, &r, sizeof(r)), -EBADMSG);
	r.str = (struct event_str){ .off = 0, .len = UINT32_MAX };
	assert_int_equal(sample_line(&o, &s, false, &r, sizeof(r)), -EBADMSG);
	assert_string_equal(taken(&o), "before");
}

/* Numbers that look like a plain pid, but are not: no shortcut may take them for one. */
static void test_not_plain(void **state)
{
	const struct field beyond[] = {
		{ .name = "x", .type = FIELD_UINT, .size = 4, .offset = SAMPLE_MIN + 8 },
		{ .name = NULL },
	};
	struct schema s = sample_schema(beyond);
	struct sample r = { .u32 = 0xabcd1234, .u64 = 5 };

	(void)state;
	for (int json = 0; json < 2; json++) {
		assert_int_equal(sample_line(&o, &s, json, &r, SAMPLE_MIN + 11), -EBADMSG);
		assert_int_equal(sample_line(&o, &s, json, &r, SAMPLE_MIN + 12), 0);
		o.len = 0;
	}
	assert_string_equal(ROW(&r, F(u32, FIELD_UINT, 9, .bit_offset = 4, .bit_size = 8)),
			    "       35");
	assert_string_equal(ROW(&r, F(u32, FIELD_UINT, 9, .bit_size = 4), F(u64, FIELD_UINT, 3)),
			    "        4   5");
	r.status = FIELD_STATUS_FAULT;
	assert_string_equal(
		ROW(&r, F(u32, FIELD_UINT, 9, .status = offsetof(struct sample, status) + 1)),
		"  <fault>");
	r.u32 = UINT32_MAX;
	assert_string_equal(ROW(&r, F(u32, FIELD_UINT, 3, .flags = FIELD_MAYBE)), "  -");
	assert_string_equal(ROW(&r, F(u32, FIELD_UINT, 3)), "4294967295");
}

/* Without a terminal lines leave when there is enough for a write, not one by one. */
static void test_gathering(void **state)
{
	const struct field fields[] = { F(u32, FIELD_UINT, 99), { .name = NULL } };
	struct schema s = sample_schema(fields);
	struct sink sink = { .schema = &s, .out = &o };
	struct sample r = { .u32 = 1 };
	size_t most = 0;

	(void)state;
	o.fd = open("/dev/null", O_WRONLY);
	while (sink.rows < 5000) {
		assert_int_equal(sink_record(&sink, &r, sizeof(r)), 0);
		most = o.len > most ? o.len : most;
	}
	assert_in_range(most, 32 * 1024, 128 * 1024);
	assert_int_equal(buf_flush(&o), 0);
	close(o.fd);
	o.fd = -1;
	sink_free(&sink);
}

/* Many records from one sink: the cells are made once, and lines gather unless a terminal reads. */
static void test_sink(void **state)
{
	const struct field fields[] = { F(u32, FIELD_UINT, 0), { .name = NULL } };
	struct schema s = sample_schema(fields);
	struct sink sink = { .schema = &s, .out = &o };
	char buf[32];
	int fds[2];

	(void)state;
	assert_int_equal(pipe(fds), 0);
	o.fd = fds[1];
	o.per_line = true;
	sink_header(&sink);
	assert_int_equal(read(fds[0], buf, sizeof(buf)), 4);
	assert_memory_equal(buf, "U32\n", 4);
	for (unsigned i = 0; i < 1000; i++) {
		struct sample r = { .u32 = i };

		o.per_line = i < 3;
		assert_int_equal(sink_record(&sink, &r, sizeof(r)), 0);
	}
	assert_int_equal(sink.rows, 1000);
	assert_int_equal(read(fds[0], buf, sizeof(buf)), 6);
	assert_memory_equal(buf, "0\n1\n2\n", 6);
	assert_int_equal(o.len, 7 * 2 + 90 * 3 + 900 * 4);
	assert_int_equal(sink_record(&sink, "", 1), -EBADMSG);
	assert_int_equal(sink.rows, 1000);
	sink_free(&sink);
	sink_free(&sink); /* twice is fine */
	o.len = 0;
	o.fd = -1;
	close(fds[0]);
	close(fds[1]);
}

/* Texts that a cell has kept from earlier rows are what a sink of its own writes: few values, often the same,
 * more than are kept, of every size, also at the end of the record. */
static void test_kept_texts(void **state)
{
	static const struct field_name kinds[] = {
		{ 0, "no", 0 }, { 1, "one", 0 }, { 9, "more than sixteen bytes", 0 }, { 0, NULL, 0 }
	};
	const struct field fields[] = {
		F(u8, FIELD_ENUM, 6, .names = kinds),
		F(ret, FIELD_ERRNO, 8),
		F(mode, FIELD_MODE, 5),
		F(u64, FIELD_FLAGS, 12, .names = open_flags),
		F(u32, FIELD_DEV, 4),
		F(status, FIELD_BOOL, 0),
		{ .name = NULL },
	};
	struct schema s = sample_schema(fields);
	struct sink sink = { .schema = &s, .out = &o };
	uint64_t seed = 3;

	(void)state;
	s.record_min = offsetof(struct sample, status) + 1;
	for (int i = 0; i < 2000; i++) {
		struct sample r = { .u8 = (uint8_t)(random_next(&seed) % 20),
				    .ret = -(int32_t)(random_next(&seed) % 30),
				    .mode = (uint16_t)(random_next(&seed) % 3 * 0111),
				    .u64 = random_next(&seed) % 5 * 0x101,
				    .u32 = (uint32_t)(random_next(&seed) % 12),
				    .status = (uint8_t)(random_next(&seed) % 2) };
		char want[256];

		strcpy(want, row(fields, &r));
		assert_int_equal(sink_record(&sink, &r, sizeof(r)), 0);
		o.len--;
		assert_string_equal(taken(&o), want);
	}
	sink_free(&sink);
}

/* Random bytes as records: refused or shown, and a shown line is one line. */
static void test_random_records(void **state)
{
	const struct field fields[] = {
		F(u32, FIELD_UINT, 7),
		F(name, FIELD_CSTR, 12),
		F(ret, FIELD_RET, 9),
		F(str, FIELD_STR, 0),
		F(str, FIELD_PATH, 0),
		F(words, FIELD_ARGV, 0),
		F(u64, FIELD_NS, 0, .status = offsetof(struct sample, status) + 1, .links = links),
		{ .name = NULL },
	};
	struct schema s = sample_schema(fields);
	uint64_t seed = 17;
	int shown = 0;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		struct sample r;

		for (size_t b = 0; b < sizeof(r); b++)
			((char *)&r)[b] = (char)random_next(&seed);
		random_text(&seed, r.tail, sizeof(r.tail));
		r.str.off = (unsigned)(random_next(&seed) % (sizeof(r) + 2));
		r.str.len = (unsigned)(random_next(&seed) % 40);
		r.str.status = random_next(&seed) % 6;
		r.words.str = r.str;
		r.status &= (uint8_t)(random_next(&seed) % 2 * 0xc1);
		if (sample_line(&o, &s, i % 2, &r, sizeof(r)))
			continue;
		assert_ptr_equal(memchr(o.data, '\n', o.len), o.data + o.len - 1);
		assert_null(memchr(o.data, '\x1b', o.len));
		assert_null(memchr(o.data, '\0', o.len));
		o.len = 0;
		shown++;
	}
	assert_true(shown > 500); /* not only refusals were tried */
}

/* What is kept of a task from one row to the next shows in none: the same as by a sink of its own. */
static void test_tasks(void **state)
{
	static const struct {
		uint32_t pid, tid;
		char comm[EVENT_COMM_LEN];
		const char *name;
	} tasks[] = {
		{ 1, 1, "a", "x" },
		{ 1, 1, "a", "" },
		{ 1, 2, "a", "x" },
		{ 1, 2, "a", "x" },
		{ 1, 2, "a\0behind", "x" },
		{ 1, 2, "", "x" },
		{ 1, 2, "", "x" },
		{ 1, 2, "sixteen bytes it", "x" },
		{ 1, 2, "sixteen bytes it", "y" },
		{ 4000000000, 4000000000, "\x1b[31m\n\r\t\xff\xfe\x01\x02\x03\x04\x05\x06", "x" },
		{ 4000000000, 4000000000, "\x1b[31m\n\r\t\xff\xfe\x01\x02\x03\x04\x05\x06", "x" },
		{ 1, 1, "a", "x" },
	};
	const struct field fields[] = {
		FIELD(struct event_header, pid, FIELD_UINT, 7, ""),
		FIELD(struct event_header, tid, FIELD_UINT, 7, ""),
		FIELD(struct event_header, comm, FIELD_CSTR, 16, ""),
		F(name, FIELD_CSTR, 0, .flags = FIELD_PAIR),
		{ .name = NULL },
	};

	(void)state;
	for (int timed = 0; timed < 2; timed++) {
		struct schema s = sample_schema(fields);
		struct sink kept = { .schema = &s, .out = &o };

		s.timestamp = timed ? TIMESTAMP_MONO : TIMESTAMP_NONE;
		for (size_t i = 0; i < COUNT(tasks); i++) {
			struct sample r = { .head = { .ts = i * 999999999,
						      .pid = tasks[i].pid,
						      .tid = tasks[i].tid } };
			char *want;

			memcpy(r.head.comm, tasks[i].comm, sizeof(r.head.comm));
			strcpy(r.name, tasks[i].name);
			assert_int_equal(sample_line(&o, &s, false, &r, sizeof(r)), 0);
			want = strdup(taken(&o));
			assert_int_equal(sink_record(&kept, &r, sizeof(r)), 0);
			assert_string_equal(taken(&o), want);
			free(want);
		}
		sink_free(&kept);
	}
}

static void test_text_length(void **state)
{
	char bytes[40];

	(void)state;
	for (size_t size = 0; size < sizeof(bytes); size++) {
		for (size_t len = 0; len <= size; len++) {
			memset(bytes, 0x80, sizeof(bytes));
			if (len < size)
				bytes[len] = 0;
			assert_int_equal(text_length(bytes, size), len);
			memset(bytes, 1, len);
			assert_int_equal(text_length(bytes, size), len);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kept_texts),
		cmocka_unit_test(test_tasks),
		cmocka_unit_test(test_text_length),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_chars),
		cmocka_unit_test(test_durations),
		cmocka_unit_test(test_flags),
		cmocka_unit_test(test_enums),
		cmocka_unit_test(test_alignment),
		cmocka_unit_test(test_wide_characters),
		cmocka_unit_test(test_no_trailing_blanks),
		cmocka_unit_test(test_pairs),
		cmocka_unit_test(test_callers),
		cmocka_unit_test(test_remarks),
		cmocka_unit_test(test_maybe),
		cmocka_unit_test(test_which_fields),
		cmocka_unit_test(test_unreadable),
		cmocka_unit_test(test_strings),
		cmocka_unit_test(test_paths),
		cmocka_unit_test(test_anonymous),
		cmocka_unit_test(test_argv),
		cmocka_unit_test(test_time_column),
		cmocka_unit_test(test_header),
		cmocka_unit_test(test_broken_records),
		cmocka_unit_test(test_not_plain),
		cmocka_unit_test(test_gathering),
		cmocka_unit_test(test_sink),
		cmocka_unit_test(test_random_records),
	};

	buf_init(&o, -1);
	return failed_tests(cmocka_run_group_tests(tests, NULL, NULL), &o);
}
