/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_record.c - values out of records: every width, every bit offset, every sign; and records
 * that lie about themselves. Also the names of errors and the forms of time.
 */
#include <ctype.h>
#include <errno.h>
#include <sys/mman.h>
#include <string.h>
#include <time.h>

#include "sample.h"
#include "output/field/timestamp.h"
#include "util/errname.h"
#include "output/field/value.h"

/* ---- numbers ---- */

static uint64_t load(const struct field *f, const void *record, size_t size)
{
	struct value v;

	assert_int_equal(field_load(f, record, size, &v), 0);
	assert_int_equal(v.status, EVENT_OK);
	assert_null(v.bytes);
	return v.u;
}

static void test_sizes(void **state)
{
	const unsigned char bytes[] = { 0x81, 0x92, 0xa3, 0xb4, 0xc5, 0xd6, 0xe7, 0xf8, 0x09 };

	(void)state;
	for (unsigned size = 1; size <= 8; size++)
		for (unsigned offset = 0; offset < 2; offset++) {
			struct field f = { .type = FIELD_UINT, .size = size, .offset = offset };
			uint64_t want = 0;

			if (offset + size > sizeof(bytes))
				continue;
			for (unsigned i = size; i-- > 0;)
				want = want << 8 | bytes[offset + i];
			assert_int_equal(load(&f, bytes, sizeof(bytes)), want);
			for (enum field_type t = FIELD_UINT; t <= FIELD_TIME; t++) {
				bool sign = t == FIELD_INT || t == FIELD_FD || t == FIELD_ERRNO ||
					    t == FIELD_RET || t == FIELD_ERROR ||
					    (t >= FIELD_SPAN_NS && t <= FIELD_HUNDREDTHS);
				uint64_t high = size < 8 && want >> (size * 8 - 1) ?
							~0ULL << size * 8 :
							0;

				if (t == FIELD_USYM || t == FIELD_CONTAINER ||
				    (t >= FIELD_CSTR && t <= FIELD_ARGV) ||
				    (t >= FIELD_BYTES && t <= FIELD_STRUCT))
					continue;
				f.type = t;
				assert_int_equal(load(&f, bytes, sizeof(bytes)),
						 sign ? want | high : want);
			}
		}
}

static void test_extremes(void **state)
{
	uint64_t u = UINT64_MAX;
	int64_t s = INT64_MIN;
	struct field f = { .type = FIELD_UINT, .size = 8 };
	struct field narrow = { .type = FIELD_INT, .size = 4 };

	(void)state;
	assert_true(load(&f, &u, 8) == UINT64_MAX);
	f.type = FIELD_INT;
	assert_true((int64_t)load(&f, &s, 8) == INT64_MIN);
	assert_true((int64_t)load(&narrow, &(int32_t){ INT32_MIN }, 4) == INT32_MIN);
	assert_true((int64_t)load(&narrow, &(int32_t){ INT32_MAX }, 4) == INT32_MAX);
	narrow.type = FIELD_UINT;
	assert_true(load(&narrow, &(int32_t){ -1 }, 4) == UINT32_MAX);
}

/* Bit by bit, the slow way. */
static uint64_t bits_of(const unsigned char *bytes, unsigned at, unsigned n, bool sign)
{
	uint64_t u = 0;

	for (unsigned i = 0; i < 64; i++) {
		unsigned bit = at + (i < n ? i : n - 1);

		if (i < n || sign)
			u |= (uint64_t)(bytes[bit / 8] >> bit % 8 & 1) << i;
	}
	return u;
}

static void test_bitfields(void **state)
{
	uint64_t seed = 3, words[2];

	(void)state;
	for (unsigned at = 0; at < 128; at++)
		for (unsigned n = 1; n <= 64 && at + n <= 128; n++) {
			struct field f = { .type = FIELD_UINT,
					   .offset = 0,
					   .size = 16,
					   .bit_offset = (uint8_t)at,
					   .bit_size = (uint8_t)n };

			words[0] = random_next(&seed);
			words[1] = random_next(&seed);
			assert_true(load(&f, words, 16) == bits_of((void *)words, at, n, false));
			f.type = FIELD_INT;
			assert_true(load(&f, words, 16) == bits_of((void *)words, at, n, true));
			words[0] = words[1] = UINT64_MAX;
			assert_true(load(&f, words, 16) == UINT64_MAX);
			f.size = (at + n + 7) / 8; /* exactly as much as it needs */
			assert_true(load(&f, words, f.size) == UINT64_MAX);
			if (f.size > 1) {
				struct value v;

				f.size--;
				assert_int_equal(field_load(&f, words, 16, &v), -EBADMSG);
			}
		}
}

