/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kinds.c - parameters of every kind, wherever the calling convention passes them, and what they are: a line
 * FUNCTION<TAB>EXPRESSION<TAB>VALUE for each, as C sees it. For tests of what traces user functions; it must not know of
 * any.
 *
 *   kinds           calls each function once
 *   kinds values    prints the lines instead
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define KIND __attribute__((noipa, noinline))

enum color { RED = 1, GREEN = 5, BLUE = 9 };
enum depth { SHALLOW = -3, DEEP = 70000 };
enum unsigned_top { BOTTOM, TOP = 0xffffffffu };

struct point {
	int x, y;
};
struct small { /* in one register */
	short a;
	signed char b;
	unsigned c : 5, d : 3;
};
struct wide { /* in two */
	long low;
	unsigned high;
	enum color color;
};
struct mixed { /* in one of each kind */
	double weight;
	long count;
};
struct large { /* on the stack, or as an address */
	int numbers[6];
	const char *name;
	struct point at;
};
union any {
	unsigned word;
	unsigned char bytes[4];
	struct small small;
};
struct in {
	int x[4];
	const char *text;
};
typedef struct node {
	struct in in;
	struct node *next;
	struct point grid[2][3];
	char label[12];
	unsigned ready : 1, mode : 3;
	int level : 7;
	enum color color;
	bool is_set;
	union any any;
	struct {
		long hidden;
	};
	const struct large *large;
	const char *words[3];
	int (*call)(int);
} node_t;
typedef const node_t *node_ref;

typedef int vector __attribute__((vector_size(16)));
struct boxed { /* as a vector: in one register of floats */
	vector v;
};
struct apart { /* on the stack at a multiple of 16 */
	int a;
} __attribute__((aligned(16)));
struct fractions {
	float single, most, never, negative[2];
	double twice, tenth;
	long double longest;
	_Complex double complex;
	__int128 huge;
	unsigned __int128 top;
};

volatile int sink;
static bool values;

static void line(const char *function, const char *expression, const char *form, ...)
	__attribute__((format(printf, 3, 4)));
static void line(const char *function, const char *expression, const char *form, ...)
{
	va_list args;

	if (!values)
		return;
	printf("%s\t%s\t", function, expression);
	va_start(args, form);
	vprintf(form, args);
	va_end(args);
	putchar('\n');
}

/* ---- the functions ---- */

KIND int numbers(signed char a, unsigned char b, short c, unsigned short d, int e, unsigned f)
{
	return sink + a + b + c + d + e + (int)f;
}
KIND long many(long a, long b, long c, long d, long e, long f, int g, short h, const char *i,
	       enum depth j, unsigned long k, bool l)
{
	return sink + a + b + c + d + e + f + g + h + *i + j + (long)k + l;
}
KIND int walk(struct node *n, node_ref other, struct node **list, int depth)
{
	return sink + n->in.x[depth] + other->color + list[1]->level;
}
KIND int by_value(struct point p, struct small s, struct wide w, int last)
{
	return sink + p.x + s.b + (int)w.high + last;
}
KIND int with_floats(double first, int a, struct mixed m, float f, const char *text, double g)
{
	return sink + (int)first + a + (int)m.count + (int)f + *text + (int)g;
}
KIND int on_stack(int a, struct large l, int b)
{
	return sink + a + l.numbers[0] + b;
}
KIND int vectors(vector v, struct boxed b, int a, long double x, short c)
{
	return sink + v[0] + b.v[1] + a + (int)x + c;
}
KIND int aligned(long a, long b, long c, long d, long e, long f, struct apart x, int g,
		 struct apart y, char h)
{
	return sink + (int)(a + b + c + d + e + f) + x.a + g + y.a + h;
}
KIND int fractions(const struct fractions *f, enum unsigned_top top)
{
	return sink + (int)f->single + (top == TOP);
}
KIND int sixteen(__int128 huge, struct point p, unsigned __int128 top, __int128 stacked)
{
	return sink + (int)(huge + p.x + top + stacked);
}
KIND double halves(int a)
{
	return a / 2.0;
}
KIND int rows(int n, int (*table)[n])
{
	return sink + table[n - 1][0];
}
KIND struct large makes(int a, const char *name)
{
	struct large l = { { a }, name, { a, a } };

	return l;
}
KIND node_t *finds(node_t *from, const char *name)
{
	return *name ? from->next : NULL;
}
KIND enum color paints(enum color c)
{
	return c == RED ? GREEN : BLUE;
}
/* the compiler may make copies of these, with other parameters */
static __attribute__((noinline)) int picks(const struct node *n, int unused, int by)
{
	(void)unused;
	return sink + n->in.x[0] * by;
}
static __attribute__((noinline)) int adds(int a, int b)
{
	return sink + a * b;
}

