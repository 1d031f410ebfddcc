/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_json.c - the JSON lines, key by key, and that jq reads all of them.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "output/field/hist.h"
#include "sample.h"
#include "output/field/timestamp.h"
#include "output/field/value.h"
#include "util/buf.h"

#define F(member, type_, ...) FIELD(struct sample, member, type_, 0, "", ##__VA_ARGS__)

static struct buf o;

/* What follows the type, up to the closing brace. */
static const char *object(const struct field *fields, const struct sample *r)
{
	static const char head[] = "{\"type\":\"sample\"";
	struct schema s = sample_schema(fields);

	assert_int_equal(sample_line(&o, &s, true, r, sizeof(*r)), 0);
	assert_memory_equal(o.data, head, strlen(head));
	assert_memory_equal(o.data + o.len - 2, "}\n", 2);
	o.len -= 2;
	return taken(&o) + strlen(head);
}

#define OBJECT(r, ...) object((const struct field[]){ __VA_ARGS__, { .name = NULL } }, r)

static void expect_member(enum field_type type, uint64_t u, const char *want)
{
	struct sample r = { .u64 = u };
	char line[128];

	snprintf(line, sizeof(line), ",\"u64\":%s", want);
	assert_string_equal(OBJECT(&r, F(u64, type)), line);
}

static void test_values(void **state)
{
	(void)state;
	expect_member(FIELD_UINT, UINT64_MAX, "18446744073709551615");
	expect_member(FIELD_UINT, 9007199254740993ULL, "9007199254740993"); /* no double has it */
	expect_member(FIELD_INT, (uint64_t)INT64_MIN, "-9223372036854775808");
	expect_member(FIELD_HEX, UINT64_MAX, "18446744073709551615");
	expect_member(FIELD_PTR, 0xffff9727f1dcc2c0ULL, "\"0xffff9727f1dcc2c0\"");
	expect_member(FIELD_OCT, 0644, "\"0644\"");
	expect_member(FIELD_OCT, 0, "\"0\"");
	expect_member(FIELD_BOOL, 0, "false");
	expect_member(FIELD_BOOL, 1, "true");
	expect_member(FIELD_CHAR, 'c', "\"c\"");
	expect_member(FIELD_CHAR, '"', "\"\\\"\"");
	expect_member(FIELD_CHAR, 0, "\"\\u0000\"");
	expect_member(FIELD_FD, 3, "3");
	expect_member(FIELD_FD, (uint64_t)-2, "-1");
	expect_member(FIELD_ERRNO, 0, "null");
	expect_member(FIELD_ERRNO, 3, "null");
	expect_member(FIELD_ERRNO, (uint64_t)-2, "\"ENOENT\"");
	expect_member(FIELD_ERRNO, (uint64_t)-600, "\"600\"");
	expect_member(FIELD_RET, (uint64_t)-2, "-2");
	expect_member(FIELD_TIME, 0, "null");
}

/* Columns show the unit with the value. */
static void test_units(void **state)
{
	const struct hist_axis plain = { 0 };
	struct sample r = { .u64 = 5 };

	(void)state;
	assert_string_equal(OBJECT(&r, F(u64, FIELD_NS)), ",\"u64_ns\":5");
	assert_string_equal(OBJECT(&r, F(u64, FIELD_NS, .unit = FIELD_UNIT_NONE)), ",\"u64\":5");
	assert_string_equal(OBJECT(&r, F(u64, FIELD_UINT, .unit = FIELD_UNIT_MS)), ",\"u64_ms\":5");
	assert_string_equal(OBJECT(&r, F(u64, FIELD_NS, .flags = FIELD_PAIR)),
			    ",\"args\":{\"u64_ns\":5}");
	assert_string_equal(OBJECT(&r, F(u64, FIELD_HIST, .axis = &hist_ns)),
			    ",\"u64_ns\":[[null,0,5]]");
	assert_string_equal(OBJECT(&r, F(u64, FIELD_HIST, .axis = &plain)),
			    ",\"u64\":[[null,0,5]]");
}