static void expect_bad(const struct field *f, const void *record, size_t size)
{
	struct value v;

	assert_int_equal(field_load(f, record, size, &v), -EBADMSG);
}

static void test_bad_descriptors(void **state)
{
	uint64_t words[4] = { 0 };

	(void)state;
	expect_bad(&(struct field){ .type = FIELD_UINT, .size = 0 }, words, 32);
	expect_bad(&(struct field){ .type = FIELD_UINT, .size = 9 }, words, 32);
	expect_bad(&(struct field){ .type = FIELD_STR, .size = 8 }, words, 32);
	expect_bad(&(struct field){ .type = FIELD_STR, .size = 24 }, words, 32);
	expect_bad(&(struct field){ .type = FIELD_UINT, .size = 16, .bit_size = 65 }, words, 32);
	expect_bad(
		&(struct field){ .type = FIELD_UINT, .size = 4, .bit_offset = 32, .bit_size = 1 },
		words, 32);
}

/* ---- records that are too short or lie ---- */

/* A record whose end is the end of memory: any read behind it is a fault, without ASAN too. */
static char *at_the_edge(const void *bytes, size_t n)
{
	static char *page;

	if (!page) {
		page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		assert_ptr_not_equal(page, MAP_FAILED);
		assert_int_equal(mprotect(page + 4096, 4096, PROT_NONE), 0);
	}
	if (n)
		memcpy(page + 4096 - n, bytes, n);
	return page + 4096 - n;
}

static void test_short_records(void **state)
{
	const struct field fields[] = {
		{ .type = FIELD_UINT, .offset = 8, .size = 8 },
		{ .type = FIELD_CSTR, .offset = 4, .size = 12 },
		{ .type = FIELD_STR, .offset = 0, .size = 16 },
		{ .type = FIELD_UINT, .offset = 0, .size = 8, .status = 16 },
		{ .type = FIELD_UINT, .offset = 14, .size = 2, .bit_offset = 3, .bit_size = 13 },
		{ .type = FIELD_UINT, .offset = UINT32_MAX, .size = 4 },
		{ .type = FIELD_UINT, .offset = 4, .size = UINT32_MAX },
		{ .type = FIELD_UINT, .offset = 0, .size = 4, .status = UINT32_MAX },
	};
	char record[16] = "";

	(void)state;
	for (size_t i = 0; i < COUNT(fields); i++)
		for (size_t size = 0; size <= 16; size++) {
			struct value v;
			int want = size == 16 && i < 5 ? 0 : -EBADMSG;

			assert_int_equal(
				field_load(&fields[i], at_the_edge(record, size), size, &v), want);
		}
}

static const struct field str_field = { .type = FIELD_STR, .size = sizeof(struct event_str) };

static int load_str(enum field_type type, struct event_str str, const char *tail, size_t n,
		    struct value *v)
{
	struct field f = str_field;
	char record[64];

	f.type = type;
	memcpy(record, &str, sizeof(str));
	memcpy(record + sizeof(str), tail, n);
	return field_load(&f, at_the_edge(record, sizeof(str) + n), sizeof(str) + n, v);
}

