/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_suffix.c - what compilers append to names of functions: as GCC and clang do.
 */
#include <string.h>

#include "unit.h"
#include "symbols/suffix.h"

static void test_suffixes(void **state)
{
	static const struct {
		const char *symbol;
		enum symbol_suffix suffix;
	} rows[] = {
		{ "walk", SUFFIX_NONE },
		{ "walk_on.isra.0", SUFFIX_NONE },
		{ "wal.isra.0", SUFFIX_NONE },
		{ "walk.isra.0", SUFFIX_COPY },
		{ "walk.constprop.0.isra.1", SUFFIX_COPY },
		{ "walk.lto_priv.0.isra.0", SUFFIX_COPY },
		{ "walk.lto_priv.0", SUFFIX_RENAMED },
		{ "walk.llvm.1234567", SUFFIX_RENAMED },
		{ "walk.kfi", SUFFIX_OTHER },
		{ "walk.on", SUFFIX_OTHER }, /* of Go */
		{ "walk.part.0", SUFFIX_PART },
		{ "walk.isra.0.part.0", SUFFIX_PART },
		{ "walk.cold", SUFFIX_COLD },
		{ "walk.part.0.cold", SUFFIX_COLD },
		{ "walk.constprop.0.cold.12", SUFFIX_COLD },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(symbol_suffix_of(rows[i].symbol, "walk"), rows[i].suffix);
	assert_int_equal(symbol_suffix("main.walk", strlen("main")), SUFFIX_OTHER);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_suffixes) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
