/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_fit.c - tables on a terminal: the same as without one where there is room; else no row is longer than its lines,
 * and what is left of a text are its ends.
 */
#include <stdlib.h>
#include <string.h>

#include "sample.h"
#include "output/rows/fit.h"

#define F(member, type_, width_, ...) FIELD(struct sample, member, type_, width_, "", ##__VA_ARGS__)

static const struct field fields[] = {
	F(u32, FIELD_UINT, 7),
	F(name, FIELD_CSTR, 10),
	F(ret, FIELD_RET, 8),
	F(str, FIELD_PATH, 24),
	F(u64, FIELD_NS, 8, .flags = FIELD_MINOR),
	F(words, FIELD_CSTR, 0),
	{ .name = NULL },
};

/* A number of up to `digits` digits. */
static uint64_t number(int digits)
{
	uint64_t n = 1;

	for (int i = rand() % (digits + 1); i; i--)
		n = n * 10 + rand() % 10;
	return n;
}

static size_t letters(char *to, size_t most)
{
	size_t len = rand() % (most + 1);

	for (size_t i = 0; i < len; i++)
		to[i] = 'a' + rand() % 26;
	return len;
}

static struct sample sample_random(void)
{
	struct sample r = { .u32 = (uint32_t)number(6),
			    .ret = rand() % 4 ? (int)number(4) : -(rand() % 100),
			    .u64 = number(12) };
	char path[100] = "";
	size_t len = letters(path, sizeof(path) - 2) + 1; /* a component and its NUL */

	letters(r.name, sizeof(r.name));
	letters((char *)&r.words, sizeof(r.words));
	sample_put(&r, &r.str, path, len, EVENT_OK, 0);
	return r;
}

static enum timestamp_form form;

/* The header and rows of a table. */
static char *table(const struct sample *rows, size_t count, unsigned columns)
{
	struct schema s = sample_schema(fields);
	struct buf o;
	struct sink sink = { .schema = &s, .out = &o, .is_noted = true };
	char *text;

	s.timestamp = form;
	buf_init(&o, -1);
	o.columns = columns;
	sink_header(&sink);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(sink_record(&sink, &rows[i], sizeof(rows[i])), 0);
	buf_char(&o, '\0');
	text = strdup(o.data);
	sink_free(&sink);
	buf_free(&o);
	return text;
}

static void test_room(void **state)
{
	struct sample rows[8];
	char *plain, *roomy;

	(void)state;
	for (int i = 0; i < 300; i++) {
		form = i % (TIMESTAMP_UTC + 1);
		for (size_t j = 0; j < COUNT(rows); j++)
			rows[j] = sample_random();
		plain = table(rows, COUNT(rows), 0);
		roomy = table(rows, COUNT(rows), 1000);
		assert_string_equal(plain, roomy);
		free(plain);
		free(roomy);
	}
}

static void test_narrow(void **state)
{
	(void)state;
	form = TIMESTAMP_NONE;
	for (int i = 0; i < 3000; i++) {
		/* 10 + 9 + 12 columns of numbers, and three texts of 8 */
		unsigned room = 65 + rand() % 40;
		struct sample r = sample_random();
		char *text = table(&r, 1, room);

		for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
			if (fit_columns(line, strlen(line)) > room)
				fail_msg("%zu columns, not %u: %s", fit_columns(line, strlen(line)),
					 room, line);
		free(text);
	}
}

/* What a narrow terminal has no room for at all is as it is elsewhere, but for the texts beyond the titles. */
static void test_too_narrow(void **state)
{
	struct sample r = { .u32 = 1, .name = "name" };
	char *narrow = table(&r, 1, 20), *plain = table(&r, 1, 0);

	(void)state;
	assert_string_equal(narrow, plain);
	free(narrow);
	free(plain);
}

static void expect(const char *text, size_t columns, const char *want)
{
	struct buf o;

	buf_init(&o, -1);
	fit_write(&o, text, strlen(text), columns);
	assert_int_equal(o.shortened, strcmp(text, want) != 0);
	assert_int_equal(o.len, strlen(want));
	assert_memory_equal(o.data, want, o.len);
	buf_free(&o);
}

static void test_texts(void **state)
{
	(void)state;
	expect("abc", 3, "abc");
	expect("/usr/lib/libc.so.6", 18, "/usr/lib/libc.so.6");
	expect("/usr/lib/libc.so.6", 17, "/usr/lib…ibc.so.6");
	expect("/usr/lib/libc.so.6", 8, "/usr…o.6");
	expect("cat a b c d e f g", 8, "cat a b…");
	expect("äöüßäöüß", 8, "äöüßäöüß");
	expect("äöüßäöüßä", 8, "äöüß…üßä");
	expect("a€b 𝄞 äöü 1234567890", 20, "a€b 𝄞 äöü 1234567890");
	assert_int_equal(fit_columns("", 0), 0);
	assert_int_equal(fit_columns("12345678", 8), 8);
	assert_int_equal(fit_columns("1234567€", strlen("1234567€")), 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_room),
		cmocka_unit_test(test_narrow),
		cmocka_unit_test(test_too_narrow),
		cmocka_unit_test(test_texts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