static void test_strings(void **state)
{
	struct value v;

	(void)state;
	assert_int_equal(load_str(FIELD_STR, (struct event_str){ 16, 3, 0, 0 }, "abc", 3, &v), 0);
	assert_int_equal(v.len, 3);
	assert_memory_equal(v.bytes, "abc", 3);
	assert_int_equal(
		load_str(FIELD_STR, (struct event_str){ 17, 2, 9, EVENT_CUT }, "abc", 3, &v), 0);
	assert_memory_equal(v.bytes, "bc", 2);
	assert_int_equal(v.left_out, 9);
	assert_int_equal(v.status, EVENT_CUT);
	assert_int_equal(load_str(FIELD_STR, (struct event_str){ 19, 0, 0, 0 }, "abc", 3, &v), 0);
	assert_int_equal(v.len, 0);
	assert_non_null(v.bytes);
	for (unsigned status = EVENT_FAULT; status <= EVENT_NONE; status++) {
		if (status == EVENT_CUT)
			continue;
		assert_int_equal(
			load_str(FIELD_STR, (struct event_str){ 16, 3, 0, status }, "abc", 3, &v),
			0);
		assert_int_equal(v.status, status);
		assert_null(v.bytes);
		assert_int_equal(v.len, 0);
	}
}

static void test_strings_that_lie(void **state)
{
	static const struct event_str bad[] = {
		{ 16, 4, 0, 0 },
		{ 20, 0, 0, 0 },
		{ 19, 1, 0, 0 },
		{ 0, 20, 0, 0 },
		{ UINT32_MAX, 1, 0, 0 },
		{ 16, UINT32_MAX, 0, 0 },
		{ UINT32_MAX, UINT32_MAX, 0, 0 },
		{ 17, UINT32_MAX - 16, 0, 0 },
		{ 16, 3, 0, EVENT_ANONYMOUS + 1 },
		{ 16, 3, 0, UINT32_MAX },
		{ UINT32_MAX, 1, 0, EVENT_FAULT },
	};
	struct value v;

	(void)state;
	for (size_t i = 0; i < COUNT(bad); i++)
		for (enum field_type t = FIELD_STR; t <= FIELD_ARGV; t++)
			assert_int_equal(load_str(t, bad[i], "ab", 3, &v), -EBADMSG);
}

static void test_lists_without_their_nul(void **state)
{
	const struct event_str fine = { 16, 4, 0, 0 }, cut = { 16, 3, 5, EVENT_CUT };
	const struct event_str open = { 16, 3, 0, 0 }, outside = { 16, 3, 0, EVENT_OUTSIDE };
	struct value v;

	(void)state;
	assert_int_equal(load_str(FIELD_PATH, fine, "a\0b", 4, &v), 0);
	assert_int_equal(load_str(FIELD_ARGV, fine, "a\0b", 4, &v), 0);
	assert_int_equal(load_str(FIELD_PATH, open, "a\0b", 4, &v), -EBADMSG);
	assert_int_equal(load_str(FIELD_PATH, outside, "a\0b", 4, &v), -EBADMSG);
	assert_int_equal(load_str(FIELD_PATH, cut, "a\0b", 4, &v), -EBADMSG);
	assert_int_equal(load_str(FIELD_ARGV, open, "a\0b", 4, &v), -EBADMSG);
	assert_int_equal(load_str(FIELD_ARGV, cut, "a\0b", 4, &v), 0); /* the cut took it */
	assert_int_equal(load_str(FIELD_STR, open, "a\0b", 4, &v), 0);
}

static void test_char_arrays(void **state)
{
	const struct field f = { .type = FIELD_CSTR, .size = 4 };
	struct value v;

	(void)state;
	assert_int_equal(field_load(&f, at_the_edge("abcd", 4), 4, &v), 0);
	assert_int_equal(v.len, 4); /* no NUL: its size ends it */
	assert_int_equal(field_load(&f, at_the_edge("ab\0d", 4), 4, &v), 0);
	assert_int_equal(v.len, 2);
	assert_int_equal(field_load(&f, at_the_edge("\0bcd", 4), 4, &v), 0);
	assert_int_equal(v.len, 0);
	assert_non_null(v.bytes);
}

