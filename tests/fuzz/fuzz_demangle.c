/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fuzz_demangle.c - spoilt symbols of C++ and Rust, and patterns. A name fits its room, and takes no long time, whatever the
 * symbol refers to.
 *
 *	fuzz_demangle [COUNT [SEED]]
 */
#include <time.h>

#include "fuzz.h"
#include "symbols/user/demangle.h"

static const char *const pieces[] = {
	"_Z", "_R",  "N",  "E",	  "S_",	 "S0_",	 "S1_", "T_",  "I",  "J",   "L",  "X",
	"P",  "R",   "K",  "1f",  "2ns", "3foo", "St",	"Ss",  "Sa", "D0",  "C1", "D1",
	"Dp", "Dn",  "F",  "v",	  "i",	 "c",	 "Z",	"s_",  "Ul", "vE_", "cv", "ix",
	"cl", "sr",  "B",  "B_",  "B2_", "Nv",	 "Nt",	"Cs1", "M",  "X",   "Y",  "INvC",
	"u5", "17h", "ab", "$LT", "..",	 "9",	 "99",	"fp_", "fL", "0_",  "Tp", "sZ",
};

static const char *const whole[] = {
	"_ZN4shop4Book5readsEiRKNS0_4PageE",
	"_ZNK4shop4Book5priceEi",
	"_ZN4shop7biggestIiEET_S1_S1_",
	"_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_appendEPKcm",
	"_ZZN1a1bEvENKUlT_DpT0_E_clIiJiiEEEDaS0_S2_",
	"_Z1fIiJidEEvT_DpT0_",
	"_ZN4core3ptr37drop_in_place$LT$shop..shop..Cart$GT$17haf1ae71a440aca7fE",
	"_RINvNtCsbxQjNsTKZZh_4shop4shop7biggestmEB4_",
	"_RNvXs1g_NtCsgEmfK2I1SDS_4core3fmtReNtB6_5Debug3fmtCsbxQjNsTKZZh_4shop",
	"_RNqCs4fqI2P2rA04_11utf8_identsu30____7hkackfecea1cbdathfdh9hlq6y",
	"_Z1fSt4pairIS_IS_IS_IS_IS_IS_IS0_S0_ES1_S1_ES2_S2_ES3_S3_ES4_S4_E",
};

static bool looked_at(const char *symbol)
{
	static const char *const patterns[] = { "shop::Book::*", "*f*(*)", "core::ptr::*", "a" };
	struct demangle_pattern pattern;
	char name[DEMANGLED_MAX];
	clock_t began = clock();
	bool is_name = false;

	for (int form = DEMANGLE_NOT; form <= DEMANGLE_FULL; form++) {
		if (demangle(symbol, form, name)) {
			is_name = true;
			FUZZ_CHECK(*name && strlen(name) < DEMANGLED_MAX);
		}
		FUZZ_CHECK(*demangle_shown(symbol, form) || !*symbol);
	}
	for (size_t i = 0; i < sizeof(patterns) / sizeof(*patterns); i++) {
		FUZZ_CHECK(!demangle_pattern_set(&pattern, patterns[i]));
		demangle_matches(&pattern, symbol);
		demangle_pattern_free(&pattern);
	}
	FUZZ_CHECK(!demangle_pattern_set(&pattern, symbol));
	demangle_matches(&pattern, whole[0]);
	demangle_pattern_free(&pattern);
	FUZZ_CHECK(clock() - began < CLOCKS_PER_SEC);
	return is_name;
}

#ifdef LIBFUZZER
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char text[2000];

	input_copy(text, sizeof(text), data, size);
	looked_at(text);
	return 0;
}
#else
int main(int argc, char **argv)
{
	static const struct fuzz_words words = {
		.pieces = pieces,
		.whole = whole,
		.piece_count = sizeof(pieces) / sizeof(*pieces),
		.whole_count = sizeof(whole) / sizeof(*whole),
		.most = 60,
		.skips = 6,
		.head = "_Z1f",
	};
	unsigned long count = argc > 1 ? strtoul(argv[1], NULL, 0) : 20000;
	unsigned long seed = argc > 2 ? strtoul(argv[2], NULL, 0) : 1;

	texts_run(&words, count, seed, looked_at);
	return 0;
}
#endif
