/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * objects.cc - functions of C++: overloads, templates, namespaces, virtual methods, base classes, references, strings.
 * For tests of what traces user functions; it must not know of any.
 *
 *   objects           calls each function once
 *   objects values    the same; each prints FUNCTION<TAB>EXPRESSION<TAB>VALUE of what it was given, as C++ sees it
 */
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#ifdef __clang__
#define KIND __attribute__((noinline))
#else
#define KIND __attribute__((noipa))
#endif

static bool values;
static volatile int sink;

__attribute__((format(printf, 3, 4))) static void tell(const char *function, const char *expression,
						       const char *format, ...)
{
	va_list args;

	if (!values)
		return;
	std::printf("%s\t%s\t", function, expression);
	va_start(args, format);
	std::vprintf(format, args);
	va_end(args);
	std::putchar('\n');
}

static void tell_text(const char *function, const char *expression, std::string_view text)
{
	std::string shown;

	for (char c : text)
		shown += c ? std::string(1, c) : "\\x00";
	tell(function, expression, "\"%s\"", shown.c_str());
}

/* The members of libc++'s std::string: up to version 14, up to 19, later. A short string is kept within. */
namespace libcxx
{
struct Long14 {
	size_t __cap_, __size_;
	char *__data_;
};
struct Short14 {
	union {
		unsigned char __size_;
		char __lx;
	};
	char __data_[23];
	void shorten(size_t size)
	{
		__size_ = (unsigned char)(size << 1);
	}
};
struct Long15 {
	struct {
		size_t __is_long_ : 1, __cap_ : 63;
	};
	size_t __size_;
	char *__data_;
};
struct Short15 {
	struct {
		unsigned char __is_long_ : 1, __size_ : 7;
	};
	char __data_[23];
	void shorten(size_t size)
	{
		__is_long_ = 0;
		__size_ = (unsigned char)size & 127;
	}
};
template <class Long, class Short> struct Rep {
	union {
		Long __l;
		Short __s;
	};
	explicit Rep(std::string_view text)
	{
		std::memset((void *)this, 0, sizeof(*this));
		if (text.size() > sizeof(__s.__data_) - 1) {
			__l.__data_ = (char *)text.data();
			__l.__size_ = text.size();
			*(size_t *)this = text.size() << 1 | 1;
		} else {
			std::memcpy(__s.__data_, text.data(), text.size());
			__s.shorten(text.size());
		}
	}
};
template <class R> struct Elem {
	R __value_;
};
template <class R> struct Pair : Elem<R> {
};
namespace paired
{
template <class C, class R> struct basic_string {
	Pair<R> __r_;
	explicit basic_string(std::basic_string_view<C> text) : __r_{ { R(text) } }
	{
	}
};
} // namespace paired
namespace bare
{
template <class C, class R> struct basic_string {
	R __rep_;
	explicit basic_string(std::basic_string_view<C> text) : __rep_(text)
	{
	}
};
} // namespace bare
using String14 = paired::basic_string<char, Rep<Long14, Short14>>;
using String15 = paired::basic_string<char, Rep<Long15, Short15>>;
using String20 = bare::basic_string<char, Rep<Long15, Short15>>;

template <class S> struct Shelf {
	int books;
	S label;
};

static void tell_labels(const char *name, const char *label)
{
	tell(name, "brief", "\"a label\"");
	tell_text(name, "full", label);
	tell(name, "full:6", "\"%.6s\"…(+%zu bytes)", label, std::strlen(label) - 6);
	tell_text(name, "shelf->label", label);
	tell(name, "brief == \"a label\"", "1");
	tell(name, "brief == \"a labe\"", "0");
	tell(name, "brief ~ \"*lab*\"", "1");
	tell(name, "*full ~ \"*itself\"", "1");
	tell(name, "*full != \"a label\"", "1");
}

#define LABELS(name, S)                                                                            \
	KIND int name(const S &brief, S *full, const Shelf<S> *shelf, const char *label)           \
	{                                                                                          \
		tell_labels("libcxx::" #name, label);                                              \
		return sink + shelf->books + (&brief == full);                                     \
	}
LABELS(labels14, String14)
LABELS(labels15, String15)
LABELS(labels20, String20)
} // namespace libcxx

namespace shop
{
enum class Colour : short { Red = 1, Green = 5 };

struct Thing {
	int weight = 71;
	virtual ~Thing() = default;
	KIND virtual int price(int count) const
	{
		tell("shop::Thing::price", "count", "%d", count);
		tell("shop::Thing::price", "this->weight", "%d", weight);
		return sink + count;
	}
};

struct Boxed {
	int box = 72;
};

struct Tagged {
	int tag = 74;
};

/* where its base is, only the object tells */
struct Lent : virtual Tagged {
	int days = 75;
	KIND int lends(int from)
	{
		tell("shop::Lent::lends", "this->days", "%d", days);
		tell("shop::Lent::lends", "from", "%d", from);
		return sink + from + tag;
	}
};

class Book : public Thing, public Boxed
{
      public:
	struct Page {
		int number;
	};
	static int made;
	std::string title;
	Colour colour = Colour::Green;
	Page page = { 73 };
	std::string_view shelf = "upper shelf";