static void test_slot_status(void **state)
{
	const char *const links[] = { "file", "file->f_inode", NULL };
	struct field f = { .type = FIELD_UINT, .size = 4, .status = 5, .links = links };
	char record[5] = { 1, 0, 0, 0, 0 };
	struct value v;

	(void)state;
	for (int byte = 0; byte < 256; byte++) {
		int reason = byte & FIELD_STATUS_REASON, link = byte & FIELD_STATUS_LINK;
		int want = !byte || byte == FIELD_STATUS_NONE || reason == FIELD_STATUS_CUT ||
					   (reason && link < 2) ?
				   0 :
				   -EBADMSG;

		record[4] = (char)byte;
		assert_int_equal(field_load(&f, at_the_edge(record, 5), 5, &v), want);
		if (want || !reason)
			continue;
		assert_int_equal(v.status, reason == FIELD_STATUS_NULL	? EVENT_NULL :
					   reason == FIELD_STATUS_FAULT ? EVENT_FAULT :
									  EVENT_CUT);
		assert_int_equal(v.u, reason == FIELD_STATUS_CUT ? 1 : 0);
		if (reason != FIELD_STATUS_CUT)
			assert_string_equal(value_link(&f, &v), links[link]);
	}
	f.links = NULL; /* then any link will do, for none is named */
	record[4] = FIELD_STATUS_FAULT | 63;
	assert_int_equal(field_load(&f, record, 5, &v), 0);
	assert_null(value_link(&f, &v));
}

/* Whatever the bytes: an error, or a value inside of the record. */
static void test_random_records(void **state)
{
	uint64_t seed = 11;

	(void)state;
	for (int i = 0; i < 300000; i++) {
		unsigned char bytes[96];
		size_t size = random_next(&seed) % sizeof(bytes);
		struct field f = { .type = (enum field_type)(random_next(&seed) % (FIELD_TIME + 1)),
				   .offset = random_next(&seed) % 100 };
		struct value v;
		const char *record, *word;
		size_t len;

		for (size_t b = 0; b < sizeof(bytes); b++)
			bytes[b] = random_next(&seed) % 4 ? random_next(&seed) % 5 * 16 : 0;
		f.size = f.type >= FIELD_STR && f.type <= FIELD_ARGV ? 16 : random_next(&seed) % 20;
		f.bit_size = random_next(&seed) % 4 ? 0 : (uint8_t)random_next(&seed);
		f.bit_offset = (uint8_t)random_next(&seed);
		f.status = random_next(&seed) % 3 ? 0 : random_next(&seed) % 100;
		record = at_the_edge(bytes, size);
		if (field_load(&f, record, size, &v) || !v.bytes || f.type == FIELD_CONTAINER)
			continue; /* a container's name is not in the record */
		assert_true(v.bytes >= record && v.bytes + v.len <= record + size);
		if (f.type != FIELD_PATH && f.type != FIELD_ARGV)
			continue;
		while (f.type == FIELD_PATH ? value_pop_last(&v, &word, &len) :
					      value_pop_first(&v, &word, &len))
			assert_true(word >= record && word + len <= record + size);
	}
}

/* ---- words and names ---- */

static void test_words(void **state)
{
	struct value v = { .bytes = "a\0\0bcd", .len = 7 }, open = { .bytes = "ab", .len = 2 };
	struct value none = { .bytes = "", .len = 0 };
	const char *word;
	size_t len;

	(void)state;
	assert_true(value_pop_first(&v, &word, &len) && len == 1 && *word == 'a');
	assert_true(value_pop_first(&v, &word, &len) && len == 0);
	assert_true(value_pop_first(&v, &word, &len) && len == 3 && !memcmp(word, "bcd", 3));
	assert_false(value_pop_first(&v, &word, &len));
	assert_true(value_pop_first(&open, &word, &len) && len == 2);
	assert_false(value_pop_first(&open, &word, &len));
	assert_false(value_pop_first(&none, &word, &len));
	assert_false(value_pop_last(&none, &word, &len));
	v = (struct value){ .bytes = "a\0\0bcd", .len = 7 };
	assert_true(value_pop_last(&v, &word, &len) && len == 3 && !memcmp(word, "bcd", 3));
	assert_true(value_pop_last(&v, &word, &len) && len == 0);
	assert_true(value_pop_last(&v, &word, &len) && len == 1 && *word == 'a');
	assert_false(value_pop_last(&v, &word, &len));
}