/* --json-strings: only numbers that a double does not have for sure. */
static void test_strings(void **state)
{
	static const uint64_t counts[] = { 1, UINT64_MAX };
	const struct hist h = { .buckets = counts, .count = 2, .low = 1LL << 62, .step = 1 };

	(void)state;
	buf_json_strings = true;
	expect_member(FIELD_UINT, 1ULL << 53, "9007199254740992");
	expect_member(FIELD_UINT, (1ULL << 53) + 1, "\"9007199254740993\"");
	expect_member(FIELD_HEX, UINT64_MAX, "\"18446744073709551615\"");
	expect_member(FIELD_INT, -(1ULL << 53), "-9007199254740992");
	expect_member(FIELD_INT, (uint64_t)INT64_MIN, "\"-9223372036854775808\"");
	expect_member(FIELD_RET, (uint64_t)-2, "-2");
	expect_member(FIELD_ENUM, UINT64_MAX, "\"18446744073709551615\"");
	expect_member(FIELD_ERROR, 1ULL << 62, "\"4611686018427387904\"");
	hist_write_json(&o, &h);
	assert_string_equal(taken(&o), "[[null,\"4611686018427387904\",1],[0,null,"
				       "\"18446744073709551615\"]]");
	buf_json_strings = false;
}

static void test_names_of_values(void **state)
{
	const struct field_name flags[] = { { 1, "ONE", 0 }, { 2, "T\"WO", 0 }, { 0, NULL, 0 } };
	struct sample r = { .u64 = 3, .u8 = 2 };

	(void)state;
	assert_string_equal(OBJECT(&r, F(u64, FIELD_FLAGS, .names = flags)),
			    ",\"u64\":[\"ONE\",\"T\\\"WO\"]");
	r.u64 = 0xf1;
	assert_string_equal(OBJECT(&r, F(u64, FIELD_FLAGS, .names = flags)),
			    ",\"u64\":[\"ONE\",\"0xf0\"]");
	r.u64 = 0xf0;
	assert_string_equal(OBJECT(&r, F(u64, FIELD_FLAGS, .names = flags)), ",\"u64\":[\"0xf0\"]");
	r.u64 = 0;
	assert_string_equal(OBJECT(&r, F(u64, FIELD_FLAGS, .names = flags)), ",\"u64\":[]");
	assert_string_equal(OBJECT(&r, F(u8, FIELD_ENUM, .names = flags)), ",\"u8\":\"T\\\"WO\"");
	r.u8 = 9;
	assert_string_equal(OBJECT(&r, F(u8, FIELD_ENUM, .names = flags)), ",\"u8\":9");
}

static void test_order_and_keys(void **state)
{
	struct sample r = { .u32 = 1, .u8 = 2, .s64 = 3, .ret = 4, .name = "\xff\n\"" };

	(void)state;
	assert_string_equal(OBJECT(&r, F(u8, FIELD_UINT),
				   F(u32, FIELD_UINT, .flags = FIELD_EXTENDED),
				   F(s64, FIELD_INT, .flags = FIELD_TEXT_ONLY),
				   F(ret, FIELD_INT, .flags = FIELD_JSON_ONLY),
				   F(ret, FIELD_INT, .flags = FIELD_OPTIONAL)),
			    ",\"u8\":2,\"u32\":1,\"ret\":4");
	assert_string_equal(OBJECT(&r, F(name, FIELD_CSTR)), ",\"name\":\"\\uefff\\n\\\"\"");
	assert_string_equal(OBJECT(&r, { .name = "f->\"x\"\n",
					 .type = FIELD_UINT,
					 .size = 1,
					 .offset = offsetof(struct sample, u8) }),
			    ",\"f->\\\"x\\\"\\n\":2");
}

/* Whatever a value is called, it meets no other key. */
static void test_args(void **state)
{
	const struct field number = F(u32, FIELD_UINT);
	const struct field pair = F(u8, FIELD_UINT, .flags = FIELD_PAIR);
	struct sample r = { .u32 = 1, .u8 = 2 };
	struct field type = pair, other = pair;

	(void)state;
	type.name = "type";
	other.name = "\"";
	assert_string_equal(OBJECT(&r, pair), ",\"args\":{\"u8\":2}");
	assert_string_equal(OBJECT(&r, number, type, other),
			    ",\"u32\":1,\"args\":{\"type\":2,\"\\\"\":2}");
	assert_string_equal(OBJECT(&r, type, number), ",\"args\":{\"type\":2},\"u32\":1");
}

