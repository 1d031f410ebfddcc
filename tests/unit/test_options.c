/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_options.c - reading of option arguments, and the promise that a letter means one thing.
 */
#include "cli/option_read.h"
#include "cli/options.h"
#include "unit.h"
#include "output/field/timestamp.h"

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
	static const char *const wrong[] = { "",	   "0",	   "-1",
					     "+1",	   "1x",   " 1",
					     "4294967296", "0x10", "99999999999999999999" };
	uint32_t n = 7;

	(void)state;
	for (size_t i = 0; i < COUNT(wrong); i++)
		assert_non_null(read_as(OPTION_UINT, wrong[i], &n));
	assert_int_equal(n, 7);
	assert_null(read_as(OPTION_UINT, "4294967295", &n));
	assert_int_equal(n, UINT32_MAX);
}

static void lists_of_numbers(void **state)
{
	static const char *const wrong[] = { "",  ",",	 "1,",	 ",1", "1,,2",
					     "0", "1,x", "1 ,2", "-1", "4294967296" };
	struct event_ids ids = { 0 };
	char text[16];

	(void)state;
	assert_null(read_as(OPTION_IDS, "17,4294967295", &ids));
	assert_null(read_as(OPTION_IDS, "18,17", &ids)); /* each once */
	assert_int_equal(ids.count, 3);
	assert_int_equal(ids.ids[0], 17);
	assert_int_equal(ids.ids[1], UINT32_MAX);
	assert_int_equal(ids.ids[2], 18);
	for (size_t i = 0; i < COUNT(wrong); i++)
		assert_non_null(read_as(OPTION_IDS, wrong[i], &(struct event_ids){ 0 }));
	for (int i = 0; i < EVENT_IDS_MAX; i++) {
		snprintf(text, sizeof(text), "%d", 17 + i);
		assert_int_equal(read_as(OPTION_IDS, text, &ids) != NULL, i == EVENT_IDS_MAX - 1);
	}
}

static void lists_of_users(void **state)
{
	struct event_ids ids = { 0 };

	(void)state;
	assert_null(read_as(OPTION_USERS, "4294967294,root", &ids));
	assert_int_equal(ids.count, 2);
	assert_int_equal(ids.ids[0], 4294967294u);
	assert_int_equal(ids.ids[1], 0);
	assert_null(read_as(OPTION_USERS, "0", &ids)); /* root once more */
	assert_int_equal(ids.count, 2);
	assert_non_null(read_as(OPTION_USERS, "0,no-such-user-here", &ids));
}

static void times(void **state)
{
	static const struct {
		const char *arg;
		uint64_t ns;
	} right[] = {
		{ "5", 5000000000 },	{ "0.5", 500000000 },	 { "100ms", 100000000 },
		{ "2m", 120000000000 }, { "1h", 3600000000000 }, { "1s", 1000000000 },
		{ "250us", 250000 },
	};
	static const char *const wrong[] = { "", "0", "-1", "x", "1y", "nan", "inf", "1e30", "5 " };
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
	static const char *const wrong[] = { "",
					     "3M",
					     "1K",
					     "2G",
					     "8Q",
					     "8MB",
					     "-8M",
					     "M",
					     "18446744073709551616",
					     "17179869184G" };
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
	struct option_names names = { 0 };

	(void)state;
	assert_null(read_as(OPTION_NAMES, "fifteen-bytes-x", &names));
	assert_null(read_as(OPTION_NAMES, "a\\,b,[,]*,sixteen-bytes-or*", &names));
	assert_int_equal(names.count, 4);
	assert_int_equal(names.lengths[1], 4);
	assert_memory_equal(names.items[2], "[,]*", 4);
	assert_int_equal(names.lengths[2], 4);
	assert_non_null(read_as(OPTION_NAMES, "sixteen-bytes-xx", &names));
	assert_non_null(read_as(OPTION_NAMES, "", &names));
	assert_non_null(read_as(OPTION_NAMES, "a,", &names));
}

static void timestamps(void **state)
{
	enum timestamp_form form = TIMESTAMP_NONE;

	(void)state;
	assert_null(read_as(OPTION_TIME, NULL, &form));
	assert_int_equal(form, TIMESTAMP_CLOCK);
	assert_null(read_as(OPTION_TIME, "iso", &form));
	assert_int_equal(form, TIMESTAMP_ISO);
	assert_null(read_as(OPTION_TIME, "unix", &form));
	assert_int_equal(form, TIMESTAMP_UNIX);
	assert_non_null(read_as(OPTION_TIME, "later", &form));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(letters_are_unique),
		cmocka_unit_test(numbers),
		cmocka_unit_test(lists_of_numbers),
		cmocka_unit_test(lists_of_users),
		cmocka_unit_test(times),
		cmocka_unit_test(sizes),
		cmocka_unit_test(comms),
		cmocka_unit_test(timestamps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
