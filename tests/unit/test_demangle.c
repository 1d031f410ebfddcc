/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_demangle.c - names of C++ and Rust, and which symbols a typed name means.
 */
#include <stdio.h>
#include <string.h>

#include "symbols/user/demangle.h"
#include "unit.h"

static char name[DEMANGLED_MAX];

static void forms(void **state)
{
	static const struct {
		const char *symbol, *brief, *full;
	} cases[] = {
		{ "_ZN2ns1C1mEi", "ns::C::m", "ns::C::m(int)" },
		{ "_ZN2ns7biggestIiEET_S1_S1_", "ns::biggest<int>",
		  "int ns::biggest<int>(int, int)" },
		{ "_ZN2ns12_GLOBAL__N_16hiddenEi", "ns::(anonymous namespace)::hidden",
		  "ns::(anonymous namespace)::hidden(int)" },
		{ "_ZNSo3putEc", "std::ostream::put", "std::ostream::put(char)" },
		{ "_ZN2ns1CC2Ev", "ns::C::C", "ns::C::C()" },
		/* Rust: no hash, and what the older mangling encodes */
		{ "_ZN4shop4cart3add17h0123456789abcdefE", "shop::cart::add", "shop::cart::add" },
		{ "_ZN55_$LT$shop..cart..Cart$u20$as$u20$core..fmt..Display$GT$3fmt17h0123456789abcdefE",
		  "<shop::cart::Cart as core::fmt::Display>::fmt",
		  "<shop::cart::Cart as core::fmt::Display>::fmt" },
		{ "_RNvNtCs1234_4shop4cart5total", "shop::cart::total", "shop::cart::total" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		assert_true(demangle(cases[i].symbol, DEMANGLE_SHORT, name));
		assert_string_equal(name, cases[i].brief);
		assert_true(demangle(cases[i].symbol, DEMANGLE_FULL, name));
		assert_string_equal(name, cases[i].full);
		assert_false(demangle(cases[i].symbol, DEMANGLE_NOT, name));
		assert_string_equal(demangle_shown(cases[i].symbol, DEMANGLE_FULL), cases[i].full);
		assert_string_equal(demangle_shown(cases[i].symbol, DEMANGLE_SHORT),
				    cases[i].brief);
	}
}

static void parameters(void **state)
{
	static const struct {
		const char *symbol;
		int count;
	} cases[] = {
		{ "_Z1fv", 0 },
		{ "_Z1fii", 2 },
		{ "_Z6printfPKcz", 1 },
		{ "_ZN1C1mEPFiicES_", 2 },	     /* C::m(int (*)(int, char), C) */
		{ "_ZNK1C1mESt3mapIiSaIiEE", 1 },    /* C::m(std::map<…, …>) const */
		{ "_ZNK1CclEiS_", 2 },		     /* C::operator()(int, C) const */
		{ "_ZN2ns7biggestIiEET_S1_S1_", 2 }, /* int ns::biggest<int>(int, int) */
		{ "_ZN1C1mERA3_iOS_", 2 },	     /* C::m(int (&) [3], C&&) */
		{ "_ZZ4mainENKUliE_clEi", 1 }, /* main::{lambda(int)#1}::operator()(int) const */
		{ "_Z1fi.isra.0", 1 },
		{ "_ZTV1C", -1 },				 /* a table */
		{ "_ZN4shop4cart3add17h0123456789abcdefE", -1 }, /* Rust */
		{ "_RNvNtCs1234_4shop4cart5total", -1 },
		{ "main", -1 },
		{ "", -1 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		assert_int_equal(demangle_parameters(cases[i].symbol), cases[i].count);
}

static void not_mangled(void **state)
{
	static const char *const symbols[] = { "main", "_Z", "_R", "_Zebra_",
					       "_ZN",  "",   "_",  "__Z1fi" };

	(void)state;
	for (size_t i = 0; i < COUNT(symbols); i++) {
		assert_false(demangle(symbols[i], DEMANGLE_FULL, name));
		assert_ptr_equal(demangle_shown(symbols[i], DEMANGLE_NOT), symbols[i]);
		assert_string_equal(demangle_shown(symbols[i], DEMANGLE_FULL), symbols[i]);
	}
}

static size_t append(char *text, size_t size, size_t len, const char *piece)
{
	return len + (size_t)snprintf(text + len, size - len, "%s", piece);
}

/* Each parameter has twice the length of the one before: no memory has room for the name. */
static void hostile_length(void **state)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	char symbol[1024], piece[64];
	size_t len = append(symbol, sizeof(symbol), 0, "_Z1fSt4pairIiiE");

	(void)state;
	for (size_t i = 0; i < sizeof(digits) - 1; i++) {
		snprintf(piece, sizeof(piece), "S_IS%c_S%c_E", digits[i], digits[i]);
		len = append(symbol, sizeof(symbol), len, piece);
	}
	assert_false(demangle(symbol, DEMANGLE_FULL, name));
	assert_string_equal(demangle_shown(symbol, DEMANGLE_FULL), symbol);
	assert_true(demangle(symbol, DEMANGLE_SHORT, name));
	assert_string_equal(name, "f");
}

static void hostile_depth(void **state)
{
	static char symbol[100000];

	(void)state;
	memset(symbol, 'P', sizeof(symbol) - 1);
	memcpy(symbol, "_Z1f", 4);
	symbol[sizeof(symbol) - 2] = 'i';
	assert_false(demangle(symbol, DEMANGLE_FULL, name));
	assert_ptr_equal(demangle_shown(symbol, DEMANGLE_FULL), symbol);
}

static void meant(void **state)
{
	static const struct {
		const char *typed, *symbol;
		enum demangle_match match;
	} cases[] = {
		{ "ns::C::m", "_ZN2ns1C1mEi", DEMANGLE_SAME },
		{ "ns::C::m", "_ZN2ns1C2mmEi", DEMANGLE_NO },
		{ "C::m", "_ZN2ns1C1mEi", DEMANGLE_NO },
		{ "ns::C::m(int)", "_ZN2ns1C1mEi", DEMANGLE_SAME },
		{ "ns::C::m(long)", "_ZN2ns1C1mEi", DEMANGLE_NO },
		{ "ns::C::*", "_ZN2ns1C1mEi", DEMANGLE_LIKE },
		{ "*::m", "_ZN2ns1C1mEi", DEMANGLE_LIKE },
		{ "*m(int)", "_ZN2ns1C1mEi", DEMANGLE_LIKE },
		/* blanks and const, as people write them */
		{ "f(int,char *)", "_Z1fiPc", DEMANGLE_SAME },
		{ "f(const char*)", "_Z1fPKc", DEMANGLE_SAME },
		{ "f( char const * )", "_Z1fPKc", DEMANGLE_SAME },
		{ "f(unsigned long)", "_Z1fm", DEMANGLE_SAME },
		{ "f(char*)", "_Z1fPKc", DEMANGLE_LIKE },
		{ "f(char*)", "_Z1fPc", DEMANGLE_SAME },
		{ "f(const std::string&, std::string_view)",
		  "_Z1fRKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEESt17basic_string_viewIcS2_E",
		  DEMANGLE_SAME },
		{ "ns::(anonymous namespace)::hidden", "_ZN2ns12_GLOBAL__N_16hiddenEi",
		  DEMANGLE_SAME },
		{ "std::ostream::put", "_ZNSo3putEc", DEMANGLE_SAME },
		{ "*stream::put", "_ZNSo3putEc", DEMANGLE_LIKE },
		{ "ns::C::operator()", "_ZN2ns1CclEv", DEMANGLE_SAME },
		{ "ns::C::operator()()", "_ZN2ns1CclEv", DEMANGLE_SAME },
		{ "ns::biggest<int>", "_ZN2ns7biggestIiEET_S1_S1_", DEMANGLE_SAME },
		{ "ns::biggest<*", "_ZN2ns7biggestIiEET_S1_S1_", DEMANGLE_LIKE },
		{ "ns::C::~C", "_ZN2ns1CD1Ev", DEMANGLE_SAME },
		{ "ns::_private", "_ZN2ns8_privateEv", DEMANGLE_SAME },
		{ "core::ptr::drop_in_place<shop::shop::Cart>",
		  "_ZN4core3ptr37drop_in_place$LT$shop..shop..Cart$GT$17haf1ae71a440aca7fE",
		  DEMANGLE_SAME },
		{ "shop::_total", "_RNvCs1234_4shop6__total", DEMANGLE_SAME },
		{ "f", "f", DEMANGLE_NO }, /* symbols are compared elsewhere */
		{ "größe::f", "_ZN2ns1C1mEi", DEMANGLE_NO },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct demangle_pattern p;

		assert_int_equal(demangle_pattern_set(&p, cases[i].typed), 0);
		if (demangle_matches(&p, cases[i].symbol) != cases[i].match)
			fail_msg("%s, %s: not %d", cases[i].typed, cases[i].symbol, cases[i].match);
		demangle_pattern_free(&p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(forms),	 cmocka_unit_test(parameters),
		cmocka_unit_test(not_mangled),	 cmocka_unit_test(hostile_length),
		cmocka_unit_test(hostile_depth), cmocka_unit_test(meant),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