/* ---- what they get ---- */

static const struct large large = { { 11, -12, 13, 14, 15, 16 }, "large", { 17, -18 } };
static node_t second = { .in = { { 21, 22, 23, 24 }, "second" }, .color = BLUE, .level = -5 };
static node_t first = {
	.in = { { 1, -2, 3, 4 }, "first \"text\"" },
	.next = &second,
	.grid = { { { 31, 32 }, { 33, 34 } }, { { 35, 36 }, { 37, 38 }, { 39, -40 } } },
	.label = "label",
	.ready = 1,
	.mode = 6,
	.level = -33,
	.color = GREEN,
	.is_set = true,
	.any = { .word = 0x44434241 },
	.hidden = -5000000000,
	.large = &large,
	.words = { "one", "two", NULL },
};

static const struct fractions some_fractions = {
	.single = 1.25f,
	.most = 0x1.fffffep127f,
	.never = __builtin_nanf(""),
	.negative = { -0.0f, -__builtin_inff() },
	.twice = -2.5,
	.tenth = 0.1,
	.longest = 0.333333333333333333333333333333333333L,
	.complex = 1.5 - 2.0i,
	.huge = -((__int128)1 << 70) - 5,
	.top = -1,
};

static void walk_lines(void)
{
	line("walk", "n->in.x[0]", "%d", first.in.x[0]);
	line("walk", "n->in.x[1]", "%d", first.in.x[1]);
	line("walk", "n->in.x[depth]", "%d", first.in.x[2]);
	line("walk", "n->in.text", "\"first \\\"text\\\"\"");
	line("walk", "n->next->in.text", "\"%s\"", second.in.text);
	line("walk", "n->next->in.x[3]", "%d", second.in.x[3]);
	line("walk", "n->next->level", "%d", second.level);
	line("walk", "n->next->color", "BLUE");
	line("walk", "n->grid[1][2].y", "%d", first.grid[1][2].y);
	line("walk", "n->grid[0][1].x", "%d", first.grid[0][1].x);
	line("walk", "n->label", "\"%s\"", first.label);
	line("walk", "n->label[1]", "'%c'", first.label[1]);
	line("walk", "n->ready", "%d", first.ready);
	line("walk", "n->mode", "%d", first.mode);
	line("walk", "n->level", "%d", first.level);
	line("walk", "n->color", "GREEN");
	line("walk", "n->color:d", "%d", first.color);
	line("walk", "n->is_set", "true");
	line("walk", "n->any.word:x", "0x%x", first.any.word);
	line("walk", "n->any.bytes[3]", "%d", first.any.bytes[3]);
	line("walk", "n->any.small.a", "%d", first.any.small.a);
	line("walk", "n->hidden", "%ld", first.hidden);
	line("walk", "n->large->numbers[1]", "%d", large.numbers[1]);
	line("walk", "n->large->name", "\"%s\"", large.name);
	line("walk", "n->large->at.y", "%d", large.at.y);
	line("walk", "n->words[1]", "\"%s\"", first.words[1]);
	line("walk", "n->words[2]", "NULL");
	line("walk", "other->in.x[2]", "%d", second.in.x[2]);
	line("walk", "list[0]->level", "%d", first.level);
	line("walk", "list[1]->in.text", "\"%s\"", second.in.text);
	line("walk", "(*list)->next->color", "BLUE");
	line("walk", "*(n->in.x + 1)", "%d", first.in.x[1]);
	line("walk", "(&n->grid[1][0])->x", "%d", first.grid[1][0].x);
	line("walk", "sizeof(struct node)", "%zu", sizeof(struct node));
	line("walk", "((node_t *)$arg1)->hidden", "%ld", first.hidden);
	line("walk", "((struct large *)(long)n->large)->at.x", "%d", large.at.x);
	line("walk", "depth", "2");
	line("walk", "n->next == other", "1");
}