	KIND explicit Book(const std::string &name) : title(name)
	{
		made++;
	}
	KIND int reads(int from, const Page &last)
	{
		static const char *const name = "shop::Book::reads(int, shop::Book::Page const&)";

		tell(name, "from", "%d", from);
		tell(name, "last->number", "%d", last.number);
		tell(name, "this->weight", "%d", weight);
		tell(name, "this->box", "%d", box);
		tell(name, "this->page.number", "%d", page.number);
		tell(name, "this->colour", "%s", colour == Colour::Green ? "Green" : "other");
		tell(name, "this->colour == Colour::Green", "%d", colour == Colour::Green);
		tell(name, "((shop::Book *)this)->box", "%d", box);
		tell_text(name, "this->title", title);
		tell_text(name, "this->shelf", shelf);
		return sink + from;
	}
	KIND int reads(const char *word)
	{
		tell_text("shop::Book::reads(char const*)", "word", word);
		return sink + *word;
	}
	KIND int price(int count) const override
	{
		tell("shop::Book::price", "count", "%d", count);
		tell_text("shop::Book::price", "this->title", title);
		return sink + count;
	}
};
int Book::made;

template <class T> KIND T biggest(T a, T b)
{
	tell(sizeof(T) == 8 ? "shop::biggest<long>" : "shop::biggest<int>", "b", "%ld", (long)b);
	return a > b ? a : b;
}

KIND int takes(const std::string &s, std::string_view v, std::string *p, const std::vector<int> &w)
{
	static const char *const name = "shop::takes";

	tell_text(name, "s", s);
	tell_text(name, "v", v);
	tell_text(name, "p", *p);
	tell(name, "s == \"short\"", "%d", s == "short");
	tell(name, "s != \"shor\"", "%d", s != "shor");
	tell(name, "v == \"view\"", "%d", v == "view");
	tell(name, "v == \"viewed\"", "%d", v == "viewed");
	tell(name, "v ~ \"vi*\"", "%d", v.substr(0, 2) == "vi");
	tell(name, "s ~ \"*or*\"", "%d", s.find("or") != s.npos);
	tell(name, "s->_M_string_length", "%zu", s.size());
	tell(name, "w->_M_impl._M_start[1]", "%d", w[1]);
	tell(name, "w->_M_impl._M_finish - w->_M_impl._M_start", "%zu", w.size());
	return sink + (int)(s.size() + v.size());
}

struct Nothing {
};

KIND int beside_nothing(Nothing n, int after, const int (&row)[3], const int (&table)[2][2],
			const int &count, int *const &first)
{
	tell("shop::beside_nothing", "after", "%d", after);
	tell("shop::beside_nothing", "row[2]", "%d", row[2]);
	tell("shop::beside_nothing", "count", "%d", count);
	tell("shop::beside_nothing", "count + 1", "%d", count + 1);
	tell("shop::beside_nothing", "*count", "%d", count);
	tell("shop::beside_nothing", "*first", "%d", *first);
	tell("shop::beside_nothing", "table[1][0]", "%d", table[1][0]);
	(void)n;
	return sink + after;
}

/* calls nothing: what is on the stack stays there */
KIND int on_stack(std::vector<int> v, long a, long b, long c, long d, long e, Colour colour,
		  int last)
{
	return sink + v[0] + (int)(a + b + c + d + e) + (int)colour + last;
}

/* calls nothing: parameters in memory */
KIND int shelved(std::pair<int, std::string> *from)
{
	std::pair<int, std::string> kept = *from;

	asm volatile("" : : "r"(&kept) : "memory");
	return sink + kept.first;
}

KIND int by_value(std::string s, int after)
{
	tell_text("shop::by_value", "s", s);
	tell("shop::by_value", "after", "%d", after);
	return sink + (int)s.size();
}

/* calls nothing: its parameters stay where they are passed */
KIND int keeps(std::string s, int after)
{
	asm volatile("" : : "r"(&s));
	return after;
}

namespace
{
KIND int hidden(int a)
{
	tell("shop::(anonymous namespace)::hidden", "a", "%d", a);
	return sink + a;
}
} // namespace
} // namespace shop

KIND int totals(int a)
{
	tell("totals(int)", "a", "%d", a);
	return sink + a;
}

KIND int totals(int a, int b)
{
	tell("totals(int, int)", "b", "%d", b);
	return sink + a + b;
}

/* Loads the pages of a text: what is not loaded cannot be traced. */
static const char *touched(const char *text)
{
	for (const char *at = text; *at; at++)
		sink = sink + *(const volatile char *)at - *at;
	return text;
}

template <class S>
static void label(int (*labels)(const S &, S *, const libcxx::Shelf<S> *, const char *),
		  const char *words)
{
	S brief("a label"), full(words);
	libcxx::Shelf<S> shelf = { 2, full };

	sink = labels(brief, &full, &shelf, words);
}

int main(int argc, char **argv)
{
	const std::string words = touched("a long text that no string keeps within itself");
	std::string with_nul = std::string("a") + '\0' + "b";
	std::vector<int> numbers = { 81, 82, 83 };

	values = argc > 1 && !std::strcmp(argv[1], "values");
	shop::Book book(words);
	book.shelf = touched("upper shelf");
	shop::Thing thing, *any = &book;

	sink = book.reads(11, { 12 });
	sink = book.reads(touched("word"));
	sink = thing.price(13);
	sink = any->price(14);
	sink = shop::biggest(15, 16);
	sink = (int)shop::biggest(17l, 18l);
	sink = shop::takes("short", std::string_view(touched("viewed"), 4), &with_nul, numbers);
	sink = shop::by_value("a string that is copied to the heap", 19);
	int row[3] = { 84, 85, -86 }, *first = row, table[2][2] = { { 87, 88 }, { -89, 90 } };
	std::pair<int, std::string> pair = { 91, "second" };
	sink = shop::beside_nothing({}, 26, row, table, row[1], first);
	sink = shop::shelved(&pair);
	tell("shop::on_stack", "colour", "Red");
	tell("shop::on_stack", "last", "27");
	tell("shop::on_stack", "e", "5");
	sink = shop::on_stack(numbers, 1, 2, 3, 4, 5, shop::Colour::Red, 27);
	label(libcxx::labels14, words.c_str());
	label(libcxx::labels15, words.c_str());
	label(libcxx::labels20, words.c_str());
	tell_text("shop::keeps", "s", words);
	tell("shop::keeps", "after", "25");
	sink = shop::keeps(words, 25);
	sink = shop::hidden(20);
	sink = shop::Lent().lends(24);
	sink = totals(21);
	sink = totals(22, 23);
	return 0;
}
