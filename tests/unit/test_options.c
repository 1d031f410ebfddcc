/* SPDX-License-Identifier: GPL-2.0 */
/*
 * test_options.c - reading of option arguments, and the promise that a letter means one thing.
 */
#include "core/options.h"
#include "unit.h"

static const char *read_as(enum option_type type, const char *arg, void *value)
{
	struct option_spec spec = { .name = "x", .type = type };

	return option_read(&spec, arg, value);
}

static void letters_are_unique(void **state)
{
	const struct option_spec *taken[256] = { 0 };

	(void)state;
	for (const struct option_spec *s = options_common; s->name; s++) {
		unsigned char letter = s->letter;

		if (letter)
			assert_null(taken[letter]);
		taken[letter] = s;
		for (const struct option_spec *t = options_common; t < s; t++)
			assert_string_not_equal(t->name, s->name);
	}
}

static void numbers(void **state)
{
	static const char *const wrong[] = { "", "0", "-1", "+1", "1x", " 1", "4294967296", "0x10",
					     "99999999999999999999" };
	uint32_t n = 7;

	(void)state;
	for (size_t i = 0; i < COUNT(wrong); i++)
		assert_non_null(read_as(OPTION_UINT, wrong[i], &n));
	assert_int_equal(n, 7);
	assert_null(read_as(OPTION_UINT, "4294967295", &n));
	assert_int_equal(n, UINT32_MAX);
}

static void ids_may_be_zero(void **state)
{
	struct option_id id = { 0 };

	(void)state;
	assert_null(read_as(OPTION_ID, "0", &id));
	assert_true(id.set);
	assert_non_null(read_as(OPTION_ID, "root", &id));
}

static void users_by_name(void **state)
{
	struct option_id id = { 0 };

	(void)state;
	assert_null(read_as(OPTION_USER, "root", &id));
	assert_true(id.set);
	assert_int_equal(id.id, 0);
	assert_null(read_as(OPTION_USER, "4294967294", &id));
	assert_int_equal(id.id, 4294967294u);
	assert_non_null(read_as(OPTION_USER, "no-such-user-here", &(struct option_id){ 0 }));
}

static void times(void **state)
{
	static const struct { const char *arg; uint64_t ns; } right[] = {
		{ "5", 5000000000 }, { "0.5", 500000000 }, { "100ms", 100000000 },
		{ "2m", 120000000000 }, { "1h", 3600000000000 }, { "1s", 1000000000 },
		{ "250us", 250000 },
	};
	static const char *const wrong[] = { "", "0", "-1", "x", "1d", "nan", "inf", "1e30", "5 " };
	uint64_t ns;

	(void)state;
	for (size_t i = 0; i < COUNT(right); i++) {
		assert_null(read_as(OPTION_SECONDS, right[i].arg, &ns));
		assert_int_equal(ns, right[i].ns);
	}
	for (size_t i = 0; i < COUNT(wrong); i++)
		assert_non_null(read_as(OPTION_SECONDS, wrong[i], &ns));
}

static void sizes(void **state)
{
	static const char *const wrong[] = { "", "3M", "1K", "2G", "8Q", "8MB", "-8M", "M",
					     "18446744073709551616", "17179869184G" };
	uint64_t bytes;

	(void)state;
	assert_null(read_as(OPTION_SIZE, "65536", &bytes));
	assert_int_equal(bytes, 65536);
	assert_null(read_as(OPTION_SIZE, "512K", &bytes));
	assert_int_equal(bytes, 512 << 10);
	assert_null(read_as(OPTION_SIZE, "1g", &bytes));
	assert_int_equal(bytes, 1 << 30);
	for (size_t i = 0; i < COUNT(wrong); i++)
		assert_non_null(read_as(OPTION_SIZE, wrong[i], &bytes));
}

static void comms(void **state)
{
	const char *comm = NULL;

	(void)state;
	assert_null(read_as(OPTION_COMM, "fifteen-bytes-x", &comm));
	assert_non_null(read_as(OPTION_COMM, "sixteen-bytes-xx", &comm));
	assert_non_null(read_as(OPTION_COMM, "", &comm));
}

static void timestamps(void **state)
{
	enum timestamp_form form = TIMESTAMP_NONE;

	(void)state;
	assert_null(read_as(OPTION_TIME, NULL, &form));
	assert_int_equal(form, TIMESTAMP_ISO);
	assert_null(read_as(OPTION_TIME, "unix", &form));
	assert_int_equal(form, TIMESTAMP_UNIX);
	assert_non_null(read_as(OPTION_TIME, "later", &form));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(letters_are_unique), cmocka_unit_test(numbers),
		cmocka_unit_test(ids_may_be_zero),    cmocka_unit_test(users_by_name),
		cmocka_unit_test(times),	      cmocka_unit_test(sizes),
		cmocka_unit_test(comms),	      cmocka_unit_test(timestamps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