static void test_enum_names(void **state)
{
	const struct field_name names[] = {
		{ 0, "ZERO", 0 },
		{ (uint64_t)-1, "MINUS", 0 },
		{ 7, "SEVEN", 0 },
		{ 0, NULL, 0 },
	};
	struct field f = { .type = FIELD_ENUM, .size = 4, .names = names };

	(void)state;
	assert_string_equal(value_enum_name(&f, &(struct value){ .u = 0 }), "ZERO");
	assert_string_equal(value_enum_name(&f, &(struct value){ .u = UINT32_MAX }), "MINUS");
	assert_string_equal(value_enum_name(&f, &(struct value){ .u = 7 }), "SEVEN");
	assert_null(value_enum_name(&f, &(struct value){ .u = 8 }));
	f.bit_size = 3;
	assert_string_equal(value_enum_name(&f, &(struct value){ .u = 7 }), "MINUS");
	f.names = NULL;
	assert_null(value_enum_name(&f, &(struct value){ .u = 7 }));
}

static void test_errno_names(void **state)
{
	(void)state;
	for (int err = -10; err < 512; err++) {
		const char *want = err > 0 ? strerrorname_np(err) : NULL;
		const char *got = errname(err);

		if (want)
			assert_string_equal(got, want);
		else
			assert_null(got);
	}
	assert_string_equal(errname(2), "ENOENT");
	assert_string_equal(errname(95), "EOPNOTSUPP");
	assert_string_equal(errname(512), "ERESTARTSYS");
	assert_string_equal(errname(515), "ENOIOCTLCMD");
	assert_string_equal(errname(516), "ERESTART_RESTARTBLOCK");
	assert_string_equal(errname(517), "EPROBE_DEFER");
	assert_null(errname(520));
	assert_string_equal(errname(524), "ENOTSUPP");
	assert_string_equal(errtext(524), "not supported (ENOTSUPP)");
	assert_string_equal(errname(531), "ENOGRACE");
	assert_null(errname(532));
	assert_null(errname(4095));
	assert_null(errname(INT32_MAX));
	assert_null(errname(INT32_MIN));
}

static void test_results(void **state)
{
	(void)state;
	assert_int_equal(value_errno(&(struct value){ .u = 0 }), 0);
	assert_int_equal(value_errno(&(struct value){ .u = 3 }), 0);
	assert_int_equal(value_errno(&(struct value){ .u = (uint64_t)-2 }), 2);
	assert_int_equal(value_errno(&(struct value){ .u = (uint64_t)-4095 }), 4095);
	assert_int_equal(value_errno(&(struct value){ .u = (uint64_t)-4096 }), 0);
	assert_int_equal(value_errno(&(struct value){ .u = (uint64_t)INT64_MIN }), 0);
}

/* ---- time ---- */

static uint64_t now_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

/* A text like the pattern, where 0 stands for any digit. */
static void assert_shape(const char *text, const char *pattern)
{
	assert_int_equal(strlen(text), strlen(pattern));
	for (size_t i = 0; pattern[i]; i++)
		assert_true(pattern[i] == '0' ? isdigit((unsigned char)text[i]) :
						text[i] == pattern[i]);
}

static uint64_t usec_of(const char *text, long zone)
{
	struct tm tm = { 0 };
	int usec;

	assert_int_equal(sscanf(text, "%d-%d-%dT%d:%d:%d.%d", &tm.tm_year, &tm.tm_mon, &tm.tm_mday,
				&tm.tm_hour, &tm.tm_min, &tm.tm_sec, &usec),
			 7);
	tm.tm_year -= 1900;
	tm.tm_mon--;
	return (timegm(&tm) - zone) * 1000000ULL + usec;
}

static void assert_near(uint64_t a, uint64_t b, uint64_t most)
{
	assert_true((a > b ? a - b : b - a) <= most);
}