static void other_lines(void)
{
	line("numbers", "a", "-5");
	line("numbers", "b", "250");
	line("numbers", "c", "-300");
	line("numbers", "d", "65000");
	line("numbers", "e", "-70000");
	line("numbers", "f", "4000000000");
	line("many", "a", "1");
	line("many", "f", "-6");
	line("many", "g", "-7");
	line("many", "h", "-8");
	line("many", "i", "\"ninth\"");
	line("many", "j", "SHALLOW");
	line("many", "k", "11000000000");
	line("many", "l", "true");
	line("by_value", "p.x", "-101");
	line("by_value", "p.y", "102");
	line("by_value", "s.a", "-103");
	line("by_value", "s.b", "-104");
	line("by_value", "s.c", "17");
	line("by_value", "s.d", "5");
	line("by_value", "w.low", "-105000000000");
	line("by_value", "w.high", "4000000006");
	line("by_value", "w.color", "BLUE");
	line("by_value", "last", "107");
	line("with_floats", "a", "-201");
	line("with_floats", "m.count", "-202");
	line("with_floats", "text", "\"after floats\"");
	line("on_stack", "a", "301");
	line("on_stack", "l.numbers[1]", "%d", large.numbers[1]);
	line("on_stack", "l.name", "\"%s\"", large.name);
	line("on_stack", "l.at.y", "%d", large.at.y);
	line("on_stack", "b", "302");
	line("vectors", "a", "501");
	line("vectors", "c", "-502");
	line("aligned", "a", "503");
	line("aligned", "f", "-504");
	line("aligned", "x.a", "505");
	line("aligned", "g", "506");
	line("aligned", "y.a", "-507");
	line("aligned", "h", "'h'");
	line("makes", "a", "401");
	line("makes", "name", "\"made\"");
	line("finds", "from->in.x[0]", "1");
	line("finds", "name", "\"next\"");
	line("paints", "c", "RED");
}

/* As few digits as tell it from its neighbours. */
static void fraction_lines(void)
{
	const char *f = "fractions";

	line(f, "f->single", "1.25");
	line(f, "f->most", "3.4028235e+38");
	line(f, "f->never", "nan");
	line(f, "f->negative", "{-0, -inf}");
	line(f, "f->twice", "-2.5");
	line(f, "f->tenth", "0.1");
	line(f, "f->longest", "%.20Lg", some_fractions.longest);
	line(f, "f->complex", "1.5-2i");
	line(f, "f->huge", "-1180591620717411303429");
	line(f, "f->top", "340282366920938463463374607431768211455");
	line(f, "top", "TOP");
	line(f, "(long)top", "4294967295");
	line(f, "top == TOP", "1");
	line(f, "(*f).negative[1]", "-inf");
}

/* Loads the pages of the texts: what is not loaded cannot be traced. */
static void touch(const char *text)
{
	for (; *text; text++)
		sink += *(const volatile char *)text;
}

static void calls(void)
{
	node_t *list[] = { &first, &second };

	touch("ninth");
	touch("after floats");
	touch("made");
	touch("next");
	touch(first.in.text);
	sink += numbers(-5, 250, -300, 65000, -70000, 4000000000u);
	sink += (int)many(1, 2, 3, 4, 5, -6, -7, -8, "ninth", SHALLOW, 11000000000ul, true);
	sink += walk(&first, &second, list, 2);
	sink += by_value((struct point){ -101, 102 }, (struct small){ -103, -104, 17, 5 },
			 (struct wide){ -105000000000, 4000000006u, BLUE }, 107);
	sink += with_floats(1.5, -201, (struct mixed){ 2.5, -202 }, 3.5f, "after floats", 4.5);
	sink += on_stack(301, large, 302);
	sink += vectors((vector){ 1, 2, 3, 4 }, (struct boxed){ { 5, 6, 7, 8 } }, 501, 1.5L, -502);
	sink += aligned(503, 0, 0, 0, 0, -504, (struct apart){ 505 }, 506, (struct apart){ -507 },
			'h');
	sink += fractions(&some_fractions, TOP);
	sink += sixteen(some_fractions.huge, (struct point){ -601, 602 }, some_fractions.top, -603);
	sink += (int)halves(5);
	sink += rows(2, (int[2][2]){ { 601, 602 }, { 603, 604 } });
	sink += makes(401, "made").at.x;
	sink += finds(&first, "next") != NULL;
	sink += paints(RED);
	sink += picks(&first, sink, 501) + picks(&second, sink, 502);
	sink += adds(sink, 7) + adds(sink + 1, 7);
}

int main(int argc, char **argv)
{
	values = argc > 1 && !strcmp(argv[1], "values");
	mlockall(MCL_CURRENT); /* programs read no page that is not there yet */
	walk_lines();
	other_lines();
	fraction_lines();
	if (!values)
		calls();
	return 0;
}