static void test_stamp(void **state)
{
	const struct field fields[] = { { .name = NULL } };
	struct sample r = { .head.ts = UINT64_MAX / 16 };
	struct schema s = sample_schema(fields);
	char want[128];
	struct buf time;

	(void)state;
	buf_init(&time, -1);
	timestamp_write(&time, r.head.ts, TIMESTAMP_UTC);
	snprintf(want, sizeof(want), "{\"type\":\"sample\",\"ts_ns\":%llu,\"time\":\"%s\"}\n",
		 (unsigned long long)r.head.ts, taken(&time));
	assert_int_equal(sample_line(&o, &s, true, &r, sizeof(r)), 0);
	assert_string_equal(taken(&o), want);
	r.head.ts = 0;
	assert_int_equal(sample_line(&o, &s, true, &r, sizeof(r)), 0);
	assert_string_equal(taken(&o), "{\"type\":\"sample\"}\n");
	buf_free(&time);
}

static const char *const links[] = { "file", "file->f_inode", NULL };

static void test_flaws(void **state)
{
	const struct field name = F(name, FIELD_CSTR, .links = links,
				    .status = offsetof(struct sample, status) + 1);
	const struct field number = F(u8, FIELD_UINT), str = F(str, FIELD_STR);
	struct sample r = { .name = "ext4", .status = FIELD_STATUS_FAULT | 1, .u8 = 5 };

	(void)state;
	assert_string_equal(
		OBJECT(&r, name, number),
		",\"name\":null,\"u8\":5,\"errors\":{\"name\":\"fault: file->f_inode\"}");
	r.status = FIELD_STATUS_NULL;
	r.str.status = EVENT_FAULT;
	assert_string_equal(OBJECT(&r, name, str),
			    ",\"name\":null,\"str\":null,"
			    "\"errors\":{\"name\":\"NULL: file\",\"str\":\"fault\"}");
	r.status = FIELD_STATUS_CUT;
	assert_string_equal(OBJECT(&r, name), ",\"name\":\"ext4\",\"cut\":{\"name\":null}");
	SAMPLE_PUT(&r, &r.str, "abc", EVENT_CUT, 77);
	assert_string_equal(
		OBJECT(&r, str, name),
		",\"str\":\"abc\",\"name\":\"ext4\",\"cut\":{\"str\":77,\"name\":null}");
	r.status = FIELD_STATUS_NULL;
	assert_string_equal(OBJECT(&r, str, name),
			    ",\"str\":\"abc\",\"name\":null,"
			    "\"errors\":{\"name\":\"NULL: file\"},\"cut\":{\"str\":77}");
	r.str.status = EVENT_NONE; /* not an error: there is no such thing */
	assert_string_equal(OBJECT(&r, str), ",\"str\":null");
}

static void test_lists(void **state)
{
	const struct field path = F(str, FIELD_PATH), argv = F(words, FIELD_ARGV);
	struct sample r = { .u8 = 0 };

	(void)state;
	SAMPLE_PUT(&r, &r.str, "c\0b\"\0a\0", EVENT_OK, 0);
	assert_string_equal(OBJECT(&r, path), ",\"str\":\"/a/b\\\"/c\"");
	SAMPLE_PUT(&r, &r.str, "\0pipefs\0", EVENT_ANONYMOUS, 185);
	assert_string_equal(OBJECT(&r, path), ",\"str\":\"pipe:[185]\"");
	SAMPLE_PUT(&r, &r.str, "c\0b\"\0a\0", EVENT_OK, 0);
	r.str.status = EVENT_OUTSIDE;
	assert_string_equal(OBJECT(&r, path), ",\"str\":\"(unreachable)/a/b\\\"/c\"");
	r.str.status = EVENT_CUT;
	r.str.left_out = 2;
	assert_string_equal(OBJECT(&r, path), ",\"str\":\"a/b\\\"/c\",\"cut\":{\"str\":2}");
	r.str.status = EVENT_OK;
	r.str.len = 0;
	assert_string_equal(OBJECT(&r, path), ",\"str\":\"/\"");
	SAMPLE_PUT(&r, &r.words.str, "ls\0\0a b\0", EVENT_OK, 0);
	assert_string_equal(OBJECT(&r, argv), ",\"words\":[\"ls\",\"\",\"a b\"]");
	r.words.unreadable = 2;
	assert_string_equal(OBJECT(&r, argv),
			    ",\"words\":[\"ls\",null,\"a b\"],\"errors\":{\"words\":\"fault\"}");
	r.words.unreadable = 0;
	r.words.str.len = 6;
	r.words.str.status = EVENT_CUT;
	r.words.str.left_out = 9;
	assert_string_equal(OBJECT(&r, argv),
			    ",\"words\":[\"ls\",\"\",\"a \"],\"cut\":{\"words\":9}");
	r.words.str.len = 0;
	r.words.str.status = EVENT_OK;
	assert_string_equal(OBJECT(&r, argv), ",\"words\":[]");
}

