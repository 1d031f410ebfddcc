/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * mangled.c - functions whose symbols are those of compilers of Rust and Go: names of both of Rust's manglings, of a
 * method of Go, and of an overload of C++. For tests of what traces user functions by name.
 *
 *   mangled COUNT    calls each COUNT times
 */
#include <stdlib.h>

#define NAMED(symbol) __asm__(symbol) __attribute__((noipa))

/* shop::cart::add of crate shop, the older mangling, with a hash; and <shop::cart::Cart as core::fmt::Display>::fmt */
int older(int a) NAMED("_ZN4shop4cart3add17h0123456789abcdefE");
int older_impl(int a) NAMED(
	"_ZN55_$LT$shop..cart..Cart$u20$as$u20$core..fmt..Display$GT$3fmt17h0123456789abcdefE");
/* shop::cart::total, the newer one */
int newer(int a) NAMED("_RNvNtCs1234_4shop4cart5total");
/* main.(*Cart).Add */
int method(int a) NAMED("\"main.(*Cart).Add\"");
int overload(int a) NAMED("_ZN4shop4packEi");

static volatile int sink;

int older(int a)
{
	return sink + a;
}

int older_impl(int a)
{
	return sink + a + 1;
}

int newer(int a)
{
	return sink + a + 2;
}

int method(int a)
{
	return sink + a + 3;
}

int overload(int a)
{
	return sink + a + 4;
}

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 1;

	for (int i = 0; i < count; i++)
		sink = older(i) + older_impl(i) + newer(i) + method(i) + overload(i);
	return 0;
}
