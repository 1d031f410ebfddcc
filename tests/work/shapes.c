/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * shapes.c - functions whose arguments have every shape that C knows. For tests of languages that trace user functions;
 * it must not know of any. tests/judges/language.cases has the same structs.
 *
 *   shapes          calls each function once, in the order of main
 *   shapes NAME N   calls one of them N times
 *   shapes where    prints where shapes_watched is
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "usdt_note.h"

#define SHAPE __attribute__((noipa))

struct corner {
	short x, y;
};
struct label {
	int number;
	char text[8];
	const char *name;
	struct corner corner;
	char code[4]; /* without a NUL */
};
struct numbers {
	int four[4];
	int grid[2][3];
	unsigned char bytes[4];
	long longs[2];
	unsigned short shorts[3];
};
struct bits {
	unsigned a : 3, b : 5, c : 8;
	int d : 6;
	unsigned long e : 40;
};
struct list {
	int value;
	struct list *next;
};
union either {
	unsigned whole;
	unsigned char parts[4];
	struct corner corner;
};
struct nest {
	int a;
	struct {
		int b;
		struct {
			int c;
		} d;
	} e;
	union {
		int f;
		short g;
	};
};
enum hue { RED = 1, GREEN = 5, BLUE = 9 };
struct hued {
	enum hue hue;
	bool is_dark;
	signed char tiny;
	long long big;
	void *nothing;
	uint32_t *pointer;
	const char *words[3];
};
struct addresses {
	unsigned char mac[6], ip4[4], ip6[16];
};

int shapes_global = 0x12345678;
short shapes_short = -2;
unsigned char shapes_byte = 200;
long shapes_long = -5000000000;
uint64_t shapes_watched;

static struct list third = { 33, NULL }, second = { 22, &third }, first = { 11, &second };
static uint32_t pointed = 77;

SHAPE int corner(struct corner *c, struct corner *d)
{
	return c->x + d->y;
}
SHAPE int label(struct label *l)
{
	return l->number;
}
SHAPE int numbers(struct numbers *n)
{
	return n->four[0];
}
SHAPE int bits(struct bits *b)
{
	return (int)b->a;
}
SHAPE int list(struct list *l)
{
	return l->value;
}
SHAPE int either(union either *e)
{
	return (int)e->whole;
}
SHAPE int nest(struct nest *n)
{
	return n->e.d.c;
}
SHAPE int hued(struct hued *h, enum hue hue)
{
	return (int)(h->hue + hue);
}
SHAPE int addresses(struct addresses *a)
{
	return a->mac[0];
}
SHAPE const char *say(const char *text, int length)
{
	return length ? text : NULL;
}
SHAPE int mixed(signed char a, short b, int c, long d, unsigned char e, bool f)
{
	return a + b + c + (int)d + e + f;
}
SHAPE long many(long a, long b, long c, long d, long e, long f, long g, long h)
{
	return a + b + c + d + e + f + g + h;
}
SHAPE int give(int n)
{
	return n * 2;
}
SHAPE void nothing(void)
{
	__asm__ volatile("");
}
SHAPE int innermost(int n)
{
	return give(n);
}
SHAPE int middle(int n)
{
	return innermost(n) + 1;
}
SHAPE int outer(int n)
{
	return middle(n) + 1;
}
SHAPE long factorial(long n)
{
	return n > 1 ? n * factorial(n - 1) : 1;
}
SHAPE void watched(uint64_t *place, uint64_t value)
{
	*place = value;
}
SHAPE void noted(int n, const char *text)
{
	NOTE("shapes", "drawn", "0", "-4@%0 8@%1", "r"(n), "r"(text));
	NOTE("shapes", "empty", "0", "", "r"(0));
}

static void shapes_of_structs(void)
{
	corner(&(struct corner){ 3, -4 }, &(struct corner){ 300, 400 });
	label(&(struct label){ 7, "a label", "a longer name", { 5, 6 }, "code" });
	numbers(&(struct numbers){ { 1, -2, 3, -4 },
				   { { 10, 11, 12 }, { 20, 21, 22 } },
				   "\x01\x7f\x80\xff",
				   { 1L << 40, -1 },
				   { 1, 256, 65535 } });
	bits(&(struct bits){ 5, 17, 200, -9, 0xabcdef0123 });
	list(&first);
	either(&(union either){ .parts = { 1, 2, 3, 4 } });
	nest(&(struct nest){ 1, { 2, { 3 } }, { 0x10004 } });
	hued(
		&(struct hued){
			GREEN, true, -5, -1234567890123, NULL, &pointed, { "one", "two", NULL } },
		BLUE);
	addresses(&(struct addresses){
		{ 0x02, 0x42, 0xac, 0x11, 0, 0xfe },
		{ 192, 168, 7, 1 },
		{ 0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x2a } });
}

static void shapes_of_numbers(void)
{
	mixed(-1, -300, -70000, -5000000000, 250, true);
	many(1, 2, 3, 4, 5, 6, 7, 8);
	give(21);
	nothing();
	outer(4);
	factorial(5);
	watched(&shapes_watched, 42);
}

static void shapes_of_texts(void)
{
	static char filled[256];

	memset(filled, 'x', sizeof(filled) - 1);
	say("hello", 5);
	say("tab\there \"quoted\" back\\slash\n", 30);
	say("", 0);
	say(filled, 255);
	noted(1, "a first note");
	noted(-2, "a second note");
}

int main(int argc, char **argv)
{
	long n = argc > 2 ? strtol(argv[2], NULL, 10) : 1;
	const char *name = argc > 1 ? argv[1] : "";

	if (!*name) {
		shapes_of_structs();
		shapes_of_numbers();
		shapes_of_texts();
	}
	if (!strcmp(name, "where"))
		printf("%lx\n", (unsigned long)&shapes_watched);
	for (long i = 1; i <= n; i++) {
		if (!strcmp(name, "give"))
			give((int)i);
		if (!strcmp(name, "outer"))
			outer((int)i);
		if (!strcmp(name, "watched"))
			watched(&shapes_watched, (uint64_t)i);
		if (!strcmp(name, "noted"))
			noted((int)i, "noted");
		if (!strcmp(name, "slowly")) {
			give((int)i);
			nanosleep(&(struct timespec){ .tv_nsec = 20000000 }, NULL);
		}
	}
	return 0;
}