static void test_broken_records(void **state)
{
	const struct field fields[] = { F(u8, FIELD_UINT), F(str, FIELD_STR), { .name = NULL } };
	struct schema s = sample_schema(fields);
	struct sample r = { .str = { .off = sizeof(r) - 1, .len = 2 } };

	(void)state;
	buf_str(&o, "before");
	for (size_t size = 0; size < SAMPLE_MIN; size++)
		assert_int_equal(sample_line(&o, &s, true, &r, size), -EBADMSG);
	assert_int_equal(sample_line(&o, &s, true, &r, sizeof(r)), -EBADMSG);
	assert_string_equal(taken(&o), "before");
}

/* Records of random content; jq must read each line and see the number in it. */
static void test_jq(void **state)
{
	const struct field fields[] = {
		F(u32, FIELD_UINT),
		F(name, FIELD_CSTR),
		F(s64, FIELD_ERRNO),
		F(str, FIELD_STR),
		F(str, FIELD_PATH),
		F(words, FIELD_ARGV),
		F(u64, FIELD_FLAGS),
		F(u8, FIELD_CHAR),
		F(mode, FIELD_OCT, .status = offsetof(struct sample, status) + 1, .links = links),
		F(tail, FIELD_SOCKADDR),
		F(tail, FIELD_BYTES),
		F(tail, FIELD_IP6),
		F(tail, FIELD_UUID),
		F(tail, FIELD_GUID),
		F(name, FIELD_MAC),
		F(name, FIELD_IP4),
		F(name, FIELD_CHAR, .count = 12),
		F(name, FIELD_ERROR, .count = 3),
		F(name, FIELD_PTR, .count = 6, .left_out = 3),
		F(s64, FIELD_ERROR),
		F(mode, FIELD_MODE),
		F(u64, FIELD_RWBS),
		F(mode, FIELD_PORT),
		F(u64, FIELD_PTR),
		{ .name = NULL },
	};
	char file[] = "/tmp/coretap-lines-XXXXXX", command[160];
	struct schema s = sample_schema(fields);
	uint64_t seed = 23;
	unsigned lines = 0, total;
	FILE *f;

	(void)state;
	if (system("command -v jq >/dev/null")) {
		print_message("jq is not installed\n");
		skip();
	}
	o.fd = mkstemp(file);
	assert_true(o.fd >= 0);
	while (lines < 3000) {
		struct sample r;

		for (size_t b = 0; b < sizeof(r); b++)
			((char *)&r)[b] = (char)random_next(&seed);
		random_text(&seed, r.tail, sizeof(r.tail));
		if (lines % 3) /* AF_UNIX, a path or abstract */
			memcpy(r.tail, "\1\0", 2 + lines % 2);
		r.u32 = lines;
		r.str.off = SAMPLE_MIN + random_next(&seed) % 200;
		r.str.len = random_next(&seed) % 50;
		r.str.status = random_next(&seed) % 6;
		r.words.str = r.str;
		if (r.str.len)
			r.tail[r.str.off - SAMPLE_MIN + r.str.len - 1] = 0;
		r.status &= 0xc1;
		if ((r.status & 0xc0) == 0)
			r.status = 0;
		lines += !sample_line(&o, &s, true, &r, sizeof(r));
	}
	assert_int_equal(buf_flush(&o), 0);
	close(o.fd);
	snprintf(command, sizeof(command),
		 "jq -e -n '[inputs | select(.type == \"sample\") | .u32] | "
		 "if . == [range(length)] then length else 0 end' %s",
		 file);
	f = popen(command, "r");
	assert_int_equal(fscanf(f, "%u", &total), 1);
	assert_int_equal(pclose(f), 0);
	assert_int_equal(total, lines);
	unlink(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_units),
		cmocka_unit_test(test_strings),
		cmocka_unit_test(test_names_of_values),
		cmocka_unit_test(test_order_and_keys),
		cmocka_unit_test(test_args),
		cmocka_unit_test(test_stamp),
		cmocka_unit_test(test_flaws),
		cmocka_unit_test(test_lists),
		cmocka_unit_test(test_broken_records),
		cmocka_unit_test(test_jq),
	};

	buf_init(&o, -1);
	return failed_tests(cmocka_run_group_tests(tests, NULL, NULL), &o);
}
