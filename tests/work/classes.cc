/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * classes.cc - functions that take and return objects: whether these are in registers or at an address depends on how their class
 * copies and destroys them. For tests of what traces user functions; it must not know of any.
 *
 *   classes           calls each function once
 *   classes values    the same; each prints FUNCTION<TAB>EXPRESSION<TAB>VALUE of what it was given
 */
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <utility>

#ifdef __clang__
#define KIND __attribute__((noinline))
#else
#define KIND __attribute__((noipa))
#endif

static bool values;
static volatile int sink;

static void tell(const char *function, const char *expression, long value)
{
	if (values)
		std::printf("%s\t%s\t%ld\n", function, expression, value);
}

struct Two {
	int a, b;
};
struct Words {
	int a, b;
	long c;
};
struct Defaulted {
	int a;
	explicit Defaulted(int x) : a(x)
	{
	}
	Defaulted(const Defaulted &) = default;
	~Defaulted() = default;
};
struct Copied {
	int a;
	explicit Copied(int x) : a(x)
	{
	}
	Copied(const Copied &from) : a(from.a)
	{
	}
};
struct Moved {
	int a;
	explicit Moved(int x) : a(x)
	{
	}
	Moved(const Moved &) = default;
	Moved(Moved &&from) : a(from.a)
	{
	}
};
struct Destroyed {
	int a;
	explicit Destroyed(int x) : a(x)
	{
	}
	~Destroyed()
	{
		sink = sink + 1;
	}
};
struct Later {
	int a;
	explicit Later(int x) : a(x)
	{
	}
	~Later();
};
Later::~Later() = default;
struct Virtual {
	int a;
	explicit Virtual(int x) : a(x)
	{
	}
	virtual int get()
	{
		return a;
	}
};
struct Assigned {
	int a;
	explicit Assigned(int x) : a(x)
	{
	}
	Assigned(const Assigned &) = default;
	Assigned &operator=(const Assigned &from)
	{
		a = from.a;
		return *this;
	}
};
struct Holds {
	int x;
	Copied a[2];
};
struct Derived : Destroyed {
	explicit Derived(int x) : Destroyed(x)
	{
	}
};
struct Static {
	int a;
	static const Destroyed apart;
};
const Destroyed Static::apart(1);
template <class T> struct Made {
	T a;
	template <class U> explicit Made(U x) : a(x)
	{
	}
};

#define TAKES(name, T, member)                                                                     \
	KIND T name(int first, T given, int last)                                                  \
	{                                                                                          \
		tell(#name, "first", first);                                                       \
		tell(#name, "given." #member, given.member);                                       \
		tell(#name, "last", last);                                                         \
		sink = sink + first + last;                                                        \
		return given;                                                                      \
	}
TAKES(two, Two, b)
TAKES(words, Words, b)
TAKES(defaulted, Defaulted, a)
TAKES(copied, Copied, a)
TAKES(moved, Moved, a)
TAKES(destroyed, Destroyed, a)
TAKES(later, Later, a)
TAKES(virtuals, Virtual, a)
TAKES(assigned, Assigned, a)
TAKES(holds, Holds, a[1].a)
TAKES(derived, Derived, a)
TAKES(statics, Static, a)
TAKES(made, Made<int>, a)
using Pair = std::pair<int, int>;
TAKES(pairs, Pair, second)

/* takes no register, one, two */
KIND int pointers(std::nullptr_t, int a, int Two::*to, int b, int (Words::*method)(int), int c)
{
	tell("pointers", "a", a);
	tell("pointers", "b", b);
	tell("pointers", "to", to == &Two::b ? 4 : -1);
	tell("pointers", "c", c);
	return sink + (method == nullptr);
}

/* clang computes what is less than a register from it */
KIND int switches(bool on, char letter, short number, bool off)
{
	tell("switches", "on ? 4 : 5", on ? 4 : 5);
	tell("switches", "(int)letter", letter);
	tell("switches", "number", number);
	tell("switches", "off ? 4 : 5", off ? 4 : 5);
	return sink + on + off;
}

/* a reference to what has to be aligned need not be aligned itself */
KIND int aligned(int a, int b, int c, int d, int e, int f, int g, const long double &wide, int h)
{
	tell("aligned", "f", f);
	tell("aligned", "g", g);
	tell("aligned", "h", h);
	return sink + a + b + c + d + e + (int)wide;
}

/* addresses in registers and on the stack */
KIND int many(Destroyed u, int b, Copied s, int c, Destroyed v, Copied t, int d, Destroyed w, int e)
{
	tell("many", "u.a", u.a);
	tell("many", "b", b);
	tell("many", "s.a", s.a);
	tell("many", "c", c);
	tell("many", "v.a", v.a);
	tell("many", "t.a", t.a);
	tell("many", "d", d);
	tell("many", "w.a", w.a);
	tell("many", "e", e);
	return sink;
}

/* clang without optimization says nothing of `unused` */
KIND int ignores(int a, [[maybe_unused]] Destroyed unused, int b)
{
	return sink + a + b;
}

/* clang's other functions of this file need not pass more than the first half */
struct Halves {
	int a, b;
	long c;
};
KIND int partly(Halves h, int last)
{
	return sink + h.a + last;
}

KIND int captures(int first)
{
	Two pair = { first, -93 };
	auto closure = [pair, first](int last) {
		return sink + pair.b + first + last; /* line of the closure */
	};

	asm volatile("" : : "r"(&closure) : "memory");
	return closure(94);
}

int main(int argc, char **argv)
{
	long double wide = 1;

	values = argc > 1 && !std::strcmp(argv[1], "values");
	two(11, { 12, -13 }, 14);
	words(15, { 16, -17, 18 }, 19);
	defaulted(21, Defaulted(22), 23);
	copied(24, Copied(25), 26);
	moved(27, Moved(28), 29);
	destroyed(31, Destroyed(32), 33);
	later(34, Later(35), 36);
	virtuals(37, Virtual(38), 39);
	assigned(41, Assigned(42), 43);
	holds(44, { 45, { Copied(46), Copied(-47) } }, 48);
	derived(49, Derived(51), 52);
	statics(53, { 54 }, 55);
	made(56, Made<int>(57), 58);
	pairs(59, { 61, -62 }, 63);
	pointers(nullptr, 64, &Two::b, 65, nullptr, 66);
	switches(argc > 0, 'q', -70, argc > 9);
	aligned(1, 2, 3, 4, 5, 67, 68, wide, 69);
	many(Destroyed(71), 72, Copied(73), 74, Destroyed(75), Copied(76), 77, Destroyed(78), 79);
	ignores(81, Destroyed(83), 82);
	partly({ 83, 84, 85 }, 86);
	captures(92);
	return 0;
}