static void test_wall_clock(void **state)
{
	uint64_t mono = now_ns(CLOCK_MONOTONIC), wall = now_ns(CLOCK_REALTIME) / 1000;
	char iso[32];
	struct buf o;

	(void)state;
	buf_init(&o, -1);
	for (int i = 0; i < 5; i++) { /* forth and back over seconds: what is kept must not stick */
		int64_t step = (i % 2 ? -1 : 1) * i * 1700000LL;

		timestamp_write(&o, mono + step * 1000, TIMESTAMP_ISO);
		assert_shape(taken(&o), "0000-00-00T00:00:00.000000+05:45");
		assert_near(usec_of(o.data, 5 * 3600 + 45 * 60), wall + step, 50000);
		memcpy(iso, o.data, sizeof(iso));
		timestamp_write(&o, mono + step * 1000, TIMESTAMP_CLOCK);
		assert_memory_equal(taken(&o), iso + 11, 15);
		assert_int_equal(strlen(o.data), 15);
		timestamp_write(&o, mono + step * 1000, TIMESTAMP_UTC);
		assert_shape(taken(&o), "0000-00-00T00:00:00.000000Z");
		assert_near(usec_of(o.data, 0), wall + step, 50000);
		timestamp_write(&o, mono + step * 1000, TIMESTAMP_UNIX);
		assert_shape(taken(&o), "0000000000.000000");
		assert_near((uint64_t)(strtod(o.data, NULL) * 1e6), wall + step, 50000);
	}
	buf_free(&o);
}

/* Each number of leading zeros below the second, in front of a zone that must stay whole. */
static void test_small_microseconds(void **state)
{
	uint64_t mono = now_ns(CLOCK_MONOTONIC), step = 1;
	char want[8];
	struct buf o;

	(void)state;
	buf_init(&o, -1);
	timestamp_write(&o, mono, TIMESTAMP_UTC);
	/* to the next full second of the wall clock, and a little beyond */
	mono += (1000000 - strtoull(strchr(taken(&o), '.') + 1, NULL, 10)) * 1000;
	for (; step < 1000000; step *= 10) {
		snprintf(want, sizeof(want), "%06u", (unsigned)step);
		timestamp_write(&o, mono + step * 1000, TIMESTAMP_ISO);
		assert_shape(taken(&o), "0000-00-00T00:00:00.000000+05:45");
		assert_memory_equal(o.data + 20, want, 6);
		timestamp_write(&o, mono + step * 1000, TIMESTAMP_UTC);
		assert_shape(taken(&o), "0000-00-00T00:00:00.000000Z");
		assert_memory_equal(o.data + 20, want, 6);
	}
	buf_free(&o);
}

static void expect_time(uint64_t ns, enum timestamp_form form, const char *want)
{
	struct buf o;

	buf_init(&o, -1);
	timestamp_write(&o, ns, form);
	assert_string_equal(taken(&o), want);
	buf_free(&o);
}

static void test_seconds(void **state)
{
	struct buf o;

	(void)state;
	expect_time(0, TIMESTAMP_MONO, "0.000000");
	expect_time(999, TIMESTAMP_MONO, "0.000000");
	expect_time(1234567890123456, TIMESTAMP_MONO, "1234567.890123");
	expect_time(UINT64_MAX, TIMESTAMP_MONO, "18446744073.709551");
	expect_time(5000000000, TIMESTAMP_REL, "0.000000"); /* the first is the origin */
	expect_time(6000001999, TIMESTAMP_REL, "1.000001");
	expect_time(4999988000, TIMESTAMP_REL, "-0.000012");
	expect_time(5000000000, TIMESTAMP_REL, "0.000000");
	buf_init(&o, -1);
	timestamp_write(&o, UINT64_MAX, TIMESTAMP_UTC); /* nonsense, but no crash */
	assert_shape(taken(&o), "0000-00-00T00:00:00.000000Z");
	buf_free(&o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_extremes),
		cmocka_unit_test(test_bitfields),
		cmocka_unit_test(test_bad_descriptors),
		cmocka_unit_test(test_short_records),
		cmocka_unit_test(test_strings),
		cmocka_unit_test(test_strings_that_lie),
		cmocka_unit_test(test_lists_without_their_nul),
		cmocka_unit_test(test_char_arrays),
		cmocka_unit_test(test_slot_status),
		cmocka_unit_test(test_random_records),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_enum_names),
		cmocka_unit_test(test_errno_names),
		cmocka_unit_test(test_results),
		cmocka_unit_test(test_wall_clock),
		cmocka_unit_test(test_small_microseconds),
		cmocka_unit_test(test_seconds),
	};

	setenv("TZ", "TST-5:45", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
