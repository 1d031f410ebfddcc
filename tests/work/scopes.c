/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * scopes.c - variables at lines inside of functions: parameters that have changed, blocks, loops, the same name in two
 * scopes, inlined functions, structs and arrays in the frame.
 *
 * Each line that ends in a comment of the form  AT: NAME=VALUE …  says which values its variables have before it runs;
 * tests/live/lines.bats reads them here.
 */
struct pair {
	int x;
	const char *name;
};

static volatile int sink;

#define OWN static __attribute__((noinline))

static inline __attribute__((always_inline)) int twice(int from, struct pair *of)
{
	int doubled = 2 * from;

	sink += doubled + of->x; /* AT: from=21 doubled=42 of->x=7 of->name="seven" */
	return doubled;
}

OWN int changes(int number, const char *text)
{
	sink = number; /* AT: number=20 text="words" */
	number++;
	sink += number + *text; /* AT: number=21 text="words" */
	return number;
}

OWN int blocks(int number)
{
	static const char *volatile text = "static";
	static short total = -40;
	int same = 1;

	total += (short)(*text - *text + 1);
	sink += same; /* AT: number=5 same=1 total=-39 text="static" */
	{
		long same = 1000000000002;

		sink += (int)same; /* AT: number=5 same=1000000000002 */
	}
	sink += same * number; /* AT: number=5 same=1 */
	return same;
}

OWN int frame(int number)
{
	struct pair pair = { number + 1, "seven" };
	int list[4] = { 10, 11, 12, 13 };
	int sum = 0;

	sink += *list; /* AT: pair.x=7 pair.name="seven" list[2]=12 number=6 sum=0 */
	for (int i = 0; i < 4; i++)
		sum += list[i];
	sink += sum; /* AT: sum=46 number=6 */
	sum += twice(21, &pair);
	sink += sum; /* AT: sum=88 pair.x=7 */
	return sum;
}

/* a struct whose members are in registers of their own */
OWN int apart(int number)
{
	struct {
		int x, y;
		short z;
	} of = { number * 3, number - 100, -5 };

	asm volatile("" : "+r"(of.x), "+r"(of.y));
	sink += number; /* AT: of.x=21 of.y=-93 */
	return of.x + of.y + of.z;
}

static inline __attribute__((always_inline)) void adds(int number, const char *text)
{
	sink += number * *text;
}

OWN void calls(int number)
{
	adds(number, "one");
	sink++;
	adds(number + 30, "two");
}

/* a pointer that the compiler knows: DW_OP_addr, DW_OP_stack_value */
static volatile int counted[3] = { 5, 61, 7 };

static inline __attribute__((always_inline)) void counts(volatile int *count, int by)
{
	*count += by; /* AT: by=3 *count=61 */
}

OWN int counting(void)
{
	counts(&counted[1], 3);
	return counted[1];
}

int main(void)
{
	int done = changes(20, "words");

	calls(1);
	done += blocks(5);
	done += frame(6);
	done += apart(7);
	done += counting();
	return done + sink == 0;
}
